"""The whole system prompt of a diligence root, byte for byte. To renew: REDWELL_SNAPSHOTS=write."""

import asyncio
import os
from pathlib import Path

import pytest
from report_room import make_room

from redwell.diligence import run
from redwell.diligence.deal import Deal
from redwell.diligence.reader import Reader
from redwell.models.budget import Budget
from redwell.models.types import Model
from tests.harness.support import Root, Sub, settings


def told(tmp_path: Path, sub: Model) -> str:
    """The system prompt that a root is sent first."""
    root = Root("submit()")
    with make_room(tmp_path) as room:
        models = {"root": root, "sub": sub}
        journal = run.start(tmp_path / "run", room, "papers", Deal(), models, settings(max_turns=1), {})
        asyncio.run(run.go(journal, room, models, Budget()))
        journal.close()
    return root.requests[0].messages[0].content


@pytest.mark.parametrize(("name", "sub"), [("root_prompt", Sub()), ("root_prompt_reader", Reader(1))])
def test_what_a_root_is_told(tmp_path: Path, name: str, sub: Model) -> None:
    text = told(tmp_path, sub)
    path = Path(__file__).parent / "snapshots" / f"{name}.txt"
    if os.environ.get("REDWELL_SNAPSHOTS") == "write":
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(text.encode("utf-8"))
    assert path.read_bytes() == text.encode("utf-8")
    assert "{{" not in text
