"""How many calls go to an endpoint at once: fewer when it throttles, more again while it answers."""

from __future__ import annotations

import asyncio
import heapq
import itertools
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

_LONGEST_PAUSE = 300.0  # seconds; what a server asks beyond this is not believed


@dataclass(slots=True)
class Slot:
    """A place in front of an endpoint, held while a request is out."""

    taken: float
    throttled: bool = False
    retry_after: float | None = None

    def throttle(self, retry_after: float | None) -> None:
        """The endpoint refused this request for its rate (429)."""
        self.throttled = True
        self.retry_after = retry_after


class Limiter:
    """Additive increase, multiplicative decrease, for each endpoint by itself.

    It starts wide open at `most`; a 429 halves the width, once for all requests that were out at that moment, and each answer
    gives a little back. Retry-After closes the endpoint for everyone who wants to use it, not only for the call that was told.
    """

    def __init__(self, most: int = 16) -> None:
        self._most = most
        self._gates: dict[str, _Gate] = {}

    @asynccontextmanager
    async def slot(self, endpoint: str, *, first: bool = False) -> AsyncIterator[Slot]:
        gate = self._gates.setdefault(endpoint, _Gate(self._most))
        slot = await gate.enter(first)
        try:
            yield slot
        finally:
            gate.leave(slot)

    def width(self, endpoint: str) -> float:
        """How many requests may be out at once now."""
        gate = self._gates.get(endpoint)
        return float(self._most) if gate is None else gate.width


class _Gate:
    def __init__(self, most: int) -> None:
        self.width = float(most)
        self._most = most
        self._out = 0
        self._opens = 0.0
        self._cut = 0.0
        self._waiting: list[tuple[int, int, asyncio.Future[Slot]]] = []
        self._order = itertools.count()
        self._alarm: asyncio.TimerHandle | None = None

    async def enter(self, first: bool) -> Slot:
        future: asyncio.Future[Slot] = asyncio.get_running_loop().create_future()
        heapq.heappush(self._waiting, (0 if first else 1, next(self._order), future))
        self._serve()
        try:
            return await future
        except asyncio.CancelledError:
            if future.done() and not future.cancelled():
                self._out -= 1
            future.cancel()
            self._serve()
            raise

    def leave(self, slot: Slot) -> None:
        self._out -= 1
        now = time.monotonic()
        if slot.throttled:
            if slot.taken >= self._cut:  # later refusals of the same burst say nothing new
                self.width = max(1.0, self.width / 2)
                self._cut = now
            if slot.retry_after is not None:
                self._opens = max(self._opens, now + min(slot.retry_after, _LONGEST_PAUSE))
        else:
            self.width = min(float(self._most), self.width + 1 / self.width)
        self._serve()

    def _serve(self) -> None:
        while self._waiting:
            future = self._waiting[0][2]
            if future.done():
                heapq.heappop(self._waiting)
                continue
            pause = self._opens - time.monotonic()
            if pause > 0:
                self._wake_after(pause)
                return
            if self._out >= int(self.width):
                return
            heapq.heappop(self._waiting)
            self._out += 1
            future.set_result(Slot(time.monotonic()))

    def _wake_after(self, pause: float) -> None:
        loop = asyncio.get_running_loop()
        if self._alarm is None or self._alarm.cancelled() or self._alarm.when() <= loop.time():
            self._alarm = loop.call_later(pause, self._ring)

    def _ring(self) -> None:
        self._alarm = None
        self._serve()
