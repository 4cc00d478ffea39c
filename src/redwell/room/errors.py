"""What can go wrong with a room as a whole, in words a reader can act on."""

from __future__ import annotations


class RoomError(Exception):
    """The room or the store cannot be used; the message says why and what to do."""


class QueryError(RoomError):
    """A search or grep that cannot be understood; the message says where and how to write it."""
