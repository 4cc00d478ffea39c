"""Shares, intervals and comparisons by hand; LAB's files of scores key by key."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from judged import lab_task, made_run

from redwell.bench.key import Check, Criterion, Key, PlantedIssue
from redwell.bench.score import (
    Share,
    bootstrap,
    both_agree,
    by,
    compare,
    compare_all,
    lab_dual,
    lab_scores,
    mcnemar,
    scores,
    share_of,
    write_lab,
)
from redwell.bench.verdicts import Verdict, VerdictSet

MARKS = {"p": "pass", "f": "fail", "u": "unscored"}


def verdicts(marks: str, task: str = "t", judge: str = "j") -> VerdictSet:
    """`pfu`: C-001 passes, C-002 fails, C-003 has no verdict."""
    given_ = tuple(Verdict(f"C-{n:03}", MARKS[mark], f"because {n}") for n, mark in enumerate(marks, 1))  # type: ignore[arg-type]
    return VerdictSet(judge, task, given_, graded_at="2026-08-25T00:00:00+00:00")


def test_unscored_leaves_both_sides_of_the_fraction_except_with_labs_scoring() -> None:
    assert share_of(verdicts("ppfu")) == Share(2, 1, 1)
    assert share_of(verdicts("ppfu")).rate == 2 / 3
    assert share_of(verdicts("ppfu"), lab=True) == Share(2, 2, 0)
    assert share_of(verdicts("ppfu"), lab=True).rate == 1 / 2
    assert share_of(verdicts("uu")).rate is None


def test_macro_is_the_mean_of_runs_and_pooled_is_of_all_criteria() -> None:
    runs = [verdicts("pppp", "a"), verdicts("pf", "b"), verdicts("fffffp", "c"), verdicts("uuu", "d")]
    found = scores(runs)
    assert found.macro is not None
    assert found.pooled is not None
    assert found.macro.value == pytest.approx((1 + 1 / 2 + 1 / 6) / 3)
    assert found.pooled.value == pytest.approx(6 / 12)
    assert found.all_pass == pytest.approx(1 / 3)
    assert (found.runs, found.share) == (4, Share(6, 6, 3))
    assert found.macro.low <= found.macro.value <= found.macro.high
    assert scores(runs, lab=True).macro.value == pytest.approx((1 + 1 / 2 + 1 / 6 + 0) / 4)  # type: ignore[union-attr]
    nothing = scores([verdicts("uu")])
    assert (nothing.macro, nothing.pooled, nothing.all_pass) == (None, None, None)


def test_a_room_with_more_repeats_weighs_no_more() -> None:
    """As in a matrix that is half done: room a twice at 1, room b once at 0."""
    runs = [verdicts("pp", "a"), verdicts("pp", "a"), verdicts("ff", "b")]
    assert scores(runs).macro.value == pytest.approx(1 / 2)  # type: ignore[union-attr]
    pairs = [(verdicts("ff", "a"), verdicts("pp", "a"))] * 2 + [(verdicts("ff", "b"), verdicts("ff", "b"))]
    assert compare_all(pairs).difference.value == pytest.approx(1 / 2)  # type: ignore[union-attr]


def test_a_run_with_an_unscored_criterion_does_not_pass_all() -> None:
    assert scores([verdicts("ppu")]).all_pass == 0.0
    assert scores([verdicts("ppp")]).all_pass == 1.0


def test_both_judges_must_pass_all() -> None:
    first = [verdicts("pp"), verdicts("pp"), verdicts("pf"), verdicts("pu")]
    second = [verdicts("pp"), verdicts("pf"), verdicts("pf"), verdicts("pp")]
    assert both_agree(first, second) == 1 / 4


def test_repeats_of_a_room_are_drawn_together() -> None:
    """Two rooms, one always 1 and one always 0: the mean of a draw is 0, one half or 1, however many repeats there are."""
    runs = [verdicts("p", "a")] * 50 + [verdicts("f", "b")] * 50
    found = scores(runs).macro
    assert found is not None
    assert (found.value, found.low, found.high) == (0.5, 0.0, 1.0)


def test_intervals_are_the_same_for_a_seed_and_none_for_one_room() -> None:
    rooms = [1 / n for n in range(1, 14)]

    def mean(drawn: object) -> float:
        return sum(drawn) / len(drawn)  # type: ignore[call-overload, arg-type]

    assert bootstrap(rooms, mean, seed=3) == bootstrap(rooms, mean, seed=3)
    assert bootstrap(rooms, mean, seed=3) != bootstrap(rooms, mean, seed=4)
    alone = bootstrap([0.4], mean)
    assert (alone.value, alone.low, alone.high) == (0.4, 0.4, 0.4)


def test_an_interval_covers_the_truth_as_often_as_it_says() -> None:
    rng = random.Random(5)
    covered = 0
    for trial in range(120):
        rooms = [rng.random() for _ in range(30)]
        found = bootstrap(rooms, lambda drawn: sum(drawn) / len(drawn), seed=trial, draws=300)
        covered += found.low <= 0.5 <= found.high
    assert 105 <= covered <= 120  # 95 % of 120 are 114


def _key() -> Key:
    def issue(identity: str, kind: str, workstream: str, decoy: bool = False) -> PlantedIssue:
        return PlantedIssue(identity, 23, "consent", "t", workstream, kind, "w", "train", decoy, "High", ())  # type: ignore[arg-type]

    issues = (issue("A", "absence", "Contracts"), issue("B", "direct", "IP"), issue("D", "direct", "IP", True))
    criteria = tuple(
        Criterion(f"C-{n:03}", "t", "m", style, about, Check())  # type: ignore[arg-type]
        for n, (style, about) in enumerate(
            [("fact", "A"), ("absence", "A"), ("fact", "B"), ("precision", "D"), ("report", "")], 1
        )
    )
    return Key("r", "T", "1", "desk", "train", issues, criteria)


def test_counts_by_what_criteria_are_about() -> None:
    sets = [(verdicts("pfpup"), _key()), (verdicts("ppffu"), _key())]
    assert by(sets, "kind") == {
        "absence": Share(3, 1),
        "decoy": Share(0, 1, 1),
        "direct": Share(1, 1),
        "report": Share(1, 0, 1),
    }
    assert by(sets, "workstream") == {"Contracts": Share(3, 1), "IP": Share(1, 2, 1), "report": Share(1, 0, 1)}
    assert by(sets, "style")["fact"] == Share(3, 1)
    assert by(sets, "archetype")["023 consent"] == Share(4, 3, 1)
    assert by(sets, "kind", lab=True)["decoy"] == Share(0, 2)


def test_two_runs_are_compared_criterion_by_criterion() -> None:
    found = compare(verdicts("ppffu"), verdicts("pfpfp"))
    assert (found.regressed, found.fixed, found.unchanged, found.undecided) == (
        ("C-002",),
        ("C-003",),
        ("C-001", "C-004"),
        ("C-005",),
    )
    assert found.chance == 1.0
    with pytest.raises(ValueError, match="different tasks"):
        compare(verdicts("p", "a"), verdicts("p", "b"))


def test_mcnemar_is_the_exact_binomial() -> None:
    assert mcnemar(0, 0) == 1.0
    assert mcnemar(0, 5) == pytest.approx(2 / 32)
    assert mcnemar(1, 5) == pytest.approx(2 * (1 + 6) / 64)
    assert mcnemar(3, 3) == 1.0
    assert mcnemar(2, 10) == pytest.approx(2 * (1 + 12 + 66) / 4096)


def test_pairs_of_runs_are_compared_over_rooms() -> None:
    pairs = [
        (verdicts("ffff", "a"), verdicts("ppff", "a")),
        (verdicts("pf", "b"), verdicts("fp", "b")),
        (verdicts("uu", "c"), verdicts("pp", "c")),
    ]
    found = compare_all(pairs)
    assert found.difference is not None
    assert found.difference.value == pytest.approx((0.5 + 0.0) / 2)
    assert (found.difference.low, found.difference.high) == (0.0, 0.5)
    assert (found.regressed, found.fixed, found.unchanged, found.undecided) == (1, 3, 2, 2)
    assert found.chance == pytest.approx(mcnemar(1, 3))


@settings(max_examples=100, deadline=None)
@given(st.lists(st.tuples(st.sampled_from("pfu"), st.sampled_from("pfu")), min_size=1, max_size=30))
def test_a_comparison_loses_no_criterion_and_turns_round(pairs: list[tuple[str, str]]) -> None:
    before, after = (verdicts("".join(one[side] for one in pairs)) for side in (0, 1))
    there, back = compare(before, after), compare(after, before)
    assert sorted(there.regressed + there.fixed + there.unchanged + there.undecided) == [
        one.criterion for one in before.verdicts
    ]
    assert (there.regressed, there.fixed) == (back.fixed, back.regressed)
    assert there.chance == back.chance


# --- LAB's files


def _shape(value: object) -> object:
    """Types, keys in order; a list by its first entry."""
    if isinstance(value, dict):
        return {name: _shape(entry) for name, entry in value.items()}
    if isinstance(value, list):
        return [_shape(value[0])] if value else []
    return type(value).__name__


def test_scores_have_the_shape_of_labs(shared: Path) -> None:
    wanted = json.loads((shared / "data" / "lab_format" / "scores.shape.json").read_text())
    metrics = json.loads((shared / "data" / "lab_format" / "metrics.shape.json").read_text())
    task = lab_task(shared)
    made = lab_scores(verdicts("pfppfp", task.id), task, "id", metrics)
    given_lists = {name: wanted["doc_coverage"][name] for name in ("documents_read_list", "documents_skipped_list")}
    assert _shape(made | {"doc_coverage": made["doc_coverage"] | given_lists}) == _shape(wanted)
    assert list(made) == list(wanted)
    assert made["summary"] == wanted["summary"]
    assert (made["score"], made["all_pass"], made["n_criteria"], made["n_passed"]) == (0.0, False, 6, 4)
    assert made["criteria_results"][0]["title"] == wanted["criteria_results"][0]["title"]


def test_all_passed_unscored_and_labs_scoring(shared: Path) -> None:
    task = lab_task(shared)
    whole = lab_scores(verdicts("pppppp"), task, "id")
    assert (whole["score"], whole["all_pass"], whole["summary"]) == (
        1.0,
        True,
        "6/6 criteria passed.  Missed 0 — task PASS.",
    )
    partly = lab_scores(verdicts("pppppu"), task, "id")
    assert (partly["score"], partly["n_criteria"], partly["n_passed"], partly["all_pass"]) == (0.0, 5, 5, False)
    assert partly["summary"] == "5/5 criteria passed.  Missed 0 — task FAIL.  1 unscored."
    assert partly["criteria_results"][-1]["verdict"] == "unscored"
    as_lab = lab_scores(verdicts("pppppu"), task, "id", lab=True)
    assert (as_lab["n_criteria"], as_lab["n_passed"], as_lab["criteria_results"][-1]["verdict"]) == (6, 5, "fail")
    assert as_lab["summary"] == "5/6 criteria passed.  Missed 1 — task FAIL."


def test_two_judges_have_files_of_their_own_and_a_common_one(tmp_path: Path, shared: Path) -> None:
    task = lab_task(shared)
    run = made_run(tmp_path / "run")
    (run / "metrics.json").write_text(
        json.dumps({"input_tokens": 7, "documents_read": 3, "documents_read_list": ["a"], "total_documents": 9})
    )
    files = write_lab(run, task, [verdicts("pppppp", judge="openai:a"), verdicts("pppfff", judge="anthropic:b")])
    assert [file.name for file in files] == [
        "scores.json",
        "scores_openai-a.json",
        "scores_anthropic-b.json",
        "scores_dual.json",
    ]
    dual = json.loads((run / "scores_dual.json").read_text())
    assert (dual["dual_criterion_pass"], dual["dual_all_pass_rate"], dual["all_pass"]) == (0.75, 0.5, False)
    one = json.loads((run / "scores.json").read_text())
    assert one == json.loads((run / "scores_openai-a.json").read_text())
    assert (
        one["cost"]["input_tokens"],
        one["doc_coverage"]["documents_read"],
        one["doc_coverage"]["total_documents"],
    ) == (7, 3, 9)
    assert one["run_id"].startswith(f"{task.id}/rlm--playbook/")
    assert lab_dual([one, one])["all_pass"] is True


def test_one_judge_writes_one_file(tmp_path: Path, shared: Path) -> None:
    run = made_run(tmp_path / "run")
    assert [file.name for file in write_lab(run, lab_task(shared), [verdicts("pppppp")])] == ["scores.json"]
