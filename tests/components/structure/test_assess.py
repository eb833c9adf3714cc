from __future__ import annotations

import json

import numpy as np
import pytest
from sklearn.datasets import make_blobs, make_moons

from penstock.components.structure.assess import assess_structure
from penstock.errors import DataError


def heavy(rng: np.random.Generator) -> np.ndarray:
    return rng.standard_normal((200, 3)) / np.sqrt(rng.chisquare(3, size=(200, 1)) / 3)


LAWS = {
    "uniform": lambda rng: rng.uniform(size=(200, 2)),
    "gaussian": lambda rng: rng.multivariate_normal([0, 0, 0], [[1, 0.8, 0], [0.8, 1, 0], [0, 0, 4]], size=200),
    "heavy": heavy,
    "exponential": lambda rng: rng.exponential(size=(200, 3)),
    "lognormal": lambda rng: rng.lognormal(size=(200, 2)),
}


@pytest.mark.slow
@pytest.mark.parametrize("law", LAWS)
def test_rows_without_groups(law: str) -> None:
    verdict = assess_structure(LAWS[law](np.random.default_rng(1)), seed=0)
    assert not verdict.structured
    assert verdict.pvalue > verdict.level
    assert verdict.sentence.startswith("No structure: ")


PLANTED = {
    "blobs": make_blobs(200, centers=[[0, 0], [6, 0], [0, 6]], random_state=0)[0],
    "moons": make_moons(200, noise=0.05, random_state=0)[0],
}


@pytest.mark.slow
@pytest.mark.parametrize("groups", PLANTED)
def test_planted_groups(groups: str) -> None:
    verdict = assess_structure(PLANTED[groups], seed=0)
    assert verdict.structured
    assert verdict.pvalue == max(one.pvalue for one in verdict.comparisons) <= verdict.level
    assert {one.reference for one in verdict.comparisons} == {
        "uniform", "gaussian", "elliptical", "independent", "copula",
    }  # fmt: skip
    assert all(one.statistic > np.median(one.draws) for one in verdict.comparisons)
    assert verdict.sentence.startswith("There is structure: ")


@pytest.mark.slow
def test_same_bits_every_time_and_whatever_the_units() -> None:
    rows = PLANTED["blobs"][:60]
    first, again = assess_structure(rows, seed=3, draws=19), assess_structure(rows, seed=3, draws=19)
    assert first.model_dump_json() == again.model_dump_json()
    assert assess_structure(rows, seed=4, draws=19).comparisons != first.comparisons
    assert assess_structure(rows * 1000 + 5, seed=3, draws=19).statistic == pytest.approx(first.statistic, rel=1e-6)


@pytest.mark.slow
def test_few_draws_cannot_prove_anything() -> None:
    verdict = assess_structure(PLANTED["blobs"], seed=0, draws=19)
    assert verdict.pvalue == 1 / 20
    assert not verdict.structured


def test_two_different_rows_are_enough() -> None:
    found = assess_structure(np.repeat([[0.0], [1.0]], [30, 60], axis=0), seed=0)
    assert np.isfinite([found.pvalue, found.statistic]).all()
    json.dumps(found.model_dump(), allow_nan=False)


def test_a_constant_column_and_many_columns_are_no_obstacle() -> None:
    rng = np.random.default_rng(0)
    rows = np.column_stack([rng.normal(size=(60, 40)), np.zeros(60)])
    assert not assess_structure(rows, seed=0, draws=19).structured


@pytest.mark.parametrize(
    ("rows", "code", "words"),
    [
        (np.ones((20, 2)), "PEN351", "all 20 rows are equal"),
        (np.array([[1.0, np.nan]] * 20), "PEN350", "20 of 20 rows have missing"),
        (np.arange(8.0).reshape(4, 2), "PEN352", "4 rows are too few"),
    ],
)
def test_rows_that_cannot_be_judged(rows: np.ndarray, code: str, words: str) -> None:
    with pytest.raises(DataError) as error:
        assess_structure(rows, seed=0)
    assert error.value.code == code
    assert words in error.value.what
    assert error.value.remedy
