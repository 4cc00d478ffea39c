"""Due diligence rooms for verifiers: `redwell-rooms` names the taskset, the harness and the environment."""

from redwell_rooms.environment import RoomsEnv
from redwell_rooms.harness import RoomsHarness
from redwell_rooms.taskset import RoomsTaskset

__all__ = ["RoomsEnv", "RoomsHarness", "RoomsTaskset"]
