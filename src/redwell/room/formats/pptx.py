"""PPTX: one unit a shape, table row, chart series, page of notes or comment, slide by slide.

Read straight from the package, so that the limits on inflating hold and a presentation with one damaged slide keeps the others.
"""

from __future__ import annotations

from redwell.room.formats.drawings import paragraphs
from redwell.room.formats.ole_objects import unwrapped
from redwell.room.formats.ooxml import Element, Package, local_name, whole
from redwell.room.formats.pptx_shapes import SLIDE, Shapes
from redwell.room.types import Child, Limits, Parsed, ParsedUnit, Unreadable

_RELATION = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
_FEW_WORDS = 20
_MAX_PICTURES = 200


def read(data: bytes, name: str, limits: Limits) -> Parsed:
    """Reads a presentation; `pages` is the number of slides.

    Paths: `slide 3/shape 7` (title shapes have the flag `heading`, footers and numbers `footer`), `slide 3/shape 7/row 2` with the
    header row as label, `slide 3/shape 7/chart/series 1`, `slide 3/notes`, `slide 3/comment 1`, `layout 1/shape 2` for words that
    a layout prints on every slide. Hidden slides, hidden shapes and shapes beyond the edge have the flag `hidden`. Embedded files
    are children; so are the pictures of a slide that has hardly any words, which may be scans.

    Raises:
        Unreadable: when it is damaged beyond its main part, hostile, or protected with a password.
    """
    package = Package(data, limits)
    main = package.main_part()
    root = package.xml(main)
    if root is None or root.tag != SLIDE + "presentation":
        raise Unreadable("its main part is not a presentation")
    links = package.relationships(main)
    slides = [links[i].target for i in (slide.get(_RELATION, "") for slide in root.iter(SLIDE + "sldId")) if i in links]
    parsed = Parsed("pptx", metadata=package.properties(), problems=package.problems, pages=len(slides))
    authors = _authors(package, main)
    size = _size(root)
    units: list[ParsedUnit] = []
    hidden: list[str] = []
    lost: list[str] = []
    layouts: list[str] = []
    for number, part in enumerate(slides, start=1):
        try:
            slide = package.xml(part)
            if slide is None:
                raise Unreadable("its part is missing from the file")
        except Unreadable as error:
            lost.append(f"slide {number}: {error.reason}")
            continue
        flags: tuple[str, ...] = ()
        if slide.get("show") in ("0", "false"):
            flags = ("hidden",)
            hidden.append(str(number))
        shapes = Shapes(package, part, f"slide {number}", flags, size)
        shapes.read(slide)
        units.extend(shapes.units)
        for child in (unwrapped(child.name, child.data, limits) for child in shapes.children):
            parsed.children.append(Child(f"slide {number} {child.name}", child.data))
        _add_pictures(parsed, package, number, shapes)
        units.extend(_notes(package, part, number, flags))
        units.extend(_comments(package, part, number, authors))
        layouts.extend(layout for layout in package.related(part, "slideLayout") if layout not in layouts)
    units.extend(_layout_units(package, layouts))
    parsed.views["final"] = units
    parsed.metadata["slides"] = str(len(slides))
    if hidden:
        parsed.metadata["hidden_slides"] = ", ".join(hidden)
    if lost:
        if len(lost) == len(slides):
            raise Unreadable("none of its slides can be read: " + lost[0])
        parsed.status, parsed.reason = "partly_read", "; ".join(lost[:5])
    return parsed


def _size(root: Element) -> tuple[int, int]:
    size = root.find(SLIDE + "sldSz")
    width, height = (None, None) if size is None else (whole(size.get("cx")), whole(size.get("cy")))
    return (width, height) if width is not None and height is not None else (0, 0)


def _add_pictures(parsed: Parsed, package: Package, number: int, shapes: Shapes) -> None:
    if sum(len(unit.text) for unit in shapes.units if "footer" not in unit.flags) >= _FEW_WORDS:
        return
    for target in dict.fromkeys(shapes.pictures):
        if len(parsed.children) >= _MAX_PICTURES:
            return
        try:
            data = package.part(target)
        except Unreadable as error:
            package.problems.append(error.reason)
            continue
        if data:
            parsed.children.append(Child(f"slide {number} {target.rsplit('/', 1)[-1]}", data))


def _notes(package: Package, part: str, number: int, flags: tuple[str, ...]) -> list[ParsedUnit]:
    units = []
    for target in package.related(part, "notesSlide"):
        root = package.optional_xml(target)
        if root is None:
            continue
        shapes = Shapes(package, target, f"slide {number}/notes", flags)
        shapes.read(root)
        texts = [unit.text for unit in shapes.units if "footer" not in unit.flags]
        if texts:
            units.append(ParsedUnit("\n".join(texts), f"slide {number}/notes", flags=flags))
    return units


def _authors(package: Package, main: str) -> dict[str, str]:
    names = {}
    for kind in ("commentAuthors", "authors"):
        for target in package.related(main, kind):
            root = package.optional_xml(target)
            for author in () if root is None else root:
                names[author.get("id", "")] = author.get("name", "")
    return names


def _comments(package: Package, part: str, number: int, authors: dict[str, str]) -> list[ParsedUnit]:
    """Comments in the old form (`p:cm` with a `p:text`) and the new one (with paragraphs, and replies)."""
    units: list[ParsedUnit] = []
    for target in package.related(part, "comments"):
        root = package.optional_xml(target)
        for element in () if root is None else root.iter():
            if local_name(element) not in ("cm", "reply"):
                continue
            words = [child.text or "" for child in element if local_name(child) == "text"]
            for body in (child for child in element if local_name(child) == "txBody"):
                words.extend(paragraphs(body))
            text = "\n".join(words).strip()
            if text:
                author = authors.get(element.get("authorId", ""), "")
                where = f"slide {number}/comment {len(units) + 1}"
                units.append(ParsedUnit(f"{author}: {text}" if author else text, where, flags=("comment",)))
    return units


def _layout_units(package: Package, layouts: list[str]) -> list[ParsedUnit]:
    """Words that layouts and masters in use print on slides (not their placeholders' prompts)."""
    units = []
    masters = dict.fromkeys(master for layout in layouts for master in package.related(layout, "slideMaster"))
    for kind, parts in (("layout", layouts), ("master", list(masters))):
        for number, part in enumerate(parts, start=1):
            root = package.optional_xml(part)
            if root is not None:
                shapes = Shapes(package, part, f"{kind} {number}", ("footer",), own_only=True)
                shapes.read(root)
                units.extend(shapes.units)
    return units
