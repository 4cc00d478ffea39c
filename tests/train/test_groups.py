"""Groups: the rules of staleness and capacity, fresh votes, and that each rollout counts once, whatever is told twice or killed."""

from __future__ import annotations

import asyncio
import json
import math
import random
from collections import Counter

import pytest

from redwell.train.groups import Groups, capacity, is_close, rescore, too_old
from redwell.train.types import Rollout, Segment, TrainingError


def rollout(group: str, number: int, reward: float | None = 0.5, version: int = 0) -> Rollout:
    segment = Segment((5, 6), (False, True), (0.0, -1.0), (-1, version), (-1, 0))
    return Rollout(f"{group}/{number}", "task", group, "unscorable" if reward is None else "ok", (segment,), reward)


def ready(groups: Groups, name: str, version: int = 0, rewards=(0.0, 1.0)) -> None:
    groups.start(name, f"task of {name}", len(rewards))
    for number, reward in enumerate(rewards):
        groups.finish(rollout(name, number, reward, version))
    groups.settle(name, 0.0)


def through_json(groups: Groups) -> Groups:
    return Groups.restore(json.loads(json.dumps(groups.dump())))


# --- the rules --------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("step", "staleness", "a_step", "accepted", "running", "expected"),
    [
        (0, 0, 3, 0, 0, 3),  # on-policy: the groups of the first step
        (0, 0, 3, 1, 2, 0),
        (0, 4, 3, 0, 0, 15),  # five steps' worth at once
        (7, 4, 3, 21, 10, 5),  # (4 + 7 + 1) * 3 - 31
        (1, 0, 3, 3, 1, 2),  # the second step, three of the first are used
        (0, 0, 3, 9, 9, 0),  # never below nothing
    ],
)
def test_capacity(step, staleness, a_step, accepted, running, expected):
    assert capacity(step, staleness, a_step, accepted, running) == expected


def test_the_cap_is_the_last_version_that_may_be_trained_on():
    assert not too_old(3, 7, 4)
    assert too_old(2, 7, 4)
    assert not too_old(7, 7, 0)
    assert too_old(6, 7, 0)
    assert not too_old(-1, 99, 0)


def test_scores_that_lie_close_together_are_to_be_judged_again():
    assert is_close([0.50, 0.52, None], 0.05)
    assert is_close([0.5, 0.5], 0.05)
    assert not is_close([0.5, 0.6], 0.05)
    assert not is_close([0.5, None, math.nan], 0.05)
    assert not is_close([0.5, 0.5], 0.0)


# --- fresh votes ------------------------------------------------------------------------------------------------------------------


def test_fresh_votes_are_averaged_with_the_first_score():
    group = [rollout("g", 0, 0.5), rollout("g", 1, 0.6), rollout("g", 2, None)]
    votes = {"g/0": [0.2, 0.5], "g/1": [0.9, None]}

    async def judge(one: Rollout) -> float | None:
        return votes[one.id].pop()

    assert asyncio.run(rescore(group, judge, votes=2)) == [pytest.approx(0.4), pytest.approx(0.75), None]
    assert votes == {"g/0": [], "g/1": []}


def test_a_judge_that_cannot_leaves_the_first_score():
    async def judge(one: Rollout) -> float | None:
        return None if one.id == "g/0" else math.nan

    assert asyncio.run(rescore([rollout("g", 0, 0.5), rollout("g", 1, 0.6)], judge, votes=3)) == [0.5, 0.6]


def test_rollouts_are_judged_at_once_and_the_votes_on_one_after_another():
    out: Counter[str] = Counter()
    most: Counter[str] = Counter()
    both = asyncio.Event()

    async def judge(one: Rollout) -> float | None:
        out[one.id] += 1
        most[one.id] = max(most[one.id], out[one.id])
        if len(out) == 2:
            both.set()
        await both.wait()
        await asyncio.sleep(0)
        out[one.id] -= 1
        return 1.0

    async def judged() -> list[float | None]:
        return await asyncio.wait_for(rescore([rollout("g", 0, 0.0), rollout("g", 1, 0.0)], judge, votes=2), 60)

    assert asyncio.run(judged()) == [pytest.approx(2 / 3)] * 2
    assert most == {"g/0": 1, "g/1": 1}


def test_a_judge_that_fails_ends_the_questions_to_it():
    ended: list[str] = []

    async def judge(one: Rollout) -> float | None:
        if one.id == "g/0":
            raise TrainingError("the judge is gone")
        try:
            await asyncio.Event().wait()
        finally:
            ended.append(one.id)
        return 1.0

    async def judged() -> None:
        with pytest.raises(TrainingError, match="gone"):
            await rescore([rollout("g", 1, 0.0), rollout("g", 0, 0.0)], judge)
        while not ended:
            await asyncio.sleep(0)

    asyncio.run(judged())
    assert ended == ["g/1"]


def test_a_group_is_judged_again_once():
    groups = Groups()
    groups.start("g", "task", 2)
    groups.finish(rollout("g", 0, 0.5))
    assert not groups.to_rescore("g", 0.1)
    groups.finish(rollout("g", 1, 0.52))
    assert groups.to_rescore("g", 0.1)
    groups.rescored("g", [0.4, 0.6])
    assert not groups.to_rescore("g", 1.0)
    with pytest.raises(TrainingError, match="re-scored before"):
        groups.rescored("g", [0.5, 0.5])
    groups = through_json(groups)
    assert not groups.to_rescore("g", 1.0)
    assert groups.settle("g", 0.1) == "ready"
    assert groups.groups["g"].scores == [0.4, 0.6]


# --- the life of a group ----------------------------------------------------------------------------------------------------------


def test_a_group_is_ready_when_its_last_rollout_is_in_and_is_trained_on_once():
    groups = Groups()
    groups.start("g", "task", 3)
    assert [groups.finish(rollout("g", number, reward)) for number, reward in ((2, 1.0), (0, 0.0), (1, None))] == [
        False,
        False,
        True,
    ]
    assert groups.settle("g", 0.0) == "ready"
    taken = groups.take(1, 1, 0, 0)
    assert [one.id for one in taken] == ["g"]
    assert taken[0].scores == [0.0, None, 1.0]
    groups.commit(1)
    assert groups.take(2, 1, 0, 0) == []
    assert groups.count("consumed") == 1


def test_a_rollout_that_is_told_twice_counts_once():
    groups = Groups()
    groups.start("g", "task", 2)
    assert not groups.finish(rollout("g", 0, 0.0))
    assert not groups.finish(rollout("g", 0, 0.7))
    assert groups.groups["g"].missing == [1]
    assert groups.finish(rollout("g", 1, 1.0))
    assert not groups.finish(rollout("g", 1, 0.2))
    assert groups.groups["g"].scores == [0.0, 1.0]


@pytest.mark.parametrize(
    ("rewards", "tolerance", "state", "again"),
    [
        ([0.5, 0.5], 0.0, "flat", []),
        ([0.5, 0.55], 0.1, "flat", []),
        ([0.5, None], 0.0, "unscorable", ["task"]),
        ([None, math.nan], 0.0, "unscorable", ["task"]),
        ([0.5, 0.55, None], 0.01, "ready", []),
    ],
)
def test_flat_groups_and_groups_without_scores_are_dropped(rewards, tolerance, state, again):
    groups = Groups()
    groups.start("g", "task", len(rewards))
    for number, reward in enumerate(rewards):
        groups.finish(rollout("g", number, reward))
    assert groups.settle("g", tolerance) == state
    assert groups.again == again


def test_a_dropped_group_is_refilled_by_what_it_leaves_free():
    groups = Groups()
    for name in ("a", "b", "c"):
        groups.start(name, name, 2)
    assert capacity(0, 0, 3, groups.accepted, groups.running) == 0
    for number in (0, 1):
        groups.finish(rollout("a", number, 0.5))
    assert capacity(0, 0, 3, groups.accepted, groups.running) == 0
    groups.settle("a", 0.0)
    assert capacity(0, 0, 3, groups.accepted, groups.running) == 1


def test_a_group_that_was_trained_on_still_counts_against_the_steps_to_come():
    groups = Groups()
    ready(groups, "a")
    groups.take(1, 1, 0, 0)
    assert (groups.accepted, groups.running) == (1, 0)
    groups.commit(1)
    assert (groups.accepted, groups.running) == (1, 0)
    assert capacity(1, 0, 1, groups.accepted, groups.running) == 1


def test_a_group_beyond_the_cap_is_dropped_and_its_task_is_played_again_once():
    groups = Groups()
    ready(groups, "old", version=1)
    ready(groups, "young", version=3)
    taken = groups.take(1, 1, 6, 4)
    assert [one.id for one in taken] == ["young"]
    assert groups.groups["old"].state == "old"
    assert groups.next_again() == "task of old"
    assert groups.next_again() is None


def test_the_oldest_token_of_a_scored_rollout_says_how_old_a_group_is():
    groups = Groups()
    groups.start("g", "task", 3)
    for number, (reward, version) in enumerate(((0.0, 5), (1.0, 4), (None, 0))):
        groups.finish(rollout("g", number, reward, version))
    assert groups.groups["g"].first_version == 4


def test_the_oldest_groups_are_trained_on_first():
    groups = Groups()
    groups.start("a", "task", 2)
    for name, version in (("b", 0), ("c", 2), ("d", 1)):
        ready(groups, name, version)
    for number in (0, 1):
        groups.finish(rollout("a", number, float(number), 2))
    groups.settle("a", 0.0)
    # a and c are equally old, and c was ready first
    assert [one.id for one in groups.take(1, 3, 2, 2)] == ["b", "d", "c"]


def test_a_step_takes_all_it_needs_or_nothing():
    groups = Groups()
    ready(groups, "a")
    assert groups.take(1, 2, 0, 0) == []
    assert groups.count("ready") == 1


def test_a_step_that_was_killed_takes_its_groups_again_and_one_that_ended_does_not():
    groups = Groups()
    for name in "abcd":
        ready(groups, name)
    groups.take(1, 2, 0, 9)
    groups.commit(1)
    groups.take(2, 2, 1, 9)
    back = through_json(groups)
    assert back.count("ready") == 2
    assert [one.id for one in back.take(2, 2, 1, 9)] == ["c", "d"]
    back.commit(2)
    assert through_json(back).count("consumed") == 4


def test_rollouts_that_could_not_be_scored_are_out_again_unless_their_group_was_decided():
    groups = Groups()
    ready(groups, "lost", rewards=(0.0, None))
    ready(groups, "chosen", rewards=(0.0, 1.0, None))
    ready(groups, "equal", rewards=(0.5, 0.5, None))
    groups.start("half", "task", 2)
    groups.finish(rollout("half", 0, None))
    ready(groups, "trained on", rewards=(0.0, 1.0, None))
    groups.take(1, 2, 0, 0)
    groups.commit(1)
    ready(groups, "taken", rewards=(0.0, 1.0, None))
    groups.take(2, 1, 0, 0)
    before = through_json(groups).dump()["groups"]
    for name in ("chosen", "trained on", "taken", "equal"):
        groups.reopen(name, [2])
    assert [groups.groups[name].state for name in ("chosen", "trained on", "taken", "equal")] == [
        "consumed", "consumed", "taken", "flat",
    ]  # fmt: skip
    assert {name: one["rewards"] for name, one in through_json(groups).dump()["groups"].items()} == {
        name: one["rewards"] for name, one in before.items()
    }
    groups.reopen("lost", [1])
    groups.reopen("half", [0])
    assert (groups.groups["lost"].state, groups.groups["lost"].missing) == ("running", [1])
    assert (groups.groups["half"].state, groups.groups["half"].missing) == ("running", [0, 1])
    assert groups.again == []
    assert groups.finish(rollout("lost", 1, 1.0))
    assert groups.settle("lost", 0.0) == "ready"


def test_a_restart_knows_which_rollouts_are_still_out():
    groups = Groups()
    groups.start("g", "task", 3)
    groups.finish(rollout("g", 1, None, 2))
    back = through_json(groups)
    assert back.groups["g"].missing == [0, 2]
    assert back == groups


def test_what_cannot_be_is_told():
    groups = Groups()
    groups.start("g", "task", 2)
    for wrong in (
        lambda: groups.start("g", "task", 2),
        lambda: groups.start("h", "task", 1),
        lambda: groups.finish(rollout("other", 0)),
        lambda: groups.finish(rollout("g", 2)),
        lambda: groups.finish(Rollout("x/0", "task", "g", "ok", (), 0.5)),
        lambda: groups.settle("g", 0.0),
        lambda: groups.commit(1),
        lambda: Groups.restore({"groups": {"g": {"id": "g", "state": "odd"}}}),
        lambda: Groups.restore([]),
    ):
        with pytest.raises(TrainingError):
            wrong()
    ready(groups, "a")
    ready(groups, "b")
    groups.take(3, 1, 0, 0)
    for step in (3, 4):
        with pytest.raises(TrainingError, match="step"):
            groups.take(step, 1, 0, 0)
    groups.commit(3)
    with pytest.raises(TrainingError, match="step 3"):
        groups.take(3, 1, 0, 0)


@pytest.mark.parametrize("staleness", [0, 1, 4])
@pytest.mark.parametrize("a_step", [1, 3])
def test_whatever_happens_every_rollout_is_trained_on_once_or_dropped_and_none_is_stale(staleness, a_step):
    """Trainings played with dice: groups start as capacity allows, rollouts finish in any order, some are told twice, all is read back at any point,
    steps are killed."""
    ends: Counter[str] = Counter()
    for seed in range(4):
        groups, steps = played(random.Random(seed), staleness, a_step)
        states = Counter(one.state for one in groups.groups.values())
        assert states["consumed"] == steps * a_step
        assert not {"finished", "taken"} & set(states)
        assert through_json(groups) == groups
        ends += states
    assert ends["consumed"] > 10
    assert min(ends["flat"], ends["unscorable"], ends["running"], ends["old"]) > 0


def played(dice: random.Random, staleness: int, a_step: int) -> tuple[Groups, int]:
    groups, step = Groups(), 0
    told: dict[tuple[str, int], Rollout] = {}
    trained: set[str] = set()
    for _ in range(300):
        act = dice.choice(["start", "finish", "finish", "finish", "twice", "step", "read back"])
        out = [(one.id, number) for one in groups.groups.values() for number in one.missing]
        if act == "start" and capacity(step, staleness, a_step, groups.accepted, groups.running):
            name = f"g{len(groups.groups)}"
            groups.start(name, groups.next_again() or f"task of {name}", 2)
        elif act == "finish" and out:
            at = dice.choice(out)
            # it began at this version or earlier
            told[at] = rollout(
                *at,
                dice.choice([None, 0.0, 0.0, 0.5, 1.0]),
                max(0, step - dice.choice([0, 0, 1, staleness, staleness + 1])),
            )
            if groups.finish(told[at]):
                groups.settle(at[0], 0.0)
        elif act == "twice" and told:
            before = groups.dump()
            assert not groups.finish(told[dice.choice(list(told))])
            assert groups.dump() == before
        elif act == "read back":
            groups = through_json(groups)
        elif act == "step" and (taken := groups.take(step + 1, a_step, step, staleness)):
            assert len(taken) == a_step
            for one in taken:
                versions = [told[one.id, n].first_version for n in range(one.size) if one.rewards[n] is not None]
                assert step - min(versions) <= staleness
            if dice.random() < 0.3:
                groups = through_json(groups)  # killed in the middle of the step
                continue
            groups.commit(step + 1)
            assert not trained & {one.id for one in taken}
            trained |= {one.id for one in taken}
            step += 1
        assert groups.accepted + groups.running <= (staleness + step + 1) * a_step
    return groups, step
