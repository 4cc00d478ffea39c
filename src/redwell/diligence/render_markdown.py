"""The report as Markdown. Text from documents and models is escaped, so that it can be shown and not obeyed."""

from __future__ import annotations

import re
from collections.abc import Iterable

from redwell.diligence.blocks import (
    Badge,
    Bullets,
    Card,
    Cite,
    Grid,
    Heading,
    Inline,
    Layout,
    Line,
    Link,
    Paragraph,
    Source,
    Strong,
)
from redwell.journal.shown import shown


def render_markdown(layout: Layout) -> str:
    out = [f"# {escape(layout.title)}", "", f"*{escape(layout.subtitle)}*", ""]
    out += ["| | |", "|---|---|", *(f"| **{escape(label)}** | {escape(value)} |" for label, value in layout.facts), ""]
    if layout.warning:
        out += [f"> **Please note.** {escape(layout.warning)}", ""]
    for block in layout.blocks:
        match block:
            case Heading(level, text, _, number):
                out += ["#" * (level + 1) + " " + (f"{number}. " if number else "") + escape(text), ""]
            case Paragraph(line, style):
                text = inline(line)
                out += [("> " + text) if style in ("note", "warning") else text, ""]
            case Bullets(items):
                out += [*("- " + inline(item) for item in items), ""]
            case Grid():
                out += [*_grid(block), ""]
            case Card():
                out += [*_card(block), ""]
    out += ["## Sources", ""]
    for source in layout.sources:
        out += _source(source)
    return "\n".join(out).rstrip() + "\n"


def escape(text: str) -> str:
    """Plain text that Markdown shows as it is, on one line: no markup, no character reference, and no address that becomes a link."""
    text = re.sub(r"\s+", " ", shown(text))
    text = re.sub(r"([\\`*_\[\]<>|~]|&(?=[#A-Za-z]))", r"\\\1", text)
    text = re.sub(r":(?=//)", r"\:", text)
    text = re.sub(r"\b(www)(?=\.)", r"\1\\", text, flags=re.IGNORECASE)
    text = re.sub(r"^(\s*)(\d+)([.)])(?=\s|$)", r"\1\2\\\3", text)
    return re.sub(r"^(\s*)([-+=#])", r"\1\\\2", text)


def inline(line: Line) -> str:
    return "".join(_inline(part) for part in line)


def _inline(part: Inline) -> str:
    match part:
        case str():
            return escape(part) if part.strip() else part
        case Cite(numbers):
            return "".join(f" \\[{number}\\]" for number in numbers)
        case Link(_, text):
            return text
        case Strong(text):
            return f"**{escape(text)}**"
        case Badge(text):
            return text
    raise TypeError(part)


def _grid(grid: Grid) -> Iterable[str]:
    yield "| " + " | ".join(escape(label) for label in grid.header) + " |"
    yield "|" + "|".join("---:" if index in grid.numeric else "---" for index in range(len(grid.header))) + "|"
    for row in grid.rows:
        yield "| " + " | ".join(inline(cell) for cell in row) + " |"


def _card(card: Card) -> Iterable[str]:
    entry = card.entry
    yield f"#### {entry.id} {escape(entry.title)}"
    yield ""
    yield f"**{entry.severity}** · {entry.workstream} · {entry.evidence} evidence"
    yield ""
    for label, line in card.fields:
        yield f"- **{label}:** {inline(line)}"
    yield ""
    for number, cited in card.quotes:
        yield f"> “{escape(cited.citation.quote)}” ({escape(str(cited.place))}) \\[{number}\\]"
        yield ">"


def _source(source: Source) -> Iterable[str]:
    place = source.cited.place
    yield f"{source.number}. {escape(place.path)}, {escape(place.where)}: “{escape(source.words)}”"
