"""Sessions for tests, closed after each."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence

import pytest

from redwell.sandbox import selftest
from redwell.sandbox.session import Sandbox
from redwell.sandbox.types import GuestModule, Handler, Policy, SandboxUnavailable
from tests.sandbox.sandbox_session import PLAIN, TOOLS, Open, Session, echo


@pytest.fixture(scope="session")
def any_backend() -> str:
    """What the tests of everything but the walls run on."""
    try:
        return selftest.choose("auto")
    except SandboxUnavailable:
        return "unsafe-local"


@pytest.fixture
def open_session(any_backend: str) -> Iterator[Open]:
    """Opens sessions that are closed after the test."""
    opened: list[Session] = []
    with asyncio.Runner() as runner:

        def open_one(
            policy: Policy = PLAIN,
            modules: Sequence[GuestModule] = (TOOLS,),
            handler: Handler = echo,
            backend: str = any_backend,
        ) -> Session:
            session = Session(runner, runner.run(Sandbox.start(policy, modules, handler, backend)))
            opened.append(session)
            return session

        yield open_one
        for session in opened:
            session.close()


@pytest.fixture
def session(open_session: Open) -> Session:
    return open_session()


@pytest.fixture(params=["bwrap", "landlock"])
def backend(request: pytest.FixtureRequest) -> str:
    """Each confined backend whose walls hold on this machine."""
    try:
        return selftest.choose(request.param)
    except SandboxUnavailable as missing:
        pytest.skip(str(missing))
