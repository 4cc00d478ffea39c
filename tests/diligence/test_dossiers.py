"""Papers on one subject, told by concepts: several wordings of a matter are one, and papers that take it away leave nothing."""

from __future__ import annotations

import pytest
from papers import issues

from redwell.diligence.archetypes.catalogue import BY_ID
from redwell.diligence.archetypes.dossier import counts, points
from redwell.diligence.archetypes.dossier_kinds import DOSSIERS
from redwell.diligence.archetypes.lexicon import concept, holds

MATTERS: dict[str, tuple[list[dict[str, str]], list[dict[str, str]]]] = {
    # kind: rooms that hold it, rooms that only look like it
    "reserve_below_estimate": (
        [
            {
                "10.0 Litigation/reserve-thornwick-mills.txt": "Reserve\n\nFor the dispute with Thornwick Mills the company has set aside $400,000.\n",
                "10.0 Litigation/counsel-on-thornwick-mills.txt": "Counsel\n\nWe expect the claim of Thornwick Mills to cost between $1,500,000 and $2,300,000.\n",
            },
            {
                "10.0 Litigation/accrual-note-thornwick-mills.txt": "Note\n\nThe provision for the suit of Thornwick Mills stands at USD 400,000.\n",
                "10.0 Litigation/case-assessment-thornwick-mills.txt": "Assessment\n\nThe likely outcome against Thornwick Mills is a loss of USD 2,300,000.\n",
            },
            {
                "10.0 Litigation/contingencies-thornwick-mills.txt": "Contingencies\n\nMatter | Booked\nThornwick Mills, accrued | 400,000\n",
                "10.0 Litigation/expert-on-thornwick-mills.txt": "Expert\n\nThe expert in the matter of Thornwick Mills quantifies the damages at $2,300,000.\n",
            },
        ],
        [
            {
                "10.0 Litigation/reserve-thornwick-mills.txt": "Reserve\n\nFor the dispute with Thornwick Mills the company has set aside $400,000.\n",
                "10.0 Litigation/counsel-on-thornwick-mills.txt": "Counsel\n\nWe expect the claim of Thornwick Mills to cost up to $2,300,000.\n",
                "10.0 Litigation/reserve-raised-thornwick-mills.txt": "Later\n\nThe reserve for Thornwick Mills was raised to what counsel expects.\n",
            },
            {"10.0 Litigation/reserve-thornwick-mills.txt": "Reserve\n\nFor the dispute with Thornwick Mills the company has set aside $400,000.\n"},
        ],
    ),
    "closure_records": (
        [
            {"12.0 Environmental/tank-list-of-garsdale.txt": "Tanks\n\nAt the depot in Garsdale two underground tanks were taken out of use; their removal would cost $600,000.\n"},
            {"12.0 Environmental/asbestos-in-garsdale.txt": "Roof\n\nThe roof of the mill in Garsdale may hold asbestos, and its removal is put at USD 600,000.\n"},
            {"12.0 Environmental/plant-inventory-garsdale.txt": "Inventory\n\nItem | Estimate\nUST 4, Garsdale, closure not documented | $600,000\n"},
        ],
        [
            {
                "12.0 Environmental/tank-list-of-garsdale.txt": "Tanks\n\nAt the depot in Garsdale two underground tanks were taken out of use; their removal would cost $600,000.\n",
                "12.0 Environmental/agency-on-garsdale.txt": "Agency\n\nThe closure report for Garsdale is accepted; no further action is asked.\n",
            },
            {"12.0 Environmental/tank-list-of-garsdale.txt": "Tanks\n\nThe water tank of the depot in Garsdale is painted every other year.\n"},
        ],
    ),
    "adviser_conflict": (
        [
            {
                "1.2 Board/engagement-of-lydgate-partners.txt": "Engagement\n\nThe purchaser has engaged Lydgate Partners as adviser on its acquisition financing for a fee of $900,000.\n",
                "1.2 Board/minutes-lydgate-partners.txt": "Minutes\n\nLydgate Partners told the board that it has no conflict.\n",
            },
            {
                "1.2 Board/questionnaire-of-lydgate.txt": "Questionnaire\n\nThe director Orla Lydgate holds shares of the buyer worth $900,000.\n",
                "1.2 Board/minutes-orla-lydgate.txt": "Minutes\n\nOrla Lydgate voted with the other directors for the merger.\n",
            },
            {
                "1.2 Board/fee-letter-lydgate-advisory.txt": "Fee letter\n\nFor arranging the debt of the bidder Lydgate Advisory is paid $900,000 at closing.\n",
                "1.2 Board/committee-lydgate-advisory.txt": "Committee\n\nThe committee relied on Lydgate Advisory as independent.\n",
            },
        ],
        [
            {
                "1.2 Board/questionnaire-of-lydgate.txt": "Questionnaire\n\nThe director Orla Lydgate holds shares of the buyer worth $900,000.\n",
                "1.2 Board/minutes-orla-lydgate.txt": "Minutes\n\nOrla Lydgate declared the shares and left before the directors voted.\n",
            },
            {"1.2 Board/questionnaire-of-lydgate.txt": "Questionnaire\n\nThe director Orla Lydgate holds no shares of any supplier.\n"},
        ],
    ),
    "settlement_instalment_unpaid": (
        [
            {
                "10.2 Settlements/settlement-brackenfield-tools.txt": "Settlement\n\nBy the settlement with Brackenfield Tools the company pays $750,000 in three tranches.\n",
                "10.2 Settlements/ageing-brackenfield-tools.txt": "Ageing\n\nBrackenfield Tools, second tranche of $250,000: overdue by 48 days.\n",
            },
            {
                "10.2 Settlements/settlement-brackenfield-tools.txt": "Settlement\n\nThe second instalment to Brackenfield Tools, $250,000, falls due in May.\n",
                "10.2 Settlements/settlement-mail-brackenfield-tools.txt": "Mail\n\nBrackenfield Tools writes that the payment of May was missed.\n",
            },
            {
                "10.2 Settlements/stipulated-terms-brackenfield-tools.txt": "Terms\n\nPayment 2 of the settlement with Brackenfield Tools: $250,000.\n",
                "10.2 Settlements/list-brackenfield-tools.txt": "List\n\nOutstanding to Brackenfield Tools: payment 2.\n",
            },
        ],
        [
            {
                "10.2 Settlements/settlement-brackenfield-tools.txt": "Settlement\n\nThe second instalment to Brackenfield Tools, $250,000, falls due in May.\n",
                "10.2 Settlements/receipt-brackenfield-tools.txt": "Receipt\n\nThe instalment was paid on 3 May to Brackenfield Tools, which makes no claim for what was late.\n",
            },
            {"10.2 Settlements/settlement-brackenfield-tools.txt": "Settlement\n\nBrackenfield Tools and the company have met and will meet again.\n"},
        ],
    ),
}  # fmt: skip


@pytest.mark.parametrize("kind", MATTERS)
def test_a_matter_is_told_in_other_words(kind: str) -> None:
    for papers in MATTERS[kind][0]:
        found = issues(papers, target="Wexcombe Foods, Inc.")
        assert kind in found, papers
        assert found[kind]["citations"]


@pytest.mark.parametrize("kind", MATTERS)
def test_what_only_looks_like_a_matter_is_none(kind: str) -> None:
    for papers in MATTERS[kind][1]:
        assert kind not in issues(papers, target="Wexcombe Foods, Inc."), papers


def test_every_sign_is_made_of_concepts_and_every_kind_has_an_archetype() -> None:
    for dossier in DOSSIERS:
        assert BY_ID[dossier.kind].title
        for sign in filter(None, (*dossier.signs, dossier.clear)):
            for name in sign.lstrip("?").split():
                assert concept(name.lstrip("!")).pattern


@pytest.mark.parametrize(
    "text",
    [
        "Should the Company pass to another proprietor, Customer may walk away from this contract.",
        "This order lapses when a majority of the voting stock of Supplier is sold.",
        "On a take-over of the Licensee the Licensor is free to cancel.",
    ],
)
def test_the_end_on_a_new_owner_has_many_words(text: str) -> None:
    assert holds("owner end !denied", text)


@pytest.mark.parametrize(
    "text",
    [
        "A change of control shall not give either party a right to terminate.",
        "Customer may terminate if Supplier is late with two deliveries.",
    ],
)
def test_what_denies_the_end_or_has_another_ground_is_none(text: str) -> None:
    assert not holds("owner end !denied", text)


def test_numbers_of_shares_are_neither_sums_nor_years() -> None:
    assert counts("On 2024-05-01 in 2024 he bought 12,500 shares at $10,000 and 1250 units.") == [12_500.0, 1_250.0]


def test_a_letter_comes_to_its_opening_and_its_sums() -> None:
    text = "From: A\nDear Sir\nThis is the opening of a letter that says what it is about.\nshort\nAnd much later it asks for $40,000.\nBye"
    assert points(text) == [
        "This is the opening of a letter that says what it is about.",
        "And much later it asks for $40,000.",
    ]


FACTORS = ("Hartwell Mills", "Kestrel Looms", "Ashgrove Dyes", "Penrith Yarns", "Selwood Tweeds", "Marlow Felts")


def _tanks(name: str, words: str) -> dict[str, str]:
    place = name.split()[0].lower()
    return {f"12.0 Environmental/tank-list-of-{place}.txt": f"Tanks\n\n{words.replace('{s}', name)}\n"}


def test_what_is_said_of_everybody_is_no_matter_of_one() -> None:
    """One sentence of a form, with another name and sum each time, stands in the papers of five subjects and is then running text."""
    words = "At the depot of {s} two underground tanks were taken out of use; their removal would cost ${n}00,000."
    alone = issues(_tanks(FACTORS[0], words.replace("{n}", "6")))
    assert "closure_records" in alone
    papers: dict[str, str] = {}
    for number, name in enumerate(FACTORS[:5]):
        papers |= _tanks(name, words.replace("{n}", str(number + 2)))
    assert "closure_records" not in issues(papers)


def test_a_kind_of_which_there_are_many_is_the_everyday_of_a_room() -> None:
    ways = (
        "At the depot of {s} two underground tanks were taken out of use; their removal would cost $600,000.",
        "The roof of the mill of {s} may hold asbestos, and its removal is put at USD 600,000.",
        "Below the yard of {s} lies an old underground tank, and taking it out is reckoned at $500,000.",
        "Asbestos lagging round the boiler of {s}: stripping it would come to $450,000.",
        "An underground tank left by the former owner of {s} has to be removed for $300,000.",
        "For the removal of asbestos from the hall of {s} a builder wants $250,000.",
    )
    papers: dict[str, str] = {}
    for name, words in zip(FACTORS, ways, strict=True):
        papers |= _tanks(name, words)
    for name, words in zip(FACTORS, ways, strict=True):
        assert "closure_records" in issues(_tanks(name, words)), "each by itself is a matter"
    assert "closure_records" not in issues(papers)
