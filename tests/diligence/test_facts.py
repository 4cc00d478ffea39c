"""What the reader notes of every document."""

from __future__ import annotations

from typing import Any

import pytest
from papers import REVENUE, contract

from redwell.diligence.reader import read_text


def facts(text: str, kind: str, path: str = "files/a.txt") -> list[dict[str, Any]]:
    return [each["values"] for each in read_text(text, path=path) if each["kind"] == kind]


def test_parties_aliases_title_family_and_date() -> None:
    (fact,) = facts(contract("1. Services."), "fact:document")
    assert fact["title"] == "MASTER SERVICES AGREEMENT"
    assert fact["family"] == "contract"
    assert fact["date"] == "2025-01-01"
    assert fact["parties"] == [
        {"name": "Larkfield Instruments, Inc.", "aliases": ["Provider"]},
        {"name": "Belmont Process Corporation", "aliases": ["Customer"]},
    ]


def test_defined_terms_are_no_parties() -> None:
    body = '1. Customer shall pay a fee of Ten Thousand U.S. Dollars (the "Annual Fee") for the platform of Provider (the "Platform").'
    (fact,) = facts(contract(body), "fact:document")
    assert [party["aliases"] for party in fact["parties"]] == [["Provider"], ["Customer"]]


def test_parties_in_a_table() -> None:
    text = "ORDER FORM\n\nProvider | Northwind Logistics Software, Inc., a Delaware corporation\nCustomer | Cobalt Retail Group, Inc., a Delaware corporation\n"
    (fact,) = facts(text, "fact:document")
    assert [party["name"] for party in fact["parties"]] == [
        "Northwind Logistics Software, Inc.",
        "Cobalt Retail Group, Inc.",
    ]


@pytest.mark.parametrize(
    ("title", "path", "family"),
    [
        ("AMENDMENT NO. 2 TO LEASE AGREEMENT", "a.txt", "amendment"),
        ("Data Processing Addendum", "a.txt", "dpa"),
        ("INDEPENDENT CONTRACTOR AGREEMENT", "a.txt", "contractor"),
        ("", "finance/arr_schedule.xlsx", "revenue"),
        ("", "debt/harbor-payoff-letter.txt", "payoff"),
        ("Minutes of the regular meeting of the Board", "a.txt", "minutes"),
        ("", "x.bin", "other"),
    ],
)
def test_families(title: str, path: str, family: str) -> None:
    (fact,) = facts(f"{title}\n\nSome words follow here.\n", "fact:document", path)
    assert fact["family"] == family


def test_signatures_filled_and_blank() -> None:
    text = contract("1. Services.").replace("By: /s/ B. Signatory", "By: ____________")
    assert facts(text, "fact:signatures") == [{"signed": 1, "blank": 1}]


def test_exhibits_said_to_be_attached_and_held() -> None:
    text = contract(
        "1. The prices are in Exhibit B attached hereto and the terms in Exhibit A attached hereto.\n\nEXHIBIT A\n\nTerms\n"
    )
    (fact,) = facts(text, "fact:exhibits")
    assert fact["mentioned"] == ["Exhibit A", "Exhibit B"]
    assert fact["held"] == ["Exhibit A"]


def test_a_table_of_contents_holds_no_exhibit() -> None:
    text = contract("EXHIBIT A ........ 12\n\n1. The terms are in Exhibit A attached hereto.")
    (fact,) = facts(text, "fact:exhibits")
    assert fact["held"] == []


def test_another_agreement_by_its_date() -> None:
    (fact,) = facts(
        contract("1. This is made under the Supply and Support Agreement dated 1 April 2025."), "fact:reference"
    )
    assert (fact["title"], fact["date"]) == ("Supply and Support Agreement", "2025-04-01")


def test_revenue_rows_with_shares_of_the_total() -> None:
    rows = facts(REVENUE, "fact:revenue")
    assert [(row["customer"], row["amount"], row["share"]) for row in rows[:2]] == [
        ("Belmont Process Corporation", 9_300_000.0, 31.0),
        ("Kestrel Water Utilities, LLC", 5_100_000.0, 17.0),
    ]
    assert {row["total"] for row in rows} == {30_000_000.0}


def test_a_total_row_without_its_first_cell_gives_the_total_and_no_customer() -> None:
    table = "# | Customer | ARR | % of ARR\n1 | Acme Foods | $6,000,000 | 60.0%\n2 | Bolt Ltd | $4,000,000 | 40.0%\n| Total ARR | $10,000,000 | 100.0%\n"
    rows = facts(table, "fact:revenue")
    assert [(row["customer"], row["total"]) for row in rows] == [
        ("Acme Foods", 10_000_000.0),
        ("Bolt Ltd", 10_000_000.0),
    ]


def test_shares_are_reckoned_where_the_table_has_none() -> None:
    table = "Customer | Revenue ($000)\nAcme, Inc. | 300\nBeta, Inc. | 100\n"
    rows = facts(table, "fact:revenue")
    assert [(row["amount"], row["share"]) for row in rows] == [(300_000.0, 75.0), (100_000.0, 25.0)]


def test_a_total_that_does_not_add_up_and_one_that_does() -> None:
    table = "Item | Cost\nA | $100\nB | $200\nC | $300\nTotal | $700\n"
    (fact,) = facts(table, "table_total_differs")
    assert (fact["stated"], fact["computed"], fact["difference"]) == (700.0, 600.0, 100.0)
    assert facts(table.replace("$700", "$600"), "table_total_differs") == []


def test_percentages_and_prices_are_not_added_up() -> None:
    table = "Item | Share | Unit price\nA | 10% | $5\nB | 20% | $6\nC | 30% | $7\nTotal | 100% | $99\n"
    assert facts(table, "table_total_differs") == []


@pytest.mark.parametrize(
    ("sentence", "values"),
    [
        ("This Agreement continues until 31 December 2027.", {"expires": "2027-12-31"}),
        ("The initial term of this Agreement is three (3) years from the Effective Date.", {"months": 36}),
        (
            "This Agreement shall remain in full force and effect in perpetuity for a perpetual term.",
            {"perpetual": True},
        ),
    ],
)
def test_terms(sentence: str, values: dict[str, Any]) -> None:
    (fact,) = facts(contract(f"2.1 {sentence}"), "fact:term")
    assert values.items() <= fact.items()


@pytest.mark.parametrize(
    ("sentence", "law"),
    [
        (
            "This Agreement is governed by the laws of the State of Delaware, without regard to conflicts of laws.",
            "Delaware",
        ),
        ("This Agreement shall be construed in accordance with the laws of England and Wales.", "England"),
        ("Supplier shall comply with the laws of each country.", None),
    ],
)
def test_governing_law(sentence: str, law: str | None) -> None:
    assert [fact["law"] for fact in facts(contract(f"9.1 {sentence}"), "fact:governing_law")] == ([law] if law else [])


def test_sums_with_a_name() -> None:
    body = "3.1 Customer shall pay an annual subscription fee of US $12,400,000.\n\n4.1 The principal amount of the loan is $18,000,000.\n\n5.1 Tenant shall pay base rent of $52,000 per month."
    sums = {fact["label"]: fact["amount"] for fact in facts(contract(body), "fact:amount")}
    assert sums == {"annual fee": 12_400_000.0, "principal": 18_000_000.0, "base rent per month": 52_000.0}


def test_what_an_amendment_replaces() -> None:
    text = contract(
        "1.1 Section 5.1 of the Agreement is deleted and replaced: liability shall not exceed the fees.",
        title="AMENDMENT NO. 1",
    )
    (fact,) = facts(text, "fact:amends")
    assert fact == {"section": "5.1", "topic": "liability"}


def test_every_quote_stands_in_the_text() -> None:
    text = contract("3.1 Customer shall pay an annual fee of $1,000. See Exhibit B attached hereto.") + REVENUE
    for finding in read_text(text, path="a.txt"):
        assert finding["quotes"], finding
        assert all(quote["text"] in text for quote in finding["quotes"])


@pytest.mark.parametrize(
    ("opening", "names"),
    [
        (
            'This Agreement is between AURA SYSTEMS, INC., a Delaware Corporation ("Aura"), and Zanotti East Inc., a Massachusetts Corporation ("Zanotti").',
            ["AURA SYSTEMS, INC.", "Zanotti East Inc."],
        ),
        (
            'This Agreement is between Establishment Labs, S.A. ("Establishment") and Apollo Ltd. ("Apollo"), as approved by the Food and Drug Administration ("FDA").',
            ["Establishment Labs, S.A.", "Apollo Ltd."],
        ),
        (
            'This Agreement is between PPG Paints Trading (Shanghai) Co Ltd ("PPG Shanghai") and Sphere 3D Corp. ("Company"). The Territory is in Exhibit A ("Exclusive Region").',
            ["PPG Paints Trading (Shanghai) Co Ltd", "Sphere 3D Corp."],
        ),
        (
            'Agreement made between: Co-Diagnostics, Inc. ("Principal") And PreCheck Health Services, Inc. ("Distributor").',
            ["Co-Diagnostics, Inc.", "PreCheck Health Services, Inc."],
        ),
    ],
)
def test_a_name_is_the_party_s_own_and_no_legal_form_agency_or_exhibit(opening: str, names: list[str]) -> None:
    (fact,) = facts(f"SUPPLY AGREEMENT\n\n{opening}\n\n1. Supply.\n", "fact:document")
    assert [party["name"] for party in fact["parties"]] == names


def test_a_name_ends_without_the_full_stop_of_its_sentence() -> None:
    (fact,) = facts("LETTER\n\nWe write to Belmont Process Corporation. Please answer.\n", "fact:document")
    assert fact["names"] == ["Belmont Process Corporation"]


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("UCC SEARCH REPORT, Delaware Department of State\nThrough date: 30 January 2026\n", "UCC SEARCH REPORT, Delaware Department of State"),
        ("TABLE OF CONTENTS PARAGRAPH\n\nPURCHASE AGREEMENT\n", "PURCHASE AGREEMENT"),
        ("AMENDMENT NO. 1 TO\nMANUFACTURING AGREEMENT\nThis Amendment is made today.\n", "AMENDMENT NO. 1 TO MANUFACTURING AGREEMENT"),
        ("Subject: Notice of breach\n\nDear team,\n", ""),
    ],
)  # fmt: skip
def test_a_title_is_the_title_alone(text: str, title: str) -> None:
    (fact,) = facts(text, "fact:document")
    assert fact["title"] == title


def test_a_short_name_on_the_next_line_belongs_to_its_name() -> None:
    text = 'Services Agreement\nThis Services Agreement is made as of July 1, 2023 between Larkfield Instruments, Inc.\n("Provider") and Kestrel Water Utilities, LLC ("Customer").\n'
    (fact,) = facts(text, "fact:document")
    assert [party["name"] for party in fact["parties"]] == [
        "Larkfield Instruments, Inc.",
        "Kestrel Water Utilities, LLC",
    ]


def test_the_company_is_the_party_and_not_its_board() -> None:
    text = 'Minutes of a meeting\n\nA meeting was held between the members of the Board of Directors of Larkfield Instruments, Inc. (the "Company").\n'
    (fact,) = facts(text, "fact:document")
    assert [party["name"] for party in fact["parties"]] == ["Larkfield Instruments, Inc."]


@pytest.mark.parametrize(
    "sentence",
    [
        "The chairperson shall serve for a term of one (1) year.",
        "During the term of this Agreement and for two (2) years after its end, Reseller shall not compete.",
        '"Arizona Trademark License Term" means the period ending twenty-four (24) months after the Effective Date.',
        "The provisions of this clause shall survive the termination of this Agreement for five (5) years.",
        "The Initial Term may be extended by successive periods of three (3) years by mutual agreement.",
    ],
)
def test_the_term_of_something_else_is_not_the_agreement_s(sentence: str) -> None:
    assert facts(contract(f"2.1 {sentence}"), "fact:term") == []


def test_policies_plans_and_statements_of_work_called_by_name() -> None:
    minutes = "Minutes of the Board\n\n2.1 RESOLVED, that options be granted under the 2021 Equity Incentive Plan.\n\n3.1 Under the Delegation of Authority Policy any contract above $2,000,000 requires approval.\n"
    assert [fact["title"] for fact in facts(minutes, "fact:reference")] == [
        "2021 Equity Incentive Plan",
        "Delegation of Authority Policy",
    ]
    work = contract("1.1 Contractor shall develop the engine as described in Statement of Work No. 1.")
    assert [fact["title"] for fact in facts(work, "fact:reference")] == ["Statement of Work No. 1"]
    assert facts(work + "\nStatement of Work No. 1\n\nThe engine.\n", "fact:reference") == []
    assert facts(contract("1.1 The parties act in accordance with the Development Plan."), "fact:reference") == []


def test_a_plan_of_reorganization_has_its_whole_title() -> None:
    text = contract("1. As agreed in the Agreement and Plan of Reorganization, dated as of June 21, 2006.")
    (fact,) = facts(text, "fact:reference")
    assert (fact["title"], fact["date"]) == ("Agreement and Plan of Reorganization", "2006-06-21")


@pytest.mark.parametrize(
    ("sentence", "until"),
    [
        ("This Agreement shall remain in effect until the last royalty is paid.", "the last royalty is paid"),
        ("This Agreement may be terminated by either party upon the end of a trial.", None),
    ],
)
def test_a_term_that_ends_with_an_event(sentence: str, until: str | None) -> None:
    assert [fact.get("until") for fact in facts(contract(f"2.1 {sentence}"), "fact:term")] == ([until] if until else [])


def test_a_share_of_four_tenths_is_forty_percent_and_the_header_names_the_currency() -> None:
    table = "Customer | Revenue (EUR) | Share\nAcme, Inc. | 4000000 | 0.4\nBeta, Inc. | 6000000 | 0.6\n"
    rows = facts(table, "fact:revenue")
    assert [(row["share"], row["currency"]) for row in rows] == [(40.0, "EUR"), (60.0, "EUR")]


def test_a_share_below_one_percent_stays_what_it_is() -> None:
    table = "Customer | Revenue | Share (%)\nAcme, Inc. | $4,000 | 0.4\nBeta, Inc. | $996,000 | 99.6\n"
    assert [row["share"] for row in facts(table, "fact:revenue")] == [0.4, 99.6]
