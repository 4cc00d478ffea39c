"""The parts of a workbook that its sheets share: the list of sheets, strings, styles, names, links and people."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from io import BytesIO
from typing import TypeVar

from lxml import etree

from redwell.room.formats.number_format import BUILT_IN, is_date_format
from redwell.room.formats.ooxml import Element, Package, whole
from redwell.room.formats.safexml import checked, not_well_formed
from redwell.room.types import Unreadable

MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
RELATION = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
THREADED = "{http://schemas.microsoft.com/office/spreadsheetml/2018/threadedcomments}"
_Item = TypeVar("_Item")
_WHITE = frozenset(("FFFFFFFF", "00FFFFFF", "FFFFFF"))
_WHITE_INDEXES = frozenset(("1", "9", "65"))
_ESCAPED = re.compile(r"_x([0-9A-Fa-f]{4})_")


@dataclass(frozen=True, slots=True)
class Style:
    """What matters of a cell's style: its number format, whether that shows dates, bold, and whether its text is invisible."""

    code: str = ""
    is_date: bool = False
    bold: bool = False
    invisible: bool = False


@dataclass(slots=True)
class Sheet:
    """A sheet as the workbook lists it. `state` is visible, hidden or veryHidden (not even listed by the program)."""

    name: str
    part: str
    state: str


@dataclass(slots=True)
class Workbook:
    package: Package
    part: str
    sheets: list[Sheet]
    strings: list[str]
    styles: list[Style]
    date1904: bool
    names: list[tuple[str, str, bool]] = field(default_factory=list)
    print_titles: dict[str, set[int]] = field(default_factory=dict)
    people: dict[str, str] = field(default_factory=dict)


def open_workbook(package: Package) -> Workbook:
    """The workbook of a package, its sheets in the order of their tabs.

    Raises:
        Unreadable: when the main part is missing, damaged or hostile.
    """
    part = package.main_part()
    root = package.xml(part)
    if root is None or root.tag != MAIN + "workbook":
        raise Unreadable("its main part is not a workbook")
    links = package.relationships(part)
    sheets: list[Sheet] = []
    for element in root.iterfind(f"{MAIN}sheets/{MAIN}sheet"):
        link = links.get(element.get(RELATION + "id", ""))
        state = element.get("state", "visible")
        sheets.append(Sheet(element.get("name", f"Sheet{len(sheets) + 1}"), "" if link is None else link.target, state))
    properties = root.find(MAIN + "workbookPr")
    date1904 = properties is not None and properties.get("date1904", "0") in ("1", "true")
    book = Workbook(package, part, sheets, _strings(package, part), _styles(package, part), date1904)
    for name in root.iterfind(f"{MAIN}definedNames/{MAIN}definedName"):
        _add_name(book, name)
    for person_part in package.related(part, "person"):
        people = package.optional_xml(person_part)
        for person in () if people is None else people.iter(THREADED + "person"):
            book.people[person.get("id", "")] = person.get("displayName", "")
    return book


def events(data: bytes, name: str, tags: tuple[str, ...]) -> Iterator[Element]:
    """The elements of these tags in an XML part as each one ends, within bounded memory (free each with `free`).

    Raises:
        Unreadable: for a document type, a strange encoding, or XML that is not well-formed (after what came before it).
    """
    data = checked(data, name)
    options = {"resolve_entities": False, "no_network": True, "load_dtd": False, "huge_tree": False}
    looked = False
    try:
        for _, element in etree.iterparse(
            BytesIO(data), events=("end",), tag=tags, remove_comments=True, remove_pis=True, **options
        ):
            if not looked:
                looked = True
                if element.getroottree().docinfo.internalDTD is not None:
                    raise Unreadable(
                        f"its part {name} declares a document type, which Office files never do and attacks need"
                    )
            yield element
    except (etree.XMLSyntaxError, ValueError) as error:
        raise not_well_formed(name, error) from error


def free(element: Element) -> None:
    """Lets go of an element that was read, and of those before it."""
    element.clear()
    parent = element.getparent()
    while parent is not None and element.getprevious() is not None:
        del parent[0]


def rich_text(element: Element) -> str:
    """The words of a string item: plain or in runs, without the readings (phonetics) printed above them."""
    pieces = []
    for child in element:
        if child.tag == MAIN + "t":
            pieces.append(child.text or "")
        elif child.tag == MAIN + "r":
            pieces.extend(text.text or "" for text in child.iterfind(MAIN + "t"))
    return unescape("".join(pieces))


def unescape(text: str) -> str:
    """`_x000D_` and the like stand for characters that XML cannot hold; line breaks are all `\\n`."""
    if "_x" in text:
        text = _ESCAPED.sub(lambda match: chr(int(match[1], 16)), text)
        text = re.sub("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff]", " ", text)
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _strings(package: Package, part: str) -> list[str]:
    found: list[str] = []
    for name in package.related(part, "sharedStrings"):
        data = package.part(name)
        if data is None:
            continue
        try:
            for item in events(data, name, (MAIN + "si",)):
                found.append(rich_text(item))
                free(item)
        except Unreadable as error:
            package.problems.append(error.reason)
    return found


def _styles(package: Package, part: str) -> list[Style]:
    names = package.related(part, "styles")
    root = package.optional_xml(names[0]) if names else None
    if root is None:
        return []
    codes = dict(BUILT_IN)
    for number_format in root.iterfind(f"{MAIN}numFmts/{MAIN}numFmt"):
        identifier = whole(number_format.get("numFmtId"))
        if identifier is not None:
            codes[identifier] = number_format.get("formatCode", "")
    fonts = [_font(font) for font in root.iterfind(f"{MAIN}fonts/{MAIN}font")]
    fills = [_is_dark(fill) for fill in root.iterfind(f"{MAIN}fills/{MAIN}fill")]
    styles = []
    for xf in root.iterfind(f"{MAIN}cellXfs/{MAIN}xf"):
        code = codes.get(_integer(xf.get("numFmtId")), "")
        code = "" if code.lower() == "general" else code
        bold, white, tiny = _at(fonts, _integer(xf.get("fontId")), (False, False, False))
        filled = _at(fills, _integer(xf.get("fillId")), False)
        styles.append(Style(code, bool(code) and is_date_format(code), bold, tiny or (white and not filled)))
    return styles


def _font(font: Element) -> tuple[bool, bool, bool]:
    """(bold, white, too small to see)"""
    bold = font.find(MAIN + "b")
    color = font.find(MAIN + "color")
    size = font.find(MAIN + "sz")
    tiny = size is not None and 0 < _float(size.get("val")) < 2
    return bold is not None and bold.get("val", "1") not in ("0", "false"), color is not None and _is_white(color), tiny


def _is_white(color: Element) -> bool:
    if color.get("rgb", "").upper() in _WHITE or color.get("indexed") in ("1", "9"):
        return True
    return color.get("theme") == "0" and abs(_float(color.get("tint"))) < 0.02


def _is_dark(fill: Element) -> bool:
    """Whether a cell's background is anything but white or none."""
    pattern = fill.find(MAIN + "patternFill")
    if pattern is None:
        return fill.find(MAIN + "gradientFill") is not None
    if pattern.get("patternType", "none") == "none":
        return False
    color = pattern.find(MAIN + "fgColor")
    if color is None:
        return pattern.get("patternType") != "solid"
    return not (_is_white(color) or color.get("indexed") in _WHITE_INDEXES)


def _integer(value: str | None) -> int:
    return whole(value) or 0


def _float(value: str | None) -> float:
    try:
        return float(value or 0)
    except ValueError:
        return 0.0


def _at(items: list[_Item], index: int, default: _Item) -> _Item:
    return items[index] if index < len(items) else default


def _add_name(book: Workbook, element: Element) -> None:
    name, value = element.get("name", ""), (element.text or "").strip()
    sheet = whole(element.get("localSheetId"))
    if name == "_xlnm.Print_Titles":
        rows = re.findall(r"\$?(\d{1,7}):\$?(\d{1,7})", value)
        if rows and sheet is not None and sheet < len(book.sheets):
            first, last = int(rows[0][0]), int(rows[0][1])
            if 0 <= last - first < 10:
                book.print_titles.setdefault(book.sheets[sheet].name, set()).update(range(first, last + 1))
    if not name.startswith("_xlnm.") and value:
        book.names.append((name, value, element.get("hidden", "0") in ("1", "true")))
