"""A session that tests can drive without being coroutines themselves."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from redwell.sandbox.session import Sandbox
from redwell.sandbox.types import CellResult, GuestModule, Policy

PLAIN = Policy()
TOOLS = GuestModule("tools", "__all__ = ['ask']\n\ndef ask(name, **arguments):\n    return host(name, **arguments)\n")


async def echo(name: str, arguments: dict[str, Any]) -> Any:
    return arguments


class Session:
    """A sandbox on an event loop of its own."""

    def __init__(self, runner: asyncio.Runner, sandbox: Sandbox) -> None:
        self.runner = runner
        self.sandbox = sandbox

    def run(self, code: str, number: int | None = None) -> CellResult:
        return self.runner.run(self.sandbox.run(code, number=number))

    def ok(self, code: str) -> str:
        """The output of a cell that must end well."""
        result = self.run(code)
        assert result.status == "ok", result
        return result.output

    def fails(self, code: str) -> CellResult:
        """The result of a cell that must raise."""
        result = self.run(code)
        assert result.status == "error", result
        return result

    def killed(self, code: str) -> str:
        """The reason for which a cell's session was ended."""
        result = self.run(code)
        assert result.status == "killed", result
        return result.error

    def close(self) -> None:
        self.runner.run(self.sandbox.close())


Open = Callable[..., Session]
