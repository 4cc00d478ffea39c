"""bubblewrap: namespaces of its own for the interpreter, with nothing in them but the interpreter and the readable paths."""

from __future__ import annotations

import functools
import os
import re
import shutil
import subprocess
from collections.abc import Container, Iterable, Mapping, Sequence
from pathlib import Path

_HOSTNAME = "sandbox"
_NOBODY = "65534"
_OPTIONS = {
    "user namespace": ("--unshare-user", "--uid", _NOBODY, "--gid", _NOBODY),
    "pid namespace": ("--unshare-pid", "--as-pid-1"),
    "network namespace": ("--unshare-net",),
    "ipc namespace": ("--unshare-ipc",),
    "uts namespace": ("--unshare-uts", "--hostname", _HOSTNAME),
}
_KINDS = {"user": "user", "pid": "pid", "network": "net", "ipc": "ipc", "uts": "uts", "mount": "mnt"}

WALLS = tuple(f"{name} namespace" for name in _KINDS)


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
    inner: Sequence[str],
    visible: Iterable[Path],
    environment: Mapping[str, str] | None,
    information: int,
    without: Container[str] = (),
) -> list[str]:
    """The command line that runs `inner` where it sees only `visible`, read-only, and only `environment`.

    There is no /proc, no /dev, no network and no place to write. bubblewrap tells the interpreter's process number on the
    descriptor `information`. With None the environment is inherited. The walls named in `without` are left out.
    """
    arguments = [executable() or "bwrap", "--new-session", "--unshare-cgroup-try"]
    arguments += ["--cap-add" if "capabilities" in without else "--cap-drop", "ALL"]
    if "end with the host" not in without:
        arguments.append("--die-with-parent")
    for wall, options in _OPTIONS.items():
        if wall not in without:
            arguments += options
    if _version() >= (0, 8) and "user namespace" not in without:
        arguments.append("--disable-userns")
    if environment is not None:
        arguments.append("--clearenv")
        for name, value in environment.items():
            arguments += ["--setenv", name, value]
    if "mount namespace" in without:
        visible = (Path("/"),)
    for path in visible:
        arguments += ["--ro-bind-try", str(path), str(path)]
    return [*arguments, "--remount-ro", "/", "--chdir", "/", "--info-fd", str(information), "--", *inner]


def separate(process: int) -> dict[str, bool]:
    """For each of `WALLS` whether that process is in another namespace than this one, by the kernel's word."""
    found = {}
    for name, kind in _KINDS.items():
        try:
            found[f"{name} namespace"] = os.readlink(f"/proc/{process}/ns/{kind}") != os.readlink(
                f"/proc/self/ns/{kind}"
            )
        except OSError:
            found[f"{name} namespace"] = False
    return found
