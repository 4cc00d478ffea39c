"""A run of the LAB fixture with a report, and judges that answer from a script, for tests of grading."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from servers.scripted import Received

from redwell.bench.grading import Options, grade_run
from redwell.bench.tasks import BenchTask, load_task
from redwell.bench.verdicts import VerdictSet
from redwell.journal.journal import Journal
from redwell.models.budget import Budget
from redwell.models.connect import connect
from redwell.models.retries import Policy

QUICK = Policy(attempts=2, base=0.001, longest=0.002, enough=1000)
REPORT = """# Red flags: Prairie Aerostructures Holdings

## Intellectual property

Prairie's 2005 license to the TWA-MBD-TOL library is non-sublicensable under Section 2.1 of the 2005 IP License Schedule.

- **Henrik van der Meer** is named as an inventor of US Patent No. 10,884,216.
- The assignment packet holds no signature page of Henrik van der Meer.
- His agreement of 2006-06-01 only *agrees to assign*, which is no present assignment.
"""
SAYS = {
    "C-001": ("pass", "is non-sublicensable under Section 2.1"),
    "C-002": ("fail", ""),
    "C-003": ("fail", ""),
    "C-004": ("pass", "is named as an inventor of US Patent No. 10,884,216"),
    "C-005": ("pass", "The assignment packet holds no signature page"),
    "C-006": ("pass", "only agrees to assign, which is no present assignment"),
}
"""What a fair judge says of REPORT, and the passage that it relies on."""


def lab_task(shared: Path) -> BenchTask:
    return load_task(shared / "data" / "lab_format" / "fixture_diligence")


def made_run(folder: Path, report: str | None = REPORT, name: str = "red-flags-report.md") -> Path:
    """A finished run: `run.json`, a journal, and the report in its output."""
    configuration = {"kind": "bench", "harness": "rlm", "models": {"root": "playbook", "sub": "reader"}}
    Journal.create(folder, configuration).close()
    if report is not None:
        (folder / "output" / name).write_text(report, encoding="utf-8")
    return folder


def asked(received: Received) -> list[str]:
    """The ids of the criteria that a request asks about, told from their titles."""
    told = received.user.rsplit("The task was:", 1)[1]
    titles = {
        "C-001": "license is non-sublicensable", "C-002": "limited to Trentwood work", "C-003": "Exclude TWA-MBD-TOL", "C-004": "listed as patent co-inventor",
        "C-005": "assignment file is missing", "C-006": "Future-tense invention agreement",
    }  # fmt: skip
    return [one for one, title in titles.items() if title in told]


def answer(verdict: str, passage: str = "", **more: Any) -> str:
    return json.dumps({"reasoning": "Because.", "passage": passage, "verdict": verdict} | more)


def fair(received: Received) -> str:
    """A judge that answers each criterion as SAYS has it, one or many."""
    ids = asked(received)
    if '"verdicts"' in received.user:
        return json.dumps(
            {
                "verdicts": [
                    {"id": one, "reasoning": "Because.", "passage": SAYS[one][1], "verdict": SAYS[one][0]}
                    for one in ids
                ]
            }
        )
    return answer(*SAYS[ids[0]])


def outcomes(graded: VerdictSet) -> dict[str, str]:
    return {one.criterion: one.outcome for one in graded.verdicts}


async def graded_by(
    run: Path,
    task: BenchTask,
    name: str,
    *,
    budget: Budget | None = None,
    progress: Callable[[int, int], None] | None = None,
    **options: Any,
) -> VerdictSet:
    model = connect(name)
    try:
        return await grade_run(
            run,
            task,
            name,
            model=model,
            budget=budget or Budget(concurrency=4),
            policy=QUICK,
            options=Options(**options),
            progress=progress,
        )
    finally:
        await model.close()


def document_of(received: Received) -> str:
    """What stands between the fences of a request."""
    found = re.search(r"<<<document (\w+): [^\n]*>>>\n(.*)\n<<<end of document \1>>>", received.user, re.DOTALL)
    assert found is not None
    return found[2]
