"""What kind of file some bytes are, by their content; a name only decides between kinds of plain text."""

from __future__ import annotations

import re
import struct
import zipfile
import zlib
from io import BytesIO

from redwell.room.formats import ole
from redwell.room.formats.encoding import decode, is_text
from redwell.room.types import Limits, Unreadable

_MAGIC: tuple[tuple[bytes, str], ...] = (
    (b"%PDF-", "pdf"),
    (b"{\\rtf", "rtf"),
    (b"\x89PNG\r\n\x1a\n", "image"),
    (b"\xff\xd8\xff", "image"),
    (b"GIF87a", "image"),
    (b"GIF89a", "image"),
    (b"II*\x00", "image"),
    (b"MM\x00*", "image"),
    (b"II+\x00", "image"),
    (b"MM\x00+", "image"),
    (b"\x00\x00\x00\x0cjP  \r\n\x87\n", "image"),
    (b"\xffWPC", "wpd"),
    (b"\x1f\x8b", "gz"),
    (b"BZh", "bz2"),
    (b"\xfd7zXZ\x00", "xz"),
    (b"7z\xbc\xaf\x27\x1c", "7z"),
    (b"Rar!\x1a\x07", "rar"),
    (b"!BDN", "pst"),
    (b"\x00\x05\x16\x07", "lock"),
    (b"\x00\x00\x00\x01Bud1", "lock"),
    (b"\x7fELF", "program"),
    (b"ID3", "media"),
    (b"OggS", "media"),
    (b"fLaC", "media"),
    (b"\x1aE\xdf\xa3", "media"),
    (b"\x30\x26\xb2\x75\x8e\x66\xcf\x11", "media"),
    (b"SQLite format 3\x00", "database"),
    (b"AC10", "drawing"),
    (b"\x78\x9f\x3e\x22", "tnef"),
)
_STREAMS = (
    ("__properties_version1.0", "msg"),
    ("EncryptedPackage", "office_encrypted"),
    ("WordDocument", "doc"),
    ("Workbook", "xls"),
    ("Book", "xls"),
    ("PowerPoint Document", "ppt"),
)
_MAIN_TYPES = (
    (b"wordprocessingml.", "docx"),
    (b"ms-word.document.macroenabled", "docx"),
    (b"ms-word.template.macroenabled", "docx"),
    (b"ms-excel.sheet.binary", "xlsb"),
    (b"spreadsheetml.", "xlsx"),
    (b"ms-excel.sheet.macroenabled", "xlsx"),
    (b"ms-excel.template.macroenabled", "xlsx"),
    (b"presentationml.", "pptx"),
    (b"ms-powerpoint.", "pptx"),
)
_MAIN_TYPE = re.compile(
    rb"contenttype\s*=\s*[\"']application/vnd\.(?:openxmlformats-officedocument\.)?([^\"']*)\.main\+xml"
)
_BINARY_MAIN = re.compile(rb"ms-excel\.sheet\.binary\.macroenabled\.main")
_OPEN_DOCUMENT = (("text", "odt"), ("spreadsheet", "ods"), ("presentation", "odp"))
_PARTS = (
    ("word/document.xml", "docx"),
    ("xl/workbook.bin", "xlsb"),
    ("xl/workbook.xml", "xlsx"),
    ("ppt/presentation.xml", "pptx"),
    ("index/document.iwa", "iwork"),
    ("index.zip", "iwork"),
)
_HEADER = re.compile(r"[A-Za-z][A-Za-z0-9-]{1,60}:")
_MAIL_HEADERS = frozenset(
    (
        *("from", "to", "cc", "bcc", "subject", "date", "message-id", "received", "return-path", "delivered-to"),
        *("mime-version", "content-type", "x-mailer", "sender", "reply-to", "in-reply-to", "references"),
        *("thread-topic", "thread-index", "x-ms-has-attach", "dkim-signature"),
    )
)
_HTML = re.compile(r"<(?:!doctype\s+html|html|head|body)\b", re.IGNORECASE)
_HTML_PIECE = re.compile(
    r"</?(?:p|div|table|tr|td|span|br|h[1-6]|ul|li|a|b|i|font|meta|title|style)\b[^>]*>", re.IGNORECASE
)
_LOCK_NAMES = frozenset(("thumbs.db", "ehthumbs.db", "desktop.ini", ".ds_store", "icon\r", ".localized"))
_MAX_ENTRIES = 200_000


def detect(data: bytes, name: str) -> str:
    """The kind of a file.

    Args:
        data: the file's bytes.
        name: its name or path. Used for what only a name can say: lock and folder files of programs (`~$offer.docx`,
            `Thumbs.db`), and whether plain text is Markdown or CSV.

    Returns:
        One of pdf docx xlsx pptx doc xls ppt rtf odt ods odp xlsb wpd msg eml html csv md txt zip tar gz bz2 xz image
        office_encrypted lock empty; or, for what no reader exists for, 7z rar pst tnef iwork media program database drawing
        ole unknown.
    """
    if not data:
        return "empty"
    base = name.replace("\\", "/").rsplit("/", 1)[-1]
    if _is_lock(data, base):
        return "lock"
    for magic, kind in _MAGIC:
        if data.startswith(magic) and not (kind in ("media", "drawing", "bz2") and is_text(data[:4096])):
            return kind
    if data.startswith((b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08PK")):
        return _zip_kind(data)
    if data.startswith(ole.MAGIC):
        return _ole_kind(data)
    if kind := _offset_kind(data):
        return kind
    if data.startswith(b"MZ") and not is_text(data[:4096]):
        return "zip" if zipfile.is_zipfile(BytesIO(data)) else "program"
    if not is_text(data):
        return "pdf" if b"%PDF-" in data[:1024] else "unknown"
    return _text_kind(data, base)


def _is_lock(data: bytes, base: str) -> bool:
    lower = base.lower()
    if lower.startswith("~$") or (lower.startswith(".~lock.") and lower.endswith("#")):
        return len(data) < 4096 and not data.startswith((b"PK", b"%PDF", ole.MAGIC))
    return lower in _LOCK_NAMES and not data.startswith((b"PK", b"%PDF"))


def _offset_kind(data: bytes) -> str:
    """Kinds whose mark stands further in: WebP, HEIC and AVIF, films, BMP, tar."""
    if data[:4] == b"RIFF" and len(data) >= 12:
        return "image" if data[8:12] == b"WEBP" else "media"
    if data[4:8] == b"ftyp":
        return "image" if data[8:12] in (b"heic", b"heix", b"heif", b"mif1", b"msf1", b"avif", b"hevc") else "media"
    if data[:2] == b"BM" and len(data) > 26 and int.from_bytes(data[14:18], "little") in (12, 40, 52, 56, 64, 108, 124):
        return "image"
    if data[257:262] == b"ustar":
        return "tar"
    if data[:2] in (b"\xff\xfb", b"\xff\xf3", b"\xff\xf2") and not is_text(data[:4096]):
        return "media"
    return ""


def _zip_kind(data: bytes) -> str:
    names: list[str] = []
    types = b""
    mimetype = b""
    if data.count(b"PK\x01\x02") <= _MAX_ENTRIES:
        try:
            with zipfile.ZipFile(BytesIO(data)) as archive:
                names = archive.namelist()
                types = _entry(archive, "[Content_Types].xml")
                mimetype = _entry(archive, "mimetype")
        except Exception:  # damaged in any way: the names in front of the parts may still tell
            names = []
    if not names:
        names = [
            match[1].decode("utf-8", "replace")
            for match in re.finditer(
                rb"PK\x03\x04.{22}(?:[\x01-\xff]\x00.{2})(\[?[A-Za-z_][^\x00-\x1f<>]{2,60}?\.(?:xml|bin))",
                data,
                re.DOTALL,
            )
        ]
    for topic, kind in _OPEN_DOCUMENT:
        if mimetype.startswith(b"application/vnd.oasis.opendocument." + topic.encode()):
            return kind
    types = types.replace(b"\x00", b"").lower()
    if _BINARY_MAIN.search(types):
        return "xlsb"
    for main in _MAIN_TYPE.finditer(types):
        for piece, kind in _MAIN_TYPES:
            if (main[1] + b".").startswith(piece):
                return kind
    lower = {entry.replace("\\", "/").lstrip("/").lower() for entry in names}
    for part, kind in _PARTS:
        if part in lower and (part != "index.zip" or "metadata/properties.plist" in lower):
            return kind
    return "zip"


def _entry(archive: zipfile.ZipFile, name: str) -> bytes:
    """The first part of an entry, at most 1 MB of it."""
    try:
        with archive.open(name) as entry:
            return entry.read(1 << 20)
    except (KeyError, zipfile.BadZipFile, zlib.error, RuntimeError, NotImplementedError, EOFError, OSError, ValueError):
        return b""


def _ole_kind(data: bytes) -> str:
    try:
        top = set(ole.CompoundFile(data, Limits()).root.streams)
    except (Unreadable, ValueError, LookupError, struct.error):
        top = set()
    for stream, kind in _STREAMS:
        if stream in top:
            return kind
    # damaged: look for the names where directory entries can stand
    return next((kind for stream, kind in _STREAMS if _directory_entry(data, stream)), "ole") if len(top) < 2 else "ole"


def _directory_entry(data: bytes, name: str) -> bool:
    wanted = name.encode("utf-16-le") + b"\0\0"
    at = data.find(wanted)
    while at >= 0:
        if at % 128 == 0 and data[at + 64 : at + 66] == len(wanted).to_bytes(2, "little"):
            return True
        at = data.find(wanted, at + 1)
    return False


def _text_kind(data: bytes, base: str) -> str:
    extension = base.rsplit(".", 1)[-1].lower() if "." in base else ""
    head = decode(data[:20_000]).text.lstrip("\ufeff \n\t")
    if head.startswith("{\\rtf"):
        return "rtf"
    if head[:1] == "<" and extension not in ("md", "csv", "tsv"):
        if _HTML.search(head[:4000]) or len(_HTML_PIECE.findall(head)) >= 3:
            return "html"
        if "<?mso-application" in head[:400]:
            return "xls" if "Excel.Sheet" in head[:400] else "doc"
    if _is_mail(head, extension):
        return "eml"
    if b"%PDF-" in data[:1024] and not data[:1024].isascii():
        return "pdf"
    if re.search(rb"(?:^|[\r\n])%PDF-\d\.\d", data[:1024]) and b"endobj" in data:
        return "pdf"
    if extension in ("csv", "tsv", "tab"):
        return "csv"
    if extension in ("md", "markdown", "mdown"):
        return "md"
    if extension in ("htm", "html", "xhtml") and (_HTML.search(head) or _HTML_PIECE.search(head)):
        return "html"
    return "txt"


def _is_mail(head: str, extension: str) -> bool:
    """Header lines at the very start, among them enough that mail always has."""
    lines = head.split("\n")
    if lines and lines[0].startswith("From ") and ":" not in lines[0].split()[0]:
        lines = lines[1:]  # the separator line of an mbox file
    seen: set[str] = set()
    for line in lines[:200]:
        if not line:
            break
        if line[0] in " \t" and seen:
            continue
        match = _HEADER.match(line)
        if match is None:
            return False
        seen.add(match[0][:-1].lower())
    known = seen & _MAIL_HEADERS
    needed = 2 if extension in ("eml", "mht", "mhtml") else 3
    strong = known & {"message-id", "received", "mime-version", "return-path", "delivered-to"}
    if extension not in ("txt", "md", "text"):  # a memo typed as text has From, To and Date too
        strong |= known & {"content-type", "date"}
    return len(known) >= needed and bool(strong)
