"""Plants of unions, closings near the deal, and complaints (archetypes 91, 94 and 96)."""

from __future__ import annotations

import random
from dataclasses import dataclass
from datetime import date, timedelta

from redwell.bench.generate.papers import Added, Heading, Paper, Para
from redwell.bench.generate.plants.amounts import book, cited, clean, row, slides, text
from redwell.bench.generate.plants.pieces import TEXT, employee, finish, mail, paper, sign, table
from redwell.bench.generate.recipe import Plant, Recipe, Way, conclusion, exposure, fact, recommendation, usd
from redwell.bench.generate.world import Person, World
from redwell.bench.generate.writing import both, day_month, millions, money, us_date
from redwell.bench.key import Value

# A paper is read more easily when it stands in few lines.
# fmt: off

# --- 91: a union that the sale papers do not mention ---


def _organised(decoy: bool, city: str, papers: list[Paper], said: str, words: tuple[str, ...], told: str, because: str, marks: tuple[str, str], added: tuple[Added, ...] = (), cost: int = 0) -> Plant:
    name = (city,)
    issue = [
        fact(f"{city}: union", f"PASS if the report states that in {city} {said}.", [name], [words]),
        fact(f"{city}: what bidders were told", f"PASS if the report states that {told} for {city}.", [name], [("told", "says", "states", "said", "describ", "denies", "contradict", "contrary", "memorandum", "schedule", "union-free", "no union")]),
        conclusion(f"{city}: duties follow", f"PASS if the report concludes that the buyer must bargain with or is bound towards the union in {city}, or that wages may rise there.", [name], [("bargain", "bound", "successor", "wage", "recogni", "strike", "cost", "assum")]),
        recommendation(f"{city}: covenant and model", f"PASS if the report recommends a covenant, a corrected schedule, or a change of the model for the union in {city}.", [name], [("covenant", "correct", "model", "schedule", "disclos", "engage", "counsel", "indemnit", "price", "assum")]),
        cited(f"{city}: both papers are cited", f"the union in {city}", [name], papers, added, *marks),
    ]
    if cost:
        issue.insert(3, exposure(f"{city}: wages", f"PASS if the report gives {money(cost)} a year (or an equivalent rounding) as the rise of wages at stake in {city}.", [name], usd(cost, 0.01)))
    return finish(
        f"Union in {city}",
        decoy,
        papers,
        issue,
        [
            clean(
                f"{city}: no union duty is reported",
                f"the buyer must bargain with or is bound towards a union in {city}",
                [name],
                [("must bargain", "is bound", "bound towards", "undisclosed", "successor", "organising drive is", "petition is", "will have to bargain")],
                ("withdrawn", "lost", "voted against", "expired", "has ended", "decertified", "no longer", "was sold", "does not apply", "dissolved", "have run out", "voted out", "bind no buyer"),
            )
        ],
        because,
        added=added,
        value=usd(cost, 0.01) if cost else None,
    )


def _organised_petition(world: World, rng: random.Random, decoy: bool) -> Plant:
    city, case, day = world.place(rng).city, world.code(rng, "RC-", 6), world.past(rng, (0.15, 0.3))
    petition = paper("petition", f"Petition {case}, {city}", "9.4", day, f"⟦petition|A labor organization asks the Board to certify it for {both(rng.randrange(40, 90))} drivers and loaders at {city}.⟧")
    told = Added("information_memorandum", Para(f"⟦told|None of the people in {city} is represented, nor has anybody sought to represent them.⟧"), "People")
    after = paper("after", f"Board notice {case}", "9.4", day + timedelta(days=40), f"⟦after|{'The petitioner’s request to withdraw is granted with six months’ prejudice and the case is closed.' if decoy else 'The petitioner’s request for an election is granted with a day in six weeks and the case goes on.'}⟧")
    return _organised(decoy, city, [petition, after], "a petition for an election is before the Board", ("petition", "election", "certif", "represent"), "the memorandum says that nobody has sought to represent the people", f"the petition in {city} was withdrawn", ("petition", "told"), (told,))


def _organised_footnote(world: World, rng: random.Random, decoy: bool) -> Plant:
    city, ends = world.place(rng).city, world.ahead(rng, (1.5, 2.5))
    ended = world.past(rng, (0.5, 1))
    summary = book(
        "summary",
        f"Benefits summary {city}",
        "9.3",
        world.past(rng, (0.2, 0.4)),
        "Site|Medical|Holidays|Note",
        row(city, "Plan B", 11, "See note 3"),
        row("Other sites", "Plan A", 10, ""),
        notes=(f"⟦note|Note 3: hourly people are under an agreement with their union to {us_date(ended if decoy else ends)}{', whose members then voted it out' if decoy else ', which any later owner takes over'}; Plan B is its annex.⟧",),
    )
    told = Added("disclosure_schedule", Para(f"⟦told|{city}: there is no collective agreement.⟧"), "4.11 Labor Matters")
    return _organised(decoy, city, [summary], "hourly people are under a collective agreement that binds a later owner", ("collective", "agreement", "union"), "the schedule says that there is no collective agreement", f"the agreement in {city} has ended and the union was voted out", ("note", "told"), (told,))


def _organised_slides(world: World, rng: random.Random, decoy: bool) -> Plant:
    city, heads, hours = world.place(rng).city, rng.randrange(120, 400), 2080
    rise = rng.randrange(80, 240) / 100
    cost = round(heads * hours * rise)
    deck = slides(
        "deck",
        f"Plant labour: {city}",
        "9.4",
        world.past(rng, (0.1, 0.3)),
        Heading("Talks"),
        f"⟦deck|Union at {city} recognised last year; asks ${rise:.2f} more an hour for {heads} people of {hours:,} hours.⟧",
        f"⟦state|{'Plant sold with its people to a third party in spring; not in the perimeter.' if decoy else 'Plant kept with its people and in the perimeter; first contract open.'}⟧",
    )
    model = Added("board_deck", Para(f"⟦told|Plan for {city}: wages flat; no organised labour in the group⟧"), "Plan assumptions")
    return _organised(decoy, city, [deck], "a union is recognised and asks for higher wages", ("recogni", "asks", "demand", "union"), "the board was told that there is no organised labour", f"the plant in {city} was sold with its people", ("deck", "told"), (model,), cost)


def _organised_mail(world: World, rng: random.Random, decoy: bool) -> Plant:
    city, day = world.place(rng).city, world.past(rng, (0.1, 0.25))
    boss = world.person(rng, f"Works Manager, {city}")
    sent = mail(
        "sent",
        f"Cards at {city}",
        "9.4",
        day,
        boss,
        world.officers["chro"],
        f"⟦cards|Seven in ten of the night shift at {city} had signed cards by Friday{', but in the count the day after three in four said no and the organiser has left town for good' if decoy else ', and the letter that asks us to recognise them came the day after by courier and lies on my desk'}.⟧",
    )
    told = paper("told", f"Answers to bidders, people in {city}", "1.5", day + timedelta(days=10), f"⟦told|Question 41, {city}: has labour tried to organise? Answer: never heard of it.⟧", kinds=("txt", "docx"))
    return _organised(decoy, city, [sent, told], "most of the night shift has signed cards and recognition was asked for", ("cards", "recogni", "organi"), "bidders were told that nobody had tried to organise", f"the people in {city} voted against the union", ("cards", "told"))


def _organised_successor(world: World, rng: random.Random, decoy: bool) -> Plant:
    city, heads = world.place(rng).city, rng.randrange(80, 200)
    gap = rng.randrange(2500, 6000) // 100 * 100
    agreement = paper(
        "agreement",
        f"Articles of agreement, {city} hall",
        "9.4",
        world.past(rng, (2, 3)),
        TEXT,
        ("Those who come after", f"⟦successor|{'Whoever buys the house is asked to keep these articles and may decline to.' if decoy else 'Whoever buys the house keeps these articles and says so in the deed of sale.'}⟧"),
        ("Next step", f"⟦step|The step of next January is worth ${gap:,} a year to each of the {heads} named in the roll of {city}.⟧"),
    )
    told = book("told", f"Wage plan of the sale model, {city}", "3.5", world.past(rng, (0.1, 0.2)), "Hall|Heads|Step in January|Tie", row(city, heads, 0, "None; individual contracts", mark="told"))
    minutes = paper("minutes", f"Hall council of {city}", "9.4", world.past(rng, (0.2, 0.4)), f"⟦council|{'The council took note that its articles ran out in autumn and that its dissolution is entered.' if decoy else 'The council took note that its articles run to the next decade and that its dues are paid.'}⟧")
    return _organised(
        decoy,
        city,
        [agreement, told, minutes],
        "a collective agreement must be kept by whoever buys the business",
        ("buys", "successor", "agreement", "articles"),
        "the model says that there are individual contracts and no step in wages",
        f"the articles of {city} have run out and bind no buyer",
        ("successor", "told"),
        (),
        heads * gap,
    )


# --- 94: notice of a closing that was not given ---


@dataclass(slots=True)
class _Loss:
    city: str
    first: int
    second: int
    staff: int
    daily: int
    days: tuple[date, date]

    @property
    def heads(self) -> int:
        return self.first + self.second

    @property
    def pay(self) -> int:
        return self.heads * self.daily * 60


def _loss(world: World, rng: random.Random, far: bool = False) -> _Loss:
    """Two rounds that only together reach fifty and a third of the staff. `far`: more than ninety days apart."""
    first, second = rng.randrange(34, 48), rng.randrange(34, 48)
    staff = round((first + second) * rng.uniform(1.6, 2.4))
    begin = world.deal.as_of - timedelta(days=rng.randrange(110, 160) if far else rng.randrange(25, 40))
    return _Loss(world.place(rng).city, first, second, staff, rng.randrange(16, 32) * 10, (begin, world.deal.as_of + timedelta(days=rng.randrange(20, 40))))


def _unwarned(decoy: bool, it: _Loss, papers: list[Paper], because: str, added: tuple[Added, ...] = ()) -> Plant:
    name = (it.city,)
    return finish(
        f"Dismissals in {it.city}",
        decoy,
        papers,
        [
            fact(f"{it.city}: heads in ninety days", f"PASS if the report states that {it.heads} people of {it.staff} in {it.city} lose their posts within ninety days ({it.first} and {it.second}).", [name], [], Value("number", it.heads)),
            conclusion(
                f"{it.city}: WARN",
                f"PASS if the report concludes that the two rounds in {it.city} are added together and WARN applies.",
                [name],
                [("warn", "aggregat", "added together", "mass layoff", "plant closing", "threshold"), ("appl", "trigger", "aggregat", "require", "exceed", "reach", "meet", "violat", "added together")],
            ),
            fact(f"{it.city}: notice", f"PASS if the report states that no notice of sixty days was given in {it.city}.", [name, ("notice",)], [("no notice", "not given", "without notice", "without the", "was not", "has not", "lacking", "missing", "failed to", "absent", "none was", "no sixty", "no 60")]),
            exposure(f"{it.city}: sixty days of pay", f"PASS if the report gives {money(it.pay)} (or an equivalent rounding), sixty days at {money(it.daily)} for {it.heads} people, as the back pay at stake in {it.city}.", [name], usd(it.pay)),
            recommendation(f"{it.city}: covenant", f"PASS if the report recommends a covenant, notices, or an indemnity for the dismissals in {it.city}.", [name], [("covenant", "notice", "indemnit", "postpon", "delay", "defer", "price")]),
        ],
        [
            clean(
                f"{it.city}: no WARN liability is reported",
                f"WARN applies to the dismissals in {it.city} and no notice was given",
                [name],
                [("warn",), ("appl", "trigger", "violat", "liab", "breach", "no notice", "not given", "without notice")],
                ("were given notice", "had notice", "gave notice", "received notice", "letters went", "below the threshold", "does not apply", "not triggered", "more than ninety", "apart", "in time", "does not reach", "took posts", "separate", "without a break", "letters of sixty", "sixty days before each"),
            )
        ],
        because,
        added=added,
        value=usd(it.pay),
    )


def _unwarned_file(world: World, rng: random.Random, decoy: bool) -> Plant:
    it = _loss(world, rng)
    moves = book(
        "moves",
        f"Headcount moves {it.city}",
        "9.3",
        world.past(rng, (0.02, 0.04)),
        "Site|Full-time staff before|Posts ended|Day|Written warning handed out",
        row(it.city, it.staff, it.first, it.days[0], it.days[0] - timedelta(days=64) if decoy else None, mark="first"),
        row(it.city, it.staff - it.first, it.second, it.days[1], it.days[1] - timedelta(days=71) if decoy else None, mark="second"),
        notes=(f"⟦daily|Average pay and benefits of one day: ${it.daily}.⟧",),
    )
    return _unwarned(decoy, it, [moves], f"notice was given more than sixty days before each round in {it.city}")


def _unwarned_mail(world: World, rng: random.Random, decoy: bool) -> Plant:
    it = _loss(world, rng, far=decoy)
    manager = world.person(rng, "Human Resources Manager")
    sent = mail(
        "sent",
        f"{it.city}: second round",
        "9.4",
        world.past(rng, (0.01, 0.03)),
        manager,
        world.officers["chro"],
        f"⟦rounds|In {it.city} we let {it.first} of {it.staff} go on {day_month(it.days[0])} and another {it.second} follow on {day_month(it.days[1])}; neither lot is fifty, so nobody was written to ahead.⟧",
        f"⟦daily|A day of one of them costs us ${it.daily} all in, should you need it.⟧",
    )
    return _unwarned(decoy, it, [sent], f"the rounds in {it.city} are more than ninety days apart and neither reaches fifty")


def _unwarned_slides(world: World, rng: random.Random, decoy: bool) -> Plant:
    it = _loss(world, rng)
    deck = slides(
        "deck",
        f"Savings programme {it.city}",
        "3.5",
        world.past(rng, (0.02, 0.05)),
        Heading("Two waves"),
        table("Wave|Day|Posts", row("A", it.days[0], it.first, mark="a"), row("B", it.days[1], it.second, mark="b")),
        f"⟦staff|Staff on site {it.staff}, full time; day cost ${it.daily} each⟧",
        f"⟦state|{'Letters of sixty-two days to all of both waves, to the state and to the mayor: sent' if decoy else 'Letters to all of both waves, to the state and to the mayor: on the last day, with the cheque'}⟧",
    )
    return _unwarned(decoy, it, [deck], f"letters of sixty-two days went to both waves in {it.city}")


def _unwarned_plan(world: World, rng: random.Random, decoy: bool) -> Plant:
    it = _loss(world, rng)
    plan = paper(
        "plan",
        f"Closing readiness plan {it.city}",
        "1.4",
        world.past(rng, (0.02, 0.05)),
        f"⟦done|Works {it.city}, {it.staff} full-time hands: {it.first} were sent home for good on {us_date(it.days[0])}.⟧",
        f"⟦todo|To do before closing: send home {it.second} more on {us_date(it.days[1])}{', each of whom has taken a post in the sister works next door, to which the work moves, without a day between' if decoy else ', for none of whom there is a post in the sister works next door'}.⟧",
        *([f"⟦kept|Of the {it.first} the same is true of all but nine.⟧"] if decoy else [f"⟦kept|Of the {it.first} the same is true; the paper that the law wants two months ahead has not gone out.⟧"]),
    )
    rates = text("rates", f"Day rates {it.city}", "9.3", world.past(rng, (0.1, 0.2)), f"⟦daily|Wages and benefits, one hand, one day: USD {it.daily}⟧")
    return _unwarned(decoy, it, [plan, rates], f"nearly all hands in {it.city} were offered and took posts without a break, so that nobody to count lost employment")


def _unwarned_minutes(world: World, rng: random.Random, decoy: bool) -> Plant:
    it = _loss(world, rng)
    met = world.past(rng, (0.02, 0.04))
    minutes = paper(
        "minutes",
        f"Works council of {it.city}, {us_date(met)}",
        "9.4",
        met,
        f"⟦counts|Management gave the figures: on the roll of {it.city} {it.staff}; dismissed on {us_date(it.days[0])} {it.first}; to be dismissed on {us_date(it.days[1])} {it.second}.⟧",
        f"⟦state|{f'A member handed in the notices that all had had on {us_date(it.days[0] - timedelta(days=75))}, and the question was dropped.' if decoy else 'A member asked for the notices that the statute speaks of, and the question was noted.'}⟧",
    )
    pay = book("pay", f"Cost of a working day, {it.city}", "9.3", met - timedelta(days=20), "Element|USD", row("Pay", it.daily - 40), row("Benefits", 40), row("Together", it.daily, mark="daily"))
    return _unwarned(decoy, it, [minutes, pay], f"everybody in {it.city} had notice seventy-five days before the first round")


# --- 96: a complaint that the schedule leaves out ---


@dataclass(slots=True)
class _Complaint:
    by: Person
    low: int
    high: int
    day: date


def _complaint(world: World, rng: random.Random) -> _Complaint:
    low = world.sum(rng, 0.001, 0.002, 10_000)
    return _Complaint(employee(world, rng, rng.choice(("Regional Controller", "Account Director", "Quality Manager")), world.past(rng, (2, 6))), low, low * 3, world.past(rng, (0.2, 0.5)))


def _unlisted(decoy: bool, it: _Complaint, papers: list[Paper], about: str, words: tuple[str, ...], because: str, added: tuple[Added, ...]) -> Plant:
    name = (it.by.last,)
    return finish(
        f"Complaint of {it.by.name}",
        decoy,
        papers,
        [
            fact(f"{it.by.last}: complaint", f"PASS if the report states that {it.by.last} complained of {about}.", [name], [words]),
            fact(
                f"{it.by.last}: not in the schedule",
                f"PASS if the report states that the disclosure schedule omits the complaint of {it.by.last}, or contradicts it.",
                [name, ("schedule",)],
                [("omit", "not listed", "not disclosed", "undisclosed", "contradict", "does not mention", "does not list", "missing", "inaccurate", "incorrect", "denies", "silent", "wrong", "leaves out")],
            ),
            exposure(f"{it.by.last}: range", f"PASS if the report gives up to {money(it.high)} (or an equivalent rounding) as what a settlement with {it.by.last} may cost.", [name], usd(it.high)),
            recommendation(f"{it.by.last}: investigate and schedule", f"PASS if the report recommends an investigation of the complaint of {it.by.last}, a corrected schedule, or an indemnity.", [name], [("investigat", "correct", "indemnit", "schedule", "representation", "inquir", "settle")]),
            cited(f"{it.by.last}: both papers are cited", f"the complaint of {it.by.last}", [name], papers, added, "complaint", "schedule"),
        ],
        [
            clean(
                f"{it.by.last}: no open complaint is reported",
                f"the complaint of {it.by.last} is open and the schedule omits it",
                [name],
                [("is open", "remains open", "omits", "undisclosed", "not disclosed", "not listed", "unresolved", "is pending", "contradict", "inaccurate")],
                ("was withdrawn", "withdrawn", "settled", "released", "resolved", "was closed", "closed", "release", "took the call back", "took the accusation back", "is shut", "has had the difference"),
            )
        ],
        because,
        added=added,
        value=usd(it.high),
    )


def _unlisted_file(world: World, rng: random.Random, decoy: bool) -> Plant:
    it = _complaint(world, rng)
    note = paper("note", f"HR file note {it.by.name}", "9.4", it.day, f"⟦complaint|On {us_date(it.day)} {it.by.name} complained in writing that a vice president had touched and threatened colleagues.⟧", f"⟦range|Counsel thinks of {money(it.low)} to {money(it.high)} if it is not dealt with.⟧")
    end = paper(
        "end",
        f"Paper of {it.by.name}, {it.day.year}",
        "9.4",
        it.day + timedelta(days=70),
        f"⟦end|{'Having been paid the sum agreed, the employee releases all claims and takes the complaint back.' if decoy else 'Having been shown the sum offered, the employee keeps all claims and lets the complaint stand.'}⟧",
        sign(world.target, it.by),
    )
    schedule = Added("disclosure_schedule", Para("⟦schedule|No complaint of harassment by anyone is unresolved.⟧"), "4.11 Labor Matters")
    return _unlisted(decoy, it, [note, end], "harassment and threats by a vice president", ("harass", "touch", "threat", "misconduct"), f"{it.by.last} was paid and released all claims", (schedule,))


def _unlisted_hotline(world: World, rng: random.Random, decoy: bool) -> Plant:
    it = _complaint(world, rng)
    line = mail(
        "line",
        f"Hotline: {it.by.last}",
        "9.4",
        it.day,
        world.person(rng, "Compliance Officer"),
        world.officers["gc"],
        f"⟦complaint|{it.by.name} called the line, was passed over three times for people twenty years younger, and means to go to the commission.⟧",
        f"⟦range|Cases like it went for USD {it.low:,} to USD {it.high:,}.⟧",
    )
    answer = mail(
        "answer",
        f"Re: Hotline: {it.by.last}",
        "9.4",
        it.day + timedelta(days=60),
        world.officers["gc"],
        world.officers["chro"],
        f"⟦answer|{f'{it.by.last} has the post as of Monday, has told the line that the call is taken back, and the time for the commission is over.' if decoy else f'{it.by.last} did not get the post on Monday either, has told the line that the call stands, and the time for the commission runs.'}⟧",
    )
    schedule = Added("disclosure_schedule", Para("⟦schedule|Nobody has alleged discrimination that is still to be dealt with.⟧"), "4.11 Labor Matters")
    return _unlisted(decoy, it, [line, answer], "discrimination in promotions", ("discriminat", "promot", "younger", "passed over", "age"), f"{it.by.last} got the post and took the call back", (schedule,))


def _unlisted_slides(world: World, rng: random.Random, decoy: bool) -> Plant:
    it = _complaint(world, rng)
    deck = slides(
        "deck",
        f"Ethics cases: {it.by.last}",
        "9.4",
        it.day + timedelta(days=30),
        Heading("Opened this quarter"),
        f"⟦complaint|{it.by.name}: says dismissal was threatened after a report of false test results⟧",
        f"⟦range|Outside view: {millions(it.low)} to {millions(it.high)}⟧",
        f"⟦state|{'Inquiry done by outside firm, report unfounded in writing, reporter content, closed' if decoy else 'Inquiry not begun, outside firm not chosen, reporter has a lawyer, open'}⟧",
    )
    schedule = Added("disclosure_schedule", row("Whistleblower reports that are open", "None", mark="schedule"), "4.11 Labor Matters")
    return _unlisted(decoy, it, [deck], "a threat of dismissal after a report of false test results", ("retaliat", "whistle", "test results", "dismissal", "false"), f"the case of {it.by.last} was investigated and closed", (schedule,))


def _unlisted_charge(world: World, rng: random.Random, decoy: bool) -> Plant:
    it, number = _complaint(world, rng), world.code(rng, "CH-", 6)
    charge = text("charge", f"Charge {number}, {it.by.last}", "9.4", it.day, f"Charging party: {it.by.name}", "⟦complaint|Says: paid a fifth less than the two men who do the same work.⟧", f"⟦range|Reserve note of counsel, from {it.low:,} to {it.high:,} dollars⟧")
    paper_ = paper(
        "closing",
        f"Commission paper on {number}",
        "9.4",
        it.day + timedelta(days=90),
        f"⟦closing|{'The party has asked that nothing more be done and has had the difference in pay; the file is shut and no suit was brought in the ninety days.' if decoy else 'The party has asked that more be done and has not had the difference in pay; the file is kept and leave to sue was given for ninety days.'}⟧",
    )
    schedule = Added("disclosure_schedule", Para("⟦schedule|Equal pay: neither charges nor suits to be reported.⟧"), "4.11 Labor Matters")
    return _unlisted(decoy, it, [charge, paper_], "unequal pay", ("pay", "paid", "wage"), f"{it.by.last} has had the difference and the file is shut", (schedule,))


def _unlisted_minutes(world: World, rng: random.Random, decoy: bool) -> Plant:
    it, met = _complaint(world, rng), world.past(rng, (0.05, 0.1))
    minutes = paper(
        "minutes",
        f"Directors' session without management {us_date(met)}",
        "2.2",
        met,
        f"⟦complaint|A letter of {it.by.name} was read, which accuses the president of having had expenses of a private kind booked as travel.⟧",
        f"⟦range|The lawyer present named {money(it.low)} to {money(it.high)} for parting with the writer.⟧",
        f"⟦state|{'The directors had the books gone through, found each item to be travel, and the writer has said in a second letter that the first was a mistake.' if decoy else 'The directors put off having the books gone through until the sale is done, and the writer has said in a second letter that the first is meant.'}⟧",
    )
    schedule = Added("disclosure_schedule", Para("⟦schedule|There are no accusations by employees against officers that await an answer.⟧"), "4.11 Labor Matters")
    return _unlisted(decoy, it, [minutes], "private expenses of the president booked as travel", ("expense", "private", "travel", "president"), f"{it.by.last} took the accusation back after the books were gone through", (schedule,))


RECIPES: tuple[Recipe, ...] = (
    Recipe(
        91,
        "union",
        "Employment",
        "A union or collective agreement is not in the sale papers",
        "cross-document",
        "Medium",
        (Way("petition and memorandum", "train", _organised_petition), Way("note in a benefits summary", "train", _organised_footnote), Way("plant slides", "dev", _organised_slides), Way("cards in a mail", "test", _organised_mail), Way("articles for those who come after", "test", _organised_successor)),
    ),
    Recipe(
        94,
        "warn_event",
        "Employment",
        "Dismissals near closing without the notice of the WARN Act",
        "computed",
        "Medium",
        (Way("headcount file", "train", _unwarned_file), Way("second round by mail", "train", _unwarned_mail), Way("waves in slides", "dev", _unwarned_slides), Way("readiness plan", "test", _unwarned_plan), Way("works council", "test", _unwarned_minutes)),
    ),
    Recipe(
        96,
        "complaint_not_scheduled",
        "Employment",
        "A complaint is not in the disclosure schedule",
        "cross-document",
        "Medium",
        (Way("file note and paper", "train", _unlisted_file), Way("hotline mails", "train", _unlisted_hotline), Way("ethics slides", "dev", _unlisted_slides), Way("charge of unequal pay", "test", _unlisted_charge), Way("session without management", "test", _unlisted_minutes)),
    ),
)
