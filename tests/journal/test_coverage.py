"""Coverage is exact: character by character what calls with an answer contained."""

import itertools
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from redwell.journal.coverage import clipped, coverage, gaps, merge, share_read, unanswered
from redwell.journal.journal import Journal
from redwell.journal.span import Span
from tests.journal.a_run import call

INTERVALS = st.lists(st.tuples(st.integers(-5, 60), st.integers(-5, 60)), max_size=12)


@given(INTERVALS)
def test_a_union_holds_exactly_the_characters_of_its_parts(intervals: list[tuple[int, int]]) -> None:
    merged = merge(intervals)
    assert {c for start, end in merged for c in range(start, end)} == {
        c for start, end in intervals for c in range(start, end)
    }
    assert all(start < end for start, end in merged)
    assert all(first[1] < second[0] for first, second in itertools.pairwise(merged))


@given(INTERVALS, st.integers(0, 50))
def test_what_was_read_and_what_was_not_make_up_the_document(intervals: list[tuple[int, int]], length: int) -> None:
    read = clipped(intervals, length)
    whole = sorted([*read, *gaps(read, length)])
    assert merge(whole) == ([(0, length)] if length else [])
    assert sum(end - start for start, end in whole) == length


def test_only_calls_with_an_answer_count(tmp_path: Path) -> None:
    with Journal.create(tmp_path / "run", {}) as journal:
        call(journal, "a", spans=[["msa", 0, 60, "final"]])
        call(journal, "b", spans=[["msa", 50, 80, "final"]])
        call(journal, "c", spans=[["msa", 80, 90, "final"]], failure="timeout")
        call(journal, "d", spans=[["msa", 90, 95, "final"]], ended=False)
        call(journal, "e", spans=[["lease", 10, 500, "final"], ["gone", 0, 10, "final"]])
        found = coverage(journal, {"msa": 100, "lease": 40, "blank": 0})
        assert share_read(journal, {"msa": 100, "lease": 40, "blank": 0}) == 110 / 140
    assert (found.read, found.total, found.share) == (110, 140, 110 / 140)
    assert found.spans == (Span("msa", 0, 80), Span("lease", 10, 40))
    assert found.unread == (Span("msa", 80, 100), Span("lease", 0, 10))
    assert (found.of("msa"), found.of("lease"), found.of("blank")) == (0.8, 0.75, 1.0)


def test_other_views_count_for_what_they_show_of_the_final_text(tmp_path: Path) -> None:
    with Journal.create(tmp_path / "run", {}) as journal:
        call(journal, "a", spans=[["msa", 100, 150, "marked"]])
        assert coverage(journal, {"msa": 100}).share == 0.0
        shown = coverage(
            journal, {"msa": 100}, to_final=lambda span: [Span(span.document, span.start - 100, span.end - 120)]
        )
    assert shown.spans == (Span("msa", 0, 30),)


def test_coverage_grows_with_the_journal(tmp_path: Path) -> None:
    with Journal.create(tmp_path / "run", {}) as journal:
        for number in range(10):
            call(journal, f"c{number}", spans=[["msa", 10 * number, 10 * number + 10, "final"]])
            assert coverage(journal, {"msa": 100}).read == 10 * (number + 1)
    with Journal.open(tmp_path / "run", read_only=True) as journal:
        assert coverage(journal, {"msa": 100}).unread == ()


def test_nothing_to_read_is_fully_read(tmp_path: Path) -> None:
    with Journal.create(tmp_path / "run", {}) as journal:
        assert coverage(journal, {}).share == 1.0


def test_what_a_failed_call_held_is_unanswered_until_the_same_is_answered(tmp_path: Path) -> None:
    with Journal.create(tmp_path / "run", {}) as journal:
        call(journal, "a", spans=[["msa", 20, 100, "final"]], purpose="consents?", failure="timeout")
        call(journal, "b", spans=[["msa", 0, 200, "final"]], purpose="payments?")
        call(journal, "c", spans=[["msa", 0, 90, "final"]], purpose="consents?", ended=False)
        assert unanswered(journal) == [Span("msa", 20, 100)]
        call(journal, "d", spans=[["msa", 10, 40, "final"], ["msa", 60, 70, "final"]], purpose="consents?")
        assert unanswered(journal) == [Span("msa", 40, 60), Span("msa", 70, 100)]
        call(journal, "a", spans=[["msa", 20, 100, "final"]], purpose="consents?")
        assert unanswered(journal) == []


@settings(max_examples=10, deadline=None)
@given(
    st.lists(st.tuples(st.sampled_from(["a", "b"]), st.integers(0, 40), st.integers(0, 40), st.booleans()), max_size=10)
)
def test_coverage_equals_a_count_of_characters(
    tmp_path_factory: pytest.TempPathFactory, calls: list[tuple[str, int, int, bool]]
) -> None:
    with Journal.create(tmp_path_factory.mktemp("any") / "run", {}) as journal:
        for number, (document, start, end, failed) in enumerate(calls):
            call(journal, f"c{number}", spans=[[document, start, end, "final"]], failure="server" if failed else "")
        found = coverage(journal, {"a": 30, "b": 30})
    counted = {(d, c) for d, start, end, failed in calls if not failed for c in range(start, min(end, 30))}
    assert found.read == len(counted)
    assert {(span.document, c) for span in found.spans for c in range(span.start, span.end)} == counted
