"""Writes the report's renderings into a run's `output/`."""

from __future__ import annotations

import json
import os
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path

from redwell.diligence.deal import Deal
from redwell.diligence.layout import layout
from redwell.diligence.render_docx import render_docx
from redwell.diligence.render_html import render_html
from redwell.diligence.render_markdown import render_markdown
from redwell.diligence.render_xlsx import render_xlsx
from redwell.diligence.report import Basis, Report, report_json
from redwell.journal.shown import shown_json
from redwell.room.room import Room

FAULTS_NAME = "not-rendered.txt"
LAB_NAME = "red-flags-report.md"  # the deliverable that LAB's diligence tasks ask for


def write_report(
    report: Report, basis: Basis, deal: Deal, room: Room, output: Path, deliverables: Sequence[str] = ()
) -> list[Path]:
    """HTML, Word, Excel, Markdown and JSON of one layout, and each Markdown, HTML, Word or Excel file that the task asks for by name.

    A rendering that fails does not take the others along: what went wrong is written to `not-rendered.txt` beside them.
    """
    laid = layout(report, basis, deal, room)
    data = report_json(report, basis, deal.model_dump(mode="json"))
    renderings: dict[str, Callable[[], bytes]] = {
        ".json": lambda: shown_json(json.dumps(data, ensure_ascii=False, indent=1)).encode(),
        ".md": lambda: render_markdown(laid).encode("utf-8", "replace"),
        ".html": lambda: render_html(laid).encode("utf-8", "replace"),
        ".docx": lambda: render_docx(laid),
        ".xlsx": lambda: render_xlsx(laid, report, basis),
    }
    names = ["report.json", "report.md", LAB_NAME, "report.html", "report.docx", "report.xlsx"]
    names += [n for n in deliverables if Path(n).suffix.lower() in renderings and Path(n).name == n and n not in names]
    output.mkdir(parents=True, exist_ok=True)
    (output / FAULTS_NAME).unlink(missing_ok=True)
    done: dict[str, bytes] = {}
    written, faults = [], []
    for name in names:
        suffix = Path(name).suffix.lower()
        try:
            done[suffix] = done[suffix] if suffix in done else renderings[suffix]()
        except Exception:
            faults.append(f"{name} could not be rendered:\n{traceback.format_exc()}")
            continue
        written.append(_write(output / name, done[suffix]))
    if faults:
        written.append(_write(output / FAULTS_NAME, "\n".join(faults).encode("utf-8", "replace")))
    return written


def _write(path: Path, content: bytes) -> Path:
    """Replaces a file in one step, so that a crash leaves the old one or the new one."""
    beside = path.with_name(f".{path.name}.part")
    try:
        with beside.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
    except OSError as error:
        beside.unlink(missing_ok=True)
        raise OSError(error.errno, error.strerror, str(path)) from error
    return path
