"""Killing a process at a chosen moment: the moment is seen from outside, and what was cut off is read from what is left."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sqlite3
import subprocess
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from servers.scripted import Answer, Received, Script, Scripted

from redwell.journal.journal import Journal

POLL = 0.003
PATIENCE = 120.0
GONE_WITHIN = 10.0


@dataclass
class Seen:
    """A request as the server saw it. `life` numbers the processes of a run; `delivered` when the whole answer was written to one that
    was alive (time.monotonic)."""

    key: str
    raw: bytes
    model: str
    usage: tuple[int, int]
    life: int
    delivered: float | None = None


class Watched(Scripted):
    """A scripted server that keeps books of one run after another, and tells at once when an answer has been delivered."""

    def __init__(self, script: Script) -> None:
        super().__init__(script)
        self.life = 0
        self.alive = False
        self.seen: list[Seen] = []
        self.on_delivery: Callable[[], None] | None = None
        self._by_number: dict[int, Seen] = {}

    def new_run(self) -> None:
        self.life, self.alive, self.seen, self._by_number = 0, False, [], {}

    @property
    def answers(self) -> int:
        """Answers delivered in this life."""
        return sum(each.delivered is not None and each.life == self.life for each in list(self.seen))

    @property
    def asked(self) -> int:
        """Requests of this life."""
        return sum(each.life == self.life for each in list(self.seen))

    async def _answer(self, received: Received) -> Answer:
        seen = Seen(received.key, received.raw, received.model, (0, 0), self.life)
        self._by_number[received.number] = seen
        self.seen.append(seen)
        return await super()._answer(received)

    async def _send(self, writer: asyncio.StreamWriter, received: Received, answer: Answer) -> bool:
        seen, before = self._by_number[received.number], list(self.used)
        kept = await super()._send(writer, received, answer)
        seen.usage = (self.used[0] - before[0], self.used[2] - before[2])
        if self.alive and seen.life == self.life:
            seen.delivered = time.monotonic()
            if self.on_delivery is not None:
                self.on_delivery()
        return kept


@dataclass
class Moment:
    """When to kill: at the `count`-th sign of a stage, `delay` seconds later. `whole` kills every process of the run, else only the
    main one."""

    stage: str
    count: int
    delay: float
    whole: bool


@dataclass
class Life:
    """One process of a run, from its start to its end."""

    process: subprocess.Popen[bytes]
    log: Path
    began: float = field(default_factory=time.monotonic)
    killed: bool = False
    orphans: list[str] = field(default_factory=list)

    @property
    def said(self) -> str:
        return self.log.read_text(encoding="utf-8", errors="replace")


def start(command: list[str], log: Path, environment: dict[str, str]) -> Life:
    with log.open("wb") as file:
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=file, stderr=file, env=environment, start_new_session=True
        )
    return Life(process, log)


def live(life: Life, moment: Moment | None, out: Path, store: Path, server: Watched) -> None:
    """Lets the process live until the moment has come or it ends by itself."""
    signs = Signs(out, store, server)
    arrived = moment is not None and moment.stage == "arrival"

    def stop_when_due() -> None:
        if moment is not None and server.answers >= moment.count:
            server.alive = False
            with contextlib.suppress(ProcessLookupError):
                life.process.send_signal(signal.SIGSTOP)

    server.on_delivery = stop_when_due if arrived else None
    try:
        due = None
        while life.process.poll() is None:
            now = time.monotonic()
            if now - life.began > PATIENCE:
                life.process.kill()
                raise AssertionError(f"the process did not end in {PATIENCE:.0f} s: {life.said[-2000:]}")
            if moment is not None:
                if due is None and (not server.alive if arrived else signs.shown(moment, life.process.pid)):
                    due = now if arrived else now + moment.delay
                if due is not None and now >= due:
                    _kill(life, moment.whole, server)
                    return
            time.sleep(POLL)
        server.alive = False
    finally:
        server.on_delivery = None
        signs.close()


def _kill(life: Life, whole: bool, server: Watched) -> None:
    """SIGKILL. The process is stopped first, so that what it had started is known; who is left of that afterwards is an orphan."""
    main = life.process
    main.send_signal(signal.SIGSTOP)
    server.alive = False
    others = family(main.pid)
    main.kill()
    for pid, started in others.items() if whole else ():
        if _started(pid) == started:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
    main.wait()
    life.killed = main.returncode == -signal.SIGKILL
    deadline = time.monotonic() + GONE_WITHIN
    left = dict(others)
    while left and time.monotonic() < deadline:
        left = {pid: started for pid, started in left.items() if _started(pid) == started}
        time.sleep(POLL if left else 0)
    for pid in left:
        life.orphans.append(f"{pid} {_command(pid)}")
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def family(pid: int) -> dict[int, str]:
    """All descendants of a process, with the time at which each began."""
    parents: dict[int, list[int]] = {}
    for entry in os.listdir("/proc"):
        if entry.isdigit() and (fields := _stat(int(entry))):
            parents.setdefault(int(fields[1]), []).append(int(entry))
    found, queue = {}, [pid]
    while queue:
        for child in parents.get(queue.pop(), ()):
            if started := _started(child):
                found[child] = started
                queue.append(child)
    return found


def holds_lock(pid: int, file: Path) -> bool:
    """Whether the process has the file locked."""
    try:
        inode = file.stat().st_ino
    except FileNotFoundError:
        return False
    lines = Path("/proc/locks").read_text().splitlines()
    return any(f" {pid} " in line and f":{inode} " in line and " FLOCK " in line and "->" not in line for line in lines)


def stands_still(pid: int) -> bool:
    """Whether a process has been stopped."""
    return _stat(pid)[:1] == ["T"]


def _stat(pid: int) -> list[str]:
    """The fields of /proc/PID/stat from the state on; empty when there is no such process."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return []


def _started(pid: int) -> str:
    """When a process began, in ticks; empty when it is gone or only waits to be buried."""
    fields = _stat(pid)
    return fields[19] if fields and fields[0] not in "ZX" else ""


def _command(pid: int) -> str:
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode("utf-8", "replace")[:200]
    return ""


class Signs:
    """What can be seen from outside while a run goes on: files, events in its journal, requests at the server."""

    def __init__(self, out: Path, store: Path, server: Watched) -> None:
        self._out, self._store, self._server = out, store, server
        self._since = time.time()
        self._journal: sqlite3.Connection | None = None
        self._before = self._last() if (out / "journal.sqlite").exists() else 0

    def shown(self, moment: Moment, pid: int) -> bool:
        match moment.stage:
            case "event":
                return stands_still(pid)
            case "reading":
                return (self._store / "room.lock").exists()
            case "indexing":
                return any((self._store / "index").glob("*/*"))
            case "calls":
                return (
                    self._server.asked >= moment.count
                    if self._server.asked
                    else self._events("call.sent") >= moment.count
                )
            case "cells":
                return self._events("cell.started") >= moment.count
            case "report":
                return self._events("report.entry") >= moment.count
            case "rendering":
                return self._written() >= moment.count
            case "replay":
                return self._events("run.resumed") >= 1
        return True  # at any time

    def _written(self) -> int:
        """How many deliverables, whole or in part, this process has written."""
        output, count = self._out / "output", 0
        for path in output.iterdir() if output.is_dir() else ():
            with contextlib.suppress(FileNotFoundError):  # a part that has become whole meanwhile
                count += path.stat().st_mtime >= self._since
        return count

    def _events(self, kind: str) -> int:
        """How many events of a kind this process has written."""
        try:
            query = "SELECT count(*) FROM events WHERE kind = ? AND sequence > ?"
            return int(self._opened().execute(query, (kind, self._before)).fetchone()[0])
        except sqlite3.Error:  # not there yet
            return 0

    def _last(self) -> int:
        return int(self._opened().execute("SELECT coalesce(max(sequence), 0) FROM events").fetchone()[0])

    def _opened(self) -> sqlite3.Connection:
        if self._journal is None:
            self._journal = sqlite3.connect(f"{(self._out / 'journal.sqlite').as_uri()}?mode=ro", uri=True)
        return self._journal

    def close(self) -> None:
        if self._journal is not None:
            self._journal.close()


def stage_of(out: Path, store: Path, server: Watched) -> str:
    """What the killed process was at, by what it has left behind and what the server has seen."""
    kinds = list(_kinds(out))
    if "run.started" not in kinds:
        if not (store / "room.lock").exists():
            return "starting"
        return "indexing" if _complete(store) else "reading"
    if "run.finished" in kinds:
        return "finished"
    done = committed(out)
    if any(each.delivered is not None and each.key not in done for each in server.seen):
        return "arrival"
    last = len(kinds) - 1 - kinds[::-1].index("run.resumed") if "run.resumed" in kinds else 0
    if "submitted" in kinds:
        return "rendering"
    if last and len(kinds) - 1 == last:
        return "replay"
    if any(each.life == server.life and each.delivered is None for each in server.seen) or _open_calls(kinds):
        return "calls"
    since = kinds[::-1].index("cell.started") if "cell.started" in kinds else 0
    open_cell = kinds.count("cell.started") > kinds.count("cell.finished")
    return "report" if open_cell and any(k.startswith("report.") for k in kinds[len(kinds) - since :]) else "cells"


def committed(out: Path) -> set[str]:
    """The keys of the calls whose answer is in the journal."""
    if not (out / "run.json").exists() or not (out / "journal.sqlite").exists():
        return set()
    with Journal.open(out, read_only=True) as journal:
        sent: dict[str, str] = {}
        done: set[str] = set()
        for event in journal.events(("call.sent", "call.completed")):
            if event.kind == "call.sent":
                sent[event.data["call"]] = event.data["key"]
            else:
                done.add(sent[event.data["call"]])
        return done


def _open_calls(kinds: list[str]) -> bool:
    return kinds.count("call.sent") > kinds.count("call.completed") + kinds.count("call.failed")


def _kinds(out: Path) -> Iterator[str]:
    """The kinds of all events in order; the answer to a submit() that was accepted counts as one of its own."""
    if not (out / "run.json").exists():
        return
    with Journal.open(out, read_only=True) as journal:
        for event in journal.events():
            done = event.kind == "host.answered" and event.data["name"] == "submit" and not event.data["refused"]
            yield "submitted" if done else event.kind


def _complete(store: Path) -> bool:
    try:
        with contextlib.closing(sqlite3.connect(f"{(store / 'room.sqlite').as_uri()}?mode=ro", uri=True)) as database:
            return bool(database.execute("SELECT 1 FROM meta WHERE name = 'complete'").fetchone())
    except sqlite3.Error:
        return False
