"""Starts the process of a sandbox: the interpreter behind its walls, with nothing of ours but a socket to speak over."""

from __future__ import annotations

import contextlib
import ctypes
import functools
import importlib.util
import json
import marshal
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import CodeType
from typing import Any

from redwell.sandbox import bwrap, confine, landlock
from redwell.sandbox.types import Backend, GuestModule, Policy

# Loaded inside in this order. They import nothing but the standard library and each other.
_CONFINEMENT = ("landlock", "seccomp", "confine")
KERNEL = (*_CONFINEMENT, "guest_output", "guest_clock", "guest")
PROBES = (*_CONFINEMENT, "probes")

# All that the interpreter finds in its environment. -I would ignore PYTHONHASHSEED; -P and -s do the rest of its work.
ENVIRONMENT = {"LANG": "C.UTF-8", "PYTHONHASHSEED": "0", "TZ": "UTC"}
_OPTIONS = ("-P", "-s", "-S", "-B", "-X", "utf8")

_PERSONALITY_QUERY, _ADDR_NO_RANDOMIZE = 0xFFFFFFFF, 0x0040000

# The programs come over the socket, compiled: no file of ours needs to be visible inside, and nothing is compiled twice.
_BOOT = """
import marshal, os, sys
def take(size):
    data = b""
    while len(data) < size:
        more = os.read(descriptor, size - len(data))
        if not more:
            os._exit(0)
        data += more
    return data
descriptor = int(sys.argv[1])
del sys.argv[1:]
for name, code in marshal.loads(take(int.from_bytes(take(4), "big"))):
    module = sys.modules[name] = type(sys)(name)
    if code is not None:
        exec(code, module.__dict__)
    parent, _, child = name.rpartition(".")
    if parent:
        setattr(sys.modules[parent], child, module)
module.main(descriptor)
"""


@functools.cache
def interpreter() -> Path:
    """The interpreter itself, not a link to it in a virtual environment."""
    base: str = getattr(sys, "_base_executable", "") or sys.executable
    return Path(base).resolve()


@functools.cache
def bundle(names: tuple[str, ...]) -> bytes:
    """The named modules of this package, compiled, with their length in front."""
    parts: list[tuple[str, object]] = [("redwell", None), ("redwell.sandbox", None)]
    for name in names:
        full = f"redwell.sandbox.{name}"
        source = Path(__file__).with_name(f"{name}.py").read_text(encoding="utf-8")
        parts.append((full, compiled(full, source, f"<{full}>")))
    return frame(marshal.dumps(parts))


def codes(modules: Iterable[GuestModule]) -> bytes:
    """The code of guest modules, in order, as a frame; None in it for one that does not compile, which the kernel then says in its own way."""
    found: list[CodeType | None] = []
    for module in modules:
        try:
            found.append(compiled(module.name, module.source, f"<module {module.name}>"))
        except (SyntaxError, ValueError):
            found.append(None)
    return frame(marshal.dumps(found))


def frame(data: bytes) -> bytes:
    """The data with its length in front, in four bytes."""
    return len(data).to_bytes(4, "big") + data


@functools.lru_cache(maxsize=64)
def compiled(name: str, source: str, filename: str) -> CodeType:
    """The code of a module; of a module of this package from the interpreter's cache beside its file, if that holds this very source."""
    spec = importlib.util.find_spec(name) if name.startswith("redwell.") else None
    loader = None if spec is None else spec.loader
    if isinstance(loader, SourceFileLoader):
        with contextlib.suppress(OSError, ImportError):
            if loader.get_source(name) == source and (code := loader.get_code(name)) is not None:
                return _renamed(code, filename)
    return compile(source, filename, "exec", dont_inherit=True)


def _renamed(code: CodeType, filename: str) -> CodeType:
    inner = tuple(_renamed(each, filename) if isinstance(each, CodeType) else each for each in code.co_consts)
    return code.replace(co_filename=filename, co_consts=inner)


@functools.cache
def interpreter_paths() -> tuple[Path, ...]:
    """All that the interpreter needs to see: itself, its standard library, shared libraries, time zones."""
    library = Path(os.__file__).resolve().parent
    prefixes = {Path(sys.base_prefix).resolve(), Path(sys.base_exec_prefix).resolve()}
    system = ("/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib", "/etc/ld.so.cache", "/usr/share/zoneinfo")
    return (*(Path(path) for path in system), *sorted(prefix / "lib" for prefix in prefixes), library, interpreter())


@dataclass(frozen=True, slots=True)
class Confinement:
    """The walls to raise: all of a backend's `required` but those named in `without`, so that tests can show that each is missed."""

    without: frozenset[str] = frozenset()


def required(backend: Backend) -> tuple[str, ...]:
    """The walls without which a sandbox of this backend must not run. Landlock is a second wall to bwrap where the kernel has it."""
    if backend == "bwrap":  # what Landlock's scope keeps apart, namespaces do; behind them it cannot be tried
        return (*confine.WALLS, *bwrap.WALLS, *(wall for wall in landlock.walls() if wall != "Landlock scope"))
    if backend == "landlock":
        return (*confine.WALLS, *landlock.walls())
    return ()


def missing(backend: Backend, inside: Mapping[str, bool], outside: Mapping[str, bool]) -> list[str]:
    """The required walls that do not stand, by what was measured inside and outside; one that both measured must stand by both."""
    return [name for name in required(backend) if not (inside.get(name, name in outside) and outside.get(name, True))]


def settings(policy: Policy, backend: Backend, confinement: Confinement) -> dict[str, Any]:
    """What the process inside is told about its walls."""
    return {
        "without": sorted(confinement.without),
        "confined": backend != "unsafe-local",
        "landlock": "Landlock files" in required(backend),
        "environment": [*ENVIRONMENT, "PWD"],  # bubblewrap sets the last
        "memory_bytes": policy.memory_bytes,
        "file_bytes": policy.file_bytes,
        "readable": [str(path) for path in (*interpreter_paths(), *policy.readable)],
    }


@dataclass(slots=True)
class Child:
    """A started process and our end of its socket."""

    process: subprocess.Popen[bytes]
    socket: socket.socket
    errors: int  # what it writes to standard error before it is ready
    information: int = -1  # where bubblewrap tells the interpreter's process number
    inside: int = -1  # the interpreter under bubblewrap, as a process descriptor
    number: int = 0  # and as a number, once it is known
    keeper: subprocess.Popen[bytes] | None = None  # ends what bubblewrap has begun when this process ends meanwhile

    def send(self, data: bytes) -> bytes:
        """Send without waiting; what could not be sent yet is returned."""
        try:
            return data[self.socket.send(data) :]
        except OSError:  # no room yet; or the process is gone already, which whoever reads will see
            return data

    def settle(self) -> dict[str, bool]:
        """Called when the process is ready: from now on signals go to the interpreter itself, not to its keeper.

        Returns for each wall that is measured from outside whether it stands.
        """
        if self.information < 0:
            return {}
        self.number = self.number or _child_number(self.information)
        self.inside = os.pidfd_open(self.number)
        self._dismiss_keeper()
        return bwrap.separate(self.number)

    def signal(self, number: int) -> None:
        """Send a signal to the interpreter; nothing happens when it is gone."""
        try:
            if self.inside >= 0:
                signal.pidfd_send_signal(self.inside, number)
            else:
                self.process.send_signal(number)
        except ProcessLookupError:
            pass

    def kill(self) -> None:
        """Kill the interpreter. Its keeper sees it end and ends by itself; killed first, it would leave the interpreter to others."""
        self.signal(signal.SIGKILL)

    def kill_all(self) -> None:
        """Kill everything that was started, and wait until it is gone."""
        if self.process.poll() is None:
            self.kill()
            os.killpg(os.getpgid(self.process.pid), signal.SIGKILL)
        self.process.wait()
        self._dismiss_keeper()

    def _dismiss_keeper(self) -> None:
        if self.keeper is not None:
            self.keeper.kill()
            self.keeper.communicate()
            self.keeper = None

    def reason(self) -> str:
        """The last line that the process wrote to standard error before it was ready, empty when there is none."""
        try:
            text = os.read(self.errors, 65_536).decode("utf-8", "replace").strip()
        except BlockingIOError:
            return ""
        return text.splitlines()[-1] if text else ""

    def close(self) -> None:
        """Kill what still runs, and give back every descriptor."""
        self.kill_all()
        self.socket.close()
        for descriptor in (self.errors, self.information, self.inside):
            if descriptor >= 0:
                os.close(descriptor)
        self.errors = self.information = self.inside = -1


def _child_number(information: int) -> int:
    """What bubblewrap tells, which comes in pieces. Raises ValueError when it ended before."""
    data = b""
    while not data.rstrip().endswith(b"}") and (more := os.read(information, 4096)):
        data += more
    return int(json.loads(data)["child-pid"])


@contextlib.contextmanager
def _repeatable_addresses() -> Iterator[None]:
    """What this thread starts gets the same memory layout each time.

    The order of a set of objects follows their addresses, so a replay could otherwise ask the host in another order. Nothing is
    lost: cells may run machine code of their own anyway. Where it is not allowed, the layout stays random.
    """
    if sys.platform != "linux":
        yield
        return
    libc = ctypes.CDLL(None)
    before = libc.personality(_PERSONALITY_QUERY)
    libc.personality(before | _ADDR_NO_RANDOMIZE)
    try:
        yield
    finally:
        libc.personality(before)


def _start_keeper() -> subprocess.Popen[bytes]:
    """A process that kills its group, which bubblewrap joins, once its standard input ends: when this process is gone.

    bubblewrap's second half waits for the first before it asks the kernel to end with it. A host killed in that moment would leave it
    waiting for ever.
    """
    return subprocess.Popen(
        ["/bin/sh", "-c", "read end; kill -9 0"],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={},
        cwd="/",
        process_group=0,
    )


def start(policy: Policy, backend: Backend, confinement: Confinement) -> Child:
    """Start the interpreter; it waits for a bundle on its socket. Raises OSError when it cannot be started."""
    ours, theirs = socket.socketpair()
    errors, their_errors = os.pipe()
    kept, passed = [errors], [their_errors]
    command = [str(interpreter()), *_OPTIONS, "-c", _BOOT, str(theirs.fileno())]
    without = confinement.without
    environment = None if "environment" in without else ENVIRONMENT
    information = go = their_go = -1
    if backend == "bwrap":
        information, their_information = os.pipe()
        kept.append(information)
        passed.append(their_information)
        if bwrap.exempt() and not {"user namespace", "capabilities"} & without:
            their_go, go = os.pipe()
            kept.append(go)
            passed.append(their_go)
        visible = (*interpreter_paths(), *policy.readable)
        command = bwrap.command(command, visible, environment, their_information, without, their_go)
    keeper = None
    try:
        if backend == "bwrap" and "end with the host" not in without:
            keeper = _start_keeper()
        with _repeatable_addresses():
            process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=their_errors,
                env=environment,
                cwd="/",
                pass_fds=(theirs.fileno(), *passed[1:], *((errors,) if "descriptors" in without else ())),
                # bubblewrap gives what it starts a session of its own
                start_new_session=keeper is None,
                process_group=None if keeper is None else keeper.pid,
            )
    except BaseException:
        ours.close()
        for descriptor in kept:
            os.close(descriptor)
        if keeper is not None:
            keeper.kill()
            keeper.communicate()
        raise
    finally:
        theirs.close()
        for descriptor in passed:
            os.close(descriptor)
    ours.setblocking(False)
    os.set_blocking(errors, False)
    child = Child(process, ours, errors, information, keeper=keeper)
    if go >= 0:
        # Where bubblewrap did not come that far there is no number; why not is told when it ends.
        with contextlib.suppress(ValueError, OSError):
            child.number = _child_number(information)
            bwrap.map_users(child.number)
            os.write(go, b"x")
        os.close(go)
    return child
