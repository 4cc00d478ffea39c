"""The recipes: one module for each workstream, each recipe one row of the catalogue of archetypes with at least five ways to plant it."""
