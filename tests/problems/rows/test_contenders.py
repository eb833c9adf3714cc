"""The rows on which candidates are compared."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from penstock.components.evaluation.metrics import METRICS
from penstock.components.search import Candidate
from penstock.evidence.folds import Fold, Folds
from penstock.problems.fits import Fitted
from penstock.problems.rows.supervised.contenders import open_contest
from penstock.problems.rows.supervised.ensembles import assemble
from penstock.store import Store

Array = np.ndarray[Any, Any]


def contest(store: Store, valid: list[Array], **more: Array) -> Any:
    """Two candidates of which the second is off by more."""
    rng = np.random.default_rng(0)
    y = rng.normal(size=120)
    folds = Folds(y, parts=[Fold(np.arange(rows.min()), rows) for rows in valid], **more)
    fits = []
    for number, (name, error) in enumerate((("ridge", 0.2), ("lasso", 0.6))):
        results = []
        for fold, rows in enumerate(valid):
            made = y[rows] + rng.normal(scale=error, size=len(rows))
            prediction = store.put_arrays(prediction=made)
            score = METRICS["r2"].function(y[rows], made)
            results.append(store.put_facts({"fold": fold, "score": score, "predictions": prediction.model_dump()}))
        fits.append(Fitted(candidate=Candidate(name=name, parameters={}, number=number), results=results))
    return open_contest(store, fits, folds, METRICS["r2"], seed=0)


def test_parts_in_order_of_time_are_the_folds(tmp_path: Path) -> None:
    valid = [np.arange(30, 60), np.arange(60, 90), np.arange(90, 120)]
    found, _ = contest(Store(tmp_path), valid, ordered=True)
    assert found.ordered
    assert found.part.tolist() == np.repeat([0, 1, 2], 30).tolist()


def test_one_fold_by_time_has_no_order_of_parts(tmp_path: Path) -> None:
    """Its five parts are drawn at random: weights that only earlier parts taught would leave the first with none."""
    found, contenders = contest(Store(tmp_path), [np.arange(60, 120)], ordered=True)
    assert not found.ordered
    assert sorted(np.unique(found.part)) == [0, 1, 2, 3, 4]
    (made,), left_out = assemble(["stacking"], contenders, found, {"ridge": {}, "lasso": {}})
    assert left_out == []
    better, worse = (one.prediction for one in contenders)
    rows = found.part == 0
    share = np.linalg.lstsq((better - worse)[rows, None], (made.prediction - worse)[rows], rcond=None)[0][0]
    assert share == pytest.approx(0.9, abs=0.08)  # by their errors, not the half that no rows at all would give
