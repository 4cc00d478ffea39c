"""The engine on a vLLM server, against a server that answers as vLLM does: what it is asked for, and requests that outlive a swap and a break."""

import asyncio
import json
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError
from servers.scripted import Answer, Received, Scripted, drop, raw, status

from redwell.train.config import Policy
from redwell.train.serving.limits import PromptTooLong
from redwell.train.serving.vllm_engine import VllmEngine
from redwell.train.types import Sampled, TrainingError

MODELS = {"data": [{"id": "base", "max_model_len": 64}]}


def stream(tokens: list[tuple[int, float]], finish: str | None) -> bytes:
    """The body of a streamed completion, one token in each piece."""
    pieces: list[dict[str, Any]] = [
        {"token_ids": [token], "logprobs": {"token_logprobs": [logprob]}, "finish_reason": None}
        for token, logprob in tokens
    ]
    if finish and pieces:
        pieces[-1]["finish_reason"] = finish
    return (
        b"".join(b"data: %s\n\n" % json.dumps({"choices": [piece]}).encode() for piece in pieces) + b"data: [DONE]\n\n"
    )


class Vllm:
    """Answers completions from a list and everything else as a server with adapters does."""

    def __init__(self, *completions: Answer, pauses: bool = True, loads: bool = True) -> None:
        self._completions = list(completions)
        self._pauses, self._loads = pauses, loads

    def __call__(self, received: Received) -> Answer:
        if received.path == "/v1/completions":
            return self._completions.pop(0)
        if received.path == "/v1/models":
            return raw(json.dumps(MODELS).encode())
        if received.path.startswith(("/pause", "/resume")):
            return raw(b"{}") if self._pauses else status(404)
        return raw(b"Success") if self._loads else status(400, "the rank is larger than max_lora_rank")


def run(script: Callable[[Received], Answer], talk: Callable[[VllmEngine, Scripted], Coroutine[Any, Any, Any]]) -> Any:
    async def go(server: Scripted) -> Any:
        engine = VllmEngine(server.url, "base")
        try:
            return await asyncio.wait_for(talk(engine, server), 30)
        finally:
            await engine.close()

    with Scripted(script) as server:
        return asyncio.run(go(server))


def completions(server: Scripted) -> list[dict[str, Any]]:
    return [received.body for received in server.requests if received.path == "/v1/completions"]


def test_ids_go_in_and_out_and_nothing_bends_the_distribution() -> None:
    async def talk(engine: VllmEngine, server: Scripted) -> Sampled:
        sampled = await engine.sample([1, 2], max_tokens=500, stop=[9], seed=3)
        [body] = completions(server)
        assert body["prompt"] == [1, 2]
        assert body["max_tokens"] == 62  # what the context leaves
        assert (body["model"], body["seed"], body["stop_token_ids"]) == ("base", 3, [9])
        assert (body["temperature"], body["top_p"], body["top_k"], body["min_p"]) == (1.0, 1.0, -1, 0.0)
        assert body["repetition_penalty"] == 1.0
        assert body["return_token_ids"] is True
        return sampled

    sampled = run(Vllm(raw(stream([(4, -0.5), (9, -0.25)], "stop"))), talk)
    assert sampled == Sampled((4, 9), (-0.5, -0.25), (0, 0), "stop")


@pytest.mark.parametrize("pauses", [True, False])
def test_a_swap_sends_a_request_in_flight_on_to_the_new_adapter_with_its_ids_so_far(
    pauses: bool, tmp_path: Path
) -> None:
    slow = Answer(body=stream([(token, -0.5) for token in range(20)], "length"), trickle=20.0)
    script = Vllm(slow, raw(stream([(50, -1.0)], "stop")), raw(stream([(51, -1.0)], "stop")), pauses=pauses)

    async def talk(engine: VllmEngine, server: Scripted) -> Sampled:
        running = asyncio.ensure_future(engine.sample([1], max_tokens=20, stop=[50], seed=7))
        await asyncio.sleep(3)  # two or three tokens of twenty
        await engine.swap(tmp_path, 1)
        sampled = await running
        await engine.swap(None, 2)
        await engine.sample([1], max_tokens=2, stop=[51])
        first, second, third = completions(server)
        so_far = sampled.ids[:-1]
        assert 0 < len(so_far) < 20
        assert second["prompt"] == [1, *so_far]
        assert (second["model"], third["model"]) == ("policy-1", "base")
        assert second["seed"] != first["seed"]
        assert second["max_tokens"] == 20 - len(so_far)
        paths = [
            received.path for received in server.requests if received.path not in ("/v1/completions", "/v1/models")
        ]
        assert paths[:3] == [
            "/pause?mode=keep",
            "/v1/load_lora_adapter",
            *(["/resume"] if pauses else ["/pause?mode=keep"]),
        ]
        assert paths[-1] == "/v1/unload_lora_adapter"
        return sampled

    sampled = run(script, talk)
    assert sampled.versions == (*(0 for _ in sampled.ids[:-1]), 1)
    assert sampled.ids == (*range(len(sampled.ids) - 1), 50)


def test_a_request_goes_on_where_a_connection_broke_and_gives_up_after_three_without_a_token() -> None:
    broken = raw(stream([(4, -0.5)], None))

    async def goes_on(engine: VllmEngine, server: Scripted) -> Sampled:
        sampled = await engine.sample([1], max_tokens=9, stop=[9])
        assert [body["prompt"] for body in completions(server)] == [[1], [1, 4], [1, 4], [1, 4]]
        return sampled

    script = Vllm(broken, drop("before"), status(503, "busy"), raw(stream([(9, -0.5)], "stop")))
    assert run(script, goes_on).ids == (4, 9)

    async def gives_up(engine: VllmEngine, _: Scripted) -> None:
        with pytest.raises(TrainingError, match="lost 3 times in a row: busy"):
            await engine.sample([1], max_tokens=9, stop=[9])

    run(Vllm(*[status(503, "busy")] * 3), gives_up)


def test_what_the_server_refuses_is_said_in_its_words(tmp_path: Path) -> None:
    async def talk(engine: VllmEngine, _: Scripted) -> None:
        with pytest.raises(PromptTooLong):
            await engine.sample([1] * 64, max_tokens=1, stop=[])
        with pytest.raises(TrainingError, match="refused the request: no such thing"):
            await engine.sample([1], max_tokens=1, stop=[])
        with pytest.raises(TrainingError, match="sent 1 ids and 0 log-probabilities"):
            await engine.sample([1], max_tokens=1, stop=[])
        with pytest.raises(TrainingError, match="the rank is larger than max_lora_rank"):
            await engine.swap(tmp_path, 1)
        assert (await engine.sample([1], max_tokens=1, stop=[])).versions == (0,)

    bare = raw(b'data: {"choices": [{"token_ids": [3]}]}\n\n')
    run(Vllm(status(400, "no such thing"), bare, raw(stream([(9, -0.5)], "length")), loads=False), talk)


def test_a_server_that_is_not_there_or_serves_another_model_is_named() -> None:
    async def absent() -> None:
        engine = VllmEngine("http://127.0.0.1:9", "base")
        with pytest.raises(TrainingError, match=r"no vLLM server can be reached at http://127\.0\.0\.1:9"):
            await engine.sample([1], max_tokens=1, stop=[])
        await engine.close()

    asyncio.run(absent())

    async def another(engine: VllmEngine, _: Scripted) -> None:
        with pytest.raises(TrainingError, match="does not serve base"):
            await engine.sample([1], max_tokens=1, stop=[])

    run(lambda _: raw(b'{"data": [{"id": "other"}]}'), another)


def test_a_recipe_serves_its_policy_by_a_vllm_server(tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="the train extra is not installed: make test-train")
    from train.toy import END, ask, write_policy

    from redwell.train.setup import make_trainer

    base = str(write_policy(tmp_path / "base", 0))
    given = {"base": base, "engine": "vllm", "device": "cpu", "rank": 2}
    with pytest.raises(ValidationError, match=r"address is missing.*vllm"):
        Policy(**given)

    async def go(server: Scripted) -> dict[str, Any]:
        trainer = await make_trainer(Policy(**given, address=f"base@{server.url}"), tmp_path / "policy")
        try:
            url = await trainer.start()
            await trainer.publish()
            return await ask(url, [{"role": "user", "content": "w7"}], 5)
        finally:
            await trainer.close()

    with Scripted(Vllm(raw(stream([(41, -0.5), (END, -0.25)], "stop")))) as server:
        answer = asyncio.run(go(server))
        loaded = next(one.body for one in server.requests if one.path == "/v1/load_lora_adapter")
    choice = answer["choices"][0]
    assert (choice["token_ids"], choice["policy_versions"], choice["message"]["content"]) == ([41, END], [1, 1], "w41")
    assert Path(loaded["lora_path"]).name == "000001"
