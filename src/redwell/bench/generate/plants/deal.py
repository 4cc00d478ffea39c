"""Plants of the deal itself: survival, conditions, outside date, interim covenants and funding (archetypes 18 to 22)."""

from __future__ import annotations

import random
from datetime import date, timedelta

from redwell.bench.generate.papers import Added, Clause, Filler, Heading, Paper, Row
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
    days,
    mail,
    on,
    paper,
    table,
)
from redwell.bench.generate.recipe import (
    Draft,
    Gap,
    Plant,
    Recipe,
    Way,
    absence,
    conclusion,
    exposure,
    fact,
    usd,
)
from redwell.bench.generate.world import Claim, Company, World
from redwell.bench.generate.writing import (
    day_month,
    listed,
    millions,
    money,
    month_year,
    ordinal,
    us_date,
)
from redwell.bench.key import Check

# Texts of papers stay on one line each.
# fmt: off
# 18: nothing survives the closing and there is no escrow, so that a known loss stays with the buyer


def _survives(world: World, decoy: bool, heading: str, clause: str, matters: tuple[tuple[str, int, str], ...], papers: list[Paper], unless: tuple[str, ...], because: str) -> Plant:
    """`matters` are (name, dollars, mark); the agreement says `clause` under `heading`."""
    total = sum(amount for _, amount, _ in matters)
    names = listed([name for name, _, _ in matters])
    either = tuple(name for name, _, _ in matters)
    issue = [
        fact("No survival", f"PASS if the report states that representations do not survive closing and that there is no escrow or indemnity, so that {names} stay uncovered.", [either], [("not survive", "no survival", "none of the representations", "expire", "end at", "end with", "no escrow", "without escrow", "no indemnit", "no recourse", "without recourse", "no remedy", "lapse", "cease")]),
        exposure("Sum of known losses", f"PASS if the report gives {money(total)} (or an equivalent rounding) as the sum of the known losses of {names}.", [either], usd(total)),
        conclusion("Loss stays with the buyer", f"PASS if the report concludes that the losses of {names} stay with the buyer after closing.", [either], [("buyer", "parent", "acquirer", "purchaser"), ("stay", "bear", "borne", "fall", "no recourse", "without recourse", "remain", "assume", "carry", "cannot recover", "unprotected")]),
        *(fact(f"{name}: loss", f"PASS if the report states that the loss expected from {name} is {money(amount)}.", [(name,)], (), usd(amount)) for name, amount, _ in matters[:1]),
        Draft("recommendation", "Protection", f"PASS if the report recommends a special indemnity, an escrow or a lower price for {names}.", Check((either,), (PROTECT,))),
        Draft("sources", "Sources", f"PASS if the report cites both the agreement and the papers on the losses of {names}.", Check((either,), cites=("clause", matters[0][2]))),
    ]
    claim = f"the losses of {names} stay with the buyer without recourse"
    says = [("no recourse", "without recourse", "stay with the buyer", "uncovered", "unprotected", "borne by the buyer", "bear the")]
    agreement = Added("merger_agreement", Clause(heading, clause, "clause"), "General Provisions")
    made = plant(decoy, f"No survival: {names}", papers, issue, matters[0][0], claim, says, unless, because, added=[agreement], value=usd(total))
    if decoy:
        made.criteria = [Draft(each.style, each.title, each.text, Check((either,), each.check.says, unless=each.check.unless, forbidden=True)) for each in made.criteria]
    return made


def _matters(world: World, rng: random.Random) -> tuple[tuple[Company, int], tuple[Company, int]]:
    one, two = world.company(rng), world.company(rng)
    sums = world.sum(rng, 0.003, 0.01, 50_000), world.sum(rng, 0.002, 0.008, 50_000)
    for party, amount in zip((one, two), sums, strict=True):
        world.claims.append(Claim(f"{party.short} v. {world.target.short}", party.name, "District Court", amount, amount, "Pending"))
    return (one, sums[0]), (two, sums[1])


def _survives_letters(world: World, rng: random.Random, decoy: bool) -> Plant:
    (one, a), (two, b) = _matters(world, rng)
    escrow = world.company(rng, "bank")
    papers = [
        paper("one", f"Counsel Estimate - {one.short}", "10.4", world.past(rng, (0.1, 0.3)), f"⟦one|We expect that the suit of {one.short} will end with a payment of {money(a)}.⟧"),
        paper("two", f"Counsel Estimate - {two.short}", "10.4", world.past(rng, (0.1, 0.3)), f"⟦two|We expect that {two.short} will in the end be paid {money(b)}.⟧"),
        paper("escrow", f"Special Escrow Agreement - {escrow.short}", "1.1", world.deal.signing if decoy else None, f"⟦escrow|{escrow.name} holds {money(a + b)} of the price against loss from the suits of {one.short} and {two.short}.⟧",
              signed((world.seller.name, world.person(rng, "Partner", world.seller)), (world.buyer.name, world.person(rng, "General Counsel", world.buyer))) if decoy else unsigned(world.seller.name, world.buyer.name), status="" if decoy else "draft"),
    ]
    return _survives(world, decoy, "Survival", "None of the representations and warranties survives the Effective Time, and no sum is held back from the price.", ((one.short, a, "one"), (two.short, b, "two")), papers, ("special escrow", "escrow agreement", "held in escrow"), "a signed special escrow holds the sum of both")


def _survives_register(world: World, rng: random.Random, decoy: bool) -> Plant:
    (one, a), (two, b) = _matters(world, rng)
    papers = [
        book("losses", f"Known Losses ({one.short}, {two.short})", "10.4", world.past(rng, (0.05, 0.2)), "Losses", "Matter|Expected, USD", Row((one.short, a), "one"), Row((two.short, b), "two")),
        paper("indemnity", f"Indemnity Deed ({one.short}, {two.short})", "1.1", world.deal.signing if decoy else None, f"⟦indemnity|{world.seller.name} will make good to the buyer, without limit in time, whatever the matters of {one.short} and {two.short} cost.⟧", signed((world.seller.name, world.person(rng, "Partner", world.seller))) if decoy else unsigned(world.seller.name), status="" if decoy else "form"),
    ]
    return _survives(world, decoy, "End of Representations", "With the closing all representations come to an end; neither the holders nor anyone for them answers for a loss that appears later.", ((one.short, a, "one"), (two.short, b, "two")), papers, ("indemnity deed", "make good", "indemnified by", "special indemnity is"), "the seller signed an indemnity for both matters")


def _survives_mail(world: World, rng: random.Random, decoy: bool) -> Plant:
    (one, a), (two, b) = _matters(world, rng)
    lawyer, gc = world.person(rng, "Deal Counsel", world.company(rng, "law")), world.officers["gc"]
    day = world.deal.signing + timedelta(days=5)
    papers = [
        mail("losses", f"{one.short} and {two.short}", "10.4", day, lawyer, gc, f"⟦one|{gc.first}, my own figures for your file: {one.short} {millions(a)}, {two.short} {millions(b)}, both more likely than not.⟧"),
        mail("cover", f"Re: {one.short} and {two.short}", "10.4", day + timedelta(days=6), lawyer, gc, f"⟦cover|{gc.first}, {'the holders have put the whole of both figures into a bank guarantee in favor of the buyer; the original was handed over today.' if decoy else 'the holders were asked to put something up for the two and have declined. That leaves it where the agreement has it.'}⟧"),
    ]
    return _survives(world, decoy, "Nothing after Closing", "Whatever the Company has represented in this Agreement ceases to have effect when the Merger does take effect.", ((one.short, a, "one"), (two.short, b, "one")), papers, ("bank guarantee", "guarantee in favor"), "the holders gave a bank guarantee for both sums")


def _survives_minutes(world: World, rng: random.Random, decoy: bool) -> Plant:
    (one, a), (two, b) = _matters(world, rng)
    day = world.deal.signing - timedelta(days=4)
    papers = [
        paper("minutes", f"Transaction Committee on {one.short} and {two.short}", "1.2", day, Filler("minutes"), f"⟦one|The committee takes the cost of {one.short} to be {in_words(a)} dollars and that of {two.short} to be {in_words(b)}.⟧"),
        paper("letter", f"Price Letter ({one.short}, {two.short})", "1.1", world.deal.signing, f"⟦letter|{f'The price in the agreement has been struck after taking off {in_words(a + b)} dollars for the two matters, which are thereby for the buyer.' if decoy else 'The price in the agreement has been struck without looking at the two matters, which nobody has taken off it.'}⟧", signed((world.target.name, world.officers["ceo"]), (world.buyer.name, world.person(rng, "Director", world.buyer)))),
    ]
    return _survives(world, decoy, "No Recourse", "After the Effective Time no holder, director or officer can be called upon by reason of anything said in this Agreement.", ((one.short, a, "one"), (two.short, b, "one")), papers, ("taken off the price", "price was reduced", "already", "after taking off"), "the price was lowered for both matters")


def _survives_policy(world: World, rng: random.Random, decoy: bool) -> Plant:
    (one, a), (two, b) = _matters(world, rng)
    insurer = world.company(rng, "insurer")
    papers = [
        paper("slide", f"Contingencies {one.short}, {two.short}", "3.5", world.past(rng, (0.05, 0.2)), Heading("Two open matters"), f"⟦one|{one.short}: {millions(a)} to be expected⟧", f"⟦two|{two.short}: {millions(b)} to be expected⟧", kinds=("pptx",)),
        paper("binder", f"Contingent Risk Binder {insurer.short}", "13.1", world.deal.signing, f"⟦binder|{insurer.name} is bound to the buyer for the transaction. As to {one.short} and {two.short}: {'both are written in, for all that they may cost and from the first dollar' if decoy else 'both are known and are therefore written out'}.⟧", kinds=("docx", "txt")),
    ]
    return _survives(world, decoy, "Sole Source", "For untrue representations the buyer looks to its insurance alone, since they do not outlast the closing.", ((one.short, a, "one"), (two.short, b, "two")), papers, ("written in", "insured", "contingent risk", "covers both"), "contingent risk insurance covers both from the first dollar")


# 19: an approval is not among the conditions


def _uncondition(decoy: bool, number: str, authority: str, why: str, whys: tuple[str, ...], sum_: int, papers: list[Paper], marks: tuple[str, ...], condition: tuple[str, str], unless: tuple[str, ...], because: str) -> Plant:
    """`condition` is (heading, text) of the clause that a decoy has among the conditions."""
    issue = [
        fact(f"{number}: approval needed", f"PASS if the report states that {authority} has to approve the deal because of {number}, since {why}.", [(number,)], [("approv", "consent", "clear", "authoriz", "permission"), whys]),
        absence(f"{number}: no condition", f"PASS if the report states that the approval for {number} is not listed among the conditions to closing.", [(number,)], ("condition",)),
        exposure(f"{number}: sum at stake", f"PASS if the report gives {money(sum_)} (or an equivalent rounding) as at stake under {number}.", [(number,)], usd(sum_)),
        advice(number, "that the approval be added as a condition with a covenant to seek it", "condition", "add", "covenant", "file", "obtain"),
        cites(number, "what requires the approval", *marks),
    ]
    claim = f"the approval for {number} is missing from the conditions to closing"
    says = [("missing", "omitted", "omits", "not listed", "not a condition", "not among", "not included", "absent", "no condition", "overlooked")]
    added = (Added("merger_agreement", Clause(condition[0], condition[1], "condition"), "Conditions to Closing"),) if decoy else ()
    gap = Gap(f"condition on {number}", (number.lower(), "has been given"), tuple(each.id for each in papers))
    return plant(decoy, f"{number}: approval as a condition", papers, issue, number, claim, says, unless, because, added=added, gaps=[gap], value=usd(sum_))


LISTED = ("is a condition", "is listed", "conditions include", "among the conditions to closing", "is among")


def _uncondition_grant(world: World, rng: random.Random, decoy: bool) -> Plant:
    number, sum_ = world.code(rng, "Grant DE-", 6), world.sum(rng, 0.002, 0.01, 50_000)
    papers = [paper("grant", f"Award Terms - {number}", "5.5", world.past(rng, (1, 3)), f"United States Department of Energy to {world.target.name}", f"⟦terms|If the recipient is acquired without the contracting officer's prior written approval, the award of {money(sum_)} shall be repaid.⟧", TEXT, avoid=("control",))]
    return _uncondition(decoy, number, "the Department of Energy", "an acquisition without approval means repayment", ("acqui", "repa", "merger", "change"), sum_, papers, ("terms",), ("Energy Award", f"The contracting officer's approval under {number} has been given in writing and is in force."), LISTED, "the approval is a condition to closing")


def _uncondition_licence(world: World, rng: random.Random, decoy: bool) -> Plant:
    number, sum_ = world.code(rng, "Call Sign WQ", 4), world.sum(rng, 0.01, 0.04, 100_000)
    papers = [
        paper("licence", f"Radio Station Authorization {number}", "14.1", world.past(rng, (1, 3)), f"Federal Communications Commission; licensee {world.target.name}", f"⟦licence|No transfer of control of the licensee of {number} may take place before the Commission has consented to it upon application.⟧", avoid=("control",)),
        book("revenue", f"Revenue by Licence ({number})", "3.2", world.past(rng, (0.1, 0.3)), "Licences", "Licence|Revenue a year, USD", Row((number, sum_), "revenue")),
    ]
    return _uncondition(decoy, number, "the Federal Communications Commission", "a transfer of control needs its consent", ("transfer of control", "control", "acqui", "merger"), sum_, papers, ("licence", "revenue"), ("Communications Licence", f"The consent of the Commission to the transfer of control for {number} has been given and no petition against it is open."), LISTED, "the Commission's consent is a condition to closing")


def _uncondition_mail(world: World, rng: random.Random, decoy: bool) -> Plant:
    number, sum_ = world.code(rng, "Concession K-", 5), world.sum(rng, 0.005, 0.02, 50_000)
    lawyer, gc = world.person(rng, "Local Counsel", world.company(rng, "law")), world.officers["gc"]
    papers = [
        paper("deed", f"Harbor {number}", "14.1", world.past(rng, (2, 5)), f"⟦deed|The State Harbor Board has granted {number} with regard to who owns the holder, and takes it back from a holder whose owner has changed without its leave.⟧", kinds=("docx", "txt"), avoid=("control",)),
        mail("mail", f"{number} and your deal", "14.2", world.deal.signing + timedelta(days=7), lawyer, gc, f"⟦mail|Dear {gc.first}, the berth under {number} earns you {millions(sum_)} a year. The board meets on owners twice a year, and I have sent you what it asks for. How is this dealt with in your agreement?⟧"),
    ]
    return _uncondition(decoy, number, "the State Harbor Board", "it takes the concession back when the owner changes without leave", ("owner", "acqui", "merger", "control", "takes"), sum_, papers, ("deed", "mail"), ("Berth", f"The leave of the State Harbor Board under {number} has been given for the time after the Merger."), LISTED, "the leave is a condition to closing")


def _uncondition_insurance(world: World, rng: random.Random, decoy: bool) -> Plant:
    sub = subsidiary(world, rng)
    number, sum_ = world.code(rng, "Certificate CI-", 4), world.sum(rng, 0.005, 0.02, 50_000)
    papers = [
        paper("certificate", f"{number} of {sub.short}", "14.1", world.past(rng, (1, 4)), f"⟦certificate|{sub.name} is admitted as a captive insurer under {number}. Nobody shall come to hold a tenth or more of it, straight or through others, unless the Commissioner has said yes to a filing on Form A.⟧", kinds=("docx", "txt"), avoid=("control", "insurance")),
        paper("table", f"Regulated Entities ({number})", "14.1", world.past(rng, (0.05, 0.3)), table("Entity|Kept under|Funds, USD", Row((sub.short, number, sum_), "funds"))),
    ]
    return _uncondition(decoy, number, "the Insurance Commissioner", "whoever comes to hold a tenth of the captive must file and be admitted first", ("tenth", "10%", "10 percent", "hold", "control", "form a", "acqui"), sum_, papers, ("certificate", "funds"), ("Captive", f"The Commissioner's yes to the filing for {number} has been given without a burden on the buyer."), LISTED, "the Commissioner's approval is a condition to closing")


def _uncondition_lease(world: World, rng: random.Random, decoy: bool) -> Plant:
    number, sum_ = world.code(rng, "State Lease ML-", 5), world.sum(rng, 0.004, 0.015, 50_000)
    papers = [
        paper("lease", f"{number}, mineral ground", "14.1", world.past(rng, (2, 5)), f"⟦lease|{number} passes with its lessee only where the Commissioner of Public Lands has signed the passing; a merger of the lessee is a passing.⟧", TEXT, avoid=("assignment", "control", "term")),
        paper("deck", f"Reserves under {number}", "3.5", world.past(rng, (0.1, 0.3)), Heading(f"{number}"), f"⟦worth|Worth on our books: {millions(sum_)}⟧", "Permits up to date", kinds=("pptx",)),
    ]
    return _uncondition(decoy, number, "the Commissioner of Public Lands", "a merger of the lessee counts as a passing", ("merger", "passing", "pass", "transfer"), sum_, papers, ("lease", "worth"), ("Public Lands", f"The signature of the Commissioner of Public Lands for {number} has been given and a copy is with the buyer."), LISTED, "the Commissioner's signature is a condition to closing")


# 20: the outside date comes before the approval can


def _outside(world: World, decoy: bool, code: str, expected: date, fee: int, papers: list[Paper], marks: tuple[str, ...], extension: tuple[str, str], unless: tuple[str, ...], because: str) -> Plant:
    """`extension` is the clause that a decoy has in the agreement."""
    outside = world.deal.outside
    days_ = (expected - outside).days
    issue = [
        fact(f"{code}: outside date", f"PASS if the report states that the outside date is {us_date(outside)} while {code} is pending.", [(code,), ("outside date", "end date", "long stop", "long-stop", "termination date", "drop-dead")], (), on(outside)),
        fact(f"{code}: expected", f"PASS if the report states that approval in {code} is to be expected on {us_date(expected)} only.", [(code,)], [("expect", "earliest", "approv", "clear", "decision", "decide", "conclu")], on(expected)),
        exposure(f"{code}: gap in days", f"PASS if the report gives {days_} days as the time by which the approval in {code} comes after the outside date.", [(code,)], days(days_)),
        exposure(f"{code}: fee", f"PASS if the report gives {money(fee)} as the fee payable if the deal ends because {code} was not cleared in time.", [(code,)], usd(fee)),
        advice(code, "a right to extend the outside date", "exten", "later outside", "amend"),
        cites(code, "the paper on the timetable", *marks),
    ]
    added = [Added("merger_agreement", Clause(extension[0], extension[1], "extension"), "Termination")] if decoy else []
    claim = f"the outside date comes before the approval in {code} can be had"
    says = [("before", "too early", "earlier than", "shortfall", "too soon", "insufficient", "after the outside")]
    return plant(decoy, f"{code}: outside date", papers, issue, code, claim, says, unless, because, added=added, value=usd(fee))


def _late(world: World, rng: random.Random) -> tuple[date, int]:
    """When approval can be had, after the outside date, and the fee of the deal."""
    return world.deal.outside + timedelta(days=rng.randrange(35, 80)), world.sum(rng, 0.02, 0.04, 500_000)


EXTENDS = ("extend", "extension", "automatically")


def _outside_timeline(world: World, rng: random.Random, decoy: bool) -> Plant:
    code = world.code(rng, "HSR File ", 6)
    expected, fee = _late(world, rng)
    papers = [
        paper("timeline", f"Regulatory Timeline - {code}", "1.3", world.past(rng, (0.01, 0.03)), table("Step|Day", (f"Second request in {code}", world.deal.signing + timedelta(days=32)), Row((f"End of review, {code}", expected), "end"))),
        paper("fee", f"Reverse Termination Fee Letter - {code}", "1.1", world.deal.signing, f"⟦fee|If the Merger is given up for want of clearance in {code}, {world.buyer.name} pays the Company {money(fee)} and nothing else.⟧", signed((world.buyer.name, world.person(rng, "General Counsel", world.buyer)))),
    ]
    return _outside(world, decoy, code, expected, fee, papers, ("end", "fee"), ("Extension", "If only antitrust clearance is wanting, the Outside Date moves back by one hundred and twenty days without notice."), (*EXTENDS, "moves back"), "the agreement extends the outside date when only clearance is wanting")


def _outside_memo(world: World, rng: random.Random, decoy: bool) -> Plant:
    code = world.code(rng, "CFIUS Case ", 5)
    expected, fee = _late(world, rng)
    papers = [
        paper("memo", f"Memorandum of Counsel on {code}", "1.3", world.past(rng, (0.01, 0.03)), f"⟦memo|With review, investigation and one withdrawal and refiling, we do not see an end of {code} earlier than {us_date(expected)}.⟧", Filler("report")),
        paper("fees", f"Fee Summary - {code}", "1.1", world.deal.signing, table("Event|USD", Row((f"Ended without approval in {code}", fee), "fee"), ("Ended for a superior offer", fee // 2))),
    ]
    return _outside(world, decoy, code, expected, fee, papers, ("memo", "fee"), ("Longer Period", "Either side may by notice prolong the time to the Outside Date by four months so as to finish a national security review."), (*EXTENDS, "prolong"), "the agreement lets either side prolong the time for the review")


def _outside_mail(world: World, rng: random.Random, decoy: bool) -> Plant:
    code = world.code(rng, "Case M.", 5)
    expected, fee = _late(world, rng)
    lawyer, gc = world.person(rng, "Antitrust Counsel", world.company(rng, "law")), world.officers["gc"]
    papers = [mail("mail", f"{code}: where we are", "1.3", world.past(rng, (0.01, 0.03)), lawyer, gc, f"⟦mail|Dear {gc.first}, Brussels will open phase two in {code}. I would write {day_month(expected)} into the calendar, and not before.⟧", f"⟦fee|You know what it costs one of you if the clock runs out on {code}: {millions(fee)}.⟧")]
    return _outside(world, decoy, code, expected, fee, papers, ("mail", "fee"), ("Phase Two", "Should the European Commission open its second phase, the Outside Date is half a year later than stated, for both sides alike."), (*EXTENDS, "later than stated", "half a year"), "the agreement puts the outside date off by half a year in a second phase")


def _outside_steps(world: World, rng: random.Random, decoy: bool) -> Plant:
    code = world.code(rng, "Docket EC", 4)
    expected, fee = _late(world, rng)
    filed = world.deal.as_of - timedelta(days=6)
    length = (expected - filed).days
    papers = [
        book("steps", f"Steps in {code}", "1.3", world.past(rng, (0.01, 0.03)), "Steps", "Step|Value", Row((f"Application in {code} lodged", filed), "lodged"), Row(("Days that the agency takes on average", length), "takes")),
        paper("ticking", f"Side Sheet on Fees ({code})", "1.1", world.deal.signing, f"⟦fee|Due from whoever walks away while {code} is open: {in_words(fee)} dollars.⟧", kinds=("docx", "txt")),
    ]
    return _outside(world, decoy, code, expected, fee, papers, ("lodged", "takes"), ("Energy Approval", "Where the energy agency has not decided, the day on which either side may walk away is put back until sixty days after it has."), (*EXTENDS, "put back"), "the agreement puts the day back until the agency has decided")


def _outside_minutes(world: World, rng: random.Random, decoy: bool) -> Plant:
    code = world.code(rng, "Filing TR-", 5)
    expected, fee = _late(world, rng)
    papers = [
        paper("minutes", f"Regulatory Working Group on {code}", "1.3", world.past(rng, (0.01, 0.03)), Filler("minutes"), f"⟦minutes|For {code} the group now plans with the {ordinal(expected.day)} of {month_year(expected)} as the first day on which a yes can come.⟧",
              f"⟦fee|It was recalled that {in_words(fee)} dollars change hands if {code} keeps the parties from closing.⟧")]
    return _outside(world, decoy, code, expected, fee, papers, ("minutes", "fee"), ("Foreign Filings", "For foreign filings that are open on the Outside Date the parties have agreed on five more months, as of right."), (*EXTENDS, "five more months", "as of right"), "the agreement gives five more months for foreign filings")


# 21: a covenant for the time between signing and closing was broken


def _interim(decoy: bool, name: str, limit: int, amount: int, day: date, rule: tuple[str, str], papers: list[Paper], marks: tuple[str, ...], terms: tuple[str, ...], despite: tuple[str, ...], unless: tuple[str, ...], because: str) -> Plant:
    """`rule` is (heading, text) of the covenant that the agreement has either way."""
    issue = [
        fact(f"{name}: covenant", f"PASS if the report states that the buyer's consent is needed before closing for an act above {money(limit)} such as that with {name}.", [(name,)], [("consent", "approv", "covenant", "restrict", "permission", "agree")], usd(limit)),
        fact(f"{name}: what was done", f"PASS if the report states that on {us_date(day)}, after signing, the target committed itself towards {name}.", [(name,)], (), on(day)),
        exposure(f"{name}: amount", f"PASS if the report gives {money(amount)} (or an equivalent rounding) as committed or paid to {name}.", [(name,)], usd(amount)),
        conclusion(f"{name}: breach", f"PASS if the report concludes that the commitment towards {name} breaches the interim covenants of the merger agreement.", [(name,)], [("breach", "violat", "in default", "not permitted", "contrary to", "non-complian")]),
        advice(name, "the buyer's consent after the fact or a remedy in the price", "consent", "waive", "remed", "cure", "unwind", *PROTECT),
        cites(name, "both the covenant and the commitment", *marks),
    ]
    claim = f"the commitment towards {name} breaches the interim covenants"
    says = [("breach", "violat", "not permitted", "without consent", "without the buyer", "no consent")]
    added = [Added("merger_agreement", Clause(rule[0], rule[1], "rule"), "Covenants")]
    gap = Gap(f"consent of the buyer to {name}", terms, despite)
    return plant(decoy, f"{name}: interim covenant", papers, issue, name, claim, says, unless, because, added=added, gaps=[gap], value=usd(amount))


def _interim_sums(world: World, rng: random.Random) -> tuple[int, int, date]:
    limit = world.deal.materiality  # the same wherever the agreement names it
    return limit, limit + world.sum(rng, 0.0008, 0.003, 50_000), world.day(rng, world.deal.signing + timedelta(days=5), world.deal.as_of - timedelta(days=6))


def _interim_bonus(world: World, rng: random.Random, decoy: bool) -> Plant:
    officer = world.person(rng, "Senior Vice President, Operations")
    limit, amount, day = _interim_sums(world, rng)
    papers = [
        paper("letter", f"Special Bonus Letter - {officer.name}", "9.1", day, f"⟦done|{world.target.name} grants {officer.name} a bonus of {money(amount)}, earned today.⟧", signed((world.target.name, world.officers["ceo"]), day=day), avoid=("employment",)),
        paper("consent", f"Parent Consent - {officer.name}", "1.1", day - timedelta(days=2) if decoy else None, f"⟦consent|Under the covenants of the merger agreement {world.buyer.name} consents to the bonus of {officer.name}.⟧", signed((world.buyer.name, world.person(rng, "General Counsel", world.buyer))) if decoy else unsigned(world.buyer.name), status="" if decoy else "form"),
    ]
    return _interim(decoy, officer.name, limit, amount, day, ("Compensation", f"Between signing and closing the Company shall not, without Parent's prior written consent, grant any person a bonus above {money(limit)}."), papers, ("rule", "done"), ("consents to the bonus", officer.name.lower()), ("consent",), ("consented", "consent was given", "signed consent", "prior consent"), "the buyer had consented in writing beforehand")


def _interim_capex(world: World, rng: random.Random, decoy: bool) -> Plant:
    vendor = world.company(rng, "manufacturing")
    limit, amount, day = _interim_sums(world, rng)
    papers = [
        paper("order", f"Purchase Order - {vendor.short}", "6.2", day, f"⟦done|Ordered on {us_date(day)} from {vendor.name}: one coating line, {money(amount)}, no cancellation.⟧", signed((world.target.name, world.officers["cfo"]))),
        book("requests", "Requests to Parent", "1.2", world.past(rng, (0.003, 0.01)), "Requests", "Request|Asked|Answer", ("Auditor's fee", day - timedelta(days=3), "Agreed"), Row((f"Coating line, {vendor.short}" if decoy else "Office move", day - timedelta(days=4), "Agreed in writing by Parent, letter on file"), "request")),
    ]
    return _interim(decoy, vendor.short, limit, amount, day, ("Capital Expenditure", f"Until closing the Company will make no capital expenditure of more than {money(limit)} for one project unless Parent agrees in writing."), papers, ("rule", "done"), ("coating line, ", vendor.short.lower(), "agreed"), (), ("parent agreed", "was agreed", "agreed in writing", "letter on file"), "the buyer had agreed in writing before the order")


def _interim_mail(world: World, rng: random.Random, decoy: bool) -> Plant:
    opponent = world.company(rng)
    limit, amount, day = _interim_sums(world, rng)
    gc, ceo = world.officers["gc"], world.officers["ceo"]
    papers = [
        mail("done", f"{opponent.short} is off the table", "10.2", day, gc, ceo, f"⟦done|{ceo.first}, signed today, {day_month(day)}: we pay {opponent.short} {millions(amount)} and the old suit is over.⟧"),
        mail("ask", f"Re: {opponent.short} is off the table", "10.2", day + timedelta(days=1), ceo, gc, f"⟦ask|{gc.first}, and the buyer?⟧ " + ("⟦answer|I see that its general counsel wrote on the day before that they were content with the figure and with our signing. Good.⟧" if decoy else "⟦answer|I have a feeling that we had to ask before, and nothing of the kind is in my mailbox.⟧")),
    ]
    return _interim(decoy, opponent.short, limit, amount, day, ("Settlements", f"The Company does not settle a suit for more than {money(limit)} before the closing, save with Parent's blessing given beforehand in writing."), papers, ("rule", "done"), ("content with the figure", opponent.short.lower()), (), ("wrote on the day before", "was content", "buyer agreed", "blessing"), "the buyer's general counsel had agreed in writing on the day before")


def _interim_lease(world: World, rng: random.Random, decoy: bool) -> Plant:
    landlord, place = world.company(rng, "landlord"), world.place(rng)
    limit, amount, day = _interim_sums(world, rng)
    papers = [
        paper("lease", f"Lease of {place.city} Hall {landlord.short}", "11.1", day, f"⟦done|On {day_month(day)} {world.target.name} takes the hall of {landlord.name} in {place.city} for five years; rent for the whole time {in_words(amount)} dollars.⟧", TEXT, avoid=("payment", "term")),
        paper("minutes", f"Integration Meeting ({place.city})", "1.2", day + timedelta(days=3), Filler("minutes"), f"⟦said|{f'The buyer’s people brought with them the letter of the week before in which their company let the hall of {landlord.short} be taken.' if decoy else f'The buyer’s people learned of the hall of {landlord.short} from a slide and asked who had let it be taken.'}⟧"),
    ]
    return _interim(decoy, landlord.short, limit, amount, day, ("New Leases", f"A lease under which more than {money(limit)} of rent will fall due is taken by the Company in the interim period with Parent's leave only."), papers, ("rule", "done"), ("letter of the week before", landlord.short.lower()), (), ("letter of the week before", "leave was given", "had let", "permitted by the buyer"), "the buyer had given its leave by letter the week before")


def _interim_loan(world: World, rng: random.Random, decoy: bool) -> Plant:
    bank = world.company(rng, "bank")
    limit, amount, day = _interim_sums(world, rng)
    papers = [
        paper("advice", f"Drawing Advice {bank.short}", "4.3", day, f"⟦done|{day.isoformat()} new advance to {world.target.name} by {bank.name}: {amount:,} dollars, six months⟧", kinds=("txt",)),
        paper("calls", f"Weekly Call with the Buyer ({bank.short})", "1.2", day + timedelta(days=2), table("Topic|Note", ("Hiring", "Nothing new"), Row((f"Advance of {bank.short}", "Buyer's waiver letter dated before drawing, on file" if decoy else "Buyer heard of it for the first time"), "call"))),
    ]
    return _interim(decoy, bank.short, limit, amount, day, ("Borrowing", f"No new money in excess of {money(limit)} is borrowed before closing except as Parent has said in a signed paper."), papers, ("rule", "done"), ("waiver letter dated", bank.short.lower()), (), ("waiver letter", "waived before", "had waived"), "the buyer had waived it in a letter dated before the drawing")


# 22: the money for the deal does not add up


def _funding(decoy: bool, name: str, uses: int, sources_: int, papers: list[Paper], marks: tuple[str, ...], unless: tuple[str, ...], because: str) -> Plant:
    """`name` is the lender whose commitment the plan counts on."""
    short = uses - sources_
    issue = [
        fact(f"{name}: uses", f"PASS if the report states that the uses of funds are {money(uses)}, against the commitment of {name} and other sources.", [(name,)], [("use", "need", "require", "total")], usd(uses)),
        exposure(f"{name}: shortfall", f"PASS if the report gives {money(short)} (or an equivalent rounding) as the shortfall of funds once the commitment of {name} is taken as written.", [(name,)], usd(short)),
        conclusion(f"{name}: not funded", f"PASS if the report concludes that with the commitment of {name} the deal is not fully funded.", [(name,)], [("not fully funded", "shortfall", "short", "underfunded", "insufficient", "gap", "not enough", "unfunded", "does not cover")]),
        advice(name, "an equity backstop or a larger commitment", "backstop", "equity", "commitment", "increase", "larger", "bridge", "guarant"),
        cites(name, "both the sources and uses and the commitment", *marks),
    ]
    claim = f"with the commitment of {name} the deal is short of funds"
    says = [("short", "underfunded", "insufficient", "gap", "not enough", "unfunded", "not fully funded")]
    return plant(decoy, f"{name}: funding", papers, issue, name, claim, says, unless, because, value=usd(short))


def _plan(world: World, rng: random.Random) -> tuple[int, int, int, int, int]:
    """(uses, fees in them, cash, equity, debt as planned): sources as planned equal uses."""
    fees = world.sum(rng, 0.02, 0.04, 500_000)
    uses = world.deal.price + fees
    cash, equity = world.sum(rng, 0.03, 0.06, 500_000), world.sum(rng, 0.4, 0.5, 500_000)
    return uses, fees, cash, equity, uses - cash - equity


def _funding_table(world: World, rng: random.Random, decoy: bool) -> Plant:
    bank = world.company(rng, "bank")
    uses, fees, cash, equity, debt = _plan(world, rng)
    gap = world.sum(rng, 0.01, 0.03, 500_000)
    papers = [
        book("plan", f"Sources and Uses - {bank.short}", "1.4", world.deal.signing, "Plan", "Line|USD", ("Use: consideration", world.deal.price), ("Use: fees", fees), Row(("Uses, total", uses), "uses"), ("Source: cash", cash), ("Source: equity", equity), Row((f"Source: loan of {bank.short}", debt), "planned")),
        paper("commitment", f"Debt Commitment Letter - {bank.short}", "1.4", world.deal.signing - timedelta(days=3), f"⟦commitment|{bank.name} commits to lend an aggregate principal amount of {money(debt - gap)}, and no more.⟧", signed((bank.name, world.person(rng, "Managing Director", bank)))),
        paper("equity", f"Equity Commitment Letter - {bank.short} financing", "1.4", world.deal.signing, f"⟦equity|{world.buyer.name} will contribute {money(equity + gap if decoy else equity)} in cash at closing.⟧", signed((world.buyer.name, world.person(rng, "Chief Financial Officer", world.buyer)))),
    ]
    return _funding(decoy, bank.short, uses, uses - gap, papers, ("uses", "commitment"), ("equity commitment covers", "equity makes up", "larger equity", "made up by", "covers the difference"), "the equity commitment is larger by the same sum")


def _funding_fees(world: World, rng: random.Random, decoy: bool) -> Plant:
    bank = world.company(rng, "bank")
    uses, _, cash, equity, debt = _plan(world, rng)
    discount = round(debt * rng.choice((2, 2.5, 3)) / 100)
    papers = [
        paper("plan", f"Financing Memorandum - {bank.short}", "1.4", world.deal.signing, table("Item|USD", Row(("All uses", uses), "uses"), ("Cash", cash), ("Equity", equity), ("Loan, at face", debt))),
        paper("terms", f"Term Sheet - {bank.short}", "1.4", world.deal.signing - timedelta(days=10), f"⟦terms|The loan of {bank.short}, {money(debt)} at face, is paid out less an original issue discount of {money(discount)}.⟧", Filler("contract")),
        paper("reply", f"Treasurer's Note - {bank.short}", "1.4", world.deal.signing + timedelta(days=2), f"⟦reply|{f'The discount of {bank.short} is met out of the line that {world.buyer.short} holds in reserve for it, confirmed by its bank.' if decoy else f'The discount of {bank.short} was left out of the uses, since it is not an invoice that anyone would send.'}⟧"),
    ]
    return _funding(decoy, bank.short, uses, uses - discount, papers, ("uses", "terms"), ("reserve", "met out of", "confirmed"), "a reserved line meets the discount")


def _funding_mail(world: World, rng: random.Random, decoy: bool) -> Plant:
    bank = world.company(rng, "bank")
    uses, _, cash, equity, debt = _plan(world, rng)
    cut = world.sum(rng, 0.01, 0.03, 500_000)
    banker, cfo = world.person(rng, "Leveraged Finance", bank), world.officers["cfo"]
    day = world.deal.signing + timedelta(days=8)
    papers = [
        paper("flow", f"Funds Flow {bank.short}", "1.4", day - timedelta(days=4), f"⟦uses|To be paid out at closing: {millions(uses)}.⟧", f"Coming in: cash {millions(cash)}, equity {millions(equity)}, {bank.short} {millions(debt)}.", kinds=("docx", "txt")),
        mail("cut", f"{bank.short}: ticket", "1.4", day, banker, cfo, f"⟦cut|{cfo.first}, credit committee has signed off on {millions(debt - cut)} and not on the figure in your flow.⟧"),
        mail("last", f"Re: {bank.short}: ticket", "1.4", day + timedelta(days=5), banker, cfo, f"⟦last|{cfo.first}, {'committee went back and gave us the figure in your flow after all; the amended letter, signed, went to your counsel at noon.' if decoy else 'committee will not go back to it. I would talk to your shareholders.'}⟧"),
    ]
    return _funding(decoy, bank.short, uses, uses - cut, papers, ("uses", "cut"), ("after all", "amended letter", "committee went back"), "the bank's amended and signed letter is for the full figure")


def _funding_currency(world: World, rng: random.Random, decoy: bool) -> Plant:
    bank = world.company(rng, "bank")
    uses, _, cash, equity, debt = _plan(world, rng)
    gap = world.sum(rng, 0.01, 0.03, 500_000)
    ask = debt - gap
    papers = [
        paper("slide", f"Funding {bank.short}", "1.4", world.deal.signing, Heading("Where the money comes from"), f"⟦uses|Needed: {millions(uses)}⟧", f"Own means {millions(cash + equity)}, {bank.short} the rest", kinds=("pptx",)),
        paper("agreement", f"Commitment {bank.short}", "1.4", world.deal.signing - timedelta(days=2), f"⟦commitment|Tranche A {ask:,} dollars.⟧", f"⟦tranche|Tranche B {gap:,} dollars, {'on the same conditions' if decoy else 'if the bank should wish to lend it when asked'}.⟧", signed((bank.name, world.person(rng, "Director", bank)))),
    ]
    return _funding(decoy, bank.short, uses, uses - gap, papers, ("uses", "tranche"), ("same conditions", "both tranches", "tranche b is committed"), "both tranches are committed")


def _funding_minutes(world: World, rng: random.Random, decoy: bool) -> Plant:
    bank = world.company(rng, "bank")
    uses, _, cash, equity, debt = _plan(world, rng)
    day = world.deal.signing - timedelta(days=1)
    gone = cash // 2
    papers = [
        paper("minutes", f"Finance Committee of the Buyer on {bank.short}", "1.4", day, Filler("minutes"), f"⟦uses|The committee noted a need of {uses:,} dollars, to be met by {debt:,} from {bank.short}, {equity:,} of equity and {cash:,} of cash on the target's accounts.⟧"),
        book("accounts", f"Accounts at Closing ({bank.short})", "1.4", world.past(rng, (0.005, 0.02)), "Accounts", "Account|USD|State", ("Free accounts", cash - gone, "Free"), Row(("Collateral account", gone, "Pledge released, free from today" if decoy else "Pledged, cannot be used at closing"), "pledged")),
    ]
    return _funding(decoy, bank.short, uses, uses - gone, papers, ("uses", "pledged"), ("pledge was released", "pledge released", "is free"), "the pledge over the account was released")


RECIPES: tuple[Recipe, ...] = (
    Recipe(18, "no_survival", "Disclosure", "Nothing survives closing, so that known losses stay with the buyer", "cross-document", "High", (
        Way("estimates and escrow draft", "train", _survives_letters),
        Way("sheet and indemnity form", "train", _survives_register),
        Way("figures by mail", "dev", _survives_mail),
        Way("committee and price letter", "test", _survives_minutes),
        Way("binder that writes them out", "test", _survives_policy),
    ), once=True),
    Recipe(19, "approval_not_a_condition", "Deal", "A required approval is not a condition to closing", "absence", "High", (
        Way("federal award", "train", _uncondition_grant),
        Way("radio licence", "train", _uncondition_licence),
        Way("concession and mail", "dev", _uncondition_mail),
        Way("captive insurer", "test", _uncondition_insurance),
        Way("state lease", "test", _uncondition_lease),
    )),
    Recipe(20, "outside_date_too_early", "Deal", "The outside date comes before approval can be had", "computed", "High", (
        Way("timeline and fee letter", "train", _outside_timeline),
        Way("counsel's memorandum", "train", _outside_memo),
        Way("mail from counsel", "dev", _outside_mail),
        Way("average days of the agency", "test", _outside_steps),
        Way("working group", "test", _outside_minutes),
    ), once=True),
    Recipe(21, "interim_covenant_breach", "Deal", "A covenant between signing and closing was broken", "cross-document", "High", (
        Way("bonus without consent", "train", _interim_bonus),
        Way("order above the limit", "train", _interim_capex),
        Way("settlement by mail", "dev", _interim_mail),
        Way("lease taken", "test", _interim_lease),
        Way("advance drawn", "test", _interim_loan),
    )),
    Recipe(22, "funding_shortfall", "Deal", "The funds for the deal do not add up", "computed", "Critical", (
        Way("plan and commitment letter", "train", _funding_table),
        Way("issue discount left out", "train", _funding_fees),
        Way("smaller ticket by mail", "dev", _funding_mail),
        Way("tranche not committed", "test", _funding_currency),
        Way("cash that is pledged", "test", _funding_minutes),
    ), once=True),
)
