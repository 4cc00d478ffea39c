"""How a training goes, step by step: `curve.jsonl`, one JSON object a line, and TensorBoard's files when they are asked for."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from redwell.bench.measures import write_atomically
from redwell.train.types import TrainingError

FILE = "curve.jsonl"


class Curve:
    """Adds a line for each step. What is there of steps beyond the last checkpoint is cut when training goes on, for they are made again."""

    def __init__(self, folder: Path, lines: Iterable[Mapping[str, Any]], *, tensorboard: bool = False) -> None:
        """Begins with `lines`, in place of whatever the file had. Raises TrainingError when TensorBoard is asked for and not installed."""
        self.path = folder / FILE
        known = list(lines)
        self._board = _board(folder / "tensorboard", known[-1]["step"] + 1 if known else 0) if tensorboard else None
        write_atomically(self.path, "".join(_line(one) for one in known))

    def add(self, figures: Mapping[str, Any]) -> None:
        """One step; it is on the disk when this returns."""
        with self.path.open("a", encoding="utf-8") as file:
            file.write(_line(figures))
            file.flush()
            os.fsync(file.fileno())
        if self._board is not None:
            for name, value in figures.items():
                if name != "step" and isinstance(value, int | float):
                    self._board.add_scalar(name, value, figures["step"])
            self._board.flush()

    def close(self) -> None:
        if self._board is not None:
            self._board.close()


def _line(figures: Mapping[str, Any]) -> str:
    return json.dumps(dict(figures)) + "\n"


def _board(folder: Path, step: int) -> Any:
    try:
        from torch.utils.tensorboard import SummaryWriter
    except ImportError:
        raise TrainingError(
            "tensorboard: it is not installed: pip install tensorboard, or write tensorboard = false (curve.jsonl is written anyway)"
        ) from None
    return SummaryWriter(str(folder), purge_step=step)
