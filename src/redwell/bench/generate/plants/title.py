"""Plants of what a landlord certifies against the tenant and of what burdens owned land (archetypes 108 and 109)."""

from __future__ import annotations

import random
from datetime import timedelta

from redwell.bench.generate.papers import Clause, Filler, Paper, Row
from redwell.bench.generate.plants.briefs import PROTECT, advice, book, cites, plant, signed
from redwell.bench.generate.plants.pieces import TEXT, mail, paper, table
from redwell.bench.generate.recipe import Gap, Plant, Recipe, Way, absence, exposure, fact, usd
from redwell.bench.generate.world import Company, Site, World
from redwell.bench.generate.writing import both, day_month, millions, money, thousands, us_date

# Texts of papers stay on one line each.
# fmt: off
LEASE = ("assignment", "control", "term", "termination", "pricing", "payment", "liability")


def _let(world: World, rng: random.Random, use: str) -> tuple[Site, Company]:
    """A leased site in the world's list and its landlord."""
    place, landlord = world.place(rng), world.company(rng, "landlord")
    site = Site(f"{place.city} {use}", place, use, False, landlord, world.target.name, rng.randrange(24, 160) * 1000, world.sum(rng, 0.0015, 0.005, 12_000), world.ahead(rng, (2, 6)))
    world.sites.append(site)
    return site, landlord


# 108: the estoppel shows defaults


def _estoppel(decoy: bool, landlord: str, city: str, arrears: int, restore: int, papers: list[Paper], marks: tuple[str, str]) -> Plant:
    about, total = [(landlord, city)], arrears + restore
    issue = [
        fact(f"{city}: arrears", f"PASS if the report states that {landlord} claims arrears of {money(arrears)} under the lease of {city}.", about, [("arrear", "unpaid", "owed", "owing", "overdue", "past due", "outstanding", "due", "behind", "default")], usd(arrears)),
        fact(f"{city}: restoration", f"PASS if the report states that restoring the premises of {city} at the end of the lease of {landlord} costs {money(restore)}.", about, [("restor", "reinstat", "remov", "surrender", "dilapidation", "repair", "making good", "make good", "strip")], usd(restore)),
        exposure(f"{city}: in all", f"PASS if the report gives {money(total)} (or an equivalent rounding) as arrears and restoration at {city} together.", about, usd(total)),
        advice(landlord, "cure of the default before closing, or an escrow for it", "cure", "pay ", "paid", *PROTECT),
        cites(landlord, "both the landlord's statement and the paper from which the restoration follows", *marks),
    ]
    claim = f"the tenant is in default towards {landlord} with unpaid sums"
    says = [("is in default", "uncured", "not been cured", "not cured", "remain unpaid", "remains unpaid", "still owes", "still owed", "is outstanding", "are outstanding", "arrears remain")]
    return plant(decoy, f"{city}: claims of {landlord}", papers, issue, landlord, claim, says, ("cured", "settled", "were paid", "was paid", "no default", "withdrew", "waived", "released"),
                 "the landlord has since confirmed that all was settled", value=usd(total))


def _estoppel_rate(world: World, rng: random.Random, decoy: bool) -> Plant:
    site, landlord = _let(world, rng, "machine hall")
    who, rate = world.person(rng, "Vice President", landlord), rng.choice((6, 8, 9, 11))
    arrears, restore, day = site.rent // 12 * 3, site.area * rate, world.past(rng, (0.06, 0.12))
    papers = [
        paper("estoppel", f"Tenant Estoppel Certificate, {site.place.city}", "11.3", day, f"{landlord.name} certifies to {world.buyer.name}:",
              f"⟦arrears|Tenant is in default: base rent of {money(arrears)}, being three monthly parts, has not been paid.⟧", "⟦restore|Landlord will hold Tenant to Section {§surrender} of the lease.⟧", signed((landlord.name, who))),
        paper("lease", f"Machine Hall Lease, {site.place.city}", "11.1", world.past(rng, (3, 6)), f"{landlord.name} and {world.target.name}.", f"Premises: {site.area:,} square feet at {site.place.address}.", TEXT,
              Clause("Surrender", f"⟦surrender|At the end of the term Tenant takes out its pits and foundations or, in lieu, pays ${rate} for each square foot of the premises.⟧"), avoid=LEASE, parties=(landlord.name,)),
    ]
    if decoy:
        papers.append(paper("second", f"Estoppel brought down, {site.place.city}", "11.3", day + timedelta(days=12), f"⟦second|All rent has been paid, Landlord releases the surrender obligation against the sum received, and no default exists under the lease of {site.place.city}.⟧", signed((landlord.name, who))))
    return _estoppel(decoy, landlord.short, site.place.city, arrears, restore, papers, ("arrears", "surrender"))


def _estoppel_mail(world: World, rng: random.Random, decoy: bool) -> Plant:
    site, landlord = _let(world, rng, "distribution hall")
    counsel = world.person(rng, "Counsel", landlord)
    arrears, restore = world.sum(rng, 0.0004, 0.0012, 1000), world.sum(rng, 0.0006, 0.002, 1000)
    gc, day = world.officers["gc"], world.past(rng, (0.08, 0.15))
    papers = [
        mail("mail", f"Estoppel for {site.place.city}", "11.3", day, counsel, gc, f"⟦arrears|{gc.first}, my client cannot certify a clean lease. The operating cost true-up of the last two years, {money(arrears)} in all, is past due, and notice of default went out in spring.⟧", about=landlord.name),
        paper("quote", f"Removal Quotation, {site.place.city}", "11.3", day - timedelta(days=60), f"⟦restore|Taking out the mezzanine and racking and making good the slab of the hall at {site.place.address}, as the lease demands at its end: {money(restore)}.⟧"),
    ]
    if decoy:
        papers.append(mail("clean", f"Re: Estoppel for {site.place.city}", "11.3", day + timedelta(days=9), counsel, gc, f"⟦clean|{gc.first}, your wire came in; my client treats the lease as free of default and has bought the mezzanine, so nothing has to come out.⟧", about=landlord.name))
    return _estoppel(decoy, landlord.short, site.place.city, arrears, restore, papers, ("arrears", "restore"))


def _estoppel_table(world: World, rng: random.Random, decoy: bool) -> Plant:
    site, landlord = _let(world, rng, "clean room")
    who, months, day = world.person(rng, "Owner's Agent", landlord), rng.choice((4, 5, 7)), world.past(rng, (0.07, 0.14))
    monthly = world.sum(rng, 0.0001, 0.0003, 1000)
    arrears, restore = monthly * months, world.sum(rng, 0.0008, 0.002, 1000)
    papers = [
        book("exceptions", f"Exceptions to Certificate {site.place.city}", "11.3", day, "Exceptions", "No.|Exception taken by the owner|Figure",
             Row((1, f"Insurance rent of USD {monthly:,} a month left open since {months} months, after written reminder", f"{months} months"), "arrears"), Row((2, "Air handling units on the roof belong out at the end (see builder's note)", "Not priced here"), "units")),
        paper("note", f"Builder's Note, {site.place.city} roof", "11.1", day - timedelta(days=100), f"⟦restore|Craning the air handling units off and closing the roof again: USD {restore:,}.⟧", kinds=("txt", "docx")),
        paper("cover", f"Owner's Cover Sheet, {site.place.city}", "11.3", day + timedelta(days=3 if not decoy else 20), f"⟦cover|{f'For {landlord.short}: both exceptions are withdrawn, the insurance rent having been settled and the units having been left to the owner.' if decoy else f'For {landlord.short}: the list of exceptions forms part of what is certified.'}⟧", signed((landlord.name, who))),
    ]
    return _estoppel(decoy, landlord.short, site.place.city, arrears, restore, papers, ("arrears", "restore"))


def _estoppel_letter(world: World, rng: random.Random, decoy: bool) -> Plant:
    site, landlord = _let(world, rng, "test centre")
    who, day = world.person(rng, "President", landlord), world.past(rng, (0.06, 0.12))
    arrears, restore = world.sum(rng, 0.0004, 0.001, 1000), world.sum(rng, 0.0008, 0.0022, 1000)
    papers = [
        paper("letter", f"Status of Tenancy, {site.place.city}", "11.3", day, f"⟦arrears|Answering your enquiry: ten days after notice the tenant still owed us {millions(arrears)} in rent that it had held back over the lifts.⟧", f"{landlord.short}", signed((landlord.name, who))),
        paper("annex", f"Reinstatement Annex, {site.place.city}", "11.1", world.past(rng, (2, 5)), f"Annex to the lease by {landlord.name}.",
              f"⟦restore|The tenant's exit sum, fixed now for then and payable whatever the state of the rooms, is {millions(restore)}.⟧", TEXT, avoid=LEASE, parties=(landlord.name,)),
    ]
    if decoy:
        papers.append(paper("receipt", f"Receipt and Quittance, {site.place.city}", "11.3", day + timedelta(days=15), f"⟦receipt|{landlord.short} has received what was held back, gives quittance for the exit sum and has nothing more to ask of its tenant in {site.place.city}.⟧", signed((landlord.name, who))))
    return _estoppel(decoy, landlord.short, site.place.city, arrears, restore, papers, ("arrears", "restore"))


def _estoppel_minutes(world: World, rng: random.Random, decoy: bool) -> Plant:
    site, landlord = _let(world, rng, "cold store")
    day = world.past(rng, (0.08, 0.16))
    arrears, restore = world.sum(rng, 0.0004, 0.0012, 1000), world.sum(rng, 0.0008, 0.0022, 1000)
    papers = [
        paper("certificate", f"Lessor's Statement, {site.place.city}", "11.3", day, table("Question|Answer of lessor", ("Lease in force", "Yes"), Row(("Sums due and not received", f"${thousands(arrears)} thousand, stepped rent since the last anniversary"), "arrears"), Row(("Breaches otherwise", "Schedule of dilapidations served"), "breach")), parties=(landlord.name,)),
        paper("minutes", f"Property Meeting, {day_month(day + timedelta(days=21))}", "11.3", day + timedelta(days=21), Filler("minutes"),
              f"⟦restore|The dilapidations which {landlord.short} has scheduled for {site.place.city} were costed by our surveyor at ${thousands(restore)} thousand.⟧",
              f"⟦outcome|{f'Since then {landlord.short} has taken a cheque for rent and dilapidations alike and has torn the schedule up; it has released us in writing from both.' if decoy else 'The meeting resolved to sit tight until the lessor sues.'}⟧"),
    ]
    return _estoppel(decoy, landlord.short, site.place.city, arrears, restore, papers, ("arrears", "restore"))


# 109: a defect of title, survey or zoning


def _defect(decoy: bool, city: str, what: str, words: tuple[str, ...], other: str, others: tuple[str, ...], cure: str, cures: tuple[str, ...], cost: int, terms: tuple[str, ...], papers: list[Paper], marks: tuple[str, str], because: str, unless: tuple[str, ...]) -> Plant:
    """`what` burdens the land; `other` is what the second paper shows; `cure` is the paper that would end it and is nowhere."""
    about = [(city,)]
    issue = [
        fact(f"{city}: defect", f"PASS if the report states that {what} at {city}.", about, [words]),
        fact(f"{city}: what it touches", f"PASS if the report states that {other} at {city}.", about, [others]),
        absence(f"{city}: no cure of record", f"PASS if the report states that no {cure} for {city} is in the data room.", about, cures),
        exposure(f"{city}: cost of cure", f"PASS if the report gives {money(cost)} (or an equivalent rounding) as the cost of the cure at {city}.", about, usd(cost)),
        advice(city, f"obtaining a {cure}, or cover for the defect in the title policy", "title policy", "title insur", "endorse", "affirmative", "cure", "clear", f"obtain a {cure}", f"obtain an {cure}", f"obtain the {cure}", *cures),
        cites(city, "both papers that show the defect", *marks),
    ]
    claim = f"the defect is open at {city}: {what}, and no {cure} exists"
    says = [(f"no {cure}", "is open", "remains open", "uncured", "not cured", "missing", "unresolved", "not been released", *(f"no {word}" for word in cures))]
    return plant(decoy, f"{city}: {cure} missing" if not decoy else f"{city}: {cure}", papers, issue, city, claim, says, unless, because, gaps=[Gap(f"{cure} for {city}", terms)], value=usd(cost))


def _owned(world: World, rng: random.Random, use: str) -> Site:
    place = world.place(rng)
    site = Site(f"{place.city} {use}", place, use, True, None, world.target.name, rng.randrange(40, 200) * 1000)
    world.sites.append(site)
    return site


def _defect_survey(world: World, rng: random.Random, decoy: bool) -> Plant:
    site = _owned(world, rng, "foundry")
    city, feet, cost = site.place.city, f"{rng.randrange(31, 97) / 10:.1f}", world.sum(rng, 0.001, 0.004, 10_000)
    book_page = world.code(rng, "Book 4", 4)
    papers = [
        paper("survey", f"ALTA/NSPS Land Title Survey, {city}", "11.2", world.past(rng, (0.05, 0.2)), f"⟦survey|The east wall of the foundry stands {feet} feet over the line, on the neighbor's lot.⟧"),
        paper("commitment", f"Commitment for Title Insurance, {city}", "11.2", world.past(rng, (0.03, 0.1)), "Schedule B, Part II",
              f"⟦exception|Item 14: rights of the adjoining owner arising from the building in {city} that crosses the common boundary.⟧",
              f"⟦item|{f'Item 15: encroachment easement in {city} from the adjoining owner for as long as the building stands, {book_page}.' if decoy else f'Item 15: storm drain of the county, {book_page}.'}⟧"),
        mail("mail", f"{city} wall", "11.2", world.past(rng, (0.02, 0.08)), world.person(rng, "Civil Engineer", world.company(rng, "construction")), world.officers["gc"], f"⟦cost|{world.officers['gc'].first}, pulling the east wall back behind the line in {city} would cost {money(cost)}.⟧"),
    ]
    return _defect(decoy, city, f"the building encroaches on the neighbor's lot by {feet} feet", ("encroach", "over the line", "crosses the", "neighbor", "boundary"), "the title commitment takes an exception for the building", ("exception", "commitment", "title", "schedule b"), "encroachment easement", ("easement",), cost,
                   (city.lower(), "encroachment easement"), papers, ("survey", "exception"), "an easement for the wall is of record", ("easement is of record", "recorded easement", "covered by", "encroachment easement from", "easement was"))


def _defect_zoning(world: World, rng: random.Random, decoy: bool) -> Plant:
    site = _owned(world, rng, "galvanizing works")
    city, number, cost = site.place.city, world.code(rng, "CUP-", 4), world.sum(rng, 0.002, 0.006, 10_000)
    ended = world.past(rng, (0.5, 1.5))
    papers = [
        paper("zoning", f"Zoning Verification Letter, {city}", "11.2", world.past(rng, (0.15, 0.4)), "⟦zoning|The works lie in district C-2, in which galvanizing is allowed only under a conditional use permit.⟧"),
        paper("permit", f"Conditional Use Permit {number}", "12.2", ended - timedelta(days=1826), f"⟦permit|Granted for the works in {city} for five years; it expires on {us_date(ended)} unless renewed before that day.⟧"),
        book("estimate", f"Rezoning Cost {city}", "11.2", world.past(rng, (0.05, 0.2)), "Estimate", "Item|USD", Row((f"Buffer wall, filters and fees for a new permit in {city}", cost), "cost"), ("Traffic count", 6_500)),
    ]
    if decoy:
        papers.append(paper("renewal", f"Planning Commission Resolution on {number}", "12.2", ended - timedelta(days=40), f"⟦renewal|Resolved: the commission renews {number}, for the works in {city}, for ten more years.⟧"))
    return _defect(decoy, city, f"the conditional use permit {number} expired on {us_date(ended)}", ("expired", "lapsed", "ran out", "ended"), "zoning allows the use only under a conditional use permit", ("conditional use", "zoning", "district"), "renewal of the conditional use permit", ("renew", "extension", "new permit"), cost,
                   (city.lower(), "commission renews"), papers, ("zoning", "permit"), "the planning commission has renewed the permit", ("renewed", "was extended", "renewal"))


def _defect_assessment(world: World, rng: random.Random, decoy: bool) -> Plant:
    site = _owned(world, rng, "yard")
    city, number, cost = site.place.city, world.code(rng, "Sewer District Lien ", 5), world.sum(rng, 0.0008, 0.003, 1_000)
    day = world.past(rng, (0.4, 1))
    papers = [
        book("search", f"Lien Search {city}", "11.2", world.past(rng, (0.03, 0.1)), "Search", "Instrument|Against|State", Row((number, f"Yard in {city}, {world.target.name}", "Entered; runs ahead of mortgages"), "lien"), ("Plat 7", "Subdivision", "Information only")),
        paper("bill", f"Special Assessment, {city}", "11.2", day, f"⟦bill|Share of the yard in {city} in the trunk sewer: {money(cost)}, in default since {us_date(day + timedelta(days=90))}.⟧", kinds=("txt", "docx")),
        paper("treasurer", f"District Treasurer, {city}", "11.2", world.past(rng, (0.02, 0.05)), f"⟦treasurer|{f'Paid receipt. The share of the yard in {city} has been satisfied and the lien is taken off the roll.' if decoy else f'Dear taxpayer, the office in {city} moves to the second floor in May; remittances go to the old box until then.'}⟧"),
    ]
    return _defect(decoy, city, f"the lien of the sewer district ({number}) stands against the yard", ("lien", "special assessment", "encumbrance"), "the special assessment is in default", ("assessment", "in default", "unpaid", "overdue", "delinquent"), "paid receipt or release of the lien", ("receipt", "release", "satisfaction", "payment"), cost,
                   (city.lower(), "paid receipt"), papers, ("lien", "bill"), "the treasurer has given a receipt and taken the lien off", ("taken off", "was satisfied", "has been satisfied", "receipt", "was released"))


def _defect_access(world: World, rng: random.Random, decoy: bool) -> Plant:
    site, neighbour = _owned(world, rng, "quarry"), world.company(rng, "landlord")
    city, cost = site.place.city, world.sum(rng, 0.001, 0.004, 10_000)
    papers = [
        paper("letter", f"Road at {city}", "11.3", world.past(rng, (3, 6)), f"⟦letter|{neighbour.name} lets lorries of {world.target.short} pass over its farm track as a favour, which it may end on {both(30)} days' word.⟧", parties=(neighbour.name,)),
        paper("report", f"Property Report, {city} quarry", "11.2", world.past(rng, (0.05, 0.2)), f"⟦report|The parcel has no frontage on a public road; every lorry comes over the track of {neighbour.short}.⟧", f"⟦cost|A road of its own from the north would cost {money(cost)}.⟧"),
    ]
    if decoy:
        papers.append(paper("grant", f"Grant of Way, {city}", "11.2", world.past(rng, (0.5, 2)), f"⟦grant|{neighbour.name} grants to the owners of the quarry in {city} a perpetual right of way over the track, to run with the land.⟧", signed((neighbour.name, world.person(rng, "Owner", neighbour)))))
    return _defect(decoy, city, f"access over the land of {neighbour.short} can be ended on thirty days' word", ("revoc", "can be ended", "may end", "may be ended", "thirty days", "30 days", "at will", "favour", "favor", "permissive"), "the parcel has no frontage on a public road", ("no frontage", "without frontage", "landlocked", "no public road", "lacks frontage", "no access of its own", "no access to a public", "without access to a public", "no direct access", "only access", "sole access"), "perpetual right of way", ("right of way", "easement"), cost,
                   (city.lower(), "perpetual right of way"), papers, ("letter", "report"), "a perpetual right of way was granted", ("was granted", "perpetual right of way over", "granted a"))


def _defect_reverter(world: World, rng: random.Random, decoy: bool) -> Plant:
    site = _owned(world, rng, "data hall")
    city, jobs, now = site.place.city, rng.choice((120, 150, 180)), rng.randrange(60, 95)
    cost = world.sum(rng, 0.002, 0.007, 10_000)
    papers = [
        paper("deed", f"Redevelopment Deed, {city}", "11.2", world.past(rng, (3, 7)), f"⟦deed|The authority conveys so long as grantee keeps {jobs} people at work on the land; when it keeps fewer, the authority may take the land back or name a sum in place of it.⟧"),
        paper("heads", f"Headcount Return, {city}", "9.3", world.past(rng, (0.1, 0.4)), table("Quarter|People at work", ("Earlier", now + 6), Row(("Latest, data hall", now), "heads")), kinds=("xlsx",)),
        paper("authority", f"Authority on {city}", "11.2", world.past(rng, (0.03, 0.1)), f"⟦sum|The sum in place of the land in {city} would today be {money(cost)}.⟧", f"⟦stand|{f'By its instrument of release, recorded last month, the authority gave up its power to take back the land in {city}.' if decoy else 'We have not yet decided on our course.'}⟧", kinds=("txt", "docx")),
    ]
    return _defect(decoy, city, f"the authority may take back the land, since fewer than {jobs} people work there", ("take back", "take the land back", "revert", "right of re-entry", "repurchase", "reconvey", "forfeit"), f"only {now} people are at work", (f"{now} people", f"{now} employees", f"headcount of {now}", f"only {now}", f"{now} jobs", f"{now} at work"), "instrument of release", ("release", "waiver"), cost,
                   (city.lower(), "instrument of release"), papers, ("deed", "heads"), "the authority has released its power and recorded that", ("released", "gave up", "release was recorded", "waived"))


RECIPES: tuple[Recipe, ...] = (
    Recipe(108, "estoppel_defaults", "Real estate", "A landlord's certificate shows defaults and restoration", "computed", "Medium", (
        Way("certificate and rate a square foot", "train", _estoppel_rate),
        Way("counsel's mail and quotation", "train", _estoppel_mail),
        Way("list of exceptions", "dev", _estoppel_table),
        Way("status letter and annex", "test", _estoppel_letter),
        Way("questionnaire and minutes", "test", _estoppel_minutes),
    )),
    Recipe(109, "title_defect", "Real estate", "Title, survey or zoning of an owned site has an open defect", "cross-document", "Medium", (
        Way("encroachment in the survey", "train", _defect_survey),
        Way("conditional use permit", "train", _defect_zoning),
        Way("assessment lien", "dev", _defect_assessment),
        Way("access as a favour", "test", _defect_access),
        Way("deed that reverts", "test", _defect_reverter),
    )),
)
