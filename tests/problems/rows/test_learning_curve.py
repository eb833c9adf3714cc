"""The curves of a winner, from training rows alone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from penstock.components.plots import to_svg
from penstock.components.plots.methods import boosting_curve, knn_regression
from penstock.components.preprocessing.plan import Plan, make_plan
from penstock.components.schema import encode_target, infer_schema
from penstock.components.splitting import ordered_folds, times_of
from penstock.evidence.folds import Fold, Folds
from penstock.problems import find
from penstock.problems.rows.supervised.learning_curve import _learning
from penstock.problems.rows.supervised.refit import Refit
from penstock.problems.rows.supervised.study_method import by_neighbours, by_rounds
from penstock.problems.selection import Winner
from penstock.store import Store
from tests.stages import rows_of

SETTINGS: dict[str, Any] = {"impute": ("median", {}), "scale": ("none", {}), "rare": 0.01, "text_components": 5}


def refit_of(
    folder: Path, frame: pd.DataFrame, winner: dict[str, Any], parts: Any, roles: Any = None, **more: Any
) -> Refit:
    store = Store(folder)
    problem: Any = "regression" if frame["y"].dtype.kind == "f" else "classification"
    schema = infer_schema(frame, problem=problem, target_type=find(problem).target_type, target="y", roles=roles or {})
    facts = {column.name: {"missing": 0.0, "distinct": len(frame)} for column in schema.features}
    parts = [Fold(train, valid) for train, valid in parts]
    folds = Folds(encode_target(frame["y"], schema), len(schema.classes or []), parts, **more).save(store)
    plan = store.put_facts(Plan.model_validate(make_plan(schema, facts, **SETTINGS)))
    return Refit(
        store,
        plan,
        rows_of(store, store.put_frame(frame), folds=folds),
        store.put_facts(Winner.model_validate(winner)),
        store.put_facts(schema),
        None,
        seed=0,
    )


def test_the_latest_rows_are_latest_by_time_not_by_place(tmp_path: Path) -> None:
    """What follows from x turns round halfway: a few of the latest rows tell it, a few of the first tell it wrongly."""
    rng = np.random.default_rng(0)
    day, x = pd.Series(pd.date_range("2024-01-01", periods=200)), rng.normal(size=200)
    slope = np.where(np.arange(200) < 120, -1.0, 1.0)
    frame = pd.DataFrame({"day": day, "x": x, "y": slope * x + 0.01 * rng.normal(size=200)})
    newest_first = frame[::-1].reset_index(drop=True)
    found = {}
    for name, rows in (("oldest first", frame), ("newest first", newest_first)):
        times = times_of(rows["day"])
        parts = ordered_folds(times, folds=2, gap=np.timedelta64(0), window=None)[1:]
        refit = refit_of(tmp_path / name, rows, {"name": "ridge", "parameters": {}}, parts, {"day": "time"},
                         ordered=True)  # fmt: skip
        train = refit.folds[0][0]
        assert (np.diff(times[refit.latest_first(train)]) < np.timedelta64(0)).all()
        found[name] = [point.model_dump() for point in _learning(refit).points]
    assert found["newest first"] == [pytest.approx(point) for point in found["oldest first"]]
    few, _, _, _, many = (point["valid"] for point in found["newest first"])
    assert few > 0.9 > many


def circles(rows: int, seed: int = 0) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(rows, 3))
    return pd.DataFrame(X, columns=["a", "b", "c"]).assign(y=np.where((X**2).sum(axis=1) > 2.4, "out", "in"))


@pytest.mark.slow
@pytest.mark.covers("plot_boosting_curve")
def test_a_boosted_winner_improves_on_other_rows_after_no_row_learnt_from_is_wrong(tmp_path: Path) -> None:
    frame = circles(900)
    parts = [(np.arange(150), np.arange(150, 900))]
    winner = {"name": "gradient-boosting", "parameters": {"n_estimators": 120, "max_depth": 4}}
    refit = refit_of(tmp_path, frame, winner, parts)
    found = by_rounds(refit)
    assert found is not None
    rounds = [point.rounds for point in found.points]
    assert (rounds[0], rounds[-1], len(rounds)) == (1, 120, 40)
    last = found.points[-1]
    pipeline = refit.fit(parts[0][0])
    assert last.train == pytest.approx(refit.score(pipeline, parts[0][0]))
    assert last.valid == pytest.approx(refit.score(pipeline, parts[0][1]))
    exact = found.no_errors_from
    assert exact is not None
    assert 1 < exact < 100
    at_exact = next(point.valid for point in found.points if point.rounds == exact)
    assert max(point.valid for point in found.points if point.rounds > exact) > at_exact
    figure = boosting_curve(found.model_dump())
    (axes,) = figure.axes
    lines = {str(line.get_label()): line for line in axes.get_lines()}
    for name, side in (("training rows", "train"), ("other rows", "valid")):
        assert lines[name].get_xdata() == pytest.approx(rounds)
        assert lines[name].get_ydata() == pytest.approx([getattr(point, side) for point in found.points])
    assert set(lines[f"no training row is wrong: {exact}"].get_xdata()) == {exact}
    assert "Boosting rounds" in to_svg(figure)


@pytest.mark.parametrize("name", ["ada-boost", "hist-gradient-boosting"])
def test_every_boosting_of_the_catalogue_tells_its_rounds(tmp_path: Path, name: str) -> None:
    rounds = {"ada-boost": "n_estimators", "hist-gradient-boosting": "max_iter"}[name]
    rng = np.random.default_rng(1)
    frame = pd.DataFrame({"x": rng.normal(size=120)})
    frame = frame.assign(y=frame["x"] ** 2 + 0.1 * rng.normal(size=120))
    refit = refit_of(tmp_path, frame, {"name": name, "parameters": {rounds: 20}}, [(np.arange(80), np.arange(80, 120))])
    found = by_rounds(refit)
    assert found is not None
    assert found.points[-1].train > found.points[0].train
    assert found.no_errors_from is None


def test_other_winners_have_no_rounds_and_no_neighbours(tmp_path: Path) -> None:
    refit = refit_of(
        tmp_path, circles(60), {"name": "decision-tree", "parameters": {}}, [(np.arange(40), np.arange(40, 60))]
    )
    assert by_rounds(refit) is None
    assert by_neighbours(refit) is None


@pytest.mark.covers("plot_knn_regression")
def test_few_neighbours_follow_every_row_and_many_flatten_all(tmp_path: Path) -> None:
    rng = np.random.default_rng(2)
    x = rng.uniform(-3, 3, size=300)
    frame = pd.DataFrame({"noise": rng.normal(size=300), "x": x, "y": np.sin(x) + x / 3 + 0.3 * rng.normal(size=300)})
    parts = [(np.arange(200), np.arange(200, 300))]
    refit = refit_of(tmp_path, frame, {"name": "k-nearest-neighbours", "parameters": {"n_neighbors": 12}}, parts)
    found = by_neighbours(refit)
    assert found is not None
    assert (found.column, [panel.neighbours for panel in found.panels]) == ("x", [1, 12, 100])
    one, chosen, many = found.panels
    assert one.train_error == 0
    assert chosen.valid_error < one.valid_error < many.valid_error
    assert np.ptp(many.line) < 0.8 * np.ptp(chosen.line) < np.ptp(one.line)
    figure = knn_regression(found, "y")
    assert [axes.get_title("left").split(":")[0] for axes in figure.axes] == ["1", "12 (chosen)", "100"]
    assert figure.axes[2].get_lines()[0].get_ydata() == pytest.approx(many.line)
    assert "MSE" in to_svg(figure)
