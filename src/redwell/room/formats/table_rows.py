"""Rows of cells as units: where they stand (`Sheet!A5:F5`), their text (`a | b | c`), and the header row that names their columns."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

CellKind = Literal["text", "number", "date", "boolean", "error"]

SEPARATOR = " | "
_GAP = 8
_HEADER_CELL_LENGTH = 80
_YEAR = re.compile(r"(?:(?:FY|CY|Q[1-4])[ '’]?)?(?:19|20)\d\d[AEFB]?")
_NUMBER = re.compile(
    r"[(+\-−]?+\s*+(?:[$€£¥]|US\$|USD|EUR|GBP|CHF)?+\s*+[(+\-−]?+(?=[.,'’\s]*+\d)[\d.,'’\s]++\)?+\s*+"
    r"(?:%|[$€£¥]|x|USD|EUR|GBP|CHF)?+\s*+\)?"
)
"""Nothing is tried twice: a cell may be a million spaces."""
_DATE = re.compile(r"(?:19|20)\d\d-\d\d?-\d\d?(?:[ T].*)?|\d{1,2}[/.]\d{1,2}[/.](?:\d\d){1,2}")


@dataclass(slots=True)
class Cell:
    """A cell with something in it. `column` counts from 1; `text` is what it shows; `formula` has no `=`."""

    column: int
    text: str
    kind: CellKind = "text"
    bold: bool = False
    hidden: bool = False
    formula: str = ""


@dataclass(slots=True)
class Row:
    """A row's cells that hold something, in order. `number` counts from 1, as the sheet shows it."""

    number: int
    cells: list[Cell]
    hidden: bool = False


def column_letters(column: int) -> str:
    """The letters of a column that counts from 1: 1 is A, 28 is AB."""
    letters = ""
    while column > 0:
        column, rest = divmod(column - 1, 26)
        letters = chr(65 + rest) + letters
    return letters


def cell_range(sheet: str, row: int, first: int, last: int) -> str:
    """`Sheet!A5:F5`, or `Sheet!A5` for one cell."""
    start = f"{column_letters(first)}{row}"
    return f"{sheet}!{start}" if first == last else f"{sheet}!{start}:{column_letters(last)}{row}"


def stretches(cells: Sequence[Cell]) -> list[list[Cell]]:
    """A row's cells cut where more than a few columns are empty, so that tables side by side are not run together."""
    out: list[list[Cell]] = []
    for cell in cells:
        if out and cell.column - out[-1][-1].column <= _GAP:
            out[-1].append(cell)
        else:
            out.append([cell])
    return out


def join_cells(texts: Mapping[int, str], columns: Sequence[int]) -> str:
    """The texts of these columns with ` | ` between them; an empty cell keeps its place."""
    return SEPARATOR.join(texts.get(column, "") for column in columns)


def kind_of(text: str) -> CellKind:
    """Whether plain text reads as a number or a date."""
    stripped = text.strip()
    if stripped[:1].isalpha() and stripped[0] not in "UEGC":  # no currency begins so
        return "text"
    if _DATE.fullmatch(stripped):
        return "date"
    return "number" if stripped and _NUMBER.fullmatch(stripped) else "text"


def find_headers(rows: Sequence[Row], declared: Collection[int] = ()) -> list[int | None]:
    """For each row the index (in `rows`) of the header row that names its columns, or None; a header row has none itself.

    Args:
        rows: the rows that hold something, from top to bottom.
        declared: numbers of rows that the file itself says are headers (tables, filters).

    A row is taken for a header when it is declared, or when it has two or more short cells that are all words (or years), and
    the row below differs from it: has numbers or dates, or is not in bold as the header is. A header holds until the next
    one, a gap of two rows, or a title (a lone cell) after a gap.
    """
    out: list[int | None] = []
    current: int | None = None
    fresh = True  # no header yet in this block
    previous = 0
    for index, row in enumerate(rows):
        gap = row.number - previous - 1
        previous = row.number
        if gap > 1 or (gap == 1 and len(row.cells) == 1):
            current, fresh = None, True
        elif gap == 1:
            fresh = True
        following = rows[index + 1] if index + 1 < len(rows) and rows[index + 1].number == row.number + 1 else None
        if (
            row.number in declared
            or ((fresh or current is None) and _is_header(row, following))
            or (current is not None and stacked(rows, index) == current and _is_header(row, following))
        ):
            current, fresh = index, False
            out.append(None)
        else:
            out.append(current)
            if len(row.cells) > 1:
                fresh = False
    return out


def stacked(rows: Sequence[Row], index: int) -> int | None:
    """The row right above a header row when it can be its upper storey: fewer cells, all words, each over several columns."""
    above = index - 1
    if above < 0 or rows[above].number != rows[index].number - 1 or len(rows[above].cells) >= len(rows[index].cells):
        return None
    if any(cell.kind != "text" or len(cell.text) > _HEADER_CELL_LENGTH for cell in rows[above].cells):
        return None
    return above


def _is_header(row: Row, following: Row | None) -> bool:
    if len(row.cells) < 2 or following is None or len(following.cells) < 2:
        return False
    if any(len(cell.text) > _HEADER_CELL_LENGTH or not _names(cell) for cell in row.cells):
        return False
    texts = [cell.text.strip().lower() for cell in row.cells]
    if len(set(texts)) < len(texts) or any(text.endswith(":") for text in texts):
        return False
    columns = {cell.column for cell in row.cells}
    below = [cell for cell in following.cells if cell.column in columns]
    if len(below) < 2 or len(following.cells) > 2 * len(row.cells):
        return False
    if all(cell.bold for cell in row.cells) and not all(cell.bold for cell in following.cells):
        return True
    has_years = any(cell.kind != "text" for cell in row.cells)
    if has_years:
        return following.cells[0].kind == "text" and any(cell.kind == "number" for cell in following.cells)
    if any(cell.kind in ("number", "date", "boolean") for cell in below):
        return True
    # words over words: a header when it is clearly shorter than what stands below it, over three columns or more
    return len(row.cells) >= 3 and sum(map(len, texts)) * 1.5 < sum(len(cell.text) for cell in below)


def _names(cell: Cell) -> bool:
    if cell.kind == "text":
        return True
    return cell.kind == "date" or (cell.kind == "number" and _YEAR.fullmatch(cell.text.strip()) is not None)
