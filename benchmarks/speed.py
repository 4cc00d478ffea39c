"""Redwell's speed, beside two other harnesses that let a model write code over long texts.

    python benchmarks/speed.py [--out out/bench.json] [--write docs/results.md] [--quick] [--no-peers] [--only open,calls]

Prints a table and writes every repeat to the JSON file. Each repeat of each measurement is a process of its own; ours and the peers' take
turns, so that what else the machine does falls on all of them; medians are compared. The peers, `rlms` (MIT) and `dspy` (MIT), are
installed from the package index into a virtual environment of their own, `out/peers`. The room is 5,000 plain contracts, 320 MB, written
and read anew each time (`--only` without `read` keeps the store that is there). `--quick` goes through all of it in small.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import json
import math
import os
import platform
import shutil
import statistics
import subprocess
import sys
import time
import venv
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from plain_pdf import write_pdf
from plain_room import write_room
from results import section

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
PEERS = {"rlms": "0.1.3", "dspy": "3.4.1"}
LICENCES = {"rlms": "MIT", "dspy": "MIT"}
# A word that stands in 5 of the papers, a phrase that stands in a good part of them, and a choice of three.
PATTERNS = ("demurrage", "change of control", r"exclusively from|most favou?red|not compete with")
LATENCY, CONCURRENCY = 0.05, 64


@dataclass(frozen=True, slots=True)
class Size:
    documents: int = 5000
    characters: int = 64_000
    calls: int = 1000
    queries: int = 300
    repeats: int = 5


QUICK = Size(documents=60, characters=3_000, calls=40, queries=20, repeats=1)


@dataclass(slots=True)
class Row:
    """One line of the table. `repeats` are all figures that went into it, by who was measured."""

    name: str
    what: str
    target: str
    ours: str = ""
    peer: str = ""
    ratio: str = ""
    reached: bool | None = None
    repeats: dict[str, list[Any]] = field(default_factory=dict)


class Bench:
    """Runs the measurements and keeps their figures. `pdf` is a folder of real PDF files, if there is one."""

    def __init__(self, out: Path, size: Size, pdf: Path, *, peers: bool, only: set[str]) -> None:
        self.size = size
        self.only = only
        self.out = out
        self.room, self.store = out / "plain_room", out / "plain_store"
        self.python = _peers(out / "peers") if peers else None
        self.pdf = pdf
        self.given = {
            "store": str(self.store),
            "room": str(self.room),
            "calls": size.calls,
            "patterns": PATTERNS,
            "queries": size.queries,
            "pdf": str(pdf),
            "scratch": str(out),
        }

    def prepare(self) -> None:
        files = sum(1 for _ in self.room.rglob("*.txt"))
        if files != self.size.documents:
            shutil.rmtree(self.room, ignore_errors=True)
            write_room(self.room, self.size.documents, self.size.characters)
        if not self.pdf.is_dir():
            self.pdf.mkdir(parents=True)
            for path in sorted(self.room.rglob("*.txt"))[:4]:
                write_pdf(self.pdf / f"{path.stem[:5]}.pdf", path.read_text(encoding="utf-8"))

    def measured(
        self, measure: str, peers: tuple[str, ...] = (), beside: str = "", **changes: Any
    ) -> dict[str, list[dict[str, Any]]]:
        """The figures of ours, of the peers, and of what else is measured beside, repeat by repeat in turns."""
        given = json.dumps({**self.given, **changes})
        found: dict[str, list[dict[str, Any]]] = {}
        for _ in range(self.size.repeats):
            for who, what in {"ours": measure, **({beside: beside} if beside else {})}.items():
                found.setdefault(who, []).append(_result([sys.executable, str(HERE / "speed_ours.py"), what, given]))
            for peer in peers if self.python is not None else ():
                command = [str(self.python), str(HERE / "speed_peers.py"), peer, measure, given]
                found.setdefault(peer, []).append(_result(command))
        return found

    def rows(self) -> list[Row]:
        measures: dict[str, Callable[[], list[Row]]] = {
            "read": self.reading,
            "open": self.opening,
            "calls": self.calls,
            "latency": self.latency,
            "scan": self.scan,
            "search": self.search,
            "pdf": self.pdf_pages,
        }
        rows: list[Row] = []
        for name, measure in measures.items():
            if name in self.only or (name == "read" and not self.store.is_dir()):
                print(f"{name} ...", file=sys.stderr, flush=True)
                rows += measure()
        return rows

    def opening(self) -> list[Row]:
        row = Row("open", "open the room in a session", "< 100 ms, < 150 MB")
        row.repeats = found = self.measured("open", ("rlms", "dspy"))
        seconds, mb = _median(found["ours"], "seconds"), _median(found["ours"], "mb")
        row.ours = f"{1000 * seconds:.0f} ms, {mb:.0f} MB"
        row.peer = _each(found, lambda them: f"{_median(them, 'seconds'):.2f} s, +{_median(them, 'mb'):.0f} MB")
        row.ratio = _each(found, lambda them: f"{_median(them, 'seconds') / seconds:.0f}x")
        row.reached = seconds < 0.1 and mb < 150
        return [row]

    def calls(self) -> list[Row]:
        row = Row("calls", f"{self.size.calls:,} ask_many calls, each durable", "< 0.3 ms a call, 4x under rlms")
        row.repeats = found = self.measured("calls", ("rlms", "dspy"))
        each = _median(found["ours"], "seconds") / self.size.calls
        row.ours = f"{1000 * each:.2f} ms a call"
        row.peer = _each(found, lambda them: f"{1000 * _median(them, 'seconds') / self.size.calls:.2f} ms")
        row.ratio = _each(found, lambda them: f"{_median(them, 'seconds') / self.size.calls / each:.1f}x")
        row.reached = each < 0.0003
        if "rlms" in found:
            row.reached = row.reached and _median(found["rlms"], "seconds") / self.size.calls >= 4 * each
        capped = Row("calls_capped", "the same under a cap of tokens", "")
        capped.repeats = self.measured("calls", capped=True)
        capped.ours = f"{1000 * _median(capped.repeats['ours'], 'seconds') / self.size.calls:.2f} ms a call"
        return [row, capped]

    def latency(self) -> list[Row]:
        ideal = math.ceil(self.size.calls / CONCURRENCY) * LATENCY
        row = Row("latency", f"{self.size.calls:,} calls at 50 ms, 64 at once", f"< 1.1 x {ideal:.2f} s")
        row.repeats = found = self.measured("calls", ("rlms", "dspy"), latency=LATENCY)
        seconds = _median(found["ours"], "seconds")
        row.ours = f"{seconds:.2f} s, {seconds / ideal:.2f}x the ideal"
        row.peer = _each(found, lambda them: f"{_median(them, 'seconds'):.2f} s")
        row.ratio = _each(found, lambda them: f"{_median(them, 'seconds') / seconds:.1f}x")
        row.reached = seconds < 1.1 * ideal
        http = Row("latency_http", "the same over HTTP, the server beside", "")
        http.repeats = self.measured("http", latency=LATENCY)
        http.ours = f"{_median(http.repeats['ours'], 'seconds'):.2f} s"
        return [row, http]

    def scan(self) -> list[Row]:
        found = self.measured("scan", beside="re")
        rows = []
        for number, pattern in enumerate(PATTERNS):
            row = Row(f"scan_{number}", f"regex `{pattern.replace('|', chr(92) + '|')}`", "< 0.3 s, 10x under re")
            row.repeats = {
                who: [{"seconds": one["seconds"][number], "hits": one["hits"][number]} for one in figures]
                for who, figures in found.items()
            }
            seconds = _median(row.repeats["ours"], "seconds")
            hits = {one["hits"] for figures in row.repeats.values() for one in figures}
            if len(hits) > 1:
                raise SystemExit(f"the hits of {pattern} differ: {hits}")
            row.ours = f"{seconds:.3f} s, {hits.pop():,} hits"
            theirs = _median(row.repeats["re"], "seconds")
            row.peer, row.ratio = f"re {theirs:.2f} s", f"{theirs / seconds:.0f}x"
            row.reached = seconds < 0.3 and theirs >= 10 * seconds
            rows.append(row)
        return rows

    def search(self) -> list[Row]:
        row = Row("search", "BM25 query of three words", "p95 < 15 ms")
        row.repeats = self.measured("search")
        p50, p95 = (_median(row.repeats["ours"], name) for name in ("p50", "p95"))
        row.ours = f"p50 {1000 * p50:.1f}, p95 {1000 * p95:.1f} ms"
        row.reached = p95 < 0.015
        return [row]

    def pdf_pages(self) -> list[Row]:
        row = Row("pdf", "native PDF with boxes, one core", "> 250 pages/s")
        row.repeats = self.measured("pdf")
        ours = row.repeats["ours"]
        rate = statistics.median(one["pages"] / one["cpu"] for one in ours)
        limit = statistics.median(one["pages"] / one["limit_cpu"] for one in ours)
        row.ours = f"{rate:.0f} pages/s of {ours[0]['pages']} pages"
        row.peer = f"PDFium alone {limit:.0f}"
        row.ratio = f"{rate / limit:.2f}x"
        row.reached = rate > 250
        return [row]

    def reading(self) -> list[Row]:
        size = sum(path.stat().st_size for path in self.room.rglob("*.txt"))
        row = Row("read", f"the room read and indexed, 2 processes ({size / 1e6:.0f} MB)", "< 10 min, < 2 GB")
        shutil.rmtree(self.store, ignore_errors=True)
        command = [
            "-m",
            "redwell",
            "room",
            "read",
            str(self.room),
            "--store",
            str(self.store),
            "--jobs",
            "2",
            "--quiet",
        ]
        began = time.monotonic()
        peak = _peak([sys.executable, *command])
        seconds = time.monotonic() - began
        row.repeats = {"ours": [{"seconds": seconds, "mb": peak}]}
        row.ours = f"{seconds / 60:.1f} min, {peak / 1024:.2f} GB"
        row.reached = seconds < 600 and peak < 2000
        return [row]


def _result(command: list[str]) -> dict[str, Any]:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{' '.join(command[:3])} failed:\n{done.stderr[-2000:]}")
    found: dict[str, Any] = json.loads(done.stdout.strip().splitlines()[-1])
    return found


def _peak(command: list[str]) -> float:
    """Runs a command on at most two cores; the most memory, in MB, that it and all its processes had resident at once (looked at ten times a
    second; pages that they share count for each)."""
    cores = sorted(os.sched_getaffinity(0))[:2]
    process = subprocess.Popen(command, preexec_fn=lambda: os.sched_setaffinity(0, cores))
    peak = 0.0
    while process.poll() is None:
        peak = max(peak, sum(map(_resident, _family(process.pid))))
        time.sleep(0.1)
    if process.returncode:
        raise SystemExit(f"the room could not be read: exit code {process.returncode}")
    return peak


def _family(process: int) -> list[int]:
    found = [process]
    try:
        for thread in Path(f"/proc/{process}/task").iterdir():
            for child in (thread / "children").read_text().split():
                found += _family(int(child))
    except OSError:
        pass  # it has ended meanwhile
    return found


def _resident(process: int) -> float:
    try:
        return int(Path(f"/proc/{process}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20
    except OSError:
        return 0.0


def _median(figures: list[dict[str, Any]], name: str) -> float:
    return float(statistics.median(one[name] for one in figures))


def _each(found: dict[str, list[dict[str, Any]]], said: Callable[[list[dict[str, Any]]], str]) -> str:
    return "; ".join(f"{peer} {said(figures)}" for peer, figures in found.items() if peer != "ours")


def _peers(folder: Path) -> str:
    """The Python of the peers' environment, made when it is not there or holds other versions."""
    python = folder / "bin" / "python"
    wanted = [f"{name}=={version}" for name, version in PEERS.items()]
    note = folder / "peers.txt"
    if not note.is_file() or note.read_text().split() != wanted:
        print("installing the peers ...", file=sys.stderr, flush=True)
        venv.create(folder, with_pip=True, clear=True)
        install = [str(python), "-m", "pip", "install", "--quiet", "--only-binary", ":all:", *wanted]
        done = subprocess.run(install, capture_output=True, text=True, check=False)
        if done.returncode:
            raise SystemExit(f"the peers cannot be installed; --no-peers does without:\n{done.stderr[-1000:]}")
        note.write_text("\n".join(wanted))
    return str(python)


def machine() -> dict[str, Any]:
    """What was measured on."""
    model = ""
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            model = line.partition(":")[2].strip()
            break
    packages = ("redwell", "tantivy", "google-re2", "pypdfium2", "httpx", "openai")
    return {
        "processor": f"{platform.machine()} {model}",
        "cores": len(os.sched_getaffinity(0)),
        "memory_gb": round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30),
        "system": platform.release().partition("-")[0],
        "python": platform.python_version(),
        "packages": {name: importlib.metadata.version(name) for name in packages},
        "peers": PEERS,
        "licences": LICENCES,
    }


def table(rows: list[Row]) -> list[str]:
    head = ["what", "target", "ours", "peers", "peers / ours", "reached"]
    body = [
        [row.what, row.target, row.ours, row.peer, row.ratio, {True: "yes", False: "no", None: ""}[row.reached]]
        for row in rows
    ]
    return [f"| {' | '.join(line)} |" for line in (head, ["---"] * len(head), *body)]


NOTES = """
What is compared. `open`: ours from nothing open to the first cell's output (store, journal, session with its walls, a word of the last
document), memory is the whole session's process at its peak and what ours grew by; the peers from the texts in memory to the same
cell's output, memory is what they grew by. `ask_many`: from a cell that asks one question of each of 1,000 documents of 64 kB to the next
request of the model that directs, so the host calls, the requests, the journal's commits and the way back are in it; the peers' `llm_query_batched` over the same texts
in a list, nothing written down. The model answers at once in all of them, in process (a function for the peers); at 50 ms by a sleep. The ideal is sixteen waves of 64.
Regular expressions: `room.grep` from a cell with every hit's line and address on its way back; Python's `re` over the texts in memory, the
addresses alone; the hits must be as many. PDFium alone: each page opened and its text and its characters' boxes fetched, nothing made of them.
""".strip()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=ROOT / "out" / "bench.json")
    parser.add_argument("--write", type=Path)
    parser.add_argument("--pdf", type=Path, default=ROOT.parent / "shared" / "data" / "cuad" / "pdf")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--no-peers", action="store_true")
    parser.add_argument("--only", default="read,open,calls,latency,scan,search,pdf")
    given = parser.parse_args()
    folder = given.out.resolve().parent
    folder.mkdir(parents=True, exist_ok=True)
    size = QUICK if given.quick else Size()
    pdf = given.pdf if given.pdf.is_dir() and not given.quick else folder / "plain_pdf"
    load = [os.getloadavg()]
    began = time.monotonic()
    bench = Bench(folder, size, pdf, peers=not given.no_peers, only=set(given.only.split(",")))
    bench.prepare()
    rows = bench.rows()
    load.append(os.getloadavg())
    about = machine()
    found = {"machine": about, "load_average": load, "size": asdict(size), "rows": [asdict(row) for row in rows]}
    given.out.write_text(json.dumps(found, indent=1), encoding="utf-8")
    versions = ", ".join(f"{name} {version} ({LICENCES[name]})" for name, version in PEERS.items())
    made = (
        f"Made by `make bench` in {(time.monotonic() - began) / 60:.0f} minutes, on {about['cores']} cores ({about['processor']}, {about['memory_gb']} GB), "
        f"Python {about['python']}, load average {load[0][0]:.1f} before and {load[1][0]:.1f} after; medians of {size.repeats}, ours and the peers in "
        f"turns. Peers: {versions}."
    )
    section("Speed", [made, "", *table(rows), "", NOTES], given.write)


if __name__ == "__main__":
    main()
