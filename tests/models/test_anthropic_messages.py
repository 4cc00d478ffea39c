"""What the Anthropic client sends, with its marks for the prompt cache, and what it makes of answers."""

import asyncio
import json

import pytest
from servers.scripted import Received, Scripted, raw, say, status, use_tool

from redwell.models.connect import connect
from redwell.models.retries import complete_alone
from redwell.models.types import CallFailed, Completion, Message, Request, Tool, ToolCall, Usage

SCHEMA = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
PYTHON = Tool("python", "Runs code.", {"type": "object", "properties": {"code": {"type": "string"}}})
DOCUMENTS = "The Lessee shall pay rent. " * 300
CACHED = {"cache_control": {"type": "ephemeral"}}


def ask(server: Scripted, *requests: Request) -> list[Completion]:
    async def go() -> list[Completion]:
        model = connect(f"anthropic:claude-x@{server.anthropic_url}", environment={})
        try:
            return [await complete_alone(model, request) for request in requests]
        finally:
            await model.close()

    return asyncio.run(go())


def test_documents_before_a_question_are_marked_for_the_cache() -> None:
    request = Request(
        (Message("system", "Rules"), Message("user", DOCUMENTS + "What is due?", prefix=len(DOCUMENTS))), key="the-key"
    )
    with Scripted(["rent"]) as server:
        ask(server, request)
        (received,) = server.requests
    assert (received.path, received.key) == ("/v1/messages", "the-key")
    assert received.body["system"] == [{"type": "text", "text": "Rules"}]
    assert received.messages == [
        {
            "role": "user",
            "content": [{"type": "text", "text": DOCUMENTS} | CACHED, {"type": "text", "text": "What is due?"}],
        }
    ]


def test_a_conversation_is_marked_at_its_end_and_tool_results_share_a_message() -> None:
    said = (
        Message("system", "Rules " * 1_000),
        Message("user", "Begin " * 1_000),
        Message(
            "assistant", "Two cells.", (ToolCall("t1", "python", '{"code": "1"}'), ToolCall("t2", "python", "not json"))
        ),
        Message("tool", "1", tool_call_id="t1"),
        Message("tool", "", tool_call_id="t2"),
        Message("user", "5 turns left"),
    )
    with Scripted(["done"]) as server:
        ask(server, Request(said, tools=(PYTHON,)))
        body = server.requests[0].body
    assert "cache_control" in body["system"][0]
    assert [turn["role"] for turn in body["messages"]] == ["user", "assistant", "user"]
    assert body["messages"][1]["content"][1:] == [
        {"type": "tool_use", "id": "t1", "name": "python", "input": {"code": "1"}},
        {"type": "tool_use", "id": "t2", "name": "python", "input": {"text": "not json"}},
    ]
    assert body["messages"][2]["content"] == [
        {"type": "tool_result", "tool_use_id": "t1", "content": "1"},
        {"type": "tool_result", "tool_use_id": "t2", "content": "(nothing)"},
        {"type": "text", "text": "5 turns left"} | CACHED,
    ]
    assert body["tools"] == [{"name": "python", "description": "Runs code.", "input_schema": PYTHON.parameters}]


def test_a_schema_is_the_input_of_a_tool_that_must_be_called() -> None:
    with Scripted([use_tool("answer", {"n": 3})]) as server:
        (completion,) = ask(server, Request((Message("user", "q"),), schema=SCHEMA))
        body = server.requests[0].body
    assert body["tool_choice"] == {"type": "tool", "name": "answer"}
    assert body["tools"][0]["input_schema"] == SCHEMA
    assert (json.loads(completion.text), completion.tool_calls, completion.finish) == ({"n": 3}, (), "stop")


def test_a_model_that_will_not_be_forced_is_asked_in_words() -> None:
    def script(received: Received) -> object:
        return status(400, "tool_choice may not be forced here") if "tool_choice" in received.body else say('{"n": 4}')

    request = Request((Message("user", "q"),), schema=SCHEMA, temperature=0.0)
    with Scripted(script) as server:
        assert [completion.text for completion in ask(server, request, request)] == ['{"n": 4}', '{"n": 4}']
        assert server.count == 3
        assert json.dumps(SCHEMA) in server.requests[-1].user


def test_cached_and_written_input_count_as_input() -> None:
    body = {
        "id": "msg_1",
        "model": "claude-x-20260101",
        "content": [{"type": "text", "text": "rent"}],
        "stop_reason": "end_turn",
        "usage": {
            "input_tokens": 10,
            "cache_read_input_tokens": 200,
            "cache_creation_input_tokens": 30,
            "output_tokens": 4,
        },
    }
    with Scripted([raw(json.dumps(body).encode())]) as server:
        (completion,) = ask(server, Request((Message("user", "q"),)))
    assert completion.usage == Usage(input=240, cached_input=200, output=4, cache_written=30)
    assert (completion.model, completion.finish) == ("claude-x-20260101", "stop")


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        ({"content": [], "stop_reason": "end_turn"}, "empty"),
        ({"content": [{"type": "thinking", "thinking": "hm"}], "stop_reason": "end_turn"}, "empty"),
        ({"content": [{"type": "text", "text": "half"}], "stop_reason": "max_tokens"}, "truncated"),
        ({"content": [{"type": "text", "text": "half"}], "stop_reason": "model_context_window_exceeded"}, "truncated"),
        ({"content": [{"type": "text", "text": "no"}], "stop_reason": "refusal"}, "rejected"),
        ({"content": [{"type": "tool_use", "name": "python", "input": "x"}], "stop_reason": "tool_use"}, "malformed"),
        ({"content": "text", "stop_reason": "end_turn"}, "malformed"),
        ({}, "malformed"),
    ],
)
def test_messages_that_are_no_answers(answer: dict[str, object], kind: str) -> None:
    with Scripted([raw(json.dumps(answer).encode())]) as server, pytest.raises(CallFailed) as failed:
        ask(server, Request((Message("user", "q"),), tools=(PYTHON,)))
    assert failed.value.kind == kind
