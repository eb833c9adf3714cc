from __future__ import annotations

from math import factorial

import pytest

from penstock.components.teaching.clustering.counts import all_clusterings, clusterings


@pytest.mark.covers("met_partition_counts")
def test_into_so_many_clusters() -> None:
    asked = [(4, 2), (10, 3), (10, 4), (19, 4), (5, 5)]
    assert [clusterings(*one) for one in asked] == [7, 9330, 34105, 11259666950, 1]
    rough = [k**n / factorial(k) for n, k in asked]
    assert rough == pytest.approx([8.0, 9841.5, 43690.6666667, 11453246122.7, 26.0416666667], rel=1e-9)
    assert clusterings(19, 4) == pytest.approx(rough[3], rel=0.02)


@pytest.mark.covers("met_partition_counts")
def test_into_any_number() -> None:
    assert [all_clusterings(rows) for rows in range(11)] == [1, 1, 2, 5, 15, 52, 203, 877, 4140, 21147, 115975]
    assert all_clusterings(10) == sum(clusterings(10, k) for k in range(1, 11))
