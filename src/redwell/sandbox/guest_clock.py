"""Time and chance inside the sandbox: both recorded, so that a replay of the cells runs the same. Standard library only.

The host gives the time at the start of each cell. Within a cell it moves on by one microsecond each time it is asked for and by the
length of each sleep, never by what the machine took. `random`, `os.urandom`, `secrets` and `uuid` draw from one seeded
generator. What stays open is the order in which threads run.
"""

from __future__ import annotations

import ctypes
import datetime
import gc
import os
import random
import sys
import time
from collections.abc import Callable
from typing import Any

# These wait for real time to pass and would wait for ever by a clock that stands still.
_WAITING = frozenset({"asyncio", "concurrent", "queue", "sched", "selectors", "threading"})
_MICROSECOND = 1_000


class Clock:
    """The time that cells see, in nanoseconds since the epoch."""

    def __init__(self, start: float) -> None:
        self._now = int(start * 1e9)

    def set(self, seconds: float) -> None:
        """Move to the given time; never backwards."""
        self._now = max(self._now, int(seconds * 1e9))

    def read(self) -> int:
        self._now += _MICROSECOND
        return self._now

    def advance(self, seconds: float) -> None:
        self._now += int(seconds * 1e9)


def install(clock: Clock, seed: int) -> Callable[[float], None]:
    """Route the standard library's clocks and random sources to `clock` and `seed`. Returns the sleep put in place of time.sleep."""
    sleep = _install_time(clock)
    _install_dates()
    _install_chance(seed)
    return sleep


def _install_time(clock: Clock) -> Callable[[float], None]:
    real_sleep, real_monotonic, real_monotonic_ns = time.sleep, time.monotonic, time.monotonic_ns
    began = clock.read()

    def now() -> float:
        return clock.read() / 1e9

    def now_ns() -> int:
        return clock.read()

    def monotonic() -> float:
        caller = sys._getframe(1).f_globals.get("__name__", "")
        if caller.partition(".")[0] in _WAITING:
            return real_monotonic()
        return (clock.read() - began) / 1e9

    def monotonic_ns() -> int:
        caller = sys._getframe(1).f_globals.get("__name__", "")
        if caller.partition(".")[0] in _WAITING:
            return real_monotonic_ns()
        return clock.read() - began

    def elapsed() -> float:
        return (clock.read() - began) / 1e9

    def elapsed_ns() -> int:
        return clock.read() - began

    def sleep(seconds: float, /) -> None:
        real_sleep(seconds)
        clock.advance(seconds)

    def clock_gettime(_: int, /) -> float:
        return clock.read() / 1e9

    def clock_gettime_ns(_: int, /) -> int:
        return clock.read()

    replaced: dict[str, Callable[..., Any]] = {
        "time": now,
        "time_ns": now_ns,
        "monotonic": monotonic,
        "monotonic_ns": monotonic_ns,
        "perf_counter": elapsed,
        "perf_counter_ns": elapsed_ns,
        "process_time": elapsed,
        "process_time_ns": elapsed_ns,
        "thread_time": elapsed,
        "thread_time_ns": elapsed_ns,
        "clock_gettime": clock_gettime,
        "clock_gettime_ns": clock_gettime_ns,
        "sleep": sleep,
    }
    for name in ("gmtime", "localtime", "ctime"):
        replaced[name] = _of_now(getattr(time, name))
    real_asctime, real_strftime, localtime = time.asctime, time.strftime, replaced["localtime"]
    replaced["asctime"] = lambda moment=None: real_asctime(localtime() if moment is None else moment)
    replaced["strftime"] = lambda pattern, moment=None: real_strftime(
        pattern, localtime() if moment is None else moment
    )
    for name, function in replaced.items():
        setattr(time, name, function)
    return sleep


def _of_now(convert: Callable[[float], Any]) -> Callable[..., Any]:
    def converted(seconds: float | None = None, /) -> Any:
        return convert(time.time() if seconds is None else seconds)

    return converted


def _install_dates() -> None:
    def today(cls: type[datetime.date]) -> datetime.date:
        return cls.fromtimestamp(time.time())

    def now(cls: type[datetime.datetime], tz: datetime.tzinfo | None = None) -> datetime.datetime:
        return cls.fromtimestamp(time.time(), tz)

    def utcnow(cls: type[datetime.datetime]) -> datetime.datetime:
        return cls.fromtimestamp(time.time(), datetime.UTC).replace(tzinfo=None)

    for kind, function in ((datetime.date, today), (datetime.datetime, now), (datetime.datetime, utcnow)):
        # The types are built in and refuse assignment; a subclass in their place would break isinstance and repr.
        table = gc.get_referents(kind.__dict__)[0]
        table[function.__name__] = classmethod(function)
        ctypes.pythonapi.PyType_Modified(ctypes.py_object(kind))


def _install_chance(seed: int) -> None:
    source = random.Random(seed)
    reseed = random.Random.seed

    def seeded(self: random.Random, a: Any = None, version: int = 2) -> None:
        reseed(self, source.getrandbits(64) if a is None else a, version)

    def urandom(size: int, /) -> bytes:
        return source.randbytes(size)

    random.Random.seed = seeded  # type: ignore[method-assign]
    hidden = random._inst
    random.seed = hidden.seed
    random.seed(seed)
    for name, module in (("urandom", os), ("_urandom", random)):
        setattr(module, name, urandom)
    # Without its C helper, uuid1 is made from the clock and the generator above.
    sys.modules["_uuid"] = None  # type: ignore[assignment]
