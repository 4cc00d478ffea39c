"""Old and foreign office formats (DOC, XLS, PPT, RTF, ODT, ODS, ODP, XLSB, WPD), converted with LibreOffice and then read.

LibreOffice runs for one file in a folder and profile of its own, with macros, links and network switched off as far as the system
allows, and is killed with everything it started when its time is up.
"""

from __future__ import annotations

import contextlib
import ctypes
import importlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

from redwell.room.formats.detect import detect
from redwell.room.types import Limits, Parsed, Unreadable

_TARGETS = {
    **dict.fromkeys(("doc", "rtf", "odt", "wpd"), "docx"),
    **dict.fromkeys(("xls", "ods", "xlsb"), "xlsx"),
    **dict.fromkeys(("ppt", "odp"), "pptx"),
}
_FILTERS = {
    "docx": "docx:MS Word 2007 XML",
    "xlsx": "xlsx:Calc MS Excel 2007 XML",
    "pptx": "pptx:Impress MS PowerPoint 2007 XML",
}
_PROFILE = """<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry" xmlns:xs="http://www.w3.org/2001/XMLSchema">
{items}
</oor:items>
"""
_SETTINGS = (
    ("org.openoffice.Office.Common/Security/Scripting", "MacroSecurityLevel", "3"),
    ("org.openoffice.Office.Common/Security/Scripting", "DisableMacrosExecution", "true"),
    ("org.openoffice.Office.Common/Security/Scripting", "DisableActiveContent", "true"),
    ("org.openoffice.Office.Common/Security/Scripting", "BlockUntrustedRefererLinks", "true"),
    ("org.openoffice.Office.Writer/Content/Update", "Link", "2"),
    ("org.openoffice.Office.Calc/Content/Update", "Link", "2"),
    ("org.openoffice.Office.Calc/Formula/Load", "OOXMLRecalcMode", "1"),
    ("org.openoffice.Office.Calc/Formula/Load", "ODFRecalcMode", "1"),
    ("org.openoffice.Office.Common/Misc", "FirstRun", "false"),
)
_MISSING = (
    "it is in an old format that needs LibreOffice to be read; install LibreOffice, or ask for a {wanted} or PDF copy"
)
_AGAIN = 81
"""LibreOffice's exit status when it has set up a new profile and wants to be started once more."""
_PORT = "http://127.0.0.1:9"


def read(data: bytes, name: str, limits: Limits) -> Parsed:
    """Converts a file and reads the result; its units have the source `converted`.

    Raises:
        Unreadable: when LibreOffice is not installed, does not finish in time or writes nothing, or its result cannot be read.
    """
    kind = detect(data, name)
    target = _TARGETS.get(kind)
    if target is None:
        raise Unreadable("its content is of no kind that LibreOffice is asked to convert")
    program = office_program()
    if program is None:
        raise Unreadable(_MISSING.format(wanted=target.upper()))
    converted = _convert(program, data, kind, target, limits)
    reader = importlib.import_module(f"redwell.room.formats.{target}")
    try:
        parsed: Parsed = reader.read(converted, f"{name}.{target}", limits)
    except Unreadable as error:
        raise Unreadable(f"LibreOffice converted it, but the result cannot be read: {error.reason}") from error
    parsed.kind = kind
    parsed.metadata["converted_with"] = "LibreOffice"
    for units in parsed.views.values():
        for unit in units:
            unit.source = "converted"
    return parsed


@lru_cache(maxsize=1)
def office_program() -> str | None:
    """Where LibreOffice's own program is, or None when it is not installed."""
    for name in ("soffice", "libreoffice"):
        found = shutil.which(name)
        if found is None:
            continue
        program = Path(found).resolve()
        beside = program.with_name("soffice.bin")
        return str(beside if beside.exists() else program)
    return None


def _convert(program: str, data: bytes, kind: str, target: str, limits: Limits) -> bytes:
    with tempfile.TemporaryDirectory(prefix="redwell-office-", ignore_cleanup_errors=True) as folder:
        home = Path(folder)
        source = home / f"source.{kind}"
        source.write_bytes(data)
        profile = home / "profile"
        (profile / "user").mkdir(parents=True)
        (profile / "user" / "registrymodifications.xcu").write_text(
            _PROFILE.format(items="\n".join(map(_item, _SETTINGS))), "utf-8"
        )
        out = home / "out"
        out.mkdir()
        command = [
            program,
            f"-env:UserInstallation={profile.as_uri()}",
            *(
                "--headless",
                "--invisible",
                "--nologo",
                "--nodefault",
                "--norestore",
                "--nolockcheck",
                "--nofirststartwizard",
            ),
            *(
                ("--infilter=WordPerfect",) if kind == "wpd" else ()
            ),  # left to itself it reads a damaged one as plain text
            *("--convert-to", _FILTERS[target], "--outdir", str(out), str(source)),
        ]
        _run(command, home, limits)
        result = out / f"source.{target}"
        if not result.is_file() or not result.stat().st_size:
            raise Unreadable(
                f"LibreOffice cannot convert it (damaged, or protected with a password); ask for a {target.upper()} or PDF copy"
            )
        if result.stat().st_size > limits.file_bytes:
            raise Unreadable("what LibreOffice made of it is larger than a file may be")
        return result.read_bytes()


def _item(setting: tuple[str, str, str]) -> str:
    path, name, value = setting
    return f'<item oor:path="/{path}"><prop oor:name="{name}" oor:op="fuse"><value>{value}</value></prop></item>'


def _run(command: list[str], home: Path, limits: Limits) -> None:
    environment = {
        "HOME": str(home),
        "TMPDIR": str(home),
        "PATH": os.environ.get("PATH", "/usr/bin:/bin"),
        "LANG": "C.UTF-8",
        "SAL_USE_VCLPLUGIN": "svp",
        "http_proxy": _PORT,
        "https_proxy": _PORT,
    }
    seconds = max(1.0, limits.seconds * 0.8)  # ends before the worker's own time does
    deadline = time.monotonic() + seconds
    for _ in range(3):
        left = max(0.1, deadline - time.monotonic())
        if _once(command, home, environment, left, seconds) != _AGAIN:
            return


def _once(command: list[str], home: Path, environment: dict[str, str], left: float, seconds: float) -> int:
    try:
        process = subprocess.Popen(
            command,
            cwd=home,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            preexec_fn=_enclosed(),
        )
    except (OSError, subprocess.SubprocessError) as error:
        raise Unreadable("LibreOffice is installed but cannot be started; check it with `soffice --version`") from error
    try:
        return process.wait(timeout=left)
    except subprocess.TimeoutExpired as error:
        raise Unreadable(f"LibreOffice did not convert it within {seconds:.0f} seconds") from error
    finally:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def _enclosed() -> Callable[[], None] | None:
    """What the new process does before it becomes LibreOffice: it ends when we end, and has no network where the system lets it."""
    if sys.platform != "linux":
        return None
    library = ctypes.CDLL(None)
    death_signal, new_user, new_network = 1, 0x10000000, 0x40000000

    def enclose() -> None:
        library.prctl(death_signal, int(signal.SIGKILL), 0, 0, 0)
        if library.unshare(new_network) != 0:
            library.unshare(new_user | new_network)

    return enclose
