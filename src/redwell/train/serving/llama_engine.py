"""An engine on llama.cpp: a process of its own samples many requests at once; new weights come with a second process that takes over."""

from __future__ import annotations

import asyncio
import json
import tempfile
from collections.abc import AsyncIterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx

from redwell.models.local_engine import Engine as Process
from redwell.models.types import CallFailed
from redwell.train.serving.limits import PromptTooLong, room_for
from redwell.train.serving.moving import Finish, Lost, sample_on
from redwell.train.serving.whole_tokens import with_whole_tokens
from redwell.train.types import Sampled, TrainingError

_SILENCE = 900.0
"""Seconds without a token after which an engine is taken for lost; prompts of all slots may be read meanwhile."""
_REMEMBERED = 512 << 20
"""Bytes for the keys and values of conversations that wait outside of the slots."""


class LlamaEngine:
    """Samples from a GGUF file, at most `slots` requests at once, each within `context` tokens; the others wait in the process.

    `adapter` is a LoRA adapter: a GGUF file, or a PEFT folder. Prefixes of prompts that were computed before are not computed again.
    """

    def __init__(self, file: Path, *, slots: int = 8, context: int = 4096, adapter: Path | None = None) -> None:
        self._file = file
        self._slots, self._context = slots, context
        self._folder = tempfile.TemporaryDirectory(prefix="redwell-policy-")
        self._adapter = adapter
        self._place: _Place | None = None
        self._changing = asyncio.Lock()
        self._closed = False

    @property
    def version(self) -> int:
        return self._place.version if self._place else 0

    @property
    def pid(self) -> int | None:
        """The number of the process that samples, while one runs."""
        return self._place.process.pid if self._place else None

    async def sample(
        self, prompt: Sequence[int], *, max_tokens: int, stop: Sequence[int], temperature: float = 1.0, seed: int = 0
    ) -> Sampled:
        """See `Engine.sample`. The process is started with the first request. Raises TrainingError."""
        most = room_for(len(prompt), max_tokens, self._context)
        if self._place is None:
            async with self._changing:
                if self._place is None:
                    self._place = await self._begin(self._adapter, 0)
        return await sample_on(self._now, prompt, most=most, stop=stop, temperature=temperature, seed=seed)

    async def swap(self, adapter: Path | None, version: int) -> None:
        """See `Engine.swap`. The old process samples on while the new one is loaded, and ends when its requests have moved."""
        async with self._changing:
            new = await self._begin(adapter, version)
            old, self._place = self._place, new
            if old is not None:
                old.left.set()
                await old.close()

    async def close(self) -> None:
        self._closed = True
        async with self._changing:
            place, self._place = self._place, None
            if place is not None:
                await place.close()
            self._folder.cleanup()

    def _now(self) -> _Place:
        if self._place is None:
            raise TrainingError("the engine is closed")
        return self._place

    async def _begin(self, adapter: Path | None, version: int) -> _Place:
        if self._closed:
            raise TrainingError("the engine is closed")
        file = Path(self._folder.name) / "policy.gguf"
        if not file.is_file():
            await asyncio.to_thread(with_whole_tokens, self._file, file)
        made = None
        if adapter is not None and adapter.is_dir():
            made = adapter = await asyncio.to_thread(
                _as_gguf, adapter, Path(self._folder.name) / f"adapter-{version}.gguf"
            )
        process = Process(
            file,
            self._file.name,
            context=self._context,
            slots=self._slots,
            adapter=adapter,
            remembered=_REMEMBERED,
        )
        place = _Place(process, version, made)
        try:
            await asyncio.to_thread(process.start)
        except CallFailed as failure:
            await place.close()
            raise TrainingError(str(failure)) from None
        return place


class _Place:
    """One process with the weights of one version; a process that died is started anew for the next request that needs it. `made` is
    its adapter's file, where that was written for it alone."""

    def __init__(self, process: Process, version: int, made: Path | None) -> None:
        self.process = process
        self._made = made
        self.version = version
        self.left = asyncio.Event()
        self._client = httpx.AsyncClient(
            trust_env=False,
            timeout=httpx.Timeout(30.0, read=_SILENCE, pool=None),
            limits=httpx.Limits(max_connections=None),
        )

    async def close(self) -> None:
        await self._client.aclose()
        await asyncio.to_thread(self.process.stop)
        if self._made is not None:
            self._made.unlink(missing_ok=True)

    async def tokens(
        self, ids: Sequence[int], *, most: int, stop: Sequence[int], temperature: float, seed: int
    ) -> AsyncIterator[tuple[int, float] | Finish]:
        """See `Place.tokens`. All that would bend the distribution is off, whatever the server's defaults are."""
        body = {
            "prompt": list(ids),
            "n_predict": most,
            "samplers": ["temperature"],
            "temperature": temperature,
            "dynatemp_range": 0.0,
            "mirostat": 0,
            "seed": seed % 0xFFFFFFFF,  # the last one stands for a random seed
            "n_probs": 1,
            "post_sampling_probs": False,
            "return_tokens": True,
            "cache_prompt": True,
            "stream": True,
        }
        try:
            server = await asyncio.to_thread(self.process.start)
            headers = {"Authorization": f"Bearer {server.key.reveal()}"}
            url = server.url.removesuffix("/v1") + "/completion"
            async with self._client.stream("POST", url, json=body, headers=headers) as response:
                if response.status_code != 200:
                    raise _refused(response.status_code, await response.aread())
                given = 0
                async for line in response.aiter_lines():
                    if not line.startswith("data: "):
                        if line.startswith("error: "):
                            raise Lost(line[:200])
                        continue
                    said = json.loads(line[6:])
                    for token in _tokens(said):
                        given += 1
                        yield token
                    if said.get("stop"):
                        if given != said.get("tokens_predicted"):
                            raise TrainingError(
                                f"llama.cpp sampled {said.get('tokens_predicted')} tokens and told {given}"
                            )
                        yield "stop" if said.get("stop_type") == "eos" else "length"
                        return
        except CallFailed as failure:
            raise Lost(str(failure)) from None
        except httpx.ReadTimeout:
            await asyncio.to_thread(self.process.stop)
            raise Lost(f"no token came in {_SILENCE:g} seconds") from None
        except (httpx.HTTPError, httpx.StreamError, RuntimeError, ValueError) as error:
            raise Lost(str(error) or type(error).__name__) from None


def _tokens(said: dict[str, Any]) -> list[tuple[int, float]]:
    """The ids of one piece of the stream, with their log-probabilities of the whole distribution."""
    probabilities = said.get("completion_probabilities") or []
    return [(int(one["id"]), float(one["logprob"])) for one in probabilities]


def _refused(status: int, body: bytes) -> Exception:
    text = body.decode("utf-8", "replace")
    with suppress(ValueError, KeyError, TypeError):
        text = str(json.loads(text)["error"]["message"])
    if "context size" in text:
        return PromptTooLong(text)
    return Lost(text) if status >= 500 or status == 408 else TrainingError(f"llama.cpp refused the request: {text}")


def _as_gguf(folder: Path, file: Path) -> Path:
    from redwell.train.local.gguf_adapter import write_adapter

    write_adapter(folder, file)
    return file
