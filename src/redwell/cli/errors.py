"""What every verb does with a fault: one plain sentence on stderr and an exit code, never a traceback."""

from __future__ import annotations

import errno
import functools
import os
import sys
from collections.abc import Callable
from typing import ParamSpec, TypeVar

from redwell.journal.shown import shown

P = ParamSpec("P")
T = TypeVar("T")

_DISK = ("disk is full", "the disk refused", "is locked by another program", os.strerror(errno.ENOSPC))
FULL = (errno.ENOSPC, errno.EDQUOT)
OK, INCOMPLETE, BAD_INPUT, FAILED, INTERRUPTED = 0, 1, 2, 3, 130


class Stop(Exception):
    """Ends a verb with a message for the user and an exit code."""

    def __init__(self, message: str, code: int = BAD_INPUT) -> None:
        super().__init__(message)
        self.code = code


def plain_errors(verb: Callable[P, T]) -> Callable[P, T]:
    """Turns the faults that bad input, a full disk or a busy file can cause into a sentence and an exit code."""

    @functools.wraps(verb)
    def guarded(*args: P.args, **kwargs: P.kwargs) -> T:
        try:
            return verb(*args, **kwargs)
        except Stop as stop:
            message, code = str(stop), stop.code
        except KeyboardInterrupt:
            message, code = "interrupted; what was done is kept", INTERRUPTED
        except BrokenPipeError:
            message, code = "", OK
        except OSError as error:
            where = f"{error.filename}: " if error.filename else ""
            message, code = f"{where}{error.strerror or error}", FAILED
            if error.errno in FULL:
                message += "; free some space and do the same again; a review goes on with `redwell resume`"
        except Exception as error:
            if not isinstance(error, _expected()):
                raise
            message, code = (
                str(error),
                FAILED if any(words in str(error) for words in _DISK) else BAD_INPUT,
            )
        if message:
            print(f"redwell: {shown(message)}", file=sys.stderr)
        raise SystemExit(code)

    return guarded


def _expected() -> tuple[type[Exception], ...]:
    """The errors whose message is meant for the user. Imported only when one has been raised."""
    from redwell.bench.grading import GradingError
    from redwell.bench.key import AnswerKeyError
    from redwell.bench.locks import InUse
    from redwell.bench.matrix import MatrixError
    from redwell.bench.tasks import TaskError
    from redwell.bench.verdicts import VerdictError
    from redwell.diligence.deal import DealError
    from redwell.journal.database import JournalError
    from redwell.models.connect import ModelNameError
    from redwell.models.local_files import LocalFileError
    from redwell.models.prices import PricesError
    from redwell.models.types import CallFailed
    from redwell.room.room import QueryError, RoomError
    from redwell.room.types import Unreadable
    from redwell.sandbox.types import SandboxUnavailable
    from redwell.train.types import TrainingError

    return (
        AnswerKeyError,
        GradingError,
        InUse,
        MatrixError,
        TaskError,
        VerdictError,
        DealError,
        JournalError,
        LocalFileError,
        ModelNameError,
        CallFailed,
        PricesError,
        QueryError,
        RoomError,
        Unreadable,
        SandboxUnavailable,
        TrainingError,
    )
