"""Any server that speaks OpenAI's chat completions: OpenAI itself, vLLM, llama.cpp, gateways, and the scripted one of the tests."""

from __future__ import annotations

import json
from contextlib import AbstractAsyncContextManager
from typing import Any

from redwell.models.keys import Key
from redwell.models.schema import strict
from redwell.models.types import CallFailed, Completion, Message, Request, ToolCall, Usage
from redwell.models.wire import LoopClient, Refused, count, exchange, http_client, make_usage

HOME = "https://api.openai.com/v1"
_FORMATS = ("json_schema", "json_object", "plain")
_DROPPABLE = ("return_token_ids", "logprobs", "seed", "temperature")


class OpenAIChat:
    """A model behind a chat-completions endpoint. `name` is as the user wrote it: `openai:NAME` or `openai:NAME@URL`.

    Servers differ in what they take. What one refuses (a way to ask for JSON, `max_tokens`, `seed`, `temperature`, log-probabilities)
    is left out or said otherwise from then on; the schema is then written into the question. The failure then says `again`: each request
    is the caller's, who knows the budget and the journal; so the SDK's own retries are off too.
    """

    def __init__(self, name: str, model: str, url: str = HOME, key: Key | None = None) -> None:
        import openai

        self.name = name
        self._sdk = openai
        self._model = model
        self._url = url
        self._key = key
        self._format = 0
        self._limit = "max_completion_tokens" if url == HOME else "max_tokens"
        self._dropped: set[str] = set()
        self._client = LoopClient(self._make)

    def __repr__(self) -> str:
        return f"OpenAIChat({self.name!r})"

    async def complete(self, request: Request) -> Completion:
        """Raises CallFailed; never returns an empty or cut answer."""
        way = self._format
        body = self._body(request, way)
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
            refused.failure.again = self._say_it_otherwise(refused.said, body, way)
            raise refused.failure from None
        return self._read(answer.body, request, way)

    async def close(self) -> None:
        await self._client.close()

    def _make(self) -> Any:
        return self._sdk.AsyncOpenAI(
            api_key=self._key.reveal() if self._key else "none",
            base_url=self._url,
            max_retries=0,
            http_client=http_client(self._sdk, self._url),
        )

    def _send(self, body: dict[str, Any], request: Request) -> AbstractAsyncContextManager[Any]:
        headers = {"Accept-Encoding": "identity"}
        if request.key:
            headers |= {"Idempotency-Key": request.key, "X-Client-Request-Id": request.key}
        api: Any = self._client.get().chat.completions.with_streaming_response
        # The body goes as it is: what is given by name, as must be, the SDK would rewrite word by word, which takes longer than sending it.
        sent: AbstractAsyncContextManager[Any] = api.create(
            model=body["model"],
            messages=[],
            extra_body=body,
            extra_headers=headers,
            timeout=request.seconds,
        )
        return sent

    def _body(self, request: Request, way: int) -> dict[str, Any]:
        body: dict[str, Any] = {
            "model": self._model,
            "messages": [_message(message) for message in request.messages],
            self._limit: request.max_output_tokens,
        }
        if request.tools:
            body["tools"] = [
                {
                    "type": "function",
                    "function": {"name": tool.name, "description": tool.description, "parameters": tool.parameters},
                }
                for tool in request.tools
            ]
        if request.grammar:
            body["grammar"] = request.grammar
        elif request.schema is not None and not request.tools:
            _ask_for_json(body, request.schema, _FORMATS[way])
        if request.temperature is not None:
            body["temperature"] = request.temperature
        if request.seed is not None:
            body["seed"] = request.seed
        if request.want_token_ids:
            body["logprobs"] = body["return_token_ids"] = True
        if request.alternatives:
            body |= {"logprobs": True, "top_logprobs": request.alternatives}
        for name in self._dropped:
            body.pop(name, None)
        return body

    def _say_it_otherwise(self, said: str, body: dict[str, Any], way: int) -> bool:
        """Learns from a refusal; False when there is nothing left to leave out."""
        if "max_tokens" in body and "max_completion_tokens" in said:
            self._limit = "max_completion_tokens"
            return True
        if "max_completion_tokens" in body and "max_tokens" in said.replace("max_completion_tokens", "max_tokens"):
            self._limit = "max_tokens"
            return True
        for name in _DROPPABLE:
            if name in body and name.replace("_", " ") in said.replace("_", " "):
                self._dropped.add(name)
                return True
        if "response_format" in body:
            # Some servers name the field, some only say that the JSON is wrong: a plainer way is worth one more request.
            self._format = max(self._format, way + 1)
            return True
        if "return_token_ids" in body:
            self._dropped.add("return_token_ids")
            return True
        return False

    def _read(self, body: dict[str, Any], request: Request, way: int) -> Completion:
        usage = _usage(body.get("usage"))
        choices = body.get("choices")
        choice = choices[0] if isinstance(choices, list) and choices and isinstance(choices[0], dict) else None
        message = choice.get("message") if choice else None
        if choice is None or not isinstance(message, dict):
            raise CallFailed("malformed", f"{self.name} answered without a message", usage=usage)
        finish = choice.get("finish_reason") or "unknown"
        text = _text(message.get("content"))
        calls = _tool_calls(message.get("tool_calls"))
        if finish == "content_filter" or (not text and message.get("refusal")):
            raise CallFailed("rejected", f"{self.name} refused to answer", usage=usage)
        ids, logprobs = _token_ids(choice) if request.want_token_ids else (None, None)
        detail: dict[str, Any] = {}
        for name in ("id", "system_fingerprint"):
            if isinstance(body.get(name), str):
                detail[name] = body[name][:200]
        if request.schema is not None and not request.grammar:
            detail["format"] = _FORMATS[way]
        model = body.get("model")
        answer = Completion(
            text=text,
            model=model[:200] if isinstance(model, str) and model else self._model,
            tool_calls=calls or (),
            finish=str(finish)[:40],
            usage=usage,
            token_ids=ids,
            logprobs=logprobs,
            prompt_ids=_whole_numbers(body.get("prompt_token_ids")) if ids else None,
            versions=_whole_numbers(choice.get("policy_versions")) if ids else None,
            detail=detail,
            alternatives=_alternatives(choice) if request.alternatives else (),
        )
        sampled = answer if ids else None
        if finish == "length":
            what = f"the answer was cut at {request.max_output_tokens} tokens"
            raise CallFailed("truncated", what, usage=usage, sampled=sampled)
        if calls is None:
            what = f"{self.name} sent a tool call that is none"
            raise CallFailed("malformed", what, usage=usage, sampled=sampled)
        if not text.strip() and not calls:
            what = "the answer has neither text nor a tool call"
            raise CallFailed("empty", what, usage=usage, sampled=sampled)
        return answer


def _message(message: Message) -> dict[str, Any]:
    entry: dict[str, Any] = {"role": message.role, "content": message.content}
    if message.tool_calls:
        entry["content"] = message.content or None
        entry["tool_calls"] = [
            {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
            for call in message.tool_calls
        ]
    if message.tool_call_id is not None:
        entry["tool_call_id"] = message.tool_call_id
    return entry


def _ask_for_json(body: dict[str, Any], schema: dict[str, Any], way: str) -> None:
    if way == "json_schema":
        wanted = {"name": "answer", "schema": schema, "strict": strict(schema)}
        body["response_format"] = {"type": "json_schema", "json_schema": wanted}
        return
    if way == "json_object":
        body["response_format"] = {"type": "json_object"}
    # At the very end, so that the documents before it stay the same prefix for every question.
    last = body["messages"][-1]
    last["content"] = f"{last['content']}\n\n{schema_in_words(schema)}"


def schema_in_words(schema: dict[str, Any]) -> str:
    """The schema as a sentence of the question, for a server that cannot be held to it."""
    return (
        "Answer with one JSON object and nothing else: no prose, no code fence. It must fit this JSON schema:\n"
        + json.dumps(schema, ensure_ascii=False)
    )


def _text(content: Any) -> str:
    """Content is a string, or (on some servers) a list of parts with a text each."""
    if isinstance(content, list):
        parts = [
            part.get("text")
            for part in content
            if isinstance(part, dict) and part.get("type") in ("text", "output_text")
        ]
        return "".join(part for part in parts if isinstance(part, str))
    return content if isinstance(content, str) else ""


def _tool_calls(value: Any) -> tuple[ToolCall, ...] | None:
    """The tool calls, in order; None when one of them is not one."""
    if not value:
        return ()
    if not isinstance(value, list):
        return None
    calls: list[ToolCall] = []
    for number, entry in enumerate(value):
        function = entry.get("function") if isinstance(entry, dict) else None
        if not isinstance(function, dict) or not isinstance(function.get("name"), str):
            return None
        arguments = function.get("arguments")
        if isinstance(arguments, dict):  # some local servers parse the model's JSON before they send it
            try:
                arguments = json.dumps(arguments, ensure_ascii=False)
            except RecursionError:
                return None
        if not isinstance(arguments, str):
            return None
        identity = entry.get("id")
        calls.append(
            ToolCall(
                identity if isinstance(identity, str) and identity else f"call-{number}", function["name"], arguments
            )
        )
    return tuple(calls)


def _usage(value: Any) -> Usage | None:
    if not isinstance(value, dict):
        return None
    details = value.get("prompt_tokens_details")
    cached = count(details.get("cached_tokens")) if isinstance(details, dict) else None
    if cached is None:
        cached = count(value.get("prompt_cache_hit_tokens"))
    return make_usage(count(value.get("prompt_tokens")), cached, count(value.get("completion_tokens")))


def _token_ids(choice: dict[str, Any]) -> tuple[tuple[int, ...] | None, tuple[float, ...] | None]:
    """Ids from `token_ids` (vLLM) or from each token's log-probability (llama.cpp); None where a server gives none."""
    entries = _per_token(choice)
    values = tuple(float(entry["logprob"]) for entry in entries if isinstance(entry.get("logprob"), int | float))
    given = choice.get("token_ids")
    ids = _whole_numbers(given if isinstance(given, list) else [entry.get("id") for entry in entries])
    return ids or None, values if values and len(values) == len(entries) else None


def _whole_numbers(given: Any) -> tuple[int, ...] | None:
    """A list of numbers that count something, as it is; None for anything else."""
    if not isinstance(given, list) or any(count(one) is None for one in given):
        return None
    return tuple(given)


def _per_token(choice: dict[str, Any]) -> list[dict[str, Any]]:
    logprobs = choice.get("logprobs")
    content = logprobs.get("content") if isinstance(logprobs, dict) else None
    return content if isinstance(content, list) and all(isinstance(entry, dict) for entry in content) else []


def _alternatives(choice: dict[str, Any]) -> tuple[tuple[str, float], ...]:
    """The likeliest first tokens; empty where the server does not tell them."""
    listed = next((entry.get("top_logprobs") for entry in _per_token(choice)), None)
    return tuple(
        (entry["token"], float(entry["logprob"]))
        for entry in (listed if isinstance(listed, list) else [])
        if isinstance(entry, dict)
        and isinstance(entry.get("token"), str)
        and isinstance(entry.get("logprob"), int | float)
    )
