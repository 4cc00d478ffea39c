"""One report, four renderings: the same words in each, and nothing from a document is obeyed by any."""

import io
import json
import re
import zipfile
from dataclasses import replace

import pytest
from docx import Document
from lxml import etree, html
from report_room import cited, make_room

from redwell.diligence.deal import Deal
from redwell.diligence.deliver import write_report
from redwell.diligence.layout import layout
from redwell.diligence.recheck import recheck, workbook_faults
from redwell.diligence.render_markdown import escape, render_markdown
from redwell.diligence.report import Basis, Entry, Exposure, Missing, NoneFound, Report, Row, Unread
from redwell.diligence.wording import exposure_line, money, percent
from redwell.room.room import Room

pytestmark = pytest.mark.xdist_group("renderings")

EVIL = (
    'The supplier\'s <script>alert(1)</script> name is =HYPERLINK("http://evil.example") | `code` *bold* and ends here.'
)
W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"


@pytest.fixture(scope="module")
def room(tmp_path_factory) -> Room:
    return make_room(tmp_path_factory.mktemp("room"))


@pytest.fixture(scope="module")
def report(room: Room) -> Report:
    lease = cited(room, "lease.txt", "Tenant shall not assign this Lease without Landlord's prior written consent.")
    letter = cited(room, "letter.txt", "We have not been asked for any consent to an assignment of the Lease.")
    evil = cited(room, "notice.txt", EVIL)
    exposure = Exposure(500_000.0, 624_000.0, 700_000.0, "USD", "12 months x $52,000")
    none = Exposure(not_quantified="no figure in the documents")
    return Report(
        entries=[
            Entry(
                "F-001",
                "Hostile words in a notice",
                EVIL,
                "Data room integrity",
                "Low",
                "direct",
                (evil,),
                none,
                "Ask <b>who</b> wrote it",
            ),
            Entry(
                "F-002",
                "Landlord consent",
                "Consent is needed.",
                "Real estate",
                "High",
                "cross-document",
                (lease, letter),
                exposure,
                "Ask",
            ),
        ],
        missing=[
            Missing("M-001", "Estoppel certificate", "a lease is in the room", "all folders", "Real estate", (lease,))
        ],
        none_found=[NoneFound("Tax audits", "Tax", "all three documents")],
        rows=[Row("consents", {"Contract": "Lease", "From": "Landlord"}, (lease,))],
        summary="The lease (F-002) drives the deal.\n\n- First point\n- Second point",
        sections={"Real estate": "One lease."},
    )


@pytest.fixture(scope="module")
def basis(room: Room) -> Basis:
    return Basis(
        room="papers",
        read_at="2026-03-02",
        accounting=room.accounting(),
        coverage=0.996,
        unread=(Unread("letter.txt", 12, 90, "the call failed: timeout"),),
        failures=("1 × timeout: no answer",),
        usage=({"role": "sub", "model": "reader", "calls": 3, "failed": 1, "input": 10, "output": 5, "cost": None},),
        versions={"redwell": "0.1.0"},
        reasons=False,
    )


@pytest.fixture(scope="module")
def files(report: Report, basis: Basis, room: Room, tmp_path_factory) -> dict[str, bytes]:
    deal = Deal(target="Larkfield", buyer="Wrenmoor", structure="share purchase", price=120_000_000)
    paths = write_report(report, basis, deal, room, tmp_path_factory.mktemp("out"), ("memo.docx", "../escape.md"))
    return {path.name: path.read_bytes() for path in paths}


def test_all_renderings_are_written_and_nothing_outside_the_folder(files):
    assert set(files) == {
        "report.html",
        "report.docx",
        "report.xlsx",
        "report.md",
        "report.json",
        "red-flags-report.md",
        "memo.docx",
    }
    assert files["red-flags-report.md"] == files["report.md"]


def test_html_shows_markup_from_documents_as_text(files):
    page = html.fromstring(files["report.html"])
    assert len(page.xpath("//script")) == 1
    assert "alert(1)" not in page.xpath("string(//script)")
    assert any("<script>alert(1)</script>" in text for text in page.xpath("//blockquote//text()"))
    assert "Ask <b>who</b> wrote it" in page.text_content()


def test_html_forbids_every_request(files):
    page = html.fromstring(files["report.html"])
    assert page.xpath("//meta[@http-equiv='Content-Security-Policy']/@content")[0].startswith("default-src 'none'")
    assert page.xpath("//@src") == []
    assert [link for link in page.xpath("//@href") if not link.startswith("#")] == []


def test_each_citation_in_html_opens_a_source_with_exactly_the_quoted_words_marked(files, report):
    page = html.fromstring(files["report.html"])
    numbers = page.xpath("//a[@data-cite]/@data-cite")
    assert numbers
    for number in numbers:
        [source] = page.xpath(f"//div[@id='c{number}']")
        [mark] = source.xpath(".//mark")
        quote = report.cited()[int(number) - 1].citation.quote
        assert mark.text_content() == quote


def test_every_inner_link_of_html_has_a_target(files):
    page = html.fromstring(files["report.html"])
    anchors = set(page.xpath("//@id"))
    assert {link[1:] for link in page.xpath("//a/@href")} <= anchors


def test_word_has_real_footnotes_with_the_words_and_opens_again(files):
    document = Document(io.BytesIO(files["report.docx"]))
    text = "\n".join(paragraph.text for paragraph in document.paragraphs)
    assert "Landlord consent" in text
    with zipfile.ZipFile(io.BytesIO(files["report.docx"])) as package:
        notes = etree.fromstring(package.read("word/footnotes.xml"))
        body = etree.fromstring(package.read("word/document.xml"))
    written = {note.get(W + "id"): "".join(note.itertext()) for note in notes}
    referred = [reference.get(W + "id") for reference in body.iter(W + "footnoteReference")]
    assert referred
    assert set(referred) <= set(written)
    assert len(referred) == len(set(referred))
    assert any("Tenant shall not assign this Lease" in words for words in written.values())


def test_word_keeps_formulas_as_text(files):
    with zipfile.ZipFile(io.BytesIO(files["report.docx"])) as package:
        body = package.read("word/document.xml").decode()
    assert "=HYPERLINK" in body
    assert "http://evil.example" not in package_relationships(files["report.docx"])


def package_relationships(data: bytes) -> str:
    with zipfile.ZipFile(io.BytesIO(data)) as package:
        return "".join(package.read(name).decode() for name in package.namelist() if name.endswith(".rels"))


def test_markdown_escapes_what_would_be_markup(files):
    text = files["report.md"].decode()
    assert "<script>" not in re.sub(r"\\<", "", text)
    assert "\\*bold\\*" in text
    assert "| F-002 | High |" in text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("# no heading", "\\# no heading"),
        ("1. no list", "1\\. no list"),
        ("a\n\nb", "a b"),
        ("a|b", "a\\|b"),
        ("[x](y)", "\\[x\\](y)"),
    ],
)
def test_escape(text, expected):
    assert escape(text) == expected


def test_json_holds_everything_and_checks_out_against_the_room(files, room):
    data = json.loads(files["report.json"])
    result = recheck(data, room)
    assert (result.citations, result.hold, result.faults) == (5, 5, [])
    assert [entry["id"] for entry in data["entries"]] == ["F-002", "F-001"]


def test_recheck_finds_a_quote_that_was_altered_and_a_span_that_was_moved(files, room):
    data = json.loads(files["report.json"])
    data["entries"][0]["citations"][0]["quote"] = (
        "Tenant shall assign this Lease without Landlord's prior written consent."
    )
    data["entries"][0]["citations"][1]["spans"][0]["start"] += 1
    result = recheck(data, room)
    assert result.hold == 3
    assert "is not in" in result.faults[0]
    assert "not where the report says" in result.faults[1]


def test_recheck_finds_a_quote_that_was_altered_in_the_workbook(files):
    data = json.loads(files["report.json"])
    assert workbook_faults(data, files["report.xlsx"]) == []
    altered = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(files["report.xlsx"])) as old, zipfile.ZipFile(altered, "w") as new:
        for name in old.namelist():
            new.writestr(name, old.read(name).replace(b"Tenant shall not assign", b"Tenant shall assign"))
    [fault] = workbook_faults(data, altered.getvalue())
    assert "Tenant shall not assign this Lease" in fault
    assert workbook_faults(data, b"PK no workbook") != []


def test_recheck_of_something_else_than_a_report_is_a_fault():
    assert recheck({"hello": 1}, None).faults


def test_the_report_says_what_it_rests_on(files):
    text = files["report.md"].decode()
    for words in (
        "made without a language model",
        "Only 99.6% of the readable text was read",
        "12 of 90",
        "the call failed: timeout",
        "1 × timeout",
        "unknown",
        "99.6%",
        "3 files found, 3 read",
    ):
        assert words in text


def test_the_same_findings_in_each_rendering(files, report, basis, room):
    laid = layout(report, basis, Deal(), room)
    assert len(laid.sources) == 3
    for name in ("report.html", "report.md"):
        text = html.fromstring(files[name]).text_content() if name.endswith("html") else files[name].decode()
        for title in ("Landlord consent", "Estoppel certificate", "Tax audits", "First point"):
            assert title in text


@pytest.mark.parametrize(
    ("value", "currency", "shown"),
    [
        (12_400_000, "USD", "$12.4M"),
        (350_000, "EUR", "€350,000"),
        (1_250_000_000, "GBP", "£1.25bn"),
        (999, "CHF", "CHF 999"),
        (120_000_000, "USD", "$120M"),
    ],
)
def test_money(value, currency, shown):
    assert money(value, currency) == shown


def test_exposure_without_a_figure_says_why():
    assert exposure_line(Exposure(not_quantified="no price is given.")) == "Not quantified: no price is given."


@pytest.mark.parametrize(("share", "shown"), [(1.0, "100%"), (0.99999, "99.9%"), (0.5, "50.0%"), (0.0, "0.0%")])
def test_only_all_is_a_hundred_percent(share, shown):
    assert percent(share) == shown


def test_a_rendering_that_fails_does_not_take_the_others_along(report, basis, room, tmp_path, monkeypatch):
    def broken(_layout):
        raise ValueError("out of ink")

    monkeypatch.setattr("redwell.diligence.deliver.render_docx", broken)
    paths = write_report(report, basis, Deal(), room, tmp_path)
    names = {path.name for path in paths}
    assert {"report.html", "report.xlsx", "report.md", "report.json", "not-rendered.txt"} <= names
    assert "report.docx" not in names
    assert "out of ink" in (tmp_path / "not-rendered.txt").read_text()


def test_without_a_deal_file_the_report_does_not_speak_of_one(report, basis, room):
    text = render_markdown(layout(report, basis, Deal(), room))
    assert "Neither the buyer nor the target has been named." in text
    assert "What was not given was taken from the room or assumed:" in text
    assert "deal file" not in text


def test_one_is_told_as_one(report, basis, room):
    account = replace(basis.accounting, found=1, documents=1)
    text = render_markdown(layout(report, replace(basis, accounting=account), Deal(), room))
    for words in (
        "1 file found, 3 read (1 document).",
        "1 document was not read in full; Annex A names it.",
        "1 consent, notice or approval is listed",
    ):
        assert words in text.replace("\\", "")
    assert re.findall(r"\b1 (?:files|documents|different documents|consents)\b", text) == []


def test_a_name_that_ends_in_a_full_stop_ends_the_sentence(report, basis, room):
    text = render_markdown(layout(report, basis, Deal(target="Larkfield Instruments, Inc."), room))
    assert "The buyer is to acquire Larkfield Instruments, Inc.\n" in text
    merger = Deal(target="Larkfield Instruments, Inc.", structure="merger")
    assert "to acquire Larkfield Instruments, Inc. by merger. A merger" in render_markdown(
        layout(report, basis, merger, room)
    )


def test_money_at_risk_twice_is_counted_once(report, basis, room):
    def entry(number: int, base: float, of: str) -> Entry:
        exposure = Exposure(base, base, base, "USD", "x", "", of)
        return Entry(f"F-{number:03d}", f"Issue {number}", "c", "Contracts", "High", "direct", (), exposure, "s")

    twice = Report(
        entries=[
            entry(1, 5_100_000, "Kestrel: revenue"),
            entry(2, 4_700_000, "kestrel: Revenue"),
            entry(3, 300_000, ""),
        ]
    )
    text = render_markdown(layout(twice, basis, Deal(), room))
    assert "the same money counted once: **$5.4M**" in text


def test_with_hardly_anything_read_no_view_and_no_absence_is_stated(report, basis, room):
    text = render_markdown(layout(report, replace(basis, coverage=0.02), Deal(), room))
    assert "No view can be given: only 2.0% of the readable text was read." in text
    assert "Tax audits: cannot be said; only 2.0% of the readable text was read." in text
    assert "none found" not in text


def test_a_report_says_what_a_slow_language_model_was_shown_and_who_read_the_rest(report, basis, room, tmp_path):
    part = replace(basis, coverage=1.0, unread=(), shown=0.25, models={"root": "playbook", "sub": "local:small"})
    document = room.documents()[0]
    line = {"path": document.path, "kind": "text", "status": "read", "length": 90, "read": 1.0, "by_rules": 0.75}
    paths = write_report(report, replace(part, documents=(line,)), Deal(target="Larkfield"), room, tmp_path, ())
    text = next(path for path in paths if path.name == "report.md").read_text(encoding="utf-8")
    assert (
        text.count("The language model local:small was shown 25.0% of the readable text") == 2
    )  # first page and Annex A
    assert "The other 75.0% that was read was read by rules alone" in text
    assert "100%, 75.0% by rules alone" in text
    assert "made without a language model" not in text
