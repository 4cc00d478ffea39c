"""A small writer of PDF syntax, so that tests know every byte of what they read."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass

from PIL import Image

from redwell.bench.generate.pdf_file import PdfFile, assembled

_PADDING = bytes.fromhex("28BF4E5E4E758A4164004E56FFFA01082E2E00B6D0683E802F0CA9FE6453697A")
FONTS = b"/F1 << /Type /Font /Subtype /Type1 /BaseFont /Courier /Encoding /WinAnsiEncoding >>"


def text(x: float, y: float, string: str | bytes, *, size: float = 12, font: str = "F1", before: str = "") -> bytes:
    """Content that shows one string with its foot at (x, y); Courier's letters are 0.6 of the size wide. `before`: operators."""
    raw = string.encode("cp1252") if isinstance(string, str) else string
    escaped = re.sub(rb"([\\()])", rb"\\\1", raw)
    return f"q {before} BT /{font} {size} Tf {x} {y} Td (".encode() + escaped + b") Tj ET Q\n"


def paragraph(x: float, y: float, lines: list[str], *, size: float = 12, step: float = 14) -> bytes:
    return b"".join(text(x, y - step * number, line, size=size) for number, line in enumerate(lines))


def rectangle(x: float, y: float, width: float, height: float, colour: str) -> bytes:
    return f"q {colour} rg {x} {y} {width} {height} re f Q\n".encode()


@dataclass
class Pdf(PdfFile):
    """A file that may say what is not so. Numbers 1 and 2 are the catalog and the page tree."""

    catalog: bytes = b""

    def image(self, image: Image.Image) -> int:
        grey = image.convert("L")
        entries = b"/Type /XObject /Subtype /Image /ColorSpace /DeviceGray /BitsPerComponent 8 /Width %d /Height %d"
        return self.stream(grey.tobytes(), entries % grey.size, packed=True)

    def page(
        self,
        content: bytes = b"",
        *,
        box: str = "0 0 612 792",
        entries: bytes = b"",
        fonts: bytes = FONTS,
        resources: bytes = b"",
        packed: bool = False,
    ) -> int:
        """A page; `resources` may name images, `entries` annotations, a rotation or a crop."""
        named = b"/Font << %s >> %s" % (fonts, resources)
        return super().page(content, named, box=box, entries=entries, packed=packed)

    def scan(self, image: Image.Image, over: bytes = b"", under: bytes = b"") -> int:
        """A page that an image fills, with content laid over and under it."""
        number = self.image(image)
        content = under + b"q 612 0 0 792 0 0 cm /Im0 Do Q\n" + over
        return self.page(content, resources=b"/XObject << /Im0 %d 0 R >>" % number)

    def build(
        self, *, count: int | None = None, tree: bytes | None = None, password: tuple[bytes, bytes] | None = None
    ) -> bytes:
        """The file. `count` and `tree` replace what the page tree truly says; `password` is (user's, owner's)."""
        kids = b" ".join(b"%d 0 R" % number for number in self.pages)
        objects = list(self.objects)
        objects[0] = b"<< /Type /Catalog /Pages 2 0 R %s >>" % self.catalog
        objects[1] = tree or b"<< /Type /Pages /Kids [%s] /Count %d >>" % (
            kids,
            len(self.pages) if count is None else count,
        )
        trailer = b"/Root 1 0 R"
        if self.info:
            objects.append(b"<< %s >>" % self.info)
            trailer += b" /Info %d 0 R" % len(objects)
        if password is not None:
            entries, key = _lock(*password)
            objects = [_encrypted(body, number, key) for number, body in enumerate(objects, 1)]
            objects.append(entries)
            trailer += b" /Encrypt %d 0 R /ID [<%s> <%s>]" % (len(objects), _ID.hex().encode(), _ID.hex().encode())
        return assembled(objects, trailer)


# --- the standard security handler, revision 2 (RC4, 40 bits) -----------------------------------------------------------------

_ID = bytes(range(16))


def _rc4(key: bytes, data: bytes) -> bytes:
    state = list(range(256))
    j = 0
    for i in range(256):
        j = (j + state[i] + key[i % len(key)]) % 256
        state[i], state[j] = state[j], state[i]
    out = bytearray()
    i = j = 0
    for byte in data:
        i = (i + 1) % 256
        j = (j + state[i]) % 256
        state[i], state[j] = state[j], state[i]
        out.append(byte ^ state[(state[i] + state[j]) % 256])
    return bytes(out)


def _lock(user: bytes, owner: bytes) -> tuple[bytes, bytes]:
    def padded(password: bytes) -> bytes:
        return (password + _PADDING)[:32]

    owner_entry = _rc4(hashlib.md5(padded(owner)).digest()[:5], padded(user))
    permissions = (-44).to_bytes(4, "little", signed=True)
    key = hashlib.md5(padded(user) + owner_entry + permissions + _ID).digest()[:5]
    entries = b"<< /Filter /Standard /V 1 /R 2 /O <%s> /U <%s> /P -44 >>"
    return entries % (owner_entry.hex().encode(), _rc4(key, _PADDING).hex().encode()), key


def _encrypted(body: bytes, number: int, key: bytes) -> bytes:
    """An object with its stream encrypted; its strings are left out, since pages need none."""
    match = re.match(rb"(.*?\nstream\n)(.*)(\nendstream)$", body, re.DOTALL)
    if not match:
        return body
    own = hashlib.md5(key + number.to_bytes(3, "little") + b"\0\0").digest()[:10]
    return match[1] + _rc4(own, match[2]) + match[3]
