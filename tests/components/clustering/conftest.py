from __future__ import annotations

from typing import Any

from penstock.components.catalog import build


def clusterer(name: str, **given: Any) -> Any:
    """A method of the catalogue with these parameters, not fitted."""
    return build(name, given, seed=given.pop("seed", 0), problem="clustering")
