"""Mutations of zipped XML (Word, Excel, PowerPoint, OpenDocument) and of plain archives: inside the parts, and of the package around them."""

from __future__ import annotations

import io
import re
import struct
import warnings
import zipfile
from collections.abc import Sequence
from random import Random

from endurance.fuzz_mutators import GENERIC, LARGEST, NUMBERS, WIDE_EDGES, digits, flip, mutated, words

_TAG = re.compile(rb"<(/?)([A-Za-z_][\w:.-]*)([^<>]*?)(/?)>")
_ATTRIBUTE = re.compile(rb'([\w:.-]+)="([^"]*)"')
_TOKENS = (
    *(
        b"&amp;",
        b"&lt;",
        b"&#0;",
        b"&#xD800;",
        b"&#x10FFFF;",
        b"&x;",
        b"<![CDATA[x]]>",
        b"<!-- -->",
        b"<?x y?>",
        b"]]>",
    ),
    *(
        b"<w:p><w:r><w:t>x</w:t></w:r></w:p>",
        b'<w:del w:id="1"><w:r><w:delText>x</w:delText></w:r></w:del>',
        b"<w:tab/>",
    ),
    *(b'<w:fldChar w:fldCharType="begin"/>', b'<w:fldChar w:fldCharType="end"/>', b"<w:instrText>REF x</w:instrText>"),
    *(
        b'<w:moveFrom w:id="1">',
        b"<w:sdt><w:sdtContent>",
        b'<w:numPr><w:ilvl w:val="99"/><w:numId w:val="-1"/></w:numPr>',
    ),
    *(
        b'<w:footnoteReference w:id="1"/>',
        b"<w:vanish/>",
        b'<w:gridSpan w:val="100000000"/>',
        b"<w:vMerge/>",
        b"<w:tbl><w:tr><w:tc>",
    ),
    *(
        b'<c r="XFD1048576" t="s"><v>0</v></c>',
        b'<c r="A0"><f>A1</f><v>1</v></c>',
        b'<row r="1048577">',
        b'<c t="s"><v>-1</v></c>',
    ),
    *(
        b'<mergeCell ref="A1:XFD1048576"/>',
        b'<c t="d"><v>x</v></c>',
        b'<c s="65535"><v>1e400</v></c>',
        b'<f t="shared" si="0"/>',
    ),
    *(
        b"<p:grpSp>",
        b"<a:tbl><a:tr><a:tc>",
        b'<a:gridCol w="-1"/>',
        b'<p:sldId id="1" r:id="rId1"/>',
        b"<mc:AlternateContent><mc:Choice>",
    ),
    *(
        b'<w:sym w:font="Symbol" w:char="F0B7"/>',
        b'<w:altChunk r:id="rId1"/>',
        b'<w:basedOn w:val="Normal"/>',
        b"\xef\xbb\xbf",
        b"\xff\xfe",
    ),
)
_DOCTYPE = b'<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>'
_NAMESPACES = (
    b"http://schemas.openxmlformats.org/wordprocessingml/2006/main",
    b"http://purl.oclc.org/ooxml/wordprocessingml/main",
    b"urn:x",
    b"",
)


def package(random: Random, data: bytes, others: Sequence[bytes]) -> bytes:
    """A package with a part or two mutated, zipped again rightly or wrongly."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            parts = {name: archive.read(name) for name in archive.namelist()}
    except Exception:  # already broken by an earlier mutation
        return flip(random, data, others)
    if not parts:  # an archive that holds nothing
        return flip(random, data, others)
    for _ in range(random.choice((1, 1, 1, 2, 4))):
        random.choice((_part, _part, _part, _part, _links, _missing, _renamed, _exchanged))(random, parts, others)
    return _zipped(random, parts)


def _part(random: Random, parts: dict[str, bytes], others: Sequence[bytes]) -> None:
    names = sorted(parts)
    telling = [
        name
        for name in names
        if re.search(
            r"(?:document|sheet\d|sharedStrings|styles|numbering|slide\d|content|notes|comments)\w*\.xml$", name
        )
    ]
    name = random.choice(telling if telling and random.random() < 0.7 else names)
    for _ in range(random.choice((1, 1, 2, 6))):
        parts[name] = random.choice(_XML)(random, parts[name])[:LARGEST]


def _links(random: Random, parts: dict[str, bytes], others: Sequence[bytes]) -> None:
    names = sorted(name for name in parts if name.endswith(".rels"))
    if not names:
        return
    name = random.choice(names)
    target = random.choice(
        (
            *sorted(parts),
            "../../../etc/passwd",
            "/",
            "",
            "http://x.test/a",
            "file:///etc/passwd",
            "a" * 3_000,
            "%2e%2e/x",
            "\\\\h\\s",
        )
    )
    found = list(re.finditer(rb'Target="[^"]*"', parts[name]))
    if found and random.random() < 0.8:
        match = random.choice(found)
        parts[name] = parts[name][: match.start()] + b'Target="%s"' % target.encode() + parts[name][match.end() :]
    else:
        parts[name] = (
            parts[name]
            .replace(b'Id="rId1"', b'Id="rId2"')
            .replace(b"/>", b' TargetMode="External"/>', random.choice((0, 1)))
        )


def _missing(random: Random, parts: dict[str, bytes], others: Sequence[bytes]) -> None:
    parts.pop(random.choice(sorted(parts)), None)
    if not parts:
        parts["x"] = b""


def _renamed(random: Random, parts: dict[str, bytes], others: Sequence[bytes]) -> None:
    name = random.choice(sorted(parts))
    other = random.choice(
        (name.upper(), "/" + name, name.replace("/", "\\"), "../" + name, name + "/", "x" * 4_000, "\u202e" + name)
    )
    parts[other] = parts.pop(name)


def _exchanged(random: Random, parts: dict[str, bytes], others: Sequence[bytes]) -> None:
    one, two = random.choice(sorted(parts)), random.choice(sorted(parts))
    parts[one], parts[two] = parts[two], parts[one]


# --- inside a part -------------------------------------------------------------------------------------------------------------


def _tags(data: bytes) -> list[re.Match[bytes]]:
    return list(_TAG.finditer(data[:LARGEST]))


def _drop_tag(random: Random, data: bytes) -> bytes:
    found = _tags(data)
    if not found:
        return data
    match = random.choice(found)
    return data[: match.start()] + data[match.end() :]


def _element(random: Random, data: bytes) -> tuple[int, int] | None:
    """The place of a whole element, found by counting its tags."""
    found = [match for match in _tags(data) if not match[1]]
    for _ in range(8):
        if not found:
            return None
        opening = random.choice(found)
        if opening[4]:
            return opening.start(), opening.end()
        depth = 0
        for match in _TAG.finditer(data, opening.start()):
            if match[2] == opening[2] and not match[4]:
                depth += -1 if match[1] else 1
                if depth == 0:
                    return opening.start(), match.end()
    return None


def _drop_element(random: Random, data: bytes) -> bytes:
    place = _element(random, data)
    return data if place is None else data[: place[0]] + data[place[1] :]


def _double_element(random: Random, data: bytes) -> bytes:
    place = _element(random, data)
    if place is None:
        return data
    piece = data[slice(*place)]
    return data[: place[1]] + piece * random.choice((1, 2, 10, 300, 3_000)) + data[place[1] :]


def _move_element(random: Random, data: bytes) -> bytes:
    place, other = _element(random, data), _element(random, data)
    if place is None or other is None:
        return data
    piece = data[slice(*place)]
    return data[: other[0]] + piece + data[other[1] :]


def _nest(random: Random, data: bytes) -> bytes:
    """An element in itself, in itself ..."""
    found = [match for match in _tags(data) if not match[1] and not match[4]]
    if not found:
        return data
    match = random.choice(found)
    times = random.choice((5, 100, 200, 240, 1_000, 10_000))
    return data[: match.start()] + match[0] * times + b"x" + b"</%s>" % match[2] * times + data[match.start() :]


def _attribute(random: Random, data: bytes) -> bytes:
    found = list(_ATTRIBUTE.finditer(data[:LARGEST]))
    if not found:
        return data
    match = random.choice(found)
    value = random.choice((*NUMBERS, random.choice(found)[2], b"x" * 70_000, b"&#9;", b"\xff"))
    if random.random() < 0.15:
        return data[: match.start()] + data[match.end() :]
    return data[: match.start(2)] + value + data[match.end(2) :]


def _document_type(random: Random, data: bytes) -> bytes:
    at = data.find(b"?>") + 2 if data.startswith(b"<?xml") else 0
    return data[:at] + _DOCTYPE + data[at:].replace(b">x<", b">&b;<")


def _namespace(random: Random, data: bytes) -> bytes:
    found = list(re.finditer(rb'xmlns(?::\w+)?="([^"]*)"', data))
    if not found:
        return data
    match = random.choice(found)
    return data[: match.start(1)] + random.choice((*_NAMESPACES, random.choice(found)[1])) + data[match.end(1) :]


def _encoding(random: Random, data: bytes) -> bytes:
    text = data.decode("utf-8", "replace")
    if random.random() < 0.5:
        return text.encode(random.choice(("utf-16", "utf-16-be", "utf-32", "cp1252", "utf-7")), "replace")
    return data.replace(
        b"UTF-8", random.choice((b"UTF-16", b"utf-7", b"EBCDIC-CP-US", b"x" * 300, b"iso-2022-jp", b"")), 1
    )


def _any(random: Random, data: bytes) -> bytes:
    return mutated(random, data, [data], (*GENERIC, digits, digits, words(_TOKENS), words(_TOKENS)))


_XML = (
    *(_drop_tag, _drop_element, _double_element, _move_element, _nest, _attribute, _attribute, _attribute, _attribute),
    *(_document_type, _namespace, _encoding, _any, _any, _any),
)


# --- the zip around the parts --------------------------------------------------------------------------------------------------


def _zipped(random: Random, parts: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    method = random.choice(
        (zipfile.ZIP_DEFLATED, zipfile.ZIP_DEFLATED, zipfile.ZIP_DEFLATED, zipfile.ZIP_STORED, zipfile.ZIP_BZIP2)
    )
    with warnings.catch_warnings(), zipfile.ZipFile(out, "w", method) as archive:
        warnings.simplefilter("ignore")
        for name, data in parts.items():
            archive.writestr(zipfile.ZipInfo(name[:60_000]), data, method)
            if random.random() < 0.01:
                archive.writestr(zipfile.ZipInfo(name[:60_000]), data[: len(data) // 2], method)
    data = out.getvalue()
    return _damaged(random, data) if random.random() < 0.15 else data


def _damaged(random: Random, data: bytes) -> bytes:
    """A number of the directory, of a local header or of the end record put wrong."""
    signature, fields = random.choice(
        (
            (b"PK\x01\x02", (4, 6, 8, 10, 16, 20, 24, 28, 30, 32, 42)),
            (b"PK\x03\x04", (6, 8, 14, 18, 22, 26, 28)),
            (b"PK\x05\x06", (8, 10, 12, 16, 20)),
        )
    )
    places = [match.start() for match in re.finditer(re.escape(signature), data)]
    if not places:
        return data
    at = random.choice(places) + random.choice(fields)
    value = random.choice((*WIDE_EDGES, len(data), random.choice(places)))
    size = random.choice((2, 4))
    return data[:at] + struct.pack("<I", value & 0xFFFFFFFF)[:size] + data[at + size :]
