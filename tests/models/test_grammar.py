"""Grammars that hold a model to the words of documents, and the way back from what it said to the text as it stands."""

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redwell.models import grammar
from redwell.models.local import difference, probability
from redwell.models.local_files import Calibration
from redwell.models.types import CallFailed

TEXT = 'Fees.\n  The "Fee"\tis\u00a0$5\r\nper C:\\unit, net.'


def test_a_quote_leads_back_to_the_text_with_its_breaks_and_marks() -> None:
    text = grammar.quotable(TEXT)
    assert text.words == ("Fees.", "The", "'Fee'", "is", "$5", "per", "C:/unit,", "net.")
    assert text.source("The 'Fee' is $5") == 'The "Fee"\tis\u00a0$5'
    assert text.source(" per C:/unit, ") == "per C:\\unit,"
    for never in ("The Fee is", "Fees. is", "", "per C"):
        with pytest.raises(ValueError):
            text.source(never)


@given(st.text(max_size=200), st.integers(0, 30), st.integers(1, 30))
def test_every_run_of_words_of_any_text_is_found_again(raw: str, start: int, count: int) -> None:
    text = grammar.quotable(raw)
    run = text.words[start : start + count]
    if run:
        source = text.source(" ".join(run))
        assert source in raw
        assert tuple(grammar.spoken(word) for word in source.split()) == run


@given(st.text(max_size=200))
def test_no_text_can_leave_its_place_in_the_grammar(raw: str) -> None:
    rules = grammar.claim_and_quote(grammar.quotable(raw))
    lines = rules.splitlines()
    assert len(lines) == 6
    chunks = json.loads(lines[-1].partition("%regex ")[2])["substring_chunks"]
    for chunk in chunks:
        assert (
            json.loads(f'"{chunk}"').strip() == json.loads(f'"{chunk}"') or chunk == " "
        )  # each is the inside of a JSON string


def test_each_text_has_its_own_number_in_an_answer() -> None:
    rules = grammar.answer([(1, grammar.quotable("one two three")), (3, grammar.quotable("four five"))], most=2)
    assert rules.startswith("%llguidance {}\nstart: ")
    assert r'quoted: "1, \"text\": \"" quote_0 | "3, \"text\": \"" quote_1' in rules
    assert "(finding (" in rules
    assert "finding){0,1})?" in rules
    assert 'WORDS_1: %regex {"substring_chunks": ["four", " ", "five"]}' in rules
    assert "/(?s:.{9,500})/" in rules  # shorter than the shortest quote: quoted whole
    assert 'values: "{}"' in rules


def test_named_values_are_said_in_order_with_an_end_to_each() -> None:
    number = {"anyOf": [{"type": "number"}, {"type": "string"}, {"type": "null"}], "description": "number"}
    schema = {"type": "object", "properties": {"amount": number, "late": {"anyOf": [{"type": "boolean"}]}}}
    lines = grammar.answer([(1, grammar.quotable("a b"))], 1, schema).splitlines()
    assert r'values: "{\"amount\": " (NUMBER | TEXT | "null") ", \"late\": " ("true" | "false") "}"' in lines
    assert r'TEXT: /"[^"\\\x00-\x1f]{0,100}"/' in lines
    assert "start: " + r'"{\"findings\": [" (finding)? "], \"notes\": \"\"}"' in lines


def test_another_schema_is_left_to_the_engine_with_bounds() -> None:
    schema = {"type": "object", "properties": {"names": {"type": "array", "items": {"type": "string"}}}}
    rules = grammar.answer([(1, grammar.quotable("a b"))], 1, schema)
    line = next(line for line in rules.splitlines() if line.startswith("values: "))
    assert json.loads(line.removeprefix("values: %json ")) == {
        "type": "object",
        "properties": {"names": {"type": "array", "maxItems": 8, "items": {"type": "string", "maxLength": 100}}},
        "x-guidance": {"whitespace_flexible": False},
    }


def test_yes_and_no_are_summed_over_the_ways_of_saying_them() -> None:
    said = (
        ("Yes", math.log(0.5)),
        (" yes", math.log(0.1)),
        ("No", math.log(0.2)),
        ("NO", math.log(0.1)),
        ("Maybe", math.log(0.05)),
    )
    assert difference(said) == pytest.approx(math.log(0.6 / 0.3))


def test_an_answer_that_is_not_among_the_likeliest_has_at_most_the_last_ones_probability() -> None:
    assert difference((("Yes", math.log(0.9)), ("The", math.log(0.01)))) == pytest.approx(math.log(0.9 / 0.01))
    with pytest.raises(CallFailed, match="neither yes nor no"):
        difference((("Maybe", -0.1),))


def test_a_calibration_moves_the_point_at_which_a_yes_is_believed() -> None:
    assert probability(0.0, None) == 0.5
    assert probability(2.0, Calibration(3.0, -6.0)) == 0.5
    assert probability(3.0, Calibration(3.0, -6.0)) == pytest.approx(1 / (1 + math.exp(-3)))
    assert 0.0 < probability(-1e6, None) < 1e-20
