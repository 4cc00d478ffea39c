"""Plants of what authorities were told and what the schedule says of registrations (archetypes 120 and 121)."""

from __future__ import annotations

import random
from datetime import timedelta

from redwell.bench.generate.papers import Added, Filler, Paper, Row
from redwell.bench.generate.plants.briefs import advice, book, cites, plant, signed
from redwell.bench.generate.plants.pieces import coined, contract, mail, paper, table
from redwell.bench.generate.recipe import Plant, Recipe, Way, absence, conclusion, fact
from redwell.bench.generate.world import World
from redwell.bench.generate.writing import day_month, us_date

# Texts of papers stay on one line each.
# fmt: off

# 120: a statement to an authority that the company's own records contradict


def _contradicted(decoy: bool, name: str, told: str, tells: tuple[str, ...], told_figure: tuple[str, ...], shown: str, shows: tuple[str, ...], shown_figure: tuple[str, ...], papers: list[Paper], marks: tuple[str, str], because: str, unless: tuple[str, ...]) -> Plant:
    """`told` is what the filing states and `shown` what the records show, each with words of it and the figure or name that it must give."""
    about = [(name,)]
    issue = [
        fact(f"{name}: what was filed", f"PASS if the report states that {told} ({name}).", about, [tells, told_figure]),
        fact(f"{name}: what the records show", f"PASS if the report states that {shown} ({name}).", about, [shows, shown_figure]),
        conclusion(f"{name}: contradiction", f"PASS if the report concludes that the filing {name} is contradicted by the company's own records.", about,
                   [("contradict", "inconsistent", "inaccurate", "incorrect", "false", "untrue", "misstat", "wrong", "differs", "conflict", "does not match", "at odds", "misleading", "understat")]),
        advice(name, "supplementing or correcting the filing before closing", "supplement", "correct", "amend", "disclos", "file a supplement", "file a correct", "file an amend", "submit a supplement", "submit a correct"),
        cites(name, "both the filing and the record", *marks),
    ]
    claim = f"the filing {name} is contradicted by the company's own records"
    says = [("contradict", "inconsistent", "inaccurate", "incorrect", "false", "untrue", "misstat", "wrong", "at odds", "misleading")]
    return plant(decoy, f"{name}: statement to an authority", papers, issue, name, claim, says, unless, because)


def _told_incidents(world: World, rng: random.Random, decoy: bool) -> Plant:
    number, product = world.code(rng, "CPSC File ", 6), coined(world, rng, "Heater")
    few, many, day = rng.randrange(2, 5), rng.randrange(14, 29), world.past(rng, (0.3, 0.8))
    papers = [
        paper("report", f"Report under Section 15(b), {number}", "14.2", day, f"⟦told|As of this report under {number} the company knows of {few} incidents in which the {product} overheated.⟧", signed((world.target.name, world.officers["gc"]))),
        book("log", f"Complaint Log {product}", "16.1", day - timedelta(days=6), "Complaints", "Kind|Count at the date of the log", Row((f"{product}, overheated", many), "shown"), (f"{product}, rattles", 40)),
    ]
    if decoy:
        papers.append(paper("second", f"Supplemental Report, {number}", "14.2", day + timedelta(days=20), f"⟦second|In addition to its first report the company gives under {number} all {many} incidents, with the log as an annex.⟧", signed((world.target.name, world.officers["gc"]))))
    return _contradicted(decoy, number, f"the report gave {few} incidents", ("incident", "report", "overheat"), (f"{few} incidents", f"{few} overheat", f"{few} known", f"only {few}", f"{few} reports", f"knew of {few}", f"knows of {few}", f"{few} such"), f"the complaint log had {many} incidents", ("log", "complaint", "record"), (f"{many}",),
                         papers, ("told", "shown"), "a supplemental report gave all incidents", ("supplement", "all incidents", "corrected"))


def _told_deviations(world: World, rng: random.Random, decoy: bool) -> Plant:
    place, number = world.place(rng), world.code(rng, "Title V-", 5)
    many, day = rng.randrange(6, 19), world.past(rng, (0.3, 0.8))
    gc = world.officers["gc"]
    papers = [
        paper("certification", f"Annual Compliance Certification, {number}", "12.2", day, f"⟦told|Certified for the year: every term of {number} was met at all times, with no deviation.⟧", signed((world.target.name, world.officers["ceo"]))),
        mail("mail", f"Stack data {place.city}", "12.2", day - timedelta(days=14), world.person(rng, "Environmental Manager"), gc, f"⟦shown|{gc.first}, the monitor on the stack in {place.city} had {many} deviations from {number} in the year, the longest of nine hours.⟧"),
    ]
    if decoy:
        papers.append(paper("amended", f"Amended Certification, {number}", "12.2", day + timedelta(days=30), f"⟦amended|This replaces the certification for {number}: {many} deviations are listed below by day and hour.⟧", signed((world.target.name, world.officers["ceo"]))))
    return _contradicted(decoy, number, "the certification says that there was no deviation", ("certif", "filing", "filed"), ("no deviation", "without deviation", "zero deviation", "every term", "full compliance", "all terms"), f"the monitor recorded {many} deviations", ("monitor", "deviation", "mail", "email", "data"), (f"{many}",),
                         papers, ("told", "shown"), "an amended certification lists the deviations", ("amended", "replaced", "corrected", "lists the"))


def _told_origin(world: World, rng: random.Random, decoy: bool) -> Plant:
    number, product = world.code(rng, "CF 28 ", 6), coined(world, rng, "Frame")
    share, day = rng.randrange(71, 93), world.past(rng, (0.3, 0.7))
    papers = [
        paper("answer", f"Answer to Request for Information {number}", "14.3", day, f"⟦told|Question 4 of {number}, where is the {product} made? Answer: wholly in Vietnam, by our contractor there.⟧", kinds=("txt", "docx")),
        paper("routing", f"Routing of {product}", "6.2", day - timedelta(days=30), table("Step|Where|Share of cost", Row(("Casting, milling and finish", "Ningbo, China", f"{share}%"), "shown"), ("Boxing", "Hai Phong, Vietnam", f"{100 - share}%")), kinds=("xlsx",)),
    ]
    if decoy:
        papers.append(paper("disclosure", f"Prior Disclosure, {number}", "14.3", day + timedelta(days=25), f"⟦disclosure|We correct our answer under {number}: the {product} is of Chinese origin, and the duties for all entries are tendered herewith.⟧", signed((world.target.name, world.officers["gc"]))))
    return _contradicted(decoy, number, f"customs was told that the {product} is made in Vietnam", ("told", "answer", "stated", "said", "declared", "response"), ("vietnam",), f"the routing has {share}% of the cost arise in China", ("routing", "cost", "casting", "made", "work"), ("china", "chinese", "ningbo"),
                         papers, ("told", "shown"), "a prior disclosure corrected the origin and tendered the duties", ("prior disclosure", "corrected", "tendered"))


def _told_exclusion(world: World, rng: random.Random, decoy: bool) -> Plant:
    number = world.code(rng, "Exclusion Request ", 6)
    made = contract(world, rng, "Component Supply Agreement", "supplier", trade="manufacturing")
    maker, day = made.party, world.past(rng, (0.2, 0.5))
    papers = [
        paper("request", f"{number}, tariff on forgings", "14.2", day, table("Field|Statement of requester", ("Number", number), Row(("9. Makers in the United States", "There is none from whom the forging can be had in any amount"), "told")), kinds=("xlsx",)),
        paper("contract", f"Supply of Forgings - {maker.short}", "6.2", made.signed, f"⟦shown|{maker.name} of Ohio forges at its works there the part of drawing 4410 and delivers it to {world.target.name} every month.⟧", Filler("contract"), parties=(maker.name,)),
        paper("index", f"Drawing Index for {number}", "14.2", day - timedelta(days=4), f"⟦index|The forging of {number} is that of drawing 4410.⟧", kinds=("txt", "docx")),
    ]
    if decoy:
        papers.append(paper("withdrawal", f"Withdrawal of {number}", "14.2", day + timedelta(days=16), f"⟦withdrawal|Requester takes {number} back before any decision, having named {maker.short} to the Department as a domestic source.⟧"))
    return _contradicted(decoy, number, "the request says that no maker in the United States exists", ("request", "stated", "says", "told", "filing"), ("no maker", "none", "no u.s.", "no domestic", "no american", "not available", "united states"), f"{maker.short} makes the part in Ohio and delivers it to the company", ("ohio", "deliver", "suppl", "forge", "makes"), (maker.short.lower(),),
                         papers, ("told", "shown"), "the request was taken back and the source was named", ("taken back", "withdrawn", "was named", "withdrew"))


def _told_outages(world: World, rng: random.Random, decoy: bool) -> Plant:
    number, clerk = world.code(rng, "Docket NR-", 5), world.person(rng, "Shift Supervisor")
    told, shown, day = rng.randrange(2, 6), rng.randrange(31, 59), world.past(rng, (0.2, 0.6))
    papers = [
        paper("testimony", f"Sworn Statement in {number}", "14.2", day, f"⟦told|Asked by staff how long customers had been without service in the storm, the company swore in {number} to {told} hours.⟧"),
        paper("minutes", f"Review after the Storm, {day_month(day - timedelta(days=21))}", "8.3", day - timedelta(days=21), Filler("minutes"), f"⟦shown|{clerk.name} went through the switch records, by which the last customers of the area in {number} came back after {shown} hours.⟧"),
    ]
    if decoy:
        papers.append(paper("errata", f"Errata, {number}", "14.2", day + timedelta(days=12), f"⟦errata|Errata sheet to the sworn statement in {number}: for {told} hours read {shown}. Staff has accepted it.⟧"))
    return _contradicted(decoy, number, f"the company swore to {told} hours without service", ("swore", "sworn", "stated", "told", "statement", "testif"), (f"{told} hours", f"{told}-hour"), f"the switch records show {shown} hours", ("record", "switch", "minutes", "review", "show"), (f"{shown} hours", f"{shown}-hour", f"{shown}"),
                         papers, ("told", "shown"), "an errata sheet put the hours right and staff accepted it", ("errata", "put the hours right", "corrected"))


# 121: a registration that the schedule leaves out

SCHEDULE = "4.19 Regulatory Permits and Registrations"


def _unscheduled(decoy: bool, number: str, product: str, authority: str, papers: list[Paper], register: str, other: Row, own: Row) -> Plant:
    """`other` is a row of the schedule that is there in any case, `own` the decoy's row of the product itself."""
    about = [(number, product)]
    added = [Added("disclosure_schedule", other, SCHEDULE)]
    if decoy:
        added.append(Added("disclosure_schedule", own, SCHEDULE))
    issue = [
        fact(f"{number}: in the register", f"PASS if the report states that the register shows {number} for {product}, with {authority}.", [(number,)], [("register", "list", "regist", "record", "authoriz", "approv", "clear", "held", "holds", "log", "filed"), (product.lower(),)]),
        absence(f"{number}: not in the schedule", f"PASS if the report states that {number} ({product}) is not listed in the disclosure schedule, which omits it.", about, ("schedule",)),
        conclusion(f"{number}: the schedule is incomplete", f"PASS if the report concludes that, without {number}, the disclosure schedule is incomplete or inaccurate.", [(number, product)], [("incomplete", "inaccurate", "wrong", "incorrect", "not complete", "breach", "untrue", "does not match", "must be corrected")]),
        advice(number, "correcting the schedule and extending the representation to it", "correct", "update", "add", "supplement", "amend", "represent"),
        cites(number, "both the register and the schedule", register, "schedule"),
    ]
    claim = f"{number} ({product}) is omitted from the disclosure schedule"
    says = [("omit", "not listed", "missing", "left out", "not in the", "not scheduled", "absent")]
    return plant(decoy, f"{number}: {product} and the schedule", papers, issue, number, claim, says, ("lists it", "is listed", "is scheduled", "under its"), "the schedule lists it under its own number", added=added)


def _unscheduled_device(world: World, rng: random.Random, decoy: bool) -> Plant:
    cleared, earlier = world.past(rng, (1, 3)), world.past(rng, (3.5, 5))
    number, first = world.code(rng, f"K{cleared:%y}", 4), world.code(rng, f"K{earlier:%y}", 4)
    product, sister = coined(world, rng, "Sensor Patch"), coined(world, rng, "Reader")
    papers = [
        book("register", f"Premarket Clearances, {product} family", "16.2", world.past(rng, (0.1, 0.4)), "Clearances", "Number|Device|Cleared", Row((number, product, cleared), "register"), (first, sister, earlier)),
        paper("plan", f"Launch Plan {product}", "16.1", world.past(rng, (0.1, 0.3)), f"Distribution of the {product} in hospitals goes on in two regions."),
    ]
    return _unscheduled(decoy, number, product, "the Food and Drug Administration", papers, "register", Row((sister, f"510(k) clearance {first}", "FDA"), "schedule"), Row((product, f"510(k) clearance {number}", "FDA"), "own"))


def _unscheduled_pesticide(world: World, rng: random.Random, decoy: bool) -> Plant:
    number, product, sister = f"{world.code(rng, 'EPA Reg. ', 5)}-{rng.randrange(11, 60)}", coined(world, rng, "Wood Guard"), coined(world, rng, "Hull Guard")
    first, day = f"{world.code(rng, 'EPA Reg. ', 5)}-{rng.randrange(61, 99)}", world.past(rng, (0.5, 2))
    papers = [
        paper("notice", f"Notice of Pesticide Registration, {product}", "14.1", day, f"⟦register|The Agency registers the {product} as {number} for {world.target.name} under section 3 of FIFRA.⟧"),
        mail("fees", f"Maintenance fee for {product}", "14.2", world.past(rng, (0.05, 0.3)), world.person(rng, "Registration Specialist"), world.officers["controller"], f"{world.officers['controller'].first}, the yearly fee for {product} is due in January as always."),
    ]
    return _unscheduled(decoy, number, product, "the Environmental Protection Agency", papers, "register", Row((sister, first, "Registered with EPA, section 3"), "schedule"), Row((product, number, "Registered with EPA, section 3"), "own"))


def _unscheduled_certificate(world: World, rng: random.Random, decoy: bool) -> Plant:
    number, product, sister = world.code(rng, "MDR 7", 5), coined(world, rng, "Drain"), coined(world, rng, "Valve Set")
    first, body = world.code(rng, "MDR 7", 5), world.company(rng, "consulting")
    who = world.person(rng, "Certification Manager", body)
    papers = [
        mail("mail", f"Surveillance of {number}", "16.2", world.past(rng, (0.05, 0.3)), who, world.officers["cto"], f"⟦register|{world.officers['cto'].first}, in our books {world.target.short} has {number} for the {product}, in force under Regulation (EU) 2017/745; the surveillance audit is in autumn.⟧", about=body.name),
        paper("plan", f"Audit Plan {body.short}", "16.2", world.past(rng, (0.05, 0.2)), f"Two days on site, with samples of the {product} and of the {sister}.", kinds=("txt", "docx")),
    ]
    return _unscheduled(decoy, number, product, f"the notified body {body.short}", papers, "register", Row((first, f"CE certificate of the {sister}", body.name), "schedule"), Row((number, f"CE certificate of the {product}", body.name), "own"))


def _unscheduled_trial(world: World, rng: random.Random, decoy: bool) -> Plant:
    number, product, sister = world.code(rng, "IND 1", 5), coined(world, rng, "gel"), coined(world, rng, "spray")
    first, day = world.code(rng, "IND 1", 5), world.past(rng, (0.2, 0.7))
    papers = [
        paper("minutes", f"Research Committee, {us_date(day)}", "2.2", day, Filler("minutes"), f"⟦register|The thirty days after the filing of {number} for the {product} have gone by without a hold, so that the first ward may enrol.⟧"),
        paper("protocol", f"Protocol Synopsis, {product}", "16.2", day - timedelta(days=50), f"Open label, forty volunteers, {product} against dressing alone."),
    ]
    return _unscheduled(decoy, number, product, "the Food and Drug Administration", papers, "register", Row((f"Investigational use of the {sister}", first, "In effect"), "schedule"), Row((f"Investigational use of the {product}", number, "In effect"), "own"))


def _unscheduled_equipment(world: World, rng: random.Random, decoy: bool) -> Plant:
    number, product, sister = world.code(rng, "FCC ID 2A", 6), coined(world, rng, "Tag"), coined(world, rng, "Hub")
    first = world.code(rng, "FCC ID 2A", 6)
    papers = [
        paper("grant", f"Grant Sheet {product}", "14.1", world.past(rng, (0.4, 2)), table("Entry|Value", Row(("Grantee", world.target.name)), Row(("Identifier", number), "register"), ("Equipment", product), ("Rule part", "15C")), kinds=("xlsx",)),
        paper("label", f"Label Drawing {product}", "16.1", world.past(rng, (0.3, 1)), f"Back of the {product}: identifier, made for use indoors, symbol of the bin.", kinds=("txt", "docx")),
    ]
    return _unscheduled(decoy, number, product, "the Federal Communications Commission", papers, "register", Row(("Equipment authorization", sister, first), "schedule"), Row(("Equipment authorization", product, number), "own"))


RECIPES: tuple[Recipe, ...] = (
    Recipe(120, "filing_contradicted", "Regulatory", "A statement to an authority is contradicted by the company's records", "cross-document", "High", (
        Way("incidents in a safety report", "train", _told_incidents),
        Way("certified without deviation", "train", _told_deviations),
        Way("origin told to customs", "dev", _told_origin),
        Way("tariff exclusion and supplier", "test", _told_exclusion),
        Way("hours sworn to", "test", _told_outages),
    )),
    Recipe(121, "unscheduled_registration", "Regulatory", "A product registration is missing from the schedule", "cross-document", "Low", (
        Way("clearances of a device", "train", _unscheduled_device),
        Way("pesticide registration", "train", _unscheduled_pesticide),
        Way("mail of the notified body", "dev", _unscheduled_certificate),
        Way("investigational filing in minutes", "test", _unscheduled_trial),
        Way("equipment authorization", "test", _unscheduled_equipment),
    )),
)
