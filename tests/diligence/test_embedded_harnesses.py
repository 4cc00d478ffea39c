"""The embedded models play every harness over the demonstration room: honestly, exactly counted, and without a word of the rubric."""

from __future__ import annotations

import asyncio
import json
import re
from pathlib import Path
from typing import Any

import pytest

from redwell.bench.harnesses import DEPTHS, HARNESSES
from redwell.diligence import playbook_tools
from redwell.diligence.application import Diligence
from redwell.diligence.deal import Deal
from redwell.diligence.playbook import Playbook
from redwell.diligence.prompt import guest_modules, queries, root_prompt, writing
from redwell.diligence.reader import Reader
from redwell.diligence.seen import Seen, SeenDocument
from redwell.diligence.wording import percent
from redwell.diligence.written import deal_of
from redwell.harness.fence import Slice
from redwell.harness.types import Outcome, Settings, Task
from redwell.journal.coverage import Coverage, coverage
from redwell.journal.journal import Journal
from redwell.journal.trajectory import request_messages, request_tools
from redwell.models.budget import Budget
from redwell.models.types import Role
from redwell.room.room import Room, read_room
from redwell.room.types import Span
from redwell.sandbox import shell
from redwell.sandbox.types import SandboxUnavailable

pytestmark = pytest.mark.xdist_group("embedded_harnesses")

DEMO = Path(__file__).resolve().parents[2] / "examples" / "demo_room"
MARKER = "pass-if-the-report-concludes-this"
TARGET = "Larkfield Instruments, Inc."
INSTRUCTIONS = f"Review the attached {TARGET} data room and produce a red-flags report at `red-flags-report.md`."
ONE_ANSWER = ("single-shot", "retrieval", "map-reduce")
_MARKS = re.compile(r"⟪[0-9a-f]{8} (?:hidden|visible)⟫")


def has_shell() -> bool:
    try:
        return bool(shell.choose())
    except SandboxUnavailable:
        return False


EACH = [name for name in HARNESSES if name != "coding-agent" and (name != "tool-loop" or has_shell())]


class Ran:
    def __init__(self, name: str, room: Room, folder: Path, instructions: str = INSTRUCTIONS, **changes: Any) -> None:
        task = Task("demo", instructions, ("red-flags-report.md",))
        self.room = room
        self.journal = Journal.create(folder, {"kind": "bench", "room": str(room.store)})
        application = Diligence(
            room=room,
            journal=self.journal,
            deal=Deal(),
            task=task,
            modules=guest_modules(Deal()),
            prompt=root_prompt("reader", DEPTHS.get(name, 1)),
            reasons=False,
        )

        async def go() -> Outcome:
            reader = Reader()
            models: dict[Role, Any] = {"root": Playbook(), "sub": reader}
            try:
                return await HARNESSES[name](
                    task, room, models, self.journal, Budget(), application, Settings(**changes)
                )
            finally:
                await reader.close()

        self.outcome = asyncio.run(go())
        self.report = (folder / "output" / "red-flags-report.md").read_text(encoding="utf-8")

    @property
    def coverage(self) -> Coverage:
        return coverage(self.journal, {document.id: document.length for document in self.room.documents()})

    def held(self) -> bool:
        """Whether each request holds, word for word but for marks of hidden text, every span that it says it holds."""
        return all(
            self.room.slice(Span(*span)) in _MARKS.sub("", "\n".join(message["content"] for message in messages))
            for event in self.journal.events("call.sent")
            for messages in [request_messages(self.journal, event.blobs["request"], self.room.slice)]
            for span in event.data["spans"]
        )

    def sent(self) -> list[str]:
        return [
            message["content"]
            for event in self.journal.events("call.sent")
            for message in request_messages(self.journal, event.blobs["request"], self.room.slice)
        ]

    def calls(self) -> list[dict[str, Any]]:
        return [event.data for event in self.journal.events("call.completed")]


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Room:
    folder = tmp_path_factory.mktemp("task")
    (folder / "task.json").write_text(json.dumps({"criteria": [{"match_criteria": MARKER}]}))
    (folder / "answer_key.json").write_text(json.dumps({"key": MARKER}))
    (folder / "documents").symlink_to(DEMO, target_is_directory=True)
    read_room((folder / "documents").resolve(), folder / "store", jobs=1)
    return Room.open(folder / "store")


@pytest.fixture(scope="module")
def runs(room: Room, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Ran]:
    """Every harness once, in a folder beside the rubric."""
    folder = room.store.parent / "runs"
    folder.mkdir()
    return {name: Ran(name, room, folder / name) for name in EACH}


def rows(report: str) -> set[str]:
    """The titles of the register's entries."""
    return set(re.findall(r"^#### F-\d+ (.+)$", report, re.MULTILINE))


def quoted(report: str) -> list[str]:
    """The quotes of the register, as the report has them."""
    return [
        re.sub(r"\\(.)", r"\1", quote) for quote in re.findall(r"^> “(.+)” \(.+\) \\\[\d+\\\]$", report, re.MULTILINE)
    ]


@pytest.mark.parametrize("name", EACH)
def test_each_ends_with_a_report_whose_quotes_stand_in_the_room(name: str, runs: dict[str, Ran], room: Room) -> None:
    ran = runs[name]
    assert (ran.outcome.status, ran.outcome.reason) == ("submitted", "")
    found = quoted(ran.report)
    assert len(found) > 40
    assert [quote for quote in found if not room.check(quote).holds] == []
    assert ran.held()
    assert "without a language model" in ran.report
    assert f"Legal due diligence report: {TARGET}" in ran.report or name in ("rlm", "rlm-depth-2")


@pytest.mark.parametrize("name", EACH)
def test_the_rubric_is_in_no_request_and_no_file_that_is_delivered(name: str, runs: dict[str, Ran]) -> None:
    ran = runs[name]
    assert not any(MARKER in text for text in ran.sent())
    assert not any(MARKER.encode() in file.read_bytes() for file in ran.journal.folder.rglob("*") if file.is_file())


@pytest.mark.parametrize("name", ["rlm", "rlm-no-subagents", "tool-loop", "single-shot", "map-reduce"])
def test_a_room_that_fits_is_read_to_the_last_character(name: str, runs: dict[str, Ran], room: Room) -> None:
    if name not in runs:
        pytest.skip("no walls for a shell hold on this machine")
    found = runs[name].coverage
    assert (found.read, found.share) == (sum(document.length for document in room.documents()), 1.0)


def test_harnesses_that_saw_the_same_text_say_the_same(runs: dict[str, Ran]) -> None:
    whole = rows(runs["single-shot"].report)
    assert len(whole) > 35
    assert rows(runs["map-reduce"].report) == whole
    assert rows(runs["rlm-no-subagents"].report) <= whole
    assert len(whole - rows(runs["rlm-no-subagents"].report)) <= 1
    if "tool-loop" in runs:
        assert rows(runs["tool-loop"].report) == whole


def test_a_search_claims_nothing_of_what_it_did_not_bring(runs: dict[str, Ran]) -> None:
    report = runs["retrieval"].report
    assert "No document was found to be missing." in report
    assert "absence evidence" not in report
    assert 0 < len(rows(report)) < len(rows(runs["single-shot"].report))


def test_no_sub_agent_is_called_where_there_is_none(runs: dict[str, Ran]) -> None:
    for name in ("rlm-no-subagents", "single-shot", "retrieval"):
        assert {call["role"] for call in runs[name].calls()} == {"root"}
    alone = runs["rlm-no-subagents"]
    first = next(iter(alone.journal.events("call.sent")))
    assert [tool["name"] for tool in request_tools(alone.journal, first.blobs["request"])] == ["python"]
    told = "\n".join(alone.sent()[:2])
    assert not re.search(r"\bask(?:_many)?\(|\bdispatch\b|sub-agent", told)


def test_printed_text_is_counted_as_it_stands_in_the_conversation(room: Room, tmp_path: Path) -> None:
    ran = Ran("rlm-no-subagents", room, tmp_path / "run", context_tokens=12_000)
    assert 0.1 < ran.coverage.share < 0.9
    shown = "\n".join(ran.sent())
    assert ran.held()
    for document in room.documents():
        if not ran.coverage.of(document.id):
            assert room.text(document.id) not in shown
    assert "the conversation was full before it could be read" in ran.report
    assert f"{percent(ran.coverage.share)} of 23,105 readable characters" in ran.report


@pytest.mark.skipif(not has_shell(), reason="no walls for a shell hold on this machine")
@pytest.mark.parametrize("tokens", [6_000, 12_000, 20_000])
def test_with_tools_it_stops_reading_before_the_conversation_is_full(tokens: int, room: Room, tmp_path: Path) -> None:
    ran = Ran("tool-loop", room, tmp_path / "run", context_tokens=tokens)
    assert (ran.outcome.status, ran.outcome.reason) == ("submitted", "")
    assert 0.0 < ran.coverage.share < 1.0
    assert ran.held()
    assert [quote for quote in quoted(ran.report) if not room.check(quote).holds] == []
    assert "absence evidence" not in ran.report


@pytest.mark.parametrize("name", [name for name in EACH if name in ("single-shot", "tool-loop", "rlm-no-subagents")])
def test_where_the_task_names_no_target_the_title_takes_the_name_of_the_summary(
    name: str, room: Room, tmp_path: Path
) -> None:
    ran = Ran(name, room, tmp_path / "run", INSTRUCTIONS.replace(TARGET, "target's"))
    assert f"The target is taken to be {TARGET}" in ran.report
    assert ran.report.startswith(f"# Legal due diligence report: {TARGET}\n")


def test_findings_that_do_not_fit_are_chosen_by_their_weight(room: Room, tmp_path: Path) -> None:
    ran = Ran("map-reduce", room, tmp_path / "run", context_tokens=20_000, report_tokens=4_000)
    assert ran.outcome.status == "submitted"
    assert ran.outcome.turns > 2
    assert ran.coverage.share == 1.0
    assert 10 < len(rows(ran.report)) < 43
    assert [quote for quote in quoted(ran.report) if not room.check(quote).holds] == []


def test_the_deal_is_taken_from_the_words_of_the_task() -> None:
    assert deal_of(INSTRUCTIONS).target == TARGET
    full = deal_of(f"{INSTRUCTIONS}\n\nThe deal:\nbuyer: Acme\nstructure: merger\nprice: EUR 120,000,000\n")
    assert (full.buyer, full.structure, full.price, full.currency) == ("Acme", "merger", 120_000_000, "EUR")
    assert deal_of("structure: by carrier pigeon") == Deal()


def test_stretches_of_a_document_grow_together() -> None:
    document = SeenDocument("d", "d.txt")
    for start, text in ((10, "klm"), (0, "abc"), (3, "def"), (11, "lmno"), (5, "f")):
        document.add(start, text)
    assert document.pieces == [(0, "abcdef"), (10, "klmno")]
    seen = Seen()
    seen.add(Slice(1, "d", "d.txt", 4, "efgh", 20))
    assert seen.text("d") == "    efgh"
    assert playbook_tools.PATTERNS


def test_what_is_searched_for_takes_the_workstreams_in_turn() -> None:
    found = queries()
    assert len(found) > 60
    assert len(set(found)) == len(found)
    assert all(re.search(r"[A-Za-z]", query) for query in found)
    assert "quotation marks" in writing()
