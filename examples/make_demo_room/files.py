"""Writes real files from plain descriptions: Word with automatic numbering, Excel, PDF, mail, slides. The same input, the same bytes."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Sequence
from datetime import datetime
from email.message import EmailMessage
from email.utils import format_datetime
from pathlib import Path

import xlsxwriter
from docx import Document
from docx.oxml import OxmlElement, parse_xml
from docx.oxml.ns import nsdecls, qn
from docx.shared import Pt, RGBColor
from pptx import Presentation

STAMP = (2026, 3, 2, 9, 0, 0)
WHEN = datetime(2026, 3, 2, 9, 0, 0)

NUMBERING = """
<w:abstractNum {ns} w:abstractNumId="77"><w:multiLevelType w:val="multilevel"/>
<w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1."/><w:lvlJc w:val="left"/></w:lvl>
<w:lvl w:ilvl="1"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1.%2"/><w:lvlJc w:val="left"/></w:lvl>
<w:lvl w:ilvl="2"><w:start w:val="1"/><w:numFmt w:val="lowerLetter"/><w:lvlText w:val="(%3)"/><w:lvlJc w:val="left"/></w:lvl>
</w:abstractNum>"""


def word(path: Path, title: str, lines: Sequence[str | tuple[str, ...]]) -> None:
    """Lines are text. `# Heading` is a numbered article, `## text` a numbered clause, `(a) text` a numbered item; `~hidden~` is white
    text, `[[-old-]][[+new+]]` a tracked change, `^^note` at the end of a line a footnote-like comment; a tuple is a table row."""
    document = Document()
    document.styles["Normal"].font.name = "Georgia"
    document.styles["Normal"].font.size = Pt(10.5)
    numbering = document.part.numbering_part.element
    numbering.insert(0, parse_xml(NUMBERING.format(ns=nsdecls("w"))))
    instance = parse_xml(f'<w:num {nsdecls("w")} w:numId="77"><w:abstractNumId w:val="77"/></w:num>')
    numbering.append(instance)
    document.add_heading(title, 0)
    table = None
    for line in lines:
        if isinstance(line, tuple):
            if table is None or len(table.columns) != len(line):
                table = document.add_table(rows=0, cols=len(line))
                table.style = "Table Grid"
            for cell, text in zip(table.add_row().cells, line, strict=True):
                cell.text = text
            continue
        table = None
        level = None
        for mark, depth in (("## ", 1), ("# ", 0), ("(a) ", 2)):
            if line.startswith(mark):
                line, level = line[len(mark) :], depth
                break
        paragraph = document.add_paragraph()
        if level is not None:
            properties = paragraph._p.get_or_add_pPr()
            properties.append(
                parse_xml(f'<w:numPr {nsdecls("w")}><w:ilvl w:val="{level}"/><w:numId w:val="77"/></w:numPr>')
            )
        _runs(paragraph, line, bold=level == 0)
    properties = document.core_properties
    properties.created = properties.modified = WHEN
    properties.title, properties.author = title, "Data room"
    out = io.BytesIO()
    document.save(out)
    _same_bytes(out.getvalue(), path)


def _runs(paragraph, text: str, bold: bool) -> None:
    for part in re.split(r"(\[\[[-+].*?[-+]\]\]|~.+?~)", text):
        if not part:
            continue
        if part.startswith("~"):
            run = paragraph.add_run(part[1:-1])
            run.font.color.rgb = RGBColor(0xFF, 0xFF, 0xFF)
        elif part.startswith("[["):
            run = paragraph.add_run(part[3:-3])
            change = OxmlElement("w:del" if part[2] == "-" else "w:ins")
            for name, value in (("id", "1"), ("author", "Counsel"), ("date", "2026-01-20T10:00:00Z")):
                change.set(qn(f"w:{name}"), value)
            if part[2] == "-":
                for words in run._r.findall(qn("w:t")):
                    words.tag = qn("w:delText")
            paragraph._p.remove(run._r)
            change.append(run._r)
            paragraph._p.append(change)
        else:
            paragraph.add_run(part).bold = bold


def excel(path: Path, sheets: dict[str, Sequence[Sequence[object]]], hidden: Sequence[str] = ()) -> None:
    """Rows of values; a string that starts with `=` is a formula with its cached value after ` => `; the first row is the header."""
    out = io.BytesIO()
    book = xlsxwriter.Workbook(out, {"in_memory": True})
    book.set_properties({"title": path.stem, "author": "Data room", "created": WHEN})
    head, money, share, count = (
        book.add_format(form)
        for form in ({"bold": True}, {"num_format": "$#,##0"}, {"num_format": "0.0%"}, {"num_format": "#,##0"})
    )
    for name, rows in sheets.items():
        sheet = book.add_worksheet(name)
        sheet.set_column(0, 0, 38)
        sheet.set_column(1, 8, 20)
        for r, row in enumerate(rows):
            for c, value in enumerate(row):
                if isinstance(value, str) and value.startswith("="):
                    formula, _, cached = value.partition(" => ")
                    sheet.write_formula(r, c, formula, money if float(cached or 0) > 1 else share, float(cached or 0))
                elif isinstance(value, (int, float)) and not isinstance(value, bool):
                    label = str(rows[0][c]).lower()
                    sum_of_money = any(word in label for word in ("revenue", "amount", "salary", "price"))
                    form = share if isinstance(value, float) and value < 1 else money if sum_of_money else count
                    sheet.write_number(r, c, value, form)
                else:
                    sheet.write_string(r, c, str(value), head if r == 0 else None)
        if name in hidden:
            sheet.hide()
    book.close()
    _same_bytes(out.getvalue(), path)


def slides(path: Path, deck: Sequence[tuple[str, Sequence[str], str]]) -> None:
    """(title, bullets, speaker notes) for each slide."""
    presentation = Presentation()
    for title, bullets, notes in deck:
        slide = presentation.slides.add_slide(presentation.slide_layouts[1])
        slide.shapes.title.text = title
        slide.placeholders[1].text = "\n".join(bullets)
        if notes:
            slide.notes_slide.notes_text_frame.text = notes
    presentation.core_properties.created = presentation.core_properties.modified = WHEN
    out = io.BytesIO()
    presentation.save(out)
    _same_bytes(out.getvalue(), path)


def mail(
    path: Path, sender: str, to: str, subject: str, when: datetime, body: str, attachment: tuple[str, str] | None = None
) -> None:
    message = EmailMessage()
    message["From"], message["To"], message["Subject"], message["Date"] = sender, to, subject, format_datetime(when)
    message["Message-ID"] = f"<{path.stem}@example.com>"
    message.set_content(body)
    if attachment:
        message.add_attachment(attachment[1], filename=attachment[0])
        message.set_boundary("=====demo-room=====")
    path.write_bytes(message.as_bytes())


def pdf(path: Path, title: str, lines: Sequence[str]) -> None:
    """A text PDF in Helvetica, wrapped by width; `# ` starts a bold line, an empty string is a gap."""
    pages: list[list[tuple[bool, str]]] = [[]]
    for line in (f"# {title}", "", *lines):
        bold = line.startswith("# ")
        for piece in _wrap(line.removeprefix("# "), 92):
            if len(pages[-1]) >= 54:
                pages.append([])
            pages[-1].append((bold, piece))
    objects = ["<< /Type /Catalog /Pages 2 0 R >>", ""]
    objects += [
        f"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica{bold} /Encoding /WinAnsiEncoding >>"
        for bold in ("", "-Bold")
    ]
    kids = []
    for number, page in enumerate(pages, 1):
        drawn = ["BT 13 TL 60 780 Td"]
        for bold, text in page:
            escaped = text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
            drawn.append(f"/F{2 if bold else 1} 10 Tf ({escaped}) Tj T*")
        drawn.append(f"ET BT /F1 8 Tf 290 30 Td (Page {number} of {len(pages)}) Tj ET")
        content = "\n".join(drawn)
        objects.append(f"<< /Length {len(content.encode('cp1252'))} >>\nstream\n{content}\nendstream")
        kids.append(len(objects) + 1)
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents {len(objects)} 0 R "
            "/Resources << /Font << /F1 3 0 R /F2 4 0 R >> >> >>"
        )
    objects[1] = f"<< /Type /Pages /Count {len(kids)} /Kids [{' '.join(f'{kid} 0 R' for kid in kids)}] >>"
    out, places = bytearray(b"%PDF-1.4\n"), []
    for number, body in enumerate(objects, 1):
        places.append(len(out))
        out += f"{number} 0 obj\n{body}\nendobj\n".encode("cp1252")
    start = len(out)
    out += f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n".encode()
    out += b"".join(f"{place:010d} 00000 n \n".encode() for place in places)
    out += f"trailer\n<< /Size {len(objects) + 1} /Root 1 0 R >>\nstartxref\n{start}\n%%EOF\n".encode()
    path.write_bytes(bytes(out))


def _wrap(text: str, width: int) -> list[str]:
    lines, line = [], ""
    for word_ in text.split(" "):
        if line and len(line) + 1 + len(word_) > width:
            lines.append(line)
            line = word_
        else:
            line = f"{line} {word_}" if line else word_
    return [*lines, line]


def _same_bytes(data: bytes, path: Path) -> None:
    """Rewrites a zip with fixed times and order, so that making the room twice gives the same files."""
    with zipfile.ZipFile(io.BytesIO(data)) as source, zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as target:
        for name in source.namelist():
            info = zipfile.ZipInfo(name, STAMP)
            info.compress_type = zipfile.ZIP_DEFLATED
            target.writestr(info, source.read(name))
