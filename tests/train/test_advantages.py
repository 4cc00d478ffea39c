"""Advantages within a group and the penalty for length: numbers worked out by hand, and what holds for every group."""

import math
import statistics

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redwell.train.advantages import advantages, is_flat, length_penalty

REWARDS = st.lists(
    st.one_of(st.none(), st.just(math.nan), st.floats(-100, 100), st.sampled_from([0.0, 0.5, 1.0])), max_size=12
)


def test_advantages_are_distances_from_the_mean_in_sample_standard_deviations():
    # mean 0.5; squares 0.25 + 0.25 + 0 + 0, over n - 1 = 3: std = sqrt(1/6)
    found = advantages([1.0, 0.0, 0.5, 0.5], epsilon=0.0)
    assert found == pytest.approx([math.sqrt(1.5), -math.sqrt(1.5), 0.0, 0.0])


def test_epsilon_is_added_to_the_spread_and_not_under_the_root():
    # mean 0.5, std = sqrt(0.5); 0.5 / (sqrt(0.5) + 0.1)
    assert advantages([1.0, 0.0], epsilon=0.1) == pytest.approx(
        [0.5 / (math.sqrt(0.5) + 0.1), -0.5 / (math.sqrt(0.5) + 0.1)]
    )


def test_an_unscorable_rollout_is_no_zero_and_leaves_the_baseline():
    found = advantages([1.0, None, 0.0, math.nan, math.inf], epsilon=0.0)
    assert found[0] == pytest.approx(math.sqrt(0.5))
    assert found[2] == pytest.approx(-math.sqrt(0.5))
    assert [found[1], found[3], found[4]] == [None, None, None]


@pytest.mark.parametrize("rewards", [[0.7], [0.7, None], [0.1 + 0.2] * 8, [0.0, 0.0], [1e9, 1e9, None]])
def test_groups_of_one_and_of_equal_rewards_have_advantages_of_zero(rewards):
    assert advantages(rewards) == [None if reward is None else 0.0 for reward in rewards]


def test_no_scored_rollout_gives_no_advantage():
    assert advantages([]) == []
    assert advantages([None, math.nan]) == [None, None]


@given(REWARDS)
def test_scored_rollouts_have_finite_advantages_that_add_up_to_nothing(rewards):
    found = advantages(rewards)
    assert [one is None for one in found] == [reward is None or math.isnan(reward) for reward in rewards]
    scored = [one for one in found if one is not None]
    assert all(math.isfinite(one) for one in scored)
    assert math.fsum(scored) == pytest.approx(0.0, abs=1e-6)
    if len(scored) > 1 and any(scored):
        assert statistics.stdev(scored) <= 1.0 + 1e-9


@given(REWARDS, st.randoms())
def test_a_rollout_has_the_same_advantage_in_whatever_order_its_group_is(rewards, random):
    order = list(range(len(rewards)))
    random.shuffle(order)
    found = advantages(rewards)
    assert advantages([rewards[at] for at in order]) == [found[at] for at in order]


@given(REWARDS)
def test_unscorable_rollouts_change_nothing_for_the_others(rewards):
    scored = [reward for reward in rewards if reward is not None and not math.isnan(reward)]
    assert advantages(scored) == [one for one in advantages(rewards) if one is not None]
    assert is_flat(scored, 0.1) == is_flat(rewards, 0.1)


@given(REWARDS, st.floats(0.5, 4), st.floats(-3, 3))
def test_advantages_do_not_depend_on_scale_and_origin_of_the_reward(rewards, scale, origin):
    scored = [r for r in rewards if r is not None and not math.isnan(r)]
    if len(scored) < 2 or statistics.stdev(scored) < 0.01:
        return
    moved = [None if r is None else scale * r + origin for r in rewards]
    for one, other in zip(advantages(rewards, epsilon=0.0), advantages(moved, epsilon=0.0), strict=True):
        assert (one is None) == (other is None)
        assert one is None or one == pytest.approx(other, abs=1e-6)


def test_a_group_is_flat_within_the_tolerance_and_with_fewer_than_two_scored():
    assert is_flat([0.5, 0.55, None], 0.05 + 1e-12)
    assert not is_flat([0.5, 0.55, None], 0.04)
    assert is_flat([0.5, 0.5], 0.0)
    assert is_flat([0.9, None, math.nan], 0.0)
    assert is_flat([], 0.0)


def test_the_length_penalty_is_a_share_of_the_groups_longest_scaled_by_its_pass_rate():
    # pass rate (1 + 0) / 2; the unscorable third, the longest of all, does not count
    found = length_penalty([1.0, 0.0, None], [100, 50, 9000], [1000, 400, 90000], [10, 5, 99])
    assert found == [pytest.approx(0.5 * (0.25 + 0.1 + 0.1)), pytest.approx(0.5 * (0.125 + 0.04 + 0.05)), None]


def test_a_group_that_fails_is_not_made_shorter():
    assert length_penalty([0.0, 0.0], [1000, 10], [10, 10], [1, 1]) == [0.0, 0.0]


def test_rollouts_without_any_tokens_cost_nothing_and_lists_must_match():
    assert length_penalty([1.0, 1.0], [0, 0], [0, 0], [0, 0]) == [0.0, 0.0]
    with pytest.raises(ValueError):
        length_penalty([1.0, 1.0], [1], [1, 1], [1, 1])


@given(
    st.lists(st.tuples(st.floats(0, 1), st.integers(0, 10**6), st.integers(0, 10**6), st.integers(0, 99)), min_size=1)
)
def test_the_length_penalty_grows_with_length_and_is_never_more_than_its_weights(rows):
    rates, outputs, inputs, turns = zip(*rows, strict=True)
    found = length_penalty(rates, outputs, inputs, turns)
    assert all(one is not None and -1e-12 <= one <= 0.45 * statistics.fmean(rates) + 1e-9 for one in found)
    order = sorted(range(len(rows)), key=lambda at: rows[at][1:])
    for a in order:
        for b in order:
            if all(x <= y for x, y in zip(rows[a][1:], rows[b][1:], strict=True)):
                assert found[a] <= found[b] + 1e-12
