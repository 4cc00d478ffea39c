"""Nothing is left of a sandbox: no process, no descriptor, no thread, however it ended."""

import asyncio
import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from endurance.measure import descendants

from redwell.sandbox import launch
from redwell.sandbox.launch import Confinement
from redwell.sandbox.session import Sandbox
from redwell.sandbox.types import GuestModule, Policy, SandboxUnavailable
from tests.sandbox.sandbox_session import TOOLS, echo

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")

CELLS = 1000
POLICY = Policy(soft_seconds=0.05, hard_seconds=0.05)


def resources() -> tuple[int, int, set[int]]:
    return len(os.listdir("/proc/self/fd")), threading.active_count(), descendants()


async def use_and_close(backend: str) -> None:
    sandbox = await Sandbox.start(POLICY, (TOOLS,), echo, backend)
    await sandbox.run("ask('q', n=1)")
    await sandbox.close()
    await sandbox.close()


async def die(backend: str) -> None:
    sandbox = await Sandbox.start(POLICY, (), echo, backend)
    assert (await sandbox.run("import os; os._exit(1)")).status == "killed"
    await sandbox.close()


async def be_killed_at_the_deadline(backend: str) -> None:
    sandbox = await Sandbox.start(POLICY, (), echo, backend)
    code = "import signal\nsignal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])\nwhile True: pass"
    assert (await sandbox.run(code)).status == "killed"
    await sandbox.close()


async def close_while_a_cell_runs(backend: str) -> None:
    sandbox = await Sandbox.start(Policy(), (), echo, backend)
    task = asyncio.ensure_future(sandbox.run("while True: pass"))
    await asyncio.sleep(0.01)
    await sandbox.close()
    assert (await task).status == "killed"


async def close_while_the_host_answers(backend: str) -> None:
    asked = asyncio.Event()

    async def never(name: str, arguments: object) -> None:
        asked.set()
        await asyncio.Event().wait()

    sandbox = await Sandbox.start(Policy(), (TOOLS,), never, backend)
    task = asyncio.ensure_future(sandbox.run("ask('q')"))
    await asked.wait()
    await sandbox.close()
    assert (await task).status == "killed"


async def fail_in_a_module(backend: str) -> None:
    with pytest.raises(RuntimeError):
        await Sandbox.start(POLICY, (GuestModule("bad", "1 / 0"),), echo, backend)


async def miss_a_wall(backend: str) -> None:
    with pytest.raises(SandboxUnavailable):
        await Sandbox._start(POLICY, (), echo, backend, Confinement(frozenset({"seccomp"})))  # type: ignore[arg-type]


async def be_cancelled_while_starting(backend: str) -> None:
    task = asyncio.ensure_future(Sandbox.start(POLICY, (), echo, backend))
    await asyncio.sleep(0.005)
    task.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        sandbox = await task
        await sandbox.close()


@pytest.mark.parametrize(
    "ending",
    [
        use_and_close,
        die,
        be_killed_at_the_deadline,
        close_while_a_cell_runs,
        close_while_the_host_answers,
        fail_in_a_module,
        miss_a_wall,
        be_cancelled_while_starting,
    ],
)
def test_nothing_is_left(backend: str, ending: object) -> None:
    asyncio.run(ending(backend))  # type: ignore[operator]
    before = resources()
    for _ in range(3):
        asyncio.run(ending(backend))  # type: ignore[operator]
    assert resources() == before


def test_many_at_once_leave_nothing(backend: str) -> None:
    async def crowd() -> None:
        sandboxes = await asyncio.gather(*(Sandbox.start(Policy(), (TOOLS,), echo, backend) for _ in range(16)))
        results = await asyncio.gather(*(sandbox.run(f"ask('q', n={n})['n']") for n, sandbox in enumerate(sandboxes)))
        assert [result.output for result in results] == [f"{n}\n" for n in range(16)]
        await asyncio.gather(*(sandbox.close() for sandbox in sandboxes))

    before = resources()
    asyncio.run(crowd())
    assert resources() == before


def test_of_a_thousand_cells_only_their_source_is_kept(backend: str) -> None:
    async def grow() -> tuple[int, int]:
        sandbox = await Sandbox.start(Policy(), (TOOLS,), echo, backend)
        size = "import gc\n_ = gc.collect()\n[len(gc.get_objects())]"
        work = "text = 'x' * 20_000\nprint(text)\nask('q', text=text)\nNone"
        for _ in range(50):
            await sandbox.run(work)
        before = await sandbox.run(size)
        for _ in range(CELLS):
            await sandbox.run(work)
        after = await sandbox.run(size)
        await sandbox.close()
        return int(before.output.strip("[]\n")), int(after.output.strip("[]\n"))

    before, after = asyncio.run(grow())
    assert after - before < 2 * CELLS + 100  # a list of lines and what holds it, for tracebacks through later cells


HOST = """
import asyncio, sys
from redwell.sandbox.session import Sandbox
from redwell.sandbox.types import Policy

async def handler(name, arguments):
    return None

async def main():
    sandbox = await Sandbox.start(Policy(), (), handler, sys.argv[1])
    task = asyncio.ensure_future(sandbox.run("import signal\\nsignal.pthread_sigmask(signal.SIG_BLOCK, [2])\\nwhile True: pass"))
    await asyncio.sleep(0.05)
    print("running", flush=True)
    await task

asyncio.run(main())
"""


def test_a_host_killed_in_the_middle_of_a_cell_takes_its_sandbox_along(backend: str) -> None:
    host = subprocess.Popen([sys.executable, "-c", HOST, backend], stdout=subprocess.PIPE)
    assert host.stdout is not None
    assert host.stdout.readline() == b"running\n"
    ours = descendants(host.pid)
    assert ours
    started = {process: _started(process) for process in ours}
    host.send_signal(signal.SIGKILL)
    host.wait()
    host.stdout.close()
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline and any(_started(process) == start for process, start in started.items()):
        time.sleep(0.01)
    assert [process for process, start in started.items() if _started(process) == start] == []


BEGINNER = """
import sys
from pathlib import Path
from redwell.sandbox import launch
from redwell.sandbox.types import Policy

print("begins", flush=True)
while True:
    launch.start(Policy(readable=(Path(sys.argv[2]),)), sys.argv[1], launch.Confinement()).close()
"""


def test_a_host_killed_while_a_sandbox_starts_leaves_nothing(backend: str, tmp_path: Path) -> None:
    if backend != "bwrap":
        pytest.skip("only bubblewrap names its folders, and has a moment in which it would outlive the host")
    for number in range(20):
        folder = tmp_path / str(number)
        folder.mkdir()
        host = subprocess.Popen([sys.executable, "-c", BEGINNER, backend, folder], stdout=subprocess.PIPE)
        assert host.stdout is not None
        assert host.stdout.readline() == b"begins\n"
        time.sleep(number * 0.0007)
        host.kill()
        host.communicate()
        deadline = time.monotonic() + 10
        while (left := _naming(folder)) and time.monotonic() < deadline:
            time.sleep(0.01)
        assert left == []


def _naming(folder: Path) -> list[int]:
    """The processes whose command line has that folder."""
    found = []
    for entry in Path("/proc").iterdir():
        with contextlib.suppress(OSError):
            if entry.name.isdigit() and os.fsencode(folder) in (entry / "cmdline").read_bytes().split(b"\0"):
                found.append(int(entry.name))
    return found


def _started(process: int) -> str | None:
    """When a living process started; None for one that is gone or only waits to be reaped."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None
    return None if fields[0] == "Z" else fields[19]


def test_the_bundle_is_made_once() -> None:
    assert launch.bundle(launch.KERNEL) is launch.bundle(launch.KERNEL)
