"""The rows on which candidates are compared."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from penstock.components.evaluation.metrics import METRICS
from penstock.components.search import Candidate
from penstock.evidence.evidence import Evidence
from penstock.evidence.folds import Fold, Folds
from penstock.problems.fits import FitResult
from penstock.problems.rows.supervised.ensembles import assemble
from penstock.problems.rows.supervised.pooling import pool_folds
from penstock.problems.selection import Fitted, FoldEvidence
from penstock.store import Store

Array = np.ndarray[Any, Any]


def pooled(store: Store, valid: list[Array], **more: Array) -> Any:
    """Two candidates of which the second is off by more."""
    rng = np.random.default_rng(0)
    y = rng.normal(size=120)
    folds = Folds(y, splits=[Fold(np.arange(rows.min()), rows) for rows in valid], **more)
    fits = []
    for number, (name, error) in enumerate((("ridge", 0.2), ("lasso", 0.6))):
        results = []
        for fold, rows in enumerate(valid):
            made = y[rows] + rng.normal(scale=error, size=len(rows))
            evidence = Evidence(rows, {"prediction": made}, {"y": y[rows]})
            result = FitResult(evidence, METRICS["r2"].function(y[rows], made)).save(store, fold)
            results.append(FoldEvidence(store, result))
        fits.append(Fitted(Candidate(name=name, parameters={}, number=number), results))
    return pool_folds(fits, folds, METRICS["r2"], seed=0)


def test_parts_in_order_of_time_are_the_folds(tmp_path: Path) -> None:
    valid = [np.arange(30, 60), np.arange(60, 90), np.arange(90, 120)]
    found, _ = pooled(Store(tmp_path), valid, ordered=True)
    assert found.ordered
    assert found.part.tolist() == np.repeat([0, 1, 2], 30).tolist()


def test_one_fold_by_time_has_no_order_of_parts(tmp_path: Path) -> None:
    """Its five parts are drawn at random: weights that only earlier parts trained would leave the first with none."""
    found, standings = pooled(Store(tmp_path), [np.arange(60, 120)], ordered=True)
    assert not found.ordered
    assert sorted(np.unique(found.part)) == [0, 1, 2, 3, 4]
    (made,), left_out = assemble(["stacking"], standings, found, {"ridge": {}, "lasso": {}})
    assert left_out == []
    better, worse = (one.evidence.prediction for one in standings)
    rows = found.part == 0
    share = np.linalg.lstsq((better - worse)[rows, None], (made.evidence.prediction - worse)[rows], rcond=None)[0][0]
    assert share == pytest.approx(0.9, abs=0.08)  # by their errors, not the half that no rows at all would give
