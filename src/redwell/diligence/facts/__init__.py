"""What the reader notes of every document besides issues: what it is, who made it with whom, its dates, tables and references.

Facts are findings whose kind begins with `fact:`; cross-document, absence and computed archetypes are worked out of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from redwell.diligence.clauses import Paragraph
from redwell.diligence.facts import document, ends, notes, references, statements, tables, terms

Fact = tuple[str, str, dict[str, Any], list[str]]
"""(kind, claim, values, quotes); quotes are words of the text as they stand."""


def facts(text: str, found: list[Paragraph], *, path: str, first: bool, last: bool) -> Iterator[Fact]:
    """The facts of one stretch. `first` and `last` say whether it begins and ends its document."""
    family = dated = ""
    if first:
        known = document.document(text, found, path)
        family, dated = known[2]["family"], known[2].get("date", "")
        yield known
    yield from document.signatures(text, found, last=last)
    yield from references.references(text, found, family)
    yield from tables.tables(text)
    yield from terms.terms(found, family)
    yield from ends.ends(found, family)
    yield from ends.deadlines(found, family, dated)
    yield from statements.statements(found, family)
    yield from notes.notes(text, first=first, last=last)
