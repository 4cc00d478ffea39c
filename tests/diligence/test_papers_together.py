"""Issues that two or three papers make together: a right in one, an act in another, and what would take the point away in a third."""

from __future__ import annotations

import pytest
from papers import TARGET, contract, issues

HOSTING = contract(
    "4.1 The annual hosting charge is $1,200,000.\n\n4.2 Should Provider pass into the hands of a new owner, Customer may cancel this Agreement 40 days after learning of it.",
    title="HOSTING AGREEMENT", other="Ardmore Springs Corporation",
)  # fmt: skip


def test_a_new_owner_ends_a_contract_worth_a_sum_a_year() -> None:
    issue = issues({"contracts/hosting-agreement-ardmore-springs.txt": HOSTING})["change_of_control_termination"]
    assert issue["exposure"]["base"] == 1_200_000
    assert "40 days" in issue["claim"]
    assert "Ardmore Springs" in issue["title"]
    assert "waiver" in issue["next_step"]


def test_a_waiver_of_the_right_leaves_nothing_to_report() -> None:
    waiver = "Waiver\n\nArdmore Springs Corporation waives its right to cancel on account of the new owner.\n"
    papers = {
        "contracts/hosting-agreement-ardmore-springs.txt": HOSTING,
        "consents/waiver-ardmore-springs.txt": waiver,
    }
    assert "change_of_control_termination" not in issues(papers)


def test_an_unsigned_form_of_a_waiver_takes_nothing_away() -> None:
    form = "UNSIGNED FORM\n\nArdmore Springs Corporation waives its right to cancel on account of the new owner.\n"
    papers = {
        "contracts/hosting-agreement-ardmore-springs.txt": HOSTING,
        "consents/waiver-ardmore-springs-unsigned-form.txt": form,
    }
    assert "change_of_control_termination" in issues(papers)


ROYALTY = "PATENT LICENCE AGREEMENT\n\nThis Agreement is between Torvald Optics AB (“Licensor”) and Larkfield Instruments, Inc. (“Licensee”).\n\n3. Licensee pays a royalty of $10 for each unit sold. Sums in arrears bear interest at 6% per year.\n"


@pytest.mark.parametrize(("settled", "expected"), [("", True), ("Torvald Optics releases Larkfield Instruments from all royalties for the years audited.", False)])  # fmt: skip
def test_royalties_that_were_underpaid_bear_interest(settled: str, expected: bool) -> None:
    papers = {
        "ip/patent-licence-torvald-optics.txt": ROYALTY,
        "mail/audit-of-torvald-optics.txt": "Audit for Torvald Optics\n\nLarkfield sold 30,000 units and paid $200,000; the rest has been due for two years.\n",
    }
    if settled:
        papers["ip/settlement-torvald-optics.txt"] = f"Settlement\n\n{settled}\n"
    found = issues(papers)
    assert ("infringement_claim" in found) is expected
    if expected:
        assert found["infringement_claim"]["exposure"]["base"] == 112_000  # (30,000 x 10 - 200,000) x (1 + 2 x 6 %)


@pytest.mark.parametrize(("last", "expected"), [("It is linked into the firmware of the Heron Sensor, which ships to customers.", True), ("It serves in unit tests only and is not shipped.", False)])  # fmt: skip
def test_copyleft_that_is_shipped_is_told_from_what_serves_in_tests(last: str, expected: bool) -> None:
    papers = {
        "code/mail-on-libquicksort.txt": f"Subject: libquicksort\n\nlibquicksort (GPL-3.0) is in our list. {last} Doing without libquicksort would cost $450,000.\n"
    }
    found = issues(papers)
    assert ("copyleft_shipped" in found) is expected
    if expected:
        assert found["copyleft_shipped"]["exposure"]["base"] == 450_000


def test_the_registry_names_another_owner_than_the_schedule() -> None:
    search = "Search of marks\n\nRegistration | Mark | Registered for | As of\nReg. 4455667 | HERON | Orsted Bearings, Inc. | 2025-02-03\n"
    schedule = "DISCLOSURE SCHEDULE\n\nReg. 4455667 (HERON) is registered in the Company's own name.\n"
    papers = {"ip/search-reg-4455667.txt": search, "deal/disclosure-schedule.txt": schedule}
    issue = issues(papers)["recorded_owner"]
    assert "Orsted Bearings" in issue["claim"]
    assert "3 February 2025" in issue["claim"]
    after = f"{search}\nReg. 4455667 | Transfer from Orsted Bearings to {TARGET} entered | 2025-03-01 |\n"
    assert "recorded_owner" not in issues({**papers, "ip/search-reg-4455667.txt": after})


def test_a_warning_is_answered_or_it_stands() -> None:
    notice = "Formal warning\n\nDate: 1 March 2026\n\nThis is a formal warning by Ardmore Springs: the pumps have failed and we claim $80,000.\n"
    terms = contract(
        "7.1 A party in breach has 25 days to cure it, after which the other may terminate.",
        other="Ardmore Springs Corporation",
    )
    papers = {"mail/warning-ardmore-springs.txt": notice, "contracts/supply-ardmore-springs.txt": terms}
    issue = issues(papers)["breach_notice"]
    assert "25 days" in issue["claim"]
    assert issue["exposure"]["base"] == 80_000
    answer = "Ardmore Springs and Larkfield Instruments have settled the warning; nothing is claimed any more.\n"
    assert "breach_notice" not in issues({**papers, "mail/settlement-ardmore-springs.txt": answer})


def test_a_side_letter_costs_a_share_of_the_yearly_sum() -> None:
    base = contract("5.1 Customer's yearly purchases are $2,000,000.", other="Ardmore Springs Corporation")
    letter = "Letter to Ardmore Springs\n\nWe will credit Ardmore Springs with 3% of all purchases each year. Please keep this between us.\n"
    issue = issues({"contracts/supply-ardmore-springs.txt": base, "mail/letter-to-ardmore-springs.txt": letter})[
        "side_letter"
    ]
    assert issue["exposure"]["base"] == 60_000
