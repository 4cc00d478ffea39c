"""One shell command behind walls: a folder to read, one to write, the system's programs, and nothing else.

Under bubblewrap the folder is `/workspace`, in namespaces of its own. Under Landlock it keeps its path; programs of the system can be run
and none that the command makes, sockets are refused by seccomp, and root's processes have no limit on their number. A machine with neither
is refused.
"""

from __future__ import annotations

import asyncio
import contextlib
import ctypes
import os
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from redwell.sandbox import bwrap, confine, landlock, program, seccomp
from redwell.sandbox.types import SandboxUnavailable

MEMORY_BYTES = 2 << 30
FILE_BYTES = 256 << 20
SCRATCH_BYTES = 512 << 20
MOST_OUTPUT = 400_000
"""Bytes of a command's output that are kept; the rest is counted."""
WORKSPACE = "/workspace"
"""Where the folder is under bubblewrap."""
_SIGNALS_ABI = 6
"""From this Landlock on, signals stay within its walls."""
_SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib64")
_SETTINGS = ("/etc/alternatives", "/etc/ld.so.cache", "/etc/localtime", "/etc/fonts", "/etc/mime.types")
_PATH = "/usr/local/bin:/usr/bin:/bin"
_SET_DEATH_SIGNAL, _KILL = 1, int(signal.SIGKILL)
_LIBC = ctypes.CDLL(None, use_errno=True)
"""Opened here, since a process that is about to become another must not wait for a lock of the linker's."""


@dataclass(frozen=True, slots=True)
class Place:
    """`folder` is read, `writable` (in it) is written too, and `scratch` is for temporary files where there is no /tmp of its own."""

    folder: Path
    writable: Path
    scratch: Path


@dataclass(frozen=True, slots=True)
class Ran:
    """`status` is the exit status, None when the command was ended because its time was up; `output` is all that it wrote, both streams."""

    status: int | None
    output: str
    dropped: int
    seconds: float


async def run(command: str, place: Place, backend: str, seconds: float) -> Ran:
    """Runs a command with bash. Whatever it started ends with it. Raises OSError when it cannot be started."""
    started = time.monotonic()
    process = _started(command, place, backend)
    reading = asyncio.get_running_loop().run_in_executor(None, _collected, process)
    status: int | None = None
    try:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await ended(process.pid)
            status = process.wait()
    finally:
        end(process)
        output, dropped = await asyncio.shield(reading)
    return Ran(status, output.decode("utf-8", "replace"), dropped, time.monotonic() - started)


def end(process: subprocess.Popen[bytes]) -> None:
    """Ends a process and whatever it started."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


async def ended(number: int) -> None:
    """Until the process has ended, whoever still holds its output."""
    loop = asyncio.get_running_loop()
    gone = asyncio.Event()
    descriptor = os.pidfd_open(number)
    loop.add_reader(descriptor, gone.set)
    try:
        await gone.wait()
    finally:
        loop.remove_reader(descriptor)
        os.close(descriptor)


def _started(command: str, place: Place, backend: str) -> subprocess.Popen[bytes]:
    shell = ["/bin/bash", "--noprofile", "--norc", "-c", command]
    environment = {"PATH": _PATH, "LANG": "C.UTF-8", "TZ": "UTC"}
    if backend == "bwrap":
        argv, environment = [*walled(place), *shell], environment | {"HOME": "/tmp", "TMPDIR": "/tmp"}
    else:
        argv, environment = shell, environment | {"HOME": str(place.scratch), "TMPDIR": str(place.scratch)}
    return subprocess.Popen(
        argv,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env=environment,
        cwd=place.folder,
        start_new_session=True,
        preexec_fn=_limit if backend == "bwrap" else lambda: _enclose(place),
    )


def _collected(process: subprocess.Popen[bytes]) -> tuple[bytes, int]:
    """What it wrote, as far as it is kept, and how many bytes were not."""
    assert process.stdout is not None
    kept = bytearray()
    dropped = 0
    with process.stdout as stream:
        while data := os.read(stream.fileno(), 65_536):
            room = MOST_OUTPUT - len(kept)
            kept += data[:room]
            dropped += max(0, len(data) - room)
    return bytes(kept), dropped


def choose(backend: str = "auto") -> str:
    """The walls to use: those named, or the first of bwrap and landlock that hold. Raises SandboxUnavailable with the reason and the way out."""
    if backend == "unsafe-local":
        raise SandboxUnavailable(
            "a shell is never run without walls: leave the sandbox at auto, bwrap or landlock, or take a harness that has no shell"
        )
    names = ("bwrap", "landlock") if backend == "auto" else (backend,)
    faults = []
    for name in names:
        if name not in _held:
            _held[name] = _fault(name)
        if not _held[name]:
            return name
        faults.append(f"{name}: {_held[name]}")
    raise SandboxUnavailable(
        f"No walls for a shell hold on this machine ({'; '.join(faults)}). Install bubblewrap and allow user namespaces, or use a kernel with "
        "Landlock of version 6 (Linux 6.12 or later)."
    )


_held: dict[str, str] = {}
"""What is wrong with a backend, empty when its walls held when they were tried."""


def walled(place: Place, *, more: tuple[str, ...] = ()) -> list[str]:
    """The command line of bubblewrap in front of what is to run in the folder; `more` are options besides."""
    arguments = [
        bwrap.executable() or "bwrap",
        "--unshare-all",
        "--die-with-parent",
        "--new-session",
        "--cap-drop",
        "ALL",
        "--uid",
        "1000",
        "--gid",
        "1000",
    ]
    for path in (*_SYSTEM, *_SETTINGS):
        arguments += (
            ["--symlink", os.readlink(path), path]
            if os.path.islink(path) and path in _SYSTEM
            else ["--ro-bind-try", path, path]
        )
    arguments += ["--proc", "/proc", "--dev", "/dev", "--size", str(SCRATCH_BYTES), "--tmpfs", "/tmp"]
    inside = f"{WORKSPACE}/{place.writable.relative_to(place.folder)}"
    arguments += ["--ro-bind", str(place.folder), WORKSPACE, "--bind", str(place.writable), inside]
    return [*arguments, *more, "--remount-ro", "/", "--chdir", WORKSPACE, "--hostname", "sandbox", "--"]


def _limit() -> None:
    """Runs between fork and exec, so it keeps to plain calls."""
    _limit_files()
    _limit_memory()


def _limit_files() -> None:
    _LIBC.prctl(_SET_DEATH_SIGNAL, _KILL, 0, 0, 0)
    for kind, most in (("RLIMIT_FSIZE", FILE_BYTES), ("RLIMIT_CORE", 0), ("RLIMIT_NOFILE", 1_024)):
        confine.set_limit(kind, most)


def _limit_memory() -> None:
    """The last thing before exec: a host that has mapped a large room is over the limit already, and could not get a byte more."""
    confine.set_limit("RLIMIT_AS", MEMORY_BYTES)


def _enclose(place: Place) -> None:
    _limit_files()
    confine.drop_privileges(_LIBC, {"dumpable"}, own_user=False)
    version = landlock.abi()
    every = landlock.all_file_rights(version)
    reading = landlock.READ_FILE | landlock.READ_DIR
    rules = [(path, reading | landlock.EXECUTE) for path in _SYSTEM]
    rules += [(path, reading) for path in (*_SETTINGS, *program.READ, str(place.folder))]
    rules += [(path, landlock.READ_FILE | landlock.WRITE_FILE) for path in ("/dev/null", "/dev/zero")]
    rules += [
        (str(path), every & ~program.NOT_IN_THE_FOLDER & ~landlock.MAKE_SOCKET)
        for path in (place.writable, place.scratch)
    ]
    landlock.enforce(version, every, landlock.TCP, landlock.SCOPES, rules)
    seccomp.install_for_programs()
    _limit_memory()


_PROBE_SECONDS = 20
_PROBE = """
cat {secret} 2>/dev/null && echo "a file outside was read"
(exec 3<>/dev/tcp/127.0.0.1/{port}) 2>/dev/null && echo "the network was reached"
(echo x > {folder}/new) 2>/dev/null && echo "a file was written where none may be"
kill -0 {process} 2>/dev/null && echo "a process outside could be signalled"
echo x > {writable}/new || echo "the folder cannot be written"
echo walled
"""


def _fault(backend: str) -> str:
    """What is wrong with the walls of a backend: they are raised, and it is tried to get through them. Empty when they hold."""
    if backend == "bwrap" and bwrap.executable() is None:
        return "bubblewrap is not installed"
    if backend == "landlock" and landlock.abi() < _SIGNALS_ABI:
        return f"this kernel's Landlock is of version {landlock.abi()}"
    if backend not in ("bwrap", "landlock"):
        return "there is no such sandbox"
    with _target() as (place, secret, port):
        inside = Path(WORKSPACE) if backend == "bwrap" else place.folder
        probe = _PROBE.format(secret=secret, port=port, folder=inside, writable=inside / "output", process=os.getpid())
        try:
            process = _started(probe, place, backend)
        except (OSError, subprocess.SubprocessError) as error:
            return f"it does not start: {error}"
        try:
            said = process.communicate(timeout=_PROBE_SECONDS)[0].decode("utf-8", "replace").split("\n")
        except subprocess.TimeoutExpired:
            return "it does not come to an end"
        finally:
            end(process)
    lines = [line for line in said if line.strip()]
    return (
        "" if lines == ["walled"] else "; ".join(line for line in lines[:3] if line != "walled") or "it does not start"
    )


@contextlib.contextmanager
def _target() -> Iterator[tuple[Place, Path, int]]:
    """A folder as commands get it, and what must stay out of reach: a file, and a listening port."""
    with (
        tempfile.TemporaryDirectory(prefix="redwell-shell-") as made,
        socket.create_server(("127.0.0.1", 0)) as listener,
    ):
        folder = Path(made) / "workspace"
        place = Place(folder, folder / "output", Path(made) / "scratch")
        for each in (folder, place.writable, place.scratch):
            each.mkdir()
        secret = Path(made) / "secret"
        secret.write_text("secret")
        yield place, secret, listener.getsockname()[1]
