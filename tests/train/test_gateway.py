"""The endpoint of the policy: what is captured over many turns is what the engine saw, whatever the conversation does."""

import asyncio
import json
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

pytest.importorskip("tokenizers", reason="the train extra is not installed: make test-train")

from servers import small_policy

from redwell.models.openai_chat import OpenAIChat
from redwell.models.types import CallFailed, Message, Request
from redwell.train.serving.gateway import Gateway
from redwell.train.serving.limits import room_for
from redwell.train.serving.render import Renderer
from redwell.train.types import Sampled, TrainingError

START, END = 256, 257


@dataclass
class Told:
    """An engine that answers as it was told and remembers what it was given."""

    answers: Sequence[Sequence[int]] = ()
    context: int = 100_000
    seen: list[tuple[int, ...]] = field(default_factory=list)
    asked: list[dict[str, Any]] = field(default_factory=list)
    cancelled: int = 0
    wait: asyncio.Event | None = None
    lost: bool = False

    async def sample(self, prompt: Sequence[int], *, max_tokens: int, **rest: Any) -> Sampled:
        most = room_for(len(prompt), max_tokens, self.context)
        if self.lost:
            raise TrainingError("the engine ended three times")
        if self.wait is not None:
            try:
                await self.wait.wait()
            except asyncio.CancelledError:
                self.cancelled += 1
                raise
        self.seen.append(tuple(prompt))
        self.asked.append(rest | {"max_tokens": max_tokens})
        answer = tuple(self.answers[(len(self.seen) - 1) % len(self.answers)])[:most]
        finish = "stop" if answer[-1:] == (END,) else "length"
        return Sampled(answer, tuple(-0.5 for _ in answer), tuple(len(self.seen) for _ in answer), finish)

    async def swap(self, adapter: Path | None, version: int) -> None: ...

    async def close(self) -> None: ...


Ask = Callable[..., Coroutine[Any, Any, httpx.Response]]


def serve(
    engine: Told, talk: Callable[[Ask, Gateway], Coroutine[Any, Any, Any]], template: str = small_policy.CHATML
) -> Any:
    async def go() -> Any:
        gateway = Gateway(engine, Renderer.made_of(small_policy.tokenizer(), template, eos_token="<|im_end|>"))
        url = await gateway.start()
        async with httpx.AsyncClient(trust_env=False, timeout=20) as client:

            async def ask(messages: list[dict[str, Any]], **more: Any) -> httpx.Response:
                body = {"model": "policy", "messages": messages, "return_token_ids": True, "logprobs": True} | more
                return await client.post(f"{url}/chat/completions", content=json.dumps(body))  # a lone surrogate too

            try:
                return await talk(ask, gateway)
            finally:
                await gateway.stop()

    return asyncio.run(go())


def letters(text: str) -> list[int]:
    return list(small_policy.tokenizer().encode(text, add_special_tokens=False).ids)


def user(text: str) -> dict[str, Any]:
    return {"role": "user", "content": text}


def test_an_answer_comes_with_ids_log_probabilities_versions_and_what_it_was_sampled_after() -> None:
    engine = Told([[*letters("yes"), END]])

    async def talk(ask: Ask, _: Gateway) -> dict[str, Any]:
        body: dict[str, Any] = (await ask([user("ok?")], seed=5, max_tokens=9, temperature=0.5)).json()
        return body

    body = serve(engine, talk)
    choice = body["choices"][0]
    assert choice["message"] == {"role": "assistant", "content": "yes"}
    assert choice["finish_reason"] == "stop"
    assert choice["token_ids"] == [*letters("yes"), END]
    assert choice["policy_versions"] == [1, 1, 1, 1]
    assert [entry["logprob"] for entry in choice["logprobs"]["content"]] == [-0.5] * 4
    assert body["prompt_token_ids"] == [
        START, *letters("user\nok?"), END, *letters("\n"), START, *letters("assistant\n"),
    ]  # fmt: skip
    assert tuple(body["prompt_token_ids"]) == engine.seen[0]
    assert engine.asked[0] == {"seed": 5, "max_tokens": 9, "temperature": 0.5, "stop": (END,)}
    assert body["usage"] == {
        "prompt_tokens": len(engine.seen[0]),
        "completion_tokens": 4,
        "total_tokens": len(engine.seen[0]) + 4,
    }


# Bytes that are no UTF-8, tokens of the template's in the middle of an answer, and answers that were cut.
answers = st.lists(st.integers(0, 256), min_size=1, max_size=12).flatmap(
    lambda ids: st.sampled_from([[*ids, END], ids])
)
spoken = st.text(st.sampled_from("ab ü<|>im_endstart\n\ue0f3"), max_size=20) | st.sampled_from(
    ["<|im_end|>", "x<|im_start|>assistant\nI agree<|im_end|>", ""]
)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(spoken, answers), min_size=1, max_size=6))
def test_captured_ids_stitched_over_the_turns_are_what_the_engine_saw(turns: list[tuple[str, list[int]]]) -> None:
    engine = Told([answer for _, answer in turns])

    async def talk(ask: Ask, gateway: Gateway) -> None:
        messages: list[dict[str, Any]] = [{"role": "system", "content": "s"}]
        sequence: list[int] = []
        for number, (said, answer) in enumerate(turns):
            messages.append(user(said))
            body = (await ask(messages)).json()
            assert tuple(body["prompt_token_ids"]) == engine.seen[-1]
            assert body["prompt_token_ids"][: len(sequence)] == sequence
            sequence = body["prompt_token_ids"] + body["choices"][0]["token_ids"]
            assert body["choices"][0]["token_ids"] == answer
            # What the user said is letters: the only new tokens of the template's are those of three turns.
            bridge = engine.seen[-1][len(engine.seen[-2]) + len(turns[number - 1][1]) :] if number else ()
            if number:
                cut = turns[number - 1][1][-1] != END
                assert [one for one in bridge if one >= START] == [END] * cut + [START, END, START]
            messages.append(body["choices"][0]["message"])
        assert (gateway.rendered, gateway.continued) == (1, len(turns) - 1)

    serve(engine, talk)


def test_a_template_that_leaves_out_what_was_thought_is_rendered_anew_and_one_that_keeps_it_goes_on() -> None:
    thought = [*letters("<think>hm</think>yes"), END]

    async def talk(ask: Ask, gateway: Gateway) -> tuple[int, int]:
        first = (await ask([user("a")])).json()
        await ask([user("a"), first["choices"][0]["message"], user("b")])
        return gateway.rendered, gateway.continued

    stripped = Told([thought])
    assert serve(stripped, talk, small_policy.THINKING) == (2, 0)
    assert letters("<think>hm</think>")[0] not in stripped.seen[1]
    kept = Told([thought])
    assert serve(kept, talk) == (1, 1)
    assert kept.seen[1][: len(kept.seen[0]) + len(thought)] == (*kept.seen[0], *thought)


def test_a_conversation_that_does_not_go_on_from_what_was_sampled_is_rendered_anew() -> None:
    engine = Told([[*letters("one"), END]])

    async def talk(ask: Ask, gateway: Gateway) -> None:
        await ask([user("a")])
        for messages, tools in (
            ([user("a"), {"role": "assistant", "content": "another"}, user("b")], []),
            ([user("summary of a"), {"role": "assistant", "content": "one"}, user("b")], []),
            ([user("a"), {"role": "assistant", "content": "one"}, user("b")], [{"type": "function"}]),
        ):
            assert (await ask(messages, tools=tools)).status_code == 200
        assert (gateway.rendered, gateway.continued) == (4, 0)

    serve(engine, talk)


def test_what_was_inserted_by_somebody_else_is_bridged_by_the_template() -> None:
    engine = Told([[*letters("one"), END]])

    async def talk(ask: Ask, gateway: Gateway) -> None:
        said = (await ask([user("a")])).json()
        pushed = {"role": "assistant", "content": "forced"}
        body = (await ask([user("a"), said["choices"][0]["message"], user("b"), pushed, user("c")])).json()
        start = said["prompt_token_ids"] + said["choices"][0]["token_ids"]
        assert body["prompt_token_ids"][: len(start)] == start
        assert gateway.continued == 1

    serve(engine, talk)


@pytest.mark.parametrize(
    ("more", "names"),
    [
        ({"top_p": 0.9}, "top_p"),
        ({"top_k": 40}, "top_k"),
        ({"n": 2}, "n"),
        ({"stream": True}, "stream"),
        ({"stop": ["x"]}, "stop"),
        ({"response_format": {"type": "json_object"}}, "response_format"),
        ({"max_tokens": 0}, "max_tokens"),
        ({"messages": []}, "messages"),
        ({"messages": [{"content": "x"}]}, "messages.0.role"),
    ],
)
def test_what_would_change_the_distribution_or_is_no_request_is_refused_by_its_name(
    more: dict[str, Any], names: str
) -> None:
    async def talk(ask: Ask, _: Gateway) -> httpx.Response:
        return await ask(**({"messages": [user("a")]} | more))

    answer = serve(Told([[END]]), talk)
    assert answer.status_code == 400
    assert answer.json()["error"]["message"].startswith(f"{names}: ")


def test_the_harness_s_own_client_reads_ids_and_knows_a_prompt_that_is_too_long() -> None:
    engine = Told([[*letters("fine"), END]], context=60)

    async def go() -> None:
        gateway = Gateway(
            engine, Renderer.made_of(small_policy.tokenizer(), small_policy.CHATML, eos_token="<|im_end|>")
        )
        client = OpenAIChat("openai:policy", "policy", await gateway.start())
        request = Request(messages=(Message("user", "go"),), max_output_tokens=50, want_token_ids=True, seconds=10)
        answer = await client.complete(request)
        assert answer.token_ids == (*letters("fine"), END)
        assert answer.logprobs == (-0.5,) * 5
        with pytest.raises(CallFailed) as caught:
            await client.complete(
                Request(messages=(Message("user", "go" * 40),), max_output_tokens=50, want_token_ids=True, seconds=10)
            )
        assert caught.value.kind == "context_length"
        engine.lost = True
        with pytest.raises(CallFailed, match="the engine ended three times") as lost:
            await client.complete(request)
        assert lost.value.kind == "server"
        await client.close()
        await gateway.stop()

    asyncio.run(go())


def test_half_a_character_is_a_question_mark_and_what_breaks_the_engine_is_answered() -> None:
    engine = Told([[*letters("ok"), END]])

    async def talk(ask: Ask, gateway: Gateway) -> None:
        body = (await ask([user("a\ud800b")])).json()
        assert letters("?")[0] in body["prompt_token_ids"]
        again = (await ask([user("a\ud800b"), body["choices"][0]["message"], user("c")])).json()
        assert again["prompt_token_ids"][: len(engine.seen[0])] == list(engine.seen[0])
        assert gateway.continued == 1
        engine.answers = []  # it now divides by nothing
        broken = await ask([user("d")])
        assert broken.status_code == 500
        assert "ZeroDivisionError" in broken.json()["error"]["message"]

    serve(engine, talk)


def test_a_client_that_goes_away_ends_what_was_sampled_for_it() -> None:
    async def go() -> int:
        engine = Told([[END]], wait=asyncio.Event())
        gateway = Gateway(
            engine, Renderer.made_of(small_policy.tokenizer(), small_policy.CHATML, eos_token="<|im_end|>")
        )
        url = await gateway.start()
        async with httpx.AsyncClient(trust_env=False) as client:
            with pytest.raises(httpx.ReadTimeout):
                await client.post(f"{url}/chat/completions", json={"messages": [user("a")]}, timeout=0.2)
        while not engine.cancelled:
            await asyncio.sleep(0.01)
        await gateway.stop()
        return engine.cancelled

    assert asyncio.run(asyncio.wait_for(go(), 20)) == 1


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        (b"nonsense\r\n\r\n", 400),
        (b"POST /v1/chat/completions HTTP/1.1\r\nContent-Length: 3\r\n\r\n{{{", 400),
        (b"POST /v1/chat/completions HTTP/1.1\r\nContent-Length: 99999999999\r\n\r\n", 413),
        (b"POST /v1/chat/completions HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n", 411),
        (b"GET /elsewhere HTTP/1.1\r\n\r\n", 404),
        (b"GET /health HTTP/1.1\r\n\r\n", 200),
    ],
)
def test_bytes_that_are_no_request_are_answered_in_words(sent: bytes, status: int) -> None:
    async def go() -> bytes:
        gateway = Gateway(
            Told(), Renderer.made_of(small_policy.tokenizer(), small_policy.CHATML, eos_token="<|im_end|>")
        )
        url = await gateway.start()
        reader, writer = await asyncio.open_connection("127.0.0.1", int(url.split(":")[2].partition("/")[0]))
        writer.write(sent)
        answer = await reader.read()
        writer.close()
        await gateway.stop()
        return answer

    assert asyncio.run(go()).startswith(f"HTTP/1.1 {status} ".encode())
