"""When contracts and policies end, how they go on, and the calendar of last days. Standard library only."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from redwell.diligence.archetypes import words
from redwell.diligence.archetypes.base import Issue
from redwell.diligence.archetypes.case import Case, Doc
from redwell.diligence.archetypes.stakes import day_said, stake

_I = re.IGNORECASE
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


def expired(case: Case) -> Iterator[Issue]:
    """Contracts that ended by their own words before the day that is reckoned from."""
    if case.as_of is None:
        return
    over = []
    for doc in case.ordered():
        end = ending(case, doc)
        if (
            end
            and _ends_contract(end.finding)
            and doc.is_contract
            and not end.finding.values.get("renews")
            and not case.of(doc, "auto_renewal")
            and end.day < case.as_of
        ):
            later = any(d.date > end.day.isoformat() for d in case.with_same(doc))
            if not later:
                over.append((doc, end.day, end.finding))
    if over:
        large = [o for o in over if case.row_of(o[0]) is not None]
        yield Issue(
            "expired_contract", f"{len(over)} contract{'s have' if len(over) > 1 else ' has'} ended by {'their' if len(over) > 1 else 'its'} own words, and no renewal is in the room",
            f"Ended before {day_said(case.as_of)}: " + "; ".join(f"{case.counterparty(d)} ({d.name}) on {day_said(end)}" for d, end, _ in sorted(over, key=lambda o: o[1], reverse=True)[:40]) + ". If they are still performed, it is without agreed terms.",
            [f for _, _, f in over[:60]], severity="High" if large else "Low", searched=f"{len(case.docs)} documents for renewals and later agreements with the same parties",
            exposure={"not_quantified": "depends on whether they are still performed"},
        )  # fmt: skip


_SUBJECT = re.compile(
    r"\b(?:this|the) (?:\w+ ){0,3}?(?:agreement|contract|lease|term)\b[^.;]{0,200}\b(?:commence|begin|start|expire|end|continue|terminate|remain|effective|in effect|in force)|\bterm of (?:this|the) (?:\w+ ){0,2}(?:agreement|contract|lease)|\binitial term\b|\bterm\b[^.;]{0,40}\b(?:of|is|shall be)\b[^.;]{0,40}(?:year|month)",
    _I,
)
_OTHER_SUBJECT = re.compile(
    r"royalt|chair(?:man|person)|\bboard\b|option|generic|exclusiv|warrant|closing of|follow(?:ing)? (?:the )?(?:termination|expiration)|after (?:the )?(?:termination|expiration|expiry)|trade ?mark|confiden|non-?compet|surviv|patent|sublicen|until the (?:later|earlier)|indefinite|perpetu",
    _I,
)


def _ends_contract(finding: Any) -> bool:
    """Whether the words are about the contract itself, and not about a right, an office or a duty under it."""
    words_ = " ".join(c.quote for c in finding.citations)
    return bool(_SUBJECT.search(words_)) and not _OTHER_SUBJECT.search(words_)


def window(case: Case) -> Iterator[Issue]:
    """Renewal notices that must be given within half a year, or whose day has just gone by."""
    if case.as_of is None:
        return
    for doc in case.ordered():
        row = case.row_of(doc)
        end = ending(case, doc)
        if row is None or end is None or not case.current(doc) or end.how not in ("automatic", "agreement"):
            continue
        automatic = end.how == "automatic"
        last = end.notice if automatic or end.notice else end.day
        if last is None:
            continue
        ahead = (last - case.as_of).days
        if not -150 <= ahead <= (200 if automatic else 365):
            continue
        case.use(*(f for f in case.of(doc, "auto_renewal")))
        amount, share = float(row.values["amount"]), float(row.values["share"])
        who = str(row.values["customer"])
        when = f"on {day_said(last)}" if ahead >= 0 else f"on {day_said(last)}, which has gone by"
        if automatic:
            title = f"{who}: notice of non-renewal {'is' if ahead >= 0 else 'was'} possible until {day_said(last)}"
            claim = f"The term ends on {day_said(end.day)} and renews unless notice is given {end.days} days before, {when}. "
            claim += (
                f"{who} ({share:g} % of revenue) may let the contract end around closing."
                if ahead >= 0
                else "No notice and no confirmation of the renewal is in the room."
            )
        else:
            title = f"{who}: the contract ends on {day_said(end.day)} unless both sides renew it in writing"
            claim = f"The term ends on {day_said(end.day)} and does not renew by itself: it goes on only if the parties agree so in writing"
            claim += f", at the latest {when}. " if end.notice else ". "
            claim += f"{who} makes up {share:g} % of revenue; no renewal is in the room."
        formula = f"one year of {row.values['measure']}: {case.money(amount)}"
        if end.notice:
            formula += f"; {day_said(last)} is {end.days} days before {day_said(end.day)}"
        yield Issue(
            "renewal_window", title[:190], claim, [f for f in (end.renewal, end.finding, row) if f is not None],
            severity="High" if share >= 10 and ahead >= 0 else "Medium" if share >= 5 else "Low",
            exposure={"base": amount, "low": 0.0, "high": amount, "currency": case.currency, "formula": formula, "of": stake(case, row)}, contingent=True,
        )  # fmt: skip
