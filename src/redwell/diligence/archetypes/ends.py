"""When contracts and policies end, how they go on, and the calendar of last days. Standard library only."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from redwell.diligence.archetypes import words
from redwell.diligence.archetypes.case import Case, Doc

_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Ending:
    """The `day` on which a document's term ends and the `finding` that says so.

    `how` says what follows: `automatic` (renews unless notice is given), `agreement` (ends unless the parties renew it), `option`, or nothing.
    `notice` is the last day for notice of non-renewal, or for agreeing on a renewal; `renewal` the finding that says so. `rolled` counts the
    further terms that have begun by themselves before the day of reckoning, when `day` is the end of the last of them.
    """

    day: date
    finding: Any
    how: str = ""
    notice: date | None = None
    days: int = 0
    renewal: Any = None
    rolled: int = 0


def ending(case: Case, doc: Doc) -> Ending | None:
    """By a date that the document names, else by its own date and the length of its term; a term that runs from an event (a launch, a
    delivery) has no day."""
    first = _first(case, doc)
    if first is None:
        return None
    day, finding = first
    renewal = _renewal(case, doc, finding)
    how = str(renewal.values.get("how") or ("automatic" if renewal.values.get("renews") else "")) if renewal else ""
    notice_days = int(renewal.values.get("notice_days") or 0) if renewal else 0
    rolled = 0
    step = int(renewal.values.get("months") or 0) if renewal and renewal.kind != "fact:term" else 0
    if how == "automatic" and step and case.as_of is not None:
        start = day
        while day < case.as_of and rolled < 100:
            rolled += 1
            day = words.add_months(start + _DAY, step * rolled) - _DAY
    notice = day - timedelta(days=notice_days) if notice_days else None
    return Ending(day, finding, how, notice, notice_days, renewal, rolled)


def _first(case: Case, doc: Doc) -> tuple[date, Any] | None:
    terms = case.of(doc, "fact:term")
    for finding in terms:
        if finding.values.get("expires") and (day := words.dates(str(finding.values["expires"]))):
            return day[0], finding
    for finding in terms:
        values = finding.values
        start = words.dates(str(values.get("start") or doc.date))
        if values.get("months") and start and not values.get("perpetual") and not values.get("after"):
            return words.add_months(start[0], int(values["months"])) - _DAY, finding
    return None


def _renewal(case: Case, doc: Doc, term: Any) -> Any:
    """What is said of renewal: a refusal to renew alone before all else, then what says how long the notice is."""
    said = case.of(doc, "fact:renewal")
    for how in ("agreement", "automatic", "option"):
        of_kind = [f for f in said if f.values.get("how") == how]
        if of_kind:
            return next((f for f in of_kind if f.values.get("notice_days")), of_kind[0])
    if term.values.get("renews"):
        return term
    return next((f for f in case.of(doc, "auto_renewal") if f.values.get("renews")), None)


@dataclass(frozen=True, slots=True)
class Due:
    """One line of the calendar; `passed` when it lies before the day of reckoning."""

    day: date
    what: str
    doc: Doc
    findings: tuple[Any, ...]
    passed: bool = False


def calendar(case: Case) -> list[Due]:
    """Ends of terms and policies and last days for notice from the day of reckoning on, and last days that a letter or a contract year sets,
    by date; of these also the ones that have gone by."""
    lines: list[Due] = []
    for doc in case.ordered():
        if case.current(doc):
            lines += _of_term(case, doc)
            lines += _of_notice(case, doc)
    return sorted(lines, key=lambda line: (line.day, line.doc.path, line.what))


def _of_term(case: Case, doc: Doc) -> Iterator[Due]:
    if not (doc.is_contract or doc.family == "insurance") or (end := ending(case, doc)) is None:
        return
    if case.as_of is not None and end.day < case.as_of:
        return
    what = "policy period ends" if doc.family == "insurance" else "term ends"
    if end.how == "automatic":
        what += ", renews unless notice is given"
    elif end.how == "agreement":
        what += " unless the parties renew it in writing"
    elif end.how == "option":
        what += "; there is an option to renew"
    if end.rolled:
        what += f" (renewal term {end.rolled}, if it was renewed by its own words)"
    yield Due(end.day, what, doc, tuple(f for f in (end.finding, end.renewal) if f is not None))
    if end.notice is not None and end.how in ("automatic", "agreement"):
        purpose = "notice of non-renewal" if end.how == "automatic" else "agreeing on a renewal"
        gone = case.as_of is not None and end.notice < case.as_of
        yield Due(
            end.notice,
            f"last day for {purpose} ({end.days} days before the end)",
            doc,
            (end.renewal, end.finding),
            gone,
        )


_WHAT = {
    "cure": "period to cure the breach ends",
    "demand": "last day to meet the demand",
    "filing": "filing promised by this day",
    "payment": "payment due",
    "act": "period set by the letter ends",
}


def _of_notice(case: Case, doc: Doc) -> Iterator[Due]:
    for finding in case.of(doc, "fact:deadline"):
        what = _WHAT.get(str(finding.values.get("what")), _WHAT["act"])
        days = int(finding.values.get("days") or 0)
        named = words.dates(str(finding.values.get("date") or ""))
        if named:
            start = words.dates(str(finding.values.get("start") or ""))
            told = f"{what} ({days} days after the letter" + (f" of {start[0].isoformat()})" if start else ")")
            yield Due(named[0], told, doc, (finding,), case.as_of is not None and named[0] < case.as_of)
        elif finding.values.get("after"):
            for day in _after_years(case, doc, str(finding.values["after"]), days):
                told = f"{what} ({days} days after the {finding.values['after']})"
                yield Due(day, told, doc, (finding,), case.as_of is not None and day < case.as_of)


def _after_years(case: Case, doc: Doc, after: str, days: int) -> list[date]:
    """The last such day before the day of reckoning and the next one: so many days after the end of a year that begins on the contract's
    own day, or of a calendar year."""
    start = words.dates(doc.date)
    if not start or case.as_of is None or "fiscal" in after:
        return []
    first = date(start[0].year, 1, 1) if "calendar" in after else start[0]
    end = ending(case, doc)
    found = []
    for year in range(1, 100):
        over = words.add_months(first, 12 * year) - _DAY
        if end is not None and over > end.day:
            break
        found.append(over + timedelta(days=days))
        if found[-1] >= case.as_of:
            break
    return found[-2:]
