"""Demonstrations: rollouts whose cells are written for the policy, in real rooms."""

import ast
import asyncio
import json
import random
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

pytest.importorskip("tokenizers", reason="the train extra is not installed: make test-train")

from servers.small_policy import CHATML, tokenizer

from redwell.bench.generate.room import generate
from redwell.bench.tasks import load_task
from redwell.train.demonstrations import CAREFUL, Demonstrator, demonstrations, replies
from redwell.train.rooms import RoomPlay
from redwell.train.serving.render import Renderer
from tests.harness.support import backend

pytestmark = pytest.mark.xdist_group("demonstrated_room")
SETTINGS = {
    "prompt": "short",
    "max_turns": 5,
    "idle_turns": 1,
    "root_tokens": 400,
    "sandbox": backend(),
    "cell_seconds": 20.0,
}


def renderer() -> Renderer:
    return Renderer.made_of(tokenizer(), CHATML, eos_token="<|im_end|>")


def test_every_reply_is_one_cell_of_python() -> None:
    for seed in range(200):
        for reply in replies(random.Random(seed), seed % 2 == 0):
            assert reply.startswith("```python\n")
            assert reply.endswith("\n```")
            ast.parse(reply[10:-4])


def test_the_careful_read_everything_and_the_poor_vary() -> None:
    careful = ["\n".join(replies(random.Random(seed), True)) for seed in range(100)]
    assert all("over=room)" in one and "submit()" in one for one in careful)
    poor = ["\n".join(replies(random.Random(seed), False)) for seed in range(300)]
    assert not any("over=room)" in one for one in poor)
    assert {"submit()" in one for one in poor} == {True, False}
    assert len(set(poor)) > 50


def test_what_is_said_is_said_in_whole_tokens_and_cut_where_the_policy_would_be() -> None:
    words = renderer()
    engine = Demonstrator(words, ["abc"])
    first = asyncio.run(engine.sample([1], max_tokens=10, stop=words.stop_ids))
    assert (words.decode(first.ids), first.finish, first.ids[-1]) == ("abc", "stop", words.stop_ids[0])
    assert set(first.logprobs) == {0.0}
    assert set(first.versions) == {-1}
    cut = asyncio.run(Demonstrator(words, ["abc"]).sample([1], max_tokens=2, stop=words.stop_ids))
    assert (words.decode(cut.ids), cut.finish) == ("ab", "length")


def test_they_are_rollouts_played_once(tmp_path: Path) -> None:
    """One that was broken off is played anew; what is there is only read."""
    generate(tmp_path / "task", preset="desk", seed="shown", split="train", documents=10)
    task = load_task(tmp_path / "task")
    rooms = RoomPlay.of([(task, tmp_path / "task")], tmp_path / "stores", settings=SETTINGS)

    def made() -> list:  # type: ignore[type-arg]
        return asyncio.run(demonstrations(rooms, renderer(), 4, tmp_path / "shown", seed=3))

    first = made()
    assert [one.id for one in first] == [f"demonstration-001/{number}" for number in range(4)]
    assert all(one.reward is not None and one.trained_tokens and len(one.segments) == 1 for one in first)
    assert len({one.coverage for one in first}) > 1
    assert (first[0].coverage, first[0].submitted) == (1.0, True)
    assert first[0].reward == max(one.reward or 0.0 for one in first)
    for number, one in enumerate(first):
        said = [renderer().decode(ids) for ids in _said(one)]
        wanted = replies(random.Random(f"3/{task.id}/{number}"), number % CAREFUL == 0)
        assert said[: len(wanted)] == wanted[: len(said)]
    killed, called_off = (tmp_path / f"shown/demonstration-001/{number}/cell.json" for number in (2, 0))
    killed.unlink()
    called_off.write_text(json.dumps(json.loads(called_off.read_text()) | {"status": "interrupted"}))
    with closing(sqlite3.connect(called_off.with_name("journal.sqlite"))) as journal, journal:
        turn = "SELECT min(sequence) FROM events WHERE kind = 'turn.finished'"
        journal.execute(f"DELETE FROM events WHERE sequence > ({turn})")
    again = made()
    assert [again[number] for number in (1, 3)] == [first[number] for number in (1, 3)]
    for number in (0, 2):
        assert (again[number].segments, again[number].reward) == (first[number].segments, first[number].reward)


def _said(rollout) -> list[list[int]]:  # type: ignore[no-untyped-def]
    """The ids of each turn."""
    [segment] = rollout.segments
    return [
        [id_ for id_, turn in zip(segment.ids, segment.turns, strict=True) if turn == number]
        for number in range(rollout.turns)
    ]
