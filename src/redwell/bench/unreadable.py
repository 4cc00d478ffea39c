"""Why a file of JSON could not be read, in words for people."""

from __future__ import annotations


def why(error: Exception) -> str:
    """What the system says of an OSError; of any other fault of reading JSON, what the file is not."""
    if isinstance(error, OSError):
        return error.strerror or "it cannot be opened"
    if isinstance(error, UnicodeDecodeError):
        return "it is not UTF-8 text"
    if isinstance(error, ValueError):
        return "it is not JSON"
    return "it holds something else"
