"""What was read: the text that calls with an answer contained, as exact unions of intervals. A view of the journal."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from weakref import WeakKeyDictionary

from redwell.journal.journal import Event, Journal
from redwell.journal.span import Span, View

ToFinal = Callable[[Span], Sequence[Span]]
"""From a span of another view to the spans of the final text that it shows."""

Interval = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Coverage:
    """`read` and `total` are characters of readable text, `share` is read / total (1.0 when there is nothing to read).

    `spans` are the stretches that were read, merged, and `unread` the rest, both in the order of the documents given. `documents`
    gives the share of each document. `skimmed` are the stretches of `spans` that only rules have read: a program in front of a language
    model read them and did not show them to it. `shown` is the share of all text that is read and not skimmed.
    """

    read: int
    total: int
    share: float
    spans: tuple[Span, ...]
    unread: tuple[Span, ...]
    documents: Mapping[str, float]
    skimmed: tuple[Span, ...] = ()

    @property
    def shown(self) -> float:
        return (self.read - sum(map(len, self.skimmed))) / self.total if self.total else 1.0

    def of(self, document: str) -> float:
        """The share of one document, 0 to 1; 1.0 for one without text."""
        return self.documents.get(document, 1.0)


def coverage(journal: Journal, lengths: Mapping[str, int], *, to_final: ToFinal | None = None) -> Coverage:
    """What calls with an answer contained of the final texts, whose lengths in code points are given by document.

    Spans of another view count for what `to_final` makes of them, and for nothing without it. What a span claims beyond the end of
    its document does not count.
    """
    reading = _reading(journal)
    read = total = 0
    spans: list[Span] = []
    unread: list[Span] = []
    skimmed: list[Span] = []
    documents: dict[str, float] = {}
    for document, length in lengths.items():
        if length <= 0:
            continue
        merged = clipped(reading.intervals(document, to_final), length)
        found = sum(end - start for start, end in merged)
        read, total = read + found, total + length
        documents[document] = found / length
        spans += [Span(document, start, end) for start, end in merged]
        unread += [Span(document, start, end) for start, end in gaps(merged, length)]
        if reading.by_rules.get(document):
            hidden = _within(gaps(clipped(reading.shown[document], length), length), merged)
            skimmed += [Span(document, start, end) for start, end in hidden]
    share = read / total if total else 1.0
    return Coverage(read, total, share, tuple(spans), tuple(unread), documents, tuple(skimmed))


def share_read(journal: Journal, lengths: Mapping[str, int]) -> float:
    """`Coverage.share` alone, without a look at documents of which nothing was read."""
    reading = _reading(journal)
    total = sum(length for length in lengths.values() if length > 0)
    read = 0
    for document in reading.documents():
        length = lengths.get(document, 0)
        read += sum(end - start for start, end in clipped(reading.intervals(document, None), length))
    return read / total if total else 1.0


def unanswered(journal: Journal) -> list[Span]:
    """Stretches of calls, and of sub-agents with a session of their own, that ended in a failure, less what a call of the same purpose has answered since.

    "None found" must not be said over these. Calls that are still out are not among them.
    """
    reading = _reading(journal)
    left: list[Span] = []
    for call in reading.failed.values():
        answered = reading.answered.get(call.purpose, {})
        for span in call.spans:
            done = clipped(answered.get((span.document, span.view), ()), span.end)
            open_ones = [(max(start, span.start), end) for start, end in gaps(done, span.end) if end > span.start]
            left += [Span(span.document, start, end, span.view) for start, end in open_ones]
    return list(dict.fromkeys(left))


def merge(intervals: Iterable[Interval]) -> list[Interval]:
    """The union of half-open intervals, in order; those that touch become one."""
    merged: list[Interval] = []
    for start, end in sorted(intervals):
        if end <= start:
            continue
        if merged and start <= merged[-1][1]:
            if end > merged[-1][1]:
                merged[-1] = (merged[-1][0], end)
        else:
            merged.append((start, end))
    return merged


def clipped(intervals: Sequence[Interval], length: int) -> list[Interval]:
    """The union of the intervals within 0 to `length`."""
    if len(intervals) == 1 and 0 <= intervals[0][0] < intervals[0][1] <= length:
        return [intervals[0]]
    return merge((max(0, start), min(length, end)) for start, end in intervals)


def gaps(merged: Sequence[Interval], length: int) -> list[Interval]:
    """What a union in order leaves of 0 to `length`."""
    left: list[Interval] = []
    position = 0
    for start, end in merged:
        if start > position:
            left.append((position, start))
        position = end
    if position < length:
        left.append((position, length))
    return left


def _within(stretches: Sequence[Interval], merged: Sequence[Interval]) -> list[Interval]:
    """What of the stretches lies in a union; both in order."""
    found = []
    for start, end in stretches:
        found += [(max(start, a), min(end, b)) for a, b in merged if a < end and start < b]
    return found


@dataclass(frozen=True, slots=True)
class _Asked:
    purpose: str
    spans: tuple[Span, ...]


def _asked(purpose: str, spans: Iterable[Sequence[Any]]) -> _Asked:
    return _Asked(purpose, tuple(Span(*span) for span in spans))


class _Reading:
    """Follows a journal, so that asking again costs only what has happened since."""

    def __init__(self) -> None:
        self.after = 0
        self.failed: dict[str, _Asked] = {}
        self.answered: dict[str, dict[tuple[str, View], list[Interval]]] = {}
        self.by_rules: dict[str, bool] = {}
        """The documents of which a call says that its language model was shown only parts."""
        self.shown: dict[str, list[Interval]] = defaultdict(list)
        self._out: dict[str, _Asked] = {}
        self._final: dict[str, list[Interval]] = defaultdict(list)
        self._sizes: dict[str, int] = {}
        self._others: dict[str, list[Span]] = defaultdict(list)

    def follow(self, journal: Journal) -> None:
        for event in journal.events(("call.sent", "call.completed", "call.failed", "agent."), after=self.after):
            self.after = event.sequence
            if event.kind.startswith("agent."):
                self._agent(event)
                continue
            call = event.data["call"]
            if event.kind == "call.sent":
                self._out[call] = _asked(event.data.get("purpose", ""), event.data["spans"])
                continue
            asked = self._out.pop(call, None) or self.failed.get(call)
            if asked is None and "spans" in event.data:  # refused before it was sent
                asked = _asked(event.data["purpose"], event.data["spans"])
            self.failed.pop(call, None)
            if asked is None:
                continue
            if event.kind == "call.failed":
                self.failed[call] = asked
            else:
                self._count(asked, event.data)

    def _agent(self, event: Event) -> None:
        """A sub-agent with a session of its own answers one question over its spans, or fails; what it reads, its own calls tell."""
        if event.kind == "agent.started":
            spans = [(span["document"], span["start"], span["end"], span["view"]) for span in event.data["spans"]]
            self._out[event.agent] = _asked(event.data.get("purpose", event.data["question"]), spans)
        elif (asked := self._out.pop(event.agent, None)) is not None:
            if event.data["status"] != "answered":
                self.failed[event.agent] = asked
            else:
                self._answer(asked)

    def documents(self) -> Iterable[str]:
        """Those whose final text was read, all or in part."""
        return self._final.keys()

    def intervals(self, document: str, to_final: ToFinal | None) -> list[Interval]:
        """The union of what was read of a document's final text."""
        held = self._final.get(document)
        if held is not None and self._sizes.get(document) != len(held):
            held = self._final[document] = merge(held)
            self._sizes[document] = len(held)
        others = self._others.get(document) if to_final else None
        if not others or to_final is None:
            return held or []
        shown = [(span.start, span.end) for other in others for span in to_final(other) if span.document == document]
        return merge([*(held or []), *shown])

    def _answer(self, asked: _Asked) -> None:
        by_place = self.answered.setdefault(asked.purpose, defaultdict(list))
        for span in asked.spans:
            by_place[(span.document, span.view)].append((span.start, span.end))

    def _count(self, asked: _Asked, said: Mapping[str, Any]) -> None:
        self._answer(asked)
        spans = tuple(Span(*span) for span in said["read"]) if "read" in said else asked.spans
        if "shown" in said:
            self.by_rules |= dict.fromkeys((span.document for span in spans), True)
        for span in (Span(*span) for span in said["shown"]) if "shown" in said else spans:
            if span.view == "final":
                self.shown[span.document].append((span.start, span.end))
        for span in spans:
            if span.view == "final":
                self._final[span.document].append((span.start, span.end))
            else:
                self._others[span.document].append(span)


_followed: WeakKeyDictionary[Journal, _Reading] = WeakKeyDictionary()


def _reading(journal: Journal) -> _Reading:
    reading = _followed.get(journal)
    if reading is None:
        reading = _followed[journal] = _Reading()
    reading.follow(journal)
    return reading
