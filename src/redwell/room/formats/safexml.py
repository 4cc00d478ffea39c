"""Parsing XML that may be hostile: no document type, no entities, no network, bounded depth and text size.

A document type is looked for in the decoded prolog, so that UTF-16 hides nothing; encodings in which `<` is not the byte
0x3C (UTF-7, UTF-32, EBCDIC) are refused. Namespaces of "Strict" Office files are rewritten to the usual ones, so that every
reader knows one set of names.
"""

from __future__ import annotations

import codecs
import re

from lxml import etree

from redwell.room.types import Unreadable

Element = etree._Element

_DECLARATION = re.compile(rb"\A\s*<\?xml\s[^>]*?encoding\s*=\s*[\"']([A-Za-z0-9._-]+)[\"']")
_ANY_DECLARATION = re.compile(r"\A\s*<\?xml\s[^>]*?\?>")
_PROLOG = re.compile(rb"\A(?:\s+|<\?.*?\?>|<!--.*?-->)*", re.DOTALL)
_ASCII_BASED = frozenset(
    ("utf-8", "utf8", "us-ascii", "ascii", "iso-8859-1", "iso-8859-15", "latin1", "windows-1252", "windows-1251")
)
_STRICT = re.compile(rb"http://purl\.oclc\.org/ooxml/([A-Za-z]+)/")
_STRICT_NAMES = {
    b"/2006/extendedProperties": b"/2006/extended-properties",
    b"/2006/customProperties": b"/2006/custom-properties",
}


def parse_xml(data: bytes, name: str, *, recover: bool = False) -> Element:
    """The root element of an XML part; comments and processing instructions are left out.

    Args:
        data: the bytes of the part.
        name: what to call the part in an error.
        recover: keep what can be read of a part that is not well-formed.

    Raises:
        Unreadable: for a document type, a strange encoding, too deep nesting, or XML that is not well-formed.
    """
    data = checked(data, name)
    parser = etree.XMLParser(
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        dtd_validation=False,
        attribute_defaults=False,
        huge_tree=False,
        remove_comments=True,
        remove_pis=True,
        recover=recover,
    )
    try:
        root: Element | None = etree.fromstring(data, parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        raise not_well_formed(name, error) from error
    if root is None:
        raise Unreadable(f"its part {name} holds no XML")
    if root.getroottree().docinfo.internalDTD is not None:
        raise Unreadable(f"its part {name} declares a document type, which Office files never do and attacks need")
    return root


def checked(data: bytes, name: str) -> bytes:
    """The bytes of an XML part in an encoding and with the names that every reader knows.

    Raises:
        Unreadable: for a document type or a strange encoding.
    """
    data = _utf8(data, name)
    prolog = _PROLOG.match(data)
    if prolog is not None and data[prolog.end() : prolog.end() + 2] == b"<!":
        raise Unreadable(f"its part {name} declares a document type, which Office files never do and attacks need")
    return transitional(data) if b"http://purl.oclc.org/ooxml/" in data else data


def not_well_formed(name: str, error: Exception) -> Unreadable:
    """What to raise for an XML part that the parser refused."""
    return Unreadable(f"its part {name} is not well-formed XML ({_plain(error)})")


def transitional(data: bytes) -> bytes:
    """The names of "Strict" Office XML (ISO/IEC 29500 part 1) rewritten to those of the common variant (part 4)."""
    data = _STRICT.sub(rb"http://schemas.openxmlformats.org/\1/2006/", data)
    for strict, common in _STRICT_NAMES.items():
        data = data.replace(strict, common)
    return data


def _utf8(data: bytes, name: str) -> bytes:
    if data.startswith((codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE, b"\x00\x00", b"<\x00\x00\x00", b"Lo\xa7\x94")):
        raise Unreadable(f"its part {name} is in an encoding that Office files never use")
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return _recoded(data, "utf-16", name)
    if data.startswith(b"<\0"):
        return _recoded(data, "utf-16-le", name)
    if data.startswith(b"\0<"):
        return _recoded(data, "utf-16-be", name)
    if data.startswith(codecs.BOM_UTF8):
        data = data[3:]
    declared = _DECLARATION.match(data)
    if declared is not None and declared[1].decode("ascii").lower() not in _ASCII_BASED:
        raise Unreadable(
            f"its part {name} is in the encoding {declared[1].decode('ascii')}, which Office files never use"
        )
    return data


def _recoded(data: bytes, encoding: str, name: str) -> bytes:
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        raise Unreadable(f"its part {name} is damaged (not {encoding.upper()} text)") from error
    return _ANY_DECLARATION.sub("", text.lstrip("\ufeff"), count=1).encode("utf-8", "replace")


def _plain(error: Exception) -> str:
    message = str(error).split(", line")[0].strip()
    if "depth" in message.lower():
        return "its elements are nested too deeply"
    position = re.search(r"line (\d+)", str(error))
    return message + (f", line {position[1]}" if position else "")
