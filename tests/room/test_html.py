"""HTML as a browser shows it: blocks, rows, and what it hides."""

from __future__ import annotations

import random

import pytest

from redwell.room.formats.html import read
from redwell.room.types import Limits, Parsed
from tests.room.office_files import shown, unit

LIMITS = Limits()


def parse(html: str | bytes) -> Parsed:
    return read(html.encode("utf-8") if isinstance(html, str) else html, "x.html", LIMITS)


def texts(html: str) -> list[str]:
    return [entry.text for entry in parse(html).views["final"]]


def test_blocks_are_units_and_white_space_is_as_shown():
    parsed = parse(
        "<html><head><title> The\n Agreement </title></head><body><h1>1. Term</h1>\n<p>The <b>Prov</b>ider\n shall&nbsp;pay<br>  at once.</p>loose "
        "<i>words</i><div>One<p>Two</p>Three</div><pre>a  b\nc</pre></body></html>"
    )
    assert shown(parsed) == [
        ("title", "The Agreement"),
        ("block 1", "1. Term"),
        ("block 2", "The Provider shall pay\nat once."),
        ("block 3", "loose words"),
        ("block 4", "One"),
        ("block 5", "Two"),
        ("block 6", "Three"),
        ("block 7", "a  b\nc"),
    ]
    assert unit(parsed, "block 1").flags == ("heading",)
    assert parsed.metadata["title"] == "The Agreement"


def test_two_line_breaks_part_paragraphs():
    assert texts("<div>First<br><br>Second<br>line</div>") == ["First", "Second\nline"]


def test_data_tables_are_rows_with_their_header():
    parsed = parse(
        "<table><tr><th>Customer</th><th colspan=2>ARR</th><th></th></tr><tr><td>Meridian</td><td>$</td><td>12,400</td><td></td></tr>"
        "<tr><td>Credit</td><td>$</td><td>(420</td><td>)</td></tr><tr><td>Share</td><td></td><td>30.1</td><td>%</td></tr></table>"
    )
    assert shown(parsed) == [
        ("table 1/row 1", "Customer | ARR"),
        ("table 1/row 2", "Meridian | $12,400"),
        ("table 1/row 3", "Credit | $(420)"),
        ("table 1/row 4", "Share |  | 30.1%"),
    ]
    assert unit(parsed, "table 1/row 2").label == "Customer | ARR"


def test_a_clause_number_in_a_cell_of_its_own_joins_its_words():
    parsed = parse("<table><tr><td>(a)</td><td>by wire; or</td></tr><tr><td>(b)</td><td>by cheque.</td></tr></table>")
    assert [(entry.text, entry.label) for entry in parsed.views["final"]] == [
        ("(a) by wire; or", "(a)"),
        ("(b) by cheque.", "(b)"),
    ]


def test_layout_tables_are_read_as_blocks():
    assert texts(
        "<table><tr><td><table><tr><td>a</td><td>b</td></tr></table></td><td><p>one</p><p>two</p></td></tr></table>"
    ) == [
        "a | b",
        "one",
        "two",
    ]


def test_rows_keep_their_columns_under_a_cell_that_reaches_down():
    parsed = parse(
        "<table><tr><th>Region</th><th>Year</th><th>ARR</th></tr><tr><td rowspan=2>North</td><td>2024</td><td>5</td></tr>"
        "<tr><td>2025</td><td>6</td></tr></table>"
    )
    assert unit(parsed, "table 1/row 3").text == "2025 | 6"
    assert unit(parsed, "table 1/row 3").label == "Year | ARR"


def test_list_items_have_their_printed_numbers():
    parsed = parse(
        "<ol><li>One</li><li><p>Two</p><p>More</p><ol type=a><li>Sub</li></ol></li></ol><ul><li>Dot</li></ul><ol start=5 type=I><li>Five</li></ol>"
    )
    assert [(entry.text, entry.label) for entry in parsed.views["final"]] == [
        ("One", "1."),
        ("Two", "2."),
        ("More", ""),
        ("Sub", "a."),
        ("Dot", ""),
        ("Five", "V."),
    ]


@pytest.mark.parametrize(
    "hidden",
    [
        '<p style="display:none">secret</p>',
        '<p style="DISPLAY : none !important">secret</p>',
        '<p style="visibility:hidden">secret</p>',
        "<p hidden>secret</p>",
        '<p aria-hidden="true">secret</p>',
        '<p style="font-size:0">secret</p>',
        '<p style="font-size:1px">secret</p>',
        '<p style="opacity:0">secret</p>',
        '<p style="color:#fff">secret</p>',
        '<p style="color:white">secret</p>',
        '<p style="color:rgb(255, 255, 255)">secret</p>',
        '<p style="color:transparent">secret</p>',
        '<font color="#FFFFFF">secret</font>',
        '<div style="background:#eeeeee"><span style="color:#eee">secret</span></div>',
        '<p style="text-indent:-9999px">secret</p>',
        '<p style="position:absolute;left:-5000px">secret</p>',
        '<p style="mso-hide:all">secret</p>',
        "<style>.x{display:none}</style><p class='a x'>secret</p>",
        "<style>p#y, b {visibility:hidden} @media print {div{color:red}}</style><b>secret</b>",
        '<div style="display:none"><p>sec<b>ret</b></p></div>',
        "<template><p>secret</p></template>",
    ],
)
def test_what_a_reader_does_not_see_is_kept_and_flagged(hidden: str):
    parsed = parse(f"<body><p>Seen</p>{hidden}<p>Seen too</p></body>")
    assert [(entry.text, entry.flags) for entry in parsed.views["final"]] == [
        ("Seen", ()),
        ("secret", ("hidden",)),
        ("Seen too", ()),
    ]


@pytest.mark.parametrize(
    "shown_text",
    [
        '<div style="background-color:#000"><span style="color:#fff">words</span></div>',
        '<table bgcolor="#003366"><tr><td><font color="white">words</font></td></tr></table>',
        '<p style="font-size:9pt;color:#333">words</p>',
        "<style>@media print {.x{display:none}}</style><p class=x>words</p>",
        '<p style="position:absolute;left:-5px">words</p>',
    ],
)
def test_what_a_reader_sees_is_not_flagged(shown_text: str):
    assert [(entry.text, entry.flags) for entry in parse(shown_text).views["final"]] == [("words", ())]


def test_a_hidden_word_does_not_break_the_sentence_around_it():
    parsed = parse('<p>The price is <span style="display:none">not</span>$5.</p>')
    assert [(entry.text, entry.flags) for entry in parsed.views["final"]] == [
        ("The price is $5.", ()),
        ("not", ("hidden",)),
    ]


def test_hidden_words_in_a_table_follow_their_row():
    parsed = parse('<table><tr><td>Cap</td><td>$1<span style="display:none">000</span></td></tr></table>')
    assert shown(parsed) == [("table 1/row 1", "Cap | $1"), ("table 1/row 1/hidden", "000")]


def test_struck_and_inserted_words_give_three_views():
    parsed = parse("<p>Within <del>10</del><ins>30</ins> days</p><p><s>Gone</s></p><p>Same</p>")
    assert [text for _, text in shown(parsed)] == ["Within 30 days", "Same"]
    assert [text for _, text in shown(parsed, "original")] == ["Within 10 days", "Gone", "Same"]
    assert [text for _, text in shown(parsed, "marked")] == ["Within 1030 days", "Gone", "Same"]
    assert parsed.views["marked"][1].flags == ("deleted",)


def test_link_targets_that_are_not_shown_follow_their_block():
    parsed = parse(
        '<p>See <a href="https://x.example/terms">the terms</a>, <a href="#top">top</a>, <a href="https://y.example">https://y.example</a>.</p>'
    )
    assert shown(parsed) == [
        ("block 1", "See the terms, top, https://y.example."),
        ("block 1/links", "the terms -> https://x.example/terms"),
    ]


def test_scripts_and_styles_are_left_out_and_counted():
    parsed = parse("<script>var a='no';</script><style>p{color:red}</style><p>yes</p><script src=x></script>")
    assert [text for _, text in shown(parsed)] == ["yes"]
    assert parsed.metadata["scripts"] == "2"
    assert parsed.problems == ["it has scripts, which were not run"]


@pytest.mark.parametrize(
    ("data", "encoding"),
    [
        ('<meta charset="windows-1251"><p>Договор</p>'.encode("cp1251"), "cp1251"),
        (
            '<meta http-equiv="Content-Type" content="text/html; charset=Shift_JIS"><p>Договор</p>'.encode("shift_jis"),
            "shift_jis",
        ),
        ('<meta charset="iso-8859-1"><p>Договор</p>'.encode(), "utf-8"),
        ("<p>Договор</p>".encode("utf-16"), "utf-16-le"),
    ],
)
def test_the_stated_charset_is_used_when_it_fits_the_bytes(data: bytes, encoding: str):
    parsed = parse(data)
    assert parsed.metadata["encoding"] == encoding
    assert shown(parsed) == [("block 1", "Договор")]


def test_clauses_have_their_sections():
    parsed = parse(
        "<p>1. LIABILITY</p><p>1.1 Cap. The cap is $5.</p><p>(a) always;</p><p>(b) never.</p><p>1.2 Rest.</p>"
    )
    assert [entry.section for entry in parsed.views["final"]] == ["1", "1.1", "1.1(a)", "1.1(b)", "1.2"]


def test_words_nested_too_deeply_are_said_to_be_lost():
    parsed = parse("<p>seen</p>" + "<div>" * 6000 + "deep" + "</div>" * 6000)
    assert parsed.status == "partly_read"
    assert "nested too deeply" in parsed.reason


def test_damaged_pages_are_read_without_an_error():
    source = random.Random(3)
    whole = (
        b"<html><head><title>t</title><style>.x{display:none}</style></head><body><ol><li>a<table><tr><th>b<td>c</table></ol>"
        b"<p style='color:#fff'>d <del>e</del> <a href='http://x'>f</a></p></body></html>"
    ) * 3
    for _ in range(300):
        data = bytearray(whole)
        for _ in range(source.randrange(1, 40)):
            data[source.randrange(len(data))] = source.randrange(256)
        assert read(bytes(data), "x.html", LIMITS).kind == "html"


def test_comments_of_the_source_are_no_part_of_the_page_and_kept_beside_it():
    parsed = parse(
        "<html><!--[if mso]>x<![endif]--><body><p>Seen<!-- Not\n seen. --> by all</p><!-- --><!-- left open <p>x</p></body></html>"
    )
    assert parsed.metadata["comments"] == "Not seen.\nleft open <p>x</p></body></html>"
    assert next(entry.text for entry in parsed.views["final"]) == "Seen by all"
    many = parse("<p>a</p>" + "<!-- " * 200_000)
    assert len(many.metadata.get("comments", "")) <= 4_000
