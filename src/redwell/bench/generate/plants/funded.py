"""Plants of rights that a government or university has in a patent (archetype 76)."""

from __future__ import annotations

import random
from datetime import timedelta

from redwell.bench.generate.papers import (
    Filler,
    Heading,
    Paper,
    Row,
)
from redwell.bench.generate.plants.pieces import (
    TEXT,
    finish,
    mail,
    paper,
    patent,
    sign,
    table,
)
from redwell.bench.generate.recipe import (
    Plant,
    Recipe,
    Way,
    conclusion,
    fact,
    precision,
    recommendation,
    sources,
)
from redwell.bench.generate.world import Company, Right, World
from redwell.bench.generate.writing import (
    us_date,
)


def _funded(
    right: Right, body: str, decoy: bool, papers: list[Paper], grant: str, rights: tuple[str, ...], because: str
) -> Plant:
    """The rubric of archetype 76: `body` paid under `grant` for what `right` covers and has rights in it."""
    number = right.number
    return finish(
        f"{number}: {body} {'has no rights' if decoy else 'has rights'} in it under {grant}",
        decoy,
        papers,
        [
            fact(
                f"{number} was made under {grant}",
                f"PASS if the report states that the invention of {number} was made under {grant} of {body}.",
                [(number, grant)],
                [
                    (
                        "made under",
                        "made in",
                        "arose",
                        "came out of",
                        "conceived",
                        "result",
                        "trial",
                        "study",
                        "clean room",
                        "fund",
                        "grant",
                        "paid",
                        "sponsor",
                        "award",
                        "financ",
                        "support",
                        "programme",
                        "program",
                    )
                ],
            ),
            fact(
                f"{body} rights in {number}",
                f"PASS if the report states that {body} holds rights ({rights[0]}) in {number}.",
                [(number, grant, body)],
                [rights],
            ),
            conclusion(
                f"{number} not exclusive",
                f"PASS if the report concludes that the target's rights in {number} are not exclusive or unencumbered, or that the ownership statement to buyers is wrong.",
                [(number, grant, body)],
                [("exclusiv", "encumb", "subject to", "wrong", "incorrect", "limit", "not free", "qualif")],
            ),
            recommendation(
                f"Schedule the rights of {body}",
                f"PASS if the report recommends an exception in the disclosure schedule, a review of compliance, or a waiver or licence from {body}.",
                [(number, grant, body)],
                [("schedule", "disclos", "waiver", "complian", "licen", "exception", "represent")],
            ),
            sources(
                f"{number}: funding and patent cited",
                f"PASS if the report cites both the terms of {grant} and the paper that ties {number} to it.",
                [(number, grant)],
                "clause",
                "tie",
            ),
        ],
        [
            precision(
                f"{number} is not reported as burdened by {body}",
                f"PASS if the report does not assert that {body} has rights in {number}; {because}.",
                [(number,)],
                [
                    ("government", body.lower(), "university", "march-in", "funded", "sponsor"),
                    ("right", "licen", "march-in", "own", "encumb"),
                ],
                unless=(
                    "no right",
                    "not made under",
                    "before the",
                    "waived",
                    "released",
                    "has none",
                    "gave up",
                    "not funded",
                    "do not extend",
                    "does not extend",
                    "conveyed",
                    "outside",
                    "reconveyed",
                    "not subject",
                ),
            )
        ],
        because,
    )


def _body(world: World, rng: random.Random, kind: str, subject: str) -> tuple[str, str, Right]:
    """A public body or school, the number of its grant, and a patent."""
    return (
        f"{world.place(rng).city} {kind}",
        world.code(rng, "G-"),
        patent(world, rng, subject, world.past(rng, (2, 5))),
    )


def _federal(world: World, rng: random.Random, decoy: bool) -> Plant:
    """A grant with the standard rights, and a legend; the decoy's invention is older than the grant."""
    body, grant, right = _body(world, rng, "Naval Laboratory", "Array for sonar imaging")
    began = right.filed + timedelta(days=100) if decoy else right.filed - timedelta(days=400)
    tie = (
        f"{right.number} was conceived and built before {grant} began, with the Company's own money; the notebooks are dated"
        if decoy
        else f"This invention was made with Government support under {grant}. The Government has certain rights in it"
    )
    papers = [
        paper(
            "grant",
            f"Research award {grant}",
            "7.3",
            began,
            f"Award {grant} of the {body} begins on {us_date(began)}.",
            (
                "Inventions",
                f"⟦clause|In any invention conceived or first actually reduced to practice under {grant} the Government has a nonexclusive, irrevocable, paid-up license and may march in.⟧",
            ),
            Filler("contract"),
            avoid=("ip",),
        ),
        paper(
            "patent",
            f"Patent file {right.number}",
            "7.1",
            right.filed,
            f"⟦tie|{right.number}: {tie}.⟧",
            Filler("report"),
            avoid=("ip",),
        ),
    ]
    return _funded(
        right,
        body,
        decoy,
        papers,
        grant,
        ("a paid-up license", "license", "licence", "march-in", "march in", "right"),
        "it was conceived and built before the grant began",
    )


def _school(world: World, rng: random.Random, decoy: bool) -> Plant:
    """A sponsored study at a school that keeps half; the decoy's school has conveyed its half."""
    body, grant, right = _body(world, rng, "Institute of Technology", "Membrane with graded pores")
    lead = world.person(rng, "Director of Research")
    papers = [
        paper(
            "agreement",
            f"Study agreement {grant}",
            "7.3",
            right.filed - timedelta(days=500),
            table(
                "Heading|Text",
                ("Subject", "Membranes"),
                Row(
                    (
                        "Inventions",
                        f"Half of every patent that comes out of {grant} belongs to {body}, which may license its half to others",
                    ),
                    "clause",
                ),
                sheet="Agreement",
            ),
            kinds=("xlsx",),
        ),
        mail(
            "tie",
            f"Where {right.number} came from",
            "7.1",
            world.past(rng, (0.05, 0.4)),
            lead,
            world.officers["gc"],
            f"⟦tie|All the pore tests in {right.number} were run in study {grant}, and that is where we saw the effect for the first time.⟧",
            lead.name,
        ),
    ]
    if decoy:
        papers.append(
            paper(
                "deed",
                f"Conveyance of {body}",
                "7.2",
                world.past(rng, (0.06, 0.5)),
                f"⟦deed|{body} conveys its half of {right.number} to {world.target.name} for a sum received, and licenses it to nobody.⟧",
                sign(Company(body, body, ""), world.person(rng, "Provost", Company(body, body, ""))),
            )
        )
    return _funded(
        right,
        body,
        decoy,
        papers,
        grant,
        ("half of the patent", "half", "50%", "co-own", "joint", "undivided"),
        "the school has conveyed its half",
    )


def _regional(world: World, rng: random.Random, decoy: bool) -> Plant:
    """A development subsidy that asks for licences; the decoy's right of the fund ended with repayment."""
    body, grant, right = _body(world, rng, "Innovation Fund", "Press with servo wedge")
    papers = [
        paper(
            "grant",
            f"Notice of subsidy {grant}",
            "5.5",
            right.filed - timedelta(days=300),
            f"⟦clause|As long as the subsidy {grant} has not been paid back, {body} can have licences at cost given to firms of the region under whatever patent it has paid for.⟧",
            Filler("letter"),
            avoid=("ip",),
        ),
        paper(
            "tie",
            f"Subsidies and patents ({right.number})",
            "7.1",
            world.past(rng, (0.03, 0.2)),
            Heading(grant),
            f"⟦tie|Spent on the servo wedge, hence on {right.number}: all of {grant}.⟧",
            f"⟦paid|{'Paid back with interest last year; receipt of the fund at hand.' if decoy else 'Nothing to be paid back until the year after next.'}⟧",
            kinds=("pptx", "docx"),
        ),
    ]
    return _funded(
        right,
        body,
        decoy,
        papers,
        grant,
        ("licences for firms of the region", "licen", "regional"),
        "the subsidy was paid back, and with that the right ended",
    )


def _hospital(world: World, rng: random.Random, decoy: bool) -> Plant:
    """A trial agreement gives results to the hospital; minutes tie the patent to the trial. The decoy's annex leaves devices out."""
    body, grant, right = _body(world, rng, "University Hospital", "Probe with two windows")
    but = (
        " Improvements of the probe itself are the maker's alone and are not touched by this."
        if decoy
        else " Improvements of the probe count as such findings."
    )
    papers = [
        paper(
            "agreement",
            f"Trial contract {grant}",
            "7.3",
            right.filed - timedelta(days=250),
            TEXT,
            (
                "Findings",
                f"⟦clause|What is found out in trial {grant} goes to {body}, the maker having free use of it in its own works.{but}⟧",
            ),
            avoid=("ip", "assignment"),
        ),
        paper(
            "minutes",
            f"Trial committee {grant}",
            "2.2",
            right.filed - timedelta(days=30),
            Filler("minutes"),
            f"⟦tie|The second window, an improvement of the probe, was hit upon at the bedside in trial {grant}; the filing that became {right.number} follows.⟧",
        ),
    ]
    return _funded(
        right,
        body,
        decoy,
        papers,
        grant,
        ("ownership of the findings", "owns", "owned by", "ownership", "belong", "title"),
        "improvements of the probe are the maker's alone",
    )


def _visiting(world: World, rng: random.Random, decoy: bool) -> Plant:
    """A letter lends a school's equipment against a right to use; the decoy's letter was answered and the right given up."""
    body, grant, right = _body(world, rng, "State University", "Wafer chuck with gas film")
    papers = [
        paper(
            "letter",
            f"Use of clean room, {grant}",
            "7.3",
            right.filed - timedelta(days=200),
            f"⟦clause|You may use our clean room under {grant}. In return {body} uses and sublicenses, free and for ever, what you invent there.⟧",
            sign(Company(body, body, ""), world.person(rng, "Facility Director", Company(body, body, ""))),
            kinds=("txt", "docx"),
        ),
        paper(
            "log",
            f"Lab days {right.number}",
            "7.2",
            right.filed - timedelta(days=10),
            table(
                "Day|Place|Result",
                Row(
                    (
                        right.filed - timedelta(days=90),
                        f"Clean room under {grant}",
                        f"Gas film holds; becomes {right.number}",
                    ),
                    "tie",
                ),
                sheet="Days",
            ),
            kinds=("xlsx",),
        ),
    ]
    if decoy:
        papers.append(
            mail(
                "given_up",
                f"{grant}",
                "7.3",
                right.filed - timedelta(days=150),
                world.person(rng, "Technology Transfer Officer", Company(body, body, "", f"{grant.lower()}.example")),
                world.officers["cto"],
                f"⟦given_up|Since you pay the full hourly rate after all, {body} gives up the free use and sublicence that our letter on the clean room asked for.⟧",
            )
        )
    return _funded(
        right,
        body,
        decoy,
        papers,
        grant,
        ("a free right to use and sublicense", "sublicens", "sublicenc", "free use", "use it free", "royalty-free"),
        "the school gave its right up against the full hourly rate",
    )


RECIPES: tuple[Recipe, ...] = (
    Recipe(
        76,
        "government_rights",
        "IP",
        "A government or school has rights in a patent",
        "cross-document",
        "Medium",
        (
            Way("federal grant and legend", "train", _federal),
            Way("sponsored study", "train", _school),
            Way("subsidy of a fund", "dev", _regional),
            Way("trial at a hospital", "test", _hospital),
            Way("clean room", "test", _visiting),
        ),
    ),
)
