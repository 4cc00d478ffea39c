"""Plain text, Markdown and CSV in any encoding."""

from __future__ import annotations

from redwell.room.formats.csv_table import csv_units
from redwell.room.formats.detect import detect
from redwell.room.formats.encoding import decode
from redwell.room.formats.markdown import markdown_units
from redwell.room.formats.numbered import number_clauses
from redwell.room.formats.paragraphs import paragraph_units
from redwell.room.types import Limits, Parsed, ParsedUnit

_DELIMITERS = {",": "comma", ";": "semicolon", "\t": "tab", "|": "bar"}


def read(data: bytes, name: str, limits: Limits) -> Parsed:
    """Reads TXT, MD or CSV; `metadata["encoding"]` says which encoding its bytes were in.

    Units are paragraphs of plain text, blocks of Markdown, or rows of CSV (with the header row as label). Clauses whose number is
    typed in the text have it as label, and with its ancestors' as section.

    Raises:
        Unreadable: never for what decodes; text of any kind can be read.
    """
    decoded = decode(data)
    kind = detect(data, name)
    kind = kind if kind in ("md", "csv") else "txt"
    parsed = Parsed(kind, metadata={"encoding": decoded.encoding}, problems=decoded.problems)
    units: list[ParsedUnit]
    if kind == "csv":
        units, delimiter, reason = csv_units(decoded.text.replace("\f", "\n"))
        parsed.metadata["delimiter"] = _DELIMITERS[delimiter]
        if reason:
            parsed.status, parsed.reason = "partly_read", reason
    elif kind == "md":
        units, metadata = markdown_units(decoded.text.replace("\f", "\n"))
        parsed.metadata.update(metadata)
    else:
        units = paragraph_units(decoded.text)
    if kind != "csv":
        number_clauses(units)
    parsed.views["final"] = units
    if not units:
        parsed.problems.append("it holds no words")
    return parsed
