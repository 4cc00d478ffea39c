"""A session that is begun before it is known what is loaded into it."""

import asyncio
import time
from pathlib import Path

import pytest

from redwell.sandbox import launch
from redwell.sandbox.session import Sandbox
from redwell.sandbox.types import GuestModule
from tests.sandbox.sandbox_session import PLAIN, TOOLS, echo
from tests.sandbox.test_leaks import descendants


def test_a_session_is_begun_first_and_loaded_later(any_backend: str) -> None:
    async def go() -> str:
        sandbox = Sandbox.begin(PLAIN, any_backend)
        await sandbox.load((TOOLS,), echo)
        try:
            return (await sandbox.run("ask('q', n=1)")).output
        finally:
            await sandbox.close()

    assert asyncio.run(go()) == "{'n': 1}\n"


def test_a_session_that_was_only_begun_leaves_nothing_behind(any_backend: str) -> None:
    async def go() -> None:
        await Sandbox.begin(PLAIN, any_backend).close()

    before = descendants()
    asyncio.run(go())
    deadline = time.monotonic() + 10
    while descendants() - before and time.monotonic() < deadline:
        time.sleep(0.01)
    assert descendants() <= before


def test_a_module_that_is_not_python_is_told_by_the_session(any_backend: str) -> None:
    async def go() -> None:
        await Sandbox.start(PLAIN, (TOOLS, GuestModule("broken", "x = (1")), echo, any_backend)

    with pytest.raises(RuntimeError, match=r"broken failed:\n(?s:.)*SyntaxError"):
        asyncio.run(go())


def test_code_from_the_interpreters_cache_is_that_of_the_source_given() -> None:
    name = "redwell.harness.guest.listing"
    source = (Path(launch.__file__).parents[1] / "harness" / "guest" / "listing.py").read_text(encoding="utf-8")
    plain = compile(source, "<module x>", "exec", dont_inherit=True)
    assert launch.compiled(name, source, "<module x>") == plain
    changed = launch.compiled(name, source + "\nMORE = 7\n", "<module x>")
    space: dict[str, object] = {"__name__": "redwell.harness.guest.listing"}
    exec(changed, space)
    assert space["MORE"] == 7
    assert launch.compiled(name, source, "<module x>").co_filename == "<module x>"
    inner = [each.co_filename for each in plain.co_consts if hasattr(each, "co_filename")]
    assert inner == ["<module x>"] * len(inner)
