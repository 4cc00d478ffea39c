"""The papers that a room has once and many plants write into: registers, the merger agreement, the schedule, minutes, decks."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date

from redwell.bench.generate import hub_sections, registers
from redwell.bench.generate.everyday import Meeting
from redwell.bench.generate.papers import Added, Block, Cell, FileKind, Heading, Hub, Paper, Row, Table
from redwell.bench.generate.world import World
from redwell.bench.generate.writing import us_date

COLUMNS: dict[Hub, tuple[str, ...]] = {
    "minute_index": ("Date", "Body", "Subject", "File"),
    "net_debt": ("Item", "Amount", "Note"),
    "working_capital": ("Item", "Amount", "Note"),
    "cap_table": ("Holder", "Class", "Number", "Note"),
    "contracts_register": ("Counterparty", "Agreement", "Date", "Annual value", "Expiry", "Consent needed"),
    "consents_tracker": ("Counterparty", "Agreement", "Needed", "Status"),
    "employee_census": ("ID", "Name", "Title", "Site", "Started", "Salary", "Status"),
    "litigation_register": ("Matter", "Forum", "Claimed", "Reserve", "Status"),
    "ip_register": ("Right", "Number", "Owner", "Filed", "Status"),
    "lease_register": ("Site", "Landlord", "Tenant", "Area", "Rent", "Expiry"),
    "insurance_register": ("Line", "Insurer", "Policy", "From", "To", "Limit"),
    "permit_register": ("Permit", "Holder", "Authority", "Number", "Expiry"),
    "vendor_master": ("Vendor", "Purpose", "Spend", "Owner"),
    "calendar": ("Deadline", "Matter", "Owner"),
}
"""Of the hubs that are one table. The others hold sections of paragraphs, clauses and rows; a row there has as many cells as it likes."""

PLACES: dict[Hub, tuple[str, str, FileKind]] = {
    "merger_agreement": ("Agreement and Plan of Merger", "1.1", "docx"),
    "disclosure_schedule": ("Company Disclosure Schedule", "1.1", "docx"),
    "board_minutes": ("Minute Book of the Board of Directors", "2.2", "docx"),
    "minute_index": ("Minute Book Index", "2.2", "xlsx"),
    "information_memorandum": ("Confidential Information Memorandum", "1.5", "docx"),
    "board_deck": ("Board Update", "1.2", "pptx"),
    "quality_of_earnings": ("Quality of Earnings Report", "3.3", "docx"),
    "net_debt": ("Net Debt Schedule", "3.4", "xlsx"),
    "working_capital": ("Net Working Capital Schedule", "3.4", "xlsx"),
    "cap_table": ("Capitalization Table", "2.4", "xlsx"),
    "contracts_register": ("Contracts Register", "6.1", "xlsx"),
    "consents_tracker": ("Consents Tracker", "6.6", "xlsx"),
    "employee_census": ("Employee Census", "9.3", "xlsx"),
    "litigation_register": ("Litigation Register", "10.1", "xlsx"),
    "ip_register": ("Intellectual Property Register", "7.1", "xlsx"),
    "lease_register": ("Lease Register", "11.1", "xlsx"),
    "insurance_register": ("Insurance Register", "13.1", "xlsx"),
    "permit_register": ("Permit Register", "12.2", "xlsx"),
    "vendor_master": ("Vendor Master", "6.2", "xlsx"),
    "tax_summary": ("Tax Summary", "5.1", "docx"),
    "calendar": ("Calendar of Deadlines", "15.2", "xlsx"),
}
"""Title, folder and kind of file of each."""

SILENT = (
    "assignment",
    "control",
    "term",
    "termination",
    "exclusivity",
    "pricing",
    "liability",
    "ip",
    "insurance",
    "employment",
)
"""Running text in hubs says nothing of what plants say there."""


@dataclass(frozen=True, slots=True)
class Theirs:
    """What one plant added to the room: `terms` of its gaps, what it adds to hubs (already named apart), the world's things that are its own
    (by identity), and the hubs of which it speaks, which then list none of its things by themselves."""

    terms: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]  # (terms, hubs that may hold them)
    added: tuple[Added, ...]
    things: frozenset[int]
    speaks: frozenset[str]


@dataclass(slots=True)
class Contents:
    """All that the hubs are made from."""

    world: World
    theirs: Sequence[Theirs]
    meetings: Sequence[Meeting] = ()
    file_names: Callable[[str], str] = str  # of a paper's id
    long: bool = True
    terms: list[tuple[tuple[str, ...], tuple[str, ...]]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.terms = [gap for plant in self.theirs for gap in plant.terms]

    def added(self, hub: Hub) -> list[Added]:
        return [added for plant in self.theirs for added in plant.added if added.hub == hub]

    def fits(self, hub: Hub, texts: Iterable[str]) -> bool:
        """Whether a unit of these texts may stand in the hub: it must not be what a plant says is nowhere."""
        text = " ".join(texts).lower()
        return not any(hub not in allowed and all(term in text for term in terms) for terms, allowed in self.terms)

    def listed(self, hub: Hub, thing: object) -> bool:
        """Whether a hub lists a thing of the world by itself: the room's own always, a plant's where the plant does not speak of the hub."""
        return all(hub not in plant.speaks for plant in self.theirs if id(thing) in plant.things)


def make(hub: Hub, contents: Contents, days: Collection[date] = ()) -> Paper:
    """One hub from the world and what was added. `days` are those of the board's regular meetings."""
    title, folder, kind = PLACES[hub]
    world = contents.world
    blocks: list[Block] = []
    if hub in COLUMNS:
        blocks.append(_register(hub, contents, days))
    else:
        blocks += _sections(hub, contents, days)
    signed = hub in ("merger_agreement",)
    return Paper(
        hub,
        f"{title} - {world.target.short}",
        folder,
        world.deal.signing if signed or hub == "disclosure_schedule" else None,
        blocks,
        kinds=(kind,),
        avoid=SILENT,
        parties=(world.target.name, world.buyer.name) if signed else (world.target.name,),
    )


# --- one table


def _register(hub: Hub, contents: Contents, days: Collection[date]) -> Table:
    """The world's rows without those that a plant gives itself, the plants' rows among them, and a total where sums are added up."""
    mine = [added.block for added in contents.added(hub)]
    theirs = [block for block in mine if isinstance(block, Row)]
    key = registers.KEYS.get(hub, 0)
    named = {_key(row.cells[key]) for row in theirs}
    rows: list[Row] = []
    made = (
        registers.minute_rows(contents.world, days, contents.meetings, contents.file_names)
        if hub == "minute_index"
        else None
    )
    for cells in (
        made if made is not None else registers.rows(hub, contents.world, lambda thing: contents.listed(hub, thing))
    ):
        name = _key(cells[key])
        if any(
            name == other or (len(name) > 5 and name in other) or (len(other) > 5 and other in name) for other in named
        ):
            continue
        if contents.fits(hub, registers.texts(cells)):
            rows.append(Row(cells))
    rng = contents.world.rng(f"hub/{hub}")
    for row in theirs:
        rows.insert(rng.randrange(len(rows) + 1), row)
    if hub in ("minute_index", "calendar"):
        rows.sort(key=lambda row: registers.sort_key(row.cells[0]))
    if hub in ("net_debt", "working_capital"):
        total = sum(int(row.cells[1]) for row in rows if isinstance(row.cells[1], int | float))
        rows.append(Row(("Total", total, "")))
    return Table(COLUMNS[hub], tuple(rows), sheet=PLACES[hub][0][:31], caption=PLACES[hub][0])


def _key(cell: Cell) -> str:
    """What a row is about, for comparing: without marks and the form of a company."""
    text = re.sub(r"⟦[^|]*\||⟧", "", str(cell)).lower()
    return re.sub(r",? (inc|llc|corporation|corp|ltd|gmbh|n\.a|l\.p|llp)\.?$", "", text).strip()


# --- sections


def _sections(hub: Hub, contents: Contents, days: Collection[date]) -> list[Block]:
    """The base text by section, with what was added at the end of the section of that name."""
    sections: dict[str, list[Block]] = {}
    names: dict[str, str] = {}

    def section(name: str) -> list[Block]:
        bare = re.sub(r"^[\d.]+\s+", "", name).casefold()
        return sections.setdefault(names.setdefault(bare, name), [])

    for name, blocks in hub_sections.base(
        hub, contents.world, days, lambda thing: contents.listed(hub, thing), long=contents.long
    ):
        for block in blocks:
            rows = block.rows if isinstance(block, Table) else ()
            if isinstance(block, Table):
                kept = tuple(row for row in rows if contents.fits(hub, registers.texts(row.cells)))
                block = Table(block.header, kept, block.sheet, block.hidden, block.caption)
            section(name).append(block)
    for added in contents.added(hub):
        into = section(added.section)
        if isinstance(added.block, Row):
            _into_table(into, added.block)
        else:
            at = next((i for i, block in enumerate(into) if hub_sections.is_filler(block)), len(into))
            into.insert(at, added.block)
    ordered = sorted(sections, key=_order) if hub in ("disclosure_schedule", "board_minutes") else list(sections)
    found: list[Block] = []
    for name in ordered:
        found.append(Heading(_meeting(name) if hub == "board_minutes" else name))
        found += sections[name]
    return found


def _into_table(blocks: list[Block], row: Row) -> None:
    """The row into the table of the section that has as many columns, or into one of its own."""
    for at, block in enumerate(blocks):
        if isinstance(block, Table) and len(block.header) == len(row.cells):
            blocks[at] = Table(block.header, (*block.rows, row), block.sheet, block.hidden, block.caption)
            return
    header = ("Item", "Particulars", "Note", "Amount", "Date", "Status", "Reference", "Owner")[: len(row.cells)]
    blocks.append(Table(header, (row,)))


def _order(name: str) -> tuple[object, ...]:
    numbers = re.match(r"[\d.]+", name)
    return tuple(int(part) for part in re.findall(r"\d+", numbers[0])) if numbers else (10**6,)


def _meeting(name: str) -> str:
    try:
        return f"Meeting of the Board, {us_date(date.fromisoformat(name))}"
    except ValueError:
        return name
