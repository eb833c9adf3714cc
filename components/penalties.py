"""What a penalty means: one lambda in the scalings of books, and in the parameters of the catalogue's methods.

A method minimises a loss over the rows and lambda times a penalty on the weights. Whether the loss is a sum or a mean,
and whether the penalty is halved or divided too, differs from book to book, and with it the number that gives the same
weights. Here lambda belongs to the sum of the rows' losses (squared errors, or logistic losses), as `sum` has it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

from penstock.errors import UsageError, did_you_mean

Convention = Literal["sum", "mean", "mean-both", "half-both", "half-loss"]
Noise = Literal["gaussian", "laplace", "bernoulli"]
Prior = Literal["gaussian", "laplace"]

# What the sum's lambda is per lambda of the convention, by the number of rows.
_TO_SUM: dict[str, Callable[[int], float]] = {
    "sum": lambda _: 1.0,  # sum loss + lambda penalty
    "mean": lambda rows: float(rows),  # mean loss + lambda penalty
    "mean-both": lambda _: 1.0,  # mean loss + lambda / rows penalty
    "half-both": lambda _: 1.0,  # 1/2 sum loss + lambda / 2 penalty
    "half-loss": lambda _: 2.0,  # 1/2 sum loss + lambda penalty
}
# The catalogue's parameters, from the sum's lambda and the number of rows.
_PARAMETERS: dict[str, Callable[[float, int], dict[str, float]]] = {
    "ridge": lambda penalty, _: {"alpha": penalty},
    "kernel-ridge": lambda penalty, _: {"alpha": penalty},
    "lasso": lambda penalty, rows: {"alpha": penalty / (2 * rows)},
    "logistic-regression": lambda penalty, _: {"C": 1 / (2 * penalty)},
}


def penalty_parameters(method: str, penalty: float, *, rows: int, convention: Convention = "sum") -> dict[str, float]:
    """The method's parameters for a lambda that a book states in its own convention.

    Weights of a prior that is a ones column among the features are penalised as well; here the intercept never is.
    """
    for name, known in ((method, _PARAMETERS), (convention, _TO_SUM)):
        if name not in known:
            raise UsageError(
                "PEN314", f"there is no penalty named '{name}'", where="penalty", remedy=did_you_mean(name, list(known))
            )
    if penalty <= 0 or rows < 1:
        raise UsageError(
            "PEN314",
            f"a penalty of {penalty} over {rows} rows has no meaning",
            where="penalty",
            remedy="give a penalty above 0 and the number of training rows",
        )
    return _PARAMETERS[method](penalty * _TO_SUM[convention](rows), rows)


def method_for(
    noise: Noise, prior: Prior | None, *, spread: float, scale: float, rows: int
) -> tuple[str, dict[str, Any]]:
    """The method whose loss and penalty are the most probable weights under a noise model and a prior.

    `spread` is the noise's variance, `scale` the prior's: the variance of Gaussian weights, or the mean size of weights
    by Laplace. Gaussian noise gives squared errors, Laplace noise absolute ones, yes-or-no answers the logistic loss; a
    Gaussian prior the squared penalty (ridge, for stability), a Laplace prior the absolute one (lasso, for sparsity).
    """
    if noise == "laplace" and prior is None:
        return "least-absolute-deviations", {}
    if noise == "gaussian" and prior == "gaussian":
        return "ridge", penalty_parameters("ridge", spread / scale, rows=rows)
    if noise == "gaussian" and prior == "laplace":
        return "lasso", penalty_parameters("lasso", 2 * spread / scale, rows=rows)
    if noise == "bernoulli" and prior == "gaussian":
        return "logistic-regression", penalty_parameters("logistic-regression", 1 / (2 * scale), rows=rows)
    raise UsageError(
        "PEN315",
        f"no method of the catalogue has {noise} noise with {f'a {prior} prior' if prior else 'no prior'}",
        where="noise and prior",
        remedy="choose gaussian noise with either prior, laplace noise without one, or bernoulli with a gaussian one; "
        "yes-or-no answers always need a prior, since weights grow without end where the classes are separable",
    )
