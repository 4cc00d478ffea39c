"""Folders of measured and graded runs with chosen numbers, for tests of figures."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from redwell.bench.verdicts import Verdict, VerdictSet, write_set

NO_BEHAVIOUR: dict[str, Any] = {
    "turns": 0, "delegating": 0, "sub_calls": 0, "calls_per_delegating_turn": None, "delegation_rate": 0.0, "first_entry": None,
    "last_entry": None, "last_answer": None, "wrote_while_reading": False, "seconds": 3.0,
}  # fmt: skip


def write_run(
    folder: Path,
    *,
    task: str = "rooms/one",
    harness: str = "rlm",
    root: str = "openai:big",
    sub: str = "openai:small",
    repeat: int = 1,
    passed: int = 5,
    failed: int = 5,
    unscored: int = 0,
    coverage: float = 0.5,
    cost: float | None = 1.0,
    characters: int = 100_000,
    sub_calls: int = 0,
    root_tokens: tuple[int, int] = (100, 10),
    sub_tokens: tuple[int, int] = (900, 90),
    key: str = "",
    graded: bool = True,
    status: str = "submitted",
    documents: dict[str, float] | None = None,
) -> Path:
    """One run with these numbers; returns its folder."""
    run = folder / task / harness / f"{root}--{sub}".replace(":", "-") / str(repeat)
    run.mkdir(parents=True)
    (run / "run.json").write_text("{}")
    shares = documents or {"1.0 A/a.txt": 1.0, "2.0 B/b.txt": 0.0}
    (run / "documents_read.json").write_text(json.dumps(shares))
    part = {"calls": 1, "failed": 0, "cached_input": 0}
    measures = {
        "task": task, "harness": harness, "root": root, "sub": sub, "repeat": repeat, "status": status, "reason": "",
        "documents": len(shares), "characters": characters, "documents_read": sum(s > 0 for s in shares.values()), "coverage": coverage,
        "document_coverage": sum(shares.values()) / len(shares), "probe_coverage": coverage, "probes": 10, "probe_disagreements": 0,
        "roles": {
            "root": {**part, "input": root_tokens[0], "output": root_tokens[1], "cost": cost},
            "sub": {**part, "calls": sub_calls, "input": sub_tokens[0], "output": sub_tokens[1], "cost": 0.0},
        },
        "cost": cost,
        "root_input_share": root_tokens[0] / max(1, root_tokens[0] + sub_tokens[0]),
        "root_output_share": root_tokens[1] / max(1, root_tokens[1] + sub_tokens[1]),
        "behaviour": NO_BEHAVIOUR | {"turns": 4, "sub_calls": sub_calls, "delegating": min(1, sub_calls), "delegation_rate": 0.25,
                                     "calls_per_delegating_turn": float(sub_calls) if sub_calls else None},
        "citations": {"quotes": 4, "verified": 3, "on_issues": 0, "document": 0, "passage": 0, "evidence": 0, "cited": 0},
        "settings": {}, "key": key,
    }  # fmt: skip
    (run / "measures.json").write_text(json.dumps(measures))
    if graded:
        outcomes = ["pass"] * passed + ["fail"] * failed + ["unscored"] * unscored
        verdicts = tuple(Verdict(f"C-{number:03}", outcome) for number, outcome in enumerate(outcomes, 1))  # type: ignore[arg-type]
        write_set(run, VerdictSet("facts", task, verdicts))
    return run
