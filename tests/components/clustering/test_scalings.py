from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.cluster import KMeans
from sklearn.metrics import adjusted_rand_score
from sklearn.preprocessing import StandardScaler

from penstock.components.clustering.scalings import compare_scalings, rescaled, scaled_by
from penstock.components.preprocessing.plan import Group, Plan, Step


def hidden_by_scaling() -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """Groups that lie far apart in the first column; the third, hardly wider than noise, has two modes of its own."""
    rng = np.random.default_rng(0)
    group = np.repeat([-1, 1], 100)
    other = rng.choice([-1, 1], 200)
    X = np.column_stack(
        [3 * group + rng.normal(size=200), rng.uniform(-0.8, 0.8, 200), 0.5 * other + rng.normal(scale=0.02, size=200)]
    )
    return X, group


@pytest.mark.covers("cl_standardisation_obscures_clusters")
def test_standardising_can_hide_the_groups_and_it_is_said() -> None:
    X, group = hidden_by_scaling()
    answers = {
        name: KMeans(2, n_init=20, random_state=0).fit_predict(matrix)
        for name, matrix in {"standard": StandardScaler().fit_transform(X), "none": X}.items()
    }
    assert adjusted_rand_score(group, answers["none"]) > 0.95
    assert adjusted_rand_score(group, answers["standard"]) < 0.2
    found = compare_scalings(answers, "standard")
    assert found["depends"]
    assert found["with_chosen"]["none"] == pytest.approx(adjusted_rand_score(answers["none"], answers["standard"]))
    assert "depends on the scaling" in found["words"]
    assert "'none'" in found["words"]


def test_answers_that_agree_do_not_hang_on_it() -> None:
    labels = np.repeat([0, 1], 20)
    found = compare_scalings({"standard": labels, "none": 1 - labels, "robust": labels}, "standard")
    assert not found["depends"]
    assert found["agreement"] == {"standard and none": 1.0, "standard and robust": 1.0, "none and robust": 1.0}
    assert "at least 1.00" in found["words"]
    assert found["clusters"]["none"] == {"0": 20, "1": 20}
    alone = compare_scalings({"none": labels}, "none")
    assert not alone["depends"]
    assert "no difference" in alone["words"]


def test_only_what_was_scaled_is_scaled_otherwise() -> None:
    plain = Group(role="numeric", columns=["b"])
    scaled = plain.model_copy(update={"scale": Step(name="standard", parameters={"ddof": 1})})
    plan = Plan(problem="clustering", groups=[scaled, plain], left_out={}, text_components=5)
    assert scaled_by(plan) == ["standard"]
    assert [group.scale for group in rescaled(plan, "robust").groups] == [Step(name="robust"), None]
    assert scaled_by(plan.model_copy(update={"groups": [plain]})) == []
