"""What of an HTML page a reader does not see: elements hidden by attribute or style, and text in the colour of its background."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from redwell.room.formats.ooxml import Element

_MARK = re.compile(r"[{};]")
_SELECTOR = re.compile(r"([a-z][a-z0-9]*)?([.#][A-Za-z0-9_-]+)?", re.IGNORECASE)
_RGB = re.compile(r"rgba?\(\s*(\d{1,3})\s*[, ]\s*(\d{1,3})\s*[, ]\s*(\d{1,3})\s*(?:[,/]\s*([\d.]+%?)\s*)?\)")
_ZERO = re.compile(r"(?:0*\.)?0+(?:px|pt|em|rem|%|ex|in|cm|mm|vw|vh)?|0*[01](?:\.\d+)?(?:px|pt)|0?\.\d+(?:px|pt)")
_FAR = re.compile(r"-\d{3,}(?:\.\d+)?(?:px|pt)?|-\d{2,}(?:\.\d+)?(?:em|rem)")
_NAMED = {
    "white": "ffffff",
    "black": "000000",
    "red": "ff0000",
    "yellow": "ffff00",
    "blue": "0000ff",
    "green": "008000",
}
_MAX_SHEET = 200_000


@dataclass(frozen=True, slots=True)
class Look:
    """How an element looks so far: hidden, struck out, inserted, and its colours (six hex digits, or empty when not known)."""

    hidden: bool = False
    struck: bool = False
    inserted: bool = False
    color: str = "000000"
    background: str = "ffffff"


@dataclass(slots=True)
class Styles:
    """Rules of a page's style sheets whose selector is one tag, class or id."""

    rules: dict[str, dict[str, str]] = field(default_factory=dict)

    def add(self, sheet: str) -> None:
        """Takes in a style sheet; rules for print and other media, and longer selectors, are passed over."""
        for selectors, body in _rules(_without_comments(sheet[:_MAX_SHEET])):
            declarations = _declarations(body)
            for selector in selectors.split(","):
                selector = selector.strip()
                if selector and _SELECTOR.fullmatch(selector):
                    self.rules.setdefault(selector.lower(), {}).update(declarations)

    def look(self, element: Element, tag: str, parent: Look) -> Look:
        """How an element looks inside a parent that looks so."""
        given = dict(self.rules.get(tag, ())) if self.rules else {}
        if self.rules:
            for name in element.get("class", "").lower().split()[:20]:
                given.update(self.rules.get("." + name, ()))
                given.update(self.rules.get(f"{tag}.{name}", ()))
            if identifier := element.get("id", "").lower():
                given.update(self.rules.get("#" + identifier, ()))
        if style := element.get("style", ""):
            given.update(_declarations(style))
        if tag == "font" and element.get("color"):
            given["color"] = element.get("color", "")
        if element.get("bgcolor"):
            given.setdefault("background-color", element.get("bgcolor", ""))
        hidden = parent.hidden or _is_hidden(element, tag, given)
        line = given.get("text-decoration", given.get("text-decoration-line", ""))
        struck = parent.struck or tag in ("s", "strike", "del") or "line-through" in line
        background = _background(given, parent.background)
        color = _color(given["color"]) if "color" in given else parent.color
        if "color" in given and (color == "transparent" or (color and color == background)):
            hidden = True
        return Look(hidden, struck, parent.inserted or tag == "ins", color, background)


def _without_comments(sheet: str) -> str:
    """The sheet without its comments; one that nothing ends goes on to the end."""
    kept, at = [], 0
    while (begin := sheet.find("/*", at)) >= 0:
        kept.append(sheet[at:begin])
        end = sheet.find("*/", begin + 2)
        at = len(sheet) if end < 0 else end + 2
    kept.append(sheet[at:])
    return " ".join(kept).replace("<!--", " ").replace("-->", " ")


def _rules(sheet: str) -> Iterator[tuple[str, str]]:
    """Selectors and declarations of each rule that stands in no other, in one pass; what begins with @ is passed over with all in it."""
    depth, begin, body, whole = 0, 0, 0, True
    for mark in _MARK.finditer(sheet):
        if mark[0] == "{":
            if depth:
                whole = False
            else:
                body, whole = mark.end(), not sheet[begin : mark.start()].lstrip().startswith("@")
            depth += 1
        elif mark[0] == "}" and depth:
            depth -= 1
            if not depth:
                if whole:
                    yield sheet[begin : body - 1], sheet[body : mark.start()]
                begin = mark.end()
        elif not depth:
            begin = mark.end()
    if depth == 1 and whole:  # as browsers do, where the last rule is not closed
        yield sheet[begin : body - 1], sheet[body:]


def _is_hidden(element: Element, tag: str, given: dict[str, str]) -> bool:
    if tag == "template" or element.get("hidden") is not None or element.get("aria-hidden", "").lower() == "true":
        return True
    if tag == "input" and element.get("type", "").lower() == "hidden":
        return True
    if (
        given.get("display") == "none"
        or given.get("visibility") in ("hidden", "collapse")
        or given.get("mso-hide") == "all"
    ):
        return True
    if _ZERO.fullmatch(given.get("font-size", "")) or given.get("opacity") in ("0", "0.0", "0%"):
        return True
    if _FAR.fullmatch(given.get("text-indent", "")):
        return True
    if given.get("position") in ("absolute", "fixed") and any(
        _FAR.fullmatch(given.get(side, "")) for side in ("left", "top", "right")
    ):
        return True
    clipped = given.get("overflow") == "hidden" and _ZERO.fullmatch(given.get("max-height", given.get("height", "")))
    return bool(clipped)


def _declarations(style: str) -> dict[str, str]:
    out = {}
    for declaration in style[:5000].lower().split(";"):
        name, colon, value = declaration.partition(":")
        if colon:
            out[name.strip()] = value.replace("!important", "").strip()
    return out


def _background(given: dict[str, str], parent: str) -> str:
    value = given.get("background-color") or given.get("background", "")
    if not value or value in ("none", "transparent", "inherit", "initial", "unset"):
        return parent
    return _color(value.split()[0] if not value.startswith("rgb") else value)


def _color(value: str) -> str:
    """Six hex digits, `transparent`, or empty for a colour that is not known."""
    value = value.strip().lower()
    if match := _RGB.match(value):
        if match[4] in ("0", "0.0", "0%", ".0"):
            return "transparent"
        return "".join(f"{min(255, int(match[i])):02x}" for i in (1, 2, 3))
    if re.fullmatch(r"#?[0-9a-f]{6}", value):
        return value.lstrip("#")
    if re.fullmatch(r"#[0-9a-f]{3}", value):
        return "".join(c * 2 for c in value[1:])
    return "transparent" if value == "transparent" else _NAMED.get(value, "")
