"""Two hidden groups behind noisy comparisons of all pairs: several estimators of the same matrix, and the evidence.

Of N things each has a sign, +1 with the chance rho. Of each pair the product of the signs over sqrt(N) is seen, with
Gaussian noise of a known variance. The posterior is that of spins in a field h, with rho = e^h / (e^h + e^-h). For few
things it is worked out over all 2^N assignments, beyond that it is sampled, one sign after the other (Gibbs).
"""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pandas as pd
from scipy.special import erf, logit, logsumexp

from penstock.components.diagnostics import Diagnostic, Found
from penstock.components.schema import numbers
from penstock.components.teaching.inputs.matrix import square
from penstock.components.teaching.plots.borders import overlap_curve
from penstock.errors import DataError

Array = np.ndarray[Any, Any]

MAX_EXACT = 14
SWEEPS, BURN_IN = 700, 100
EM_STEPS = 200
EM_STEPS_SAMPLED = 20
TOLERANCE = 1e-10


def fields(signs: Array, pairs: Array, noise: float) -> Array:
    """What the others say of each sign: sum_k S_k Y_kj / (noise sqrt N). Without the root, no chain would be right."""
    said: Array = signs @ pairs / (noise * np.sqrt(len(pairs)))
    return said


def log_evidence(pairs: Array, noise: float, rho: float) -> tuple[float, Array]:
    """log P(Y | rho), over all assignments; and the posterior mean of each sign."""
    states = np.array(list(product((-1.0, 1.0), repeat=len(pairs))))
    logs = _log_posterior(states, pairs, noise, rho)
    upper = np.triu_indices(len(pairs), 1)
    scale = -0.5 * (np.log(2 * np.pi * noise) + (pairs[upper] ** 2 + 1 / len(pairs)) / noise).sum()
    total = float(logsumexp(logs))
    return float(scale) + total, np.exp(logs - total) @ states


def posterior(pairs: Array, noise: float, rho: float) -> Array:
    """Of all assignments, from (-1, ..., -1) to (1, ..., 1)."""
    states = np.array(list(product((-1.0, 1.0), repeat=len(pairs))))
    logs = _log_posterior(states, pairs, noise, rho)
    shares: Array = np.exp(logs - logsumexp(logs))
    return shares


def _log_posterior(states: Array, pairs: Array, noise: float, rho: float) -> Array:
    """But for what all assignments share."""
    bonds = (fields(states, pairs, noise) * states).sum(axis=1) / 2
    ups = (states > 0).sum(axis=1)
    logs: Array = bonds + ups * np.log(rho) + (states.shape[1] - ups) * np.log1p(-rho)
    return logs


def sampled_means(pairs: Array, noise: float, rho: float, *, seed: int, sweeps: int = SWEEPS) -> Array:
    """Posterior means by Gibbs sampling. Where both signs are alike, sweeps are turned to agree with those before."""
    rng = np.random.default_rng(seed)
    couplings = pairs / (noise * np.sqrt(len(pairs)))
    bias = 0.5 * logit(rho)
    signs = np.sign(leading(pairs))
    signs[signs == 0] = 1.0
    field = signs @ couplings
    total = np.zeros(len(pairs))
    for sweep in range(sweeps):
        thresholds = 0.5 * logit(rng.random(len(pairs))) - bias
        for place in range(len(pairs)):
            sign = 1.0 if field[place] > thresholds[place] else -1.0
            if sign != signs[place]:
                signs[place] = sign
                field += 2 * sign * couplings[place]
        if sweep >= BURN_IN:
            turn = -1.0 if bias == 0 and total @ signs < 0 else 1.0
            total += turn * signs
    means: Array = total / max(1, sweeps - BURN_IN)
    return means


def maximise_evidence(pairs: Array, noise: float, start: float, *, seed: int = 0) -> tuple[float, list[float], bool]:
    """rho by expectation maximisation: rho <- (1 + mean of the signs) / 2 until it stays; its course; and if it did.

    The evidence never falls from step to step. 1/2 is a fixed point whatever the data, so start elsewhere.
    """
    exact = len(pairs) <= MAX_EXACT
    course = [start]
    for _ in range(EM_STEPS if exact else EM_STEPS_SAMPLED):
        rho = course[-1]
        means = log_evidence(pairs, noise, rho)[1] if exact else sampled_means(pairs, noise, rho, seed=seed)
        course.append(float(np.clip((1 + means.mean()) / 2, 1e-6, 1 - 1e-6)))
        if abs(course[-1] - course[-2]) < TOLERANCE:
            return course[-1], course, True
    return course[-1], course, False


def leading(pairs: Array) -> Array:
    """The leading eigenvector, of length sqrt(N): PCA."""
    vector: Array = np.linalg.eigh(pairs)[1][:, -1] * np.sqrt(len(pairs))
    return vector


def likeliest(pairs: Array, noise: float, rho: float, *, seed: int) -> Array:
    """The assignment of greatest posterior (MAP): of all, or for many things the best that single turns lead to."""
    if len(pairs) <= MAX_EXACT:
        states = np.array(list(product((-1.0, 1.0), repeat=len(pairs))))
        best: Array = states[_log_posterior(states, pairs, noise, rho).argmax()]
        return best
    starts = [np.sign(leading(pairs)), *np.random.default_rng(seed).choice([-1.0, 1.0], size=(10, len(pairs)))]
    ends = np.array([_descended(np.where(start == 0, 1.0, start), pairs, noise, rho) for start in starts])
    found: Array = ends[_log_posterior(ends, pairs, noise, rho).argmax()]
    return found


def _descended(signs: Array, pairs: Array, noise: float, rho: float) -> Array:
    """Turned one by one while that makes it likelier."""
    signs = signs.copy()
    field, couplings = fields(signs, pairs, noise), pairs / (noise * np.sqrt(len(pairs)))
    while True:
        gain = -signs * (field + 0.5 * logit(rho))
        place = int(gain.argmax())
        if gain[place] <= 1e-12:
            return signs
        signs[place] = -signs[place]
        field += 2 * signs[place] * couplings[place]


def up_to_sign(estimate: Array, truth: Array) -> dict[str, float]:
    """Overlap and mean squared error, at the better of both signs: the pairs do not tell one from the other."""
    sign = 1.0 if estimate @ truth >= 0 else -1.0
    return {
        "overlap": float(abs(np.where(estimate >= 0, 1.0, -1.0) @ truth) / len(truth)),
        "mse": float(np.mean((sign * estimate - truth) ** 2)),
    }


def compare_estimators(pairs: Array, noise: float, rho: float, *, seed: int = 0) -> dict[str, Array]:
    """All from the same pairs: PCA as signs and shrunk, MAP, and the posterior mean, which has least mean square."""
    exact = len(pairs) <= MAX_EXACT and rho != 0.5
    vector = leading(pairs)
    return {
        "PCA, signs": np.where(vector >= 0, 1.0, -1.0),
        "PCA, shrunk": np.sqrt(max(0.0, 1 - noise)) * vector,
        "MAP": likeliest(pairs, noise, rho, seed=seed),
        "MMSE": log_evidence(pairs, noise, rho)[1] if exact else sampled_means(pairs, noise, rho, seed=seed),
    }


def hidden_signs(
    frame: pd.DataFrame,
    *,
    noise: float,
    rho: float | None = None,
    start: float = 0.6,
    truth: str | None = None,
    seed: int = 0,
) -> Found:
    """Estimates of the signs of the rows of a square table; rho by the evidence where it is not given.

    Examples
    --------
    >>> import pandas as pd
    >>> from penstock.components.diagnostics import find
    >>> table = pd.DataFrame([[0.0, 1.1, -0.9], [1.1, 0.0, -1.0], [-0.9, -1.0, 0.0]])
    >>> find("hidden-signs")(table, {"noise": 0.1, "rho": 0.5}).facts["rho"]
    0.5
    """
    known = None if truth is None else _truth(frame, truth)
    names, pairs = square(frame if truth is None else frame.drop(columns=truth))
    pairs = (pairs + pairs.T) / 2
    np.fill_diagonal(pairs, 0.0)
    if noise <= 0 or not 0 < (0.5 if rho is None else rho) < 1 or not 0 < start < 1:
        raise DataError(
            "PEN125",
            f"a noise of {noise:g} and a share of {(start if rho is None else rho):g} are no variance and no share",
            where="--set",
            remedy="give a noise above 0, and rho and start between 0 and 1",
        )
    findings: list[str] = []
    facts: dict[str, Any] = {}
    if rho is None:
        rho, course, settled = maximise_evidence(pairs, noise, start, seed=seed)
        facts["course"] = course
        findings.append(
            f"The evidence is greatest where {rho:.1%} of the signs are +1"
            + (f" ({len(course) - 1} steps)." if settled else f", as far as {len(course) - 1} steps tell.")
        )
        if start == 0.5:
            findings.append("The start of 0.5 says nothing: it stays there whatever the data. Start elsewhere.")
    estimates = compare_estimators(pairs, noise, rho, seed=seed)
    table = pd.DataFrame(estimates, index=names)
    facts["rho"] = rho
    if len(pairs) <= MAX_EXACT:
        facts["log_evidence"] = log_evidence(pairs, noise, rho)[0]
    if known is not None:
        facts["scores"] = {name: up_to_sign(one, known) for name, one in estimates.items()}
        best = min(facts["scores"], key=lambda name: facts["scores"][name]["mse"])
        findings.append(f"Nearest to the truth, up to one sign for all, is {best}.")
    here = facts["scores"]["PCA, signs"]["overlap"] if known is not None else None
    deltas = np.linspace(0.02, max(2.0, 1.2 * noise), 200)
    figure = overlap_curve(deltas, overlap_limit(deltas), (noise, here))
    return Found(findings, table, facts, figure)


def overlap_limit(noise: Array) -> Array:
    """Of the signs of PCA with the truth, for many things: erf(sqrt((1 - noise) / (2 noise))), and nothing beyond 1."""
    return np.asarray(erf(np.sqrt(np.maximum(0.0, 1 - noise) / (2 * noise))))


def _truth(frame: pd.DataFrame, name: str) -> Array:
    if name not in frame.columns or not numbers(frame[name]).isin([-1, 1]).all():
        raise DataError(
            "PEN125",
            f"'{name}' is no column of signs",
            where="--set truth",
            remedy="name a column that holds -1 or 1 in every row, or leave truth out",
        )
    return numbers(frame[name]).to_numpy(float)


DIAGNOSTIC = Diagnostic(
    name="hidden-signs",
    summary="Two hidden groups from noisy comparisons of all pairs: PCA, MAP and posterior mean side by side, and the "
    "share of the groups by evidence",
    function=hidden_signs,
    parameters={
        "noise": "the variance of the noise of a comparison",
        "rho": "the share of things with the sign +1; without it, that of greatest evidence",
        "start": "where the search for that share begins, by default 0.6; not 0.5, where it would stay",
        "truth": "a column of the table with the true signs, to compare the estimates by",
        "seed": "of the sampling, by default 0",
    },
    syllabus=("proc_estimator_comparison", "proc_evidence_maximisation"),
)
