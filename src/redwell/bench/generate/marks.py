"""Marks in the texts of a plant: `⟦mark|the words⟧` names words as evidence; `{§MARK}`, `{@ID}` and `{file:ID}` point at clauses and papers."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import replace

from redwell.bench.generate.laid import shown
from redwell.bench.generate.papers import (
    Block,
    Cell,
    Change,
    Clause,
    Filler,
    Heading,
    Para,
    Row,
    Rows,
    Signatures,
    Table,
)

_MARK = re.compile(r"⟦([^|⟦⟧]+)\|([^⟦⟧]*)⟧")
_POINTER = re.compile(r"\{(§|@|file:)([^{}]+)\}")


def plain(text: str) -> str:
    """The text without its marks."""
    return _MARK.sub(r"\2", text) if "⟦" in text else text


def inline(text: str) -> list[tuple[str, str]]:
    """(mark, words) of each mark in the text."""
    return _MARK.findall(text) if "⟦" in text else []


def pointers(text: str) -> list[tuple[str, str]]:
    """(kind, name) of each pointer: ("§", mark), ("@", paper), ("file:", paper)."""
    return _POINTER.findall(text) if "{" in text else []


def point(text: str, find: Callable[[str, str], str]) -> str:
    """The text with each pointer replaced by what `find(kind, name)` gives for it."""
    return _POINTER.sub(lambda match: find(match[1], match[2]), text) if "{" in text else text


def quotes(block: Block | Row) -> Iterator[tuple[str, str, str]]:
    """(mark, quote, part) for each quote of a block; `part` says where in a clause: "" or the number of its lettered paragraph.

    A row that is marked gives one quote for each of its cells in which something is said.
    """
    if isinstance(block, Para):
        if block.mark:
            yield block.mark, plain(block.text), ""
        yield from ((mark, words, "") for mark, words in inline(block.text))
    elif isinstance(block, Clause):
        if block.mark:
            yield block.mark, plain(block.text), ""
        yield from ((mark, words, "") for mark, words in inline(block.text))
        for number, text in enumerate(block.sub):
            yield from ((mark, words, str(number)) for mark, words in inline(text))
    elif isinstance(block, Change):
        whole = block.lead + block.after + block.tail
        if block.mark:
            yield block.mark, plain(whole), ""
        yield from ((mark, words, "") for mark, words in inline(whole))
    elif isinstance(block, Row):
        if block.mark:
            yield from (
                (block.mark, plain(text), "") for text in map(shown, block.cells) if any(map(str.isalnum, text))
            )
        for cell in block.cells:
            if isinstance(cell, str):
                yield from ((mark, words, "") for mark, words in inline(cell))
    elif isinstance(block, Table):
        for row in block.rows:
            yield from quotes(row)


def texts(block: Block | Row) -> list[str]:
    """Every text of a block that a reader sees, marks and all; a cell is a text."""
    match block:
        case Heading(text) | Para(text):
            return [text]
        case Clause():
            return [block.heading, block.text, *block.sub]
        case Change():
            return [block.lead + block.after + block.tail, block.before]
        case Row(cells):
            return [text for text in map(shown, cells) if text]
        case Table():
            return [block.caption, *block.header, *(text for row in block.rows for text in texts(row))]
        case Signatures(lines):
            return [part for line in lines for part in (line.party, line.name, line.title) if part]
        case Filler() | Rows():
            return []


def rewritten(block: Block, change: Callable[[str], str]) -> Block:
    """The block with each of its texts changed; marks of whole blocks stay."""

    def cell(value: Cell) -> Cell:
        return change(value) if isinstance(value, str) else value

    match block:
        case Heading():
            return Heading(change(block.text))
        case Para():
            return replace(block, text=change(block.text))
        case Clause():
            return replace(
                block, heading=change(block.heading), text=change(block.text), sub=tuple(map(change, block.sub))
            )
        case Change():
            return replace(
                block,
                lead=change(block.lead),
                before=change(block.before),
                after=change(block.after),
                tail=change(block.tail),
            )
        case Table():
            rows = tuple(replace(row, cells=tuple(map(cell, row.cells))) for row in block.rows)
            return replace(block, rows=rows, header=tuple(map(change, block.header)), caption=change(block.caption))
        case Signatures() | Filler() | Rows():
            return block


def prefixed(block: Block, prefix: str, shared: Collection[str]) -> Block:
    """The block with its marks and what it points at named apart from those of other plants; papers that are `shared` keep their names."""
    block = rewritten(block, lambda text: prefixed_text(text, prefix, shared))
    if isinstance(block, Table):
        rows = tuple(replace(row, mark=row.mark and prefix + row.mark) for row in block.rows)
        return replace(block, rows=rows)
    if isinstance(block, Para | Clause | Change) and block.mark:
        return replace(block, mark=prefix + block.mark)
    return block


def prefixed_text(text: str, prefix: str, shared: Collection[str]) -> str:
    """The same for one text."""
    if "⟦" in text:
        text = _MARK.sub(lambda match: f"⟦{prefix}{match[1]}|{match[2]}⟧", text)
    return point(text, lambda kind, name: f"{{{kind}{name if name in shared else prefix + name}}}")
