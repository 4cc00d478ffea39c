"""Regular expressions over the room: exact places in code points, current texts only, plain errors."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from room_builder import build, text

from redwell.room import grep, quotes
from redwell.room.grep import telling
from redwell.room.room import Match, QueryError, Room
from redwell.room.types import Parsed, ParsedUnit


def room_of(tmp_path: Path, *texts: str) -> Room:
    return build(tmp_path, {f"{i}.txt": text(*each.split("\n")) for i, each in enumerate(texts)})


def found(room: Room, pattern: str, **options: object) -> list[str]:
    return [match.text for match in room.grep(pattern, **options)]  # type: ignore[arg-type]


def test_matches_are_placed_in_code_points(tmp_path: Path) -> None:
    with room_of(tmp_path, "Die Größe: 5 €, größer als 😀 Größe.", "ascii groesse") as room:
        matches = room.grep("größe")
        assert [(match.span.start, match.span.end, match.text) for match in matches] == [
            (4, 9, "Größe"),
            (16, 21, "größe"),
            (29, 34, "Größe"),
        ]
        for match in matches:
            assert room.slice(match.span) == match.text
            assert match.line == "Die Größe: 5 €, größer als 😀 Größe."


def test_case_counts_when_asked(tmp_path: Path) -> None:
    with room_of(tmp_path, "Lease lease LEASE") as room:
        assert found(room, "lease") == ["Lease", "lease", "LEASE"]
        assert found(room, "lease", ignore_case=False) == ["lease"]
        assert found(room, "(?i)lease", ignore_case=False) == ["Lease", "lease", "LEASE"]


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        (r"change\s+of\s+control", ["change\u00a0of\ncontrol"]),
        (r"of[\s]control", ["of\ncontrol"]),
        (r"\S+\u00a0of".replace(r"\u00a0", "\u00a0"), ["change\u00a0of"]),
        (r"^control", ["control"]),
        (r"control$", ["control"]),
        (r"\$[\d,]+", ["$1,000"]),
        (r"a.b", ["aéb"]),
        (r"[[:digit:]]+", ["1", "000"]),
        (r"[]x]", ["]"]),
        (r"(?P<amount>\d+),", ["1,"]),
        (r"\bno\b", []),
        (r"x*", []),  # nothing but empty matches
        (r"\\", ["\\"]),
    ],
)
def test_patterns_match_as_lawyers_expect(tmp_path: Path, pattern: str, expected: list[str]) -> None:
    with room_of(tmp_path, "A change\u00a0of\ncontrol\nat $1,000 aéb ] \\") as room:
        assert found(room, pattern) == expected


def test_a_document_ends_where_it_ends(tmp_path: Path) -> None:
    with room_of(tmp_path, "first end", "begin second") as room:
        assert found(room, r"end\s*begin") == []
        assert found(room, r"\Abegin") == ["begin"]
        assert found(room, r"end\Z") == ["end"]


def test_only_final_texts_are_looked_through_and_in_the_order_of_their_paths(tmp_path: Path) -> None:
    changed = Parsed(
        "docx",
        {
            "original": [ParsedUnit("old rent", "p")],
            "final": [ParsedUnit("new rent", "p")],
            "marked": [ParsedUnit("old rent new rent", "p")],
        },
    )
    with build(tmp_path, {"z.docx": changed, "a.txt": text("low rent")}) as room:
        assert [(match.path, match.span.view, match.line) for match in room.grep("rent")] == [
            ("a.txt", "final", "low rent"),
            ("z.docx", "final", "new rent"),
        ]


def test_filters_and_limit(tmp_path: Path) -> None:
    with build(tmp_path, {"a/1.txt": text("x x x"), "b/2.txt": text("x")}) as room:
        assert len(room.grep("x")) == 4
        assert len(room.grep("x", limit=2)) == 2
        assert len(room.grep("x", folder="b")) == 1
        assert len(room.grep("x", documents=["1.txt"])) == 3


@pytest.mark.parametrize(
    ("pattern", "message"),
    [
        ("", "empty"),
        ("(a", "not a regular expression"),
        ("a**", "not a regular expression"),
        ("[z-a]", "not a regular expression"),
        (r"(a)\1", "back-reference"),
        ("(?=a)", "Look-around"),
        ("(?<!a)b", "Look-around"),
        ("a{2000}", "not a regular expression"),
        ("x" * 20_000, "too long"),
        ("\ud800", "not a regular expression"),
    ],
)
def test_what_cannot_be_run_is_said_in_plain_words(tmp_path: Path, pattern: str, message: str) -> None:
    with room_of(tmp_path, "a") as room, pytest.raises(QueryError, match=message):
        room.grep(pattern)


def test_a_pattern_that_explodes_elsewhere_runs_in_linear_time(tmp_path: Path) -> None:
    with room_of(tmp_path, "a" * 200_000 + "!") as room:
        assert found(room, "(a+)+$") == []
        assert found(room, "(a|aa)+b") == []


def test_a_room_without_text_has_no_matches(tmp_path: Path) -> None:
    with build(tmp_path, {"a.png": Parsed("image", status="unreadable", reason="no text")}) as room:
        assert found(room, "a") == []
        assert room.search("a") == []


LETTERS = st.text(alphabet="abß é\u00a0\n😀Z", max_size=40)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(LETTERS, min_size=1, max_size=3), st.sampled_from(["a", "b+", "[aé]b", "ß", "😀.", "Z|é+"]))
def test_the_same_is_found_as_by_python(
    tmp_path_factory: pytest.TempPathFactory, texts: list[str], pattern: str
) -> None:
    with build(tmp_path_factory.mktemp("store"), {f"{i}.txt": text(each) for i, each in enumerate(texts)}) as room:
        expected = [
            (f"{i}.txt", match.start(), match.end())
            for i, each in enumerate(texts)
            for match in re.finditer(pattern, each)
        ]
        matches: list[Match] = room.grep(pattern, ignore_case=False)
        assert [(match.path, match.span.start, match.span.end) for match in matches] == expected


SOURCE = "The Tenant shall indemnify the first Lessor against staff costs, offices & fluff of £5,000 (five thousand)."
TYPESET = {
    "fi": "ﬁ",
    "ff": "ﬀ",
    "st": "\ufb06",
    " ": "\u00a0\n",
    "s": "\u017f",
    "d": "\u00add",
    "e": "\u200be",
    "T": "t",
}


@given(st.integers(0, 60), st.integers(3, 60), st.sets(st.sampled_from(sorted(TYPESET))))
def test_a_text_in_which_a_quote_stands_is_never_passed_over(start: int, length: int, changes: set[str]) -> None:
    quote = SOURCE[start : start + length]
    source = SOURCE
    for change in sorted(changes, key=len, reverse=True):
        source = source.replace(change, TYPESET[change])
    if quotes.check(source, quote).holds:
        pattern = telling(quotes.fold(quote).text)
        assert pattern is None or pattern.search(source.encode())


@pytest.mark.parametrize("limit", [1, 7, 1000])
def test_a_large_room_searched_in_several_threads_gives_the_same_matches_in_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limit: int
) -> None:
    papers = {f"{n:02d}.txt": text("Rént of 5 is due.\n" * (n % 5), f"No rent in {n}.") for n in range(30)}
    with build(tmp_path, papers) as room:
        alone = room.grep("r.nt", limit=limit)
        monkeypatch.setattr(grep, "SHARED_OUT", 0)
        monkeypatch.setattr(grep.os, "sched_getaffinity", lambda _: {0, 1, 2})
        assert room.grep("r.nt", limit=limit) == alone
        # Of the 30 papers six each say it 0, 1, 2, 3 and 4 times, and all say it once more.
        assert len(alone) == min(limit, 6 * (1 + 2 + 3 + 4) + 30)
