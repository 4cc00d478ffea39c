"""A native PDF of plain text, made from a text: for measuring where no real ones are at hand."""

from __future__ import annotations

import textwrap
from pathlib import Path

LINES = 46


def write_pdf(path: Path, text: str, most: int = 100) -> int:
    """Writes the text, Latin letters in Times, 46 lines of 90 characters a page, at most so many pages; returns how many."""
    lines = [line for paragraph in text.split("\n") for line in (textwrap.wrap(paragraph, 90) or [""])]
    pages = [lines[start : start + LINES] for start in range(0, len(lines), LINES)][:most]
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Count {len(pages)} /Kids [{' '.join(f'{4 + 2 * n} 0 R' for n in range(len(pages)))}] >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Times-Roman /Encoding /WinAnsiEncoding >>",
    ]
    for number, page in enumerate(pages):
        shown = "".join(f"({_escaped(line)}) Tj T*\n" for line in page)
        stream = f"BT /F1 10 Tf 14 TL 72 740 Td\n{shown}ET"
        objects.append(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >> "
            f"/Contents {5 + 2 * number} 0 R >>"
        )
        objects.append(f"<< /Length {len(stream.encode('cp1252', 'replace'))} >>\nstream\n{stream}\nendstream")
    out, places = b"%PDF-1.4\n", []
    for number, body in enumerate(objects, 1):
        places.append(len(out))
        out += f"{number} 0 obj\n{body}\nendobj\n".encode("cp1252", "replace")
    table = "".join(f"{place:010d} 00000 n \n" for place in places)
    count = len(objects) + 1
    ending = f"xref\n0 {count}\n0000000000 65535 f \n{table}trailer\n<< /Size {count} /Root 1 0 R >>\nstartxref\n{len(out)}\n%%EOF\n"
    path.write_bytes(out + ending.encode("ascii"))
    return len(pages)


def _escaped(line: str) -> str:
    return line.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
