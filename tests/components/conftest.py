"""What tests of several families share: a table with every role of column, small matrices, and one thread."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import pytest
from threadpoolctl import threadpool_limits

from penstock.components.analysis.facts import describe
from penstock.components.preprocessing.plan import make_plan
from penstock.components.schema import Schema, conform, encode_target, infer_schema
from penstock.problems import find

WORDS = ["red", "green", "blue", "apple", "pear", "river", "mountain", "forest", "table", "chair"]
LEVELS = ["low", "mid", "high"]
TARGETS = {"classification": "left", "regression": "amount", "clustering": None, "density": None}


@dataclass(frozen=True)
class Mixed:
    """A table with every role of column, and missing values in each."""

    frame: pd.DataFrame
    schema: Schema
    y: np.ndarray[Any, Any] | None

    def plan(self, **changes: Any) -> dict[str, Any]:
        settings: dict[str, Any] = {"impute": ("median", {}), "scale": ("standard", {})}
        settings |= {"rare": 0.05, "text_components": 6}
        return make_plan(self.schema, describe(self.frame, self.schema)["columns"], **(settings | changes))


def make_mixed(problem: Any, rows: int = 120) -> Mixed:
    rng = np.random.default_rng(5)
    x = rng.normal(size=rows)
    raw = pd.DataFrame(
        {
            "income": x,
            "age": rng.integers(18, 80, rows).astype(float),
            "member": rng.choice(["yes", "no"], rows),
            "plan": rng.choice(["basic", "plus", "pro"], rows, p=[0.6, 0.37, 0.03]),
            "mood": rng.choice(LEVELS, rows),
            "since": pd.Timestamp("2020-01-01") + pd.to_timedelta(rng.integers(0, 10**8, rows), unit="s"),
            "note": [" ".join(rng.choice(WORDS, 6)) for _ in range(rows)],
        }
    )
    for name in raw.columns[1:]:
        raw.loc[rng.random(rows) < 0.1, name] = None
    raw["left"] = np.where(x + rng.normal(scale=0.5, size=rows) > 0, "yes", "no")
    raw["amount"] = 100 + 10 * x + rng.normal(size=rows)
    target = TARGETS[problem]
    raw = raw.drop(columns=[name for name in ("left", "amount") if name != target])
    schema = infer_schema(
        raw, problem=problem, target_type=find(problem).target_type, target=target, roles={"mood": LEVELS}
    )
    frame = conform(raw, schema, strict=True)
    return Mixed(frame, schema, None if target is None else encode_target(frame[target], schema))


@pytest.fixture(scope="session")
def mixed() -> dict[str, Mixed]:
    """By problem."""
    return {problem: make_mixed(problem) for problem in TARGETS}


@pytest.fixture
def one_thread() -> Iterator[None]:
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(1)
    with threadpool_limits(1):
        yield
    torch.set_num_threads(before)
