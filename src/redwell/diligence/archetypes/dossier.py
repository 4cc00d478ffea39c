"""A dossier: all papers on one subject taken together, and what kind of matter they make, told by concepts and not by sentences.

A lawyer lays the papers on one counterparty, person, site or number side by side and asks what they are about. So does this: each subject that
files are called after is a thread, each kind of matter has signs (concepts that stand together in one sentence or row), and the kind of
which most is there is the matter, unless a paper in hand takes it away or a check of its own has spoken of the subject. Standard library only.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from redwell.diligence.archetypes.base import Archetype, Issue, Values, unpointed
from redwell.diligence.archetypes.case import Case, Doc
from redwell.diligence.archetypes.lexicon import concept, holds
from redwell.diligence.archetypes.links import Said, called, in_hand, links, sums
from redwell.diligence.archetypes.matters import Subjects, Thread, over, quoted, subjects, titled

_I = re.IGNORECASE
MOST_PAPERS = 8
"""Papers called after one subject; who is in more of them is no subject but a part of the company."""
MOST_QUOTED = 4
COMMON = 5
"""Subjects in whose papers a sentence of one shape stands before it is taken for running text: what is said of everybody is no matter of one."""
OF_A_KIND = 5
SHORTEST, LONGEST = 12, 600  # characters of a line that is taken from the room
_SENTENCE = re.compile(r"(?<=[a-z)][.;]) +(?=[A-Z“])")
_RUN = re.compile(r"[A-Z][\w’'&-]*\w(?: (?:of |for |and |& )?[A-Z][\w’'&-]*\w)*")

Naming = Callable[[list[str]], Iterable[tuple[str, str]]]
"""(document id, line) of every line of the room in which one of some words stands."""
Reckoned = tuple[float, str]
Reckon = Callable[[Thread, list[Said]], Reckoned | None]


@dataclass(frozen=True, slots=True)
class Dossier:
    """One kind of matter. `signs`: the first must hold in one line, which is quoted first; each other in some line of the thread; one that
    begins with `?` adds to the weight only. `claim` and `step` speak of the subject as `{s}`. `papers`: words that one of the papers must
    be called by (its name or folder), needed where they begin with `!`. `clear`: a sign that takes the matter away where it holds in a paper in hand. `absent`: what was looked for."""

    kind: str
    number: int
    workstream: str
    title: str
    signs: tuple[str, ...]
    claim: tuple[str, ...]
    step: str
    protection: str
    absent: str = ""
    papers: str = ""
    clear: str = "resolved"
    reckon: Reckon | None = None
    severity: str = "High"
    computed: bool = False
    """Whether the kind is told only where its sum can be reckoned, which is what bears it out."""


def archetype(dossier: Dossier) -> Archetype:
    """The archetype of a kind that no other module has."""
    return Archetype(
        id=dossier.kind, number=dossier.number, workstream=dossier.workstream, title=dossier.title, evidence="cross-document", severity=dossier.severity,
        why="The buyer takes it over with the company.", next_step=dossier.step.replace("{s}", "the other side"), protection=dossier.protection,
    )  # fmt: skip


# --- threads -----------------------------------------------------------------------------------------------------------------


OPENING, MOST_POINTS = 3, 9
_FIGURE = re.compile(
    r"[$€£] ?\d|\b(?:USD|EUR|GBP) ?\d|\b\d{1,3}(?:,\d{3})+\b|\b(?:19|20)\d\d-\d\d-\d\d\b|\b[A-Z][a-z]{2,8} \d{1,2}, (?:19|20)\d\d\b"
)
_HEAD = re.compile(r"(?:From|To|Cc|Bcc|Date|Sent|Re):\s|Dear ", _I)


def points(text: str) -> list[str]:
    """What a paper comes to: the lines that it begins with, and those with a sum or a date."""
    found: list[str] = []
    for line in text.split("\n"):
        line = line.strip()
        said = len(line) >= 40 and line[0] != "#" and not _HEAD.match(line)
        if line and ((said and len(found) < OPENING) or (len(line) >= SHORTEST and _FIGURE.search(line))):
            found.append(line)
        if len(found) >= MOST_POINTS:
            break
    return found


@dataclass(frozen=True, slots=True)
class _Named:
    """In the place of a finding: a line that names a subject, in a paper that is not called after it."""

    kind: str = "fact:named"
    citations: tuple[object, ...] = ()


def _mentions(case: Case, naming: Naming | None, by: dict[str, list[Doc]]) -> dict[str, list[Said]]:
    """By key, the lines of the room that name it."""
    keys = [key for key, docs in by.items() if len(docs) <= MOST_PAPERS]
    if naming is None or not keys:
        return {}
    each = re.compile("|".join(rf"\b{re.escape(key)}\b" for key in sorted(keys, key=len, reverse=True)), _I)
    found: dict[str, list[Said]] = defaultdict(list)
    labels: dict[str, set[str]] = defaultdict(set)
    for key in keys:
        for doc in by[key]:
            labels[doc.id].add(key)
    for identity, raw in naming(keys):
        if (where := case.docs.get(identity)) is None:
            continue
        doc = where
        for text in _SENTENCE.split(" ".join(raw.split())) if " | " not in raw else [" ".join(raw.split())]:
            if SHORTEST <= len(text) <= LONGEST:
                for key in {match[0].casefold() for match in each.finditer(text)} | labels.get(identity, set()):
                    found[key].append(Said(text, doc, _Named(), (identity, text)))
    return {
        key: lines
        for key, lines in found.items()
        if len({line.doc.id for line in lines} - {doc.id for doc in by[key]}) <= MOST_PAPERS
    }


def threads(case: Case, naming: Naming | None = None) -> Iterator[Thread]:
    """One for each subject that papers are called after, the anchor being its first line. `naming` looks for a subject in the whole room."""
    known = subjects(case)
    by: dict[str, list[Doc]] = defaultdict(list)
    for doc in case.ordered():
        keys = [
            key
            for key in known.labels.get(doc.id, ())
            if key in known.by and (len(key) > 3 or any(ch.isdigit() for ch in key))
        ]
        for key in [key for key in keys if key in known.within or any(ch.isdigit() for ch in key)] or keys:
            by[key].append(doc)
    mentions = _mentions(case, naming, by)
    common = _common(
        (key, line.text) for key, docs in by.items() for doc in docs for line in known.lines.get(doc.id, ())
    )
    seen: set[frozenset[str]] = set()
    order = sorted(by, key=lambda key: (-len(by[key]), len(known.every.get(key, ())), key not in known.within, key))
    for key in order:
        docs = by[key]
        same = frozenset(doc.id for doc in docs)
        if len(docs) > MOST_PAPERS or same in seen or any(same < other for other in seen):
            continue
        seen.add(same)
        lines = [line for doc in docs for line in known.lines.get(doc.id, ()) if not titled(line)]
        wanted = re.compile(rf"\b{re.escape(key)}\b", _I)
        for identity in sorted(known.every.get(key, ()), key=lambda d: case.docs[d].path if d in case.docs else d):
            if identity not in same:
                lines += [
                    each for each in known.lines.get(identity, ()) if not titled(each) and wanted.search(each.text)
                ]
        lines += mentions.get(key, ())
        lines = list({(line.doc.id, line.text.casefold()): line for line in reversed(lines)}.values())[::-1]
        lines = [line for line in lines if _shape(line.text) not in common]
        if lines:
            yield Thread(case, _name(known, key, docs, lines), key, lines[0], lines)


_MASKED = re.compile(r"[A-Z$€£][\w’'&.,-]*|\d[\d,.]*")


def _shape(text: str) -> str:
    """A line without its names, figures and number in front."""
    return " ".join(re.sub(r"[^a-z ]+", " ", _MASKED.sub(" ", re.sub(r"^\(?\w{1,4}[.)] ", "", text))).split())


def _common(lines: Iterable[tuple[str, str]]) -> set[str]:
    """The shapes of lines that stand in the papers of `COMMON` subjects or more, from (subject, line)."""
    whose: dict[str, set[str]] = defaultdict(set)
    for subject, text in lines:
        shape = _shape(text)
        if len(whose[shape]) < COMMON:
            whose[shape].add(subject)
    return {shape for shape, some in whose.items() if shape and len(some) >= COMMON}


def _name(known: Subjects, key: str, docs: Iterable[Doc], lines: Iterable[Said]) -> str:
    """What the subject is called most often."""
    counts: Counter[str] = Counter()
    for text in [*(called(doc) for doc in docs), *(line.text for line in lines)]:
        for run in _RUN.findall(text):
            words = run.split(" ")
            if key not in [re.sub(r"[’']s$", "", w.casefold()) for w in words]:
                continue
            at = next(n for n, w in enumerate(words) if re.sub(r"[’']s$", "", w.casefold()) == key)
            start = end = at
            while start > 0 and words[start - 1].casefold() in known.by:
                start -= 1
            while end + 1 < len(words) and words[end + 1][:1].isupper() and end - at < 2:
                end += 1
            counts[re.sub(r"[’']s$", "", " ".join(words[start : end + 1]))] += 1
    if any(ch.isdigit() for ch in key):
        return key.upper()
    return max(counts, key=lambda name: (counts[name], len(name)), default=key.title())


# --- which kind ----------------------------------------------------------------------------------------------------------------


def _weigh(dossier: Dossier, thread: Thread, text: dict[int, str]) -> tuple[int, list[Said]] | None:
    """(weight, lines that hold the signs) when all that is needed is there."""
    weight, found = 0, []
    if dossier.papers:
        called_so = _papers(dossier.papers.lstrip("!"), thread)
        if not called_so and dossier.papers[0] == "!":
            return None
        weight = 2 * called_so
    for place, sign in enumerate(dossier.signs):
        bare = sign.lstrip("?")
        if place == 0 and dossier.clear:  # words that take a matter away do not raise it
            over = concept(dossier.clear)
            line = next(
                (each for each in thread.lines if holds(bare, text[id(each)]) and not over.search(text[id(each)])), None
            )
            if line is None:
                return None
        else:
            line = next((each for each in thread.lines if each not in found and holds(bare, text[id(each)])), None)
        line = line or next((each for each in thread.lines if holds(bare, text[id(each)])), None)
        if line is None:
            if sign[0] != "?":
                return None
            continue
        weight += len([name for name in bare.split() if name[0] != "!"])
        if line not in found:
            found.append(line)
    return weight, found


def _papers(pattern: str, thread: Thread) -> bool:
    docs = {line.doc.id: line.doc for line in thread.lines}
    return any(re.search(pattern, doc.label, _I) for doc in docs.values() if doc.id)


def cleared(dossier: Dossier, thread: Thread, found: list[Said], text: dict[int, str]) -> bool:
    """Whether a paper in hand says that the matter is over: in the words for this kind, or, where the paper bears no sign of it, in those for
    any. What is denied, asked for or only proposed does not count."""
    if not dossier.clear:
        return False
    bearing = {line.doc.id for line in found}
    known = subjects(thread.case)
    for line in thread.lines:
        if line is found[0] or not in_hand(line.doc):
            continue
        own = line.doc.id not in bearing and thread.key in known.labels.get(line.doc.id, ())
        for name in (dossier.clear, "resolved") if own else (dossier.clear,):
            for match in concept(name).finditer(text[id(line)]):
                before = re.split(r"[;.:|]", text[id(line)][: match.start()])[-1]
                if not concept("open").search(before[-70:]):
                    return True
    return False


def issues(
    case: Case,
    dossiers: Iterable[Dossier],
    told: Iterable[Issue],
    numbers: dict[str, int],
    naming: Naming | None = None,
) -> Iterator[Issue]:
    """The matters of subjects of which no other check has spoken. `numbers` are those of all archetypes: in a contract whose parties are
    known, rules that know who is bound have spoken of a clause, and what they leave out is none. A kind of which there are more than `OF_A_KIND` is left
    out: its signs are then the everyday words of this room."""
    found = list(_each(case, dossiers, told, numbers, naming))
    times = Counter(issue.kind for issue in found)
    yield from (issue for issue in found if times[issue.kind] <= OF_A_KIND)


def _each(
    case: Case, dossiers: Iterable[Dossier], told: Iterable[Issue], numbers: dict[str, int], naming: Naming | None
) -> Iterator[Issue]:
    used = {" ".join(cited.quote.split()) for f in case.findings if id(f) in case.used for cited in f.citations}
    dossiers = tuple(dossiers)
    spoken = " . ".join(issue.title for issue in told).casefold()
    for thread in threads(case, naming):
        if re.search(rf"\b{re.escape(thread.key)}\b", spoken) or thread.key in over(case):
            continue
        text = {id(line): unpointed(line.text) for line in thread.lines}
        weighed = [
            (held[0], -place, dossier, held[1])
            for place, dossier in enumerate(dossiers)
            if (held := _weigh(dossier, thread, text)) is not None
        ]
        for _, _, dossier, found in sorted(weighed, key=lambda each: each[:2], reverse=True):
            reckoned = dossier.reckon(thread, found) if dossier.reckon else None
            if dossier.computed and reckoned is None:
                continue
            if found[0].text in used or found[0].text in over(case) or _judged(case, dossier, found, numbers):
                break
            if not cleared(dossier, thread, found, text):
                yield _issue(dossier, thread, found, reckoned)
            break


def _judged(case: Case, dossier: Dossier, found: list[Said], numbers: dict[str, int]) -> bool:
    """Whether a clause of this kind stands in a contract between parties that are known."""
    for doc in {line.doc.id: line.doc for line in found}.values():
        if len(doc.parties) > 1 and any(
            numbers.get(f.kind) == dossier.number or f.kind.startswith(dossier.kind[:17]) for f in doc.findings
        ):
            return True
    return False


def _issue(dossier: Dossier, thread: Thread, found: list[Said], reckoned: Reckoned | None) -> Issue:
    case, s = thread.case, thread.subject
    known, there = subjects(case), {each.doc.id for each in found}
    own = [
        line
        for line in thread.lines
        if line not in found
        and (thread.key in known.labels.get(line.doc.id, ()) or line.doc.family == "disclosure_schedule")
    ]
    more = list({line.doc.id: line for line in reversed(own) if line.doc.id not in there}.values())
    more += [line for line in own if line not in more and sums(line.text)]
    parts = [*found, *more][:MOST_QUOTED]
    claim = [quoted(line) for line in parts]
    claim += [said.replace("{s}", s) for said in dossier.claim]
    if dossier.absent:
        claim.append(
            f"{dossier.absent.replace('{s}', s)[:1].upper()}{dossier.absent.replace('{s}', s)[1:]} is missing: none was found in the data room."
        )
    exposure: Values = {"not_quantified": f"the papers on {s} give no figure to compute from"}
    amount = 0.0
    if reckoned is not None and reckoned[0] > 0:
        amount = reckoned[0]
        claim.append(f"The amount at stake for {s} is {case.money(round(amount, 2))}: {reckoned[1]}.")
        exposure = {
            "base": round(amount, 2),
            "currency": case.currency,
            "of": f"{s}: {dossier.kind.replace('_', ' ')}",
            "formula": reckoned[1],
        }
    several = len({line.doc.id for line in parts}) > 1
    return Issue(
        dossier.kind, f"{dossier.title}: {s}"[:200], " ".join(claim), [line.part for line in parts], workstream=dossier.workstream,
        severity=case.grade(amount, unknown=dossier.severity) if amount else dossier.severity, exposure=exposure, next_step=dossier.step.replace("{s}", s), protection=dossier.protection,
        searched=f"{len(case.docs)} documents for {dossier.absent.replace('{s}', s) or f'papers on {s}'}", evidence="absence" if dossier.absent else "cross-document" if several else "direct",
    )  # fmt: skip


# --- sums ------------------------------------------------------------------------------------------------------------------------

_COUNT = re.compile(r"(?<![\w.,$€£-])(\d{1,3}(?:,\d{3})+|\d{4,})(?![\w,%]|\.\d)")


def counts(text: str) -> list[float]:
    """Numbers of shares or units: not sums, years or codes."""
    bare = re.sub(r"[$€£] ?[\d,.]+|\b(?:USD|EUR|GBP) ?[\d,.]+|\b(?:19|20)\d\d-\d\d-\d\d\b", " ", text)
    return [float(m.replace(",", "")) for m in _COUNT.findall(bare) if not re.fullmatch(r"(?:19|20)\d\d", m)]


def price_of_share(case: Case) -> float:
    """What a share fetches in the deal, 0 where no paper says."""
    per = re.compile(
        r"[$€£] ?(\d+(?:\.\d+)?)\b(?: in cash)?,? (?:per|a|for each|each|for every) share|(?:each|per|every) share[^.;|]{0,80}?[$€£] ?(\d+(?:\.\d+)?)\b",
        _I,
    )
    for doc in [*case.family("merger"), *case.ordered()]:
        for line in links(case).lines.get(doc.id, ()):
            if (match := per.search(line.text)) and (
                doc.family == "merger" or re.search(r"merger|offer|closing|deal|consideration|buyer", line.text, _I)
            ):
                return float(match[1] or match[2])
    return 0.0


def _sum_of(line: Said) -> float:
    return max(sums(line.text), default=0.0)


def largest(thread: Thread, found: list[Said]) -> Reckoned | None:
    """The largest sum that the papers name, first of those with signs."""
    for lines in (found, thread.lines):
        best = max((_sum_of(line) for line in lines), default=0.0)
        if best >= 1_000:
            return best, "the sum that the papers name"
    return None


def yearly(thread: Thread, found: list[Said]) -> Reckoned | None:
    """The sum of a year."""
    of_year = [line for line in thread.lines if concept("year").search(line.text) and _sum_of(line) >= 10_000]
    if of_year:
        return max(map(_sum_of, of_year)), "one year of the contract"
    return largest(thread, found)


def all_sums(thread: Thread, found: list[Said]) -> Reckoned | None:
    """The sums of the line that has most of them, together."""
    best = max(thread.lines, key=lambda line: (len(sums(line.text)), _sum_of(line)), default=None)
    figures = sums(best.text) if best is not None else []
    return (sum(figures), " + ".join(f"{each:,.0f}" for each in figures)) if figures else None


def gap(thread: Thread, found: list[Said]) -> Reckoned | None:
    """The difference of the two largest sums."""
    figures = sorted({figure for line in thread.lines for figure in sums(line.text) if figure >= 1_000}, reverse=True)
    return (
        (figures[0] - figures[1], f"{figures[0]:,.0f} less {figures[1]:,.0f}")
        if len(figures) > 1
        else largest(thread, found)
    )


def stake_at_price(thread: Thread, found: list[Said]) -> Reckoned | None:
    """Shares at the price that the papers or the deal name."""
    own = next(
        (
            each
            for line in found
            for each in sums(line.text)
            if each < 1_000 and re.search(r"a share|per share|each|apiece", line.text, _I)
        ),
        0.0,
    )
    price = own or price_of_share(thread.case)
    held = max(
        (
            n
            for line in [*found, *thread.lines]
            for n in counts(line.text)
            if concept("shares").search(f"{line.text} {line.doc.label}")
        ),
        default=0.0,
    )
    return (held * price, f"{held:,.0f} shares at {price:,.2f}") if held and price else None


def kind_of(
    kind: str, number: int, workstream: str, title: str, signs: tuple[str, ...], claim: tuple[str, ...], step: str, protection: str,
    absent: str = "", papers: str = "", reckon: Reckon | None = None, *, clear: str = "resolved", computed: bool = False, severity: str = "High",
) -> Dossier:  # fmt: skip
    """A kind, with what most have in common left out."""
    return Dossier(
        kind,
        number,
        workstream,
        title,
        signs,
        claim,
        step,
        protection,
        absent,
        papers,
        clear,
        reckon,
        severity,
        computed,
    )
