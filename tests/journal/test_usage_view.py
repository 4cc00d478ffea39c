"""What was used is added up attempt by attempt; what is not known stays unknown."""

from pathlib import Path

from redwell.journal.journal import Journal
from redwell.journal.usage import Tokens, usage
from tests.journal.a_run import call


def test_lines_by_role_and_model(tmp_path: Path) -> None:
    with Journal.create(tmp_path / "run", {}) as journal:
        call(journal, "r", role="root", usage=(1_000, 400, 50), cost=0.01)
        call(journal, "a", usage=(10, 2, 3), cost=0.001)
        call(journal, "b", usage=(20, 0, 5), cost=0.002)
        call(journal, "c", model="openai:other", usage=(7, 0, 1), cost=0.5)
        found = usage(journal)
    assert [(line.role, line.model, line.calls) for line in found.lines] == [
        ("root", "openai:gpt-5", 1),
        ("sub", "openai:gpt-5-mini", 2),
        ("sub", "openai:other", 1),
    ]
    assert found.lines[1].tokens == Tokens(30, 2, 8)
    assert (found.lines[1].cost, found.lines[1].seconds) == (0.003, 4.5)
    assert (found.calls, found.failed, found.tokens, found.cost) == (4, 0, Tokens(1_037, 402, 59), 0.513)


def test_one_unknown_cost_makes_the_sum_unknown(tmp_path: Path) -> None:
    with Journal.create(tmp_path / "run", {}) as journal:
        call(journal, "a", usage=(10, 0, 3), cost=0.001)
        call(journal, "b", usage=None, cost=None)
        found = usage(journal)
    assert (found.cost, found.known_cost) == (None, 0.001)
    assert (found.lines[0].unknown, found.lines[0].cost, found.lines[0].tokens) == (1, None, Tokens(10, 0, 3))


def test_failed_attempts_are_paid_for_and_calls_are_counted_by_their_end(tmp_path: Path) -> None:
    base = {"call": "a", "role": "sub", "model": "openai:gpt-5-mini"}
    used = {"input": 100, "cached_input": 0, "output": 9}
    with Journal.create(tmp_path / "run", {}) as journal:
        journal.append("call.sent", data=base)
        journal.append("call.retried", data=base | {"failure": "empty", "message": "", "usage": used, "cost": 0.25})
        call(journal, "a", usage=(100, 0, 9), cost=0.25)
        call(journal, "b", usage=(1, 0, 1), cost=0.5, failure="schema")
        call(journal, "c", ended=False)
        call(journal, "d", usage=(1, 0, 0), cost=0.0, failure="timeout")
        call(journal, "d", usage=(1, 0, 0), cost=0.0)
        line = usage(journal).lines[0]
    assert (line.calls, line.failed, line.open, line.requests) == (4, 1, 1, 6)
    assert (line.tokens, line.cost) == (Tokens(203, 0, 19), 1.0)


def test_asked_again_it_counts_what_has_happened_since(tmp_path: Path) -> None:
    with Journal.create(tmp_path / "run", {}) as journal:
        call(journal, "a", ended=False)
        before = usage(journal).lines[0]
        call(journal, "a", usage=(10, 0, 3), cost=0.25)
        call(journal, "b", usage=(20, 0, 5), cost=0.5, failure="timeout")
        after = usage(journal).lines[0]
        with Journal.open(tmp_path / "run", read_only=True) as anew:
            assert usage(anew) == usage(journal)
    assert (before.calls, before.open, before.requests, before.cost) == (1, 1, 1, 0.0)
    assert (after.calls, after.open, after.failed, after.requests, after.cost) == (2, 0, 1, 3, 0.75)
    assert after.tokens == Tokens(30, 0, 8)
