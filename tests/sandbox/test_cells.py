"""What a cell can do, what is shown of it, and what is left after it."""

import ctypes
import itertools
import sys

import pytest

from redwell.sandbox.types import GuestModule, Policy
from tests.sandbox.sandbox_session import Open, Session


def test_variables_survive_an_exception_raised_after_host_calls(session: Session) -> None:
    session.fails("answers = []\nfor n in range(5):\n    answers.append(ask('q', n=n)['n'])\n1 / 0")
    assert session.ok("answers") == "[0, 1, 2, 3, 4]\n"


def test_a_function_sees_globals_set_by_later_cells(session: Session) -> None:
    session.ok("def total():\n    return sum(prices)")
    session.ok("prices = [2, 3]")
    assert session.ok("total()") == "5\n"
    session.ok("prices = [10]")
    assert session.ok("total()") == "10\n"


def test_global_rebinds_the_name_that_cells_see(session: Session) -> None:
    session.ok("counter = 0\ndef bump():\n    global counter\n    counter += 1")
    session.ok("bump()")
    session.ok("bump()")
    assert session.ok("counter") == "2\n"


def test_a_deleted_name_stays_deleted(session: Session) -> None:
    session.ok("x = 1")
    session.ok("del x")
    assert "NameError: name 'x' is not defined" in session.fails("x").error


def test_names_that_begin_with_an_underscore_persist(session: Session) -> None:
    session.ok("_findings = [7]\n__private = 8")
    assert session.ok("_findings[0] + __private") == "15\n"


def test_statements_run_once_when_the_trailing_expression_fails(session: Session) -> None:
    session.ok("runs = []")
    session.fails("runs.append(1)\nruns[5]")
    assert session.ok("runs") == "[1]\n"


def test_output_is_kept_when_the_cell_raises(session: Session) -> None:
    result = session.fails("print('before')\nraise ValueError('no')")
    assert result.output == "before\n"
    assert result.error.endswith("ValueError: no\n")


def test_output_is_shown_together_with_the_trailing_value(session: Session) -> None:
    assert session.ok("print('printed')\n'value'") == "printed\n'value'\n"


def test_none_is_not_shown(session: Session) -> None:
    assert session.ok("None") == ""
    assert session.ok("x = 5") == ""


def test_both_streams_are_shown_in_the_order_written(session: Session) -> None:
    code = "import sys\nprint('1')\nprint('2', file=sys.stderr)\nsys.stdout.buffer.write(b'3\\xff\\n')\nsys.__stdout__.write('4\\n')\nNone"
    assert session.ok(code) == "1\n2\n3\\xff\n4\n"


def test_what_is_written_to_the_descriptors_reaches_nobody(session: Session) -> None:
    assert session.ok("import os\n_ = os.write(1, b'{}' * 9), os.write(2, b'x')\nprint('fine')") == "fine\n"
    assert session.ok("1 + 1") == "2\n"


def test_a_traceback_names_the_cell_its_lines_and_its_source(session: Session) -> None:
    session.ok("def share(part, whole):\n    return part / whole")
    error = session.fails("x = 1\n\nshare(x, 0)").error
    assert error.splitlines()[0] == "Traceback (most recent call last):"
    assert 'File "<cell 2>", line 3, in <module>\n    share(x, 0)' in error
    assert 'File "<cell 1>", line 2, in share\n    return part / whole' in error
    assert "redwell" not in error


def test_tracebacks_use_the_number_that_a_cell_was_given(session: Session) -> None:
    session.run("def share(part, whole):\n    return part / whole", 41)
    error = session.run("share(1, 0)", 57).error
    assert 'File "<cell 57>", line 1, in <module>\n    share(1, 0)' in error
    assert 'File "<cell 41>", line 2, in share\n    return part / whole' in error
    assert 'File "<cell 58>", line 1' in session.fails("1 / 0").error


def test_a_long_line_of_source_is_cut_in_a_traceback(session: Session) -> None:
    error = session.fails(f"x = len('{'a' * 400}') / 0").error
    assert error.splitlines()[2] == f"    x = len('{'a' * 151} ..."
    assert error.splitlines()[3] == "ZeroDivisionError: division by zero"


def test_frames_of_guest_modules_are_left_out_of_tracebacks(open_session: Open) -> None:
    module = GuestModule("given", "__all__ = ['first']\ndef first(items):\n    return items[0]\n")
    error = open_session(modules=(module,)).fails("first([])").error
    assert error == (
        'Traceback (most recent call last):\n  File "<cell 1>", line 1, in <module>\n    first([])\nIndexError: list index out of range\n'
    )


def test_long_lists_and_dicts_are_shown_with_a_line_for_each_item(session: Session) -> None:
    assert session.ok("['a' * 100, 'b' * 100]") == f"[\n '{'a' * 100}',\n '{'b' * 100}',\n]\n"
    assert session.ok("{'k': 'a' * 200}") == f"{{\n 'k': '{'a' * 200}',\n}}\n"
    assert session.ok("[1, 2]") == "[1, 2]\n"
    assert session.ok("loop = ['a' * 200]\nloop.append(loop)\nloop").count("\n") == 4


def test_a_chained_exception_shows_its_cause(session: Session) -> None:
    error = session.fails(
        "try:\n    {}['k']\nexcept KeyError as cause:\n    raise ValueError('outer') from cause"
    ).error
    assert "KeyError: 'k'" in error
    assert "direct cause" in error
    assert error.endswith("ValueError: outer\n")


def test_an_exception_group_shows_its_members(session: Session) -> None:
    error = session.fails("raise ExceptionGroup('several', [ValueError('a'), TypeError('b')])").error
    assert "ValueError: a" in error
    assert "TypeError: b" in error


def test_a_syntax_error_shows_the_line_and_nothing_runs(session: Session) -> None:
    session.ok("ran = False")
    error = session.fails("ran = True\nif ran print(1)").error
    assert error.startswith('  File "<cell 2>", line 2\n')
    assert "if ran print(1)" in error
    assert "SyntaxError" in error
    assert session.ok("ran") == "False\n"


@pytest.mark.parametrize("code", ["return 1", "x = '\ud800'", "x = 1\x00", "(" * 5000, "  indented = 1"])
def test_code_that_cannot_be_compiled_is_an_error_of_its_cell(session: Session, code: str) -> None:
    assert session.fails(code).error
    assert session.ok("1") == "1\n"


def test_backticks_in_a_string_are_only_a_string(session: Session) -> None:
    assert session.ok("report = '''# T\n```python\nx\n```\n'''\nlen(report)") == "20\n"


def test_an_empty_cell_does_nothing(session: Session) -> None:
    assert session.ok("") == ""
    assert session.ok("# only a comment\r\n") == ""


@pytest.mark.parametrize("leave", ["exit()", "quit()", "import sys; sys.exit(3)", "raise SystemExit('bye')"])
def test_leaving_ends_the_cell_and_not_the_session(session: Session, leave: str) -> None:
    session.ok("kept = 1")
    result = session.fails(f"print('here')\n{leave}\nprint('not here')")
    assert result.output == "here\n"
    assert "SystemExit" in result.error
    assert "only this cell ended" in result.error
    assert session.ok("kept") == "1\n"


@pytest.mark.parametrize(
    ("code", "why"),
    [
        ("import os; os._exit(3)", "ended by itself with code 3"),
        ("import ctypes; ctypes.string_at(0)", "died of SIGSEGV"),
        ("import os; os.abort()", "died of SIG"),
    ],
)
def test_a_process_that_dies_is_reported_and_the_host_goes_on(
    session: Session, open_session: Open, code: str, why: str
) -> None:
    assert why in session.killed(code)
    assert why in session.killed("1 + 1")
    assert open_session().ok("1 + 1") == "2\n"


def test_memory_beyond_the_limit_is_an_error_and_the_state_survives(open_session: Open) -> None:
    session = open_session(Policy(memory_bytes=512 << 20))
    session.ok("kept = 'yes'")
    assert "MemoryError" in session.fails("bytearray(1 << 30)").error
    assert "MemoryError" in session.fails("pieces = []\nwhile True:\n    pieces.append(bytearray(32 << 20))").error
    session.ok("pieces = None")
    assert session.ok("kept") == "'yes'\n"


def test_reserved_names_are_restored_and_reported(session: Session) -> None:
    result = session.run("ask = 'mine'\nHostError = None")
    assert result.status == "ok"
    assert sorted(result.restored) == ["HostError", "ask"]
    assert session.ok("ask('q', n=1)") == "{'n': 1}\n"


@pytest.mark.parametrize("code", ["ask = 1\n1 / 0", "del ask\nraise SystemExit", "globals().clear()"])
def test_reserved_names_are_restored_after_a_cell_that_does_not_end_well(session: Session, code: str) -> None:
    assert "ask" in session.run(code).restored
    assert session.ok("ask('q', n=2), __name__") == "({'n': 2}, '__main__')\n"


def test_a_cell_that_leaves_reserved_names_alone_restores_nothing(session: Session) -> None:
    assert session.run("asked = ask\nask('q')").restored == ()


def test_classes_generators_closures_and_dataclasses_work_across_cells(session: Session) -> None:
    session.ok(
        "from dataclasses import dataclass\n"
        "@dataclass\nclass Base:\n    n: int\n\n    @property\n    def double(self):\n        return self.n * 2\n"
        "class Child(Base):\n    pass\n"
        "def count(limit):\n    for n in range(limit):\n        yield Child(n)\n"
        "numbers = count(3)"
    )
    assert session.ok("next(numbers)") == "Child(n=0)\n"
    assert session.ok("[item.double for item in numbers]") == "[2, 4]\n"


def test_pickle_and_type_hints_find_the_classes_of_cells(session: Session) -> None:
    session.ok("import pickle, typing\nclass Note:\n    text: 'str'\n")
    assert session.ok("type(pickle.loads(pickle.dumps(Note()))) is Note, typing.get_type_hints(Note)['text']") == (
        "(True, <class 'str'>)\n"
    )


def test_the_source_of_a_function_can_be_read_back(session: Session) -> None:
    session.ok("def f():\n    return 41 + 1")
    assert session.ok("import inspect\nprint(inspect.getsource(f))") == "def f():\n    return 41 + 1\n"


def test_endless_recursion_is_an_error(session: Session) -> None:
    error = session.fails("def f(n):\n    return f(n + 1)\nf(0)").error
    assert error.endswith("RecursionError: maximum recursion depth exceeded\n")
    assert len(error) < 2000
    assert session.ok("1") == "1\n"


def test_an_integer_too_long_to_print_is_described(session: Session) -> None:
    assert session.ok("10 ** 5000") == "<int of about 5,001 digits>\n"


def test_lone_surrogates_and_bytes_are_shown_escaped(session: Session) -> None:
    assert session.ok("print('a\\ud800b')") == "a\\ud800b\n"
    assert session.ok("b'\\xff\\x00'") == "b'\\xff\\x00'\n"
    assert "\\udcff" in session.fails("raise ValueError('\\udcff')").error
    assert session.ok("print('Ünïcödé 日本語 \U0001f4c1')") == "Ünïcödé 日本語 \U0001f4c1\n"


def test_a_repr_that_fails_is_an_error_of_the_cell(session: Session) -> None:
    result = session.fails(
        "class Odd:\n    def __repr__(self):\n        raise RuntimeError('shy')\nprint('first')\nOdd()"
    )
    assert result.output == "first\n"
    assert "RuntimeError: shy" in result.error


def test_await_works_at_the_top_level(session: Session) -> None:
    session.ok("import asyncio\nasync def add(a, b):\n    await asyncio.sleep(0.001)\n    return a + b")
    assert session.ok("await asyncio.gather(add(1, 2), add(3, 4))") == "[3, 7]\n"
    assert session.ok("total = await add(5, 6)\ntotal") == "11\n"
    assert session.ok("asyncio.run(add(7, 8))") == "15\n"


def test_threads_print_into_the_cell_that_waits_for_them(session: Session) -> None:
    code = (
        "import threading\n"
        "def work(n):\n    print(f'thread {n}')\n"
        "threads = [threading.Thread(target=work, args=(n,)) for n in range(4)]\n"
        "for thread in threads: thread.start()\nfor thread in threads: thread.join()"
    )
    assert sorted(session.ok(code).splitlines()) == [f"thread {n}" for n in range(4)]


def test_an_exception_in_a_thread_is_shown(session: Session) -> None:
    code = "import threading\nthread = threading.Thread(target=lambda: 1 / 0)\nthread.start()\nthread.join()"
    assert "ZeroDivisionError" in session.ok(code)


def test_output_beyond_the_limit_keeps_head_and_tail_and_counts_the_rest(open_session: Open) -> None:
    session = open_session(Policy(output_chars=100))
    result = session.run("print('h' * 60)\nfor n in range(10_000):\n    print('m' * 99)\nprint('the last line')")
    written = 61 + 10_000 * 100 + len("the last line\n")
    assert result.dropped_chars == written - 100
    assert result.output.startswith("h" * 50)
    assert result.output.endswith("the last line\n")
    assert f"[... {written - 100:,} characters dropped ...]" in result.output


def test_output_without_end_costs_no_memory(open_session: Open) -> None:
    session = open_session(Policy(output_chars=1000, memory_bytes=256 << 20))
    result = session.run("line = 'x' * 1_000_000\nfor n in range(500):\n    print(line)")
    assert result.status == "ok"
    assert result.dropped_chars == 500 * 1_000_001 - 1000


def test_every_limit_keeps_exactly_that_many_characters(open_session: Open) -> None:
    for limit, pieces in itertools.product((2, 3, 10), ([1] * 30, [7, 1, 5, 9], [100])):
        session = open_session(Policy(output_chars=limit))
        written = "".join(chr(97 + n % 26) for n in range(sum(pieces)))
        result = session.run(
            f"import sys\ntext, at = {written!r}, 0\nfor size in {pieces}:\n    _ = sys.stdout.write(text[at:at + size])\n    at += size"
        )
        head, _, rest = result.output.partition("\n[... ")
        tail = rest.partition(" ...]\n")[2]
        assert head == written[: limit - limit // 2]
        assert tail == written[-(limit // 2) :]
        assert result.dropped_chars == len(written) - limit


def test_closing_or_replacing_the_streams_does_not_silence_later_cells(session: Session) -> None:
    session.ok("import sys, io\nsys.stdout.close()\nsys.stderr = None\nsys.stdout = io.StringIO()")
    assert session.ok("print('heard')") == "heard\n"


def test_input_finds_nobody(session: Session) -> None:
    assert "EOFError" in session.fails("input('name? ')").error


def test_modules_run_in_order_and_can_be_imported_by_later_ones(open_session: Open) -> None:
    first = GuestModule("first", "__all__ = ['base']\nbase = 20\n")
    second = GuestModule("second", "from first import base\n__all__ = ['doubled']\ndoubled = base * 2\nhidden = 1\n")
    session = open_session(modules=(first, second))
    assert session.ok("import second\nbase, doubled, second.hidden, 'hidden' in globals()") == "(20, 40, 1, False)\n"


def test_a_module_that_fails_is_a_plain_error_at_start(open_session: Open) -> None:
    with pytest.raises(RuntimeError, match=r"(?s)the guest module bad failed.*line 2.*ZeroDivisionError"):
        open_session(modules=(GuestModule("bad", "x = 1\ny = x / 0\n"),))


def test_the_kernel_is_no_module_that_cells_can_import(session: Session) -> None:
    assert "ModuleNotFoundError" in session.fails("import redwell").error


def test_time_and_chance_are_the_same_in_every_session(open_session: Open) -> None:
    code = (
        "import time, datetime, random, uuid, secrets, os\n"
        "print(time.time(), time.monotonic(), time.perf_counter(), time.strftime('%H:%M:%S'), time.localtime().tm_year)\n"
        "print(datetime.datetime.now(), datetime.date.today(), datetime.datetime.utcnow(), datetime.datetime.now(datetime.timezone.utc))\n"
        "print(random.random(), random.Random().random(), uuid.uuid4(), uuid.uuid1(), secrets.token_hex(8), os.urandom(4))\n"
        "print(hash('text'), list({'a', 'b', 'c', 'd', 'e'}))\n"
        "print(random.sample(range(1000), 5))"
    )
    policy = Policy(seed=7, clock_start=1_700_000_000.0)
    outputs = {open_session(policy).ok(code) for _ in range(2)}
    assert len(outputs) == 1
    assert outputs.pop().startswith("1700000001.0")  # the first cell is a second after the start
    assert open_session(Policy(seed=8)).ok(code) != open_session(Policy(seed=9)).ok(code)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux can be asked for the same memory layout")
def test_the_order_of_a_set_of_objects_is_the_same_in_every_session(open_session: Open) -> None:
    libc = ctypes.CDLL(None)
    before = libc.personality(0xFFFFFFFF)
    if libc.personality(before | 0x40000) == -1:
        pytest.skip("this machine does not let the layout be fixed")
    libc.personality(before)
    code = (
        "class Thing:\n    def __init__(self, n):\n        self.n = n\n"
        "import statistics\nanswers = [ask('q', n=list(range(n))) for n in range(20)]\n"
        "[thing.n for thing in {Thing(n) for n in range(50)}]"
    )
    outputs = [open_session().ok(code) for _ in range(3)]
    assert outputs == [outputs[0]] * 3
    assert libc.personality(0xFFFFFFFF) == before


def test_a_cell_sees_the_time_that_the_host_gives(session: Session) -> None:
    result = session.runner.run(session.sandbox.run("import datetime\ndatetime.datetime.now()", clock=86_400.0))
    assert result.output == "datetime.datetime(1970, 1, 2, 0, 0, 0, 1)\n"


def test_the_clock_moves_by_sleep_and_never_backwards(session: Session) -> None:
    assert session.ok("import time\nstart = time.time()\ntime.sleep(0.05)\nround(time.time() - start, 3)") == "0.05\n"
    session.runner.run(session.sandbox.run("late = time.time()", clock=5000.0))
    session.runner.run(session.sandbox.run("early = time.time()", clock=1000.0))
    assert session.ok("early > late") == "True\n"


def test_waiting_with_a_timeout_ends(session: Session) -> None:
    code = (
        "import queue, threading, asyncio\n"
        "try:\n    queue.Queue().get(timeout=0.01)\nexcept queue.Empty:\n    print('empty')\n"
        "condition = threading.Condition()\n"
        "with condition:\n    print(condition.wait_for(lambda: False, timeout=0.01))\n"
        "try:\n    await asyncio.wait_for(asyncio.sleep(30), 0.01)\nexcept TimeoutError:\n    print('late')"
    )
    assert session.ok(code) == "empty\nFalse\nlate\n"


def test_the_standard_library_works_inside(session: Session) -> None:
    code = (
        "import csv, io, json, re, sqlite3, statistics, collections, itertools, decimal, fractions, textwrap, difflib, hashlib\n"
        "import xml.etree.ElementTree, html, heapq, bisect, string, enum, typing, contextlib, functools, base64, zlib, unicodedata\n"
        "import concurrent.futures, zoneinfo, email, calendar, pprint, copy, operator, array, struct, logging, argparse\n"
        "db = sqlite3.connect(':memory:')\n"
        "db.execute('create table t (x)')\ndb.executemany('insert into t values (?)', [(1,), (2,)])\n"
        "with concurrent.futures.ThreadPoolExecutor(3) as pool:\n    squares = list(pool.map(lambda n: n * n, range(4)))\n"
        "squares, db.execute('select sum(x) from t').fetchone(), statistics.median([3, 1, 2])"
    )
    assert session.ok(code) == "([0, 1, 4, 9], (3,), 2)\n"


def test_readable_files_can_be_mapped_and_queried(open_session: Open, tmp_path) -> None:
    import sqlite3

    text, database = tmp_path / "text.bin", tmp_path / "room.sqlite"
    text.write_bytes("Section 8.2(b) — Indemnity".encode())
    with sqlite3.connect(database) as connection:
        connection.execute("create table documents (id text)")
        connection.execute("insert into documents values ('abc')")
    connection.close()
    session = open_session(Policy(readable=(text, database)))
    code = (
        "import mmap, sqlite3\n"
        f"with open({str(text)!r}, 'rb') as file:\n    view = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)\n"
        f"db = sqlite3.connect('file:{database}?mode=ro&immutable=1', uri=True)\n"
        "view[:14], db.execute('select * from documents').fetchall()"
    )
    assert session.ok(code) == "(b'Section 8.2(b)', [('abc',)])\n"
