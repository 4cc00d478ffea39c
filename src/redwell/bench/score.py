"""What verdicts come to: shares of criteria, intervals, comparisons of two runs, and LAB's files of scores.

A criterion without a verdict is left out of what is counted and of what it is counted among, and its number is given beside; with `lab` it is a
fail, as LAB counts it.
"""

from __future__ import annotations

import json
import math
import random
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from redwell.bench.key import Key
from redwell.bench.tasks import BenchTask
from redwell.bench.verdicts import VerdictSet, slug

DRAWS = 2_000
LEVEL = 0.95
By = Literal["kind", "workstream", "style", "archetype", "way", "severity"]
REPORT = "report"
"""The kind, workstream and so on of criteria that are of the report as a whole."""


@dataclass(frozen=True, slots=True)
class Share:
    """Counts of criteria; `rate` is passed of those that have a verdict, None when none has."""

    passed: int = 0
    failed: int = 0
    unscored: int = 0

    @property
    def decided(self) -> int:
        return self.passed + self.failed

    @property
    def rate(self) -> float | None:
        return self.passed / self.decided if self.decided else None

    def __add__(self, other: Share) -> Share:
        return Share(self.passed + other.passed, self.failed + other.failed, self.unscored + other.unscored)


@dataclass(frozen=True, slots=True)
class Interval:
    """A figure with the bounds between which `LEVEL` of the resampled ones lie."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Scores:
    """Of several runs. `macro` is the mean over rooms of their runs' mean share (the headline of the diligence studies), however many runs each
    room has, `pooled` of all criteria together,
    `all_pass` the share of runs that pass every criterion. Each is None when no run has a verdict."""

    runs: int
    macro: Interval | None
    pooled: Interval | None
    all_pass: float | None
    share: Share


def share_of(verdicts: VerdictSet, *, lab: bool = False) -> Share:
    """The counts of one set of verdicts."""
    unscored = verdicts.count("unscored")
    return Share(verdicts.count("pass"), verdicts.count("fail") + (unscored if lab else 0), 0 if lab else unscored)


def scores(sets: Sequence[VerdictSet], *, lab: bool = False, seed: int = 0) -> Scores:
    """The scores of several runs of one judge; runs of the same task count as one room in the intervals, which are drawn over rooms."""
    rooms: dict[str, list[Share]] = defaultdict(list)
    for one in sets:
        rooms[one.task].append(share_of(one, lab=lab))
    counted = [[share for share in shares if share.decided] for shares in rooms.values()]
    counted = [shares for shares in counted if shares]
    total = sum((share for shares in rooms.values() for share in shares), Share())
    if not counted:
        return Scores(len(sets), None, None, None, total)
    every = [share for shares in counted for share in shares]
    return Scores(
        len(sets),
        bootstrap(
            counted,
            lambda drawn: _mean([_mean([share.rate or 0.0 for share in shares]) for shares in drawn]),
            seed=seed,
        ),
        bootstrap(counted, lambda drawn: _pooled([share for shares in drawn for share in shares]), seed=seed),
        _mean([float(share.failed == 0 and share.unscored == 0) for share in every]),
        total,
    )


def both_agree(first: Sequence[VerdictSet], second: Sequence[VerdictSet]) -> float | None:
    """The share of runs that pass every criterion with both judges; sets in the same order."""
    pairs = [
        float(
            all(
                share.failed == 0 and share.unscored == 0 and share.passed for share in (share_of(one), share_of(other))
            )
        )
        for one, other in zip(first, second, strict=True)
    ]
    return _mean(pairs) if pairs else None


def by(sets: Iterable[tuple[VerdictSet, Key]], of: By, *, lab: bool = False) -> dict[str, Share]:
    """Counts by what the criteria are about, from the answer keys; names in order."""
    counts: dict[str, Share] = defaultdict(Share)
    for verdicts, key in sets:
        names = parts(key, of)
        for verdict in verdicts.verdicts:
            if verdict.criterion in names:
                outcome = "fail" if lab and verdict.outcome == "unscored" else verdict.outcome
                one = Share(int(outcome == "pass"), int(outcome == "fail"), int(outcome == "unscored"))
                counts[names[verdict.criterion]] += one
    return dict(sorted(counts.items()))


def parts(key: Key, of: By) -> dict[str, str]:
    """For each criterion of a key what it is counted under. Criteria of decoys are the style `precision`; their archetype is the decoy's."""
    found: dict[str, str] = {}
    for criterion in key.criteria:
        issue = key.issue(criterion.issue)
        if of == "style":
            found[criterion.id] = criterion.style
        elif issue is None:
            found[criterion.id] = REPORT
        else:
            told = {
                "kind": "decoy" if issue.decoy else issue.kind,
                "workstream": issue.workstream,
                "archetype": f"{issue.number:03} {issue.slug}",
                "way": f"{issue.number:03} {issue.slug}: {issue.way}",
                "severity": issue.severity,
            }
            found[criterion.id] = told[of]
    return found


def bootstrap(
    rooms: Sequence[Any], figure: Callable[[Sequence[Any]], float], *, seed: int = 0, draws: int = DRAWS
) -> Interval:
    """The figure of these rooms with its percentile interval over rooms drawn with replacement; the same under the same seed.

    One room has no spread that could be told: the bounds are then the figure itself.
    """
    value = figure(rooms)
    if len(rooms) < 2:
        return Interval(value, value, value)
    rng = random.Random(seed)
    drawn = sorted(figure(rng.choices(rooms, k=len(rooms))) for _ in range(draws))
    tail = (1 - LEVEL) / 2
    return Interval(value, _quantile(drawn, tail), _quantile(drawn, 1 - tail))


# --- two runs ---------------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Comparison:
    """Criteria of a run `before` and a run `after` on the same task, by their ids. `undecided` have no verdict in one of the two.

    `chance` is McNemar's exact two-sided p-value: how likely such a difference of regressed and fixed is if neither is likelier."""

    regressed: tuple[str, ...]
    fixed: tuple[str, ...]
    unchanged: tuple[str, ...]
    undecided: tuple[str, ...]
    chance: float


@dataclass(frozen=True, slots=True)
class Compared:
    """Several pairs of runs: the mean difference of their shares (after less before) with its interval over rooms, and all criteria together."""

    difference: Interval | None
    regressed: int
    fixed: int
    unchanged: int
    undecided: int
    chance: float


def compare(before: VerdictSet, after: VerdictSet) -> Comparison:
    """Raises ValueError when they are of different tasks."""
    if before.task != after.task:
        raise ValueError(f"{before.task} and {after.task} are different tasks, whose criteria cannot be compared")
    found: dict[str, list[str]] = {"regressed": [], "fixed": [], "unchanged": [], "undecided": []}
    for verdict in before.verdicts:
        other = after.of(verdict.criterion)
        pair = (verdict.outcome, other.outcome if other else "unscored")
        if "unscored" in pair:
            found["undecided"].append(verdict.criterion)
        elif pair[0] == pair[1]:
            found["unchanged"].append(verdict.criterion)
        else:
            found["fixed" if pair[1] == "pass" else "regressed"].append(verdict.criterion)
    chance = mcnemar(len(found["regressed"]), len(found["fixed"]))
    return Comparison(**{name: tuple(ids) for name, ids in found.items()}, chance=chance)


def compare_all(pairs: Sequence[tuple[VerdictSet, VerdictSet]], *, seed: int = 0) -> Compared:
    """Pairs of (before, after) on the same tasks; shares of a pair are of the criteria that both decided."""
    rooms: dict[str, list[float]] = defaultdict(list)
    counts = [0, 0, 0, 0]
    for before, after in pairs:
        one = compare(before, after)
        lengths = [len(part) for part in (one.regressed, one.fixed, one.unchanged, one.undecided)]
        counts = [total + part for total, part in zip(counts, lengths, strict=True)]
        if decided := sum(lengths[:3]):
            rooms[before.task].append((lengths[1] - lengths[0]) / decided)
    drawn = list(rooms.values())
    difference = bootstrap(drawn, lambda chosen: _mean([_mean(room) for room in chosen]), seed=seed) if drawn else None
    return Compared(difference, counts[0], counts[1], counts[2], counts[3], mcnemar(counts[0], counts[1]))


def mcnemar(one_way: int, other_way: int) -> float:
    """Exact and two-sided: 2 P(X <= the smaller) for X binomial with a half, at most 1."""
    changed = one_way + other_way
    if not changed:
        return 1.0
    tail = sum(math.comb(changed, k) for k in range(min(one_way, other_way) + 1))
    return float(min(1.0, 2 * tail / 2**changed))


# --- LAB's files ------------------------------------------------------------------------------------------------------------------


def lab_scores(
    verdicts: VerdictSet, task: BenchTask, run_id: str, metrics: Mapping[str, Any] | None = None, *, lab: bool = False
) -> dict[str, Any]:
    """`scores.json` of one judge in LAB's shape. `metrics` is the run's `metrics.json`. With unscored criteria, which LAB does not know, they
    are not among `n_criteria`, the task is not passed, and the summary says so; with `lab` they are fails."""
    share = share_of(verdicts, lab=lab)
    titles = {line.id: line.title for line in task.criteria}
    missed = share.failed
    all_pass = share.decided > 0 and missed == 0 and share.unscored == 0
    summary = (
        f"{share.passed}/{share.decided} criteria passed.  Missed {missed} — task {'PASS' if all_pass else 'FAIL'}."
    )
    if share.unscored:
        summary += f"  {share.unscored} unscored."
    results = [
        {
            "id": one.criterion,
            "title": titles.get(one.criterion, ""),
            "verdict": "fail" if lab and one.outcome == "unscored" else one.outcome,
            "reasoning": one.reason,
        }
        for one in verdicts.verdicts
    ]
    told = dict(metrics or {})
    return {
        "score": 1.0 if all_pass else 0.0,
        "max_score": 1.0,
        "summary": summary,
        "all_pass": all_pass,
        "n_criteria": share.decided,
        "n_passed": share.passed,
        "criteria_results": results,
        "run_id": run_id,
        "task": task.id,
        "judge_model": verdicts.judge,
        "scored_at": verdicts.graded_at,
        "cost": {name: told.get(name, 0) for name in ("input_tokens", "output_tokens")}
        | {"wall_clock_seconds": float(told.get("wall_clock_seconds", 0.0))},
        "doc_coverage": {name: told.get(name, 0) for name in ("documents_read", "total_documents")}
        | {"documents_skipped": told.get("documents_skipped", 0)}
        | {name: list(told.get(name, ())) for name in ("documents_read_list", "documents_skipped_list")},
    }


def lab_dual(each: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """`scores_dual.json` from the scores of two judges."""
    fractions = [one["n_passed"] / one["n_criteria"] if one["n_criteria"] else 0.0 for one in each]
    return {
        "dual_criterion_pass": _mean(fractions),
        "dual_all_pass_rate": _mean([float(one["all_pass"]) for one in each]),
        "all_pass": all(one["all_pass"] for one in each),
        "judges": [one["judge_model"] for one in each],
        "run_id": each[0]["run_id"],
        "task": each[0]["task"],
        "scored_at": max(str(one["scored_at"]) for one in each),
    }


def write_lab(run: Path, task: BenchTask, sets: Sequence[VerdictSet], *, lab: bool = False) -> list[Path]:
    """Writes `scores.json` of the first judge, and with several `scores_<judge>.json` of each; with two, `scores_dual.json`."""
    try:
        metrics = json.loads((run / "metrics.json").read_bytes())
    except (OSError, ValueError):
        metrics = {}
    each = [
        lab_scores(one, task, _run_id(run, task), metrics if isinstance(metrics, dict) else {}, lab=lab) for one in sets
    ]
    files = {"scores.json": each[0]}
    if len(each) > 1:
        files |= {f"scores_{slug(one['judge_model'])}.json": one for one in each}
    if len(each) == 2:
        files["scores_dual.json"] = lab_dual(each)
    written = []
    for name, content in files.items():
        draft = run / f".{name}.part"
        draft.write_text(json.dumps(content, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
        written.append(draft.replace(run / name))
    return written


def _run_id(run: Path, task: BenchTask) -> str:
    """Task, model and time of the run, as LAB names runs."""
    try:
        frozen = json.loads((run / "run.json").read_bytes())
        configuration = frozen["configuration"]
        harness, models = (
            configuration.get("harness", configuration.get("kind", "run")),
            configuration.get("models", {}),
        )
        return f"{task.id}/{harness}--{models.get('root', '')}/{frozen['created']}"
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return f"{task.id}/{run.name}"


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def _pooled(shares: Sequence[Share]) -> float:
    total = sum(shares, Share())
    return total.passed / total.decided if total.decided else 0.0


def _quantile(ordered: Sequence[float], share: float) -> float:
    """Between the two nearest values, by how near each is."""
    at = share * (len(ordered) - 1)
    low = math.floor(at)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (at - low)
