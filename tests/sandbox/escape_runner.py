"""Makes the attempts of `escapes` in a session: what they reach for, and what came of each."""

from __future__ import annotations

import asyncio
import os
import platform
import socket
import subprocess
import textwrap
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path

from redwell.sandbox.session import Sandbox
from redwell.sandbox.types import Policy
from tests.sandbox import escape_calls, escapes
from tests.sandbox.sandbox_session import Session, echo

SECRET = "the other side's draft"
POLICY = Policy(memory_bytes=1 << 30, soft_seconds=20)
COLUMN = {"x86_64": 0, "aarch64": 1}.get(platform.machine(), 0)
OTHER_ENTRIES = "other entries of x86-64"
KERNEL = {name: f"return call(NUMBERS[{name!r}], -1, -1, -1, -1, -1, -1)" for name in escape_calls.KERNEL}


class Outside:
    """What the attempts reach for: files, listening sockets, this process and one beside the session."""

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
            "NEIGHBOUR": stack.enter_context(_neighbour()),
            "NUMBERS": {name: numbers[COLUMN] for name, numbers in escape_calls.NUMBERS.items()},
        }
        self.before = self.state()

    def state(self) -> list[tuple[str, bytes, float, int]]:
        files = sorted(path for path in self.secret.parents[1].rglob("*") if path.is_file())
        return [(str(file), file.read_bytes(), file.stat().st_mtime, file.stat().st_mode) for file in files]


class Attempts:
    """Makes attempts in one session; one that an attempt brought down is replaced."""

    def __init__(self, runner: asyncio.Runner, backend: str) -> None:
        self._runner = runner
        self.backend = backend
        self._session: Session | None = None

    def make(self, body: str, outside: Outside) -> str:
        """What came of it: `reached ...`, `stopped ...`, or `killed ...`."""
        session = self._ready(outside)
        result = session.run(f"def attempt():\n{textwrap.indent(body, '    ')}\ncheck(attempt)")
        if result.status == "killed":
            self.close()
            return f"killed {result.error}"
        assert result.status == "ok", result
        return result.output

    def _ready(self, outside: Outside) -> Session:
        """A session that knows the names. Its process may die after an attempt was answered (threads that end without memory): then it is replaced, too."""
        names = "\n".join(f"{name} = {value!r}" for name, value in outside.names.items())
        if self._session is not None and self._session.run(names).status == "killed":
            self.close()
        if self._session is None:
            policy = replace(POLICY, readable=(outside.text.parent,))
            self._session = Session(self._runner, self._runner.run(Sandbox.start(policy, (), echo, self.backend)))
            self._session.ok(escapes.PRELUDE)
            self._session.ok(names)
        return self._session

    def close(self) -> None:
        if self._session is not None:
            self._session.close()
            self._session = None

    def answer_of_the_kernel(self, name: str, outside: Outside) -> str:
        """What came of a call that no cell needs: `reached` when the kernel itself looked at its arguments."""
        result = self.make(KERNEL[name], outside)
        refused = ("Operation not permitted", "Function not implemented", "killed")
        return result if any(each in result for each in refused) else f"reached {result}"


@contextmanager
def _neighbour() -> Iterator[int]:
    process = subprocess.Popen(["sleep", "600"], stdin=subprocess.DEVNULL)
    try:
        yield process.pid
    finally:
        process.kill()
        process.wait()


def applicable() -> Iterator[tuple[str, str, str]]:
    """Every attempt that this machine's architecture has: what it reaches for, its name, its body."""
    for kind, attempts in escapes.ATTEMPTS.items():
        if kind != OTHER_ENTRIES or platform.machine() == "x86_64":
            for name, body in attempts.items():
                yield kind, name, body
