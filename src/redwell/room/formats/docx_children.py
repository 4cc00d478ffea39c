"""Documents inside a Word document: embedded files, imported parts, and pictures large enough to be scanned pages."""

from __future__ import annotations

import posixpath

from redwell.room.formats.docx_runs import R
from redwell.room.formats.docx_styles import integer
from redwell.room.formats.ole_objects import unwrapped
from redwell.room.formats.ooxml import Package
from redwell.room.formats.safexml import Element
from redwell.room.types import Child, Limits, Unreadable

_EMU_PER_INCH = 914_400
_PAGE_LIKE = (4.5 * _EMU_PER_INCH, 5.0 * _EMU_PER_INCH)
_INLINE = "{http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing}"
_BLIP = "{http://schemas.openxmlformats.org/drawingml/2006/main}blip"
_CHILDREN = 1000


def embedded(
    package: Package, main: str, document: Element, limits: Limits
) -> tuple[list[Child], list[tuple[str, str]], int]:
    """Children of a Word document, what it names and does not hold (name, reason), and how many small pictures were passed by.

    A picture counts as a page, and becomes a child to be read, when it is shown at 4.5 by 5 inches or more.
    """
    children: list[Child] = []
    unopened: list[tuple[str, str]] = []
    pictures: dict[str, None] = {}
    pages = _page_like(document)
    sources = [
        main,
        *package.related(main, "header"),
        *package.related(main, "footer"),
        *package.related(main, "footnotes"),
    ]
    seen: set[str] = set()
    for source in sources:
        for key, link in package.relationships(source).items():
            if link.kind == "image" and not link.external:
                if not (source == main and key in pages):
                    pictures.setdefault(link.target)
                    continue
            elif link.kind == "subDocument":
                unopened.append((link.target, "a linked document that is not inside the file"))
                continue
            elif link.external or link.kind not in ("package", "oleObject", "aFChunk", "image"):
                continue
            if link.target in seen:
                continue
            seen.add(link.target)
            if len(children) >= _CHILDREN:
                unopened.append((posixpath.basename(link.target), f"the file holds more than {_CHILDREN:,} others"))
                continue
            try:
                data = package.part(link.target)
            except Unreadable as error:
                unopened.append((posixpath.basename(link.target), error.reason))
                continue
            if data is None:
                unopened.append((posixpath.basename(link.target), "named in the file, but missing from it"))
                continue
            children.append(unwrapped(posixpath.basename(link.target), data, limits))
    return children, unopened, len([name for name in pictures if name not in seen])


def _page_like(document: Element) -> set[str]:
    """Relationship ids of pictures that are shown about as large as a page."""
    found: set[str] = set()
    for extent in document.iter(_INLINE + "extent"):
        wide, high = integer(extent.get("cx")) or 0, integer(extent.get("cy")) or 0
        holder = extent.getparent()
        if holder is not None and min(wide, high) >= _PAGE_LIKE[0] and max(wide, high) >= _PAGE_LIKE[1]:
            found.update(blip.get(R + "embed", "") for blip in holder.iter(_BLIP))
    return found
