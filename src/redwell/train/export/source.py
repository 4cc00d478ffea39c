"""What an export is made of: rollouts that have ended, each with its run's conversation."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from redwell.bench import verdicts
from redwell.bench.measures import read_measures
from redwell.bench.runs import JOURNAL, runs_in
from redwell.bench.verdicts import VerdictError
from redwell.journal.journal import Journal, JournalError
from redwell.journal.trajectory import Exchange, exchanges
from redwell.room.room import Room, RoomError
from redwell.train import capture, ledger
from redwell.train.advantages import advantages
from redwell.train.config import RlRecipe
from redwell.train.rewards import RewardSettings, parts_of, reward, shape
from redwell.train.setup import read_frozen
from redwell.train.types import Rollout, RolloutStatus, TrainingError, Turn


@dataclass(frozen=True, slots=True)
class Source:
    """A rollout, the folder of its run, and its advantage over its group (None: unscorable)."""

    rollout: Rollout
    run: Path
    advantage: float | None = None


@dataclass(frozen=True, slots=True)
class Played:
    """How a run went: the calls of its root that were answered, in order, and its configuration."""

    exchanges: tuple[Exchange, ...]
    configuration: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Piece:
    """A conversation as one model saw it grow: `messages` from first to last, `said` the places of those that the root sampled. Where history was
    rewritten another piece begins, whose history holds answers that an earlier piece has already. `exchanges` has one for each of `said`."""

    messages: list[dict[str, Any]]
    tools: list[dict[str, Any]]
    said: list[int]
    exchanges: list[Exchange]


def sources(folders: Sequence[Path]) -> list[Source]:
    """The rollouts of trainings (their folders), of runs and of folders with runs, in order, each once. Raises TrainingError when one holds none."""
    found: dict[Path, Source] = {}
    for folder in folders:
        new = list(_of_training(folder) if (folder / ledger.FILE).is_file() else _of_runs(folder))
        if not new:
            raise TrainingError(f"{folder}: holds no rollout of a training and no run that has ended")
        for source in new:
            found.setdefault(source.run.resolve(), source)
    return list(found.values())


def played(run: Path) -> Played:
    """Raises TrainingError when the run cannot be read, or the room that it read, whose words stand in its conversation, is gone."""
    try:
        with Journal.open(run, read_only=True) as journal:
            configuration = journal.configuration
            with _room(run, configuration) as room:
                every = tuple(one for one in exchanges(journal, texts=room.slice) if one.answer is not None)
            return Played(every, configuration)
    except JournalError as error:
        raise TrainingError(str(error)) from None


def turns(run: Path) -> list[Turn]:
    """What was sampled, token by token; empty when the run asked for no token ids. Raises TrainingError."""
    try:
        with Journal.open(run, read_only=True) as journal:
            captured = any("prompt_ids" in one.completion for one in exchanges(journal))
            return capture.turns(journal) if captured else []
    except JournalError as error:
        raise TrainingError(str(error)) from None


def pieces(asked: Sequence[Exchange]) -> list[Piece]:
    found: list[Piece] = []
    for one in asked:
        if one.answer is None:
            continue
        if not found or not continues(found[-1].messages, one.asked):
            found.append(Piece([], one.tools, [], []))
        piece = found[-1]
        piece.messages.extend(one.asked[len(piece.messages) :])
        piece.said.append(len(piece.messages))
        piece.messages.append(one.answer)
        piece.exchanges.append(one)
    return found


def continues(before: Sequence[dict[str, Any]], asked: Sequence[dict[str, Any]]) -> bool:
    """Whether a request goes on with a conversation; the harness may hand its last answer back in a tidier form than it came in."""
    if len(asked) < len(before):
        return False
    same = [one == other for one, other in zip(before, asked, strict=False)]
    return all(same[:-1]) and (same[-1] or before[-1]["role"] == asked[len(before) - 1]["role"] == "assistant")


def _of_training(folder: Path) -> Iterator[Source]:
    """Every rollout that has ended, whatever became of its group, with the advantage that its training gives it."""
    _, recipe = read_frozen(folder)
    settings = recipe.reward.settings() if isinstance(recipe, RlRecipe) else RewardSettings()
    account = ledger.Ledger(folder / ledger.FILE)
    try:
        groups = [account.rollouts(group) for group in account.groups.groups]
    finally:
        account.close()
    for group in groups:
        for rollout, advantage in zip(group, advantages(shape(group, settings)), strict=True):
            run = Path(rollout.run)
            yield Source(rollout, run if run.is_absolute() else folder / run, advantage)


def _of_runs(folder: Path) -> Iterator[Source]:
    """Runs that have ended, those of one task being a group, as far as one judge has graded them all."""
    by_task: dict[str, list[Rollout]] = defaultdict(list)
    for run in runs_in(folder):
        if (run / JOURNAL).is_file() and (rollout := _rollout(run, by_task)) is not None:
            by_task[rollout.task].append(rollout)
    for group in by_task.values():
        for rollout, advantage in zip(group, advantages([one.reward for one in group]), strict=True):
            yield Source(rollout, Path(rollout.run), advantage)


def _rollout(run: Path, known: Mapping[str, Sequence[Rollout]]) -> Rollout | None:
    """A run as a rollout, scored by the verdicts that are there; None for one that has not ended."""
    try:
        with Journal.open(run, read_only=True) as journal:
            ended = [event.data for event in journal.events("run.finished")]
            task = str(journal.configuration.get("task") or journal.configuration.get("room_name") or run.name)
    except JournalError as error:
        raise TrainingError(str(error)) from None
    if not ended:
        return None
    said = turns(run)
    parts = _parts(run)
    submitted = ended[-1]["status"] == "submitted"
    status: RolloutStatus = "unscorable" if not parts else "ok" if submitted else "truncated"
    return Rollout(
        id=f"{task}/{len(known.get(task, ()))}",
        task=task,
        group=task,
        status=status,
        segments=tuple(capture.segments(said)),
        reward=reward(parts, RewardSettings()),
        parts=parts,
        why="" if parts else "no judge has graded the run",
        run=str(run),
        turns=len(said),
        submitted=submitted,
        coverage=float((read_measures(run) or {}).get("coverage", 0.0)),
    )


def _parts(run: Path) -> dict[str, float]:
    """Of the first judge's verdicts, by name."""
    for judge in sorted(verdicts.sets(run)):
        try:
            return parts_of(verdicts.read_set(run, judge), None)
        except VerdictError as error:
            raise TrainingError(str(error)) from None
    return {}


def _room(run: Path, configuration: dict[str, Any]) -> Room:
    named = configuration.get("room")
    if not isinstance(named, str) or not named:
        raise TrainingError(f"{run / 'run.json'}: room: names no store of the room that was read")
    try:
        return Room.open(run / named)
    except RoomError as error:
        raise TrainingError(
            f"{run}: the room that it read cannot be opened, and its words stand in the conversation: {error}"
        ) from None
