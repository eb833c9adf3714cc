"""Whether sampled clusters can be believed: when chains settle, how fast they forget, whether they agree."""

from __future__ import annotations

from typing import Annotated

import numpy as np
import pandas as pd
from pydantic import Field
from sklearn.base import clone

from penstock.components.clustering.gibbs_mixture import GibbsMixture
from penstock.components.diagnostics import Diagnostic, Found
from penstock.components.teaching.chain_times import (
    FORGOTTEN,
    Array,
    Times,
    decorrelation_lag,
    disagreement,
    times,
    used_sweeps,
)
from penstock.components.teaching.inputs.linear_problem import MAX_ROWS, SEED
from penstock.components.teaching.inputs.plane import scaled_rows
from penstock.components.teaching.plots.chains import trace_figure

AGREED = 1.01
MIN_LAGS = 20


def mcmc(
    frame: pd.DataFrame,
    *,
    clusters: Annotated[int, Field(ge=1, le=20)] = 3,
    sweeps: Annotated[int, Field(ge=50, le=20_000)] = 600,
    chains: Annotated[int, Field(ge=2, le=10)] = 4,
    seed: int = 0,
) -> Found:
    """Chains of the sampled mixture from random labels; what is watched is the log-likelihood.

    No general rule tells when a chain has converged: that all is well here means that nothing speaks against it.

    Examples
    --------
    >>> import pandas as pd
    >>> from penstock.components.diagnostics import find
    >>> table = pd.DataFrame({"a": [0.0, 0.1, 0.2, 5.0, 5.1, 5.2], "b": [0.0, 0.2, 0.1, 5.0, 5.2, 5.1]})
    >>> find("mcmc")(table, {"clusters": 2, "sweeps": 50, "chains": 2}).facts["settled"]
    True
    """
    X = scaled_rows(frame, most=MAX_ROWS, seed=seed)
    clusters = min(clusters, len(np.unique(X, axis=0)) - 1)
    first = GibbsMixture(clusters, sweeps=sweeps, start="random", random_state=seed).fit(X)
    like = clone(first).set_params(variance=first.variance_)  # chains of one posterior, whatever k-means would find
    others = [clone(like).set_params(random_state=seed + chain).fit(X) for chain in range(1, chains)]
    traces = [model.trace_ for model in (first, *others)]
    found = [times(trace) for trace in traces]
    settled = [one.burn_in for one in found if one.burn_in is not None]
    burn_in = max(settled) if len(settled) == chains else len(traces[0]) // 2
    shortest = min(len(one.autocorrelation) for one in found)
    alike = np.max([one.autocorrelation[:shortest] for one in found], axis=0)
    lag = decorrelation_lag(alike) or len(traces[0])
    shown = max(MIN_LAGS, 4 * lag)
    used = used_sweeps(len(traces[0]), burn_in, lag)
    ratio = disagreement([trace[burn_in:] for trace in traces])
    table = pd.DataFrame(
        [_told(place, trace, one, used) for place, (trace, one) in enumerate(zip(traces, found, strict=True), start=1)]
    ).set_index("chain")
    findings = [
        *_settling([one.burn_in for one in found], burn_in, first.burn_in_),
        f"The autocorrelation is below {FORGOTTEN:g} {lag:,} sweeps apart: of every chain {len(used):,} of "
        f"{len(traces[0]):,} sweeps count, worth {sum(one.effective for one in found):,.0f} independent ones in all.",
        f"R-hat is {ratio:.3f}: "
        + (
            "the chains agree, though they began far apart."
            if ratio < AGREED
            else "the chains do not agree; each may sit in an answer of its own. Sample longer, or take fewer clusters."
        ),
        "No general rule tells when a chain has converged; this can only find that one has not.",
    ]
    facts = {
        "burn_in": burn_in,
        "settled": len(settled) == chains,
        "lag": lag,
        "effective": [one.effective for one in found],
        "autocorrelation": alike[:shown].tolist(),
        "r_hat": ratio,
        "used": used.tolist(),
        "log_likelihood": float(np.mean([trace[used] for trace in traces])),
    }
    drawn = [one.autocorrelation[:shown] for one in found]
    return Found(findings, table, facts, trace_figure(traces, burn_in, drawn, lag, FORGOTTEN))


def _settling(each: list[int | None], burn_in: int, thrown_away: int) -> list[str]:
    late = [place for place, one in enumerate(each, start=1) if one is None]
    if late:
        return [f"Chain {', '.join(map(str, late))}: no plateau was reached; sample longer."]
    enough = "enough" if thrown_away >= burn_in else f"too few: raise sweeps to {2 * burn_in:,}"
    return [
        f"All chains are level after {burn_in:,} sweeps; the method throws away {thrown_away:,}, which is {enough}."
    ]


def _told(place: int, trace: Array, one: Times, used: Array) -> dict[str, object]:
    return {
        "chain": place,
        "burn-in": one.burn_in,
        "lag": one.lag,
        "autocorrelation there": None if one.lag is None else float(one.autocorrelation[one.lag]),
        "effective sweeps": one.effective,
        "log-likelihood at first": float(trace[0]),
        "log-likelihood": float(trace[used].mean()),
    }


DIAGNOSTIC = Diagnostic(
    name="mcmc",
    summary="When chains of the sampled mixture settle, how fast they forget, and whether they agree",
    function=mcmc,
    parameters={
        "clusters": "how many, by default 3",
        "sweeps": "of each chain, after half as many that the method throws away, by default 600",
        "chains": "how many, each from random labels, by default 4",
        "seed": SEED,
    },
    syllabus=("proc_mcmc_diagnostics",),
)
