"""Bodies of answers as they come in: unpacked a little at a time, so that no more is held than whoever reads them has asked for."""

from __future__ import annotations

import importlib
import zlib
from collections.abc import AsyncIterator, Callable, Coroutine
from typing import Any

from redwell.models.types import CallFailed

_PIECE = 64 << 10
_LONGEST_REFUSAL = 64 << 10  # of an answer that only says what is wrong, more than this is never looked at
_WINDOWS = {"gzip": 31, "x-gzip": 31, "deflate": 47}
Hook = Callable[[Any], Coroutine[Any, Any, None]]


async def bound_body(response: Any) -> None:
    """A response hook of an HTTP client: puts a bounded body in the place of the response's own.

    A packed body (nobody asks for one, some gateways send one) is unpacked in pieces of 64 KiB, so that a bomb is noticed by who
    counts them; one packed twice or in another way is refused. An answer with an error's status ends after 64 KiB.
    """
    packing = response.headers.get("content-encoding", "identity").strip().lower()
    if packing not in ("", "identity"):
        del response.headers["content-encoding"]  # what the pieces hold is no longer packed
    base = importlib.import_module(type(response).__module__.partition(".")[0]).AsyncByteStream
    most = None if response.is_success else _LONGEST_REFUSAL
    response.stream = _of(base)(response.stream, packing, most)


_classes: dict[type, type] = {}


def _of(base: type) -> type:
    """The HTTP library looks at the class of a stream, and the SDKs do not agree on the library."""
    if base not in _classes:
        _classes[base] = type("Bounded", (_Bounded, base), {})
    return _classes[base]


class _Bounded:
    def __init__(self, stream: Any, packing: str, most: int | None) -> None:
        self._stream = stream
        self._packing = packing
        self._most = most

    async def __aiter__(self) -> AsyncIterator[bytes]:
        size = 0
        async for piece in self._unpacked():
            size += len(piece)
            yield piece
            if self._most is not None and size >= self._most:
                return

    async def aclose(self) -> None:
        await self._stream.aclose()

    async def _unpacked(self) -> AsyncIterator[bytes]:
        if self._packing in ("", "identity"):
            async for piece in self._stream:
                yield piece
            return
        if self._packing not in _WINDOWS:
            raise CallFailed("malformed", f"the answer is packed as {self._packing[:40]!r}, which was not asked for")
        unpack = zlib.decompressobj(_WINDOWS[self._packing])
        try:
            async for piece in self._stream:
                yield unpack.decompress(piece, _PIECE)
                while unpack.unconsumed_tail:
                    yield unpack.decompress(unpack.unconsumed_tail, _PIECE)
        except zlib.error:
            raise CallFailed("malformed", "the answer's packing is damaged") from None
        if not unpack.eof:
            raise CallFailed("connection", "the packed answer ended before it was whole")
