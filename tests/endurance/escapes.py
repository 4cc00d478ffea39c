"""Every attempt to get out of a sandbox, behind the walls of each backend and without them, as a table.

    PYTHONPATH=.:tests python -m endurance.escapes [--write docs/results.md]

About half a minute. Ends with 1 when an attempt behind walls reached what it was after.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import platform
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

from benchmarks.results import section
from redwell.sandbox import selftest
from redwell.sandbox.types import SandboxUnavailable
from tests.sandbox import escapes
from tests.sandbox.escape_runner import KERNEL, Attempts, Outside, applicable

PARTS_OF_THE_KERNEL = "parts of the kernel that no cell needs"
Row = tuple[str, str, str]
"""What is reached for, the attempt, what came of it."""


def behind(backend: str, kinds: set[str] | None = None) -> Iterator[Row]:
    """What came of every attempt (of the named kinds) in sessions of that backend; without walls each has targets of its own."""
    with asyncio.Runner() as runner, ExitStack() as stack:
        attempts = Attempts(runner, backend)
        stack.callback(attempts.close)
        shared = _outside(stack)
        for kind, name, body in applicable():
            if kinds is not None and kind not in kinds:
                continue
            if backend != "unsafe-local":
                yield kind, name, attempts.make(body, shared).strip()
            elif name in escapes.UNTRIED:
                yield kind, name, f"not tried: {escapes.UNTRIED[name]}"
            else:
                with ExitStack() as own:
                    yield kind, name, attempts.make(body, _outside(own)).strip()
        if kinds is None or PARTS_OF_THE_KERNEL in kinds:
            for name in KERNEL:
                yield PARTS_OF_THE_KERNEL, name, attempts.answer_of_the_kernel(name, shared).strip()
        if backend != "unsafe-local" and shared.state() != shared.before:
            yield "files", "files outside", "reached: they are changed"


def _outside(stack: ExitStack) -> Outside:
    return Outside(Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="redwell-escapes-"))), stack)


def table(found: dict[str, list[Row]]) -> list[str]:
    """A line for each kind: how many attempts, how many reached their goal without walls, how many behind each backend's."""
    backends = [name for name in found if name != "unsafe-local"]
    lines = [
        "| attempts at | made | reached without walls | "
        + " | ".join(f"stopped by {name}" for name in backends)
        + " |",
        "|---|---|---|" + "---|" * len(backends),
    ]
    kinds = list(dict.fromkeys(kind for kind, _, _ in found["unsafe-local"]))
    counted = {
        name: Counter(kind for kind, _, came in rows if came.startswith("reached") == (name == "unsafe-local"))
        for name, rows in found.items()
    }
    made = Counter(kind for kind, _, _ in found["unsafe-local"])
    for kind in kinds:
        cells = [str(made[kind]), str(counted["unsafe-local"][kind]), *(str(counted[name][kind]) for name in backends)]
        lines.append(f"| {kind} | " + " | ".join(cells) + " |")
    totals = [sum(made.values()), *(sum(counted[name].values()) for name in ("unsafe-local", *backends))]
    return [*lines, "| all | " + " | ".join(map(str, totals)) + " |"]


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description="Every attempt to get out of a sandbox, as a table.")
    parser.add_argument("--write", type=Path, metavar="PAGE", help="put the table into this page of results")
    parser.add_argument("--each", action="store_true", help="print what came of each attempt, not only the counts")
    given = parser.parse_args(arguments)
    found: dict[str, list[Row]] = {}
    missing: list[str] = []
    for backend in selftest.BACKENDS:
        try:
            selftest.choose(backend)
        except SandboxUnavailable as refused:
            missing.append(f"Not tried here: {refused}")
            continue
        found[backend] = list(behind(backend))
    found["unsafe-local"] = list(behind("unsafe-local"))
    if given.each:
        for backend, rows in found.items():
            for kind, name, came in rows:
                print(f"{backend:12} {kind:28} {name:45} {came}")
    lines = [*table(found), *missing]
    print("\n".join(lines))
    if given.write is not None:
        text = (
            f"Made on {platform.machine()}, Linux {platform.release().partition('-')[0]}, {os.cpu_count()} cores, by `PYTHONPATH=.:tests python -m "
            "endurance.escapes --write docs/results.md`; `--each` prints every attempt and what came of it. An attempt that did not reach "
            "its goal without walls either was not tried, for the reason given there, or this machine has no such thing."
        )
        section("Attempts to get out of the sandbox", [text, "", *lines], given.write)
    reached = [
        row for name, rows in found.items() if name != "unsafe-local" for row in rows if row[2].startswith("reached")
    ]
    for kind, name, came in reached:
        print(f"REACHED: {kind}: {name}: {came}")
    return 1 if reached else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
