"""Plants of the rules of a sector: franchise disclosure, payments to physicians, inspections and reports to the drug authority (archetype 127)."""

from __future__ import annotations

import random
from datetime import date, timedelta

from redwell.bench.generate.papers import Filler, Paper, Row
from redwell.bench.generate.plants.briefs import advice, book, cites, plant, signed
from redwell.bench.generate.plants.pieces import TEXT, coined, contract, mail, paper, table
from redwell.bench.generate.recipe import Draft, Gap, Plant, Recipe, Way, absence, conclusion, exposure, fact, usd
from redwell.bench.generate.world import World
from redwell.bench.generate.writing import day_month, millions, money, us_date
from redwell.bench.key import Value

# Texts of papers stay on one line each.
# fmt: off


def _rule(decoy: bool, name: str, first: Draft, missing: str, words: tuple[str, ...], law: str, laws: tuple[str, ...], stake: int, what: str, step: str, steps: tuple[str, ...],
          terms: tuple[str, ...], papers: list[Paper], marks: tuple[str, str], because: str, unless: tuple[str, ...], despite: tuple[str, ...] = ()) -> Plant:
    """`missing` is the paper that the rule asks for and that is nowhere; `law` what follows from that."""
    about = [(name,)]
    issue = [
        first,
        absence(f"{name}: no {missing}", f"PASS if the report states that no {missing} for {name} is in the data room.", about, words),
        conclusion(f"{name}: what follows", f"PASS if the report concludes that {law} ({name}).", about, [laws]),
        exposure(f"{name}: at stake", f"PASS if the report gives {money(stake)} (or an equivalent rounding) as {what} in the matter of {name}.", about, usd(stake)),
        advice(name, step, *steps),
        cites(name, "both papers from which the breach follows", *marks),
    ]
    claim = f"the {missing} for {name} is missing"
    says = [("is missing", "are missing", "was not found", "could not be found", "is not in the", *(f"no {word}" for word in words), *(f"{word} missing" for word in words))]
    return plant(decoy, f"{name}: {missing}", papers, issue, name, claim, says, unless, because, gaps=[Gap(f"{missing} for {name}", terms, despite)], value=usd(stake))


def _year_end(world: World) -> date:
    """The last December 31 after which 120 days and some weeks have gone by."""
    found = date(world.deal.as_of.year - 1, 12, 31)
    return found if (world.deal.as_of - found).days > 200 else date(found.year - 1, 12, 31)


def _franchise_update(world: World, rng: random.Random, decoy: bool) -> Plant:
    brand, count, fee = coined(world, rng, "Outpost"), rng.randrange(4, 10), rng.choice((35_000, 40_000, 45_000))
    end = _year_end(world)
    due, old = end + timedelta(days=120), date(end.year, 4, 20)
    papers = [
        paper("fdd", f"Franchise Disclosure Document, {brand}", "16.1", old, f"⟦fdd|Issuance date of this document for {brand} shops: {us_date(old)}. The franchisor's fiscal year is the calendar year.⟧", TEXT, avoid=("term", "payment", "pricing")),
        book("sales", f"Franchises Sold, {brand}", "16.1", world.past(rng, (0.02, 0.06)), "Sold", "Measure|Figure", Row((f"{brand} franchises signed after {us_date(due)}", count), "sold"), Row(("Initial fee each, USD", fee), "fee")),
    ]
    if decoy:
        papers.append(paper("update", f"Franchise Disclosure Document, {brand}, new edition", "16.1", due - timedelta(days=9), f"⟦update|Annual update of the {brand} document, issued {us_date(due - timedelta(days=9))} with the audited figures of the year; used for every sale since.⟧"))
    first = fact(f"{brand}: sold on an old document", f"PASS if the report states that {count} franchises of {brand} were sold on a disclosure document issued on {us_date(old)}.", [(brand,)], [("sold", "signed", "sale", "granted"), ("disclosure document", "fdd")], Value("date", text=old.isoformat()))
    return _rule(decoy, brand, first, "updated disclosure document", ("update", "current", "new edition", "renewed"), "the disclosure document had lapsed 120 days after the end of the fiscal year under the Franchise Rule, so that state law may give the buyers rescission", ("lapsed", "120 days", "rescission", "rescind", "franchise rule", "stale", "out of date"), count * fee,
                 "the initial fees", "updating the document, halting sales until then and an indemnity for rescission", ("updat", "rescission", "halt", "stop", "indemnit"), (brand.lower(), "annual update"), papers, ("fdd", "sold"), "the annual update was issued within the 120 days and used for every sale", ("was issued", "within the 120", "issued within"))


def _inspection(world: World, rng: random.Random, decoy: bool) -> Plant:
    place, number = world.place(rng), world.code(rng, "FEI 30", 8)
    count, stake, day = rng.randrange(4, 12), world.sum(rng, 0.002, 0.008, 50_000), world.past(rng, (0.2, 0.5))
    due = day
    for _ in range(15):
        due += timedelta(days=1)
        while due.weekday() > 4:
            due += timedelta(days=1)
    who = world.officers["cto"]
    papers = [
        paper("form", f"Form FDA 483, {number}", "16.2", day, f"⟦form|Inspection of {place.address} closed {us_date(day)}; {count} observations, the first on sterility of filled units. {number}.⟧"),
        mail("mail", f"Observations of {day_month(day)}", "16.2", due + timedelta(days=20), world.person(rng, "Head of Quality"), who, f"⟦mail|{who.first}, putting all {count} observations of {number} right will cost {money(stake)}. {'Our letter went out within the fifteen business days and the agency has since closed the inspection.' if decoy else 'The fifteen business days that we had for an answer are over and the draft is still with me.'}⟧"),
    ]
    if decoy:
        papers.append(paper("response", f"Answer to Form FDA 483, {number}", "16.2", due - timedelta(days=2), f"⟦response|Response of {world.target.short} to the {count} observations of {number}, each with its correction and proof that it was done.⟧", signed((world.target.name, who))))
        papers.append(paper("report", f"Establishment Inspection Report, {number}", "16.2", due + timedelta(days=12), f"⟦report|The agency considers the inspection of {number} closed under 21 CFR 20.64(d)(3).⟧"))
    first = fact(f"{number}: observations", f"PASS if the report states that the Form 483 of {number} has {count} observations and is open since {us_date(day)}.", [(number,)], [("observation", "483")], Value("date", text=day.isoformat()))
    return _rule(decoy, number, first, "response to the Form 483", ("response", "answer", "reply", "responded"), "the fifteen business days for a response have gone by, and a warning letter may follow", ("fifteen business days", "15 business days", "15-business-day", "15 working days", "warning letter", "enforcement", "overdue", "late"), stake,
                 "the cost of putting the observations right", "sending the response and closing the observations before closing", ("respon", "remediat", "close", "correct", "escrow", "indemnit", "submit a respon", "send a respon", "file a respon"), (number.lower(), "response of"), papers, ("form", "mail"), "the response went out in time and the agency closed the inspection", ("went out", "in time", "closed the inspection", "was sent"))


def _physician(world: World, rng: random.Random, decoy: bool) -> Plant:
    made = contract(world, rng, "Advisory Retainer", "supplier", (0.0004, 0.0015), trade="health")
    clinic, rate = made.party, rng.choice((4, 5, 6))
    total, day = made.annual * 2, world.past(rng, (0.1, 0.4))
    doctor = world.person(rng, "Medical Director", clinic)
    papers = [
        paper("retainer", f"Advisory Retainer {clinic.short}", "16.2", made.signed, f"⟦retainer|{doctor.name} of {clinic.name} lends advice. {'The fee is set for two years ahead and is the same whatever the clinic orders' if decoy else f'The fee moves with what the clinic orders of our devices for patients of Medicare: {rate} dollars in the hundred'}.⟧", parties=(clinic.name,)),
        paper("sums", f"Fees of {clinic.short}", "3.4", day, table("Year|USD", ("First", made.annual), ("Second", made.annual), Row(("Both", total), "sums")), kinds=("xlsx",)),
    ]
    if decoy:
        papers.append(paper("opinion", f"Appraiser on {clinic.short}", "16.2", made.signed - timedelta(days=15), f"⟦opinion|Fair market value opinion: for the hours of {clinic.short} the fixed fee lies in the middle of what such hours bring.⟧", signed(("Appraiser", world.person(rng, "Appraiser", world.company(rng, "consulting"))))))
    first = fact(f"{clinic.short}: fee follows orders", f"PASS if the report states that the fee of {clinic.short} is {rate}% of what it orders.", [(clinic.short,)], [("order", "volume", "referral", "purchas"), (f"{rate}%", f"{rate} per cent", f"{rate} percent", f"{rate} dollars in the hundred")])
    return _rule(decoy, clinic.short, first, "fair market value opinion", ("fair market value", "fmv", "valuation", "appraisal"), "the arrangement is outside the safe harbor and may violate the Anti-Kickback Statute", ("kickback", "safe harbor", "false claims", "stark"), total,
                 "the fees paid", "ending or mending the arrangement, with a review of it by health counsel and an indemnity", ("terminat", "end", "mend", "restructur", "review", "self-disclos", "indemnit"), (clinic.short.lower(), "fair market value opinion"), papers, ("retainer", "sums"), "the fee is fixed ahead and an appraiser found it fair", ("fixed ahead", "found it fair", "appraiser found"))


def _franchise_receipts(world: World, rng: random.Random, decoy: bool) -> Plant:
    brand, count, fee = coined(world, rng, "Bike Cafe"), rng.randrange(3, 9), rng.choice((28_000, 32_000, 38_000))
    day = world.past(rng, (0.2, 0.6))
    papers = [
        paper("list", f"Openings of {brand}", "16.1", day, table("Line|Entry", Row(("Grants signed in the quarter", count), "grants"), Row(("Paid on signing, each", f"USD {fee:,}"), "fee"), ("Towns", "See map")), kinds=("xlsx",)),
        paper("minutes", f"Franchise Sales Desk, {day_month(day + timedelta(days=8))}", "16.1", day + timedelta(days=8), Filler("minutes"), f"⟦minutes|Every buyer of a {brand} should hold the disclosure papers for fourteen days before he signs. {'The desk checked: the tear-off pages for the quarter are all in.' if decoy else 'Asked for the tear-off pages of the quarter, the desk had none to show; the papers were handed out at the signing table.'}⟧"),
    ]
    if decoy:
        papers.append(paper("pages", f"Tear-off Pages {brand}", "16.1", day - timedelta(days=3), f"⟦pages|Item 23 receipt, {brand}: {count} pages, each signed by the buyer twenty days or more before the grant.⟧", kinds=("txt", "docx")))
    first = fact(f"{brand}: grants", f"PASS if the report states that {count} franchises of {brand} were granted with disclosure only at signing.", [(brand,)], [(f"{count} ",), ("grant", "franchise", "signed", "sold")])
    return _rule(decoy, brand, first, "signed disclosure receipt", ("receipt", "tear-off", "item 23", "acknowledg"), "buyers did not have the document 14 days ahead as the Franchise Rule asks, so that fines, and rescission under state law, may follow", ("14 days", "14 calendar days", "14-day", "14-calendar", "fourteen", "franchise rule", "rescission", "rescind", "fine"), count * fee,
                 "the fees paid on signing", "offering rescission or curing the disclosure, with an indemnity", ("rescission", "cure", "curing", "indemnit", "disclos"), (brand.lower(), "item 23 receipt"), papers, ("grants", "minutes"), "the receipts were signed more than 14 days before each grant", ("were signed", "are all in", "signed more than"))


def _malfunctions(world: World, rng: random.Random, decoy: bool) -> Plant:
    device, count = coined(world, rng, "Syringe Driver"), rng.randrange(5, 15)
    stake, day, who = world.sum(rng, 0.002, 0.007, 50_000), world.past(rng, (0.3, 0.6)), world.person(rng, "Complaint Handler")
    papers = [
        mail("mail", f"{device}: free flow", "16.2", day, who, world.officers["gc"], f"⟦mail|{world.officers['gc'].first}, {count} wards have written that the {device} ran free; one more such case could kill. We have known of all of them since {us_date(day - timedelta(days=4))}.⟧"),
        paper("slides", f"Field Action {device}", "16.2", day + timedelta(days=60), f"⟦slides|Cost of a field action for the {device}: {millions(stake)}.⟧", f"⟦state|Authority: {'report filed in time, no question came back' if decoy else 'to be discussed'}.⟧", kinds=("pptx",)),
    ]
    if decoy:
        papers.append(paper("ack", f"Gateway Message {device}", "16.2", day + timedelta(days=15), f"⟦ack|Medical device report on the {device}: third acknowledgment, {count} events taken in.⟧", kinds=("txt", "docx")))
    first = fact(f"{device}: malfunctions", f"PASS if the report states that {count} malfunctions of the {device} were known by {us_date(day - timedelta(days=4))}.", [(device,)], [("malfunction", "free flow", "ran free", "complaint", "case", "event", "ward"), (f"{count} ",)], Value("date", text=(day - timedelta(days=4)).isoformat()))
    return _rule(decoy, device, first, "medical device report", ("medical device report", "mdr", "device report", "report to the fda", "reported to the fda"), "malfunctions had to be reported to the FDA within 30 days under 21 CFR Part 803, and enforcement may follow", ("30 days", "30 calendar", "30-day", "thirty", "part 803", "803", "misbrand", "enforcement"), stake,
                 "the cost of a field action", "reporting at once and a specific indemnity for the field action", ("report", "indemnit", "recall", "field action"), (device.lower(), "medical device report"), papers, ("mail", "slides"), "the device report was filed in time and acknowledged", ("was filed", "acknowledged", "filed in time"))


RECIPES: tuple[Recipe, ...] = (
    Recipe(127, "sector_rule", "Regulatory", "A rule of the sector was missed: franchise, health or drug law", "absence", "High", (
        Way("disclosure document not updated", "train", _franchise_update),
        Way("observations without a response", "train", _inspection),
        Way("physician paid by orders", "dev", _physician),
        Way("receipts that nobody has", "test", _franchise_receipts),
        Way("malfunctions not reported", "test", _malfunctions),
    )),
)
