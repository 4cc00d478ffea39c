"""An engine in this process for very small models: one forward pass for all running requests, each with its row of a shared KV cache."""

from __future__ import annotations

import asyncio
import copy
import inspect
import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from redwell.train.serving.limits import room_for
from redwell.train.types import Sampled, TrainingError


@dataclass(eq=False, slots=True)
class _Request:
    """`computed` counts the tokens of prompt and answer whose keys and values are in the cache."""

    prompt: tuple[int, ...]
    most: int
    stop: frozenset[int]
    temperature: float
    random: random.Random
    answer: asyncio.Future[Sampled]
    slot: int = -1
    computed: int = 0
    ids: list[int] = field(default_factory=list)
    logprobs: list[float] = field(default_factory=list)
    versions: list[int] = field(default_factory=list)

    @property
    def finish(self) -> Literal["stop", "length"] | None:
        if self.ids and self.ids[-1] in self.stop:
            return "stop"
        return "length" if len(self.ids) >= self.most else None

    def pending(self) -> list[int]:
        return [*self.prompt, *self.ids][self.computed :]


class TorchEngine:
    """Samples from a copy of a transformers causal language model, at most `slots` requests at once; the others wait.

    A swap is made between two tokens. Requests that run go on: their keys and values are computed anew, so that each token's
    log-probability is that of the weights whose version it carries.
    """

    def __init__(self, model: Any, *, slots: int = 8, context: int | None = None) -> None:
        self._base = copy.deepcopy(model).eval().requires_grad_(False)
        self._model = self._base
        self._context = context or int(model.config.max_position_embeddings)
        # transformers calls it `cache` since 5.24, and `past_key_values` before.
        self._cache_name = (
            "cache" if "cache" in inspect.signature(type(model).forward).parameters else "past_key_values"
        )
        self._cache = _SlotCache(slots, self._context)
        self._free = list(range(slots))[::-1]
        self._waiting: list[_Request] = []
        self._running: list[_Request] = []
        self._next: tuple[Any, int, asyncio.Future[None]] | None = None
        self._swapping = asyncio.Lock()
        self._task: asyncio.Task[None] | None = None
        self._closed = False
        self.version = 0

    async def sample(
        self, prompt: Sequence[int], *, max_tokens: int, stop: Sequence[int], temperature: float = 1.0, seed: int = 0
    ) -> Sampled:
        """See `Engine.sample`. The same prompt and seed give the same answer from the same weights, to the last digits of the log-probabilities:
        these depend on the requests that share its forward passes; with one slot there are none. Raises TrainingError."""
        if self._closed:
            raise TrainingError("the engine is closed")
        if not prompt:
            raise TrainingError("there is nothing to sample after: the prompt is empty")
        most = room_for(len(prompt), max_tokens, self._context)
        answer: asyncio.Future[Sampled] = asyncio.get_running_loop().create_future()
        request = _Request(tuple(prompt), most, frozenset(stop), temperature, random.Random(seed), answer)
        self._waiting.append(request)
        self._wake()
        return await answer

    async def swap(self, adapter: Path | None, version: int) -> None:
        """See `Engine.swap`; a folder without adapter_config.json is a whole model's."""
        async with self._swapping:
            model = self._base if adapter is None else await asyncio.to_thread(_with_weights, self._base, adapter)
            done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._next = (model, version, done)
            self._wake()
            await done

    async def close(self) -> None:
        self._closed = True
        task, self._task = self._task, None
        if task is not None:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
        self._end(TrainingError("the engine was closed while it sampled"))

    def _wake(self) -> None:
        if self._task is None or self._task.done():
            self._task = asyncio.get_running_loop().create_task(self._run())

    async def _run(self) -> None:
        while self._waiting or self._running or self._next:
            self._take_new_weights()
            self._leave()
            while self._waiting and self._free:
                request = self._waiting.pop(0)
                request.slot = self._free.pop()
                self._running.append(request)
            if not self._running:
                continue
            # Those that have prompts to read go first, alone: the others would be padded to their length.
            now = [
                request for request in self._running if len(request.prompt) + len(request.ids) - request.computed > 1
            ]
            try:
                await asyncio.to_thread(self._step, now or self._running)
            except Exception as error:
                self._end(TrainingError(f"the engine cannot go on: {type(error).__name__}: {error}"))
                return

    def _take_new_weights(self) -> None:
        if self._next is None:
            return
        self._model, self.version, done = self._next
        self._next = None
        for request in self._running:
            request.computed = 0
        if not done.done():
            done.set_result(None)

    def _leave(self) -> None:
        """Answers what is finished, and lets go of what nobody waits for any more."""
        for request in [one for one in self._running if one.finish or one.answer.done()]:
            self._running.remove(request)
            self._free.append(request.slot)
            if request.finish and not request.answer.done():
                ids, logprobs, versions = tuple(request.ids), tuple(request.logprobs), tuple(request.versions)
                request.answer.set_result(Sampled(ids, logprobs, versions, request.finish))
        self._waiting = [request for request in self._waiting if not request.answer.done()]

    def _end(self, error: TrainingError) -> None:
        for request in (*self._running, *self._waiting):
            if not request.answer.done():
                request.answer.set_exception(error)
        self._free += [request.slot for request in self._running]
        self._running, self._waiting = [], []
        pending, self._next = self._next, None
        if pending is not None and not pending[2].done():
            pending[2].set_exception(error)

    def _step(self, requests: list[_Request]) -> None:
        """One token more for each of them."""
        import torch

        with torch.inference_mode():
            logprobs = torch.log_softmax(self._forward(requests).float(), dim=-1)
            for row, request in zip(logprobs, requests, strict=True):
                token = _draw(row, request.temperature, request.random.random())
                request.ids.append(token)
                request.logprobs.append(float(row[token]))
                request.versions.append(self.version)

    def _forward(self, requests: list[_Request]) -> Any:
        """Logits after the last token of each, (requests, vocabulary). Rows are padded on the left to the longest."""
        import torch

        pending = [request.pending() for request in requests]
        longest = max(map(len, pending))
        nowhere = self._context  # a column of the cache that no token can see
        ids = [[0] * (longest - len(row)) + row for row in pending]
        places = [
            [nowhere] * (longest - len(row)) + list(range(request.computed, request.computed + len(row)))
            for row, request in zip(pending, requests, strict=True)
        ]
        device = self._model.device
        positions = torch.tensor(places, device=device)
        reach = max(row[-1] for row in places) + 1
        hidden = torch.arange(reach, device=device)[None, None, None, :] > positions[:, None, :, None]
        mask = torch.zeros(hidden.shape, dtype=self._model.dtype, device=device)
        mask.masked_fill_(hidden, torch.finfo(mask.dtype).min)
        self._cache.begin(torch.tensor([request.slot for request in requests], device=device), positions, reach)
        logits = self._model(
            input_ids=torch.tensor(ids, device=device),
            attention_mask=mask,
            position_ids=positions.clamp(max=self._context - 1),
            use_cache=True,
            logits_to_keep=1,
            **{self._cache_name: self._cache},
        ).logits[:, -1]
        for request, row in zip(requests, pending, strict=True):
            request.computed += len(row)
        return logits


class _SlotCache:
    """Keys and values of all slots, (slots, heads, context + 1, size) for each layer, written at each request's own positions."""

    def __init__(self, slots: int, context: int) -> None:
        self._slots, self._width = slots, context + 1
        self._layers: dict[int, tuple[Any, Any]] = {}
        self._rows: Any = None
        self._positions: Any = None
        self._reach = 0

    def begin(self, rows: Any, positions: Any, reach: int) -> None:
        """What the next forward pass is over: its slots (R,), the positions of its tokens (R, T), and how many columns they see."""
        self._rows, self._positions, self._reach = rows, positions, reach

    def update(self, keys: Any, values: Any, layer: int, *_: Any, **__: Any) -> tuple[Any, Any]:
        """Takes (R, heads, T, size) each and returns all up to the reach, (R, heads, reach, size)."""
        if layer not in self._layers:
            made = [one.new_zeros((self._slots, one.shape[1], self._width, one.shape[3])) for one in (keys, values)]
            self._layers[layer] = (made[0], made[1])
        seen = []
        for kept, new in zip(self._layers[layer], (keys, values), strict=True):
            kept[self._rows[:, None], :, self._positions] = new.transpose(1, 2)
            seen.append(kept[:, :, : self._reach][self._rows])
        return seen[0], seen[1]

    def get_seq_length(self, *_: Any) -> int:
        return 0  # positions are given; nothing is to be counted from here


def _draw(logprobs: Any, temperature: float, uniform: float) -> int:
    """The token at `uniform` of the cumulated distribution; the likeliest at temperature 0."""
    import torch

    if temperature <= 0:
        return int(logprobs.argmax())
    heights = torch.softmax(logprobs.double() / temperature, dim=-1).cumsum(0)
    place = int(torch.searchsorted(heights, uniform * float(heights[-1]), right=True))
    return min(place, len(heights) - 1)


def _with_weights(base: Any, folder: Path) -> Any:
    """A copy of the base with the weights of a folder: a PEFT adapter's merged into it, or a whole model's. Raises TrainingError."""
    from redwell.train.local.weights import loading

    try:
        with loading():
            if not (folder / "adapter_config.json").is_file():
                return type(base).from_pretrained(folder, dtype=base.dtype).to(base.device).eval().requires_grad_(False)
            import peft

            adapted = peft.PeftModel.from_pretrained(copy.deepcopy(base), folder)
            return adapted.merge_and_unload().eval().requires_grad_(False)
    except Exception as error:  # neither library raises anything narrower
        raise TrainingError(f"{folder} holds no weights that fit the policy: {error}") from None
