"""Runs a program that may speak to one address: inside its walls there is no network, but a port on loopback that leads to a socket file.

Standard library only: its source is handed to the interpreter behind the walls.
"""

from __future__ import annotations

import contextlib
import socket
import subprocess
import sys
import threading

PORT = 8118
_PIECE = 65_536


def main(arguments: list[str]) -> int:
    """`arguments` are the socket file and the program's command line; returns its exit status."""
    path, command = arguments[0], arguments[1:]
    listener = socket.create_server(("127.0.0.1", PORT), backlog=64)
    threading.Thread(target=_serve, args=(listener, path), daemon=True).start()
    try:
        return subprocess.call(command, stdin=subprocess.DEVNULL)
    except OSError as error:
        print(f"{command[0]} cannot be started: {error.strerror}", file=sys.stderr)
        return 127


def _serve(listener: socket.socket, path: str) -> None:
    while True:
        inner, _ = listener.accept()
        outer = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            outer.connect(path)
        except OSError:
            inner.close()
            outer.close()
            continue
        for source, target in ((inner, outer), (outer, inner)):
            threading.Thread(target=_pass_on, args=(source, target), daemon=True).start()


def _pass_on(source: socket.socket, target: socket.socket) -> None:
    with contextlib.suppress(OSError):
        while data := source.recv(_PIECE):
            target.sendall(data)
    with contextlib.suppress(OSError):
        target.shutdown(socket.SHUT_WR)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
