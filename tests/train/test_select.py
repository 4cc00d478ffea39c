"""Which rollouts a policy learns from."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from redwell.train.select import choose
from redwell.train.types import Rollout, Segment


def rollout(
    number: int,
    reward: float | None,
    *,
    group: str = "1",
    task: str = "t",
    coverage: float = 1.0,
    submitted: bool = True,
    tokens: int = 3,
) -> Rollout:
    ids = (number, *range(tokens))
    segment = Segment(ids, (False, *[True] * tokens), (0.0,) * len(ids), (0,) * len(ids), (0,) * len(ids))
    status = "unscorable" if reward is None else "ok" if submitted else "truncated"
    return Rollout(f"{group}/{number}", task, group, status, (segment,), reward, coverage=coverage, submitted=submitted)  # type: ignore[arg-type]


def ids(rollouts: tuple[Rollout, ...]) -> list[str]:
    return [one.id for one in rollouts]


def test_the_best_above_the_median_are_taken_best_first() -> None:
    found = choose([rollout(0, 0.1), rollout(1, 0.9), rollout(2, 0.3), rollout(3, 0.5), rollout(4, 0.7)], per_task=2)
    assert ids(found.rollouts) == ["1/1", "1/4"]
    assert found.left_out["median"] == 3  # 0.5 is the median, and not above it


def test_the_median_is_that_of_the_group_and_not_of_the_unscorable() -> None:
    made = [rollout(0, 0.2), rollout(1, 0.4), rollout(2, None), rollout(3, 0.8, group="2"), rollout(4, 0.9, group="2")]
    found = choose(made, per_task=5)
    assert ids(found.rollouts) == ["2/4", "1/1"]
    assert found.left_out["unscorable"] == 1


def test_who_read_little_or_handed_nothing_in_is_no_example() -> None:
    made = [rollout(0, 0.9, coverage=0.49), rollout(1, 0.8, submitted=False), rollout(2, 0.7)]
    made += [rollout(number, 0.1) for number in (3, 4, 5)]
    found = choose(made, coverage=0.5)
    assert ids(found.rollouts) == ["1/2"]
    assert (found.left_out["coverage"], found.left_out["not submitted"], found.left_out["median"]) == (1, 1, 3)


def test_the_same_tokens_are_learnt_once_for_a_task() -> None:
    twin = rollout(1, 0.9)
    made = [twin, replace(twin, id="1/7"), replace(twin, id="2/1", task="u", group="2")]
    found = choose(made, above_median=False, per_task=5)
    assert ids(found.rollouts) == ["1/1", "2/1"]
    assert found.left_out["same"] == 1


def test_of_two_that_score_the_same_the_shorter_comes_first() -> None:
    found = choose([rollout(0, 0.9, tokens=9), rollout(1, 0.9, tokens=4), rollout(2, 0.1), rollout(3, 0.1)], per_task=1)
    assert ids(found.rollouts) == ["1/1"]
    assert found.left_out["beyond the best"] == 1


def test_a_flat_group_has_nothing_to_teach() -> None:
    assert choose([rollout(0, 0.5), rollout(1, 0.5)]).rollouts == ()
    assert ids(choose([rollout(0, 0.5), rollout(1, 0.5)], above_median=False).rollouts) == ["1/0", "1/1"]


def test_nothing_was_played() -> None:
    assert choose([]).rollouts == ()


scores = st.one_of(st.none(), st.sampled_from([0.0, 0.25, 0.5, 1.0]))
many = st.lists(st.tuples(scores, st.sampled_from("ab"), st.booleans(), st.sampled_from([0.2, 0.6, 1.0])), max_size=20)


@given(many, st.integers(1, 4), st.booleans(), st.randoms(use_true_random=False))
def test_every_rollout_is_chosen_or_left_out_for_one_reason_whatever_the_order(
    given: list, per_task: int, above: bool, rng: object
) -> None:  # type: ignore[type-arg]
    made = [
        rollout(number, reward, group=task, task=task, submitted=submitted, coverage=coverage)
        for number, (reward, task, submitted, coverage) in enumerate(given)
    ]
    found = choose(made, above_median=above, per_task=per_task)
    assert len(found.rollouts) + sum(found.left_out.values()) == len(made)
    assert all(one.submitted and one.coverage >= 0.5 and one.reward is not None for one in found.rollouts)
    for task in "ab":
        assert sum(one.task == task for one in found.rollouts) <= per_task
    mixed = list(made)
    rng.shuffle(mixed)  # type: ignore[attr-defined]
    assert choose(mixed, above_median=above, per_task=per_task) == found
