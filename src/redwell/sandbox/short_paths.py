"""Where sockets with a path are made: their addresses are short, and the folder for temporary files of a cluster's job may be long."""

from __future__ import annotations

import os
import tempfile

_ROOM_FOR_NAMES = 44
"""Bytes that stand behind the folder: two names of the standard library (`pymp-…/listener-…` has 32)."""
_ADDRESS = 103
"""Bytes of an address without its end: 108 with it on Linux, 104 on macOS (unix(7), sys/un.h)."""


def folder_for_sockets() -> str:
    """The folder for temporary files, or /tmp where an address in it would be too long."""
    usual = tempfile.gettempdir()
    return usual if len(os.fsencode(usual)) + _ROOM_FOR_NAMES <= _ADDRESS else "/tmp"
