"""A paper as a workbook: a sheet for each table, its header frozen, numbers and dates as such; prose on a sheet in front."""

from __future__ import annotations

import math
import re
from datetime import date

from redwell.bench.generate.laid import Laid, Numbered, shown
from redwell.bench.generate.papers import Cell, Change, Heading, Para, Sign, Signatures, Table
from redwell.bench.generate.parts import (
    CORE_TYPE,
    HEAD,
    OFFICE,
    content_types,
    escaped,
    look,
    properties,
    relationships,
    root_links,
    zipped,
)
from redwell.bench.generate.writing import us_date

_MAIN = f'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="{OFFICE}"'
_SHEET = "officedocument.spreadsheetml."
_FIRST_DAY = date(1899, 12, 30)
_OLDEST = date(1900, 3, 1)  # before that day the formats count differently
_LARGEST = 10**15  # beyond which a workbook's numbers lose digits
_PLAIN, _TITLE, _HEAD, _WHOLE, _PARTS, _DAY, _LONG, _BOLD = range(8)
_WRAPS = 60
_LINE = 56  # characters of wrapped text that a line of the widest column takes
_NAME = 31
_FORBIDDEN = re.compile(r"[\[\]:*?/\\]|^'|'$")
_FILLS = ("D9E1F2", "E2EFDA", "EDEDED", "FCE4D6", "DDEBF7")
_FACES = ("Calibri", "Arial", "Segoe UI", "Verdana")


def render(laid: Laid) -> bytes:
    """The file's bytes. Tables of one sheet's name stand on one sheet, one below the other."""
    sheets = _sheets(laid)
    names = _names([sheet.name for sheet in sheets])
    rng = look(laid, "xlsx")
    types = {"xl/workbook.xml": f"{_SHEET}sheet.main", "xl/styles.xml": f"{_SHEET}styles", **CORE_TYPE}
    types |= {f"xl/worksheets/sheet{n}.xml": f"{_SHEET}worksheet" for n in range(1, len(sheets) + 1)}
    listed = "".join(
        f'<sheet name="{escaped(name)}" sheetId="{n}"{" state=" + chr(34) + "hidden" + chr(34) if sheet.hidden else ""} r:id="rId{n}"/>'
        for n, (name, sheet) in enumerate(zip(names, sheets, strict=True), 1)
    )
    shown_first = next(n for n, sheet in enumerate(sheets) if not sheet.hidden)
    links = [(f"rId{n}", "worksheet", f"worksheets/sheet{n}.xml") for n in range(1, len(sheets) + 1)]
    return zipped(
        {
            "[Content_Types].xml": content_types(types),
            "_rels/.rels": root_links("xl/workbook.xml"),
            "xl/workbook.xml": f'{HEAD}<workbook {_MAIN}><bookViews><workbookView activeTab="{shown_first}" firstSheet="{shown_first}"/></bookViews><sheets>{listed}</sheets></workbook>',
            "xl/_rels/workbook.xml.rels": relationships([*links, (f"rId{len(links) + 1}", "styles", "styles.xml")]),
            "xl/styles.xml": _styles(rng.choice(_FACES), rng.choice(_FILLS)),
            **{f"xl/worksheets/sheet{n}.xml": sheet.xml(n == shown_first + 1) for n, sheet in enumerate(sheets, 1)},
            **properties(laid),
        }
    )


class _Sheet:
    """A sheet that is being written, row by row."""

    def __init__(self, name: str, hidden: bool = False) -> None:
        self.name = name
        self.hidden = hidden
        self.rows: list[str] = []
        self.number = 0
        self.frozen = 0
        self.widths: list[int] = []

    def row(self, cells: list[tuple[Cell, int]]) -> None:
        """Adds a row of (cell, style); nothing in a cell leaves it out."""
        self.number += 1
        out = []
        for column, (cell, style) in enumerate(cells, 1):
            if cell is None or cell == "":
                continue
            out.append(_cell(cell, f"{_letters(column)}{self.number}", style))
        lines = max(
            (-(-len(cell) // _LINE) for cell, style in cells if style == _LONG and isinstance(cell, str)), default=1
        )
        height = f' ht="{13 * lines + 2}" customHeight="1"' if lines > 1 else ""
        self.rows.append(f'<row r="{self.number}"{height}>{"".join(out)}</row>')

    def skip(self, rows: int = 1) -> None:
        self.number += rows

    def wide(self, column: int, characters: int) -> None:
        self.widths += [9] * (column + 1 - len(self.widths))
        self.widths[column] = max(self.widths[column], min(characters + 3, _WRAPS))

    def table(self, table: Table, title: str) -> None:
        if self.rows:
            self.skip()
        caption = "" if table.caption in title else table.caption
        if title:
            self.row([(title, _TITLE)])
        if caption:
            self.row([(caption, _BOLD)])
        if title or caption:
            self.skip()
        if table.header:
            self.row([(text, _HEAD) for text in table.header])
            self.frozen = self.frozen or (self.number if self.number <= 20 else 0)
        for row in table.rows:
            self.row([(cell, _style_of(cell)) for cell in row.cells])
        for cells in (table.header, *(row.cells for row in table.rows[:200])):
            for column, cell in enumerate(cells):
                self.wide(column, len(shown(cell)))

    def xml(self, selected: bool) -> str:
        columns = "".join(
            f'<col min="{n}" max="{n}" width="{width}" customWidth="1"/>' for n, width in enumerate(self.widths, 1)
        )
        pane = (
            f'<pane ySplit="{self.frozen}" topLeftCell="A{self.frozen + 1}" activePane="bottomLeft" state="frozen"/>'
            if self.frozen
            else ""
        )
        tab = ' tabSelected="1"' if selected else ""
        return (
            f'{HEAD}<worksheet {_MAIN}><sheetPr><pageSetUpPr fitToPage="1"/></sheetPr><sheetViews><sheetView{tab} workbookViewId="0">{pane}</sheetView></sheetViews>'
            f'<sheetFormatPr defaultRowHeight="15"/>{f"<cols>{columns}</cols>" if columns else ""}<sheetData>{"".join(self.rows)}</sheetData>'
            '<pageMargins left="0.5" right="0.5" top="0.75" bottom="0.75" header="0.3" footer="0.3"/>'
            '<pageSetup orientation="landscape" fitToHeight="0"/></worksheet>'
        )


def _sheets(laid: Laid) -> list[_Sheet]:
    prose = [line for line in laid.lines if not isinstance(line, Table)]
    tables = [line for line in laid.lines if isinstance(line, Table)]
    sheets: list[_Sheet] = []
    if prose or not tables or all(table.hidden for table in tables):
        front = _Sheet("Cover" if tables else "Sheet1")
        front.row([(laid.title, _TITLE)])
        if laid.status:
            front.row([(laid.status.upper(), _BOLD)])
        front.skip()
        for line in prose:
            _prose(front, line)
        front.wide(0, 24)
        front.wide(1, _WRAPS * 2)
        sheets.append(front)
    for table in tables:
        same = next((sheet for sheet in sheets if sheet.name == table.sheet and sheet.hidden == table.hidden), None)
        if same is not None and table.sheet:
            same.table(table, "")
            continue
        sheet = _Sheet(table.sheet or f"Sheet{len(sheets) + 1}", table.hidden)
        sheet.table(table, "" if sheets else laid.title)
        sheets.append(sheet)
    return sheets


def _prose(sheet: _Sheet, line: object) -> None:
    match line:
        case Heading(text):
            sheet.row([(text, _BOLD)])
        case Para(text):
            sheet.row([(text, _PLAIN)])
        case Change():
            sheet.row([(line.lead + line.after + line.tail, _PLAIN)])
        case Numbered():
            sheet.row([(f"{line.number} {line.heading}".strip(), _BOLD), (line.text, _LONG)])
            for label, text in line.sub:
                sheet.row([(label, _PLAIN), (text, _LONG)])
        case Signatures(lines):
            for sign in lines:
                sheet.row([(part, _PLAIN) for part in _signature(sign)])


def _signature(sign: Sign) -> list[str]:
    signed = f"/s/ {sign.name}" if sign.signed and sign.name else "____________"
    return [sign.party, signed, sign.name, sign.title, us_date(sign.day) if sign.day else ""]


def _style_of(cell: Cell) -> int:
    if isinstance(cell, str):
        return _LONG if len(cell) > _WRAPS else _PLAIN
    if isinstance(cell, date):
        return _DAY
    return _WHOLE if isinstance(cell, int) else _PARTS


def _cell(cell: Cell, place: str, style: int) -> str:
    """A cell. A number that a workbook cannot hold exactly, or a day that it counts otherwise, becomes its text."""
    if isinstance(cell, date) and cell >= _OLDEST:
        return f'<c r="{place}" s="{style}"><v>{(cell - _FIRST_DAY).days}</v></c>'
    if isinstance(cell, int | float) and math.isfinite(cell) and abs(cell) < _LARGEST:
        value = f"{cell:d}" if isinstance(cell, int) else f"{cell:.2f}"
        if value != "-0.00":  # a workbook knows no zero below zero
            return f'<c r="{place}" s="{style}"><v>{value}</v></c>'
    style = style if isinstance(cell, str) else _PLAIN
    return f'<c r="{place}" s="{style}" t="inlineStr"><is><t xml:space="preserve">{escaped(shown(cell))}</t></is></c>'


def _letters(column: int) -> str:
    letters = ""
    while column:
        column, rest = divmod(column - 1, 26)
        letters = chr(65 + rest) + letters
    return letters


def _names(wanted: list[str]) -> list[str]:
    """Names that a workbook takes: 31 characters, some signs not, none twice."""
    taken: set[str] = set()
    out = []
    for name in wanted:
        name = base = _FORBIDDEN.sub(" ", name).strip()[:_NAME] or "Sheet"
        number = 1
        while name.casefold() in taken:
            number += 1
            name = f"{base[: _NAME - 4]} ({number})"
        taken.add(name.casefold())
        out.append(name)
    return out


def _styles(face: str, fill: str) -> str:
    font = f'<sz val="10"/><name val="{face}"/>'
    edges = "".join(
        f'<{side} style="thin"><color rgb="FFBFBFBF"/></{side}>' for side in ("left", "right", "top", "bottom")
    )
    aligned = '<alignment vertical="top"{0}/>'
    formats = [
        (0, 0, 0, 0, ""),
        (0, 2, 0, 0, ""),
        (0, 1, 2, 1, ' wrapText="1"'),
        (3, 0, 0, 1, ' horizontal="right" indent="1"'),
        (4, 0, 0, 1, ' horizontal="right" indent="1"'),
        (164, 0, 0, 1, ' horizontal="left"'),
        (0, 0, 0, 0, ' wrapText="1"'),
        (0, 1, 0, 0, ""),
    ]
    cells = "".join(
        f'<xf numFmtId="{code}" fontId="{letter}" fillId="{ground}" borderId="{edge}" xfId="0" applyNumberFormat="1" applyFont="1" applyFill="1" '
        f'applyBorder="1" applyAlignment="1">{aligned.format(more)}</xf>'
        for code, letter, ground, edge, more in formats
    )
    return (
        f'{HEAD}<styleSheet {_MAIN}><numFmts count="1"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/></numFmts>'
        f'<fonts count="3"><font>{font}</font><font><b/>{font}</font><font><b/><sz val="14"/><name val="{face}"/></font></fonts>'
        f'<fills count="3"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill>'
        f'<fill><patternFill patternType="solid"><fgColor rgb="FF{fill}"/><bgColor indexed="64"/></patternFill></fill></fills>'
        f'<borders count="2"><border><left/><right/><top/><bottom/><diagonal/></border><border>{edges}<diagonal/></border></borders>'
        '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>'
        f'<cellXfs count="{len(formats)}">{cells}</cellXfs>'
        '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>'
    )
