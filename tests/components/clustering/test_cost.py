from __future__ import annotations

import pytest

from penstock.components.catalog import entries
from penstock.components.clustering.cost import estimate, require_affordable
from penstock.errors import ClusteringError

GB = 1e9


def test_every_clusterer_has_an_estimate() -> None:
    names = [entry.name for entry in entries().values() if entry.kind == "clusterer"]
    costs = {name: estimate(name, 10_000, 20) for name in names}
    assert None not in costs.values()
    quadratic = {name for name, cost in costs.items() if cost and cost.memory == "quadratic"}
    assert quadratic == {"agglomerative", "dbscan", "k-medoids", "kernel-k-means"}
    for name in names:
        small, large = estimate(name, 10_000, 20), estimate(name, 20_000, 20)
        assert small is not None
        assert large is not None
        ratio = large.bytes / small.bytes
        assert ratio == pytest.approx(4 if name in quadratic else 2, rel=0.6), name
        assert all(word in entries() for word in small.alternative.replace("or ", "").split(", ")[0].split(" ")[:1])


def test_a_quadratic_method_on_a_million_rows_is_refused_with_the_estimate() -> None:
    with pytest.raises(ClusteringError) as caught:
        require_affordable("agglomerative", 1_000_000, 20, {"clusters": 5}, limit=4 * GB)
    error = caught.value
    assert error.code == "PEN338"
    assert "8.0 TB" in error.what
    assert "1,000,000 rows by 20 columns" in error.what
    assert "the limit is 4.0 GB" in error.what
    assert "k-means-linkage" in error.remedy
    assert "22,360 rows" in error.remedy


@pytest.mark.parametrize("name", ["hdbscan", "mean-shift", "spectral"])
def test_quadratic_time_on_a_million_rows_is_refused_where_time_is_limited(name: str) -> None:
    require_affordable(name, 1_000_000, 20, limit=4 * GB)
    with pytest.raises(ClusteringError) as caught:
        require_affordable(name, 1_000_000, 20, limit=4 * GB, seconds=600)
    error, cost = caught.value, estimate(name, 1_000_000, 20)
    assert cost is not None
    assert error.code == "PEN338"
    assert f"about {cost.seconds:,.0f} s" in error.what
    assert "the limit is 600 s" in error.what
    assert cost.alternative in error.remedy
    assert "limits.seconds" in error.remedy
    most = int(1_000_000 * (600 / cost.seconds) ** 0.5)
    assert f"at most {most:,} rows" in error.remedy
    nearly = estimate(name, most, 20)
    assert nearly is not None
    assert nearly.seconds == pytest.approx(600, rel=0.2)


@pytest.mark.parametrize("name", ["k-means", "mini-batch-k-means", "birch", "k-means-linkage", "gaussian-mixture"])
def test_linear_methods_take_a_million_rows(name: str) -> None:
    require_affordable(name, 1_000_000, 20, {"clusters": 8}, limit=2 * GB)


def test_parameters_can_make_a_method_quadratic() -> None:
    require_affordable("spectral", 100_000, 20, {}, limit=2 * GB)
    for name, given in (("spectral", {"affinity": "gaussian"}), ("hdbscan", {"dissimilarity": "gower"})):
        with pytest.raises(ClusteringError):
            require_affordable(name, 100_000, 20, given, limit=2 * GB)


def test_of_a_stranger_nothing_is_known() -> None:
    assert estimate("mine", 10, 2) is None
    require_affordable("mine", 10**9, 100, limit=1.0)
