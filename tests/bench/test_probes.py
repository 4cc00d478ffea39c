"""Coverage by probes: what it finds, and that it agrees with the journal's spans."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from room.room_builder import build, text

from redwell.bench import probes
from redwell.journal.coverage import coverage
from redwell.journal.journal import Journal
from redwell.journal.span import Span
from redwell.room.room import Room

pytestmark = pytest.mark.xdist_group("probes")

WORDS = [f"w{number}" for number in range(5_000)]


def prose(seed: int, words: int) -> str:
    rng = random.Random(seed)
    return " ".join(rng.choice(WORDS) for _ in range(words)) + "."


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Room:
    same = prose(99, 400)
    return build(
        tmp_path_factory.mktemp("room") / "store",
        {
            "long.txt": text(*(prose(n, 300) for n in range(12))),
            "short.txt": text("Only these few words."),
            "one.txt": text(same),
            "two.txt": text(same, "Signed."),
            "plan.txt": text(prose(50, 600)),
        },
    )


def asked(journal: Journal, number: int, spans: list[Span], before: str = "") -> None:
    """A call of a sub-agent that was sent these stretches, and answered."""
    content = [{"text": before}, *({"span": [s.document, s.start, s.end, s.view]} for s in spans)]
    request = json.dumps({"messages": [{"role": "user", "content": content}]})
    data = {"call": f"c{number}", "role": "sub", "model": "any"}
    listed = [[s.document, s.start, s.end, s.view] for s in spans]
    journal.append("call.sent", "root", data | {"spans": listed, "purpose": "read"}, request=request)
    journal.append("call.completed", "root", data | {"usage": None, "cost": None, "seconds": 0.0})


def test_words_that_stand_twice_in_the_room_are_no_probe(room: Room) -> None:
    of = {room.document(probe.span.document).path for probe in probes.draw(room)}
    assert of == {"long.txt", "plan.txt"}  # one.txt and two.txt say the same; short.txt has too few words


def test_probes_are_the_same_for_a_seed_and_lie_where_they_say(room: Room) -> None:
    drawn = probes.draw(room, seed=3)
    assert drawn == probes.draw(room, seed=3)
    assert drawn != probes.draw(room, seed=4)
    for probe in drawn:
        assert tuple(room.slice(probe.span).lower().replace(".", "").split()) == probe.words


def test_what_was_sent_is_found_and_nothing_else(room: Room, tmp_path: Path) -> None:
    plan = room.document("plan.txt")
    with Journal.create(tmp_path / "run", {}) as journal:
        asked(journal, 1, [Span(plan.id, 0, plan.length)], "Read this:")
        drawn = probes.draw(room)
        found = probes.seen(drawn, probes.sent_texts(journal, room))
    shares = probes.probed(drawn, found).documents
    assert shares[plan.id] == 1.0
    assert shares[room.document("long.txt").id] == 0.0


def test_layout_case_and_punctuation_do_not_hide_a_probe(room: Room) -> None:
    drawn = probes.draw(room)
    told = [" |\n".join(word.upper() for word in probe.words) + "!" for probe in drawn]
    assert probes.seen(drawn, told) == set(range(len(drawn)))


@settings(max_examples=30, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 30_000), st.integers(1, 9_000)), max_size=6))
def test_both_ways_of_measuring_agree_probe_by_probe(
    room: Room, tmp_path_factory: pytest.TempPathFactory, stretches: list[tuple[int, int]]
) -> None:
    long = room.document("long.txt")
    spans = [Span(long.id, min(a, long.length), min(a + size, long.length)) for a, size in stretches]
    with Journal.create(tmp_path_factory.mktemp("run") / "run", {}) as journal:
        for number, span in enumerate(spans):
            asked(journal, number, [span])
        drawn = probes.draw(room)
        found = probes.seen(drawn, probes.sent_texts(journal, room))
        exact = coverage(journal, {d.id: d.length for d in room.documents()})
    assert probes.disagreements(drawn, found, exact) == []


def test_a_journal_that_claims_more_than_it_sent_is_found_out(room: Room, tmp_path: Path) -> None:
    plan = room.document("plan.txt")
    with Journal.create(tmp_path / "run", {}) as journal:
        asked(journal, 1, [Span(plan.id, 0, 10)])
        data = {"call": "c2", "role": "sub", "model": "any"}
        request = json.dumps({"messages": [{"role": "user", "content": [{"text": "nothing of it"}]}]})
        whole = [[plan.id, 0, plan.length, "final"]]
        journal.append("call.sent", "root", data | {"spans": whole, "purpose": "read"}, request=request)
        journal.append("call.completed", "root", data | {"usage": None, "cost": None, "seconds": 0.0})
        drawn = probes.draw(room)
        found = probes.seen(drawn, probes.sent_texts(journal, room))
        exact = coverage(journal, {plan.id: plan.length})
    wrong = probes.disagreements(drawn, found, exact)
    assert {probe.span.document for probe in wrong} == {plan.id}
    assert len(wrong) == sum(probe.span.document == plan.id for probe in drawn)
