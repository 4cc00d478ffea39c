"""Starts the process of a sandbox: the interpreter with nothing of ours in its environment, and a socket to speak over."""

from __future__ import annotations

import functools
import marshal
import os
import signal
import socket
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

# Loaded inside in this order. They import nothing but the standard library and each other.
_CONFINEMENT = ("landlock", "seccomp", "confine")
KERNEL = (*_CONFINEMENT, "guest_output", "guest_clock", "guest")
PROBES = (*_CONFINEMENT, "probes")

# All that the interpreter finds in its environment. -I would ignore PYTHONHASHSEED; -P and -s do the rest of its work.
ENVIRONMENT = {"LANG": "C.UTF-8", "PYTHONHASHSEED": "0", "TZ": "UTC"}
_OPTIONS = ("-P", "-s", "-S", "-B", "-X", "utf8")

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
        parts.append((full, compile(source, f"<{full}>", "exec", dont_inherit=True)))
    data = marshal.dumps(parts)
    return len(data).to_bytes(4, "big") + data


@dataclass(slots=True)
class Child:
    """A started process and our end of its socket."""

    process: subprocess.Popen[bytes]
    socket: socket.socket
    errors: int = -1  # what it wrote to standard error before it was ready
    _inside: int = field(default=-1)  # the interpreter under bwrap, as a process descriptor

    def signal(self, number: int) -> None:
        """Send a signal to the interpreter; nothing happens when it is gone."""
        try:
            if self._inside >= 0:
                signal.pidfd_send_signal(self._inside, number)
            else:
                self.process.send_signal(number)
        except ProcessLookupError:
            pass

    def kill(self) -> None:
        """Kill the interpreter and all that belongs to it, and wait until it is gone."""
        self.signal(signal.SIGKILL)
        if self._inside >= 0:
            # Its keeper sees it end and ends itself; killed first, it would leave the interpreter to be reaped by others.
            deadline = time.monotonic() + 1
            while self.process.poll() is None and time.monotonic() < deadline:
                time.sleep(0.001)
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def reason(self) -> str:
        """The last line that the process wrote to standard error before it was ready, empty when there is none."""
        if self.errors < 0:
            return ""
        try:
            text = os.read(self.errors, 65_536).decode("utf-8", "replace").strip()
        except BlockingIOError:
            return ""
        return text.splitlines()[-1] if text else ""

    def close(self) -> None:
        """Kill, and give back every descriptor."""
        self.kill()
        self.socket.close()
        for descriptor in (self.errors, self._inside):
            if descriptor >= 0:
                os.close(descriptor)
        self.errors = self._inside = -1


def start() -> Child:
    """Start the interpreter; it waits for a bundle."""
    ours, theirs = socket.socketpair()
    errors, their_errors = os.pipe()
    os.set_blocking(errors, False)
    command = [str(interpreter()), *_OPTIONS, "-c", _BOOT, str(theirs.fileno())]
    try:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=their_errors,
            env=ENVIRONMENT,
            cwd="/",
            pass_fds=(theirs.fileno(),),
            start_new_session=True,
        )
    except BaseException:
        ours.close()
        os.close(errors)
        raise
    finally:
        theirs.close()
        os.close(their_errors)
    ours.setblocking(False)
    return Child(process, ours, errors)
