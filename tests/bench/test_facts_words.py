"""What a sentence asserts and what it takes back; figures, dates and periods in any writing."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from redwell.bench.facts.markdown import LONGEST_SENTENCE, LONGEST_WORD, parse
from redwell.bench.facts.values import figures
from redwell.bench.facts.values import given as values_in
from redwell.bench.facts.words import asserted, plain
from redwell.bench.generate import writing
from redwell.bench.generate.recipe import ABSENT
from redwell.bench.key import Value

CONSENT = ("consent", "approval")
ENDS = ("terminat", "at risk", "breach")


@pytest.mark.parametrize(
    ("sentence", "group", "holds"),
    [
        ("Kestrel may terminate the agreement.", ENDS, True),
        ("Kestrel may not terminate the agreement.", ENDS, False),
        ("Kestrel cannot terminate for this reason.", ENDS, False),
        ("There is no right to terminate.", ENDS, False),
        ("There is no risk that Kestrel will terminate.", ENDS, False),
        ("Neither party may terminate.", ENDS, False),
        ("Kestrel is unlikely to terminate.", ENDS, False),
        ("It cannot be ruled out that Kestrel will terminate.", ENDS, True),
        ("No consent was given, and Kestrel may terminate.", ENDS, True),
        ("If consent is not obtained, Kestrel may terminate.", ENDS, True),
        ("Consent is not in the room; Kestrel may therefore terminate.", ENDS, True),
        ("Kestrel does not, in our view, have a right to terminate.", ENDS, False),
        ("Whether Kestrel may terminate should be checked.", ENDS, False),
        ("Kestrel may terminate whether or not it is in default.", ENDS, True),
        ("May Kestrel terminate?", ENDS, False),
        ("Termination is not permitted.", ENDS, False),
        ("Termination is not required to be notified in writing.", ("notif",), False),
        ("Not only may Kestrel terminate, it may claim damages.", ENDS, True),
        ("Amendment No. 2 terminates the licence.", ENDS, True),
        ("Notice is due no later than 30 days after termination.", ENDS, True),
        ("It is not the case that Kestrel may terminate.", ENDS, False),
        ("The revenue is no longer at risk.", ENDS, False),
        ("The agreement requires consent to a change of control.", CONSENT, True),
        ("The agreement does not require consent.", CONSENT, False),
        ("Consent is not required.", CONSENT, False),
        ("No match was paid on bonuses.", ("bonus",), True),
        ("No bonus was paid on time.", ("bonus",), False),
        ("No party is entitled to terminate.", ENDS, False),
        ("The target works free of charge under the side letter.", ("side letter",), True),
        ("No consent is needed.", CONSENT, False),
        ("A change of control without the prior consent of Kestrel is a breach.", CONSENT, True),
        ("No executed consent to the change-of-control is in the data room.", CONSENT, True),
        ("The consent has not been provided.", CONSENT, True),
        ("The master is silent on change of control.", ("change of control",), True),
        ("The master has a change-of-control clause.", ("change of control",), True),
        ("Kestrel's controllership is unchanged.", ("change of control",), False),
    ],
)
def test_words_count_only_where_they_are_asserted(sentence: str, group: tuple[str, ...], holds: bool) -> None:
    assert asserted(plain(sentence), group) is holds


@pytest.mark.parametrize(
    ("sentence", "holds"),
    [
        ("No executed consent of Kestrel is in the data room.", True),
        ("The consent of Kestrel is missing.", True),
        ("The consent of Kestrel is not missing.", False),
        ("We did not find a signed consent of Kestrel.", True),
        ("We could not locate the consent of Kestrel.", True),
        ("Kestrel's consent has not been obtained.", True),
        ("Kestrel has yet to give its consent.", True),
        ("We found no consent of Kestrel.", True),
        ("The consent of Kestrel is no longer open.", False),
        ("The room does not contain the consent of Kestrel.", True),
        ("No consent of Kestrel has been provided.", True),
        ("Nothing is missing: the consent of Kestrel is in the room.", False),
        ("No consent is missing.", False),
        ("The consent of Kestrel is no longer outstanding.", False),
        ("The consent of Kestrel was obtained on 3 March 2025.", False),
        ("If the consent of Kestrel is missing, closing must wait.", False),
        ("Check whether the consent of Kestrel is missing.", False),
        ("Is the consent of Kestrel missing?", False),
        ("There is no evidence that the consent of Kestrel was given.", True),
        ("The form of consent is unsigned.", True),
        ("The form of consent is not unsigned.", False),
        ("Amendment No. 2 was signed and carries Kestrel's consent.", False),
        ("The consent is absent and should be obtained.", True),
    ],
)
def test_an_absence_is_an_assertion_unless_it_is_itself_denied(sentence: str, holds: bool) -> None:
    text = plain(sentence)
    assert (asserted(text, ABSENT) and asserted(text, CONSENT, under_absence=True)) is holds


def usd(amount: float, tolerance: float = 0.005) -> Value:
    return Value("money", amount, unit="USD", tolerance=tolerance)


MONEY = usd(12_400_000)
DAYS = Value("days", 90)
DAY = Value("date", text="2024-03-05")


@pytest.mark.parametrize(
    ("value", "text", "given_there"),
    [
        *((MONEY, text, True) for text in ("$12.4 million", "USD 12,400,000", "US$12.4m", "12.4 million US dollars", "$12,400k", "$12.4M", "$12.4mm",
          "twelve million four hundred thousand dollars", "approximately $12,437,000", "between $10 and $12.4 million", "12,400,000")),
        *((MONEY, text, False) for text in ("EUR 12.4 million", "$12.5 million", "$12.4 billion", "$12.4", "$1,240,000", "not $12.4 million", "$12 million",
          "12.4%", "Section 12.4", "12 April 2024", "$124,000,000")),
        (usd(1_248_300), "$1.25 million", True),
        (usd(1_248_300), "$1.2 million", False),
        (usd(1_248_300, 0.0), "$1.25 million", False),
        (usd(48_321_900), "about $48 million", True),
        *((DAYS, text, True) for text in ("90 days", "ninety (90) days' notice", "90-day notice", "three months", "3 months", "a period of 90 calendar days", "one quarter")),
        *((DAYS, text, False) for text in ("90", "60 days", "sixty (60) days", "90 months", "9 days", "190 days", "$90", "twelve weeks")),
        (Value("days", 365), "twelve months", True),
        (Value("days", 730), "2 years", True),
        (Value("days", 3), "72 hours", True),
        *((DAY, text, True) for text in ("March 5, 2024", "5 March 2024", "5th of March, 2024", "2024-03-05", "03/05/2024", "05.03.2024", "5-Mar-2024",
          "Mar. 5, 2024", "the 5th day of March 2024")),
        *((DAY, text, False) for text in ("March 2024", "5 March 2023", "March 15, 2024", "2024-05-13", "5 May 2024")),
        (Value("date", text="2024-03"), "5 March 2024", True),
        *((Value("percent", 12.5), text, True) for text in ("12.5%", "12.5 per cent", "12.50 percent")),
        *((Value("percent", 12.5), text, False) for text in ("12.5", "112.5%", "2.5%", "$12.5")),
        *((Value("number", 14), text, True) for text in ("14 employees", "fourteen employees", "fourteen (14) patents")),
        *((Value("number", 14), text, False) for text in ("Section 14", "No. 14", "14%", "1,400 employees", "14 March 2024", "$14", "row 14")),
        (Value("number", 1_200_000), "1.2 million shares", True),
        (Value("text", text="Series B Preferred"), "the series b  preferred", True),
        (Value("text", text="Series B"), "Series Beta", False),
    ],
)  # fmt: skip
def test_a_value_is_known_in_any_writing_and_no_other_is(value: Value, text: str, given_there: bool) -> None:
    assert bool(list(values_in(value, plain(f"The figure is {text} there.")))) is given_there


def test_figures_of_a_table_in_thousands_are_read_both_ways() -> None:
    assert list(values_in(MONEY, "kestrel: 12,400", 1e3))
    assert list(values_in(MONEY, "kestrel: $12,400", 1e3))
    assert list(values_in(MONEY, "kestrel: $12.4 million", 1e3))
    assert not list(values_in(MONEY, "kestrel: 12,400"))


@settings(max_examples=200, deadline=None)
@given(st.integers(min_value=1, max_value=2_000_000))
def test_money_is_known_as_papers_write_it(thousands: int) -> None:
    amount = thousands * 1000
    for written in (writing.money(amount), writing.millions(amount), f"USD {amount:,}", f"{amount:,} dollars"):
        assert list(values_in(usd(amount, 0.0), plain(f"fees of {written} a year"))), written
        assert not list(values_in(usd(amount * 1.3 + 999, 0.005), plain(f"fees of {written} a year"))), written


@settings(max_examples=200, deadline=None)
@given(st.integers(min_value=0, max_value=36_000))
def test_dates_are_known_as_papers_write_them(days: int) -> None:
    day = date(1990, 1, 1) + timedelta(days=days)
    wanted = Value("date", text=day.isoformat())
    other = Value("date", text=(day + timedelta(days=400)).isoformat())
    for written in (day.isoformat(), writing.us_date(day), writing.day_month(day), f"{day:%m/%d/%Y}"):
        assert list(values_in(wanted, plain(f"signed {written}, as it says"))), written
        assert not list(values_in(other, plain(f"signed {written}, as it says"))), written


@settings(max_examples=200, deadline=None)
@given(st.integers(min_value=1, max_value=999))
def test_periods_are_known_in_words_and_digits(days: int) -> None:
    for written in (f"{days} days", f"{writing.both(days)} days", f"{writing.spelled(days)} days"):
        assert list(values_in(Value("days", days), plain(f"within {written} of notice"))), written
        assert not list(values_in(Value("days", days + 1), plain(f"within {written} of notice"))), written


@pytest.mark.parametrize(
    "endless", ["<", "[", "1", "a", "\\", "one hundred and ", "no consent ", "if ", "1,", "“a ", '"a b c d e" ', "|a"]
)
def test_a_report_that_would_keep_the_judge_busy_is_cut_into_pieces(endless: str) -> None:
    """Each piece is short enough for every pattern, and nothing is lost but white space."""
    report = "Kestrel Bank " + endless * (60_000 // len(endless))
    sentences = [one for section in parse(report).sections for block in section.blocks for one in block.sentences]
    assert max(len(one.own) for one in sentences) <= LONGEST_SENTENCE
    assert max(len(word) for one in sentences for word in one.own.split()) <= LONGEST_WORD
    for kind in ("money", "number", "percent", "days", "date"):
        for one in sentences:
            figures(kind, one.own, 1.0)
