"""How often even the best classifier would be wrong."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from scipy.special import logsumexp
from scipy.stats import multivariate_normal

from penstock.components.diagnostics import Diagnostic, Found
from penstock.components.schema import numbers, require_columns
from penstock.components.teaching.inputs.matrix import finite
from penstock.components.teaching.known_densities import known_densities
from penstock.errors import DataError

Array = np.ndarray[Any, Any]

DRAWS = 100_000
MAX_CLASSES = 20
# Of the largest variance: how thick clouds are where columns follow from each other. The same for all, it cancels.
THICKNESS = 1e-8


def bayes_error(posteriors: Array, weight: Array | None = None) -> float:
    """1 - E max p(class | x), over rows x: what is left when the likeliest class is answered everywhere."""
    return 1 - float(np.average(posteriors.max(axis=1), weights=weight))


def gaussian_posteriors(X: Array, shares: Array, means: Sequence[Array], covariances: Sequence[Array]) -> Array:
    """Of classes that are Gaussian clouds."""
    logs = [
        np.log(share) + multivariate_normal.logpdf(X, mean, covariance).reshape(len(X))
        for share, mean, covariance in zip(shares, means, covariances, strict=True)
    ]
    joint = np.stack(logs, axis=1)
    posteriors: Array = np.exp(joint - logsumexp(joint, axis=1, keepdims=True))
    return posteriors


def gaussian_bayes_error(
    shares: Array, means: Sequence[Array], covariances: Sequence[Array], *, draws: int = DRAWS, seed: int = 0
) -> tuple[float, float]:
    """By rows drawn from the clouds; and the standard error that drawing them leaves."""
    rng = np.random.default_rng(seed)
    counts = rng.multinomial(draws, shares)
    parts = [
        rng.multivariate_normal(mean, covariance, size=count)
        for mean, covariance, count in zip(means, covariances, counts, strict=True)
    ]
    posteriors = gaussian_posteriors(np.concatenate(parts), shares, means, covariances)
    return bayes_error(posteriors), float(posteriors.max(axis=1).std() / np.sqrt(draws))


def bayes_error_of_table(
    frame: pd.DataFrame,
    *,
    target: str,
    densities: dict[str, Any] | None = None,
    priors: dict[str, float] | None = None,
    draws: int = DRAWS,
    seed: int = 0,
) -> Found:
    """The error of the best classifier, if each class were a Gaussian cloud like the rows it has here.

    Examples
    --------
    >>> import pandas as pd
    >>> from penstock.components.diagnostics import find
    >>> table = pd.DataFrame({"x": [-2.0, 0.0, 2.0, 0.0, 2.0, 4.0], "class": ["no"] * 3 + ["yes"] * 3})
    >>> densities = {"no": [{"family": "normal", "loc": 0}], "yes": [{"family": "normal", "loc": 2}]}
    >>> given = {"target": "class", "densities": densities, "priors": {"no": 0.5, "yes": 0.5}}
    >>> round(float(find("bayes-error")(table, given).facts["least_error"]), 3)
    0.159
    """
    require_columns(frame, [target])
    if densities is not None:
        return known_densities(frame, target, densities, priors, draws=draws, seed=seed)
    X, labels = _table(frame, target)
    classes, counts = np.unique(labels, return_counts=True)
    parts = [X[labels == name] for name in classes]
    shares, means = counts / counts.sum(), [part.mean(axis=0) for part in parts]
    covariances = _thickened([np.atleast_2d(np.cov(part.T)) for part in parts])
    error, spread = gaussian_bayes_error(shares, means, covariances, draws=draws, seed=seed)
    answered = gaussian_posteriors(X, shares, means, covariances).argmax(axis=1)
    wrong = float(np.mean(classes[answered] != labels))
    likeliest = 1 - float(shares.max())
    findings = [
        f"If each class were a Gaussian cloud like its rows here, the best classifier would be wrong in {error:.2%} of "
        f"all rows (+- {2 * spread:.2%} by drawing), and none in fewer.",
        f"That classifier is wrong in {wrong:.2%} of these rows, from which the clouds were learnt; always answering "
        f"'{classes[counts.argmax()]}' in {likeliest:.2%}.",
    ]
    table = pd.DataFrame({"class": classes.astype(str), "rows": counts, "share": shares}).set_index("class")
    facts = {"bayes_error": error, "standard_error": spread, "error_on_rows": wrong, "likeliest_alone": likeliest}
    return Found(findings, table, facts)


def _thickened(covariances: Sequence[Array]) -> list[Array]:
    largest = max(float(np.linalg.eigvalsh(one)[-1]) for one in covariances)
    return [one + THICKNESS * largest * np.eye(len(one)) for one in covariances]


def _table(frame: pd.DataFrame, target: str) -> tuple[Array, Array]:
    """Standardised columns of numbers that no row lacks, and the classes."""
    columns = {name: numbers(frame[name]) for name in frame.columns if name != target}
    X = finite(pd.DataFrame(columns).dropna(axis=1))
    X = X[:, X.std(axis=0) > 0] if X.size else X
    labels = frame[target].astype(str).to_numpy(object)
    classes, counts = np.unique(labels, return_counts=True)
    enough = X.size and 2 <= len(classes) <= MAX_CLASSES and counts.min() > X.shape[1] + 1
    if not enough or frame[target].isna().any():
        raise DataError(
            "PEN124",
            f"{len(classes)} classes of '{target}', the smallest of {counts.min(initial=len(frame))} rows, and "
            f"{X.shape[1] if X.size else 0} whole columns of numbers do not make a cloud for each class",
            where=f"column '{target}'",
            remedy=f"name a target of 2 to {MAX_CLASSES} classes that no row lacks, each with more rows than there "
            "are columns of numbers",
        )
    return (X - X.mean(axis=0)) / X.std(axis=0), labels


DIAGNOSTIC = Diagnostic(
    name="bayes-error",
    summary="How often even the best classifier would be wrong, if the classes were Gaussian clouds like these",
    function=bayes_error_of_table,
    parameters={
        "target": "the column of the classes; all other columns of numbers are used",
        "densities": "what is known of each class: {yes: [{family: normal, loc: 0, scale: 1}], no: [...]}, one for "
        "each column, with scipy's parameters; then nothing is trained on the rows",
        "priors": "with densities, how common the classes are: {yes: 0.5, no: 0.5}; by default as in the rows",
        "draws": "rows that are drawn from the clouds, by default 100000",
        "seed": "decides which rows are drawn, by default 0",
    },
    syllabus=("met_bayes_error",),
)
