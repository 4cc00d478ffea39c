"""A matter: one subject (a bank, a plan, a site, a person) that several papers speak of, each with a part of the point. Standard library only.

A check finds the words that raise the matter (`anchor`), whom or what they are about, and what every other paper says of the same subject;
`work` then reckons with it. Words that take the point away (`clear`) end it.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from redwell.diligence.archetypes import words
from redwell.diligence.archetypes.base import Archetype, Issue, Values, unpointed
from redwell.diligence.archetypes.case import Case, Doc
from redwell.diligence.archetypes.links import _GENERIC, Links, Said, called, links, stem, sums

_I = re.IGNORECASE
MOST_SHARING = 14
"""Documents that a subject's word may stand in."""
_RUN = re.compile(
    r"[A-Z]{1,6}-?\d{3,}\w*(?:-\d+)?|[A-Z][\w’'&-]*\w(?: (?:of |for |and |& )?(?:[A-Z][\w’'&-]*\w|401\(k\)))*"
)
_WORD = re.compile(r"[A-Za-z][\w’'&-]*\w")
_WITHIN = re.compile(r"(?<=[a-z,(] )[A-Z][\w’'-]*\w(?: [A-Z][\w’'-]*\w)?|(?<=[a-z] )[A-Z][\w’'-]*\w")
"""A capital within a sentence: a name, where one at its beginning may be any word."""
_FORM_WORDS = re.compile(
    r"\b(?:Supplier|Customer|Manufacturer|Producer|Provider|Client|Distributor|Vendor|Principal|Trader|Service Provider|Buyer|Seller|either party|neither party|each party|the parties)\b[^;]{0,60}\b(?:shall|may|will|must|engages?|processes|handles|complains?)\b"
)
"""Terms of a form, which speak of whoever signs it: no matter of a named subject."""
_CODE = re.compile(r"\b[A-Z]{1,6}-?(?!(?:19|20)\d\d\b)\d{3,}\w*\b", _I)
_ORDINARY = (
    frozenset(
        (  # noqa: SIM905
            "company customer executive employee board bank change control code section agreement plan total january february "
            "march april may june july august september october november december monday tuesday wednesday thursday friday "
            "united states state federal inc llc corp corporation limited gmbh fiscal ebitda usd eur gbp form act court "
            "department revenue internal service management chief officer president vice senior director north south east "
            "west new schedule register letter note item amount sheet subject parent merger effective time net debt working "
            "capital cash quarter european union europe germany california insured policy named claims wrongful acts "
            "plaintiff fair labor standards contractor licensee lender borrower purchaser recipient attorney general summary "
            "report statement list log notice order analysis account accounts balance budget results model memorandum "
            "confidential information disclosure census insurance vendor master years invoices storage numbers papers "
            "locations count purchase sale sales bonuses plant halls works paper survey condition outlays commissions "
            "elections hotline crew closing entries treasury adjusted earnings tax taxable transfers requests access consumer "
            "open target freight work orders offer letters"
        ).split()
    )
    | _GENERIC
)
_PERCENT = re.compile(r"(\d{1,3}(?:\.\d+)?)\s?(?:%|per ?cent\b)", _I)
_SPELLED = re.compile(r"\b([a-z]+(?:-[a-z]+)?) per ?cent\b", _I)
_TIMES = re.compile(
    r"(\d{1,3}(?:\.\d+)?)\s?(?:x\b|times\b|turns\b|-fold)|\b(?:multiple of|worth|at) (\d{1,2}\.\d+)\b(?!\s?(?:%|per|million|billion))",
    _I,
)
_NOT = re.compile(
    r"\b(?:not|no|never|neither|nor|nobody|none|without|unless|if|until|refus\w+|denied|declin\w+|blank|draft)\b", _I
)


def percents(text: str) -> list[float]:
    """Rates as parts of one, in order."""
    found = [(m.start(), float(m[1])) for m in _PERCENT.finditer(text)]
    found += [
        (m.start(), float(number))
        for m in _SPELLED.finditer(text)
        if (number := words._NUMBERS.get(m[1].casefold())) is not None
    ]
    return [rate / 100 for _, rate in sorted(found)]


def times(text: str) -> float | None:
    """The multiple that is named ("12.5 times", "13.2x")."""
    match = _TIMES.search(text)
    return float(match[1] or match[2]) if match else None


def whole(text: str) -> list[int]:
    """Counts in the text: whole numbers that are no year, sum, share or part of a code."""
    bare = words.MONEY.sub(" ", words._DATE.sub(" ", text))
    found = re.findall(r"(?<![\w.,$€£%-])(\d{1,3}(?:,\d{3})+|\d+)(?![\w%]|[.,]\d|-\w| ?per ?cent)", bare)
    return [int(each.replace(",", "")) for each in found if not re.fullmatch(r"(?:19|20)\d\d", each)]


def years(text: str) -> list[int]:
    return [int(each) for each in re.findall(r"(?<![\d,.-])((?:19|20)\d\d)(?!\d|,\d|\.\d)", text)]


def titled(line: Said) -> bool:
    """Whether a line is only what its document is called: a short paper may begin with a sentence that says more."""
    return line.finding.kind == "fact:document" and not line.text.endswith((".", ";", "!", "?"))


class Subjects:
    """Which words are names in a case, and in which documents they stand."""

    def __init__(self, case: Case) -> None:
        known: Links = links(case)
        self.lines = known.lines
        plain: Counter[str] = Counter()
        proper: dict[str, set[str]] = defaultdict(set)
        self.within: set[str] = set()
        before: dict[str, set[str]] = defaultdict(set)
        first: Counter[str] = Counter()
        for identity, lines in self.lines.items():
            for line in lines:
                prose = " | " not in line.text and not line.text.isupper() and not titled(line)
                for run in _RUN.findall(line.text) if prose else ():
                    row = run.casefold().split()
                    first[row[0]] += 1
                    for one, two in zip(row, row[1:], strict=False):  # noqa: RUF007  # itertools is not in the sandbox
                        before[two].add(one)
                if not titled(line):
                    self.within |= {
                        re.sub(r"[’']s$", "", w) for run in _WITHIN.findall(line.text) for w in run.casefold().split()
                    }
                for word in _WORD.findall(line.text):
                    low = re.sub(r"[’']s$", "", word.casefold())
                    if word[0].islower():
                        plain[low] += 1
                    else:
                        proper[low].add(identity)
                for code in _CODE.findall(line.text):
                    proper[code.casefold()].add(identity)
        own = set(_WORD.findall(f"{case.target} {case.buyer}".casefold()))
        self.labels: dict[str, set[str]] = {}
        names = {
            w
            for w in proper
            if w not in _ORDINARY
            and w not in own
            and len(w) > 2
            and not plain[w]
            and not re.fullmatch(r"(?:fy|q\d|h\d)[\d-]*", w)
        }
        for doc in case.ordered():
            label = set(_WORD.findall(f"{stem(doc)} {doc.title}".casefold())) | {
                c.casefold() for c in _CODE.findall(f"{doc.name} {doc.title}")
            }
            self.labels[doc.id] = (label & names) | {
                w for w in label if any(c.isdigit() for c in w) and not re.fullmatch(r"(?:fy|q\d|h\d)[\d-]*", w)
            }
            for word in self.labels[doc.id]:
                proper[word].add(doc.id)
        names |= {w for label in self.labels.values() for w in label}
        # "Bank", "Outfitters": what follows several names and begins none tells one company from no other
        names -= {w for w in names if len(before[w]) > 2 or (len(before[w]) > 1 and not first[w])}
        self.by = {w: proper[w] for w in names if 0 < len(proper[w]) <= MOST_SHARING}
        self.every = proper

    def keys(self, run: str) -> list[str]:
        found = [w.casefold() for w in _WORD.findall(run)] + [c.casefold() for c in _CODE.findall(run)]
        return [w for w in (re.sub(r"[’']s$", "", each) for each in found) if w in self.by]

    def key(self, run: str) -> str:
        """The word that tells most: the one in the fewest documents, of those in more than one."""
        found = self.keys(run)
        found = [w for w in found if w in self.within or any(c.isdigit() for c in w)] or found
        shared = [w for w in found if len(self.by[w]) > 1]
        return min(shared or found[-1:], key=lambda w: len(self.by[w]), default="")

    def subject(self, line: Said, prefer: str = "") -> tuple[str, str]:
        """(name, key) of whom a line is about: of the names in it and in its document's title the one that most papers share."""
        best: tuple[tuple[float, ...], str, str] = ((-1.0,), "", "")
        label = self.labels.get(line.doc.id, set())
        text = line.text
        for number, source in enumerate((text, called(line.doc), " ".join(_CODE.findall(line.doc.name)).upper())):
            for match in _RUN.finditer(source):
                run = match[0]
                at = 0
                pieces = run.split(" ")
                while at < len(pieces) and (pieces[at].casefold() not in self.by):
                    at += 1  # "Of Lynsted Commercial Bank" begins where the name does
                end = len(pieces)
                while end > at and pieces[end - 1].casefold() in ("of", "for", "and", "&", "on", "at"):
                    end -= 1
                run = " ".join(pieces[at:end])
                key = self.key(run)
                if not key:
                    continue
                liked = bool(prefer and re.search(prefer, run, _I))
                score = (
                    float(liked),
                    float(key in self.within or any(c.isdigit() for c in key)),
                    float(key in label),
                    float(min(len(self.by[key]), 3)),
                    float(-number),
                    float(len(run.split())),
                )
                if score > best[0]:
                    best = (score, run, key)
        return best[1], best[2]


def subjects(case: Case) -> Subjects:
    """Made once for a case, and kept with it."""
    known: Subjects | None = vars(case).get("subjects")
    if known is None:
        known = vars(case)["subjects"] = Subjects(case)
    return known


@dataclass(slots=True)
class Thread:
    """What the papers say of one subject. `lines` begins with the anchor."""

    case: Case
    subject: str
    key: str
    anchor: Said
    lines: list[Said]

    def all(self, pattern: str, *, label: str = "", but: Iterable[Said] = ()) -> list[Said]:
        gone = {id(each) for each in but}
        return [
            line for line in self.lines
            if id(line) not in gone and re.search(pattern, unpointed(line.text), _I) and (not label or re.search(label, line.doc.label, _I))
        ]  # fmt: skip

    def one(self, pattern: str, *, label: str = "", but: Iterable[Said] = ()) -> Said | None:
        return next(iter(self.all(pattern, label=label, but=but)), None)

    def elsewhere(self, pattern: str) -> Said | None:
        return next((line for line in self.all(pattern) if line.doc.id != self.anchor.doc.id), None)

    def money(self, amount: float) -> str:
        return self.case.money(amount)


@dataclass(slots=True)
class Told:
    """What `work` returns: sentences of the claim, what they rest on, and the sum with how it is reckoned."""

    claim: list[str]
    parts: list[Said]
    amount: float | None = None
    formula: str = ""
    subject: str = ""


@dataclass(frozen=True, slots=True)
class Matter:
    """`step` and `protection` speak of the subject as `{s}`."""

    archetype: Archetype
    anchor: str
    work: Callable[[Thread], Told | None]
    clear: str = ""
    label: str = ""
    prefer: str = ""
    absent: str = ""
    triggers: tuple[str, ...] = ()
    named: bool = False
    """The words themselves must name the subject: what a form says of whoever is the customer is no matter."""
    same: tuple[str, ...] = ()
    """Direct kinds that would say the same of the same papers once more."""


def quoted(line: Said) -> str:
    text = line.text if len(line.text) <= 420 else line.text[: line.text.rfind(" ", 0, 420)] + " …"
    return f"{called(line.doc)} says: “{text}”"


def cleared(thread: Thread, pattern: str) -> bool:
    """Whether a paper takes the point away; words that only deny, ask or propose that do not count."""
    for line in thread.all(pattern):
        match = re.search(pattern, unpointed(line.text), _I)
        if (
            match
            and not re.search(r"\bin writing\b|valid only|only when given", line.text, _I)
            and not _NOT.search(line.text[max(0, match.start() - 45) : match.start()])
            and not re.search(r"\b(?:unsigned|draft|form of)\b", line.doc.label, _I)
        ):
            return True
    return False


def thread_of(case: Case, line: Said, prefer: str = "") -> Thread | None:
    known = subjects(case)
    name, key = known.subject(line, prefer)
    if not key:
        return None
    found = [line]
    numbers = {w for w in known.labels.get(line.doc.id, set()) if any(c.isdigit() for c in w) and len(w) > 4}
    numbers |= {code.casefold() for code in _CODE.findall(line.text)}
    linked = set(known.by[key]) | {d for w in numbers for d in known.by.get(w, ())}
    for identity in sorted(linked, key=lambda d: case.docs[d].path if d in case.docs else d):
        if identity not in case.docs:
            continue
        if identity not in known.by[key]:
            found += [each for each in known.lines.get(identity, []) if each is not line]
            continue
        labelled = key in known.labels.get(identity, set())
        lines = known.lines.get(identity, [])
        short = any(f.kind == "fact:note" for f in case.docs[identity].findings)
        mine = labelled or (
            short and not any(len(known.by.get(w, ())) > 1 for w in known.labels.get(identity, set()) if w != key)
        )
        found += [
            each
            for each in lines
            if each is not line
            and not titled(each)
            and ((mine and (labelled or " | " not in each.text)) or re.search(rf"\b{re.escape(key)}\b", each.text, _I))
        ]
    return Thread(case, name, key, line, found)


def over(case: Case) -> set[str]:
    """The subjects of which a paper took a matter away, and the words that had raised it."""
    known: set[str] = vars(case).setdefault("over", set())
    return known


def check(matter: Matter) -> Callable[[Case], Iterator[Issue]]:
    """The archetype's check: an issue for each subject of which the matter holds."""

    def run(case: Case) -> Iterator[Issue]:
        seen: set[str] = set()
        anchor = re.compile(matter.anchor, _I)
        for doc in case.ordered():
            if matter.label and not re.search(matter.label, doc.label, _I):
                continue
            for line in links(case).lines.get(doc.id, ()):
                low = line.text.casefold()
                if (
                    titled(line)
                    or not any(trigger in low for trigger in matter.triggers)
                    or not anchor.search(unpointed(line.text))
                ):
                    continue
                thread = thread_of(case, line, matter.prefer)
                if thread is None or thread.key in seen or (matter.named and thread.key not in low):
                    continue
                if matter.clear and cleared(thread, matter.clear):
                    over(case).update((thread.key, line.text))
                    continue
                told = matter.work(thread)
                if told is not None:
                    seen.add(thread.key)
                    yield _issue(matter, thread, told)

    return run


def _issue(matter: Matter, thread: Thread, told: Told) -> Issue:
    kind, case = matter.archetype, thread.case
    name = told.subject or thread.subject
    claim = " ".join(told.claim)
    if matter.absent:
        claim += f" No {matter.absent.format(s=name)} was found in the data room; it is missing."
    exposure: Values = {"not_quantified": f"the papers on {name} give no figure to compute from"}
    if told.amount:
        exposure = {
            "base": round(told.amount, 2),
            "currency": case.currency,
            "of": f"{name}: {kind.id.replace('_', ' ')}",
            "formula": told.formula,
        }
        claim += f" The amount at stake for {name} is {case.money(round(told.amount, 2))}: {told.formula}."
    parts: list[Any] = []
    for line in told.parts:
        if line is not None and line.part not in parts:
            parts.append(line.part)
    _use(case, {line.doc.id: line.doc for line in told.parts}, kind.id, *matter.same)
    several = len({line.doc.id for line in told.parts}) > 1
    evidence = "absence" if matter.absent else "cross-document" if several else "computed" if told.amount else "direct"
    return Issue(
        kind.id, f"{kind.title}: {name}"[:200], claim, parts, exposure=exposure,
        severity=case.grade(told.amount, unknown=kind.severity) if told.amount else kind.severity,
        searched=f"{len(case.docs)} documents for {matter.absent.format(s=name) or f'papers on {name}'}",
        next_step=kind.next_step.replace("{s}", name), protection=kind.protection, evidence=evidence,
    )  # fmt: skip


def _use(case: Case, docs: dict[str, Doc], *kinds: str) -> None:
    """Direct findings of the same kind in these papers would say the same once more."""
    for doc in docs.values():
        case.use(*case.of(doc, *kinds))


def listed(matters: Iterable[Matter]) -> tuple[Archetype, ...]:
    """The archetypes of the matters, each with its check."""
    return tuple(replace(matter.archetype, check=check(matter)) for matter in matters)


def total(lines: Iterable[Said]) -> float:
    """The sum of the largest figure of each line."""
    return sum(max(found) for line in lines if (found := sums(line.text)))


def first_date(text: str) -> date | None:
    return next(iter(words.dates(text)), None)


__all__ = [
    "Matter",
    "Said",
    "Thread",
    "Told",
    "check",
    "first_date",
    "listed",
    "over",
    "percents",
    "quoted",
    "sums",
    "times",
    "total",
    "whole",
    "years",
]
