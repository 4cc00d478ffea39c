"""File names as the rooms of the benchmark have them: kebab-case, cut at 72 characters, each once in its folder."""

from __future__ import annotations

import re
import unicodedata

LONGEST = 72


def kebab(text: str) -> str:
    """`Consent Letter - Halden & Søn` becomes `consent-letter-halden-s-n`; letters that have a plain form get it."""
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", plain.lower()).strip("-") or "document"


def path(folder: str, title: str, status: str, ending: str, taken: set[str]) -> str:
    """`folder/name.ending`, and takes it. `status` is said at the end of the name, however long the title is."""
    stem, said = kebab(title), f"-{kebab(status)}" if status else ""
    number = 1
    while True:
        tail = said + ("" if number == 1 else f"-{number}") + ending
        name = f"{folder}/{stem[: LONGEST - len(tail)].rstrip('-')}{tail}"
        if name.lower() not in taken:
            taken.add(name.lower())
            return name
        number += 1
