"""The report's section on the analysis, drawn from real rows."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pandas as pd
import pytest

from penstock.components.analysis.facts import describe
from penstock.components.analysis.insight import for_people, insight
from penstock.components.plots import to_svg
from penstock.components.plots.analysis import analysis_figures
from penstock.components.schema import conform, infer_schema
from penstock.document.data import ColumnFacts
from penstock.problems import find, proposals
from penstock.reporting.glance import bars, brief, in_numbers
from tests.documents import page as render
from tests.documents import part


def page(frame: pd.DataFrame, problem: Any, **more: Any) -> str:
    schema = infer_schema(frame, problem=problem, target_type=find(problem).target_type, **more)
    rows = conform(frame, schema, strict=True)
    found, study = insight(rows, schema, 0, goal=find(problem).goal, proposals=proposals())
    facts = describe(rows, schema)
    columns = [{**column.model_dump(), **facts["columns"].get(column.name, {})} for column in schema.columns]
    data = {
        "schema": columns,
        "target": {"name": schema.target, "classes": schema.classes, "facts": facts["target"]},
    }
    figures = {name: to_svg(figure) for name, figure in analysis_figures(found, study).items()}
    html = render({"name": "rows", "problem": problem, "analysis": for_people(found), "data": data}, figures)
    return html[html.index('<section id="analysis"') : html.index("</section>", html.index('<section id="analysis"'))]


def table(rows: int = 120) -> pd.DataFrame:
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(
        {
            "age": rng.integers(18, 80, rows).astype(float),
            "income <€>": rng.lognormal(10, 1, rows),
            "town": rng.choice(["Bari", "Como", "Rome"], rows),
            "since": pd.Timestamp("2024-01-01") + pd.to_timedelta(rng.integers(0, 700, rows), unit="D"),
        }
    )
    frame["left"] = np.where(frame["age"] + rng.normal(0, 10, rows) > 50, "yes", "no")
    frame.loc[:17, "income <€>"] = np.nan
    return frame


def words(html: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", html))


@pytest.mark.slow
@pytest.mark.covers("plot_eda_summary")
def test_every_column_has_its_distribution_its_numbers_and_its_missing_share() -> None:
    frame = table()
    html = page(frame, "classification", target="left")
    glance = html[html.index("Every column at a glance") :]
    glance = glance[: glance.index("</table>")]
    rows = {words(row).split()[0]: row for row in re.findall(r"<tr>(.*?)</tr>", glance, re.DOTALL)[1:]}
    assert [*rows] == ["left", "age", "income", "town", "since"]
    assert "15%" in words(rows["income"])
    assert all("0%" in words(rows[name]) for name in ("age", "town", "since"))
    assert f"median {brief(frame['age'].median())}, mean {brief(frame['age'].mean())}" in words(rows["age"])
    assert f"{frame['age'].min():.0f} to {frame['age'].max():.0f}" in words(rows["age"])
    first = frame["since"].min().date().isoformat()
    assert first in words(rows["since"])
    counts = frame["town"].value_counts()
    assert f"{counts.index[0]} {counts.iloc[0] / 120:.0%}" in words(rows["town"])
    for name, number in (("left", 2), ("age", 20), ("town", 3)):
        assert rows[name].count("M") - rows[name].count("Missing") >= number
        assert re.search(r'<path d="[^"]+"', rows[name])
    assert "<€>" not in glance


@pytest.mark.slow
@pytest.mark.covers("plot_eda_summary")
def test_a_text_shows_how_long_it_is() -> None:
    rng = np.random.default_rng(1)
    notes = [" ".join(rng.choice(["red", "green", "blue", "pear"], size)) for size in rng.integers(4, 30, 120)]
    html = page(table().assign(note=notes), "classification", target="left", roles={"note": "text"})
    glance = html[html.index("Every column at a glance") :]
    glance = glance[: glance.index("</table>")]
    (row,) = (row for row in re.findall(r"<tr>(.*?)</tr>", glance, re.DOTALL) if words(row).split()[0] == "note")
    assert re.search(r'<path d="M[^"]+"', row)


def test_sections_without_content_are_left_out() -> None:
    notes = [" ".join(["red", "green", "blue", "pear"] * (1 + place % 7)) + f" {place}" for place in range(120)]
    frame = pd.DataFrame({"note": notes, "left": ["yes", "no"] * 60})
    html = page(frame, "classification", target="left", roles={"note": "text"})
    assert re.findall(r'<details id="analysis-(\w+)">', html) == ["mistakes", "assumptions", "relations", "predictors"]


def test_bars_are_as_high_as_their_counts() -> None:
    path = bars(part(ColumnFacts, {"histogram": {"counts": [0, 5, 10]}}))
    heights = [24 - float(height) for height in re.findall(r"V([\d.]+)h", path)]
    assert heights == [0, 11.5, 23]
    assert bars(part(ColumnFacts, {"levels": [{"level": "a", "count": 3}]})).startswith("M0.0 24V1.0h90.0")
    assert bars(part(ColumnFacts, {"first": "2024-01-01"})) == ""


def test_columns_in_numbers() -> None:
    numeric = {
        "histogram": {"counts": [1]},
        "min": 18.0,
        "max": 90.0,
        "quartiles": [30, 47.0, 60],
        "mean": 46.625,
        "sd": None,
    }
    assert in_numbers(part(ColumnFacts, numeric)) == "18 to 90, median 47, mean 46.62"
    levels = [{"level": name, "count": size} for name, size in (("a", 6), ("b", 2), ("c", 1), ("d", 1))]
    assert in_numbers(part(ColumnFacts, {"levels": levels, "distinct": 4})) == "a 60%, b 20%, c 10%; 4 levels"
    assert in_numbers(part(ColumnFacts, {"distinct": 7})) == "7 different values"
    assert in_numbers(part(ColumnFacts, {"distinct": 0})) == "no value"


@pytest.mark.slow
def test_sentences_come_first_and_details_are_folded_in_order() -> None:
    html = page(table(), "classification", target="left")
    assert re.findall(r'<details id="analysis-(\w+)">', html) == [
        "mistakes", "assumptions", "signal", "relations", "methods", "predictors",
    ]  # fmt: skip
    lead = words(html[: html.index("<details")])
    assert "columns tell something about &#39;left&#39; on their own" in lead or "on its own" in lead
    assert "is missing in 15% of rows" in lead
    assert [*dict.fromkeys(re.findall(r'id="figure-(\w+)"', html))] == [
        "predictor_outcome",
        "correlation_matrix",
        "association_matrix",
    ]


def test_a_clustering_has_no_word_of_a_target() -> None:
    html = page(table().drop(columns="left"), "clustering")
    assert re.findall(r'<details id="analysis-(\w+)">', html) == ["mistakes", "assumptions", "methods", "predictors"]
    assert "None" not in words(html)
    assert "training rows alone" in words(html)


def test_a_quantity_by_group() -> None:
    frame = table().assign(left=lambda made: made["age"] * 2.0 + 0.5)
    html = words(page(frame, "regression", target="left"))
    assert "Mean by group" in html
    assert "R²" in html
