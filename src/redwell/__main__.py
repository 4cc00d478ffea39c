"""`python -m redwell` is the `redwell` command."""

from redwell.cli import main

main()
