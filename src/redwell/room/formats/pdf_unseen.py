"""What is painted on a PDF page, and which text a reader of the page cannot see.

Text is unseen when it is drawn in the invisible mode (unless it is the text layer of a scan), in the colour of what lies behind it, fully
transparent, smaller than a point, under an opaque shape painted later, or outside the page.
"""

from __future__ import annotations

import ctypes
from dataclasses import dataclass, field
from typing import Any

import pypdfium2.raw as pdfium

from redwell.room.formats.pdfium_calls import place, pointer, ready

_ALIKE = 12
"""Two colours whose channels (0-255) all differ by no more than this cannot be told apart."""
_TINY = 1.0
"""Text smaller than this, in points, cannot be read."""
_FULL_PAGE = 0.8
"""An image over this share of a page is a scan of it."""
_OBJECTS = 50_000
_COMPARISONS = 400_000
_DEPTH = 8
_WHITE = (255, 255, 255)

Rect = tuple[float, float, float, float]
"""left, bottom, right, top in points."""
Colour = tuple[int, int, int]
Matrix = tuple[float, float, float, float, float, float]


_POINTER = ctypes.c_void_p
_type = ready(pdfium.FPDFPageObj_GetType)
_page_object = ready(pdfium.FPDFPage_GetObject, _POINTER)
_form_object = ready(pdfium.FPDFFormObj_GetObject, _POINTER)
_form_count = ready(pdfium.FPDFFormObj_CountObjects)
_bounds = ready(pdfium.FPDFPageObj_GetBounds)
_matrix = ready(pdfium.FPDFPageObj_GetMatrix)
_fill = ready(pdfium.FPDFPageObj_GetFillColor)
_transparent = ready(pdfium.FPDFPageObj_HasTransparency)
_mode = ready(pdfium.FPDFTextObj_GetTextRenderMode)
_font_size = ready(pdfium.FPDFTextObj_GetFontSize)
_draw_mode = ready(pdfium.FPDFPath_GetDrawMode)
_segments = ready(pdfium.FPDFPath_CountSegments)
_object_of = ready(pdfium.FPDFText_GetTextObject, _POINTER)


@dataclass(slots=True)
class _Text:
    address: int
    order: int
    rect: Rect
    colour: Colour | None
    invisible: bool
    unseen: bool


@dataclass(slots=True)
class _Fill:
    """A painted area: `colour` is None when it has many (an image, a shading); `covers` when it hides what was painted before."""

    order: int
    rect: Rect
    colour: Colour | None
    covers: bool


@dataclass(slots=True)
class Painted:
    """What is on a page: how many text objects, images and drawn paths; `scan` when one image covers it.

    `layered` says that the page is a scan and its text the layer that was recognised in it: laid under the image, or invisible.
    """

    texts: list[_Text] = field(default_factory=list)
    fills: list[_Fill] = field(default_factory=list)
    images: int = 0
    paths: int = 0
    scan: int | None = None
    layered: bool = False
    hidden: set[int] = field(default_factory=set)
    objects: int = 0

    def unseen(self, text_page: Any, count: int) -> bytearray:
        """For each character of the page's text, 1 when it belongs to an unseen text object; `text_page` as made by `pointer`."""
        marks = bytearray(count)
        if self.hidden:
            for k in range(count):
                if _object_of(text_page, k) in self.hidden:
                    marks[k] = 1
        return marks


class _Walk:
    """Goes through the objects of a page in the order of painting, into the forms that it uses."""

    def __init__(self, area: float) -> None:
        self.area = area
        self.found = Painted()
        self.numbers = (ctypes.c_float * 6)()
        self.bytes = (ctypes.c_uint * 4)()
        self.at_bounds = tuple(place(self.numbers, 4 * k) for k in range(4))
        self.at_matrix = self.at_bounds[0]
        self.at_colour = tuple(place(self.bytes, 4 * k) for k in range(4))

    def visit(self, address: int, outer: Matrix | None, depth: int) -> None:
        found = self.found
        item = pointer(address)
        found.objects += 1
        kind = _type(item)
        if kind == pdfium.FPDF_PAGEOBJ_TEXT:
            self._text(address, item, outer)
        elif kind == pdfium.FPDF_PAGEOBJ_PATH:
            found.paths += 1
            self._path(item, outer)
        elif kind in (pdfium.FPDF_PAGEOBJ_IMAGE, pdfium.FPDF_PAGEOBJ_SHADING):
            rect = self._rect(item, outer)
            found.fills.append(_Fill(found.objects, rect, None, False))
            if kind == pdfium.FPDF_PAGEOBJ_IMAGE:
                found.images += 1
                if _area(rect) >= _FULL_PAGE * self.area:
                    found.scan = found.objects
        elif kind == pdfium.FPDF_PAGEOBJ_FORM and depth < _DEPTH:
            inner = self._matrix(item)
            both = inner if outer is None else _times(inner, outer)
            for k in range(max(0, _form_count(item))):
                child = _form_object(item, ctypes.c_ulong(k))
                if child and found.objects < _OBJECTS:
                    self.visit(child, both, depth + 1)

    def _text(self, address: int, item: Any, outer: Matrix | None) -> None:
        rect = self._rect(item, outer)
        colour, alpha = self._colour(item)
        invisible = _mode(item) == pdfium.FPDF_TEXTRENDERMODE_INVISIBLE
        unseen = alpha <= _ALIKE
        if not unseen and min(rect[2] - rect[0], rect[3] - rect[1]) < 1.5 * _TINY:
            unseen = self._size(item, outer) < _TINY
        self.found.texts.append(_Text(address, self.found.objects, rect, colour, invisible, unseen))

    def _path(self, item: Any, outer: Matrix | None) -> None:
        if not _draw_mode(item, self.at_colour[0], self.at_colour[1]) or self.bytes[0] == pdfium.FPDF_FILLMODE_NONE:
            return
        rect = self._rect(item, outer)
        if rect[2] - rect[0] < 3 or rect[3] - rect[1] < 3:
            return  # a ruling, not an area
        colour, alpha = self._colour(item)
        opaque = alpha >= 255 - _ALIKE and not _transparent(item)
        if opaque:
            self.found.fills.append(_Fill(self.found.objects, rect, colour, _segments(item) <= 6))

    def _rect(self, item: Any, outer: Matrix | None) -> Rect:
        a, b, c, d = self.at_bounds
        if not _bounds(item, a, b, c, d):
            return (0.0, 0.0, 0.0, 0.0)
        left, bottom, right, top = self.numbers[:4]
        return (left, bottom, right, top) if outer is None else _placed((left, bottom, right, top), outer)

    def _matrix(self, item: Any) -> Matrix:
        if not _matrix(item, self.at_matrix):
            return (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)
        a, b, c, d, e, f = self.numbers
        return a, b, c, d, e, f

    def _colour(self, item: Any) -> tuple[Colour | None, int]:
        """The fill colour and its opacity; no colour for a pattern."""
        if not _fill(item, *self.at_colour):
            return None, 255
        red, green, blue, alpha = self.bytes
        return (red, green, blue), alpha

    def _size(self, item: Any, outer: Matrix | None) -> float:
        """The size of the font on the page, in points."""
        if not _font_size(item, self.at_matrix):
            return _TINY
        size = float(self.numbers[0])
        inner = self._matrix(item)
        both = inner if outer is None else _times(inner, outer)
        return float(size * abs(both[0] * both[3] - both[1] * both[2]) ** 0.5)


def painted(page: Any, area: float) -> Painted:
    """What is painted on an open page (an FPDF_PAGE) of that many square points."""
    walk = _Walk(area)
    handle = pointer(page)
    for k in range(min(_OBJECTS, max(0, pdfium.FPDFPage_CountObjects(page)))):
        item = _page_object(handle, k)
        if item and walk.found.objects < _OBJECTS:
            walk.visit(item, None, 0)
    found = walk.found
    scan = found.scan
    if scan is not None:
        beneath = sum(text.invisible or text.order < scan for text in found.texts)
        found.layered = beneath * 2 > len(found.texts)
    if len(found.fills) * len(found.texts) > _COMPARISONS:
        found.fills = sorted(found.fills, key=lambda fill: -_area(fill.rect))[:200]
        found.fills.sort(key=lambda fill: fill.order)
    found.hidden = {text.address for text in found.texts if _is_unseen(text, found)}
    return found


def _is_unseen(text: _Text, page: Painted) -> bool:
    if text.unseen:
        return True
    if text.invisible or (page.scan is not None and text.order < page.scan):
        return page.scan is None
    if not page.fills:
        return text.colour is not None and _alike(text.colour, _WHITE)
    x, y = (text.rect[0] + text.rect[2]) / 2, (text.rect[1] + text.rect[3]) / 2
    behind: Colour | None = _WHITE
    for fill in page.fills:
        left, bottom, right, top = fill.rect
        if not (left <= x <= right and bottom <= y <= top):
            continue
        if fill.order < text.order:
            behind = fill.colour
        elif (
            fill.covers
            and left <= text.rect[0]
            and text.rect[2] <= right
            and bottom <= text.rect[1]
            and text.rect[3] <= top
        ):
            return True
    return behind is not None and text.colour is not None and _alike(text.colour, behind)


def _alike(one: Colour, other: Colour) -> bool:
    return abs(one[0] - other[0]) <= _ALIKE and abs(one[1] - other[1]) <= _ALIKE and abs(one[2] - other[2]) <= _ALIKE


def _area(rect: Rect) -> float:
    return max(0.0, rect[2] - rect[0]) * max(0.0, rect[3] - rect[1])


def _times(inner: Matrix, outer: Matrix) -> Matrix:
    a, b, c, d, e, f = inner
    g, h, i, j, k, m = outer
    return a * g + b * i, a * h + b * j, c * g + d * i, c * h + d * j, e * g + f * i + k, e * h + f * j + m


def _placed(rect: Rect, matrix: Matrix) -> Rect:
    a, b, c, d, e, f = matrix
    if b == 0 == c:
        left, right = sorted((a * rect[0] + e, a * rect[2] + e))
        bottom, top = sorted((d * rect[1] + f, d * rect[3] + f))
        return left, bottom, right, top
    xs = [a * x + c * y + e for x in (rect[0], rect[2]) for y in (rect[1], rect[3])]
    ys = [b * x + d * y + f for x in (rect[0], rect[2]) for y in (rect[1], rect[3])]
    return min(xs), min(ys), max(xs), max(ys)
