"""Footnotes, endnotes and comments: read from their parts, and comments laid out as units at the end of each view."""

from __future__ import annotations

from redwell.room.formats.docx_blocks import Blocks
from redwell.room.formats.docx_model import Anchor, Block, Content, Note, Paragraph, Piece, paragraphs
from redwell.room.formats.docx_runs import Story, Trail
from redwell.room.formats.docx_styles import W14, integer, value, w
from redwell.room.formats.docx_views import Layout
from redwell.room.formats.safexml import Element
from redwell.room.types import ParsedUnit

_W15 = "{http://schemas.microsoft.com/office/word/2012/wordml}"
_ABOUT = 300


def read_notes(root: Element, kind: str, blocks: Blocks, story: Story) -> dict[str, Note]:
    """The footnotes or endnotes (`kind`) of a part by id, in the order of the part; separators are left out."""
    notes: dict[str, Note] = {}
    for element in root.iterchildren(w(kind)):
        if element.get(w("type"), "normal") != "normal":
            continue
        key = element.get(w("id"), "")
        path = f"{kind}[{len(notes) + 1}]"
        notes.setdefault(key, Note(key, path, blocks.read(element, story, path)))
    return notes


def read_comments(root: Element, extended: Element | None, blocks: Blocks, story: Story) -> dict[str, Note]:
    """The comments of a part by id, with whose reply each is and whether it is resolved."""
    states: dict[str, tuple[str, bool]] = {}
    for state in () if extended is None else extended.iter(_W15 + "commentEx"):
        done = state.get(_W15 + "done", "0") in ("1", "true")
        states[state.get(_W15 + "paraId", "").upper()] = (state.get(_W15 + "paraIdParent", "").upper(), done)
    notes: dict[str, Note] = {}
    by_paragraph: dict[str, str] = {}
    parents: dict[str, str] = {}
    for element in root.iterchildren(w("comment")):
        key = element.get(w("id"), "")
        path = f"comment[{len(notes) + 1}]"
        note = Note(key, path, blocks.read(element, story, path, Trail()))
        note.author, note.date = element.get(w("author"), "").strip(), element.get(w("date"), "").strip()
        for paragraph in element.iter(w("p")):
            mark = paragraph.get(W14 + "paraId", "").upper()
            if mark:
                by_paragraph[mark] = key
            if mark and mark in states:
                parents[key], note.resolved = states[mark]
        notes.setdefault(key, note)
    for key, mark in parents.items():
        notes[key].parent = by_paragraph.get(mark, "")
    return notes


def comment_units(content: Content, layout: Layout) -> list[ParsedUnit]:
    """One unit a comment, at the end of the view: who, when, on what words, and what is said.

    A unit reads `[Comment by Ann Lee, 2024-03-01, on "thirty (30) days"] Too short.`; a reply names whom it answers, and a resolved
    comment says so. Comments are the same in all views; `layout` gives the sections of its own.
    """
    abouts = _abouts(content.body)
    units: list[ParsedUnit] = []
    for note in content.comments.values():
        about, path = abouts.get(note.key) or abouts.get(note.parent) or ("", "")
        parent = content.comments.get(note.parent)
        head = "Comment" if parent is None else "Reply"
        if note.author:
            head += f" by {note.author}"
        if note.date:
            head += f", {note.date[:10]}"
        if parent is not None:
            head += f", to {parent.author or 'the comment before'}"
        about = " ".join(about.split())
        if about:
            head += f', on "{about if len(about) <= _ABOUT else about[: _ABOUT - 1] + "…"}"'
        if note.resolved or (parent is not None and parent.resolved):
            head += ", resolved"
        said = layout.plain(note.blocks)
        text = f"[{head}] " + "\n".join(unit.text for unit in said)
        section = layout.sections.get(path, "")
        units.append(ParsedUnit(text.strip(), note.path, section=section, flags=("comment",)))
    return units


def _abouts(body: list[Block]) -> dict[str, tuple[str, str]]:
    """What words each comment is about, and the path of the paragraph in which they begin, by the comment's id.

    Words that a tracked change deleted are left out, unless nothing else is left.
    """
    kept: dict[str, str] = {}
    gone: dict[str, str] = {}
    paths: dict[str, str] = {}
    open_ids: list[str] = []
    for paragraph in paragraphs(body):
        for item in paragraph.content:
            if isinstance(item, Piece):
                for key in open_ids:
                    into = gone if item.deleted is not None else kept
                    if len(into.get(key, "")) < 2 * _ABOUT:
                        into[key] = into.get(key, "") + item.text
            elif item.kind == "comment_start" and len(open_ids) < 200:
                open_ids.append(item.key)
                paths.setdefault(item.key, paragraph.path)
            elif item.kind == "comment_end" and item.key in open_ids:
                open_ids.remove(item.key)
            elif item.kind == "comment" and item.key not in paths:
                paths[item.key] = paragraph.path
                kept[item.key] = _before(paragraph, item)
        for key in open_ids:
            if len(kept.get(key, "")) < 2 * _ABOUT:
                kept[key] = kept.get(key, "") + " "
    return {key: ((kept.get(key) or "").strip() or gone.get(key, ""), path) for key, path in paths.items()}


def _before(paragraph: Paragraph, anchor: Anchor) -> str:
    """The last words before a comment that marks a place and no stretch."""
    text = ""
    for item in paragraph.content:
        if item is anchor:
            break
        if isinstance(item, Piece) and item.deleted is None:
            text += item.text
    return " ".join(text.split()[-6:])


def note_form(properties: Element | None, kind: str, default: str) -> tuple[str, int] | None:
    """The number form and first number that settings or a section give to footnotes or endnotes (`kind`), None when they do not."""
    found = None if properties is None else properties.find(w(f"{kind}Pr"))
    if found is None:
        return None
    start = integer(value(found, "numStart"))
    return value(found, "numFmt") or default, 1 if start is None else start
