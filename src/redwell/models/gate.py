"""A gate that lets a number of tasks through at once, the root's own first."""

from __future__ import annotations

import asyncio
import heapq
import itertools
from types import TracebackType


class Gate:
    """At most `width` tasks are inside; the rest wait in order, those that entered with `first` before the others.

    `width` may be changed at any time; tasks that are inside stay. While `closed` is True nobody enters; whoever opens the gate
    again calls `serve`.
    """

    def __init__(self, width: float) -> None:
        self.width = width
        self.closed = False
        self.inside = 0
        self._waiting: list[tuple[int, int, asyncio.Future[None]]] = []
        self._order = itertools.count()

    def through(self, *, first: bool = False) -> _Passage:
        """`async with gate.through():` holds a place."""
        return _Passage(self, first)

    async def enter(self, first: bool) -> None:
        if not self._waiting and self._has_room():
            self.inside += 1
            return
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        heapq.heappush(self._waiting, (0 if first else 1, next(self._order), future))
        self.serve()
        try:
            await future
        except asyncio.CancelledError:
            if future.done() and not future.cancelled():
                self.inside -= 1
            future.cancel()
            self.serve()
            raise

    def leave(self) -> None:
        self.inside -= 1
        self.serve()

    def serve(self) -> None:
        """Lets in whom there is room for."""
        while self._waiting:
            future = self._waiting[0][2]
            if not future.done():
                if not self._has_room():
                    return
                self.inside += 1
                future.set_result(None)
            heapq.heappop(self._waiting)

    def _has_room(self) -> bool:
        return not self.closed and self.inside < int(self.width)


class _Passage:
    __slots__ = ("_first", "_gate")

    def __init__(self, gate: Gate, first: bool) -> None:
        self._gate = gate
        self._first = first

    async def __aenter__(self) -> None:
        await self._gate.enter(self._first)

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._gate.leave()
