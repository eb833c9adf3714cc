from __future__ import annotations

import pandas as pd
import pytest

from penstock.components.diagnostics import find
from penstock.errors import DataError

TABLE = pd.DataFrame(
    {
        "kind": ["a"] * 6 + ["b", "b", "b", "a"],
        "found": [0] * 8 + [1, 1],
        "same": ["x"] * 6 + ["y", "y", "y", "x"],
        "noisy": [0] * 6 + [1, 1, -1, -1],
    }
)


@pytest.mark.covers("proc_clustering_evaluation", "plot_contingency")
def test_every_clustering_against_the_known_groups() -> None:
    found = find("clusterings")(TABLE, {"truth": "kind"})
    assert found.table.loc["found", ["purity", "purity_unweighted", "rand"]].tolist() == pytest.approx(
        [0.7, 0.625, 0.533333333333], abs=1e-9
    )
    assert found.table.loc["same", "adjusted_rand"] == 1.0
    assert found.facts["noisy"]["noise_share"] == 0.2
    assert found.facts["found"]["ami_normaliser"] == "max"
    assert found.facts["clusterings"] == {"into_as_many": "511", "in_all": "115975"}
    assert "greatest for 'same': 1.000" in found.findings[0]
    assert any("divides by the maximum" in words for words in found.findings)
    assert found.figure is not None
    cells = [text.get_text() for text in found.figure.axes[0].texts]
    assert cells == ["7", "3"]


def test_one_column_has_nothing_to_be_compared_with() -> None:
    with pytest.raises(DataError, match="PEN354"):
        find("clusterings")(TABLE[["kind"]])
