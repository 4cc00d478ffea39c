"""Agreement of judges by hand-computed tables; verdicts given by hand come from a CSV whose mistakes are told."""

from __future__ import annotations

from pathlib import Path

import pytest
from judged import lab_task

from redwell.bench.audit import ALL, AuditError, Pair, audit, kappa, kinds_of, read_hand
from redwell.bench.verdicts import Verdict, VerdictSet

MARKS = {"p": "pass", "f": "fail", "u": "unscored"}


def verdicts(marks: str, judge: str, cost: float | None = 0.0) -> VerdictSet:
    given = tuple(Verdict(f"C-{n:03}", MARKS[mark], f"{judge} {n}") for n, mark in enumerate(marks, 1))  # type: ignore[arg-type]
    return VerdictSet(judge, "t", given, cost=cost, seconds=3.0)


def test_kappa_is_cohens() -> None:
    # 20 both pass, 5 and 10 apart, 15 both fail: observed 0.7, by chance 0.5 x 0.6 + 0.5 x 0.4 = 0.5.
    table = {("pass", "pass"): 20, ("pass", "fail"): 5, ("fail", "pass"): 10, ("fail", "fail"): 15}
    assert kappa(table) == pytest.approx(0.4)  # type: ignore[arg-type]
    assert kappa({("pass", "pass"): 9}) is None
    assert kappa({}) is None
    assert kappa({("pass", "pass"): 5, ("fail", "fail"): 5}) == 1.0
    assert kappa({("pass", "fail"): 5, ("fail", "pass"): 5}) == -1.0


def test_agreement_is_told_by_kind_of_criterion(shared: Path) -> None:
    task = lab_task(shared)
    assert kinds_of(task, None) == {
        "C-001": "fact", "C-002": "fact", "C-003": "recommendation", "C-004": "fact", "C-005": "absence", "C-006": "conclusion",
    }  # fmt: skip
    pairs = [
        Pair("r1", task, verdicts("ppffpu", "a", 0.25), verdicts("pfffpf", "b", None)),
        Pair("r2", task, verdicts("ffpfpp", "a", 0.75), verdicts("fppffp", "b")),
    ]
    found = audit(pairs)
    by_kind = {one.kind: one for one in found.agreements}
    assert list(by_kind) == ["absence", "conclusion", "fact", "recommendation", ALL]
    fact = by_kind["fact"]
    assert (fact.judged, fact.agreed, fact.both_pass, fact.both_fail, fact.only_first, fact.only_second) == (
        6,
        4,
        1,
        3,
        1,
        1,
    )
    assert fact.kappa == pytest.approx((4 / 6 - (2 / 6 * 2 / 6 + 4 / 6 * 4 / 6)) / (1 - (4 / 36 + 16 / 36)))
    assert (by_kind["conclusion"].judged, by_kind["conclusion"].unscored) == (1, 1)
    assert (by_kind[ALL].judged, by_kind[ALL].agreed, by_kind[ALL].unscored) == (11, 8, 1)
    assert [(one.run, one.criterion, one.first.reason, one.second.reason) for one in found.disagreements] == [
        ("r1", "C-002", "a 2", "b 2"),
        ("r2", "C-002", "a 2", "b 2"),
        ("r2", "C-005", "a 5", "b 5"),
    ]
    assert found.costs == {"a": 0.5, "b": None}
    assert found.seconds == {"a": 3.0, "b": 3.0}


def test_hand_verdicts_come_from_a_csv(tmp_path: Path, shared: Path) -> None:
    file = tmp_path / "hand.csv"
    file.write_text(
        "criterion,verdict,reason\nC-001,pass,it says so\nC-003, FAIL ,\nC-004,,not sure\n", encoding="utf-8-sig"
    )
    run = tmp_path / "run"
    hand = read_hand(file, {run: lab_task(shared)})[run]
    assert [(one.criterion, one.outcome, one.reason) for one in hand.verdicts] == [
        ("C-001", "pass", "it says so"),
        ("C-003", "fail", ""),
        ("C-004", "unscored", "not sure"),
    ]
    found = audit([Pair("r", lab_task(shared), verdicts("pppppp", "a"), hand)])
    assert (found.agreements[-1].judged, found.agreements[-1].agreed) == (2, 1)
    assert (set(found.costs), set(found.seconds)) == ({"a"}, {"a"})  # nobody has measured the hand


def test_hand_verdicts_on_several_runs_say_which_run_each_is_on(tmp_path: Path, shared: Path) -> None:
    runs = {tmp_path / "runs" / task / harness / "1": lab_task(shared) for task in "ab" for harness in ("rlm", "loop")}
    first, second, third, _ = runs
    file = tmp_path / "hand.csv"
    file.write_text("criterion,verdict\nC-001,pass\n")
    with pytest.raises(AuditError, match=r"hand\.csv: run: is missing: .*, and here are 4; add the column run"):
        read_hand(file, runs)
    assert set(read_hand(file, {first: runs[first]})) == {first}
    file.write_text(
        f"run,criterion,verdict\na/rlm/1,C-001,pass\na/loop/1/,C-001,fail\n{third},C-001,\na/rlm/1,C-002,fail\n"
    )
    given = read_hand(file, runs)
    assert {run: [(one.criterion, one.outcome) for one in of.verdicts] for run, of in given.items()} == {
        first: [("C-001", "pass"), ("C-002", "fail")],
        second: [("C-001", "fail")],
        third: [("C-001", "unscored")],
    }
    for named, said in (
        ("rlm/1", "is more than one of the runs"),
        ("c/rlm/1", "none of the runs"),
        ("", "none of the"),
    ):
        file.write_text(f"run,criterion,verdict\n{named},C-001,pass\n")
        with pytest.raises(AuditError, match=rf"line 2: run: '{named}' is {said.removeprefix('is ')}"):
            read_hand(file, runs)


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("id,verdict\nC-001,pass\n", "must name the columns criterion and verdict"),
        ("criterion,verdict\nC-099,pass\n", "line 2: criterion: 'C-099' is not in the rubric"),
        ("criterion,verdict\nC-001,good\n", "line 2: verdict: 'good' is not pass, fail or unscored"),
        ("criterion,verdict\nC-001,pass\nC-001,fail\n", "line 3: criterion: 'C-001' stands there twice"),
        ("criterion,verdict\n", "holds no verdict"),
        ("", "must name the columns criterion and verdict"),
        ("criterion,verdict\nC-001,\xff\n", "cannot be read: it is not UTF-8 text"),
    ],
)
def test_mistakes_in_a_csv_are_told_with_their_line(tmp_path: Path, shared: Path, content: str, told: str) -> None:
    file = tmp_path / "hand.csv"
    file.write_text(content, encoding="latin-1")
    with pytest.raises(AuditError, match=told) as error:
        read_hand(file, {tmp_path / "run": lab_task(shared)})
    assert str(file) in str(error.value)


def test_nothing_to_compare_is_told(tmp_path: Path, shared: Path) -> None:
    with pytest.raises(AuditError, match="no run that both judges"):
        audit([])
    with pytest.raises(AuditError, match=r"nowhere\.csv: cannot be read: No such file or directory$"):
        read_hand(tmp_path / "nowhere.csv", {tmp_path / "run": lab_task(shared)})
    empty = VerdictSet("b", "t", ())
    with pytest.raises(AuditError, match="no criterion in common"):
        audit([Pair("r", lab_task(shared), verdicts("p", "a"), empty)])
