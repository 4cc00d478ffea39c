"""Broken files and merciless strings, a fixed few hundred of each: the short version of `python -m endurance.fuzz`."""

from __future__ import annotations

from pathlib import Path

import pytest
from endurance import fuzz_words
from endurance.fuzz import LIMITS, Outcome, make, run
from endurance.fuzz_checks import findings
from endurance.fuzz_corpus import PROGRAMS, TURNS, corpus

from redwell.room.types import Parsed, ParsedUnit
from redwell.room.wire import Reading, decode, encode

SEED = 20
BASES = corpus(real=False)


def test_every_kind_with_a_reader_is_mutated_and_the_same_number_is_the_same_file() -> None:
    assert set(BASES) == set(TURNS)
    first = [(one.number, one.base.name, one.data) for one in make(SEED, range(60), BASES, {"docx", "pdf"})]
    alone = [(one.number, one.base.name, one.data) for one in make(SEED, range(60), BASES, {"pdf"})]
    assert alone == [one for one in first if one[0] in {number for number, *_ in alone}]
    assert len(first) > len(alone) > 3


def test_broken_files_cost_themselves_alone_and_say_why() -> None:
    outcome = Outcome(SEED)
    run(make(SEED, range(350), BASES, set(TURNS) - set(PROGRAMS)), outcome, jobs=2)
    assert [(one.number, one.base.name, found) for one, found in outcome.failed] == []
    assert outcome.leaks == []
    assert outcome.inputs > 250
    assert outcome.memory < LIMITS.memory_bytes
    assert sum(row.read + row.partly for row in outcome.rows.values()) > 50
    assert sum(row.unreadable for row in outcome.rows.values()) > 50


def test_an_answer_that_is_wrong_is_noticed() -> None:
    def told(parsed: Parsed) -> list[str]:
        header, body = encode(parsed)
        return [one.what for one in findings(decode(header, memoryview(b"".join(body))), "txt", 0.1, LIMITS)]

    unit = ParsedUnit("words", "p[0]")
    assert told(Parsed("txt", {"final": [unit]})) == []
    assert told(Parsed("txt", {"final": [unit, unit]})) == ["two units of one path"]
    assert told(Parsed("txt", status="unreadable", reason="ValueError: x")) == ["not plain words: ValueError"]
    assert told(Parsed("txt", status="unreadable", reason="it is damaged", metadata={"fault": "KeyError"})) == [
        "internal fault KeyError"
    ]
    assert told(Parsed("txt", {"final": [unit]}, status="partly_read")) == ["no reason"]
    assert told(Parsed("txt", {"final": [ParsedUnit("words", "p[0]", flags=("odd",))]})) == ["unknown flag"]
    slow = findings(Reading("txt", "unreadable", "it is damaged"), "txt", 11.0, LIMITS)
    assert [one.what for one in slow] == ["slow"]


@pytest.mark.parametrize("name", fuzz_words.TARGETS)
def test_merciless_strings_are_taken_or_refused_in_words(name: str) -> None:
    assert fuzz_words.faults(name, SEED, 60, 8_000) == []


def test_damaged_journals_open_or_say_that_they_are_damaged(tmp_path: Path) -> None:
    assert list(fuzz_words.damaged_journals(SEED, 25, tmp_path)) == []
