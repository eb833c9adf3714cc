from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import make_circles
from sklearn.metrics import adjusted_rand_score

from penstock.components.structure.densities import steadiest

pytestmark = pytest.mark.usefixtures("one_thread")


def test_rings_are_found_by_nearly_every_setting() -> None:
    rows, truth = make_circles(400, noise=0.03, factor=0.5, random_state=0)
    dense = steadiest(rows)
    assert dense is not None
    assert dense.clusters == 2
    assert dense.steadiness > 0.8
    assert dense.validity > 0.3
    assert adjusted_rand_score(truth, dense.labels) == 1.0


def test_what_one_setting_alone_finds_is_not_steady() -> None:
    dense = steadiest(np.random.default_rng(0).normal(size=(300, 2)))
    assert dense is None or dense.steadiness < 0.6


def test_too_few_rows_have_no_dense_regions() -> None:
    assert steadiest(np.arange(8.0).reshape(-1, 1)) is None
