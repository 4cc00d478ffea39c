"""A paper as a PDF: pages with text, or pictures of such pages as a scanner makes them."""

from __future__ import annotations

import io
import random
import unicodedata
from dataclasses import dataclass

import pypdfium2
from PIL import Image, ImageChops

from redwell.bench.generate import render_txt
from redwell.bench.generate.laid import Laid, Numbered, shown
from redwell.bench.generate.papers import Change, Heading, Para, Signatures, Table
from redwell.bench.generate.parts import look
from redwell.bench.generate.pdf_file import TIMES, TIMES_BOLD, PdfFile, string, width

_WIDE, _HIGH = 612.0, 792.0
_MARGIN, _TOP, _BOTTOM = 72.0, 712.0, 72.0
_DPI = (150, 170, 200)
_GRAIN = bytes(238 + (byte & 15) for byte in range(256))
_FONTS = b"/F1 << %s >> /F2 << %s >>" % (TIMES, TIMES_BOLD)


def render(laid: Laid) -> bytes:
    """The file's bytes: text in Times, numbered pages, the title in the running head."""
    rng = look(laid, "pdf")
    layout = _Layout(rng.choice((10.0, 10.5, 11.0)))
    if laid.status:
        layout.text(laid.status.upper(), bold=True)
    layout.text(laid.title, size=layout.size + 5, bold=True, after=14)
    for line in laid.lines:
        _add(layout, line)
    file = PdfFile()
    file.info = b"/Title %s /Author %s" % (string(_plain(laid.title)), string(_plain(laid.author)))
    if laid.day:
        file.info += b" /CreationDate (D:%s090000Z)" % laid.day.strftime("%Y%m%d").encode()
    pages = layout.pages or [[]]
    for number, page in enumerate(pages, 1):
        shown_ = [*page, _Piece(_WIDE / 2 - 24, 40, 9, False, f"Page {number} of {len(pages)}")]
        if number > 1:
            shown_.insert(0, _Piece(_MARGIN, 752, 9, False, _plain(laid.title)[:100]))
        file.page(b"".join(piece.operators() for piece in shown_), b"/Font << %s >>" % _FONTS)
    return file.build()


def scan(laid: Laid) -> bytes:
    """The paper's pages as pictures of some 150 to 200 dots an inch, each a little askew and specked."""
    rng = look(laid, "scan")
    dots = rng.choice(_DPI)
    file = PdfFile()
    file.info = b"/Producer (Scanner)"
    document = pypdfium2.PdfDocument(render(laid))
    try:
        for page in document:
            picture = _scanned(page.render(scale=dots / 72, grayscale=True).to_pil(), rng)
            data = io.BytesIO()
            picture.save(data, "JPEG", quality=62)
            entries = b"/Type /XObject /Subtype /Image /ColorSpace /DeviceGray /BitsPerComponent 8 /Width %d /Height %d /Filter /DCTDecode"
            image = file.stream(data.getvalue(), entries % picture.size)
            file.page(b"q 612 0 0 792 0 0 cm /Im0 Do Q", b"/XObject << /Im0 %d 0 R >>" % image)
    finally:
        document.close()
    return file.build()


def _scanned(page: Image.Image, rng: random.Random) -> Image.Image:
    """The page as it comes out of a scanner: turned by up to half a degree, greyish, with grain and a few specks."""
    page = page.convert("L").rotate(rng.uniform(-0.5, 0.5), Image.Resampling.BILINEAR, fillcolor=252)
    tile = Image.frombytes("L", (256, 256), rng.randbytes(256 * 256).translate(_GRAIN))
    grain = Image.new("L", page.size)
    for left in range(0, page.width, 256):
        for top in range(0, page.height, 256):
            grain.paste(tile, (left, top))
    for _ in range(rng.randrange(4, 16)):
        x, y = rng.randrange(page.width), rng.randrange(page.height)
        grain.paste(rng.randrange(90, 200), (x, y, x + rng.randrange(1, 3), y + rng.randrange(1, 3)))
    return ImageChops.multiply(page, grain)


@dataclass(frozen=True, slots=True)
class _Piece:
    """A text with its foot at (x, y)."""

    x: float
    y: float
    size: float
    bold: bool
    text: str

    def operators(self) -> bytes:
        head = f"BT /{'F2' if self.bold else 'F1'} {self.size:g} Tf {self.x:.1f} {self.y:.1f} Td "
        return head.encode() + string(self.text) + b" Tj ET\n"


class _Layout:
    """Pages being filled from the top."""

    def __init__(self, size: float) -> None:
        self.size = size
        self.pages: list[list[_Piece]] = []
        self.y = 0.0

    def room(self, height: float) -> None:
        """Begins a page when so many points are not left on this one."""
        if not self.pages or self.y - height < _BOTTOM:
            self.pages.append([])
            self.y = _TOP

    def text(self, text: str, *, size: float = 0, bold: bool = False, left: float = 0, after: float = 6) -> None:
        """A paragraph."""
        size = size or self.size
        step = size * 1.25
        for line in _wrapped(_plain(text), size * (1.06 if bold else 1), _WIDE - 2 * _MARGIN - left):
            self.room(step)
            self.y -= step
            self.pages[-1].append(_Piece(_MARGIN + left, self.y, size, bold, line))
        self.y -= after

    def row(self, cells: list[str], places: list[float], size: float, *, bold: bool, right: list[float]) -> None:
        """A row of a table: each cell at its place, or ending at its right edge when that is not 0."""
        self.room(size * 1.5)
        self.y -= size * 1.5
        for text, place, edge in zip(cells, places, right, strict=False):
            if text:
                x = edge - width(text, size) if edge else place
                self.pages[-1].append(_Piece(x, self.y, size, bold, text))


def _add(layout: _Layout, line: object) -> None:
    match line:
        case Heading(text):
            layout.room(60)
            layout.text(text, size=layout.size + 2, bold=True)
        case Para(text):
            layout.text(text)
        case Numbered():
            layout.text(render_txt.clause(line))
            for label, text in line.sub:
                layout.text(f"{label} {text}", left=28, after=4)
        case Change():
            layout.text(line.lead + line.after + line.tail)
        case Table():
            _table(layout, line)
        case Signatures():
            for lines in render_txt.signatures(line):
                layout.room(layout.size * 1.25 * 6)
                for text in lines:
                    layout.text(text, after=2)
                layout.y -= 12


def _table(layout: _Layout, table: Table) -> None:
    """In columns when each cell fits on a line; otherwise its rows as lines of text, so that no cell is torn apart."""
    if table.caption:
        layout.text(table.caption, bold=True)
    rows = [[_plain(text) for text in table.header]] if table.header else []
    rows += [[_plain(shown(cell)) for cell in row.cells] for row in table.rows]
    columns = max(map(len, rows), default=0)
    gap = 14.0
    for size in (layout.size - 1, 8.0, 7.0):
        need = [max(width(row[at], size) * 1.06 if at < len(row) else 0 for row in rows) for at in range(columns)]
        if sum(need) + gap * (columns - 1) <= _WIDE - 2 * _MARGIN:
            break
    else:
        for row in rows:
            layout.text(" | ".join(row), size=layout.size - 1, after=3)
        layout.y -= 8
        return
    places = [_MARGIN + sum(need[:at]) + gap * at for at in range(columns)]
    number = [
        all(isinstance(row.cells[at], int | float | None) for row in table.rows if at < len(row.cells))
        and bool(table.rows)
        for at in range(columns)
    ]
    right = [place + wide if is_number else 0.0 for place, wide, is_number in zip(places, need, number, strict=True)]
    for at, row in enumerate(rows):
        layout.row(row, places, size, bold=at == 0 and bool(table.header), right=right)
    layout.y -= 14


def _wrapped(text: str, size: float, wide: float) -> list[str]:
    lines: list[str] = []
    now, used = "", 0.0
    space = width(" ", size)
    for word in text.split(" "):
        need = width(word, size)
        if now and used + space + need > wide:
            lines.append(now)
            now, used = word, need
        else:
            now, used = (f"{now} {word}", used + space + need) if now else (word, need)
    return [*lines, now]


def _plain(text: str) -> str:
    """The text in the letters that the standard fonts have: others lose their accents."""
    text = " ".join(text.split())
    if text.isascii():
        return text
    return "".join(
        letter
        if letter.encode("cp1252", "ignore")
        else unicodedata.normalize("NFKD", letter).encode("ascii", "ignore").decode() or "?"
        for letter in text
    )
