"""Papers that plant nothing: the everyday contracts, minutes, letters, reports, decks and books of the target.

What they tell goes into the world first (a contract, an employee, a site), so that the registers list it.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import date, timedelta

from redwell.bench.generate import books, office
from redwell.bench.generate.papers import (
    FOLDERS,
    Block,
    Change,
    Clause,
    FileKind,
    Filler,
    Heading,
    Paper,
    Para,
    Rows,
    Sign,
    Signatures,
)
from redwell.bench.generate.world import Claim, Company, Contract, Employee, Person, Right, Site, World, pick
from redwell.bench.generate.writing import both, money, month_year, us_date

_CONFORMED = " (Conformed Copy)"
SILENT = ("assignment", "control", "exclusivity", "pricing")
"""Topics on which everyday contracts do not let the running text speak: what is said there is planted, or harmless and said here."""


@dataclass(frozen=True, slots=True)
class Meeting:
    day: date
    body: str
    subject: str
    paper: str  # its id


@dataclass(slots=True)
class Everyday:
    """The papers so far, and the meetings that the minute index must list."""

    world: World
    papers: list[Paper] = field(default_factory=list)
    meetings: list[Meeting] = field(default_factory=list)

    def add(self, kind: FileKind) -> None:
        """One more paper of this kind of file."""
        number = len(self.papers) + 1
        rng = self.world.rng(f"everyday/{number}")
        makers = _MAKERS[kind]
        make = makers[rng.randrange(len(makers))]
        paper = make(self, rng)
        paper.id = f"everyday-{number}"
        paper.kinds = (kind,)
        if make is _minutes:
            self.meetings[-1] = replace(self.meetings[-1], paper=paper.id)
        self.papers.append(paper)

    def add_again(self, rng: random.Random, way: str) -> bool:
        """A second version of an earlier paper: `draft` (unsigned and older) or `newer` (the same words under a later date). False where none
        is fit for it."""
        number = len(self.papers) + 1
        fit = [
            paper
            for paper in self.papers
            if paper.day and paper.kinds == ("docx",) and not paper.status and _CONFORMED not in paper.title
        ]
        if way == "draft":
            fit = [paper for paper in fit if any(isinstance(block, Signatures) for block in paper.blocks)]
        if not fit:
            return False
        of = pick(rng, fit)
        day = of.day or self.world.deal.as_of
        blocks = list(of.blocks)
        if way == "draft":
            blocks = [_unsigned(block) for block in blocks]
            day -= timedelta(days=rng.randrange(10, 60))
        else:
            day = min(day + timedelta(days=rng.randrange(3, 30)), self.world.deal.as_of)
        status = "draft" if way == "draft" else ""
        title = of.title if way == "draft" else of.title + _CONFORMED
        again = replace(of, id=f"everyday-{number}", title=title, day=day, blocks=blocks, status=status, copies=())
        self.papers.append(again)
        return True


def _unsigned(block: Block) -> Block:
    if isinstance(block, Signatures):
        return Signatures(tuple(replace(line, name="", title="", signed=False, day=None) for line in block.lines))
    return block


# --- contracts


def _contract(every: Everyday, rng: random.Random) -> Paper:
    """A contract of the ordinary kind; its parties may go on whoever owns the target."""
    world = every.world
    kind, titles, folder, trade, low, high = pick(
        rng,
        (
            ("customer", ("Sales Agreement", "Service Agreement", "Master Purchase Agreement", "Support Agreement", "Rental Agreement"), "6.1", "", 0.0003, 0.004),
            ("customer", ("Order Agreement", "Framework Order", "Maintenance Agreement"), "6.1", "", 0.0003, 0.003),
            ("supplier", ("Supply Agreement", "Purchase Agreement", "Tolling Agreement", "Freight Services Agreement"), "6.2", "supply", 0.0003, 0.003),
            ("supplier", ("Cleaning Services Agreement", "Catering Agreement", "Security Services Agreement", "Waste Collection Agreement"), "6.2", "staffing", 0.0001, 0.0005),
            ("channel", ("Reseller Agreement", "Referral Agreement", "Dealer Agreement"), "6.3", "", 0.0002, 0.002),
            ("licence", ("Software Licence", "Subscription Agreement", "Content Licence"), "7.3", "software", 0.0001, 0.001),
            ("nda", ("Confidentiality Agreement", "Mutual Non-Disclosure Agreement"), "1.5", "fund", 0, 0),
        ),
    )  # fmt: skip
    contract = Contract(
        world.company(rng, trade),
        pick(rng, titles),
        kind,
        world.past(rng, (0.3, 5)),
        world.ahead(rng, (0.6, 4)),
        world.sum(rng, low, high, 1000) if high else 0,
        rng.choice(("No", "Not reviewed")),
        folder,
    )
    world.contracts.append(contract)
    party, ours = contract.party, world.target
    signer = world.person(rng, pick(rng, ("President", "Managing Director", "Vice President", "Director")), party)
    expires = us_date(contract.expires or world.deal.as_of)
    blocks: list[Block] = [
        Para(
            pick(
                rng,
                (
                    f"{contract.title} of {us_date(contract.signed)} between {ours.name} and {party.name}, a company under the law of {party.law}.",
                    f"{ours.name} and {party.name} ({party.law}) have entered into this {contract.title} on {us_date(contract.signed)}.",
                    f"Parties: {ours.name}; {party.name}, organised under the law of {party.law}. Date: {us_date(contract.signed)}.",
                ),
            )
        ),
        Clause("Subject", pick(rng, _SUBJECTS[kind]).format(us=ours.short, them=party.short, what=world.business)),
        Clause(
            "Duration",
            pick(
                rng,
                (
                    f"It begins on the date above and runs to {expires}.",
                    f"The fixed period ends on {expires}; the parties may prolong it in writing.",
                ),
            ),
        ),
    ]
    if contract.annual:
        blocks.append(
            Clause(
                "Charges",
                pick(
                    rng,
                    (
                        f"Charges come to about {money(contract.annual)} a year, invoiced monthly and due in {both(rng.choice((30, 45)))} days.",
                        f"The parties budget {money(contract.annual)} a year; actual charges follow the price list in force when an order is placed.",
                    ),
                ),
            )
        )
    if rng.random() < 0.12:
        days, before = rng.sample((20, 30, 45, 60), 2)
        blocks.append(
            Change(
                "Either side answers a question of the other about deliveries within ",
                both(before),
                both(days),
                " days.",
                signer.name,
            )
        )
    if rng.random() < 0.4:
        blocks.append(Clause("Successors", pick(rng, _SUCCESSORS)))
    ceo = world.officers["ceo"]
    blocks += [
        Filler("contract"),
        Signatures(
            (
                Sign(ours.name, ceo.name, ceo.title, day=contract.signed),
                Sign(party.name, signer.name, signer.title, day=contract.signed),
            )
        ),
    ]
    return Paper(
        "",
        f"{contract.title} - {party.short}",
        folder,
        contract.signed,
        blocks,
        avoid=(*SILENT, "term", "payment"),
        parties=(ours.name, party.name),
    )


_SUBJECTS = {
    "customer": (
        "{us} delivers goods and services to {them} as ordered from time to time.",
        "{them} buys from {us} what its orders describe, for use in its own business.",
        "{us} supplies {what} to {them} and looks after them once installed.",
    ),
    "supplier": (
        "{them} provides {us} with the goods or services that {us} calls off in writing.",
        "{us} may order from {them}; no quantity is promised on either side.",
    ),
    "channel": (
        "{them} may offer the products of {us} to its own customers, beside those of others.",
        "{them} introduces customers to {us} and receives a fee for orders that follow.",
    ),
    "licence": (
        "{them} lets {us} use its standard product for internal business purposes.",
        "{us} subscribes to a standard service of {them} for its staff.",
    ),
    "nda": (
        "{us} and {them} exchange information to find out whether they wish to do business.",
        "Each of {us} and {them} keeps to itself what it learns of the other in their talks.",
    ),
}
_SUCCESSORS = (
    "Either party may pass this agreement on to whoever takes over its business, by merger or otherwise, and tells the other so.",
    "A successor to the whole of a party's business steps into this agreement without further act.",
    "A sale of a party's shares leaves this agreement as it is.",
)


def _employment(every: Everyday, rng: random.Random) -> Paper:
    world = every.world
    title = pick(
        rng,
        ("Sales Manager", "Line Supervisor", "Software Developer", "Buyer", "Controller Assistant", "Field Technician", "Marketing Specialist", "Planner"),
    )  # fmt: skip
    person = world.person(rng, title)
    started = world.past(rng, (0.3, 9))
    salary = round(rng.uniform(52_000, 160_000) / 500) * 500
    world.employees.append(Employee(person, world.sites[0].name, started, salary))
    hr = world.officers["chro"]
    return Paper(
        "",
        f"Employment Agreement - {person.name}",
        "9.1",
        started,
        [
            Para(f"{world.target.name} employs {person.name} as {title} from {us_date(started)}."),
            Clause("Pay", f"The yearly salary is {money(salary)}, paid in equal parts every second week."),
            Clause("Leave", f"{person.last} has {both(rng.randrange(15, 26))} days of paid leave in each calendar year."),
            Clause(
                "Inventions",
                f"{person.name} hereby assigns to {world.target.name} all rights in what {person.last} invents or writes in the course of the work.",
            ),
            Filler("contract"),
            Signatures(
                (
                    Sign(world.target.name, hr.name, hr.title, day=started),
                    Sign(person.name, person.name, title, day=started),
                )
            ),
        ],
        avoid=(*SILENT, "employment", "ip", "termination", "payment"),
        parties=(world.target.name, person.name),
    )  # fmt: skip


def _lease(every: Everyday, rng: random.Random) -> Paper:
    world = every.world
    place, landlord = world.place(rng), world.company(rng, "landlord")
    use = pick(rng, ("sales office", "depot", "service centre", "storage unit"))
    signed, expires = world.past(rng, (0.5, 6)), world.ahead(rng, (0.6, 6))
    site = Site(
        f"{place.city} {use}",
        place,
        use,
        False,
        landlord,
        world.target.name,
        rng.randrange(2, 40) * 1000,
        world.sum(rng, 0.00005, 0.0006, 500),
        expires,
    )
    world.sites.append(site)
    return Paper(
        "",
        f"Lease - {site.name}",
        "11.1",
        signed,
        [
            Para(f"{landlord.name} lets to {world.target.name} the premises at {place.address}, from {us_date(signed)}."),
            Clause("Premises", f"The premises measure {site.area:,} square feet and serve as a {use}."),
            Clause("Rent and period", f"Rent is {money(site.rent)} a year in monthly parts. The lease ends on {us_date(expires)}."),
            Clause("Owners of the tenant", "Who owns the tenant is of no concern to the landlord."),
            Filler("contract"),
            Signatures(
                (
                    Sign(landlord.name, world.person(rng, "Manager", landlord).name, "Manager", day=signed),
                    Sign(world.target.name, world.officers["cfo"].name, "Chief Financial Officer", day=signed),
                )
            ),
        ],
        avoid=(*SILENT, "term", "payment"),
        parties=(landlord.name, world.target.name),
    )  # fmt: skip


def _data_addendum(every: Everyday, rng: random.Random) -> Paper:
    world = every.world
    vendor = world.company(rng, "software")
    day = world.past(rng, (0.3, 3))
    return _signed(
        every,
        rng,
        f"Data Processing Addendum - {vendor.short}",
        "8.2",
        day,
        vendor,
        [
            Para(f"{vendor.name} handles personal data for {world.target.name} under this addendum of {us_date(day)}."),
            Clause(
                "Instructions",
                f"{vendor.short} acts only on written instructions and tells {world.target.short} of any breach within {both(rng.choice((24, 36, 48)))} hours.",
            ),
            Clause("Return", "At the end all data is given back or deleted, and this is confirmed in writing."),
            Filler("contract"),
        ],
        (*SILENT, "privacy"),
    )


def _invention(every: Everyday, rng: random.Random) -> Paper:
    """A patent with its executed assignment."""
    world = every.world
    inventor = world.person(rng, "Engineer")
    filed = world.past(rng, (2, 10))
    number = f"US {rng.randrange(8, 12)},{rng.randrange(100, 1000)},{world.code(rng, digits=3)}"
    name = f"{pick(rng, ('Improved', 'Compact', 'Adjustable', 'Low-power'))} {pick(rng, ('housing', 'bracket', 'connector', 'enclosure', 'mounting'))} for the {pick(rng, world.products)}"
    world.rights.append(Right("patent", name, number, world.target.name, filed, "Granted", (inventor,)))
    return Paper(
        "",
        f"Executed Assignment {number} - {inventor.name}",
        "7.2",
        filed,
        [
            Para(f"For good consideration {inventor.name} hereby assigns to {world.target.name} all right in {number}, {name}."),
            Filler("letter"),
            Signatures((Sign(inventor.name, inventor.name, "Inventor", day=filed),)),
        ],
        avoid=(*SILENT, "ip"),
        parties=(inventor.name, world.target.name),
    )  # fmt: skip


def _signed(
    every: Everyday,
    rng: random.Random,
    title: str,
    folder: str,
    day: date,
    other: Company,
    blocks: list[Block],
    avoid: tuple[str, ...],
) -> Paper:
    """A paper between the target and another, signed by both."""
    world = every.world
    signer = world.person(rng, "Authorised Signatory", other)
    ours = world.officers["cfo"]
    signs = Signatures(
        (Sign(world.target.name, ours.name, ours.title, day=day), Sign(other.name, signer.name, signer.title, day=day))
    )
    return Paper("", title, folder, day, [*blocks, signs], avoid=avoid, parties=(world.target.name, other.name))


# --- papers of the company itself


def _minutes(every: Everyday, rng: random.Random) -> Paper:
    world = every.world
    body = pick(
        rng,
        (
            "Safety Committee",
            "Quality Committee",
            "Investment Committee",
            *(f"Managers of {sub.short}" for sub in world.subsidiaries),
        ),
    )
    day = world.past(rng, (0.2, 3))
    while any(meeting.day == day and meeting.body == body for meeting in every.meetings):
        day -= timedelta(days=7)
    subject = pick(rng, ("Regular meeting", "Review of the quarter", "Training and procedures", "Calendar and budget"))
    every.meetings.append(Meeting(day, body, subject, ""))
    chair = pick(rng, list(world.officers.values()))
    return Paper(
        "",
        f"Minutes of the {body} - {us_date(day)}",
        "2.2",
        day,
        [
            Para(f"{body} of {world.target.name}, {us_date(day)}. {subject}. In the chair: {chair.name}."),
            Filler("minutes"),
            Signatures((Sign(body, chair.name, "Chair", day=day),)),
        ],
        avoid=SILENT,
        parties=(world.target.name,),
    )


def _policy(every: Everyday, rng: random.Random) -> Paper:
    subject, folder = pick(
        rng,
        (
            ("Travel and Expense", "9.3"), ("Clean Desk", "8.1"), ("Visitor", "11.1"), ("Vehicle Use", "9.3"), ("Document Numbering", "2.2"), ("Purchasing Card", "3.5"),
            ("Workplace Safety", "12.2"), ("Password", "8.1"), ("Mobile Device", "8.1"), ("Works Clothing", "9.3"), ("Change Management", "7.5"), ("Complaint Handling", "16.1"),
        ),
    )  # fmt: skip
    day = world_day = every.world.past(rng, (0.3, 4))
    number = every.world.code(rng, "POL-", 4)
    return Paper(
        "",
        f"{subject} Policy{_told(rng, number, day)}",
        folder,
        world_day,
        [Para(f"{subject} Policy of {every.world.target.name}, number {number}, in force from {us_date(day)}."), Filler("policy")],
        avoid=SILENT,
        parties=(every.world.target.name,),
    )  # fmt: skip


def _report(every: Everyday, rng: random.Random) -> Paper:
    world = every.world
    subject, folder = pick(
        rng,
        (
            ("Product Test Report", "16.1"), ("Customer Satisfaction Survey", "3.5"), ("Facility Condition Walkthrough", "11.2"), ("Internal Quality Audit", "16.1"),
            ("Ergonomics Review", "12.1"), ("Network Capacity Report", "7.5"), ("Warehouse Flow Study", "7.5"), ("Market Notes", "1.5"), ("Packaging Trial", "16.1"),
        ),
    )  # fmt: skip
    day = world.past(rng, (0.2, 4))
    number = world.code(rng, "R-", 5)
    about = pick(rng, world.products) if folder == "16.1" else pick(rng, world.sites[:3]).name
    return Paper(
        "",
        f"{subject}{_told(rng, number, day)} - {about}",
        folder,
        day,
        [Para(f"{subject} {number}, {us_date(day)}: {about}."), Filler("report")],
        avoid=SILENT,
        parties=(world.target.name,),
    )


def _letter(every: Everyday, rng: random.Random) -> Paper:
    world = every.world
    other = world.company(rng)
    day = world.past(rng, (0.1, 3))
    writer = world.person(rng, pick(rng, ("Account Manager", "Office Manager", "Key Account Lead")), other)
    subject, folder = pick(
        rng,
        (
            ("Change of Bank Details", "6.5"), ("Holiday Closing", "6.5"), ("New Contact", "6.5"), ("Thanks for the Visit", "6.5"), ("Product Catalogue", "6.5"),
            ("Invitation to Bid", "6.5"), ("Reference Letter", "6.5"), ("Delivery Windows", "6.5"), ("Request for Brochures", "1.5"),
        ),
    )  # fmt: skip
    return Paper(
        "",
        f"{subject} - {other.short}",
        folder,
        day,
        [
            Para(f"{other.name} to {world.target.name}, {us_date(day)}"),
            Filler("letter"),
            Signatures((Sign(other.name, writer.name, writer.title, day=day),)),
        ],
        avoid=SILENT,
        parties=(other.name, world.target.name),
    )


def _accounts(every: Everyday, rng: random.Random) -> Paper:
    world = every.world
    sub = pick(rng, world.subsidiaries)
    day = world.past(rng, (0.2, 5))
    number = world.code(rng, "MR-", 4)
    return Paper(
        "",
        f"Management Report - {sub.short} - {month_year(day)}",
        "3.5",
        day,
        [Para(f"Management report of {sub.name} for {month_year(day)}, number {number}."), Filler("accounts")],
        avoid=SILENT,
        parties=(sub.name,),
    )


def _closed_matter(every: Everyday, rng: random.Random) -> Paper:
    world = every.world
    other = world.company(rng)
    day = world.past(rng, (0.6, 4))
    matter = f"{other.short} v. {world.target.short}"
    world.claims.append(Claim(matter, other.name, "District Court", 0, 0, "Closed"))
    return _signed(
        every,
        rng,
        f"Stipulation of Dismissal - {other.short}",
        "10.2",
        day,
        other,
        [
            Para(f"{matter}. The parties stipulate on {us_date(day)} that the matter is dismissed with prejudice, each side bearing its own costs."),
            Filler("letter"),
        ],
        SILENT,
    )  # fmt: skip


def _inspection(every: Everyday, rng: random.Random) -> Paper:
    world = every.world
    site = pick(rng, world.sites[:3])
    day = world.past(rng, (0.1, 3))
    number = world.code(rng, "FC-", 5)
    return Paper(
        "",
        f"Fire Extinguisher Inspection{_told(rng, number, day)} - {site.place.city}",
        "12.2",
        day,
        [
            Para(f"Fire extinguishers at {site.place.address} were inspected on {us_date(day)} and found in order; record {number}."),
            Filler("report"),
        ],
        avoid=SILENT,
        parties=(world.target.name,),
    )  # fmt: skip


def _office(every: Everyday, rng: random.Random) -> Paper:
    """Paperwork of any folder, so that none holds only what is planted."""
    world = every.world
    folder = pick(rng, sorted(office.SUBJECTS))
    subject, of = pick(rng, office.SUBJECTS[folder])
    day = world.past(rng, (0.1, 4))
    number = world.code(rng, digits=4)
    writer = pick(rng, list(world.officers.values()))
    first = pick(
        rng,
        (
            f"{subject} {number} of {world.target.name}, {us_date(day)}.",
            f"{world.target.name}, {us_date(day)}: {subject}, number {number}, kept by the office of {writer.name}.",
            f"No. {number}. {subject}. Issued {us_date(day)} by {writer.name}, {writer.title}.",
        ),
    )
    return Paper(
        "",
        f"{subject}{_told(rng, number, day)}",
        folder,
        day,
        [Para(first), Filler(of)],
        avoid=SILENT,
        parties=(world.target.name,),
    )


# --- mails, slides, books


def _mail(every: Everyday, rng: random.Random) -> Paper:
    world = every.world
    people = [*world.officers.values(), *(employee.person for employee in world.employees[6:12])]
    sender, to = rng.sample(people, 2)
    day = world.past(rng, (0.05, 2))
    subject, first = pick(
        rng,
        (
            ("Agenda for Thursday", "here is the agenda for Thursday; tell me if a point is missing."),
            ("Room booking", "the large room is booked for the morning, the small one for the afternoon."),
            ("Slides for the town hall", "the slides are nearly done; two figures still come from operations."),
            ("Travel next week", "I am at the plant from Tuesday to Thursday and back on Friday."),
            ("Printer on the second floor", "the printer has been replaced and is on the list again."),
            ("Visit of the auditors", "the auditors come on Monday for the stock count and need badges."),
            ("Catalogue proof", "page 12 of the proof still has the old picture."),
            ("Training dates", "the dates for the autumn courses are fixed."),
            ("Lunch with the new colleagues", "could we meet in the canteen at noon?"),
            ("Minutes to follow", "I shall send my notes of this morning by the end of the week."),
            ("Phone numbers", "please check your line in the telephone list."),
            ("Photographs for the catalogue", "the photographer comes on Wednesday and needs the small hall."),
            ("Out of office", "I am away until Monday; my deputy answers in the meantime."),
            ("Translation of the manual", "the translators ask for two more days."),
            ("Badge for a visitor", "please have a badge ready at the gate."),
            ("Newsletter", "your text for the newsletter is wanted by Tuesday."),
            ("Calendar for the quarter", "the meeting days of the quarter are in the shared calendar."),
            ("Stationery", "the order for stationery goes out tomorrow."),
            ("Site tour", "the tour begins at the gate at nine."),
            ("Thank you", "thank you for looking after our guests yesterday."),
        ),
    )
    return Paper(
        "",
        subject,
        pick(rng, sorted(FOLDERS)),
        day,
        [Para(f"Hello {to.first},"), Para(first), Filler("letter"), Para(f"Regards, {sender.first}")],
        avoid=SILENT,
        parties=(world.target.name,),
        sender=sender.email,
        to=to.email,
    )


def _deck(every: Everyday, rng: random.Random) -> Paper:
    world = every.world
    day = world.past(rng, (0.1, 2))
    subject, folder = pick(
        rng,
        (
            ("Operations Review", "3.5"),
            ("Sales Training", "1.5"),
            ("Product Roadmap Overview", "7.5"),
            ("Safety Week", "12.2"),
            ("Onboarding", "9.3"),
        ),
    )
    number = world.code(rng, digits=4)
    blocks: list[Block] = [Para(f"{world.target.name}, {us_date(day)}")]
    for heading, bullets in rng.sample(_SLIDES, rng.randrange(4, len(_SLIDES) + 1)):
        blocks.append(Heading(heading))
        blocks += [Para(bullet.format(a=rng.randrange(60, 99), b=rng.randrange(2, 20), product=pick(rng, world.products), site=pick(rng, world.sites[:3]).name)) for bullet in bullets]  # fmt: skip
    blocks += [Heading("Background"), Filler("report")]
    return Paper(
        "", f"{subject}{_told(rng, number, day)}", folder, day, blocks, avoid=SILENT, parties=(world.target.name,)
    )


_SLIDES = [
    ("Where we are", ("On-time delivery at {a} per cent", "{b} new articles in the catalogue", "Shift plan agreed at {site}")),
    ("What customers say", ("{a} of 100 would buy again", "Most asked for: shorter manuals", "{product} praised for easy cleaning")),
    ("People", ("{b} colleagues joined", "Suggestion box opened at {site}", "Language courses go on")),
    ("Quality", ("First-pass yield {a} per cent", "{b} audits passed", "Calibration up to date")),
    ("Next steps", ("Walk the floor every Monday", "Update the manual of the {product}", "Review again in {b} weeks")),
    ("Logistics", ("{a} per cent of pallets scanned", "Two docks repainted at {site}", "Carrier scorecards sent out")),
    ("Tools", ("New label printer in use", "{b} scripts retired", "Help pages rewritten")),
]  # fmt: skip


def _told(rng: random.Random, number: str, day: date) -> str:
    """What sets papers of one subject apart in their titles: a number, a month, a day, or nothing."""
    return pick(rng, (f" {number}", f" {month_year(day)}", f" - {us_date(day)}", ""))


def _book(every: Everyday, rng: random.Random) -> Paper:
    return _rows(every, rng, books.BOOKS)


def _log(every: Everyday, rng: random.Random) -> Paper:
    return _rows(every, rng, books.LOGS)


def _rows(every: Everyday, rng: random.Random, of: dict[str, books.Book] | dict[str, books.Log]) -> Paper:
    world = every.world
    name = pick(rng, sorted(of))
    day = world.past(rng, (0.1, 3))
    number = world.code(rng, digits=4)
    title = of[name].title.format("").strip() + _told(rng, f"{day.year}-{day.month:02}", day)
    return Paper(
        "",
        title,
        pick(rng, of[name].folders),
        day,
        [Rows(name, f"{world.seed}/{number}")],
        parties=(world.target.name,),
    )


_Maker = Callable[[Everyday, random.Random], Paper]
_MAKERS: dict[FileKind, tuple[_Maker, ...]] = {
    "docx": (_contract,) * 8
    + (_employment,) * 3
    + (_lease, _data_addendum, _invention, _minutes, _policy, _policy, _report, _report, _letter, _letter)
    + (_accounts, _closed_matter, _inspection)
    + (_office,) * 16,
    "xlsx": (_book,),
    "eml": (_mail,),
    "pptx": (_deck,),
    "txt": (_log,),
}
"""A maker that stands there more often makes more papers."""


def staff(world: World, count: int) -> None:
    """So many more employees for the census, whose papers are not in the room."""
    rng = world.rng("staff")
    titles = ("Operator", "Clerk", "Technician", "Engineer", "Assistant", "Driver", "Analyst", "Specialist")
    for _ in range(count):
        title = pick(rng, titles)
        person = Person("", "", title, "")
        person = world.person(rng, title)
        world.employees.append(
            Employee(person, pick(rng, world.sites[:3]).name, world.past(rng, (0.2, 12)), round(rng.uniform(38_000, 120_000) / 500) * 500)
        )  # fmt: skip
