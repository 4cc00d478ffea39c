"""Spreadsheet number formats: the text that a cell shows for a number.

Figures are rounded half away from zero on their decimal form, as spreadsheets do. Formats that follow the reader's own locale (the
built-in dates 14 and 22, `[$-F800]`) are shown as year-month-day, because 3/4/2026 would mean two days. Widths (`_x`, `*x`) and
colours are dropped. Source: ECMA-376 part 1, 18.8.30 and 18.8.31.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import ROUND_HALF_UP, Context, Decimal, InvalidOperation
from fractions import Fraction
from functools import lru_cache

BUILT_IN = {
    1: "0",
    2: "0.00",
    3: "#,##0",
    4: "#,##0.00",
    5: "$#,##0;($#,##0)",
    6: "$#,##0;($#,##0)",
    7: "$#,##0.00;($#,##0.00)",
    8: "$#,##0.00;($#,##0.00)",
    9: "0%",
    10: "0.00%",
    11: "0.00E+00",
    12: "# ?/?",
    13: "# ??/??",
    14: "yyyy-mm-dd",
    15: "d-mmm-yy",
    16: "d-mmm",
    17: "mmm-yy",
    18: "h:mm AM/PM",
    19: "h:mm:ss AM/PM",
    20: "h:mm",
    21: "h:mm:ss",
    22: "yyyy-mm-dd h:mm",
    37: "#,##0;(#,##0)",
    38: "#,##0;(#,##0)",
    39: "#,##0.00;(#,##0.00)",
    40: "#,##0.00;(#,##0.00)",
    41: "#,##0;(#,##0);-",
    42: "$#,##0;$(#,##0);$-",
    43: "#,##0.00;(#,##0.00);-",
    44: "$#,##0.00;$(#,##0.00);$-",
    45: "mm:ss",
    46: "[h]:mm:ss",
    47: "mm:ss.0",
    48: "##0.0E+0",
    49: "@",
}
"""Formats that files name by number only, as an American program shows them."""

_MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_TOKEN = re.compile(
    r"""
    (?P<quoted>"[^"]*"?) | \\(?P<escaped>.) | _(?P<space>.) | \*(?P<fill>.)
    | \[\$(?P<currency>[^\]\-]*)(?:-(?P<locale>[^\]]*))?\] | \[(?P<elapsed>h+|m+|s+)\] | \[(?P<bracket>[^\]]*)\]
    | (?P<ampm>AM/PM|A/P) | (?P<general>General) | (?P<exponent>E[+-]) | (?P<date>y+|m+|d+|h+|s+(?:\.0+)?|e+|g+|b+)
    | (?P<digits>[0\#?]+) | (?P<point>\.) | (?P<comma>,) | (?P<percent>%) | (?P<slash>/) | (?P<text>@) | (?P<other>.)
    """,
    re.VERBOSE | re.IGNORECASE | re.DOTALL,
)
_CONDITION = re.compile(r"(<=|>=|<>|<|>|=)\s*(-?\d+(?:\.\d+)?)")
_MAX_DATE = 2_958_466  # the day after 31 December 9999
_MAX_PLACES = 30
_WIDE = Context(prec=400)


@dataclass(frozen=True, slots=True)
class _Section:
    tokens: tuple[tuple[str, str], ...]
    condition: tuple[str, float] | None
    is_date: bool
    elapsed: bool


def render(value: float, code: str, *, date1904: bool = False) -> str:
    """What a cell with this number and format code shows; empty when the format hides it (`;;;`).

    A format that cannot be understood shows the number as the General format does; a date before the calendar's first day too.
    """
    sections = _parse(code)
    if not sections or value != value or value in (float("inf"), float("-inf")):
        return general(value)
    section, magnitude, minus = _choose(sections, value)
    try:
        if section.is_date:
            shown = _date_text(section, value, date1904)
            return general(value) if shown is None else shown
        text = _number_text(section, magnitude)
    except (InvalidOperation, OverflowError, ValueError):
        return general(value)
    return "-" + text if minus and any(c in "123456789" for c in text) else text


def render_text(text: str, code: str) -> str:
    """What a cell with these words and format code shows."""
    sections = _parse(code)
    if len(sections) < 4 and not any(kind == "text" for section in sections[-1:] for kind, _ in section.tokens):
        return text
    section = sections[min(3, len(sections) - 1)]
    return (
        "".join(text if kind == "text" else shown for kind, shown in section.tokens if kind in ("text", "literal"))
        if section.tokens
        else ""
    )


def is_date_format(code: str) -> bool:
    """Whether the format shows its numbers as dates or times."""
    sections = _parse(code)
    return bool(sections) and sections[0].is_date


def general(value: float) -> str:
    """A number as the General format shows it: whole numbers in full (to 15 digits), others with at most 11 characters."""
    if value != value or value in (float("inf"), float("-inf")):
        return "#NUM!"
    if abs(value) < 1e15 and value == int(value):
        return str(int(value))
    plain = repr(value)
    if len(plain) <= 11 and "e" not in plain:
        return plain
    number = Decimal(plain)
    magnitude = abs(number)
    if Decimal("1e-9") <= magnitude < Decimal(10) ** 15:
        whole = len(str(int(magnitude)))
        text = f"{_rounded(magnitude, max(0, 10 - whole)):f}"
        text = text.rstrip("0").rstrip(".") if "." in text else text
        if text.strip("0."):
            return ("-" if number < 0 else "") + text
    mantissa, _, exponent = f"{number:.5E}".partition("E")
    mantissa = mantissa.rstrip("0").rstrip(".")
    return f"{mantissa}E{int(exponent):+03d}"


@lru_cache(maxsize=2048)
def _parse(code: str) -> tuple[_Section, ...]:
    parts, current = [], ""
    for match in re.finditer(r'"[^"]*"?|\\.|_.|\*.|\[[^\]]*\]|;|.', code[:500], re.DOTALL):
        if match[0] == ";":
            parts.append(current)
            current = ""
        else:
            current += match[0]
    parts.append(current)
    return tuple(_section(part) for part in parts[:4])


def _section(part: str) -> _Section:
    tokens: list[tuple[str, str]] = []
    condition: tuple[str, float] | None = None
    for match in _TOKEN.finditer(part):
        kind = match.lastgroup or "other"
        value = match[0]
        if kind == "locale" or match["currency"] is not None:
            if (match["locale"] or "").upper() in ("F800", "F400"):
                return _section("yyyy-mm-dd" if match["locale"].upper() == "F800" else "h:mm:ss")
            tokens.append(("literal", match["currency"] or ""))
        elif kind == "quoted":
            tokens.append(("literal", value.strip('"')))
        elif kind == "escaped":
            tokens.append(("literal", match["escaped"]))
        elif kind in ("space", "fill"):
            continue
        elif kind == "bracket":
            found = _CONDITION.fullmatch(match["bracket"].strip())
            condition = (found[1], float(found[2])) if found else condition
        elif kind == "other":
            tokens.append(("literal", value))
        else:
            tokens.append((kind, match["elapsed"] if kind == "elapsed" else value))
    is_date = any(kind in ("date", "ampm", "elapsed") for kind, _ in tokens) and not any(
        kind == "general" for kind, _ in tokens
    )
    return _Section(tuple(tokens), condition, is_date, any(kind == "elapsed" for kind, _ in tokens))


def _choose(sections: tuple[_Section, ...], value: float) -> tuple[_Section, float, bool]:
    """The section for a value, the magnitude to show, and whether a minus sign goes before it."""
    numeric = sections[:3]
    if any(section.condition for section in numeric):
        for section in numeric:
            if section.condition is None or _holds(section.condition, value):
                return (
                    section,
                    abs(value),
                    value < 0 and (section.condition is None or section.condition[0] not in ("<", "<=")),
                )
        return numeric[-1], abs(value), value < 0
    if value < 0 and len(numeric) > 1:
        return numeric[1], -value, False
    if value == 0 and len(numeric) > 2:
        return numeric[2], 0.0, False
    return numeric[0], abs(value), value < 0


def _holds(condition: tuple[str, float], value: float) -> bool:
    sign, limit = condition
    return {
        "<": value < limit,
        ">": value > limit,
        "<=": value <= limit,
        ">=": value >= limit,
        "=": value == limit,
        "<>": value != limit,
    }[sign]


def _rounded(number: Decimal, places: int) -> Decimal:
    return number.quantize(Decimal(1).scaleb(-min(places, _MAX_PLACES)), rounding=ROUND_HALF_UP, context=_WIDE)


def _number_text(section: _Section, magnitude: float) -> str:
    tokens = section.tokens
    kinds = [kind for kind, _ in tokens]
    if "general" in kinds:
        return "".join(
            general(magnitude) if kind == "general" else value
            for kind, value in tokens
            if kind in ("general", "literal")
        )
    if not any(kind in ("digits", "point") for kind in kinds):
        return "".join(_loose(kind, value, magnitude) for kind, value in tokens)
    if "slash" in kinds and any(
        kind == "digits" or (kind == "literal" and value.isdigit()) for kind, value in tokens[kinds.index("slash") :]
    ):
        return _fraction_text(tokens, magnitude)
    number = Decimal(repr(magnitude))
    number = number.scaleb(2 * kinds.count("percent"))
    if "exponent" in kinds:
        return _exponent_text(tokens, number)
    last = max(i for i, kind in enumerate(kinds) if kind in ("digits", "point"))
    commas = 0
    while last + 1 + commas < len(kinds) and kinds[last + 1 + commas] == "comma":
        commas += 1
    number = number.scaleb(-3 * commas)
    first = min(i for i, kind in enumerate(kinds) if kind in ("digits", "point"))
    thousands = "comma" in kinds[first:last]
    point = kinds.index("point") if "point" in kinds else len(kinds)
    whole_mask = "".join(value for kind, value in tokens[:point] if kind == "digits")
    part_mask = "".join(value for kind, value in tokens[point:] if kind == "digits")
    whole, part = _digits(number, whole_mask, part_mask, thousands)
    return _fill(tokens, point, whole_mask, whole, part)


def _loose(kind: str, value: str, magnitude: float) -> str:
    if kind == "text":
        return general(magnitude)
    return value if kind in ("literal", "percent", "slash", "comma") else ""


def _digits(number: Decimal, whole_mask: str, part_mask: str, thousands: bool) -> tuple[str, str]:
    """The digits before and after the point that a mask of 0, # and ? asks for."""
    text = f"{_rounded(number, len(part_mask)):f}"
    whole, _, part = text.partition(".")
    whole = whole.lstrip("0").rjust(len(whole_mask) - whole_mask.find("0") if "0" in whole_mask else 0, "0")
    if thousands:
        whole = _grouped(whole)
    keep = len(part)
    while keep and part[keep - 1] == "0" and part_mask[keep - 1 : keep] != "0":
        keep -= 1
    return whole, part[:keep]


def _grouped(digits: str) -> str:
    out = ""
    for at, char in enumerate(reversed(digits)):
        out = char + ("," if at and at % 3 == 0 else "") + out
    return out


def _fill(tokens: tuple[tuple[str, str], ...], point: int, whole_mask: str, whole: str, part: str) -> str:
    """Digits and literal text in the order of the format; literals inside the digits (`000-00-0000`) stay in their place."""
    out: list[str] = []
    groups = [i for i, (kind, _) in enumerate(tokens[:point]) if kind == "digits"]
    inside = (
        any(kind == "literal" and value.strip() for kind, value in tokens[groups[0] : groups[-1]]) if groups else False
    )
    split = inside and "," not in whole
    used = 0
    pieces: dict[int, str] = {}
    if split:
        rest = whole
        for index in reversed(groups):
            size = len(tokens[index][1]) if index != groups[0] else len(rest)
            pieces[index], rest = (rest[-size:], rest[:-size]) if size else ("", rest)
    for index, (kind, value) in enumerate(tokens):
        if kind == "digits" and index < point:
            out.append(pieces[index] if split else (whole if index == groups[0] else ""))
        elif kind == "digits":
            out.append(part[used : used + len(value)])
            used += len(value)
        elif kind == "point":
            out.append("." if groups else whole + ".")
        elif kind in ("literal", "percent", "slash"):
            out.append(value)
    return "".join(out).strip()


def _exponent_text(tokens: tuple[tuple[str, str], ...], number: Decimal) -> str:
    at = next(i for i, (kind, _) in enumerate(tokens) if kind == "exponent")
    point = next((i for i, (kind, _) in enumerate(tokens[:at]) if kind == "point"), at)
    whole_mask = "".join(value for kind, value in tokens[:point] if kind == "digits")
    part_mask = "".join(value for kind, value in tokens[point:at] if kind == "digits")
    step = max(1, len(whole_mask))
    exponent = 0 if number == 0 else number.adjusted()
    exponent = exponent // step * step if step > 1 else exponent
    scaled = _rounded(number.scaleb(-exponent), len(part_mask))
    if number and scaled >= Decimal(10) ** step:
        exponent += step
        scaled = _rounded(number.scaleb(-exponent), len(part_mask))
    sign = "-" if exponent < 0 else ("+" if tokens[at][1].endswith("+") else "")
    exponent_mask = "".join(value for kind, value in tokens[at:] if kind == "digits")
    return f"{scaled:f}E{sign}{str(abs(exponent)).rjust(exponent_mask.count('0'), '0')}"


def _fraction_text(tokens: tuple[tuple[str, str], ...], magnitude: float) -> str:
    slash = next(i for i, (kind, _) in enumerate(tokens) if kind == "slash")
    before = [i for i, (kind, _) in enumerate(tokens[:slash]) if kind == "digits"]
    if not before:
        return general(magnitude)
    below = "".join(value for kind, value in tokens[slash + 1 :] if kind in ("digits", "literal")).strip()
    number = Fraction(Decimal(repr(magnitude)))
    fixed = below.replace("?", "").replace("#", "")
    whole = int(number) if len(before) > 1 else 0
    rest = number - whole
    if fixed.isdecimal() and int(fixed):
        top, bottom = int(rest * int(fixed) + Fraction(1, 2)), int(fixed)
    else:
        near = rest.limit_denominator(10 ** min(max(1, len(below)), 5) - 1)
        top, bottom = near.numerator, near.denominator
    if len(before) > 1 and top == bottom:
        whole, top = whole + 1, 0
    if len(before) > 1 and top == 0:
        return str(whole)
    return f"{whole} {top}/{bottom}" if whole else f"{top}/{bottom}"


def _date_text(section: _Section, value: float, date1904: bool) -> str | None:
    """The date and time of a serial day number, or None when no calendar day has it."""
    if value < 0 or value >= _MAX_DATE:
        return None
    places = max(
        (len(shown.partition(".")[2]) for kind, shown in section.tokens if kind == "date" and shown[0] in "sS"),
        default=0,
    )
    unit = Decimal(1).scaleb(-places)
    seconds = (Decimal(repr(value)) * 86400).quantize(unit, rounding=ROUND_HALF_UP)
    days, in_day = divmod(seconds, 86400)
    serial = int(days)
    moment = _day(serial, date1904) + timedelta(seconds=float(in_day))
    leap_bug = serial == 60 and not date1904
    twelve = any(kind == "ampm" for kind, _ in section.tokens)
    out: list[str] = []
    for index, (kind, shown) in enumerate(section.tokens):
        if kind == "elapsed":
            total = {"h": seconds / 3600, "m": seconds / 60, "s": seconds}[shown[0].lower()]
            out.append(str(int(total)).rjust(len(shown), "0"))
        elif kind == "ampm":
            half = "AM" if moment.hour < 12 else "PM"
            out.append(half if len(shown) > 3 else half[0])
        elif kind == "date":
            out.append(_date_piece(section, index, shown, moment, in_day, twelve, leap_bug))
        elif kind in ("literal", "slash", "comma", "point"):
            out.append(shown)
    return "".join(out).strip()


def _day(serial: int, date1904: bool) -> datetime:
    if date1904:
        return datetime(1904, 1, 1) + timedelta(days=serial)
    return datetime(1899, 12, 31) + timedelta(days=serial if serial < 60 else serial - 1)


def _date_piece(
    section: _Section, index: int, shown: str, moment: datetime, in_day: Decimal, twelve: bool, leap_bug: bool
) -> str:
    letter, width = shown[0].lower(), len(shown.partition(".")[0])
    if letter == "m" and _is_minutes(section, index):
        return str(moment.minute).rjust(min(width, 2), "0")
    if letter == "m":
        name = _MONTHS[moment.month - 1]
        return {1: str(moment.month), 2: f"{moment.month:02d}", 3: name[:3], 5: name[0]}.get(width, name)
    if letter == "d":
        day = 29 if leap_bug else moment.day
        name = _DAYS[moment.weekday()]
        return {1: str(day), 2: f"{day:02d}", 3: name[:3]}.get(width, name)
    if letter in "ye":
        return f"{moment.year:04d}" if width > 2 or letter == "e" else f"{moment.year % 100:02d}"
    if letter == "h":
        hour = (moment.hour % 12 or 12) if twelve else moment.hour
        return str(hour).rjust(min(width, 2), "0")
    if letter == "s":
        places = len(shown.partition(".")[2])
        second = in_day % 60
        text = f"{second:.{places}f}" if places else str(int(second))
        return text.rjust(min(width, 2) + (places + 1 if places else 0), "0")
    return ""


def _is_minutes(section: _Section, index: int) -> bool:
    """`m` means minutes right after hours or right before seconds."""
    times = [(i, shown[0].lower()) for i, (kind, shown) in enumerate(section.tokens) if kind in ("date", "elapsed")]
    at = next(position for position, (i, _) in enumerate(times) if i == index)
    before = times[at - 1][1] if at else ""
    after = times[at + 1][1] if at + 1 < len(times) else ""
    return before == "h" or after == "s"
