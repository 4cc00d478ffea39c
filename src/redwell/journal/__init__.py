"""The append-only record of a run, and the views of it: usage, coverage, trace, trajectory."""
