"""Printed paragraph numbers, computed from a document's numbering definitions as Word prints them.

The rules (ECMA-376 part 1, 17.9): numbers are counted per abstract definition; an instance (`w:num`) with a start override sets
the counter anew at its first use of that level; a level restarts when a higher one is used, unless `w:lvlRestart` says
otherwise; a higher level that was never used shows its start value; `w:isLgl` prints all of a label in decimal digits.
A style names its list in its own numbering properties, and a level of the list names the style that it belongs to.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

from redwell.room.formats.docx_styles import Style, Styles, integer, switch, value, w
from redwell.room.formats.numerals import printed
from redwell.room.formats.safexml import Element

_LEVELS = 9
_LINKS = 10
_MC = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
_PLACEHOLDER = re.compile(r"%(\d)")
BULLET = "•"


@dataclass(frozen=True, slots=True)
class Level:
    """One level of a list."""

    start: int = 1
    form: str = "decimal"
    digits: int = 0
    text: str = ""
    suffix: str = "tab"
    restart: int | None = None
    legal: bool = False
    hidden: bool = False
    style: str | None = None


@dataclass(frozen=True, slots=True)
class Instance:
    """A list as paragraphs use it (`w:num`): its abstract definition, the levels it changes, the starts it sets."""

    abstract: str
    levels: dict[int, Level] = field(default_factory=dict)
    starts: dict[int, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Numbered:
    """A paragraph's place in a list: the instance's id and the level, counted from 0."""

    number: str
    level: int


@dataclass(frozen=True, slots=True)
class Printed:
    """A number as printed before a paragraph: its text and what parts it from the paragraph ("" or a space).

    `label` is the text without a full stop at its end, empty for bullets; `list` and `level` tell siblings from children.
    """

    text: str
    gap: str
    label: str
    list: str
    level: int


class Definitions:
    """The lists that a document defines; one that points nowhere, or round in a circle, numbers nothing."""

    def __init__(self, root: Element | None, styles: Styles) -> None:
        self._abstracts: dict[str, dict[int, Level]] = {}
        self._instances: dict[str, Instance] = {}
        self._styles = styles
        links: dict[str, str] = {}
        by_style: dict[str, str] = {}
        for element in () if root is None else root.iterchildren(w("abstractNum")):
            key = element.get(w("abstractNumId"), "")
            self._abstracts[key] = _levels(element)
            style_link, number_link = value(element, "styleLink"), value(element, "numStyleLink")
            if style_link is not None:
                by_style.setdefault(style_link, key)
            if number_link is not None:
                links[key] = number_link
        for element in () if root is None else root.iterchildren(w("num")):
            instance = _instance(element)
            self._instances.setdefault(element.get(w("numId"), ""), instance)
        self._targets = {key: self._follow(key, links, by_style) for key in self._abstracts}
        self._by_paragraph_style = {
            (key, level.style): index
            for key, levels in self._abstracts.items()
            for index, level in levels.items()
            if level.style is not None
        }

    def _follow(self, key: str, links: dict[str, str], by_style: dict[str, str]) -> str:
        """The abstract definition that holds the levels of this one, through links by numbering style."""
        for _ in range(_LINKS):
            if key not in links:
                break
            style = links[key]
            number = self._styles.number_of(style)
            through_style = self._instances.get(number or "")
            target = by_style.get(style) or (through_style.abstract if through_style else None)
            if target is None or target == key:
                break
            key = target
        return key

    def abstract(self, number: str) -> str | None:
        """The id under which the numbers of an instance are counted, None when the instance is not defined."""
        instance = self._instances.get(number)
        if instance is None:
            return None
        target = self._targets.get(instance.abstract)
        return target if target in self._abstracts else None

    def level(self, number: str, index: int) -> Level | None:
        """A level of an instance, with what the instance changes; None when it is not defined."""
        key = self.abstract(number)
        if key is None:
            return None
        level = self._instances[number].levels.get(index) or self._abstracts[key].get(index)
        start = self._instances[number].starts.get(index)
        return level if level is None or start is None else replace(level, start=start)

    def start(self, number: str, index: int) -> int | None:
        """The start that an instance sets anew for a level, None when it goes on counting."""
        instance = self._instances.get(number)
        return None if instance is None else instance.starts.get(index)

    def place(self, numbering: Element | None, style: Style) -> Numbered | None:
        """A paragraph's place in a list, from its own numbering properties and its style; None when it has no number."""
        direct = value(numbering, "numId")
        number = direct if direct is not None else style.number
        if number is None or number == "0":
            return None
        index = integer(value(numbering, "ilvl"))
        if index is None:
            index = self._style_level(number, style)
        if index is None:
            index = style.level if direct is None or direct == style.number else 0
        index = min(max(index or 0, 0), _LEVELS - 1)
        return Numbered(number, index) if self.level(number, index) is not None else None

    def _style_level(self, number: str, style: Style) -> int | None:
        key = self.abstract(number)
        for style_id in style.chain:
            index = self._by_paragraph_style.get((key or "", style_id))
            if index is not None:
                return index
        return None


class Counter:
    """Counts the paragraphs of one view of one text, in the order in which they are printed."""

    def __init__(self, definitions: Definitions) -> None:
        self._definitions = definitions
        self._counts: dict[str, dict[int, int]] = {}
        self._started: set[tuple[str, int]] = set()

    def next(self, place: Numbered) -> Printed:
        """Counts a paragraph and gives its number as printed."""
        definitions, index = self._definitions, place.level
        key = definitions.abstract(place.number)
        level = definitions.level(place.number, index)
        if key is None or level is None:
            return Printed("", "", "", "", index)
        counts = self._counts.setdefault(key, {})
        anew = definitions.start(place.number, index)
        if anew is not None and (place.number, index) not in self._started:
            counts[index] = anew
        elif index in counts:
            counts[index] += 1
        else:
            counts[index] = level.start
        self._started.add((place.number, index))
        self._restart_below(place, counts)
        return self._printed(place, level, counts, key)

    def _restart_below(self, place: Numbered, counts: dict[int, int]) -> None:
        for lower in range(place.level + 1, _LEVELS):
            level = self._definitions.level(place.number, lower)
            after = None if level is None else level.restart
            if lower in counts and (after is None or place.level < after):
                del counts[lower]

    def _printed(self, place: Numbered, level: Level, counts: dict[int, int], key: str) -> Printed:
        gap = "" if level.suffix == "nothing" else " "
        if level.hidden:
            return Printed("", "", "", key, place.level)
        if level.form == "bullet":
            return Printed(BULLET, " ", "", key, place.level)

        def number(match: re.Match[str]) -> str:
            index = int(match[1]) - 1
            other = level if index == place.level else self._definitions.level(place.number, index)
            if other is None or index < 0:
                return ""
            count = counts.get(index, other.start)
            if level.legal and other.form not in ("none", "bullet"):
                return str(count)
            return str(count).zfill(other.digits) if other.digits else printed(count, other.form)

        text = _PLACEHOLDER.sub(number, level.text).replace("\t", " ").strip()
        label = re.sub(r"[.:]$", "", text) if any(c.isalnum() for c in text) or "%" in level.text else ""
        return Printed(text, gap if text else "", label, key, place.level)


def _levels(element: Element) -> dict[int, Level]:
    found: dict[int, Level] = {}
    for child in element.iterchildren(w("lvl")):
        index = integer(child.get(w("ilvl")))
        if index is not None and 0 <= index < _LEVELS:
            found[index] = _level(child)
    return found


def _level(element: Element) -> Level:
    form, digits = _form(element)
    start = integer(value(element, "start"))
    return Level(
        start=1 if start is None else start,
        form=form,
        digits=digits,
        text=value(element, "lvlText") or "",
        suffix=value(element, "suff") or "tab",
        restart=integer(value(element, "lvlRestart")),
        legal=switch(element, "isLgl") or False,
        hidden=switch(element.find(w("rPr")), "vanish") or False,
        style=value(element, "pStyle"),
    )


def _form(element: Element) -> tuple[str, int]:
    """The number form, and for one such as "001, 002, ..." how many digits it is filled to."""
    child = element.find(w("numFmt"))
    if child is None:
        child = element.find(f"{_MC}AlternateContent/{_MC}Choice/{w('numFmt')}")
    if child is None:
        return "decimal", 0
    form = child.get(w("val")) or "decimal"
    if form == "custom":
        first = (child.get(w("format")) or "").split(",")[0].strip()
        return "decimal", min(len(first), 12) if first.isdigit() else 0
    return form, 0


def _instance(element: Element) -> Instance:
    levels: dict[int, Level] = {}
    starts: dict[int, int] = {}
    for override in element.iterchildren(w("lvlOverride")):
        index = integer(override.get(w("ilvl")))
        if index is None or not 0 <= index < _LEVELS:
            continue
        level = override.find(w("lvl"))
        if level is not None:
            levels[index] = _level(level)
        start = integer(value(override, "startOverride"))
        if start is not None:
            starts[index] = start
    return Instance(value(element, "abstractNumId") or "", levels, starts)
