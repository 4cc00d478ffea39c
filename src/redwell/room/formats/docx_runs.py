"""The inside of a paragraph: runs, tracked changes, fields, links, controls, symbols, and what is anchored among them.

Choices that bear on quoting: a reference to a note or a comment leaves no mark in the text, so that words on both sides of it
stand together as they are read; the note's own unit says where it is referred to. A link's address and hidden text are
kept out of the paragraph in the same way and become units of their own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from redwell.room.formats.docx_model import Anchor, AnchorKind, Block, Change, Paragraph, Piece
from redwell.room.formats.docx_styles import W14, WORD, Look, Style, Styles, integer, look, value, w
from redwell.room.formats.docx_symbols import legible, symbol
from redwell.room.formats.ooxml import Relationship
from redwell.room.formats.safexml import Element

R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
MC = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
_MATH = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
_VML = "{urn:schemas-microsoft-com:vml}"
_DRAWING = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_SHAPE = "{http://schemas.microsoft.com/office/word/2010/wordprocessingShape}"
_W = f"{{{WORD}}}"
_MATH_TEXT = _MATH + "t"
_MATH_PARAGRAPH = _MATH + "oMathPara"
_MATH_ITEM = _MATH + "oMath"
_UNDERSTOOD = frozenset(
    ("wps", "wpg", "wpc", "wp14", "w14", "w15", "w16se", "a14", "wpi", "cx", "cx1", "wne", "v", "o")
)
_DEPTH = 200
_FIELDS = 50


@dataclass(slots=True)
class Field:
    """A complex field that was begun and not ended yet; its result is shown once `result` is True."""

    instruction: str = ""
    result: bool = False
    shown: int = 0
    control: Element | None = None


@dataclass(slots=True)
class Story:
    """A text of its own (body, a header, a note) while it is read: fields may run over many of its paragraphs.

    `boxes` reads the blocks of a text box. `cut` is set when something was nested too deeply to be read, `unnumbered` when a
    field would print a number that the file does not store.
    """

    styles: Styles
    relationships: dict[str, Relationship]
    boxes: Callable[[Element, Story, str, Trail], list[Block]]
    fields: list[Field] = field(default_factory=list)
    depth: int = 0
    cut: bool = False
    unnumbered: bool = False

    @contextmanager
    def deeper(self) -> Iterator[bool]:
        """One level further in; False, and `cut` is set, where elements are nested deeper than any real document's."""
        self.depth += 1
        self.cut = self.cut or self.depth > _DEPTH
        yield self.depth <= _DEPTH
        self.depth -= 1


@dataclass(frozen=True, slots=True)
class Trail:
    """What holds for the runs inside an element: the changes around them, and the background behind them."""

    inserted: Change | None = None
    deleted: Change | None = None
    background: str | None = "FFFFFF"


def change_of(element: Element, *, moved: bool = False) -> Change:
    """Who made a tracked change, and when."""
    return Change(element.get(w("author"), "").strip(), element.get(w("date"), "").strip(), moved)


def under(trail: Trail, element: Element) -> Trail:
    """The trail inside `element` when that is a tracked insertion, deletion or move, else the same trail."""
    name = str(element.tag)
    if name in (_W + "ins", _W + "moveTo"):
        return replace(trail, inserted=trail.inserted or change_of(element, moved=name.endswith("moveTo")))
    if name in (_W + "del", _W + "moveFrom"):
        return replace(trail, deleted=trail.deleted or change_of(element, moved=name.endswith("moveFrom")))
    return trail


def read_runs(paragraph: Paragraph, element: Element, style: Style, story: Story, trail: Trail) -> None:
    """Adds to `paragraph` what stands in the `w:p` element."""
    _Reader(paragraph, style, story).walk(element, trail)


def read_inline(paragraph: Paragraph, element: Element, style: Style, story: Story, trail: Trail) -> None:
    """Adds to `paragraph` one element that stands where runs do, such as a run outside any paragraph."""
    _Reader(paragraph, style, story).inline(element, trail)


def chosen(element: Element) -> Element | None:
    """The branch of an `mc:AlternateContent` to read: the first whose needs we know, else the fallback, else any; never two."""
    first: Element | None = None
    for branch in element.iterchildren(MC + "Choice", MC + "Fallback"):
        if first is None:
            first = branch
        needs = branch.get("Requires", "").split()
        if branch.tag == MC + "Fallback" or all(need in _UNDERSTOOD for need in needs):
            return branch
    return first


class _Reader:
    def __init__(self, paragraph: Paragraph, style: Style, story: Story) -> None:
        self._paragraph = paragraph
        self._style = style
        self._story = story
        self._boxes = 0
        self._length = 0
        self._below = style.look.over(story.styles.base)
        """The look that the paragraph's style and the defaults give to its runs."""

    def walk(self, element: Element, trail: Trail) -> None:
        with self._story.deeper() as allowed:
            for child in element if allowed else ():
                self.inline(child, trail)

    def inline(self, child: Element, trail: Trail) -> None:
        name = str(child.tag)
        if name == _W + "r":
            self._run(child, trail)
        elif name == _W + "hyperlink":
            self._hyperlink(child, trail)
        elif name == _W + "fldSimple":
            self._simple_field(child, trail)
        elif name == _W + "sdt":
            self._control(child, trail)
        elif name in _TRANSPARENT:
            self.walk(child, under(trail, child))
        elif name == MC + "AlternateContent":
            branch = chosen(child)
            if branch is not None:
                self.walk(branch, trail)
        elif name in (_W + "commentRangeStart", _W + "commentRangeEnd"):
            self._anchor(Anchor(_ANCHORS[name], child.get(w("id"), "")), trail)
        elif name in (_MATH_ITEM, _MATH_PARAGRAPH):
            text = "".join(t.text or "" for t in child.iter(_MATH_TEXT))
            self._text(text, trail, hidden=False)

    def _text(self, text: str, trail: Trail, *, hidden: bool) -> None:
        if not text:
            return
        for open_field in self._story.fields:
            if not open_field.result:
                hidden = True  # between the codes of a field: not printed, and kept all the same
            open_field.shown += len(text)
        self._length += len(text)
        content = self._paragraph.content
        last = content[-1] if content else None
        if (
            isinstance(last, Piece)
            and last.hidden == hidden
            and last.inserted == trail.inserted
            and last.deleted == trail.deleted
        ):
            last.text += text
        else:
            content.append(Piece(text, trail.inserted, trail.deleted, hidden))

    def _anchor(self, anchor: Anchor, trail: Trail) -> None:
        anchor.inserted, anchor.deleted = trail.inserted, trail.deleted
        self._paragraph.content.append(anchor)

    def _run(self, run: Element, trail: Trail) -> None:
        properties = run.find(w("rPr"))
        seen, font = self._look(properties)
        hidden = seen.unseen(self._style.background or trail.background)
        self._run_content(run, trail, hidden, font)

    def _run_content(self, run: Element, trail: Trail, hidden: bool, font: str) -> None:
        for child in run:
            name = str(child.tag)
            if name in (_W + "t", _W + "delText"):
                self._text(legible(child.text or "", font), trail, hidden=hidden)
            elif name in _FIXED:
                self._text(_FIXED[name], trail, hidden=hidden)
            elif name == _W + "instrText":
                if self._story.fields and not self._story.fields[-1].result:
                    self._story.fields[-1].instruction += child.text or ""
            elif name == _W + "fldChar":
                self._field_mark(child, trail, hidden)
            elif name == _W + "sym":
                code = child.get(w("char"), "")
                if len(code) <= 6 and code and all(c in "0123456789abcdefABCDEF" for c in code):
                    self._text(symbol(child.get(w("font"), ""), int(code, 16)), trail, hidden=hidden)
            elif name in (_W + "footnoteReference", _W + "endnoteReference"):
                custom = child.get(w("customMarkFollows")) in ("1", "true", "on")
                self._anchor(Anchor(_ANCHORS[name], child.get(w("id"), ""), custom=custom), trail)
            elif name == _W + "commentReference":
                self._anchor(Anchor("comment", child.get(w("id"), "")), trail)
            elif name in (_W + "drawing", _W + "pict", _W + "object"):
                self._drawing(child, trail)
            elif name == MC + "AlternateContent":
                branch = chosen(child)
                with self._story.deeper() as allowed:
                    if branch is not None and allowed:
                        self._run_content(branch, trail, hidden, font)
            elif name == _W + "ruby":
                base = child.find(w("rubyBase"))
                if base is not None:
                    self.walk(base, trail)

    def _look(self, properties: Element | None) -> tuple[Look, str]:
        """How a run looks, and its symbol font if it has one.

        Hiding is a toggle (ECMA-376 part 1, 17.7.3): set in the paragraph style and in the character style, it is off.
        """
        if properties is None or len(properties) == 0:
            return self._below, ""
        own = look(properties)
        character = self._story.styles.character(value(properties, "rStyle"))
        merged = own.over(character).over(self._below)
        if own.vanish is None and character.vanish and self._style.look.vanish:
            merged = replace(merged, vanish=False)
        fonts = properties.find(w("rFonts"))
        return merged, "" if fonts is None else fonts.get(w("ascii"), "")

    def _hyperlink(self, element: Element, trail: Trail) -> None:
        before = self._length
        self.walk(element, trail)
        link = self._story.relationships.get(element.get(R + "id", ""))
        if link is not None and link.external:
            target = link.target + ("#" + element.get(w("anchor"), "") if element.get(w("anchor")) else "")
            self._anchor(Anchor("link", target, width=self._length - before), trail)

    def _simple_field(self, element: Element, trail: Trail) -> None:
        before = self._length
        self.walk(element, trail)
        self._finish(Field(element.get(w("instr"), ""), True, self._length - before), trail, hidden=False)

    def _field_mark(self, mark: Element, trail: Trail, hidden: bool) -> None:
        fields = self._story.fields
        kind = mark.get(w("fldCharType"))
        if kind == "begin" and len(fields) < _FIELDS:
            fields.append(Field(control=mark.find(w("ffData"))))
        elif kind == "separate" and fields:
            fields[-1].result = True
        elif kind == "end" and fields:
            self._finish(fields.pop(), trail, hidden)

    def _finish(self, done: Field, trail: Trail, hidden: bool) -> None:
        """What a field adds besides its stored result: a link's target, or the state of a control that stores no text."""
        words = done.instruction.split()
        name = words[0].upper() if words else ""
        if name == "HYPERLINK" and len(words) > 1:
            target = next((word.strip('"“”') for word in words[1:] if not word.startswith("\\")), "")
            if target and "\\l" not in words[1:2]:
                self._anchor(Anchor("link", target, width=min(done.shown, self._length)), trail)
        elif done.shown == 0 and name in ("MERGEFIELD", "DOCPROPERTY", "DOCVARIABLE") and len(words) > 1:
            self._text("«" + words[1].strip('"') + "»", trail, hidden=hidden)
        elif done.shown == 0 and name in ("LISTNUM", "AUTONUM", "AUTONUMLGL", "AUTONUMOUT"):
            self._story.unnumbered = True
        elif done.shown == 0 and done.control is not None:
            self._text(_form_state(done.control), trail, hidden=hidden)

    def _control(self, element: Element, trail: Trail) -> None:
        before = self._length
        content = element.find(w("sdtContent"))
        if content is not None:
            self.walk(content, trail)
        if self._length == before:
            self._text(control_state(element), trail, hidden=False)

    def _drawing(self, element: Element, trail: Trail) -> None:
        """Text boxes, and text drawn as a shape (a watermark), as blocks of their own anchored here."""
        for word_art in element.iter(_VML + "textpath"):
            text = (word_art.get("string") or "").strip()
            if text:
                self._boxes += 1
                path = f"{self._paragraph.path}/textbox[{self._boxes}]"
                self._anchor(Anchor("box", blocks=[Paragraph(path, [Piece(text)])]), trail)
        for box in _outermost_boxes(element):
            self._boxes += 1
            path = f"{self._paragraph.path}/textbox[{self._boxes}]"
            inside = replace(trail, background=None if _filled(box) else "FFFFFF")
            with self._story.deeper() as allowed:
                blocks = self._story.boxes(box, self._story, path, inside) if allowed else []
            if blocks:
                self._anchor(Anchor("box", blocks=blocks), trail)


def control_state(element: Element) -> str:
    """What an empty content control shows: the state of a check box, nothing otherwise."""
    properties = element.find(w("sdtPr"))
    box = None if properties is None else properties.find(W14 + "checkbox")
    if box is None:
        return ""
    checked = box.find(W14 + "checked")
    on = checked is not None and checked.get(W14 + "val", "1").lower() in ("1", "true", "on")
    return "☒" if on else "☐"


def _form_state(control: Element) -> str:
    """What an old form field shows that stores no text: a check box or the chosen item of a list."""
    box = control.find(w("checkBox"))
    if box is not None:
        state = box.find(w("checked"))
        state = box.find(w("default")) if state is None else state
        on = state is not None and (state.get(w("val")) or "1").lower() in ("1", "true", "on")
        return "☒" if on else "☐"
    options = control.find(w("ddList"))
    if options is not None:
        entries = [entry.get(w("val"), "") for entry in options.iterchildren(w("listEntry"))]
        index = integer(value(options, "result")) or integer(value(options, "default")) or 0
        return entries[index] if 0 <= index < len(entries) else ""
    return ""


def _outermost_boxes(element: Element) -> list[Element]:
    """The text box contents inside a drawing, each once: not the fallback of a choice, not a box inside a box."""
    found: list[Element] = []
    stack = [element]
    while stack:
        current = stack.pop()
        if current.tag == _W + "txbxContent":
            found.append(current)
        elif current.tag == MC + "AlternateContent":
            branch = chosen(current)
            if branch is not None:
                stack.append(branch)
        else:
            stack.extend(reversed(current))
    return found


def _filled(box: Element) -> bool:
    """Whether a shape has, or may have, a fill of its own, so that the colour behind its text is not known."""
    for owner in box.iterancestors():
        if owner.tag == _SHAPE + "wsp":
            shape = owner.find(_SHAPE + "spPr")
            fills = (_DRAWING + "solidFill", _DRAWING + "gradFill", _DRAWING + "blipFill", _DRAWING + "pattFill")
            if shape is not None and any(shape.find(fill) is not None for fill in fills):
                return True
            style = owner.find(_SHAPE + "style")
            no_fill = shape is not None and shape.find(_DRAWING + "noFill") is not None
            return style is not None and not no_fill
        if str(owner.tag).startswith(_VML):
            return owner.get("fillcolor") is not None and owner.get("filled") not in ("f", "false")
    return False


_TRANSPARENT = frozenset(
    _W + name
    for name in (
        "ins",
        "del",
        "moveTo",
        "moveFrom",
        "smartTag",
        "customXml",
        "sdtContent",
        "dir",
        "bdo",
        "rubyBase",
        "subDoc",
    )
)
_FIXED = {
    _W + "tab": "\t",
    _W + "ptab": "\t",
    _W + "br": "\n",
    _W + "cr": "\n",
    _W + "noBreakHyphen": "-",
}
_ANCHORS: dict[str, AnchorKind] = {
    _W + "commentRangeStart": "comment_start",
    _W + "commentRangeEnd": "comment_end",
    _W + "footnoteReference": "footnote",
    _W + "endnoteReference": "endnote",
}
