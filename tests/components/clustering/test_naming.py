from __future__ import annotations

from typing import Any

from penstock.components.clustering.naming import name_clusters


def mean(column: str, difference: float) -> dict[str, Any]:
    return {"column": column, "of": "mean", "difference": difference}


def level(column: str, word: str) -> dict[str, Any]:
    return {"column": column, "of": "level", "level": word, "difference": 1.0}


def cluster(number: int, *telling: dict[str, Any]) -> dict[str, Any]:
    return {"cluster": number, "telling": list(telling)}


def test_the_two_most_telling_columns_make_the_name() -> None:
    missing = {"column": "town", "of": "missing", "difference": 0.4}
    clusters = [
        cluster(0, mean("age", -1.5), level("channel", "app"), mean("income", 0.3)),
        cluster(1, mean("basket", 2.0), missing),
        cluster(-1, mean("age", 0.5)),
        cluster(2),
    ]
    assert name_clusters(clusters) == [
        "low age, channel app",
        "high basket, town missing",
        "noise",
        "no telling column",
    ]


def test_names_differ() -> None:
    shared = (mean("age", 1.0), mean("income", 1.0))
    named = name_clusters([cluster(0, *shared, mean("visits", 0.5)), cluster(1, *shared), cluster(2, *shared)])
    assert named == ["high age, high income, high visits", "high age, high income (1)", "high age, high income (2)"]


def test_a_column_is_named_once_and_names_are_short() -> None:
    (name,) = name_clusters([cluster(0, level("c" * 50, "yes"), mean("c" * 50, 1.0), mean("d" * 50, 1.0))])
    assert len(name) <= 60
    assert name.count("c" * 50) == 1
