"""The types that a model file may contain beside those that skops itself trusts. The file has no say in it."""

from __future__ import annotations

from penstock.components.catalog import fragments


def trusted_types() -> list[str]:
    """What each family of the catalogue, and each installed package that adds to it, names as TRUSTED."""
    return sorted({name for module in fragments() for name in getattr(module, "TRUSTED", ())})
