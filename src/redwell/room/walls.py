"""The walls of the process that reads documents: it opens files of its own program to read, and nothing else of the machine.

A hole in a library that parses hostile bytes must reach neither the firm's network nor its disk. What the kernel does not have is left
out; `redwell doctor` says which walls stand.
"""

from __future__ import annotations

import contextlib
import sys
from pathlib import Path

import redwell
from redwell.sandbox import landlock, seccomp
from redwell.sandbox.launch import interpreter_paths

_ALSO = (
    *("/usr/share/fonts", "/usr/local/share/fonts", "/usr/share/X11/fonts", "/usr/share/zoneinfo", "/etc/localtime"),
    *("/etc/mime.types", "/dev/null", "/dev/urandom"),
)
NAMES = ("files", "network, writing and new processes")
"""What the walls keep from the process that reads."""


def raise_walls() -> dict[str, bool]:
    """Confines this process for good; for each of NAMES whether its wall stands. Needs no_new_privs for both."""
    standing = dict.fromkeys(NAMES, False)
    if sys.platform != "linux":
        return standing
    with contextlib.suppress(OSError):
        standing["files"] = landlock.restrict(_readable()).get("Landlock files", False)
    with contextlib.suppress(OSError):
        seccomp.install()
        standing[NAMES[1]] = True
    return standing


def _readable() -> list[str]:
    own = Path(redwell.__file__).resolve().parent
    searched = [path for path in sys.path if path and Path(path).is_absolute()]
    return [*map(str, interpreter_paths()), str(Path(sys.prefix) / "lib"), *searched, str(own), *_ALSO]
