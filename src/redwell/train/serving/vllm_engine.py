"""An engine on a vLLM server that somebody runs: its completions take and give ids, and adapters are loaded while it serves.

The server needs `--enable-lora` and VLLM_ALLOW_RUNTIME_LORA_UPDATING=1, and must see the adapters' folders under the same paths. With
VLLM_SERVER_DEV_MODE=1 it is paused while an adapter is loaded.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx

from redwell.models.keys import Key
from redwell.models.wire import plain
from redwell.train.serving.limits import room_for
from redwell.train.serving.moving import Finish, Lost, sample_on
from redwell.train.types import Sampled, TrainingError

_SILENCE = 600.0
"""Seconds without a token after which a request is sent again."""


class VllmEngine:
    """Samples from `model` at `url` (the server's address, with or without /v1); adapters are loaded as NAME-VERSION."""

    def __init__(self, url: str, model: str, *, key: Key | None = None, name: str = "policy") -> None:
        self._url = url.rstrip("/").removesuffix("/v1")
        self._model, self._name = model, name
        self._client = httpx.AsyncClient(
            trust_env=False,
            headers={"Authorization": f"Bearer {key.reveal()}"} if key else {},
            timeout=httpx.Timeout(30.0, read=_SILENCE, pool=None),
            limits=httpx.Limits(max_connections=None),
        )
        self._place = _Place(self._client, self._url, model, 0)
        self._context: int | None = None
        self._changing = asyncio.Lock()

    @property
    def version(self) -> int:
        return self._place.version

    async def sample(
        self, prompt: Sequence[int], *, max_tokens: int, stop: Sequence[int], temperature: float = 1.0, seed: int = 0
    ) -> Sampled:
        """See `Engine.sample`. Raises TrainingError."""
        if self._context is None:
            self._context = await self._length()
        most = room_for(len(prompt), max_tokens, self._context)
        return await sample_on(lambda: self._place, prompt, most=most, stop=stop, temperature=temperature, seed=seed)

    async def swap(self, adapter: Path | None, version: int) -> None:
        """See `Engine.swap`. Requests that run are sent again with their ids so far, so that no key or value of theirs is of older weights."""
        async with self._changing:
            old, name = self._place, self._model if adapter is None else f"{self._name}-{version}"
            paused = await self._post("/pause?mode=keep", None, needed=False)
            try:
                if adapter is not None:
                    await self._post("/v1/load_lora_adapter", {"lora_name": name, "lora_path": str(adapter.resolve())})
                self._place = _Place(self._client, self._url, name, version)
                old.left.set()
            finally:
                if paused:
                    await self._post("/resume", None)
            if old.name not in (self._model, name):
                await self._post("/v1/unload_lora_adapter", {"lora_name": old.name}, needed=False)

    async def close(self) -> None:
        await self._client.aclose()

    async def _length(self) -> int:
        """The context of the model that is served."""
        try:
            answer = await self._client.get(f"{self._url}/v1/models")
            served = answer.json()["data"]
            return int(next(one["max_model_len"] for one in served if one["id"] == self._model))
        except httpx.HTTPError as error:
            raise TrainingError(f"no vLLM server can be reached at {self._url}: {plain(error)}") from None
        except (ValueError, KeyError, TypeError, StopIteration):
            raise TrainingError(f"the server at {self._url} does not serve {self._model} as vLLM would") from None

    async def _post(self, path: str, body: dict[str, Any] | None, *, needed: bool = True) -> bool:
        """Whether it was done. Raises TrainingError where it is needed and refused."""
        try:
            answer = await self._client.post(self._url + path, json=body)
        except httpx.HTTPError as error:
            raise TrainingError(f"the policy's server at {self._url} cannot be reached: {plain(error)}") from None
        if answer.status_code != 200 and needed:
            raise TrainingError(f"the policy's server refused {path}: {_said(answer.content)}")
        return answer.status_code == 200


class _Place:
    """The server under the name of one version's weights."""

    def __init__(self, client: httpx.AsyncClient, url: str, name: str, version: int) -> None:
        self._client, self._url = client, url
        self.name = name
        self.version = version
        self.left = asyncio.Event()

    async def tokens(
        self, ids: Sequence[int], *, most: int, stop: Sequence[int], temperature: float, seed: int
    ) -> AsyncIterator[tuple[int, float] | Finish]:
        """See `Place.tokens`. What a model's own generation settings would change is said, or the server would take it from there."""
        body = {
            "model": self.name,
            "prompt": list(ids),
            "max_tokens": most,
            "stop_token_ids": list(stop),
            "temperature": temperature,
            "top_p": 1.0,
            "top_k": -1,
            "min_p": 0.0,
            "repetition_penalty": 1.0,
            "presence_penalty": 0.0,
            "frequency_penalty": 0.0,
            "seed": seed,
            "logprobs": 1,
            "return_token_ids": True,
            "stream": True,
        }
        try:
            async with self._client.stream("POST", f"{self._url}/v1/completions", json=body) as response:
                if response.status_code != 200:
                    said = _said(await response.aread())
                    if response.status_code >= 500 or response.status_code in (408, 429):
                        raise Lost(said)
                    raise TrainingError(f"the policy's server refused the request: {said}")
                async for line in response.aiter_lines():
                    if not line.startswith("data: ") or line == "data: [DONE]":
                        continue
                    choice = json.loads(line[6:])["choices"][0]
                    new = choice.get("token_ids") or []
                    logprobs = (choice.get("logprobs") or {}).get("token_logprobs") or []
                    if len(new) != len(logprobs):
                        raise TrainingError(
                            f"the policy's server sent {len(new)} ids and {len(logprobs)} log-probabilities"
                        )
                    for token, logprob in zip(new, logprobs, strict=True):
                        yield int(token), float(logprob)
                    if choice.get("finish_reason") in ("stop", "length"):
                        yield choice["finish_reason"]
                        return
            raise Lost("the answer broke off")
        except (httpx.HTTPError, httpx.StreamError, RuntimeError) as error:
            raise Lost(plain(error)) from None
        except (ValueError, KeyError, IndexError, TypeError, AttributeError) as error:
            raise Lost(f"the answer is none of vLLM's ({plain(error)})") from None


def _said(body: bytes) -> str:
    """The sentence of an error."""
    with suppress(ValueError, KeyError, TypeError):
        return plain(json.loads(body)["error"]["message"])
    return plain(body.decode("utf-8", "replace"))
