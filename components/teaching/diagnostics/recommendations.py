"""What recommendations must beat: everybody's favourites, test on ratings that were held back."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from penstock.components.diagnostics import Diagnostic, Found
from penstock.components.evaluation.recommending import (
    catalogue_coverage,
    diversity,
    list_scores,
    novelty,
    ranking,
    rating_errors,
    serendipity,
)
from penstock.components.schema import numbers, require_columns
from penstock.components.splitting import rows_within
from penstock.errors import DataError

Array = np.ndarray[Any, Any]

SHRINKAGE = 5.0
"""Ratings of the mean of all that are added to an item's own: one rating of 5 does not make the best item."""


def recommendations(
    frame: pd.DataFrame,
    *,
    user: str,
    item: str,
    rating: str | None = None,
    liked: float | None = None,
    k: int = 10,
    held_back: float = 0.2,
    seed: int = 0,
) -> Found:
    """Part of the ratings of some users is held back; the others teach. Nobody is recommended what he has rated.

    Examples
    --------
    >>> import pandas as pd
    >>> from penstock.components.diagnostics import find
    >>> table = pd.DataFrame({"user": list("uuuvvvwww"), "film": list("abcabdacd")})
    >>> table["stars"] = [5, 4, 1, 5, 3, 1, 4, 1, 2]
    >>> find("recommendations")(table, {"user": "user", "item": "film", "rating": "stars"}).facts["liked_from"]
    3.125
    """
    require_columns(frame, [user, item, *([rating] if rating else [])])
    rows = _read(frame, user, item, rating)
    mask = rows_within([f"{u}\t{i}" for u, i in zip(rows["user"], rows["item"], strict=True)], rows["user"],
                       share=held_back, seed=seed).mask  # fmt: skip
    names = pd.Index(sorted(rows["item"].unique()))
    coded = rows.assign(item=names.get_indexer(rows["item"]))
    train, test = coded[~mask], coded[mask]
    good = float(train["rating"].mean()) if liked is None else liked
    methods = _by_everybody(train, len(names))
    likeness, popularity = _likeness(train, len(names)), methods["most popular"] / train["user"].nunique()
    seen = train.groupby("user")["item"].agg(np.array)
    wanted = test[test["rating"] >= good].groupby("user")["item"].agg(set)
    scores = {}
    lists: dict[str, dict[Any, Array]] = {}
    for name, values in methods.items():
        lists[name] = {who: ranking(values, seen.get(who, np.empty(0))) for who in wanted.index}
        per_user = [
            _of_user(lists[name][who], lists["most popular"][who], wanted[who], k, likeness, popularity)
            for who in wanted.index
        ]
        means = pd.DataFrame(per_user).mean().to_dict() if per_user else {}
        covered = catalogue_coverage([one[:k].tolist() for one in lists[name].values()], len(names))
        scores[name] = {**means, "coverage": covered}
    table = pd.DataFrame(scores).T.rename_axis("method")
    findings = [
        f"{len(test)} of {len(rows)} ratings were held back, of {test['user'].nunique()} of "
        f"{rows['user'].nunique()} users; {len(wanted)} of these have an item that they liked among them.",
        *(
            f"{name}: of {k} recommended items {scores[name].get('precision', float('nan')) * k:.2g} are liked, and "
            f"{scores[name].get('recall', float('nan')):.0%} of the liked ones are among them."
            for name in methods
        ),
        "A recommender that knows its users must beat both.",
    ]
    facts: dict[str, Any] = {"users": len(wanted), "held_back": len(test), "liked_from": good, "scores": scores}
    if rating:
        facts["ratings"] = rating_errors(test["rating"].to_numpy(), methods["highest rated"][test["item"]])
        findings.append(f"Each item's mean rating is off by {facts['ratings']['mae']:.3g} on average.")
    return Found(findings, table, facts)


def _read(frame: pd.DataFrame, user: str, item: str, rating: str | None) -> pd.DataFrame:
    """One row for each user and item; without ratings, each says that the item was liked."""
    rows = pd.DataFrame(
        {
            "user": frame[user].astype("str"),
            "item": frame[item].astype("str"),
            "rating": numbers(frame[rating]) if rating else 1.0,
        }
    ).dropna()
    rows = rows.drop_duplicates(["user", "item"], keep="last").reset_index(drop=True)
    if rows["user"].nunique() < 2 or rows["item"].nunique() < 2:
        raise DataError(
            "PEN126",
            f"{rows['user'].nunique()} user(s) and {rows['item'].nunique()} item(s) leave nothing to recommend",
            where=f"columns '{user}' and '{item}'",
            remedy="give ratings of at least two users and two items, one in each row",
        )
    return rows


def _by_everybody(train: pd.DataFrame, items: int) -> dict[str, Array]:
    """Scores of the items that are the same for all users."""
    counts = np.bincount(train["item"], minlength=items).astype(float)
    sums = np.bincount(train["item"], train["rating"], minlength=items)
    return {
        "most popular": counts,
        "highest rated": (sums + SHRINKAGE * train["rating"].mean()) / (counts + SHRINKAGE),
    }


def _likeness(train: pd.DataFrame, items: int) -> Array:
    """The share of users that two items have in common: the cosine of their columns of users."""
    codes = pd.factorize(train["user"])[0]
    rated = np.zeros((codes.max() + 1, items))
    rated[codes, train["item"]] = 1.0
    sizes = np.sqrt(np.maximum(rated.sum(axis=0), 1.0))
    together: Array = (rated.T @ rated) / np.outer(sizes, sizes)
    return together


def _of_user(
    order: Array, expected: Array, wanted: set[int], k: int, likeness: Array, popularity: Array
) -> dict[str, float]:
    top = order[:k]
    found = [item for item in top if item in wanted]
    return {
        **list_scores(np.isin(order, list(wanted)), k, known=len(wanted)),
        "diversity": diversity(likeness[np.ix_(top, top)]),
        "novelty": novelty(np.maximum(popularity[np.array(found, dtype=int)], 1e-9)),
        "serendipity": serendipity(top.tolist(), expected[:k].tolist(), wanted),
    }


DIAGNOSTIC = Diagnostic(
    name="recommendations",
    summary="What any recommender must beat on these ratings: the most popular and the highest rated items, test on "
    "ratings that were held back",
    function=recommendations,
    parameters={
        "user": "the column of users",
        "item": "the column of items",
        "rating": "the column of ratings; without it, every row says that the user liked the item",
        "liked": "the least rating of an item that was liked, by default the mean rating",
        "k": "length of the lists, by default 10",
        "held_back": "the share of the ratings that evaluate, by default 0.2",
        "seed": "decides which ratings those are, by default 0",
    },
    syllabus=("proc_recommender_offline",),
)
