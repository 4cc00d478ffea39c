"""The trainer of one machine, on random models of a few thousand weights."""

import asyncio
import math
import random
import subprocess
import sys
from collections.abc import Callable, Coroutine
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch", reason="the train extra is not installed: make test-train")

import torch
from train.tiny_models import VOCABULARY, datum, write_llama

from redwell.train.local.trainer import LocalTrainer
from redwell.train.types import Datum, Diverged, LossSettings, TrainingError

pytestmark = pytest.mark.xdist_group("tiny_llama")
SFT = LossSettings("sft")


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_llama(tmp_path_factory.mktemp("base") / "tiny")


@pytest.fixture(scope="module", autouse=True)
def one_thread() -> None:
    torch.set_num_threads(1)


def made(base: Path, folder: Path, **changes: Any) -> LocalTrainer:
    return LocalTrainer(base, folder, **({"precision": "fp32", "device": "cpu"} | changes))


def run(work: Callable[[], Coroutine[Any, Any, Any]]) -> Any:
    return asyncio.run(work())


def some_data(count: int, seed: int = 0, longest: int = 30) -> list[Datum]:
    """Data of mixed lengths, two to a rollout."""
    dice = random.Random(seed)
    found = []
    for number in range(count):
        length = dice.randint(4, longest)
        ids = tuple(dice.randrange(VOCABULARY) for _ in range(length))
        found.append(datum(ids, dice.randint(1, length - 1), rollout=number // 2, advantage=dice.uniform(-2, 2)))
    tokens = {one.rollout: sum(other.tokens for other in found if other.rollout == one.rollout) for one in found}
    return [replace(one, tokens=tokens[one.rollout]) for one in found]


def moved(trainer: LocalTrainer) -> LocalTrainer:
    """With LoRA weights that change what the model says."""
    with torch.no_grad():
        for number, value in enumerate(trainer._parameters.values()):
            value.copy_(torch.randn(value.shape, generator=torch.Generator().manual_seed(number)) * 0.2)
    return trainer


def gradients(trainer: LocalTrainer) -> dict[str, torch.Tensor]:
    found = {name: value.grad.clone() for name, value in trainer._parameters.items()}
    trainer._optimizer.zero_grad()
    return found


def weights_of(trainer: LocalTrainer) -> dict[str, torch.Tensor]:
    return {name: value.detach().clone() for name, value in trainer._parameters.items()}


def plain_logprobs(trainer: LocalTrainer, one: Datum) -> list[float]:
    """The same by the model's own forward pass, with its own attention, one sequence at a time."""
    inner = trainer.model.get_base_model()
    kept = inner.config._attn_implementation
    inner.set_attn_implementation("eager")
    try:
        with torch.no_grad():
            logits = trainer.model(input_ids=torch.tensor([one.ids])).logits[0].float()
    finally:
        inner.set_attn_implementation(kept)
    logs = logits.log_softmax(-1)
    return [float(logs[place - 1, one.ids[place]]) if trained else 0.0 for place, trained in enumerate(one.trained)]


def test_log_probabilities_are_those_of_the_model_one_by_one(base: Path, tmp_path: Path) -> None:
    trainer, data = moved(made(base, tmp_path)), some_data(9)
    found = run(lambda: trainer.logprobs(data))
    for one, values in zip(data, found, strict=True):
        assert values == pytest.approx(plain_logprobs(trainer, one), abs=1e-5)


@pytest.mark.parametrize(
    "settings", [SFT, LossSettings("grpo"), LossSettings("gspo", low=3e-4, high=4e-4), LossSettings("grpo", kl=0.1)]
)
def test_micro_batches_add_up_to_the_step(base: Path, tmp_path: Path, settings: LossSettings) -> None:
    trainer, data = moved(made(base, tmp_path)), some_data(10)
    whole = run(lambda: trainer.forward_backward(data, settings))
    expected = gradients(trainer)
    trainer._micro = 40
    parts = run(lambda: trainer.forward_backward(data, settings))
    assert parts.loss == pytest.approx(whole.loss, abs=1e-5)
    assert parts.metrics == pytest.approx(whole.metrics, abs=1e-5)
    for name, value in gradients(trainer).items():
        torch.testing.assert_close(value, expected[name], atol=1e-5, rtol=1e-4)


def test_checkpointing_changes_nothing(base: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    trainer, data = moved(made(base, tmp_path)), some_data(6)
    whole = run(lambda: trainer.forward_backward(data, SFT))
    expected = gradients(trainer)
    monkeypatch.setattr("redwell.train.local.trainer._free", lambda device: 0)
    again = run(lambda: trainer.forward_backward(data, SFT))
    assert trainer.model.get_base_model().get_decoder().gradient_checkpointing
    assert again.loss == pytest.approx(whole.loss, abs=1e-6)
    for name, value in gradients(trainer).items():
        torch.testing.assert_close(value, expected[name], atol=1e-6, rtol=1e-4)


def test_the_last_matrix_can_be_trained_too(base: Path, tmp_path: Path) -> None:
    trainer, data = moved(made(base, tmp_path, targets=("q_proj", "lm_head"))), some_data(4)
    found = run(lambda: trainer.logprobs(data))
    for one, values in zip(data, found, strict=True):
        assert values == pytest.approx(plain_logprobs(trainer, one), abs=1e-5)
    run(lambda: trainer.forward_backward(data, SFT))
    assert all(float(value.abs().sum()) > 0 for name, value in gradients(trainer).items() if "lm_head" in name)


def test_the_gradient_is_the_slope_of_the_loss(base: Path, tmp_path: Path) -> None:
    """Against finite differences of log-probabilities by the model's own forward pass."""
    trainer, data = moved(made(base, tmp_path)), some_data(4)
    run(lambda: trainer.forward_backward(data, SFT))
    slope = gradients(trainer)
    total = sum(sum(one.trained) for one in data)

    def loss() -> float:
        return -sum(sum(plain_logprobs(trainer, one)) for one in data) / total

    dice = torch.Generator().manual_seed(3)
    direction = {name: torch.randn(value.shape, generator=dice) for name, value in trainer._parameters.items()}
    step, sides = 1e-3, []
    for sign in (1, -1):
        with torch.no_grad():
            for name, value in trainer._parameters.items():
                value.add_(direction[name], alpha=sign * step)
            sides.append(loss())
            for name, value in trainer._parameters.items():
                value.sub_(direction[name], alpha=sign * step)
    expected = sum(float((slope[name] * direction[name]).sum()) for name in slope)
    assert (sides[0] - sides[1]) / (2 * step) == pytest.approx(expected, rel=2e-2, abs=1e-3)


def test_steps_lower_the_loss(base: Path, tmp_path: Path) -> None:
    trainer, data = made(base, tmp_path), some_data(4)

    async def work() -> list[float]:
        losses = []
        for _ in range(15):
            losses.append((await trainer.forward_backward(data, SFT)).loss)
            assert await trainer.optim_step(2e-2) > 0
        return losses

    losses = run(work)
    assert losses[-1] < losses[0] - 0.5


def test_data_before_they_have_old_log_probabilities_are_trained_on_as_of_now(base: Path, tmp_path: Path) -> None:
    trainer, data = moved(made(base, tmp_path)), some_data(6)
    old = run(lambda: trainer.logprobs(data))
    run(lambda: trainer.forward_backward(data, LossSettings()))
    expected = gradients(trainer)
    known = [replace(one, old=values) for one, values in zip(data, old, strict=True)]
    report = run(lambda: trainer.forward_backward(known, LossSettings()))
    assert report.metrics["ratio"] == pytest.approx(1.0, abs=1e-5)
    for name, value in gradients(trainer).items():
        torch.testing.assert_close(value, expected[name], atol=1e-5, rtol=1e-3)


def test_a_resumed_training_takes_the_same_steps(base: Path, tmp_path: Path) -> None:
    data = some_data(6)

    async def steps(trainer: LocalTrainer, count: int) -> list[float]:
        losses = []
        for _ in range(count):
            losses.append((await trainer.forward_backward(data, SFT)).loss)
            await trainer.optim_step(1e-2)
        return losses

    async def work() -> None:
        first = made(base, tmp_path / "one")
        await steps(first, 3)
        await first.publish()
        await first.save(tmp_path / "kept")
        expected = await steps(first, 3)
        other = made(base, tmp_path / "two", seed=5)
        await other.load(tmp_path / "kept")
        assert other.version == 1
        assert await steps(other, 3) == expected
        for name, value in weights_of(first).items():
            assert torch.equal(value, weights_of(other)[name])

    run(work)


def test_all_weights_can_be_trained_saved_and_begun_from(base: Path, tmp_path: Path) -> None:
    data = some_data(4)

    async def work() -> None:
        trainer = made(base, tmp_path / "one", rank=0)
        first = (await trainer.forward_backward(data, SFT)).loss
        await trainer.optim_step(1e-2)
        expected = (await trainer.forward_backward(data, SFT)).loss
        assert expected < first
        await trainer.save(tmp_path / "kept")
        other = made(base, tmp_path / "two", rank=0, start=tmp_path / "kept")
        assert (await other.forward_backward(data, SFT)).loss == pytest.approx(expected, abs=1e-6)
        alone = made(tmp_path / "kept", tmp_path / "three", rank=2)
        assert (await alone.forward_backward(data, SFT)).loss == pytest.approx(expected, abs=1e-6)

    run(work)
    with pytest.raises(TrainingError, match="rank = 0"):
        made(base, tmp_path / "four", rank=0, engine="llama")


@pytest.mark.parametrize("rank", [0, 4])
def test_the_kl_term_holds_on_to_the_weights_that_training_began_with(base: Path, tmp_path: Path, rank: int) -> None:
    """A warm start is where a training begins, and not the model under it; a checkpoint that is gone on from is not where it began."""
    settings, data = LossSettings(kl=0.1), [replace(one, advantage=0.0) for one in some_data(4)]

    async def work() -> None:
        warm = made(base, tmp_path / "warm", rank=rank)
        for _ in range(2):
            await warm.forward_backward(data, SFT)
            await warm.optim_step(1e-2)
        await warm.save(tmp_path / "kept")
        trainer = made(base, tmp_path / "one", rank=rank, start=tmp_path / "kept")
        first = await trainer.forward_backward(data, settings)
        assert first.metrics["kl"] == pytest.approx(0.0, abs=1e-9)
        assert all(float(value.abs().max()) < 1e-6 for value in gradients(trainer).values())
        before = await trainer.logprobs(data)
        await trainer.forward_backward(data, SFT)
        await trainer.optim_step(1e-2)
        now = await trainer.logprobs(data)
        gaps = [b - n for was, is_ in zip(before, now, strict=True) for b, n in zip(was, is_, strict=True) if b]
        expected = sum(math.exp(gap) - gap - 1 for gap in gaps) / len(gaps)
        assert expected > 1e-6
        await trainer.save(tmp_path / "checkpoint")
        again = made(base, tmp_path / "two", rank=rank, start=tmp_path / "kept")
        await again.load(tmp_path / "checkpoint")
        for one in (trainer, again):
            weights = weights_of(one)
            assert (await one.forward_backward(data, settings)).metrics["kl"] == pytest.approx(expected, rel=1e-3)
            assert all(torch.equal(value, weights[name]) for name, value in weights_of(one).items())

    run(work)


def test_a_training_begins_from_an_adapter(base: Path, tmp_path: Path) -> None:
    async def work() -> None:
        trainer = moved(made(base, tmp_path / "one"))
        await trainer.save(tmp_path / "kept")
        other = made(base, tmp_path / "two", start=tmp_path / "kept")
        assert other.version == 0
        assert await other.logprobs(some_data(4)) == await trainer.logprobs(some_data(4))

    run(work)


def test_a_norm_that_is_not_finite_leaves_the_weights(base: Path, tmp_path: Path) -> None:
    trainer, data = moved(made(base, tmp_path)), some_data(4)

    async def work() -> None:
        await trainer.forward_backward(data, SFT)
        await trainer.optim_step(1e-2)
        before, state = weights_of(trainer), str(trainer._optimizer.state_dict())
        await trainer.forward_backward([replace(one, advantage=math.inf) for one in data], LossSettings())
        with pytest.raises(Diverged, match=r"the norm of the gradient is (nan|inf)") as told:
            await trainer.optim_step(1e-2)
        assert not told.value.taken
        assert all(torch.equal(value, before[name]) for name, value in weights_of(trainer).items())
        assert str(trainer._optimizer.state_dict()) == state
        await trainer.forward_backward(data, SFT)
        assert math.isfinite(await trainer.optim_step(1e-2))

    run(work)


def test_publications_are_counted(base: Path, tmp_path: Path) -> None:
    async def work() -> None:
        trainer = made(base, tmp_path)
        assert trainer.version == 0
        assert [await trainer.publish() for _ in range(3)] == [1, 2, 3]
        await trainer.save(tmp_path / "kept")
        other = made(base, tmp_path / "other")
        await other.load(tmp_path / "kept")
        assert await other.publish() == 4

    run(work)


def test_gradients_are_clipped_to_the_norm(base: Path, tmp_path: Path) -> None:
    """With plain gradient steps of AdamW's first update hidden: the norm that is told is the one before."""
    trainer, data = moved(made(base, tmp_path, max_norm=1e-3)), some_data(4)
    run(lambda: trainer.forward_backward(data, SFT))
    expected = math.sqrt(sum(float((value.grad**2).sum()) for value in trainer._parameters.values()))
    assert run(lambda: trainer.optim_step(1e-2)) == pytest.approx(expected, rel=1e-5)
    first = [state["exp_avg"] for state in trainer._optimizer.state_dict()["state"].values()]
    assert math.sqrt(sum(float((value**2).sum()) for value in first)) == pytest.approx(
        1e-4, rel=1e-3
    )  # (1 - 0.9) * 1e-3


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        (lambda one: replace(one, trained=(True, *one.trained[1:])), "first token"),
        (lambda one: replace(one, ids=(VOCABULARY, *one.ids[1:])), "vocabulary"),
        (lambda one: replace(one, sampled=one.sampled[1:]), "one entry for each token"),
        (lambda one: datum(tuple(range(60)) * 5, 3), "room for 256"),
    ],
)
def test_data_that_cannot_be_trained_on_are_refused(
    base: Path, tmp_path: Path, changed: Callable[[Datum], Datum], said: str
) -> None:
    trainer = made(base, tmp_path)
    data = some_data(3)
    with pytest.raises(TrainingError, match=said):
        run(lambda: trainer.forward_backward([*data, changed(data[0])], SFT))


def test_what_raises_leaves_no_part_of_a_gradient(base: Path, tmp_path: Path) -> None:
    trainer, data = moved(made(base, tmp_path, micro_tokens=40)), some_data(6)
    run(lambda: trainer.forward_backward(data, SFT))
    expected = {name: value.grad.clone() for name, value in trainer._parameters.items()}
    short = [replace(one, tokens=one.tokens + (one.rollout == 2)) for one in data]
    with pytest.raises(TrainingError, match="trained tokens are in this micro-batch"):
        run(lambda: trainer.forward_backward(short, LossSettings("gspo")))
    assert all(torch.equal(value.grad, expected[name]) for name, value in trainer._parameters.items())


def test_a_vllm_server_needs_an_address_and_an_adapter(base: Path, tmp_path: Path) -> None:
    with pytest.raises(TrainingError, match="address = 'http"):
        made(base, tmp_path, engine="vllm", address="http://127.0.0.1:8000/v1")
    with pytest.raises(TrainingError, match="rank = 0"):
        made(base, tmp_path, engine="vllm", address="policy@http://127.0.0.1:8000/v1", rank=0)


def test_llama_cpp_runs_no_folders(base: Path, tmp_path: Path) -> None:
    with pytest.raises(TrainingError, match="runs GGUF files"):
        made(base, tmp_path, engine="llama")


def test_a_gpu_that_is_not_there(base: Path, tmp_path: Path) -> None:
    if torch.cuda.is_available():
        pytest.skip("this machine has a GPU")
    with pytest.raises(TrainingError, match="device = cuda"):
        made(base, tmp_path, device="cuda")


def test_a_checkpoint_that_is_missing_damaged_or_of_another_model_changes_nothing(base: Path, tmp_path: Path) -> None:
    async def work() -> None:
        trainer = moved(made(base, tmp_path / "one"))
        before = weights_of(trainer)
        with pytest.raises(TrainingError, match="no checkpoint"):
            await trainer.load(tmp_path / "nothing")
        other = made(base, tmp_path / "two", rank=4)
        await other.save(tmp_path / "rank4")
        with pytest.raises(TrainingError, match="another model, rank or targets"):
            await trainer.load(tmp_path / "rank4")
        await trainer.save(tmp_path / "cut")
        for name in ("adapter_model.safetensors", "optimizer.pt", "redwell.json"):
            file = tmp_path / "cut" / name
            whole = file.read_bytes()
            file.write_bytes(whole[: len(whole) // 2])
            with pytest.raises(TrainingError, match="damaged"):
                await trainer.load(tmp_path / "cut")
            file.write_bytes(whole)
        assert all(torch.equal(value, before[name]) for name, value in weights_of(trainer).items())

    run(work)


FULL = """
import asyncio, resource, signal, sys
from pathlib import Path
import torch
from redwell.train.local.trainer import LocalTrainer
from redwell.train.types import TrainingError

async def work(base, folder):
    trainer = LocalTrainer(Path(base), Path(folder), precision="fp32", device="cpu")
    await trainer.save(Path(folder) / "kept")
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (2_000, 2_000))
    trainer.version = 7
    try:
        await trainer.save(Path(folder) / "kept")
    except TrainingError as error:
        print(error)

asyncio.run(work(*sys.argv[1:]))
"""


def test_a_disk_without_room_keeps_the_checkpoint_before(base: Path, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", FULL, str(base), str(tmp_path)], capture_output=True, text=True, check=True
    )
    assert f"{tmp_path / 'kept'}: the checkpoint cannot be written" in done.stdout
    assert sorted(path.name for path in tmp_path.iterdir()) == ["kept"]
    trainer = made(base, tmp_path)
    run(lambda: trainer.load(tmp_path / "kept"))
    assert trainer.version == 0


def test_a_kill_between_the_two_renames_of_a_save_is_mended(base: Path, tmp_path: Path) -> None:
    trainer = made(base, tmp_path)
    run(lambda: trainer.save(tmp_path / "kept"))
    (tmp_path / "kept").rename(tmp_path / ".kept.old")
    run(lambda: trainer.load(tmp_path / "kept"))
    assert (tmp_path / "kept").is_dir()
