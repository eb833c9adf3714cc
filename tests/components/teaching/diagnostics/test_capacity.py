"""As many parameters as rows, and labels that mean nothing."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from penstock.components.diagnostics import Found, find
from penstock.components.plots import to_svg
from penstock.errors import DataError

pytestmark = pytest.mark.slow


def teacher(rows: int, columns: int, noise: float, seed: int = 0) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(rows, columns))
    weights = rng.normal(size=columns)
    y = X @ weights / np.linalg.norm(weights) + noise * rng.normal(size=rows)
    return pd.DataFrame(X, columns=[f"x{number}" for number in range(columns)]).assign(y=y)


@pytest.fixture(scope="module")
def descent() -> Found:
    return find("capacity")(teacher(2100, 30, 0.1), {"target": "y", "labels": 0})


@pytest.mark.covers("proc_capacity_controls", "cl_double_descent")
def test_the_error_peaks_where_parameters_equal_rows_and_falls_again(descent: Found) -> None:
    test = descent.table["test"]
    assert test[100] > 10 * test[50]
    assert test[3000] < test[50]
    train = descent.table["train"]
    assert descent.facts["exact_from"] == 100
    assert (train[train.index < 100] > 1e-3).all()
    assert (train[train.index >= 100] < 1e-10).all()
    assert descent.table.loc[100, "penalised"] < 1
    assert "with 100 parameters for 100 rows" in descent.findings[0]


@pytest.mark.usefixtures("one_thread")
@pytest.mark.covers("proc_capacity_controls", "cl_fits_random_labels")
def test_a_network_learns_random_labels_by_heart() -> None:
    found = find("capacity")(teacher(4200, 20, 0.1), {"target": "y", "sizes": [20]})
    learnt = found.facts["random_labels"]
    assert (learnt["rows"], learnt["fresh_rows"]) == (200, 4000)
    assert learnt["train"] == 1.0
    assert learnt["fresh"] == pytest.approx(0.5, abs=0.05)


@pytest.mark.covers("plot_double_descent")
def test_the_picture_shows_the_peak_the_second_descent_and_the_penalty(descent: Found) -> None:
    assert descent.figure is not None
    (axes,) = descent.figure.axes
    lines = {line.get_label(): line for line in axes.get_lines()}
    for name, column in (
        ("training rows", "train"),
        ("other rows", "test"),
        ("other rows, with a penalty", "penalised"),
    ):
        assert lines[name].get_ydata() == pytest.approx(np.maximum(descent.table[column], 1e-12))
    assert set(lines["as many as rows"].get_xdata()) == {100}
    svg = to_svg(descent.figure)
    assert "Parameters" in svg
    assert "Mean squared error" in svg


def test_too_few_rows() -> None:
    with pytest.raises(DataError, match=r"150 rows .* 200 are needed") as caught:
        find("capacity")(teacher(150, 3, 0.1), {"target": "y"})
    assert caught.value.code == "PEN048"
