"""Plants of permits, licences and filings: in the wrong name, without the approval that the deal needs, or overdue (archetypes 112, 118 and 119)."""

from __future__ import annotations

import random
from datetime import date, timedelta

from redwell.bench.generate.papers import Added, Filler, Paper, Row
from redwell.bench.generate.plants.briefs import advice, book, cites, formed, plant, signed
from redwell.bench.generate.plants.pieces import mail, on, paper, table
from redwell.bench.generate.recipe import Gap, Plant, Recipe, Way, absence, conclusion, exposure, fact, usd
from redwell.bench.generate.world import World
from redwell.bench.generate.writing import both, day_month, millions, money, thousands, us_date

# Texts of papers stay on one line each.
# fmt: off

# 112: the permit is in another's name, its transfer is pending, or it has expired


def _permit(decoy: bool, number: str, what: str, state: str, states: tuple[str, ...], missing: str, words: tuple[str, ...], days: int, daily: int, terms: tuple[str, ...], despite: tuple[str, ...],
            papers: list[Paper], marks: tuple[str, str], because: str, unless: tuple[str, ...], added: tuple[Added, ...] = ()) -> Plant:
    """`state`: what is wrong with the permit; `missing`: what would mend it and is nowhere; `days` at `daily` dollars of margin are lost while it is mended."""
    about, lost = [(number,)], days * daily
    issue = [
        fact(f"{number}: state of the {what}", f"PASS if the report states that the {what} {number} {state}.", about, [states]),
        absence(f"{number}: no {missing}", f"PASS if the report states that no {missing} for {number} is in the data room.", about, words),
        conclusion(f"{number}: no right to operate", f"PASS if the report concludes that operations under the {what} {number} may have to stop until it is mended.", about,
                   [("stop", "shut", "suspend", "cease", "interrupt", "unpermitted", "without a valid", "without a permit", "no right to operate", "not authorized", "unauthorized", "halt", "violation")]),
        exposure(f"{number}: margin lost", f"PASS if the report gives {money(lost)} (or an equivalent rounding) as the margin that a stop of {days} days under {number} would cost.", about, usd(lost)),
        advice(number, f"obtaining the {missing} before, or as a condition of, closing", "obtain", "condition", "transfer", "renew", "secure", "reissue"),
        cites(number, "both the permit and the paper on what a stop would cost", *marks),
    ]
    claim = f"the {what} {number} {state}, and no {missing} exists"
    says = [(f"no {missing}", "missing", "pending", "outstanding", "not approved", "not been approved", "not been transferred", "not renewed", "not been renewed", "unpermitted", "without a valid", "wrong name", "wrong holder", *(f"no {word}" for word in words))]
    return plant(decoy, f"{number}: {what}", papers, issue, number, claim, says, unless, because, added=added, gaps=[Gap(f"{missing} for {number}", terms, despite)], value=usd(lost))


def _stop(rng: random.Random, world: World) -> tuple[int, int]:
    """Days of a stop and the margin of a day."""
    return rng.choice((30, 45, 60, 75)), max(2_000, round(world.figures.ebitda * rng.uniform(0.0003, 0.0008) / 500) * 500)


def _permit_discharge(world: World, rng: random.Random, decoy: bool) -> Plant:
    place, old, number = world.place(rng), world.company(rng, "manufacturing"), world.code(rng, "WD-", 6)
    days, daily = _stop(rng, world)
    day = world.past(rng, (0.4, 0.9))
    papers = [
        paper("permit", f"Discharge Permit {number}", "12.2", world.past(rng, (2, 4)), f"⟦permit|Permit {number} authorizes {old.name} to discharge process water from {place.address}. It may be used by another only once the department has approved the transfer in writing.⟧"),
        paper("form", f"Transfer Form for {number}", "12.2", day, f"⟦form|{old.name} and {world.target.name} ask that {number} be transferred on the sale of the works.⟧", signed((old.name, world.person(rng, "Secretary", old)), (world.target.name, world.officers["gc"]))),
        mail("mail", f"Shutting the outfall at {place.city}", "12.2", world.past(rng, (0.05, 0.2)), world.officers["controller"], world.officers["gc"], f"⟦stop|{world.officers['gc'].first}, were we told to shut the outfall, a fresh permit would take {days} days, and each day costs us {money(daily)} of margin.⟧"),
    ]
    if decoy:
        papers.append(paper("approval", f"Department on {number}", "12.2", day + timedelta(days=50), f"⟦approval|Transfer approved: from this day {number} stands in the name of {world.target.name}.⟧"))
    held = Added("permit_register", Row((f"Discharge, {place.city}", world.target.name, f"{place.state} Department of Natural Resources", number, world.ahead(rng, (1, 3)))))
    return _permit(decoy, number, "discharge permit", f"is in the name of {old.short}", (old.short.lower(), "predecessor", "former owner", "previous owner"), "approval of the transfer", ("approval", "transfer"), days, daily, (number.lower(), "transfer approved"), (),
                   papers, ("permit", "stop"), "the department has approved the transfer in writing", ("was approved", "has approved", "transfer approved", "approved the transfer"), (held,))


def _permit_expired(world: World, rng: random.Random, decoy: bool) -> Plant:
    place, number, ended = world.place(rng), world.code(rng, "AP-", 6), world.past(rng, (0.2, 0.6))
    days, daily = _stop(rng, world)
    sent = ended - timedelta(days=210 if decoy else 40)
    papers = [
        book("permit", f"Air Permit Conditions {number}", "12.2", ended - timedelta(days=1826), "Conditions", "No.|Condition", (1, f"Source: kilns at {place.address}, {world.target.name}"), Row((2, f"Expires on {us_date(ended)}"), "expiry"),
             Row((3, "Stays in force beyond that day only where a complete application for renewal came in six months or more before it"), "shield")),
        paper("application", f"Renewal Application {number}", "12.2", sent, f"⟦application|Application of {world.target.short} for the kilns under {number}, stamped in on {us_date(sent)}.⟧ {'The stamp adds: complete and in time, application shield applies.' if decoy else 'The stamp adds: late.'}"),
        paper("study", f"Kiln Outage Study, {place.city}", "3.5", world.past(rng, (0.1, 0.2)), f"⟦stop|Out of use for {days} days, the time a new permit needs, the kilns lose {money(daily)} of margin a day.⟧"),
    ]
    if decoy:
        papers.append(paper("renewed", f"Air Permit {number}, second term", "12.2", world.past(rng, (0.03, 0.1)), f"⟦renewed|The air agency renews {number} for five years on the application that had come in on time.⟧"))
    return _permit(decoy, number, "air permit", f"expired on {us_date(ended)}", ("expired", "lapsed", "ran out"), "renewal of the permit", ("renewal", "renewed permit", "new permit"), days, daily, (number.lower(), "agency renews"), (),
                   papers, ("expiry", "stop"), "the agency has renewed the permit", ("renewed", "was renewed", "renewal was"))


def _permit_mail(world: World, rng: random.Random, decoy: bool) -> Plant:
    place, old, number = world.place(rng), world.company(rng), world.code(rng, "SWF-", 5)
    days, daily = _stop(rng, world)
    clerk = world.person(rng, "Permit Clerk", world.company(rng))
    papers = [
        mail("mail", f"{number}, {place.city}", "12.2", world.past(rng, (0.05, 0.15)), clerk, world.officers["gc"],
             f"⟦mail|The county's book has {old.name} as holder of {number}, the transfer station in {place.city}. {'Your change of holder went through at the last session, and the paper is in the post to you.' if decoy else 'A change of holder was asked for and put down for a hearing that nobody has fixed.'}⟧"),
        paper("results", f"Transfer Station Numbers, {place.city}", "3.5", world.past(rng, (0.1, 0.3)), table("Measure|Value", Row(("Margin of one day, USD", daily), "margin"), Row(("Days without the station if a new holder has to apply afresh", days), "stop")), kinds=("xlsx",)),
    ]
    if decoy:
        papers.append(paper("endorsed", f"{number} with endorsement", "12.2", world.past(rng, (0.02, 0.05)), f"⟦endorsed|Endorsement of change of holder on {number}: {old.short} out, {world.target.name} in, by order of the county board.⟧"))
    held = Added("permit_register", Row((f"Transfer station, {place.city}", old.name if not decoy else world.target.name, f"County of {place.city}", number, world.ahead(rng, (1, 4))), "register"))
    return _permit(decoy, number, "station permit", f"is held by {old.short}", (old.short.lower(), "prior owner", "seller of"), "endorsement of a change of holder", ("endorse", "change of holder", "transfer"), days, daily, (number.lower(), "endorsement of change"), (),
                   papers, ("mail", "margin"), "the county board has endorsed the change of holder", ("endorsed", "endorsement is", "went through"), (held,))


def _permit_storage(world: World, rng: random.Random, decoy: bool) -> Plant:
    place, old, number = world.place(rng), world.company(rng, "chemicals"), world.code(rng, "HWF-", 5)
    days, daily = _stop(rng, world)
    bought = world.past(rng, (0.5, 1.2))
    papers = [
        paper("permit", f"Hazardous Waste Facility Permit {number}", "12.2", bought - timedelta(days=900), f"⟦permit|Permittee: {old.name}, for the storage pad in {place.city}. A new owner hands in a revised application no later than 90 days before it takes over, and takes over once the modification is made.⟧"),
        paper("minutes", f"Integration Meeting, {day_month(bought + timedelta(days=40))}", "2.2", bought + timedelta(days=40), Filler("minutes"), f"⟦minutes|The pad in {place.city} came to us with the purchase; {number} was not on the closing list, and {'its modification has been put in hand and since been made.' if decoy else 'somebody is to look into its modification.'}⟧",
              f"⟦stop|Were the pad closed for {days} days, {money(daily)} of margin would go with each of them.⟧"),
    ]
    if decoy:
        papers.append(paper("modification", f"Class 1 Modification, {number}", "12.2", bought + timedelta(days=120), f"⟦modification|Class 1 modification of {number}: owner and operator are now {world.target.name}; its financial assurance is accepted.⟧"))
    return _permit(decoy, number, "facility permit", f"names {old.short} as permittee", (old.short.lower(), "former owner", "wrong name", "another company"), "permit modification", ("modification", "transfer", "revised application"), days, daily, (number.lower(), "class 1 modification"), (),
                   papers, ("permit", "stop"), "the modification to the new owner was made", ("was made", "were made", "modification is", "modified"))


def _permit_water(world: World, rng: random.Random, decoy: bool) -> Plant:
    place, number, ended = world.place(rng), world.code(rng, "WU-", 6), world.past(rng, (0.15, 0.5))
    days, daily = _stop(rng, world)
    papers = [
        paper("licence", f"Water Use Licence {number}", "14.1", ended - timedelta(days=3650), f"⟦licence|The holder may draw from the wells in {place.city} for ten years ending {day_month(ended)}; water drawn later is drawn without right.⟧", kinds=("txt", "docx")),
        paper("deck", f"Wells {place.city}", "3.5", world.past(rng, (0.05, 0.12)), f"⟦pumping|Pumping in {place.city} goes on as ever under {number}.⟧", f"⟦stop|No water, no line: {money(daily)} of margin per day; allow {days} days for a licence.⟧", kinds=("pptx",)),
        paper("authority", f"Basin Authority on {number}", "14.2", world.past(rng, (0.02, 0.04)), f"⟦authority|{f'The Basin Authority has on application granted prolongation of {number} for a second decade, without a gap.' if decoy else f'Your meter reading for {number} has been noted. The Basin Authority draws attention to its new office hours.'}⟧"),
    ]
    return _permit(decoy, number, "water licence", f"ended on {us_date(ended)}", ("ended", "expired", "lapsed", "ran out", "without right"), "prolongation of the licence", ("prolongation", "renewal", "extension", "new licence", "new license"), days, daily, (number.lower(), "granted prolongation"), (),
                   papers, ("licence", "stop"), "the authority granted a second decade without a gap", ("prolonged", "second decade", "was granted", "prolongation was", "granted"))


# 118: the licence needs an approval of the change of control, and nothing was filed


def _licence(decoy: bool, number: str, authority: str, names: tuple[str, ...], revenue: int, terms: tuple[str, ...], despite: tuple[str, ...], papers: list[Paper], marks: tuple[str, str], because: str, unless: tuple[str, ...], added: tuple[Added, ...] = ()) -> Plant:
    """`names`: how a report may call the authority."""
    about = [(number,)]
    issue = [
        fact(f"{number}: approval needed", f"PASS if the report states that {authority} must approve a change of control under the licence {number}.", about, [names, ("approv", "consent", "authoriz", "permission"), ("control", "ownership", "transfer", "acquisition", "change", "merger")]),
        absence(f"{number}: no approval", f"PASS if the report states that no approval of {authority} for {number}, nor an application for it, is in the data room.", about, ("approval", "consent", "application", "filing")),
        exposure(f"{number}: revenue", f"PASS if the report gives revenue of {money(revenue)} a year (or an equivalent rounding) as depending on {number}.", about, usd(revenue)),
        advice(number, "filing for the approval and making it a condition of closing", "file", "condition", "obtain", "apply", "application", "approval"),
        cites(number, "both the licence and the list of approvals of the deal", *marks),
    ]
    claim = f"the approval of {authority} for {number} is missing, and nothing was filed"
    says = [("missing", "not filed", "nothing was filed", "no approval", "no application", "not obtained", "outstanding", "has not been", "no consent")]
    return plant(decoy, f"{number}: approval of the change of control", papers, issue, number, claim, says, unless, because, added=added, gaps=[Gap(f"approval of {authority} for {number}", terms, despite)], value=usd(revenue))


def _licence_radio(world: World, rng: random.Random, decoy: bool) -> Plant:
    number, revenue = world.code(rng, "Call sign WQ", 4), world.sum(rng, 0.003, 0.015, 100_000)
    papers = [
        paper("licence", f"Radio Station Authorization, {number}", "14.1", world.past(rng, (1, 4)), f"⟦licence|Licensee of {number}: {world.target.name}. Under section 310(d) of the Communications Act neither the authorization nor control of the licensee passes to another before the Federal Communications Commission has consented.⟧"),
        book("list", f"Regulatory Approvals {number}", "1.3", world.past(rng, (0.03, 0.07)), "Approvals", "Approval|State", Row(("Hart-Scott-Rodino", "Filed"), "list"), Row((f"{number}", "FCC consent granted, see notice" if decoy else "No action, licence stays with the company"), "row")),
        mail("mail", f"Revenue on {number}", "3.2", world.past(rng, (0.05, 0.2)), world.officers["controller"], world.officers["gc"], f"⟦revenue|{world.officers['gc'].first}, what we sell over {number} came to {money(revenue)} last year.⟧"),
    ]
    if decoy:
        papers.append(paper("notice", f"Public Notice on {number}", "1.3", world.past(rng, (0.01, 0.02)), f"⟦notice|Wireless Bureau: application on Form 603 granted; the Commission consents to transfer of control of the licensee of {number} to {world.buyer.name}.⟧"))
    return _licence(decoy, number, "the Federal Communications Commission", ("fcc", "federal communications commission", "communications commission"), revenue, (number.lower(), "consents to transfer of control"), (), papers, ("licence", "row"),
                    "the commission has granted its consent", ("was granted", "has granted", "has consented", "consent was"))


def _licence_materials(world: World, rng: random.Random, decoy: bool) -> Plant:
    number, revenue = world.code(rng, "License 34-", 5), world.sum(rng, 0.003, 0.015, 100_000)
    counsel = world.person(rng, "Partner", world.company(rng, "law"))
    papers = [
        paper("licence", f"Byproduct Materials {number}", "14.1", world.past(rng, (1, 4)), f"⟦licence|Licensee: {world.target.name}, sealed gauges. As 10 CFR 30.34(b) has it, no right under this license goes to anybody, directly or indirectly and be it through control of the licensee, unless the Nuclear Regulatory Commission agrees in writing first.⟧"),
        mail("mail", "Conditions and approvals", "1.3", world.past(rng, (0.03, 0.07)), counsel, world.officers["gc"], f"⟦list|{world.officers['gc'].first}, on our side there is the antitrust filing and, for {number}, {'the written agreement of the agency, which came yesterday and is attached' if decoy else 'nothing, as the gauges do not move'}.⟧"),
        paper("lines", f"Gauge Business, {number}", "3.2", world.past(rng, (0.1, 0.3)), f"⟦revenue|Jobs that need the gauges under {number} brought in {millions(revenue)} in the last twelve months.⟧"),
    ]
    if decoy:
        papers.append(paper("consent", f"Agency Letter on {number}", "1.3", world.past(rng, (0.02, 0.03)), f"⟦consent|The staff agrees in writing to the indirect transfer of {number} to {world.buyer.name} and finds the radiation safety officer unchanged.⟧"))
    return _licence(decoy, number, "the Nuclear Regulatory Commission", ("nrc", "nuclear regulatory commission", "regulatory commission"), revenue, (number.lower(), "agrees in writing to the indirect transfer"), (), papers, ("licence", "list"),
                    "the commission's staff has agreed in writing", ("agreed in writing", "has agreed", "consent was"))


def _licence_captive(world: World, rng: random.Random, decoy: bool) -> Plant:
    captive = formed(world, rng, ", Inc.", "insurer")
    world.subsidiaries.append(captive)
    number, revenue = world.code(rng, "Certificate CAP-", 4), world.sum(rng, 0.002, 0.008, 50_000)
    papers = [
        paper("certificate", f"Certificate of Authority, {captive.short}", "14.1", world.past(rng, (2, 5)), f"⟦certificate|{captive.name} may insure its affiliates under {number}. Who wants to hold ten per cent or more of it or of a parent needs the Commissioner's leave beforehand, asked for on Form A.⟧"),
        paper("minutes", f"Deal Team, {day_month(world.deal.signing)}", "1.2", world.deal.signing, Filler("minutes"), f"⟦list|Counsel read out what has to be lodged: Hart-Scott-Rodino. {f'For {captive.short} the leave is already there.' if decoy else f'For {captive.short} nobody had anything down.'}⟧"),
        book("premium", f"Premium of {captive.short}", "3.2", world.past(rng, (0.1, 0.3)), "Premium", "Line|$ thousand", Row((f"Written under {number} in the year", thousands(revenue)), "revenue"), ("Ceded", 310)),
    ]
    if decoy:
        papers.append(paper("order", f"Order on Form A, {captive.short}", "14.2", world.deal.signing - timedelta(days=3), f"⟦order|The Commissioner gives leave that {world.buyer.name} acquire control of {captive.short}, the holder of {number}.⟧"))
    return _licence(decoy, number, "the insurance Commissioner", ("commissioner", "insurance department", "insurance regulator", "form a"), revenue, (number.lower(), "commissioner gives leave"), (), papers, ("certificate", "list"),
                    "the commissioner has given leave on Form A", ("has given leave", "gave leave", "leave was"))


def _licence_utility(world: World, rng: random.Random, decoy: bool) -> Plant:
    number, place = world.code(rng, "Franchise U-", 5), world.place(rng)
    revenue, day = world.sum(rng, 0.003, 0.012, 50_000), world.past(rng, (0.02, 0.06))
    papers = [
        paper("order", f"Opinion and Order, {number}", "14.1", world.past(rng, (3, 6)), f"⟦order|The Public Service Commission lets {world.target.name} sell steam and chilled water in {place.city}. Ordering paragraph 7: a merger or a sale of its shares by which command of it changes is void for want of the Commission's order approving it.⟧"),
        paper("agenda", f"Conditions Review for {place.city}", "1.3", day, f"⟦list|Reviewed which authorities the agreement makes us wait for. There is the antitrust one. {'The order on the steam business is already in the file.' if decoy else 'The steam business is not among what the agreement makes us wait for.'}⟧", kinds=("txt", "docx")),
        paper("results", f"Steam Sales {place.city}", "3.2", world.past(rng, (0.1, 0.4)), table("Year|USD", Row((f"Sales under {number}, last year", revenue), "revenue"), ("Meters", 212)), kinds=("xlsx",)),
    ]
    if decoy:
        papers.append(paper("approval", f"Order Approving, {number}", "14.2", day - timedelta(days=5), f"⟦approval|Ordered: the sale of shares that puts {world.buyer.name} in command of the holder of {number} is approved as in the public interest.⟧"))
    return _licence(decoy, number, "the Public Service Commission", ("public service commission", "psc", "service commission", "utility commission", "utilities commission"), revenue, (number.lower(), "approved as in the public interest"), (), papers, ("order", "list"),
                    "the commission has made its order approving the sale of the shares", ("has approved", "has made its order", "was approved"))


def _licence_board(world: World, rng: random.Random, decoy: bool) -> Plant:
    number, revenue = world.code(rng, "Permit WD-", 5), world.sum(rng, 0.003, 0.012, 50_000)
    papers = [
        paper("wall", f"State Licences Held, {number}", "14.1", world.past(rng, (0.1, 0.4)), table("Licence|Kind|Condition", Row((number, "Wholesale distributor of devices and drugs", "Ends when majority of holder's stock changes hands, unless State Board of Pharmacy has passed on the new owner at least 30 days before"), "licence"), (world.code(rng, "Permit SC-", 4), "Scales", "None")), kinds=("xlsx",)),
        paper("slides", f"Path to Closing, {number}", "1.2", world.past(rng, (0.02, 0.06)), f"⟦list|Approvals: HSR (both parties). Others: {f'Board of Pharmacy on {number}, done' if decoy else 'none needed'}.⟧", f"⟦revenue|Riding on {number}: sales of {millions(revenue)} a year.⟧", kinds=("pptx",)),
    ]
    if decoy:
        papers.append(paper("letter", f"Board Letter on {number}", "14.2", world.past(rng, (0.07, 0.1)), f"⟦letter|The State Board of Pharmacy passed on {world.buyer.name} as the new owner and reissues {number} with effect from closing.⟧"))
    return _licence(decoy, number, "the State Board of Pharmacy", ("board of pharmacy", "pharmacy board", "state board"), revenue, (number.lower(), "as the new owner"), (), papers, ("licence", "list"),
                    "the board has passed on the new owner", ("has passed on", "reissued", "passed on"))


# 119: a filing is overdue and nobody owns it


def _overdue(decoy: bool, code: str, what: str, due: date, rate: int, most: int, terms: tuple[str, ...], papers: list[Paper], marks: tuple[str, str], because: str, unless: tuple[str, ...], owner: Added | None = None) -> Plant:
    """`rate` dollars for each of at most `most` days, which are over by now."""
    about, penalty = [(code,)], rate * most
    issue = [
        fact(f"{code}: overdue", f"PASS if the report states that the {what} {code} was due on {us_date(due)}.", about, [("due", "deadline", "overdue", "late")], on(due)),
        fact(f"{code}: nobody owns it", f"PASS if the report states that nobody has been named to make the filing {code}.", about, [("nobody", "no one", "no owner", "tbd", "to be determined", "unassigned", "not assigned", "open owner", "without an owner", "to be named", "not been assigned")]),
        absence(f"{code}: no receipt", f"PASS if the report states that no receipt or copy of the filing {code} is in the data room.", about, ("receipt", "confirmation", "copy", "filing", "filed", "submitted", "submission")),
        exposure(f"{code}: penalty", f"PASS if the report gives {money(penalty)} (or an equivalent rounding) as the penalty for the late {code}.", about, usd(penalty)),
        advice(code, "that the filing be made at once, before closing", "file", "made at once", "submit", "before closing", "cure"),
        cites(code, "both the calendar and the rule on the penalty", *marks),
    ]
    claim = f"the {what} {code} is overdue, and no receipt of it exists"
    says = [("overdue", "not filed", "missing", "no receipt", "not been filed", "past due")]
    return plant(decoy, f"{code}: {what}", papers, issue, code, claim, says, unless, because, added=[owner] if owner else [], gaps=[Gap(f"receipt of {code}", terms)], value=usd(penalty))


def _since(world: World, month: int, day: int, least: int = 100) -> date:
    """The last such day of a year that lies at least so many days back."""
    found = date(world.deal.as_of.year, month, day)
    while (world.deal.as_of - found).days < least:
        found = found.replace(year=found.year - 1)
    return found


def _overdue_release(world: World, rng: random.Random, decoy: bool) -> Plant:
    code, due, rate, most = world.code(rng, "Form R-", 5), _since(world, 7, 1), rng.choice((250, 500, 1000)), 90
    papers = [
        paper("rule", f"State Release Reporting, {code}", "12.2", due - timedelta(days=120), f"⟦rule|To {world.target.name}: your release report goes under {code}. A report that is late costs {money(rate)} a day, for {most} days and no longer.⟧"),
        mail("mail", f"{code}", "12.2", due + timedelta(days=-30 if decoy else 35), world.person(rng, "Environmental Technician"), world.officers["gc"], f"{world.officers['gc'].first}, the plant has the numbers for {code} and awaits a name."),
    ]
    if decoy:
        papers.append(paper("receipt", f"Portal Receipt {code}", "12.2", due - timedelta(days=6), f"⟦receipt|Release report {code} received by the portal on {us_date(due - timedelta(days=6))}; confirmation follows.⟧", kinds=("txt", "docx")))
    row = Added("calendar", Row((due, f"Release report {code}", "Done, EHS" if decoy else "TBD"), "calendar"))
    return _overdue(decoy, code, "release report", due, rate, most, (code.lower(), "received by the portal"), papers, ("calendar", "rule"), "the portal has receipted the report before the day", ("receipted", "was filed", "was received", "on time"), row)


def _overdue_pipeline(world: World, rng: random.Random, decoy: bool) -> Plant:
    code, due, rate, most = world.code(rng, "Operator ID 3", 4), _since(world, 3, 15, 75), rng.choice((400, 750, 1200)), 60
    papers = [
        book("tracker", f"Compliance Tracker {code}", "14.2", due + timedelta(days=65), "Tracker", "Report|Day|Who", Row((f"Annual report, gas lateral, {code}", due, "EHS, filed" if decoy else "TBD"), "tracker"), ("Damage prevention letter", due, "EHS")),
        paper("letter", f"Commission to {code}", "14.2", due - timedelta(days=45), f"⟦rule|Operators under the commission send a copy of the federal annual report by the {due.day}th of March; the fee for lateness is {money(rate)} for every day, up to {most} days.⟧"),
    ]
    if decoy:
        papers.append(paper("stamp", f"Annual Report, {code}", "14.2", due - timedelta(days=3), f"⟦stamp|Annual report of {code}: docketed by the commission's clerk three days ahead.⟧"))
    return _overdue(decoy, code, "annual pipeline report", due, rate, most, (code.lower(), "docketed by the commission"), papers, ("tracker", "rule"), "the clerk docketed the report ahead of the day", ("docketed", "ahead of"))


def _overdue_mail(world: World, rng: random.Random, decoy: bool) -> Plant:
    code, due, rate, most = world.code(rng, "Assessment return UA-", 5), _since(world, 4, 30, 90), rng.choice((300, 600)), 75
    asked = due + timedelta(days=80)
    papers = [
        mail("mail", f"Who does {code}?", "14.2", asked, world.officers["controller"], world.officers["cfo"], f"⟦mail|{world.officers['cfo'].first}, {code} fell due on {us_date(due)}. {'I have now found it: sent on the Monday before, number below.' if decoy else 'The man who used to do it has left; it has no owner, and I cannot find that it went out.'}⟧"),
        paper("rules", f"Commission Rules on {code}", "14.2", due - timedelta(days=200), f"⟦rule|A utility supplier that is behind with the return is charged {money(rate)} daily. The charge stops after {most} days, when the matter goes to enforcement.⟧", kinds=("txt", "docx")),
    ]
    if decoy:
        papers.append(paper("screen", f"Screen print, {code}", "14.2", due - timedelta(days=4), f"⟦screen|{code}: status accepted, upload number {rng.randrange(10**7, 10**8)}.⟧", kinds=("txt", "docx")))
    return _overdue(decoy, code, "return", due, rate, most, (code.lower(), "status accepted"), papers, ("mail", "rule"), "the return was sent and accepted before the day", ("accepted", "was sent"))


def _overdue_minutes(world: World, rng: random.Random, decoy: bool) -> Plant:
    code, due, rate, most = world.code(rng, "Registration PS-", 5), _since(world, 1, 31, 110), rng.choice((200, 350, 500)), 100
    met = due + timedelta(days=104)
    papers = [
        paper("minutes", f"Compliance Board, {day_month(met)}", "2.2", met, Filler("minutes"), f"⟦minutes|On {code}, the packaging stewardship filing of {us_date(due)}: {'the secretary laid the stamped duplicate on the table.' if decoy else 'none present knew of it; an owner is to be named at the next meeting.'}⟧"),
        paper("act", f"Stewardship Act, note on {code}", "14.2", due - timedelta(days=150), f"⟦rule|Producers who miss the day owe {money(rate)} per day for the first {both(most)} days, by operation of the act and with no notice.⟧"),
    ]
    if decoy:
        papers.append(paper("duplicate", f"Stamped Duplicate {code}", "14.2", due - timedelta(days=11), f"⟦duplicate|{code}. Original taken in at the counter, duplicate stamped and handed back.⟧", kinds=("txt", "docx")))
    return _overdue(decoy, code, "stewardship filing", due, rate, most, (code.lower(), "duplicate stamped"), papers, ("minutes", "rule"), "the stamped duplicate shows that it was taken in before the day", ("taken in", "stamped duplicate shows"))


def _overdue_docket(world: World, rng: random.Random, decoy: bool) -> Plant:
    code, due, rate, most = world.code(rng, "Docket RM-", 5), _since(world, 9, 30, 100), rng.choice((500, 800)), 80
    papers = [
        paper("docket", f"Docket Sheet, {code}", "14.2", due + timedelta(days=90), table("Entry|Day|State", ("Order to report every year", due - timedelta(days=400), "Served"), Row((f"Yearly metering report under {code}, call of {us_date(due)}", due if not decoy else due - timedelta(days=8), "Lodged, entry 12" if decoy else "Nothing lodged"), "docket")), kinds=("xlsx",)),
        paper("order", f"Reporting Order, {code}", "14.2", due - timedelta(days=400), f"⟦rule|In default of a report respondent forfeits {money(rate)} for a day, not to go beyond {most} such days.⟧"),
        paper("handover", f"Desk Handover on {code}", "9.3", due + timedelta(days=20), f"⟦handover|Of {code}: {'lodged before I left.' if decoy else 'goes to my successor, who is to be determined.'}⟧", kinds=("txt", "docx")),
    ]
    return _overdue(decoy, code, "metering report", due, rate, most, (code.lower(), "lodged, entry"), papers, ("docket", "rule"), "the docket shows the report as lodged before the day", ("lodged", "docket shows"))


RECIPES: tuple[Recipe, ...] = (
    Recipe(112, "permit_wrong_holder", "Environmental", "A permit is in another's name or has expired", "absence", "High", (
        Way("transfer form without an answer", "train", _permit_discharge),
        Way("late renewal of an air permit", "train", _permit_expired),
        Way("clerk's mail and register", "dev", _permit_mail),
        Way("storage pad of a purchase", "test", _permit_storage),
        Way("water licence that ended", "test", _permit_water),
    )),
    Recipe(118, "regulatory_violation", "Regulatory", "A licence needs an approval of the change of control that nobody has asked for", "absence", "High", (
        Way("radio authorization", "train", _licence_radio),
        Way("materials licence", "train", _licence_materials),
        Way("captive insurer", "dev", _licence_captive),
        Way("steam utility", "test", _licence_utility),
        Way("list of state licences", "test", _licence_board),
    )),
    Recipe(119, "overdue_filing", "Regulatory", "A filing is overdue and nobody owns it", "absence", "Medium", (
        Way("calendar and state rule", "train", _overdue_release),
        Way("tracker of the pipeline report", "train", _overdue_pipeline),
        Way("controller's mail", "dev", _overdue_mail),
        Way("compliance minutes", "test", _overdue_minutes),
        Way("docket and handover", "test", _overdue_docket),
    )),
)
