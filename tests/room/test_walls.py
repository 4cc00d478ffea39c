"""Workers behind walls: what hostile bytes could do with the process that reads them, and with the programs that it asks for."""

from __future__ import annotations

import os
import socket
import sys
from pathlib import Path

import pytest
from PIL import Image, ImageDraw

from redwell.room.pool import Pool, Task
from redwell.room.types import Limits
from redwell.room.walls import NAMES
from redwell.sandbox import landlock
from tests.room.pdf_builder import Pdf

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="the walls are Linux's"),
    pytest.mark.skipif(landlock.abi() == 0, reason="this kernel has no Landlock"),
]

HOSTILE = '''
"""A reader in the hands of the file that it reads: the file is Python."""
from redwell.room.types import Parsed, ParsedUnit

def read(data, name, limits):
    try:
        exec(data.decode(), {"__name__": "hostile"})
        said = "done"
    except BaseException as error:
        said = type(error).__name__
    return Parsed("txt", {"final": [ParsedUnit(said, "p[0]")]})
'''

ATTEMPTS = {
    "reads a file": "open({secret!r}).read()",
    "reads a file over a descriptor of its folder": "import os; os.open('secret', os.O_RDONLY, dir_fd=os.open({folder!r}, os.O_RDONLY))",
    "lists a folder": "import os; os.listdir({folder!r})",
    "lists its own temporary folder": "import os; os.listdir(os.environ['TMPDIR'])",
    "reads the environment of another process": "open('/proc/{process}/environ').read()",
    "reads the list of users": "open('/etc/passwd').read()",
    "writes a file": "open({folder!r} + '/new', 'w')",
    "writes where temporary files go": "import os; open(os.environ['TMPDIR'] + '/x', 'w')",
    "writes into its own program": "import redwell; open(redwell.__file__, 'a')",
    "removes a file": "import os; os.unlink({secret!r})",
    "renames a file": "import os; os.rename({secret!r}, {secret!r} + '2')",
    "makes a folder": "import os; os.mkdir({folder!r} + '/d')",
    "makes a link": "import os; os.symlink('/', {folder!r} + '/l')",
    "changes a file's rights": "import os; os.chmod({secret!r}, 0o777)",
    "connects over TCP": "import socket; socket.create_connection(('127.0.0.1', {port}))",
    "listens over TCP": "import socket; socket.create_server(('127.0.0.1', 0))",
    "sends over UDP": "import socket; socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'x', ('127.0.0.1', {port}))",
    "connects to a local socket": "import socket; socket.socket(socket.AF_UNIX).connect({local!r})",
    "asks the kernel for routes": "import socket; socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0)",
    "resolves a name": "import socket; socket.getaddrinfo('x.test', 80)[0]",
    "forks": "import os; os.fork() or os._exit(0)",
    "starts a program": "import subprocess; subprocess.run(['/bin/true'], check=True)",
    "becomes a program": "import os; os.execv('/bin/true', ['/bin/true'])",
    "signals the reading process": "import os; os.kill({process}, 0)",
    "signals its own group": "import os; os.killpg(0, 0)",
    "signals the process that starts programs": "import os; os.kill(os.getppid(), 0)",
    "leaves its group": "import os; os.setsid()",
    "limits the reading process": "import resource; resource.prlimit({process}, resource.RLIMIT_CPU, (1, 1))",
    "moves the reading process": "import os; os.sched_setaffinity({process}, {{0}})",
    "takes a new namespace": "import ctypes, os\nif ctypes.CDLL(None, use_errno=True).unshare(0x10000000): raise OSError",
    "watches another process": "import ctypes\nif ctypes.CDLL(None).ptrace(16, {process}, 0, 0) < 0: raise OSError",
}


def answers(tmp_path: Path, files: list[str]) -> list[str]:
    """What the hostile reader says of each file."""
    (tmp_path / "hostile.py").write_text(HOSTILE)
    said = []
    with Pool(1, Limits(seconds=20), f"{tmp_path / 'hostile.py'}:read") as pool:
        for number, code in enumerate(files):
            pool.submit([Task(str(number), "x.txt", code.encode())])
            ((_, reading),) = pool.wait()
            said.append(reading.texts["final"].utf8.decode() if reading.texts else reading.reason)
        assert pool.walls == dict.fromkeys(NAMES, True)
    return said


def test_a_reader_that_was_taken_over_reaches_nothing_of_the_machine(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("secret")
    local = socket.socket(socket.AF_UNIX)
    local.bind(str(tmp_path / "local"))
    local.listen()
    server = socket.create_server(("127.0.0.1", 0))
    place = {
        "secret": str(secret),
        "folder": str(tmp_path),
        "process": os.getpid(),
        "port": server.getsockname()[1],
        "local": str(tmp_path / "local"),
    }
    with local, server:
        said = answers(tmp_path, [code.format(**place) for code in ATTEMPTS.values()])
    refused = {"PermissionError", "OSError", "gaierror"}
    assert {name: word for name, word in zip(ATTEMPTS, said, strict=True) if word not in refused} == {}
    assert {path.name for path in tmp_path.iterdir()} - {"__pycache__"} == {"hostile.py", "local", "secret"}
    assert secret.read_text() == "secret"


def test_what_a_reader_needs_still_works_behind_the_walls(tmp_path: Path) -> None:
    needed = [
        "import xml.dom.minidom, zoneinfo; zoneinfo.ZoneInfo('Europe/Berlin')",
        "import threading; t = threading.Thread(target=print); t.start(); t.join()",
        "import PIL.Image; PIL.Image.init(); import lxml.etree; import pypdfium2.raw",
        "import mimetypes, email, random, uuid; mimetypes.guess_type('a.pdf'); uuid.uuid4()",
        "import time; time.localtime()",
    ]
    assert answers(tmp_path, needed) == ["done"] * len(needed)


@pytest.mark.parametrize(
    ("attempt", "told"),
    [
        ("cat {secret}", "refused"),
        ("ls {folder}", "refused"),
        ("cat /proc/{process}/environ", "refused"),
        ("echo x > {folder}/new", "refused"),
        ("python3 -c 'import socket; socket.create_connection((\"127.0.0.1\", {port}), 5)'", "refused"),
        ("cat /usr/share/zoneinfo/UTC", "went"),
    ],
)
def test_a_program_that_a_reader_asks_for_sees_nothing_but_the_system(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, attempt: str, told: str
) -> None:
    secret = tmp_path / "secret"
    secret.write_text("secret")
    program = tmp_path / "programs" / "tesseract"
    program.parent.mkdir()
    server = socket.create_server(("127.0.0.1", 0))
    code = attempt.format(secret=secret, folder=tmp_path, process=os.getpid(), port=server.getsockname()[1])
    row = "5\\t1\\t1\\t1\\t1\\t1\\t0\\t0\\t9\\t9\\t95\\t"
    program.write_text(
        f'#!/bin/sh\n[ "$1" = --list-langs ] && exit 0\ncat > /dev/null\n'
        f"if {code} > /dev/null 2>&1; then printf '{row}went\\n'; else printf '{row}refused\\n'; fi\n"
    )
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}:/usr/bin:/bin")
    page = Pdf()
    picture = Image.new("L", (600, 800), "white")
    ImageDraw.Draw(picture).rectangle((100, 100, 300, 300), fill="black")
    page.scan(picture)
    with server, Pool(1, Limits(seconds=30)) as pool:
        pool.submit([Task("0", "scan.pdf", page.build())])
        ((_, reading),) = pool.wait()
    assert (reading.status, reading.reason) == ("read", "")
    assert reading.texts["final"].utf8.decode() == told
    assert not (tmp_path / "new").exists()


def test_a_worker_takes_a_whole_request_before_it_answers() -> None:
    """Answers larger than a channel holds, to a request larger than that too: neither end waits for the other."""
    data = b"The tenant pays the rent on the first day of each month.\n" * 5_000
    with Pool(1, Limits(seconds=60)) as pool:
        pool.submit([Task(str(number), "lease.csv", data) for number in range(30)])
        done = []
        while pool.busy:
            done += [(reading.status, reading.texts["final"].length) for _, reading in pool.wait()]
    assert done == [("read", len(data) - 1)] * 30
