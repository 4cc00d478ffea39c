"""The rows of the room's registers, from the world."""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Iterable, Sequence
from datetime import date, timedelta
from typing import TypeVar

from redwell.bench.generate.everyday import Meeting
from redwell.bench.generate.laid import shown
from redwell.bench.generate.papers import Cell, Hub
from redwell.bench.generate.world import World

T = TypeVar("T")
Cells = tuple[Cell, ...]
KEYS: dict[Hub, int] = {
    "employee_census": 1,
    "insurance_register": 2,
    "ip_register": 1,
    "permit_register": 3,
    "calendar": 1,
}
"""The column that says what a row is about, where it is not the first."""


def rows(hub: Hub, world: World, listed: Callable[[object], bool]) -> Iterable[Cells]:
    """What the world has for a register. `listed(thing)`: False for what a plant brought that speaks of this register itself."""
    rng = world.rng(f"register/{hub}")
    match hub:
        case "cap_table":
            return [(holder.name, holder.share_class, holder.shares, holder.note) for holder in world.holders]
        case "contracts_register":
            return [
                (it.party.name, it.title, it.signed, it.annual, it.expires, it.consent_needed or "Not reviewed")
                for it in _mixed(rng, world.contracts)
                if it.register and it.kind not in ("lease", "loan", "employment", "nda")
            ]
        case "consents_tracker":
            return [
                (it.party.name, it.title, "No", "Not needed")
                for it in _mixed(rng, world.contracts)
                if it.consent_needed == "No" and listed(it)
            ][:40]
        case "employee_census":
            staff = _mixed(rng, world.employees)
            return [
                (f"E-{10_001 + at}", it.person.name, it.person.title, it.site, it.started, it.salary, it.status)
                for at, it in enumerate(staff)
            ]
        case "litigation_register":
            return [(it.matter, it.forum, it.claimed, it.reserve, it.status) for it in world.claims if it.register]
        case "ip_register":
            return [
                (f"{it.kind.capitalize()}: {it.name}", it.number, it.owner, it.filed, it.status)
                for it in _mixed(rng, world.rights)
            ]
        case "lease_register":
            return [
                (it.name, it.landlord.name, it.tenant, it.area, it.rent, it.expires)
                for it in _mixed(rng, world.sites)
                if it.landlord and not it.owned
            ]
        case "insurance_register":
            return [
                (it.line, it.insurer.name, it.number, it.begins, it.ends, it.limit)
                for it in _mixed(rng, world.policies)
            ]
        case "permit_register":
            return [
                (
                    f"{what}, {site.place.city}",
                    world.target.name,
                    f"{site.place.state} {office}",
                    world.code(rng, "PR-", 6),
                    world.ahead(rng, (1.5, 5)),
                )
                for site in world.sites[:3]
                for what, office in (
                    ("Business licence", "Department of Commerce"),
                    ("Elevator certificate", "Department of Labor"),
                )
            ]
        case "vendor_master":
            return [
                (it.party.name, it.title, it.annual, "Purchasing")
                for it in _mixed(rng, world.contracts)
                if it.kind == "supplier" and listed(it)
            ]
        case "net_debt":
            debts: list[Cells] = [
                (f"{it.title}, {it.lender.short}", it.principal, it.note) for it in world.debts if listed(it)
            ]
            return [*debts, ("Cash and cash equivalents", -world.figures.cash, "Bank balances")]
        case "working_capital":
            return _working_capital(world)
        case "calendar":
            policies = [
                (it.ends, f"Renewal of {it.line} policy {it.number}", "Risk") for it in world.policies if listed(it)
            ]
            contracts = [
                (it.expires - timedelta(days=90), f"Look at {it.title} with {it.party.short}", "Contracts")
                for it in world.contracts
                if it.expires and listed(it) and it.kind != "nda"
            ]
            return [*policies, *contracts]
        case _:
            raise ValueError(f"{hub} is not one table")


def minute_rows(
    world: World, days: Collection[date], meetings: Sequence[Meeting], file_names: Callable[[str], str]
) -> list[Cells]:
    """Every meeting of which the room has minutes."""
    board: list[Cells] = [
        (day, "Board of Directors", "Meeting of the Board", file_names("board_minutes")) for day in days
    ]
    return [*board, *((it.day, it.body, it.subject, file_names(it.paper)) for it in meetings)]


def _working_capital(world: World) -> list[Cells]:
    """Parts that add up to the world's figure."""
    whole = world.figures.working_capital
    receivables, stock = round(whole * 1.1 / 1000) * 1000, round(whole * 0.7 / 1000) * 1000
    payables = -round(whole * 0.6 / 1000) * 1000
    return [
        ("Trade receivables", receivables, "Ledger"),
        ("Inventories", stock, "Count"),
        ("Trade payables", payables, "Ledger"),
        ("Other items", whole - receivables - stock - payables, "Ledger"),
    ]


def texts(cells: Cells) -> list[str]:
    """The cells of a row as they are shown."""
    return [shown(cell) for cell in cells]


def sort_key(cell: Cell) -> str:
    """By day where it is one."""
    return cell.isoformat() if isinstance(cell, date) else str(cell)


def _mixed(rng: random.Random, items: Sequence[T]) -> list[T]:
    """In another order, so that what a plant added last does not stand last."""
    return rng.sample(items, len(items))
