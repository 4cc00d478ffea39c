"""When contracts end and what the calendar says."""

from __future__ import annotations

from datetime import date

from papers import case, contract

from redwell.diligence.archetypes.ends import calendar, ending


def test_a_term_that_renews_by_itself_is_rolled_past_the_day_of_reckoning() -> None:
    text = contract(
        "9.1 Initial Term. This Agreement shall continue for an initial term of one (1) year from the Effective Date.\n\n"
        "9.2 Upon expiration of the Initial Term, this Agreement shall automatically renew for successive additional one (1)-year periods, unless "
        "either Party provides written notice of non-renewal not less than sixty (60) days prior to the end of the then-current term.",
        dated="February 1, 2025",
    )
    room = case({"a.txt": text}, dates={"as_of": "2026-03-31"})
    (doc,) = room.docs.values()
    end = ending(room, doc)
    assert end is not None
    # 1 February 2025 + 1 year - 1 day = 31 January 2026; one further year later, less 60 days.
    assert (end.day, end.rolled, end.notice, end.how) == (date(2027, 1, 31), 1, date(2026, 12, 2), "automatic")


def test_a_term_that_does_not_renew_by_itself_ends() -> None:
    text = contract(
        "2.1 Initial Term. The initial term of this Agreement shall commence on the Effective Date and continue for two (2) years, expiring on "
        "February 28, 2027.\n\n2.2 This Agreement shall renew for successive one (1) year periods only upon the mutual written agreement of the "
        "Parties executed not less than thirty (30) days prior to the then-current expiration date. This Agreement does not auto-renew absent such "
        "written agreement.",
        dated="March 1, 2025",
    )
    room = case({"a.txt": text}, dates={"as_of": "2026-03-31"})
    lines = [(due.day.isoformat(), due.what) for due in calendar(room)]
    assert lines == [
        ("2027-01-29", "last day for agreeing on a renewal (30 days before the end)"),
        ("2027-02-28", "term ends unless the parties renew it in writing"),
    ]


def test_no_day_is_reckoned_for_a_term_that_runs_from_an_event() -> None:
    text = contract("2.1 The term of this Agreement shall continue for one (1) year following the Launch Date.")
    room = case({"a.txt": text}, dates={"as_of": "2026-03-31"})
    (doc,) = room.docs.values()
    assert ending(room, doc) is None


def test_a_period_to_cure_runs_from_the_notice() -> None:
    text = "Notice of material breach\n\n19 January 2026\n\nDear team,\n\nIf the breach is not cured within thirty (30) days of this notice, Tanager will terminate.\n"
    room = case({"letters/notice.eml": text}, dates={"as_of": "2026-03-02"})
    (due,) = calendar(room)
    assert (due.day, due.passed) == (date(2026, 2, 18), True)


def test_business_days_leave_out_saturdays_and_sundays() -> None:
    text = "Demand letter\n\n6 March 2026\n\nPlease pay within five (5) business days of receipt of this letter.\n"
    room = case({"letters/demand.txt": text}, dates={"as_of": "2026-03-02"})
    # 6 March 2026 is a Friday.
    assert [due.day for due in calendar(room)] == [date(2026, 3, 13)]


def test_what_is_due_after_each_contract_year() -> None:
    text = contract(
        "1.2 Customer shall pay any shortfall within thirty (30) days after the end of the contract year.\n\n2.1 This Agreement continues until "
        "March 31, 2028.",
        dated="April 1, 2024",
    )
    room = case({"a.txt": text}, dates={"as_of": "2026-03-02"})
    # Contract years end on 31 March 2025 and 2026; thirty days later is 30 April.
    assert [(due.day.isoformat(), due.passed) for due in calendar(room) if "payment" in due.what] == [
        ("2025-04-30", True),
        ("2026-04-30", False),
    ]


def test_policies_and_leases_end_in_the_calendar() -> None:
    policy = "Directors and Officers Liability Policy: declarations\n\nNamed insured: Larkfield Instruments, Inc. Policy period: July 1, 2025 to July 1, 2026.\n"
    lease = contract(
        "1.1 Tenant shall pay base rent of $52,000 per month until 30 September 2028.", title="INDUSTRIAL LEASE"
    )
    room = case({"b/policy.txt": policy, "a/lease.txt": lease}, dates={"as_of": "2026-03-02"})
    assert [(due.day.isoformat(), due.what) for due in calendar(room)] == [
        ("2026-07-01", "policy period ends"),
        ("2028-09-30", "term ends"),
    ]
