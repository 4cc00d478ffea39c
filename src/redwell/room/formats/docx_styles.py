"""What styles say that a reader of text must know: numbering, headings, and whether text can be seen.

Every walk along `basedOn` is bounded, so that styles that are based on each other in a loop end.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from redwell.room.formats.safexml import Element

WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
W14 = "{http://schemas.microsoft.com/office/word/2010/wordml}"

_CHAIN = 40
_TINY_HALF_POINTS = 6
_CONTRAST = 1.25
"""Below this ratio (WCAG 2 contrast, 1 to 21) text cannot be told from what is behind it."""
_HIGHLIGHTS = {
    "black": "000000",
    "blue": "0000FF",
    "cyan": "00FFFF",
    "green": "00FF00",
    "magenta": "FF00FF",
    "red": "FF0000",
    "yellow": "FFFF00",
    "white": "FFFFFF",
    "darkBlue": "000080",
    "darkCyan": "008080",
    "darkGreen": "008000",
    "darkMagenta": "800080",
    "darkRed": "800000",
    "darkYellow": "808000",
    "darkGray": "808080",
    "lightGray": "C0C0C0",
}
_THEME = {"background1": "FFFFFF", "light1": "FFFFFF", "text1": "000000", "dark1": "000000"}
_HEX = re.compile(r"[0-9A-Fa-f]{6}")
_HEADING_NAME = re.compile(r"heading \d|title|subtitle", re.IGNORECASE)


def w(name: str) -> str:
    """The qualified name of a WordprocessingML element or attribute."""
    return f"{{{WORD}}}{name}"


_VAL = w("val")


def value(parent: Element | None, name: str) -> str | None:
    """The `w:val` of a child, None when the child or its value is missing."""
    child = None if parent is None else parent.find(w(name))
    return None if child is None else child.get(_VAL)


def integer(text: str | None) -> int | None:
    """A whole number of at most nine digits, None for anything else."""
    if text is None or re.fullmatch(r"[+-]?\d{1,9}", text.strip()) is None:
        return None
    return int(text)


def switch(parent: Element | None, name: str) -> bool | None:
    """An on/off child: True, False, or None when it is not there."""
    child = None if parent is None else parent.find(w(name))
    if child is None:
        return None
    return (child.get(_VAL) or "1").lower() not in ("0", "false", "off", "none")


@dataclass(frozen=True, slots=True)
class Look:
    """How a run looks, as far as set: None leaves it to what lies below (style, paragraph, cell, page)."""

    vanish: bool | None = None
    color: str | None = None
    fill: str | None = None
    size: int | None = None
    empty: bool = False

    def over(self, below: Look) -> Look:
        """This look, with what it leaves open taken from the one below."""
        return Look(
            below.vanish if self.vanish is None else self.vanish,
            below.color if self.color is None else self.color,
            below.fill if self.fill is None else self.fill,
            below.size if self.size is None else self.size,
            self.empty or below.empty,
        )

    def unseen(self, background: str | None) -> bool:
        """Whether such text cannot be seen on the background (six hex digits; None when not known)."""
        if self.vanish or self.empty:
            return True
        if self.size is not None and 0 < self.size <= _TINY_HALF_POINTS:
            return True
        behind = self.fill or background
        if self.color is None or self.color == "auto" or behind is None:
            return False
        return contrast(self.color, behind) < _CONTRAST


_PLAIN = Look()


def look(properties: Element | None) -> Look:
    """The look that run properties (`w:rPr`) set."""
    if properties is None or len(properties) == 0:
        return _PLAIN
    fill = fill_of(properties.find(w("shd")))
    highlight = value(properties, "highlight")
    if highlight is not None and highlight != "none":
        fill = _HIGHLIGHTS.get(highlight, fill)
    scale = integer((value(properties, "w") or "").rstrip("%") or None)
    text_fill = properties.find(W14 + "textFill")
    unfilled = text_fill is not None and text_fill.find(W14 + "noFill") is not None
    return Look(
        switch(properties, "vanish"),
        color_of(properties.find(w("color"))),
        fill,
        integer(value(properties, "sz")),
        unfilled or (scale is not None and 0 < scale <= 5),
    )


def color_of(element: Element | None) -> str | None:
    """The colour of a `w:color`: six upper-case hex digits, `auto`, or None."""
    if element is None:
        return None
    given = element.get(_VAL, "")
    if _HEX.fullmatch(given):
        return given.upper()
    return _THEME.get(element.get(w("themeColor"), ""), "auto")


def fill_of(shading: Element | None) -> str | None:
    """The fill of a `w:shd` as six upper-case hex digits, None when there is none."""
    if shading is None:
        return None
    name = "color" if shading.get(_VAL) == "solid" else "fill"
    given = shading.get(w(name), "")
    if _HEX.fullmatch(given):
        return given.upper()
    return _THEME.get(shading.get(w("theme" + name.capitalize()), ""))


def contrast(first: str, second: str) -> float:
    """The contrast of two colours given as six hex digits: 1 (the same) to 21 (black on white), as in WCAG 2."""
    a, b = sorted((_luminance(first), _luminance(second)))
    return (b + 0.05) / (a + 0.05)


def _luminance(color: str) -> float:
    def linear(channel: int) -> float:
        part = channel / 255
        return part / 12.92 if part <= 0.03928 else float(((part + 0.055) / 1.055) ** 2.4)

    red, green, blue = (int(color[i : i + 2], 16) for i in (0, 2, 4))
    return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)


@dataclass(slots=True)
class Style:
    """A paragraph style with what it inherits: its numbering, whether it is a heading or a table of contents, its look."""

    id: str
    chain: tuple[str, ...] = ()
    number: str | None = None
    level: int | None = None
    heading: bool = False
    contents: bool = False
    look: Look = field(default_factory=Look)
    background: str | None = None


@dataclass(slots=True)
class TableStyle:
    """The fills of a table style by region (`firstRow`, `firstCol` ..., `` for the whole table)."""

    fills: dict[str, str] = field(default_factory=dict)


class Styles:
    """The styles of a document; every lookup of an unknown style gives one that says nothing."""

    def __init__(self, root: Element | None) -> None:
        self._elements: dict[str, Element] = {}
        self._default = ""
        self.base = _PLAIN
        for element in () if root is None else root.iter(w("style")):
            style_id = element.get(w("styleId"), "")
            self._elements.setdefault(style_id, element)
            if element.get(w("type")) == "paragraph" and element.get(w("default")) in ("1", "true", "on"):
                self._default = style_id
        if root is not None:
            self.base = look(root.find(f"{w('docDefaults')}/{w('rPrDefault')}/{w('rPr')}"))
        self._paragraphs: dict[str, Style] = {}
        self._characters: dict[str, Look] = {}
        self._tables: dict[str, TableStyle] = {}

    def number_of(self, style_id: str) -> str | None:
        """The numbering id that a style (a numbering style, too) names, following `basedOn`."""
        for element in self._chain(style_id):
            number = value(element.find(f"{w('pPr')}/{w('numPr')}"), "numId")
            if number is not None:
                return number
        return None

    def paragraph(self, style_id: str | None) -> Style:
        """The paragraph style of that id; the default one when none is named or it is unknown."""
        key = style_id if style_id in self._elements else self._default
        if key is None:
            key = ""
        if key not in self._paragraphs:
            self._paragraphs[key] = self._resolve(key)
        return self._paragraphs[key]

    def character(self, style_id: str | None) -> Look:
        """What a character style says of how its runs look."""
        if style_id is None:
            return _PLAIN
        if style_id not in self._characters:
            self._characters[style_id] = self._look(style_id)
        return self._characters[style_id]

    def table(self, style_id: str | None) -> TableStyle:
        """The fills of a table style."""
        if style_id is None:
            return TableStyle()
        if style_id not in self._tables:
            style = TableStyle()
            for element in reversed(self._chain(style_id)):
                for region, owner in [("", element)] + [
                    (part.get(w("type"), ""), part) for part in element.iterchildren(w("tblStylePr"))
                ]:
                    fill = fill_of(owner.find(f"{w('tcPr')}/{w('shd')}"))
                    if fill is not None:
                        style.fills[region] = fill
            self._tables[style_id] = style
        return self._tables[style_id]

    def _chain(self, style_id: str) -> list[Element]:
        """The style and those it is based on, nearest first; a loop or an absurd length ends the walk."""
        chain: list[Element] = []
        seen: set[str] = set()
        current: str | None = style_id
        while current in self._elements and current not in seen and len(chain) < _CHAIN:
            seen.add(current)
            element = self._elements[current]
            chain.append(element)
            current = value(element, "basedOn")
        return chain

    def _look(self, style_id: str) -> Look:
        merged = _PLAIN
        for element in self._chain(style_id):
            merged = merged.over(look(element.find(w("rPr"))))
        return merged

    def _resolve(self, style_id: str) -> Style:
        style = Style(style_id, look=self._look(style_id))
        chain = self._chain(style_id)
        style.chain = tuple(element.get(w("styleId"), "") for element in chain)
        outline: int | None = None
        for element in chain:
            name = value(element, "name") or ""
            style.heading = style.heading or _HEADING_NAME.fullmatch(name) is not None
            style.contents = style.contents or re.fullmatch(r"toc \d", name, re.IGNORECASE) is not None
            properties = element.find(w("pPr"))
            if properties is None:
                continue
            numbering = properties.find(w("numPr"))
            if style.number is None:
                style.number = value(numbering, "numId")
            if style.level is None:
                style.level = integer(value(numbering, "ilvl"))
            if style.background is None:
                style.background = fill_of(properties.find(w("shd")))
            if outline is None:
                outline = integer(value(properties, "outlineLvl"))
        if outline is not None:
            style.heading = 0 <= outline < 9
        if style.contents:
            style.heading = False
        return style
