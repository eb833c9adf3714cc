from __future__ import annotations

import numpy as np
import pytest

from penstock.components.structure.references import references, unimodal

RNG = np.random.default_rng(0)
SKEWED = RNG.exponential(size=(400, 3)) @ np.array([[1.0, 0.6, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 2.0]])


@pytest.mark.parametrize("name", ["uniform", "gaussian", "elliptical", "independent", "copula"])
def test_a_reference_draws_as_many_rows_and_other_ones_every_time(name: str) -> None:
    draw = references(SKEWED)[name]
    first, again, other = (draw(np.random.default_rng(seed)) for seed in (1, 1, 2))
    assert first.shape == SKEWED.shape
    assert np.isfinite(first).all()
    assert (first == again).all()
    assert not np.allclose(first, other)


def mean_of_draws(name: str, rows: np.ndarray, what: object, draws: int = 30) -> np.ndarray:
    draw, rng = references(rows)[name], np.random.default_rng(0)
    return np.mean([what(draw(rng)) for _ in range(draws)], axis=0)  # type: ignore[operator]


def test_uniform_keeps_the_box() -> None:
    box = np.random.default_rng(1).uniform([0, 0], [1, 10], size=(400, 2))
    drawn = references(box)["uniform"](np.random.default_rng(0))
    np.testing.assert_allclose(np.ptp(drawn, axis=0), [1, 10], rtol=0.15)


def test_gaussian_keeps_mean_and_covariance() -> None:
    covariance = mean_of_draws("gaussian", SKEWED, lambda rows: np.cov(rows, rowvar=False))
    np.testing.assert_allclose(covariance, np.cov(SKEWED, rowvar=False), atol=0.12 * np.var(SKEWED, axis=0).max())
    np.testing.assert_allclose(
        mean_of_draws("gaussian", SKEWED, lambda rows: rows.mean(axis=0)), SKEWED.mean(axis=0), atol=0.1
    )


def test_elliptical_keeps_heavy_tails() -> None:
    rng = np.random.default_rng(2)
    rows = rng.standard_normal((500, 2)) / np.sqrt(rng.chisquare(3, size=(500, 1)) / 3)
    factor = [0.5, 0.9, 0.98]

    def lengths(of: np.ndarray) -> np.ndarray:
        return np.quantile(np.linalg.norm(of, axis=1), factor)

    np.testing.assert_allclose(mean_of_draws("elliptical", rows, lengths), lengths(rows), rtol=0.15)
    assert lengths(rows)[2] > 1.3 * mean_of_draws("gaussian", rows, lengths)[0]


def test_independent_keeps_the_columns_and_breaks_what_binds_them() -> None:
    levels = [0.1, 0.5, 0.9]
    kept = mean_of_draws("independent", SKEWED, lambda rows: np.quantile(rows, levels, axis=0))
    np.testing.assert_allclose(kept, np.quantile(SKEWED, levels, axis=0), atol=0.15)
    bound = mean_of_draws("independent", SKEWED, lambda rows: np.corrcoef(rows, rowvar=False)[0, 1])
    assert abs(bound) < 0.05 < 0.3 < np.corrcoef(SKEWED, rowvar=False)[0, 1]


def test_copula_keeps_both() -> None:
    kept = mean_of_draws("copula", SKEWED, lambda rows: np.quantile(rows, [0.1, 0.5, 0.9], axis=0))
    np.testing.assert_allclose(kept, np.quantile(SKEWED, [0.1, 0.5, 0.9], axis=0), atol=0.2)
    bound = mean_of_draws("copula", SKEWED, lambda rows: np.corrcoef(rows, rowvar=False)[0, 1])
    assert bound == pytest.approx(np.corrcoef(SKEWED, rowvar=False)[0, 1], abs=0.1)


def test_two_modes_become_one() -> None:
    rng = np.random.default_rng(3)
    values = np.concatenate([rng.normal(-4, 1, 300), rng.normal(4, 1, 300)])
    drawn = unimodal(values)(np.linspace(0.001, 0.999, 999))
    assert np.mean(np.abs(values) < 1) < 0.02
    assert np.mean(np.abs(drawn) < 1) > 0.08
    assert np.quantile(drawn, [0.05, 0.95]) == pytest.approx(np.quantile(values, [0.05, 0.95]), abs=0.8)


def test_one_mode_stays_as_it_is() -> None:
    values = np.sort(np.random.default_rng(4).lognormal(size=500))
    drawn = unimodal(values)((np.arange(500) + 0.5) / 500)
    np.testing.assert_allclose(drawn[25:475], values[25:475], rtol=0.15)


def test_levels_stay_levels() -> None:
    rows = np.column_stack([np.tile([0.0, 1.0, 1.0], 100), np.random.default_rng(5).normal(size=300)])
    drawn = references(rows)["independent"](np.random.default_rng(0))
    assert np.sort(drawn[:, 0]).tolist() == np.sort(rows[:, 0]).tolist()
