"""A dirty room: every kind of file that a seller's data room holds, and what hostile or careless hands put among them.

Each file says beside its bytes what must come of it: its status, a part of the reason (as a pattern), and words that its text must
hold.
"""

from __future__ import annotations

import io
import os
import socket
import stat
import struct
import unicodedata
import warnings
import zipfile
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from email.message import EmailMessage
from pathlib import Path
from typing import Any

from PIL import Image

from redwell.room.formats import ole
from redwell.room.types import ReadStatus
from tests.room import docx_builder as word
from tests.room.docx_builder import NAMESPACES
from tests.room.office_files import (
    SHEET_NS,
    changed,
    msg_bytes,
    outlook_message,
    presentation,
    raw_workbook,
    workbook,
    zipped,
)
from tests.room.pdf_builder import Pdf, paragraph, text

OUTSIDE = "MARKER-7F3A stands beside the room and must never be read."


@dataclass(frozen=True, slots=True)
class File:
    """A file of the room and what must come of it. `shown` is its path as the room prints it."""

    path: bytes
    data: bytes
    status: ReadStatus = "read"
    reason: str = ""
    words: tuple[str, ...] = ()
    kind: str = ""

    @property
    def shown(self) -> str:
        return self.path.decode("utf-8", "backslashreplace")


@dataclass(frozen=True, slots=True)
class Inside:
    """A path inside a file (attachment, member) and what must come of it."""

    path: str
    status: ReadStatus = "read"
    reason: str = ""
    words: tuple[str, ...] = ()


def good(path: str, data: bytes, *words: str, kind: str = "") -> File:
    return File(path.encode(), data, "read", "", words, kind)


def bad(path: str, data: bytes, reason: str, kind: str = "") -> File:
    return File(path.encode(), data, "unreadable", reason, (), kind)


def partly(path: str, data: bytes, reason: str, *words: str) -> File:
    return File(path.encode(), data, "partly_read", reason, words)


def passed_over(path: str, data: bytes, reason: str) -> File:
    return File(path.encode(), data, "skipped", reason)


# --- ordinary files -----------------------------------------------------------------------------------------------------------


def native_pdf(*lines: str, **build: Any) -> bytes:
    pdf = Pdf()
    for line in lines or ("The Landlord lets the premises at 12 High Street.",):
        pdf.page(paragraph(72, 700, [line, "Both parties signed this on 1 March 2024."]))
    return pdf.build(**build)


def scanned_pdf(*, with_text: bool = False) -> bytes:
    """A page that is an image without letters on it; before it, when asked, a page of text."""
    pdf = Pdf()
    if with_text:
        pdf.page(paragraph(72, 700, ["The first page of the annex has a text layer.", "The second is a scan."]))
    image = pdf.image(Image.new("L", (144, 144), 255))
    pdf.page(b"q 144 0 0 144 0 0 cm /Im0 Do Q", box="0 0 144 144", resources=b"/XObject << /Im0 %d 0 R >>" % image)
    return pdf.build()


def changed_docx() -> bytes:
    return word.docx(
        word.p("The cap is ", word.deleted("one"), word.ins("two"), " million dollars.")
        + word.p(word.r("The secret side letter.", "<w:vanish/>"))
    )


def hidden_xlsx() -> bytes:
    def fill(book: Any) -> None:
        for name, words in (
            ("Rent roll", "Meridian"),
            ("Side deals", "Undisclosed rebate"),
            ("Deep", "Very hidden loan"),
        ):
            book.add_worksheet(name).write_row("A1", [words, 1200])
        book.get_worksheet_by_name("Side deals").hide()
        book.get_worksheet_by_name("Deep").very_hidden()

    return workbook(fill)


def deck() -> bytes:
    def fill(slides: Any) -> None:
        slides.slides.add_slide(slides.slide_layouts[5]).shapes.title.text = "Churn doubled in March"

    return presentation(fill)


def mail(subject: str, body: str, *attachments: tuple[str, bytes], message: EmailMessage | None = None) -> EmailMessage:
    made = EmailMessage()
    made["From"], made["To"] = "Ann Lee <ann@x.example>", "Bob Ray <bob@y.example>"
    made["Date"], made["Subject"] = "Tue, 31 Mar 2026 09:30:00 +0200", subject
    made["Message-ID"] = f"<{len(subject)}@x.example>"
    made.set_content(body)
    for name, data in attachments:
        made.add_attachment(data, maintype="application", subtype="octet-stream", filename=name)
    if message is not None:
        made.add_attachment(message)
    return made


def outlook() -> bytes:
    inner = outlook_message({0x0037: "Re: waiver", 0x1000: "The waiver was never signed."}, header=24)
    return msg_bytes(
        outlook_message(
            {0x0037: "Waiver", 0x1000: "See the attached chain.", 0x0C1A: "Ann Lee"},
            attachments=[
                {"text": {0x3707: "schedule.csv"}, "data": b"Item,Price\nDesk,400\n"},
                {"text": {0x3707: "papers.zip"}, "data": zipped({"deed.txt": "The deed in the Outlook message."})},
                {"text": {0x3001: "Re: waiver"}, "message": inner},
            ],
        )
    )


def picture(kind: str, **options: Any) -> bytes:
    stream = io.BytesIO()
    Image.new("L", (200, 100), 255).save(stream, kind, **options)
    return stream.getvalue()


def ordinary() -> list[File]:
    """One of each kind of file, well made; some under a wrong name."""
    euro = "Der Kaufpreis beträgt 5 000 €; fällig am 1. März."
    three = zipped({"two/inner.zip": zipped({"one.zip": zipped({"deed.txt": "The deed three archives deep."})})})
    chain = mail("Fwd: rent", "See below.", ("lease copy.pdf", native_pdf("The copy in the mail.")),
                 ("papers.zip", zipped({"side letter.txt": "The side letter in the zip in the mail."})),
                 message=mail("rent", "The rent falls due quarterly."))  # fmt: skip
    return [
        good("1 leases/lease.pdf", native_pdf(), "12 High Street", kind="pdf"),
        good("1 leases/lease without extension", native_pdf("A lease whose name has no extension."), "no extension", kind="pdf"),
        good("1 leases/named.docx", native_pdf("A PDF under the name of a Word file."), "under the name", kind="pdf"),
        good("1 leases/owner.pdf", native_pdf("Printing is forbidden.", password=(b"", b"boss")), "Printing is forbidden"),
        bad("1 leases/locked.pdf", native_pdf(password=(b"secret", b"boss")), "protected by a password", kind="pdf"),
        partly("1 leases/cut.pdf", native_pdf("First page.", "Second page.")[:-14], "the file is cut short", "First page"),
        bad("1 leases/stub.pdf", native_pdf()[:200], "damaged", kind="pdf"),
        good("2 agreements/redline.docx", changed_docx(), "two million", "secret side letter", kind="docx"),
        good("2 agreements/named.pdf", word.docx(word.p("A Word file named .pdf")), "Word file named", kind="docx"),
        good("2 agreements/web page.doc", b"<html><body><p>An HTML page named .doc</p></body></html>", "named .doc", kind="html"),
        good("3 finance/rent roll.xlsx", hidden_xlsx(), "Meridian", "Undisclosed rebate", "Very hidden loan", kind="xlsx"),
        good("3 finance/deck.pptx", deck(), "Churn doubled in March", kind="pptx"),
        good("3 finance/book.csv", "Tenant,Rent\nMüller,900\n".encode("utf-16"), "Müller | 900", kind="csv"),
        good("3 finance/book 2.csv", "Tenant;Rent\nMüller;900\n".encode("cp1252"), "Müller | 900", kind="csv"),
        good("4 mail/chain.eml", chain.as_bytes(), "See below.", kind="eml"),
        good("4 mail/waiver.msg", outlook(), "See the attached chain.", kind="msg"),
        good("5 other/page.html", b"<h1>Notice</h1><p>You are in breach.<p style='display:none'>unseen", "in breach", "unseen"),
        good("5 other/utf-8.txt", euro.encode(), euro, kind="txt"),
        good("5 other/bom.txt", b"\xef\xbb\xbf" + euro.encode(), euro, kind="txt"),
        good("5 other/utf-16-le.txt", euro.encode("utf-16"), euro, kind="txt"),
        good("5 other/utf-16-be.txt", b"\xfe\xff" + euro.encode("utf-16-be"), euro, kind="txt"),
        good("5 other/utf-16 bare.txt", euro.encode("utf-16-le"), euro, kind="txt"),
        good("5 other/cp1252.txt", euro.encode("cp1252"), euro, kind="txt"),
        good("5 other/notes.md", b"# Notes\n\nThe *draft* is stale.\n", "stale", kind="md"),
        good("5 other/three.zip", three, kind="zip"),
        good("same/name.txt", b"The same name in the first folder.", "first folder"),
        good("again/name.txt", b"The same name in the second folder.", "second folder"),
        good("same/twin.txt", b"The same bytes at two paths.", "same bytes"),
        good("again/copy of twin.txt", b"The same bytes at two paths.", "same bytes"),
        passed_over("junk/empty.docx", b"", "empty"),
        passed_over("junk/~$lease.docx", b"\x07Ann Lee" + bytes(150), "lock file"),
        passed_over("junk/Thumbs.db", ole.MAGIC + bytes(600), "not a document"),
        passed_over("junk/.DS_Store", b"\0\0\0\x01Bud1" + bytes(60), "not a document"),
        passed_over("junk/__MACOSX/lease.pdf", b"\0\x05\x16\x07" + bytes(60), "Macintosh"),
        passed_over("junk/._lease.pdf", b"\0\x05\x16\x07" + bytes(60), "Macintosh"),
    ]  # fmt: skip


INSIDE = [
    Inside("4 mail/chain.eml!/lease copy.pdf", words=("The copy in the mail.",)),
    Inside("4 mail/chain.eml!/papers.zip"),
    Inside("4 mail/chain.eml!/papers.zip!/side letter.txt", words=("zip in the mail",)),
    Inside("4 mail/chain.eml!/rent.eml", words=("falls due quarterly",)),
    Inside("4 mail/waiver.msg!/schedule.csv", words=("Desk | 400",)),
    Inside("4 mail/waiver.msg!/papers.zip"),
    Inside("4 mail/waiver.msg!/papers.zip!/deed.txt", words=("deed in the Outlook message",)),
    Inside("4 mail/waiver.msg!/Re: waiver.msg", words=("The waiver was never signed.",)),
    Inside("5 other/three.zip!/two/inner.zip"),
    Inside("5 other/three.zip!/two/inner.zip!/one.zip"),
    Inside("5 other/three.zip!/two/inner.zip!/one.zip!/deed.txt", words=("three archives deep",)),
    Inside("bad/slip.zip!/escaped.txt", words=("climbs out",)),
    Inside("bad/slip.zip!/etc/absolute.txt", words=("absolute name",)),
    Inside("bad/slip.zip!/Windows/drive.txt", words=("drive letter",)),
    Inside("bad/slip.zip!/link.txt", "skipped", "link"),
    Inside("bad/slip.zip!/__MACOSX/._a.txt", "skipped", "Macintosh"),
    Inside("bad/slip.zip!/Thumbs.db", "skipped", "not a document"),
    Inside("bad/slip.zip!/empty.txt", "skipped", "empty"),
    Inside("bad/part locked.zip!/open.txt", words=("open member",)),
    Inside("bad/part locked.zip!/locked.txt", "unreadable", "password"),
    Inside("bad/bomb.zip!/bomb.txt", "unreadable", "zip bomb"),
    Inside("bad/bomb.zip!/beside.txt", words=("beside the bomb",)),
]


def scans(ocr: bool) -> list[File]:
    """What needs OCR, which not every machine has: images without words are read there and unread elsewhere."""
    files = [("scan.pdf", scanned_pdf()), ("picture.png", picture("PNG")), ("photo.jpg", picture("JPEG")),
             ("fax.tif", picture("TIFF", save_all=True, append_images=[Image.new("L", (200, 100), 250)])),
             ("picture of no extension", picture("GIF"))]  # fmt: skip
    made = [
        good(f"6 scans/{name}", data) if ocr else bad(f"6 scans/{name}", data, "no OCR engine") for name, data in files
    ]
    mixed = scanned_pdf(with_text=True)
    if ocr:
        return [*made, good("6 scans/mixed.pdf", mixed, "has a text layer")]
    return [*made, partly("6 scans/mixed.pdf", mixed, "page 2: it has no text layer", "has a text layer")]


# --- hostile files ------------------------------------------------------------------------------------------------------------

LAUGHS = (
    '<!DOCTYPE d [<!ENTITY a "ha">'
    + "".join(f'<!ENTITY {b} "{f"&{a};" * 10}">' for a, b in zip("abcdefgh", "bcdefghi", strict=True))
    + "]>"
)
DEEP = 20_000


def xxe(outside: Path) -> str:
    return f'<!DOCTYPE d [<!ENTITY x SYSTEM "{outside.as_uri()}">]>'


def poisoned_docx(doctype: str, entity: str) -> bytes:
    body = f"<?xml version='1.0'?>{doctype}<w:document {NAMESPACES}><w:body><w:p><w:r><w:t>&{entity};</w:t></w:r></w:p></w:body></w:document>"
    return word.zipped(word.parts("") | {"word/document.xml": body})


def poisoned_xlsx(doctype: str, entity: str) -> bytes:
    plain = raw_workbook(
        '<sheetData><row r="1"><c r="A1" t="s"><v>0</v></c></row></sheetData>', strings=["<t>kept</t>"]
    )
    sheet = f"{doctype}<worksheet {SHEET_NS}><sheetData><row r='1'><c r='A1' t='inlineStr'><is><t>&{entity};</t></is></c></row></sheetData></worksheet>"
    return changed(plain, {"xl/worksheets/sheet1.xml": sheet})


def overlap_bomb(members: int = 1_000) -> bytes:
    """One compressed kernel of 4 MB that a thousand members of the directory share."""
    squeezer = zlib.compressobj(9, zlib.DEFLATED, -15)
    kernel = squeezer.compress(bytes(4 << 20)) + squeezer.flush()
    crc = zlib.crc32(bytes(4 << 20))
    name = b"0000.txt"
    local = (
        struct.pack("<4s5H3I2H", b"PK\x03\x04", 20, 0, 8, 0, 0, crc, len(kernel), 4 << 20, len(name), 0) + name + kernel
    )
    directory = b""
    for number in range(members):
        name = b"%04d.txt" % number
        directory += struct.pack(
            "<4s6H3I5H2I", b"PK\x01\x02", 20, 20, 0, 8, 0, 0, crc, len(kernel), 4 << 20, len(name), 0, 0, 0, 0, 0, 0
        ) + name  # fmt: skip
    end = struct.pack("<4s4H2IH", b"PK\x05\x06", 0, 0, members, members, len(directory), len(local), 0)
    return local + directory + end


def slipping_zip() -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        archive.writestr("../../../escaped.txt", "Words of a member that climbs out.")
        archive.writestr("/etc/absolute.txt", "Words of an absolute name.")
        archive.writestr("C:\\Windows\\drive.txt", "Words of a drive letter.")
        link = zipfile.ZipInfo("link.txt")
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        archive.writestr(link, "/etc/hostname")
        archive.writestr("__MACOSX/._a.txt", "x")
        archive.writestr("Thumbs.db", "x")
        archive.writestr("empty.txt", "")
    return out.getvalue()


def locked(data: bytes, name: bytes) -> bytes:
    """A zip in which the member of that name says that it is encrypted."""
    out = bytearray(data)
    at = out.index(b"PK\x01\x02")
    while out[at + 46 : at + 46 + len(name)] != name:
        at = out.index(b"PK\x01\x02", at + 1)
    out[at + 8] |= 1
    return bytes(out)


def encrypted_office() -> bytes:
    return ole.write({"EncryptionInfo": bytes(200), "EncryptedPackage": bytes(5000)})


def stream_bomb() -> bytes:
    """200 KB of content that inflates to 192 MB, and to millions of objects."""
    pdf = Pdf()
    pdf.page(b"0 0 1 1 re f BT (x) Tj ET\n" * (192 * 1024 * 1024 // 26), packed=True)
    return pdf.build()


def looping_pdf() -> bytes:
    pdf = Pdf()
    page = pdf.page(text(72, 700, "A page whose tree runs in a circle."))
    return pdf.build(tree=b"<< /Type /Pages /Kids [%d 0 R 2 0 R 2 0 R] /Count 3 >>" % page)


def huge_page() -> bytes:
    pdf = Pdf()
    pdf.page(text(72, 700, "A page a million points wide."), box="0 0 1000000 1000000")
    return pdf.build()


def form_loop() -> bytes:
    """A page that draws a form that draws itself."""
    pdf = Pdf()
    number = len(pdf.objects) + 1
    resources = b"/Type /XObject /Subtype /Form /BBox [0 0 612 792] /Resources << /XObject << /Fm %d 0 R >> >>" % number
    assert pdf.stream(b"/Fm Do", resources) == number
    pdf.page(text(72, 700, "A form that draws itself.") + b"/Fm Do\n", resources=b"/XObject << /Fm %d 0 R >>" % number)
    return pdf.build()


def png(width: int, height: int, data: bytes, *chunks: tuple[bytes, bytes]) -> bytes:
    def chunk(name: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))

    header = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0))
    more = b"".join(chunk(*one) for one in chunks)
    return b"\x89PNG\r\n\x1a\n" + header + more + chunk(b"IDAT", data) + chunk(b"IEND", b"")


def tiff(entries: list[tuple[int, int, int, int]], following: int = 0) -> bytes:
    """A little-endian TIFF of one directory; entries are (tag, type, count, value). `following` is where it says the next one is."""
    body = b"".join(struct.pack("<HHII", *entry) for entry in entries)
    return struct.pack("<2sHIH", b"II", 42, 8, len(entries)) + body + struct.pack("<I", following) + bytes(64)


def hostile_tiff() -> bytes:
    """A directory that leads back to itself, with strips beyond the file and a size that no page has."""
    tags = [(256, 4, 1, 65_000), (257, 4, 1, 65_000), (258, 3, 1, 8), (259, 3, 1, 1), (262, 3, 1, 1)]
    tags += [(273, 4, 1, 0xFFFFFFF0), (277, 3, 1, 1), (278, 4, 1, 65_000), (279, 4, 1, 0xFFFFFFFF)]
    return tiff(tags, following=8)


def nested_mail(depth: int) -> bytes:
    head = b"From: a@x.example\r\nTo: b@y.example\r\nDate: Tue, 31 Mar 2026 09:30:00 +0200\r\nMIME-Version: 1.0\r\n"
    out = b"".join(head + b"Subject: level %d\r\nContent-Type: message/rfc822\r\n\r\n" % n for n in range(depth))
    return out + head + b"Subject: core\r\nContent-Type: text/plain\r\n\r\nThe innermost message.\r\n"


def sparse_xlsx() -> bytes:
    return raw_workbook(
        '<dimension ref="A1:XFD1048576"/><sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>First cell</t></is></c></row>'
        '<row r="1048576"><c r="XFD1048576" t="inlineStr"><is><t>Last cell</t></is></c></row></sheetData>'
        '<mergeCells count="1"><mergeCell ref="A2:XFD1048575"/></mergeCells>'
    )


def repeating_xlsx() -> bytes:
    """One string of 50,000 characters that 1,000 cells show."""
    rows = "".join(f'<row r="{n}"><c r="A{n}" t="s"><v>0</v></c></row>' for n in range(1, 1_001))
    return raw_workbook(f"<sheetData>{rows}</sheetData>", strings=["<t>" + "lorem " * 8_333 + "</t>"])


def repeating_docx() -> bytes:
    """A clause number of 50,000 characters before each of 1,000 paragraphs."""
    numbering = word.abstract(0, word.lvl(0, "decimal", "%1." + "A" * 50_000)) + word.num(1, 0)
    return word.docx(word.p("x", num=(1, 0)) * 1_000, numbering=numbering)


def hostile(outside: Path) -> list[File]:
    """Files made to hang, crash, overfill or mislead whoever reads them. `outside` is a file that they try to pull in."""
    deep_xml = (
        f"<w:document {NAMESPACES}><w:body>"
        + "<w:ins>" * DEEP
        + word.r("deep")
        + "</w:ins>" * DEEP
        + "</w:body></w:document>"
    )
    deep_sheet = f"<worksheet {SHEET_NS}>" + "<a>" * DEEP + "</a>" * DEEP + "</worksheet>"
    return [
        bad("bad/xxe.docx", poisoned_docx(xxe(outside), "x"), "declares a document type", "docx"),
        bad("bad/laughs.docx", poisoned_docx(LAUGHS, "i"), "declares a document type", "docx"),
        bad("bad/xxe.xlsx", poisoned_xlsx(xxe(outside), "x"), "declares a document type", "xlsx"),
        bad("bad/laughs.xlsx", poisoned_xlsx(LAUGHS, "i"), "declares a document type", "xlsx"),
        bad("bad/bomb.docx", word.zipped(word.parts("") | {"word/document.xml": b" " * (80 << 20)}), "inflates more than 200 times"),
        good("bad/sparse.xlsx", sparse_xlsx(), "First cell", "Last cell"),
        partly("bad/deep.docx", word.zipped(word.parts("") | {"word/document.xml": deep_xml}), "nested too deeply"),
        bad("bad/deep.xlsx", changed(raw_workbook(""), {"xl/worksheets/sheet1.xml": deep_sheet}), "nested too deeply"),
        bad("bad/repeating.xlsx", repeating_xlsx(), "more than 32 million characters of text", "xlsx"),
        bad("bad/repeating.docx", repeating_docx(), "more than 32 million characters of text", "docx"),
        bad("bad/locked.docx", encrypted_office(), "password", "office_encrypted"),
        bad("bad/locked.xlsx", encrypted_office(), "password", "office_encrypted"),
        partly("bad/bomb.zip", zipped({"bomb.txt": bytes(30 << 20), "beside.txt": "Words beside the bomb."}), "1 of its 2 members"),
        bad("bad/overlap.zip", overlap_bomb(), "overlap each other, as in a zip bomb"),
        good("bad/slip.zip", slipping_zip()),
        bad("bad/locked.zip", locked(zipped({"a.txt": "a"}), b"a.txt"), "password", "zip"),
        partly("bad/part locked.zip", locked(zipped({"open.txt": "An open member.", "locked.txt": "x"}), b"locked.txt"), "1 of its 2"),
        bad("bad/cut.zip", zipped({"a.txt": "a" * 5000})[:-40], "not a whole zip file"),
        bad("bad/stream bomb.pdf", stream_bomb(), "crashed on it|took more than|needed more than"),
        partly("bad/loop.pdf", looping_pdf(), "pages 2-3", "runs in a circle"),
        good("bad/count.pdf", native_pdf("A page among a billion.", count=1_000_000_000), "among a billion"),
        good("bad/huge page.pdf", huge_page(), "a million points wide"),
        good("bad/form loop.pdf", form_loop(), "draws itself"),
        bad("bad/garbage.pdf", b"%PDF-1.7\n" + bytes(range(256)) * 40, "damaged", "pdf"),
        bad("bad/bomb.png", png(60_000, 60_000, zlib.compress(bytes(1000))), "unreasonably large", "image"),
        bad("bad/cut.png", png(500, 500, zlib.compress(bytes(1000))), "damaged", "image"),
        bad("bad/chunk bomb.png", png(9, 9, b"", (b"zTXt", b"a\0\0" + zlib.compress(bytes(64 << 20), 9))), "", "image"),
        bad("bad/hostile.tif", hostile_tiff(), "unreasonably large", "image"),
        partly("bad/nested 400.eml", nested_mail(400), "cannot be taken out", "level 0"),
        good("bad/unbroken.eml", mail("unbroken", "x" * 400_000 + "\nafter it").as_bytes(), "after it", kind="eml"),
        good("bad/long list.txt", b"- item\n" * 60_000 + b"last item", "last item", kind="txt"),
        bad("bad/zeros.txt", bytes(50_000_000), "no kind that can be read", "unknown"),
        good("bad/one line.txt", b"indemnity " + (b"x" * 99 + b" ") * 200_000 + b"basket", "indemnity", "basket"),
        good("bad/wide.csv", b"1," * 999_999 + b"last", "last"),
        partly("bad/deep.html", b"<html>" + b"<div>" * 50_000 + b"core" + b"</div>" * 50_000, "nested too deeply"),
        bad("bad/noise.bin", bytes((n * 7919 + (n >> 3)) % 256 for n in range(9000)), "no kind that can be read", "unknown"),
        bad("bad/setup.pdf", b"\x7fELF" + bytes(500), "it is a program", "program"),
    ]  # fmt: skip


def odd_names() -> list[File]:
    """Every name that a disk takes; the words say which file it is."""
    names = [
        b"caf\xe9.txt",
        unicodedata.normalize("NFC", "Société.txt").encode(),
        unicodedata.normalize("NFD", "Société.txt").encode(),
        b"n" * 251 + b".txt",
        ("約" * 83 + "章.txt").encode()[:255],
        b"-rf",
        b"--help.txt",
        b"new\nline.txt",
        b"tab\tbell\x07.txt",
        b"colour \x1b[31m.txt",
        "turned \u202etxt.exe".encode(),
        "Exhibit #3 – 50% cap & co+.txt".encode(),
        b"Case.txt",
        b"case.txt",
        b"dots...",
        b"spaces  ",
        b" .txt",
        b"a!",
        b"!",
        b"quote'\".txt",
        b"back\\slash.txt",
        b"percent %2e%2e%2f.txt",
    ]
    return [
        File(b"names/" + name, f"Odd name number {n} of the room.".encode(), "read", "", (f"number {n} of",), "txt")
        for n, name in enumerate(names)
    ]


@dataclass(frozen=True, slots=True)
class Special:
    """Something that is no file: how it is made, and the reason for which it is skipped."""

    path: str
    make: Callable[[Path], None]
    reason: str
    status: ReadStatus = "skipped"


def _socket(path: Path) -> None:
    old = Path.cwd()
    os.chdir(path.parent)  # a socket's path must be short
    try:
        with socket.socket(socket.AF_UNIX) as bound:
            bound.bind(path.name)
    finally:
        os.chdir(old)


def specials(outside: Path) -> list[Special]:
    return [
        Special("odd/out of the room.txt", lambda path: path.symlink_to(outside), "leaves the room"),
        Special("odd/folder out of the room", lambda path: path.symlink_to(outside.parent), "leaves the room"),
        Special("odd/proc.txt", lambda path: path.symlink_to("/proc/self/environ"), "leaves the room"),
        Special("odd/device", lambda path: path.symlink_to("/dev/zero"), "leaves the room"),
        Special("odd/up", lambda path: path.symlink_to(".."), "a link to the room itself"),
        Special("odd/ring a", lambda path: path.symlink_to("ring b"), "itself"),
        Special("odd/ring b", lambda path: path.symlink_to("ring a"), "itself"),
        Special("odd/nothing.txt", lambda path: path.symlink_to("no such file"), "points to nothing"),
        Special("odd/pipe.pdf", lambda path: os.mkfifo(path), "a named pipe"),
        Special("odd/socket.docx", _socket, "a socket"),
    ]


def lay_out(room: Path, files: list[File], odd: list[Special]) -> None:
    """Writes the room."""
    base = os.fsencode(room)
    for file in files:
        path = os.path.join(base, file.path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as out:
            out.write(file.data)
    for one in odd:
        (room / one.path).parent.mkdir(parents=True, exist_ok=True)
        one.make(room / one.path)
