"""Kinds of files are told by their content, and what is no document is passed over with its reason."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import tarfile

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from redwell.room.formats.detect import detect
from redwell.room.formats.ole import write
from redwell.room.formats.read import read_file
from redwell.room.types import Limits, Unreadable
from tests.room.office_files import changed, presentation, raw_workbook, workbook, zipped

PNG = b"\x89PNG\r\n\x1a\n" + bytes(20)
MAIL = (
    b"From: a@x.example\r\nTo: b@y.example\r\nDate: Tue, 31 Mar 2026 09:30:00 +0000\r\nSubject: Offer\r\n\r\nWords\r\n"
)


def docx_like(
    main: str = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml",
    part: str = "word/document.xml",
) -> bytes:
    types = f'<Types><Override PartName="/{part}" ContentType="{main}"/></Types>'
    return zipped({"[Content_Types].xml": types, part: "<x/>"})


@pytest.mark.parametrize(
    ("data", "name", "kind"),
    [
        (b"%PDF-1.7\n...", "a.docx", "pdf"),
        (b"\x00\x01junk before\n%PDF-1.4\n\xe2\xe3\xcf\xd3\n1 0 obj", "a.pdf", "pdf"),
        (b"{\\rtf1\\ansi hello}", "offer.docx", "rtf"),
        (b"<html><body>x</body></html>", "offer.doc", "html"),
        (b"\xef\xbb\xbf<!DOCTYPE HTML><p>x", "page.txt", "html"),
        (b"<p>One</p><p>Two</p>", "fragment", "html"),
        (PNG, "a.pdf", "image"),
        (b"\xff\xd8\xff\xe0" + bytes(20), "x", "image"),
        (b"II*\x00" + bytes(8), "x", "image"),
        (b"GIF89a" + bytes(9), "x", "image"),
        (b"BM" + bytes(12) + b"\x28\x00\x00\x00" + bytes(20), "x", "image"),
        (b"RIFF\x00\x00\x00\x00WEBPVP8 " + bytes(9), "x", "image"),
        (b"\x00\x00\x00\x18ftypheic" + bytes(9), "x", "image"),
        (b"\x00\x00\x00\x18ftypisom" + bytes(9), "x", "media"),
        (MAIL, "offer.txt.eml", "eml"),
        (b"Received: from x\n\tby y\nMessage-ID: <1@x>\nFrom: a@x\n\nbody", "noname", "eml"),
        (b"From: Ann\nTo: Bob\nDate: 1 May 2026\nSubject: Lease\n\nA memo typed as text.", "memo.txt", "txt"),
        (b"a,b\n1,2\n", "x.csv", "csv"),
        (b"# Title\n\nWords", "deck.pdf.md", "md"),
        (b"Just words, without any marks.", "x.docx", "txt"),
        ("Liefervertrag über Öl".encode("utf-16-le"), "x.txt", "txt"),
        (b"b\xe9n\xe9fice net\n" * 5, "x.txt", "txt"),
        (bytes(range(256)) * 4, "x.bin", "unknown"),
        (b"\x7fELF" + bytes(60), "x", "program"),
        (b"MZ" + bytes(200), "setup.exe", "program"),
        (b"!BDN" + bytes(60), "mail.pst", "pst"),
        (b"Rar!\x1a\x07\x01\x00", "x.zip", "rar"),
        (b"7z\xbc\xaf\x27\x1c", "x.zip", "7z"),
        (b"\xffWPC" + bytes(20), "x.wpd", "wpd"),
        (gzip.compress(b"x", mtime=0), "x", "gz"),
        (bz2.compress(b"x"), "x", "bz2"),
        (lzma.compress(b"x"), "x", "xz"),
        (b"BZh is how this plain letter begins.", "x.txt", "txt"),
        (b"", "x.pdf", "empty"),
        (b"\x05Ann" + bytes(158), "~$offer.docx", "lock"),
        (b",ann,host,31.03.2026;", ".~lock.offer.odt#", "lock"),
        (b"\x00\x00\x00\x01Bud1" + bytes(20), ".DS_Store", "lock"),
        (b"\x00\x05\x16\x07" + bytes(40), "__MACOSX/._offer.docx", "lock"),
        (b"[.ShellClassInfo]", "room/desktop.ini", "lock"),
        (b"%PDF-1.4 a real one", "__MACOSX/hidden.pdf", "pdf"),
    ],
)
def test_the_kind_is_told_by_content(data: bytes, name: str, kind: str):
    assert detect(data, name) == kind


@pytest.mark.parametrize(
    ("main", "part", "kind"),
    [
        (
            "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml",
            "word/document.xml",
            "docx",
        ),
        ("application/vnd.ms-word.document.macroEnabled.main+xml", "word/document.xml", "docx"),
        (
            "application/vnd.openxmlformats-officedocument.wordprocessingml.template.main+xml",
            "word/document2.xml",
            "docx",
        ),
        ("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml", "xl/workbook.xml", "xlsx"),
        ("application/vnd.ms-excel.sheet.macroEnabled.main+xml", "xl/workbook.xml", "xlsx"),
        ("application/vnd.ms-excel.sheet.binary.macroEnabled.main", "xl/workbook.bin", "xlsb"),
        (
            "application/vnd.openxmlformats-officedocument.presentationml.slideshow.main+xml",
            "ppt/presentation.xml",
            "pptx",
        ),
        ("application/xml", "notes/readme.xml", "zip"),
    ],
)
def test_office_zips_are_told_by_their_main_part(main: str, part: str, kind: str):
    assert detect(docx_like(main, part), "anything.zip") == kind


@pytest.mark.parametrize(
    ("mimetype", "kind"),
    [
        ("application/vnd.oasis.opendocument.text", "odt"),
        ("application/vnd.oasis.opendocument.spreadsheet", "ods"),
        ("application/vnd.oasis.opendocument.presentation", "odp"),
        ("application/epub+zip", "zip"),
    ],
)
def test_open_document_is_told_by_its_mimetype(mimetype: str, kind: str):
    assert detect(zipped({"mimetype": mimetype, "content.xml": "<x/>"}), "x") == kind


def test_a_cut_office_file_keeps_its_kind():
    data = raw_workbook("<sheetData/>")
    assert detect(data[: len(data) * 2 // 3], "x.xlsx") == "xlsx"


@pytest.mark.parametrize(
    ("stream", "kind"),
    [
        ("WordDocument", "doc"),
        ("Workbook", "xls"),
        ("Book", "xls"),
        ("PowerPoint Document", "ppt"),
        ("__properties_version1.0", "msg"),
        ("EncryptedPackage", "office_encrypted"),
        ("VisioDocument", "ole"),
    ],
)
def test_compound_files_are_told_by_their_streams(stream: str, kind: str):
    data = write({stream: b"x" * 5000, "SummaryInformation": b"y" * 100})
    assert detect(data, "x.docx") == kind


def test_an_embedded_workbook_does_not_make_a_document_a_workbook():
    assert detect(write({"WordDocument": b"x" * 9000, "ObjectPool": {"_1": {"Workbook": b"y" * 9000}}}), "x") == "doc"
    assert detect(write({"Workbook": b"x" * 9000, "MBD1": {"WordDocument": b"y" * 9000}}), "x") == "xls"


def test_a_compound_file_with_a_damaged_table_keeps_its_kind():
    data = bytearray(write({"WordDocument": b"x" * 9000, "1Table": b"y" * 9000}))
    table = int.from_bytes(data[76:80], "little")
    data[(table + 1) * 512 : (table + 2) * 512] = b"\xff" * 512
    assert detect(bytes(data), "x.doc") == "doc"


def test_a_tar_is_told_by_its_mark():
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as archive:
        info = tarfile.TarInfo("a.txt")
        info.size = 3
        archive.addfile(info, io.BytesIO(b"abc"))
    assert detect(out.getvalue(), "x") == "tar"


@pytest.mark.parametrize(
    ("data", "name", "words"),
    [(b"", "x.pdf", "zero bytes"), (b"\x03Ann" + bytes(158), "~$x.docx", "program's own file")],
)
def test_what_is_no_document_is_passed_over_with_its_reason(data: bytes, name: str, words: str):
    parsed = read_file(data, name, Limits())
    assert parsed.status == "skipped"
    assert words in parsed.reason


@pytest.mark.parametrize(
    ("data", "name", "words", "kind"),
    [
        (
            write({"EncryptedPackage": b"x" * 5000, "EncryptionInfo": b"y" * 100}),
            "deal.docx",
            "protected with a password",
            "office_encrypted",
        ),
        (b"Rar!\x1a\x07\x01\x00", "x.rar", "RAR archive", "rar"),
        (b"!BDN" + bytes(60), "mail.pst", "Outlook mailbox", "pst"),
        (bytes(range(256)) * 4, "x.bin", "no kind that can be read", "unknown"),
        (b"PK\x03\x04" + bytes(40), "x.zip", "not a whole zip", "zip"),
    ],
)
def test_what_cannot_be_read_says_why(data: bytes, name: str, words: str, kind: str):
    with pytest.raises(Unreadable, match=words) as caught:
        read_file(data, name, Limits())
    assert caught.value.detail["kind"] == kind


def test_a_file_under_a_wrong_name_is_read_and_the_name_is_noted():
    parsed = read_file(b"<html><body><p>Words</p></body></html>", "offer.docx", Limits())
    assert parsed.kind == "html"
    assert parsed.problems[0] == "its name ends in .docx, but its content is HTML; it was read as what it is"


def test_a_file_larger_than_the_limit_is_not_read():
    with pytest.raises(Unreadable, match="larger than 1 MB"):
        read_file(b"a" * ((1 << 20) + 1), "x.txt", Limits(file_bytes=1 << 20))


@settings(max_examples=150, deadline=None)
@given(st.binary(max_size=400), st.sampled_from(["x", "x.csv", "x.md", "x.eml", "~$x", "x.docx"]))
def test_any_bytes_have_a_kind(data: bytes, name: str):
    assert detect(data, name).islower()


def test_kinds_of_files_that_real_programs_write():
    assert detect(workbook(lambda book: book.add_worksheet()), "x.zip") == "xlsx"
    assert detect(presentation(lambda deck: None), "x.zip") == "pptx"
    renamed = changed(workbook(lambda book: book.add_worksheet()), {"[Content_Types].xml": "not xml at all"})
    assert detect(renamed, "x.zip") == "xlsx"
