"""Writes the report's renderings into a run's `output/`."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path

from redwell.diligence.deal import Deal
from redwell.diligence.layout import layout
from redwell.diligence.render_docx import render_docx
from redwell.diligence.render_html import render_html
from redwell.diligence.render_markdown import render_markdown
from redwell.diligence.report import Basis, Report, report_json
from redwell.room.room import Room

LAB_NAME = "red-flags-report.md"  # the deliverable that LAB's diligence tasks ask for


def write_report(
    report: Report, basis: Basis, deal: Deal, room: Room, output: Path, deliverables: Sequence[str] = ()
) -> list[Path]:
    """HTML, Word, Markdown and JSON of one layout, and each Markdown, HTML or Word file that the task asks for by name."""
    laid = layout(report, basis, deal, room)
    markdown = render_markdown(laid).encode()
    html, word = render_html(laid).encode(), render_docx(laid)
    data = json.dumps(report_json(report, basis, deal.model_dump(mode="json")), ensure_ascii=False, indent=1).encode()
    written = {"report.html": html, "report.docx": word, "report.md": markdown, "report.json": data, LAB_NAME: markdown}
    by_suffix = {".md": markdown, ".txt": markdown, ".html": html, ".docx": word, ".json": data}
    for name in deliverables:
        suffix = Path(name).suffix.lower()
        if suffix in by_suffix and Path(name).name == name:
            written.setdefault(name, by_suffix[suffix])
    output.mkdir(parents=True, exist_ok=True)
    return [_write(output / name, content) for name, content in written.items()]


def _write(path: Path, content: bytes) -> Path:
    """Replaces a file in one step, so that a crash leaves the old one or the new one."""
    beside = path.with_name(f".{path.name}.part")
    with beside.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    beside.replace(path)
    return path
