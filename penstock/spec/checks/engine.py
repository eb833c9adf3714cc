"""Whether there is what the engine of a pipeline file needs."""

from __future__ import annotations

from penstock.spec.engine import require_dask
from penstock.spec.pipeline import Spec


def check_engine(spec: Spec, path: str) -> None:
    if spec.engine.dask:
        require_dask(f"{path}: engine")
