"""Plants of guarantees that nobody disclosed and of what prepayment costs (archetypes 50 and 51)."""

from __future__ import annotations

import random
from datetime import timedelta

from redwell.bench.generate.papers import Added, Filler, Heading, Paper, Row
from redwell.bench.generate.plants.briefs import (
    PROTECT,
    advice,
    book,
    cites,
    euros,
    in_words,
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
    months_after,
    percent,
    us_date,
    years_after,
)
from redwell.bench.key import Value

# Texts of papers stay on one line each.
# fmt: off
# 50: a guarantee or loan within the group or for an insider that nobody disclosed


def _guarantee(decoy: bool, creditor: str, debtor: str, amount: int, papers: list[Paper], marks: tuple[str, str], unless: tuple[str, ...], because: str, what: str = "guarantee",
               added: tuple[Added, ...] = ()) -> Plant:
    words = ("guarant", "surety", "comfort", "indemn", "secures", "joint and several") if what == "guarantee" else ("loan", "advance", "receivable", "owes", "intercompany")
    issue = [
        fact(f"{creditor}: the {what}", f"PASS if the report states that there is a {what} of the target for {debtor} in favor of or with {creditor}.", [(creditor,)], [words], ),
        exposure(f"{creditor}: sum", f"PASS if the report gives {money(amount)} (or an equivalent rounding) as the sum of the {what} of {creditor}.", [(creditor,)], usd(amount)),
        absence(f"{creditor}: not disclosed", f"PASS if the report states that the {what} of {creditor} is not disclosed in the debt list or the disclosure schedule.", [(creditor,)], ("disclos", "schedule", "debt list", "list", "register", "net debt")),
        advice(creditor, f"release of the {what} at closing, or a special indemnity", "release", "repay", "terminat", "discharge", *PROTECT),
        cites(creditor, "both papers that show it", *marks),
    ]
    claim = f"the {what} of {creditor} is undisclosed and in force"
    says = [words, ("undisclosed", "not disclosed", "in force", "outstanding", "remains", "exposed", "continuing", "not listed", "not scheduled")]
    return plant(decoy, f"{creditor}: {what} for {debtor}", papers, issue, creditor, claim, says, unless, because, added=added, value=usd(amount))


def _guarantee_confirmation(world: World, rng: random.Random, decoy: bool) -> Plant:
    bank, amount = world.company(rng, "bank"), world.sum(rng, 0.004, 0.02, 100_000)
    affiliate = world.company(rng)
    day = world.past(rng, (0.3, 0.6))
    papers = [
        paper("confirmation", f"Audit Confirmation - {bank.short}", "3.1", day, f"{bank.name} to the auditors of {world.target.name}",
              table("Question|Reply", ("Deposits", "USD 12,406"), ("Loans", "None"), Row(("Contingent liabilities", f"Guaranty for {affiliate.name}, USD {amount:,}"), "confirmed"))),
        paper("guaranty", f"Continuing Guaranty - {bank.short}", "4.4", world.past(rng, (1.5, 2.5)),
              f"⟦guaranty|{world.target.name} guarantees to {bank.name} the prompt payment of all that {affiliate.name}, a company held by {world.seller.name}, owes up to {money(amount)}.⟧", TEXT,
              signed((world.target.name, world.officers["cfo"])), avoid=("liability",)),
        paper("letter", f"Letter on the Guaranty - {bank.short}", "4.4", world.past(rng, (0.05, 0.15)),
              f"⟦letter|{f'{bank.name} releases {world.target.name} from its guaranty for {affiliate.short} and returns the original, stamped as cancelled.' if decoy else f'{bank.name} has the request to replace {world.target.name} as guarantor for {affiliate.short} and will come back on it.'}⟧",
              signed((bank.name, world.person(rng, "Vice President", bank)))),
    ]
    return _guarantee(decoy, bank.short, affiliate.short, amount, papers, ("confirmed", "guaranty"), ("released", "cancelled", "canceled", "returned"), "the bank released the guaranty and returned it cancelled")


def _guarantee_ledger(world: World, rng: random.Random, decoy: bool) -> Plant:
    related, amount = world.company(rng), world.sum(rng, 0.003, 0.012, 100_000)
    day = world.past(rng, (0.1, 0.3))
    papers = [
        book("ledger", "Other Receivables Ledger", "3.4", day, "1480", "Date|Text|Debit|Credit", Row((months_after(day, -14), f"Advance to {related.short}", amount, None), "advance"),
             Row((months_after(day, -1), f"{related.short}, repaid by wire with interest" if decoy else f"{related.short}, interest not charged", None, amount if decoy else None), "repaid")),
        paper("questionnaire", f"Affiliate Questionnaire - {related.short}", "15.1", world.past(rng, (0.2, 0.4)),
              f"⟦owner|{world.directors[0].name} answers: I hold forty percent of {related.name} and have been its chairman since it was formed.⟧", TEXT),
    ]
    return _guarantee(decoy, related.short, f"a company of {world.directors[0].name}", amount, papers, ("advance", "owner"), ("repaid",), "the advance was repaid by wire", "loan")


def _guarantee_mail(world: World, rng: random.Random, decoy: bool) -> Plant:
    bank, amount = world.company(rng, "bank"), world.sum(rng, 0.004, 0.015, 100_000)
    venture = world.company(rng, "energy")
    banker, cfo = world.person(rng, "Relationship Manager", bank), world.officers["cfo"]
    day = world.past(rng, (0.1, 0.3))
    text = (f"⟦second|{cfo.first}, the project took out our loan last week, so your support letter for {venture.short} has come to its end and we have sent it back to you by courier.⟧" if decoy
            else f"⟦second|{cfo.first}, a reminder that we count on the support letter for {venture.short} when the project draws its last tranche next week.⟧")
    papers = [
        paper("support", f"Support Letter {bank.short}", "4.4", world.past(rng, (1, 2)), f"To {bank.name}",
              f"⟦support|We, {world.target.name}, will put {venture.name} in funds whenever it lacks them to pay you, for as long as your loan to it is open.⟧", signed((world.target.name, world.officers["ceo"]))),
        mail("first", f"{venture.short} project", "4.4", day, banker, cfo, f"⟦first|Dear {cfo.first}, for your files: the loan that your letter stands behind at {bank.short} is {millions(amount)} today.⟧"),
        mail("second", f"Re: {venture.short} project", "4.4", day + timedelta(days=25), banker, cfo, text),
    ]
    return _guarantee(decoy, bank.short, venture.short, amount, papers, ("support", "first"), ("come to its end", "ended", "sent back", "returned", "repaid", "taken out"), "the loan was repaid and the support letter sent back")


def _guarantee_subsidiary(world: World, rng: random.Random, decoy: bool) -> Plant:
    lender, amount = world.company(rng, "bank"), world.sum(rng, 0.004, 0.02, 100_000)
    sub = world.subsidiaries[0]
    buyer = world.company(rng)
    meeting = world.past(rng, (0.8, 1.6))
    later = world.past(rng, (0.1, 0.3))
    papers = [
        paper("minutes", f"Directors of {sub.short}, {day_month(meeting)}", "2.3", meeting, Filler("minutes"),
              f"⟦resolved|It was agreed to stand surety towards {lender.short} for what the customer {buyer.short} borrows to pay for its machines, the surety being bounded at {in_words(amount)} dollars.⟧"),
        paper("later", f"Directors of {sub.short}, {day_month(later)}", "2.3", later, Filler("minutes"),
              f"⟦later|{f'The chairman laid before the directors the deed by which {lender.short} gave up the surety for {buyer.short}.' if decoy else f'The chairman said that {lender.short} would keep the surety for {buyer.short} until its last machine was paid.'}⟧"),
        paper("bond", f"Surety Undertaking {lender.short}", "4.4", meeting + timedelta(days=10), f"⟦bond|{sub.name} undertakes to {lender.name} as surety and co-debtor of {buyer.name}.⟧", kinds=("txt", "docx")),
    ]
    return _guarantee(decoy, lender.short, buyer.short, amount, papers, ("resolved", "bond"), ("gave up", "released", "discharged"), "the bank gave the surety up by deed")


def _guarantee_schedule(world: World, rng: random.Random, decoy: bool) -> Plant:
    landlord, amount = world.company(rng, "landlord"), world.sum(rng, 0.003, 0.01, 50_000)
    former = world.company(rng)
    papers = [
        paper("lease", f"Lease Guaranty Rider {landlord.short}", "4.4", world.past(rng, (3, 4)),
              f"⟦rider|To induce {landlord.name} to let to {former.name}, until lately a division, {world.target.name} answers for the rent to the end of the lease.⟧", avoid=("liability", "term")),
        book("remaining", f"Former Sites {landlord.short}", "11.1", world.past(rng, (0.05, 0.2)), "Former", "Tenant now|Landlord|Rent still to run (USD)|Remark",
             Row((former.short, landlord.short, amount, "Tenant replaced our rider with its own letter of credit" if decoy else "Tenant pays; rider still with landlord"), "rent")),
    ]
    return _guarantee(decoy, landlord.short, former.short, amount, papers, ("rider", "rent"), ("replaced", "letter of credit"), "the tenant replaced the guaranty by a letter of credit of its own")


# 51: what prepayment costs: make-whole, premium, swap break


def _break(decoy: bool, lender: str, how: str, hows: tuple[str, ...], cost: float, shown: str, value: Value, papers: list[Paper], marks: tuple[str, ...], unless: tuple[str, ...], because: str) -> Plant:
    issue = [
        fact(f"{lender}: cost of prepayment", f"PASS if the report states that prepaying the {lender} debt or hedge costs {how}.", [(lender,)], [hows, ("prepay", "repay", "redeem", "redemption", "terminat", "break", "early", "unwind", "close")]),
        exposure(f"{lender}: sum", f"PASS if the report gives {shown} (or an equivalent rounding) as the cost of ending the {lender} debt or hedge at closing.", [(lender,)], value),
        advice(lender, "that the cost be put in the funds flow or treated as debt", "funds flow", "net debt", "payoff", "pay-off", "indebtedness", "debt-like", "price", "waiver", "seller"),
        cites(lender, "the terms and the figures that the cost is computed from", *marks),
    ]
    claim = f"ending the {lender} debt or hedge at closing costs {how}"
    says = [hows, ("prepay", "repay", "redeem", "terminat", "break", "early", "unwind", "ending", "payable", "closing")]
    return plant(decoy, f"{lender}: cost of prepayment", papers, issue, lender, claim, says, unless, because, value=value)


def _break_makewhole(world: World, rng: random.Random, decoy: bool) -> Plant:
    debt = loan(world, rng, "Senior Notes", (0.03, 0.08), "fund")
    years, coupon, treasury = rng.choice((2, 3, 4)), rng.choice((6.5, 7.0, 7.5, 8.0)), rng.choice((3.8, 4.0, 4.2))
    rate = (treasury + 0.5) / 100
    pays = debt.principal * coupon / 100
    cost = round(sum(pays / (1 + rate) ** n for n in range(1, years + 1)) + debt.principal / (1 + rate) ** years - debt.principal)
    debt.matures = years_after(world.deal.closing, years)
    papers = [
        paper("notes", f"Senior Notes Terms - {debt.lender.short}", "4.1", debt.signed, f"{world.target.name}, issuer; {debt.lender.name}, holder of all Notes. Interest: {percent(coupon)} a year, paid once a year; principal paid at maturity.", TEXT,
              ("Optional Prepayment", "⟦makewhole|On prepayment the Issuer shall pay, beyond the principal, the Make-Whole Amount: the excess over the principal of the present value of the remaining yearly payments, discounted yearly at the Treasury Rate plus fifty basis points.⟧"),
              ("Waiver", f"⟦waiver|{'No Make-Whole Amount is payable on a prepayment that is made together with a sale of the Issuer.' if decoy else 'A failure to demand the Make-Whole Amount at once is not a waiver of it by any holder.'}⟧"),
              avoid=("payment",), parties=(debt.lender.name,)),
        paper("inputs", f"Prepayment Worksheet - {debt.lender.short}", "1.4", world.past(rng, (0.02, 0.05)),
              table("Input|Value", Row(("Principal", f"USD {debt.principal:,}"), "principal"), Row(("Prepayment at closing, interest paid to that day; yearly payments then left", years), "left"), Row(("Treasury Rate", percent(treasury)), "treasury"))),
    ]
    return _break(decoy, debt.lender.short, "a make-whole amount", ("make-whole", "make whole"), cost, money(cost), usd(cost, 0.01), papers, ("makewhole", "left"), ("no make-whole", "not payable", "sale of the issuer"), "no make-whole is payable when the issuer is sold")


def _break_stepdown(world: World, rng: random.Random, decoy: bool) -> Plant:
    debt = loan(world, rng, "Term Loan B")
    year = rng.choice((2, 3))
    debt.signed = years_after(world.deal.closing, -(year - 1)) - timedelta(days=rng.randrange(20, 120))
    rates = {1: 3, 2: 2, 3: 1}
    cost = debt.principal * rates[year] // 100
    papers = [
        paper("loan", f"Term Loan B Agreement - {debt.lender.short}", "4.1", debt.signed,
              f"Dated {us_date(debt.signed)}; principal {money(debt.principal)}, no part of which is due before maturity.",
              ("Call Protection", "⟦premium|A prepayment carries a premium of three percent until the first anniversary of this Agreement, then of two percent until the second, and of one percent until the third.⟧"), TEXT,
              ("Exceptions", f"⟦exception|{'The premium is not charged where the prepayment is made because the Borrower is merged with or sold to another.' if decoy else 'The premium is charged also where the prepayment is made because the Borrower is merged with or sold to another.'}⟧"), avoid=("payment",), parties=(debt.lender.name,)),
        paper("timetable", f"Closing Timetable with {debt.lender.short}", "1.4", world.past(rng, (0.02, 0.05)), f"⟦closing|The loan of {debt.lender.short} is to be prepaid in full at closing, which all parties now plan for {us_date(world.deal.closing)}.⟧"),
    ]
    return _break(decoy, debt.lender.short, f"a premium of {percent(rates[year])}", ("premium", percent(rates[year]), "call protection"), cost, money(cost), usd(cost), papers, ("premium", "closing"), ("not charged", "no premium", "exception"), "the premium is not charged on a prepayment because of a merger or sale")


def _break_swap(world: World, rng: random.Random, decoy: bool) -> Plant:
    bank, notional = world.company(rng, "bank"), world.sum(rng, 0.03, 0.08, 1_000_000)
    fixed, market, factor = rng.choice((4.6, 4.8, 5.1)), rng.choice((3.4, 3.6, 3.7)), rng.choice((2.1, 2.4, 2.75))
    cost = round(notional * (fixed - market) / 100 * factor)
    dealer, cfo = world.person(rng, "Derivatives Desk", bank), world.officers["cfo"]
    day = world.past(rng, (0.02, 0.06))
    second = (f"⟦second|{cfo.first}, done: the swap is novated to the buyer's bank as of closing, with nothing to pay on either side, and we have both countersigned papers.⟧" if decoy
              else f"⟦second|{cfo.first}, on your other question: nobody has asked us to novate, and we would need credit approval for it.⟧")
    papers = [
        paper("confirmation", f"Swap Confirmation {bank.short}", "4.4", world.past(rng, (1, 2)), f"{bank.name}, Party A; {world.target.name}, Party B",
              f"⟦swap|Party B pays {percent(fixed)} fixed on {millions(notional)}. If the hedged loan is repaid the swap ends early and the party out of the money pays its close-out value.⟧", kinds=("docx", "txt")),
        mail("rates", f"Swap with {bank.short}: indication", "4.4", day, dealer, cfo, f"⟦rates|Replacement rate today {percent(market)}; annuity factor for the remaining life {factor}. Multiply the gap in rates by the factor and the notional.⟧ You are the one who pays."),
        mail("second", f"Re: Swap with {bank.short}: indication", "4.4", day + timedelta(days=6), dealer, cfo, second),
    ]
    return _break(decoy, bank.short, "the close-out value of the swap", ("swap", "close-out", "closeout", "hedge"), cost, money(cost), usd(cost, 0.01), papers, ("swap", "rates"), ("novat", "nothing to pay"), "the swap was novated to the buyer's bank with nothing to pay")


def _break_euro(world: World, rng: random.Random, decoy: bool) -> Plant:
    debt = loan(world, rng, "Fixed Rate Loan in EUR", (0.015, 0.04))
    months, contract_rate, reinvest = rng.choice((18, 21, 27, 30)), rng.choice((4.1, 4.4, 4.9)), rng.choice((2.2, 2.5, 2.9))
    cost = round(debt.principal * (contract_rate - reinvest) / 100 * months / 12)
    debt.note = "In EUR"
    papers = [
        paper("loan", f"Fixed Rate Loan {debt.lender.short}", "4.1", debt.signed, f"{debt.lender.name} lends EUR {debt.principal:,} to {world.subsidiaries[0].name}. Fixed interest {percent(contract_rate)}; bullet repayment.",
              "⟦loss|Whoever repays early makes good the lender's interest loss: the sum repaid, times the difference between the fixed interest and the reinvestment interest, for the months that would have been left, without discounting.⟧",
              f"⟦window|{'Repayment during the quarter after the second anniversary is free of that charge, and the borrower gave its notice in that quarter for repayment at the closing of the sale.' if decoy else 'Repayment during the quarter after the second anniversary would have been free of that charge, and the borrower let that quarter pass.'}⟧", avoid=("payment",)),
        book("check", f"Early Repayment Data {debt.lender.short}", "1.4", world.past(rng, (0.02, 0.06)), "Data", "Datum|Value", Row(("Months left at closing", months), "months"), Row(("Reinvestment interest", percent(reinvest)), "reinvest"), Row(("Sum repaid, EUR", debt.principal), "sum")),
    ]
    return _break(decoy, debt.lender.short, "compensation for the lender's interest loss", ("interest loss", "interest difference", "compensation", "breakage", "break cost", "make good", "prepayment indemnity", "indemnity"), cost, money(cost, "EUR"), euros(cost), papers, ("loss", "months"),
                  ("free of", "no charge", "window"), "notice was given in the quarter in which repayment is free of charge")


def _break_multiple(world: World, rng: random.Random, decoy: bool) -> Plant:
    debt = loan(world, rng, "Growth Loan", (0.015, 0.04), "fund")
    percents = rng.choice((125, 130, 135))
    due = debt.principal * percents // 100
    received = debt.principal * rng.choice((9, 11, 12, 14)) // 100
    cost = due - debt.principal - received
    if decoy:
        received = due - debt.principal + 10_000
    papers = [
        paper("loan", f"Growth Loan {debt.lender.short}", "4.1", debt.signed, f"A loan of {in_words(debt.principal)} dollars, all of it still owed, by {debt.lender.name} to {world.target.name}.",
              f"⟦multiple|At the end of the loan, whenever and however it comes, {debt.lender.short} must have had {percents}% of what it lent, principal, interest and fees together; what is lacking is the exit fee.⟧", avoid=("payment",)),
        paper("slide", f"Capital Structure {debt.lender.short}", "1.4", world.past(rng, (0.02, 0.06)), Heading(f"{debt.lender.short} growth loan"), f"⟦received|Interest and fees paid so far: USD {received:,}⟧", f"⟦out|Principal goes back at closing: USD {debt.principal:,}⟧", kinds=("pptx",)),
    ]
    return _break(decoy, debt.lender.short, "an exit fee up to the minimum return", ("exit fee", "minimum return", "multiple", "moic"), cost, money(cost), usd(cost), papers, ("multiple", "received"), ("already", "no exit fee", "been reached", "satisfied"), "interest and fees paid already reach the minimum return, so that no exit fee is lacking")


RECIPES: tuple[Recipe, ...] = (
    Recipe(50, "guarantee", "Debt", "A guarantee or loan for somebody else was not disclosed", "cross-document", "High", (
        Way("audit confirmation", "train", _guarantee_confirmation),
        Way("ledger and questionnaire", "train", _guarantee_ledger),
        Way("support letter and mails", "dev", _guarantee_mail),
        Way("surety in a subsidiary's minutes", "test", _guarantee_subsidiary),
        Way("rider for a former site", "test", _guarantee_schedule),
    )),
    Recipe(51, "prepayment_cost", "Debt", "Ending the debt or hedge at closing costs a premium", "computed", "Medium", (
        Way("make-whole", "train", _break_makewhole),
        Way("premium that steps down", "train", _break_stepdown),
        Way("swap close-out by mail", "dev", _break_swap),
        Way("interest loss in euros", "test", _break_euro),
        Way("exit fee to a minimum return", "test", _break_multiple),
    )),
)
