"""The command line, in a process that stands still right after it has made a certain event durable and before anyone hears of it.

    python -m endurance.chaos_mortal EVENTS resume RUN ...

Whoever started it kills it there: the narrowest moments, such as that between a report's new entry and the answer to the cell that added
it, are hit each time in this way.
"""

from __future__ import annotations

import os
import signal
import sys
from typing import Any

from redwell.cli import main
from redwell.journal.journal import Event, Journal

left = int(sys.argv.pop(1))
append, append_async = Journal.append, Journal.append_async


def counted(event: Event) -> Event:
    global left
    left -= 1
    if left == 0:
        os.kill(os.getpid(), signal.SIGSTOP)
    return event


def mortal_append(journal: Journal, *given: Any, **more: Any) -> Event:
    return counted(append(journal, *given, **more))


async def mortal_append_async(journal: Journal, *given: Any, **more: Any) -> Event:
    return counted(await append_async(journal, *given, **more))


if __name__ == "__main__":
    Journal.append, Journal.append_async = mortal_append, mortal_append_async  # type: ignore[method-assign]
    main()
