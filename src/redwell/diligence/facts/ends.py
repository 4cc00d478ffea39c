"""When a document's term ends, how it is renewed, and last days that a notice sets.

`fact:term` (values: `expires` or `months`, `start`, `after` where the term runs from something that is no date, `until` where it ends with such a thing, `renews`, `perpetual`),
`fact:renewal` (`how`: automatic, agreement or option; `months`, `notice_days`) and `fact:deadline` (`date`, `what`: cure, demand, filing or
act, `days`, `start`, or instead of `date` and `start` an `after`: "end of the contract year").
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, timedelta
from typing import Any

from redwell.diligence.archetypes import words
from redwell.diligence.archetypes.families import CONTRACTS
from redwell.diligence.clauses import Paragraph, clean, quote, sentences

Fact = tuple[str, str, dict[str, Any], list[str]]

MOST = 6  # terms of one stretch: a document that names more is one with many licences, not one with many ends

_I = re.IGNORECASE
_OF = r"(?:\s+(?:of|for|under) (?:this|the) (?:\w+ ){0,3}?(?:agreement|lease|contract|licen[cs]e|charter|order form|order|addendum|letter agreement)|\s+hereof|\s+hereunder)"
_PAPER = r"\b(?:this|the) (?-i:[A-Z]\w+ ){0,3}(?:agreement|lease|contract|addendum|dpa|licen[cs]e agreement|order form|order|policy|amendment|joint venture)\b"
_SUBJECT = re.compile(
    rf"(?:\b(?:the|its|this)\s+)?(?:(?:initial|original|primary|current|base|subscription|basic|lease)\s+)*\bterm\b(?!\s+(?:for|loan|sheet|of exclusiv|of office))(?:{_OF})?|{_PAPER}",
    _I,
)
_VERB = re.compile(
    r"(?:\s*\([^)]{0,90}\))?,?\s*(?:,?\s?(?:unless|except|subject to|and,? unless)[^.;]{0,160}?,\s*)?(?:\([^)]{0,60}\)\s*)?(?:(?:shall|will|may|is|are|has|and)\s+)*(?:(?:also|automatically|hereby|be|been|then|only)\s+)*"
    r"(?:commenc\w+|beg[iau]n\w*|starts?|continu\w+|expir\w+|terminat\w+|ends?\b|ending|remains?|extend\w*|for an?\b|for the|runs?|becomes?|come into|valid|in (?:full )?force|in effect|effective|enters?|takes? effect"
    r"|(?:is|be|shall be|of)?\s*(?:[\w-]+ )?\(?\d{1,3}\)?[- ]*(?:calendar |full |consecutive )?(?:year|month)|(?:one|two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|eighteen|twenty|twenty-four|thirty)\b|for\b)",
    _I,
)
_ENDED_EARLY = re.compile(
    r"\bmay (?:also )?(?:be )?(?:\w+ )?(?:terminat|renewed|extended)|\b(?:is|are) terminated\b|terminated by", _I
)
"""A right to end or extend a term says nothing of when it ends."""
_LABEL = re.compile(
    r"(?:^(?:[\W\d]|[IVX]+\.)*(?:initial |subscription )?term|\bpolicy period|\b(?:expiration|expiry|termination) date)\s*(?:[:|]|of agreement[:.])\s*(?=.{0,80}(?:\d{4}|year|month))",
    _I,
)
_NOT_BEFORE = re.compile(
    r"(?:\b(?:during|throughout|within|of|for|after|before|following|under|in|pursuant to|upon|end|until|through|terminates?|to|by|with|each|such|prior|enter into|any|if|extend|renew|breach(?:es)?|and)\s+(?:the |this |entire |full |remaining |then-current |its )*"
    r")$",
    _I,
)
_NAMED_ELSE = re.compile(
    r"\b(?!The |Initial |Original |Subscription |Lease |Agreement |Basic |This )[A-Z][a-z]+ $|\ban? $"
)
"""Before the word "term": what makes it the term of something else ("Royalty Term", "a term")."""
_UNTIL_EVENT = re.compile(
    r"\b(?:remain|continue|be in|shall expire|will expire|expires|enduring|end(?:s|ure)?|be effective|in force|in effect|terminates?)\w*\b[^.;]{0,160}?\b(?:until|upon|on|for (?:so|as) long as|so long as|as long as|through|when)\s+"
    r"(?P<what>(?!(?:written |prior |\w+ \(?\d+\)? days|notice|breach|the terms|substantially|delivery of (?:written )?notice))[^.;]{8,120})",
    _I,
)
_DAY_NEXT = r"[^.;]{0,30}?(?=(?:[A-Z][a-z]+\.? \d|\d{1,2}(?:st|nd|rd|th)? |\d{4}-|\d{1,2}/))"
_UNTIL = re.compile(
    rf"\b(?:expir\w+|terminat\w+|end(?:s|ing)?)\b[^.;]{{0,100}}?\b(?:on|as of|at|of)\b{_DAY_NEXT}|\b(?:until|through|thru|to|and including|expir\w+|ending|–)\b{_DAY_NEXT}| – {_DAY_NEXT}",
    re.DOTALL,
)
_FOR = re.compile(
    r"\b(?:for|be|is|of|period|term|least|than|thereafter|ending|expire)\b[^.;,]{0,50}?((?:[\w-]+ )?\(?\d{0,3}\)?[- )]*(?:calendar |full |consecutive |additional )*(?:years?|months?)\b)",
    _I,
)
_FROM = re.compile(
    r"(?:years?|months?|term|period)\b\)?[^.;]{0,60}?\b(?:from|following|after|commenc\w+ (?:on|upon|with|as of|at)|beginning (?:on|upon|with|at)|starting (?:on|with))\s+(?P<what>[^.;,(]{3,70})",
    _I,
)
_OWN_DAY = re.compile(
    r"effective date|date hereof|hereof|date (?:first|above|of (?:this|the|execution|signature|signing|last))|execution|signing|agreement date|commencement date|therefrom|thereafter|initial term|term\b|expir",
    _I,
)
_OTHER_END = re.compile(
    r"\b(?:warrant|confidential|non-?disclos|surviv|audit|records|solicit|compete|indemnif|forecast|chairperson|exclusivity|monthly report)",
    _I,
)
_MATURES = re.compile(r"\bmatur(?:es?|ing|ity(?: date)?)\b[^.;]{0,60}?(?=(?:[A-Z][a-z]+\.? \d|\d{1,2} [A-Z]|\d{4}-))")
_RENT = re.compile(r"\brent\b[^.;]{0,120}\b(?:until|through|to)\s+(?=(?:[A-Z][a-z]+\.? \d|\d{1,2} [A-Z]|\d{4}-))", _I)
_TELLS = re.compile(r"\byears?\b|\bmonths?\b|\d{4}|\d/\d|perpet|indefinit|terminated|until|upon|as long|through", _I)
"""A sentence without any of these names no end of a term: asked first, because it is cheap."""
_WORDS = (
    " term",
    "\nterm",
    "expire",
    "until",
    "full force",
    "in effect",
    "continue",
    "period",
    "matur",
    "valid",
    "ends",
)


def ends(found: list[Paragraph], family: str) -> Iterator[Fact]:
    """`fact:term` and `fact:renewal`."""
    terms = renewals = 0
    for paragraph in found:
        raw = paragraph.raw
        low = raw.lower()
        if "renew" not in low and (len(raw) > 8_000 or not any(word in low for word in _WORDS)):
            continue
        whole = clean(raw) if "renew" in low or "extend" in low or "extension" in low else ""
        renewed = words.renewal(whole) if whole and re.search(r"\bterm\b|agreement|lease|contract", whole, _I) else {}
        if terms < MOST and len(raw) <= 8_000:
            for fact in _terms(raw, family, renewed):
                terms += 1
                yield fact
        if renewed and renewals < MOST and not re.search(r"letter of credit|patent term|domain name", whole, _I):
            renewals += 1
            spoken = next(
                (raw[a:b] for a, b in sentences(raw) if words.renewal(clean(raw[a:b])).get("how") == renewed["how"]),
                raw,
            )
            about = re.search(r"\w*\s?(?:re-?new|extend|extension)\w*", spoken, _I)
            yield "fact:renewal", f"renewal: {renewed['how']}", renewed, [quote(spoken, about[0] if about else "")]


def _subject(text: str) -> int:
    """Where the verb of a sentence about the document's own term begins to speak of it, -1 when the sentence has no such subject."""
    label = _LABEL.search(text)
    if label:
        return label.end()
    for match in _SUBJECT.finditer(text):
        before = text[max(0, match.start() - 40) : match.start()]
        if _NOT_BEFORE.search(before) or (match[0][:4].lower() == "term" and _NAMED_ELSE.search(before)):
            continue
        if (verb := _VERB.match(text, match.end())) is not None and not _ENDED_EARLY.search(
            text[match.end() : verb.end() + 12]
        ):
            return max(match.end(), verb.start())
    return -1


def _terms(raw: str, family: str, renewed: dict[str, Any]) -> Iterator[Fact]:
    for start, end in sentences(raw):
        low = raw[start:end].lower()
        if not any(word in low for word in _WORDS) or not _TELLS.search(low):
            continue
        text = re.sub(r"(?<=\d)\.(?=\d)", "·", clean(raw[start:end]))
        values = _term(text, family)
        if values:
            if renewed.get("how") == "automatic":
                values["renews"] = True
                values |= {key: renewed[key] for key in ("notice_days",) if key in renewed}
            around = re.search(r"\bterm\b.{0,60}|\bagreement\b.{0,60}", text, _I)
            yield "fact:term", clean(raw[start:end])[:240], values, [quote(raw[start:end], around[0] if around else "")]
            return


def _term(text: str, family: str) -> dict[str, Any]:
    at = _subject(text)
    if at < 0:
        special = _MATURES.search(text) if family == "credit" else _RENT.search(text) if family == "lease" else None
        if special and (days := words.dates(text[special.end() : special.end() + 30])):
            return {"expires": days[0].isoformat()}
        return {}
    rest = text[at:]
    if _OTHER_END.search(rest[:200]) and not re.search(r"initial term|term of this agreement", text, _I):
        return {}
    values: dict[str, Any] = {}
    until = _UNTIL.search(rest)
    days = words.dates(rest[until.start() :]) if until else []
    if _LABEL.search(text) and not days:
        days = words.dates(rest)
    if days:
        values["expires"] = max(days).isoformat()
        if len(days) > 1 and min(days) != max(days):
            values["start"] = min(days).isoformat()
    elif (begin := re.search(r"(?:commenc|beg[iu]n|start|effective)[^.;]{0,30}", rest, _I)) and (
        days := words.dates(rest[begin.start() : begin.end() + 30])
    ):
        values["start"] = days[0].isoformat()
    length = _FOR.search(rest)
    count = words.months(length[1]) if length else words.months(rest[:160]) if not days else None
    further = re.search(
        r"renew|be (?:further )?extended|extended (?:for|by|on)", rest[: length.end() if length else 0], _I
    )
    if (
        count
        and count <= 1200
        and not further
        and not re.search(r"notice|prior written", rest[: length.start() if length else 0], _I)
    ):
        values["months"] = count
        since = _FROM.search(rest)
        if (
            since
            and not _OWN_DAY.search(since["what"])
            and not words.dates(rest[since.start("what") : since.end() + 8])
        ):
            values["after"] = since["what"].strip()
    if re.search(r"perpetual|perpetuity|indefinite|until (?:it is )?terminated", rest, _I):
        values["perpetual"] = True
    if set(values) <= {"start"}:
        event = _UNTIL_EVENT.search(rest[:400])
        return {**values, "until": event["what"].strip()} if event else {}
    return values


_WITHIN = re.compile(
    r"\bwithin\s+(?P<period>(?:[\w-]+ )?\(?\d{0,3}\)?[- )]*(?:business |working |calendar )?(?:days?|weeks?|months?))(?P<after>\s*(?:of|after|from|following)\s+[^.;,]{3,70})?",
    _I,
)
_NOTICE_ITSELF = re.compile(
    r"\b(?:this|your receipt|receipt|the date (?:hereof|of this|above)|hereof|date hereof|today)\b", _I
)
_YEAR_END = re.compile(r"end of (?:the|each|a|any|such) (?P<what>(?:contract|calendar|fiscal|agreement) year)", _I)
_WHATS = (
    ("cure", r"\bcur(?:e|ed|ing)\b|remed(?:y|ied)"),
    ("filing", r"\bfile|termination statement|ucc-?3|record"),
    ("demand", r"demand|pay\b|cease|respond|reply|litigation|proceedings|damages"),
)


def deadlines(found: list[Paragraph], family: str, dated: str) -> Iterator[Fact]:
    """`fact:deadline`: the last day of a period that runs from a letter or notice itself, by the day it bears; and in contracts what is due
    so many days after the end of each year."""
    day = words.dates(dated)
    for paragraph in found:
        raw = paragraph.raw
        if "ithin" not in raw or len(raw) > 6_000:
            continue
        for start, end in sentences(raw):
            text = clean(raw[start:end])
            match = _WITHIN.search(text)
            if not match or not (periods := words.periods(match["period"])):
                continue
            after = match["after"] or ""
            number, unit = periods[0]
            quoted = [quote(raw[start:end], match[0])]
            if family in CONTRACTS:
                year = _YEAR_END.search(after)
                if year and unit == "day" and re.search(r"\bpay|shortfall|deliver|purchase", text, _I):
                    values = {"what": "payment", "days": number, "after": f"end of the {year['what'].lower()}"}
                    yield "fact:deadline", f"due {number} days after the {values['after']}", values, quoted
                continue
            if not day or (after and not _NOTICE_ITSELF.search(after)):
                continue
            last = _after(
                day[0], number, unit, business=re.search(r"business|working", match["period"], _I) is not None
            )
            what = next((name for name, pattern in _WHATS if re.search(pattern, text, _I)), "act")
            values = {"what": what, "date": last.isoformat(), "days": (last - day[0]).days, "start": day[0].isoformat()}
            yield (
                "fact:deadline",
                f"{what}: last day {last.isoformat()}, {number} {unit}s after {day[0].isoformat()}",
                values,
                quoted,
            )


def _after(start: date, number: int, unit: str, *, business: bool) -> date:
    """The day so long after another; of business days, Saturdays and Sundays are not counted (holidays are not known)."""
    if unit == "month":
        return words.add_months(start, number)
    if not business:
        return start + timedelta(days=number * (7 if unit == "week" else 1))
    day = start
    while number:
        day += timedelta(days=1)
        number -= day.weekday() < 5
    return day
