"""Fixtures that many concerns share."""

import signal
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# Whether a test passes must not depend on how busy the machine is, nor on what was drawn this time.
settings.register_profile("any machine", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("any machine")

signal.signal(
    signal.SIGINT, signal.default_int_handler
)  # a shell that starts the tests behind itself lets them ignore it

SHARED = Path(__file__).resolve().parents[2] / "shared"


@pytest.fixture(scope="session")
def shared() -> Path:
    """Real contracts and fixtures that stand beside the repository."""
    if not SHARED.is_dir():
        pytest.skip("the folder of real contracts (../shared) is not on this machine")
    return SHARED
