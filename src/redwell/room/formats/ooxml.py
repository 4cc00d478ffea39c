"""Office packages (DOCX, XLSX, PPTX): parts, relationships, content types and properties, within limits.

Part names have no leading slash and `/` between their pieces, and are looked up without regard to case, as the packaging
standard (ECMA-376 part 2) asks.
"""

from __future__ import annotations

import posixpath
import re
from dataclasses import dataclass
from urllib.parse import unquote

from redwell.room.formats.safexml import Element, parse_xml
from redwell.room.formats.safezip import SafeZip
from redwell.room.types import Limits, Unreadable

__all__ = ["Element", "Package", "Relationship", "parse_xml"]

_RELATIONSHIPS = "{http://schemas.openxmlformats.org/package/2006/relationships}"
_TYPES = "{http://schemas.openxmlformats.org/package/2006/content-types}"
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_MAIN_NAMES = ("word/document.xml", "xl/workbook.xml", "ppt/presentation.xml")
_CORE = {
    "title": "title",
    "creator": "author",
    "lastModifiedBy": "last_modified_by",
    "created": "created",
    "modified": "modified",
    "lastPrinted": "last_printed",
    "subject": "subject",
    "keywords": "keywords",
    "description": "description",
    "category": "category",
    "contentStatus": "content_status",
    "revision": "revision",
}
_APP = {
    "Application": "application",
    "Company": "company",
    "Manager": "manager",
    "Pages": "pages_stated",
    "Template": "template",
}
_VALUE_LENGTH = 2000
_CUSTOM_PROPERTIES = 200


@dataclass(frozen=True, slots=True)
class Relationship:
    """A part's pointer to another part (`target` is its name) or out of the package (`target` is the address as given)."""

    type: str
    target: str
    external: bool

    @property
    def kind(self) -> str:
        """The last piece of the type: `styles`, `hyperlink`, `officeDocument` ..."""
        return self.type.rsplit("/", 1)[-1]


class Package:
    """An Office file opened from its bytes. `problems` gathers what was wrong and could be passed over.

    Raises:
        Unreadable: when it is no zip, needs a password, or passes a limit.
    """

    def __init__(self, data: bytes, limits: Limits) -> None:
        if data.startswith(_OLE):
            if "EncryptedPackage".encode("utf-16-le") in data:
                raise Unreadable("it is protected with a password; ask for a copy without one")
            raise Unreadable("it is in an old binary Office format, not the one that its name says")
        self._zip = SafeZip(data, limits)
        self.problems = self._zip.problems
        self._names: dict[str, str] = {}
        for name in self._zip.names():
            known = self._names.get(name.lower())
            if known is not None and known != name:
                self.problems.append(f"two parts are named {name}; the last one was read")
            self._names[name.lower()] = name
        self._relationships: dict[str, dict[str, Relationship]] = {}
        self._content_types: tuple[dict[str, str], dict[str, str]] | None = None

    def names(self) -> list[str]:
        """The names of all parts, in the order of the zip."""
        return list(self._names.values())

    def part(self, name: str) -> bytes | None:
        """The bytes of a part, or None when there is none of that name.

        Raises:
            Unreadable: when it is damaged, encrypted, or passes a limit.
        """
        known = self._names.get(name.lstrip("/").lower())
        return None if known is None else self._zip.read(known)

    def xml(self, name: str, *, recover: bool = False) -> Element | None:
        """The root element of an XML part, or None when there is none of that name.

        Raises:
            Unreadable: when it is damaged, hostile, or passes a limit.
        """
        data = self.part(name)
        return None if data is None else parse_xml(data, name, recover=recover)

    def named_xml(self, name: str) -> Element | None:
        """As `optional_xml`, for a part that another part names: that it is missing goes to `problems`, too."""
        if name.lower() not in self._names:
            self.problems.append(f"its part {name} is named in the file, but missing from it")
            return None
        return self.optional_xml(name)

    def optional_xml(self, name: str) -> Element | None:
        """As `xml`, for a part that one can do without: what is wrong with it goes to `problems`, and None comes back."""
        try:
            return self.xml(name)
        except Unreadable as error:
            self.problems.append(error.reason)
            return None

    def relationships(self, part_name: str = "") -> dict[str, Relationship]:
        """The relationships of a part by id; of the package itself when `part_name` is empty."""
        part_name = part_name.lstrip("/")
        if part_name not in self._relationships:
            self._relationships[part_name] = self._read_relationships(part_name)
        return self._relationships[part_name]

    def related(self, part_name: str, kind: str) -> list[str]:
        """Names of the parts to which `part_name` points with relationships of this kind (`styles`, `header` ...)."""
        links = self.relationships(part_name).values()
        return [link.target for link in links if link.kind == kind and not link.external]

    def main_part(self) -> str:
        """The name of the main part, found through the package's relationships, else its content types, else the usual names.

        Raises:
            Unreadable: when no main part can be found.
        """
        for target in self.related("", "officeDocument"):
            if target.lower() in self._names:
                return self._names[target.lower()]
        for name, content_type in self._types()[1].items():
            if content_type.endswith(".main+xml") and name in self._names:
                return self._names[name]
        for name in _MAIN_NAMES:
            if name in self._names:
                return self._names[name]
        raise Unreadable("it is a zip without the main part of an Office file")

    def content_type(self, name: str) -> str:
        """The content type of a part, empty when the package does not say."""
        defaults, overrides = self._types()
        name = name.lstrip("/").lower()
        return overrides.get(name) or defaults.get(name.rsplit(".", 1)[-1], "")

    def properties(self) -> dict[str, str]:
        """What the file says of itself: title, author, created, modified, company ...; custom properties as `custom.NAME`."""
        found: dict[str, str] = {}
        for kind, wanted in (("core-properties", _CORE), ("extended-properties", _APP)):
            for part in self.related("", kind):
                root = self.optional_xml(part)
                for child in () if root is None else root:
                    key = wanted.get(local_name(child))
                    value = (child.text or "").strip()
                    if key and value:
                        found.setdefault(key, value[:_VALUE_LENGTH])
        for part in self.related("", "custom-properties"):
            root = self.optional_xml(part)
            for child in () if root is None else list(root)[:_CUSTOM_PROPERTIES]:
                value = "".join(str(piece) for piece in child.itertext()).strip()
                if child.get("name") and value:
                    found.setdefault(f"custom.{child.get('name')}", value[:_VALUE_LENGTH])
        return found

    def _types(self) -> tuple[dict[str, str], dict[str, str]]:
        """Content types by extension and by part name, both in lower case."""
        if self._content_types is None:
            defaults: dict[str, str] = {}
            overrides: dict[str, str] = {}
            root = self.optional_xml("[Content_Types].xml")
            for child in () if root is None else root:
                content_type = child.get("ContentType", "")
                if child.tag == _TYPES + "Default":
                    defaults[child.get("Extension", "").lower()] = content_type
                elif child.tag == _TYPES + "Override":
                    overrides[child.get("PartName", "").lstrip("/").lower()] = content_type
            self._content_types = (defaults, overrides)
        return self._content_types

    def _read_relationships(self, part_name: str) -> dict[str, Relationship]:
        folder, base = posixpath.split(part_name)
        root = self.optional_xml(posixpath.join(folder, "_rels", base + ".rels"))
        found: dict[str, Relationship] = {}
        for child in () if root is None else root.iter(_RELATIONSHIPS + "Relationship"):
            target = child.get("Target", "")
            external = child.get("TargetMode", "").lower() == "external"
            if not external:
                target = resolve(folder, target)
            found[child.get("Id", "")] = Relationship(child.get("Type", ""), target, external)
        return found


def resolve(folder: str, target: str) -> str:
    """The part name that `target` means when it stands in a relationship of a part in `folder`; it never leaves the package."""
    target = unquote(re.split(r"[#?]", target, maxsplit=1)[0]).replace("\\", "/")
    joined = posixpath.normpath(posixpath.join("/", folder, target))
    return joined.lstrip("/")


def local_name(element: Element) -> str:
    """An element's name without its namespace."""
    return str(element.tag).rsplit("}", 1)[-1]


def whole(text: str | None) -> int | None:
    """A whole number of at most nine digits and no sign, None for anything else."""
    digits = "" if text is None else text.strip()
    return int(digits) if digits.isdecimal() and digits.isascii() and len(digits) < 10 else None
