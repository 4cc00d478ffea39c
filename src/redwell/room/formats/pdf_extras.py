"""What a PDF holds beside its pages' text: what it says of itself, bookmarks, signatures, embedded files, notes and form fields."""

from __future__ import annotations

import ctypes
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pypdfium2.raw as pdfium

from redwell.room.types import Child, Limits, Parsed, ParsedUnit

_NAMES = {
    "title": b"Title",
    "author": b"Author",
    "subject": b"Subject",
    "keywords": b"Keywords",
    "creator": b"Creator",
    "producer": b"Producer",
    "created": b"CreationDate",
    "modified": b"ModDate",
}
_DATE = re.compile(r"D?:?\s*(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?(\d\d)?\s*(Z|[+-]\d\d'?\d?\d?)?")
_LONGEST = 64 << 10
_BOOKMARKS = 500
_NOTES = 5_000
_NOTE_KINDS = {
    pdfium.FPDF_ANNOT_TEXT: "note",
    pdfium.FPDF_ANNOT_FREETEXT: "note",
    pdfium.FPDF_ANNOT_HIGHLIGHT: "highlight",
    pdfium.FPDF_ANNOT_UNDERLINE: "underline",
    pdfium.FPDF_ANNOT_SQUIGGLY: "underline",
    pdfium.FPDF_ANNOT_STRIKEOUT: "strike-out",
    pdfium.FPDF_ANNOT_STAMP: "stamp",
    pdfium.FPDF_ANNOT_CARET: "insertion mark",
    pdfium.FPDF_ANNOT_REDACT: "redaction mark",
    pdfium.FPDF_ANNOT_LINE: "drawing",
    pdfium.FPDF_ANNOT_SQUARE: "drawing",
    pdfium.FPDF_ANNOT_CIRCLE: "drawing",
    pdfium.FPDF_ANNOT_POLYGON: "drawing",
    pdfium.FPDF_ANNOT_POLYLINE: "drawing",
    pdfium.FPDF_ANNOT_INK: "drawing",
}
_TICKED = (pdfium.FPDF_FORMFIELD_CHECKBOX, pdfium.FPDF_FORMFIELD_RADIOBUTTON)
_UNREAD_FIELDS = (pdfium.FPDF_FORMFIELD_PUSHBUTTON, pdfium.FPDF_FORMFIELD_SIGNATURE)


def _wide(function: Any, *arguments: Any) -> str:
    """The UTF-16 string that a PDFium function writes into a buffer whose length it is asked first."""
    length = int(function(*arguments, None, 0))
    if not 2 < length <= _LONGEST:
        return ""
    buffer = (ctypes.c_ushort * (length // 2 + 1))()
    function(*arguments, buffer, length)
    text = bytes(buffer)[:length].decode("utf-16-le", "replace").split("\x00", 1)[0]
    return text.replace("\r\n", "\n").replace("\r", "\n").strip()


def _narrow(function: Any, *arguments: Any) -> str:
    length = int(function(*arguments, None, 0))
    if not 1 < length <= _LONGEST:
        return ""
    buffer = ctypes.create_string_buffer(length)
    function(*arguments, buffer, length)
    return buffer.value.decode("latin-1").strip()


def metadata(document: Any) -> dict[str, str]:
    """What the file says of itself, its bookmarks and its signatures; dates as ISO 8601 as far as they are given."""
    found = {}
    for name, key in _NAMES.items():
        value = " ".join(_wide(pdfium.FPDF_GetMetaText, document, key).split())
        if name in ("created", "modified"):
            value = iso_date(value)
        if value:
            found[name] = value[:1000]
    outline = _outline(document)
    if outline:
        found["outline"] = "\n".join(outline)
    signatures = max(0, pdfium.FPDF_GetSignatureCount(document))
    if signatures:
        found["signatures"] = str(signatures)
        times = []
        for number in range(min(signatures, 50)):
            signature = pdfium.FPDF_GetSignatureObject(document, number)
            if signature and (when := iso_date(_narrow(pdfium.FPDFSignatureObj_GetTime, signature))):
                times.append(when)
        if times:
            found["signed"] = ", ".join(times)
    return found


def iso_date(value: str) -> str:
    """A PDF's date ("D:20240131120000+02'00'") in ISO 8601, as precise as given; "" for what is none."""
    match = _DATE.match(value)
    if not match:
        return ""
    year, month, day, hour, minute, second, zone = match.groups()
    if not (1 <= int(month or 1) <= 12 and 1 <= int(day or 1) <= 31):
        return ""
    out = "-".join(part for part in (year, month, month and day) if part)
    if month and day and hour and minute:
        out += f"T{hour}:{minute}:{second or '00'}"
        if zone:
            digits = re.sub(r"\D", "", zone)
            out += (
                "Z"
                if zone == "Z" or not digits.strip("0")
                else f"{zone[0]}{digits[:2]}:{(digits[2:] or '00').ljust(2, '0')}"
            )
    return out


def _outline(document: Any) -> list[str]:
    """The bookmarks, indented by level, with the page each points to. A loop among them ends at the limit."""
    lines: list[str] = []
    seen: set[int] = set()
    stack = [(pdfium.FPDFBookmark_GetFirstChild(document, None), 0)]
    while stack and len(lines) < _BOOKMARKS:
        mark, level = stack.pop()
        address = ctypes.cast(mark, ctypes.c_void_p).value if mark else None
        if address is None or address in seen:
            continue
        seen.add(address)
        title = " ".join(_wide(pdfium.FPDFBookmark_GetTitle, mark).split())[:200]
        target = pdfium.FPDFBookmark_GetDest(document, mark)
        page = pdfium.FPDFDest_GetDestPageIndex(document, target) if target else -1
        if title:
            lines.append("  " * min(level, 8) + title + (f" (page {page + 1})" if page >= 0 else ""))
        stack.append((pdfium.FPDFBookmark_GetNextSibling(document, mark), level))
        stack.append((pdfium.FPDFBookmark_GetFirstChild(document, mark), level + 1))
    return lines


class Embedded:
    """Takes a file's embedded files as children, within the limits."""

    def __init__(self, parsed: Parsed, limits: Limits) -> None:
        self.parsed, self.limits = parsed, limits
        self.bytes = 0

    def take_all(self, document: Any) -> None:
        for number in range(min(self.limits.entries, max(0, pdfium.FPDFDoc_GetAttachmentCount(document)))):
            self.take(pdfium.FPDFDoc_GetAttachment(document, number), f"attachment {number + 1}")

    def take(self, attachment: Any, fallback: str) -> None:
        if not attachment:
            return
        name = _wide(pdfium.FPDFAttachment_GetName, attachment).replace("\x00", "") or fallback
        length = ctypes.c_ulong()
        if not pdfium.FPDFAttachment_GetFile(attachment, None, 0, length):
            self.parsed.unopened.append((name, "the embedded file cannot be unpacked"))
            return
        size = length.value
        if size > self.limits.part_bytes or self.bytes + size > self.limits.total_bytes:
            self.parsed.unopened.append((name, f"the embedded file is too large ({size >> 20:,} MB)"))
            return
        buffer = ctypes.create_string_buffer(max(1, size))
        if not pdfium.FPDFAttachment_GetFile(attachment, buffer, size, length):
            self.parsed.unopened.append((name, "the embedded file cannot be unpacked"))
            return
        self.bytes += size
        data = buffer.raw[:size]
        if not any(child.name == name and child.data == data for child in self.parsed.children):
            self.parsed.children.append(Child(name, data))


@contextmanager
def form(document: Any) -> Iterator[Any]:
    """The document's form, open for reading; None when it has none."""
    if pdfium.FPDF_GetFormType(document) == pdfium.FORMTYPE_NONE:
        yield None
        return
    info = pdfium.FPDF_FORMFILLINFO(version=2)
    handle = pdfium.FPDFDOC_InitFormFillEnvironment(document, info)
    try:
        yield handle
    finally:
        if handle:
            pdfium.FPDFDOC_ExitFormFillEnvironment(handle)


def notes(page: Any, number: int, fields: Any, embedded: Embedded) -> list[ParsedUnit]:
    """The notes, stamps and filled form fields of an open page, each a unit flagged `comment`; files pinned to it become children."""
    out = []
    counts: dict[str, int] = {}
    count = max(0, pdfium.FPDFPage_GetAnnotCount(page))
    if count > _NOTES:
        embedded.parsed.problems.append(
            f"page {number}: only the first {_NOTES:,} of its {count:,} notes and fields were read"
        )
    for index in range(min(_NOTES, count)):
        annotation = pdfium.FPDFPage_GetAnnot(page, index)
        if not annotation:
            continue
        try:
            kind = pdfium.FPDFAnnot_GetSubtype(annotation)
            if kind == pdfium.FPDF_ANNOT_FILEATTACHMENT:
                embedded.take(pdfium.FPDFAnnot_GetFileAttachment(annotation), f"attachment on page {number}")
            name, text = (
                ("field", _field(fields, annotation))
                if kind == pdfium.FPDF_ANNOT_WIDGET
                else ("comment", _note(annotation, kind))
            )
            if text:
                counts[name] = counts.get(name, 0) + 1
                out.append(ParsedUnit(text, f"page {number}/{name}[{counts[name]}]", flags=("comment",)))
        finally:
            pdfium.FPDFPage_CloseAnnot(annotation)
    return out


def _note(annotation: Any, kind: int) -> str:
    if kind not in _NOTE_KINDS and kind != pdfium.FPDF_ANNOT_FILEATTACHMENT:
        return ""
    text = _wide(pdfium.FPDFAnnot_GetStringValue, annotation, b"Contents")
    if not text:
        return ""
    author = " ".join(_wide(pdfium.FPDFAnnot_GetStringValue, annotation, b"T").split())
    when = iso_date(_wide(pdfium.FPDFAnnot_GetStringValue, annotation, b"M"))[:10]
    head = ", ".join(part for part in (author, when) if part)
    return f"[{_NOTE_KINDS.get(kind, 'note')}{f' by {head}' if author else f', {head}' if head else ''}] {text}"


def _field(fields: Any, annotation: Any) -> str:
    if not fields:
        return ""
    kind = pdfium.FPDFAnnot_GetFormFieldType(fields, annotation)
    if kind in _UNREAD_FIELDS or kind < 0:
        return ""
    name = _wide(pdfium.FPDFAnnot_GetFormFieldAlternateName, fields, annotation) or _wide(
        pdfium.FPDFAnnot_GetFormFieldName, fields, annotation
    )
    if kind in _TICKED:
        value = _wide(pdfium.FPDFAnnot_GetStringValue, annotation, b"AS")
        value = "" if value == "Off" else value
    else:
        value = _wide(pdfium.FPDFAnnot_GetFormFieldValue, fields, annotation)
    return f"{name}: {value}" if value and name else value
