"""Runs and table rows of a Word document, written as WordprocessingML at once.

python-docx reaches each run and each cell through several objects, about a millisecond a cell, which is minutes in the tables of a large room.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from docx.oxml.ns import qn
from docx.shared import Length, RGBColor
from lxml import etree

_BREAKS = re.compile(r"([\t\r\n])")
_SPACE = "{http://www.w3.org/XML/1998/namespace}space"
_VAL = qn("w:val")
_TAG = {
    name: qn(f"w:{name}")
    for name in (
        "r", "rPr", "b", "color", "sz", "vertAlign", "t", "tab", "br",
        "tr", "trPr", "cantSplit", "tblHeader", "tc", "tcPr", "tcW", "p", "pPr", "pStyle", "spacing", "jc",
    )
}  # fmt: skip
_W, _TYPE, _AFTER = qn("w:w"), qn("w:type"), qn("w:after")
_add = etree.SubElement


def add_run(
    paragraph: Any,
    text: str = "",
    *,
    bold: bool = False,
    colour: RGBColor | None = None,
    size: Length | None = None,
    raised: bool = False,
) -> Any:
    """Appends a run to a paragraph element (w:p) and returns it (w:r). Tabs and line ends in the text become Word's own."""
    run = _add(paragraph, _TAG["r"])
    if bold or colour is not None or size is not None or raised:
        properties = _add(run, _TAG["rPr"])
        if bold:
            _add(properties, _TAG["b"])
        if colour is not None:
            _add(properties, _TAG["color"]).set(_VAL, str(colour))
        if size is not None:
            _add(properties, _TAG["sz"]).set(_VAL, str(round(size.pt * 2)))
        if raised:
            _add(properties, _TAG["vertAlign"]).set(_VAL, "superscript")
    for part in _BREAKS.split(text):
        if part in ("\r", "\n"):
            _add(run, _TAG["br"])
        elif part == "\t":
            _add(run, _TAG["tab"])
        elif part:
            words = _add(run, _TAG["t"])
            words.text = part
            if part != part.strip():
                words.set(_SPACE, "preserve")
    return run


def add_row(
    table: Any, widths: Sequence[int], style: str, *, right: Sequence[int] = (), header: bool = False
) -> list[Any]:
    """Appends a row to a table element (w:tbl) and returns its cells' paragraphs (w:p), empty.

    `widths` are in twentieths of a point, `style` is the id of the paragraphs' style, `right` are the columns set flush right. A header is
    repeated on each page; another row is not broken over two.
    """
    row = _add(table, _TAG["tr"])
    properties = _add(row, _TAG["trPr"])
    if header:
        _add(properties, _TAG["tblHeader"]).set(_VAL, "true")
    else:
        _add(properties, _TAG["cantSplit"])
    paragraphs = []
    for column, width in enumerate(widths):
        cell = _add(row, _TAG["tc"])
        measure = _add(_add(cell, _TAG["tcPr"]), _TAG["tcW"])
        measure.set(_TYPE, "dxa")
        measure.set(_W, str(width))
        paragraph = _add(cell, _TAG["p"])
        look = _add(paragraph, _TAG["pPr"])
        _add(look, _TAG["pStyle"]).set(_VAL, style)
        _add(look, _TAG["spacing"]).set(_AFTER, "40")
        if column in right:
            _add(look, _TAG["jc"]).set(_VAL, "right")
        paragraphs.append(paragraph)
    return paragraphs
