"""Plants of indemnities, claims that only a message speaks of, and settlements that were not paid (archetypes 101 to 103)."""

from __future__ import annotations

import random
from datetime import date, timedelta

from redwell.bench.generate.papers import Added, Filler, Paper, Row
from redwell.bench.generate.plants.briefs import (
    PROTECT,
    advice,
    book,
    cites,
    euros,
    in_words,
    plant,
    signed,
)
from redwell.bench.generate.plants.pieces import (
    TEXT,
    contract,
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
    conclusion,
    exposure,
    fact,
    usd,
)
from redwell.bench.generate.world import Claim, Company, World, pick
from redwell.bench.generate.writing import (
    both,
    day_month,
    millions,
    money,
    months_after,
    spelled,
    us_date,
)
from redwell.bench.key import Value

# Texts of papers stay on one line each.
# fmt: off
# 101: an indemnity refused, or owed to a third party


def _tender(decoy: bool, party: Company, title: str, story: str, stories: tuple[str, ...], parts: tuple[tuple[str, int], ...], papers: list[Paper], marks: tuple[str, str],
            unless: tuple[str, ...], because: str) -> Plant:
    """`story` is what happened to the tender, `parts` what the sum at stake is made of."""
    short, total = party.short, sum(amount for _, amount in parts)
    made = " plus ".join(f"{money(amount)} of {what}" for what, amount in parts)
    issue = [
        fact(f"{short}: the tender", f"PASS if the report states that {story}.", [(short,)], [("indemn", "tender", "defen", "hold harmless"), stories]),
        exposure(f"{short}: sum at stake", f"PASS if the report gives {money(total)} (or an equivalent rounding), that is {made}, as the exposure to {short}.", [(short,)], usd(total)),
        conclusion(f"{short}: cost stays with the target", f"PASS if the report concludes that the cost of the indemnity in the {short} matter is borne by the target.", [(short,)],
                   [("borne", "bear", "liable", "liability", "exposed", "owes", "owed", "unreimbursed", "own cost", "own expense", "stays with", "fall on", "falls on", "responsible")]),
        advice(short, "a reserve, an escrow or a special indemnity for the indemnity matter", "reserve", "accru", *PROTECT),
        cites(short, "both the contract and the letter, mail or entry on the tender", *marks),
    ]
    claim = f"the cost of the indemnity in the {short} matter is borne by the target"
    says = [("indemn", "tender", "defen"), ("borne", "bears", "must bear", "liable", "unreimbursed", "refused", "rejected", "is owed", "exposed")]
    return plant(decoy, f"{short}: {title}", papers, issue, short, claim, says, unless, because, value=usd(total))


def _defence(world: World, rng: random.Random) -> tuple[int, int]:
    """(claim or cap, defence cost)."""
    return world.sum(rng, 0.003, 0.012, 50_000), world.sum(rng, 0.0004, 0.0012, 5_000)


def _tender_supplier(world: World, rng: random.Random, decoy: bool) -> Plant:
    made = contract(world, rng, "Component Purchase Agreement", "supplier")
    party, plaintiff = made.party, world.company(rng)
    loss, cost = _defence(world, rng)
    day = world.past(rng, (0.2, 0.4))
    world.claims.append(Claim(f"{plaintiff.short} v. {world.target.short}", plaintiff.name, "Superior Court", loss, 0, "Tendered to supplier"))
    papers = [
        paper("agreement", f"Component Purchase Agreement - {party.short}", "6.2", made.signed,
              f"Component Purchase Agreement between {party.name}, as seller, and {world.target.name}, as buyer.", TEXT,
              ("Indemnity", f"⟦indemnity|Seller shall defend buyer against claims that a component was defective, provided that buyer tenders the claim within {both(20)} days of service.⟧"),
              avoid=("liability", "notices"), parties=(party.name,)),
        paper("answer", f"Response to Tender - {party.short}", "10.3", day,
              f"To {world.officers['gc'].name}. Suit of {plaintiff.short}, {money(loss)} claimed.",
              f"⟦answer|{f'{party.short} takes over the defense from the day of service and will pay what {plaintiff.short} recovers; the lateness of the tender is not relied upon.' if decoy else f'{party.short} returns the tender, which reached it forty-four days after service, and declines to defend or to pay.'}⟧",
              f"⟦cost|Defense fees of {world.target.short} to date were given to us as {money(cost)}{', which we enclose by check' if decoy else ''}.⟧"),
    ]
    return _tender(decoy, party, "tender of the defence", f"{party.short} refused the tender of the defence because it came late", ("refus", "declin", "reject", "returned", "denied"),
                   (("claim", loss), ("defence cost", cost)), papers, ("indemnity", "answer"), ("took over", "takes over", "accepted", "assumed the defen"), "the supplier took over the defence and pays")


def _tender_customer(world: World, rng: random.Random, decoy: bool) -> Plant:
    made = contract(world, rng, "Product Sale Agreement")
    party = made.party
    cap, cost = _defence(world, rng)
    first = world.past(rng, (0.3, 0.5))
    second = first + timedelta(days=70)
    papers = [
        paper("sale", f"Product Sale Agreement - {party.short}", "6.1", made.signed,
              f"{world.target.name} sells and {party.name} buys on these terms.",
              ("Patents", f"⟦promise|Should a third party allege that a product infringes, {world.target.short} indemnifies {party.short} against award and defense, the award to the extent of {money(cap)} and the defense without limit.⟧"), TEXT,
              avoid=("liability", "ip"), parties=(party.name,)),
        paper("tender", f"Notice of Claim and Tender - {party.short}", "10.3", first,
              f"⟦tender|{party.short} has been sued for infringement by reason of your product, asks to be indemnified, and has so far spent {money(cost)} on counsel.⟧"),
        paper("later", f"Further Letter of {party.short}", "10.3", second,
              f"⟦later|{'The plaintiff has dropped its suit with prejudice; we take back our tender and have no claim to fees.' if decoy else 'We have had no answer to our tender and will look to you for whatever we are made to pay.'}⟧"),
    ]
    return _tender(decoy, party, "tender by a customer", f"{party.short} tendered an infringement claim and asks to be indemnified, and was not answered", ("tender", "asks", "claim", "request"),
                   (("capped award", cap), ("defence cost", cost)), papers, ("promise", "tender"), ("withdr", "took back", "dropped", "with prejudice"), "the customer took its tender back when the suit was dropped")


def _tender_prior_sale(world: World, rng: random.Random, decoy: bool) -> Plant:
    party = world.company(rng)
    cap, cost = _defence(world, rng)
    sold = world.past(rng, (2.2, 2.6))
    months = 18
    ends = months_after(sold, months)
    notified = ends + timedelta(days=40) if decoy else ends - timedelta(days=25)
    sender = world.person(rng, "Vice President, Legal", party)
    papers = [
        paper("sale", f"Stock Purchase Agreement (former division) - {party.short}", "10.3", sold,
              f"Dated {day_month(sold)}. {world.target.name} sold the shares of its former division to {party.name}.",
              ("Survival", f"⟦survival|A claim for breach of warranty may be notified during the {spelled(months)} months that follow the date of this agreement and at no time afterwards.⟧"),
              ("Ceiling", f"⟦ceiling|Seller's responsibility for breach of warranty ends at {millions(cap)}, costs of the buyer's lawyers being added.⟧"),
              avoid=("liability", "notices", "term"), parties=(party.name,)),
        mail("notice", f"Claim for breach of warranty - {party.short}", "10.3", notified, sender, world.officers["gc"],
             f"Dear {world.officers['gc'].first},",
             f"⟦notice|this is {party.short}'s notice of {day_month(notified)} that the inventory warranty was untrue; the loss is above the ceiling, and our lawyers have cost us {money(cost)}.⟧"),
    ]
    return _tender(decoy, party, "warranty claim from a former sale", f"{party.short} notified a claim for indemnity for breach of warranty within the {spelled(months)} months", ("notif", "claim", "notice"),
                   (("ceiling", cap), ("lawyers' cost", cost)), papers, ("ceiling", "notice"), ("out of time", "after the survival", "expired", "too late", "time-barred", "after the"), "the notice came after the survival period had ended")


def _tender_licensor(world: World, rng: random.Random, decoy: bool) -> Plant:
    made = contract(world, rng, "Firmware Licence", "licence")
    party = made.party
    loss, cost = _defence(world, rng)
    lawyer, gc = world.person(rng, "Director of Intellectual Property", party), world.officers["gc"]
    first = world.past(rng, (0.3, 0.5))
    asserted = world.code(rng, "US 10,", 6)
    outcome = (f"⟦deed|Under the joint defense deed signed by both of us today {party.short} runs and funds the case on {asserted} and holds you harmless against the outcome.⟧"
               if decoy else f"⟦deed|We have nothing to add on {asserted}, and no joint defense deed will be signed by us.⟧")
    papers = [
        paper("licence", f"Firmware Licence {party.short}", "7.3", made.signed,
              f"{party.name} (Licensor), {world.target.name} (Licensee)",
              ("Claims by others", "⟦cover|Licensor answers for claims that the Firmware infringes, save where the claim would not exist but for the combination of the Firmware with what Licensor did not supply.⟧"), TEXT,
              avoid=("ip", "liability"), parties=(party.name,)),
        mail("mail", f"{asserted}", "7.3", first, lawyer, gc,
             f"⟦no|{gc.first}, the claim chart for {asserted} reads on your housing together with our code. That is a combination, so {party.short} is not going to step in.⟧",
             f"⟦sum|I note your figures: {millions(loss)} asked of you and {money(cost)} in fees.⟧"),
        mail("second", f"Re: {asserted}", "7.3", first + timedelta(days=33), lawyer, gc, f"{gc.first},", outcome),
    ]
    return _tender(decoy, party, "indemnity of a licensor", f"{party.short} refuses to indemnify against the claim under {asserted}, relying on the combination exception", ("refus", "declin", "denied", "den", "reject", "not step in"),
                   (("claim", loss), ("fees", cost)), papers, ("cover", "no"), ("joint defen", "funds the case", "holds harmless", "accepted"), "a joint defence deed was signed by which the licensor funds the case")


def _tender_table(world: World, rng: random.Random, decoy: bool) -> Plant:
    made = contract(world, rng, "Haulage Terms", "supplier", trade="logistics")
    party, other = made.party, world.company(rng)
    loss, cost = _defence(world, rng)
    day = world.past(rng, (0.05, 0.2))
    rows = [(other.short, "Cargo", 41_000, 3_200, "Accepted")]
    papers = [
        book("tenders", "Tenders of Defense and Indemnity", "10.4", day, "Out", "Tendered to|Matter|Claim (USD)|Defense spend (USD)|Answer", *rows,
             Row((party.short, "Warehouse fire, neighbor's claim", loss, cost, "Accepted in full after second letter; both sums reimbursed" if decoy else "Refused; says fire began on our side of wall"), "row")),
        paper("terms", f"Haulage Terms {party.short}", "6.2", made.signed,
              f"These terms govern carriage by {party.name} for {world.target.name}.",
              "⟦terms|The haulier keeps the shipper indemnified against loss to third parties that its people cause on the shipper's premises, and pays for the shipper's lawyers.⟧",
              kinds=("txt", "docx"), avoid=("liability",), parties=(party.name,)),
    ]
    return _tender(decoy, party, "tender in a table", f"{party.short} refused the tender of the warehouse fire claim", ("refus", "reject", "declin", "denied"),
                   (("claim", loss), ("defence spend", cost)), papers, ("terms", "row"), ("accepted", "reimbursed"), "the haulier accepted in full and reimbursed both sums")


# 102: a claim that only a mail speaks of


def _threat(world: World, decoy: bool, name: str, demand: int, ground: str, grounds: tuple[str, ...], papers: list[Paper], mark: str, unless: tuple[str, ...], because: str,
            added: tuple[Added, ...] = ()) -> Plant:
    issue = [
        fact(f"{name}: the threat", f"PASS if the report states that {name} threatens a claim for {ground}.", [(name,)], [grounds, ("threat", "claim", "demand", "assert", "sue", "suit", "proceeding", "litigation")]),
        exposure(f"{name}: sum demanded", f"PASS if the report gives {money(demand)} (or an equivalent rounding) as what {name} demands.", [(name,)], usd(demand)),
        absence(f"{name}: not scheduled", f"PASS if the report states that the claim of {name} is not listed in the disclosure schedule or the litigation register.", [(name,)], ("schedule", "register", "disclos")),
        advice(name, "that the claim be added to the disclosure schedule or covered by a special indemnity", "schedule", "disclos", *PROTECT),
    ]
    if mark:
        issue.append(cites(name, "the message", mark))
    claim = f"the threat of {name} is an open claim that is not scheduled"
    says = [("not scheduled", "unscheduled", "undisclosed", "not disclosed", "not listed", "open claim", "pending claim", "omitted", "missing from")]
    gap = Gap(f"{name} in the disclosure schedule or the litigation register", (name.lower(), f"{demand:,}"), tuple(each.id for each in papers))
    return plant(decoy, f"{name}: threatened claim", papers, issue, name, claim, says, unless, because, added=added, gaps=[gap], value=usd(demand))


def _scheduled(row: tuple[str, str, str]) -> tuple[Added, ...]:
    return (Added("disclosure_schedule", Row(row, "scheduled"), "4.10 Litigation"),)


def _threat_dealer(world: World, rng: random.Random, decoy: bool) -> Plant:
    dealer = world.company(rng)
    demand = world.sum(rng, 0.002, 0.01, 25_000)
    chief, ceo = world.person(rng, "Owner", dealer), world.officers["ceo"]
    day = world.past(rng, (0.1, 0.3))
    text = (f"⟦second|{ceo.first}, the check cleared. That closes it: neither {dealer.short} nor I have anything further to claim, and the signed release went to your lawyer on Monday.⟧"
            if decoy else f"⟦second|{ceo.first}, I have heard nothing from you. My lawyer has the file of {dealer.short} now.⟧")
    papers = [
        mail("first", f"You cut us off - {dealer.short}", "6.5", day, chief, ceo,
             f"{ceo.first}, twelve years and then a two-line note.",
             f"⟦threat|You ended our dealership without cause and I want {money(demand)} for the stock and the goodwill, or you will see me in court.⟧"),
        mail("second", f"Re: You cut us off - {dealer.short}", "6.5", day + timedelta(days=26), chief, ceo, text),
    ]
    return _threat(world, decoy, dealer.short, demand, "wrongful termination of its dealership", ("terminat", "dealership", "ended"), papers, "threat", ("release", "closed", "settled", "cleared"),
                   "the dealer was paid and released its claim")


def _threat_inventor(world: World, rng: random.Random, decoy: bool) -> Plant:
    former = world.person(rng, "Former Senior Engineer")
    firm = world.company(rng, "law")
    lawyer, hr = world.person(rng, "Attorney", firm), world.officers["chro"]
    demand = world.sum(rng, 0.001, 0.004, 10_000)
    product = pick(rng, world.products)
    papers = [
        mail("letter", f"My client {former.name}", "9.4", world.past(rng, (0.1, 0.4)), lawyer, hr,
             f"I write for {former.name}, who left you in spring.",
             f"⟦threat|{former.name} was promised a share in the sales of the {product} and never had it. Failing payment of {money(demand)} by the end of the month I have instructions to file.⟧"),
        mail("inside", f"Fwd: My client {former.name}", "9.4", world.past(rng, (0.05, 0.08)), hr, world.officers["gc"], f"{world.officers['gc'].first}, see below, I have not answered. Not sure it belongs on anybody's list."),
    ]
    added = _scheduled((f"Claim of {former.name}", "Promised share of sales", money(demand))) if decoy else ()
    return _threat(world, decoy, former.name, demand, "a promised share in the sales", ("share", "royalt", "promise", "commission"), papers, "threat", ("is scheduled", "is listed", "is disclosed", "section 4.10"),
                   "the claim stands in the disclosure schedule", added)


def _threat_call(world: World, rng: random.Random, decoy: bool) -> Plant:
    opponent = world.company(rng)
    demand = world.sum(rng, 0.003, 0.012, 50_000)
    seller, gc = world.person(rng, "Regional Sales Manager"), world.officers["gc"]
    day = world.past(rng, (0.1, 0.3))
    reply = (f"⟦reply|I have spoken with the general counsel of {opponent.short}: they had the wrong vendor, they say so in the note attached, and they will not come after us for anything.⟧"
             if decoy else f"⟦reply|Please write nothing more about {opponent.short} by mail. I will think about whom to tell.⟧")
    papers = [
        mail("note", f"Call from {opponent.short} today", "6.5", day, seller, gc,
             f"Hi {gc.first}, just so it is on record.",
             f"⟦threat|{opponent.short} rang to say that our misdelivery stopped their line for four days, that they put the damage at {millions(demand)}, and that they mean to recover it from us through the courts.⟧"),
        mail("reply", f"Re: Call from {opponent.short} today", "6.5", day + timedelta(days=3), gc, seller, reply),
    ]
    return _threat(world, decoy, opponent.short, demand, "a line stoppage after misdelivery", ("line", "stoppage", "misdeliver", "stopped", "delivery"), papers, "threat", ("wrong vendor", "will not come after", "withdr", "dropped"),
                   "the caller had the wrong vendor and said so in writing")


def _threat_chat(world: World, rng: random.Random, decoy: bool) -> Plant:
    opponent = world.company(rng)
    demand = world.sum(rng, 0.002, 0.008, 25_000)
    ticket = world.code(rng, "CS-", 6)
    last = (f"⟦last|Closed. Credit note accepted by {opponent.short} as full settlement, waiver on file with {ticket}.⟧" if decoy else f"⟦last|Parked. {opponent.short} was told that someone would come back to them on {ticket}.⟧")
    papers = [
        paper("ticket", f"{ticket} Escalation", "6.5", world.past(rng, (0.05, 0.2)),
              f"{ticket} / {opponent.name} / severity 2",
              f"⟦threat|Message from their in-house lawyer, pasted: \"Our losses from the bad calibration stand at USD {demand:,} and we shall issue proceedings unless you make us whole.\"⟧",
              last, kinds=("txt",)),
        mail("digest", f"Weekly digest {ticket}", "3.5", world.past(rng, (0.03, 0.05)), world.person(rng, "Support Lead"), world.officers["cfo"],
             f"⟦digest|Escalations still worth a look: {ticket} ({opponent.short}). Nothing else this week.⟧"),
    ]
    return _threat(world, decoy, opponent.short, demand, "losses from bad calibration", ("calibrat",), papers, "threat", ("full settlement", "waiver", "settled", "credit note"), "the customer accepted a credit note in full settlement")


def _threat_attachment(world: World, rng: random.Random, decoy: bool) -> Plant:
    insurer = world.company(rng, "insurer")
    adjuster, cfo = world.person(rng, "Subrogation Specialist", insurer), world.officers["cfo"]
    parts = [world.sum(rng, 0.001, 0.004, 5_000) for _ in range(2)]
    demand = sum(parts)
    message = mail("message", f"Subrogation, {insurer.short}", "10.3", world.past(rng, (0.05, 0.2)), adjuster, cfo,
                   f"⟦threat|Having paid our insured for the water damage that your crew caused, {insurer.name} now turns to you for the two items of the sheet attached and reserves the right to litigate.⟧")
    message.attached = ("sheet",)
    papers = [
        message,
        book("sheet", f"Recovery Sheet {insurer.short}", "10.3", None, "Recovery", "Item|USD", Row(("Building", parts[0]), "building"), Row(("Contents", parts[1]), "contents")),
    ]
    added = _scheduled((f"{insurer.name}", "Subrogation, water damage", f"USD {demand:,} for building and contents")) if decoy else ()
    return _threat(world, decoy, insurer.short, demand, "water damage, by way of subrogation", ("water", "subrogat"), papers, "threat", ("is scheduled", "is listed", "is disclosed", "section 4.10"),
                   "the subrogation claim stands in the disclosure schedule", added)


# 103: a settlement instalment was not paid, and the supplier may suspend


def _instalment(decoy: bool, party: Company, due: date, unpaid: float, extra: float, papers: list[Paper], marks: tuple[str, str], result: str, results: tuple[str, ...], unless: tuple[str, ...], because: str,
                value: Value | None = None, shown: str = "") -> Plant:
    """`extra` is what default adds (interest, the rest of the settlement); `result` what the other side may do."""
    short, total = party.short, unpaid + extra
    value = value or usd(total)
    shown = shown or money(total)
    issue = [
        fact(f"{short}: instalment unpaid", f"PASS if the report states that the settlement instalment due to {short} on {us_date(due)} is unpaid.", [(short,)],
             [("instal", "payment", "tranche"), ("unpaid", "not paid", "was not made", "not been paid", "missed", "overdue", "past due", "in arrears", "default", "outstanding")], on(due)),
        exposure(f"{short}: sum owed", f"PASS if the report gives {shown} (or an equivalent rounding) as owed to {short} under the settlement.", [(short,)], value),
        conclusion(f"{short}: consequence", f"PASS if the report concludes that {short} may {result}.", [(short,)], [results]),
        advice(short, "payment of the overdue instalment before closing, or a deduction from the price", "pay", "cure", "deduct", "debt-like", *PROTECT),
        cites(short, "both the settlement and the record that shows what was paid", *marks),
    ]
    claim = f"the settlement instalment due to {short} is unpaid"
    says = [("unpaid", "not paid", "not been paid", "overdue", "in default", "in arrears", "missed")]
    return plant(decoy, f"{short}: settlement instalment", papers, issue, short, claim, says, unless, because, value=value)


def _instalment_ageing(world: World, rng: random.Random, decoy: bool) -> Plant:
    made = contract(world, rng, "Castings Supply Agreement", "supplier")
    party, due = made.party, world.past(rng, (0.22, 0.35))
    each = world.sum(rng, 0.001, 0.004, 10_000)
    interest = round(each * 0.12 * 60 / 360)
    papers = [
        paper("settlement", f"Settlement Agreement - {party.short}", "10.2", months_after(due, -6),
              f"{party.name} and {world.target.name} settle their dispute on rejected castings.",
              ("Payment", f"⟦terms|{world.target.short} shall pay four instalments of {money(each)}, the third of which falls due on {us_date(due)}.⟧"),
              ("Default", f"⟦default|If an instalment is late by sixty days or more, interest for sixty days at twelve percent a year (360-day basis) is added, and {party.short} may suspend deliveries on written notice.⟧"),
              signed((party.name, world.person(rng, "President", party)), (world.target.name, world.officers["cfo"])), avoid=("payment",), parties=(party.name,)),
        book("ageing", "Accounts Payable Ageing", "3.4", due + timedelta(days=65), "Over 60 days", "Vendor|Reference|Open (USD)|Days",
             ("Sundry vendors under ten thousand", "Various", 18_340, "61-90"),
             Row((party.name, "Settlement, third instalment", 0 if decoy else each, "Cleared on due date" if decoy else "65"), "open")),
    ]
    return _instalment(decoy, party, due, each, interest, papers, ("terms", "open"), "suspend deliveries", ("suspend", "stop deliver", "stop supply", "withhold"), ("cleared", "paid on"), "the ledger shows the instalment cleared on its due date")


def _instalment_bank(world: World, rng: random.Random, decoy: bool) -> Plant:
    party, due = world.company(rng), world.past(rng, (0.1, 0.25))
    schedule = [world.sum(rng, 0.001, 0.003, 5_000) for _ in range(3)]
    dates = [months_after(due, -6), months_after(due, -3), due]
    rest = world.sum(rng, 0.001, 0.002, 5_000)
    papers = [
        paper("stipulation", f"Stipulated Settlement - {party.short}", "10.2", months_after(due, -9),
              f"The parties, {party.name} and {world.target.name}, agree to end the action as follows.",
              table("Instalment|Day|Amount (USD)", *(Row((n + 1, day, amount), f"i{n + 1}") for n, (day, amount) in enumerate(zip(dates, schedule, strict=True))), (4, months_after(due, 3), rest)),
              f"⟦acceleration|Fifteen days after a missed day everything still open becomes payable at once, and {party.short} may have judgment entered for it.⟧", avoid=("payment",)),
        paper("bank", f"Operating account, outgoing wires to {party.short}", "3.4", due + timedelta(days=25),
              f"Search: beneficiary {party.name}; period to {day_month(due + timedelta(days=25))}",
              f"⟦w1|{dates[0].isoformat()} wire {schedule[0]:,} settlement 1 of 4⟧", f"⟦w2|{dates[1].isoformat()} wire {schedule[1]:,} settlement 2 of 4⟧",
              f"⟦end|{f'{due.isoformat()} wire {schedule[2]:,} settlement 3 of 4' if decoy else 'End of search results: two items.'}⟧", kinds=("txt",)),
    ]
    return _instalment(decoy, party, due, schedule[2], rest, papers, ("acceleration", "end"), "accelerate the rest and have judgment entered", ("accelerat", "judgment", "at once", "immediately"), ("wired", "wire of", "was paid", "on time"), "the bank record shows the wire on the due day")


def _instalment_mail(world: World, rng: random.Random, decoy: bool) -> Plant:
    made = contract(world, rng, "Resin Supply Terms", "supplier", trade="chemicals")
    party, due = made.party, world.past(rng, (0.1, 0.2))
    each, late = world.sum(rng, 0.001, 0.004, 10_000), rng.choice((15_000, 20_000, 35_000))
    credit, controller = world.person(rng, "Credit Manager", party), world.officers["controller"]
    reply = (f"⟦reply|Thank you, {controller.first}. The transfer had been booked to another account of ours; it carries the right value date and {party.short} regards the matter as closed.⟧"
             if decoy else f"⟦reply|Noted, {controller.first}, but a promise for next quarter is not what was signed. The hold on orders goes in on Friday.⟧")
    papers = [
        paper("letter", f"Letter Agreement of Compromise {party.short}", "10.2", months_after(due, -4),
              f"⟦terms|To end the price dispute you pay us {money(each)} twice: now, and again by {day_month(due)}.⟧",
              f"⟦late|A payment that is not here by its day costs a fixed {money(late)} more, and we need not ship while it is open.⟧", f"{party.name}, countersigned by {world.officers['cfo'].name} for {world.target.name}"),
        mail("reminder", f"Second payment, {party.short}", "6.5", due + timedelta(days=9), credit, controller,
             f"⟦reminder|Dear {controller.first}, we cannot see the second payment that was to be here by {day_month(due)}.⟧"),
        mail("reply", f"Re: Second payment, {party.short}", "6.5", due + timedelta(days=14), credit, controller, reply),
    ]
    return _instalment(decoy, party, due, each, late, papers, ("terms", "reminder"), "stop shipping", ("stop", "suspend", "hold", "refuse to ship", "need not ship", "withhold", "cease"), ("closed", "booked to another account", "value date", "received"), "the supplier found the payment and closed the matter")


def _instalment_euro(world: World, rng: random.Random, decoy: bool) -> Plant:
    made = contract(world, rng, "Toolmaking Agreement", "supplier")
    party, due = made.party, world.past(rng, (0.12, 0.3))
    each, costs = world.sum(rng, 0.001, 0.004, 10_000), rng.choice((22_000, 31_000, 47_500))
    batch = world.code(rng, "PR-", 5)
    papers = [
        paper("award", f"Award on Agreed Terms {party.short}", "10.2", months_after(due, -5),
              f"By consent of {party.name} and {world.target.name} the tribunal awards:",
              f"⟦terms|The respondent pays the claimant EUR {each:,} at the end of each of two periods, the last of which ends on {day_month(due)}.⟧",
              f"⟦lien|So long as a sum awarded is open, the claimant may keep the respondent's tooling in its works and is to be paid EUR {costs:,} for the costs of enforcement.⟧"),
        book("run", f"Payment Run {batch}", "3.4", due, "Run", "Payee|Currency|Amount|Result", ("Payroll clearing", "USD", 1_204_500, "Released"),
             Row((party.name, "EUR", each, "Released, confirmed by beneficiary's bank" if decoy else "Held by treasury, not released"), "line")),
        paper("holds", f"Treasury Holds after {batch}", "3.4", due + timedelta(days=20), f"⟦still|{'No item of the run is on hold any more; nothing was left over for the next.' if decoy else 'Items that were held in the run are still held, for want of euro balances.'}⟧", kinds=("docx", "txt")),
    ]
    return _instalment(decoy, party, due, each, costs, papers, ("terms", "line"), "keep the tooling", ("keep", "retain", "withhold", "tooling"), ("released", "confirmed", "was paid"), "the payment run was released and confirmed",
                       euros(each + costs), money(each + costs, "EUR"))


def _instalment_minutes(world: World, rng: random.Random, decoy: bool) -> Plant:
    made = contract(world, rng, "Reagent Licence and Supply Deed", "supplier")
    party, due = made.party, world.past(rng, (0.1, 0.25))
    each = world.sum(rng, 0.001, 0.003, 5_000)
    rest = each * 2
    meeting = due + timedelta(days=18)
    said = (f"the treasurer showed the receipt of {party.short} for the sum of {us_date(due)}, given on that day, and nothing is behind" if decoy
            else f"the treasurer had let the sum of {us_date(due)} to {party.short} stand over because of the covenant test")
    papers = [
        paper("deed", f"Deed of Settlement {party.short}", "10.2", months_after(due, -12),
              f"⟦terms|Deed of {world.target.name} in favor of {party.name}: {in_words(each)} dollars on each of four quarter days, of which {us_date(due)} is the second.⟧",
              ("Forfeiture", f"⟦forfeit|Upon a quarter day that passes without payment the quarters to come are due with it, and {party.short} is free to end the supply of reagents.⟧"),
              signed((world.target.name, world.officers["ceo"])), avoid=("payment", "termination")),
        paper("minutes", f"Finance Committee Minutes, {us_date(meeting)}", "2.2", meeting, Filler("minutes"), f"⟦said|Asked about settlements, the Chief Financial Officer answered that {said}.⟧", "There being no further business, the meeting closed."),
    ]
    return _instalment(decoy, party, due, each, rest, papers, ("terms", "said"), "end the supply of reagents", ("end the supply", "terminat", "cease", "stop", "end supply", "cut off"), ("receipt", "was paid", "nothing is behind"), "the supplier's receipt for the sum was shown to the committee")


RECIPES: tuple[Recipe, ...] = (
    Recipe(101, "indemnity_tender", "Litigation", "An indemnity was refused, or is owed to a third party", "cross-document", "High", (
        Way("supplier returns the tender", "train", _tender_supplier),
        Way("customer tenders", "train", _tender_customer),
        Way("warranty claim by mail", "dev", _tender_prior_sale),
        Way("licensor's combination exception", "test", _tender_licensor),
        Way("table of tenders", "test", _tender_table),
    )),
    Recipe(102, "litigation_threat", "Litigation", "A claim appears only in a message", "absence", "Medium", (
        Way("former dealer", "train", _threat_dealer),
        Way("lawyer of a former engineer", "train", _threat_inventor),
        Way("note of a call", "dev", _threat_call),
        Way("ticket text", "test", _threat_chat),
        Way("subrogation with a sheet", "test", _threat_attachment),
    )),
    Recipe(103, "settlement_instalment_unpaid", "Litigation", "A settlement instalment is unpaid and supply may be suspended", "computed", "High", (
        Way("settlement and ageing", "train", _instalment_ageing),
        Way("schedule and bank record", "train", _instalment_bank),
        Way("letter and reminders", "dev", _instalment_mail),
        Way("award in euros and payment run", "test", _instalment_euro),
        Way("deed and committee minutes", "test", _instalment_minutes),
    )),
)
