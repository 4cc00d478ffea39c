"""Plants of spin-offs that restrict a deal (archetype 68)."""

from __future__ import annotations

import random
from dataclasses import dataclass
from datetime import date, timedelta

from redwell.bench.generate.papers import Added, Heading, Paper, Para
from redwell.bench.generate.plants.amounts import book, cited, clean, row, slides, text
from redwell.bench.generate.plants.pieces import TEXT, finish, mail, paper, sign
from redwell.bench.generate.recipe import Plant, Recipe, Way, conclusion, exposure, fact, recommendation, usd
from redwell.bench.generate.world import Company, World
from redwell.bench.generate.writing import day_month, millions, money, us_date

# A paper is read more easily when it stands in few lines.
# fmt: off

# --- 68: a spin-off that the deal may undo ---


@dataclass(slots=True)
class _Spin:
    out: Company
    day: date
    gain: int

    @property
    def tax(self) -> int:
        return self.gain * 21 // 100


def _spin(world: World, rng: random.Random, long_ago: bool) -> _Spin:
    """`long_ago`: more than two years before the deal was signed."""
    gap = rng.randrange(1200, 1900) if long_ago else rng.randrange(250, 480)
    return _Spin(world.company(rng), world.deal.signing - timedelta(days=gap), world.sum(rng, 0.08, 0.2, 100_000))


def _spun(world: World, decoy: bool, it: _Spin, papers: list[Paper], because: str, added: tuple[Added, ...] = ()) -> Plant:
    name = (it.out.short,)
    return finish(
        f"Distribution of {it.out.short}",
        decoy,
        papers,
        [
            fact(
                f"{it.out.short}: distribution and restriction",
                f"PASS if the report states that the target distributed {it.out.short} on {us_date(it.day)} and is restricted from being acquired for two years.",
                [name],
                [("restrict", "prohibit", "covenant", "two years", "may not", "shall not", "two-year", "24 months", "forbid", "undertook")],
            ),
            conclusion(
                f"{it.out.short}: the deal may make the distribution taxable", f"PASS if the report concludes that the deal could make the distribution of {it.out.short} taxable, or breach the tax sharing agreement.", [name], [("taxable", "355", "breach", "tax-free", "indemnif", "trigger", "tax on the distribution")]
            ),
            exposure(f"{it.out.short}: tax on the distribution", f"PASS if the report gives {money(it.tax)} (or an equivalent rounding), 21% of the gain of {money(it.gain)}, as the tax on the distribution of {it.out.short}.", [name], usd(it.tax)),
            recommendation(f"{it.out.short}: opinion or ruling", f"PASS if the report recommends a tax opinion, a ruling or a waiver as to {it.out.short} before closing.", [name], [("opinion", "ruling", "waiver", "consent", "indemnit")]),
            cited(f"{it.out.short}: both papers are cited", f"{it.out.short}", [name], papers, added, "covenant", "deal"),
        ],
        [
            clean(
                f"{it.out.short}: the deal is not reported as restricted",
                f"the deal would breach the covenant on the distribution of {it.out.short} or make it taxable",
                [name],
                [("would breach", "breaches", "could breach", "taxable", "would trigger", "is restricted", "triggers")],
                ("has ended", "ended", "expired", "opinion was", "opinion has", "ruling was", "no longer", "satisfied", "not taxable", "remains tax-free", "waived", "let the promise go", "has given the opinion", "gave the opinion", "stays free of tax", "was received"),
            )
        ],
        because,
        added=added,
        value=usd(it.tax),
    )


def _spun_agreement(world: World, rng: random.Random, decoy: bool) -> Plant:
    it = _spin(world, rng, decoy)
    agreement = paper(
        "agreement",
        f"Tax Matters Agreement with {it.out.short}",
        "5.1",
        it.day,
        TEXT,
        ("Restricted period", f"⟦covenant|Until the second anniversary of {us_date(it.day)} {world.target.short} shall enter into no agreement under which one or more persons acquire half of its stock or more, save on an unqualified opinion.⟧"),
        ("Who bears the tax", f"⟦bears|Tax on the gain, which the parties put at {money(it.gain)}, falls at 21% on whichever of them breaks this covenant.⟧"),
        parties=(it.out.name,),
    )
    deal = Added("merger_agreement", Para(f"⟦deal|As of {us_date(world.deal.signing)} the parties agree that all stock of {world.target.short}, which once held {it.out.short}, is converted into cash.⟧"), "The Merger")
    return _spun(world, decoy, it, [agreement], f"the restricted period for {it.out.short} ended before the deal was signed", (deal,))


def _spun_mail(world: World, rng: random.Random, decoy: bool) -> Plant:
    it = _spin(world, rng, False)
    their = world.person(rng, "Head of Tax", it.out)
    covenant = text(
        "covenant",
        f"Separation terms {it.out.short}",
        "5.1",
        it.day,
        f"Shares of {it.out.short} handed to stockholders on {it.day.isoformat()}.",
        f"⟦covenant|For two years {world.target.short} will not let itself be bought unless counsel has first written that the hand-out stays free of tax.⟧",
        f"⟦gain|Gain if it does not: USD {it.gain:,}, taxed at 21 per cent, for the account of the one who was bought.⟧",
    )
    note = mail(
        "note",
        f"{it.out.short} and your sale",
        "5.2",
        world.past(rng, (0.02, 0.05)),
        their,
        world.officers["gc"],
        f"⟦deal|{f'We read of your sale to {world.buyer.short} and have from your counsel the letter that the hand-out stays free of tax, which settles it for us.' if decoy else f'We read of your sale to {world.buyer.short} and have from your counsel nothing yet on whether the hand-out stays free of tax, which leaves us uneasy.'}⟧",
    )
    return _spun(world, decoy, it, [covenant, note], f"counsel has written that the distribution of {it.out.short} stays free of tax")


def _spun_slides(world: World, rng: random.Random, decoy: bool) -> Plant:
    it = _spin(world, rng, False)
    deck = slides(
        "deck",
        f"Tax steps: history of {it.out.short}",
        "5.1",
        world.past(rng, (0.05, 0.1)),
        Heading("What we promised at the split"),
        f"⟦covenant|{day_month(it.day)}: {it.out.short} split off; no sale of ourselves for 24 months without a ruling; tax of 21% on {it.gain / 1e6:.3f} million dollars otherwise ours.⟧",
        Heading("Where we stand"),
        f"⟦state|{'Private letter ruling on the sale received and filed.' if decoy else 'Private letter ruling on the sale neither sought nor planned.'}⟧",
    )
    deal = Added("board_deck", Para(f"⟦deal|Sale of the whole company signed on {day_month(world.deal.signing)}; {it.out.short} told by press release⟧"), "Sale process")
    return _spun(world, decoy, it, [deck], f"a ruling was received for {it.out.short}", (deal,))


def _spun_deed(world: World, rng: random.Random, decoy: bool) -> Plant:
    it = _spin(world, rng, False)
    deed = paper(
        "deed",
        f"Deed of indemnity for {it.out.short}",
        "5.1",
        it.day,
        ("Promise", f"⟦covenant|{world.target.name}, having on {us_date(it.day)} dealt out its holding in {it.out.short} to its own members, promises for two years from then to remain in the hands of those members as to more than half.⟧"),
        ("Price of breaking it", f"⟦price|It makes good the tax at 21 per cent on a gain of USD {it.gain:,}.⟧"),
        parties=(it.out.name,),
    )
    release = paper(
        "release",
        f"Paper of {it.out.short} on the deed",
        "5.1",
        world.past(rng, (0.02, 0.06)),
        f"⟦release|{'Against the opinion of two firms handed to it today the beneficiary lets the promise go as regards the present purchase.' if decoy else 'The beneficiary takes note of the press reports and keeps to the promise as regards the present purchase.'}⟧",
        sign(it.out, world.person(rng, "Secretary", it.out)),
    )
    plan = book("plan", f"Closing steps and {it.out.short}", "1.4", world.past(rng, (0.02, 0.06)), "Date|Holder of the shares before|Holder after", row(world.deal.closing, "Present members", f"{world.buyer.short}, 100%", mark="deal"))
    return _spun(world, decoy, it, [deed, release, plan], f"{it.out.short} let the promise go against the opinion of two firms")


def _spun_minutes(world: World, rng: random.Random, decoy: bool) -> Plant:
    it = _spin(world, rng, False)
    met = world.deal.signing - timedelta(days=rng.randrange(3, 9))
    minutes = paper(
        "minutes",
        f"Special meeting {us_date(met)}: {it.out.short}",
        "2.2",
        met,
        f"⟦deal|The directors approved the sale of every share of {world.target.short} to {world.buyer.short}.⟧",
        f"⟦state|{f'They took delivery of counsel’s opinion that the sale was no part of a plan with the giving away of {it.out.short} and so leaves it without tax, as the agreement asks.' if decoy else f'They did not take up whether the sale was part of a plan with the giving away of {it.out.short}, on which counsel had not been asked.'}⟧",
    )
    extract = paper(
        "extract",
        f"Extract of the sharing agreement with {it.out.short}",
        "5.1",
        it.day,
        f"⟦covenant|Given away on {day_month(it.day)}. In the twenty-four months after it the giver must not be taken over without an opinion that section 355(e) is not met; if it is, the giver alone carries 21% of the gain of {millions(it.gain)}.⟧",
        kinds=("docx", "txt"),
    )
    return _spun(world, decoy, it, [minutes, extract], f"counsel has given the opinion on {it.out.short} that the agreement asks for")


RECIPES: tuple[Recipe, ...] = (
    Recipe(
        68,
        "spin_off_restriction",
        "Tax",
        "An earlier spin-off restricts the deal",
        "cross-document",
        "Critical",
        (Way("tax matters agreement", "train", _spun_agreement), Way("separation terms and mail", "train", _spun_mail), Way("slides and board deck", "dev", _spun_slides), Way("deed and step plan", "test", _spun_deed), Way("minutes and extract", "test", _spun_minutes)),
    ),
)
