"""The case: all findings and facts of a room by document, who the target is, and what a contract is worth.

Standard library only. `check` functions are given one; they mark the findings that they used, so that what they say is not said twice.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import date
from functools import lru_cache
from typing import Any

from redwell.diligence.archetypes.families import CONTRACTS, PAPERS
from redwell.diligence.archetypes.words import show_money

SEVERITIES = ("Critical", "High", "Medium", "Low")
CRITICAL_SHARE, HIGH_SHARE = 0.02, 0.005
"""Of the price: what can reprice the deal, and what needs a protection of its own (the severity rule of due diligence practice)."""
CRITICAL_REVENUE, HIGH_REVENUE, MEDIUM_REVENUE = 20.0, 5.0, 1.0
"""Per cent of revenue, used where no price is known."""

LEAST_ANNUAL = 10_000.0
"""A smaller annual fee is a price per unit or seat, not what a contract is worth."""

_SUFFIXES = re.compile(
    r"[,.]|\b(?:inc|incorporated|llc|ltd|limited|corp|corporation|company|co|lp|llp|nv|bv|sa|sarl|sas|gmbh|ag|plc|pty|na|the|group|holdings?)\b"
    r"|\(.*?\)"
)


@lru_cache(maxsize=200_000)
def bare(name: str) -> str:
    """A name without its legal form, brackets, case and punctuation, for comparing."""
    text = re.sub(r"\b([a-z])\.(?=[a-z]\b\.?)", r"\1", name.casefold())
    return " ".join(_SUFFIXES.sub(" ", text).split())


@lru_cache(maxsize=500_000)
def alike(one: str, other: str) -> bool:
    """Whether two names are of the same party: equal when bared, or one begins the other with a telling word."""
    a, b = bare(one), bare(other)
    if not a or not b:
        return False
    short, long = sorted((a, b), key=len)
    return a == b or (len(short) >= 5 and (long + " ").startswith(short + " "))


def document_id(finding: Any) -> str:
    found = finding.document
    return str(getattr(found, "id", found) or "")


@dataclass(slots=True)
class Doc:
    """What the facts say of one document. `parties` are dicts with `name` and `aliases`."""

    id: str
    path: str = ""
    title: str = ""
    family: str = "other"
    date: str = ""
    draft: bool = False
    form: bool = False
    amendment: int = 0
    parties: list[dict[str, Any]] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    paths: tuple[str, ...] = ()
    sketch: frozenset[int] = frozenset()
    signed: int = 0
    blank: int = 0
    held: set[str] = field(default_factory=set)
    mentioned: dict[str, Any] = field(default_factory=dict)
    fact: Any = None
    signatures: list[Any] = field(default_factory=list)
    findings: list[Any] = field(default_factory=list)

    @property
    def name(self) -> str:
        return self.path.rsplit("/", 1)[-1] or self.id[:12]

    @property
    def label(self) -> str:
        """Title and path as words, for looking for what a document is called."""
        return f"{self.title} {re.sub(r'[-_./]+', ' ', self.path)}"

    @property
    def is_contract(self) -> bool:
        return self.family in CONTRACTS

    def party(self, alias: str) -> str:
        """The party that the document calls so, or an empty text."""
        wanted = re.sub(r"^(?:the|each|any|neither|either|no) ", "", alias.casefold()).strip()
        for party in self.parties:
            if wanted and any(wanted == name.casefold() for name in party["aliases"]):
                return str(party["name"])
        return next((str(p["name"]) for p in self.parties if wanted and alike(p["name"], alias)), "")


ALIKE = 0.8
"""Of the sampled phrases of two texts: from here on they are the same text."""
ALIKE_BY_NAME = 0.5
"""For files of the same name but for its ending, as the PDF and the text of one contract are."""

_COPY_WORDS = re.compile(
    r"\bcopy of\b|\bcopy\b|\(\d{1,2}\)|\b(?:signed|executed|final|scan|ocr|v\d{1,2})\b", re.IGNORECASE
)


def stem(path: str) -> str:
    """A file's name without its ending and without what tells one copy from another."""
    name = path.rsplit("/", 1)[-1].rsplit(".", 1)[0]
    return " ".join(re.findall(r"[^\W_]+", _COPY_WORDS.sub(" ", re.sub(r"[_-]+", " ", name)).casefold()))


def _made_by(doc: Doc) -> str:
    """A key that documents of the same kind between the same parties have in common."""
    return f"{doc.family}|" + "|".join(sorted(bare(str(party["name"])) for party in doc.parties))


def _points(doc: Doc) -> set[tuple[str, tuple[str, ...]]]:
    """What a document says that is reported, by kind and figures: one that says more than its twin is no copy of it."""
    return {
        (f.kind, tuple(re.findall(r"\d+", f.citations[0].quote)))
        for f in doc.findings
        if f.citations and not f.kind.startswith("fact:")
    }


def twins(one: Doc, other: Doc) -> bool:
    """Whether two documents are copies of one text. Forms filled in for different people are alike, too, so the files must have the same
    name or the same parties, and where both bear a date, the same."""
    if not one.sketch or not other.sketch or one.amendment != other.amendment:
        return False
    if one.date and other.date and one.date != other.date:
        return False
    lowest = sorted(one.sketch | other.sketch)[: max(len(one.sketch), len(other.sketch))]
    share = sum(each in one.sketch and each in other.sketch for each in lowest) / len(lowest)
    return share >= (ALIKE_BY_NAME if stem(one.path) == stem(other.path) else ALIKE)


class Case:
    """`findings` is every finding of the sub-agents; those whose quotes do not hold, or that have none, are left out, and so are `events`
    that stand in contracts. `deal` is the deal file as a dict."""

    def __init__(
        self, findings: Iterable[Any], deal: dict[str, Any] | None = None, events: frozenset[str] = frozenset()
    ) -> None:
        self.deal = deal or {}
        self.findings = [
            f for f in findings if all(c.holds for c in f.citations) and (f.citations or f.kind == "fact:document")
        ]
        self.kinds: dict[str, list[Any]] = defaultdict(list)
        self.docs: dict[str, Doc] = {}
        self.used: set[int] = set()
        self.assumptions: list[str] = []
        self.paths: set[str] = set()
        for finding in self.findings:
            self.kinds[finding.kind].append(finding)
            self._note(self.docs.setdefault(document_id(finding), Doc(document_id(finding))), finding)
        self.docs.pop("", None)
        self.copies: dict[str, list[Doc]] = {}
        self._leave_out_copies()
        for kind in events:
            self.kinds[kind] = [f for f in self.kinds[kind] if self.doc(f).family not in PAPERS]
        self.paths |= {doc.path for doc in self.docs.values()}
        self.currency: str = self.deal.get("currency") or self._currency()
        self.target: str = self.deal.get("target") or self._infer_target()
        self.buyer: str = self.deal.get("buyer") or ""
        self._others = {
            doc.id: [str(p["name"]) for p in doc.parties if not self.is_target(p["name"])] for doc in self.docs.values()
        }
        self._sorted = sorted(self.docs.values(), key=lambda d: d.path)
        self._rows: dict[str, Any] = {}
        self._shared: dict[frozenset[str], list[Doc]] = {}
        self._by_party: dict[str, list[Doc]] = defaultdict(list)
        for doc in self._sorted:
            for name in {bare(other) for other in self._others[doc.id]}:
                self._by_party[name].append(doc)
        self.as_of = self._as_of()
        self.revenue = self._revenue()

    def _leave_out_copies(self) -> None:
        """Of documents with nearly the same text one stays, so that nothing is counted twice; the others are in `copies` under its id."""
        kept: dict[str, list[Doc]] = defaultdict(list)
        gone: set[str] = set()
        for doc in sorted(self.docs.values(), key=lambda d: (d.draft, not d.signed, len(d.path), d.path)):
            first = next((other for other in kept[stem(doc.path)] if twins(other, doc)), None)
            if first is None and len(doc.parties) > 1 and doc.sketch:
                first = next((other for other in kept[_made_by(doc)] if twins(other, doc)), None)
            if first is not None and _points(doc) <= _points(first):
                self.copies.setdefault(first.id, []).append(doc)
                gone.add(doc.id)
                continue
            kept[stem(doc.path)].append(doc)
            kept[_made_by(doc)].append(doc)
        for identity in gone:
            self.paths.add(self.docs.pop(identity).path)
        if gone:
            self.findings = [f for f in self.findings if document_id(f) not in gone]
            for kind, found in self.kinds.items():
                self.kinds[kind] = [f for f in found if document_id(f) not in gone]

    def _note(self, doc: Doc, finding: Any) -> None:
        values = finding.values
        doc.findings.append(finding)
        doc.path = doc.path or str(getattr(finding.document, "path", "") or "")
        doc.paths = doc.paths or tuple(getattr(finding.document, "paths", ()) or ())
        match finding.kind:
            case "fact:document":
                doc.path, doc.title = doc.path or str(values.get("path", "")), str(values.get("title", ""))
                doc.sketch = frozenset(values.get("sketch") or ())
                doc.family, doc.date = str(values.get("family", "other")), str(values.get("date", ""))
                doc.draft, doc.form = bool(values.get("draft")), bool(values.get("form"))
                doc.amendment = int(values.get("amendment") or 0)
                doc.parties = [p for p in values.get("parties") or [] if isinstance(p, dict) and p.get("name")]
                doc.names = [str(name) for name in values.get("names") or ()]
                doc.fact = finding
            case "fact:signatures":
                doc.signed += int(values.get("signed") or 0)
                doc.blank += int(values.get("blank") or 0)
                doc.signatures.append(finding)
            case "fact:exhibits":
                doc.held |= set(values.get("held") or ())
                quotes = values.get("quotes") or {}
                for name in values.get("mentioned") or ():
                    number = quotes.get(name)
                    doc.mentioned[name] = (
                        finding.citations[number]
                        if isinstance(number, int) and number < len(finding.citations)
                        else None
                    )

    # --- the target, the day, the currency --------------------------------------------------------------------------------------

    def _infer_target(self) -> str:
        counts: Counter[str] = Counter()
        names: dict[str, str] = {}
        for doc in self.docs.values():
            for name in {bare(p["name"]): p["name"] for p in doc.parties}.values():
                counts[bare(name)] += 1
                names.setdefault(bare(name), name)
        total = sum(1 for doc in self.docs.values() if doc.parties)
        best = counts.most_common(2)
        if not best or best[0][1] < 2 or best[0][1] < 0.3 * total or (len(best) > 1 and best[0][1] == best[1][1]):
            self.assumptions.append(
                "The target could not be told from the documents (they name no one party often enough); name it in a deal file."
            )
            return ""
        self.assumptions.append(
            f"The target is taken to be {names[best[0][0]]}: it is a party to or named in {best[0][1]} of the {total} documents that name parties."
        )
        return names[best[0][0]]

    def _as_of(self) -> date | None:
        given = (self.deal.get("dates") or {}).get("as_of") or (self.deal.get("dates") or {}).get("signing")
        if given:
            return date.fromisoformat(str(given)[:10])
        found = sorted(doc.date for doc in self.docs.values() if doc.date and "1950" < doc.date < "2100")
        if not found:
            return None
        self.assumptions.append(f"Dates are reckoned as of {found[-1]}, the latest date that a document bears.")
        return date.fromisoformat(found[-1])

    def _currency(self) -> str:
        counts = Counter(str(f.values.get("currency")) for f in self.findings if f.values.get("currency"))
        return counts.most_common(1)[0][0] if counts else "USD"

    def is_target(self, name: str) -> bool:
        known = [self.target, *(self.deal.get("aliases") or [])]
        return bool(name) and any(alike(name, each) for each in known if each)

    def others(self, doc: Doc) -> list[str]:
        """The parties of a document that are not the target."""
        return self._others.get(doc.id, [])

    def with_same(self, doc: Doc) -> list[Doc]:
        """The other documents with one of its parties besides the target, by path."""
        return [
            other for other in self._sharing(frozenset(bare(name) for name in self.others(doc))) if other is not doc
        ]

    def _sharing(self, names: frozenset[str]) -> list[Doc]:
        if names not in self._shared:
            found = {d.id: d for name in names for d in self._by_party.get(name, ())}
            self._shared[names] = sorted(found.values(), key=lambda d: d.path)
        return self._shared[names]

    def counterparty(self, doc: Doc, finding: Any = None) -> str:
        """The other side: the one that a finding of the document gives its right to, where that is told, else the first named; of a letter,
        whoever wrote it."""
        named = (self.holder(finding) if finding is not None else "") or next(iter(self.others(doc)), "")
        if not named and doc.family in ("other", "payoff", "litigation"):
            named = next((name for name in doc.names if not self.is_target(name)), "")
        return named or doc.title or doc.name

    def holder(self, finding: Any) -> str:
        """The name of the party, not the target, that a clause's `holder` ("Customer", "Sanofi") means; empty when that cannot be told."""
        name = self.doc(finding).party(str(finding.values.get("holder") or ""))
        return "" if self.is_target(name) else name

    def bound_is_target(self, doc: Doc, who: str) -> bool | None:
        """Whether the words that a clause uses for a party mean the target; None when that cannot be told."""
        if not who:
            return None
        if re.search(r"(?:either|each|both|neither|no|any|the other|such) part|^parties$|hereto", who, re.IGNORECASE):
            return True
        name = doc.party(re.split(r" (?:and|or|nor) (?:its|any)", who)[0])
        if not name:
            return None
        if not self.target:
            return None
        return self.is_target(name)

    # --- what things are worth --------------------------------------------------------------------------------------------------

    def _revenue(self) -> list[Any]:
        """The `fact:revenue` rows of the document that has the most authority: a schedule before a deck, then the later one."""
        by_doc: dict[str, list[Any]] = defaultdict(list)
        for finding in self.kinds["fact:revenue"]:
            by_doc[document_id(finding)].append(finding)
        if not by_doc:
            return []
        order = sorted(
            by_doc,
            key=lambda d: (
                self.docs[d].family != "revenue",
                self.docs[d].family == "deck",
                -len(by_doc[d]),
                self.docs[d].path,
            ),
        )
        return sorted(by_doc[order[0]], key=lambda f: -float(f.values.get("share") or 0))

    def row_of(self, doc: Doc) -> Any | None:
        """The revenue row of the document's counterparty."""
        if doc.id not in self._rows:
            self._rows[doc.id] = self._find_row(doc)
        return self._rows[doc.id]

    def _find_row(self, doc: Doc) -> Any | None:
        for finding in self.revenue:
            if any(alike(name, str(finding.values.get("customer", ""))) for name in self.others(doc)):
                return finding
        return None

    def annual(self, doc: Doc) -> tuple[float, str, Any] | None:
        """(amount, what it is, the finding that says it) a year under the contract: its row in the revenue table, else its own annual fee."""
        row = self.row_of(doc)
        if row is not None:
            return (
                float(row.values["amount"]),
                f"{row.values.get('measure', 'annual revenue')} of {row.values['customer']}",
                row,
            )
        for finding in doc.findings:
            if (
                finding.kind == "fact:amount"
                and "annual" in str(finding.values.get("label", ""))
                and float(finding.values["amount"]) >= LEAST_ANNUAL
            ):
                return float(finding.values["amount"]), str(finding.values["label"]), finding
        return None

    def grade(self, amount: float | None = None, share: float | None = None, *, unknown: str = "Medium") -> str:
        """Severity by the rule: of the price 2 % Critical, 0.5 % High, above the materiality threshold Medium; without a price, of revenue."""
        price = float(self.deal.get("price") or 0)
        threshold = float(self.deal.get("materiality") or 0)
        if amount is not None and price > 0:
            if amount >= CRITICAL_SHARE * price:
                return "Critical"
            if amount >= HIGH_SHARE * price:
                return "High"
            return "Medium" if amount >= (threshold or 0.001 * price) else "Low"
        if share is None and amount is not None and self.revenue:
            share = 100 * amount / float(self.revenue[0].values["total"])
        if share is not None:
            for limit, severity in ((CRITICAL_REVENUE, "Critical"), (HIGH_REVENUE, "High"), (MEDIUM_REVENUE, "Medium")):
                if share >= limit:
                    return severity
            return "Low"
        if amount is not None and threshold:
            return "Medium" if amount >= threshold else "Low"
        return unknown

    def money(self, amount: float, currency: str = "") -> str:
        return show_money(amount, currency or self.currency)

    # --- using findings ---------------------------------------------------------------------------------------------------------

    def of(self, doc: Doc, *kinds: str) -> list[Any]:
        return [f for f in doc.findings if f.kind in kinds]

    def use(self, *findings: Any) -> None:
        self.used.update(id(f) for f in findings)

    def left(self, *kinds: str) -> Iterator[Any]:
        """Findings of these kinds that no check has used."""
        return (f for kind in kinds for f in self.kinds[kind] if id(f) not in self.used)

    def doc(self, finding: Any) -> Doc:
        return self.docs.get(document_id(finding)) or Doc(document_id(finding))

    def ordered(self) -> list[Doc]:
        return self._sorted

    def family(self, *families: str) -> list[Doc]:
        return [doc for doc in self.ordered() if doc.family in families]

    def current(self, doc: Doc) -> bool:
        """Whether the document counts as a term in force: not a draft of which a signed copy is here, and not a blank form."""
        return not doc.draft or not any(not other.draft and other.family == doc.family for other in self.with_same(doc))
