from __future__ import annotations

from typing import Any

from penstock.problems.clustering.number import _samples
from penstock.tasks.document import k_curves


def fit(name: str, number: int, silhouette: float, with_noise: float) -> dict[str, Any]:
    candidate = {"name": name, "number": number, "parameters": {"clusters": 2}}
    scores = {"silhouette": silhouette, "silhouette_with_noise": with_noise, "neg_bic": None}
    return {"candidate": candidate, "sample": [number, number], **scores}


def test_a_method_is_shown_by_its_best_with_noise_counted() -> None:
    """The first keeps to the densest rows; it would be shown, though the other was chosen."""
    fits = [fit("hdbscan", 1, 0.9, 0.2), fit("hdbscan", 2, 0.6, 0.5), fit("k-means", 3, 0.4, 0.4)]
    assert list(_samples({"fits": fits})) == ["hdbscan #2", "k-means #3"]
    assert k_curves({"fits": fits}) == {"hdbscan: silhouette": {2: 0.5}, "k-means: silhouette": {2: 0.4}}


def test_candidates_of_one_method_are_all_shown() -> None:
    fits = [fit("hdbscan", 1, 0.9, 0.2), fit("hdbscan", 2, 0.6, 0.5)]
    assert list(_samples({"fits": fits})) == ["hdbscan #1", "hdbscan #2"]
