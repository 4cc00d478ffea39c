"""Plants of the ground and what was done to it: old assessments, short reserves, missing closure records, disputed penalties (archetypes 110, 111, 113 and 114)."""

from __future__ import annotations

import random
from datetime import date, timedelta

from redwell.bench.generate.papers import Filler, Paper, Row
from redwell.bench.generate.plants.briefs import PROTECT, advice, book, cites, plant, signed
from redwell.bench.generate.plants.pieces import mail, on, paper, table
from redwell.bench.generate.recipe import Gap, Plant, Recipe, Way, absence, conclusion, exposure, fact, usd
from redwell.bench.generate.world import World
from redwell.bench.generate.writing import day_month, millions, money, thousands, us_date

# Texts of papers stay on one line each.
# fmt: off

# 110: the assessment is out of date


def _stale(decoy: bool, name: str, day: date, closing: date, high: int, papers: list[Paper], marks: tuple[str, str], what: str = "was made on") -> Plant:
    """`day`: when the last assessment, or the oldest part of it, was made; `high` is the top of what a clean-up may cost."""
    about = [(name,)]
    issue = [
        fact(f"{name}: date of the assessment", f"PASS if the report states that the Phase I assessment of {name} {what} {us_date(day)}.", about, [("phase i", "assessment", "esa", "site visit", "inspection", "component", "lien search", "interview", "reconnaissance")], on(day)),
        conclusion(f"{name}: out of date", f"PASS if the report concludes that the assessment of {name} is stale at closing, since it would be more than 180 days old and must be updated under ASTM E1527 and the all appropriate inquiries rule.", about,
                   [("stale", "out of date", "outdated", "expired", "more than 180", "older than", "over 180", "180 days", "180-day", "shelf life", "viab", "cannot be relied", "no longer valid", "too old", "must be updated")]),
        exposure(f"{name}: clean-up", f"PASS if the report gives {money(high)} (or an equivalent rounding) as the upper end of a clean-up of {name}.", about, usd(high)),
        advice(name, "a new Phase I, with a Phase II where called for, before closing", "new phase i", "update", "phase ii", "new assessment", "fresh", "commission", "refresh"),
        cites(name, "both the assessment and the paper that shows what a clean-up may cost", *marks),
    ]
    claim = f"the environmental assessment of {name} is stale and must be updated"
    says = [("stale", "out of date", "outdated", "must be updated", "too old", "expired", "older than", "more than 180")]
    return plant(decoy, f"{name}: environmental assessment", papers, issue, name, claim, says, ("new phase i", "newer", "was updated", "superseded", "a fresh", "since been", "replaced"),
                 f"a newer assessment was made within 180 days of the closing planned for {us_date(closing)}", value=usd(high))


def _stale_report(world: World, rng: random.Random, decoy: bool) -> Plant:
    place, firm = world.place(rng), world.company(rng, "environmental")
    day, high = world.past(rng, (2, 4)), world.sum(rng, 0.003, 0.012, 50_000)
    closing, newer = world.deal.closing, world.past(rng, (0.03, 0.09))
    papers = [
        paper("esa", f"Phase I Environmental Site Assessment - {place.city}", "12.1", day, f"Prepared by {firm.name} under ASTM E1527 for {world.target.name}; site: {place.address}.", f"⟦made|Site reconnaissance, interviews and declaration of the environmental professional: {us_date(day)}.⟧",
              "⟦finding|One recognized environmental condition: a former degreasing pit. No sampling was within the scope.⟧", Filler("report")),
        paper("range", f"Order of Magnitude Estimate - {place.city}", "12.3", day + timedelta(days=40), f"⟦range|Should the pit have leaked, clean-up of the {place.city} site would run from {money(round(high / 4 / 1000) * 1000)} to {money(high)}.⟧"),
    ]
    if decoy:
        papers.append(paper("new", f"Phase I Environmental Site Assessment, {place.city}, second edition", "12.1", newer, f"⟦new|{firm.short} visited {place.city} again and declares on {us_date(newer)} that all parts of this assessment were made in the last thirty days; the pit was sampled and is clean.⟧"))
    return _stale(decoy, place.city, day, closing, high, papers, ("made", "range"))


def _stale_parts(world: World, rng: random.Random, decoy: bool) -> Plant:
    place, firm = world.place(rng), world.company(rng, "environmental")
    closing, high = world.deal.closing, world.sum(rng, 0.003, 0.012, 50_000)
    old = world.day(rng, closing - timedelta(days=222), closing - timedelta(days=190))
    first = world.past(rng, (0.06, 0.1)) if decoy else old
    issued = first + timedelta(days=12 if decoy else 46)
    papers = [
        book("parts", f"Phase I Component Dates, {place.city}", "12.1", issued, "Components", "Part of the assessment|Done on", Row(("Interviews", first + timedelta(days=5))), Row((f"Site visit, {place.address}", first), "visit"), Row(("Search for environmental cleanup liens", first + timedelta(days=8))), ("Government records", first + timedelta(days=9))),
        paper("checklist", f"Environmental Workstream, {place.city}", "12.1", world.past(rng, (0.02, 0.06)), f"⟦done|{place.city}: Phase I ticked off, final report of {firm.short} in hand; closing is planned for {us_date(closing)}.⟧",
              f"⟦range|The reserve study puts the worst case for the plating floor in {place.city} at {millions(high)}.⟧"),
    ]
    return _stale(decoy, place.city, old, closing, high, papers, ("visit", "range"), "rests on a site visit of")


def _stale_mail(world: World, rng: random.Random, decoy: bool) -> Plant:
    place, firm = world.place(rng), world.company(rng, "environmental")
    who, gc, day = world.person(rng, "Project Geologist", firm), world.officers["gc"], world.past(rng, (1.3, 2.6))
    high, newer = world.sum(rng, 0.003, 0.012, 50_000), world.past(rng, (0.04, 0.1))
    papers = [
        mail("mail", f"Our report on {place.city}", "12.1", world.past(rng, (0.03, 0.04)), who, gc, f"⟦mail|{gc.first}, you asked what we hold for {place.city}. {f'We went back and signed off a second Phase I on {us_date(newer)}, clean this time.' if decoy else f'It is one Phase I, signed off on {us_date(day)} for a lender that has since been repaid; nobody has ordered anything after it.'}⟧"),
        paper("note", f"Solvent Store, {place.city}", "12.3", day + timedelta(days=30), f"⟦note|If solvent got under the store at {place.city}, digging it out and carting it off might cost as much as {money(high)}, in a mild case a fifth of that.⟧", kinds=("txt", "docx")),
    ]
    if decoy:
        papers.append(paper("second", f"Second Phase I, {place.city}", "12.1", newer, f"⟦second|{firm.name} on {us_date(newer)}: lien search, talks, records and walk at {place.city} all fall in the month before; no recognized environmental condition is left.⟧"))
    return _stale(decoy, place.city, day, world.deal.closing, high, papers, ("mail", "note"))


def _stale_lender(world: World, rng: random.Random, decoy: bool) -> Plant:
    place, high = world.place(rng), world.sum(rng, 0.003, 0.012, 50_000)
    day, newer = world.past(rng, (1.5, 3)), world.past(rng, (0.03, 0.1))
    papers = [
        paper("list", f"Assessments on File, {place.city}", "12.1", world.past(rng, (0.02, 0.05)), table("Property|Standard|Declaration signed", Row((f"{place.city} smelter", "E1527-21", newer if decoy else day), "signed"), ("Head office", "Not assessed", "None")), kinds=("xlsx",)),
        paper("minutes", f"Risk Committee on {place.city}", "12.3", world.past(rng, (0.1, 0.3)), Filler("minutes"), f"⟦cost|The slag heap behind the smelter in {place.city} was talked over; capping it is the cheap answer, and lifting it the dear one at {millions(high)}.⟧"),
    ]
    return _stale(decoy, place.city, day, world.deal.closing, high, papers, ("signed", "cost"), "carries a declaration of")


def _stale_deck(world: World, rng: random.Random, decoy: bool) -> Plant:
    place, firm = world.place(rng), world.company(rng, "environmental")
    day, high = world.past(rng, (1.2, 2.4)), world.sum(rng, 0.003, 0.012, 50_000)
    again = world.past(rng, (0.05, 0.12))
    papers = [
        paper("deck", f"Clean Sites: {place.city}", "1.5", world.past(rng, (0.1, 0.3)), f"⟦deck|Current environmental report available for {place.city}. Worst case of an old fuel spill, if any: {money(high)}.⟧", kinds=("pptx",)),
        paper("reliance", f"Reliance Letter, {place.city}", "12.1", day + timedelta(days=14), f"⟦reliance|{firm.name} allows reliance on its Phase I for {place.address}, whose field work took place on {day_month(day)}, until that report has to be brought up to date.⟧", signed((firm.name, world.person(rng, "Partner", firm)))),
        paper("later", f"{firm.short} Billing, {place.city}", "12.1", again, f"⟦later|{f'For a Phase I anew at {place.city}, field work {day_month(again)}, no condition found, report delivered.' if decoy else f'For storage of file boxes of {place.city}, quarterly.'}⟧", kinds=("txt", "docx")),
    ]
    return _stale(decoy, place.city, day, world.deal.closing, high, papers, ("reliance", "deck"), "rests on field work of")


# 111: the reserve is below the estimate


def _short(decoy: bool, name: str, reserve: int, need: int, papers: list[Paper], marks: tuple[str, str], because: str, unless: tuple[str, ...]) -> Plant:
    about, gap = [(name,)], need - reserve
    issue = [
        fact(f"{name}: reserve", f"PASS if the report states that {money(reserve)} is accrued for the clean-up of {name}.", about, [("accru", "reserve", "provision", "provided", "booked")], usd(reserve)),
        fact(f"{name}: estimate", f"PASS if the report states that the clean-up of {name} is estimated to cost {money(need)}.", about, [("estimat", "cost", "forecast", "expect", "project", "high", "range", "share", "amounts to", "remed", "study", "priced", "works")], usd(need)),
        exposure(f"{name}: shortfall", f"PASS if the report gives {money(gap)} (or an equivalent rounding) as the shortfall of the reserve for {name}.", about, usd(gap)),
        advice(name, "an environmental escrow or indemnity, or a debt-like item", "debt-like", *PROTECT),
        cites(name, "both the accrual and the estimate", *marks),
    ]
    claim = f"the reserve for {name} is too low, a shortfall against the estimate"
    says = [("too low", "shortfall", "under-reserved", "underaccrued", "insufficient", "below the estimate", "inadequate", "understat")]
    return plant(decoy, f"{name}: reserve for the clean-up", papers, issue, name, claim, says, unless, because, value=usd(gap))


def _short_range(world: World, rng: random.Random, decoy: bool) -> Plant:
    place, firm = world.place(rng), world.company(rng, "environmental")
    reserve, need = world.sum(rng, 0.0008, 0.002, 10_000), world.sum(rng, 0.004, 0.012, 10_000)
    papers = [
        book("accruals", f"Environmental Accruals {place.city}", "12.3", world.past(rng, (0.1, 0.3)), "Accruals", "Site|Accrued, USD|Covers", Row((f"{place.city} lagoon", reserve, "Monitoring wells only"), "accrual"), ("Others", 40_000, "Permit fees")),
        paper("report", f"Feasibility Study - {place.city}", "12.1", world.past(rng, (0.2, 0.6)), f"By {firm.name}.", f"⟦estimate|Dewatering and lining the lagoon in {place.city} is the only remedy that the agency will take; it is estimated at {money(need)}.⟧", Filler("report")),
    ]
    if decoy:
        papers.append(paper("nfa", f"Agency Letter, {place.city} lagoon", "12.2", world.past(rng, (0.03, 0.08)), f"⟦nfa|The Department requires no further action at the lagoon in {place.city}; the remedy of the study was carried out and paid for by the former owner.⟧"))
    return _short(decoy, place.city, reserve, need, papers, ("accrual", "estimate"), "the agency has closed the matter with a letter of no further action", ("no further action", "closed", "was carried out"))


def _short_years(world: World, rng: random.Random, decoy: bool) -> Plant:
    place, years = world.place(rng), rng.choice((15, 20, 25))
    yearly = world.sum(rng, 0.0002, 0.0005, 1000)
    reserve, need = yearly * 3, yearly * years
    papers = [
        mail("mail", f"Pump station {place.city}", "12.3", world.past(rng, (0.05, 0.2)), world.officers["controller"], world.officers["cfo"], f"⟦accrual|{world.officers['cfo'].first}, we carry three years of pumping at {place.city}, {money(reserve)}, and nothing for the years after.⟧"),
        paper("order", f"Groundwater Order, {place.city}", "12.2", world.past(rng, (0.6, 1.5)), f"⟦order|The pumps at {place.city} run for {years} years from this order, at a cost which both sides take to be {money(yearly)} in each year without discount.⟧", signed(("State Water Board", world.person(rng, "Executive Officer", world.company(rng))))),
    ]
    if decoy:
        papers.append(paper("trust", f"Funded Trust, {place.city}", "12.3", world.past(rng, (0.3, 0.5)), f"⟦trust|The predecessor has paid into this trust the whole cost of the pumps at {place.city} for all {years} years, and the trustee pays the bills.⟧"))
    return _short(decoy, place.city, reserve, need, papers, ("accrual", "order"), "a trust that the predecessor has funded pays for all the years", ("trust", "funded", "pays for"))


def _short_share(world: World, rng: random.Random, decoy: bool) -> Plant:
    place, part = world.place(rng), rng.choice((20, 30, 40))
    whole = world.sum(rng, 0.01, 0.03, 100_000)
    need = whole * part // 100
    reserve = round(need * rng.uniform(0.15, 0.35) / 1000) * 1000
    papers = [
        paper("allocation", f"Allocator's Findings, {place.city} Landfill", "12.3", world.past(rng, (0.3, 0.8)), table("Party|Share of cost, %", Row((world.target.name, part), "share"), ("Municipal group", 100 - part)), f"⟦whole|Cost of the remedy at the {place.city} landfill for all parties: USD {whole:,}. What the parties have in their books plays no part here.⟧", kinds=("xlsx",)),
        paper("letter", f"Landfill Reserve, {place.city}", "3.1", world.past(rng, (0.1, 0.3)), f"⟦accrual|To the auditors: for the landfill at {place.city} management has set {money(reserve)} aside.⟧", f"⟦more|{'The group of parties has bought our whole share out and has signed our discharge, and the sum set aside is its last instalment.' if decoy else 'The allocation had not come in when this figure was struck.'}⟧"),
    ]
    return _short(decoy, place.city, reserve, need, papers, ("accrual", "whole"), "the share was bought out and discharged", ("bought out", "discharge", "buy-out"))


def _short_volume(world: World, rng: random.Random, decoy: bool) -> Plant:
    place, rate = world.place(rng), rng.choice((180, 220, 260, 310))
    tons = rng.randrange(40, 110) * 100
    need = tons * rate
    reserve = round(need * rng.uniform(0.2, 0.4) / 1000) * 1000
    papers = [
        paper("log", f"Trench Log {place.city}", "12.1", world.past(rng, (0.2, 0.6)), f"⟦tons|Soil to be lifted at {place.city} after the last trenches: {tons:,} tons.⟧", f"⟦rate|The pit operator takes it at ${rate} a ton with haulage.⟧", kinds=("txt", "docx")),
        paper("minutes", f"Audit Committee, soil at {place.city}", "12.3", world.past(rng, (0.1, 0.2)), Filler("minutes"), f"⟦accrual|Soil at {place.city} stands in the books at {millions(reserve)}, a figure from before the trenches.⟧",
              f"⟦close|{f'The chair reported that lifting is over, the haulier has been paid by the insurer, and the county has signed the site at {place.city} off.' if decoy else 'It will be looked at again with the annual accounts.'}⟧"),
    ]
    return _short(decoy, place.city, reserve, need, papers, ("accrual", "tons"), "the soil was lifted at the insurer's cost and the county signed the site off", ("signed the site off", "signed off", "was lifted", "insurer"))


def _short_items(world: World, rng: random.Random, decoy: bool) -> Plant:
    place = world.place(rng)
    parts = [world.sum(rng, 0.0006, 0.003, 1000) for _ in range(3)]
    reserve, need = parts[0], sum(parts)
    papers = [
        paper("bid", f"Bid Tabulation, {place.city} dock", "12.3", world.past(rng, (0.2, 0.5)), table("Work|$ thousand", Row(("Dredging", thousands(parts[0])), "dredging"), Row(("Cap over the sediment", thousands(parts[1])), "cap"), Row(("Restoring the bank", thousands(parts[2])), "bank")), kinds=("xlsx",)),
        paper("memo", f"Provision Sheet, {place.city} dock", "3.1", world.past(rng, (0.05, 0.2)), f"⟦accrual|Dredging at {place.city} is provided for with ${thousands(reserve)} thousand; cap and bank are out of scope by management's choice, though the permit calls for all three works.⟧"),
    ]
    if decoy:
        papers.append(paper("port", f"Port Authority and {place.city} dock", "12.2", world.past(rng, (0.05, 0.15)), f"⟦port|In return for the berth the port authority does the cap and the bank at {place.city} itself and holds {world.target.short} harmless from them.⟧", signed(("Port authority", world.person(rng, "Harbor Master", world.company(rng))))))
    return _short(decoy, place.city, reserve, need, papers, ("accrual", "cap"), "the port authority has taken the cap and the bank over", ("taken over", "took over", "port authority", "harmless"))


# 113: the records of a tank, asbestos or a wetland are missing


def _records(decoy: bool, name: str, what: str, words: tuple[tuple[str, ...], ...], record: str, records: tuple[str, ...], cost: int, stake: str, terms: tuple[str, ...], papers: list[Paper], marks: tuple[str, str], despite: tuple[str, ...] = ()) -> Plant:
    about = [(name,)]
    issue = [
        fact(f"{name}: what is there", f"PASS if the report states that {what} at {name}.", about, words),
        absence(f"{name}: no {record}", f"PASS if the report states that no {record} for {name} is in the data room.", about, records),
        exposure(f"{name}: cost", f"PASS if the report gives {money(cost)} (or an equivalent rounding) as {stake} at {name}.", about, usd(cost)),
        advice(name, f"obtaining the {record}, or an investigation and a covenant before closing", "obtain", "request", "investigat", "phase ii", "covenant", "commission", "condition", *records),
        cites(name, "both papers from which the need of the record follows", *marks),
    ]
    claim = f"the {record} for {name} is missing"
    says = [("is missing", "are missing", "was not found", "could not be found", "is not in the", *(f"no {word}" for word in records), *(f"{word} missing" for word in records))]
    return plant(decoy, f"{name}: {record}", papers, issue, name, claim, says, ("is in the room", "was issued", "was made", "is there", "was found", "shows that", "confirms", "certifies", f"{record} found", f"{record} shows", "free of"),
                 f"the {record} is in the room", gaps=[Gap(f"{record} for {name}", terms, despite)], value=usd(cost))


def _records_tank(world: World, rng: random.Random, decoy: bool) -> Plant:
    place, cost, count = world.place(rng), world.sum(rng, 0.0008, 0.003, 10_000), rng.choice((2, 3))
    number = world.code(rng, "UST-", 6)
    papers = [
        book("registry", f"State Tank Registry, {place.city}", "12.2", world.past(rng, (0.1, 0.3)), "Facilities", "Facility|Location|Tanks|Status", Row((number, place.address, f"{count} steel, 10,000 gallons, gasoline", "Temporarily out of use"), "registry"), (world.code(rng, "UST-", 6), "County barn", "1", "Upgraded")),
        paper("inventory", f"Plant Inventory {place.city}", "12.1", world.past(rng, (0.2, 0.5)), f"⟦inventory|The {count} underground tanks in {place.city} went out of use many years ago; taking them out and testing the ground would cost {money(cost)}.⟧"),
    ]
    if decoy:
        papers.append(paper("closure", f"Closure Report {number}", "12.1", world.past(rng, (0.02, 0.08)), f"⟦closure|Closure report for {place.city}: the tanks were taken out, soil samples meet the standard, and the state has accepted closure.⟧"))
    return _records(decoy, place.city, f"{count} underground tanks are registered", (("tank",), ("underground", "regist", "ust")), "closure report", ("closure report", "closure record", "closure"), cost, "the cost of closing the tanks", (place.city.lower(), "closure report"), papers, ("registry", "inventory"))


def _records_asbestos(world: World, rng: random.Random, decoy: bool) -> Plant:
    place, cost, year = world.place(rng), world.sum(rng, 0.001, 0.004, 10_000), rng.randrange(1948, 1971)
    day = world.past(rng, (0.1, 0.3))
    papers = [
        paper("project", f"Capital Request, {place.city} boiler house", "3.5", day, f"⟦project|Pull down the boiler house of {year} in {place.city}, lagging and all. Work starts after closing; if the lagging is asbestos the job costs {money(cost)} more.⟧"),
        mail("mail", f"{place.city} demolition", "12.2", day + timedelta(days=9), world.person(rng, "Air Inspector", world.company(rng)), world.person(rng, "Works Engineer"),
             f"⟦mail|Before any demolition in {place.city} the federal standard (40 CFR 61.145) wants the building looked through for asbestos and a notice ten working days ahead.⟧ {'Thank you for the findings that came with the notice.' if decoy else 'I have had neither from you.'}"),
    ]
    if decoy:
        papers.append(paper("survey", f"Inspector's Findings, {place.city}", "12.1", day + timedelta(days=4), f"⟦survey|Asbestos survey, boiler house in {place.city}: forty samples of lagging, none with asbestos above one per cent.⟧"))
    return _records(decoy, place.city, f"a boiler house of {year} is to be demolished", (("boiler house", "building", "lagging"), ("demol", "pull", "torn down", "tear down", "raze")), "asbestos survey", ("asbestos survey", "survey", "asbestos inspection", "inspection"), cost, "the extra cost if the lagging is asbestos", (place.city.lower(), "asbestos survey"), papers, ("project", "mail"))


def _records_wetland(world: World, rng: random.Random, decoy: bool) -> Plant:
    place, cost, acres = world.place(rng), world.sum(rng, 0.004, 0.012, 50_000), f"{rng.randrange(11, 48) / 10:.1f}"
    day = world.past(rng, (0.1, 0.4))
    papers = [
        paper("map", f"Soil and Water Map Notes, {place.city}", "12.1", day, f"⟦map|North of the hall in {place.city} the county map has {acres} acres of wet meadow, just where the drawing has the new bay.⟧", kinds=("txt", "docx")),
        paper("capex", f"Expansion of {place.city}", "3.5", day + timedelta(days=25), table("Part|USD", Row((f"New bay, {place.city}, north side", cost), "bay"), ("Contingency", 75_000)), kinds=("xlsx",)),
        paper("corps", f"District Engineer, {place.city}", "12.2", world.past(rng, (0.03, 0.08)), f"⟦corps|{f'Approved jurisdictional determination: the wet meadow in {place.city} is no water of the United States, and filling it needs no permit under Section 404.' if decoy else f'We have your telephone call about {place.city}; nobody has yet delineated the meadow, and until that is done we cannot say whether a permit under Section 404 is called for.'}⟧"),
    ]
    return _records(decoy, place.city, f"the new bay is drawn on {acres} acres of wet meadow", (("wetland", "wet meadow", "meadow"), ("bay", "expansion", "drawn", "extension")), "jurisdictional determination", ("jurisdictional determination", "delineation", "section 404", "404 permit"), cost, "the capital expenditure at risk", (place.city.lower(), "jurisdictional determination"), papers, ("map", "bay"))


def _records_oil(world: World, rng: random.Random, decoy: bool) -> Plant:
    place, cost, year = world.place(rng), world.sum(rng, 0.0006, 0.002, 10_000), rng.randrange(1961, 1979)
    papers = [
        paper("drawing", f"Drawing List, {place.city} school building", "11.2", world.past(rng, (2, 6)), table("Sheet|Shows", Row((f"P-{year}", "Heating oil vault of 20,000 gallons beneath the court"), "vault"), ("E-2", "Lighting")), kinds=("xlsx",)),
        paper("minutes", f"Gas Conversion, {place.city}", "11.2", world.past(rng, (0.4, 0.9)), Filler("minutes"), f"⟦minutes|Since the switch to gas nobody in {place.city} can say what became of the vault; a contractor wants {money(cost)} to find it, empty it and fill it.⟧"),
    ]
    if decoy:
        papers.append(paper("decommission", f"Fire Marshal, {place.city}", "12.2", world.past(rng, (0.1, 0.3)), f"⟦certificate|Certificate of decommissioning: the vault in {place.city} was emptied, cleaned and filled with sand under my eyes; ground tested, nothing found.⟧", signed(("Fire marshal", world.person(rng, "Fire Marshal", world.company(rng))))))
    return _records(decoy, place.city, "a heating oil vault lies beneath the court", (("vault", "oil tank", "underground tank"), ("beneath", "under", "below", "buried", "court")), "certificate of decommissioning", ("decommission", "closure"), cost, "the price of finding, emptying and filling the vault", (place.city.lower(), "certificate of decommissioning"), papers, ("vault", "minutes"))


def _records_pcb(world: World, rng: random.Random, decoy: bool) -> Plant:
    place, cost, count = world.place(rng), world.sum(rng, 0.0006, 0.002, 10_000), rng.choice((4, 5, 6))
    seen = world.past(rng, (1, 3))
    papers = [
        paper("nameplates", f"Nameplate Round, {place.city}", "12.1", seen, f"⟦plates|In the substation of {place.city}: {count} transformers whose plates say askarel, that is, PCB fluid. All gone at the last round.⟧", kinds=("txt", "docx")),
        paper("offer", f"Substation Pad, {place.city}", "12.3", world.past(rng, (0.2, 0.6)), f"⟦offer|If it cannot be shown where the fluid went, lifting the pad in {place.city} and testing below it is offered at {money(cost)}.⟧"),
    ]
    if decoy:
        papers.append(paper("manifest", f"Shipping Papers, {place.city} substation", "12.2", seen - timedelta(days=24), f"⟦manifest|Certificate of disposal for {count} transformers from {place.city}, burned under the federal PCB rules; signed manifest on the back.⟧"))
    return _records(decoy, place.city, f"{count} transformers with PCB fluid were taken away", (("pcb", "askarel"), ("transformer",)), "certificate of disposal", ("certificate of disposal", "manifest", "disposal record", "disposal"), cost, "the price of lifting and testing the pad", (place.city.lower(), "certificate of disposal"), papers, ("plates", "offer"))


# 114: the days of a violation are disputed


def _penalty(decoy: bool, number: str, rate: int, theirs: int, ours: int, papers: list[Paper], marks: tuple[str, str], because: str, unless: tuple[str, ...]) -> Plant:
    high, low = theirs * rate, ours * rate
    about = [(number,)]
    issue = [
        fact(f"{number}: daily maximum", f"PASS if the report states that {number} carries a maximum penalty of {money(rate)} a day.", about, [("per day", "a day", "each day", "daily", "for every day", "day")], usd(rate)),
        conclusion(f"{number}: days disputed", f"PASS if the report concludes that the number of days is disputed in {number}: {theirs} days against {ours} days.", about,
                   [("disput", "contest", "against", "versus", "whereas", "while", "differ", "compared", "instead", "only", "but"), (f"{theirs}",), (f"{ours}",)]),
        exposure(f"{number}: maximum", f"PASS if the report gives {money(high)} (or an equivalent rounding) as the maximum penalty under {number}, on the authority's count of days.", about, usd(high)),
        exposure(f"{number}: on the company's count", f"PASS if the report gives {money(low)} (or an equivalent rounding) as the penalty under {number} on the company's count of days.", about, usd(low)),
        advice(number, "a specific indemnity or an escrow for the penalty", "settle", *PROTECT),
        cites(number, "both the notice and the response", *marks),
    ]
    claim = f"the penalty under {number} is open, and up to {money(high)} may be imposed"
    says = [("is open", "remains open", "pending", "may be imposed", "could be imposed", "at risk", "unresolved")]
    return plant(decoy, f"{number}: range of the penalty", papers, issue, number, claim, says, unless, because, value=usd(high))


def _days(rng: random.Random) -> tuple[int, int, int]:
    """(dollars a day, days as the authority counts, days as the company counts)."""
    theirs = rng.randrange(70, 190)
    return rng.choice((10_000, 15_000, 25_000)), theirs, rng.randrange(8, 41)


def _penalty_letter(world: World, rng: random.Random, decoy: bool) -> Plant:
    place, number = world.place(rng), world.code(rng, "NOV-", 6)
    (rate, theirs, ours), day = _days(rng), world.past(rng, (0.2, 0.5))
    papers = [
        paper("notice", f"Notice of Violation {number}", "12.2", day, f"To {world.target.name}, {place.address}", f"⟦notice|The outfall ran above its limit for zinc on {theirs} days, for each of which the state water act allows a civil penalty of up to {money(rate)}.⟧"),
        paper("response", f"Response to {number}", "12.2", day + timedelta(days=28), f"⟦response|The company answers that the limit was passed on {ours} days only; on the others the sampler was out of order.⟧", signed((world.target.name, world.officers["gc"]))),
    ]
    if decoy:
        papers.append(paper("closed", f"Rescission of {number}", "12.2", day + timedelta(days=45), f"⟦closed|Having looked at the sampler the department rescinds {number} and asks for no penalty.⟧"))
    return _penalty(decoy, number, rate, theirs, ours, papers, ("notice", "response"), "the department rescinded the notice", ("rescind", "withdrew", "no penalty"))


def _penalty_table(world: World, rng: random.Random, decoy: bool) -> Plant:
    number = world.code(rng, "Docket AQ-", 5)
    (rate, theirs, ours), day = _days(rng), world.past(rng, (0.2, 0.5))
    papers = [
        book("matrix", f"Penalty Worksheet {number}", "12.2", day, "Worksheet", "Line|Entry", ("Matter", number), Row(("Scrubber out of service, days found", theirs), "found"), Row(("Statutory maximum per day, USD", rate), "rate"), ("Gravity", "Moderate")),
        mail("mail", f"{number}: how many days", "12.2", day + timedelta(days=20), world.officers["gc"], world.person(rng, "Enforcement Attorney", world.company(rng)), f"⟦mail|Our operating log for {number} has the scrubber down for {ours} days and no more; the rest of your count is the time that we waited for your inspector.⟧"),
    ]
    if decoy:
        papers.append(paper("consent", f"Consent Judgment {number}", "10.2", day + timedelta(days=60), f"⟦consent|In full settlement of {number} the company has paid $15,000, and the agency releases every penalty for the scrubber.⟧"))
    return _penalty(decoy, number, rate, theirs, ours, papers, ("rate", "mail"), "a consent judgment settled the matter and the sum was paid", ("settled", "consent judgment", "was paid", "released"))


def _penalty_minutes(world: World, rng: random.Random, decoy: bool) -> Plant:
    number, place = world.code(rng, "File HW-", 5), world.place(rng)
    (rate, theirs, ours), day = _days(rng), world.past(rng, (0.2, 0.5))
    papers = [
        paper("inspection", f"Inspection Findings {number}", "12.2", day, f"⟦found|Drums in {place.city} were kept {theirs} days beyond what a generator without a permit may keep them. By statute each such day can cost the owner {money(rate)}.⟧", kinds=("txt", "docx")),
        paper("minutes", f"Safety Council, {number}", "12.2", day + timedelta(days=35), Filler("minutes"), f"⟦minutes|On {number} the council holds that the clock began with the label and not with the filling, which leaves {ours} days.⟧", f"⟦end|{f'The regional office has agreed and has closed {number} without a fine.' if decoy else 'The regional office has been told so in writing and has not moved.'}⟧"),
    ]
    return _penalty(decoy, number, rate, theirs, ours, papers, ("found", "minutes"), "the regional office closed the file without a fine", ("closed", "without a fine"))


def _penalty_order(world: World, rng: random.Random, decoy: bool) -> Plant:
    number, place = world.code(rng, "Order SW-", 5), world.place(rng)
    (rate, theirs, ours), day = _days(rng), world.past(rng, (0.25, 0.5))
    papers = [
        paper("order", f"Administrative {number}", "12.2", day, f"⟦order|Respondent left the stormwater basin in {place.city} without its liner from {us_date(day - timedelta(days=theirs))} for {theirs} days. A day of violation is punishable by not more than {money(rate)}.⟧"),
        paper("brief", f"Petition for Hearing on {number}", "10.1", day + timedelta(days=19), f"⟦petition|Petitioner admits {ours} days; for the remainder the permit itself called for the liner to be out.⟧", signed((world.target.name, world.officers["gc"]))),
    ]
    if decoy:
        papers.append(paper("decision", f"Decision on {number}", "10.2", day + timedelta(days=70), f"⟦decision|The hearing officer sets {number} aside in whole, and the time for review by a court has passed.⟧"))
    return _penalty(decoy, number, rate, theirs, ours, papers, ("order", "petition"), "the hearing officer set the order aside in whole", ("set aside", "set the order aside", "vacated", "sets aside"))


def _penalty_mail(world: World, rng: random.Random, decoy: bool) -> Plant:
    number, firm = world.code(rng, "Case LQ-", 5), world.company(rng, "law")
    (rate, theirs, ours), day = _days(rng), world.past(rng, (0.2, 0.5))
    counsel, gc = world.person(rng, "Partner", firm), world.officers["gc"]
    papers = [
        mail("mail", f"{number}, tank vents", "10.3", day, counsel, gc, f"⟦mail|{gc.first}, the air district counts {theirs} days of open vents in {number}. Its rule book stops at {money(rate)} for one day, and it has not said yet how far it will go.⟧"),
        book("log", f"Vent Log {number}", "12.2", day + timedelta(days=7), "Vents", "Item|Our record", Row((f"Days open, as we answered the district in {number}", ours), "log"), ("Gasket", "Replaced")),
    ]
    if decoy:
        papers.append(mail("over", f"{number}: over", "10.3", day + timedelta(days=40), counsel, gc, f"⟦over|{gc.first}, the district took our log, turned {number} into a warning and has put its file away; there will be no money to pay.⟧"))
    return _penalty(decoy, number, rate, theirs, ours, papers, ("mail", "log"), "the district turned the case into a warning and put its file away", ("warning", "put its file away"))


RECIPES: tuple[Recipe, ...] = (
    Recipe(110, "stale_environmental_assessment", "Environmental", "An environmental assessment is out of date", "computed", "Medium", (
        Way("old report and estimate", "train", _stale_report),
        Way("dates of the parts", "train", _stale_parts),
        Way("consultant's mail", "dev", _stale_mail),
        Way("list of assessments and committee", "test", _stale_lender),
        Way("slide and reliance letter", "test", _stale_deck),
    )),
    Recipe(111, "environmental_reserve", "Environmental", "The reserve for a clean-up is below the estimate", "computed", "High", (
        Way("accruals and feasibility study", "train", _short_range),
        Way("years of pumping", "train", _short_years),
        Way("share of a landfill", "dev", _short_share),
        Way("tons of soil", "test", _short_volume),
        Way("works left out of scope", "test", _short_items),
    )),
    Recipe(113, "closure_records", "Environmental", "Records of a tank, of asbestos or of a wetland are missing", "absence", "Medium", (
        Way("tank registry", "train", _records_tank),
        Way("demolition without a survey", "train", _records_asbestos),
        Way("new bay on a wet meadow", "dev", _records_wetland),
        Way("oil vault on a drawing", "test", _records_oil),
        Way("transformers that are gone", "test", _records_pcb),
    )),
    Recipe(114, "violation_notice", "Environmental", "The days of a violation, and so the penalty, are disputed", "computed", "High", (
        Way("notice and response", "train", _penalty_letter),
        Way("penalty worksheet and mail", "train", _penalty_table),
        Way("inspection and council", "dev", _penalty_minutes),
        Way("order and petition", "test", _penalty_order),
        Way("counsel's mail and log", "test", _penalty_mail),
    )),
)
