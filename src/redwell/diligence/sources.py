"""The sources of a report: each cited quote in the passage where it stands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from redwell.diligence.blocks import Source
from redwell.diligence.report import Cited
from redwell.room.types import Citation, Span, View

CONTEXT = 500  # characters shown on either side of a quote
LEAST_CONTEXT = 40
ALL_CONTEXT = 800_000  # characters around all quotes of a report


class Texts(Protocol):
    """Where quotes are shown from: a room, or the part of one that a model has seen."""

    def text(self, document: str, view: View = "final") -> str: ...

    def slice(self, span: Span) -> str: ...


def sources(cited: Sequence[Cited], room: Texts) -> list[Source]:
    """The sources of a report, numbered from 1; the more there are, the less text stands around each."""
    context = min(CONTEXT, max(LEAST_CONTEXT, ALL_CONTEXT // (2 * max(1, len(cited)))))
    return [source(each, number, room, context) for number, each in enumerate(cited, 1)]


def source(cited: Cited, number: int, room: Texts, context: int = CONTEXT) -> Source:
    """The quote as it stands in its document, with so many characters of the text on either side."""
    first, last = one_occurrence(cited.citation, room)
    text = room.text(first.document, first.view)
    start, end = first.start, last.end
    before, after = text[max(0, start - context) : start], text[end : end + context]
    if start > context and " " in before:
        before = "… " + before.split(" ", 1)[1]
    if end + context < len(text) and " " in after:
        after = after.rsplit(" ", 1)[0] + " …"
    return Source(number, cited, before, text[start:end], after)


def one_occurrence(citation: Citation, room: Texts) -> tuple[Span, Span]:
    """The first and the last span of the first place where a quote stands: two different ones where it runs over a page break.

    A citation's spans are all its occurrences, and an occurrence that is broken by a page has one on each side.
    """
    wanted = sum(map(str.isalnum, citation.quote))
    first = last = citation.spans[0]
    seen = sum(map(str.isalnum, room.slice(first)))
    for span in citation.spans[1:]:
        if citation.status != "verified" or seen >= wanted or span.document != first.document or span.start < last.end:
            break
        last = span
        seen += sum(map(str.isalnum, room.slice(span)))
    return first, last
