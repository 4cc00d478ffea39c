"""Who made a document: the names before `("Alias")` where it says between whom it is, and names in a table of parties."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from redwell.diligence.archetypes.families import CONTRACTS
from redwell.diligence.clauses import Paragraph, clean, opening

_FORMS = (
    "Inc|Incorporated|LLC|L\\.L\\.C|Ltd|Limited|Corp|Corporation|Company|Co|L\\.P|LP|LLP|N\\.V|NV|B\\.V|BV|S\\.A\\.R\\.L|S\\.A|SA|SAS|GmbH|AG|plc|"
    "Pty|N\\.A|Bank|Trust|University|Holdings|Group|Partners|Foundation|S\\.p\\.A|A/S|AB|Oy|KK|Pte|Aktiengesellschaft|Institute"
)
_SUFFIX = rf"(?:{_FORMS}|{_FORMS.upper().replace('|CO|', '|CO(?=[.,])|')})\b\.?"
_WORD = r"(?:[A-Z]|\d{1,2}(?=[A-Z]))[\w&.’'/-]*"
ENTITY = re.compile(
    rf"{_WORD}(?:(?:,? (?:{_WORD}|&|of|and|the|de)| \([A-Z][\w. ]{{1,20}}\)))*?,? {_SUFFIX}(?:,? {_SUFFIX})*"
)
"""A name with a legal form at its end."""

_ALIAS = re.compile(
    r"\(\s?(?:hereinafter |herein |collectively,? |together |each,? |as |(?:is )?referred to (?:herein )?(?:as )?|called )*(?:the |a |an )?[\"“”']{1,2}(?P<alias>[^\"“”()]{2,40})[\"“”']{1,2}"
    r"(?P<more>[^()]{0,80})\)"
)
_NOT_PARTIES = re.compile(
    r"^(?:this )?(?:agreement|amendment|.* amendment|addendum|effective date|part(?:y|ies)|msa|dpa|platform|services?|products?|term|territory|lease|premises|plan|note|"
    r"order form|exhibit|schedule|closing|transaction|commencement date|execution date|contract|act|original agreement|date|sow|software|licensed .*|property|"
    r"company affiliates|affiliates?|board|stock|shares|business|facility|loan|program|project|deliverables|engine|recitals?|agreement summary|fda|sec|.*\b(?:fees?|value|date|term|period|amount|price|payment|royalty|rate|"
    r"tcv|rent|salary|bonus|benefits|engine|work|site|data|information|materials|marks?|rights|technology|patents?|obligations|transactions?|securities|notes|bonds|page|specifications|location|"
    r"territory|system|products?|services?|dollars|agreements?|tax(?:es)?|units|options|award|trademarks?|day)s?|us\$|usd|euro?s?)$",
    re.IGNORECASE,
)
_LABELLED = re.compile(
    r"^(?P<role>Provider|Customer|Client|Vendor|Supplier|Licensor|Licensee|Landlord|Tenant|Lender|Borrower|Employer|Employee|Contractor|Consultant|"
    r"Seller|Buyer|Company|Distributor|Manufacturer|Entity|Insured|Insurer|Controller|Processor)\s*[:|]\s*(?P<name>[A-Z].{2,200})",
)
_PREAMBLE = re.compile(r"\b(?:between|among|by and|entered into|made and|parties|dated|effective)\b", re.IGNORECASE)
_BETWEEN = re.compile(r"\b(?:between|among)\b|\bby and\b", re.IGNORECASE)
_BODY = re.compile(
    r"(?:recitals|whereas|background|witnesseth|now,? therefore|article i\b|(?:section )?1(?:\.1)?[.)]|preliminary|definitions\b)",
    re.IGNORECASE,
)
_STATES = (
    "alabama alaska arizona arkansas california colorado connecticut delaware florida georgia hawaii idaho illinois indiana iowa kansas kentucky louisiana maine maryland "
    "massachusetts michigan minnesota mississippi missouri montana nebraska nevada hampshire jersey mexico york carolina dakota ohio oklahoma oregon pennsylvania rhode "
    "island tennessee texas utah vermont virginia washington wisconsin wyoming ontario quebec columbia british canadian dutch german swiss english israeli japanese chinese irish french "
    "new north south west"
)
_GENERIC = frozenset(
    f"{_STATES} a an the and of or by for to registered liability limited investment professional holding holdings services service public private joint stock stocks common preferred "
    "company companies corporation corporations partnership general foreign domestic nonprofit nonstock exempted trust bank group partners inc ltd llc corp co lp plc "
    "national banking association insurance parent party parties position subsidiary issuer obligations".split()
)
"""Words that say what kind of body a party is: a name made of nothing else is none."""
_NO_NAME = re.compile(
    r"\b(?:agreement|amendment|addendum|exhibit|schedule|annex|appendix|attachment|section|article|attention|attn|recitals?|summary|whereas|witnesseth|table of contents|paragraph|territory|"
    r"effective date|committee|exchange commission|drug administration|authori[sz]ed signatory|trademarks?|intellectual property|specifications|chapter \d)\b|^(?:no[wt]|if|any|all|this|each|such|common stock|you|we|our) (?-i:[A-Z]?[a-z])",
    re.IGNORECASE,
)
_OFFICE = re.compile(
    r"^.*?\b(?:board(?: of directors)?|directors|counsel|officer|secretary|shareholders|stockholders|members) of (?:the )?",
    re.IGNORECASE,
)
"""Whom a body or an officer belongs to: the company is the party, not its board."""
_DOTTED = re.compile(
    r"\b(?:Inc|INC|Ltd|LTD|Co|CO|Corp|CORP|L\.P|N\.V|B\.V|S\.A|L\.L\.C|N\.A|S\.p\.A|S\.A\.R\.L|L\.L\.P|[A-Z])\.$"
)
_SENTENCE = re.compile(r"(?<=[a-z]{4})\. |; ")


def tidy(name: str) -> str:
    """A name without the marks and words around it that are none of it; empty when nothing is left that can be a party's name."""
    name = re.split(r"\b(?:between|among|dated|of this|by and)\b ", name)[-1]
    name = _SENTENCE.split(name.strip(" ,;:*_|"))[-1].strip(" ,;:")
    name = re.sub(r"^(?:(?:and|with|by|from|to|the|BETWEEN) )+(?=\S+ )", "", name, flags=re.IGNORECASE)
    name = _OFFICE.sub("", name)
    if name.endswith(".") and not _DOTTED.search(name):
        name = name.rstrip(".")
    words = re.findall(r"[^\W_]+", name.casefold())
    if not 2 < len(name) < 100 or _NO_NAME.search(name) or all(word in _GENERIC for word in words):
        return ""
    return name


def _form_only(text: str, match: re.Match[str]) -> bool:
    """Whether "a Delaware corporation" stands there, which describes the name before it."""
    return re.search(r"\b(?:an?|AN?)\s$", text[: match.start()]) is not None


def entities(text: str) -> Iterator[str]:
    """The names with a legal form in a text, tidied."""
    for match in ENTITY.finditer(text):
        if not _form_only(text, match) and (name := tidy(match[0])):
            yield name


def _name_before(text: str, loose: bool) -> str:
    """The party's name in the words before its `("Alias")`; `loose` takes one without a legal form, too."""
    text = text[-420:]
    found = [match for match in ENTITY.finditer(text) if not _form_only(text, match) and tidy(match[0])]
    if found:
        # "Acme, Inc., a Delaware corporation with offices at Oak Group Plaza": the name is the first entity after the last opener.
        opener = max(
            (m.end() for m in re.finditer(r"\b(?:between|among|by|and|with|from|to)\b:?\s|[;:—–-]\s|\|\s", text)),
            default=0,
        )
        after = [match for match in found if match.start() >= opener - 1]
        return tidy((after or found[-1:])[0][0])
    if not loose:
        return ""
    person = re.search(r"(?:between|and|by|among)\s+([A-Z][\w.’'-]+(?: [A-Z][\w.’'-]*){1,3})[^A-Za-z]", text)
    bare = re.search(r"([A-Z][\w.’'-]+(?: [A-Z][\w.’'-]*){1,4})(?:, (?:an?|the) [^,()]{3,80})?,? ?$", text)
    chosen = person or bare
    return tidy(chosen[1]) if chosen else ""


def parties(head: list[Paragraph], kind: str) -> tuple[list[dict[str, Any]], str]:
    """(parties as `name` and `aliases`, the words that name the first), of the paragraphs in which a document says what it is."""
    found: list[dict[str, Any]] = []
    where = ""
    body = between = False
    for paragraph in head:
        body = body or _BODY.match(paragraph.raw.lstrip("#* \t")) is not None
        if body and len(found) >= 2:
            break
        text = clean(paragraph.raw).replace("| ", " | ")
        between = between or _BETWEEN.search(text) is not None
        loose = (between and not body) or (not found and _PREAMBLE.search(text) is not None)
        last = 0
        for match in _ALIAS.finditer(text):
            alias = re.sub(r"^(?:the|each,? an?)\s", "", match["alias"].strip(" ,."), flags=re.IGNORECASE)
            if _NOT_PARTIES.match(alias) or not alias[:1].isupper():
                continue
            name = _name_before(text[last : match.start()], loose)
            last = match.end()
            if not name or _NOT_PARTIES.match(name):
                continue
            aliases = [alias, *(a.strip(" ,.") for a in re.findall(r"[\"“”]([^\"“”]{2,40})[\"“”]", match["more"]))]
            known = next((p for p in found if same(p["name"], name)), None)
            if known is not None:
                known["aliases"] += [a for a in aliases if a not in known["aliases"]]
            elif len(found) < 8:
                found.append({"name": name, "aliases": aliases})
                where = where or opening(paragraph.raw, 600)
        label = _LABELLED.match(text.strip("-|*# "))
        if (
            label
            and (entity := ENTITY.match(label["name"]))
            and (name := tidy(entity[0]))
            and not any(same(p["name"], name) for p in found)
        ):
            found.append({"name": name, "aliases": [label["role"]]})
            where = where or opening(paragraph.raw, 600)
    if not found and kind in CONTRACTS:
        return _unnamed(head), where
    return found, where


def _unnamed(head: list[Paragraph]) -> list[dict[str, Any]]:
    """The first two names of a contract that gives its parties no short names; those after "between" before all others."""
    between = [p for p in head[:40] if re.search(r"\b(?:between|among)\b", p.raw, re.IGNORECASE)]
    for chosen in (between[:2], head[:30]):
        names: list[str] = []
        for paragraph in chosen:
            for name in entities(clean(paragraph.raw)):
                if not any(same(name, known) for known in names):
                    names.append(name)
        if len(names) >= 2:
            break
    return [{"name": name, "aliases": []} for name in names[:2]]


def same(one: str, other: str) -> bool:
    """Whether two names are the same but for their legal form, case and punctuation."""
    return bare(one) == bare(other)


def bare(name: str) -> str:
    return re.sub(rf"\W+|\b{_SUFFIX}", " ", re.sub(rf",? {_SUFFIX}", " ", name)).casefold().strip()
