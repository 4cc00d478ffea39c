"""Whole runs against a server that does everything wrong: each call is recovered or listed as failed, and nothing is called clear over it."""

from __future__ import annotations

import asyncio
import json
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest
from servers.faults import LASTING, RECOVERABLE, SLOW, TAKEN, TOLD, Fault, told
from servers.scripted import Received, Scripted, drop, say, status, use_tool

from redwell.diligence import run
from redwell.diligence.deal import Deal
from redwell.diligence.report import WORKSTREAMS
from redwell.harness.types import Outcome, Settings
from redwell.journal.journal import Journal
from redwell.models.budget import Budget
from redwell.models.connect import connect
from redwell.models.retries import Policy
from redwell.room.room import Room, read_room

pytestmark = pytest.mark.xdist_group("faulty_server")  # its rooms and runs are made once

QUICK = Policy(attempts=3, base=0.001, longest=0.01, enough=1_000)
QUESTION = "Which clauses need a consent?"
READ = f"reading = dispatch({QUESTION!r}, over=room)\nreading.results()\nprint(len(reading), 'read')"
CLEAR = "try:\n    report.none_found('assignment', 'Contracts', rests_on='all of it')\nexcept HostError as error:\n    print('refused:', error)"
WRITE = (
    "quoted = [c for f in reading.findings for c in f.citations]\n"
    "report.add(title='Consents', claim='Consents are needed.', citations=quoted, workstream='Real estate', severity='High', "
    "exposure={'not_quantified': 'no figure'}, next_step='Ask')"
)
SAY = (
    f"for name in {WORKSTREAMS!r}:\n    report.none_found('other issues', name, rests_on='what was read', despite='what failed')\n"
    "report.executive_summary('Consents are needed for many leases; some could not be read, and are listed.')\nreport.unread('the server failed')\ntry:\n    submit()\nexcept HostError:\n    submit()"
)  # fmt: skip


def sentence(number: int) -> str:
    return f"Tenant {number} shall not assign Lease {number} without the consent of Landlord {number}."


def good(number: int) -> str:
    quote = {"document": 1, "text": sentence(number)}
    return json.dumps(
        {"findings": [{"kind": "consent", "claim": "It needs a consent.", "quotes": [quote]}], "notes": ""}
    )


def make_room(folder: Path, documents: int) -> Room:
    papers = folder / "papers"
    papers.mkdir(parents=True)
    for number in range(documents):
        filler = f"The parties to Lease {number} shall act in good faith in all its matters. " * 4
        (papers / f"doc-{number:03}.txt").write_text(
            f"LEASE {number}\n\n{sentence(number)}\n\n{filler}\n", encoding="utf-8"
        )
    read_room(papers, folder / "store", jobs=1)
    return Room.open(folder / "store")


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Room:
    """One slice for each document, and enough documents for all faults."""
    return make_room(tmp_path_factory.mktemp("leases"), 110)


@dataclass
class Play:
    """A server's script: the root's cells in order, and for each document what its attempts bring, the last for ever."""

    cells: list[Any]
    attempts: Callable[[int], list[Any]] = lambda number: [told(good(number))]
    seen: Counter[int] = field(default_factory=Counter)
    turn: int = 0
    root_told: list[str] = field(default_factory=list)

    def __call__(self, received: Received) -> Any:
        if received.model == "root":
            self.root_told.append(json.dumps(received.messages[-1]))
            self.turn += 1
            cell = self.cells[min(self.turn, len(self.cells)) - 1]
            return use_tool("python", {"code": cell}, usage=TOLD) if isinstance(cell, str) else cell
        number = document_of(received)
        self.seen[number] += 1
        script = self.attempts(number)
        return script[min(self.seen[number], len(script)) - 1]


def document_of(received: Received) -> int:
    found = re.search(r"doc-(\d{3})\.txt", received.user)
    assert found is not None
    return int(found[1])


@dataclass
class Ran:
    outcome: Outcome
    journal: Journal
    report: dict[str, Any]
    text: str

    @property
    def failed(self) -> dict[int, str]:
        """By document, the kind of the failure that the report lists."""
        calls = self.report["basis"]["failed"]
        return {int(span["path"][4:7]): call["kind"] for call in calls for span in call["spans"]}

    @property
    def unread(self) -> set[int]:
        return {int(item["path"][4:7]) for item in self.report["basis"]["unread"]}

    def used(self, role: str) -> dict[str, Any]:
        return next(line for line in self.report["basis"]["usage"] if line["role"] == role)


def diligence(
    room: Room,
    out: Path,
    server: Scripted,
    kind: str = "openai",
    *,
    policy: Policy = QUICK,
    budget: Budget | None = None,
    **settings: Any,
) -> Ran:
    url = server.url if kind == "openai" else server.anthropic_url
    models: Any = {role: connect(f"{kind}:{role}@{url}", environment={}) for role in ("root", "sub")}
    budget = budget or Budget(concurrency=8)
    journal = run.start(out, room, "leases", Deal(), models, Settings(slice_chars=450, **settings), {})

    async def go() -> Outcome:
        try:
            return await run.go(journal, room, models, budget, policy=policy)
        finally:
            for model in models.values():
                await model.close()

    outcome = asyncio.run(go())
    output = out / "output"
    assert not (output / "not-rendered.txt").exists()
    return Ran(outcome, journal, json.loads((output / "report.json").read_text()), (output / "report.md").read_text())


def listed(passing: dict[str, Fault], others: dict[str, Fault]) -> list[tuple[str, Fault, bool]]:
    """(name, fault, whether it passes): a document for each."""
    faults: list[tuple[str, Fault, bool]] = []
    for name, fault in passing.items():
        faults += [(f"{name}, once", fault, True), (f"{name}, for ever", fault, False)]
    return faults + [(name, fault, False) for name, fault in others.items()]


@pytest.mark.parametrize("kind", ["openai", "anthropic"])
def test_every_fault_is_recovered_or_listed_and_nothing_else_is(kind: str, room: Room, tmp_path: Path) -> None:
    all_end_as_they_must(listed(RECOVERABLE, {**LASTING, **TAKEN}), kind, room, 110, tmp_path, QUICK)


@pytest.mark.parametrize("kind", ["openai", "anthropic"])
def test_what_is_slower_than_anybody_waits_is_recovered_or_listed(kind: str, tmp_path: Path) -> None:
    """A small room: its good answers must come within the same seconds, however busy the machine is."""
    faults = listed(SLOW, {})
    documents = len(faults) + 3
    room = make_room(tmp_path / "room", documents)
    all_end_as_they_must(faults, kind, room, documents, tmp_path, replace(QUICK, attempts=2, seconds=6.0))


def all_end_as_they_must(
    faults: list[tuple[str, Fault, bool]], kind: str, room: Room, documents: int, tmp_path: Path, policy: Policy
) -> None:
    """A run over a room with each fault at a document of its own and good answers at the others."""

    def requests(fault: Fault) -> int:
        return min(fault.requests, policy.attempts)

    def attempts(number: int) -> list[Any]:
        bring = told(good(number))
        if number >= len(faults):
            return [bring]
        _, fault, once = faults[number]
        bad = fault.make(good(number), good((number + 1) % documents))
        return [bad, bring] if once else [bad]

    play = Play([READ, CLEAR, WRITE, SAY], attempts)
    with Scripted(play) as server:
        ran = diligence(room, tmp_path / "run", server, kind, policy=policy)
        keys = {key for key in server.keys if key}
    assert ran.outcome.status == "submitted"

    expected = {n: fault.ends for n, (_, fault, once) in enumerate(faults) if fault.ends and not once}
    named = {n: name for n, (name, _, _) in enumerate(faults)}
    assert {named[n]: end for n, end in ran.failed.items()} == {named[n]: end for n, end in expected.items()}
    assert ran.unread == set(expected)
    for number, (name, fault, once) in enumerate(faults):
        assert play.seen[number] == (2 if once else requests(fault)), name
    assert len(keys) <= sum(play.seen.values()) + play.turn

    # Nothing is called clear over them: the bare statement was refused, and those that were made name what failed.
    assert "refused" in play.root_told[2]
    assert f"{len(expected)} passages" in play.root_told[2]
    assert all(item["despite"] for item in ran.report["none_found"])
    [entry] = ran.report["entries"]
    assert {int(c["place"]["path"][4:7]) for c in entry["citations"]} == set(range(documents)) - set(expected)

    unknown = sum(
        (1 if once else requests(fault)) for _, fault, once in faults if not fault.told
    )  # attempts over which nobody told what they used
    answers = [n for n in range(documents) if n not in expected]
    served = len(answers) - sum(1 for n in answers if n < len(faults) and not faults[n][2] and not faults[n][1].told)
    useful = ("empty", "malformed", "schema", "unfounded", "truncated", "rejected")
    served += sum(
        (1 if once else requests(fault))
        for _, fault, once in faults
        if fault.told and fault.ends in useful and not refused_before(fault)
    )
    line = ran.used("sub")
    assert (line["requests"], line["unknown"]) == (sum(play.seen.values()), unknown)
    assert (line["input"], line["output"]) == (TOLD[0] * served, TOLD[2] * served)
    assert line["cost"] is None
    assert "at least" in ran.text


def refused_before(fault: Fault) -> bool:
    """Whether the server made no token for it."""
    return bool(fault.make(good(0), good(1)).status != 200)


ROOT_PASSING = {
    name: fault
    for name, fault in RECOVERABLE.items()
    if fault.ends in ("rate_limited", "server", "connection", "empty") or (fault.ends == "malformed" and not fault.told)
}


@pytest.mark.parametrize("kind", ["openai", "anthropic"])
def test_a_root_whose_every_reply_fails_at_first_hands_its_work_in(kind: str, room: Room, tmp_path: Path) -> None:
    cells: list[Any] = []
    for number, fault in enumerate(ROOT_PASSING.values()):
        cells += [fault.make("", ""), f"x{number} = {number}"]
    count = len(ROOT_PASSING)
    cells.append("\n".join([f"assert [{', '.join(f'x{n}' for n in range(count))}] == list(range({count}))", READ]))
    play = Play([*cells, WRITE, SAY.replace("report.unread('the server failed')", "")])
    with Scripted(play) as server:
        ran = diligence(room, tmp_path / "run", server, kind, max_turns=count + 3)
        assert server.count == len(cells) + 2 + 110
    assert (ran.outcome.status, ran.outcome.turns, ran.failed, ran.unread) == ("submitted", count + 3, {}, set())
    assert ran.used("root")["requests"] == len(cells) + 2


ROOT_LASTING = {
    **LASTING,
    "500": RECOVERABLE["500"],
    "dropped before the answer": RECOVERABLE["dropped before the answer"],
    "brackets without end": RECOVERABLE["brackets without end"],
    "empty": RECOVERABLE["empty"],
}


@pytest.mark.parametrize(
    ("name", "kind"), [(name, ("openai", "anthropic")[n % 2]) for n, name in enumerate(ROOT_LASTING)]
)
def test_a_root_that_fails_for_good_leaves_what_was_found(name: str, kind: str, few: Room, tmp_path: Path) -> None:
    fault = ROOT_LASTING[name]
    play = Play([READ, fault.make("", "")])
    with Scripted(play) as server:
        ran = diligence(few, tmp_path / "run", server, kind)
    assert ran.outcome.status == "salvaged"
    assert f"({fault.ends})" in ran.outcome.reason
    assert play.turn <= 1 + 3 * QUICK.attempts
    assert "This report is incomplete" in ran.text
    assert sentence(0) in ran.text
    assert len(ran.report["entries"]) == 3


def test_a_root_that_never_answers_fails_the_run(few: Room, tmp_path: Path) -> None:
    play = Play([status(401, "no such key")])
    with Scripted(play) as server:
        ran = diligence(few, tmp_path / "run", server)
        assert server.count == 1
    assert (ran.outcome.status, ran.unread) == ("failed", {0, 1, 2})
    assert "none found" not in ran.text


@pytest.fixture(scope="module")
def few(tmp_path_factory: pytest.TempPathFactory) -> Room:
    return make_room(tmp_path_factory.mktemp("few"), 3)


@pytest.mark.parametrize("name", ["an unknown key", "an unknown model", "wait for ten years"])
def test_what_holds_for_every_call_is_not_tried_with_each(name: str, room: Room, tmp_path: Path) -> None:
    fault = LASTING[name]
    play = Play([READ, CLEAR, SAY], lambda number: [fault.make("", "")])
    with Scripted(play) as server:
        ran = diligence(room, tmp_path / "run", server, policy=replace(QUICK, enough=5, patience=0.0))
    assert sum(play.seen.values()) <= 5 + 2 * 8, "those that were out or next when the fifth had failed"
    assert set(ran.failed.values()) == {fault.ends}
    assert set(ran.failed) == ran.unread == set(range(110))
    assert ran.used("sub")["requests"] == sum(play.seen.values())
    assert "110 passages" in play.root_told[2]
    assert "none found" not in ran.text


def test_a_server_that_goes_away_for_good_is_given_up_and_what_it_answered_is_kept(room: Room, tmp_path: Path) -> None:
    answered = 0

    def script(received: Received) -> Any:
        nonlocal answered
        if received.model == "sub":
            if answered == 20:
                return drop("before")
            answered += 1
        return play(received)

    play = Play([READ, CLEAR, WRITE, SAY])
    with Scripted(script) as server:
        ran = diligence(room, tmp_path / "run", server, policy=replace(QUICK, enough=5, patience=0.0))
    assert set(ran.failed.values()) == {"connection"}
    assert (len(ran.failed), set(ran.failed)) == (90, ran.unread)
    sent = [event for event in ran.journal.events("call.sent") if event.data["role"] == "sub"]
    assert len(sent) <= 20 + (5 + 2 * 8) * QUICK.attempts
    assert len(ran.report["entries"][0]["citations"]) == 20
    assert ran.outcome.status == "submitted"


def test_a_topic_that_was_called_clear_before_a_call_failed_is_called_clear_no_longer(
    few: Room, tmp_path: Path
) -> None:
    play = Play(
        [
            READ,
            CLEAR.replace(QUESTION, "x"),
            "again = dispatch('And which notices?', over=room)\nagain.results()",
            WRITE,
            SAY,
        ]
    )
    play.attempts = lambda number: [told(good(number)), status(400, "no")] if number else [told(good(number))]
    with Scripted(play) as server:
        ran = diligence(few, tmp_path / "run", server)
    assert ran.outcome.status == "submitted"
    assert ran.unread == set(), "all of it was read for the first question"
    assert ran.failed == {1: "rejected", 2: "rejected"}
    assert {call["question"] for call in ran.report["basis"]["failed"]} == {"And which notices?"}
    [early] = [item for item in ran.report["none_found"] if item["topic"] == "assignment"]
    assert "2 passages" in early["despite"]
    assert "assignment: none found" in ran.text
    assert "Not covered: 2 passages" in ran.text


def test_nothing_is_called_clear_over_what_a_sub_agent_with_a_session_left(few: Room, tmp_path: Path) -> None:
    played = Play(
        ["r = ask('What is agreed?', over='doc-001.txt', agent=True)\nprint(r.kind)", CLEAR, READ, CLEAR, SAY]
    )

    def script(received: Received) -> Any:
        return (
            say("I would rather not.") if "You answer one question over a part" in received.system else played(received)
        )

    with Scripted(script) as server:
        ran = diligence(few, tmp_path / "run", server, depth=2)
    assert ran.outcome.status == "submitted"
    assert "1 passages" in played.root_told[2]
    assert "1 passages" in played.root_told[4], "another question over the same text does not answer it"
    assert ran.failed == {1: "empty"}


def test_a_redirect_takes_the_key_nowhere_and_the_run_keeps_it_to_itself(few: Room, tmp_path: Path) -> None:
    secret = "sk-a-key-that-nobody-else-may-see"
    with Scripted(lambda received: status(500, "not for you")) as elsewhere:
        sends = {"Location": f"{elsewhere.url}/chat/completions"}
        play = Play([READ, SAY], lambda number: [status(308, f"{secret} is not known here", sends)])
        with Scripted(play) as server:
            models: Any = {
                role: connect(f"openai:{role}@{server.url}", environment={"REDWELL_OPENAI_KEY": secret})
                for role in ("root", "sub")
            }
            journal = run.start(tmp_path / "run", few, "leases", Deal(), models, Settings(slice_chars=450), {})
            asyncio.run(run.go(journal, few, models, Budget(), policy=QUICK))
            journal.close()
            assert server.requests[0].headers["authorization"] == f"Bearer {secret}"
        assert elsewhere.count == 0
    for file in (tmp_path / "run").rglob("*"):
        assert not file.is_file() or secret.encode() not in file.read_bytes(), file
