"""An answer key that asks for nothing is refused with file and field, and passes nothing."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from bench.task_trees import CRITERION, write_task
from cli.in_process import redwell

from redwell.bench.facts.grade import grade
from redwell.bench.key import AnswerKeyError, Check, Criterion, Evidence, Key, PlantedIssue, Value, read_key, write_key
from redwell.bench.tasks import problems

KESTREL = ("Kestrel Freight",)
WHOLE = Check((KESTREL,), (("consent",),), (Value("days", 60),), unless=("has consented",))
PAPER = Evidence("agreement", "contracts/kestrel.txt", "", ("words that show the issue",))
ISSUE = PlantedIssue("I-1", 1, "consent", "Consent", "Contracts", "direct", "w", "test", False, "High", (PAPER,))
REPORT = "# Report\n\nThe sale needs the consent of Kestrel Freight, on sixty (60) days' notice, and that is all we say here.\n"
HOLLOW = {
    "check.about: must not be empty": replace(WHOLE, about=()),
    "check.about.0: must not be empty": replace(WHOLE, about=((),)),
    "check.about.0.1: must not be empty": replace(WHOLE, about=(("Kestrel Freight", ""),)),
    "check.says.0.0: must not be empty": replace(WHOLE, says=((" \u200b",),)),
    "check.unless.0: must not be empty": replace(WHOLE, unless=("",), forbidden=True),
    "check.at_least: must be 0 to 1": replace(WHOLE, at_least=-1),
    "check.section: must not be blank": replace(WHOLE, section=" "),
    "check.values.0.text: must not be empty": replace(WHOLE, values=(Value("text", text=""),)),
    "check.values.1.text: must not be empty": replace(WHOLE, values=(Value("days", 60), Value("date"))),
    "check.values.0.tolerance: must be 0 to 1": replace(WHOLE, values=(Value("money", 5.0, tolerance=float("inf")),)),
    "check.values.0.amount: must be a number": replace(WHOLE, values=(Value("days", float("nan")),)),
    "check.cites.0: 'letter' is no evidence of the issue 'I-1'": Check((KESTREL,), cites=("letter",)),
}


def key_of(check: Check, issue: PlantedIssue = ISSUE) -> Key:
    whole = Criterion("C-001", "t", "PASS if", "fact", "I-1", WHOLE)
    return Key("r", "Northwind", "1", "desk", "test", (issue,), (whole, replace(whole, id="C-002", check=check)))


def written(folder: Path, check: Check, issue: PlantedIssue = ISSUE) -> Path:
    criteria = [{**CRITERION, "id": f"C-00{number}", "title": f"Lease {number}"} for number in (1, 2)]
    write_task(folder, criteria=criteria)
    write_key(key_of(check, issue), folder / "answer_key.json")
    return folder / "answer_key.json"


@pytest.mark.parametrize("said", HOLLOW)
def test_a_check_that_asks_for_nothing_is_refused_with_its_field_and_passes_nothing(said: str, tmp_path: Path) -> None:
    file = written(tmp_path / "task", HOLLOW[said])
    with pytest.raises(AnswerKeyError) as raised:
        read_key(file)
    assert str(raised.value).startswith(f"{file}: criteria.1.{said}")
    assert problems(tmp_path) == [str(raised.value)]
    key = key_of(HOLLOW[said])
    first, second = grade(REPORT, key.criteria, key, {PAPER.document: "The landlord may end the lease."})
    assert first.outcome == "pass"
    assert second.outcome == "unscored"
    assert said in second.reason


def test_a_key_that_cannot_be_read_is_told_in_plain_words(tmp_path: Path) -> None:
    with pytest.raises(AnswerKeyError, match=r"there is no such answer key; name the folder of a generated task$"):
        read_key(tmp_path / "answer_key.json")
    with pytest.raises(AnswerKeyError, match=r"the answer key cannot be read: Is a directory$"):
        read_key(tmp_path)


def test_evidence_without_a_document_is_cited_by_no_report(tmp_path: Path) -> None:
    check, issue = Check((KESTREL,), cites=("agreement",)), replace(ISSUE, evidence=(replace(PAPER, document=" "),))
    with pytest.raises(AnswerKeyError, match=r"criteria\.1\.check\.cites\.0: the evidence 'agreement' has no document"):
        read_key(written(tmp_path / "task", check, issue))
    key = key_of(check, issue)
    assert grade(REPORT, key.criteria, key, {})[1].outcome == "unscored"


def test_validate_refuses_the_task_and_a_whole_key_is_read(tmp_path: Path) -> None:
    written(tmp_path / "good", Check((KESTREL,), (("%", "per cent"),)))
    file = written(tmp_path / "hollow", replace(WHOLE, about=()))
    done = redwell("bench", "validate", tmp_path)
    assert done.returncode == 2
    assert done.stdout.splitlines()[0].startswith(f"{file}: criteria.1.check.about: must not be empty")
    assert "valid tasks: 1, with 2 criteria" in done.stdout
    assert "problems in other tasks: 1" in done.stdout
    told: dict[str, Any] = json.loads(redwell("bench", "validate", tmp_path, "--json").stdout)
    assert (told["tasks"], len(told["problems"])) == (1, 1)
    file.write_text("{")
    assert f"{file}: " in redwell("bench", "validate", tmp_path).stdout
