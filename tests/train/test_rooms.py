"""Rollouts in real rooms: what a run comes to as a rollout, and when it tells nothing of its root."""

import asyncio
import json
import shutil
from collections.abc import Callable
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

import pytest
from char_policy import Reply, block, policy

from redwell.bench.generate.room import generate
from redwell.bench.tasks import load_task
from redwell.harness.root import seed_of
from redwell.journal.journal import Journal
from redwell.models.tokens import estimate
from redwell.sandbox.types import GuestModule
from redwell.train.config import Policy
from redwell.train.rewards import RewardSettings
from redwell.train.rooms import LOST, RoomPlay, lost
from redwell.train.types import Rollout, TrainingError
from tests.harness.support import backend
from tests.servers.scripted import Scripted, drop, say, status

pytestmark = pytest.mark.xdist_group("played_room")
READ_ALL = block("b = dispatch(checks.question, over=room)\nfor found in b:\n    report.add_all(checks.run(found))")
READ_TWO = block("b = dispatch(checks.question, over=room.documents()[:2])\nprint(len(b.results()))")
JOIN = block("report.add_all(checks.run(all_findings()))")
HAND_IN = block("report.conclude(all_findings())\nprint(submit())")
DISCLOSE = block("report.conclude(all_findings())\nreport.unread('there was no time')\nsubmit()")
SHORT = {
    "prompt": "short",
    "max_turns": 6,
    "idle_turns": 2,
    "root_tokens": 200,
    "sandbox": backend(),
    "cell_seconds": 20.0,
}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small room with planted issues, and the folder in which it is read once for all."""
    folder = tmp_path_factory.mktemp("rooms")
    generate(folder / "task", preset="desk", seed="rollouts", split="train", documents=12)
    return folder


def rooms(made: Path, **given: Any) -> RoomPlay:
    task = load_task(made / "task")
    settings = {**SHORT, **given.pop("settings", {})}
    return RoomPlay.of([(task, made / "task")], made / "stores", settings=settings, **given)


def play(made: Path, out: Path, replies: list[Reply], **given: Any) -> tuple[Rollout, int]:
    """One rollout, and how many requests of the policy it took."""
    chosen = rooms(made, **given)
    with Scripted(policy(replies)) as server:
        made_of = chosen.play(next(iter(chosen.tasks)), "00001", 3, server.url, out)
        return asyncio.run(made_of), server.count


@pytest.fixture(scope="module")
def whole(made: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Rollout, Path]:
    out = tmp_path_factory.mktemp("played") / "3"
    rollout, _ = play(made, out, [READ_ALL, JOIN, HAND_IN], seed=5)
    return rollout, out


def test_a_run_that_reads_all_and_hands_it_in(made: Path, whole: tuple[Rollout, Path]) -> None:
    rollout, out = whole
    assert (rollout.id, rollout.group, rollout.status, rollout.why) == ("00001/3", "00001", "ok", "")
    assert (rollout.turns, rollout.submitted, rollout.coverage, rollout.sub_calls) == (3, True, 1.0, 12)
    assert rollout.reward == rollout.parts["criteria"] > 0
    assert rollout.trained_tokens == sum(len(text) + 1 for text in (READ_ALL, JOIN, HAND_IN))
    assert (len(rollout.segments), rollout.first_version) == (1, 4)
    assert rollout.root_output == rollout.trained_tokens
    run = json.loads((out / "run.json").read_text())["configuration"]
    assert run["settings"]["seed"] == seed_of(5, "00001/3")
    assert (run["settings"]["capture"], run["settings"]["salvage"]) == (True, False)


def test_a_part_that_is_disclosed_scores_less(made: Path, tmp_path: Path, whole: tuple[Rollout, Path]) -> None:
    rollout, _ = play(made, tmp_path / "3", [READ_TWO, JOIN, DISCLOSE])
    assert (rollout.status, rollout.sub_calls) == ("ok", 2)
    assert 0 < rollout.coverage < 1
    assert rollout.reward is not None
    assert rollout.reward < (whole[0].reward or 0)


def test_what_was_not_submitted_is_truncated_and_scored_for_what_the_root_wrote(
    made: Path, tmp_path: Path, whole: tuple[Rollout, Path]
) -> None:
    rollout, _ = play(made, tmp_path / "3", [READ_ALL, JOIN, "I am done."])
    assert (rollout.status, rollout.submitted) == ("truncated", False)
    assert "2 replies in a row held no code" in rollout.why
    assert rollout.reward == whole[0].reward
    less = rooms(made, reward=RewardSettings(unsubmitted=0.5))
    read = asyncio.run(less.read(rollout.task, "00001", 3, tmp_path / "3"))
    assert read.reward == pytest.approx((whole[0].reward or 0.0) / 2)
    assert asyncio.run(less.judge_again(read)) == asyncio.run(less.held_out(read, "facts")) == read.reward


@pytest.mark.parametrize("size", ["short", "full"])
def test_what_is_told_first_is_known_before_the_room_is_read_but_for_what_is_told_of_it(
    made: Path, tmp_path: Path, size: str
) -> None:
    chosen = rooms(made, settings={"prompt": size, "max_turns": 1}, caps={"calls": 40})
    (task,) = chosen.tasks
    with Scripted(policy(["I am done."])) as server:
        asyncio.run(chosen.play(task, "00001", 3, server.url, tmp_path / "3"))
        system, told = server.requests[0].messages
    expected = chosen.first_prompt(task)
    assert system == expected[0]
    assert told["role"] == expected[1]["role"] == "user"
    changes = SequenceMatcher(None, expected[1]["content"], told["content"], autojunk=False).get_opcodes()
    assert {change for change, *_ in changes} == {"equal", "insert"}
    inserted = "".join(told["content"][start:end] for change, _, _, start, end in changes if change == "insert")
    assert inserted.startswith("12")  # documents
    assert len(inserted) < 1000


def test_a_recipe_that_says_nothing_of_lengths_has_room_for_the_prompt_and_a_reply(made: Path) -> None:
    chosen = RoomPlay.of([(load_task(made / "task"), made / "task")], made / "stores")
    told = sum(estimate(message["content"]) for message in chosen.first_prompt(*chosen.tasks))
    assert told + chosen.harness.root_tokens < Policy(base="weights").context


def test_what_only_sub_agents_found_is_not_the_roots(made: Path, tmp_path: Path) -> None:
    rollout, _ = play(
        made, tmp_path / "3", [block("b = dispatch(checks.question, over=room)\nb.results()"), "I am done."]
    )
    assert (rollout.status, rollout.reward, rollout.coverage) == ("truncated", 0.0, 1.0)


@pytest.mark.parametrize("reply", ["I do not know what to do.", ("```python\nx = ", "length"), ""])
def test_a_root_that_does_nothing_has_a_reward_of_nothing(made: Path, tmp_path: Path, reply: Reply) -> None:
    rollout, _ = play(made, tmp_path / "3", [reply])
    assert (rollout.status, rollout.reward, rollout.turns) == ("truncated", 0.0, 2)
    assert rollout.trained_tokens > 0


def test_turns_used_up_are_the_roots_own_doing(made: Path, tmp_path: Path) -> None:
    rollout, _ = play(made, tmp_path / "3", [block("1 / 0")], settings={"max_turns": 2})
    assert (rollout.status, rollout.turns) == ("truncated", 2)
    assert "all 2 turns" in rollout.why


@pytest.mark.parametrize("fault", [status(401, "no such key"), status(418, "a teapot")])
def test_an_endpoint_that_is_down_makes_a_rollout_unscorable(made: Path, tmp_path: Path, fault: Any) -> None:
    rollout, _ = play(made, tmp_path / "3", [READ_ALL, fault])
    assert (rollout.status, rollout.reward) == ("unscorable", None)
    assert "the policy's endpoint did not answer" in rollout.why
    assert rollout.turns == 1


def test_sub_agents_that_cannot_be_reached_make_it_unscorable(made: Path, tmp_path: Path) -> None:
    with Scripted(lambda received: status(401, "no such key")) as subs:
        replies = [block("b = dispatch('Which sums?', over=room)\nprint(len(b.failures))"), "I am done."]
        rollout, _ = play(made, tmp_path / "3", replies, sub=f"openai:reader@{subs.url}")
    assert (rollout.status, rollout.reward) == ("unscorable", None)
    assert "calls to sub-agents were lost" in rollout.why


def test_a_judge_that_does_not_answer_makes_it_unscorable_until_it_does(
    made: Path, tmp_path: Path, whole: tuple[Rollout, Path]
) -> None:
    out = tmp_path / "3"
    shutil.copytree(whole[1], out)
    run = json.loads((out / "run.json").read_text())
    for name in ("task_folder", "task_tree", "room"):
        run["configuration"][name] = str((whole[1] / run["configuration"][name]).resolve())
    (out / "run.json").write_text(json.dumps(run))
    with Scripted(lambda received: status(401, "no such key")) as judge:
        chosen = rooms(made, judge=f"openai:judge@{judge.url}")
        down = asyncio.run(chosen.read(whole[0].task, "00001", 3, out))
    assert (down.status, down.reward) == ("unscorable", None)
    assert "the judge" in down.why
    assert down.segments == whole[0].segments


def test_a_finished_run_is_not_played_again(made: Path, whole: tuple[Rollout, Path]) -> None:
    again, asked = play(made, whole[1], [drop("before")], seed=5)
    assert asked == 0
    assert again == whole[0]


def test_an_unscorable_run_is_put_aside_and_played_anew(made: Path, tmp_path: Path) -> None:
    first, _ = play(made, tmp_path / "3", [status(401, "no such key")])
    assert first.status == "unscorable"
    second, _ = play(made, tmp_path / "3", ["I am done."])
    assert (second.status, second.reward) == ("truncated", 0.0)
    assert (tmp_path / "3~1" / "run.json").is_file()


def test_a_play_that_is_cancelled_goes_on_where_it_was(made: Path, tmp_path: Path) -> None:
    """Nothing that was sampled is sampled again, and the rollout is the same as one that was not broken off."""
    chosen = rooms(made, seed=5)
    name = next(iter(chosen.tasks))
    answers = policy([READ_ALL, JOIN, HAND_IN])

    async def broken_off(url: str, stop: Callable[[], bool]) -> None:
        work = asyncio.create_task(chosen.play(name, "00001", 3, url, tmp_path / "3"))
        while not stop():
            await asyncio.sleep(0.02)
        work.cancel()
        with pytest.raises(asyncio.CancelledError):
            await work

    async def slow_at_the_second(received: Any) -> Any:
        if any(message["role"] == "assistant" for message in received.messages):
            await asyncio.sleep(60)
        return answers(received)

    with Scripted(slow_at_the_second) as server:
        asyncio.run(broken_off(server.url, lambda: server.count == 2))
    with Scripted(answers) as server:
        rollout = asyncio.run(chosen.play(name, "00001", 3, server.url, tmp_path / "3"))
        assert server.count == 2
    assert (rollout.status, rollout.turns, rollout.trained_tokens) == (
        "ok", 3, sum(len(text) + 1 for text in (READ_ALL, JOIN, HAND_IN)),
    )  # fmt: skip


def test_a_run_that_was_not_captured_ends_training_with_a_reason(made: Path, tmp_path: Path) -> None:
    chosen = rooms(made)
    with (
        Scripted(lambda received: say("I am done.")) as server,
        pytest.raises(TrainingError, match="without token ids"),
    ):
        asyncio.run(chosen.play(next(iter(chosen.tasks)), "00001", 0, server.url, tmp_path / "0"))


def test_a_guest_module_that_fails_ends_training_in_one_line(
    made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = (GuestModule("checks", "import json\nraise ValueError('half of it is missing')\n"),)
    monkeypatch.setattr("redwell.bench.cell.guest_modules", lambda deal: broken)
    with pytest.raises(TrainingError, match=r"guest module checks failed: .*half of it is missing") as told:
        play(made, tmp_path / "3", ["I am done."])
    assert "\n" not in str(told.value)


def test_the_reward_is_weighed_as_the_recipe_says(made: Path, whole: tuple[Rollout, Path]) -> None:
    chosen = rooms(made, reward=RewardSettings(criteria=0.5, issues=2.0))
    found = asyncio.run(chosen.read(whole[0].task, "00001", 3, whole[1]))
    assert found.reward == pytest.approx(0.5 * found.parts["criteria"] + 2.0 * found.parts["issues"])
    assert asyncio.run(chosen.held_out(found, "facts")) == found.reward


@pytest.mark.parametrize(
    ("failed", "of", "told"),
    [(0, 40, False), (int(LOST * 40), 40, False), (int(LOST * 40) + 1, 40, True), (1, 1, True)],
)
def test_a_few_lost_calls_are_no_reason(tmp_path: Path, failed: int, of: int, told: bool) -> None:
    with Journal.create(tmp_path / "run", {}) as journal:
        for number in range(of):
            lost_one = number < failed
            data = {"call": f"c{number}", "role": "sub", "failure": "server", "message": "500"}
            journal.append(
                "call.failed" if lost_one else "call.completed", "root", data if lost_one else {"role": "sub"}
            )
        assert bool(lost(journal)) is told
