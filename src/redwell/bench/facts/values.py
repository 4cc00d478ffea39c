"""Figures, dates and periods as anybody writes them, and whether a text gives one: `$12.4 million`, `USD 12,400,000`, `12.4m`, `ninety (90) days`.

Texts are as `facts_words.plain` makes them. Positions are of the text given.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from typing import Literal

from redwell.bench.facts.words import is_name, pattern
from redwell.bench.key import Value

Form = Literal["money", "number", "percent", "days", "date"]

_UNITS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen", "fourteen",
          "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"]  # fmt: skip
_TENS = {"twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90}
_SMALL = {word: number for number, word in enumerate(_UNITS)} | _TENS
_WORD = "|".join(sorted([*_SMALL, "hundred", "thousand"], key=len, reverse=True))
_SPELLED = rf"(?:{_WORD})(?:(?: and |[ -])(?:{_WORD})){{0,14}}"
_DIGITS = r"\d{1,3}(?:[, ]\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?"
_SCALES = {
    "k": 1e3,
    "thousand": 1e3,
    "m": 1e6,
    "mm": 1e6,
    "mn": 1e6,
    "mio": 1e6,
    "million": 1e6,
    "millions": 1e6,
    "bn": 1e9,
    "b": 1e9,
    "billion": 1e9,
}
_SCALE = r"(?:\s?(?:thousand|millions?|billion|mio|mm|mn|bn|k|m|b)(?![a-z0-9]))?"
_CURRENCIES = {"$": "USD", "us$": "USD", "usd": "USD", "dollars": "USD", "dollar": "USD", "€": "EUR", "eur": "EUR", "euros": "EUR", "euro": "EUR",
               "£": "GBP", "gbp": "GBP", "pounds": "GBP", "chf": "CHF", "cad": "CAD", "c$": "CAD", "aud": "AUD", "a$": "AUD", "jpy": "JPY", "¥": "JPY"}  # fmt: skip
_BEFORE = r"(?P<before>us\$|c\$|a\$|[$€£¥]|(?<![a-z])(?:usd|eur|gbp|chf|cad|aud|jpy)(?![a-z]))\s?\$?\s?"
_AFTER = r"(?:\s?(?P<after>(?:u\.?s\.? )?dollars?|usd|eur|euros?|gbp|pounds|chf|cad|aud|jpy|€|£|us\$)(?![a-z]))?"
_MONEY = re.compile(rf"(?:{_BEFORE})?(?<![\d.,a-z])(?P<digits>{_DIGITS})(?P<scale>{_SCALE}){_AFTER}")
_RANGE = re.compile(
    rf"(?P<low>{_DIGITS})\s?(?:-|to|and)\s?[$€£]?\s?(?P<high>{_DIGITS})\s?(?P<scale>thousand|million|billion|mm|mn|bn|k|m)(?![a-z0-9])"
)
_SPELLED_MONEY = re.compile(
    rf"(?<![a-z])(?P<words>{_SPELLED}) (?P<scale>thousand|million|billion)(?: (?P<rest>{_SPELLED}) thousand)?(?: (?:u\.?s\.? )?dollars)?"
)
_PERCENT = re.compile(
    rf"(?<![\d.,])(?P<digits>{_DIGITS}|{_SPELLED})\s?(?:\(\d[\d.]*\)\s?)?(?:%|per ?cent\b|percentage points?\b|pct\b)"
)
_SPAN = re.compile(
    rf"(?<![\d.,a-z])(?P<digits>{_DIGITS}|{_SPELLED})(?:\s?\((?P<inner>\d[\d,.]*)\))?\s?(?P<kind>business |calendar |working |consecutive |full |trading )*"
    r"(?P<unit>hours?|days?|weeks?|months?|quarters?|years?)(?![a-z])"
)
_NUMBER = re.compile(rf"(?<![\d.,$€£#a-z])(?P<digits>{_DIGITS})(?P<scale>{_SCALE})(?!\s?(?:%|per ?cent))(?![\d])")
_WORDS = re.compile(rf"(?<![a-z])(?P<words>{_SPELLED})(?![a-z])")
_MONTHS = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
]
_MONTH = r"(?P<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?"
_DATES = [
    re.compile(r"(?<!\d)(?P<year>[12]\d{3})[-/.](?P<number>\d{1,2})[-/.](?P<day>\d{1,2})(?!\d)"),
    re.compile(rf"(?<![a-z]){_MONTH} (?P<day>\d{{1,2}})(?:st|nd|rd|th)?,? (?P<year>[12]\d{{3}})(?!\d)"),
    re.compile(rf"(?<!\d)(?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?: day)?(?: of)?[ -]{_MONTH},?[ -](?P<year>[12]\d{{3}})(?!\d)"),
]  # fmt: skip
_SLASHED = re.compile(r"(?<!\d)(?P<one>\d{1,2})[/.](?P<two>\d{1,2})[/.](?P<year>[12]\d{3}|\d{2})(?!\d)")
_MONTH_YEAR = re.compile(rf"(?<![a-z\d]){_MONTH},? (?P<year>[12]\d{{3}})(?!\d)")
_REFERENCE = re.compile(
    r"(?:section|sections|clause|article|row|page|paragraph|para|schedule|exhibit|annex|item|note|no|nos|number|line|sheet|slide|part|tab|step|version|v|§|#|\[)\.?\s?$"
)
_NOT = re.compile(r"\bnot (?:the |a |an |of |by |about |at |for |to be |equal to )?$")
_NEAREST = 0.025
"""How far a figure that is written with two digits may be from what it rounds."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure of a text. `step` is the size of its last written digit, in the same unit; `text` a date as YYYY-MM-DD or YYYY-MM."""

    form: Form
    amount: float
    start: int
    end: int
    unit: str = ""
    step: float = 0.0
    text: str = ""


def given(value: Value, text: str, scale: float = 1.0) -> Iterator[tuple[int, int]]:
    """Where a text gives the value. `scale`: what figures without a unit are multiplied by (a table in thousands)."""
    if value.kind == "text":
        yield from (match.span() for match in pattern(value.text, is_name(value.text)).finditer(text))
        return
    for figure in figures(value.kind, text, scale):
        if not _NOT.search(text[: figure.start]) and same(value, figure):
            yield figure.start, figure.end


def same(value: Value, figure: Figure) -> bool:
    """Whether a figure gives the value: within its tolerance, or as a rounding that is written out (`$1.25 million` for 1,248,300)."""
    if value.kind == "date":
        wanted = value.text[: len(figure.text)] if value.tolerance or len(value.text) < 10 else value.text
        return figure.text == wanted or (len(value.text) == 7 and figure.text.startswith(value.text))
    if value.unit and figure.unit and value.kind == "money" and value.unit.upper() != figure.unit:
        return False
    if value.kind == "days":
        return figure.amount - figure.step <= value.amount <= figure.amount + figure.step
    off = abs(figure.amount - value.amount)
    if off <= max(value.tolerance * abs(value.amount), 1e-9 * abs(value.amount), 1e-9):
        return True
    if not value.tolerance or not figure.step or off > _NEAREST * abs(value.amount):
        return False
    return off <= figure.step / 2 * (1 + 1e-9) and abs(figure.amount) / figure.step >= 9.5


def figures(kind: str, text: str, scale: float = 1.0) -> list[Figure]:
    """All figures of one kind in a text, in order."""
    reader = {"money": _money, "percent": _percents, "days": _spans, "date": _dates, "number": _numbers}[kind]
    return sorted(reader(text, scale), key=lambda figure: figure.start)


def _money(text: str, scale: float) -> Iterator[Figure]:
    taken = [(figure.start, figure.end) for figure in (*_dates(text, 1.0), *_percents(text, 1.0), *_spans(text, 1.0))]
    for match in _RANGE.finditer(text):
        times = _SCALES[match["scale"]]
        yield Figure("money", _float(match["low"]) * times, match.start(), match.end(), "", _step(match["low"]) * times)
    for match in _MONEY.finditer(text):
        if any(a <= match.start("digits") < b for a, b in taken):
            continue
        told = match["before"] or match["after"] or ""
        unit = _CURRENCIES.get(told.strip().removeprefix("u.s. ").removeprefix("us "), "")
        times = _SCALES[match["scale"].strip()] if match["scale"].strip() else 1.0
        bare = not told and times == 1.0
        digits = match["digits"]
        if bare and (
            (scale == 1.0 and not re.search(r"\d[, ]\d{3}|\d{5}", digits)) or _REFERENCE.search(text[: match.start()])
        ):
            continue
        readings = [scale] if bare else [times, scale] if times == 1.0 and scale > 1.0 else [times]
        for by in readings:
            yield Figure("money", _float(digits) * by, match.start(), match.end(), unit, _step(digits) * by)
    for match in _SPELLED_MONEY.finditer(text):
        amount = _spelled(match["words"]) * _SCALES[match["scale"]] + (
            _spelled(match["rest"]) * 1e3 if match["rest"] else 0
        )
        yield Figure("money", amount, match.start(), match.end())


def _percents(text: str, scale: float) -> Iterator[Figure]:
    for match in _PERCENT.finditer(text):
        yield Figure("percent", _either(match["digits"]), match.start(), match.end(), "", _step(match["digits"]))


def _spans(text: str, scale: float) -> Iterator[Figure]:
    """`step` is how far the days may be off: months have 28 to 31."""
    for match in _SPAN.finditer(text):
        count = _float(match["inner"]) if match["inner"] else _either(match["digits"])
        unit = match["unit"].rstrip("s")
        if unit in ("day", "hour", "week"):
            yield Figure(
                "days", count * {"day": 1.0, "hour": 1 / 24, "week": 7.0}[unit], match.start(), match.end(), "", 1e-9
            )
        else:
            months = count * {"month": 1, "quarter": 3, "year": 12}[unit]
            middle, off = months * 30.4, max(months * 0.5, 1.6 if months < 12 else 6.0)
            yield Figure("days", middle, match.start(), match.end(), "", off)


def _dates(text: str, scale: float) -> Iterator[Figure]:
    for form in _DATES:
        for match in form.finditer(text):
            named = match.groupdict()
            month = (
                _MONTHS.index(next(name for name in _MONTHS if name.startswith(named["month"][:3]))) + 1
                if named.get("month")
                else int(named["number"])
            )
            yield from _day(match, int(named["year"]), month, int(named["day"]))
    for match in _SLASHED.finditer(text):
        year = int(match["year"]) + (2000 if len(match["year"]) == 2 else 0)
        for month, day in {(int(match["one"]), int(match["two"])), (int(match["two"]), int(match["one"]))}:
            yield from _day(match, year, month, day)
    for match in _MONTH_YEAR.finditer(text):
        month = _MONTHS.index(next(name for name in _MONTHS if name.startswith(match["month"][:3]))) + 1
        yield Figure("date", 0.0, match.start(), match.end(), text=f"{int(match['year']):04}-{month:02}")


def _day(match: re.Match[str], year: int, month: int, day: int) -> Iterator[Figure]:
    try:
        yield Figure("date", 0.0, match.start(), match.end(), text=date(year, month, day).isoformat())
    except ValueError:
        return


def _numbers(text: str, scale: float) -> Iterator[Figure]:
    taken = [(figure.start, figure.end) for figure in (*_dates(text, 1.0), *_percents(text, 1.0))]
    for match in _NUMBER.finditer(text):
        if any(a <= match.start() < b for a, b in taken) or _REFERENCE.search(text[: match.start()]):
            continue
        times = _SCALES[match["scale"].strip()] if match["scale"].strip() else 1.0
        yield Figure(
            "number",
            _float(match["digits"]) * times,
            match.start(),
            match.end(),
            "",
            _step(match["digits"]) * times if times > 1 else 0.0,
        )
        if scale > 1.0 and times == 1.0:
            yield Figure(
                "number",
                _float(match["digits"]) * scale,
                match.start(),
                match.end(),
                "",
                _step(match["digits"]) * scale,
            )
    for match in _WORDS.finditer(text):
        yield Figure("number", _spelled(match["words"]), match.start(), match.end())


def _either(written: str) -> float:
    return _float(written) if written[0].isdigit() else _spelled(written)


def _float(digits: str) -> float:
    value = float(re.sub(r"[, ]", "", digits).rstrip("."))
    return value if math.isfinite(value) else 0.0


def _step(digits: str) -> float:
    """The size of the last digit that says something: 0.1 of `12.4`, 1000 of `12,400,000` would be a guess, so 1."""
    if not digits[:1].isdigit():
        return 0.0
    return float(10.0 ** -len(digits.partition(".")[2]))


def _spelled(words: str) -> float:
    """`one hundred and eighty` as 180; thousands too."""
    total, current = 0, 0
    for word in re.split(r"[ -]+", words):
        if word == "hundred":
            current = max(current, 1) * 100
        elif word == "thousand":
            total, current = total + max(current, 1) * 1000, 0
        elif word in _SMALL:
            current += _SMALL[word]
    return float(total + current)
