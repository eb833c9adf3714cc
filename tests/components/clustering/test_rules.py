from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from penstock.components.clustering.rules import explain_by_tree
from penstock.components.schema import Schema, conform, infer_schema

LEVELS = ["never", "sometimes", "often"]


def table(rows: int = 300, seed: int = 0) -> tuple[pd.DataFrame, Schema, np.ndarray]:
    rng = np.random.default_rng(seed)
    raw = pd.DataFrame(
        {
            "_row_id": [f"r{number}" for number in range(rows)],
            "age": rng.uniform(18, 80, rows),
            "town": rng.choice(["Bari", "Como"], rows),
            "asks": rng.choice(LEVELS, rows),
            "since": pd.Timestamp("2020-01-01") + pd.to_timedelta(rng.integers(0, 1000, rows), unit="D"),
        }
    )
    raw.loc[rng.random(rows) < 0.1, "asks"] = None
    roles = {"age": "numeric", "town": "nominal", "asks": LEVELS, "since": "date"}
    schema = infer_schema(raw, problem="clustering", roles=roles)
    frame = conform(raw, schema, strict=True)
    labels = np.where(frame["age"] > 40, np.where(frame["town"] == "Bari", 2, 1), 0)
    return frame, schema, labels


def test_the_rules_are_those_that_made_the_clusters_and_hold_on_unseen_rows() -> None:
    frame, schema, labels = table()
    found = explain_by_tree((frame[:200], labels[:200]), (frame[200:], labels[200:]), schema, seed=0)
    assert found is not None
    assert found["fidelity"]["value"] > 0.97
    assert found["rows"] == 100
    assert found["guess"] < 0.5
    by_cluster = {rule["cluster"]: rule["conditions"] for rule in found["rules"]}
    assert len(by_cluster[0]) == 1
    assert by_cluster[0][0].startswith(("age ≤ 39", "age ≤ 40"))
    assert any(words in ("town is Bari", "town is not Como") for words in by_cluster[2])
    assert all(rule["share"] > 0.95 for rule in found["rules"])


def test_fidelity_is_of_rows_that_the_tree_has_not_seen() -> None:
    """Labels without rhyme can be learnt by heart, and are not found again."""
    frame, schema, _ = table()
    labels = np.random.default_rng(1).integers(0, 3, len(frame))
    found = explain_by_tree((frame[:200], labels[:200]), (frame[200:], labels[200:]), schema, seed=0)
    assert found is not None
    assert found["fidelity"]["value"] < 0.5


@pytest.mark.parametrize(
    ("column", "at", "words"),
    [("asks", "often", {"asks above sometimes", "asks up to sometimes"}), ("since", None, {"after", "up to"})],
)
def test_orders_and_dates_are_told_in_their_own_words(column: str, at: str | None, words: set[str]) -> None:
    frame, schema, _ = table()
    cut = frame[column] == at if at else frame[column] > pd.Timestamp("2021-06-01")
    labels = np.asarray(cut, dtype=int)
    found = explain_by_tree((frame, labels), (frame, labels), schema, seed=0)
    assert found is not None
    said = [one for rule in found["rules"] for one in rule["conditions"] if one.startswith(column)]
    assert said
    assert all(any(word in one for word in words) for one in said)


def test_one_cluster_needs_no_rules() -> None:
    frame, schema, labels = table(40)
    assert explain_by_tree((frame, labels * 0), (frame, labels * 0), schema, seed=0) is None
