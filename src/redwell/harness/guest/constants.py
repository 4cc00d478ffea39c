"""What the other modules need to know of this run. The host sends this source with the run's own values after it."""

STORE = ""
"""The folder of the room's store, as the sandbox sees it."""

SLICE_CHARS = 48_000
"""The most room text that one sub-agent call may hold."""

DATED_BY: tuple[str, ...] = ()
"""The metadata that dates a document."""

AGENTS = False
"""Whether sub-agents with a sandbox of their own may be asked for."""

SUBAGENTS = True
"""Whether there are any."""

CHILD = False
"""Whether this session belongs to such a sub-agent."""

SCOPE: list[list[object]] = []
"""The spans that such a sub-agent was given."""
