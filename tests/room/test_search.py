"""Searching: the same results from both engines, ordered proximity, filters, and plain errors for what cannot be understood."""

from __future__ import annotations

import contextlib
import itertools
import shutil
import string
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from room_builder import build, text

from redwell.room.passages import LONG, passages
from redwell.room.query import holds, parse
from redwell.room.room import QueryError, Room
from redwell.room.types import Parsed, ParsedUnit, Span
from redwell.room.words import Stems, stem, words

ROOM = {
    "contracts/msa.txt": text(
        "8.2 Change of Control. Either party may terminate upon a change of control of the other party.",
        "9.1 Notice. Sixty days' written notice of termination is required.",
    ),
    "contracts/nda.txt": text(
        "The non-compete covenant binds each of the parties.", "Control of any change is with the agent."
    ),
    "debt/credit.txt": text(
        "A change in the ownership or control of the Borrower is an event of default.", "Größe Société Générale."
    ),
    "hr/plan.txt": Parsed(
        "docx", {"final": [ParsedUnit("Hidden bonus of 5,000,000 dollars.", "p[1]", flags=("hidden",))]}
    ),
    "hr/law.txt": Parsed(
        "pdf",
        {"final": [ParsedUnit("株式の譲渡には承認が必要である。", "page 1")]},
        metadata={"created": "2021-06-30T10:00:00Z"},
    ),
    "hr/amended.docx": Parsed(
        "docx",
        {
            "final": [ParsedUnit("The vesting period is four years.", "p[1]")],
            "marked": [
                ParsedUnit("Severance is abolished.", "p[0]", flags=("deleted",)),
                ParsedUnit("The vesting period is four years.", "p[1]"),
            ],
        },
        metadata={"modified": "2023-01-15"},
    ),
}
ENGINES = ("tantivy", "fts")


@pytest.fixture(scope="module", params=ENGINES)
def room(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Room:
    return build(tmp_path_factory.mktemp("store"), ROOM, engine=request.param)


def names(room: Room, query: str, **filters: object) -> list[str]:
    return sorted({hit.path.rsplit("/", 1)[-1] for hit in room.search(query, **filters)})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("terminated", ["msa.txt"]),  # the stem of terminate
        ("TERMINATION notices", ["msa.txt"]),
        ('"change of control"', ["msa.txt"]),
        ("“change of control”", ["msa.txt"]),
        ('"control of change"', []),
        ('"change control"~4', ["credit.txt", "msa.txt"]),
        ('"change control"~3', ["msa.txt"]),
        ('"control change"~5', ["nda.txt"]),
        ("change AND borrower", ["credit.txt"]),
        ("change NOT borrower", ["msa.txt", "nda.txt"]),
        ("change AND NOT (borrower OR agent)", ["msa.txt"]),
        ('change NOT "control change"~5', ["credit.txt", "msa.txt"]),
        ("(covenant OR default) AND (party OR borrower)", ["credit.txt", "nda.txt"]),
        ("covenant default", ["credit.txt", "nda.txt"]),
        ("terminat*", ["msa.txt"]),
        ("owner* AND borrow*", ["credit.txt"]),
        ("non-compete", ["nda.txt"]),
        ("noncompete", []),
        ("8.2", ["msa.txt"]),
        ("5,000,000", ["plan.txt"]),
        ("societe generale", ["credit.txt"]),
        ("GRÖSSE", ["credit.txt"]),
        ("譲渡", ["law.txt"]),
        ("渡譲", []),
        ("and or not", ["credit.txt"]),
        ("- & change", ["credit.txt", "msa.txt", "nda.txt"]),
        ("severance", []),
        ("unicorn", []),
    ],
)
def test_queries_find_what_they_say(room: Room, query: str, expected: list[str]) -> None:
    assert names(room, query) == expected


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        ({"folder": "contracts"}, ["msa.txt", "nda.txt"]),
        ({"folder": "contracts/", "documents": ["msa.txt"]}, ["msa.txt"]),
        ({"documents": ["credit.txt", "debt/credit.txt"]}, ["credit.txt"]),
        ({"documents": []}, []),
        ({"folder": "./contracts", "documents": ["credit.txt"]}, []),
        ({"kind": ".DOCX"}, ["amended.docx", "plan.txt"]),
        ({"kind": "docx"}, ["amended.docx", "plan.txt"]),
        ({"flag": "hidden"}, ["plan.txt"]),
        ({"flag": "deleted"}, ["amended.docx"]),
        ({"after": "2022"}, ["amended.docx"]),
        ({"before": "2021-06"}, ["law.txt"]),
        ({"before": "2021-06-29"}, []),
        ({"after": "2021-06-30", "before": "2023"}, ["amended.docx", "law.txt"]),
    ],
)
def test_filters_leave_what_they_say(room: Room, filters: dict[str, object], expected: list[str]) -> None:
    assert names(room, "change bonus severance vesting 株", **filters) == expected


def test_a_hit_is_the_unit_that_matched(room: Room) -> None:
    hit = room.search("written notice")[0]
    assert room.slice(hit.span) == "9.1 Notice. Sixty days' written notice of termination is required."
    assert hit.unit == room.unit_at(hit.span).path == "p[1]"
    assert "written notice" in hit.text
    assert hit.score > 0
    deleted = room.search("severance", flag="deleted")[0]
    assert (room.slice(deleted.span), deleted.span.view) == ("Severance is abolished.", "marked")


def test_the_best_come_first_and_k_limits_them(room: Room) -> None:
    hits = room.search("change control borrower ownership", k=2)
    assert len(hits) == 2
    assert hits[0].path == "debt/credit.txt"
    assert hits[0].score >= hits[1].score


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("", "no words"),
        (" - ", "no words"),
        ('"change', r"quotation mark at character 1 is never closed"),
        ('x AND "change', r"quotation mark at character 7 is never closed"),
        ('"', "never closed"),
        ('"..."', "no words in it"),
        ("(a OR b", "opened and never closed"),
        ("a OR b)", r"closed that was never opened \(at character 7\)"),
        ("AND a", "missing at character 1"),
        ("a AND", "missing at the end"),
        ("a OR", "OR needs something"),
        ("OR a", "OR needs something"),
        ("NOT a", "only says what to leave out"),
        ("a OR NOT b", "NOT cannot follow OR"),
        ("a*", "at least two letters"),
        ('"a b"~', "a number from 0 to 100"),
        ('"a b"~many', "a number from 0 to 100"),
        ('"a b"~101', "a number from 0 to 100"),
        ("()", "no words"),
        ("(" * 30 + "a" + ")" * 30, "nested more than 20"),
        ("a " * 2_000, "longer than 2,000"),
    ],
)
def test_what_cannot_be_understood_is_said_in_plain_words(room: Room, query: str, message: str) -> None:
    with pytest.raises(QueryError, match=message):
        room.search(query)


@pytest.mark.parametrize(
    ("filters", "message"),
    [
        ({"flag": "hiden"}, r"There is no flag 'hiden'\. The flags are hidden, deleted, .*heading\."),
        ({"kind": "docxx"}, r"of the kind 'docxx'\. The kinds in it are docx, pdf, txt\."),
        ({"folder": "contract"}, r"under the folder 'contract'\. Near it: 'contracts'\."),
        ({"folder": "zzz/"}, r"under the folder 'zzz'\. Its folders are 'contracts', 'debt', 'hr'\."),
    ],
)
def test_a_filter_that_nothing_has_is_refused_with_what_there_is(
    room: Room, filters: dict[str, str], message: str
) -> None:
    with pytest.raises(QueryError, match=message):
        room.search("change", **filters)  # type: ignore[arg-type]
    if "folder" in filters:
        with pytest.raises(QueryError, match=message):
            room.grep("change", folder=filters["folder"])


def test_documents_that_a_date_leaves_out_because_they_have_none_are_counted(room: Room) -> None:
    assert room.undated() == 4
    assert room.undated(folder="contracts") == 2
    assert room.undated(folder="hr", kind="docx") == 1
    assert room.undated(documents=["law.txt", "amended.docx"]) == 0


def test_a_bad_date_or_number_of_results_is_said(room: Room) -> None:
    with pytest.raises(QueryError, match="'last year' is not a date"):
        room.search("change", after="last year")
    with pytest.raises(QueryError, match="at least 1"):
        room.search("change", k=0)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(alphabet="ab\"()~*3 -ANDORT:^/\\'", max_size=25))
def test_any_string_is_searched_or_refused(room: Room, query: str) -> None:
    with contextlib.suppress(QueryError):
        room.search(query, k=3)


WORDS = st.sampled_from(["change", "control", "party", "notice", "lender"])
QUERIES = st.recursive(
    st.one_of(
        WORDS,
        st.lists(WORDS, min_size=2, max_size=3).map(lambda found: f'"{" ".join(found)}"'),
        st.tuples(WORDS, WORDS, st.integers(0, 4)).map(lambda found: f'"{found[0]} {found[1]}"~{found[2]}'),
        WORDS.map(lambda word: f"{word[:4]}*"),
    ),
    lambda inner: st.one_of(
        st.tuples(inner, inner).map(lambda pair: f"({pair[0]} AND {pair[1]})"),
        st.tuples(inner, inner).map(lambda pair: f"({pair[0]} OR {pair[1]})"),
        st.tuples(inner, inner).map(lambda pair: f"({pair[0]} NOT {pair[1]})"),
    ),
    max_leaves=5,
)


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(st.lists(WORDS, min_size=1, max_size=12).map(" ".join), min_size=1, max_size=8),
    st.lists(QUERIES, min_size=1, max_size=8),
)
def test_both_engines_find_exactly_what_a_plain_reading_of_the_query_finds(
    tmp_path_factory: pytest.TempPathFactory, texts: list[str], queries: list[str]
) -> None:
    stems = Stems()
    documents = {f"{i}.txt": text(words_of) for i, words_of in enumerate(texts)}
    store = tmp_path_factory.mktemp("store")
    build(store, documents).close()
    for query in queries:
        node = parse(query, stems)
        expected = {
            f"{i}.txt"
            for i, each in enumerate(texts)
            if holds(node, words(each), [stems[word] for word in words(each)])
        }
        for engine in ENGINES:
            with Room.open(store, engine=engine) as room:
                assert {hit.path for hit in room.search(query, k=50)} == expected, (engine, query)


def test_equal_hits_come_in_the_order_of_their_paths(tmp_path: Path) -> None:
    shuffled = {f"{i:02}.txt": text("The very same words.") for i in (7, 3, 11, 0, 5, 2, 9)}
    for engine in ENGINES:
        with build(tmp_path / engine, shuffled, engine=engine) as room:
            assert [hit.path for hit in room.search("same words", k=4)] == ["00.txt", "02.txt", "03.txt", "05.txt"]


def damage(folder: Path) -> None:
    """Puts other bytes in the place of each file; the files themselves may still be mapped and are not touched."""
    for file in list(folder.iterdir()):
        file.unlink()
        file.write_bytes(b"damaged")


@pytest.mark.parametrize("engine", ENGINES)
def test_the_index_is_made_again_when_it_is_missing_or_damaged(tmp_path: Path, engine: str) -> None:
    build(tmp_path, ROOM, engine=engine).close()
    for spoil in (
        lambda: shutil.rmtree(tmp_path / "index"),
        lambda: (tmp_path / "index" / f"{engine}.json").write_text("{"),
        lambda: (tmp_path / "index" / f"{engine}.json").write_text('{"version": 1, "documents": [1]}'),
        lambda: shutil.rmtree(tmp_path / "index" / engine),
        lambda: damage(tmp_path / "index" / engine),
    ):
        with Room.open(tmp_path, engine=engine) as room:
            assert names(room, '"change of control" default') == ["credit.txt", "msa.txt"]
        spoil()
    with Room.open(tmp_path, engine=engine) as room:
        assert names(room, '"change of control" default') == ["credit.txt", "msa.txt"]
        assert len(room.search("change")) == len({hit.span for hit in room.search("change")})


def test_headings_are_indexed_with_what_they_head_and_flags_never_mix() -> None:
    blocks = [
        ("TERM", "heading"),
        ("It runs for a year. " * 10, ""),
        ("secret", "hidden"),
        ("After it.", ""),
        ("  ", ""),
        ("NOTICE", "heading"),
        ("By post. " * 60, ""),
    ]
    whole = "\n".join(block for block, _ in blocks)
    units, start = [], 0
    for i, (block, flags) in enumerate(blocks):
        units.append((i, start, start + len(block), flags))
        start += len(block) + 1
    found = [(p.first, p.last, p.flags) for p in passages(1, whole, units)]
    assert found == [(0, 1, ()), (2, 2, ("hidden",)), (3, 3, ()), (5, 6, ())]


@settings(max_examples=30, deadline=None)
@given(st.integers(LONG + 1, 5 * LONG), st.booleans())
def test_a_long_unit_is_covered_by_windows_that_overlap(length: int, spaced: bool) -> None:
    whole = ("word " * length)[:length] if spaced else "x" * length
    found = list(passages(1, whole, [(0, 0, length, "")]))
    assert found[0].start == 0
    assert found[-1].end == length
    assert all(second.start < first.end - 100 for first, second in itertools.pairwise(found))
    assert all(p.end - p.start <= LONG for p in found)


@pytest.mark.parametrize(
    ("word", "expected"),
    [  # from the paper that the stemmer follows
        ("caresses", "caress"), ("ponies", "poni"), ("cats", "cat"), ("agreed", "agre"), ("plastered", "plaster"), ("motoring", "motor"),
        ("conflated", "conflat"), ("hopping", "hop"), ("falling", "fall"), ("filing", "file"), ("happy", "happi"), ("sky", "sky"),
        ("relational", "relat"), ("conditional", "condit"), ("vietnamization", "vietnam"), ("formaliti", "formal"), ("triplicate", "triplic"),
        ("hopeful", "hope"), ("revival", "reviv"), ("adjustment", "adjust"), ("adoption", "adopt"), ("probate", "probat"), ("rate", "rate"),
        ("cease", "ceas"), ("controll", "control"), ("roll", "roll"), ("oscillators", "oscil"),
    ],
)  # fmt: skip
def test_stems_are_those_of_the_published_algorithm(word: str, expected: str) -> None:
    assert stem(word) == expected


@given(st.text(alphabet=string.ascii_lowercase, max_size=15))
def test_a_stem_is_never_longer_than_its_word_and_never_lost(word: str) -> None:
    assert len(stem(word)) <= len(word)
    assert bool(stem(word)) == bool(word)


@pytest.mark.parametrize(
    ("given_text", "expected"),
    [
        ("U.S. Tenant’s 5,000", ["u", "s", "tenant", "s", "5", "000"]),
        ("agree\u00adment in\u200bdeed", ["agreement", "indeed"]),
        ("eigh\ufffe\nteen", ["eighteen"]),
        ("ﬁnal Straße", ["final", "strasse"]),
        ("Socie\u0301te\u0301", ["societe"]),
        ("株式A", ["株", "式", "a"]),
    ],
)
def test_words_are_folded_for_finding(given_text: str, expected: list[str]) -> None:
    assert words(given_text) == expected


def test_an_excerpt_is_around_the_match(tmp_path: Path) -> None:
    long = "Filler words stand here. " * 60 + "The indemnity cap is two million. " + "More filler follows here. " * 60
    make: Callable[[str], Room] = lambda engine: build(tmp_path / engine, {"a.txt": text(long)}, engine=engine)  # noqa: E731
    for engine in ENGINES:
        with make(engine) as room:
            hit = room.search("indemnity cap")[0]
            assert "indemnity cap is two million" in hit.text
            assert len(hit.text) < 500
            assert room.slice(Span(hit.span.document, hit.span.start, hit.span.end)) == room.slice(hit.span)
