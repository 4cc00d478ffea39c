"""Nothing outside can be read, written or reached from a cell: attempts, on every backend whose walls hold here."""

import asyncio
import os
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from redwell.sandbox import selftest
from redwell.sandbox.session import Sandbox
from redwell.sandbox.types import SandboxUnavailable
from tests.sandbox import escapes
from tests.sandbox.escape_runner import KERNEL, OTHER_ENTRIES, POLICY, Attempts, Outside, applicable
from tests.sandbox.sandbox_session import Session, echo

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the confined backends are Linux's")

# What a machine says that has no such thing, or does not give it to this user.
NOT_HERE = ("PermissionError", "Function not implemented", "not supported", "No such device", "Protocol")


@pytest.fixture
def outside(tmp_path: Path) -> Iterator[Outside]:
    with ExitStack() as stack:
        yield Outside(tmp_path, stack)


@pytest.fixture(scope="module")
def target(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Outside]:
    """Shared by all attempts from behind walls: when they hold, it is untouched in the end."""
    inherited = os.open("/dev/null", os.O_RDONLY)
    os.set_inheritable(inherited, True)
    os.environ["REDWELL_TEST_KEY"] = "key-of-the-host"
    with ExitStack() as stack:
        outside = Outside(tmp_path_factory.mktemp("escapes"), stack)
        yield outside
        assert outside.state() == outside.before
    os.close(inherited)
    del os.environ["REDWELL_TEST_KEY"]


@pytest.fixture(scope="module", params=["bwrap", "landlock"])
def confined(request: pytest.FixtureRequest, target: Outside) -> Iterator[Attempts]:
    try:
        backend = selftest.choose(request.param)
    except SandboxUnavailable as missing:
        pytest.skip(str(missing))
    with asyncio.Runner() as runner:
        attempts = Attempts(runner, backend)
        yield attempts
        attempts.close()


@pytest.fixture(scope="module")
def unconfined() -> Iterator[Attempts]:
    with asyncio.Runner() as runner:
        attempts = Attempts(runner, "unsafe-local")
        yield attempts
        attempts.close()


@pytest.mark.parametrize(("kind", "body"), [pytest.param(kind, body, id=name) for kind, name, body in applicable()])
def test_an_attempt_is_stopped(confined: Attempts, target: Outside, kind: str, body: str) -> None:
    assert confined.make(body, target).startswith(("stopped", "killed") if kind == OTHER_ENTRIES else "stopped")
    assert target.state() == target.before


@pytest.mark.parametrize(
    ("name", "body"),
    [pytest.param(name, body, id=name) for _, name, body in applicable() if name not in escapes.UNTRIED],
)
def test_the_attempt_succeeds_where_there_is_no_wall(
    unconfined: Attempts, outside: Outside, name: str, body: str
) -> None:
    result = unconfined.make(body, outside)
    if result.startswith("stopped") and any(each in result for each in NOT_HERE):
        pytest.skip(f"this machine stops it by itself: {result}")
    assert result.startswith("reached")


def test_the_attempts_are_many_and_each_is_tried_or_says_why_not() -> None:
    names = [name for _, name, _ in applicable()]
    assert len(names) == len(set(names)) >= 40
    assert set(escapes.UNTRIED) <= {name for attempts in escapes.ATTEMPTS.values() for name in attempts}
    assert len(set(names) - set(escapes.UNTRIED)) >= 100


def test_only_the_socket_to_the_host_is_open_from_the_start(backend: str, target: Outside) -> None:
    with asyncio.Runner() as runner:
        session = Session(runner, runner.run(Sandbox.start(POLICY, (), echo, backend)))
        kinds = session.ok(
            "import os, stat\nfound = []\nfor n in range(4096):\n    try:\n        mode = os.fstat(n).st_mode\n"
            "    except OSError:\n        continue\n    found.append('socket' if stat.S_ISSOCK(mode) else os.fstat(n).st_rdev)\nfound"
        )
        session.close()
    null = os.stat("/dev/null").st_rdev
    assert kinds == f"[{null}, {null}, {null}, 'socket']\n"


@pytest.mark.parametrize("name", KERNEL)
def test_a_part_of_the_kernel_that_no_cell_needs_is_out_of_reach(
    confined: Attempts, target: Outside, name: str
) -> None:
    assert confined.answer_of_the_kernel(name, target).startswith("stopped")


def test_the_kernel_would_have_answered_where_there_is_no_wall(unconfined: Attempts, outside: Outside) -> None:
    answers = {name: unconfined.answer_of_the_kernel(name, outside) for name in KERNEL}
    # Some parts are not built into every kernel, some answer only to the privileged.
    assert sum(answer.startswith("reached") for answer in answers.values()) >= 60


@pytest.mark.parametrize("name", ["size", "existence"])
def test_what_landlock_cannot_hide_namespaces_do(confined: Attempts, target: Outside, name: str) -> None:
    body = {"size": "return os.stat(SECRET).st_size", "existence": "return os.path.lexists(SECRET)"}[name]
    found = confined.make(body, target)
    if confined.backend == "bwrap":
        assert found.startswith("stopped")
    else:
        assert found == {"size": f"reached {target.secret.stat().st_size}\n", "existence": "reached True\n"}[name]


def test_the_table_counts_what_came_of_the_attempts() -> None:
    from endurance.escapes import behind, table

    found = {"unsafe-local": list(behind("unsafe-local", {"privileges"}))}
    assert len(table(found)) == 4
    assert table(found)[-1].startswith(f"| all | {len(escapes.ATTEMPTS['privileges'])} | ")
    assert any(came.startswith("not tried: ") for _, _, came in found["unsafe-local"])
