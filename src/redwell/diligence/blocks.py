"""The report laid out once, as blocks that each rendering draws in its own way: headings, paragraphs, tables, red-flag cards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from redwell.diligence.report import Cited, Entry


@dataclass(frozen=True, slots=True)
class Cite:
    """A reference to numbered sources, drawn as superscript numbers, footnotes or brackets."""

    numbers: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Link:
    """A reference to an entry (`F-001`) or a missing item elsewhere in the report."""

    target: str
    text: str


@dataclass(frozen=True, slots=True)
class Strong:
    text: str


@dataclass(frozen=True, slots=True)
class Badge:
    """A severity."""

    text: str


Inline = str | Cite | Link | Strong | Badge
Line = tuple[Inline, ...]


@dataclass(frozen=True, slots=True)
class Heading:
    level: int  # 1 chapter, 2 section, 3 part
    text: str
    anchor: str = ""
    number: str = ""


@dataclass(frozen=True, slots=True)
class Paragraph:
    line: Line
    style: str = "body"  # body, lead, note, warning
    anchor: str = ""


@dataclass(frozen=True, slots=True)
class Bullets:
    items: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class Grid:
    """A table. `widths` are shares of the width; `numeric` are the columns set flush right."""

    header: tuple[str, ...]
    rows: tuple[tuple[Line, ...], ...]
    widths: tuple[float, ...] = ()
    numeric: tuple[int, ...] = ()
    anchors: tuple[str, ...] = ()  # of the rows, where other parts refer to them
    overview: bool = False  # repeats what stands in full elsewhere: a printed rendering leaves its citations out


@dataclass(frozen=True, slots=True)
class Card:
    """One red flag in full. `fields` are label and text in order; `quotes` the sources shown with it, at most a few."""

    entry: Entry
    fields: tuple[tuple[str, Line], ...]
    quotes: tuple[tuple[int, Cited], ...]


Block = Heading | Paragraph | Bullets | Grid | Card


@dataclass(frozen=True, slots=True)
class Source:
    """A numbered source: `words` is the quoted stretch itself, `before` and `after` the text around it."""

    number: int
    cited: Cited
    before: str
    words: str
    after: str


@dataclass(slots=True)
class Layout:
    title: str
    subtitle: str
    facts: tuple[tuple[str, str], ...]  # the cover's lines
    warning: str
    blocks: list[Block] = field(default_factory=list)
    sources: Sequence[Source] = ()
