"""A paper once it is laid out: every number given, every reference filled in, the running text in its place. The renderers see only this."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Literal

from redwell.bench.generate.papers import Cell, Change, FileKind, Heading, Para, Signatures, Table

LaidKind = FileKind | Literal["pdf", "scan"]
"""`pdf` has its text in it; `scan` is pictures of pages."""


@dataclass(frozen=True, slots=True)
class Numbered:
    """A clause with its number ("14.2") as the paper prints it. `sub` are its lettered paragraphs as (label, text): ("(a)", "the ...")."""

    number: str
    heading: str
    text: str
    sub: tuple[tuple[str, str], ...] = ()


Line = Heading | Numbered | Para | Change | Table | Signatures
"""Marks are taken out: `mark` of each is empty, and no text holds one. Every text is final, one paragraph, without line ends."""


@dataclass(frozen=True, slots=True)
class Laid:
    """`title` is printed at the head. `author` goes into the file's properties and is who made a tracked change when that names nobody.
    `day` is the paper's date (None: undated; the file's properties then say nothing of a day). `sender`, `to` and `attached` (file name
    and paper of each) are of mail. `status` is "", or what is printed on the paper that is not final ("draft", "form", "unsigned").
    `look` seeds what may differ from paper to paper without saying anything: type faces, margins, specks of a scan."""

    title: str
    kind: LaidKind
    day: date | None
    parties: tuple[str, ...]
    author: str
    lines: tuple[Line, ...]
    sender: str = ""
    to: str = ""
    attached: tuple[tuple[str, Laid], ...] = ()
    status: str = ""
    look: str = ""


def shown(cell: Cell) -> str:
    """A cell as its reader sees it: whole numbers as 12,400, others with two decimals, dates as 2025-03-14, nothing as an empty text."""
    if cell is None:
        return ""
    if isinstance(cell, str):
        return cell
    if isinstance(cell, date):
        return cell.isoformat()
    return f"{cell:,}" if isinstance(cell, int) else f"{cell:,.2f}"
