"""What a document is: its title, kind, parties, dates, state (draft, form, executed) and signatures."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from redwell.diligence.archetypes import words
from redwell.diligence.archetypes.families import CONTRACTS, family
from redwell.diligence.clauses import Paragraph, clean, opening

HEAD = 6_000  # characters in which a document says what it is

_SUFFIX = (
    r"(?:Inc|Incorporated|LLC|L\.L\.C|Ltd|Limited|Corp|Corporation|Company|Co|L\.P|LP|LLP|N\.V|NV|B\.V|BV|S\.A\.R\.L|S\.A|SA|SAS|GmbH|AG|plc|PLC|"
    r"Pty|N\.A|Bank|Trust|University|Holdings|Group|Partners|Foundation|S\.p\.A|A/S|AB|Oy|KK|Pte)\b\.?"
)
ENTITY = re.compile(rf"[A-Z][\w&.’'/-]*(?:,? (?:[A-Z][\w&.’'/-]*|&|of|and|the|de))*?,? {_SUFFIX}(?:,? {_SUFFIX})*")
_ALIAS = re.compile(
    r"\(\s?(?:hereinafter |herein |collectively,? |together |each,? |as |(?:is )?referred to (?:herein )?(?:as )?|called )*(?:the |a |an )?[\"“”']{1,2}(?P<alias>[^\"“”()]{2,40})[\"“”']{1,2}"
    r"(?P<more>[^()]{0,80})\)"
)
_NOT_PARTIES = re.compile(
    r"^(?:this )?(?:agreement|amendment|effective date|part(?:y|ies)|msa|dpa|platform|services?|products?|term|territory|lease|premises|plan|note|"
    r"order form|exhibit|schedule|closing|transaction|commencement date|execution date|contract|act|original agreement|date|sow|software|licensed .*|property|"
    r"company affiliates|affiliates?|board|stock|shares|business|facility|loan|program|project|deliverables|engine|recitals?|.*\b(?:fees?|value|date|term|period|amount|price|payment|royalty|rate|"
    r"tcv|rent|salary|bonus|benefits|engine|work|site|data|information|materials|marks?|rights|technology|patents?|obligations|transactions?|securities|notes|bonds|"
    r"territory|system|products?|services?|dollars|agreements?|tax(?:es)?|units|options|award)s?|us\$|usd|euro?s?)$",
    re.IGNORECASE,
)
_LABELLED = re.compile(
    r"^(?P<role>Provider|Customer|Client|Vendor|Supplier|Licensor|Licensee|Landlord|Tenant|Lender|Borrower|Employer|Employee|Contractor|Consultant|"
    r"Seller|Buyer|Company|Distributor|Manufacturer|Entity|Insured|Insurer|Controller|Processor)\s*[:|]\s*(?P<name>[A-Z].{2,200})",
)
_TITLE_WORDS = re.compile(
    r"agreement|contract|amendment|lease|addendum|plan|note|minutes|resolution|certificate|policy|schedule|register|deck|letter|order|statement|"
    r"indenture|guarant|report|memorandum|summary|bylaws|by-laws|deed|license|licence|notice|complaint|consent|waiver|overview|review|table",
    re.IGNORECASE,
)
_BODY = re.compile(
    r"(?:recitals|whereas|background|witnesseth|now,? therefore|article i\b|(?:section )?1[.)]|preliminary)",
    re.IGNORECASE,
)
_DRAFT = re.compile(
    r"\b(?:draft|execution version pending|subject to (?:client )?review|for discussion purposes)\b", re.IGNORECASE
)
_FORM = re.compile(r"\b(?:form of|standard form|template|sample)\b", re.IGNORECASE)
_BLANK = re.compile(r"\[(?:●|•|_+|\s*insert|\s*name|\s*date|\s*amount)[^\]]{0,40}\]|\$\s?\[", re.IGNORECASE)
_ROLES_OF_TARGET = "provider company supplier vendor licensor seller employer borrower tenant manufacturer processor"


def document(text: str, found: list[Paragraph], path: str) -> tuple[str, str, dict[str, Any], list[str]]:
    """The fact `fact:document`."""
    head = [p for p in found if p.start < HEAD]
    title = _title(head, path)
    kind = family(title, path)
    values: dict[str, Any] = {"path": path, "title": title, "family": kind}
    quotes: list[str] = []
    named = next((p.raw for p in head[:12] if title and clean(p.raw).lstrip("# ").startswith(title[:40])), "")
    if named:
        quotes.append(opening(named, 300))
    parties, where = _parties(head, kind)
    values["parties"] = parties
    if where:
        quotes.append(where)
    if not parties:
        names = list(
            dict.fromkeys(match[0].strip(" ,") for match in ENTITY.finditer(clean(text[:1_500])) if len(match[0]) < 80)
        )
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
    between = " and ".join(party["name"] for party in parties[:3])
    claim = (
        f"{title or path.rsplit('/', 1)[-1]}"
        + (f" between {between}" if between and kind in CONTRACTS else "")
        + (f", dated {dated}" if dated else "")
    )
    return "fact:document", claim, values, [quote for quote in quotes if len(quote) >= 12]


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


def _title(head: list[Paragraph], path: str) -> str:
    best = ""
    for order, paragraph in enumerate(head[:25]):
        line = clean(paragraph.raw).lstrip("#* ").strip()
        if " | " in line:
            continue
        line = re.split(r"\s{3,}|(?<=AGREEMENT) (?=This\b|THIS\b)", line)[0]
        if not 4 <= len(line) <= 140 or line.lower().startswith(("exhibit", "confidential", "|", "page", "by and")):
            continue
        if ENTITY.fullmatch(line):
            continue
        if order == 0 and _TITLE_WORDS.search(line) and len(line) < 100 and not line.endswith((".", ";")):
            return line.strip(" .:*_")
        if re.match(r"\d+\.?\s", line):
            continue
        if _TITLE_WORDS.search(line) and (
            line.isupper()
            or paragraph.raw.lstrip().startswith("#")
            or line.istitle()
            or sum(w[:1].isupper() for w in line.split()) >= 0.6 * len(line.split())
        ):
            return line.strip(" .:*_")
        best = best or (line if paragraph.raw.lstrip().startswith("#") else "")
    return best.strip(" .:*_")


_DOTTED = re.compile(r"\b(?:Inc|Ltd|Co|Corp|L\.P|N\.V|B\.V|S\.A|L\.L\.C|N\.A|S\.p\.A|S\.A\.R\.L)\.$")


def _name_before(text: str) -> str:
    """The party's name in the words before its `("Alias")`."""
    text = text[-420:]
    entities = list(ENTITY.finditer(text))
    if entities:
        # "Acme, Inc., a Delaware corporation with offices at Oak Group Plaza": the name is the first entity after the last opener.
        opener = max(
            (m.end() for m in re.finditer(r"\b(?:between|among|by|and|with|from|to)\b:?\s|[;:—–-]\s|\|\s", text)),
            default=0,
        )
        after = [m for m in entities if m.start() >= opener - 1]
        chosen = (after or entities)[0] if after else entities[-1]
        name = chosen[0]
        cut = re.split(r"\b(?:between|among|dated|of this|by)\b ", name)[-1]
        return cut.strip(" ,;") if _DOTTED.search(cut.strip(" ,;")) else cut.strip(" ,.;")
    person = re.search(r"(?:between|and|by|among)\s+([A-Z][\w.’'-]+(?: [A-Z][\w.’'-]*){1,3})[^A-Za-z]", text)
    if person:
        return person[1]
    bare = re.search(r"([A-Z][\w.’'-]+(?: [A-Z][\w.’'-]*){1,3})(?:, (?:an?|the) [^,()]{3,80})?,? ?$", text)
    return bare[1] if bare else ""


def _parties(head: list[Paragraph], kind: str) -> tuple[list[dict[str, Any]], str]:
    parties: list[dict[str, Any]] = []
    where = ""
    for paragraph in head:
        if len(parties) >= 2 and _BODY.match(paragraph.raw.lstrip("#* ")):
            break
        text = clean(paragraph.raw).replace("| ", " | ")
        last = 0
        for match in _ALIAS.finditer(text):
            alias = re.sub(r"^(?:the|each,? an?)\s", "", match["alias"].strip(" ,."), flags=re.IGNORECASE)
            if _NOT_PARTIES.match(alias) or not alias[:1].isupper():
                continue
            name = _name_before(text[last : match.start()])
            last = match.end()
            if not name or len(name) < 3 or _NOT_PARTIES.match(name) or re.match(r"WHEREAS|Whereas|NOW|The ", name):
                continue
            aliases = [alias, *(a.strip(" ,.") for a in re.findall(r"[\"“”]([^\"“”]{2,40})[\"“”]", match["more"]))]
            known = next((p for p in parties if same(p["name"], name)), None)
            if known is not None:
                known["aliases"] += [a for a in aliases if a not in known["aliases"]]
            elif len(parties) < 8:
                parties.append({"name": name, "aliases": aliases})
                where = where or opening(paragraph.raw, 600)
        label = _LABELLED.match(text.strip("-|*# "))
        if label and (entity := ENTITY.match(label["name"])) and not any(same(p["name"], entity[0]) for p in parties):
            parties.append({"name": entity[0].strip(" ,"), "aliases": [label["role"]]})
            where = where or opening(paragraph.raw, 600)
    if not parties and kind in CONTRACTS:
        names: list[str] = []
        for paragraph in head[:30]:
            for match in ENTITY.finditer(clean(paragraph.raw)):
                if not any(same(match[0], name) for name in names) and len(match[0]) < 80:
                    names.append(match[0])
        parties = [{"name": name.strip(" ,"), "aliases": []} for name in names[:2]]
    return parties, where


def same(one: str, other: str) -> bool:
    """Whether two names are the same but for their legal form, case and punctuation."""
    return bare(one) == bare(other)


def bare(name: str) -> str:
    return re.sub(rf"\W+|\b{_SUFFIX}", " ", re.sub(rf",? {_SUFFIX}", " ", name)).casefold().strip()


def _dated(head: list[Paragraph]) -> str:
    for pattern in (
        r"(?:effective date|dated|entered into|made|effective|as of|executed|date)[^.]{0,90}",
        r"",
    ):
        for paragraph in head[:40]:
            text = clean(paragraph.raw)
            for match in re.finditer(pattern, text, re.IGNORECASE) if pattern else ():
                found = words.dates(text[match.start() : match.end() + 30])
                if found:
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
