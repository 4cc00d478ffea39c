"""How far a judge can be trusted: its agreement with another judge, or with verdicts given by hand, by kind of criterion; and what it costs."""

from __future__ import annotations

import csv
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from redwell.bench.key import Key
from redwell.bench.score import parts
from redwell.bench.tasks import BenchTask, RubricLine
from redwell.bench.unreadable import why
from redwell.bench.verdicts import Decision, Verdict, VerdictSet

ALL, HAND = "all", "hand"
_OUTCOMES: dict[str, Decision] = {"pass": "pass", "fail": "fail", "unscored": "unscored", "": "unscored"}
_STYLES = (
    ("precision", r"\b(?:does|do) not (?:assert|state|claim|report|identify|list)"),
    ("recommendation", r"\brecommend|\badvises?\b|\bproposes?\b"),
    ("conclusion", r"\bconclud|\bfollows\b|\brisk that\b"),
    ("sources", r"\bcit(?:es|ing)\b"),
    ("absence", r"\bmissing|\bno (?:signed|executed|signature|copy|evidence)|\bcontains no\b|\bomits?\b|\bnot (?:in|listed|provided|included|disclosed)\b|\babsen"),
)  # fmt: skip


class AuditError(Exception):
    """Verdicts that cannot be held against each other; the message names file and field and the way out."""


@dataclass(frozen=True, slots=True)
class Agreement:
    """Of the criteria that both judged: how often they agree, Cohen's kappa (None when chance alone would agree always), and who passes what.

    `only_first` passes with the first judge and fails with the second; `unscored` has no verdict from one of them and is not in `judged`."""

    kind: str
    judged: int
    agreed: int
    both_pass: int
    both_fail: int
    only_first: int
    only_second: int
    unscored: int
    kappa: float | None

    @property
    def rate(self) -> float | None:
        return self.agreed / self.judged if self.judged else None


@dataclass(frozen=True, slots=True)
class Disagreement:
    run: str
    criterion: str
    title: str
    kind: str
    first: Verdict
    second: Verdict


@dataclass(frozen=True, slots=True)
class Audit:
    """`costs` are US dollars per judged room by judge, None where a price is not known, and `seconds` its time; of verdicts by hand nothing is known."""

    first: str
    second: str
    agreements: tuple[Agreement, ...]
    disagreements: tuple[Disagreement, ...]
    costs: dict[str, float | None]
    seconds: dict[str, float]


@dataclass(frozen=True, slots=True)
class Pair:
    """Two sets of verdicts on the same run, with its task and, when there is one, its answer key."""

    run: str
    task: BenchTask
    first: VerdictSet
    second: VerdictSet
    key: Key | None = None


def audit(pairs: Sequence[Pair]) -> Audit:
    """Holds the first judge against the second over all runs. Raises AuditError when there is nothing to compare."""
    if not pairs:
        raise AuditError("there is no run that both judges have graded; grade it with both first")
    counts: dict[str, dict[tuple[Decision, Decision], int]] = defaultdict(lambda: defaultdict(int))
    apart: list[Disagreement] = []
    for pair in pairs:
        kinds = kinds_of(pair.task, pair.key)
        titles = {line.id: line.title for line in pair.task.criteria}
        for one in pair.first.verdicts:
            other = pair.second.of(one.criterion)
            if other is None:
                continue
            kind = kinds.get(one.criterion, "other")
            for name in (kind, ALL):
                counts[name][one.outcome, other.outcome] += 1
            if {one.outcome, other.outcome} == {"pass", "fail"}:
                apart.append(Disagreement(pair.run, one.criterion, titles.get(one.criterion, ""), kind, one, other))
    if not counts:
        raise AuditError(f"{pairs[0].first.judge} and {pairs[0].second.judge} have no criterion in common")
    names = [*sorted(name for name in counts if name != ALL), ALL]
    agreements = tuple(_agreement(name, counts[name]) for name in names)
    costs: dict[str, float | None] = {}
    seconds: dict[str, float] = {}
    for side in ("first", "second"):
        sets: list[VerdictSet] = [getattr(pair, side) for pair in pairs]
        if sets[0].judge == HAND:
            continue
        known = [one.cost for one in sets if one.cost is not None]
        costs[sets[0].judge] = sum(known) / len(sets) if len(known) == len(sets) else None
        seconds[sets[0].judge] = sum(one.seconds for one in sets) / len(sets)
    return Audit(pairs[0].first.judge, pairs[0].second.judge, agreements, tuple(apart), costs, seconds)


def kinds_of(task: BenchTask, key: Key | None) -> dict[str, str]:
    """The style of each criterion: the answer key's, else what its words show."""
    if key is not None:
        return {**{line.id: style_of(line) for line in task.criteria}, **parts(key, "style")}
    return {line.id: style_of(line) for line in task.criteria}


def style_of(line: RubricLine) -> str:
    """What a criterion of a public rubric asks for, told from its words."""
    said = line.match_criteria.lower()
    return next((style for style, words in _STYLES if re.search(words, said)), "fact")


def kappa(table: Mapping[tuple[Decision, Decision], int]) -> float | None:
    """Cohen's kappa of pass and fail; None when there is no pair, or both always say the same one thing."""
    cells = {pair: table.get(pair, 0) for pair in ((a, b) for a in ("pass", "fail") for b in ("pass", "fail"))}
    total = sum(cells.values())
    if not total:
        return None
    observed = (cells["pass", "pass"] + cells["fail", "fail"]) / total
    first = (cells["pass", "pass"] + cells["pass", "fail"]) / total
    second = (cells["pass", "pass"] + cells["fail", "pass"]) / total
    chance = first * second + (1 - first) * (1 - second)
    return None if chance == 1 else (observed - chance) / (1 - chance)


def read_hand(file: Path, runs: Mapping[Path, BenchTask]) -> dict[Path, VerdictSet]:
    """Verdicts given by hand on some of these runs: a CSV with the columns `criterion` and `verdict` (pass, fail, unscored or empty), and perhaps
    `reason` and `passage`. A verdict is on the report of one run: where there are several, the column `run` says which, by its folder or by the
    last parts of it that no other run has.

    Raises AuditError, with the line, for anything else.
    """
    columns, rows = _rows(file)
    if not {"criterion", "verdict"} <= set(columns):
        raise AuditError(f"{file}: the first line must name the columns criterion and verdict")
    if "run" not in columns and len(runs) > 1:
        raise AuditError(
            f"{file}: run: is missing: a verdict by hand is on the report of one run, and here are {len(runs)}; add the column run "
            f"with the folder of each ({next(iter(runs))}), or name one run"
        )
    given: dict[Path, dict[str, Verdict]] = {}
    for number, row in rows:
        name, said, where = (str(row.get(column) or "").strip() for column in ("criterion", "verdict", "run"))
        run = _run(where, runs) if "run" in columns else next(iter(runs))
        if isinstance(run, str):
            raise AuditError(f"{file}: line {number}: run: {where!r} {run}")
        if name not in {line.id for line in runs[run].criteria}:
            raise AuditError(f"{file}: line {number}: criterion: {name!r} is not in the rubric of {runs[run].id}")
        if said.lower() not in _OUTCOMES:
            raise AuditError(f"{file}: line {number}: verdict: {said!r} is not pass, fail or unscored")
        verdicts = given.setdefault(run, {})
        if name in verdicts:
            raise AuditError(f"{file}: line {number}: criterion: {name!r} stands there twice")
        verdicts[name] = Verdict(
            name, _OUTCOMES[said.lower()], str(row.get("reason") or ""), str(row.get("passage") or "")
        )
    if not given:
        raise AuditError(f"{file}: holds no verdict")
    return {run: VerdictSet(HAND, runs[run].id, tuple(of.values()), cost=None) for run, of in given.items()}


def _rows(file: Path) -> tuple[Sequence[str], list[tuple[int, dict[str, str]]]]:
    """The names of the columns, and each line's number and fields."""
    try:
        with file.open(newline="", encoding="utf-8-sig") as lines:
            read = csv.DictReader(lines)
            return read.fieldnames or (), [(read.line_num, row) for row in read]
    except csv.Error as error:
        raise AuditError(f"{file}: cannot be read as CSV: {error}") from None
    except (OSError, UnicodeDecodeError) as error:
        raise AuditError(f"{file}: cannot be read: {why(error)}") from None


def _run(named: str, runs: Iterable[Path]) -> Path | str:
    """The run that is named, or why it is none: by its folder, or by the last parts of it."""
    parts = Path(named).parts
    found = [run for run in runs if parts and run.absolute().parts[-len(parts) :] == parts]
    if len(found) == 1:
        return found[0]
    return "is more than one of the runs: name more of its folder" if found else "is none of the runs"


def _agreement(kind: str, table: Mapping[tuple[Decision, Decision], int]) -> Agreement:
    both_pass, both_fail = table.get(("pass", "pass"), 0), table.get(("fail", "fail"), 0)
    only_first, only_second = table.get(("pass", "fail"), 0), table.get(("fail", "pass"), 0)
    judged = both_pass + both_fail + only_first + only_second
    unscored = sum(table.values()) - judged
    return Agreement(
        kind, judged, both_pass + both_fail, both_pass, both_fail, only_first, only_second, unscored, kappa(table)
    )
