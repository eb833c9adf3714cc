"""Pictures of what a model goes by and for whom it does worse."""

from __future__ import annotations

from typing import Any

import pytest

from penstock.components.plots.explanation import explanation_figures
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
            {"column": "age", "role": "numeric", "grid": [18.0, 90.0], "curves": curves},
            {"column": "since", "role": "date", "grid": ["2024-01-01", "2025-01-01"], "curves": curves},
            {"column": "plan", "role": "nominal", "grid": ["basic", "<b>pro</b>"], "curves": curves},
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


@pytest.mark.parametrize("classes", [0, 2, 3])
def test_what_is_drawn(classes: int) -> None:
    figures = explanation_figures(facts(classes))
    assert set(figures) == {"importance", "partial_dependence", "slices", "fairness", "shap"}
    for figure in figures.values():
        assert to_svg(figure).startswith("<svg")
    assert "the first 15 of 20" in figures["importance"].get_suptitle()
    assert "1 of 2 worse" in figures["slices"].get_suptitle()


def test_nothing_is_drawn_of_nothing() -> None:
    empty = {"importance": [], "dependence": [], "slices": [], "fairness": {}, "shap": None}
    assert explanation_figures(facts(2) | empty) == {}
