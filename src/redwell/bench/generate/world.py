"""The world that a room tells of: one target company with its people, contracts, debts, rights, sites, claims and policies, and the deal.

Everything is drawn from named streams of one seed, so that a part can be added without changing what the others draw. Plants add to the
lists; the registers of the room are rendered from them afterwards, so that they agree with what was planted.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import TypeVar

from redwell.bench.generate import names
from redwell.bench.key import Split

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Person:
    """`email` is at the company's domain, or at that of another when `of` is not the target."""

    first: str
    last: str
    title: str
    email: str
    of: str = ""

    @property
    def name(self) -> str:
        return f"{self.first} {self.last}"


@dataclass(frozen=True, slots=True)
class Company:
    """`name` is the full legal name ("Kestrel Freight, Inc."), `short` what papers call it ("Kestrel Freight")."""

    name: str
    short: str
    law: str
    domain: str = ""


@dataclass(frozen=True, slots=True)
class Place:
    city: str
    state: str
    street: str

    @property
    def address(self) -> str:
        return f"{self.street}, {self.city}, {self.state}"


@dataclass(slots=True)
class Contract:
    """`kind`: customer, supplier, channel, licence, government, lease, loan, employment, contractor, nda. `annual` in whole dollars a year.

    `register` is False for one that the target's own register leaves out."""

    party: Company
    title: str
    kind: str
    signed: date
    expires: date | None
    annual: int = 0
    consent_needed: str = ""  # as the register has it: "", "Yes", "No", "Under review"
    folder: str = ""
    register: bool = True


@dataclass(slots=True)
class Debt:
    lender: Company
    title: str
    principal: int
    signed: date
    matures: date
    note: str = ""


@dataclass(slots=True)
class Right:
    """A patent, mark, domain or copyright; `number` as its office writes it."""

    kind: str
    name: str
    number: str
    owner: str
    filed: date
    status: str
    inventors: tuple[Person, ...] = ()


@dataclass(slots=True)
class Site:
    name: str
    place: Place
    use: str
    owned: bool
    landlord: Company | None = None
    tenant: str = ""
    area: int = 0  # square feet
    rent: int = 0  # dollars a year
    expires: date | None = None


@dataclass(slots=True)
class Claim:
    matter: str
    opponent: str
    forum: str
    claimed: int
    reserve: int
    status: str
    register: bool = True


@dataclass(slots=True)
class Policy:
    line: str
    insurer: Company
    number: str
    begins: date
    ends: date
    limit: int
    retention: int
    note: str = ""


@dataclass(slots=True)
class Employee:
    person: Person
    site: str
    started: date
    salary: int
    status: str = "Active"
    exempt: bool = True


@dataclass(slots=True)
class Holder:
    """A line of the cap table: `shares` of `share_class`."""

    name: str
    share_class: str
    shares: int
    note: str = ""


@dataclass(slots=True)
class Deal:
    """All sums in whole `currency`. `price` is the equity price, `per_share` price over fully diluted shares."""

    structure: str  # merger, share purchase, asset purchase
    merger_form: str  # "reverse triangular merger", ...; "" for no merger
    price: int
    currency: str
    signing: date
    as_of: date
    closing: date
    outside: date
    materiality: int


@dataclass(slots=True)
class Figures:
    """Of the last full fiscal year, in whole dollars; `year` is the fiscal year's number."""

    year: int
    revenue: int
    ebitda: int
    cash: int
    working_capital: int
    multiple: float  # price over EBITDA


@dataclass(slots=True)
class World:
    """`seed` and `split` say everything about it."""

    seed: str
    split: Split
    target: Company
    buyer: Company
    seller: Company
    sector: str
    business: str  # "instruments for process measurement"
    deal: Deal
    figures: Figures
    officers: dict[str, Person]  # ceo, cfo, gc, cto, chro, controller
    directors: list[Person]
    subsidiaries: list[Company]
    products: list[str]
    contracts: list[Contract] = field(default_factory=list)
    debts: list[Debt] = field(default_factory=list)
    rights: list[Right] = field(default_factory=list)
    sites: list[Site] = field(default_factory=list)
    claims: list[Claim] = field(default_factory=list)
    policies: list[Policy] = field(default_factory=list)
    employees: list[Employee] = field(default_factory=list)
    holders: list[Holder] = field(default_factory=list)
    taken: set[str] = field(default_factory=set)  # names that are somebody's already

    def rng(self, stream: str) -> random.Random:
        """The stream of that name: the same for a seed whatever else was drawn."""
        return random.Random(f"{self.seed}/{stream}")

    def company(self, rng: random.Random, trade: str = "") -> Company:
        """A company that nobody else in the room is called like. `trade`: what it does, one of `names.TRADES`, or any."""
        return names.company(rng, self.taken, trade)

    def person(self, rng: random.Random, title: str, of: Company | None = None) -> Person:
        """A person whose first and last name nobody else bears; works for the target unless `of` is given."""
        return names.person(rng, self.taken, title, of or self.target, outside=of is not None)

    def place(self, rng: random.Random) -> Place:
        return Place(*names.place(rng, self.taken))

    def code(self, rng: random.Random, prefix: str = "", digits: int = 5) -> str:
        """A reference number that nothing else bears: `CW-48213`."""
        while True:
            number = f"{prefix}{rng.randrange(10 ** (digits - 1), 10**digits)}"
            if number not in self.taken:
                self.taken.add(number)
                return number

    def day(self, rng: random.Random, first: date, last: date) -> date:
        """A working day from `first` to `last`, both in reach."""
        day = first + timedelta(days=rng.randrange(max(1, (last - first).days + 1)))
        return day - timedelta(days=max(0, day.weekday() - 4)) if day.weekday() > 4 else day

    def past(self, rng: random.Random, years: tuple[float, float]) -> date:
        """A working day between so many years before the deal's `as_of`."""
        near, far = years
        return self.day(
            rng, self.deal.as_of - timedelta(days=round(far * 365)), self.deal.as_of - timedelta(days=round(near * 365))
        )

    def ahead(self, rng: random.Random, years: tuple[float, float]) -> date:
        """A working day between so many years after `as_of`."""
        near, far = years
        return self.day(
            rng, self.deal.as_of + timedelta(days=round(near * 365)), self.deal.as_of + timedelta(days=round(far * 365))
        )

    def sum(self, rng: random.Random, low: float, high: float, step: int = 1000) -> int:
        """A sum of money between shares of the price (0.001 is a tenth of a per cent), to the whole `step`."""
        price = self.deal.price
        return max(step, round(rng.uniform(low * price, high * price) / step) * step)


def pick(rng: random.Random, items: Sequence[T]) -> T:
    """One of them."""
    return items[rng.randrange(len(items))]
