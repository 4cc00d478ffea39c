"""The outside of paragraphs: body, tables, cells, block-level controls and changes, as blocks with their paths.

Paths count paragraphs and tables apart, within what holds them, and see through content controls: `body/p[41]`,
`body/tbl[2]/r3c1/p[1]`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from redwell.room.formats.docx_model import Block, Cell, Paragraph, Piece, Row, Table
from redwell.room.formats.docx_numbering import Definitions
from redwell.room.formats.docx_runs import MC, Story, Trail, change_of, chosen, read_inline, read_runs, under
from redwell.room.formats.docx_styles import Style, TableStyle, fill_of, integer, look, switch, value, w
from redwell.room.formats.safexml import Element

_COLUMNS = 2000
_WRAPPERS = frozenset(
    w(name) for name in ("sdt", "sdtContent", "customXml", "ins", "del", "moveFrom", "moveTo", "smartTag")
)


@dataclass(slots=True)
class _Count:
    """How many paragraphs and tables a container has had so far."""

    paragraphs: int = 0
    tables: int = 0


class Blocks:
    """Reads blocks out of elements that hold them (`w:body`, `w:hdr`, `w:footnote`, `w:tc`, `w:txbxContent` ...)."""

    def __init__(self, definitions: Definitions) -> None:
        self._definitions = definitions

    def read(self, holder: Element, story: Story, path: str, trail: Trail | None = None) -> list[Block]:
        """The blocks in `holder`, with paths that begin with `path`."""
        return self._read(holder, story, path, trail or Trail(), _Count())

    def _read(self, holder: Element, story: Story, path: str, trail: Trail, count: _Count) -> list[Block]:
        blocks: list[Block] = []
        with story.deeper() as allowed:
            for child in holder if allowed else ():
                if child.tag == w("p"):
                    count.paragraphs += 1
                    blocks.append(self._paragraph(child, story, f"{path}/p[{count.paragraphs}]", trail))
                elif child.tag == w("tbl"):
                    count.tables += 1
                    blocks.append(self._table(child, story, f"{path}/tbl[{count.tables}]", trail))
                elif child.tag in _WRAPPERS:
                    blocks.extend(self._read(child, story, path, under(trail, child), count))
                elif child.tag == MC + "AlternateContent":
                    branch = chosen(child)
                    if branch is not None:
                        blocks.extend(self._read(branch, story, path, trail, count))
                elif child.tag == w("r") or child.tag == w("hyperlink"):
                    # A run outside any paragraph is against the rules; its text must not get lost.
                    count.paragraphs += 1
                    paragraph = Paragraph(f"{path}/p[{count.paragraphs}]")
                    read_inline(paragraph, child, story.styles.paragraph(None), story, trail)
                    blocks.append(paragraph)
        return blocks

    def _paragraph(self, element: Element, story: Story, path: str, trail: Trail) -> Paragraph:
        properties = element.find(w("pPr"))
        style = story.styles.paragraph(value(properties, "pStyle"))
        paragraph = Paragraph(path, heading=style.heading, contents=style.contents)
        if properties is not None:
            style = self._properties(paragraph, properties, style, story)
            if properties.find(w("rPr")) is not None:
                _mark(paragraph, properties.find(w("rPr")), style)
        else:
            paragraph.numbered = paragraph.was_numbered = self._definitions.place(None, style)
        paragraph.mark_inserted = paragraph.mark_inserted or trail.inserted
        paragraph.mark_deleted = paragraph.mark_deleted or trail.deleted
        read_runs(paragraph, element, style, story, trail)
        if properties is not None and properties.find(w("sectPr")) is not None and not paragraph.text().strip():
            # Word neither prints nor counts a number on a paragraph that only carries a section break.
            paragraph.numbered = paragraph.was_numbered = None
        return paragraph

    def _properties(self, paragraph: Paragraph, properties: Element, style: Style, story: Story) -> Style:
        """Sets numbering and heading; gives the style with the paragraph's own shading."""
        numbering = properties.find(w("numPr"))
        paragraph.numbered = self._definitions.place(numbering, style)
        before = properties.find(f"{w('pPrChange')}/{w('pPr')}")
        if before is not None:
            earlier = value(before, "pStyle")
            paragraph.was_numbered = self._definitions.place(before.find(w("numPr")), story.styles.paragraph(earlier))
        elif numbering is not None and numbering.find(w("ins")) is not None:
            paragraph.was_numbered = None
        else:
            paragraph.was_numbered = paragraph.numbered
        outline = integer(value(properties, "outlineLvl"))
        if outline is not None and not paragraph.contents:
            paragraph.heading = 0 <= outline < 9
        fill = fill_of(properties.find(w("shd")))
        return style if fill is None else replace(style, background=fill)

    def _table(self, element: Element, story: Story, path: str, trail: Trail) -> Table:
        properties = element.find(w("tblPr"))
        shades = _Shades(story.styles.table(value(properties, "tblStyle")), properties)
        table = Table(path)
        rows = list(_through(element, "tr", trail))
        for index, (row, row_trail) in enumerate(rows, 1):
            with story.deeper() as allowed:
                if allowed:
                    table.rows.append(self._row(row, story, path, index, len(rows), row_trail, shades))
        return table

    def _row(
        self, element: Element, story: Story, path: str, index: int, of: int, trail: Trail, shades: _Shades
    ) -> Row:
        properties = element.find(w("trPr"))
        trail = _changed(properties, trail, "ins", "del")
        concealed = switch(properties, "hidden") or False
        row = Row(f"{path}/r{index}")
        cells = list(_through(element, "tc", trail))
        column = 1 + min(integer(value(properties, "gridBefore")) or 0, _COLUMNS)
        for position, (cell, cell_trail) in enumerate(cells):
            cell_properties = cell.find(w("tcPr"))
            cell_trail = _changed(cell_properties, cell_trail, "cellIns", "cellDel")
            own = fill_of(None if cell_properties is None else cell_properties.find(w("shd")))
            background = own or shades.behind(index == 1, index == of, position == 0, position == len(cells) - 1)
            cell_trail = replace(cell_trail, background=background or trail.background)
            cell_path = f"{path}/r{index}c{column}"
            merge = None if cell_properties is None else cell_properties.find(w("vMerge"))
            continued = merge is not None and merge.get(w("val"), "continue") != "restart"
            blocks = self.read(cell, story, cell_path, cell_trail)
            if concealed or continued:
                _conceal(blocks)
            row.cells.append(Cell(cell_path, blocks, continued))
            column += min(max(integer(value(cell_properties, "gridSpan")) or 1, 1), _COLUMNS)
        return row


class _Shades:
    """What a table and its style put behind the text of its cells."""

    def __init__(self, style: TableStyle, properties: Element | None) -> None:
        self._fills = style.fills
        self._whole = fill_of(None if properties is None else properties.find(w("shd")))

    def behind(self, first_row: bool, last_row: bool, first_column: bool, last_column: bool) -> str | None:
        """The fill behind a cell; bands count as lying behind every cell, since which it is depends on the layout."""
        regions = (
            ("firstRow", first_row),
            ("lastRow", last_row),
            ("firstCol", first_column),
            ("lastCol", last_column),
            ("band1Horz", True),
            ("band1Vert", True),
            ("wholeTable", True),
            ("", True),
        )
        for region, applies in regions:
            if applies and region in self._fills:
                return self._fills[region]
        return self._whole


def _through(element: Element, name: str, trail: Trail) -> Iterator[tuple[Element, Trail]]:
    """Rows or cells of an element, those inside content controls and tracked changes too."""
    stack = [(child, trail) for child in reversed(element)]
    while stack:
        child, around = stack.pop()
        if child.tag == w(name):
            yield child, around
        elif child.tag in _WRAPPERS:
            inside = under(around, child)
            stack.extend((grandchild, inside) for grandchild in reversed(child))


def _changed(properties: Element | None, trail: Trail, insertion: str, deletion: str) -> Trail:
    """The trail inside a row or a cell that is itself inserted or deleted."""
    if properties is None:
        return trail
    inserted, deleted = properties.find(w(insertion)), properties.find(w(deletion))
    if inserted is not None:
        trail = replace(trail, inserted=trail.inserted or change_of(inserted))
    if deleted is not None:
        trail = replace(trail, deleted=trail.deleted or change_of(deleted))
    return trail


def _mark(paragraph: Paragraph, properties: Element | None, style: Style) -> None:
    """What is tracked or hidden about the paragraph's mark."""
    if properties is None:
        return
    for name in ("ins", "moveTo"):
        change = properties.find(w(name))
        if change is not None:
            paragraph.mark_inserted = change_of(change, moved=name == "moveTo")
    for name in ("del", "moveFrom"):
        change = properties.find(w(name))
        if change is not None:
            paragraph.mark_deleted = change_of(change, moved=name == "moveFrom")
    vanish = look(properties).vanish
    paragraph.joined = bool(style.look.vanish if vanish is None else vanish)


def _conceal(blocks: list[Block]) -> None:
    """Marks all text of the blocks as hidden."""
    for block in blocks:
        if isinstance(block, Paragraph):
            block.numbered = block.was_numbered = None
            for item in block.content:
                if isinstance(item, Piece):
                    item.hidden = True
        else:
            for row in block.rows:
                for cell in row.cells:
                    _conceal(cell.blocks)


def page_color(document: Element) -> str:
    """The colour of the page as six hex digits."""
    background = document.find(w("background"))
    given = "" if background is None else background.get(w("color"), "")
    return given.upper() if re.fullmatch(r"[0-9A-Fa-f]{6}", given) else "FFFFFF"
