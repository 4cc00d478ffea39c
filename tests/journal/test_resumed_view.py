"""Which calls an interruption cut off, and how often each was sent again, as the journal tells it."""

from pathlib import Path
from typing import Any

from redwell.journal.journal import Journal
from redwell.journal.resumed import resumed


def sent(journal: Journal, call: str) -> None:
    data: dict[str, Any] = {
        "call": call,
        "role": "sub",
        "model": "openai:any",
        "purpose": f"about {call}",
        "key": f"key-{call}",
    }
    journal.append("call.sent", "root", data)


def ended(journal: Journal, kind: str, call: str, failure: str = "") -> None:
    journal.append(kind, "root", {"call": call, "failure": failure})


def test_a_call_that_was_out_at_a_kill_is_counted_each_time_it_is_sent_again(tmp_path: Path) -> None:
    with Journal.create(tmp_path / "run", {}) as journal:
        for call in ("a", "b", "c", "d"):
            sent(journal, call)
        ended(journal, "call.completed", "a")
        ended(journal, "call.retried", "b", "server")
        sent(journal, "b")  # a second attempt of the same process
        assert resumed(journal).times == 0
        assert resumed(journal).calls == ()
        journal.append("run.resumed")
        sent(journal, "b")
        ended(journal, "call.retried", "b", "timeout")
        sent(journal, "b")  # again a second attempt, not a second interruption
        sent(journal, "c")
        sent(journal, "e")
        ended(journal, "call.completed", "b")
        journal.append("run.resumed")
        sent(journal, "c")
        ended(journal, "call.completed", "c")
        sent(journal, "e")
        found = resumed(journal)
    assert found.times == 2
    assert [(call.call, call.times) for call in found.calls] == [("b", 1), ("c", 2), ("d", 0), ("e", 1)]
    assert [call.call for call in found.again] == ["b", "c", "e"]
    assert (found.calls[1].key, found.calls[1].purpose, found.calls[1].role) == ("key-c", "about c", "sub")


def test_a_call_that_was_called_off_counts_as_out_and_a_failed_one_does_not(tmp_path: Path) -> None:
    with Journal.create(tmp_path / "run", {}) as journal:
        for call in ("a", "b"):
            sent(journal, call)
        ended(journal, "call.failed", "a", "cancelled")
        ended(journal, "call.failed", "b", "rejected")
        ended(journal, "call.failed", "never sent", "cancelled")
        journal.append("run.resumed")
        sent(journal, "a")
        found = resumed(journal)
    assert [(call.call, call.times) for call in found.calls] == [("a", 1)]
