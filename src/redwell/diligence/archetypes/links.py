"""Which papers speak of the same thing: by a party's name, a person, a number, a code. Standard library only."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from redwell.diligence.archetypes import words
from redwell.diligence.archetypes.base import Issue
from redwell.diligence.archetypes.case import Case, Doc

_I = re.IGNORECASE
MOST_SHARING = 10
"""Documents that a name may stand in and still tell something; the target's own stands everywhere."""
_GENERIC = frozenset(
    " ".join(
        (
            "a an and at by for from in of on or the to with our your their no not new old first second third fourth signed unsigned draft copy final form agreement agreements contract contracts ",
            "master service services supply purchase purchasing order orders letter letters notice notices statement statements report register record records section schedule exhibit annex change control customer ",
            "supplier company provider client buyer seller licensor licensee licence license amendment amended consent waiver minutes board committee meeting account accounts price prices list terms conditions ",
            "deposit escrow mail message memo memorandum note notes file files document documents data room intellectual property united states patent trademark office effective date general counsel chief executive officer ",
            "financial annual total year years quarter january february march april may june july august september october november december inc llc ltd corp corporation limited gmbh group holdings usd ",
            "confidential information business day days days' working party parties president vice director secretary manager mr ms dr dear sincerely subject what this that these it we you they if whereas",
        )
    ).split()
)  # fmt: skip
_OF_TITLES = frozenset(
    " ".join(
        (
            "toll manufacturing hosting hosted managed network fleet raw material materials distribution distributor cloud platform preferred equipment development delivery software technology process sourcing exclusive capacity implementation ",
            "turnaround joint venture volume product products programme program project transition transitional frame module component components cell resin research award study patent coating assignment invention inventions proprietary offer employment ",
            "escrow power energy site professional consulting data analytics commercial loan credit security guarantee valuation memo carve steps invoices receipts orders forecast budget estimate certificate release settlement answer reply ",
            "confirmation confirmatory counterpart joinder signature status search extract list letters price file log build bill portal open source quotation production board update foods kitchens health systems global general national american international industries ",
            "holding partners capital ventures bank trust insurance medical europe north south west east river group solutions works world",
        )
    ).split()
)  # fmt: skip
_CODE = re.compile(r"(?<![\w$€£.,/-])(?:[A-Z]{1,5}[-. ]{0,2})?(\d{4,}[\w-]*)(?![\w,.]*\d)|\b([A-Z]{1,5}-\d{2,}[\w-]*)")
_CAPITAL = re.compile(r"[A-Z][\w’'&.-]*[\w]|[A-Z]")
_SINGLE = re.compile(r"\b[A-Z]{6,}\b")
_YEAR = re.compile(r"(?:19|20)\d\d(?:-.*)?")


def stem(doc: Doc) -> str:
    """A document's file name as words."""
    return re.sub(r"[_\-.]+", " ", re.sub(r"\.\w{2,5}$", "", doc.name)).strip()


def called(doc: Doc) -> str:
    """What a document is called: its title, once, where its file's name bears it out; else the file's name in capitals as a title has them."""
    plain = stem(doc)
    title = re.sub(r"^(.{8,}?)(?: \1)+(?= |$)", r"\1", doc.title or "").strip()
    shared = set(plain.lower().split()) & set(re.findall(r"[\w’']+", title.lower()))
    if title and len(title) < 110 and len(shared) >= max(1, min(3, len(plain.split()) // 2)):
        return title
    return " ".join(word if word[:1].isdigit() else word[:1].upper() + word[1:] for word in plain.split())


@dataclass(frozen=True, slots=True)
class Said:
    """Words of a document, with the finding and the citation that hold them."""

    text: str
    doc: Doc
    finding: Any
    citation: Any

    @property
    def part(self) -> Any:
        return self.citation if self.citation is not None else self.finding


def codes(text: str) -> set[str]:
    found = {(match[1] or match[2]).lower() for match in _CODE.finditer(text)}
    return {code for code in found if not _YEAR.fullmatch(code)}


def pairs(text: str, *, capital: bool = True) -> set[str]:
    """Two words in a row that may be a name."""
    found = set()
    tokens = re.findall(r"[\w’'&-]+|[^\w\s]", text)
    for one, other in zip(tokens, tokens[1:], strict=False):  # noqa: RUF007
        if not (one[0].isalpha() and other[0].isalpha()) or (capital and not (one[0].isupper() and other[0].isupper())):
            continue
        a, b = re.sub(r"[’']s$", "", one.lower()), re.sub(r"[’']s$", "", other.lower())
        if (
            a not in _GENERIC
            and b not in _GENERIC
            and len(a) > 2
            and len(b) > 2
            and not (a in _OF_TITLES and b in _OF_TITLES)
        ):
            found.add(f"{a} {b}")
    return found


class Links:
    """The names and numbers of a case's documents, and which documents share them."""

    def __init__(self, case: Case) -> None:
        self.case = case
        self.labels: dict[str, frozenset[str]] = {}
        by: dict[str, set[str]] = defaultdict(set)
        self.by: dict[str, set[str]] = {}
        self.lines: dict[str, list[Said]] = {}
        for doc in case.ordered():
            label = f"{doc.title} | {stem(doc)} | " + " | ".join([*doc.names, *(str(p["name"]) for p in doc.parties)])
            keys = codes(label) | pairs(label, capital=False) | {w.lower() for w in _SINGLE.findall(label)}
            self.labels[doc.id] = frozenset(keys)
            self.lines[doc.id] = list(_lines(doc))
            for line in self.lines[doc.id]:
                keys = keys | self.of_text(line.text)
            for key in keys:
                by[key].add(doc.id)
        usual = {
            w for doc in self.lines.values() for line in doc for w in re.findall(r"(?<![\w.@])[a-z]{3,}\b", line.text)
        }
        by = {
            key: ids
            for key, ids in by.items()
            if " " not in key or not all(w in usual or w in _OF_TITLES for w in key.split())
        }
        own = pairs(case.target, capital=False) | pairs(case.buyer, capital=False)
        self.by = {key: ids for key, ids in by.items() if len(ids) <= MOST_SHARING and key not in own}

    @staticmethod
    def of_text(text: str) -> set[str]:
        return codes(text) | pairs(text) | {w.lower() for w in _SINGLE.findall(text)}

    def keys(self, *texts: str, doc: Doc | None = None) -> frozenset[str]:
        """The telling names in some words, and in what a document is called."""
        found = set().union(*(self.of_text(text) for text in texts)) if texts else set()
        if doc is not None:
            found |= self.labels.get(doc.id, frozenset())
        return frozenset(key for key in found if key in self.by)

    def related(self, keys: Iterable[str], *, but: Doc | None = None) -> list[Doc]:
        """The documents with one of the names, those that share most first."""
        count: dict[str, int] = defaultdict(int)
        for key in keys:
            for identity in self.by.get(key, ()):
                count[identity] += 1
        found = [self.case.docs[d] for d in count if d in self.case.docs and (but is None or d != but.id)]
        return sorted(found, key=lambda d: (-count[d.id], d.path))

    def said(self, docs: Iterable[Doc], pattern: str) -> Iterator[tuple[Said, re.Match[str]]]:
        """What documents say that a pattern finds, in order."""
        compiled = re.compile(pattern, _I)
        for doc in docs:
            for line in self.lines.get(doc.id, ()):
                if match := compiled.search(line.text):
                    yield line, match


def _lines(doc: Doc) -> Iterator[Said]:
    seen: set[str] = set()
    for finding in doc.findings:
        for citation in finding.citations[:30]:
            text = " ".join(citation.quote.split())
            if text not in seen:
                seen.add(text)
                yield Said(text, doc, finding, citation)


def links(case: Case) -> Links:
    """Made once for a case, and kept with it."""
    known: Links | None = vars(case).get("links")
    if known is None:
        known = vars(case)["links"] = Links(case)
    return known


# --- what undoes a point -----------------------------------------------------------------------------------------------------

RELIEF = (
    r"\bwaive[sd]?\b|\bwaiver of\b|\bgives? up\b|\breleases?\b[^.;]{0,60}\bfrom\b|\bconsents? to\b|\bapproves? (?:of )?(?:the|this|that)\b|\bjoins? in\b|\baccepts?\b|\baccepted\b|\bdeclines?\b|\bsettled\b|"
    r"\bstruck\b|\bdeleted\b|\bdissolved\b|\bcancelled\b|\bcured\b|\bno longer appl|\bexecutes this\b|\bsigned for\b|\bhereby (?:irrevocably )?(?:assigns?|transfers?|conveys?)\b|\bconveys?\b|\bextend(?:s|ed)?\b|"
    r"\bhas paid for\b|\bcommercial licen[cs]e\b|\bin place of the (?:a?gpl|copyleft|old)|\bperpetual licen[cs]e\b|\bprincipal register\b|\bnothing is claimed|\bmakes? no claim|\bwithdr(?:aws?|awn|ew)\b|\bdoes not apply\b|"
    r"\bcomes? with the business|\bwill not call\b|\boutside the (?:a?gpl)|\bin place of the old|\btakes? over\b[^.;]{0,40}\bguarant|\bexcept(?:ion|ed)\b|\bleft out\b|\bsave that\b|\bmakes? over\b|\btransfers? by this"
)
_OPEN = re.compile(r"\bdraft\b|\bform\b|\bunsigned\b|\bnot signed\b|\btemplate\b|\bproposed\b|\bblank\b", _I)


def in_hand(doc: Doc) -> bool:
    """Whether a paper counts as given: no draft, no form, nothing that says it is unsigned, no empty signature lines alone."""
    return not (doc.draft or doc.form or (doc.blank and not doc.signed) or _OPEN.search(doc.label))


def relief(case: Case, keys: Iterable[str], anchor: Doc, pattern: str = RELIEF) -> Said | None:
    """Words of another paper, or of the same after the clause, that take a point away."""
    known = links(case)
    for line, _ in known.said(known.related(keys, but=anchor), pattern):
        if in_hand(line.doc) and not re.search(
            r"\bif\b|\bunless\b|\bwould\b|\bshall not\b.{0,40}\bwithout\b|was asked for", line.text, _I
        ):
            return line
    return None


# --- sums --------------------------------------------------------------------------------------------------------------------

YEARLY = r"\b(?:a|per|each|every|in a|for each|for every|in every) (?:contract |calendar |fiscal )?(?:year|annum|twelve months)\b|\bannual\w*\b|\byearly\b|\bper annum\b|\btwelve months\b|\blast (?:one|year)\b|\bof sales\b|\ba year\b"
_PLAIN = re.compile(r"(?<![\w.,-])(\d{1,3}(?:,\d{3})+|\d{5,})(?![\w,-])")


def sums(text: str) -> list[float]:
    """The sums of money in some words; of a table's row also figures without a sign."""
    found = [amount for amount, _ in words.money(text)]
    if not found and " | " in text:
        found = [float(match[1].replace(",", "")) for match in _PLAIN.finditer(text)]
    return found


def yearly(case: Case, keys: Iterable[str], anchor: Doc) -> tuple[float, Any] | None:
    """What a contract is worth in a year, and where it is said: in itself first, then in papers of the same name."""
    known = links(case)
    best = None
    for doc in [anchor, *known.related(keys, but=anchor)]:
        for line, _ in known.said([doc], YEARLY):
            found = [amount for amount in sums(line.text) if amount >= 10_000]
            if found and (best is None or max(found) > best[0]):
                best = (max(found), line.part)
        if best is not None:
            return best
    known_year = case.annual(anchor)
    return (known_year[0], known_year[2]) if known_year else None


def named(case: Case, doc: Doc, *texts: str) -> str:
    """Whom or what an entry is about: what the document is called, and the other side where that does not name it."""
    title = called(doc)
    other = next(iter(case.others(doc)), "")
    short = re.sub(
        r",? (?:Inc|LLC|Ltd|Limited|Corp|Corporation|GmbH|AG|plc|Company|Co|B\.V|S\.A|LP|LLP)\.?$", "", other
    )
    return title if not short or short.lower() in title.lower() else f"{title} ({short})"


def counter(case: Case, doc: Doc) -> str:
    """The other side's name, without its legal form; else what follows the dash of a title, else what the document is called."""
    other = next((name for name in case.others(doc) if name), "")
    if other:
        return re.sub(
            r",? (?:Inc|LLC|Ltd|Limited|Corp|Corporation|GmbH|AG|plc|Company|Co|B\.V|S\.A|LP|LLP)\.?$", "", other
        )
    after = re.split(r" [-–—] ", called(doc))
    return after[-1] if len(after) > 1 else called(doc)


def issue(
    case: Case, kind: str, head: str, about: str, claim: str, parts: Iterable[Any], *, amount: float | None = None, formula: str = "", of: str = "", wanting: str = "",
    severity: str = "", step: str = "", protection: str = "", searched: str = "", evidence: str = "",
) -> Issue:  # fmt: skip
    """An entry with its subject in its heading, so that each sentence of it is read of that subject."""
    exposure: dict[str, Any] = {"not_quantified": wanting or "the documents read give no figure to compute from"}
    if amount:
        exposure = {"base": amount, "currency": case.currency, "of": of or f"{about}: {kind}", "formula": formula}
    return Issue(
        kind, f"{head}: {about}"[:200], claim, [p for p in parts if p is not None], severity=severity, exposure=exposure, next_step=step, protection=protection, searched=searched, evidence=evidence,
    )  # fmt: skip
