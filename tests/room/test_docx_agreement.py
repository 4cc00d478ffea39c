"""A whole agreement as a law firm writes one, with every number, text and flag written down by hand before it was read."""

from __future__ import annotations

import pytest

from redwell.room.formats.docx import read
from redwell.room.types import Limits, Parsed, View
from tests.room.docx_builder import abstract, deleted, docx, ins, labels, lvl, mark, num, p, parse, r, tbl, tr

STYLES = (
    '<w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/></w:style>'
    + "".join(
        f'<w:style w:type="paragraph" w:styleId="L{n}"><w:name w:val="{name}"/><w:basedOn w:val="Normal"/>'
        f'<w:pPr><w:numPr><w:ilvl w:val="{n - 1}"/><w:numId w:val="1"/></w:numPr>{outline}</w:pPr></w:style>'
        for n, name, outline in (
            (1, "heading 1", '<w:outlineLvl w:val="0"/>'),
            (2, "heading 2", '<w:outlineLvl w:val="1"/>'),
            (3, "Clause 3", ""),
            (4, "Clause 4", ""),
        )
    )
    + '<w:style w:type="paragraph" w:styleId="Exhibit"><w:name w:val="Exhibit Title"/><w:basedOn w:val="Normal"/>'
    '<w:pPr><w:numPr><w:numId w:val="2"/></w:numPr><w:outlineLvl w:val="0"/></w:pPr></w:style>'
)
NUMBERING = (
    abstract(
        0,
        lvl(0, "upperRoman", "ARTICLE %1", '<w:pStyle w:val="L1"/>'),
        lvl(1, "decimal", "Section %1.%2", '<w:pStyle w:val="L2"/><w:isLgl/>'),
        lvl(2, "lowerLetter", "(%3)", '<w:pStyle w:val="L3"/>'),
        lvl(3, "lowerRoman", "(%4)", '<w:pStyle w:val="L4"/>'),
    )
    + abstract(1, lvl(0, "upperLetter", "EXHIBIT %1", '<w:pStyle w:val="Exhibit"/>'))
    + abstract(2, lvl(0, "decimal", "%1."), lvl(1, "lowerLetter", "(%2)"))
    + abstract(3, lvl(0, "upperLetter", "(%1)"))
    + num(1, 0)
    + num(2, 1)
    + num(3, 2)
    + num(4, 2, '<w:lvlOverride w:ilvl="0"><w:startOverride w:val="1"/></w:lvlOverride>')
    + num(5, 3)
)
GONE, NEW = mark("del"), mark("ins")
MOVED_FROM = '<w:rPr><w:moveFrom w:id="9" w:author="Ann Lee" w:date="2024-03-01T10:00:00Z"/></w:rPr>'
MOVED_TO = '<w:rPr><w:moveTo w:id="9" w:author="Ann Lee" w:date="2024-03-01T10:00:00Z"/></w:rPr>'


def footnote(number: int) -> str:
    return f'<w:r><w:footnoteReference w:id="{number}"/></w:r>'


BODY = "".join(
    (
        p("CREDIT AGREEMENT"),
        p("RECITALS"),
        p("The Borrower owns the Mill.", num=(5, 0)),
        p("The Lender will lend.", num=(5, 0)),
        p("DEFINITIONS", style="L1"),
        p("Defined Terms.", style="L2"),
        p("“Affiliate” has the meaning in Section 4.2."),
        p("“Base Rate” means 4%", footnote(1), " a year."),
        p("Construction.", style="L2"),
        p("Headings are ignored;", style="L3"),
        p("“including” means:", style="L3"),
        p("without limitation; and", style="L4"),
        p("by way of example.", style="L4"),
        p("THE LOAN", style="L1"),
        p("Amount. The Lender lends $", deleted("10"), ins("12"), ",000,000.", style="L2"),
        p(deleted("Commitment fee. The fee is 1%."), style="L2", properties=GONE),
        p("Interest.", style="L2"),
        p("monthly in arrear;", style="L3"),
        p(ins("at the Base Rate plus 2%;"), style="L3", properties=NEW),
        p("on the last Business Day.", style="L3"),
        p(deleted("Set-off. None is allowed.", tag="moveFrom"), style="L2", properties=MOVED_FROM),
        p("Prepayment.", style="L2"),
        p("COVENANTS", style="L1"),
        p("The Borrower shall keep the Mill insured;", style="L3"),
        p("and shall not sell it.", style="L3"),
        p("PAYMENTS", style="L1"),
        p("Place of payment.", style="L2"),
        p(ins("Set-off. None is allowed.", tag="moveTo"), style="L2", properties=MOVED_TO),
        tbl(tr("Date", "Instalment"), tr("1 March 2026", "$500,000")),
        p("Taxes.", style="L2"),
        p(r("Side letter: the fee is waived.", "<w:vanish/>")),
        p("Form of Notice", style="Exhibit"),
        p("The Borrower requests a Loan of:", num=(3, 0)),
        p("the amount; and", num=(3, 1)),
        p("the date.", num=(3, 1)),
        p("The Borrower confirms its covenants.", num=(3, 0)),
        p("Form of Release", style="Exhibit"),
        p("The Lender releases the Mill.", num=(4, 0)),
        p("This release is final.", num=(4, 0)),
        p("Signed by the parties."),
    )
)
FOOTNOTES = f'<w:footnote w:id="1">{p("Compounded monthly.")}</w:footnote>'

FINAL = [
    ("CREDIT AGREEMENT", "", ""),
    ("RECITALS", "", ""),
    ("(A) The Borrower owns the Mill.", "(A)", "Recital A"),
    ("(B) The Lender will lend.", "(B)", "Recital B"),
    ("ARTICLE I DEFINITIONS", "ARTICLE I", "Article I"),
    ("Section 1.1 Defined Terms.", "Section 1.1", "1.1"),
    ("“Affiliate” has the meaning in Section 4.2.", "", "1.1"),
    ("“Base Rate” means 4% a year.", "", "1.1"),
    ('[Footnote 1 after "“Base Rate” means 4%"] Compounded monthly.', "", "1.1"),
    ("Section 1.2 Construction.", "Section 1.2", "1.2"),
    ("(a) Headings are ignored;", "(a)", "1.2(a)"),
    ("(b) “including” means:", "(b)", "1.2(b)"),
    ("(i) without limitation; and", "(i)", "1.2(b)(i)"),
    ("(ii) by way of example.", "(ii)", "1.2(b)(ii)"),
    ("ARTICLE II THE LOAN", "ARTICLE II", "Article II"),
    ("Section 2.1 Amount. The Lender lends $12,000,000.", "Section 2.1", "2.1"),
    ("Section 2.2 Interest.", "Section 2.2", "2.2"),
    ("(a) monthly in arrear;", "(a)", "2.2(a)"),
    ("(b) at the Base Rate plus 2%;", "(b)", "2.2(b)"),
    ("(c) on the last Business Day.", "(c)", "2.2(c)"),
    ("Section 2.3 Prepayment.", "Section 2.3", "2.3"),
    ("ARTICLE III COVENANTS", "ARTICLE III", "Article III"),
    ("(a) The Borrower shall keep the Mill insured;", "(a)", "Article III(a)"),
    ("(b) and shall not sell it.", "(b)", "Article III(b)"),
    ("ARTICLE IV PAYMENTS", "ARTICLE IV", "Article IV"),
    ("Section 4.1 Place of payment.", "Section 4.1", "4.1"),
    ("Section 4.2 Set-off. None is allowed.", "Section 4.2", "4.2"),
    ("Date | Instalment", "", "4.2"),
    ("1 March 2026 | $500,000", "", "4.2"),
    ("Section 4.3 Taxes.", "Section 4.3", "4.3"),
    ("Side letter: the fee is waived.", "", "4.3"),
    ("EXHIBIT A Form of Notice", "EXHIBIT A", "Exhibit A"),
    ("1. The Borrower requests a Loan of:", "1", "Exhibit A, Section 1"),
    ("(a) the amount; and", "(a)", "Exhibit A, Section 1(a)"),
    ("(b) the date.", "(b)", "Exhibit A, Section 1(b)"),
    ("2. The Borrower confirms its covenants.", "2", "Exhibit A, Section 2"),
    ("EXHIBIT B Form of Release", "EXHIBIT B", "Exhibit B"),
    ("1. The Lender releases the Mill.", "1", "Exhibit B, Section 1"),
    ("2. This release is final.", "2", "Exhibit B, Section 2"),
    ("Signed by the parties.", "", ""),
]


@pytest.fixture(scope="module")
def agreement() -> Parsed:
    return read(docx(BODY, styles=STYLES, numbering=NUMBERING, footnotes=FOOTNOTES), "credit.docx", Limits())


def rows(parsed: Parsed, view: View = "final") -> list[tuple[str, str, str]]:
    return [(unit.text, unit.label, unit.section) for unit in parsed.views[view]]


def test_every_paragraph_has_its_printed_number_and_its_section(agreement: Parsed):
    assert agreement.status == "read"
    assert rows(agreement) == FINAL


def test_the_original_is_numbered_as_it_was_before_the_changes(agreement: Parsed):
    """A deleted and a moved clause count, an inserted one does not; what is not changed is as in the final text."""
    loan = FINAL.index(("ARTICLE II THE LOAN", "ARTICLE II", "Article II"))
    covenants = FINAL.index(("ARTICLE III COVENANTS", "ARTICLE III", "Article III"))
    payments = FINAL.index(("ARTICLE IV PAYMENTS", "ARTICLE IV", "Article IV"))
    exhibits = FINAL.index(("EXHIBIT A Form of Notice", "EXHIBIT A", "Exhibit A"))
    assert rows(agreement, "original") == [
        *FINAL[: loan + 1],
        ("Section 2.1 Amount. The Lender lends $10,000,000.", "Section 2.1", "2.1"),
        ("Section 2.2 Commitment fee. The fee is 1%.", "Section 2.2", "2.2"),
        ("Section 2.3 Interest.", "Section 2.3", "2.3"),
        ("(a) monthly in arrear;", "(a)", "2.3(a)"),
        ("(b) on the last Business Day.", "(b)", "2.3(b)"),
        ("Section 2.4 Set-off. None is allowed.", "Section 2.4", "2.4"),
        ("Section 2.5 Prepayment.", "Section 2.5", "2.5"),
        *FINAL[covenants : payments + 1],
        ("Section 4.1 Place of payment.", "Section 4.1", "4.1"),
        ("Date | Instalment", "", "4.1"),
        ("1 March 2026 | $500,000", "", "4.1"),
        ("Section 4.2 Taxes.", "Section 4.2", "4.2"),
        ("Side letter: the fee is waived.", "", "4.2"),
        *FINAL[exhibits:],
    ]


def test_the_marked_text_shows_both_and_what_is_deleted_keeps_its_old_number(agreement: Parsed):
    marked = rows(agreement, "marked")
    loan = marked.index(("ARTICLE II THE LOAN", "ARTICLE II", "Article II"))
    assert marked[loan + 1 : loan + 9] == [
        ("Section 2.1 Amount. The Lender lends $[-10-][+12+],000,000.", "Section 2.1", "2.1"),
        ("Section 2.2 [-Commitment fee. The fee is 1%.-]", "Section 2.2", "2.2"),
        ("Section 2.2 Interest.", "Section 2.2", "2.2"),
        ("(a) monthly in arrear;", "(a)", "2.2(a)"),
        ("(b) [+at the Base Rate plus 2%;+]", "(b)", "2.2(b)"),
        ("(c) on the last Business Day.", "(c)", "2.2(c)"),
        ("Section 2.4 [-Set-off. None is allowed.-]", "Section 2.4", "2.4"),
        ("Section 2.3 Prepayment.", "Section 2.3", "2.3"),
    ]
    assert ("Section 4.2 [+Set-off. None is allowed.+]", "Section 4.2", "4.2") in marked


def test_changes_notes_and_hidden_words_are_flagged(agreement: Parsed):
    flagged = {unit.text: unit.flags for unit in agreement.views["final"] if set(unit.flags) - {"heading"}}
    assert flagged == {
        '[Footnote 1 after "“Base Rate” means 4%"] Compounded monthly.': ("footnote",),
        "Section 2.1 Amount. The Lender lends $12,000,000.": ("inserted", "heading"),
        "(b) at the Base Rate plus 2%;": ("inserted",),
        "Section 4.2 Set-off. None is allowed.": ("inserted", "moved", "heading"),
        "Side letter: the fee is waived.": ("hidden",),
    }


@pytest.mark.parametrize(
    ("form", "text", "first", "second"),
    [
        ("upperLetter", "EXHIBIT %1", "Exhibit A", "Exhibit B"),
        ("decimal", "Schedule %1", "Schedule 1", "Schedule 2"),
        ("upperRoman", "ANNEX %1.", "Annex I", "Annex II"),
        ("decimal", "Appendix %1 –", "Appendix 1", "Appendix 2"),
    ],
)
def test_exhibits_numbered_by_a_list_begin_anew(form: str, text: str, first: str, second: str):
    numbering = (
        abstract(0, lvl(0, "decimal", "%1."), lvl(1, "decimal", "%1.%2"))
        + abstract(1, lvl(0, form, text))
        + num(1, 0)
        + num(2, 1)
        + num(3, 0, '<w:lvlOverride w:ilvl="0"><w:startOverride w:val="1"/></w:lvlOverride>')
    )
    body = (
        p("Sale", num=(1, 0))
        + p("The price is fixed.", num=(1, 1))
        + p("The Property", num=(2, 0))
        + p("Land", num=(3, 0))
        + p("twelve acres.", num=(3, 1))
        + p("The Fixtures", num=(2, 0))
        + p("All machines.")
    )
    assert [section for _, section in labels(parse(body, numbering=numbering))] == [
        *("1", "1.1", first, f"{first}, Section 1", f"{first}, Section 1.1", second, second)
    ]


def test_a_numbered_list_of_exhibits_in_front_opens_none():
    numbering = (
        abstract(0, lvl(0, "decimal", "%1."), lvl(1, "decimal", "%1.%2"))
        + abstract(1, lvl(0, "upperLetter", "Exhibit %1"))
        + num(1, 0)
        + num(2, 1)
    )
    body = (
        p("Form of Notice", num=(2, 0))
        + p("Form of Release", num=(2, 0))
        + p("Sale", num=(1, 0))
        + p("Price", num=(1, 1))
    )
    assert [section for _, section in labels(parse(body, numbering=numbering))] == ["", "", "1", "1.1"]
