"""A checkpoint: weights, optimizer and version in a folder, whole or not at all."""

from __future__ import annotations

import io
import json
import os
import shutil
from pathlib import Path
from typing import Any

from redwell.train.local.weights import ABOUT, read_weights, take_weights, write_weights
from redwell.train.types import TrainingError

_STATE = "optimizer.pt"


def write_state(model: Any, optimizer: Any, folder: Path, about: dict[str, Any]) -> None:
    """Writes beside `folder` and puts it in place of what is there when all of it is on disk.

    Raises TrainingError naming the folder; what was there before then stays.
    """
    import torch

    part, old = _beside(folder, "new"), _beside(folder, "old")
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        shutil.rmtree(part, ignore_errors=True)
        write_weights(model, part, about)
        written = io.BytesIO()
        torch.save(optimizer.state_dict(), written)
        (part / _STATE).write_bytes(written.getbuffer())
        for path in part.iterdir():
            _to_disk(path)
        _settle(folder)
        if folder.exists():
            folder.rename(old)
        part.rename(folder)
        _to_disk(folder.parent)
        shutil.rmtree(old, ignore_errors=True)
    except OSError as error:
        shutil.rmtree(part, ignore_errors=True)
        raise TrainingError(
            f"{folder}: the checkpoint cannot be written ({error.strerror or error}), and the one before it was kept: make room there, or name "
            "another folder"
        ) from None


def read_state(model: Any, optimizer: Any, folder: Path) -> int:
    """Takes weights and optimizer; returns the version. Raises TrainingError, and changes nothing, when it is missing, damaged or of another model."""
    import torch

    try:
        _settle(folder)
        about = json.loads((folder / ABOUT).read_text(encoding="utf-8"))
        version = int(about["version"])
        state = torch.load(io.BytesIO((folder / _STATE).read_bytes()), weights_only=True)
    except OSError as error:
        raise TrainingError(f"{folder}: there is no checkpoint to go on from: {error.strerror or error}") from None
    except Exception as error:  # torch.load raises what it likes over a damaged file
        raise TrainingError(
            f"{folder}: the checkpoint is damaged ({type(error).__name__}): go on from another one"
        ) from None
    trained = read_weights(model, folder)
    before = optimizer.state_dict()
    try:
        optimizer.load_state_dict(state)
    except (ValueError, KeyError, TypeError) as error:
        optimizer.load_state_dict(before)
        raise TrainingError(f"{folder}: its optimizer belongs to another training: {error}") from None
    take_weights(model, trained)
    return version


def _beside(folder: Path, what: str) -> Path:
    return folder.with_name(f".{folder.name}.{what}")


def _settle(folder: Path) -> None:
    """Between two renames of `write_state` the folder has only its old copy: a kill there is mended here."""
    old = _beside(folder, "old")
    if old.exists() and not folder.exists():
        old.rename(folder)
    shutil.rmtree(old, ignore_errors=True)


def _to_disk(path: Path) -> None:
    number = os.open(path, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)
