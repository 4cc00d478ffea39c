"""One bounded call to a sub-agent: its request, and the check of its answer against the text that it read."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from typing import Any

from redwell.harness.fence import Slice, fence_parts, split
from redwell.harness.types import Finding
from redwell.models.schema import Malformed, Misfit, read_answer
from redwell.models.types import CallFailed, Message, Request
from redwell.room.quotes import Folded, check, find, fold, stepped_over
from redwell.room.room import Room
from redwell.room.types import Citation, Span, View
from redwell.sandbox.types import HostRefusal, Json

MAX_OUTPUT_TOKENS = 8_192
QUOTE_CHARS = 80
"""How much of a quote a reason shows."""
MOST_NEAR = 60
"""For how many quotes of an answer, of those that stand nowhere, the nearest passage is looked for: it takes some milliseconds each."""
ID_DIGITS = 12
"""How many digits of a document's id a prompt shows: enough to be unique in any room."""

_QUESTION = "\n\nQuestion:\n"
_VALUES = '\n\nFill in "values" of each finding: '
_SCALARS = {
    "text": "string",
    "string": "string",
    "date": "string",
    "number": "number",
    "boolean": "boolean",
    "yes/no": "boolean",
}

_QUOTE = {
    "type": "object",
    "properties": {"document": {"type": "integer"}, "text": {"type": "string"}},
    "required": ["document", "text"],
}


@dataclass(frozen=True, slots=True)
class Answer:
    """What a call found. `notes` is what it had to say besides."""

    findings: tuple[Finding, ...]
    notes: str = ""


def prompt(name: str, **values: str) -> str:
    """A prompt of this package, its `{{name}}` places filled in; what is filled in is not looked at again."""
    text = _prompt_file(name)
    return re.sub(r"\{\{(\w+)\}\}", lambda place: values.get(place[1], place[0]), text) if values else text


@cache
def _prompt_file(name: str) -> str:
    return files("redwell.harness").joinpath("prompts", f"{name}.md").read_text(encoding="utf-8")


def schema(values: Json = None) -> dict[str, Any]:
    """The JSON schema of a sub-agent's answer. `values` is what a question asks to be filled in: a mapping of names to kinds (text,
    number, date, boolean), or a JSON schema of an object. Raises HostRefusal for anything else."""
    return {
        "type": "object",
        "properties": {
            "findings": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {
                        "kind": {"type": "string"},
                        "claim": {"type": "string"},
                        "quotes": {"type": "array", "items": _QUOTE},
                        "values": _values_schema(values),
                    },
                    "required": ["kind", "claim", "quotes"],
                },
            },
            "notes": {"type": "string"},
        },
        "required": ["findings"],
    }


def request(question: str, spans: Sequence[Span], room: Room, hidden: Hidden, values: Json = None) -> Request:
    """The request of one call: rules as the system message, then the fenced text and, last, the question."""
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
        for number, span in enumerate(spans, 1)
    ]
    wanted = _PLAIN if values is None else schema(values)
    parts = fence_parts(slices)
    held: list[tuple[int, Span]] = []
    prefix = 0
    for part in parts:
        if (at := len(held)) < len(spans) and part is slices[at].text and len(part) == len(spans[at]):
            held.append((prefix, spans[at]))
        prefix += len(part)
    asked = "".join((*parts, _QUESTION, question, _asked_values(values)))
    place = tuple(held) if len(held) == len(spans) else ()
    return Request(
        messages=(Message("system", prompt("sub")), Message("user", asked, prefix=prefix, held=place)),
        role="sub",
        schema=wanted,
        max_output_tokens=MAX_OUTPUT_TOKENS,
        spans=tuple(spans),
    )


def parse(request: Request) -> tuple[list[Slice], str]:
    """The documents and the question of a sub-agent's request, for models that are programs. Raises ValueError."""
    slices, rest = split(request.messages[-1].content)
    return slices, rest.removeprefix(_QUESTION).partition(_VALUES)[0]


def read(text: str, spans: Sequence[Span], room: Room, call: str) -> Answer:
    """The findings of an answer, each quote looked for in the slice it is said to come from.

    A quote that is not there is kept with its status; but an answer with quotes of which none is there is no reading of this text (it
    may be the answer to another request). Raises CallFailed("malformed", "schema" or "unfounded").
    """
    try:
        found, _ = read_answer(text, _PLAIN)
    except Malformed as error:
        raise CallFailed("malformed", str(error)) from None
    except Misfit as error:
        raise CallFailed("schema", str(error)) from None
    texts = _Texts(spans, room)
    findings = []
    for place, item in enumerate(found["findings"]):
        citations = tuple(texts.check(quote["document"], quote["text"]) for quote in item["quotes"])
        holding = [citation for citation in citations if citation.holds] or citations
        values = item.get("values")
        findings.append(
            Finding(
                id=f"{call}.f{place + 1}",
                kind=item["kind"].strip() or "finding",
                claim=item["claim"].strip(),
                citations=citations,
                values=values if isinstance(values, dict) else {},
                document=holding[0].document if holding else (spans[0].document if len(spans) == 1 else ""),
                call=call,
            )
        )
    quotes = [citation for finding in findings for citation in finding.citations]
    if quotes and not any(citation.holds for citation in quotes):
        what = "the answer's one quote stands" if len(quotes) == 1 else f"all {len(quotes)} quotes of the answer stand"
        shown = quotes[0].quote if len(quotes[0].quote) <= QUOTE_CHARS else quotes[0].quote[:QUOTE_CHARS] + "..."
        raise CallFailed("unfounded", f"{what} in none of the documents that it was given: {shown!r}")
    notes = found.get("notes")
    return Answer(tuple(findings), notes if isinstance(notes, str) else "")


class Hidden:
    """Where a room's documents have text that a reader of the original would not see; looked up once a document."""

    def __init__(self, room: Room) -> None:
        self._room = room
        self._known: dict[tuple[str, View], list[tuple[int, int]]] = {}

    def within(self, span: Span) -> tuple[tuple[int, int], ...]:
        """The hidden stretches of a span, as offsets into its text."""
        key = (span.document, span.view)
        if key not in self._known:
            self._known[key] = _merged(self._room.hidden(span.document, span.view))
        stretches = self._known[key]
        if not stretches:
            return ()
        return tuple(
            (max(start, span.start) - span.start, min(end, span.end) - span.start)
            for start, end in stretches
            if start < span.end and end > span.start
        )


class _Texts:
    """The texts of one call, folded when a quote is first looked for in them."""

    def __init__(self, spans: Sequence[Span], room: Room) -> None:
        self._spans = spans
        self._room = room
        self._folded: dict[int, Folded] = {}
        self._near = MOST_NEAR

    def check(self, number: int, quote: str) -> Citation:
        """The quote in the slice of that number; else in the one other slice of the call where it stands, since only the number
        is then wrong."""
        named = self._in(number - 1, quote) if 1 <= number <= len(self._spans) else None
        if named is not None and named.holds:
            return named
        holding = [index for index in range(len(self._spans)) if index != number - 1 and find(self._fold(index), quote)]
        if len(holding) == 1:
            return self._in(holding[0], quote)
        if named is not None:
            return named
        return Citation(quote, "", (), "unverified", difference=f"the call had no document {number}")

    def _in(self, index: int, quote: str) -> Citation:
        span = self._spans[index]
        found = check(self._fold(index), quote, document=span.document, view=span.view, near=self._near > 0)
        self._near -= not found.holds
        return replace(
            found,
            spans=tuple(_moved(each, span) for each in found.spans),
            nearest=None if found.nearest is None else _moved(found.nearest, span),
        )

    def _fold(self, index: int) -> Folded:
        if index not in self._folded:
            span = self._spans[index]
            text = self._room.slice(span)
            units = self._room.units(span.document, span.view)
            # A sentence may run over a page break: the running headers and page numbers between are stepped over.
            self._folded[index] = fold(text, skip=stepped_over(units, span.start, span.end))
        return self._folded[index]


def _moved(found: Span, within: Span) -> Span:
    return Span(within.document, found.start + within.start, found.end + within.start, within.view)


def _merged(stretches: list[tuple[int, int]]) -> list[tuple[int, int]]:
    merged: list[tuple[int, int]] = []
    for start, end in sorted(stretches):
        if end <= start:
            continue
        if merged and start <= merged[-1][1] + 1:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


def _values_schema(values: Json) -> dict[str, Any]:
    if values is None:
        return {"type": "object"}
    if isinstance(values, dict) and values.get("type") == "object" and isinstance(values.get("properties"), dict):
        return values
    if not isinstance(values, dict) or not values or not all(isinstance(name, str) for name in values):
        raise HostRefusal(
            'schema= names the values wanted, such as {"amount": "number", "party": "text", "date": "date"}'
        )
    unknown = [str(kind) for kind in values.values() if kind not in _SCALARS]
    if unknown:
        raise HostRefusal(f"schema= knows {', '.join(sorted(_SCALARS))}, not {', '.join(unknown)}")
    return {"type": "object", "properties": {name: _value_schema(kind) for name, kind in values.items()}}


def _value_schema(kind: str) -> dict[str, Any]:
    # A value that is not of the kind asked for is worth more than a whole call that is refused for it.
    accepted = dict.fromkeys([_SCALARS[kind], "string", "null"])
    return {"anyOf": [{"type": each} for each in accepted], "description": kind}


def _asked_values(values: Json) -> str:
    if values is None:
        return ""
    named = values.get("properties", values)
    return _VALUES + ", ".join(f"{name} ({_kind(kind)})" for name, kind in named.items()) + "."


def _kind(kind: Json) -> str:
    if isinstance(kind, dict):
        return str(kind.get("description") or kind.get("type") or "text")
    return str(kind)


_PLAIN = schema()
"""That of an answer to a question which asks for no values; made once, since most calls ask with it."""
