"""The same document twice in the room: told once, so that nobody reads or counts it twice."""

from __future__ import annotations

from collections.abc import Iterator

from redwell.diligence.archetypes.base import Archetype, Issue
from redwell.diligence.archetypes.case import Case


def _duplicates(case: Case) -> Iterator[Issue]:
    told = []
    parts = []
    for doc in case.ordered():
        again = [path for path in doc.paths if path != doc.path] + [copy.path for copy in case.copies.get(doc.id, ())]
        if again and doc.fact is not None:
            told.append(f"{doc.path} is also at {', '.join(again[:4])}")
            parts.append(doc.fact)
    if told:
        yield Issue(
            "duplicate_document", f"{len(told)} document{'s are' if len(told) > 1 else ' is'} in the room more than once",
            "Read once, cited under the first path and counted once: " + "; ".join(told[:40]) + ".", [part for part in parts[:40] if part.citations],
            severity="Low", exposure={"not_quantified": "the copies say the same"},
        )  # fmt: skip


ARCHETYPES = (
    Archetype(
        id="duplicate_document", number=0, workstream="Data room integrity", title="The same document in several places", evidence="direct", severity="Low",
        why="Two copies may be taken for two contracts, and one of them may be changed later.", next_step="Ask which copy counts, and have the others taken out of the room.", check=_duplicates,
    ),
)  # fmt: skip
