"""Every fault of a model server ends as a typed failure or as a recovered call."""

import asyncio
import json
from pathlib import Path

import pytest
from servers.scripted import Scripted, drop, hang, in_turn, raw, say, status, trickle, use_tool

from redwell.journal.journal import Journal
from redwell.models.budget import Budget
from redwell.models.calls import Calls
from redwell.models.connect import connect
from redwell.models.retries import Policy
from redwell.models.types import CallFailed, Completion, Message, Request, Tool, Usage

QUICK = Policy(attempts=3, base=0.001, longest=0.01)
SCHEMA = {
    "type": "object",
    "properties": {"found": {"type": "boolean"}},
    "required": ["found"],
    "additionalProperties": False,
}
PYTHON = Tool(
    "python", "Runs code.", {"type": "object", "properties": {"code": {"type": "string"}}, "required": ["code"]}
)


def question(text: str = "Is there a change of control clause?", **more: object) -> Request:
    given: dict[str, object] = {"max_output_tokens": 64, "seconds": 5.0}
    return Request((Message("system", "You read."), Message("user", text)), **(given | more))  # type: ignore[arg-type]


def ask(
    server: Scripted, folder: Path, *requests: Request, kind: str = "openai", policy: Policy = QUICK
) -> list[Completion | CallFailed]:
    """Asks all at once, and returns answers and failures in the order of the requests."""

    async def go() -> list[Completion | CallFailed]:
        url = server.url if kind == "openai" else server.anthropic_url
        model = connect(f"{kind}:scripted@{url}", environment={})
        journal = Journal.create(folder / "run", {})
        calls = Calls(journal, Budget(concurrency=8), {"sub": model}, policy=policy)
        try:
            outcomes = await asyncio.gather(
                *(calls.call(request, call_id=f"c{number}") for number, request in enumerate(requests)),
                return_exceptions=True,
            )
        finally:
            await calls.close()
            journal.close()
        for outcome in outcomes:
            if not isinstance(outcome, Completion | CallFailed):
                raise outcome
        return outcomes  # type: ignore[return-value]

    return asyncio.run(go())


@pytest.fixture(params=["openai", "anthropic"])
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


RECOVERED = {
    "429 with Retry-After": status(429, "slow down", {"Retry-After": "0.01"}),
    "429 without Retry-After": status(429, "slow down"),
    "500": status(500, "oops"),
    "503": status(503, "overloaded"),
    "529": status(529, "overloaded"),
    "dropped before the answer": drop("before"),
    "dropped during the answer": drop("during"),
    "empty": say(""),
    "only spaces": say(" \n"),
    "not JSON": raw(b"<html>gateway</html>"),
    "JSON that is not an object": raw(b"[1, 2]"),
    "no choices": raw(b'{"id": "x"}'),
    "a body that ends early": raw(b'{"choices": [{"mess'),
    "the answer to another request": raw(b"{}", {"Idempotency-Key": "somebody-else"}),
}


@pytest.mark.parametrize("fault", RECOVERED.values(), ids=RECOVERED.keys())
def test_a_passing_fault_is_recovered(fault: object, kind: str, tmp_path: Path) -> None:
    with Scripted([fault, "yes"]) as server:
        (outcome,) = ask(server, tmp_path, question(), kind=kind)
        assert isinstance(outcome, Completion)
        assert outcome.text == "yes"
        assert server.count == 2


LASTING = {
    "429": (status(429, "slow down"), "rate_limited", 3),
    "500": (status(500, "oops"), "server", 3),
    "dropped before the answer": (drop("before"), "connection", 3),
    "dropped during the answer": (drop("during"), "connection", 3),
    "empty": (say(""), "empty", 2),
    "cut": (say("half an ans", finish="length"), "truncated", 1),
    "not JSON": (raw(b"<html>gateway</html>"), "malformed", 2),
    "key refused": (status(401, "no such key"), "auth", 1),
    "no such model": (status(404, "no such model"), "rejected", 1),
    "too long": (status(400, "This model's maximum context length is 8192 tokens"), "context_length", 1),
    "too large": (status(413, "request entity too large"), "context_length", 1),
    "a redirect": (status(307, "elsewhere", {"Location": "http://127.0.0.1:9/"}), "rejected", 1),
    "far too long": (say("yes " * 3_000), "malformed", 2),
}


@pytest.mark.parametrize(("fault", "failure", "requests"), LASTING.values(), ids=LASTING.keys())
def test_a_lasting_fault_is_a_typed_failure(
    fault: object, failure: str, requests: int, kind: str, tmp_path: Path
) -> None:
    with Scripted(lambda _: fault) as server:
        (outcome,) = ask(server, tmp_path, question(), kind=kind)
        assert isinstance(outcome, CallFailed)
        assert (outcome.kind, outcome.attempts, server.count) == (failure, requests, requests)
        assert "Traceback" not in outcome.message


def test_a_connection_closed_after_the_answer_costs_nothing(kind: str, tmp_path: Path) -> None:
    with Scripted(lambda _: drop("after")) as server:
        outcomes = ask(server, tmp_path, *(question(f"question {number}") for number in range(6)), kind=kind)
        assert [outcome.text for outcome in outcomes if isinstance(outcome, Completion)] == [
            "the answer that was dropped"
        ] * 6
        assert server.count == 6


@pytest.mark.parametrize("fault", [hang(30), trickle("a slow answer", 30)], ids=["silence", "trickle"])
def test_an_answer_that_takes_too_long_is_a_timeout(fault: object, kind: str, tmp_path: Path) -> None:
    with Scripted(lambda _: fault) as server:
        (outcome,) = ask(server, tmp_path, question(seconds=0.6), kind=kind, policy=Policy(attempts=2, base=0.001))
        assert isinstance(outcome, CallFailed)
        assert (outcome.kind, server.count) == ("timeout", 2)


def test_a_server_that_is_not_there_is_a_connection_failure(tmp_path: Path) -> None:
    with Scripted([]) as server:
        pass
    (outcome,) = ask(server, tmp_path, question())
    assert isinstance(outcome, CallFailed)
    assert outcome.kind == "connection"


def test_a_fault_of_one_call_leaves_the_others_alone(tmp_path: Path) -> None:
    def script(received: object) -> object:
        number = int(received.user.split()[-1])  # type: ignore[attr-defined]
        return [say(f"answer {number}"), status(404, "no"), say("", usage=(9, 0, 0)), drop("before")][number % 4]

    with Scripted(script) as server:
        outcomes = ask(server, tmp_path, *(question(f"question {number}") for number in range(16)))
    kinds = [outcome.kind if isinstance(outcome, CallFailed) else outcome.text for outcome in outcomes]
    assert kinds == [
        part for number in range(0, 16, 4) for part in (f"answer {number}", "rejected", "empty", "connection")
    ]


def test_usage_of_failed_attempts_is_told(tmp_path: Path) -> None:
    with Scripted([say("", usage=(100, 40, 7)), say("", usage=(100, 90, 3))]) as server:
        (outcome,) = ask(server, tmp_path, question())
        assert isinstance(outcome, CallFailed)
        assert outcome.usage == Usage(200, 130, 10)


def test_missing_usage_is_unknown_and_not_nothing(kind: str, tmp_path: Path) -> None:
    with Scripted([say("yes", usage=None)]) as server:
        (outcome,) = ask(server, tmp_path, question(), kind=kind)
        assert isinstance(outcome, Completion)
        assert outcome.usage is None


def test_wrong_json_and_wrong_schema_are_asked_once_more(kind: str, tmp_path: Path) -> None:
    def answer(value: object) -> object:
        return use_tool("answer", json.dumps(value)) if kind == "anthropic" else say(json.dumps(value))

    with Scripted([answer({"found": "maybe"}), answer({"found": True})]) as server:
        (outcome,) = ask(server, tmp_path, question(schema=SCHEMA), kind=kind)
        assert isinstance(outcome, Completion)
        assert json.loads(outcome.text) == {"found": True}
        assert len(server.keys) == 2  # an answer of no use is not what the same key may bring again


def test_an_answer_that_never_fits_the_schema_says_where(tmp_path: Path) -> None:
    with Scripted(lambda _: say('{"found": 1, "sure": true}')) as server:
        (outcome,) = ask(server, tmp_path, question(schema=SCHEMA))
        assert isinstance(outcome, CallFailed)
        assert outcome.kind == "schema"
        assert "found must be boolean" in outcome.message


def test_a_call_of_a_tool_that_was_not_offered_is_malformed(kind: str, tmp_path: Path) -> None:
    with Scripted(lambda _: use_tool("shell", {"command": "ls"})) as server:
        (outcome,) = ask(server, tmp_path, question(tools=(PYTHON,)), kind=kind)
        assert isinstance(outcome, CallFailed)
        assert outcome.kind == "malformed"


def test_a_storm_of_429_loses_no_call_and_closes_the_endpoint_for_all(tmp_path: Path) -> None:
    script = in_turn(status(429, "slow down", {"Retry-After": "0.02"}), say("yes"))
    with Scripted(script) as server:
        outcomes = ask(server, tmp_path, *(question(f"question {number}") for number in range(40)))
        assert all(isinstance(outcome, Completion) for outcome in outcomes)
        assert server.count == 80
        assert set(server.keys.values()) == {2}  # every retry under the key of its first attempt


def test_a_retry_after_beyond_the_deadline_is_not_waited_for(tmp_path: Path) -> None:
    with Scripted(lambda _: status(429, "tomorrow", {"Retry-After": "86400"})) as server:
        (outcome,) = ask(server, tmp_path, question())
        assert isinstance(outcome, CallFailed)
        assert (outcome.kind, outcome.retry_after, server.count) == ("rate_limited", 86400.0, 1)


def test_a_spent_quota_is_not_tried_again(tmp_path: Path) -> None:
    body = json.dumps({"error": {"message": "You exceeded your current quota", "code": "insufficient_quota"}}).encode()
    fault = status(429)
    with Scripted(lambda _: type(fault)(status=429, body=body)) as server:
        (outcome,) = ask(server, tmp_path, question())
        assert isinstance(outcome, CallFailed)
        assert (outcome.kind, server.count) == ("rejected", 1)
