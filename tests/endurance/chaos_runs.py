"""The runs that are killed: a small matter, a root and sub-agents that are programs behind a real server, and the commands that start them.

Everything a model says here follows from its request alone, so that an interrupted run and one that nothing happened to can be compared.
"""

from __future__ import annotations

import hashlib
import io
import json
import re
import shutil
import sys
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from PIL import Image, ImageDraw
from servers.scripted import Answer, Received, later, say, use_tool

from redwell.harness.fence import split

DEMO = Path(__file__).resolve().parents[2] / "examples" / "demo_room"
LEASES = 5
PRICES = '[openai]\nas_of = "2026-01-01"\n[openai.prices]\n"root@{url}" = { input = 1.0, output = 2.0 }\n"sub@{url}" = { input = 1.0, output = 2.0 }\n'
CONSENT, SUM = "Which clauses need a consent?", "Which sums are named?"

_WORK = "time.sleep(0.02); spent = sum(number * number for number in range(100_000))"
_READ = f"""
docs = sorted((document for document in room.documents() if document.length), key=lambda document: document.path)
hits = room.search("consent landlord")
print(len(docs), len(hits), random.random(), time.time())
for turn in range(3):
    {_WORK}
"""
_ENTRIES = """
def entered(finding):
    report.add(title=finding.claim, claim=finding.claim + " It must be settled before closing.", citations=finding, workstream="Real estate",
               severity="High" if finding.kind == "consent" else "Low", exposure={"not_quantified": "a consent has no price"}, next_step="Ask the landlord.")
    report.row("schedule", {"Document": finding.document.path, "Point": finding.claim}, finding)
    SPEND
""".replace("SPEND", _WORK)
_REST = """
for name in ("Corporate", "Capitalization", "Contracts", "Debt", "Finance", "Tax", "IP", "Privacy and cyber", "Employment", "Litigation",
             "Environmental", "Insurance", "Regulatory", "Related parties", "Data room integrity"):
    report.none_found("issues", name, rests_on=f"{len(docs)} leases")
report.section("Real estate", "Each lease needs the consent of its landlord.")
report.executive_summary("Each lease needs the consent of its landlord before closing; the rents are moderate.")
"""
_IN_ORDER = "sorted(found, key=lambda finding: (finding.document.path, finding.claim))"
CELLS = (
    f"import random, time\n{_READ}",
    f"consents = dispatch([({CONSENT!r}, document) for document in docs])\nfirst = consents.wait(2)\nprint(len(first))",
    f"sums = dispatch([({SUM!r}, document) for document in docs])\n{_WORK}\nfound = [finding for batch in (consents, sums) for result in batch.results() for finding in result]\nprint(len(found))",
    f"{_ENTRIES}\nfor finding in {_IN_ORDER}[: len(found) // 2]:\n    entered(finding)",
    f"for finding in {_IN_ORDER}[len(found) // 2 :]:\n    entered(finding)\n{_REST}",
    "submit()",
)
DEEP_CELLS = (
    CELLS[0],
    f"deep = dispatch([({CONSENT!r}, docs[:3]), ({CONSENT!r}, docs[3:]), ({SUM!r}, docs)], agents=True)\n{_WORK}",
    "found = [finding for result in deep.results() for finding in result]\nprint(len(found))",
    *CELLS[3:],
)
CHILD_CELLS = (
    "names = sorted({span.document.path for span in scope})\nprint(names)",
    "question = QUESTION\nmine = dispatch([(question, path) for path in names])\nfound = [finding for result in mine.results() for finding in result]\nprint(len(found))",
    "answer(sorted(found, key=lambda finding: finding.claim), notes=f'{len(names)} leases were read')",
)


def script(received: Received) -> Answer:
    """What the server answers: the next cell of whoever writes cells, by how many it has written, or a reading; after a while that only
    the request decides."""
    answer = _reading(received) if received.model == "sub" else _cell(received)
    share = int.from_bytes(hashlib.sha256(received.raw).digest()[:4], "big") / 2**32
    return later(answer, (0.01 + 0.08 * share) if received.model == "sub" else 0.02 * share)


def _cell(received: Received) -> Answer:
    turn = sum(message["role"] == "assistant" for message in received.messages)
    cells: Sequence[str] = DEEP_CELLS if "agents=True" in received.system else CELLS
    if "You answer one question over a part" in received.system:
        asked = CONSENT if CONSENT in str(received.messages[1]["content"]) else SUM
        cells = [cell.replace("QUESTION", repr(asked)) for cell in CHILD_CELLS]
    code = cells[min(turn, len(cells) - 1)]
    return use_tool("python", {"code": code}, usage=(1_000 + turn, 0, 50))


def _reading(received: Received) -> Answer:
    slices, question = split(received.user)
    kind, sought = ("consent", r"Tenant shall not .*") if CONSENT in question else ("sum", r"The rent is .*")
    findings: list[dict[str, Any]] = []
    for piece in slices:
        if match := re.search(sought, piece.text):
            claim = f"{piece.path} has a {kind}."
            findings.append({"kind": kind, "claim": claim, "quotes": [{"document": piece.number, "text": match[0]}]})
    return say(json.dumps({"findings": findings, "notes": ""}))


def make_matter(folder: Path) -> Path:
    """Leases, each with a clause that needs a consent and one that names a rent."""
    folder.mkdir(parents=True)
    for number in range(LEASES):
        clauses = "\n\n".join(f"{n}. Clause {n} of lease {number} is about ordinary matters." for n in range(3, 12))
        text = (
            f"LEASE {number}\n\n1. Tenant shall not assign lease {number} without the consent of the landlord.\n\n"
            f"2. The rent is ${number + 7},000 a month.\n\n{clauses}\n"
        )
        (folder / f"lease-{number}.txt").write_text(text, encoding="utf-8")
    return folder


def make_contracts(folder: Path) -> Path:
    """A part of the demo room: Word, Excel, PDF and mail; and an agreement that is long enough for the reader's worker processes."""
    part = "3.0 Contracts"
    shutil.copytree(DEMO / part, folder / part)
    clauses = "\n\n".join(f"{n}. The supplier shall deliver part {n} of the goods by day {n}." for n in range(1, 301))
    (folder / part / "long supply agreement.txt").write_text(f"SUPPLY AGREEMENT\n\n{clauses}\n", encoding="utf-8")
    return folder


def make_files(folder: Path, count: int) -> Path:
    """A room to be read: many small texts, real files of many kinds, an archive in an archive, a scan, and files that cannot be read."""
    make_contracts(folder)
    for number in range(count):
        place = folder / f"notes {number % 7}"
        place.mkdir(exist_ok=True)
        words = "\n\n".join(
            f"{n}. Note {number} speaks of item {number * 31 % 97} and of consent {n}." for n in range(6)
        )
        (place / f"note-{number}.txt").write_text(f"NOTE {number}\n\n{words}\n", encoding="utf-8")
    inner, outer = io.BytesIO(), io.BytesIO()
    with zipfile.ZipFile(inner, "w") as archive:
        archive.writestr(zipfile.ZipInfo("deep.txt"), "A deed in an archive in an archive needs a consent.")
    with zipfile.ZipFile(outer, "w") as archive:
        archive.writestr(zipfile.ZipInfo("inner.zip"), inner.getvalue())
        archive.writestr(zipfile.ZipInfo("copy of note.txt"), (folder / "notes 0" / "note-0.txt").read_bytes())
    (folder / "archive.zip").write_bytes(outer.getvalue())
    (folder / "broken.pdf").write_bytes(b"%PDF-1.7\n1 0 obj <<")
    (folder / "empty.txt").write_bytes(b"")
    scan = Image.new("L", (900, 300), 255)
    ImageDraw.Draw(scan).text((40, 80), "THE CONSENT OF THE BANK IS REQUIRED", fill=0, font_size=36)
    scan.save(folder / "scan.pdf", "PDF", resolution=100)
    return folder


@dataclass(frozen=True)
class Kind:
    """A kind of run. `stages` are the moments at which it can be hit, in the order in which they come."""

    name: str
    stages: tuple[str, ...]
    options: tuple[str, ...] = ()
    served: bool = False
    reads_only: bool = False

    def begin(self, room: Path, out: Path, url: str) -> list[str]:
        """The command that starts it."""
        if self.reads_only:
            return _redwell("room", "read", room, "--store", out, "--jobs", 2, "--quiet")
        models = ("--root", f"openai:root@{url}", "--sub", f"openai:sub@{url}") if self.served else ()
        return _redwell("diligence", room, "--out", out, "--jobs", 1, "--quiet", *models, *self.options)

    def go_on(self, room: Path, out: Path, url: str) -> list[str]:
        """The command that goes on with it after a kill."""
        if self.reads_only or not (out / "run.json").exists():
            return self.begin(room, out, url)
        return _redwell("resume", out, "--quiet")

    def store(self, out: Path) -> Path:
        return out if self.reads_only else out / "room"


READING = ("reading", "indexing")
WORKING = (*READING, "cells", "calls", "arrival", "report", "rendering")
KINDS = (
    Kind("one level", WORKING, ("--concurrency", "4"), served=True),
    Kind("two levels", WORKING, ("--depth", "2", "--concurrency", "6"), served=True),
    Kind("embedded", tuple(stage for stage in WORKING if stage != "arrival")),
    Kind("reading alone", READING, reads_only=True),
)


def _redwell(*arguments: object) -> list[str]:
    return [sys.executable, "-m", "redwell", *map(str, arguments)]
