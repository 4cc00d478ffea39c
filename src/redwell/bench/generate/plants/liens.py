"""Plants of liens that outlive their debt and of debt that the net debt leaves out (archetypes 48 and 49)."""

from __future__ import annotations

import random
from datetime import timedelta

from redwell.bench.generate.papers import Added, Filler, Paper, Row
from redwell.bench.generate.plants.briefs import (
    PROTECT,
    advice,
    book,
    cites,
    in_words,
    plant,
    signed,
    unsigned,
)
from redwell.bench.generate.plants.pieces import (
    TEXT,
    contract,
    mail,
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
    both,
    day_month,
    millions,
    money,
    thousands,
)

# Texts of papers stay on one line each.
# fmt: off
# 48: liens that were not released after the debt was paid


def _lien(decoy: bool, holder: str, number: str, debt: int, release: str, releases: tuple[str, ...], papers: list[Paper], marks: tuple[str, str], terms: tuple[str, ...], despite: tuple[str, ...],
          unless: tuple[str, ...], because: str) -> Plant:
    """`release` is the paper that would end the lien; `terms` stand together in whatever would be it."""
    about = [(holder, number)]
    issue = [
        fact(f"{holder}: lien of record", f"PASS if the report states that the lien of {holder} ({number}) is still of record.", about,
             [("lien", "security interest", "financing statement", "mortgage", "encumbrance", "filing", "charge"), ("of record", "still", "remain", "open", "active", "unreleased", "not released", "on file", "recorded")]),
        fact(f"{holder}: debt paid", f"PASS if the report states that the debt of {money(debt)} to {holder} has been paid off.", about, [("paid", "payoff", "repaid", "satisf", "discharged")], usd(debt)),
        absence(f"{holder}: no release", f"PASS if the report states that no {release} of {holder} is in the data room.", about, releases),
        advice(holder, "a release or termination of the lien at or before closing", "release", "terminat", "discharge", "satisfaction", "ucc-3"),
        cites(holder, "both the search and the record of the payment", *marks),
    ]
    claim = f"the lien of {holder} ({number}) is unreleased"
    says = [("unreleased", "not released", "not been released", "remains of record", "still of record", "no release", "no termination", "outstanding lien", "not terminated")]
    gap = Gap(f"{release} of {holder}", terms, despite)
    return plant(decoy, f"{holder}: lien {number}", papers, issue, holder, claim, says, unless, because, gaps=[gap], value=usd(debt))


def _lien_search(world: World, rng: random.Random, decoy: bool) -> Plant:
    bank, number = world.company(rng, "bank"), world.code(rng, "2019 ", 7)
    debt, paid = world.sum(rng, 0.01, 0.04, 100_000), world.past(rng, (0.8, 1.6))
    later = world.code(rng, "2024 ", 7)
    papers = [
        paper("search", f"UCC Search Report - {world.target.short} ({bank.short})", "4.2", world.past(rng, (0.02, 0.08)),
              f"Debtor searched: {world.target.name}. Secretary of State of Delaware.",
              table("File number|Type|Secured party|Collateral", Row((number, "UCC-1", bank.name, "All assets"), "filing"),
                    Row((later, "UCC-3 Termination" if decoy else "UCC-3 Amendment (address)", bank.name, f"Refers to {number}"), "later"))),
        paper("payoff", f"Payoff Letter - {bank.short}", "4.2", paid, f"{bank.name} to {world.target.name}",
              f"⟦payoff|We acknowledge receipt of {money(debt)}, by which all obligations under the loan are paid in full.⟧ We will on request deliver what is needed to end our filings.",
              signed((bank.name, world.person(rng, "Loan Officer", bank)))),
    ]
    return _lien(decoy, bank.short, number, debt, "UCC-3 termination statement", ("termination", "release", "ucc-3"), papers, ("filing", "payoff"), (bank.name.lower(), "ucc-3 termination"), (), ("termination was filed", "terminated", "ucc-3 termination"),
                 "a termination statement for the filing is of record")


def _lien_mortgage(world: World, rng: random.Random, decoy: bool) -> Plant:
    bank, place = world.company(rng, "bank"), world.place(rng)
    number = world.code(rng, "Instrument No. ", 8)
    debt, paid = world.sum(rng, 0.008, 0.03, 100_000), world.past(rng, (1, 2))
    satisfaction = world.code(rng, "Instrument No. ", 8)
    papers = [
        paper("title", f"Title Commitment - {place.city}", "11.2", world.past(rng, (0.03, 0.1)),
              f"Schedule B, Part II: {place.address}",
              f"⟦mortgage|Exception 9. Mortgage from {world.target.name} to {bank.name}, recorded as {number}.⟧",
              f"⟦next|{f'Exception 10. Satisfaction of the mortgage under {number}, by {bank.name}, recorded as {satisfaction}.' if decoy else f'Exception 10. Drainage easement to the county, recorded as {satisfaction}.'}⟧"),
        paper("closing", f"Closing Statement, repayment of {bank.short}", "4.2", paid,
              table("Line|USD", Row((f"Mortgage loan of {bank.short}, paid by wire", debt), "wire"), ("Recording fees to be billed by lender", 0))),
        paper("form", f"Satisfaction of Mortgage {bank.short}", "4.2", None,
              f"The undersigned certifies that the mortgage given by {world.target.name} has been satisfied.", unsigned(bank.name), status="form"),
    ]
    return _lien(decoy, bank.short, number, debt, "recorded satisfaction of the mortgage", ("satisfaction", "release", "discharge"), papers, ("mortgage", "wire"), (number.lower(), "satisfaction"), (), ("satisfaction is recorded", "satisfaction was recorded", "was satisfied", "has been released"),
                 "a satisfaction of the mortgage was recorded")


def _lien_patents(world: World, rng: random.Random, decoy: bool) -> Plant:
    fund, reel = world.company(rng, "fund"), world.code(rng, "Reel 0", 5)
    debt, paid = world.sum(rng, 0.01, 0.03, 100_000), world.past(rng, (0.6, 1.4))
    clerk, gc = world.person(rng, "Paralegal", world.company(rng, "law")), world.officers["gc"]
    lender = world.person(rng, "Principal", fund)
    papers = [
        book("assignments", f"Patent Assignment Abstract {reel}", "7.1", world.past(rng, (0.02, 0.08)), "Abstract", "Reel and frame|Conveyance|From|To",
             Row((f"{reel} / 0117", "Security interest", world.target.name, fund.name), "interest"),
             Row((world.code(rng, "Reel 0", 5) + " / 0660", "Release by secured party" if decoy else "Change of address", fund.name if decoy else world.target.name, world.target.name), "next")),
        mail("thanks", f"{fund.short} repaid", "4.2", paid, lender, gc, f"⟦paid|{gc.first}, the {millions(debt)} came in this morning, so you are debt-free with {fund.short}.⟧ A pleasure to work with you."),
        mail("chase", f"Patents and {fund.short}", "4.2", paid + timedelta(days=30), clerk, gc, f"{gc.first}, one line for your list: whatever comes back from {fund.short} goes to the patent office the same day."),
    ]
    return _lien(decoy, fund.short, reel, debt, "release of the security interest in the patents", ("release", "terminat", "discharge"), papers, ("interest", "paid"), (fund.name.lower(), "release by secured party"), (), ("release was recorded", "has been released", "recorded release", "release by"),
                 "a release by the secured party is recorded")


def _lien_contractor(world: World, rng: random.Random, decoy: bool) -> Plant:
    builder, place = world.company(rng, "construction"), world.place(rng)
    number = world.code(rng, "Mechanic's Lien ", 6)
    debt, paid = world.sum(rng, 0.002, 0.008, 10_000), world.past(rng, (0.3, 0.8))
    papers = [
        paper("claim", f"Claim of Lien, {place.city}", "11.2", paid - timedelta(days=150), f"{number}; county recorder",
              f"⟦lien|{builder.name} claims a lien upon the works at {place.city} for USD {debt:,} unpaid.⟧", kinds=("txt", "docx")),
        paper("ledger", f"Vendor Card {builder.short}", "3.4", paid + timedelta(days=15), table("Posted|Text|USD", Row((paid, "Final account, check cleared", debt), "paid")), kinds=("xlsx",)),
        paper("abstract", f"County Abstract, {place.city}", "11.2", world.past(rng, (0.02, 0.1)), f"⟦abstract|Against the parcel there stand: {number} ({builder.short}){', and beside it a waiver and discharge by the claimant, lodged later' if decoy else ''}; nothing else.⟧"),
    ]
    return _lien(decoy, builder.short, number, debt, "discharge of the mechanic's lien", ("discharge", "release", "waiver"), papers, ("abstract", "paid"), (builder.short.lower(), "waiver and discharge"), (), ("discharge was lodged", "was discharged", "waiver and discharge", "discharge by the"),
                 "the claimant lodged a waiver and discharge")


def _lien_equipment(world: World, rng: random.Random, decoy: bool) -> Plant:
    lessor, number = world.company(rng, "fund"), world.code(rng, "Charge 04-", 6)
    debt, paid = world.sum(rng, 0.004, 0.015, 50_000), world.past(rng, (0.7, 1.5))
    meeting = paid + timedelta(days=40)
    sub = world.subsidiaries[1]
    papers = [
        paper("minutes", f"Minutes, directors of {sub.short}, {day_month(meeting)}", "2.3", meeting, Filler("minutes"),
              f"⟦paid|It was recorded that the machine loan of {lessor.short} had been cleared with {in_words(debt)} dollars.⟧"),
        paper("extract", f"Register of Charges, {sub.short}", "4.2", world.past(rng, (0.02, 0.06)),
              table("Reference|Holder|Over|Particulars", Row((number, lessor.name, "Presses 1 to 6", "Struck off, deed of discharge lodged" if decoy else "Created by deed of charge"), "charge"), (world.code(rng, "Charge 04-", 6), "Landlord", "Rent deposit", "Created by rent deed"))),
    ]
    return _lien(decoy, lessor.short, number, debt, "discharge of the charge over the presses", ("discharge", "release", "satisfaction", "struck off"), papers, ("charge", "paid"), (lessor.name.lower(), "deed of discharge"), (), ("struck off", "deed of discharge", "was discharged"),
                 "the charge was struck off on a deed of discharge")


# 49: debt-like items that the net debt leaves out


def _debt_like(decoy: bool, name: str, items: tuple[tuple[str, int, tuple[str, ...], str], ...], papers: list[Paper], rows: tuple[tuple[str, str], ...], unless: tuple[str, ...], hub: tuple[Added, ...] = ()) -> Plant:
    """`items` are (what, dollars, words for it, mark); the decoy has them in the net debt as `rows` of (item, note)."""
    total = sum(item[1] for item in items)
    issue = [fact(f"{name}: {what}", f"PASS if the report states that {what} of {money(amount)} ({name}) is not in the net debt.", [(name,)], [words], usd(amount)) for what, amount, words, _ in items]
    issue += [
        exposure(f"{name}: sum of items", f"PASS if the report gives {money(total)} (or an equivalent rounding) as the debt-like items of {name} in all.", [(name,)], usd(total)),
        advice(name, "that the items be treated as debt in the price", "net debt", "debt-like", "indebtedness", "treat", "deduct", *PROTECT),
        cites(name, "the papers that show the items", *(item[3] for item in items)),
    ]
    claim = f"the debt-like items of {name} are omitted from the net debt"
    says = [("omit", "not in the net debt", "not included", "left out", "leaves out", "excluded from", "missing from", "understat")]
    added = tuple(Added("net_debt", Row((item, amount, note))) for (item, note), (_, amount, _, _) in zip(rows, items, strict=True)) if decoy else ()
    because = "the net debt statement already counts them"
    return plant(decoy, f"{name}: debt-like items", papers, issue, name, claim, says, unless, because, added=(*added, *hub), value=usd(total))


def _items_factor(world: World, rng: random.Random, decoy: bool) -> Plant:
    factor = world.company(rng, "fund")
    sold, fees = world.sum(rng, 0.006, 0.02, 50_000), world.sum(rng, 0.0003, 0.0008, 5_000)
    signed_on = world.past(rng, (0.8, 1.6))
    papers = [
        paper("purchase", f"Receivables Purchase Agreement - {factor.short}", "4.1", signed_on, f"{factor.name} purchases receivables of {world.target.name}.", TEXT,
              ("Recourse", f"⟦recourse|Seller shall on demand buy back, at face, each purchased receivable that its debtor has not paid within {both(90)} days, whatever the reason.⟧"), avoid=("payment", "liability"), parties=(factor.name,)),
        paper("statement", f"Funding Statement - {factor.short}", "4.3", world.past(rng, (0.02, 0.06)),
              table("Item|USD", Row(("Advances against receivables not yet collected", sold), "advances"), Row(("Fees accrued and unbilled", fees), "fees"))),
    ]
    return _debt_like(decoy, factor.short, (("recourse factoring", sold, ("factor", "receivable", "recourse", "advance"), "advances"), ("accrued fees", fees, ("fee",), "fees")), papers,
                      ((f"{factor.short} recourse advances", "Debt"), (f"{factor.short} fees", "Debt")), ("already", "are included", "is included", "counted"))


def _items_retention(world: World, rng: random.Random, decoy: bool) -> Plant:
    code = world.code(rng, "Plan R-", 4)
    bonus, taxes = world.sum(rng, 0.003, 0.01, 50_000), 0
    taxes = round(bonus * 0.0765)
    day = world.past(rng, (0.2, 0.5))
    papers = [
        paper("plan", f"Retention {code}", "9.3", day, f"Adopted by the Board of {world.target.name}",
              f"⟦plan|Participants of {code} earn the pool of {money(bonus)} by service to the day on which the Company is sold, and the Company pays it within ten days thereafter.⟧", TEXT, avoid=("employment", "payment")),
        mail("payroll", f"{code} taxes", "9.3", world.past(rng, (0.03, 0.1)), world.officers["controller"], world.officers["cfo"],
             f"⟦taxes|{world.officers['cfo'].first}, on top of the pool of {code} the employer's share of payroll tax comes to {money(taxes)}.⟧ Neither sits in any accrual yet."),
    ]
    return _debt_like(decoy, code, (("the retention pool", bonus, ("retention", "pool", "bonus"), "plan"), ("the employer's payroll tax", taxes, ("tax",), "taxes")), papers,
                      ((f"Retention pool, {code}", "Transaction cost"), (f"Employer tax, {code}", "Transaction cost")), ("already", "are included", "is included", "counted"))


def _items_earnout(world: World, rng: random.Random, decoy: bool) -> Plant:
    sold = world.company(rng)
    deferred, rent = world.sum(rng, 0.003, 0.01, 50_000), world.sum(rng, 0.001, 0.004, 10_000)
    day = world.past(rng, (0.8, 1.8))
    papers = [
        paper("purchase", f"Asset Purchase {sold.short}", "10.3", day, f"{sold.name} transfers its service business to {world.target.name}.",
              f"⟦deferred|Of the price, {millions(deferred)} is left standing for three years without interest and is earlier due if {world.target.short} is sold.⟧", avoid=("payment", "pricing"), parties=(sold.name,)),
        paper("rent", f"Rent Relief Letter, former {sold.short} premises", "11.3", day + timedelta(days=90),
              f"⟦rent|Rent of {millions(rent)} that was not paid while the former {sold.short} works stood idle is put off, and becomes payable with the rent of next spring.⟧", kinds=("txt", "docx")),
    ]
    return _debt_like(decoy, sold.short, (("deferred purchase price", deferred, ("deferred", "purchase price", "price", "left standing"), "deferred"), ("deferred rent", rent, ("rent",), "rent")), papers,
                      ((f"{sold.short} deferred price", "Debt-like"), (f"{sold.short} deferred rent", "Debt-like")), ("already", "are included", "is included", "counted"))


def _items_customer(world: World, rng: random.Random, decoy: bool) -> Plant:
    made = contract(world, rng, "Capacity Reservation")
    party = made.party
    deposit, rebate = world.sum(rng, 0.004, 0.012, 50_000), world.sum(rng, 0.001, 0.003, 5_000)
    papers = [
        paper("reservation", f"Capacity Reservation {party.short}", "6.1", made.signed, f"{party.name} reserves capacity of {world.target.name}.",
              "⟦deposit|The deposit is repaid in cash, not worked off, when the reservation period is over.⟧", TEXT, avoid=("payment",), parties=(party.name,)),
        book("balances", f"Customer Balances {party.short}", "3.4", world.past(rng, (0.02, 0.06)), "Credit balances", "Customer|Kind|USD thousands",
             Row((party.short, "Refundable deposit held", thousands(deposit)), "held"), Row((party.short, "Volume rebate for last year, unpaid", thousands(rebate)), "rebate")),
    ]
    return _debt_like(decoy, party.short, (("the refundable deposit", deposit, ("deposit",), "held"), ("the unpaid rebate", rebate, ("rebate",), "rebate")), papers,
                      ((f"{party.short} deposit to repay", "Cash taken, debt"), (f"{party.short} rebate", "Debt")), ("already", "are included", "is included", "counted"))


def _items_board(world: World, rng: random.Random, decoy: bool) -> Plant:
    banker = world.company(rng, "consulting")
    fee, legal = world.sum(rng, 0.006, 0.012, 50_000), world.sum(rng, 0.0008, 0.002, 10_000)
    meeting = world.past(rng, (0.15, 0.3))
    papers = [
        paper("engagement", f"Engagement {banker.short}", "1.5", meeting - timedelta(days=60), f"{banker.name} advises {world.target.name} on a sale.",
              f"⟦fee|For a sale that closes the adviser has earned {in_words(fee)} dollars, to be paid by the company out of its own cash after the closing.⟧", signed((banker.name, world.person(rng, "Managing Director", banker)), (world.target.name, world.officers["ceo"]))),
        paper("minutes", f"Transaction Committee, {day_month(meeting)}", "1.2", meeting, Filler("minutes"),
              f"⟦legal|The committee took note that lawyers who work beside {banker.short} will leave their bills of {in_words(legal)} dollars unsent until the buyer has taken over.⟧"),
    ]
    return _debt_like(decoy, banker.short, (("the adviser's success fee", fee, ("fee", "success"), "fee"), ("the unbilled legal cost", legal, ("legal", "lawyer", "bills"), "legal")), papers,
                      ((f"{banker.short} success fee", "Sale cost, counted as debt"), (f"Lawyers beside {banker.short}", "Sale cost, counted as debt")), ("already", "are included", "is included", "counted"))


RECIPES: tuple[Recipe, ...] = (
    Recipe(48, "unreleased_lien", "Debt", "A lien is of record though its debt was paid", "absence", "Medium", (
        Way("search and payoff letter", "train", _lien_search),
        Way("title exception and closing statement", "train", _lien_mortgage),
        Way("patents and mail", "dev", _lien_patents),
        Way("builder's lien", "test", _lien_contractor),
        Way("register of charges and minutes", "test", _lien_equipment),
    )),
    Recipe(49, "debt_like_items", "Debt", "Debt-like items are not in the net debt", "computed", "High", (
        Way("factoring with recourse", "train", _items_factor),
        Way("retention pool and tax", "train", _items_retention),
        Way("deferred price and rent", "dev", _items_earnout),
        Way("deposit and rebate", "test", _items_customer),
        Way("sale costs", "test", _items_board),
    )),
)
