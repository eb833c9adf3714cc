"""Hints lie where the values are drawn, and say them."""

from __future__ import annotations

from xml.etree import ElementTree

import numpy as np
import pytest

from penstock.components.plots import to_svg
from penstock.components.plots.classification import calibration_curve, confusion_matrix, roc_curve, threshold_curve
from penstock.components.plots.clustering import choice_of_k, cluster_profile, clusters_2d, silhouette_plot
from penstock.components.plots.overview import missing_values, target_distribution
from penstock.components.plots.regression import predicted_vs_actual, residuals

SVG = "{http://www.w3.org/2000/svg}"
Y = np.array([0, 0, 0, 1, 1, 0, 1, 1])
P = np.array([0.1, 0.2, 0.3, 0.4, 0.6, 0.7, 0.8, 0.9])


def hints(figure) -> dict[str, dict[str, float]]:
    """Words and box of each."""
    root = ElementTree.fromstring(to_svg(figure))
    found = [node for node in root.iter(f"{SVG}rect") if node.get("class") == "hint"]
    wide, high = map(float, root.get("viewBox").split()[2:])
    for node in found:
        x, y, width, height = (float(node.get(name)) for name in ("x", "y", "width", "height"))
        assert x >= 0
        assert y >= 0
        assert x + width <= wide
        assert y + height <= high
    return {
        node.findtext(f"{SVG}title"): {name: float(node.get(name)) for name in ("x", "y", "width", "height")}
        for node in found
    }


def test_a_bar_has_its_box_and_its_value() -> None:
    found = hints(missing_values({"age": 0.5, "height": 0.25}))
    assert list(found) == ["age: 50.0% without a value", "height: 25.0% without a value"]
    age, height = found.values()
    assert age["y"] < height["y"]
    assert age["x"] == height["x"]


def test_a_point_is_hinted_where_it_is_drawn() -> None:
    found = hints(predicted_vs_actual(np.array([0.0, 1.0, 2.0]), np.array([0.0, 2.0, 1.0]), "y"))
    assert set(found) == {"Actual 0, predicted 0", "Actual 1, predicted 2", "Actual 2, predicted 1"}
    first, second, third = found.values()
    assert first["x"] < second["x"] < third["x"]
    assert second["y"] < third["y"] < first["y"]
    assert third["x"] - second["x"] == pytest.approx(second["x"] - first["x"], abs=0.2)


@pytest.mark.parametrize(
    ("figure", "words"),
    [
        (confusion_matrix(Y, Y * (P > 0.5), ["no", "yes"]), "True yes, predicted no: 1 row, 25.0% of the true class"),
        (roc_curve(Y, np.column_stack([1 - P, P]), ["no", "yes"]), "yes: 25% false alarms, 50% found"),
        (threshold_curve(Y, P, "yes"), "From 0.40 on: precision 0.80, recall 1.00, F1 0.89"),
        (calibration_curve(Y, P, "yes"), "Promised 40%, happened 100% (21% to 100%) in 1 row"),
        (residuals(np.array([1.0, 2.0]), np.array([1.0, 3.0]), "y"), "Predicted 3, actual 2: off by -1"),
        (target_distribution({"test rows": Y}, classes=["no", "yes"]), "yes: 50.0% of the test rows"),
        (clusters_2d(np.column_stack([P, P]), Y), "A row of cluster 1"),
        (silhouette_plot(P, Y), "Cluster 1: 0.675 on average, 0.0% of 4 rows below 0"),
        (choice_of_k({"k-means: silhouette": {2: 0.25, 3: 0.5}}, 3), "3 clusters: 0.5"),
        (cluster_profile({"0": {"age": 20.5}, "1": {"age": 40}}), "age in cluster 0: 20.5 on average"),
    ],
    ids=lambda value: value.get_suptitle().split()[0] if hasattr(value, "get_suptitle") else "",
)  # fmt: skip
def test_every_plot_says_its_values(figure, words: str) -> None:
    assert words in hints(figure)
