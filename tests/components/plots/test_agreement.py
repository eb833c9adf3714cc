from __future__ import annotations

import numpy as np
import pytest

from penstock.components.plots.agreement import contingency


@pytest.mark.covers("plot_contingency")
def test_every_overlap_is_a_cell_and_agreement_a_diagonal() -> None:
    figure = contingency(np.array([[0, 5], [20, 1]]), ["small", "large"], ["one", "two"])
    axes = figure.axes[0]
    assert [text.get_text() for text in axes.get_yticklabels()] == ["large", "small"]
    assert [text.get_text() for text in axes.get_xticklabels()] == ["one", "two"]
    places = {text.get_text(): tuple(text.get_position()) for text in axes.texts}
    assert places == {"20": (0.5, 0.5), "1": (1.5, 0.5), "5": (1.5, 1.5)}
    assert (axes.get_ylabel(), axes.get_xlabel()) == ("Group", "Cluster")


def test_many_clusters_are_shaded_without_numbers() -> None:
    axes = contingency(np.eye(60, dtype=int), list(range(60)), list(range(60))).axes[0]
    assert len(axes.texts) == 0
    assert len(axes.get_xticks()) == 40


def test_names_have_the_room_that_there_is() -> None:
    groups = ["young app users", "bargain hunters", "noise", "weekend families", "seasoned regulars"]
    axes = contingency(np.eye(5, dtype=np.int64), [0, 1, 2, 3, 4], groups, names=("Cluster", "planted")).axes[0]
    shown = [tick.get_text() for tick in axes.get_xticklabels()]
    assert [name.replace("\n", " ") for name in shown] == groups
    assert shown[-1] == "seasoned\nregulars"
