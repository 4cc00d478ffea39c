"""Nothing outside can be read, written or reached from a cell: attempts, on every backend whose walls hold here."""

import asyncio
import os
import platform
import socket
import sys
import textwrap
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import pytest

from redwell.sandbox import selftest
from redwell.sandbox.session import Sandbox
from redwell.sandbox.types import Policy, SandboxUnavailable
from tests.sandbox import escapes
from tests.sandbox.sandbox_session import Session, echo

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the confined backends are Linux's")

SECRET = "the other side's draft"
POLICY = Policy(memory_bytes=1 << 30, soft_seconds=20)
COLUMN = {"x86_64": 0, "aarch64": 1}.get(platform.machine(), 0)


class Outside:
    """What the attempts reach for: files, listening sockets and this process."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        outside, inside = folder / "outside", folder / "inside"
        outside.mkdir()
        inside.mkdir()
        self.secret = outside / "secret"
        self.secret.write_text(SECRET)
        self.text = inside / "text.bin"
        self.text.write_bytes(b"Section 1")
        self.link = inside / "link"
        self.link.symlink_to(self.secret)
        listener = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
        names = {
            "UNIX": str(outside / "stream"),
            "ABSTRACT": f"\0redwell-{os.getpid()}-{folder.name}",
            "DATAGRAM": str(outside / "datagram"),
        }
        for kind, name in names.items():
            local = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM if kind == "DATAGRAM" else socket.SOCK_STREAM)
            stack.enter_context(local).bind(name)
            if kind != "DATAGRAM":
                local.listen()
        self.names = names | {
            "FOLDER": str(outside),
            "SECRET": str(self.secret),
            "TEXT": str(self.text),
            "LINK": str(self.link),
            "PORT": listener.getsockname()[1],
            "PARENT": os.getpid(),
            "NUMBERS": {name: numbers[COLUMN] for name, numbers in escapes.NUMBERS.items()},
        }
        self.before = self.state()

    def state(self) -> list[tuple[str, bytes, float, int]]:
        files = sorted(path for path in self.secret.parents[1].rglob("*") if path.is_file())
        return [(str(file), file.read_bytes(), file.stat().st_mtime, file.stat().st_mode) for file in files]


@pytest.fixture
def outside(tmp_path: Path) -> Iterator[Outside]:
    with ExitStack() as stack:
        yield Outside(tmp_path, stack)


class Attempts:
    """Makes attempts in one session; one that an attempt brought down is replaced."""

    def __init__(self, runner: asyncio.Runner, backend: str) -> None:
        self._runner = runner
        self._backend = backend
        self._session: Session | None = None

    def make(self, body: str, outside: Outside) -> str:
        """What came of it: `reached ...`, `stopped ...`, or `killed ...`."""
        if self._session is None:
            policy = replace(POLICY, readable=(outside.text.parent,))
            self._session = Session(self._runner, self._runner.run(Sandbox.start(policy, (), echo, self._backend)))
            self._session.ok(escapes.PRELUDE)
        self._session.ok("\n".join(f"{name} = {value!r}" for name, value in outside.names.items()))
        result = self._session.run(f"def attempt():\n{textwrap.indent(body, '    ')}\ncheck(attempt)")
        if result.status == "killed":
            self.close()
            return f"killed {result.error}"
        assert result.status == "ok", result
        return result.output

    def close(self) -> None:
        if self._session is not None:
            self._session.close()
            self._session = None


@pytest.fixture(scope="module")
def target(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Outside]:
    """Shared by all attempts from behind walls: when they hold, it is untouched in the end."""
    inherited = os.open("/dev/null", os.O_RDONLY)
    os.set_inheritable(inherited, True)
    os.environ["REDWELL_TEST_KEY"] = "key-of-the-host"
    with ExitStack() as stack:
        outside = Outside(tmp_path_factory.mktemp("escapes"), stack)
        yield outside
        assert outside.state() == outside.before
    os.close(inherited)
    del os.environ["REDWELL_TEST_KEY"]


@pytest.fixture(scope="module", params=["bwrap", "landlock"])
def confined(request: pytest.FixtureRequest, target: Outside) -> Iterator[Attempts]:
    try:
        backend = selftest.choose(request.param)
    except SandboxUnavailable as missing:
        pytest.skip(str(missing))
    with asyncio.Runner() as runner:
        attempts = Attempts(runner, backend)
        yield attempts
        attempts.close()


@pytest.fixture(scope="module")
def unconfined() -> Iterator[Attempts]:
    with asyncio.Runner() as runner:
        attempts = Attempts(runner, "unsafe-local")
        yield attempts
        attempts.close()


@pytest.mark.parametrize(
    "body", [pytest.param(body, id=name) for name, body in (escapes.REAL | escapes.GUARDED).items()]
)
def test_an_attempt_is_stopped(confined: Attempts, target: Outside, body: str) -> None:
    assert confined.make(body, target).startswith("stopped")
    assert target.state() == target.before


def test_only_the_socket_to_the_host_is_open_from_the_start(backend: str, target: Outside) -> None:
    with asyncio.Runner() as runner:
        session = Session(runner, runner.run(Sandbox.start(POLICY, (), echo, backend)))
        kinds = session.ok(
            "import os, stat\nfound = []\nfor n in range(4096):\n    try:\n        mode = os.fstat(n).st_mode\n"
            "    except OSError:\n        continue\n    found.append('socket' if stat.S_ISSOCK(mode) else os.fstat(n).st_rdev)\nfound"
        )
        session.close()
    null = os.stat("/dev/null").st_rdev
    assert kinds == f"[{null}, {null}, {null}, 'socket']\n"


@pytest.mark.parametrize("body", [pytest.param(body, id=name) for name, body in escapes.REAL.items()])
def test_the_attempt_succeeds_where_there_is_no_wall(unconfined: Attempts, outside: Outside, body: str) -> None:
    result = unconfined.make(body, outside)
    if result.startswith("stopped PermissionError"):
        pytest.skip("this machine stops it by itself")
    assert result.startswith("reached")


@pytest.mark.parametrize("name", escapes.KERNEL)
def test_a_part_of_the_kernel_that_no_cell_needs_is_out_of_reach(
    confined: Attempts, target: Outside, name: str
) -> None:
    body = f"return call(NUMBERS[{name!r}], -1, -1, -1, -1, -1, -1)"
    result = confined.make(body, target)
    assert result.startswith("stopped")
    assert "Operation not permitted" in result or "Function not implemented" in result


@pytest.mark.skipif(platform.machine() != "x86_64", reason="other entries to the kernel exist on x86-64 only")
@pytest.mark.parametrize(
    "body",
    [
        # getpid by the 32-bit entry: mov eax, 20; int 0x80; ret
        "page = mmap.mmap(-1, 4096, prot=7)\npage.write(bytes.fromhex('b814000000cd80c3'))\n"
        "return ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(page)))()",
        "return call(0x40000000 + 39)",  # getpid by its x32 number
    ],
)
def test_another_entry_to_the_kernel_ends_the_process(confined: Attempts, target: Outside, body: str) -> None:
    assert confined.make(body, target).startswith("killed")
