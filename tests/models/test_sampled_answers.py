"""What a policy in training sampled: read, kept through failures, and never asked for twice."""

import asyncio
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from servers.scripted import Answer, Scripted, raw

from redwell.journal.journal import Journal
from redwell.models.budget import Budget
from redwell.models.calls import Calls
from redwell.models.connect import connect
from redwell.models.record import read_completion, record_completion
from redwell.models.types import CallFailed, Completion, Message, Request

WANTED = Request((Message("user", "Go on."),), role="root", max_output_tokens=9, want_token_ids=True, seed=1)


def answer(text: Any = "ok", finish: str = "stop", *, body: dict[str, Any] | None = None, **changes: Any) -> Answer:
    choice = {
        "index": 0,
        "message": {"role": "assistant", "content": text},
        "finish_reason": finish,
        "token_ids": [11, 12],
        "policy_versions": [3, 4],
        "logprobs": {"content": [{"token": "o", "logprob": -0.25}, {"token": "k", "logprob": -0.5}]},
    }
    used = {"prompt_tokens": 3, "completion_tokens": 2, "total_tokens": 5}
    whole = {"model": "policy", "choices": [choice | changes], "prompt_token_ids": [1, 2, 3], "usage": used}
    return raw(json.dumps(whole | (body or {})).encode())


def call(
    folder: Path, given: Answer, request: Request = WANTED, *, again: bool = False
) -> tuple[Completion | CallFailed, int]:
    """The outcome of one call through the journal, and how many requests it took; `again`: in a journal that has it already."""

    async def go(url: str) -> Completion | CallFailed:
        with Journal.open(folder) if again else Journal.create(folder, {}) as journal:
            calls = Calls(journal, Budget(), {"root": connect(f"openai:policy@{url}", environment={})})
            try:
                return await calls.call(request, call_id="root:turn-1")
            except CallFailed as failure:
                return failure
            finally:
                await calls.close()

    with Scripted(lambda received: given) as server:
        return asyncio.run(go(server.url)), server.count


def test_ids_of_prompt_and_answer_log_probabilities_and_versions_are_read(tmp_path: Path) -> None:
    found, _ = call(tmp_path / "run", answer())
    assert isinstance(found, Completion)
    assert (found.prompt_ids, found.token_ids) == ((1, 2, 3), (11, 12))
    assert (found.logprobs, found.versions) == ((-0.25, -0.5), (3, 4))
    assert read_completion(record_completion(replace(found, seconds=0.5))) == replace(found, seconds=0.5)


@pytest.mark.parametrize("wrong", [None, "12", [1, "2"], [1, -2], [1, True], {"0": 1}])
def test_ids_that_are_none_are_not_taken(tmp_path: Path, wrong: Any) -> None:
    found, _ = call(tmp_path / "run", answer(policy_versions=wrong, body={"prompt_token_ids": wrong}))
    assert isinstance(found, Completion)
    assert (found.prompt_ids, found.versions, found.token_ids) == (None, None, (11, 12))


def test_nothing_is_kept_that_was_not_asked_for(tmp_path: Path) -> None:
    plain = Request(WANTED.messages, role="root", max_output_tokens=9)
    found, _ = call(tmp_path / "run", answer(), plain)
    assert isinstance(found, Completion)
    assert (found.prompt_ids, found.token_ids, found.logprobs, found.versions) == (None, None, None, None)
    failed, _ = call(tmp_path / "other", answer(finish="length"), plain)
    assert isinstance(failed, CallFailed)
    assert failed.sampled is None


@pytest.mark.parametrize(
    ("given", "kind", "text", "finish"),
    [
        (answer("half a", "length"), "truncated", "half a", "length"),
        (answer(""), "empty", "", "stop"),
        (answer("x", message={"role": "assistant", "content": "x", "tool_calls": [{"id": "1"}]}), "malformed", "x", "stop"),
        (answer("", message={"role": "assistant", "content": "", "tool_calls": [{"function": {"name": "rm", "arguments": "{}"}}]}), "malformed", "", "stop"),
    ],
)  # fmt: skip
def test_an_answer_of_no_use_is_kept_whole_and_not_asked_for_again(
    tmp_path: Path, given: Answer, kind: str, text: str, finish: str
) -> None:
    """Its seed would bring it once more, and whoever trains on what was sampled needs the bad turns, too."""
    failed, asked = call(tmp_path / "run", given)
    assert isinstance(failed, CallFailed)
    assert (failed.kind, asked) == (kind, 1)
    assert failed.sampled is not None
    assert (failed.sampled.text, failed.sampled.finish, failed.sampled.token_ids) == (text, finish, (11, 12))
    assert failed.usage is not None
    assert failed.usage.output == 2
    known, asked = call(tmp_path / "run", answer(), again=True)
    assert isinstance(known, CallFailed)
    assert known.sampled is not None
    assert (known.kind, asked) == (kind, 0)
    assert replace(known.sampled, seconds=0.0) == replace(failed.sampled, seconds=0.0)
