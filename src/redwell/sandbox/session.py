"""The host's side of a sandbox: starts it, runs cells in it, answers its calls, and stops what does not stop by itself.

Everything that comes from inside is untrusted: a frame that is too long, is not JSON or has the wrong shape ends the session.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import json
import logging
import math
import re
import signal
from collections.abc import Iterator, Sequence
from typing import Any, NoReturn

from redwell.sandbox import launch, selftest
from redwell.sandbox.launch import Confinement
from redwell.sandbox.types import (
    Backend,
    CellResult,
    CellStatus,
    GuestModule,
    Handler,
    HostRefusal,
    Policy,
    SandboxUnavailable,
)

_log = logging.getLogger(__name__)

_START_SECONDS = 20.0
_REAP_SECONDS = 1.0
_GRACE_SECONDS = 2.0
_REPEAT_SECONDS = 0.1
_LONE_SURROGATE = re.compile(rb"\\u[dD][89a-fA-F]")
_CELL_STATUSES: tuple[CellStatus, ...] = ("ok", "error", "interrupted")


class _Ended(Exception):
    """The session is over; the message says why."""


class Sandbox:
    """One Python session. Not to be used by two tasks at once, except for `interrupt` and `close`."""

    def __init__(self, policy: Policy, child: launch.Child, backend: Backend, confinement: Confinement) -> None:
        self.backend = backend
        self._policy = policy
        self._confinement = confinement
        self._handler: Handler = _nobody
        self._child = child
        self._unsent = child.send(launch.bundle(launch.KERNEL))
        self._clock = _CellClock(child)
        self._cell = 0
        self._running = False
        self._ended = ""  # why, once it is over
        self._answering: asyncio.Future[Any] | None = None
        self._interrupted = False
        self._reader: asyncio.StreamReader
        self._writer: asyncio.StreamWriter | None = None

    @classmethod
    async def start(
        cls, policy: Policy, modules: Sequence[GuestModule], handler: Handler, backend: Backend | str = "auto"
    ) -> Sandbox:
        """Start a session and load `modules` into it.

        Raises SandboxUnavailable when no backend, or not the one named, holds; RuntimeError when a guest module fails.
        """
        return await cls._start(policy, modules, handler, selftest.choose(backend), Confinement())

    @classmethod
    def begin(cls, policy: Policy, backend: Backend | str = "auto") -> Sandbox:
        """Start the process of a session and return while it gets ready; `load` must follow, or `close`. Raises SandboxUnavailable."""
        return cls._begin(policy, selftest.choose(backend), Confinement())

    async def load(self, modules: Sequence[GuestModule], handler: Handler) -> None:
        """Load `modules` into a session that was begun. Raises as `start` does, and the session is then closed."""
        self._handler = handler
        try:
            await self._open(modules, launch.settings(self._policy, self.backend, self._confinement))
        except BaseException:
            await self.close()
            raise

    @classmethod
    async def _start(
        cls,
        policy: Policy,
        modules: Sequence[GuestModule],
        handler: Handler,
        backend: Backend,
        confinement: Confinement,
    ) -> Sandbox:
        sandbox = cls._begin(policy, backend, confinement)
        await sandbox.load(modules, handler)
        return sandbox

    @classmethod
    def _begin(cls, policy: Policy, backend: Backend, confinement: Confinement) -> Sandbox:
        for path in policy.readable:
            if not path.exists():
                raise SandboxUnavailable(f"{path} cannot be shown in the sandbox: there is no such file")
        try:
            child = launch.start(policy, backend, confinement)
        except OSError as error:
            raise SandboxUnavailable(f"the sandbox did not start: {error}") from None
        return cls(policy, child, backend, confinement)

    async def run(self, code: str, clock: float | None = None, number: int | None = None) -> CellResult:
        """Run one cell. It sees `clock`, in seconds since the epoch, as the time; by default a second more than the last cell's.

        Tracebacks call it `<cell number>`; by default that is one more than the last cell's. Never raises for what the code does. After
        a result whose status is `killed` every further one is `killed` too.
        """
        if self._running:
            raise RuntimeError("a cell is running")
        if self._ended:
            return CellResult("killed", "", f"The session has ended: {self._ended}\n")
        self._cell = self._cell + 1 if number is None else number
        if clock is None:
            clock = self._policy.clock_start + self._cell
        self._running = True
        self._interrupted = False
        self._clock.reset(self._policy.soft_seconds, self._policy.hard_seconds)
        try:
            message = {"kind": "run", "cell": self._cell, "code": code, "clock": clock}
            return self._result(await self._serve(message, "done"))
        except _Ended as end:
            await self._end(str(end))
            return CellResult("killed", "", f"The session was ended: {self._ended}\n", seconds=self._clock.used)
        except BaseException:
            # Whoever waited for the cell is gone; the session cannot be brought back in step.
            await self._end("the run was cancelled")
            raise
        finally:
            self._clock.stop()
            self._running = False

    def interrupt(self) -> None:
        """Interrupt the running cell, also when it waits for the host; its state is kept."""
        if not self._running:
            return
        self._interrupted = True
        if self._answering is not None:
            self._answering.cancel()
        else:
            self._child.signal(signal.SIGINT)

    async def close(self) -> None:
        """End the session: no process and no descriptor of it is left. May be called again."""
        await self._end(self._ended or "it was closed")

    async def _open(self, modules: Sequence[GuestModule], confinement: dict[str, Any]) -> None:
        self._reader, self._writer = await asyncio.open_unix_connection(sock=self._child.socket, limit=1 << 20)
        boot = {
            "kind": "boot",
            "confinement": confinement,
            "modules": [{"name": module.name, "source": module.source} for module in modules],
            "seed": self._policy.seed,
            "clock": self._policy.clock_start,
            "output_chars": self._policy.output_chars,
            "frame_bytes": self._policy.frame_bytes,
        }
        self._clock.reset(_START_SECONDS, 0.0)
        try:
            self._writer.write(self._unsent)
            ready = await self._serve(boot, "ready", launch.codes(modules))
        except _Ended as end:
            raise SandboxUnavailable(f"the sandbox did not start: {self._child.reason() or end}") from None
        finally:
            self._clock.stop()
        missing = launch.missing(self.backend, ready["walls"], self._child.settle())
        if missing:
            raise SandboxUnavailable(f"the sandbox {self.backend} started without these walls: {', '.join(missing)}")
        if ready.get("error"):
            raise RuntimeError(_text(ready, "error"))

    async def _serve(self, message: dict[str, Any], until: str, after: bytes = b"") -> dict[str, Any]:
        """Send a message, and frames to come right `after` it, and answer calls until a frame of kind `until` arrives. The clock stands still while the host works."""
        self._clock.go()
        await self._send(_encode(message), after)
        while True:
            frame = await self._receive()
            self._clock.stop()
            if frame["kind"] == until:
                return frame
            if frame["kind"] != "call":
                raise _Ended("it sent a frame of an unknown kind")
            answer = await self._answer(_text(frame, "name"), frame.get("arguments"))
            self._clock.go()
            await self._send(answer)

    async def _answer(self, name: str, arguments: Any) -> bytes:
        if not isinstance(arguments, dict):
            raise _Ended("it sent a call without arguments")
        self._answering = asyncio.ensure_future(self._handler(name, arguments))
        try:
            frame = _encode({"kind": "answer", "value": await self._answering})
        except HostRefusal as refusal:
            return _encode({"kind": "answer", "error": str(refusal)})
        except asyncio.CancelledError:
            if not self._answering.cancelled():
                raise
            if self._ended:
                raise _Ended(self._ended) from None
            if self._interrupted:
                return _encode({"kind": "answer", "interrupt": True})
            raise
        except Exception:
            _log.exception("the host call %s failed", name)
            return _encode({"kind": "answer", "error": f"{name}: the host could not answer this call"})
        finally:
            self._answering = None
        if len(frame) > self._policy.frame_bytes:
            size, limit = len(frame), self._policy.frame_bytes
            return _encode(
                {"kind": "answer", "error": f"{name}: the answer is too long: {size:,} bytes, the limit is {limit:,}"}
            )
        return frame

    def _result(self, frame: dict[str, Any]) -> CellResult:
        status: Any = frame.get("status")
        dropped: Any = frame.get("dropped")
        restored: Any = frame.get("restored")
        well_formed = (
            frame.get("cell") == self._cell
            and status in _CELL_STATUSES
            and type(dropped) is int
            and isinstance(restored, list)
            and all(isinstance(name, str) for name in restored)
        )
        if not well_formed:
            raise _Ended("it sent a result of the wrong shape")
        output, error = _text(frame, "output"), _text(frame, "error")
        return CellResult(status, output, error, max(0, dropped), self._clock.used, tuple(restored))

    async def _send(self, frame: bytes, after: bytes = b"") -> None:
        assert self._writer is not None
        try:
            self._writer.write(launch.frame(frame) + after)
            await self._writer.drain()
        except OSError:
            await self._gone()

    async def _receive(self) -> dict[str, Any]:
        try:
            size = int.from_bytes(await self._reader.readexactly(4), "big")
            if size > self._policy.frame_bytes:
                raise _Ended(f"it sent a frame of {size:,} bytes; the limit is {self._policy.frame_bytes:,}")
            return _decode(await self._reader.readexactly(size))
        except (asyncio.IncompleteReadError, OSError):
            await self._gone()

    async def _gone(self) -> NoReturn:
        await self._reap()
        raise _Ended(self._clock.why_killed or self._how_it_died())

    async def _reap(self) -> None:
        """Wait until the process, killed or dying, is gone; what does not go in time is left to Child.close."""
        loop = asyncio.get_running_loop()
        deadline = loop.time() + _REAP_SECONDS
        while self._child.process.poll() is None and loop.time() < deadline:
            await asyncio.sleep(0.001)

    def _how_it_died(self) -> str:
        code = self._child.process.poll()
        if code is None:
            return "its process closed the connection"
        number = -code if code < 0 else code - 128
        if number == signal.SIGKILL:
            return "its process was killed"
        try:
            return f"its process died of {signal.Signals(number).name}"
        except ValueError:
            return f"its process ended by itself with code {code}"

    async def _end(self, why: str) -> None:
        self._ended = self._ended or why
        self._clock.stop()
        if self._answering is not None:
            self._answering.cancel()
        try:
            self._child.kill()
            await self._reap()
            if self._writer is not None:
                self._writer.close()
                with contextlib.suppress(OSError):
                    await self._writer.wait_closed()
        finally:
            self._child.close()


async def _nobody(name: str, arguments: dict[str, Any]) -> Any:
    raise HostRefusal(f"{name}: nobody answers yet")


class _CellClock:
    """The time that a cell has used. It runs only while the cell does; past the soft limit it interrupts, past the hard one it kills."""

    def __init__(self, child: launch.Child) -> None:
        self._child = child
        self._timer: asyncio.TimerHandle | None = None
        self.reset(0.0, 0.0)

    def reset(self, soft: float, hard: float) -> None:
        """Begin anew: interrupt after `soft` seconds, kill `hard` seconds later."""
        self._soft, self._hard = soft, hard
        self._due = soft
        self._interrupts = 0
        self._since = 0.0
        self._before = 0.0
        self.why_killed = ""

    @property
    def used(self) -> float:
        """Seconds that the cell has run for."""
        if self._timer is None:
            return self._before
        return self._before + asyncio.get_running_loop().time() - self._since

    def go(self) -> None:
        loop = asyncio.get_running_loop()
        self._since = loop.time()
        self._timer = loop.call_later(max(0.0, self._due - self._before), self._expire)

    def stop(self) -> None:
        if self._timer is not None:
            self._before = self.used
            self._timer.cancel()
            self._timer = None

    def _expire(self) -> None:
        self.stop()
        if self._before >= self._soft + self._hard:
            limit = f"its limit of {self._soft:g} s"
            self.why_killed = (
                f"the cell went on for {self._hard:g} s after {limit}" if self._hard else f"it took longer than {limit}"
            )
            self._child.signal(signal.SIGKILL)
            return
        self._child.signal(signal.SIGINT)
        # A cell that swallows its first interrupt gets more of them, after time enough to tidy up.
        self._interrupts += 1
        pause = min(_GRACE_SECONDS, self._hard / 2) if self._interrupts == 1 else _REPEAT_SECONDS
        self._due = min(self._before + pause, self._soft + self._hard)
        self.go()


def _encode(message: dict[str, Any]) -> bytes:
    # ASCII, so that lone surrogates in what the host sends survive the way.
    return json.dumps(message, allow_nan=False, separators=(",", ":")).encode("ascii")


def _decode(data: bytes) -> dict[str, Any]:
    try:
        with _no_collection():
            frame = json.loads(data.decode("utf-8"), parse_constant=_refuse_constant, parse_float=_finite)
        if _LONE_SURROGATE.search(data):
            frame = _clean(frame)
    except (ValueError, RecursionError):
        raise _Ended("it sent a frame that is not JSON") from None
    if not isinstance(frame, dict) or not isinstance(frame.get("kind"), str):
        raise _Ended("it sent a frame of the wrong shape")
    return frame


@contextlib.contextmanager
def _no_collection() -> Iterator[None]:
    """Millions of small lists in one frame would be looked through again and again while they are made."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(name)


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):  # 1e999
        raise ValueError(text)
    return number


def _clean(value: Any) -> Any:
    """The value without lone surrogates, which no file or database would take."""
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode("utf-8")
    if isinstance(value, list):
        return [_clean(item) for item in value]
    if isinstance(value, dict):
        return {_clean(key): _clean(item) for key, item in value.items()}
    return value


def _text(frame: dict[str, Any], field: str) -> str:
    value = frame.get(field)
    if not isinstance(value, str):
        raise _Ended(f"it sent a frame without {field}")
    return value
