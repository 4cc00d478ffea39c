"""A request that outlives the place where it is sampled: it moves to new weights, and past an engine that died, with its ids so far."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Literal, Protocol

from redwell.train.types import Sampled, TrainingError

_TRIES = 3
"""Times in a row that a request may lose its engine without a new token."""
_PAUSE = 0.5
"""Seconds before the next try, times the tries that failed."""


Finish = Literal["stop", "length"]


class Lost(Exception):
    """The connection or the engine at its other end is gone; what was sampled before is kept."""


class Place(Protocol):
    """Where is sampled: an engine with the weights of one version. `left` is set when newer ones have taken over."""

    version: int
    left: asyncio.Event

    def tokens(
        self, ids: Sequence[int], *, most: int, stop: Sequence[int], temperature: float, seed: int
    ) -> AsyncIterator[tuple[int, float] | Finish]:
        """Token after token with its log-probability, as they are sampled; at last why the engine ended the answer. Raises Lost."""
        ...


@dataclass(slots=True)
class _Answer:
    ids: list[int] = field(default_factory=list)
    logprobs: list[float] = field(default_factory=list)
    versions: list[int] = field(default_factory=list)

    def sampled(self, finish: Finish) -> Sampled:
        return Sampled(tuple(self.ids), tuple(self.logprobs), tuple(self.versions), finish)


async def sample_on(
    place: Callable[[], Place],
    prompt: Sequence[int],
    *,
    most: int,
    stop: Sequence[int],
    temperature: float,
    seed: int,
) -> Sampled:
    """An answer of at most `most` tokens from wherever `place` leads at the time. Raises TrainingError when the engine is lost for good."""
    answer = _Answer()
    failures = 0
    while True:
        here, before = place(), len(answer.ids)
        # What goes on elsewhere draws other numbers, or it would repeat the draws that it began with.
        draws = seed if not before else (seed * 1_000_003 + before) & 0x7FFFFFFF
        stream = here.tokens([*prompt, *answer.ids], most=most - before, stop=stop, temperature=temperature, seed=draws)
        try:
            ended = await _follow(here, stream, answer, stop, most)
            if ended is not None:
                return answer.sampled(ended)
        except Lost as lost:
            if here.left.is_set():
                continue  # what is gone is what was to be left
            failures = 0 if len(answer.ids) > before else failures + 1
            if failures >= _TRIES:
                raise TrainingError(f"the policy's engine was lost {_TRIES} times in a row: {lost}") from None
            await asyncio.sleep(_PAUSE * failures)


async def _follow(
    here: Place, stream: AsyncIterator[tuple[int, float] | Finish], answer: _Answer, stop: Sequence[int], most: int
) -> Finish | None:
    """Takes the stream's tokens until the answer is whole; None when it has to go on elsewhere."""
    left = asyncio.ensure_future(here.left.wait())
    upcoming: asyncio.Future[tuple[int, float] | Finish | None] | None = None
    async with aclosing(stream):  # type: ignore[type-var]
        try:
            while True:
                upcoming = asyncio.ensure_future(anext(stream, None))
                await asyncio.wait((upcoming, left), return_when=asyncio.FIRST_COMPLETED)
                if not upcoming.done():
                    return None
                given = upcoming.result()
                if given is None:
                    raise Lost("the answer broke off")
                if isinstance(given, str):
                    return given
                answer.ids.append(given[0])
                answer.logprobs.append(given[1])
                answer.versions.append(here.version)
                if given[0] in stop:
                    return "stop"
                if len(answer.ids) >= most:
                    return "length"
        finally:
            left.cancel()
            if upcoming is not None and not upcoming.done():
                upcoming.cancel()
                await asyncio.gather(upcoming, return_exceptions=True)
