"""HTML tables that hold data (and not a page's layout) as row units."""

from __future__ import annotations

import re
from collections.abc import Callable

from redwell.room.formats.ooxml import Element
from redwell.room.formats.table_rows import SEPARATOR, Cell, Row, find_headers, join_cells, kind_of
from redwell.room.types import ParsedUnit

ReadCell = Callable[[Element, Element], tuple[str, list[ParsedUnit]]]
"""(row, cell) -> its visible text and the units of its hidden text and links."""

_LONG_CELL = 1500
_MARKER = re.compile(
    r"\(?[0-9A-Za-z]{1,5}[.)]|[0-9]+(?:\.[0-9]+)+\.?|[•●▪·*–-]|Section [0-9.]+|\([ivxlIVXL]+\)", re.IGNORECASE
)
_BEFORE = re.compile(r"[$€£¥(]{1,2}|US\$|-")
_AFTER = re.compile(r"[)%]{1,2}|x")
_MAX_SPAN = 100


def is_data_table(table: Element) -> bool:
    """Whether rows of this table read as rows: no table inside it, no cell as long as a page, two or more cells in some row."""
    if table.find(".//table") is not None:
        return False
    several = False
    for row in table.iter("tr"):
        filled = 0
        for cell in row:
            if cell.tag not in ("td", "th"):
                continue
            length = sum(len(str(piece)) for piece in cell.itertext())
            if length > _LONG_CELL:
                return False
            filled += length > 0
        several = several or filled > 1
    return several


def table_units(table: Element, where: str, read_cell: ReadCell) -> list[ParsedUnit]:
    """The rows of a table, `a | b | c`, labelled with the header row; hidden text follows its row.

    Columns that are empty throughout are left out; a lone currency sign, bracket or percent sign joins the figure it belongs to, and
    a lone clause number or bullet joins the words after it.
    """
    rows: list[Row] = []
    extras: dict[int, list[ParsedUnit]] = {}
    declared: set[int] = set()
    units: list[ParsedUnit] = []
    carried: dict[int, int] = {}
    for number, row in enumerate(table.iter("tr"), start=1):
        cells, extra = _row(row, carried, read_cell)
        if cells:
            rows.append(Row(number, cells))
        if extra:
            extras[number] = extra
        names = [cell.tag for cell in row if cell.tag in ("td", "th")]
        if cells and len(cells) > 1 and names and all(name == "th" for name in names):
            declared.add(number)
    for caption in table.iter("caption"):
        text, _ = read_cell(table, caption)
        if text:
            units.append(ParsedUnit(text, f"{where}/caption"))
    headers = find_headers(rows, declared)
    for row_of, header in zip(rows, headers, strict=True):
        columns = [cell.column for cell in row_of.cells]
        texts = {cell.column: cell.text for cell in row_of.cells}
        label = "" if header is None else join_cells(_spread(rows[header]), columns).strip(" |")
        if len(columns) == 2 and _MARKER.fullmatch(texts[columns[0]]):
            text, label = f"{texts[columns[0]]} {texts[columns[1]]}", ""
        elif header is None:
            text = SEPARATOR.join(texts.values())
        else:
            known = sorted({*_spread(rows[header]), *columns})
            inside = [column for column in known if columns[0] <= column <= columns[-1]]
            kept = _used(rows, inside)
            text, label = join_cells(texts, kept), join_cells(_spread(rows[header]), kept)
        units.append(ParsedUnit(text, f"{where}/row {row_of.number}", label=label if label.strip(" |") else ""))
        units.extend(_placed(extras.pop(row_of.number, []), f"{where}/row {row_of.number}"))
    for number, extra in extras.items():
        units.extend(_placed(extra, f"{where}/row {number}"))
    return units


def _row(row: Element, carried: dict[int, int], read_cell: ReadCell) -> tuple[list[Cell], list[ParsedUnit]]:
    """A row's filled cells at their columns (cells that reach down from rows above keep theirs), and its hidden text."""
    cells: list[Cell] = []
    extra: list[ParsedUnit] = []
    column = 1
    pending, pending_column = "", 0
    for element in row:
        if element.tag not in ("td", "th"):
            continue
        while carried.get(column, 0) > 0:
            carried[column] -= 1
            column += 1
        text, more = read_cell(row, element)
        extra.extend(more)
        wide, tall = _span(element, "colspan"), _span(element, "rowspan")
        for covered in range(column, column + wide):
            if tall > 1:
                carried[covered] = tall - 1
        text = text.strip()
        if _BEFORE.fullmatch(text):
            pending, pending_column = pending + text, pending_column or column
        elif _AFTER.fullmatch(text) and cells and cells[-1].kind == "number":
            cells[-1].text += text
        elif text:
            joined = pending + text
            cells.append(Cell(pending_column or column, joined, kind_of(joined), element.tag == "th"))
            pending, pending_column = "", 0
        column += wide
    if pending:
        cells.append(Cell(pending_column, pending))
    while carried.get(column, 0) > 0:
        carried[column] -= 1
        column += 1
    return cells, extra


def _span(element: Element, name: str) -> int:
    value = element.get(name, "1").strip()
    return min(int(value), _MAX_SPAN) if value.isdecimal() and len(value) < 6 and int(value) else 1


def _spread(row: Row) -> dict[int, str]:
    return {cell.column: " ".join(cell.text.split()) for cell in row.cells}


def _used(rows: list[Row], columns: list[int]) -> list[int]:
    filled = {cell.column for row in rows for cell in row.cells}
    return [column for column in columns if column in filled]


def _placed(units: list[ParsedUnit], where: str) -> list[ParsedUnit]:
    for number, unit in enumerate(units, start=1):
        unit.path = f"{where}/{'links' if unit.path.endswith('/links') else 'hidden'}" + (
            f" {number}" if len(units) > 1 else ""
        )
    return units
