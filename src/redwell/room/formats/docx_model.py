"""What the DOCX reader makes of a file before it is laid out as text: blocks of pieces, each knowing its tracked changes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from redwell.room.formats.docx_numbering import Numbered
from redwell.room.types import View

AnchorKind = Literal["footnote", "endnote", "comment_start", "comment_end", "comment", "link", "box"]


@dataclass(frozen=True, slots=True)
class Change:
    """A tracked insertion or deletion; a move is a deletion at one place and an insertion at another."""

    author: str = ""
    date: str = ""
    moved: bool = False


@dataclass(slots=True)
class Piece:
    """A stretch of text with one look and one history. `hidden` covers all that a reader of the page cannot see."""

    text: str
    inserted: Change | None = None
    deleted: Change | None = None
    hidden: bool = False

    def stands(self, view: View) -> bool:
        return stands(self.inserted, self.deleted, view)


@dataclass(slots=True)
class Anchor:
    """A place in a paragraph to which something else belongs: a note, a comment, a link, a text box.

    `key` is the id of the note or comment, or the target of the link; `blocks` is what a text box holds. A `link` anchor
    stands at the end of its text, whose length in code points is `width`.
    """

    kind: AnchorKind
    key: str = ""
    inserted: Change | None = None
    deleted: Change | None = None
    blocks: list[Block] = field(default_factory=list)
    custom: bool = False
    width: int = 0

    def stands(self, view: View) -> bool:
        return stands(self.inserted, self.deleted, view)


@dataclass(slots=True)
class Paragraph:
    """A paragraph. `was_numbered` is its place in a list before a tracked change of its properties (the same without one).

    `joined` says that its mark is hidden, so that the next paragraph is printed on the same line.
    """

    path: str
    content: list[Piece | Anchor] = field(default_factory=list)
    numbered: Numbered | None = None
    was_numbered: Numbered | None = None
    heading: bool = False
    contents: bool = False
    mark_inserted: Change | None = None
    mark_deleted: Change | None = None
    joined: bool = False

    def pieces(self) -> Iterator[Piece]:
        return (item for item in self.content if isinstance(item, Piece))

    def text(self, view: View = "marked") -> str:
        """All text that stands in a view (in `marked`, everything), without numbers and marks."""
        return "".join(piece.text for piece in self.pieces() if piece.stands(view))


@dataclass(slots=True)
class Cell:
    """A table cell; one that goes on from the row above (`continued`) prints nothing of its own."""

    path: str
    blocks: list[Block] = field(default_factory=list)
    continued: bool = False


@dataclass(slots=True)
class Row:
    path: str
    cells: list[Cell] = field(default_factory=list)


@dataclass(slots=True)
class Table:
    path: str
    rows: list[Row] = field(default_factory=list)


Block = Paragraph | Table


@dataclass(slots=True)
class Note:
    """A footnote, an endnote or a comment, by its id in the file; `path` is that of its unit."""

    key: str
    path: str
    blocks: list[Block]
    author: str = ""
    date: str = ""
    parent: str = ""
    resolved: bool = False


@dataclass(slots=True)
class Furniture:
    """A header or footer that some section of the document names; `shown` is False for one that is never printed."""

    kind: Literal["header", "footer"]
    blocks: list[Block]
    shown: bool = True


@dataclass(slots=True)
class Content:
    """All of a file's text, in the order in which it is laid out: headers, body with its notes, footers, comments."""

    body: list[Block] = field(default_factory=list)
    furniture: list[Furniture] = field(default_factory=list)
    footnotes: dict[str, Note] = field(default_factory=dict)
    endnotes: dict[str, Note] = field(default_factory=dict)
    comments: dict[str, Note] = field(default_factory=dict)
    footnote_form: tuple[str, int] = ("decimal", 1)
    endnote_form: tuple[str, int] = ("lowerRoman", 1)


def stands(inserted: Change | None, deleted: Change | None, view: View) -> bool:
    """Whether something with this history is there in a view: final has no deletions, original no insertions."""
    if view == "final":
        return deleted is None
    if view == "original":
        return inserted is None
    return True


def paragraphs(blocks: list[Block]) -> Iterator[Paragraph]:
    """Every paragraph of the blocks in reading order, those in tables and text boxes too."""
    for block in blocks:
        if isinstance(block, Paragraph):
            yield block
            for item in block.content:
                if isinstance(item, Anchor) and item.blocks:
                    yield from paragraphs(item.blocks)
        else:
            for row in block.rows:
                for cell in row.cells:
                    yield from paragraphs(cell.blocks)
