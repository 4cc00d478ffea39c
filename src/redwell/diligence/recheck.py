"""Checks a finished report against the store again, with nothing taken from the run that made it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from redwell.diligence.render_xlsx import fitted_cell
from redwell.diligence.report import Cited, citations_in
from redwell.room.formats import xlsx
from redwell.room.room import Room, RoomError
from redwell.room.types import Limits, Unreadable


@dataclass(slots=True)
class Recheck:
    citations: int = 0
    hold: int = 0
    faults: list[str] = field(default_factory=list)


def recheck(data: dict[str, Any], room: Room) -> Recheck:
    """`data` is a `report.json`. A citation holds when its quote is found anew in its document, at the spans that the report gives."""
    try:
        citations = citations_in(data)
    except (KeyError, TypeError, ValueError) as error:
        return Recheck(faults=[f"report.json does not have the report's shape: {error!r}"])
    result = Recheck(len(citations))
    # Document by document, since a document is made ready for looking once; told in the order of the report.
    faults: dict[int, str] = {}
    for place in sorted(range(len(citations)), key=lambda place: citations[place].citation.document):
        fault = _fault(citations[place], room)
        if fault:
            faults[place] = fault
        else:
            result.hold += 1
    result.faults += [faults[place] for place in sorted(faults)]
    return result


def workbook_faults(data: dict[str, Any], workbook: bytes) -> list[str]:
    """What `report.xlsx` lacks of the quotes of a `report.json` of the right shape: someone may have edited it."""
    try:
        parsed = xlsx.read(workbook, "report.xlsx", Limits())
    except Unreadable as error:
        return [f"report.xlsx cannot be read: {error.reason}"]
    held = _folded("\n".join(unit.text for unit in parsed.views["final"]))
    quotes = dict.fromkeys(cited.citation.quote for cited in citations_in(data))
    return [
        f"{_short(quote)!r} is not in report.xlsx as the report has it"
        for quote in quotes
        if _folded(fitted_cell(quote)) not in held
    ]


def _folded(text: str) -> str:
    return " ".join(text.split())


def _short(quote: str) -> str:
    return quote if len(quote) <= 80 else quote[:77] + "..."


def _fault(cited: Cited, room: Room) -> str:
    given = cited.citation
    shown = _short(given.quote)
    try:
        found = room.check(given.quote, given.document, given.spans[0] if given.spans else None)
    except RoomError as error:
        return f"{shown!r}: {error}"
    if not found.holds:
        return f"{shown!r} is not in {cited.place.path}: {found.status}"
    if not set(given.spans) <= set(found.spans):
        return f"{shown!r} is in {cited.place.path}, but not where the report says"
    return ""
