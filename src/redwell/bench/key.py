"""The hidden answer key of a generated room: what was planted where, and what makes each criterion of the rubric hold.

It lies beside `task.json` and never in the room. The `facts` judge grades by it, citations are measured by it, `generate verify` proves it.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Literal

from pydantic import TypeAdapter, ValidationError

from redwell.bench.unreadable import why

Split = Literal["train", "dev", "test"]
EvidenceKind = Literal["direct", "cross-document", "absence", "computed"]
Style = Literal[
    "fact",  # states a fact of the documents
    "absence",  # states that something expected is not there
    "conclusion",  # says what follows in law or for the deal
    "exposure",  # gives the sum at stake
    "recommendation",  # says what to do about it
    "sources",  # cites the documents that show it
    "precision",  # does not assert a decoy
    "report",  # of the report as a whole: executive summary, missing documents, consents
]
ValueKind = Literal["money", "number", "percent", "days", "date", "text"]
VERSION = 1


@dataclass(frozen=True, slots=True)
class Value:
    """A figure, date or wording that must be given. `amount`: money in whole units of `unit` (a currency), percent as 12.5, periods in
    days. `text`: a date as YYYY-MM-DD, or the words. `tolerance` is relative, for sums that may be rounded (0.01 is one per cent)."""

    kind: ValueKind
    amount: float = 0.0
    text: str = ""
    unit: str = ""
    tolerance: float = 0.0


@dataclass(frozen=True, slots=True)
class Check:
    """What must stand in ONE assertion of the report (a sentence, or an entry with its heading) for a criterion to hold.

    `about`: groups of alternatives; one of each group must be there, or `at_least` of the groups when that is not 0. They name the subject
    (a counterparty, a person, a site), so that the value is that of this subject. `says`: groups of alternatives, word stems or phrases in
    lower case ("terminat", "change of control"), one of each group must be asserted and not negated. `values`: each must be given.
    `unless`: words that take the assertion back ("consent was obtained", "superseded"). `cites`: names of pieces of evidence of the issue;
    the report must cite the document of each. `section`: words of the heading that it must stand under ("executive summary"), empty for
    anywhere. `forbidden`: the criterion holds when NO assertion of the report meets the rest (a decoy).
    """

    about: tuple[tuple[str, ...], ...] = ()
    says: tuple[tuple[str, ...], ...] = ()
    values: tuple[Value, ...] = ()
    unless: tuple[str, ...] = ()
    cites: tuple[str, ...] = ()
    section: str = ""
    at_least: int = 0
    forbidden: bool = False


@dataclass(frozen=True, slots=True)
class Evidence:
    """Where an issue is to be seen: `quotes` stand word for word in the text of `document` (a path in the room); for a row of a table they
    are its cells as they are shown. `locator` is for a reader: "Section 14.2", "sheet Grants, row 12"."""

    name: str
    document: str
    locator: str
    quotes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Absence:
    """Something that is nowhere in the room. `terms`: all of them stand together in one unit of whatever would satisfy it (compared in lower
    case); `despite` are the documents (paths) that hold them and do not satisfy it: near misses and what makes it expected."""

    what: str
    terms: tuple[str, ...]
    despite: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Criterion:
    """One line of the rubric. `issue` is the id of what it is about, empty for one of the report as a whole."""

    id: str
    title: str
    match_criteria: str
    style: Style
    issue: str
    check: Check


@dataclass(frozen=True, slots=True)
class PlantedIssue:
    """An issue, or a decoy that only looks like one (`because` says why it is none)."""

    id: str
    number: int
    slug: str
    title: str
    workstream: str
    kind: EvidenceKind
    way: str
    split: Split
    decoy: bool
    severity: str
    evidence: tuple[Evidence, ...]
    absences: tuple[Absence, ...] = ()
    exposure: Value | None = None
    because: str = ""


@dataclass(frozen=True, slots=True)
class Key:
    """`seed`, `preset` and `split` make the same room again."""

    room: str
    target: str
    seed: str
    preset: str
    split: str
    issues: tuple[PlantedIssue, ...]
    criteria: tuple[Criterion, ...]
    version: int = VERSION
    notes: tuple[str, ...] = field(default_factory=tuple)

    def issue(self, identity: str) -> PlantedIssue | None:
        return next((issue for issue in self.issues if issue.id == identity), None)


class AnswerKeyError(Exception):
    """An answer key that cannot be used; the message names the file and the field."""


def write_key(key: Key, path: Path) -> None:
    path.write_text(json.dumps(asdict(key), ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


def read_key(path: Path) -> Key:
    """Raises AnswerKeyError."""
    try:
        key = TypeAdapter(Key).validate_json(path.read_bytes())
    except FileNotFoundError:
        raise AnswerKeyError(f"{path}: there is no such answer key; name the folder of a generated task") from None
    except OSError as error:
        raise AnswerKeyError(f"{path}: the answer key cannot be read: {why(error)}") from None
    except ValidationError as error:
        first = error.errors()[0]
        field_ = ".".join(str(part) for part in first["loc"]) or "file"
        raise AnswerKeyError(
            f"{path}: {field_}: {first['msg'][:1].lower()}{first['msg'][1:]}; generate the room again"
        ) from None
    if key.version != VERSION:
        raise AnswerKeyError(
            f"{path}: version {key.version} of the key, and this is for {VERSION}; generate the room again"
        )
    for number, one in enumerate(key.criteria):
        if fault := hollow(one, key.issue(one.issue)):
            raise AnswerKeyError(f"{path}: criteria.{number}.{fault}; generate the room again")
    return key


def hollow(criterion: Criterion, issue: PlantedIssue | None) -> str:
    """The first field of a criterion that asks for nothing, so that reports would pass which say nothing of it, and why ("check.about: ...");
    empty when there is none. `issue` is the one that it is about."""
    return next(_hollow(criterion, issue), "")


_SIGNS = "%$€£"


def _is_blank(words: str) -> bool:
    """Whether every text holds such words: they have neither a letter nor a figure nor a sign that says something."""
    return not any(sign.isalnum() or sign in _SIGNS for sign in words)


def _hollow(criterion: Criterion, issue: PlantedIssue | None) -> Iterator[str]:
    check = criterion.check
    if _is_blank(criterion.id):
        yield "id: must not be empty"
    if not check.about:
        yield "check.about: must not be empty: what is said of anything at all would pass"
    for field_, groups in (("about", check.about), ("says", check.says)):
        for at, group in enumerate(groups):
            if not group:
                yield f"check.{field_}.{at}: must not be empty: it has no alternative"
            yield from _blanks(f"check.{field_}.{at}", group)
    yield from _blanks("check.unless", check.unless)
    if not 0 <= check.at_least <= len(check.about):
        yield f"check.at_least: must be 0 to {len(check.about)}, the number of groups in about, and is {check.at_least}"
    if check.section and _is_blank(check.section):
        yield "check.section: must not be blank: every heading would do"
    for at, value in enumerate(check.values):
        if value.kind in ("text", "date") and _is_blank(value.text):
            yield f"check.values.{at}.text: must not be empty: every text would do"
        if not math.isfinite(value.amount):
            yield f"check.values.{at}.amount: must be a number"
        if not 0 <= value.tolerance < 1:
            yield f"check.values.{at}.tolerance: must be 0 to 1, and less than 1"
    documents = {one.name: one.document for one in issue.evidence} if issue is not None else {}
    for at, name in enumerate(check.cites):
        if name not in documents:
            yield f"check.cites.{at}: {name!r} is no evidence of the issue {criterion.issue!r}"
        elif _is_blank(documents[name]):
            yield f"check.cites.{at}: the evidence {name!r} has no document, so that every report would cite it"


def _blanks(place: str, words: tuple[str, ...]) -> Iterator[str]:
    return (f"{place}.{at}: must not be empty: every text holds it" for at, one in enumerate(words) if _is_blank(one))
