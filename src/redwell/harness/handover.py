"""Handing work in: what a submit() or answer() is refused for, and the findings of an answer."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from redwell.harness.batches import Batch
from redwell.harness.types import Failure, Finding
from redwell.journal.shown import shown_line
from redwell.room.room import Room
from redwell.room.types import Citation, Span

LISTED_REASONS = 20


def calls_in_flight(batches: Iterable[Batch]) -> list[str]:
    """That calls are still out, when they are."""
    count = sum(len(batch.items) - len(batch.arrived) for batch in batches)
    return [f"{count} calls are still in flight: take their results (batch.results() waits for them)"] if count else []


def unseen_results(batches: Iterable[Batch]) -> list[str]:
    """That results have arrived and nobody has looked at them, when it is so."""
    unseen = [batch for batch in batches if batch.delivered < len(batch.arrived)]
    if not unseen:
        return []
    count = sum(len(batch.arrived) - batch.delivered for batch in unseen)
    return [
        f"{count} results have arrived that no cell has looked at, in {', '.join(batch.id for batch in unseen)}: batch.new() gives "
        "them, batches() lists the batches"
    ]


def left_failures(failures: Sequence[Failure], room: Room) -> str:
    """That these calls failed and were not asked again, and what can be done about it."""
    listed = "\n".join(
        f"    {failure.kind} ({shown_line(failure.message[:80])}): {failure.question[:60]!r} over {_places(failure.spans, room)}"
        for failure in failures[:LISTED_REASONS]
    )
    more = f"\n    and {len(failures) - LISTED_REASONS} more" if len(failures) > LISTED_REASONS else ""
    return (
        f"{len(failures)} calls failed and were not asked again, so their text was not read for that question:\n{listed}{more}\n"
        "    ask again with dispatch(batch.failures), or call submit() once more to leave them: they are listed as failed"
    )


def answered_findings(
    given: Sequence[Any], known: dict[str, Finding], room: Room, call: str
) -> tuple[tuple[Finding, ...], list[str]]:
    """The findings of an answer, those it had from sub-agents as they are and its own with their quotes checked; and what is wrong
    with them."""
    taken: list[Finding] = []
    problems: list[str] = []
    for place, each in enumerate(given, 1):
        if (identity := each.get("id")) in known:
            taken.append(known[identity])
            continue
        claim = each.get("claim")
        if not isinstance(claim, str) or not claim.strip():
            problems.append(f"finding {place} has no claim")
            continue
        citations = tuple(_cite(quote, room) for quote in each.get("quotes") or ())
        if not citations:
            problems.append(f"finding {place} ({claim[:60]!r}) has no quotes")
        problems += [
            f"finding {place}: the quote {citation.quote[:80]!r} is {citation.status} {citation.difference[:200]}".rstrip()
            for citation in citations
            if not citation.holds
        ]
        values = each.get("values")
        taken.append(
            Finding(
                id=f"{call}.f{place}",
                kind=str(each.get("kind") or "finding"),
                claim=claim.strip(),
                citations=citations,
                values=values if isinstance(values, dict) else {},
                document=citations[0].document if citations else "",
                call=call,
            )
        )
    return tuple(taken), problems


def _cite(quote: Any, room: Room) -> Citation:
    document = quote.get("document")
    text = str(quote.get("text") or quote.get("quote") or "")
    return room.check(text, None if document is None else str(document))


def _places(spans: tuple[Span, ...], room: Room) -> str:
    names = [shown_line(room.document(span.document).name) for span in spans]
    return ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")
