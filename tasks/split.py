"""Split: which rows judge, which rows teach, and the folds among those that teach."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from pydantic import BaseModel

from penstock.components.schema import ROW_ID, Schema, encode_target
from penstock.components.splitting import folds as cut_folds
from penstock.components.splitting import test_rows
from penstock.context import Run
from penstock.spec.split import Split
from penstock.store import Ref
from penstock.tasks.ingest import Rows
from penstock.tasks.stage import stage


class Parts(BaseModel):
    """`folds` holds the learning rows' targets, groups, weights and the positions of every fold."""

    learning: Ref
    test: Ref
    folds: Ref
    facts: Ref


@stage()
def split(run: Run, rows: Rows, split: Split) -> Parts:
    """Cut the rows by the hash of their identity, so that a row keeps its side when the data grows."""
    frame = run.store.frame(rows.frame)
    schema = Schema(**run.store.facts(rows.schema_))
    if schema.target:
        frame = frame[frame[schema.target].notna()].reset_index(drop=True)
    y = encode_target(frame[schema.target], schema) if schema.target else None
    classes = y if schema.problem == "classification" else None
    group, weight = schema.named("group"), schema.named("weight")
    groups = frame[group].astype(str).to_numpy(object) if group else None

    chosen = test_rows(frame[ROW_ID], share=split.test, seed=split.seed, classes=classes, groups=groups)
    teaching = ~chosen.mask
    learning, test = frame[teaching].reset_index(drop=True), frame[chosen.mask].reset_index(drop=True)
    arrays: dict[str, Any] = {"n_classes": np.array(len(schema.classes or []))}
    if groups is not None:
        arrays["groups"] = pd.factorize(groups[teaching])[0]
    if weight:
        arrays["weight"] = learning[weight].to_numpy()
    if y is not None:
        arrays["y"] = y[teaching]
        parts = cut_folds(
            len(learning),
            recipe=split.recipe,
            folds=split.folds,
            validation=split.validation,
            stratify=split.stratify,
            seed=split.seed,
            classes=None if classes is None else classes[teaching],
            groups=arrays.get("groups"),
        )
        for number, (train, valid) in enumerate(parts):
            arrays |= {f"train_{number}": train, f"valid_{number}": valid}
    facts = {
        "rows": len(frame),
        "learning": len(learning),
        "test": len(test),
        "topped_up": {str((schema.classes or [])[code]): count for code, count in chosen.topped_up.items()},
        "equal_content": _equal_content(learning, test, schema),
    }
    store = run.store
    return Parts(
        learning=store.put_frame(learning),
        test=store.put_frame(test),
        folds=store.put_arrays(**arrays),
        facts=store.put_facts(facts),
    )


def _equal_content(learning: pd.DataFrame, test: pd.DataFrame, schema: Schema) -> int:
    """Test rows whose features stand in a learning row too, under another identity."""
    names = [column.name for column in schema.features]
    seen = pd.util.hash_pandas_object(learning[names], index=False)
    return int(pd.util.hash_pandas_object(test[names], index=False).isin(seen).sum())
