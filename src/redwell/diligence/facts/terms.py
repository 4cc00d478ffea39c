"""What the prose of a document fixes: its governing law, sums with a name, definitions, what it amends, limits of authority."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from redwell.diligence.archetypes import words
from redwell.diligence.clauses import Paragraph, clean, quote, sentences

_I = re.IGNORECASE
_LAW = re.compile(
    r"(?:govern\w*|constru\w*|interpret\w*|enforce\w*)[^.;]{0,120}\b(?:laws?|substantive law)\b[^.;]{0,80}?\b(?:of|in)\b(?: the)?(?: (?:State|Commonwealth|Province|Republic|Kingdom) of)?(?: the)? "
    r"(?P<law>[A-Z][A-Za-z’'.]+(?:(?: of)? [A-Z][A-Za-z’'.]+){0,4})|\b(?P<law2>[A-Z][a-z]+(?: [A-Z][a-z]+)?) law (?:shall )?(?:govern|appl)|laws? of (?:the )?(?:State of )?(?P<law3>[A-Z][A-Za-z]+(?: [A-Z][A-Za-z]+)*)[^.;]{0,60}(?:shall |will )?(?:govern|control|appl)"
)
_AMOUNTS: tuple[tuple[str, str], ...] = (
    ("annual fee", r"annual (?:\w+ ){0,3}fees?\b[^.;$€£]{0,100}|fees?[^.;$€£]{0,20} per (?:year|annum)[^.;$€£]{0,40}"),
    ("total contract value", r"total contract value[^.;$€£]{0,120}"),
    ("principal", r"principal (?:amount|sum)[^.;$€£]{0,60}"),
    ("base salary", r"base salary[^.;$€£]{0,100}"),
    ("base rent per month", r"(?:base |monthly )?rent\b[^.;$€£]{0,60}(?=[$€£][\d,.]+ (?:per|a|each) month)"),
    ("base rent per year", r"(?:base |annual )?rent\b[^.;$€£]{0,60}(?=[$€£][\d,.]+ (?:per|a|each) (?:year|annum))"),
    ("fixed fee", r"fixed fee\b[^.;$€£]{0,100}|shall pay (?:contractor|consultant)[^.;$€£]{0,30}"),
    ("original issue price per share", r"(?:original (?:issue|purchase) price|price per share)[^.;$€£]{0,60}"),
    ("purchase price", r"purchase price[^.;$€£]{0,60}"),
    ("reserve", r"(?:reserve[ds]?|accru(?:ed|al))[^.;$€£]{0,60}"),
)  # fmt: skip
_COMPILED = [
    (label, re.compile(pattern + r"(?=" + words.MONEY.pattern.replace("?P<", "?P<_") + ")", _I))
    for label, pattern in _AMOUNTS
]
_NEEDED = {
    "annual fee": "fee",
    "total contract value": "total contract",
    "principal": "principal",
    "base salary": "base salary",
    "base rent per month": "rent",
    "base rent per year": "rent",
    "fixed fee": "f",
    "original issue price per share": "price",
    "purchase price": "purchase price",
    "reserve": "re",
}
"""A word without which the pattern cannot match: asked first, because it is cheap."""
_WORDS = (
    "fee",
    "Fee",
    "FEE",
    "rincipal",
    "alary",
    "ent ",
    "ontract Value",
    "ontract value",
    "rice",
    "eserve",
    "accru",
    "hall pay ",
)
_DEFINED = re.compile(
    r"[\"“”](?P<term>[^\"“”]{3,60})[\"“”] (?:shall )?(?:means?|excludes?|has the meaning|includes?)\b(?P<text>.{0,300})"
)
_AMENDS = re.compile(
    r"(?:Section|Article|Clause|Paragraph|Exhibit|Schedule)\s+(?P<section>[\dA-Z][\w.()]*)\b[^.;]{0,120}\b(?:is|are|shall be)\b[^.;]{0,40}\b(?:deleted|amended|replaced|restated|modified|supplemented)\b|"
    r"\b(?:amend\w*|delet\w*|replac\w*|restat\w*|modif\w*)\b[^.;]{0,60}\b(?:Section|Article|Clause|Paragraph|Exhibit|Schedule)\s+(?P<section2>[\dA-Z][\w.()]*)"
)
_TOPICS = (
    ("liability", r"liabilit|liable|damages"),
    ("control", r"change (?:of|in) control|assign"),
    ("term", r"\bterm\b|expir|renew"),
    ("price", r"price|fee|royalt|minimum|payment"),
)
_AUTHORITY = re.compile(
    r"(?:contract|agreement|commitment|expenditure|transaction)s?\b[^.;]{0,60}(?:value|amount)?[^.;]{0,20}(?:above|over|exceed\w*|in excess of|greater than|more than)[^.;]{0,10}[$€£][^;]{0,80}(?:requires?|subject to|needs?)[^.;]{0,60}(?:approval|consent)[^.;]{0,30}[Bb]oard",
    _I,
)


def terms(found: list[Paragraph], family: str) -> Iterator[tuple[str, str, dict[str, Any], list[str]]]:
    """`fact:governing_law`, `fact:amount`, `fact:definition`, `fact:amends`, `fact:authority`."""
    laws = 0
    sums: set[tuple[str, float]] = set()
    for paragraph in found:
        raw = paragraph.raw
        low = raw.lower()
        if laws < 3 and "law" in low and ("govern" in low or "constru" in low or "interpret" in low):
            for fact in _law(raw):
                laws += 1
                yield fact
        if (
            ("$" in raw or "€" in raw or "£" in raw or "USD" in raw or "EUR" in raw)
            and len(sums) < 24
            and any(word in raw for word in _WORDS)
        ):
            yield from _amounts(raw, sums)
        if "“" in raw or '"' in raw:
            match = _DEFINED.search(raw) if "EBITDA" in raw or "hange of" in raw or "hange in" in raw else None
            if match and re.search(r"EBITDA|change (?:of|in) control", match["term"], _I):
                text = clean(match[0])
                yield (
                    "fact:definition",
                    text[:300],
                    {"term": match["term"], "text": clean(match["text"])[:300], "excludes": "exclud" in text.lower()},
                    [quote(raw, match[0][:80])],
                )
        if family == "amendment" and ("mend" in raw or "delet" in raw or "replac" in raw):
            for match in list(_AMENDS.finditer(clean(raw)))[:4]:
                section = (match["section"] or match["section2"] or "").rstrip(".")
                topic = next((name for name, pattern in _TOPICS if re.search(pattern, clean(raw), _I)), "")
                yield (
                    "fact:amends",
                    f"changes {section}",
                    {"section": section, "topic": topic},
                    [quote(raw, match[0][:80])],
                )
        if "pproval" in raw and "oard" in raw:
            match = _AUTHORITY.search(clean(raw))
            if match and (limit := words.money(match[0])):
                yield (
                    "fact:authority",
                    clean(match[0]),
                    {"limit": limit[0][0], "currency": limit[0][1]},
                    [quote(raw, match[0][:80])],
                )


def _law(raw: str) -> Iterator[tuple[str, str, dict[str, Any], list[str]]]:
    for start, end in sentences(raw):
        text = clean(raw[start:end])
        match = _LAW.search(text)
        if match and not re.search(
            r"compl(?:y|iance) with|applicable laws? of|required by law|securities laws of|corporation (?:duly )?organi[sz]ed",
            text,
            _I,
        ):
            law = next(value for value in (match["law"], match["law2"], match["law3"]) if value)
            yield (
                "fact:governing_law",
                f"governed by the law of {law}",
                {"law": law.rstrip(".")},
                [quote(raw[start:end], match[0])],
            )
            return


def _amounts(raw: str, seen: set[tuple[str, float]]) -> Iterator[tuple[str, str, dict[str, Any], list[str]]]:
    text = clean(raw)
    low = text.casefold()
    for label, pattern in _COMPILED:
        match = pattern.search(text) if _NEEDED[label] in low else None
        if not match:
            continue
        amount, currency = (
            words.money(text[match.end() : match.end() + 40])[0]
            if words.money(text[match.end() : match.end() + 40])
            else (0.0, "")
        )
        if amount > 0 and (label, amount) not in seen:
            seen.add((label, amount))
            yield (
                "fact:amount",
                f"{label}: {words.show_money(amount, currency)}",
                {"label": label, "amount": amount, "currency": currency},
                [quote(raw, match[0][-60:])],
            )
