"""When a chain has settled and forgotten: against chains whose times are known, and of the sampled mixture."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy.signal import lfilter
from sklearn.datasets import load_iris, make_blobs

from penstock.components.clustering.gibbs_mixture import GibbsMixture
from penstock.components.diagnostics import find
from penstock.components.teaching.chain_times import (
    autocorrelation,
    decorrelation_lag,
    disagreement,
    effective_size,
    plateau,
    times,
    used_sweeps,
)
from penstock.errors import DataError

pytestmark = pytest.mark.usefixtures("one_thread")


def remembering(length: int, share: float, seed: int) -> np.ndarray:
    """Each value is this share of the last, and new noise: the autocorrelation at lag k is share ** k."""
    return np.asarray(lfilter([1.0], [1.0, -share], np.random.default_rng(seed).normal(size=length)))


@pytest.mark.covers("infer-mcmc-diagnostics", "met_mcmc_times")
@pytest.mark.parametrize("seed", range(3))
def test_times_of_a_chain_that_forgets_by_a_known_law(seed: int) -> None:
    chain = remembering(50_000, 0.9, seed)
    found = times(chain)
    assert found.autocorrelation[:4] == pytest.approx(0.9 ** np.arange(4), abs=0.03)
    assert found.lag == pytest.approx(np.ceil(np.log(0.1) / np.log(0.9)), abs=5)
    assert found.effective == pytest.approx(len(chain) * 0.1 / 1.9, rel=0.2)
    by_hand = np.corrcoef(chain[:-7], chain[7:])[0, 1]
    assert autocorrelation(chain)[7] == pytest.approx(by_hand, abs=0.001)
    independent = np.random.default_rng(seed).normal(size=(4, 5_000))
    assert effective_size(autocorrelation(independent[0])) == pytest.approx(5_000, rel=0.2)
    assert disagreement(list(independent)) < 1.01
    assert disagreement([*independent[:3], independent[3] + 2]) > 1.1


@pytest.mark.covers("proc_mcmc_diagnostics", "met_mcmc_times")
@pytest.mark.parametrize("seed", range(3))
def test_what_comes_before_the_plateau_is_not_used(seed: int) -> None:
    level = remembering(3_000, 0.5, seed)
    sweeps = np.arange(3_000)
    late = level - 200 * np.exp(-sweeps / 40)
    found = times(late)
    assert found.burn_in is not None
    assert 120 < found.burn_in < 600
    assert found.lag is not None
    assert found.autocorrelation[found.lag] < 0.1
    used = used_sweeps(3_000, found.burn_in, found.lag)
    assert used.min() == found.burn_in
    assert late[used].mean() == pytest.approx(level.mean(), abs=0.3)
    assert abs(late.mean() - level.mean()) > 2
    assert plateau(level + sweeps / 50) is None  # it never stops rising
    still = times(np.ones(100))
    assert (still.burn_in, still.lag) == (0, None)


@pytest.mark.covers("proc_mcmc_diagnostics", "plot_mcmc_trace")
def test_chains_of_the_sampled_mixture() -> None:
    found = find("mcmc")(load_iris(as_frame=True).data, {"sweeps": 300, "chains": 3})
    facts = found.facts
    assert facts["settled"]
    assert 0 < facts["burn_in"] < 150
    assert facts["autocorrelation"][facts["lag"]] < 0.1
    assert all(alike >= 0.1 for alike in facts["autocorrelation"][: facts["lag"]])
    assert min(facts["used"]) == facts["burn_in"]
    assert set(np.diff(facts["used"])) == {facts["lag"]}
    assert (found.table["log-likelihood at first"] < facts["log_likelihood"] - 100).all()
    assert facts["r_hat"] < 1.05
    assert sum(facts["effective"]) < 3 * 450
    traces, forgetting = found.figure.axes
    assert [len(line.get_xdata()) for line in traces.lines] == [450, 450, 450, 2]
    assert traces.lines[-1].get_xdata()[0] == facts["burn_in"] + 1
    assert forgetting.lines[-1].get_xdata()[0] == facts["lag"]
    assert decorrelation_lag(np.array(facts["autocorrelation"])) == facts["lag"]


@pytest.mark.covers("proc_mcmc_diagnostics")
def test_chains_that_sit_in_answers_of_their_own_do_not_agree() -> None:
    found = find("mcmc")(load_iris(as_frame=True).data, {"clusters": 6, "sweeps": 300})
    assert found.facts["r_hat"] > 1.1
    assert any("do not agree" in words for words in found.findings)


def test_a_few_rows_get_fewer_clusters_than_they_are() -> None:
    rows = pd.DataFrame({"a": [0.0, 0, 0, 1, 5], "b": [0.0, 0, 0, 1, 5]})
    facts = find("mcmc")(rows, {"clusters": 5, "sweeps": 50}).facts
    assert np.isfinite([facts["log_likelihood"], *facts["effective"]]).all()
    with pytest.raises(DataError, match="PEN356"):
        find("mcmc")(rows.iloc[[0, 0, 0, 0]])


@pytest.mark.covers("proc_mcmc_diagnostics")
def test_the_sampler_uses_no_draw_of_its_burn_in() -> None:
    X, _ = make_blobs(120, centers=[[0, 0], [12, 0], [0, 12]], random_state=0)
    drawn: list[np.ndarray] = []

    class Watched(GibbsMixture):
        def _draw_centres(self, *given: object) -> np.ndarray:
            drawn.append(super()._draw_centres(*given))  # type: ignore[arg-type]
            return drawn[-1]

    model = Watched(3, sweeps=40, start="random", random_state=3).fit(X)
    assert (model.burn_in_, len(drawn), len(model.trace_)) == (20, 60, 60)
    kept = {tuple(sorted(centres[:, 0])) for centres in model.draws_}
    assert kept == {tuple(sorted(centres[:, 0])) for centres in drawn[20:]}
    misfit = ((X[:, None] - model.draws_[-1]) ** 2).sum(axis=2).min(axis=1).sum() / (2 * model.variance_)
    assert model.trace_[-1] == pytest.approx(-misfit - X.size / 2 * np.log(2 * np.pi * model.variance_))
    assert model.trace_[0] < model.trace_[20:].min()
