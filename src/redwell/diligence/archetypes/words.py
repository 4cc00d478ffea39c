"""Reading small things out of legal prose: sums, periods, dates, parties. Standard library only."""

from __future__ import annotations

import re
from datetime import date
from typing import Any

_NUMBERS = {
    name: value
    for value, name in enumerate(
        [
            "zero",
            "one",
            "two",
            "three",
            "four",
            "five",
            "six",
            "seven",
            "eight",
            "nine",
            "ten",
            "eleven",
            "twelve",
            "thirteen",
            "fourteen",
            "fifteen",
            "sixteen",
            "seventeen",
            "eighteen",
            "nineteen",
            "twenty",
        ]
    )
} | {"thirty": 30, "forty": 40, "forty-five": 45, "fifty": 50, "sixty": 60, "seventy-five": 75, "ninety": 90}
_NUMBERS |= {
    "twenty-four": 24,
    "thirty-six": 36,
    "forty-eight": 48,
    "one hundred twenty": 120,
    "one hundred eighty": 180,
}
_NUMBERS |= {"a": 1, "an": 1}

_MONTHS = {
    name: number
    for number, names in enumerate(
        ("january jan", "february feb", "march mar", "april apr", "may", "june jun", "july jul", "august aug", "september sep sept",
         "october oct", "november nov", "december dec"),
        1,
    )
    for name in names.split()
}  # fmt: skip
_MONTH = "(?:" + "|".join(sorted(_MONTHS, key=len, reverse=True)) + r")\.?"

MONEY = re.compile(
    r"(?P<currency>US\s?\$|USD\s?\$?|U\.S\.\s?\$|C\$|CAD\s?\$?|EUR|GBP|\$|€|£)\s?\(?(?P<figure>\d[\d,]*(?:\.\d+)?)"
    r"(?:\s?(?P<scale>thousand|million|billion|bn|mm|[kKmMbB])\b)?",
    re.IGNORECASE,
)
_PERIOD = re.compile(
    r"\b(?P<word>"
    + "|".join(sorted(map(re.escape, _NUMBERS), key=len, reverse=True))
    + r")?[\s-]*(?:\(?\s?(?P<figure>\d{1,4})\s?\)?)?[\s-]*(?:\)|consecutive|full|additional|successive|business|calendar|working|prior|[- ])*"
    r"(?P<unit>day|week|month|quarter|year|hour)(?:s|['’]s?|s['’])?\b",
    re.IGNORECASE,
)
_DATE = re.compile(
    rf"\b(?:(?P<m1>{_MONTH})\s+(?P<d1>\d{{1,2}})(?:st|nd|rd|th)?,?\s+(?P<y1>\d{{4}})"
    rf"|(?P<d2>\d{{1,2}})(?:st|nd|rd|th)?\s+(?:day\s+of\s+)?(?P<m2>{_MONTH}),?\s+(?P<y2>\d{{4}})"
    r"|(?P<y3>\d{4})-(?P<m3>\d{2})-(?P<d3>\d{2})"
    r"|(?P<m4>\d{1,2})/(?P<d4>\d{1,2})/(?P<y4>\d{4}|\d{2}))\b",
    re.IGNORECASE,
)
_SCALES = {"thousand": 1e3, "k": 1e3, "million": 1e6, "mm": 1e6, "m": 1e6, "billion": 1e9, "bn": 1e9, "b": 1e9}
_CURRENCIES = {"€": "EUR", "eur": "EUR", "£": "GBP", "gbp": "GBP", "c$": "CAD", "cad": "CAD", "cad$": "CAD"}
_DAYS = {"hour": 1 / 24, "day": 1, "week": 7, "month": 30, "quarter": 91, "year": 365}


def money(text: str) -> list[tuple[float, str]]:
    """Every sum in the text as (amount, ISO currency); `$` is taken for USD."""
    found = []
    for match in MONEY.finditer(text):
        try:
            amount = float(match["figure"].replace(",", ""))
        except ValueError:
            continue
        sign = re.sub(r"\s", "", match["currency"]).casefold()
        found.append((amount * _SCALES.get((match["scale"] or "").casefold(), 1.0), _CURRENCIES.get(sign, "USD")))
    return found


def show_money(amount: float, currency: str = "USD") -> str:
    """`USD 12,400,000`; cents only where there are any."""
    if float(amount).is_integer() or abs(amount) >= 10_000:
        return f"{currency} {amount:,.0f}"
    return f"{currency} {amount:,.4f}".rstrip("0") if round(amount, 2) != amount else f"{currency} {amount:,.2f}"


def periods(text: str) -> list[tuple[int, str]]:
    """Every period in the text as (number, unit), unit one of hour, day, week, month, quarter, year."""
    found = []
    for match in _PERIOD.finditer(text):
        number = int(match["figure"]) if match["figure"] else _NUMBERS.get((match["word"] or "").casefold())
        if number:
            found.append((number, match["unit"].casefold()))
    return found


def days(text: str) -> int | None:
    """The first period of the text in days (a month is 30, a year 365)."""
    for number, unit in periods(text):
        return round(number * _DAYS[unit])
    return None


def months(text: str) -> int | None:
    """The first period of the text that is counted in months or years, in months."""
    for number, unit in periods(text):
        if unit in ("month", "year", "quarter"):
            return number * {"month": 1, "quarter": 3, "year": 12}[unit]
    return None


def dates(text: str) -> list[date]:
    """Every full date in the text; m/d/y is read the American way."""
    found = []
    for match in _DATE.finditer(text):
        year, month, day = next(
            (match[f"y{n}"], match[f"m{n}"], match[f"d{n}"]) for n in (1, 2, 3, 4) if match[f"y{n}"] is not None
        )
        number = int(month) if month.isdigit() else _MONTHS[month.rstrip(".").casefold()]
        full = int(year) + (0 if len(year) == 4 else 2000 if int(year) < 70 else 1900)
        try:
            found.append(date(full, number, int(day)))
        except ValueError:
            continue
    return found


def add_months(start: date, count: int) -> date:
    """The same day `count` months later, or the month's last day."""
    year, month = divmod(start.year * 12 + start.month - 1 + count, 12)
    for day in (start.day, 30, 29, 28):
        try:
            return date(year, month + 1, min(start.day, day))
        except ValueError:
            continue
    return start  # pragma: no cover - every month has 28 days


_ACTOR = re.compile(
    r"(?:^|[.;:,)] |\b(?:and|that|then|or|period|hereof|term|time|event|days|control|occurrence|party|hereby|also|further) )"
    r"(?P<who>(?:the |each |either |any |neither |no |both |such )?[A-Z][\w&.'’-]*(?: (?:[A-Z][\w&.'’-]*|of|and|the|its))*?(?: (?:or|nor|and) (?:its|any of its) \w+)?|(?:[Ee]ither|[Nn]either|[Ee]ach|[Tt]he other|[Nn]o|[Aa]ny|[Ss]uch other) [Pp]art(?:y|ies))"
    r" (?:shall|will|may|must|can|agrees?|covenants?|has|have|undertakes?|is|hereby|acknowledges?|grants?|retains?)\b"
)

_NUMBERED = re.compile(r"\W*(?:\(?[a-zA-Z0-9]{1,4}[.)]|\d+(?:\.\d+)*\.?)\s+")


def actor(text: str, before: int | None = None) -> str:
    """Who the sentence says does it: the last `X shall/may/agrees` that begins before the offset, else the first."""
    best = ""
    number = _NUMBERED.match(text)
    skip = number.end() if number else 0
    for match in _ACTOR.finditer(text[skip:]):
        if before is not None and match.start() + skip > before and best:
            break
        best = match["who"]
        if before is None:
            break
    return re.sub(r"^(?:[Tt]he|[Ee]ach|[Ss]uch|[Nn]either|[Ee]ither) (?![Pp]art)", "", best).strip()


_NEVER = re.compile(
    r"\b(?:not|nor|no)\b[^.;]{0,40}\b(?:auto-?renew\w*|automatic\w*[^.;]{0,20}\b(?:renew\w*|exten\w+)|renew\w* automatic\w*)"
    r"|\b(?:renew\w*|exten(?:d|sion)\w*)\b[^.;]{0,140}\bonly (?:up)?on\b|\bonly (?:up)?on\b[^.;]{0,60}\bagreement\b[^.;]{0,80}\brenew"
    r"|\b(?:renew\w*|extended)\b[^.;]{0,80}\b(?:by|upon|on|with) (?:the )?(?:mutual|further|prior|written)[^.;]{0,30}\b(?:agreement|consent)\b"
    r"|\b(?:expires?|ends?|terminates?)\b[^.;]{0,60}\bunless\b[^.;]{0,40}\b(?:renewed|extended)\b[^.;]{0,30}\b(?:in writing|written|agreement|mutual)",
    re.IGNORECASE,
)
_ALONE = re.compile(
    r"automatic\w*[^.;]{0,80}\b(?:renew\w*|extend\w*|exten(?:sion|ded)|continu\w*)|\b(?:renew\w*|extend\w*)\b[^.;]{0,60}\bautomatic"
    r"|\b(?:renew\w*|extend\w*|continues?)\b[^.;]{0,140}\b(?:successive|consecutive|year[- ]to[- ]year|subsequent|additional|further)[^.;]{0,140}\bunless\b"
    r"|\bunless\b[^.;]{0,140}\b(?:notice|notif)[^.;]{0,140}\b(?:renews|shall renew|will renew|(?:shall|will) be (?:renewed|extended))"
    r"|\b(?:shall|will) (?:be )?(?:renewed?|extended?)\b[^.;]{0,140}\bunless\b|\bcontinu\w+[^.;]{0,40}year[- ]to[- ]year",
    re.IGNORECASE,
)
_CHOSEN = re.compile(
    r"\b(?:option|right|elects?|may|entitled)\b[^.;]{0,80}\b(?:to )?(?:renew|extend)\b|\brenewal option", re.IGNORECASE
)
_EACH = re.compile(
    r"(?:successive|additional|further|renewal|consecutive|subsequent|thereafter|for)\b[^.;]{0,30}?((?:[\w-]+ )?\(?\d{0,2}\)?[- )]*(?:years?|months?))",
    re.IGNORECASE,
)
_AHEAD = re.compile(
    r"(?:at least|no(?:t)? (?:later|less|fewer|more)? ?(?:than|of)?|prior|within|upon|on)\s*((?:[\w-]+ )?\(?\d{1,3}\)?[- )]*(?:\w+ )?(?:days?|months?))[’'s]*[^.;]{0,60}(?:prior|before|notice|written|preced|end|expir)",
    re.IGNORECASE,
)


def renewal(text: str) -> dict[str, Any]:
    """How a term is renewed: `how` is `automatic`, `agreement` (only if the parties agree so) or `option`; `months` of each further term
    and `notice_days` before the end, where they are said. Empty when the text says nothing of a renewal."""
    text = re.sub(r"(?<=\d)\.(?=\d)", "·", text)
    how = (
        "agreement"
        if _NEVER.search(text)
        else "automatic"
        if _ALONE.search(text)
        else "option"
        if _CHOSEN.search(text)
        else ""
    )
    if not how:
        return {}
    found: dict[str, Any] = {"how": how}
    start = re.search(r"renew|exten[ds]|successive|year[- ]to[- ]year|continu", text, re.IGNORECASE)
    rest = text[start.start() :] if start else text
    each = _EACH.search(rest)
    if re.search(r"year[- ]to[- ]year|annual(?:ly)? (?:renew|period)|renew\w* annually", rest, re.IGNORECASE):
        found["months"] = 12
    elif each and (count := months(each[1])):
        found["months"] = count
    ahead = _AHEAD.search(rest) or _AHEAD.search(text)
    if ahead and (count := days(ahead[1])):
        found["notice_days"] = count
    return found
