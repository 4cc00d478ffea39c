"""The kernel: runs cells in one namespace and speaks with the host. Runs inside the sandbox, standard library only.

Frames are a length of four bytes (big-endian) and that many bytes of JSON, on an inherited socket.

    from the host   {"kind": "boot", ...} and after it, once, a frame of the modules' code as `marshal` has it; {"kind": "run", "cell": n, "code": str, "clock": seconds},
                    {"kind": "answer", "value": any} or {..., "error": str} or {..., "interrupt": true}
    to the host     {"kind": "ready", "walls": {name: bool}, "error": str}, {"kind": "call", "name": str, "arguments": {...}},
                    {"kind": "done", "cell": n, "status": str, "output": str, "error": str, "dropped": int, "restored": [str]}

The host trusts nothing that comes from here: cells can reach everything in this process.
"""

from __future__ import annotations

import ast
import builtins
import json
import linecache
import marshal
import os
import signal
import sys
import threading
from types import CodeType, FrameType, ModuleType
from typing import TYPE_CHECKING, Any, NoReturn

from redwell.sandbox import confine, guest_clock
from redwell.sandbox.guest_output import Output, printable

if TYPE_CHECKING:
    import traceback

_KERNEL = "<redwell."  # the kernel's own files are compiled under names that begin like this
_ERROR_CHARS = 40_000
_LINE_CHARS = 160  # of a traceback's source; a list whose repr is longer is shown with a line for each item
_RETRY_SECONDS = 0.002
_CELL = "<cell "
_COROUTINE = 0x80  # inspect.CO_COROUTINE; importing inspect would cost more than the rest of the kernel
_ABSENT = object()


class HostError(Exception):
    """The host refused or could not answer a call; the message says why."""

    __module__ = "builtins"  # where it is defined tells a cell's author nothing


class Channel:
    """Frames over the socket. Functions are bound at once: a cell may replace those in their modules."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._read, self._write = os.read, os.write
        self._encode = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode
        self._decode = json.JSONDecoder().decode
        self._pending = bytearray()
        self.limit = 1 << 30  # until the host has said

    def encode(self, message: dict[str, Any]) -> bytes:
        return self._encode(message).encode("utf-8", "replace")

    def send(self, frame: bytes) -> None:
        rest = memoryview(len(frame).to_bytes(4, "big") + frame)
        while rest:
            rest = rest[self._write(self._descriptor, rest) :]

    def receive(self) -> dict[str, Any]:
        message: dict[str, Any] = self._decode(self.receive_bytes().decode("utf-8"))
        return message

    def receive_bytes(self) -> bytes:
        return self._take(int.from_bytes(self._take(4), "big"))

    def _take(self, size: int) -> bytes:
        while len(self._pending) < size:
            data = self._read(self._descriptor, max(65_536, size - len(self._pending)))
            if not data:
                os._exit(0)  # the host is gone
            self._pending += data
        taken = bytes(self._pending[:size])
        del self._pending[:size]
        return taken


class Kernel:
    """One namespace, the cells run in it, and the calls they make."""

    def __init__(self, channel: Channel, boot: dict[str, Any]) -> None:
        self._channel = channel
        self._output = Output(boot["output_chars"])
        self._clock = guest_clock.Clock(boot["clock"])
        sleep = guest_clock.install(self._clock, boot["seed"])
        # Only below these may a cell be interrupted: anywhere else in the kernel a frame could be left half written.
        self._interruptible = {function.__code__ for function in (self._step, self._show, sleep)}
        self._turn = threading.RLock()  # reentrant: a finalizer that calls the host may run while an answer is decoded
        self._running = False  # a cell runs
        self._open = False  # calls are answered
        self._interrupted = False  # the cell was, at least once
        self._deferred = False  # an interrupt waits until the kernel may be left
        self._asked = 0  # interrupts that the host sent to this cell
        self._main_thread = threading.get_ident()
        self._modules: set[str] = set()
        self._loop: Any = None
        main = ModuleType("__main__")
        sys.modules["__main__"] = main
        self._namespace = main.__dict__
        self._namespace["__builtins__"] = builtins
        self._own = {"__name__": "__main__", "__builtins__": builtins}
        self._reserved: dict[str, Any] = {"HostError": HostError}
        for name in ("exit", "quit"):
            setattr(builtins, name, _leave)
        self._take_over_streams()
        self._take_over_signals()

    def load(self, name: str, source: str, code: CodeType | None) -> None:
        """Run a guest module, compiled here if the host has not, and put the names of its `__all__` into the namespace of the cells."""
        filename = f"<module {name}>"
        _remember(filename, source)
        self._modules.add(filename)
        module = ModuleType(name)
        module.__dict__.update(host=self.host, HostError=HostError)
        sys.modules[name] = module
        self._open = True
        try:
            exec(code or compile(source, filename, "exec", dont_inherit=True), module.__dict__)
        finally:
            self._open = False
        for public in getattr(module, "__all__", ()):
            self._reserved[public] = getattr(module, public)

    def serve(self) -> NoReturn:
        self._namespace.update(self._reserved)
        while True:
            message = self._channel.receive()
            if message["kind"] == "run":
                self._clock.set(message["clock"])
                report = self._run(message["cell"], message["code"])
                with self._turn:  # a thread's call in flight is answered first
                    self._open = False
                    self._channel.send(report)

    def host(self, name: str, /, **arguments: Any) -> Any:
        """Ask the host and wait for its answer. Raises HostError with the host's reason."""
        frame = self._channel.encode({"kind": "call", "name": name, "arguments": arguments})
        if len(frame) > self._channel.limit:
            raise HostError(f"the call {name} is too long: {len(frame):,} bytes, the limit is {self._channel.limit:,}")
        with self._turn:
            if not self._open:
                raise HostError(f"{name}: the host answers only while a cell runs")
            self._channel.send(frame)
            answer = self._channel.receive()
        if answer.get("interrupt") or (self._deferred and threading.get_ident() == self._main_thread):
            self._strike(sys._getframe())
        if "error" in answer:
            raise HostError(answer["error"])
        return answer["value"]

    def _run(self, number: int, code: str) -> bytes:
        self._take_over_streams()
        self._interrupted = False
        self._deferred = False
        self._asked = 0
        self._open = self._running = True
        status, error = self._execute(code, f"<cell {number}>")
        self._running = False
        sys.settrace(None)
        signal.setitimer(signal.ITIMER_REAL, 0)
        self._take_over_signals()
        restored = self._restore()
        output, dropped = self._output.take()
        report = {
            "kind": "done",
            "cell": number,
            "status": status,
            "error": error,
            "dropped": dropped,
            "restored": restored,
        }
        frame = self._channel.encode({**report, "output": output})
        if len(frame) > self._channel.limit:
            report |= {"error": error or "", "dropped": dropped + len(output)}
            frame = self._channel.encode(
                {**report, "output": f"[{len(output):,} characters dropped: too long to send]"}
            )
        return frame

    def _execute(self, code: str, filename: str) -> tuple[str, str]:
        _remember(filename, code)
        try:
            parts = _parts(code, filename)
        except Exception as failure:  # not Python: where the parser stood says nothing
            return "error", self._describe(failure.with_traceback(None))
        try:
            for part in parts:
                value = self._step(part)
            if value is not None:
                self._output.write(self._show(value) + "\n")
        except KeyboardInterrupt as stop:
            if self._interrupted:
                stop.__context__ = None  # those that were swallowed before
                return "interrupted", self._describe(stop)
            return "error", self._describe(stop)
        except SystemExit as leave:
            return "error", self._describe(leave) + "A cell cannot end the session: only this cell ended here.\n"
        except BaseException as failure:
            return "error", self._describe(failure)
        return "ok", ""

    def _step(self, part: CodeType) -> Any:
        value = eval(part, self._namespace)
        if part.co_flags & _COROUTINE:
            import asyncio  # costly, and few cells await

            self._loop = self._loop or asyncio.new_event_loop()
            value = self._loop.run_until_complete(value)
        return value

    def _show(self, value: Any) -> str:
        """The repr; of a long list, tuple or dict with a line for each item. All in one function, so that it can be interrupted."""
        try:
            text = repr(value)
            if type(value) not in (list, tuple, dict) or len(text) <= _LINE_CHARS:
                return text
            lines = []
            for item in value:
                lines.append(f" {item!r}: {value[item]!r}," if type(value) is dict else f" {item!r},")
            return "\n".join((text[0], *lines, text[-1]))
        except ValueError:
            if type(value) is int:  # past the interpreter's limit on digits
                return f"<int of about {int(value.bit_length() * 0.30103) + 1:,} digits>"
            raise

    def _on_signal(self, number: int, frame: FrameType | None) -> None:
        if not self._running or (number == signal.SIGALRM and not self._deferred):
            return
        if number == signal.SIGINT:
            self._asked += 1
        inner = frame
        while frame is not None and not frame.f_code.co_filename.startswith(_KERNEL):
            frame = frame.f_back
        if frame is None or frame.f_code not in self._interruptible:
            self._deferred = True
            signal.setitimer(signal.ITIMER_REAL, _RETRY_SECONDS)
            return
        self._strike(inner)

    def _strike(self, frame: FrameType | None) -> NoReturn:
        """Raise KeyboardInterrupt. When the cell swallowed one before, the line in which it would swallow this one raises another."""
        self._interrupted = True
        self._deferred = False
        if self._asked > 1:
            while frame is not None:
                if frame.f_code.co_filename.startswith(_CELL):
                    frame.f_trace = self._insist
                frame = frame.f_back
            sys.settrace(self._insist)
        raise KeyboardInterrupt

    def _insist(self, frame: FrameType, event: str, _: object) -> Any:
        if not self._running or event != "line":
            return self._insist
        raise KeyboardInterrupt  # Python takes the tracing off with it

    def _restore(self) -> list[str]:
        self._namespace.update(self._own)
        changed = [name for name, value in self._reserved.items() if self._namespace.get(name, _ABSENT) is not value]
        self._namespace.update(self._reserved)
        return changed

    def _take_over_streams(self) -> None:
        sys.stdout = sys.stderr = sys.__stdout__ = sys.__stderr__ = self._output  # type: ignore[assignment,misc]

    def _take_over_signals(self) -> None:
        for number in (signal.SIGINT, signal.SIGALRM):
            signal.signal(number, self._on_signal)

    def _describe(self, failure: BaseException) -> str:
        """The traceback as the cell's author needs it: without the kernel and, once cells run, without the modules."""
        try:
            import traceback  # costly at the start of a session

            details = traceback.TracebackException(type(failure), failure, failure.__traceback__, compact=True)
            _hide(details, self._modules if self._running else set(), set())
            text = "".join(details.format() if details.stack else details.format_exception_only())
        except (MemoryError, RecursionError) as again:
            text = f"{type(failure).__name__} (its traceback could not be made: {type(again).__name__})\n"
        text = printable(text)
        if len(text) > _ERROR_CHARS:
            half = _ERROR_CHARS // 2
            text = f"{text[:half]}\n[... {len(text) - 2 * half:,} characters dropped ...]\n{text[-half:]}"
        return text


def _remember(filename: str, source: str) -> None:
    # Without a time of change the entry stays: tracebacks and inspect.getsource find the source there.
    linecache.cache[filename] = (len(source), None, source.splitlines(keepends=True), filename)


def _parts(code: str, filename: str) -> list[CodeType]:
    """The statements, and after them the trailing expression, so that its value can be shown; all compiled before any of it runs."""
    tree = ast.parse(code, filename)
    flags = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
    last: ast.Expr | None = None
    if tree.body and isinstance(tree.body[-1], ast.Expr):
        last = tree.body.pop()  # type: ignore[assignment]
    parts: list[CodeType] = [compile(tree, filename, "exec", flags, dont_inherit=True)]
    if last is not None:
        parts.append(compile(ast.Expression(last.value), filename, "eval", flags, dont_inherit=True))
    return parts


def _hide(details: traceback.TracebackException, files: set[str], seen: set[int]) -> None:
    if id(details) in seen:
        return
    seen.add(id(details))
    details.stack[:] = [
        _cut(frame) for frame in details.stack if not frame.filename.startswith(_KERNEL) and frame.filename not in files
    ]
    for other in (details.__cause__, details.__context__, *(getattr(details, "exceptions", None) or ())):
        if other is not None:
            _hide(other, files, seen)


def _cut(frame: traceback.FrameSummary) -> traceback.FrameSummary:
    """A frame whose line of source is long, with the beginning of it and no marks under it."""
    line = frame.line or ""
    if len(line) <= _LINE_CHARS:
        return frame
    import traceback

    return traceback.FrameSummary(
        frame.filename, frame.lineno, frame.name, lookup_line=False, line=line[:_LINE_CHARS] + " ..."
    )


def _leave(code: object = None) -> NoReturn:
    raise SystemExit(code)


def main(descriptor: int) -> NoReturn:
    """Confine this process as the host says, load the guest modules, and serve cells until the host hangs up."""
    channel = Channel(descriptor)
    boot = channel.receive()
    codes = marshal.loads(channel.receive_bytes())  # from the host, before any cell
    channel.limit = boot["frame_bytes"]
    walls = confine.apply(boot["confinement"], descriptor)
    for stream in (1, 2):  # until here they told the host why a start failed
        os.dup2(0, stream)
    kernel = Kernel(channel, boot)
    error = ""
    for module, code in zip(boot["modules"], codes, strict=True):
        try:
            kernel.load(module["name"], module["source"], code)
        except Exception as failure:
            error = f"the guest module {module['name']} failed:\n{kernel._describe(failure)}"
            break
    for name in [name for name in sys.modules if name.partition(".")[0] == "redwell"]:
        del sys.modules[name]
    channel.send(channel.encode({"kind": "ready", "walls": walls, "error": error}))
    kernel.serve()
