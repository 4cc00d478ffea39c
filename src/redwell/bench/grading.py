"""The one entry point of grading: which judge reads which files of a run, where its verdicts go, and when a set that is there is enough."""

from __future__ import annotations

import asyncio
import hashlib
import json
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from redwell.bench import deliverables, judge, verdicts
from redwell.bench.deliverables import Deliverable
from redwell.bench.facts import grade as facts
from redwell.bench.key import AnswerKeyError, Criterion, Key, read_key
from redwell.bench.runs import has_journal
from redwell.bench.tasks import BenchTask, RubricLine
from redwell.bench.verdicts import Verdict, VerdictSet
from redwell.harness.fence import quoted
from redwell.journal.journal import Journal, JournalError
from redwell.journal.usage import usage
from redwell.models.budget import Budget
from redwell.models.recovery import recover
from redwell.models.retries import Policy
from redwell.models.types import Model
from redwell.room.room import Room

FACTS = "facts"
Progress = Callable[[int, int], None]
"""Called with (criteria with a verdict, all criteria) while a judge works."""


class GradingError(Exception):
    """A run that cannot be graded; the message names file and field and the way out."""


class DeliverableGone(GradingError):
    """A run that has delivered what is not there any more: it would fail every criterion for files that somebody has deleted."""


@dataclass(frozen=True, slots=True)
class Options:
    """`batch`: how many criteria one call of an LLM judge decides; `again`: judge anew though a set is there (it is put aside)."""

    batch: int = 1
    again: bool = False


async def grade_run(
    run: Path,
    task: BenchTask,
    judge: str = FACTS,
    *,
    model: Model | None = None,
    room: Room | None = None,
    budget: Budget | None = None,
    policy: Policy | None = None,
    options: Options | None = None,
    progress: Progress | None = None,
) -> VerdictSet:
    """The verdicts of one judge on a run, made or read. The run itself is never run again, and nothing of it is changed.

    `judge` is "facts" (needs the task's answer key and the room that the run read: `room`, or the store that its `run.json` names) or the name
    of a model, given as `model`. A set that is there, of the same version and the same deliverable, is returned as it is. A grading that was
    killed goes on, and no answer that had arrived is paid for twice. Raises GradingError, DeliverableGone when files that the run delivered are
    not there any more; JournalError and RoomError when the files of the run are damaged. A judge call that fails ends in `unscored`, and never raises.
    """
    chosen = options or Options()
    if chosen.batch < 1:
        raise GradingError(f"batch: {chosen.batch} criteria a call are not possible; give 1 or more")
    run = Path(run)
    if not run.is_dir():
        raise GradingError(f"{run}: there is no such run")
    require_delivered(run, task)
    read = _Reader(run, task)
    if judge == FACTS:
        return await asyncio.to_thread(_by_facts, run, task, read, room, chosen, progress)
    if model is None:
        raise GradingError(f"{judge}: the judge is a model, and none was given")
    return await _by_model(
        run, task, label(judge, chosen.batch), model, read, budget or Budget(), policy, chosen, progress
    )


def require_delivered(run: Path, task: BenchTask) -> None:
    """Raises DeliverableGone, which names run and files, when files that a run has delivered, as its journal says, are not in its output."""
    if not has_journal(run):
        return
    with Journal.open(run, read_only=True) as journal:
        end = next((event.data for event in reversed(list(journal.events("run.finished")))), {})
    output = run / deliverables.OUTPUT
    told = end.get("files")
    if isinstance(told, list):
        whole = any(not line.deliverables for line in task.criteria)  # the judge reads all files
        wanted = [] if whole else [name for line in task.criteria for name in line.deliverables]
        gone = deliverables.lacking(output, list(map(str, told)), list(dict.fromkeys(wanted)))
    else:  # the journals of older versions say only that something was delivered
        lost = end.get("status") in ("submitted", "salvaged") and not deliverables.names(output)
        gone = list(task.deliverables or ("any file",)) if lost else []
    if gone:
        named = ", ".join(quoted(f"{deliverables.OUTPUT}/{name}") for name in gone[:10])
        raise DeliverableGone(
            f"{run}: lacks {named}, which it delivered, and is not graded: put it back, or delete the folder of the run and run it again"
        )


def label(judge_name: str, batch: int = 1) -> str:
    """What a judge's set is called: with several criteria a call it is another judge."""
    return judge_name if batch == 1 or judge_name == FACTS else f"{judge_name}+batch{batch}"


def rubric_of(task: BenchTask) -> str:
    """A short digest of what a task's runs are judged by."""
    told = hashlib.sha256(json.dumps([task.title, [asdict(line) for line in task.criteria]]).encode())
    if task.key is not None:
        told.update(task.key.read_bytes())
    return told.hexdigest()[:16]


class _Reader:
    """The deliverables of a run as criteria name them, each file read once."""

    def __init__(self, run: Path, task: BenchTask) -> None:
        self._output = run / deliverables.OUTPUT
        self._known: dict[tuple[tuple[str, ...], bool], list[Deliverable]] = {}
        self._task = task

    def of(self, line: RubricLine) -> list[Deliverable]:
        key = (line.deliverables, line.include_docx_redlines)
        if key not in self._known:
            self._known[key] = deliverables.read(self._output, line.deliverables, redlines=line.include_docx_redlines)
        return self._known[key]

    def digest(self) -> str:
        for line in self._task.criteria:
            self.of(line)
        parts = [deliverables.digest(self._known[key]) for key in sorted(self._known)]
        return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def _standing(run: Path, label_: str, version: str, digest: str, task: BenchTask, again: bool) -> VerdictSet | None:
    """The set that is there and needs no other; one of another version or deliverable, or `again`, is put aside."""
    try:
        found = verdicts.read_set(run, label_) if (verdicts.place(run, label_) / verdicts.FILE).is_file() else None
    except verdicts.VerdictError:
        found = None
        verdicts.put_aside(run, label_)
    if found is None:
        return None
    # Two names may come to the same folder; the name in the set tells them apart.
    same = (found.judge, found.version, found.deliverables_sha256) == (label_, version, digest)
    same = same and [one.criterion for one in found.verdicts] == [line.id for line in task.criteria]
    if same and not again:
        return found
    verdicts.put_aside(run, label_)
    return None


# --- facts --------------------------------------------------------------------------------------------------------------------


def _by_facts(
    run: Path, task: BenchTask, read: _Reader, room: Room | None, options: Options, progress: Progress | None
) -> VerdictSet:
    key = _key(task)
    digest = read.digest()
    version = f"{facts.VERSION}/{_rubric(task, key)}"
    if (found := _standing(run, FACTS, version, digest, task, options.again)) is not None:
        return found
    started = time.monotonic()
    given: dict[str, Verdict] = {}
    own = {one.id: one for one in key.criteria}
    groups: dict[str, list[Criterion]] = {}
    for line in task.criteria:
        seen = read.of(line)
        text = "\n\n".join(one.text for one in seen)
        if line.id not in own:
            given[line.id] = Verdict(line.id, "unscored", "the answer key has no check for this criterion")
        elif not text.strip():
            problem, outcome = deliverables.nothing(seen)
            given[line.id] = Verdict(line.id, outcome, problem)
        else:
            groups.setdefault(text, []).append(own[line.id])
    if groups:
        opened = room or _room_of(run)
        try:
            for text, criteria in groups.items():
                given |= {one.criterion: one for one in facts.grade(text, criteria, key, opened)}
                if progress is not None:
                    progress(len(given), len(task.criteria))
        finally:
            if room is None:
                opened.close()
    made = VerdictSet(
        FACTS, task.id, tuple(given[line.id] for line in task.criteria), seconds=round(time.monotonic() - started, 3),
        graded_at=_now(), deliverables_sha256=digest, version=version,
    )  # fmt: skip
    verdicts.write_set(run, made)
    return made


def _key(task: BenchTask) -> Key:
    if task.key is None:
        raise GradingError(
            f"{task.folder}: has no answer key (answer_key.json), which the facts judge needs; name a model with --judge"
        )
    try:
        return read_key(task.key)
    except AnswerKeyError as error:
        raise GradingError(str(error)) from None


def _room_of(run: Path) -> Room:
    with Journal.open(run, read_only=True) as journal:
        named = journal.configuration.get("room")
    if not isinstance(named, str) or not named:
        raise GradingError(
            f"{run / 'run.json'}: room: names no store of the room that was read, which the facts judge needs"
        )
    return Room.open(run / named)


# --- a model ------------------------------------------------------------------------------------------------------------------


async def _by_model(
    run: Path,
    task: BenchTask,
    label_: str,
    model: Model,
    read: _Reader,
    budget: Budget,
    policy: Policy | None,
    options: Options,
    progress: Progress | None,
) -> VerdictSet:
    digest = await asyncio.to_thread(read.digest)
    version = f"{judge.VERSION}/{_rubric(task, None)}"
    standing = _standing(run, label_, version, digest, task, options.again)
    if standing is not None and not standing.unanswered:
        return standing
    configuration = {
        "kind": "judging", "judge": label_, "version": version, "task": task.id, "batch": options.batch, "deliverables_sha256": digest,
    }  # fmt: skip
    journal = _journal(run, label_, configuration, fresh=options.again)
    try:
        judged = await judge.judge(
            task.criteria,
            task.title,
            read.of,
            model,
            journal,
            budget,
            batch=options.batch,
            policy=policy,
            progress=progress,
        )
        used = usage(journal)
        seconds = _seconds(journal)
    finally:
        journal.close()
    made = VerdictSet(
        label_, task.id, judged.verdicts, used.tokens.input, used.tokens.output, used.cost, seconds, _now(), digest, version,
        used.tokens.cached_input, sum(line.requests for line in used.lines), judged.unanswered,
    )  # fmt: skip
    verdicts.write_set(run, made, going_on=True)
    return made


def _journal(run: Path, label_: str, configuration: dict[str, Any], *, fresh: bool) -> Journal:
    """The journal of this judging: the one that was begun, when it is the same judging, else a new one."""
    folder = verdicts.place(run, label_)
    if folder.exists() and not fresh:
        try:
            journal = Journal.open(folder)
        except JournalError as error:
            if "in use" in str(error):
                raise GradingError(f"{folder}: {error}") from None
        else:
            if journal.configuration == configuration:
                journal.append("run.resumed", "judge")
                return journal
            journal.close()
    if folder.exists():
        verdicts.put_aside(run, label_)
    try:
        return Journal.create(folder, configuration)
    except FileExistsError:
        raise GradingError(f"{folder}: another process grades this run with the same judge") from None


def _seconds(journal: Journal) -> float:
    """How long the judging took, without pauses between processes."""
    budget = Budget(clock=lambda: 0.0)
    recover(journal, budget)
    return round(budget.spent.seconds, 3)


def _rubric(task: BenchTask, key: Key | None) -> str:
    """A short digest of what is judged by, so that another rubric makes another set."""
    told: Any = [task.title, [asdict(line) for line in task.criteria]]
    if key is not None:
        told.append(asdict(replace(key, notes=())))
    return hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()[:12]


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
