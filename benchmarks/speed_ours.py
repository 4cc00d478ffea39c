"""One measurement of Redwell, in a process of its own; `speed.py` starts it. Prints one JSON object.

    python benchmarks/speed_ours.py MEASURE '{"store": "out/plain_store", ...}'

A played root drives the real harness: its replies are cells, and what is timed is the time from a reply to the request that tells of it, so the
sandbox, the host calls, the journal and the answers' way back are all in it.
"""

from __future__ import annotations

import asyncio
import ctypes
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pypdfium2  # noqa: F401  its import starts PDFium
import pypdfium2.raw as pdfium

from redwell.harness import rlm
from redwell.harness.types import RunState, Settings, Task
from redwell.journal.journal import Journal
from redwell.models.budget import Budget
from redwell.models.connect import connect
from redwell.models.types import Completion, Model, Request, Role, ToolCall, Usage
from redwell.room.formats.pdfium_calls import place, pointer, ready
from redwell.room.formats.read import read_file
from redwell.room.room import Room
from redwell.room.types import Limits
from redwell.sandbox import selftest
from redwell.sandbox.types import GuestModule, Json, SandboxUnavailable

QUESTION = "Which clauses of this text restrict a change of control? Quote them."
ANSWER = '{"findings": [], "notes": "none"}'
CALL_CHARS = 64_000


def memory(field: str = "VmRSS", process: int | str = "self") -> float:
    """MB of a process, as the kernel counts them; 0 when it has gone."""
    try:
        status = Path(f"/proc/{process}/status").read_text()
    except OSError:
        return 0.0
    found = re.search(rf"{field}:\s+(\d+) kB", status)
    return int(found[1]) / 1024 if found else 0.0


def descendants(process: int) -> list[int]:
    try:
        children = [
            int(child)
            for thread in Path(f"/proc/{process}/task").iterdir()
            for child in (thread / "children").read_text().split()
        ]
    except OSError:
        return []
    return children + [each for child in children for each in descendants(child)]


class Root:
    """Plays the cells one after the other. `times` are when each request came and when its reply was given; `looked` is the memory, in
    MB, of this process and of the session's at each request."""

    name = "played:root"

    def __init__(self, *codes: str) -> None:
        self.codes = [*codes, "submit()"]
        self.times: list[tuple[float, float]] = []
        self.looked: list[tuple[float, float]] = []
        self.told: list[str] = []

    async def complete(self, request: Request) -> Completion:
        came = time.perf_counter()
        self.looked.append((memory(), sum(memory("VmHWM", child) for child in descendants(os.getpid()))))
        self.told.append(request.messages[-1].content)
        call = ToolCall(f"call{len(self.times)}", "python", json.dumps({"code": self.codes[len(self.times)]}))
        self.times.append((came, time.perf_counter()))
        return Completion("", self.name, (call,), "tool_calls", Usage(10, 0, 5))

    async def close(self) -> None: ...

    def seconds(self, cell: int) -> float:
        """From a cell's code to what it came to."""
        return self.times[cell + 1][0] - self.times[cell][1]


class Instant:
    """A sub-agent that answers after so many seconds, none by default, without reading."""

    name = "played:sub"

    def __init__(self, seconds: float = 0.0) -> None:
        self.seconds = seconds
        self.answered = 0

    async def complete(self, request: Request) -> Completion:
        if self.seconds:
            await asyncio.sleep(self.seconds)
        self.answered += 1
        return Completion(ANSWER, self.name, usage=Usage(16_000, 0, 10))

    async def close(self) -> None: ...


class Nothing:
    """An application without tools and without a deliverable."""

    name = "nothing"
    prompt = ""
    modules: Sequence[GuestModule] = ()

    async def handle(self, name: str, arguments: dict[str, Json]) -> Json: ...

    def outline(self) -> str:
        return ""

    def refusals(self, state: RunState) -> list[str]:
        return []

    def salvage(self, state: RunState, reason: str) -> None: ...

    def deliver(self, state: RunState, output: Path) -> list[Path]:
        return []

    def recover(self, journal: Journal) -> None: ...


def run(room: Room, root: Root, sub: Model, folder: Path, budget: Budget | None = None) -> int:
    """A whole run; how many answers are in its journal."""
    models: dict[Role, Model] = {"root": root, "sub": sub}
    settings = Settings(slice_chars=CALL_CHARS + 1_000, sandbox=backend())
    with Journal.create(folder, {}) as journal:
        task = Task("speed", "Do as the cells do.")
        asyncio.run(rlm.run(task, room, models, journal, budget or Budget(concurrency=64), Nothing(), settings))
        return sum(1 for event in journal.events("call.completed") if event.data["role"] == "sub")


def backend() -> str:
    try:
        return selftest.choose("auto")
    except SandboxUnavailable:
        return "unsafe-local"


def opening(given: dict[str, Any], folder: Path) -> dict[str, Any]:
    """From nothing open to the first cell's output: the store, the journal, the session with its walls, a word of the last document."""
    backend()  # which walls hold on this machine is found out once a boot, not once a session
    before = memory()
    root = Root("documents = room.documents()\nprint(len(documents), documents[-1].text[-40:])")
    began = time.perf_counter()
    with Room.open(given["store"]) as room:
        run(room, root, Instant(), folder)
    host, session = root.looked[1]
    return {
        "seconds": root.times[1][0] - began,
        "mb": host - before + session,
        "session_mb": session,
        "told": root.told[1],
        "walls": backend(),
    }


def calls(given: dict[str, Any], folder: Path) -> dict[str, Any]:
    """`ask_many` over that many documents of the room, with a model that answers after `latency` seconds."""
    number = given["calls"]
    root = Root("documents = room.documents()\nprint(documents[0].text[:20])", asking(number))
    sub = Instant(given.get("latency", 0.0))
    budget = Budget(concurrency=64, tokens=10**12 if given.get("capped") else None)
    with Room.open(given["store"]) as room:
        began = time.process_time()
        durable = run(room, root, sub, folder, budget)
        spent = time.process_time() - began
    if not (durable == sub.answered == number):
        raise SystemExit(f"{durable} answers in the journal, {sub.answered} given, {number} wanted: {root.told[-1]}")
    return {"seconds": root.seconds(1), "host_cpu": spent}


def http(given: dict[str, Any], folder: Path) -> dict[str, Any]:
    """The same with a server in a process of its own, through the client for OpenAI-compatible servers."""
    command = [sys.executable, str(Path(__file__).with_name("speed_server.py")), str(given["latency"]), ANSWER]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        sub = connect(f"openai:fake@http://127.0.0.1:{int(server.stdout.readline())}/v1")
        try:
            root = Root("documents = room.documents()\nprint(documents[0].text[:20])", asking(given["calls"]))
            with Room.open(given["store"]) as room:
                began = time.process_time()
                durable = run(room, root, sub, folder)
                spent = time.process_time() - began
        finally:
            server.stdin.close()
    if durable != given["calls"]:
        raise SystemExit(f"{durable} answers in the journal, {given['calls']} wanted: {root.told[-1]}")
    return {"seconds": root.seconds(1), "host_cpu": spent}


def asking(number: int) -> str:
    """The cell that asks one question of each of so many documents."""
    return f"answers = ask_many([({QUESTION!r}, each) for each in documents[:{number}]])\nprint(len(answers))"


def scan(given: dict[str, Any], folder: Path) -> dict[str, Any]:
    """`room.grep` for each pattern, from the session; the first cell opens the store."""
    cells = [
        f"found = room.grep({pattern!r}, limit=100_000)\nprint(f'found={{len(found)}}')"
        for pattern in given["patterns"]
    ]
    root = Root("print(room.documents()[0].text[:20])", *cells)
    with Room.open(given["store"]) as room:
        Path(given["store"], "text.bin").read_bytes()  # its pages are in memory then, as the peers' strings are
        run(room, root, Instant(), folder)
    counts = [re.search(r"found=(\d+)", told) for told in root.told[2 : 2 + len(cells)]]
    if not all(counts):
        raise SystemExit(f"a cell failed: {root.told[2:]}")
    return {
        "seconds": [root.seconds(1 + n) for n in range(len(cells))],
        "hits": [int(count[1]) for count in counts if count],
    }


def plain_re(given: dict[str, Any], folder: Path) -> dict[str, Any]:
    """Python's `re`, which is what a cell has in the other harnesses, over the texts in memory."""
    texts = [path.read_text(encoding="utf-8") for path in sorted(Path(given["room"]).rglob("*.txt"))]
    seconds, hits = [], []
    for pattern in given["patterns"]:
        began = time.perf_counter()
        compiled = re.compile(pattern, re.IGNORECASE)
        found = [(number, match.span()) for number, text in enumerate(texts) for match in compiled.finditer(text)]
        seconds.append(time.perf_counter() - began)
        hits.append(len(found))
    return {"seconds": seconds, "hits": hits}


def search(given: dict[str, Any], folder: Path) -> dict[str, Any]:
    """Queries of three words, each another, at `Room.search`."""
    rng = random.Random(1)
    with Room.open(given["store"]) as room:
        words = sorted(
            {word for document in room.documents()[:40] for word in re.findall(r"[A-Za-z]{3,}", room.text(document.id))}
        )
        text = room.text(room.documents()[-1].id)
        spoken = re.findall(r"[A-Za-z]{3,}", text)
        room.search("delivery notice", k=20)
        seconds = []
        for number in range(given["queries"]):
            # Half of the queries as words are spoken (mostly common ones), half as they stand in a dictionary (mostly rare ones).
            query = " ".join(rng.sample(spoken if number % 2 else words, 3))
            began = time.perf_counter()
            room.search(query.lower(), k=20)
            seconds.append(time.perf_counter() - began)
    seconds.sort()
    return {"p50": seconds[len(seconds) // 2], "p95": seconds[int(0.95 * len(seconds))], "most": seconds[-1]}


def pdf(given: dict[str, Any], folder: Path) -> dict[str, Any]:
    """Reading PDF files into units with a box for each character, on one core; `limit` is what PDFium alone takes of it: each page opened,
    its text and each character's box fetched, nothing made of them."""
    files = [
        (path.name, path.read_bytes()) for path in sorted(Path(given["pdf"]).iterdir()) if path.suffix.lower() == ".pdf"
    ]
    limits = Limits(ocr_seconds_per_page=0.0)
    for name, data in files[:1]:
        read_file(data, name, limits)
    pages, began, spent = 0, time.perf_counter(), time.process_time()
    for name, data in files:
        pages += read_file(data, name, limits).pages
    wall, cpu = time.perf_counter() - began, time.process_time() - spent
    return {"pages": pages, "wall": wall, "cpu": cpu, "limit_cpu": _raw(files)}


def _raw(files: list[tuple[str, bytes]]) -> float:
    """CPU seconds."""
    box = ready(pdfium.FPDFText_GetLooseCharBox, None)
    buffer = ctypes.create_string_buffer(16)
    at = place(buffer)
    spent = time.process_time()
    for _, data in files:
        document = pdfium.FPDF_LoadMemDocument64(data, len(data), None)
        for index in range(pdfium.FPDF_GetPageCount(document)):
            page = pdfium.FPDF_LoadPage(document, index)
            text = pdfium.FPDFText_LoadPage(page)
            count = pdfium.FPDFText_CountChars(text)
            pdfium.FPDFText_GetText(text, 0, count, (ctypes.c_ushort * (count + 1))())
            handle = pointer(text)
            for k in range(count):
                box(handle, k, at)
            pdfium.FPDFText_ClosePage(text)
            pdfium.FPDF_ClosePage(page)
        pdfium.FPDF_CloseDocument(document)
    return time.process_time() - spent


MEASURES = {"open": opening, "calls": calls, "http": http, "scan": scan, "re": plain_re, "search": search, "pdf": pdf}


def main() -> None:
    measure, given = sys.argv[1], json.loads(sys.argv[2])
    with tempfile.TemporaryDirectory(prefix="speed-", dir=given.get("scratch")) as folder:
        print(json.dumps(MEASURES[measure](given, Path(folder) / "run")))


if __name__ == "__main__":
    main()
