"""Levels by their names and gaps as they are, for the models that ask about both."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.naive_bayes import CategoricalNB

from penstock.components.catalog import build
from penstock.components.explanation.models import Shown, explain
from penstock.components.preprocessing.plan import make_plan
from penstock.components.preprocessing.preparation import build_preparation, feature_names
from penstock.components.schema import Column, Schema
from penstock.errors import UsageError
from penstock.spec.checked import load_checked_spec

SKY = ["sun", "sun", "cloud", "rain", "rain", "rain", "cloud", "sun", None, "rain"]
WIND = [3.1, 9.4, 3.2, 4.5, 5.1, 9.2, 8.3, 2.8, 3.3, np.nan]
PLAY = np.array([0, 0, 1, 1, 1, 0, 1, 0, 1, 1])


def kept(missing: str = "kept") -> tuple[Any, pd.DataFrame, Any]:
    """The preparation, fitted; the table; and the rows as it makes them."""
    frame = pd.DataFrame({"sky": pd.Series(SKY, dtype="str"), "wind": WIND})
    columns = [Column(name="sky", role="nominal", reason="said"), Column(name="wind", role="numeric", reason="said")]
    plan = make_plan(
        Schema(columns=columns, problem="classification"),
        {name: {"missing": 0.1, "distinct": 3} for name in frame},
        impute=("keep-missing", {}),
        encode=("level-codes", {"missing": missing}),
        scale=("none", {}),
        rare=0.0,
        text_components=5,
    )
    preparation = build_preparation(plan, seed=0).fit(frame, PLAY)
    return preparation, frame, preparation.transform(frame)


def shown(model: Any, preparation: Any, frame: pd.DataFrame, rows: Any) -> Shown:
    return Shown(model, rows, PLAY, feature_names(preparation), frame, rows[:2], "play", ["no", "yes"])


def test_levels_are_codes_and_gaps_stay_gaps_without_a_mark() -> None:
    preparation, _, rows = kept()
    assert feature_names(preparation) == ["wind", "sky"]
    np.testing.assert_array_equal(rows[:, 1], [2, 2, 0, 1, 1, 1, 0, 2, np.nan, 1])
    np.testing.assert_array_equal(rows[:, 0], WIND)
    new = preparation.transform(pd.DataFrame({"sky": pd.Series(["fog"], dtype="str"), "wind": [1.0]}))
    np.testing.assert_array_equal(new, [[1.0, -1.0]])
    np.testing.assert_array_equal(kept("level")[2][8], [3.3, -2.0])


@pytest.mark.covers("tree-id3", "tree-fractional-missing")
def test_id3_has_a_branch_for_every_level_of_a_table_and_shares_out_gaps() -> None:
    preparation, frame, rows = kept()
    model = build("id3", {"missing": "fractional", "max_depth": 1}, seed=0, problem="classification").fit(rows, PLAY)
    told = explain(shown(model, preparation, frame, rows))
    assert told is not None
    rules = " ".join(line for lines in told.texts.values() for line in lines)
    for level in ("sun", "cloud", "rain"):
        assert f"sky = {level}" in rules
    # A row of unknown sky goes to all three branches, by their weight among the nine rows of known sky.
    shares = model.predict_proba(rows)
    leaves = {level: shares[SKY.index(level)] for level in ("sun", "cloud", "rain")}
    expected = (3 * leaves["sun"] + 2 * leaves["cloud"] + 4 * leaves["rain"]) / 9
    np.testing.assert_allclose(shares[8], expected, atol=1e-12)


@pytest.mark.covers("bayes-categorical-nb")
def test_categorical_naive_bayes_counts_the_levels_of_a_table() -> None:
    _, frame, rows = kept("level")
    rows = rows[:, 1:]
    given = {"alpha": 1.0, "bins": 5, "fit_prior": True}
    model = build("categorical-naive-bayes", given, seed=0, problem="classification").fit(rows, PLAY)
    codes = rows.astype(int) + 2
    peer = CategoricalNB(alpha=1.0).fit(np.unique(codes, return_inverse=True)[1].reshape(-1, 1), PLAY)
    np.testing.assert_allclose(
        model.predict_proba(rows), peer.predict_proba(np.unique(codes, return_inverse=True)[1].reshape(-1, 1))
    )
    told = explain(Shown(model, rows, PLAY, ["sky"], frame, rows[:2], "play", ["no", "yes"]))
    assert told is not None
    values = [row[0] for table in told.tables for row in table.rows]
    assert sorted(values) == ["sky = (missing)", "sky = cloud", "sky = rain", "sky = sun"]


@pytest.mark.parametrize(
    "preparation",
    ["{impute: keep-missing}", "{encode: {level-codes: {missing: kept}}}", "{columns: {a: {impute: keep-missing}}}"],
)
def test_gaps_are_kept_only_for_models_that_can_do_with_them(preparation: str, tmp_path: Path) -> None:
    path = tmp_path / "pipeline.yaml"
    text = "name: a\nproblem: classification\ndata: {source: a.csv, target: y}\n"
    path.write_text(f"{text}models: [hist-gradient-boosting, id3]\npreparation: {preparation}\n")
    load_checked_spec(str(path))
    for models in ("models: [id3, svm]\n", ""):
        path.write_text(f"{text}{models}preparation: {preparation}\n")
        with pytest.raises(UsageError, match="cannot do with them") as caught:
            load_checked_spec(str(path))
        assert caught.value.code == "PEN037"
        assert "id3" in caught.value.remedy
        assert "fill the gaps" in caught.value.remedy
