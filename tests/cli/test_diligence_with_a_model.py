"""The whole command against a model server: a root of several turns and sub-agents that answer late, wrongly and well."""

import asyncio
import json
from pathlib import Path

import pytest
from cli.in_process import redwell
from servers.scripted import Received, Scripted, status, use_tool

WORKSTREAMS = (
    "Corporate", "Capitalization", "Debt", "Finance", "Tax", "IP", "Privacy and cyber", "Employment", "Litigation", "Environmental",
    "Insurance", "Regulatory", "Related parties", "Data room integrity",
)  # fmt: skip
LEASE = "Tenant shall not assign this Lease without Landlord's prior written consent."
SUPPLY = "Customer may terminate this Agreement immediately upon a Change of Control of Supplier."

TURNS = [
    # 1: looks and searches
    "print(room.tree())\nhits = room.search('\"prior written consent\"')\nprint(hits)",
    # 2: sends the reading out, and goes on before it is back
    "reading = dispatch('Which clauses need a consent?', over=room)\nprint(reading)\nprint('sent')",
    # 3: the fast answer is in the report while the slow one is out
    "first = [f for result in reading.wait(1) for f in result]\nprint('still out:', not reading.done)\n"
    "identity = report.add(title='Consent of the landlord is needed', claim='Consent is needed.', citations=first, "
    "workstream='Real estate', severity='High', exposure={'not_quantified': 'the lease gives no figure'}, "
    "next_step='Ask the landlord', kind='landlord_consent')\nprint(identity, 'while', reading.done)",
    # 4: a cell that raises keeps what it had
    "kept = 41\nkept += 1\nraise RuntimeError('on purpose')",
    # 5: a quote that is not there is refused, then the true one is taken
    "rest = [f for result in reading.results() for f in result]\nprint(kept, len(rest))\n"
    "supply = room.document('supply.txt')\n"
    "try:\n    report.add(title='Customer can terminate', claim='Terminates.', citations=[{'document': supply.id, 'quote': "
    "'Customer may not terminate this Agreement immediately upon a Change of Control of Supplier.'}], workstream='Contracts', "
    "severity='High', exposure={'not_quantified': 'no figure'}, next_step='Ask')\nexcept HostError as refusal:\n    print('refused:', refusal)\n"
    f"print(report.add(title='Customer can terminate', claim='Terminates.', citations=[{{'document': supply.id, 'quote': {SUPPLY!r}}}], "
    "workstream='Contracts', severity='High', exposure={'amount': 9300000, 'formula': 'one year of fees'}, next_step='Ask'))",
    # 6: submits too early
    "submit()",
    # 7: says what it was told to say, and submits
    f"for name in {WORKSTREAMS!r}:\n    report.none_found('other issues', name, rests_on='both documents')\n"
    "report.executive_summary('Two consents (F-001, F-002) are needed before closing; nothing else was found.')\nsubmit()",
]  # fmt: skip


class Play:
    """Plays the root turn by turn; the sub-agent that reads the supply contract answers only when the root has gone on."""

    def __init__(self) -> None:
        self.turn = 0
        self.gone_on = asyncio.Event()
        self.seen: list[str] = []

    async def __call__(self, received: Received):
        if received.model == "root":
            self.seen.append(json.dumps(received.messages))
            if self.turn == 3:
                self.gone_on.set()
            code = TURNS[self.turn] if self.turn < len(TURNS) else "submit()"
            self.turn += 1
            return use_tool("python", {"code": code})
        if "Customer may terminate" in received.user:
            await asyncio.wait_for(self.gone_on.wait(), 30)
            return json.dumps({"findings": [finding("change_of_control", SUPPLY)], "notes": ""})
        return json.dumps({"findings": [finding("landlord_consent", LEASE)], "notes": ""})


def finding(kind: str, quote: str) -> dict:
    return {"kind": kind, "claim": "It needs a consent.", "quotes": [{"document": 1, "text": quote}], "values": {}}


@pytest.fixture
def room(tmp_path: Path) -> Path:
    folder = tmp_path / "papers"
    folder.mkdir()
    # Two slices: each document is too long to share one with the other.
    filler = "\n\n".join(
        f"{n}. The parties shall act in good faith in all matters of paragraph {n}." for n in range(3, 500)
    )
    (folder / "lease.txt").write_text(f"LEASE\n\n1. {LEASE}\n\n{filler}\n", encoding="utf-8")
    (folder / "supply.txt").write_text(f"SUPPLY AGREEMENT\n\n1. {SUPPLY}\n\n{filler}\n", encoding="utf-8")
    return folder


def test_a_root_of_several_turns_writes_the_report_while_sub_agents_read(room: Path, tmp_path: Path):
    out, play = tmp_path / "out", Play()
    with Scripted(play) as server:
        models = ("--root", f"openai:root@{server.url}", "--sub", f"openai:sub@{server.url}")
        done = redwell("diligence", room, "--out", out, *models, "--json")
        assert done.returncode == 0, done.stderr + done.stdout
    report = json.loads((out / "output" / "report.json").read_text())
    assert [entry["title"] for entry in report["entries"]] == [
        "Customer can terminate",
        "Consent of the landlord is needed",
    ]
    assert report["entries"][0]["citations"][0]["quote"] == SUPPLY
    assert report["basis"]["coverage"] == 1.0
    assert report["basis"]["reasons"] is True
    assert report["basis"]["cost"] is None, "the price of a made-up model is unknown, which is not nothing"

    feedback = play.seen
    assert "prior written consent" in feedback[1]
    assert "still out: True" in feedback[3]
    assert "F-001 while False" in feedback[3]
    assert "RuntimeError: on purpose" in feedback[4]
    assert "line 3" in feedback[4]
    assert "42 2" in feedback[5] or "42 1" in feedback[5]
    assert "refused:" in feedback[5]
    assert "may terminate" in feedback[5]
    assert "no executive summary" in feedback[6]
    assert len(feedback) == len(TURNS)

    checked = redwell("report", "check", out)
    assert checked.returncode == 0, checked.stdout
    assert "every quote is in its document" in checked.stdout
    assert redwell("run", "trace", out).returncode == 0
    trace = (out / "output" / "trace.html").read_text()
    assert "on purpose" in trace
    shown = redwell("run", "show", out, "--json")
    assert json.loads(shown.stdout)["status"] == "submitted"
    exported = redwell("run", "export", out)
    assert any("executive_summary" in line for line in exported.stdout.splitlines())


def test_a_root_that_never_submits_leaves_a_report_of_what_was_found_that_says_so(room: Path, tmp_path: Path):
    turns = [use_tool("python", {"code": "found = ask_many('Which clauses need a consent?', over=room)"})]

    def script(received: Received):
        if received.model == "root":
            return turns.pop() if turns else "I think the room is fine."
        kind, quote = ("change_of_control", SUPPLY) if SUPPLY in received.user else ("landlord_consent", LEASE)
        return json.dumps({"findings": [finding(kind, quote)], "notes": ""})

    out = tmp_path / "out"
    with Scripted(script) as server:
        models = ("--root", f"openai:root@{server.url}", "--sub", f"openai:sub@{server.url}")
        done = redwell("diligence", room, "--out", out, *models)
    assert done.returncode == 1, done.stderr
    text = (out / "output" / "report.md").read_text()
    assert "This report is incomplete" in text
    assert LEASE in text
    assert SUPPLY in text
    assert redwell("report", "check", out).returncode == 0


def test_sub_agents_that_all_fail_leave_a_report_that_claims_nothing(room: Path, tmp_path: Path):
    out = tmp_path / "out"
    with Scripted(lambda received: status(401, "the key is not known")) as server:
        done = redwell("diligence", room, "--out", out, "--sub", f"openai:sub@{server.url}")
    assert done.returncode == 1, done.stdout + done.stderr
    assert "documents were not read in full" in " ".join(done.stdout.split())
    assert "auth" in done.stdout
    text = (out / "output" / "report.md").read_text()
    assert "No view can be given: only 0.0% of the readable text was read." in text
    assert "none found" not in text


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("{room}", "--out", "{out}", "--root", "nonsense:x"), "nonsense"),
        (("{room}/nowhere", "--out", "{out}"), "no such folder"),
        (("{room}", "--out", "{out}", "--deal", "{room}/lease.txt"), "not valid TOML"),
        (("{room}", "--out", "{out}", "--ocr", "maybe"), "auto or off"),
        (("{room}", "--out", "{out}", "--root", "openai:gpt-5"), "OPENAI_API_KEY"),
    ],
)
def test_bad_input_is_told_in_a_sentence(room: Path, tmp_path: Path, arguments, expected):
    given = [argument.format(room=room, out=tmp_path / "out") for argument in arguments]
    done = redwell("diligence", *given)
    assert done.returncode == 2
    assert expected in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stderr.count("\n") <= 2


def test_an_earlier_run_is_never_overwritten(room: Path, tmp_path: Path):
    out = tmp_path / "out"
    assert redwell("diligence", room, "--out", out, "--quiet").returncode == 0
    again = redwell("diligence", room, "--out", out)
    assert again.returncode == 2
    assert "redwell resume" in again.stderr
    assert redwell("diligence", room, "--out", out, "--quiet", "--fresh").returncode == 0
    [earlier] = (out / "earlier").iterdir()
    assert (earlier / "output" / "report.html").is_file()
