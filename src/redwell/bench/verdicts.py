"""Verdicts on the criteria of a task, in sets: one set for each judge of a run, side by side in `RUN/verdicts/<judge>/verdicts.json`.

A set is never overwritten: one that is made anew (another version of the judge's prompt or rules, another deliverable, or `--again`) puts the
older one aside as `<judge>~1`, `<judge>~2` and so on, with its journal.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal

from pydantic import TypeAdapter, ValidationError

Decision = Literal["pass", "fail", "unscored"]
FOLDER = "verdicts"
FILE = "verdicts.json"
_ASIDE = re.compile(r"~\d+\Z")


@dataclass(frozen=True, slots=True)
class Verdict:
    """`reason` is the judge's, or why there is no verdict. `passage` is what of the deliverable it relied on, empty when it named none."""

    criterion: str
    outcome: Decision
    reason: str = ""
    passage: str = ""


@dataclass(frozen=True, slots=True)
class VerdictSet:
    """All verdicts of one judge on one run, in the order of the rubric.

    `judge` is "facts", a model's name, or how several were put together ("majority of ..."). `version` is that of its prompt or rules. Tokens
    (`cached_tokens` are part of the input), `cost` (US dollars, None when a part is not known) and `calls` (every request, as in a budget) are
    of all calls, failed and repeated ones too.
    `deliverables_sha256` is of the files that were read, so that a set made for another report shows. Of `unanswered` criteria no answer came (a server that failed, a budget that was spent): grading once more
    asks for them again.
    """

    judge: str
    task: str
    verdicts: tuple[Verdict, ...]
    input_tokens: int = 0
    output_tokens: int = 0
    cost: float | None = 0.0
    seconds: float = 0.0
    graded_at: str = ""
    deliverables_sha256: str = ""
    version: str = ""
    cached_tokens: int = 0
    calls: int = 0
    unanswered: int = 0

    def of(self, criterion: str) -> Verdict | None:
        return next((verdict for verdict in self.verdicts if verdict.criterion == criterion), None)

    def count(self, outcome: Decision) -> int:
        return sum(verdict.outcome == outcome for verdict in self.verdicts)


class VerdictError(Exception):
    """Verdicts that are not there, or cannot be used; the message names the file, the field and the way out."""


def slug(judge: str) -> str:
    """The folder of a judge's set: its name with what a file name cannot hold as hyphens."""
    return re.sub(r"[^A-Za-z0-9._+-]+", "-", judge).strip("-.")[:120] or "judge"


def place(run: Path, judge: str) -> Path:
    """The folder of this judge's newest set of a run, whether it is there or not."""
    return Path(run) / FOLDER / slug(judge)


def write_set(run: Path, verdicts: VerdictSet, *, going_on: bool = False) -> Path:
    """Writes it as a whole or not at all; returns the file. A set that stands there is put aside first, unless this one goes on with it."""
    folder = place(run, verdicts.judge)
    file = folder / FILE
    if file.is_file() and not going_on:
        put_aside(run, verdicts.judge)
    folder.mkdir(parents=True, exist_ok=True)
    draft = file.with_name(FILE + ".part")
    with draft.open("w", encoding="utf-8") as out:
        out.write(json.dumps(asdict(verdicts), ensure_ascii=False, indent=1) + "\n")
        out.flush()
        os.fsync(out.fileno())
    draft.replace(file)
    return file


def read_set(run: Path, judge: str) -> VerdictSet:
    """The newest set of a judge (its name as typed, or a name that `sets` gives). Raises VerdictError."""
    file = place(run, judge) / FILE
    if not file.is_file():
        file = Path(run) / FOLDER / judge / FILE if _plain_name(judge) else file
    try:
        return TypeAdapter(VerdictSet).validate_json(file.read_bytes())
    except FileNotFoundError:
        there = ", ".join(sets(run)) or "none"
        raise VerdictError(
            f"{run} has no verdicts of {judge} (there are: {there}); grade it first with `redwell bench grade`"
        ) from None
    except OSError as error:
        raise VerdictError(f"{file}: cannot be read ({error.strerror})") from None
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(str(part) for part in first["loc"]) or "file"
        raise VerdictError(f"{file}: {field}: {first['msg'].lower()}; grade the run again with --again") from None


def sets(run: Path, *, aside: bool = False) -> list[str]:
    """Names of the finished sets of a run, in order; with `aside` also the older ones that were put aside."""
    folder = Path(run) / FOLDER
    names = sorted(file.parent.name for file in folder.glob(f"*/{FILE}"))
    return [name for name in names if aside or not _ASIDE.search(name)]


def put_aside(run: Path, judge: str) -> Path | None:
    """Moves a judge's set and its journal out of the way, under the first name that is free. None when there is nothing."""
    folder = place(run, judge)
    if not folder.exists():
        return None
    number = 1
    while (target := folder.with_name(f"{folder.name}~{number}")).exists():
        number += 1
    folder.rename(target)
    return target


def combine(sets_: Sequence[VerdictSet], how: Literal["majority", "both-agree"]) -> VerdictSet:
    """One set out of several judges' sets of the same run.

    `majority`: more than half of those judges that decided; a tie, or nobody deciding, is unscored. `both-agree`: pass when all pass, fail when
    all fail, else unscored. Raises VerdictError when they are of different tasks, deliverables or criteria.
    """
    if len(sets_) < 2:
        raise VerdictError("at least two sets of verdicts are needed to put judges together")
    first = sets_[0]
    names = [verdict.criterion for verdict in first.verdicts]
    for other in sets_[1:]:
        if (other.task, other.deliverables_sha256) != (first.task, first.deliverables_sha256):
            raise VerdictError(
                f"{first.judge} and {other.judge} did not read the same deliverable of the same task; grade again"
            )
        if [verdict.criterion for verdict in other.verdicts] != names:
            raise VerdictError(
                f"{first.judge} and {other.judge} do not have verdicts on the same criteria; grade again"
            )
    verdicts = []
    for row in zip(*(one.verdicts for one in sets_), strict=True):
        outcome = _together([verdict.outcome for verdict in row], how)
        told = "; ".join(f"{one.judge}: {verdict.outcome}" for one, verdict in zip(sets_, row, strict=True))
        passage = next((verdict.passage for verdict in row if verdict.outcome == outcome and verdict.passage), "")
        verdicts.append(Verdict(row[0].criterion, outcome, told, passage))
    costs = [one.cost for one in sets_]
    return VerdictSet(
        judge=f"{how} of " + ", ".join(one.judge for one in sets_),
        task=first.task,
        verdicts=tuple(verdicts),
        input_tokens=sum(one.input_tokens for one in sets_),
        output_tokens=sum(one.output_tokens for one in sets_),
        cost=None if None in costs else sum(cost for cost in costs if cost is not None),
        seconds=sum(one.seconds for one in sets_),
        graded_at=max(one.graded_at for one in sets_),
        deliverables_sha256=first.deliverables_sha256,
        version="+".join(one.version for one in sets_),
        cached_tokens=sum(one.cached_tokens for one in sets_),
        calls=sum(one.calls for one in sets_),
        unanswered=max(one.unanswered for one in sets_),
    )


def _together(outcomes: list[Decision], how: Literal["majority", "both-agree"]) -> Decision:
    passed, failed = outcomes.count("pass"), outcomes.count("fail")
    if how == "both-agree":
        return "pass" if passed == len(outcomes) else "fail" if failed == len(outcomes) else "unscored"
    return "pass" if passed > failed else "fail" if failed > passed else "unscored"


def _plain_name(name: str) -> bool:
    return bool(name) and "/" not in name and "\\" not in name and not name.startswith(".")
