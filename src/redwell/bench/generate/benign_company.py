"""Everyday papers of the target itself: minutes, policies, reports, letters, paperwork, mails, slides, books and logs."""

from __future__ import annotations

import random
from datetime import date, timedelta

from redwell.bench.generate import books
from redwell.bench.generate.everyday import SILENT, Everyday, Meeting
from redwell.bench.generate.office import SUBJECTS
from redwell.bench.generate.papers import (
    FOLDERS,
    Block,
    Filler,
    Heading,
    Paper,
    Para,
    Rows,
    Sign,
    Signatures,
)
from redwell.bench.generate.world import pick
from redwell.bench.generate.writing import month_year, us_date


def minutes(every: Everyday, rng: random.Random) -> Paper:
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


def policy(every: Everyday, rng: random.Random) -> Paper:
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


def report(every: Everyday, rng: random.Random) -> Paper:
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


def letter(every: Everyday, rng: random.Random) -> Paper:
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


def accounts(every: Everyday, rng: random.Random) -> Paper:
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


def inspection(every: Everyday, rng: random.Random) -> Paper:
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


def office(every: Everyday, rng: random.Random) -> Paper:
    """Paperwork of any folder, so that none holds only what is planted."""
    world = every.world
    folder = pick(rng, sorted(SUBJECTS))
    subject, of = pick(rng, SUBJECTS[folder])
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


def mail(every: Everyday, rng: random.Random) -> Paper:
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


def deck(every: Everyday, rng: random.Random) -> Paper:
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


def book(every: Everyday, rng: random.Random) -> Paper:
    return _rows(every, rng, books.BOOKS)


def log(every: Everyday, rng: random.Random) -> Paper:
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
