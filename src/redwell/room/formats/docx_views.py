"""The three texts of a document from one parse: units of the final, the original and the marked view.

- `final` leaves deletions out, `original` insertions; a paragraph whose mark is gone in a view runs on into the next, and the
  number, level and style of the surviving mark count. Numbers are counted anew for each view.
- `marked` shows everything, `[-deleted-]` and `[+inserted+]`, a deleted or inserted paragraph mark as `¶` in the same brackets;
  a paragraph prints its number of the final view, or the original one when it is not in the final.
- Hidden text is taken out of its paragraph, where no reader sees it, and becomes a unit flagged `hidden` right after it
  (`body/p[4]/hidden[1]`); a paragraph that is hidden as a whole is one hidden unit.
- After a paragraph or row stand, as units of their own: its hidden stretches, its links (`body/p[4]/link[1]`: what is linked and to
  where), the footnotes and endnotes that it refers to (`footnote[3]`, beginning with the printed number and the words before
  the reference), and its text boxes. Nothing of these is inside the paragraph's text, so that a quote across them holds.
- A table row is one unit with its cells parted by ` | ` when its cells are short; otherwise its paragraphs are units.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from redwell.room.formats.clauses import Clause, Line, clauses
from redwell.room.formats.docx_model import (
    Anchor,
    Block,
    Content,
    Note,
    Paragraph,
    Piece,
    Row,
    Table,
    paragraphs,
    stands,
)
from redwell.room.formats.docx_numbering import Counter, Definitions, Numbered, Printed
from redwell.room.formats.numerals import printed
from redwell.room.types import ParsedUnit, View

_CELL = 400
_CELL_PARAGRAPHS = 3
_WORDS_BEFORE = 6
_HEADING = 120
_HEADING_WORDS = 14
"""A longer paragraph in a heading style is a clause that borrows its number from the style, not a heading."""
_TYPED_TAB = re.compile(
    r"\A((?:(?:ARTICLE|SECTION|Article|Section|§)\s*)?(?:\d{1,3}(?:\.\d{1,3})*|[IVXLC]{1,6}(?=[.)])|[A-Za-z](?=[.)]))[.)]?"
    r"(?:\([A-Za-z0-9]{1,5}\))*|\([A-Za-z0-9]{1,5}\)|[ivxl]{1,6}[.)]|[•▪●○–-])[ \t]*\t[ \t]*"
)
_LINK = re.compile(r"(?:https?|ftp|file)://|mailto:|\\\\|www\.", re.IGNORECASE)


@dataclass(slots=True)
class Run:
    """A printed paragraph of a view: one paragraph, or several whose marks between them are gone.

    `source` is the paragraph whose number counts, `end` the last one; `worded` says whether any of its text can be seen.
    """

    path: str
    content: list[Piece | Anchor]
    source: Paragraph
    end: Paragraph
    worded: bool
    concealed: bool = False

    @property
    def visible(self) -> str:
        return "".join(item.text for item in self.content if isinstance(item, Piece) and not item.hidden)


@dataclass(slots=True)
class Draft:
    """A unit before its clause number is known; `of` is the index of the draft to whose section it belongs."""

    text: str
    path: str
    flags: tuple[str, ...] = ()
    number: Printed | None = None
    heading: bool = False
    contents: bool = False
    row: bool = False
    of: int | None = None


def runs(blocks: Sequence[Block], view: View) -> Iterator[Run | Table]:
    """The printed paragraphs and the tables of sibling blocks, in order."""
    waiting: Run | None = None
    for block in blocks:
        if isinstance(block, Table):
            if waiting is not None:
                yield waiting
                waiting = None
            yield block
            continue
        content = [item for item in block.content if item.stands(view)]
        worded = any(isinstance(item, Piece) and not item.hidden and not item.text.isspace() for item in content)
        run = Run(block.path, content, block, block, worded)
        if block.joined and not worded and any(isinstance(item, Piece) for item in content):
            run.concealed = True
            yield run
            continue
        if waiting is not None:
            run = _together(waiting, run)
        mark_gone = view != "marked" and not stands(block.mark_inserted, block.mark_deleted, view)
        if mark_gone or (block.joined and run.worded):
            waiting = run
        else:
            yield run
            waiting = None
    if waiting is not None:
        yield waiting


def _together(first: Run, second: Run) -> Run:
    """Two runs printed as one; after a hidden mark the first one's number counts, after a mark that is gone the second's."""
    first.content.extend(second.content)
    if not first.worded:
        first.path = second.path
    if not (first.end.joined and first.worded):
        first.source = second.source
    first.end = second.end
    first.worded = first.worded or second.worded
    return first


def place_of(run: Run, view: View) -> Numbered | None:
    """The place of a printed paragraph in a list, in a view."""
    if run.concealed:
        return None
    return run.source.was_numbered if view == "original" else run.source.numbered


def numbers(blocks: Sequence[Block], view: View, counter: Counter) -> dict[int, Printed]:
    """The number of every paragraph that prints one in a view, by the identity of the paragraph."""
    found: dict[int, Printed] = {}
    for run in runs(blocks, view):
        if isinstance(run, Table):
            for row in run.rows:
                for cell in row.cells:
                    if not _gone(cell.blocks, view):
                        found.update(numbers(cell.blocks, view, counter))
            continue
        place = place_of(run, view)
        if place is not None and not _vanished(run, view):
            found[id(run.source)] = counter.next(place)
        for item in run.content:
            if isinstance(item, Anchor) and item.blocks:
                found.update(numbers(item.blocks, view, counter))
    return found


def _vanished(run: Run, view: View) -> bool:
    """Whether nothing of a paragraph is left in a view: no text, and its own mark is gone, too."""
    return not run.content and not stands(run.source.mark_inserted, run.source.mark_deleted, view)


def _gone(blocks: list[Block], view: View) -> bool:
    """Whether a cell was inserted or deleted as a whole, so that the view does not have it."""
    inside = list(paragraphs(blocks))
    return bool(inside) and all(
        not stands(p.mark_inserted, p.mark_deleted, view) and not any(item.stands(view) for item in p.content)
        for p in inside
    )


def changed(content: Content) -> bool:
    """Whether the file holds any tracked change of its text."""
    everything = [content.body, *(item.blocks for item in content.furniture)]
    everything += [note.blocks for notes in (content.footnotes, content.endnotes) for note in notes.values()]
    return any(
        paragraph.mark_inserted
        or paragraph.mark_deleted
        or paragraph.was_numbered != paragraph.numbered
        or any(item.inserted or item.deleted for item in paragraph.content)
        for blocks in everything
        for paragraph in paragraphs(blocks)
    )


class Layout:
    """Lays a file's content out as the units of one view."""

    def __init__(self, content: Content, view: View, definitions: Definitions) -> None:
        self._content = content
        self._view = view
        self._definitions = definitions
        self._drafts: list[Draft] = []
        self._numbers: dict[int, Printed] = {}
        self._notes = {"footnote": 0, "endnote": 0}
        self.sections: dict[str, str] = {}
        """The section in which each paragraph stands, by the paragraph's path; filled by `units`."""

    def units(self) -> list[ParsedUnit]:
        """All units of the view but comments: headers, body with notes and boxes, footers."""
        for kind in ("header", "body", "footer"):
            if kind == "body":
                self._story(self._content.body, ())
                continue
            index = 0
            for item in self._content.furniture:
                if item.kind == kind:
                    index += 1
                    self._story(item.blocks, (kind,) if item.shown else (kind, "hidden"))
        return self._finished()

    def plain(self, blocks: list[Block]) -> list[ParsedUnit]:
        """The units of a text that stands alone, such as a comment."""
        inner = Layout(Content(), self._view, self._definitions)
        inner._story(blocks, ())
        return inner._finished()

    def _story(self, blocks: list[Block], flags: tuple[str, ...]) -> None:
        self._count(blocks)
        self._blocks(blocks, flags)

    def _count(self, blocks: list[Block]) -> None:
        """Counts the numbers of a text; each (body, header, note) is counted for itself."""
        views: tuple[View, ...] = ("original", "final") if self._view == "marked" else (self._view,)
        for view in views:
            self._numbers.update(numbers(blocks, view, Counter(self._definitions)))

    def _blocks(self, blocks: Sequence[Block], flags: tuple[str, ...], of: int | None = None) -> None:
        for run in runs(blocks, self._view):
            if isinstance(run, Run):
                self._paragraph(run, flags, of)
            else:
                for row in run.rows:
                    if _as_unit(row):
                        self._row(row, flags, of)
                    else:
                        for cell in row.cells:
                            self._blocks(cell.blocks, flags, of)

    def _paragraph(self, run: Run, flags: tuple[str, ...], of: int | None) -> None:
        number = None if run.concealed else self._numbers.get(id(run.source))
        text = self._text(run)
        head = "" if number is None else number.text + number.gap
        own = _tidy(head + text, number is not None)
        if not text.strip() and (number is None or not number.label):
            own = ""
        at: int | None = None
        heading = run.source.heading and 0 < len(text.strip()) <= _HEADING and len(text.split()) <= _HEADING_WORDS
        if own:
            marks = (*flags, *self._change_flags(run.content), *(("heading",) if heading else ()))
            at = self._add(Draft(own, run.path, marks, number, heading, run.source.contents, of=of))
        self._hidden(run, flags, at if of is None else of, whole=at is None)
        self._belongings(run.content, run.path, flags, at if of is None else of)

    def _hidden(self, run: Run, flags: tuple[str, ...], of: int | None, *, whole: bool) -> None:
        stretches: list[list[Piece]] = []
        open_stretch = False
        for item in run.content:
            if isinstance(item, Piece):
                if item.hidden and open_stretch:
                    stretches[-1].append(item)
                elif item.hidden:
                    stretches.append([item])
                open_stretch = item.hidden
        if whole and stretches:
            stretches = [[piece for stretch in stretches for piece in stretch]]
        index = 0
        for pieces in stretches:
            text = _tidy("".join(self._show(piece) for piece in pieces), False)
            if text:
                index += 1
                path = run.path if whole else f"{run.path}/hidden[{index}]"
                self._add(Draft(text, path, (*flags, *self._change_flags(pieces), "hidden"), row=True, of=of))

    def _row(self, row: Row, flags: tuple[str, ...], of: int | None) -> None:
        texts: list[str] = []
        label: Printed | None = None
        content: list[Piece | Anchor] = []
        for cell in row.cells:
            if self._view != "marked" and _gone(cell.blocks, self._view):
                continue
            printed_cell: list[str] = []
            for run in runs(cell.blocks, self._view):
                if isinstance(run, Run):
                    number = self._numbers.get(id(run.source))
                    head = "" if number is None else number.text + number.gap
                    text = _tidy(head + self._text(run), number is not None)
                    if text and (label is None and number is not None and not any(texts)):
                        label = number
                    if text:
                        printed_cell.append(text)
                    content.extend(run.content)
            texts.append(" ".join(printed_cell).replace("\n", " "))
        text = " | ".join(texts).strip()
        at: int | None = None
        if any(texts):
            number = label
            at = self._add(Draft(text, row.path, (*flags, *self._change_flags(content)), number, row=True, of=of))
        self._belongings(content, row.path, flags, at if of is None else of)

    def _belongings(self, content: list[Piece | Anchor], path: str, flags: tuple[str, ...], of: int | None) -> None:
        """Adds what is anchored in a paragraph or row: links, notes, text boxes."""
        before = ""
        links = 0
        for item in content:
            if isinstance(item, Piece):
                if not item.hidden and item.deleted is None:
                    before += item.text
            elif item.kind == "link":
                shown = " ".join(before[max(len(before) - item.width, 0) :].split())
                bare = re.sub(r"^(?:https?://|mailto:)?(?:www\.)?", "", item.key.lower()).rstrip("/")
                if _LINK.match(item.key) and bare not in shown.lower():
                    links += 1
                    words = f' on "{shown[:200]}"' if shown else ""
                    self._add(Draft(f"[Link{words}: {item.key}]", f"{path}/link[{links}]", flags, row=True, of=of))
            elif item.kind in ("footnote", "endnote"):
                self._note(item, before, of)
            elif item.kind == "box":
                self._blocks(item.blocks, (*flags, "textbox"), of)

    def _note(self, anchor: Anchor, before: str, of: int | None) -> None:
        kind = "footnote" if anchor.kind == "footnote" else "endnote"
        notes, form = (
            (self._content.footnotes, self._content.footnote_form)
            if kind == "footnote"
            else (self._content.endnotes, self._content.endnote_form)
        )
        note = notes.get(anchor.key)
        number = ""
        if not anchor.custom:
            self._notes[kind] += 1
            number = " " + printed(self._notes[kind] - 1 + form[1], form[0])
        if note is None:
            return
        words = " ".join(before.split()[-_WORDS_BEFORE:])
        where = f' after "{words}"' if words else ""
        shown, hidden, flags = self._flat(note)
        if shown:
            self._add(
                Draft(f"[{kind.capitalize()}{number}{where}] {shown}", note.path, (kind, *flags), row=True, of=of)
            )
        if hidden:
            self._add(Draft(hidden, f"{note.path}/hidden[1]", (kind, *flags, "hidden"), row=True, of=of))

    def _flat(self, note: Note) -> tuple[str, str, tuple[str, ...]]:
        """A note's text as one, what of it is hidden, and the flags of its changes."""
        units = self.plain(note.blocks)
        shown = "\n".join(unit.text for unit in units if "hidden" not in unit.flags)
        hidden = "\n".join(unit.text for unit in units if "hidden" in unit.flags)
        flags = [flag for unit in units for flag in unit.flags if flag in ("inserted", "deleted", "moved")]
        return shown, hidden, tuple(dict.fromkeys(flags))

    def _text(self, run: Run) -> str:
        """The visible text of a printed paragraph; in the marked view with its changes in brackets."""
        if self._view != "marked":
            return run.visible
        out: list[str] = []
        previous: Piece | None = None
        for item in run.content:
            if not isinstance(item, Piece) or item.hidden:
                continue
            shown = self._show(item)
            if previous is not None and out and _same_change(previous, item):
                close = _brackets(item)[1]
                out[-1] = out[-1].removesuffix(close) + shown.removeprefix(_brackets(item)[0])
            else:
                out.append(shown)
            previous = item
        mark = run.source
        text = "".join(out)
        if mark.mark_deleted and any(p.deleted is None for p in mark.pieces()):
            text += "[-¶-]"
        elif mark.mark_inserted and any(p.inserted is None for p in mark.pieces()):
            text += "[+¶+]"
        return text

    def _show(self, piece: Piece) -> str:
        if self._view != "marked":
            return piece.text
        left, right = _brackets(piece)
        return f"{left}{piece.text}{right}"

    def _change_flags(self, content: Sequence[Piece | Anchor]) -> tuple[str, ...]:
        """Which kinds of change the text of a unit carries in this view."""
        pieces = [item for item in content if isinstance(item, Piece) and item.text.strip()]
        flags = []
        if self._view != "original" and any(piece.inserted for piece in pieces):
            flags.append("inserted")
        if self._view != "final" and any(piece.deleted for piece in pieces):
            flags.append("deleted")
        changes = [change for piece in pieces for change in (piece.inserted, piece.deleted) if change is not None]
        if flags and any(change.moved for change in changes):
            flags.append("moved")
        return tuple(flags)

    def _add(self, draft: Draft) -> int:
        self._drafts.append(draft)
        return len(self._drafts) - 1

    def _finished(self) -> list[ParsedUnit]:
        """The units, with the clause numbers that the main text gives them."""
        main = [
            index
            for index, draft in enumerate(self._drafts)
            if draft.of is None and not {"header", "footer"} & set(draft.flags)
        ]
        found = dict(zip(main, clauses([_line(self._drafts[index]) for index in main]), strict=True))
        units: list[ParsedUnit] = []
        for index, draft in enumerate(self._drafts):
            clause = found.get(index)
            if clause is None:
                above = found.get(draft.of) if draft.of is not None else None
                label = draft.number.label if draft.number is not None else ""
                clause = Clause(label, above.section if above is not None else "")
            units.append(ParsedUnit(draft.text, draft.path, clause.label, clause.section, "native", draft.flags))
            self.sections.setdefault(draft.path, clause.section)
        return units


def _line(draft: Draft) -> Line:
    if "hidden" in draft.flags:  # it stands in a section, and must not change what the visible text is numbered
        return Line("", apart=True)
    number = draft.number
    return Line(
        text=draft.text,
        label="" if number is None else number.label,
        list="" if number is None else number.list,
        level=0 if number is None else number.level,
        heading=draft.heading,
        apart=draft.row,
        contents=draft.contents,
    )


def _as_unit(row: Row) -> bool:
    """Whether a row reads best as one line: several cells, all short, no table, box or hidden text inside."""
    if len(row.cells) < 2:
        return False
    for cell in row.cells:
        inside = [block for block in cell.blocks if isinstance(block, Paragraph) and block.content]
        if any(isinstance(block, Table) for block in cell.blocks):
            return False
        texts = [text for text in (block.text().strip() for block in inside) if text]
        if len(texts) > _CELL_PARAGRAPHS or sum(map(len, texts)) > _CELL:
            return False
        if len(texts) > 1 and any(block.numbered for block in inside):
            return False
        if any(piece.hidden and piece.text.strip() for block in inside for piece in block.pieces()):
            return False
    return True


def _brackets(piece: Piece) -> tuple[str, str]:
    if piece.inserted and piece.deleted:
        return "[+[-", "-]+]"
    if piece.inserted:
        return "[+", "+]"
    return ("[-", "-]") if piece.deleted else ("", "")


def _same_change(first: Piece, second: Piece) -> bool:
    return bool(first.inserted) == bool(second.inserted) and bool(first.deleted) == bool(second.deleted)


def _tidy(text: str, numbered: bool) -> str:
    """Text without blanks at its ends and lines; the tab after a number typed at its head becomes a space."""
    text = "\n".join(line.strip(" \t\r\u00a0") for line in text.strip().split("\n")) if "\n" in text else text.strip()
    return text if numbered else _TYPED_TAB.sub(r"\1 ", text, count=1)
