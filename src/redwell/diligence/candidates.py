"""What a slow model is shown of a slice: its passages, each with the kinds of issue that it may hold, the likeliest first."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from redwell.diligence import clauses, passages
from redwell.diligence.archetypes.base import Archetype
from redwell.diligence.archetypes.catalogue import ALL, BY_ID
from redwell.harness.fence import Slice

LONGEST = 800  # characters of a passage: some 200 tokens
SHORTEST = 40
MOST_KINDS = 6  # questions about one passage

_PAPERS = {
    "change_of_control_default": ("default", "lender", "loan", "note", "repay"),
    "contractor_fee": ("contractor", "consultant"),
    "contractor_licence": ("contractor", "consultant"),
    "contractor_work": ("contractor", "consultant"),
    "control_severance": ("employ", "executive", "severance", "salary"),
    "insurance_control": ("insur", "policy"),
    "investor_put": ("shares", "stock", "units"),
    "investor_veto": ("investor", "holder", "preferred", "member"),
    "joint_venture_trigger": ("venture", "shareholder", "member"),
    "lease_consent": ("lease", "landlord", "tenant", "premises"),
    "single_trigger": ("employ", "executive", "vest", "bonus", "option", "equity"),
}
"""Kinds that only some papers can hold: one of the words must stand in the passage or in the document's name. A small model says yes to the
words of a change of control whatever the paper is."""

_TERMS = {
    archetype.id: frozenset(passages.terms(f"{archetype.title} {archetype.question}"))
    for archetype in ALL
    if archetype.find is not None
}


@dataclass(frozen=True, slots=True)
class Passage:
    """A stretch of a document in a request: the document's number, and `start`..`end` within its slice's text."""

    number: int
    path: str
    start: int
    end: int
    text: str
    heading: str = ""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A passage and the ids of the archetypes to ask about, the likeliest first; `weight` is that of the first."""

    passage: Passage
    kinds: tuple[str, ...]
    weight: float


def cut(piece: Slice) -> list[Passage]:
    """The passages of a slice, in order: paragraphs, put together while they are short and divided between sentences when they are long."""
    found: list[Passage] = []
    start = end = -1
    heading = ""

    def close() -> None:
        if start >= 0 and end - start >= SHORTEST:
            found.append(Passage(piece.number, piece.path, start, end, piece.text[start:end], heading))

    for paragraph in clauses.paragraphs(piece.text):
        for a, b in _stretches(paragraph):
            if start >= 0 and b - start > LONGEST:
                close()
                start = -1
            if start < 0:
                start, heading = a, paragraph.heading
            end = b
    close()
    return found


def _stretches(paragraph: clauses.Paragraph) -> list[tuple[int, int]]:
    """A paragraph, in pieces of whole sentences that are no longer than a passage may be."""
    if paragraph.end - paragraph.start <= LONGEST:
        return [(paragraph.start, paragraph.end)]
    pieces: list[tuple[int, int]] = []
    for a, b in clauses.sentences(paragraph.raw):
        begin, stop = paragraph.start + a, paragraph.start + b
        if pieces and stop - pieces[-1][0] <= LONGEST:
            pieces[-1] = (pieces[-1][0], stop)
            continue
        while stop - begin > LONGEST:
            at = paragraph.raw.rfind(" ", begin - paragraph.start, begin - paragraph.start + LONGEST)
            at = at if at > begin - paragraph.start else begin - paragraph.start + LONGEST
            pieces.append((begin, paragraph.start + at))
            begin = paragraph.start + at
        pieces.append((begin, stop))
    return pieces


def candidates(slices: Iterable[Slice], kinds: frozenset[str]) -> list[Candidate]:
    """The passages in which words of a kind of issue stand, the likeliest first."""
    wanted = [archetype for archetype in ALL if archetype.find is not None and archetype.id in kinds]
    found = []
    for piece in slices:
        for passage in cut(piece):
            scored = sorted(_scored(passage, wanted), reverse=True)[:MOST_KINDS]
            if scored:
                found.append(Candidate(passage, tuple(name for _, name in scored), scored[0][0]))
    return sorted(found, key=lambda each: (-each.weight, each.passage.number, each.passage.start))


def _scored(passage: Passage, wanted: Sequence[Archetype]) -> list[tuple[float, str]]:
    """(how likely, id) of the kinds of which a trigger stands in the passage: by the words that it shares with the kind's question."""
    low = passage.text.casefold()
    named = low + " " + passage.path.casefold()
    words: frozenset[str] | None = None
    scored = []
    for archetype in wanted:
        woken = sum(trigger in low for trigger in archetype.triggers)
        papers = _PAPERS.get(archetype.id, ())
        if not woken or (papers and not any(word in named for word in papers)):
            continue
        words = words if words is not None else frozenset(passages.terms(passage.text))
        asked = _TERMS[archetype.id]
        shared = len(asked & words)
        if shared >= 2:
            scored.append((round(shared / math.sqrt(len(asked)) + 0.25 * min(woken, 3), 4), archetype.id))
    return scored


def nearest(slices: Sequence[Slice], question: str, characters: int) -> list[Passage]:
    """The passages that share most with a free question, up to so many characters in all, in the order of the text; all of them when they fit."""
    every = [passage for piece in slices for passage in cut(piece)]
    if sum(len(passage.text) for passage in every) <= characters:
        return every
    asked = set(passages.terms(question))
    bags = [Counter(passages.terms(passage.text)) for passage in every]
    rare = {term: math.log(1 + len(every) / (1 + sum(term in bag for bag in bags))) for term in asked}
    order = sorted(
        range(len(every)),
        key=lambda place: (-sum(rare[t] * min(2, bags[place][t]) for t in asked if t in bags[place]), place),
    )
    taken: list[int] = []
    for place in order:
        characters -= len(every[place].text)
        if characters < 0:
            break
        taken.append(place)
    return [every[place] for place in sorted(taken)]


def asked(kind: str) -> str:
    """The question about one kind of issue."""
    archetype = BY_ID[kind]
    return (archetype.question or archetype.title).partition(" (values:")[0]
