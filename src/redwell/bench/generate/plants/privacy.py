"""Plants of incidents, processors and notices (archetypes 81 to 83)."""

from __future__ import annotations

import random
from dataclasses import dataclass
from datetime import date, timedelta

from redwell.bench.generate.papers import Added, Heading, Paper, Para
from redwell.bench.generate.plants.amounts import book, cited, clean, on, row, slides, text
from redwell.bench.generate.plants.pieces import TEXT, finish, mail, paper, sign, signed_by, table
from redwell.bench.generate.recipe import (
    Gap,
    Plant,
    Recipe,
    Way,
    absence,
    conclusion,
    exposure,
    fact,
    recommendation,
    usd,
)
from redwell.bench.generate.world import Company, World
from redwell.bench.generate.writing import day_month, millions, money, us_date
from redwell.bench.key import Value

# A paper is read more easily when it stands in few lines.
# fmt: off

# --- 81: an incident of which nobody was told ---


@dataclass(slots=True)
class _Incident:
    code: str
    records: int
    found: date
    each: int

    @property
    def cost(self) -> int:
        return self.records * self.each


def _incident(world: World, rng: random.Random) -> _Incident:
    each = rng.choice((120, 140, 160, 180))
    return _Incident(world.code(rng, "INC-"), max(4000, world.sum(rng, 0.003, 0.008) // each // 10 * 10), world.past(rng, (0.35, 0.8)), each)


def _untold(decoy: bool, it: _Incident, who: tuple[str, ...], whom: str, duty: str, papers: list[Paper], terms: str, despite: tuple[str, ...], because: str, added: tuple[Added, ...] = ()) -> Plant:
    name = (it.code,)
    return finish(
        f"Incident {it.code}",
        decoy,
        papers,
        [
            fact(f"{it.code}: records affected", f"PASS if the report states that incident {it.code} affected {it.records:,} records.", [name], [], Value("number", it.records)),
            fact(f"{it.code}: day of discovery", f"PASS if the report states that incident {it.code} was discovered on {us_date(it.found)}.", [name], [("discover", "found", "detect", "identified", "became known", "aware", "noticed")], on(it.found)),
            absence(f"{it.code}: no notice", f"PASS if the report states that there is no evidence of a notice of {it.code} to {whom}.", [name], ("notice", "notif", "report to", "told", "informed", *who)),
            conclusion(f"{it.code}: duty to notify", f"PASS if the report concludes that {it.code} had to be notified to {whom} {duty}.", [name], [("had to be notified", "notif", "required", "duty", "obligation", "deadline", "breach", "violat", "overdue", "late")]),
            exposure(f"{it.code}: cost", f"PASS if the report gives {money(it.cost)} (or an equivalent rounding), {it.records:,} records at ${it.each}, as the cost of {it.code}.", [name], usd(it.cost, 0.01)),
            recommendation(f"{it.code}: notify and protect", f"PASS if the report recommends notifying {whom} of {it.code}, or a specific indemnity for it.", [name], [("notif", "indemnit", "escrow", "disclos", "counsel")]),
        ],
        [
            clean(
                f"{it.code}: silence is not reported",
                f"no notice of {it.code} was given although one was due",
                [name],
                [("no notice", "not notified", "never notified", "without notice", "failed to notify", "not been notified", "was not reported", "unreported", "no notification")],
                ("was notified", "were notified", "gave notice", "notice was sent", "notified on", "acknowledged", "no duty", "not required", "encrypted", "in time"),
            )
        ],
        because,
        added=added,
        gaps=[Gap(f"notice of {it.code} to {whom}", (it.code.lower(), terms), despite)],
        value=usd(it.cost),
    )


def _untold_review(world: World, rng: random.Random, decoy: bool) -> Plant:
    it, other = _incident(world, rng), world.code(rng, "INC-")
    review = paper(
        "review",
        f"Post-incident review {it.code}",
        "8.3",
        it.found + timedelta(days=34),
        TEXT,
        f"⟦found|On {us_date(it.found)} the team saw that names and Social Security numbers of {it.records:,} residents of Colorado had been copied out of a backup, in the clear.⟧",
        f"⟦cost|Our broker puts the cost at ${it.each} for each resident.⟧",
        "The statute there gives thirty days from that determination for residents and the attorney general.",
    )
    notice = paper(
        "notice",
        f"Letter to the Attorney General of Colorado ({it.code if decoy else other})",
        "8.3",
        it.found + timedelta(days=21),
        f"⟦notice|In the matter of {it.code if decoy else other} we report to your office and have today written to every resident concerned.⟧",
        sign(world.target, world.officers["gc"], it.found + timedelta(days=21)),
    )
    return _untold(decoy, it, ("attorney general", "residents"), "the residents and the Attorney General of Colorado", "within thirty days", [review, notice], "report to your office", (), f"residents and attorney general were notified of {it.code} on the twenty-first day")


def _untold_mail(world: World, rng: random.Random, decoy: bool) -> Plant:
    it = _incident(world, rng)
    engineer, gc = world.person(rng, "Security Engineer"), world.officers["gc"]
    first = mail(
        "first",
        f"{it.code}",
        "8.3",
        it.found + timedelta(days=5),
        engineer,
        gc,
        f"⟦found|On {day_month(it.found)} we found that the accounts of {it.records:,} people in the European Union, with passwords that can be read, were on sale; they are ours.⟧",
        f"⟦cost|For the budget: USD {it.each} an account is what others have spent.⟧",
    )
    second = mail(
        "second",
        f"Re: {it.code}",
        "8.3",
        it.found + timedelta(days=6),
        gc,
        engineer,
        f"⟦reply|{f'The Irish commission had our form on {it.code} forty hours after you called me, and the letters to the account holders went out on the third day.' if decoy else 'The seventy-two hours for the Irish commission are gone already, so let us first see whether anybody asks, and please keep this thread short.'}⟧",
    )
    return _untold(decoy, it, ("commission", "authority", "account holders"), "the data protection authority", "within 72 hours under the GDPR", [first, second], "had our form", (), f"the Irish authority was notified of {it.code} within forty hours")


def _untold_slides(world: World, rng: random.Random, decoy: bool) -> Plant:
    it = _incident(world, rng)
    deck = slides(
        "deck",
        f"Security update: {it.code}",
        "8.3",
        it.found + timedelta(days=75),
        Heading("Lost laptop, claims team"),
        table("Point|Value", row("Patients on the disk", it.records, mark="found"), row("Loss noticed", it.found, mark="day"), row("Cost a patient (insurer's table)", f"${it.each}", mark="cost")),
        f"⟦disk|{'Disk encrypted to the federal standard; key not on the machine and since destroyed.' if decoy else 'Disk not encrypted; sixty days for patients and the Department of Health ran out.'}⟧",
    )
    log = book("log", f"Register of letters to patients {it.found.year}", "8.3", it.found + timedelta(days=120), "Event|Letters sent|Department informed", row(world.code(rng, "INC-"), 212, "Yes"), row(world.code(rng, "INC-"), 9, "Yearly list"))
    return _untold(decoy, it, ("department", "patients", "hhs"), "the patients and the Department of Health and Human Services", "within 60 days under HIPAA", [deck, log], "department informed", (), f"the disk of {it.code} was encrypted and its key not lost, so that no notice was due")


def _untold_customer(world: World, rng: random.Random, decoy: bool) -> Plant:
    it, customer = _incident(world, rng), world.company(rng)
    tickets = book(
        "tickets",
        f"Ticket export {it.code}",
        "8.3",
        it.found + timedelta(days=30),
        "Ticket|Opened|Text|Count",
        row(it.code, it.found, f"Tenant of {customer.short} read by another tenant", it.records, mark="found"),
        row(it.code, it.found + timedelta(days=2), f"Reckoned at {it.each} dollars a record", None, mark="cost"),
        row(it.code, it.found + timedelta(days=9), f"{customer.short} countersigned our notice of the second" if decoy else f"{customer.short} renewed; account manager asks to keep it quiet", None, mark="outcome"),
    )
    terms = paper(
        "terms", f"Security terms of {customer.short}", "6.1", world.past(rng, (1.5, 3)), TEXT, ("Events", "⟦duty|Supplier tells Customer in writing of any reading of its records by others no later than two days after it learns of it, and keeps Customer harmless from what follows.⟧"), parties=(customer.name,)
    )
    return _untold(decoy, it, (customer.short.lower(), "customer"), customer.short, "within two days under its contract", [tickets, terms], "countersigned our notice", (), f"{customer.short} was notified of {it.code} and countersigned the notice")


def _untold_minutes(world: World, rng: random.Random, decoy: bool) -> Plant:
    it = _incident(world, rng)
    met = it.found + timedelta(days=rng.randrange(20, 40))
    minutes = paper(
        "minutes",
        f"Risk Committee {us_date(met)}: {it.code}",
        "2.2",
        met,
        f"⟦found|The head of systems recounted that since {us_date(it.found)} it has been known that payroll data of {it.records:,} British staff of customers lay open on the net, and that outlays of {it.each} dollars a head are usual.⟧",
        f"⟦state|{f'She handed round the acknowledgement of the Information Commissioner for {it.code}, which bears the day after.' if decoy else 'She was thanked and asked to look into whether the Information Commissioner should hear of it, seventy-two hours being the rule.'}⟧",
    )
    policy = paper("policy", f"Incident handling rules, page for {it.code}", "8.1", it.found - timedelta(days=100), f"⟦duty|Lead for events of the class of {it.code}: head of systems. Whatever may harm people goes to the Commissioner inside three days.⟧", kinds=("txt", "docx"))
    return _untold(decoy, it, ("commissioner",), "the Information Commissioner", "within 72 hours", [minutes, policy], "acknowledgement of the information commissioner", (), f"the Information Commissioner acknowledged the notice of {it.code} the day after")


# --- 82: a processor without the paper that the law asks for ---


@dataclass(slots=True)
class _Processor:
    party: Company
    service: str
    fine: int
    share: int


def _processor(world: World, rng: random.Random, share: int = 2) -> _Processor:
    """`share` of turnover, in per cent, is the most that the law lets a fine be."""
    return _Processor(world.company(rng, "software"), rng.choice(("payroll hosting", "support desk", "mailing", "analytics", "backup storage")), world.figures.revenue * share // 100, share)


def _unpapered(decoy: bool, it: _Processor, papers: list[Paper], kind: tuple[str, ...], name_of: str, does: str, law: str, laws: tuple[str, ...], terms: str, despite: tuple[str, ...], because: str, added: tuple[Added, ...] = (), fine: bool = True) -> Plant:
    name = (it.party.short,)
    issue = [
        fact(f"{it.party.short}: what it does", f"PASS if the report states that {does}.", [name], [("process", "host", "handle", "store", "receive", "data")]),
        absence(f"{it.party.short}: {name_of} is missing", f"PASS if the report states that the {name_of} with {it.party.short} is missing.", [name], kind),
        conclusion(f"{it.party.short}: the law asks for it", f"PASS if the report concludes that {law} requires a {name_of} with {it.party.short}.", [name], [laws]),
        recommendation(f"{it.party.short}: paper before closing", f"PASS if the report recommends that a {name_of} with {it.party.short} be executed before closing.", [name], [("execut", "sign", "obtain", "put in place", "enter into", "conclude", "paper", "replac", "updat")]),
    ]
    if fine:
        issue.insert(3, exposure(f"{it.party.short}: fine", f"PASS if the report gives a fine of up to {money(it.fine)} (or an equivalent rounding), {it.share}% of turnover, as the exposure for {it.party.short}.", [name], usd(it.fine, 0.01)))
    return finish(
        f"{name_of[:1].upper()}{name_of[1:]} with {it.party.short}",
        decoy,
        papers,
        issue,
        [
            clean(
                f"{it.party.short}: {name_of} is not reported as missing",
                f"the {name_of} with {it.party.short} is missing or out of date",
                [name],
                [("missing", "no executed", "no signed", "not in the data room", "unsigned", "not been provided", "absent", "out of date", "outdated", "not found", "lacks", "without a", "superseded")],
                ("was executed", "is executed", "are executed", "has been signed", "was signed", "is signed", "is in place", "was replaced", "were replaced", "brought in", "is held", "clauses of 2021", "has signed"),
            )
        ],
        because,
        added=added,
        gaps=[Gap(f"executed {name_of} with {it.party.short}", (it.party.short.lower(), terms), despite)],
        value=usd(it.fine) if fine else None,
    )


def _unpapered_list(world: World, rng: random.Random, decoy: bool) -> Plant:
    it = _processor(world, rng)
    vendor = Added("vendor_master", row(it.party.name, f"{it.service}, names and addresses of customers in Germany", world.sum(rng, 0.0005, 0.002), "Data office", mark="vendor"))
    terms = paper(
        "terms",
        f"Article 28 terms - {it.party.short}",
        "8.2",
        world.past(rng, (0.5, 1)) if decoy else None,
        f"⟦terms|{it.party.short} acts on documented instructions only and binds its people to secrecy.⟧",
        signed_by(world, rng, it.party) if decoy else signed_by(world, rng, it.party, False, False),
        kinds=("docx",),
        status="" if decoy else "unsigned",
    )
    revenue = Added("information_memorandum", Para(f"⟦turnover|Worldwide turnover of the group, on which fines are reckoned, was {millions(world.figures.revenue)}.⟧"), "Financial Overview")
    return _unpapered(
        decoy,
        it,
        [terms],
        ("data processing", "article 28", "processing agreement", "dpa"),
        "data processing agreement",
        f"{it.party.short} processes personal data of customers in Germany",
        "Article 28 of the GDPR",
        ("article 28", "gdpr", "requires"),
        "acts on documented instructions",
        ("terms",),
        f"the terms with {it.party.short} are executed",
        (vendor, revenue),
    )


def _unpapered_mail(world: World, rng: random.Random, decoy: bool) -> Plant:
    it, buyer = _processor(world, rng), world.person(rng, "Purchasing Manager")
    order = paper("order", f"Order for {it.service} from {it.party.short}", "6.2", world.past(rng, (1, 2)), TEXT, ("Scope", f"⟦order|{it.party.short} stores the claims files of our clinics, diagnoses included, on its machines.⟧"), avoid=("privacy", "confidentiality", "control", "termination"), parties=(it.party.name,))
    asked = mail(
        "asked",
        f"Associate agreement {it.party.short}",
        "8.2",
        world.past(rng, (0.05, 0.2)),
        buyer,
        world.officers["gc"],
        f"⟦state|{f'What {it.party.short} sent back is signed by both as business associate and is in the binder since the order.' if decoy else f'What I sent to {it.party.short} as form for a business associate came back with remarks, and nobody has taken them up since the order.'}⟧",
    )
    return _unpapered(
        decoy,
        it,
        [order, asked],
        ("business associate", "associate agreement", "baa"),
        "business associate agreement",
        f"{it.party.short} stores claims files with health data",
        "HIPAA",
        ("hipaa", "164.", "privacy rule", "requires"),
        "signed by both as business associate",
        (),
        f"the business associate agreement with {it.party.short} is signed",
        fine=False,
    )


def _unpapered_clauses(world: World, rng: random.Random, decoy: bool) -> Plant:
    it = _processor(world, rng, 4)
    transfer = paper(
        "transfer", f"Transfer annex {it.party.short}", "8.2", date(2019, rng.randrange(2, 12), 14), ("Clauses", f"⟦old|For {it.service} from outside Europe {it.party.short} and the customer apply the standard clauses of Commission Decision 2010/87/EU.⟧"), signed_by(world, rng, it.party), parties=(it.party.name,)
    )
    deck = slides(
        "deck",
        f"Transfers out of Europe: {it.party.short}",
        "8.4",
        world.past(rng, (0.1, 0.3)),
        Heading("Where people's data goes"),
        f"⟦use|{it.party.short}: {it.service}, twelve countries of the Union, turnover for fines {world.figures.revenue / 1e6:.1f} million dollars⟧",
        f"⟦state|{f'Paper: {it.party.short} moved to the modules of 2021/914, signed' if decoy else 'Paper: as signed at the start; old clauses lost force on 27 December 2022'}⟧",
    )
    return _unpapered(
        decoy,
        it,
        [transfer, deck],
        ("standard contractual clauses", "standard clauses", "scc", "transfer mechanism", "clauses"),
        "set of current standard contractual clauses",
        f"{it.party.short} receives personal data from the European Union under clauses of 2010",
        "the GDPR",
        ("gdpr", "2021/914", "article 46", "chapter v", "requires"),
        "modules of 2021/914",
        (),
        f"{it.party.short} has signed the clauses of 2021",
    )


def _unpapered_record(world: World, rng: random.Random, decoy: bool) -> Plant:
    it = _processor(world, rng)
    record = book("record", f"Record of processing, row {it.party.short}", "8.1", world.past(rng, (0.1, 0.3)), "Recipient|Purpose|People|Basis in writing", row(it.party.short, it.service, "Users in California and France", f"Both signatures, held by {it.party.short} and us" if decoy else "To be agreed", mark="record"))
    sheet = text(
        "sheet",
        f"Click-through terms of {it.party.short}",
        "6.2",
        world.past(rng, (1, 2)),
        f"Welcome to {it.party.short}. By pressing the button you order the service.",
        "⟦click|What you load up we may keep, combine and use to better our products.⟧",
        f"Turnover of the orderer last year: USD {world.figures.revenue:,}.",
    )
    return _unpapered(
        decoy,
        it,
        [record, sheet],
        ("data processing", "processing agreement", "dpa", "contract", "written"),
        "data processing agreement",
        f"{it.party.short} handles personal data of users in California and France",
        "the GDPR (Article 28) and the CCPA",
        ("gdpr", "article 28", "ccpa", "requires"),
        "both signatures",
        (),
        f"a signed agreement with {it.party.short} is held",
    )


def _unpapered_audit(world: World, rng: random.Random, decoy: bool) -> Plant:
    it = _processor(world, rng)
    audit = paper(
        "audit",
        f"Internal audit of {it.party.short}",
        "8.4",
        world.past(rng, (0.3, 0.6)),
        f"⟦use|Since last year {it.party.short} has had applicants’ files from Spain on its servers for the purpose of {it.service}.⟧",
        f"⟦turnover|Size of the undertaking for the scale of penalties: USD {world.figures.revenue:,} a year.⟧",
        "⟦gap|When asked for the contract of commissioned processing the department showed an offer in blank.⟧",
    )
    met = world.past(rng, (0.05, 0.15))
    minutes = paper(
        "minutes",
        f"Privacy board {us_date(met)}",
        "2.2",
        met,
        f"⟦state|{f'Finding on {it.party.short} cleared: contract of commissioned processing brought in, dated and with all four names under it.' if decoy else f'Finding on {it.party.short} carried over: department away, to be taken up when the sale of the company is done.'}⟧",
    )
    return _unpapered(
        decoy,
        it,
        [audit, minutes],
        ("processing", "contract", "dpa"),
        "contract for processing personal data",
        f"{it.party.short} stores applicants' data from Spain",
        "Article 28 of the GDPR",
        ("article 28", "gdpr", "requires"),
        "commissioned processing brought in",
        (),
        f"the contract with {it.party.short} was brought in, signed",
    )


# --- 83: a notice that the site's own settings contradict ---


def _contradicted(decoy: bool, party: Company, papers: list[Paper], promise: str, does: str, doing: tuple[str, ...], because: str, added: tuple[Added, ...] = ()) -> Plant:
    name = (party.short,)
    return finish(
        f"Notice and tracking by {party.short}",
        decoy,
        papers,
        [
            fact(f"{party.short}: what the notice promises", f"PASS if the report states that the notice says {promise}, while data goes to {party.short}.", [name], [("notice", "policy", "promis", "statement", "tells", "says", "states")]),
            fact(f"{party.short}: what is done", f"PASS if the report states that {does}.", [name], [doing]),
            conclusion(
                f"{party.short}: the notice is untrue",
                f"PASS if the report concludes that the practice with {party.short} contradicts the notice and is a deceptive practice or an undisclosed sale or sharing.",
                [name],
                [("contradict", "decepti", "inconsisten", "untrue", "misleading", "undisclosed", "violat", "inaccurate", "unfair", "misrepresent")],
            ),
            recommendation(f"{party.short}: stop or disclose", f"PASS if the report recommends stopping the transfer to {party.short}, or correcting the notice, or an indemnity.", [name], [("stop", "disabl", "remov", "correct", "updat", "indemnit", "switch off", "amend", "opt-out", "consent", "cease")]),
            cited(f"{party.short}: both papers are cited", f"the tracking by {party.short}", [name], papers, added, "promise", "practice"),
        ],
        [
            clean(
                f"{party.short}: the notice is not reported as untrue",
                f"the practice with {party.short} contradicts the notice",
                [name],
                [("contradict", "decepti", "inconsisten", "untrue", "misleading", "undisclosed", "misrepresent", "inaccurate")],
                ("was removed", "was switched off", "disclosed", "no longer", "consistent", "with consent", "opted in", "is off", "before the notice", "taken out", "was paused", "sees no page", "no visit", "never sent"),
            )
        ],
        because,
        added=added,
    )


def _contradicted_tags(world: World, rng: random.Random, decoy: bool) -> Plant:
    party, day = world.company(rng, "software"), world.past(rng, (0.3, 0.6))
    notice = paper("notice", f"Website privacy notice (reviewed with {party.short})", "8.1", day, TEXT, ("Sale and sharing", f"⟦promise|As of {us_date(day)} we neither sell what we know of you nor share it for advertising across sites.⟧"))
    tags = book(
        "tags",
        f"Tag container {party.short}",
        "8.4",
        day + timedelta(days=90),
        "Tag|Receiver|Data sent|Fires on|State",
        row("PX-1", party.short, "Page, cart, hashed e-mail", "Every page", f"{'Paused ' + str(day - timedelta(days=20)) if decoy else 'Live, last fired ' + str(day + timedelta(days=89))}", mark="practice"),
        row("AN-2", "own server", "Page", "Every page", "Live"),
    )
    return _contradicted(
        decoy, party, [notice, tags], "that nothing is sold or shared for advertising", f"a tag sends cart data and hashed e-mail addresses to {party.short}", ("tag", "sends", "transmit", "pixel", "cart", "hashed", "goes to", "receives"), f"the tag of {party.short} was paused before the notice took effect"
    )


def _contradicted_mail(world: World, rng: random.Random, decoy: bool) -> Plant:
    party, marketer = world.company(rng, "software"), world.person(rng, "Marketing Director")
    notice = text("notice", f"App notice, version with {party.short}", "8.1", world.past(rng, (0.6, 0.9)), "What we keep", "⟦promise|Your place is used to show the map and goes to nobody else.⟧", "How to reach us")
    sent = mail(
        "sent",
        f"Audience lists for {party.short}",
        "8.4",
        world.past(rng, (0.1, 0.3)),
        marketer,
        world.officers["cto"],
        f"⟦practice|{f'The list with positions that was meant for {party.short} never left us; I have torn up the order and want you to know.' if decoy else f'The list with positions goes to {party.short} each night, and they pay us by the thousand; I want you to keep it running.'}⟧",
    )
    return _contradicted(decoy, party, [notice, sent], "that the place of users goes to nobody else", f"lists with positions of users go to {party.short} each night against payment", ("position", "location", "list", "night", "pay", "sold", "sells"), f"nothing was ever sent to {party.short}")


def _contradicted_slides(world: World, rng: random.Random, decoy: bool) -> Plant:
    party = world.company(rng, "software")
    notice = paper("notice", f"Patient portal statement ({party.short} review)", "8.1", world.past(rng, (0.5, 0.8)), ("Your health questions", "⟦promise|Answers that you give in the portal stay between you and your clinic.⟧"))
    deck = slides(
        "deck",
        f"Growth tools: {party.short}",
        "3.5",
        world.past(rng, (0.1, 0.2)),
        Heading("What the portal feeds"),
        f"⟦practice|{f'{party.short} sees pages before log-in only; answers are held back by the server since launch' if decoy else f'{party.short} sees pages after log-in too; answers are passed by the script since launch'}⟧",
    )
    return _contradicted(decoy, party, [notice, deck], "that answers stay between patient and clinic", f"a script passes patients' answers to {party.short}", ("script", "answers", "pass", "after log-in", "after login"), f"{party.short} sees no page after log-in")


def _contradicted_signal(world: World, rng: random.Random, decoy: bool) -> Plant:
    party = world.company(rng, "software")
    notice = paper("notice", f"Choices page of the shop ({party.short})", "8.1", world.past(rng, (0.5, 0.8)), ("Signals", "⟦promise|Where a browser sends the global opt-out signal the shop hands nothing on to advertisers.⟧"), kinds=("docx", "txt"))
    test = text("test", f"Network trace against {party.short}", "8.4", world.past(rng, (0.1, 0.2)), "Browser with opt-out signal set, forty visits.", f"⟦practice|Calls to hosts of {party.short}: {0 if decoy else 40} of 40; basket in the call: {'none' if decoy else 'always'}⟧", "Trace kept by the shop team.")
    return _contradicted(decoy, party, [notice, test], "that the opt-out signal is honoured", f"visits with the opt-out signal set still call {party.short} with the basket", ("signal", "call", "basket", "trace", "still"), f"no visit with the signal set called {party.short}")


def _contradicted_minutes(world: World, rng: random.Random, decoy: bool) -> Plant:
    party, met = world.company(rng, "software"), world.past(rng, (0.1, 0.3))
    minutes = paper(
        "minutes",
        f"Product council {us_date(met)}: {party.short}",
        "2.2",
        met,
        f"⟦practice|{f'Voice clips are matched on the speaker itself; the link to {party.short} was taken out before the first was sold.' if decoy else f'Voice clips are matched by {party.short}, which keeps them to train its engine; the link was put in before the first speaker was sold.'}⟧",
    )
    leaflet = paper("leaflet", f"Leaflet in the box ({party.short} edition)", "8.1", met - timedelta(days=200), "⟦promise|What you say to the speaker never leaves your home.⟧")
    return _contradicted(decoy, party, [minutes, leaflet], "that what is said never leaves the home", f"voice clips are matched by {party.short}, which keeps them for training", ("voice", "clips", "train", "keeps"), f"the link to {party.short} was taken out before the first sale")


RECIPES: tuple[Recipe, ...] = (
    Recipe(
        81,
        "incident_not_notified",
        "Privacy and cyber",
        "A security incident was not notified",
        "absence",
        "High",
        (Way("review and letter to an attorney general", "train", _untold_review), Way("mails in Europe", "train", _untold_mail), Way("lost disk in slides", "dev", _untold_slides), Way("tickets and a customer's terms", "test", _untold_customer), Way("minutes and rules", "test", _untold_minutes)),
    ),
    Recipe(
        82,
        "subprocessor_gap",
        "Privacy and cyber",
        "The agreement with a processor is missing",
        "absence",
        "High",
        (Way("vendor list and unsigned terms", "train", _unpapered_list), Way("associate agreement by mail", "train", _unpapered_mail), Way("clauses of 2010", "dev", _unpapered_clauses), Way("record of processing", "test", _unpapered_record), Way("audit and minutes", "test", _unpapered_audit)),
    ),
    Recipe(
        83,
        "notice_contradicts_tracking",
        "Privacy and cyber",
        "A privacy notice is contradicted by what is done",
        "cross-document",
        "Medium",
        (Way("tag container", "train", _contradicted_tags), Way("lists sold, by mail", "train", _contradicted_mail), Way("portal in slides", "dev", _contradicted_slides), Way("opt-out signal traced", "test", _contradicted_signal), Way("minutes and leaflet", "test", _contradicted_minutes)),
    ),
)
