"""Numbers as documents print them (romans, letters, words ...) and back again."""

from __future__ import annotations

import re

_ROMAN = (
    (1000, "M"),
    (900, "CM"),
    (500, "D"),
    (400, "CD"),
    (100, "C"),
    (90, "XC"),
    (50, "L"),
    (40, "XL"),
    (10, "X"),
    (9, "IX"),
    (5, "V"),
    (4, "IV"),
    (1, "I"),
)
_ROMAN_SHAPE = re.compile(r"M{0,3}(CM|CD|D?C{0,3})(XC|XL|L?X{0,3})(IX|IV|V?I{0,3})", re.IGNORECASE)
_ONES = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    *("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
)
_TENS = ("", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_ORDINALS = {
    "one": "first",
    "two": "second",
    "three": "third",
    "five": "fifth",
    "eight": "eighth",
    "nine": "ninth",
    "twelve": "twelfth",
}
_CHICAGO = "*†‡§"
_HEBREW = "אבגדהוזחטיכלמנסעפצקרשת"
_RUSSIAN = "абвгдежзиклмнопрстуфхцчшщыэюя"
_CHINESE = "〇一二三四五六七八九"
_CIRCLED = "①②③④⑤⑥⑦⑧⑨⑩⑪⑫⑬⑭⑮⑯⑰⑱⑲⑳"


def printed(number: int, form: str) -> str:
    """The number in one of the forms of WordprocessingML (`w:numFmt`, ECMA-376 part 1, 17.18.59).

    `none` and `bullet` give an empty string; a form that is not known, or a number that has no such form, is printed in
    decimal digits, as Word does.
    """
    writer = _WRITERS.get(form)
    return str(number) if writer is None else writer(number)


def roman(number: int) -> str:
    """Upper-case roman numerals; decimal digits outside 1..3999 times a little (a numeral of hundreds of M helps nobody)."""
    if not 0 < number < 10_000:
        return str(number)
    out = ""
    for value, letters in _ROMAN:
        while number >= value:
            out += letters
            number -= value
    return out


def from_roman(text: str) -> int | None:
    """The value of a roman numeral in either case, None when it is none."""
    if not text or _ROMAN_SHAPE.fullmatch(text) is None:
        return None
    values = {letters: value for value, letters in _ROMAN}
    total, upper, i = 0, text.upper(), 0
    while i < len(upper):
        step = 2 if upper[i : i + 2] in values else 1
        total += values[upper[i : i + step]]
        i += step
    return total


def letters(number: int) -> str:
    """Lower-case letters as Word counts them: a ... z, aa, bb ... zz, aaa ..."""
    if number < 1 or number > 26 * 20:
        return str(number)
    return chr(ord("a") + (number - 1) % 26) * ((number - 1) // 26 + 1)


def from_letters(text: str) -> int | None:
    """The value of a letter label (`c` is 3, `bb` is 28), None when its letters differ."""
    lower = text.lower()
    if not lower or not lower.isascii() or not lower.isalpha() or len(set(lower)) != 1 or len(lower) > 20:
        return None
    return ord(lower[0]) - ord("a") + 1 + 26 * (len(lower) - 1)


def ordinal(number: int) -> str:
    """1st, 2nd, 3rd, 4th ... 11th, 12th, 13th ... 21st."""
    tail = number % 100
    ending = "th" if 10 <= tail <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def cardinal_words(number: int) -> str:
    """The number in English words, first letter upper, as Word writes it: Twenty-one, One hundred two."""
    return _capital(_words(number))


def ordinal_words(number: int) -> str:
    """The ordinal in English words, first letter upper: Twenty-first."""
    words = _words(number)
    last = re.split(r"[ -]", words)[-1]
    ending = _ORDINALS.get(last) or (last[:-1] + "ieth" if last.endswith("y") else last + "th")
    return _capital(words[: -len(last)] + ending)


def from_words(text: str) -> int | None:
    """The value of an English cardinal or ordinal up to ninety-nine (`Four`, `FIRST`, `Twenty-First`), None otherwise."""
    return _BY_WORD.get(text.strip().lower().replace(" ", "-"))


def _words(number: int) -> str:
    if not 0 <= number < 1_000_000:
        return str(number)
    if number < 20:
        return _ONES[number]
    if number < 100:
        tens, ones = divmod(number, 10)
        return _TENS[tens] + (f"-{_ONES[ones]}" if ones else "")
    size, name = (1000, "thousand") if number >= 1000 else (100, "hundred")
    many, rest = divmod(number, size)
    return f"{_words(many)} {name}" + (f" {_words(rest)}" if rest else "")


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]


def _repeated(alphabet: str, number: int) -> str:
    if not 0 < number <= len(alphabet) * 20:
        return str(number)
    return alphabet[(number - 1) % len(alphabet)] * ((number - 1) // len(alphabet) + 1)


def _circled(number: int) -> str:
    return _CIRCLED[number - 1] if 0 < number <= len(_CIRCLED) else str(number)


def _chinese(number: int) -> str:
    if not 0 < number < 100:
        return str(number)
    tens, ones = divmod(number, 10)
    if tens == 0:
        return _CHINESE[ones]
    return ("" if tens == 1 else _CHINESE[tens]) + "十" + (_CHINESE[ones] if ones else "")


_BY_WORD = {
    form.lower().replace(" ", "-"): value
    for value in range(1, 100)
    for form in (cardinal_words(value), ordinal_words(value))
}

_WRITERS = {
    "none": lambda n: "",
    "bullet": lambda n: "",
    "decimalZero": lambda n: f"{n:02d}",
    "upperRoman": roman,
    "lowerRoman": lambda n: roman(n).lower(),
    "upperLetter": lambda n: letters(n).upper(),
    "lowerLetter": letters,
    "ordinal": ordinal,
    "cardinalText": cardinal_words,
    "ordinalText": ordinal_words,
    "hex": lambda n: f"{n:X}",
    "chicago": lambda n: _repeated(_CHICAGO, n),
    "numberInDash": lambda n: f"- {n} -",
    "decimalEnclosedCircle": _circled,
    "decimalEnclosedCircleChinese": _circled,
    "decimalEnclosedParen": lambda n: f"({n})",
    "decimalEnclosedFullstop": lambda n: f"{n}.",
    "decimalFullWidth": lambda n: str(n).translate({ord("0") + d: chr(0xFF10 + d) for d in range(10)}),
    "russianLower": lambda n: _repeated(_RUSSIAN, n),
    "russianUpper": lambda n: _repeated(_RUSSIAN, n).upper(),
    "hebrew2": lambda n: _repeated(_HEBREW, n),
    "chineseCounting": _chinese,
    "chineseCountingThousand": _chinese,
    "ideographDigital": lambda n: "".join(_CHINESE[int(d)] for d in str(n)) if n >= 0 else str(n),
    "japaneseCounting": _chinese,
}
