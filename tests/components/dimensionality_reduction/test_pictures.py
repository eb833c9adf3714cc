from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.datasets import make_blobs
from sklearn.metrics import silhouette_score

from penstock.components.catalog import entries
from penstock.components.dimensionality_reduction import pictures
from penstock.components.dimensionality_reduction.pictures import picture, require_pictures
from penstock.errors import UsageError

pytestmark = pytest.mark.usefixtures("one_thread")


@pytest.mark.parametrize("name", ["t-sne", pytest.param("umap", marks=pytest.mark.slow)])
def test_near_rows_are_drawn_near(name: Any) -> None:
    X, y = make_blobs(60, 6, centers=3, random_state=0)
    drawn = picture(name, X, seed=0)
    assert drawn.shape == (60, 2)
    assert silhouette_score(drawn, y) > 0.7
    assert np.array_equal(drawn, picture(name, X, seed=0))
    assert picture(name, X[:6], seed=0).shape == (6, 2)


def test_they_are_for_pictures_only(monkeypatch: pytest.MonkeyPatch) -> None:
    assert not {"t-sne", "umap"} & set(entries())
    monkeypatch.setattr(pictures, "find_spec", lambda name: None)
    require_pictures(["t-sne"], "evaluation.pictures")
    with pytest.raises(UsageError) as caught:
        require_pictures(["umap"], "evaluation.pictures")
    assert caught.value.code == "PEN347"
    assert "penstock[explain]" in str(caught.value.remedy)
