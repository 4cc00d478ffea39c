"""How a grammar and first-token probabilities travel: to the server, back from it, and into the journal."""

import asyncio
from typing import Any

from servers.scripted import Scripted, say

from redwell.models.connect import connect
from redwell.models.record import read_completion, record_completion, record_request
from redwell.models.types import Completion, Message, Request
from redwell.room.types import Span

ASKED = Request(
    (Message("user", "Is it so?"),),
    schema={"type": "object"},
    grammar='%llguidance {}\nstart: "Yes" | "No"',
    alternatives=5,
)


def complete(server: Scripted) -> Completion:
    async def go() -> Completion:
        model = connect(f"openai:m@{server.url}", environment={})
        try:
            return await model.complete(ASKED)
        finally:
            await model.close()

    return asyncio.run(go())


def test_a_grammar_goes_in_place_of_a_schema_and_probabilities_are_asked_for() -> None:
    with Scripted(["Yes"]) as server:
        complete(server)
        (received,) = server.requests
    assert received.body["grammar"] == ASKED.grammar
    assert "response_format" not in received.body
    assert (received.body["logprobs"], received.body["top_logprobs"]) == (True, 5)


def test_the_likeliest_first_tokens_come_back_and_nothing_is_made_of_what_is_none() -> None:
    def logprobs(top: Any) -> Any:
        return {"content": [{"token": "Yes", "logprob": -0.1, "top_logprobs": top}]}

    good = [{"token": "Yes", "logprob": -0.1}, {"token": "No", "logprob": -3}]
    with Scripted(
        [say("Yes", logprobs=logprobs([*good, {"token": 1}, "x"])), say("Yes", logprobs=logprobs("x")), say("Yes")]
    ) as server:
        assert complete(server).alternatives == (("Yes", -0.1), ("No", -3.0))
        assert complete(server).alternatives == ()
        assert complete(server).alternatives == ()


def test_a_grammar_is_part_of_what_the_journal_keeps_of_a_request() -> None:
    plain = Request(ASKED.messages, schema=ASKED.schema)
    assert record_request(ASKED).digest != record_request(plain).digest


def test_what_was_read_and_shown_survives_the_journal() -> None:
    told = Completion("{}", "m", alternatives=(("Yes", -0.5),), read=(Span("d", 1, 2),), shown=())
    assert read_completion(record_completion(told)) == told
