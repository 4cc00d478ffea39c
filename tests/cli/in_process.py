"""The command line called in this process, for tests that need no process of their own: starting one costs more than most of them do."""

from __future__ import annotations

import os
from dataclasses import dataclass

from typer.testing import CliRunner

from redwell.cli.app import app


@dataclass
class Done:
    returncode: int
    stdout: str
    stderr: str


def redwell(*arguments: object, **environment: str) -> Done:
    """As `python -m redwell` calls it, without keys and prices of this machine. What is no plain end (a traceback) fails the test."""
    clean = {name: None for name in os.environ if name.endswith(("_API_KEY", "_PRICES"))}
    done = CliRunner().invoke(app, [*map(str, arguments)], env={**clean, "COLUMNS": "200", **environment})
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exc_info
    return Done(done.exit_code, done.stdout, done.stderr)
