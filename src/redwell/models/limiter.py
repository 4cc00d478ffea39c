"""How many calls go to an endpoint at once: fewer when it throttles, more again while it answers."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass
from types import TracebackType

from redwell.models.gate import Gate

_LONGEST_PAUSE = 300.0  # seconds that an endpoint is closed at most
_BELIEVED = 900.0  # whoever asks for more seconds closes nothing: the call that was told so fails, the others try


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
        self._most = float(most)
        self._endpoints: dict[str, _Endpoint] = {}

    def slot(self, endpoint: str, *, first: bool = False) -> _Taking:
        """`async with limiter.slot(endpoint) as slot:` is held while a request is out."""
        state = self._endpoints.get(endpoint)
        if state is None:
            state = self._endpoints[endpoint] = _Endpoint(Gate(self._most), self._most)
        return _Taking(self, state, first)

    def narrow(self, endpoint: str, most: int) -> None:
        """No more than `most` requests to this endpoint at once, whatever it answers: a model on this machine has so many places."""
        narrow = float(max(1, min(most, self._most)))
        self._endpoints[endpoint] = _Endpoint(Gate(narrow), narrow)

    def width(self, endpoint: str) -> float:
        """How many requests may be out at once now."""
        state = self._endpoints.get(endpoint)
        return self._most if state is None else state.gate.width

    def learn(self, state: _Endpoint, slot: Slot) -> None:
        """What a request's end says of the endpoint."""
        gate = state.gate
        if not slot.throttled:
            gate.width = min(state.most, gate.width + 1 / gate.width)
            return
        now = time.monotonic()
        if slot.taken >= state.cut:  # later refusals of the same burst say nothing new
            gate.width = max(1.0, gate.width / 2)
            state.cut = now
        if slot.retry_after is not None and 0 < slot.retry_after <= _BELIEVED:
            state.opens = max(state.opens, now + min(slot.retry_after, _LONGEST_PAUSE))
            gate.closed = True
            asyncio.get_running_loop().call_later(state.opens - now, state.open_if_due)


class _Taking:
    __slots__ = ("_first", "_limiter", "_slot", "_state")

    def __init__(self, limiter: Limiter, state: _Endpoint, first: bool) -> None:
        self._limiter = limiter
        self._state = state
        self._first = first

    async def __aenter__(self) -> Slot:
        await self._state.gate.enter(self._first)
        self._slot = Slot(time.monotonic())
        return self._slot

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            self._limiter.learn(self._state, self._slot)
        finally:
            self._state.gate.leave()


@dataclass(slots=True)
class _Endpoint:
    gate: Gate
    most: float
    opens: float = 0.0
    cut: float = 0.0

    def open_if_due(self) -> None:
        """Called once for each pause; only the last of them opens."""
        left = self.opens - time.monotonic()
        if left > 0:
            asyncio.get_running_loop().call_later(left, self.open_if_due)
            return
        self.gate.closed = False
        self.gate.serve()
