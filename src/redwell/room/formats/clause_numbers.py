"""Reading a clause number: what "Section 8.2", "(iv)", "ARTICLE FOUR" or "EXHIBIT B" at the head of a paragraph says.

A number is only taken from the head of a paragraph when what follows looks like a clause and not like a sentence that happens
to begin with a reference ("Section 8.2 of the Lease is amended ...") or an amount ("2.5 million").
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from redwell.room.formats.numerals import from_letters, from_roman, from_words

_LARGEST = 400
_ARTICLE = re.compile(
    r"(?P<label>(?P<word>ARTICLES?|Article|CHAPTER|Chapter|PART|Part|TITLE)\s+(?P<number>[IVXLC]+|\d{1,3}|[A-Z]|[A-Za-z]+(?:-[A-Za-z]+)?))"
    r"(?P<after>\s*[.:–—-]|\s|$)"
)
_SECTION = re.compile(
    r"(?P<label>(?:SECTION|Section|SEC\.|Sec\.|§|CLAUSE|Clause|PARAGRAPH|Paragraph)\s*(?P<number>\d{1,3}(?:\.\d{1,3})*)"
    r"(?P<more>(?:\([A-Za-z0-9]{1,5}\))*))(?P<after>\s*[.:–—-]|\s|$)"
)
_DOTTED = re.compile(
    r"(?P<label>(?P<number>\d{1,3}(?:\.\d{1,3}){1,6})(?P<more>(?:\([A-Za-z0-9]{1,5}\))*))(?P<after>[.:)]?(?=\s|$)|(?=[A-Z][a-z]|[“\"][A-Z]|[A-Z]{4})|$)"
)
_NUMBER = re.compile(r"(?P<label>(?P<number>\d{1,3})(?P<more>(?:\([A-Za-z0-9]{1,5}\))*))(?P<after>[.)]?)(?=\s|$)")
_PAREN = re.compile(r"(?P<label>\((?P<number>[A-Za-z]{1,6}|\d{1,3})\))(?=\s|$|[A-Z“\"\[])")
_LETTER = re.compile(r"(?P<label>(?P<number>[A-Za-z]{1,6}))(?P<after>[.)])(?=\s|$)")
_EXHIBIT = re.compile(
    r"(?P<word>(?i:EXHIBIT|SCHEDULE|ANNEX|ANNEXURE|APPENDIX|ATTACHMENT|ADDENDUM))\s+"
    r"(?P<number>[A-Z]{1,2}(?:-\d{1,2})?|\d{1,2}(?:\.\d{1,3})*(?:\([a-z]\))?|[IVX]{1,6})"
    r"(?P<rest>\s*$|\s*[\n.:–—-].*|\s*\(.*|\s+[A-Z“\"].*|\s+to\s.*)",
    re.DOTALL,
)
_CONTENTS = re.compile(r"(?:\.{3}|…|\. \. \.|_{4}|\t|\s{3})\s*(?:\d{1,4}|[ivxl]{1,6}|[A-Z]-\d{1,3})$")
_CAPITAL_TITLE = re.compile(
    r"(?:EXHIBIT|Exhibit|SCHEDULE|Schedule|ANNEX|Annex|APPENDIX|Appendix)\s+[A-Z\d]{1,3}\s+[A-Z]{2,}(?:[ ,]+[A-Z]{2,}){2,6}"
    r"|(?:EXHIBIT|SCHEDULE|ANNEX|APPENDIX)\s+[A-Z\d]{1,3}\s{2,}(?=[A-Z])"
)
_RUN_ON = re.compile(
    r"[a-z.)] \d{1,3} (?:\d{1,2}\.(?:\d{1,2}\.?)? ?[A-Z]|ARTICLE |Article \d)[^\n]*[a-z.)A-Z] \d{1,3}\s*$"
)
"""Entries of a table of contents on one line: "19. Term 18 19.1. Renewal 18"."""
_CONTENTS_TAIL = 60  # characters; searching a whole paragraph of dots or spaces takes time that grows with its square
_GROUP = re.compile(r"\(([A-Za-z0-9]{1,5})\)")
_SENTENCE = re.compile(r"\s*(?:[a-z]|,|;|\)|and\b|or\b|%|of\b|hereof|thereof|above|below)")
_LOWER_START = re.compile(r"\s*[a-z]")


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to read a number: `style` names its kind of numeral and punctuation ("(a)", "1.", "dotted", "article" ...)."""

    style: str
    value: int
    values: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Number:
    """A number at the head of a paragraph.

    `label` is as printed, without a full stop at its end; `cite` is how it stands in a citation ("8.2", "(b)", "Article IV");
    `readings` has more than one entry where a letter may be a roman numeral; `more` are the bracketed groups of "8.2(b)(i)".
    `sure` is False for forms that also begin ordinary text (a letter or a bare number) and need their neighbours to confirm them;
    `lower` says so of a dotted number that stands alone or before a lower-case word.
    """

    label: str
    cite: str
    readings: tuple[Reading, ...]
    more: tuple[str, ...] = ()
    sure: bool = True
    lower: bool = False


def is_contents(text: str) -> bool:
    """Whether a line looks like one of a table of contents: leader dots or a wide gap, then a page number; or several entries with theirs."""
    tail = text.rstrip()[-_CONTENTS_TAIL:]
    return _CONTENTS.search(tail) is not None or (tail[-1:].isdigit() and _RUN_ON.search(text[:2_000]) is not None)


def exhibit(text: str) -> str:
    """The name of the exhibit, schedule or annex whose title this line is ("Exhibit B"), empty when it is none."""
    head = text.strip()
    if len(head) > 120 and (title := _CAPITAL_TITLE.match(head)):
        head = title[0]  # the title runs into the text without a line break: "Annex A THIS WARRANT HAS NOT BEEN ..."
    match = _EXHIBIT.match(head)
    if match is None or len(head) > 120 or not head[0].isupper() or is_contents(head):
        return ""
    rest = match["rest"].strip()
    if len(rest) > 40 and rest.endswith((".", ";", ",")):
        return ""
    if not match["number"][0].isdigit() and not match["number"].isupper():
        return ""
    return f"{match['word'].capitalize()} {match['number']}"


def typed(text: str) -> Number | None:
    """The number typed at the head of a paragraph, None when there is none."""
    head = text.lstrip()
    if not head or is_contents(head):
        return None
    for reader in (_article, _section, _dotted, _paren, _number, _letter):
        number = reader(head)
        if number is not None:
            return number
    return None


def known(label: str) -> Number | None:
    """What a label computed from list numbering says, None when it has no numeral (a bullet, a dash)."""
    head = label.strip()
    for reader in (_article, _section, _dotted, _paren, _number, _letter):
        number = reader(head)
        if number is not None:
            return Number(head, number.cite, number.readings, number.more)
    bare = re.sub(r"^[^\w(]+|[^\w)]+$", "", head)
    value = from_words(bare)
    if value is not None:
        return Number(head, bare, (Reading("word", value),))
    if bare.isalpha() and bare.isascii() and (readings := _letters(bare, ".")):
        return Number(head, f"({bare})", readings)
    tail = re.search(r"\d{1,3}(?:\.\d{1,3})*$", bare)
    if tail is None:
        return None
    values = tuple(int(part) for part in tail[0].split("."))
    return Number(head, bare, (Reading("named", values[-1], values),))


def _article(head: str) -> Number | None:
    match = _ARTICLE.match(head)
    if match is None:
        return None
    word, given = match["word"], match["number"]
    value = int(given) if given.isdigit() else from_roman(given) or from_words(given) or from_letters(given)
    rest = head[match.end() :]
    if value is None or value > _LARGEST or _SENTENCE.match(rest) or (word == "Part" and rest.strip()):
        return None
    if not given.isdigit() and from_roman(given) is None and len(given) > 1:
        given = given.title()
    cite = f"{word.rstrip('Ss').capitalize()} {given}"
    return Number(match["label"].rstrip(".:"), cite, (Reading("article", value),))


def _section(head: str) -> Number | None:
    match = _SECTION.match(head)
    if match is None or _SENTENCE.match(head[match.end() :]):
        return None
    values = _values(match["number"])
    if values is None:
        return None
    reading = Reading("dotted", values[-1], values) if len(values) > 1 else Reading("section", values[0], values)
    return Number(match["label"], match["number"], (reading,), _groups(match["more"]))


def _dotted(head: str) -> Number | None:
    match = _DOTTED.match(head)
    if match is None:
        return None
    values = _values(match["number"])
    rest = head[match.end() :]
    if values is None or re.match(r"\s*[%$€£/)]", rest) or re.match(r"\s*(?:million|billion|percent|per cent)\b", rest):
        return None
    if len(match["number"].split(".")[-1]) == 3 and len(values) == 2 and not rest.strip():
        return None
    return Number(
        match["label"],
        match["number"],
        (Reading("dotted", values[-1], values),),
        _groups(match["more"]),
        lower=not rest.strip(" .:") or _LOWER_START.match(rest) is not None,
    )


def _number(head: str) -> Number | None:
    match = _NUMBER.match(head)
    if match is None:
        return None
    values = _values(match["number"])
    rest = head[match.end() :]
    if values is None or values[0] == 0:
        return None
    if not match["after"] and not match["more"]:
        # "1 DEFINITIONS" or "8<tab>Assignment": nothing but the gap or the capitals says that this is a number.
        words = rest.strip().split("\n")[0]
        if (
            not words
            or not (re.match(r"\t|\s{2,}", rest) or (words.isupper() and len(words) > 3))
            or not words[0].isupper()
        ):
            return None
    style = "1)" if match["after"] == ")" else "1."
    sure = bool(match["after"]) and not _LOWER_START.match(rest)
    return Number(match["label"], match["number"], (Reading(style, values[0], values),), _groups(match["more"]), sure)


def _paren(head: str) -> Number | None:
    match = _PAREN.match(head)
    if match is None:
        return None
    given = match["number"]
    readings = _letters(given, "()") if not given.isdigit() else (Reading("(1)", int(given)),)
    return Number(match["label"], match["label"], readings) if readings else None


def _letter(head: str) -> Number | None:
    match = _LETTER.match(head)
    if match is None:
        return None
    readings = _letters(match["number"], match["after"])
    return Number(match["label"], f"({match['number']})", readings, sure=False) if readings else None


def _letters(given: str, marks: str) -> tuple[Reading, ...]:
    """Letters read as a roman numeral, as a letter, or as either."""
    if not (given.islower() or given.isupper()):
        return ()
    upper = given.isupper()
    left, right = ("(", ")") if marks == "()" else ("", marks)
    readings = []
    roman_value = from_roman(given)
    if roman_value is not None and roman_value < 90 and (len(given) > 1 or given.lower() in "ivx"):
        readings.append(Reading(f"{left}{'I' if upper else 'i'}{right}", roman_value))
    letter_value = from_letters(given)
    if letter_value is not None and len(given) <= 3:
        readings.append(Reading(f"{left}{'A' if upper else 'a'}{right}", letter_value))
    return tuple(readings)


def _values(dotted: str) -> tuple[int, ...] | None:
    values = tuple(int(part) for part in dotted.split("."))
    return values if all(value <= _LARGEST for value in values) else None


def _groups(text: str) -> tuple[str, ...]:
    return tuple(_GROUP.findall(text))
