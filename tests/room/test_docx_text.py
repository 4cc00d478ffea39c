"""The words of a Word file: what stands where, with which path, and that nothing is lost or read twice."""

from __future__ import annotations

import io
from pathlib import Path

import docx as python_docx
import pytest

from redwell.room.formats.docx import read
from redwell.room.types import Limits
from tests.room.docx_builder import W, docx, p, parse, parts, r, relationships, tbl, tc, texts, tr, xml, zipped

REFERENCE = '<w:r><w:footnoteReference w:id="{}"/></w:r>'


def units(body: str, **given: object) -> list[tuple[str, str]]:
    return [(unit.path, unit.text) for unit in parse(body, **given).views["final"]]


def field(instruction: str, result: str) -> str:
    def char(kind: str) -> str:
        return f'<w:r><w:fldChar w:fldCharType="{kind}"/></w:r>'

    code = f'<w:r><w:instrText xml:space="preserve"> {instruction} </w:instrText></w:r>'
    return char("begin") + code + char("separate") + (r(result) if result else "") + char("end")


def test_paragraphs_and_tables_are_counted_apart_and_controls_are_seen_through():
    control = f"<w:sdt><w:sdtPr/><w:sdtContent>{p('In a control.')}{p('Also.')}</w:sdtContent></w:sdt>"
    assert units(p("One.") + control + tbl(tr("a", "b")) + p("Four.")) == [
        ("body/p[1]", "One."),
        ("body/p[2]", "In a control."),
        ("body/p[3]", "Also."),
        ("body/tbl[1]/r1", "a | b"),
        ("body/p[4]", "Four."),
    ]


def test_runs_keep_tabs_breaks_hyphens_symbols_links_and_smart_tags():
    body = p(
        "a",
        "<w:r><w:tab/><w:t>b</w:t><w:br/><w:t>c</w:t><w:noBreakHyphen/><w:t>d</w:t><w:softHyphen/></w:r>",
        '<w:r><w:sym w:font="Wingdings" w:char="F0FE"/><w:sym w:font="Symbol" w:char="F0B3"/></w:r>',
        '<w:smartTag w:element="date"><w:r><w:t>e</w:t></w:r></w:smartTag><w:customXml><w:r><w:t>f</w:t></w:r></w:customXml>',
        '<w:bdo w:val="rtl"><w:r><w:t>g</w:t></w:r></w:bdo><w:dir w:val="rtl"><w:r><w:t>h</w:t></w:r></w:dir>',
        "<m:oMath><m:r><m:t>x=1</m:t></m:r></m:oMath>",
    )
    assert texts(parse(body)) == ["a\tb\nc-d☑≥efghx=1"]


def test_a_quote_across_a_footnote_reference_holds_and_the_note_says_where_it_belongs():
    footnotes = (
        '<w:footnote w:type="separator" w:id="-1"><w:p><w:r><w:separator/></w:r></w:p></w:footnote>'
        f'<w:footnote w:id="1">{p("<w:r><w:footnoteRef/></w:r>", " As in Schedule 2.")}{p("Second line.")}</w:footnote>'
        f'<w:footnote w:id="2">{p("Another.")}</w:footnote>'
    )
    parsed = parse(
        p("1.1 Net Working Capital", REFERENCE.format(1), " means cash", REFERENCE.format(2), ".") + p("After."),
        footnotes=footnotes,
    )
    assert [(unit.path, unit.text, unit.flags, unit.section) for unit in parsed.views["final"]] == [
        ("body/p[1]", "1.1 Net Working Capital means cash.", (), "1.1"),
        (
            "footnote[1]",
            '[Footnote 1 after "1.1 Net Working Capital"] As in Schedule 2.\nSecond line.',
            ("footnote",),
            "1.1",
        ),
        ("footnote[2]", '[Footnote 2 after "1.1 Net Working Capital means cash"] Another.', ("footnote",), "1.1"),
        ("body/p[2]", "After.", (), "1.1"),
    ]


def test_endnotes_take_their_own_form_of_number():
    endnotes = f'<w:endnote w:id="1">{p("See below.")}</w:endnote>'
    body = p("Text", '<w:r><w:endnoteReference w:id="1"/></w:r>')
    settings = '<w:endnotePr><w:numFmt w:val="upperLetter"/><w:numStart w:val="3"/></w:endnotePr>'
    assert texts(parse(body, endnotes=endnotes))[1] == '[Endnote i after "Text"] See below.'
    assert texts(parse(body, endnotes=endnotes, settings=settings))[1] == '[Endnote C after "Text"] See below.'


def test_comments_say_who_when_about_what_and_answer_each_other():
    comments = (
        '<w:comment w:id="1" w:author="Ann Lee" w:date="2024-03-01T09:00:00Z">'
        '<w:p w14:paraId="0A"><w:r><w:t>Too short.</w:t></w:r></w:p></w:comment>'
        '<w:comment w:id="2" w:author="Bob Ray" w:date="2024-03-02T09:00:00Z">'
        '<w:p w14:paraId="0B"><w:r><w:t>Agreed.</w:t></w:r></w:p></w:comment>'
    )
    extended = (
        xml("x", "")
        .replace("w:x", "w15:commentsEx")
        .replace(
            "></w15:commentsEx>",
            '><w15:commentEx w15:paraId="0A" w15:done="1"/><w15:commentEx w15:paraId="0B" w15:paraIdParent="0A" w15:done="0"/>'
            "</w15:commentsEx>",
        )
    )
    body = p(
        "1. Notice of ",
        '<w:commentRangeStart w:id="1"/>',
        "thirty",
        '<w:del w:id="5" w:author="x"><w:r><w:delText> (30)</w:delText></w:r></w:del>',
        " days",
        '<w:commentRangeEnd w:id="1"/><w:r><w:commentReference w:id="1"/></w:r>',
        ".",
    )
    parsed = parse(body, comments=comments, commentsExtended=extended)
    found = [unit for unit in parsed.views["final"] if unit.flags == ("comment",)]
    assert [(unit.path, unit.section, unit.text) for unit in found] == [
        ("comment[1]", "1", '[Comment by Ann Lee, 2024-03-01, on "thirty days", resolved] Too short.'),
        ("comment[2]", "1", '[Reply by Bob Ray, 2024-03-02, to Ann Lee, on "thirty days", resolved] Agreed.'),
    ]
    assert parsed.views["final"][0].text == "1. Notice of thirty days."
    assert parsed.metadata["comments"] == "2"


def test_headers_and_footers_come_once_each_and_unprinted_ones_are_hidden():
    section = (
        '<w:sectPr><w:headerReference w:type="default" r:id="x-header1.xml"/><w:headerReference w:type="first" r:id="x-header2.xml"/>'
        '<w:footerReference w:type="even" r:id="x-footer1.xml"/></w:sectPr>'
    )
    more = {
        "header1.xml": ("header", xml("hdr", p("CONFIDENTIAL"))),
        "header2.xml": ("header", xml("hdr", p("DRAFT"))),
        "footer1.xml": ("footer", xml("ftr", p("Page ", field("PAGE", "1")))),
    }
    body = p("Text.", properties=section) + section
    found = [(unit.path, unit.text, unit.flags) for unit in parse(body, more=more).views["final"]]
    assert found == [
        ("header[1]/p[1]", "CONFIDENTIAL", ("header",)),
        ("header[2]/p[1]", "DRAFT", ("header", "hidden")),
        ("body/p[1]", "Text.", ()),
        ("footer[1]/p[1]", "Page 1", ("footer", "hidden")),
    ]
    titled = body.replace("</w:sectPr>", "<w:titlePg/></w:sectPr>")
    parsed = parse(titled, more=more, settings="<w:evenAndOddHeaders/>")
    assert [unit.flags for unit in parsed.views["final"]] == [("header",), ("header",), (), ("footer",)]


def test_a_section_goes_on_with_the_headers_before_it():
    first = '<w:sectPr><w:headerReference w:type="first" r:id="x-header1.xml"/></w:sectPr>'
    more = {"header1.xml": ("header", xml("hdr", p("TITLE PAGE")))}
    parsed = parse(p("Text.", properties=first) + "<w:sectPr><w:titlePg/></w:sectPr>", more=more)
    assert [(unit.text, unit.flags) for unit in parsed.views["final"]] == [("TITLE PAGE", ("header",)), ("Text.", ())]


def test_numbers_that_the_file_does_not_store_are_told():
    parsed = parse(p("pay ", field("LISTNUM NumberDefault", ""), " fees"))
    assert (parsed.status, texts(parsed)) == ("read", ["pay  fees"])
    assert "LISTNUM" in parsed.problems[0]


def test_a_text_box_is_read_once_and_stands_after_its_paragraph():
    content = f"<w:txbxContent>{p('In the box.')}</w:txbxContent>"
    both = (
        "<w:r><mc:AlternateContent>"
        f'<mc:Choice Requires="wps"><w:drawing><wps:wsp><wps:txbx>{content}</wps:txbx></wps:wsp></w:drawing></mc:Choice>'
        f"<mc:Fallback><w:pict><v:shape><v:textbox>{content}</v:textbox></v:shape></w:pict></mc:Fallback>"
        "</mc:AlternateContent></w:r>"
    )
    parsed = parse(p("Before ", both, "after."))
    assert [(unit.path, unit.text, unit.flags) for unit in parsed.views["final"]] == [
        ("body/p[1]", "Before after.", ()),
        ("body/p[1]/textbox[1]/p[1]", "In the box.", ("textbox",)),
    ]


def test_a_choice_that_nobody_knows_falls_back():
    unknown = f'<mc:AlternateContent><mc:Choice Requires="zz">{r("new")}</mc:Choice><mc:Fallback>{r("old")}</mc:Fallback></mc:AlternateContent>'
    assert texts(parse(p("a ", unknown))) == ["a old"]


def test_a_watermark_drawn_as_a_shape_is_read():
    assert units(p('<w:r><w:pict><v:shape><v:textpath string="DRAFT 3"/></v:shape></w:pict></w:r>')) == [
        ("body/p[1]/textbox[1]", "DRAFT 3")
    ]


def test_short_rows_are_one_line_and_long_or_nested_cells_keep_their_paragraphs():
    long = "The fee is payable in advance. " * 20
    table = tbl(
        tr("Base Rent", "$10,000", ""),
        tr(tc(p("1 Main St"), p("London")), "x"),
        tr("Terms", tc(p(long), p("And more."))),
        tr("Nested", tc(tbl(tr("in", "side")), p("after"))),
        tr(tc(p("alone"))),
    )
    assert units(table) == [
        ("body/tbl[1]/r1", "Base Rent | $10,000 |"),
        ("body/tbl[1]/r2", "1 Main St London | x"),
        ("body/tbl[1]/r3c1/p[1]", "Terms"),
        ("body/tbl[1]/r3c2/p[1]", long.strip()),
        ("body/tbl[1]/r3c2/p[2]", "And more."),
        ("body/tbl[1]/r4c1/p[1]", "Nested"),
        ("body/tbl[1]/r4c2/tbl[1]/r1", "in | side"),
        ("body/tbl[1]/r4c2/p[1]", "after"),
        ("body/tbl[1]/r5c1/p[1]", "alone"),
    ]


def test_cells_inside_controls_and_spans_keep_their_column():
    wide = tc("wide", properties='<w:gridSpan w:val="2"/>')
    control = f"<w:sdt><w:sdtContent>{tc(p('x' * 500))}</w:sdtContent></w:sdt>"
    row = f"<w:tr>{wide}{control}</w:tr>"
    controlled_row = f"<w:sdt><w:sdtContent>{tr('a', 'b')}</w:sdtContent></w:sdt>"
    assert [path for path, _ in units(tbl(row, controlled_row))] == [
        "body/tbl[1]/r1c1/p[1]",
        "body/tbl[1]/r1c3/p[1]",
        "body/tbl[1]/r2",
    ]


def test_controls_show_their_text_or_their_state():
    checked = '<w:sdt><w:sdtPr><w14:checkbox><w14:checked w14:val="1"/></w14:checkbox></w:sdtPr><w:sdtContent/></w:sdt>'
    choice = f"<w:sdt><w:sdtPr><w:dropDownList/></w:sdtPr><w:sdtContent>{r('Delaware')}</w:sdtContent></w:sdt>"
    old_box = (
        '<w:r><w:fldChar w:fldCharType="begin"><w:ffData><w:checkBox><w:default w:val="0"/></w:checkBox></w:ffData></w:fldChar></w:r>'
        '<w:r><w:instrText> FORMCHECKBOX </w:instrText></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r>'
    )
    assert texts(parse(p(checked, " law of ", choice, " ", old_box, " no"))) == ["☒ law of Delaware ☐ no"]


def test_fields_show_their_result():
    body = p(
        "see Section ",
        field("REF _Ref1 \\r \\h", "8.2"),
        " with ",
        field("MERGEFIELD Buyer", ""),
        " and ",
        '<w:fldSimple w:instr="DOCPROPERTY Title"><w:r><w:t>Lease</w:t></w:r></w:fldSimple>',
    )
    assert texts(parse(body)) == ["see Section 8.2 with «Buyer» and Lease"]


def test_where_a_link_leads_is_a_unit_beside_the_text():
    body = p(
        "As in the ",
        f'<w:hyperlink r:id="h1">{r("Acceptable Use Policy")}</w:hyperlink>',
        " at ",
        f'<w:hyperlink r:id="h2">{r("www.example.com/terms")}</w:hyperlink>',
        " and ",
        field('HYPERLINK "https://example.com/dpa"', "the DPA"),
        ".",
    )
    links = {"h1": "https://example.com/aup", "h2": "http://www.example.com/terms"}
    found = units(body, links=links)
    assert found[0] == ("body/p[1]", "As in the Acceptable Use Policy at www.example.com/terms and the DPA.")
    assert found[1] == ("body/p[1]/link[1]", '[Link on "Acceptable Use Policy": https://example.com/aup]')
    assert found[-1] == ("body/p[1]/link[2]", '[Link on "the DPA": https://example.com/dpa]')
    assert len(found) == 3


def test_embedded_files_and_imported_parts_are_children_and_missing_ones_are_named():
    more: dict[str, tuple[str, str | bytes]] = {
        "embeddings/schedule.xlsx": ("package", b"PK-bytes"),
        "afchunk1.html": ("aFChunk", "<p>Imported</p>"),
        "media/logo.png": ("image", b"png"),
    }
    files = parts(p("Text."), more=more)
    files["word/_rels/document.xml.rels"] = str(files["word/_rels/document.xml.rels"]).replace(
        "</Relationships>",
        '<Relationship Id="z" Type="http://x/oleObject" Target="embeddings/gone.bin"/></Relationships>',
    )
    parsed = read(zipped(files), "x.docx", Limits())
    assert [(child.name, child.data) for child in parsed.children] == [
        ("schedule.xlsx", b"PK-bytes"),
        ("afchunk1.html", b"<p>Imported</p>"),
    ]
    assert parsed.unopened == [("gone.bin", "named in the file, but missing from it")]
    assert parsed.metadata["pictures_not_read"] == "1"


def test_a_picture_as_large_as_a_page_is_a_child():
    def picture(wide: float, high: float) -> str:
        size = f'<wp:extent cx="{int(wide * 914400)}" cy="{int(high * 914400)}"/>'
        blip = '<a:blip r:embed="x-media/scan.png"/>'
        return p(f"<w:r><w:drawing><wp:inline>{size}{blip}</wp:inline></w:drawing></w:r>")

    more: dict[str, tuple[str, str | bytes]] = {"media/scan.png": ("image", b"png")}
    assert [child.name for child in parse(picture(6.5, 9), more=more).children] == ["scan.png"]
    assert parse(picture(2, 1), more=more).children == []


def test_the_main_part_is_found_wherever_it_is():
    parsed = read(zipped(parts(p("Elsewhere."), main="odd/place.xml", styles="")), "x.docx", Limits())
    assert texts(parsed) == ["Elsewhere."]


def test_strict_files_are_read():
    files = {
        name: str(data)
        .replace(
            "http://schemas.openxmlformats.org/wordprocessingml/2006/", "http://purl.oclc.org/ooxml/wordprocessingml/"
        )
        .replace("http://schemas.openxmlformats.org/officeDocument/2006/", "http://purl.oclc.org/ooxml/officeDocument/")
        for name, data in parts(p("Strict."), footnotes=f'<w:footnote w:id="1">{p("n")}</w:footnote>').items()
    }
    assert texts(read(zipped(dict(files)), "x.docx", Limits())) == ["Strict."]


def test_parts_in_utf_16_are_read():
    files = parts(p("Zürich — 10²"))
    text = str(files["word/document.xml"]).replace("UTF-8", "UTF-16")
    files["word/document.xml"] = text.encode("utf-16")
    assert texts(read(zipped(files), "x.docx", Limits())) == ["Zürich — 10²"]


def test_properties_become_metadata():
    files = parts(p("x"))
    core = (
        '<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" '
        'xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/"><dc:title>Lease</dc:title>'
        "<dc:creator>Ann Lee</dc:creator><dcterms:created>2024-01-02T03:04:05Z</dcterms:created></cp:coreProperties>"
    )
    custom = (
        '<Properties xmlns="http://schemas.openxmlformats.org/officeDocument/2006/custom-properties" '
        'xmlns:vt="http://schemas.openxmlformats.org/officeDocument/2006/docPropsVTypes">'
        '<property pid="2" name="Matter"><vt:lpwstr>1234-5</vt:lpwstr></property></Properties>'
    )
    files |= {"docProps/core.xml": core, "docProps/custom.xml": custom}
    package = "http://schemas.openxmlformats.org/package/2006/relationships/metadata"
    office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    files["_rels/.rels"] = relationships(
        [
            ("a", f"{office}/officeDocument", "/word/document.xml"),
            ("b", f"{package}/core-properties", "docProps/core.xml"),
            ("c", f"{office}/custom-properties", "docProps/custom.xml"),
        ]
    )
    found = read(zipped(files), "x.docx", Limits()).metadata
    assert found == {
        "title": "Lease",
        "author": "Ann Lee",
        "created": "2024-01-02T03:04:05Z",
        "custom.Matter": "1234-5",
    }


def test_a_file_that_python_docx_wrote_reads_the_same():
    document = python_docx.Document()
    document.add_heading("Lease", 1)
    document.add_paragraph("Rent is due monthly.")
    table = document.add_table(rows=2, cols=2)
    for row, cells in enumerate((("Item", "Amount"), ("Rent", "$100"))):
        for column, text in enumerate(cells):
            table.cell(row, column).text = text
    document.add_paragraph("one", style="List Number")
    document.add_paragraph("two", style="List Number")
    out = io.BytesIO()
    document.save(out)
    parsed = read(out.getvalue(), "x.docx", Limits())
    assert texts(parsed) == ["Lease", "Rent is due monthly.", "Item | Amount", "Rent | $100", "1. one", "2. two"]
    assert parsed.views["final"][0].flags == ("heading",)
    assert parsed.status == "read"


def test_all_words_of_real_files_are_in_their_units(shared: Path):
    """Every word that stands in a text element of a real template is in some unit of it."""
    checked = 0
    for path in sorted(shared.glob("data/templates/*/template.docx")):
        parsed = read(path.read_bytes(), path.name, Limits())
        assert parsed.status == "read", (path, parsed.problems)
        squeezed = "".join("".join(unit.text.split()) for unit in parsed.views["final"])
        for paragraph in python_docx.Document(str(path)).element.body.iter(f"{{{W}}}p"):
            words = "".join("".join(t.text or "" for t in paragraph.iter(f"{{{W}}}t")).split())
            assert words in squeezed, (path.parent.name, words)
            checked += 1
    assert checked > 500


@pytest.mark.parametrize("body", ["", p(), "<w:sectPr/>", "<w:p/><w:tbl/><w:tbl><w:tr/></w:tbl>"])
def test_a_file_without_text_says_so(body: str):
    parsed = read(docx(body), "x.docx", Limits())
    assert (parsed.status, parsed.reason, parsed.views["final"]) == ("read", "it holds no text", [])


def test_descriptions_of_pictures_and_texts_in_field_codes_are_kept_beside_the_text():
    picture = (
        '<w:r><w:drawing><wp:inline><wp:docPr id="1" name="P" descr="A map of the site"/></wp:inline></w:drawing></w:r>'
    )
    field = '<w:fldSimple w:instr=" IF 1 = 1 &quot;said in a code&quot; &quot;x&quot; "><w:r><w:t>seen</w:t></w:r></w:fldSimple>'
    parsed = parse(p("Text", picture) + p(field))
    assert parsed.metadata == {"descriptions": "A map of the site", "field_texts": "said in a code"}
    assert texts(parsed) == ["Text", "seen"]
