"""The report as an Excel workbook: the register, its quotes, the tables and the documents as lists that can be sorted and filtered.

Figures are numbers and days are dates. Words of documents and models are text that is never a formula or a link: a cell that begins with
a sign by which Excel knows a formula is marked as text, so that it stays so when someone edits it.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from io import BytesIO
from typing import Any

from xlsxwriter import Workbook
from xlsxwriter.format import Format
from xlsxwriter.worksheet import Worksheet

from redwell.diligence.blocks import Badge, Block, Bullets, Grid, Heading, Layout, Line, Link, Paragraph, Strong
from redwell.diligence.layout import BASIS_ANCHOR, TABLE_TITLES, none_said
from redwell.diligence.report import Basis, Cited, Entry, Missing, Report, Row
from redwell.journal.shown import shown

CELL_LIMIT = 32_000  # UTF-16 units; Excel refuses a file with a cell of more than 32,767
LINE_LIMIT = 250  # line feeds in a cell; Excel takes 253
LINE_POINTS, HIGHEST_POINTS = 12.8, 408.0  # of a row: a line of text, and the most that Excel takes
LETTERS = 1.2  # of running text in the width of one digit, by which Excel counts a column's width
QUOTES_SHOWN = 4  # in the register; the sheet Quotes has all
FIRST_DAY = date(1900, 3, 1)  # earlier days count differently in Excel and elsewhere
SHORT_NAMES = {
    "consents": "Consents",
    "payments": "Payments",
    "calendar": "Calendar",
    "schedule": "Schedule",
    "contracts": "Contracts",
    "contradictions": "Contradictions",
}
COLOURS = {"Critical": "#8C1D18", "High": "#B45309", "Medium": "#4B6584", "Low": "#6B7280"}
_CUT = " … (cut here; report.json has the whole)"
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
_AMOUNT = re.compile(r"-?(?:[1-9]\d{0,2}(?:,\d{3})+|[1-9]\d*|0)(?:\.\d+)?")

Value = str | int | float | date | None


@dataclass(frozen=True, slots=True)
class Column:
    """`look`: text, figure (a whole number), share (of one), day or severity."""

    label: str
    width: int  # characters
    look: str = "text"


def render_xlsx(layout: Layout, report: Report, basis: Basis) -> bytes:
    """`report.xlsx`; the same report gives the same bytes."""
    return _Writer(layout, report, basis).write()


class _Writer:
    def __init__(self, layout: Layout, report: Report, basis: Basis) -> None:
        self.layout, self.report, self.basis = layout, report, basis
        self.out = BytesIO()
        self.book = Workbook(
            self.out,
            {
                "in_memory": True,
                "strings_to_formulas": False,
                "strings_to_urls": False,
                "strings_to_numbers": False,
            },
        )
        self.formats: dict[tuple[str, bool], Format] = {}

    def write(self) -> bytes:
        made = date.fromisoformat(self.basis.read_at) if _DAY.fullmatch(self.basis.read_at) else date(2000, 1, 1)
        self.book.set_properties(
            {
                "title": fitted_cell(self.layout.title)[:250],
                "author": "Redwell",
                "created": datetime(made.year, made.month, made.day),
            }
        )
        self._findings()
        self._quotes()
        for name, title in TABLE_TITLES:
            rows = self.report.table(name)
            if rows:
                self._table(SHORT_NAMES[name], title, rows)
        self._missing()
        self._none_found()
        self._documents()
        self._basis()
        self.book.close()
        return self.out.getvalue()

    # --- sheets -------------------------------------------------------------------------------------------------------------

    def _findings(self) -> None:
        columns = (
            Column("No.", 8), Column("Severity", 9, "severity"), Column("Workstream", 14), Column("Issue", 28), Column("Finding", 60),
            Column("Exposure low", 12, "figure"), Column("Exposure base", 12, "figure"), Column("Exposure high", 12, "figure"), Column("Currency", 9),
            Column("How it is computed, or why not", 28), Column("Documents", 30), Column("Quotes", 64), Column("Protection", 26),
            Column("Next step", 30), Column("Evidence", 11),
        )  # fmt: skip
        self._sheet("Findings", columns, (self._entry(entry) for entry in self.report.ranked()), wide=True)

    def _entry(self, entry: Entry) -> tuple[Value, ...]:
        exposure = entry.exposure
        rest = len(entry.citations) - QUOTES_SHOWN
        quotes = [f"“{c.citation.quote}” ({c.place}; {c.citation.status})" for c in entry.citations[:QUOTES_SHOWN]]
        if rest > 0:
            quotes.append(f"and {rest} more, in the sheet Quotes")
        said = [entry.claim, *entry.also, *([f"Why it matters: {entry.why}"] if entry.why else [])]
        return (
            entry.id,
            entry.severity,
            entry.workstream,
            entry.title,
            "\n\n".join(said),
            exposure.low,
            exposure.base,
            exposure.high,
            exposure.currency if exposure.quantified else "",
            exposure.formula if exposure.quantified else exposure.not_quantified,
            "\n".join(_documents(entry.citations)),
            "\n".join(quotes),
            entry.protection,
            entry.next_step,
            entry.evidence,
        )

    def _quotes(self) -> None:
        columns = (
            Column("For", 9), Column("Issue", 34), Column("Quote", 80), Column("Document", 46), Column("Place", 22), Column("Status", 11),
        )  # fmt: skip
        holders: list[tuple[str, str, Sequence[Cited]]] = [
            (entry.id, entry.title, entry.citations) for entry in self.report.ranked()
        ]
        holders += [(item.id, item.what, item.citations) for item in self.report.missing]
        holders += [
            (SHORT_NAMES[name], next(iter(row.cells.values()), ""), row.citations)
            for name, _ in TABLE_TITLES
            for row in self.report.table(name)
        ]
        rows = [
            (identity, title, c.citation.quote, c.place.path, c.place.where, c.citation.status)
            for identity, title, citations in holders
            for c in citations
        ]
        if rows:
            self._sheet("Quotes", columns, rows)

    def _table(self, name: str, title: str, rows: Sequence[Row]) -> None:
        labels = tuple(dict.fromkeys(label for row in rows for label in row.cells))
        held = [[row.cells.get(label, "") for row in rows] for label in labels]
        values = [_typed(column) for column in held]
        columns = [
            Column(label, _width(label, texts), _look(typed))
            for label, texts, typed in zip(labels, held, values, strict=True)
        ]
        columns.append(Column("Source", 36))
        sources = ["\n".join(str(c.place) for c in row.citations) for row in rows]
        self._sheet(name, columns, zip(*values, sources, strict=True), title=title)

    def _missing(self) -> None:
        columns = (
            Column("No.", 8), Column("Workstream", 18), Column("Missing", 44), Column("Expected because", 44), Column("Where it was looked for", 40),
            Column("Quotes", 60),
        )  # fmt: skip
        if self.report.missing:
            self._sheet("Missing documents", columns, (_absent(item) for item in self.report.missing))

    def _none_found(self) -> None:
        columns = (
            Column("Workstream", 20), Column("Topic", 34), Column("What can be said", 60), Column("Rests on", 50), Column("Not covered", 36),
        )  # fmt: skip
        if self.report.none_found:
            rows = (
                (n.workstream, n.topic, none_said(n, self.basis.coverage), n.rests_on, n.despite)
                for n in self.report.none_found
            )
            self._sheet("None found", columns, rows)

    def _documents(self) -> None:
        columns = (
            Column("Document", 70), Column("Kind", 10), Column("Status", 14), Column("Reason", 50), Column("Characters", 13, "figure"),
            Column("Read", 9, "share"),
        )  # fmt: skip
        reasons = {item.path: item.reason for item in self.basis.accounting.not_read}
        known = {str(d["path"]) for d in self.basis.documents}
        rows: list[tuple[Value, ...]] = [
            (d["path"], d["kind"], d["status"].replace("_", " "), reasons.get(d["path"], ""), d["length"], _share(d["read"]))
            for d in self.basis.documents
        ]  # fmt: skip
        rows += [
            (item.path, "", item.status.replace("_", " "), item.reason, None, None)
            for item in self.basis.accounting.not_read
            if item.path not in known
        ]
        self._sheet("Documents", columns, rows)

    def _basis(self) -> None:
        rows: list[tuple[Value, ...]] = [(label, value) for label, value in self.layout.facts]
        if self.layout.warning:
            rows.append(("Please note", self.layout.warning))
        for block in _basis_blocks(self.layout.blocks):
            match block:
                case Paragraph(line):
                    rows.append(("", plain(line)))
                case Bullets(items):
                    rows += [("", plain(item)) for item in items]
                case Grid(header, lines):
                    rows += [
                        (plain(line[0]), "; ".join(f"{label}: {plain(cell)}" for label, cell in zip(header[1:], line[1:], strict=True)))
                        for line in lines
                    ]  # fmt: skip
        self._sheet("What this rests on", (Column("", 44), Column(self.layout.title, 130)), rows, filtered=False)

    # --- cells --------------------------------------------------------------------------------------------------------------

    def _sheet(
        self,
        name: str,
        columns: Sequence[Column],
        rows: Iterable[tuple[Value, ...]],
        *,
        title: str = "",
        wide: bool = False,
        filtered: bool = True,
    ) -> None:
        """A list under one header row. `wide` is printed on A3, the others on A4."""
        sheet = self.book.add_worksheet(name)
        count = 0
        for place, column in enumerate(columns):
            sheet.set_column(place, place, column.width)
            flush = "header right" if column.look in ("figure", "amount", "share") else "header"
            self._put(sheet, 0, place, column.label, flush)
        for count, row in enumerate(rows, 1):
            lines = 1
            for place, (value, column) in enumerate(zip(row, columns, strict=True)):
                self._put(sheet, count, place, value, column.look)
                lines = max(lines, _lines(value, column.width))
            sheet.set_row(count, min(HIGHEST_POINTS, lines * LINE_POINTS + 4))
        sheet.freeze_panes(1, 1 if wide else 0)
        if filtered:
            sheet.autofilter(0, 0, count, len(columns) - 1)
        sheet.hide_gridlines(2)
        sheet.set_landscape()
        sheet.set_paper(8 if wide else 9)
        sheet.fit_to_pages(1, 0)
        sheet.repeat_rows(0)
        sheet.set_margins(left=0.5, right=0.5, top=0.75, bottom=0.7)
        sheet.set_header(f"&L&B{_for_header(self.layout.title)}&R{_for_header(title or name)}")
        sheet.set_footer("&LConfidential&RPage &P of &N")

    def _put(self, sheet: Worksheet, row: int, place: int, value: Value, look: str) -> None:
        if value is None or value == "":
            sheet.write_blank(row, place, None, self._format("text"))
        elif isinstance(value, date):
            sheet.write_datetime(row, place, datetime(value.year, value.month, value.day), self._format("day"))
        elif isinstance(value, str):
            text = fitted_cell(value)
            style = look if look.startswith("header") else text if look == "severity" else "text"
            sheet.write_string(row, place, text, self._format(style, text[:1] in "=+-@\t\n"))
        else:
            sheet.write_number(row, place, value, self._format(look))

    def _format(self, look: str, quoted: bool = False) -> Format:
        if (look, quoted) not in self.formats:
            given: dict[str, Any] = {
                "font_name": "Arial", "font_size": 10, "text_wrap": True, "valign": "top", "bottom": 1, "bottom_color": "#D9DBE0",
            }  # fmt: skip
            if look not in ("figure", "amount", "share", "header right"):
                given |= {"align": "left", "indent": 1}  # or it would touch the figures beside it
            if look == "header right":
                given["align"] = "right"
            if look.startswith("header"):
                given |= {
                    "bold": True,
                    "bg_color": "#F0EEE9",
                    "bottom": 2,
                    "bottom_color": "#1D1F23",
                    "valign": "vcenter",
                }
            elif look in COLOURS:
                given |= {"bold": True, "font_color": COLOURS[look]}
            elif look == "figure":
                given |= {"num_format": "#,##0", "text_wrap": False}
            elif look == "amount":
                given |= {"num_format": "#,##0.00", "text_wrap": False}
            elif look == "share":
                given |= {"num_format": "0.0%", "text_wrap": False}
            elif look == "day":
                given |= {"num_format": "d mmm yyyy", "text_wrap": False}
            if quoted:
                given["quote_prefix"] = True
            self.formats[look, quoted] = self.book.add_format(given)
        return self.formats[look, quoted]


def fitted_cell(text: str) -> str:
    """The text as a cell can hold it: no character that breaks the file, no more lines and letters than Excel takes."""
    text = shown(text)
    lines = text.split("\n", LINE_LIMIT)
    if len(lines) > LINE_LIMIT:
        text = "\n".join(lines[:-1]) + " " + " ".join(lines[-1].split())
    if len(text) * 2 <= CELL_LIMIT or len(text.encode("utf-16-le")) // 2 <= CELL_LIMIT:
        return text
    most = (CELL_LIMIT - len(_CUT)) * 2
    return text.encode("utf-16-le")[:most].decode("utf-16-le", "ignore") + _CUT


def _lines(value: Value, width: int) -> int:
    """How many lines a text takes in a column: Excel fits rows to their text only where someone has edited it."""
    if not isinstance(value, str):
        return 1
    return sum(len(textwrap.wrap(line, int(width * LETTERS))) or 1 for line in value[:6_000].split("\n"))


def plain(line: Line) -> str:
    """A line's words without the numbers of its sources."""
    return "".join(
        part if isinstance(part, str) else part.text for part in line if isinstance(part, str | Link | Strong | Badge)
    )


def _basis_blocks(blocks: Sequence[Block]) -> list[Block]:
    """The blocks of the annex that says what the report rests on."""
    start = next(n for n, block in enumerate(blocks) if isinstance(block, Heading) and block.anchor == BASIS_ANCHOR)
    end = next(
        (n for n, b in enumerate(blocks[start + 1 :], start + 1) if isinstance(b, Heading) and b.level == 1),
        len(blocks),
    )
    return list(blocks[start + 1 : end])


def _absent(item: Missing) -> tuple[Value, ...]:
    quotes = "\n".join(f"“{c.citation.quote}” ({c.place}; {c.citation.status})" for c in item.citations)
    return item.id, item.workstream, item.what, item.expected_because, item.searched, quotes


def _documents(citations: Iterable[Cited]) -> list[str]:
    return list(dict.fromkeys(c.place.path for c in citations))


def _typed(column: Sequence[str]) -> list[Value]:
    """A column of days as dates and one of figures as numbers; any other as it is, since `8.10` may be a section."""
    given = [text.strip() for text in column]
    filled = [text for text in given if text]
    if filled and all(_day(text) for text in filled):
        return [_day(text) for text in given]
    if filled and all(_AMOUNT.fullmatch(text) and len(text) < 16 for text in filled):
        grouped = [text for text in filled if "," in text]
        if grouped or not any("." in text for text in filled):
            return [float(text.replace(",", "")) if text else None for text in given]
    return list(column)


def _day(text: str) -> date | None:
    if not _DAY.fullmatch(text):
        return None
    try:
        day = date.fromisoformat(text)
    except ValueError:
        return None
    return day if day >= FIRST_DAY else None


def _look(values: Sequence[Value]) -> str:
    numbers = [value for value in values if isinstance(value, int | float)]
    if not numbers:
        return "text"
    return "figure" if all(float(number).is_integer() for number in numbers) else "amount"


def _width(label: str, texts: Sequence[str]) -> int:
    """Room for most of a column's texts, on one line or a few."""
    longest = sorted(len(text) for text in texts)[int(len(texts) * 0.9) - 1 if len(texts) > 1 else 0]
    return max(12, len(label) + 4, min(60, longest + 2))


def _share(read: float) -> float:
    """All only when it is all: what is left out must not be rounded away."""
    return read if read >= 1 else min(read, 0.999)


def _for_header(text: str) -> str:
    """Words in a page's head, where `&` begins a code; head and foot hold 255 characters in all."""
    text = " ".join(fitted_cell(text).split())
    return (text if len(text) <= 90 else text[:89] + "…").replace("&", "&&")
