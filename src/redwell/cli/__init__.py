"""The command line: one module per verb."""

from __future__ import annotations


def main() -> None:
    """The `redwell` command."""
    from redwell.cli.app import app
    from redwell.cli.memory import few_arenas

    few_arenas()
    app()
