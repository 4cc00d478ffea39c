"""Reading a model's JSON: strict about what it is, tolerant about what is put around it."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redwell.models.schema import Malformed, Misfit, check, parse_object, read_answer, strict

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@given(st.dictionaries(st.text(), JSON, max_size=5))
def test_any_object_is_read_as_it_is_fenced_or_not(value: dict[str, object]) -> None:
    text = json.dumps(value, ensure_ascii=False)
    assert parse_object(text) == (value, text)
    assert parse_object(f"```json\n{text}\n```\n")[0] == value
    assert parse_object(f"```\r\n{text}\r\n```")[0] == value


@given(st.dictionaries(st.text(), JSON, min_size=1, max_size=3))
def test_the_only_object_is_cut_out_of_prose(value: dict[str, object]) -> None:
    text = json.dumps(value)
    assert parse_object(f"Here is what I found (see {{1}} below):\n\n{text}\n\nLet me know.") == (value, text)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "not JSON"),
        ("no JSON at all", "not JSON"),
        ('{"a": 1} and {"b": 2}', "several JSON objects"),
        ("[1, 2]", "not an object"),
        ('"text"', "not an object"),
        ('{"a": 1, "a": 2}', "stands twice"),
        ('{"a": {"b": 1, "b": 1}}', "stands twice"),
        ('{"a": NaN}', "NaN"),
        ('{"a": -Infinity}', "Infinity"),
        ('{"a": 1e999}', "too large"),
        ('{"a": 1', "not JSON"),
        ('{"findings": [{"claim": "whole"}, {"claim": "cut', "not JSON"),
        ("[" * 100_000, "nested too deeply"),
        ('{"a":' * 100_000, "not JSON|nested too deeply"),
    ],
)
def test_what_is_not_one_object_is_refused(text: str, reason: str) -> None:
    with pytest.raises(Malformed, match=reason):
        parse_object(text)


SCHEMA = {
    "type": "object",
    "properties": {
        "findings": {"type": "array", "maxItems": 2, "items": {"$ref": "#/$defs/finding"}},
        "share": {"type": ["number", "null"], "minimum": 0, "maximum": 1},
        "kind": {"enum": ["consent", "payment"]},
        "amount": {"anyOf": [{"type": "integer"}, {"type": "null"}]},
    },
    "required": ["findings"],
    "additionalProperties": False,
    "$defs": {
        "finding": {
            "type": "object",
            "properties": {"claim": {"type": "string", "minLength": 1}, "values": {"type": "object"}},
            "required": ["claim"],
        }
    },
}


@pytest.mark.parametrize(
    "value",
    [
        {"findings": []},
        {"findings": [{"claim": "x", "values": {"any": [1]}, "more": True}]},
        {"findings": [], "share": None, "kind": "payment", "amount": 3},
        {"findings": [], "share": 1, "amount": None},
    ],
)
def test_what_fits(value: dict[str, object]) -> None:
    assert read_answer(json.dumps(value), SCHEMA)[0] == value


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        ({}, "lacks 'findings'"),
        ({"findings": {}}, "findings must be array, not object"),
        ({"findings": [{"claim": 1}]}, r"findings\[0\]\.claim must be string, not integer"),
        ({"findings": [{"claim": ""}]}, r"length of findings\[0\]\.claim is 0, below 1"),
        ({"findings": [{}]}, r"findings\[0\] lacks 'claim'"),
        ({"findings": [{"claim": "x"}] * 3}, "number of entries in findings is 3, above 2"),
        ({"findings": [], "more": 1}, "'more', which was not asked for"),
        ({"findings": [], "share": 1.5}, "share is 1.5, above 1"),
        ({"findings": [], "share": True}, "share must be number or null, not boolean"),
        ({"findings": [], "kind": "other"}, "kind must be one of 'consent', 'payment', not 'other'"),
        ({"findings": [], "amount": "three"}, "amount must be integer.*; or amount must be null"),
    ],
)
def test_what_does_not_fit_says_where(value: dict[str, object], reason: str) -> None:
    with pytest.raises(Misfit, match=reason):
        check(value, SCHEMA)


def test_a_schema_that_runs_in_circles_ends() -> None:
    with pytest.raises(Misfit, match="nested too deeply"):
        check(1, {"$ref": "#"})


def test_which_schemas_strict_decoding_takes() -> None:
    closed = {
        "type": "object",
        "properties": {"a": {"type": "string"}},
        "required": ["a"],
        "additionalProperties": False,
    }
    assert strict(closed)
    assert strict(
        {
            "type": "object",
            "properties": {"list": {"type": "array", "items": closed}},
            "required": ["list"],
            "additionalProperties": False,
        }
    )
    assert not strict({**closed, "required": []})
    assert not strict({**closed, "properties": {"a": {"type": "object"}}})
