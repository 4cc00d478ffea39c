"""Trees of tasks for the tests of tasks, cells and matrices."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

CRITERION = {
    "id": "C-001",
    "title": "Consent",
    "match_criteria": "PASS if the report states that lease 1 needs a consent.",
}


def task(**changes: Any) -> dict[str, Any]:
    """A whole task.json; None takes a field away."""
    whole = {
        "title": "Diligence Review: Leases",
        "instructions": "Review the attached data room and produce a red-flags report at `red-flags-report.md`.",
        "deliverables": {"red-flags-report.md": "red-flags-report.md"},
        "criteria": [CRITERION],
    }
    return {name: value for name, value in {**whole, **changes}.items() if value is not None}


def write_task(folder: Path, **changes: Any) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "task.json").write_text(json.dumps(task(**changes)), encoding="utf-8")
    return folder


def lease_task(folder: Path, leases: int = 2, **changes: Any) -> Path:
    """A task over a few short leases."""
    write_task(folder, **changes)
    (folder / "documents").mkdir(exist_ok=True)
    for number in range(leases):
        text = (
            f"LEASE {number}\n\n1. Tenant shall not assign lease {number} without the consent of the landlord.\n\n"
            f"2. The rent is ${number + 7},000 a month.\n"
        )
        (folder / "documents" / f"lease-{number}.txt").write_text(text, encoding="utf-8")
    return folder
