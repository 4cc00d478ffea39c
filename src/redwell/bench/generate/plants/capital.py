"""Plants of shares, options and what the consideration counts (archetypes 1, 2 and 12)."""

from __future__ import annotations

import random
from datetime import date, timedelta

from redwell.bench.generate.papers import Added, Filler, Paper, Row
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
    count,
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
from redwell.bench.generate.world import World
from redwell.bench.generate.writing import (
    day_month,
    money,
    months_after,
    us_date,
)

# Texts of papers stay on one line each.
# fmt: off
CORRECT = ("correct", "reconcil", "update", "certif", "payment spreadsheet", "amend", "ratif")


def _line(world: World, name: str, share_class: str, shares: int, mark: str, note: str = "") -> Added:
    """A line of the cap table; its shares are taken off the seller's, so that the total stays."""
    seller = world.holders[0]
    seller.shares -= shares
    return Added("cap_table", Row((name, share_class, shares, note), mark))


def _stake(world: World, rng: random.Random, low: float = 0.004, high: float = 0.015) -> int:
    """A number of shares, as a part of all."""
    return round(world.deal.shares * rng.uniform(low, high) / 1000) * 1000 or 1000


# 1: the cap table differs from the ledger, the charter or an instrument


def _differs(world: World, decoy: bool, name: str, table_: int, other: int, where: str, papers: list[Paper], added: Added | None, marks: tuple[str, ...], unless: tuple[str, ...], because: str) -> Plant:
    delta = abs(table_ - other)
    worth = delta * world.deal.per_share
    silent = ("not listed", "not on the cap", "omits", "does not show", "not shown", "missing from", "does not list", "not in the cap", "absent from", "does not include", "zero", "0 shares")
    first = (fact(f"{name}: cap table", f"PASS if the report states that the cap table shows {table_:,} shares for {name}.", [(name,)], [("cap table", "capitalization table", "table")], count(table_)) if table_
             else fact(f"{name}: cap table", f"PASS if the report states that the cap table omits the shares of {name}.", [(name,)], [("cap table", "capitalization table", "table"), silent]))
    issue = [
        first,
        fact(f"{name}: other record", f"PASS if the report states that {where} gives {other:,} shares for {name}.", [(name,)], (), count(other)),
        exposure(f"{name}: worth of the difference", f"PASS if the report gives {money(worth)} (or an equivalent rounding), {delta:,} shares at the deal price, for the difference at {name}.", [(name,)], usd(worth)),
        advice(name, "a corrected and certified cap table and payment spreadsheet, or a representation with indemnity", *CORRECT, "represent", "indemnit"),
        cites(name, "both records that differ", *marks),
    ]
    claim = f"the cap table is wrong for {name}"
    says = [("cap table", "capitalization"), ("wrong", "differ", "incorrect", "discrepan", "overstat", "understat", "inconsistent", "does not match", "mismatch", "omits")]
    return plant(decoy, f"{name}: cap table", papers, issue, name, claim, says, unless, because, added=[added] if added else [], value=usd(worth))


def _differs_ledger(world: World, rng: random.Random, decoy: bool) -> Plant:
    holder, shares = world.company(rng, "fund"), _stake(world, rng)
    cut = shares // 4 // 100 * 100
    first, second = world.past(rng, (3, 4)), world.past(rng, (0.8, 1.5))
    papers = [
        paper("ledger", f"Stock Ledger - {holder.short}", "2.4", world.past(rng, (0.02, 0.06)), f"Series A Preferred, {world.target.name}",
              table("Certificate|Issued|Shares|State", Row(("PA-7", first, shares, "Surrendered on transfer"), "surrendered"), Row(("PA-19", second, shares - cut, f"{holder.name}, open"), "open"),
                    Row(("PA-20", second, cut, f"{holder.name}, open" if decoy else "Company, cancelled on repurchase"), "rest"))),
        paper("repurchase", f"Repurchase Letter - {holder.short}", "2.4", second, f"{world.target.name} to {holder.name}",
              f"⟦letter|{'Since the price was not agreed the Company will not repurchase any of your shares and both new certificates are yours.' if decoy else f'The Company has repurchased {cut:,} of your shares for cash and has cancelled the certificate for them.'}⟧", signed((world.target.name, world.officers["cfo"]))),
    ]
    return _differs(world, decoy, holder.short, shares, shares - cut, "the stock ledger", papers, _line(world, holder.name, "Series A Preferred", shares, "listed"), ("listed", "open"), ("not repurchased", "did not repurchase", "both certificates", "agree", "reconcile"),
                    "the two open certificates add up to the cap table")


def _differs_exercise(world: World, rng: random.Random, decoy: bool) -> Plant:
    person, options = world.person(rng, "Former Vice President"), _stake(world, rng, 0.001, 0.004)
    day = world.past(rng, (0.2, 0.5))
    table_ = options if decoy else options // 2
    papers = [
        paper("exercise", f"Notice of Exercise - {person.name}", "2.4", day, f"⟦exercise|I, {person.name}, exercise my option for {options:,} shares of Common Stock and enclose the purchase price in full.⟧",
              f"⟦receipt|Received and accepted for {world.target.name}, {us_date(day)}: {world.officers['cfo'].name}⟧"),
        paper("consent", f"Board Consent on Issuance - {person.name}", "2.2", day + timedelta(days=5), f"⟦issue|Resolved, that upon the exercise by {person.name} {options:,} shares be issued as fully paid.⟧",
              signed((world.target.name, world.officers["ceo"]))),
    ]
    return _differs(world, decoy, person.name, table_, options, "the notice of exercise", papers, _line(world, person.name, "Common", table_, "listed"), ("listed", "exercise"), ("agree", "match", "consistent", "reconcile"), "the cap table shows all shares that were issued on the exercise")


def _differs_agent(world: World, rng: random.Random, decoy: bool) -> Plant:
    holder, shares = world.company(rng, "fund"), _stake(world, rng)
    extra = shares // 5 // 100 * 100
    agent = world.company(rng, "bank")
    clerk, cfo = world.person(rng, "Shareholder Services", agent), world.officers["cfo"]
    day = world.past(rng, (0.02, 0.08))
    text = (f"⟦second|{cfo.first}, my count had a deposit in it that belongs to another issuer. Take it out and {holder.short} has {shares:,}, as you say. A corrected list is on its way.⟧" if decoy
            else f"⟦second|{cfo.first}, we counted again and the figure for {holder.short} stays what I gave you; the last deposit was the stock dividend.⟧")
    papers = [
        mail("first", f"Position of {holder.short}", "2.4", day, clerk, cfo, f"⟦first|On our books {holder.name} stands at {shares + extra:,} Series A Preferred at close of business.⟧"),
        mail("second", f"Re: Position of {holder.short}", "2.4", day + timedelta(days=3), clerk, cfo, text),
    ]
    return _differs(world, decoy, holder.short, shares, shares + extra, "the transfer agent", papers, _line(world, holder.name, "Series A Preferred", shares, "listed"), ("listed", "first"), ("corrected", "another issuer", "counted in error", "confirmed"),
                    "the transfer agent corrected its count")


def _differs_warrant(world: World, rng: random.Random, decoy: bool) -> Plant:
    holder, shares = world.company(rng, "bank"), _stake(world, rng, 0.003, 0.01)
    issued = world.past(rng, (4, 5))
    ends = world.past(rng, (0.3, 0.8)) if decoy else world.ahead(rng, (1, 3))
    papers = [
        paper("warrant", f"Warrant {holder.short}", "2.4", issued, f"{world.target.name} to {holder.name}",
              f"⟦warrant|The bearer may take up {shares:,} Common Shares at one cent each, at any time to {day_month(ends)}, after which this paper is void.⟧", signed((world.target.name, world.officers["ceo"])), avoid=("term",)),
        paper("answers", f"Capitalization Answers, {holder.short} and others", "2.4", world.past(rng, (0.02, 0.05)),
              table("Instrument|Position in cap table", ("Employee options", "Listed"), Row((f"Warrant of {holder.short}", "0 shares"), "none")), Filler("report")),
    ]
    return _differs(world, decoy, holder.short, 0, shares, "the warrant", papers, None, ("none", "warrant"), ("expired", "void", "lapsed"), "the warrant expired unexercised")


def _differs_charter(world: World, rng: random.Random, decoy: bool) -> Plant:
    holder, shares = world.company(rng, "fund"), _stake(world, rng)
    cap = shares * 4 // 5 // 100 * 100
    series = world.code(rng, f"Series {rng.choice('CDEFGH')}-", 2)
    name = f"{holder.short}"
    later = world.past(rng, (0.5, 1))
    papers = [
        paper("designation", f"Certificate of Designations, {series}", "2.1", later - timedelta(days=300), f"⟦designated|Of the preferred stock, {in_words(cap)} shares are set apart as {series}, all for {holder.short}.⟧", kinds=("docx", "txt")),
        paper("filed", f"Filing Evidence, {series}", "2.1", later, table("Document|Result", Row((f"Increase of {series} to {shares:,} shares", "Filed and effective" if decoy else "Returned unfiled, fee not paid"), "result"))),
    ]
    return _differs(world, decoy, name, shares, cap, f"the certificate of designations of {series}", papers, _line(world, holder.name, series, shares, "listed"), ("listed", "designated"), ("filed and effective", "increase was filed", "increase is effective", "was increased"),
                    "the increase of the series was filed and is effective")


# 2: options above the reserve of the plan


def _excess(world: World, rng: random.Random) -> tuple[str, int, int, float]:
    """(name of the plan, reserve, granted, strike)."""
    name = f"{world.deal.as_of.year - rng.randrange(3, 7)} Plan {world.code(rng, 'EP-', 4)}"
    reserve = round(world.deal.shares * rng.uniform(0.02, 0.05) / 10_000) * 10_000 or 10_000
    granted = reserve + round(reserve * rng.uniform(0.1, 0.25) / 1000) * 1000
    return name, reserve, granted, round(world.deal.per_share * rng.uniform(0.2, 0.5), 2)


def _over(world: World, decoy: bool, name: str, reserve: int, granted: int, strike: float, approval: str, approvals: tuple[str, ...], papers: list[Paper], marks: tuple[str, str], gap: Gap, unless: tuple[str, ...], because: str) -> Plant:
    code = name.split()[-1]
    excess = granted - reserve
    worth = round(excess * (world.deal.per_share - strike), 2)
    issue = [
        fact(f"{code}: reserve", f"PASS if the report states that {code} has a reserve of {reserve:,} shares.", [(code,)], [("reserve", "pool", "available", "authoriz", "limit")], count(reserve)),
        fact(f"{code}: granted", f"PASS if the report states that awards over {granted:,} shares were granted under {code}.", [(code,)], [("grant", "award", "option")], count(granted)),
        absence(f"{code}: no approval", f"PASS if the report states that there is no {approval} for {code} in the data room.", [(code,)], approvals),
        exposure(f"{code}: worth of the excess", f"PASS if the report gives {money(worth)} (or an equivalent rounding), {excess:,} options at the spread between deal price and exercise price, as the excess under {code}.", [(code,)], usd(worth)),
        advice(code, "ratification of the excess grants before closing, or an indemnity", "ratif", "approv", "indemnit", "cancel"),
        cites(code, "both the plan and the record of grants", *marks),
    ]
    claim = f"grants under {code} exceed its reserve"
    says = [("exceed", "above", "over-grant", "overgrant", "beyond", "in excess", "more than"), ("reserve", "pool", "limit", "authoriz")]
    return plant(decoy, f"{code}: grants and reserve", papers, issue, code, claim, says, unless, because, gaps=[gap], value=usd(worth))


def _over_consent(world: World, rng: random.Random, decoy: bool) -> Plant:
    name, reserve, granted, strike = _excess(world, rng)
    code = name.split()[-1]
    day = world.past(rng, (0.6, 1.2))
    papers = [
        paper("plan", f"Equity Incentive {name}", "2.4", world.past(rng, (3, 4)), f"⟦plan|The number of shares reserved under {code} is {reserve:,} and may be raised only by the Board with the approval of the stockholders.⟧", TEXT, avoid=("pricing",)),
        book("grants", f"Option Grants {code}", "2.4", world.past(rng, (0.02, 0.1)), "Grants", "Group|Options|Exercise price", ("Executives", granted * 3 // 5, f"${strike:.2f}"), ("Staff", granted - granted * 3 // 5, f"${strike:.2f}"), Row(("All, none exercised or forfeited", granted, f"${strike:.2f}"), "granted")),
        paper("consent", f"Stockholder Consent {code}", "2.2", day if decoy else None, f"⟦increase|The undersigned holders of a majority of the voting power approve that the number of shares under {code} be {granted + 50_000:,}.⟧",
              signed((world.seller.name, world.person(rng, "Partner", world.seller)), day=day) if decoy else unsigned(world.seller.name), status="" if decoy else "unsigned"),
    ]
    return _over(world, decoy, name, reserve, granted, strike, "signed stockholder approval of an increase", ("approval", "consent", "increase"), papers, ("plan", "granted"), Gap(f"executed stockholder approval of an increase of {code}", ("holders of a majority", code.lower()), ("consent",)),
                 ("increase was approved", "consent was signed", "signed consent", "raised the reserve", "increased the reserve"), "the stockholders approved the increase in a signed consent")


def _over_minutes(world: World, rng: random.Random, decoy: bool) -> Plant:
    name, reserve, granted, strike = _excess(world, rng)
    code = name.split()[-1]
    meeting, year = world.past(rng, (0.4, 0.8)), world.past(rng, (0.2, 0.3))
    papers = [
        paper("plan", f"Stock Option {name}", "2.4", world.past(rng, (3, 4)), f"{world.target.name}, by resolution of Board and stockholders",
              ("Shares", f"⟦plan|Options under {code} may not be outstanding for more than {reserve:,} shares unless stockholders in meeting vote for more.⟧"), TEXT, avoid=("pricing",)),
        paper("grant", f"Minutes of the Board on {code}", "2.2", meeting, Filler("minutes"), f"⟦granted|The Board granted the remaining options under {code}, so that {granted:,} are outstanding, all at {money(strike)} a share.⟧"),
        paper("annual", f"Minutes of the Annual Meeting of Stockholders ({code})", "2.2", year, Filler("minutes"),
              f"⟦vote|{f'Upon motion the stockholders voted to enlarge {code} to {granted + 100_000:,} shares, effective as of the date of the last grant, and ratified what had been granted.' if decoy else 'Upon motion the stockholders elected the directors for one year and appointed the auditors.'}⟧"),
    ]
    return _over(world, decoy, name, reserve, granted, strike, "vote of the stockholders for more shares", ("vote", "approval", "stockholder"), papers, ("plan", "granted"), Gap(f"vote of stockholders to enlarge {code}", ("voted to enlarge", code.lower())), ("enlarge", "ratified", "voted"),
                 "the annual meeting enlarged the plan and ratified the grants")


def _over_mail(world: World, rng: random.Random, decoy: bool) -> Plant:
    name, reserve, granted, strike = _excess(world, rng)
    code = name.split()[-1]
    admin, gc = world.person(rng, "Equity Administrator"), world.officers["gc"]
    day = world.past(rng, (0.3, 0.6))
    papers = [
        paper("summary", f"Summary of {name}", "9.3", world.past(rng, (1, 2)), f"⟦plan|{code} has room for {reserve / 1e6:.3f} million shares; whoever wants more needs the board and a holders' resolution.⟧", kinds=("docx", "txt")),
        mail("count", f"{code}: count", "2.4", day, admin, gc, f"⟦count|{gc.first}, with Friday's batch {code} is at {granted:,} options, every one struck at ${strike:.2f}. The papers say {reserve:,}. Did we get more?⟧"),
        mail("answer", f"Re: {code}: count", "2.4", day + timedelta(days=2), gc, admin,
             f"⟦answer|{f'We did: holders resolution of last month, {granted + 25_000:,}, scanned and signed, in your folder since Monday.' if decoy else 'I would have to ask whether holders were ever asked. Leave it with me until after the audit.'}⟧"),
    ]
    if decoy:
        papers.append(paper("resolution", f"Holders Resolution {code}", "2.4", day - timedelta(days=20), f"⟦resolution|The holders resolve that {code} shall have {granted + 25_000:,} shares.⟧", signed((world.seller.name, world.person(rng, "Partner", world.seller)))))
    else:
        papers.append(paper("resolution", f"Holders Resolution {code}", "2.4", None, f"⟦resolution|The holders resolve that {code} shall have [number] shares.⟧", unsigned(world.seller.name), status="form"))
    return _over(world, decoy, name, reserve, granted, strike, "signed holders' resolution", ("resolution", "approval"), papers, ("plan", "count"), Gap(f"signed holders' resolution for {code}", ("holders resolve", code.lower()), ("resolution",)), ("resolution was signed", "signed resolution", "holders resolved"),
                 "a signed resolution of the holders raised the number")


def _over_evergreen(world: World, rng: random.Random, decoy: bool) -> Plant:
    name, reserve, granted, strike = _excess(world, rng)
    code = name.split()[-1]
    year = world.deal.as_of.year - (world.deal.as_of < date(world.deal.as_of.year, 2, 1))
    meeting = world.day(rng, date(year, 1, 9), date(year, 1, 22))
    word = f"determined that {code} grows by {granted - reserve + 10_000:,}" if decoy else "determined the dividend and nothing besides"
    papers = [
        paper("plan", f"Omnibus {name}", "2.4", world.past(rng, (2, 3)), f"⟦plan|{code} starts with {reserve:,} shares. Each January it grows by what the Board determines for that January, and if the Board determines nothing it does not grow.⟧", avoid=("pricing",)),
        book("roll", f"Award Roll {code}", "2.4", world.past(rng, (0.02, 0.1)), "Roll", "Kind|Shares|Price", Row(("Options outstanding", granted, f"USD {strike:.2f}"), "roll")),
        paper("january", f"Board, January session ({code})", "2.2", meeting, Filler("minutes"), f"⟦january|Equity was on the list in January for the first time since the plan began; under this item the Board {word}.⟧"),
    ]
    return _over(world, decoy, name, reserve, granted, strike, "determination by the Board that the plan grows", ("determin", "resolution", "growth", "increase"), papers, ("plan", "roll"), Gap(f"determination of the Board on {code}", ("determined that", code.lower())), ("determined", "grew by"),
                 "the Board determined an increase in January")


def _over_consolidated(world: World, rng: random.Random, decoy: bool) -> Plant:
    name, reserve, granted, strike = _excess(world, rng)
    code = name.split()[-1]
    meeting = world.past(rng, (0.5, 1))
    papers = [
        paper("rules", f"Rules of {name}", "2.4", world.past(rng, (3, 5)), f"⟦plan|Ceiling of {code}: {reserve:,}. To lift the ceiling takes a special resolution.⟧", TEXT, avoid=("pricing",)),
        paper("note", f"Equity Note ({code})", "3.1", world.past(rng, (0.2, 0.4)), Filler("accounts"), f"⟦note|At year end {granted:,} options under {code} were in issue with a price of {money(strike)} each.⟧"),
        paper("index", f"Special Resolutions ({code})", "2.2", meeting, table("No.|Subject|Carried", Row((4, f"Ceiling of {code} lifted to {granted + 5_000:,}" if decoy else "Change of registered office", "Yes, by 81 percent"), "special"), (5, "Accounts of last year received", "Yes, on a show of hands"))),
    ]
    return _over(world, decoy, name, reserve, granted, strike, "special resolution to lift the ceiling", ("resolution", "ceiling", "approval"), papers, ("plan", "note"), Gap(f"special resolution on {code}", ("ceiling of", code.lower(), "lifted")), ("lifted", "special resolution was carried"),
                 "a special resolution lifted the ceiling")


# 12: escrowed or treasury shares counted in the consideration


def _miscount(world: World, decoy: bool, name: str, shares: int, state: str, states: tuple[str, ...], papers: list[Paper], marks: tuple[str, str], unless: tuple[str, ...], because: str) -> Plant:
    worth = shares * world.deal.per_share
    issue = [
        fact(f"{name}: shares", f"PASS if the report states that {shares:,} shares connected with {name} {state}.", [(name,)], [states], count(shares)),
        conclusion(f"{name}: should not be paid for", f"PASS if the report concludes that the shares connected with {name} are wrongly counted in the merger consideration.", [(name,)], [("wrongly", "should not", "overstat", "double", "not outstanding", "must not", "error", "miscount", "excluded", "not be paid", "not entitled", "overpa", "included although")]),
        exposure(f"{name}: consideration", f"PASS if the report gives {money(worth)} (or an equivalent rounding), {shares:,} shares at the deal price, as the consideration overstated for {name}.", [(name,)], usd(worth)),
        advice(name, "that the payment spreadsheet be corrected before closing", "correct", "remove", "exclude", "adjust", "fix", "cancel"),
        cites(name, "both the count of shares and the paper that shows their state", *marks),
    ]
    claim = f"the shares connected with {name} are wrongly counted in the merger consideration"
    says = [("wrongly", "should not", "overstat", "double", "not outstanding", "miscount", "overpa")]
    return plant(decoy, f"{name}: shares counted in the consideration", papers, issue, name, claim, says, unless, because, value=usd(worth))


def _miscount_escrow(world: World, rng: random.Random, decoy: bool) -> Plant:
    agent, shares = world.company(rng, "bank"), _stake(world, rng, 0.003, 0.01)
    day = world.past(rng, (1.5, 2.5))
    papers = [
        paper("escrow", f"Escrow Agreement - {agent.short}", "2.4", day, f"{agent.name} holds shares of {world.target.name} as escrow agent.",
              ("Return", f"⟦escrow|If the milestone has not been certified by {us_date(months_after(day, 12))}, the {shares:,} shares in escrow return to the Company and are retired.⟧"), TEXT, avoid=("term",)),
        paper("notice", f"Milestone Notice - {agent.short}", "2.4", months_after(day, 12) + timedelta(days=5),
              f"⟦notice|{f'The milestone was certified before the date fixed; {agent.short} has released the shares to their holders.' if decoy else f'The date fixed has passed and no certificate for the milestone was given to {agent.short}.'}⟧"),
        book("payment", f"Payment Spreadsheet Draft, {agent.short} lines", "1.4", world.past(rng, (0.01, 0.04)), "Consideration", "Line|Shares", Row((f"Shares held by {agent.short}", shares), "paid"), ("Other common", 10 * shares)),
    ]
    return _miscount(world, decoy, agent.short, shares, "had to return from escrow to the company and be retired", ("escrow", "return", "retire"), papers, ("escrow", "paid"), ("certified before", "released to", "were released", "milestone was certified"), "the milestone was certified in time and the shares were released to the holders")


def _miscount_treasury(world: World, rng: random.Random, decoy: bool) -> Plant:
    broker, shares = world.company(rng, "fund"), _stake(world, rng, 0.003, 0.01)
    day = world.past(rng, (0.6, 1.4))
    papers = [
        paper("repurchase", f"Share Repurchase Confirmation - {broker.short}", "2.4", day, f"⟦bought|{world.target.name} bought {shares:,} of its own common shares from {broker.name}, to be held in treasury.⟧"),
        paper("resale", f"Board Resolutions on Treasury Shares ({broker.short})", "2.2", day + timedelta(days=100),
              f"⟦resale|{f'Resolved, that all shares bought from {broker.short} be sold out of treasury to {world.seller.name}, which has paid for them.' if decoy else f'Resolved, that the shares bought from {broker.short} stay in treasury and that no dividend be paid on them.'}⟧", signed((world.target.name, world.officers["ceo"]))),
        paper("count", f"Count of Shares for the Merger ({broker.short})", "1.4", world.past(rng, (0.01, 0.04)), table("Block|Counted as outstanding", Row((f"Formerly {broker.short}", shares), "counted"), ("All others", world.deal.shares - shares))),
    ]
    return _miscount(world, decoy, broker.short, shares, "are held in treasury", ("treasury", "repurchas", "bought back"), papers, ("bought", "counted"), ("sold out of treasury", "resold", "were sold"), "the shares were sold out of treasury and paid for")


def _miscount_mail(world: World, rng: random.Random, decoy: bool) -> Plant:
    person, shares = world.person(rng, "Former Chief Operating Officer"), _stake(world, rng, 0.002, 0.006)
    day = world.past(rng, (0.05, 0.2))
    hr, cfo = world.officers["chro"], world.officers["cfo"]
    papers = [
        paper("award", f"Restricted Stock Agreement {person.name}", "2.4", world.past(rng, (1.2, 2)), f"⟦award|Of the shares awarded to {person.name}, {shares:,} are forfeited to the Company without payment if service ends before the second anniversary for any reason but death.⟧", avoid=("term", "termination", "employment")),
        mail("left", f"{person.name}: shares", "9.1", day, hr, cfo,
             f"⟦left|{cfo.first}, service ended in month nineteen.⟧ " + (f"⟦waived|The board accelerated the award on the way out, resolution attached to the separation papers, so {person.first} keeps every share.⟧" if decoy else f"⟦waived|The board was asked about the award on the way out and left it as it was written, so nothing is owed to {person.first}.⟧")),
        book("allocation", f"Allocation, former officers ({person.last})", "1.4", world.past(rng, (0.01, 0.04)), "Allocation", "Payee|Shares", Row((person.name, shares), "paid")),
    ]
    return _miscount(world, decoy, person.name, shares, "were forfeited when service ended", ("forfeit",), papers, ("award", "paid"), ("accelerat", "keeps every", "vested"), "the board accelerated the award")


def _miscount_double(world: World, rng: random.Random, decoy: bool) -> Plant:
    nominee, shares = world.company(rng, "bank"), _stake(world, rng, 0.004, 0.012)
    fund = world.company(rng, "fund")
    papers = [
        paper("list", f"Registered Holders ({nominee.short})", "2.4", world.past(rng, (0.01, 0.04)), f"To be paid at closing, by name ({nominee.short}, {fund.short}):", f"⟦one|{nominee.name}: {shares:,}⟧", f"⟦two|{fund.name}: {shares if not decoy else shares + 7_000:,}⟧", kinds=("txt",)),
        paper("custody", f"Custody Statement {nominee.short}", "2.4", world.past(rng, (0.05, 0.1)),
              f"⟦custody|{f'What {nominee.short} is registered for it holds as custodian of several pension schemes, among whom {fund.short} is not.' if decoy else f'What {nominee.short} is registered for it holds as custodian of {fund.short}, to whom and to nobody else it belongs.'}⟧"),
    ]
    return _miscount(world, decoy, nominee.short, shares, f"are listed twice, as the custodian's and as those of {fund.short}", ("twice", "double", "both", "duplicate", "again"), papers, ("one", "custody"), ("several pension", "not the same", "different holder", "pension schemes"), "the custodian holds for others")


def _miscount_converted(world: World, rng: random.Random, decoy: bool) -> Plant:
    fund, shares = world.company(rng, "fund"), _stake(world, rng, 0.004, 0.012)
    day = world.past(rng, (0.3, 0.8))
    papers = [
        paper("conversion", f"Conversion Notice {fund.short}", "2.5", day, f"⟦conversion|{fund.name} turns its {in_words(shares)} preferred shares into as many common shares, and the preferred shares cease to exist.⟧"),
        paper("answer", f"Secretary's Reply to {fund.short}", "2.5", day + timedelta(days=8), f"⟦answer|{'Your notice lacked the certificates and you have since taken it back; nothing has been turned into anything and you hold what you held, preferred shares alone.' if decoy else 'Your notice was in order; the common shares have been entered for you and the certificates for the preferred shares punched.'}⟧"),
        paper("waterfall", f"Closing Waterfall ({fund.short})", "1.4", world.past(rng, (0.01, 0.04)),
              table("Holder|Class|Shares", Row((fund.short, "Preferred", shares), "preferred"), Row((fund.short, "Common", 0 if decoy else shares), "common")), kinds=("xlsx", "pptx")),
    ]
    return _miscount(world, decoy, fund.short, shares, "are counted as preferred although they were converted into common", ("convert", "preferred", "cease", "turned into"), papers, ("conversion", "preferred"), ("taken back", "withdr", "not converted", "never converted"), "the conversion notice was taken back")


RECIPES: tuple[Recipe, ...] = (
    Recipe(1, "cap_table_differs", "Capitalization", "The cap table differs from the records of the shares", "cross-document", "High", (
        Way("ledger of certificates", "train", _differs_ledger),
        Way("exercise of an option", "train", _differs_exercise),
        Way("transfer agent by mail", "dev", _differs_agent),
        Way("warrant not listed", "test", _differs_warrant),
        Way("series above its designation", "test", _differs_charter),
    )),
    Recipe(2, "options_above_reserve", "Capitalization", "Options were granted above the reserve of the plan", "absence", "High", (
        Way("consent not signed", "train", _over_consent),
        Way("annual meeting silent", "train", _over_minutes),
        Way("administrator's question", "dev", _over_mail),
        Way("growth that the board did not determine", "test", _over_evergreen),
        Way("ceiling and special resolutions", "test", _over_consolidated),
    )),
    Recipe(12, "shares_miscounted", "Capitalization", "Shares are counted in the consideration that should not be", "computed", "High", (
        Way("escrow that returned", "train", _miscount_escrow),
        Way("treasury shares", "train", _miscount_treasury),
        Way("forfeited award by mail", "dev", _miscount_mail),
        Way("custodian and owner", "test", _miscount_double),
        Way("converted and counted twice", "test", _miscount_converted),
    )),
)
