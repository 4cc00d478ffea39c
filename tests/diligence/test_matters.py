"""Matters that several papers tell a part of each: found with their figures, and left alone where a paper takes them away."""

from __future__ import annotations

import pytest
from papers import issues

CASES: dict[str, tuple[dict[str, str], str, float]] = {
    # kind: papers, the name in the title, the sum reckoned by hand
    "working_capital_peg": (
        {
            "nwc/peg-definition.txt": "Sample statement\n\nThe working capital target leaves out the rebates owed to Tilbury Foods at each month-end.\n",
            "nwc/rebates-tilbury-foods.txt": "Rebates owed to Tilbury Foods\n\n31 March 2025: 400,000 owed\n30 June 2025: 600,000 owed\n",
        },
        "Tilbury", 500_000,
    ),
    "add_back_unsupported": (
        {
            "qoe/adjustments.txt": "Adjustments\n\nManagement adds back $300,000 paid to Corvane Advisors in 2024 as one-time.\nThe price is 8.0 times adjusted EBITDA of which Corvane Advisors is part.\n",
            "budget/corvane-advisors.txt": "Budget lines\n\nFor 2025 the budget has $310,000 for Corvane Advisors.\n",
        },
        "Corvane", 2_400_000,
    ),
    "trapped_cash": (
        {
            "cash/pledge.txt": "Letter\n\nBalances at Harwell Savings of $700,000 are pledged as security for a lease and cannot be drawn.\n",
            "cash/net-debt.txt": "Net debt\n\nItem | Amount\nCash at Harwell Savings | 1,900,000\n",
        },
        "Harwell", 700_000,
    ),
    "transfer_pricing_gap": (
        {
            "tax/licence-terms.txt": "Licence terms\n\nThe subsidiary Ostrava Tools owes a royalty of 5% of its net sales.\n",
            "tax/charge.txt": "Note\n\nNet sales of Ostrava Tools were $10,000,000.\nFor Ostrava Tools we have charged a royalty of $200,000 for 2024, and the income tax rate is 25%.\n",
        },
        "Ostrava", 75_000,
    ),
    "golden_parachute": (
        {
            "people/figures.txt": "Figures for Marten Oakes\n\nThe base amount of Marten Oakes is $200,000.\nThe sale sets off for Oakes a bonus of $400,000, severance of $300,000 and awards of $100,000.\n",
            "people/letter.txt": "Letter to Marten Oakes\n\nAny tax under section 4999 on Marten Oakes is made good by the company.\n",
        },
        "Oakes", 120_000,
    ),
    "incident_kept_back": (
        {
            "security/inc-40417.txt": "INC-40417\n\nOn 3 May 2025 we saw that health records of 2,500 patients in Germany were copied out and published.\nOthers spent $100 for each record.\n",
            "security/reply.txt": "Re INC-40417\n\nLet us wait on INC-40417 and see whether a supervisory office in Europe asks.\n",
        },
        "INC-40417", 250_000,
    ),
    "coverage_gap": (
        {
            "insurance/broker.txt": "Mail\n\nOf the aggregate of Norvik Mutual Insurance $250,000 remains for the year.\n",
            "insurance/claims.txt": "Open claims\n\nInsurer | Expected\nOpen claims, Norvik Mutual Insurance | 900,000\n",
        },
        "Norvik", 650_000,
    ),
    "plan_underfunded": (
        {
            "plans/actuary.txt": "Actuary's letter\n\nThe obligations of the Brantwood Pension Plan are $9,000,000 and its assets $6,500,000.\n",
            "plans/net-debt.txt": "Net debt\n\nItem | Amount\nBrantwood Pension Plan | 0\n",
        },
        "Brantwood", 2_500_000,
    ),
    "unpaid_bonus": (
        {
            "people/letters.txt": "Mail\n\nThe Quillon Sales Team has a commission of 4% of sales, which were $5,000,000.\n",
            "people/accruals.txt": "Accruals\n\nItem | Amount\nCommission accrual, Quillon Sales Team | 50,000\n",
        },
        "Quillon", 150_000,
    ),
}  # fmt: skip

TAKEN_AWAY: dict[str, tuple[str, str]] = {
    # kind: a further paper with which it is none
    "working_capital_peg": (
        "nwc/new.txt",
        "Mail\n\nThe target was set again with a line of its own for Tilbury Foods.\n",
    ),
    "add_back_unsupported": (
        "budget/end.txt",
        "Mail\n\nThe contract with Corvane Advisors was terminated and the final invoice paid.\n",
    ),
    "trapped_cash": ("cash/release.txt", "Mail\n\nHarwell Savings released the pledge, and the balances are free.\n"),
    "transfer_pricing_gap": ("tax/true-up.txt", "Mail\n\nA true-up for Ostrava Tools was booked in December.\n"),
    "golden_parachute": ("people/cut.txt", "Mail\n\nThe payments to Marten Oakes are cut back to what bears no tax.\n"),
    "incident_kept_back": (
        "security/notice.txt",
        "Mail\n\nThe authority was notified of INC-40417 on 4 May 2025.\n",
    ),
    "coverage_gap": ("insurance/more.txt", "Mail\n\nThe aggregate of Norvik Mutual Insurance has been reinstated.\n"),
    "plan_underfunded": ("plans/paid.txt", "Mail\n\nThe deficit of the Brantwood Pension Plan was paid in March.\n"),
    "unpaid_bonus": ("people/paid.txt", "Mail\n\nThe commissions of the Quillon Sales Team have been paid in full.\n"),
}


@pytest.mark.parametrize("kind", CASES)
def test_a_matter_of_several_papers_has_its_name_and_its_sum(kind: str) -> None:
    papers, name, amount = CASES[kind]
    issue = issues(papers)[kind]
    assert name in issue["title"]
    assert name in issue["next_step"]
    assert issue["exposure"]["base"] == pytest.approx(amount)
    assert (
        len({citation.document for part in issue["citations"] for citation in getattr(part, "citations", [part])}) > 1
        or len(papers) == 1
    )


@pytest.mark.parametrize("kind", TAKEN_AWAY)
def test_a_matter_that_a_paper_takes_away_is_none(kind: str) -> None:
    papers, _, _ = CASES[kind]
    path, text = TAKEN_AWAY[kind]
    assert kind not in issues({**papers, path: text})


@pytest.mark.parametrize("kind", ["trapped_cash", "coverage_gap", "unpaid_bonus", "add_back_unsupported"])
def test_one_paper_alone_is_no_matter(kind: str) -> None:
    papers, _, _ = CASES[kind]
    first = next(iter(papers))
    assert kind not in issues({first: papers[first]})
