"""The library of running text, read from `running/*.txt`.

A piece begins with `= topics` (`=* topics`: it speaks of a thing and may be said of many) and, on the next line, its headings, parted by ` | `
(an empty line: it has none). `@word` among the topics: a paper has one piece of that group, whatever their wording. Then a line for each sentence: `? ` before one that may be left out, `- ` before an item of its list,
`~` alone begins a new paragraph. `[a|b|c]` is a choice; `<A>` and `<B>` are the two sides (who supplies, who pays); the other slots
in angle brackets are filled from `SLOTS`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files

from redwell.bench.generate.writing import both

SUPPLIER, CUSTOMER, THING_SLOT, THING_CAPITAL, CODE_SLOT = "\x01", "\x02", "\x03", "\x04", "\x05"
_SIGNS = {"<A>": SUPPLIER, "<B>": CUSTOMER, "<thing>": THING_SLOT, "<Thing>": THING_CAPITAL, "<code>": CODE_SLOT}
SLOTS: dict[str, tuple[str, ...]] = {
    "D": tuple(both(n) for n in (5, 7, 10, 14, 15, 20, 21, 28, 30, 45, 60)),
    "M": tuple(both(n) for n in (3, 6, 9, 12, 18, 24)),
    "h": ("one", "two", "three", "four", "six", "eight", "twelve", "sixteen"),
    "n": tuple(map(str, range(2, 25))),
    "num": tuple(str(n) for n in (*range(12, 100, 4), *range(105, 1000, 35))),
    "unit": ("mm", "kPa", "volts", "amperes", "kilograms", "litres per minute", "newtons", "hertz", "watts", "degrees Celsius", "metres", "lux"),
    "tol": ("0.1", "0.2", "0.25", "0.5", "0.8", "1", "1.5", "2", "2.5", "3", "4", "5"),
    "city": ("Chicago", "Boston", "Denver", "Atlanta", "Seattle", "Minneapolis", "London", "Toronto", "Zurich", "Rotterdam", "Dublin", "Phoenix", "Columbus"),
    "law": ("the State of Delaware", "the State of New York", "the State of Illinois", "the Commonwealth of Massachusetts", "England and Wales", "the Province of Ontario", "the State of Ohio"),
    "month": ("January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"),
    "day": ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday"),
    "quarter": ("first", "second", "third", "fourth"),
    "team": ("Operations", "Procurement", "Quality", "Facilities", "Customer Care", "Logistics", "Engineering", "Communications", "Planning", "Learning and Development"),
    "region": ("the northern region", "the southern region", "the coastal region", "the central region", "the mountain region", "the overseas offices", "the lake region"),
    "standard": ("ISO 9001", "ISO 14001", "ISO 45001", "ISO 22301", "ISO/IEC 27001"),
}  # fmt: skip
_CHOICE = re.compile(r"\[([^\[\]]*)\]")
_SLOT = re.compile(r"<(\w+)>")


@dataclass(frozen=True, slots=True)
class Spoken:
    """A sentence as parts: words, or the words among which chance picks."""

    parts: tuple[str | tuple[str, ...], ...]
    optional: bool = False

    def say(self, chance: Callable[[], float]) -> str:
        """The sentence with its choices made."""
        return "".join([part if isinstance(part, str) else part[int(chance() * len(part))] for part in self.parts])


@dataclass(frozen=True, slots=True)
class Piece:
    """A clause, or a section of a report. A paper has one piece of a `group`; `rank` is its place in the library; `loose`: its list may be shortened
    and put in another order."""

    group: str
    rank: int
    topics: frozenset[str]
    headings: tuple[Spoken, ...]
    paragraphs: tuple[tuple[Spoken, ...], ...]
    listed: tuple[Spoken, ...]
    loose: bool


@dataclass(frozen=True, slots=True)
class Library:
    """Pieces that stand in a paper once, and those that may come again of other `things`; `mixed` says whether they stand among each other."""

    once: tuple[Piece, ...]
    again: tuple[Piece, ...]
    things: tuple[str, ...]
    mixed: bool


@cache
def library(of: str) -> Library:
    """The library of one kind of paper."""
    text = files("redwell.bench.generate").joinpath("running", f"{of}.txt").read_text("utf-8")
    once: list[Piece] = []
    again: list[Piece] = []
    ranks: dict[str, int] = {}  # that of the first piece of a group holds for the others
    things: tuple[str, ...] = ("equipment",)
    for number, stretch in enumerate(re.split(r"(?m)^=", text)):
        if not stretch.strip():
            continue
        if stretch.startswith("things"):
            things = tuple(line.strip() for line in stretch.split("\n")[1:] if line.strip())
            continue
        piece = _piece(of, number, stretch)
        piece = replace(piece, rank=ranks.setdefault(piece.group, number))
        (again if stretch.startswith("*") else once).append(piece)
    return Library(tuple(once), tuple(again), things, of in ("report", "minutes", "letter", "accounts"))


def _piece(of: str, rank: int, text: str) -> Piece:
    first, headings, *lines = text.rstrip("\n").split("\n")
    paragraphs: list[list[Spoken]] = [[]]
    listed: list[Spoken] = []
    for line in lines:
        line = line.strip()
        if line == "~":
            paragraphs.append([])
        elif line.startswith("- "):
            listed.append(_spoken(line[2:]))
        elif line.startswith("? "):
            paragraphs[-1].append(_spoken(line[2:], optional=True))
        elif line:
            paragraphs[-1].append(_spoken(line))
    words = first.removeprefix("*").split()
    topics = frozenset(word for word in words if not word.startswith("@"))
    group = f"{of}/" + next((word for word in words if word.startswith("@")), str(rank))
    named = tuple(_spoken(part.strip()) for part in headings.split(" | ") if part.strip())
    return Piece(
        group,
        rank,
        topics,
        named,
        tuple(map(tuple, paragraphs)),
        tuple(listed),
        "loose" in topics or first.startswith("*"),
    )


def _signed(text: str) -> str:
    for slot, sign in _SIGNS.items():
        text = text.replace(slot, sign)
    return text


def _spoken(text: str, *, optional: bool = False) -> Spoken:
    """The parts of a sentence: slots within a choice become choices of their own after it is spread out."""
    parts: list[str | tuple[str, ...]] = []
    at = 0
    for match in _CHOICE.finditer(text := _signed(text)):
        parts += _slots(text[at : match.start()])
        options = [option for part in match[1].split("|") for option in _spread(part)]
        parts.append(tuple(options))
        at = match.end()
    parts += _slots(text[at:])
    return Spoken(tuple(part for part in parts if part), optional)


def _slots(text: str) -> list[str | tuple[str, ...]]:
    parts: list[str | tuple[str, ...]] = []
    at = 0
    for match in _SLOT.finditer(text):
        parts += [text[at : match.start()], SLOTS[match[1]]]
        at = match.end()
    return [*parts, text[at:]]


def _spread(option: str) -> list[str]:
    """An option with a slot in it as four options with fixed words there, spaced over what the slot holds."""
    match = _SLOT.search(option)
    if match is None:
        return [option]
    words = SLOTS[match[1]]
    some = words[:: max(1, len(words) // 4)][:4]
    return [spread for word in some for spread in _spread(option[: match.start()] + word + option[match.end() :])]
