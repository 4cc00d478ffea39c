"""What cells print: standard output and error in the order written, up to a limit. Runs inside the sandbox, standard library only."""

from __future__ import annotations

import io
import threading
from collections import deque


class Output(io.TextIOBase):
    """The stream behind `sys.stdout` and `sys.stderr`.

    Of more than `limit` characters the first and the last half are kept, because errors tend to be printed last; what lies
    between is counted and dropped, so that a cell that prints without end costs no memory.
    """

    def __init__(self, limit: int) -> None:
        self._head_limit = limit - limit // 2
        self._tail_limit = max(1, limit // 2)
        # Reentrant: a finalizer that prints may run while this thread is inside write().
        self._lock = threading.RLock()
        self._bytes = _Bytes(self)
        self._clear()

    def _clear(self) -> None:
        self._head: list[str] = []
        self._head_size = 0
        self._tail: deque[str] = deque()
        self._tail_size = 0
        self._written = 0

    def write(self, text: str) -> int:
        if not isinstance(text, str):
            raise TypeError(f"write() argument must be str, not {type(text).__name__}")
        with self._lock:
            self._written += len(text)
            free = self._head_limit - self._head_size
            if free > 0:
                self._head.append(text[:free])
                self._head_size += min(free, len(text))
            rest = text[max(0, free) :]
            if rest:
                rest = rest[-self._tail_limit :]
                self._tail.append(rest)
                self._tail_size += len(rest)
                while self._tail_size - len(self._tail[0]) >= self._tail_limit:
                    self._tail_size -= len(self._tail.popleft())
        return len(text)

    def take(self) -> tuple[str, int]:
        """What was written since the last call, lone surrogates escaped, and the number of characters dropped from its middle."""
        with self._lock:
            head, tail = "".join(self._head), "".join(self._tail)[-self._tail_limit :]
            dropped = self._written - len(head) - len(tail)
            self._clear()
        text = f"{head}\n[... {dropped:,} characters dropped ...]\n{tail}" if dropped else head + tail
        return printable(text), dropped

    def writable(self) -> bool:
        return True

    def close(self) -> None:
        """A cell that closes its standard output can still print afterwards."""

    @property
    def buffer(self) -> io.RawIOBase:
        return self._bytes

    @property
    def encoding(self) -> str:  # type: ignore[override]
        return "utf-8"

    @property
    def errors(self) -> str:  # type: ignore[override]
        return "backslashreplace"


class _Bytes(io.RawIOBase):
    """`sys.stdout.buffer`: bytes are shown as UTF-8, undecodable ones escaped."""

    def __init__(self, output: Output) -> None:
        self._output = output

    def write(self, data: object) -> int:
        content = bytes(data)  # type: ignore[call-overload]
        self._output.write(content.decode("utf-8", "backslashreplace"))
        return len(content)

    def writable(self) -> bool:
        return True

    def close(self) -> None:
        """As for the text stream."""


def printable(text: str) -> str:
    """The text with lone surrogates escaped, so that it can be stored as UTF-8."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")
