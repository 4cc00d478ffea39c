"""`local:NAME` and `local:/PATH/FILE.gguf`: a language model on this machine, behind the same client as any OpenAI-compatible server."""

from __future__ import annotations

import asyncio
import math
from dataclasses import replace

from redwell.models import grammar
from redwell.models.local_engine import Engine, cores
from redwell.models.local_files import Calibration, find
from redwell.models.openai_chat import OpenAIChat
from redwell.models.types import CallFailed, Completion, Message, Request, Usage

CONTEXT = 16_384
"""Tokens for each request: half a gigabyte of memory on a model of 1.5B parameters."""
ALTERNATIVES = 20
_CORES_FOR_A_PLACE = 4
_MOST_PLACES = 4


class Local:
    """A model on this machine. Its engine is started by the first request and ends with `close`, or with this process.

    `places` is how many requests it takes at once: on few cores more of them bring no answer sooner. `yes` is its calibration, None
    for a model that has none.
    """

    def __init__(self, name: str) -> None:
        """Raises ModelNameError when the file is not here, is no model, or the engine is not installed. Nothing is started."""
        self.name = name
        file, entry = find(name)
        context = min(CONTEXT, entry.context) if entry else CONTEXT
        self.places = max(1, min(_MOST_PLACES, cores() // _CORES_FOR_A_PLACE))
        self.yes: Calibration | None = entry.yes if entry else None
        self._engine = Engine(file, name, context=context, slots=self.places)
        self._client: OpenAIChat | None = None
        self._url = ""

    @property
    def pid(self) -> int | None:
        """The number of the engine's process while it runs."""
        return self._engine.pid

    async def complete(self, request: Request) -> Completion:
        """Raises CallFailed; never returns an empty or cut answer."""
        client = await self._connected()
        if request.temperature is None:
            # A small model that is sampled wanders off; the likeliest answer is also the same one each time.
            request = replace(request, temperature=0.0)
        return await client.complete(request)

    async def lean(self, messages: tuple[Message, ...], seconds: float) -> tuple[float, Usage]:
        """log p(yes) - log p(no) of the answer's first word, and what asking took. Raises CallFailed."""
        request = Request(
            messages,
            max_output_tokens=4,
            seconds=seconds,
            grammar=grammar.yes_or_no(),
            alternatives=ALTERNATIVES,
        )
        completion = await self.complete(request)
        return difference(completion.alternatives), completion.usage or Usage()

    async def close(self) -> None:
        client, self._client = self._client, None
        if client is not None:
            await client.close()
        await asyncio.to_thread(self._engine.stop)

    async def _connected(self) -> OpenAIChat:
        server = await asyncio.to_thread(self._engine.start)
        if self._client is None or self._url != server.url:
            self._url = server.url
            self._client = OpenAIChat(self.name, self.name, server.url, server.key)
        return self._client


def difference(alternatives: tuple[tuple[str, float], ...]) -> float:
    """log p(yes) - log p(no), each over all the ways in which a first token can say it. Raises CallFailed when neither is among them."""
    mass = {"yes": 0.0, "no": 0.0}
    for token, value in alternatives:
        word = token.strip().casefold()
        if word in mass:
            mass[word] += math.exp(value)
    if not any(mass.values()):
        raise CallFailed("malformed", "the model gave neither yes nor no a probability")
    # What is not among the alternatives has at most the probability of the last of them.
    floor = math.exp(min(value for _, value in alternatives))
    yes, no = (value or floor for value in mass.values())
    return math.log(yes) - math.log(no)


def probability(lean: float, calibration: Calibration | None) -> float:
    """The probability of yes, from `Local.lean`."""
    known = calibration or Calibration()
    score = max(-60.0, min(60.0, known.slope * lean + known.offset))
    return 1.0 / (1.0 + math.exp(-score))
