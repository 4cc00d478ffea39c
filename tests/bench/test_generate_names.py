"""Names in a generated room: of files, companies, people and places."""

from __future__ import annotations

import random
import re
from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from redwell.bench.generate import marks, naming, plan
from redwell.bench.generate.papers import Clause, Para
from redwell.bench.generate.world import make_world


@given(st.lists(st.tuples(st.text(max_size=120), st.sampled_from(["", "draft", "form", "unsigned"])), max_size=30))
def test_every_file_of_a_folder_has_a_name_of_its_own_of_72_characters_at_most(titles: list[tuple[str, str]]) -> None:
    taken: set[str] = set()
    made = [naming.path("1.0 A/1.1 B", title, status, ".docx", taken) for title, status in titles]
    assert len({path.lower() for path in made}) == len(made)
    for path, (_, status) in zip(made, titles, strict=True):
        name = path.removeprefix("1.0 A/1.1 B/")
        assert len(name) <= naming.LONGEST
        assert re.fullmatch(r"[a-z0-9]+(?:-[a-z0-9]+)*\.docx", name)
        assert status in name


def test_a_long_title_is_cut_before_what_the_paper_is() -> None:
    name = naming.path(
        "F", "Amended and Restated Master Services and Supply Agreement - Kestrel Freight", "draft", ".docx", set()
    )
    assert name == "F/amended-and-restated-master-services-and-supply-agreement-kes-draft.docx"
    assert naming.path("F", "Señor Ødegård & Co.", "", ".txt", set()) == "F/senor-degard-co.txt"


def test_thousands_of_companies_people_and_places_share_no_name() -> None:
    world = make_world("names", "train")
    rng = random.Random(1)
    companies = [world.company(rng) for _ in range(5000)]
    people = [world.person(rng, "Clerk") for _ in range(8000)]
    places = [world.place(rng) for _ in range(400)]
    assert len({company.short.split()[0] for company in companies}) == 5000
    assert len({person.name for person in people}) == 8000
    assert len({place.city for place in places}) == 400
    assert len({person.email for person in people}) == 8000
    assert all(person.email.endswith(".example") for person in people)


def test_a_world_is_the_same_for_its_seed_and_adds_up() -> None:
    assert make_world("7", "train") == make_world("7", "train")
    assert make_world("7", "train").target != make_world("8", "train").target
    for seed in map(str, range(40)):
        world = make_world(seed, "dev")
        deal = world.deal
        assert sum(holder.shares for holder in world.holders) == deal.shares
        assert deal.per_share * deal.shares == deal.price
        assert deal.signing < deal.as_of < deal.closing < deal.outside
        assert abs(world.figures.ebitda * world.figures.multiple / deal.price - 1) < 0.01


@given(st.integers(8, 5000), st.dictionaries(st.sampled_from(list(plan.MIX)), st.integers(0, 40)))
def test_kinds_still_to_be_made_fill_the_room_exactly(documents: int, taken: dict[str, int]) -> None:
    left = documents - sum(taken.values())
    kinds = plan.kinds_left(documents, Counter(taken))
    assert len(kinds) == max(0, left)


def test_marks_name_words_and_pointers_are_kept_apart_by_plant() -> None:
    clause = Clause("Term", "See {§fee} of {@msa} and {@cap_table}: ⟦end|it ends {@msa}⟧.", "whole", ("⟦sub|one⟧ two",))
    apart = marks.prefixed(clause, "P1/", ("cap_table",))
    assert apart == Clause(
        "Term",
        "See {§P1/fee} of {@P1/msa} and {@cap_table}: ⟦P1/end|it ends {@P1/msa}⟧.",
        "P1/whole",
        ("⟦P1/sub|one⟧ two",),
    )
    assert list(marks.quotes(apart)) == [
        ("P1/whole", "See {§P1/fee} of {@P1/msa} and {@cap_table}: it ends {@P1/msa}.", ""),
        ("P1/end", "it ends {@P1/msa}", ""),
        ("P1/sub", "one", "0"),
    ]
    said = marks.rewritten(Para("a {file:x} b"), lambda text: marks.point(text, lambda kind, name: f"<{kind}{name}>"))
    assert said == Para("a <file:x> b")
