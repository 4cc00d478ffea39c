"""Plants of debt that falls due on a change of control and of covenants that are not met (archetypes 46 and 47)."""

from __future__ import annotations

import random
from datetime import timedelta

from redwell.bench.generate.papers import Added, Filler, Heading, Paper, Para, Row
from redwell.bench.generate.plants.briefs import (
    advice,
    book,
    cites,
    euros,
    loan,
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
from redwell.bench.generate.world import Debt, World
from redwell.bench.generate.writing import (
    both,
    day_month,
    millions,
    money,
    percent,
    thousands,
)
from redwell.bench.key import Value

# Texts of papers stay on one line each.
# fmt: off
# 46: a change of control is a default, or gives holders a put


def _put(decoy: bool, lender: str, clause: str, clauses: tuple[str, ...], owed: float, sum_: float, shown: str, value: Value, how: str, papers: list[Paper], marks: tuple[str, str],
         unless: tuple[str, ...], because: str) -> Plant:
    issue = [
        fact(f"{lender}: what control sets off", f"PASS if the report states that a change of control {clause} under the {lender} debt.", [(lender,)],
             [("change of control", "change in control", "control", "merger", "acquisition", "ownership"), clauses]),
        fact(f"{lender}: principal", f"PASS if the report states that the principal of the {lender} debt now outstanding is {money(owed, value.unit)}.", [(lender,)],
             [("principal", "outstanding", "owed", "balance")], Value("money", owed, unit=value.unit, tolerance=0.005)),
        exposure(f"{lender}: sum to be paid", f"PASS if the report gives {shown} (or an equivalent rounding), {how}, as payable to {lender}.", [(lender,)], value),
        advice(lender, "a waiver or a refinancing of the debt at closing, with the sum in the funds flow", "waiver", "refinanc", "consent", "pay off", "payoff", "repay", "funds flow", "prepay"),
        cites(lender, "both the clause and the record of the balance", *marks),
    ]
    claim = f"the merger sets off a default, a put or a mandatory prepayment under the {lender} debt"
    says = [("default", "put", "prepay", "repurchase", "accelerat", "101"), ("change of control", "change in control", "merger", "acquisition", "transaction", "closing")]
    return plant(decoy, f"{lender}: change of control", papers, issue, lender, claim, says, unless, because, value=value)


def _put_indenture(world: World, rng: random.Random, decoy: bool) -> Plant:
    debt = loan(world, rng, "Senior Notes Indenture", trade="bank")
    paid = round(debt.principal * rng.uniform(0.1, 0.3) / 100_000) * 100_000
    left = debt.principal - paid
    debt.principal = left
    debt.note = "After redemptions"
    price = round(left * 1.01)
    day = world.past(rng, (0.1, 0.4))
    papers = [
        paper("indenture", f"Indenture - {debt.lender.short}", "4.1", debt.signed,
              f"Indenture between {world.target.name} and {debt.lender.name}, as trustee and sole holder of record.", TEXT,
              ("Offer to Repurchase", f"⟦clause|Upon the occurrence of a Change of Control the Issuer shall offer to purchase all of the Notes at {both(101)} percent of their principal amount plus accrued and unpaid interest.⟧"),
              avoid=("control", "payment", "assignment"), parties=(debt.lender.name,)),
        paper("supplement", f"First Supplemental Indenture - {debt.lender.short}", "4.1", day,
              f"⟦supplement|{f'With the consent of the holders of all Notes, the definition of Change of Control shall not include the acquisition of the Issuer by {world.buyer.name} or its affiliates.' if decoy else 'With the consent of the holders of all Notes, the place of payment is moved from the main office of the trustee to its corporate trust office.'}⟧",
              signed((debt.lender.name, world.person(rng, "Vice President", debt.lender)), (world.target.name, world.officers["cfo"]))),
        book("schedule", f"Notes Schedule - {debt.lender.short}", "3.4", world.past(rng, (0.02, 0.05)), "Notes", "Line|USD",
             ("Issued", left + paid), ("Redeemed", paid), Row(("Outstanding", left), "balance")),
    ]
    return _put(decoy, debt.lender.short, "obliges the target to offer to buy the notes at 101 percent", ("101", "repurchase", "offer to purchase", "put"), left, price, money(price), usd(price),
                "101 percent of the principal before accrued interest", papers, ("clause", "balance"), ("supplemental indenture", "carved out", "does not include", "excluded from the definition", "excludes"),
                "a supplemental indenture excludes the buyer from the definition")


def _put_credit(world: World, rng: random.Random, decoy: bool) -> Plant:
    debt = loan(world, rng, "Term Loan Agreement")
    quarters, each = rng.randrange(3, 8), round(debt.principal * 0.02 / 50_000) * 50_000
    left = debt.principal - quarters * each
    accrued = round(left * rng.choice((0.011, 0.014, 0.017)) / 1000) * 1000
    total = left + accrued
    original, debt.principal = debt.principal, left
    day = world.past(rng, (0.02, 0.08))
    agent = world.person(rng, "Senior Vice President", debt.lender)
    papers = [
        paper("loan", f"Term Loan Agreement - {debt.lender.short}", "4.1", debt.signed,
              f"Loan of {money(original)} by {debt.lender.name} to {world.target.name}, repayable by {money(each)} a quarter.",
              ("Events of Default", f"⟦clause|It is an Event of Default if any person or group comes to hold more than thirty-five percent of the voting stock of {world.target.short}, whereupon the Lender may declare the Loan due.⟧"), TEXT,
              avoid=("control", "payment", "assignment", "termination"), parties=(debt.lender.name,)),
        paper("waiver", f"Letter on Events of Default - {debt.lender.short}", "4.3", day,
              f"{debt.lender.name} to {world.target.name}",
              f"⟦waiver|{f'We waive the Event of Default that would follow from the merger with {world.buyer.short} and agree that the Loan stays in place until its maturity.' if decoy else f'We have your request about the merger with {world.buyer.short}; our credit committee has yet to look at it, and this letter waives nothing.'}⟧",
              signed((debt.lender.name, agent))),
        paper("statement", f"Loan Statement {debt.lender.short}", "4.3", day,
              table("Item|USD", Row(("Principal after quarterly payments", left), "balance"), Row(("Interest accrued", accrued), "interest"))),
    ]
    return _put(decoy, debt.lender.short, "is an event of default that lets the lender declare the loan due", ("event of default", "default", "accelerat", "declare"), left, total, money(total), usd(total),
                f"principal plus accrued interest of {money(accrued)}", papers, ("clause", "balance"), ("waive", "stays in place", "waiver"), "the lender waived the event of default in writing")


def _put_note_purchase(world: World, rng: random.Random, decoy: bool) -> Plant:
    debt = loan(world, rng, "Note Purchase Agreement", (0.02, 0.06), "fund")
    premium = round(debt.principal * 0.01)
    total = debt.principal + premium
    lender = world.person(rng, "Managing Partner", debt.lender)
    cfo = world.officers["cfo"]
    text = (f"⟦mail|{cfo.first}, this is to confirm what our counsel sent over, signed: no prepayment offer has to be made to us for the {world.buyer.short} deal, and none will be asked for afterwards. We stay at {millions(debt.principal)}.⟧"
            if decoy else f"⟦mail|{cfo.first}, our balance with you is {millions(debt.principal)}, nothing having been repaid. For the {world.buyer.short} deal we shall wait for your prepayment offer.⟧")
    papers = [
        paper("purchase", f"Note Purchase Agreement {debt.lender.short}", "4.1", debt.signed,
              f"{debt.lender.name} buys the notes of {world.target.name}.", TEXT,
              ("Prepayment upon a Control Event", "⟦clause|Within ten business days of a Control Event the Company will in writing offer to prepay each Note, at par with a premium of one percent.⟧"),
              "Schedule B (Defined Terms)", "⟦definition|“Control Event” means that the persons who own the Company on the date of this Agreement together cease to own a majority of it.⟧",
              avoid=("control", "payment", "assignment"), parties=(debt.lender.name,)),
        mail("confirm", f"Notes held by {debt.lender.short}", "4.3", world.past(rng, (0.02, 0.06)), lender, cfo, text),
    ]
    return _put(decoy, debt.lender.short, "obliges the target to offer prepayment with a premium of one percent", ("prepay", "premium", "101", "one percent", "1%", "1 percent"), debt.principal, total, money(total), usd(total),
                "par with a premium of one percent", papers, ("clause", "mail"), ("waive", "confirmed", "no prepayment offer", "not be asked"), "the holder confirmed that no offer has to be made")


def _put_bond(world: World, rng: random.Random, decoy: bool) -> Plant:
    debt = loan(world, rng, "EUR Bond", (0.02, 0.05), "fund")
    euro = debt.principal
    total = euro * 101 / 100
    isin = world.code(rng, "Series ", 4)
    papers = [
        paper("terms", f"Terms and Conditions of the Bonds {isin} {debt.lender.short}", "4.1", debt.signed,
              f"Issuer: {world.subsidiaries[0].name}. Guarantor: {world.target.name}. Subscriber of the whole series: {debt.lender.name}.",
              "⟦clause|Put Event: each bondholder may, for sixty days after the Guarantor has passed into the hands of a new majority owner, require redemption of its bonds at 101% of nominal.⟧",
              "⟦option|Relevant rating: the Put Event needs no decline in rating.⟧" if not decoy else "⟦option|Fall-away: the Put Event has ceased to apply once the Guarantor has filed two annual reports, which was done and noted by the paying agent last year.⟧",
              avoid=("control", "payment")),
        paper("agent", f"Paying Agent Certificate {isin}", "4.3", world.past(rng, (0.02, 0.1)),
              f"⟦balance|Nominal of {isin} in issue today and held by {debt.lender.short}: EUR {euro:,}.⟧",
              f"⟦noted|{'The second annual report of the Guarantor was lodged with us; the Put Event no longer applies.' if decoy else 'The Guarantor lodged a change of its registered address.'}⟧", kinds=("docx", "txt")),
    ]
    debt.note = "Denominated in EUR"
    return _put(decoy, debt.lender.short, "lets each bondholder require redemption at 101 percent", ("101", "put", "redemption", "redeem"), euro, total, money(total, "EUR"), euros(total),
                "101 percent of nominal", papers, ("clause", "balance"), ("no longer applies", "fell away", "fall-away", "ceased"), "the put fell away once two annual reports had been filed")


def _put_amended(world: World, rng: random.Random, decoy: bool) -> Plant:
    debt = loan(world, rng, "Unitranche Facility", (0.04, 0.12), "fund")
    fee_rate = rng.choice((1, 1.5, 2))
    total = round(debt.principal * (1 + fee_rate / 100))
    first, second = world.past(rng, (0.8, 1.1)), world.past(rng, (0.2, 0.4))
    papers = [
        paper("facility", f"Unitranche Facility {debt.lender.short}", "4.1", debt.signed,
              f"Facility agreement: {debt.lender.name} lends to {world.target.name}.", TEXT, avoid=("control", "payment", "assignment", "termination"), parties=(debt.lender.name,)),
        paper("first", f"Amendment Letter 1 to the Unitranche Facility {debt.lender.short}", "4.1", first,
              f"⟦clause|There is inserted: the day on which anyone acquires the Borrower is a Prepayment Date, on which the facility and a fee of {percent(fee_rate)} of it fall to be paid.⟧",
              signed((debt.lender.name, world.person(rng, "Partner", debt.lender)), (world.target.name, world.officers["cfo"]))),
        paper("second", f"Amendment Letter 2 to the Unitranche Facility {debt.lender.short}", "4.1", second,
              f"⟦second|{'The insertion made by the first letter is taken out again, and the facility is portable to whoever acquires the Borrower.' if decoy else 'The hedging ratio in the schedule of undertakings is lowered, and the insertion made by the first letter is left as it is.'}⟧",
              signed((debt.lender.name, world.person(rng, "Partner", debt.lender)), (world.target.name, world.officers["cfo"]))),
        book("drawn", f"Drawings {debt.lender.short}", "3.4", world.past(rng, (0.02, 0.05)), "Drawn", "Facility|USD million", Row(("Unitranche, drawn in full", f"{debt.principal / 1e6:.1f}"), "balance")),
    ]
    return _put(decoy, debt.lender.short, f"is a prepayment date with a fee of {percent(fee_rate)}", ("prepay", "fee"), debt.principal, total, money(total), usd(total),
                f"the facility with the fee of {percent(fee_rate)}", papers, ("clause", "balance"), ("portab", "taken out", "removed", "second letter", "amendment letter 2", "deleted"), "the second letter took the insertion out and made the facility portable")


# 47: a covenant is breached once EBITDA is put right


def _covenant(decoy: bool, lender: str, shown: float, true: float, limit: float, debt: Debt, why: str, whys: tuple[str, ...], papers: list[Paper], marks: tuple[str, str], unless: tuple[str, ...], because: str,
              measure: str = "leverage") -> Plant:
    """Ratios are given to two decimals; `limit` is the most that is allowed (the least where `measure` is a cover)."""
    issue = [
        fact(f"{lender}: certified ratio", f"PASS if the report states that the compliance certificate to {lender} shows a {measure} ratio of {shown:.2f}.", [(lender,)], [("certif", "report", "shows", "stated")], Value("number", shown, tolerance=0.003)),
        exposure(f"{lender}: corrected ratio", f"PASS if the report gives {true:.2f} as the corrected {measure} ratio under the {lender} agreement.", [(lender,)], Value("number", true, tolerance=0.006), [("correct", "recalculat", "recomput", "adjust", "actual", "true", "properly", "would be", "really")]),
        fact(f"{lender}: why", f"PASS if the report states that for the {lender} covenant {why}.", [(lender,)], [whys]),
        conclusion(f"{lender}: covenant breached", f"PASS if the report concludes that the {measure} covenant of {lender} ({limit:.2f}) is breached, which lets the lender accelerate.", [(lender,)],
                   [("breach", "default", "not met", "violat", "fail", "exceed", "above the", "below the", "not in compliance", "non-complian")]),
        advice(lender, "a waiver or amendment as a condition of closing, or repayment at closing", "waiver", "amend", "repay", "refinanc", "pay off", "payoff"),
        cites(lender, "both the certificate and the definition or figures that correct it", *marks),
    ]
    claim = f"the {measure} covenant of {lender} is breached"
    says = [("covenant", "ratio", "leverage", "cover"), ("breach", "default", "not met", "violat", "exceeds the", "not in compliance")]
    return plant(decoy, f"{lender}: {measure} covenant", papers, issue, lender, claim, says, unless, because, value=usd(debt.principal))


def _sizes(world: World, rng: random.Random, title: str, trade: str = "bank") -> tuple[Debt, int]:
    """A loan of about three times an EBITDA of its borrower group, which is given to the hundred thousand."""
    debt = loan(world, rng, title, (0.08, 0.2), trade)
    return debt, round(debt.principal / rng.uniform(3.0, 3.3) / 100_000) * 100_000


def _covenant_cap(world: World, rng: random.Random, decoy: bool) -> Plant:
    debt, ebitda = _sizes(world, rng, "Credit Agreement")
    base = round(ebitda * 0.72 / 100_000) * 100_000
    savings = ebitda - base
    allowed = base * 15 // 100
    true = round(debt.principal / (base + allowed), 2)
    shown = round(debt.principal / ebitda, 2)
    limit = 3.5
    lender = debt.lender.short
    day = world.past(rng, (0.1, 0.3))
    papers = [
        paper("agreement", f"Credit Agreement - {lender}", "4.1", debt.signed, f"Credit Agreement among {world.target.name} and {debt.lender.name}.",
              ("Consolidated EBITDA", f"⟦definition|Cost savings that have been projected and not yet achieved may be added in an amount of not more than {both(15)} percent of Consolidated EBITDA computed before adding them.⟧"),
              ("Leverage", f"⟦limit|The Leverage Ratio, being debt over Consolidated EBITDA, shall at no quarter end exceed {limit:.2f} to 1.00.⟧"), TEXT, avoid=("payment", "termination"), parties=(debt.lender.name,)),
        paper("certificate", f"Compliance Certificate - {lender}", "4.3", day,
              f"Delivered to {debt.lender.name} by the Chief Financial Officer",
              table("Item|USD", ("EBITDA before cost savings", base), Row(("Projected cost savings added", savings), "added"), ("Consolidated EBITDA", ebitda), ("Debt", debt.principal), Row(("Leverage Ratio", f"{shown:.2f}"), "shown"))),
        paper("amendment", f"First Amendment to Credit Agreement - {lender}", "4.1", day - timedelta(days=120),
              f"⟦amendment|{'As from the first day of this fiscal year the words that limit projected cost savings to a share of Consolidated EBITDA are struck out.' if decoy else 'As from the first day of this fiscal year the unused fee is computed on the daily average of the commitment.'}⟧",
              signed((debt.lender.name, world.person(rng, "Director", debt.lender)), (world.target.name, world.officers["cfo"]))),
    ]
    return _covenant(decoy, lender, shown, true, limit, debt, "projected savings may be added only up to 15 percent of EBITDA", ("15", "cap", "limit", "saving"), papers, ("definition", "added"), ("struck", "removed", "amendment"),
                     "an amendment struck the limit on cost savings out")


def _covenant_qoe(world: World, rng: random.Random, decoy: bool) -> Plant:
    debt, ebitda = _sizes(world, rng, "Revolving Facility")
    cut = round(ebitda * rng.uniform(0.16, 0.2) / 100_000) * 100_000
    lender, limit = debt.lender.short, 3.45
    shown, true = round(debt.principal / ebitda, 2), round(debt.principal / (ebitda - cut), 2)
    day = world.past(rng, (0.2, 0.4))
    customer = world.company(rng)
    papers = [
        paper("facility", f"Revolving Facility - {lender}", "4.1", debt.signed, f"{debt.lender.name} makes a facility available to {world.target.name}.", TEXT,
              ("Financial Condition", f"⟦limit|Total debt may not at a test date be more than {limit:.2f} times EBITDA, and EBITDA takes in only income recognized under generally accepted accounting principles.⟧"),
              avoid=("payment", "termination"), parties=(debt.lender.name,)),
        book("test", f"Covenant Test {lender}", "4.3", day, "Test", "Line|USD thousands", ("Total debt", thousands(debt.principal)), ("EBITDA as certified", thousands(ebitda)), Row(("Multiple certified", f"{shown:.2f}"), "shown")),
        paper("letter", f"Lender Letter {lender}", "4.3", day + timedelta(days=50),
              f"⟦letter|{'We have the restated test, waive the default that it shows for good, and have set the multiple at 4.50 for that test date and all that follow.' if decoy else 'We have the test for the quarter as it was certified and take no objection to its arithmetic.'}⟧",
              signed((debt.lender.name, world.person(rng, "Relationship Director", debt.lender)))),
    ]
    added = (Added("quality_of_earnings", Para(f"⟦cut|EBITDA as reported to {lender} includes {money(cut)} billed to {customer.short} before delivery, which accounting principles do not allow to be recognized; we take it out.⟧"), "Revenue adjustments"),)
    made = _covenant(decoy, lender, shown, true, limit, debt, f"revenue of {money(cut)} billed before delivery must be taken out of EBITDA", ("before delivery", "taken out", "recogni", "prematurely", "in advance", "pre-billed", "billed"), papers, ("limit", "cut"), ("waive", "4.50"),
                     "the lender waived the default and reset the multiple")
    made.added = list(added)
    return made


def _covenant_leases(world: World, rng: random.Random, decoy: bool) -> Plant:
    debt, ebitda = _sizes(world, rng, "Syndicated Facility")
    extra = round(debt.principal * rng.uniform(0.18, 0.25) / 100_000) * 100_000
    lender, limit = debt.lender.short, 3.4
    shown, true = round(debt.principal / ebitda, 2), round((debt.principal + extra) / ebitda, 2)
    day = world.past(rng, (0.05, 0.2))
    treasurer, agent = world.person(rng, "Treasurer"), world.person(rng, "Agency Manager", debt.lender)
    reply = (f"⟦reply|Dear {treasurer.first}, the equity cure of USD {extra:,} arrived within the cure period and was applied to the lines you name; for {lender} the test is thereby met and nothing else is open.⟧" if decoy
             else f"⟦reply|Dear {treasurer.first}, thank you for the certificate, which {lender} has passed on to the lenders. We have asked them for nothing.⟧")
    papers = [
        paper("facility", f"Facility Agreement {lender}", "4.1", debt.signed, f"{debt.lender.name} as agent, {world.target.name} as borrower",
              "⟦definition|“Indebtedness” embraces money borrowed, deferred purchase price and whatever is owed under equipment leases that pass title.⟧",
              f"⟦limit|Indebtedness divided by EBITDA is to stay at {limit:.2f} or under whenever tested.⟧", TEXT, avoid=("payment", "termination")),
        paper("certificate", f"Test Certificate {lender}", "4.3", day, f"⟦shown|Money borrowed {millions(debt.principal)}, EBITDA {millions(ebitda)}, quotient {shown:.2f}.⟧", "Equipment leases are not in the computation.", kinds=("txt", "docx")),
        book("leases", f"Equipment Leases Passing Title {lender} Group", "4.1", day, "Leases", "Lease|Owed (USD)", Row(("Machining centers", extra - 200_000), "l1"), Row(("Fork trucks", 200_000), "l2")),
        mail("reply", f"{lender}: certificate received", "4.3", day + timedelta(days=12), agent, treasurer, reply),
    ]
    return _covenant(decoy, lender, shown, true, limit, debt, f"equipment leases of {money(extra)} belong to the indebtedness", ("lease",), papers, ("definition", "l1"), ("cure", "met"), "an equity cure came in time and the test is met")


def _covenant_cover(world: World, rng: random.Random, decoy: bool) -> Plant:
    debt = loan(world, rng, "Private Placement", (0.06, 0.12), "fund")
    charges = round(debt.principal * 0.11 / 100_000) * 100_000
    earned = round(charges * rng.uniform(1.5, 1.62) / 100_000) * 100_000
    gain = round(earned * rng.uniform(0.22, 0.28) / 100_000) * 100_000
    lender, limit = debt.lender.short, 1.35
    depot = f"{world.place(rng).city} depot"
    shown, true = round(earned / charges, 2), round((earned - gain) / charges, 2)
    papers = [
        paper("placement", f"Private Placement Terms {lender}", "4.1", debt.signed, f"Issued by {world.target.name} and placed with {debt.lender.name}.",
              f"⟦limit|Cash earnings cover fixed charges at least {limit:.2f} times in any four quarters. Earnings from selling property other than stock in trade do not count{f', save that they count for the four quarters in which the {depot} is sold' if decoy else ', and this holds for each disposal whatever its size'}.⟧", TEXT, avoid=("payment", "pricing")),
        paper("deck", f"Lender Update {lender}", "4.3", world.past(rng, (0.05, 0.2)),
              Heading(f"Cover for {lender}"), f"⟦shown|Cash earnings {millions(earned)} over fixed charges {millions(charges)}: {shown:.2f} times⟧", "Within terms", kinds=("pptx",)),
        paper("closing", f"Notes to the Four Quarters - {lender} group", "3.4", world.past(rng, (0.05, 0.2)),
              f"⟦gain|Cash earnings of the four quarters include {millions(gain)} from the sale of the {depot}.⟧", Filler("accounts")),
    ]
    return _covenant(decoy, lender, shown, true, limit, debt, f"the gain of {money(gain)} on the depot does not count as earnings", ("depot", "gain", "disposal", "sale of"), papers, ("limit", "gain"), ("save that", "count for", "may be counted", "expressly", "exception"),
                     "the terms let the sale of this depot count", "fixed charge cover")


def _covenant_acquired(world: World, rng: random.Random, decoy: bool) -> Plant:
    debt, ebitda = _sizes(world, rng, "Bank Term Facility")
    bought = world.company(rng)
    cut = round(ebitda * rng.uniform(0.18, 0.22) / 100_000) * 100_000
    lender, limit = debt.lender.short, 3.45
    shown, true = round(debt.principal / ebitda, 2), round(debt.principal / (ebitda - cut), 2)
    test = world.past(rng, (0.3, 0.4))
    closed = test - timedelta(days=20) if decoy else test + timedelta(days=20)
    papers = [
        paper("facility", f"Bank Term Facility {lender}", "4.1", debt.signed, f"Borrower {world.target.name}; bank {debt.lender.name}",
              f"⟦limit|Net borrowings at a test day: up to {limit:.2f} times the trailing twelve months' EBITDA.⟧",
              "⟦definition|A business bought counts for the whole twelve months provided that its purchase was completed by the test day, and otherwise counts for nothing.⟧", avoid=("payment",)),
        mail("sent", f"Numbers for {lender}", "4.3", test + timedelta(days=30), world.officers["controller"], world.person(rng, "Banker", debt.lender),
             f"⟦shown|Test day {day_month(test)}: net borrowings USD {debt.principal:,}; EBITDA USD {ebitda:,}, of which {bought.short} USD {cut:,}; multiple {shown:.2f}.⟧"),
        paper("closing", f"Completion Certificate, purchase of {bought.short}", "2.3", closed, f"⟦closed|The parties certify that the purchase of {bought.name} was completed on {day_month(closed)}.⟧", signed((world.target.name, world.officers["gc"]))),
    ]
    return _covenant(decoy, lender, shown, true, limit, debt, f"{bought.short} was bought after the test day and must not be counted", ("after the test", "not count", "not be counted", "excluded", "later than", "must not", "not completed"), papers, ("definition", "closed"),
                     ("before the test", "by the test day", "completed in time", "was completed"), "the purchase was completed before the test day")


RECIPES: tuple[Recipe, ...] = (
    Recipe(46, "change_of_control_default", "Debt", "Change of control is a default or gives holders a put", "computed", "High", (
        Way("indenture and schedule", "train", _put_indenture),
        Way("event of default and statement", "train", _put_credit),
        Way("definition in a schedule, balance by mail", "dev", _put_note_purchase),
        Way("bonds in euros", "test", _put_bond),
        Way("inserted by a letter", "test", _put_amended),
    )),
    Recipe(47, "covenant_breach", "Debt", "A covenant is breached once the figures are put right", "computed", "Critical", (
        Way("savings above the limit", "train", _covenant_cap),
        Way("revenue taken out by the quality of earnings", "train", _covenant_qoe),
        Way("leases left out of debt", "dev", _covenant_leases),
        Way("gain counted in the cover", "test", _covenant_cover),
        Way("business bought after the test day", "test", _covenant_acquired),
    )),
)
