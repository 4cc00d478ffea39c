"""The conversation of an agent as its model saw it. A view of the journal."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from redwell.journal.journal import Event, Journal
from redwell.journal.span import Span

Texts = Callable[[Span], str]


@dataclass(frozen=True, slots=True)
class Exchange:
    """One call of an agent's own model: what it was asked, with which tools, and its answer; None when the call is still out. `completion` is the
    answer as it was kept, `time` when it came."""

    call: str
    asked: list[dict[str, Any]]
    tools: list[dict[str, Any]]
    answer: dict[str, Any] | None
    completion: dict[str, Any]
    time: float


def messages(journal: Journal, agent: str = "root", *, texts: Texts | None = None) -> Iterator[dict[str, Any]]:
    """The messages of an agent's own model, in order, each once: role, content, tool_calls, tool_call_id.

    After a compaction the conversation goes on from what was kept; a message of role `compaction` then stands between, with the
    number of messages that were left out. The room's text is not in the journal: `texts` gives it, and without it a stretch stands
    as its address.
    """
    told: list[dict[str, Any]] = []
    for exchange in exchanges(journal, agent, texts=texts):
        asked = exchange.asked
        same = 0
        while same < min(len(told), len(asked)) and told[same] == asked[same]:
            same += 1
        if told and same == len(told) - 1 and told[same]["role"] == "assistant" == asked[same]["role"]:
            same += 1  # the harness may hand an answer back in a tidier form than it came in
        elif told and same < len(told):
            yield {"role": "compaction", "content": "", "left_out": len(told) - same}
        yield from asked[same:]
        told = asked
        if exchange.answer is not None:
            yield exchange.answer
            told = [*told, exchange.answer]


def exchanges(journal: Journal, agent: str = "root", *, texts: Texts | None = None) -> Iterator[Exchange]:
    """The calls of an agent's own model that were answered, in order, each with all of the messages it was asked with, and at the end one that
    is still out. An answer of no use that was kept because its tokens were asked for (a cut one) is an answer too."""
    for sent, ended in _own_calls(journal, agent):
        asked = request_messages(journal, sent.blobs["request"], texts)
        tools = request_tools(journal, sent.blobs["request"])
        if ended is None:
            yield Exchange(sent.data["call"], asked, tools, None, {}, sent.time)
        else:
            kept = completion(journal, _kept(ended))
            yield Exchange(sent.data["call"], asked, tools, _answer(kept), kept, ended.time)


def call_messages(journal: Journal, call: str, *, texts: Texts | None = None) -> Iterator[dict[str, Any]]:
    """What one call asked, and its answer when there is one; nothing when the journal has no such call."""
    for event in journal.events(("call.sent", "call.completed")):
        if event.data["call"] == call and event.kind == "call.sent":
            yield from request_messages(journal, event.blobs["request"], texts)
        elif event.data["call"] == call:
            yield _answer(completion(journal, event.blobs["completion"]))


def request_messages(journal: Journal, digest: str, texts: Texts | None = None) -> list[dict[str, Any]]:
    """The messages of one request, from the digest in its `call.sent` event."""
    body = json.loads(journal.text(digest))
    return [_message(journal, entry, texts) for entry in body["messages"]]


def request_tools(journal: Journal, digest: str) -> list[dict[str, Any]]:
    """The tools that were offered with one request: name, description, parameters."""
    given = json.loads(journal.text(digest)).get("tools")
    return list(json.loads(_piece(journal, given, None))) if given else []


def completion(journal: Journal, digest: str) -> dict[str, Any]:
    """One completion as it was kept: text, model, finish, tool_calls, usage, and token ids and log-probabilities when asked for."""
    return dict(json.loads(journal.text(digest)))


def _own_calls(journal: Journal, agent: str) -> Iterator[tuple[Event, Event | None]]:
    """Each answered call of the agent's own model, and at the end one that is still out."""
    out: dict[str, Event] = {}
    for event in journal.events(("call.sent", "call.completed", "call.failed")):
        if event.agent != agent or event.data["role"] != "root":
            continue
        if event.kind == "call.sent":
            out[event.data["call"]] = event
        elif event.kind == "call.failed" and "sampled" not in event.blobs:
            continue
        elif (sent := out.pop(event.data["call"], None)) is not None:
            yield sent, event
    for sent in list(out.values())[-1:]:
        yield sent, None


def _message(journal: Journal, entry: dict[str, Any], texts: Texts | None) -> dict[str, Any]:
    content = "".join(_piece(journal, piece, texts) for piece in entry["content"])
    message: dict[str, Any] = {"role": entry["role"], "content": content}
    if "tool_calls" in entry:
        message["tool_calls"] = [
            {"id": call["id"], "name": call["name"], "arguments": _piece(journal, call["arguments"], texts)}
            for call in entry["tool_calls"]
        ]
    if "tool_call_id" in entry:
        message["tool_call_id"] = entry["tool_call_id"]
    return message


def _piece(journal: Journal, piece: dict[str, Any], texts: Texts | None) -> str:
    if "text" in piece:
        return str(piece["text"])
    if "blob" in piece:
        return journal.text(piece["blob"])
    document, start, end, view = piece["span"]
    if texts is not None:
        return texts(Span(document, start, end, view))
    return f"⟦{document[:12]} {start}–{end}{'' if view == 'final' else ' ' + view}⟧"


def _kept(ended: Event) -> str:
    """The digest of the completion of a call that was answered, or failed by an answer of no use."""
    return ended.blobs["completion" if ended.kind == "call.completed" else "sampled"]


def _answer(kept: dict[str, Any]) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": kept.get("detail", {}).get("said", kept["text"])}
    if "tool_calls" in kept:
        message["tool_calls"] = [{"id": one[0], "name": one[1], "arguments": one[2]} for one in kept["tool_calls"]]
    return message
