"""Training through a Tinker server: whose gradients are right, which servers are refused, and what a lost or strange one leads to."""

from __future__ import annotations

import asyncio
import itertools
import json
import math
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, TypeVar

import httpx
import pytest

torch = pytest.importorskip("torch", reason="the train extra is not installed: make test-train")

from train.tinker_server import VOCABULARY, TinkerStub  # noqa: E402
from train.toy import write_policy  # noqa: E402

from redwell.models.keys import Key  # noqa: E402
from redwell.train.losses import policy_loss, sft_loss  # noqa: E402
from redwell.train.tinker_engine import TinkerEngine  # noqa: E402
from redwell.train.tinker_trainer import TinkerTrainer  # noqa: E402
from redwell.train.tinker_wire import TinkerServer  # noqa: E402
from redwell.train.types import Datum, LossSettings, TrainingError  # noqa: E402

T = TypeVar("T")
SOFT = LossSettings("grpo", mask_low=0.0, mask_high=1e9)
GSPO = LossSettings("gspo", low=3e-4, high=4e-4, mask_low=0.0, mask_high=1e9)


def trained(server: TinkerStub, work: Callable[[TinkerTrainer], Awaitable[T]], **given: Any) -> T:
    async def main() -> T:
        trainer = TinkerTrainer(server.address, "table", patience=0.5, **given)
        try:
            return await work(trainer)
        finally:
            await trainer.close()

    return asyncio.run(main())


def refused(server: TinkerStub, work: Callable[[TinkerTrainer], Awaitable[Any]], **given: Any) -> str:
    with pytest.raises(TrainingError) as raised:
        trained(server, work, **given)
    return str(raised.value)


def data(seed: int = 0, rollouts: int = 3) -> list[Datum]:
    """Rollouts of one or two segments, with prompts and outputs in between that are not trained on."""
    generator = torch.Generator().manual_seed(seed)
    found = []
    for rollout in range(rollouts):
        segments = []
        for _ in range(1 + rollout % 2):
            length = int(torch.randint(4, 12, (1,), generator=generator))
            ids = torch.randint(0, VOCABULARY, (length,), generator=generator).tolist()
            mask = [False, *(torch.rand(length - 1, generator=generator) > 0.4).tolist()]
            sampled = (-3 * torch.rand(length, generator=generator)).tolist()
            segments.append((ids, mask, sampled))
        count = sum(sum(mask) for _, mask, _ in segments)
        advantage = float(torch.randn(1, generator=generator))
        found += [Datum(tuple(i), tuple(m), tuple(s), advantage, rollout, count) for i, m, s in segments]
    return found


def ours(given: list[Datum], settings: LossSettings) -> Any:
    """The gradient of our loss over the table itself, with no server between."""
    with TinkerStub() as server:
        server._answer("create_model", {})
        table = server.table.detach().clone().requires_grad_()
    logs, flat = [], []
    for datum in given:
        ids = torch.tensor(datum.ids)
        new = torch.log_softmax(table[ids[:-1]], -1).gather(-1, ids[1:, None])[:, 0]
        logs.append(torch.cat([new.new_zeros(1), new]))
        flat += [(datum.rollout, datum.advantage)] * len(ids)
    new = torch.cat(logs)
    mask = torch.tensor([one for datum in given for one in datum.trained])
    if settings.kind == "sft":
        loss = sft_loss(new, mask, int(mask.sum()))
    else:
        counts = {datum.rollout: datum.tokens for datum in given}
        loss, _ = policy_loss(
            new,
            new.detach(),
            torch.tensor([one for datum in given for one in datum.sampled], dtype=new.dtype),
            torch.tensor([one for _, one in flat], dtype=new.dtype),
            mask,
            torch.tensor([one for one, _ in flat]),
            torch.tensor([counts[one] for one in sorted(counts)]),
            len(counts),
            settings,
        )
    loss.backward()
    return float(loss.detach()), table.grad


# --- gradients ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "settings",
    [LossSettings("sft"), SOFT, GSPO, LossSettings("grpo", mask_low=0.1)],
    ids=["sft", "grpo", "gspo", "masked"],
)
def test_the_servers_gradient_is_that_of_our_loss(settings: LossSettings) -> None:
    given = data()
    loss, slope = ours(given, settings)
    with TinkerStub() as server:

        async def work(trainer: TinkerTrainer) -> tuple[float, float, Any]:
            report = await trainer.forward_backward(given, settings)
            found = server.table.grad.clone()
            return report.loss, await trainer.optim_step(0.1), found

        told, norm, found = trained(server, work)
    assert told == pytest.approx(loss, rel=1e-9)
    assert torch.allclose(found, slope, atol=1e-12)
    assert norm == pytest.approx(float(slope.norm()), rel=1e-9)
    assert float(slope.norm()) > 1e-3


def test_two_halves_of_a_sum_are_the_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    given = data(rollouts=6)
    with TinkerStub() as server:

        async def work(trainer: TinkerTrainer) -> Any:
            await trainer.forward_backward(given, LossSettings("sft"))
            return server.table.grad.clone()

        at_once = trained(server, work)
    monkeypatch.setattr("redwell.train.tinker_trainer._TOKENS_AT_ONCE", 12)
    with TinkerStub() as server:
        found = trained(server, work)
        assert server.count("forward_backward") > 5 + 3
    assert torch.allclose(at_once, found, atol=1e-12)


def test_old_log_probabilities_of_the_step_are_used_when_they_are_known() -> None:
    given = data()

    async def work(trainer: TinkerTrainer) -> tuple[float, float]:
        old = await trainer.logprobs(given)
        known = [
            Datum(d.ids, d.trained, d.sampled, d.advantage, d.rollout, d.tokens, o)
            for d, o in zip(given, old, strict=True)
        ]
        await trainer.forward_backward(known, SOFT)
        await trainer.optim_step(0.5)
        after = await trainer.forward_backward(known, SOFT)
        anew = await trainer.forward_backward(given, SOFT)
        return after.metrics["ratio"], anew.metrics["ratio"]

    with TinkerStub() as server:
        moved, still = trained(server, work)
    assert still == pytest.approx(1.0)
    assert abs(moved - 1.0) > 1e-4


def test_log_probabilities_are_those_of_each_token_after_the_ones_before_it() -> None:
    given = data(rollouts=1)
    with TinkerStub() as server:
        (found,) = trained(server, lambda trainer: trainer.logprobs(given))
        server._answer("create_model", {})
        table = torch.log_softmax(server.table.detach(), -1)
    ids = given[0].ids
    assert found[0] == 0.0
    assert found[1:] == pytest.approx([float(table[a, b]) for a, b in itertools.pairwise(ids)])


def test_steps_raise_the_log_probability_of_what_is_learned() -> None:
    given = data()

    async def work(trainer: TinkerTrainer) -> list[float]:
        losses = []
        for _ in range(5):
            losses.append((await trainer.forward_backward(given, LossSettings("sft"))).loss)
            await trainer.optim_step(1.0)
        return losses

    with TinkerStub() as server:
        losses = trained(server, work)
    assert losses == sorted(losses, reverse=True)
    assert losses[-1] < losses[0] - 0.1


# --- the self-test ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("scale", "said"),
    [
        ("weights", "half of a loss has 1 times the gradient of the loss, where it must be 0.5 times"),
        (
            "mean",
            "the loss of a sequence that is there twice has 1 times the gradient of the loss, where it must be 2 times",
        ),
        ("positive", "a loss with its sign turned has 0 times the gradient of the loss, where it must be 1 times"),
    ],
)
def test_a_server_that_scales_losses_wrongly_is_refused(scale: str, said: str) -> None:
    with TinkerStub(scale=scale) as server:
        told = refused(server, lambda trainer: trainer.logprobs(data()))
        assert server.models == {}
    assert told.startswith(server.address)
    assert said in told


def test_a_server_that_does_not_tell_the_norm_is_refused() -> None:
    with TinkerStub(tells_norm=False) as server:
        assert "does not tell the norm of the gradient" in refused(server, lambda trainer: trainer.publish())


def test_what_is_measured_at_the_start_is_never_trained_on() -> None:
    with TinkerStub() as server:

        async def work(trainer: TinkerTrainer) -> list[int]:
            await asyncio.gather(*(trainer.logprobs(data()) for _ in range(3)))
            return [model.steps for model in server.models.values()]

        assert trained(server, work) == [0]
        assert server.count("create_session") == 1
        assert server.count("create_model") == 2


# --- sampling, publishing, checkpoints ----------------------------------------------------------------------------------------


def test_samples_are_tagged_with_the_policy_that_they_began_with() -> None:
    given = [Datum((3, 9), (False, True), (0.0, -1.0), 1.0, 0, 1)]

    async def work(trainer: TinkerTrainer) -> list[Any]:
        await trainer.logprobs(given)
        engine = await trainer._sampler()
        before = await engine.sample([3], max_tokens=40, stop=[5], seed=11)
        await trainer.forward_backward(given, LossSettings("sft"))
        await trainer.optim_step(5.0)
        unpublished = await engine.sample([3], max_tokens=40, stop=[5], seed=11)
        assert await trainer.publish() == 1
        after = await engine.sample([3], max_tokens=40, stop=[5], seed=11)
        return [before, unpublished, after]

    with TinkerStub() as server:
        before, unpublished, after = trained(server, work)
    assert before == unpublished
    assert set(before.versions) == {0}
    assert set(after.versions) == {1}
    assert after.logprobs != before.logprobs[: len(after.logprobs)]
    for one in (before, after):
        assert len(one.ids) == len(one.logprobs) == len(one.versions)
        assert (one.finish == "stop") == (one.ids[-1] == 5)


def test_a_checkpoint_brings_back_weights_and_version(tmp_path: Path) -> None:
    given = data()

    async def learn(trainer: TinkerTrainer) -> Any:
        await trainer.forward_backward(given, LossSettings("sft"))
        await trainer.optim_step(1.0)
        await trainer.publish()
        await trainer.save(tmp_path / "one")
        return server.table.detach().clone()

    async def go_on(trainer: TinkerTrainer) -> tuple[int, Any]:
        await trainer.load(tmp_path / "one")
        return trainer.version, server.table.detach().clone()

    with TinkerStub() as server:
        kept = trained(server, learn)
        version, found = trained(server, go_on)
    assert version == 1
    assert torch.equal(kept, found)


@pytest.mark.parametrize(
    ("written", "said"),
    [
        (None, "there is no checkpoint"),
        ("{", "is damaged"),
        ('{"path": "tinker://a/weights/b", "version": 2, "base": "another"}', "the checkpoint is of another"),
        ('{"path": "tinker://a/weights/b", "version": 2, "base": "table"}', "load_weights was refused (404)"),
    ],
)
def test_a_checkpoint_that_cannot_be_gone_on_from_is_told(tmp_path: Path, written: str | None, said: str) -> None:
    if written is not None:
        (tmp_path / "tinker.json").write_text(written)
    with TinkerStub() as server:
        assert said in refused(server, lambda trainer: trainer.load(tmp_path))


def test_the_policy_is_served_token_by_token(tmp_path: Path) -> None:
    """Through the gateway, by the tokenizer of a folder; each token is told with the policy that sampled it."""
    asked = {"model": "policy", "messages": [{"role": "user", "content": "w9 w12"}], "max_tokens": 8, "seed": 5}

    async def work(trainer: TinkerTrainer) -> list[dict[str, Any]]:
        url = await trainer.start()
        assert await trainer.start() == url == trainer.url
        async with httpx.AsyncClient(trust_env=False) as client:
            first = await client.post(
                f"{url}/chat/completions", json={**asked, "return_token_ids": True, "logprobs": True}
            )
            await trainer.publish()
            second = await client.post(
                f"{url}/chat/completions", json={**asked, "return_token_ids": True, "logprobs": True}
            )
        return [first.json(), second.json()]

    with TinkerStub() as server:
        first, second = trained(server, work, tokenizer=write_policy(tmp_path, 0))
    for answer, version in ((first, 0), (second, 1)):
        (choice,) = answer["choices"]
        ids = choice["token_ids"]
        assert 0 < len(ids) == len(choice["logprobs"]["content"]) <= 8
        assert choice["policy_versions"] == [version] * len(ids)
        assert answer["prompt_token_ids"]
    assert first["choices"][0]["token_ids"] == second["choices"][0]["token_ids"]


def test_a_tokenizer_that_is_not_there_is_told(tmp_path: Path) -> None:
    with TinkerStub() as server:
        told = refused(server, lambda trainer: trainer.start(), tokenizer=tmp_path / "gone")
    assert "the tokenizer of table is needed" in told


# --- faults -------------------------------------------------------------------------------------------------------------------


def test_a_loss_that_is_not_finite_is_not_sent() -> None:
    given = [Datum((1, 2, 3), (False, True, True), (0.0, -1.0, -1.0), math.inf, 0, 2)]
    with TinkerStub() as server:

        async def work(trainer: TinkerTrainer) -> None:
            await trainer.logprobs(given)
            before = server.count("forward_backward")
            try:
                await trainer.forward_backward(given, SOFT)
            finally:
                assert server.count("forward_backward") == before

        assert "a slope that is not finite; nothing was sent" in refused(server, work)


def test_nobody_at_the_address_is_told_with_the_way_out() -> None:
    with TinkerStub() as server:
        pass
    told = refused(server, lambda trainer: trainer.publish())
    assert told.startswith(f"{server.address}: no answer to create_session")
    assert "see whether the Tinker server runs there" in told


@pytest.mark.parametrize(
    ("path", "answer", "said"),
    [
        ("create_session", (200, b"<html>"), "its answer is no JSON; is it a Tinker server?"),
        ("create_session", (200, b"[]"), "its answer is no JSON object"),
        ("create_session", (404, b'{"detail": "Not Found"}'), "create_session was refused (404): Not Found"),
        ("create_model", (422, b'{"detail": [{"loc": ["rank"], "msg": "too large"}]}'), "too large"),
        ("create_model", (200, b"{}"), "answered without request_id"),
        ("forward", (500, b"out of memory"), "forward was refused (500): out of memory"),
        ("forward", (200, b'{"request_id": 3}'), "forward: it gave no request_id"),
        ("forward", (0, b""), "no answer to forward"),
    ],
)
def test_a_strange_answer_is_told_in_one_sentence(path: str, answer: tuple[int, bytes], said: str) -> None:
    def wrong(asked: str, body: dict[str, Any]) -> tuple[int, bytes] | None:
        return answer if asked == path else None

    with TinkerStub(wrong=wrong) as server:
        told = refused(server, lambda trainer: trainer.logprobs(data()))
    assert said in told
    assert "\n" not in told


@pytest.mark.parametrize(
    ("result", "said"),
    [
        ({"error": "CUDA out of memory"}, "forward failed: CUDA out of memory"),
        ({"loss_fn_outputs": []}, "no log-probabilities"),
        ({"loss_fn_outputs": [{"logprobs": {"data": [-1.0]}}]}, "it gave 1 log-probabilities for 2 tokens"),
    ],
)
def test_a_result_that_is_none_is_told(result: dict[str, Any], said: str) -> None:
    given = [Datum((1, 2, 3), (False, True, True), (0.0, -1.0, -1.0), 1.0, 0, 2)]
    with TinkerStub() as server:
        server._forward = lambda body: result  # type: ignore[method-assign]
        assert said in refused(server, lambda trainer: trainer.logprobs(given))


def test_a_result_is_waited_for_and_fetched_again_after_a_broken_connection() -> None:
    tries = iter([(408, b"{}"), (0, b""), (200, b'{"type": "try_again", "queue_state": "active"}')])

    def wrong(path: str, body: dict[str, Any]) -> tuple[int, bytes] | None:
        return next(tries, None) if path == "retrieve_future" else None

    with TinkerStub(wrong=wrong) as server:
        found = trained(server, lambda trainer: trainer.logprobs(data()))
        assert server.count("create_model") == 2
    assert len(found) == len(data())
    assert next(tries, None) is None


def test_the_key_is_sent_and_never_shown() -> None:
    def wrong(path: str, body: dict[str, Any]) -> tuple[int, bytes] | None:
        return (
            (401, json.dumps({"detail": "the key tml-secret-key-1 is not known"}).encode())
            if path == "create_model"
            else None
        )

    with TinkerStub(wrong=wrong) as server:
        told = refused(server, lambda trainer: trainer.publish(), key=Key("tml-secret-key-1"))
        assert all(headers["X-API-Key"] == "tml-secret-key-1" for _, _, headers in server.asked)
    assert "is not known" in told
    assert "tml-secret" not in told


@pytest.mark.parametrize("answer", [{}, {"sequences": []}, {"sequences": [{"tokens": [1, 2], "logprobs": [-1.0]}]}])
def test_an_answer_without_tokens_ends_in_an_error(answer: dict[str, Any]) -> None:
    async def work() -> None:
        wire = TinkerServer(server.address, patience=0.5)
        try:
            await TinkerEngine(wire, "tinker://any").sample([1], max_tokens=4, stop=[])
        finally:
            await wire.close()

    with TinkerStub() as server:
        server._asample = lambda body: answer  # type: ignore[method-assign]
        with pytest.raises(TrainingError, match="asample"):
            asyncio.run(work())


def test_a_penalty_against_the_first_weights_is_refused() -> None:
    with TinkerStub() as server:
        told = refused(server, lambda trainer: trainer.forward_backward(data(), LossSettings("grpo", kl=0.1)))
    assert told.startswith("loss.kl")
