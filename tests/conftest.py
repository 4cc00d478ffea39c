"""Fixtures that many concerns share."""

from pathlib import Path

import pytest

SHARED = Path(__file__).resolve().parents[2] / "shared"


@pytest.fixture(scope="session")
def shared() -> Path:
    """Real contracts and fixtures that stand beside the repository."""
    if not SHARED.is_dir():
        pytest.skip("the folder of real contracts (../shared) is not on this machine")
    return SHARED
