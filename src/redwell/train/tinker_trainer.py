"""`tinker`: weights that are trained and served by a Tinker-compatible server, SkyRL's on a cluster or any other.

The losses are ours and computed here, from the log-probabilities that the server gives: it is then sent the weights -dL/dlogp of a weighted
cross-entropy, whose gradient is that of L by the chain rule. That holds only on a server which adds up what it is given, so each start
measures whether it does.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import math
import os
import secrets
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any

from redwell.models.keys import Key, find_key
from redwell.models.wire import is_loopback, is_private
from redwell.train.tinker_engine import TinkerEngine
from redwell.train.tinker_scale import check_scale
from redwell.train.tinker_wire import TinkerServer, wire_datum
from redwell.train.types import Datum, Diverged, LossSettings, StepReport, TrainingError

STATE = "tinker.json"
_TOKENS_AT_ONCE = 65_536
"""Of one request; a step of any size is sent in several, whose gradients the server adds up."""
_HEARTBEAT = 10.0
_BETAS = (0.9, 0.999)


class TinkerTrainer:
    """Implements `types.Trainer`. `version` counts publications; `url` is the endpoint's once `start` was called."""

    def __init__(
        self,
        address: str,
        base: str,
        *,
        tokenizer: Path | None = None,
        rank: int = 8,
        seed: int = 0,
        weight_decay: float = 0.0,
        key: Key | None = None,
        patience: float = 60.0,
    ) -> None:
        """Nothing is sent before the first use. `base` is the model as the server names it; `tokenizer` a GGUF file or the folder of a model with
        the same vocabulary, needed by `start` where `base` is no folder on this machine. `patience` is how many seconds a server may be away.
        `key` is by default that of TINKER_API_KEY, or of REDWELL_TINKER_KEY, which alone is sent where anyone can read it."""
        self.address, self.base, self.version, self.url = address, base, 0, ""
        self._tokenizer = tokenizer or Path(base)
        self._lora = {"rank": rank, "seed": seed}
        self._decay = weight_decay
        near = is_loopback(address) or not is_private(address)
        self._server = TinkerServer(address, key=key or find_key("tinker", own_only=near), patience=patience)
        self._opening = asyncio.Lock()
        self._session = self._model = ""
        self._sent = 0
        self._beating: asyncio.Task[None] | None = None
        self._engine: TinkerEngine | None = None
        self._stop: Callable[[], Awaitable[None]] | None = None

    async def start(self, port: int = 0) -> str:
        """Opens the server, checks how it scales losses, and serves the policy; returns the URL. Port 0 is any that is free. Raises TrainingError."""
        if self.url:
            return self.url
        from redwell.train.serving.gateway import Gateway
        from redwell.train.serving.render import Renderer

        if not self._tokenizer.exists():
            raise TrainingError(
                f"{self._tokenizer}: is neither a file nor a folder here: the tokenizer of {self.base} is needed as a GGUF file or a model's folder"
            )
        renderer = await asyncio.to_thread(Renderer.of, self._tokenizer)
        await self._open()
        gateway = Gateway(await self._sampler(), renderer)
        self._stop = gateway.stop
        self.url = await gateway.start(port)
        return self.url

    async def logprobs(self, data: Sequence[Datum]) -> list[tuple[float, ...]]:
        await self._open()
        sent = [wire_datum(datum.ids, weights=[1.0] * len(datum.ids)) for datum in data]
        return await self._passed("forward", "forward_input", data, sent)

    async def forward_backward(self, data: Sequence[Datum], settings: LossSettings) -> StepReport:
        """Where `old` is None, the weights are taken to be those with which the step began. Raises TrainingError before anything is added to the
        gradients when the loss is not finite."""
        if settings.kl:
            raise TrainingError(
                "loss.kl: a Tinker server does not give the log-probabilities of the weights before training; set it to 0"
            )
        tokens = sum(sum(datum.trained) for datum in data)
        new = await self.logprobs(data)
        loss, weights, metrics = _sft(data, new, tokens) if settings.kind == "sft" else _policy(data, new, settings)
        if not math.isfinite(loss) or not all(math.isfinite(weight) for row in weights for weight in row):
            raise Diverged(f"the loss is {loss} or has a slope that is not finite; nothing was sent to {self.address}")
        sent = [wire_datum(datum.ids, weights=row) for datum, row in zip(data, weights, strict=True)]
        await self._passed("forward_backward", "forward_backward_input", data, sent)
        return StepReport(loss, tokens, metrics)

    async def optim_step(self, learning_rate: float) -> float:
        """As the contract has it, but for a gradient that is not finite while the loss was: the server may have taken that step, and the training
        has to go on from its last checkpoint."""
        if not (math.isfinite(learning_rate) and learning_rate >= 0):
            raise TrainingError(f"learning_rate = {learning_rate}: it must be a number of at least 0")
        await self._open()
        norm = await self._norm(self._model, learning_rate)
        if not math.isfinite(norm):
            raise Diverged(f"the norm of the gradient at {self.address} is {norm}", taken=True)
        return norm

    async def save(self, folder: Path) -> None:
        """The server keeps weights and optimizer under a name of its own; the folder holds that name."""
        await self._open()
        name = f"redwell-{self.version}-{secrets.token_hex(6)}"
        found = await self._server.work("save_weights", self._of_model(path=name, type="save_weights"))
        path = found.get("path")
        if not isinstance(path, str):
            raise TrainingError(f"{self.address}: save_weights gave no path of what it saved; is it a Tinker server?")
        kept = {"address": self.address, "base": self.base, "path": path, "version": self.version}
        try:
            folder.mkdir(parents=True, exist_ok=True)
            part = folder / f".{STATE}.{os.getpid()}"
            part.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
            part.replace(folder / STATE)
        except OSError as error:
            raise TrainingError(
                f"{folder}: the checkpoint cannot be written: {error.strerror or error}; make room there"
            ) from None

    async def load(self, folder: Path) -> None:
        """Goes on from what `save` kept, and samples from it. Raises TrainingError when it is missing, damaged, or of another model."""
        path, version = _state(folder / STATE, self.base)
        await self._open()
        body = self._of_model(path=path, optimizer=True, type="load_weights")
        await self._server.work("load_weights", body)
        await self._publish(version)

    async def publish(self) -> int:
        await self._open()
        await self._publish(self.version + 1)
        return self.version

    async def close(self) -> None:
        if self._stop is not None:
            await self._stop()
            self._stop = None
        if self._beating is not None:
            self._beating.cancel()
            await asyncio.gather(self._beating, return_exceptions=True)
            self._beating = None
        if self._model:
            with contextlib.suppress(TrainingError):  # it ends with its session all the same
                await self._server.work("unload_model", {"model_id": self._model, "type": "unload_model"})
            self._model = ""
        await self._server.close()

    # --- the server's model -------------------------------------------------------------------------------------------------

    async def _open(self) -> None:
        async with self._opening:
            if self._model:
                return
            told = await self._server.ask(
                "create_session", {"tags": [], "sdk_version": "redwell", "type": "create_session"}
            )
            self._session = _told(told, "session_id", self.address)
            if self._beating is None:
                self._beating = asyncio.create_task(self._beat())
            # The model that is measured on is not the one that is trained: its optimizer has seen gradients that belong to nothing.
            measured = await self._create(0)
            try:
                await check_scale(self.address, lambda sent: self._measure(measured, sent))
                self._model = await self._create(1)
            finally:
                with contextlib.suppress(TrainingError):
                    await self._server.work("unload_model", {"model_id": measured, "type": "unload_model"})

    async def _create(self, number: int) -> str:
        body = {"session_id": self._session, "model_seq_id": number, "base_model": self.base, "lora_config": self._lora}
        told = await self._server.ask("create_model", {**body, "type": "create_model"})
        found = await self._server.result("create_model", _told(told, "request_id", self.address))
        return _told({**told, **found}, "model_id", self.address)

    async def _measure(self, model: str, sent: list[dict[str, Any]]) -> float:
        """The norm of the gradient that this cross-entropy has; moves no weight."""
        await self._server.work("forward_backward", self._asked(model, "forward_backward_input", sent))
        return await self._norm(model, 0.0)

    async def _norm(self, model: str, learning_rate: float) -> float:
        settings = {
            "learning_rate": learning_rate,
            "beta1": _BETAS[0],
            "beta2": _BETAS[1],
            "eps": 1e-8,
            "weight_decay": self._decay,
        }
        body = {"model_id": model, "adam_params": settings, "seq_id": self._next(), "type": "optim_step"}
        found = await self._server.work("optim_step", body)
        metrics = found.get("metrics")
        for name, value in metrics.items() if isinstance(metrics, dict) else ():
            if str(name).endswith("grad_norm") and isinstance(value, int | float):
                return float(value)
        raise TrainingError(
            f"{self.address}: optim_step does not tell the norm of the gradient, so it cannot be seen whether this server scales losses as it is "
            "asked to; use one that does, such as SkyRL's with FSDP or Megatron"
        )

    async def _passed(
        self, name: str, field: str, data: Sequence[Datum], sent: list[dict[str, Any]]
    ) -> list[tuple[float, ...]]:
        """Sends the data in as many requests as it takes; the log-probability of each token, 0.0 for the first."""
        parts = _split(data)
        answers = [
            self._server.work(name, self._asked(self._model, field, [sent[number] for number in part]))
            for part in parts
        ]
        found: list[tuple[float, ...]] = []
        for part, answer in zip(parts, await asyncio.gather(*answers), strict=True):
            found += [_logprobs(answer, place, data[number], self.address) for place, number in enumerate(part)]
        return found

    def _asked(self, model: str, field: str, sent: list[dict[str, Any]]) -> dict[str, Any]:
        return {"model_id": model, "seq_id": self._next(), field: {"data": sent, "loss_fn": "cross_entropy"}}

    def _of_model(self, **more: Any) -> dict[str, Any]:
        return {"model_id": self._model, "seq_id": self._next(), **more}

    def _next(self) -> int:
        self._sent += 1
        return self._sent

    async def _publish(self, version: int) -> None:
        path = await self._saved_for_sampling(version)
        if self._engine is not None:
            self._engine.use(path, version)
        self.version = version

    async def _sampler(self) -> TinkerEngine:
        if self._engine is None:
            self._engine = TinkerEngine(self._server, await self._saved_for_sampling(self.version), self.version)
        return self._engine

    async def _saved_for_sampling(self, version: int) -> str:
        name = f"redwell-{version}-{secrets.token_hex(6)}"
        body = self._of_model(path=name, type="save_weights_for_sampler")
        return _told(await self._server.work("save_weights_for_sampler", body), "path", self.address)

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(_HEARTBEAT)
            with contextlib.suppress(TrainingError):  # a server that is gone is told by whoever needs it
                body = {"session_id": self._session, "type": "session_heartbeat"}
                await self._server.ask("session_heartbeat", body)


Weights = list[list[float]]


def _sft(data: Sequence[Datum], new: Sequence[Sequence[float]], total: int) -> tuple[float, Weights, dict[str, float]]:
    if not total:
        raise TrainingError("no token of the step is trained; give rollouts with sampled tokens of the root")
    weights = [[1.0 / total if trained else 0.0 for trained in datum.trained] for datum in data]
    loss = -sum(w * p for row, logs in zip(weights, new, strict=True) for w, p in zip(row, logs, strict=True) if w)
    return loss, weights, {}


def _policy(
    data: Sequence[Datum], new: Sequence[Sequence[float]], settings: LossSettings
) -> tuple[float, Weights, dict[str, float]]:
    """The loss of the step, -dL/dlogp for each token, and what was measured."""
    try:
        import torch
    except ImportError:
        raise TrainingError('the losses need torch: pip install "redwell[train]"') from None
    from redwell.train.losses import means, policy_loss

    numbers = {rollout: place for place, rollout in enumerate(dict.fromkeys(datum.rollout for datum in data))}
    counts = {datum.rollout: datum.tokens for datum in data}
    places = [(n, p) for n, datum in enumerate(data) for p, trained in enumerate(datum.trained) if trained]

    def flat(rows: Sequence[Sequence[float]]) -> torch.Tensor:
        return torch.tensor([rows[n][p] for n, p in places], dtype=torch.float64)

    now = flat(new).requires_grad_()
    began = [new[n] if datum.old is None else datum.old for n, datum in enumerate(data)]
    loss, measured = policy_loss(
        now,
        flat(began),
        flat([datum.sampled for datum in data]),
        torch.tensor([data[n].advantage for n, _ in places], dtype=torch.float64),
        torch.ones(len(places), dtype=torch.bool),
        torch.tensor([numbers[data[n].rollout] for n, _ in places], dtype=torch.long),
        torch.tensor([counts[rollout] for rollout in numbers], dtype=torch.long),
        len(numbers),
        settings,
    )
    loss.backward()
    weights = [[0.0] * len(datum.ids) for datum in data]
    if now.grad is not None:
        for (n, p), slope in zip(places, now.grad.tolist(), strict=True):
            weights[n][p] = -slope
    return float(loss.detach()), weights, means([measured])


def _split(data: Sequence[Datum]) -> list[list[int]]:
    """The numbers of the data, in runs of no more than so many tokens, each of at least one datum."""
    parts: list[list[int]] = []
    room = 0
    for number, datum in enumerate(data):
        if not parts or len(datum.ids) > room:
            parts.append([])
            room = _TOKENS_AT_ONCE
        parts[-1].append(number)
        room -= len(datum.ids)
    return parts


def _logprobs(answer: dict[str, Any], place: int, datum: Datum, address: str) -> tuple[float, ...]:
    try:
        values = tuple(map(float, answer["loss_fn_outputs"][place]["logprobs"]["data"]))
    except (KeyError, IndexError, TypeError, ValueError):
        raise TrainingError(
            f"{address}: it gave no log-probabilities for what it was sent; is it a Tinker server?"
        ) from None
    if len(values) != len(datum.ids) - 1:
        raise TrainingError(
            f"{address}: it gave {len(values)} log-probabilities for {len(datum.ids) - 1} tokens that it was to predict"
        )
    return (0.0, *values)


def _told(answer: dict[str, Any], name: str, address: str) -> str:
    value = answer.get(name)
    if not isinstance(value, str) or not value:
        raise TrainingError(f"{address}: it answered without {name}; is it a Tinker server?")
    return value


def _state(file: Path, base: str) -> tuple[str, int]:
    try:
        found = json.loads(file.read_text(encoding="utf-8"))
        path, version, of = str(found["path"]), int(found["version"]), str(found["base"])
    except OSError as error:
        raise TrainingError(
            f"{file}: there is no checkpoint of a Tinker server to go on from: {error.strerror or error}"
        ) from None
    except (ValueError, TypeError, KeyError):
        raise TrainingError(f"{file} is damaged; go on from another checkpoint") from None
    if of != base:
        raise TrainingError(f"{file}: base: the checkpoint is of {of}, and {base} is to be trained")
    return path, version
