"""What a short paper says, line by line: a mail, a slip, a small table. Other documents are held against it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

LONGEST = 700  # characters of a paper that is noted whole
MOST_LINES, LONGEST_LINE, SHORTEST = 30, 500, 12
_HEAD = re.compile(r"(?:From|To|Cc|Bcc|Date|Sent):\s", re.IGNORECASE)


def notes(text: str, *, first: bool, last: bool) -> Iterator[tuple[str, str, dict[str, Any], list[str]]]:
    """The fact `fact:note`: its quotes are the paper's lines, without a mail's head; `subject` is the mail's."""
    if not (first and last) or len(text) > LONGEST:
        return
    lines = [line.strip() for line in text.splitlines()]
    subject = next((line[8:].strip() for line in lines if line.lower().startswith("subject:")), "")
    said = [line for line in lines if SHORTEST <= len(line) <= LONGEST_LINE and not _HEAD.match(line)]
    if said:
        yield "fact:note", "a short paper", {"subject": subject} if subject else {}, said[:MOST_LINES]
