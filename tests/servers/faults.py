"""Everything that a model server can do wrong with one call, and how the call has to end.

A fault is an answer (see `scripted`); `good` is what a call over a document should bring, `other` what another call's answer would be.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

from servers.scripted import Answer, drop, endless, hang, raw, say, status, trickle

TOLD = (100, 0, 10)
"""Usage of every answer that tells it."""
LONG_AGO = "Mon, 01 Jan 2001 00:00:00 GMT"

Make = Callable[[str, str], Any]


@dataclass(frozen=True)
class Fault:
    """`make(good, other)` is the faulty answer. `ends` is the kind of failure when it lasts; empty when the answer is taken all the
    same. `requests` are sent then, under a policy of 3 attempts; `told` says whether the server tells what such an answer used."""

    make: Make
    ends: str
    requests: int
    told: bool = False


def not_served(code: int, headers: dict[str, str] | None = None) -> Fault:
    return Fault(lambda good, other: status(code, "no", headers), "rate_limited" if code == 429 else "server", 3, True)


def refused(code: int, kind: str, headers: dict[str, str] | None = None) -> Fault:
    return Fault(lambda good, other: status(code, "no", headers), kind, 1, True)


def lost(make: Callable[[str], Any], kind: str) -> Fault:
    return Fault(lambda good, other: make(good), kind, 3)


def no_answer(body: bytes, headers: dict[str, str] | None = None) -> Fault:
    return Fault(lambda good, other: raw(body, headers), "malformed", 2)


def useless(make: Make, kind: str) -> Fault:
    return Fault(make, kind, 2, True)


def taken(make: Make, *, told: bool = False) -> Fault:
    return Fault(make, "", 1, told)


def told(text: str, **more: Any) -> Answer:
    return say(text, usage=TOLD, **more)


def envelope(usage: Any) -> Make:
    return lambda good, other: say(good, usage=usage)


def altered(good: str) -> str:
    """The same findings with a word in each quote that the document does not have."""
    value = json.loads(good)
    for finding in value["findings"]:
        for quote in finding["quotes"]:
            quote["text"] = quote["text"].replace("shall not", "may freely")
    return json.dumps(value)


def nested(depth: int) -> str:
    return '{"findings": ' + "[" * depth + "]" * depth + "}"


@cache
def packed(body: bytes, times: int = 1) -> Answer:
    for _ in range(times):
        body = gzip.compress(body, 1)
    return raw(body, {"Content-Encoding": ", ".join(["gzip"] * times)})


def zeros(mebibytes: int) -> bytes:
    return b'{"choices": "' + b"0" * (mebibytes << 20) + b'"}'


def one_finding(claim: str) -> str:
    return '{"findings": [{"kind": "x", "claim": "' + claim + '", "quotes": []}], "notes": ""}'


RECOVERABLE: dict[str, Fault] = {
    "429, seconds": not_served(429, {"Retry-After": "0.02"}),
    "429, milliseconds": not_served(429, {"Retry-After-Ms": "20"}),
    "429, a date": not_served(429, {"Retry-After": LONG_AGO, "Date": LONG_AGO}),
    "429, negative": not_served(429, {"Retry-After": "-5"}),
    "429, no number": not_served(429, {"Retry-After": "soon"}),
    "429, not a number": not_served(429, {"Retry-After": "nan"}),
    "429, without": not_served(429),
    "500": not_served(500),
    "503, in a page": Fault(lambda g, o: Answer(status=503, body=b"<html>down</html>"), "server", 3, True),
    "500 without end": Fault(lambda g, o: endless(b"no " * 9_000, 500), "server", 3, True),
    "dropped before the answer": lost(lambda good: drop("before"), "connection"),
    "dropped during the answer": lost(lambda good: drop("during"), "connection"),
    "empty body": no_answer(b""),
    "a page": no_answer(b"<html>gateway</html>", {"Content-Type": "text/html"}),
    "half a body": no_answer(b'{"choices": [{"mess'),
    "a list": no_answer(b"[1, 2]"),
    "no choice": no_answer(b'{"choices": [], "content": "x"}'),
    "brackets without end": no_answer(b"[" * 100_000),
    "an object in an object in an object": no_answer(b'{"choices":' * 50_000 + b"1" + b"}" * 50_000),
    "invalid UTF-8": no_answer(b'{"choices": [{"message": {"content": "\xff\xfe\xfa"}}]}'),
    "an answer without end": Fault(lambda g, o: endless(b"no " * 9_000), "malformed", 2),
    "a bomb": Fault(lambda g, o: packed(zeros(64)), "malformed", 2),
    "a bomb in a bomb": Fault(lambda g, o: packed(zeros(8), 2), "malformed", 2),
    "packed, and it is not": no_answer(b"{}", {"Content-Encoding": "gzip"}),
    "packed as nobody knows": no_answer(b"{}", {"Content-Encoding": "lzma"}),
    "the answer to another request": no_answer(b"{}", {"Idempotency-Key": "somebody-else"}),
    "empty": useless(lambda g, o: told(""), "empty"),
    "no JSON": useless(lambda g, o: told("There are no findings here."), "malformed"),
    "JSON in JSON without end": useless(lambda g, o: told(nested(50_000)), "malformed"),
    "NaN": useless(lambda g, o: told('{"findings": [], "notes": NaN}'), "malformed"),
    "Infinity": useless(lambda g, o: told('{"findings": [], "x": -Infinity}'), "malformed"),
    "1e999": useless(lambda g, o: told('{"findings": [], "x": 1e999}'), "malformed"),
    "a key twice": useless(lambda g, o: told('{"findings": [], "findings": []}'), "malformed"),
    "two answers": useless(lambda g, o: told('{"findings": []} or {"findings": []}'), "malformed"),
    "a string of 3 MB": Fault(lambda g, o: told(one_finding("a" * (3 << 20))), "malformed", 2, True),
    "a string of 50 MB": Fault(lambda g, o: told(one_finding("a" * (50 << 20))), "malformed", 2),
    "thousands of findings": useless(
        lambda g, o: told(json.dumps({"findings": json.loads(g)["findings"] * 3_000})), "malformed"
    ),
    "no findings": useless(lambda g, o: told('{"notes": "none"}'), "schema"),
    "findings that are words": useless(lambda g, o: told('{"findings": ["a lease"]}'), "schema"),
    "a quote that is a number": useless(
        lambda g, o: told('{"findings": [{"kind": "x", "claim": "y", "quotes": [{"document": 1, "text": 5}]}]}'),
        "schema",
    ),
    "altered quotes": useless(lambda g, o: told(altered(g)), "unfounded"),
    "another document's quotes": useless(lambda g, o: told(o), "unfounded"),
}
"""What may pass: once, and the next attempt brings the answer; or for ever, and the call ends in the failure named."""

SLOW: dict[str, Fault] = {
    "silence": lost(lambda good: hang(600), "timeout"),
    "byte by byte": lost(lambda good: trickle(good, 600), "timeout"),
}
"""What takes longer than anybody waits; the same otherwise."""

LASTING: dict[str, Fault] = {
    "cut": Fault(lambda good, other: told(good[:40], finish="length"), "truncated", 1, True),
    "a filter's refusal": Fault(lambda good, other: told("", finish="content_filter"), "rejected", 1, True),
    "too long": refused(413, "context_length"),
    "an unknown model": refused(404, "rejected"),
    "an unknown key": refused(401, "auth"),
    "forbidden": refused(403, "auth"),
    "sent elsewhere": refused(307, "rejected", {"Location": "http://127.0.0.1:9/"}),
    "wait for ten years": Fault(
        lambda good, other: status(429, "no", {"Retry-After": str(10 * 365 * 86_400)}), "rate_limited", 1, True
    ),
    "wait for a day": Fault(
        lambda good, other: status(429, "no", {"Retry-After": "Tue, 02 Jan 2001 00:00:00 GMT", "Date": LONG_AGO}),
        "rate_limited",
        1,
        True,
    ),
}
"""What is not tried again."""

TAKEN: dict[str, Fault] = {
    "dropped after the answer": taken(lambda g, o: Answer(text=g, usage=TOLD, drop="after"), told=True),
    "in a fence": taken(lambda g, o: told(f"```json\n{g}\n```"), told=True),
    "in prose": taken(lambda g, o: told(f"Here it is: {g} I hope this helps."), told=True),
    "called text": taken(lambda g, o: Answer(text=g, usage=TOLD, headers={"Content-Type": "text/plain"}), told=True),
    "half a character": taken(lambda g, o: told(g.replace("It needs", "\\ud800 It needs")), told=True),
    "without usage": taken(envelope(None)),
    "usage below nothing": taken(
        envelope({"prompt_tokens": -5, "completion_tokens": -1, "input_tokens": -5, "output_tokens": -1})
    ),
    "usage beyond belief": taken(
        envelope(dict.fromkeys(("prompt_tokens", "completion_tokens", "input_tokens", "output_tokens"), 10**30))
    ),
    "usage in words": taken(envelope(dict.fromkeys(("prompt_tokens", "input_tokens", "output_tokens"), "12"))),
    "usage that is a list": taken(envelope([1, 2])),
}
"""What is an answer all the same."""
