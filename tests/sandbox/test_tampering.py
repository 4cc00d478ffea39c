"""A cell that works on its own kernel: it can spoil its session, never the host; the host does not wait for it without end."""

import re
from pathlib import Path
from typing import Any

import pytest

import redwell
from redwell.sandbox.types import Policy
from tests.sandbox.sandbox_session import Open, Session

QUICK = Policy(soft_seconds=1.0, hard_seconds=0.2, frame_bytes=1 << 20, memory_bytes=1 << 30)

HANDS = """
import ctypes, gc, os, signal, stat, sys, threading, time
def is_socket(number):
    try:
        return stat.S_ISSOCK(os.fstat(number).st_mode)
    except OSError:
        return False
socket = next(filter(is_socket, range(3, 65536)))
def forge(body):
    os.write(socket, len(body).to_bytes(4, 'big') + body)
def one(name):
    return next(each for each in gc.get_objects() if type(each).__name__ == name)
"""

# The session goes on, and the host's answers with it.
HARMLESS = {
    "the functions of its protocol": "os.read = os.write = None\nimport json\njson.JSONEncoder.encode = json.JSONDecoder.decode = None",
    "its modules": "for name in list(sys.modules): del sys.modules[name]",
    "the hooks of the interpreter": "sys.displayhook = sys.excepthook = sys.unraisablehook = threading.excepthook = None",
    "its streams": "sys.stdout = sys.stderr = sys.__stdout__ = None",
    "a function that is called at exit": "import atexit\natexit.register(forge, b'{}')",
    "a function that traces": "def trace(frame, event, argument):\n    raise SystemExit(event)\nthreading.settrace(trace)\nsys.settrace(trace)",
    "handlers of signals": "for number in (2, 14, 15): signal.signal(number, signal.SIG_IGN)",
    "a flood of timers": "signal.signal(14, lambda *_: None)\nsignal.setitimer(signal.ITIMER_REAL, 1e-5, 1e-5)\nfor n in range(100_000): pass",
    "a finalizer that asks the host": "class Last:\n    def __del__(self): ask('last')\nlast = Last()\ndel last",
    "a loop of finalizers": "class Again:\n    def __del__(self): Again.kept = Again()\nAgain()\ndel Again",
    "a repr that raises": "class Bad:\n    def __repr__(self): raise KeyboardInterrupt\nBad()",
    "an error that cannot be shown": "class Bad(Exception):\n    def __str__(self): raise Bad()\nraise Bad()",
    "errors in errors": "error = ValueError()\nfor n in range(500): error = ExceptionGroup('e', [error])\nraise error",
    "an error that is its own cause": "error = ValueError()\nerror.__context__ = error.__cause__ = ValueError()\nerror.__cause__.__cause__ = error\nraise error",
}

# The session ends, at once or at its deadline, with a reason.
ENDING = {
    "the way to the host": "one('Channel').send = lambda frame: None",
    "what it hears from the host": "one('Channel').receive = lambda: {'kind': 'answer', 'value': 'forged'}",
    "the report of a cell": 'one(\'Kernel\')._run = lambda number, code: b\'{"kind":"done","cell":99}\'\nos.write(socket, b\'\')\none(\'Kernel\')._channel.send(b\'{"kind":"done","cell":99}\')',
    "the builtins": "import builtins\nbuiltins.len = builtins.isinstance = builtins.type = None",
    "its socket, closed": "os.close(socket)",
    "its socket, shut": "ctypes.CDLL(None).shutdown(socket, 2)",
    "its socket, another in its place": "try: os.dup2(0, socket)\nexcept OSError: os.close(socket)",  # a number above the limit is refused
    "its process": "os._exit(0)",
    "its process by an abort": "os.abort()",
    "its memory": "ctypes.string_at(0)",
    "the limit of recursion": "sys.setrecursionlimit(10**9)\ndef deep(): return deep()\nclass R:\n    def __repr__(self): return repr(self)\nrepr(R())",
    "interrupts": "signal.pthread_sigmask(signal.SIG_BLOCK, [2, 14])\nwhile True: pass",
    "the answers to others": "thread = threading.Thread(target=lambda: [os.read(socket, 1 << 16) for n in range(9)], daemon=True)\nthread.start()\ntime.sleep(0.05)\nask('q')\nwhile True: pass",
    "a bomb of brackets": "forge(b'[' * (1 << 20))",
    "a bomb of names": 'forge(b\'{"kind":"call","name":"q","arguments":\' + b\'{"a":\' * 100_000 + b\'1\' + b\'}\' * 100_001)',
    "a length of 2 to the 63rd": "os.write(socket, b'\\x80' + bytes(7))",
    "a frame cut off by its end": "os.write(socket, b'\\0\\0\\1\\0half')\nos._exit(0)",
    "a pickle": "import pickle\nforge(pickle.dumps(os.getcwd))",
    "two results of one cell": 'body = b\'{"kind":"done","cell":2,"status":"ok","output":"","error":"","dropped":0,"restored":[]}\'\nforge(body)\nforge(body)',
    "numbers that are none": 'forge(b\'{"kind":"call","name":"q","arguments":{"n":-1e999}}\')',
}


@pytest.fixture
def tampering(open_session: Open) -> Session:
    async def answer(name: str, arguments: dict[str, Any]) -> Any:
        return f"the host's answer to {name}"

    session = open_session(QUICK, handler=answer)
    session.ok(HANDS)
    return session


@pytest.mark.parametrize("code", [pytest.param(code, id=name) for name, code in HARMLESS.items()])
def test_the_session_goes_on_after_a_cell_has_tampered_with(tampering: Session, code: str) -> None:
    assert tampering.run(code).status in ("ok", "error", "interrupted")
    assert tampering.ok("ask('q')") == '"the host\'s answer to q"\n'


@pytest.mark.parametrize("code", [pytest.param(code, id=name) for name, code in ENDING.items()])
def test_only_the_session_ends_when_a_cell_has_tampered_with(tampering: Session, code: str) -> None:
    for _ in range(50):  # on a busy machine the time of a cell may be over before it has done its harm
        if tampering.run(code).status != "interrupted":
            break
    results = [tampering.run("ask('q')"), tampering.run("ask('q')")]
    assert results[-1].status == "killed"
    assert re.match("The session (was|has) ended: .+|The session was ended: .+", results[-1].error)


def test_a_thread_that_outlives_its_cell_is_not_answered_between_cells(tampering: Session) -> None:
    tampering.ok(
        "heard = []\nleft, stop = threading.Event(), threading.Event()\ndef late():\n    left.wait()\n"
        "    while not stop.is_set():\n        try: heard.append(ask('late'))\n        except HostError as error: heard.append(str(error))\n"
        "        time.sleep(0.001)\n"
        "kernel = one('Kernel')\nthread = threading.Thread(target=late)\nthread.start()"
    )
    # In a cell a thread is answered like the cell itself; each answer belongs to its own call.
    said = tampering.ok(
        "left.set()\nmine = [ask(f'q{n}') for n in range(50)]\nstop.set()\nthread.join()\nmine, set(heard)"
    )
    assert said.count("the host's answer to q") == 50
    assert said.count("the host's answer to late") == 1


def test_what_a_thread_sends_between_cells_is_no_answer_of_the_next(tampering: Session) -> None:
    tampering.ok("import _thread\ngo = threading.Event()")
    body = b'{"kind":"done","cell":99,"status":"ok","output":"forged","error":"","dropped":0,"restored":[]}'
    first = tampering.run(f"forge({body!r})\nwhile True: pass")
    assert first.status == "killed"
    assert "wrong shape" in first.error


def test_nothing_that_comes_from_a_session_is_unpickled() -> None:
    unsafe = re.compile(
        r"^\s*(import|from) (pickle|shelve|dill|cloudpickle|marshal)\b|\bmarshal\.\w|__import__\(.marshal", re.MULTILINE
    )
    root = Path(redwell.__file__).parent
    found = [path.relative_to(root).as_posix() for path in root.rglob("*.py") if unsafe.search(path.read_text("utf-8"))]
    # The programs and modules that are sent into a session are marshalled by the host (launch), and loaded there (guest).
    assert sorted(found) == ["sandbox/guest.py", "sandbox/launch.py"]
