"""What ends a run, and what is refused until it is disclosed."""

from pathlib import Path

import pytest

from redwell.models.types import CallFailed
from redwell.room.room import Room
from tests.harness.support import Root, Sub, play

READ_ALL = "batch = dispatch('amounts?', over=room)\nbatch.results()"


def test_a_run_from_the_first_look_to_the_deliverable(room: Room, tmp_path: Path) -> None:
    root = Root(
        "print(room.tree())",
        READ_ALL,
        "for finding in batch.findings:\n    memo.add(finding.claim, finding.document.path, finding.citations[0].quote)",
        "print(submit())",
    )
    played = play(room, tmp_path / "run", root)
    assert played.outcome.status == "submitted"
    assert played.outcome.turns == 4
    assert played.memo_text == "The rent is $12,000 a month.\nThe price is $500 a ton.\nunread 0, failed 0\n"
    assert "4 documents" in played.outputs()[0]


@pytest.mark.parametrize("words", ["say:submit()", "say:I hereby submit().", "note = 'submit()'  # submit()"])
def test_words_that_look_like_a_submit_end_nothing(room: Room, tmp_path: Path, words: str) -> None:
    played = play(room, tmp_path / "run", Root(words, "submit()"))
    assert played.outcome.turns == 2


def test_submit_is_refused_with_the_applications_reasons_and_then_accepted(room: Room, tmp_path: Path) -> None:
    root = Root("submit()", "memo.add('one line')\nsubmit()")
    played = play(room, tmp_path / "run", root, need=1)
    assert "HostError" in played.outputs()[0]
    assert "the memo needs 1 lines" in root.told(1)
    assert (played.outcome.status, played.outcome.turns) == ("submitted", 2)


def test_submit_is_refused_while_results_were_not_looked_at(room: Room, tmp_path: Path) -> None:
    root = Root(
        "batch = dispatch('amounts?', over='lease.txt')\nwhile not batch.done:\n    pass\nsubmit()",
        "del batch\nsubmit()",
        "for batch in batches():\n    print(batch.results()[0])\nsubmit()",
    )
    played = play(room, tmp_path / "run", root)
    assert "1 results have arrived that no cell has looked at" in played.outputs()[0]
    assert "1 results have arrived that no cell has looked at" in played.outputs()[1]
    assert (played.outcome.status, played.outcome.turns) == ("submitted", 3)


def test_failed_calls_must_be_asked_again_or_left_knowingly(room: Room, tmp_path: Path) -> None:
    failing = Sub(lambda slices, question: CallFailed("rejected", "no such model"))
    root = Root("result = ask('amounts?', over='contracts/lease.txt')\nsubmit()", "submit()")
    played = play(room, tmp_path / "run", root, failing)
    assert "1 calls failed and were not asked again" in played.outputs()[0]
    assert "lease.txt" in played.outputs()[0]
    assert played.outcome.status == "submitted"
    assert [failure.kind for failure in played.outcome.state.failures] == ["rejected"]
    assert "failed 1" in played.memo_text


def test_a_failure_that_was_asked_again_and_answered_is_no_longer_open(room: Room, tmp_path: Path) -> None:
    answers = [CallFailed("rejected", "not now"), []]
    root = Root("first = ask('x?', over='contracts/lease.txt')\nsecond = ask_many([first])\nprint(second)\nsubmit()")
    played = play(room, tmp_path / "run", root, Sub(lambda slices, question: answers.pop(0)))
    assert played.outcome.status == "submitted"
    assert played.outcome.state.failures == []


def test_nothing_runs_after_an_accepted_submit(room: Room, tmp_path: Path) -> None:
    root = Root(
        ["submit()\ntry:\n    memo.add('late')\nexcept HostError as error:\n    print(error)", "memo.add('later')"]
    )
    played = play(room, tmp_path / "run", root)
    assert played.memo.lines == []
    assert len(played.outputs()) == 1
    assert "handed in" in played.outputs()[0]


def test_a_cell_that_raises_after_an_accepted_submit_still_ends_the_run(room: Room, tmp_path: Path) -> None:
    played = play(room, tmp_path / "run", Root("submit()\n1 / 0"))
    assert (played.outcome.status, played.outcome.turns) == ("submitted", 1)


def test_a_refused_quote_is_told_with_its_reason(room: Room, tmp_path: Path) -> None:
    root = Root("memo.add('x', 'contracts/lease.txt', 'The rent is $13,000 a month.')", "submit()")
    played = play(room, tmp_path / "run", root)
    assert "is not there" in root.told(1)
    assert played.memo.lines == []
