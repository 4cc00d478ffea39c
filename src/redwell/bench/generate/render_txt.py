"""A paper as plain text, a paragraph a line; what a mail and a plain page are made of, too."""

from __future__ import annotations

from collections.abc import Iterator

from redwell.bench.generate.laid import Laid, Line, Numbered, shown
from redwell.bench.generate.papers import Change, Heading, Para, Signatures, Table
from redwell.bench.generate.writing import us_date


def render(laid: Laid) -> bytes:
    """The file's bytes, UTF-8."""
    head = [
        laid.title.upper() if laid.status == "" else f"{laid.title} [{laid.status.upper()}]",
        "=" * min(len(laid.title), 78),
    ]
    return ("\n".join(head) + "\n\n" + "\n\n".join(paragraphs(laid.lines)) + "\n").encode("utf-8")


def paragraphs(lines: tuple[Line, ...]) -> Iterator[str]:
    """The paragraphs of a text; the rows of a table are lines of one, its cells parted by ` | `."""
    for line in lines:
        match line:
            case Heading(text) | Para(text):
                yield _line(text)
            case Numbered():
                yield clause(line)
                yield from (f"{label} {_line(text)}" for label, text in line.sub)
            case Change():
                yield _line(line.lead + line.after + line.tail)
            case Table():
                if line.caption:
                    yield _line(line.caption)
                rows = [line.header] if line.header else []
                rows += [tuple(map(shown, row.cells)) for row in line.rows]
                if rows:
                    yield "\n".join(" | ".join(map(_line, row)) for row in rows)
            case Signatures():
                yield from ("\n".join(part) for part in signatures(line))


def clause(line: Numbered) -> str:
    """`14.2 Heading. Text`."""
    stop = "" if not line.heading or not line.text or line.heading[-1:] in ".:?!" else "."
    return _line(" ".join(part for part in (printed(line.number), line.heading + stop, line.text) if part))


def printed(number: str) -> str:
    """A clause's number as it stands before it: `14.` of a whole number, so that no reader takes it for a figure."""
    return f"{number}." if number.isdigit() else number


def signatures(block: Signatures) -> Iterator[list[str]]:
    """The lines of each signature; a blank line of underscores where nothing was written."""
    blank = "_" * 24
    for sign in block.lines:
        signed = sign.signed and bool(sign.name)
        lines = [_line(sign.party), _line(f"By: /s/ {sign.name}") if signed else f"By: {blank}"]
        lines += [_line(f"Name: {sign.name or blank}"), _line(f"Title: {sign.title or blank}")]
        if sign.day or not signed:
            lines.append(f"Date: {us_date(sign.day) if sign.day else blank}")
        yield lines


def _line(text: str) -> str:
    return " ".join(text.split("\n")) if "\n" in text else text
