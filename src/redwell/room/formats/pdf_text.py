"""The characters of a PDF page with their boxes, in PDFium's order.

PDFium is called through its plain C functions with arguments that ctypes has made ready once: that is what makes a box for every
character affordable. PDFium is not safe to use from two threads at once.
"""

from __future__ import annotations

import ctypes
import re
import sys
from array import array
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import repeat
from typing import Any, TypeVar

import pypdfium2.raw as pdfium

from redwell.room.formats.pdf_unseen import Painted, painted
from redwell.room.formats.pdfium_calls import place, pointer, ready

_SAMPLE = 150
_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")
_WORD = re.compile(r"\S+")
_CUT = re.compile("\ufffe(?!\n)")
_LONE = re.compile("[\x00\ud800-\udfff]")


_Items = TypeVar("_Items", "array[float]", bytearray)
_AT_ONCE = 4096
_room_for_boxes = ctypes.create_string_buffer(16 * _AT_ONCE)
_box_places = [place(_room_for_boxes, 16 * k) for k in range(_AT_ONCE)]
_char_box = ready(pdfium.FPDFText_GetLooseCharBox, None)
_map_error = ready(pdfium.FPDFText_HasUnicodeMapError)


@dataclass(slots=True)
class PageText:
    """A page's characters.

    `text` has its lines separated by "\\n"; `boxes` has four floats for each of its code points (left, bottom, right, top) in points
    of the page as it is shown (rotation and crop applied, origin at the bottom left), zeros where there is none. `hidden` are
    stretches of `text` that a reader of the page cannot see. `unmapped` is the share of a sample of characters of which the
    font does not say what they mean. `painted` tells what else is on the page.
    """

    text: str
    boxes: array[float]
    width: float
    height: float
    painted: Painted
    hidden: list[tuple[int, int]] = field(default_factory=list)
    unmapped: float = 0.0


def page_text(page: Any) -> PageText:
    """The text of an open page (an FPDF_PAGE)."""
    width, height = float(pdfium.FPDF_GetPageWidthF(page)), float(pdfium.FPDF_GetPageHeightF(page))
    on_page = painted(page, width * height)
    handle = pdfium.FPDFText_LoadPage(page)
    if not handle:
        return PageText("", array("f"), width, height, on_page)
    try:
        count = max(0, pdfium.FPDFText_CountChars(handle))
        text_page = pointer(handle)
        characters = _characters(handle, count)
        boxes = _boxes(text_page, count)
        sample = [k for k in range(0, count, max(1, count // _SAMPLE)) if characters[k] > " "]
        unmapped = sum(_map_error(text_page, k) > 0 for k in sample) / max(1, len(sample))
        unseen = on_page.unseen(text_page, count)
    finally:
        pdfium.FPDFText_ClosePage(handle)
    _as_shown(page, boxes)
    _mark_off_page(characters, boxes, unseen, width, height)
    # One entry for each code point: of "\r\n" and of the halves of a pair, the first carries the box.
    surplus = [match.start() for match in re.finditer("\r\n", characters)]
    surplus += [match.start() + 1 for match in _PAIR.finditer(characters)]
    surplus.sort()
    boxes, unseen = _without(boxes, surplus, 4), _without(unseen, surplus, 1)
    text = characters.replace("\r\n", "\n").replace("\r", "\n")
    text = _LONE.sub("\ufffd", _PAIR.sub(_joined, text))
    # PDFium writes U+FFFE for a hyphen at the end of a line and leaves the line's end out.
    ends = [match.end() for match in _CUT.finditer(text)]
    boxes, unseen = _with(boxes, ends, array("f", bytes(16))), _with(unseen, ends, bytearray(1))
    text = _CUT.sub("-\n", text).replace("\ufffe", "-")
    return PageText(text, boxes, width, height, on_page, _stretches(unseen, text), unmapped)


def _without(items: _Items, places: Sequence[int], wide: int) -> _Items:
    """The items without those that stand at these places (in order), each so many items wide. One pass: a page may have a million."""
    if not places:
        return items
    kept, begin = items[:0], 0
    for k in places:
        kept += items[begin : wide * k]
        begin = wide * (k + 1)
    kept += items[begin:]
    return kept


def _with(items: _Items, places: Sequence[int], new: _Items) -> _Items:
    """The items with `new`, as wide as each place is, put in before these places (in order)."""
    if not places:
        return items
    kept, begin = items[:0], 0
    for k in places:
        kept += items[begin : len(new) * k]
        kept += new
        begin = len(new) * k
    kept += items[begin:]
    return kept


def _joined(match: re.Match[str]) -> str:
    pair = match[0]
    return chr(0x10000 + ((ord(pair[0]) - 0xD800) << 10) + ord(pair[1]) - 0xDC00)


def _characters(handle: Any, count: int) -> str:
    """One character, or one half of a pair, for each of PDFium's character indexes."""
    buffer = (ctypes.c_ushort * (count + 1))()
    written = max(0, pdfium.FPDFText_GetText(handle, 0, count, buffer) - 1) if count else 0
    text = bytes(buffer)[: 2 * written].decode("utf-16-le", "surrogatepass")
    if len(text) == count:
        return text
    if written == count:
        return "".join(map(chr, buffer[:count]))
    codes = (pdfium.FPDFText_GetUnicode(handle, k) for k in range(count))
    return "".join(chr(code) if 0 < code <= sys.maxunicode else "\ufffd" for code in codes)


def _boxes(handle: Any, count: int) -> array[float]:
    """Left, bottom, right, top of each character in the page's own space; `handle` as it is given to `ready` functions."""
    given = array("f")
    for start in range(0, count, _AT_ONCE):
        some = min(_AT_ONCE, count - start)
        ctypes.memset(_room_for_boxes, 0, 16 * some)
        # Some thousand calls a page: this is the loop with the least of Python in it.
        deque(map(_char_box, repeat(handle, some), range(start, start + some), _box_places), maxlen=0)
        given.frombytes(memoryview(_room_for_boxes)[: 16 * some])
    boxes = array("f", given)
    boxes[1::4], boxes[3::4] = given[3::4], given[1::4]  # PDFium gives left, top, right, bottom
    return boxes


def _as_shown(page: Any, boxes: array[float]) -> None:
    """Turn and shift boxes from the page's own space to the page as it is shown."""
    turns = pdfium.FPDFPage_GetRotation(page) % 4
    frame = pdfium.FS_RECTF()
    if not pdfium.FPDF_GetPageBoundingBox(page, frame):
        return
    left, bottom, right, top = frame.left, frame.bottom, frame.right, frame.top
    if not turns and abs(left) < 0.01 and abs(bottom) < 0.01:
        return
    x0, y0, x1, y1 = boxes[0::4], boxes[1::4], boxes[2::4], boxes[3::4]
    if turns == 1:
        shown = ([y - bottom for y in y0], [right - x for x in x1], [y - bottom for y in y1], [right - x for x in x0])
    elif turns == 2:
        shown = ([right - x for x in x1], [top - y for y in y1], [right - x for x in x0], [top - y for y in y0])
    elif turns == 3:
        shown = ([top - y for y in y1], [x - left for x in x0], [top - y for y in y0], [x - left for x in x1])
    else:
        shown = ([x - left for x in x0], [y - bottom for y in y0], [x - left for x in x1], [y - bottom for y in y1])
    empty = [k for k in range(len(x0)) if x0[k] == x1[k] == y0[k] == y1[k] == 0]
    for part, plane in enumerate(shown):
        boxes[part::4] = array("f", plane)
    for k in empty:
        boxes[4 * k : 4 * k + 4] = array("f", bytes(16))


def _mark_off_page(text: str, boxes: array[float], unseen: bytearray, width: float, height: float) -> None:
    """Mark the characters that lie wholly outside the page, in words that begin there."""
    if not boxes or (
        min(boxes[2::4]) >= 0 and max(boxes[0::4]) <= width and min(boxes[3::4]) >= 0 and max(boxes[1::4]) <= height
    ):
        return  # most pages
    for match in _WORD.finditer(text):
        k = match.start()
        left, bottom, right, top = boxes[4 * k : 4 * k + 4]
        if not (right < 0 or left > width or top < 0 or bottom > height):
            continue
        for k in range(match.start(), match.end()):
            left, bottom, right, top = boxes[4 * k : 4 * k + 4]
            if right < 0 or left > width or top < 0 or bottom > height:
                unseen[k] = 1


def _stretches(unseen: bytearray, text: str) -> list[tuple[int, int]]:
    """The marked stretches, with the spaces and line ends inside them, which have no object or place of their own."""
    if 1 not in unseen:
        return []
    found: list[tuple[int, int]] = []
    for k, mark in enumerate(unseen):
        if not mark or text[k].isspace():
            continue
        if found and not text[found[-1][1] : k].strip():
            found[-1] = (found[-1][0], k + 1)
        else:
            found.append((k, k + 1))
    return found
