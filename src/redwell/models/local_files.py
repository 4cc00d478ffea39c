"""Which language models can run on this machine: the catalogue, the folder in which their files are kept, and how a file gets there."""

from __future__ import annotations

import os
import shutil
import tomllib
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from importlib import resources
from importlib.util import find_spec
from pathlib import Path

from redwell.models.connect import ModelNameError

VARIABLE = "REDWELL_MODELS"
MAGIC = b"GGUF"
_CHUNK = 4 << 20


class LocalFileError(Exception):
    """A model's file that cannot be had or taken, with the reason and the way out."""


@dataclass(frozen=True, slots=True)
class Calibration:
    """Of log p(yes) - log p(no): the probability of yes is the logistic function of `slope` times it plus `offset`."""

    slope: float = 1.0
    offset: float = 0.0


@dataclass(frozen=True, slots=True)
class LocalModel:
    """An entry of the catalogue. `size` in bytes, `context` in tokens; `yes` is None for a model that was not calibrated."""

    name: str
    about: str
    publisher: str
    licence: str
    file: str
    url: str
    size: int
    sha256: str
    context: int
    yes: Calibration | None = None


@lru_cache(maxsize=1)
def catalogue() -> Mapping[str, LocalModel]:
    """Every model that `local:NAME` knows, by name."""
    text = resources.files("redwell.models").joinpath("local_catalogue.toml").read_text(encoding="utf-8")
    entries = {}
    for name, entry in tomllib.loads(text).items():
        yes = entry.pop("yes", None)
        calibration = Calibration(yes["slope"], yes["offset"]) if yes else None
        entries[name] = LocalModel(name=name, yes=calibration, **entry)
    return entries


def folder(environment: Mapping[str, str] | None = None) -> Path:
    """Where model files are kept: REDWELL_MODELS, else `redwell/models` in the user's data folder."""
    values = os.environ if environment is None else environment
    if own := values.get(VARIABLE, "").strip():
        return Path(own).expanduser()
    data = values.get("XDG_DATA_HOME", "").strip()
    return (Path(data) if data else Path.home() / ".local" / "share") / "redwell" / "models"


def known(name: str) -> LocalModel:
    """The entry of that name. Raises LocalFileError."""
    entry = catalogue().get(name)
    if entry is None:
        raise LocalFileError(f"there is no model called {name!r} in the catalogue: it has {', '.join(catalogue())}")
    return entry


def is_here(entry: LocalModel, kept: Path | None = None) -> bool:
    """Whether a file of the right size stands in the folder; its hash was checked before it got there."""
    path = (kept or folder()) / entry.file
    return path.is_file() and path.stat().st_size == entry.size


def find(text: str, kept: Path | None = None) -> tuple[Path, LocalModel | None]:
    """The file that `local:NAME` or `local:PATH.gguf` means, and its entry in the catalogue.

    Nothing is downloaded. Raises ModelNameError, saying what is missing and the command that brings it.
    """
    name = text.partition(":")[2]
    if "/" not in name and not name.endswith(".gguf"):
        entry = catalogue().get(name)
        if entry is None:
            raise ModelNameError(
                f"{text!r}: there is no such model: use local:{', local:'.join(catalogue())}, or local:/PATH/TO/FILE.gguf"
            )
        if not is_here(entry, kept):
            raise ModelNameError(
                f"{text!r} is not on this machine: `redwell models get {name}` downloads {entry.size / 1e6:,.0f} MB from its publisher "
                f"({entry.publisher}, {entry.licence}) into {kept or folder()}; a file that you have already is taken by "
                f"`redwell models add {name} FILE`"
            )
        path: Path = (kept or folder()) / entry.file
    else:
        path, entry = Path(name).expanduser(), None
        if "@" in name:
            raise ModelNameError(f"{text!r}: the path of a local model must not contain @")
    try:
        with path.open("rb") as file:
            start = file.read(len(MAGIC))
    except OSError as error:
        raise ModelNameError(f"{text!r}: {path} cannot be read: {error.strerror}") from None
    if start != MAGIC:
        raise ModelNameError(f"{text!r}: {path} is not a GGUF file, the kind that llama.cpp runs")
    if find_spec("xllamacpp") is None:
        raise ModelNameError(f"{text!r} needs the engine for local models: pip install 'redwell[local]'")
    return path, entry


def add(entry: LocalModel, file: Path, kept: Path | None = None) -> Path:
    """Takes a file that is already on this machine into the folder: linked where that is possible, else copied.

    Raises LocalFileError when it is not the file of the catalogue.
    """
    target = (kept or folder()) / entry.file
    try:
        if file.stat().st_size != entry.size:
            raise LocalFileError(
                f"{file} has {file.stat().st_size:,} bytes, {entry.name} has {entry.size:,}: it is not the same file"
            )
        target.parent.mkdir(parents=True, exist_ok=True)
        part = target.with_name(target.name + ".new")
        part.unlink(missing_ok=True)
        try:
            part.hardlink_to(file.resolve())
        except OSError:
            shutil.copyfile(file, part)
        # What is hashed is what is kept, not what the name led to a moment before.
        if digest(part) != entry.sha256:
            part.unlink()
            raise LocalFileError(
                f"{file} is not {entry.name}: its SHA-256 is not {entry.sha256}, so it is damaged or another file"
            )
        part.replace(target)
    except OSError as error:
        with suppress(OSError):
            target.with_name(target.name + ".new").unlink(missing_ok=True)
        raise LocalFileError(f"{error.filename or file}: {error.strerror or error}") from None
    return target


def digest(path: Path, seen: Callable[[bytes], None] | None = None) -> str:
    """The SHA-256 of a file, read in pieces."""
    found = sha256()
    with path.open("rb") as file:
        while piece := file.read(_CHUNK):
            found.update(piece)
            if seen is not None:
                seen(piece)
    return found.hexdigest()
