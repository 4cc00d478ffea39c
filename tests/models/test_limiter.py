"""Fewer requests when an endpoint throttles, more again while it answers, and a pause that holds for all."""

import asyncio
import time

import pytest

from redwell.models.gate import Gate
from redwell.models.limiter import Limiter
from redwell.models.retries import Policy, key_for, may_try_again, wait_before


def test_width_halves_once_a_burst_and_grows_back() -> None:
    async def go() -> list[float]:
        limiter, widths = Limiter(16), []

        async def throttled(ready: asyncio.Event) -> None:
            async with limiter.slot("a") as slot:
                await ready.wait()
                slot.throttle(None)

        ready = asyncio.Event()
        burst = [asyncio.create_task(throttled(ready)) for _ in range(16)]
        await asyncio.sleep(0)
        ready.set()
        await asyncio.gather(*burst)
        widths.append(limiter.width("a"))
        async with limiter.slot("a") as slot:
            slot.throttle(None)
        widths.append(limiter.width("a"))
        for _ in range(4):
            async with limiter.slot("a"):
                pass
        widths.append(limiter.width("a"))
        widths.append(limiter.width("b"))
        return widths

    first, second, grown, other = asyncio.run(go())
    assert (first, second, other) == (8.0, 4.0, 16.0)
    assert 4.8 < grown < 5.0


def test_width_never_falls_below_one_nor_rises_above_the_most() -> None:
    async def go() -> tuple[float, float]:
        limiter = Limiter(2)
        for _ in range(6):
            async with limiter.slot("a") as slot:
                slot.throttle(None)
        low = limiter.width("a")
        for _ in range(50):
            async with limiter.slot("a"):
                pass
        return low, limiter.width("a")

    assert asyncio.run(go()) == (1.0, 2.0)


def test_retry_after_holds_everyone_back() -> None:
    async def go() -> float:
        limiter = Limiter(8)
        async with limiter.slot("a") as slot:
            slot.throttle(0.05)
        began = time.monotonic()

        async def use() -> float:
            async with limiter.slot("a"):
                return time.monotonic()

        return min(await asyncio.gather(*(use() for _ in range(8)))) - began

    assert asyncio.run(go()) >= 0.045


def test_the_root_goes_first_and_the_rest_in_order() -> None:
    async def go() -> list[str]:
        gate, order = Gate(1), []

        async def one(name: str, first: bool) -> None:
            async with gate.through(first=first):
                order.append(name)

        await gate.enter(False)
        tasks = [asyncio.create_task(one(name, name == "root")) for name in ("a", "b", "root", "c")]
        await asyncio.sleep(0)
        gate.leave()
        await asyncio.gather(*tasks)
        assert gate.inside == 0
        return order

    assert asyncio.run(go()) == ["root", "a", "b", "c"]


def test_whoever_is_called_off_at_the_gate_leaves_no_gap() -> None:
    async def go() -> int:
        gate = Gate(1)
        await gate.enter(False)
        waiting = [asyncio.create_task(gate.enter(False)) for _ in range(3)]
        await asyncio.sleep(0)
        waiting[0].cancel()
        gate.leave()  # lets in the second, which is called off before it wakes up
        waiting[1].cancel()
        await asyncio.gather(*waiting, return_exceptions=True)
        assert gate.inside == 1
        gate.leave()
        return gate.inside

    assert asyncio.run(go()) == 0


def test_waits_double_are_jittered_and_the_same_under_a_seed() -> None:
    policy = Policy(base=1.0, longest=8.0, seed=7)
    waits = [wait_before(policy, "call", n, None) for n in range(1, 7)]
    assert waits == [wait_before(policy, "call", n, None) for n in range(1, 7)]
    assert all(low <= wait <= 2 * low for wait, low in zip(waits, (0.5, 1, 2, 4, 4, 4), strict=True))
    assert wait_before(Policy(base=1.0, seed=8), "call", 1, None) != waits[0]
    assert wait_before(policy, "other", 1, None) != waits[0]
    assert wait_before(policy, "call", 1, 30.0) == 30.0


@pytest.mark.parametrize(
    ("kind", "transport", "useless", "again"),
    [
        ("rate_limited", 5, 0, True),
        ("rate_limited", 6, 0, False),
        ("timeout", 1, 0, True),
        ("empty", 0, 1, True),
        ("schema", 0, 2, False),
        ("truncated", 0, 0, False),
        ("auth", 0, 0, False),
        ("budget", 0, 0, False),
        ("cancelled", 0, 0, False),
    ],
)
def test_what_is_tried_again(kind: str, transport: int, useless: int, again: bool) -> None:
    assert may_try_again(Policy(), kind, transport, useless) is again  # type: ignore[arg-type]


def test_an_answer_of_no_use_changes_the_key() -> None:
    assert [key_for("k", n) for n in range(3)] == ["k", "k-1", "k-2"]


def test_an_endpoint_with_few_places_never_gets_more_requests_at_once() -> None:
    async def go() -> tuple[int, float, float]:
        limiter, out, most = Limiter(16), 0, 0
        limiter.narrow("local", 2)

        async def use() -> None:
            nonlocal out, most
            async with limiter.slot("local"):
                out += 1
                most = max(most, out)
                await asyncio.sleep(0)
                out -= 1

        await asyncio.gather(*(use() for _ in range(40)))
        return most, limiter.width("local"), limiter.width("elsewhere")

    assert asyncio.run(go()) == (2, 2.0, 16.0)
