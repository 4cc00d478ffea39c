"""Old and foreign office formats (DOC, XLS, PPT, RTF, ODT, ODS, ODP, XLSB, WPD), converted with LibreOffice and then read.

LibreOffice runs for one file in a folder and profile of its own, with macros, links and network switched off as far as the system
allows, and is killed with everything it started when its time is up.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib
import os
import shutil
import signal
import subprocess
import tempfile
import time
from functools import lru_cache
from pathlib import Path

from redwell.room import programs
from redwell.room.formats.detect import detect
from redwell.room.types import Limits, Parsed, Unreadable
from redwell.sandbox.program import enclose

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
_SOCKETS = Path("/tmp")
"""Where LibreOffice puts the socket by which a second one would find the first; the place is built into it."""
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
    try:
        converted = programs.call(
            "libreoffice", data, kind=kind, seconds=limits.seconds, most=min(limits.file_bytes, limits.memory_bytes)
        )
    except programs.Failed as failed:
        raise Unreadable(failed.reason) from failed
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


def run_libreoffice(data: bytes, *, kind: str, seconds: float, most: int) -> bytes:
    """The file of that kind as LibreOffice writes it in the new format, within the seconds and of at most so many bytes.

    Raises programs.Failed.
    """
    program, target = office_program(), _TARGETS[kind]
    if program is None:
        raise programs.Failed(_MISSING.format(wanted=target.upper()))
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
        _run(command, home, float(seconds), profile.as_uri())
        result = out / f"source.{target}"
        if not result.is_file() or not result.stat().st_size:
            raise programs.Failed(
                f"LibreOffice cannot convert it (damaged, or protected with a password); ask for a {target.upper()} or PDF copy"
            )
        if result.stat().st_size > int(most):
            raise programs.Failed("what LibreOffice made of it is larger than a file may be")
        return result.read_bytes()


def _remove_socket(profile: str) -> None:
    """Removes the socket of the LibreOffice of this profile, which behind its walls can make one and not remove it. It is named by the MD5 of
    the profile's address in UTF-16, each byte in hexadecimal without leading zeros."""
    name = "".join(f"{byte:x}" for byte in hashlib.md5(profile.encode("utf-16-le"), usedforsecurity=False).digest())
    for path in _SOCKETS.glob(f"OSL_PIPE_*_{name}"):
        path.unlink(missing_ok=True)


def _item(setting: tuple[str, str, str]) -> str:
    path, name, value = setting
    return f'<item oor:path="/{path}"><prop oor:name="{name}" oor:op="fuse"><value>{value}</value></prop></item>'


def _run(command: list[str], home: Path, most: float, profile: str = "") -> None:
    environment = {
        "HOME": str(home),
        "TMPDIR": str(home),
        "PATH": os.environ.get("PATH", "/usr/bin:/bin"),
        "LANG": "C.UTF-8",
        "SAL_USE_VCLPLUGIN": "svp",
        "http_proxy": _PORT,
        "https_proxy": _PORT,
    }
    seconds = max(1.0, most * 0.8)  # ends before the worker's own time does
    deadline = time.monotonic() + seconds
    for _ in range(3):
        left = max(0.1, deadline - time.monotonic())
        try:
            if _once(command, home, environment, left, seconds) != _AGAIN:
                return
        finally:
            _remove_socket(profile)


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
            preexec_fn=lambda: enclose(command[0], home, sockets=str(_SOCKETS)),
        )
    except (OSError, subprocess.SubprocessError) as error:
        raise programs.Failed(
            "LibreOffice is installed but cannot be started; check it with `soffice --version`"
        ) from error
    try:
        return process.wait(timeout=left)
    except subprocess.TimeoutExpired as error:
        raise programs.Failed(f"LibreOffice did not convert it within {seconds:.0f} seconds") from error
    finally:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
