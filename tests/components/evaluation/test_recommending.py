"""Recommendations evaluated by ratings that were held back."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest

from penstock.components.diagnostics import find
from penstock.components.evaluation.recommending import (
    catalogue_coverage,
    diversity,
    list_scores,
    novelty,
    ranking,
    rating_errors,
    serendipity,
)
from penstock.errors import DataError


@pytest.mark.covers("proc_recommender_offline", "ex_ranking_metrics", "met_precision_recall_at_k", "met_dcg", "met_mrr")
def test_one_list_by_hand() -> None:
    assert list_scores([1, 0, 1, 0, 0], k=3) == pytest.approx(
        {
            "precision": 0.666666666667, "recall": 1.0, "average_precision": 0.833333333333, "dcg": 1.5,
            "reciprocal_rank": 1.0, "mean_reciprocal_rank": 0.666666666667, "auc": 0.833333333333,
        },
        abs=1e-9,
    )  # fmt: skip


@pytest.mark.covers("proc_recommender_offline", "ex_diversity_novelty", "met_diversity_novelty")
def test_beyond_relevance() -> None:
    similarity = np.array([[1.0, 0.2, 0.5], [0.2, 1.0, 0.8], [0.5, 0.8, 1.0]])
    assert diversity(similarity) == pytest.approx(0.5, abs=1e-9)
    assert novelty([0.5, 0.125]) == pytest.approx(2.0, abs=1e-9)
    assert catalogue_coverage([[0, 1], [1, 2]], items=4) == 0.75
    assert serendipity([1, 2, 3, 4], expected=[1, 5], liked={1, 2, 9}) == 0.25


def test_where_nothing_can_be_said() -> None:
    assert all(math.isnan(score) for score in list_scores([0, 0], k=1).values())
    assert math.isnan(list_scores([1, 1], k=1)["auc"])
    assert list_scores([0, 0], k=2, known=3)["recall"] == 0
    assert math.isnan(diversity(np.ones((1, 1))))
    assert math.isnan(novelty([]))


@pytest.mark.covers("proc_recommender_offline")
def test_ratings_and_what_was_seen() -> None:
    assert rating_errors(np.array([4.0, 2.0]), np.array([3.0, 4.0])) == pytest.approx(
        {"mae": 1.5, "mse": 2.5, "rmse": math.sqrt(2.5)}
    )
    assert ranking(np.array([0.1, 0.9, 0.5, 0.9]), np.array([1])).tolist() == [3, 2, 0]


def ratings(seed: int = 0) -> pd.DataFrame:
    """Item 0 is known to nearly all; item 9 is rated seldom and best."""
    rng = np.random.default_rng(seed)
    chance = np.array([0.9, 0.6, 0.5, 0.4, 0.35, 0.3, 0.25, 0.2, 0.2, 0.2])
    worth = np.array([3.0, 3.5, 3.2, 2.5, 3.0, 2.0, 3.6, 2.2, 3.1, 4.8])
    who, what = np.nonzero(rng.random((120, 10)) < chance)
    stars = np.clip(np.round(worth[what] + rng.normal(scale=0.6, size=len(what))), 1, 5)
    return pd.DataFrame({"user": [f"u{one}" for one in who], "film": [f"f{one}" for one in what], "stars": stars})


@pytest.mark.covers("proc_recommender_offline")
def test_favourites_of_all_are_judged_on_ratings_held_back() -> None:
    found = find("recommendations")(ratings(), {"user": "user", "item": "film", "rating": "stars", "k": 2})
    assert list(found.table.index) == ["most popular", "highest rated"]
    wanted = {"precision", "recall", "average_precision", "dcg", "mean_reciprocal_rank", "auc", "coverage", "diversity",
              "novelty", "serendipity"}  # fmt: skip
    assert wanted <= set(found.table.columns)
    assert found.table["precision"].between(0, 1).all()
    assert found.table.loc["highest rated", "novelty"] > found.table.loc["most popular", "novelty"]
    assert found.table.loc["most popular", "serendipity"] == 0
    assert 0.15 * 400 < found.facts["held_back"] < 0.3 * len(ratings())
    assert 0.3 < found.facts["ratings"]["mae"] < 0.8
    assert "must beat both" in found.findings[-2]
    implicit = find("recommendations")(ratings(), {"user": "user", "item": "film"})
    assert "ratings" not in implicit.facts


def test_one_user_leaves_nothing_to_recommend() -> None:
    with pytest.raises(DataError, match="1 user") as caught:
        find("recommendations")(ratings()[:1], {"user": "user", "item": "film"})
    assert caught.value.code == "PEN126"
