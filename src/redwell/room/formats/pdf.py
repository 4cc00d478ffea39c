"""PDF: the text of each page in paragraphs with a box for every character; pages that are images go to OCR.

Units are `page 12/p[3]`; a running header is `page 12/header[1]`, a footer `page 12/footer[1]`, text that a reader of the page cannot see
`page 12/hidden[1]`, a note `page 12/comment[1]`, a filled form field `page 12/field[1]`.
"""

from __future__ import annotations

import ctypes
import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush
from typing import Any

import pypdfium2  # noqa: F401  its import starts PDFium
import pypdfium2.raw as pdfium
from PIL import Image

from redwell.room import pace
from redwell.room.formats import ocr
from redwell.room.formats.clauses import Line as ClauseLine
from redwell.room.formats.clauses import clauses
from redwell.room.formats.pdf_extras import Embedded, form, metadata, notes
from redwell.room.formats.pdf_layout import Line, Paragraph, hidden, lines, paragraphs
from redwell.room.formats.pdf_text import PageText, page_text
from redwell.room.types import Limits, Parsed, ParsedUnit, Source, Unreadable

_FEW = 50
"""A scan with fewer characters than this in its text layer (a stamp, a page number) has none of its own."""
_GARBLED = 0.1
_LETTERS = 0.5
_UNMAPPED = 0.3
_EDGE = 5
_PAGES = 20_000
_PIXELS = 25_000_000
_LINES = 40_000
"""A page that draws more than this (a map, a plan) takes minutes to be drawn and recognised."""
_FILLER = re.compile(r"[\s._\-–—=*·•…|]")
_NUMBERED = re.compile(r"(?:page )?[\W_]*(?:0|[ivxl]{1,6})[\W_]*(?: ?of 0)?|[a-z]{1,2}[-–]0", re.IGNORECASE)
_ENDED = re.compile(r"[.;:!?_][)\]\"'”’]*$|(?:; |, )(?:and|or)$")
_FULL_LINE = 60
_DIGITS = re.compile(r"\d+")


@dataclass(slots=True)
class _Page:
    """What was read of a page. `reason` says why it could not be read; `blank` that there is nothing on it; `wordless` that
    something is, in which OCR found no words."""

    number: int
    text: PageText | None = None
    lines: list[Line] = field(default_factory=list)
    source: Source = "native"
    recognised: list[ParsedUnit] = field(default_factory=list)
    confidence: float | None = None
    notes: list[ParsedUnit] = field(default_factory=list)
    reason: str = ""
    blank: bool = False
    wordless: bool = False


def read(data: bytes, name: str, limits: Limits) -> Parsed:
    """Read a PDF.

    Args:
        data: the file.
        name: its name, for messages.
        limits: `ocr_seconds_per_page` bounds the OCR of each page; 0 leaves OCR out.

    Raises:
        Unreadable: when it is protected by a password, damaged beyond repair, or no page of it can be read.
    """
    document = _open(data)
    try:
        parsed = Parsed("pdf", metadata=metadata(document))
        count = pdfium.FPDF_GetPageCount(document)
        if count <= 0:
            raise Unreadable("it is damaged: no page can be found in it")
        embedded = Embedded(parsed, limits)
        embedded.take_all(document)
        with form(document) as fields:
            pages = [_read_page(document, index, fields, embedded, limits) for index in range(min(count, _PAGES))]
        cut = _damage(document, data, pages)
    finally:
        pdfium.FPDF_CloseDocument(document)
    parsed.pages = count
    parsed.views["final"] = _units(pages)
    _account(parsed, pages, count, cut)
    return parsed


def _open(data: bytes) -> Any:
    document = pdfium.FPDF_LoadMemDocument64(data, len(data), None)
    if document:
        return document
    error = pdfium.FPDF_GetLastError()
    if error == pdfium.FPDF_ERR_PASSWORD:
        raise Unreadable("it is protected by a password; ask for a copy without one")
    if error == pdfium.FPDF_ERR_SECURITY:
        raise Unreadable("it is encrypted in a way that cannot be opened; ask for a copy without protection")
    raise Unreadable("it is damaged or not a PDF; ask for a fresh copy")


def _damage(document: Any, data: bytes, pages: Sequence[_Page]) -> str:
    """Why pages may be missing from what PDFium could recover, or ""."""
    if b"%%EOF" not in data[-4096:]:
        for page in pages:
            if page.blank or page.wordless:
                page.blank, page.wordless, page.reason = False, False, "nothing of it is left in the file"
        return "the file is cut short"
    if pdfium.FPDF_DocumentHasValidCrossReferenceTable(document):
        return ""
    stated = max((int(n) for n in re.findall(rb"/Count\s+(\d{1,6})\b", data)), default=0)
    objects = len(re.findall(rb"/Type\s*/Page\b(?!s)", data))
    if min(stated, objects) > len(pages):
        return f"the file is damaged: it speaks of {min(stated, objects)} pages"
    return ""


def _read_page(document: Any, index: int, fields: Any, embedded: Embedded, limits: Limits) -> _Page:
    out = _Page(index + 1)
    page = pdfium.FPDF_LoadPage(document, index)
    if not page:
        out.reason = "it is damaged"
        return out
    try:
        out.notes = notes(page, out.number, fields, embedded)
        text = page_text(page)
        why = _unusable(text)
        if not why:
            out.text, out.lines = text, lines(text)
            out.source = "ocr" if text.painted.layered else "native"
        elif why == "blank":
            out.blank = not out.notes
        else:
            _recognise(page, text, why, out, limits)
    finally:
        pdfium.FPDF_ClosePage(page)
    return out


def _unusable(page: PageText) -> str:
    """Why a page's text layer cannot be used; "" when it can, "blank" when there is nothing on the page."""
    counts = {c: n for c, n in Counter(page.text).items() if not _FILLER.fullmatch(c)}
    seen = sum(counts.values())
    painted = page.painted
    if not seen:
        if not painted.images and painted.paths < 20:
            return "blank" if not painted.paths or not page.text.strip() else ""
        return "it has no text layer"
    if painted.scan is not None and seen < _FEW:
        return "it has no text layer"
    garbled = sum(n for c, n in counts.items() if c == "\ufffd" or unicodedata.category(c) in ("Co", "Cn", "Cc"))
    usable = sum(n for c, n in counts.items() if c.isalnum())
    if seen >= _FEW and (garbled > _GARBLED * seen or usable < _LETTERS * seen):
        return "its text layer is garbled"
    if page.unmapped > _UNMAPPED:
        return "its text layer is garbled"
    return ""


def _recognise(page: Any, text: PageText, why: str, out: _Page, limits: Limits) -> None:
    """Have the page's image recognised; on failure say why the page could not be read."""
    if limits.ocr_seconds_per_page <= 0:
        out.reason = f"{why} and OCR is switched off"
        return
    if text.painted.objects >= _LINES:
        out.reason = f"{why} and it draws too much to be recognised (a map or a plan)"
        return
    if not ocr.engine():
        out.reason = f"{why} and no OCR engine is installed"
        return
    pace.more(limits.ocr_seconds_per_page)
    try:
        image, scale = _image(page, text.width, text.height)
        found = ocr.recognise(image, limits.ocr_seconds_per_page)
    except ocr.OcrFailed as error:
        out.reason = f"{why} and {error}"
        return
    out.source, out.confidence = "ocr", found.confidence
    out.recognised = ocr.units(found, f"page {out.number}", scale, text.height)
    if not found.words:
        out.confidence, out.wordless = None, True


def _image(page: Any, width: float, height: float) -> tuple[Image.Image, float]:
    """The page as a grey image, and how many points a pixel of it is."""
    if width <= 0 or height <= 0:
        raise ocr.OcrFailed("it has no size")
    scale = min(ocr.dots_per_inch() / 72, (_PIXELS / (width * height)) ** 0.5)
    across, down = max(1, round(width * scale)), max(1, round(height * scale))
    bitmap = pdfium.FPDFBitmap_CreateEx(across, down, pdfium.FPDFBitmap_Gray, None, 0)
    if not bitmap:
        raise ocr.OcrFailed("it is too large to be drawn")
    try:
        pdfium.FPDFBitmap_FillRect(bitmap, 0, 0, across, down, 0xFFFFFFFF)
        pdfium.FPDF_RenderPageBitmap(bitmap, page, 0, 0, across, down, 0, pdfium.FPDF_ANNOT)
        stride = pdfium.FPDFBitmap_GetStride(bitmap)
        pixels = ctypes.string_at(pdfium.FPDFBitmap_GetBuffer(bitmap), stride * down)
    finally:
        pdfium.FPDFBitmap_Destroy(bitmap)
    return Image.frombuffer("L", (across, down), pixels, "raw", "L", stride, 1), 1 / scale


# --- units --------------------------------------------------------------------------------------------------------------------


def _units(pages: Sequence[_Page]) -> list[ParsedUnit]:
    """All units in reading order, with the printed clause numbers of the paragraphs."""
    furniture = _furniture(pages)
    units: list[ParsedUnit] = []
    body: list[ParsedUnit] = []
    runs_on: list[bool] = []
    for page in pages:
        own = _page_units(page, furniture)
        paragraphs_here = [unit for unit in own if "/p[" in unit.path]
        runs_on.extend(number == 0 and _runs_on(body, unit) for number, unit in enumerate(paragraphs_here))
        body.extend(paragraphs_here)
        units.extend(own)
    numbers = clauses([ClauseLine(unit.text, apart=continued) for unit, continued in zip(body, runs_on, strict=True)])
    for unit, number in zip(body, numbers, strict=True):
        unit.label, unit.section = number.label, number.section
    return units


def _page_units(page: _Page, furniture: dict[int, str]) -> list[ParsedUnit]:
    """The units of a page: header, paragraphs, notes, what is hidden, footer. A page number between paragraphs stays there."""
    text = page.text
    if text is None:
        return [*page.recognised, *page.notes]
    counts: Counter[str] = Counter()

    def unit(name: str, words: Paragraph) -> ParsedUnit:
        counts[name] += 1
        flags = () if name == "p" else (name,)
        path = f"page {page.number}/{name}[{counts[name]}]"
        return ParsedUnit(words.text, path, source=page.source, flags=flags, boxes=words.boxes(text))

    kinds = [furniture.get(id(line), "") for line in page.lines]
    out = [unit("header", Paragraph([line])) for line, kind in zip(page.lines, kinds, strict=True) if kind == "header"]
    last = max((n for n, kind in enumerate(kinds) if not kind), default=-1)
    run: list[Line] = []
    for n, (line, kind) in enumerate(zip(page.lines, kinds, strict=True)):
        if not kind:
            run.append(line)
        elif kind == "footer" and n < last:
            out.extend(unit("p", words) for words in paragraphs(run))
            out.append(unit("footer", Paragraph([line])))
            run = []
    out.extend(unit("p", words) for words in paragraphs(run))
    out.extend(page.notes)
    out.extend(unit("hidden", Paragraph([line])) for line in hidden(text))
    out.extend(
        unit("footer", Paragraph([line])) for n, line in enumerate(page.lines) if kinds[n] == "footer" and n > last
    )
    return out


def _runs_on(before: Sequence[ParsedUnit], unit: ParsedUnit) -> bool:
    """Whether the first paragraph of a page goes on with the last one of the page before, so that it begins with no number of its own."""
    if not before:
        return False
    last_line = before[-1].text.rsplit("\n", 1)[-1]
    return not _ENDED.search(last_line) and (unit.text[0].islower() or len(last_line) > _FULL_LINE)


def _furniture(pages: Sequence[_Page]) -> dict[int, str]:
    """Which lines (by identity) are running headers or footers.

    A line among the five highest or lowest of its page is one when the same words, numbers apart, stand at that end of a third of
    the pages and of three at least, or when it is only a page number with clear space to the text.
    """
    edges: list[tuple[_Page, str, list[Line]]] = []
    counts: dict[tuple[str, str], int] = {}
    for page in pages:
        by_height = sorted(page.lines, key=lambda line: -line.top)
        for side, ends in (("header", by_height[:_EDGE]), ("footer", by_height[: -_EDGE - 1 : -1])):
            edges.append((page, side, ends))
            for shape in {_shape(line) for line in ends}:
                counts[side, shape] = counts.get((side, shape), 0) + 1
    with_lines = sum(bool(page.lines) for page in pages)
    enough = 2 if with_lines == 2 else max(3, with_lines / 3)
    found = _numbers_in_sequence(pages)
    for page, side, ends in edges:
        for line in ends:
            shape = _shape(line)
            alone = line.text == str(page.number) or (
                _NUMBERED.fullmatch(shape) is not None and _at_margin(page, line, side)
            )
            repeated = counts[side, shape] >= enough and (with_lines > 2 or _at_margin(page, line, side, 0.08))
            if alone or (repeated and (len(page.lines) > _EDGE or _at_margin(page, line, side))):
                found.setdefault(id(line), side)
            elif id(line) not in found:
                break  # what lies inside a line of the text belongs to the text
    return found


def _numbers_in_sequence(pages: Sequence[_Page]) -> dict[int, str]:
    """Page numbers wherever they stand: lines that are only a number, when three or more in a row count on by one.

    A filing that was paged once as plain text has them in the midst of its PDF pages.
    """
    alone = [line for page in pages for line in page.lines if line.text.strip("-–— ").isdecimal()]
    runs: list[list[Line]] = []
    ending: dict[int, list[int]] = {}  # the runs whose last number is the key, as a heap: a page may be all numbers
    for line in alone:
        value = int(line.text.strip("-–— ")[-9:])
        before = ending.get(value - 1)
        if before:
            run = heappop(before)
            runs[run].append(line)
        else:
            run = len(runs)
            runs.append([line])
        heappush(ending.setdefault(value, []), run)
    return {id(line): "footer" for run in runs if len(run) >= 3 for line in run}


def _shape(line: Line) -> str:
    return " ".join(_DIGITS.sub("0", line.text).lower().split())


def _at_margin(page: _Page, line: Line, side: str, margin: float = 0.15) -> bool:
    height = page.text.height if page.text is not None else 0.0
    return line.bottom > (1 - margin) * height if side == "header" else line.top < margin * height


# --- the account --------------------------------------------------------------------------------------------------------------


def _account(parsed: Parsed, pages: Sequence[_Page], count: int, cut: str) -> None:
    """Say what was not read. A file of which pages are lost or unread is never `read`."""
    unread: dict[str, list[int]] = {}
    for page in pages:
        if page.reason:
            unread.setdefault(page.reason, []).append(page.number)
    if count > len(pages):
        unread["it is beyond the limit of pages"] = list(range(len(pages) + 1, count + 1))
    reasons = [f"{_pages(numbers)}: {reason}" for reason, numbers in unread.items()]
    not_read = sum(len(numbers) for numbers in unread.values())
    units = parsed.views["final"]
    if not_read == count and not units:
        raise Unreadable("; ".join([*([cut] if cut else []), *reasons]), kind="pdf", pages=count)
    if cut and not units:
        raise Unreadable(f"{cut} and nothing in it can be read", kind="pdf", pages=count)
    if reasons or cut:
        parsed.status = "partly_read"
        parsed.reason = "; ".join(
            [*([f"{cut}; {count} could be recovered" if "pages" in cut else cut] if cut else []), *reasons]
        )
    doubtful = [page.number for page in pages if page.confidence is not None and page.confidence < ocr.LOW]
    if doubtful:
        parsed.problems.append(f"{_pages(doubtful)}: recognised by OCR with low confidence")
    scanned = [page for page in pages if page.confidence is not None]
    if scanned:
        parsed.metadata["ocr_pages"] = str(len(scanned))
        mean = sum(page.confidence or 0.0 for page in scanned) / len(scanned)
        parsed.metadata["ocr_confidence"] = f"{mean:.0f}"
    if any("hidden" in unit.flags for unit in units):
        numbers = sorted({int(unit.path.split("/")[0][5:]) for unit in units if "hidden" in unit.flags})
        parsed.problems.append(f"{_pages(numbers)}: text that a reader of the page cannot see")
    blank = [page.number for page in pages if page.blank]
    wordless = [page.number for page in pages if page.wordless]
    if len(blank) + len(wordless) == len(pages):
        parsed.problems.append("no text is on its pages")
    else:
        parsed.problems.extend([f"{_pages(blank)}: blank"] if blank else [])
        parsed.problems.extend([f"{_pages(wordless)}: an image in which no words were recognised"] if wordless else [])


def _pages(numbers: Sequence[int]) -> str:
    """ "page 3" or "pages 3-5, 8"."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][1] + 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    shown = ", ".join(str(low) if low == high else f"{low}-{high}" for low, high in runs[:20])
    more = ", and more" if len(runs) > 20 else ""
    return f"page{'s' if len(numbers) > 1 else ''} {shown}{more}"
