"""Plants of insurance that lapsed, ends with the deal, or names somebody else (archetypes 115 to 117)."""

from __future__ import annotations

import random
from dataclasses import dataclass
from datetime import date, timedelta

from redwell.bench.generate.papers import Added, Heading, Paper, Para
from redwell.bench.generate.plants.amounts import book, cited, clean, row, slides, text
from redwell.bench.generate.plants.pieces import TEXT, finish, mail, paper, sign, table
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
from redwell.bench.generate.world import Company, Policy, World
from redwell.bench.generate.writing import money, us_date, years_after

# A paper is read more easily when it stands in few lines.
# fmt: off


def _policy(world: World, rng: random.Random, line: str, begins: date, limit: int, note: str = "") -> Policy:
    """A policy of one year that the target's register shows."""
    made = Policy(line, world.company(rng, "insurer"), world.code(rng, "PN-", 6), begins, years_after(begins, 1), limit, limit // 40, note)
    world.policies.append(made)
    return made


# --- 115: a loss that no policy answers for ---


def _bare(decoy: bool, it: Policy, papers: list[Paper], said: str, why: tuple[str, ...], loss: int, how: str, because: str, marks: tuple[str, str], added: tuple[Added, ...] = ()) -> Plant:
    name = (it.number, it.insurer.short)
    return finish(
        f"Cover under {it.number} of {it.insurer.short}",
        decoy,
        papers,
        [
            fact(f"{it.insurer.short}: why there is no cover", f"PASS if the report states that under policy {it.number} of {it.insurer.short} {said}.", [name], [why]),
            conclusion(
                f"{it.insurer.short}: uninsured", f"PASS if the report concludes that the loss is uninsured in whole or part under the policy of {it.insurer.short}.", [name], [("uninsured", "not insured", "no cover", "not covered", "gap", "lapse", "exhaust", "without cover", "without insurance", "falls outside")]
            ),
            exposure(f"{it.insurer.short}: uninsured sum", f"PASS if the report gives {money(loss)} (or an equivalent rounding), {how}, as the uninsured sum under the policy of {it.insurer.short}.", [name], usd(loss)),
            recommendation(
                f"{it.insurer.short}: new cover or indemnity",
                f"PASS if the report recommends new cover, an indemnity or an escrow for what the policy of {it.insurer.short} does not pay.",
                [name],
                [("cover", "indemnit", "escrow", "endors", "reinstat", "price", "purchase", "holdback"), ("indemnit", "escrow", "obtain", "buy", "new", "purchase", "reinstat", "endors", "price", "holdback", "negotiat")],
            ),
            cited(f"{it.insurer.short}: both papers are cited", f"the policy of {it.insurer.short}", [name], papers, added, *marks),
        ],
        [
            clean(
                f"{it.insurer.short}: no gap is reported",
                f"a loss is uninsured under the policy of {it.insurer.short}",
                [name],
                [("uninsured", "not insured", "no cover", "not covered", "gap in", "lapsed", "exhausted", "without cover", "falls outside")],
                ("was closed", "bridged", "reinstated", "extended", "is covered", "restored", "confirmed cover", "no gap", "drops down", "drop down", "steps in", "withdrew", "held the goods covered", "had held", "prolonged", "steps into"),
            )
        ],
        because,
        added=added,
        value=usd(loss),
    )


def _bare_gap(world: World, rng: random.Random, decoy: bool) -> Plant:
    begins = world.past(rng, (0.5, 0.9))
    it, loss = _policy(world, rng, "General liability", begins, 5_000_000), world.sum(rng, 0.003, 0.008, 10_000)
    ended = begins - timedelta(days=rng.randrange(20, 45))
    happened = ended + timedelta(days=rng.randrange(5, 15))
    page = paper("page", f"Declarations {it.number} - {it.insurer.short}", "13.1", begins, f"⟦begins|This policy of {it.insurer.name}, {it.number}, covers occurrences from {us_date(begins)}; its forerunner ended on {us_date(ended)}.⟧", "Liability of the insured to others, per occurrence.")
    extra = paper("extra", f"Endorsement 4 to the policy before {it.number}", "13.1", ended, f"⟦extra|{f'The policy period is prolonged to {us_date(begins)} for an added premium, received.' if decoy else f'The named insured’s address is changed with effect from {us_date(begins)}, no premium.'}⟧")
    run = book("run", f"Loss run {it.insurer.short}", "13.2", world.past(rng, (0.1, 0.2)), "Claimant|Day of occurrence|Incurred USD|Paid by insurer", row(world.person(rng, "Claimant", world.company(rng)).name, happened, loss, 0, mark="loss"))
    return _bare(
        decoy, it, [page, extra, run], f"there was no cover between {us_date(ended)} and {us_date(begins)}, when a loss occurred", ("between", "gap", "no cover", "before", "lapse", "interval"), loss, "the loss in the gap", f"the forerunner of {it.number} was prolonged to the first day of cover", ("begins", "loss")
    )


def _bare_eroded(world: World, rng: random.Random, decoy: bool) -> Plant:
    it = _policy(world, rng, "Products liability", world.past(rng, (0.3, 0.8)), 10_000_000)
    left = rng.randrange(4, 12) * 100_000
    open_ = left + world.sum(rng, 0.004, 0.01, 10_000)
    broker = world.person(rng, "Account Executive", world.company(rng))
    sent = mail(
        "sent",
        f"{it.insurer.short} {it.number}: where the aggregate stands",
        "13.2",
        world.past(rng, (0.05, 0.15)),
        broker,
        world.officers["cfo"],
        f"⟦left|Of the ten million of {it.insurer.short} for the year {money(left)} is still there after the payments of spring.⟧",
        f"⟦after|{'I have the endorsement that puts the aggregate back to its full height for claims already made, at the premium you passed in May.' if decoy else 'I have asked for an endorsement that puts the aggregate back to its full height, at a premium which you turned down in May.'}⟧",
    )
    run = book("run", f"Open claims on {it.number}", "13.2", world.past(rng, (0.02, 0.04)), "Claims|Counsel's expected value USD", row(f"All open, {it.insurer.short}", open_, mark="open"))
    return _bare(decoy, it, [sent, run], f"only {money(left)} of the aggregate is left for open claims of {money(open_)}", ("aggregate", "left", "remain", "erode"), open_ - left, f"{money(open_)} less {money(left)}", f"the aggregate of {it.number} was restored", ("left", "open"))


def _bare_cancelled(world: World, rng: random.Random, decoy: bool) -> Plant:
    it, loss = _policy(world, rng, "Property", world.past(rng, (0.5, 0.8)), 40_000_000), world.sum(rng, 0.004, 0.009, 10_000)
    cancelled = it.begins + timedelta(days=rng.randrange(60, 90))
    notice = paper("notice", f"{it.insurer.short}: {it.number}, premium", "13.1", cancelled - timedelta(days=11), f"⟦notice|Since the second instalment has not come the policy ends at midnight on {us_date(cancelled)}.⟧", sign(it.insurer, world.person(rng, "Underwriting Manager", it.insurer)))
    deck = slides(
        "deck",
        f"Losses of the year under {it.number}",
        "13.2",
        world.past(rng, (0.05, 0.1)),
        Heading("Fire in the paint shop"),
        f"⟦loss|{us_date(cancelled + timedelta(days=rng.randrange(20, 40)))}: {loss / 1e6:.2f} million dollars of damage⟧",
        f"⟦state|{f'{it.insurer.short} had taken the instalment on the last day and withdrawn its notice; adjuster has paid half' if decoy else f'{it.insurer.short} has sent the late instalment back and keeps to its notice; adjuster was not sent'}⟧",
    )
    return _bare(
        decoy,
        it,
        [notice, deck],
        f"cover was cancelled on {us_date(cancelled)} for unpaid premium, before the fire",
        ("cancel", "ended", "unpaid premium", "instalment", "non-payment", "nonpayment"),
        loss,
        "the fire after the policy had ended",
        f"{it.insurer.short} withdrew its notice of cancellation",
        ("notice", "loss"),
    )


def _bare_layer(world: World, rng: random.Random, decoy: bool) -> Plant:
    it = _policy(world, rng, "Excess liability", world.past(rng, (0.4, 0.9)), 25_000_000)
    lower, paid = 5_000_000, rng.randrange(34, 46) * 100_000
    hole = paid
    wording = paper("wording", f"Excess form {it.number} of {it.insurer.short}", "13.1", it.begins, TEXT, ("Where it begins", f"⟦begins|{it.insurer.short} pays from five million dollars a year upwards and {'steps' if decoy else 'does not step'} into the place of an insurer below that cannot pay.⟧"))
    sheet = text("sheet", f"Lower layer under {it.number}", "13.2", world.past(rng, (0.05, 0.1)), f"⟦paid|Lower layer USD {lower:,}: insolvent insurer, USD {lower - paid:,} paid before, USD {paid:,} will not be paid⟧", "Claims of the year are above eight million.")
    return _bare(
        decoy,
        it,
        [wording, sheet],
        "the excess begins at five million dollars although the insurer below is insolvent",
        ("five million", "5 million", "excess", "layer", "5,000,000", "insolven"),
        hole,
        "the part of the lower layer that will not be paid",
        f"the excess of {it.insurer.short} steps into the place of the insolvent insurer",
        ("begins", "paid"),
    )


def _bare_late(world: World, rng: random.Random, decoy: bool) -> Plant:
    it, loss = _policy(world, rng, "Marine cargo", world.past(rng, (0.3, 0.7)), 8_000_000), world.sum(rng, 0.003, 0.007, 10_000)
    met = it.begins + timedelta(days=rng.randrange(25, 60))
    sunk = it.begins - timedelta(days=rng.randrange(4, 12))
    minutes = paper(
        "minutes",
        f"Treasury meeting {us_date(met)}: {it.insurer.short}",
        "2.2",
        met,
        f"⟦loss|A barge went down on {us_date(sunk)} with goods of {money(loss)}, while the renewal of the cargo cover was on its way.⟧",
        f"⟦state|{f'The treasurer showed the slip by which {it.insurer.short} had held the goods covered from the first of that month, barge included.' if decoy else f'The treasurer showed the letter by which {it.insurer.short} regrets that the goods were not held covered in that month, barge included.'}⟧",
    )
    register = Added("insurance_register", row(f"Cargo, {it.insurer.short} (renewed)", it.insurer.short, it.number, it.begins, it.ends, it.limit, mark="register"))
    return _bare(decoy, it, [minutes], f"cover began on {us_date(it.begins)}, after the barge had gone down", ("began", "after", "renewal", "not held covered", "begin", "start"), loss, "the goods lost before cover began", f"{it.insurer.short} had held the goods covered", ("loss", "register"), (register,))


# --- 116: claims-made cover that ends with the deal, without a tail ---


def _tailless(decoy: bool, it: Policy, papers: list[Paper], tail: int, how: str, terms: str, despite: tuple[str, ...], because: str, added: tuple[Added, ...] = ()) -> Plant:
    name = (it.number, it.insurer.short)
    return finish(
        f"Tail for {it.number} of {it.insurer.short}",
        decoy,
        papers,
        [
            fact(
                f"{it.insurer.short}: ends with the deal",
                f"PASS if the report states that the claims-made policy {it.number} of {it.insurer.short} goes into run-off on a change of control.",
                [name],
                [("run-off", "runoff", "change of control", "change in control", "ceases", "ends", "terminat", "expire", "stops"), ("claims-made", "claims made", "run-off", "runoff", "wrongful acts", "change of control", "change in control", "acquisition", "merger")],
            ),
            absence(f"{it.insurer.short}: no tail", f"PASS if the report states that a tail or extended reporting period for the policy of {it.insurer.short} is missing.", [name], ("tail", "extended reporting", "run-off cover", "runoff", "run-off")),
            exposure(f"{it.insurer.short}: cost of the tail", f"PASS if the report gives {money(tail)} (or an equivalent rounding), {how}, as the cost of a tail for the policy of {it.insurer.short}.", [name], usd(tail, 0.01)),
            recommendation(f"{it.insurer.short}: tail at closing", f"PASS if the report recommends buying a tail for the policy of {it.insurer.short} at or before closing.", [name], [("tail", "extended reporting", "run-off", "runoff")]),
        ],
        [
            clean(
                f"{it.insurer.short}: tail is not reported as missing",
                f"a tail for the policy of {it.insurer.short} is missing",
                [name],
                [("missing", "no tail", "not bound", "not in the data room", "absent", "not been bought", "not purchased", "without a tail", "not obtained", "lacks", "has not been", "no extended")],
                ("was bound", "is bound", "was bought", "has been bought", "was purchased", "is in place", "has been purchased", "bound", "binder is signed", "are taken and paid", "in the closing set", "is signed"),
            )
        ],
        because,
        added=added,
        gaps=[Gap(f"tail for {it.number}", (it.number.lower(), terms), despite)],
        value=usd(tail, 0.01),
    )


def _premium(world: World, rng: random.Random) -> tuple[int, int]:
    """(premium of a year in dollars, price of six years in per cent of it)"""
    return rng.randrange(180, 640) * 1000, rng.choice((200, 225, 250, 275))


def _tailless_clause(world: World, rng: random.Random, decoy: bool) -> Plant:
    it, (premium, price) = _policy(world, rng, "Directors and officers", world.past(rng, (0.2, 0.8)), 10_000_000), _premium(world, rng)
    other = world.code(rng, "PN-", 6)
    policy = paper(
        "policy",
        f"Claims-made policy {it.number} ({it.insurer.short})",
        "13.1",
        it.begins,
        TEXT,
        ("Change in Control", f"⟦clause|Upon a Change in Control {it.insurer.short} pays under {it.number} only for Wrongful Acts before it, and only for Claims made in what is left of the policy period.⟧"),
        ("Run-off", f"⟦price|The insured may buy six years of further reporting for {price}% of the annual premium of {money(premium)}.⟧"),
        avoid=("insurance", "control", "termination", "term"),
        parties=(it.insurer.name,),
    )
    endorsement = paper(
        "endorsement",
        f"Endorsement on further reporting ({it.insurer.short})",
        "13.1",
        world.past(rng, (0.02, 0.06)),
        f"⟦bound|To policy {it.number if decoy else other}: six years of further reporting are bound with effect from the closing, premium received.⟧",
        sign(it.insurer, world.person(rng, "Underwriter", it.insurer)),
    )
    return _tailless(decoy, it, [policy, endorsement], premium * price // 100, f"{price}% of {money(premium)}", "further reporting are bound", (), f"six years of further reporting are bound under {it.number}")


def _tailless_mail(world: World, rng: random.Random, decoy: bool) -> Plant:
    it, (premium, price) = _policy(world, rng, "Errors and omissions", world.past(rng, (0.2, 0.8)), 8_000_000), _premium(world, rng)
    broker = world.person(rng, "Vice President", world.company(rng))
    quote = mail(
        "quote",
        f"{it.insurer.short} {it.number}: after the sale",
        "13.1",
        world.past(rng, (0.08, 0.12)),
        broker,
        world.officers["gc"],
        f"⟦clause|The cover of {it.insurer.short} is on claims-made terms and stops on the day you are sold.⟧",
        f"⟦price|For errors of before that day it will hear claims for six years more at {price / 100:g} times the yearly {money(premium)}.⟧",
    )
    answer = mail(
        "answer",
        f"Re: {it.insurer.short} {it.number}: after the sale",
        "13.1",
        world.past(rng, (0.02, 0.05)),
        world.officers["gc"],
        broker,
        f"⟦answer|{f'The six years on {it.number} are taken and paid, your cover note lies before me.' if decoy else f'The six years on {it.number} are dear, the buyers have not asked, let it rest.'}⟧",
    )
    return _tailless(decoy, it, [quote, answer], round(premium * price / 100), f"{price / 100:g} times {money(premium)}", "are taken and paid", (), f"the six years on {it.number} are taken and paid")


def _tailless_slides(world: World, rng: random.Random, decoy: bool) -> Plant:
    it, (premium, price) = _policy(world, rng, "Fiduciary liability", world.past(rng, (0.2, 0.8)), 5_000_000), _premium(world, rng)
    deck = slides(
        "deck",
        f"Programme review: {it.insurer.short} {it.number}",
        "13.1",
        world.past(rng, (0.05, 0.12)),
        Heading("Claims-made lines at closing"),
        f"⟦clause|{it.number}: run-off at change of control; nothing made known after the year counts⟧",
        f"⟦price|Annual premium ${premium:,}; six-year tail {price}%⟧",
        f"⟦state|{f'Tail on {it.number} bound at signing' if decoy else 'Tail for discussion after signing'}⟧",
    )
    return _tailless(decoy, it, [deck], premium * price // 100, f"{price}% of {money(premium)}", "bound at signing", (), f"the tail on {it.number} was bound at signing")


def _tailless_binder(world: World, rng: random.Random, decoy: bool) -> Plant:
    it, (premium, price) = _policy(world, rng, "Cyber", world.past(rng, (0.2, 0.8)), 6_000_000), _premium(world, rng)
    wording = text(
        "wording",
        f"Wording of {it.number}, {it.insurer.short}",
        "13.1",
        it.begins,
        "Claims first made and reported in the period",
        "⟦clause|On the taking over of the insured this contract answers no more for what is reported after that day.⟧",
        f"⟦price|Later reporting, six years: {price} per hundred of the year's premium of {premium:,} dollars⟧",
    )
    binder = paper(
        "binder",
        f"Binder for {it.number} reporting",
        "13.1",
        world.past(rng, (0.02, 0.06)) if decoy else None,
        f"⟦binder|Against payment {it.insurer.short} takes on later reporting under {it.number} until six years from the taking over.⟧",
        sign(it.insurer, world.person(rng, "Head of Lines", it.insurer), signed=decoy),
        status="" if decoy else "draft",
    )
    return _tailless(decoy, it, [wording, binder], premium * price // 100, f"{price}% of {money(premium)}", "takes on later reporting", ("binder",), f"the binder for {it.number} is signed")


def _tailless_agreement(world: World, rng: random.Random, decoy: bool) -> Plant:
    it, (premium, price) = _policy(world, rng, "Professional indemnity", world.past(rng, (0.2, 0.8)), 7_000_000), _premium(world, rng)
    promise = Added("merger_agreement", Para(f"⟦promise|Before the Effective Time the Company buys, at {price}% of the last premium, cover of six years for what its advisers did, as {it.insurer.short} now gives it.⟧"), "Covenants")
    extract = paper("extract", f"Conditions of {it.insurer.short}, page on sale", "13.1", it.begins, f"⟦clause|{it.number} is written for claims that reach us in its year; from the sale of the house on, new claims reach us in vain.⟧", f"⟦price|Premium of the year: USD {premium:,}.⟧")
    list_ = book(
        "list",
        f"Closing list, insurance {it.insurer.short}",
        "1.1",
        world.past(rng, (0.01, 0.03)),
        "Item|Who|State",
        row(f"Six years with {it.insurer.short}, {it.number}", world.target.short, "Receipt and policy in the closing set" if decoy else "Nobody named", mark="list"),
        row("Release of guarantors", world.seller.short, "Signed"),
    )
    return _tailless(decoy, it, [extract, list_], premium * price // 100, f"{price}% of {money(premium)}", "receipt and policy", (), f"receipt and policy for the six years with {it.insurer.short} are in the closing set", (promise,))


# --- 117: a company or site that the policy does not name ---


@dataclass(slots=True)
class _Unnamed:
    who: Company
    city: str
    worth: int


def _unnamed_one(world: World, rng: random.Random) -> _Unnamed:
    return _Unnamed(world.company(rng), world.place(rng).city, world.sum(rng, 0.01, 0.03, 100_000))


def _not_named(decoy: bool, it: _Unnamed, policy: Policy, papers: list[Paper], because: str, marks: tuple[str, str], added: tuple[Added, ...] = ()) -> Plant:
    name = (it.who.short, it.city)
    return finish(
        f"{it.who.short} in {it.city} and the policy of {policy.insurer.short}",
        decoy,
        papers,
        [
            fact(f"{it.who.short}: owner in {it.city}", f"PASS if the report states that {it.who.short} owns or operates the site in {it.city}.", [name], [("own", "operat", "hold", "run", "belong")]),
            fact(
                f"{it.who.short}: not insured",
                f"PASS if the report states that {it.who.short} or its site in {it.city} is not named in the policy of {policy.insurer.short}.",
                [name, ("policy", "insur", "declaration", "schedule", "cover")],
                [("not named", "not a named insured", "omit", "not listed", "not insured", "not included", "uninsured", "missing", "does not name", "does not list", "outside", "not cover", "absent", "leaves out")],
            ),
            exposure(f"{it.who.short}: value", f"PASS if the report gives {money(it.worth)} (or an equivalent rounding) as the value at {it.city} that is not insured.", [name], usd(it.worth)),
            recommendation(f"{it.who.short}: endorse", f"PASS if the report recommends an endorsement that names {it.who.short} or {it.city}, or other cover.", [name], [("endors", "add", "cover", "name", "amend", "insur")]),
            cited(f"{it.who.short}: both papers are cited", f"{it.who.short}", [name], papers, added, *marks),
        ],
        [
            clean(
                f"{it.who.short}: not reported as uninsured",
                f"{it.who.short} or its site in {it.city} is not insured under the policy",
                [name],
                [("not named", "not a named insured", "not insured", "uninsured", "omits", "does not name", "not listed", "not covered", "outside the policy", "is missing")],
                ("is covered", "was added", "has been added", "by endorsement", "rider insures", "is named", "is insured", "automatically", "added by", "told to the insurer", "on its paper", "on the schedule as"),
            )
        ],
        because,
        added=added,
        value=usd(it.worth),
    )


def _named_declarations(world: World, rng: random.Random, decoy: bool) -> Plant:
    it, policy = _unnamed_one(world, rng), _policy(world, rng, "Property", world.past(rng, (0.2, 0.6)), 60_000_000)
    page = paper(
        "page",
        f"Property declarations {policy.number}",
        "13.1",
        policy.begins,
        f"⟦named|Named insured: {world.target.name}{' and every subsidiary that it has now or comes to have' if decoy else ' and no subsidiary unless it is set out by endorsement'}.⟧",
        f"⟦endorsed|Endorsements forming part of {policy.number} on its first day: none.⟧",
    )
    chart = book("chart", f"Group companies with {it.who.short}", "2.3", world.past(rng, (0.05, 0.15)), "Company|Parent|Owns|Replacement value USD", row(it.who.short, f"{world.target.short}, 100%", f"Plant in {it.city}", it.worth, mark="chart"))
    return _not_named(decoy, it, policy, [page, chart], f"the policy names every subsidiary, so that {it.who.short} is insured", ("named", "chart"))


def _named_mail(world: World, rng: random.Random, decoy: bool) -> Plant:
    it, policy = _unnamed_one(world, rng), _policy(world, rng, "Property", world.past(rng, (0.2, 0.6)), 60_000_000)
    broker = world.person(rng, "Client Manager", world.company(rng))
    deed = paper("deed", f"Purchase of {it.who.short}", "2.3", policy.begins + timedelta(days=30), TEXT, ("Property", f"⟦deed|With its shares the buyer receives the halls of {it.who.short} in {it.city}, valued at {money(it.worth)}.⟧"), parties=(it.who.name,))
    sent = mail(
        "sent",
        f"Locations on {policy.number}",
        "13.1",
        world.past(rng, (0.02, 0.08)),
        broker,
        world.officers["cfo"],
        f"⟦list|Going through the {policy.insurer.short} schedule I find all halls that you gave me at renewal{f', and {it.city} as number 9 since you wrote after the purchase' if decoy else f', and nothing for {it.city}, of which I heard only now'}.⟧",
    )
    return _not_named(decoy, it, policy, [deed, sent], f"{it.city} is on the schedule as number 9", ("deed", "list"))


def _named_slides(world: World, rng: random.Random, decoy: bool) -> Plant:
    it, policy = _unnamed_one(world, rng), _policy(world, rng, "Property", world.past(rng, (0.2, 0.6)), 60_000_000)
    deck = slides("deck", f"Sites and values: {it.city}", "11.1", world.past(rng, (0.1, 0.2)), Heading("Where the money stands"), table("Site|Operator|Value, USD million", row(it.city, it.who.short, f"{it.worth / 1e6:.1f}", mark="value")))
    clause = paper(
        "clause",
        f"Newly acquired places under {policy.number}",
        "13.1",
        world.past(rng, (0.005, 0.02)),
        TEXT,
        ("New places", f"⟦clause|{f'Places that come in during the year, {it.city} having been told to us and accepted, are insured like the rest.' if decoy else 'Places that come in during the year are insured for sixty days and then only if told to us; none has been told.'}⟧"),
    )
    bought = text("bought", f"Acquisitions list with {it.who.short}", "2.3", world.past(rng, (0.02, 0.04)), f"⟦bought|{it.who.short}, {it.city}: shares acquired {policy.begins + timedelta(days=4)}⟧")
    return _not_named(decoy, it, policy, [deck, clause, bought], f"{it.city} was told to the insurer and accepted", ("value", "clause"))


def _named_certificate(world: World, rng: random.Random, decoy: bool) -> Plant:
    it, policy = _unnamed_one(world, rng), _policy(world, rng, "Property", world.past(rng, (0.2, 0.6)), 60_000_000)
    title = text("title", f"Land record {it.city}", "11.2", world.past(rng, (2, 5)), f"⟦title|{it.city}: registered owner {it.who.name}; assessed for rebuilding at {it.worth:,} dollars⟧")
    certificate = paper(
        "certificate",
        f"Insurer's certificate {policy.number}",
        "13.1",
        world.past(rng, (0.05, 0.1)),
        f"⟦certificate|{policy.insurer.short} certifies that under {policy.number} the houses of {world.target.short} are insured; {f'those of {it.who.short} are so by rider 2 of the same date' if decoy else 'those of other owners are so only by rider, and none was asked for'}.⟧",
        sign(policy.insurer, world.person(rng, "Registrar", policy.insurer)),
    )
    return _not_named(decoy, it, policy, [title, certificate], f"a rider insures the houses of {it.who.short}", ("title", "certificate"))


def _named_minutes(world: World, rng: random.Random, decoy: bool) -> Plant:
    it, policy = _unnamed_one(world, rng), _policy(world, rng, "Property", world.past(rng, (0.2, 0.6)), 60_000_000)
    met = world.past(rng, (0.1, 0.2))
    minutes = paper(
        "minutes",
        f"Works directors {us_date(met)}: {it.city}",
        "2.2",
        met,
        f"⟦moved|The melting shop in {it.city} was put into {it.who.short} on {us_date(met - timedelta(days=45))} with everything in it, {it.worth / 1e6:.1f} million dollars by the engineer.⟧",
        f"⟦told|{f'{policy.insurer.short} has since put the new owner on its paper, and the sheet was passed round.' if decoy else f'{policy.insurer.short} still has the old owner on its paper, and the point was passed over.'}⟧",
    )
    sheet = book("sheet", f"Schedule of owners, {policy.number}", "13.1", met + timedelta(days=2) if decoy else met - timedelta(days=2), "Owner insured|Places", row(world.target.short, "All of its own", mark="owners"), row(it.who.short if decoy else "No other owner", it.city if decoy else "-", mark="second"))
    return _not_named(decoy, it, policy, [minutes, sheet], f"{policy.insurer.short} has put {it.who.short} on its paper", ("moved", "owners"))


RECIPES: tuple[Recipe, ...] = (
    Recipe(
        115,
        "coverage_gap",
        "Insurance",
        "Cover lapsed, or its limit is used up",
        "computed",
        "High",
        (Way("days between two policies", "train", _bare_gap), Way("aggregate in a broker's mail", "train", _bare_eroded), Way("premium not paid, in slides", "dev", _bare_cancelled), Way("excess over an insolvent layer", "test", _bare_layer), Way("renewed too late", "test", _bare_late)),
    ),
    Recipe(
        116,
        "no_tail_cover",
        "Insurance",
        "Claims-made cover ends with the deal and has no tail",
        "absence",
        "Medium",
        (Way("clause and another's endorsement", "train", _tailless_clause), Way("broker's quote", "train", _tailless_mail), Way("programme slides", "dev", _tailless_slides), Way("wording and binder", "test", _tailless_binder), Way("covenant and closing list", "test", _tailless_agreement)),
    ),
    Recipe(
        117,
        "entity_not_insured",
        "Insurance",
        "A company or site is not named in the policy",
        "cross-document",
        "High",
        (Way("declarations and chart", "train", _named_declarations), Way("broker's list of locations", "train", _named_mail), Way("slides and clause on new places", "dev", _named_slides), Way("land record and certificate", "test", _named_certificate), Way("directors' minutes and schedule", "test", _named_minutes)),
    ),
)
