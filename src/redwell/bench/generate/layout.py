"""From a paper to lines: running text in its place, clauses numbered, pointers filled in, and where each mark ended up."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import get_args

from redwell.bench.generate import books, filler, marks
from redwell.bench.generate.filler import Of, Source
from redwell.bench.generate.laid import Laid, LaidKind, Line, Numbered
from redwell.bench.generate.papers import (
    Block,
    Change,
    Clause,
    Filler,
    Heading,
    Hub,
    Paper,
    Para,
    Rows,
    Signatures,
    Table,
)


@dataclass(frozen=True, slots=True)
class Sheet:
    """A paper that is to be laid out: under what name, as what kind of file, and how long (characters, about). `of` and `rng` say whose
    running text it gets; `source` is a folder of forms and agreements to take it from."""

    paper: Paper
    kind: LaidKind
    characters: int
    seed: str
    author: str
    source: Path | None = None


@dataclass(frozen=True, slots=True)
class Quoted:
    """Words that a mark names, and where they are for a reader."""

    mark: str
    text: str
    locator: str


@dataclass(frozen=True, slots=True)
class Numberings:
    """What pointers need: the number of the clause in which each mark stands ("14.2", "14.2(a)")."""

    blocks: tuple[Block, ...]
    numbers: tuple[str, ...]  # for each block, "" for what has none
    of_mark: dict[str, str]


def numbered(sheet: Sheet) -> Numberings:
    """The paper with its running text, and the number of each clause.

    Clauses under two headings or more are numbered within them (2.3), others through (14).
    """
    blocks = tuple(_filled(sheet))
    headings = sum(isinstance(block, Heading) for block in blocks)
    clauses = [number for number, block in enumerate(blocks) if isinstance(block, Clause)]
    nested = headings >= 2 and bool(clauses)
    article = clause = 0
    numbers: list[str] = []
    of_mark: dict[str, str] = {}
    for block in blocks:
        number = ""
        if isinstance(block, Heading) and nested:
            article, clause = article + 1, 0
            number = str(article)
        elif isinstance(block, Clause):
            clause += 1
            number = f"{max(article, 1)}.{clause}" if nested else str(clause)
            for mark, _, part in marks.quotes(block):
                of_mark[mark] = number + (f"({_letter(int(part))})" if part else "")
        numbers.append(number)
    return Numberings(blocks, tuple(numbers), of_mark)


def lay(
    sheet: Sheet, numberings: Numberings, point: Callable[[str, str], str], attached: Mapping[str, tuple[str, Laid]]
) -> tuple[Laid, list[Quoted]]:
    """The paper in lines, and its quotes. `point(kind, name)` fills in a pointer; `attached` are papers that were laid before."""
    paper = sheet.paper
    lines: list[Line] = []
    quoted: list[Quoted] = []
    heading, tables, paragraphs = "", 0, 0
    for block, number in zip(numberings.blocks, numberings.numbers, strict=True):
        block = marks.rewritten(block, lambda text: marks.point(text, point))
        if isinstance(block, Heading):
            heading = block.text
        elif isinstance(block, Table):
            tables += 1
            quoted += _row_quotes(block, sheet.kind, tables)
        else:
            paragraphs += isinstance(block, Para | Change)
            for mark, text, part in marks.quotes(block):
                place = f"Section {number}" + (f"({_letter(int(part))})" if part else "")
                if not isinstance(block, Clause):
                    place = f'under "{heading}"' if heading else f"paragraph {paragraphs}"
                quoted.append(Quoted(mark, text, "message" if sheet.kind == "eml" else place))
        lines.append(_line(marks.rewritten(block, marks.plain), number))
    return Laid(
        title=paper.title,
        kind=sheet.kind,
        day=paper.day,
        parties=paper.parties,
        author=sheet.author,
        lines=tuple(lines),
        sender=paper.sender,
        to=paper.to,
        attached=tuple(attached[name] for name in paper.attached),
        status=paper.status,
        look=sheet.seed,
    ), quoted


def _line(block: Block, number: str) -> Line:
    match block:
        case Clause():
            sub = tuple((f"({_letter(at)})", text) for at, text in enumerate(block.sub))
            return Numbered(number, block.heading, block.text, sub)
        case Heading():
            return Heading(f"{number}. {block.text}" if number else block.text)
        case Para() | Change():
            return replace(block, mark="")
        case Table():
            return replace(block, rows=tuple(replace(row, mark="") for row in block.rows))
        case Signatures():
            return block
        case Filler() | Rows():
            raise AssertionError("running text was put in before")


def _row_quotes(table: Table, kind: LaidKind, count: int) -> list[Quoted]:
    found = []
    for at, row in enumerate(table.rows):
        place = f"table {count}, row {at + 2}"
        if kind == "xlsx":
            place = f"sheet {table.sheet or f'Sheet{count}'}, row {at + 1} below the header"
        found += [Quoted(mark, text, place) for mark, text, _ in marks.quotes(row)]
    return found


def _filled(sheet: Sheet) -> list[Block]:
    """Running text where the paper has a place for it, and where its family has some and it is shorter than its room's papers are."""
    paper = sheet.paper
    blocks = list(paper.blocks)
    own = sum(len(text) for block in blocks if not isinstance(block, Rows) for text in marks.texts(block))
    holes = [at for at, block in enumerate(blocks) if isinstance(block, Filler)]
    if not holes and (of := running_text(sheet.paper, sheet.kind)):
        end = next((at for at, block in enumerate(blocks) if isinstance(block, Signatures)), len(blocks))
        blocks.insert(end, Filler(of))
        holes = [end]
    wanted = max(0, sheet.characters - own) // max(1, len(holes))
    filled: list[Block] = []
    used: set[str] = set()
    for at, block in enumerate(blocks):
        if isinstance(block, Filler):
            if wanted >= 200:
                rng = random.Random(f"{sheet.seed}/filler/{at}")
                source = _source(sheet.source) if sheet.source else None
                suited = filler.suited(block.of, paper.folder)
                filled += filler.paragraphs(rng, suited, wanted, paper.avoid, paper.parties, source, used)
        elif isinstance(block, Rows):
            filled += books.expanded(block, wanted or sheet.characters)
        else:
            filled.append(block)
    return filled


@cache
def _source(folder: Path) -> Source:
    return Source.open(folder)


def running_text(paper: Paper, kind: LaidKind) -> Of | None:
    """What running text a paper gets: what it has a place for, or what its family has; none in workbooks, slides, mails and what holds tables only."""
    said = next((block.of for block in paper.blocks if isinstance(block, Filler)), None)
    if said:
        return said
    if (
        paper.id in get_args(Hub)
        or kind in ("xlsx", "pptx", "eml", "txt")
        or all(isinstance(block, Table | Rows) for block in paper.blocks)
    ):
        return None
    if any(isinstance(block, Clause) for block in paper.blocks):
        return "contract"
    if paper.folder in _BARE:
        return None
    return _BY_FOLDER.get(paper.folder.split(".")[0], "letter")


_BY_FOLDER: dict[str, Of] = {"2": "minutes", "3": "accounts", "8": "policy", "12": "report"}
_BARE = ("2.1", "2.3", "2.4", "10.1", "10.2")
"""Receipts, certificates, registers, pleadings and orders: no running text there would sound like theirs."""


def _letter(at: int) -> str:
    return chr(ord("a") + at) if at < 26 else f"{chr(ord('a') + at // 26 - 1)}{chr(ord('a') + at % 26)}"
