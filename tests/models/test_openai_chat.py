"""What the OpenAI-compatible client sends, what it makes of answers, and how it gets along with plainer servers."""

import asyncio
import json
from pathlib import Path

import pytest
from servers.scripted import Received, Scripted, raw, say, status, use_tool

from redwell.models.connect import connect
from redwell.models.retries import complete_alone
from redwell.models.types import CallFailed, Completion, Message, Request, Tool, ToolCall, Usage

SCHEMA = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"], "additionalProperties": False}
PYTHON = Tool("python", "Runs code.", {"type": "object", "properties": {"code": {"type": "string"}}})


def ask(server: Scripted, *requests: Request) -> list[Completion]:
    async def go() -> list[Completion]:
        model = connect(f"openai:some/model-7b@{server.url}", environment={})
        try:
            return [await complete_alone(model, request) for request in requests]
        finally:
            await model.close()

    return asyncio.run(go())


def test_what_is_sent(tmp_path: Path) -> None:
    request = Request(
        (
            Message("system", "Rules"),
            Message("user", "Count."),
            Message("assistant", "", (ToolCall("t1", "python", '{"code": "1"}'),)),
            Message("tool", "1", tool_call_id="t1"),
        ),
        tools=(PYTHON,),
        max_output_tokens=77,
        temperature=0.0,
        seed=5,
        key="the-key",
    )
    with Scripted(["done"]) as server:
        ask(server, request)
        (received,) = server.requests
    assert received.path == "/v1/chat/completions"
    assert (received.key, received.model) == ("the-key", "some/model-7b")
    assert {name: received.body[name] for name in ("max_tokens", "temperature", "seed")} == {
        "max_tokens": 77,
        "temperature": 0.0,
        "seed": 5,
    }
    assert received.messages == [
        {"role": "system", "content": "Rules"},
        {"role": "user", "content": "Count."},
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [
                {"id": "t1", "type": "function", "function": {"name": "python", "arguments": '{"code": "1"}'}}
            ],
        },
        {"role": "tool", "content": "1", "tool_call_id": "t1"},
    ]
    assert received.body["tools"][0]["function"]["name"] == "python"


def test_text_tools_usage_and_finish_come_back() -> None:
    with Scripted([say("hello", usage=(50, 20, 4)), use_tool("python", {"code": "x = 1"})]) as server:
        text, tool = ask(server, Request((Message("user", "a"),)), Request((Message("user", "b"),), tools=(PYTHON,)))
    assert (text.text, text.finish, text.usage, text.model) == ("hello", "stop", Usage(50, 20, 4), "some/model-7b")
    assert tool.tool_calls == (ToolCall("call_1_0", "python", '{"code": "x = 1"}'),)
    assert tool.finish == "tool_calls"


def test_a_schema_is_asked_for_and_held_to_where_it_can_be() -> None:
    with Scripted([say('{"n": 1}')]) as server:
        ask(server, Request((Message("user", "q"),), schema=SCHEMA))
        wanted = server.requests[0].body["response_format"]
    assert wanted == {"type": "json_schema", "json_schema": {"name": "answer", "schema": SCHEMA, "strict": True}}


def only_takes(*kinds: str) -> object:
    def script(received: Received) -> object:
        kind = received.body.get("response_format", {}).get("type", "plain")
        return (
            say('{"n": 2}') if kind in kinds else status(400, f"response_format {kind} is not supported by this server")
        )

    return script


@pytest.mark.parametrize(("kinds", "requests"), [(("json_object",), 2), (("plain",), 3)])
def test_a_plainer_server_is_asked_in_words_and_only_once_wrongly(kinds: tuple[str, ...], requests: int) -> None:
    question = Request((Message("system", "Rules"), Message("user", "<<document>> How many?")), schema=SCHEMA)
    with Scripted(only_takes(*kinds)) as server:  # type: ignore[arg-type]
        first, second = ask(server, question, question)
        assert server.count == requests + 1  # the second question is asked the right way at once
        last = server.requests[-1]
    assert (first.text, second.detail["format"]) == ('{"n": 2}', kinds[0])
    assert last.user.startswith("<<document>> How many?\n\n")
    assert json.dumps(SCHEMA) in last.user


@pytest.mark.parametrize(
    ("refused", "message"),
    [
        ("max_tokens", "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."),
        ("temperature", "Unsupported value: 'temperature' does not support 0.0 with this model."),
        ("seed", "seed is not supported"),
        ("logprobs", "logprobs are not supported"),
        ("return_token_ids", "extra field return_token_ids not permitted"),
    ],
)
def test_what_a_server_does_not_take_is_left_out_from_then_on(refused: str, message: str) -> None:
    def script(received: Received) -> object:
        return status(400, message) if refused in received.body else say("fine")

    request = Request((Message("user", "q"),), temperature=0.0, seed=1, want_token_ids=True)
    with Scripted(script) as server:
        assert [completion.text for completion in ask(server, request, request)] == ["fine", "fine"]
        assert server.count == 3
        assert refused not in server.requests[-1].body


def test_a_request_that_is_simply_wrong_is_not_sent_for_ever() -> None:
    with Scripted(lambda _: status(400, "no")) as server:
        with pytest.raises(CallFailed) as refused:
            ask(server, Request((Message("user", "q"),), schema=SCHEMA, temperature=0.0))
        assert refused.value.kind == "rejected"
        assert server.count <= 4


@pytest.mark.parametrize(
    ("extra", "ids", "logprobs"),
    [
        (
            {
                "logprobs": {
                    "content": [{"token": "y", "id": 7, "logprob": -0.5}, {"token": "es", "id": 9, "logprob": 0}]
                }
            },
            (7, 9),
            (-0.5, 0.0),
        ),
        ({"token_ids": [7, 9], "logprobs": {"content": [{"logprob": -1.0}, {"logprob": -2.0}]}}, (7, 9), (-1.0, -2.0)),
        ({"logprobs": {"content": [{"token": "yes", "logprob": -0.5}]}}, None, (-0.5,)),
        ({"logprobs": None}, None, None),
        ({"logprobs": {"content": "no list"}, "token_ids": ["x"]}, None, None),
    ],
)
def test_token_ids_and_logprobs(extra: dict[str, object], ids: object, logprobs: object) -> None:
    with Scripted([say("yes", **extra)]) as server:
        (completion,) = ask(server, Request((Message("user", "q"),), want_token_ids=True))
    assert (completion.token_ids, completion.logprobs) == (ids, logprobs)


@pytest.mark.parametrize(
    ("usage", "found"),
    [
        ({"prompt_tokens": 10, "completion_tokens": 2, "prompt_cache_hit_tokens": 4}, Usage(10, 4, 2)),
        ({"prompt_tokens": 10, "completion_tokens": 2, "prompt_tokens_details": None}, Usage(10, 0, 2)),
        (
            {"prompt_tokens": 10, "completion_tokens": 2, "prompt_tokens_details": {"cached_tokens": 99}},
            Usage(10, 10, 2),
        ),
        ({"prompt_tokens": "10", "completion_tokens": 2}, None),
        ({"prompt_tokens": -1, "completion_tokens": 2}, None),
        ({"prompt_tokens": True, "completion_tokens": 2}, None),
        ([], None),
        (None, None),
    ],
)
def test_usage_in_all_its_forms(usage: object, found: Usage | None) -> None:
    body = {"choices": [{"message": {"content": "x"}, "finish_reason": None}], "usage": usage}
    with Scripted([raw(json.dumps(body).encode())]) as server:
        (completion,) = ask(server, Request((Message("user", "q"),)))
    assert (completion.usage, completion.finish) == (found, "unknown")


@pytest.mark.parametrize(
    ("message", "kind"),
    [
        ({"content": None}, "empty"),
        ({"content": None, "reasoning_content": "thinking ..."}, "empty"),
        ({"content": None, "refusal": "I cannot"}, "rejected"),
        ({"content": None, "tool_calls": [{"function": {"name": 3}}]}, "malformed"),
        ({"content": None, "tool_calls": "python"}, "malformed"),
        ({"content": 5}, "empty"),
        ("text", "malformed"),
    ],
)
def test_messages_that_are_no_answers(message: object, kind: str) -> None:
    body = {"choices": [{"message": message, "finish_reason": "stop"}]}
    with Scripted([raw(json.dumps(body).encode())]) as server, pytest.raises(CallFailed) as failed:
        ask(server, Request((Message("user", "q"),)))
    assert failed.value.kind == kind


def test_content_in_parts_and_arguments_as_an_object_are_understood() -> None:
    parts = {"content": [{"type": "text", "text": "two "}, {"type": "image"}, {"type": "text", "text": "parts"}]}
    tool = {"tool_calls": [{"function": {"name": "python", "arguments": {"code": "1"}}}]}
    bodies = [raw(json.dumps({"choices": [{"message": parts | tool}]}).encode())]
    with Scripted(bodies) as server:
        (completion,) = ask(server, Request((Message("user", "q"),), tools=(PYTHON,)))
    assert completion.text == "two parts"
    assert completion.tool_calls == (ToolCall("call-0", "python", '{"code": "1"}'),)


def test_an_answer_without_end_is_cut_off() -> None:
    with Scripted([raw(b'{"x": "' + b"a" * (33 << 20))]) as server, pytest.raises(CallFailed) as failed:
        ask(server, Request((Message("user", "q"),)))
    assert (failed.value.kind, "3 MiB" in failed.value.message) == ("malformed", True)
