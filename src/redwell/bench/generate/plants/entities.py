"""Plants of good standing, holders of subsidiaries and earn-outs of earlier purchases (archetypes 6, 7 and 11)."""

from __future__ import annotations

import random
from datetime import date, timedelta

from redwell.bench.generate.papers import Filler, Heading, Paper, Row
from redwell.bench.generate.plants.briefs import (
    PROTECT,
    advice,
    book,
    cites,
    in_words,
    plant,
    signed,
    subsidiary,
    unsigned,
)
from redwell.bench.generate.plants.pieces import (
    TEXT,
    mail,
    on,
    paper,
    table,
)
from redwell.bench.generate.recipe import (
    Gap,
    Plant,
    Recipe,
    Way,
    absence,
    exposure,
    fact,
    usd,
)
from redwell.bench.generate.world import World
from redwell.bench.generate.writing import (
    day_month,
    millions,
    money,
    thousands,
    us_date,
    years_after,
)

# Texts of papers stay on one line each.
# fmt: off
# 6: not in good standing, or not qualified where it operates


def _standing(decoy: bool, name: str, state: str, defect: str, defects: tuple[str, ...], sums: tuple[tuple[str, int], ...], papers: list[Paper], marks: tuple[str, ...], unless: tuple[str, ...], because: str) -> Plant:
    total = sum(amount for _, amount in sums)
    parts = " and ".join(f"{what} of {money(amount)}" for what, amount in sums)
    issue = [
        fact(f"{name}: standing", f"PASS if the report states that {name} {defect} in {state}.", [(name,)], [defects]),
        fact(f"{name}: it operates there", f"PASS if the report states that {name} operates in {state} (employees, lease or sales).", [(name,)], [("employ", "payroll", "lease", "operat", "sales", "warehouse", "staff", "business", "premises", "shop")]),
        exposure(f"{name}: cost of cure", f"PASS if the report gives {money(total)} (or an equivalent rounding), {parts}, as what it costs {name} to be put right.", [(name,)], usd(total)),
        advice(name, "that the standing or qualification be put right before closing", "cure", "reinstat", "qualif", "register", "file", "pay ", "good standing"),
        cites(name, "both the state record and what shows that it operates there", *marks),
    ]
    return plant(decoy, f"{name}: standing in {state}", papers, issue, name, f"{name} {defect} in {state}", [defects], unless, because, value=usd(total))


def _cost(rng: random.Random) -> tuple[int, int]:
    return rng.randrange(18, 95) * 1000, rng.randrange(6, 40) * 1000


def _standing_payroll(world: World, rng: random.Random, decoy: bool) -> Plant:
    sub, place = subsidiary(world, rng), world.place(rng)
    fees, penalty = _cost(rng)
    papers = [
        paper("list", f"Foreign Qualifications - {sub.short}", "2.3", world.past(rng, (0.02, 0.1)), table("State|Status", ("Delaware", "Home"), Row((place.state, "Qualified by certificate of last month, back fees paid" if decoy else "None"), "status"))),
        book("payroll", f"Payroll by State - {sub.short}", "9.3", world.past(rng, (0.1, 0.3)), "States", "State|Heads|Site", Row((place.state, rng.randrange(14, 90), f"{place.city} shop"), "payroll")),
        paper("memo", f"State Fee Estimate - {sub.short}", "2.3", world.past(rng, (0.2, 0.4)), f"⟦fees|To qualify {sub.name} in {place.state} for the years in which it has had people there costs {money(fees)} in back fees and {money(penalty)} in penalties.⟧", Filler("report")),
    ]
    return _standing(decoy, sub.short, place.state, "is not qualified to do business", ("not qualified", "unqualified", "never qualified", "no qualification", "not registered", "lacks"), (("back fees", fees), ("penalties", penalty)), papers, ("status", "payroll"),
                     ("has qualified", "was qualified", "certificate of last month", "is qualified", "now qualified"), "it was qualified last month and the back fees are paid")


def _standing_revoked(world: World, rng: random.Random, decoy: bool) -> Plant:
    sub, place = subsidiary(world, rng), world.place(rng)
    fees, penalty = _cost(rng)
    first = world.past(rng, (0.5, 0.8))
    papers = [
        paper("notice", f"Notice of Administrative Dissolution - {sub.short}", "2.3", first, f"State of {place.state}, Business Services Division",
              f"⟦notice|{sub.name} is dissolved for annual reports not filed; arrears {money(fees)}, late charges {money(penalty)}.⟧"),
        paper("lease", f"Lease, {place.city} - {sub.short}", "11.1", world.past(rng, (1, 3)), f"⟦lease|{sub.name} rents the warehouse at {place.address} and carries on its trade there.⟧", TEXT, avoid=("term", "payment")),
        paper("later", f"Division Letter - {sub.short}", "2.3", first + timedelta(days=60),
              f"⟦later|{f'The dissolution of {sub.short} is annulled; all reports and arrears have come in and it is in good standing without interruption.' if decoy else f'An application to annul the dissolution of {sub.short} may be made until the end of the second year.'}⟧"),
    ]
    return _standing(decoy, sub.short, place.state, "was administratively dissolved", ("dissol", "revoked", "not in good standing", "forfeit"), (("arrears", fees), ("late charges", penalty)), papers, ("notice", "lease"), ("annul", "reinstat", "in good standing without"),
                     "the dissolution was annulled and everything paid")


def _standing_mail(world: World, rng: random.Random, decoy: bool) -> Plant:
    sub, place = subsidiary(world, rng), world.place(rng)
    fees, penalty = _cost(rng)
    agent, gc = world.person(rng, "Service Manager", world.company(rng, "law")), world.officers["gc"]
    day = world.past(rng, (0.2, 0.5))
    papers = [
        mail("first", f"{sub.short}, {place.state}", "2.3", day, agent, gc, f"⟦first|Dear {gc.first}, the franchise tax office of {place.state} shows {sub.name} as forfeited. Tax {money(fees)}, interest and penalty {money(penalty)}, as of this month.⟧"),
        mail("second", f"{sub.short}, {place.state}: follow-up", "2.3", day + timedelta(days=40), agent, gc,
             f"⟦second|Dear {gc.first}, {'the office has entered the revival; it took your payment and shows the company as active.' if decoy else 'nothing has changed at the office since I wrote. It shows the company as before.'}⟧"),
        book("sales", f"Sales of {sub.short} by State", "3.2", world.past(rng, (0.1, 0.2)), "Sales", "State|USD thousands", Row((place.state, thousands(world.sum(rng, 0.005, 0.02))), "sales"), ("Elsewhere", "41")),
    ]
    return _standing(decoy, sub.short, place.state, "is forfeited", ("forfeit", "not in good standing", "revoked", "inactive"), (("tax", fees), ("interest and penalty", penalty)), papers, ("first", "sales"), ("reviv", "active", "reinstat"), "it was revived and is active")


def _standing_table(world: World, rng: random.Random, decoy: bool) -> Plant:
    sub, place = subsidiary(world, rng), world.place(rng)
    fees, penalty = _cost(rng)
    papers = [
        paper("print", f"Corporations Register, print for {sub.short}", "2.3", world.past(rng, (0.02, 0.06)), f"Entity: {sub.name}; register of {place.state}", f"⟦status|Status: {'Active. Delinquency cleared, fee ' + format(fees + penalty, ',') + ' booked.' if decoy else 'Delinquent. Owed: fee ' + format(fees, ',') + '; surcharge ' + format(penalty, ',') + '.'}⟧", kinds=("txt",)),
        paper("report", f"Site Report {place.city}", "11.1", world.past(rng, (0.1, 0.3)), Filler("report"), f"⟦site|In {place.city}, {place.state}, the work is done in the name of {sub.short}, by two shifts.⟧"),
    ]
    return _standing(decoy, sub.short, place.state, "is delinquent", ("delinquent", "not in good standing", "in arrears"), (("fee", fees), ("surcharge", penalty)), papers, ("status", "site"), ("cleared", "active", "no longer"), "the delinquency was cleared")


def _standing_minutes(world: World, rng: random.Random, decoy: bool) -> Plant:
    sub, place = subsidiary(world, rng), world.place(rng)
    fees, penalty = _cost(rng)
    meeting = world.past(rng, (0.1, 0.4))
    ends = meeting - timedelta(days=300)
    papers = [
        paper("authority", f"Certificate of Authority {sub.short}", "2.3", years_after(ends, -2), f"⟦authority|{sub.name} may carry on business in {place.state} up to {day_month(ends)}, and afterwards if it renews.⟧", kinds=("docx", "txt")),
        paper("managers", f"Managers of {sub.short}, {day_month(meeting)}", "2.3", meeting, Filler("minutes"),
              f"⟦said|On the {place.city} branch, with its {rng.randrange(11, 48)} people, the managers were told that {'the renewal had been stamped a month before the old one ran out' if decoy else 'no renewal had been asked for, and that by the tariff it would now cost fees of ' + in_words(fees) + ' dollars and a fine of ' + in_words(penalty)}.⟧"),
    ]
    return _standing(decoy, sub.short, place.state, "has no authority to do business any more", ("no authority", "expired", "lapsed", "not renewed", "not authorized", "ran out"), (("fees", fees), ("a fine", penalty)), papers, ("authority", "said"), ("renewal had been", "was renewed", "renewed before", "renewal was"),
                     "the authority was renewed before it ran out")


# 7: the register of a subsidiary shows another holder, and the transfer is not there


def _owner(decoy: bool, name: str, holder: str, value: int, papers: list[Paper], marks: tuple[str, str], gap: tuple[str, ...], despite: tuple[str, ...], unless: tuple[str, ...], because: str, what: str = "transfer deed") -> Plant:
    issue = [
        fact(f"{name}: registered holder", f"PASS if the report states that {holder} is the registered holder of the shares of {name}.", [(name,)], [("register", "record", "holder", "owner", "held by", "in the name")]),
        absence(f"{name}: no transfer", f"PASS if the report states that no executed {what} for {name} is in the data room.", [(name,)], ("transfer", "deed", "assignment", "conveyance", "instrument")),
        exposure(f"{name}: value", f"PASS if the report gives {money(value)} (or an equivalent rounding) as the value of {name} at stake.", [(name,)], usd(value)),
        advice(name, "a confirmatory transfer as a condition of closing", "confirmatory", "transfer", "condition", "execute", "register"),
        cites(name, "both the chart and the register", *marks),
    ]
    claim = f"title to {name} is open because {holder} is its registered holder"
    says = [("title", "registered holder", "not the owner", "does not own", "another holder", "discrepan", "no transfer", "transfer is missing"), ("open", "doubt", "missing", "no ", "not ", "differ", "unclear", "defect", "gap", "conflict", "discrepan")]
    return plant(decoy, f"{name}: who holds it", papers, issue, name, claim, says, unless, because, gaps=[Gap(f"{what} for {name}", gap, despite)], value=usd(value))


def _owner_chart(world: World, rng: random.Random, decoy: bool) -> Plant:
    sub, former = subsidiary(world, rng, " Ltd."), world.company(rng)
    value, day = world.sum(rng, 0.02, 0.08, 500_000), world.past(rng, (1, 2))
    papers = [
        paper("chart", f"Organization Chart with Values ({sub.short})", "2.3", world.past(rng, (0.02, 0.1)), table("Entity|Parent|Value (USD)", Row((sub.name, world.target.name, value), "chart"))),
        paper("register", f"Register of Members - {sub.short}", "2.3", world.past(rng, (0.02, 0.1)), f"⟦register|Member 1: {former.name}, one hundred percent, entered on formation{'; struck out, see instrument of transfer' if decoy else ''}.⟧"),
        paper("deed", f"Instrument of Transfer - {sub.short}", "2.3", day if decoy else None, f"⟦deed|{former.name} transfers to {world.target.name} all shares in {sub.name}.⟧",
              signed((former.name, world.person(rng, "Director", former)), day=day) if decoy else unsigned(former.name), status="" if decoy else "unsigned"),
    ]
    return _owner(decoy, sub.short, former.short, value, papers, ("chart", "register"), (former.name.lower(), "transfers to", sub.name.lower()), ("deed",), ("signed transfer", "transfer was signed", "executed transfer", "struck out", "was executed"), "the instrument of transfer is in the room, signed")


def _owner_acquisition(world: World, rng: random.Random, decoy: bool) -> Plant:
    sub, former = subsidiary(world, rng, ", LLC"), world.company(rng)
    value, day = world.sum(rng, 0.02, 0.06, 500_000), world.past(rng, (1.5, 3))
    papers = [
        paper("purchase", f"Share Purchase Agreement - {sub.short}", "2.3", day, f"⟦purchase|At completion {former.name} shall hand over a signed assignment of the units of {sub.name}, for which {world.target.name} pays {money(value)}.⟧", TEXT, avoid=("assignment", "pricing")),
        book("checklist", f"Completion Checklist - {sub.short}", "2.3", day + timedelta(days=30), "Checklist", "Item|State", ("Price paid", "Done"), Row((f"Unit ledger of {sub.short}", f"Shows {former.short} as holder of all units"), "ledger"), Row(("Assignment of units", "Signed, dated and attached below" if decoy else "To follow after completion"), "item")),
        paper("form", f"Assignment of Units {sub.short}", "2.3", day + timedelta(days=1) if decoy else None, f"⟦form|For value received the units of {sub.name} are assigned by {former.name} as of completion.⟧", signed((former.name, world.person(rng, "Manager", former))) if decoy else unsigned(former.name), status="" if decoy else "form"),
    ]
    return _owner(decoy, sub.short, former.short, value, papers, ("purchase", "ledger"), ("are assigned by", former.name.lower()), ("form",), ("was signed", "signed assignment", "is signed"), "the assignment of units is in the room, signed", "assignment of units")


def _owner_mail(world: World, rng: random.Random, decoy: bool) -> Plant:
    sub = subsidiary(world, rng, " GmbH")
    founder = world.person(rng, "Founder, retired")
    value = world.sum(rng, 0.01, 0.05, 500_000)
    notary, gc = world.person(rng, "Notary", world.company(rng, "law")), world.officers["gc"]
    day = world.past(rng, (0.1, 0.4))
    papers = [
        paper("slide", f"Group Structure {sub.short}", "1.5", world.past(rng, (0.1, 0.2)), f"⟦chart|{sub.short}: owned whole by {world.target.short}, carried at {millions(value)}⟧", kinds=("pptx",)),
        mail("extract", f"Extract for {sub.short}", "2.3", day, notary, gc, f"⟦extract|Dear {gc.first}, the commercial register names {founder.name} as the one shareholder of {sub.name}, today as in the year of its founding.⟧"),
        mail("after", f"Re: Extract for {sub.short}", "2.3", day + timedelta(days=9), notary, gc,
             f"⟦after|Dear {gc.first}, {f'the notarial deed by which {founder.name} gave the shares to you has been in our vault all along; it is valid from its day, and the register is being brought up to it.' if decoy else 'we have looked through our vault for a deed on these shares and there is none with us.'}⟧"),
        paper("deed", f"Notarial Deed, shares of {sub.short}", "2.3", day - timedelta(days=2_000) if decoy else None, f"⟦deed|{founder.name} gives all shares in {sub.name} to {world.target.name}, which accepts them.⟧", signed((founder.name, founder), (world.target.name, world.officers["ceo"])) if decoy else unsigned(founder.name, world.target.name), status="" if decoy else "draft"),
    ]
    return _owner(decoy, sub.short, founder.name, value, papers, ("chart", "extract"), (founder.name.lower(), "all shares in", sub.short.lower()), ("deed",), ("notarial deed", "in our vault", "in the vault", "deed exists", "valid from"), "the notary holds the deed, which is valid", "notarial deed")


def _owner_trust(world: World, rng: random.Random, decoy: bool) -> Plant:
    sub, nominee = subsidiary(world, rng, " Ltd."), world.company(rng, "fund")
    value = world.sum(rng, 0.01, 0.04, 500_000)
    papers = [
        paper("return", f"Annual Return of {sub.short}", "2.3", world.past(rng, (0.2, 0.6)), f"⟦return|Shareholder of {sub.name}: {nominee.name}. Others: none.⟧", kinds=("txt", "docx")),
        paper("accounts", f"Group Accounts, note on holdings ({sub.short})", "3.1", world.past(rng, (0.3, 0.7)), Filler("accounts"), f"⟦note|{sub.short} is wholly owned, with net assets of {money(value)}.⟧"),
        paper("trust", f"Declaration on Shares of {sub.short}", "2.3", world.past(rng, (2, 4)) if decoy else None, f"⟦trust|{nominee.name} declares that it keeps every share in {sub.name} in trust for {world.target.name} and will convey it on request.⟧", signed((nominee.name, world.person(rng, "Director", nominee))) if decoy else unsigned(nominee.name), status="" if decoy else "draft"),
    ]
    return _owner(decoy, sub.short, nominee.short, value, papers, ("return", "note"), (nominee.name.lower(), "in trust for"), ("trust",), ("in trust", "trust was signed", "nominee for", "signed declaration"), "the nominee signed a declaration of trust", "conveyance or declaration of trust")


def _owner_table(world: World, rng: random.Random, decoy: bool) -> Plant:
    sub, other = subsidiary(world, rng), world.company(rng)
    value = world.sum(rng, 0.01, 0.05, 500_000)
    papers = [
        book("entities", f"Entity List ({sub.short})", "2.3", world.past(rng, (0.02, 0.1)), "Entities", "Entity|Held by|Equity, USD", Row((sub.name, "Group, 100%", value), "chart")),
        paper("folio", f"Share Folio {sub.short}", "2.3", world.past(rng, (0.1, 0.3)), table("Folio|Holder|Remark", Row(("1", other.name, "All shares"), "folio"), Row(("2", world.target.name if decoy else "blank", f"All shares in {sub.short}, conveyed out of folio 1 by deed seen and filed" if decoy else "blank"), "next"))),
        paper("steps", f"Steps Paper on {sub.short}", "2.3", world.past(rng, (1, 2)), f"⟦steps|Step 4: {other.short} conveys its shares to the group, by deed, before the old parent is wound up.⟧", Filler("report")),
    ]
    return _owner(decoy, sub.short, other.short, value, papers, ("chart", "folio"), (sub.short.lower(), "conveyed out of folio"), (), ("conveyed", "folio 2", "deed seen"), "folio 2 shows the conveyance by deed", "deed of conveyance")


# 11: an earn-out of an earlier purchase is open


def _earnout(decoy: bool, seller: str, parts: tuple[tuple[str, int], ...], deadline: date, missing: str, missings: tuple[str, ...], papers: list[Paper], marks: tuple[str, ...], unless: tuple[str, ...], because: str) -> Plant:
    total = sum(amount for _, amount in parts)
    made = " plus ".join(f"{money(amount)} for {what}" for what, amount in parts)
    issue = [
        fact(f"{seller}: earn-out", f"PASS if the report states that milestones of the earn-out of {seller} were reached, with payment due on {us_date(deadline)}.", [(seller,)], [("earn-out", "earnout", "milestone", "contingent")], on(deadline)),
        exposure(f"{seller}: sum open", f"PASS if the report gives {money(total)} (or an equivalent rounding), {made}, as unpaid to {seller}.", [(seller,)], usd(total)),
        absence(f"{seller}: {missing}", f"PASS if the report states that there is no record of {missing} in the data room for {seller}.", [(seller,)], missings),
        advice(seller, "a special indemnity, an escrow or payment before closing", "pay ", "paid", *PROTECT),
        cites(seller, "both the purchase agreement and the record of the milestones", *marks),
    ]
    claim = f"the earn-out of {seller} is unpaid"
    says = [("unpaid", "not paid", "open", "owed", "outstanding", "not been paid", "due")]
    gap = Gap(f"payment of the earn-out of {seller}", (seller.lower(), "earn-out", "paid in full"))
    return plant(decoy, f"{seller}: earn-out", papers, issue, seller, claim, says, unless, because, gaps=[gap], value=usd(total))


def _stones(world: World, rng: random.Random) -> tuple[int, int]:
    return world.sum(rng, 0.002, 0.008, 50_000), world.sum(rng, 0.002, 0.006, 50_000)


def _earnout_table(world: World, rng: random.Random, decoy: bool) -> Plant:
    seller = world.company(rng)
    one, two = _stones(world, rng)
    due = world.past(rng, (0.2, 0.5))
    papers = [
        paper("purchase", f"Asset Purchase Agreement - {seller.short}", "10.3", years_after(due, -2), f"{world.target.name} buys the business of {seller.name}.", TEXT,
              ("Earn-Out", f"⟦terms|On {us_date(due)} the Buyer shall pay {money(one)} if the product line was approved and {money(two)} if its sales passed the Target Sales.⟧"), avoid=("payment", "pricing"), parties=(seller.name,)),
        book("milestones", f"Milestones {seller.short}", "3.5", due - timedelta(days=20), "Milestones", "Milestone|Result", Row(("Approval of product line", "Reached"), "m1"), Row(("Target Sales", "Passed"), "m2")),
        book("ledger", f"Ledger Account {seller.short}", "3.4", world.past(rng, (0.02, 0.1)), "Account", "Date|Text|USD", Row((due, "Earn-out, paid in full by wire" if decoy else "No movement in the period", one + two if decoy else 0), "ledger")),
    ]
    return _earnout(decoy, seller.short, (("approval", one), ("sales", two)), due, "a payment", ("payment", "paid", "wire", "transfer"), papers, ("terms", "m1", "ledger"), ("paid in full", "was paid", "by wire"), "the ledger shows the earn-out paid")


def _earnout_notice(world: World, rng: random.Random, decoy: bool) -> Plant:
    seller = world.company(rng)
    one, two = _stones(world, rng)
    due = world.past(rng, (0.2, 0.5))
    papers = [
        paper("merger", f"Merger Agreement of an earlier year - {seller.short}", "10.3", years_after(due, -3), f"⟦terms|Former holders of {seller.short} are owed {money(one)} upon the first shipment and a further {money(two)} upon the tenth, both payable on {us_date(due)} at the latest.⟧", TEXT, avoid=("payment", "pricing")),
        paper("notice", f"Holders' Representative to the Company ({seller.short})", "10.3", due - timedelta(days=45), f"⟦notice|Shipments one to ten of the {seller.short} product have left your dock; the representative gives notice that both milestones have been met.⟧"),
        paper("discharge", f"Receipt and Discharge - {seller.short}", "10.3", due if decoy else None, f"⟦discharge|The representative of the former holders of {seller.short} has received the earn-out, paid in full, and discharges the Company.⟧", signed(("Holders' Representative", world.person(rng, "Representative", seller))) if decoy else unsigned("Holders' Representative"), status="" if decoy else "unsigned"),
    ]
    made = _earnout(decoy, seller.short, (("the first shipment", one), ("the tenth", two)), due, "a signed receipt or payment", ("receipt", "payment", "discharge"), papers, ("terms", "notice"), ("discharge", "received", "paid in full"), "the representative signed a receipt and discharge")
    made.gaps = [Gap(gap.what, gap.terms, ("discharge",)) for gap in made.gaps]
    return made


def _earnout_assumption(world: World, rng: random.Random, decoy: bool) -> Plant:
    seller = world.company(rng)
    one, two = _stones(world, rng)
    due = world.past(rng, (0.1, 0.3))
    holder, cfo = world.person(rng, "Former Owner", seller), world.officers["cfo"]
    papers = [
        paper("deed", f"Purchase Deed {seller.short}", "10.3", years_after(due, -2), f"⟦terms|Contingent price for {seller.short}: {millions(one)} for the certificate and {millions(two)} for the hundredth unit, to be in the seller's account on {day_month(due)}. If the purchaser is to be merged, the acquirer's written assumption is handed over a month before that day.⟧", kinds=("docx", "txt"), avoid=("payment", "pricing")),
        mail("reached", f"{seller.short} milestones", "10.3", due - timedelta(days=60), cfo, holder, f"⟦reached|{holder.first}, you are right, we have the certificate and the hundredth unit ran last week. Both count.⟧"),
        mail("later", f"Re: {seller.short} milestones", "10.3", due + timedelta(days=20), holder, cfo,
             f"⟦later|{cfo.first}, {f'that was prompt. Everything has arrived: the {seller.short} earn-out is paid in full and I have no more to ask.' if decoy else 'the day has gone by. I have neither an assumption by the acquirer nor any money, and I would like to hear why.'}⟧"),
    ]
    return _earnout(decoy, seller.short, (("the certificate", one), ("the hundredth unit", two)), due, "an assumption by the acquirer or a payment", ("assumption", "payment", "paid"), papers, ("terms", "reached"), ("paid in full", "arrived", "was paid"), "the former owner confirmed payment in full")


def _earnout_tiers(world: World, rng: random.Random, decoy: bool) -> Plant:
    seller = world.company(rng)
    one, two = _stones(world, rng)
    due = world.past(rng, (0.1, 0.4))
    papers = [
        paper("schedule", f"Schedule of Deferred Consideration {seller.short}", "10.3", years_after(due, -2), table("Step|Test|Sum (USD)", Row((1, "Revenue above first mark", one), "s1"), Row((2, "Revenue above second mark", two), "s2")), f"⟦due|Whatever steps the revenue of {seller.short} has passed are settled on {due.isoformat()}.⟧"),
        paper("slide", f"Acquired Businesses: {seller.short}", "3.5", due - timedelta(days=30), Heading(f"{seller.short} since purchase"), "⟦passed|Revenue above first mark: yes. Above second mark: yes⟧", "Integration done", kinds=("pptx",)),
        paper("treasury", f"Treasury Confirmation {seller.short}", "3.4", due + timedelta(days=10), f"⟦treasury|{f'Deferred consideration of {seller.short} (both steps; the earn-out): paid in full on the day.' if decoy else f'Deferred consideration of {seller.short}: instruction not received by treasury.'}⟧", kinds=("docx", "txt")),
    ]
    return _earnout(decoy, seller.short, (("the first step", one), ("the second step", two)), due, "a settlement of the steps", ("settle", "payment", "paid", "instruction"), papers, ("s1", "passed"), ("paid in full", "settled", "was paid"), "treasury confirmed payment on the day")


def _earnout_minutes(world: World, rng: random.Random, decoy: bool) -> Plant:
    seller = world.company(rng)
    one, two = _stones(world, rng)
    due = world.past(rng, (0.2, 0.5))
    meeting = due + timedelta(days=14)
    papers = [
        paper("contract", f"Takeover Contract {seller.short}", "10.3", years_after(due, -2), f"⟦terms|The second part of the price, {in_words(one)} dollars for keeping the staff of {seller.short} and {in_words(two)} dollars for winning its tender, is paid out on {day_month(due)} if both are so.⟧", TEXT, avoid=("payment",)),
        paper("minutes", f"Board Session, {day_month(meeting)} ({seller.short})", "2.2", meeting, Filler("minutes"), f"⟦both|The Board heard that the staff of {seller.short} had stayed and that the tender was won.⟧",
              f"⟦asked|Asked about the second part of the price, the treasurer {f'produced the bank advice: the earn-out of {seller.short} was paid in full on its day' if decoy else 'answered that he would come back to the Board, which he has not done since'}.⟧"),
    ]
    return _earnout(decoy, seller.short, (("the staff", one), ("the tender", two)), due, "a bank advice or payment", ("bank advice", "payment", "paid", "advice"), papers, ("terms", "both"), ("bank advice was", "paid in full", "produced the bank advice"), "the bank advice was produced to the Board")


RECIPES: tuple[Recipe, ...] = (
    Recipe(6, "good_standing", "Corporate", "An entity is not in good standing or not qualified where it operates", "cross-document", "Low", (
        Way("payroll in a state without qualification", "train", _standing_payroll),
        Way("dissolved by notice", "train", _standing_revoked),
        Way("forfeiture by mail", "dev", _standing_mail),
        Way("register print", "test", _standing_table),
        Way("authority not renewed", "test", _standing_minutes),
    )),
    Recipe(7, "subsidiary_holder_differs", "Corporate", "A register shows another holder of a subsidiary", "absence", "High", (
        Way("chart and register of members", "train", _owner_chart),
        Way("assignment that was to follow", "train", _owner_acquisition),
        Way("notary's extract by mail", "dev", _owner_mail),
        Way("nominee without a declaration", "test", _owner_trust),
        Way("entity list and folio", "test", _owner_table),
    )),
    Recipe(11, "prior_earn_out", "Corporate", "An earn-out of an earlier purchase is unpaid", "computed", "High", (
        Way("milestones and ledger", "train", _earnout_table),
        Way("representative's notice", "train", _earnout_notice),
        Way("assumption that did not come", "dev", _earnout_assumption),
        Way("schedule of steps", "test", _earnout_tiers),
        Way("board session", "test", _earnout_minutes),
    )),
)
