"""One pool for a whole tree of runs: taken from before a call is sent, settled after it."""

from __future__ import annotations

import asyncio
import heapq
import itertools
import math
import time
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass

from redwell.models.gate import Gate
from redwell.models.types import CallFailed

_NANO = 1_000_000_000  # money is counted in whole billionths of a dollar, so that sums come back to exactly zero


@dataclass(frozen=True, slots=True)
class Spent:
    """What was used so far. `dollars` counts an estimate where a server did not say; `seconds` is the time of the run."""

    dollars: float
    tokens: int
    calls: int
    seconds: float


@dataclass(slots=True)
class Reservation:
    """What one call may cost at most. Must be given to `settle` or `release` once; a second time does nothing."""

    tokens: int
    nanodollars: int
    open: bool = True

    @property
    def dollars(self) -> float:
        return self.nanodollars / _NANO


class Budget:
    """Caps of a run tree in US dollars, tokens, calls, seconds and calls at the same time; None is no cap.

    Every request that is sent counts as a call, repeated ones too. A reservation that would fit if the calls in flight cost less
    than they may waits for them; one that cannot fit any more is refused with CallFailed("budget"). So no cap is passed unless a
    server bills more for a call than was reserved for it.
    """

    def __init__(
        self,
        dollars: float | None = None,
        tokens: int | None = None,
        calls: int | None = None,
        seconds: float | None = None,
        concurrency: int = 16,
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        for name, cap in (("dollars", dollars), ("tokens", tokens), ("calls", calls), ("seconds", seconds)):
            if cap is not None and not (math.isfinite(cap) and cap >= 0):
                raise ValueError(f"a budget's {name} must be a number from 0 up, not {cap}")
        if concurrency < 1:
            raise ValueError(f"a budget's concurrency must be 1 or more, not {concurrency}")
        self.dollars = dollars
        self.tokens = tokens
        self.calls = calls
        self.seconds = seconds
        self.concurrency = concurrency
        self._clock = clock
        self._started = clock()
        self._seconds_before = 0.0
        self._spent_nano = 0
        self._spent_tokens = 0
        self._spent_calls = 0
        self._held_nano = 0
        self._held_tokens = 0
        self._active = 0
        self._refusal = ""
        self._waiting: list[tuple[int, int, int, int, asyncio.Future[Reservation]]] = []
        self._places = Gate(concurrency)
        self._order = itertools.count()
        self._restored: set[str] = set()

    async def reserve(self, *, tokens: int = 0, dollars: float | None = 0.0, first: bool = False) -> Reservation:
        """Waits for enough of every cap; `first` goes before the others that wait (the root's own calls).

        `dollars` None means that the price is not known: refused when dollars are capped. Raises CallFailed("budget").
        """
        nano = _nano(dollars or 0.0)
        if dollars is None and self.dollars is not None:
            raise self._refuse(
                "the price of this model is not known, so a cap in dollars cannot be kept: give its price or take the cap away"
            )
        if not self._waiting and not self._hopeless(tokens, nano) and not self._must_wait(tokens, nano):
            return self._take(tokens, nano)
        future: asyncio.Future[Reservation] = asyncio.get_running_loop().create_future()
        heapq.heappush(self._waiting, (0 if first else 1, next(self._order), tokens, nano, future))
        self._serve()
        try:
            async with asyncio.timeout(self.seconds_left()):
                return await future
        except TimeoutError:
            self._give_up(future)
            raise self.time_is_up() from None
        except asyncio.CancelledError:
            self._give_up(future)
            raise

    def place(self, *, first: bool = False) -> AbstractAsyncContextManager[None]:
        """`async with budget.place():` is held while a request is out: never more at once than `concurrency`, in the whole tree."""
        return self._places.through(first=first)

    def settle(self, reservation: Reservation, *, tokens: int | None = None, dollars: float | None = None) -> None:
        """The call is over and cost this; None counts all that was reserved (nobody knows what a call that was lost has cost)."""
        if not reservation.open:
            return
        self._close(reservation)
        self._spent_calls += 1
        self._spent_tokens += reservation.tokens if tokens is None else tokens
        self._spent_nano += reservation.nanodollars if dollars is None else _nano(dollars)
        self._serve()

    def release(self, reservation: Reservation) -> None:
        """The call was never sent: all of it goes back."""
        if reservation.open:
            self._close(reservation)
            self._serve()

    def restore(self, name: str, *, dollars: float, tokens: int, calls: int, seconds: float) -> None:
        """Counts what an earlier process spent on the run of that name; a second time for the same name does nothing."""
        if name in self._restored:
            return
        self._restored.add(name)
        self._spent_nano += _nano(dollars)
        self._spent_tokens += tokens
        self._spent_calls += calls
        self._seconds_before += seconds

    @property
    def spent(self) -> Spent:
        return Spent(self._spent_nano / _NANO, self._spent_tokens, self._spent_calls, self._elapsed())

    @property
    def reserved(self) -> Spent:
        """What the calls in flight may cost at most."""
        return Spent(self._held_nano / _NANO, self._held_tokens, self._active, 0.0)

    def remaining(self) -> dict[str, float | None]:
        """What new calls may still use: caps less what was spent and what calls in flight hold; None where there is no cap."""
        return {
            "dollars": None
            if self.dollars is None
            else max(0, _nano(self.dollars) - self._spent_nano - self._held_nano) / _NANO,
            "tokens": None if self.tokens is None else max(0, self.tokens - self._spent_tokens - self._held_tokens),
            "calls": None if self.calls is None else max(0, self.calls - self._spent_calls - self._active),
            "seconds": self.seconds_left(),
        }

    def seconds_left(self) -> float | None:
        """Of the run's time; None without a cap."""
        return None if self.seconds is None else max(0.0, self.seconds - self._elapsed())

    def time_is_up(self) -> CallFailed:
        """The failure of a call that waited until the run's time was over."""
        return self._refuse(self._time_is_up())

    @property
    def prices_matter(self) -> bool:
        """Whether a call has to be estimated before it is sent."""
        return self.dollars is not None or self.tokens is not None

    @property
    def exhausted(self) -> bool:
        """Whether a call was refused for want of budget, or the next one would be."""
        return bool(self._refusal) or bool(self._hopeless(0, 0))

    @property
    def refusal(self) -> str:
        """Why the last call that was refused was refused; empty when none was."""
        return self._refusal

    def _elapsed(self) -> float:
        return self._seconds_before + self._clock() - self._started

    def _time_is_up(self) -> str:
        return f"the run's {self.seconds:g} seconds are over"

    def _hopeless(self, tokens: int, nano: int) -> str:
        """Why a call cannot fit even when nothing else is in flight."""
        if self.seconds is not None and self._elapsed() >= self.seconds:
            return self._time_is_up()
        if self.calls is not None and self._spent_calls + 1 > self.calls:
            return f"all {self.calls} calls of the budget are made"
        if self.tokens is not None and self._spent_tokens + tokens > self.tokens:
            return f"{tokens} more tokens do not fit: {self._spent_tokens} of {self.tokens} are used"
        if self.dollars is not None and self._spent_nano + nano > _nano(self.dollars):
            return f"up to ${nano / _NANO:.4f} more does not fit: ${self._spent_nano / _NANO:.4f} of ${self.dollars:.2f} is spent"
        return ""

    def _must_wait(self, tokens: int, nano: int) -> bool:
        return (
            (self.calls is not None and self._spent_calls + self._active + 1 > self.calls)
            or (self.tokens is not None and self._spent_tokens + self._held_tokens + tokens > self.tokens)
            or (self.dollars is not None and self._spent_nano + self._held_nano + nano > _nano(self.dollars))
        )

    def _serve(self) -> None:
        """Hands out what there is, in order; whoever stands first is not overtaken by a smaller call."""
        while self._waiting:
            _, _, tokens, nano, future = self._waiting[0]
            if not future.done():
                if reason := self._hopeless(tokens, nano):
                    future.set_exception(self._refuse(reason))
                elif self._must_wait(tokens, nano):
                    return
                else:
                    future.set_result(self._take(tokens, nano))
            heapq.heappop(self._waiting)

    def _give_up(self, future: asyncio.Future[Reservation]) -> None:
        if future.done() and not future.cancelled() and future.exception() is None:
            self.release(future.result())
        else:
            future.cancel()
            self._serve()

    def _take(self, tokens: int, nano: int) -> Reservation:
        self._active += 1
        self._held_tokens += tokens
        self._held_nano += nano
        return Reservation(tokens, nano)

    def _close(self, reservation: Reservation) -> None:
        reservation.open = False
        self._active -= 1
        self._held_tokens -= reservation.tokens
        self._held_nano -= reservation.nanodollars

    def _refuse(self, reason: str) -> CallFailed:
        self._refusal = reason
        return CallFailed("budget", reason)


def _nano(dollars: float) -> int:
    return math.ceil(round(dollars * _NANO, 3))
