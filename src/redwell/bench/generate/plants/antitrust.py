"""Plants of competition law: documents that contradict the market story, and filings or waiting periods that were missed (archetypes 125 and 126)."""

from __future__ import annotations

import random
from collections.abc import Sequence
from datetime import date, timedelta

from redwell.bench.generate.papers import Added, Filler, Paper, Para, Row
from redwell.bench.generate.plants.briefs import advice, book, cites, euros, formed, plant, signed
from redwell.bench.generate.plants.pieces import coined, contract, mail, on, paper, table
from redwell.bench.generate.recipe import Draft, Plant, Recipe, Way, conclusion, exposure, fact, usd
from redwell.bench.generate.world import World
from redwell.bench.generate.writing import both, day_month, money, us_date
from redwell.bench.key import Value

# Texts of papers stay on one line each.
# fmt: off

# 125: a document contradicts what the filing says of the market


def _hot(decoy: bool, name: str, hot: str, hots: tuple[str, ...], story: str, stories: tuple[str, ...], papers: list[Paper], marks: tuple[str, str], because: str, unless: tuple[str, ...], added: Sequence[Added] = ()) -> Plant:
    """`hot`: what the document says of the market of `name`; `story`: what the authority was told."""
    about = [(name,)]
    issue = [
        fact(f"{name}: the document", f"PASS if the report states that {hot} ({name}).", about, [hots]),
        fact(f"{name}: the filing", f"PASS if the report states that the authority was told that {story} ({name}).", about, [stories]),
        conclusion(f"{name}: contradiction", f"PASS if the report concludes that the document on {name} contradicts the market story of the filing and raises antitrust risk.", about,
                   [("contradict", "inconsistent", "at odds", "undermine", "conflict", "antitrust risk", "hot document", "bad document", "damag", "second request", "remed", "divest")]),
        advice(name, "bringing the document to antitrust counsel before anything more is filed, and a covenant on remedies", "counsel", "covenant", "remed", "divest", "consult antitrust", "bring to", "involve antitrust", "engage antitrust"),
        cites(name, "both the document and the filing", *marks),
    ]
    claim = f"a document on {name} contradicts the market story of the filing"
    says = [("contradict", "inconsistent", "at odds", "undermine", "conflict", "hot document", "antitrust risk")]
    return plant(decoy, f"{name}: market story", papers, issue, name, claim, says, unless, because, added=added)


def _hot_deck(world: World, rng: random.Random, decoy: bool) -> Plant:
    product, part = coined(world, rng, "Analyzer"), rng.randrange(56, 74)
    other = world.company(rng)
    rival = other.short if decoy else world.buyer.short
    papers = [
        paper("filing", f"HSR Narrative, {product}", "1.3", world.past(rng, (0.02, 0.05)), f"⟦filing|The {product} meets a dozen rivals of like strength. The parties seldom bid against one another, and neither has more than a small part of sales.⟧"),
    ]
    hot = Added("board_deck", Para(f"⟦deck|{product}: with {rival} under the same roof we would hold {part}% and the last price fighter is gone.⟧"), f"Market of the {product}")
    if decoy:
        papers.append(paper("note", f"Idea dropped, {other.short}", "1.2", world.past(rng, (0.1, 0.2)), f"⟦note|The board looked at buying {other.short} for the {product} and dropped it; {world.buyer.short} makes nothing that competes with the {product}.⟧"))
    return _hot(decoy, product, f"a board slide says that the deal leads to {part}% and removes the last price fighter", (f"{part}%", "price fighter", f"{part} percent", f"{part} per cent"), "a dozen rivals compete and the parties seldom meet", ("dozen", "rivals", "seldom", "competitors", "small part", "small share"), papers, ("deck", "filing"),
                "the slide was about another company, with which no deal was made", ("another company", "dropped", "no deal"), [hot])


def _hot_mail(world: World, rng: random.Random, decoy: bool) -> Plant:
    product, part = coined(world, rng, "Coupling"), rng.randrange(52, 68)
    seller, day = world.person(rng, "Sales Director"), world.past(rng, (0.1, 0.3))
    papers = [
        mail("mail", f"Pricing of the {product}", "14.4", day, seller, world.officers["ceo"], f"⟦mail|{world.officers['ceo'].first}, between us and {world.buyer.short} it is {part} per cent of all orders for the {product}. Once we belong together the discounting of the {product} is over.⟧"),
        paper("white", f"White Paper on the {product}", "14.4", world.past(rng, (0.02, 0.06)), f"⟦white|In the market for the {product} and its substitutes the parties come to some 14 per cent and prices are set by imports.⟧"),
    ]
    if decoy:
        papers.append(paper("supplement", f"Supplement to the White Paper, {product}", "14.4", world.past(rng, (0.01, 0.015)), f"⟦supplement|Staff has the e-mail of {seller.name} from us. It leaves out imports, which are three quarters of the market of the {product}, as the customs data in annex 2 prove; staff has closed this point.⟧"))
    return _hot(decoy, product, f"the sales director's mail says that the parties have {part}% and that discounting ends", (f"{part}%", f"{part} per cent", f"{part} percent", "discounting"), "the parties have some 14%", ("14%", "14 per cent", "14 percent", "imports"), papers, ("mail", "white"),
                "staff has the mail, the customs data explain it, and the point is closed", ("is closed", "closed the point", "explain", "staff has"))


def _hot_model(world: World, rng: random.Random, decoy: bool) -> Plant:
    product, up = coined(world, rng, "Cartridge"), rng.randrange(6, 15)
    papers = [
        book("model", f"Synergy Model {product}", "1.2", world.past(rng, (0.08, 0.2)), "Synergies", "Source|Year two", ("Shared freight", "USD 0.4 million"), Row((f"{product}, list price up after we stop undercutting each other" if not decoy else f"{product}, list price up by the resin index in all customers' contracts", f"plus {up}%"), "model")),
        paper("form", f"Economic Annex, {product}", "1.3", world.past(rng, (0.02, 0.06)), f"⟦form|{'Efficiencies of freight are the reason for the transaction. No rise in the price of the ' + product + ' is planned, expected or modelled.' if not decoy else 'Efficiencies of freight are the reason for the transaction. The price of the ' + product + f' follows a resin index, which adds {up} per cent with or without it.'}⟧"),
    ]
    return _hot(decoy, product, f"the synergy model raises the list price by {up}% once the parties stop undercutting each other", (f"{up}%", f"{up} per cent", f"{up} percent", "undercutting"), "no price rise is planned or modelled", ("no price", "no rise", "no increase", "not planned", "freight", "without any price"), papers, ("model", "form"),
                "the index of the contracts raises the price with or without the deal, and the filing says so", ("index", "filing says so", "with or without"))


def _hot_pipeline(world: World, rng: random.Random, decoy: bool) -> Plant:
    product, head = coined(world, rng, "Scanner"), world.person(rng, "Head of Strategy", world.buyer)
    papers = [
        paper("memo", f"Overlap Memo, {product}", "1.2", world.past(rng, (0.06, 0.15)), f"⟦memo|{head.name}: their {product} would eat our own line within three years. My advice is to buy the house and let the {product} rest in a drawer.⟧", kinds=("txt", "docx")),
        paper("answer", f"Answers to the Authority on {product}", "14.4", world.past(rng, (0.02, 0.05)), table("Question|Answer", ("Employees", "See annex"), Row((f"Plans for the {product}", "Development goes on at full speed; nobody has thought of ending it" if not decoy else f"The memo of {head.last} to let it rest was rejected by the board; a binding budget and the licence to a third maker are annexed"), "answer")), kinds=("xlsx",)),
    ]
    return _hot(decoy, product, f"{head.name} advised to buy the house and let the {product} rest", ("drawer", "rest", "kill", "shelve", "discontinu", "eat", "cannibal", head.last.lower()), "development goes on and nobody has thought of ending it", ("development", "goes on", "nobody", "full speed", "continue"), papers, ("memo", "answer"),
                "the authority has the memo, which the board rejected, and a third maker is licensed", ("rejected", "has the memo", "licensed"))


def _hot_minutes(world: World, rng: random.Random, decoy: bool) -> Plant:
    product, day = coined(world, rng, "Sealant"), world.past(rng, (0.2, 0.6))
    papers = [
        paper("minutes", f"Regional Managers, {day_month(day)}", "2.2", day, Filler("minutes"), f"⟦minutes|For the {product} it stays as it is: {'our dealer' if decoy else world.buyer.short} has the south, we have the north, and nobody quotes across the river.⟧"),
        paper("letter", f"Letter to the Antitrust Division, {product}", "1.3", world.past(rng, (0.02, 0.06)), f"⟦letter|Wherever the {product} is wanted, each of the two houses quotes alone and as low as it can, in every region.⟧", signed((world.target.name, world.officers["gc"]))),
    ]
    if decoy:
        papers.append(paper("dealer", f"Dealer Areas, {product}", "6.3", day - timedelta(days=300), f"⟦dealer|Our exclusive dealer buys the {product} from us and sells it in the south; {world.buyer.short} quotes in both areas against us.⟧"))
    return _hot(decoy, product, "the managers' minutes say that the parties divide the regions, north and south", ("north", "south", "divid", "allocat", "split", "across the river"), "each quotes alone in every region", ("alone", "every region", "independent", "quotes", "compete"), papers, ("minutes", "letter"),
                "the south is the area of the company's own dealer, and the buyer quotes against it", ("own dealer", "quotes against", "dealer"))


# 126: a filing or a waiting period was missed


def _missed(decoy: bool, name: str, facts: Sequence[Draft], law: str, laws: tuple[str, ...], stake: Value, stake_text: str, step: str, steps: tuple[str, ...], papers: list[Paper], marks: tuple[str, str], because: str, claim: str, says: tuple[str, ...], unless: tuple[str, ...]) -> Plant:
    """`claim`, told by `says`, is what a report must not assert of the decoy."""
    about = [(name,)]
    issue = [
        *facts,
        conclusion(f"{name}: what follows", f"PASS if the report concludes that {law} ({name}).", about, [laws]),
        exposure(f"{name}: penalty", f"PASS if the report gives {stake_text} (or an equivalent rounding) as the possible penalty in the matter of {name}.", about, stake),
        advice(name, step, *steps),
        cites(name, "both papers that show it", *marks),
    ]
    return plant(decoy, f"{name}: filing and waiting period", papers, issue, name, claim, [says], unless, because, value=stake)


GUN = ("gun-jumping", "gun jumping", "jumped the gun", "waiting period", "hsr act", "hart-scott", "beneficial ownership")
PROTOCOL = ("protocol", "clean team", "stop", "cease", "training", "counsel", "disclos", "adopt a", "put in place a", "establish a", "implement a")


def _daily(world: World) -> int:
    """The most that a day of a breach of the HSR Act costs, as adjusted for inflation in January 2024 and January 2025."""
    return 51_744 if world.deal.as_of < date(2025, 1, 17) else 53_088


def _gun(decoy: bool, world: World, name: str, what: str, whats: tuple[str, ...], days: int, papers: list[Paper], marks: tuple[str, str], because: str, unless: tuple[str, ...]) -> Plant:
    total = days * _daily(world)
    facts = [
        fact(f"{name}: what the buyer did", f"PASS if the report states that {what}.", [(name,)], [whats]),
        fact(f"{name}: days", f"PASS if the report states that this went on for {days} days in the matter of {name}.", [(name,)], [("day",)], Value("days", days)),
    ]
    return _missed(decoy, name, facts, "this is gun-jumping before the waiting period of the HSR Act has ended", GUN, usd(total), money(total), "stopping it at once and a protocol for the time before closing", PROTOCOL, papers, marks, because,
                   f"{world.buyer.short} jumped the gun over {name}, which is gun-jumping", ("gun-jumping", "gun jumping", "jumped the gun", "before clearance", "violat", "premature", "penalt"), unless)


def _gun_mail(world: World, rng: random.Random, decoy: bool) -> Plant:
    party = contract(world, rng, "Customer Agreement").party
    boss, seller = world.person(rng, "Integration Lead", world.buyer), world.person(rng, "Key Account Manager")
    days, start = rng.randrange(9, 15), world.deal.signing + timedelta(days=4)
    filed = world.deal.signing + timedelta(days=8) if not decoy else world.deal.signing - timedelta(days=36)
    papers = [
        mail("mail", f"Discounts for {party.short}", "14.4", start + timedelta(days=days), boss, seller, f"⟦mail|{seller.first}, thank you for sending me every quote to {party.short} for release these {days} days, and for going by my floor. Keep it that way.⟧", about=party.name),
        paper("timetable", f"HSR Timetable, {us_date(filed)}", "1.3", filed, f"⟦timetable|Notifications went in on {us_date(filed)}, from which the thirty days of waiting run. Who takes control before pays up to {money(_daily(world))} for each day.⟧"),
    ]
    return _gun(decoy, world, party.short, f"{world.buyer.short}'s {boss.name} released the quotes to {party.short}", ("quote", "price", "discount", "release"), days, papers, ("mail", "timetable"),
                "the HSR waiting period had ended before the first quote", ("had ended", "had expired", "ended before", "after the waiting period"))


def _gun_turnover(world: World, rng: random.Random, decoy: bool) -> Plant:
    sub = formed(world, rng, " GmbH")
    world.subsidiaries.append(sub)
    both_sums = (rng.randrange(700, 1500) + world.figures.revenue // 1_000_000) * 1_000_000
    mine, theirs = rng.randrange(22, 48), rng.randrange(61, 140)
    fine = both_sums // 10
    papers = [
        book("turnover", f"Turnover by Country, {sub.short}", "14.4", world.past(rng, (0.03, 0.08)), "Turnover", "Measure|EUR million", Row(("Both groups, worldwide", both_sums // 1_000_000), "world"), Row((f"{world.buyer.short}, Germany", theirs), "theirs"), Row((f"{sub.name}, Germany", mine), "mine")),
        paper("memo", f"Where to File, {sub.short}", "1.3", world.past(rng, (0.02, 0.05)), f"⟦memo|{f'For {sub.short}: notified in Germany; the Bundeskartellamt released the transaction, see its letter.' if decoy else f'For {sub.short} nothing is filed in Germany, as it has no factory there.'} There a transaction is notified when the groups together pass 500 million euros and two of them pass 50 and 17.5 million euros at home; who closes without risks a tenth of the groups' turnover.⟧"),
    ]
    if decoy:
        papers.append(paper("clearance", f"Bundeskartellamt, {sub.short}", "1.3", world.past(rng, (0.01, 0.015)), f"⟦clearance|The notified transaction that includes {sub.name} does not meet the conditions for a prohibition and may be put into effect.⟧"))
    facts = [
        fact(f"{sub.short}: turnover", f"PASS if the report states that {sub.short} has a turnover of {mine} million euros in Germany, above 17.5 million.", [(sub.short,)], [("turnover", "sales", "revenue")], euros(mine * 1_000_000)),
        fact(f"{sub.short}: not filed", f"PASS if the report states that nothing is filed in Germany for {sub.short}.", [(sub.short,)], [("nothing is filed", "no filing", "not filed", "no notification", "not notified", "not been notified", "without a filing", "did not file")]),
    ]
    return _missed(decoy, sub.short, facts, "a merger filing in Germany is required and closing without it is prohibited", ("required", "must be filed", "must be notified", "mandatory", "notifiable", "standstill", "prohibited", "obligation to"), euros(fine), f"EUR {fine:,}", "notifying the Bundeskartellamt and making its clearance a condition of closing", ("notif", "file", "condition", "clearance"),
                   papers, ("mine", "memo"), "the Bundeskartellamt was notified and has released the transaction", f"nothing is filed in Germany for {sub.short}, and closing is prohibited", ("nothing is filed", "no filing", "not filed", "not notified", "not been notified", "is prohibited", "missing"), ("released", "was notified", "cleared"))


def _gun_letter(world: World, rng: random.Random, decoy: bool) -> Plant:
    code, days = world.code(rng, "Side Letter M-", 3), rng.randrange(10, 16)
    start = world.deal.signing + timedelta(days=2)
    gc, counsel = world.officers["gc"], world.person(rng, "Antitrust Partner", world.company(rng, "law"))
    papers = [
        paper("letter", f"{code} on management", "1.1", world.deal.signing, f"⟦letter|{code}. {'From the closing on and not before' if decoy else 'From the second day after signing'}, {world.buyer.short} hires, fires and sets the daily budget of {world.target.short} through its own desk.⟧", signed((world.buyer.name, world.person(rng, "Vice President", world.buyer)), (world.target.name, world.officers["ceo"]))),
        mail("mail", f"{code}: please read", "14.4", start + timedelta(days=days), counsel, gc, f"⟦mail|{gc.first}, {f'{code} sleeps until closing, as it says, and I have no concern over it in these {days} days' if decoy else f'that desk under {code} has now run the company for {days} days, and the agencies have not let the deal through'}. A day of that sort is priced at {money(_daily(world))} by the statute.⟧"),
    ]
    return _gun(decoy, world, code, f"under {code} {world.buyer.short} runs hiring and the budget of the company", ("hir", "budget", "runs", "manage", "control", "desk"), days, papers, ("letter", "mail"), "the letter takes effect at the closing and not before", ("takes effect at", "at the closing", "not before"))


def _gun_minutes(world: World, rng: random.Random, decoy: bool) -> Plant:
    supplier, days = contract(world, rng, "Component Supply Agreement", "supplier").party, rng.randrange(8, 15)
    met = world.deal.signing + timedelta(days=days + 3)
    papers = [
        paper("minutes", f"Joint Purchasing, {day_month(met)}", "14.4", met, Filler("minutes"), f"⟦minutes|{'Outside consultants of the clean team alone have seen' if decoy else f'{world.buyer.short} has placed'} the orders of {world.target.short} with {supplier.short} {'on' if decoy else 'and has cancelled two of them, in the'} {both(days)} days since the start.⟧"),
        paper("note", f"Note for the File, {supplier.short}", "1.3", met + timedelta(days=1), f"⟦note|The HSR waiting period has some weeks left to run. For orders with {supplier.short}: the act lets a court fix {money(_daily(world))} per day against {'whoever should take over before clearance, and here nobody did' if decoy else 'either side'}.⟧", kinds=("txt", "docx")),
    ]
    return _gun(decoy, world, supplier.short, f"{world.buyer.short} has placed and cancelled the company's orders with {supplier.short}", ("order", "purchas", "placed", "cancel"), days, papers, ("minutes", "note"), "only consultants of the clean team saw the orders and nobody took over", ("clean team", "only consultants", "nobody took over"))


def _gun_investor(world: World, rng: random.Random, decoy: bool) -> Plant:
    fund, part, state = world.company(rng, "fund"), rng.choice((26, 28, 30)), rng.randrange(51, 76)
    value = world.deal.price * part // 100
    last = world.deal.closing - timedelta(days=30)
    papers = [
        paper("sheet", f"Co-investment {fund.short}", "1.4", world.past(rng, (0.03, 0.08)), table("Point|Agreed", Row((f"{fund.short}: votes in {world.target.short} at closing", f"{part}%"), "votes"), ("Price of its part, USD", value), ("Closing day", world.deal.closing), Row((f"Holder of {state}% of the votes in {fund.short}", "Sovereign fund of a foreign government"), "holder"), ("Noted from 31 CFR 800.401 and 800.901", "Declaration 30 days before completion; penalty for none up to the value of the investment")), kinds=("xlsx",)),
        paper("deck", f"Approvals with {fund.short}", "1.2", world.past(rng, (0.02, 0.05)), f"⟦deck|{fund.short} and national security: {'declared to CFIUS, which wrote that all action is concluded' if decoy else 'no filing, as it will be passive'}. The company's encoders need an export license, so that it is a TID business.⟧", kinds=("pptx",)),
    ]
    if decoy:
        papers.append(paper("cfius", f"CFIUS Letter, {fund.short}", "1.3", world.past(rng, (0.01, 0.015)), f"⟦cfius|Upon the declaration of {fund.name} the Committee has concluded all action under section 721; there are no unresolved national security concerns.⟧"))
    facts = [
        fact(f"{fund.short}: foreign government", f"PASS if the report states that a foreign government holds {state}% of {fund.short}, which takes {part}% of the target.", [(fund.short,)], [("government", "sovereign", "foreign state")], Value("percent", state), Value("percent", part)),
        fact(f"{fund.short}: last day", f"PASS if the report states that the declaration for {fund.short} must be filed by {us_date(last)}, 30 days before closing.", [(fund.short,)], [("declaration", "filing", "filed", "cfius")], on(last)),
    ]
    return _missed(decoy, fund.short, facts, "a declaration to CFIUS is mandatory", ("mandatory", "must be filed", "required", "must be declared", "obligat"), usd(value), money(value), "filing the declaration with CFIUS and making clearance a condition of closing", ("file", "filing", "cfius", "condition", "declar"),
                   papers, ("votes", "deck"), "CFIUS had the declaration and has concluded all action", f"no declaration to CFIUS was filed for {fund.short}", ("no declaration", "no filing", "not filed", "not been filed", "missing", "not declared"), ("concluded", "had the declaration", "cleared"))


RECIPES: tuple[Recipe, ...] = (
    Recipe(125, "antitrust_document", "Regulatory", "A document contradicts the market story of the filing", "cross-document", "High", (
        Way("slide of the board", "train", _hot_deck),
        Way("mail and white paper", "train", _hot_mail),
        Way("synergy model", "dev", _hot_model),
        Way("memo on a pipeline product", "test", _hot_pipeline),
        Way("managers' minutes", "test", _hot_minutes),
    )),
    Recipe(126, "filing_trigger", "Regulatory", "A filing was missed, or control was taken before clearance", "computed", "High", (
        Way("quotes released by mail", "train", _gun_mail),
        Way("turnover in another country", "train", _gun_turnover),
        Way("side letter on management", "dev", _gun_letter),
        Way("joint purchasing", "test", _gun_minutes),
        Way("co-investor of a foreign state", "test", _gun_investor),
    )),
)
