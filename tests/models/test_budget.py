"""The pool: no cap is passed, whatever the order in which calls come, end, fail or are called off; and it all comes back to zero."""

import asyncio
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from redwell.models.budget import Budget, Reservation
from redwell.models.types import CallFailed

CALLS = st.lists(
    st.tuples(
        st.integers(0, 400), st.integers(0, 400), st.floats(0, 0.5), st.sampled_from(["settle", "release", "cancel"])
    ),
    max_size=40,
)


@settings(max_examples=60, deadline=None)
@given(CALLS, st.integers(0, 1_500), st.integers(0, 30), st.floats(0, 2), st.integers(0, 5))
def test_no_cap_is_ever_passed_and_nothing_stays_reserved(
    calls: list[tuple[int, int, float, str]], tokens: int, most: int, dollars: float, seed: int
) -> None:
    shuffle = random.Random(seed)
    budget = Budget(tokens=tokens, calls=most, dollars=dollars, concurrency=4)
    refusals: list[str] = []

    def within() -> bool:
        spent, out = budget.spent, budget.reserved
        return (
            spent.tokens + out.tokens <= tokens
            and spent.calls + out.calls <= most
            and spent.dollars + out.dollars <= dollars + 1e-9
        )

    async def one(reserved: int, used: int, price: float, end: str) -> None:
        try:
            held = await budget.reserve(tokens=reserved, dollars=price)
        except CallFailed as failure:
            refusals.append(failure.kind)
            return
        try:
            assert within()
            for _ in range(shuffle.randrange(4)):
                await asyncio.sleep(0)
            if end != "release":
                budget.settle(held, tokens=min(used, reserved), dollars=price / 2)
        finally:
            budget.release(held)

    async def all_of_them() -> None:
        tasks = [asyncio.create_task(one(*call)) for call in calls]
        for task, call in zip(tasks, calls, strict=True):
            if call[3] == "cancel":
                await asyncio.sleep(0)
                task.cancel()
        for outcome in await asyncio.gather(*tasks, return_exceptions=True):
            if isinstance(outcome, AssertionError):
                raise outcome

    asyncio.run(all_of_them())
    assert within()
    assert set(refusals) <= {"budget"}
    assert (budget.reserved.tokens, budget.reserved.calls, budget.reserved.dollars) == (0, 0, 0.0)
    assert len(refusals) + budget.spent.calls <= len(calls)


def test_a_call_called_off_between_being_served_and_waking_up_gives_it_back() -> None:
    async def go() -> Budget:
        budget = Budget(tokens=100)
        first = await budget.reserve(tokens=100)
        waiting = asyncio.create_task(budget.reserve(tokens=60))
        await asyncio.sleep(0)
        budget.settle(first, tokens=0)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        return budget

    budget = asyncio.run(go())
    assert (budget.reserved.tokens, budget.reserved.calls) == (0, 0)
    assert budget.remaining()["tokens"] == 100


def test_a_call_waits_for_what_calls_in_flight_may_give_back() -> None:
    async def go() -> tuple[bool, bool, Reservation]:
        budget = Budget(tokens=100)
        first = await budget.reserve(tokens=80)
        second = asyncio.create_task(budget.reserve(tokens=50))
        await asyncio.sleep(0)
        waited = not second.done()
        budget.settle(first, tokens=30)
        await asyncio.sleep(0)
        return waited, second.done(), await second

    waited, served, reservation = asyncio.run(go())
    assert (waited, served, reservation.tokens) == (True, True, 50)


def test_a_call_that_cannot_fit_any_more_is_refused_and_those_behind_it_are_served() -> None:
    async def go() -> tuple[str, int, bool]:
        budget = Budget(tokens=100)
        first = await budget.reserve(tokens=80)
        big = asyncio.create_task(budget.reserve(tokens=90))
        small = asyncio.create_task(budget.reserve(tokens=20))
        await asyncio.sleep(0)
        budget.settle(first, tokens=80)
        with pytest.raises(CallFailed) as refused:
            await big
        return refused.value.message, (await small).tokens, budget.exhausted

    message, tokens, exhausted = asyncio.run(go())
    assert (message, tokens, exhausted) == ("90 more tokens do not fit: 80 of 100 are used", 20, True)


def test_a_small_call_does_not_overtake_a_large_one_but_the_root_does() -> None:
    async def go() -> list[str]:
        budget, served = Budget(tokens=100), []

        async def one(name: str, tokens: int, first: bool = False) -> None:
            held = await budget.reserve(tokens=tokens, first=first)
            served.append(name)
            budget.settle(held, tokens=0)

        holding = await budget.reserve(tokens=90)
        tasks = [
            asyncio.create_task(one("large", 60)),
            asyncio.create_task(one("small", 5)),
            asyncio.create_task(one("root", 40, True)),
        ]
        await asyncio.sleep(0)
        assert served == []
        budget.settle(holding, tokens=0)
        await asyncio.gather(*tasks)
        return served

    assert asyncio.run(go()) == ["root", "large", "small"]


def test_an_unknown_price_and_a_cap_in_dollars_do_not_go_together() -> None:
    async def go(budget: Budget) -> Reservation:
        return await budget.reserve(tokens=10, dollars=None)

    with pytest.raises(CallFailed, match="price of this model is not known"):
        asyncio.run(go(Budget(dollars=5)))
    assert asyncio.run(go(Budget(tokens=50))).dollars == 0


def test_time_runs_out_also_for_those_who_wait() -> None:
    now = [100.0]

    async def go() -> str:
        budget = Budget(seconds=10, tokens=100, clock=lambda: now[0])
        first = await budget.reserve(tokens=100)
        assert budget.remaining()["seconds"] == 10
        now[0] += 9.99
        waiting = asyncio.create_task(budget.reserve(tokens=1))
        with pytest.raises(CallFailed) as refused:
            await waiting
        now[0] += 1
        with pytest.raises(CallFailed, match="10 seconds are over"):
            await budget.reserve()
        budget.settle(first, tokens=0)
        return refused.value.kind

    assert asyncio.run(go()) == "budget"


def test_money_adds_up_to_the_billionth() -> None:
    async def go() -> Budget:
        budget = Budget(dollars=1)
        for _ in range(10):
            held = await budget.reserve(dollars=0.1)
            budget.settle(held, dollars=0.1)
        return budget

    budget = asyncio.run(go())
    assert budget.spent.dollars == 1.0
    assert budget.remaining()["dollars"] == 0.0


def test_what_was_lost_counts_in_full() -> None:
    async def go() -> Budget:
        budget = Budget(tokens=100, dollars=1)
        budget.settle(await budget.reserve(tokens=70, dollars=0.25))
        return budget

    assert (asyncio.run(go()).spent.tokens, asyncio.run(go()).spent.dollars) == (70, 0.25)


def test_a_reservation_is_given_back_once() -> None:
    async def go() -> Budget:
        budget = Budget(tokens=100)
        held = await budget.reserve(tokens=40)
        budget.settle(held, tokens=10)
        budget.settle(held, tokens=10)
        budget.release(held)
        return budget

    budget = asyncio.run(go())
    assert (budget.spent.tokens, budget.spent.calls, budget.reserved.calls) == (10, 1, 0)


def test_places_are_as_many_as_told() -> None:
    async def go() -> int:
        budget, at_once, most = Budget(concurrency=3), 0, 0

        async def one() -> None:
            nonlocal at_once, most
            async with budget.place():
                at_once += 1
                most = max(most, at_once)
                await asyncio.sleep(0.001)
                at_once -= 1

        await asyncio.gather(*(one() for _ in range(20)))
        return most

    assert asyncio.run(go()) == 3


@pytest.mark.parametrize(
    ("name", "value"), [("dollars", -1), ("tokens", float("nan")), ("seconds", float("inf")), ("concurrency", 0)]
)
def test_caps_that_make_no_sense_are_refused(name: str, value: float) -> None:
    with pytest.raises(ValueError, match=name):
        Budget(**{name: value})  # type: ignore[arg-type]


def test_an_earlier_process_is_counted_once() -> None:
    budget = Budget(tokens=100)
    for _ in range(2):
        budget.restore("run", dollars=0.5, tokens=60, calls=3, seconds=20.0)
    spent = budget.spent
    assert (spent.tokens, spent.calls, spent.dollars, spent.seconds >= 20.0) == (60, 3, 0.5, True)
    assert budget.remaining()["tokens"] == 40
