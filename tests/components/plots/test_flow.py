from __future__ import annotations

from typing import Any

import pytest

from penstock.components.plots import to_svg
from penstock.components.plots.flow import WAYS, WIDE, flow_figure
from penstock.reporting.captions import CAPTIONS, PLACES


def document(**split: Any) -> dict[str, Any]:
    return {
        "data": {"rows": 1200, "columns": 9, "train_rows": 960, "test_rows": 240, "split": split},
        "candidates": [{"folds": [0.7]}, {"folds": [0.8, 0.9, 0.7]}],
        "winner": {"name": "ridge"},
        "metric": "neg_mean_absolute_error",
        "metrics": {"neg_mean_absolute_error": {"label": "MAE", "sign": -1, "value": -3.25}},
    }


@pytest.mark.covers("plot_flow_diagram")
def test_stages_stand_in_order_with_what_goes_through_them() -> None:
    (figure,) = flow_figure(document(group="customer")).values()
    (axes,) = figure.axes
    texts = [text.get_text() for text in axes.texts if text.get_text()]
    boxes = dict(zip(texts[::2], texts[1::2], strict=True))
    assert boxes == {
        "Read and check": "1,200 rows",
        "Split": "groups stay whole",
        "Training rows": "960 rows",
        "Prepare, search": "2 tried, 3 folds",
        "Fit the winner": "ridge",
        "Test rows": "240 rows",
        "Evaluate once": "MAE 3.25",
        "Gate": "champion or not",
    }
    assert "fitted again on all 960 rows" in to_svg(figure)
    assert PLACES["flow_diagram"] == "data"
    assert CAPTIONS["flow_diagram"]


def test_words_stay_inside_their_boxes() -> None:
    long = document() | {
        "metric": "roc_auc_ovr",
        "metrics": {"roc_auc_ovr": {"label": "ROC AUC, one against the rest", "sign": 1, "value": 0.987}},
        "winner": {"name": "quadratic-discriminant-analysis"},
        "candidates": [{"folds": [0.5] * 10}] * 120,
    }
    (figure,) = flow_figure(long).values()
    figure.draw_without_rendering()
    (axes,) = figure.axes
    texts = [text for text in axes.texts if text.get_text()]
    assert "ROC AUC 0.987" in [text.get_text() for text in texts]
    assert "ROC AUC, one against the rest 0.987" in to_svg(figure)
    for text in texts:
        inside = axes.transData.inverted().transform(text.get_window_extent())
        assert inside[1][0] - inside[0][0] <= WIDE, text.get_text()


@pytest.mark.covers("plot_flow_diagram")
def test_test_rows_lead_nowhere_but_to_the_judgement() -> None:
    assert [end for start, end in WAYS if start == "test"] == ["judge"]
    assert [start for start, end in WAYS if end == "judge"] == ["test", "train"]
    (axes,) = flow_figure(document(ordered="day"))["flow_diagram"].axes
    arrows = [text for text in axes.texts if not text.get_text()]
    assert len(arrows) == len(WAYS)
    for arrow in arrows:
        assert arrow.xy[0] >= arrow.xyann[0] or arrow.xy[1] > arrow.xyann[1]  # forwards or down, never back


def test_without_a_winner_there_is_nothing_to_draw() -> None:
    assert flow_figure({**document(), "winner": None}) == {}
    assert flow_figure({}) == {}
