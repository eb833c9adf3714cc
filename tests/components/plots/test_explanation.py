"""Pictures of what a model goes by and for whom it does worse."""

from __future__ import annotations

from typing import Any

import pytest

from penstock.components.plots.explanation import dependence, explanation_figures, importance
from penstock.components.plots.output import to_svg


def interval(value: float, **more: Any) -> dict[str, Any]:
    return {"value": value, "low": value - 0.02, "high": value + 0.02, **more}


def facts(classes: int) -> dict[str, Any]:
    of = [None] if not classes else ["yes"] if classes == 2 else ["a", "b", "c"]
    curves = [{"of": name, "mean": [0.1, 0.4], "low": [0.0, 0.3], "high": [0.2, 0.5]} for name in of]
    return {
        "label": "ROC AUC", "sign": 1, "target": "left",
        "importance": [interval(0.3 - place / 100, column=f"column {place}") for place in range(20)],
        "dependence": [
            {"column": "age", "role": "numeric", "distinct": 2, "grid": [18.0, 90.0], "curves": curves},
            {"column": "since", "role": "date", "distinct": 2, "grid": ["2024-01-01", "2025-01-01"], "curves": curves},
            {"column": "plan", "role": "nominal", "distinct": 5, "grid": ["basic", "<b>pro</b>"], "curves": curves},
        ],
        "slices": [
            {**interval(0.7, behind=0.1), "column": "region", "slice": "south", "rows": 50, "worse": True},
            {**interval(0.85, behind=-0.05), "column": "region", "slice": "north", "rows": 90, "worse": False},
            {"column": "region", "slice": "empty", "rows": 1, "value": None, "worse": False},
        ],
        "fairness": {
            "gender": {
                "groups": [
                    {"group": name, "rows": 40, "selected": 0.3, "found": 0.6, "false_alarms": 0.1} for name in "fm"
                ]
            }
        },
        "shap": {
            "rows": 3,
            "columns": [interval(0.4, column="age"), interval(0.1, column="plan")],
            "points": {"age": [0.1, -0.5, 0.6], "plan": [0.1, 0.1, -0.1]},
            "ranks": {"age": [0.3, 0.6, 1.0], "plan": [0.5, None, 1.0]},
        },
    }  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("classes", [0, 2, 3])
def test_what_is_drawn(classes: int) -> None:
    figures = explanation_figures(facts(classes))
    assert set(figures) == {"importance", "partial_dependence", "slices", "fairness", "shap"}
    for figure in figures.values():
        assert to_svg(figure).startswith("<svg")
    assert "the first 15 of 20" in figures["importance"].get_suptitle()
    assert "1 of 2 worse" in figures["slices"].get_suptitle()


def test_missing_values_stand_apart_and_axes_say_what_is_left_out() -> None:
    mean = [0.1, 0.4, 0.9]
    curves = [{"of": "yes", "mean": mean, "low": mean, "high": mean}]
    shown = [
        {"column": "age", "role": "numeric", "distinct": 2, "grid": [18.0, 90.0, "(missing)"], "curves": curves},
        {"column": "since", "role": "date", "distinct": 2, "grid": ["2024-01-01", "2025-01-01", "(missing)"],
         "curves": curves},
        {"column": "cabin", "role": "nominal", "distinct": 78, "grid": ["B 96", "C 23", "(missing)"], "curves": curves},
    ]  # fmt: skip
    figure = dependence(shown, "survived")
    figure.draw_without_rendering()
    numbers, dates, levels, _ = figure.axes
    for axes in (numbers, dates):
        assert len(axes.lines[0].get_xdata()) == 2
        assert axes.lines[1].get_ydata().tolist() == [0.9]
        assert axes.lines[1].get_xdata()[0] > axes.lines[0].get_xdata()[-1]
    assert [text.get_text() for text in numbers.texts] == ["(missing)"]
    assert max(numbers.get_xticks()) < 90
    assert [tick.get_text() for tick in levels.get_xticklabels()] == ["B 96", "C 23", "(missing)"]
    assert levels.get_xlabel() == "cabin: 2 commonest of 78"


def test_the_words_below_fit_the_figure_beside_long_names() -> None:
    figure = importance([interval(0.3, column="a name of some length")], "ROC AUC, one against the rest")
    figure.draw_without_rendering()
    text = figure.findobj(lambda one: getattr(one, "get_text", str)().startswith("ROC AUC"))[0]
    box = text.get_window_extent()
    assert box.x0 >= 0
    assert box.x1 <= figure.bbox.x1


def test_nothing_is_drawn_of_nothing() -> None:
    empty = {"importance": [], "dependence": [], "slices": [], "fairness": {}, "shap": None}
    assert explanation_figures(facts(2) | empty) == {}
