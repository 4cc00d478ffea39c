"""A small writer of PDF syntax: objects, pages and the table that finds them."""

from __future__ import annotations

import zlib
from dataclasses import dataclass, field
from functools import lru_cache

TIMES = b"/Type /Font /Subtype /Type1 /BaseFont /Times-Roman /Encoding /WinAnsiEncoding"
TIMES_BOLD = TIMES.replace(b"Times-Roman", b"Times-Bold")
WIDTHS = (
    "250 333 408 500 500 833 778 180 333 333 500 564 250 333 250 278 500 500 500 500 500 500 500 500 500 500 278 278 564 564 564 444 "
    "921 722 667 667 722 611 556 722 722 333 389 722 611 889 722 722 556 722 667 556 611 722 722 944 722 722 611 333 278 333 469 500 "
    "333 444 500 444 500 444 333 500 500 278 278 500 278 778 500 500 500 500 333 389 278 500 500 722 500 500 444 480 200 480 541"
)
"""Of Times-Roman's letters from the space to the tilde, in thousandths of the size (Adobe's metrics of the standard fonts)."""
_WIDTH = dict(zip(range(32, 127), map(int, WIDTHS.split()), strict=True)) | {
    ord("’"): 333,
    ord("‘"): 333,
    ord("“"): 444,
    ord("”"): 444,
    ord("–"): 500,
    ord("—"): 1000,
}


def width(text: str, size: float) -> float:
    """How wide a text is in Times-Roman, in points."""
    return _units(text) * size / 1000


@lru_cache(maxsize=20_000)
def _units(text: str) -> int:
    return sum(_WIDTH.get(ord(letter), 600) for letter in text)


def string(text: str) -> bytes:
    """A text as the operand of an operator; letters that the encoding lacks become question marks."""
    raw = text.encode("cp1252", "replace")
    return b"(" + raw.replace(b"\\", b"\\\\").replace(b"(", b"\\(").replace(b")", b"\\)") + b")"


@dataclass
class PdfFile:
    """Objects and pages being gathered into a file. Numbers 1 and 2 are the catalog and the page tree."""

    objects: list[bytes] = field(default_factory=lambda: [b"", b""])
    pages: list[int] = field(default_factory=list)
    info: bytes = b""

    def add(self, body: bytes) -> int:
        """Adds an object; gives its number."""
        self.objects.append(body)
        return len(self.objects)

    def stream(self, data: bytes, entries: bytes = b"", *, packed: bool = False) -> int:
        """Adds a stream, deflated when `packed`."""
        if packed:
            data, entries = zlib.compress(data), entries + b" /Filter /FlateDecode"
        return self.add(b"<< /Length %d %s >>\nstream\n" % (len(data), entries) + data + b"\nendstream")

    def page(
        self, content: bytes, resources: bytes, *, box: str = "0 0 612 792", entries: bytes = b"", packed: bool = True
    ) -> int:
        """Adds a page that shows `content`; `entries` may be annotations, a rotation or a crop."""
        stream = self.stream(content, packed=packed)
        body = b"<< /Type /Page /Parent 2 0 R /MediaBox [%s] /Contents %d 0 R /Resources << %s >> %s >>"
        self.pages.append(self.add(body % (box.encode(), stream, resources, entries)))
        return self.pages[-1]

    def build(self) -> bytes:
        """The file."""
        kids = b" ".join(b"%d 0 R" % number for number in self.pages)
        objects = list(self.objects)
        objects[0] = b"<< /Type /Catalog /Pages 2 0 R >>"
        objects[1] = b"<< /Type /Pages /Kids [%s] /Count %d >>" % (kids, len(self.pages))
        trailer = b"/Root 1 0 R"
        if self.info:
            objects.append(b"<< %s >>" % self.info)
            trailer += b" /Info %d 0 R" % len(objects)
        return assembled(objects, trailer)


def assembled(objects: list[bytes], trailer: bytes) -> bytes:
    """A file of these objects, numbered from 1; `trailer` names the root."""
    parts = [b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n"]
    at, places = len(parts[0]), []
    for number, body in enumerate(objects, 1):
        places.append(at)
        parts.append(b"%d 0 obj\n" % number + body + b"\nendobj\n")
        at += len(parts[-1])
    parts.append(b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1))
    parts += [b"%010d 00000 n \n" % place for place in places]
    return b"".join(parts) + b"trailer\n<< /Size %d %s >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, trailer, at)
