"""PDF files are read page by page, with every character placed, and never more is claimed than was read."""

from __future__ import annotations

import random
import re
import struct
from collections import Counter
from pathlib import Path

import pytest
from PIL import Image, ImageDraw, ImageFont

from redwell.room.formats.pdf import read
from redwell.room.quotes import Folded, check, fold, stepped_over
from redwell.room.types import Limits, Parsed, ParsedUnit, Unit, Unreadable
from tests.room.pdf_builder import FONTS, Pdf, paragraph, rectangle, text

NO_OCR = Limits(ocr_seconds_per_page=0)
PROSE = [
    "The Seller shall deliver the goods to the Buyer at the place that",
    "the parties agree on in writing.",
]


def units(pdf: Pdf | bytes, limits: Limits = NO_OCR) -> dict[str, ParsedUnit]:
    parsed = read(pdf if isinstance(pdf, bytes) else pdf.build(), "x.pdf", limits)
    return {unit.path: unit for unit in parsed.views["final"]}


def texts(pdf: Pdf | bytes) -> dict[str, str]:
    return {path: unit.text for path, unit in units(pdf).items()}


def running(found: dict[str, ParsedUnit]) -> Folded:
    """The text of all units, folded so that matching steps over those between the parts of a sentence."""
    text, placed = "", []
    for number, unit in enumerate(found.values()):
        placed.append(Unit("d", number, len(text), len(text) + len(unit.text), unit.path, flags=unit.flags))
        text += unit.text + "\n"
    return fold(text, skip=stepped_over(placed))


def boxes(unit: ParsedUnit) -> list[tuple[float, ...]]:
    assert unit.boxes is not None
    assert len(unit.boxes) == 16 * len(unit.text)
    return [struct.unpack_from("<4f", unit.boxes, 16 * k) for k in range(len(unit.text))]


def page_of_words(
    words: str = "Lease of the premises at 12 Main Street between the parties named below",
) -> Image.Image:
    image = Image.new("L", (1224, 1584), 255)
    draw = ImageDraw.Draw(image)
    for number, line in enumerate([words[k : k + 36] for k in range(0, len(words), 36)] * 3):
        draw.text((120, 150 + 60 * number), line, font=ImageFont.load_default(36), fill=0)
    return image


# --- text and places ----------------------------------------------------------------------------------------------------------


def test_each_character_has_its_box_in_points() -> None:
    pdf = Pdf()
    pdf.page(text(72, 700, "Rent: $5") + text(72, 686, "due"))
    unit = units(pdf)["page 1/p[1]"]
    assert unit.text == "Rent: $5\ndue"
    placed = boxes(unit)
    for k in range(8):  # Courier at 12 points is 7.2 points wide
        left, bottom, right, top = placed[k]
        if unit.text[k] != " ":
            assert left == pytest.approx(72 + 7.2 * k, abs=0.1)
            assert right == pytest.approx(72 + 7.2 * (k + 1), abs=0.1)
            assert bottom < 700 < 705 < top
    assert placed[8] == (0, 0, 0, 0)
    assert placed[9][0] == pytest.approx(72, abs=0.1)
    assert placed[9][1] < 686 < placed[9][3] < 700


def test_paragraphs_are_told_apart_by_space_numbers_and_short_lines() -> None:
    pdf = Pdf()
    pdf.page(
        paragraph(72, 720, ["LEASE AGREEMENT"], size=16)
        + paragraph(72, 690, PROSE)
        + paragraph(72, 650, ["1. Rent. The Tenant shall pay the rent on the first day of each", "month in advance."])
        + paragraph(
            72, 622, ["2. Term. The term of this Lease is ten years from the date on which", "the Tenant moves in."]
        )
        + paragraph(
            72,
            594,
            [
                "(a) The Tenant may extend the term once, for five years, by notice.",
                "(b) No other extension is agreed.",
            ],
        )
    )
    assert list(texts(pdf).values()) == [
        "LEASE AGREEMENT",
        "\n".join(PROSE),
        "1. Rent. The Tenant shall pay the rent on the first day of each\nmonth in advance.",
        "2. Term. The term of this Lease is ten years from the date on which\nthe Tenant moves in.",
        "(a) The Tenant may extend the term once, for five years, by notice.",
        "(b) No other extension is agreed.",
    ]
    assert [unit.section for unit in units(pdf).values()] == ["", "", "1", "2", "2(a)", "2(b)"]
    assert units(pdf)["page 1/p[5]"].label == "(a)"


def test_a_clause_that_runs_on_over_the_page_takes_no_number_from_the_reference_it_breaks_in() -> None:
    pdf = Pdf()
    first = "2.8 The Supplier shall comply with the requirements that are set out in"
    pdf.page(text(72, 720, "2.7 Fees.", size=10) + text(72, 700, first, size=10))
    pdf.page(text(72, 700, "Appendix 11.", size=10) + text(72, 660, "2.9 The parties acknowledge this.", size=10))
    found = units(pdf)
    assert found["page 2/p[1]"].section == "2.8"
    assert found["page 2/p[2]"].section == "2.9"


def test_hyphens_at_line_ends_are_kept_and_quotes_run_over_them() -> None:
    pdf = Pdf()
    pdf.page(paragraph(72, 700, ["The Seller is bound by the non-", "compete of this agree-", "ment for two years."]))
    found = texts(pdf)["page 1/p[1]"]
    assert found == "The Seller is bound by the non-\ncompete of this agree-\nment for two years."
    assert check(found, "bound by the non-compete of this agreement for two years").status == "verified"


def test_columns_read_across_are_read_down() -> None:
    left = [
        "The Seller shall deliver the goods",
        "to the Buyer at the place that the",
        "parties agree on in writing, and at",
        "the time that the order states.",
    ]
    right = [
        "The Buyer shall pay the price within",
        "thirty days after delivery of each of",
        "the goods, without any deduction for",
        "taxes or charges of any kind.",
    ]
    pdf = Pdf()
    rows = zip(left, right, strict=True)
    pdf.page(
        text(50, 730, "TERMS OF SALE")
        + b"".join(
            text(50, 700 - 14 * n, a, size=10) + text(330, 700 - 14 * n, b, size=10) for n, (a, b) in enumerate(rows)
        )
    )
    assert list(texts(pdf).values()) == ["TERMS OF SALE", "\n".join(left), "\n".join(right)]
    for unit in units(pdf).values():
        boxes(unit)


def test_table_rows_stay_rows_with_tabs_between_cells() -> None:
    pdf = Pdf()
    rows = [("Item", "Amount"), ("Base rent", "$1,000"), ("Parking", "$50")]
    pdf.page(
        b"".join(
            text(50, 700 - 14 * n, a, size=10) + text(300, 700 - 14 * n, b, size=10) for n, (a, b) in enumerate(rows)
        )
    )
    assert list(texts(pdf).values()) == ["Item\tAmount", "Base rent\t$1,000", "Parking\t$50"]


def test_raised_letters_drawn_apart_return_to_their_line() -> None:
    pdf = Pdf()
    pdf.page(
        text(50, 700, "919 Third Avenue, 6  Floor, New York")
        + text(50, 640, "Body.")
        + text(50 + 7.2 * 19.1, 704, "th", size=6)
    )
    assert list(texts(pdf).values()) == ["919 Third Avenue, 6th Floor, New York", "Body."]
    boxes(units(pdf)["page 1/p[1]"])


def test_a_turned_page_is_placed_as_it_is_shown() -> None:
    pdf = Pdf()
    # Upright as shown: the page turns by 90 degrees clockwise, the text by 90 counter-clockwise.
    content = b"BT /F1 12 Tf 0 1 -1 0 100 50 Tm (Landscape page) Tj ET"
    pdf.page(content, entries=b"/Rotate 90")
    pdf.page(text(172, 600, "Cropped"), entries=b"/CropBox [100 100 512 692]")
    found = units(pdf)
    first = boxes(found["page 1/p[1]"])[0]
    assert first[0] == pytest.approx(50, abs=0.1)
    assert first[2] == pytest.approx(57.2, abs=0.1)
    assert first[1] < 612 - 100 < first[3]
    assert boxes(found["page 2/p[1]"])[0][0] == pytest.approx(72, abs=0.1)


def test_running_headers_footers_and_page_numbers_are_flagged_and_stepped_over() -> None:
    pdf = Pdf()
    body = [
        "This Agreement is made between the Supplier and the Customer, and neither of them shall be",
        "liable to the other for any loss of profit or loss of data, or for any indirect or con-",
    ]
    after = ["sequential loss, whatever its cause may be.", "The Supplier insures itself against such loss."]
    for number in range(1, 5):
        pdf.page(
            text(72, 760, "MASTER SERVICES AGREEMENT", size=9)
            + paragraph(72, 700, body if number % 2 else after, size=9)
            + text(72, 40, f"Page {number} of 4", size=9)
            + text(72, 28, f"Ref. 2024/{number}", size=9)
        )
    found = units(pdf)
    assert [path for path, unit in found.items() if unit.flags][:3] == [
        "page 1/header[1]",
        "page 1/footer[1]",
        "page 1/footer[2]",
    ]
    assert sum(unit.flags == ("header",) for unit in found.values()) == 4
    assert sum(unit.flags == ("footer",) for unit in found.values()) == 8
    citation = check(running(found), "any indirect or consequential loss, whatever its cause may be.")
    assert citation.status == "verified"
    assert len(citation.spans) == 4  # two places, each on two pages


def test_page_numbers_of_an_earlier_paging_are_no_text_wherever_they_stand() -> None:
    pdf = Pdf()
    for number in (1, 3):
        pdf.page(
            paragraph(72, 720, ["The Distributor discloses such information only to its"])
            + text(300, 690, str(number))
            + paragraph(72, 660, ["employees and advisers who need to know it."])
            + paragraph(72, 500, ["The other half of the page says that none of this is"])
            + text(300, 460, f"- {number + 1} -")
            + paragraph(72, 420, ["to be read without the half above it, at any time."])
        )
    found = units(pdf)
    assert [unit.text for unit in found.values() if unit.flags == ("footer",)] == ["1", "- 2 -", "3", "- 4 -"]
    assert len(check(running(found), "only to its employees and advisers").spans) == 4
    lists = Pdf()
    lists.page(b"".join(text(72, 700 - 30 * n, value) for n, value in enumerate(["7", "9", "12", "40"])))
    assert not any(unit.flags for unit in units(lists).values())


def test_letters_beyond_the_first_plane_and_ligatures_keep_their_boxes() -> None:
    pdf = Pdf()
    stream = pdf.stream(
        b"/CIDInit /ProcSet findresource begin\nbegincmap\n/CMapType 2 def\n1 begincodespacerange\n<00> <FF>\nendcodespacerange\n"
        b"3 beginbfchar\n<41> <D83CDFE2>\n<42> <FB01>\n<43> <00660069>\nendbfchar\nendcmap\nend"
    )
    fonts = FONTS + b" /F2 << /Type /Font /Subtype /Type1 /BaseFont /Courier /ToUnicode %d 0 R >>" % stream
    pdf.page(text(72, 700, "A B C", font="F2") + text(72, 660, "after"), fonts=fonts)
    found = list(units(pdf).values())
    assert found[0].text in ("\U0001f3e2 \ufb01 fi", "\U0001f3e2 fi fi")
    assert boxes(found[0])[0][0] == pytest.approx(72, abs=0.1)
    assert boxes(found[0])[2][0] == pytest.approx(72 + 14.4, abs=0.1)
    assert boxes(found[1])[0][0] == pytest.approx(72, abs=0.1)


# --- what is hidden -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "content",
    [
        text(72, 650, "pay one dollar", before="3 Tr"),
        text(72, 650, "pay one dollar", before="1 g"),
        text(72, 650, "pay one dollar", before="0.98 0.99 1 rg"),
        text(72, 650, "pay one dollar", size=0.5),
        text(800, 650, "pay one dollar"),
        text(72, -50, "pay one dollar"),
        rectangle(60, 640, 300, 40, "0.2 0.3 0.4") + text(72, 650, "pay one dollar", before="0.2 0.3 0.4 rg"),
        text(72, 650, "pay one dollar") + rectangle(60, 640, 300, 40, "0 0 0"),
    ],
    ids=["invisible", "white", "nearly white", "tiny", "beside", "below", "its background's colour", "covered"],
)
def test_text_that_cannot_be_seen_is_kept_apart_and_flagged(content: bytes) -> None:
    pdf = Pdf()
    pdf.page(paragraph(72, 700, PROSE) + content + text(72, 600, "The end."))
    found = units(pdf)
    assert {path: unit.text for path, unit in found.items()} == {
        "page 1/p[1]": "\n".join(PROSE),
        "page 1/p[2]": "The end.",
        "page 1/hidden[1]": "pay one dollar",
    }
    assert found["page 1/hidden[1]"].flags == ("hidden",)
    assert "page 1: text that a reader of the page cannot see" in read(pdf.build(), "x.pdf", NO_OCR).problems


def test_a_hidden_word_within_a_line_is_taken_out_of_it() -> None:
    pdf = Pdf()
    pdf.page(
        text(72, 700, "The Tenant shall ")
        + text(72 + 17 * 7.2, 700, "not ", before="1 g")
        + text(72 + 21 * 7.2, 700, "assign.")
    )
    assert (
        " ".join(unit.text for path, unit in units(pdf).items() if "hidden" not in path) == "The Tenant shall assign."
    )
    assert texts(pdf)["page 1/hidden[1]"] == "not"


@pytest.mark.parametrize(
    "content",
    [
        rectangle(60, 640, 300, 40, "0.1 0.1 0.3") + text(72, 650, "pay one dollar", before="1 g"),
        rectangle(60, 640, 300, 40, "1 1 0.6") + text(72, 650, "pay one dollar"),
        text(72, 650, "pay one dollar", before="0.5 g"),
        text(72, 650, "pay one dollar") + rectangle(60, 640, 300, 1, "0 0 0"),
        text(72, 650, "pay one dollar", size=4),
    ],
    ids=["white on dark", "black on yellow", "grey", "underlined", "small"],
)
def test_text_that_can_be_seen_is_not_called_hidden(content: bytes) -> None:
    pdf = Pdf()
    pdf.page(content)
    assert texts(pdf) == {"page 1/p[1]": "pay one dollar"}


def test_the_layer_of_a_scan_is_its_text_and_not_hidden() -> None:
    pdf = Pdf()
    layer = [line + " and more" for line in PROSE]
    pdf.scan(
        page_of_words(), over=b"".join(text(72, 700 - 14 * n, line, before="3 Tr") for n, line in enumerate(layer))
    )
    pdf.scan(page_of_words(), under=paragraph(72, 700, layer))
    found = units(pdf)
    assert [unit.text for unit in found.values()] == ["\n".join(layer)] * 2
    assert {unit.source for unit in found.values()} == {"ocr"}
    assert {unit.flags for unit in found.values()} == {()}


# --- what cannot be read ------------------------------------------------------------------------------------------------------


def test_a_page_without_a_usable_text_layer_is_listed_and_the_others_are_read() -> None:
    pdf = Pdf()
    pdf.page(paragraph(72, 700, PROSE))
    pdf.scan(page_of_words())
    pdf.scan(page_of_words(), over=text(500, 20, "ABC-000123", size=8))
    pdf.page(paragraph(72, 700, ["#$%&/()=?{[]}+*~#<>|@!;:^" * 2] * 6))
    pdf.page(paragraph(72, 700, PROSE))
    parsed = read(pdf.build(), "x.pdf", NO_OCR)
    assert parsed.status == "partly_read"
    assert parsed.reason == (
        "pages 2-3: it has no text layer and OCR is switched off; page 4: its text layer is garbled and OCR is switched off"
    )
    assert parsed.pages == 5
    assert [unit.path for unit in parsed.views["final"]] == ["page 1/p[1]", "page 5/p[1]"]


def test_a_font_that_does_not_say_what_its_letters_mean_is_garbled() -> None:
    pdf = Pdf()
    font = pdf.add(
        b"<< /Type /Font /Subtype /CIDFontType2 /BaseFont /ABCDEF+Sub /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity)"
        b" /Supplement 0 >> /DW 600 >>"
    )
    fonts = (
        b"/F1 << /Type /Font /Subtype /Type0 /BaseFont /ABCDEF+Sub /Encoding /Identity-H /DescendantFonts [%d 0 R] >>"
        % font
    )
    pdf.page(
        b"".join(text(72, 700 - 14 * n, bytes(range(0x40, 0x7A)).replace(b"\\", b"a"), before="") for n in range(8)),
        fonts=fonts,
    )
    with pytest.raises(Unreadable, match="page 1: its text layer is garbled"):
        read(pdf.build(), "x.pdf", NO_OCR)


def test_tables_of_figures_and_lines_of_dots_are_usable_text() -> None:
    pdf = Pdf()
    pdf.page(
        paragraph(72, 700, ["1,250.00   (3,400.50)   12.5%   $100", "Definitions ........................ 4"] * 10)
    )
    assert read(pdf.build(), "x.pdf", NO_OCR).status == "read"


def test_blank_pages_are_read_and_said() -> None:
    pdf = Pdf()
    pdf.page()
    parsed = read(pdf.build(), "x.pdf", NO_OCR)
    assert (parsed.status, parsed.pages, parsed.views["final"]) == ("read", 1, [])
    assert parsed.problems == ["no text is on its pages"]
    pdf.page(paragraph(72, 700, PROSE))
    assert read(pdf.build(), "x.pdf", NO_OCR).problems == ["page 1: blank"]


def test_a_users_password_is_asked_for_and_an_owners_is_not() -> None:
    pdf = Pdf()
    pdf.page(paragraph(72, 700, PROSE))
    assert texts(pdf.build(password=(b"", b"owner"))) == {"page 1/p[1]": "\n".join(PROSE)}
    with pytest.raises(Unreadable, match="protected by a password"):
        read(pdf.build(password=(b"user", b"owner")), "x.pdf", NO_OCR)


def test_a_file_cut_short_is_never_called_read() -> None:
    pdf = Pdf()
    for number in range(6):
        pdf.page(paragraph(72, 700, [f"Page {number} of the text.", *PROSE] * 10), packed=number % 2 == 0)
    whole = pdf.build()
    for cut in range(0, len(whole) - 12, 97):
        try:
            parsed = read(whole[:cut], "x.pdf", NO_OCR)
        except Unreadable:
            continue
        assert parsed.status == "partly_read", cut
        assert "cut short" in parsed.reason


def test_a_damaged_table_of_a_whole_file_costs_nothing_and_lost_pages_are_missed() -> None:
    pdf = Pdf()
    for number in range(3):
        pdf.page(text(72, 700, f"Text of page {number}."))
    whole = pdf.build()
    assert read(whole.replace(b"0000000015", b"0000000099"), "x.pdf", NO_OCR).status == "read"
    start = whole.index(b"xref")
    shifted = re.sub(rb"\d{10} 00000 n", b"0000000001 00000 n", whole[start:])
    parsed = read(whole[:start] + shifted, "x.pdf", NO_OCR)
    assert (parsed.status, len(parsed.views["final"])) == ("read", 3)
    last = pdf.pages[-1]
    lost = re.sub(rb"%d 0 obj\n<< /Type /Page " % last, rb"%d 0 xbj\n<< /Type /Page " % last, whole)
    parsed = read(lost, "x.pdf", NO_OCR)
    assert parsed.status == "partly_read"
    assert "page 3" in parsed.reason


@pytest.mark.parametrize(
    "data",
    [b"", b"%PDF-1.7\n", b"%PDF-1.7\n" + random.Random(1).randbytes(4000), b"not a PDF at all"],
    ids=["empty", "only a head", "a head and noise", "a text"],
)
def test_what_is_no_pdf_is_unreadable(data: bytes) -> None:
    with pytest.raises(Unreadable, match="damaged"):
        read(data, "x.pdf", NO_OCR)


def test_page_trees_that_loop_or_lie_and_huge_pages_end() -> None:
    pdf = Pdf()
    pdf.page(text(72, 700, "Hello"), box="0 0 1000000 1000000")
    assert list(texts(pdf.build(count=1_000_000_000)).values()) == ["Hello"]
    looped = read(pdf.build(tree=b"<< /Type /Pages /Kids [2 0 R %d 0 R] /Count 2 >>" % pdf.pages[0]), "x.pdf", NO_OCR)
    assert [unit.text for unit in looped.views["final"]] == ["Hello"]


# --- what stands beside the text ----------------------------------------------------------------------------------------------


def full_file() -> Parsed:
    pdf = Pdf()
    inner = pdf.stream(b"inner text", b"/Type /EmbeddedFile")
    spec = pdf.add(b"<< /Type /Filespec /F (terms.txt) /UF (terms.txt) /EF << /F %d 0 R >> >>" % inner)
    note = pdf.add(
        b"<< /Type /Annot /Subtype /Text /Rect [10 10 30 30] /Contents (Check the cap) /T (A. Lawyer) /M (D:20240131093000Z) >>"
    )
    free = pdf.add(b"<< /Type /Annot /Subtype /FreeText /Rect [10 40 30 60] /Contents (DRAFT only) /DA (/F1 12 Tf) >>")
    pinned = pdf.add(
        b"<< /Type /Annot /Subtype /FileAttachment /Rect [10 70 30 90] /FS %d 0 R /Contents (see file) >>" % spec
    )
    link = pdf.add(b"<< /Type /Annot /Subtype /Link /Rect [10 70 30 90] /Contents (not a note) >>")
    name = pdf.add(b"<< /Type /Annot /Subtype /Widget /FT /Tx /T (Tenant) /V (Acme Ltd) /Rect [10 100 90 120] >>")
    tick = pdf.add(
        b"<< /Type /Annot /Subtype /Widget /FT /Btn /T (Agrees) /V /Yes /AS /Yes /Rect [10 130 20 140]"
        b" /AP << /N << /Yes %d 0 R /Off %d 0 R >> >> >>" % (inner, inner)
    )
    annotations = b"/Annots [" + b" ".join(b"%d 0 R" % n for n in (note, free, pinned, link, name, tick)) + b"]"
    page = pdf.page(paragraph(72, 700, PROSE), entries=annotations)
    second = pdf.add(
        b"<< /Title (Term \\(10 years\\)) /Parent %d 0 R /Dest [%d 0 R /Fit] >>" % (len(pdf.objects) + 3, page)
    )
    first = pdf.add(
        b"<< /Title (Rent) /Parent %d 0 R /Next %d 0 R /Dest [%d 0 R /Fit] >>" % (len(pdf.objects) + 2, second, page)
    )
    outline = pdf.add(b"<< /Type /Outlines /First %d 0 R /Last %d 0 R /Count 2 >>" % (first, second))
    pdf.catalog = (
        b"/Names << /EmbeddedFiles << /Names [(terms.txt) %d 0 R] >> >> /AcroForm << /Fields [%d 0 R %d 0 R] >> /Outlines %d 0 R"
        % (spec, name, tick, outline)
    )
    pdf.info = b"/Title (Lease of Unit 4) /Author (B. Draft) /CreationDate (D:20240131120000+02'00') /ModDate (D:2024)"
    return read(pdf.build(), "x.pdf", NO_OCR)


def test_notes_and_filled_fields_become_units_and_embedded_files_children() -> None:
    parsed = full_file()
    assert {unit.path: (unit.text, unit.flags) for unit in parsed.views["final"]} == {
        "page 1/p[1]": ("\n".join(PROSE), ()),
        "page 1/comment[1]": ("[note by A. Lawyer, 2024-01-31] Check the cap", ("comment",)),
        "page 1/comment[2]": ("[note] DRAFT only", ("comment",)),
        "page 1/comment[3]": ("[note] see file", ("comment",)),
        "page 1/field[1]": ("Tenant: Acme Ltd", ("comment",)),
        "page 1/field[2]": ("Agrees: Yes", ("comment",)),
    }
    assert [(child.name, child.data) for child in parsed.children] == [("terms.txt", b"inner text")]


def test_metadata_and_bookmarks() -> None:
    assert full_file().metadata == {
        "title": "Lease of Unit 4",
        "author": "B. Draft",
        "created": "2024-01-31T12:00:00+02:00",
        "modified": "2024",
        "outline": "Rent (page 1)\nTerm (10 years) (page 1)",
    }


def test_embedded_files_beyond_the_limits_are_listed() -> None:
    pdf = Pdf()
    names = []
    for number in range(3):
        inner = pdf.stream(b"x" * 1000, b"/Type /EmbeddedFile")
        spec = pdf.add(b"<< /Type /Filespec /F (%d.txt) /UF (%d.txt) /EF << /F %d 0 R >> >>" % (number, number, inner))
        names.append(b"(%d) %d 0 R" % (number, spec))
    pdf.page(paragraph(72, 700, PROSE))
    pdf.catalog = b"/Names << /EmbeddedFiles << /Names [%s] >> >>" % b" ".join(names)
    parsed = read(pdf.build(), "x.pdf", Limits(ocr_seconds_per_page=0, total_bytes=2500))
    assert len(parsed.children) == 2
    assert [name for name, _ in parsed.unopened] == ["2.txt"]


# --- real files ---------------------------------------------------------------------------------------------------------------


def test_real_contracts_have_the_words_of_their_text_twins(shared: Path) -> None:
    folder = shared / "data" / "cuad"
    twins = {path.stem: path for path in (folder / "txt").iterdir()}
    compared = 0
    for path in sorted((folder / "pdf").iterdir()):
        parsed = read(path.read_bytes(), path.name, NO_OCR)
        assert parsed.status == "read", path.name
        found = parsed.views["final"]
        assert all(len(unit.boxes or b"") == 16 * len(unit.text) for unit in found)
        assert not any("hidden" in unit.flags for unit in found)
        assert sum(bool(unit.section) for unit in found) > 5 or parsed.pages < 3
        if path.stem not in twins:
            continue
        compared += 1
        mine = Counter(re.findall(r"\w+", "\n".join(unit.text for unit in found).lower()))
        theirs = Counter(re.findall(r"\w+", twins[path.stem].read_text(encoding="utf-8", errors="replace").lower()))
        common = sum((mine & theirs).values())
        assert 2 * common / (sum(mine.values()) + sum(theirs.values())) > 0.99, path.name
    assert compared >= 12


def test_a_page_that_draws_a_map_is_listed_and_the_others_are_read() -> None:
    pdf = Pdf()
    pdf.page(b"".join(b"%d %d m %d %d l S\n" % (n % 600, n % 700, n % 599, n % 31) for n in range(41_000)), packed=True)
    pdf.page(text(72, 700, "The words beside the map."))
    parsed = read(pdf.build(), "x.pdf", Limits())
    assert (parsed.status, len(parsed.views["final"])) == ("partly_read", 1)
    assert parsed.reason.startswith("page 1: it has no text layer")


def test_a_page_of_scattered_pieces_is_read_in_time_that_grows_with_them() -> None:
    pdf = Pdf()
    pieces = [
        text(n * 37 % 600, n * 91 % 780, f"{n % 977:03} w" if n % 5 else f"{n % 977:03}", size=4) for n in range(10_000)
    ]
    pdf.page(b"".join(pieces), packed=True)
    assert len(" ".join(texts(pdf).values())) > 20_000


def test_notes_beyond_what_is_read_are_told() -> None:
    pdf = Pdf()
    note = pdf.add(b"<< /Type /Annot /Subtype /Text /Rect [0 0 9 9] /Contents (note) >>")
    pdf.page(text(72, 700, "Many notes."), entries=b"/Annots [" + b"%d 0 R " % note * 5_001 + b"]")
    assert read(pdf.build(), "x.pdf", NO_OCR).problems == [
        "page 1: only the first 5,000 of its 5,001 notes and fields were read"
    ]
