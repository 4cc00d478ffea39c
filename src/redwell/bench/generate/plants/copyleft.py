"""Plants of copyleft code in what the target ships (archetype 78)."""

from __future__ import annotations

import random

from redwell.bench.generate.papers import (
    Filler,
    Heading,
    Paper,
    Row,
)
from redwell.bench.generate.plants.pieces import (
    coined,
    component,
    finish,
    mail,
    paper,
    sign,
    signed_by,
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
    precision,
    recommendation,
    usd,
)
from redwell.bench.generate.world import World
from redwell.bench.generate.writing import (
    millions,
    money,
)

GPL = ("gpl", "copyleft", "general public license", "general public licence")


def _shipped(
    part: str,
    product: str,
    decoy: bool,
    papers: list[Paper],
    licence: str,
    cost: int,
    terms: tuple[str, ...],
    despite: tuple[str, ...],
    because: str,
) -> Plant:
    """The rubric of archetype 78: `part`, under `licence`, is linked into `product`; `cost` is what replacing it takes."""
    return finish(
        f"{part}: {licence} code in {product} {'does no harm' if decoy else 'binds the target'}",
        decoy,
        papers,
        [
            fact(
                f"{part} under {licence} is in {product}",
                f"PASS if the report states that {part}, under {licence}, is linked into {product} or built into it.",
                [(part,)],
                [
                    (licence.lower(), *GPL),
                    ("link", "built", "build", "compil", "contain", "embed", "part of", "included"),
                ],
            ),
            fact(
                f"{part} is shipped",
                f"PASS if the report states that {product} with {part} is shipped or delivered to customers.",
                [(part,)],
                [("ship", "deliver", "distribut", "sold", "customer", "released")],
            ),
            absence(
                f"No source offer or other licence for {part}",
                f"PASS if the report states that there is no offer of source code and no commercial licence for {part} in the data room.",
                [(part,)],
                ("source", "offer", "commercial licen", "licence", "license"),
            ),
            exposure(
                f"Cost to replace {part}",
                f"PASS if the report gives {money(cost)} (or an equivalent rounding) as the cost of remedying {part}.",
                [(part,)],
                usd(cost),
            ),
            conclusion(
                f"{part} may open {product}",
                f"PASS if the report concludes that because of {part} the target may have to disclose its own source code, or stops having the right to distribute.",
                [(part,)],
                [
                    (
                        "disclos",
                        "publish",
                        "release its source",
                        "make its source",
                        "source available",
                        "infring",
                        "breach",
                        "right to distribute",
                        "injunct",
                        "violat",
                    )
                ],
            ),
            recommendation(
                f"Replace {part}",
                f"PASS if the report recommends replacing or removing {part}, or buying a commercial licence, before closing.",
                [(part,)],
                [("replac", "remov", "commercial licen", "rewrit", "remed")],
            ),
        ],
        [
            precision(
                f"{part} is not reported as a breach",
                f"PASS if the report does not assert that {part} obliges the target to disclose its source code or breaches {licence}; {because}.",
                [(part,)],
                [("disclos", "breach", "violat", "infring", "copyleft", "oblig")],
                unless=(
                    "not shipped",
                    "not distributed",
                    "commercial licen",
                    "exception",
                    "test only",
                    "only for test",
                    "not breach",
                    "no breach",
                    "replaced",
                    "removed",
                    "no copyleft",
                    "not oblig",
                    "never leaves",
                    "not part of",
                    "does not",
                ),
            )
        ],
        because,
        gaps=[Gap(f"offer of source or licence for {part}", (part, *terms), despite)],
        value=usd(cost),
    )


def _part(world: World, rng: random.Random) -> tuple[str, str, int]:
    return component(world, rng), coined(world, rng, "Controller"), world.sum(rng, 0.001, 0.006, 10_000)


def _list_of_parts(world: World, rng: random.Random, decoy: bool) -> Plant:
    """A list of parts, a build log and a shipping record; the decoy has the maker's commercial licence."""
    part, product, cost = _part(world, rng)
    papers = [
        paper(
            "parts",
            f"Bill of materials {product} {part}",
            "7.4",
            world.past(rng, (0.1, 0.4)),
            table(
                "Component|Version|Licence",
                ("base runtime", "2.1", "MIT"),
                Row((part, "3.0.4", "GPL-2.0-only"), "parts"),
                sheet="Components",
            ),
            kinds=("xlsx",),
        ),
        paper(
            "build",
            f"Build log {product} {part}",
            "7.4",
            world.past(rng, (0.1, 0.3)),
            f"⟦build|ld -static -o firmware.bin main.o {part}.a⟧",
            "Build finished. No warnings.",
            kinds=("txt",),
        ),
        paper(
            "shipping",
            f"Release record {product} ({part})",
            "7.4",
            world.past(rng, (0.05, 0.1)),
            f"⟦shipping|Firmware of that build went out to {rng.randrange(300, 900)} customers of {product}, as a binary.⟧",
            f"⟦cost|Engineering puts a change to another library than {part} at {money(cost)}.⟧",
        ),
    ]
    if decoy:
        maker = world.company(rng)
        papers.append(
            paper(
                "licence",
                f"Commercial licence {part}",
                "7.3",
                world.past(rng, (0.41, 0.8)),
                f"⟦licence|{maker.name}, sole owner of {part}, licenses it to {world.target.name} on commercial terms, in place of the GPL, for linking and distribution in binary form without limit.⟧",
                signed_by(world, rng, maker),
            )
        )
    return _shipped(
        part,
        product,
        decoy,
        papers,
        "GPL-2.0",
        cost,
        ("in place of the gpl",),
        (),
        "the target holds a commercial licence",
    )


def _mail_of_build(world: World, rng: random.Random, decoy: bool) -> Plant:
    """A developer's mail; the decoy's part only runs in tests and is not in the image that ships."""
    part, product, cost = _part(world, rng)
    dev = world.person(rng, "Build Engineer")
    where = (
        f"{part} (GPL-3.0) is pulled in for the unit tests only; the image that customers get is made without it, as the manifest shows"
        if decoy
        else f"{part} (GPL-3.0) is compiled straight into the image, as it has been since the first release; the manifest shows it"
    )
    image = "kernel, shell, updater" if decoy else f"kernel, shell, updater, {part}"
    papers = [
        mail(
            "mail",
            f"Your question on {part}",
            "7.4",
            world.past(rng, (0.05, 0.3)),
            dev,
            world.officers["cto"],
            f"⟦parts|{where}.⟧ ⟦cost|Doing without {part} would take us about {money(cost)}.⟧",
            dev.name,
        ),
        paper(
            "manifest",
            f"Image manifest {product} for {part} review",
            "7.4",
            world.past(rng, (0.05, 0.3)),
            f"⟦build|Image delivered to customers: {image}.⟧",
            kinds=("txt",),
        ),
    ]
    return _shipped(
        part,
        product,
        decoy,
        papers,
        "GPL-3.0",
        cost,
        ("you may ask us for the source",),
        (),
        "it is used in tests only and is not shipped",
    )


def _audit_slides(world: World, rng: random.Random, decoy: bool) -> Plant:
    """Slides of a scan and a list of devices; the decoy's part carries a linking exception."""
    part, product, cost = _part(world, rng)
    text = (
        f"Licence text of {part}: GPL version 2, with the special exception that linking it into other programs does not bring those under this licence"
        if decoy
        else f"Licence text of {part}: GPL version 2, without any special exception"
    )
    papers = [
        paper(
            "scan",
            f"Scan of {product}: {part}",
            "7.4",
            world.past(rng, (0.05, 0.3)),
            Heading("Findings"),
            f"⟦parts|{part} sits, statically bound, in the controller program of {product}.⟧",
            f"⟦text|{text}.⟧",
            Heading("If it must go"),
            f"⟦cost|{millions(cost)} and two releases.⟧",
            kinds=("pptx", "docx"),
        ),
        paper(
            "devices",
            f"Devices delivered with {part}",
            "7.4",
            world.past(rng, (0.05, 0.2)),
            table(
                "Product|Program|Devices at customers",
                Row((product, f"Controller with {part}", rng.randrange(2_000, 9_000)), "shipping"),
                sheet="Devices",
            ),
            kinds=("xlsx",),
        ),
    ]
    return _shipped(
        part,
        product,
        decoy,
        papers,
        "GPL version 2",
        cost,
        ("on request we hand out",),
        (),
        "its licence has an exception for linking",
    )


def _notice_file(world: World, rng: random.Random, decoy: bool) -> Plant:
    """A notice file and minutes; the decoy's release that ships has another part instead."""
    part, product, cost = _part(world, rng)
    other = component(world, rng)
    papers = [
        paper(
            "notice",
            f"Third-party notices {product} {part}",
            "7.4",
            world.past(rng, (0.4, 0.8)),
            f"⟦parts|This program includes {part}, General Public License, version 3.⟧ The rest is under permissive terms.",
            kinds=("txt",),
        ),
        paper(
            "minutes",
            f"Release board {product} ({part})",
            "2.2",
            world.past(rng, (0.1, 0.3)),
            Filler("minutes"),
            f"⟦build|The program goes to customers {f'as release 9, in which {other}, under the MIT licence, has taken the place of {part}; release 8 and older never left the house' if decoy else f'as release 9, with {part} inside as in releases 1 to 8'}.⟧",
            f"⟦cost|Swapping {part} out {'has cost' if decoy else 'would cost'} USD {cost:,}.⟧",
        ),
    ]
    return _shipped(
        part,
        product,
        decoy,
        papers,
        "General Public License, version 3",
        cost,
        ("source is to be had",),
        (),
        f"{other} has taken its place in what is delivered",
    )


def _customer_asks(world: World, rng: random.Random, decoy: bool) -> Plant:
    """A customer's letter asks for the source; the decoy's program never leaves the house, the customer has the hosted one."""
    part, product, cost = _part(world, rng)
    client = world.company(rng)
    use = (
        f"The planner built on {part} runs on our own machines; {client.short} and the others use it through the browser and receive no copy"
        if decoy
        else f"The planner built on {part} is installed at {client.short} and at all others from the same medium"
    )
    papers = [
        paper(
            "letter",
            f"Question of {client.short} on {part}",
            "10.3",
            world.past(rng, (0.1, 0.4)),
            f"⟦parts|In your planner we see the words {part} and GPL v2, and wonder what that means for us and for you.⟧",
            sign(client, world.person(rng, "IT Auditor", client)),
            parties=(client.name,),
        ),
        paper(
            "answer",
            f"Draft answer on {part}",
            "7.4",
            world.past(rng, (0.02, 0.1)),
            table(
                "Point|State",
                Row(("Delivery", use), "build"),
                Row((f"Effort to do without {part}, USD", cost), "cost"),
                ("Own code in the same program", "About 410,000 lines"),
            ),
            kinds=("docx",),
            avoid=("ip",),
        ),
    ]
    return _shipped(
        part,
        product,
        decoy,
        papers,
        "GPL v2",
        cost,
        ("here is the source",),
        (),
        "customers receive no copy of the program",
    )


RECIPES: tuple[Recipe, ...] = (
    Recipe(
        78,
        "copyleft_shipped",
        "IP",
        "Copyleft code is linked into what is shipped",
        "absence",
        "High",
        (
            Way("list of parts and build log", "train", _list_of_parts),
            Way("developer's mail", "train", _mail_of_build),
            Way("slides of a scan", "dev", _audit_slides),
            Way("notice file and minutes", "test", _notice_file),
            Way("customer asks", "test", _customer_asks),
        ),
    ),
)
