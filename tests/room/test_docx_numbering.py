"""Printed clause numbers: every expected number here was worked out by hand from the definitions beside it."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from redwell.room.formats.docx import read
from redwell.room.formats.numerals import from_letters, from_roman, from_words, letters, printed, roman
from redwell.room.types import Limits
from tests.room.docx_builder import (
    abstract,
    deleted,
    docx,
    ins,
    labels,
    lvl,
    mark,
    num,
    p,
    parse,
    r,
    tbl,
    tc,
    texts,
    tr,
)

LEGAL = abstract(
    0,
    lvl(0, "upperRoman", "ARTICLE %1"),
    lvl(1, "decimal", "Section %1.%2", "<w:isLgl/>"),
    lvl(2, "lowerLetter", "(%3)"),
    lvl(3, "lowerRoman", "(%4)"),
) + num(1, 0)


def test_a_contract_outline_is_numbered_and_cited_as_a_lawyer_would():
    parsed = parse(
        p("DEFINITIONS", num=(1, 0))
        + p("Terms.", num=(1, 1))
        + p("“Affiliate” means", num=(1, 2))
        + p("a parent;", num=(1, 3))
        + p("a child.", num=(1, 3))
        + p("“Buyer” means", num=(1, 2))
        + p("Other terms.", num=(1, 1))
        + p("first;", num=(1, 2))
        + p("SALE", num=(1, 0))
        + p("Price.", num=(1, 1)),
        numbering=LEGAL,
    )
    assert texts(parsed) == [
        "ARTICLE I DEFINITIONS",
        "Section 1.1 Terms.",
        "(a) “Affiliate” means",
        "(i) a parent;",
        "(ii) a child.",
        "(b) “Buyer” means",
        "Section 1.2 Other terms.",
        "(a) first;",
        "ARTICLE II SALE",
        "Section 2.1 Price.",
    ]
    assert labels(parsed) == [
        ("ARTICLE I", "Article I"),
        ("Section 1.1", "1.1"),
        ("(a)", "1.1(a)"),
        ("(i)", "1.1(a)(i)"),
        ("(ii)", "1.1(a)(ii)"),
        ("(b)", "1.1(b)"),
        ("Section 1.2", "1.2"),
        ("(a)", "1.2(a)"),
        ("ARTICLE II", "Article II"),
        ("Section 2.1", "2.1"),
    ]


def test_a_list_of_its_own_below_a_clause_is_cited_with_the_clause():
    numbering = (
        abstract(0, lvl(0, "decimal", "%1."), lvl(1, "decimal", "%1.%2"))
        + abstract(1, lvl(0, "lowerLetter", "(%1)"), lvl(1, "lowerRoman", "(%2)"))
        + num(1, 0)
        + num(2, 1)
        + num(3, 1, '<w:lvlOverride w:ilvl="0"><w:startOverride w:val="1"/></w:lvlOverride>')
    )
    parsed = parse(
        p("Assignment", num=(1, 0))
        + p("No assignment except", num=(1, 1))
        + p("to affiliates;", num=(2, 0))
        + p("to lenders.", num=(2, 0))
        + p("Change of control means", num=(1, 1))
        + p("a merger;", num=(3, 0))
        + p("a sale", num=(3, 0))
        + p("of shares;", num=(3, 1))
        + p("In each case with consent."),
        numbering=numbering,
    )
    assert [section for _, section in labels(parsed)] == [
        "1",
        "1.1",
        "1.1(a)",
        "1.1(b)",
        "1.2",
        "1.2(a)",
        "1.2(b)",
        "1.2(b)(i)",
        "1.2",
    ]
    assert parsed.views["final"][-1].label == ""


def test_instances_share_one_count_unless_they_set_a_start():
    numbering = (
        abstract(0, lvl(0, "decimal", "%1."))
        + num(1, 0)
        + num(2, 0)
        + num(3, 0, '<w:lvlOverride w:ilvl="0"><w:startOverride w:val="7"/></w:lvlOverride>')
    )
    body = "".join(p("x", num=(n, 0)) for n in (1, 1, 2, 3, 3, 1))
    assert texts(parse(body, numbering=numbering)) == ["1. x", "2. x", "3. x", "7. x", "8. x", "9. x"]


def test_an_instance_may_replace_a_level():
    override = f'<w:lvlOverride w:ilvl="0">{lvl(0, "upperLetter", "%1)", start=3)}</w:lvlOverride>'
    numbering = abstract(0, lvl(0, "decimal", "%1.")) + num(1, 0) + num(2, 0, override)
    assert texts(parse(p("x", num=(2, 0)) + p("x", num=(2, 0)), numbering=numbering)) == ["C) x", "D) x"]


@pytest.mark.parametrize(
    ("restart", "expected"),
    [
        ("", ["1.", "1.1", "(a)", "1.2", "(a)", "2.", "2.1", "(a)"]),
        ('<w:lvlRestart w:val="0"/>', ["1.", "1.1", "(a)", "1.2", "(b)", "2.", "2.1", "(c)"]),
        ('<w:lvlRestart w:val="1"/>', ["1.", "1.1", "(a)", "1.2", "(b)", "2.", "2.1", "(a)"]),
    ],
)
def test_a_level_restarts_as_its_rule_says(restart: str, expected: list[str]):
    numbering = abstract(
        0, lvl(0, "decimal", "%1."), lvl(1, "decimal", "%1.%2"), lvl(2, "lowerLetter", "(%3)", restart)
    ) + num(1, 0)
    body = "".join(p("x", num=(1, level)) for level in (0, 1, 2, 1, 2, 0, 1, 2))
    assert [text.removesuffix(" x") for text in texts(parse(body, numbering=numbering))] == expected


def test_a_level_above_that_was_never_used_shows_its_start():
    numbering = abstract(0, lvl(0, "decimal", "%1.", start=4), lvl(1, "decimal", "%1.%2")) + num(1, 0)
    assert texts(parse(p("x", num=(1, 1)) + p("x", num=(1, 1)), numbering=numbering)) == ["4.1 x", "4.2 x"]


def test_headings_take_their_number_from_the_style_that_the_list_names():
    numbering = abstract(
        0,
        lvl(0, "decimal", "%1.", '<w:pStyle w:val="Heading1"/>'),
        lvl(1, "decimal", "%1.%2", '<w:pStyle w:val="Heading2"/>'),
    ) + num(5, 0)
    styles = (
        '<w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/></w:style>'
        '<w:style w:type="paragraph" w:styleId="Heading1"><w:name w:val="heading 1"/>'
        '<w:pPr><w:numPr><w:numId w:val="5"/></w:numPr><w:outlineLvl w:val="0"/></w:pPr></w:style>'
        '<w:style w:type="paragraph" w:styleId="Heading2"><w:name w:val="heading 2"/><w:basedOn w:val="Heading1"/></w:style>'
        '<w:style w:type="paragraph" w:styleId="Clause"><w:name w:val="Clause"/><w:basedOn w:val="Heading2"/>'
        '<w:pPr><w:outlineLvl w:val="9"/></w:pPr></w:style>'
        '<w:style w:type="paragraph" w:styleId="Plain"><w:name w:val="Plain"/><w:basedOn w:val="Heading1"/>'
        '<w:pPr><w:numPr><w:numId w:val="0"/></w:numPr></w:pPr></w:style>'
    )
    parsed = parse(
        p("Term", style="Heading1")
        + p("Length", style="Heading2")
        + p("Renewal", style="Clause")
        + p("Note", style="Plain"),
        numbering=numbering,
        styles=styles,
    )
    assert texts(parsed) == ["1. Term", "1.1 Length", "1.2 Renewal", "Note"]
    assert [unit.flags for unit in parsed.views["final"]] == [("heading",), ("heading",), (), ("heading",)]


def test_a_list_may_be_linked_by_a_numbering_style():
    numbering = (
        abstract(0, lvl(0, "upperLetter", "%1."), more='<w:styleLink w:val="Legal"/>')
        + abstract(1, more='<w:numStyleLink w:val="Legal"/>')
        + num(1, 0)
        + num(2, 1)
    )
    styles = (
        '<w:style w:type="numbering" w:styleId="Legal"><w:name w:val="Legal"/>'
        '<w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr></w:style>'
    )
    assert texts(parse(p("x", num=(2, 0)) + p("y", num=(2, 0)), numbering=numbering, styles=styles)) == ["A. x", "B. y"]


def test_links_and_bases_that_run_in_a_circle_end():
    numbering = (
        abstract(0, more='<w:numStyleLink w:val="A"/>')
        + abstract(1, more='<w:numStyleLink w:val="B"/>')
        + num(1, 0)
        + num(2, 1)
    )
    styles = "".join(
        f'<w:style w:type="paragraph" w:styleId="{a}"><w:name w:val="{a}"/><w:basedOn w:val="{b}"/>'
        f'<w:pPr><w:numPr><w:numId w:val="{n}"/></w:numPr></w:pPr></w:style>'
        for a, b, n in (("A", "B", 2), ("B", "A", 1))
    )
    assert texts(parse(p("x", style="A") + p("y", num=(1, 0)), numbering=numbering, styles=styles)) == ["x", "y"]


def test_number_forms_as_word_prints_them():
    cases = {
        "decimal": ["1", "4", "27"],
        "decimalZero": ["01", "04", "27"],
        "upperRoman": ["I", "IV", "XXVII"],
        "lowerRoman": ["i", "iv", "xxvii"],
        "upperLetter": ["A", "D", "AA"],
        "lowerLetter": ["a", "d", "aa"],
        "ordinal": ["1st", "4th", "27th"],
        "cardinalText": ["One", "Four", "Twenty-seven"],
        "ordinalText": ["First", "Fourth", "Twenty-seventh"],
        "chicago": ["*", "§", "‡" * 7],
        "decimalEnclosedCircle": ["①", "④", "27"],
        "decimalEnclosedParen": ["(1)", "(4)", "(27)"],
        "numberInDash": ["- 1 -", "- 4 -", "- 27 -"],
        "none": ["", "", ""],
        "bullet": ["", "", ""],
        "somethingNew": ["1", "4", "27"],
    }
    for form, expected in cases.items():
        assert [printed(n, form) for n in (1, 4, 27)] == expected, form
    assert [printed(n, "ordinal") for n in (2, 3, 11, 12, 13, 21, 22, 111)] == [
        "2nd",
        "3rd",
        "11th",
        "12th",
        "13th",
        "21st",
        "22nd",
        "111th",
    ]
    assert [printed(n, "ordinalText") for n in (12, 20, 100, 1001)] == [
        "Twelfth",
        "Twentieth",
        "One hundredth",
        "One thousand first",
    ]


def test_numerals_read_back_what_they_print():
    for n in range(1, 400):
        assert from_roman(roman(n)) == n
        assert from_letters(letters(n)) == n
    assert [from_words(word) for word in ("One", "FIFTH", "twenty-first", "Twenty One", "mile")] == [1, 5, 21, 21, None]
    assert [from_roman(text) for text in ("IIII", "VX", "mix", "ab", "")] == [None, None, 1009, None, None]
    assert from_letters("ab") is None


def test_suffixes_bullets_hidden_numbers_and_padded_forms():
    custom = (
        '<w:lvl w:ilvl="3"><w:start w:val="7"/><mc:AlternateContent><mc:Choice Requires="w14">'
        '<w:numFmt w:val="custom" w:format="001, 002, 003, ..."/></mc:Choice><mc:Fallback><w:numFmt w:val="decimal"/></mc:Fallback>'
        '</mc:AlternateContent><w:lvlText w:val="Item %4"/></w:lvl>'
    )
    numbering = abstract(
        0,
        lvl(0, "decimal", "%1", '<w:suff w:val="nothing"/>'),
        lvl(1, "bullet", "\uf0b7"),
        '<w:lvl w:ilvl="2"><w:numFmt w:val="decimal"/><w:lvlText w:val="%3."/><w:rPr><w:vanish/></w:rPr></w:lvl>',
        custom,
    ) + num(1, 0)
    parsed = parse("".join(p(".x", num=(1, level)) for level in (0, 1, 2, 3)), numbering=numbering)
    assert texts(parsed) == ["1.x", "• .x", ".x", "Item 007 .x"]
    assert [label for label, _ in labels(parsed)] == ["1", "", "", "Item 007"]


def test_numbers_follow_the_view():
    numbering = abstract(0, lvl(0, "decimal", "%1.")) + num(1, 0)
    body = (
        p("Alpha", num=(1, 0))
        + p(deleted("Beta"), num=(1, 0), properties=mark("del"))
        + p(ins("Gamma"), num=(1, 0), properties=mark("ins"))
        + p(ins("Delta"), num=(1, 0), properties=mark("ins"))
        + p("Omega", num=(1, 0))
    )
    parsed = parse(body, numbering=numbering)
    assert texts(parsed) == ["1. Alpha", "2. Gamma", "3. Delta", "4. Omega"]
    assert texts(parsed, "original") == ["1. Alpha", "2. Beta", "3. Omega"]
    assert texts(parsed, "marked")[:5] == ["1. Alpha", "2. [-Beta-]", "2. [+Gamma+]", "3. [+Delta+]", "4. Omega"]


def test_an_empty_paragraph_that_only_breaks_the_section_is_not_counted():
    numbering = abstract(0, lvl(0, "decimal", "%1.")) + num(1, 0)
    body = p(num=(1, 0), properties="<w:sectPr/>") + p("Service", num=(1, 0)) + p(num=(1, 0)) + p("Fees", num=(1, 0))
    assert texts(parse(body, numbering=numbering)) == ["1. Service", "2.", "3. Fees"]


def test_cells_and_runs_in_headings_count_in_reading_order():
    numbering = abstract(0, lvl(0, "decimal", "%1.")) + num(1, 0)
    table = tbl(tr(tc(p("in a cell", num=(1, 0))), "other"), tr(tc(p("below", num=(1, 0))), "more"))
    parsed = parse(p("before", num=(1, 0)) + table + p("after", num=(1, 0)), numbering=numbering)
    assert texts(parsed) == ["1. before", "2. in a cell | other", "3. below | more", "4. after"]


def test_a_hidden_paragraph_is_not_counted_and_a_hidden_mark_joins_the_next_to_the_heading():
    numbering = abstract(0, lvl(0, "decimal", "%1.")) + num(1, 0)
    hidden = "<w:rPr><w:vanish/></w:rPr>"
    separator = "<w:rPr><w:vanish/><w:specVanish/></w:rPr>"
    body = (
        p("Term.", num=(1, 0), properties=separator)
        + p(" Two years.")
        + p(r("secret", "<w:vanish/>"), num=(1, 0), properties=hidden)
        + p("Fees.", num=(1, 0))
    )
    parsed = parse(body, numbering=numbering)
    assert texts(parsed) == ["1. Term. Two years.", "secret", "2. Fees."]
    assert [unit.flags for unit in parsed.views["final"]] == [(), ("hidden",), ()]


def test_numbers_that_point_nowhere_are_not_printed():
    numbering = '<w:num w:numId="4"><w:abstractNumId w:val="99"/></w:num><w:num w:numId="5"/>' + abstract(
        0, lvl(0, "decimal", "%1."), '<w:lvl w:ilvl="77"/><w:lvl/>'
    )
    body = "".join(p("x", num=(n, 0)) for n in (4, 5, 6, 0)) + p("y", num=(10**12, 3))
    assert texts(parse(body, numbering=numbering)) == ["x", "x", "x", "x", "y"]


def test_cross_references_of_real_templates_name_the_clause_that_carries_the_number(shared: Path):
    """The templates refer to clauses by number and title, as "Section 8.1 (Liability Caps)": both must meet in our text."""
    checked = 0
    for path in sorted(shared.glob("data/templates/common-paper-*/template.docx")):
        units = read(path.read_bytes(), path.name, Limits()).views["final"]
        titles = {unit.section: unit.text for unit in units if unit.label}
        text = "\n".join(unit.text for unit in units)
        for number, title in set(re.findall(r"Section (\d+\.\d+) \(([A-Z][A-Za-z &-]+)\)", text)):
            if number in titles and title in titles[number]:
                checked += 1
            else:
                assert title not in text.replace(f"({title})", ""), (
                    path.parent.name,
                    number,
                    title,
                    titles.get(number),
                )
    assert checked >= 30


def test_libreoffice_prints_the_same_numbers(tmp_path: Path):
    if shutil.which("soffice") is None:
        pytest.skip("LibreOffice is not installed")
    # Without w:isLgl, which LibreOffice does not know; Word's own reading of it is tested above.
    numbering = (
        abstract(
            0,
            lvl(0, "decimal", "%1."),
            lvl(1, "decimal", "%1.%2"),
            lvl(2, "lowerLetter", "(%3)"),
            lvl(3, "lowerRoman", "(%4)"),
        )
        + abstract(1, lvl(0, "upperRoman", "Part %1", start=3), lvl(1, "upperLetter", "%2)"))
        + num(1, 0)
        + num(2, 1)
        + num(3, 0, '<w:lvlOverride w:ilvl="0"><w:startOverride w:val="1"/></w:lvlOverride>')
    )
    places = [(1, level) for level in (0, 1, 2, 3, 3, 2, 1, 2, 0, 1, 1, 2, 3, 0, 2)]
    places += [(2, 0), (2, 1), (2, 1), (1, 0), (2, 0), (2, 1), (3, 0), (3, 1), (3, 0)]
    body = "".join(p(f"word{i}", num=place) for i, place in enumerate(places))
    data = docx(body, numbering=numbering)
    (tmp_path / "numbers.docx").write_bytes(data)
    profile = f"-env:UserInstallation=file://{tmp_path}/profile"
    command = ["soffice", profile, "--headless", "--convert-to", "txt:Text (encoded):UTF8", "--outdir", str(tmp_path)]
    try:
        subprocess.run([*command, str(tmp_path / "numbers.docx")], check=True, timeout=90, capture_output=True)
    except subprocess.TimeoutExpired:
        pytest.skip("LibreOffice did not answer in time")
    theirs = (tmp_path / "numbers.txt").read_text("utf-8-sig").split("\n")
    ours = texts(read(data, "numbers.docx", Limits()))
    assert [line.strip() for line in theirs if line.strip()] == ours
