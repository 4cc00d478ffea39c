"""Reading the JSON that a model wrote: strictly, because it is a stranger's."""

from __future__ import annotations

import json
import math
import re
from typing import Any

_FENCE = re.compile(r"\A```[ \t]*(?:json|JSON)?[ \t]*\r?\n(.*?)\r?\n?```\Z", re.DOTALL)
_OBJECT = re.compile(r"\{\s*[\"}]")
_LONGEST = 8_000_000
_DEEPEST = 64
_TYPES: dict[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "null": (type(None),),
}


class Malformed(ValueError):
    """Not JSON, or not one JSON object, with the reason."""


class Misfit(ValueError):
    """JSON that does not fit the schema, with the place and the reason."""


def parse_object(text: str) -> tuple[dict[str, Any], str]:
    """The one JSON object of an answer, and the text it was read from.

    A fence around it is taken off, and so is prose around it when exactly one object can be cut out. Duplicate keys, NaN and
    Infinity are refused. Raises Malformed.
    """
    if len(text) > _LONGEST:
        raise Malformed(f"the answer has {len(text)} characters")
    stripped = text.strip().removeprefix("\ufeff")
    if fenced := _FENCE.match(stripped):
        stripped = fenced.group(1).strip()
    try:
        value = _loads(stripped)
    except Malformed as error:
        return _cut_out(stripped, error)
    if not isinstance(value, dict):
        raise Malformed(f"the answer is a JSON {_name(value)}, not an object")
    return value, stripped


def check(value: Any, schema: dict[str, Any]) -> None:
    """Raises Misfit at the first place where the value does not fit the schema.

    Knows type, enum, const, properties, required, additionalProperties, items, the limits on lengths and numbers, anyOf, and $ref
    within the schema; other keywords are notes.
    """
    _check(value, schema, schema, "", 0)


def read_answer(text: str, schema: dict[str, Any]) -> tuple[dict[str, Any], str]:
    """`parse_object` and `check` in one."""
    value, cut = parse_object(text)
    check(value, schema)
    return value, cut


def strict(schema: Any) -> bool:
    """Whether a schema says all that strict decoding asks for: objects are closed and every property is required."""
    if isinstance(schema, list):
        return all(strict(part) for part in schema)
    if not isinstance(schema, dict):
        return True
    if schema.get("type") == "object" or "properties" in schema:
        names = set(schema.get("properties", {}))
        if schema.get("additionalProperties") is not False or set(schema.get("required", ())) != names:
            return False
    return all(strict(part) for part in schema.values())


def _loads(text: str) -> Any:
    try:
        return _DECODER.decode(text)
    except Malformed:
        raise
    except RecursionError:
        raise Malformed("the JSON is nested too deeply") from None
    except ValueError as error:
        raise Malformed(f"not JSON: {error}") from None


def _cut_out(text: str, first: Malformed) -> tuple[dict[str, Any], str]:
    """The only JSON object in prose.

    A brace begins an object when a quotation mark or the closing brace follows; if that object is cut or broken, the smaller whole
    ones within it are not the answer.
    """
    found: list[tuple[dict[str, Any], str]] = []
    start = _OBJECT.search(text)
    while start is not None:
        try:
            value, end = _DECODER.raw_decode(text, start.start())
        except Malformed:
            raise
        except RecursionError:
            raise Malformed("the JSON is nested too deeply") from None
        except ValueError as error:
            raise Malformed(f"not JSON: {error}") from None
        if found:
            raise Malformed("several JSON objects in the answer")
        found.append((value, text[start.start() : end]))
        start = _OBJECT.search(text, end)
    if not found:
        raise first
    return found[0]


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) != len(pairs):
        seen: set[str] = set()
        for name, _ in pairs:
            if name in seen:
                raise Malformed(f"the key {name!r} stands twice in one object")
            seen.add(name)
    return value


def _no_constant(name: str) -> Any:
    raise Malformed(f"{name} is not JSON")


def _finite(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise Malformed(f"the number {text[:40]} is too large")
    return value


_DECODER = json.JSONDecoder(object_pairs_hook=_unique, parse_constant=_no_constant, parse_float=_finite)


def _check(value: Any, schema: Any, root: dict[str, Any], at: str, depth: int) -> None:
    if depth > _DEEPEST:
        raise Misfit(f"{at or 'the answer'} is nested too deeply")
    if not isinstance(schema, dict):
        return
    if isinstance(reference := schema.get("$ref"), str):
        _check(value, _resolve(reference, root), root, at, depth + 1)
    if "anyOf" in schema:
        _check_any(value, schema["anyOf"], root, at, depth)
    where = at or "the answer"
    if "const" in schema and not _same(value, schema["const"]):
        raise Misfit(f"{where} must be {schema['const']!r}")
    if "enum" in schema and not any(_same(value, one) for one in schema["enum"]):
        raise Misfit(f"{where} must be one of {', '.join(map(repr, schema['enum']))}, not {_show(value)}")
    if "type" in schema:
        kinds = [schema["type"]] if isinstance(schema["type"], str) else schema["type"]
        if not any(_is(value, kind) for kind in kinds):
            raise Misfit(f"{where} must be {' or '.join(kinds)}, not {_name(value)}")
    if isinstance(value, dict):
        _check_object(value, schema, root, at, depth)
    elif isinstance(value, list):
        _within(len(value), schema, "minItems", "maxItems", f"the number of entries in {where}")
        for number, entry in enumerate(value):
            _check(entry, schema.get("items"), root, f"{at}[{number}]", depth + 1)
    elif isinstance(value, str):
        _within(len(value), schema, "minLength", "maxLength", f"the length of {where}")
    elif isinstance(value, int | float) and not isinstance(value, bool):
        _within(value, schema, "minimum", "maximum", where)


def _check_object(value: dict[str, Any], schema: dict[str, Any], root: dict[str, Any], at: str, depth: int) -> None:
    properties = schema.get("properties", {})
    for name in schema.get("required", ()):
        if name not in value:
            raise Misfit(f"{at or 'the answer'} lacks {name!r}")
    others = schema.get("additionalProperties", True)
    for name, entry in value.items():
        place = f"{at}.{name}" if at else name
        if name in properties:
            _check(entry, properties[name], root, place, depth + 1)
        elif others is False:
            raise Misfit(f"{at or 'the answer'} has {name!r}, which was not asked for")
        else:
            _check(entry, others, root, place, depth + 1)


def _check_any(value: Any, schemas: list[Any], root: dict[str, Any], at: str, depth: int) -> None:
    reasons: list[str] = []
    for one in schemas:
        try:
            _check(value, one, root, at, depth + 1)
            return
        except Misfit as error:
            reasons.append(str(error))
    raise Misfit("; or ".join(reasons) or f"{at or 'the answer'} fits nothing")


def _resolve(reference: str, root: dict[str, Any]) -> Any:
    node: Any = root
    for part in reference.removeprefix("#").strip("/").split("/"):
        if part:
            node = node.get(part.replace("~1", "/").replace("~0", "~")) if isinstance(node, dict) else None
    return node


def _within(size: float, schema: dict[str, Any], least: str, most: str, what: str) -> None:
    if least in schema and size < schema[least]:
        raise Misfit(f"{what} is {size:g}, below {schema[least]}")
    if most in schema and size > schema[most]:
        raise Misfit(f"{what} is {size:g}, above {schema[most]}")


def _is(value: Any, kind: str) -> bool:
    if isinstance(value, bool):
        return kind == "boolean"
    if kind == "integer" and isinstance(value, float):
        return value.is_integer()
    return isinstance(value, _TYPES.get(kind, (object,)))


def _same(value: Any, other: Any) -> bool:
    return type(value) is type(other) and bool(value == other)


def _name(value: Any) -> str:
    return next((name for name in _TYPES if _is(value, name)), type(value).__name__)


def _show(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
