"""The `facts` judge: grades a report on a generated room by its answer key, without a model, the same way every time.

A criterion holds when one assertion of the report (a sentence, or an entry with its heading) names the subject, says what is wanted without
taking it back, and gives the values of that subject. For facts the quotations of an entry count as what it says; absences, conclusions,
exposures and recommendations must be in the reporter's own words.

What does not count, so that a report cannot pass by saying everything:

- words taken over from the room without quotation marks, and quotations without words of the reporter's own or by the page;
- a sentence that names more subjects than a reader could tell apart, and a value that stands nearer to another subject's name;
- values of a subject for which the report gives more figures than anybody has (`MOST_FIGURES`);
- what the report asserts of every other subject as well, or of half of them, decoys included;
- what is said of a subject of which the report says half of all that could be said of anybody;
- decoys left alone (`precision`) and documents cited (`sources`) by a report that finds nothing else.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from redwell.bench.facts.checks import Reading, fault_of
from redwell.bench.facts.copies import Copied, mark_copies
from redwell.bench.facts.markdown import parse
from redwell.bench.facts.subjects import subjects
from redwell.bench.key import Criterion, Key, PlantedIssue, hollow
from redwell.bench.verdicts import Verdict
from redwell.room.room import Room

VERSION = "facts-4"
_ASKED = 40
"""So many other subjects of each sort are looked at."""
_ALIKE = 0.5
"""The share of other subjects of which the same is asserted that makes an assertion empty. Good reports stay under 0.3."""
_EVERYTHING = 0.5
"""The share of other archetypes' claims that are made of one subject, from which on none of them counts. Good reports stay under 0.35."""
_FEWEST_CLAIMS = 10
"""Archetypes whose claims must be there for that to tell anything."""


def grade(report: str, criteria: Sequence[Criterion], key: Key, room: Room | Mapping[str, str]) -> list[Verdict]:
    """A verdict on each criterion, in order; unscored only where the key asks for nothing (`key.hollow`). `room` is what the report was written on: it, or the texts by path.

    Rooms of any size are read once, in order (twice for a report that copies them), so that copies are known.
    """
    reading = read(report, key, lambda: _texts(room))
    if not reading.has_words:
        return [Verdict(one.id, "fail", "the report says nothing of its own") for one in criteria]
    everything = _Everything(reading)
    first = {one.id: _judge(reading, one, everything) for one in key.criteria}
    first |= {one.id: _judge(reading, one, everything) for one in criteria if one.id not in first}
    found = {
        one.issue
        for one in key.criteria
        if one.style not in ("precision", "sources") and first[one.id].outcome == "pass"
    }
    substance = [one for one in key.criteria if one.style not in ("precision", "sources")]
    return [_leaning(reading, one, first[one.id], found, substance) for one in criteria]


def _leaning(
    reading: Reading, one: Criterion, verdict: Verdict, found: set[str], substance: list[Criterion]
) -> Verdict:
    """What holds only together with something else: decoys left alone, and documents cited."""
    if verdict.outcome != "pass" or one.style not in ("precision", "sources"):
        return verdict
    reason = ""
    if reading.copied.is_copy:
        reason = "the report gives the room back instead of reporting on it"
    elif one.style == "precision" and substance and not found:
        reason = "the report finds no issue of the key, so that leaving this out is no merit"
    elif one.style == "sources" and one.issue not in found and any(other.issue == one.issue for other in substance):
        reason = "documents are cited, and nothing of the issue is stated"
    return replace(verdict, outcome="fail", reason=reason) if reason else verdict


def read(report: str, key: Key, texts: Callable[[], Iterable[str]] | None = None) -> Reading:
    """A report made ready for checks against the key of its room; `texts` are the room's."""
    parsed = parse(report)
    copied = mark_copies(parsed, texts) if texts is not None else Copied()
    return Reading(subjects(parsed, key.criteria, _everybody(key)), parsed, key, copied=copied)


def holds(report: str, criterion: Criterion, key: Key) -> tuple[bool, str]:
    """Whether one criterion's check holds in a text by itself, and why not: for who writes criteria."""
    fault, passage = fault_of(read(report, key), criterion)
    return not fault, fault or passage


def _judge(reading: Reading, criterion: Criterion, everything: _Everything) -> Verdict:
    if nothing := hollow(criterion, reading.key.issue(criterion.issue)):
        return Verdict(criterion.id, "unscored", f"the answer key asks for nothing that could be looked for: {nothing}")
    fault, passage = fault_of(reading, criterion)
    if not fault and not criterion.check.forbidden:
        guessed = _could_be_of_anybody(reading, criterion) or _is_of_sums(reading, criterion)
        fault = (_said_of_all(reading, criterion) if guessed else "") or everything.of(criterion.issue)
    if fault:
        return Verdict(criterion.id, "fail", fault, passage)
    return Verdict(
        criterion.id, "pass", "nothing of the kind is asserted" if criterion.check.forbidden else "asserted", passage
    )


def _could_be_of_anybody(reading: Reading, criterion: Criterion) -> bool:
    """Whether a criterion asks for words about a subject, and for no figure that one must have read."""
    check = criterion.check
    return bool(check.says) and not check.values and not check.forbidden and criterion.issue in reading.subjects.names


def _is_of_sums(reading: Reading, criterion: Criterion) -> bool:
    """Whether it asks for sums of money, of which no two subjects have the same ones by chance; small numbers and round periods recur."""
    values = criterion.check.values
    return bool(values) and all(one.kind == "money" for one in values) and criterion.issue in reading.subjects.names


class _Everything:
    """Whether a report says of a subject what could be said of any: the claims of other archetypes, which are not its."""

    def __init__(self, reading: Reading) -> None:
        self._reading = reading
        self._claims: dict[str, list[Criterion]] = {}
        for one in reading.key.criteria:
            issue = reading.key.issue(one.issue)
            if (
                issue is not None
                and not issue.decoy
                and one.style not in ("precision", "sources")
                and _could_be_of_anybody(reading, one)
            ):
                self._claims.setdefault(issue.slug, []).append(one)
        self._known: dict[str, str] = {}

    def of(self, issue: str) -> str:
        """Why nothing that is said of the issue's subject counts; empty when it does."""
        if issue not in self._reading.subjects.names:
            return ""
        if issue not in self._known:
            own = self._reading.key.issue(issue)
            others = [claims for slug, claims in self._claims.items() if own is not None and slug != own.slug][:_ASKED]
            made = sum(sum(_made_of(self._reading, one, issue) for one in claims) / len(claims) for claims in others)
            dumped = len(others) >= _FEWEST_CLAIMS and made >= _EVERYTHING * len(others)
            told = f"the report says of this subject half or more of what could be said of any ({made:.0f} of {len(others)})"
            self._known[issue] = told if dumped else ""
        return self._known[issue]


def _made_of(reading: Reading, claim: Criterion, issue: str) -> bool:
    """Whether a claim about one issue's subject is made of another's."""
    about = tuple(group for group in claim.check.about if not reading.names_issue(group, claim.issue))
    bare = replace(claim, check=replace(claim.check, about=about, unless=()), issue=issue)
    return not fault_of(reading, bare, within=True)[0]


def _said_of_all(reading: Reading, criterion: Criterion) -> str:
    """Why an assertion is empty: the report makes it of half of the other subjects too, and of the decoys."""
    own = reading.key.issue(criterion.issue)
    if own is None:
        return ""
    others = [
        one
        for one in reading.key.issues
        if one.id in reading.subjects.names and (one.decoy or one.slug != own.slug) and one.id != own.id
    ]
    decoys = [one for one in others if one.decoy]
    if len(others) < 4 or len(decoys) < 2:
        return ""

    def of_most(chosen: list[PlantedIssue]) -> bool:
        """Whether it is said of so many of them; stops as soon as it cannot be."""
        allowed = len(chosen) - math.ceil(_ALIKE * len(chosen))
        for one in chosen:
            allowed -= not _made_of(reading, criterion, one.id)
            if allowed < 0:
                return False
        return True

    if not of_most(decoys[:_ASKED]) or not of_most([one for one in others if not one.decoy][:_ASKED]):
        return ""
    return f"the report asserts the same of half or more of the {len(others)} other subjects, decoys included"


def _everybody(key: Key) -> list[str]:
    """The target's name and what it is called for short: they tell no issue from another."""
    bare = key.target.replace(",", " ").split()
    return [key.target, *(" ".join(bare[:count]) for count in range(1, len(bare)))]


def _texts(room: Room | Mapping[str, str]) -> Iterable[str]:
    if isinstance(room, Mapping):
        yield from room.values()
        return
    for identity, _, _, length in room.sizes():
        if length:
            yield room.text(identity)
