"""bubblewrap: namespaces of its own for the interpreter, with nothing in them but the interpreter and the readable paths."""

from __future__ import annotations

import functools
import re
import shutil
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

_HOSTNAME = "sandbox"
_NOBODY = "65534"


@functools.cache
def executable() -> str | None:
    """Where bubblewrap is installed, None when it is not."""
    return shutil.which("bwrap")


@functools.cache
def _version() -> tuple[int, ...]:
    try:
        text = subprocess.run([executable() or "bwrap", "--version"], capture_output=True, text=True, timeout=5).stdout
    except (OSError, subprocess.TimeoutExpired):
        return ()
    return tuple(int(number) for number in re.findall(r"\d+", text))


def command(
    inner: Sequence[str], visible: Iterable[Path], environment: Mapping[str, str] | None, information: int
) -> list[str]:
    """The command line that runs `inner` where it sees only `visible`, read-only, and only `environment`.

    There is no /proc, no /dev, no network and no place to write. bubblewrap tells the interpreter's process number on the
    descriptor `information`. With None the environment is inherited.
    """
    arguments = [executable() or "bwrap", "--unshare-user", "--unshare-all", "--die-with-parent", "--new-session"]
    arguments += ["--as-pid-1", "--cap-drop", "ALL", "--uid", _NOBODY, "--gid", _NOBODY, "--hostname", _HOSTNAME]
    if _version() >= (0, 8):
        arguments.append("--disable-userns")
    if environment is not None:
        arguments.append("--clearenv")
        for name, value in environment.items():
            arguments += ["--setenv", name, value]
    for path in visible:
        arguments += ["--ro-bind-try", str(path), str(path)]
    return [*arguments, "--remount-ro", "/", "--chdir", "/", "--info-fd", str(information), "--", *inner]
