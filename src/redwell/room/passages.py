"""What the index holds: passages, made of neighbouring units, so that a heading is found with the paragraph that it heads."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

MERGE = 500
"""Units are put together until a passage has this many code points."""
LONG = 4_000
"""A longer unit is indexed in windows, each beginning before the one before it ends, so that no phrase falls between two."""
WINDOW = 3_000
OVERLAP = 300


@dataclass(frozen=True, slots=True)
class Passage:
    """A stretch of a document's text; `first` and `last` are the ordinals of its units. `view` 0 is final, 1 is marked."""

    document: int
    view: int
    start: int
    end: int
    first: int
    last: int
    flags: tuple[str, ...] = ()


UnitPlace = tuple[int, int, int, str]
"""ordinal, start, end, flags joined with commas."""


def passages(document: int, text: str, units: Iterable[UnitPlace], *, view: int = 0) -> Iterator[Passage]:
    """The passages of one text. Units with different flags (headings apart) are never put together; blank units are left out."""
    start = end = first = last = 0
    flags: tuple[str, ...] | None = None
    bare = False  # nothing but headings so far
    for ordinal, unit_start, unit_end, joined in units:
        if unit_start == unit_end or text[unit_start:unit_end].isspace():
            continue
        own = tuple(flag for flag in joined.split(",") if flag) if joined else ()
        kind = tuple(flag for flag in own if flag != "heading")
        fits = flags == kind and end - start < MERGE and unit_end - unit_start <= LONG
        if flags is not None and (not fits or ("heading" in own and not bare)):
            yield Passage(document, view, start, end, first, last, flags)
            flags = None
        if unit_end - unit_start > LONG:
            yield from _windows(document, view, text, unit_start, unit_end, ordinal, kind)
            continue
        if flags is None:
            start, first, flags, bare = unit_start, ordinal, kind, True
        end, last, bare = unit_end, ordinal, bare and "heading" in own
    if flags is not None:
        yield Passage(document, view, start, end, first, last, flags)


def _windows(
    document: int, view: int, text: str, start: int, end: int, ordinal: int, flags: tuple[str, ...]
) -> Iterator[Passage]:
    while True:
        stop = end if end - start <= LONG else _break(text, start + WINDOW)
        yield Passage(document, view, start, stop, ordinal, ordinal, flags)
        if stop == end:
            return
        start = _break(text, stop - OVERLAP)


def _break(text: str, at: int) -> int:
    """The place after the last white space before `at`, when there is one near."""
    for i in range(at, at - 100, -1):
        if text[i - 1].isspace():
            return i
    return at
