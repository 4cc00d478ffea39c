"""What a cell that speaks the protocol itself can do to the host: end its own session, nothing else."""

import json

import pytest

from redwell.sandbox.types import Policy
from tests.sandbox.sandbox_session import Open, Session

FORGE = """
import os, stat
def is_socket(number):
    try:
        return stat.S_ISSOCK(os.fstat(number).st_mode)
    except OSError:
        return False
socket = next(filter(is_socket, range(3, 65536)))
def forge(body, size=None):
    os.write(socket, (len(body) if size is None else size).to_bytes(4, 'big') + body)
"""


@pytest.fixture
def forging(open_session: Open) -> Session:
    session = open_session(Policy(frame_bytes=1 << 20, soft_seconds=0.3, hard_seconds=0.2))
    session.ok(FORGE)
    return session


@pytest.mark.parametrize(
    ("body", "why"),
    [
        (b"not json", "not JSON"),
        (b"\xff\xfe{}", "not JSON"),
        (b"[" * 100_000, "not JSON"),
        (b'{"kind":"call","name":"q","arguments":{"n":NaN}}', "not JSON"),
        (b'{"kind":"call","name":"q","arguments":{"n":' + b"9" * 5000 + b"}}", "not JSON"),
        (b"[]", "wrong shape"),
        (b"{}", "wrong shape"),
        (b'{"kind":7}', "wrong shape"),
        (b'{"kind":"boot"}', "unknown kind"),
        (b'{"kind":"ready","walls":{}}', "unknown kind"),
        (b'{"kind":"call","arguments":{}}', "without name"),
        (b'{"kind":"call","name":["q"],"arguments":{}}', "without name"),
        (b'{"kind":"call","name":"q"}', "without arguments"),
        (b'{"kind":"call","name":"q","arguments":[1]}', "without arguments"),
        (b'{"kind":"done"}', "wrong shape"),
    ],
)
def test_a_frame_that_the_kernel_would_not_send_ends_the_session(forging: Session, body: bytes, why: str) -> None:
    assert why in forging.killed(f"forge({body!r})")


@pytest.mark.parametrize(
    "change",
    [
        {"cell": 1},
        {"cell": "2"},
        {"status": "killed"},
        {"status": ["ok"]},
        {"output": None},
        {"error": 5},
        {"dropped": "many"},
        {"dropped": True},
        {"restored": "ask"},
        {"restored": [1]},
    ],
)
def test_a_result_of_the_wrong_shape_ends_the_session(forging: Session, change: dict[str, object]) -> None:
    result = {"kind": "done", "cell": 2, "status": "ok", "output": "", "error": "", "dropped": 0, "restored": []}
    assert "it sent a" in forging.killed(f"forge({json.dumps(result | change).encode()!r})")


@pytest.mark.parametrize("size", [(1 << 20) + 1, 1 << 31, (1 << 32) - 1])
def test_a_frame_beyond_the_limit_is_not_read(forging: Session, size: int) -> None:
    assert f"a frame of {size:,} bytes" in forging.killed(f"forge(b'x' * 100, {size})\nwhile True: pass")


def test_a_frame_that_never_comes_to_its_end_is_stopped_by_the_clock(forging: Session) -> None:
    reason = forging.killed(
        "forge(b'{', 1000)\nimport signal\nsignal.pthread_sigmask(signal.SIG_BLOCK, [2])\nwhile True: pass"
    )
    assert "went on for" in reason


def test_a_closed_socket_ends_the_session(forging: Session) -> None:
    assert "The session was ended" in forging.killed("os.close(socket)")


def test_a_result_sent_early_is_only_a_wrong_result_of_that_cell(forging: Session) -> None:
    result = {"kind": "done", "cell": 2, "status": "ok", "output": "forged", "error": "", "dropped": 0, "restored": []}
    forged = forging.run(f"forge({json.dumps(result).encode()!r})\nwhile True: pass")
    assert forged.output == "forged"
    assert forging.run("1").status == "killed"


def test_a_flood_of_calls_is_answered_until_the_clock_stops_it(open_session: Open) -> None:
    session = open_session(Policy(soft_seconds=0.2, hard_seconds=0.2))
    session.ok(FORGE)
    call = b'{"kind":"call","name":"q","arguments":{}}'
    # It never reads the answers, so the host's sending comes to a stop and counts as the cell's time.
    reason = session.killed(
        f"import signal\nsignal.pthread_sigmask(signal.SIG_BLOCK, [2])\nwhile True: forge({call!r})"
    )
    assert "The session was ended" in reason


def test_a_call_with_lone_surrogates_is_cleaned(open_session: Open) -> None:
    seen: list[object] = []

    async def record(name: str, arguments: dict[str, object]) -> None:
        seen.append((name, arguments))

    session = open_session(handler=record)
    session.ok(FORGE)
    body = b'{"kind":"call","name":"\\udc80","arguments":{"\\ud800":["a\\udfffb","\\ud83d\\udcc1"]}}'
    session.run(f"forge({body!r})")
    assert seen == [("?", {"?": ["a?b", "\U0001f4c1"]})]
