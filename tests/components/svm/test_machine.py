"""The textbook's support vector machine: its multipliers, its bias, its margin, and what must hold at its optimum."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import make_blobs, make_circles, make_classification
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.svm import SVC
from sklearn.utils.estimator_checks import check_estimator

from penstock.components.catalog import build
from penstock.components.kernels.gram import centred
from penstock.components.kernels.kernel import Kernel
from penstock.components.kernels.machine import KernelMachineClassifier
from penstock.components.kernels.quadratic import Solved
from penstock.components.svm.exact import exact
from penstock.components.svm.machine import SupportVectorMachine
from penstock.components.svm.optimum import Audit, audit, bias_of, cases, geometric_margins, separable_by_kernel

pytestmark = pytest.mark.usefixtures("one_thread")

TWO = np.array([[2.0, 0.0], [0.0, 0.0]])
XOR = np.array([[1.0, 1.0], [-1.0, -1.0], [1.0, -1.0], [-1.0, 1.0]])
# Seven points, of which two lie on the edge of the margin and two inside it or on the wrong side.
SEVEN = np.array([[0, 0], [1, 0], [0, 1.5], [2, 2], [3, 3], [1, 3], [2.5, 2]], dtype=float)
SIDES = np.array([-1, -1, -1, 1, 1, 1, -1])
ALPHAS = [0.0, 0.0, 0.769231, 1.0, 0.0, 0.769231, 1.0]
SOLVERS = ["libsvm", "exact", "smo"]


def machine(X: Any, y: Any, weights: Any = None, **given: Any) -> Any:
    """The machine inside the catalogue's method, which adds probabilities to it."""
    settings = {"kernel": "linear", "solver": "exact", "folds": 2, "tol": 1e-9, **given}
    return build("svm", settings, seed=0, problem="classification").fit(X, y, weights).machine_


def normal(model: Any) -> Any:
    return (model.dual_coef_ @ model.support_vectors_)[0]


def noisy(seed: int = 0, rows: int = 80) -> tuple[Any, Any]:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(rows, 2))
    return X, np.where(X[:, 0] + 0.7 * rng.normal(size=rows) > 0, 1, -1)


@pytest.mark.slow
@pytest.mark.parametrize("solver", SOLVERS)
def test_scikit_learn_agrees(solver: str) -> None:
    single = {"check_sample_weight_equivalence_on_dense_data": "libsvm keeps the kernel in single precision"}
    expected = single if solver == "libsvm" else {}
    checked = SupportVectorMachine(solver=solver, tol=1e-10 if solver == "smo" else 1e-6)
    assert len(check_estimator(checked, on_skip=None, expected_failed_checks=expected)) > 30


@pytest.mark.covers("svm-hard-margin", "ex_svm_two_support_vectors", "met_margin_width")
@pytest.mark.parametrize("solver", SOLVERS)
def test_two_points_hold_the_widest_street(solver: str) -> None:
    model = machine(TWO, [1, -1], margin="hard", solver=solver)
    assert np.abs(model.dual_coef_) == pytest.approx(np.array([[0.5, 0.5]]), abs=1e-7)
    assert normal(model) == pytest.approx([1.0, 0.0], abs=1e-7)
    assert model.intercept_ == pytest.approx([-1.0], abs=1e-7)
    assert 2 / np.linalg.norm(normal(model)) == pytest.approx(2.0)
    alpha = 0.5  # the closed form: w = a (x+ - x-), b = 1 - a x+.x+ + a x+.x-
    assert model.intercept_[0] == pytest.approx(1 - alpha * TWO[0] @ TWO[0] + alpha * TWO[0] @ TWO[1])


@pytest.mark.covers("met_margin_width", "ex_margin_scale_invariance")
def test_a_margin_in_the_units_of_the_columns_does_not_hang_on_the_length_of_the_weights() -> None:
    X, signs = np.array([[2.0, 2.0], [0.0, 0.0]]), np.array([1.0, -1.0])
    w, b = np.array([1.0, 1.0]), -2.0
    for times in (1.0, 2.0):
        scores = X @ (times * w) + times * b
        assert geometric_margins(scores, signs, float(np.linalg.norm(times * w))).min() == pytest.approx(
            1.41421356237, abs=1e-9
        )
    model = machine(X, signs, margin="hard")
    length = float(np.linalg.norm(normal(model)))
    assert geometric_margins(model.decision_function(X), signs, length) == pytest.approx([1 / length] * 2)
    assert 2 / length == pytest.approx(np.linalg.norm(X[0] - X[1]))


@pytest.mark.covers("svm-hard-margin")
def test_a_hard_margin_says_where_there_is_none() -> None:
    with pytest.raises(
        ValueError, match=r"no boundary of kernel 'linear' separates the two classes .* take margin='soft'"
    ):
        machine(XOR, [1, 1, 0, 0], margin="hard")
    with pytest.raises(ValueError, match="separates class 'b' from the rest"):
        SupportVectorMachine("linear", margin="hard").fit([[0.0], [1.0], [2.0]], ["a", "b", "c"])
    bent = machine(XOR, [1, 1, 0, 0], margin="hard", kernel="poly", gamma=1.0, degree=2, coef0=1.0)
    assert bent.score(XOR, [1, 1, 0, 0]) == 1.0


@pytest.mark.covers("svm-soft-margin")
@pytest.mark.parametrize("solver", SOLVERS)
def test_what_an_error_costs_bounds_every_multiplier(solver: str) -> None:
    given = {"solver": solver, "folds": 2, "tol": 1e-9}
    model = build("linear-svm", {"C": 0.25, **given}, seed=0, problem="classification").fit(TWO, [1, -1]).machine_
    assert normal(model) == pytest.approx([0.5, 0.0])
    assert sorted(model.dual_coef_[0]) == pytest.approx([-0.25, 0.25])
    hard = build("linear-svm", {"C": 1e10, **given}, seed=0, problem="classification").fit(TWO, [1, -1]).machine_
    assert normal(hard) == pytest.approx([1.0, 0.0], abs=1e-6)
    assert hard.intercept_ == pytest.approx([-1.0], abs=1e-6)


@pytest.mark.covers(
    "svm-dual-qp", "proc_svm_pipeline", "proc_smo_loop", "ex_svm_soft_margin_kkt", "met_svm_duality_gap"
)
@pytest.mark.parametrize("solver", SOLVERS)
def test_seven_points_by_every_solver(solver: str) -> None:
    model = machine(SEVEN, SIDES, solver=solver)
    alpha = np.zeros(7)
    alpha[model.support_] = np.abs(model.dual_coef_[0])
    assert alpha == pytest.approx(ALPHAS, abs=2e-4)
    assert model.support_.tolist() == [2, 3, 5, 6]
    weights = normal(model)
    assert weights == pytest.approx([0.269231, 1.153846], abs=2e-4)
    assert model.intercept_ == pytest.approx([-2.730769], abs=2e-4)
    margins = SIDES * model.decision_function(SEVEN)
    assert margins == pytest.approx([2.730769, 2.461538, 1.0, 0.115385, 1.538462, 1.0, -0.25], abs=2e-4)
    (found,) = model.audits()
    assert (found.outside, found.on_edge, found.inside) == (3, 2, 2)
    assert found.holds()
    assert abs(found.gap) < 1e-6
    assert alpha @ SIDES == pytest.approx(0.0, abs=1e-8)
    free, _ = cases(alpha, np.ones(7))
    offsets = SIDES - SEVEN @ weights
    assert offsets[free].mean() == pytest.approx(-2.730769, abs=2e-4)
    assert offsets.mean() == pytest.approx(-2.403846, abs=2e-4)  # over all points, as printed: not the bias
    # Points without a multiplier can be left out.
    few = machine(SEVEN[model.support_], SIDES[model.support_], solver=solver)
    assert few.decision_function(SEVEN) == pytest.approx(model.decision_function(SEVEN), abs=1e-6)


@pytest.mark.covers("svm-dual-qp", "proc_svm_pipeline", "cl_only_support_vectors_matter")
def test_only_support_vectors_matter() -> None:
    X, y = make_blobs(200, centers=[[-3, 0], [3, 0]], random_state=0)
    for solver in ("libsvm", "exact"):
        whole = machine(X, y, solver=solver)
        few = machine(X[whole.support_], y[whole.support_], solver=solver)
        assert len(whole.support_) < 10
        assert np.r_[normal(few), few.intercept_] == pytest.approx(np.r_[normal(whole), whole.intercept_], abs=1e-4)
    reference = SVC(kernel="linear", tol=1e-9).fit(X, y)
    assert whole.intercept_ == pytest.approx(reference.intercept_, abs=1e-5)
    assert abs(next(whole.audits()).gap) < 1e-6


def test_no_row_between_its_bounds_leaves_a_middle_for_the_bias() -> None:
    signs, upper = np.array([1.0, -1.0]), np.array([0.25, 0.25])
    assert bias_of(upper, signs, np.array([1.0, 0.0]), upper) == pytest.approx(-0.5)
    assert machine(TWO, [1, -1], C=0.25).intercept_ == pytest.approx([-0.5])


@pytest.mark.covers("svm-smo", "proc_smo_loop")
def test_two_multipliers_at_a_time() -> None:
    model = machine(TWO, [1, -1], margin="hard", solver="smo")
    (step,) = model.path()
    assert (step.eta, step.dual) == (4.0, 0.5)
    assert np.abs(model.dual_coef_[0]).tolist() == [0.5, 0.5]

    X, y = noisy()
    model = machine(X, y, solver="smo", kernel="rbf", gamma=0.5, tol=1e-7)
    duals = [step.dual for step in model.path()]
    assert len(duals) > 20
    assert (np.diff(duals) >= 0).all()
    assert duals[-1] == pytest.approx(next(model.audits()).dual, abs=1e-8)
    library = SVC(kernel="rbf", gamma=0.5, tol=1e-9).fit(X, y)
    alphas = np.zeros((2, len(y)))
    alphas[0, model.support_], alphas[1, library.support_] = model.dual_coef_[0], library.dual_coef_[0]
    assert alphas[0] == pytest.approx(alphas[1], abs=1e-4)


@pytest.mark.covers("svm-dual-qp", "svm-smo")
@pytest.mark.parametrize("kernel", ["rbf", "linear"])
@pytest.mark.parametrize("C", [0.1, 1.0])
def test_all_solvers_end_at_the_same_optimum(kernel: str, C: float) -> None:
    X, y = make_classification(400, 10, n_informative=5, flip_y=0.1, random_state=0)
    exact, steps, library = (
        next(SupportVectorMachine(kernel, C, solver=solver, tol=1e-4).fit(X, y).audits())
        for solver in ("exact", "smo", "libsvm")
    )
    assert exact.holds(1e-8)
    assert exact.gap <= 1e-8 * exact.primal
    for other in (steps, library):
        assert other.dual == pytest.approx(exact.dual, rel=1e-5)
        assert other.primal == pytest.approx(exact.primal, rel=1e-3)
        assert other.holds(1e-2)


def thousands() -> tuple[Any, Any]:
    rng = np.random.default_rng(0)
    X = np.round(1000 * rng.normal(size=(60, 3)))
    return X, np.where(X @ [1, 2, 3] + 1500 * rng.normal(size=60) > 0, 1, -1)


@pytest.mark.covers("svm-dual-qp")
@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("size", [1e-3, 1.0, 1e3])
def test_the_size_of_the_columns_is_only_another_C(bias: bool, size: float) -> None:
    X, y = noisy()
    one = SupportVectorMachine("linear", 1.0, bias=bias, solver="exact").fit(X, y)
    other = SupportVectorMachine("linear", 1 / size**2, bias=bias, solver="exact").fit(size * X, y)
    assert other.decision_function(size * X) == pytest.approx(one.decision_function(X), abs=1e-6)
    assert next(other.audits()).gap * size**2 == pytest.approx(0, abs=1e-6)


@pytest.mark.parametrize("bias", [True, False])
def test_columns_in_thousands_are_solved_where_libsvm_would_go_on_for_long(bias: bool) -> None:
    found = next(SupportVectorMachine("linear", 10.0, bias=bias, solver="exact").fit(*thousands()).audits())
    assert abs(found.gap) < 1e-4 * found.primal


def said_by(model: Any, X: Any, y: Any) -> list[str]:
    """Of warnings our own, and not the library's."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        model.fit(X, y)
    assert all(issubclass(one.category, ConvergenceWarning) for one in caught)
    return [str(one.message) for one in caught if "are not those of the optimum" in str(one.message)]


@pytest.mark.covers("svm-dual-qp")
def test_multipliers_short_of_the_optimum_are_said_to_be(monkeypatch: pytest.MonkeyPatch) -> None:
    X, y = noisy()
    early = SupportVectorMachine("rbf", 10.0, max_iter=20)
    (said,) = said_by(early, X, y)
    assert early.n_iter_ == 20
    assert said.endswith("one scale, take a smaller gamma or degree of the kernel, or lower C")
    assert next(early.audits()).gap > 0.01 * next(early.audits()).primal
    assert not said_by(SupportVectorMachine("rbf", 10.0), X, y)

    def off_by(share: float) -> Any:
        return lambda *given: Solved((1 - share) * exact(*given).alpha, 1)

    # Exact are the last digits: what libsvm may leave by its tolerance is far.
    for share, far in ((1e-5, True), (1e-9, False)):
        monkeypatch.setattr("penstock.components.svm.machine.exact", off_by(share))
        model = SupportVectorMachine("rbf", solver="exact", bias=False)
        assert bool(said_by(model, X, y)) is far
        assert next(model.audits()).gap < 0.01 * next(model.audits()).primal


@pytest.mark.covers("svm-dual-qp", "met_svm_duality_gap")
def test_multipliers_far_smaller_than_others_count_where_the_kernel_is_large() -> None:
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.normal(50_000, 20_000, 200), rng.normal(40, 10, 200)])
    y = np.where(X[:, 0] - 50_000 + 5_000 * rng.normal(size=200) > 0, 1, -1)
    (found,) = SupportVectorMachine("linear", 1.0, solver="exact").fit(X, y).audits()
    assert found.primal == pytest.approx(32.525712, abs=1e-5)
    assert found.holds(1e-5)
    assert found.on_edge == 3

    hot = np.array([[0, 1], [0, 1], [1, 0], [0, 1], [1, 0]])
    poly = SupportVectorMachine("poly", 12.0, bias=False, solver="exact", gamma=100.0, coef0=1.0)
    (found,) = poly.fit(hot, [1, -1, 1, -1, -1]).audits()
    assert found.primal == pytest.approx(48.0)
    assert found.gap == pytest.approx(0.0, abs=1e-9)


@pytest.mark.covers("svm-hard-margin", "svm-dual-qp")
@pytest.mark.parametrize("solver", SOLVERS)
def test_columns_far_from_zero_have_the_same_border(solver: str) -> None:
    for far in (1e4, 1e6, 1e8):
        pair = np.array([[far], [far + 1]])
        model = machine(pair, [0, 1], margin="hard", solver=solver)
        assert normal(model) == pytest.approx([2.0], abs=1e-6)
        assert model.intercept_ == pytest.approx([-2 * far - 1], abs=1e-6)
        assert model.decision_function(pair) == pytest.approx([-1.0, 1.0], abs=1e-6)

    X, y = noisy()
    for kernel in ("linear", "poly", "poly + linear"):
        given = {"kernel": kernel, "gamma": 1e-3, "coef0": 1.0, "degree": 2, "solver": solver, "tol": 1e-5}
        near = SupportVectorMachine(**given).fit(10 * X, y)
        moved = SupportVectorMachine(**given).fit(10 * X + 2000 * (kernel == "linear"), y)
        (found,) = moved.audits()
        assert found.gap < 1e-4 * found.primal
        assert moved.decision_function(10 * X + 2000 * (kernel == "linear")) == pytest.approx(
            near.decision_function(10 * X), abs=1e-3
        )


def test_what_all_rows_share_is_taken_off_the_kernel() -> None:
    """libsvm keeps it in single precision, of which a constant of a million leaves nothing."""
    X, y = noisy()
    gram = rbf_kernel(X, gamma=0.5)
    plain, raised = (SupportVectorMachine("precomputed").fit(gram + constant, y) for constant in (0.0, 1e5))
    assert raised.decision_function(gram + 1e5) == pytest.approx(plain.decision_function(gram), abs=5e-3)
    assert centred(gram) is gram
    assert centred(gram + 1e5).mean(axis=0) == pytest.approx(np.zeros(len(y)), abs=1e-9)


@pytest.mark.parametrize("margin", ["soft", "hard"])
@pytest.mark.parametrize("solver", SOLVERS)
def test_a_class_whose_rows_have_no_weight_is_answered_nowhere(solver: str, margin: str) -> None:
    X, y = make_blobs(60, centers=[[-4, 0], [4, 0], [0, 4]], random_state=0)
    model = SupportVectorMachine("linear", solver=solver, margin=margin).fit(X, y, (y != 1).astype(float))
    assert model.classes_.tolist() == [0, 1, 2]
    assert model.decision_function(X)[:, 1] == pytest.approx(-np.ones(60))
    assert model.score(X[y != 1], y[y != 1]) == 1.0


def test_no_steps_at_all_are_refused() -> None:
    with pytest.raises(ValueError, match="'max_iter' parameter"):
        SupportVectorMachine(max_iter=0).fit(*noisy())


@pytest.mark.covers("svm-hard-margin")
@pytest.mark.parametrize("solver", ["exact", "smo"])
def test_a_hard_margin_is_found_or_refused_in_many_dimensions(solver: str) -> None:
    X, y = make_classification(120, 10, n_informative=5, flip_y=0.2, random_state=0)
    hard = SupportVectorMachine("rbf", margin="hard", gamma=1.0, solver=solver, tol=1e-6).fit(X, y)
    assert next(hard.audits()).worst < 1e-5
    library = SVC(kernel="rbf", C=1e10, gamma=1.0, tol=1e-9).fit(X, y)
    assert hard.decision_function(X) == pytest.approx(library.decision_function(X), abs=1e-4)
    with pytest.raises(ValueError, match="no boundary of kernel 'linear' separates the two classes"):
        SupportVectorMachine("linear", margin="hard", solver=solver).fit(X, y)


@pytest.mark.covers("svm-hard-margin")
@pytest.mark.parametrize("most", [0, 200])
@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("solver", ["exact", "smo"])
def test_a_hard_margin_in_the_space_of_a_kernel(
    solver: str, bias: bool, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Said by the rows that follow from others, by a linear programme in few directions, or by the solver itself."""
    monkeypatch.setattr("penstock.components.svm.optimum.MAX_DIRECTIONS", most)
    X, y = noisy()
    given = {"margin": "hard", "bias": bias, "solver": solver, "degree": 2, "coef0": 1.0, "tol": 1e-6}
    with pytest.raises(
        ValueError, match=r"of kernel 'poly' separates the two classes .*, as far as double precision tells"
    ):
        SupportVectorMachine("poly", **given).fit(X, y)
    far = X[np.abs(np.sum(X**2, axis=1) - 1.5) > 0.3]
    ring = np.where(np.sum(far**2, axis=1) > 1.5, 1, -1)
    (found,) = SupportVectorMachine("poly", **given).fit(far, ring).audits()
    assert found.worst < 1e-5
    assert found.holds(1e-4, biased=bias)
    (found,) = SupportVectorMachine("rbf", gamma=1.0, **given).fit(X[:40], y[:40]).audits()
    assert found.worst < 1e-4
    gram = Kernel("poly", degree=2, coef0=1.0)(X)
    assert separable_by_kernel(gram, y.astype(float), bias) is (None if most == 0 else False)
    assert separable_by_kernel(np.eye(4), np.array([1.0, 1.0, -1.0, -1.0]), bias) is True


def test_a_wide_kernel_of_rows_that_all_differ_separates_any_classes() -> None:
    X, y = noisy(rows=60)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # its multipliers are millions
        model = SupportVectorMachine("rbf", margin="hard", gamma=0.3, solver="exact").fit(X, y)
    assert model.score(X, y) == 1.0


@pytest.mark.covers("svm-kkt-audit")
def test_the_audit_passes_at_the_optimum_and_fails_before_it() -> None:
    X, y = noisy()
    library = SVC(kernel="rbf", gamma=0.5, tol=1e-9).fit(X, y)
    alpha = np.zeros(len(y))
    alpha[library.support_] = np.abs(library.dual_coef_[0])
    scores = library.decision_function(X)
    found = audit(alpha, y.astype(float), scores, library.intercept_[0], np.ones(len(y)))
    free, _ = cases(alpha, np.ones(len(y)))
    assert found.on_edge == free.sum() > 0
    assert (y * scores)[free] == pytest.approx(np.ones(free.sum()), abs=1e-6)
    assert found.balance < 1e-8
    assert found.gap < 1e-6
    assert found.slackness < 1e-5
    assert found.holds(1e-5)

    for solver in SOLVERS:  # the same through the catalogue
        (found,) = machine(X, y, kernel="rbf", gamma=0.5, solver=solver).audits()
        assert found.balance < 1e-8
        assert found.gap < 1e-6
        assert found.worst < 1e-6

    with pytest.warns(ConvergenceWarning, match="SMO stopped after 5 steps"):
        early = SupportVectorMachine(kernel="rbf", gamma=0.5, solver="smo", max_iter=5).fit(X, y)
    (found,) = early.audits()
    assert not found.holds(1e-2)
    assert found.gap > 1
    assert found.balance < 1e-8  # every step keeps it


@pytest.mark.covers("svm-kkt-audit", "met_svm_duality_gap")
def test_the_audit_of_multipliers_that_are_wrong_in_known_ways() -> None:
    signs, upper = np.array([1.0, -1.0, 1.0, -1.0]), np.ones(4)
    # On no edge, beyond its bound, at its bound but outside the margin, and without a multiplier in it.
    alpha, scores, bias = np.array([0.25, 1.5, 1.0, 0.0]), np.array([1.2, -0.5, 2.0, -0.7]), 0.1
    found = audit(alpha, signs, scores, bias, upper)
    assert (found.outside, found.on_edge, found.inside) == (1, 1, 2)
    assert found.worst == pytest.approx(1.0)  # the third row: y f = 2 with a = C
    assert found.balance == pytest.approx(0.25)
    assert found.box == pytest.approx(0.5)
    assert found.slackness == pytest.approx(1.0)
    assert (found.primal, found.dual, found.gap) == pytest.approx((2.3375, 1.2125, 1.125))
    assert not found.holds(0.9)

    def only(alpha: list[float], scores: list[float]) -> Any:
        return audit(np.array(alpha), signs, np.array(scores), 0.0, upper)

    assert only([0.5, 0.5, 0, 0], [1.2, -1.0, 1.0, -1.0]).worst == pytest.approx(0.2)
    assert only([0.5, 0.5, 0, 0], [1.2, -1.0, 1.0, -1.0]).slackness == pytest.approx(0.1)
    assert only([0.5, 0.5, 0, 0], [1.0, -1.0, 1.0, -0.6]).worst == pytest.approx(0.4)
    assert only([0.5, 0.5, 0, 0], [1.0, -1.0, 1.0, -0.6]).slackness == pytest.approx(0.4)
    assert only([-0.3, 0.5, 0, 0], [1.0, -1.0, 1.0, -1.0]).box == pytest.approx(0.3)
    for wrong in ({"worst": 1.0}, {"balance": 1.0}, {"box": 1.0}, {"gap": 1.0}):
        right = {**dict.fromkeys(found.as_facts(), 0.0), "primal": 1.0}
        assert Audit(**right).holds()  # type: ignore[arg-type]
        assert not Audit(**{**right, **wrong}).holds()  # type: ignore[arg-type]


@pytest.mark.covers("svm-kernel")
def test_a_kernel_bends_the_border_and_its_map_straightens_it() -> None:
    X, y = make_circles(200, noise=0.05, factor=0.3, random_state=0)
    assert machine(X, y, kernel="rbf", gamma=1.0).score(X, y) == 1.0
    assert machine(X, y, kernel="linear").score(X, y) <= 0.7
    lifted = np.column_stack([X[:, 0] ** 2, X[:, 1] ** 2, np.sqrt(2) * X[:, 0] * X[:, 1]])
    bent = machine(X, y, kernel="poly", gamma=1.0, degree=2, coef0=0.0)
    straight = machine(lifted, y, kernel="linear")
    assert bent.decision_function(X) == pytest.approx(straight.decision_function(lifted), abs=1e-7)
    given = {"kernel": "poly", "gamma": 1.0, "degree": 2, "coef0": 0.0, "folds": 2}
    library = build("svm", given, seed=0, problem="classification").fit(X, y).machine_
    linear = SVC(kernel="linear").fit(lifted, y)
    assert library.decision_function(X) == pytest.approx(linear.decision_function(lifted), abs=1e-6)
    for kernel in ("rbf", "poly", "sigmoid"):  # the library's own way, which is the catalogue's default
        model = build("svm", {"kernel": kernel, "folds": 2}, seed=0, problem="classification").fit(X, y)
        assert isinstance(model.machine_, SVC)


@pytest.mark.covers("svm-representer-primal")
def test_weights_by_row_with_and_without_a_bias() -> None:
    X, y = noisy()
    free = machine(X, y, kernel="rbf", gamma=0.5)
    library = SVC(kernel="rbf", gamma=0.5, tol=1e-9).fit(X, y)
    assert free.decision_function(X) == pytest.approx(library.decision_function(X), abs=1e-5)

    C = 2.0
    bound = machine(X, y, kernel="rbf", gamma=0.5, C=C, bias=False)
    risk = KernelMachineClassifier(kernel="rbf", gamma=0.5, loss="hinge", penalty=1 / (2 * C)).fit(X, y)
    assert bound.intercept_.tolist() == [0.0]
    assert bound.decision_function(X) == pytest.approx(risk.decision_function(X), abs=1e-6)

    # Both forms of the objective have their minimum there: sum + lambda, and mean + lambda / n.
    gram, gamma = rbf_kernel(X, gamma=0.5), np.zeros(len(y))
    gamma[bound.support_] = bound.dual_coef_[0]

    def objectives(g: Any) -> tuple[float, float, float]:
        hinge, length = np.maximum(0, 1 - y * (gram @ g)), g @ gram @ g
        return length / 2 + C * hinge.sum(), hinge.sum() + length / (2 * C), hinge.mean() + length / (2 * C * len(y))

    rng = np.random.default_rng(1)
    for _ in range(20):
        moved = objectives(gamma + 1e-3 * rng.normal(size=len(y)))
        assert all(other > here for other, here in zip(moved, objectives(gamma), strict=True))


def test_kernels_may_be_given_or_made_of_others() -> None:
    X, y = noisy()
    named = machine(X, y, kernel="rbf + 0.5 * linear", gamma=0.5)
    gram = rbf_kernel(X, gamma=0.5) + 0.5 * X @ X.T
    given_gram = SupportVectorMachine(kernel="precomputed", solver="exact").fit(gram, y)
    assert given_gram.decision_function(gram) == pytest.approx(named.decision_function(X), abs=1e-9)


def test_three_classes_and_labels_of_any_kind() -> None:
    X, y = make_blobs(90, centers=3, random_state=2)
    names = np.array(["low", "mid", "high"])[y]
    for solver in SOLVERS:
        model = SupportVectorMachine(solver=solver).fit(X, names)
        assert model.score(X, names) > 0.95
        assert model.decision_function(X).shape == (90, 3)


@pytest.mark.parametrize("scale", [1e-8, 1e-6, 1e6, 1e8])
def test_tiny_and_huge_numbers(scale: float) -> None:
    X, y = noisy()
    for solver in SOLVERS:
        model = SupportVectorMachine(solver=solver).fit(X * scale, y)
        assert model.score(X * scale, y) > 0.7


def test_more_columns_than_rows_and_columns_that_never_change() -> None:
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.normal(size=(20, 200)), np.ones(20)])
    y = np.arange(20) % 2
    model = SupportVectorMachine(kernel="linear", margin="hard").fit(X, y)
    assert model.score(X, y) == 1.0


@pytest.mark.covers("svm-soft-margin", "svm-kernel")
@settings(max_examples=6, deadline=None, derandomize=True)
@given(seed=st.integers(0, 10_000), C=st.floats(0.05, 20.0))
def test_the_linear_kernel_is_the_linear_machine_of_the_catalogue(seed: int, C: float) -> None:
    X, y = noisy(seed, rows=16)
    y[:2] = 1, -1
    model = machine(X, y, C=C)
    given = {"C": C, "solver": "exact", "folds": 2, "tol": 1e-9}
    linear = build("linear-svm", given, seed=0, problem="classification").fit(X, y).machine_
    assert np.array_equal(model.decision_function(X), linear.decision_function(X))

    # What no other machine can undercut: the dual programme's value of multipliers that it allows.
    steered = model.dual_coef_[0]
    assert (steered * y[model.support_] >= 0).all()
    assert np.abs(steered).max() <= C * (1 + 1e-9)
    assert steered.sum() == pytest.approx(0, abs=1e-8 * C)
    w = normal(model)
    bound = np.abs(steered).sum() - w @ w / 2
    losses = np.maximum(0, 1 - y * model.decision_function(X))
    assert w @ w / 2 + C * losses.sum() == pytest.approx(bound, rel=1e-6)
    library = SVC(kernel="linear", C=C, tol=1e-9).fit(X, y)
    assert w == pytest.approx(library.coef_[0], abs=1e-4)


@settings(max_examples=8, deadline=None, derandomize=True)
@given(seed=st.integers(0, 10_000), C=st.floats(0.05, 20.0))
def test_whatever_the_data(seed: int, C: float) -> None:
    """The linear kernel is the linear machine, rows may come in any order, and a weight of two is the row twice."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(24, 3))
    y = np.where(X[:, 0] + rng.normal(size=24) > 0, 1, -1)
    y[:2] = 1, -1
    settings = {"kernel": "linear", "C": C, "solver": "exact"}
    model = SupportVectorMachine(**settings).fit(X, y)
    linear = SVC(kernel="linear", C=C, tol=1e-8).fit(X, y)
    assert model.decision_function(X) == pytest.approx(linear.decision_function(X), abs=1e-4)
    assert (model.dual_coef_ @ model.support_vectors_)[0] == pytest.approx(linear.coef_[0], abs=1e-4)
    order = rng.permutation(24)
    turned = SupportVectorMachine(**settings).fit(X[order], y[order])
    assert turned.decision_function(X) == pytest.approx(model.decision_function(X), abs=1e-6)
    weights = rng.integers(0, 3, 24)
    weights[:2] = 1
    weighted = SupportVectorMachine(**settings).fit(X, y, weights)
    repeated = SupportVectorMachine(**settings).fit(np.repeat(X, weights, axis=0), np.repeat(y, weights))
    assert weighted.decision_function(X) == pytest.approx(repeated.decision_function(X), abs=1e-6)
