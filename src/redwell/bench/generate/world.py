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
from redwell.bench.generate.names import Company as Company
from redwell.bench.generate.names import Person as Person
from redwell.bench.key import Split

T = TypeVar("T")


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
    """All sums in whole `currency`. `price` is the equity price of all `shares`, fully diluted."""

    structure: str  # merger, share purchase, asset purchase
    merger_form: str  # "reverse triangular merger", ...; "" for no merger
    price: int
    currency: str
    signing: date
    as_of: date
    closing: date
    outside: date
    materiality: int
    shares: int

    @property
    def per_share(self) -> float:
        return self.price / self.shares


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


_SECTORS: tuple[tuple[str, str, str, tuple[str, ...]], ...] = (
    ("industrial technology", "manufacturing", "instruments for process measurement", ("flow meter", "level sensor", "gas analyser", "control unit")),
    ("enterprise software", "software", "planning software for field service teams", ("dispatch suite", "parts planner", "mobile client", "reporting module")),
    ("medical devices", "health", "infusion and monitoring devices for hospitals", ("infusion pump", "bedside monitor", "dosing controller", "telemetry gateway")),
    ("specialty chemicals", "chemicals", "coatings and resins for industrial use", ("marine coating", "epoxy resin", "primer line", "curing agent")),
    ("food production", "food", "chilled and frozen meals for retailers", ("frozen entree line", "soup range", "sauce range", "bakery line")),
    ("logistics", "logistics", "temperature-controlled warehousing and freight", ("cold storage service", "reefer fleet", "cross-dock service", "tracking portal")),
    ("aerospace components", "aerospace", "structural and avionics components", ("actuator", "wing rib kit", "air data computer", "fastening system")),
    ("telecommunications", "telecom", "fibre and wireless networks for business", ("metro fibre service", "fixed wireless service", "voice platform", "private network")),
    ("energy services", "energy", "maintenance and metering for power producers", ("turbine service", "metering platform", "grid controller", "inspection drone")),
    ("consumer retail", "retail", "outdoor equipment sold in stores and online", ("tent line", "footwear line", "online store", "loyalty programme")),
)  # fmt: skip

_OFFICERS = {
    "ceo": "Chief Executive Officer",
    "cfo": "Chief Financial Officer",
    "gc": "General Counsel",
    "cto": "Chief Technology Officer",
    "chro": "Chief Human Resources Officer",
    "controller": "Controller",
}


def make_world(seed: str, split: Split) -> World:
    """The company, its people and its deal, with a few contracts, debts, rights, sites, claims, policies, employees and holders.

    `split` changes nothing but the wordings that a room may use; `population.py` makes more of everything where a room is large.
    """
    rng = random.Random(f"{seed}/world")
    taken: set[str] = set()
    sector, trade, business, products = pick(rng, _SECTORS)
    target = names.company(rng, taken, trade)
    while not target.name.endswith(("Inc.", "Corporation", "Corp.")):
        target = names.company(rng, taken, trade)
    target = Company(target.name, target.short, "Delaware", target.domain)
    brands = [names.company(rng, taken, trade).short.split()[0] for _ in products]
    deal = _deal(rng)
    world = World(
        seed=seed,
        split=split,
        target=target,
        buyer=names.company(rng, taken, trade),
        seller=names.company(rng, taken, "fund"),
        sector=sector,
        business=business,
        deal=deal,
        figures=_figures(rng, deal),
        officers={key: names.person(rng, taken, title, target) for key, title in _OFFICERS.items()},
        directors=[names.person(rng, taken, "Director", target) for _ in range(rng.randrange(4, 8))],
        subsidiaries=[
            Company(f"{target.short} {part}, {form}", f"{target.short} {part}", law, target.domain)
            for part, form, law in rng.sample(
                [
                    ("Operations", "LLC", "Delaware"),
                    ("Services", "Inc.", "Nevada"),
                    ("International", "Ltd.", "England and Wales"),
                    ("Holdings", "LLC", "Delaware"),
                    ("Canada", "ULC", "British Columbia"),
                    ("Europe", "B.V.", "the Netherlands"),
                ],
                rng.randrange(2, 5),
            )
        ],
        products=[f"{brand} {product}" for brand, product in zip(brands, products, strict=True)],
        taken=taken,
    )
    _settle(world)
    return world


def _deal(rng: random.Random) -> Deal:
    price = round(150e6 * (16 ** rng.random()) / 5e6) * 5_000_000
    as_of = date(rng.randrange(2024, 2027), rng.randrange(1, 13), rng.randrange(1, 29))
    signing = as_of - timedelta(days=rng.randrange(20, 46))
    return Deal(
        structure="merger",
        merger_form=rng.choice(("reverse triangular merger",) * 3 + ("forward triangular merger",)),
        price=price,
        currency="USD",
        signing=signing,
        as_of=as_of,
        closing=as_of + timedelta(days=rng.randrange(60, 121)),
        outside=signing + timedelta(days=rng.randrange(210, 301)),
        materiality=max(100_000, round(price * 0.001 / 50_000) * 50_000),
        shares=round(price / rng.choice((4, 5, 8, 10, 12.5, 16, 20, 25, 40))),
    )


def _figures(rng: random.Random, deal: Deal) -> Figures:
    """Sums to the hundred thousand, so that they read well in millions."""
    ebitda = round(deal.price / rng.uniform(8, 15) / 1e5) * 100_000
    revenue = round(ebitda / rng.uniform(0.12, 0.28) / 1e5) * 100_000
    return Figures(
        year=deal.signing.year - 1,
        revenue=revenue,
        ebitda=ebitda,
        cash=round(revenue * rng.uniform(0.03, 0.1) / 1e5) * 100_000,
        working_capital=round(revenue * rng.uniform(0.06, 0.16) / 1e5) * 100_000,
        multiple=round(deal.price / ebitda, 2),
    )


def _settle(world: World) -> None:
    """The few of each thing that every room has, whatever its size."""
    rng = world.rng("settle")
    target = world.target
    for kind, title, folder in (
        ("customer", "Customer Agreement", "6.1"),
        ("customer", "Service Agreement", "6.1"),
        ("supplier", "Component Supply Agreement", "6.2"),
        ("channel", "Distribution Agreement", "6.3"),
    ):
        world.contracts.append(
            Contract(
                world.company(rng),
                title,
                kind,
                world.past(rng, (0.5, 4)),
                world.ahead(rng, (0.5, 4)),
                world.sum(rng, 0.002, 0.01, 10_000),
                "No",
                folder,
            )
        )
    world.debts.append(
        Debt(
            world.company(rng, "bank"),
            "Revolving Credit Agreement",
            world.sum(rng, 0.03, 0.1, 1_000_000),
            world.past(rng, (1, 3)),
            world.ahead(rng, (1, 4)),
        )
    )
    for number, product in enumerate(world.products):
        inventor = world.person(rng, "Principal Engineer")
        filed = world.past(rng, (3, 9))
        world.rights.append(
            Right(
                "patent",
                f"Method and apparatus for the {product.split(' ', 1)[1]}",
                f"US {rng.randrange(9, 12)},{rng.randrange(100, 1000)},{rng.randrange(100, 1000)}",
                target.name,
                filed,
                "Granted",
                (inventor,),
            )
        )
        if number < 2:
            mark = f"{rng.randrange(4, 8)},{rng.randrange(100, 1000)},{rng.randrange(100, 1000)}"
            world.rights.append(
                Right("mark", product.split()[0].upper(), mark, target.name, world.past(rng, (2, 8)), "Registered")
            )
    for use, owned in (("headquarters", False), ("plant", True), ("warehouse", False)):
        place = world.place(rng)
        world.sites.append(
            Site(
                f"{place.city} {use}",
                place,
                use,
                owned,
                None if owned else world.company(rng, "landlord"),
                target.name,
                rng.randrange(20, 240) * 1000,
                0 if owned else world.sum(rng, 0.0004, 0.002),
                None if owned else world.ahead(rng, (2, 8)),
            )
        )
    opponent = world.company(rng)
    world.claims.append(
        Claim(
            f"{opponent.short} v. {target.short}",
            opponent.name,
            "Superior Court",
            claimed := world.sum(rng, 0.0005, 0.002),
            claimed,
            "Discovery",
        )
    )
    begins = world.past(rng, (0.3, 0.7))
    for line in ("General liability", "Property", "Directors and officers", "Cyber"):
        world.policies.append(
            Policy(
                line,
                world.company(rng, "insurer"),
                world.code(rng, "P-", 7),
                begins,
                begins + timedelta(days=365),
                rng.choice((5, 10, 20, 25)) * 1_000_000,
                rng.choice((50, 100, 250)) * 1000,
            )
        )
    for person in world.officers.values():
        world.employees.append(
            Employee(
                person, world.sites[0].name, world.past(rng, (1, 9)), round(rng.uniform(180_000, 480_000) / 1000) * 1000
            )
        )
    for title in ("Plant Manager", "Sales Director", "Quality Manager", "Buyer", "Technician", "Accountant"):
        world.employees.append(
            Employee(
                world.person(rng, title),
                pick(rng, world.sites).name,
                world.past(rng, (0.5, 9)),
                round(rng.uniform(60_000, 150_000) / 500) * 500,
                exempt=title != "Technician",
            )
        )
    rest = world.deal.shares
    for name, share_class, part in (
        (world.seller.name, "Series A Preferred", 0.55),
        (world.officers["ceo"].name, "Common", 0.17),
        (world.officers["cto"].name, "Common", 0.08),
        ("Employees under the equity plan", "Options", 0.1),
    ):
        shares = round(world.deal.shares * part)
        world.holders.append(Holder(name, share_class, shares))
        rest -= shares
    world.holders.append(Holder(world.company(rng, "fund").name, "Series A Preferred", rest))


def pick(rng: random.Random, items: Sequence[T]) -> T:
    """One of them."""
    return items[rng.randrange(len(items))]
