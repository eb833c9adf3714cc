"""The best classifier there is, where the distributions are known: for made data, and to measure others against."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Self

import numpy as np
from scipy import stats
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data

from penstock.components.bayes.posterior import posterior
from penstock.errors import did_you_mean

Array = np.ndarray[Any, Any]
Spec = Mapping[str, Any]

FAMILIES: dict[str, str] = {
    "normal": "norm", "uniform": "uniform", "exponential": "expon", "laplace": "laplace", "gamma": "gamma",
    "beta": "beta", "lognormal": "lognorm", "t": "t", "bernoulli": "bernoulli", "binomial": "binom",
    "poisson": "poisson",
}  # fmt: skip
JOINT = "multivariate-normal"


def distribution(spec: Spec) -> Any:
    """A distribution of scipy by our name: {family: normal, loc: 0, scale: 1}."""
    given = dict(spec)
    family = given.pop("family", "normal")
    try:
        if family == JOINT:
            return stats.multivariate_normal(**given)
        if family not in FAMILIES:
            raise ValueError(f"there is no density named '{family}'; {did_you_mean(family, [*FAMILIES, JOINT])}")
        found = getattr(stats, FAMILIES[family])(**given)
    except TypeError as error:
        raise ValueError(f"the density '{family}' cannot be made of {given}: {error}") from None
    if not np.isfinite(found.support()[0]) and np.isnan(found.mean()):
        raise ValueError(f"the density '{family}' cannot be made of {given}: a scale is above 0")
    return found


def parts_of(spec: Spec | Sequence[Spec]) -> list[Spec]:
    """The densities of the columns, one for each."""
    parts: list[Any] = list(spec) if isinstance(spec, list | tuple) else [spec]
    for part in parts:
        if not isinstance(part, Mapping):
            raise ValueError(f"a density is written {{family: normal, loc: 0, scale: 1}}, not {part!r}")
        if part.get("family") == JOINT and isinstance(spec, list | tuple):
            raise ValueError(f"a {JOINT} density is of all columns together: give it to the class without a list")
    return parts


def log_density(spec: Spec | Sequence[Spec], X: Array) -> Array:
    """Of every row: of one density of all columns together, or of one for each column, taken as independent."""
    if isinstance(spec, Mapping) and spec.get("family") == JOINT:
        return np.asarray(distribution(spec).logpdf(X)).reshape(len(X))
    parts = parts_of(spec)
    if len(parts) != X.shape[1]:
        raise ValueError(f"{len(parts)} densities are given for {X.shape[1]} columns")
    total = np.zeros(len(X))
    for part, column in zip(parts, X.T, strict=True):
        if set(part) == {"family", "loc", "scale"} and part["family"] == "normal" and part["scale"] > 0:
            total += _log_normal(column, part["loc"], part["scale"])  # the commonest, and much quicker
            continue
        found = distribution(part)
        total += found.logpdf(column) if hasattr(found.dist, "logpdf") else found.logpmf(column)
    return total


def _log_normal(x: Array, loc: float, scale: float) -> Array:
    return np.asarray(-(((x - loc) / scale) ** 2) / 2 - np.log(scale * np.sqrt(2 * np.pi)))


def draw(spec: Spec | Sequence[Spec], rows: int, rng: np.random.Generator) -> Array:
    """Rows of a class."""
    if isinstance(spec, Mapping) and spec.get("family") == JOINT:
        return np.asarray(distribution(spec).rvs(rows, random_state=rng)).reshape(rows, -1)
    return np.column_stack([distribution(part).rvs(rows, random_state=rng) for part in parts_of(spec)])


class KnownDensityClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """The Bayes classifier of given class densities and priors: p(y | x) = phi_y(x) prior_y / sum.

    Densities and priors are given and not estimated, and no classifier has a smaller expected loss. It predicts the
    class of the greatest phi_y(x) prior_y, which has the least expected loss (one book begins with the greatest). Of a
    test with sensitivity and specificity s, positive at x = 1, the probability to be ill is s prevalence / (s
    prevalence + (1 - s)(1 - prevalence)); one book puts 0.9 where 1 - prevalence is 0.99, though its result is right.

    Parameters
    ----------
    densities : list or None, default=None
        For each class, in the order of its label: one density for each column, or one of all (multivariate-normal).
        A density is {family: normal, loc: 0, scale: 1}, with scipy's parameters. Without any, normal ones are estimated
        from the rows, and it is Gaussian naive Bayes.
    priors : array-like of shape (n_classes,) or None, default=None
        Prior probabilities of the classes; None takes the shares of the training rows.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The class labels.
    densities_ : list
        The density, or densities, of each class.
    priors_ : ndarray of shape (n_classes,)
        Prior probabilities of the classes.

    Examples
    --------
    >>> from penstock.components.bayes.densities import KnownDensityClassifier
    >>> healthy, ill = {"family": "bernoulli", "p": 0.1}, {"family": "bernoulli", "p": 0.9}
    >>> model = KnownDensityClassifier(densities=[[healthy], [ill]], priors=[0.99, 0.01])
    >>> model.fit([[0], [1]], [0, 1]).predict_proba([[1]]).round(4).tolist()
    [[0.9167, 0.0833]]
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {"densities": [list, None], "priors": ["array-like", None]}

    def __init__(self, densities: list[Any] | None = None, priors: Any = None) -> None:
        self.densities = densities
        self.priors = priors

    def _validate_params(self) -> None:
        """Also refuses what is no density: a pipeline file is checked by this."""
        super()._validate_params()
        for spec in self.densities or []:
            for part in parts_of(spec):
                distribution(part)

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        self._validate_params()
        X, y = validate_data(self, X, y, dtype=np.float64)
        check_classification_targets(y)
        weights = _check_sample_weight(sample_weight, X, ensure_non_negative=True)
        self.classes_, codes = np.unique(y, return_inverse=True)
        shares = np.bincount(codes, weights)
        self.priors_ = np.asarray(self.priors if self.priors is not None else shares / shares.sum(), dtype=float)
        self.densities_ = self.densities or [
            _normal(X[codes == code], weights[codes == code], X) for code in range(len(self.classes_))
        ]
        for name, given in (("densities", self.densities_), ("priors", self.priors_)):
            if len(given) != len(self.classes_):
                raise ValueError(f"{len(given)} {name} are given for {len(self.classes_)} classes")
        if (self.priors_ < 0).any() or abs(self.priors_.sum() - 1) > 1e-9:
            raise ValueError(f"priors are shares that sum to one, not {self.priors_.tolist()}")
        for spec in self.densities_:
            log_density(spec, X[:1])
        return self

    def predict_proba(self, X: Any) -> Array:
        """Where no density reaches, the priors."""
        check_is_fitted(self)
        return proba(self.densities_, self.priors_, validate_data(self, X, dtype=np.float64, reset=False))

    def predict(self, X: Any) -> Array:
        check_is_fitted(self)
        return self.classes_[self.predict_proba(X).argmax(axis=1)]  # type: ignore[no-any-return]


def proba(densities: Sequence[Any], priors: Array, X: Array) -> Array:
    with np.errstate(divide="ignore"):
        joint = np.column_stack([log_density(spec, X) for spec in densities]) + np.log(priors)
    return posterior(joint, priors)


def _normal(rows: Array, weights: Array, X: Array) -> list[dict[str, Any]]:
    used = rows if weights.sum() else X
    by = weights if weights.sum() else None
    means = np.average(used, axis=0, weights=by)
    spreads = np.sqrt(np.average((used - means) ** 2, axis=0, weights=by))
    span = np.ptp(X, axis=0)  # each column in its own unit, however tiny, and wherever it lies
    scales = np.maximum(spreads, np.where(span > 0, 1e-9 * span, 1.0))
    return [
        {"family": "normal", "loc": float(mean), "scale": float(scale)}
        for mean, scale in zip(means, scales, strict=True)
    ]
