"""What a document is: its title, kind, parties, dates, state (draft, form, executed) and signatures."""

from __future__ import annotations

import re
from collections.abc import Iterator
from heapq import nsmallest
from typing import Any
from zlib import crc32

from redwell.diligence.archetypes import words
from redwell.diligence.archetypes.families import CONTRACTS, family
from redwell.diligence.clauses import Paragraph, clean, opening
from redwell.diligence.facts.parties import ENTITY, entities, parties

HEAD = 6_000  # characters in which a document says what it is

_TITLE_WORDS = re.compile(
    r"agreement|contract|amendment|lease|addendum|plan|note|minutes|resolution|certificate|policy|schedule|register|deck|letter|order|statement|"
    r"indenture|guarant|report|memorandum|summary|bylaws|by-laws|deed|license|licence|notice|complaint|consent|waiver|overview|review|table",
    re.IGNORECASE,
)
_DRAFT = re.compile(
    r"\b(?:draft|execution version pending|subject to (?:client )?review|for discussion purposes)\b", re.IGNORECASE
)
_FORM = re.compile(r"\b(?:form of|standard form|template|sample)\b", re.IGNORECASE)
_BLANK = re.compile(r"\[(?:●|•|_+|\s*insert|\s*name|\s*date|\s*amount)[^\]]{0,40}\]|\$\s?\[", re.IGNORECASE)


def document(text: str, found: list[Paragraph], path: str) -> tuple[str, str, dict[str, Any], list[str]]:
    """The fact `fact:document`."""
    head = [p for p in found if p.start < HEAD]
    title = _title(head, path)
    kind = family(title, path)
    values: dict[str, Any] = {"path": path, "title": title, "family": kind, "sketch": sketch(text)}
    quotes: list[str] = []
    named = next((p.raw for p in head[:12] if title and clean(p.raw).lstrip("# ").startswith(title[:40])), "")
    if named:
        quotes.append(opening(named, 300))
    made, where = parties(head, kind)
    values["parties"] = made
    if where:
        quotes.append(where)
    if not made:
        names = list(dict.fromkeys(entities(clean(text[:1_500]))))
        if names:
            values["names"] = names[:6]
    dated = _dated(head)
    if dated:
        values["date"] = dated
    shown = clean(text[:HEAD])
    if _DRAFT.search(shown[:600]) or re.search(r"\bdraft\b", path.rsplit("/", 1)[-1].replace("_", " "), re.IGNORECASE):
        values["draft"] = True
    if _FORM.search(shown[:400]) or len(_BLANK.findall(text)) >= 3:
        values["form"] = True
    amended = re.search(
        r"amendment (?:no\.?|number|#)\s?(\d+|one|two|three|four|five|six)", shown[:1500], re.IGNORECASE
    )
    if kind == "amendment":
        first = re.search(
            r"\b(first|second|third|fourth|fifth|sixth|seventh|eighth)\b[\w ]{0,20}amendment",
            shown[:1500],
            re.IGNORECASE,
        )
        said = amended or first
        number = _ordinal(said[1]) if said else 0
        if number:
            values["amendment"] = number
    between = " and ".join(party["name"] for party in made[:3])
    claim = (
        f"{title or path.rsplit('/', 1)[-1]}"
        + (f" between {between}" if between and kind in CONTRACTS else "")
        + (f", dated {dated}" if dated else "")
    )
    return "fact:document", claim, values, [quote for quote in quotes if len(quote) >= 12]


SKETCH = 32  # sampled phrases: enough to tell 0.8 from 0.5
SKETCHED = 8_000  # characters that are sampled


def sketch(text: str) -> list[int]:
    """A sample of a text's phrases of four words, the same for copies of it in any format: the smallest of their checksums."""
    words = re.findall(r"[a-z0-9]{2,}", clean(text[:SKETCHED]).lower())
    phrases = {crc32(" ".join(words[n : n + 4]).encode()) for n in range(len(words) - 3)}
    return nsmallest(SKETCH, phrases) if len(phrases) >= SKETCH else []


def _ordinal(word: str) -> int:
    names = ["one", "two", "three", "four", "five", "six", "seven", "eight"]
    ranks = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth"]
    word = word.lower()
    return (
        int(word)
        if word.isdigit()
        else names.index(word) + 1
        if word in names
        else ranks.index(word) + 1
        if word in ranks
        else 0
    )


_NO_TITLE = re.compile(
    r"exhibit|confidential|\||page\b|by and|table of contents|article \w+\b|section \d|.*\bdenoted\b|.*\bomitted\b|.*\bparagraph$|(?:territory|term|date|through date|period|subject|re|note|to|from|name|named insured|attention)\b[^:]{0,20}:|dear ",
    re.IGNORECASE,
)


_HANGS = re.compile(r"\b(?:and|of|to|for|the|by|with|between|&)$", re.IGNORECASE)


def _title(head: list[Paragraph], path: str) -> str:
    best = ""
    for order, paragraph in enumerate(head[:25]):
        line = _first_line(paragraph.raw)
        if " | " in line:
            continue
        line = re.split(r"\s{3,}|(?<=AGREEMENT) (?=This\b|THIS\b)", line)[0].strip(" .:*_-=")
        if _HANGS.search(line) and order + 1 < len(head) and len(head[order + 1].raw) < 100:
            line = f"{line} {_first_line(head[order + 1].raw)}".strip(" .:*_-=")
        if not 4 <= len(line) <= 140 or _NO_TITLE.match(line) or ENTITY.fullmatch(line):
            continue
        if (
            order == 0
            and _TITLE_WORDS.search(line)
            and len(line) < 100
            and not paragraph.raw.rstrip().endswith((".", ";"))
        ):
            return line
        if re.match(r"\d+(?:\.\d+)*\.?\s", line):
            continue
        if _TITLE_WORDS.search(line) and (
            line.isupper()
            or paragraph.raw.lstrip().startswith("#")
            or line.istitle()
            or sum(w[:1].isupper() for w in line.split()) >= 0.6 * len(line.split())
        ):
            return line
        best = best or (line if paragraph.raw.lstrip().startswith("#") else "")
    return best


def _first_line(raw: str) -> str:
    """A title with the lines that go on with it: the next one is another matter unless the first is left hanging."""
    lines = [cut for line in raw.split("\n") if (cut := clean(line).lstrip("#* ").strip())]
    title = lines[0] if lines else ""
    for line in lines[1:4]:
        whole = _TITLE_WORDS.search(title) and not _HANGS.search(title)
        if whole and not re.match(r"(?:and|of|to|for|by|between|with)\b", line, re.IGNORECASE):
            break
        title += f" {line}"
    return title


_BEFORE_DATE = re.compile(
    r"(?:effective date|dated|entered into|made|effective|as of|executed|date)[^.]{0,90}", re.IGNORECASE
)


def _dated(head: list[Paragraph]) -> str:
    """The day that a document bears: after words that say so, else on a line of its own near the top."""
    for paragraph in head[:40]:
        text = clean(paragraph.raw)
        for match in _BEFORE_DATE.finditer(text):
            found = words.dates(text[match.start() : match.end() + 30])
            if found:
                return found[0].isoformat()
    for paragraph in head[:12]:
        for line in paragraph.raw.split("\n")[:6]:
            if len(line) <= 40 and (found := words.dates(line)):
                return found[0].isoformat()
    return ""


_SIGNED = re.compile(r"/s/|docusigned by|\bsigned by\b:|electronically signed|\bsgd\.", re.IGNORECASE)
_LINE = re.compile(r"^[|\s*>]*(?:By|Signature|Signed|Name)\s*:?[*\s|]*(?P<rest>.*)$", re.IGNORECASE)


def signatures(
    text: str, found: list[Paragraph], *, last: bool
) -> Iterator[tuple[str, str, dict[str, Any], list[str]]]:
    """`fact:signatures`: how many signature lines are filled and how many are blank, where there are any."""
    signed = blank = 0
    quote = ""
    for paragraph in found:
        raw = paragraph.raw
        if len(raw) > 3_000 or not (
            "/s/" in raw or "By" in raw or "ignature" in raw or "igned" in raw or "SIGN" in raw
        ):
            continue
        filled = len(_SIGNED.findall(raw))
        signed += filled
        for line in re.split(r"\n| \| ", raw):
            match = re.match(r"^[|\s*>-]*(?:By|Signature|Signed)\s*:\s*[*\s|]*(.*)$", line.strip())
            if match and not _SIGNED.search(line) and re.fullmatch(r"[\W_]*", match[1]):
                blank += 1
                quote = quote or _around(text, paragraph)
        if filled and not quote:
            quote = _around(text, paragraph)
    if signed or blank:
        yield (
            "fact:signatures",
            f"{signed} signature lines are filled, {blank} are blank",
            {"signed": signed, "blank": blank},
            [quote] if len(quote) >= 12 else [],
        )


def _around(text: str, paragraph: Paragraph) -> str:
    """The signature line with enough of the line before it to be found again."""
    raw = paragraph.raw.strip()
    if len(raw) >= 30:
        return opening(raw, 300)
    before = text[max(0, paragraph.start - 120) : paragraph.start]
    return opening(before.partition(" ")[2] + text[paragraph.start : paragraph.end], 400)
