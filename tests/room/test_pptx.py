"""Presentations: every word of every slide, in its shape, with what the audience does not see flagged."""

from __future__ import annotations

import io
import random
import zipfile
from typing import Any

import pytest
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.util import Inches

from redwell.room.formats.pptx import read
from redwell.room.types import Limits, Parsed, Unreadable
from tests.room.office_files import changed, presentation, shown, unit, workbook, zipped

LIMITS = Limits()
DRAWING = 'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"'
PNG = (
    b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x00\x00\x00\x00:~\x9bU"
    b"\x00\x00\x00\nIDATx\x9cc`\x00\x00\x00\x02\x00\x01H\xaf\xa4q\x00\x00\x00\x00IEND\xaeB`\x82"
)


def parse(data: bytes) -> Parsed:
    return read(data, "x.pptx", LIMITS)


def board_deck(deck: Any) -> None:
    slide = deck.slides.add_slide(deck.slide_layouts[1])
    slide.shapes.title.text = "Business highlights"
    slide.placeholders[1].text = "ARR of $41.2M\nChurn is low"
    slide.notes_slide.notes_text_frame.text = "Do not mention Harbor Foods."
    outer = slide.shapes.add_group_shape()
    outer.shapes.add_textbox(0, 0, Inches(1), Inches(1)).text_frame.text = "in a group"
    inner = outer.shapes.add_group_shape()
    inner.shapes.add_textbox(0, 0, Inches(1), Inches(1)).text_frame.text = "in a group in a group"
    table = slide.shapes.add_table(2, 2, 0, 0, Inches(3), Inches(1)).table
    for at, words in enumerate(["Customer", "ARR", "Meridian", "$12.4M"]):
        table.cell(at // 2, at % 2).text = words
    data = CategoryChartData()
    data.categories = ["2024", "2025"]
    data.add_series("ARR, $M", (34.1, 41.2))
    chart = slide.shapes.add_chart(XL_CHART_TYPE.COLUMN_CLUSTERED, 0, 0, Inches(3), Inches(3), data).chart
    chart.has_title = True
    chart.chart_title.text_frame.text = "Growth"
    second = deck.slides.add_slide(deck.slide_layouts[5])
    second.shapes.title.text = "Backup: concentration"
    second._element.set("show", "0")
    third = deck.slides.add_slide(deck.slide_layouts[6])
    third.shapes.add_textbox(
        Inches(1), Inches(1), Inches(2), Inches(1)
    ).text_frame.text = "On the slide, for all to see"
    third.shapes.add_textbox(Inches(30), 0, Inches(2), Inches(1)).text_frame.text = "Beyond the edge"


def test_every_word_stands_in_its_shape():
    parsed = parse(presentation(board_deck))
    assert shown(parsed) == [
        ("slide 1/shape 1", "Business highlights"),
        ("slide 1/shape 2", "ARR of $41.2M\nChurn is low"),
        ("slide 1/shape 4", "in a group"),
        ("slide 1/shape 6", "in a group in a group"),
        ("slide 1/shape 7/row 1", "Customer | ARR"),
        ("slide 1/shape 7/row 2", "Meridian | $12.4M"),
        ("slide 1/shape 8/chart/text", "Growth"),
        ("slide 1/shape 8/chart/series 1", "ARR, $M | 2024: 34.1 | 2025: 41.2"),
        ("slide 1/notes", "Do not mention Harbor Foods."),
        ("slide 2/shape 1", "Backup: concentration"),
        ("slide 3/shape 1", "On the slide, for all to see"),
        ("slide 3/shape 2", "Beyond the edge"),
    ]
    assert unit(parsed, "slide 1/shape 1").flags == ("heading",)
    assert unit(parsed, "slide 1/shape 7/row 2").label == "Customer | ARR"
    assert parsed.pages == 3


def test_what_the_audience_does_not_see_is_flagged():
    parsed = parse(presentation(board_deck))
    assert [entry.path for entry in parsed.views["final"] if "hidden" in entry.flags] == [
        "slide 2/shape 1",
        "slide 3/shape 2",
    ]
    assert parsed.metadata["hidden_slides"] == "2"


def test_words_in_no_known_shape_are_still_read():
    stray = f"<p:sp><p:nvSpPr/><p:spPr/></p:sp><p:strange {DRAWING}><a:p><a:r><a:t>Stray words</a:t></a:r></a:p></p:strange></p:spTree>"
    data = changed(presentation(board_deck), {"ppt/slides/slide3.xml": lambda text: text.replace("</p:spTree>", stray)})
    assert ("slide 3/other", "Stray words") in shown(parse(data))


def test_line_breaks_fields_and_alternate_content():
    body = (
        f'<mc:AlternateContent xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" {DRAWING}>'
        '<mc:Choice Requires="x"><p:sp><p:nvSpPr><p:cNvPr id="9" name="n"/></p:nvSpPr><p:txBody><a:p><a:r><a:t>one</a:t></a:r><a:br/><a:r><a:t>two</a:t></a:r>'
        '<a:fld type="slidenum"><a:t>7</a:t></a:fld></a:p></p:txBody></p:sp></mc:Choice>'
        "<mc:Fallback><p:sp><p:txBody><a:p><a:r><a:t>one</a:t></a:r><a:br/><a:r><a:t>two</a:t></a:r></a:p></p:txBody></p:sp></mc:Fallback>"
        "</mc:AlternateContent></p:spTree>"
    )
    data = changed(presentation(board_deck), {"ppt/slides/slide3.xml": lambda text: text.replace("</p:spTree>", body)})
    assert shown(parse(data))[-1] == ("slide 3/shape 3", "one\ntwo")


def test_comments_old_and_new_name_their_authors():
    p = 'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"'
    kind = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/"

    def with_link(name: str, target: str) -> Any:
        return lambda text: text.replace(
            "</Relationships>",
            f'<Relationship Id="rX{len(target)}" Type="{kind}{name}" Target="{target}"/></Relationships>',
        )

    data = changed(
        presentation(board_deck),
        {
            "ppt/_rels/presentation.xml.rels": with_link("commentAuthors", "commentAuthors.xml"),
            "ppt/slides/_rels/slide2.xml.rels": with_link("comments", "../comments/comment1.xml"),
            "ppt/slides/_rels/slide3.xml.rels": with_link("comments", "../comments/modern.xml"),
            "ppt/commentAuthors.xml": f'<p:cmAuthorLst {p}><p:cmAuthor id="0" name="Ann Lee"/></p:cmAuthorLst>',
            "ppt/comments/comment1.xml": f'<p:cmLst {p}><p:cm authorId="0"><p:text>Is 30% right?</p:text></p:cm></p:cmLst>',
            "ppt/comments/modern.xml": f'<m:cmLst xmlns:m="x" {DRAWING}><m:cm authorId="0"><m:replyLst><m:reply authorId="9"><m:txBody><a:p><a:r><a:t>Yes</a:t></a:r></a:p></m:txBody></m:reply></m:replyLst>'
            "<m:txBody><a:p><a:r><a:t>Sure?</a:t></a:r></a:p></m:txBody></m:cm></m:cmLst>",
        },
    )
    comments = [entry for entry in parse(data).views["final"] if entry.flags == ("comment",)]
    assert [(entry.path, entry.text) for entry in comments] == [
        ("slide 2/comment 1", "Ann Lee: Is 30% right?"),
        ("slide 3/comment 1", "Ann Lee: Sure?"),
        ("slide 3/comment 2", "Yes"),
    ]


def test_words_that_a_layout_prints_are_read_once():
    box = f'<p:sp><p:nvSpPr><p:cNvPr id="99" name="n"/><p:cNvSpPr/><p:nvPr/></p:nvSpPr><p:spPr/><p:txBody {DRAWING}><a:p><a:r><a:t>Strictly confidential</a:t></a:r></a:p></p:txBody></p:sp></p:spTree>'
    data = changed(
        presentation(board_deck), {"ppt/slideLayouts/slideLayout2.xml": lambda text: text.replace("</p:spTree>", box)}
    )
    found = [entry for entry in parse(data).views["final"] if entry.text == "Strictly confidential"]
    assert [entry.flags for entry in found] == [("footer",)]
    assert not any("Click to edit" in entry.text for entry in parse(data).views["final"])


def test_embedded_files_and_scanned_slides_are_children():
    inside = workbook(lambda book: book.add_worksheet("S").write("A1", "inside"))

    def fill(deck: Any) -> None:
        slide = deck.slides.add_slide(deck.slide_layouts[6])
        slide.shapes.add_ole_object(
            io.BytesIO(inside), "Excel.Sheet.12", 0, 0, Inches(1), Inches(1), icon_file=io.BytesIO(PNG)
        )
        scan = deck.slides.add_slide(deck.slide_layouts[6])
        scan.shapes.add_picture(io.BytesIO(PNG), 0, 0)

    parsed = parse(presentation(fill))
    children = {child.name: child.data for child in parsed.children}
    assert inside in children.values()
    assert any(name.startswith("slide 2 ") and name.endswith(".png") and data == PNG for name, data in children.items())


def test_a_damaged_slide_costs_only_itself():
    data = changed(presentation(board_deck), {"ppt/slides/slide2.xml": "<p:sld"})
    parsed = parse(data)
    assert parsed.status == "partly_read"
    assert parsed.reason.startswith("slide 2: its part ppt/slides/slide2.xml is not well-formed XML")
    assert ("slide 3/shape 1", "On the slide, for all to see") in shown(parsed)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"PK\x03\x04 cut", "not a whole zip"),
        (zipped({"ppt/presentation.xml": "<other/>"}), "not a presentation"),
        (zipped({"ppt/presentation.xml": "<!DOCTYPE a><p/>"}), "document type"),
    ],
)
def test_what_is_no_presentation_is_refused(data: bytes, words: str):
    with pytest.raises(Unreadable, match=words):
        parse(data)


def test_damaged_presentations_are_read_in_part_or_refused():
    source = random.Random(5)
    whole = presentation(board_deck)
    with zipfile.ZipFile(io.BytesIO(whole)) as archive:
        entries = {name: archive.read(name) for name in archive.namelist()}
    parts = [name for name in entries if name.startswith(("ppt/slides", "ppt/charts", "ppt/presentation", "ppt/notes"))]
    for _ in range(80):
        name = source.choice(parts)
        part = bytearray(entries[name])
        for _ in range(source.randrange(1, 12)):
            part[source.randrange(len(part))] = source.choice(b'<>/="0 9AZ&;\xff')
        try:
            assert parse(zipped({**entries, name: bytes(part)})).status in ("read", "partly_read")
        except Unreadable:
            continue
