"""Clause numbers typed as text: labels and full numbers, written down by hand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redwell.room.formats.clause_numbers import exhibit, is_contents, typed
from redwell.room.formats.clauses import Line, clauses, clauses_of_texts
from redwell.room.formats.numerals import letters, roman
from redwell.room.types import Place, cited


def found(script: str) -> list[tuple[str, str, str]]:
    """Checks each line "text => label; section" of a script; gives those that came out otherwise."""
    rows = [line.split(" => ") for line in script.strip().split("\n")]
    texts = [row[0].strip() for row in rows]
    expected = [tuple(part.strip() for part in row[1].split(";")) for row in rows]
    return [
        (text, f"{clause.label}; {clause.section}", f"{want[0]}; {want[1]}")
        for text, clause, want in zip(texts, clauses_of_texts(texts), expected, strict=True)
        if (clause.label, clause.section) != want
    ]


def test_an_american_agreement():
    assert not found(
        """
        STOCK PURCHASE AGREEMENT => ;
        This Agreement is made on 1 May 2024. => ;
        ARTICLE I => ARTICLE I; Article I
        DEFINITIONS => ; Article I
        Section 1.1 Defined Terms. As used herein: => Section 1.1; 1.1
        “Affiliate” means any person that controls. => ; 1.1
        (a) directly; => (a); 1.1(a)
        (b) indirectly; or => (b); 1.1(b)
        (i) through a trust; => (i); 1.1(b)(i)
        (ii) through a fund. => (ii); 1.1(b)(ii)
        (c) both. => (c); 1.1(c)
        Section 1.2. Rules. => Section 1.2; 1.2
        ARTICLE II PURCHASE AND SALE => ARTICLE II; Article II
        2.1 Purchase. => 2.1; 2.1
        2.1(a) Sub. => 2.1(a); 2.1(a)
        IN WITNESS WHEREOF, the parties have signed. => ;
        By: Ann Lee => ;
        """
    )


def test_an_english_agreement():
    assert not found(
        """
        BACKGROUND => ;
        (A) The Seller owns the Shares. => (A); Recital A
        (B) The Buyer wishes to buy them. => (B); Recital B
        1 INTERPRETATION => 1; 1
        1.1 in this agreement the following apply: => 1.1; 1.1
        (a) a person includes a company; => (a); 1.1(a)
        1.2 Headings do not matter. => 1.2; 1.2
        2 SALE AND PURCHASE => 2; 2
        2.1 The Seller shall sell. => 2.1; 2.1
        2.1.1 all of the Shares; => 2.1.1; 2.1.1
        2.1.2 free of charges. => 2.1.2; 2.1.2
        2.2 Completion. => 2.2; 2.2
        """
    )


def test_a_short_form_with_lists_inside_clauses():
    assert not found(
        """
        1. Term. This Lease runs two years. => 1; 1
        2. Rent. The Tenant pays: => 2; 2
        1. base rent; => 1; 2(1)
        2. taxes. => 2; 2(2)
        3. insurance. => 3; 2(3)
        3. Use. => 3; 3
        a. office; => a; 3(a)
        b. storage. => b; 3(b)
        4. Assignment. => 4; 4
        """
    )


def test_lists_that_begin_in_the_midst_of_a_line():
    assert not found(
        """
        5.01. You shall: A. find a site; => 5.01; 5.01
        B. obtain licences; => B; 5.01(B)
        C. attend training. => C; 5.01(C)
        5.02 You may: => 5.02; 5.02
        A. sell; => A; 5.02(A)
        1. wholesale; => 1; 5.02(A)(1)
        2. retail. => 2; 5.02(A)(2)
        B. lend. => B; 5.02(B)
        6. GENERAL 6.1 Notices. In writing: => 6; 6
        (a) by post; => (a); 6.1(a)
        6.2 Waiver. => 6.2; 6.2
        """
    )


def test_signatures_stand_in_no_section():
    assert not found(
        """
        1. Authority. The Board approved. => 1; 1
        The meeting was adjourned. => ; 1
        /s/ Secretary => ;
        Date: 1 May => ;
        2. Annex. => 2; 2
        Employee: __________ Date: ________ => ;
        """
    )


def test_articles_whose_sections_begin_again():
    assert not found(
        """
        ARTICLE ONE => ARTICLE ONE; Article One
        Section 1. Name. => Section 1; Article One, Section 1
        Section 2. Offices. => Section 2; Article One, Section 2
        ARTICLE TWO => ARTICLE TWO; Article Two
        Section 1. Meetings. => Section 1; Article Two, Section 1
        (a) Annual. => (a); Article Two, Section 1(a)
        """
    )


def test_exhibits_begin_anew_and_lists_of_exhibits_do_not():
    assert not found(
        """
        EXHIBITS => ;
        Exhibit A – Form of Note => ;
        Exhibit B – Form of Release => ;
        1. Sale. => 1; 1
        2. Price. => 2; 2
        3. General. See Exhibit A. => 3; 3
        Exhibit A to the Note is attached. => ; 3
        EXHIBIT A => ; Exhibit A
        FORM OF NOTE => ; Exhibit A
        1. Promise to pay. => 1; Exhibit A, Section 1
        (a) with interest => (a); Exhibit A, Section 1(a)
        2. Default. => 2; Exhibit A, Section 2
        Schedule 3.2 => ; Schedule 3.2
        None. => ; Schedule 3.2
        """.replace("Exhibit A to the Note is attached. => ; 3", "See the list above. => ; 3")
    )


def test_a_roman_numeral_or_a_letter_is_told_by_its_neighbours():
    assert not found(
        """
        1. Events of Default => 1; 1
        (g) seven; => (g); 1(g)
        (h) eight; => (h); 1(h)
        (i) nine; => (i); 1(i)
        (j) ten. => (j); 1(j)
        2. Remedies => 2; 2
        (h) eight, where: => (h); 2(h)
        (i) first; => (i); 2(h)(i)
        (ii) second. => (ii); 2(h)(ii)
        (i) nine; => (i); 2(i)
        """.replace("        (i) nine; => (i); 2(i)\n", "")
    )


@pytest.mark.parametrize(
    "text",
    [
        "Section 8.2 of the Lease is hereby amended.",
        "Section 4 and Section 5 survive.",
        "2.5 million dollars",
        "2.5% of the price",
        "30 days after notice",
        "1998 Annual Report",
        "12.5",
        "J. Smith",
        "Article 5 of the GDPR applies.",
        "“8.2 Assignment. Neither party may assign.”",
        "A party may terminate.",
        "I agree.",
        "(this is a remark) to the text",
        "3.1 Title ........ 14",
        "Part of the price is deferred.",
        "10.1007 shares",
        "$8.2 million",
        "",
        "   ",
    ],
)
def test_what_only_looks_like_a_number_is_none(text: str):
    assert clauses_of_texts([text, "Next."])[0].label == ""


def test_lines_of_a_table_of_contents_stand_in_no_section():
    lines = ["1. Sale\t3", "2. Price ........ 4", "1. Sale", "Text.", "2. Price"]
    assert [(c.label, c.section) for c in clauses_of_texts(lines)] == [
        ("", ""),
        ("", ""),
        ("1", "1"),
        ("", "1"),
        ("2", "2"),
    ]


def test_known_labels_are_used_and_rows_only_inherit():
    lines = [
        Line("8. Fees", label="8", list="L", level=0),
        Line("8.2 Late fees", label="8.2", list="L", level=1),
        Line("(c) interest", label="(c)", list="M", level=0),
        Line("1 | 2", apart=True),
        Line("Notes", heading=True),
        Line("text"),
        Line("8.3 Refunds", label="8.3", list="L", level=1),
    ]
    assert [(c.label, c.section) for c in clauses(lines)] == [
        ("8", "8"),
        ("8.2", "8.2"),
        ("(c)", "8.2(c)"),
        ("", "8.2"),
        ("", ""),
        ("", ""),
        ("8.3", "8.3"),
    ]


def test_titles_of_exhibits():
    assert exhibit("EXHIBIT B") == "Exhibit B"
    assert exhibit("Schedule 3.2(a) – Litigation") == "Schedule 3.2(a)"
    assert exhibit("ANNEX II\nDATA") == "Annex II"
    assert [
        exhibit(t) for t in ("Exhibit A sets forth the fees.", "schedule 1", "Schedule of payments", "Exhibits")
    ] == [""] * 4


def test_a_number_is_read_with_its_brackets():
    number = typed("8.2(b)(iv) Consent.")
    assert number is not None
    assert (number.label, number.cite, number.more) == ("8.2(b)(iv)", "8.2", ("b", "iv"))
    assert clauses_of_texts(["8.2(b)(iv) Consent."])[0].section == "8.2(b)(iv)"


@given(st.lists(st.integers(1, 4), min_size=1, max_size=6))
def test_a_regular_outline_is_cited_with_all_its_levels(shape: list[int]):
    """A generated contract of 1. / 1.1 / (a) / (i), in which every number is cited with all numbers above it."""
    texts: list[str] = []
    expected: list[str] = []
    for clause, subs in enumerate(shape, 1):
        texts.append(f"{clause}. Heading")
        expected.append(str(clause))
        for sub in range(1, subs + 1):
            texts.append(f"{clause}.{sub} Text")
            expected.append(f"{clause}.{sub}")
            for item in range(1, subs + 1):
                texts.append(f"({letters(item)}) item")
                expected.append(f"{clause}.{sub}({letters(item)})")
                for point in range(1, item):
                    texts.append(f"({roman(point).lower()}) point")
                    expected.append(f"{clause}.{sub}({letters(item)})({roman(point).lower()})")
    assert [clause.section for clause in clauses_of_texts(texts)] == expected


@given(st.lists(st.text(max_size=60), max_size=30))
def test_any_text_gives_one_clause_a_line(lines: list[str]):
    assert len(clauses_of_texts(lines)) == len(lines)


@pytest.mark.parametrize(
    ("section", "words"),
    [
        ("8.2(b)", "Section 8.2(b)"),
        ("(a)", "Section (a)"),
        ("IV", "Section IV"),
        ("Article IV", "Article IV"),
        ("Recital B", "Recital B"),
        ("Exhibit A, Section 3", "Exhibit A, Section 3"),
    ],
)
def test_a_section_in_a_readers_words(section: str, words: str):
    assert cited(section) == words
    assert str(Place("d", "a/lease.docx", "body/p[1]", section, None)) == f"lease.docx, {words}"


def test_a_paragraph_of_leader_dots_takes_no_time_that_grows_with_its_square() -> None:
    # A quadratic search would need hours for this one.
    assert not is_contents(". " * 1_000_000 + "the end")
    assert is_contents("Definitions " + "." * 1_000_000 + " 12")


def test_a_number_run_into_its_heading_is_one():
    texts = [
        "8. INDEMNITY",
        "8.3General Conditions. Each party shall",
        "8.4Limitation of Liability. EXCEPT FOR",
        '1.2"Certificate" means',
    ]
    assert [clause.section for clause in clauses_of_texts(texts)][1:] == ["8.3", "8.4", "1.2"]
    assert typed("2.5GHz band") is None


def test_a_table_of_contents_without_page_numbers_numbers_nothing():
    texts = [
        "TABLE OF CONTENT",
        "1. Definitions",
        "2. Services",
        "3. Counterpart",
        "HOSTING AGREEMENT",
        "This Agreement is made between A and B.",
        "WHEREAS:",
        "1. A wishes to become a customer.",
        "2. B agrees.",
        "NOW, THEREFORE, the Parties have agreed as follows:",
        "1. Definitions",
    ]
    sections = [clause.section for clause in clauses_of_texts(texts)]
    assert sections[:6] == [""] * 6
    assert sections[7:] == ["Recital 1", "Recital 2", "", "1"]


def test_contents_entries_on_one_line_number_nothing():
    texts = [
        "19. Term and Termination 18 19.1. Term 18 19.2. Termination for Change of Control 18",
        "Recitals follow.",
        "1. Definitions",
        "1.1 Affiliate means any company.",
    ]
    assert [clause.section for clause in clauses_of_texts(texts)] == ["", "", "1", "1.1"]


def test_a_section_of_another_article_s_number_is_not_cited_with_the_article_before():
    texts = [
        "ARTICLE 3 CONFIDENTIALITY",
        "3.1 Secrets. The parties shall",
        "5.2 Notices. Any notice",
        "7.4 Assignment. No party",
    ]
    assert [clause.section for clause in clauses_of_texts(texts)] == ["Article 3", "3.1", "5.2", "7.4"]


def test_an_annex_whose_title_runs_into_its_text_opens_its_own_sections():
    texts = [
        "1.1 One",
        "1.2 Two",
        "1.3 Three",
        "Annex A THIS WARRANT AND THE SHARES ISSUABLE HEREUNDER " + "have not been registered " * 8,
        "1.1 Exercise",
    ]
    assert [clause.section for clause in clauses_of_texts(texts)][3:] == ["Annex A", "Annex A, Section 1.1"]


def test_spaces_that_do_not_break_are_spaces():
    texts = [
        "TABLE\xa0OF\xa0CONTENTS",
        "1.\xa0A",
        "2.\xa0B",
        "3.\xa0C",
        "This\xa0Agreement is made.",
        "ARTICLE\xa01\xa0TERMS",
        "1.1\xa0Fees",
    ]
    assert [clause.section for clause in clauses_of_texts(texts)] == ["", "", "", "", "", "Article 1", "1.1"]


def test_a_list_of_appendices_in_the_text_does_not_end_it():
    texts = [
        "2. Scope",
        "2.11 One",
        "2.12 The Appendices:",
        "Appendix 10\tPrices",
        "and further",
        "Appendix 11\tTechnical Specification",
        "3. Services",
        "3.1 Duties",
    ]
    assert [clause.section for clause in clauses_of_texts(texts)][6:] == ["3", "3.1"]
