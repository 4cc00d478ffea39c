"""SkyRL's own Tinker server with its JAX backend, on loopback, in the environment that REDWELL_SKYRL names (`make test-skyrl` makes it).

It starts its engine through `uv run` and takes typing.TypedDict, which Python has as it wants it since 3.12: a script named uv stands in for the one, and
typing_extensions for the other.
"""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx

VARIABLE = "REDWELL_SKYRL"
_LAUNCH = """\
import runpy, sys, typing
import typing_extensions
typing.TypedDict = typing_extensions.TypedDict
sys.argv = sys.argv[1:]
runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
"""
_UV = """\
#!/bin/bash
while [ $# -gt 0 ] && [ "$1" != -m ]; do shift; done
shift
"{python}" "{launch}" "$@"
"""


@contextmanager
def skyrl(folder: Path, base: Path) -> Iterator[str]:
    """The address of a server of the policy `base`; its database and log are in `folder`."""
    python, launch, uv, log = Path(os.environ[VARIABLE]), folder / "launch.py", folder / "bin" / "uv", folder / "log"
    launch.write_text(_LAUNCH)
    uv.parent.mkdir()
    uv.write_text(_UV.format(python=python.absolute(), launch=launch))
    uv.chmod(0o755)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [
        uv, "run", "-m", "skyrl.tinker.api", "--backend", "jax", "--base-model", base, "--host", "127.0.0.1", "--port", port,
        "--database-url", f"sqlite:///{folder / 'tinker.db'}", "--checkpoints-base", folder / "checkpoints",
    ]  # fmt: skip
    environment = {**os.environ, "PATH": f"{uv.parent}:{os.environ['PATH']}", "JAX_PLATFORMS": "cpu"}
    with log.open("w") as out:
        server = subprocess.Popen(
            list(map(str, command)), env=environment, cwd=folder, stdout=out, stderr=out, start_new_session=True
        )
    try:
        address = f"http://127.0.0.1:{port}"
        _wait(server, address, log)
        yield address
    finally:
        os.killpg(server.pid, signal.SIGKILL)
        server.wait()


def _wait(server: subprocess.Popen[bytes], address: str, log: Path) -> None:
    for _ in range(600):
        if server.poll() is not None:
            raise RuntimeError(f"SkyRL's server ended: {log.read_text()[-2000:]}")
        try:
            httpx.get(address, timeout=1, trust_env=False)
        except httpx.TransportError:
            time.sleep(0.2)
        else:
            return
    raise RuntimeError(f"SkyRL's server does not answer: {log.read_text()[-2000:]}")
