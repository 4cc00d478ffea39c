"""Everyday books of a business, row upon row: ledgers, lists, logs. Nothing is planted in them, and they name nobody: customers, staff and suppliers are numbers."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta

from redwell.bench.generate.papers import Block, Cell, Para, Row, Rows, Table

Draw = Callable[[random.Random, int], Cell]
SHEET_ROWS = 1500
"""More rows than this go on another sheet."""


@dataclass(frozen=True, slots=True)
class Book:
    """`title` with `{}` for a period. `width`: characters of a row, about."""

    title: str
    folders: tuple[str, ...]
    columns: tuple[tuple[str, Draw], ...]
    width: int


@dataclass(frozen=True, slots=True)
class Log:
    """A text file of lines, each of `parts` with its blanks filled in."""

    title: str
    folders: tuple[str, ...]
    lines: tuple[str, ...]


def expanded(rows: Rows, characters: int) -> list[Block]:
    """The sheets of a book or the lines of a log, about so many characters of them."""
    rng = random.Random(rows.seed)
    if rows.of in LOGS:
        return list(_lines(LOGS[rows.of], rng, characters))
    book = BOOKS[rows.of]
    count = max(6, characters // book.width)
    header = tuple(name for name, _ in book.columns)
    hidden = [_LOOKUP] if rng.random() < 0.08 else []
    draws = [draw for _, draw in book.columns]
    sheets = [
        Table(
            header,
            tuple(Row(tuple([draw(rng, at) for draw in draws])) for at in range(begin, min(count, begin + SHEET_ROWS))),
            sheet="Entries" if count <= SHEET_ROWS else f"Entries {begin // SHEET_ROWS + 1}",
        )
        for begin in range(0, count, SHEET_ROWS)
    ]
    return [*sheets, *hidden]


def _lines(log: Log, rng: random.Random, characters: int) -> list[Para]:
    """One paragraph for each line, in the order of time."""
    moment = rng.randrange(86_400)
    day = date(2023, 1, 1) + timedelta(days=rng.randrange(700))
    found: list[Para] = []
    while characters > 0:
        moment += rng.randrange(1, 900)
        day += timedelta(days=moment // 86_400)
        moment %= 86_400
        stamp = f"{day.isoformat()} {moment // 3600:02}:{moment // 60 % 60:02}:{moment % 60:02}"
        line = f"{stamp} " + log.lines[rng.randrange(len(log.lines))].format(
            a=rng.randrange(10, 99), b=rng.randrange(100, 999), c=rng.randrange(1000, 9999), d=rng.randrange(2, 60)
        )
        found.append(Para(line))
        characters -= len(line) + 1
    return found


def _code(prefix: str, digits: int) -> Draw:
    low, high = 10 ** (digits - 1), 10**digits
    return lambda rng, at: f"{prefix}{rng.randrange(low, high)}"


def _counted(prefix: str, first: int) -> Draw:
    return lambda rng, at: f"{prefix}{first + at}"


def _one(*items: str) -> Draw:
    return lambda rng, at: items[int(rng.random() * len(items))]


def _whole(low: int, high: int) -> Draw:
    return lambda rng, at: low + int(rng.random() * (high - low))


def _sum(low: float, high: float) -> Draw:
    return lambda rng, at: round(low + rng.random() * (high - low), 2)


def _day(first: date, days: int) -> Draw:
    return lambda rng, at: first + timedelta(days=int(rng.random() * days))


def _share(low: float, high: float) -> Draw:
    return lambda rng, at: f"{low + rng.random() * (high - low):.1f}%"


_YEAR = date(2023, 1, 2)
_ITEMS = _one(
    "Gasket set", "Bearing 6204", "Drive belt", "Hose clamp", "Control relay", "Filter cartridge", "Label stock", "Pallet wrap", "Hex bolt M10", "Cable tray",
    "Cleaning agent", "Sensor bracket", "Carton 40x30", "Safety gloves", "Toner", "Fuse 10A", "Seal kit", "Mounting plate", "Valve insert", "Thermal paste",
)  # fmt: skip
_DEPARTMENTS = _one(
    "Operations", "Sales", "Finance", "Quality", "Engineering", "Logistics", "Facilities", "Support", "Marketing"
)
_REGIONS = _one("North", "South", "East", "West", "Central", "Export")

BOOKS: dict[str, Book] = {
    "general_ledger": Book(
        "General Ledger Detail {}",
        ("3.1", "3.3"),
        (
            ("Entry", _counted("JE-", 100_001)),
            ("Date", _day(_YEAR, 360)),
            ("Account", _one("4000", "4100", "5000", "5200", "6100", "6200", "6300", "6400", "7000")),
            ("Department", _DEPARTMENTS),
            ("Text", _one("Supplier invoice", "Payroll run", "Customer receipt", "Depreciation", "Freight", "Utilities", "Reclass", "Bank charges")),
            ("Debit", _sum(5, 9000)),
            ("Credit", _sum(5, 9000)),
        ),
        78,
    ),
    "receivables": Book(
        "Accounts Receivable Listing {}",
        ("3.4", "4.3"),
        (
            ("Customer no.", _code("C", 6)),
            ("Invoice", _counted("INV-", 240_001)),
            ("Invoice date", _day(_YEAR, 360)),
            ("Terms", _one("Net 30", "Net 45", "Net 60")),
            ("Open", _sum(50, 24_000)),
            ("Bucket", _one("Current", "Current", "Current", "1-30", "31-60")),
        ),
        62,
    ),
    "payables": Book(
        "Accounts Payable Listing {}",
        ("3.4", "6.2"),
        (
            ("Vendor no.", _code("V", 6)),
            ("Voucher", _counted("AP-", 510_001)),
            ("Date", _day(_YEAR, 360)),
            ("Cost centre", _code("CC", 4)),
            ("Amount", _sum(20, 18_000)),
            ("Status", _one("Paid", "Paid", "Scheduled")),
        ),
        60,
    ),
    "orders": Book(
        "Order Lines {}",
        ("3.2", "6.1"),
        (
            ("Order", _counted("SO-", 70_001)),
            ("Customer no.", _code("C", 6)),
            ("Item", _ITEMS),
            ("Quantity", _whole(1, 400)),
            ("Net", _sum(40, 12_000)),
            ("Region", _REGIONS),
            ("Shipped", _day(_YEAR, 360)),
        ),
        76,
    ),
    "stock": Book(
        "Stock Count Sheet {}",
        ("3.4",),
        (
            ("Bin", _code("B-", 4)),
            ("Item no.", _code("", 7)),
            ("Description", _ITEMS),
            ("Counted", _whole(0, 2400)),
            ("Book", _whole(0, 2400)),
            ("Counted on", _day(_YEAR, 360)),
        ),
        66,
    ),
    "assets": Book(
        "Fixed Asset Additions {}",
        ("3.1", "11.2"),
        (
            ("Asset", _counted("FA-", 3001)),
            ("Description", _one("Forklift", "Laptop", "Racking", "Press tool", "Conveyor section", "Server", "Compressor", "Test bench", "Office furniture")),
            ("In service", _day(date(2016, 1, 4), 2900)),
            ("Life (years)", _whole(3, 15)),
            ("Cost", _sum(600, 48_000)),
            ("Department", _DEPARTMENTS),
        ),
        72,
    ),
    "time": Book(
        "Time Sheet Export {}",
        ("9.3", "9.2"),
        (
            ("Staff no.", _code("S", 5)),
            ("Week of", _day(_YEAR, 360)),
            ("Department", _DEPARTMENTS),
            ("Project", _code("PR-", 4)),
            ("Hours", _sum(20, 40)),
            ("Approved", _one("Yes")),
        ),
        58,
    ),
    "training": Book(
        "Training Attendance {}",
        ("9.3", "12.2", "14.5", "14.3", "8.1"),
        (
            ("Staff no.", _code("S", 5)),
            ("Course", _one("Induction", "First aid", "Forklift licence", "Lockout", "Information security", "Code of conduct", "Fire drill", "Ladder safety")),
            ("Held", _day(_YEAR, 360)),
            ("Result", _one("Passed", "Passed", "Passed", "Attended")),
            ("Next due", _day(date(2027, 6, 1), 300)),
        ),
        62,
    ),
    "tickets": Book(
        "Service Desk Tickets {}",
        ("7.5", "8.3"),
        (
            ("Ticket", _counted("T-", 88_001)),
            ("Opened", _day(_YEAR, 360)),
            ("Class", _one("Password", "Printer", "Access request", "Laptop", "Mail", "Telephone", "Software install")),
            ("Minutes", _whole(4, 240)),
            ("Closed by", _code("S", 5)),
            ("State", _one("Closed")),
        ),
        58,
    ),
    "quality": Book(
        "Incoming Inspection Log {}",
        ("16.1", "16.2"),
        (
            ("Lot", _code("L", 7)),
            ("Item", _ITEMS),
            ("Received", _day(_YEAR, 360)),
            ("Sampled", _whole(3, 50)),
            ("Rejected", _one("0", "0", "0", "0", "1")),
            ("Release", _one("Released")),
        ),
        64,
    ),
    "travel": Book(
        "Expense Claims {}",
        ("3.5", "14.5", "9.1"),
        (
            ("Claim", _counted("EX-", 12_001)),
            ("Staff no.", _code("S", 5)),
            ("Date", _day(_YEAR, 360)),
            ("Purpose", _one("Customer visit", "Trade fair", "Training", "Site visit", "Audit")),
            ("Amount", _sum(18, 1900)),
            ("Policy check", _one("In order")),
        ),
        66,
    ),
    "budget": Book(
        "Cost Centre Budget {}",
        ("3.5", "11.1", "12.3", "7.2"),
        (
            ("Cost centre", _code("CC", 4)),
            ("Department", _DEPARTMENTS),
            ("Line", _one("Wages", "Rent", "Energy", "Maintenance", "Freight", "Travel", "Consumables", "Insurance share")),
            ("Budget", _sum(900, 90_000)),
            ("Actual", _sum(900, 90_000)),
            ("Used", _share(70, 104)),
        ),
        62,
    ),
    "energy": Book(
        "Meter Readings {}",
        ("11.1", "12.1", "11.2"),
        (
            ("Meter", _code("M", 6)),
            ("Read on", _day(_YEAR, 360)),
            ("Medium", _one("Power", "Water", "Heat")),
            ("Reading", _whole(1000, 900_000)),
            ("Use", _sum(1, 4000)),
        ),
        50,
    ),
    "bank": Book(
        "Bank Statement Lines {}",
        ("3.4", "4.4"),
        (
            ("Line", _counted("", 1)),
            ("Value date", _day(_YEAR, 360)),
            ("Text", _one("Transfer", "Card settlement", "Direct debit", "Payroll", "Customer payment", "Fee")),
            ("Amount", _sum(-14_000, 15_000)),
            ("Reference", _code("R", 9)),
        ),
        58,
    ),
    "checklist": Book(
        "Document Checklist {}",
        ("1.1", "1.3", "2.1", "2.3", "2.5", "4.1", "4.2", "5.1", "5.2", "5.4", "5.5", "6.4", "6.6", "7.1", "8.2", "8.4", "10.1", "10.3", "10.4", "11.3", "13.1", "13.2", "14.1", "14.2", "14.4", "15.1", "15.2"),
        (
            ("No.", _counted("", 1)),
            ("Binder", _code("B", 4)),
            ("Kind", _one("Letter", "Form", "Receipt", "Cover", "Photograph", "Plan", "Brochure")),
            ("Pages", _whole(1, 60)),
            ("Scanned on", _day(_YEAR, 360)),
            ("Scanned by", _code("S", 5)),
        ),
        52,
    ),
    "telephone": Book(
        "Telephone List {}",
        ("1.2", "1.5", "6.3", "6.5", "7.3", "7.4", "9.4", "10.2", "2.4", "5.3"),
        (
            ("Extension", _counted("", 2001)),
            ("Department", _DEPARTMENTS),
            ("Room", _code("R", 3)),
            ("Staff no.", _code("S", 5)),
            ("Device", _one("Desk", "Mobile", "Headset")),
        ),
        44,
    ),
}  # fmt: skip

LOGS: dict[str, Log] = {
    "build": Log(
        "Build Log {}",
        ("7.4",),
        (
            "INFO compile module {b} of {c}: done in {d} s",
            "INFO unit tests: {c} run, 0 failed",
            "INFO package archive written, {b} kB",
            "DEBUG cache hit for step {a}",
            "INFO deploy to stage {a} finished",
        ),
    ),
    "server": Log(
        "Server Log {}",
        ("8.3",),
        (
            "node{a} INFO request {c} served in {b} ms",
            "node{a} INFO health check passed",
            "node{a} INFO log rotated, {b} MB",
            "node{a} WARN queue length {b}, back to normal after {d} s",
            "node{a} INFO backup of volume {a} completed, {c} files",
        ),
    ),
    "scanner": Log(
        "Warehouse Scanner Log {}",
        ("7.5",),
        (
            "gate {a} IN pallet {c} bay {b}",
            "gate {a} OUT pallet {c} bay {b}",
            "gate {a} IDLE {d} min",
            "gate {a} SYNC {b} records",
        ),
    ),
    "support": Log(
        "Support Chat Export {}",
        ("7.5",),
        (
            "agent {a}: your ticket {c} has been answered and can be closed",
            "visitor {b}: where do I find the manual for unit {c}",
            "agent {a}: it is under Help, chapter {d}",
            "visitor {b}: thank you, that works now",
        ),
    ),
}

_LOOKUP = Table(
    ("Code", "Meaning"),
    tuple(
        Row((code, meaning))
        for code, meaning in (
            ("A", "Open in the system"),
            ("B", "Closed in the system"),
            ("C", "Moved to another list"),
            ("D", "Entered twice"),
        )
    ),
    sheet="Lookup",
    hidden=True,
)
"""A hidden sheet such as the macros of many a book read."""
