"""A large room end to end on the embedded default: `redwell diligence`, then `report check`, `run show` and `run trace`, each in a
process of its own, with times by stage and the memory of every process.

    python benchmarks/whole_room.py [--documents 5000] [--characters 64000] [--folder out/whole_room] [--write docs/results.md]

The room is made first (`plain_room.py`), unless the folder holds one of that size already. Memory is the resident set (shared pages
counted in each process), looked at four times a second.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import shutil
import subprocess
import sys
import threading
import time
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from plain_room import write_room
from results import section

MIB = 1 << 20
PAGE = os.sysconf("SC_PAGE_SIZE")
LOOK_SECONDS = 0.25
STAGES = {
    "look": "root: look at the room",
    "dispatch": "root: cut the room and send",
    "harvest": "sub-agents read all of it",
    "again": "root: ask again what failed",
    "checks": "root: checks across documents",
    "tables": "root: tables, missing documents",
    "none_found": "root: what was not found",
    "summary": "root: summary",
    "submit": "root: hand in",
}


@dataclass
class Watched:
    """A verb that has run: its output, seconds, and the most that its processes held, by role, and all together."""

    output: str = ""
    seconds: float = 0.0
    most: dict[str, int] = field(default_factory=dict)
    together: int = 0


def watched(*arguments: str) -> Watched:
    """Runs a verb and watches its processes. Raises CalledProcessError when it fails."""
    done, ended = Watched(), threading.Event()
    began = time.monotonic()
    process = subprocess.Popen([sys.executable, "-m", "redwell", *arguments], stdout=subprocess.PIPE, text=True)

    def look() -> None:
        while not ended.wait(LOOK_SECONDS):
            now = _memory(process.pid)
            for role, sizes in now.items():
                done.most[role] = max(done.most.get(role, 0), max(sizes))
            done.together = max(done.together, sum(map(sum, now.values())))

    watcher = threading.Thread(target=look)
    watcher.start()
    assert process.stdout is not None
    done.output = process.stdout.read()
    code = process.wait()
    ended.set()
    watcher.join()
    done.seconds = time.monotonic() - began
    if code:
        raise subprocess.CalledProcessError(code, arguments, done.output)
    return done


def _memory(top: int) -> dict[str, list[int]]:
    """Resident bytes of a process and of those under it, by what they do."""
    parents: dict[int, int] = {}
    for entry in Path("/proc").iterdir():
        with contextlib.suppress(OSError, ValueError):
            parents[int(entry.name)] = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
    found: dict[str, list[int]] = defaultdict(list)
    for process in parents:
        above, steps = process, 0
        while above not in (top, 0) and steps < 50:
            above, steps = parents.get(above, 0), steps + 1
        if above == top:
            with contextlib.suppress(OSError, IndexError):
                resident = int(Path(f"/proc/{process}/statm").read_text().split()[1]) * PAGE
                found[_role(process, top)].append(resident)
    return found


def _role(process: int, top: int) -> str:
    if process == top:
        return "host"
    command = Path(f"/proc/{process}/cmdline").read_bytes()
    if b"multiprocessing" in command:
        return "sub-agent worker"
    return "file reader" if b"redwell.room" in command else "sandbox"


def stages(events: list[dict[str, Any]], run: Path) -> list[tuple[str, float]]:
    """Seconds by stage: of reading from the verb's own JSON lines, of cells from the journal, of the rest what lies between."""
    from redwell.journal.journal import Journal

    began_indexing = next(
        (e["seconds"] for e in events if e["event"] == "reading" and e.get("stage") == "indexing"), None
    )
    read = next(e["seconds"] for e in events if e["event"] == "read")
    parsed = read if began_indexing is None else began_indexing
    found = [("read the files", parsed), ("index", read - parsed)]
    times: dict[str, float] = {}
    spent: Counter[str] = Counter()
    with Journal.open(run, read_only=True) as journal:
        for event in journal.events():
            times.setdefault(event.kind, event.time)
            if event.kind == "cell.started":
                step = _step(journal.text(event.blobs["code"]))
                before = event.time
            elif event.kind == "cell.finished":
                spent[step] += event.time - before
                last = event.time
            elif event.kind == "run.finished":
                finished = event.time
        started = times["run.started"]
        created = times["turn.started"]
    found.append(("open, start the sandbox", created - started))
    found += [(STAGES[name], spent[name]) for name in STAGES]
    found.append(("root: between cells", last - created - sum(spent.values())))
    found.append(("write the report", finished - last))
    return found


def _step(code: str) -> str:
    from redwell.diligence.playbook import STEPS

    return STEPS[int(code.split("Step ", 1)[1].split(" ", 1)[0]) - 1]


def size(path: Path) -> int:
    return path.stat().st_size if path.is_file() else sum(f.stat().st_size for f in path.rglob("*") if f.is_file())


def prepare(folder: Path, documents: int, characters: int) -> Path:
    """The room, made anew unless it is there in that size."""
    room, note = folder / "files", folder / "files.json"
    wanted = json.dumps([documents, characters])
    if not note.is_file() or note.read_text() != wanted:
        shutil.rmtree(folder, ignore_errors=True)
        write_room(room, documents, characters)
        note.write_text(wanted)
    shutil.rmtree(folder / "run", ignore_errors=True)
    return room


def measure(folder: Path, documents: int, characters: int) -> list[str]:
    room, run = prepare(folder, documents, characters), folder / "run"
    whole = watched("diligence", str(room), "--out", str(run), "--json")
    events = [json.loads(line) for line in whole.output.splitlines()]
    read = next(event for event in events if event["event"] == "read")
    check = watched("report", "check", str(run), "--json")
    show = watched("run", "show", str(run), "--json")
    trace = watched("run", "trace", str(run))
    checked = json.loads(check.output)
    shown = json.loads(show.output)
    report = json.loads((run / "output" / "report.json").read_text(encoding="utf-8"))
    tokens = read["characters"] / 4
    lines = [
        f"Made by `make load`: {read['found']:,} plain documents, {read['characters']:,} characters (about {tokens / 1e6:.0f} million tokens), "
        f"read, indexed and reviewed by `redwell diligence` without a model on {os.cpu_count()} cores in {whole.seconds:.0f} s.",
        "",
        "| stage | seconds |",
        "|---|---:|",
    ]
    lines += [f"| {name} | {seconds:.1f} |" for name, seconds in stages(events, run)]
    lines += [
        f"| in all | {whole.seconds:.1f} |",
        f"| `report check` | {check.seconds:.1f} |",
        f"| `run show` | {show.seconds:.1f} |",
        f"| `run trace` | {trace.seconds:.1f} |",
        "",
        "| process | most resident memory, MB |",
        "|---|---:|",
    ]
    lines += [f"| {role} | {most / MIB:,.0f} |" for role, most in sorted(whole.most.items(), key=lambda pair: -pair[1])]
    lines.append(f"| all of them at one moment | {whole.together / MIB:,.0f} |")
    for name, verb in (("report check", check), ("run show", show), ("run trace", trace)):
        lines.append(f"| `{name}` | {verb.most.get('host', 0) / MIB:,.0f} |")
    lines += ["", "| what | size |", "|---|---:|"]
    for name, path in (
        ("the store of the room", run / "room"),
        ("of it the text", run / "room" / "text.bin"),
        ("the journal", run / "journal.sqlite"),
        *((f"`{f.name}`", f) for f in sorted((run / "output").iterdir())),
    ):
        lines.append(f"| {name} | {size(path) / MIB:,.1f} MB |")
    severities = Counter(entry["severity"] for entry in report["entries"])
    counted = ", ".join(f"{severities[name]} {name}" for name in ("Critical", "High", "Medium", "Low"))
    lines += [
        "",
        f"{shown['events'].get('finding', 0):,} findings of {sum(line['calls'] for line in shown['usage'] if line['role'] == 'sub'):,} "
        f"sub-agent calls became {len(report['entries']):,} entries ({counted}) and "
        f"{sum(map(len, report['tables'].values())):,} lines of tables; coverage {shown['coverage']:.1%}; "
        f"{checked['hold']:,} of {checked['citations']:,} citations hold.",
    ]
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--documents", type=int, default=5_000)
    parser.add_argument("--characters", type=int, default=64_000)
    parser.add_argument("--folder", type=Path, default=Path("out/whole_room"))
    parser.add_argument("--write", type=Path)
    given = parser.parse_args()
    lines = measure(given.folder, given.documents, given.characters)
    section("A room of 5,000 documents", lines, given.write)


if __name__ == "__main__":
    main()
