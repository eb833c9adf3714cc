from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from penstock.components.analysis.separability import ADVICE, separability

pytestmark = pytest.mark.covers("proc_nonseparable_remedies")


def judged(X: np.ndarray, y: np.ndarray) -> tuple[dict, dict[str, float]]:
    found = separability(pd.DataFrame(X, columns=[f"x{n}" for n in range(X.shape[1])]), y.astype(np.int64), 0)
    assert found is not None
    assert found["advice"] == ADVICE[found["step"]]
    return found, {one["step"]: one["value"] for one in found["accuracy"]}


def xor(rows: int = 200) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    signs = rng.choice([-1, 1], size=(rows, 2))
    return signs + rng.uniform(-0.4, 0.4, (rows, 2)), signs[:, 0] * signs[:, 1] > 0


def rings(rows: int = 200) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(1)
    outer = rng.random(rows) < 0.5
    angle = rng.uniform(0, 2 * np.pi, rows)
    radius = np.where(outer, 3, 1) + rng.uniform(-0.3, 0.3, rows)
    return np.column_stack([radius * np.cos(angle), radius * np.sin(angle)]), outer


@pytest.mark.parametrize("shape", [xor, rings])
def test_bent_boundaries_need_features_or_a_kernel(shape) -> None:
    found, accuracy = judged(*shape())
    assert accuracy["linear"] <= 0.6
    assert accuracy["products"] == accuracy["kernel"] == accuracy["neighbours"] == 1.0
    assert (found["separable"], found["step"]) == (False, "products")


def test_separable_rows_need_no_more_than_a_hard_margin() -> None:
    X = np.random.default_rng(2).uniform(-1, 1, (200, 2))
    y = X[:, 0] + X[:, 1] > 0
    X[y] += 0.1
    assert judged(X, y)[0]["step"] == "separable"


def test_a_few_mistakes_need_a_soft_margin() -> None:
    rng = np.random.default_rng(3)
    y = rng.random(400) < 0.5
    X = rng.normal(size=(400, 2)) + 1.5 * y[:, None]
    found, accuracy = judged(X, y)
    assert (found["separable"], found["step"]) == (False, "linear")
    assert accuracy["linear"] > 0.8


def test_stripes_are_for_kernels_or_neighbours() -> None:
    x = np.random.default_rng(4).uniform(0, 6, (600, 1))
    found, accuracy = judged(x, (x[:, 0].astype(int) % 2).astype(bool))
    assert max(accuracy["linear"], accuracy["products"]) < 0.7 < accuracy["kernel"]
    assert found["step"] in ("kernel", "neighbours")


def test_where_nothing_beats_the_commonest_class_no_method_is_named() -> None:
    rng = np.random.default_rng(6)
    X = rng.normal(size=(900, 3))
    rare = rng.random(900) < 0.11
    found, accuracy = judged(X + 0.3 * rare[:, None], rare)
    assert max(accuracy.values()) < found["majority"] + 0.02
    assert found["step"] == "none"
    assert "commonest class" in found["advice"]


def test_gaps_many_rows_and_rare_classes() -> None:
    rng = np.random.default_rng(5)
    X = rng.normal(size=(3000, 12))
    y = (X[:, 0] > 0).astype(int)
    y[:2] = 2
    X[5:50, 1] = np.nan
    found, _ = judged(X, y)
    assert (found["rows"], len(found["columns"])) == (1000, 10)
    assert separability(pd.DataFrame(index=range(3)), np.array([0, 1, 0]), 0) is None
    assert separability(pd.DataFrame({"x": [1.0, 2.0, 3.0]}), np.array([0, 1, 0]), 0) is None
