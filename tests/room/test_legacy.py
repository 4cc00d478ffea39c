"""Old office formats through LibreOffice: converted, marked so, and refused with a reason when that cannot be done."""

from __future__ import annotations

import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import docx
import pytest

from redwell.room import programs
from redwell.room.formats import legacy
from redwell.room.formats.legacy import office_program, read
from redwell.room.formats.read import read_file
from redwell.room.types import Limits, Unreadable
from tests.room.office_files import presentation, shown, unit, workbook

pytestmark = pytest.mark.xdist_group("legacy")

LIMITS = Limits()
RTF = (
    b"{\\rtf1\\ansi\\ansicpg1252\\deff0{\\fonttbl{\\f0 Times;}}\\f0\\fs24 LEASE AGREEMENT\\par "
    b"1. Term. This Lease ends on 31 December 2027.\\par 2. Rent. The rent is \\'80 5,000.\\par}"
)
needs_office = pytest.mark.skipif(office_program() is None, reason="LibreOffice is not installed on this machine")


@pytest.fixture(scope="module")
def old_files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A .doc, .xls and .ppt, written by LibreOffice from new files."""
    folder = tmp_path_factory.mktemp("old")
    letter = docx.Document()
    letter.add_heading("Offer letter", 1)
    letter.add_paragraph("The price is $41.2M.")
    letter.save(str(folder / "letter.docx"))

    def ledger(book: Any) -> None:
        sheet = book.add_worksheet("ARR")
        sheet.write_row("A1", ["Customer", "ARR"])
        sheet.write("A2", "Meridian")
        sheet.write("B2", 12400000, book.add_format({"num_format": "$#,##0"}))
        book.add_worksheet("Hidden").write("A1", "secret")
        book.get_worksheet_by_name("Hidden").hide()

    def deck(slides: Any) -> None:
        slides.slides.add_slide(slides.slide_layouts[5]).shapes.title.text = "Business highlights"

    (folder / "ledger.xlsx").write_bytes(workbook(ledger))
    (folder / "deck.pptx").write_bytes(presentation(deck))
    for source, kind in (("letter.docx", "doc"), ("ledger.xlsx", "xls"), ("deck.pptx", "ppt")):
        command = [str(office_program()), f"-env:UserInstallation={(folder / 'profile').as_uri()}", "--headless"]
        command += ["--convert-to", kind, "--outdir", str(folder), str(folder / source)]
        for _ in range(2):  # a new profile asks to be started again
            if not (folder / source).with_suffix(f".{kind}").exists():
                subprocess.run(command, check=False, capture_output=True, timeout=120)
    return folder


@needs_office
def test_rich_text_is_converted_and_marked():
    parsed = read_file(RTF, "lease.doc", LIMITS)
    assert parsed.kind == "rtf"
    assert [(entry.text, entry.section, entry.source) for entry in parsed.views["final"]] == [
        ("LEASE AGREEMENT", "", "converted"),
        ("1. Term. This Lease ends on 31 December 2027.", "1", "converted"),
        ("2. Rent. The rent is € 5,000.", "2", "converted"),
    ]
    assert parsed.metadata["converted_with"] == "LibreOffice"
    assert parsed.problems[0] == "its name ends in .doc, but its content is RTF; it was read as what it is"


@needs_office
def test_an_old_workbook_and_an_old_presentation_are_read(old_files: Path):
    ledger = read_file((old_files / "ledger.xls").read_bytes(), "ledger.xls", LIMITS)
    assert ledger.kind == "xls"
    assert unit(ledger, "ARR!A2:B2").text == "Meridian | $12,400,000"
    assert unit(ledger, "ARR!A2:B2").label == "Customer | ARR"
    assert unit(ledger, "Hidden!A1").flags == ("hidden",)
    deck = read_file((old_files / "deck.ppt").read_bytes(), "deck.ppt", LIMITS)
    assert (deck.kind, shown(deck)) == ("ppt", [("slide 1/shape 1", "Business highlights")])
    assert {entry.source for parsed in (ledger, deck) for entry in parsed.views["final"]} == {"converted"}


@needs_office
def test_an_old_document_is_read_within_the_memory_a_worker_may_use(old_files: Path):
    script = textwrap.dedent(
        """
        import resource, sys
        from redwell.room.formats.read import read_file
        from redwell.room.types import Limits
        limits = Limits()
        resource.setrlimit(resource.RLIMIT_AS, (limits.memory_bytes, limits.memory_bytes))
        parsed = read_file(sys.stdin.buffer.read(), "letter.doc", limits)
        print(parsed.kind, [unit.text for unit in parsed.views["final"]])
        """
    )
    data = (old_files / "letter.doc").read_bytes()
    done = subprocess.run([sys.executable, "-c", script], input=data, capture_output=True, check=False, timeout=120)
    assert done.stdout.decode().strip() == "doc ['Offer letter', 'The price is $41.2M.']", done.stderr.decode()


@needs_office
def test_a_file_that_libreoffice_cannot_convert_is_refused():
    broken = b"\xff\xd8not an old word file"
    with pytest.raises(Unreadable, match="LibreOffice"):
        legacy.read(b"\xffWPC" + broken, "x.wpd", Limits(seconds=20))


@needs_office
def test_a_conversion_that_takes_too_long_is_stopped(tmp_path: Path):
    slow = tmp_path / "slow"
    slow.write_text("#!/bin/sh\nsleep 600 &\nsleep 600\n")
    slow.chmod(0o755)
    with pytest.raises(programs.Failed, match="did not convert it within 1 seconds"):
        legacy._run([str(slow)], tmp_path, 1.0)


def test_without_libreoffice_the_reason_names_the_way_out(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("PATH", "/nowhere")
    office_program.cache_clear()
    try:
        with pytest.raises(Unreadable, match="install LibreOffice, or ask for a DOCX or PDF copy"):
            read(RTF, "lease.rtf", LIMITS)
    finally:
        office_program.cache_clear()


def test_only_old_formats_are_converted():
    with pytest.raises(Unreadable, match="no kind that LibreOffice"):
        read(b"plain words", "x.doc", LIMITS)
