"""The tinker trainer against SkyRL's own server on the CPU: what is sent is understood, and its way of scaling losses is refused."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("torch", reason="the train extra is not installed: make test-train")

from servers.skyrl_server import VARIABLE, skyrl
from train.tiny_models import datum
from train.toy import ask, write_policy

from redwell.train import tinker_trainer
from redwell.train.local.trainer import LocalTrainer
from redwell.train.tinker_trainer import TinkerTrainer
from redwell.train.types import LossSettings, TrainingError

pytestmark = [
    pytest.mark.xdist_group("skyrl"),
    pytest.mark.skipif(VARIABLE not in os.environ, reason="SkyRL is not installed: make test-skyrl"),
]
DATA = [datum((5, 6, 7, 8, 9), 2, rollout=0), datum((10, 11, 12, 13), 1, rollout=1)]
SFT = LossSettings("sft")


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_policy(tmp_path_factory.mktemp("policy") / "base", 0)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, base: Path) -> Iterator[str]:
    with skyrl(tmp_path_factory.mktemp("skyrl"), base) as address:
        yield address


@pytest.fixture
def unchecked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lets a server pass that scales losses wrongly, to see what else it does."""

    async def passed(*_: object) -> None: ...

    monkeypatch.setattr(tinker_trainer, "check_scale", passed)


def test_a_server_that_divides_by_the_sum_of_the_weights_is_refused(server: str, base: Path) -> None:
    async def main() -> None:
        trainer = TinkerTrainer(server, str(base))
        try:
            await trainer.forward_backward(DATA, SFT)
        finally:
            await trainer.close()

    with pytest.raises(TrainingError, match="half of a loss has 1 times the gradient of the loss"):
        asyncio.run(main())


@pytest.mark.usefixtures("unchecked")
def test_log_probabilities_and_the_loss_are_those_of_the_local_trainer(server: str, base: Path, tmp_path: Path) -> None:
    async def main() -> None:
        far, near = (
            TinkerTrainer(server, str(base)),
            LocalTrainer(base, tmp_path, engine="none", device="cpu", precision="fp32"),
        )
        try:
            for there, here, one in zip(await far.logprobs(DATA), await near.logprobs(DATA), DATA, strict=True):
                assert [value for value, kept in zip(there, one.trained, strict=True) if kept] == pytest.approx(
                    [value for value, kept in zip(here, one.trained, strict=True) if kept], abs=1e-4
                )
            there, here = await far.forward_backward(DATA, SFT), await near.forward_backward(DATA, SFT)
            assert (there.tokens, there.loss) == (here.tokens, pytest.approx(here.loss, abs=1e-4))
        finally:
            await far.close()
            await near.close()

    asyncio.run(main())


@pytest.mark.usefixtures("unchecked")
def test_steps_are_made_saved_and_loaded_and_the_policy_is_sampled_from(
    server: str, base: Path, tmp_path: Path
) -> None:
    async def main() -> None:
        trainer = TinkerTrainer(server, str(base))
        try:
            before = await trainer.logprobs(DATA)
            await trainer.forward_backward(DATA, SFT)
            assert await trainer.optim_step(1e-2) > 0
            moved = await trainer.logprobs(DATA)
            assert sum(map(sum, moved)) > sum(map(sum, before)) + 1
            await trainer.save(tmp_path / "kept")
            await trainer.forward_backward(DATA, SFT)
            await trainer.optim_step(1e-2)
            assert await trainer.logprobs(DATA) != moved
            await trainer.load(tmp_path / "kept")
            for there, here in zip(await trainer.logprobs(DATA), moved, strict=True):
                assert there == pytest.approx(here, abs=1e-5)
            url = await trainer.start()
            await trainer.publish()
            answer = await ask(url, [{"role": "user", "content": "w7"}], 3)
            (choice,) = answer["choices"]
            prompt, ids = tuple(answer["prompt_token_ids"]), tuple(choice["token_ids"])
            sampled = [one["logprob"] for one in choice["logprobs"]["content"]]
            (again,) = await trainer.logprobs([datum(prompt + ids, len(prompt))])
            assert list(again[len(prompt) :]) == pytest.approx(sampled, abs=1e-4)
            assert choice["policy_versions"] == [trainer.version] * len(ids)
        finally:
            await trainer.close()

    asyncio.run(main())
