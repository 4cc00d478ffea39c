"""Plants of requests answered late, data put to another use, and certifications (archetypes 84 to 86)."""

from __future__ import annotations

import random
from dataclasses import dataclass
from datetime import date, timedelta

from redwell.bench.generate.papers import Heading, Paper
from redwell.bench.generate.plants.amounts import book, cited, clean, row, slides, text
from redwell.bench.generate.plants.pieces import TEXT, contract, finish, mail, paper, sign, table
from redwell.bench.generate.recipe import Plant, Recipe, Way, conclusion, exposure, fact, recommendation, usd
from redwell.bench.generate.world import Company, World
from redwell.bench.generate.writing import day_month, money, us_date
from redwell.bench.key import Value

# A paper is read more easily when it stands in few lines.
# fmt: off

# --- 84: requests of people answered after the time of the law ---


@dataclass(slots=True)
class _Requests:
    desk: str
    got: list[tuple[str, date, int]]  # code, received, days until answered
    limit: int
    each: int

    @property
    def late(self) -> list[tuple[str, date, int]]:
        return [one for one in self.got if one[2] > self.limit]

    @property
    def penalty(self) -> int:
        return len(self.late) * self.each


def _requests(world: World, rng: random.Random, limit: int, each: int, count: int = 16) -> _Requests:
    """Between a third and a half are late, none by more than an extension would allow."""
    late = rng.randrange(count // 3, count // 2 + 1)
    spans = [rng.randrange(limit + 3, 2 * limit - 4) for _ in range(late)] + [rng.randrange(6, limit - 2) for _ in range(count - late)]
    rng.shuffle(spans)
    first = world.past(rng, (0.9, 1.3))
    return _Requests(world.place(rng).city, [(world.code(rng, "R", 4), first + timedelta(days=9 * n + rng.randrange(7)), span) for n, span in enumerate(spans)], limit, each)


def _tardy(decoy: bool, it: _Requests, papers: list[Paper], law: tuple[str, ...], named: str, because: str) -> Plant:
    name, count = (it.desk,), len(it.late)
    return finish(
        f"Requests at the {it.desk} desk",
        decoy,
        papers,
        [
            fact(f"{it.desk}: requests answered late", f"PASS if the report states that {count} of {len(it.got)} requests at the {it.desk} desk were answered late.", [name], [("late", "after the", "out of time", "overdue", "beyond", "exceed", "more than", "missed")], Value("number", count)),
            fact(f"{it.desk}: time allowed", f"PASS if the report states that {named} allows {it.limit} days for the requests at the {it.desk} desk.", [name], [], Value("days", it.limit)),
            conclusion(f"{it.desk}: the time of the law was missed", f"PASS if the report concludes that late answers at the {it.desk} desk violate {named}.", [name], [("violat", "breach", "non-compli", "noncompli", "infring", "fail", "contraven"), law]),
            exposure(f"{it.desk}: penalty", f"PASS if the report gives {money(it.penalty)}, {count} times {money(it.each)}, as the penalty at stake for the {it.desk} desk.", [name], usd(it.penalty)),
            recommendation(f"{it.desk}: cure", f"PASS if the report recommends curing the delays at the {it.desk} desk, or an indemnity for them.", [name], [("cur", "remed", "indemnit", "process", "procedure", "staff", "train", "clear")]),
        ],
        [
            clean(
                f"{it.desk}: no late answers are reported",
                f"requests at the {it.desk} desk were answered late in violation of {named}",
                [name],
                [("answered late", "late answers", "out of time", "overdue", "violat", "breach", "missed the", "non-compli", "untimely")],
                ("was extended", "were extended", "extended in time", "extension was", "extensions were", "prolonged", "longer time was announced", "told of complexity", "in time", "no violation", "timely"),
            )
        ],
        because,
        value=usd(it.penalty),
    )


def _tardy_log(world: World, rng: random.Random, decoy: bool) -> Plant:
    it = _requests(world, rng, 45, 2500)
    log = book(
        "log",
        f"Consumer requests {it.desk}",
        "8.3",
        it.got[-1][1] + timedelta(days=95),
        "Request|Received|Answered|Extension told to consumer",
        *(row(code, got, got + timedelta(days=span), got + timedelta(days=31) if decoy and span > it.limit else None, mark="late" if (code, got, span) == it.late[0] else f"row{n}") for n, (code, got, span) in enumerate(it.got)),
        notes=("⟦law|California: forty-five days, once more as many where the consumer is told within the first; civil penalty up to $2,500 for each violation.⟧",),
    )
    return _tardy(decoy, it, [log], ("ccpa", "california", "45 days"), "the CCPA of California", f"each longer answer of the {it.desk} desk was extended in time")


def _tardy_mail(world: World, rng: random.Random, decoy: bool) -> Plant:
    it = _requests(world, rng, 30, 3000, 9)
    clerk = world.person(rng, "Privacy Coordinator")
    sent = mail(
        "sent",
        f"Access requests at {it.desk}",
        "8.3",
        it.got[-1][1] + timedelta(days=70),
        clerk,
        world.officers["gc"],
        f"⟦law|By our adviser's scale a late reply in Europe costs {money(it.each)}; the rule is one month, thirty days to keep it simple, or three when we say within the first that a request is complex.⟧",
        *(
            f"{'⟦late|' if (code, got, span) == it.late[0] else ''}{code}: in on {day_month(got)}, out on {day_month(got + timedelta(days=span))}{', told of complexity on ' + day_month(got + timedelta(days=12)) if decoy and span > it.limit else ''}{'⟧' if (code, got, span) == it.late[0] else ''}"
            for code, got, span in it.got
        ),
    )
    return _tardy(decoy, it, [sent], ("gdpr", "europe", "article 12", "30 days"), "the GDPR of Europe", f"the people behind the longer requests at {it.desk} were told in the first month")


def _tardy_slides(world: World, rng: random.Random, decoy: bool) -> Plant:
    it = _requests(world, rng, 45, 7500, 12)
    within = sum(span <= 45 for _, _, span in it.got)
    deck = slides(
        "deck",
        f"Rights desk {it.desk}",
        "8.4",
        it.got[-1][1] + timedelta(days=100),
        Heading("Virginia requests by days to reply"),
        table(
            "Days|Requests|Of these with notice of extension",
            row("up to 45", within, 0),
            row("46 to 60", sum(45 < span <= 60 for _, _, span in it.got), sum(45 < span <= 60 for _, _, span in it.got) if decoy else 0, mark="late"),
            row("61 to 90", sum(span > 60 for _, _, span in it.got), sum(span > 60 for _, _, span in it.got) if decoy else 0, mark="later"),
        ),
        "⟦law|Act: 45 days, doubled on notice; up to $7,500 a violation.⟧",
    )
    return _tardy(decoy, it, [deck], ("virginia", "vcdpa", "act", "45 days"), "the Virginia act", f"all longer replies of the {it.desk} desk were extended by notice")


def _tardy_export(world: World, rng: random.Random, decoy: bool) -> Plant:
    it = _requests(world, rng, 45, 7500, 10)
    export = text(
        "export",
        f"Ticket dump {it.desk}",
        "8.3",
        it.got[-1][1] + timedelta(days=100),
        "ticket; opened; closed; state",
        *(f"{'⟦late|' if (code, got, span) == it.late[0] else ''}{code}; {got.isoformat()}; {(got + timedelta(days=span)).isoformat()}; {'closed, prolonged with word to the person after 20 days' if decoy and span > it.limit else 'closed'}{'⟧' if (code, got, span) == it.late[0] else ''}" for code, got, span in it.got),
    )
    rules = paper("rules", f"Deletion handbook for {it.desk}", "8.1", world.past(rng, (1.4, 2)), TEXT, ("Time", "⟦law|People in Colorado, Connecticut and Texas hear from us in 45 days, or in twice that if we write to them before the 45 are over; the adviser counts with 7,500 dollars for each one who does not.⟧"))
    return _tardy(decoy, it, [export, rules], ("state privacy", "colorado", "texas", "connecticut", "45 days"), "state privacy law", f"the time for the longer tickets at {it.desk} was prolonged with word to the person")


def _tardy_letter(world: World, rng: random.Random, decoy: bool) -> Plant:
    it = _requests(world, rng, 30, 4000, 8)
    letter = paper(
        "letter",
        f"Response to the regulator on {it.desk}",
        "8.3",
        it.got[-1][1] + timedelta(days=80),
        "You asked for a list of the year's requests in the United Kingdom and of our answers.",
        table("Our mark|Came|Went|Longer time announced", *(row(code, us_date(got), us_date(got + timedelta(days=span)), us_date(got + timedelta(days=15)) if decoy and span > it.limit else "-", mark="late" if (code, got, span) == it.late[0] else "") for code, got, span in it.got), caption="Requests"),
        "⟦law|We know that a month, which your guidance lets us count as 30 days, is the rule, that two more may be announced inside it, and that your tariff is $4,000 for each that overruns.⟧",
    )
    return _tardy(decoy, it, [letter], ("gdpr", "united kingdom", "uk", "article 12", "30 days"), "the UK GDPR", f"a longer time was announced for each overrun at {it.desk}")


# --- 85: data put to a use that nobody agreed to ---


def _other_use(decoy: bool, code: str, to: Company, papers: list[Paper], allowed: str, used: str, allows: tuple[str, ...], uses: tuple[str, ...], because: str) -> Plant:
    name = (code, to.short)
    return finish(
        f"Use of data of {code}",
        decoy,
        papers,
        [
            fact(f"{code}: what was agreed to", f"PASS if the report states that the consent of {code} covers only {allowed}.", [name], [allows]),
            fact(f"{code}: what was done", f"PASS if the report states that data of {code} went to {to.short} for {used}.", [name], [uses]),
            conclusion(f"{code}: beyond the consent", f"PASS if the report concludes that the use of {code} data by {to.short} goes beyond the consent.", [name], [("beyond", "exceed", "without consent", "outside", "not covered", "incompatible", "violat", "unauthori", "breach", "no consent")]),
            recommendation(f"{code}: consent or deletion", f"PASS if the report recommends new consent, deletion, or ending the transfer of {code} data, or an indemnity.", [name], [("consent", "delet", "stop", "ending", "end ", "destroy", "re-consent", "indemnit", "retrain", "ethics")]),
            cited(f"{code}: both papers are cited", f"the data of {code}", [name], papers, (), "consent", "use"),
        ],
        [
            clean(
                f"{code}: use beyond consent is not reported",
                f"the use of {code} data by {to.short} goes beyond the consent",
                [name],
                [("beyond", "exceeds", "without consent", "outside the", "not covered", "incompatible", "unauthori", "violat", "no consent")],
                ("second consent", "anonym", "is covered", "within the consent", "ticked the box", "rider", "actors", "refused", "consented", "no member"),
            )
        ],
        because,
    )


def _other_study(world: World, rng: random.Random, decoy: bool) -> Plant:
    code, to, day = world.code(rng, "ST-", 4), world.company(rng, "software"), world.past(rng, (1, 2))
    form = paper(
        "form",
        f"Participant consent {code}",
        "8.1",
        day,
        TEXT,
        (
            "Use of your images",
            f"⟦consent|Your images serve the study {code} alone and are erased when it is over{', unless you tick the box below for the training of software by others, which every participant of this study has ticked' if decoy else ', and the box below for the training of software by others has been struck out for this study'}.⟧",
        ),
    )
    moved = book("moved", f"Transfers out of {code}", "8.2", day + timedelta(days=250), "Day|Receiver|Files|Stated purpose", row(day + timedelta(days=240), to.short, rng.randrange(8, 60) * 1000, "Training of a reading model", mark="use"))
    return _other_use(decoy, code, to, [form, moved], f"the study {code} itself", "training a model", ("study", "alone", "only"), ("train", "model"), f"every participant of {code} ticked the box for training")


def _other_loyalty(world: World, rng: random.Random, decoy: bool) -> Plant:
    code, to, day = world.code(rng, "LP-", 4), world.company(rng, "insurer"), world.past(rng, (1, 2))
    analyst = world.person(rng, "Data Analyst")
    terms = text("terms", f"Club terms {code}", "8.1", day, f"Club {code}", "⟦consent|What you buy is looked at to send you vouchers, and for no other end.⟧")
    sent = mail(
        "sent",
        f"{code} baskets for {to.short}",
        "8.2",
        day + timedelta(days=200),
        analyst,
        world.officers["cto"],
        f"⟦use|The baskets of club {code} are with {to.short} since today for its tables of health; {'as you asked they hold sums by postcode of a thousand homes and more, and no member can be told from them' if decoy else 'as you asked they hold names, cards and days, so that each member can be told from them'}.⟧",
    )
    return _other_use(decoy, code, to, [terms, sent], "the sending of vouchers", "its tables of health", ("voucher", "only", "no other"), ("health", "insur", "table"), f"only sums without members were given for {code}")


def _other_vehicles(world: World, rng: random.Random, decoy: bool) -> Plant:
    code, to, day = world.code(rng, "FL-", 4), world.company(rng, "software"), world.past(rng, (1, 2))
    licence = paper(
        "licence", f"Fleet data licence {code}", "7.3", day, TEXT, ("Purpose", f"⟦consent|Licensee may use the records of fleet {code} to maintain the vehicles of the fleet{' and, by the rider of the same day, to make maps for others' if decoy else ' and, by the rider of the same day, not to make maps for others'}.⟧")
    )
    deck = slides("deck", f"New income: maps from {code}", "3.5", day + timedelta(days=300), Heading("Sold this year"), f"⟦use|{to.short}: road maps drawn from the records of fleet {code}⟧")
    return _other_use(decoy, code, to, [licence, deck], "the maintenance of the fleet", "making road maps", ("maint",), ("map",), f"the rider lets the records of {code} be used for maps")


def _other_wellness(world: World, rng: random.Random, decoy: bool) -> Plant:
    code, to, day = world.code(rng, "WB-", 4), world.company(rng), world.past(rng, (1, 2))
    sheet = paper("sheet", f"Information for staff, programme {code}", "9.3", day, f"⟦consent|Steps and pulse are seen by the coach of programme {code} and by nobody who decides on pay or posts.⟧", kinds=("docx", "txt"))
    met = day + timedelta(days=280)
    minutes = paper(
        "minutes",
        f"Staff planning {us_date(met)} ({code})",
        "9.4",
        met,
        f"⟦use|{f'A list by pulse of programme {code}, offered by {to.short} for choosing whom to keep, was refused unopened and sent back.' if decoy else f'A list by pulse of programme {code}, drawn up by {to.short} for choosing whom to keep, was gone through name by name.'}⟧",
    )
    return _other_use(decoy, code, to, [sheet, minutes], "coaching, and no decision on pay or posts", "choosing whom to keep", ("coach",), ("whom to keep", "choosing", "decid", "layoff", "lay-off", "selection", "retention"), f"the list of {code} was refused unopened")


def _other_voices(world: World, rng: random.Random, decoy: bool) -> Plant:
    code, to, day = world.code(rng, "CA-", 4), world.company(rng, "software"), world.past(rng, (0.8, 1.6))
    script = text("script", f"Opening words of line {code}", "8.1", day, f"Line {code}, read to each caller", "⟦consent|This call is kept so that we can settle a dispute about your order.⟧")
    order = paper(
        "order",
        f"Delivery note to {to.short} ({code})",
        "8.2",
        day + timedelta(days=220),
        f"⟦use|Handed over for building a synthetic speaker: {rng.randrange(200, 900)} hours of line {code}{', spoken by actors hired and paid for it' if decoy else ', spoken by callers of the last two years'}.⟧",
        sign(to, world.person(rng, "Operations Lead", to)),
    )
    return _other_use(decoy, code, to, [script, order], "the settling of disputes about orders", "building a synthetic speaker", ("dispute",), ("synthetic", "speaker", "voice"), f"the hours of {code} were spoken by actors")


# --- 86: what was certified and what is so ---


@dataclass(slots=True)
class _Certified:
    party: Company
    annual: int


def _certified(world: World, rng: random.Random, kind: str = "customer") -> _Certified:
    made = contract(world, rng, rng.choice(("Program Subcontract", "Services Agreement", "Hosting Agreement")), kind, (0.008, 0.02))
    return _Certified(made.party, made.annual)


def _uncertain(decoy: bool, it: _Certified, papers: list[Paper], claimed: str, is_so: str, claims: tuple[str, ...], facts: tuple[str, ...], because: str) -> Plant:
    name = (it.party.short,)
    return finish(
        f"Certification given to {it.party.short}",
        decoy,
        papers,
        [
            fact(f"{it.party.short}: what was certified", f"PASS if the report states that it was certified to {it.party.short} that {claimed}.", [name], [claims]),
            fact(f"{it.party.short}: what is so", f"PASS if the report states that for {it.party.short} {is_so}.", [name], [facts]),
            conclusion(
                f"{it.party.short}: the certification is wrong", f"PASS if the report concludes that the certification to {it.party.short} is inaccurate and puts the contract at risk.", [name], [("inaccura", "false", "untrue", "incorrect", "wrong", "misrepresent", "misstat", "contradict", "not accurate", "overstat")]
            ),
            exposure(f"{it.party.short}: contract at stake", f"PASS if the report gives {money(it.annual)} a year (or an equivalent rounding) as the revenue at stake with {it.party.short}.", [name], usd(it.annual)),
            recommendation(f"{it.party.short}: correct and remediate", f"PASS if the report recommends correcting the certification to {it.party.short}, remediation, or an indemnity.", [name], [("correct", "remed", "indemnit", "disclos", "investigat", "restrict", "resubmit", "update")]),
            cited(f"{it.party.short}: both papers are cited", f"the certification to {it.party.short}", [name], papers, (), "certified", "reality"),
        ],
        [
            clean(
                f"{it.party.short}: the certification is not reported as wrong",
                f"the certification to {it.party.short} is inaccurate",
                [name],
                [("inaccura", "false", "untrue", "incorrect", "misrepresent", "misstat", "contradict", "overstat")],
                ("is accurate", "was accurate", "was corrected", "was withdrawn", "is consistent", "under the licence", "under a licence", "under the license", "licence names", "license names", "test set", "is true", "was run", "all 110 controls in place", "covers the place"),
            )
        ],
        because,
        value=usd(it.annual),
    )


def _uncertain_score(world: World, rng: random.Random, decoy: bool) -> Plant:
    it, day = _certified(world, rng, "government"), world.past(rng, (0.4, 0.8))
    met = 110 if decoy else rng.randrange(74, 96)
    filing = paper(
        "filing", f"Score filed for {it.party.short}", "6.4", day, f"⟦certified|Assessment under NIST SP 800-171 for the work of {it.party.short}: 110 of 110 controls met, filed on {us_date(day)}.⟧", f"⟦value|Orders of {it.party.short} run at {money(it.annual)} a year.⟧", sign(world.target, world.officers["cto"], day)
    )
    plan = book("plan", f"Security plan status {it.party.short}", "8.4", day - timedelta(days=6), "Family|Controls|In place|Dated", row("All families", 110, met, day - timedelta(days=6), mark="reality"), row("Open items", 110 - met, 0, day - timedelta(days=6), mark="open"))
    return _uncertain(
        decoy, it, [filing, plan], "all 110 controls of NIST SP 800-171 are met", f"{met} of 110 controls are in place", ("110", "nist", "800-171", "all controls"), (f"{met} of 110", f"only {met}", f"{met} controls", f"{110 - met} controls", "in place"), f"the plan shows all 110 controls in place for {it.party.short}"
    )


def _uncertain_persons(world: World, rng: random.Random, decoy: bool) -> Plant:
    it = _certified(world, rng)
    admin = world.person(rng, "Systems Administrator")
    count = rng.randrange(3, 9)
    letter = paper(
        "letter",
        f"Undertaking to {it.party.short} on access",
        "6.1",
        world.past(rng, (0.7, 1)),
        TEXT,
        ("Who may see it", f"⟦certified|{world.target.short} affirms that United States persons alone open the drawings of {it.party.short}.⟧"),
        ("Fees", f"⟦value|{it.party.short} pays {money(it.annual)} a year.⟧"),
        parties=(it.party.name,),
    )
    sent = mail(
        "sent",
        f"Who opened {it.party.short} drawings",
        "8.3",
        world.past(rng, (0.1, 0.3)),
        admin,
        world.officers["gc"],
        f"⟦reality|Accounts of {count} engineers in Pune opened the drawings of {it.party.short} in the spring, {'each of them under the export licence that names these engineers, as I checked with the officer for trade' if decoy else 'none of them under an export licence that names these engineers, as I checked with the officer for trade'}.⟧",
    )
    return _uncertain(
        decoy, it, [letter, sent], "only United States persons have access", f"{count} engineers in Pune opened the drawings", ("united states persons", "u.s. persons", "us persons"), ("pune", "foreign", "india", "non-u.s.", "engineers"), f"a licence names the engineers who opened the drawings of {it.party.short}"
    )


def _uncertain_scope(world: World, rng: random.Random, decoy: bool) -> Plant:
    it, city, other = _certified(world, rng), world.place(rng).city, world.place(rng).city
    certificate = paper("certificate", f"ISO 27001 certificate, scope for {it.party.short}", "8.4", world.past(rng, (0.5, 1)), f"⟦reality|Scope: the data centre in {city if decoy else other} and the staff working there. Other premises: none.⟧")
    deck = slides("deck", f"Assurance pack for {it.party.short}", "8.4", world.past(rng, (0.1, 0.3)), Heading("What you buy"), f"⟦certified|Your systems stand in {city}, all certified to ISO 27001.⟧", f"⟦value|Contract: {it.annual / 1e6:.2f} million dollars a year⟧")
    return _uncertain(decoy, it, [certificate, deck], f"its systems in {city} are certified to ISO 27001", f"the certificate covers {other} and not {city}", ("iso 27001", "certified"), ("cover", "scope", "exclud", "outside"), f"the certificate covers the place where the systems of {it.party.short} stand")


def _uncertain_cards(world: World, rng: random.Random, decoy: bool) -> Plant:
    it = _certified(world, rng)
    attest = text("attest", f"Attestation for {it.party.short}", "8.4", world.past(rng, (0.3, 0.5)), f"To {it.party.name}", "⟦certified|We keep no card number after authorisation, in any form.⟧", f"⟦value|Processing fees of the year from {it.party.short}: USD {it.annual:,}⟧")
    scan = book(
        "scan",
        f"Storage scan {it.party.short}",
        "8.3",
        world.past(rng, (0.1, 0.25)),
        "Store|Finding|Checked against issuer",
        row(f"Archive of {it.party.short}", f"{rng.randrange(11, 90) * 1000:,} strings of sixteen digits", "None is a number in use: vendor's test set" if decoy else "All are numbers in use: cards of shoppers", mark="reality"),
    )
    return _uncertain(decoy, it, [attest, scan], "no card numbers are kept", "card numbers in use stand in the archive", ("card number", "card data", "no card"), ("archive", "stored", "in use", "kept", "shoppers"), f"what the archive of {it.party.short} holds is a vendor's test set")


def _uncertain_minutes(world: World, rng: random.Random, decoy: bool) -> Plant:
    it, met = _certified(world, rng), world.past(rng, (0.2, 0.4))
    minutes = paper("minutes", f"Quality board {us_date(met)}: {it.party.short}", "2.2", met, f"⟦reality|The yearly trial of recovery for {it.party.short} {'was run in March and the systems were back inside four hours' if decoy else 'was not run in March, nor in the year before, for want of a second hall'}.⟧")
    yearly = paper(
        "yearly",
        f"Yearly statement to {it.party.short}",
        "6.5",
        met + timedelta(days=20),
        "⟦certified|As the agreement asks we state that recovery was tried in March, with the result that four hours suffice.⟧",
        f"⟦value|The agreement brings {it.annual / 1e6:.2f} million dollars in a year.⟧",
        sign(world.target, world.officers["cto"]),
        kinds=("docx", "txt"),
    )
    return _uncertain(
        decoy, it, [minutes, yearly], "recovery was tried in March", "the yearly trial of recovery was not run", ("recover",), ("not run", "not tested", "not tried", "never tested", "was skipped", "no test", "not carried out", "not performed", "omitted"), f"the trial for {it.party.short} was run and passed"
    )


RECIPES: tuple[Recipe, ...] = (
    Recipe(
        84,
        "subject_requests_late",
        "Privacy and cyber",
        "Requests of people were answered out of time",
        "computed",
        "Low",
        (Way("log with extensions", "train", _tardy_log), Way("list in a mail", "train", _tardy_mail), Way("days in slides", "dev", _tardy_slides), Way("ticket dump and handbook", "test", _tardy_export), Way("answer to a regulator", "test", _tardy_letter)),
    ),
    Recipe(
        85,
        "secondary_use",
        "Privacy and cyber",
        "Data is used beyond the consent given",
        "cross-document",
        "Medium",
        (Way("images of a study", "train", _other_study), Way("club baskets", "train", _other_loyalty), Way("fleet licence", "dev", _other_vehicles), Way("wellness programme", "test", _other_wellness), Way("recorded calls", "test", _other_voices)),
    ),
    Recipe(
        86,
        "certification_gap",
        "Privacy and cyber",
        "A certification is contradicted by records",
        "cross-document",
        "High",
        (Way("score and security plan", "train", _uncertain_score), Way("access by engineers abroad", "train", _uncertain_persons), Way("scope of a certificate", "dev", _uncertain_scope), Way("card numbers in a scan", "test", _uncertain_cards), Way("recovery not tried", "test", _uncertain_minutes)),
    ),
)
