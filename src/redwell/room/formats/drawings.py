"""Words in drawings: text boxes, shapes, diagrams and charts of sheets and slides (DrawingML)."""

from __future__ import annotations

from redwell.room.formats.ooxml import Element, Package, local_name, whole
from redwell.room.types import ParsedUnit

DRAWING = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
CHART = "{http://schemas.openxmlformats.org/drawingml/2006/chart}"
_PARAGRAPH = DRAWING + "p"
_SHEET_DRAWING = "{http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing}"
RELATION = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
_MAX_POINTS = 5000


def paragraphs(element: Element) -> list[str]:
    """The texts of the paragraphs in a text body; line breaks within one are `\\n`."""
    return [text for text in (paragraph_text(paragraph) for paragraph in element.iter(_PARAGRAPH)) if text]


def paragraph_text(paragraph: Element) -> str:
    """The words of a paragraph: runs, fields (but not slide numbers) and line breaks, in order."""
    pieces = []
    for child in paragraph.iter(DRAWING + "t", DRAWING + "br"):
        parent = child.getparent()
        if parent is not None and parent.tag == DRAWING + "fld" and parent.get("type") == "slidenum":
            continue
        pieces.append("\n" if child.tag == DRAWING + "br" else child.text or "")
    return "".join(pieces).replace("\v", "\n").strip()


def drawing_units(package: Package, part: str, where: str, flags: tuple[str, ...]) -> list[ParsedUnit]:
    """The words of a sheet's drawing part, one unit a shape (flag `textbox`) or chart; paths are `where` with a number."""
    root = package.optional_xml(part)
    if root is None:
        return []
    units: list[ParsedUnit] = []
    number = 0
    links = package.relationships(part)
    for element in root.iter():
        name = local_name(element)
        if name == "txBody":
            number += 1
            if lines := paragraphs(element):
                units.append(ParsedUnit("\n".join(lines), f"{where} {number}", flags=("textbox", *flags)))
        elif (
            element.tag == CHART + "chart"
            and (link := links.get(element.get(RELATION + "id", ""))) is not None
            and not link.external
        ):
            number += 1
            chart = package.optional_xml(link.target)
            units.extend(chart_units(chart, f"{where} {number}/chart", flags) if chart is not None else [])
    return units


def chart_units(root: Element, where: str, flags: tuple[str, ...]) -> list[ParsedUnit]:
    """A chart's titles and labels (`.../text`), and for each series its name with `category: value` pairs (`.../series 1`)."""
    units = []
    words = list(dict.fromkeys(paragraphs(root)))
    if words:
        units.append(ParsedUnit("\n".join(words), where + "/text", flags=flags))
    for number, series in enumerate(root.iter(CHART + "ser"), start=1):
        name = " ".join(_points(series.find(CHART + "tx")).values())
        categories = _points(series.find(CHART + "cat")) or _points(series.find(CHART + "xVal"))
        values = _points(series.find(CHART + "val")) or _points(series.find(CHART + "yVal"))
        pairs = [f"{categories[at]}: {value}" if at in categories else value for at, value in sorted(values.items())]
        text = f"{name} | {' | '.join(pairs)}" if name and pairs else name or " | ".join(pairs)
        if text:
            units.append(ParsedUnit(text, f"{where}/series {number}", flags=flags))
    return units


def _points(element: Element | None) -> dict[int, str]:
    """Cached points by index; those of several levels are joined, outermost first."""
    found: dict[int, str] = {}
    if element is None:
        return found
    for level in [*element.iter(CHART + "lvl")][::-1] or [element]:
        for point in level.iter(CHART + "pt"):
            at, value = whole(point.get("idx")), (point.findtext(CHART + "v") or "").strip()
            if at is not None and len(found) < _MAX_POINTS and value:
                found[at] = f"{found[at]} {value}" if at in found else value
    if not found:
        direct = element.findtext(CHART + "v")
        if direct:
            found[0] = direct.strip()
    return found
