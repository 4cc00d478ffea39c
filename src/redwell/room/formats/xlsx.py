"""XLSX and XLSM: one unit a row, as its cells show, labelled with the header row; formulas, comments and hidden cells in units of their own."""

from __future__ import annotations

import re

from redwell.room.formats.drawings import drawing_units
from redwell.room.formats.ole_objects import unwrapped
from redwell.room.formats.ooxml import Package, whole
from redwell.room.formats.table_rows import (
    SEPARATOR,
    Cell,
    Row,
    cell_range,
    column_letters,
    find_headers,
    join_cells,
    stacked,
    stretches,
)
from redwell.room.formats.xlsx_parts import MAIN, THREADED, Sheet, Workbook, open_workbook, rich_text
from redwell.room.formats.xlsx_sheet import MAX_ROWS, SheetData, position, read_sheet
from redwell.room.types import Child, Limits, Parsed, ParsedUnit, Unreadable

_LISTED = 40
_SPREAD = 100_000
_MARGIN_CODE = re.compile(r"&(?:[LCR]|\"[^\"]*\"|\d{1,3}|[BIUSXYEOH]|K[0-9A-F]{6}|[PNDTFAZG])")


def read(data: bytes, name: str, limits: Limits) -> Parsed:
    """Reads a workbook, sheets in the order of their tabs.

    Units: the sheet's name (flag `heading`), then for each row `Sheet!A5:F5` with what its cells show, `a | b | c`, and the header
    row as label; `Sheet!A5:F5/formulas` with `C5 = SUM(C2:C4)` when it has formulas; `Sheet!B7/comment` with `Author: words`. Cells
    that are hidden (by sheet, row, column, white or vanishing text) are units of their own with the flag `hidden`. Text boxes and
    charts follow. A cell that refers to a text that is not in the file stays empty, and the file is `partly_read`. `metadata` names
    hidden sheets, defined names and links; `problems` names formulas without a stored result and values taken from elsewhere.

    Raises:
        Unreadable: when it is damaged beyond its main part, hostile, or protected with a password.
    """
    package = Package(data, limits)
    book = open_workbook(package)
    parsed = Parsed("xlsx", metadata=package.properties(), problems=package.problems)
    units: list[ParsedUnit] = []
    lost: list[str] = []
    broken = 0
    rows_left = MAX_ROWS
    links: list[str] = []
    for sheet in book.sheets:
        try:
            content = read_sheet(book, sheet.part, rows_left)
        except Unreadable as error:
            content = SheetData(cut=error.reason)
        rows_left -= len(content.rows)
        units.extend(_sheet_units(book, sheet, content))
        parsed.children.extend(_embedded(book, sheet, limits))
        if content.cut:
            lost.append(f"sheet {sheet.name}: {content.cut}")
        broken += content.broken_strings
        links.extend(f"{sheet.name}!{reference} -> {target}" for reference, target in content.links)
        _note(parsed, sheet, content)
    parsed.views["final"] = units
    _describe(parsed, book, links)
    if broken:
        said = "1 cell refers to a text that is" if broken == 1 else f"{broken:,} cells refer to texts that are"
        lost.insert(0, f"{said} not in the file")
    if lost:
        if not any("heading" not in unit.flags for unit in units):
            raise Unreadable("none of its sheets can be read: " + "; ".join(lost[:3]))
        parsed.status, parsed.reason = "partly_read", "; ".join(lost[:5])
    return parsed


def _sheet_units(book: Workbook, sheet: Sheet, content: SheetData) -> list[ParsedUnit]:
    base: tuple[str, ...] = () if sheet.state == "visible" else ("hidden",)
    rows = content.rows
    _spread_merged(content)
    declared = content.declared | book.print_titles.get(sheet.name, set()) | _table_headers(book, sheet)
    headers = find_headers(rows, declared)
    comments = _comments(book, sheet)
    units = [ParsedUnit(sheet.name, sheet.name, flags=("heading", *base))]
    names_of: dict[int, dict[int, str]] = {}
    for row, header in zip(rows, headers, strict=True):
        if header is not None and header not in names_of:
            names_of[header] = _column_names(rows, headers, header, content)
        names = {} if header is None else names_of[header]
        flags = base or (("hidden",) if row.hidden else ())
        units.extend(_row_units(sheet.name, row, names, content, flags))
        for cell in row.cells:
            units.extend(comments.pop((row.number, cell.column), ()))
    for _, rest in sorted(comments.items()):
        units.extend(rest)
    for unit in units:
        if base and "hidden" not in unit.flags:
            unit.flags = (*unit.flags, "hidden")
    for kind, code in content.margins:
        text = " ".join(_MARGIN_CODE.sub(" ", code.replace("&&", "\x00")).replace("\x00", "&").split())
        if text:
            units.append(ParsedUnit(text, f"{sheet.name}!{kind}", flags=(kind, *base)))
    for part in book.package.related(sheet.part, "drawing") if sheet.part else ():
        units.extend(drawing_units(book.package, part, f"{sheet.name}!drawing", base))
    return units


def _row_units(
    sheet: str, row: Row, names: dict[int, str], content: SheetData, flags: tuple[str, ...]
) -> list[ParsedUnit]:
    units = []
    groups: list[tuple[bool, list[Cell]]] = []
    seen, unseen = row.cells, []
    if not flags and (content.hidden_columns or any(cell.hidden for cell in row.cells)):
        seen = [cell for cell in row.cells if not (cell.hidden or content.hides(cell.column))]
        unseen = [cell for cell in row.cells if cell.hidden or content.hides(cell.column)]
    groups.extend((False, part) for part in stretches([cell for cell in seen if cell.text]))
    groups.extend((True, part) for part in stretches([cell for cell in unseen if cell.text]))
    groups.sort(key=lambda group: group[1][0].column)
    for hidden, part in groups:
        texts = {cell.column: cell.text for cell in part}
        columns = [
            column
            for column in range(part[0].column, part[-1].column + 1)
            if column in texts or not (hidden or (not flags and content.hides(column)))
        ]
        label = join_cells(names, columns)
        units.append(
            ParsedUnit(
                join_cells(texts, columns),
                cell_range(sheet, row.number, part[0].column, part[-1].column),
                label=label if label.strip(" |") else "",
                flags=flags or (("hidden",) if hidden else ()),
            )
        )
    formulas = [f"{column_letters(cell.column)}{row.number} = {cell.formula}" for cell in row.cells if cell.formula]
    if formulas:
        where = cell_range(sheet, row.number, row.cells[0].column, row.cells[-1].column)
        units.append(ParsedUnit(SEPARATOR.join(formulas), where + "/formulas", flags=flags))
    return units


def _spread_merged(content: SheetData) -> None:
    """Words in a cell merged over several rows are shown beside each of them, so each of these rows has them. Figures are not
    repeated: they would be counted twice."""
    if not content.merges:
        return
    by_number = {row.number: row for row in content.rows}
    budget = _SPREAD
    for top, left, bottom, right in content.merges:
        owner = by_number.get(top)
        cell = None if owner is None else next((cell for cell in owner.cells if cell.column == left), None)
        if bottom == top or cell is None or cell.kind != "text" or len(cell.text) > 200 or bottom - top > 5000:
            continue
        for number in range(top + 1, bottom + 1):
            row = by_number.get(number)
            if row is not None and budget > 0 and not any(left <= other.column <= right for other in row.cells):
                row.cells.append(Cell(left, cell.text, "text", cell.bold, cell.hidden))
                row.cells.sort(key=lambda item: item.column)
                budget -= 1


def _column_names(rows: list[Row], headers: list[int | None], header: int, content: SheetData) -> dict[int, str]:
    """Header texts by column; a cell merged over several columns names each of them, and an upper storey goes before (`2025 / Q1`)."""
    names = _over_columns(rows[header], content)
    above = stacked(rows, header)
    if above is not None and headers[above] is None and len(rows[above].cells) > 1:
        for column, upper in _over_columns(rows[above], content).items():
            if names.get(column, upper) != upper:
                names[column] = f"{upper} / {names[column]}"
            else:
                names[column] = upper
    return names


def _over_columns(row: Row, content: SheetData) -> dict[int, str]:
    names = {cell.column: " ".join(cell.text.split()) for cell in row.cells}
    for top, left, bottom, right in content.merges:
        if top <= row.number <= bottom and left in names and right - left < 500:
            names.update({column: names[left] for column in range(left + 1, right + 1) if column not in names})
    return names


def _table_headers(book: Workbook, sheet: Sheet) -> set[int]:
    found = set()
    for part in book.package.related(sheet.part, "table") if sheet.part else ():
        root = book.package.optional_xml(part)
        if root is not None and root.get("headerRowCount", "1") != "0":
            start = position(root.get("ref", "").partition(":")[0])
            if start is not None:
                found.add(start[0])
    return found


def _comments(book: Workbook, sheet: Sheet) -> dict[tuple[int, int], list[ParsedUnit]]:
    """Comments by (row, column): the threaded ones, and the old notes where there is no thread."""
    found: dict[tuple[int, int], list[ParsedUnit]] = {}
    package = book.package
    if not sheet.part:
        return found

    def add(reference: str, author: str, text: str) -> None:
        author = author.strip()
        at = position(reference) or (0, 0)
        if text.strip():
            words = f"{author}: {text.strip()}" if author and not text.startswith(f"{author}:") else text.strip()
            found.setdefault(at, []).append(ParsedUnit(words, f"{sheet.name}!{reference}/comment", flags=("comment",)))

    for part in package.related(sheet.part, "threadedComment"):
        root = package.optional_xml(part)
        for comment in () if root is None else root.iter(THREADED + "threadedComment"):
            author = book.people.get(comment.get("personId", ""), "")
            add(comment.get("ref", ""), author, comment.findtext(THREADED + "text") or "")
    threads = set(found)
    for part in package.related(sheet.part, "comments"):
        root = package.optional_xml(part)
        if root is None:
            continue
        authors = [author.text or "" for author in root.iterfind(f"{MAIN}authors/{MAIN}author")]
        for comment in root.iter(MAIN + "comment"):
            body = comment.find(MAIN + "text")
            number = whole(comment.get("authorId"))
            author = authors[number] if number is not None and number < len(authors) else ""
            if body is not None and (position(comment.get("ref", "")) or (0, 0)) not in threads:
                add(comment.get("ref", ""), author, rich_text(body))
    return found


def _embedded(book: Workbook, sheet: Sheet, limits: Limits) -> list[Child]:
    out = []
    for kind in ("package", "oleObject"):
        for part in book.package.related(sheet.part, kind) if sheet.part else ():
            try:
                data = book.package.part(part)
            except Unreadable as error:
                book.package.problems.append(error.reason)
                continue
            if data:
                child = unwrapped(part.rsplit("/", 1)[-1], data, limits)
                out.append(Child(f"{sheet.name} {child.name}".replace("/", "_"), child.data))
    return out


def _note(parsed: Parsed, sheet: Sheet, content: SheetData) -> None:
    if content.uncached:
        where = ", ".join(content.uncached[:5]) + (" ..." if len(content.uncached) > 5 else "")
        parsed.problems.append(
            f"sheet {sheet.name}: {len(content.uncached)} formulas have no stored result and are shown as formulas ({where})"
        )


def _describe(parsed: Parsed, book: Workbook, links: list[str]) -> None:
    hidden = [
        f"{sheet.name} (very hidden)" if sheet.state == "veryHidden" else sheet.name
        for sheet in book.sheets
        if sheet.state != "visible"
    ]
    parsed.metadata["sheets"] = str(len(book.sheets))
    if hidden:
        parsed.metadata["hidden_sheets"] = _listed(hidden)
    if book.names:
        parsed.metadata["defined_names"] = _listed(
            [f"{name} = {value}" + (" (hidden)" if unseen else "") for name, value, unseen in book.names]
        )
    if book.print_titles:
        parsed.metadata["print_titles"] = _listed(
            [f"{sheet}!{min(rows)}:{max(rows)}" for sheet, rows in book.print_titles.items()]
        )
    if links:
        parsed.metadata["hyperlinks"] = _listed(links)
    package = book.package
    for part in package.related(book.part, "externalLink"):
        for link in package.relationships(part).values():
            parsed.problems.append(f"it takes values from another workbook: {link.target}")
    if package.related(book.part, "connections"):
        parsed.problems.append("it takes data from outside connections, which were not followed")
    if package.related(book.part, "pivotCacheDefinition"):
        parsed.problems.append("it keeps copies of data for its pivot tables, which were not read")
    if any(name.lower().endswith("vbaproject.bin") for name in package.names()):
        parsed.problems.append("it has macros, which were not run")


def _listed(items: list[str]) -> str:
    more = len(items) - _LISTED
    return "; ".join(item[:300] for item in items[:_LISTED]) + (f"; and {more} more" if more > 0 else "")
