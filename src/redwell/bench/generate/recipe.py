"""What plants an issue: a recipe for each archetype, with several ways that differ in wording, place, unit and kind of document."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from redwell.bench.generate.papers import Added, Paper
from redwell.bench.generate.world import World
from redwell.bench.key import Check, EvidenceKind, Split, Style, Value

Make = Callable[[World, random.Random, bool], "Plant"]


@dataclass(frozen=True, slots=True)
class Draft:
    """A criterion before it has an id. `text` is its match_criteria as LAB writes them: "PASS if the report states that ...".

    `{§MARK}`, `{@ID}` and `{file:ID}` are filled in as in papers."""

    style: Style
    title: str
    text: str
    check: Check


@dataclass(frozen=True, slots=True)
class Gap:
    """Something that is nowhere in the room: see `key.Absence`. `despite` are ids of papers of the plant and names of hubs."""

    what: str
    terms: tuple[str, ...]
    despite: tuple[str, ...] = ()


@dataclass(slots=True)
class Plant:
    """What one way of a recipe gives. For a decoy `criteria` hold only `precision` ones and `because` says why it is no issue."""

    title: str
    papers: list[Paper]
    criteria: list[Draft]
    added: list[Added] = field(default_factory=list)
    gaps: list[Gap] = field(default_factory=list)
    severity: str = ""  # empty: the recipe's
    exposure: Value | None = None
    because: str = ""


@dataclass(frozen=True, slots=True)
class Way:
    """One way to plant it. `make(world, rng, decoy)` adds to the world and writes the papers; with `decoy` the same look and wording, made
    benign by a fact of its own (an executed consent, a later amendment, an expired restriction)."""

    name: str
    split: Split
    make: Make


@dataclass(frozen=True, slots=True)
class Recipe:
    """`number` and `slug` are the archetype's in the catalogue. `once`: it changes a fact of the whole room, so it is planted once at most (as an issue or as a decoy).

    At least five ways: at least one of each split and two of `train` and `test`. Ways share figures and names, never sentences."""

    number: int
    slug: str
    workstream: str
    title: str
    kind: EvidenceKind
    severity: str
    ways: tuple[Way, ...]
    once: bool = False


ABSENT = (
    "missing", "absent", "not in the room", "not in the data room", "no executed", "no signed", "not been provided", "was not provided", "not found", "no copy",
    "could not be found", "not located", "no evidence", "there is no", "there are no", "does not contain", "contains no", "none was", "none is", "lacks", "without a",
    "has not been obtained", "not obtained", "outstanding", "not produced", "unsigned", "no record", "no document", "omits", "omitted", "not listed", "not disclosed",
)  # fmt: skip
"""How a report says that something is not there; they are assertions, not negations."""


def fact(
    title: str,
    text: str,
    about: Sequence[Sequence[str]],
    says: Sequence[Sequence[str]] = (),
    *values: Value,
    unless: Sequence[str] = (),
) -> Draft:
    """PASS if the report states a fact of this subject."""
    return _draft("fact", title, text, about, says, values, unless)


def absence(
    title: str, text: str, about: Sequence[Sequence[str]], what: Sequence[str], unless: Sequence[str] = ()
) -> Draft:
    """PASS if the report states that `what` (alternatives of one thing) is not there."""
    return _draft("absence", title, text, about, [ABSENT, what], (), unless)


def conclusion(
    title: str,
    text: str,
    about: Sequence[Sequence[str]],
    says: Sequence[Sequence[str]],
    *values: Value,
    unless: Sequence[str] = (),
) -> Draft:
    """PASS if the report concludes what follows."""
    return _draft("conclusion", title, text, about, says, values, unless)


def exposure(
    title: str, text: str, about: Sequence[Sequence[str]], value: Value, says: Sequence[Sequence[str]] = ()
) -> Draft:
    """PASS if the report gives the sum at stake."""
    return _draft("exposure", title, text, about, says, (value,), ())


def recommendation(title: str, text: str, about: Sequence[Sequence[str]], says: Sequence[Sequence[str]]) -> Draft:
    """PASS if the report recommends a step."""
    return _draft("recommendation", title, text, about, says, (), ())


def sources(title: str, text: str, about: Sequence[Sequence[str]], *marks: str) -> Draft:
    """PASS if the report cites the documents of these marks for it."""
    return Draft("sources", title, text, Check(about=_groups(about), cites=marks))


def precision(
    title: str, text: str, about: Sequence[Sequence[str]], says: Sequence[Sequence[str]], unless: Sequence[str] = ()
) -> Draft:
    """PASS if the report does NOT assert this of the decoy. `unless`: words that show that the report saw why it is none."""
    return Draft(
        "precision", title, text, Check(about=_groups(about), says=_groups(says), unless=tuple(unless), forbidden=True)
    )


def usd(amount: float, tolerance: float = 0.005) -> Value:
    """A sum of dollars; half a per cent allows for rounding in millions."""
    return Value("money", amount, unit="USD", tolerance=tolerance)


def _draft(
    style: Style,
    title: str,
    text: str,
    about: Sequence[Sequence[str]],
    says: Sequence[Sequence[str]],
    values: Sequence[Value],
    unless: Sequence[str],
) -> Draft:
    return Draft(style, title, text, Check(_groups(about), _groups(says), tuple(values), tuple(unless)))


def _groups(groups: Sequence[Sequence[str]]) -> tuple[tuple[str, ...], ...]:
    for group in groups:
        if isinstance(group, str):
            raise TypeError(f"{group!r} is a text, and a group of alternatives is wanted: ({group!r},)")
    return tuple(tuple(group) for group in groups)
