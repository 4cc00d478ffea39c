"""The engine on llama.cpp, in its own process: every token with its id and its log-probability, whatever happens to the process."""

import asyncio
import os
import signal
from collections.abc import Callable, Coroutine, Sequence
from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="the train extra is not installed: make test-train")
pytest.importorskip("xllamacpp", reason="the train extra is not installed: make test-train")

from servers import small_policy  # noqa: E402

from redwell.train.serving.limits import PromptTooLong  # noqa: E402
from redwell.train.serving.llama_engine import LlamaEngine  # noqa: E402
from redwell.train.serving.vocabulary import gguf_head  # noqa: E402
from redwell.train.serving.whole_tokens import with_whole_tokens  # noqa: E402
from redwell.train.types import Sampled, TrainingError  # noqa: E402

END = 257
PROMPTS = [[256, 10, 20], [256, 33], [5, 6, 7, 8, 9, 10, 11, 12], [256] + [40] * 30, [1], [2, 3]]
pytestmark = pytest.mark.xdist_group("llama")


@pytest.fixture(scope="module")
def policy() -> Any:
    return small_policy.model()


@pytest.fixture(scope="module")
def file(policy: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return small_policy.gguf_file(tmp_path_factory.mktemp("policy") / "policy.gguf", policy)


def run(file: Path, talk: Callable[[LlamaEngine], Coroutine[Any, Any, Any]], **given: Any) -> Any:
    async def go() -> Any:
        engine = LlamaEngine(file, **({"slots": 4, "context": 1024} | given))
        try:
            return await talk(engine)
        finally:
            await engine.close()

    return asyncio.run(asyncio.wait_for(go(), 120))


def logprobs(model: Any, prompt: list[int], sampled: Sampled) -> list[float]:
    with torch.no_grad():
        logits = model(torch.tensor([[*prompt, *sampled.ids]])).logits[0]
    after = torch.log_softmax(logits.float(), -1)[len(prompt) - 1 : -1]
    return [float(row[token]) for row, token in zip(after, sampled.ids, strict=True)]


def agree(given: Sequence[float], wanted: Sequence[float]) -> None:
    """To what llama.cpp loses by keeping keys and values in fp16."""
    gaps = [abs(one - other) for one, other in zip(given, wanted, strict=True)]
    assert max(gaps) < 0.1
    assert sum(gaps) / len(gaps) < 0.01


async def together(engine: LlamaEngine, *, tokens: int, stop: tuple[int, ...] = (END,)) -> list[Sampled]:
    return await asyncio.gather(
        *(engine.sample(prompt, max_tokens=tokens, stop=stop, seed=seed) for seed, prompt in enumerate(PROMPTS))
    )


def test_every_token_has_its_id_and_the_log_probability_that_torch_gives_it(policy: Any, file: Path) -> None:
    """Most of these tokens are single bytes that are no text by themselves."""
    for prompt, sampled in zip(PROMPTS, run(file, lambda engine: together(engine, tokens=60)), strict=True):
        assert len(sampled.ids) == len(sampled.logprobs) == len(sampled.versions)
        assert sampled.finish == ("stop" if sampled.ids[-1] == END else "length")
        assert END not in sampled.ids[:-1]
        assert len(sampled.ids) == 60 or sampled.finish == "stop"
        agree(sampled.logprobs, logprobs(policy, prompt, sampled))


def test_the_whole_distribution_is_sampled_from(policy: Any, file: Path) -> None:
    """The first token of 600 requests, against the model's own probabilities: nothing of the tail is cut off."""
    with torch.no_grad():
        wanted = torch.softmax(policy(torch.tensor([[7, 8]])).logits[0, -1].float(), -1)

    async def talk(engine: LlamaEngine) -> list[Sampled]:
        return await asyncio.gather(
            *(engine.sample([7, 8], max_tokens=1, stop=(), seed=1000 + number) for number in range(600))
        )

    drawn = [one.ids[0] for one in run(file, talk)]
    order = wanted.argsort(descending=True).tolist()
    for best in (5, 40, 100):  # 40 is where llama.cpp cuts by default
        share = float(wanted[order[:best]].sum())
        seen = sum(token in order[:best] for token in drawn) / len(drawn)
        assert abs(seen - share) < 4 * (share * (1 - share) / len(drawn)) ** 0.5 + 1e-9
    assert any(token not in order[:40] for token in drawn)


def test_a_seed_is_the_request_s_own(file: Path) -> None:
    async def talk(engine: LlamaEngine) -> list[Sampled]:
        return [await engine.sample([7], max_tokens=20, stop=(), seed=seed) for seed in (3, 3, 4)]

    first, again, other = run(file, talk)
    assert first.ids == again.ids != other.ids


def test_a_token_that_only_the_caller_takes_for_an_end_ends_the_answer_and_is_kept(file: Path) -> None:
    async def talk(engine: LlamaEngine) -> tuple[Sampled, Sampled]:
        free = await engine.sample([9], max_tokens=12, stop=(), seed=1)
        return free, await engine.sample([9], max_tokens=12, stop=(free.ids[4],), seed=1)

    free, stopped = run(file, talk)
    assert stopped.finish == "stop"
    assert stopped.ids == free.ids[: free.ids.index(free.ids[4]) + 1]


def test_new_weights_take_over_requests_in_flight_and_the_old_process_ends(
    policy: Any, file: Path, tmp_path: Path
) -> None:
    adapter = small_policy.adapter(tmp_path / "adapter", seed=1, strength=0.3)

    async def talk(engine: LlamaEngine) -> list[Sampled]:
        running = asyncio.ensure_future(together(engine, tokens=900))
        while engine.pid is None:
            await asyncio.sleep(0.01)
        old = engine.pid
        await engine.swap(adapter, 1)
        assert (engine.version, len(list(Path(engine._folder.name).glob("adapter-*")))) == (1, 1)
        assert engine.pid != old
        with pytest.raises(ProcessLookupError):
            os.kill(old, 0)
        result = await running
        await engine.swap(adapter, 2)
        assert [one.name for one in Path(engine._folder.name).glob("adapter-*")] == ["adapter-2.gguf"]
        later = await engine.sample(PROMPTS[0], max_tokens=5, stop=())
        assert set(later.versions) == {2}
        return result

    sampled = run(file, talk)
    adapted = pytest.importorskip("peft").PeftModel.from_pretrained(small_policy.model(), adapter).eval()
    for prompt, one in zip(PROMPTS, sampled, strict=True):
        assert list(one.versions) == sorted(one.versions)
        both = (logprobs(policy, prompt, one), logprobs(adapted, prompt, one))
        agree(one.logprobs, [both[version][place] for place, version in enumerate(one.versions)])
    assert any(1 in one.versions for one in sampled)


def test_a_process_that_is_killed_is_started_again_and_its_requests_go_on(policy: Any, file: Path) -> None:
    async def talk(engine: LlamaEngine) -> list[Sampled]:
        await engine.sample([1], max_tokens=1, stop=())
        first = engine.pid
        assert first is not None
        running = asyncio.ensure_future(together(engine, tokens=900, stop=()))
        await asyncio.sleep(0.05)
        os.kill(first, signal.SIGKILL)
        result = await running
        assert engine.pid not in (None, first)
        return result

    for prompt, one in zip(PROMPTS, run(file, talk), strict=True):
        assert one.finish in ("stop", "length")
        agree(one.logprobs, logprobs(policy, prompt, one))


def test_an_engine_that_cannot_be_started_again_is_lost_in_plain_words(file: Path, tmp_path: Path) -> None:
    copy = tmp_path / "policy.gguf"
    copy.write_bytes(file.read_bytes())

    async def talk(engine: LlamaEngine) -> None:
        await engine.sample([1], max_tokens=1, stop=())
        (Path(engine._folder.name) / "policy.gguf").write_bytes(b"GGUF no more")
        assert engine.pid is not None
        os.kill(engine.pid, signal.SIGKILL)
        with pytest.raises(TrainingError, match=r"lost 3 times in a row: policy\.gguf cannot be run"):
            await engine.sample([1], max_tokens=1, stop=())

    run(copy, talk)


def test_what_is_no_model_or_too_long_or_closed_is_said(file: Path, tmp_path: Path) -> None:
    (tmp_path / "text.gguf").write_text("these are no weights, " * 10)

    async def wrong(engine: LlamaEngine) -> None:
        with pytest.raises(TrainingError, match="is not a GGUF file"):
            await engine.sample([1], max_tokens=1, stop=())

    run(tmp_path / "text.gguf", wrong)

    async def long(engine: LlamaEngine) -> None:
        with pytest.raises(PromptTooLong):
            await engine.sample([1] * 1024, max_tokens=1, stop=())
        with pytest.raises(TrainingError, match=r"policy\.gguf cannot be run"):
            await engine.swap(tmp_path / "text.gguf", 1)
        assert engine.version == 0
        cut = await engine.sample([1] * 1000, max_tokens=900, stop=())
        assert len(cut.ids) == 24 or cut.ids[-1] == END
        await engine.close()
        with pytest.raises(TrainingError, match="closed"):
            await engine.sample([1], max_tokens=1, stop=())

    run(file, long)


def test_tokens_that_are_parts_of_characters_are_spelled_apart_and_nothing_else_moves(
    file: Path, tmp_path: Path
) -> None:
    with_whole_tokens(file, tmp_path / "copy.gguf")
    before, after = gguf_head(file), gguf_head(tmp_path / "copy.gguf")
    old, new = before.pop("tokenizer.ggml.tokens"), after.pop("tokenizer.ggml.tokens")
    assert before == after
    changed = [token for token, now in zip(old, new, strict=True) if token != now]
    assert len(changed) == 128  # the bytes from 0x80 on
    assert len(set(new)) == len(new)
    first, second = file.read_bytes(), (tmp_path / "copy.gguf").read_bytes()
    assert len(first) == len(second)
    assert sum(one != other for one, other in zip(first, second, strict=True)) <= 2 * len(changed)
