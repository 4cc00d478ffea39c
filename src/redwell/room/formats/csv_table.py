"""CSV and TSV: one unit a row, labelled with its header row; delimiter found from the text."""

from __future__ import annotations

import csv
from collections import Counter

from redwell.room.formats.table_rows import Cell, Row, cell_range, find_headers, join_cells, kind_of, stretches
from redwell.room.types import ParsedUnit

MAX_ROWS = 1_000_000
_DELIMITERS = ",;\t|"
_SWALLOWED = 200


def csv_units(text: str) -> tuple[list[ParsedUnit], str, str]:
    """The rows of a delimited text.

    Returns:
        The units (path `CSV!A5:F5`, text `a | b | c`, the header row as label), the delimiter, and a reason when rows beyond the
        first million were left out (else empty).
    """
    delimiter = find_delimiter(text)
    records, cut = _records(text, delimiter)
    rows = []
    for number, record in enumerate(records, start=1):
        cells = [Cell(at, value.strip(), kind_of(value)) for at, value in enumerate(record, start=1) if value.strip()]
        if cells:
            rows.append(Row(number, cells))
    headers = find_headers(rows)
    if rows and rows[0].number == 1 and headers[0] is None and _names_columns(rows):
        headers = [None, *(0 if header is None else header for header in headers[1:])]
    units = []
    for row, header in zip(rows, headers, strict=True):
        names = {} if header is None else {cell.column: cell.text for cell in rows[header].cells}
        for part in stretches(row.cells):
            columns = range(part[0].column, part[-1].column + 1)
            units.append(
                ParsedUnit(
                    join_cells({cell.column: cell.text for cell in part}, columns),
                    cell_range("CSV", row.number, part[0].column, part[-1].column),
                    label=join_cells(names, columns).strip(" |") if names else "",
                )
            )
    return units, delimiter, f"it has more than {MAX_ROWS:,} rows; those after were not read" if cut else ""


def find_delimiter(text: str) -> str:
    """The delimiter under which the first rows have the same number of cells, and more than one."""
    sample = text[:50_000]
    if len(text) > len(sample):
        sample = sample[: sample.rfind("\n") + 1] or sample
    best, best_score = ",", 0.0
    for delimiter in _DELIMITERS:
        widths = Counter(len(record) for record in _records(sample, delimiter)[0] if any(record))
        if not widths:
            continue
        width, count = widths.most_common(1)[0]
        score = 0.0 if width < 2 else count / sum(widths.values()) + min(width, 20) / 1000
        if score > best_score:
            best, best_score = delimiter, score
    return best


def _records(text: str, delimiter: str) -> tuple[list[list[str]], bool]:
    records = _parse(text, delimiter, quoted=True)
    if any(value.count("\n") > _SWALLOWED for record in records for value in record):
        records = _parse(text, delimiter, quoted=False)  # a lone quote mark swallowed the rows after it
    return records[:MAX_ROWS], len(records) > MAX_ROWS


def _parse(text: str, delimiter: str, quoted: bool) -> list[list[str]]:
    csv.field_size_limit(max(csv.field_size_limit(), len(text) + 1))
    records = []
    for record in csv.reader(
        text.splitlines(keepends=True), delimiter=delimiter, quoting=csv.QUOTE_MINIMAL if quoted else csv.QUOTE_NONE
    ):
        records.append(record)
        if len(records) > MAX_ROWS:
            break
    return records


def _names_columns(rows: list[Row]) -> bool:
    """A first row of two or more words is taken for the header: that is what CSV files have."""
    first = rows[0].cells
    return len(rows) > 1 and len(first) >= 2 and all(cell.kind == "text" and len(cell.text) <= 80 for cell in first)
