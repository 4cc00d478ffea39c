"""Checks a finished report against the store again, with nothing taken from the run that made it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from redwell.diligence.report import Cited, citations_in
from redwell.room.room import Room, RoomError


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
    for cited in citations:
        fault = _fault(cited, room)
        if fault:
            result.faults.append(fault)
        else:
            result.hold += 1
    return result


def _fault(cited: Cited, room: Room) -> str:
    given = cited.citation
    shown = given.quote if len(given.quote) <= 80 else given.quote[:77] + "..."
    try:
        found = room.check(given.quote, given.document, given.spans[0] if given.spans else None)
    except RoomError as error:
        return f"{shown!r}: {error}"
    if not found.holds:
        return f"{shown!r} is not in {cited.place.path}: {found.status}"
    if not set(given.spans) <= set(found.spans):
        return f"{shown!r} is in {cited.place.path}, but not where the report says"
    return ""
