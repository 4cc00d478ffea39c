"""Where a run's folder, its room's store and its deliverables are: a run may have been moved or copied with its store inside."""

from __future__ import annotations

import filecmp
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from redwell.cli.errors import BAD_INPUT, FAILED, FULL, Stop

RUN_FILE = "run.json"
STORE_FILE = "room.sqlite"
_OWN = {RUN_FILE, RUN_FILE + ".new", "lock", "output", "earlier", "lost+found"}
_FORMATS = {".html": "HTML", ".docx": "Word", ".xlsx": "Excel", ".md": "Markdown", ".json": "JSON"}
_OTHERS = {"trace.html": "Trace", "not-rendered.txt": "Faults"}


def is_run(folder: Path) -> bool:
    return (folder / RUN_FILE).is_file() and (folder / "journal.sqlite").is_file()


def store_of(out: Path, configuration: dict[str, Any], given: Path | None = None) -> Path:
    """The store of a run's room: the one that was `given`, else the one in the run's own folder, else where the run had it."""
    if given is not None:
        return given
    named = Path(str(configuration.get("room", "room")))
    if not named.is_absolute() or (out / "room" / STORE_FILE).is_file():
        return out / ("room" if named.is_absolute() else named)
    if not (named / STORE_FILE).is_file():
        raise Stop(f"the store of the run's room is no longer in {named}: name its place with --store")
    return named


def reports(out: Path) -> list[Path]:
    """The files that a run has written: its report first, the rest by name; what a killed process had half written is none."""
    output = out / "output"
    if not output.is_dir():
        return []
    formats = list(_FORMATS)

    def place(path: Path) -> tuple[int, str]:
        first = path.stem == "report" and path.suffix in formats
        return formats.index(path.suffix) if first else len(formats), path.name

    return sorted((path for path in output.iterdir() if path.is_file() and not path.name.startswith(".")), key=place)


def listed(files: Iterable[Path]) -> list[str]:
    """A line for each file of a run: what it is, in a word, and where. What repeats the report under the name that the task gives says so."""
    lines = []
    for path in files:
        what = _OTHERS.get(path.name) or _FORMATS.get(path.suffix.lower(), "File")
        twin = path.with_name("report" + path.suffix)
        repeats = path != twin and twin.is_file() and filecmp.cmp(path, twin, shallow=False)
        note = f" (the same as {twin.name}, under the name in the task)" if repeats else ""
        lines.append(f"{what:9} {path}{note}")
    return lines


def make_out(out: Path, store: Path | None) -> None:
    """Makes the folder of a run. Stops when it cannot be written, or holds what no run and no reading has put there."""
    try:
        out.mkdir(parents=True, exist_ok=True)
        held = [path for path in out.iterdir() if not _own(path, store)]
    except FileExistsError:
        raise Stop(f"{out} is not a folder: name another with --out") from None
    except OSError as error:
        code = FAILED if error.errno in FULL else BAD_INPUT
        raise Stop(
            f"{out} cannot be made into the folder of a run ({error.strerror}): name another with --out", code
        ) from None
    if not os.access(out, os.W_OK | os.X_OK):
        raise Stop(f"{out} cannot be written: name another folder with --out")
    if held and not (out / RUN_FILE).exists():
        raise Stop(
            f"{out} holds other files ({held[0].name}) and is not the folder of a run: name an empty or new one with --out"
        )


def _own(path: Path, store: Path | None) -> bool:
    if path.name in _OWN or path.name.startswith((".", "journal.sqlite")):
        return True
    if store is not None and path.resolve() in (store.resolve(), *store.resolve().parents):
        return True
    return path.name == "room" and (
        (path / STORE_FILE).exists() or (path / "room.lock").exists() or not any(path.iterdir())
    )
