"""HTML: one unit a block or table row, as a browser shows it; what it hides is kept and flagged."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from lxml import etree

from redwell.room.formats.encoding import decode
from redwell.room.formats.html_style import Look, Styles
from redwell.room.formats.html_table import is_data_table, table_units
from redwell.room.formats.numbered import number_clauses
from redwell.room.formats.ooxml import Element
from redwell.room.formats.table_rows import column_letters
from redwell.room.types import Limits, Parsed, ParsedUnit, Unreadable, View

_BLOCKS = frozenset(
    (
        *(
            "address",
            "article",
            "aside",
            "blockquote",
            "body",
            "caption",
            "center",
            "dd",
            "details",
            "dialog",
            "div",
            "dl",
            "dt",
        ),
        *(
            "fieldset",
            "figcaption",
            "figure",
            "footer",
            "form",
            "h1",
            "h2",
            "h3",
            "h4",
            "h5",
            "h6",
            "header",
            "hr",
            "html",
            "legend",
        ),
        *(
            "li",
            "main",
            "menu",
            "nav",
            "ol",
            "option",
            "p",
            "pre",
            "section",
            "summary",
            "table",
            "tbody",
            "td",
            "tfoot",
            "th",
        ),
        *("thead", "title", "tr", "ul", "template", "textarea", "select", "button"),
    )
)
_DROPPED = frozenset(("script", "style", "head", "object", "embed", "applet", "iframe", "svg", "math", "map"))
_HEADINGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
_CHARSET = re.compile(
    rb"<meta[^>]{0,200}?charset\s*=\s*[\"']?\s*([A-Za-z0-9_.:-]{2,40})|<\?xml[^>]{0,100}encoding\s*=\s*[\"']([A-Za-z0-9_.:-]{2,40})",
    re.IGNORECASE,
)
_SPACE = re.compile(r"[ \t\r\n\f\xa0]+")
_LINE_EDGE = re.compile(r" *\n *")
_PARAGRAPH_BREAK = re.compile(r"\n{2,}")
_LINK = re.compile(r"(?:https?|ftp|file|mailto|sharepoint):", re.IGNORECASE)
_MAX_LINKS = 300
_ROMAN = (
    *((1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l")),
    *((40, "xl"), (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i")),
)


@dataclass(slots=True)
class _Open:
    """An element that is open: its look, whether white space counts in it, and a list item's number until it is used."""

    tag: str
    look: Look
    label: str = ""
    exact: bool = False


def read(data: bytes, name: str, limits: Limits) -> Parsed:
    """Reads a page. Paths: `block 12`, `table 2/row 5` (with the header row as label), `block 12/links` (`words -> address`).

    Text that a reader does not see (display none, hidden, no size, the colour of its background, off the page) has the flag `hidden`.
    What the source says in comments is no part of the page and stands in the metadata.
    A page with struck or inserted text has the views `original` and `marked` too. Scripts and styles are left out and counted.

    Raises:
        Unreadable: when nothing of it can be parsed.
    """
    declared = _CHARSET.search(data[:4096])
    charset = (declared[1] or declared[2]).decode("ascii") if declared else ""
    decoded = decode(data, charset)
    parsed = Parsed("html", metadata={"encoding": decoded.encoding}, problems=decoded.problems)
    page = html_page(decoded.text)
    for units in page.views.values():
        number_clauses(units)
    parsed.views.update(page.views)
    if page.title:
        parsed.metadata["title"] = page.title
    if remarks := comments(decoded.text):
        parsed.metadata["comments"] = remarks
    if page.scripts:
        parsed.metadata["scripts"] = str(page.scripts)
        parsed.problems.append("it has scripts, which were not run")
    if page.cut:
        parsed.status, parsed.reason = (
            "partly_read",
            "its elements are nested too deeply; those further in were not read",
        )
    return parsed


@dataclass(slots=True)
class Page:
    """What a page shows: units by view, its title, the number of scripts left out, and whether it nests too deeply to be read whole."""

    views: dict[View, list[ParsedUnit]]
    title: str = ""
    scripts: int = 0
    cut: bool = False


def html_page(text: str, where: str = "") -> Page:
    """The units of an HTML text; `where` goes before every path.

    Raises:
        Unreadable: when nothing of it can be parsed.
    """
    root, cut = _parse(text)
    if root is None:
        return Page({"final": []}, cut=cut)
    styles = Styles()
    for sheet in root.iter("style"):
        styles.add("".join(str(piece) for piece in sheet.itertext()))
    heading = root.find(".//title")
    title = "" if heading is None else _words(heading)
    walker = _Walker(styles, where, "final")
    walker.walk(root)
    page = Page({"final": walker.units}, title, sum(1 for _ in root.iter("script")), cut)
    if walker.changes:
        views: tuple[View, View] = ("original", "marked")
        for view in views:
            other = _Walker(styles, where, view)
            other.walk(root)
            page.views[view] = other.units
    if title:
        for units in page.views.values():
            units.insert(0, ParsedUnit(title, f"{where}title", flags=("header",)))
    return page


def comments(text: str, most: int = 4_000) -> str:
    """The words of a source's comments, one a line; those that steer old browsers are left out."""
    found: list[str] = []
    end = 0
    while most > 0 and (start := text.find("<!--", end)) >= 0:
        end = text.find("-->", start + 4)
        end = len(text) if end < 0 else end
        words = " ".join(text[start + 4 : end].split())
        if any(letter.isalpha() for letter in words) and not words.startswith(("[if", "[endif", "<![endif")):
            found.append(words[:most])
            most -= len(words)
    return "\n".join(found)


def _parse(text: str) -> tuple[Element | None, bool]:
    """The page's root, and whether the parser gave up on a part that nests too deeply."""
    text = re.sub(r"^\s*<\?xml[^>]*\?>", "", text).replace("\x00", "")
    if not text.strip():
        return None, False
    parser = etree.HTMLParser(encoding="utf-8", no_network=True, remove_comments=True, remove_pis=True, huge_tree=True)
    try:
        root: Element | None = etree.fromstring(text.encode("utf-8", "replace"), parser)
    except (etree.ParserError, etree.XMLSyntaxError, ValueError) as error:
        raise Unreadable("it is not HTML that can be parsed") from error
    return root, any("depth" in entry.message.lower() for entry in parser.error_log)


@dataclass(slots=True)
class _Walker:
    """Walks a page without recursion (pages nest without bound) and cuts its text into blocks."""

    styles: Styles
    where: str
    mode: View
    units: list[ParsedUnit] = field(default_factory=list)
    changes: bool = False
    _seen: list[str] = field(default_factory=list)
    _unseen: list[str] = field(default_factory=list)
    _links: list[str] = field(default_factory=list)
    _kinds: set[str] = field(default_factory=set)
    _stack: list[_Open] = field(default_factory=list)
    _block: int = 0
    _table: int = 0
    _linked: int = 0

    def walk(self, root: Element, outer: Look | None = None) -> None:
        """Takes in everything under `root`, which stands in something that looks like `outer`."""
        outer = outer or Look()
        counters: list[int | None] = []
        context = etree.iterwalk(root, events=("start", "end"))
        for event, element in context:
            tag = element.tag if isinstance(element.tag, str) else ""
            if event == "start":
                parent = self._stack[-1] if self._stack else _Open("", outer)
                entry = _Open(
                    tag, self.styles.look(element, tag, parent.look), exact=parent.exact or tag in ("pre", "textarea")
                )
                if tag in _BLOCKS:
                    self._flush()
                self._stack.append(entry)
                if tag in _DROPPED:
                    context.skip_subtree()
                elif tag == "table" and is_data_table(element):
                    self._data_table(element, entry.look)
                    context.skip_subtree()
                else:
                    self._open(element, entry, counters)
            else:
                self._close(element, tag, counters)
        self._flush()

    def _open(self, element: Element, entry: _Open, counters: list[int | None]) -> None:
        if entry.tag in ("ol", "ul"):
            start = element.get("start", "1")
            counters.append(int(start) - 1 if entry.tag == "ol" and re.fullmatch(r"\d{1,6}", start) else None)
        elif entry.tag == "li" and counters and counters[-1] is not None:
            counters[-1] += 1
            parent = element.getparent()
            entry.label = _ordinal(counters[-1], "1" if parent is None else parent.get("type", "1"))
        self._add(element.text, entry)
        if entry.tag == "img" and len(element.get("alt", "").split()) > 1:
            self._add(f" {element.get('alt')} ", entry)
        elif entry.tag == "input" and element.get("type", "text").lower() not in ("checkbox", "radio", "image"):
            self._add(f" {element.get('value', '')} ", entry)

    def _close(self, element: Element, tag: str, counters: list[int | None]) -> None:
        if tag == "br":
            self._add("\n", self._stack[-1], line_break=True)
        if tag in _BLOCKS:
            self._flush()
        if tag in ("ol", "ul") and counters:
            counters.pop()
        if tag == "a":
            self._link(element)
        self._stack.pop()
        if self._stack:
            self._add(element.tail, self._stack[-1])

    def _data_table(self, table: Element, look: Look) -> None:
        self._table += 1

        def read_cell(row: Element, cell: Element) -> tuple[str, list[ParsedUnit]]:
            inner = _Walker(self.styles, "", self.mode, _linked=self._linked)
            inner.walk(cell, self.styles.look(row, "tr", look))
            self.changes = self.changes or inner.changes
            self._linked = inner._linked
            shown = [unit for unit in inner.units if "hidden" not in unit.flags and not unit.path.endswith("/links")]
            return "\n".join(unit.text for unit in shown), [unit for unit in inner.units if unit not in shown]

        self.units.extend(table_units(table, f"{self.where}table {self._table}", read_cell))

    def _add(self, text: str | None, entry: _Open, *, line_break: bool = False) -> None:
        if not text:
            return
        look = entry.look
        if (look.struck or look.inserted) and text.strip():
            self.changes = True
            if (look.struck and self.mode == "final") or (look.inserted and self.mode == "original"):
                return
        if text.strip():
            self._kinds.add("deleted" if look.struck else "inserted" if look.inserted else "")
        if not line_break:
            text = text.replace("\xa0", " ") if entry.exact else _SPACE.sub(" ", text)
        (self._unseen if look.hidden else self._seen).append(text)

    def _flush(self) -> None:
        """Makes units of the words gathered since the last block began or ended."""
        if not (self._seen or self._unseen):
            return
        item = next((entry for entry in reversed(self._stack) if entry.label), None)
        base: tuple[str, ...] = ("heading",) if any(entry.tag in _HEADINGS for entry in self._stack[-8:]) else ()
        if self.mode == "marked" and len(self._kinds) == 1:
            base = (*base, *(kind for kind in self._kinds if kind))
        before = len(self.units)
        for pieces, flags in ((self._seen, base), (self._unseen, (*base, "hidden"))):
            text = _LINE_EDGE.sub("\n", "".join(pieces))
            for part in _PARAGRAPH_BREAK.split(text):
                if part.strip():
                    self._block += 1
                    label = item.label if item is not None and len(self.units) == before else ""
                    self.units.append(
                        ParsedUnit(part.strip(), f"{self.where}block {self._block}", label=label, flags=flags)
                    )
            pieces.clear()
        if len(self.units) > before:
            if item is not None:
                item.label = ""  # only the first block of an item has its number
            if self._links:
                self.units.append(ParsedUnit("\n".join(self._links), f"{self.where}block {self._block}/links"))
            self._links.clear()
        self._kinds.clear()

    def _link(self, element: Element) -> None:
        target = element.get("href", "").strip()
        words = _words(element)
        shown = target.removeprefix("mailto:").rstrip("/")
        if _LINK.match(target) and shown not in words and self._linked < _MAX_LINKS:
            self._linked += 1
            self._links.append(f"{words[:200]} -> {target[:1000]}" if words else target[:1000])


def _words(element: Element) -> str:
    return " ".join("".join(str(piece) for piece in element.itertext()).split())


def _ordinal(number: int, kind: str) -> str:
    """The printed number of a list item: `3.`, `c.` or `iii.`"""
    if kind in ("a", "A") and 0 < number <= 702:
        letters = column_letters(number)
        return (letters.lower() if kind == "a" else letters) + "."
    if kind in ("i", "I") and 0 < number < 4000:
        roman = ""
        for value, sign in _ROMAN:
            roman += sign * (number // value)
            number %= value
        return (roman if kind == "i" else roman.upper()) + "."
    return f"{number}."
