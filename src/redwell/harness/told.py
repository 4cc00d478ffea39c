"""Messages that say exactly which text of the room they hold, so that what a model was shown can be counted to the character."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from redwell.harness.fence import Slice, fence_parts
from redwell.harness.subagent import ID_DIGITS, Hidden
from redwell.models.types import Message
from redwell.room.room import Room
from redwell.room.types import Span

Held = tuple[int, Span]
"""A place in a message, and the span whose text stands there word for word."""


@dataclass(slots=True)
class Told:
    """A message being put together from words of ours and text of the room."""

    parts: list[str] = field(default_factory=list)
    held: list[Held] = field(default_factory=list)
    length: int = 0

    def say(self, text: str) -> None:
        self.parts.append(text)
        self.length += len(text)

    def show(self, span: Span, room: Room) -> None:
        """The text of a span, as it is."""
        text = room.slice(span)
        if text:
            self.held.append((self.length, Span(span.document, span.start, span.start + len(text), span.view)))
        self.say(text)

    def documents(self, spans: Sequence[Span], room: Room, hidden: Hidden, first: int = 1) -> None:
        """The text of the spans between fences, numbered from `first`, with their hidden stretches marked."""
        slices = [
            Slice(
                number=number,
                document=span.document[:ID_DIGITS],
                path=room.document(span.document).path,
                start=span.start,
                text=room.slice(span),
                total=room.length(span.document, span.view),
                hidden=hidden.within(span),
                name=f"{span.document} {span.view} {span.start} {span.end}",
            )
            for number, span in enumerate(spans, first)
        ]
        parts = iter(fence_parts(slices))
        self.say(next(parts))
        for span, piece in zip(spans, slices, strict=True):
            self.say(next(parts))
            self._slice(span, piece, parts)
            self.say(next(parts))
        self.say(next(parts))

    def _slice(self, span: Span, piece: Slice, parts: Any) -> None:
        """The parts of one slice: plain stretches and, between marks, hidden ones, in turn."""
        position = 0
        for start, end in (*piece.hidden, (len(piece.text), len(piece.text))):
            if start > position or not piece.hidden:
                self.held.append((self.length, self._within(span, position, start)))
            self.say(next(parts))
            if end > start:
                marked = next(parts)
                self.held.append((self.length + marked.index("⟫") + 1, self._within(span, start, end)))
                self.say(marked)
            position = end

    @staticmethod
    def _within(span: Span, start: int, end: int) -> Span:
        return Span(span.document, span.start + start, span.start + end, span.view)

    def message(self, role: Any = "user", *, tool_call_id: str | None = None, prefix: int = 0) -> Message:
        held = tuple(each for each in self.held if len(each[1]))
        return Message(role, "".join(self.parts), tool_call_id=tool_call_id, prefix=prefix, held=held)


def spans_held(messages: Sequence[Message]) -> tuple[Span, ...]:
    """The text of the room that the messages hold, each stretch once."""
    return tuple(dict.fromkeys(span for message in messages for _, span in message.held))


def pack(messages: Sequence[Message]) -> str:
    """Messages as JSON for the journal, the room's text in them as its address."""
    return json.dumps(
        [
            {"role": message.role, "tool_call_id": message.tool_call_id}
            | ({"pieces": _pieces(message)} if message.held else {"content": message.content})
            for message in messages
        ]
    )


def unpack(text: str, room: Room) -> tuple[Message, ...]:
    """The messages that `pack` wrote."""
    found: list[dict[str, Any]] = json.loads(text)
    return tuple(_message(each, room) for each in found)


def _pieces(message: Message) -> list[str | list[Any]]:
    pieces: list[str | list[Any]] = []
    position = 0
    for start, span in message.held:
        pieces += [message.content[position:start], [span.document, span.start, span.end, span.view]]
        position = start + len(span)
    return [*pieces, message.content[position:]]


def _message(given: dict[str, Any], room: Room) -> Message:
    told = Told()
    for piece in given.get("pieces", (given.get("content", ""),)):
        if isinstance(piece, str):
            told.say(piece)
        else:
            told.show(Span(*piece), room)
    return told.message(given["role"], tool_call_id=given["tool_call_id"])
