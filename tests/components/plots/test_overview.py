from __future__ import annotations

import numpy as np
import pytest

from penstock.components.plots.overview import MAX_CANDIDATES, candidates, missing_values, target_distribution
from penstock.components.plots.style import PALETTE


def candidate(label: str, score: float | None, **more):
    interval = {"low": None, "high": None} if score is None else {"low": score - 0.05, "high": score + 0.02}
    return {"label": label, "name": label.split()[0], "score": score, "folds": [], **interval, **more}


def row_names(figure) -> list[str]:
    return [tick.get_text() for tick in figure.axes[0].get_yticklabels()]


def big_dots(figure) -> list[float]:
    return [float(line.get_xdata()[0]) for line in figure.axes[0].lines if line.get_markersize() == 7]


def test_candidates_stand_best_first_with_interval_folds_and_baseline() -> None:
    found = [
        candidate("baseline", 0.5),
        candidate("ridge 1", 0.8, folds=[0.7, 0.9]),
        candidate("forest 1", 0.9),
        candidate("mlp 1", None),
    ]
    figure = candidates(found, metric="ROC AUC", winner="forest 1")
    axes = figure.axes[0]
    assert row_names(figure) == ["forest 1", "ridge 1", "baseline"]
    assert big_dots(figure) == [0.9, 0.8, 0.5]
    spans = [collection.get_segments()[0][:, 0] for collection in axes.collections]
    assert spans[0] == pytest.approx([0.85, 0.92])
    assert any(list(line.get_xdata()) == [0.7, 0.9] for line in axes.lines)
    assert any(line.get_linestyle() == "--" and list(line.get_xdata()) == [0.5, 0.5] for line in axes.lines)
    winner = next(line for line in axes.lines if line.get_markersize() == 7)
    assert winner.get_color() == PALETTE[1]
    assert figure.get_suptitle() == "Candidates by score: 3 of 4"
    assert axes.get_xlabel() == "ROC AUC (greater is better)"


def test_errors_are_drawn_as_positive_numbers_and_smallest_first() -> None:
    found = [candidate("ridge", -3.0, folds=[-2.5]), candidate("forest", -2.0)]
    figure = candidates(found, metric="RMSE", sign=-1)
    assert big_dots(figure) == [2, 3]
    assert row_names(figure) == ["forest", "ridge"]
    assert figure.axes[0].collections[0].get_segments()[0][:, 0] == pytest.approx([1.98, 2.05])
    assert figure.axes[0].get_xlabel() == "RMSE (smaller is better)"


def test_clusterings_are_named_with_their_number_of_clusters() -> None:
    figure = candidates([candidate("k-means #4", 0.5, parameters={"clusters": 3})], metric="Silhouette")
    assert row_names(figure) == ["k-means #4, K=3"]


def test_of_many_candidates_the_best_and_the_baseline_are_drawn() -> None:
    found = [candidate(f"ridge {index}", 0.5 + index / 100) for index in range(40)] + [candidate("baseline", 0.1)]
    figure = candidates(found, metric="R²")
    names = row_names(figure)
    assert len(names) == MAX_CANDIDATES
    assert names[0] == "ridge 39"
    assert names[-1] == "baseline"


@pytest.mark.covers("plot_partition_sizes")
def test_target_distribution_shows_the_share_of_each_class_in_each_part() -> None:
    learning, test = np.array([0, 0, 0, 1]), np.array([0, 1, 1, 1, 1])
    figure = target_distribution({"training rows": learning, "test rows": test}, target="churn", classes=["no", "yes"])
    heights = [[bar.get_height() for bar in bars] for bars in figure.axes[0].containers]
    assert heights == [[0.75, 0.25], [0.2, 0.8]]
    assert [bars.get_label() for bars in figure.axes[0].containers] == ["training rows (4)", "test rows (5)"]
    assert [tick.get_text() for tick in figure.axes[0].get_xticklabels()] == ["no", "yes"]


def test_target_distribution_of_numbers_has_common_bins() -> None:
    rng = np.random.default_rng(0)
    parts = {"training rows": rng.normal(size=500), "test rows": rng.normal(1, 1, size=100)}
    figure = target_distribution(parts, target="price")
    outlines = [patch for patch in figure.axes[0].patches if not patch.get_fill()]
    (first, edges, _), (second, other_edges, _) = (patch.get_data() for patch in outlines)
    assert np.array_equal(edges, other_edges)
    assert np.allclose(first, np.histogram(parts["training rows"], edges)[0] / 500)
    assert second.sum() == pytest.approx(1)


def test_missing_values_are_sorted_and_full_columns_left_out() -> None:
    figure = missing_values({"age": 0.1, "full": 0.0, "cabin": 0.77, "rare": 0.0004})
    assert row_names(figure) == ["cabin", "age", "rare"]
    assert [bar.get_width() for bar in figure.axes[0].patches] == [0.77, 0.1, 0.0004]
    assert [text.get_text() for text in figure.axes[0].texts] == ["77.0%", "10.0%", "< 0.1%"]
    many = missing_values({f"column {index:02}": 0.5 for index in range(40)})
    assert many.get_suptitle() == "Missing values by column, the first 15 of 40"
