"""Images as documents: each image, or each page of a TIFF, is a page whose text is recognised by OCR.

Boxes are in pixels of the upright image, counted from its bottom left.
"""

from __future__ import annotations

import io
import warnings
from collections.abc import Iterator

from PIL import Image, ImageOps, UnidentifiedImageError

from redwell.room import pace
from redwell.room.formats import ocr
from redwell.room.types import Limits, Parsed, ParsedUnit, Unreadable

_FORMATS = ("PNG", "JPEG", "TIFF", "GIF", "BMP", "WEBP", "PPM", "JPEG2000", "AVIF")
_PIXELS = 100_000_000
"""A page scanned at 600 dpi has 35 million pixels; one beyond this is no scan of a page."""
_FOR_OCR = 25_000_000
_SMALL = 1200
"""Below this many pixels across, text of usual size is too small to be read and the image is enlarged first."""


def read(data: bytes, name: str, limits: Limits) -> Parsed:
    """Read an image; limits are used as in `pdf.read`.

    Raises:
        Unreadable: when it cannot be decoded, is unreasonably large, or no page of it could be recognised.
    """
    parsed = Parsed("image")
    units: list[ParsedUnit] = []
    unread: list[tuple[int, str]] = []
    doubtful, confidences = [], []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        warnings.simplefilter("error", Image.DecompressionBombWarning)
        image = _open(data)
        parsed.metadata.update({"width": str(image.width), "height": str(image.height), "format": image.format or ""})
        for number, page in _pages(image, limits):
            parsed.pages = number
            if isinstance(page, str):
                unread.append((number, page))
                continue
            try:
                found = _recognise(page, limits)
            except ocr.OcrFailed as error:
                unread.append((number, f"it is an image and {error}"))
                continue
            confidences.append(found.confidence)
            units.extend(ocr.units(found, f"page {number}", 1.0, float(page.height)))
            if found.words and found.confidence < ocr.LOW:
                doubtful.append(number)
    reasons = [f"page {number}: {reason}" for number, reason in unread]
    if unread and len(unread) == parsed.pages:
        raise Unreadable("; ".join(reasons[:20]), kind="image", pages=parsed.pages)
    if unread:
        parsed.status, parsed.reason = "partly_read", "; ".join(reasons[:20])
    parsed.views["final"] = units
    parsed.problems.extend(f"page {number}: recognised by OCR with low confidence" for number in doubtful)
    if not units and not unread:
        parsed.problems.append("no text was found in it")
    if confidences:
        parsed.metadata["ocr_pages"] = str(len(confidences))
        parsed.metadata["ocr_confidence"] = f"{sum(confidences) / len(confidences):.0f}"
    return parsed


def _open(data: bytes) -> Image.Image:
    Image.init()
    try:
        image = Image.open(io.BytesIO(data), formats=[kind for kind in _FORMATS if kind in Image.OPEN])
    except (Image.DecompressionBombError, Image.DecompressionBombWarning) as error:
        raise Unreadable("its image is unreasonably large") from error
    except (UnidentifiedImageError, OSError, ValueError, SyntaxError) as error:
        raise Unreadable("it is damaged, or an image of a kind that is not read") from error
    return image


def _pages(image: Image.Image, limits: Limits) -> Iterator[tuple[int, Image.Image | str]]:
    """The number and the decoded image of each page, or the reason why it cannot be had. Only a TIFF has several pages."""
    number = 0
    while number < limits.entries:
        number += 1
        try:
            if number > 1:
                image.seek(number - 1)
            if image.width * image.height > _PIXELS:
                yield number, f"its image is unreasonably large ({image.width} by {image.height} pixels)"
            else:
                yield number, _upright(image)
        except EOFError:
            return
        except (Image.DecompressionBombError, Image.DecompressionBombWarning):
            yield number, "its image is unreasonably large"
        except (OSError, ValueError, SyntaxError, IndexError, TypeError):
            yield number, "it is damaged"
            if number > 1:
                return
        if image.format != "TIFF":
            return


def _upright(image: Image.Image) -> Image.Image:
    """The page as grey, transparent parts white, turned the way its camera says."""
    turned = ImageOps.exif_transpose(image) or image
    if turned.mode in ("RGBA", "LA", "PA") or "transparency" in turned.info:
        coloured = turned.convert("RGBA")
        turned = Image.alpha_composite(Image.new("RGBA", coloured.size, "white"), coloured)
    if turned.mode.startswith("I") or turned.mode == "F":
        low, high = turned.getextrema()
        if isinstance(low, (int, float)) and isinstance(high, (int, float)) and high > 255:
            turned = turned.convert("F").point(lambda value: value * (255.0 / high))
    return turned.convert("L")


def _recognise(page: Image.Image, limits: Limits) -> ocr.Recognised:
    if limits.ocr_seconds_per_page <= 0:
        raise ocr.OcrFailed("OCR is switched off")
    pace.more(limits.ocr_seconds_per_page)
    factor = 1.0
    if page.width < _SMALL:
        factor = min(3.0, _SMALL / page.width)
    factor = min(factor, (_FOR_OCR / (page.width * page.height)) ** 0.5)
    size = max(1, round(page.width * factor)), max(1, round(page.height * factor))
    found = ocr.recognise(page if factor == 1.0 else page.resize(size), limits.ocr_seconds_per_page)
    return found.scaled(1 / factor)
