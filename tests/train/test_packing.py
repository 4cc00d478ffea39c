"""Which data are computed together, and that it cannot be told from the outcome."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from train.tiny_models import datum

from redwell.train.local.packing import Pack, computed, packs
from redwell.train.types import Datum

data_of_a_step = st.lists(
    st.tuples(st.integers(0, 5), st.integers(2, 40), st.integers(1, 40)).map(
        lambda one: datum(tuple(range(one[1])), one[2], rollout=one[0])
    ),
    max_size=20,
)


def test_only_what_stands_before_the_last_trained_token_is_computed() -> None:
    trained = (False, True, True, False, False)
    assert computed(Datum((1, 2, 3, 4, 5), trained, (0.0,) * 5, 1.0, 0, 2)) == 2
    assert computed(Datum((1, 2), (False, False), (0.0, 0.0), 1.0, 0, 0)) == 0
    assert computed(Datum((), (), (), 1.0, 0, 0)) == 0


def test_long_rollouts_are_placed_first_and_short_ones_fill_what_is_left() -> None:
    lengths = {0: 31, 1: 71, 2: 21, 3: 81}
    data = [datum(tuple(range(length)), 1, rollout=rollout) for rollout, length in lengths.items()]
    assert packs(data, 100) == [Pack((3, 2), (80, 20)), Pack((1, 0), (70, 30))]


def test_neighbours_of_one_length_are_one_run() -> None:
    assert Pack((4, 1, 0, 2), (9, 9, 9, 2)).runs == ((3, 9), (1, 2))


@given(data_of_a_step, st.integers(1, 120))
def test_every_trained_datum_is_in_one_pack_with_its_whole_rollout(data: list[Datum], limit: int) -> None:
    found = packs(data, limit)
    assert sorted(number for pack in found for number in pack.data) == [
        number for number, one in enumerate(data) if computed(one)
    ]
    for pack in found:
        assert pack.lengths == tuple(computed(data[number]) for number in pack.data)
        rollouts = {data[number].rollout for number in pack.data}
        assert pack.tokens <= limit or len(rollouts) == 1
        others = {data[number].rollout for other in found if other is not pack for number in other.data}
        assert not rollouts & others
        assert sum(count * length for count, length in pack.runs) == pack.tokens


@given(data_of_a_step)
def test_packs_are_fewer_than_rollouts_need_at_worst(data: list[Datum]) -> None:
    """Two packs that would fit into one are never left apart."""
    found = packs(data, 60)
    for first in found:
        for second in found:
            assert first is second or first.tokens + second.tokens > 60


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """A random model in fp32 with LoRA weights that matter."""
    torch = pytest.importorskip("torch", reason="the train extra is not installed: make test-train")
    from train.tiny_models import write_llama

    from redwell.train.local import forward, weights

    torch.set_num_threads(1)
    base = weights.load_base(write_llama(tmp_path_factory.mktemp("packing") / "tiny"), "fp32", "cpu", forward.ATTENTION)
    made = weights.with_lora(base, 4, 8.0, weights.LINEAR, 0)
    with torch.no_grad():
        for number, value in enumerate(weights.trained(made).values()):
            value.copy_(torch.randn(value.shape, generator=torch.Generator().manual_seed(number)) * 0.2)
    return made


@given(data=data_of_a_step.filter(lambda data: any(computed(one) for one in data)), limit=st.integers(20, 200))
@settings(deadline=None, max_examples=50)
def test_packing_cannot_be_seen_in_the_outcome(model: Any, data: list[Datum], limit: int) -> None:
    import torch

    from redwell.train.local import forward

    def of(pack: Pack) -> dict[int, list[float]]:
        flat = forward.flatten(data, pack, "cpu")
        values, entropy = forward.logprobs(model, flat, bf16=False)
        assert bool((entropy >= 0).all())
        return {number: values[flat.datum == place].tolist() for place, number in enumerate(pack.data)}

    with torch.no_grad():
        together = {number: values for pack in packs(data, limit) for number, values in of(pack).items()}
        for number, values in together.items():
            alone = of(Pack((number,), (computed(data[number]),)))[number]
            assert values == pytest.approx(alone, abs=1e-5)
            assert len(values) == sum(data[number].trained)
