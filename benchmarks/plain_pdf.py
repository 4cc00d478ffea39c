"""A native PDF of plain text, made from a text: for measuring where no real ones are at hand."""

from __future__ import annotations

import textwrap
from pathlib import Path

from redwell.bench.generate.pdf_file import TIMES, PdfFile, string

LINES = 46


def write_pdf(path: Path, text: str, most: int = 100) -> int:
    """Writes the text, Latin letters in Times, 46 lines of 90 characters a page, at most so many pages; returns how many."""
    lines = [line for paragraph in text.split("\n") for line in (textwrap.wrap(paragraph, 90) or [""])]
    pages = [lines[start : start + LINES] for start in range(0, len(lines), LINES)][:most]
    file = PdfFile()
    for page in pages:
        shown = b"".join(string(line) + b" Tj T*\n" for line in page)
        file.page(b"BT /F1 10 Tf 14 TL 72 740 Td\n" + shown + b"ET", b"/Font << /F1 << %s >> >>" % TIMES, packed=False)
    path.write_bytes(file.build())
    return len(pages)
