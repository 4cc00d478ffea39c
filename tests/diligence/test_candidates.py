"""What a slow model is shown: passages that cover what matters, each with the questions that its words raise."""

import itertools

from hypothesis import given
from hypothesis import strategies as st

from redwell.diligence.archetypes.catalogue import BY_ID
from redwell.diligence.candidates import LONGEST, MOST_KINDS, asked, candidates, cut, nearest
from redwell.harness.fence import Slice

CONTRACT = """1. Term
1.1 This Agreement runs for three years.

2. Termination
2.1 Customer may terminate this Agreement for convenience, without cause, upon sixty (60) days’ written notice to Supplier.

3. Weather
3.1 The parties like the weather on Tuesdays and have often said so to each other in the course of the last few years.

4. Control
4.1 Upon a change of control of Supplier, Customer may terminate this Agreement immediately; control means more than 50% of the voting shares.
"""


def piece(text: str, number: int = 1, path: str = "a/b.docx") -> Slice:
    return Slice(number, "0" * 64, path, 0, text, len(text))


@given(st.text(alphabet="ab .;,\n1()A", max_size=4_000))
def test_passages_are_short_stand_where_they_say_and_do_not_overlap(text: str) -> None:
    found = cut(piece(text))
    for passage in found:
        assert text[passage.start : passage.end] == passage.text
        assert len(passage.text) <= LONGEST
    assert all(first.end <= second.start for first, second in itertools.pairwise(found))


def test_a_paragraph_that_is_too_long_is_divided_and_nothing_of_it_lost() -> None:
    text = "The supplier shall insure the goods against loss. " * 60
    found = cut(piece(text))
    assert len(found) > 3
    assert sum(len(passage.text.split()) for passage in found) == len(text.split())


def test_the_questions_are_those_whose_words_stand_in_the_passage() -> None:
    found = candidates(
        [piece(CONTRACT)], frozenset({"change_of_control_termination", "termination_for_convenience", "copyleft"})
    )
    kinds = {kind for candidate in found for kind in candidate.kinds}
    assert kinds == {"change_of_control_termination", "termination_for_convenience"}
    assert [candidate.weight for candidate in found] == sorted((candidate.weight for candidate in found), reverse=True)


def test_no_passage_has_more_questions_than_are_worth_their_time() -> None:
    found = candidates([piece(CONTRACT)], frozenset(BY_ID))
    assert found
    assert max(len(candidate.kinds) for candidate in found) <= MOST_KINDS


def test_a_lease_s_question_is_not_asked_of_a_services_agreement() -> None:
    text = "Neither party may assign or transfer this Agreement, and a change of control needs the consent of the other party."
    kinds = frozenset({"lease_consent", "anti_assignment"})
    assert {kind for each in candidates([piece(text)], kinds) for kind in each.kinds} == {"anti_assignment"}
    lease = {kind for each in candidates([piece(text, path="8.0/lease-columbus.docx")], kinds) for kind in each.kinds}
    assert lease == {"anti_assignment", "lease_consent"}


def test_a_free_question_gets_everything_while_that_fits_and_then_the_nearest_passages_in_order() -> None:
    filler = (
        "Nothing of interest is written in this paragraph about the garden, its trees and the birds that sit in them.\n\n"
        * 200
    )
    text = (
        filler
        + "The key supplier for valves is Halden Castings and its prices were raised in March by nine percent in all.\n\n"
        + filler
    )
    pieces = [piece(CONTRACT, 1), piece(text, 2)]
    assert nearest([pieces[0]], "anything", 9_000) == cut(pieces[0])
    near = nearest(pieces, "Who is the supplier of valves and when did prices rise?", 2_000)
    assert any("Halden Castings" in passage.text for passage in near)
    assert sum(len(passage.text) for passage in near) <= 2_000
    assert near == sorted(near, key=lambda passage: (passage.number, passage.start))


def test_a_question_is_asked_without_what_only_a_program_can_use() -> None:
    assert "(values:" in BY_ID["financial_covenant"].question
    assert asked("financial_covenant") == "Which ratios must be kept, and at what level?"
