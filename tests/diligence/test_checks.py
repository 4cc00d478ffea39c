"""Issues that no single document shows: worked out of a few papers, with figures reckoned by hand."""

from __future__ import annotations

import time

import pytest
from papers import REVENUE, TARGET, Cited, Found, case, contract, findings, issues

from redwell.diligence.archetypes.base import one_stop
from redwell.diligence.archetypes.case import Case
from redwell.diligence.archetypes.catalogue import EVENTS
from redwell.diligence.archetypes.integrity import struck
from redwell.diligence.archetypes.rows import missing, none_found, rows
from redwell.diligence.archetypes.stakes import day_said
from redwell.diligence.guest import checks

TERMINATION = (
    "12.3 If Provider undergoes a Change of Control, Customer may terminate this Agreement within sixty (60) days."
)
MSA = {"contracts/belmont.txt": contract(TERMINATION)}


def test_revenue_that_hangs_on_a_change_of_control() -> None:
    issue = issues({**MSA, "finance/arr.txt": REVENUE})["concentration_change_of_control"]
    assert issue["severity"] == "Critical"
    assert issue["exposure"]["base"] == 9_300_000
    assert "31 %" in issue["title"]
    assert {c.document for f in issue["citations"] for c in f.citations} == {"contracts/belmont.txt", "finance/arr.txt"}


def test_what_a_check_has_said_is_not_said_again_as_a_direct_finding() -> None:
    found = issues({**MSA, "finance/arr.txt": REVENUE})
    assert "change_of_control_termination" not in found


def test_a_right_of_the_target_and_a_change_at_the_other_side_are_no_issue() -> None:
    body = "12.3 If Customer undergoes a Change of Control, Provider may terminate this Agreement."
    found = issues({"contracts/belmont.txt": contract(body), "finance/arr.txt": REVENUE})
    assert "concentration_change_of_control" not in found
    assert "change_of_control_termination" not in found


@pytest.mark.parametrize(
    ("price", "severity"), [(120_000_000, "Critical"), (1_000_000_000, "High"), (4_000_000_000, "Medium")]
)
def test_severity_follows_the_price(price: int, severity: str) -> None:
    issue = issues({**MSA, "finance/arr.txt": REVENUE}, price=price, materiality=250_000)[
        "concentration_change_of_control"
    ]
    assert issue["severity"] == severity


def test_termination_for_convenience_leaves_the_notice_period() -> None:
    body = "2.2 Customer may terminate this Agreement for convenience upon thirty (30) days' notice, and Provider shall refund prepaid fees pro rata."
    issue = issues(
        {"contracts/kestrel.txt": contract(body, other="Kestrel Water Utilities, LLC"), "finance/arr.txt": REVENUE}
    )["concentration_convenience"]
    assert issue["severity"] == "High"
    assert issue["exposure"]["base"] == pytest.approx(5_100_000 * (1 - 30 / 365.25), rel=1e-3)
    assert "refunded" in issue["claim"]


def test_a_deck_that_says_otherwise_than_the_contracts() -> None:
    deck = "BOARD DECK Q4 2025\n\nNo customer contract contains a change of control right triggered by a sale of the company.\n"
    issue = issues({**MSA, "finance/arr.txt": REVENUE, "finance/deck.txt": deck})["management_contradicted"]
    assert issue["severity"] == "High"
    assert "31.0 % of revenue" in issue["claim"]


def test_a_claim_that_the_schedule_denies() -> None:
    papers = {
        "disclosure-schedule.txt": "Disclosure Schedule\n\nThere is no action, suit, claim or proceeding pending or threatened against the Company.\n",
        "mail.txt": "To the General Counsel\n\nWe believe that the product infringes US Patent No. 9,999,001. We demand that you cease and desist and pay $2,400,000.\n",
    }
    issue = issues(papers)["claim_not_scheduled"]
    assert "USD 2,400,000" in issue["exposure"]["not_quantified"], "the claim's own entry gives the figure"
    assert issues(papers)["infringement_claim"]["exposure"]["base"] == 2_400_000
    assert "litigation_threat" not in issues(papers), "the same letter is one claim"


def test_a_covenant_that_fails_once_ebitda_is_corrected() -> None:
    papers = {
        "debt/credit-agreement.txt": f'CREDIT AGREEMENT\n\nThis Agreement is among {TARGET} ("Borrower") and Northgate Commercial Bank ("Lender").\n\n'
        "2.1 Borrower shall not permit the ratio of Consolidated Total Debt to Consolidated EBITDA to exceed 3.00 to 1.00.\n\n"
        "2.2 “Consolidated EBITDA” excludes any add-back for costs that recur in the ordinary course.\n",
        "finance/certificate.txt": "Compliance\n\nItem | Amount\nConsolidated Total Debt | $18,000,000\nConsolidated EBITDA (as adjusted) | $6,400,000\nAdd-back for warranty costs | $1,100,000\n",
    }
    issue = issues(papers)["covenant_breach"]
    assert "3.40x" in issue["title"]  # 18.0 / (6.4 - 1.1)
    assert "2.81x" in issue["claim"]
    assert "which the credit agreement's definition excludes" in issue["claim"]


def test_a_covenant_that_still_holds_is_no_issue() -> None:
    papers = {
        "debt/credit-agreement.txt": "CREDIT AGREEMENT\n\n2.1 Borrower shall not permit the ratio of Total Debt to EBITDA to exceed 4.00 to 1.00.\n",
        "finance/certificate.txt": "Compliance\n\nItem | Amount\nTotal Debt | $18,000,000\nEBITDA | $6,400,000\nAdd-back for warranty costs | $1,100,000\n",
    }
    assert "covenant_breach" not in issues(papers)


def test_a_capitalization_table_that_does_not_add_up() -> None:
    table = "CAPITALIZATION TABLE\n\nOriginal Issue Price | $5.00 per share\n\nHolder | Shares\nFounders | 5,000,000\nInvestor | 2,000,000\nPool | 1,000,000\nTotal | 9,000,000\n"
    issue = issues({"corporate/cap-table.txt": table})["cap_table_total"]
    assert issue["exposure"]["base"] == 5_000_000  # 1,000,000 shares x 5.00
    assert "1,000,000 shares" in issue["title"]
    assert "cap_table_total" not in issues({"corporate/cap-table.txt": table.replace("9,000,000", "8,000,000")})


def test_options_above_the_reserve() -> None:
    table = "CAPITALIZATION TABLE\n\nHolder | Class | Shares\nOption pool (reserved) | Options | 1,000,000\nOptions granted | Options | 1,320,000\n"
    assert "320,000 options" in issues({"corporate/cap-table.txt": table})["options_above_reserve"]["title"]
    assert "options_above_reserve" not in issues({"corporate/cap-table.txt": table.replace("1,320,000", "900,000")})


def test_a_take_or_pay_shortfall() -> None:
    supply = (
        f'COMPONENT SUPPLY AGREEMENT\n\nThis Agreement is made as of April 1, 2024 between Halden Semiconductor AS ("Seller") and {TARGET} ("Buyer").\n\n'
        "1.1 In each contract year Buyer shall purchase at least 40,000 units at $38.00 per unit.\n\n"
        f"{TARGET}\nBy: /s/ A. Signatory\n"
    )
    bought = "Purchases\n\nContract year | Units purchased | Unit price | Take-or-pay quantity\n2024 | 29,500 | 38 | 40,000\n"
    issue = issues({"contracts/halden-supply-agreement.txt": supply, "contracts/halden-purchases.txt": bought})[
        "take_or_pay_shortfall"
    ]
    assert issue["exposure"]["base"] == 399_000  # (40,000 - 29,500) x 38
    enough = bought.replace("29,500", "41,000")
    assert "take_or_pay_shortfall" not in issues(
        {"contracts/halden-supply-agreement.txt": supply, "contracts/halden-purchases.txt": enough}
    )


def test_an_amendment_supersedes_the_term_that_is_not_reported_any_more() -> None:
    main = contract(
        "5.1 Provider's liability under this Agreement shall be unlimited.\n\n5.2 Each party's aggregate liability shall not exceed the fees paid in twelve months."
    )
    amendment = contract(
        "1.1 Section 5.2 of the Agreement is deleted and replaced as follows: each party's aggregate liability shall not exceed two times the fees paid.",
        title="AMENDMENT NO. 1 TO MASTER SERVICES AGREEMENT", dated="July 1, 2025",
    )  # fmt: skip
    issue = issues({"contracts/belmont.txt": main, "contracts/belmont-amendment-no-1.txt": amendment})[
        "superseded_term"
    ]
    assert "Section 5.2" in issue["title"]
    assert {f.document for f in issue["citations"]} == {"contracts/belmont.txt", "contracts/belmont-amendment-no-1.txt"}


def test_a_gap_in_a_series_of_amendments() -> None:
    second = contract("1.1 The fee is raised.", title="AMENDMENT NO. 2 TO MASTER SERVICES AGREEMENT")
    assert "Amendment no. 1" in issues({"contracts/a.txt": second})["amendment_gap"]["title"]
    first = contract("1.1 The fee is lowered.", title="AMENDMENT NO. 1 TO MASTER SERVICES AGREEMENT")
    assert "amendment_gap" not in issues({"contracts/a.txt": second, "contracts/b.txt": first})


def test_a_contractor_who_assigned_nothing() -> None:
    agreement = (
        f'INDEPENDENT CONTRACTOR AGREEMENT\n\nThis Agreement is between {TARGET} ("Company") and Brightwater Software Ltd ("Contractor").\n\n'
        "1.1 Contractor shall design and develop the signal engine software of the product.\n\n{}\n"
    )
    issue = issues(
        {
            "ip/contractor.txt": agreement.replace(
                "{}", "6.2 Contractor hereby grants to Company a non-exclusive licence to use the software."
            )
        }
    )["contractor_no_assignment"]
    assert "non-exclusive licence" in issue["claim"]
    assert issue["searched"]
    kept = agreement.replace(
        "{}",
        "6.2 Contractor hereby assigns to Company all right, title and interest in the software developed under this Agreement.",
    )
    assert "contractor_no_assignment" not in issues({"ip/contractor.txt": kept})


REGISTER = "SUB-PROCESSOR REGISTER\n\nSub-processor | Location | Listed in DPA Annex 2 | Transfer mechanism\nRhine Hosting GmbH | Germany | Listed | not needed\nCobalt Telemetry Inc. | United States | {} | {}\n"
DPA = contract(
    "Annex 2: approved sub-processors\n\nSub-processor | Location\nRhine Hosting GmbH | Frankfurt\nTelemetry Two GmbH | Bonn\n",
    title="DATA PROCESSING AGREEMENT",
    other="Orbis Analytical GmbH",
)


def test_a_sub_processor_that_is_not_approved_and_sends_data_abroad() -> None:
    papers = {
        "privacy/dpa.txt": DPA,
        "privacy/register.txt": REGISTER.format("NOT LISTED", "None; no SCCs on file"),
        "finance/arr.txt": REVENUE,
    }
    issue = issues(papers)["subprocessor_gap"]
    assert "Cobalt Telemetry Inc." in issue["title"]
    assert issue["evidence"] == "cross-document"
    assert issue["exposure"]["base"] == 600_000


def test_a_sub_processor_that_is_approved_is_no_issue() -> None:
    papers = {
        "privacy/dpa.txt": DPA.replace("Telemetry Two GmbH", "Cobalt Telemetry Inc."),
        "privacy/register.txt": REGISTER.format("Listed", "SCCs of 2021"),
    }
    assert "subprocessor_gap" not in issues(papers)


def test_an_incident_that_no_notice_followed() -> None:
    report = "Security incident report\n\nOn 9 August 2025 an unauthorised party accessed a backup with personal data of 18,400 individuals.\n\nNo notice has been given to the supervisory authority.\n"
    issue = issues({"privacy/incident.txt": report})["incident_not_notified"]
    assert "18,400" in issue["exposure"]["not_quantified"]
    silent = report.replace("No notice has been given to the supervisory authority.", "The file is closed.")
    notice = "Notification to the supervisory authority\n\nWe give notice under Article 33 of the GDPR of the incident of 9 August 2025.\n"
    assert "incident_not_notified" not in issues(
        {"privacy/incident.txt": silent, "privacy/notice-of-data-breach.txt": notice}
    )


def test_a_lien_that_outlived_its_debt() -> None:
    papers = {
        "debt/ucc-search.txt": "UCC SEARCH REPORT\n\n1. File no. 2019 447. Secured party: Harbor Equipment Finance Corp. Collateral: equipment. Status: ACTIVE.\n",
        "debt/harbor-payoff-letter.txt": "Harbor Equipment Finance Corp.\n\nWe confirm that the equipment loan was paid in full on 6 May 2022.\n",
    }
    assert "Harbor Equipment Finance Corp" in issues(papers)["unreleased_lien"]["title"]
    assert "unreleased_lien" not in issues({"debt/ucc-search.txt": papers["debt/ucc-search.txt"]})


def test_what_closing_makes_payable_to_executives() -> None:
    agreement = (
        f'EXECUTIVE EMPLOYMENT AGREEMENT\n\nThis Agreement is between {TARGET} (the "Company") and Jane Roe (the "Executive").\n\n'
        "2.1 The Company shall pay Executive a base salary of $410,000 per year.\n\n"
        "3.1 Upon a Change of Control all unvested awards of Executive shall immediately vest and the Company shall pay Executive a lump sum equal to two (2) times base salary.\n"
    )
    issue = issues({"people/ceo.txt": agreement})["control_payments"]
    assert issue["exposure"]["base"] == 820_000


def test_a_contract_without_signatures_and_one_with() -> None:
    unsigned = (
        contract("1. Services are rendered.")
        .replace("By: /s/ A. Signatory", "By: ____________")
        .replace("By: /s/ B. Signatory", "By: ____________")
    )
    assert "unsigned_contract" in issues({"contracts/belmont.txt": unsigned})
    assert "unsigned_contract" not in issues({"contracts/belmont.txt": contract("1. Services are rendered.")})


def test_the_agreement_that_an_order_form_rests_on() -> None:
    order = contract(
        "1.1 This Order Form is made under the Master Services Agreement between Provider and Customer dated December 18, 2024.",
        title="ORDER FORM",
    )
    issue = issues({"contracts/order.txt": order, "finance/arr.txt": REVENUE})["missing_agreement"]
    assert issue["exposure"]["base"] == 9_300_000
    main = contract(TERMINATION, dated="December 18, 2024")
    assert "missing_agreement" not in issues(
        {"contracts/order.txt": order, "contracts/msa.txt": main, "finance/arr.txt": REVENUE}
    )


@pytest.mark.parametrize(
    ("title", "body"),
    [
        ("ORDER FORM", "1.1 This Order Form is made under the Master Services Agreement between Provider and Customer dated December 18, 2024."),
        ("SUB-PROCESSOR REGISTER", "1.1 The Brine Master Services Agreement incorporates a Data Processing Agreement executed 2024-12-18."),
    ],
)  # fmt: skip
def test_a_missing_contract_weighs_the_same_whichever_paper_speaks_of_it(title: str, body: str) -> None:
    issue = issues({"files/paper.txt": contract(body, title=title), "finance/arr.txt": REVENUE})["missing_agreement"]
    assert issue["severity"] == "High"  # 31 % of revenue, one less than what is known to be at risk
    assert issue["exposure"]["base"] == 9_300_000


def test_the_right_itself_leads_and_the_order_of_arrival_does_not_matter() -> None:
    ends = "12.4 If Customer gives such notice, this Agreement terminates on the day named in it, following the Change of Control of Provider, together with all orders, statements of work and schedules that are then in force under it between the parties."
    read = findings({"contracts/belmont.txt": contract(f"{TERMINATION}\n\n{ends}")})
    assert sum(f.kind == "change_of_control_termination" for f in read) == 2
    quotes = [
        [
            c.quote
            for issue in checks.run(Case(order, {"target": TARGET, "currency": "USD"}, EVENTS))
            if issue["kind"] == "change_of_control_termination"
            for f in issue["citations"]
            for c in f.citations
        ]
        for order in (read, read[::-1])
    ]
    assert quotes[0] == quotes[1]
    assert quotes[0][0] == TERMINATION


def test_a_contract_that_ends_by_itself_is_no_right_of_the_counterparty() -> None:
    body = "12.3 This Agreement shall terminate automatically upon a Change of Control of Provider."
    issue = issues({"contracts/belmont.txt": contract(body)})["change_of_control_termination"]
    assert issue["title"].startswith("Contract ends by itself on a change of control")


def test_a_name_that_ends_in_a_full_stop_ends_a_sentence_with_one() -> None:
    assert one_stop("Missing with Tidewater N.V.. Each is listed: “as is..” and so on...") == (
        "Missing with Tidewater N.V. Each is listed: “as is..” and so on..."
    )


def test_a_renewal_window_is_reckoned_from_the_end_of_the_term() -> None:
    body = "2.1 This Agreement expires on June 30, 2026 and renews automatically for successive one (1) year terms unless notice is given at least ninety (90) days before the end."
    papers = {"contracts/kestrel.txt": contract(body, other="Kestrel Water Utilities, LLC"), "finance/arr.txt": REVENUE}
    issue = issues(papers, dates={"as_of": "2026-03-02"})["renewal_window"]
    assert issue["title"].endswith("1 April 2026")  # 30 June less 90 days
    days = [
        line["cells"]["Date"]
        for line in rows(case(papers, dates={"as_of": "2026-03-02"}))
        if line["table"] == "calendar"
    ]
    assert days == ["2026-04-01", "2026-06-30"]


def test_a_contract_that_has_ended_and_one_that_renews() -> None:
    ended = contract("2.1 This Agreement continues until June 30, 2020.", other="Old Customer, Inc.")
    assert (
        "30 June 2020"
        in issues({"contracts/old.txt": ended}, dates={"as_of": "2026-03-02"})["expired_contract"]["claim"]
    )
    renewing = contract(
        "2.1 This Agreement continues until June 30, 2020 and renews automatically for successive one-year terms.",
        other="Old Customer, Inc.",
    )
    assert "expired_contract" not in issues({"contracts/old.txt": renewing}, dates={"as_of": "2026-03-02"})


def test_a_restriction_that_reaches_the_buyers_group() -> None:
    body = "1.2 During the term neither Provider nor any of its Affiliates shall sell products that compete with the Products in the Territory."
    assert (
        "buyer's group"
        in issues({"contracts/orbis.txt": contract(body, other="Orbis Analytical GmbH")})["restriction_binds_group"][
            "title"
        ]
    )
    other = body.replace("Provider nor", "Customer nor")
    assert "restriction_binds_group" not in issues(
        {"contracts/orbis.txt": contract(other, other="Orbis Analytical GmbH")}
    )


def test_anti_assignment_counts_by_the_deals_structure() -> None:
    body = "13.1 Neither party may assign this Agreement, by operation of law or otherwise, without the prior written consent of the other."
    papers = {"contracts/belmont.txt": contract(body), "finance/arr.txt": REVENUE}
    assert issues(papers, structure="merger")["assignment_by_structure"]["severity"] == "Critical"
    assert "assignment_by_structure" not in issues(papers, structure="share purchase")
    assert issues(papers, structure="share purchase")["anti_assignment"]["severity"] == "Low"


def test_routine_clauses_of_many_contracts_are_one_entry() -> None:
    body = "13.1 Neither party may assign this Agreement without the prior written consent of the other."
    papers = {f"contracts/{n}.txt": contract(body, other=f"Customer Number{n}, Inc.") for n in "ABCDEFGHIJ"}
    found = [issue for issue in checks.run(case(papers)) if issue["kind"] == "anti_assignment"]
    assert len(found) == 1
    assert "10 documents" in found[0]["title"]
    assert len(found[0]["citations"]) == 10


def test_figures_of_two_documents_that_differ() -> None:
    other = REVENUE.replace("ARR SCHEDULE", "BOARD DECK").replace("$9,300,000", "$8,300,000")
    issue = issues({"finance/arr.txt": REVENUE, "finance/deck.txt": other})["figures_differ"]
    assert issue["exposure"]["base"] == 1_000_000
    assert "figures_differ" not in issues(
        {"finance/arr.txt": REVENUE, "finance/deck.txt": REVENUE.replace("ARR SCHEDULE", "BOARD DECK")}
    )


def test_a_minute_book_with_a_gap() -> None:
    index = "Minute book\n\nMeeting | Date | In minute book\nAnnual meeting | 2024-05-16 | Yes\nSpecial meeting | 2025-03-14 | Missing\n"
    assert "Special meeting" in issues({"corporate/index.txt": index})["minute_book_gap"]["claim"]
    assert "minute_book_gap" not in issues({"corporate/index.txt": index.replace("Missing", "Yes")})


def test_a_side_letter_with_a_veto_and_a_put() -> None:
    letter = (
        f'INVESTOR SIDE LETTER\n\nThis letter is between {TARGET} (the "Company") and Juniper Ventures II, L.P. (the "Investor").\n\n'
        "1. The Company shall not, without the prior written consent of the Investor, consummate any merger or Change of Control.\n\n"
        "2. Upon a Change of Control the Investor may require the Company to repurchase its shares at two times (2x) the price of $6,500,000.\n"
    )
    issue = issues({"corporate/side-letter.txt": letter})["investor_rights"]
    assert issue["exposure"]["base"] == 13_000_000


def test_missing_documents_say_why_they_are_expected_and_where_one_looked() -> None:
    body = "1.1 The prices are set forth in Exhibit B attached hereto.\n\n1.2 The service levels are in Exhibit A attached hereto.\n\nEXHIBIT A\n\nService levels\n"
    items = list(missing(case({"contracts/belmont.txt": contract(body)})))
    assert [item["what"].split(" of ")[0] for item in items] == ["Exhibit B"]
    assert items[0]["expected_because"] == "belmont.txt says that it is attached"
    assert items[0]["searched"] == "belmont.txt and all file names"


def test_none_found_names_what_was_looked_for() -> None:
    said = {item["workstream"]: item for item in none_found(case(MSA), "1 document")}
    assert "Notice of violation" in said["Environmental"]["topic"]
    assert all(item["rests_on"] == "1 document" for item in said.values())


def test_a_finding_whose_quote_does_not_hold_is_never_used() -> None:
    found = findings({**MSA, "finance/arr.txt": REVENUE})
    for finding in found:
        for citation in finding.citations:
            if finding.kind == "change_of_control_termination":
                citation.holds = False
    kinds = {issue["kind"] for issue in checks.run(checks.Case(found, {"target": TARGET}))}
    assert "concentration_change_of_control" not in kinds


def test_the_target_is_inferred_and_said() -> None:
    papers = {f"contracts/{n}.txt": contract("1. Services.", other=f"Customer Number{n}, Inc.") for n in "ABC"}
    found = checks.Case(findings(papers), {})
    assert found.target == TARGET
    assert any(TARGET in text for text in found.assumptions)


def test_two_parties_alike_often_are_no_target() -> None:
    found = checks.Case(findings({"a.txt": contract("1. Services."), "b.txt": contract("1. Goods.")}), {})
    assert found.target == ""
    assert any("could not be told" in text for text in found.assumptions)


def test_issues_have_what_the_report_demands() -> None:
    papers = {
        **MSA,
        "finance/arr.txt": REVENUE,
        "contracts/order.txt": contract("1. See the Lease Agreement dated May 1, 2020.", title="ORDER FORM"),
    }
    for issue in checks.run(case(papers)):
        assert 8 <= len(issue["title"]) <= 200
        exposure = issue["exposure"]
        assert exposure.get("not_quantified") or exposure.get("formula")
        assert issue["evidence"] != "absence" or issue["searched"]
        assert issue["next_step"]
        assert issue["why"]
        assert (
            issue["evidence"] != "cross-document"
            or len({c.document for f in issue["citations"] for c in getattr(f, "citations", [f])}) > 1
        )


def test_nothing_in_nothing_out() -> None:
    assert checks.run(case({})) == []


def test_thousands_of_documents_are_put_together_in_seconds() -> None:
    one = findings(
        {
            "contracts/belmont.txt": contract(
                TERMINATION
                + "\n\nThe prices are in Exhibit B attached hereto, under the Supply Agreement dated May 1, 2020."
            )
        }
    )
    many = [
        Found(
            each.kind,
            each.claim,
            {**each.values, "path": f"contracts/{n}.txt"} if each.kind == "fact:document" else each.values,
            each.citations,
            f"contracts/{n}.txt",
        )
        for n in range(3_000)
        for each in one
    ]
    began = time.process_time()
    found = checks.run(checks.Case([*many, *findings({"finance/arr.txt": REVENUE})], {"target": TARGET}))
    assert found
    assert time.process_time() - began < 10


def test_words_that_were_struck_are_told_from_the_words_around_them() -> None:
    before = "3.1 None, other than the lien of Northgate Bank and Harbor Equipment Finance Corp only.\nUnchanged line of the schedule."
    after = "3.1 None, other than the lien of Northgate Bank only.\nUnchanged line of the schedule."
    assert struck(before, after) == [(before.split("\n")[0], "and Harbor Equipment Finance Corp")]
    assert struck(after, after) == []


CREDIT = (
    'CREDIT AGREEMENT\n\nThis Credit Agreement is made as of May 15, 2023 between Larkfield Instruments, Inc. ("Borrower") and Northgate Commercial Bank ("Lender").\n\n'
    "1.1 Lender has made a term loan to Borrower in the principal amount of $18,000,000.\n\n3.1 Each of the following is an Event of Default:\n\n"
    "(c) a Change of Control occurs, whereupon all Obligations shall become immediately due and payable.\n\n"
    "4.1 Upon any prepayment Borrower shall pay a premium of one percent (1%) of the principal prepaid.\n"
)


def test_a_loan_that_is_called_is_an_issue_of_its_own_and_one_line_of_payments() -> None:
    papers = {"debt/credit-agreement.txt": CREDIT}
    issue = issues(papers, price=120_000_000)["change_of_control_default"]
    assert issue["severity"] == "Critical"
    assert "USD 18,000,000" in issue["title"]
    assert "payoff letter" in issue["next_step"]
    lines = [line["cells"] for line in rows(case(papers)) if line["table"] == "payments"]
    assert [line["To"] for line in lines] == ["Northgate Commercial Bank"]
    assert lines[0]["Sum"] == "USD 18,000,000 + USD 180,000"  # 1 % of 18,000,000


def test_a_merger_clause_is_not_set_off_by_a_share_purchase() -> None:
    body = "5.2 Provider may not assign this Agreement without Customer's prior written consent; a merger of Provider shall be deemed an assignment."
    papers = {"contracts/kestrel.txt": contract(body, other="Kestrel Water Utilities, LLC"), "finance/arr.txt": REVENUE}
    bought = issues(papers, structure="share purchase")["change_of_control_deemed_assignment"]
    assert bought["severity"] == "Low"
    assert "not_quantified" in bought["exposure"]
    merged = issues(papers, structure="merger")["change_of_control_deemed_assignment"]
    assert merged["severity"] == "Medium"
    assert merged["exposure"]["base"] == 5_100_000
    line = next(line["cells"] for line in rows(case(papers, structure="share purchase")) if line["table"] == "consents")
    assert line["Needed"].startswith("nothing as structured")


def test_the_same_contracts_money_has_one_name() -> None:
    body = "12.3 If Provider undergoes a Change of Control, Customer may terminate this Agreement.\n\n2.2 Customer may terminate this Agreement for convenience upon thirty (30) days' notice."
    found = issues({"contracts/belmont.txt": contract(body), "finance/arr.txt": REVENUE})
    names = {found[kind]["exposure"]["of"] for kind in ("concentration_change_of_control", "concentration_convenience")}
    assert names == {"Belmont Process Corporation: revenue"}


def test_severity_is_the_same_for_the_same_sum() -> None:
    letter = "To the General Counsel\n\nWe believe that the product infringes US Patent No. 9,999,001. We demand that you pay $2,400,000.\n"
    assert issues({"mail.txt": letter}, price=120_000_000)["infringement_claim"]["severity"] == "Critical"  # 2.0 %
    assert issues({"mail.txt": letter}, price=200_000_000)["infringement_claim"]["severity"] == "High"


def test_the_register_is_shown_again_as_tables() -> None:
    papers = {
        "disclosure-schedule.txt": "Disclosure Schedule\n\nThere is no action, suit, claim or proceeding pending or threatened against the Company.\n",
        "mail.txt": "To the General Counsel\n\nWe believe that the product infringes US Patent No. 9,999,001 and demand that you cease and desist.\n",
    }
    entries = [("F-001", issue) for issue in checks.run(case(papers))]
    tables = {line["table"] for line in rows(case(papers), entries)}
    assert {"schedule", "contradictions"} <= tables
    bare_room = [line for line in rows(case({"mail.txt": papers["mail.txt"]}), []) if line["table"] == "schedule"]
    assert "No disclosure schedule" in bare_room[0]["cells"]["Point"]


def test_a_topic_that_is_spoken_of_is_not_said_to_be_absent() -> None:
    said = list(
        none_found(
            case({"a.txt": "Notes\n\nNothing of note."}), "", lambda words: ["jv.txt"] if "drag" in words else []
        )
    )
    spoken = [each for each in said if "jv.txt" in each["topic"]]
    assert [each["workstream"] for each in spoken] == ["Capitalization"]
    assert "a lawyer should read" in spoken[0]["rests_on"]
    assert all(each["topic"].startswith(("By the rules for", "Anything")) for each in said)


def test_a_row_of_a_term_table_gives_an_investor_its_veto() -> None:
    table = "Capitalization Table Summary\n\nTerm | Detail\nProtective Provisions | Customary; includes consent for change of control and sale of all assets\n"
    assert issues({"corporate/cap-table.txt": table})["investor_rights"]["severity"] == "Critical"


def test_hidden_words_on_a_security_are_a_matter_of_capitalization() -> None:
    found = Found("hidden_text", "", {}, [], "corporate/cap.xlsx")
    found.citations = [
        Cited("SAFE issued to Juniper converts on a sale at a 20% discount | $750,000", "corporate/cap.xlsx", True)
    ]
    issue = next(each for each in checks.run(Case([found], {"price": 120_000_000}, EVENTS)))
    assert (issue["kind"], issue["workstream"]) == ("hidden_security", "Capitalization")
    assert issue["exposure"]["base"] == 937_500  # 750,000 / 0.8


def test_an_escrow_quotes_the_limb_that_the_deal_meets() -> None:
    body = "2.1 Agent shall release the deposited source code to Beneficiary upon any of the following: (i) Depositor's insolvency; (ii) Depositor's failure to support; or (iii) a change of control of Depositor."
    issue = issues({"technology/escrow.txt": contract(body, title="SOURCE CODE ESCROW AGREEMENT")})["escrow_release"]
    assert "change of control" in issue["claim"]
    assert "change of control" in issue["citations"][0].citations[0].quote


def test_a_contractor_is_the_party_that_is_called_so() -> None:
    body = "1.1 Contractor shall design and develop the engine software of the product.\n\n2.1 Company shall pay Contractor $680,000 in eight monthly instalments."
    paper = f'INDEPENDENT CONTRACTOR AGREEMENT\n\nThis Agreement is made as of March 4, 2022 between {TARGET} ("Company") and Brightwater Software Ltd ("Contractor").\n\n{body}\n'
    issue = issues({"technology/contractor-agreement.txt": paper})["contractor_no_assignment"]
    assert issue["title"].startswith("Brightwater Software Ltd")
    assert issue["exposure"]["base"] == 680_000
    own = paper.replace('("Company")', '("Contractor")', 1).replace('Ltd ("Contractor")', 'Ltd ("Company")')
    assert "contractor_no_assignment" not in issues({"technology/contractor-agreement.txt": own}), (
        "what the target makes"
    )


def test_a_day_is_said_as_a_lawyer_writes_it() -> None:
    assert day_said("2026-04-01") == "1 April 2026"
    assert day_said("spring") == "spring"


def test_the_buyer_is_not_the_holder_of_an_investors_right() -> None:
    table = (
        "Capitalization Table Summary\n\nPrepared for the acquisition of the Company by Summit Industrial Group, LLC.\n\n4. Series B Preferred — Key Terms\n\n"
        "Term | Detail\nProtective Provisions | Customary; includes consent for change of control\n"
    )
    assert issues({"corporate/cap-table.txt": table})["investor_rights"]["title"].startswith("The ")


def test_a_lien_that_was_paid_is_one_issue_with_the_schedule_that_leaves_it_out() -> None:
    papers = {
        "debt/ucc-search.txt": f"UCC SEARCH REPORT\n\nDebtor: {TARGET}\n\n1. Secured party: Harbor Equipment Finance Corp. Collateral: all equipment. Status: ACTIVE. No termination statement filed.\n",
        "debt/payoff-letter.txt": f"Harbor Equipment Finance Corp.\n\nWe confirm that the equipment loan of {TARGET} was paid in full on 6 May 2022. We will file a UCC-3 termination statement within twenty (20) days.\n",
        "disclosure-schedule.txt": "Disclosure Schedule\n\n3. Liens\n\n3.1 None, other than the lien of Northgate Commercial Bank only.\n",
    }
    kinds = [issue["kind"] for issue in checks.run(case(papers))]
    assert kinds.count("unreleased_lien") == 1
    assert "lien_not_scheduled" not in kinds
    assert "lien" not in kinds
    assert "does not list this lien" in issues(papers)["unreleased_lien"]["claim"]


def test_where_the_target_is_not_known_no_side_is_named_for_the_other() -> None:
    body = "14.1 Maker may terminate this Agreement upon a change of control of Dealer."
    paper = f'SUPPLY AGREEMENT\n\nThis Agreement is made as of January 1, 2020 between Alpha Machines, Inc. ("Maker") and Beta Tools, Inc. ("Dealer").\n\n{body}\n'
    found = [
        i
        for i in checks.run(Case(findings({"contracts/machines-agreement.txt": paper}), {}, EVENTS))
        if i["kind"] == "change_of_control_termination"
    ]
    assert all("Alpha Machines, Inc. and Beta Tools, Inc." in issue["title"] for issue in found)
    assert found
