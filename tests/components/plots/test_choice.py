"""Which plots a run gets."""

from __future__ import annotations

import numpy as np
import pytest
from matplotlib.figure import Figure

from penstock.components.plots import clustering_figures, supervised_figures, to_svg

CANDIDATES = [{"label": "ridge", "name": "ridge", "score": 0.7, "low": 0.6, "high": 0.8, "folds": [0.7]}]
BINARY = {"confusion_matrix", "roc_curve", "precision_recall_curve", "threshold_curve", "calibration_curve",
          "score_distribution", "target_distribution"}  # fmt: skip


def document(classes: list[str] | None = None) -> dict:
    return {
        "data": {
            "target": {"name": "outcome", "classes": classes},
            "schema": [{"name": "age", "missing": 0.1}, {"name": "sex", "missing": 0.0}],
        },
        "metric": "roc_auc",
        "metrics": {"roc_auc": {"value": 0.7, "low": 0.6, "high": 0.8, "label": "ROC AUC", "sign": 1}},
        "candidates": CANDIDATES,
        "winner": {"label": "ridge"},
    }


def proba(classes: int, rows: int = 60) -> np.ndarray:
    return np.random.default_rng(0).dirichlet(np.ones(classes), rows)


def check(figures: dict[str, Figure]) -> None:
    for name, figure in figures.items():
        assert len(to_svg(figure)) < 150_000, name
        assert figure.get_suptitle(), name
        drawn = [axes for axes in figure.axes if axes.axison]
        assert any(axes.get_xlabel() for axes in drawn), name
        assert any(axes.get_ylabel() for axes in drawn), name


@pytest.mark.slow
def test_two_classes() -> None:
    arrays = {"y": np.arange(60) % 2, "proba": proba(2), "learning_y": np.arange(90) % 2}
    figures = supervised_figures(document(["no", "yes"]), arrays)
    assert set(figures) == BINARY | {"candidates", "missing_values"}
    assert "0.600 to 0.800" in figures["roc_curve"].get_suptitle()
    assert len(figures["target_distribution"].axes[0].containers) == 2
    assert figures["missing_values"].axes[0].patches[0].get_width() == pytest.approx(0.1)
    check(figures)


def test_three_classes_without_names() -> None:
    figures = supervised_figures({}, {"y": np.arange(60) % 3, "proba": proba(3)})
    assert set(figures) == {"confusion_matrix", "roc_curve", "target_distribution"}
    check(figures)


def test_one_class_in_the_test_rows_has_no_curves() -> None:
    figures = supervised_figures({}, {"y": np.zeros(60, dtype=int), "proba": proba(2)})
    assert set(figures) == {"confusion_matrix", "target_distribution"}


def test_hundred_classes_stay_small() -> None:
    check(supervised_figures({}, {"y": np.arange(3000) % 100, "proba": proba(100, 3000)}))


@pytest.mark.slow
def test_regression() -> None:
    y = np.linspace(0, 1, 40)
    figures = supervised_figures(document(), {"y": y, "prediction": y**2})
    assert set(figures) == {
        "predicted_vs_actual", "residuals", "candidates", "target_distribution", "missing_values",
    }  # fmt: skip
    check(figures)


def test_nothing_at_all() -> None:
    assert supervised_figures({}, {}) == {}
    assert clustering_figures({}, {}) == {}
    failed = {"candidates": [{"label": "mlp", "name": "mlp", "score": None}], "metric": "r2"}
    assert supervised_figures(failed, {}) == {}


def test_clustering() -> None:
    rng = np.random.default_rng(0)
    labels = np.arange(60) % 3 - 1
    clusters = [
        {"cluster": cluster, "size": 20, "share": 1 / 3, "profile": {"age": 20.0 + cluster, "town": "Bari"}}
        for cluster in (-1, 0, 1)
    ]
    arrays = {
        "points_2d": rng.normal(size=(60, 2)),
        "labels": labels,
        "silhouette": rng.uniform(-1, 1, 60),
        "k_curves": {"silhouette": {2: 0.4, 3: 0.3}},
    }
    figures = clustering_figures({**document(), "clusters": clusters}, arrays)
    assert set(figures) == {
        "clusters_2d", "silhouette_plot", "choice_of_k", "cluster_profile", "candidates", "missing_values",
    }  # fmt: skip
    assert figures["choice_of_k"].get_suptitle() == "How many clusters? 2 were chosen"
    check(figures)


def test_only_noise_has_no_silhouette() -> None:
    figures = clustering_figures(
        {}, {"labels": np.full(5, -1), "silhouette": np.zeros(5), "points_2d": np.eye(5)[:, :2]}
    )
    assert set(figures) == {"clusters_2d"}
