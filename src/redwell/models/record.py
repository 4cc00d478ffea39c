"""Requests and completions as the journal keeps them: each text once, and the room's own text never."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from redwell.models.types import Completion, Message, Request, ToolCall, Usage
from redwell.room.types import Span

Texts = Callable[[Span], str]
"""The text of a span of the room."""

_WORTH_A_BLOB = 256
_WORTH_CUTTING = 64
_BEGINNING = 64
_WHOLE = json.JSONEncoder(ensure_ascii=False)
_TIGHT = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))


@dataclass(frozen=True, slots=True)
class Record:
    """`body` names the longer texts of `parts` by their SHA-256; a stretch of the room's text stands in it as its address.

    A message's `content` is a list of pieces: {"text": ...} in place, {"blob": digest}, or {"span": [document, start, end, view]}.
    """

    body: str
    parts: tuple[str, ...]

    @property
    def digest(self) -> str:
        return hashlib.sha256(self.body.encode("utf-8", "backslashreplace")).hexdigest()


def record_request(request: Request, texts: Texts | None = None) -> Record:
    """What the journal keeps of a request. Without `texts`, or where a span's text is not found in the messages as it is, the text
    itself is kept. A message that says which spans it holds is not looked through."""
    parts: list[str] = []

    def kept(text: str) -> dict[str, Any]:
        if len(text) < _WORTH_A_BLOB:
            return {"text": text}
        parts.append(text)
        return {"blob": _digest(text)}

    told = any(message.held for message in request.messages)
    spans = (
        [(span, text) for span in request.spans if len(text := texts(span)) >= _WORTH_CUTTING]
        if texts and not told
        else []
    )
    messages = []
    for message in request.messages:
        pieces: list[str | Span] = [message.content]
        if message.held and texts:
            pieces = _taken_out(message)
        elif spans and message.role == "user":
            pieces = _cut(message.content, spans)
        entry: dict[str, Any] = {
            "role": message.role,
            "content": [
                kept(piece)
                if isinstance(piece, str)
                else {"span": [piece.document, piece.start, piece.end, piece.view]}
                for piece in pieces
                if piece
            ],
        }
        if message.tool_calls:
            entry["tool_calls"] = [
                {"id": call.id, "name": call.name, "arguments": kept(call.arguments)} for call in message.tool_calls
            ]
        if message.tool_call_id is not None:
            entry["tool_call_id"] = message.tool_call_id
        messages.append(entry)
    body: dict[str, Any] = {"messages": messages, "max_output_tokens": request.max_output_tokens}
    if request.tools:
        tools = [
            {"name": tool.name, "description": tool.description, "parameters": tool.parameters}
            for tool in request.tools
        ]
        body["tools"] = kept(json.dumps(tools, ensure_ascii=False))
    if request.schema is not None:
        body["schema"] = kept(_schema_text(request.schema))
    if request.grammar:
        body["grammar"] = kept(request.grammar)
    if request.alternatives:
        body["alternatives"] = request.alternatives
    for name, value in (("temperature", request.temperature), ("seed", request.seed)):
        if value is not None:
            body[name] = value
    return Record(_TIGHT.encode(body), tuple(parts))


_last_schema: list[tuple[dict[str, Any], str]] = []


def _schema_text(schema: dict[str, Any]) -> str:
    """Remembered for the last one, since thousands of calls ask with the very same object, which nobody changes."""
    for known, text in _last_schema:
        if known is schema:
            return text
    text = _WHOLE.encode(schema)
    _last_schema[:] = [(schema, text)]
    return text


def record_completion(completion: Completion) -> str:
    """A completion as JSON, all of it."""
    body: dict[str, Any] = {"text": completion.text, "model": completion.model, "finish": completion.finish}
    body["seconds"] = round(completion.seconds, 6)
    if completion.tool_calls:
        body["tool_calls"] = [[call.id, call.name, call.arguments] for call in completion.tool_calls]
    if completion.usage is not None:
        body["usage"] = record_usage(completion.usage)
    if completion.token_ids is not None:
        body["token_ids"] = completion.token_ids
    if completion.logprobs is not None:
        body["logprobs"] = completion.logprobs
    if completion.prompt_ids is not None:
        body["prompt_ids"] = completion.prompt_ids
    if completion.versions is not None:
        body["versions"] = completion.versions
    if completion.alternatives:
        body["alternatives"] = completion.alternatives
    body |= record_reading(completion)
    if completion.detail:
        body["detail"] = completion.detail
    return _TIGHT.encode(body)


def record_reading(completion: Completion) -> dict[str, list[list[Any]]]:
    """Which spans were read and shown, of a completion that says so."""
    return {
        name: [[span.document, span.start, span.end, span.view] for span in spans]
        for name, spans in (("read", completion.read), ("shown", completion.shown))
        if spans is not None
    }


def read_completion(text: str) -> Completion:
    """The completion that `record_completion` wrote."""
    body = json.loads(text)
    return Completion(
        text=body["text"],
        model=body["model"],
        tool_calls=tuple(ToolCall(*call) for call in body.get("tool_calls", ())),
        finish=body["finish"],
        usage=read_usage(body.get("usage")),
        seconds=body["seconds"],
        token_ids=tuple(body["token_ids"]) if "token_ids" in body else None,
        logprobs=tuple(body["logprobs"]) if "logprobs" in body else None,
        prompt_ids=tuple(body["prompt_ids"]) if "prompt_ids" in body else None,
        versions=tuple(body["versions"]) if "versions" in body else None,
        detail=body.get("detail", {}),
        alternatives=tuple((token, value) for token, value in body.get("alternatives", ())),
        read=tuple(Span(*span) for span in body["read"]) if "read" in body else None,
        shown=tuple(Span(*span) for span in body["shown"]) if "shown" in body else None,
    )


def record_usage(usage: Usage | None) -> dict[str, int] | None:
    if usage is None:
        return None
    value = {"input": usage.input, "cached_input": usage.cached_input, "output": usage.output}
    return value | {"cache_written": usage.cache_written} if usage.cache_written else value


def read_usage(value: Any) -> Usage | None:
    if not isinstance(value, dict):
        return None
    return Usage(value["input"], value["cached_input"], value["output"], value.get("cache_written", 0))


def _taken_out(message: Message) -> list[str | Span]:
    """The content with the spans that it holds in place of their texts."""
    pieces: list[str | Span] = []
    position = 0
    for start, span in message.held:
        if len(span) >= _WORTH_CUTTING:
            pieces += [message.content[position:start], span]
            position = start + len(span)
    pieces.append(message.content[position:])
    return pieces


def _cut(content: str, spans: list[tuple[Span, str]]) -> list[str | Span]:
    """The content with the spans' text taken out where it stands word for word.

    Spans mostly come in the order in which they are written, so the rest after the last cut is looked at first.
    """
    pieces: list[str | Span] = [content]
    for span, text in spans:
        order = [len(pieces) - 1, *range(len(pieces) - 1)]
        for number in order:
            piece = pieces[number]
            if isinstance(piece, str) and (at := _find(piece, text)) >= 0:
                pieces[number : number + 1] = [piece[:at], span, piece[at + len(text) :]]
                break
    return pieces


@lru_cache(maxsize=128)
def _digest(text: str) -> str:
    """Remembered, since the rules and the schema are the same in thousands of calls."""
    return hashlib.sha256(text.encode("utf-8", "backslashreplace")).hexdigest()


def _find(piece: str, text: str) -> int:
    """`piece.find(text)`, without the table that it makes of a long text first: mostly the text stands where its beginning does."""
    at = piece.find(text[:_BEGINNING])
    if at < 0 or piece.startswith(text, at):
        return at
    return piece.find(text, at + 1)
