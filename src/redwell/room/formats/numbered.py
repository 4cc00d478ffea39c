"""Clause numbers on the units of formats whose numbers are typed in their text."""

from __future__ import annotations

from collections.abc import Sequence

from redwell.room.formats.clauses import Line, clauses
from redwell.room.formats.table_rows import SEPARATOR
from redwell.room.types import ParsedUnit

_PASSED = frozenset(("footer", "header", "hidden", "comment"))


def number_clauses(units: Sequence[ParsedUnit]) -> None:
    """Sets `label` and `section` of each unit in place, from the numbers at the heads of their texts (or the label they have).

    Table rows keep the header row as label and stand in the section around them; page furniture and hidden text stand in none.
    """
    told = [unit for unit in units if not _PASSED.intersection(unit.flags)]
    lines = []
    for unit in told:
        row = SEPARATOR in unit.text or SEPARATOR in unit.label
        lines.append(Line(unit.text, "" if row else unit.label, heading="heading" in unit.flags, apart=row))
    for unit, line, clause in zip(told, lines, clauses(lines), strict=True):
        unit.label = unit.label if line.apart else clause.label
        unit.section = clause.section
