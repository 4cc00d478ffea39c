"""Pages that are images are recognised when an engine is there, and listed with the reason when it is not."""

from __future__ import annotations

import random
import struct
from pathlib import Path

import pytest
from PIL import Image, ImageDraw, ImageFont

from redwell.room import pace
from redwell.room.formats import ocr
from redwell.room.formats.ocr import OcrFailed, Recognised, Word
from redwell.room.formats.pdf import read
from redwell.room.quotes import check
from redwell.room.types import Limits, Unreadable
from tests.room.pdf_builder import Pdf, paragraph

LINES = [
    "The Tenant shall pay the rent of $4,500",
    "on the first day of each month, without",
    "any deduction or set-off.",
]
needs_engine = pytest.mark.skipif(not ocr.engine(), reason="no OCR engine (tesseract or rapidocr) is installed")


def printed(lines: list[str], *, size: tuple[int, int] = (1700, 1100), height: int = 48) -> Image.Image:
    """Black words on a white page; the first line stands at (150, 150) pixels."""
    image = Image.new("L", size, 255)
    draw = ImageDraw.Draw(image)
    for number, line in enumerate(lines):
        draw.text((150, 150 + 80 * number), line, font=ImageFont.load_default(height), fill=0)
    return image


def scan(image: Image.Image, *, size: tuple[int, int] = (612, 396)) -> Pdf:
    pdf = Pdf()
    number = pdf.image(image)
    width, height = size
    pdf.page(
        b"q %d 0 0 %d 0 0 cm /Im0 Do Q" % size,
        box=f"0 0 {width} {height}",
        resources=b"/XObject << /Im0 %d 0 R >>" % number,
    )
    return pdf


@needs_engine
def test_a_scanned_page_is_recognised_with_boxes_where_its_words_stand() -> None:
    pdf = scan(printed(LINES))
    pdf.page(paragraph(72, 700, ["A page with text."]))
    parsed = read(pdf.build(), "x.pdf", Limits())
    assert parsed.status == "read"
    unit = parsed.views["final"][0]
    assert (unit.path, unit.source) == ("page 1/p[1]", "ocr")
    assert (
        check(unit.text, "The Tenant shall pay the rent of $4,500 on the first day of each month").status == "verified"
    )
    assert parsed.views["final"][-1].source == "native"
    assert unit.boxes is not None
    assert len(unit.boxes) == 16 * len(unit.text)
    scale = 612 / 1700
    for word, line in (("The", 0), ("on", 1)):
        left, bottom, _right, top = struct.unpack_from("<4f", unit.boxes, 16 * unit.text.index(word))
        assert left == pytest.approx(150 * scale, abs=4)
        assert bottom < 396 - (150 + 80 * line + 24) * scale < top
    assert parsed.metadata["ocr_pages"] == "1"
    assert float(parsed.metadata["ocr_confidence"]) > ocr.LOW


@needs_engine
@pytest.mark.parametrize("degrees", [90, 180, 270])
def test_a_page_that_lies_on_its_side_is_read_and_its_boxes_turned_back(degrees: int) -> None:
    upright = printed(LINES, size=(1400, 1000))
    turned = upright.rotate(degrees, expand=True)
    found = ocr.recognise(turned, 30)
    words = [word for word in found.words if word.text == "Tenant"]
    assert len(words) == 1
    left, top, right, bottom = words[0].rect
    x, y = (left + right) / 2, (top + bottom) / 2
    reference = next(word for word in ocr.recognise(upright, 30).words if word.text == "Tenant").rect
    u, v = (reference[0] + reference[2]) / 2, (reference[1] + reference[3]) / 2
    expected = {90: (v, 1400 - u), 180: (1400 - u, 1000 - v), 270: (1000 - v, u)}[degrees]
    assert (x, y) == pytest.approx(expected, abs=12)


@needs_engine
def test_a_page_that_can_hardly_be_read_is_reported_as_doubtful() -> None:
    chance = random.Random(7)
    image = printed(LINES[:2], height=26, size=(800, 320))
    pixels = bytes(min(255, max(0, value + int(chance.gauss(0, 110)))) for value in image.tobytes())
    noisy = Image.frombytes("L", image.size, pixels)
    parsed = read(scan(noisy, size=(288, 115)).build(), "x.pdf", Limits())
    assert parsed.problems
    assert parsed.problems[0] in ("page 1: recognised by OCR with low confidence", "no text is on its pages")


@needs_engine
def test_an_image_without_words_gives_none() -> None:
    parsed = read(scan(Image.new("L", (800, 500), 200)).build(), "x.pdf", Limits())
    assert (parsed.status, parsed.views["final"]) == ("read", [])
    assert parsed.problems == ["no text is on its pages"]


@needs_engine
def test_a_page_that_takes_too_long_is_given_up_with_the_reason() -> None:
    if ocr.engine() != "tesseract":
        pytest.skip("only tesseract runs as a process that can be ended")
    with pytest.raises(OcrFailed, match="longer than"):
        ocr.recognise(printed(LINES * 4), 0.001)
    with pytest.raises(Unreadable, match="page 1: it has no text layer and OCR took longer than"):
        read(scan(printed(LINES)).build(), "x.pdf", Limits(ocr_seconds_per_page=0.001))


@needs_engine
def test_each_page_that_goes_to_ocr_asks_for_more_time(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[float] = []
    monkeypatch.setattr(pace, "_ask", asked.append)
    pages = scan(printed(LINES))
    pages.scan(printed(LINES))
    assert read(pages.build(), "x.pdf", Limits(ocr_seconds_per_page=20)).status == "read"
    assert asked == [20, 20]


def test_without_an_engine_the_pages_are_listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    if ocr.engine():
        pytest.skip("rapidocr is installed in this environment")
    pdf = scan(printed(LINES))
    with pytest.raises(Unreadable, match="page 1: it has no text layer and no OCR engine is installed"):
        read(pdf.build(), "x.pdf", Limits())
    pdf.page(paragraph(72, 700, ["A page with text."]))
    pdf.scan(printed(LINES))
    parsed = read(pdf.build(), "x.pdf", Limits())
    assert parsed.status == "partly_read"
    assert parsed.reason == "pages 1, 3: it has no text layer and no OCR engine is installed"


def test_an_engine_that_fails_says_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "tesseract"
    program.write_text(
        "#!/bin/sh\nif [ \"$1\" = --list-langs ]; then exit 0; fi\necho 'Error opening data file' >&2\nexit 1\n"
    )
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    with pytest.raises(OcrFailed, match="Error opening data file"):
        ocr.recognise(printed(LINES), 20)


def test_an_image_beyond_any_page_is_refused() -> None:
    if not ocr.engine():
        pytest.skip("no OCR engine is installed")
    with pytest.raises(OcrFailed, match="too large"):
        ocr.recognise(Image.new("1", (8000, 8000)), 5)


def test_the_table_of_tesseract_is_read_in_lines_and_paragraphs() -> None:
    table = (
        "level\tpage_num\tblock_num\tpar_num\tline_num\tword_num\tleft\ttop\twidth\theight\tconf\ttext\n"
        "1\t1\t0\t0\t0\t0\t0\t0\t600\t800\t-1\t\n"
        '5\t1\t1\t1\t1\t1\t10\t20\t30\t10\t96.5\t"Rent\n'
        "5\t1\t1\t1\t1\t2\t50\t20\t20\t10\t90\tis\n"
        "5\t1\t1\t1\t2\t1\t10\t40\t40\t10\t80\tdue.\n"
        "5\t1\t1\t1\t2\t2\t60\t40\t40\t10\t95\t \n"
        "5\t1\t2\t1\t1\t1\t10\t90\t40\t10\t70\tTerm\n"
    )
    words = ocr._tsv_words(table)
    assert [(word.text, word.paragraph, word.line) for word in words] == [
        ('"Rent', 0, 0),
        ("is", 0, 0),
        ("due.", 0, 1),
        ("Term", 1, 2),
    ]
    assert words[0].rect == (10, 20, 40, 30)
    units = ocr.units(Recognised(words), "page 4", 0.5, 400)
    assert [(unit.path, unit.text) for unit in units] == [("page 4/p[1]", '"Rent is\ndue.'), ("page 4/p[2]", "Term")]
    first = struct.unpack_from("<4f", units[0].boxes or b"", 0)
    assert first == (5, 400 - 15, 8, 400 - 10)  # 15 points wide, shared by five characters
    # Weighted by letters: (5 * 96.5 + 2 * 90 + 4 * 80 + 4 * 70) / 15
    assert Recognised(words).confidence == pytest.approx(84.1667, abs=0.001)


def test_stretches_at_one_height_are_one_line_from_left_to_right() -> None:
    words = ocr._line_words(
        [
            ((200, 12, 300, 30), "of rent", 90.0),
            ((10, 10, 110, 30), "The amount", 95.0),
            ((10, 35, 90, 55), "is due.", 80.0),
            ((10, 120, 60, 140), "Term", 70.0),
        ]
    )
    assert [(word.text, word.paragraph, word.line) for word in words] == [
        ("The", 0, 0),
        ("amount", 0, 0),
        ("of", 0, 0),
        ("rent", 0, 0),
        ("is", 0, 1),
        ("due.", 0, 1),
        ("Term", 1, 2),
    ]
    assert words[1] == Word("amount", (50, 10, 110, 30), 95.0, 0, 0)
