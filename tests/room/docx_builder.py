"""Builds Word files from handwritten XML, so that a test shows exactly what the file says."""

from __future__ import annotations

import io
import zipfile
from xml.sax.saxutils import escape

from redwell.room.formats.docx import read
from redwell.room.types import Limits, Parsed, View

W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
NAMESPACES = (
    f'xmlns:w="{W}" '
    'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" '
    'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" '
    'xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape" '
    'xmlns:w14="http://schemas.microsoft.com/office/word/2010/wordml" '
    'xmlns:w15="http://schemas.microsoft.com/office/word/2012/wordml" '
    'xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" '
    'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" '
    'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math" '
    'xmlns:v="urn:schemas-microsoft-com:vml"'
)
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_KINDS = {
    "styles": "styles",
    "numbering": "numbering",
    "settings": "settings",
    "footnotes": "footnotes",
    "endnotes": "endnotes",
    "comments": "comments",
    "commentsExtended": "commentsExtended",
}


def xml(tag: str, inside: str) -> str:
    return f'<?xml version="1.0" encoding="UTF-8" standalone="yes"?><w:{tag} {NAMESPACES}>{inside}</w:{tag}>'


def relationships(entries: list[tuple[str, str, str]], external: tuple[str, ...] = ()) -> str:
    lines = "".join(
        f'<Relationship Id="{key}" Type="{kind}" Target="{escape(target)}"'
        + (' TargetMode="External"' if key in external else "")
        + "/>"
        for key, kind, target in entries
    )
    return (
        f'<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">{lines}</Relationships>'
    )


def zipped(parts: dict[str, str | bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in parts.items():
            archive.writestr(name, data)
    return out.getvalue()


def parts(
    body: str,
    *,
    main: str = "word/document.xml",
    links: dict[str, str] | None = None,
    more: dict[str, tuple[str, str | bytes]] | None = None,
    **side: str,
) -> dict[str, str | bytes]:
    """The parts of a Word file.

    `body` is what stands in `w:body`; `side` gives the inside of styles, numbering, footnotes ...; `links` are hyperlinks by id; `more`
    are further parts by target name: their relationship kind and data, related under the id `x-` and the name.
    """
    folder = main.rsplit("/", 1)[0]
    found: dict[str, str | bytes] = {
        "[Content_Types].xml": '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        '<Default Extension="xml" ContentType="application/xml"/>'
        + "".join(
            f'<Override PartName="/{name}" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.{kind}+xml"/>'
            for name, kind in [(main, "document.main"), *((f"{folder}/{kind}.xml", kind) for kind in side)]
        )
        + "</Types>",
        "_rels/.rels": relationships([("rId1", f"{OFFICE}/officeDocument", main)]),
        main: xml("document", f"<w:body>{body}</w:body>"),
    }
    entries: list[tuple[str, str, str]] = []
    for kind, inside in side.items():
        found[f"{folder}/{kind}.xml"] = inside if inside.startswith("<?xml") else xml(_tag(kind), inside)
        entries.append((f"r-{kind}", f"{OFFICE}/{_KINDS[kind]}", f"{kind}.xml"))
    for key, target in (links or {}).items():
        entries.append((key, f"{OFFICE}/hyperlink", target))
    for name, (kind, data) in (more or {}).items():
        found[f"{folder}/{name}"] = data
        entries.append((f"x-{name}", f"{OFFICE}/{kind}", name))
    base = main.rsplit("/", 1)[1]
    found[f"{folder}/_rels/{base}.rels"] = relationships(entries, tuple(links or {}))
    return found


def _tag(kind: str) -> str:
    return kind if kind != "commentsExtended" else "commentsEx"


def docx(body: str, **given: object) -> bytes:
    return zipped(parts(body, **given))  # type: ignore[arg-type]


def parse(body: str, **given: object) -> Parsed:
    return read(docx(body, **given), "test.docx", Limits())


def r(text: str, properties: str = "") -> str:
    """A run."""
    rpr = f"<w:rPr>{properties}</w:rPr>" if properties else ""
    return f'<w:r>{rpr}<w:t xml:space="preserve">{escape(text)}</w:t></w:r>'


def p(*content: str, style: str = "", properties: str = "", num: tuple[int, int] | None = None) -> str:
    """A paragraph; plain strings that are no XML become runs. `num` is (numId, ilvl)."""
    inside = (f'<w:pStyle w:val="{style}"/>' if style else "") + (
        f'<w:numPr><w:ilvl w:val="{num[1]}"/><w:numId w:val="{num[0]}"/></w:numPr>' if num else ""
    )
    runs = "".join(item if item.startswith("<") else r(item) for item in content)
    return f"<w:p><w:pPr>{inside}{properties}</w:pPr>{runs}</w:p>"


def ins(*content: str, author: str = "Ann Lee", date: str = "2024-03-01T10:00:00Z", tag: str = "ins") -> str:
    runs = "".join(item if item.startswith("<") else r(item) for item in content)
    return f'<w:{tag} w:id="1" w:author="{author}" w:date="{date}">{runs}</w:{tag}>'


def deleted(text: str, author: str = "Bob Ray", date: str = "2024-03-02T10:00:00Z", tag: str = "del") -> str:
    return (
        f'<w:{tag} w:id="2" w:author="{author}" w:date="{date}">'
        f'<w:r><w:delText xml:space="preserve">{escape(text)}</w:delText></w:r></w:{tag}>'
    )


def mark(kind: str) -> str:
    """Paragraph properties whose mark is inserted ("ins") or deleted ("del")."""
    return f'<w:rPr><w:{kind} w:id="3" w:author="Ann Lee" w:date="2024-03-01T10:00:00Z"/></w:rPr>'


def tc(*paragraphs: str, properties: str = "") -> str:
    return f"<w:tc><w:tcPr>{properties}</w:tcPr>{''.join(i if i.startswith('<') else p(i) for i in paragraphs)}</w:tc>"


def tr(*cells: str, properties: str = "") -> str:
    return f"<w:tr><w:trPr>{properties}</w:trPr>{''.join(c if c.startswith('<w:tc>') else tc(c) for c in cells)}</w:tr>"


def tbl(*rows: str, properties: str = "") -> str:
    return f"<w:tbl><w:tblPr>{properties}</w:tblPr>{''.join(rows)}</w:tbl>"


def lvl(index: int, form: str, text: str, more: str = "", start: int = 1) -> str:
    return f'<w:lvl w:ilvl="{index}"><w:start w:val="{start}"/><w:numFmt w:val="{form}"/>{more}<w:lvlText w:val="{text}"/></w:lvl>'


def abstract(key: int, *levels: str, more: str = "") -> str:
    return f'<w:abstractNum w:abstractNumId="{key}">{more}{"".join(levels)}</w:abstractNum>'


def num(key: int, of: int, overrides: str = "") -> str:
    return f'<w:num w:numId="{key}"><w:abstractNumId w:val="{of}"/>{overrides}</w:num>'


def texts(parsed: Parsed, view: View = "final") -> list[str]:
    return [unit.text for unit in parsed.views[view]]


def labels(parsed: Parsed, view: View = "final") -> list[tuple[str, str]]:
    return [(unit.label, unit.section) for unit in parsed.views[view]]
