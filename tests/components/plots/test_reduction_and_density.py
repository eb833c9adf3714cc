from __future__ import annotations

import numpy as np
import pytest
from matplotlib.colors import to_hex

from penstock.components.catalog import build
from penstock.components.evaluation.unsupervised.reconstruction import brought_back
from penstock.components.plots import to_svg
from penstock.components.plots.reduction_and_density import (
    MAX_GROUPS,
    OTHERS,
    density_histogram,
    density_map,
    reconstructions,
    reduced_map,
    rows_in_a_picture,
)
from penstock.components.plots.style import PALETTE, QUIET

RNG = np.random.default_rng(0)


@pytest.mark.covers("plot_pca_map")
def test_rows_on_two_principal_components_coloured_by_group() -> None:
    groups = np.repeat(["left", "right"], 30)
    X = RNG.normal(size=(60, 4)) + np.where(groups == "right", 8.0, 0.0)[:, None]
    points = build("pca", {"components": 2}, seed=0, problem="reduction").fit_transform(X)
    figure = reduced_map(points, ["component_1", "component_2"], groups.tolist())
    drawn = {str(one.get_label()): np.asarray(one.get_offsets()) for one in figure.axes[0].collections}
    assert {name: len(dots) for name, dots in drawn.items()} == {"left": 30, "right": 30}
    assert (np.sign(drawn["left"][:, 0]) != np.sign(drawn["right"][:, 0])).all()
    assert "left" in to_svg(figure)


def test_usual_rows_are_the_background_of_a_picture() -> None:
    figure = rows_in_a_picture("t-sne", RNG.normal(size=(20, 2)), ["rare"] * 2 + ["usual"] * 18)
    tones = {str(one.get_label()): to_hex(one.get_facecolor()[0]) for one in figure.axes[0].collections}
    assert tones == {"rare": PALETTE[0], "usual": QUIET}
    assert figure.get_suptitle() == "Only a picture (t-sne): 20 test rows"
    assert not figure.axes[0].get_xticks().size


def test_one_new_column_and_many_groups_can_be_drawn() -> None:
    names = [f"g{number}" for number in RNG.integers(0, 15, 80)]
    figure = reduced_map(RNG.normal(size=(80, 1)), ["component_1"], names)
    labels = [str(one.get_label()) for one in figure.axes[0].collections]
    assert len(labels) == MAX_GROUPS
    assert labels[-1] == OTHERS


@pytest.mark.covers("plot_reconstructions")
def test_what_comes_back_is_nearer_with_more_components() -> None:
    X = RNG.normal(size=(50, 2)) @ RNG.normal(size=(2, 6)) + 0.01 * RNG.normal(size=(50, 6))
    off = {}
    for kept in (1, 2):
        model = build("pca", {"components": kept}, seed=0, problem="reduction").fit(X)
        back = brought_back(model, X[:3])
        figure = reconstructions(X[:3], back, list("abcdef"), kept)
        was, found = (np.asarray(line.get_ydata()) for line in figure.axes[0].lines)
        assert np.allclose(was, X[0])
        assert np.allclose(found, back[0])
        off[kept] = float(np.abs(was - found).max())
    assert off[2] < 0.05 < off[1]
    assert "2 new columns bring back" in to_svg(figure)


def test_what_is_rare_is_told_by_the_line() -> None:
    unseen, learnt = RNG.normal(size=200), RNG.normal(size=300)
    figure = density_histogram(unseen, learnt, -1.0)
    assert f"{np.mean(unseen < -1):.1%} of the test rows are rare" in to_svg(figure)
    assert len(density_histogram(unseen, learnt, None).axes[0].lines) == 0
    rare = unseen < -1
    drawn = density_map(RNG.normal(size=(200, 2)), rare, [0.6, 0.4])
    sizes = {str(one.get_label()): len(np.asarray(one.get_offsets())) for one in drawn.axes[0].collections}
    assert sizes == {"usual": int((~rare).sum()), "rare": int(rare.sum())}
