"""The losses of GRPO, GSPO and SFT: numbers worked out by hand, and what holds for every step however it is cut and packed."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass, replace

import pytest

torch = pytest.importorskip("torch", reason="the train extra is not installed: make test-train")

from hypothesis import given  # noqa: E402
from hypothesis import strategies as st  # noqa: E402

from redwell.train.advantages import advantages  # noqa: E402
from redwell.train.losses import means, of_logits, policy_loss, sft_loss  # noqa: E402
from redwell.train.types import LossSettings, TrainingError  # noqa: E402

WIDE = LossSettings(mask_low=0.0, mask_high=1e9, ratio_cap=1e9)
SEEDS = st.integers(0, 2**32 - 1)
KINDS = st.sampled_from(["grpo", "gspo"])


def logs(*values: float) -> torch.Tensor:
    return torch.tensor([math.log(value) for value in values], dtype=torch.float64)


def two_rollouts(settings: LossSettings, rho=(1.0, 1.0, 1.0, 1.0)):
    """Rollout 0 (A = 1) has ratios 1.1 and 1.5, rollout 1 (A = -1) has 0.5 and 2.0."""
    old = logs(0.1, 0.2, 0.3, 0.4)
    new = (old + logs(1.1, 1.5, 0.5, 2.0)).requires_grad_()
    loss, sums = policy_loss(
        new,
        old,
        old - logs(*rho),
        torch.tensor([1.0, 1.0, -1.0, -1.0], dtype=torch.float64),
        torch.ones(4, dtype=torch.bool),
        torch.tensor([0, 0, 1, 1]),
        torch.tensor([2, 2]),
        2,
        settings,
    )
    return loss.item(), torch.autograd.grad(loss, new)[0].tolist(), means([sums])


# --- by hand ----------------------------------------------------------------------------------------------------------------------


def test_grpo_clips_upwards_at_high_and_downwards_at_low():
    # rollout 0: (1.1 + min(1.5, 1.28)) / 2 = 1.19; rollout 1: (min(-0.5, -0.8) + min(-2, -1.28)) / 2 = -1.4
    loss, gradient, metrics = two_rollouts(WIDE)
    assert loss == pytest.approx(-(1.19 - 1.4) / 2)
    assert gradient == pytest.approx([-1.1 / 4, 0.0, 0.0, 2.0 / 4])
    assert metrics["clipped"] == 0.5
    assert metrics["ratio"] == pytest.approx((1.1 + 1.5 + 0.5 + 2.0) / 4)
    assert metrics["masked"] == metrics["capped"] == metrics["mismatch"] == 0.0


def test_a_masked_token_keeps_its_place_in_the_denominator_and_a_kept_one_is_weighted_up_to_the_cap():
    # rho 3.0 and 0.4 are outside [0.5, 2]; rho 1.5 weighs 1.25: 1.1 / 2 and -2 * 1.25 / 2
    loss, gradient, metrics = two_rollouts(LossSettings(ratio_cap=1.25), rho=(1.0, 3.0, 0.4, 1.5))
    assert loss == pytest.approx(-(0.55 - 1.25) / 2)
    assert gradient == pytest.approx([-1.1 / 4, 0.0, 0.0, 2.0 * 1.25 / 4])
    assert metrics["masked"] == 0.5
    assert metrics["capped"] == 0.25
    assert metrics["mismatch"] == pytest.approx((math.log(3) - math.log(0.4) + math.log(1.5)) / 4)


def test_gspo_clips_the_geometric_mean_of_the_rollouts_ratios():
    # s_0 = sqrt(1.1 * 1.5) = 1.2845 > 1.28: clipped; s_1 = sqrt(0.5 * 2) = 1
    loss, gradient, metrics = two_rollouts(replace(WIDE, kind="gspo"))
    assert loss == pytest.approx(-(1.28 - 1.0) / 2)
    assert gradient == pytest.approx([0.0, 0.0, 0.25, 0.25])
    assert metrics["clipped"] == 0.5
    assert metrics["ratio"] == pytest.approx((math.sqrt(1.65) + 1.0) / 2)


def test_gspo_spreads_the_gradient_of_the_sequence_ratio_over_its_tokens():
    # s_0 = 1.2845 within [.., 1.5]: every token has the gradient -s_0 A / (N |y|)
    loss, gradient, _ = two_rollouts(replace(WIDE, kind="gspo", high=0.5))
    assert loss == pytest.approx(-(math.sqrt(1.65) - 1.0) / 2)
    assert gradient == pytest.approx([-math.sqrt(1.65) / 4] * 2 + [0.25] * 2)


def test_gspo_masks_tokens_one_by_one_and_its_ratio_is_over_all_of_them():
    loss, gradient, metrics = two_rollouts(
        replace(WIDE, kind="gspo", high=0.5, mask_high=2.0), rho=(1.0, 3.0, 1.0, 1.0)
    )
    assert loss == pytest.approx(-(math.sqrt(1.65) / 2 - 1.0) / 2)
    assert gradient == pytest.approx([-math.sqrt(1.65) / 4, 0.0, 0.25, 0.25])
    assert metrics["masked"] == 0.25


def test_kl_is_the_k3_estimate_with_the_same_denominators_and_off_unless_asked_for():
    # reference twice as likely: k3 = 2 - ln 2 - 1, with slope 1 - 2 in new; the ratio's slope adds k3: -ln 2, that of KL(new || reference)
    new = logs(0.1).requires_grad_()
    rest = (new.detach(), new.detach(), torch.zeros(1), torch.ones(1, dtype=torch.bool), torch.tensor([0]))
    counts = (torch.tensor([1]), 4)
    loss, sums = policy_loss(new, *rest, *counts, LossSettings(kl=0.1), reference=logs(0.2))
    assert loss.item() == pytest.approx(0.1 * (1 - math.log(2)) / 4)
    assert torch.autograd.grad(loss, new)[0].item() == pytest.approx(-0.1 * math.log(2) / 4)
    assert means([sums])["kl"] == pytest.approx(1 - math.log(2))
    assert "kl" not in policy_loss(new, *rest, *counts, LossSettings(), reference=logs(0.2))[1]
    with pytest.raises(TrainingError, match="kl"):
        policy_loss(new, *rest, *counts, LossSettings(kl=0.1))


def test_kl_is_weighed_token_by_token_for_gspo_too():
    # ratios 1.1 and 1.5 to weights that are those before training as well: q k3 = r (1/r + ln r - 1)
    old = logs(0.1, 0.2)
    new, zeros = old + logs(1.1, 1.5), torch.zeros(2)
    both = torch.ones(2, dtype=torch.bool)
    loss, _ = policy_loss(
        new, old, old, zeros, both, zeros.long(), torch.tensor([2]), 1, LossSettings("gspo", kl=1.0), reference=old
    )
    assert loss.item() == pytest.approx(sum(r * (1 / r + math.log(r) - 1) for r in (1.1, 1.5)) / 2)


def test_sft_is_the_mean_negative_log_probability_of_the_trained_tokens_of_the_step():
    new = logs(0.5, 0.1, 0.25).requires_grad_()
    loss = sft_loss(new, torch.tensor([True, False, True]), 4)
    assert loss.item() == pytest.approx((math.log(2) + math.log(4)) / 4)
    assert torch.autograd.grad(loss, new)[0].tolist() == [-0.25, 0.0, -0.25]
    with pytest.raises(TrainingError, match="no token"):
        sft_loss(new, torch.tensor([False, False, False]), 0)


def test_log_probabilities_and_entropies_come_from_logits():
    logits = torch.tensor([[0.0, 0.0, 0.0, 0.0], [math.log(3.0), 0.0, -math.inf, -math.inf]], requires_grad=True)
    logprobs, entropy = of_logits(logits, torch.tensor([2, 0]))
    assert logprobs.tolist() == pytest.approx([-math.log(4), math.log(0.75)])
    assert entropy.tolist() == pytest.approx([math.log(4), -(0.75 * math.log(0.75) + 0.25 * math.log(0.25))])
    assert logprobs.requires_grad
    assert not entropy.requires_grad


def test_half_precision_is_summed_in_full():
    # 300 tokens of one rollout: neither 1/300 nor the sum of so many fits bfloat16
    new = torch.full((300,), -1.0, dtype=torch.bfloat16, requires_grad=True)
    ones = torch.ones(300, dtype=torch.bool)
    loss, _ = policy_loss(
        new,
        new.detach(),
        new.detach(),
        torch.ones(300),
        ones,
        torch.zeros(300, dtype=torch.long),
        torch.tensor([300]),
        1,
        LossSettings(),
    )
    assert loss.item() == pytest.approx(-1.0, abs=1e-6)
    assert sft_loss(new, ones, 300).item() == pytest.approx(1.0, abs=1e-6)


# --- whatever the step ------------------------------------------------------------------------------------------------------------


@dataclass
class Piece:
    """One segment: rows of (new, old, sampled, trained), each token of which knows its `name` in the step."""

    rollout: int
    advantage: float
    rows: list[tuple[float, float, float, bool]]
    names: list[int]


def drawn_step(seed: int, rollouts: int = 4) -> list[Piece]:
    """Rollouts of 1 to 9 tokens, some untrained, the ratios around 1 but many outside clip and mask."""
    dice = random.Random(seed)
    pieces, names = [], iter(range(10_000))
    for number in range(rollouts):
        rows = []
        for _ in range(dice.randint(1, 9)):
            old = -dice.expovariate(1.0)
            rows.append((old + dice.gauss(0, 0.3), old, old + dice.gauss(0, 0.5), dice.random() < 0.7))
        rows.append((-1.1, -1.0, -1.2, True))
        pieces.append(Piece(number, dice.gauss(0, 1), rows, [next(names) for _ in rows]))
    return pieces


def run(pieces: list[Piece], settings: LossSettings, counts: list[int] | None = None, rollouts: int | None = None):
    """The loss, its gradient at each token by name, and the means."""
    last = max(piece.rollout for piece in pieces)
    lengths = counts or [
        sum(row[3] for p in pieces if p.rollout == number for row in p.rows) for number in range(last + 1)
    ]
    flat = [(*row, piece.advantage, piece.rollout) for piece in pieces for row in piece.rows]
    columns = list(zip(*flat, strict=True))
    new, old, sampled, advantage = (torch.tensor(columns[at], dtype=torch.float64) for at in (0, 1, 2, 4))
    new.requires_grad_()
    loss, sums = policy_loss(
        new,
        old,
        sampled,
        advantage,
        torch.tensor(columns[3]),
        torch.tensor(columns[5]),
        torch.tensor(lengths),
        rollouts or len(lengths),
        settings,
        reference=old - 0.1,
    )
    gradient = torch.autograd.grad(loss, new)[0].tolist()
    names = [name for piece in pieces for name in piece.names]
    return loss.item(), dict(zip(names, gradient, strict=True)), means([sums])


def same(one, other) -> None:
    assert one[0] == pytest.approx(other[0], abs=1e-12)
    assert one[1] == pytest.approx(other[1], abs=1e-12)
    assert one[2] == pytest.approx(other[2], abs=1e-12)


def of(kind: str) -> LossSettings:
    return LossSettings(kind, low=0.1, high=0.15, kl=0.05, ratio_cap=1.5)


@given(SEEDS, KINDS)
def test_the_order_of_segments_changes_nothing(seed, kind):
    pieces = drawn_step(seed)
    shuffled = random.Random(seed + 1).sample(pieces, len(pieces))
    same(run(pieces, of(kind)), run(shuffled, of(kind)))


@given(SEEDS, KINDS)
def test_a_rollout_split_in_segments_has_the_loss_and_gradient_of_one_that_is_not(seed, kind):
    pieces, split = drawn_step(seed), []
    for piece in pieces:
        at = random.Random(seed + piece.rollout).randint(0, len(piece.rows))
        for part in (slice(0, at), slice(at, None)):
            split.append(replace(piece, rows=piece.rows[part], names=piece.names[part]))
    same(run(pieces, of(kind)), run(random.Random(seed).sample(split, len(split)), of(kind)))


@given(SEEDS, KINDS, st.sampled_from([math.nan, math.inf, -math.inf, 0.0, -9.0]))
def test_what_stands_at_tokens_that_are_not_trained_reaches_neither_loss_nor_gradient(seed, kind, rubbish):
    pieces = drawn_step(seed)
    spoilt = [
        replace(piece, rows=[row if row[3] else (rubbish, rubbish, rubbish, False) for row in piece.rows])
        for piece in pieces
    ]
    one, other = run(pieces, of(kind)), run(spoilt, of(kind))
    same(one, other)
    untrained = [name for piece in pieces for row, name in zip(piece.rows, piece.names, strict=True) if not row[3]]
    assert all(other[1][name] == 0.0 for name in untrained)


@given(SEEDS, KINDS, st.integers(1, 20))
def test_padding_changes_nothing(seed, kind, length):
    pieces = drawn_step(seed)
    padded = [
        replace(
            piece,
            rows=[*piece.rows, *[(math.nan, math.nan, math.nan, False)] * length],
            names=[*piece.names, *range(-length, 0)],
        )
        for piece in pieces
    ]
    one, other = run(pieces, of(kind)), run(padded, of(kind))
    assert other[0] == pytest.approx(one[0], abs=1e-12)
    assert {name: other[1][name] for name in one[1]} == pytest.approx(one[1], abs=1e-12)


@given(SEEDS, KINDS)
def test_losses_and_gradients_of_micro_batches_add_up_to_those_of_the_step(seed, kind):
    pieces = drawn_step(seed)
    whole = run(pieces, of(kind))
    counts = [sum(row[3] for row in piece.rows) for piece in pieces]
    parts = [run(some, of(kind), counts, len(pieces)) for some in (pieces[:1], pieces[1:])]
    assert parts[0][0] + parts[1][0] == pytest.approx(whole[0], abs=1e-12)
    assert parts[0][1] | parts[1][1] == pytest.approx(whole[1], abs=1e-12)


@given(SEEDS)
def test_segments_of_a_rollout_may_lie_in_different_micro_batches_for_grpo_and_not_for_gspo(seed):
    piece = drawn_step(seed, 1)[0]
    halves = [
        replace(piece, rows=piece.rows[part], names=piece.names[part]) for part in (slice(0, -1), slice(-1, None))
    ]
    counts = [sum(row[3] for row in piece.rows)]
    whole, first, second = (run(some, of("grpo"), counts) for some in ([piece], halves[:1], halves[1:]))
    assert first[0] + second[0] == pytest.approx(whole[0], abs=1e-12)
    if counts[0] > 1:
        with pytest.raises(TrainingError, match=r"rollout 0: 1 of its \d+ trained tokens"):
            run(halves[1:], of("gspo"), counts)


@given(SEEDS, KINDS)
def test_an_unscorable_rollout_leaves_the_loss_as_if_it_had_not_been(seed, kind):
    pieces = drawn_step(seed)
    rewards: list[float | None] = [1.0, 0.0, 0.25, None]
    scored = [
        replace(piece, advantage=one) for piece, one in zip(pieces, advantages(rewards), strict=True) if one is not None
    ]
    spoilt = [
        replace(piece, advantage=math.nan if one is None else one)
        for piece, one in zip(pieces, advantages(rewards), strict=True)
    ]
    without, with_it = run(scored, of(kind), rollouts=3), run(spoilt, of(kind), rollouts=3)
    assert with_it[0] == pytest.approx(without[0], abs=1e-12)
    assert {name: with_it[1][name] for name in without[1]} == pytest.approx(without[1], abs=1e-12)
    assert all(with_it[1][name] == 0.0 for name in pieces[3].names)
    assert with_it[2] == pytest.approx(without[2], abs=1e-12)


@pytest.mark.parametrize("rewards", [[0.4], [0.4] * 4, [0.9, None, None, None]])
@pytest.mark.parametrize("kind", ["grpo", "gspo"])
def test_groups_of_one_and_of_equal_rewards_move_nothing(rewards, kind):
    pieces = [
        replace(piece, advantage=one)
        for piece, one in zip(drawn_step(7, len(rewards)), advantages(rewards), strict=True)
        if one is not None
    ]
    loss, gradient, _ = run(pieces, LossSettings(kind))
    assert loss == 0.0
    assert set(gradient.values()) == {0.0}


@given(SEEDS, KINDS)
def test_a_long_rollout_weighs_no_more_than_a_short_one(seed, kind):
    # every ratio is 1: each rollout contributes -A/N, whatever its length
    pieces = [
        replace(piece, rows=[(old, old, old, trained) for _, old, _, trained in piece.rows])
        for piece in drawn_step(seed)
    ]
    loss, gradient, metrics = run(pieces, LossSettings(kind))
    assert loss == pytest.approx(-sum(piece.advantage for piece in pieces) / len(pieces))
    for piece in pieces:
        assert sum(gradient[name] for name in piece.names) == pytest.approx(-piece.advantage / len(pieces))
    assert metrics["clipped"] == 0.0


@given(SEEDS)
def test_in_a_first_pass_gspo_has_the_gradient_of_grpo(seed):
    """Nothing has moved, so that every ratio is 1: the two differ only once a step goes through its data again."""
    pieces = [
        replace(piece, rows=[(old, old, sampled, on) for _, old, sampled, on in piece.rows])
        for piece in drawn_step(seed)
    ]
    same(run(pieces, LossSettings("gspo", low=3e-4, high=4e-4)), run(pieces, LossSettings("grpo")))


@given(SEEDS, KINDS)
def test_a_masked_token_has_no_gradient_and_no_other_token_has_more_for_it(seed, kind):
    pieces = drawn_step(seed)
    settings = replace(of(kind), kl=0.0)
    masked = [replace(piece, rows=[*piece.rows[:-1], (-1.1, -1.0, math.nan, True)]) for piece in pieces]
    kept = [replace(piece, rows=[*piece.rows[:-1], (-1.1, -1.0, -1.0, True)]) for piece in pieces]
    before, after = run(kept, settings), run(masked, settings)
    lasts = [piece.names[-1] for piece in pieces]
    assert all(after[1][name] == 0.0 for name in lasts)
    assert {n: g for n, g in after[1].items() if n not in lasts} == pytest.approx(
        {n: g for n, g in before[1].items() if n not in lasts}, abs=1e-12
    )


@pytest.mark.parametrize("kind", ["grpo", "gspo"])
@pytest.mark.parametrize("gap", [-800.0, 800.0])
@pytest.mark.parametrize("advantage", [-1.0, 0.0, 1.0])
def test_a_policy_that_moved_far_away_gives_a_finite_loss_and_gradient(kind, gap, advantage):
    piece = Piece(0, advantage, [(-900.0 + gap, -900.0, -900.0, True)], [0])
    loss, gradient, _ = run([piece], replace(WIDE, kind=kind, kl=0.1))
    assert math.isfinite(loss)
    assert math.isfinite(gradient[0])


def test_a_step_whose_log_probabilities_are_nan_is_not_hidden():
    loss, _, _ = run([Piece(0, 1.0, [(math.nan, -1.0, -1.0, True)], [0])], LossSettings())
    assert math.isnan(loss)


def test_tensors_of_unequal_length_and_the_wrong_kind_are_told():
    one, two = torch.zeros(1), torch.zeros(2)
    with pytest.raises(TrainingError, match="one entry for each token"):
        policy_loss(one, two, one, one, one.bool(), one.long(), torch.tensor([1]), 1, LossSettings())
    with pytest.raises(TrainingError, match="sft"):
        policy_loss(one, one, one, one, one.bool(), one.long(), torch.tensor([1]), 1, LossSettings("sft"))


def test_means_are_over_all_trained_tokens_of_the_step_and_empty_without_any():
    first, second = (
        {"tokens": torch.tensor(1.0), "ratio": torch.tensor(3.0)},
        {"tokens": torch.tensor(3.0), "ratio": torch.tensor(3.0)},
    )
    assert means([first, second]) == {"ratio": 1.5}
    assert means([]) == {}
