"""Calls from a cell to the host and the answers to them."""

import asyncio
import logging
from typing import Any

import pytest

from redwell.sandbox.types import GuestModule, HostRefusal, Policy
from tests.sandbox.sandbox_session import Open, Session


def test_arguments_and_answers_arrive_as_they_were_sent(session: Session) -> None:
    code = "sent = dict(text='§ 8.2 \\U0001f4c1\\n\\x00', number=1.5, none=None, nested=[{'a': [True, -1]}], big=10**30)\nask('q', **sent) == sent"
    assert session.ok(code) == "True\n"


def test_an_answer_with_lone_surrogates_arrives(open_session: Open) -> None:
    async def answer(name: str, arguments: dict[str, Any]) -> str:
        return "a\ud800b"

    assert open_session(handler=answer).ok("ask('q') == 'a\\ud800b'") == "True\n"


def test_lone_surrogates_in_arguments_are_replaced(open_session: Open) -> None:
    seen = []

    async def answer(name: str, arguments: dict[str, Any]) -> None:
        seen.append(arguments)

    open_session(handler=answer).ok("ask('q', text='a\\ud800b')")
    assert seen == [{"text": "a?b"}]


def test_a_refusal_is_a_host_error_with_its_reason_and_no_inner_frames(open_session: Open) -> None:
    async def refuse(name: str, arguments: dict[str, Any]) -> None:
        raise HostRefusal("the budget is spent")

    session = open_session(handler=refuse)
    error = session.fails("ask('q')").error
    assert (
        error
        == "Traceback (most recent call last):\n  File \"<cell 1>\", line 1, in <module>\n    ask('q')\nHostError: the budget is spent\n"
    )
    assert (
        session.ok("try:\n    ask('q')\nexcept HostError as error:\n    print('caught', error)")
        == "caught the budget is spent\n"
    )


def test_a_fault_of_the_host_is_told_to_the_log_and_not_to_the_cell(
    open_session: Open, caplog: pytest.LogCaptureFixture
) -> None:
    async def fail(name: str, arguments: dict[str, Any]) -> None:
        raise ValueError("key sk-secret at /root/path")

    session = open_session(handler=fail)
    with caplog.at_level(logging.ERROR):
        error = session.fails("ask('q')").error
    assert "HostError: q: the host could not answer this call" in error
    assert "secret" not in error
    assert "sk-secret" in caplog.text
    assert session.ok("1") == "1\n"


def test_an_answer_that_is_not_json_is_a_fault_of_the_host(open_session: Open) -> None:
    async def answer(name: str, arguments: dict[str, Any]) -> object:
        return {"not json": object()}

    assert "could not answer" in open_session(handler=answer).fails("ask('q')").error


@pytest.mark.parametrize("argument", ["object()", "{1, 2}", "float('nan')", "b'bytes'", "10 ** 5000"])
def test_arguments_that_are_not_json_are_an_error_of_the_cell(session: Session, argument: str) -> None:
    session.fails(f"ask('q', argument={argument})")
    assert session.ok("ask('q', n=1)") == "{'n': 1}\n"


def test_a_call_or_an_answer_beyond_the_limit_is_refused(open_session: Open) -> None:
    async def answer(name: str, arguments: dict[str, Any]) -> str:
        return "x" * arguments["size"]

    session = open_session(Policy(frame_bytes=100_000), handler=answer)
    assert "HostError: the call q is too long" in session.fails("ask('q', size=1, text='x' * 200_000)").error
    assert "HostError: q: the answer is too long" in session.fails("ask('q', size=200_000)").error
    assert session.ok("ask('q', size=3)") == "'xxx'\n"


def test_output_too_long_for_a_frame_is_dropped_and_counted(open_session: Open) -> None:
    session = open_session(Policy(frame_bytes=10_000))
    result = session.run("print('x' * 50_000)")
    assert result.status == "ok"
    assert result.dropped_chars == 50_001
    assert session.ok("1") == "1\n"


def test_calls_run_while_a_module_is_loaded(open_session: Open) -> None:
    module = GuestModule("room", "__all__ = ['documents']\ndocuments = host('documents', n=3)['n']\n")
    assert open_session(modules=(module,)).ok("documents") == "3\n"


def test_calls_from_threads_are_answered_one_at_a_time(open_session: Open) -> None:
    running, most = 0, 0

    async def answer(name: str, arguments: dict[str, Any]) -> int:
        nonlocal running, most
        running += 1
        most = max(most, running)
        await asyncio.sleep(0)
        running -= 1
        return int(arguments["n"])

    code = (
        "from concurrent.futures import ThreadPoolExecutor\n"
        "with ThreadPoolExecutor(8) as pool:\n    answers = list(pool.map(lambda n: ask('q', n=n), range(200)))\n"
        "answers == list(range(200))"
    )
    assert open_session(handler=answer).ok(code) == "True\n"
    assert most == 1


def test_a_thread_that_calls_between_cells_is_told_so(session: Session) -> None:
    code = (
        "import threading\nnow, errors = threading.Event(), []\n"
        "def late():\n    now.wait()\n    for n in range(2000):\n        try:\n            ask('q')\n        except HostError as error:\n            errors.append(str(error))\n"
        "thread = threading.Thread(target=late)\nthread.start()\n_ = now.set()"
    )
    session.ok(code)
    assert session.ok("thread.join()\nall('only while a cell runs' in error for error in errors)") == "True\n"


def test_a_finalizer_may_call_the_host(session: Session) -> None:
    code = (
        "import gc\nheard = []\n"
        "class Noisy:\n    def __del__(self):\n        heard.append(ask('bye', n=1))\n"
        "for _ in range(50):\n    noisy = Noisy()\n    noisy.me = noisy\n    del noisy\n    ask('q', n=list(range(500)))\n"
        "_ = gc.collect()\nheard == [{'n': 1}] * 50"
    )
    assert session.ok(code) == "True\n"


def test_what_a_cell_replaces_in_the_standard_library_does_not_break_the_protocol(session: Session) -> None:
    session.ok(
        "import os, json, time, linecache, traceback\nos.write = os.read = json.dumps = json.loads = json.JSONEncoder.encode = None"
    )
    assert session.ok("ask('q', n=1)") == "{'n': 1}\n"


def test_many_calls_in_one_cell_all_arrive_in_order(open_session: Open) -> None:
    seen = []

    async def answer(name: str, arguments: dict[str, Any]) -> None:
        seen.append(arguments["n"])

    open_session(handler=answer).ok("for n in range(3000):\n    ask('q', n=n)")
    assert seen == list(range(3000))
