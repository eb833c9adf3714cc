from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from penstock.components.clustering.describe import profile, project_2d
from penstock.components.schema import Schema, conform, infer_schema
from penstock.store import canonical_json

LABELS = np.array([0, 0, 0, 1, 1, 1, 1, 1])


def data() -> tuple[pd.DataFrame, Schema]:
    frame = pd.DataFrame(
        {
            "_row_id": [f"r{number}" for number in range(8)],
            "income": [10.0, 12.0, 14.0, 50.0, 52.0, np.nan, 54.0, 56.0],
            "member": [True, True, False, False, False, False, False, False],
            "mood": ["low", "low", "mid", "high", "high", "mid", "high", None],
            "town": ["Bari", "Bari", "Como", "Como", "Como", "Como", "Rome", None],
            "since": pd.to_datetime(["2020-01-01", "2020-01-02", "2020-01-03"] + ["2024-06-01"] * 5),
            "notes": [f"a few words, number {number}, of free text" for number in range(8)],
            "same": [7.1] * 8,
        }
    )
    roles = {
        "income": "numeric",
        "member": "boolean",
        "mood": ["low", "mid", "high"],
        "town": "nominal",
        "since": "date",
        "notes": "text",
        "same": "numeric",
    }
    schema = infer_schema(frame, problem="clustering", roles=roles)
    return conform(frame, schema, strict=True), schema


def telling(cluster: dict[str, Any], column: str, of: str) -> dict[str, Any]:
    (found,) = [one for one in cluster["telling"] if (one["column"], one["of"]) == (column, of)]
    return found


def test_size_share_and_typical_values() -> None:
    first, second = profile(*data(), LABELS)
    assert (first["cluster"], first["size"], first["share"]) == (0, 3, 0.375)
    assert (second["cluster"], second["size"], second["share"]) == (1, 5, 0.625)
    assert first["profile"] == {
        "income": 12.0,
        "member": pytest.approx(2 / 3),
        "mood": pytest.approx(1 / 3),
        "town": {"level": "Bari", "share": pytest.approx(2 / 3)},
        "since": "2020-01-02",
        "same": pytest.approx(7.1),
    }
    assert second["profile"]["income"] == 53.0
    assert second["profile"]["mood"] == 1.75
    assert second["profile"]["town"] == {"level": "Como", "share": 0.75}


def test_difference_of_means_is_in_standard_deviations() -> None:
    first, _ = profile(*data(), LABELS)
    income = np.array([10.0, 12.0, 14.0, 50.0, 52.0, 54.0, 56.0])
    found = telling(first, "income", "mean")
    assert found["difference"] == pytest.approx((12.0 - income.mean()) / income.std(), rel=1e-12)
    assert (found["mean"], found["overall"]) == (12.0, pytest.approx(income.mean()))
    since = telling(first, "since", "mean")
    assert since["mean"] == "2020-01-02"
    assert since["difference"] == pytest.approx(-np.sqrt(5 / 3), rel=1e-3)


def test_level_has_its_lift_and_cohens_h() -> None:
    first, second = profile(*data(), LABELS)
    found = telling(first, "town", "level")
    assert (found["level"], found["share"], found["overall"]) == ("Bari", pytest.approx(2 / 3), pytest.approx(2 / 7))
    assert found["lift"] == pytest.approx((2 / 3) / (2 / 7))
    assert found["difference"] == pytest.approx(2 * np.arcsin(np.sqrt(2 / 3)) - 2 * np.arcsin(np.sqrt(2 / 7)))
    assert {one["column"] for one in second["telling"]} >= {"income", "since"}


def test_a_cluster_told_by_what_is_missing() -> None:
    frame = pd.DataFrame({"x": [1.0, 2.0, 3.0, np.nan, np.nan, np.nan], "town": ["a", "b", "c", None, None, None]})
    schema = infer_schema(frame, problem="clustering", roles={"x": "numeric", "town": "nominal"})
    full, empty = profile(conform(frame, schema, strict=True), schema, np.array([0, 0, 0, 1, 1, 1]))
    assert empty["profile"] == {"x": None, "town": None}
    assert [(one["column"], one["of"], one["share"], one["overall"]) for one in empty["telling"]] == [
        ("x", "missing", 1.0, 0.5),
        ("town", "missing", 1.0, 0.5),
    ]
    assert telling(full, "x", "missing")["difference"] == pytest.approx(-np.pi / 2)


def test_the_most_telling_come_first_and_only_a_few() -> None:
    rng = np.random.default_rng(0)
    labels = np.repeat([0, 1], 100)
    frame = pd.DataFrame({f"c{number}": rng.normal(labels * number, 1.0) for number in range(8)})
    schema = infer_schema(frame, problem="clustering", roles={name: "numeric" for name in frame})
    first, second = profile(frame, schema, labels)
    assert [one["column"] for one in second["telling"]] == ["c7", "c6", "c5", "c4", "c3"]
    assert all(one["difference"] < 0 for one in first["telling"])
    assert all(one["difference"] > 0 for one in second["telling"])


def test_small_differences_and_constants_tell_nothing() -> None:
    frame, schema = data()
    (everything,) = profile(frame, schema, np.zeros(8, dtype=int))
    assert everything["telling"] == []
    assert everything["share"] == 1.0


def test_equal_levels_take_the_first_in_the_alphabet() -> None:
    frame = pd.DataFrame({"town": ["Rome", "Bari", "Rome", "Bari"]})
    schema = infer_schema(frame, problem="clustering", roles={"town": "nominal"})
    (cluster,) = profile(conform(frame, schema, strict=True), schema, np.zeros(4, dtype=int))
    assert cluster["profile"]["town"] == {"level": "Bari", "share": 0.5}


def test_labels_go_by_position_not_by_index() -> None:
    frame, schema = data()
    assert profile(frame.set_index(np.arange(8)[::-1]), schema, LABELS) == profile(frame, schema, LABELS)


def test_profiles_are_facts_and_the_same_every_time() -> None:
    assert canonical_json(profile(*data(), LABELS)) == canonical_json(profile(*data(), LABELS))


@pytest.mark.covers("ex_pca_divisors")
def test_projection_has_the_variances_of_the_worked_example() -> None:
    X = np.array([[2.0, 0, 1], [0, 2, 1], [3, 1, 0], [1, 3, 2], [4, 4, 1]])
    points, ratio = project_2d(X, seed=0)
    assert ratio.tolist() == pytest.approx([0.545454545455, 0.414686619346], abs=1e-9)
    assert 1 - ratio.sum() == pytest.approx(0.0398588351992, abs=1e-9)
    assert points.var(axis=0).tolist() == pytest.approx([2.4, 1.82462112512], abs=1e-9)
    assert points.var(axis=0, ddof=1).tolist() == pytest.approx([3.0, 2.2807764064], abs=1e-9)
    discarded = X.var(axis=0).sum() - points.var(axis=0).sum()
    assert discarded == pytest.approx(0.175378874876, abs=1e-9)


@pytest.mark.parametrize("shape", [(60, 5), (510, 60)], ids=["exact", "randomised"])
def test_projection_is_never_mirrored(shape: tuple[int, int]) -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=shape)
    X[:, 0] *= 50
    X[:, 1] *= -20
    points, ratio = project_2d(X, seed=1)
    assert points.tobytes() == project_2d(X, seed=1)[0].tobytes()
    assert np.corrcoef(points[:, 0], X[:, 0])[0, 1] > 0.99
    assert np.corrcoef(points[:, 1], X[:, 1])[0, 1] > 0.9
    order = rng.permutation(len(X))
    np.testing.assert_allclose(project_2d(X[order], seed=1)[0], points[order], atol=1e-6)
    assert ratio[0] > ratio[1] > 0


def test_projection_of_what_is_flat_already() -> None:
    line, ratio = project_2d(np.array([[1.0], [2.0], [6.0]]), seed=0)
    np.testing.assert_allclose(line, [[-2.0, 0.0], [-1.0, 0.0], [3.0, 0.0]], rtol=1e-12)
    assert ratio.tolist() == [1.0, 0.0]
    for constant in (np.full((4, 3), 0.1), np.array([[1.0, 2.0]])):
        points, ratio = project_2d(constant, seed=0)
        assert not points.any()
        assert not ratio.any()
        assert points.shape == (len(constant), 2)
