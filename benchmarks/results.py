"""Where benchmarks write what they found: one section each of the results page."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path


def section(title: str, lines: Sequence[str], page: Path | None) -> None:
    """Prints the section, and puts it into the page in place of the one of that title, or at the end."""
    text = "\n".join([f"## {title}", "", *lines])
    print(text)
    if page is None:
        return
    old = page.read_text(encoding="utf-8") if page.exists() else "# Results\n"
    before, found, after = old.partition(f"## {title}\n")
    rest = "\n## " + after.split("\n## ", 1)[1] if found and "\n## " in after else ""
    page.write_text(before.rstrip() + "\n\n" + text + "\n" + rest, encoding="utf-8")
