"""The report as a Word document: styles, a table of contents, tables that repeat their header, and sources as real footnotes."""

from __future__ import annotations

import re
from io import BytesIO
from typing import Any

from docx import Document
from docx.enum.section import WD_ORIENT
from docx.enum.table import WD_TABLE_ALIGNMENT
from docx.enum.text import WD_ALIGN_PARAGRAPH, WD_TAB_ALIGNMENT, WD_TAB_LEADER
from docx.oxml import OxmlElement
from docx.oxml.ns import qn
from docx.shared import Cm, Pt, RGBColor
from docx.text.paragraph import Paragraph as WordParagraph

from redwell.diligence.blocks import (
    Badge,
    Bullets,
    Card,
    Cite,
    Grid,
    Heading,
    Inline,
    Layout,
    Line,
    Link,
    Paragraph,
    Source,
    Strong,
)
from redwell.diligence.docx_footnotes import Footnotes
from redwell.diligence.docx_runs import add_row, add_run
from redwell.journal.shown import shown

RED = RGBColor(0x8C, 0x1D, 0x18)
SOFT = RGBColor(0x5D, 0x63, 0x6E)
COLOURS = {
    "Critical": RED,
    "High": RGBColor(0xB4, 0x53, 0x09),
    "Medium": RGBColor(0x4B, 0x65, 0x84),
    "Low": RGBColor(0x6B, 0x72, 0x80),
}
STYLES = {"note": "Note", "warning": "Warning", "lead": "Lead"}
TEXT_WIDTH_CM = 17.0
MOST_CITED_ROWS = 500  # of a table with sources: word processors stand some thousand footnotes
CELL_LIMIT = 32_000  # characters; Word slows down far above
MOST_TITLE = 255  # characters of the file's own title


def render_docx(layout: Layout) -> bytes:
    return _Writer(layout).write()


class _Writer:
    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.document = Document()
        self.sources: dict[int, Source] = {source.number: source for source in layout.sources}
        self.noted: dict[int, int] = {}
        self.bookmarks = 0
        self._styles()
        self.end = self.document.element.body.sectPr
        self.footnotes = Footnotes(self.document)
        self.style_ids = {style.name: style.style_id for style in self.document.styles}

    def write(self) -> bytes:
        self._cover()
        for block in self.layout.blocks:
            match block:
                case Heading(level, text, anchor, number):
                    heading = self._heading(f"{number}  {text}" if number else text, level)
                    if level == 1 and number == "1":
                        heading.paragraph_format.page_break_before = True
                    if anchor:
                        self._bookmark(heading._p, anchor)
                case Paragraph(line, style, anchor):
                    paragraph = self._paragraph(STYLES.get(style, "Normal"))
                    self._line(paragraph._p, line)
                    if anchor:
                        self._bookmark(paragraph._p, anchor)
                case Bullets(items):
                    for item in items:
                        self._line(self._paragraph("List Bullet")._p, item)
                case Grid():
                    self._grid(block)
                case Card():
                    self._card(block)
        self.footnotes.finish()
        out = BytesIO()
        self.document.save(out)
        return out.getvalue()

    # --- look ---------------------------------------------------------------------------------------------------------------

    def _styles(self) -> None:
        document = self.document
        section = document.sections[0]
        section.orientation = WD_ORIENT.PORTRAIT
        section.page_width, section.page_height = Cm(21), Cm(29.7)
        section.left_margin = section.right_margin = Cm(2)
        section.top_margin = section.bottom_margin = Cm(2)
        normal = document.styles["Normal"]
        normal.font.name, normal.font.size = "Georgia", Pt(10.5)
        normal.element.rPr.rFonts.set(qn("w:eastAsia"), "Georgia")
        normal.paragraph_format.space_after = Pt(6)
        normal.paragraph_format.line_spacing = 1.15
        for level, size in ((1, 17), (2, 13), (3, 11.5)):
            style = document.styles[f"Heading {level}"]
            style.font.name, style.font.size, style.font.bold = "Georgia", Pt(size), True
            style.font.color.rgb = RED if level == 1 else RGBColor(0x1D, 0x1F, 0x23)
            style.element.rPr.rFonts.set(qn("w:asciiTheme"), "")
            for theme in ("w:asciiTheme", "w:hAnsiTheme", "w:eastAsiaTheme", "w:cstheme"):
                style.element.rPr.rFonts.attrib.pop(qn(theme), None)
            style.paragraph_format.space_before = Pt(20 if level == 1 else 12)
            style.paragraph_format.space_after = Pt(6)
            style.paragraph_format.keep_with_next = True
        for name, base, size in (
            ("Note", "Normal", 9),
            ("Warning", "Normal", 9.5),
            ("Lead", "Normal", 12),
            ("Small", "Normal", 8.5),
        ):
            style = document.styles.add_style(name, 1)
            style.base_style, style.font.size = document.styles[base], Pt(size)
            if name in ("Note", "Small"):
                style.font.color.rgb = SOFT if name == "Note" else None
            if name == "Warning":
                style.font.bold, style.font.color.rgb = True, COLOURS["High"]
        quote = document.styles["Quote"]
        quote.font.italic, quote.font.size, quote.font.color.rgb = False, Pt(10), RGBColor(0x33, 0x36, 0x3D)
        quote.paragraph_format.left_indent = Cm(0.7)
        document.core_properties.title = shown(self.layout.title)[:MOST_TITLE]
        document.core_properties.author = "Redwell"

    def _cover(self) -> None:
        document = self.document
        kicker = document.add_paragraph()
        kicker.paragraph_format.space_before = Pt(60)
        run = kicker.add_run("CONFIDENTIAL · LEGAL DUE DILIGENCE")
        run.font.size, run.font.bold, run.font.color.rgb = Pt(9), True, RED
        title = document.add_paragraph()
        run = title.add_run(shown(self.layout.title))
        run.font.size, run.font.bold = Pt(26), True
        subtitle = document.add_paragraph()
        run = subtitle.add_run(shown(self.layout.subtitle))
        run.font.size, run.font.color.rgb = Pt(13), SOFT
        table = document.add_table(rows=0, cols=2)
        shares = (0.28, 0.72)
        for label, value in self.layout.facts:
            left, right = add_row(
                table._tbl, [Cm(TEXT_WIDTH_CM * share).twips for share in shares], self.style_ids["Small"]
            )
            self._line(left, (label,), soft=True)
            self._line(right, (value,))
        self._columns(table, shares)
        self._rules(table)
        if self.layout.warning:
            document.add_paragraph()
            document.add_paragraph(shown(self.layout.warning), style="Warning")
        self._contents()
        self._page_numbers()

    def _contents(self) -> None:
        """Chapters with the pages that the word processor fills in."""
        heading = self.document.add_paragraph()
        heading.paragraph_format.page_break_before = True
        run = heading.add_run("Contents")
        run.font.size, run.font.bold = Pt(15), True
        for block in self.layout.blocks:
            if isinstance(block, Heading) and block.level == 1:
                line = self.document.add_paragraph()
                line.paragraph_format.space_after = Pt(4)
                line.paragraph_format.tab_stops.add_tab_stop(
                    Cm(TEXT_WIDTH_CM), WD_TAB_ALIGNMENT.RIGHT, WD_TAB_LEADER.DOTS
                )
                title = f"{block.number}  {block.text}" if block.number else block.text
                self._hyperlink(line._p, block.anchor, shown(title))
                line.add_run("\t")
                self._field(line, f"PAGEREF {_bookmark_name(block.anchor)}", Pt(10.5))

    def _page_numbers(self) -> None:
        footer = self.document.sections[0].footer.paragraphs[0]
        footer.alignment = WD_ALIGN_PARAGRAPH.RIGHT
        self._field(footer, "PAGE", Pt(8.5))

    def _field(self, paragraph: WordParagraph, instruction: str, size: Pt) -> None:
        """A field that the word processor fills in when it opens the document."""
        for kind, text in (("begin", None), (None, instruction), ("separate", None), ("", "·"), ("end", None)):
            run = paragraph.add_run(text if kind == "" else None)
            run.font.size = size
            if kind:
                mark = OxmlElement("w:fldChar")
                mark.set(qn("w:fldCharType"), kind)
                if kind == "begin":
                    mark.set(qn("w:dirty"), "true")
                run._r.append(mark)
            elif kind is None:
                mark = OxmlElement("w:instrText")
                mark.text = text
                run._r.append(mark)

    # --- blocks -------------------------------------------------------------------------------------------------------------

    def _paragraph(self, style: str) -> WordParagraph:
        """A new paragraph at the end. python-docx looks through the whole body for the end of it, each time."""
        element: Any = OxmlElement("w:p")
        self.end.addprevious(element)
        return self._styled(WordParagraph(element, self.document._body), style)

    def _heading(self, text: str, level: int) -> WordParagraph:
        heading = self._paragraph(f"Heading {level}")
        add_run(heading._p, shown(text))
        return heading

    def _styled(self, paragraph: WordParagraph, style: str) -> WordParagraph:
        """Sets the style by its id: python-docx looks through all styles for each name, most of the time of a long report."""
        paragraph._p.style = self.style_ids[style]
        return paragraph

    def _line(self, paragraph: Any, line: Line, *, bold: bool = False, soft: bool = False) -> None:
        """Appends a line to a paragraph element (w:p)."""
        ink = SOFT if soft else None
        for part in line:
            match part:
                case str():
                    add_run(paragraph, shown(part), bold=bold, colour=ink)
                case Strong(text):
                    add_run(paragraph, shown(text), bold=True, colour=ink)
                case Badge(text):
                    add_run(paragraph, text, bold=True, colour=ink or COLOURS[text])
                case Link(target, text):
                    self._hyperlink(paragraph, target, text)
                case Cite(numbers):
                    for index, number in enumerate(numbers):
                        if index:
                            add_run(paragraph, ",", raised=True)
                        self._note(paragraph, number)

    def _note(self, paragraph: Any, number: int) -> None:
        """The first reference to a source is a footnote; a later one repeats its number as a cross-reference."""
        if number in self.noted:
            add_run(paragraph, str(self.noted[number]), raised=True)
            return
        source = self.sources[number]
        place = source.cited.place
        quote = source.words if len(source.words) <= 700 else source.words[:697] + "…"
        text = f"{place.path}, {place.where}: “{' '.join(quote.split())}”"
        self.noted[number] = self.footnotes.add(paragraph, shown(text))

    def _grid(self, grid: Grid) -> None:
        shares = fitted(grid)
        table = self.document.add_table(rows=0, cols=len(grid.header))
        widths = [Cm(TEXT_WIDTH_CM * share).twips for share in shares]
        small = self.style_ids["Small"]
        for paragraph, label in zip(add_row(table._tbl, widths, small, header=True), grid.header, strict=True):
            self._line(paragraph, (label,), bold=True, soft=True)
        rows = grid.rows
        if len(rows) > MOST_CITED_ROWS and any(isinstance(part, Cite) for row in rows for line in row for part in line):
            rows = rows[:MOST_CITED_ROWS]
        for place, row in enumerate(rows):
            for paragraph, line in zip(add_row(table._tbl, widths, small, right=grid.numeric), row, strict=True):
                self._line(
                    paragraph, tuple(_in_cell(part) for part in line if not (grid.overview and isinstance(part, Cite)))
                )
            if anchor := grid.anchors[place] if grid.anchors else "":
                self._bookmark(table._tbl.tr_lst[-1].tc_lst[0].p_lst[0], anchor)
        self._columns(table, shares)
        self._rules(table)
        if len(rows) < len(grid.rows):
            more = f"{len(grid.rows) - len(rows):,} more rows are in report.xlsx and report.html, which hold the whole table."
            self._line(self._paragraph("Note")._p, (more,))
        self._paragraph("Normal").paragraph_format.space_after = Pt(2)

    def _card(self, card: Card) -> None:
        entry = card.entry
        heading = self._heading(f"{entry.id}  {entry.title}", 3)
        self._bookmark(heading._p, entry.id)
        meta = self._paragraph("Note")
        meta.paragraph_format.keep_with_next = True
        self._line(meta._p, (Badge(entry.severity), f"  ·  {entry.workstream}  ·  {entry.evidence} evidence"))
        for label, line in card.fields:
            paragraph = self._paragraph("Normal")
            paragraph.paragraph_format.keep_with_next = label == "Finding"
            paragraph.paragraph_format.keep_together = label != "Finding"
            add_run(paragraph._p, label + ": ", bold=True, colour=SOFT, size=Pt(9.5))
            self._line(paragraph._p, line)
        for number, cited in card.quotes:
            paragraph = self._paragraph("Quote")
            add_run(paragraph._p, "“" + shown(cited.citation.quote) + "” ")
            add_run(paragraph._p, shown(f"({cited.place})"), colour=SOFT, size=Pt(9))
            self._note(paragraph._p, number)

    # --- small parts of WordprocessingML that python-docx has no call for ----------------------------------------------------

    def _columns(self, table, shares: tuple[float, ...]) -> None:  # type: ignore[no-untyped-def]
        table.alignment = WD_TABLE_ALIGNMENT.LEFT
        table.autofit = False
        for column, share in zip(table.columns, shares, strict=True):
            column.width = Cm(TEXT_WIDTH_CM * share)

    def _rules(self, table) -> None:  # type: ignore[no-untyped-def]
        borders = OxmlElement("w:tblBorders")
        for side, size, colour in (("bottom", "4", "D9DBE0"), ("insideH", "4", "D9DBE0"), ("top", "8", "1D1F23")):
            border = OxmlElement(f"w:{side}")
            for name, value in (("val", "single"), ("sz", size), ("space", "0"), ("color", colour)):
                border.set(qn(f"w:{name}"), value)
            borders.append(border)
        table._tbl.tblPr.append(borders)

    def _bookmark(self, paragraph: Any, name: str) -> None:
        self.bookmarks += 1
        start, end = OxmlElement("w:bookmarkStart"), OxmlElement("w:bookmarkEnd")
        for element in (start, end):
            element.set(qn("w:id"), str(self.bookmarks))
        start.set(qn("w:name"), _bookmark_name(name))
        paragraph.insert(1 if paragraph.pPr is not None else 0, start)
        paragraph.append(end)

    def _hyperlink(self, paragraph: Any, target: str, text: str) -> None:
        link = OxmlElement("w:hyperlink")
        link.set(qn("w:anchor"), _bookmark_name(target))
        link.append(add_run(paragraph, text, colour=RED))
        paragraph.append(link)


def fitted(grid: Grid) -> tuple[float, ...]:
    """Shares of the width that give each column room for its longest word, and the rest to those that hold most text."""
    columns = [[label, *(_plain(row[index]) for row in grid.rows)] for index, label in enumerate(grid.header)]
    longest = [min(16, max(len(word) for text in column for word in re.split(r"[\s/_-]+", text))) for column in columns]
    least = [0.155 * length + 0.4 for length in longest]  # cm at 8.5 points, with the cell's margins
    if sum(least) >= TEXT_WIDTH_CM:
        return tuple(width / sum(least) for width in least)
    wanted = grid.widths or tuple(sum(map(len, column)) ** 0.7 for column in columns)
    room = [max(0.0, share / sum(wanted) * TEXT_WIDTH_CM - width) for share, width in zip(wanted, least, strict=True)]
    spare = TEXT_WIDTH_CM - sum(least)
    return tuple(
        (width + spare * more / (sum(room) or 1.0)) / TEXT_WIDTH_CM for width, more in zip(least, room, strict=True)
    )


def _in_cell(part: Inline) -> Inline:
    return part[:CELL_LIMIT] if isinstance(part, str) else part


def _plain(line: Line) -> str:
    return "".join(part if isinstance(part, str) else getattr(part, "text", "") for part in line)


def _bookmark_name(name: str) -> str:
    """Word allows letters, digits and underscores, at most 40."""
    return "r_" + re.sub(r"\W", "_", name)[:36]
