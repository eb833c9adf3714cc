"""Small problems for tests: a data file and a pipeline file in a folder.

Without a leakage certificate, which takes more fits than the search; who looks at it asks for it.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import yaml


def classification(folder: Path, *, rows: int = 240, name: str = "small", seed: int = 0, **changes: Any) -> Path:
    """A pipeline file for two classes, with missing values, a nominal and a date column."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(rows, 3))
    plan = rng.choice(["basic", "plus", "pro"], rows)
    logit = 1.5 * x[:, 0] - x[:, 1] + (plan == "pro")
    frame = pd.DataFrame(
        {
            "id": [f"r{number}" for number in range(rows)],
            "a": np.where(rng.random(rows) < 0.1, np.nan, x[:, 0]),
            "b": x[:, 1],
            "c": x[:, 2],
            "plan": plan,
            "since": pd.Timestamp("2024-01-01") + pd.to_timedelta(rng.integers(0, 700, rows), unit="D"),
            "left": np.where(rng.random(rows) < 1 / (1 + np.exp(-logit)), "yes", "no"),
        }
    )
    data = {"source": "data.csv", "target": "left", "positive": "yes", "key": "id"}
    return _write(folder, frame, name, "classification", data, ["logistic-regression"], changes)


def regression(folder: Path, *, rows: int = 200, name: str = "amount", seed: int = 0, **changes: Any) -> Path:
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(rows, 3))
    frame = pd.DataFrame(x, columns=["a", "b", "c"]).assign(y=2 * x[:, 0] - x[:, 1] + rng.normal(scale=0.5, size=rows))
    return _write(folder, frame, name, "regression", {"source": "data.csv", "target": "y"}, ["ridge"], changes)


def clusters(folder: Path, *, rows: int = 240, name: str = "groups", seed: int = 0, **changes: Any) -> Path:
    rng = np.random.default_rng(seed)
    centres = np.array([[0.0, 0.0], [8.0, 0.0], [0.0, 8.0]])
    which = rng.integers(0, 3, rows)
    x = centres[which] + rng.normal(size=(rows, 2))
    frame = pd.DataFrame(x, columns=["a", "b"]).assign(kind=np.array(["u", "v", "w"])[which])
    models = [{"k-means": {"clusters": [2, 3, 4]}}, {"gaussian-mixture": {"clusters": [2, 3]}}]
    return _write(folder, frame, name, "clustering", {"source": "data.csv"}, models, changes)


def _write(
    folder: Path,
    frame: pd.DataFrame,
    name: str,
    problem: str,
    data: dict[str, Any],
    models: list[Any],
    changes: dict[str, Any],
) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    frame.to_csv(folder / "data.csv", index=False)
    document = {
        "name": name,
        "problem": problem,
        "data": data,
        "split": {"folds": 3},
        "models": models,
        "search": {"fits": 9},
        "limits": {"workers": 1},
        "validation": {"leakage": "off"},
    }
    for key, value in changes.items():
        nested = document.get(key)
        document[key] = {**nested, **value} if isinstance(nested, dict) and isinstance(value, dict) else value
    path = folder / "pipeline.yaml"
    path.write_text(yaml.safe_dump(document, sort_keys=False))
    return path
