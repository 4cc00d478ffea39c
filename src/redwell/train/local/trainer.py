"""`local`: weights that are trained on this machine, and the endpoint that samples from them."""

from __future__ import annotations

import asyncio
import math
import os
import shutil
from collections.abc import Awaitable, Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from redwell.train.local import weights
from redwell.train.local.checkpoint import read_state, write_state
from redwell.train.local.packing import Pack, check, packs
from redwell.train.types import Datum, Diverged, Engine, LossSettings, StepReport, TrainingError

if TYPE_CHECKING:
    import torch

    from redwell.train.serving.render import Renderer

EngineKind = Literal["llama", "torch", "vllm", "none"]
_BETAS = (0.9, 0.999)
_PUBLISHED = 2  # adapters that stay on disk: the one that is sampled from, and those that requests in flight began with
T = TypeVar("T")


class LocalTrainer:
    """Implements `types.Trainer`. `version` counts publications; `url` is the endpoint's once `start` was called ("" without an engine).

    Everything that computes runs in one thread of its own, one after another, so that the event loop goes on serving.
    """

    def __init__(
        self,
        base: Path,
        folder: Path,
        *,
        rank: int = 8,
        alpha: float = 16.0,
        targets: Sequence[str] = weights.LINEAR,
        engine: EngineKind = "none",
        slots: int = 8,
        context: int = 8192,
        address: str = "",
        device: weights.Device = "auto",
        precision: weights.Precision = "auto",
        micro_tokens: int = 4096,
        max_norm: float = 1.0,
        weight_decay: float = 0.0,
        seed: int = 0,
        start: Path | None = None,
    ) -> None:
        """Loads the weights, which takes seconds to a minute; nothing is served before `start`.

        `base` is a GGUF file or a Hugging Face folder, `folder` where weights are published. `rank` 0 trains all weights, for very small models;
        `start` is a folder of weights (adapter or checkpoint) to begin from. `slots` and `context` are the engine's: requests at
        once, and tokens of each; `address` is that of a vLLM server, as NAME@http://HOST:PORT/v1. `micro_tokens` go through the model at once;
        `max_norm` is that to which gradients are clipped. Raises TrainingError.
        """
        weights.need_torch()
        from redwell.train.local.forward import ATTENTION

        if rank == 0 and engine in ("llama", "vllm"):
            raise TrainingError(f"rank = 0: engine = {engine} takes adapters only; give a rank, or engine = torch")
        if engine == "llama" and base.is_dir():
            raise TrainingError(
                f"engine = llama: {base} is a folder; it runs GGUF files, and engine = torch runs folders"
            )
        self.base, self.folder, self.version, self.url = base, folder, 0, ""
        if engine == "vllm" and not all(address.partition("@")):
            raise TrainingError(f"address = {address!r}: engine = vllm needs the server's, as NAME@http://HOST:PORT/v1")
        self._engine_kind, self._slots, self._context, self._address = engine, slots, context, address
        self._micro, self._max_norm = micro_tokens, max_norm
        self.device = weights.device_named(device)
        self.precision = weights.precision_for(self.device, precision)
        self.weights = weights.model_folder(base)
        # What is trained is kept in fp32: a small step would be rounded away in bf16.
        dtype = self.precision if rank else "fp32"
        self.model = weights.load_base(self.weights, dtype, self.device, ATTENTION)
        longest = int(self.model.config.max_position_embeddings)
        if engine in ("llama", "torch") and context > longest:
            raise TrainingError(
                f"context = {context}: {base.name} has places for {longest} tokens, and what is longer could not be trained on; write {longest} or less"
            )
        if rank:
            self.model = weights.with_lora(self.model, rank, alpha, targets, seed)
            if self.precision == "bf16":
                weights.leave_casts_to_autocast(self.model)
        else:
            self.model.requires_grad_(True)
        self._began = start is not None
        if start is not None:
            weights.take_weights(self.model, weights.read_weights(self.model, start))
        self._parameters = weights.trained(self.model)
        self._first = (
            self._copied()
        )  # what the KL term holds on to; a checkpoint that is loaded later does not change it
        self._optimizer = self._make_optimizer(weight_decay)
        self._worker = ThreadPoolExecutor(1, thread_name_prefix="trainer")
        self._engine: Engine | None = None
        self._renderer: Renderer | None = None
        self._stop: Callable[[], Awaitable[None]] | None = None

    async def start(self, port: int = 0) -> str:
        """Starts the engine and its endpoint, which sample from the weights as last published; returns the URL. Port 0 is any that is free. Raises
        TrainingError."""
        if self.url or self._engine_kind == "none":
            return self.url
        from redwell.train.serving.gateway import Gateway

        renderer = self.renderer
        self._engine = await asyncio.to_thread(self._make_engine)
        gateway = Gateway(self._engine, renderer)
        self._stop = gateway.stop
        if self.version or self._began:
            await self._publish(self.version)
        self.url = await gateway.start(port)
        return self.url

    @property
    def renderer(self) -> Renderer:
        """The base's chat template and tokens, as the endpoint uses them. Raises TrainingError."""
        if self._renderer is None:
            from redwell.train.serving.render import Renderer

            self._renderer = Renderer.of(self.base)
        return self._renderer

    async def logprobs(self, data: Sequence[Datum]) -> list[tuple[float, ...]]:
        return await self._compute(lambda: self._logprobs(data))

    async def forward_backward(self, data: Sequence[Datum], settings: LossSettings) -> StepReport:
        """Where `old` is None, the weights are taken to be those with which the step began. What raises leaves no part of a gradient behind."""
        return await self._compute(lambda: self._whole(data, settings))

    async def optim_step(self, learning_rate: float) -> float:
        return await self._compute(lambda: self._optim_step(learning_rate))

    async def save(self, folder: Path) -> None:
        """Weights (an adapter as PEFT keeps it), optimizer and version. No step draws random numbers, so there are none to keep."""
        await self._compute(lambda: self._save(folder))

    async def load(self, folder: Path) -> None:
        """Goes on from what `save` wrote, and samples from it. Raises TrainingError and changes nothing when it is not whole or of another model."""
        version = await self._compute(lambda: self._load(folder))
        await self._publish(version)

    async def publish(self) -> int:
        await self._publish(self.version + 1)
        return self.version

    async def close(self) -> None:
        if self._stop is not None:
            await self._stop()
            self._stop = None
        if self._engine is not None:
            await self._engine.close()
            self._engine = None
        self._worker.shutdown(wait=True)

    async def _compute(self, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._worker, work)

    def _logprobs(self, data: Sequence[Datum]) -> list[tuple[float, ...]]:
        import torch

        self._check(data)
        found = [[0.0] * len(datum.ids) for datum in data]
        with torch.no_grad():
            for pack in packs(data, self._micro):
                new, _ = self._forward(data, pack)
                values = iter(new.tolist())
                for number in pack.data:
                    for place, trained in enumerate(data[number].trained):
                        if trained:
                            found[number][place] = next(values)
        return [tuple(values) for values in found]

    def _whole(self, data: Sequence[Datum], settings: LossSettings) -> StepReport:
        before = [None if value.grad is None else value.grad.clone() for value in self._parameters.values()]
        try:
            return self._forward_backward(data, settings)
        except Exception as error:
            for value, gradient in zip(self._parameters.values(), before, strict=True):
                value.grad = gradient
            if isinstance(error, MemoryError) or (isinstance(error, RuntimeError) and "memory" in str(error)):
                raise TrainingError(f"micro_tokens = {self._micro}: the memory does not suffice; take fewer") from None
            raise

    def _forward_backward(self, data: Sequence[Datum], settings: LossSettings) -> StepReport:
        from redwell.train.losses import means, sft_loss

        self._check(data)
        total = sum(sum(datum.trained) for datum in data)
        rollouts = len({datum.rollout for datum in data})
        loss, measured = 0.0, []
        for pack in packs(data, self._micro):
            reference = self._reference(data, pack) if settings.kl and settings.kind != "sft" else None
            new, entropy = self._forward(data, pack)
            if settings.kind == "sft":
                part = sft_loss(new, new.new_ones(len(new), dtype=bool), total)
                metrics = {"tokens": new.new_tensor(len(new)), "entropy": entropy.sum()}
            else:
                part, metrics = self._policy(data, pack, new, entropy, reference, rollouts, settings)
            part.backward()
            loss += float(part.detach())
            measured.append(metrics)
        return StepReport(loss=loss, tokens=total, metrics=means(measured))

    def _policy(
        self,
        data: Sequence[Datum],
        pack: Pack,
        new: torch.Tensor,
        entropy: torch.Tensor,
        reference: torch.Tensor | None,
        rollouts: int,
        settings: LossSettings,
    ) -> tuple[torch.Tensor, dict[str, torch.Tensor]]:
        """The loss of a micro-batch, over its trained tokens only."""
        import torch

        from redwell.train.losses import policy_loss

        here: dict[int, int] = {}
        sampled: list[float] = []
        advantage: list[float] = []
        owner: list[int] = []
        old: list[float] = []
        counts: list[int] = []
        for number in pack.data:
            datum = data[number]
            if datum.rollout not in here:
                here[datum.rollout] = len(here)
                counts.append(datum.tokens)
            places = [place for place, trained in enumerate(datum.trained) if trained]
            sampled += [datum.sampled[place] for place in places]
            advantage += [datum.advantage] * len(places)
            owner += [here[datum.rollout]] * len(places)
            old += [math.nan if datum.old is None else datum.old[place] for place in places]

        now = new.detach()
        began = now.new_tensor(old)
        return policy_loss(
            new,
            torch.where(began.isnan(), now, began),
            now.new_tensor(sampled),
            now.new_tensor(advantage),
            torch.ones_like(now, dtype=torch.bool),
            torch.tensor(owner, device=now.device),
            torch.tensor(counts, device=now.device),
            rollouts,
            settings,
            reference=reference,
            entropy=entropy,
        )

    def _reference(self, data: Sequence[Datum], pack: Pack) -> torch.Tensor:
        """Log-probabilities under the weights that training began with: those of `start`, where it was given. Not to be called between a forward and
        its backward pass, since the weights are changed in place."""
        import torch

        now = self._copied()
        with torch.no_grad():
            try:
                self._take(self._first)
                return self._forward(data, pack)[0]
            finally:
                self._take(now)

    def _copied(self) -> dict[str, torch.Tensor]:
        return {name: value.detach().clone() for name, value in self._parameters.items()}

    def _take(self, values: Mapping[str, torch.Tensor]) -> None:
        for name, value in self._parameters.items():
            value.copy_(values[name])

    def _forward(self, data: Sequence[Datum], pack: Pack) -> tuple[torch.Tensor, torch.Tensor]:
        from redwell.train.local import forward

        config, bf16 = weights.bare(self.model).config, self.precision == "bf16"
        tight = forward.activation_bytes(config, pack.tokens, bf16) > _free(self.device) // 2
        return forward.logprobs(self.model, forward.flatten(data, pack, self.device), bf16=bf16, checkpointing=tight)

    def _check(self, data: Sequence[Datum]) -> None:
        config = weights.bare(self.model).config
        check(data, config.vocab_size, config.max_position_embeddings)

    def _optim_step(self, learning_rate: float) -> float:
        import torch

        if not (math.isfinite(learning_rate) and learning_rate >= 0):
            raise TrainingError(f"learning_rate = {learning_rate}: it must be a number of at least 0")
        norm = float(torch.nn.utils.clip_grad_norm_(self._parameters.values(), self._max_norm))
        if not math.isfinite(norm):
            self._optimizer.zero_grad()
            raise Diverged(f"the norm of the gradient is {norm}")
        for group in self._optimizer.param_groups:
            group["lr"] = learning_rate
        self._optimizer.step()
        self._optimizer.zero_grad()
        return norm

    def _save(self, folder: Path) -> None:
        write_state(self.model, self._optimizer, folder, self._about(self.version))

    def _load(self, folder: Path) -> int:
        return read_state(self.model, self._optimizer, folder)

    async def _publish(self, version: int) -> None:
        if self._engine_kind != "none":
            folder = await self._compute(lambda: self._write_published(version))
            if self._engine is not None:
                await self._engine.swap(folder, version)
        self.version = version

    def _write_published(self, version: int) -> Path:
        target = self.folder / "published" / f"{version:06d}"
        part = target.with_name(f".new-{target.name}-{os.getpid()}")
        try:
            weights.write_weights(self.model, part, self._about(version))
            shutil.rmtree(target, ignore_errors=True)
            part.rename(target)
            kept = sorted(path for path in target.parent.iterdir() if path.name.isdigit())
        except OSError as error:
            shutil.rmtree(part, ignore_errors=True)
            raise TrainingError(
                f"{target}: the weights cannot be published: {error.strerror or error}; make room there"
            ) from None
        for path in kept:
            if int(path.name) <= version - _PUBLISHED:
                shutil.rmtree(path, ignore_errors=True)
        return target

    def _about(self, version: int) -> dict[str, Any]:
        config = weights.bare(self.model).config
        return {
            "base": self.base.name,
            "architecture": config.model_type,
            "heads": config.num_attention_heads,
            "kv_heads": config.num_key_value_heads,
            "version": version,
        }

    def _make_engine(self) -> Engine:
        if self._engine_kind == "llama":
            from redwell.train.serving.llama_engine import LlamaEngine

            return LlamaEngine(self.base, slots=self._slots, context=self._context)
        if self._engine_kind == "vllm":
            from redwell.train.serving.vllm_engine import VllmEngine

            name, _, url = self._address.partition("@")
            return VllmEngine(url, name)
        from redwell.train.serving.torch_engine import TorchEngine

        # Weights of its own: those that are trained move with every step, those that are sampled from when they are published.
        model = weights.load_base(self.weights, self.precision, self.device, "sdpa")
        return TorchEngine(model, slots=self._slots, context=self._context)

    def _make_optimizer(self, weight_decay: float) -> Any:
        import torch

        parameters = list(self._parameters.values())
        return torch.optim.AdamW(parameters, lr=0.0, betas=_BETAS, weight_decay=weight_decay, fused=True)


def _free(device: str) -> int:
    """Bytes of memory that are free now."""
    if device == "cuda":
        import torch

        return int(torch.cuda.mem_get_info()[0])
    try:
        for line in Path("/proc/meminfo").read_text(encoding="ascii").splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
    except OSError:
        pass
    return 8 << 30
