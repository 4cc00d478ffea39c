"""Real servers on this machine that tests talk to."""
