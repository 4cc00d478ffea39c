"""Plants of what the disclosure schedule leaves out or gets wrong (archetypes 15 to 17)."""

from __future__ import annotations

import random
from datetime import timedelta

from redwell.bench.generate.papers import Added, Clause, Filler, Heading, Paper, Row
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
    count,
    mail,
    on,
    paper,
    share,
    table,
)
from redwell.bench.generate.recipe import (
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
from redwell.bench.generate.world import Contract, World
from redwell.bench.generate.writing import (
    millions,
    money,
    thousands,
    us_date,
)
from redwell.bench.key import Value

# Texts of papers stay on one line each.
# fmt: off
# 15: a consent that a contract requires is not in the schedule


def _unlisted(decoy: bool, made: Contract, papers: list[Paper], marks: tuple[str, ...], unless: tuple[str, ...], because: str, rows: tuple[Added, ...]) -> Plant:
    """`rows` are what the schedule of consents holds; for an issue only others."""
    name = made.party.short
    issue = [
        fact(f"{name}: consent required", f"PASS if the report states that the contract with {name} requires its consent to the deal.", [(name,)], [("consent", "approv", "agree", "permission", "sign-off", "assent")]),
        absence(f"{name}: not scheduled", f"PASS if the report states that the consent of {name} is not listed in the disclosure schedule of required consents.", [(name,)], ("schedule", "list", "consents"), ),
        exposure(f"{name}: revenue", f"PASS if the report gives {money(made.annual)} (or an equivalent rounding) a year as at stake under the contract with {name}.", [(name,)], usd(made.annual)),
        advice(name, "that the schedule be corrected and the consent be made a covenant or condition", "schedule", "correct", "update", "covenant", "condition", "obtain"),
        cites(name, "both the contract and the schedule of consents", *marks),
    ]
    claim = f"the consent of {name} is missing from the disclosure schedule"
    says = [("missing", "not listed", "not scheduled", "omitted", "omits", "not disclosed", "undisclosed", "absent", "not in the"), ("consent", "schedule")]
    gap = Gap(f"consent of {name} in the schedule", (made.party.name.lower(), "consent to merger"), tuple(each.id for each in papers))
    return plant(decoy, f"{name}: consent and schedule", papers, issue, name, claim, says, unless, because, added=rows, gaps=[gap], value=usd(made.annual))


def _consents(decoy: bool, name: str, other: str) -> tuple[Added, ...]:
    """The row on another's consent stands in the schedule either way; that on `name` for a decoy."""
    rows = [Added("disclosure_schedule", Row((other, "Consent to merger", "Not material"), "other"), "4.4 Required Consents")]
    if decoy:
        rows.append(Added("disclosure_schedule", Row((name, "Consent to merger", "Required"), "listed"), "4.4 Required Consents"))
    return tuple(rows)


SCHEDULED = ("is listed", "is scheduled", "lists the consent", "section 4.4 lists", "appears in")


def _unlisted_licence(world: World, rng: random.Random, decoy: bool) -> Plant:
    made, other = contract(world, rng, "Platform Licence Agreement"), world.company(rng)
    papers = [paper("agreement", f"Platform Licence Agreement - {made.party.short}", "6.1", made.signed, f"{world.target.name} licenses its platform to {made.party.name}.", TEXT,
              ("Merger of Licensor", f"⟦clause|Licensor may not be a party to a merger, whether or not it survives, unless {made.party.short} has first given its consent in writing.⟧"), ("Fees", f"⟦fees|The licence fee is {money(made.annual)} for each year.⟧"), avoid=("assignment", "control", "pricing"), parties=(made.party.name,))]
    return _unlisted(decoy, made, papers, ("clause", "other"), SCHEDULED, "Section 4.4 of the schedule lists it", _consents(decoy, made.party.name, other.name))


def _unlisted_tooling(world: World, rng: random.Random, decoy: bool) -> Plant:
    made, other = contract(world, rng, "Contract Manufacturing Agreement"), world.company(rng)
    papers = [
        paper("agreement", f"Contract Manufacturing Agreement - {made.party.short}", "6.1", made.signed, f"Between {made.party.name} and {world.target.name}", TEXT, avoid=("assignment", "control", "pricing"), parties=(made.party.name,)),
        paper("amendment", f"Third Amendment to Contract Manufacturing Agreement - {made.party.short}", "6.5", world.past(rng, (0.2, 0.8)),
              "⟦clause|A transaction in which Manufacturer becomes the subsidiary of another company is subject to Customer's prior approval, which Customer may give or refuse as it sees fit.⟧", f"⟦volume|Purchases in the current year are put at {money(made.annual)}.⟧", parties=(made.party.name,)),
    ]
    return _unlisted(decoy, made, papers, ("clause", "other"), SCHEDULED, "the third amendment is answered by Section 4.4, which lists the consent", _consents(decoy, made.party.name, other.name))


def _unlisted_mail(world: World, rng: random.Random, decoy: bool) -> Plant:
    made, other = contract(world, rng, "Reseller Terms", "channel"), world.company(rng)
    lawyer, gc = world.person(rng, "Legal Counsel", made.party), world.officers["gc"]
    papers = [
        paper("terms", f"Reseller Terms {made.party.short}", "6.3", made.signed, f"⟦clause|{made.party.short} resells for as long as it agrees to whoever owns {world.target.short}; it is to be asked before the owner changes.⟧", TEXT, kinds=("docx", "txt"), avoid=("assignment", "control"), parties=(made.party.name,)),
        mail("mail", f"Your sale, {made.party.short}", "6.5", world.deal.signing + timedelta(days=4), lawyer, gc, f"⟦mail|Dear {gc.first}, we read in the press of your sale. We move {millions(made.annual)} a year for you and would have thought that we stand on the list of those to be asked.⟧"),
    ]
    return _unlisted(decoy, made, papers, ("clause", "other"), SCHEDULED, "the reseller stands in Section 4.4 of the schedule", _consents(decoy, made.party.name, other.name))


def _unlisted_table(world: World, rng: random.Random, decoy: bool) -> Plant:
    made, other = contract(world, rng, "Line Lease and Service"), world.company(rng)
    papers = [book("summary", f"Contract Summary {made.party.short}", "6.1", world.past(rng, (0.05, 0.3)), "Summary", "Point|Found", ("Counterparty", made.party.name), ("Yearly value (USD thousands)", thousands(made.annual)),
              Row(("If supplier is acquired", "Other side must assent beforehand, by registered letter"), "clause")),
              paper("line", f"Line Lease and Service {made.party.short}", "6.1", made.signed, f"⟦fourteen|Fourteenthly: no acquirer of the supplier is bound or entitled before {made.party.short} has assented by registered letter.⟧", TEXT, avoid=("assignment", "control", "pricing"), parties=(made.party.name,))]
    return _unlisted(decoy, made, papers, ("fourteen", "other"), SCHEDULED, "the schedule lists the assent", _consents(decoy, made.party.name, other.name))


def _unlisted_slides(world: World, rng: random.Random, decoy: bool) -> Plant:
    made, other = contract(world, rng, "Alliance Charter", "channel"), world.company(rng)
    papers = [paper("charter", f"Alliance Charter {made.party.short}", "6.3", made.signed, "⟦clause|Each member of the alliance keeps its shareholders. Where it cannot, it leaves, unless the other member has said yes in time.⟧", TEXT, avoid=("assignment", "control", "pricing"), parties=(made.party.name,)),
              paper("review", f"Alliance Review {made.party.short}", "3.5", world.past(rng, (0.1, 0.4)), Heading(f"Alliance with {made.party.short}"), f"⟦value|Brings in {millions(made.annual)} a year⟧", "Both sides content", kinds=("pptx",))]
    return _unlisted(decoy, made, papers, ("clause", "other"), SCHEDULED, "Section 4.4 of the schedule lists the other member's yes", _consents(decoy, made.party.name, other.name))


# 16: a claim above the threshold is not in the schedule


def _unscheduled(decoy: bool, name: str, claimed: int, threshold: int, papers: list[Paper], marks: tuple[str, ...], unless: tuple[str, ...], because: str, rows: tuple[Added, ...]) -> Plant:
    issue = [
        fact(f"{name}: claim", f"PASS if the report states that {name} claims {money(claimed)}.", [(name,)], [("claim", "demand", "seek", "assert", "alleg")], usd(claimed)),
        fact(f"{name}: threshold", f"PASS if the report states that the claim of {name} is above the {money(threshold)} from which claims must be scheduled.", [(name,)], [("above", "exceed", "threshold", "more than", "over ", "greater")], usd(threshold)),
        absence(f"{name}: not scheduled", f"PASS if the report states that the claim of {name} is not listed in the disclosure schedule.", [(name,)], ("schedule", "disclos")),
        advice(name, "that the schedule be corrected and a special indemnity be given", "schedule", "correct", "disclos", *PROTECT),
        cites(name, "the claim and the rule on the schedule", *marks),
    ]
    claim = f"the claim of {name} is omitted from the disclosure schedule"
    says = [("omitted", "not listed", "not scheduled", "unscheduled", "not disclosed", "undisclosed", "missing", "omits", "not in the")]
    gap = Gap(f"claim of {name} in the disclosure schedule", (name.lower(), f"{claimed:,}"), tuple(each.id for each in papers))
    return plant(decoy, f"{name}: claim and schedule", papers, issue, name, claim, says, unless, because, added=rows, gaps=[gap], value=usd(claimed))


def _threshold(world: World, heading: str, text: str) -> tuple[int, Added]:
    """From which sum claims are to be scheduled, and where the agreement says so: `text` has `{sum}` in its place."""
    return world.deal.materiality, Added("merger_agreement", Clause(heading, text.replace("{sum}", money(world.deal.materiality)), "threshold"), "Representations and Warranties of the Company")


def _listed(decoy: bool, name: str, what: str, sum_: str) -> tuple[Added, ...]:
    return (Added("disclosure_schedule", Row((name, what, sum_, "Threatened"), "listed"), "4.10 Litigation"),) if decoy else ()


def _unscheduled_letter(world: World, rng: random.Random, decoy: bool) -> Plant:
    opponent = world.company(rng)
    claimed = world.sum(rng, 0.003, 0.01, 50_000)
    threshold, clause = _threshold(world, "Claims over Goods", "Each claim of a customer over goods, of {sum} or more and made in writing, is listed in Section 4.10 of the Company Disclosure Schedule.")
    papers = [paper("letter", f"Demand Letter - {opponent.short}", "10.3", world.past(rng, (0.15, 0.3)), f"{opponent.name} to {world.target.name}", f"⟦demand|Your goods failed inspection and our customers have charged us back; we demand {money(claimed)} within thirty days.⟧", signed((opponent.name, world.person(rng, "Chief Counsel", opponent))))]
    return _unscheduled(decoy, opponent.short, claimed, threshold, papers, ("demand", "threshold"), ("is listed", "is scheduled", "section 4.10 lists"), "Section 4.10 of the schedule lists it", (clause, *_listed(decoy, opponent.name, "Charge-backs", money(claimed))))


def _unscheduled_settled(world: World, rng: random.Random, decoy: bool) -> Plant:
    opponent = world.company(rng)
    claimed = world.sum(rng, 0.003, 0.01, 50_000)
    threshold, clause = _threshold(world, "Claims over Orders", "There is no dispute over orders in which {sum} or more is asked for, other than those that Section 4.10 of the Company Disclosure Schedule sets out.")
    day = world.past(rng, (0.3, 0.6))
    papers = [
        paper("request", f"Request for Mediation - {opponent.short}", "10.1", day, f"⟦demand|Claimant {opponent.name} seeks {money(claimed)} from {world.target.name} for the cancelled orders of last season.⟧", Filler("letter")),
        paper("outcome", f"Report of the Mediator - {opponent.short}", "10.1", day + timedelta(days=30), f"⟦outcome|{f'The matter of {opponent.short} was settled at the first session, the settlement sum was handed over and a release was signed.' if decoy else f'The matter of {opponent.short} was not settled at the first session, and the mediator has set a second.'}⟧"),
    ]
    return _unscheduled(decoy, opponent.short, claimed, threshold, papers, ("demand", "threshold"), ("settled", "released", "release was signed", "handed over"), "the matter was settled, paid and released before signing", (clause,))


def _unscheduled_mail(world: World, rng: random.Random, decoy: bool) -> Plant:
    opponent = world.company(rng)
    claimed = world.sum(rng, 0.003, 0.01, 50_000)
    threshold, clause = _threshold(world, "Threats of Suit", "Section 4.10 of the Company Disclosure Schedule also has every threat of a suit that somebody has put at {sum} or above.")
    lawyer, gc = world.person(rng, "Litigator", world.company(rng, "law")), world.officers["gc"]
    day = world.past(rng, (0.15, 0.3))
    papers = [
        mail("warning", f"{opponent.short} wants to sue", "10.3", day, lawyer, gc, f"⟦demand|{gc.first}, counsel for {opponent.short} has sent me a draft complaint. It puts the loss from the late start-up at {millions(claimed)}.⟧"),
        mail("later", f"Re: {opponent.short} wants to sue", "10.3", day + timedelta(days=21), lawyer, gc, f"⟦later|{gc.first}, {f'good news: {opponent.short} has dropped the whole thing and signed a covenant not to sue.' if decoy else f'no news from {opponent.short} except that it is looking for experts.'}⟧"),
    ]
    return _unscheduled(decoy, opponent.short, claimed, threshold, papers, ("demand", "threshold"), ("dropped", "covenant not to sue"), "the claim was dropped and a covenant not to sue signed", (clause,))


def _unscheduled_sheet(world: World, rng: random.Random, decoy: bool) -> Plant:
    opponent = world.company(rng)
    claimed = world.sum(rng, 0.003, 0.01, 50_000)
    threshold, clause = _threshold(world, "Complaints", "A complaint for which {sum} or anything beyond it is asked has its line in Section 4.10 of the Company Disclosure Schedule.")
    papers = [book("inbox", f"Complaints Inbox {opponent.short}", "10.3", world.past(rng, (0.05, 0.2)), "Inbox", "From|About|Asks for, USD", Row((opponent.short, "Corroded valves, lawyers copied in", claimed), "demand"), ("A walk-in customer", "Scratched case", 240))]
    return _unscheduled(decoy, opponent.short, claimed, threshold, papers, ("demand", "threshold"), ("is listed", "is scheduled", "4.10 lists", "is disclosed"), "the schedule lists the claim", (clause, *_listed(decoy, opponent.name, "Valves", f"USD {claimed:,}")))


def _unscheduled_arbitration(world: World, rng: random.Random, decoy: bool) -> Plant:
    opponent = world.company(rng)
    claimed = world.sum(rng, 0.003, 0.01, 50_000)
    threshold, clause = _threshold(world, "Arbitral Claims", "What is claimed before arbitrators, from {sum} upward, can be read in Section 4.10 of the Company Disclosure Schedule and nowhere else.")
    day = world.past(rng, (0.2, 0.5))
    papers = [
        paper("notice", f"Notice of Arbitration {opponent.short}", "10.1", day, f"⟦demand|The claimant, {opponent.name}, values what it asks for at {in_words(claimed)} dollars, being rent of machines that were not given back.⟧", kinds=("docx", "txt")),
        paper("order", f"Termination of Proceedings {opponent.short}", "10.1", day + timedelta(days=60), f"⟦order|{'The claimant has renounced its claim for good and the reference is at an end.' if decoy else 'The claimant has asked for more time; a reference to its end cannot yet be given.'}⟧"),
    ]
    return _unscheduled(decoy, opponent.short, claimed, threshold, papers, ("demand", "threshold"), ("renounced", "at an end", "ended for good"), "the claimant renounced its claim for good", (clause,))


# 17: the schedule says something else than its source


def _contradicts(decoy: bool, name: str, scheduled: str, value: Value, actual: str, true: Value, papers: list[Paper], marks: tuple[str, str], row: Added, effect: Value | None, effect_shown: str, unless: tuple[str, ...], because: str) -> Plant:
    issue = [
        fact(f"{name}: schedule", f"PASS if the report states that the disclosure schedule gives {scheduled} for {name}.", [(name,)], (), value),
        fact(f"{name}: source", f"PASS if the report states that the source gives {actual} for {name}.", [(name,)], (), true),
        conclusion(f"{name}: contradiction", f"PASS if the report concludes that the disclosure schedule contradicts its source on {name}.", [(name,)], [("contradict", "differ", "inconsisten", "discrepan", "incorrect", "wrong", "does not match", "misstat", "conflict", "inaccura", "understat", "overstat", "error")]),
        advice(name, "that the schedule be corrected and covered by a representation", "correct", "represent", "update", "amend", "revise"),
        cites(name, "both the schedule and the source", *marks),
    ]
    if effect:
        issue.insert(3, exposure(f"{name}: effect", f"PASS if the report gives {effect_shown} (or an equivalent rounding) as the effect of the difference on {name}.", [(name,)], effect))
    claim = f"the disclosure schedule contradicts its source on {name}"
    says = [("contradict", "differ", "inconsisten", "discrepan", "incorrect", "wrong", "does not match", "misstat", "conflict", "inaccura")]
    return plant(decoy, f"{name}: schedule and source", papers, issue, name, claim, says, unless, because, added=[row], value=effect)


def _contradicts_rent(world: World, rng: random.Random, decoy: bool) -> Plant:
    landlord, place = world.company(rng, "landlord"), world.place(rng)
    old = world.sum(rng, 0.001, 0.003, 10_000)
    new = round(old * rng.uniform(1.15, 1.4) / 10_000) * 10_000 + 10_000
    papers = [
        paper("lease", f"Lease, {place.city} - {landlord.short}", "11.1", world.past(rng, (2, 4)), f"⟦lease|Rent for {place.address} is {money(new)} a year from the second year on.⟧", TEXT, avoid=("payment", "term"), parties=(landlord.name,)),
        paper("side", f"Rent Letter - {landlord.short}", "11.3", world.past(rng, (0.5, 1)), f"⟦letter|{f'Landlord and tenant agree that rent is and remains {money(old)} a year to the end of the lease.' if decoy else 'Landlord and tenant agree that the parking spaces are and remain open to visitors of the building.'}⟧", signed((landlord.name, world.person(rng, "Asset Manager", landlord)), (world.target.name, world.officers["cfo"]))),
    ]
    row = Added("disclosure_schedule", Row((f"{place.city}, {landlord.name}", "Lease", money(old)), "scheduled"), "4.12 Real Property")
    return _contradicts(decoy, landlord.short, f"rent of {money(old)}", usd(old), f"rent of {money(new)}", usd(new), papers, ("scheduled", "lease"), row, usd(new - old), f"{money(new - old)} a year", ("rent letter", "amended", "was agreed", "letter fixes"), "a signed rent letter made the rent what the schedule says")


def _contradicts_expiry(world: World, rng: random.Random, decoy: bool) -> Plant:
    made = contract(world, rng, "Warehouse Services Agreement", "supplier")
    early, late = world.ahead(rng, (0.3, 0.6)), world.ahead(rng, (2, 3))
    made.expires = late if decoy else early
    papers = [
        paper("agreement", f"Warehouse Services Agreement - {made.party.short}", "6.2", made.signed, f"⟦term|This agreement with {made.party.short} ends on {us_date(early)} and is not renewed by conduct.⟧", TEXT, avoid=("term", "termination"), parties=(made.party.name,)),
        paper("extension", f"Extension {made.party.short}", "6.5", world.past(rng, (0.1, 0.3)) if decoy else None, f"⟦extension|The agreement with {made.party.short} is extended to {us_date(late)}.⟧", signed((made.party.name, world.person(rng, "Director", made.party)), (world.target.name, world.officers["ceo"])) if decoy else unsigned(made.party.name, world.target.name), status="" if decoy else "unsigned"),
    ]
    row = Added("disclosure_schedule", Row((made.party.name, "Warehouse services", f"Ends {us_date(late)}", money(made.annual)), "scheduled"), "4.13 Material Contracts")
    return _contradicts(decoy, made.party.short, f"an end on {us_date(late)}", on(late), f"an end on {us_date(early)}", on(early), papers, ("scheduled", "term"), row, None, "", ("extended", "extension was signed", "signed extension"), "a signed extension moved the end to the day in the schedule")


def _contradicts_count(world: World, rng: random.Random, decoy: bool) -> Plant:
    plan = world.code(rng, "Bonus Scheme ", 4)
    listed_, real = rng.randrange(21, 38), rng.randrange(44, 75)
    each = rng.randrange(12, 40) * 1000
    hr, gc = world.officers["chro"], world.officers["gc"]
    day = world.past(rng, (0.02, 0.06))
    papers = [
        book("members", f"Members of {plan}", "9.3", day - timedelta(days=20), "Members", "Scheme|People in it|Each gets, USD", Row((plan, real, each), "source")),
        mail("note", f"{plan}: list", "9.3", day, hr, gc, f"⟦note|{gc.first}, {f'the sheet for {plan} is from before the closure of the north plant. {real - listed_} people have left it since, with nothing to come, so {listed_} is right.' if decoy else f'the sheet for {plan} is the current one, I checked it against payroll this morning. Nobody has left it.'}⟧"),
    ]
    row = Added("disclosure_schedule", Row((plan, "People in it", str(listed_)), "scheduled"), "4.15 Benefit Plans")
    effect = (real - listed_) * each
    return _contradicts(decoy, plan, f"{listed_} people", count(listed_), f"{real} people", count(real), papers, ("scheduled", "source"), row, usd(effect), money(effect), ("have left", "from before", "out of date", "is right"), "the sheet is older and the people have left the scheme")


def _contradicts_amount(world: World, rng: random.Random, decoy: bool) -> Plant:
    lender = world.company(rng, "bank")
    low, more = world.sum(rng, 0.005, 0.01, 100_000), world.sum(rng, 0.002, 0.005, 100_000)
    papers = [
        paper("confirm", f"Balance Confirmation {lender.short}", "4.3", world.deal.signing - timedelta(days=20), f"⟦source|Drawn by {world.target.short} under the working line of {lender.name}: {low + more:,} dollars.⟧", kinds=("txt", "docx")),
        paper("repaid", f"Advice of {lender.short}", "4.3", world.deal.signing - timedelta(days=9), f"⟦advice|{f'Credited in reduction of your working line: {more:,} dollars.' if decoy else 'Charged to your current account for the working line: commitment fee of the quarter.'}⟧", kinds=("txt", "docx")),
    ]
    row = Added("disclosure_schedule", Row((lender.name, "Working line", low), "scheduled"), "4.9 Indebtedness")
    return _contradicts(decoy, lender.short, f"{money(low)} drawn", usd(low), f"{money(low + more)} drawn", usd(low + more), papers, ("scheduled", "source"), row, usd(more), money(more), ("credited", "reduction", "repaid", "paid down"), "the line was paid down before signing to the sum in the schedule")


def _contradicts_owner(world: World, rng: random.Random, decoy: bool) -> Plant:
    customer = contract(world, rng, "Delivery Contract")
    party = customer.party.short
    told, real = rng.randrange(6, 11), rng.randrange(16, 30)
    papers = [
        paper("contract", f"Delivery Contract {party}", "6.1", customer.signed, f"⟦source|The parties have fixed the rebate of {party} at {real} percent of the yearly price.⟧", TEXT, avoid=("pricing",), parties=(customer.party.name,)),
        paper("change", f"Change Sheet No. 1, Delivery Contract {party}", "6.5", world.past(rng, (0.2, 0.6)), table("Point|Was|Is", Row(("Rebate", f"{real} percent", f"{told} percent") if decoy else ("Delivery days", "Tuesday", "Thursday"), "change")), f"Agreed and signed for both: {world.officers['ceo'].name}; {world.person(rng, 'Buyer', customer.party).name}"),
    ]
    effect = round(customer.annual * (real - told) / 100)
    row = Added("disclosure_schedule", Row((customer.party.name, "Delivery contract", f"Rebate {told} percent", money(customer.annual)), "scheduled"), "4.13 Material Contracts")
    return _contradicts(decoy, party, f"a rebate of {told} percent", share(told), f"a rebate of {real} percent", share(real), papers, ("scheduled", "source"), row, usd(effect), f"{money(effect)} a year", ("change sheet", "was changed", "amended"), "a signed change sheet made the rebate what the schedule says")


RECIPES: tuple[Recipe, ...] = (
    Recipe(15, "consent_not_scheduled", "Disclosure", "A required consent is not in the disclosure schedule", "absence", "High", (
        Way("merger clause of a licence", "train", _unlisted_licence),
        Way("third amendment", "train", _unlisted_tooling),
        Way("reseller's mail", "dev", _unlisted_mail),
        Way("summary sheet", "test", _unlisted_table),
        Way("alliance charter", "test", _unlisted_slides),
    )),
    Recipe(16, "claim_not_scheduled", "Disclosure", "A claim above the threshold is not in the disclosure schedule", "cross-document", "High", (
        Way("demand letter", "train", _unscheduled_letter),
        Way("mediation", "train", _unscheduled_settled),
        Way("draft complaint by mail", "dev", _unscheduled_mail),
        Way("complaints sheet", "test", _unscheduled_sheet),
        Way("arbitration", "test", _unscheduled_arbitration),
    )),
    Recipe(17, "schedule_contradicts_source", "Disclosure", "The disclosure schedule contradicts its source", "cross-document", "Medium", (
        Way("rent", "train", _contradicts_rent),
        Way("day of expiry", "train", _contradicts_expiry),
        Way("number of people", "dev", _contradicts_count),
        Way("sum drawn", "test", _contradicts_amount),
        Way("rebate", "test", _contradicts_owner),
    )),
)
