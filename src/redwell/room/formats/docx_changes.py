"""Tracked changes told one by one: who changed what, when and where."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from redwell.room.formats.docx_model import Block, Change, Content, Paragraph, Piece, paragraphs
from redwell.room.formats.docx_views import Layout
from redwell.room.types import ParsedUnit, cited

_LISTED = 5000
_AUTHORS = 12


@dataclass(slots=True)
class _Entry:
    kind: str
    change: Change
    path: str
    text: str


def change_units(content: Content, layout: Layout) -> list[ParsedUnit]:
    """One unit a change, in the order of the text: `[Deleted by Ann Lee, 2024-03-01, in Section 8.2] thirty (30)`."""
    units: list[ParsedUnit] = []
    for index, entry in enumerate(_entries(content), 1):
        if index > _LISTED:
            break
        section = layout.sections.get(entry.path, "")
        verb = {"inserted": "Inserted", "deleted": "Deleted"}[entry.kind]
        if entry.change.moved:
            verb = "Moved here" if entry.kind == "inserted" else "Moved away"
        head = verb + (f" by {entry.change.author}" if entry.change.author else "")
        if entry.change.date:
            head += f", {entry.change.date[:10]}"
        head += f", in {cited(section) if section else entry.path}"
        flags = (entry.kind, "moved") if entry.change.moved else (entry.kind,)
        text = " ".join(entry.text.split()) or "(the end of a paragraph)"
        units.append(ParsedUnit(f"[{head}] {text}", f"change[{index}]", section=section, flags=flags))
    return units


def changes_in_words(content: Content) -> str:
    """How many changes there are, by whom and when, empty when there is none: `3 by Ann Lee, 2024-03-01 to 2024-03-04`."""
    entries = list(_entries(content))
    if not entries:
        return ""
    authors = list(dict.fromkeys(entry.change.author for entry in entries if entry.change.author))
    dates = sorted(entry.change.date[:10] for entry in entries if entry.change.date)
    words = str(len(entries))
    if authors:
        more = f" and {len(authors) - _AUTHORS} more" if len(authors) > _AUTHORS else ""
        words += f" by {', '.join(authors[:_AUTHORS])}{more}"
    if dates:
        words += f", {dates[0]}" + (f" to {dates[-1]}" if dates[-1] != dates[0] else "")
    return words


def _entries(content: Content) -> Iterator[_Entry]:
    stories: list[list[Block]] = [item.blocks for item in content.furniture if item.kind == "header"]
    stories.append(content.body)
    stories += [note.blocks for notes in (content.footnotes, content.endnotes) for note in notes.values()]
    stories += [item.blocks for item in content.furniture if item.kind == "footer"]
    for blocks in stories:
        for paragraph in paragraphs(blocks):
            yield from _of_paragraph(paragraph)


def _of_paragraph(paragraph: Paragraph) -> Iterator[_Entry]:
    entries: list[_Entry] = []
    touching: dict[str, _Entry] = {}
    for item in paragraph.content:
        if not isinstance(item, Piece):
            continue
        now: dict[str, _Entry] = {}
        for kind, change in (("inserted", item.inserted), ("deleted", item.deleted)):
            if change is None:
                continue
            entry = touching.get(kind)
            if entry is None or (entry.change.author, entry.change.date[:10]) != (change.author, change.date[:10]):
                entry = _Entry(kind, change, paragraph.path, "")
                entries.append(entry)
            entry.text += item.text
            now[kind] = entry
        touching = now
    for kind, change in (("inserted", paragraph.mark_inserted), ("deleted", paragraph.mark_deleted)):
        if change is not None and kind not in touching:
            entries.append(_Entry(kind, change, paragraph.path, ""))
    yield from entries
