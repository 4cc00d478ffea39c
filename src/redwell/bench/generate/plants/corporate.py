"""Plants of authority, minute books and governing documents (archetypes 3 to 5)."""

from __future__ import annotations

import random
from datetime import date, timedelta

from redwell.bench.generate.papers import Filler, Paper, Row
from redwell.bench.generate.plants.briefs import (
    advice,
    book,
    cites,
    euros,
    in_words,
    plant,
    signed,
    subsidiary,
    unsigned,
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
from redwell.bench.generate.world import Debt, World
from redwell.bench.generate.writing import (
    day_month,
    millions,
    money,
    us_date,
    years_after,
)
from redwell.bench.key import Value

# Texts of papers stay on one line each.
# fmt: off
# 3: an act above the limit of authority without approval


def _above(decoy: bool, party: str, limit: int, amount: int, shown: str, value: Value, body: str, papers: list[Paper], marks: tuple[str, str], gap: tuple[str, ...], despite: tuple[str, ...], unless: tuple[str, ...], because: str,
           unit: str = "USD") -> Plant:
    issue = [
        fact(f"{party}: limit of authority", f"PASS if the report states that for {party} approval was needed because acts above {money(limit, unit)} go to the {body}.", [(party,)],
             [("approv", "authori", "consent", "resolution", "limit")], Value("money", limit, unit=unit, tolerance=0.005)),
        absence(f"{party}: no approval", f"PASS if the report states that no approval of the {body} for {party} is in the data room.", [(party,)], ("approv", "resolution", "minutes", "consent", "authori")),
        conclusion(f"{party}: act unauthorized", f"PASS if the report concludes that the transaction with {party} exceeded the authority of who signed it.", [(party,)],
                   [("exceed", "unauthori", "without authority", "beyond", "lack of authority", "above the", "not authori", "ultra vires", "voidable", "challeng")]),
        exposure(f"{party}: amount", f"PASS if the report gives {shown} (or an equivalent rounding) as the amount of the transaction with {party}.", [(party,)], value),
        advice(party, f"ratification by the {body} before or as a condition of closing", "ratif", "approv", "resolution"),
        cites(party, "both the rule on authority and the transaction", *marks),
    ]
    claim = f"the {body} never approved the transaction with {party}"
    says = [("never approved", "not approved", "no approval", "without approval", "not authori", "unauthori", "exceeded the authority", "no resolution", "missing approval")]
    return plant(decoy, f"{party}: authority", papers, issue, party, claim, says, unless, because, gaps=[Gap(f"approval of the {body} for {party}", gap, despite)], value=value)


def _limit(world: World) -> int:
    """Above which sum the board decides; the same in every paper of the room."""
    return max(250_000, world.deal.materiality)


def _above_matrix(world: World, rng: random.Random, decoy: bool) -> Plant:
    limit = _limit(world)
    made = contract(world, rng, "Equipment Purchase Agreement", "supplier")
    party, amount = made.party.short, limit + world.sum(rng, 0.002, 0.008, 50_000)
    made.annual = amount
    meeting = made.signed - timedelta(days=9)
    papers = [
        book("matrix", "Delegation of Authority Matrix", "2.2", made.signed - timedelta(days=300), "Matrix", "Act|Who decides|Above (USD)", ("Hiring", "Department head", 0), Row(("Capital equipment", "Board of Directors", limit), "limit")),
        paper("purchase", f"Equipment Purchase Agreement - {party}", "6.2", made.signed, f"⟦purchase|{made.party.name} sells to {world.target.name} the press line described in Exhibit A for {money(amount)}.⟧", TEXT,
              signed((world.target.name, world.officers["cfo"]), (made.party.name, world.person(rng, "Sales Director", made.party))), avoid=("pricing",), parties=(made.party.name,)),
        paper("extract", f"Board Minutes, extract on equipment ({party})", "2.2", meeting, Filler("minutes"), f"⟦extract|{f'Resolved, that the purchase of the press line from {party} at the price presented is approved.' if decoy else f'The Chief Financial Officer described the offers for a press line, {party} among them; no vote was taken.'}⟧"),
    ]
    return _above(decoy, party, limit, amount, money(amount), usd(amount), "Board of Directors", papers, ("limit", "purchase"), (party.lower(), "is approved"), (), ("board approved", "was approved", "resolved", "approval is in"), "the Board resolved on it before it was signed")


def _above_bylaws(world: World, rng: random.Random, decoy: bool) -> Plant:
    limit = _limit(world)
    opponent = world.company(rng)
    amount = limit + world.sum(rng, 0.002, 0.006, 50_000)
    day = world.past(rng, (0.3, 0.9))
    papers = [
        paper("bylaws", "Bylaws, Article VII", "2.1", world.past(rng, (4, 6)), TEXT, ("Compromise of Claims", f"⟦rule|No officer may compromise a claim by a payment of more than {money(limit)} unless the directors have consented in writing.⟧")),
        paper("settlement", f"Settlement - {opponent.short}", "10.2", day, f"⟦paid|{world.target.name} pays {opponent.name} the sum of {money(amount)} and both release each other.⟧", signed((world.target.name, world.officers["gc"]), (opponent.name, world.person(rng, "President", opponent)), day=day)),
        paper("written", f"Unanimous Written Consent of Directors ({opponent.short})", "2.2", day - timedelta(days=3) if decoy else None, f"⟦written|The directors consent to the payment to {opponent.name} on the terms of the settlement attached.⟧",
              signed(*((world.target.name, director) for director in world.directors)) if decoy else unsigned(*(world.target.name for _ in world.directors)), status="" if decoy else "unsigned"),
    ]
    return _above(decoy, opponent.short, limit, amount, money(amount), usd(amount), "directors", papers, ("rule", "paid"), (opponent.name.lower(), "directors consent"), ("written",), ("all directors signed", "signed consent", "was signed", "have consented", "executed"), "all directors signed the written consent")


def _above_mail(world: World, rng: random.Random, decoy: bool) -> Plant:
    limit = _limit(world)
    vendor = world.company(rng, "software")
    amount = limit + world.sum(rng, 0.002, 0.005, 50_000)
    cfo, chair, cto = world.officers["cfo"], world.directors[0], world.officers["cto"]
    day = world.past(rng, (0.2, 0.6))
    answer = (f"⟦answer|{cfo.first}, each of us has sent an electronic consent under 141(f) for {vendor.short}; the secretary has filed all {len(world.directors)} of them with the minutes. Go ahead.⟧" if decoy
              else f"⟦answer|{cfo.first}, I see no harm in {vendor.short}, but it is not for me alone, and the next meeting is in March.⟧")
    papers = [
        paper("policy", "Spending Policy", "2.2", world.past(rng, (1, 3)), Filler("policy"), f"⟦rule|Commitments above {millions(limit)} are entered into after the board has agreed, not before.⟧", kinds=("docx", "txt")),
        mail("ask", f"{vendor.short} rollout", "2.2", day, cfo, chair, f"⟦ask|{chair.first}, {cto.first} and I want to sign {vendor.short} this week: {millions(amount)}, three years, no way out. Is that all right with the board?⟧"),
        mail("answer", f"Re: {vendor.short} rollout", "2.2", day + timedelta(days=1), chair, cfo, answer),
        paper("order", f"Order {vendor.short}", "6.2", day + timedelta(days=3), f"⟦order|Ordered from {vendor.name}: licences and rollout, {millions(amount)} in all.⟧", signed((world.target.name, cfo))),
    ]
    return _above(decoy, vendor.short, limit, amount, money(amount), usd(amount), "board", papers, ("rule", "order"), (vendor.short.lower(), "electronic consent"), (), ("each director", "all directors", "electronic consent", "unanimous"), "all directors consented by electronic transmission")


def _above_manager(world: World, rng: random.Random, decoy: bool) -> Plant:
    sub, bank = subsidiary(world, rng, ", LLC"), world.company(rng, "bank")
    limit = rng.choice((200_000, 350_000, 450_000))
    amount = limit + world.sum(rng, 0.002, 0.006, 100_000)
    day = world.past(rng, (0.4, 1))
    papers = [
        paper("company", f"Operating Agreement of {sub.short}", "2.3", world.past(rng, (2, 5)), TEXT, f"⟦rule|Borrowing beyond {in_words(limit)} dollars is for the member to decide; the manager has no power to do it.⟧", avoid=("payment",)),
        paper("note", f"Promissory Note {bank.short}", "4.1", day, f"⟦note|{sub.name} promises to pay {bank.name} {in_words(amount)} dollars with interest.⟧", f"By its manager: {world.person(rng, 'Manager').name}"),
        paper("decision", f"Decisions of the Member of {sub.short}", "2.3", day - timedelta(days=6), table("No.|Decision", (1, "Accounts of last year received"), Row((2, f"Borrowing from {bank.short} allowed as per term sheet" if decoy else f"Bank account opened at {bank.short}"), "decision"))),
    ]
    world.debts.append(Debt(bank, "Promissory Note", amount, day, years_after(day, 4), f"Borrower: {sub.short}"))
    return _above(decoy, bank.short, limit, amount, money(amount), usd(amount), "member", papers, ("rule", "note"), (f"borrowing from {bank.short.lower()} allowed",), (), ("member allowed", "was allowed", "member decided", "decision no. 2", "authorized by the member"), "the member allowed the borrowing")


def _above_committee(world: World, rng: random.Random, decoy: bool) -> Plant:
    made = contract(world, rng, "Turnkey Contract", "supplier", trade="construction")
    party = made.party.short
    limit = _limit(world)
    amount = limit + world.sum(rng, 0.002, 0.006, 50_000)
    papers = [
        paper("charter", "Investment Committee Charter", "2.2", world.past(rng, (3, 4)), f"⟦rule|What costs EUR {limit:,} or more is laid before the Investment Committee, whose yes must be on file before anyone binds the group.⟧", TEXT),
        book("orders", f"Project Orders Abroad ({party})", "6.2", made.signed + timedelta(days=30), "Orders", "Contractor|Price|Bound on", Row((party, f"EUR {amount:,}", made.signed), "order"), ("Surveyors", "EUR 12,800", made.signed)),
        paper("file", f"Committee File ({party})", "2.2", made.signed - timedelta(days=12), f"⟦file|{f'Item 3, new hall by {party}: the Committee says yes, five to none.' if decoy else f'Item 3, new hall by {party}: put over, since the second offer had not come in.'}⟧", Filler("minutes"), kinds=("docx", "txt")),
    ]
    return _above(decoy, party, limit, amount, money(amount, "EUR"), euros(amount), "Investment Committee", papers, ("rule", "order"), (party.lower(), "committee says yes"), (), ("said yes", "says yes", "committee approved", "five to none"), "the Committee said yes beforehand", "EUR")


# 4: a meeting whose minutes are not there


def _gap(world: World, decoy: bool, code: str, body: str, day: date, papers: list[Paper], marks: tuple[str, ...], unless: tuple[str, ...], because: str) -> Plant:
    """`code` is what names the meeting everywhere; its minutes would give the words `present:` and the code."""
    shown = us_date(day)
    issue = [
        fact(f"{code}: the meeting", f"PASS if the report states that the {body} met on {shown} and passed {code}.", [(code,)], [("met", "meeting", "held", "session", "resolution", "passed", "adopted")], on(day)),
        absence(f"{code}: no minutes", f"PASS if the report states that the minutes of the {body} with {code} are not in the data room.", [(code,)], ("minutes", "record of the meeting", "minute book")),
        advice(code, "that the minutes be produced or an officer certify what was resolved", "request", "produc", "certif", "obtain", "provide", "ratif"),
        cites(code, "the paper that speaks of the meeting", *marks),
    ]
    claim = f"the minutes of the meeting that passed {code} are missing"
    says = [("missing", "not in the", "absent", "not found", "gap", "no minutes", "not produced", "not provided"), ("minute",)]
    return plant(decoy, f"{code}: minutes", papers, issue, code, claim, says, unless, because, gaps=[Gap(f"minutes with {code}", (code.lower(), "quorum"))])


def _gap_ledger(world: World, rng: random.Random, decoy: bool) -> Plant:
    code, day = world.code(rng, "Resolution R-", 4), world.past(rng, (0.8, 2))
    papers = [
        paper("ledger", "Stock Certificate Stubs", "2.4", day + timedelta(days=20), table("Stub|Issued under", Row((world.code(rng, "CS-", 4), f"{code} of the Board, {us_date(day)}"), "stub")), kinds=("xlsx", "docx")),
        paper("agenda", f"Agenda for the Board, {us_date(day)}", "2.2", day - timedelta(days=6), "⟦agenda|1. Report of the Chief Executive Officer. 2. Issue of shares. 3. Any other business.⟧"),
    ]
    if decoy:
        papers.append(paper("held", f"Scanned Board Papers {us_date(day)}", "2.2", day, f"⟦held|A quorum of directors being present, the Board passed {code} on the issue of shares.⟧", Filler("minutes"), signed((world.target.name, world.officers["gc"]))))
    else:
        papers.append(paper("held", f"Scanned Board Papers {us_date(day)}", "2.2", day, "⟦held|Presentation to the directors: why shares should be issued to the advisers, with three pages of figures.⟧", Filler("minutes")))
    return _gap(world, decoy, code, "Board", day, papers, ("stub",), ("scanned board papers", "are in the room", "signed minutes"), "the signed minutes are in the room among scanned board papers")


def _gap_auditor(world: World, rng: random.Random, decoy: bool) -> Plant:
    code, day = world.code(rng, "Committee Item AC-", 4), world.past(rng, (0.5, 1.5))
    auditor = world.company(rng, "accounting")
    papers = [
        paper("letter", f"Auditor's Letter {auditor.short}", "3.1", day + timedelta(days=60), f"{auditor.name} to the Audit Committee", f"⟦letter|We rely on {code}, by which the Audit Committee on {us_date(day)} accepted the change in revenue policy.⟧", Filler("letter")),
        paper("binder", f"Audit Committee Binder {day.year}", "2.2", None, "Contents:", table("Tab|Paper", ("1", "Charter of the Audit Committee"), Row(("2", f"Slides for {us_date(day)}" if not decoy else f"Minutes of {us_date(day)}, see tab text below"), "tab")),
              f"⟦text|{f'Tab 2: a quorum having been noted, {code} (revenue policy) was put to the vote and accepted. Signed by the chair and the secretary.' if decoy else 'Tab 2: slides on the change in revenue policy, as sent to the members before they met.'}⟧"),
    ]
    return _gap(world, decoy, code, "Audit Committee", day, papers, ("letter",), ("tab 2", "are in the binder", "binder holds", "in the binder"), "the signed minutes are at tab 2 of the binder")


def _gap_mail(world: World, rng: random.Random, decoy: bool) -> Plant:
    code, day = world.code(rng, "Board Decision D", 4), world.past(rng, (0.3, 1))
    gc, helper = world.officers["gc"], world.person(rng, "Assistant Secretary")
    papers = [
        mail("ask", f"{code}", "2.2", day + timedelta(days=30), gc, helper, f"⟦ask|{helper.first}, the bank wants to see what the board decided at its meeting of {day_month(day)}, that is {code}. Where is it?⟧"),
        mail("answer", f"Re: {code}", "2.2", day + timedelta(days=31), helper, gc, f"⟦answer|{gc.first}, {'signed and scanned yesterday, it is in the minute book folder now.' if decoy else 'I took notes by hand but never wrote them up, and I no longer have the pad.'}⟧"),
        paper("page", f"Minute Book, page of {day.isoformat()}", "2.2", day, f"⟦page|{f'Quorum established; {code} carried, to open the credit line.' if decoy else 'This page is left for the meeting of this day.'}⟧", kinds=("docx", "txt")),
    ]
    return _gap(world, decoy, code, "board", day, papers, ("ask", "answer") if not decoy else ("ask",), ("signed and scanned", "in the minute book", "are in the room"), "the signed minutes are in the minute book folder")


def _gap_certificate(world: World, rng: random.Random, decoy: bool) -> Plant:
    code, day = world.code(rng, "Vote No. ", 5), world.past(rng, (0.5, 1.8))
    bank = world.company(rng, "bank")
    papers = [
        paper("certificate", f"Incumbency Certificate for {bank.short}", "4.1", day + timedelta(days=12), f"⟦certificate|I certify to {bank.name} that {code}, taken by the directors at their sitting of {day_month(day)}, authorizes the officers below and has not been changed.⟧", signed((world.target.name, world.person(rng, "Secretary")))),
        paper("sittings", f"Sittings of the Directors, {day.year}", "2.2", None, *(
            [f"⟦sitting|{day.isoformat()}: quorum, four; {code} taken, banking powers; signed original kept in this file.⟧"] if decoy else [f"⟦sitting|{(day - timedelta(days=70)).isoformat()}: quorum, five; accounts; signed original kept in this file.⟧"]), kinds=("txt", "docx")),
    ]
    return _gap(world, decoy, code, "directors", day, papers, ("certificate",), ("kept in this file", "original is kept", "is on file"), "the signed original is in the file of sittings")


def _gap_insurance(world: World, rng: random.Random, decoy: bool) -> Plant:
    code, day = world.code(rng, "Remuneration Paper ", 4), world.past(rng, (0.4, 1.4))
    papers = [
        paper("report", f"Compensation Report {day.year}", "9.3", day + timedelta(days=100), f"⟦report|Bonuses follow {code}, which the Compensation Committee adopted when it sat on {us_date(day)}.⟧", Filler("report")),
        book("list", "Committee Records on File", "2.2", world.past(rng, (0.05, 0.2)), "Records", "Committee|Day|What is on file",
             Row(("Compensation", day, f"Signed record; quorum; {code} adopted" if decoy else "Invitation and attendance sheet only"), "row"), ("Compensation", day - timedelta(days=200), "Signed record; quorum; salaries")),
    ]
    return _gap(world, decoy, code, "Compensation Committee", day, papers, ("report", "row"), ("signed record", "is on file"), "the signed record is on file")


# 5: a governing document is unsigned, or the wrong version was filed


def _wrong(decoy: bool, entity: str, defect: str, defects: tuple[str, ...], result: str, results: tuple[str, ...], papers: list[Paper], marks: tuple[str, ...], unless: tuple[str, ...], because: str) -> Plant:
    issue = [
        fact(f"{entity}: defect", f"PASS if the report states that for {entity} {defect}.", [(entity,)], [defects]),
        conclusion(f"{entity}: consequence", f"PASS if the report concludes that for {entity} {result}.", [(entity,)], [results]),
        advice(entity, "that the document be executed, corrected or filed again before closing", "execut", "sign", "refil", "file", "correct", "ratif", "re-execut"),
        cites(entity, "the document with the defect", *marks),
    ]
    return plant(decoy, f"{entity}: governing document", papers, issue, entity, f"for {entity} {defect}", [defects], unless, because)


def _wrong_unsigned(world: World, rng: random.Random, decoy: bool) -> Plant:
    sub = subsidiary(world, rng, ", LLC")
    day = world.past(rng, (1, 3))
    papers = [
        paper("llc", f"Limited Liability Company Agreement - {sub.short}", "2.1", day, f"This agreement governs {sub.name}; {world.target.name} is its sole member.", TEXT,
              ("Managers", "⟦managers|The managers named in Annex 1 take office when this agreement has been signed by the member.⟧"), signed((world.target.name, world.officers["ceo"]), day=day) if decoy else unsigned(world.target.name), status="" if decoy else "unsigned"),
    ]
    return _wrong(decoy, sub.short, "the company agreement is unsigned", ("unsigned", "not signed", "not been signed", "not executed", "no signature"), "the managers may lack authority", ("authority", "not in office", "invalid", "ineffective", "not binding", "not take office", "not taken office"), papers, ("managers",),
                  ("was signed", "is signed", "executed copy"), "the agreement bears the member's signature")


def _wrong_version(world: World, rng: random.Random, decoy: bool) -> Plant:
    sub = subsidiary(world, rng)
    day = world.past(rng, (0.6, 2))
    approved, filed = rng.choice(((5_000_000, 500_000), (8_000_000, 800_000), (2_500_000, 250_000)))
    papers = [
        paper("resolution", f"Stockholder Resolution - {sub.short}", "2.1", day, f"⟦approved|The authorized stock of {sub.name} shall be {approved:,} shares of common stock.⟧", signed((world.target.name, world.officers["ceo"]))),
        paper("receipt", f"Filing Receipt - {sub.short}", "2.1", day + timedelta(days=4), f"⟦filed|Received for record: amendment of {sub.name}, authorized stock {filed:,} shares.⟧"),
        paper("second", f"Second Filing Receipt - {sub.short}", "2.1", day + timedelta(days=40), f"⟦second|{f'Received for record: certificate of correction of {sub.name}; authorized stock to read {approved:,} shares from the first filing on.' if decoy else f'Received for record: annual franchise report of {sub.name}; tax paid for the year.'}⟧"),
    ]
    return _wrong(decoy, sub.short, f"the amendment filed gives {filed:,} shares instead of {approved:,}", (f"{filed:,}", "wrong number", "wrong version", "differs"), "shares above the number filed are not validly authorized", ("authoriz", "invalid", "void", "not valid", "over-issue", "overissue", "defective"), papers, ("approved", "filed"),
                  ("certificate of correction", "corrected"), "a certificate of correction was filed")


def _wrong_draft(world: World, rng: random.Random, decoy: bool) -> Plant:
    sub = subsidiary(world, rng)
    gc, clerk = world.officers["gc"], world.person(rng, "Corporate Paralegal")
    day = world.past(rng, (0.3, 1))
    papers = [
        paper("bylaws", f"Bylaws of {sub.short}, working text", "2.1", day, f"⟦bracket|Article II. The Board of {sub.short} has [three][five] members, elected by [the parent / the stockholders].⟧", TEXT, status="draft"),
        mail("ask", f"Bylaws of {sub.short}", "2.1", day + timedelta(days=50), clerk, gc, f"⟦ask|{gc.first}, the registered agent asks for the bylaws of {sub.short}. All I find is the text with the brackets.⟧"),
        mail("answer", f"Re: Bylaws of {sub.short}", "2.1", day + timedelta(days=51), gc, clerk,
             f"⟦answer|{clerk.first}, {'take the adopted one, I have put it in the room next to the other: five members, elected by the parent, adopted and signed.' if decoy else 'send that. We meant to adopt a clean one and it was never done.'}⟧"),
        paper("adopted", f"Adoption of Bylaws, {sub.short}", "2.1", day + timedelta(days=10) if decoy else None, f"⟦adopted|The parent adopts the bylaws of {sub.short}, with five members of the Board.⟧", signed((world.target.name, world.officers["ceo"])) if decoy else unsigned(world.target.name), status="" if decoy else "form"),
    ]
    return _wrong(decoy, sub.short, "the bylaws are a draft with brackets and were never adopted", ("draft", "bracket", "never adopted", "not adopted", "unadopted"), "the composition of its board is uncertain", ("uncertain", "unclear", "doubt", "not validly", "invalid", "cannot be determined", "open"), papers, ("bracket", "answer"),
                  ("were adopted", "adopted and signed", "was adopted"), "adopted and signed bylaws are in the room")


def _wrong_name(world: World, rng: random.Random, decoy: bool) -> Plant:
    sub = subsidiary(world, rng)
    old = world.company(rng)
    day = world.past(rng, (0.6, 2))
    papers = [
        paper("articles", f"Articles of {sub.short}, stamped copy", "2.1", day, table("Field|Entry", ("Stamp", "Secretary of State"), Row(("Name of company", old.name), "name"), ("Pages", 7))),
        paper("adopted", f"Restated Articles adopted for {sub.short}", "2.1", day - timedelta(days=7), f"⟦adopted|Henceforth the company formerly called {old.name} bears the name of {sub.name}.⟧", kinds=("docx", "txt")),
        paper("search", f"Name Search {sub.short}", "2.3", world.past(rng, (0.01, 0.05)), f"⟦search|{f'{sub.name}: found, active, changed from {old.name} by a later stamped filing.' if decoy else f'{sub.name}: no such company on record.'}⟧", kinds=("txt", "docx")),
    ]
    return _wrong(decoy, sub.short, f"the articles on record still bear the old name {old.short}", ("old name", "former name", "previous name", "wrong version"), "what was signed in the new name is open to question", ("question", "doubt", "invalid", "not exist", "unenforceable", "challeng", "not effective"), papers, ("name", "search"), ("later stamped filing", "later filing", "was changed", "found, active"), "a later stamped filing made the change")


def _wrong_effective(world: World, rng: random.Random, decoy: bool) -> Plant:
    sub, gone = subsidiary(world, rng), world.company(rng)
    day = world.past(rng, (0.5, 1.5))
    papers = [
        paper("plan", f"Plan of Merger of {gone.short} into {sub.short}", "2.3", day - timedelta(days=20), f"⟦plan|{gone.name} is to merge into {sub.name}, and {sub.short} is the company that goes on.⟧", TEXT),
        paper("record", f"Certificate of Merger, {sub.short}", "2.3", day, f"⟦record|The company that goes on is {gone.name}; {sub.name} ceases.⟧", "Stamped by the office of the Secretary of State", kinds=("docx", "txt")),
        paper("minutes", f"Managers' Meeting of {sub.short}, {day_month(day + timedelta(days=45))}", "2.3", day + timedelta(days=45), Filler("minutes"),
              f"⟦noted|{f'It was noted that the office had put the certificate right: {sub.short} goes on, as of the first day, and the stamped page is with these minutes.' if decoy else 'It was noted that the certificate had come back from the office, and it was put away unread.'}⟧"),
    ]
    return _wrong(decoy, sub.short, f"the certificate of merger names {gone.short} as the company that goes on", ("certificate of merger", "wrong surviv", "names", "reversed", "wrong way"), "it has ceased to exist on the record", ("ceased", "cease to exist", "does not exist", "dissolved", "not the surviv", "no longer exist"), papers, ("plan", "record"), ("put right", "corrected", "was put right"), "the office corrected the certificate as of the first day")


RECIPES: tuple[Recipe, ...] = (
    Recipe(3, "no_board_approval", "Corporate", "An act above the limit of authority has no approval", "absence", "Medium", (
        Way("matrix and extract", "train", _above_matrix),
        Way("bylaws and unsigned consent", "train", _above_bylaws),
        Way("chair asked by mail", "dev", _above_mail),
        Way("manager of a subsidiary", "test", _above_manager),
        Way("investment committee in euros", "test", _above_committee),
    )),
    Recipe(4, "minute_book_gap", "Corporate", "Minutes of a meeting are not there", "absence", "Medium", (
        Way("stubs cite a resolution", "train", _gap_ledger),
        Way("auditor relies on an item", "train", _gap_auditor),
        Way("notes never written up", "dev", _gap_mail),
        Way("certificate to a bank", "test", _gap_certificate),
        Way("report and list of records", "test", _gap_insurance),
    )),
    Recipe(5, "governing_document_defective", "Corporate", "A governing document is unsigned or was filed wrongly", "direct", "Medium", (
        Way("company agreement unsigned", "train", _wrong_unsigned),
        Way("wrong number filed", "train", _wrong_version),
        Way("bylaws with brackets", "dev", _wrong_draft),
        Way("old name on record", "test", _wrong_name),
        Way("merger filed the wrong way round", "test", _wrong_effective),
    )),
)
