"""Diagnostics of linear models and of the solvers that fit them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from penstock.components.catalog import build
from penstock.components.diagnostics import find
from penstock.components.plots.output import to_svg
from penstock.errors import DataError

pytestmark = pytest.mark.usefixtures("one_thread")


def table(*, classes: bool = False, rows: int = 120) -> pd.DataFrame:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(rows, 4))
    value = X @ [2.0, -1.0, 0.3, 0.0] + rng.normal(size=rows)
    frame = pd.DataFrame(X, columns=list("abcd"))
    return frame.assign(y=np.where(value > 0, "yes", "no") if classes else 10 + 5 * value)


def standard(frame: pd.DataFrame) -> tuple[Any, Any]:
    """What solvers are given: columns and target of mean 0 and variance 1; classes as they are."""
    X = frame[list("abcd")].to_numpy()
    y = frame["y"].to_numpy()
    y = (y - y.mean()) / y.std() if y.dtype.kind == "f" else y
    return (X - X.mean(axis=0)) / X.std(axis=0), y


def ask(name: str, frame: pd.DataFrame, **given: Any) -> Any:
    found = find(name)(frame, given)
    if found.figure is not None:
        assert to_svg(found.figure).startswith("<svg")
    return found


@pytest.mark.covers("linreg-ols-inference", "ex_residual_variance")
def test_how_sure_the_weights_of_least_squares_are() -> None:
    found = ask("least-squares", pd.DataFrame({"x": [1, 2, 3, 4, 5], "y": [1, 3, 2, 5, 4]}), target="y")
    assert found.table["weight"].tolist() == pytest.approx([0.6, 0.8])
    assert (found.facts["noise_variance"], found.facts["likelihood_variance"]) == pytest.approx((1.2, 0.72))
    assert np.array(found.facts["covariance"]) == pytest.approx(np.array([[1.32, -0.36], [-0.36, 0.12]]))
    assert found.facts["log_likelihood"] == pytest.approx(-6.273432, abs=1e-6)
    assert found.table["standard error"].tolist() == pytest.approx(np.sqrt([1.32, 0.12]))
    factor = 3.182446 * np.sqrt([1.32, 0.12])  # Student's t of three rows more than weights
    for end, side in (("low", -1), ("high", 1)):
        assert found.table[end].to_numpy() == pytest.approx(np.array([0.6, 0.8]) + side * factor, abs=1e-5)
    other = ask("least-squares", pd.DataFrame({"x": [0, 1, 2, 3], "y": [1.0, 2, 2, 4]}), target="y")
    assert other.table["weight"].tolist() == pytest.approx([0.9, 0.9])
    assert other.facts["noise_variance"] == pytest.approx(0.35)
    assert np.array(other.facts["covariance"]) == pytest.approx(np.array([[0.245, -0.105], [-0.105, 0.07]]))


@pytest.mark.covers("linreg-ols-inference")
def test_the_curvature_is_positive_where_no_column_follows_from_others() -> None:
    frame = table()
    found = ask("least-squares", frame, target="y")
    X = np.column_stack([np.ones(120), frame[list("abcd")]])
    assert found.facts["least_curvature"] == pytest.approx(2 / 120 * np.linalg.eigvalsh(X.T @ X)[0])
    assert found.facts["least_curvature"] > 0.1
    nearly = frame.assign(e=frame["a"] + frame["b"] + 1e-3 * frame["c"] ** 2)
    assert 0 < ask("least-squares", nearly, target="y").facts["least_curvature"] < 1e-5
    follows = frame.assign(e=frame["a"] + frame["b"])
    assert np.linalg.eigvalsh(np.column_stack([X, follows["e"]]).T @ np.column_stack([X, follows["e"]]))[0] < 1e-9
    with pytest.raises(DataError, match="do not settle weights") as caught:
        ask("least-squares", follows, target="y")
    assert caught.value.code == "PEN123"


@pytest.mark.covers("linreg-ols-inference", "cl_ols_unbiased_covariance")
def test_over_many_draws_weights_and_their_covariance_are_right() -> None:
    rng = np.random.default_rng(0)
    X = np.column_stack([np.ones(15), rng.normal(size=(15, 2))])
    true = np.array([1.0, -2.0, 0.5])
    noise = 0.7 * rng.normal(size=(20_000, 15))
    weights = (X @ true + noise) @ np.linalg.pinv(X).T
    assert np.abs(weights.mean(axis=0) - true).max() < 0.01
    frame = pd.DataFrame(X[:, 1:], columns=["a", "b"]).assign(y=X @ true + noise[0])
    found = ask("least-squares", frame, target="y").facts
    expected = 0.49 * np.array(found["covariance"]) / found["noise_variance"]
    assert np.linalg.norm(np.cov(weights.T) - expected) < 0.05 * np.linalg.norm(expected)
    rest = np.sum((X @ true + noise - weights @ X.T) ** 2, axis=1)
    assert rest.mean() / (15 - 3) == pytest.approx(0.49, abs=0.01)
    assert rest[0] / 12 == pytest.approx(found["noise_variance"])


@pytest.mark.covers("met_snr")
def test_twice_the_noise_halves_the_ratio_of_signal_to_noise() -> None:
    frame = table()
    X = np.column_stack([np.ones(120), frame[list("abcd")]])
    noise = np.random.default_rng(1).normal(size=120)
    noise -= X @ np.linalg.lstsq(X, noise, rcond=None)[0]
    signal = 3 * frame["a"] - frame["b"]
    found = [ask("least-squares", frame.assign(y=signal + times * noise), target="y") for times in (1, 2, 4)]
    ratios = [one.facts["signal_to_noise"] for one in found]
    assert ratios[0] == pytest.approx(np.std(signal) / np.sqrt(noise @ noise / 115))
    assert ratios[1:] == pytest.approx([ratios[0] / 2, ratios[0] / 4])
    assert f"varies {ratios[0]:.3g} times as much" in found[0].findings[1]


def _collinear(rng: np.random.Generator, rows: int) -> pd.DataFrame:
    """Ten columns that say two things."""
    base = rng.normal(size=(rows, 2))
    X = base[:, [0, 1] * 5] + 0.05 * rng.normal(size=(rows, 10))
    return pd.DataFrame(X, columns=list("abcdefghij")).assign(y=2 + base.sum(axis=1) + rng.normal(size=rows))


@pytest.mark.slow
@pytest.mark.covers("proc_variance_reduction_decision")
def test_least_squares_that_vary_too_much_give_way_to_a_remedy() -> None:
    rng = np.random.default_rng(0)
    rows, fresh = _collinear(rng, 18), _collinear(rng, 2_000)
    found = ask("variance-reduction", rows, target="y", folds=4)
    ways = ["least squares", "best subset", "sequential", "ridge", "lasso", "elastic net"]
    assert found.table.index.tolist() == ways
    assert found.facts["decision"] in ways[1:]
    assert found.findings == [f"{found.facts['decision'].capitalize()}: {found.facts['reason']}."]
    assert "less than least squares on rows it has not seen" in found.facts["reason"]
    weights = np.array(list(found.facts["weights"].values()))
    design = np.column_stack([np.ones(18), rows[list("abcdefghij")]])
    plain = np.linalg.lstsq(design, rows["y"], rcond=None)[0]
    X, y = fresh[list("abcdefghij")].to_numpy(), fresh["y"].to_numpy()
    assert np.mean((y - found.facts["intercept"] - X @ weights) ** 2) < np.mean((y - plain[0] - X @ plain[1:]) ** 2)
    assert found.facts["condition"] == pytest.approx(
        np.linalg.cond((rows[list("abcdefghij")] - rows[list("abcdefghij")].mean()) / rows[list("abcdefghij")].std()),
    )


@pytest.mark.slow
@pytest.mark.covers("proc_variance_reduction_decision")
def test_many_rows_of_columns_of_their_own_need_no_remedy() -> None:
    frame = table(rows=300).assign(y=lambda rows: rows["y"] + 3 * rows["d"])
    found = ask("variance-reduction", frame, target="y", folds=3)
    assert found.facts["decision"] == "least squares"
    assert found.facts["reason"].startswith("nothing errs clearly less")
    with pytest.raises(DataError, match="no column of numbers") as caught:
        ask("variance-reduction", table(classes=True), target="y")
    assert caught.value.code == "PEN083"


@pytest.mark.covers("linreg-qr-sequential")
def test_each_column_lowers_the_error_by_its_own_direction() -> None:
    frame = table()
    found = ask("least-squares", frame, target="y")
    X = np.column_stack([np.ones(120), frame[list("abcd")]])
    y = frame["y"].to_numpy()
    Q, _ = np.linalg.qr(X)
    whole = y @ y
    assert found.table["lowers the error by"].to_numpy() / whole == pytest.approx((Q.T @ y) ** 2 / whole, abs=1e-12)
    for place in range(6):
        rest = y - X[:, :place] @ np.linalg.lstsq(X[:, :place], y, rcond=None)[0]
        assert found.facts["errors"][place] == pytest.approx(rest @ rest, rel=1e-9)
    assert found.table["weight"].to_numpy() == pytest.approx(np.linalg.lstsq(X, y, rcond=None)[0])


def test_the_path_of_each_penalty() -> None:
    lasso = ask("regularisation-path", table(), target="y")
    assert lasso.facts["order"][:2] == ["a", "b"]
    assert (lasso.table.iloc[0] == 0).all()
    assert lasso.facts["lambdas"] == sorted(lasso.facts["lambdas"], reverse=True)
    ridge = ask("regularisation-path", table(), target="y", method="ridge")
    assert (ridge.table != 0).all(axis=None)
    net = ask("regularisation-path", table(classes=True), target="y", method="elastic-net", l1_ratio=0.8)
    assert net.facts["order"][0] == "a"
    X = np.random.default_rng(0).normal(size=(60, 11))
    many = ask("regularisation-path", pd.DataFrame(X).rename(columns=str).assign(y=X.sum(axis=1)), target="y")
    assert many.findings[0].endswith(" and 3 more.")


def test_one_step_is_one_step_and_large_numbers_are_written_out() -> None:
    assert any(line.startswith("Newton: 1 step; ") for line in ask("solvers", table(), target="y").findings)
    large = table().assign(y=lambda frame: 1e3 * frame["y"])
    asked = [ask("least-squares", large, target="y"), ask("out-of-bag", large, target="y", trees=5)]
    asked.append(ask("bias-variance", large, target="y", models=["linear-regression"], rounds=2))
    assert not [line for found in asked for line in found.findings if "e+" in line]


@pytest.mark.covers("plot_gd_path", "opt-coordinate-descent", "opt-gradient-descent", "opt-newton", "opt-sgd")
@pytest.mark.parametrize("classes", [False, True], ids=["numbers", "classes"])
def test_solvers_reach_the_same_least_loss(classes: bool) -> None:
    found = ask("solvers", table(classes=classes), target="y", batch=30, penalty=1.0)
    X, y = standard(table(classes=classes))
    if not classes:
        ridge = build("ridge", {"alpha": 1.0, "fit_intercept": False}, seed=0, problem="regression").fit(X, y)
        assert [found.facts["weights"][name] for name in "abcd"] == pytest.approx(ridge.coef_, abs=1e-6)
    # 120 rows in batches of 30 are four steps an epoch, in 20 epochs.
    assert found.table.loc["stochastic", ["steps", "passes over the rows"]].tolist() == [80, 20]
    names = ["gradient descent", "searched rate", "conjugate gradients", "Newton", "stochastic", "coordinates"]
    if classes:  # which are no quadratic
        names.remove("conjugate gradients")
    else:
        assert found.table.loc["conjugate gradients", "steps"] <= 4  # as many as weights
    assert found.table.index.tolist() == names
    assert (found.table.loc[[name for name in names if name != "stochastic"], "above the least"] < 1e-5).all()
    assert found.table.loc["stochastic", "above the least"] < 0.01
    assert found.table.loc["Newton", "steps"] <= (1 if not classes else 8)
    contours, gaps = found.figure.axes
    assert len(gaps.get_lines()) == len(names)
    assert contours.collections  # the loss below the paths
    assert {line.get_label() for line in gaps.get_lines()} == set(names)


@pytest.mark.slow
@pytest.mark.covers("opt-sgd", "ex_batch_bookkeeping")
def test_two_hundred_rows_in_batches_of_five_are_forty_steps_an_epoch() -> None:
    rng = np.random.default_rng(0)
    rows = pd.DataFrame(rng.normal(size=(200, 2)), columns=["a", "b"]).assign(y=rng.normal(size=200))
    found = ask("solvers", rows, target="y", batch=5, epochs=1000)
    assert found.table.loc["stochastic", ["steps", "rule"]].tolist() == [40_000, "most"]


@pytest.mark.slow
@pytest.mark.covers("opt-sgd")
def test_rates_of_batches_do_not_transfer_between_conventions() -> None:
    """120 rows in batches of 30: over all rows a batch's gradient is a quarter of its mean, and its sum is 30 times."""
    rate = {"mean": 0.1, "whole": 0.4, "sum": 0.1 / 30}

    def stochastic(prefactor: str, rate: float) -> float:
        found = ask("solvers", table(), target="y", batch=30, prefactor=prefactor, rate=rate)
        return float(found.table.loc["stochastic", "value"])

    ends = [stochastic(prefactor, rate[prefactor]) for prefactor in rate]
    assert ends[1:] == pytest.approx([ends[0]] * 2, rel=1e-9)
    assert stochastic("whole", 0.1) > ends[0] + 1e-6  # too slow
    assert stochastic("sum", 0.1) > 1e3  # beyond what converges


@pytest.mark.covers("opt-coordinate-descent", "opt-subgradient")
def test_a_penalty_on_sizes_takes_subgradients() -> None:
    found = ask("solvers", table(), target="y", penalty=40.0, on="sizes")
    assert found.table.index.tolist() == ["subgradient descent", "stochastic", "coordinates"]
    assert found.table.loc["subgradient descent", "weights at zero"] == 0
    X, y = standard(table())
    lasso = build(
        "lasso", {"alpha": 40 / (2 * 120), "fit_intercept": False, "tol": 1e-12}, seed=0, problem="regression"
    )
    assert [found.facts["weights"][name] for name in "abcd"] == pytest.approx(lasso.fit(X, y).coef_, abs=1e-5)
    assert 0.0 in lasso.coef_
    value = np.mean((y - X @ lasso.coef_) ** 2) + 40 / 120 * np.abs(lasso.coef_).sum()
    assert found.facts["least"] == pytest.approx(value, abs=1e-9)
    assert found.table.loc["subgradient descent", "above the least"] < 0.01


@pytest.mark.slow
@pytest.mark.covers("plot_lr_curves", "proc_learning_rate_rule")
def test_rates_that_are_too_small_right_and_too_large() -> None:
    found = ask("learning-rates", table(), target="y")
    values = found.table["value"]
    rates = [name for name in values.index if name.startswith("rate")]
    assert found.facts["diverging"] == [rates[-1].removeprefix("rate ")]
    assert values[rates[0]] > values[rates[1]] > values[rates[2]] - 1e-9
    assert values[rates[-1]] > 100 * values[rates[2]]
    left, right = found.figure.axes
    assert {line.get_label() for line in left.get_lines()} == {*rates, "momentum 0.9", "adaptive"}
    assert {line.get_label() for line in right.get_lines()} == {
        f"stochastic, {kind}" for kind in ("constant", "step", "cosine", "linear")
    }
    wild = ask("learning-rates", table(), target="y", rates=[found.facts["limit"] * 3], steps=200)
    assert wild.table.iloc[0]["ended"].startswith("it diverged")


@pytest.mark.slow
@pytest.mark.covers("proc_stopping_criteria", "proc_gd_loop_dual_stop")
def test_every_rule_ends_training_by_itself_and_is_named() -> None:
    rng = np.random.default_rng(1)
    noisy = pd.DataFrame(rng.normal(size=(40, 12))).add_prefix("x").assign(y=rng.normal(size=40))
    found = ask("stopping-rules", noisy, target="y", validation_fraction=0.4, patience=10, eps=1e-4)
    assert found.facts["fired"] == {
        "step": "step", "gradient": "gradient", "error": "error", "validation": "validation", "most": "most",
    }  # fmt: skip
    assert found.table.loc["validation", "loss on other rows"] < found.table.loc["gradient", "loss on other rows"]
    assert found.table.loc["gradient", "training loss"] < found.table.loc["validation", "training loss"]
    capped = ask("stopping-rules", noisy, target="y", most=10)
    assert capped.facts["fired"]["gradient"] == "most"


@pytest.mark.covers("opt-multi-start", "proc_restarts")
def test_several_starts_end_at_different_heights() -> None:
    found = ask("restarts", table(classes=True), target="y", starts=6, spread=20.0)
    ends = found.facts["ends"]
    assert found.facts["best"] == min(ends)
    assert max(ends) > 1.05 * min(ends)
    assert "several are worth their time" in found.findings[1]


def lines(text: str) -> pd.DataFrame:
    header, *rows = (line.split(",") for line in text.split())
    frame = pd.DataFrame(rows, columns=header)
    return frame.assign(**{name: pd.to_numeric(frame[name]) for name in header if name != "relation"})


@pytest.mark.covers("opt-linear-program")
def test_a_linear_programme_from_a_table() -> None:
    found = ask("programme", lines("x,y,relation,bound 3,5,max, 1,0,<=,4 0,2,<=,12 3,2,<=,18 1,0,>=,0 0,1,>=,0"))
    assert found.facts["x"] == pytest.approx({"x": 2, "y": 6})
    assert found.facts["value"] == pytest.approx(36) == found.facts["dual"]
    assert list(found.facts["multipliers"].values()) == pytest.approx([0, 1.5, 1, 0, 0])
    assert "all conditions hold" in found.findings[2]


@pytest.mark.covers("opt-quadratic-program", "opt-lagrangian-dual")
def test_a_quadratic_programme_from_a_table() -> None:
    found = ask("programme", lines("x,y,relation,bound 0,0,min, 1,0,curvature, 0,1,curvature, 1,1,>=,2"))
    assert found.facts["x"] == pytest.approx({"x": 1, "y": 1})
    assert list(found.facts["multipliers"].values()) == pytest.approx([1])
    assert max(found.facts["residuals"].values()) < 1e-6
    (axes,) = found.figure.axes
    dual = axes.get_lines()[0]
    assert max(dual.get_ydata()) == pytest.approx(found.facts["value"])
    line = ask("programme", lines("x,relation,bound 0,min, 2,curvature, 1,>=,1"))  # x² where x is at least 1
    assert (line.facts["value"], list(line.facts["multipliers"].values())) == (pytest.approx(1), pytest.approx([2]))
    shares, duals = line.figure.axes[0].get_lines()[0].get_data()
    prices = 2 * shares
    assert duals == pytest.approx(prices - prices**2 / 4)
    assert prices[duals.argmax()] == pytest.approx(2)
    equal = ask("programme", lines("x,y,relation,bound 0,0,min, 2,0,curvature, 0,2,curvature, 1,1,=,1"))
    assert equal.facts["x"] == pytest.approx({"x": 0.5, "y": 0.5})
    assert list(equal.facts["multipliers"].values()) == pytest.approx([-1])
    # The widest margin between (2, 0) and (0, 0): a bias has no curvature.
    rows = "0,0,0,min, 1,0,0,curvature, 0,1,0,curvature, 0,0,0,curvature, 2,0,1,>=,1 0,0,-1,>=,1"
    margin = ask("programme", lines(f"w1,w2,b,relation,bound {rows}"))
    assert margin.facts["x"] == pytest.approx({"w1": 1, "w2": 0, "b": -1}, abs=1e-9)
    assert (margin.facts["value"], margin.facts["dual"]) == pytest.approx((0.5, 0.5), abs=1e-9)
    assert list(margin.facts["multipliers"].values()) == pytest.approx([0.5, 0.5], abs=1e-9)


@pytest.mark.parametrize(
    ("text", "code", "words"),
    [
        ("x,relation,bound 1,min, 1,=<,3", "PEN063", "'=<' is no relation"),
        ("x,relation,bound 1,<=,3", "PEN063", "0 rows of cost"),
        ("x,relation,bound 1,min, 1,>=,", "PEN063", "no number as bound"),
        ("x,relation,bound 1,min, 1,<=,3", "PEN064", "falls without end"),
        ("x,relation,bound 1,min, 1,<=,3 1,>=,4", "PEN064", "no point meets"),
        ("x,relation,bound 1,min, -1,curvature, 1,<=,3", "PEN064", "the programme is not convex"),
        ("x,relation,bound 1,max, 1,curvature, 1,<=,3", "PEN064", "the programme is not convex"),
    ],
)
def test_programmes_that_cannot_be_solved(text: str, code: str, words: str) -> None:
    with pytest.raises(DataError, match=words) as caught:
        ask("programme", lines(text))
    assert caught.value.code == code


@pytest.mark.covers("linreg-inverse-problem")
def test_a_picture_through_sums_and_through_waves() -> None:
    seen = ask("reconstruction", pd.DataFrame([[1.0, 2], [3, 4]]), measure="sums")
    assert seen.facts["rank"] == 3
    assert np.array(seen.facts["found"]) == pytest.approx(np.array([[1, 2], [3, 4]]))
    fooled = ask("reconstruction", pd.DataFrame([[2.0, 0], [0, 2]]), measure="sums")
    assert np.array(fooled.facts["found"]) == pytest.approx(np.ones((2, 2)))
    rng = np.random.default_rng(0)
    picture = pd.DataFrame(rng.normal(size=(4, 5)))
    for solver in ("least-norm", "ridge", "lasso"):
        waves = ask("reconstruction", picture, measure="fourier", solver=solver, penalty=1e-10)
        assert waves.facts["off"] < 1e-8


@pytest.mark.covers("linreg-inverse-problem")
def test_what_penalties_make_of_a_picture_seen_through_waves() -> None:
    """The waves are orthonormal: of lambda 1, ridge halves every place, and the lasso takes half from its size."""
    truth = np.random.default_rng(0).normal(size=(4, 5))
    small, near = (
        np.array(
            ask("reconstruction", pd.DataFrame(truth), measure="fourier", solver=solver, penalty=1.0).facts["found"]
        )
        for solver in ("ridge", "lasso")
    )
    assert small == pytest.approx(truth / 2)
    assert near == pytest.approx(np.sign(truth) * np.maximum(0, np.abs(truth) - 0.5), abs=1e-6)


@pytest.mark.covers("proc_compressed_sensing_flow")
def test_few_waves_are_recovered_from_part_of_the_measurements() -> None:
    places = np.arange(64)
    picture = np.cos(np.pi * 5 * (places + 0.5) / 64) - 0.7 * np.cos(np.pi * 21 * (places + 0.5) / 64)
    frame = pd.DataFrame(picture.reshape(8, 8))
    given: dict[str, Any] = {"measure": "random", "share": 0.4}
    assert ask("reconstruction", frame, solver="cosines", penalty=1e-4, **given).facts["off"] < 0.05
    assert ask("reconstruction", frame, solver="least-norm", **given).facts["off"] > 0.5


@pytest.mark.slow
@pytest.mark.covers("plot_loss_functions", "ex_losses_far_correct")
def test_losses_of_margins_and_of_residuals() -> None:
    found = ask("losses", table(classes=True), target="y")
    above, _ = found.figure.axes
    drawn = {line.get_label(): line for line in above.get_lines()}
    assert set(drawn) == {"0-1", "squared", "perceptron", "hinge", "logistic"}
    grid = drawn["hinge"].get_xdata()
    assert drawn["hinge"].get_ydata() == pytest.approx(np.maximum(0, 1 - grid))
    assert found.table.loc["perceptron", "share from the worst rows"] == pytest.approx(1)
    plain = ask("losses", table(), target="y")
    assert {line.get_label() for line in plain.figure.axes[0].get_lines()} == {
        "squared", "absolute", "epsilon-insensitive",
    }  # fmt: skip
    shares = plain.table["share from the worst rows"]
    assert shares["squared"] > shares["absolute"]


@pytest.mark.covers("plot_penalty_contours")
def test_a_diamond_touches_at_a_corner_and_shrinkage_has_its_shapes() -> None:
    found = ask("penalties", table(), target="y", share=0.2)
    assert found.facts["zero"] == ["b"]
    assert found.table.loc["|w|^2", "b"] != 0
    left, right = found.figure.axes
    assert left.collections
    curves = {line.get_label(): line for line in right.get_lines()}
    at = {
        name: dict(zip(np.round(line.get_xdata(), 2), line.get_ydata(), strict=True)) for name, line in curves.items()
    }
    assert at["|w|^2"][2.0] == pytest.approx(1.0)  # 1 / (1 + lambda)
    assert at["|w|^1"][2.0] == pytest.approx(1.0)  # soft threshold
    assert at["|w|^1"][0.9] == 0.0
    assert at["|w|^2"][0.9] == pytest.approx(0.45)
    assert at["|w|^0.5"][1.4] == 0.0
    assert at["|w|^0.5"][2.0] == pytest.approx(1.605378, abs=1e-5)
