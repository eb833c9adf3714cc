from __future__ import annotations

from math import comb, pi
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.utils.estimator_checks import check_estimator

from penstock.components.bases.functions import FunctionBasis
from penstock.components.bases.polynomial import PolynomialBasis
from penstock.components.bases.radial import RadialBasis
from penstock.components.bases.spline import SplineBasis
from penstock.components.catalog import build
from penstock.errors import UsageError

pytestmark = pytest.mark.usefixtures("one_thread")

Array = np.ndarray[Any, Any]
XOR = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
DIFFERENT = np.array([0, 1, 1, 0])


def basis(name: str, **given: Any) -> Any:
    return build(name, given, seed=0, problem="regression")


@pytest.mark.parametrize(
    "estimator",
    [
        PolynomialBasis(),
        PolynomialBasis(include_bias=True),
        SplineBasis(),
        FunctionBasis(logs="plain"),
        RadialBasis(components=5),
    ],
)
def test_scikit_learn_agrees(estimator: Any) -> None:
    assert len(check_estimator(estimator, on_skip=None)) > 30


@pytest.mark.covers(
    "prep-polynomial-features",
    "proc_basis_expansion_then_linear",
    "ex_polynomial_feature_count",
    "met_polynomial_feature_count",
)
def test_monomials_are_counted_and_a_product_tells_xor() -> None:
    rng = np.random.default_rng(0)
    for columns, degree, count in [(3, 2, 10), (2, 2, 6), (2, 3, 10)]:
        made = basis("polynomial", degree=degree).fit(rng.normal(size=(9, columns)))
        assert len(made.get_feature_names_out()) == count - 1
        whole = basis("polynomial", degree=degree, include_bias=True).fit(X := rng.normal(size=(9, columns)))
        assert (
            whole.transform(X).shape[1] == len(whole.get_feature_names_out()) == count == comb(columns + degree, degree)
        )
        assert (whole.transform(X)[:, 0] == 1).all()
        assert (whole.transform(X)[:, 1:] == basis("polynomial", degree=degree).fit(X).transform(X)).all()
    powers = basis("polynomial", terms="powers", include_bias=True).fit(XOR)
    assert powers.get_feature_names_out(["a", "b"]).tolist() == ["1", "a", "b", "a^2", "b^2"]
    assert powers.transform(XOR).shape == (4, 5)

    products = basis("polynomial", terms="products").fit(XOR)
    assert products.get_feature_names_out(["a", "b"]).tolist() == ["a", "b", "a * b"]
    product = products.transform(XOR)[:, 2]
    assert ((product < 0).astype(int) == DIFFERENT).all()
    raw = LogisticRegression(C=1e6).fit(XOR, DIFFERENT)
    assert (raw.predict(XOR) == DIFFERENT).mean() < 1
    bent = LogisticRegression(C=1e6).fit(products.transform(XOR), DIFFERENT)
    assert (bent.predict(products.transform(XOR)) == DIFFERENT).all()


def test_powers_have_no_interactions_and_say_the_same_as_raw_ones() -> None:
    rng = np.random.default_rng(0)
    X = rng.uniform(1990, 2020, size=(80, 2))
    made = basis("polynomial", degree=3, terms="powers").fit(X)
    assert made.get_feature_names_out(["a", "b"]).tolist() == ["a", "b", "a^2", "b^2", "a^3", "b^3"]
    y = (X[:, 0] - 2005) ** 3 - 2 * (X[:, 1] - 2005) ** 2
    expanded = made.transform(X)
    assert LinearRegression().fit(expanded, y).score(expanded, y) == pytest.approx(1)
    assert np.linalg.cond(expanded) < 100  # of the raw powers it is above 1e10


def test_too_many_terms_are_refused() -> None:
    with pytest.raises(UsageError, match="100 columns have 176,850 terms up to degree 3") as caught:
        basis("polynomial", degree=3).fit(np.zeros((5, 100)))
    assert caught.value.code == "PEN026"
    assert "terms: powers" in caught.value.remedy
    with pytest.raises(UsageError, match="100 columns have 166,750 terms up to degree 3"):
        basis("polynomial", degree=3, terms="products").fit(np.zeros((5, 100)))
    assert basis("polynomial", degree=3, terms="powers").fit(np.zeros((5, 100))).transform(
        np.zeros((1, 100))
    ).shape == (
        1,
        300,
    )


@pytest.mark.covers("prep-function-basis")
def test_the_right_functions_make_a_problem_linear() -> None:
    x = np.linspace(0, 7, 60)[:, None]
    made = basis("functions", squares=False, waves=2, period=2 * pi).fit(x)
    names = made.get_feature_names_out(["x"]).tolist()
    assert names == ["x", "sin 1 x", "cos 1 x", "sin 2 x", "cos 2 x"]
    y = 2 + 3 * np.sin(2 * x[:, 0])
    wave = made.transform(x)[:, [names.index("sin 2 x")]]
    line = LinearRegression().fit(wave, y)
    assert (line.intercept_, line.coef_[0]) == pytest.approx((2, 3), abs=1e-12)
    whole = LinearRegression().fit(made.transform(x), y)
    assert (whole.intercept_, *whole.coef_) == pytest.approx((2, 0, 0, 0, 3, 0), abs=1e-10)

    # By itself the longest wave is as long as the training values reach.
    two = np.column_stack([x[:, 0], 10 * x[:, 0]])
    shown = basis("functions", squares=False, waves=1).fit(two).transform(two)
    for places in ([2, 3], [4, 5]):  # sines, then cosines
        assert shown[:, places] == pytest.approx(np.repeat(shown[:, places[:1]], 2, axis=1))
    assert shown[:, 2] == pytest.approx(np.sin(2 * pi * x[:, 0] / 7))

    angle = np.random.default_rng(0).uniform(0, 2 * pi, 100)
    ring = np.arange(100) % 2
    X = np.column_stack([np.cos(angle), np.sin(angle)]) * np.where(ring, 3.0, 1.0)[:, None]
    bent = basis("functions", squares=False, radius=True).fit(X)
    assert bent.get_feature_names_out(["a", "b"])[-1] == "radius^2"
    assert bent.transform(X)[:, 2] == pytest.approx(np.where(ring, 9.0, 1.0))
    assert LogisticRegression().fit(X, ring).score(X, ring) < 0.8
    assert LogisticRegression().fit(bent.transform(X), ring).score(bent.transform(X), ring) == 1


def test_logarithms_keep_the_sign_and_squares_do_not() -> None:
    made = basis("functions", logs=True).fit([[0.0], [1.0]])
    assert made.transform([[-1.0], [0.0], [np.e - 1]]) == pytest.approx(
        np.array([[-1, 1, -np.log(2)], [0, 0, 0], [np.e - 1, (np.e - 1) ** 2, 1]])
    )


@pytest.mark.covers("prep-function-basis")
def test_plain_logarithms_are_of_columns_above_zero() -> None:
    made = basis("functions", logs="plain", squares=False).fit([[1.0, -1.0], [np.e, 2.0]])
    assert made.get_feature_names_out(["a", "b"]).tolist() == ["a", "b", "log a"]
    assert made.transform([[np.e**2, 5.0], [-3.0, 0.0]]) == pytest.approx(np.array([[np.e**2, 5, 2], [-3, 0, 0]]))
    x = np.linspace(0.1, 9, 40)[:, None]
    line = LinearRegression().fit(made.fit(x).transform(x), 2 + 3 * np.log(x[:, 0]))
    assert (line.intercept_, *line.coef_) == pytest.approx((2, 0, 3), abs=1e-10)


def test_splines_follow_a_curve_and_go_straight_on() -> None:
    x = np.sort(np.random.default_rng(0).uniform(0, 6, 200))[:, None]
    made = basis("spline", n_knots=8).fit(x)
    line = LinearRegression().fit(made.transform(x), np.sin(x[:, 0]))
    assert line.score(made.transform(x), np.sin(x[:, 0])) > 0.999
    beyond = line.predict(made.transform([[7.0], [8.0], [9.0]]))
    assert np.diff(beyond)[0] == pytest.approx(np.diff(beyond)[1])
    assert made.get_feature_names_out(["x"])[0] == "x piece 1"


def test_splines_of_columns_with_few_values() -> None:
    X = np.column_stack([np.full(30, 4.0), np.arange(30) % 2, np.r_[np.zeros(28), 5, 9]])
    made = basis("spline").fit(X)
    shown = made.transform(np.array([[4.0, 0.5, 3.0], [7.0, 2.0, -1.0]]))
    assert np.isfinite(shown).all()
    assert shown.shape[1] == len(made.get_feature_names_out())
    assert (made.get_feature_names_out()[0], shown[1, 0]) == ("x0", 7.0)


@pytest.mark.parametrize("by", ["points", "waves"])
def test_radial_columns_stand_for_the_kernel(by: str) -> None:
    X = np.random.default_rng(0).normal(size=(60, 2))
    made = basis("radial", components=60 if by == "points" else 5000, gamma=0.5, by=by).fit(X)
    columns = made.transform(X)[:, 2:]
    scaled = made.scaler_.transform(X)
    assert columns @ columns.T == pytest.approx(rbf_kernel(scaled, gamma=0.5), abs=1e-6 if by == "points" else 0.08)
    assert np.array_equal(made.transform(X)[:, :2], X)
    assert basis("radial", components=500).fit(X[:5]).transform(X).shape[1] == (2 + 5 if by == "points" else 7)


def test_a_spline_of_straight_pieces_treats_each_column_as_if_alone() -> None:
    X = np.random.default_rng(0).normal(size=(60, 2))
    together = build("spline", {"n_knots": 5, "degree": 1}, seed=0, problem="regression").fit_transform(X)
    alone = [
        build("spline", {"n_knots": 5, "degree": 1}, seed=0, problem="regression").fit_transform(column[:, None])
        for column in X.T
    ]
    np.testing.assert_allclose(together, np.hstack(alone), atol=1e-12)


@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("polynomial", {"degree": 3}),
        ("polynomial", {"terms": "powers"}),
        ("spline", {"n_knots": 5}),
        ("functions", {"squares": False, "waves": 2}),
    ],
    ids=["products", "powers", "spline", "waves"],
)
@settings(max_examples=8, deadline=None, derandomize=True)
@given(seed=st.integers(0, 10_000), exponents=st.lists(st.integers(-9, 9), min_size=2, max_size=2))
def test_what_is_made_of_columns_has_neither_units_nor_an_order_of_rows(
    name: str, parameters: dict[str, Any], seed: int, exponents: list[int]
) -> None:
    rng = np.random.default_rng(seed)
    X, unit, order = rng.normal(size=(30, 2)) + 3, 2.0 ** np.array(exponents), rng.permutation(30)
    made = basis(name, **parameters).fit_transform(X)
    of_order, of_units = (basis(name, **parameters).fit_transform(table) for table in (X[order], X * unit))
    assert of_order == pytest.approx(made[order], abs=1e-9)
    skipped = 2 if name == "functions" else 0  # the columns themselves
    assert of_units[:, skipped:] == pytest.approx(made[:, skipped:], abs=1e-9)
