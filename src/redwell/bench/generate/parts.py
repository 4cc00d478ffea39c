"""What the files of a word processor, a workbook and slides have in common: parts in a zip whose bytes depend on nothing but the paper."""

from __future__ import annotations

import io
import random
import re
import zipfile
from datetime import date
from xml.sax.saxutils import escape

from redwell.bench.generate.laid import Laid

HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_REFUSED = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_WHITE = re.compile(r"[\t\r\n]+")
_EPOCH = (1980, 1, 1, 0, 0, 0)
_LEVEL = 4  # of deflate: half the time of the usual level for a few per cent of size


def escaped(text: str) -> str:
    """The text as XML's character data, in one line, without what XML has no place for."""
    if _REFUSED.search(text):
        text = _REFUSED.sub("", text)
    return escape(_WHITE.sub(" ", text), {'"': "&quot;"})


def zipped(parts: dict[str, str | bytes]) -> bytes:
    """A zip of the parts in their order, the same bytes for the same parts."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=_LEVEL) as archive:
        for name, data in parts.items():
            entry = zipfile.ZipInfo(name, _EPOCH)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o600 << 16
            archive.writestr(entry, data)
    return out.getvalue()


def content_types(overrides: dict[str, str]) -> str:
    """The list of types: part names to the end of their type after `application/vnd.openxmlformats-`."""
    inner = "".join(
        f'<Override PartName="/{name}" ContentType="application/vnd.openxmlformats-{kind}+xml"/>'
        for name, kind in overrides.items()
    )
    return (
        f'{HEAD}<Types xmlns="{PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Default Extension="xml" ContentType="application/xml"/>{inner}</Types>'
    )


def relationships(links: list[tuple[str, str, str]]) -> str:
    """(id, kind, target) of each link; a kind without a host is one of the office formats' own."""
    inner = "".join(
        f'<Relationship Id="{key}" Type="{kind if "://" in kind else f"{OFFICE}/{kind}"}" Target="{target}"/>'
        for key, kind, target in links
    )
    return f'{HEAD}<Relationships xmlns="{PACKAGE}/relationships">{inner}</Relationships>'


def properties(laid: Laid) -> dict[str, str]:
    """The parts that say who made the file, and when."""
    made = f'<dcterms:created xsi:type="dcterms:W3CDTF">{moment(laid.day)}</dcterms:created>' if laid.day else ""
    made += made.replace("created", "modified")
    return {
        "docProps/core.xml": f'{HEAD}<cp:coreProperties xmlns:cp="{PACKAGE}/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/" '
        'xmlns:dcterms="http://purl.org/dc/terms/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">'
        f"<dc:title>{escaped(laid.title)}</dc:title><dc:creator>{escaped(laid.author)}</dc:creator>"
        f"<cp:lastModifiedBy>{escaped(laid.author)}</cp:lastModifiedBy>{made}</cp:coreProperties>",
    }


def root_links(main: str) -> str:
    """The package's own relationships: its main part and its properties."""
    return relationships(
        [
            ("rId1", "officeDocument", main),
            ("rId2", f"{PACKAGE}/relationships/metadata/core-properties", "docProps/core.xml"),
        ]
    )


CORE_TYPE = {"docProps/core.xml": "package.core-properties"}


def moment(day: date) -> str:
    """The morning of a day, as office files write it."""
    return f"{day.isoformat()}T09:00:00Z"


def look(laid: Laid, stream: str) -> random.Random:
    """The stream of that name from which a paper's looks are drawn."""
    return random.Random(f"{laid.look}/{stream}")
