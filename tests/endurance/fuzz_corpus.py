"""What is mutated: files of every kind that a reader exists for, made by the tests' builders, of the demo room and of real contracts."""

from __future__ import annotations

import gzip
import io
import struct
import tarfile
import zipfile
from dataclasses import dataclass
from pathlib import Path

from redwell.room.formats import ole
from redwell.room.formats.detect import detect
from tests.room import dirty_room
from tests.room.office_files import changed, outlook_message
from tests.room.pdf_builder import FONTS, Pdf, paragraph, text

ROOT = Path(__file__).resolve().parents[2]
LARGEST = 200_000
"""Larger files are left out: a mutation of a small one says as much, and many more of them fit into a minute."""
TURNS = {
    "docx": 8,
    "xlsx": 8,
    "pptx": 6,
    "pdf": 10,
    "msg": 6,
    "eml": 6,
    "html": 6,
    "txt": 3,
    "csv": 3,
    "md": 2,
    "zip": 3,
    "tar": 2,
    "gz": 1,
    "image": 6,
    "scan": 2,
    "rtf": 1,
    "doc": 1,
    "xls": 1,
    "odt": 1,
}
"""How often each kind has its turn in a round."""
PROGRAMS = ("image", "scan", "rtf", "doc", "xls", "odt")
"""Kinds for which a worker starts a program (OCR, LibreOffice): a file of these takes seconds. A scan is a PDF read with OCR."""
_TEXT = (
    "1. Term. This Agreement shall continue for three (3) years from the Effective Date – unless terminated earlier.\n"
    "(a) Either party may terminate on 30 days’ notice.\n\n2. Gebühren und Kosten: 12.500,00 € je Quartal.\n" * 8
)
_ENCODINGS = (
    "utf-8-sig",
    "utf-16",
    "utf-16-le",
    "utf-16-be",
    "utf-32",
    "cp1252",
    "cp1251",
    "latin-1",
    "mac-roman",
    "utf-7",
)
_HTML = (
    "<!doctype html><html><head><title>Notice</title><style>.h{display:none} p{color:#fff}</style></head><body>"
    "<h1>Notice</h1><p style='font-size:0'>hidden</p><div class=h>gone</div><ol start=3 type=a><li>one<li>two"
    "<ol><li>in</ol></ol><table border=1><tr><th rowspan=2 colspan=3>Fee<td>1</tr><tr><td>2<td>3</table>"
    "<pre>a\n b</pre><a href='https://x.test/'>x</a>&nbsp;&#8217;&#x110000;<br><p>end</body></html>"
)


@dataclass(frozen=True, slots=True)
class Base:
    """A whole file that mutations start from."""

    kind: str
    name: str
    data: bytes


def corpus(*, real: bool) -> dict[str, list[Base]]:
    """Files by kind. With `real`, those of the demo room and of the folder beside the repository too, where they are there."""
    found: dict[str, list[Base]] = {kind: [] for kind in TURNS}
    for name, data in (*_built(), *(_real() if real else ())):
        kind = detect(data, name)
        if kind == "bz2" or kind == "xz":
            kind = "gz"
        if kind == "pdf" and "scans/" in name:
            kind = "scan"
        if kind in found and len(data) <= LARGEST:
            found[kind].append(Base(kind, name, data))
    return {kind: bases for kind, bases in found.items() if bases}


def _built() -> list[tuple[str, bytes]]:
    files = [
        (file.path.decode("utf-8", "replace"), file.data)
        for file in (*dirty_room.ordinary(), *dirty_room.scans(ocr=True))
    ]
    files += [(f"{encoding}.txt", _TEXT.encode(encoding, "replace")) for encoding in _ENCODINGS]
    files += [("page.html", _HTML.encode()), ("page16.html", _HTML.encode("utf-16"))]
    files += [("list.csv", b'Name;Fee;"Note"\n' + b'"A ""B"" Co";1.200,50;"two\nlines"\n' * 20)]
    files += [
        ("notes.md", b"# Notes\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n- one\n  - two\n\n```\ncode\n```\n> quoted\n" * 5)
    ]
    files += [
        ("memo.rtf", rb"{\rtf1\ansi\deff0{\fonttbl{\f0 Arial;}}\f0\fs24 Either party\par may assign \'fc\u8217?.\par}")
    ]
    files.append(("papers.tar", _tar()))
    files.append(("papers.tar.gz", gzip.compress(_tar(), mtime=0)))
    files.append(("open.odt", _open_document()))
    files.append(("old.doc", ole.write({"WordDocument": b"\xec\xa5\xc1\x00" + bytes(4_200), "1Table": bytes(600)})))
    files.append(("old.xls", ole.write({"Workbook": bytes.fromhex("0908100000060500bb0dcc07") + bytes(5_000)})))
    files.append(("mail.msg", ole.write(_message())))
    files.append(("form.pdf", _form()))
    return files


def _message() -> dict[str, object]:
    """A message with a text, a compressed text, HTML, recipients, a file and another message."""
    inner = outlook_message({0x0037: "Inner", 0x1000: "Inner words"})
    packed = struct.pack("<IIII", 4 + 12 + 20, 20, 0x414C454D, 0) + b"{\\rtf1 Fee of 5 pct}"
    return outlook_message(
        {0x0037: "Offer", 0x1000: "We offer.\r\nRegards", 0x0C1A: "Ann Lee", 0x0C1F: "ann@x.test"},
        binary={0x1009: packed, 0x1013: b"<html><body><p>We offer.</body></html>"},
        fixed={0x0039: struct.pack("<Q", 133_000_000_000_000_000), 0x3FDE: struct.pack("<Q", 65_001)},
        recipients=[(1, "Bo", "bo@x.test"), (2, "Cy", "cy@x.test")],
        attachments=[
            {"text": {0x3707: "terms.txt"}, "data": b"Term: 3 years"},
            {"text": {0x3001: "Inner"}, "message": inner},
        ],
    )


def _form() -> bytes:
    """Pages with packed content, a form object, a field, a note, a link, an attachment and a turned page."""
    file = Pdf(info=b"/Title (Lease) /CreationDate (D:20240101000000Z)")
    note = file.add(b"<< /Type /Annot /Subtype /Text /Rect [50 50 70 70] /Contents (check this) /T (Ann) >>")
    link = file.add(b"<< /Type /Annot /Subtype /Link /Rect [50 500 90 520] /A << /S /URI /URI (https://x.test) >> >>")
    name = file.add(b"<< /Type /Annot /Subtype /Widget /FT /Tx /T (tenant) /V (Acme Co) /Rect [90 90 200 110] >>")
    form = file.stream(
        text(0, 0, "within a form"),
        b"/Type /XObject /Subtype /Form /BBox [0 0 400 40] /Resources << /Font << %s >> >>" % FONTS,
    )
    for turned in (b"", b"/Rotate 90"):
        content = (
            paragraph(72, 700, ["Lease of the plant.", "Rent is 5,000 a month."])
            + text(72, 400, "unseen", before="3 Tr")
            + b"/Fm0 Do"
        )
        entries = b"/Annots [%d 0 R %d 0 R %d 0 R] " % (note, link, name) + turned
        file.page(content, entries=entries, resources=b"/XObject << /Fm0 %d 0 R >>" % form, packed=True)
    held = file.stream(b"Term: 3 years", b"/Type /EmbeddedFile")
    entry = file.add(b"<< /Type /Filespec /F (terms.txt) /EF << /F %d 0 R >> >>" % held)
    file.catalog = b"/AcroForm << /Fields [%d 0 R] >> /Names << /EmbeddedFiles << /Names [(a) %d 0 R] >> >>" % (
        name,
        entry,
    )
    return file.build()


def _tar() -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for name in ("a/terms.txt", "b/" + "long " * 30 + "näme.txt", "c.txt"):
            entry = tarfile.TarInfo(name)
            entry.size = len(_TEXT.encode())
            archive.addfile(entry, io.BytesIO(_TEXT.encode()))
    return out.getvalue()


def _open_document() -> bytes:
    out = io.BytesIO()
    office = "urn:oasis:names:tc:opendocument:xmlns:"
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.text")
        archive.writestr(
            "META-INF/manifest.xml",
            f'<m:manifest xmlns:m="{office}manifest:1.0"><m:file-entry m:full-path="/" m:media-type='
            '"application/vnd.oasis.opendocument.text"/><m:file-entry m:full-path="content.xml" m:media-type="text/xml"/></m:manifest>',
        )
        archive.writestr(
            "content.xml",
            f'<o:document-content xmlns:o="{office}office:1.0" xmlns:t="{office}text:1.0" o:version="1.2"><o:body><o:text>'
            "<t:p>Either party may assign.</t:p></o:text></o:body></o:document-content>",
        )
    return changed(out.getvalue(), {})


def _real() -> list[tuple[str, bytes]]:
    shared = ROOT.parent / "shared" / "data"
    folders = [
        ROOT / "examples" / "demo_room",
        shared / "templates",
        shared / "rooms",
        shared / "cuad" / "pdf",
        shared / "lab_format",
    ]
    paths = sorted(path for folder in folders if folder.is_dir() for path in folder.rglob("*") if path.is_file())
    return [(path.name, path.read_bytes()) for path in paths if path.stat().st_size <= LARGEST]
