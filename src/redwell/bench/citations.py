"""The citations of a deliverable, whoever wrote it: which of its quotes stand in the room, and which show what they are said to show.

A quote is what stands between quotation marks, or after `>`; that it stands under the heading of an issue is taken as being cited for it.
"""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from redwell.bench.key import Key, PlantedIssue
from redwell.room.room import Room, RoomError
from redwell.room.types import Span

SHORTEST = 20  # characters; less is a term or a name, not a passage
FEWEST_WORDS = 4
LONGEST_BLOCK = 12_000  # characters: what is longer is no entry about one thing
LARGEST = 8 << 20  # bytes of a deliverable
NAMED_WITHIN = 240  # characters after and before a quote in which its file is named
_QUOTED = re.compile(rf'“([^“”]{{{SHORTEST},4000}})”|(?<![\w"])"([^"\n]{{{SHORTEST},4000}})"(?!\w)')
_FILE = re.compile(r"[^\s()\[\]“”\"/;:]+\.[A-Za-z0-9]{2,5}\b")
_BLOCK = re.compile(r"^#{1,6} .*$", re.MULTILINE)
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")
"""Markdown lets any punctuation mark be escaped."""


@dataclass(frozen=True, slots=True)
class Citations:
    """`quotes` were found in the deliverable, `verified` of them stand in the room.

    With an answer key: `on_issues` stand in a passage of the deliverable about a planted issue; of these `document` are from a document that
    shows this issue, and `passage` overlap the very words. `evidence` pieces are in the key, `cited` of them are quoted somewhere.
    """

    quotes: int = 0
    verified: int = 0
    on_issues: int = 0
    document: int = 0
    passage: int = 0
    evidence: int = 0
    cited: int = 0


@dataclass(frozen=True, slots=True)
class _Shown:
    issue: PlantedIssue
    subjects: tuple[tuple[tuple[str, ...], ...], ...]
    spans: tuple[tuple[Span, ...], ...]  # of each piece of evidence
    documents: frozenset[str]


def citations(output: Path, deliverables: Sequence[str], room: Room, key: Key | None) -> Citations:
    """Of the deliverables in `output` that are text; files that are not there count for nothing."""
    found = Citations()
    shown = _shown(key, room) if key else []
    hit: set[tuple[str, int]] = set()
    checked = _Checked(room, _said_to_be_in(output))
    for name in deliverables:
        file = output / name
        if file.suffix.lower() not in (".md", ".txt") or not file.is_file() or file.stat().st_size > LARGEST:
            continue
        for block in _blocks(_plain(file.read_text(encoding="utf-8", errors="replace"))):
            found = _add(found, block, checked, shown, hit)
    return replace(found, evidence=sum(len(each.spans) for each in shown), cited=len(hit))


def quotes_in(text: str) -> dict[str, str]:
    """The quotes of a text, each once, in order, with the words after and before each: they may name its file."""
    found: dict[str, str] = {}
    for match in _QUOTED.finditer(text):
        quote = (match[1] or match[2]).strip()
        if len(quote.split()) >= FEWEST_WORDS:
            after = text[match.end() : match.end() + NAMED_WITHIN].partition("\n")[0]
            before = text[max(0, match.start() - NAMED_WITHIN) : match.start()].rpartition("\n")[2]
            found.setdefault(quote, f"{after}\n{before}")
    return found


class _Checked:
    """Where quotes stand, each looked up once: in the file that is named beside it, else in the documents that it is said to be in, else in the
    whole room."""

    def __init__(self, room: Room, said: Mapping[str, Sequence[str]]) -> None:
        self._room = room
        self._said = said
        self._known: dict[str, tuple[Span, ...]] = {}
        self._named: dict[str, list[str]] = {}
        for document in room.documents():
            for path in document.paths:
                self._named.setdefault(path.rsplit("/", 1)[-1], []).append(document.id)

    def spans(self, quote: str, beside: str) -> tuple[Span, ...]:
        """`beside` are the words around the quote."""
        # A look through the whole room is dear: once for a quote, and only when no file named beside it or beside an earlier mention holds it.
        if not self._known.get(quote):
            names = dict.fromkeys(found[0] for found in _FILE.finditer(beside) if found[0] in self._named)
            documents = dict.fromkeys(document for name in names for document in self._named[name])
            documents |= dict.fromkeys(self._said.get(_bare(quote), ()))
            places = next((spans for document in documents if (spans := self._in(quote, document))), ())
            if places or quote not in self._known:
                self._known[quote] = places or self._in(quote, None)
        return self._known[quote]

    def _in(self, quote: str, document: str | None) -> tuple[Span, ...]:
        try:
            checked = self._room.check(quote, document)
        except RoomError:
            return ()
        return checked.spans if checked.holds else ()


def _said_to_be_in(output: Path) -> dict[str, list[str]]:
    """By quote, the documents that `report.json` names for it. It only says where to look first: the harness may have let anybody write it."""
    try:
        file = output / "report.json"
        entries = json.loads(file.read_bytes())["entries"] if file.stat().st_size <= 8 * LARGEST else []
        found: dict[str, list[str]] = {}
        for cited in [cited for entry in entries for cited in entry["citations"]]:
            found.setdefault(_bare(str(cited["quote"])), []).append(str(cited["document"]))
        return found
    except (OSError, ValueError, TypeError, KeyError, RecursionError):
        return {}


def _bare(quote: str) -> str:
    """A quote by its letters and digits alone, as renderings differ in the rest."""
    return "".join(filter(str.isalnum, quote)).lower()


def _add(
    found: Citations, block: str, checked: _Checked, shown: Sequence[_Shown], hit: set[tuple[str, int]]
) -> Citations:
    low = block.lower()
    about = [each for each in shown if len(block) <= LONGEST_BLOCK and _is_about(low, each)]
    for quote, beside in quotes_in(block).items():
        spans = checked.spans(quote, beside)
        found = replace(found, quotes=found.quotes + 1, verified=found.verified + bool(spans))
        for each in shown:
            hit |= {
                (each.issue.id, number)
                for number, places in enumerate(each.spans)
                if any(_overlap(span, place) for span in spans for place in places)
            }
        if about:
            of_document = any(span.document in each.documents for span in spans for each in about)
            of_passage = any(
                _overlap(span, place) for span in spans for each in about for places in each.spans for place in places
            )
            found = replace(
                found,
                on_issues=found.on_issues + 1,
                document=found.document + of_document,
                passage=found.passage + of_passage,
            )
    return found


def _plain(text: str) -> str:
    """Markdown's escapes undone, and line marks of quoted blocks taken away: the quote as it was copied."""
    return re.sub(r"(?m)^> ?", "", _ESCAPED.sub(r"\1", text))


def _blocks(text: str) -> list[str]:
    starts = [0, *(match.start() for match in _BLOCK.finditer(text)), len(text)]
    return [text[a:b] for a, b in itertools.pairwise(starts) if b > a]


def _is_about(low: str, shown: _Shown) -> bool:
    return any(all(any(name in low for name in group) for group in groups) for groups in shown.subjects)


def _overlap(one: Span, other: Span) -> bool:
    return one.document == other.document and one.start < other.end and other.start < one.end


def _shown(key: Key, room: Room) -> list[_Shown]:
    found = []
    for issue in key.issues:
        if issue.decoy:
            continue
        groups = {
            tuple(tuple(name.lower() for name in group) for group in criterion.check.about)
            for criterion in key.criteria
            if criterion.issue == issue.id and criterion.check.about and not criterion.check.forbidden
        }
        spans, documents = [], set[str]()
        for piece in issue.evidence:
            try:
                document = room.document(piece.document).id
            except RoomError:
                continue
            documents.add(document)
            longest = max(piece.quotes, key=len, default="")
            checked = room.check(longest, document) if longest else None
            spans.append(checked.spans if checked is not None and checked.holds else ())
        found.append(_Shown(issue, tuple(sorted(groups)), tuple(spans), frozenset(documents)))
    return found
