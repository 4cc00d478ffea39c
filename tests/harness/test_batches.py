"""Questions to sub-agents: what runs beside the cells, what survives them, and what comes back."""

import asyncio
import itertools
from pathlib import Path
from typing import Any

import pytest

from redwell.models.budget import Budget
from redwell.models.types import CallFailed, Request
from redwell.room.room import Room
from tests.harness.support import Root, Sub, make_room, play

LONG = {
    f"d{n}.txt": "\n\n".join(f"Clause {line} of document {n} stays as it is." for line in range(40)) for n in range(3)
}


@pytest.fixture(scope="module")
def long_room(tmp_path_factory: pytest.TempPathFactory) -> Room:
    return make_room(tmp_path_factory.mktemp("long"), LONG)


def test_calls_go_on_between_turns_and_results_stream_into_the_variable(room: Room, tmp_path: Path) -> None:
    gates = {"first?": asyncio.Event(), "second?": asyncio.Event()}

    async def read(slices: Any, question: str) -> list[dict[str, Any]]:
        await gates[question].wait()
        return [{"kind": "k", "claim": question, "quotes": []}]

    async def let_first_through(request: Request) -> str:
        gates["first?"].set()
        return (
            "for result in batch.wait(1):\n    memo.add(result.question)\nprint(len(batch), batch.done, batch.arrived)"
        )

    async def let_second_through(request: Request) -> str:
        gates["second?"].set()
        return "for result in batch.wait():\n    memo.add(result.question)\nprint(batch)\nsubmit()"

    root = Root(
        "batch = dispatch(['first?', 'second?'], over='lease.txt')\nprint(batch.new())\nprint(batch.arrived)",
        let_first_through,
        let_second_through,
    )
    played = play(room, tmp_path / "run", root, Sub(lambda s, q: read(s, q)))
    assert played.outputs() == [
        "no results\n0\n",
        "2 False 1\n",
        "<Batch b1-0: 2 of 2 arrived, 2 findings>\n" + "'submitted: the run ends with this cell'\n".replace("'", ""),
    ]
    assert played.memo.lines == ["first?", "second?"]


def test_a_cell_that_raises_after_many_calls_keeps_all_their_results(room: Room, tmp_path: Path) -> None:
    root = Root(
        "questions = [f'question {n}?' for n in range(12)]\nresults = ask_many(questions, over='contracts/lease.txt')\n1 / 0",
        "print(len(results), sum(len(result) for result in results))\nsubmit()",
    )
    sub = Sub()
    played = play(room, tmp_path / "run", root, sub)
    assert "ZeroDivisionError" in root.told(1)
    assert "line 3" in root.told(1)
    assert played.outputs()[1].startswith("12 12\n")
    assert len(sub.requests) == 12


def test_results_that_were_never_assigned_are_not_lost_by_an_exception(room: Room, tmp_path: Path) -> None:
    root = Root(
        "wrong.name = ask_many(['a?', 'b?'], over='contracts/lease.txt')", "print(batches()[0].findings)\nsubmit()"
    )
    sub = Sub()
    played = play(room, tmp_path / "run", root, sub)
    assert "2 findings" in played.outputs()[1]
    assert len(sub.requests) == 2


def test_a_cell_whose_last_expression_fails_is_not_run_again(room: Room, tmp_path: Path) -> None:
    root = Root("print('before')\nask('a?', over='contracts/lease.txt')[99]", "submit()")
    sub = Sub()
    played = play(room, tmp_path / "run", root, sub)
    assert len(sub.requests) == 1
    assert "before\n" in root.told(1)
    assert "IndexError" in root.told(1)
    assert played.outcome.status == "submitted"


def test_results_come_in_the_order_asked_and_iteration_in_the_order_of_arrival(room: Room, tmp_path: Path) -> None:
    gate = asyncio.Event()

    async def read(question: str) -> list[dict[str, Any]]:
        if question == "slow?":
            await gate.wait()
        else:
            gate.set()
        return []

    root = Root(
        "batch = dispatch(['slow?', 'fast?'], over='contracts/lease.txt')\n"
        "print([result.question for result in batch])\nprint([result.question for result in batch.results()])\nsubmit()"
    )
    played = play(room, tmp_path / "run", root, Sub(lambda slices, question: read(question)))
    assert played.outputs()[0].startswith("['fast?', 'slow?']\n['slow?', 'fast?']\n")


def test_one_call_that_fails_costs_none_of_the_others(room: Room, tmp_path: Path) -> None:
    def read(slices: Any, question: str) -> Any:
        if question == "b?":
            return CallFailed("rejected", "no")
        if question == "c?":
            raise RuntimeError("a fault in the client")
        return []

    root = Root(
        "results = ask_many(['a?', 'b?', 'c?', 'd?'], over='contracts/lease.txt')\n"
        "print([result.kind if isinstance(result, Failure) else len(result) for result in results])",
        "print(batches()[0].failures)\nsubmit()",
        "submit()",
    )
    played = play(room, tmp_path / "run", root, Sub(read))
    assert played.outputs()[0] == "[0, 'rejected', 'internal', 0]\n"
    assert "2 failures" in played.outputs()[1]


@pytest.mark.parametrize(
    "use", ["if failed: pass", "len(failed)", "list(failed)", "failed[0]", "[f for f in failed]", "x in failed"]
)
def test_a_failure_cannot_be_taken_for_a_list_of_findings(room: Room, tmp_path: Path, use: str) -> None:
    root = Root(f"x = 1\nfailed = ask('a?', over='contracts/lease.txt')\n{use}", "submit()", "submit()")
    played = play(room, tmp_path / "run", root, Sub(lambda slices, question: CallFailed("rejected", "no such model")))
    assert "TypeError: this call failed (rejected: no such model)" in played.outputs()[0]


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        ("no JSON at all", "malformed"),
        ('{"findings": [{"kind": "k"}]}', "schema"),
        ('{"findings": [{"kind": "k", "claim": "c", "quotes": [{"document": "one", "text": "t"}]}]}', "schema"),
    ],
)
def test_an_answer_that_cannot_be_read_is_a_failure_and_not_an_empty_list(
    room: Room, tmp_path: Path, answer: str, kind: str
) -> None:
    root = Root("r = ask('a?', over='contracts/lease.txt')\nprint(r.kind, coverage().share)", "submit()", "submit()")
    played = play(room, tmp_path / "run", root, Sub(lambda slices, question: answer))
    assert played.outputs()[0] == f"{kind} 0.0\n"
    assert len(played.outcome.state.unread) == 4


def test_quotes_are_checked_against_the_slice_that_was_read(room: Room, tmp_path: Path) -> None:
    quotes = [
        {"document": 1, "text": "The rent is  $12,000 a month."},
        {"document": 1, "text": "The rent is $13,000 a month."},
        {"document": 2, "text": "The rent is $12,000 a month."},
        {"document": 9, "text": "Nothing like this stands anywhere."},
        {"document": 1, "text": "The supplier may terminate on a change of control."},
    ]

    def read(slices: Any, question: str) -> list[dict[str, Any]]:
        return [{"kind": "k", "claim": str(n), "quotes": [quote]} for n, quote in enumerate(quotes)]

    root = Root(
        "r = ask('a?', over=['contracts/lease.txt', 'corporate/minutes.txt'])\n"
        "for f in r:\n    c = f.citations[0]\n    print(c.status, c.holds, f.holds, c.place)\nsubmit()"
    )
    played = play(room, tmp_path / "run", root, Sub(read))
    assert played.outputs()[0].splitlines()[:5] == [
        "verified True True lease.txt, line 3",
        "differs False False lease.txt",
        "verified True True lease.txt, line 3",
        "unverified False False no document",
        "unverified False False lease.txt",
    ]


def test_one_question_over_the_room_is_cut_into_slices_that_hold_every_character_once(
    long_room: Room, tmp_path: Path
) -> None:
    root = Root("batch = dispatch('x?', over=room)\nbatch.results()\nprint(len(batch), coverage().share)\nsubmit()")
    sub = Sub(lambda slices, question: [])
    played = play(long_room, tmp_path / "run", root, sub, slice_chars=500)
    spans = sorted((span.document, span.start, span.end) for request in sub.requests for span in request.spans)
    for document in long_room.documents():
        own = [(start, end) for identity, start, end in spans if identity == document.id]
        assert own[0][0] == 0
        assert own[-1][1] == document.length
        assert all(end == start for (_, end), (start, _) in itertools.pairwise(own))
    assert all(sum(len(span) for span in request.spans) <= 500 for request in sub.requests)
    assert played.outputs()[0].startswith(f"{len(sub.requests)} 1.0\n")


def test_slices_are_cut_where_a_unit_begins(long_room: Room, tmp_path: Path) -> None:
    root = Root(
        "for part in room.document('d0.txt').slices(300):\n    [span] = part\n    assert span.text.startswith('Clause'), span\n"
        "    assert span.end == span.document.length or span.text.endswith('\\n')\nprint('fine')\nsubmit()"
    )
    assert play(long_room, tmp_path / "run", root).outputs()[0].startswith("fine")


def test_ask_refuses_what_does_not_fit_and_tells_the_way_out(long_room: Room, tmp_path: Path) -> None:
    root = Root("ask('x?', over=room)", "submit()")
    played = play(long_room, tmp_path / "run", root, slice_chars=500)
    assert "do not fit into one call (the most is 500)" in played.outputs()[0]
    assert "dispatch(question, over=...)" in played.outputs()[0]


def test_the_host_refuses_a_slice_that_is_too_large_or_not_there_whatever_the_session_says(
    long_room: Room, tmp_path: Path
) -> None:
    forge = (
        "from types import FunctionType\nhost = ask.__globals__['host']\n"
        "document = room.document('d0.txt')\n"
        "for spans in ([[document.id, 0, 900, 'final']], [[document.id, 5, 10**9, 'final']], [['no such', 0, 5, 'final']],\n"
        "              [[document.id, 0, 5, 'secret']], [[document.id, '0', 5, 'final']], [], 'x'):\n"
        "    try:\n        host('dispatch', questions=['q'], schemas=[None], calls=[[0, 0, spans]], agents=False)\n"
        "        print('accepted')\n    except HostError as error:\n        print(error)"
    )
    sub = Sub()
    played = play(long_room, tmp_path / "run", Root(forge, "submit()"), sub, slice_chars=500)
    assert len(played.outputs()[0].splitlines()) == 7
    assert "accepted" not in played.outputs()[0]
    assert sub.requests == []


def test_an_item_larger_than_a_slice_becomes_several_calls_that_name_it(long_room: Room, tmp_path: Path) -> None:
    root = Root(
        "batch = dispatch([('a?', 'd0.txt'), ('b?', room.document('d1.txt')[:50])])\n"
        "print(sorted({(r.item, r.question) for r in batch.results()}), len(batch))\nsubmit()"
    )
    played = play(long_room, tmp_path / "run", root, Sub(lambda s, q: []), slice_chars=900)
    assert played.outputs()[0].startswith("[(0, 'a?'), (1, 'b?')] 3\n")


def test_values_are_asked_for_and_come_back(room: Room, tmp_path: Path) -> None:
    sub = Sub(
        lambda slices, question: [{"kind": "k", "claim": "c", "quotes": [], "values": {"rent": 12000, "party": None}}]
    )
    root = Root(
        "print(ask('rent?', over='contracts/lease.txt', schema={'rent': 'number', 'party': 'text'})[0].values)\nsubmit()"
    )
    played = play(room, tmp_path / "run", root, sub)
    assert played.outputs()[0].startswith("{'rent': 12000, 'party': None}")
    assert 'Fill in "values" of each finding: rent (number), party (text).' in sub.requests[0].messages[-1].content
    assert sub.questions == ["rent?"]


def test_a_kind_of_value_that_is_not_known_is_refused(room: Room, tmp_path: Path) -> None:
    played = play(room, tmp_path / "run", Root("ask('x?', over=room, schema={'rent': 'money'})", "submit()"))
    assert "not money" in played.outputs()[0]


def test_a_spent_budget_keeps_what_was_found_and_lists_what_was_not_read(long_room: Room, tmp_path: Path) -> None:
    root = Root("results = ask_many('x?', over=room)\nprint([getattr(r, 'kind', 'read') for r in results])", "submit()")
    sub = Sub(lambda slices, question: [])
    played = play(long_room, tmp_path / "run", root, sub, slice_chars=1_000, budget=Budget(calls=4, concurrency=1))
    assert played.outputs()[0].count("'read'") == 3
    assert played.outputs()[0].count("'budget'") > 0
    assert played.outcome.status == "salvaged"
    assert "budget" in played.outcome.reason
    assert played.outcome.state.unread
    assert played.outcome.state.budget_spent


def test_batches_that_follow_each_other_at_once_are_all_carried_out(long_room: Room, tmp_path: Path) -> None:
    root = Root("print([len(ask_many('x?', over='d0.txt')) for n in range(60)])\nsubmit()")
    played = play(long_room, tmp_path / "run", root, Sub(lambda s, q: []), budget=Budget(concurrency=1))
    assert played.outputs()[0].startswith(str([1] * 60))


def test_thousands_of_waiting_calls_hold_no_text(long_room: Room, tmp_path: Path) -> None:
    alive = 0
    most = 0

    async def read() -> list[Any]:
        nonlocal alive, most
        alive += 1
        most = max(most, alive)
        await asyncio.sleep(0)
        alive -= 1
        return []

    root = Root("r = ask_many([f'{n}?' for n in range(600)], over='d0.txt')\nprint(len(r))\nsubmit()")
    sub = Sub(lambda slices, question: read())
    played = play(long_room, tmp_path / "run", root, sub, budget=Budget(concurrency=8))
    assert played.outputs()[0].startswith("600\n")
    assert len(sub.requests) == 600
    assert most <= 8
