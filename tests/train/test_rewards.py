"""What verdicts come to as a reward, and what cost and length take off within a group."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redwell.bench.key import Check, Criterion, Key, PlantedIssue
from redwell.bench.verdicts import Verdict, VerdictSet
from redwell.train.rewards import RewardSettings, parts_of, reward, shape
from redwell.train.types import Rollout, TrainingError


def verdicts(**outcomes: str) -> VerdictSet:
    return VerdictSet("facts", "room", tuple(Verdict(name, outcome) for name, outcome in outcomes.items()))  # type: ignore[arg-type]


def issue(name: str, decoy: bool = False) -> PlantedIssue:
    return PlantedIssue(name, 1, "leases", name, "real estate", "direct", "plain", "train", decoy, "high", ())


def key(**criteria: str) -> Key:
    """Criteria by the issue that each is about; "" for one of the report, names with a D for decoys."""
    issues = tuple(issue(name, name.startswith("D")) for name in sorted(set(criteria.values())) if name)
    lines = tuple(Criterion(name, name, "", "fact", about, Check()) for name, about in criteria.items())
    return Key("room", "Target", "1", "desk", "train", issues, lines)


def rollout(
    number: int, value: float | None, *, tokens: int = 0, calls: int = 0, passed: float = 1.0, turns: int = 0
) -> Rollout:
    status = "unscorable" if value is None else "ok"
    parts = {} if value is None else {"criteria": passed}
    return Rollout(
        f"g/{number}", "task", "g", status, (), value, parts, root_output=tokens, sub_calls=calls, turns=turns
    )  # fmt: skip


# --- parts and their weights ------------------------------------------------------------------------------------------------------


def test_parts_are_shares_of_criteria_and_of_issues_that_are_solved_whole():
    # I1 has both of its criteria, I2 one of two, the decoy is no issue: 3 of 5 criteria... and c6 of the report passes
    graded = verdicts(c1="pass", c2="pass", c3="pass", c4="fail", c5="fail", c6="pass")
    parts = parts_of(graded, key(c1="I1", c2="I1", c3="I2", c4="I2", c5="D1", c6=""))
    assert parts == {"criteria": pytest.approx(4 / 6), "issues": 0.5, "all_pass": 0.0}


def test_everything_passed_is_an_all_pass():
    graded = verdicts(c1="pass", c2="pass")
    assert parts_of(graded, key(c1="I1", c2="")) == {"criteria": 1.0, "issues": 1.0, "all_pass": 1.0}
    assert parts_of(graded, None) == {"criteria": 1.0, "all_pass": 1.0}


def test_a_criterion_without_a_verdict_is_no_failure_and_no_pass():
    outcomes = {f"c{number}": "pass" for number in range(10)} | {"c10": "unscored", "c11": "fail"}
    about = dict.fromkeys(outcomes, "I1") | {"c10": "I2", "c11": "I3"}
    parts = parts_of(verdicts(**outcomes), key(**about))
    # I2 hangs on the criterion that nobody decided: solved are I1 of I1 and I3
    assert parts == {"criteria": pytest.approx(10 / 11), "issues": 0.5, "all_pass": 0.0}


def test_an_issue_that_failed_one_criterion_is_not_solved_whatever_the_undecided_one_is():
    outcomes = {f"c{number}": "pass" for number in range(10)} | {"c10": "unscored", "c11": "fail"}
    about = dict.fromkeys(outcomes, "I1") | {"c10": "I2", "c11": "I2"}
    assert parts_of(verdicts(**outcomes), key(**about))["issues"] == 0.5


def test_what_nobody_decided_keeps_a_rollout_from_passing_everything():
    outcomes = {f"c{number}": "pass" for number in range(9)} | {"c9": "unscored"}
    assert parts_of(verdicts(**outcomes), None) == {"criteria": 1.0, "all_pass": 0.0}


@pytest.mark.parametrize(("decided", "scorable"), [(9, True), (8, False), (0, False)])
def test_a_rollout_whose_judge_was_down_is_unscorable_and_not_a_zero(decided, scorable):
    graded = verdicts(**{f"c{number}": "pass" if number < decided else "unscored" for number in range(10)})
    parts = parts_of(graded, None)
    assert bool(parts) == scorable
    assert (reward(parts, RewardSettings()) is None) == (not scorable)


def test_no_criteria_at_all_are_unscorable():
    assert parts_of(verdicts(), key()) == {}


def test_the_reward_is_the_weighted_sum_of_its_parts():
    parts = {"criteria": 0.5, "issues": 0.25, "all_pass": 1.0}
    assert reward(parts, RewardSettings(criteria=1.0, issues=2.0, all_pass=0.1)) == pytest.approx(1.1)
    assert reward(parts, RewardSettings()) == 0.5
    assert reward({"criteria": 0.0}, RewardSettings()) == 0.0


def test_a_report_that_was_not_handed_in_is_worth_as_much_of_it_as_the_recipe_says():
    parts, settings = {"criteria": 0.5, "all_pass": 1.0}, RewardSettings(all_pass=0.3, unsubmitted=0.25)
    assert reward(parts, settings) == pytest.approx(0.8)
    assert reward(parts, settings, submitted=False) == pytest.approx(0.2)
    assert reward(parts, RewardSettings(unsubmitted=0.0), submitted=False) == 0.0
    assert reward(parts, RewardSettings(), submitted=False) == 0.5
    assert reward({}, settings, submitted=False) is None


def test_a_weight_for_a_part_that_is_not_known_is_told():
    with pytest.raises(TrainingError, match=r"reward\.issues.*answer key"):
        reward({"criteria": 0.5, "all_pass": 0.0}, RewardSettings(issues=1.0))


@pytest.mark.parametrize(
    "wrong", [{"criteria": -1.0}, {"tokens": math.nan}, {"length": math.inf}, {"criteria": 0.0}, {"unsubmitted": 1.5}]
)
def test_weights_that_cannot_be_used_are_named(wrong):
    with pytest.raises(TrainingError, match="reward"):
        RewardSettings(**wrong)


# --- cost and length --------------------------------------------------------------------------------------------------------------


def test_without_weights_for_cost_the_rewards_stay_as_they_are():
    group = [rollout(0, 0.5, tokens=10), rollout(1, None, tokens=5), rollout(2, 0.5, tokens=900)]
    assert shape(group, RewardSettings()) == [0.5, None, 0.5]


def test_cost_tells_rollouts_of_equal_reward_apart():
    # tokens 100, 300, 200 of equal rollouts: 0, 1 and a half of the weight, times their pass rate 0.5
    group = [rollout(number, 0.5, tokens=tokens, passed=0.5) for number, tokens in enumerate((100, 300, 200))]
    assert shape(group, RewardSettings(tokens=0.1)) == pytest.approx([0.5, 0.45, 0.475])


def test_tokens_and_calls_add_up():
    group = [rollout(0, 1.0, tokens=100, calls=7), rollout(1, 1.0, tokens=200, calls=5)]
    assert shape(group, RewardSettings(tokens=0.1, calls=0.04)) == pytest.approx([0.96, 0.9])


def test_a_cheaper_rollout_never_passes_a_better_one():
    # the gap down to 0.5 is 0.1, so no more than 0.05 is taken off
    group = [rollout(0, 0.5, tokens=1), rollout(1, 0.6, tokens=1), rollout(2, 0.6, tokens=1000)]
    assert shape(group, RewardSettings(tokens=10.0)) == pytest.approx([0.5, 0.6, 0.55])


def test_rollouts_that_pass_nothing_are_not_made_cheaper():
    group = [rollout(0, 0.0, tokens=1, passed=0.0), rollout(1, 0.0, tokens=1000, passed=0.0), rollout(2, 1.0)]
    assert shape(group, RewardSettings(tokens=0.5, calls=0.5)) == [0.0, 0.0, 1.0]


def test_rewards_that_are_equal_but_for_floats_are_equal():
    group = [rollout(0, 0.1 + 0.2, tokens=1), rollout(1, 0.3, tokens=2)]
    assert shape(group, RewardSettings(tokens=0.1)) == pytest.approx([0.3, 0.2])


def test_the_length_penalty_is_weighted_and_scaled_by_the_groups_pass_rate():
    # pass rate 0.5; outputs 100 and 50: 0.25 * 1 and 0.25 * 0.5; turns 4 and 2: 0.1 and 0.05
    group = [
        rollout(0, 0.8, tokens=100, turns=4, passed=0.8),
        rollout(1, 0.2, tokens=50, turns=2, passed=0.2),
        rollout(2, None, tokens=10**6),
    ]
    found = shape(group, RewardSettings(length=2.0))
    assert found[:2] == pytest.approx([0.8 - 2 * 0.5 * 0.35, 0.2 - 2 * 0.5 * 0.175])
    assert found[2] is None


def test_a_reward_that_is_no_number_is_unscorable():
    group = [rollout(0, math.nan), rollout(1, 0.5, tokens=3), rollout(2, 0.5, tokens=1)]
    assert shape(group, RewardSettings(tokens=0.1, length=1.0))[0] is None


GROUPS = st.lists(
    st.tuples(st.sampled_from([None, 0.0, 0.25, 0.26, 0.5, 1.0]), st.integers(0, 10**7), st.integers(0, 2000)),
    max_size=10,
)


@given(GROUPS, st.floats(0, 5), st.floats(0, 5))
def test_cost_never_turns_the_order_of_rewards_and_never_pays_for_spending(rows, tokens, calls):
    group = [rollout(n, value, tokens=t, calls=c, passed=value or 0.0) for n, (value, t, c) in enumerate(rows)]
    shaped = shape(group, RewardSettings(tokens=tokens, calls=calls))
    for one, mine in zip(group, shaped, strict=True):
        assert (one.reward is None) == (mine is None)
        for other, its in zip(group, shaped, strict=True):
            if one.reward is None or other.reward is None:
                continue
            assert mine <= one.reward + 1e-12
            if one.reward > other.reward:
                assert mine > its
            if one.reward == other.reward and one.root_output <= other.root_output and one.sub_calls <= other.sub_calls:
                assert mine >= its - 1e-12


@given(GROUPS, st.randoms())
def test_the_order_of_a_group_changes_nothing(rows, random):
    group = [rollout(n, value, tokens=t, calls=c, passed=value or 0.0, turns=n) for n, (value, t, c) in enumerate(rows)]
    settings = RewardSettings(tokens=0.3, calls=0.1, length=1.0)
    whole = dict(zip([one.id for one in group], shape(group, settings), strict=True))
    shuffled = random.sample(group, len(group))
    found = dict(zip([one.id for one in shuffled], shape(shuffled, settings), strict=True))
    assert found == pytest.approx(whole)
