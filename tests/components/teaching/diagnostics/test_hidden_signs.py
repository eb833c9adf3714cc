"""Several estimators of one matrix, and a share that is found by its evidence."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.special import expit

from penstock.components.diagnostics import find
from penstock.components.teaching.diagnostics.hidden_signs import (
    compare_estimators,
    fields,
    leading,
    log_evidence,
    maximise_evidence,
    posterior,
    sampled_means,
    up_to_sign,
)
from penstock.errors import DataError

Array = np.ndarray[Any, Any]

THREE = np.array([[0.0, 0.8, -0.3], [0.8, 0.0, 0.5], [-0.3, 0.5, 0.0]])
RHO = float(expit(2 * 0.2))  # a field of 0.2


def comparisons(size: int, noise: float, share: float, seed: int) -> tuple[Array, Array]:
    rng = np.random.default_rng(seed)
    truth = np.where(rng.random(size) < share, 1.0, -1.0)
    upper = np.triu(rng.normal(scale=np.sqrt(noise), size=(size, size)), 1)
    pairs = np.outer(truth, truth) / np.sqrt(size) + upper + upper.T
    np.fill_diagonal(pairs, 0.0)
    return pairs, truth


@pytest.mark.slow
@pytest.mark.covers("cl_pca_phase_transition")
def test_the_leading_direction_knows_nothing_beyond_a_noise_of_one() -> None:
    overlaps = {}
    for noise in (0.25, 0.5, 1.5, 3.0):
        found = []
        for seed in range(4):
            pairs, truth = comparisons(200, noise, 0.5, seed)
            found.append(abs(np.sign(leading(pairs)) @ truth) / 200)
        overlaps[noise] = float(np.mean(found))
    assert overlaps[0.25] > 0.88
    assert overlaps[0.5] > 0.6
    assert overlaps[1.5] < 0.2
    assert overlaps[3.0] < 0.12


def residual(pairs: Array, noise: float, field: float, scale: float) -> float:
    """How far one step of a Gibbs sampler moves the posterior; `scale`: of what the others say."""
    states = np.array(list(product((-1.0, 1.0), repeat=len(pairs))))
    shares = posterior(pairs, noise, float(expit(2 * field)))
    moved = np.zeros(len(states))
    said = scale * fields(states, pairs, noise)
    for row, state in enumerate(states):
        for place in range(len(pairs)):
            up = expit(2 * (said[row, place] + field))
            for sign, chance in ((1.0, up), (-1.0, 1 - up)):
                turned = state.copy()
                turned[place] = sign
                target = int((states == turned).all(axis=1).argmax())
                moved[target] += shares[row] * chance / len(pairs)
    return float(np.abs(moved - shares).max())


@pytest.mark.covers("proc_evidence_maximisation", "ex_card_game_exact_n3")
def test_three_cards_by_hand() -> None:
    found = posterior(THREE, 0.5, RHO)
    assert found == pytest.approx(
        [0.124709710607, 0.117226563918, 0.00924208326309, 0.0874693269725, 0.0586324432829, 0.0137875680695,
         0.174881483272, 0.414050820615], abs=1e-6,
    )  # fmt: skip
    _, means = log_evidence(THREE, 0.5, RHO)
    assert means == pytest.approx([0.32270463048, 0.371287428246, 0.26506855915], abs=1e-6)
    assert residual(THREE, 0.5, 0.2, 1.0) == pytest.approx(0.0, abs=1e-12)
    assert residual(THREE, 0.5, 0.2, np.sqrt(3)) == pytest.approx(0.032175, abs=1e-6)
    _, course, _ = maximise_evidence(THREE, 0.5, RHO)
    assert course[1] == pytest.approx(0.659843436313, abs=1e-6)


@pytest.mark.slow
@pytest.mark.covers("proc_evidence_maximisation")
def test_the_evidence_never_falls_and_ends_at_its_maximum() -> None:
    pairs, truth = comparisons(10, 0.3, 0.9, seed=3)
    rho, course, settled = maximise_evidence(pairs, 0.3, 0.6)
    evidence = [log_evidence(pairs, 0.3, one)[0] for one in course]
    assert settled
    assert np.diff(evidence).min() >= -1e-12
    grid = np.arange(0.5, 1.0, 0.001)
    assert rho == pytest.approx(grid[np.argmax([log_evidence(pairs, 0.3, one)[0] for one in grid])], abs=0.001)
    assert abs(2 * rho - 1) == pytest.approx(abs(truth.mean()), abs=0.2)
    assert maximise_evidence(pairs, 0.3, 0.5)[1] == pytest.approx([0.5, 0.5])  # a fixed point, whatever the data


def test_sampling_finds_what_enumeration_does() -> None:
    pairs, _ = comparisons(8, 0.5, 0.7, seed=1)
    exact = log_evidence(pairs, 0.5, 0.65)[1]
    assert sampled_means(pairs, 0.5, 0.65, seed=0, sweeps=20_000) == pytest.approx(exact, abs=0.03)


@pytest.mark.slow
@pytest.mark.covers("proc_estimator_comparison", "cl_mmse_beats_pca")
def test_the_posterior_mean_beats_pca_on_the_same_pairs() -> None:
    found = []
    for seed in range(4):
        pairs, truth = comparisons(200, 0.5, 0.5, seed)
        estimates = compare_estimators(pairs, 0.5, 0.5, seed=seed)
        found.append({name: up_to_sign(one, truth)["mse"] for name, one in estimates.items()})
    assert all(one["MMSE"] < one["PCA, signs"] for one in found)
    means = pd.DataFrame(found).mean()
    assert means["MMSE"] < means["PCA, shrunk"]
    assert 0.3 < means["MMSE"] < 0.6


@pytest.mark.covers("proc_estimator_comparison")
def test_a_turned_estimate_scores_the_same() -> None:
    pairs, truth = comparisons(12, 0.2, 0.5, seed=0)
    for one in compare_estimators(pairs, 0.2, 0.55).values():
        assert up_to_sign(one, truth) == up_to_sign(-one, truth)
    assert up_to_sign(-truth, truth) == {"overlap": 1.0, "mse": 0.0}


def test_a_table_with_names_and_the_truth() -> None:
    pairs, truth = comparisons(9, 0.1, 0.7, seed=2)
    frame = pd.DataFrame(pairs, columns=[f"p{place}" for place in range(9)]).assign(card=truth)
    found = find("hidden-signs")(frame, {"noise": 0.1, "truth": "card"})
    assert set(found.facts["scores"]) == {"PCA, signs", "PCA, shrunk", "MAP", "MMSE"}
    assert found.facts["scores"]["MAP"]["overlap"] > 0.7
    assert found.findings[0].startswith("The evidence is greatest where")
    assert list(found.table.columns) == ["PCA, signs", "PCA, shrunk", "MAP", "MMSE"]
    assert "says nothing" in find("hidden-signs")(frame, {"noise": 0.1, "truth": "card", "start": 0.5}).findings[1]
    for given, words in (({"noise": 0}, "no variance"), ({"noise": 1, "truth": "cart"}, "no column of signs")):
        with pytest.raises(DataError, match=words) as caught:
            find("hidden-signs")(frame.drop(columns="card"), given)
        assert caught.value.code == "PEN125"
