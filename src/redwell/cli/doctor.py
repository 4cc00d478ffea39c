"""`redwell doctor`: what is installed, which walls hold, which models answer."""

from __future__ import annotations

import asyncio
import importlib.util
import json
import platform
import shutil
import subprocess
from dataclasses import asdict, dataclass
from typing import Annotated

import typer

from redwell.cli.console import plain_console
from redwell.cli.errors import INCOMPLETE, plain_errors
from redwell.journal.shown import shown_line


@dataclass(frozen=True, slots=True)
class Line:
    area: str
    name: str
    works: bool
    needed: bool
    detail: str


@plain_errors
def doctor(
    model: Annotated[
        list[str] | None, typer.Option("--model", help="A model to ask, as for --root; may be repeated.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json")] = False,
) -> None:
    """Says what is installed, which sandbox passes its self-test, and which models answer. Exit code 1 when something needed is missing."""
    lines = [*_installed(), *_reading(), *_sandboxes(), *_models(model or [])]
    if as_json:
        print(json.dumps([asdict(line) for line in lines]))
    else:
        _print(lines)
    if any(line.needed and not line.works for line in lines):
        raise SystemExit(INCOMPLETE)


def _print(lines: list[Line]) -> None:
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, show_header=False)
    area = ""
    for line in lines:
        mark, colour = ("ok", "green") if line.works else ("missing", "red") if line.needed else ("not there", "yellow")
        named = line.area if line.area != area else ""
        table.add_row(named, Text(mark, colour), shown_line(line.name), shown_line(line.detail))
        area = line.area
    plain_console().print(table)


def _installed() -> list[Line]:
    lines = [Line("Python", platform.python_version(), True, True, platform.platform())]
    programs = (
        ("tesseract", "reads scans; without it scanned pages are listed as unreadable"),
        ("soffice", "reads .doc, .xls, .ppt and .rtf; without it they are listed as unreadable"),
        ("bwrap", "the stronger sandbox; without it Landlock and seccomp are used"),
    )
    for name, purpose in programs:
        path = shutil.which(name)
        lines.append(Line("Programs", name, path is not None, False, _version(path) if path else purpose))
    for package, purpose in (
        ("tantivy", "search"),
        ("re2", "grep"),
        ("pypdfium2", "PDF"),
        ("rapidocr", "OCR without tesseract"),
        ("keyring", "keys"),
        ("xllamacpp", "language models on this machine (local:NAME): pip install 'redwell[local]'"),
    ):
        found = importlib.util.find_spec(package) is not None
        lines.append(Line("Packages", package, found, package in ("re2", "pypdfium2"), purpose))
    return lines


def _version(path: str) -> str:
    try:
        done = subprocess.run([path, "--version"], capture_output=True, text=True, timeout=20, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return path
    return (done.stdout or done.stderr).strip().splitlines()[0] if (done.stdout or done.stderr).strip() else path


def _reading() -> list[Line]:
    """The walls of the process that reads documents, as a worker finds them."""
    from redwell.room.errors import RoomError
    from redwell.room.pool import Pool, Task
    from redwell.room.types import Limits
    from redwell.room.walls import NAMES

    with Pool(1, Limits()) as pool:
        try:
            pool.submit([Task("", "doctor.txt", b"a document")])
            pool.wait()
        except RoomError as error:
            return [Line("Documents", "workers", False, True, str(error))]
        walls = pool.walls
    without = "documents are read without this wall here: it needs Linux with Landlock (5.13) and seccomp"
    return [
        Line("Documents", f"wall: {name}", walls.get(name, False), False, "holds" if walls.get(name) else without)
        for name in NAMES
    ]


def _sandboxes() -> list[Line]:
    from redwell.sandbox.selftest import check

    lines, usable = [], False
    for backend in ("bwrap", "landlock"):
        walls = check(backend)
        broken = [wall for wall in walls if not wall.holds]
        usable = usable or (bool(walls) and not broken)
        detail = (
            f"all {len(walls)} walls hold"
            if walls and not broken
            else "; ".join(f"{w.name}: {w.detail}" for w in broken[:4])
        )
        lines.append(Line("Sandbox", backend, bool(walls) and not broken, False, detail))
    if not usable:
        lines.append(
            Line(
                "Sandbox",
                "any",
                False,
                True,
                "no sandbox holds here: install bubblewrap, or use a kernel with Landlock (5.13)",
            )
        )
    return lines


def _models(names: list[str]) -> list[Line]:
    lines = [
        Line("Models", name, True, True, "embedded: no key, no network, no cost") for name in ("playbook", "reader")
    ]
    return lines + [_ask(name) for name in names]


def _ask(name: str) -> Line:
    from redwell.diligence.naming import resolve
    from redwell.models.retries import complete_alone
    from redwell.models.types import CallFailed, Message, Request

    async def ask() -> str:
        model = resolve(name)
        try:
            request = Request(
                (Message("user", "Answer with the single word: ready"),), max_output_tokens=256, seconds=60
            )
            return (await complete_alone(model, request)).text.strip()[:60]
        finally:
            await model.close()

    try:
        return Line("Models", name, True, True, f"answered {asyncio.run(ask())!r}")
    except CallFailed as failed:
        return Line("Models", name, False, True, f"{failed.kind}: {failed.message}")
