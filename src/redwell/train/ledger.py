"""The durable account of a training: what happened to its groups, rollouts and steps, in order. A kill at any moment loses no rollout and counts none twice.

One SQLite file of events that are only ever added; what a call writes is on the disk when it returns. How the groups stand (`groups.Groups`) is a
view of the events, made by going through them again. A step is `taken` with its groups for good, `told` when it was made, and `saved` in a
checkpoint; what was taken after the last checkpoint is made again from the same rollouts.
"""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from redwell.journal.database import BROKEN, unusable
from redwell.train.groups import Group, Groups, State
from redwell.train.types import Rollout, Segment, TrainingError

FILE = "ledger.sqlite"
APPLICATION_ID = 0x5277_6C74  # "Rwlt"
_SCHEMA = """
CREATE TABLE events (
  sequence INTEGER PRIMARY KEY, kind TEXT NOT NULL, grp TEXT NOT NULL, number INTEGER NOT NULL, step INTEGER NOT NULL, data TEXT NOT NULL, body BLOB
);
CREATE INDEX by_group ON events (grp, kind, number);
CREATE INDEX by_kind ON events (kind, step);
"""


def packed(rollout: Rollout) -> bytes:
    return zlib.compress(json.dumps(asdict(rollout), separators=(",", ":")).encode(), 1)


def unpacked(body: bytes) -> Rollout:
    """Raises ValueError, KeyError, TypeError or zlib.error for bytes that `packed` did not make."""
    found = json.loads(zlib.decompress(body))
    segments = tuple(Segment(**{name: tuple(values) for name, values in one.items()}) for one in found.pop("segments"))
    return Rollout(segments=segments, **found)


def _outline(group: str, number: int, data: Mapping[str, Any]) -> Rollout:
    """As much of a rollout as decides how its group stands, so that going through the events need not unpack every token."""
    tokens = Segment((), (), (), (data["first_version"],), ())
    return Rollout(f"{group}/{number}", "", group, data["status"], (tokens,), data["reward"])


class Ledger:
    """`groups` is how all groups stand, `fresh` how many were begun in the order of the tasks (not to play a task again). All methods raise TrainingError when the disk is full, the file is damaged, or what they are told cannot be."""

    def __init__(self, path: Path) -> None:
        """Opens the ledger, or makes an empty one, and goes through its events."""
        self.path = path
        self.groups = Groups()
        self.fresh = 0
        with self._guarded():
            self._connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
            try:
                self._prepare()
                self._replay()
            except BaseException:
                self._connection.close()
                raise

    def close(self) -> None:
        self._connection.close()

    @contextmanager
    def together(self) -> Iterator[None]:
        """What happens in here is written to the disk at once, all of it or nothing: waiting for the disk takes longer than what is written."""
        with self._guarded():
            self._connection.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            with suppress(*BROKEN):
                self._connection.execute("ROLLBACK")
            raise
        with self._guarded():
            self._connection.execute("COMMIT")

    # --- what happens ---------------------------------------------------------------------------------------------------------

    def begin(self, group: str, task: str, size: int, *, again: bool = False) -> None:
        """A group begins; with `again` it takes up the task that was due to be played again."""
        self._happened("begin", group, data={"task": task, "size": size, "again": again})

    def started(self, group: str, number: int, version: int) -> None:
        """A rollout is being played, and the policy is of that version; after a kill it is started once more."""
        self._happened("started", group, number, data={"version": version})

    def finished(self, rollout: Rollout) -> bool:
        """Keeps a rollout that has ended, whole; True when it is the last of its group. A second end would count twice and is refused."""
        number = int(rollout.id.rpartition("/")[2])
        if number in self.groups.groups[rollout.group].rewards:
            raise TrainingError(f"{self.path}: rollout {rollout.id} has ended before")
        data = {
            "reward": rollout.reward,
            "first_version": rollout.first_version,
            "status": rollout.status,
            "why": rollout.why,
        }
        self._happened("finished", rollout.group, number, data=data, body=packed(rollout))
        return not self.groups.groups[rollout.group].missing

    def reopened(self, group: str, numbers: Sequence[int]) -> None:
        """These rollouts are to be played on: what made them unscorable was none of their doing and is over. See `Groups.reopen`."""
        self._happened("reopened", group, data={"numbers": list(numbers)})

    def rescored(self, group: str, rewards: Sequence[float | None]) -> None:
        """The rewards after fresh votes, in order of number."""
        self._happened("rescored", group, data={"rewards": list(rewards)})

    def settled(self, group: str, tolerance: float) -> State:
        """Decides a finished group: ready, flat or unscorable."""
        self._happened("settled", group, data={"tolerance": tolerance})
        return self.groups.groups[group].state

    def take(self, step: int, count: int, version: int, max_staleness: int) -> list[Group]:
        """The step's groups, for good; [] while fewer are ready. `version` is the trainer's. Those beyond the staleness cap are dropped."""
        data = {"count": count, "version": version, "max_staleness": max_staleness}
        old = self.groups.count("old")
        taken = self.groups.take(step, count, version, max_staleness)
        if taken or self.groups.count("old") > old:
            self._append("taken", step=step if taken else -step, data={**data, "groups": [one.id for one in taken]})
        return taken

    def told(self, step: int, figures: Mapping[str, Any]) -> None:
        """The step was made, and came to this. Made again, it is told anew."""
        self._happened("told", step=step, data={"figures": dict(figures)})

    def saved(self, step: int, checkpoint: str) -> None:
        """All steps up to this one are in the checkpoint of that name; step 0 is what training begins with."""
        self._happened("saved", step=step, data={"checkpoint": checkpoint})

    def note(self, kind: str, data: Mapping[str, Any]) -> None:
        """Something else that must not be forgotten; the newest of a kind counts."""
        self._append(f"note.{kind}", data=data)

    # --- what is known --------------------------------------------------------------------------------------------------------

    def rollouts(self, group: str) -> list[Rollout]:
        """The rollouts of a group that have ended, in order of number, with the rewards that they have by now."""
        rows = self._read(
            "SELECT number, body FROM events WHERE grp=? AND kind='finished' ORDER BY number, sequence", (group,)
        )
        rewards = self.groups.groups[group].rewards
        bodies = {number: body for number, body in rows if number in rewards}
        return [replace(self._unpacked(group, n, body), reward=rewards[n]) for n, body in sorted(bodies.items())]

    def noted(self, kind: str) -> dict[str, Any] | None:
        """The newest note of a kind."""
        rows = self._read("SELECT data FROM events WHERE kind=? ORDER BY sequence DESC LIMIT 1", (f"note.{kind}",))
        return dict(json.loads(rows[0][0])) if rows else None

    def checkpoint(self) -> tuple[int, str] | None:
        """The newest checkpoint: its step and name."""
        rows = self._read("SELECT step, data FROM events WHERE kind='saved' ORDER BY sequence DESC LIMIT 1")
        return (rows[0][0], json.loads(rows[0][1])["checkpoint"]) if rows else None

    def last_step(self) -> int:
        """The newest step that was taken, made or not; 0 without one."""
        return int(self._read("SELECT coalesce(max(step), 0) FROM events WHERE kind='taken'")[0][0])

    def taken(self, step: int) -> tuple[list[str], int]:
        """The groups that a step took, and the trainer's version then."""
        ((data,),) = self._read("SELECT data FROM events WHERE kind='taken' AND step=?", (step,))
        found = json.loads(data)
        return found["groups"], found["version"]

    def figures(self) -> dict[int, dict[str, Any]]:
        """What each step came to when it was last made, in order."""
        rows = self._read("SELECT step, data FROM events WHERE kind='told' ORDER BY step, sequence")
        return {step: json.loads(data)["figures"] for step, data in rows}

    def starts(self, group: str, number: int) -> list[int]:
        """The versions with which a rollout was started; more than one after kills."""
        rows = self._read(
            "SELECT data FROM events WHERE grp=? AND kind='started' AND number=? ORDER BY sequence", (group, number)
        )
        return [json.loads(data)["version"] for (data,) in rows]

    # --- the file -------------------------------------------------------------------------------------------------------------

    def _prepare(self) -> None:
        (application,) = self._connection.execute("PRAGMA application_id").fetchone()
        (tables,) = self._connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        if application != APPLICATION_ID and (application or tables):
            raise TrainingError(f"{self.path} is not the ledger of a training: name another folder with --out")
        self._connection.execute("PRAGMA journal_mode=WAL")
        self._connection.execute("PRAGMA synchronous=FULL")
        if not tables:
            self._connection.executescript(f"BEGIN; {_SCHEMA} PRAGMA application_id={APPLICATION_ID}; COMMIT;")
        (found,) = self._connection.execute("PRAGMA quick_check(1)").fetchone()
        if found != "ok":
            raise TrainingError(
                f"{self.path} is damaged ({found}): restore it from a copy, or begin anew with another --out"
            )

    def _replay(self) -> None:
        rows = self._connection.execute("SELECT sequence, kind, grp, number, step, data FROM events ORDER BY sequence")
        for at, (sequence, kind, group, number, step, data) in enumerate(rows, 1):
            if sequence != at:
                raise TrainingError(
                    f"{self.path} is damaged: event {at} is missing; restore it from a copy, or begin anew with another --out"
                )
            self._apply(kind, group, number, step, json.loads(data))

    def _happened(
        self, kind: str, group: str = "", number: int = -1, step: int = 0, *, data: Mapping[str, Any] | None = None,
        body: bytes | None = None,
    ) -> None:  # fmt: skip
        self._apply(kind, group, number, step, data or {})
        self._append(kind, group, number, step, data, body)

    def _apply(self, kind: str, group: str, number: int, step: int, data: Mapping[str, Any]) -> None:
        groups = self.groups
        if kind == "begin":
            if data["again"]:
                groups.next_again()
            else:
                self.fresh += 1
            groups.start(group, data["task"], data["size"])
        elif kind == "finished":
            groups.finish(_outline(group, number, data))
        elif kind == "reopened":
            groups.reopen(group, data["numbers"])
        elif kind == "rescored":
            groups.rescored(group, data["rewards"])
        elif kind == "settled":
            groups.settle(group, data["tolerance"])
        elif kind == "taken":  # only when gone through again: `take` has applied it itself
            groups.take(abs(step), data["count"], data["version"], data["max_staleness"])
        elif kind == "told" and any(one.state == "taken" and one.step == step for one in groups.groups.values()):
            groups.commit(step)

    def _append(
        self, kind: str, group: str = "", number: int = -1, step: int = 0, data: Mapping[str, Any] | None = None,
        body: bytes | None = None,
    ) -> None:  # fmt: skip
        with self._guarded():
            self._connection.execute(
                "INSERT INTO events (kind, grp, number, step, data, body) VALUES (?, ?, ?, ?, ?, ?)",
                (kind, group, number, step, json.dumps(data or {}), body),
            )

    def _read(self, sql: str, values: Sequence[Any] = ()) -> list[Any]:
        with self._guarded():
            return self._connection.execute(sql, values).fetchall()

    def _unpacked(self, group: str, number: int, body: bytes) -> Rollout:
        try:
            return unpacked(body)
        except (ValueError, KeyError, TypeError, zlib.error):
            raise TrainingError(
                f"{self.path} is damaged: rollout {group}/{number} cannot be read; restore it from a copy"
            ) from None

    @contextmanager
    def _guarded(self) -> Iterator[None]:
        try:
            yield
        except BROKEN as error:
            raise TrainingError(str(unusable(self.path, error))) from None
