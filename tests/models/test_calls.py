"""Calls are durable before they are answered, exact in what they used, and never paid for twice."""

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from servers.scripted import Received, Scripted, drop, later, say, status

from redwell.journal.journal import Journal
from redwell.journal.usage import Tokens, usage
from redwell.models.budget import Budget
from redwell.models.calls import Calls
from redwell.models.connect import connect
from redwell.models.prices import load_prices
from redwell.models.retries import Policy
from redwell.models.types import CallFailed, Completion, Message, Request, Usage
from redwell.room.types import Span

QUICK = Policy(attempts=3, base=0.001, longest=0.01)


def question(text: str, **more: object) -> Request:
    return Request((Message("user", text),), **({"max_output_tokens": 50, "seconds": 10.0} | more))  # type: ignore[arg-type]


def priced(folder: Path, server: Scripted) -> dict[str, str]:
    """An environment whose price file knows the scripted server: $1, $0.1 and $10 a million tokens."""
    path = folder / "prices.toml"
    path.write_text(f'[openai.prices]\n"m@{server.url}" = {{ input = 1, cached = 0.1, output = 10 }}\n')
    return {"REDWELL_PRICES": str(path)}


def calls_on(
    journal: Journal, server: Scripted, budget: Budget | None = None, folder: Path | None = None, **more: object
) -> Calls:
    prices = load_prices(priced(folder, server)) if folder else None
    model = connect(f"openai:m@{server.url}", environment={})
    return Calls(
        journal, budget or Budget(), {"root": model, "sub": model}, prices=prices, **({"policy": QUICK} | more)
    )  # type: ignore[arg-type]


def test_a_completion_is_in_the_journal_before_it_is_handed_over(tmp_path: Path) -> None:
    async def go(server: Scripted, journal: Journal) -> list[int]:
        calls, found = calls_on(journal, server), []

        async def one(number: int) -> None:
            answer = await calls.call(question(f"q{number}"), call_id=f"c{number}")
            with Journal.open(tmp_path / "run", read_only=True) as reader:
                event = next(event for event in reader.events("call.completed") if event.data["call"] == f"c{number}")
                found.append(json.loads(reader.text(event.blobs["completion"]))["text"] == answer.text)

        await asyncio.gather(*(one(number) for number in range(12)))
        await calls.close()
        return found

    with (
        Scripted(lambda received: f"answer to {received.user}") as server,
        Journal.create(tmp_path / "run", {}) as journal,
    ):
        assert asyncio.run(go(server, journal)) == [True] * 12


def test_usage_is_exact_under_concurrency(tmp_path: Path) -> None:
    def script(received: Received) -> object:
        number = int(received.user.split()[-1])
        if number % 7 == 0 and received.number % 2:
            return status(500)
        return later(say(f"answer {number}", usage=(100 + number, number, 10 + number % 3)), 0.001 * (number % 5))

    async def go(server: Scripted, journal: Journal) -> tuple[list[Completion | BaseException], Budget]:
        budget = Budget(concurrency=16)
        calls = calls_on(journal, server, budget, tmp_path)
        outcomes = await asyncio.gather(
            *(calls.call(question(f"question {n}"), call_id=f"c{n}") for n in range(150)), return_exceptions=True
        )
        await calls.close()
        return outcomes, budget

    with Scripted(script) as server, Journal.create(tmp_path / "run", {}) as journal:
        outcomes, budget = asyncio.run(go(server, journal))
        used = usage(journal)
    answered = [outcome for outcome in outcomes if isinstance(outcome, Completion)]
    for number, outcome in enumerate(outcomes):
        if isinstance(outcome, Completion):
            assert outcome.text == f"answer {number}"
            assert outcome.usage == Usage(100 + number, number, 10 + number % 3)
    assert server.most_at_once <= 16
    assert used.tokens == Tokens(server.used[0], server.used[1], server.used[2])
    assert (used.calls, used.calls - used.failed, used.lines[0].requests) == (150, len(answered), server.count)
    plain = server.used[0] - server.used[1]
    assert used.cost == pytest.approx((plain * 1 + server.used[1] * 0.1 + server.used[2] * 10) / 1e6)
    assert budget.spent.dollars == pytest.approx(used.cost, abs=1e-6)
    assert (budget.spent.calls, budget.spent.tokens) == (server.count, server.used[0] + server.used[2])
    assert budget.reserved.calls == 0


@pytest.mark.parametrize("cap", [{"calls": 40}, {"tokens": 9_000}, {"dollars": 0.012}])
def test_a_cap_holds_with_sixteen_children_at_once(tmp_path: Path, cap: dict[str, float]) -> None:
    async def child(calls: Calls, name: str) -> int:
        done = 0
        for number in range(20):
            try:
                await calls.call(question(f"{name} {number} " + "words of the contract " * 20), agent=name)
            except CallFailed as failure:
                assert failure.kind == "budget"  # noqa: PT017 - the only failure there may be
                break
            done += 1
        return done

    async def go(server: Scripted, journal: Journal) -> int:
        budget = Budget(**cap)  # type: ignore[arg-type]
        calls = calls_on(journal, server, budget, tmp_path)
        done = sum(await asyncio.gather(*(child(calls, f"root.{n}") for n in range(16))))
        await calls.close()
        assert budget.exhausted
        assert budget.reserved.tokens == 0
        return done

    with Scripted(lambda _: say("fine", usage=(140, 0, 50)), latency=0.002) as server:
        with Journal.create(tmp_path / "run", {}) as journal:
            done = asyncio.run(go(server, journal))
        spent = {
            "calls": server.count,
            "tokens": server.used[0] + server.used[2],
            "dollars": (server.used[0] + 10 * server.used[2]) / 1e6,
        }
    assert done == server.count
    for name, most in cap.items():
        assert 0.8 * most <= spent[name] <= most


def test_a_run_that_goes_on_asks_only_for_what_is_missing(tmp_path: Path) -> None:
    requests = [question(f"question {number}") for number in range(10)]

    async def ask(server: Scripted, journal: Journal, wanted: list[int]) -> tuple[list[str], list[str], Budget]:
        budget = Budget(tokens=100_000)
        calls = calls_on(journal, server, budget)
        open_ones = calls.unanswered()
        texts = [(await calls.call(requests[n], call_id=f"c{n}")).text for n in wanted]
        await calls.close()
        return texts, open_ones, budget

    with Scripted(lambda received: say(f"to {received.user}", usage=(20, 0, 5))) as server:
        with Journal.create(tmp_path / "run", {}) as journal:
            first, _, _ = asyncio.run(ask(server, journal, [0, 1, 2, 3]))
        with Journal.open(tmp_path / "run") as journal:
            second, open_ones, budget = asyncio.run(ask(server, journal, list(range(10))))
            assert second[:4] == first
            assert open_ones == []
            assert server.count == 10
            assert budget.spent.tokens == 250
            assert (usage(journal).calls, usage(journal).tokens) == (10, Tokens(200, 0, 50))


def test_another_question_under_the_same_name_is_asked(tmp_path: Path) -> None:
    async def go(server: Scripted, journal: Journal) -> list[str]:
        calls = calls_on(journal, server)
        texts = [(await calls.call(question(text), call_id="c")).text for text in ("one", "one", "two")]
        await calls.close()
        return texts

    with Scripted(lambda received: f"to {received.user}") as server, Journal.create(tmp_path / "run", {}) as journal:
        assert asyncio.run(go(server, journal)) == ["to one", "to one", "to two"]
        assert server.count == 2


KILLED = """
import asyncio, sys
from pathlib import Path
from redwell.journal.journal import Journal
from redwell.models.budget import Budget
from redwell.models.calls import Calls
from redwell.models.connect import connect
from redwell.models.types import Message, Request

async def main():
    folder = Path(sys.argv[1])
    journal = Journal.open(folder) if (folder / "run.json").exists() else Journal.create(folder, {})
    calls = Calls(journal, Budget(concurrency=8), {"sub": connect("openai:m@" + sys.argv[2], environment={})})
    print("open " + " ".join(calls.unanswered()), flush=True)
    async def one(n):
        answer = await calls.call(Request((Message("user", f"question {n}"),)), call_id=f"c{n}")
        print(n, answer.text, flush=True)
    await asyncio.gather(*(one(n) for n in range(60)))
    print("done", flush=True)

asyncio.run(main())
"""


@pytest.mark.parametrize("after", [3, 31])
def test_kill_9_loses_no_answer_and_repeats_only_what_was_out(tmp_path: Path, after: int) -> None:
    with Scripted(lambda received: f"to {received.user}", latency=0.004) as server:
        command = [sys.executable, "-c", KILLED, str(tmp_path / "run"), server.url]
        killed = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert killed.stdout is not None
        for _ in range(after):
            killed.stdout.readline()
        os.kill(killed.pid, signal.SIGKILL)
        killed.communicate()
        before = Counter(server.keys)
        with Journal.open(tmp_path / "run", read_only=True) as journal:
            answered = {event.data["call"] for event in journal.events("call.completed")}
            keys = {event.data["call"]: event.data["key"] for event in journal.events("call.sent")}
        again = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
        assert again[-1] == "done"
        assert {line.split(" ", 1)[1] for line in again[1:-1]} == {f"to question {n}" for n in range(60)}
        listed = again[0].split()[1:]
        assert set(listed) == set(keys) - answered
        assert len(server.keys) == 60
        repeated = {key for key, count in server.keys.items() if count > 1}
        assert all(before[keys[call]] == server.keys[keys[call]] == 1 for call in answered)
        assert repeated <= {keys[call] for call in listed}
        assert max(server.keys.values()) <= 2


def test_a_call_that_is_called_off_is_journaled_and_gives_its_place_back(tmp_path: Path) -> None:
    async def go(server: Scripted, journal: Journal) -> Budget:
        budget = Budget(tokens=1_000, concurrency=2)
        calls = calls_on(journal, server, budget)
        tasks = [asyncio.create_task(calls.call(question(f"q {n}"), call_id=f"c{n}")) for n in range(8)]
        while server.count < 2:
            await asyncio.sleep(0.002)
        for task in tasks:
            task.cancel()
        outcomes = await asyncio.gather(*tasks, return_exceptions=True)
        assert all(isinstance(outcome, asyncio.CancelledError) for outcome in outcomes)
        assert calls.in_flight == 0
        await calls.close()
        return budget

    with Scripted(lambda _: later("never", 60)) as server, Journal.create(tmp_path / "run", {}) as journal:
        budget = asyncio.run(go(server, journal))
        failed = list(journal.events("call.failed"))
    assert {event.data["failure"] for event in failed} == {"cancelled"}
    assert len(failed) == 8
    assert budget.reserved.calls == 0
    assert budget.spent.calls == 2  # those that may have been served count as if they had been
    assert sum(event.data["usage"] is None for event in failed) == 2


def test_the_time_of_a_run_ends_calls_that_are_out_and_refuses_new_ones(tmp_path: Path) -> None:
    async def go(server: Scripted, journal: Journal) -> list[str]:
        calls = calls_on(journal, server, Budget(seconds=0.2, concurrency=1))
        outcomes = await asyncio.gather(
            *(calls.call(question(f"q {n}"), call_id=f"c{n}") for n in range(3)), return_exceptions=True
        )
        await calls.close()
        return [outcome.kind for outcome in outcomes if isinstance(outcome, CallFailed)]

    with Scripted(lambda _: later("never", 60)) as server, Journal.create(tmp_path / "run", {}) as journal:
        assert asyncio.run(go(server, journal)) == ["timeout", "budget", "budget"]
        assert server.count == 1


def test_an_unknown_price_is_an_unknown_cost_and_refuses_a_cap_in_dollars(tmp_path: Path) -> None:
    async def go(server: Scripted, journal: Journal, budget: Budget) -> Completion:
        calls = calls_on(journal, server, budget)
        try:
            return await calls.call(question("q"))
        finally:
            await calls.close()

    with Scripted(lambda _: "yes") as server, Journal.create(tmp_path / "run", {}) as journal:
        asyncio.run(go(server, journal, Budget()))
        assert usage(journal).cost is None
        with pytest.raises(CallFailed, match="price of this model is not known") as refused:
            asyncio.run(go(server, journal, Budget(dollars=1.0)))
        assert refused.value.kind == "budget"
        assert server.count == 1


def test_a_settled_failure_stands_and_a_passing_one_is_asked_again(tmp_path: Path) -> None:
    faults = {"bad": status(404, "no such model"), "lost": drop("before")}

    async def go(server: Scripted, journal: Journal) -> list[str]:
        calls = calls_on(journal, server)
        outcomes = await asyncio.gather(
            *(calls.call(question(name), call_id=name) for name in faults), return_exceptions=True
        )
        await calls.close()
        return [outcome.kind if isinstance(outcome, CallFailed) else outcome.text for outcome in outcomes]  # type: ignore[union-attr]

    with Scripted(lambda received: faults[received.user]) as server:
        with Journal.create(tmp_path / "run", {}) as journal:
            assert asyncio.run(go(server, journal)) == ["rejected", "connection"]
        count = server.count
        faults["lost"] = say("found")
        with Journal.open(tmp_path / "run") as journal:
            assert asyncio.run(go(server, journal)) == ["rejected", "found"]
        assert server.count == count + 1
        assert sorted(server.keys.values()) == [1, 4]


SECRET = "sk-live-0123456789abcdefghij"


def test_keys_never_reach_the_journal_nor_an_error(tmp_path: Path) -> None:
    def script(received: Received) -> object:
        assert received.headers["authorization"] == f"Bearer {SECRET}"
        return status(401, f"Incorrect API key provided: {SECRET}.") if "bad" in received.user else say("fine")

    async def go(server: Scripted, journal: Journal) -> CallFailed:
        model = connect(f"openai:m@{server.url}", environment={"REDWELL_OPENAI_KEY": SECRET})
        calls = Calls(journal, Budget(), {"sub": model}, policy=QUICK)
        await calls.call(question("good"))
        with pytest.raises(CallFailed) as refused:
            await calls.call(question("bad"))
        assert SECRET not in repr(model) + str(vars(model)) + repr(refused.value)
        await calls.close()
        return refused.value

    with Scripted(script) as server, Journal.create(tmp_path / "run", {}) as journal:
        failure = asyncio.run(go(server, journal))
    assert (failure.kind, "[key]" in failure.message) == ("auth", True)
    for path in (tmp_path / "run").rglob("*"):
        assert path.is_dir() or SECRET.encode() not in path.read_bytes()


def test_the_rooms_text_is_kept_by_address(tmp_path: Path) -> None:
    text = "".join(f"Clause {number}: the Lessee shall pay rent. " for number in range(400))
    span = Span("ab" * 32, 1_000, 9_000)

    async def go(server: Scripted, journal: Journal) -> None:
        calls = calls_on(journal, server, texts=lambda asked: text[asked.start : asked.end])
        for number in range(5):
            await calls.call(
                question(f"<<{text[1_000:9_000]}>>\nQuestion {number}", spans=(span,)), call_id=f"c{number}"
            )
        await calls.close()

    with Scripted(lambda _: "yes") as server, Journal.create(tmp_path / "run", {}) as journal:
        asyncio.run(go(server, journal))
        assert all(text[1_000:9_000] in received.user for received in server.requests)
        for event in journal.events("call.sent"):
            assert event.data["spans"] == [["ab" * 32, 1_000, 9_000, "final"]]
            assert len(journal.blob(event.blobs["request"])) < 500


def test_clients_outlive_an_event_loop(tmp_path: Path) -> None:
    with Scripted(lambda _: "yes") as server, Journal.create(tmp_path / "run", {}) as journal:
        calls = calls_on(journal, server)
        for number in range(3):
            assert asyncio.run(calls.call(question(f"q {number}"))).text == "yes"
