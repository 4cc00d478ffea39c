"""Writes an export: rollouts in, one file of JSON lines out, whole or not at all."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, get_args

from redwell.train.export.prompt_rows import Trainer, prompt_row
from redwell.train.export.sft_jsonl import Arguments, NotSayable, sft_lines
from redwell.train.export.source import Source, played, sources, turns
from redwell.train.export.tinker_datums import data_of, datum_line
from redwell.train.export.verifiers_traces import trace_line
from redwell.train.types import TrainingError

FORMATS = ("sft", *get_args(Trainer), "verifiers", "tinker")
Lines = Iterator[dict[str, Any]]


@dataclass(slots=True)
class Exported:
    """What an export came to; `left_out` counts rollouts by why they are not in it."""

    lines: int = 0
    rollouts: int = 0
    left_out: Counter[str] = field(default_factory=Counter)


def export(folders: Sequence[Path], format_: str, out: Path, arguments: Arguments = "objects") -> Exported:
    """Writes the rollouts of trainings, runs and folders of runs to `out`, in one of FORMATS.

    `sft`: conversations; `verl`, `skyrl`, `trl`, `nemo-gym`: one row for each task; `verifiers`: traces; `tinker`: data with advantages.
    `arguments` is for `sft`. Raises TrainingError when a folder holds no rollout, a run or its room cannot be read, or nothing can be exported.
    """
    if format_ not in FORMATS:
        raise TrainingError(f"--format is one of {', '.join(FORMATS)}, not {format_!r}")
    given = sources(folders)
    told = Exported()
    lines = _LINES[format_](given, told) if format_ != "sft" else _sft(given, told, arguments)
    part = out.with_name(f".{out.name}.{os.getpid()}")
    try:
        with part.open("w", encoding="utf-8") as file:
            for line in lines:
                file.write(json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n")
                told.lines += 1
        if not told.lines:
            why = "; ".join(f"{count}: {reason}" for reason, count in told.left_out.most_common()) or "there is none"
            raise TrainingError(f"none of the rollouts can be exported as {format_} ({why})")
        part.replace(out)
    finally:
        part.unlink(missing_ok=True)
    return told


def _sft(given: Sequence[Source], told: Exported, arguments: Arguments) -> Lines:
    for source in given:
        try:
            lines = list(sft_lines(source.rollout, played(source.run).exchanges, arguments))
        except NotSayable as why:
            told.left_out[str(why)] += 1
            continue
        if lines:
            told.rollouts += 1
            yield from lines
        else:
            told.left_out["its root gave no answer"] += 1


def _rows(given: Sequence[Source], told: Exported, *, trainer: Trainer) -> Lines:
    known: set[str] = set()
    for source in given:
        asked = () if source.rollout.task in known else played(source.run).exchanges
        if asked:
            yield prompt_row(trainer, source.rollout, asked, len(known))
            known.add(source.rollout.task)
        told.rollouts += 1


def _traces(given: Sequence[Source], told: Exported) -> Lines:
    for source in given:
        run = played(source.run)
        told.rollouts += 1
        yield trace_line(source.rollout, run.exchanges, turns(source.run), run.configuration, source.advantage)


def _data(given: Sequence[Source], told: Exported) -> Lines:
    for source in given:
        if source.advantage is None:
            told.left_out["it is unscorable"] += 1
        elif not source.rollout.trained_tokens:
            told.left_out["its tokens were not captured"] += 1
        else:
            for datum in data_of(source.rollout, source.advantage, told.rollouts):
                yield datum_line(datum, source.rollout)
            told.rollouts += 1


_LINES: dict[str, Callable[[Sequence[Source], Exported], Lines]] = {
    **{trainer: partial(_rows, trainer=trainer) for trainer in get_args(Trainer)},
    "verifiers": _traces,
    "tinker": _data,
}
