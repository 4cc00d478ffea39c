"""Plants of the rights of holders: first refusal, side letters, votes and appraisal (archetypes 8 to 10)."""

from __future__ import annotations

import random
from datetime import timedelta

from redwell.bench.generate.papers import Filler, Heading, Paper, Row
from redwell.bench.generate.plants.briefs import (
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
    conclusion,
    exposure,
    fact,
    usd,
)
from redwell.bench.generate.world import Company, Holder, World
from redwell.bench.generate.writing import (
    both,
    day_month,
    millions,
    money,
    us_date,
)

# Texts of papers stay on one line each.
# fmt: off


def _holding(world: World, rng: random.Random, low: float = 0.01, high: float = 0.04) -> tuple[Company, int, int]:
    """An investor with its shares, which come off the seller's line in the cap table, and their worth at the deal price."""
    fund = world.company(rng, "fund")
    shares = round(world.deal.shares * rng.uniform(low, high) / 1000) * 1000 or 1000
    world.holders[0].shares -= shares
    world.holders.append(Holder(fund.name, "Series A Preferred", shares))
    return fund, shares, round(shares * world.deal.per_share)


# 8: pre-emption, first refusal, drag or tag rights that were not run


def _not_run(decoy: bool, name: str, right: str, rights: tuple[str, ...], worth: int, missing: str, missings: tuple[str, ...], papers: list[Paper], marks: tuple[str, str], gap: Gap, unless: tuple[str, ...], because: str) -> Plant:
    issue = [
        fact(f"{name}: the right", f"PASS if the report states that {name} held {right} on the shares.", [(name,)], [rights]),
        absence(f"{name}: not run", f"PASS if the report states that no {missing} of {name} is in the data room.", [(name,)], missings),
        conclusion(f"{name}: consequence", f"PASS if the report concludes that the transfer or issue may be challenged, or title to the shares is doubtful, because of the right of {name}.", [(name,)],
                   [("challeng", "void", "title", "invalid", "contest", "set aside", "claim", "rescind", "breach", "defect", "unenforceable", "not valid")]),
        exposure(f"{name}: worth of the shares", f"PASS if the report gives {money(worth)} (or an equivalent rounding), the shares at the deal price, as at stake because of {name}.", [(name,)], usd(worth)),
        advice(name, "that the waiver be obtained before or as a condition of closing", "waiver", "obtain", "condition", "ratif", "consent"),
        cites(name, "both the paper that gives the right and the one that shows the transfer or issue", *marks),
    ]
    claim = f"{right} of {name} was not run or waived"
    says = [("not run", "not waived", "no waiver", "not offered", "missing", "unsigned", "not observed", "not complied", "breach", "ignored", "not followed", "outstanding", "no evidence")]
    return plant(decoy, f"{name}: {right}", papers, issue, name, claim, says, unless, because, gaps=[gap], value=usd(worth))


def _refusal_transfer(world: World, rng: random.Random, decoy: bool) -> Plant:
    fund, shares, worth = _holding(world, rng)
    first = world.company(rng, "fund")
    day = world.past(rng, (0.8, 1.6))
    papers = [
        paper("agreement", f"Stockholders Agreement - {first.short}", "2.5", world.past(rng, (3, 4)), f"Among {world.target.name}, {first.name} and the other holders.", TEXT,
              ("Right of First Refusal", f"⟦right|No holder shall transfer shares unless it has first offered them to {first.short} at the same price for {both(30)} days.⟧"), avoid=("assignment", "notices")),
        paper("power", f"Stock Power - {fund.short}", "2.4", day, f"⟦moved|For value received {world.seller.name} transfers {shares:,} shares of Series A Preferred to {fund.name}.⟧", signed((world.seller.name, world.person(rng, "Partner", world.seller)), day=day)),
        paper("waiver", f"Waiver of First Refusal - {first.short}", "2.5", day - timedelta(days=4) if decoy else None, f"⟦waiver|{first.name} declines the shares offered by the letter enclosed and waives its right in respect of their transfer to {fund.short}.⟧",
              signed((first.name, world.person(rng, "General Partner", first)), day=day) if decoy else unsigned(first.name), status="" if decoy else "unsigned"),
    ]
    return _not_run(decoy, first.short, "a right of first refusal", ("first refusal", "rofr"), worth, "signed waiver", ("waiver", "waived"), papers, ("right", "moved"), Gap(f"signed waiver of {first.short}", (first.name.lower(), "waives its right"), ("waiver",)),
                    ("signed waiver", "waived in writing", "waiver was signed", "declined the shares", "waiver is in the room", "waiver is signed"), "the waiver is in the room, signed")


def _refusal_issue(world: World, rng: random.Random, decoy: bool) -> Plant:
    fund, shares, worth = _holding(world, rng)
    first = world.company(rng, "fund")
    day = world.past(rng, (0.5, 1.2))
    papers = [
        paper("rights", f"Investor Rights Agreement - {first.short}", "2.5", world.past(rng, (2, 4)), f"{world.target.name} grants to {first.name}:", TEXT,
              ("New Securities", f"⟦right|Before the Company issues new securities it shall give {first.short} fifteen days' notice and let it subscribe its pro rata part.⟧"), avoid=("notices",)),
        paper("minutes", f"Board Minutes, issue to {fund.short}", "2.2", day, Filler("minutes"), f"⟦issued|The Board issued {shares:,} shares of Series A Preferred to {fund.name} against payment on the same day.⟧"),
        book("notices", f"Notices to Investors ({first.short})", "2.5", world.past(rng, (0.05, 0.2)), "Notices", "To|About|Sent|Answer",
             Row((first.short, f"New securities, {fund.short}" if decoy else "Annual budget", day - timedelta(days=21), "Will not subscribe, by signed reply" if decoy else "None required"), "notice")),
        paper("reply", f"Reply of {first.short} on new securities", "2.5", day - timedelta(days=5) if decoy else None, f"⟦reply|{first.name} does not wish to subscribe to the issue to {fund.short} of which it was told.⟧", signed((first.name, world.person(rng, "Partner", first))) if decoy else unsigned(first.name), status="" if decoy else "form"),
    ]
    return _not_run(decoy, first.short, "a pre-emptive right", ("pre-empti", "preempti", "pro rata", "subscri"), worth, "notice of the issue to or reply", ("notice", "reply", "waiver", "offer"), papers, ("right", "issued"), Gap(f"notice of new securities to {first.short}", (first.short.lower(), "new securities, ")),
                    ("was notified", "notice was given", "will not subscribe", "declined to subscribe", "reply"), "the investor was notified in time and replied that it would not subscribe")


def _refusal_drag(world: World, rng: random.Random, decoy: bool) -> Plant:
    fund, shares, worth = _holding(world, rng)
    lawyer = world.person(rng, "Partner", world.company(rng, "law"))
    gc = world.officers["gc"]
    papers = [
        paper("terms", f"Shareholder Terms {fund.short}", "2.5", world.past(rng, (2, 4)), f"{fund.name} joined these terms with {shares:,} shares.",
              f"⟦right|A sale may be imposed on {fund.short} if a drag notice reaches it twenty business days before the sale agreement is signed; otherwise it may refuse to sell.⟧", TEXT, avoid=("notices",)),
        mail("asked", f"Drag on {fund.short}", "1.2", world.deal.signing + timedelta(days=6), lawyer, gc, f"⟦asked|{gc.first}, the sale agreement was signed on {day_month(world.deal.signing)}. For {fund.short} I need the drag notice and the day on which it went.⟧"),
        mail("told", f"Re: Drag on {fund.short}", "1.2", world.deal.signing + timedelta(days=8), gc, lawyer,
             f"⟦told|{f'It went by courier on {day_month(world.deal.signing - timedelta(days=40))}; the notice and the receipt that {fund.short} signed are in the room.' if decoy else f'I had assumed that your side had sent it. From here nothing went to {fund.short}.'}⟧"),
        paper("drag", f"Drag Notice {fund.short}", "1.2", world.deal.signing - timedelta(days=40) if decoy else None, f"⟦drag|The sale to {world.buyer.short} is imposed on {fund.name} under the terms that it joined.⟧", "Received:",
              signed((fund.name, world.person(rng, "Partner", fund)), day=world.deal.signing - timedelta(days=39)) if decoy else unsigned(fund.name), status="" if decoy else "form"),
    ]
    return _not_run(decoy, fund.short, "a right to refuse the sale for want of a drag notice", ("drag", "refuse"), worth, "drag notice or receipt", ("drag", "notice"), papers, ("right", "told"), Gap(f"drag notice to {fund.short}", ("is imposed on", fund.short.lower()), ("drag",)),
                    ("was sent", "went by courier", "was given", "in time", "receipt"), "the drag notice went in time and its receipt was signed")


def _refusal_tag(world: World, rng: random.Random, decoy: bool) -> Plant:
    fund, shares, worth = _holding(world, rng)
    holder = world.person(rng, "Founder")
    day = world.past(rng, (0.3, 0.9))
    papers = [
        paper("pact", f"Co-Sale Pact {fund.short}", "2.5", world.past(rng, (2, 4)), f"Between {holder.name} and {fund.name}", f"⟦right|If {holder.name} sells, {fund.short} may put as many shares into the sale as it likes, and a sale from which it was kept out does not bind the Company.⟧", avoid=("notices", "assignment")),
        paper("register", f"Share Movements ({holder.last})", "2.4", day + timedelta(days=3), table("Out of|Into|Shares|On", Row((holder.name, world.seller.short, shares, day), "moved")), kinds=("xlsx", "docx")),
        paper("letter", f"Letter of {fund.short} to {holder.name}", "2.5", day - timedelta(days=12) if decoy else day + timedelta(days=80),
              f"⟦letter|{f'You have asked whether we sell with you. We do not, and the Company may enter the sale of {holder.name}.' if decoy else 'We read of your sale in the accounts. Nobody had asked whether we sell with you, and we keep all our rights.'}⟧", f"For {fund.name}: {world.person(rng, 'Partner', fund).name}"),
    ]
    return _not_run(decoy, fund.short, "a co-sale right", ("co-sale", "tag"), worth, "answer to an offer to sell along, or waiver,", ("waiver", "answer", "offer"), papers, ("right", "moved"), Gap(f"declaration of {fund.short} not to sell along", (holder.name.lower(), "may enter the sale")),
                    ("declined", "does not sell", "was asked", "may enter"), "the holder was asked and declined to sell along")


def _refusal_bylaws(world: World, rng: random.Random, decoy: bool) -> Plant:
    holder = world.person(rng, "Former Engineer")
    family = world.company(rng, "fund")
    shares = round(world.deal.shares * rng.uniform(0.004, 0.012) / 1000) * 1000
    worth = round(shares * world.deal.per_share)
    day = world.past(rng, (0.4, 1))
    papers = [
        paper("bylaws", f"Bylaw on Common Shares ({holder.last})", "2.1", world.past(rng, (4, 6)), f"⟦right|Common shares of {holder.name} pass to another only after the Company, by its Board, has let go its option to have them at the price offered.⟧", TEXT, avoid=("assignment",)),
        mail("report", f"Transfer {holder.name}", "2.4", day, world.person(rng, "Equity Administrator"), world.officers["gc"], f"⟦moved|Entered today: {shares:,} common shares of {holder.name} now stand in the name of {family.short}.⟧"),
        paper("extract", f"Book of Resolutions, extract {holder.last}", "2.2", day - timedelta(days=10), Filler("minutes"), f"⟦extract|{f'The Board lets go its option over the {in_words(shares)} common shares of {holder.name}.' if decoy else f'The Board takes note that {holder.name} wishes to give up the seat on the safety panel.'}⟧"),
    ]
    return _not_run(decoy, holder.name, "the company's option over common shares", ("option", "first refusal", "bylaw"), worth, "resolution of the Board to let go its option on the shares", ("resolution", "waiver", "option", "board"), papers, ("right", "moved"), Gap(f"resolution on the option over the shares of {holder.name}", ("lets go its option", holder.name.lower())),
                    ("let go", "lets go", "waived by the board", "board waived"), "the Board had let go its option")


# 9: side letters of investors: veto, put, most favored terms


def _side(decoy: bool, name: str, right: str, rights: tuple[str, ...], result: str, results: tuple[str, ...], sum_: int, papers: list[Paper], marks: tuple[str, ...], unless: tuple[str, ...], because: str) -> Plant:
    issue = [
        fact(f"{name}: side letter", f"PASS if the report states that a side letter gives {name} {right}.", [(name,)], [rights]),
        conclusion(f"{name}: effect", f"PASS if the report concludes that because of its letter {name} {result}.", [(name,)], [results]),
        exposure(f"{name}: sum", f"PASS if the report gives {money(sum_)} (or an equivalent rounding) as at stake under the letter of {name}.", [(name,)], usd(sum_)),
        advice(name, "termination or waiver of the letter at or before closing", "terminat", "waive", "consent", "release"),
        cites(name, "the letter and what shows the holding or the price", *marks),
    ]
    claim = f"the side letter of {name} is in force and gives it {right}"
    says = [rights, ("in force", "gives", "entitl", "may ", "can ", "right", "requires", "block", "veto")]
    return plant(decoy, f"{name}: side letter", papers, issue, name, claim, says, unless, because, value=usd(sum_))


def _side_veto(world: World, rng: random.Random, decoy: bool) -> Plant:
    fund, shares, worth = _holding(world, rng)
    day = world.past(rng, (1.5, 3))
    papers = [
        paper("letter", f"Side Letter - {fund.short}", "2.5", day, f"{world.target.name} to {fund.name}",
              f"⟦veto|So long as {fund.short} holds shares, the Company shall not merge or be sold without its prior written consent.⟧", signed((world.target.name, world.officers["ceo"]), (fund.name, world.person(rng, "Partner", fund))), avoid=("control",)),
        paper("restated", f"Amended and Restated Stockholders Agreement ({fund.short})", "2.5", day + timedelta(days=300),
              f"⟦restated|This Agreement {'supersedes all side letters between the Company and a holder, that with ' + fund.short + ' included, which are terminated.' if decoy else 'leaves in place all side letters between the Company and a holder that are listed in its annex.'}⟧",
              "Annex: letters with holders" if not decoy else "Annex: holders", f"⟦annex|{fund.name}, {shares:,} shares⟧", avoid=("control",)),
    ]
    return _side(decoy, fund.short, "a veto over a merger or sale", ("veto", "consent", "approv", "block"), "can block the deal", ("block", "veto", "prevent", "cannot close", "hold up", "consent is required", "needs the consent"), worth, papers, ("veto", "annex"), ("supersed", "terminated", "restated"),
                 "the restated agreement terminated the side letter")


def _side_put(world: World, rng: random.Random, decoy: bool) -> Plant:
    fund, shares, _ = _holding(world, rng)
    price = round(world.deal.per_share * rng.choice((1.25, 1.4, 1.5)), 2)
    total = round(shares * price)
    papers = [
        paper("letter", f"Letter Agreement on Liquidity - {fund.short}", "2.5", world.past(rng, (1.5, 3)), f"{world.target.name} agrees with {fund.name}:",
              f"⟦put|Upon any merger {fund.short} may require the Company to buy all of its {shares:,} shares at {money(price)} a share, in cash and before others are paid.⟧", TEXT, avoid=("pricing", "control")),
        paper("release", f"Letter on Liquidity, second - {fund.short}", "2.5", world.past(rng, (0.05, 0.2)), f"⟦second|{f'{fund.short} gives up the right to require that its shares be bought and takes what other holders get.' if decoy else f'{fund.short} asks to be told in good time when it can require that its shares be bought.'}⟧",
              signed((fund.name, world.person(rng, "Partner", fund)))),
    ]
    return _side(decoy, fund.short, f"a put at {money(price)} a share", ("put", "require the company to buy", "repurchase", "buy its shares", "sell its shares"), "may demand cash for its shares above the deal price", ("above", "cash", "more than", "premium", "exceed", "demand"), total, papers, ("put",), ("gave up", "gives up", "waived"),
                 "the investor gave the right up in a signed letter")


def _side_favored(world: World, rng: random.Random, decoy: bool) -> Plant:
    fund, shares, _ = _holding(world, rng)
    other, extra = world.company(rng, "fund"), rng.choice((0.5, 0.75, 1.25, 1.5))
    total = round(shares * extra)
    partner, ceo = world.person(rng, "Partner", fund), world.officers["ceo"]
    day = world.past(rng, (0.1, 0.2))
    papers = [
        paper("letter", f"Equal Treatment Undertaking {fund.short}", "2.5", world.past(rng, (1.5, 3)), f"⟦favored|{world.target.short} undertakes to {fund.short} that no holder of the same series will be given a better price; if one is, {fund.short} is to be given the difference on each of its {shares:,} shares.⟧", kinds=("docx", "txt"), avoid=("pricing",)),
        paper("better", f"Exit Letter {other.short}", "2.5", day - timedelta(days=30), f"⟦better|At the exit {other.name}, of the same series, is paid ${extra:.2f} a share on top of what the merger gives.⟧", avoid=("pricing",)),
        mail("note", f"Equal treatment, {fund.short}", "2.5", day, partner, ceo, f"⟦note|{ceo.first}, {'as promised the undertaking is off: the partners signed its cancellation on Tuesday, and we want no difference from anyone.' if decoy else 'a reader of the exit letters would think that our undertaking matters. We shall come to it before closing.'}⟧"),
    ]
    return _side(decoy, fund.short, "the best price that any holder of the series gets", ("most favored", "most-favored", "equal treatment", "best price", "better price", "mfn", "difference"), f"must be paid the difference of ${extra:.2f} a share that {other.short} gets", ("difference", "must be paid", "top-up", "entitled", "same"), total, papers, ("favored", "better"),
                 ("cancel", "off", "waive"), "the undertaking was cancelled")


def _side_mail(world: World, rng: random.Random, decoy: bool) -> Plant:
    fund, shares, worth = _holding(world, rng)
    partner, ceo = world.person(rng, "Managing Partner", fund), world.officers["ceo"]
    floor = round(worth * rng.uniform(1.1, 1.3) / 10_000) * 10_000
    first = world.past(rng, (1, 2))
    papers = [
        mail("promise", f"What we agreed, {fund.short}", "2.5", first, ceo, partner, f"⟦promise|{partner.first}, to put it on record and bind us: in a sale {fund.short} has first call on {millions(floor)}, whatever its shares would fetch, and we will not sell without you.⟧"),
        mail("yes", f"Re: What we agreed, {fund.short}", "2.5", first + timedelta(days=1), partner, ceo, f"⟦yes|Agreed, {ceo.first}. That was the condition of our {shares:,} shares.⟧"),
        mail("after", f"Sale of the company, {fund.short}", "2.5", world.past(rng, (0.05, 0.15)), partner, ceo, f"⟦after|{f'{ceo.first}, our committee has read the merger papers. We agree to the sale, release you from what you wrote to me, and take the same as the rest.' if decoy else f'{ceo.first}, our committee has read the merger papers. It does not find in them what you wrote to me, and will not let it go.'}⟧"),
    ]
    return _side(decoy, fund.short, "a first call on the proceeds and a say in the sale", ("first call", "preference", "priority", "guaranteed", "floor", "proceeds"), "can hold up the sale or claim its first call", ("hold up", "block", "claim", "demand", "insist", "without its", "veto"), floor, papers, ("promise", "yes"), ("release", "agreed to the sale", "takes the same"),
                 "the investor agreed to the sale and released the promise")


def _side_threshold(world: World, rng: random.Random, decoy: bool) -> Plant:
    fund, shares, worth = _holding(world, rng)
    limit = shares + 50_000 if decoy else shares - shares // 10
    papers = [
        paper("charter", f"Protective Provisions ({fund.short})", "2.1", world.past(rng, (2, 4)), f"⟦provision|A sale of the Company needs the vote of {fund.short} for itself, while {fund.short} has at least {limit:,} shares.⟧", TEXT, avoid=("control",)),
        paper("position", f"Positions at Record Date ({fund.short})", "2.4", world.past(rng, (0.02, 0.05)), table("Name|Shares", Row((fund.short, shares), "position")), kinds=("xlsx",)),
        paper("votes", f"Votes Received ({fund.short})", "1.2", world.past(rng, (0.01, 0.03)), table("Name|Vote", Row((fund.short, "None yet"), "vote"), (world.seller.short, "For"))),
    ]
    made = _side(decoy, fund.short, "a vote of its own on a sale", ("vote", "veto", "consent", "approv"), "can block the deal, its vote not having been given", ("block", "veto", "prevent", "required", "hold up", "cannot"), worth, papers, ("provision", "position"), ("below the", "fewer than", "fallen", "no longer", "threshold is not"), "the investor holds fewer shares than the provision asks for")
    made.title = f"{fund.short}: vote of its own"
    return made


# 10: class votes and appraisal rights


def _votes(decoy: bool, name: str, rule: str, rules: tuple[str, ...], defect: str, defects: tuple[str, ...], sum_: int, papers: list[Paper], marks: tuple[str, str], unless: tuple[str, ...], because: str) -> Plant:
    issue = [
        fact(f"{name}: the rule", f"PASS if the report states that for {name} {rule}.", [(name,)], [rules]),
        fact(f"{name}: the defect", f"PASS if the report states that for {name} {defect}.", [(name,)], [defects]),
        exposure(f"{name}: equity at stake", f"PASS if the report gives {money(sum_)} (or an equivalent rounding) as the equity at stake at {name}.", [(name,)], usd(sum_)),
        advice(name, "a new vote or notice, or a limit on dissenting shares as a condition of closing", "vote", "solicit", "notice", "condition", "consent", "dissent", "appraisal"),
        cites(name, "both the paper with the rule and the one that shows the vote or notice", *marks),
    ]
    claim = f"for {name} {defect}"
    return plant(decoy, f"{name}: vote or appraisal", papers, issue, name, claim, [defects], unless, because, value=usd(sum_))


def _votes_series(world: World, rng: random.Random, decoy: bool) -> Plant:
    _, shares, worth = _holding(world, rng, 0.02, 0.05)
    series = world.code(rng, f"Series {rng.choice('KLMNPQ')}-", 2)
    world.holders[-1].share_class = series
    papers = [
        paper("charter", f"Certificate of Incorporation, {series}", "2.1", world.past(rng, (2, 4)), f"Fourth Article ({series})", TEXT,
              ("Separate Vote", f"⟦rule|A merger of the Company requires, beside the vote of all stock, the separate vote of a majority of {series}.⟧")),
        paper("consents", f"Tabulation of Written Consents ({series})", "1.2", world.past(rng, (0.01, 0.04)), table("Class|Outstanding|For", ("All stock, together", world.deal.shares, world.deal.shares * 7 // 10), Row((series, shares, shares * 9 // 10 if decoy else 0), "tally"))),
    ]
    return _votes(decoy, series, "a merger needs a separate vote", ("separate vote", "class vote", "series vote", "vote as a separate", "separate"), "the separate vote has not been obtained", ("not been obtained", "not obtained", "no consent", "not voted", "has not voted", "missing", "zero", "did not vote", "without the"), worth, papers, ("rule", "tally"), ("was obtained", "majority of the series", "voted for", "ninety percent", "90 percent", "90%"),
                  "a majority of the series consented")


def _votes_notice(world: World, rng: random.Random, decoy: bool) -> Plant:
    fund, shares, worth = _holding(world, rng, 0.02, 0.05)
    meeting = world.deal.as_of + timedelta(days=8)
    sent = meeting - timedelta(days=24 if decoy else 11)
    papers = [
        paper("memo", f"Memorandum on Appraisal Rights ({fund.short})", "1.2", world.deal.signing - timedelta(days=5), f"The shares of {fund.name}, {shares:,}, carry appraisal rights under Section 262 of the Delaware General Corporation Law.",
              f"⟦rule|Each such holder must be notified of its appraisal rights not less than {both(20)} days before the special meeting, which is set for {us_date(meeting)}.⟧", Filler("report")),
        paper("affidavit", f"Affidavit of Mailing - {fund.short}", "1.2", sent + timedelta(days=1), f"⟦sent|I mailed the notice of appraisal rights to {fund.name} on {us_date(sent)} and at no other time.⟧", signed((world.target.name, world.person(rng, "Assistant Secretary")))),
    ]
    return _votes(decoy, fund.short, "notice of appraisal rights must be given twenty days before the meeting", ("20", "twenty"), "the notice of appraisal rights was mailed too late", ("too late", "late", "fewer than", "less than", "only 11", "only eleven", "11 days", "eleven days", "untimely"), worth, papers, ("rule", "sent"), ("in time", "timely", "24 days", "twenty-four"),
                  "the notice was mailed more than twenty days before the meeting")


def _votes_demand(world: World, rng: random.Random, decoy: bool) -> Plant:
    fund, shares, worth = _holding(world, rng, 0.03, 0.05)
    lawyer, gc = world.person(rng, "Partner", world.company(rng, "law")), world.officers["gc"]
    day = world.past(rng, (0.01, 0.03))
    papers = [
        mail("demand", f"{fund.short}: appraisal", "1.2", day, lawyer, gc, f"⟦demand|{gc.first}, on behalf of {fund.name} I demand appraisal of its {shares:,} shares, none of which was voted for the merger.⟧"),
        mail("next", f"{fund.short}: appraisal, next step", "1.2", day + timedelta(days=5), lawyer, gc, f"⟦next|{f'{gc.first}, my client takes its demand back, unconditionally, and will hand in its letter of transmittal. Please confirm that the Company agrees.' if decoy else f'{gc.first}, my client thinks that the court will find a third more than the merger price. Please say who will accept service.'}⟧"),
        paper("condition", f"Closing Condition on Dissenters ({fund.short})", "1.1", world.deal.signing, f"⟦rule|The buyer need not close if more than 2% of the shares dissent. On the day of signing {fund.short} was among those who had not yet said how they would vote.⟧", kinds=("docx", "txt")),
    ]
    return _votes(decoy, fund.short, "the buyer need not close if more than 2% of the shares dissent", ("2%", "2 percent", "two percent", "need not close", "condition"), "appraisal of its shares has been demanded", ("appraisal", "dissent"), worth, papers, ("rule", "demand"), ("taken back", "takes its demand back", "withdr", "took back"), "the demand was taken back")


def _votes_majority(world: World, rng: random.Random, decoy: bool) -> Plant:
    _, shares, worth = _holding(world, rng, 0.03, 0.05)
    joined = shares * (61 if decoy else 52) // 100
    series = world.code(rng, "Founders' Series ", 2)
    world.holders[-1].share_class = series
    papers = [
        paper("articles", f"Rights of {series}", "2.1", world.past(rng, (3, 5)), f"⟦rule|Three fifths of {series}, voting by itself, have to agree before the Company goes into a merger.⟧", kinds=("docx", "txt")),
        paper("slide", f"Vote Count {series}", "1.2", world.past(rng, (0.01, 0.03)), Heading(f"{series}: {shares:,} in issue"), f"⟦tally|Agreed: {joined:,}⟧", "Chart shows state at the close of the poll", kinds=("pptx",)),
    ]
    return _votes(decoy, series, "three fifths must agree to a merger", ("three fifths", "three-fifths", "60%", "60 percent", "3/5"), "fewer than three fifths agreed", ("fewer", "less than", "short of", "not reach", "only", "below", "insufficient", "not met", "fell short"), worth, papers, ("rule", "tally"), ("reached", "was met", "more than three fifths"), "more than three fifths agreed")


def _votes_subsidiary(world: World, rng: random.Random, decoy: bool) -> Plant:
    _, _, worth = _holding(world, rng, 0.03, 0.05)
    issue = world.code(rng, f"Class {rng.choice('RSTUVW')}", 2)
    world.holders[-1].share_class = issue
    day = world.past(rng, (0.02, 0.05))
    papers = [
        paper("terms", f"Stock Terms {issue}", "2.1", world.past(rng, (2, 4)), f"⟦rule|{issue} shares do not vote, but where a merger pays them otherwise than common shares they vote by themselves and their majority decides.⟧", TEXT),
        paper("plan", f"Plan of Merger, consideration for {issue}", "1.1", world.deal.signing, f"⟦otherwise|Common shares receive cash. {issue} shares receive {'cash in the same sum' if decoy else 'a note of the buyer that falls due in two years'}.⟧"),
        paper("session", f"Special Committee, {day_month(day)} ({issue})", "1.2", day, Filler("minutes"), f"⟦none|Asked about {issue}, counsel answered that its holders had been asked for no vote.⟧"),
    ]
    return _votes(decoy, issue, "holders vote by themselves if a merger pays them otherwise than common shares", ("otherwise", "different", "differ"), "no vote was asked for although the holders are paid in a note", ("no vote", "not asked", "without a vote", "was not held", "not been asked", "not been held"), worth, papers, ("rule", "otherwise"), ("same sum", "same consideration", "not required", "no vote is needed"), "the class is paid the same cash as common shares, so that it does not vote")


RECIPES: tuple[Recipe, ...] = (
    Recipe(8, "preemption", "Capitalization", "Rights over the shares were not run or waived", "absence", "High", (
        Way("first refusal on a transfer", "train", _refusal_transfer),
        Way("new securities without notice", "train", _refusal_issue),
        Way("drag notice not sent", "dev", _refusal_drag),
        Way("co-sale pact", "test", _refusal_tag),
        Way("option in the bylaws", "test", _refusal_bylaws),
    )),
    Recipe(9, "investor_veto", "Capitalization", "A letter gives an investor a veto, a put or better terms", "cross-document", "High", (
        Way("consent in a side letter", "train", _side_veto),
        Way("put above the price", "train", _side_put),
        Way("equal treatment", "dev", _side_favored),
        Way("promise by mail", "test", _side_mail),
        Way("provision with a threshold", "test", _side_threshold),
    )),
    Recipe(10, "class_vote_or_appraisal", "Capitalization", "A class vote or appraisal rights were overlooked", "cross-document", "High", (
        Way("separate vote of a series", "train", _votes_series),
        Way("notice mailed late", "train", _votes_notice),
        Way("demand by mail", "dev", _votes_demand),
        Way("three fifths not reached", "test", _votes_majority),
        Way("class paid in notes", "test", _votes_subsidiary),
    )),
)
