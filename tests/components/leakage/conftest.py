"""Clean rows to plant leaks in, and the certificate of a table."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
import pandas as pd
import pytest

from penstock.components.analysis.baselines import baselines
from penstock.components.analysis.table import Table
from penstock.components.leakage.base import Sides
from penstock.components.leakage.registry import certify
from penstock.components.schema import ROW_ID, conform, encode_target, infer_schema
from penstock.components.splitting import folds, row_ids, test_rows
from penstock.problems import find


class Certify(Protocol):
    def __call__(self, raw: pd.DataFrame, **options: Any) -> dict[str, dict[str, Any]]: ...


def sides_of(raw: pd.DataFrame, test: Any = None, **options: Any) -> Sides:
    """The rows split as a pipeline splits them, or with `test` (a mask) as given. Options go to the schema."""
    ordered, within = options.pop("ordered", False), options.pop("within", None)
    schema = infer_schema(raw, target_type=find(options["problem"]).target_type, **options)
    frame = conform(raw, schema, strict=True)
    frame.insert(0, ROW_ID, row_ids(raw, key=options.get("key"), source="planted").to_numpy())
    group = schema.named("group")
    groups = frame[group].astype(str).to_numpy(object) if group else None
    y = encode_target(frame[schema.target], schema) if schema.target else None
    classes = y if schema.target_type == "classes" else None
    if test is None:
        test = test_rows(frame[ROW_ID], share=0.2, seed=0, classes=classes, groups=groups).mask
    train, judging = frame[~test].reset_index(drop=True), frame[test].reset_index(drop=True)
    alone = None
    parts = []
    if schema.target:
        table = Table.of(train, schema, 0)
        alone = baselines(table, [column.name for column in table.columns], 0)
        taught = None if classes is None else classes[~test]
        parts = folds(
            len(train), recipe="cross-validation-and-test", folds=3, validation=0.25, stratify=True, seed=0,
            classes=taught, groups=None if groups is None else groups[~test],
        )  # fmt: skip
    return Sides(train, judging, schema, 0, folds=parts, ordered=ordered, within=within, alone=alone)


@pytest.fixture
def certificate() -> Certify:
    """Answers by code."""

    def answers(raw: pd.DataFrame, **options: Any) -> dict[str, dict[str, Any]]:
        return {run["code"]: run for run in certify(sides_of(raw, **options))["checks"]}

    return answers


def clean_rows(rows: int = 600, seed: int = 0) -> pd.DataFrame:
    """Four numbers, a level and a boolean; some say something of `left` (two classes) and of `amount`."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(rows, 4))
    plan = rng.choice(["basic", "plus", "pro"], rows)
    score = 1.2 * x[:, 0] - 0.8 * x[:, 1] + 0.7 * (plan == "pro")
    return pd.DataFrame(
        {
            "key": [f"k{number}" for number in rng.permutation(rows)],
            "income": 100 * x[:, 0],
            "age": x[:, 1],
            "tenure": x[:, 2],
            "speed": x[:, 3],
            "plan": plan,
            "member": rng.choice(["yes", "no"], rows),
            "left": np.where(rng.random(rows) < 1 / (1 + np.exp(-score)), "gone", "here"),
            "amount": score + rng.normal(size=rows),
        }
    )
