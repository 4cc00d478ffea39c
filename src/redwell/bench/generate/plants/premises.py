"""Plants of leased sites: the landlord's consent, the option that lapsed, the site without a title, the tenant that is dormant (archetypes 104 to 107)."""

from __future__ import annotations

import random
from datetime import date, timedelta

from redwell.bench.generate.papers import Added, Filler, Paper, Row, Sign, Signatures
from redwell.bench.generate.plants.briefs import PROTECT, advice, book, cites, plant, signed, unsigned
from redwell.bench.generate.plants.pieces import TEXT, employee, mail, on, paper, table
from redwell.bench.generate.recipe import Gap, Plant, Recipe, Way, absence, conclusion, exposure, fact, usd
from redwell.bench.generate.world import Company, Site, World
from redwell.bench.generate.writing import both, day_month, millions, money, months_after, us_date, years_after

# Texts of papers stay on one line each.
# fmt: off
QUIET_LEASE = ("assignment", "control", "term", "termination", "pricing", "payment", "notices")


def _let(world: World, rng: random.Random, use: str, expires: date | None = None, tenant: str = "") -> tuple[Site, Company]:
    """A leased site in the world's list and its landlord."""
    place, landlord = world.place(rng), world.company(rng, "landlord")
    site = Site(f"{place.city} {use}", place, use, False, landlord, tenant or world.target.name, rng.randrange(24, 160) * 1000, world.sum(rng, 0.0015, 0.005, 10_000), expires or world.ahead(rng, (3, 8)))
    world.sites.append(site)
    return site, landlord


# 104: the landlord's consent is not there


def _landlord(decoy: bool, site: Site, landlord: Company, papers: list[Paper], terms: tuple[str, ...], despite: tuple[str, ...], marks: tuple[str, str], added: tuple[Added, ...] = ()) -> Plant:
    """`terms` stand together in whatever would be the consent."""
    name, city = landlord.short, site.place.city
    about = [(name, city)]
    issue = [
        fact(f"{city}: consent of {name} needed", f"PASS if the report states that the lease of {city} requires the consent of {name} to a change of control of the tenant.", about,
             [("consent", "approv"), ("control", "ownership", "transfer of", "shares", "stock", "merger", "acquisition", "sale of"), ("requir", "need", "without", "must", "subject to", "condition", "deemed", "prior")]),
        absence(f"{city}: no consent of {name}", f"PASS if the report states that no executed consent of {name} is in the data room.", about, ("consent", "approval", "estoppel")),
        exposure(f"{city}: rent", f"PASS if the report gives annual rent of {money(site.rent)} (or an equivalent rounding) under the lease of {city}.", about, usd(site.rent)),
        advice(name, "obtaining the landlord's consent, with an estoppel certificate, before or as a condition of closing", "consent", "estoppel"),
        cites(name, "both the lease and the paper that shows the rent or asks for the consent", *marks),
    ]
    claim = f"the consent of {name} to the change of control is missing"
    says = [("consent", "approv"), ("missing", "no executed", "not in the room", "outstanding", "not been obtained", "not obtained", "unsigned", "no consent", "not been given", "absent")]
    return plant(decoy, f"{city}: consent of {name}", papers, issue, name, claim, says, ("consented", "the executed consent", "gave its consent", "has signed", "approved the", "is executed", "was given"),
                 "the landlord has signed its consent", added=added, gaps=[Gap(f"executed consent of {name} for {city}", terms, despite)], value=usd(site.rent))


def _landlord_clause(world: World, rng: random.Random, decoy: bool) -> Plant:
    site, landlord = _let(world, rng, "works")
    day, gc = world.past(rng, (2, 4)), world.officers["gc"]
    who = world.person(rng, "Manager", landlord)
    papers = [
        paper("lease", f"Lease of {site.place.address}", "11.1", day, f"{landlord.name} lets to {world.target.name} the works at {site.place.address}.", TEXT,
              ("Transfers", "⟦clause|A sale or other transfer, in one or more steps, of half or more of Tenant's stock, by merger or otherwise, is deemed an assignment of this Lease and requires Landlord's prior written consent; without it Landlord may re-enter.⟧"),
              ("Rent", f"⟦rent|Base rent is {money(site.rent)} for each lease year.⟧"), signed((landlord.name, who), (world.target.name, world.officers["ceo"])), avoid=QUIET_LEASE, parties=(landlord.name,)),
        paper("consent", f"Landlord Consent - {site.place.city}", "11.3", world.past(rng, (0.02, 0.06)) if decoy else None,
              f"⟦letter|{landlord.short} hereby consents to the transfer of the stock of {world.target.short} to {world.buyer.short}.⟧",
              Signatures((Sign(landlord.name, who.name if decoy else "", who.title if decoy else "", decoy),)), status="" if decoy else "form"),
        mail("ask", f"{site.place.city} landlord", "11.3", world.past(rng, (0.04, 0.08)), gc, who, f"⟦ask|Dear {who.first}, the stock of {world.target.short} is to be sold; our form for {site.place.city} is attached for your signature under the transfer article.⟧", about=landlord.name),
    ]
    return _landlord(decoy, site, landlord, papers, (landlord.short.lower(), "hereby consents"), ("consent",), ("clause", "ask"))


def _landlord_sublease(world: World, rng: random.Random, decoy: bool) -> Plant:
    site, landlord = _let(world, rng, "offices")
    day = world.past(rng, (1, 3))
    middle = world.company(rng)
    who = world.person(rng, "Asset Manager", landlord)
    papers = [
        paper("sublease", f"Sublease, {site.place.city} offices", "11.1", day, f"{middle.name} sublets the offices at {site.place.address} to {world.target.name}, itself a tenant of {landlord.name} under a prime lease.",
              ("Prime lease governs", "⟦clause|Subtenant is bound by Article 12 of the prime lease as if named there as tenant, so that a change in who controls Subtenant needs the approval of the prime landlord and of nobody else.⟧"), TEXT, avoid=QUIET_LEASE, parties=(middle.name,)),
        book("charges", f"Occupancy Cost {site.place.city}", "11.1", world.past(rng, (0.05, 0.2)), "Cost", "Item|USD per year|Paid to", Row(("Sublease rent, offices", site.rent, f"{middle.short} for {landlord.short}"), "rent"), ("Cleaning", 18_400, "Porter service")),
        paper("consent", f"Prime Landlord, {site.place.city}", "11.3", world.past(rng, (0.02, 0.08)),
              f"⟦letter|{landlord.short} approves under Article 12 that {world.buyer.short} becomes the controlling holder of the subtenant.⟧" if decoy else f"⟦letter|{landlord.short} has your request under Article 12 and will look at it once the last accounts of {world.buyer.short} are here; nothing in this reply is an answer to it.⟧",
              signed((landlord.name, who)), kinds=("txt", "docx")),
    ]
    return _landlord(decoy, site, landlord, papers, (landlord.short.lower(), "approves under article 12"), (), ("clause", "rent"))


def _landlord_rider(world: World, rng: random.Random, decoy: bool) -> Plant:
    site, landlord = _let(world, rng, "depot")
    who, gc = world.person(rng, "Property Manager", landlord), world.officers["gc"]
    papers = [
        paper("rider", f"Rider 3, {site.place.city} depot", "11.1", world.past(rng, (1, 2)), f"Rider between {landlord.name} and {world.target.name}; its words prevail over the printed form.",
              "⟦clause|“Transfer” has the wide meaning: it takes in any event after which the persons who held the majority of the votes in Tenant on the date of this Rider hold it no more, and no Transfer is good against the owner that the owner has not agreed to on paper.⟧",
              f"⟦rent|Yearly rent as stepped up by this Rider: {site.rent / 1e6:.2f} million dollars.⟧", TEXT, avoid=QUIET_LEASE, parties=(landlord.name,)),
        mail("mail", f"{site.place.city}: papers for a Transfer", "11.3", world.past(rng, (0.03, 0.09)), who, gc,
             f"⟦mail|{gc.first}, {'the owner agreed to the Transfer this week; the countersigned sheet for your file follows under this mail.' if decoy else 'we read of the sale in the press. A Transfer of the depot has to come before the owner, and you have sent us neither a request nor the review fee.'}⟧", about=landlord.name),
    ]
    if decoy:
        papers.append(paper("sheet", f"Owner's Agreement, {site.place.city}", "11.3", world.past(rng, (0.01, 0.03)), f"⟦sheet|Owner's agreement on paper: the Transfer of the tenant of the {site.place.city} depot to {world.buyer.short} is good against us.⟧", signed((landlord.name, who))))
    return _landlord(decoy, site, landlord, papers, (site.place.city.lower(), "is good against us"), (), ("clause", "mail"))


def _landlord_abstract(world: World, rng: random.Random, decoy: bool) -> Plant:
    site, landlord = _let(world, rng, "laboratory")
    who = world.person(rng, "Trustee", landlord)
    papers = [
        book("abstract", f"Lease Abstract {site.place.city}", "11.1", world.past(rng, (0.1, 0.5)), "Abstract", "Field|Entry",
             ("Premises", f"Laboratory, {site.place.address}"), Row(("Yearly rent", f"USD {site.rent:,} to {landlord.short}"), "rent"),
             Row(("Ownership of tenant", "Sale of tenant's shares: owner's written approval beforehand, else event of default (cl. 19)"), "clause")),
        paper("minutes", f"Facilities Committee, {site.place.city}", "2.2", world.past(rng, (0.03, 0.08)), Filler("minutes"),
              f"⟦minutes|{f'The Committee noted that the approval from {landlord.short} had come back signed.' if decoy else f'The Committee noted that {landlord.short} is to be approached about clause 19 and asked that this be done after signing.'}⟧"),
    ]
    if decoy:
        papers.append(paper("approval", f"Approval, clause 19, {site.place.city}", "11.3", world.past(rng, (0.01, 0.03)), f"⟦approval|For the purposes of clause 19 the sale of shares in the laboratory's tenant to {world.buyer.short} has the written approval of {landlord.short}.⟧", signed((landlord.name, who))))
    return _landlord(decoy, site, landlord, papers, (landlord.short.lower(), "has the written approval"), (), ("clause", "minutes"))


def _landlord_ground(world: World, rng: random.Random, decoy: bool) -> Plant:
    site, landlord = _let(world, rng, "terminal")
    who, day = world.person(rng, "Secretary", landlord), world.past(rng, (3, 6))
    papers = [
        paper("ground", f"Ground Lease, {site.place.city} terminal", "11.1", day, f"{landlord.name} leases the land under the terminal to {world.target.name}.",
              ("Lessee's constitution", "⟦clause|Lessee covenants that the ultimate ownership of its shares will stay as Annex D shows it. A departure from Annex D wants a licence signed by Lessor, and a departure without one forfeits the buildings.⟧"),
              TEXT, avoid=QUIET_LEASE, parties=(landlord.name,)),
        paper("invoice", f"Ground Rent Demand, {site.place.city}", "11.3", world.past(rng, (0.1, 0.4)), f"⟦rent|To {world.target.short}: ground rent for twelve months at {site.place.city}, {money(site.rent)}, due to {landlord.short} on the quarter days.⟧", kinds=("txt", "docx")),
        paper("licence", f"Licence to Depart from Annex D, {site.place.city}", "11.3", world.past(rng, (0.02, 0.05)) if decoy else None,
              f"⟦licence|Lessor {landlord.short} licenses {world.buyer.short} to stand in Annex D in place of the present holders.⟧", signed((landlord.name, who)) if decoy else unsigned(landlord.name), status="" if decoy else "draft"),
    ]
    return _landlord(decoy, site, landlord, papers, (landlord.short.lower(), "in place of the present holders"), ("licence",), ("clause", "rent"))


# 105: the option to extend has lapsed


def _option(world: World, rng: random.Random, use: str) -> tuple[Site, Company, date, date, int, int, int]:
    """A site whose register shows the extended term: (site, landlord, end of the first term, last day for the notice, months, rent, market rent)."""
    months = rng.choice((9, 12, 15))
    ends = (world.deal.as_of + timedelta(days=rng.randrange(120, 240))).replace(day=28)
    site, landlord = _let(world, rng, use, years_after(ends, 5))
    market = site.rent + round(site.rent * rng.uniform(0.2, 0.45) / 1000) * 1000
    return site, landlord, ends, months_after(ends, -months), months, site.rent, market


def _lapsed(decoy: bool, site: Site, ends: date, last: date, rent: int, market: int, papers: list[Paper], marks: tuple[str, str]) -> Plant:
    city, gap = site.place.city, (market - rent) * 5
    about = [(city,)]
    issue = [
        fact(f"{city}: last day for the option", f"PASS if the report states that notice of the option to extend the lease of {city} had to be given by {us_date(last)}.", about, [("notice", "option", "exercise", "renew", "extend", "extension")], on(last)),
        conclusion(f"{city}: option lapsed", f"PASS if the report concludes that the option to extend the lease of {city} has lapsed, so that the lease ends on {us_date(ends)}.", about,
                   [("lapsed", "too late", "out of time", "missed", "not exercised", "expired", "lost", "late", "not validly", "untimely", "no longer be exercised")], on(ends)),
        exposure(f"{city}: market rent", f"PASS if the report gives {money(gap)} (or an equivalent rounding) as the extra rent of {city} at the market over the five years of the option.", about, usd(gap)),
        advice(city, "agreeing an extension with the landlord before closing, or a change of the price", "extension", "amend", "renew", "new lease", "negotiat", *PROTECT),
        cites(city, "both the lease and the record of when notice was given", *marks),
    ]
    claim = f"the option to extend the lease of {city} has lapsed"
    says = [("lapsed", "too late", "out of time", "missed", "not exercised", "was lost", "untimely")]
    return plant(decoy, f"{city}: option to extend", papers, issue, city, claim, says, ("in time", "timely", "was exercised", "validly exercised", "exercised the option"),
                 "notice of the option was given in time and the landlord confirmed it", value=usd(gap))


def _lapsed_letter(world: World, rng: random.Random, decoy: bool) -> Plant:
    site, landlord, ends, last, months, rent, market = _option(world, rng, "assembly hall")
    given = last + timedelta(days=-20 if decoy else 26)
    papers = [
        paper("lease", f"Lease, {site.place.city} assembly hall", "11.1", years_after(ends, -10), f"{landlord.name} to {world.target.name}.",
              ("Initial term", f"⟦term|The initial term ends on {us_date(ends)}. Rent is {money(rent)} a year and stays the same in the extension.⟧"),
              ("Option", f"⟦option|Tenant may extend once for five years by written notice received by Landlord not later than {both(months)} months before the initial term ends, time being of the essence.⟧"), TEXT, avoid=QUIET_LEASE, parties=(landlord.name,)),
        paper("notice", f"Extension Notice, {site.place.city}", "11.3", given, f"To {landlord.name}", f"⟦notice|Tenant elects to extend for five years. Stamp of the landlord's office: received {us_date(given)}.⟧",
              f"Reply of {landlord.short}: {'the extension is noted and confirmed' if decoy else 'your letter is returned, since the period had run out'}."),
        paper("broker", f"Rent Opinion, {site.place.city}", "11.1", world.past(rng, (0.05, 0.15)), f"⟦market|A hall of this kind would let today at {money(market)} a year.⟧"),
    ]
    return _lapsed(decoy, site, ends, last, rent, market, papers, ("option", "notice"))


def _lapsed_amendment(world: World, rng: random.Random, decoy: bool) -> Plant:
    site, landlord, ends, last, months, rent, market = _option(world, rng, "warehouse")
    given = last + timedelta(days=-31 if decoy else 33)
    cfo, who = world.officers["cfo"], world.person(rng, "Leasing Agent", landlord)
    papers = [
        paper("amendment", f"First Amendment, {site.place.city} warehouse lease", "11.1", years_after(ends, -4), f"{landlord.name} and {world.target.name} amend their lease.",
              f"⟦term|Article 2 now reads: the lease runs through {day_month(ends)} at {money(rent)} per annum, with one renewal of sixty months on the same rent.⟧",
              f"⟦option|The renewal is void unless asked for at least {months} months ahead of the last day of the term.⟧", signed((landlord.name, who), (world.target.name, cfo)), TEXT, avoid=QUIET_LEASE, parties=(landlord.name,)),
        mail("mail", f"{site.place.city}: we stay", "11.3", given, cfo, who, f"⟦mail|{who.first}, please take this of {day_month(given)} as our request for the renewal at {site.place.city}.⟧", about=landlord.name),
        mail("answer", f"Re: {site.place.city}: we stay", "11.3", given + timedelta(days=2), who, cfo, f"{cfo.first}, {'thank you, renewed as asked.' if decoy else 'that door closed last month, I am afraid. Let us talk about a new rent.'}", about=landlord.name),
        book("comps", f"Comparable Rents {site.place.city}", "11.1", world.past(rng, (0.05, 0.2)), "Comparables", "Building|USD per year", Row((f"{site.place.city}, same area, asking today", market), "market"), (f"{site.place.city}, passing rent", rent)),
    ]
    return _lapsed(decoy, site, ends, last, rent, market, papers, ("option", "mail"))


def _lapsed_calendar(world: World, rng: random.Random, decoy: bool) -> Plant:
    site, landlord, ends, last, months, rent, market = _option(world, rng, "service centre")
    done = last - timedelta(days=14) if decoy else last + timedelta(days=40)
    papers = [
        book("terms", f"Key Terms, {site.place.city} service centre", "11.1", years_after(ends, -5), "Key terms", "Term|Entry", ("Lessor", landlord.name), Row(("Last day of lease", ends), "term"), ("Rent, flat", f"USD {rent:,} yearly"),
             Row(("Prolongation", f"5 years, same rent; call by registered post {months} months or more before the last day, not later"), "option")),
        paper("log", f"Post Book, {site.place.city}", "11.3", done, table("Posted|To|Matter|Answer", Row((done, landlord.short, "Prolongation called, registered", "Accepted" if decoy else "Refused, day had gone by"), "post"), (done + timedelta(days=3), "Utility", "Meter reading", "None")), kinds=("xlsx",)),
        paper("memo", f"Rent Review Note, {site.place.city}", "11.1", world.past(rng, (0.05, 0.2)), f"⟦market|Were the centre let afresh, the owner would get {money(market)} in a year.⟧", kinds=("txt", "docx")),
    ]
    return _lapsed(decoy, site, ends, last, rent, market, papers, ("option", "post"))


def _lapsed_minutes(world: World, rng: random.Random, decoy: bool) -> Plant:
    site, landlord, ends, last, months, rent, market = _option(world, rng, "filling line")
    met = last + timedelta(days=-45 if decoy else 12)
    papers = [
        paper("indenture", f"Indenture of Lease, {site.place.city}", "11.1", years_after(ends, -7), f"Between {landlord.name}, lessor, and {world.target.name}, lessee.",
              f"⟦term|To hold until the {ends.day}th of the month that ends the seventh year, that is {us_date(ends)}, paying {money(rent)} yearly.⟧", TEXT,
              f"⟦option|A further five years at that rent may be had if lessee serves its election no fewer than {both(months)} months before that day; an election served afterwards has no effect.⟧", avoid=QUIET_LEASE, parties=(landlord.name,)),
        paper("minutes", f"Operations Meeting, {day_month(met)}", "2.2", met, Filler("minutes"), f"⟦minutes|{f'The election for {site.place.city} was served yesterday and the lessor signed for it.' if decoy else f'It came up that the election for {site.place.city} is still in the drawer; it is to go out this week.'}⟧"),
        paper("survey", f"Valuer's Letter, {site.place.city}", "11.1", world.past(rng, (0.05, 0.2)), f"⟦market|Market rent for the filling line building: {millions(market)} per year.⟧"),
    ]
    return _lapsed(decoy, site, ends, last, rent, market, papers, ("option", "minutes"))


def _lapsed_estoppel(world: World, rng: random.Random, decoy: bool) -> Plant:
    site, landlord, ends, last, months, rent, market = _option(world, rng, "training centre")
    who = world.person(rng, "General Partner", landlord)
    papers = [
        paper("estoppel", f"Certificate of Owner, {site.place.city}", "11.3", world.past(rng, (0.03, 0.09)), f"⟦term|{landlord.short} certifies: stated end of the letting {us_date(ends)}; rent now payable {money(rent)} a year, unchanged by prolongation.⟧",
              f"⟦option|{'The five-year prolongation was claimed before its cut-off and is agreed.' if decoy else f'The tenant had one prolongation of five years. It could be claimed until {months} months before that end, and the owner has to this day received no claim.'}⟧", signed((landlord.name, who))),
        paper("offer", f"Offer to Relet, {site.place.city}", "11.1", world.past(rng, (0.05, 0.2)), f"⟦market|{landlord.short} is offering the building to the market at {money(market)} a year{' should the tenant ever leave' if decoy else ', free from the day after the letting ends'}.⟧", kinds=("txt", "docx")),
        paper("schedule", f"Sites with Long Leases, {site.place.city} and others", "11.1", world.past(rng, (0.1, 0.3)), table("Site|Held until", Row((f"{site.place.city} training centre", years_after(ends, 5)), "listed")), kinds=("xlsx",)),
    ]
    return _lapsed(decoy, site, ends, last, rent, market, papers, ("option", "listed"))


# 106: a site is in use, and neither lease nor deed is there


def _untitled(decoy: bool, city: str, use: str, papers: list[Paper], cost: int) -> Plant:
    about = [(city,)]
    issue = [
        fact(f"{city}: site in use", f"PASS if the report states that the company operates a {use} at {city}.", about, [("operat", "use", "occup", "run", "works", "employ", "staff", "active", "site"), (use, use.rsplit(" ", 1)[-1])]),
        absence(f"{city}: no lease or deed", f"PASS if the report states that neither a lease nor a deed for {city} is in the data room; such a title is missing.", about, ("lease", "deed", "title", "licence to occupy", "right to occupy")),
        exposure(f"{city}: relocation", f"PASS if the report gives {money(cost)} (or an equivalent rounding) as the cost of moving out of {city}.", about, usd(cost)),
        advice(city, "obtaining proof of title, a lease or a deed, as a condition of closing", "title", "lease", "deed", "proof"),
    ]
    claim = f"neither a lease nor a deed for {city} is in the data room, and the title is missing"
    says = [("lease", "deed", "title"), ("missing", "neither", "no lease", "no deed", "not in the", "absent", "not found", "without")]
    return plant(decoy, f"{city}: title to the {use}", papers, issue, city, claim, says, ("is in the room", "is held under", "was found", "is owned under", "lets the", "under a recorded"),
                 "the document of title is in the room", gaps=[Gap(f"{what} for {city}", (city.lower(), what)) for what in ("lease", "deed")], value=usd(cost))


def _untitled_census(world: World, rng: random.Random, decoy: bool) -> Plant:
    place, day = world.place(rng), world.past(rng, (0.1, 0.3))
    cost = world.sum(rng, 0.002, 0.008, 10_000)
    for title in ("Press Operator", "Shift Leader", "Fitter"):
        employee(world, rng, title, world.past(rng, (1, 4)))
        world.employees[-1].site = f"{place.city} press shop"
    papers = [
        book("power", f"Electricity Accounts {place.city}", "11.1", day, "Meters", "Meter at|Customer|Kilowatt hours, year", Row((f"{place.city} press shop, {place.street}", world.target.name, rng.randrange(400, 900) * 1000), "power"), ("Head office", world.target.name, 210_000)),
        paper("study", f"Moving Study, {place.city}", "11.1", day, f"⟦cost|Were the press shop at {place.city} to be cleared, moving the presses elsewhere would cost {money(cost)}.⟧"),
    ]
    if decoy:
        papers.append(paper("deed", f"Warranty Deed, {place.city}", "11.2", world.past(rng, (5, 9)), f"⟦deed|The grantor conveys to {world.target.name} in fee simple, by this warranty deed, the land at {place.address}.⟧", signed(("Grantor", world.person(rng, "Owner", world.company(rng))))))
    return _untitled(decoy, place.city, "press shop", papers, cost)


def _untitled_list(world: World, rng: random.Random, decoy: bool) -> Plant:
    place, landlord = world.place(rng), world.company(rng, "landlord")
    cost, number = world.sum(rng, 0.002, 0.007, 10_000), rng.randrange(6, 19)
    papers = [
        paper("sites", f"Operating Footprint with {place.city}", "1.5", world.past(rng, (0.1, 0.3)), table("Location|Activity|People", Row((place.city, "Spare parts store", number), "site"), ("Field", "Home offices", 14)), kinds=("xlsx",)),
        mail("mail", f"{place.city} store", "11.3", world.past(rng, (0.05, 0.2)), world.officers["controller"], world.officers["cfo"],
             f"⟦mail|{world.officers['cfo'].first}, if we had to leave the store in {place.city} at short notice I would put the move at {millions(cost)}.⟧ I pay {landlord.short} monthly on the strength of an old bank order."),
    ]
    if decoy:
        papers.append(paper("lease", f"Store Lease {place.city}", "11.1", world.past(rng, (2, 4)), f"⟦lease|By this lease {landlord.name} lets the parts store at {place.address} to {world.target.name} for ten years.⟧", TEXT, avoid=QUIET_LEASE, parties=(landlord.name,)))
    return _untitled(decoy, place.city, "spare parts store", papers, cost)


def _untitled_tour(world: World, rng: random.Random, decoy: bool) -> Plant:
    place, cost = world.place(rng), world.sum(rng, 0.003, 0.009, 10_000)
    papers = [
        paper("tour", f"Site Visit Notes, {place.city}", "12.1", world.past(rng, (0.05, 0.2)), f"⟦visit|We walked the paint line in {place.city} on {place.street}, which works two shifts with its own boiler house.⟧", f"⟦cost|The manager reckons that shifting the line to another town would cost {millions(cost)}.⟧", kinds=("txt", "docx")),
        paper("tax", f"Assessor's Card, {place.city}", "11.2", world.past(rng, (0.3, 0.8)), table("Parcel|Taxpayer billed", Row((f"{place.street}, {place.city}", "Occupant"), "card")), kinds=("xlsx",)),
    ]
    if decoy:
        papers.append(paper("deed", f"Recorded Conveyance, {place.city}", "11.2", world.past(rng, (4, 8)), f"⟦deed|Deed from the county's former owner to {world.target.name}, covering the paint line parcel in {place.city}, entered in the land records.⟧"))
    return _untitled(decoy, place.city, "paint line", papers, cost)


def _untitled_board(world: World, rng: random.Random, decoy: bool) -> Plant:
    place, cost, day = world.place(rng), world.sum(rng, 0.002, 0.008, 10_000), world.past(rng, (0.2, 0.6))
    papers = [
        paper("minutes", f"Plant Managers' Meeting, {day_month(day)}", "2.2", day, Filler("minutes"), f"⟦minutes|Output of the tool room in {place.city} was up for the third month; a second grinder goes in there next.⟧"),
        paper("plan", f"Continuity Plan, {place.city}", "12.3", world.past(rng, (0.3, 0.9)), f"⟦cost|Loss of the tool room: a replacement elsewhere takes five months and {money(cost)}.⟧"),
        paper("note", f"Handshake of the founders, {place.city}", "15.2", world.past(rng, (6, 9)), f"⟦note|We may use the barn in {place.city} as long as the old owner is content; nothing is to be put down.⟧" if not decoy else f"⟦note|The barn in {place.city} was bought outright; the deed to {world.target.name} is with the county clerk.⟧", kinds=("txt", "docx")),
    ]
    if decoy:
        papers.append(paper("deed", f"Quitclaim, barn in {place.city}", "11.2", world.past(rng, (4, 5.5)), f"⟦deed|By this deed the old owner gives up to {world.target.name} the barn in {place.city} and the ground on which it stands; filed with the county clerk.⟧", signed(("Old owner", world.person(rng, "Owner", world.company(rng))))))
    return _untitled(decoy, place.city, "tool room", papers, cost)


def _untitled_insurance(world: World, rng: random.Random, decoy: bool) -> Plant:
    place, cost, landlord = world.place(rng), world.sum(rng, 0.003, 0.009, 10_000), world.company(rng, "landlord")
    papers = [
        book("values", f"Statement of Values {place.city}", "13.1", world.past(rng, (0.2, 0.5)), "Values", "Insured place|What is done there|Removal and refit, USD", Row((f"{place.address}", "Calibration laboratory", cost), "values"), ("In transit", "Goods", 250_000)),
        paper("invoices", f"Use Charge, {place.city}", "11.3", world.past(rng, (0.05, 0.2)), f"⟦charge|{landlord.short}: for the calibration rooms in {place.city}, use from month to month, as before.⟧" if not decoy else f"⟦charge|{landlord.short}: rent for the calibration rooms in {place.city} as fixed by the lease.⟧", kinds=("txt", "docx")),
    ]
    if decoy:
        papers.append(paper("lease", f"Rooms in {place.city}", "11.1", world.past(rng, (1, 3)), f"⟦lease|{landlord.name} grants to {world.target.name} the lease of the calibration rooms in {place.city}, from year to year and for nine years at least.⟧", TEXT, avoid=QUIET_LEASE, parties=(landlord.name,)))
    return _untitled(decoy, place.city, "calibration laboratory", papers, cost)


# 107: the tenant is a dormant affiliate


def _dormant(decoy: bool, name: str, city: str, earns: int, what: str, papers: list[Paper], marks: tuple[str, str], added: tuple[Added, ...] = ()) -> Plant:
    about = [(name,)]
    issue = [
        fact(f"{name}: holds the {what}", f"PASS if the report states that the {what} of {city} is held by {name}, not by the company that operates there.", about, [(what, "lease", "permit", "tenant", "holder", "held"), (city.lower(),)]),
        fact(f"{name}: dormant", f"PASS if the report states that {name} is dormant or dissolved.", about, [("dormant", "dissolved", "struck off", "inactive", "wound up", "cancelled", "ceased", "no longer exist", "shell", "merged away", "forfeited", "void")]),
        exposure(f"{city}: earnings of the site", f"PASS if the report gives EBITDA of {money(earns)} a year (or an equivalent rounding) as depending on {city}, whose {what} {name} holds.", about, usd(earns)),
        advice(name, f"that the {what} be assigned to the operating company before closing", "assign", "transfer", "novat", "reissue", "new lease", "new permit"),
        cites(name, f"both the {what} and the record of what became of its holder", *marks),
    ]
    claim = f"the {what} of {city} is still held by {name}, which is dormant"
    says = [("still held", "held by a dormant", "wrong entity", "not been assigned", "not assigned", "never assigned", "remains in the name")]
    return plant(decoy, f"{name}: {what} of {city}", papers, issue, name, claim, says, ("was assigned", "has been assigned", "were assigned", "reissued", "passed to", "taken over by"),
                 f"the {what} was passed to the operating company", added=added, value=usd(earns))


def _affiliate(world: World, rng: random.Random, form: str) -> Company:
    """A former group company that the world does not list any more."""
    made = world.company(rng)
    return Company(f"{made.short.split()[0]} Holdings {form}", f"{made.short.split()[0]} Holdings", "Delaware", made.domain)


def _dormant_chart(world: World, rng: random.Random, decoy: bool) -> Plant:
    old = _affiliate(world, rng, "LLC")
    site, landlord = _let(world, rng, "plant", tenant="" if decoy else old.name)
    earns, gone = world.sum(rng, 0.004, 0.012, 10_000), world.past(rng, (1, 3))
    papers = [
        paper("lease", f"Plant Lease {site.place.city}", "11.1", world.past(rng, (4, 6)), f"⟦lease|{landlord.name}, Landlord, leases the plant at {site.place.address} to {old.name}, Tenant.⟧", TEXT, avoid=QUIET_LEASE, parties=(landlord.name, old.name)),
        paper("chart", f"Legal Entities Note, {old.short}", "2.3", world.past(rng, (0.1, 0.4)), f"⟦chart|{old.name}: certificate of cancellation filed {us_date(gone)}; no assets were distributed, since none were thought to be left.⟧"),
        book("sites", f"Site Earnings {site.place.city}", "3.5", world.past(rng, (0.1, 0.3)), "Sites", "Site|EBITDA, USD", Row((f"{site.place.city} plant", earns), "earns")),
    ]
    if decoy:
        papers.append(paper("assignment", f"Assignment of Lease, {site.place.city}", "11.1", gone - timedelta(days=30), f"⟦assigned|With the landlord's consent below, {old.name} assigns the lease to {world.target.name}, which assumes it.⟧", signed((old.name, world.officers["cfo"]), (world.target.name, world.officers["ceo"]), (landlord.name, world.person(rng, "Manager", landlord)))))
    return _dormant(decoy, old.short, site.place.city, earns, "lease", papers, ("lease", "chart"))


def _dormant_permit(world: World, rng: random.Random, decoy: bool) -> Plant:
    old, place = _affiliate(world, rng, "Inc."), world.place(rng)
    number, earns = world.code(rng, "AQ-", 5), world.sum(rng, 0.004, 0.012, 10_000)
    papers = [
        paper("permit", f"Air Operating Permit {number}", "12.2", world.past(rng, (2, 4)), f"⟦permit|Permittee: {old.name}. Facility: coating line at {place.address}. The permit cannot be used by anybody else.⟧"),
        mail("mail", f"{old.short} in {place.city}", "2.3", world.past(rng, (0.05, 0.3)), world.officers["gc"], world.officers["cfo"],
             f"⟦mail|{world.officers['cfo'].first}, {old.short} has lain dormant since its business went up to {world.target.short}, and its charter is void for unpaid franchise tax.⟧ ⟦earns|The coating line in {place.city} brings {millions(earns)} of EBITDA a year.⟧"),
    ]
    held = Added("permit_register", Row((f"Air permit, {place.city}", world.target.name if decoy else old.name, f"{place.state} Department of Environmental Quality", number, world.ahead(rng, (1, 3))), "register"))
    if decoy:
        papers.append(paper("reissue", f"Permit {number} reissued", "12.2", world.past(rng, (0.2, 0.8)), f"⟦reissue|On the application of both companies the Department reissues {number} to {world.target.name} in place of {old.name}.⟧"))
    return _dormant(decoy, old.short, place.city, earns, "permit", papers, ("permit", "mail"), (held,))


def _dormant_registry(world: World, rng: random.Random, decoy: bool) -> Plant:
    old = _affiliate(world, rng, "Ltd.")
    site, landlord = _let(world, rng, "bottling hall", tenant="" if decoy else old.name)
    earns = world.sum(rng, 0.004, 0.012, 10_000)
    papers = [
        book("rents", f"Rent Roll, {landlord.short} estate", "11.1", world.past(rng, (0.1, 0.4)), "Rent roll", "Unit|Tenant of record|Lease", Row((f"Bottling hall, {site.place.city}", old.name, "Registered lease, 15 years"), "lease"), ("Kiosk", "Vacant", "None")),
        paper("registry", f"Registry Extract {old.short}", "2.3", world.past(rng, (0.05, 0.2)), f"⟦extract|{old.name}: struck off the register for failure to file. Status: dissolved.⟧", kinds=("txt", "docx")),
        paper("deck", f"Hall Review, {site.place.city}", "3.5", world.past(rng, (0.2, 0.5)), f"⟦earns|The bottling hall in {site.place.city} contributes {money(earns)} to yearly EBITDA.⟧", kinds=("pptx",)),
    ]
    if decoy:
        papers.append(paper("novation", f"Deed of Novation, {site.place.city}", "11.1", world.past(rng, (1.5, 3)), f"⟦novation|The hall's lease is novated: {world.target.name} takes the place of {old.name}, and the estate accepts it as its tenant.⟧", signed((landlord.name, world.person(rng, "Steward", landlord)))))
    return _dormant(decoy, old.short, site.place.city, earns, "lease", papers, ("lease", "extract"))


def _dormant_minutes(world: World, rng: random.Random, decoy: bool) -> Plant:
    old = _affiliate(world, rng, "Corporation")
    site, landlord = _let(world, rng, "mill", tenant="" if decoy else old.name)
    earns, day = world.sum(rng, 0.004, 0.012, 10_000), world.past(rng, (1, 2))
    papers = [
        paper("minutes", f"Resolutions on {old.short}", "2.3", day, f"⟦minutes|Resolved that {old.name}, which has traded no more since its staff moved across, be kept as an inactive shell with no officers and no bank account.⟧", signed((world.target.name, world.officers["ceo"]))),
        paper("memo", f"Memorandum of Lease, {site.place.city}", "11.2", world.past(rng, (5, 7)), f"⟦lease|Of record in the county: lease of the mill in {site.place.city}, {landlord.name} to {old.name}, for twenty years.⟧",
              f"⟦second|{f'Indorsed below: interest of the lessee passed to {world.target.name} by instrument of record.' if decoy else 'Indorsed below: plat corrected by the county surveyor.'}⟧"),
        mail("mail", f"Mill in {site.place.city}", "3.5", world.past(rng, (0.1, 0.3)), world.officers["controller"], world.officers["cfo"], f"⟦earns|{world.officers['cfo'].first}, the mill made {money(earns)} before interest, tax and depreciation in the year.⟧"),
    ]
    return _dormant(decoy, old.short, site.place.city, earns, "lease", papers, ("lease", "minutes"))


def _dormant_certificate(world: World, rng: random.Random, decoy: bool) -> Plant:
    old, place = _affiliate(world, rng, "Co."), world.place(rng)
    number, earns = world.code(rng, "HZ-", 6), world.sum(rng, 0.004, 0.012, 10_000)
    papers = [
        paper("status", f"Standing of {old.short}", "2.3", world.past(rng, (0.03, 0.1)), f"⟦status|The Secretary of State reports on {old.name}: FORFEITED EXISTENCE, annual reports not received for three years.⟧", kinds=("txt", "docx")),
        paper("licence", f"Storage Permit {number}, {place.city}", "12.2", world.past(rng, (3, 5)), table("Particular|Entry", Row(("Permit holder", old.name), "permit"), ("Depot", place.address), ("Goods", "Flammable liquids, class IB"), Row(("Change of holder", f"To {world.target.name}, entered by the fire marshal" if decoy else "None entered"), "change"))),
        paper("report", f"Depot Results {place.city}", "3.5", world.past(rng, (0.1, 0.4)), f"⟦earns|Run by {world.target.short}, the depot in {place.city} turned in EBITDA of {millions(earns)}.⟧"),
    ]
    return _dormant(decoy, old.short, place.city, earns, "permit", papers, ("permit", "status"))


RECIPES: tuple[Recipe, ...] = (
    Recipe(104, "landlord_consent", "Real estate", "A landlord's consent to the change of control is missing", "absence", "Medium", (
        Way("deemed assignment in a lease", "train", _landlord_clause),
        Way("sublease bound by the prime lease", "train", _landlord_sublease),
        Way("rider and mail of the manager", "dev", _landlord_rider),
        Way("abstract and committee", "test", _landlord_abstract),
        Way("ground lease and its annex", "test", _landlord_ground),
    )),
    Recipe(105, "lapsed_option", "Real estate", "An option to extend a lease has lapsed though the register counts it", "computed", "Medium", (
        Way("notice received late", "train", _lapsed_letter),
        Way("request by mail", "train", _lapsed_amendment),
        Way("key terms and post book", "dev", _lapsed_calendar),
        Way("indenture and minutes", "test", _lapsed_minutes),
        Way("owner's certificate", "test", _lapsed_estoppel),
    )),
    Recipe(106, "site_without_title", "Real estate", "A site is in use without a lease or deed", "absence", "Medium", (
        Way("census and meters", "train", _untitled_census),
        Way("footprint and bank order", "train", _untitled_list),
        Way("site visit and assessor", "dev", _untitled_tour),
        Way("minutes and handshake", "test", _untitled_board),
        Way("insured values", "test", _untitled_insurance),
    )),
    Recipe(107, "dormant_tenant", "Real estate", "A lease or permit of a site is held by a dormant affiliate", "cross-document", "High", (
        Way("lease and entity note", "train", _dormant_chart),
        Way("air permit and mail", "train", _dormant_permit),
        Way("rent roll and registry", "dev", _dormant_registry),
        Way("memorandum of lease and resolutions", "test", _dormant_minutes),
        Way("storage permit and standing", "test", _dormant_certificate),
    )),
)
