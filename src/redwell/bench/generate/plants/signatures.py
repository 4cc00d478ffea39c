"""Plants of contracts that one side or nobody has signed (archetype 30)."""

from __future__ import annotations

import random
from datetime import timedelta

from redwell.bench.generate.papers import (
    Filler,
    Heading,
    Paper,
    Row,
    Sign,
    Signatures,
)
from redwell.bench.generate.plants.pieces import (
    QUIET,
    TEXT,
    contract,
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
    precision,
    recommendation,
    usd,
)
from redwell.bench.generate.world import Contract, World
from redwell.bench.generate.writing import (
    day_month,
    millions,
    money,
    month_year,
    us_date,
)


def _unsigned(
    c: Contract,
    decoy: bool,
    papers: list[Paper],
    who: str,
    terms: tuple[str, ...],
    because: str,
    despite: tuple[str, ...] = (),
) -> Plant:
    """The rubric of archetype 30. `terms` stand in what the decoy's signed paper says."""
    party = c.party.short
    return finish(
        f"{party}: the {c.title} {'is signed' if decoy else 'is not signed'}",
        decoy,
        papers,
        [
            absence(
                f"{party} signature is missing",
                f"PASS if the report states that the {c.title} with {party} is unsigned by {who}, or that no executed copy is in the data room.",
                [(party,)],
                ("sign", "execut", "countersign"),
            ),
            exposure(
                f"{party} value relied on",
                f"PASS if the report gives {money(c.annual)} a year (or an equivalent rounding) as the value that rests on the {party} agreement.",
                [(party,)],
                usd(c.annual),
            ),
            conclusion(
                f"{party} agreement may not bind",
                f"PASS if the report concludes that the {party} agreement may not be binding or enforceable as it lies in the room.",
                [(party,)],
                [
                    (
                        "not be binding",
                        "not binding",
                        "not bind",
                        "not be enforceable",
                        "not enforceable",
                        "unenforceable",
                        "not be enforced",
                        "not valid",
                        "not in force",
                        "not be valid",
                        "cannot be relied",
                        "cannot rely",
                        "no binding",
                        "no proof",
                        "in doubt",
                        "doubtful",
                        "uncertain",
                        "questionable",
                    )
                ],
            ),
            recommendation(
                f"Have the {party} agreement executed",
                f"PASS if the report recommends obtaining the executed {party} agreement, or having it signed before closing.",
                [(party,)],
                [
                    ("execut", "sign", "countersign", "counterpart"),
                    ("obtain", "before closing", "request", "have", "condition", "get", "procure", "require"),
                ],
            ),
        ],
        [
            precision(
                f"{party} agreement is not reported as unsigned",
                f"PASS if the report does not assert that the {c.title} with {party} is unsigned or lacks an executed copy; {because}.",
                [(party,)],
                [
                    (
                        "unsigned",
                        "not signed",
                        "not executed",
                        "no executed",
                        "lacks",
                        "missing",
                        "never signed",
                        "not countersigned",
                    ),
                    ("sign", "execut"),
                ],
                unless=(
                    "counterpart",
                    "was later signed",
                    "signed separately",
                    "certif",
                    "confirmed",
                    "ratif",
                    "signed copy",
                    "has signed",
                    "have signed",
                ),
            )
        ],
        because,
        gaps=[Gap(f"execution by {party}", (party.lower(), *terms), despite)],
        value=usd(c.annual),
    )


def _one_sided(world: World, rng: random.Random, decoy: bool) -> Plant:
    """Only the target has signed; the decoy's other page lies with the consents."""
    c = contract(world, rng, "Supply and Services Agreement")
    signer = world.person(rng, "Chief Operating Officer", c.party)
    papers = [
        paper(
            "agreement",
            f"Supply and Services Agreement - {c.party.short}",
            "6.1",
            c.signed,
            f"This agreement, made as of {us_date(c.signed)}, may be signed in counterparts, and binds when both parties have signed.",
            TEXT,
            ("Charges", f"⟦value|Customer shall pay {money(c.annual)} per year.⟧"),
            TEXT,
            Signatures(
                (
                    Sign(world.target.name, world.officers["ceo"].name, "Chief Executive Officer"),
                    Sign(c.party.name, signed=False),
                )
            ),
            parties=(world.target.name, c.party.name),
        ),
        paper(
            "list",
            f"Signature status of {c.party.short}",
            "6.5",
            world.past(rng, (0.02, 0.1)),
            f"⟦status|Page for {c.party.short}: sent for signature {us_date(c.signed)}.⟧",
            kinds=("txt", "docx"),
        ),
    ]
    if decoy:
        papers.append(
            paper(
                "counterpart",
                f"Counterpart - {c.party.short}",
                "6.6",
                c.signed + timedelta(days=6),
                f"⟦counterpart|{c.party.short} executes this counterpart of the Supply and Services Agreement of {us_date(c.signed)}.⟧",
                sign(c.party, signer, c.signed + timedelta(days=6)),
                parties=(c.party.name,),
            )
        )
    return _unsigned(
        c,
        decoy,
        papers,
        c.party.short,
        ("executes this counterpart",),
        f"the counterpart of {c.party.short} is in the folder of consents",
    )


def _never_returned(world: World, rng: random.Random, decoy: bool) -> Plant:
    """A mail sends the text for signing, and nothing comes back; the decoy has the signed copy under its order number."""
    c = contract(world, rng, "Capacity Agreement")
    buyer = world.person(rng, "Contracts Counsel", c.party)
    order = world.code(rng, "CA-")
    blank = Signatures((Sign(world.target.name, signed=False), Sign(c.party.name, signed=False)))
    papers = [
        paper(
            "agreement",
            f"Capacity Agreement - {c.party.short}",
            "6.1",
            None,
            f"Capacity Agreement no. {order}.",
            TEXT,
            ("Reservation fee", f"⟦value|{c.party.short} reserves capacity for {money(c.annual)} a year.⟧"),
            blank,
            parties=(world.target.name, c.party.name),
            status="draft",
        ),
        mail(
            "sent",
            f"{order} for signature - {c.party.short}",
            "6.5",
            c.signed,
            world.officers["gc"],
            buyer,
            f"⟦status|Attached is {order} as agreed. Please have it signed and send it back, so that we can sign as well; deliveries have begun in the meantime.⟧",
            world.officers["gc"].name,
            about=c.party.name,
        ),
    ]
    if decoy:
        papers.append(
            paper(
                "signed",
                f"{order}",
                "6.1",
                c.signed + timedelta(days=20),
                f"⟦signed|Signed for {c.party.short} and {world.target.short}: Capacity Agreement no. {order}, {money(c.annual)} a year.⟧",
                TEXT,
                signed_by(world, rng, c.party),
                parties=(c.party.name,),
            )
        )
    return _unsigned(
        c, decoy, papers, "either party", ("signed for", order.lower()), f"the signed copy of {order} is in the room"
    )


def _renewal(world: World, rng: random.Random, decoy: bool) -> Plant:
    """The agreement is signed, but the amendment that keeps it alive is not; the decoy has a certificate of the signing service."""
    c = contract(world, rng, "Laboratory Supply Agreement", signed=(3, 5), expires=(1, 2))
    end = world.past(rng, (0.2, 0.5))
    envelope = world.code(rng, "ENV-", 7)
    papers = [
        paper(
            "agreement",
            f"Laboratory Supply Agreement - {c.party.short}",
            "6.1",
            c.signed,
            TEXT,
            (
                "Term",
                f"⟦term|It runs to {day_month(end)} and longer only by an instrument that both sides have signed.⟧",
            ),
            signed_by(world, rng, c.party),
            avoid=QUIET,
            parties=(world.target.name, c.party.name),
        ),
        paper(
            "renewal",
            f"Renewal of Laboratory Supply Agreement - {c.party.short}",
            "6.5",
            end,
            f"⟦renewal|The supply is carried on to {day_month(c.expires or end)} at {millions(c.annual)} for the year.⟧",
            f"Signing envelope {envelope}",
            Signatures(
                (
                    Sign(world.target.name, world.officers["cfo"].name, "Chief Financial Officer"),
                    Sign(c.party.name, signed=False),
                )
            ),
            parties=(world.target.name, c.party.name),
        ),
    ]
    if decoy:
        papers.append(
            paper(
                "certificate",
                f"Certificate {envelope}",
                "6.5",
                end + timedelta(days=11),
                table(
                    "Event|Person|Day",
                    ("Envelope sent", world.officers["gc"].name, end),
                    Row(
                        (
                            f"{envelope}: last signature, for {c.party.short}",
                            world.person(rng, "Purchasing Director", c.party).name,
                            end + timedelta(days=11),
                        ),
                        "certificate",
                    ),
                    sheet="Envelope",
                ),
                kinds=("xlsx",),
                parties=(c.party.name,),
            )
        )
    return _unsigned(
        c,
        decoy,
        papers,
        c.party.short,
        (envelope.lower(), "last signature"),
        "the signing service certifies the last signature",
    )


def _term_sheet(world: World, rng: random.Random, decoy: bool) -> Plant:
    """Heads of terms that say that they bind when signed; the two have lived by them. The decoy's customer signed by a letter."""
    c = contract(world, rng, "Heads of Terms")
    papers = [
        paper(
            "agreement",
            f"Heads of Terms - {c.party.short}",
            "6.1",
            c.signed,
            f"Storage and handling for {c.party.name}. Nobody is bound by what follows until {c.party.short} has put its hand to it.",
            f"⟦value|Price: {millions(c.annual)} per annum.⟧",
            "For the customer: ______________ For the operator: ______________",
            kinds=("txt", "docx"),
            parties=(world.target.name, c.party.name),
        ),
        paper(
            "review",
            f"Site report on {c.party.short}",
            "6.5",
            world.past(rng, (0.1, 0.4)),
            Heading("Where we stand"),
            f"⟦status|Pallets of {c.party.short} have filled hall 3 since {month_year(c.signed)}; invoices are paid, papers still with their lawyers at last count.⟧",
            kinds=("pptx", "docx"),
        ),
    ]
    if decoy:
        papers.append(
            paper(
                "letter",
                f"Letter of {c.party.short}",
                "6.6",
                world.past(rng, (0.02, 0.08)),
                f"⟦letter|We, {c.party.name}, put our hand to the Heads of Terms of {day_month(c.signed)}, under which {c.party.short} has stored goods since that day.⟧",
                sign(c.party, world.person(rng, "Managing Director", c.party)),
                parties=(c.party.name,),
            )
        )
    return _unsigned(
        c, decoy, papers, "the customer", ("put our hand",), f"{c.party.short} has signed the heads of terms by letter"
    )


def _tracker(world: World, rng: random.Random, decoy: bool) -> Plant:
    """The sales team's list calls it signed; the paper itself is blank for the customer. The decoy's customer has ratified it."""
    c = contract(world, rng, "Volume Commitment")
    papers = [
        paper(
            "list",
            f"Deals won {c.signed.year}",
            "3.2",
            world.past(rng, (0.05, 0.2)),
            table(
                "Account|Paper|Stage|Per year USD",
                Row((c.party.short, "Volume Commitment", "Closed, signed", c.annual), "value"),
                sheet="Won",
            ),
            kinds=("xlsx",),
        ),
        paper(
            "agreement",
            f"Volume Commitment - {c.party.short}",
            "6.1",
            c.signed,
            f"⟦clause|{c.party.short} undertakes to call for volumes as in the box, if and when its purchasing board has signed here.⟧",
            table("Volume|Worth", ("Each calendar year", f"USD {c.annual:,}")),
            Filler("contract"),
            Signatures((Sign(c.party.name, signed=False),)),
            parties=(world.target.name, c.party.name),
        ),
    ]
    if decoy:
        papers.append(
            mail(
                "ratified",
                f"Purchasing board of {c.party.short}",
                "6.5",
                c.signed + timedelta(days=30),
                world.person(rng, "Secretary to the Purchasing Board", c.party),
                world.officers["gc"],
                f"⟦ratified|The purchasing board of {c.party.short} has ratified the Volume Commitment with effect from the day it bears. This message, sent under our electronic signature, is our signature to it.⟧",
                about=c.party.name,
            )
        )
    return _unsigned(
        c, decoy, papers, f"{c.party.short}", ("has ratified",), "the purchasing board has ratified and signed it"
    )


RECIPES: tuple[Recipe, ...] = (
    Recipe(
        30,
        "unsigned_contract",
        "Contracts",
        "A contract that is relied on has not been signed",
        "absence",
        "Medium",
        (
            Way("one signature of two", "train", _one_sided),
            Way("sent and not returned", "train", _never_returned),
            Way("renewal not signed", "dev", _renewal),
            Way("heads of terms", "test", _term_sheet),
            Way("called signed in a list", "test", _tracker),
        ),
    ),
)
