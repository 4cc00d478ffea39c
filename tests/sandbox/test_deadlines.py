"""Cells that take too long, and how they are stopped."""

import asyncio
from typing import Any

import pytest

from redwell.sandbox.types import Policy
from tests.sandbox.sandbox_session import Open, Session

SHORT = Policy(soft_seconds=0.3, hard_seconds=60.0)
SHORT_AND_HARD = Policy(soft_seconds=0.1, hard_seconds=0.2)


@pytest.mark.parametrize(
    "code",
    [
        "while True: pass",
        "import time; time.sleep(60)",
        "import re; re.match('(a+)+$', 'a' * 60 + 'b')",
        "import threading; threading.Event().wait(60)",
        "import asyncio\nawait asyncio.sleep(60)",
        "sum(n for n in iter(int, 1))",
        "class Slow:\n    def __repr__(self):\n        while True: pass\nSlow()",
        "while True: print('x' * 1000)",
    ],
)
def test_a_cell_past_its_soft_deadline_is_interrupted_and_its_state_survives(open_session: Open, code: str) -> None:
    session = open_session(SHORT)
    session.ok("kept = [1]")
    result = session.run(f"kept.append(2)\nprint('printed')\n{code}")
    assert result.status == "interrupted"
    assert result.output.startswith("printed\n")
    assert result.error.endswith("KeyboardInterrupt\n")
    assert session.ok("kept") == "[1, 2]\n"


def test_a_cell_that_tidies_up_after_the_interrupt_ends_well(open_session: Open) -> None:
    session = open_session(SHORT)
    code = "import time\ntry:\n    time.sleep(60)\nexcept KeyboardInterrupt:\n    print('tidied')"
    assert session.ok(code) == "tidied\n"
    assert session.ok("1 + 1") == "2\n"


@pytest.mark.parametrize("work", ["time.sleep(0.01)", "time.sleep(60)", "n += 1", "ask('q')", "print(n)"])
def test_a_cell_that_swallows_interrupts_is_stopped_with_its_state(open_session: Open, work: str) -> None:
    session = open_session(Policy(soft_seconds=0.2, hard_seconds=60))
    session.ok("import time\nkept, n = 1, 0")
    result = session.run(f"while True:\n    try:\n        {work}\n    except BaseException:\n        pass")
    assert result.status == "interrupted"
    assert result.error.count("Traceback") == 1
    assert session.ok("kept") == "1\n"


@pytest.mark.parametrize(
    "code",
    [
        "import signal\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\nwhile True: pass",
        "import signal\nsignal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))\nwhile True: pass",
    ],
)
def test_a_cell_that_cannot_be_interrupted_is_killed_at_its_hard_deadline(open_session: Open, code: str) -> None:
    session = open_session(SHORT_AND_HARD)
    assert "went on for 0.2 s after its limit of 0.1 s" in session.killed(code)
    assert "went on for" in session.killed("1")


def test_handlers_that_a_cell_sets_do_not_outlive_it(open_session: Open) -> None:
    session = open_session(SHORT)
    session.ok("import signal\n_ = signal.signal(signal.SIGINT, signal.SIG_IGN)")
    assert session.run("while True: pass").status == "interrupted"


def test_the_clock_stands_still_while_the_host_answers(open_session: Open) -> None:
    async def slow(name: str, arguments: dict[str, Any]) -> str:
        await asyncio.sleep(0.4)
        return "late"

    session = open_session(SHORT, handler=slow)
    result = session.run("[ask('q') for _ in range(2)]")
    assert result.status == "ok"
    assert result.output == "['late', 'late']\n"


def test_the_clock_goes_on_after_the_answer(open_session: Open) -> None:
    session = open_session(SHORT)
    assert session.run("ask('q')\nwhile True: pass").status == "interrupted"


def test_each_cell_has_the_whole_time(open_session: Open) -> None:
    session = open_session(Policy(soft_seconds=2.0, hard_seconds=60.0))
    for _ in range(3):
        session.ok("import time\ntime.sleep(0.8)")


def test_a_running_cell_can_be_interrupted_by_the_host(session: Session) -> None:
    async def interrupt_once_it_runs() -> Any:
        task = asyncio.ensure_future(session.sandbox.run("kept = 1\nwhile True: pass"))
        while not task.done():
            await asyncio.sleep(0.02)
            session.sandbox.interrupt()
        return await task

    assert session.runner.run(interrupt_once_it_runs()).status == "interrupted"
    assert session.ok("kept") == "1\n"


def test_a_cell_that_waits_for_the_host_can_be_interrupted(open_session: Open) -> None:
    asked = asyncio.Event()
    cancelled = []

    async def never(name: str, arguments: dict[str, Any]) -> None:
        asked.set()
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            cancelled.append(name)
            raise

    session = open_session(handler=never)

    async def interrupt_once_it_asks() -> Any:
        task = asyncio.ensure_future(session.sandbox.run("kept = 1\nask('q')"))
        await asked.wait()
        session.sandbox.interrupt()
        return await task

    result = session.runner.run(interrupt_once_it_asks())
    assert result.status == "interrupted"
    assert cancelled == ["q"]
    assert session.ok("kept") == "1\n"


def test_interrupting_an_idle_session_does_nothing(session: Session) -> None:
    session.sandbox.interrupt()
    assert session.ok("1") == "1\n"
    session.sandbox.interrupt()
    assert session.ok("2") == "2\n"


def test_a_run_whose_caller_is_cancelled_ends_the_session(session: Session) -> None:
    async def give_up() -> None:
        await asyncio.wait_for(session.sandbox.run("while True: pass"), 0.1)

    with pytest.raises(TimeoutError):
        session.runner.run(give_up())
    assert "cancelled" in session.killed("1")


def test_two_cells_at_once_are_refused(session: Session) -> None:
    async def both() -> Any:
        first = asyncio.ensure_future(session.sandbox.run("ask('q', n=1)"))
        await asyncio.sleep(0)
        with pytest.raises(RuntimeError, match="a cell is running"):
            await session.sandbox.run("2")
        return await first

    assert session.runner.run(both()).output == "{'n': 1}\n"


def test_many_interrupts_never_break_the_protocol(open_session: Open) -> None:
    session = open_session(Policy(soft_seconds=30.0))

    async def storm(code: str) -> Any:
        task = asyncio.ensure_future(session.sandbox.run(code))
        while not task.done():
            session.sandbox.interrupt()
            await asyncio.sleep(0.0003)
        return await task

    code = "import time\nfor n in range(400):\n    try:\n        print(n)\n        ask('q', n=n)\n        time.sleep(0.0002)\n    except KeyboardInterrupt:\n        pass"
    for _ in range(5):
        assert session.runner.run(storm(code)).status in ("ok", "interrupted")
        assert session.ok("ask('q', n=1)") == "{'n': 1}\n"
