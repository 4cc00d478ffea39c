"""The small room, read once."""

import pytest

from redwell.room.room import Room
from tests.harness.support import make_room


@pytest.fixture(scope="session")
def room(tmp_path_factory: pytest.TempPathFactory) -> Room:
    return make_room(tmp_path_factory.mktemp("room"))
