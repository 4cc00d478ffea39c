"""What a run's journal says was sampled, and the sequences that are made of it."""

from pathlib import Path
from typing import Any

import pytest
from char_policy import END, block, policy, rendered
from hypothesis import given
from hypothesis import strategies as st

from redwell.harness.root import seed_of
from redwell.models.connect import connect
from redwell.models.types import Role
from redwell.room.room import Room
from redwell.train.capture import segments, turns
from redwell.train.types import TrainingError, Turn
from tests.harness.harness_runs import Ran, run
from tests.harness.support import Sub, make_room
from tests.servers.scripted import Received, Scripted, status

DISPATCH = block("b = dispatch('Which sums are named?', over=room)\nprint(len(b.results()))")
DONE = block("memo.add('rent')\nsubmit()")


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Room:
    return make_room(tmp_path_factory.mktemp("capture"))


def play(room: Room, folder: Path, replies: list[Any], sub: Any = None, **changes: Any) -> tuple[Ran, list[Received]]:
    """A run whose root is a policy of characters."""
    with Scripted(policy(replies)) as server:
        models: dict[Role, Any] = {"root": connect(f"openai:policy@{server.url}"), "sub": sub or Sub()}
        ran = run(
            "rlm",
            room,
            folder,
            models,
            **{"prompt": "short", "capture": True, "root_temperature": 1.0, "seed": 7, **changes},
        )
    return ran, list(server.requests)


def text(turn: Turn) -> str:
    return "".join(map(chr, turn.ids))


def test_a_run_in_which_nothing_was_rewritten_is_one_sequence(room: Room, tmp_path: Path) -> None:
    ran, requests = play(room, tmp_path / "run", [DISPATCH, DONE])
    assert ran.outcome.status == "submitted"
    found = turns(ran.journal)
    assert [text(turn) for turn in found] == [DISPATCH + chr(END), DONE + chr(END)]
    assert [list(turn.prompt_ids) for turn in found] == [rendered(request.messages) for request in requests]
    [segment] = segments(found)
    assert segment.ids == found[1].prompt_ids + found[1].ids
    assert segment.turns.count(0) == len(found[0].ids)
    assert segment.turns.count(1) == len(found[1].ids) == sum(segment.trained) - len(found[0].ids)
    at = len(found[0].prompt_ids)
    assert segment.logprobs[at] == -ord("`") / 1000
    assert segment.versions[at] == 4
    assert segment.versions[at - 1] == -1


def test_calls_of_the_root_ask_for_ids_and_have_seeds_of_their_own(room: Room, tmp_path: Path) -> None:
    _, requests = play(room, tmp_path / "run", [DISPATCH, DONE], root_tokens=300)
    for request, call in zip(requests, ("root:turn-1", "root:turn-2"), strict=True):
        body = request.body
        assert body["return_token_ids"] is body["logprobs"] is True
        assert (body["temperature"], body["max_tokens"], body["seed"]) == (1.0, 300, seed_of(7, call))
        assert "tools" not in body
    assert requests[0].body["seed"] != requests[1].body["seed"]


def test_sub_agents_are_never_captured(room: Room, tmp_path: Path) -> None:
    asked: list[bool] = []

    class Looking(Sub):
        async def complete(self, request: Any) -> Any:
            asked.append(request.want_token_ids or request.seed is not None)
            return await super().complete(request)

    ran, _ = play(room, tmp_path / "run", [DISPATCH, DONE], sub=Looking())
    assert asked == [False] * 4
    assert len(turns(ran.journal)) == 2


@pytest.mark.parametrize("reply", [("```python\nx = [1, 2,", "length"), "", "   ", "I will look at the room first."])
def test_a_reply_of_no_use_is_a_turn_that_the_next_one_continues(room: Room, tmp_path: Path, reply: Any) -> None:
    """It is sampled once, kept, told to the root, and trained on: what leads to it can only so be unlearnt."""
    ran, requests = play(room, tmp_path / "run", [reply, DONE])
    assert ran.outcome.status == "submitted"
    assert len(requests) == 2
    found = turns(ran.journal)
    said, finish = reply if isinstance(reply, tuple) else (reply, "stop")
    assert (text(found[0]), found[0].finish) == (said + (chr(END) if finish == "stop" else ""), finish)
    assert requests[1].messages[2] == {"role": "assistant", "content": said}
    assert "Nothing was run" in requests[1].messages[3]["content"]
    assert len(segments(found)) == 1


def test_replies_of_no_use_in_a_row_end_the_run(room: Room, tmp_path: Path) -> None:
    ran, requests = play(room, tmp_path / "run", [("x", "length")], idle_turns=3)
    assert ran.outcome.status == "failed"
    assert "3 replies in a row" in ran.outcome.reason
    assert len(requests) == len(turns(ran.journal)) == 3


def test_a_run_that_is_gone_on_with_samples_nothing_twice(room: Room, tmp_path: Path) -> None:
    first, _ = play(room, tmp_path / "run", [DISPATCH, ("x", "length"), status(503)])
    assert "the model that directs it failed (server)" in first.outcome.reason
    first.journal.close()
    with Scripted(policy([DISPATCH, DISPATCH, DONE])) as server:
        models: dict[Role, Any] = {"root": connect(f"openai:policy@{server.url}"), "sub": Sub()}
        given: dict[str, Any] = {"prompt": "short", "capture": True, "root_temperature": 1.0, "seed": 7}
        ran = run("rlm", room, tmp_path / "run", models, resume=True, **given)
    assert server.count == 1
    assert [text(turn) for turn in turns(ran.journal)] == [DISPATCH + chr(END), "x", DONE + chr(END)]
    assert len(segments(turns(ran.journal))) == 1


def test_a_compaction_begins_a_new_sequence(room: Room, tmp_path: Path) -> None:
    long = block("print('word ' * 600)")
    ran, _ = play(room, tmp_path / "run", [long, long, long, DONE], context_tokens=1_200, output_head=4_000)
    assert list(ran.journal.events("compaction"))
    found = turns(ran.journal)
    made = segments(found)
    assert len(made) > 1
    assert sum(sum(one.trained) for one in made) == sum(len(turn.ids) for turn in found)


def test_a_run_that_was_not_captured_is_refused(room: Room, tmp_path: Path) -> None:
    ran, requests = play(room, tmp_path / "run", [DONE], capture=False)
    assert "return_token_ids" not in requests[0].body
    with pytest.raises(TrainingError, match="root:turn-1 was answered without token ids"):
        turns(ran.journal)


# --- the sequences ----------------------------------------------------------------------------------------------------------


def turn(prompt: list[int], ids: list[int], version: int = 0) -> Turn:
    return Turn("c", tuple(prompt), tuple(ids), tuple(-float(one) for one in ids), (version,) * len(ids), "stop")


def test_a_prompt_that_continues_is_told_from_one_that_was_rewritten() -> None:
    first, goes_on, rewritten = turn([1, 2], [3, 4]), turn([1, 2, 3, 4, 9], [5]), turn([1, 2, 3, 9, 9], [6, 7], 2)
    one, two = segments([first, goes_on, rewritten])
    assert one.ids == (1, 2, 3, 4, 9, 5)
    assert one.trained == (False, False, True, True, False, True)
    assert one.logprobs == (0.0, 0.0, -3.0, -4.0, 0.0, -5.0)
    assert one.turns == (-1, -1, 0, 0, -1, 1)
    assert two.ids == (1, 2, 3, 9, 9, 6, 7)
    assert two.versions == (-1, -1, -1, -1, -1, 2, 2)
    assert two.turns == (-1, -1, -1, -1, -1, 2, 2)


def test_the_very_same_prompt_asked_again_begins_a_new_sequence() -> None:
    assert [one.ids for one in segments([turn([1], [2]), turn([1], [3])])] == [(1, 2), (1, 3)]


def test_nothing_was_said() -> None:
    assert segments([]) == []


@st.composite
def conversations(draw: st.DrawFn) -> list[Turn]:
    """Turns of which some continue those before them and some were rendered anew."""
    token = st.integers(0, 5)
    said: list[Turn] = []
    for number in range(draw(st.integers(0, 6))):
        given = draw(st.lists(token, max_size=4))
        if said and draw(st.booleans()):
            given = [*said[-1].prompt_ids, *said[-1].ids, *given]
        said.append(turn(given, draw(st.lists(token, min_size=1, max_size=4)), number))
    return said


@given(conversations())
def test_every_sampled_token_stands_in_one_sequence_after_its_own_prompt(said: list[Turn]) -> None:
    seen: list[int] = []
    for segment in segments(said):
        lengths = {len(getattr(segment, name)) for name in ("ids", "trained", "logprobs", "versions", "turns")}
        assert len(lengths) == 1
        for number in sorted(set(segment.turns) - {-1}):
            places = [at for at, of in enumerate(segment.turns) if of == number]
            one = said[number]
            assert places == list(range(places[0], places[0] + len(one.ids)))
            assert segment.ids[: places[0]] == one.prompt_ids
            assert tuple(segment.ids[at] for at in places) == one.ids
            assert tuple(segment.logprobs[at] for at in places) == one.logprobs
            assert {segment.versions[at] for at in places} == {number}
            seen.append(number)
        for at, trained in enumerate(segment.trained):
            assert trained == (segment.turns[at] >= 0)
            assert trained or (segment.logprobs[at] == 0.0 and segment.versions[at] == -1)
    assert seen == list(range(len(said)))
