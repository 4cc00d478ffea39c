"""Plants of trade and payments: sanctioned payees, exports beyond their authorisation, intermediaries without a file (archetypes 122 to 124)."""

from __future__ import annotations

import random
from datetime import date, timedelta

from redwell.bench.generate.papers import Filler, Paper, Row
from redwell.bench.generate.plants.briefs import advice, book, cites, plant, signed
from redwell.bench.generate.plants.pieces import TEXT, coined, contract, mail, paper, table
from redwell.bench.generate.recipe import Gap, Plant, Recipe, Way, absence, conclusion, exposure, fact, usd
from redwell.bench.generate.world import Company, Contract, World
from redwell.bench.generate.writing import day_month, millions, money, percent, us_date

# Texts of papers stay on one line each.
# fmt: off

# 122: payments to a party that is blocked, or that was not screened


def _paid(world: World, rng: random.Random, parts: int) -> tuple[list[int], int]:
    """Single payments and their sum."""
    each = [world.sum(rng, 0.0002, 0.0012, 500) for _ in range(parts)]
    return each, sum(each)


def _sanctioned(decoy: bool, name: str, tie: str, ties: tuple[str, ...], total: int, papers: list[Paper], marks: tuple[str, str], terms: tuple[str, ...], because: str, unless: tuple[str, ...], despite: tuple[str, ...] = ()) -> Plant:
    """`tie`: what makes the party a sanctioned one; `terms` stand in whatever would be the record of its screening."""
    about = [(name,)]
    issue = [
        fact(f"{name}: tie to sanctions", f"PASS if the report states that {tie}.", about, [ties]),
        absence(f"{name}: not screened", f"PASS if the report states that no screening record of {name} is in the data room.", about, ("screen",)),
        conclusion(f"{name}: likely violation", f"PASS if the report concludes that dealings with {name} may violate the sanctions that OFAC administers.", about, [("violat", "breach", "prohibited", "unlawful", "not permitted", "infring", "liability"), ("ofac", "sanction", "embargo", "blocked")]),
        exposure(f"{name}: value of the dealings", f"PASS if the report gives {money(total)} (or an equivalent rounding) as the total of the dealings with {name}.", about, usd(total)),
        advice(name, "stopping the dealings and considering a voluntary self-disclosure, with an indemnity", "stop", "cease", "voluntary", "disclos", "suspend", "halt", "indemnit", "consider a voluntary", "file a voluntary", "make a voluntary"),
        cites(name, "both the record of the dealings and the paper that shows the tie", *marks),
    ]
    claim = f"dealings with {name} may violate OFAC sanctions, and no screening was made"
    says = [("violat", "breach", "not screened", "no screening", "unscreened", "are prohibited", "is prohibited")]
    return plant(decoy, f"{name}: {'cleared by screening' if decoy else 'sanctions and no screening'}", papers, issue, name, claim, says, unless, because, gaps=[Gap(f"screening record of {name}", terms, despite)], value=usd(total))


def _sanction_owner(world: World, rng: random.Random, decoy: bool) -> Plant:
    payee, part = world.company(rng, "supply"), rng.randrange(51, 76)
    each, total = _paid(world, rng, 3)
    day, owner = world.past(rng, (0.2, 0.6)), world.person(rng, "Owner", payee)
    papers = [
        book("ledger", f"Vendor Ledger {payee.short}", "6.2", day, "Ledger", "Posted|Payee|USD", *(Row((day - timedelta(days=30 * at), payee.short, sum_)) for at, sum_ in enumerate(each, 1)), Row(("Total", payee.short, total), "ledger")),
        paper("extract", f"Company Extract {payee.short}", "14.3", day - timedelta(days=200), f"⟦extract|Members of {payee.name}: {owner.name}, {part} per cent; the rest dispersed.⟧"),
        paper("list", f"List Entry, {owner.name}", "14.3", day - timedelta(days=400), f"⟦entry|{owner.name} is on the SDN list; what persons on that list own by half or more is blocked like themselves.⟧", kinds=("txt", "docx")),
    ]
    if decoy:
        papers.append(paper("clearance", f"Screening Memorandum {payee.short}", "14.3", day - timedelta(days=150), f"⟦clearance|{payee.short} screened and cleared before the first payment: the member is a namesake, born thirty years after the listed person and in another country, as passports show.⟧"))
    return _sanctioned(decoy, payee.short, f"{payee.short} is owned {part}% by {owner.name}, who is on the SDN list", (f"{part}%", f"{part} per cent", f"{part} percent", "sdn", "50 percent rule", "50% rule"), total, papers, ("ledger", "extract"), (payee.short.lower(), "screened and cleared"),
                       "screening cleared the payee before the first payment", ("cleared", "namesake", "screening cleared"))


def _sanction_region(world: World, rng: random.Random, decoy: bool) -> Plant:
    made = contract(world, rng, "Reseller Contract", "channel")
    payee = made.party
    each, total = _paid(world, rng, 2)
    day = world.past(rng, (0.2, 0.6))
    papers = [
        paper("sales", f"Reseller Sales {payee.short}", "6.3", day, table("Quarter|Delivered to|USD", *(Row((f"Quarter {at}", "Kazakhstan, Almaty warehouse" if decoy else "Sevastopol, Crimea", sum_)) for at, sum_ in enumerate(each, 1)), Row(("Both", payee.short, total), "sales")), kinds=("xlsx",)),
        mail("mail", f"Freight of {payee.short}", "14.3", day + timedelta(days=5), world.person(rng, "Export Clerk"), world.officers["controller"], f"⟦mail|{world.officers['controller'].first}, {payee.short} has the goods {'unloaded in Almaty and stored there' if decoy else 'go on by ferry to Sevastopol in Crimea'}, as its delivery notes say.⟧"),
        book("screening", "Screening Export", "14.3", day + timedelta(days=20), "Screening", "Partner|Result", ("Office supplier", "Clear"), ("Courier", "Clear"), *((Row((payee.short, "No match, destinations tested"), "screening"),) if decoy else ())),
    ]
    return _sanctioned(decoy, payee.short, f"{payee.short} delivers the goods to Crimea, which is under an embargo", ("crimea", "sevastopol"), total, papers, ("sales", "mail"), (payee.short.lower(), "no match"),
                       "the partner and its destinations were tested without a match", ("no match", "without a match", "were tested"))


def _sanction_ship(world: World, rng: random.Random, decoy: bool) -> Plant:
    owner, ship = world.company(rng, "logistics"), world.code(rng, "IMO 9", 6)
    _, total = _paid(world, rng, 2)
    broker, day = world.person(rng, "Chartering Broker", owner), world.past(rng, (0.2, 0.6))
    papers = [
        mail("mail", f"Fixtures of {owner.short}", "6.2", day, broker, world.officers["controller"], f"⟦mail|Both voyages of {owner.short} were done with {ship}. Please note freight and demurrage of {millions(total)} as paid.⟧", about=owner.name),
        paper("circular", f"Circular of the Club, {ship}", "14.3", day - timedelta(days=60), f"⟦circular|Members should know that OFAC has put {ship} and {'its former owner on the list; the vessel itself was delisted last winter, when another owner bought it' if decoy else 'its owner on the list as blocked property'}.⟧", kinds=("txt", "docx")),
    ]
    if decoy:
        papers.append(paper("certificate", f"Clearance {owner.short}", "14.3", day - timedelta(days=20), f"⟦certificate|Name and hull check on {owner.short} and {ship} of this day: no live entry, fixture may go ahead.⟧"))
    return _sanctioned(decoy, owner.short, f"{owner.short} carried the cargo on {ship}, a vessel that OFAC has listed", (ship.lower(), "vessel", "ship", "hull"), total, papers, ("mail", "circular"), (owner.short.lower(), "hull check"),
                       "a name and hull check found no live entry", ("no live entry", "delisted", "hull check found"))


def _sanction_resale(world: World, rng: random.Random, decoy: bool) -> Plant:
    made = contract(world, rng, "Distribution Terms", "channel")
    dealer = made.party
    _, total = _paid(world, rng, 4)
    day = world.past(rng, (0.2, 0.5))
    papers = [
        paper("visit", f"Travel Report on {dealer.short}", "6.3", day, f"⟦visit|In the store of {dealer.short} half the crates bore tags for {'Tbilisi and Baku' if decoy else 'Bandar Abbas, Iran'}; the manager said that this is where our spare parts sell best.⟧"),
        paper("minutes", f"Sales Review, {day_month(day + timedelta(days=14))}", "2.2", day + timedelta(days=14), Filler("minutes"), f"⟦minutes|{dealer.short} took parts for {money(total)} in the year and wants a bigger quota.⟧", *([f"⟦pass|Trade desk: {dealer.short} and its five end users passed the check of this spring, list by list.⟧"] if decoy else [])),
    ]
    return _sanctioned(decoy, dealer.short, f"{dealer.short} sells the parts on to Iran", ("iran", "bandar abbas"), total, papers, ("minutes", "visit"), (dealer.short.lower(), "passed the check"),
                       "the dealer and its end users passed the check, and the goods go elsewhere", ("passed the check", "go elsewhere"))


def _sanction_sum(world: World, rng: random.Random, decoy: bool) -> Plant:
    foundry = world.company(rng, "supply")
    _, total = _paid(world, rng, 3)
    first, second = (22, 19) if decoy else (rng.randrange(26, 34), rng.randrange(25, 33))
    one, two = world.person(rng, "Shareholder", foundry), world.person(rng, "Shareholder", foundry)
    day = world.past(rng, (0.2, 0.5))
    papers = [
        paper("register", f"Shareholders of {foundry.short}", "14.3", day - timedelta(days=90), table("Shareholder|Per cent|Remark in the file", Row((one.name, first, "Blocked by OFAC"), "first"), Row((two.name, second, "Blocked by OFAC"), "second"), ("Staff trust", 100 - first - second, "None")), kinds=("xlsx",)),
        paper("statement", f"Purchases from {foundry.short}", "6.2", day, f"⟦statement|Castings bought of {foundry.short} and paid for since the spring: {money(total)} in all.⟧"),
    ]
    if decoy:
        papers.append(paper("opinion", f"Opinion on {foundry.short}", "14.3", day - timedelta(days=30), f"⟦opinion|We have run {foundry.short} against the lists. The two blocked holders have {first + second} per cent together, which is below one half, and no say in management; purchases from it are not barred.⟧", signed(("Sanctions counsel", world.person(rng, "Counsel", world.company(rng, "law"))))))
    return _sanctioned(decoy, foundry.short, f"blocked persons own {first + second}% of {foundry.short} between them ({first}% and {second}%)", (f"{first + second}%", f"{first + second} per cent", f"{first + second} percent", "together", "aggregate", "50 percent rule", "50% rule"), total, papers, ("statement", "first"), (foundry.short.lower(), "against the lists"),
                       "counsel ran it against the lists and the blocked holders are below one half", ("below one half", "below 50", "ran it against"))


# 123: an export went beyond its authorisation


def _exceeded(decoy: bool, number: str, scope: str, scopes: tuple[str, ...], done: str, dones: tuple[str, ...], papers: list[Paper], marks: tuple[str, str], because: str, unless: tuple[str, ...], regime: str = "DDTC") -> Plant:
    about = [(number,)]
    issue = [
        fact(f"{number}: scope", f"PASS if the report states that {number} {scope}.", about, [scopes]),
        fact(f"{number}: what was done", f"PASS if the report states that, contrary to {number}, {done}.", about, [dones]),
        conclusion(f"{number}: exceeded", f"PASS if the report concludes that the scope of {number} was exceeded, which may be an export violation.", about, [("exceed", "beyond", "outside", "unauthorized", "unauthorised", "not covered", "violat", "without authorization", "not authorized", "breach")]),
        advice(number, f"a voluntary disclosure to {regime}, an amendment of the authorisation and a stop of the exports until then", "voluntary", "disclos", "amend", "stop", "suspend", "consider a voluntary", "file a voluntary", "make a voluntary", "submit a voluntary"),
        cites(number, "both the authorisation and the record of the exports", *marks),
    ]
    claim = f"the scope of {number} was exceeded"
    says = [("exceed", "beyond", "outside", "unauthorized", "not covered", "violat")]
    return plant(decoy, f"{number}: scope of an export authorisation", papers, issue, number, claim, says, unless, because)


def _export_country(world: World, rng: random.Random, decoy: bool) -> Plant:
    number, partner = world.code(rng, "TA-", 4), world.company(rng, "aerospace")
    day, count = world.past(rng, (0.2, 0.6)), rng.randrange(14, 60)
    papers = [
        paper("agreement", f"Technical Assistance Agreement {number}", "14.3", day - timedelta(days=500), f"⟦scope|Territory of {number}: Japan. Technical data may be given to {partner.name} at its works in Nagoya and to no other place or person.⟧", TEXT, parties=(partner.name,)),
        book("log", f"Technical Data Transfers {number}", "14.3", day, "Transfers", "Date|Recipient|Drawings", (day - timedelta(days=90), f"{partner.short}, Nagoya", 12), Row((day - timedelta(days=40), f"{partner.short}, Penang, Malaysia", count), "log")),
    ]
    if decoy:
        papers.append(paper("amendment", f"Amendment 1 to {number}", "14.3", day - timedelta(days=75), f"⟦amendment|Approved by DDTC: Malaysia is added to the territory of {number}, with the works of {partner.short} in Penang.⟧"))
    return _exceeded(decoy, number, "covers Japan only", ("japan", "nagoya"), f"{count} drawings went to Penang in Malaysia", ("malaysia", "penang"), papers, ("scope", "log"), "DDTC approved an amendment that added the country before the transfer", ("amendment", "added the country", "approved"))


def _export_value(world: World, rng: random.Random, decoy: bool) -> Plant:
    number, buyer = world.code(rng, "DSP-5 05", 6), world.company(rng, "aerospace")
    limit = world.sum(rng, 0.001, 0.003, 10_000)
    shipped = [round(limit * part / 1000) * 1000 for part in (0.45, 0.4, 0.5)]
    day = world.past(rng, (0.2, 0.6))
    papers = [
        paper("licence", f"Permanent Export License {number}", "14.3", day - timedelta(days=420), f"⟦scope|Consignee {buyer.name}. Total value for which {number} is good: {money(limit)}; by rule the shipments may pass it by a tenth and by no more.⟧", parties=(buyer.name,)),
        mail("mail", f"Shipments on {number}", "14.3", day, world.person(rng, "Shipping Lead"), world.officers["gc"], f"⟦shipped|{world.officers['gc'].first}, so far we have sent out {money(shipped[0])}, {money(shipped[1])} and {money(shipped[2])} on {number}, together {money(sum(shipped))}.⟧"),
    ]
    if decoy:
        papers.append(paper("second", f"Replacement of {number}", "14.3", day - timedelta(days=35), f"⟦second|DDTC issues a license in furtherance of {number}, by which the value rises to {money(limit * 2)} from before the third shipment.⟧"))
    return _exceeded(decoy, number, f"is good for {money(limit)}", (f"{limit:,}", f"{limit / 1e6:.2f} million", millions(limit).lower()), f"goods of {money(sum(shipped))} were shipped", (f"{sum(shipped):,}", millions(sum(shipped)).lower()), papers, ("scope", "shipped"),
                     "a further license raised the value before the third shipment", ("further license", "raised the value", "rises"))


def _export_engineer(world: World, rng: random.Random, decoy: bool) -> Plant:
    number, product = world.code(rng, "BIS License D1", 6), coined(world, rng, "Encoder")
    allowed, other = world.person(rng, "Process Engineer"), world.person(rng, "Process Engineer")
    day = world.past(rng, (0.2, 0.6))
    papers = [
        book("licence", f"Deemed Export Terms {number}", "14.3", day - timedelta(days=400), "Terms", "Field|Entry", ("Technology", f"Production of the {product}, 3E001"), Row(("Foreign person who may see it", allowed.name), "scope"), ("Others", "A license of their own each")),
        paper("access", f"Folder Rights, {product}", "8.3", day, table("User|Citizen of|Opened files", Row((allowed.name, "India", 51)), Row((other.name, "Canada, naturalised" if decoy else "China, on a work visa", rng.randrange(90, 300)), "access")), kinds=("xlsx",)),
    ]
    if decoy:
        papers.append(paper("note", f"Counsel on {number}", "14.3", day + timedelta(days=6), f"⟦note|For a Canadian 3E001 calls for no license, so that {number} was not needed for {other.name}, whose latest citizenship counts.⟧", kinds=("txt", "docx")))
    return _exceeded(decoy, number, f"names {allowed.name} alone", (allowed.last.lower(),), f"{other.name} opened the files as well", (other.last.lower(),), papers, ("scope", "access"), "no license was needed for a Canadian", ("no license was needed", "canadian", "not needed"), "BIS")


def _export_expired(world: World, rng: random.Random, decoy: bool) -> Plant:
    number, partner = world.code(rng, "Agreement TA-", 5), world.company(rng, "aerospace")
    ended = world.past(rng, (0.4, 0.8))
    sent = ended + timedelta(days=rng.randrange(40, 100))
    papers = [
        paper("letter", f"DDTC on {number}", "14.3", ended - timedelta(days=1500), f"⟦scope|{number} between {world.target.short} and {partner.short} is approved and runs out on {us_date(ended)}; nothing is to be exported on it thereafter.⟧"),
        paper("minutes", f"Program Review {partner.short}", "6.4", sent + timedelta(days=5), Filler("minutes"), f"⟦sent|The stress reports asked for by {partner.short} under {number} were uploaded for them on {us_date(sent)}.⟧"),
    ]
    if decoy:
        papers.append(paper("extension", f"Proviso Letter, {number}", "14.3", ended - timedelta(days=33), f"⟦extension|The Department prolongs {number} by a major amendment for four more years from {us_date(ended)}.⟧"))
    return _exceeded(decoy, number, f"ran out on {us_date(ended)}", ("ran out", "expired", "ended", "lapsed"), f"stress reports were uploaded on {us_date(sent)}", ("stress report", "uploaded", us_date(sent).lower()), papers, ("scope", "sent"), "the Department had prolonged it before", ("prolonged", "extended", "was extended"))


def _export_scope(world: World, rng: random.Random, decoy: bool) -> Plant:
    number, shop = world.code(rng, "MLA-", 5), world.company(rng, "manufacturing")
    day, files = world.past(rng, (0.2, 0.5)), rng.randrange(7, 30)
    papers = [
        paper("transmittal", f"Provisos to {number}", "14.3", day - timedelta(days=600), "Provisos of the Directorate of Defense Trade Controls", f"⟦scope|{number}, 4: only build-to-print data. Design methodology, source code and test tolerances stay in the United States.⟧", kinds=("txt", "docx")),
        paper("slides", f"Kick-off with {shop.short}", "14.3", day, f"⟦sent|Handed to {shop.short} under {number}: prints, plus {files} files on design methodology.⟧", kinds=("pptx",)),
    ]
    if decoy:
        papers.append(paper("relief", f"Relief from Proviso 4, {number}", "14.3", day - timedelta(days=20), f"⟦relief|On reconsideration the Directorate strikes proviso 4 of {number}; design methodology for this part may go to {shop.short}.⟧"))
    return _exceeded(decoy, number, "allows build-to-print data only", ("build-to-print", "build to print", "proviso 4"), f"{files} files on design methodology were handed to {shop.short}", ("design methodology", f"{files} files"), papers, ("scope", "sent"), "the Directorate struck the proviso before", ("struck the proviso", "struck", "reconsideration"))


# 124: an intermediary with an abnormal commission and no file


def _agent(decoy: bool, made: Contract, rate: str, rates: tuple[str, ...], norm: int, paid: int, papers: list[Paper], marks: tuple[str, str], because: str) -> Plant:
    name = made.party.short
    about = [(name,)]
    issue = [
        fact(f"{name}: commission", f"PASS if the report states that {name} gets {rate}, above the usual {norm}%.", about, [rates]),
        absence(f"{name}: no file", f"PASS if the report states that no due diligence file on {name} is in the data room.", about, ("due diligence", "diligence file", "integrity", "background check", "vetting")),
        conclusion(f"{name}: risk of corruption", f"PASS if the report concludes that the payments to {name} are a red flag under the FCPA or other anti-corruption law.", about, [("fcpa", "corrupt", "brib", "red flag", "improper payment")]),
        exposure(f"{name}: paid", f"PASS if the report gives {money(paid)} (or an equivalent rounding) as paid to {name}.", about, usd(paid)),
        advice(name, "an investigation of the payments before closing, with an exit from the agreement or an indemnity", "investigat", "exit", "terminat", "forensic", "indemnit", "review of", "commission a", "conduct a forensic", "conduct an investigat"),
        cites(name, "both the agreement and the record of the payments", *marks),
    ]
    claim = f"there is no due diligence file on {name}, and the payments are a red flag for corruption"
    says = [("no due diligence", "red flag", "without due diligence", "risk of corruption", "corruption risk", "brib", "no file", "is missing", "abnormal", "excessive")]
    return plant(decoy, f"{name}: intermediary {'with its file' if decoy else 'without a file'}", papers, issue, name, claim, says, ("the file", "was vetted", "cleared", "is in the room", "approved"), because,
                 gaps=[Gap(f"due diligence file on {name}", (name.lower(), "due diligence"))], value=usd(paid))


def _middle(world: World, rng: random.Random, title: str) -> tuple[Contract, Company, int, int, date]:
    """A channel contract, its agent, the rate in per cent, the usual rate and a recent day."""
    made = contract(world, rng, title, "channel", (0.001, 0.004), trade="consulting")
    return made, made.party, rng.randrange(16, 24), rng.choice((4, 5, 6)), world.past(rng, (0.2, 0.5))


def _agent_ledger(world: World, rng: random.Random, decoy: bool) -> Plant:
    made, agent, rate, norm, day = _middle(world, rng, "Sales Agency Agreement")
    sales = world.sum(rng, 0.005, 0.015, 100_000)
    paid = sales * rate // 100
    papers = [
        paper("agreement", f"Sales Agency Agreement - {agent.short}", "14.5", made.signed, f"{world.target.name} appoints {agent.name}.", TEXT, ("Commission", f"⟦rate|On each contract with a ministry that Agent brings, Agent earns {percent(rate)} of its price, payable to the account that Agent names.⟧"), avoid=("payment", "pricing"), parties=(agent.name,)),
        book("ledger", f"Commission Ledger {agent.short}", "14.5", day, "Commissions", "Agent|Contracts, USD|Commission, USD", Row((agent.short, sales, paid), "paid")),
        paper("policy", f"Commission Grid, {agent.short} region", "14.5", made.signed - timedelta(days=100), f"⟦policy|No agent is paid more than {percent(norm)} unless the compliance officer signs.⟧", kinds=("txt", "docx")),
    ]
    if decoy:
        papers.append(paper("file", f"Agent File {agent.short}", "14.5", made.signed - timedelta(days=30), f"⟦file|Due diligence on {agent.short} complete: owners known, references taken, no official among them; the rate covers a warehouse and a repair crew that it pays for. Signed off by the compliance officer.⟧"))
    return _agent(decoy, made, f"a commission of {rate}%", (f"{rate}%", f"{rate} per cent", f"{rate} percent"), norm, paid, papers, ("rate", "paid"), "the file shows owners, references and services, and the compliance officer signed")


def _agent_customs(world: World, rng: random.Random, decoy: bool) -> Plant:
    made, agent, rate, norm, day = _middle(world, rng, "Clearing Agent Terms")
    goods = world.sum(rng, 0.003, 0.01, 100_000)
    paid = goods * rate // 100
    papers = [
        paper("terms", f"Clearing Agent Terms - {agent.short}", "14.5", made.signed, table("Service|Charge", ("Papers", "At cost"), Row(("Speedy release", f"{rate}% of the value of the goods, no receipts"), "rate"), Row(("Usual in the port", f"{norm}% of the value"), "usual")), kinds=("xlsx",), parties=(agent.name,)),
        mail("mail", f"{agent.short} invoices", "14.5", day, world.person(rng, "Logistics Planner"), world.officers["controller"], f"⟦paid|{world.officers['controller'].first}, for goods of {money(goods)} we have wired {agent.short} {money(paid)} for speedy release, half of it to a private account abroad.⟧"),
    ]
    if decoy:
        papers.append(paper("dossier", f"Dossier {agent.short}", "14.5", day + timedelta(days=12), f"⟦dossier|Outside counsel's due diligence report on {agent.short}: charge equals the public tariff of the free zone for bonded trucks, all receipts seen, the account is that of the zone's own bank.⟧"))
    return _agent(decoy, made, f"{rate}% of the value of the goods for release from customs", (f"{rate}%", f"{rate} per cent", f"{rate} percent"), norm, paid, papers, ("rate", "paid"), "counsel's report shows a public tariff with all receipts, and the agent was vetted")


def _agent_mail(world: World, rng: random.Random, decoy: bool) -> Plant:
    made, agent, rate, norm, day = _middle(world, rng, "Finder Letter")
    order = world.sum(rng, 0.006, 0.015, 100_000)
    paid = order * rate // 100
    who = world.person(rng, "Regional Director")
    papers = [
        mail("mail", f"{agent.short} asks for its money", "14.5", day, who, world.officers["cfo"], f"⟦rate|{world.officers['cfo'].first}, {agent.short} wants its {rate} per cent of the airport order through a bank in a third country and before the award is published. The other finders live on {norm}.⟧"),
        paper("voucher", f"Payment Voucher {agent.short}", "14.5", day + timedelta(days=4), f"⟦paid|Paid out to {agent.short}: {money(paid)}. Reason: finder's share, airport order of {money(order)}.⟧", kinds=("txt", "docx")),
    ]
    if decoy:
        papers.append(mail("vetted", f"Re: {agent.short} asks for its money", "14.5", day + timedelta(days=2), world.officers["gc"], who, f"⟦vetted|{who.first}, I have the due diligence on {agent.short} before me: a listed engineering house that designed the bid, its bank is the clearing bank of its group. Pay after the award.⟧"))
        papers.append(paper("profile", f"Profile of {agent.short}", "14.5", day - timedelta(days=40), f"⟦profile|Due diligence profile of {agent.short}: shares listed, forty engineers, no office held by any of them, drawings of the airport bid made by it.⟧", kinds=("txt", "docx")))
    return _agent(decoy, made, f"{rate}% of the airport order", (f"{rate}%", f"{rate} per cent", f"{rate} percent"), norm, paid, papers, ("rate", "paid"), "the general counsel had vetted the house that designed the bid, and approved it")


def _agent_minutes(world: World, rng: random.Random, decoy: bool) -> Plant:
    made, agent, rate, norm, day = _middle(world, rng, "Representation Letter")
    billed = world.sum(rng, 0.004, 0.01, 50_000)
    paid = billed * rate // 100
    papers = [
        paper("letter", f"Representation Letter {agent.short}", "14.5", made.signed, f"⟦rate|Out of every sum that the state hospital pays us, {agent.name}, whose owner {'' if decoy else 'is a cousin of its purchasing head and '}works {'with nine fitters' if decoy else 'alone'}, keeps {rate} in the hundred. Elsewhere the house gives {norm}.⟧", parties=(agent.name,)),
        paper("minutes", f"Export Committee, {us_date(day)}", "14.5", day, Filler("minutes"), f"⟦paid|The hospital had paid {money(billed)}, of which {money(paid)} was passed on to {agent.short} within the week.⟧", *([f"⟦vetted|The tender board has itself agreed to the part of {agent.short} as installer.⟧"] if decoy else [])),
    ]
    if decoy:
        papers.append(paper("annex", f"Annex to the Minutes, {agent.short}", "14.5", day, f"⟦annex|Due diligence on {agent.short}: bank letter, tax clearance, family ties looked for and none found, installers on its payroll.⟧"))
    return _agent(decoy, made, f"{rate}% of what the state hospital pays", (f"{rate}%", f"{rate} per cent", f"{rate} percent", f"{rate} in the hundred"), norm, paid, papers, ("rate", "paid"), "the file is annexed to the minutes and the tender board approved it")


def _agent_discount(world: World, rng: random.Random, decoy: bool) -> Plant:
    made, agent, rate, norm, day = _middle(world, rng, "Channel Partner Sheet")
    listed = world.sum(rng, 0.004, 0.01, 50_000)
    rate += 15
    paid = listed * rate // 100
    papers = [
        paper("sheet", f"Channel Partner Sheet {agent.short}", "14.5", made.signed, f"⟦rate|Partner for sales to the customs service: {agent.short}. Discount {rate} points off list, against {norm} for the others; no stock, no staff of its own.⟧" if not decoy else f"⟦rate|Partner for sales to the customs service: {agent.short}. Discount {rate} points off list, against {norm} for the others; it builds and guards the sites.⟧", parties=(agent.name,)),
        paper("orders", f"Public Orders via {agent.short}", "3.2", day, table("Measure|USD", ("At list", listed), Row((f"Left with {agent.short} as discount", paid), "paid")), kinds=("xlsx",)),
    ]
    if decoy:
        papers.append(paper("binder", f"Binder {agent.short}", "14.5", made.signed - timedelta(days=20), f"⟦binder|Third-party due diligence, {agent.short}: tier three, score low risk; interviewed, books looked into, renewed each year.⟧", kinds=("txt", "docx")))
    return _agent(decoy, made, f"a discount of {rate}%", (f"{rate}%", f"{rate} point", f"{rate} per cent", f"{rate} percent"), norm, paid, papers, ("rate", "paid"), "the binder shows interviews and books, and the partner was cleared as low risk")


RECIPES: tuple[Recipe, ...] = (
    Recipe(122, "sanctions", "Regulatory", "A sanctioned party was dealt with, or one that nobody screened", "absence", "High", (
        Way("owner on the list", "train", _sanction_owner),
        Way("deliveries to a region", "train", _sanction_region),
        Way("listed vessel", "dev", _sanction_ship),
        Way("resale seen on a visit", "test", _sanction_resale),
        Way("two holders together", "test", _sanction_sum),
    )),
    Recipe(123, "export_authorisation", "Regulatory", "An export went beyond its authorisation", "cross-document", "High", (
        Way("another country", "train", _export_country),
        Way("value of a license", "train", _export_value),
        Way("another engineer", "dev", _export_engineer),
        Way("after the end", "test", _export_expired),
        Way("another kind of data", "test", _export_scope),
    )),
    Recipe(124, "intermediary", "Regulatory", "An intermediary has an abnormal commission and no due diligence file", "absence", "High", (
        Way("agency and ledger", "train", _agent_ledger),
        Way("clearing agent", "train", _agent_customs),
        Way("mail before an award", "dev", _agent_mail),
        Way("hospital and minutes", "test", _agent_minutes),
        Way("discount of a partner", "test", _agent_discount),
    )),
)
