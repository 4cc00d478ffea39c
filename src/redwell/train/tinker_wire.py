"""The wire of Tinker-compatible servers: JSON over HTTP, where each piece of work is asked for first and its result is fetched afterwards.

This is the form that SkyRL's server speaks, so that nothing but httpx is needed and no version of an SDK has to match a server's.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Mapping, Sequence
from typing import Any

import httpx

from redwell.models.keys import Key
from redwell.train.types import TrainingError

_INTEGERS = ("target_tokens",)
_LOST = (httpx.TransportError, json.JSONDecodeError)
_LONGEST_REASON = 600


def tensor(name: str, values: Sequence[float]) -> dict[str, Any]:
    """One stream of a datum, one value for each target token."""
    dtype = "int64" if name in _INTEGERS else "float32"
    return {"data": list(values), "dtype": dtype, "shape": [len(values)]}


def prompt(ids: Sequence[int]) -> dict[str, Any]:
    return {"chunks": [{"type": "encoded_text", "tokens": list(ids)}]}


def wire_datum(ids: Sequence[int], **streams: Sequence[float]) -> dict[str, Any]:
    """A sequence as Tinker's `Datum`: the input is all tokens but the last, the targets all but the first.

    Each stream has one value for each token of `ids`; that of the first token, which nothing predicts, is left out.
    """
    inputs = {"target_tokens": tensor("target_tokens", ids[1:])}
    inputs |= {name: tensor(name, values[1:]) for name, values in streams.items()}
    return {"model_input": prompt(ids[:-1]), "loss_fn_inputs": inputs}


class TinkerServer:
    """A server at `address`. A connection that breaks is tried again for `patience` seconds wherever that cannot do the work twice.

    All methods raise TrainingError, which names the server and what it said.
    """

    def __init__(self, address: str, *, key: Key | None = None, patience: float = 60.0) -> None:
        self.address = address.rstrip("/")
        self._key = key
        self._patience = patience
        headers = {"X-API-Key": key.reveal()} if key else {}
        timeout = httpx.Timeout(30.0, read=None)  # the server holds a result back until it is there
        limits = httpx.Limits(max_connections=None, max_keepalive_connections=100)  # a request for each rollout waits
        self._client = httpx.AsyncClient(
            base_url=self.address, headers=headers, timeout=timeout, limits=limits, trust_env=False
        )

    async def ask(self, name: str, body: Mapping[str, Any]) -> dict[str, Any]:
        """The answer to one request. It is sent again only as long as no connection came about."""
        return await self._post(name, body, again=(httpx.ConnectError, httpx.ConnectTimeout))

    async def work(self, name: str, body: Mapping[str, Any]) -> dict[str, Any]:
        """Asks for a piece of work and waits for its result."""
        told = await self.ask(name, body)
        number = told.get("request_id")
        if not isinstance(number, str):
            raise self._strange(name, "it gave no request_id")
        return await self.result(name, number)

    async def result(self, name: str, number: str) -> dict[str, Any]:
        while True:
            found = await self._post("retrieve_future", {"request_id": number}, again=_LOST, name=name)
            if isinstance(found.get("error"), str):
                raise TrainingError(f"{self.address}: {name} failed: {self._said(found['error'])}")
            if found.get("type") != "try_again":
                return found

    async def close(self) -> None:
        await self._client.aclose()

    async def _post(
        self, path: str, body: Mapping[str, Any], *, again: tuple[type[Exception], ...], name: str = ""
    ) -> dict[str, Any]:
        name = name or path
        started, wait = time.monotonic(), 0.1
        while True:
            try:
                answer = await self._client.post(f"/api/v1/{path}", json=body)
                if answer.status_code != 408:  # which says that the result is not there yet
                    return self._read(name, answer)
                started, wait = time.monotonic(), 0.1
            except (*_LOST, httpx.InvalidURL) as error:
                if not isinstance(error, again) or time.monotonic() - started + wait > self._patience:
                    raise self._lost(name, error) from None
                await asyncio.sleep(wait)
                wait = min(2 * wait, 5.0)

    def _read(self, name: str, answer: httpx.Response) -> dict[str, Any]:
        if answer.status_code >= 400:
            raise TrainingError(f"{self.address}: {name} was refused ({answer.status_code}): {self._reason(answer)}")
        found = answer.json()
        if not isinstance(found, dict):
            raise self._strange(name, "its answer is no JSON object")
        return found

    def _reason(self, answer: httpx.Response) -> str:
        try:
            found = answer.json()
        except ValueError:
            return self._said(answer.text)
        return self._said(found.get("detail", found) if isinstance(found, dict) else found)

    def _said(self, reason: Any) -> str:
        text = reason if isinstance(reason, str) else json.dumps(reason)
        text = " ".join(text.split())[:_LONGEST_REASON] or "it gave no reason"
        return self._key.hide_in(text) if self._key else text

    def _lost(self, name: str, error: Exception) -> TrainingError:
        if isinstance(error, json.JSONDecodeError):
            return self._strange(name, "its answer is no JSON")
        return TrainingError(
            f"{self.address}: no answer to {name} ({self._said(str(error) or type(error).__name__)}): see whether the Tinker server runs there, "
            "and go on with the training from its last checkpoint"
        )

    def _strange(self, name: str, what: str) -> TrainingError:
        return TrainingError(f"{self.address}: {name}: {what}; is it a Tinker server?")
