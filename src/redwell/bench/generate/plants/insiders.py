"""Plants of dealings with insiders and conflicts of advisers (archetypes 13 and 14)."""

from __future__ import annotations

import random
from datetime import timedelta

from redwell.bench.generate.papers import Added, Filler, Paper, Row
from redwell.bench.generate.plants.briefs import (
    PROTECT,
    advice,
    book,
    cites,
    formed,
    in_words,
    plant,
    signed,
)
from redwell.bench.generate.plants.pieces import (
    TEXT,
    mail,
    paper,
    table,
)
from redwell.bench.generate.recipe import (
    Plant,
    Recipe,
    Way,
    conclusion,
    exposure,
    fact,
    usd,
)
from redwell.bench.generate.world import World
from redwell.bench.generate.writing import (
    day_month,
    millions,
    money,
    us_date,
)

# Texts of papers stay on one line each.
# fmt: off
# 13: a contract with an insider that was not disclosed


def _insider(decoy: bool, vendor: str, insider: str, paid: int, market: int, papers: list[Paper], marks: tuple[str, ...], unless: tuple[str, ...], because: str, added: tuple[Added, ...] = ()) -> Plant:
    excess = paid - market
    issue = [
        fact(f"{vendor}: insider", f"PASS if the report states that {insider} owns or controls {vendor}.", [(vendor,), (insider,)], [("own", "control", "interest", "belongs", "member", "manager", "holds", "related", "affiliate")]),
        fact(f"{vendor}: paid", f"PASS if the report states that {vendor} is paid {money(paid)} a year.", [(vendor,)], [("paid", "pay", "spend", "rent", "fee", "a year", "annual", "charge")], usd(paid)),
        exposure(f"{vendor}: above market", f"PASS if the report gives {money(excess)} (or an equivalent rounding) a year as what {vendor} is paid above market.", [(vendor,)], usd(excess)),
        conclusion(f"{vendor}: related party", f"PASS if the report concludes that the dealing with {vendor} is an undisclosed related party transaction.", [(vendor,)], [("related party", "related-party", "insider", "affiliate", "interested", "conflict"), ("undisclosed", "not disclosed", "not been disclosed", "not scheduled", "not listed", "omitted", "failed to disclose", "was not told", "does not appear")]),
        advice(vendor, "that the contract end or be put at arm's length at closing", "terminat", "arm's length", "arm's-length", "renegotiat", "market", "disclos", *PROTECT),
        cites(vendor, "both the paper that shows the interest and the one that shows what is paid", *marks),
    ]
    claim = f"the dealing with {vendor} is an undisclosed related party transaction"
    says = [("related party", "related-party", "insider", "affiliate", "interested", "conflict"), ("undisclosed", "not disclosed", "not scheduled", "not listed", "omitted", "failed to disclose")]
    return plant(decoy, f"{vendor}: dealing with {insider}", papers, issue, vendor, claim, says, unless, because, added=added, value=usd(excess))


def _insider_sums(world: World, rng: random.Random) -> tuple[int, int]:
    """(paid, market) a year."""
    market = world.sum(rng, 0.0008, 0.003, 10_000)
    return round(market * rng.uniform(1.3, 1.7) / 10_000) * 10_000, market


def _insider_questionnaire(world: World, rng: random.Random, decoy: bool) -> Plant:
    vendor, director = world.company(rng), world.person(rng, "Director")
    paid, market = _insider_sums(world, rng)
    began = world.past(rng, (1.5, 3))
    sold = began - timedelta(days=200)
    papers = [
        paper("questionnaire", f"Directors and Officers Questionnaire - {director.name}", "15.1", world.past(rng, (0.2, 0.5)), f"Completed by {director.name}",
              f"⟦answer|Question 9, business interests: sixty percent of {vendor.name}{f', which I sold to its staff on {us_date(sold)}' if decoy else ''}.⟧", "Question 10, dealings with the Company: see Question 9."),
        paper("agreement", f"Services Agreement - {vendor.short}", "6.2", began, f"{vendor.name} to serve {world.target.name} from {us_date(began)}.", TEXT, avoid=("pricing", "payment"), parties=(vendor.name,)),
        paper("benchmark", f"Procurement Benchmark - {vendor.short}", "6.2", world.past(rng, (0.1, 0.4)), f"⟦market|For the services of {vendor.short} two other vendors ask {money(market)} a year.⟧"),
    ]
    added = (Added("vendor_master", Row((vendor.name, "Site services", paid, world.officers["cfo"].title), "paid")),)
    return _insider(decoy, vendor.short, director.name, paid, market, papers, ("answer", "paid"), ("sold", "no longer", "before the agreement", "disposed"), "the director had sold the interest before the agreement was made", added)


def _insider_lease(world: World, rng: random.Random, decoy: bool) -> Plant:
    owner, place = formed(world, rng, ", LLC", "landlord"), world.place(rng)
    insider = world.person(rng, "Chief Operating Officer")
    paid, market = _insider_sums(world, rng)
    papers = [
        paper("lease", f"Lease of {place.city} Yard - {owner.short}", "11.1", world.past(rng, (1, 3)), f"⟦rent|{owner.name} lets the yard at {place.address} to {world.target.name} for {money(paid)} a year.⟧", TEXT, f"For the landlord: {insider.name}, managing member", avoid=("payment", "term"), parties=(owner.name,)),
        paper("deed", f"Members of {owner.short}", "15.1", world.past(rng, (2, 4)), f"⟦members|The members of {owner.name} are {insider.name} and the children of {insider.name}.⟧"),
        paper("appraisal", f"Rent Appraisal, {place.city} Yard", "11.1", world.past(rng, (0.3, 0.8)), f"⟦market|The yard would let in the market at {money(market)} a year.⟧", Filler("report")),
    ]
    added = (Added("disclosure_schedule", Row((owner.name, f"Lease of yard, owned by {insider.name}", "Approved by disinterested directors", money(paid)), "listed"), "4.18 Related Party Transactions"),) if decoy else ()
    return _insider(decoy, owner.short, insider.name, paid, market, papers, ("members", "rent"), ("is scheduled", "is listed", "disclosed in the schedule", "4.18", "approved by"), "the lease is disclosed in the schedule and was approved by disinterested directors", added)


def _insider_mail(world: World, rng: random.Random, decoy: bool) -> Plant:
    vendor = world.company(rng, "consulting")
    buyer_, cfo = world.person(rng, "Head of Purchasing"), world.officers["cfo"]
    relative = world.person(rng, "Principal", vendor)
    paid, market = _insider_sums(world, rng)
    day = world.past(rng, (0.1, 0.4))
    papers = [
        mail("doubt", f"{vendor.short} invoice", "15.1", day, buyer_, cfo, f"⟦doubt|{cfo.first}, {vendor.short} bills {millions(paid)} a year for what others offered at {millions(market)}. I hear that {relative.name}, who signs them, stood beside you at your wedding. Is that family?⟧"),
        mail("reply", f"Re: {vendor.short} invoice", "15.1", day + timedelta(days=1), cfo, buyer_,
             f"⟦reply|{f'No, a neighbor of long ago, and {vendor.short} belongs to a listed group in which nobody of us has a share; legal has looked at the register.' if decoy else f'My brother-in-law, and {vendor.short} is half mine. Pay the invoice and keep it out of the forms, please.'}⟧"),
        paper("forms", f"Related Party Forms {cfo.name}", "15.1", day - timedelta(days=60), f"⟦form|Interests to be declared by {cfo.name}: none.⟧", kinds=("docx", "txt")),
    ]
    return _insider(decoy, vendor.short, cfo.name, paid, market, papers, ("doubt", "reply") , ("listed group", "no share", "nobody", "looked at"), "the vendor belongs to a listed group in which no insider has a share")


def _insider_registry(world: World, rng: random.Random, decoy: bool) -> Plant:
    vendor, director = world.company(rng, "logistics"), world.person(rng, "Director")
    paid, market = _insider_sums(world, rng)
    born = rng.randrange(1955, 1975)
    other = born + rng.randrange(9, 20)
    papers = [
        paper("print", f"Companies Register Print {vendor.short}", "15.1", world.past(rng, (0.05, 0.2)), f"Number {world.code(rng, '', 8)}", f"⟦print|Person with control of {vendor.name}: {director.name}, born {other if decoy else born}.⟧", kinds=("txt", "docx")),
        paper("biography", f"Biographies of Directors ({director.last})", "2.2", world.past(rng, (0.3, 0.9)), f"⟦biography|{director.name}, born {born}, joined after a career in shipping and holds no office elsewhere.⟧"),
        book("freight", f"Freight Spend {vendor.short}", "6.2", world.past(rng, (0.05, 0.3)), "Spend", "Carrier|Paid last twelve months, USD|Tender price for same lanes, USD", Row((vendor.short, paid, market), "paid"), ("Others", 214_000, 219_500)),
    ]
    return _insider(decoy, vendor.short, director.name, paid, market, papers, ("print", "paid"), ("another person", "different person", "same name", "namesake", "born"), "the person with control was born in another year and only bears the director's name")


def _insider_minutes(world: World, rng: random.Random, decoy: bool) -> Plant:
    vendor = world.company(rng, "aerospace")
    founder = world.person(rng, "Founder and Director")
    paid, market = _insider_sums(world, rng)
    meeting = world.past(rng, (0.3, 0.9))
    papers = [
        paper("log", f"Charter Flights {vendor.short}", "15.1", world.past(rng, (0.05, 0.2)), f"⟦paid|Flights chartered from {vendor.name} in twelve months, at list: {in_words(paid)} dollars; the same hours at a broker's rates: {in_words(market)} dollars.⟧", kinds=("docx", "txt")),
        paper("title", f"Aircraft Title Report {vendor.short}", "15.1", world.past(rng, (0.5, 1)), table("Owner of record|Behind it", Row((vendor.name, f"{founder.name}, sole shareholder"), "behind"))),
        paper("minutes", f"Governance Committee, {day_month(meeting)} ({vendor.short})", "2.2", meeting, Filler("minutes"),
              f"⟦minutes|{f'{founder.name} laid open that {vendor.short} was the founder’s own; with the founder out of the room the members fixed the hours and let the charter stand, and had it entered in the register of interests.' if decoy else f'The members looked at the cost of travel and of {vendor.short} in particular, and the founder, {founder.name}, said that it had always been a friend of the house.'}⟧"),
    ]
    return _insider(decoy, vendor.short, founder.name, paid, market, papers, ("behind", "paid"), ("laid open", "register of interests", "was disclosed", "let the charter stand", "approved"), "the founder disclosed the interest and the disinterested members let the charter stand")


# 14: a conflict of the banker or of a director that was not disclosed


def _conflict(decoy: bool, name: str, tie: str, ties: tuple[str, ...], fee: int, papers: list[Paper], marks: tuple[str, ...], unless: tuple[str, ...], because: str) -> Plant:
    issue = [
        fact(f"{name}: conflict", f"PASS if the report states that {name} {tie}.", [(name,)], [ties]),
        exposure(f"{name}: sum", f"PASS if the report gives {money(fee)} (or an equivalent rounding) as what {name} gets or holds by reason of it.", [(name,)], usd(fee)),
        conclusion(f"{name}: not disclosed", f"PASS if the report concludes that the conflict of {name} was not disclosed to the board, which invites claims over the sale process.", [(name,)], [("conflict", "interest", "disclos"), ("not disclosed", "undisclosed", "not told", "not been told", "not informed", "failed to disclose", "did not disclose", "was not disclosed", "concealed", "unaware", "without disclosing", "silent")]),
        advice(name, "supplemental disclosure and a new vote of the disinterested directors", "disclos", "vote", "committee", "recus", "fairness", "ratif", *PROTECT),
        cites(name, "both the paper that shows the tie and the record of the board", *marks),
    ]
    claim = f"the conflict of {name} was not disclosed to the board"
    says = [("conflict", "interest", "disclos"), ("not disclosed", "undisclosed", "not told", "failed to disclose", "did not disclose", "concealed", "unaware")]
    return plant(decoy, f"{name}: conflict of interest", papers, issue, name, claim, says, unless, because, value=usd(fee))


def _conflict_financing(world: World, rng: random.Random, decoy: bool) -> Plant:
    banker = world.company(rng, "consulting")
    fee = world.sum(rng, 0.004, 0.01, 50_000)
    day = world.deal.signing - timedelta(days=12)
    papers = [
        paper("letter", f"Financing Fee Letter - {banker.short}", "1.4", day - timedelta(days=20), f"⟦fee|{world.buyer.name} shall pay {banker.name} {money(fee)} for arranging the acquisition debt, if the merger closes.⟧", signed((world.buyer.name, world.person(rng, "Treasurer", world.buyer)))),
        paper("minutes", f"Special Meeting of the Board - advice of {banker.short}", "1.2", day, Filler("minutes"),
              f"⟦minutes|{f'{banker.short} told the directors of its fee from the buyer for arranging debt; the directors weighed this, engaged a second adviser for the opinion and went on.' if decoy else f'{banker.short} confirmed to the directors that it acted for nobody else in the matter; on that footing the directors received its opinion.'}⟧"),
    ]
    return _conflict(decoy, banker.short, "earns a fee from the buyer for arranging its debt", ("buyer", "financ", "debt", "both sides"), fee, papers, ("fee", "minutes"), ("told the directors", "told the board", "was disclosed", "second adviser"), "the adviser told the directors, who engaged a second adviser")


def _conflict_director(world: World, rng: random.Random, decoy: bool) -> Plant:
    director = world.person(rng, "Director")
    held = world.sum(rng, 0.001, 0.004, 50_000)
    papers = [
        paper("questionnaire", f"Annual Questionnaire of {director.name}", "15.1", world.past(rng, (0.3, 0.6)), f"⟦held|Securities of competitors held by {director.name}: a holding in {world.buyer.name}, worth {money(held)}.⟧", Filler("report")),
        paper("minutes", f"Minutes of the Board on the merger ({director.last})", "1.2", world.deal.signing - timedelta(days=2), Filler("minutes"),
              f"⟦vote|{f'{director.name} declared the holding in the buyer and left before the merger was spoken of; the others voted, all in favor.' if decoy else f'Nobody had anything to declare. The merger was put to the vote; {director.name} moved it and all voted in favor.'}⟧"),
    ]
    return _conflict(decoy, director.name, "has a holding in the buyer", ("stock", "shares", "securities", "holding", "interest in"), held, papers, ("held", "vote"), ("declared", "left the", "recused", "did not vote", "abstain"), "the director declared the stock and left before the vote")


def _conflict_mail(world: World, rng: random.Random, decoy: bool) -> Plant:
    manager = world.person(rng, "President")
    partner = world.person(rng, "Head of Corporate Development", world.buyer)
    chair = world.directors[0]
    package = world.sum(rng, 0.002, 0.008, 50_000)
    day = world.deal.signing - timedelta(days=60)
    papers = [
        mail("offer", f"You and us, {manager.last}", "1.2", day, partner, manager, f"⟦offer|{manager.first}, before we talk price: you would run the combined business, with a package of {millions(package)}. Keep it between us for now.⟧"),
        mail("after", f"Talks, {manager.last}", "1.2", day + timedelta(days=2), manager, chair,
             f"⟦after|{chair.first}, {'I am forwarding what I was offered. Please tell the committee; as it decided on Tuesday I shall take no part in the talks on price.' if decoy else 'I shall lead the talks on price myself. There is nothing on my side that would stand in the way.'}⟧"),
        paper("committee", f"Committee Record on {manager.name}", "1.2", day + timedelta(days=5), Filler("minutes"), f"⟦record|{f'The members read the offer that {manager.name} had received and kept the talks to themselves.' if decoy else f'The members asked {manager.name} to lead the talks on price.'}⟧"),
    ]
    return _conflict(decoy, manager.name, "was offered a package by the buyer before price was negotiated", ("package", "offer", "employ", "role", "run the combined"), package, papers, ("offer", "record"), ("forward", "told the committee", "took no part", "read the offer"), "the committee was told and kept the talks to itself")


def _conflict_revenue(world: World, rng: random.Random, decoy: bool) -> Plant:
    adviser = world.company(rng, "fund")
    fees = world.sum(rng, 0.003, 0.01, 50_000)
    papers = [
        book("revenue", f"Fees from the Buyer's Group, {adviser.short}", "1.2", world.deal.signing - timedelta(days=30), "Fees", "Adviser|Received in two years, USD|From", Row((adviser.short, fees, world.buyer.short), "fees")),
        paper("statement", f"Relationships Statement {adviser.short}", "1.2", world.deal.signing - timedelta(days=25), f"⟦statement|{f'In the two years before this date {adviser.name} took {money(fees)} from the group of {world.buyer.short}, as the board may wish to bear in mind.' if decoy else f'In the two years before this date {adviser.name} took nothing from the group of {world.buyer.short} that the board would need to bear in mind.'}⟧", kinds=("docx", "txt")),
    ]
    return _conflict(decoy, adviser.short, "took fees from the buyer's group in the two years before", ("fees", "took", "received", "paid by", "revenue"), fees, papers, ("fees", "statement"), ("statement gives", "was stated", "disclosed in its statement", "told the board", "same sum"), "the adviser's statement to the board gives the same fees")


def _conflict_consultancy(world: World, rng: random.Random, decoy: bool) -> Plant:
    director = world.person(rng, "Independent Director")
    pay = world.sum(rng, 0.0008, 0.003, 10_000)
    begun = world.past(rng, (1.5, 2))
    ended = world.deal.signing - timedelta(days=240)
    papers = [
        paper("contract", f"Adviser Contract of {director.name}", "15.1", begun, f"⟦contract|{world.buyer.name} retains {director.name} and pays {in_words(pay)} dollars in all over the term of this contract, which goes on until either side ends it.⟧", avoid=("employment", "payment", "term")),
        paper("ending", f"Letter to {director.name}", "15.1", ended, f"⟦ending|{'At your wish the contract has ended and the whole fee has been handed back; the chairman of your board has had a copy of this letter and of the contract.' if decoy else 'At your wish the place of meeting is changed; in all else the contract goes on as it stands, with the fee paid quarter by quarter.'}⟧"),
        paper("extract", f"Independence Review ({director.last})", "2.2", world.deal.signing - timedelta(days=30), table("Director|Independent", Row((director.name, "Yes, no ties stated" if not decoy else "Yes, former tie seen and ended"), "review"))),
    ]
    return _conflict(decoy, director.name, "is a paid adviser of the buyer", ("adviser", "advisor", "consult", "retain", "paid by"), pay, papers, ("contract", "review"), ("ended", "handed back", "copy to the chairman", "returned"), "the contract ended, the fee was handed back and the chairman had been told")


RECIPES: tuple[Recipe, ...] = (
    Recipe(13, "related_party", "Related parties", "A dealing with an insider was not disclosed", "cross-document", "High", (
        Way("questionnaire and vendor master", "train", _insider_questionnaire),
        Way("landlord of an officer", "train", _insider_lease),
        Way("question by mail", "dev", _insider_mail),
        Way("registry print", "test", _insider_registry),
        Way("charter of the founder", "test", _insider_minutes),
    )),
    Recipe(14, "adviser_conflict", "Corporate", "A conflict of an adviser or director was not disclosed", "cross-document", "High", (
        Way("fee for the buyer's debt", "train", _conflict_financing),
        Way("stock of the buyer", "train", _conflict_director),
        Way("package before price", "dev", _conflict_mail),
        Way("fees from the buyer's group", "test", _conflict_revenue),
        Way("adviser contract of a director", "test", _conflict_consultancy),
    )),
)
