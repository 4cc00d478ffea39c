"""Paragraphs and sentences keep their offsets and are cut where a lawyer would cut them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redwell.diligence import clauses


def texts(raw: str) -> list[str]:
    return [raw[start:end] for start, end in clauses.sentences(raw)]


def test_a_wrapped_line_is_joined_and_a_numbered_clause_begins_a_paragraph() -> None:
    text = "1.1 The Supplier shall deliver the goods to the place that is\nnamed in the order.\n1.2 The Buyer shall pay for them.\n"
    assert [p.raw for p in clauses.paragraphs(text)] == [
        "1.1 The Supplier shall deliver the goods to the place that is\nnamed in the order.",
        "1.2 The Buyer shall pay for them.",
    ]


def test_rows_of_a_table_are_never_joined() -> None:
    text = "Provider | Northwind Logistics Software, Inc., a Delaware corporation with offices in\nCustomer | Cobalt Retail Group, Inc.\n"
    assert len(clauses.paragraphs(text)) == 2


def test_abbreviations_and_clause_numbers_end_no_sentence() -> None:
    raw = "2.1 Acme Corp. and Beta Inc. shall pay under Section 4.2 of this Agreement. Payment is due at once."
    assert texts(raw) == [
        "2.1 Acme Corp. and Beta Inc. shall pay under Section 4.2 of this Agreement.",
        "Payment is due at once.",
    ]


def test_a_run_in_heading_stays_with_its_sentence() -> None:
    raw = "10.4 Termination for Convenience. Customer may terminate at any time. No fee is due."
    assert texts(raw) == ["10.4 Termination for Convenience. Customer may terminate at any time.", "No fee is due."]


def test_a_list_carries_the_words_that_open_it() -> None:
    text = "Supplier may terminate this Agreement upon any of the following events:\n(a) a merger of Buyer;\n(b) a sale of Buyer.\nNotices are in writing.\n"
    found = clauses.paragraphs(text)
    assert found[1].lead == found[2].lead == "Supplier may terminate this Agreement upon any of the following events:"
    assert found[3].lead == ""


def test_a_long_sentence_is_quoted_at_clause_edges_and_whole_words() -> None:
    raw = (
        "The parties agree that "
        + "the goods are sold as seen, " * 40
        + "and Buyer may terminate upon a change of control, "
        + "the price is paid, " * 40
    )
    quote = clauses.quote(raw, "change of control")
    assert "Buyer may terminate upon a change of control" in quote
    assert quote in raw
    assert len(quote) <= 1_000
    before = raw[: raw.index(quote)]
    assert before.endswith(" ")


def test_emphasis_marks_and_line_breaks_are_no_words() -> None:
    assert clauses.clean("**Customer**  may\nterminate __at once__") == "Customer may terminate at once"


@given(st.text(alphabet="ab.;: ()\n|A1*", max_size=400))
def test_every_word_of_the_text_is_in_a_paragraph_at_its_place(text: str) -> None:
    covered = [False] * len(text)
    for paragraph in clauses.paragraphs(text):
        assert text[paragraph.start : paragraph.end] == paragraph.raw
        for start, end in clauses.sentences(paragraph.raw):
            assert 0 <= start < end <= len(paragraph.raw)
            for at in range(paragraph.start + start, paragraph.start + end):
                covered[at] = True
    assert all(covered[at] for at, char in enumerate(text) if not char.isspace())


@given(st.text(alphabet="abc ,;.\n", min_size=1, max_size=1_500), st.text(alphabet="abc ", max_size=20))
def test_a_quote_is_always_words_of_its_text(raw: str, around: str) -> None:
    assert clauses.quote(raw, around) in raw


@given(st.text(max_size=9_000), st.integers(min_value=10, max_value=500))
def test_an_opening_is_the_beginning_and_no_longer_than_asked(raw: str, limit: int) -> None:
    opening = clauses.opening(raw, limit)
    assert raw.strip().startswith(opening)
    assert len(opening) <= limit


def test_what_a_filing_leaves_out_keeps_its_mark() -> None:
    assert clauses.clean("a fee of $[***] and [**] units, **bold** and ***very bold***.") == (
        "a fee of $[***] and [**] units, bold and very bold."
    )


def test_page_furniture_is_no_part_of_a_sentence() -> None:
    text = "Buyer shall not assign this Agreement to any third party without the\n\nSource: ACME CORP, 8-K, 10/1/2008\n\n\nprior written consent of Supplier."
    (paragraph,) = clauses.paragraphs(text)
    assert clauses.clean(paragraph.raw) == (
        "Buyer shall not assign this Agreement to any third party without the prior written consent of Supplier."
    )
    assert clauses.quote(paragraph.raw, "shall not assign") == (
        "Buyer shall not assign this Agreement to any third party without the"
    )


def test_a_page_number_between_items_does_not_end_their_list() -> None:
    text = "Supplier may terminate upon any of the following events:\n(a) a merger of Buyer;\n\n- 12 -\n\n(b) a sale of Buyer.\n"
    found = clauses.paragraphs(text)
    assert [p.raw for p in found if p.lead] == ["(a) a merger of Buyer;", "(b) a sale of Buyer."]


def test_lines_of_a_slide_are_not_joined() -> None:
    text = "No customer contract contains a change of control right that this deal triggers\nTop customer concentration is considered manageable by the management\n"
    assert len(clauses.paragraphs(text)) == 1
    assert len(clauses.paragraphs(text, wrapped=False)) == 2


def test_the_head_of_a_letter_is_not_joined_to_its_body() -> None:
    text = "Subject: Notice of material breach: calibration failures\nDear Larkfield team,\nTanager gives notice of material breach.\n"
    assert [p.raw for p in clauses.paragraphs(text)] == text.strip().split("\n")


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("1. Minimum purchase commitment", True),
        ("3. Most favored customer", True),
        ("9.6 Audit Rights", True),
        ("12.3 Assignment and Change of Control ........ 41", True),
        ("Subject: Notice of material breach", True),
        ("Dear Larkfield team,", True),
        ("23.2 Copy of Source Code  23.3 Cost of Escrow", True),
        ("7. No assignment without consent.", False),
        ("Buyer shall purchase 40,000 units", False),
        ("(a) a merger of Buyer;", False),
        ("Minimum purchase | 40,000 units", False),
    ],
)
def test_a_heading_or_salutation_only_names_something(text: str, named: bool) -> None:
    assert clauses.names_only(text) is named


def test_the_words_that_open_a_list_begin_with_a_sentence() -> None:
    raw = (
        "Payment is due at once. " * 30
        + "Supplier may terminate this Agreement at any time upon any of the following events:"
    )
    last = "Supplier may terminate this Agreement at any time upon any of the following events:"
    assert clauses.closing(raw, 100) == last
    assert clauses.closing(raw, 120) == f"Payment is due at once. {last}"
