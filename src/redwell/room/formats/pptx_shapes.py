"""The shapes of one slide, layout or page of notes: text, tables, groups, charts, diagrams and embedded files."""

from __future__ import annotations

from dataclasses import dataclass, field

from redwell.room.formats.drawings import CHART, DRAWING, RELATION, chart_units, paragraph_text, paragraphs
from redwell.room.formats.ooxml import Element, Package, Relationship, local_name, whole
from redwell.room.formats.table_rows import SEPARATOR
from redwell.room.types import Child, ParsedUnit, Unreadable

SLIDE = "{http://schemas.openxmlformats.org/presentationml/2006/main}"
_DIAGRAM = "{http://schemas.openxmlformats.org/drawingml/2006/diagram}"
_MARGINS = frozenset(("ftr", "sldNum", "dt", "hdr"))
_SHAPES = frozenset(("sp", "grpSp", "graphicFrame", "pic", "cxnSp", "AlternateContent", "contentPart"))
_TINY = 200
_MAX_DEPTH = 60


@dataclass(slots=True)
class Shapes:
    """Walks the shapes of a part. `where` is the beginning of every path; `flags` go on every unit; `size` is the slide's, in EMU."""

    package: Package
    part: str
    where: str
    flags: tuple[str, ...] = ()
    size: tuple[int, int] = (0, 0)
    own_only: bool = False
    units: list[ParsedUnit] = field(default_factory=list)
    children: list[Child] = field(default_factory=list)
    pictures: list[str] = field(default_factory=list)
    _number: int = 0
    _seen: set[Element] = field(default_factory=set)
    _links: dict[str, Relationship] = field(default_factory=dict)

    def read(self, root: Element) -> None:
        """Gathers units from the shapes under `root`, then any words that no known shape held (`.../other`)."""
        self._links = self.package.relationships(self.part)
        tree = root.find(f"{SLIDE}cSld/{SLIDE}spTree")
        if tree is None:
            return
        self._group(tree, 0, self.flags)
        if self.own_only:
            return
        known = {line for unit in self.units for line in unit.text.split("\n")}
        for paragraph in tree.iter(DRAWING + "p"):
            text = paragraph_text(paragraph)
            if paragraph not in self._seen and not set(text.split("\n")) <= {*known, ""}:
                self.units.append(ParsedUnit(text, f"{self.where}/other", flags=self.flags))

    def _group(self, group: Element, depth: int, flags: tuple[str, ...]) -> None:
        for shape in group:
            name = local_name(shape)
            if name == "AlternateContent":
                choices = [child for child in shape if local_name(child) in ("Choice", "Fallback")]
                before = len(self.units)
                for choice in choices:
                    self._group(choice, depth + 1, flags)
                    if len(self.units) > before:
                        break
            elif name in _SHAPES and depth < _MAX_DEPTH:
                self._shape(shape, name, depth, flags)

    def _shape(self, shape: Element, name: str, depth: int, flags: tuple[str, ...]) -> None:
        self._number += 1
        path = f"{self.where}/shape {self._number}"
        properties = next((child for child in shape.iter() if local_name(child) == "cNvPr"), None)
        placeholder = shape.find(f".//{SLIDE}nvPr/{SLIDE}ph") if name == "sp" else None
        if self.own_only and placeholder is not None:
            return
        if "hidden" not in flags and (
            self._outside(shape, depth) or (properties is not None and properties.get("hidden") in ("1", "true"))
        ):
            flags = (*flags, "hidden")
        if name == "grpSp":
            self._group(shape, depth + 1, flags)
        elif name == "graphicFrame":
            self._frame(shape, path, flags)
        elif name == "pic":
            self._picture(shape, properties, path, flags)
        else:
            body = shape.find(SLIDE + "txBody")
            if body is not None:
                self._text(body, path, flags, "" if placeholder is None else placeholder.get("type", "body"))

    def _text(self, body: Element, path: str, flags: tuple[str, ...], role: str) -> None:
        self._seen.update(body.iter(DRAWING + "p"))
        lines = paragraphs(body)
        if not lines:
            return
        if role in ("title", "ctrTitle"):
            flags = ("heading", *flags)
        elif role in _MARGINS:
            flags = ("footer", *flags)
        if "hidden" not in flags and _is_tiny(body):
            flags = (*flags, "hidden")
        self.units.append(ParsedUnit("\n".join(lines), path, flags=flags))

    def _frame(self, frame: Element, path: str, flags: tuple[str, ...]) -> None:
        for table in frame.iter(DRAWING + "tbl"):
            self._table(table, path, flags)
        for element in frame.iter():
            if element.tag == CHART + "chart" or local_name(element) == "chart":
                root = self._linked(element.get(RELATION + "id", ""))
                if root is not None:
                    self.units.extend(chart_units(root, f"{path}/chart", flags))
            elif element.tag == _DIAGRAM + "relIds":
                root = self._linked(element.get(RELATION + "dm", ""))
                lines = [] if root is None else paragraphs(root)
                if lines:
                    self.units.append(ParsedUnit("\n".join(lines), f"{path}/diagram", flags=flags))
            elif element.tag == SLIDE + "oleObj":
                self._embedded(element)

    def _table(self, table: Element, path: str, flags: tuple[str, ...]) -> None:
        self._seen.update(table.iter(DRAWING + "p"))
        properties = table.find(DRAWING + "tblPr")
        named = properties is not None and properties.get("firstRow") in ("1", "true")
        header = ""
        for number, row in enumerate(table.iterfind(DRAWING + "tr"), start=1):
            cells = [
                "\n".join(paragraphs(cell))
                for cell in row.iterfind(DRAWING + "tc")
                if cell.get("hMerge") not in ("1", "true")
            ]
            text = SEPARATOR.join(cells)
            if any(cells):
                self.units.append(
                    ParsedUnit(text, f"{path}/row {number}", label="" if number == 1 else header, flags=flags)
                )
            if number == 1 and named:
                header = " ".join(text.split())

    def _picture(self, shape: Element, properties: Element | None, path: str, flags: tuple[str, ...]) -> None:
        words = "" if properties is None else " ".join(properties.get("descr", "").split())
        if words and not words.lower().endswith((".png", ".jpg", ".jpeg", ".gif", ".emf")):
            self.units.append(ParsedUnit(words, f"{path}/description", flags=flags))
        for blip in shape.iter(DRAWING + "blip"):
            link = self._links.get(blip.get(RELATION + "embed", ""))
            if link is not None and not link.external:
                self.pictures.append(link.target)

    def _embedded(self, element: Element) -> None:
        link = self._links.get(element.get(RELATION + "id", ""))
        if link is None or link.external:
            return
        try:
            data = self.package.part(link.target)
        except Unreadable as error:
            self.package.problems.append(error.reason)
            return
        if data:
            self.children.append(Child(link.target.rsplit("/", 1)[-1], data))

    def _linked(self, identifier: str) -> Element | None:
        link = self._links.get(identifier)
        return None if link is None or link.external else self.package.optional_xml(link.target)

    def _outside(self, shape: Element, depth: int) -> bool:
        """Whether a shape of its own stands wholly beyond the slide's edges, where no audience sees it."""
        if depth or not all(self.size):
            return False
        offset, extent = shape.find(f".//{DRAWING}off"), shape.find(f".//{DRAWING}ext[@cx]")
        if offset is None or extent is None:
            return False
        try:
            left, top = int(offset.get("x", "0")), int(offset.get("y", "0"))
            width, height = int(extent.get("cx", "0")), int(extent.get("cy", "0"))
        except ValueError:
            return False
        return left >= self.size[0] or top >= self.size[1] or left + width < 0 or top + height < 0


def _is_tiny(body: Element) -> bool:
    sizes = [whole(run.get("sz")) for run in body.iter(DRAWING + "rPr")]
    runs = sum(1 for _ in body.iter(DRAWING + "r"))
    return bool(sizes) and len(sizes) == runs and all(size is not None and size <= _TINY for size in sizes)
