"""A model that has stopped answering is given up; what a server asks is measured by its own clock; each request counts."""

import asyncio
from pathlib import Path

import pytest
from servers.scripted import Received, Scripted, say, status

from redwell.journal.journal import Journal
from redwell.models.budget import Budget
from redwell.models.calls import Calls
from redwell.models.connect import connect
from redwell.models.health import Health
from redwell.models.retries import Policy
from redwell.models.types import CallFailed, Completion, Message, Request
from redwell.models.wire import retry_after

EAGER = Policy(enough=3, patience=0.0)
KEY = CallFailed("auth", "no such key", lasting=True)


def test_so_many_refusals_in_a_row_are_enough_and_one_answer_begins_anew() -> None:
    health = Health(EAGER)
    for _ in range(2):
        health.failed("m", KEY)
    health.answered("m")
    for _ in range(2):
        health.failed("m", KEY)
    assert health.refusal("m") is None
    health.failed("m", KEY)
    refusal = health.refusal("m")
    assert refusal is not None
    assert (refusal.kind, refusal.message) == ("auth", "not sent: 3 calls in a row had failed: no such key")
    assert health.refusal("another") is None


@pytest.mark.parametrize(
    ("kind", "given_up"),
    [
        ("connection", True),
        ("server", True),
        ("timeout", True),
        ("rate_limited", True),
        ("malformed", False),
        ("rejected", False),
    ],
)
def test_only_a_model_that_does_not_answer_is_given_up(kind: str, given_up: bool) -> None:
    health = Health(EAGER)
    for _ in range(3):
        health.failed("m", CallFailed(kind, "no"))  # type: ignore[arg-type]
    assert (health.refusal("m") is not None) is given_up


def test_a_model_that_shows_that_it_is_there_is_not_given_up() -> None:
    health = Health(EAGER)
    for kind in ("connection", "connection", "schema", "connection", "connection", "truncated"):
        health.failed("m", CallFailed(kind, "no"))  # type: ignore[arg-type]
        assert health.refusal("m") is None


def test_a_short_silence_is_waited_through() -> None:
    health = Health(Policy(enough=3, patience=3_600.0))
    for _ in range(100):
        health.failed("m", CallFailed("connection", "no"))
    assert health.refusal("m") is None


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "7"}, 7.0),
        ({"retry-after-ms": "250"}, 0.25),
        ({"retry-after": "-3"}, 0.0),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "inf"}, None),
        ({"retry-after": "Mon, 01 Jan 2001 00:00:30 GMT", "date": "Mon, 01 Jan 2001 00:00:00 GMT"}, 30.0),
        ({"retry-after": "Fri, 01 Jan 2100 00:00:05 GMT", "date": "Fri, 01 Jan 2100 00:00:00 GMT"}, 5.0),
        ({"retry-after": "Fri, 01 Jan 2100 00:00:05 GMT", "date": "Fri, 01 Jan 2100 00:00:50 GMT"}, 0.0),
        ({"retry-after": "Thu, 01 Jan 1970 00:01:40 GMT", "date": "yesterday"}, 60.0),
        ({"retry-after": "Thu, 01 Jan 1970 00:01:40 GMT"}, 60.0),
    ],
)
def test_a_date_to_wait_for_is_counted_from_the_servers_own_clock(
    headers: dict[str, str], seconds: float | None
) -> None:
    assert retry_after(headers, now=40.0) == seconds


def test_every_form_of_a_question_is_a_call_of_the_budget(tmp_path: Path) -> None:
    def script(received: Received) -> object:
        return status(400, "seed is not supported") if "seed" in received.body else say("yes", usage=(10, 0, 1))

    async def go(server: Scripted) -> list[object]:
        calls = Calls(journal, budget, {"sub": connect(f"openai:x@{server.url}", environment={})})
        request = Request((Message("user", "q"),), seed=1, max_output_tokens=16)
        found = await asyncio.gather(*(calls.call(request) for _ in range(5)), return_exceptions=True)
        await calls.close()
        return list(found)

    budget = Budget(calls=7, concurrency=1)
    with Scripted(script) as server, Journal.create(tmp_path / "run", {}) as journal:
        found = asyncio.run(go(server))
        assert server.count == 6, "the first is put twice, the others as the server takes them"
        assert all(isinstance(one, Completion) for one in found)
        assert budget.spent.calls == len(list(journal.events("call.sent"))) == 6


def test_a_server_that_refuses_every_form_is_not_asked_beyond_the_calls_that_are_left(tmp_path: Path) -> None:
    async def go(server: Scripted) -> None:
        calls = Calls(journal, Budget(calls=2), {"sub": connect(f"openai:x@{server.url}", environment={})})
        with pytest.raises(CallFailed) as failed:
            await calls.call(Request((Message("user", "q"),), schema={"type": "object"}, max_output_tokens=16))
        assert failed.value.kind == "budget"
        await calls.close()

    with (
        Scripted(lambda received: status(400, "response_format")) as server,
        Journal.create(tmp_path / "run", {}) as journal,
    ):
        asyncio.run(go(server))
        assert server.count == 2
