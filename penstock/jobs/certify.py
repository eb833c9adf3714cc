"""Make the leakage certificate of the rows: all checks that need no model."""

from __future__ import annotations

from typing import Any

from penstock.components.leakage.base import Sides
from penstock.components.leakage.registry import certify
from penstock.components.schema import Schema
from penstock.jobs import Progress
from penstock.store import Ref, Store


def work(
    store: Store,
    progress: Progress,
    learning: Ref,
    test: Ref,
    folds: Ref,
    schema: Ref,
    insight: Ref,
    within: str | None,
    seed: int,
) -> Ref:
    """The insight tells how well each column alone predicts: of the learning rows, as all that looks at the target."""
    arrays = store.arrays(folds)
    sections = {section["name"]: section for section in store.facts(insight)["sections"]}
    sides = Sides(
        store.frame(learning),
        store.frame(test),
        Schema(**store.facts(schema)),
        seed,
        folds=_folds(arrays),
        ordered="ordered" in arrays,
        within=within,
        alone=sections["signal"]["baselines"],
    )
    return store.put_facts(certify(sides))


def _folds(arrays: dict[str, Any]) -> list[tuple[Any, Any]]:
    numbers = range(sum(name.startswith("train_") for name in arrays))
    return [(arrays[f"train_{number}"], arrays[f"valid_{number}"]) for number in numbers]
