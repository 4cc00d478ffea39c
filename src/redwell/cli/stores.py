"""Where a run's folder and its room's store are: a run may have been moved or copied with its store inside."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from redwell.cli.errors import BAD_INPUT, FAILED, FULL, Stop

RUN_FILE = "run.json"
STORE_FILE = "room.sqlite"
_OWN = {RUN_FILE, RUN_FILE + ".new", "lock", "output", "earlier", "lost+found"}


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
    """The deliverables that a run has written, by name; what a killed process had half written is none."""
    output = out / "output"
    if not output.is_dir():
        return []
    return sorted(path for path in output.iterdir() if path.is_file() and not path.name.startswith("."))


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
