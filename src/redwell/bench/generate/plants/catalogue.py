"""All recipes there are: each module of this folder gives its own as RECIPES."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache

from redwell.bench.generate import plants
from redwell.bench.generate.recipe import Recipe


def modules() -> list[str]:
    """The modules of this folder that may hold recipes."""
    return [module.name for module in pkgutil.iter_modules(plants.__path__) if module.name != "catalogue"]


def recipes_of(module: str) -> tuple[Recipe, ...]:
    """What one module gives; none where it only helps the others."""
    return tuple(getattr(importlib.import_module(f"{plants.__name__}.{module}"), "RECIPES", ()))


@cache
def recipes() -> tuple[Recipe, ...]:
    """In the order of their numbers."""
    return tuple(sorted((recipe for module in modules() for recipe in recipes_of(module)), key=lambda r: r.number))
