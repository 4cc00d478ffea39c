"""The trace puts each call under the cell that made it, sums costs exactly, and its HTML lets nothing out of its data."""

import html.parser
import json
from pathlib import Path
from typing import Any

import pytest

from redwell.journal.journal import Journal
from redwell.journal.trace import Node, tree
from redwell.journal.trace_html import trace_html, write_trace
from redwell.journal.trace_texts import fitting
from redwell.journal.trajectory import call_messages
from redwell.journal.usage import usage
from tests.journal.a_run import DOCUMENTS, call, write_run


def outline(node: Node, depth: int = 0) -> list[str]:
    lines = [f"{'  ' * depth}{node.kind} {node.title} [{node.status}]"]
    for child in node.children:
        lines += outline(child, depth + 1)
    return lines


def test_the_tree_of_a_small_run(tmp_path: Path) -> None:
    with Journal.create(tmp_path / "run", {"kind": "diligence"}) as journal:
        journal.append("run.started", data={"task": {"instructions": "Read the room"}})
        journal.append("turn.started", data={"turn": 1})
        call(journal, "r1", role="root")
        journal.append("cell.started", data={"cell": 1, "turn": 1}, code="dispatch(...)")
        call(journal, "a", purpose="consents?", spans=[["msa", 0, 10, "final"]])
        call(journal, "b", purpose="payments?", failure="timeout", usage=None, cost=None)
        journal.append("cell.finished", data={"cell": 1, "status": "error", "seconds": 3.0}, output="boom")
        journal.append(
            "finding", data={"claim": "A consent is needed", "call": "a", "citations": [{"status": "verified"}]}
        )
        journal.append(
            "host.answered", data={"cell": 1, "n": 1, "name": "report.add", "refused": True}, answer="no such quote"
        )
        journal.append("turn.finished", data={"turn": 1})
        journal.append("turn.started", data={"turn": 2})
        call(journal, "r2", role="root", ended=False)
        lines = outline(tree(journal))
    assert lines == [
        "run Read the room [open]",
        "  turn Turn 1 [ok]",
        "    call The model's answer [ok]",
        "    cell Cell 1 [failed]",
        "      call consents? [ok]",
        "        finding A consent is needed [ok]",
        "      call payments? [failed]",
        "      host report.add [failed]",
        "  turn Turn 2 [open]",
        "    call The model's answer [open]",
    ]


def test_a_child_with_a_session_stands_where_it_was_started(tmp_path: Path) -> None:
    with Journal.create(tmp_path / "run", {}) as journal:
        write_run(journal, turns=2, calls_per_cell=3)
        run = tree(journal)
    (agent,) = [node for node in run.walk() if node.kind == "agent"]
    cell = next(node for node in run.walk() if node.kind == "cell" and node.facts["cell"] == 2 and node.agent == "root")
    assert agent in cell.children
    assert [child.kind for child in agent.children] == ["turn"]
    assert (agent.totals.calls, agent.totals.input, agent.status) == (2, 4_900, "ok")


def test_sums_of_the_tree_are_those_of_the_usage_view(tmp_path: Path) -> None:
    with Journal.create(tmp_path / "run", {}) as journal:
        write_run(journal)
        run, used = tree(journal), usage(journal)
    totals = run.totals
    assert (totals.calls, totals.failed) == (used.calls, used.failed)
    assert (totals.input, totals.cached_input, totals.output) == (
        used.tokens.input,
        used.tokens.cached_input,
        used.tokens.output,
    )
    assert round(totals.cost, 9) == used.known_cost
    assert totals.unknown > 0


class Page(html.parser.HTMLParser):
    """Collects scripts, addresses and elements of a page as a browser would see them."""

    def __init__(self) -> None:
        super().__init__()
        self.scripts: list[str] = []
        self.addresses: list[str] = []
        self.tags: list[str] = []
        self._inside = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self._inside = tag == "script"
        if self._inside:
            self.scripts.append("")
        self.addresses += [value or "" for name, value in attrs if name in ("src", "href", "action", "data")]

    def handle_endtag(self, tag: str) -> None:
        self._inside = False

    def handle_data(self, data: str) -> None:
        if self._inside:
            self.scripts[-1] += data


HOSTILE = "</script><script>alert(1)</script><img src=x onerror=alert(2)><!--<script> \u2028 {{data}} ]]>"


def test_hostile_text_stays_data(tmp_path: Path) -> None:
    with Journal.create(tmp_path / "run", {"room": HOSTILE}) as journal:
        journal.append("run.started", data={"task": HOSTILE})
        journal.append("turn.started", data={"turn": 1})
        journal.append("cell.started", data={"cell": 1, "turn": 1}, code=HOSTILE)
        call(journal, "a", purpose=HOSTILE, spans=[["msa", 0, 10, "final"]], answer=HOSTILE)
        page = Page()
        page.feed(trace_html(journal, names={"msa": HOSTILE}))
    assert len(page.scripts) == 2
    assert page.addresses == []
    assert "img" not in page.tags
    data = json.loads(page.scripts[0])
    assert HOSTILE in data["texts"]
    assert data["names"]["msa"] == HOSTILE
    assert any(node["title"].startswith("</script>") for node in data["nodes"])


def test_what_steers_a_terminal_or_turns_a_line_is_an_escape(tmp_path: Path) -> None:
    steering = "red \x1b[31m\x9b2J turned \u202etxt.exe\u2066 half \ud800"
    with Journal.create(tmp_path / "run", {"room": steering}) as journal:
        journal.append("run.started", data={"task": steering})
        call(journal, "a", purpose=steering, spans=[["msa", 0, 10, "final"]], answer=steering)
        page = trace_html(journal, names={"msa": steering})
    assert [letter for letter in "\x1b\x9b\u202e\u2066\ud800" if letter in page] == []
    assert "\\\\x1b[31m\\\\x9b2J turned \\\\u202etxt.exe" in page


def test_the_file_is_self_contained_and_names_what_was_read(tmp_path: Path) -> None:
    with Journal.create(tmp_path / "run", {}) as journal:
        write_run(journal, turns=2, calls_per_cell=4)
        write_trace(
            journal, tmp_path / "out" / "trace.html", names={digest: name for name, digest in DOCUMENTS.items()}
        )
    page = Page()
    page.feed((tmp_path / "out" / "trace.html").read_text(encoding="utf-8"))
    data = json.loads(page.scripts[0])
    assert page.addresses == []
    assert not any(mark in page.scripts[1] for mark in ("fetch(", "XMLHttpRequest", "import(", "innerHTML", "eval("))
    assert set(data["names"].values()) == set(DOCUMENTS)
    children = {node["id"]: node.get("parent") for node in data["nodes"]}
    assert all(parent in children for parent in children.values() if parent is not None)
    assert sum(node["kind"] == "call" for node in data["nodes"]) == data["nodes"][0]["sums"][0] == 12


def test_a_long_text_is_shortened_and_told_once(tmp_path: Path) -> None:
    with Journal.create(tmp_path / "run", {}) as journal:
        for cell in (1, 2):
            journal.append("cell.started", data={"cell": cell, "turn": 1}, code="x" * 60_000 + "end")
        page = Page()
        page.feed(trace_html(journal))
    (text,) = json.loads(page.scripts[0])["texts"]
    assert "20,003 characters are left out here" in text
    assert text.endswith("end")


def run_node(tmp_path: Path, task: object) -> dict[str, Any]:
    with Journal.create(tmp_path / "run", {"kind": "diligence"}) as journal:
        journal.append("run.started", data={"task": task})
        page = Page()
        page.feed(trace_html(journal))
    return next(node for node in json.loads(page.scripts[0])["nodes"] if node["kind"] == "run")


@pytest.mark.parametrize(
    ("instructions", "sentence"),
    [
        ("Review the `room` and **report** at `a_b.md`. The deal:\nnone", "Review the room and report at a_b.md."),
        ("# Task\n\nRead *all* of [the room](http://x/y). Then stop.", "Read all of the room."),
        ("# Task\nRead the room.\n", "Read the room."),
        ("## Only a heading", "Only a heading"),
        ("- Read the room\n- Report", "Read the room"),
        ("1. Read the room\n   in full\n2. Report", "Read the room in full"),
        ("> Read the __whole__ room! Then stop", "Read the whole room!"),
        ("Review Larkfield Instruments, Inc. Then stop", "Review Larkfield Instruments, Inc. Then stop"),
        ("Ask J. Smith of Acme Ltd. Who signed? Then stop.", "Ask J. Smith of Acme Ltd. Who signed?"),
        ("Say “done.” Then stop.", "Say “done.”"),
        ("Pay 1.5 times. 2 more", "Pay 1.5 times."),
        ("Read the room\n\nThe deal: none", "Read the room"),
        ("2 * 3 * 4 snake_case_name stay", "2 * 3 * 4 snake_case_name stay"),
    ],
)
def test_a_run_is_called_by_the_first_sentence_of_its_task_in_plain_words(
    tmp_path: Path, instructions: str, sentence: str
) -> None:
    assert run_node(tmp_path, {"id": "t", "instructions": instructions})["title"] == sentence


def test_a_long_first_sentence_is_cut_at_a_word_and_kept_whole_beside_it(tmp_path: Path) -> None:
    whole = "Review every document of the room with care and say what a buyer of `Larkfield` has to know before the signing of the deal."
    node = run_node(tmp_path, f"{whole} Then stop.")
    assert (
        node["title"] == "Review every document of the room with care and say what a buyer of Larkfield has to know …"
    )
    assert node["whole"] == whole.replace("`", "")
    assert "whole" not in run_node(tmp_path / "short", "Read the room.")


@pytest.mark.parametrize(
    ("task", "title"), [({"id": "atlas"}, "atlas"), ("", "diligence"), ({}, "diligence"), (None, "diligence")]
)
def test_a_task_without_words_is_called_by_what_there_is(tmp_path: Path, task: object, title: str) -> None:
    assert run_node(tmp_path, task)["title"] == title


def test_a_question_is_cut_at_a_word(tmp_path: Path) -> None:
    with Journal.create(tmp_path / "run", {}) as journal:
        call(journal, "a", purpose="consents " * 40)
        (asked,) = [node for node in tree(journal).walk() if node.kind == "call"]
    assert asked.title == "consents " * 13 + "…"


@pytest.mark.parametrize(
    ("count", "told"), [(0, ""), (1, "1 long text is shortened; "), (2, "2 long texts are shortened; ")]
)
def test_how_many_texts_are_shortened_is_told_in_good_words(tmp_path: Path, count: int, told: str) -> None:
    with Journal.create(tmp_path / "run", {}) as journal:
        for number in range(count):
            journal.append("cell.started", data={"cell": number, "turn": 1}, code=f"{number}" + "x" * 60_000)
        page = Page()
        page.feed(trace_html(journal))
    said = json.loads(page.scripts[0])["shortened_told"]
    assert said.startswith(told)
    assert bool(said) == bool(count)
    assert "data.shortened_told" in page.scripts[1]


def test_many_long_texts_are_cut_to_what_a_browser_opens(tmp_path: Path) -> None:
    with Journal.create(tmp_path / "run", {}) as journal:
        journal.append("turn.started", data={"turn": 1})
        journal.append("cell.started", data={"cell": 1, "turn": 1}, code="x" * 39_000)
        for number in range(400):
            call(journal, f"c{number}", purpose="consents?", answer=f"{number} " + "y" * 39_000)
        write_trace(journal, tmp_path / "trace.html")
        assert (tmp_path / "trace.html").read_text() == trace_html(journal)
    page = Page()
    page.feed((tmp_path / "trace.html").read_text())
    data = json.loads(page.scripts[0])
    answers = [text for text in data["texts"] if "y" in text and len(text) > 1000]
    # 8,000,000 characters for 402 texts, of which two, the rules and the question, need less than their share.
    assert len(answers) == data["shortened"] == 400
    assert all(19_000 < len(text) < 21_000 for text in answers)
    assert "x" * 39_000 in data["texts"], "root's own texts have a share of their own"
    assert "characters are left out here" in answers[0]


def test_lengths_that_fit_a_budget() -> None:
    assert fitting([10, 20, 30], 100) == 30
    assert fitting([10, 100, 200], 110) == 50
    assert fitting([100] * 4, 100) == 25
    assert fitting([], 100) == 0


def test_the_citations_of_an_entry_are_told_as_lines(tmp_path: Path) -> None:
    place = {"document": "d", "path": "a/msa.docx", "unit": "p[3]", "section": "3.1", "page": None}
    cited = {"quote": "shall not assign", "status": "verified", "spans": [], "place": place}
    with Journal.create(tmp_path / "run", {}) as journal:
        journal.append("report.entry", data={"title": "Consent", "citations": [cited]})
        page = Page()
        page.feed(trace_html(journal))
    (entry,) = [node for node in json.loads(page.scripts[0])["nodes"] if node["kind"] == "entry"]
    assert entry["facts"] == {"title": "Consent", "quotes": ["verified: shall not assign (a/msa.docx, p[3])"]}


def test_one_call_is_exported_in_full(tmp_path: Path) -> None:
    with Journal.create(tmp_path / "run", {}) as journal:
        call(journal, "a", purpose="consents?", spans=[["msa", 0, 10, "final"]], answer="z" * 50_000)
        call(journal, "b", purpose="payments?", failure="timeout", usage=None, cost=None)
        whole = list(call_messages(journal, "a", texts=lambda span: f"<{span.start}-{span.end}>"))
        assert [message["role"] for message in whole] == ["system", "user", "assistant"]
        assert whole[1]["content"] == "<0-10>\nQuestion:\nconsents?"
        assert whole[2]["content"] == "z" * 50_000
        assert [message["role"] for message in call_messages(journal, "b")] == ["system", "user"]
        assert list(call_messages(journal, "nobody")) == []
