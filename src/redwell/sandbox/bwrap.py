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

_SET_NUMBERS = 1 << 6 | 1 << 7  # CAP_SETGID, CAP_SETUID
OWN_USERS = 1 << 30  # real user numbers from here on are nobody's
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
    go: int = -1,
) -> list[str]:
    """The command line that runs `inner` where it sees only `visible`, read-only, and only `environment`.

    There is no /proc, no /dev, no network and no place to write. bubblewrap tells the interpreter's process number on the
    descriptor `information`. With None the environment is inherited. The walls named in `without` are left out.
    With a descriptor `go` it waits there until `map_users` is done.
    """
    arguments = [executable() or "bwrap", "--new-session", "--unshare-cgroup-try"]
    arguments += ["--cap-add" if "capabilities" in without else "--cap-drop", "ALL"]
    if "end with the host" not in without:
        arguments.append("--die-with-parent")
    for wall, options in _OPTIONS.items():
        if wall not in without:
            arguments += options
    if go >= 0:
        arguments += ["--userns-block-fd", str(go), "--cap-add", "CAP_SETUID"]
    elif _version() >= (0, 8) and "user namespace" not in without:
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


def exempt() -> bool:
    """Whether this process is root's own, whose processes the kernel exempts from RLIMIT_NPROC also in a user namespace, and may give
    them another number."""
    try:
        whole = Path("/proc/self/uid_map").read_text().split() == ["0", "0", "4294967295"]
        held = re.search(r"^CapEff:\s*(\w+)", Path("/proc/self/status").read_text(), re.MULTILINE)
    except OSError:
        return False
    return os.getuid() == 0 and whole and held is not None and int(held[1], 16) & _SET_NUMBERS == _SET_NUMBERS


def map_users(process: int) -> None:
    """Give the user namespace of that process a second user, of a number that is nobody's, for its real number. Only for `exempt`."""
    own = OWN_USERS + process
    folder = Path(f"/proc/{process}")
    (folder / "uid_map").write_text(f"{_NOBODY} 0 1\n{OWN_USERS} {own} 1\n")
    (folder / "gid_map").write_text(f"{_NOBODY} 0 1\n")


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
