"""Images are documents of one page, a TIFF of several; what cannot be decoded or recognised has its reason."""

from __future__ import annotations

import io
import struct
import zlib
from pathlib import Path

import pytest
from PIL import Image

from redwell.room.formats import ocr
from redwell.room.formats.image import read
from redwell.room.types import Limits, Unreadable
from tests.room.test_ocr import LINES, needs_engine, printed


def saved(image: Image.Image, kind: str, **options: object) -> bytes:
    stream = io.BytesIO()
    image.save(stream, kind, **options)
    return stream.getvalue()


@needs_engine
@pytest.mark.parametrize("kind", ["PNG", "JPEG", "TIFF", "GIF", "BMP", "WEBP"])
def test_each_kind_of_image_is_recognised(kind: str) -> None:
    parsed = read(saved(printed(LINES[:1], size=(1300, 400)), kind), "x", Limits())
    assert (parsed.kind, parsed.status, parsed.pages) == ("image", "read", 1)
    unit = parsed.views["final"][0]
    assert (unit.path, unit.source) == ("page 1/p[1]", "ocr")
    assert "Tenant shall pay the rent" in unit.text
    left, bottom, _right, top = struct.unpack_from("<4f", unit.boxes or b"", 0)
    assert left == pytest.approx(150, abs=10)
    assert bottom < 400 - 174 < top


@needs_engine
def test_every_page_of_a_tiff_is_a_page_and_a_broken_one_is_listed() -> None:
    pages = [printed(LINES[:1], size=(1300, 400)), printed(["The second page says this."], size=(1300, 400))]
    whole = saved(pages[0], "TIFF", save_all=True, append_images=pages[1:], compression="tiff_deflate")
    parsed = read(whole, "x.tif", Limits())
    assert parsed.pages == 2
    assert [unit.path.split("/")[0] for unit in parsed.views["final"]] == ["page 1", "page 2"]
    with Image.open(io.BytesIO(whole)) as image:
        image.seek(1)
        start = image.tag_v2[273][0]
    broken = whole[:start] + b"\xff" * 40 + whole[start + 40 :]
    parsed = read(broken, "x.tif", Limits())
    assert parsed.status == "partly_read"
    assert parsed.reason == "page 2: it is damaged"


@needs_engine
def test_cameras_turn_transparency_and_small_letters_are_allowed_for() -> None:
    upright = printed(LINES, size=(1400, 600))
    exif = Image.Exif()
    exif[0x0112] = 6  # to be turned clockwise by 90 degrees
    photographed = saved(upright.rotate(90, expand=True), "JPEG", exif=exif)
    unit = read(photographed, "x.jpg", Limits()).views["final"][0]
    assert "Tenant shall pay" in unit.text
    clear = Image.new("RGBA", upright.size, (0, 0, 0, 0))
    clear.putalpha(upright.point(lambda value: 255 - value))
    assert "Tenant shall pay" in read(saved(clear, "PNG"), "x.png", Limits()).views["final"][0].text
    small = upright.resize((560, 240))
    assert "Tenant" in read(saved(small, "PNG"), "x.png", Limits()).views["final"][0].text


def test_an_image_that_inflates_to_a_bomb_is_refused_before_it_is_decoded() -> None:
    def chunk(name: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    for side in (11_000, 60_000):
        header = struct.pack(">IIBBBBB", side, side, 8, 0, 0, 0, 0)
        data = (
            b"\x89PNG\r\n\x1a\n"
            + chunk(b"IHDR", header)
            + chunk(b"IDAT", zlib.compress(b"\0" * 1000))
            + chunk(b"IEND", b"")
        )
        with pytest.raises(Unreadable, match="unreasonably large"):
            read(data, "x.png", Limits())


@pytest.mark.parametrize(
    "data", [b"", b"\x89PNG\r\n\x1a\n", b"GIF89a", b"II*\x00\x08\x00\x00\x00", b"BM" + b"\xff" * 60]
)
def test_a_damaged_image_is_unreadable(data: bytes) -> None:
    with pytest.raises(Unreadable, match="damaged"):
        read(data, "x.png", Limits())


def test_an_image_cut_short_is_damaged() -> None:
    whole = saved(printed(LINES), "JPEG")
    with pytest.raises(Unreadable, match="page 1: it is damaged"):
        read(whole[: len(whole) // 2], "x.jpg", Limits())


def test_without_an_engine_or_with_ocr_off_the_image_is_listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = saved(printed(LINES), "PNG")
    with pytest.raises(Unreadable, match="page 1: it is an image and OCR is switched off"):
        read(data, "x.png", Limits(ocr_seconds_per_page=0))
    monkeypatch.setenv("PATH", str(tmp_path))
    if ocr.engine():
        pytest.skip("rapidocr is installed in this environment")
    with pytest.raises(Unreadable, match="page 1: it is an image and no OCR engine is installed"):
        read(data, "x.png", Limits())


@needs_engine
def test_a_picture_without_words_is_read_and_said() -> None:
    parsed = read(saved(Image.new("RGB", (300, 200), "navy"), "PNG"), "x.png", Limits())
    assert (parsed.status, parsed.views["final"], parsed.problems) == ("read", [], ["no text was found in it"])
