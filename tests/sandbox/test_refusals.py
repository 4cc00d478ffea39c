"""What a sandbox says where the machine does not let it be built: no user namespaces, no Landlock, an old one, a container within."""

import os
import shutil
import subprocess
import sys

import pytest

from redwell.sandbox import landlock

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the confined backends are Linux's")

CHOOSE = """
import sys
from redwell.sandbox import selftest
from redwell.sandbox.types import SandboxUnavailable
for name in ("bwrap", "landlock", "auto"):
    try:
        print(name, "->", selftest.choose(name))
    except SandboxUnavailable as refused:
        print(name, "->", "refused:", refused)
"""

# A kernel without Landlock: its three calls, 444 to 446, end with ENOSYS as they do where nothing is there.
WITHOUT_LANDLOCK = """
import ctypes, struct
code = [(0x20, 0, 0, 0), (0x35, 0, 2, 444), (0x35, 1, 0, 447), (0x06, 0, 0, 0x00050000 | 38), (0x06, 0, 0, 0x7FFF0000)]
data = b"".join(struct.pack("=HBBI", *each) for each in code)
buffer = ctypes.create_string_buffer(data, len(data))
libc = ctypes.CDLL(None)
assert libc.prctl(38, 1, 0, 0, 0) == 0
assert libc.prctl(22, 2, struct.pack("@HP", len(code), ctypes.addressof(buffer)), 0, 0) == 0
"""

AT_LEVEL = """
import os, sys
from redwell.sandbox import landlock
level = int(sys.argv[1])
landlock.abi = lambda: level
import ctypes
ctypes.CDLL(None).prctl(38, 1, 0, 0, 0)
print(landlock.restrict(["/usr"]))
for attempt in (lambda: open("/etc/passwd"), lambda: open("/tmp/redwell-at-level", "w"), lambda: os.mkdir("/tmp/redwell-at-level"),
                lambda: os.symlink("/", "/tmp/redwell-at-level"), lambda: os.rename("/usr/lib", "/tmp/redwell-at-level")):
    try:
        attempt()
    except PermissionError:
        continue
    except OSError as error:
        if error.errno == 18:  # the two lie on two file systems here, so that nothing can be moved between them anyway
            continue
    print("went through")
print(len(os.listdir("/usr")) > 0)
"""


def run(code: str, *before: str, arguments: tuple[str, ...] = ()) -> str:
    done = subprocess.run([*before, sys.executable, "-c", code, *arguments], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    return done.stdout


def no_user_namespaces() -> tuple[str, ...]:
    """A command line behind which none can be made, as where the administrator has turned them off."""
    command = ("unshare", "-Ur", "sh", "-c", 'echo 0 > /proc/sys/user/max_user_namespaces && exec "$@"', "sh")
    if (
        shutil.which("unshare") is None
        or subprocess.run([*command, "true"], capture_output=True, check=False).returncode
    ):
        pytest.skip("this machine has no user namespaces to take away")
    return command


def test_without_user_namespaces_landlock_is_taken_and_bwrap_is_refused_with_its_reason() -> None:
    if shutil.which("bwrap") is None or not landlock.abi():
        pytest.skip("needs both backends")
    said = dict(line.split(" -> ") for line in run(CHOOSE, *no_user_namespaces()).splitlines())
    assert said["auto"] == said["landlock"] == "landlock"
    assert said["bwrap"].startswith("refused: The sandbox bwrap does not hold on this machine. bwrap: bwrap (it does")
    assert "amespace" in said["bwrap"]


def test_without_landlock_bwrap_holds_by_itself(backend: str) -> None:
    if backend != "bwrap":
        pytest.skip("needs bubblewrap")
    said = dict(line.split(" -> ") for line in run(WITHOUT_LANDLOCK + CHOOSE).splitlines())
    assert said["auto"] == said["bwrap"] == "bwrap"
    assert "landlock (this kernel has no Landlock)" in said["landlock"]


def test_without_either_no_code_is_run_and_both_reasons_are_told() -> None:
    said = dict(line.split(" -> ") for line in run(WITHOUT_LANDLOCK + CHOOSE, *no_user_namespaces()).splitlines())
    assert said["auto"].startswith("refused: No sandbox holds on this machine. bwrap: bwrap (")
    assert "landlock: landlock (this kernel has no Landlock)" in said["auto"]
    assert "--unsafe-local runs model-written code without any wall" in said["auto"]


def test_a_sandbox_is_made_inside_another_container(backend: str) -> None:
    if shutil.which("bwrap") is None:
        pytest.skip("needs bubblewrap to make the outer container")
    outer = ("bwrap", "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--unshare-all", "--tmpfs", "/var/tmp")
    if subprocess.run([*outer, "true"], capture_output=True, check=False).returncode:
        pytest.skip("no container can be made here")
    for line in run(CHOOSE, *outer).splitlines():
        name, _, chosen = line.partition(" -> ")
        # Where a container may hold no further one, the reason is told; what is chosen has passed its self-test.
        assert chosen in ("bwrap", "landlock") or f"The sandbox {name} does not hold" in chosen


@pytest.mark.parametrize("level", range(1, landlock.abi() + 1) if sys.platform == "linux" else [])
def test_an_older_landlock_closes_all_files_and_says_which_walls_it_has(level: int) -> None:
    said = run(AT_LEVEL, arguments=(str(level),)).splitlines()
    walls = {"Landlock files": True}
    walls |= {"Landlock TCP": True} if level >= 4 else {}
    # The parent of this test's process is outside of its walls, so that a signal to it is refused.
    walls |= {"Landlock scope": True} if level >= 6 else {}
    assert said == [str(walls), "True"]
    assert not os.path.lexists("/tmp/redwell-at-level")
