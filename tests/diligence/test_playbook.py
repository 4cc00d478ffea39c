"""The playbook: which cell comes next, and whole runs with it as the root, in a real sandbox over a real store."""

from __future__ import annotations

import asyncio
import json
import re
import zipfile
from pathlib import Path
from typing import Any

import pytest
from docx import Document
from papers import REVENUE, TARGET, contract

from redwell.diligence import run
from redwell.diligence.checks import check_modules
from redwell.diligence.deal import Deal
from redwell.diligence.playbook import MOST_HARVESTS, MOST_SUBMITS, STEPS, Playbook, cell, next_cell
from redwell.diligence.reader import Reader
from redwell.harness.fence import marked_output
from redwell.harness.reply import PYTHON
from redwell.harness.types import Outcome, Settings
from redwell.journal.journal import Journal
from redwell.models.budget import Budget
from redwell.models.types import CallFailed, Completion, Message, Model, Request, Role, ToolCall, Usage
from redwell.room.room import Room, read_room
from redwell.sandbox import selftest
from redwell.sandbox.types import SandboxUnavailable

START = (Message("system", "rules"), Message("user", "the task"))


def turn(code: str, output: str) -> tuple[Message, ...]:
    call = ToolCall("c1", "python", json.dumps({"code": code}))
    return Message("assistant", "", (call,)), Message("tool", output, tool_call_id="c1")


def first_line(code: str) -> str:
    return code.splitlines()[0]


def test_the_steps_follow_each_other() -> None:
    messages, lines = START, []
    for _ in STEPS:
        code = next_cell(messages)
        lines.append(first_line(code))
        messages = (*messages, *turn(code, "done"))
    assert [line.split(":")[0] for line in lines] == [f"# Step {n} of {len(STEPS)}" for n in range(1, len(STEPS) + 1)]


def test_harvesting_goes_on_until_everything_is_read_and_not_for_ever() -> None:
    messages = START
    for name in STEPS[:2]:
        messages = (*messages, *turn(cell(name), "done"))
    for _ in range(MOST_HARVESTS):
        assert next_cell(messages) == cell("harvest")
        messages = (*messages, *turn(cell("harvest"), "30 of 90 slices done, the rest still being read"))
    assert next_cell(messages) == cell("again")


def test_a_step_that_raised_is_done_another_way_once() -> None:
    raised = marked_output(
        "cell 5 raised after 0.1 s", [("error", "Traceback (most recent call last):\n  ...\nKeyError: 'x'")]
    )
    messages = (*START, *turn(cell("checks"), raised))
    assert next_cell(messages) == cell("checks_again")
    messages = (*messages, *turn(cell("checks_again"), raised))
    assert next_cell(messages) == cell("tables")


def test_what_a_cell_prints_cannot_pass_for_a_fault() -> None:
    printed = "a.txt\nTraceback (most recent call last):\nKeyError: 'x'\n⟪0a1b2c3d cell 5 raised after 0.1 s⟫"
    messages = (*START, *turn(cell("checks"), marked_output("cell 5 ended after 0.1 s", [("output", printed)])))
    assert next_cell(messages) == cell("tables")


def test_a_refused_submit_is_disclosed_and_given_up_in_the_end() -> None:
    messages = (*START, *turn(cell("submit"), "HostError: not submitted: nothing is said of Tax"))
    for _ in range(MOST_SUBMITS):
        assert next_cell(messages) == cell("disclose")
        messages = (*messages, *turn(cell("disclose"), "HostError: not submitted"))
    assert next_cell(messages) == cell("give_up")


def test_the_place_is_found_again_after_turns_were_left_out() -> None:
    log = "\n".join(first_line(cell(name)) for name in STEPS[:5])
    compacted = (
        START[0],
        Message("user", f"the task\n\n# Earlier turns\n\nWhat was run then (first line of each cell):\n{log}\n"),
    )
    assert next_cell(compacted) == cell("tables")


def test_a_reply_that_is_no_tool_call_is_passed_over() -> None:
    messages = (
        *START,
        *turn(cell("look"), "ok"),
        Message("assistant", "I will now go on."),
        Message("user", "Your reply held no code."),
    )
    assert next_cell(messages) == cell("dispatch")


def test_the_model_gives_one_native_call_and_costs_nothing() -> None:
    completion = asyncio.run(Playbook().complete(Request(START, role="root", tools=(PYTHON,))))
    assert completion.tool_calls[0].name == "python"
    assert json.loads(completion.tool_calls[0].arguments)["code"] == cell("look")
    assert completion.usage == Usage(0, 0, 0)


@pytest.mark.parametrize(
    "path", sorted((Path(run.__file__).parent / "playbook_cells").glob("*.cell")), ids=lambda p: p.stem
)
def test_every_cell_is_python_and_says_what_it_does(path: Path) -> None:
    code = cell(path.stem)
    compile(code, path.name, "exec")
    assert first_line(code).startswith(("# Step ", "# Alone "))


def test_the_guest_modules_stand_alone() -> None:
    names = [module.name for module in check_modules(Deal(target=TARGET))]
    assert names[0] == "redwell.diligence.archetypes"
    assert names[-1] == "redwell.diligence.guest.checks"
    for module in check_modules(Deal()):
        for line in module.source.splitlines():
            if line.startswith(("import ", "from ")):
                source = line.split()[1]
                assert (
                    source.startswith(
                        ("redwell.diligence.archetypes", "redwell.harness.guest", "redwell.journal.shown")
                    )
                    or source.split(".")[0] in STDLIB
                ), (
                    module.name,
                    line,
                )


STDLIB = {"__future__", "collections", "dataclasses", "datetime", "functools", "json", "re", "typing", "unicodedata"}

# --- whole runs ---------------------------------------------------------------------------------------------------------------

TERMINATION = (
    "12.3 If Provider undergoes a Change of Control, Customer may terminate this Agreement within sixty (60) days."
)
PAPERS = {
    "contracts/belmont.txt": contract(TERMINATION),
    "contracts/kestrel.txt": contract("1. Services are rendered.", other="Kestrel Water Utilities, LLC"),
    "finance/arr-schedule.txt": REVENUE,
    "notes/letter.txt": "To the General Counsel\n\nWe believe that the product infringes US Patent No. 9,999,001 and demand that you cease and desist.\n",
}


class Failing:
    """A reader that fails over the documents that hold a word: always, or the first time only."""

    name = "reader"

    def __init__(self, word: str, *, once: bool) -> None:
        self._inner, self._word, self._once, self.failed = Reader(jobs=1), word, once, 0

    async def complete(self, request: Request) -> Completion:
        if self._word in request.messages[-1].content and not (self._once and self.failed):
            self.failed += 1
            raise CallFailed("malformed", "the answer was no JSON")
        return await self._inner.complete(request)

    async def close(self) -> None:
        await self._inner.close()


def sandbox() -> str:
    try:
        selftest.choose("auto")
    except SandboxUnavailable:
        return "unsafe-local"
    return "auto"


def carry_out(
    folder: Path, sub: Model, deal: Deal | None = None, papers: dict[str, str] | None = None
) -> tuple[Outcome, dict[str, Any]]:
    for path, text in (papers or PAPERS).items():
        target = folder / "files" / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
    read_room(folder / "files", folder / "store", jobs=1)
    room = Room.open(folder / "store")
    models: dict[Role, Model] = {"root": Playbook(), "sub": sub}
    settings = Settings(sandbox=sandbox(), slice_chars=1_500)
    journal = run.start(folder / "run", room, "files", deal or Deal(), models, settings, {})

    async def go() -> Outcome:
        try:
            return await run.go(journal, room, models, Budget())
        finally:
            await sub.close()

    outcome = asyncio.run(go())
    report = json.loads((folder / "run" / "output" / "report.json").read_text(encoding="utf-8"))
    journal.close()
    return outcome, report


def test_a_room_is_carried_from_look_to_submit(tmp_path: Path) -> None:
    outcome, report = carry_out(tmp_path, Reader(jobs=1), Deal(price=50_000_000))
    assert outcome.status == "submitted", outcome.reason
    by_kind = {entry["kind"]: entry for entry in report["entries"]}
    assert by_kind["concentration_change_of_control"]["severity"] == "Critical"
    assert "infringement_claim" in by_kind
    assert not outcome.state.unread
    assert all(
        citation["status"] in ("verified", "abridged") for entry in report["entries"] for citation in entry["citations"]
    )
    assert by_kind["concentration_change_of_control"]["id"] in report["summary"]
    spoken = {entry["workstream"] for entry in report["entries"]} | {
        item["workstream"] for item in report["none_found"]
    }
    assert len(spoken) == 16
    assert report["tables"]["contracts"]


def test_a_report_without_a_deal_file_is_titled_with_the_name_that_its_summary_takes(tmp_path: Path) -> None:
    _, report = carry_out(tmp_path, Reader(jobs=1))
    named = re.search(r"The target is taken to be (.+?): it is", report["summary"])
    assert named is not None, report["summary"]
    assert named[1] == TARGET
    assert report["deal"]["target"] == TARGET
    title, output = f"Legal due diligence report: {TARGET}", tmp_path / "run" / "output"
    page = (output / "report.html").read_text(encoding="utf-8")
    assert f"<title>{title}</title>" in page
    assert f"<h1>{title}</h1>" in page
    assert (output / "report.md").read_text(encoding="utf-8").startswith(f"# {title}\n")
    word = Document(str(output / "report.docx"))
    assert word.core_properties.title == title
    assert title in [paragraph.text for paragraph in word.paragraphs]
    with zipfile.ZipFile(output / "report.xlsx") as workbook:
        assert f"<dc:title>{title}</dc:title>" in workbook.read("docProps/core.xml").decode()
        assert f">{title}</t>" in workbook.read("xl/sharedStrings.xml").decode()


def test_a_report_on_papers_that_name_nobody_often_keeps_its_plain_title(tmp_path: Path) -> None:
    papers = {"notes/letter.txt": PAPERS["notes/letter.txt"]}
    _, report = carry_out(tmp_path, Reader(jobs=1), papers=papers)
    assert report["deal"]["target"] == ""
    text = (tmp_path / "run" / "output" / "report.md").read_text(encoding="utf-8")
    assert text.startswith("# Legal due diligence report: the target\n")


def test_a_deal_file_names_the_target_before_the_papers_do(tmp_path: Path) -> None:
    _, report = carry_out(tmp_path, Reader(jobs=1), Deal(target="Belmont Process Corporation"))
    assert report["deal"]["target"] == "Belmont Process Corporation"


def test_two_runs_give_the_same_report(tmp_path: Path) -> None:
    reports = [carry_out(tmp_path / name, Reader(jobs=1))[1] for name in ("one", "two")]
    assert reports[0]["entries"] == reports[1]["entries"]
    assert reports[0]["summary"] == reports[1]["summary"]


def test_a_call_that_failed_is_asked_again(tmp_path: Path) -> None:
    sub = Failing("Belmont Process", once=True)
    outcome, report = carry_out(tmp_path, sub)
    assert sub.failed == 1
    assert outcome.status == "submitted"
    assert not outcome.state.unread
    assert "concentration_change_of_control" in {entry["kind"] for entry in report["entries"]}


def test_what_could_not_be_read_is_disclosed(tmp_path: Path) -> None:
    outcome, report = carry_out(tmp_path, Failing("9,999,001", once=False))
    assert outcome.status == "submitted", outcome.reason
    assert outcome.state.unread
    assert "infringement_claim" not in {entry["kind"] for entry in report["entries"]}
    assert report["basis"]["unread"]
    assert any("could not be read" in item.get("despite", "") for item in report["none_found"])


def test_checks_that_raise_are_left_out_one_by_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    modules = list(check_modules(Deal()))
    place = next(n for n, module in enumerate(modules) if module.name.endswith(".concentration"))
    broken = modules[place].source.replace(
        "def _convenience(case: Case) -> Iterator[Issue]:\n",
        "def _convenience(case: Case) -> Iterator[Issue]:\n    raise ZeroDivisionError('a fault')\n",
    )
    assert broken != modules[place].source
    modules[place] = type(modules[place])(modules[place].name, broken)
    monkeypatch.setattr("redwell.diligence.prompt.check_modules", lambda deal: tuple(modules))
    outcome, report = carry_out(tmp_path, Reader(jobs=1))
    assert outcome.status == "submitted", outcome.reason
    assert "concentration_change_of_control" in {entry["kind"] for entry in report["entries"]}
    journal = Journal.open(tmp_path / "run", read_only=True)
    outputs = [
        journal.text(event.blobs["output"]) for event in journal.events("cell.finished") if "output" in event.blobs
    ]
    journal.close()
    assert any("left out concentration_convenience: ZeroDivisionError: a fault" in output for output in outputs)
