"""Builders of small workbooks, presentations and Outlook messages for tests."""

from __future__ import annotations

import io
import struct
import zipfile
from collections.abc import Callable, Iterable
from typing import Any

import xlsxwriter
from pptx import Presentation

from redwell.room.formats.ole import write
from redwell.room.types import Parsed, ParsedUnit

SHEET_NS = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
_REL = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


def zipped(entries: dict[str, str | bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in entries.items():
            archive.writestr(name, data)
    return out.getvalue()


def changed(data: bytes, edits: dict[str, Callable[[str], str] | str]) -> bytes:
    """A zip with some entries replaced or edited."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        entries: dict[str, str | bytes] = {name: archive.read(name) for name in archive.namelist()}
    for name, edit in edits.items():
        if isinstance(edit, str):
            entries[name] = edit
        else:
            old = entries[name]
            assert isinstance(old, bytes)
            entries[name] = edit(old.decode("utf-8"))
    return zipped(entries)


def workbook(fill: Callable[[Any], None]) -> bytes:
    """A workbook written with XlsxWriter."""
    out = io.BytesIO()
    book = xlsxwriter.Workbook(out, {"in_memory": True})
    fill(book)
    book.close()
    return out.getvalue()


def raw_workbook(
    sheet: str, *, strings: Iterable[str] = (), styles: str = "", properties: str = "", sheet_name: str = "Data"
) -> bytes:
    """A workbook of one sheet from its XML (what stands inside `worksheet`)."""
    items = "".join(f"<si>{item}</si>" for item in strings)
    overrides = "".join(
        f'<Override PartName="/xl/{part}.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.{kind}+xml"/>'
        for part, kind in (("workbook", "sheet.main"), ("worksheets/sheet1", "worksheet"))
    )
    return zipped(
        {
            "[Content_Types].xml": '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
            f'<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>{overrides}</Types>',
            "_rels/.rels": _relationships([("rId1", "officeDocument", "xl/workbook.xml")]),
            "xl/workbook.xml": f'<workbook {SHEET_NS}>{properties}<sheets><sheet name="{sheet_name}" sheetId="1" r:id="rId1"/></sheets></workbook>',
            "xl/_rels/workbook.xml.rels": _relationships(
                [
                    ("rId1", "worksheet", "worksheets/sheet1.xml"),
                    ("rId2", "sharedStrings", "sharedStrings.xml"),
                    ("rId3", "styles", "styles.xml"),
                ]
            ),
            "xl/worksheets/sheet1.xml": f"<worksheet {SHEET_NS}>{sheet}</worksheet>",
            "xl/sharedStrings.xml": f"<sst {SHEET_NS}>{items}</sst>",
            "xl/styles.xml": f"<styleSheet {SHEET_NS}>{styles}</styleSheet>",
        }
    )


def _relationships(links: list[tuple[str, str, str]]) -> str:
    inner = "".join(f'<Relationship Id="{i}" Type="{_REL}/{kind}" Target="{target}"/>' for i, kind, target in links)
    return (
        f'<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">{inner}</Relationships>'
    )


def presentation(fill: Callable[[Any], None]) -> bytes:
    """A presentation written with python-pptx."""
    out = io.BytesIO()
    deck = Presentation()
    fill(deck)
    deck.save(out)
    return out.getvalue()


def outlook_message(
    text: dict[int, str] | None = None,
    *,
    binary: dict[int, bytes] | None = None,
    fixed: dict[int, bytes] | None = None,
    recipients: Iterable[tuple[int, str, str]] = (),
    attachments: Iterable[dict[str, Any]] = (),
    header: int = 32,
) -> dict[str, Any]:
    """The tree of an Outlook message for `ole.write`; tags are property numbers ([MS-OXPROPS])."""
    tree = _properties(header, text or {}, binary or {}, fixed or {})
    for number, (kind, name, address) in enumerate(recipients):
        tree[f"__recip_version1.0_#{number:08X}"] = _properties(
            8, {0x3001: name, 0x39FE: address}, {}, {0x0C15: struct.pack("<Q", kind)}
        )
    for number, attachment in enumerate(attachments):
        method = 5 if "message" in attachment else 1
        inner = _properties(
            8,
            attachment.get("text", {}),
            {0x3701: attachment["data"]} if "data" in attachment else {},
            {0x3705: struct.pack("<Q", attachment.get("method", method))},
        )
        if "message" in attachment:
            inner["__substg1.0_3701000D"] = attachment["message"]
        tree[f"__attach_version1.0_#{number:08X}"] = inner
    return tree


def _properties(header: int, text: dict[int, str], binary: dict[int, bytes], fixed: dict[int, bytes]) -> dict[str, Any]:
    tree: dict[str, Any] = {}
    entries = b""
    for tag, words in text.items():
        tree[f"__substg1.0_{tag:04X}001F"] = words.encode("utf-16-le")
        entries += struct.pack("<HHIQ", 0x1F, tag, 6, len(words) * 2 + 2)
    for tag, data in binary.items():
        tree[f"__substg1.0_{tag:04X}0102"] = data
        entries += struct.pack("<HHIQ", 0x102, tag, 6, len(data))
    for tag, value in fixed.items():
        entries += struct.pack("<HHI", 0x3, tag, 6) + value
    tree["__properties_version1.0"] = bytes(header) + entries
    return tree


def msg_bytes(tree: dict[str, Any]) -> bytes:
    return write(tree)


def shown(parsed: Parsed, view: str = "final") -> list[tuple[str, str]]:
    """(path, text) of every unit."""
    return [(unit.path, unit.text) for unit in parsed.views[view]]  # type: ignore[index]


def unit(parsed: Parsed, path: str) -> ParsedUnit:
    """The one unit with this path."""
    found = [unit for unit in parsed.views["final"] if unit.path == path]
    assert len(found) == 1, (path, [unit.path for unit in parsed.views["final"]])
    return found[0]
