"""Plain text, Markdown and CSV: the right encoding, good units, printed clause numbers, and no lost words."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from redwell.room.formats.encoding import decode
from redwell.room.formats.paragraphs import split_long
from redwell.room.formats.text import read
from redwell.room.types import Limits, Parsed, ParsedUnit

LIMITS = Limits()


def parse(text: str | bytes, name: str = "x.txt") -> Parsed:
    return read(text.encode("utf-8") if isinstance(text, str) else text, name, LIMITS)


def final(text: str | bytes, name: str = "x.txt") -> list[ParsedUnit]:
    return parse(text, name).views["final"]


@pytest.mark.parametrize(
    ("data", "encoding", "text"),
    [
        (b"5 000 \x80", "cp1252", "5 000 €"),
        (b"plain", "ascii", "plain"),
        ("naïve €".encode(), "utf-8", "naïve €"),
        (b"\xef\xbb\xbfx \xe2\x82\xac", "utf-8", "x €"),
        ("Miete: 5 000 €".encode("utf-16"), "utf-16-le", "Miete: 5 000 €"),
        ("Rent payable".encode("utf-16-be"), "utf-16-be", "Rent payable"),
        ("Rent payable".encode("utf-16-le"), "utf-16-le", "Rent payable"),
        (b"\x93quoted\x94 \x96 it\x92s \xa7 8.2", "cp1252", "“quoted” – it’s § 8.2"),
        (b"Soci\xe9t\xe9 G\xe9n\xe9rale, b\xe9n\xe9fice", "cp1252", "Société Générale, bénéfice"),
        ("Société Générale, bénéfice déjà dû".encode("mac_roman"), "mac_roman", "Société Générale, bénéfice déjà dû"),
        ("Société, bénéfice déjà reçu".encode("cp850"), "cp850", "Société, bénéfice déjà reçu"),
        ("Договор поставки между сторонами".encode("cp1251"), "cp1251", "Договор поставки между сторонами"),
        (
            "本契約は甲と乙の間で締結された業務委託契約です。".encode("cp932"),
            "cp932",
            "本契約は甲と乙の間で締結された業務委託契約です。",
        ),
        (
            "本合同由甲方和乙方于中国签订，甲方同意支付。".encode("gb18030"),
            "gb18030",
            "本合同由甲方和乙方于中国签订，甲方同意支付。",
        ),
        (
            "본 계약은 당사자 간에 체결된다. 비밀을 유지한다.".encode("euc_kr"),
            "euc_kr",
            "본 계약은 당사자 간에 체결된다. 비밀을 유지한다.",
        ),
    ],
)
def test_the_encoding_is_found_and_told(data: bytes, encoding: str, text: str):
    decoded = decode(data)
    assert (decoded.text, decoded.encoding, decoded.problems) == (text, encoding, [])
    assert parse(data).metadata["encoding"] == encoding


def test_what_cannot_be_decoded_is_said():
    decoded = decode("Pay €5 and €6 and €7 and €8 and €9 and €1 and €2 and €3 and €4 and €5 now".encode() + b" \xff")
    assert decoded.encoding == "utf-8"
    assert decoded.text.startswith("Pay €5")
    assert decoded.text.endswith("\ufffd")
    assert decoded.problems == ["1 characters could not be decoded as utf-8"]


def test_control_characters_never_join_figures():
    decoded = decode(b"kr 400\x16000")
    assert decoded.text == "kr 400 000"
    assert decoded.problems == ["1 control characters were replaced with spaces"]


def test_line_ends_of_every_system_are_one():
    assert decode(b"a\r\nb\rc\nd\xc2\x85e\xe2\x80\xa8f").text == "a\nb\nc\nd\ne\nf"


def test_wrapped_lines_stay_in_their_paragraph_and_clauses_have_their_numbers():
    text = (
        "LEASE AGREEMENT\n\n"
        "1. Term. The term of this Lease shall be five (5) years and shall begin on the\n"
        "first day of May 2026 unless ended sooner.\n"
        "2. Rent. The Tenant shall pay rent of $5,000 a month on the first day of each\n"
        "month, as follows:\n"
        "(a) by wire; or\n"
        "(b) by cheque.\n\n"
        "By: ______\nName: Ann Lee\nTitle: Director\n"
    )
    units = final(text)
    assert [(unit.path, unit.section) for unit in units] == [
        ("line 1", ""),
        ("line 3", "1"),
        ("line 5", "2"),
        ("line 7", "2(a)"),
        ("line 8", "2(b)"),
        ("line 10", ""),
    ]
    assert units[1].text == (
        "1. Term. The term of this Lease shall be five (5) years and shall begin on the\nfirst day of May 2026 unless ended sooner."
    )
    assert units[5].text == "By: ______\nName: Ann Lee\nTitle: Director"


def test_a_file_of_one_line_a_paragraph_has_one_unit_a_line():
    first, second = "1.1 Services. " + "The Provider shall serve. " * 8, "1.2 Fees. " + "The Customer shall pay. " * 8
    assert [unit.text for unit in final(f"{first}\n{second}\n")] == [first.strip(), second.strip()]


def test_rows_of_a_typed_table_are_units():
    units = final("Name          Shares      Price\nAnn Lee       1,000       $5.00\nBob Ray       2,500       $5.00\n")
    assert [unit.text for unit in units][1] == "Ann Lee       1,000       $5.00"
    assert len(units) == 3


def test_page_furniture_is_flagged_and_does_not_join_the_text():
    pages = []
    for number in range(1, 5):
        pages.append(
            f"ACME SUPPLY AGREEMENT - CONFIDENTIAL\n\nClause text of page {number} goes on here.\n\nPage {number} of 4\n"
        )
    units = final("\f".join(pages))
    footers = [unit.text for unit in units if "footer" in unit.flags]
    title = "ACME SUPPLY AGREEMENT - CONFIDENTIAL"
    assert footers == ["Page 1 of 4", *(line for n in (2, 3, 4) for line in (title, f"Page {n} of 4"))]
    assert [unit.text for unit in units if not unit.flags] == [
        title,  # the first time it is the title
        *(f"Clause text of page {n} goes on here." for n in range(1, 5)),
    ]


def test_page_numbers_that_run_into_the_text_of_a_filing_are_taken_apart():
    text = (
        "2.5.1. Network   2\n\nSource: ACME PLC, F-4/A, 6/24/2015\n\n\n\n\n\n2.5.2. Servers are kept.   3\n\n"
        "Source: ACME PLC, F-4/A, 6/24/2015\n"
    )
    assert [(unit.text, unit.flags) for unit in final(text)] == [
        ("2.5.1. Network", ()),
        ("2", ("footer",)),
        ("Source: ACME PLC, F-4/A, 6/24/2015", ("footer",)),
        ("2.5.2. Servers are kept.", ()),
        ("3", ("footer",)),
        ("Source: ACME PLC, F-4/A, 6/24/2015", ("footer",)),
    ]


def test_lone_numbers_that_do_not_count_pages_are_text():
    assert all(not unit.flags for unit in final("Price\n\n500\n\nQuantity\n\n20\n\nWeight\n\n75\n"))


def test_a_document_in_one_line_is_cut_at_its_clauses():
    clause = "The parties agree on many things in this clause, and then on some more of them. "
    text = f"AGREEMENT   1.1 Term. {clause * 4}  1.2 Fees. {clause * 4}As set out in Section   3.4 (Payment) below.   ARTICLE II   RIGHTS   2.1 Use. {clause * 4}"
    units = final(text)
    assert [unit.section for unit in units] == ["", "1.1", "1.2", "Article II", "2.1"]
    assert units[2].text.endswith("As set out in Section   3.4 (Payment) below.")
    assert [unit.path for unit in units][:2] == ["line 1", "line 1, part 2"]


@settings(max_examples=100, deadline=None)
@given(st.text(alphabet="ab. ;\n(1)A\t", max_size=6000))
def test_cutting_a_long_paragraph_loses_only_white_space(text: str):
    assert re.sub(r"\s+", "", "".join(split_long(text))) == re.sub(r"\s+", "", text)


@settings(max_examples=100, deadline=None)
@given(st.text(alphabet=st.sampled_from("abc 12.\n\f(i)AB-\t•:"), max_size=1500))
def test_no_word_of_a_plain_text_is_lost(text: str):
    told = "".join(unit.text for unit in final(text))
    assert re.sub(r"\s+", "", told) == re.sub(r"\s+", "", text)


def test_markdown_reads_as_it_shows():
    units = final(
        '# MASTER **AGREEMENT**\n\nThe "**Provider**" and _Customer_ agree on [***] and `code`.\nSecond line\n\n'
        "Fees\n----\n\n- first *item*\n  goes on\n- see [the policy](https://x.example/p)\n3. third\n\n"
        "> quoted\n\n<!-- draft: do not send -->\n\n1.1 **Term.** Five years\\*.\n",
        "x.md",
    )
    assert [(unit.path, unit.text, unit.flags) for unit in units] == [
        ("line 1", "MASTER AGREEMENT", ("heading",)),
        ("line 3", 'The "Provider" and Customer agree on [***] and code.\nSecond line', ()),
        ("line 6", "Fees", ("heading",)),
        ("line 9", "first item\ngoes on", ()),
        ("line 11", "see the policy (https://x.example/p)", ()),
        ("line 12", "3. third", ()),
        ("line 14", "quoted", ()),
        ("line 16", "draft: do not send", ("hidden",)),
        ("line 18", "1.1 Term. Five years*.", ()),
    ]
    assert units[-1].section == "1.1"


def test_markdown_tables_carry_their_header_row():
    units = final(
        "## 1. Fees\n\n| Customer | ARR |\n|---|---:|\n| Meridian \\| Co | **$12,400,000** |\n|  | $1 |\n\n## 2. Term\n",
        "x.md",
    )
    assert [(unit.text, unit.label, unit.section) for unit in units] == [
        ("1. Fees", "1", "1"),
        ("Customer | ARR", "", "1"),
        ("Meridian | Co | $12,400,000", "Customer | ARR", "1"),
        (" | $1", "Customer | ARR", "1"),
        ("2. Term", "2", "2"),
    ]


def test_front_matter_is_kept_and_gives_the_title():
    parsed = parse("---\ntitle: Closing Checklist\nversion: 2\n---\n\n# Body\n", "x.md")
    assert parsed.metadata["title"] == "Closing Checklist"
    assert parsed.views["final"][0].text == "title: Closing Checklist\nversion: 2"


def test_redactions_are_not_emphasis():
    assert (
        final("Pay $[***] and [**] by *[date]*, then [***].", "x.md")[0].text
        == "Pay $[***] and [**] by [date], then [***]."
    )


def test_csv_rows_keep_their_words_and_their_header():
    parsed = parse('Customer,ARR,Note\n"Meridian, Inc.",12400000,"two\nlines"\n,5,\n\nCobalt,9600000,\n', "x.csv")
    assert [(unit.path, unit.text, unit.label) for unit in parsed.views["final"]] == [
        ("CSV!A1:C1", "Customer | ARR | Note", ""),
        ("CSV!A2:C2", "Meridian, Inc. | 12400000 | two\nlines", "Customer | ARR | Note"),
        ("CSV!B3", "5", "ARR"),
        ("CSV!A5:B5", "Cobalt | 9600000", "Customer | ARR"),
    ]


@pytest.mark.parametrize(
    ("text", "delimiter"),
    [
        ("a;b;c\n1,5;2;3\n", "semicolon"),
        ("a\tb\n1\t2\n", "tab"),
        ("a|b\n1|2\n", "bar"),
        ("one column\nonly\n", "comma"),
    ],
)
def test_the_delimiter_is_found(text: str, delimiter: str):
    assert parse(text, "x.csv").metadata["delimiter"] == delimiter


def test_a_lone_quote_mark_does_not_swallow_the_rows_after_it():
    rows = 'size,price\n5" pipe,10\n"6 inch pipe,11\n' + "".join(f"item {n},{n}\n" for n in range(300))
    units = final(rows, "x.csv")
    assert len(units) == 303
    assert units[-1].text == "item 299 | 299"


def test_a_text_without_words_says_so():
    parsed = parse(b"  \n\t\n")
    assert parsed.views["final"] == []
    assert parsed.problems == ["it holds no words"]


def test_real_contracts_as_text_give_short_numbered_units(shared: Path):
    files = sorted((shared / "data" / "cuad" / "txt").glob("*.txt"))[::25]
    assert len(files) > 10
    numbered = 0
    for path in files:
        data = path.read_bytes()
        units = read(data, path.name, LIMITS).views["final"]
        assert re.sub(r"\s+", "", "".join(unit.text for unit in units)) == re.sub(r"\s+", "", data.decode("utf-8"))
        assert max(len(unit.text) for unit in units) < 9000
        numbered += any(unit.section for unit in units)
    assert numbered >= len(files) * 0.8


def test_a_real_agreement_in_markdown_has_its_printed_sections(shared: Path):
    room = shared / "data" / "rooms" / "project_atlas" / "sample_data_room" / "Northwind_Logistics"
    units = read((room / "msa_meridian_freight.pdf.md").read_bytes(), "msa_meridian_freight.pdf.md", LIMITS).views[
        "final"
    ]
    change = next(
        unit for unit in units if unit.text.startswith('(a) For purposes of this Agreement, a "Change of Control"')
    )
    assert (change.label, change.section, change.path) == ("(a)", "12.3(a)", "line 143")
    assert not any("**" in unit.text for unit in units)


def test_damaged_texts_are_read_without_an_error():
    source = random.Random(7)
    whole = ("# A\n\n| a | b |\n|---|---|\n| 1 | “2” |\n\n1. One **two** [x](y)\n" * 5).encode()
    for _ in range(150):
        data = bytearray(whole)
        for _ in range(source.randrange(1, 30)):
            data[source.randrange(len(data))] = source.randrange(256)
        for name in ("x.md", "x.csv", "x.txt"):
            assert read(bytes(data), name, LIMITS).status == "read"


def test_a_page_number_before_a_clause_is_furniture_and_articles_on_one_line_are_cut():
    text = (
        "CONSULTING AGREEMENT made today. "
        + "It binds the parties. " * 40
        + "ARTICLE 1 SERVICES 1.1 Duties. The consultant shall serve."
        + "\n\n"
        "2 (c) The consultant will serve the company honestly.\n\n"
        "3 ARTICLE 2 TERMINATION 2.1 Notice. " + "Either party may end it. " * 40 + "2.2 Effect. All ends.\n"
    )
    parsed = read(text.encode(), "a.txt", Limits())
    units = [(unit.section, unit.text[:24], "footer" in unit.flags) for unit in parsed.views["final"]]
    assert ("1.1", "1.1 Duties. The consulta", False) in units
    assert ("", "2", True) in units
    assert ("1.1(c)", "(c) The consultant will ", False) in units
    assert ("2.2", "2.2 Effect. All ends.", False) in units
