"""The facts judge on a room that was generated, written to files, and read again: an ideal report, and reports that only pretend."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from judged import made_run, outcomes
from planted import ideal

from redwell.bench.generate.room import generate
from redwell.bench.grading import Options, grade_run
from redwell.bench.key import Key
from redwell.bench.tasks import BenchTask, load_task
from redwell.bench.verdicts import VerdictSet, read_set, sets
from redwell.room.room import Room, read_room

pytestmark = pytest.mark.xdist_group("a generated room that is graded")


@dataclass
class Made:
    task: BenchTask
    key: Key
    room: Room
    texts: dict[str, str]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Made]:
    folder = tmp_path_factory.mktemp("graded")
    key = generate(folder / "task", preset="desk", seed="31", split="test", documents=40)
    read_room(folder / "task" / "documents", folder / "store", ocr="off")
    with Room.open(folder / "store") as room:
        texts = {document.path: room.text(document.id) for document in room.documents()}
        yield Made(load_task(folder / "task"), key, room, texts)


def graded(made: Made, folder: Path, report: str) -> VerdictSet:
    return asyncio.run(grade_run(made_run(folder, report), made.task, "facts", room=made.room))


def whole(key: Key) -> str:
    """An ideal report with the parts that a report as a whole must have."""
    titles = {issue.id: issue.title for issue in key.issues}
    named = [
        f"- {'; '.join(name for group in one.check.about for name in group[:1])}: {one.title}"
        for one in key.criteria
        if one.style == "report"
    ]
    assert titles
    summary, missing, consents = (
        "\n".join(
            line
            for line, one in zip(named, (c for c in key.criteria if c.style == "report"), strict=True)
            if one.check.section == section
        )
        for section in ("executive summary", "missing", "consents")
    )
    return f"{ideal(key)}\n\n## Executive summary\n\n{summary}\n\n## Missing documents\n\n{missing}\n\n## Consents\n\n{consents}\n"


def test_an_ideal_report_passes_every_criterion_of_a_generated_room(made: Made, tmp_path: Path) -> None:
    found = graded(made, tmp_path / "run", whole(made.key))
    failed = [(one.criterion, one.reason) for one in found.verdicts if one.outcome != "pass"]
    assert not failed
    assert len(found.verdicts) == len(made.key.criteria) == len(made.task.criteria)
    assert {"fact", "report", "precision"} <= {one.style for one in made.key.criteria}
    assert (found.cost, found.calls) == (0.0, 0)
    assert read_set(tmp_path / "run", "facts") == found


def test_reports_that_only_pretend_pass_next_to_nothing(made: Made, tmp_path: Path) -> None:
    names = sorted(
        {name for one in made.key.criteria for group in one.check.about for name in group if re.search("[A-Z]", name)}
    )
    says = sorted({word for one in made.key.criteria for group in one.check.says for word in group})
    figures = sorted({figure for text in made.texts.values() for figure in re.findall(r"[$€]?\d[\d,.]*\d%?", text)})
    reports = {
        "copy": "\n\n".join(f"# {path}\n\n{text}" for path, text in made.texts.items()),
        "quoted copy": "\n\n".join(
            f"# {path}\n\n" + "\n>\n".join(f"> “{line}”" for line in text.split("\n") if line.strip())
            for path, text in made.texts.items()
        ),
        "dump": f"# Report\n\n{', '.join(names)}.\n\n{', '.join(figures)}.",
        "dump for each": "# Report\n\n" + "\n\n".join(f"{name}: {', '.join(figures)}." for name in names),
        "words for each": "# Report\n\n" + "\n\n".join(f"{name}: {', '.join(says)}." for name in names),
        "template": "# Report\n\n## Executive summary\n\nConsents are missing and should be obtained before closing. Revenue is at risk.\n\n## Missing documents\n\nSeveral.\n",
    }
    passed = {name: graded(made, tmp_path / name, report).count("pass") for name, report in reports.items()}
    assert passed == dict.fromkeys(reports, 0)


def test_verdicts_stand_until_they_are_asked_for_anew(made: Made, tmp_path: Path) -> None:
    run = made_run(tmp_path / "run", ideal(made.key))

    def again(**options: bool) -> VerdictSet:
        return asyncio.run(grade_run(run, made.task, "facts", room=made.room, options=Options(**options)))

    first = again()
    assert again() == first
    assert sets(run, aside=True) == ["facts"]
    again(again=True)
    assert sets(run, aside=True) == ["facts", "facts~1"]
    (run / "output" / "red-flags-report.md").write_text("# Report\n\nNothing.\n")
    later = again()
    assert later.count("pass") == 0
    assert outcomes(read_set(run, "facts~1")) == outcomes(first)


def test_without_a_report_everything_fails(made: Made, tmp_path: Path) -> None:
    found = asyncio.run(grade_run(made_run(tmp_path / "run", None), made.task, "facts", room=made.room))
    assert {one.outcome for one in found.verdicts} == {"fail"}
