"""Rooms made to measure: a world from a seed, issues and decoys planted in it, documents rendered from it, rubric and answer key with them."""
