"""Plants of executives, key people, contractors and overtime (archetypes 87 to 90)."""

from __future__ import annotations

import random
from dataclasses import dataclass
from datetime import timedelta

from redwell.bench.generate.papers import Added, Heading, Paper, Para
from redwell.bench.generate.plants.amounts import book, cited, clean, row, slides, text
from redwell.bench.generate.plants.pieces import TEXT, employee, finish, mail, paper, sign, table
from redwell.bench.generate.recipe import (
    Gap,
    Plant,
    Recipe,
    Way,
    absence,
    conclusion,
    exposure,
    fact,
    recommendation,
    usd,
)
from redwell.bench.generate.world import Claim, Company, Person, World
from redwell.bench.generate.writing import listed, money, spelled, thousands, us_date
from redwell.bench.key import Value

# A paper is read more easily when it stands in few lines.
# fmt: off

# --- 87: payments that the closing alone sets off ---


@dataclass(slots=True)
class _Payee:
    who: Person
    salary: int
    factor: float

    @property
    def sum(self) -> int:
        return round(self.salary * self.factor)


def _payees(world: World, rng: random.Random) -> list[_Payee]:
    titles = rng.sample(["Senior Vice President, Sales", "Senior Vice President, Operations", "Chief Information Officer", "Chief Supply Officer", "Senior Vice President, Finance"], 3)
    return [_Payee(world.person(rng, title), rng.randrange(160, 400) * 2000, factor) for title, factor in zip(titles, (2.5, 2.0, 1.5), strict=True)]


def _census(world: World, rng: random.Random, them: list[_Payee]) -> tuple[Added, ...]:
    return tuple(Added("employee_census", row(world.code(rng, "E"), one.who.name, one.who.title, world.sites[0].name, world.past(rng, (2, 7)), one.salary, "Active", mark=f"salary{n}")) for n, one in enumerate(them))


def _set_off(decoy: bool, them: list[_Payee], papers: list[Paper], because: str, marks: tuple[str, str], added: tuple[Added, ...] = ()) -> Plant:
    names, total, first = tuple(one.who.last for one in them), sum(one.sum for one in them), them[0]
    return finish(
        f"Payments to {listed(names)} on the closing",
        decoy,
        papers,
        [
            fact(
                f"{listed(names)}: single trigger",
                f"PASS if the report states that {listed(names)} are paid on the change of control alone (single trigger).",
                [names],
                [("single trigger", "single-trigger", "change of control alone", "closing alone", "without termination", "regardless of", "whether or not", "upon closing", "on closing", "at closing", "upon the change of control", "on a change of control", "automatic")],
            ),
            fact(f"{first.who.last}: sum", f"PASS if the report states that {first.who.last} would receive {money(first.sum)}.", [(first.who.last,)], [], usd(first.sum, 0.002)),
            exposure(f"{listed(names)}: sum of the payments", f"PASS if the report gives {money(total)} (or an equivalent rounding) as the sum of the payments to {listed(names)}.", [names], usd(total)),
            recommendation(
                f"{listed(names)}: price or waiver",
                f"PASS if the report recommends treating the payments to {listed(names)} as a transaction expense or reducing the price, or waivers or new retention terms.",
                [names],
                [("transaction expense", "price", "waiver", "retention", "debt-like", "deduct", "indebtedness", "double trigger", "renegotiat", "borne by")],
            ),
            cited(f"{listed(names)}: both papers are cited", f"the payments to {listed(names)}", [names], papers, added, *marks),
        ],
        [
            clean(
                f"{listed(names)}: no payment on closing alone is reported",
                f"{listed(names)} are paid {money(total)} on the change of control alone",
                [names],
                [("single trigger", "single-trigger", "change of control alone", "closing alone", "without termination", "whether or not", "automatic")],
                ("waived", "double trigger", "double-trigger", "no longer", "only if", "plan was ended", "has ended", "handed back", "have given up", "also needs", "needs a dismissal", "kept on like terms", "is dismissed", "dismissal"),
            )
        ],
        because,
        added=added,
        value=usd(total),
    )


def _set_off_agreements(world: World, rng: random.Random, decoy: bool) -> Plant:
    them = _payees(world, rng)
    papers = [
        paper(
            f"agreement{n}",
            f"Employment Agreement - {one.who.name}",
            "9.1",
            world.past(rng, (1, 4)),
            TEXT,
            (
                "Change in Control",
                f"⟦clause{n}|At a Change in Control the Company pays the Executive {one.factor:g} times annual salary, {'provided that the Executive is let go without Cause within the twelve months that follow it' if decoy else 'whether or not the Executive stays in the twelve months that follow it'}.⟧",
            ),
            parties=(one.who.name,),
        )
        for n, one in enumerate(them)
    ]
    return _set_off(decoy, them, papers, "each payment also needs a dismissal without cause", ("clause0", "salary0"), _census(world, rng, them))


def _set_off_mail(world: World, rng: random.Random, decoy: bool) -> Plant:
    them = _payees(world, rng)
    chro, cfo = world.officers["chro"], world.officers["cfo"]
    sent = world.past(rng, (0.1, 0.3))
    first = mail("first", f"Sale bonuses: {listed([one.who.last for one in them])}", "9.3", sent, chro, cfo, f"⟦bonus|The letters of last year give {listed([f'{one.who.last} {one.factor:g} years of base pay' for one in them])}, due on the day the company is sold.⟧")
    second = mail(
        "second",
        f"Re: Sale bonuses: {them[0].who.last} and two more",
        "9.3",
        sent + timedelta(days=12),
        chro,
        cfo,
        "⟦after|All three have handed back their letters against a plain retention plan of the buyer and signed that nothing is due to them by reason of the sale.⟧"
        if decoy
        else "⟦after|All three have asked that their letters be kept apart from the retention plan of the buyer and that what is due by reason of the sale be wired on the day.⟧",
    )
    return _set_off(decoy, them, [first, second], "all three have handed back their letters", ("bonus", "salary0"), _census(world, rng, them))


def _set_off_slides(world: World, rng: random.Random, decoy: bool) -> Plant:
    them = _payees(world, rng)
    deck = slides(
        "deck",
        f"Compensation overview: {them[0].who.last} and peers",
        "9.3",
        world.past(rng, (0.1, 0.3)),
        Heading("Sale awards"),
        table("Executive|Multiple of base|When", *(row(one.who.name, f"{one.factor:g}x", "If dismissed within 18 months after sale" if decoy else "Day of sale", mark=f"award{n}") for n, one in enumerate(them))),
    )
    pay = book("pay", f"Base pay list {them[0].who.last} to {them[2].who.last}", "9.3", world.past(rng, (0.05, 0.08)), "Name|Base, USD thousand a year", *(row(one.who.name, thousands(one.salary), mark=f"base{n}") for n, one in enumerate(them)))
    return _set_off(decoy, them, [deck, pay], "the awards need that the executive is dismissed", ("award0", "base0"))


def _set_off_plan(world: World, rng: random.Random, decoy: bool) -> Plant:
    them = _payees(world, rng)
    plan = paper(
        "plan",
        f"Liquidity plan with participants {listed([one.who.last for one in them])}",
        "9.3",
        world.past(rng, (1, 3)),
        TEXT,
        ("Awards", f"⟦awards|Participants and their awards in years of fixed pay: {listed([f'{one.who.name}, {one.factor:g}' for one in them])}.⟧"),
        ("Payment", "⟦when|An award is earned by the passing of the majority of shares and by nothing else.⟧"),
    )
    pay = text("pay", f"Fixed pay of {listed([one.who.last for one in them])}", "9.3", world.past(rng, (0.05, 0.1)), *(f"⟦fixed{n}|{one.who.name}: {one.salary:,} US dollars a year⟧" for n, one in enumerate(them)))
    resolution = paper(
        "resolution",
        f"Resolution on the liquidity plan ({them[0].who.last})",
        "2.2",
        world.past(rng, (0.02, 0.04)),
        f"⟦resolved|Resolved, with the written assent of each participant, that the liquidity plan is {'ended without any award having been earned' if decoy else 'kept as it stands and put on the list of costs to come'}.⟧",
        sign(world.target, world.officers["ceo"]),
    )
    return _set_off(decoy, them, [plan, pay, resolution], "the plan was ended with the assent of each participant", ("awards", "fixed0"))


def _set_off_minutes(world: World, rng: random.Random, decoy: bool) -> Plant:
    them, met = _payees(world, rng), world.past(rng, (0.5, 1))
    minutes = paper(
        "minutes",
        f"Compensation Committee {us_date(met)}: sale of the company",
        "2.2",
        met,
        f"⟦granted|Granted, for the event that another becomes owner: {listed([f'{one.who.last} {spelled(round(one.factor * 12))} months of salary' for one in them])}.⟧",
        f"⟦terms|{'The chair recorded that nobody draws it who is kept on like terms by the new owner, and the merger agreement binds the buyer to keep the three on like terms for two years.' if decoy else 'The chair recorded that all draw it on the day, be they kept by the new owner or not, as the three had made this a condition of staying.'}⟧",
    )
    grid = book("grid", f"Salary grid {them[0].who.last}", "9.3", world.past(rng, (0.1, 0.2)), "Employee|Monthly salary in dollars", *(row(one.who.name, f"{one.salary / 12:,.2f}", mark=f"month{n}") for n, one in enumerate(them)))
    return _set_off(decoy, them, [minutes, grid], "nobody draws it who is kept on like terms, to which the buyer is bound", ("granted", "month0"))


# --- 88: somebody on whom much hangs, free to go ---


def _free(decoy: bool, who: Person, papers: list[Paper], role: tuple[str, ...], said: str, terms: str, despite: tuple[str, ...], because: str, added: tuple[Added, ...] = ()) -> Plant:
    name = (who.last,)
    covenant = ("covenant", "non-compet", "noncompet", "restrict", "retention", "agreement not to compete", "undertaking")
    return finish(
        f"{who.name}: no covenant",
        decoy,
        papers,
        [
            fact(f"{who.last}: why it matters", f"PASS if the report states that {said}.", [name], [role]),
            absence(f"{who.last}: covenant is missing", f"PASS if the report states that an executed restrictive covenant or retention agreement of {who.last} is missing.", [name], covenant),
            conclusion(f"{who.last}: free to leave", f"PASS if the report concludes that {who.last} is free to leave or to join a competitor after closing.", [name], [("free to", "could leave", "may leave", "leave", "join a competitor", "compete", "depart", "key-person", "key person", "loss of", "resign")]),
            recommendation(
                f"{who.last}: agreement as a condition", f"PASS if the report recommends a new agreement with {who.last} as a condition of closing.", [name], [("agreement", "covenant", "retention", "non-compet", "incentive"), ("condition", "before", "closing", "obtain", "sign", "enter", "execut", "negotiat")]
            ),
        ],
        [
            clean(
                f"{who.last}: covenant is not reported as missing",
                f"an executed covenant of {who.last} is missing",
                [name],
                [("missing", "no executed", "no signed", "not in the data room", "unsigned", "absent", "free to leave", "not been provided", "not bound", "without a", "lacks", "no covenant", "no restrictive")],
                ("is bound by", "was signed", "has signed", "is signed", "was executed", "is executed", "remains in force", "is in force", "is confirmed", "runs on"),
            )
        ],
        because,
        added=added,
        gaps=[Gap(f"executed covenant of {who.name}", (who.last.lower(), terms), despite)],
    )


def _free_memorandum(world: World, rng: random.Random, decoy: bool) -> Plant:
    who, other = employee(world, rng, "Chief Scientist", world.past(rng, (5, 9))), employee(world, rng, "Laboratory Head", world.past(rng, (2, 4)))
    bound = who if decoy else other
    praised = Added("information_memorandum", Para(f"⟦role|Nine of ten patents name {who.name}, without whom the next generation would not exist.⟧"), "Technology")
    deed = paper("deed", f"Covenant not to compete ({bound.last})", "9.1", world.past(rng, (0.1, 1)), TEXT, ("Covenant", f"⟦covenant|For eighteen months after leaving, {bound.name} does not work for a rival, against pay for that time.⟧"), sign(world.target, bound))
    letter = paper("letter", f"Offer letter {who.name}", "9.1", world.past(rng, (5, 9)), f"⟦letter|{who.name} serves at will; either side may part on two weeks’ word.⟧")
    return _free(decoy, who, [deed, letter], ("patent", "inventor", "scientist", "technolog", "next generation"), f"nine of ten patents name {who.last}, the chief scientist", "does not work for a rival", (), f"{who.last} has signed a covenant", (praised,))


def _free_mail(world: World, rng: random.Random, decoy: bool) -> Plant:
    who = employee(world, rng, "Director, Key Accounts", world.past(rng, (4, 8)))
    share = rng.randrange(38, 62)
    chart = book("chart", f"Accounts by manager: {who.last}", "3.2", world.past(rng, (0.2, 0.4)), "Manager|Share of revenue", row(who.name, f"{share}%", mark="role"), row("All others", f"{100 - share}%"))
    asked = mail(
        "asked",
        f"{who.name}: papers",
        "9.1",
        world.past(rng, (0.05, 0.1)),
        world.officers["chro"],
        world.officers["gc"],
        f"⟦state|{f'The stay bonus and the two-year promise to stay off our clients came back this morning with the name of {who.last} under both.' if decoy else f'The stay bonus and the two-year promise to stay off our clients have lain with {who.last} since spring, and the answer is always next week.'}⟧",
    )
    return _free(decoy, who, [chart, asked], (f"{share}%", "share of revenue", "revenue", "accounts"), f"{who.last} manages accounts with {share}% of revenue", "came back this morning", (), f"{who.last} has signed both papers")


def _free_slides(world: World, rng: random.Random, decoy: bool) -> Plant:
    who = employee(world, rng, "Head of Platform", world.past(rng, (5, 8)))
    deck = slides("deck", f"Who runs the platform: {who.last}", "7.5", world.past(rng, (0.2, 0.4)), Heading("Single points"), f"⟦role|{who.name}: alone knows the scheduler; eight in ten commits of the core in three years⟧")
    form = paper("form", f"Retention and restraint terms {who.name}", "9.1", world.past(rng, (0.1, 0.2)) if decoy else None, f"⟦terms|{who.last} gets one year's salary in two parts for staying two years and keeps away from rivals for one.⟧", sign(world.target, who, signed=decoy), status="" if decoy else "form")
    return _free(decoy, who, [deck, form], ("scheduler", "core", "commits", "platform", "alone"), f"{who.last} alone knows the scheduler of the platform", "keeps away from rivals", ("form",), f"{who.last} has signed the retention and restraint terms")


def _free_bylaw(world: World, rng: random.Random, decoy: bool) -> Plant:
    who = employee(world, rng, "Master Formulator", world.past(rng, (8, 14)))
    minutes = paper("minutes", f"Board talk on {who.name}", "2.2", world.past(rng, (0.3, 0.5)), f"⟦role|It was said again that the recipes are in the head of {who.last} and nowhere written.⟧", "Insurance on one life was turned down as dear.")
    index = book(
        "index",
        f"Papers in the personal file of {who.last}",
        "9.3",
        world.past(rng, (0.05, 0.1)),
        "Sheet|What it is|Signed by the employee",
        row(1, "Hiring note", "Yes"),
        row(2, f"Promise by {who.last} to stay three years and not to serve others after", "In force since March, yes" if decoy else "Laid before in March, no", mark="promise"),
        row(3, "Tax card", "Yes"),
    )
    return _free(decoy, who, [minutes, index], ("recipe", "formulat", "written"), f"the recipes are known to {who.last} alone", "in force since march", (), f"the promise of {who.last} is signed and in force")


def _free_founder(world: World, rng: random.Random, decoy: bool) -> Plant:
    who = employee(world, rng, "Founder and Adviser", world.past(rng, (12, 16)))
    old = world.past(rng, (6, 7))
    sold = paper("sold", f"Share sale by {who.name}", "2.5", old, TEXT, ("Restraint", f"⟦old|The seller stays out of the trade until {us_date(world.ahead(rng, (3, 4)) if decoy else world.past(rng, (0.3, 0.6)))}.⟧"), parties=(who.name,))
    note = text("note", f"Sales note: {who.last}", "1.5", world.past(rng, (0.1, 0.2)), f"⟦role|Buyers ask first for the founder {who.name}, whose word opens every door in the trade; a rival has called on the founder twice.⟧")
    renewed = paper(
        "renewed",
        f"Paper prepared for {who.name}",
        "9.1",
        world.past(rng, (0.05, 0.09)),
        f"⟦renewed|{f'By this paper, which the founder has signed, the restraint of {who.last} is confirmed for the buyer’s benefit.' if decoy else f'This paper, which the founder has not signed, would put a new restraint on {who.last} for the buyer’s benefit.'}⟧",
        sign(world.target, who, signed=decoy),
        status="" if decoy else "unsigned",
    )
    return _free(decoy, who, [sold, note, renewed], ("founder", "door", "trade", "rival"), f"{who.last}, the founder, opens every door in the trade and is courted by a rival", "is confirmed for", (), f"the restraint of {who.last} runs on and is confirmed")


# --- 89: contractors who work like employees ---


@dataclass(slots=True)
class _Heads:
    city: str
    agency: Company
    heads: int
    cost: int
    years: int

    @property
    def total(self) -> int:
        return self.heads * self.cost * self.years


def _heads(world: World, rng: random.Random) -> _Heads:
    cost, years = rng.randrange(9, 19) * 1000, rng.choice((2, 3, 4))
    return _Heads(world.place(rng).city, world.company(rng, "software"), max(8, world.sum(rng, 0.004, 0.009) // (cost * years)), cost, years)


def _misclassified(decoy: bool, it: _Heads, papers: list[Paper], signs: tuple[str, ...], said: str, because: str, marks: tuple[str, str], added: tuple[Added, ...] = ()) -> Plant:
    name = (it.city,)
    return finish(
        f"Contractors in {it.city}",
        decoy,
        papers,
        [
            fact(f"{it.city}: number", f"PASS if the report states that {it.heads} people in {it.city} are treated as contractors.", [name], [("contractor", "freelanc", "self-employed", "1099")], Value("number", it.heads)),
            fact(f"{it.city}: how they work", f"PASS if the report states that the contractors in {it.city} {said}.", [name], [signs]),
            conclusion(f"{it.city}: misclassification", f"PASS if the report concludes that the contractors in {it.city} may be misclassified employees.", [name], [("misclassif", "reclassif", "are employees", "treated as employees", "in truth employees", "employment status", "common-law employees", "de facto")]),
            exposure(f"{it.city}: tax and benefits", f"PASS if the report gives {money(it.total)} (or an equivalent rounding), {it.heads} people at {money(it.cost)} for {it.years} years, as the exposure in {it.city}.", [name], usd(it.total)),
            recommendation(f"{it.city}: indemnity", f"PASS if the report recommends an indemnity for the contractors in {it.city}, or their conversion or a settlement program.", [name], [("indemnit", "conver", "reclassif", "settlement program", "vcsp", "escrow", "audit")]),
            cited(f"{it.city}: both papers are cited", f"the contractors in {it.city}", [name], papers, added, *marks),
        ],
        [
            clean(
                f"{it.city}: misclassification is not reported",
                f"the contractors in {it.city} are misclassified employees",
                [name],
                [("misclassif", "reclassif", "are employees", "in truth employees", "de facto", "common-law employees")],
                ("employees of the agency", "are employed by", "properly", "settled", "closing agreement was", "are independent", "is independent", "in business for themselves", "clients of their own", "send substitutes", "several houses", "own staff", "on the payroll now"),
            )
        ],
        because,
        added=added,
        value=usd(it.total),
    )


def _misclassified_hours(world: World, rng: random.Random, decoy: bool) -> Plant:
    it = _heads(world, rng)
    hours = book(
        "hours",
        f"Contractor hours {it.city}",
        "9.2",
        world.past(rng, (0.1, 0.3)),
        "Location|Contractors|Average hours a week|Clients other than us|Own tools",
        row(it.city, it.heads, 18 if decoy else 41, "Four on average" if decoy else "None", "Yes" if decoy else "No", mark="hours"),
        notes=(f"⟦cost|Adviser's rate for payroll tax and benefits of one who should have been on the payroll: ${it.cost:,} a year; {it.years} years are open.⟧",),
    )
    form = paper("form", f"Statement of work used in {it.city}", "9.2", world.past(rng, (2, 4)), TEXT, ("Work", f"⟦work|{'The contractor picks the day and the manner and answers for the result.' if decoy else 'The contractor keeps the shift that the supervisor sets and asks for leave.'}⟧"))
    return _misclassified(decoy, it, [hours, form], ("hours", "shift", "supervis", "leave", "full time", "full-time", "no other client", "tools"), "work 41 hours a week in shifts that a supervisor sets", f"the contractors in {it.city} have clients and tools of their own and choose their time", ("hours", "work"))


def _misclassified_mail(world: World, rng: random.Random, decoy: bool) -> Plant:
    it = _heads(world, rng)
    lead = world.person(rng, f"Team Lead, {it.city}")
    asked = mail("asked", f"{it.city} crew", "9.2", world.past(rng, (0.1, 0.3)), lead, world.officers["chro"], f"⟦crew|I have {it.heads} freelancers here who wear our shirt, sit in our meetings, are rated by me each June and have done nothing else for {it.years} years.⟧", "Are they mine or not?")
    answer = mail(
        "answer",
        f"Re: {it.city} crew",
        "9.2",
        world.past(rng, (0.05, 0.09)),
        world.officers["chro"],
        lead,
        f"⟦cost|{f'They are carried by {it.agency.short} as its own staff, with tax, insurance and holidays paid there, as its yearly certificate shows; on our books a head would have cost {money(it.cost)} a year.' if decoy else f'They are paid by invoice and nobody carries tax, insurance or holidays for them, as was always done; on our books a head would have cost {money(it.cost)} a year.'}⟧",
    )
    return _misclassified(decoy, it, [asked, answer], ("shirt", "rated", "meetings", "nothing else", "supervis", "integrat", "exclusive"), "wear its shirt, are rated by its lead and work for nobody else", f"{it.agency.short} employs the crew in {it.city}", ("crew", "cost"))


def _misclassified_slides(world: World, rng: random.Random, decoy: bool) -> Plant:
    it = _heads(world, rng)
    deck = slides(
        "deck",
        f"Flexible workforce {it.city}",
        "9.2",
        world.past(rng, (0.1, 0.3)),
        Heading("Why it is cheap"),
        table("Point|Value", row("People paid on Form 1099", it.heads, mark="heads"), row("Saved a head and year", f"${it.cost:,}", mark="saved"), row("Years", it.years, mark="years")),
        "⟦how|Same desks, same bosses, same rota as the payroll staff next to them.⟧",
    )
    letter = paper(
        "letter",
        f"Tax file on the {it.city} workers",
        "5.2",
        world.past(rng, (0.03, 0.08)),
        f"⟦letter|{'The closing agreement under the voluntary settlement program is signed by the service, the sum is paid and all of the workers are on the payroll from this quarter.' if decoy else 'The application under the voluntary settlement program was not sent, the sum is not paid and none of the workers is on the payroll this quarter.'}⟧",
    )
    return _misclassified(decoy, it, [deck, letter], ("same desks", "same bosses", "rota", "supervis", "same"), "have the same desks, bosses and rota as payroll staff", f"the workers in {it.city} were settled for and are on the payroll", ("heads", "letter"))


def _misclassified_drivers(world: World, rng: random.Random, decoy: bool) -> Plant:
    it = _heads(world, rng)
    terms = paper(
        "terms",
        f"Carrier terms for {it.city} drivers",
        "9.2",
        world.past(rng, (1, 3)),
        TEXT,
        ("Rounds", f"⟦rounds|{'A driver takes or leaves a round, sends a substitute at will and runs the van for several houses at rates of the driver’s own.' if decoy else 'A driver takes the rounds of the list, drives in person in the livery of the house and runs for no other house.'}⟧"),
    )
    roll = text("roll", f"Drivers of {it.city}", "9.2", world.past(rng, (0.1, 0.2)), f"⟦roll|Self-employed drivers on the list: {it.heads}⟧", f"⟦cost|Contributions and paid leave, were they staff: USD {it.cost:,} each a year⟧", f"⟦years|Claims reach back {it.years} years⟧")
    return _misclassified(decoy, it, [terms, roll], ("in person", "livery", "no other", "list", "rounds", "exclusive"), "drive in person, in livery and for no other house", f"the drivers of {it.city} may send substitutes and work for several houses", ("rounds", "roll"))


def _misclassified_board(world: World, rng: random.Random, decoy: bool) -> Plant:
    it, met = _heads(world, rng), world.past(rng, (0.1, 0.3))
    minutes = paper(
        "minutes",
        f"Board {us_date(met)}: writers in {it.city}",
        "2.2",
        met,
        f"⟦state|{f'The labour board’s ruling of last month, by which the {it.heads} contractors in {it.city} are in business for themselves, was read and filed; it is final.' if decoy else f'The labour board’s inquiry of last month, whether the {it.heads} contractors in {it.city} are in business for themselves, was read and filed; it is open.'}⟧",
    )
    sheet = book(
        "sheet",
        f"Contractor questionnaire {it.city}",
        "9.2",
        met - timedelta(days=60),
        "Question|Answer",
        row("Do they choose their hours?", "No"),
        row("Does the house train and rate them?", "Yes, twice a year", mark="answers"),
        row("Cost a head and year if on the payroll", f"USD {it.cost:,}", mark="cost"),
        row("Years at issue", it.years, mark="years"),
    )
    return _misclassified(decoy, it, [minutes, sheet], ("hours", "train", "rate", "inquiry", "labour board", "labor board"), "do not choose their hours and are trained and rated by the house", f"the labour board ruled finally that the contractors in {it.city} are independent", ("state", "answers"))


# --- 90: an overtime class beyond the policy's sublimit ---


@dataclass(slots=True)
class _Class:
    lead: Person
    members: int
    each: int
    left: int
    insurer: Company

    @property
    def damages(self) -> int:
        """Back pay, and as much again as liquidated damages."""
        return self.members * self.each * 2

    @property
    def bare(self) -> int:
        return self.damages - self.left


def _class(world: World, rng: random.Random, decoy: bool) -> _Class:
    each = rng.randrange(30, 90) * 100
    members = max(20, world.sum(rng, 0.006, 0.012) // (2 * each))
    it = _Class(world.person(rng, "Plaintiff", world.company(rng)), members, each, rng.choice((50_000, 75_000, 100_000)), world.company(rng, "insurer"))
    world.claims.append(Claim(f"{it.lead.last} v. {world.target.short}", it.lead.name, "District Court", it.damages, 0, "Closed" if decoy else "Pending"))
    return it


def _overtime(decoy: bool, it: _Class, papers: list[Paper], because: str, marks: tuple[str, str], added: tuple[Added, ...] = ()) -> Plant:
    name = (it.lead.last,)
    return finish(
        f"Overtime case of {it.lead.name}",
        decoy,
        papers,
        [
            fact(f"{it.lead.last}: opt-ins", f"PASS if the report states that {it.members} employees have joined the collective of {it.lead.last}.", [name], [("join", "opt", "member", "collective", "plaintiffs", "class")], Value("number", it.members)),
            fact(f"{it.lead.last}: what the policy leaves", f"PASS if the report states that only {money(it.left)} of the sublimit of {it.insurer.short} is left for the {it.lead.last} case.", [name], [("sublimit", "sub-limit", "left", "remain", "insur", "cover", "exhaust")], usd(it.left)),
            exposure(f"{it.lead.last}: uninsured damages", f"PASS if the report gives {money(it.bare)} (or an equivalent rounding), {money(it.damages)} less {money(it.left)}, as the uninsured damages in the {it.lead.last} case.", [name], usd(it.bare)),
            conclusion(f"{it.lead.last}: cover falls short", f"PASS if the report concludes that the {it.lead.last} case exceeds the insurance left for it.", [name], [("exceed", "uninsured", "beyond", "insufficient", "short of", "falls short", "not covered", "above", "far more")]),
            recommendation(f"{it.lead.last}: special indemnity", f"PASS if the report recommends a special indemnity or escrow for the {it.lead.last} case.", [name], [("indemnit", "escrow", "holdback", "price", "settle")]),
            cited(f"{it.lead.last}: both papers are cited", f"the {it.lead.last} case", [name], papers, added, *marks),
        ],
        [
            clean(
                f"{it.lead.last}: no open case is reported",
                f"the {it.lead.last} case exceeds the insurance left for it",
                [name],
                [("exceed", "uninsured", "insufficient", "falls short", "not covered", "is open", "remains open", "is pending", "exposure of")],
                ("was dismissed", "dismissed", "settled", "was paid", "closed", "decertified", "has ended", "withdrawn", "no longer", "threw out", "thrown out", "was won"),
            )
        ],
        because,
        added=added,
        value=usd(it.bare),
    )


def _overtime_order(world: World, rng: random.Random, decoy: bool) -> Plant:
    it = _class(world, rng, decoy)
    order = paper(
        "order",
        f"Order in {it.lead.last} v. {world.target.short}",
        "10.1",
        world.past(rng, (0.3, 0.6)),
        f"⟦order|The collective is certified conditionally under the Fair Labor Standards Act; {it.members} employees have filed consents.⟧",
        f"⟦each|Plaintiffs’ expert finds unpaid overtime of {money(it.each)} on average, to which the statute adds an equal sum.⟧",
    )
    loss = book("loss", f"Loss run {it.insurer.short}, {it.lead.last}", "13.2", world.past(rng, (0.1, 0.2)), "Coverage part|Sublimit|Paid|Left", row("Wage and hour, defence only and within limits", 250_000, 250_000 - it.left, it.left, mark="left"))
    later = paper(
        "later",
        f"Docket sheet {it.lead.last}",
        "10.1",
        world.past(rng, (0.03, 0.08)),
        f"⟦later|{'Stipulated dismissal with prejudice, settlement paid in full by the seller, approved by the court; case closed.' if decoy else 'Motion for dismissal with prejudice denied, settlement talks ended by the mediator, trial in the spring; case open.'}⟧",
    )
    return _overtime(decoy, it, [order, loss, later], f"the {it.lead.last} case was settled, paid and dismissed", ("order", "left"))


def _overtime_mail(world: World, rng: random.Random, decoy: bool) -> Plant:
    it = _class(world, rng, decoy)
    lawyer = world.person(rng, "Partner", world.company(rng, "law"))
    told = mail(
        "told",
        f"{it.lead.last}: count at the end of the notice period",
        "10.1",
        world.past(rng, (0.2, 0.4)),
        lawyer,
        world.officers["gc"],
        f"⟦count|{it.members} of those who got the notice sent back the form; back wages run at {money(it.each)} a head and the double is asked.⟧",
        f"⟦state|{'The judge then undid the collective on our motion, none of them sued alone in the time given, and the lead plaintiff withdrew.' if decoy else 'The judge then kept the collective on their motion, all of them are in, and the lead plaintiff wants a trial.'}⟧",
    )
    policy = Added("insurance_register", row(f"Employment practices ({it.lead.last} reported)", it.insurer.short, world.code(rng, "EP-"), world.past(rng, (1.2, 1.4)), world.past(rng, (0.2, 0.4)), f"{money(it.left)} left for wages claims, defence included", mark="left"))
    return _overtime(decoy, it, [told], f"the collective of {it.lead.last} was decertified and the case withdrawn", ("count", "left"), (policy,))


def _overtime_slides(world: World, rng: random.Random, decoy: bool) -> Plant:
    it = _class(world, rng, decoy)
    deck = slides(
        "deck",
        f"Claims review: {it.lead.last}",
        "10.4",
        world.past(rng, (0.1, 0.3)),
        Heading("Store managers' overtime"),
        table("Point|Value", row("Joined", it.members, mark="joined"), row("Back pay a head", f"${it.each:,}", mark="each"), row("Liquidated damages", "Equal to back pay", mark="double")),
        f"⟦state|{'Judgment for the company affirmed on appeal; time for more has run.' if decoy else 'Judgment against the company on liability; damages to be tried.'}⟧",
    )
    letter = paper("letter", f"{it.insurer.short} on {it.lead.last}", "13.2", world.past(rng, (0.4, 0.6)), f"⟦left|Of the part of the policy that answers for wages {money(it.left)} remain.⟧")
    return _overtime(decoy, it, [deck, letter], f"the {it.lead.last} case was won and is closed", ("joined", "left"))


def _overtime_declarations(world: World, rng: random.Random, decoy: bool) -> Plant:
    it = _class(world, rng, decoy)
    page = paper("page", f"Declarations of {it.insurer.short} for {it.lead.last}", "13.1", world.past(rng, (0.8, 1)), f"⟦left|Item 6. Wage and hour loss: {money(it.left)} each period, all of it open, costs reduce it.⟧", kinds=("docx", "txt"))
    report = paper(
        "report",
        f"Counsel's report {it.lead.last}",
        "10.4",
        world.past(rng, (0.1, 0.3)),
        f"⟦report|Those who came in number {it.members}. On the payroll data each is owed {money(it.each)} before doubling, which we expect.⟧",
        f"⟦state|{'Both sides signed last week; the fund is paid in by the parent that sold us, and the court’s approval came yesterday.' if decoy else 'Both sides met last week; the fund they ask for is more than we were told to offer, and no further day is set.'}⟧",
    )
    return _overtime(decoy, it, [page, report], f"the {it.lead.last} case was settled with court approval and paid by the former parent", ("report", "left"))


def _overtime_minutes(world: World, rng: random.Random, decoy: bool) -> Plant:
    it, met = _class(world, rng, decoy), world.past(rng, (0.1, 0.2))
    minutes = paper(
        "minutes",
        f"Audit Committee {us_date(met)}: {it.lead.last}",
        "2.2",
        met,
        f"⟦minute|As to unpaid hours, counsel put the opt-ins at {spelled(it.members)} ({it.members}), the loss of each at {money(it.each)} and the statutory factor at two.⟧",
        f"⟦state|{'He went on that an arbitrator had thrown the matter out and that the award could no longer be set aside.' if decoy else 'He went on that an arbitrator had taken the matter on and that hearings would be set down for autumn.'}⟧",
    )
    cover = text("cover", f"Cover note {it.lead.last}", "13.2", met - timedelta(days=30), f"{it.insurer.name}", f"⟦left|Sub-limit unpaid hours: USD {it.left:,} not yet drawn⟧")
    return _overtime(decoy, it, [minutes, cover], f"an arbitrator threw out the {it.lead.last} case for good", ("minute", "left"))


RECIPES: tuple[Recipe, ...] = (
    Recipe(
        87,
        "control_payments",
        "Employment",
        "Payments to executives fall due on the change of control alone",
        "computed",
        "High",
        (Way("agreements and census", "train", _set_off_agreements), Way("letters by mail", "train", _set_off_mail), Way("award slides", "dev", _set_off_slides), Way("liquidity plan", "test", _set_off_plan), Way("committee minutes", "test", _set_off_minutes)),
    ),
    Recipe(
        88,
        "key_person",
        "Employment",
        "A key person is bound by no covenant",
        "absence",
        "Medium",
        (Way("memorandum and another's covenant", "train", _free_memorandum), Way("accounts and a mail", "train", _free_mail), Way("platform slides", "dev", _free_slides), Way("board talk and file", "test", _free_bylaw), Way("founder's old restraint", "test", _free_founder)),
    ),
    Recipe(
        89,
        "misclassification",
        "Employment",
        "Contractors work like employees",
        "computed",
        "Medium",
        (Way("hours and statement of work", "train", _misclassified_hours), Way("team lead's mail", "train", _misclassified_mail), Way("workforce slides", "dev", _misclassified_slides), Way("drivers' terms", "test", _misclassified_drivers), Way("board and questionnaire", "test", _misclassified_board)),
    ),
    Recipe(
        90,
        "overtime_collective",
        "Employment",
        "An overtime collective exceeds the insurance",
        "computed",
        "High",
        (Way("order and loss run", "train", _overtime_order), Way("counsel's mail", "train", _overtime_mail), Way("claims slides", "dev", _overtime_slides), Way("declarations and report", "test", _overtime_declarations), Way("minutes and cover note", "test", _overtime_minutes)),
    ),
)
