"""Anthropic's messages, with its prompt cache."""

from __future__ import annotations

import json
from contextlib import AbstractAsyncContextManager
from typing import Any

from redwell.models.keys import Key
from redwell.models.openai_chat import schema_in_words
from redwell.models.types import CallFailed, Completion, Message, Request, ToolCall, Usage
from redwell.models.wire import LoopClient, Refused, count, exchange, http_client, make_usage

HOME = "https://api.anthropic.com"
ANSWER_TOOL = "answer"
_CACHED = {"type": "ephemeral"}
_WORTH_CACHING = 4_000  # characters; the cache takes nothing shorter than about a thousand tokens
_DROPPABLE = ("temperature", "tool_choice")
_FINISHES = {"end_turn": "stop", "stop_sequence": "stop", "tool_use": "tool_calls"}


class AnthropicMessages:
    """A model behind Anthropic's messages endpoint. `name` is `anthropic:NAME`, with `@URL` for a gateway.

    JSON of a schema is asked for as the input of one tool that the model must call. The system prompt, the documents of a question
    (`Message.prefix`) and the conversation so far are marked for the prompt cache.
    """

    def __init__(self, name: str, model: str, url: str = HOME, key: Key | None = None) -> None:
        import anthropic

        self.name = name
        self._sdk = anthropic
        self._model = model
        self._url = url
        self._key = key
        self._dropped: set[str] = set()
        self._client = LoopClient(self._make)

    def __repr__(self) -> str:
        return f"AnthropicMessages({self.name!r})"

    async def complete(self, request: Request) -> Completion:
        """Raises CallFailed; never returns an empty or cut answer."""
        body = self._body(request)
        try:
            answer = await exchange(
                self._sdk,
                lambda given: self._send(given, request),
                body,
                name=self.name,
                key=self._key,
                request=request,
            )
        except Refused as refused:
            named = [name for name in _DROPPABLE if name in body and name in refused.said]
            self._dropped.update(named)
            refused.failure.again = bool(named)
            raise refused.failure from None
        return self._read(answer.body, request)

    async def close(self) -> None:
        await self._client.close()

    def _make(self) -> Any:
        return self._sdk.AsyncAnthropic(
            api_key=self._key.reveal() if self._key else "none",
            base_url=self._url,
            max_retries=0,
            http_client=http_client(self._sdk, self._url),
        )

    def _send(self, body: dict[str, Any], request: Request) -> AbstractAsyncContextManager[Any]:
        headers = {"Accept-Encoding": "identity"}
        if request.key:
            headers["Idempotency-Key"] = request.key
        api: Any = self._client.get().messages.with_streaming_response
        # The body goes as it is: what is given by name, as must be, the SDK would rewrite word by word, which takes longer than sending it.
        sent: AbstractAsyncContextManager[Any] = api.create(
            model=body["model"],
            messages=[],
            max_tokens=body["max_tokens"],
            extra_body=body,
            extra_headers=headers,
            timeout=request.seconds,
        )
        return sent

    def _body(self, request: Request) -> dict[str, Any]:
        system = "\n\n".join(message.content for message in request.messages if message.role == "system")
        body: dict[str, Any] = {
            "model": self._model,
            "max_tokens": request.max_output_tokens,
            "messages": _messages(request.messages),
        }
        if system:
            body["system"] = [_text_block(system)]
        if request.temperature is not None:
            body["temperature"] = request.temperature
        if request.tools:
            body["tools"] = [
                {"name": tool.name, "description": tool.description, "input_schema": tool.parameters}
                for tool in request.tools
            ]
        elif request.schema is not None:
            body["tools"] = [{"name": ANSWER_TOOL, "description": "Gives the answer.", "input_schema": request.schema}]
            body["tool_choice"] = {"type": "tool", "name": ANSWER_TOOL}
            if "tool_choice" in self._dropped:  # some models will not be forced: then they are asked
                body["messages"][-1]["content"].append({"type": "text", "text": schema_in_words(request.schema)})
                del body["tools"]
        for name in self._dropped:
            body.pop(name, None)
        return body

    def _read(self, body: dict[str, Any], request: Request) -> Completion:
        usage = _usage(body.get("usage"))
        blocks = body.get("content")
        if not isinstance(blocks, list) or not all(isinstance(block, dict) for block in blocks):
            raise CallFailed("malformed", f"{self.name} answered without content", usage=usage)
        stop = str(body.get("stop_reason") or "unknown")[:40]
        if stop in ("max_tokens", "model_context_window_exceeded"):
            raise CallFailed("truncated", f"the answer was cut at {request.max_output_tokens} tokens", usage=usage)
        if stop == "refusal":
            raise CallFailed("rejected", f"{self.name} refused to answer", usage=usage)
        texts = [
            block["text"] for block in blocks if block.get("type") == "text" and isinstance(block.get("text"), str)
        ]
        calls: list[ToolCall] = []
        for block in blocks:
            if block.get("type") != "tool_use":
                continue
            if not isinstance(block.get("name"), str) or not isinstance(block.get("input"), dict):
                raise CallFailed("malformed", f"{self.name} sent a tool call that is none", usage=usage)
            try:
                arguments = json.dumps(block["input"], ensure_ascii=False)
            except RecursionError:
                raise CallFailed("malformed", f"{self.name} sent arguments nested too deeply", usage=usage) from None
            calls.append(ToolCall(str(block.get("id") or f"call-{len(calls)}"), block["name"], arguments))
        text = "".join(texts)
        if request.schema is not None and not request.tools:
            answers = [call.arguments for call in calls if call.name == ANSWER_TOOL]
            if len(answers) > 1:
                raise CallFailed("malformed", f"{self.name} answered {len(answers)} times at once", usage=usage)
            text, calls, stop = (answers[0], [], "end_turn") if answers else (text, calls, stop)
        if not text.strip() and not calls:
            raise CallFailed("empty", "the answer has neither text nor a tool call", usage=usage)
        model = body.get("model")
        return Completion(
            text=text,
            model=model[:200] if isinstance(model, str) and model else self._model,
            tool_calls=tuple(calls),
            finish=_FINISHES.get(stop, stop),
            usage=usage,
            detail={"id": body["id"][:200]} if isinstance(body.get("id"), str) else {},
        )


def _messages(messages: tuple[Message, ...]) -> list[dict[str, Any]]:
    """The conversation in blocks; results of tools become one user message, as the endpoint wants them."""
    turns: list[dict[str, Any]] = []
    for message in messages:
        if message.role == "system":
            continue
        role = "assistant" if message.role == "assistant" else "user"
        blocks = _blocks(message)
        if turns and turns[-1]["role"] == role:
            turns[-1]["content"] += blocks
        else:
            turns.append({"role": role, "content": blocks})
    # The whole conversation so far is the prefix of the next turn; a single question is not.
    if len(turns) > 1 and turns[-1]["content"] and sum(len(str(turn["content"])) for turn in turns) >= _WORTH_CACHING:
        turns[-1]["content"][-1]["cache_control"] = _CACHED
    return turns


def _blocks(message: Message) -> list[dict[str, Any]]:
    if message.role == "tool":
        return [
            {
                "type": "tool_result",
                "tool_use_id": message.tool_call_id or "",
                "content": message.content or "(nothing)",
            }
        ]
    blocks: list[dict[str, Any]] = []
    if 0 < message.prefix < len(message.content):
        blocks += [
            _text_block(message.content[: message.prefix]),
            {"type": "text", "text": message.content[message.prefix :]},
        ]
    elif message.content:
        blocks.append({"type": "text", "text": message.content})
    for call in message.tool_calls:
        try:
            value = json.loads(call.arguments)
        except ValueError:
            value = None
        arguments = value if isinstance(value, dict) else {"text": call.arguments}
        blocks.append({"type": "tool_use", "id": call.id, "name": call.name, "input": arguments})
    return blocks


def _text_block(text: str) -> dict[str, Any]:
    block: dict[str, Any] = {"type": "text", "text": text}
    if len(text) >= _WORTH_CACHING:
        block["cache_control"] = _CACHED
    return block


def _usage(value: Any) -> Usage | None:
    """Anthropic counts cached input beside `input_tokens`, we count it within."""
    if not isinstance(value, dict):
        return None
    plain = count(value.get("input_tokens"))
    cached, written = (
        0 if value.get(name) is None else count(value[name])
        for name in ("cache_read_input_tokens", "cache_creation_input_tokens")
    )
    if plain is None or cached is None or written is None:
        return None
    total = plain + cached + written
    return make_usage(total, cached, count(value.get("output_tokens")), written)
