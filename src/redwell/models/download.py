"""Brings the file of a local model from its publisher: resumed where it broke off, and taken only when its SHA-256 is right."""

from __future__ import annotations

import fcntl
import os
import shutil
from collections.abc import Callable
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import BinaryIO

import httpx

from redwell.models.local_files import LocalFileError, LocalModel, digest
from redwell.models.wire import is_loopback, plain

Told = Callable[[int, int], None]
"""Called with the bytes that are here and the bytes of the whole file."""

_ATTEMPTS = 5  # in a row that bring nothing new
_SECONDS = 30.0  # without a byte, before an attempt is given up


class _Broken(Exception):
    """An attempt that ended early; another may go on where it stopped."""


def download(entry: LocalModel, kept: Path, told: Told = lambda have, whole: None) -> Path:
    """The file, in the folder `kept`. Bytes of an earlier attempt are kept in `FILE.part` and gone on from.

    Raises LocalFileError: no connection, no space, refused, or not the file of the catalogue (which is then deleted).
    """
    target, part = kept / entry.file, kept / (entry.file + ".part")
    try:
        kept.mkdir(parents=True, exist_ok=True)
        with part.open("ab") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise LocalFileError(f"{entry.name} is being downloaded by another process") from None
            _fill(entry, part, file, told)
            file.flush()
            os.fsync(file.fileno())
            part.replace(target)
    except OSError as error:
        raise LocalFileError(f"{error.filename or part}: {error.strerror or error}") from None
    return target


def _fill(entry: LocalModel, part: Path, file: BinaryIO, told: Told) -> None:
    """Appends to the part file until it is whole, and checks it."""
    seen = sha256()
    have = part.stat().st_size
    if have > entry.size:
        file.truncate(0)
        have = 0
    elif have:
        digest(part, seen.update)
    free = shutil.disk_usage(part.parent).free
    if free < entry.size - have:
        raise LocalFileError(
            f"{entry.name} needs {(entry.size - have) / 1e6:,.0f} MB in {part.parent}, where {free / 1e6:,.0f} MB are free: make room, "
            "or name another folder in REDWELL_MODELS"
        )
    idle = 0
    # A proxy from the environment is for the world outside; what is on this machine is asked directly.
    with httpx.Client(timeout=_SECONDS, trust_env=not is_loopback(entry.url), follow_redirects=True) as client:
        while have < entry.size:
            before = have
            try:
                for piece, start in _pieces(client, entry, have):
                    if start != have:
                        file.truncate(0)
                        seen, have, before = sha256(), 0, -1
                    file.write(piece)
                    seen.update(piece)
                    have += len(piece)
                    told(have, entry.size)
            except _Broken as broken:
                idle = idle + 1 if have <= before else 0
                if idle >= _ATTEMPTS:
                    file.flush()
                    raise LocalFileError(
                        f"the download of {entry.name} stopped after {have:,} of {entry.size:,} bytes ({broken}); "
                        f"`redwell models get {entry.name}` goes on from there"
                    ) from None
    if have != entry.size or seen.hexdigest() != entry.sha256:
        with suppress(OSError):
            part.unlink()
        raise LocalFileError(
            f"what {entry.url} sent is not {entry.name}: its SHA-256 is not {entry.sha256}. It was deleted; if it happens again the "
            f"publisher has changed the file: take one that you trust with `redwell models add {entry.name} FILE`"
        )


def _pieces(client: httpx.Client, entry: LocalModel, have: int):  # type: ignore[no-untyped-def]
    """(bytes, where in the file they stand), the first of them from `have` or, when the server does not know ranges, from 0."""
    headers = {"Accept-Encoding": "identity"} | ({"Range": f"bytes={have}-"} if have else {})
    try:
        with client.stream("GET", entry.url, headers=headers) as answer:
            if answer.status_code >= 500 or answer.status_code == 429:
                raise _Broken(f"the server answered {answer.status_code}")
            if answer.status_code not in (200, 206):
                raise LocalFileError(f"{entry.url} was refused by the server ({answer.status_code})")
            at = have if answer.status_code == 206 else 0
            if at and not answer.headers.get("content-range", "").startswith(f"bytes {have}-"):
                raise LocalFileError(f"{entry.url}: the server sent another part of the file than was asked for")
            for piece in answer.iter_raw():
                if at + len(piece) > entry.size:
                    raise LocalFileError(
                        f"{entry.url} sends more than the {entry.size:,} bytes of {entry.name}: it is another file"
                    )
                yield piece, at
                at += len(piece)
            if at < entry.size:
                raise _Broken(f"the connection ended after {at:,} bytes")
    except httpx.InvalidURL as error:
        raise LocalFileError(f"{entry.url!r} is not an address: {plain(error)}") from None
    except httpx.HTTPError as error:
        raise _Broken(plain(error)) from None
