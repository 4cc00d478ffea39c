"""The engine of a local model, seen from outside: a process of its own, started when it is first needed, that ends with this one."""

from __future__ import annotations

import json
import os
import secrets
import select
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import httpx

from redwell.models.keys import Key, without_keys
from redwell.models.types import CallFailed
from redwell.models.wire import plain

_LOADING = 300.0  # seconds in which a model must be ready; 1 GB takes about two
_BESIDES = 500 << 20  # bytes for a context of 16,384 tokens and the engine
_COPIES = 1.7  # its weights, and the part of them that the engine lays out anew for the processor
_SHOWN = 4_000


@dataclass(frozen=True, slots=True)
class Server:
    """Where the engine listens, and the key that only this process has. `walls` is False where the kernel cannot wall it in."""

    url: str
    key: Key
    walls: bool


def memory(size: int) -> int:
    """Bytes of memory that a model of this file size takes at most, measured on those of the catalogue."""
    return int(size * _COPIES) + _BESIDES


def cores() -> int:
    """The cores that this process may use."""
    return max(1, len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1)


class Engine:
    """`context` is in tokens for each of `slots` requests at once. `adapter` is a LoRA adapter as a GGUF file. `remembered` is the bytes
    that may be kept of prompts which no slot holds any more. Nothing runs before `start`."""

    def __init__(
        self,
        file: Path,
        name: str,
        *,
        context: int = 16_384,
        slots: int = 1,
        adapter: Path | None = None,
        remembered: int = 0,
    ) -> None:
        self._file = file.resolve()
        self._asked: dict[str, Any] = {"file": str(self._file), "name": name, "context": context, "slots": slots}
        self._asked |= {"adapters": [str(adapter.resolve())] if adapter else [], "remembered": remembered}
        self._name = name
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._errors: IO[bytes] | None = None
        self._server: Server | None = None

    @property
    def pid(self) -> int | None:
        """The number of its process while it runs."""
        return self._process.pid if self._process is not None and self._process.poll() is None else None

    def start(self) -> Server:
        """The server, ready to answer; started anew when it has ended. Blocks while the model is loaded. Raises CallFailed."""
        with self._lock:
            if self._server is None or self.pid is None:
                self._stop()
                self._enough_memory()
                self._server = self._begin()
            return self._server

    def stop(self) -> None:
        """Ends the process and waits until it is gone."""
        with self._lock:
            self._stop()

    def _begin(self) -> Server:
        key = secrets.token_urlsafe(32)
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115  # closed by _stop
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "redwell.models.local_server"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            # Threads that spin while they wait for each other starve as soon as anything else wants the cores.
            env=without_keys(os.environ.items()) | {"OMP_WAIT_POLICY": "passive", "GOMP_SPINCOUNT": "0"},
        )
        deadline = time.monotonic() + _LOADING
        try:
            said = self._ask({**self._asked, "key": key, "threads": cores()}, deadline)
            if "address" not in said:
                raise CallFailed("internal", f"{self._name} cannot be run: {self._reason(said.get('error', ''))}")
            server = Server(f"{said['address']}/v1", Key(key), bool(said.get("walls")))
            self._wait_until_well(said["address"], deadline)
        except BaseException:
            self._stop()
            raise
        return server

    def _ask(self, what: dict[str, Any], deadline: float) -> dict[str, Any]:
        """The one line that the process says when it is ready, or why it is not."""
        process = self._process
        assert process is not None
        assert process.stdin is not None
        assert process.stdout is not None
        with suppress(BrokenPipeError):
            process.stdin.write(json.dumps(what).encode() + b"\n")
            process.stdin.flush()
        ready, _, _ = select.select([process.stdout], [], [], max(0.0, deadline - time.monotonic()))
        if not ready:
            raise CallFailed("timeout", f"{self._name} was not loaded within {_LOADING:g} seconds")
        line = process.stdout.readline()
        try:
            said = json.loads(line)
        except ValueError:
            said = {}
        return said if isinstance(said, dict) else {}

    def _wait_until_well(self, address: str, deadline: float) -> None:
        """Its health, not its port: the port answers while the model is still loaded."""
        with httpx.Client(trust_env=False, timeout=10) as client:
            while self.pid is not None and time.monotonic() < deadline:
                with suppress(httpx.HTTPError):
                    if client.get(f"{address}/health").status_code == 200:
                        return
                time.sleep(0.05)
        raise CallFailed("internal", f"{self._name} was loaded and does not answer: {self._reason('')}")

    def _reason(self, said: str) -> str:
        """What the engine said, in one line; the end of what it wrote to stderr where that is all there is."""
        written = ""
        if self._errors is not None:
            if self._process is not None:
                with suppress(subprocess.TimeoutExpired):
                    self._process.wait(timeout=2)
            self._errors.seek(0, os.SEEK_END)
            self._errors.seek(max(0, self._errors.tell() - _SHOWN))
            written = self._errors.read().decode("utf-8", "replace").strip()
        lines = [line for line in written.splitlines() if "error" in line.lower() or "fail" in line.lower()]
        return plain(". ".join(part for part in (said, (lines or written.splitlines() or [""])[-1]) if part)) or (
            "the engine ended without a word"
        )

    def _enough_memory(self) -> None:
        """Refuses what would not fit, before the machine finds out the hard way. Raises CallFailed."""
        needed = memory(self._file.stat().st_size)
        free = _available()
        if free is not None and free < needed:
            raise CallFailed(
                "internal",
                f"{self._name} needs about {needed / 1e9:.1f} GB of memory and {free / 1e9:.1f} GB are free: close something, or "
                "take a smaller model",
            )

    def _stop(self) -> None:
        process, self._process, self._server = self._process, None, None
        errors, self._errors = self._errors, None
        if process is not None:
            for pipe in (process.stdin, process.stdout):
                if pipe is not None:
                    with suppress(OSError):
                        pipe.close()
            try:
                process.wait(timeout=2)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        if errors is not None:
            errors.close()


def _available() -> int | None:
    """Bytes of memory that can be had without swapping; None where the system does not say."""
    with suppress(OSError), open("/proc/meminfo", encoding="ascii") as lines:
        for line in lines:
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
    return None
