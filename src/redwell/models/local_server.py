"""The process that runs a local model: llama.cpp's server on a free port of 127.0.0.1. Started by `local_engine`, never by hand.

What to run comes as a line of JSON on stdin (so that no key stands in a command line), and the answer goes as one to stdout. When
stdin closes, which it also does when the process that started it is killed, this process ends.
"""

from __future__ import annotations

import ctypes
import json
import os
import sys
from pathlib import Path
from typing import Any

_SET_NO_NEW_PRIVS = 38
_READABLE = ("/proc/cpuinfo", "/proc/meminfo", "/sys/devices/system", "/usr/lib", "/usr/lib64", "/lib", "/lib64")


def main() -> None:
    asked = json.loads(sys.stdin.buffer.readline())
    out = os.dup(1)
    os.dup2(2, 1)  # the engine writes where it likes; only our own line goes to who started us
    try:
        import xllamacpp

        said: dict[str, Any] = {"walls": _wall_in([asked["file"], *asked["adapters"]], Path(xllamacpp.__file__).parent)}
        server = xllamacpp.Server(_parameters(xllamacpp, asked))
        said["address"] = str(server.listening_address)
    except BaseException as error:
        _say(out, {"error": f"{type(error).__name__}: {error}"[:500]})
        os._exit(1)
    _say(out, said)
    sys.stdin.buffer.read()
    os._exit(0)  # its threads hold nothing that is worth a farewell


def _say(descriptor: int, value: dict[str, Any]) -> None:
    os.write(descriptor, json.dumps(value).encode() + b"\n")


def _parameters(engine: Any, asked: dict[str, Any]) -> Any:
    given = engine.CommonParams()
    given.model.path = asked["file"]
    given.model_alias = {asked["name"]}
    given.hostnames = ["127.0.0.1"]
    given.port = 0
    given.api_keys = [asked["key"]]
    given.n_ctx = asked["context"] * asked["slots"]
    given.n_parallel = asked["slots"]
    for threads in (given.cpuparams, given.cpuparams_batch):
        threads.n_threads = asked["threads"]
        threads.poll = 0
    given.lora_adapters = [engine.CommonAdapterLoraInfo(adapter, 1.0) for adapter in asked["adapters"]]
    given.cont_batching = True
    given.cache_ram_mib = asked["remembered"] >> 20
    given.use_jinja = True
    given.warmup = given.fit_params = False
    given.ui = given.endpoint_slots = given.endpoint_props = False
    given.offline = True
    given.verbosity = 1
    return given


def _wall_in(files: list[str], package: Path) -> bool:
    """Leaves this process no file but the model's and its adapters', the engine's and the system's libraries, and no connection to anywhere. False where
    the kernel cannot."""
    from redwell.sandbox import landlock

    if sys.platform != "linux":
        return False
    try:
        ctypes.CDLL(None, use_errno=True).prctl(_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
        landlock.restrict([*files, str(package), *_READABLE], serves=True)
    except OSError:
        return False
    return True


if __name__ == "__main__":
    main()
