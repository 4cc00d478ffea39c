"""The engine of very small models: what it samples is what the model says, alone or among others, before and after a swap."""

import asyncio
from pathlib import Path

import pytest

torch = pytest.importorskip("torch", reason="the train extra is not installed: make test-train")

from servers import small_policy  # noqa: E402

from redwell.train.serving.limits import PromptTooLong  # noqa: E402
from redwell.train.serving.torch_engine import TorchEngine, _draw  # noqa: E402
from redwell.train.types import Sampled, TrainingError  # noqa: E402

END = 257
PROMPTS = [[256, 10, 20], [256, 33], [5, 6, 7, 8, 9, 10, 11, 12], [256] + [40] * 30, [1]]


@pytest.fixture(scope="module")
def policy() -> object:
    return small_policy.model()


def logprobs(model: object, prompt: list[int], sampled: Sampled) -> list[float]:
    """By one plain forward pass over the whole sequence."""
    with torch.no_grad():
        logits = model(torch.tensor([[*prompt, *sampled.ids]])).logits[0]  # type: ignore[operator]
    after = torch.log_softmax(logits.float(), -1)[len(prompt) - 1 : -1]
    return [float(row[token]) for row, token in zip(after, sampled.ids, strict=True)]


async def together(engine: TorchEngine, *, tokens: int = 24) -> list[Sampled]:
    return await asyncio.gather(
        *(engine.sample(prompt, max_tokens=tokens, stop=[END], seed=seed) for seed, prompt in enumerate(PROMPTS))
    )


def test_log_probabilities_are_those_of_the_model_for_prompts_of_every_length_in_fewer_slots_than_requests(
    policy: object,
) -> None:
    async def go() -> list[Sampled]:
        engine = TorchEngine(policy, slots=3)
        try:
            return await together(engine)
        finally:
            await engine.close()

    for prompt, sampled in zip(PROMPTS, asyncio.run(go()), strict=True):
        assert len(sampled.ids) == len(sampled.logprobs) == len(sampled.versions)
        assert sampled.logprobs == pytest.approx(logprobs(policy, prompt, sampled), abs=1e-4)


def test_a_request_says_the_same_alone_as_among_others_and_another_with_another_seed(policy: object) -> None:
    async def go() -> tuple[list[Sampled], list[Sampled], Sampled]:
        engine = TorchEngine(policy, slots=4)
        crowd = await together(engine)
        alone = [
            await engine.sample(prompt, max_tokens=24, stop=[END], seed=seed) for seed, prompt in enumerate(PROMPTS)
        ]
        other = await engine.sample(PROMPTS[0], max_tokens=24, stop=[END], seed=99)
        await engine.close()
        return crowd, alone, other

    crowd, alone, other = asyncio.run(go())
    assert [one.ids for one in crowd] == [one.ids for one in alone]
    assert other.ids != alone[0].ids


def test_the_token_that_stops_is_kept_and_ends_the_answer(policy: object) -> None:
    async def go() -> tuple[Sampled, Sampled]:
        engine = TorchEngine(policy, slots=1)
        free = await engine.sample([1, 2], max_tokens=12, stop=[], seed=4)
        stopped = await engine.sample([1, 2], max_tokens=12, stop=[free.ids[5]], seed=4)
        await engine.close()
        return free, stopped

    free, stopped = asyncio.run(go())
    assert (free.finish, len(free.ids)) == ("length", 12)
    cut = free.ids.index(free.ids[5]) + 1
    assert (stopped.finish, stopped.ids) == ("stop", free.ids[:cut])


def test_the_distribution_sampled_from_is_the_whole_one() -> None:
    said = torch.log(torch.tensor([0.5, 0.3, 0.15, 0.05]))
    drawn = [_draw(said, 1.0, (number + 0.5) / 1000) for number in range(1000)]
    assert [drawn.count(token) for token in range(4)] == [500, 300, 150, 50]
    assert _draw(said, 0.0, 0.99) == 0
    hot = [_draw(said, 2.0, (number + 0.5) / 1000) for number in range(1000)]
    root = [value**0.5 for value in (0.5, 0.3, 0.15, 0.05)]
    assert [hot.count(token) for token in range(4)] == pytest.approx([1000 * one / sum(root) for one in root], abs=1)


def test_a_swap_keeps_requests_in_flight_and_each_token_carries_the_version_that_sampled_it(
    policy: object, tmp_path: Path
) -> None:
    adapter = small_policy.adapter(tmp_path / "adapter", seed=1)

    async def go() -> list[Sampled]:
        engine = TorchEngine(policy, slots=3)
        running = asyncio.ensure_future(together(engine, tokens=60))
        while not any(len(request.ids) > 10 for request in engine._running):
            await asyncio.sleep(0)
        await engine.swap(adapter, 1)
        result = await running
        await engine.close()
        return result

    sampled = asyncio.run(go())
    peft = pytest.importorskip("peft")
    adapted = peft.PeftModel.from_pretrained(small_policy.model(), adapter).eval()
    both = [one for one in sampled if set(one.versions) == {0, 1}]
    assert both
    for prompt, one in zip(PROMPTS, sampled, strict=True):
        assert list(one.versions) == sorted(one.versions)
        old, new = logprobs(policy, prompt, one), logprobs(adapted, prompt, one)
        wanted = [(old, new)[version][place] for place, version in enumerate(one.versions)]
        assert one.logprobs == pytest.approx(wanted, abs=1e-3)


def test_a_whole_model_can_be_swapped_in_and_the_base_again(policy: object, tmp_path: Path) -> None:
    small_policy.model(seed=7).save_pretrained(tmp_path / "other")

    async def go() -> tuple[Sampled, Sampled, Sampled]:
        engine = TorchEngine(policy, slots=1)
        first = await engine.sample([3, 4], max_tokens=10, stop=[], seed=1)
        await engine.swap(tmp_path / "other", 1)
        second = await engine.sample([3, 4], max_tokens=10, stop=[], seed=1)
        await engine.swap(None, 2)
        third = await engine.sample([3, 4], max_tokens=10, stop=[], seed=1)
        await engine.close()
        return first, second, third

    first, second, third = asyncio.run(go())
    assert second.logprobs == pytest.approx(logprobs(small_policy.model(seed=7), [3, 4], second), abs=1e-4)
    assert (first.ids, set(third.versions)) == (third.ids, {2})


def test_what_cannot_be_done_is_said_plainly_and_the_engine_goes_on(policy: object, tmp_path: Path) -> None:
    async def go() -> None:
        engine = TorchEngine(policy, slots=1, context=16)
        with pytest.raises(PromptTooLong, match="16 tokens and the policy's context length is 16"):
            await engine.sample([1] * 16, max_tokens=4, stop=[])
        with pytest.raises(TrainingError, match="the prompt is empty"):
            await engine.sample([], max_tokens=4, stop=[])
        with pytest.raises(TrainingError, match="holds no weights that fit"):
            await engine.swap(tmp_path / "nothing", 1)
        cut = await engine.sample([1] * 14, max_tokens=40, stop=[])
        assert (len(cut.ids), cut.finish, set(cut.versions)) == (2, "length", {0})
        await engine.close()
        with pytest.raises(TrainingError, match="closed"):
            await engine.sample([1], max_tokens=4, stop=[])

    asyncio.run(go())


def test_a_request_that_nobody_waits_for_gives_its_slot_away(policy: object) -> None:
    async def go() -> Sampled:
        engine = TorchEngine(policy, slots=1)
        given_up = asyncio.ensure_future(engine.sample([1], max_tokens=900, stop=[]))
        while not any(request.ids for request in engine._running):
            await asyncio.sleep(0)
        given_up.cancel()
        answer = await engine.sample([2], max_tokens=3, stop=[])
        assert len(engine._running) == 0
        await engine.close()
        return answer

    assert len(asyncio.run(go()).ids) == 3
