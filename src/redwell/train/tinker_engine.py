"""Samples from a Tinker-compatible server. Batching is the server's: requests go out as they come."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from redwell.train import tinker_wire
from redwell.train.tinker_wire import TinkerServer
from redwell.train.types import Sampled, TrainingError


class TinkerEngine:
    """An Engine over weights that a Tinker server has saved for sampling. A request goes on from the weights it began with; those that begin
    after a swap take the new ones."""

    def __init__(self, server: TinkerServer, weights: str, version: int = 0) -> None:
        self._server = server
        self._weights, self._version = weights, version

    async def sample(
        self, prompt: Sequence[int], *, max_tokens: int, stop: Sequence[int], temperature: float = 1.0, seed: int = 0
    ) -> Sampled:
        """Raises TrainingError when the server is lost, or answers with something else than tokens and their log-probabilities."""
        weights, version = self._weights, self._version
        settings = {
            "max_tokens": max_tokens,
            "seed": seed,
            "stop": list(stop) or None,
            "temperature": temperature,
            "top_k": -1,
            "top_p": 1.0,
        }
        body = {
            "prompt": tinker_wire.prompt(prompt),
            "sampling_params": settings,
            "num_samples": 1,
            "model_path": weights,
        }
        found = await self._server.work("asample", body)
        try:
            (sequence,) = found["sequences"]
            ids = tuple(map(int, sequence["tokens"]))
            logprobs = tuple(map(float, sequence["logprobs"]))
        except (KeyError, TypeError, ValueError):
            raise self._strange("it gave no tokens with log-probabilities") from None
        if not ids or len(ids) != len(logprobs):
            raise self._strange(f"it gave {len(ids)} tokens and {len(logprobs)} log-probabilities")
        cut = sequence.get("stop_reason") == "length"
        return Sampled(ids, logprobs, (version,) * len(ids), "length" if cut else "stop")

    async def swap(self, adapter: Path | None, version: int) -> None:
        """A Tinker server samples from weights of its own only: `use` takes them. Raises TrainingError."""
        raise TrainingError(
            f"{self._server.address}: a Tinker server takes no adapter from a folder; publish from its trainer"
        )

    def use(self, weights: str, version: int) -> None:
        """From now on samples from these weights, by the path that the server gave them."""
        self._weights, self._version = weights, version

    async def close(self) -> None:
        """The server is its trainer's."""

    def _strange(self, what: str) -> TrainingError:
        return TrainingError(f"{self._server.address}: asample: {what}; is it a Tinker server?")
