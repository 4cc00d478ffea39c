"""A room put together: plants run against the world, everyday papers around them, hubs from both, names and places for all, and the key."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from pathlib import Path

from redwell.bench.generate import hubs, layout, marks, naming, plan, rubric
from redwell.bench.generate.benign import add, staff
from redwell.bench.generate.everyday import Everyday, Meeting
from redwell.bench.generate.laid import Laid, LaidKind
from redwell.bench.generate.layout import Numberings, Quoted, Sheet
from redwell.bench.generate.papers import FOLDERS, Added, Change, Clause, FileKind, Paper, Para, Row, Table
from redwell.bench.generate.plan import HUBS, Choice
from redwell.bench.generate.recipe import Draft, Plant
from redwell.bench.generate.render import ENDINGS
from redwell.bench.generate.world import World, make_world
from redwell.bench.key import Absence, Criterion, Evidence, Key, PlantedIssue, Split

DUPLICATES, NEWER, DRAFTS = 0.015, 0.01, 0.02
"""Shares of the everyday papers that lie in two folders, come again under a later date, or also as an unsigned draft."""
PDF, SCANS = 0.25, 0.04
"""With PDF: the share of the word processor's papers that are PDF instead, and that are pictures of pages."""
_HELD = re.compile(r"\b(?:[Mm]inutes|[Mm]eeting|[Ss]ession)\b")
_PDF_FIT = ("docx", "txt")
Point = Callable[[str, str], str]


@dataclass(frozen=True, slots=True)
class Job:
    """A file to be made, wherever it is made: the sheet, what its pointers say, what is attached, and the paths in the room where it lies."""

    sheet: Sheet
    points: dict[tuple[str, str], str]
    attached: tuple[tuple[str, Job], ...]
    paths: tuple[str, ...]
    day: date

    def laid(self) -> Laid:
        return self._laid(layout.numbered(self.sheet))[0]

    def quoted(self, numberings: Numberings) -> list[Quoted]:
        return self._laid(numberings, attach=False)[1]

    def _laid(self, numberings: Numberings, *, attach: bool = True) -> tuple[Laid, list[Quoted]]:
        sheet = self.sheet
        if not attach:
            sheet = replace(sheet, paper=replace(sheet.paper, attached=()))
        attached = {job.sheet.paper.id: (name, job.laid()) for name, job in self.attached} if attach else {}
        return layout.lay(sheet, numberings, lambda kind, name: self.points[kind, name], attached)


@dataclass(slots=True)
class Assembled:
    """What there is to write: the files in order, and the key."""

    jobs: list[Job]
    key: Key
    world: World


@dataclass(slots=True)
class _Room:
    """The room while it is put together."""

    world: World
    preset: str
    documents: int
    with_pdf: bool
    source: Path | None
    papers: dict[str, Paper] = field(default_factory=dict)
    kinds: dict[str, LaidKind] = field(default_factory=dict)
    paths: dict[str, tuple[str, ...]] = field(default_factory=dict)
    taken: set[str] = field(default_factory=set)

    def place(self, paper: Paper, kind: LaidKind) -> None:
        """A name and a place in the room for it and for its copies."""
        names = [
            naming.path(FOLDERS[folder], paper.title, paper.status, ENDINGS[kind], self.taken)
            for folder in (paper.folder, *paper.copies)
        ]
        self.papers[paper.id], self.kinds[paper.id], self.paths[paper.id] = paper, kind, tuple(names)

    def sheet(self, paper: Paper) -> Sheet:
        seed = f"{self.world.seed}/{paper.id}"
        kind = self.kinds[paper.id]
        of = layout.running_text(paper, kind) or ""
        length = plan.characters(self.preset, kind, of, random.Random(f"{seed}/length"))
        return Sheet(paper, kind, length, seed, _author(self.world, paper), self.source)


@dataclass(frozen=True, slots=True)
class _Planted:
    """A plant with its names set apart from the others'."""

    number: int
    choice: Choice
    plant: Plant
    papers: tuple[Paper, ...]
    added: tuple[Added, ...]
    things: frozenset[int]

    @property
    def prefix(self) -> str:
        return f"P{self.number}/"


def assemble(
    seed: str,
    split: Split,
    preset: str,
    documents: int,
    choices: Sequence[Choice],
    *,
    with_pdf: bool,
    source: Path | None,
) -> Assembled:
    """The whole room, except that the running text is not in it yet: `Job.laid` puts it there, in any process and order."""
    world = make_world(seed, split)
    room = _Room(world, preset, documents, with_pdf, source)
    planted = [_plant(number, choice, world) for number, choice in enumerate(choices, 1)]
    present = [
        hub for hub in HUBS if hub in plan.base_hubs(documents) or any(hub in plan.hubs_of(it.plant) for it in planted)
    ]
    counts: Counter[str] = Counter(hubs.PLACES[hub][2] for hub in present)
    for it in planted:
        for paper in it.papers:
            kind = _kind(room, paper, counts)
            counts[kind] += 1 + len(paper.copies)
            room.place(paper, _or_pdf(room, paper, kind))
    everyday = _everyday(room, counts)
    for hub in present:
        title, folder, kind = hubs.PLACES[hub]
        room.place(Paper(hub, f"{title} - {world.target.short}", folder, None, []), kind)
    if "employee_census" in present:
        staff(world, {"desk": 10, "small": 60}.get(preset, documents // 4))
    days = _board_days(world, preset)
    _settle_holders(world, planted)
    theirs = [_theirs(it) for it in planted]
    meetings = [
        *everyday.meetings,
        *(held for it, of in zip(planted, theirs, strict=True) for held in _meetings(it, of)),
    ]
    contents = hubs.Contents(
        world, theirs, meetings, lambda name: Path(room.paths[name][0]).name, long=preset != "desk"
    )
    for hub in present:
        room.papers[hub] = hubs.make(hub, contents, days)
    return _finish(room, planted)


# --- plants


def _plant(number: int, choice: Choice, world: World) -> _Planted:
    """Runs a way against the world; what it added to the world's lists is its own."""
    before = {id(thing) for things in _things(world) for thing in things}
    plant = choice.make(world)
    things = frozenset(id(thing) for things in _things(world) for thing in things) - before
    prefix = f"P{number}/"

    def name(text: str) -> str:
        return marks.prefixed_text(text, prefix, HUBS)

    papers = tuple(
        replace(
            paper,
            id=prefix + paper.id,
            title=name(paper.title),
            blocks=[marks.prefixed(block, prefix, HUBS) for block in paper.blocks],
            attached=tuple(prefix + other for other in paper.attached),
        )
        for paper in plant.papers
    )
    added = tuple(replace(it, block=_prefixed_added(it, prefix)) for it in plant.added)
    return _Planted(number, choice, plant, papers, added, things)


def _prefixed_added(added: Added, prefix: str) -> Para | Clause | Row | Change:

    if isinstance(added.block, Row):
        table = marks.prefixed(Table(tuple("" for _ in added.block.cells), (added.block,)), prefix, HUBS)
        assert isinstance(table, Table)
        return table.rows[0]
    block = marks.prefixed(added.block, prefix, HUBS)
    assert isinstance(block, Para | Clause | Change)
    return block


def _things(world: World) -> tuple[list[object], ...]:
    return (
        [*world.contracts], [*world.debts], [*world.rights], [*world.sites], [*world.claims], [*world.policies], [*world.employees],
        [*world.holders], [*world.subsidiaries],
    )  # fmt: skip


_SPOKEN: dict[str, re.Pattern[str]] = {
    "disclosure_schedule": re.compile(r"schedul"),
    "net_debt": re.compile(r"net[ -]debt|debt-like|bridge|undisclosed|off the books"),
    "calendar": re.compile(r"calendar|window|renew|expire|deadline|overdue|late"),
    "vendor_master": re.compile(r"vendor|insider|related"),
    "consents_tracker": re.compile(r"consent|approval|waiver"),
    "minute_index": re.compile(r"minute"),
}
"""Words in a plant's title, criteria and gaps by which it speaks of a hub, beside writing into it."""


def _theirs(planted: _Planted) -> hubs.Theirs:
    plant, recipe = planted.plant, planted.choice.recipe
    terms = tuple((gap.terms, gap.despite) for gap in plant.gaps)
    words = " ".join(
        [
            recipe.title,
            plant.title,
            *(draft.text for draft in plant.criteria),
            *(f"{gap.what} {' '.join(gap.terms)}" for gap in plant.gaps),
        ]
    ).lower()
    speaks = {added.hub for added in plant.added} | {hub for hub, spoken in _SPOKEN.items() if spoken.search(words)}
    speaks |= {"disclosure_schedule"} if recipe.workstream == "Disclosure" else set()
    return hubs.Theirs(terms, planted.added, planted.things, frozenset(speaks))


def _meetings(planted: _Planted, theirs: hubs.Theirs) -> list[Meeting]:
    """Minutes that a plant brought, for the index, where it does not speak of that itself."""
    if "minute_index" in theirs.speaks:
        return []
    return [
        Meeting(paper.day, paper.title, "Minutes", paper.id)
        for paper in planted.papers
        if paper.day and paper.folder == "2.2" and _HELD.search(paper.title) and not marks.pointers(paper.title)
    ]


def _settle_holders(world: World, planted: Sequence[_Planted]) -> None:
    """The shares of holders that plants brought come out of the seller's, so that the table still adds up to the deal's shares."""
    theirs = {thing for it in planted for thing in it.things}
    brought = sum(holder.shares for holder in world.holders if id(holder) in theirs)
    seller = next((holder for holder in world.holders if holder.name == world.seller.name), None)
    if seller is not None and id(seller) not in theirs and 0 < brought < seller.shares:
        seller.shares -= brought


# --- kinds, everyday papers


def _kind(room: _Room, paper: Paper, counts: Counter[str]) -> FileKind:
    """One of the kinds that the paper may be: the likeliest or sometimes another, and another where the room has enough of that."""
    rng = random.Random(f"{room.world.seed}/{paper.id}/kind")
    kinds = list(paper.kinds)
    if len(kinds) > 1 and rng.random() < 0.35:
        kinds.insert(0, kinds.pop(1 + rng.randrange(len(kinds) - 1)))
    return next((kind for kind in kinds if counts[kind] < plan.MIX[kind] * room.documents), kinds[0])


def _or_pdf(room: _Room, paper: Paper, kind: FileKind) -> LaidKind:
    """PDF for some, where the room wants them and nothing is lost by it."""
    changed = any(isinstance(block, Change) for block in paper.blocks)
    drawn = random.Random(f"{room.world.seed}/{paper.id}/pdf").random()
    return "pdf" if room.with_pdf and kind in _PDF_FIT and not changed and drawn < PDF else kind


def _everyday(room: _Room, counts: Counter[str]) -> Everyday:
    """The papers that plant nothing, until the room is full; some lie in two places, come again later, or as a draft."""
    everyday = Everyday(room.world)
    rng = random.Random(f"{room.world.seed}/everyday")
    kinds = plan.kinds_left(room.documents, counts)
    copies = again = drafts = 0
    if room.documents >= 20:
        copies, again, drafts = (max(1, round(share * len(kinds))) for share in (DUPLICATES, NEWER, DRAFTS))
        copies, again, drafts = (
            (0, 0, 0) if kinds.count("docx") < 4 + copies + again + drafts else (copies, again, drafts)
        )
    for _ in range(copies + again + drafts):
        kinds.remove("docx")
    for kind in kinds:
        add(everyday, kind)
    for way, count in (("newer", again), ("draft", drafts)):
        for _ in range(count):
            if not everyday.add_again(rng, way):
                add(everyday, "docx")
    whole = [paper for paper in everyday.papers if paper.kinds == ("docx",)]
    for paper in rng.sample(whole, min(copies, len(whole))):
        paper.copies = (rng.choice([folder for folder in ("15.2", "6.5", "1.5") if folder != paper.folder]),)
    whole = [paper for paper in everyday.papers if paper.kinds == ("docx",)]
    scans = round(SCANS * len(whole)) or (len(whole) > 3) if room.with_pdf else 0
    scanned = {paper.id for paper in rng.sample(whole, scans)}
    for paper in everyday.papers:
        room.place(paper, "scan" if paper.id in scanned else _or_pdf(room, paper, paper.kinds[0]))
    return everyday


def _board_days(world: World, preset: str) -> list[date]:
    """The board's regular meetings, one each quarter of the last years."""
    rng = world.rng("board")
    quarters = {"desk": 2, "small": 6}.get(preset, 14)
    last = world.deal.signing - timedelta(days=10)
    days = [last - timedelta(days=91 * number + rng.randrange(20)) for number in range(1, quarters + 1)]
    return [day - timedelta(days=max(0, day.weekday() - 4)) for day in reversed(days)]


def _author(world: World, paper: Paper) -> str:
    rng = random.Random(f"{world.seed}/{paper.id}/author")
    people = [*world.officers.values(), *(employee.person for employee in world.employees[:12])]
    return people[rng.randrange(len(people))].name


# --- names, numbers, key


def _finish(room: _Room, planted: Sequence[_Planted]) -> Assembled:
    """Numbers the clauses of all papers in which something is planted, then fills in what points at them."""
    sheets = {paper.id: room.sheet(paper) for paper in room.papers.values()}
    telling = [paper.id for it in planted for paper in it.papers] + [hub for hub in HUBS if hub in room.papers]
    numbers: dict[str, str] = {}
    of_paper: dict[str, Numberings] = {}
    for name in telling:
        of_paper[name] = layout.numbered(sheets[name])
        numbers.update(of_paper[name].of_mark)

    def point(kind: str, name: str) -> str:
        if kind == "§":
            return numbers[name]
        return room.papers[name].title if kind == "@" else Path(room.paths[name][0]).name

    for it in planted:
        for paper in it.papers:
            paper.title = marks.point(paper.title, point)
    jobs = {name: _job(room, sheets[name], point, sheets) for name in sheets}
    quotes: dict[str, list[Evidence]] = {}
    for name in telling:
        for quoted in jobs[name].quoted(of_paper[name]):
            _add_evidence(quotes, room.paths[name][0], quoted)
        del of_paper[name]
    key = _key(room, planted, quotes, point)
    order = sorted(jobs.values(), key=lambda job: job.paths)
    return Assembled(order, key, room.world)


def _job(room: _Room, sheet: Sheet, point: Point, sheets: dict[str, Sheet]) -> Job:
    paper = sheet.paper
    points = {
        (kind, name): point(kind, name)
        for block in paper.blocks
        for text in marks.texts(block)
        for kind, name in marks.pointers(text)
    }
    attached = tuple(
        (Path(room.paths[other][0]).name, _job(room, sheets[other], point, sheets)) for other in paper.attached
    )
    return Job(sheet, points, attached, room.paths[paper.id], paper.day or room.world.deal.as_of)


def _add_evidence(quotes: dict[str, list[Evidence]], path: str, quoted: Quoted) -> None:
    """A mark's quotes, one piece of evidence for each."""
    prefix, _, name = quoted.mark.partition("/")
    mine = quotes.setdefault(prefix + "/", [])
    for at, evidence in enumerate(mine):
        if (evidence.name, evidence.document, evidence.locator) == (name, path, quoted.locator):
            mine[at] = replace(evidence, quotes=(*evidence.quotes, quoted.text))
            return
    mine.append(Evidence(name, path, quoted.locator, (quoted.text,)))


def _key(room: _Room, planted: Sequence[_Planted], quotes: dict[str, list[Evidence]], point: Point) -> Key:
    issues: list[PlantedIssue] = []
    criteria: list[Criterion] = []
    order = sorted(planted, key=lambda it: (it.choice.recipe.number, it.number))
    counts: Counter[bool] = Counter()
    for it in order:
        recipe, plant, decoy = it.choice.recipe, it.plant, it.choice.decoy
        counts[decoy] += 1
        identity = f"{'D' if decoy else 'I'}-{counts[decoy]:03}"

        def text(value: str, prefix: str = it.prefix) -> str:
            return marks.point(marks.prefixed_text(value, prefix, HUBS), point)

        issues.append(
            PlantedIssue(
                identity,
                recipe.number,
                recipe.slug,
                text(plant.title),
                recipe.workstream,
                recipe.kind,
                it.choice.way.name,
                it.choice.way.split,
                decoy,
                plant.severity or recipe.severity,
                tuple(quotes.get(it.prefix, ())),
                tuple(_absence(room, it, gap.what, gap.terms, gap.despite) for gap in plant.gaps),
                plant.exposure,
                plant.because,
            )
        )
        criteria += [_criterion(draft, identity, text) for draft in plant.criteria]
    criteria += rubric.of_the_report(room.preset, issues, criteria)
    world = room.world
    return Key(
        world.target.short,
        world.target.name,
        world.seed,
        room.preset,
        world.split,
        tuple(issues),
        rubric.with_ids(criteria),
    )


def _criterion(draft: Draft, issue: str, text: Callable[[str], str]) -> Criterion:
    return Criterion("", text(draft.title), text(draft.text), draft.style, issue, draft.check)


def _absence(room: _Room, it: _Planted, what: str, terms: tuple[str, ...], despite: tuple[str, ...]) -> Absence:
    """With the paths of the papers that may hold its words, and of the mails to which they are attached."""
    names = [name if name in HUBS else it.prefix + name for name in despite]
    names += [paper.id for paper in it.papers if set(paper.attached) & set(names) and paper.id not in names]
    return Absence(what, terms, tuple(path for name in names for path in room.paths[name]))
