"""Text recognised in images of pages: tesseract when it is installed, else rapidocr when it can be imported.

An engine gives words with boxes and a confidence; this module makes lines, paragraphs and units of them, the same for both.
"""

from __future__ import annotations

import csv
import io
import os
import re
import shutil
import subprocess
from array import array
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.util import find_spec
from typing import Any

from PIL import Image

from redwell.room import programs
from redwell.room.types import ParsedUnit
from redwell.sandbox.program import enclose

LOW = 60.0
"""A page whose words were recognised with a mean confidence (0-100) below this is reported as doubtful."""
_SURE = {"tesseract": 60.0, "rapidocr": 85.0}
"""Below this mean confidence, or without any words, a page may lie on its side: it is tried turned. Engines differ in how sure they are."""
_LARGEST = 30_000_000
_CONTRAST = 24
"""A page whose darkest and lightest points (0-255) differ by less is blank."""

Rect = tuple[float, float, float, float]
"""left, top, right, bottom in pixels of the image."""


class OcrFailed(Exception):
    """A page on which no text recognition could be done, with the reason in a reader's words."""


@dataclass(frozen=True, slots=True)
class Word:
    """A recognised word. `line` groups words into lines and `paragraph` lines into paragraphs, in reading order."""

    text: str
    rect: Rect
    confidence: float
    paragraph: int
    line: int


@dataclass(frozen=True, slots=True)
class Recognised:
    """The words of one page image, in reading order, and their mean confidence (0-100; 100 when there are none)."""

    words: list[Word] = field(default_factory=list)

    @property
    def confidence(self) -> float:
        letters = sum(len(word.text) for word in self.words)
        return sum(word.confidence * len(word.text) for word in self.words) / letters if letters else 100.0

    def scaled(self, factor: float) -> Recognised:
        """The same words, found in an image of another size."""
        if factor == 1.0:
            return self
        return Recognised([replace(word, rect=_times(word.rect, factor)) for word in self.words])


def _times(rect: Rect, factor: float) -> Rect:
    left, top, right, bottom = rect
    return left * factor, top * factor, right * factor, bottom * factor


def engine() -> str:
    """The engine that would be used: "tesseract", "rapidocr", or "" when none is installed."""
    if shutil.which("tesseract"):
        return "tesseract"
    return "rapidocr" if _has_rapidocr() else ""


def dots_per_inch() -> int:
    """The resolution at which the engine reads best for its time."""
    return 300 if engine() == "tesseract" else 200


def recognise(image: Image.Image, seconds: float) -> Recognised:
    """Recognise the text of one page.

    Args:
        image: the page, upright or turned by a multiple of 90 degrees.
        seconds: how long each attempt may take.

    Raises:
        OcrFailed: when no engine is installed, or it fails or takes too long.
    """
    name = engine()
    if not name:
        raise OcrFailed("no OCR engine is installed")
    if image.width * image.height > _LARGEST:
        raise OcrFailed(f"its image is too large for OCR ({image.width} by {image.height} pixels)")
    darkest, lightest = image.convert("L").getextrema()
    if isinstance(darkest, tuple) or isinstance(lightest, tuple) or lightest - darkest < _CONTRAST:
        return Recognised()
    attempt = _tesseract if name == "tesseract" else _rapidocr
    best = attempt(image, seconds)
    if best.words and best.confidence >= _SURE[name]:
        return best
    for turn, back in (
        (Image.Transpose.ROTATE_90, 90),
        (Image.Transpose.ROTATE_270, 270),
        (Image.Transpose.ROTATE_180, 180),
    ):
        turned = attempt(image.transpose(turn), seconds)
        if _worth(turned) > 1.2 * _worth(best):
            best = _turned_back(turned, back, image.width, image.height)
        if best.words and best.confidence >= _SURE[name]:
            break
    return best


def _worth(page: Recognised) -> float:
    """How much was read with some certainty: letters of words that have several, weighted by confidence."""
    return sum(word.confidence * len(word.text) for word in page.words if len(word.text) > 2 and word.confidence > LOW)


def _turned_back(page: Recognised, degrees: int, width: int, height: int) -> Recognised:
    """Words found in an image that had been turned counter-clockwise, with boxes in the image as it was."""
    words = []
    for word in page.words:
        left, top, right, bottom = word.rect
        if degrees == 90:
            rect = (width - bottom, left, width - top, right)
        elif degrees == 270:
            rect = (top, height - right, bottom, height - left)
        else:
            rect = (width - right, height - bottom, width - left, height - top)
        words.append(Word(word.text, rect, word.confidence, word.paragraph, word.line))
    return Recognised(words)


# --- tesseract ----------------------------------------------------------------------------------------------------------------


@cache
def _languages() -> str:
    """English when there is a model for it, else whatever language there is."""
    try:
        listed = subprocess.run(
            ["tesseract", "--list-langs"],
            capture_output=True,
            text=True,
            timeout=20,
            check=False,
            stdin=subprocess.DEVNULL,
        ).stdout
    except (OSError, subprocess.TimeoutExpired):
        return "eng"
    names = [line.strip() for line in listed.splitlines()[1:] if re.fullmatch(r"[A-Za-z0-9_]+", line.strip())]
    return "eng" if "eng" in names or not names else next((name for name in names if name != "osd"), "eng")


def _tesseract(image: Image.Image, seconds: float) -> Recognised:
    stream = io.BytesIO()
    image.convert("L").save(stream, "PNG", compress_level=1)
    try:
        table = programs.call("tesseract", stream.getvalue(), dots=dots_per_inch(), seconds=seconds)
    except programs.Failed as failed:
        raise OcrFailed(failed.reason) from failed
    return Recognised(_tsv_words(table.decode("utf-8", "replace")))


def run_tesseract(data: bytes, *, dots: int, seconds: float) -> bytes:
    """tesseract's table for one PNG, `dots` to the inch. Raises programs.Failed."""
    command = ["tesseract", "stdin", "stdout", "-l", _languages(), "--psm", "3", "--dpi", str(int(dots)), "tsv"]
    try:
        done = subprocess.run(
            command,
            input=data,
            capture_output=True,
            timeout=float(seconds),
            check=False,
            env={**os.environ, "OMP_THREAD_LIMIT": "1"},
            preexec_fn=_enclosed,
        )
    except subprocess.TimeoutExpired as error:
        raise programs.Failed(f"OCR took longer than {seconds:.0f} seconds") from error
    except (OSError, subprocess.SubprocessError) as error:
        raise programs.Failed("the OCR engine (tesseract) cannot be started") from error
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace").strip().splitlines()
        raise programs.Failed(
            f"the OCR engine (tesseract) failed: {said[-1][:200] if said else f'status {done.returncode}'}"
        )
    return done.stdout


def _enclosed() -> None:
    prefix = os.environ.get("TESSDATA_PREFIX")
    enclose(shutil.which("tesseract") or "", None, [prefix] if prefix else [])


def _tsv_words(text: str) -> list[Word]:
    """The words of tesseract's table. Its columns: level, page, block, paragraph, line, word, left, top, width, height, conf, text."""
    words: list[Word] = []
    paragraphs: dict[tuple[str, str], int] = {}
    rows: dict[tuple[str, str, str], int] = {}
    for row in csv.reader(io.StringIO(text), delimiter="\t", quoting=csv.QUOTE_NONE):
        if len(row) < 12 or row[0] != "5" or not row[11].strip():
            continue
        block, paragraph, line = row[2:5]
        left, top, width, height = map(int, row[6:10])
        words.append(
            Word(
                row[11].strip(),
                (left, top, left + width, top + height),
                max(0.0, float(row[10])),
                paragraphs.setdefault((block, paragraph), len(paragraphs)),
                rows.setdefault((block, paragraph, line), len(rows)),
            )
        )
    return words


# --- rapidocr -----------------------------------------------------------------------------------------------------------------


@cache
def _has_rapidocr() -> bool:
    return find_spec("rapidocr") is not None and find_spec("onnxruntime") is not None


@cache
def _rapidocr_engine() -> Any:
    from rapidocr import RapidOCR

    return RapidOCR(params={"Global.log_level": "error"})


def _rapidocr(image: Image.Image, seconds: float) -> Recognised:
    """rapidocr finds lines, not words; a line's box is shared out among its words by their length."""
    try:
        stream = io.BytesIO()
        image.convert("RGB").save(stream, "PNG", compress_level=1)
        # Without the classifier of direction, lines upside down score low, and the page is tried turned.
        found = _rapidocr_engine()(stream.getvalue(), use_cls=False)
    except Exception as error:
        raise OcrFailed(f"the OCR engine (rapidocr) failed ({type(error).__name__})") from error
    pieces = []
    rows = () if found.boxes is None else zip(found.boxes, found.txts, found.scores, strict=True)
    for box, text, score in rows:
        xs, ys = [float(x) for x, _ in box], [float(y) for _, y in box]
        if str(text).strip():
            pieces.append(((min(xs), min(ys), max(xs), max(ys)), str(text).strip(), 100 * float(score)))
    upright = sum(len(text) for (left, top, right, bottom), text, _ in pieces if bottom - top < 1.5 * (right - left))
    if 2 * upright < sum(len(text) for _, text, _ in pieces):
        return Recognised()  # lines run up or down: a page on its side
    return Recognised(_line_words(pieces))


def _line_words(pieces: list[tuple[Rect, str, float]]) -> list[Word]:
    """Words of recognised stretches of text: those at one height form a line, lines close together a paragraph."""
    rows: list[list[tuple[Rect, str, float]]] = []
    for piece in sorted(pieces, key=lambda piece: (piece[0][1] + piece[0][3]) / 2):
        middle = (piece[0][1] + piece[0][3]) / 2
        if rows and rows[-1][0][0][1] < middle < rows[-1][0][0][3]:
            rows[-1].append(piece)
        else:
            rows.append([piece])
    words: list[Word] = []
    paragraph, below = -1, float("-inf")
    for number, row in enumerate(rows):
        row.sort(key=lambda piece: piece[0][0])
        top, bottom = row[0][0][1], max(piece[0][3] for piece in row)
        if top - below > 0.6 * (bottom - top):
            paragraph += 1
        below = bottom
        for (left, high, right, low), text, confidence in row:
            letter = (right - left) / len(text)
            for match in re.finditer(r"\S+", text):
                rect = (left + letter * match.start(), high, left + letter * match.end(), low)
                words.append(Word(match[0], rect, confidence, paragraph, number))
    return words


# --- units --------------------------------------------------------------------------------------------------------------------


def units(page: Recognised, path: str, scale: float, height: float) -> list[ParsedUnit]:
    """The recognised paragraphs of a page as units `path/p[1]`, `path/p[2]` ...

    `scale` is points per pixel and `height` the page's height in points: boxes are in points from the page's bottom left. A word's box is
    shared out evenly among its characters.
    """
    paragraphs: dict[int, list[Word]] = {}
    for word in page.words:
        paragraphs.setdefault(word.paragraph, []).append(word)
    out: list[ParsedUnit] = []
    for words in paragraphs.values():
        text, boxes = "", array("f")
        for number, word in enumerate(words):
            if number:
                text += " " if word.line == words[number - 1].line else "\n"
                boxes.extend((0.0, 0.0, 0.0, 0.0))
            left, top, right, bottom = (scale * edge for edge in word.rect)
            step = (right - left) / len(word.text)
            for k in range(len(word.text)):
                boxes.extend((left + step * k, height - bottom, left + step * (k + 1), height - top))
            text += word.text
        out.append(ParsedUnit(text, f"{path}/p[{len(out) + 1}]", source="ocr", boxes=boxes.tobytes()))
    return out
