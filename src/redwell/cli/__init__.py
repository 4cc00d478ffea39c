"""The command line: one module per verb."""

from __future__ import annotations


def main() -> None:
    """The `redwell` command."""
    from redwell.cli.app import app

    app()
