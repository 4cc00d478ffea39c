"""A call that read only parts of its spans, or showed its language model only parts, counts for just those."""

from pathlib import Path
from typing import Any

from redwell.journal.coverage import coverage, unanswered
from redwell.journal.journal import Journal
from redwell.journal.span import Span


def call(journal: Journal, name: str, spans: list[list[Any]], **said: Any) -> None:
    data = {"call": name, "role": "sub", "model": "local:x"}
    journal.append("call.sent", "root", data | {"spans": spans, "purpose": "q", "key": name, "attempt": 1})
    journal.append("call.completed", "root", data | {"usage": None, "cost": 0.0, "seconds": 0.0, **said})


def test_what_a_call_says_that_it_read_is_all_that_counts(tmp_path: Path) -> None:
    with Journal.create(tmp_path / "run", {}) as journal:
        call(journal, "a", [["msa", 0, 100, "final"]], read=[["msa", 10, 30, "final"], ["msa", 50, 60, "final"]])
        found = coverage(journal, {"msa": 100})
        assert unanswered(journal) == []
    assert found.spans == (Span("msa", 10, 30), Span("msa", 50, 60))
    assert (found.share, found.shown) == (0.3, 0.3)
    assert found.skimmed == ()


def test_what_rules_read_is_read_and_what_the_model_was_shown_is_told_apart(tmp_path: Path) -> None:
    with Journal.create(tmp_path / "run", {}) as journal:
        call(journal, "a", [["msa", 0, 100, "final"]], shown=[["msa", 10, 30, "final"]])
        call(journal, "b", [["msa", 80, 120, "final"], ["lease", 0, 50, "final"]])
        found = coverage(journal, {"msa": 200, "lease": 50})
    assert found.unread == (Span("msa", 120, 200),)
    assert found.skimmed == (Span("msa", 0, 10), Span("msa", 30, 80))
    assert found.share == 170 / 250
    assert found.shown == (170 - 60) / 250


def test_a_model_that_was_shown_nothing_has_read_nothing(tmp_path: Path) -> None:
    with Journal.create(tmp_path / "run", {}) as journal:
        call(journal, "a", [["msa", 0, 100, "final"]], shown=[])
        found = coverage(journal, {"msa": 100})
    assert (found.share, found.shown) == (1.0, 0.0)
    assert found.skimmed == (Span("msa", 0, 100),)
