"""The issue archetypes: one small module per workstream, each archetype data plus a small function.

A direct archetype has `triggers` (lower-case literals that let the reader skip everything else) and `find`, which is shown one clause
at a time; `rule` makes a `find` of patterns. One that needs several documents has `check`, which is given the `Case` (all findings and
facts by document) and yields an `Issue` for each thing it finds. Both may be there. Adding one is adding such an entry to a module's
`ARCHETYPES`:

    Archetype(
        id="step_in_right",
        number=0,
        workstream="Contracts",
        title="Counterparty may step in",
        evidence="direct",
        severity="Medium",
        why="The counterparty can take over the service, and its revenue, when service levels are missed.",
        next_step="Read the trigger against the service-level reports.",
        triggers=("step-in", "step in"),
        find=rule(r"(?:right to|may) step[- ]in"),
    )

These modules are standard library only: they also run in the sandbox, as `checks`. `catalogue.ALL` lists every archetype.
"""
