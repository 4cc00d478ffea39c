"""Word documents (DOCX and its kin), read so that everything a lawyer can cite has an address.

The parse keeps what libraries drop: tracked changes with three views, comments, notes, headers and footers, text boxes, content
controls, nested tables, hidden text, and the printed clause numbers. `docx_views` says how a unit's text is laid out; the number is
part of it ("8.2 Assignment. ..."), as on the page, and is its label, too. Reading order: headers, body, footers, words in charts and diagrams,
comments, and in the marked view a list of the changes (`change[1]`: who, when, where, what).
"""

from __future__ import annotations

import re

from redwell.room.formats.docx_blocks import Blocks, page_color
from redwell.room.formats.docx_changes import change_units, changes_in_words
from redwell.room.formats.docx_children import embedded
from redwell.room.formats.docx_model import Block, Content, Furniture
from redwell.room.formats.docx_notes import comment_units, note_form, read_comments, read_notes
from redwell.room.formats.docx_numbering import Definitions
from redwell.room.formats.docx_runs import R, Story, Trail
from redwell.room.formats.docx_styles import Styles, switch, w
from redwell.room.formats.docx_views import Layout, changed
from redwell.room.formats.drawings import chart_units
from redwell.room.formats.drawings import paragraphs as drawing_paragraphs
from redwell.room.formats.ooxml import Package, local_name
from redwell.room.formats.safexml import Element
from redwell.room.types import Limits, Parsed, ParsedUnit, Unreadable, View


def read(data: bytes, name: str, limits: Limits) -> Parsed:
    """Reads a Word document.

    Args:
        data: the bytes of the file.
        name: its name, for messages only.
        limits: what it may cost.

    Raises:
        Unreadable: when nothing of it can be read, with the reason.
    """
    try:
        return _File(Package(data, limits), limits).parsed()
    except RecursionError as error:
        raise Unreadable("its parts are nested too deeply") from error


class _File:
    def __init__(self, package: Package, limits: Limits) -> None:
        self._package = package
        self._limits = limits
        self._main = package.main_part()
        self._styles = Styles(self._related_xml("styles"))
        self._definitions = Definitions(self._related_xml("numbering"), self._styles)
        self._blocks = Blocks(self._definitions)
        self._settings = self._related_xml("settings")
        self._cut = False
        self._unnumbered = False

    def parsed(self) -> Parsed:
        document = self._document()
        content = self._content(document)
        parsed = Parsed("docx", metadata=self._package.properties())
        drawn = self._drawn()
        views: tuple[View, ...] = ("final", "original", "marked") if changed(content) else ("final",)
        for view in views:
            layout = Layout(content, view, self._definitions)
            units = layout.units()
            parsed.views[view] = units + drawn + comment_units(content, layout)
            if view == "marked":
                parsed.views[view] += change_units(content, layout)
        words = changes_in_words(content)
        if words:
            parsed.metadata["tracked_changes"] = words
        parsed.metadata |= unshown_words(document)
        if content.comments:
            parsed.metadata["comments"] = str(len(content.comments))
        parsed.children, parsed.unopened, pictures = embedded(self._package, self._main, document, self._limits)
        if pictures:
            parsed.metadata["pictures_not_read"] = str(pictures)
        self._conclude(parsed)
        return parsed

    def _conclude(self, parsed: Parsed) -> None:
        if self._cut:
            self._package.problems.append("elements nested too deeply were not read")
        parsed.problems = list(dict.fromkeys(self._package.problems))
        if parsed.problems:
            parsed.status, parsed.reason = "partly_read", parsed.problems[0]
        if self._unnumbered:
            parsed.problems.append(
                "numbers that Word computes inside paragraphs (LISTNUM, AUTONUM) are not in its text"
            )
        if not parsed.views["final"] and not parsed.reason:
            parsed.reason = "it holds no text"

    def _document(self) -> Element:
        """The main part; one that is not well-formed is read as far as it can be, which the problems then say."""
        try:
            root = self._package.xml(self._main)
        except Unreadable as error:
            if "well-formed" not in error.reason:
                raise
            root = self._package.xml(self._main, recover=True)
            if root is None or root.find(w("body")) is None:
                raise
            self._package.problems.append(error.reason + "; only what could be made out was read")
        if root is None or root.find(w("body")) is None:
            raise Unreadable(f"its main part {self._main} is not a Word document")
        return root

    def _content(self, document: Element) -> Content:
        body = document.find(w("body"))
        assert body is not None  # _document has seen to it
        background = page_color(document)
        content = Content(body=self._story(body, self._main, "body", background))
        content.furniture = self._furniture(body)
        for kind in ("footnote", "endnote"):
            notes = {}
            for part in self._package.related(self._main, f"{kind}s")[:1]:
                root = self._package.named_xml(part)
                if root is not None:
                    notes = read_notes(root, kind, self._blocks, self._new_story(part))
            section = next(body.iter(w("sectPr")), None)
            default = "decimal" if kind == "footnote" else "lowerRoman"
            form = note_form(section, kind, default) or note_form(self._settings, kind, default) or (default, 1)
            if kind == "footnote":
                content.footnotes, content.footnote_form = notes, form
            else:
                content.endnotes, content.endnote_form = notes, form
        for part in self._package.related(self._main, "comments")[:1]:
            root = self._package.named_xml(part)
            if root is not None:
                extended = self._related_xml("commentsExtended")
                content.comments = read_comments(root, extended, self._blocks, self._new_story(part))
        return content

    def _drawn(self) -> list[ParsedUnit]:
        """The words of charts and diagrams, which are parts of their own: `chart[1]/series 1`, `diagram[1]`."""
        units: list[ParsedUnit] = []
        for index, part in enumerate(dict.fromkeys(self._package.related(self._main, "chart")), 1):
            root = self._package.named_xml(part)
            units.extend(chart_units(root, f"chart[{index}]", ("textbox",)) if root is not None else [])
        for index, part in enumerate(dict.fromkeys(self._package.related(self._main, "diagramData")), 1):
            root = self._package.named_xml(part)
            words = drawing_paragraphs(root) if root is not None else []
            if words:
                units.append(ParsedUnit("\n".join(words), f"diagram[{index}]", flags=("textbox",)))
        return units

    def _furniture(self, body: Element) -> list[Furniture]:
        """Every header and footer that a section names, once, with whether it is ever printed."""
        even = switch(self._settings, "evenAndOddHeaders") or False
        shown: dict[tuple[str, str], bool] = {}
        links = self._package.relationships(self._main)
        current: dict[tuple[str, str], str] = {}
        for section in body.iter(w("sectPr")):
            for reference in section.iterchildren(w("headerReference"), w("footerReference")):
                link = links.get(reference.get(R + "id", ""))
                if link is not None and not link.external:
                    kind = local_name(reference).removesuffix("Reference")
                    current[kind, reference.get(w("type"), "default")] = link.target
                    shown.setdefault((kind, link.target), False)
            uses = {"first": switch(section, "titlePg") or False, "even": even}
            for (kind, page), target in current.items():  # a section without its own goes on with those before it
                shown[kind, target] = shown[kind, target] or uses.get(page, True)
        found: list[Furniture] = []
        counts = {"header": 0, "footer": 0}
        for (kind, part), use in shown.items():
            root = self._package.named_xml(part)
            if root is not None:
                counts[kind] += 1
                blocks = self._story(root, part, f"{kind}[{counts[kind]}]", "FFFFFF")
                found.append(Furniture("header" if kind == "header" else "footer", blocks, use))
        return found

    def _story(self, holder: Element, part: str, path: str, background: str) -> list[Block]:
        story = self._new_story(part)
        blocks = self._blocks.read(holder, story, path, Trail(background=background))
        self._cut = self._cut or story.cut
        self._unnumbered = self._unnumbered or story.unnumbered
        return blocks

    def _new_story(self, part: str) -> Story:
        return Story(self._styles, self._package.relationships(part), self._blocks.read)

    def _related_xml(self, kind: str) -> Element | None:
        for part in self._package.related(self._main, kind)[:1]:
            return self._package.named_xml(part)
        return None


MOST_UNSHOWN = 4_000  # characters


def unshown_words(document: Element) -> dict[str, str]:
    """Words of a Word file's main part that no page shows: what pictures are described by (`descriptions`), and texts within the codes of
    fields (`field_texts`)."""
    described = [
        value
        for each in document.iter(f"{{{_DRAWING}}}docPr")
        for value in (each.get("title"), each.get("descr"))
        if value
    ]
    codes = " ".join("".join(map(str, each.itertext())) for each in document.iter(w("instrText")))
    codes += " ".join(each.get(w("instr")) or "" for each in document.iter(w("fldSimple")))
    texts = [text for text in re.findall(r'"([^"]{1,2000})"', codes) if " " in text.strip()]
    found = {"descriptions": described, "field_texts": texts}
    return {name: "\n".join(dict.fromkeys(words))[:MOST_UNSHOWN] for name, words in found.items() if words}


_DRAWING = "http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"
