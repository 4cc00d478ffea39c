"""Plants of orders that were not kept and of legal holds that came late (archetypes 99 and 100)."""

from __future__ import annotations

import random
from datetime import date, timedelta

from redwell.bench.generate.papers import Clause, Filler, Paper, Row
from redwell.bench.generate.plants.briefs import PROTECT, book, in_words, plant, signed
from redwell.bench.generate.plants.pieces import (
    mail,
    on,
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
    recommendation,
    sources,
    usd,
)
from redwell.bench.generate.world import Claim, Company, World
from redwell.bench.generate.writing import (
    day_month,
    listed,
    money,
    us_date,
    years_after,
)

# 99: a duty under a decree or settlement with an authority was missed


def _missed(
    world: World,
    decoy: bool,
    docket: str,
    authority: str,
    duty: str,
    due: date | None,
    done: date | None,
    penalty: int,
    papers: list[Paper],
    marks: tuple[str, str],
    because: str,
    unless: tuple[str, ...],
    missed: tuple[str, ...] = ("late", "missed", "overdue", "past due", "after the deadline", "days after"),
) -> Plant:
    world.claims.append(Claim(f"{authority}, {docket}", authority, docket, 0, 0, "Under decree"))
    name = (docket,)
    issue = [
        conclusion(
            f"{docket}: duty missed",
            f"PASS if the report concludes that {duty} under {docket} was missed or met late, which is a breach.",
            [name],
            [(*missed, "breach", "violat", "non-complian", "noncomplian", "failed to")],
        ),
        exposure(
            f"{docket}: stipulated penalties",
            f"PASS if the report gives {money(penalty)} (or an equivalent rounding) as the stipulated penalties under {docket}.",
            [name],
            usd(penalty),
        ),
        recommendation(
            f"{docket}: cure",
            f"PASS if the report recommends that the default under {docket} be cured or settled with {authority} before closing, or a special indemnity for it.",
            [name],
            [("cure", "settle", "waiver", "resolve", "pay ", "before closing", "condition", *PROTECT)],
        ),
        sources(
            f"{docket}: sources",
            f"PASS if the report cites both the order and the record of what was done under {docket}.",
            [name],
            *marks,
        ),
    ]
    if due:
        told = [("due", "deadline", "required", "by ", "no later", "until")]
        issue.insert(0, fact(f"{docket}: due date", f"PASS if the report states that {duty} under {docket} was due by {us_date(due)}.", [name], told, on(due)))  # fmt: skip
    if done:
        issue.insert(1, fact(f"{docket}: done", f"PASS if the report states that {duty} under {docket} was done on {us_date(done)} only.", [name], (), on(done)))  # fmt: skip
    claim = f"{duty} under {docket} was missed, with stipulated penalties owed"
    says = [("missed", "breach", "violat", "overdue", "stipulated penalt", "non-complian", "in default")]
    return plant(decoy, f"{docket}: {duty}", papers, issue, docket, claim, says, unless, because, value=usd(penalty))


def _decree_report(world: World, rng: random.Random, decoy: bool) -> Plant:
    docket = world.code(rng, "Civil Action No. 21-cv-", 5)
    due = world.past(rng, (0.5, 0.8))
    late = rng.randrange(31, 90)
    done, rate = due + timedelta(days=late), world.sum(rng, 0.00002, 0.00006, 500)
    papers = [
        paper(
            "decree",
            f"Consent Decree - {docket}",
            "10.2",
            years_after(due, -2),
            f"United States of America v. {world.target.name}, {docket}",
            Filler("contract"),
            Clause(
                "Completion Report",
                f"⟦duty|Defendant shall deliver the Completion Report to the United States no later than {us_date(due)}.⟧",
            ),
            Clause(
                "Stipulated Penalties",
                f"⟦rate|For each day on which a deliverable is overdue Defendant shall pay {money(rate)}.⟧",
            ),
            avoid=("payment",),
        ),
        book(
            "log",
            "Consent Decree Deliverables Log",
            "12.2",
            done + timedelta(days=10),
            "Deliverables",
            "Deliverable|Docket|Delivered",
            ("Work plan", docket, years_after(due, -1)),
            Row(("Completion Report", docket, done), "done"),
        ),
        paper(
            "stipulation",
            f"Stipulation and Order - {docket}",
            "10.2",
            due - timedelta(days=9),
            f"⟦order|{f'The date in the paragraph on the Completion Report is moved to {us_date(done + timedelta(days=5))}' if decoy else 'The name of the project coordinator is changed to that given in the annex'}.⟧ So ordered.",
        ),
    ]
    return _missed(
        world, decoy, docket, "the United States", "delivery of the Completion Report", due, done, rate * late, papers, ("duty", "done"),
        "an order moved the date, and the report came before the new one", ("moved", "extended", "extension", "new date"),
    )  # fmt: skip


def _decree_quarters(world: World, rng: random.Random, decoy: bool) -> Plant:
    docket = world.code(rng, "AG File ", 6)
    flat = world.sum(rng, 0.0004, 0.0012, 5_000)
    year = world.deal.as_of.year - 1
    gone = rng.sample((1, 2, 3, 4), 2)
    begun = date(year - 1, 11, 14)
    words = {1: "first", 2: "second", 3: "third", 4: "fourth"}
    both_gone = listed([words[quarter] for quarter in sorted(gone)])
    papers = [
        paper(
            "settlement",
            f"Settlement Agreement with the Attorney General of Ohio ({docket})",
            "10.2",
            begun,
            f"⟦duty|In {year} the Company will file a sales practices report after every quarter, four in all.⟧",
            f"⟦rate|A report that is not filed costs the Company a civil penalty of {money(flat)}, which it hereby stipulates.⟧",
            signed((world.target.name, world.officers["gc"])),
        ),
        paper(
            "sent",
            f"Transmittals {docket}",
            "14.2",
            date(year + 1, 1, 31) if date(year + 1, 1, 31) < world.deal.as_of else world.past(rng, (0.01, 0.03)),
            table(
                "Quarter|Sent to Attorney General",
                *(
                    Row((f"{year} Q{q}", "Nothing sent" if q in gone else "Yes, by courier"), f"q{q}")
                    for q in (1, 2, 3, 4)
                ),
            ),
        ),
        paper(
            "letter",
            f"Office of the Attorney General, letter on {docket}",
            "14.2",
            world.past(rng, (0.01, 0.02)),
            f"⟦letter|{f'The State excuses the filings for the {both_gone} quarter of {year} and claims nothing on account of them.' if decoy else 'The State has opened its review of the filings of last year and reserves what it is entitled to.'}⟧",
        ),
    ]
    return _missed(
        world, decoy, docket, "the Attorney General of Ohio", f"the quarterly report for the {both_gone} quarter", None, None, flat * 2, papers,
        ("rate", f"q{gone[0]}"), "the Attorney General excused these filings in writing", ("excused", "excuses", "waive"),
        ("not filed", "never filed", "not sent", "nothing was sent", "missed", "missing", "unfiled"),
    )  # fmt: skip


def _decree_mail(world: World, rng: random.Random, decoy: bool) -> Plant:
    docket = world.code(rng, "Docket CAA-05-", 5)
    place = world.place(rng)
    manager, gc = world.person(rng, f"Plant Manager, {place.city}"), world.officers["gc"]
    due = world.past(rng, (0.4, 0.7))
    weeks, rate = rng.randrange(5, 14), world.sum(rng, 0.0001, 0.0003, 500)
    done = due + timedelta(days=7 * weeks)
    papers = [
        paper(
            "order",
            f"Administrative Settlement {docket}",
            "12.2",
            years_after(due, -1),
            f"In re {world.target.name}, {place.city}. United States Environmental Protection Agency, Region 5.",
            f"⟦duty|Respondent is to have the thermal oxidizer in continuous operation on or before {day_month(due)}.⟧",
            f"⟦rate|Should it not, a stipulated sum of {money(rate)} accrues for every full week until operation begins.⟧",
            kinds=("txt", "docx"),
        ),
        mail(
            "started", f"Oxidizer at {place.city}", "12.2", done + timedelta(days=1), manager, gc,
            f"{gc.first},",
            f"⟦done|the unit under {docket} finally went into continuous operation yesterday, {day_month(done)}.⟧ The burner had been held up at the port.",
        ),
        paper(
            "agency",
            f"Regional Counsel on {docket}",
            "14.2",
            done + timedelta(days=30),
            f"⟦reply|{f'Region 5 accepts the port closure as force majeure for the whole time to {day_month(done)}; no stipulated sum accrued.' if decoy else 'Region 5 has your claim of force majeure and finds that the port closure does not qualify.'}⟧",
        ),
    ]  # fmt: skip
    return _missed(
        world, decoy, docket, "the EPA", "start of the thermal oxidizer", due, done, rate * weeks, papers, ("duty", "done"),
        "the agency accepted force majeure for the whole delay", ("force majeure", "accepted", "excused"),
    )  # fmt: skip


def _decree_tiers(world: World, rng: random.Random, decoy: bool) -> Plant:
    docket = world.code(rng, "Case 2:19-cv-", 5)
    due = world.past(rng, (0.5, 0.7))
    first = world.sum(rng, 0.00001, 0.00003, 250)
    then = first * 5 // 2
    days = rng.randrange(41, 95)
    done = due + timedelta(days=days)
    total = 30 * first + (days - 30) * then
    papers = [
        book(
            "tracker",
            f"Injunction Tracker {docket}",
            "10.2",
            done + timedelta(days=15),
            "Tracker",
            "Duty|Last day|Finished|Days 1 to 30, USD a day|From day 31, USD a day",
            ("Post notices", due - timedelta(days=60), due - timedelta(days=61), first, then),
            Row(("Retrain inspectors", due, done, first, then), "row"),
        ),
        paper(
            "injunction",
            f"Final Judgment and Permanent Injunction {docket}",
            "10.2",
            years_after(due, -3),
            f"United States District Court for the Central District of California, {docket}",
            "⟦duty|Inspectors shall be retrained by the last day that the parties' tracker shows, and lateness is charged at the tracker's daily sums.⟧",
        ),
        paper(
            "motion",
            f"Order on Joint Motion {docket}",
            "10.2",
            due - timedelta(days=20),
            f"⟦order|{'The injunction is dissolved and its remaining duties end today.' if decoy else 'The clerk shall substitute the appearance of counsel for defendant.'}⟧",
        ),
    ]
    return _missed(
        world, decoy, docket, "the plaintiff", "retraining of the inspectors", due, done, total, papers, ("row", "duty"),
        "the injunction was dissolved before the last day", ("dissolved", "ended", "terminated"),
    )  # fmt: skip


def _decree_monitor(world: World, rng: random.Random, decoy: bool) -> Plant:
    docket = world.code(rng, "Assurance No. ", 5)
    monitor = world.company(rng, "consulting")
    due = world.past(rng, (0.6, 0.8))
    months, rate = rng.randrange(2, 5), world.sum(rng, 0.0002, 0.0006, 1_000)
    done = due + timedelta(days=30 * months - 6)
    papers = [
        paper(
            "assurance",
            f"Assurance of Discontinuance ({docket})",
            "10.2",
            due - timedelta(days=120),
            f"Given by {world.target.name} to the Attorney General of the State of New York",
            Clause(
                "Monitor",
                f"⟦duty|An independent monitor is to be under contract by {us_date(due)}; for each thirty-day period begun after that day without one, {in_words(rate)} dollars fall due.⟧",
            ),
            Filler("contract"),
        ),
        paper(
            "engagement",
            f"Engagement of {monitor.short}",
            "14.2",
            done,
            f"⟦done|{monitor.name} takes up the office of monitor under {docket} as of {us_date(done)}, the day of this letter.⟧",
            signed(
                (monitor.name, world.person(rng, "Managing Director", monitor)),
                (world.target.name, world.officers["ceo"]),
            ),
        ),
        paper(
            "minutes",
            f"Compliance Committee, extract on {docket}",
            "2.2",
            done + timedelta(days=25),
            f"⟦noted|{f'The General Counsel tabled the countersigned letter by which the State put the appointment back to {us_date(done + timedelta(days=3))}.' if decoy else 'The General Counsel reported that the State had been silent when told of the appointment.'}⟧",
            kinds=("docx", "txt"),
        ),
    ]
    return _missed(
        world, decoy, docket, "the Attorney General of New York", "appointment of the monitor", due, done, rate * months, papers, ("duty", "done"),
        "the State agreed in a countersigned letter to a later day", ("put back", "agreed to a later", "extended", "countersigned"),
    )  # fmt: skip


# 100: a legal hold that came too late


def _held(
    decoy: bool,
    opponent: Company,
    trigger: date,
    hold: date,
    lost: str,
    losts: tuple[str, ...],
    papers: list[Paper],
    marks: tuple[str, str],
    because: str,
    unless: tuple[str, ...],
) -> Plant:
    name = (opponent.short,)
    issue = [
        fact(
            f"{opponent.short}: when the duty began",
            f"PASS if the report states that the claim of {opponent.short} was known on {us_date(trigger)}.",
            [name],
            (),
            on(trigger),
        ),
        fact(
            f"{opponent.short}: when the hold came",
            f"PASS if the report states that the legal hold in the {opponent.short} matter is dated {us_date(hold)}.",
            [name],
            [("hold", "preserv")],
            on(hold),
        ),
        fact(
            f"{opponent.short}: what was lost",
            f"PASS if the report states that {lost} were deleted after {opponent.short} had made its claim.",
            [name],
            [losts, ("delet", "lost", "destroy", "wiped", "purged", "erased", "overwritten", "gone", "discarded")],
        ),
        conclusion(
            f"{opponent.short}: spoliation",
            f"PASS if the report concludes that {opponent.short} may seek sanctions for spoliation.",
            [name],
            [("spoliation", "sanction", "adverse inference", "rule 37", "duty to preserve")],
        ),
        recommendation(
            f"{opponent.short}: counsel's plan",
            f"PASS if the report recommends that litigation counsel review the loss in the {opponent.short} matter and try to recover the data, or a special indemnity.",
            [name],
            [("counsel", "forensic", "recover", "restore", *PROTECT)],
        ),
        sources(
            f"{opponent.short}: sources",
            f"PASS if the report cites both what gave notice of the {opponent.short} claim and the record of the deletion.",
            [name],
            *marks,
        ),
    ]
    claim = f"evidence in the {opponent.short} matter was lost, with a risk of sanctions for spoliation"
    says = [("spoliation", "sanction", "adverse inference", "evidence was lost", "late hold", "hold was late")]
    return plant(
        decoy,
        f"{opponent.short}: preservation of evidence",
        papers,
        issue,
        opponent.short,
        claim,
        says,
        unless,
        because,
    )


def _dispute(world: World, rng: random.Random) -> tuple[Company, date, date]:
    """An opponent with the day of its demand and that of the late hold; the claim is in the register."""
    opponent = world.company(rng)
    trigger = world.past(rng, (0.5, 0.9))
    claimed = world.sum(rng, 0.003, 0.02, 50_000)
    world.claims.append(
        Claim(
            f"{opponent.short} v. {world.target.short}",
            opponent.name,
            "Pending before court",
            claimed,
            claimed // 5,
            "Discovery",
        )
    )
    return opponent, trigger, trigger + timedelta(days=rng.randrange(60, 110))


def _hold_memo(world: World, rng: random.Random, decoy: bool) -> Plant:
    opponent, trigger, hold = _dispute(world, rng)
    purge = trigger + timedelta(days=28)
    issued = trigger + timedelta(days=2) if decoy else hold
    papers = [
        paper(
            "demand",
            f"Demand of {opponent.short}",
            "10.3",
            trigger,
            f"⟦trigger|By this letter, received on {us_date(trigger)}, {opponent.name} makes demand and asks that you keep whatever bears on the matter.⟧",
        ),
        paper(
            "hold",
            f"Legal Hold Memorandum - {opponent.short}",
            "10.3",
            issued,
            f"⟦hold|Effective {us_date(issued)}, no mail or file about {opponent.short} may be destroyed by anyone.⟧",
            f"{world.officers['gc'].name}, {world.officers['gc'].title}",
            avoid=("privacy",),
        ),
        book(
            "retention",
            "Mailbox Retention Log",
            "8.3",
            hold + timedelta(days=10),
            "Runs",
            "Run|Scope|Result",
            Row(
                (
                    purge,
                    f"Sales mailboxes, {opponent.short} accounts",
                    "Skipped: under hold" if decoy else "14,306 messages deleted",
                ),
                "purge",
            ),
            (purge + timedelta(days=30), "Facilities mailboxes", "2,118 messages deleted"),
        ),
    ]
    return _held(
        decoy, opponent, trigger, hold, "messages", ("message", "mail"), papers, ("trigger", "purge"),
        "the hold came two days after the demand and the deletion was skipped", ("skipped", "two days", "timely", "promptly"),
    )  # fmt: skip


def _hold_minutes(world: World, rng: random.Random, decoy: bool) -> Plant:
    opponent, trigger, hold = _dispute(world, rng)
    shred = trigger + timedelta(days=21)
    papers = [
        paper(
            "meeting",
            f"Management Meeting of {us_date(trigger)}",
            "2.2",
            trigger,
            f"⟦trigger|Counsel of {opponent.short} telephoned this morning to announce a suit over the failed deliveries.⟧",
            Filler("minutes"),
        ),
        paper(
            "certificate",
            f"Certificate of Destruction - {opponent.short} deliveries",
            "8.3",
            shred,
            f"⟦shred|Destroyed on {us_date(shred)}: 62 cartons, dispatch notes and test sheets of the deliveries to {opponent.short}.⟧",
            f"⟦scan|{'All cartons had been imaged in full beforehand; the images are with outside counsel and complete.' if decoy else 'The cartons were past their shelf date; no image was made of what they held.'}⟧",
        ),
        paper(
            "notice",
            f"Preservation Notice {opponent.short}",
            "10.3",
            hold,
            f"⟦hold|From {us_date(hold)} the documents that concern {opponent.short} are to be kept until the General Counsel lifts this notice.⟧",
            avoid=("privacy",),
        ),
    ]
    return _held(
        decoy, opponent, trigger, hold, "the dispatch notes and test sheets", ("carton", "dispatch", "test sheet", "document", "paper"),
        papers, ("trigger", "shred"), "complete images had been made and are kept by counsel", ("image", "scan", "copies"),
    )  # fmt: skip


def _hold_phones(world: World, rng: random.Random, decoy: bool) -> Plant:
    opponent, trigger, hold = _dispute(world, rng)
    lawyer = world.person(rng, "Counsel", world.company(rng, "law"))
    tech, gc = world.person(rng, "Head of Workplace Technology"), world.officers["gc"]
    swap = trigger + timedelta(days=35)
    papers = [
        mail(
            "claim", f"{opponent.short}: notice before action", "10.3", trigger, lawyer, gc,
            f"Dear {gc.name}, we act for {opponent.name}.",
            f"⟦trigger|Please treat this message of {day_month(trigger)} as notice before action and leave phones and chats as they are.⟧",
        ),
        mail(
            "phones", f"Phones of the {opponent.short} team", "8.3", swap, tech, gc,
            f"⟦swap|The nine phones of the {opponent.short} account team were wiped and reissued this week when the lease ran out.⟧",
            f"⟦copy|{'Before that a full copy of each was taken with the forensic kit, and the copies were checked against the devices.' if decoy else 'Nobody had told us to take a copy of what was on them, and there is none.'}⟧",
        ),
        mail(
            "hold", f"Please read: {opponent.short}", "10.3", hold, gc, tech,
            f"⟦hold|As of today, {day_month(hold)}, a legal hold is in force for {opponent.short}.⟧ Nothing is to be reissued without me.",
        ),
    ]  # fmt: skip
    return _held(
        decoy, opponent, trigger, hold, "the phones and the messages on them", ("phone", "device", "message", "chat"), papers, ("trigger", "swap"),
        "a full forensic copy of each phone had been taken", ("copy", "copies", "imaged"),
    )  # fmt: skip


def _hold_chat(world: World, rng: random.Random, decoy: bool) -> Plant:
    opponent, trigger, hold = _dispute(world, rng)
    ticket = world.code(rng, "OPS-", 5)
    day = trigger + timedelta(days=45)
    papers = [
        paper(
            "register",
            f"Incoming Claims Book: {opponent.short}",
            "10.1",
            trigger + timedelta(days=3),
            table(
                "Entry|Date|From",
                Row((f"Complaint served on registered agent, {opponent.short}", trigger, "Process server"), "trigger"),
            ),
            kinds=("xlsx", "docx"),
        ),
        paper(
            "ticket",
            f"{ticket} Chat clean-up",
            "8.3",
            day,
            f"{ticket} opened by platform team",
            f"⟦purge|Thirty-day rule applied to channel #{opponent.short.split()[0].lower()}-project: history older than a month erased, rule in force since spring.⟧",
            f"⟦archive|{'Compliance archive of the channel: complete, retained seven years, untouched by the rule.' if decoy else 'Compliance archive of the channel: not subscribed.'}⟧",
            f"⟦hold|Rule switched off {hold.isoformat()} on legal hold, {opponent.short}.⟧",
            kinds=("txt",),
        ),
    ]
    return _held(
        decoy, opponent, trigger, hold, "the project chats", ("chat", "channel", "history"), papers, ("trigger", "purge"),
        "a complete archive of the channel is kept", ("archive",),
    )  # fmt: skip


def _hold_tapes(world: World, rng: random.Random, decoy: bool) -> Plant:
    opponent, trigger, hold = _dispute(world, rng)
    vendor = world.company(rng, "software")
    engineer = world.person(rng, "Project Engineer", vendor)
    papers = [
        paper(
            "declaration",
            f"Declaration of {engineer.name}",
            "10.1",
            hold + timedelta(days=60),
            f"I am employed by {vendor.name}, which manages the backups of {world.target.short}.",
            f"⟦tapes|Between {us_date(trigger + timedelta(days=10))} and {us_date(hold - timedelta(days=5))} fourteen backup tapes with the engineering share for {opponent.short} went back into rotation and were written over.⟧",
            f"⟦hold|We learned of a hold when counsel's instruction of {us_date(hold)} reached us.⟧",
            f"⟦mirror|{'A mirror of the same share, made on the day before the first tape was used again, is intact and has been produced to the other side.' if decoy else 'The share has since been reorganized, and we hold no other copy of it for that time.'}⟧",
            f"Signed under penalty of perjury: {engineer.name}",
        ),
        paper(
            "agreement",
            f"Tolling Agreement {opponent.short}",
            "10.1",
            trigger,
            f"⟦trigger|{opponent.name} and {world.target.name}, having exchanged their positions on the alleged infringement, stop time from {us_date(trigger)}.⟧",
            signed(
                (opponent.name, world.person(rng, "Chief Legal Officer", opponent)),
                (world.target.name, world.officers["gc"]),
            ),
        ),
    ]
    return _held(
        decoy, opponent, trigger, hold, "the backup tapes", ("tape", "backup"), papers, ("trigger", "tapes"),
        "an intact mirror of the share was produced", ("mirror", "intact", "produced"),
    )  # fmt: skip


RECIPES: tuple[Recipe, ...] = (
    Recipe(
        99, "consent_decree_missed", "Litigation", "A duty under a decree or settlement with an authority was missed", "computed", "High",
        (
            Way("decree, log and stipulation", "train", _decree_report),
            Way("quarterly reports not sent", "train", _decree_quarters),
            Way("mail of the plant manager", "dev", _decree_mail),
            Way("tracker with tiers", "test", _decree_tiers),
            Way("monitor engaged late", "test", _decree_monitor),
        ),
    ),
    Recipe(
        100, "late_legal_hold", "Litigation", "The legal hold came late and evidence is gone", "cross-document", "Medium",
        (
            Way("memorandum and retention log", "train", _hold_memo),
            Way("minutes and certificate", "train", _hold_minutes),
            Way("mails about phones", "dev", _hold_phones),
            Way("chat rule and claims book", "test", _hold_chat),
            Way("declaration on tapes", "test", _hold_tapes),
        ),
    ),
)  # fmt: skip
