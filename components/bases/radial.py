"""Columns beside their nearness to points, or random waves that stand for it."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np
from sklearn.kernel_approximation import Nystroem, RBFSampler
from sklearn.preprocessing import StandardScaler
from sklearn.utils._param_validation import Interval, StrOptions

from penstock.components.bases.base import Basis

Array = np.ndarray[Any, Any]


class RadialBasis(Basis):
    """The columns as they are, followed by columns whose inner products approximate an RBF kernel.

    A linear model on these is close to a kernel method, at the cost of a linear one. Columns are standardised first.

    Parameters
    ----------
    components : int, default=50
        Number of columns added; with "points" no more than there are training rows.
    gamma : float or None, default=None
        How fast the kernel falls with the squared distance; None takes one over the number of columns.
    by : {"points", "waves"}, default="points"
        Kernel values with training rows drawn at random (Nystroem), or random Fourier features.
    random_state : int, RandomState instance or None, default=None
        Seed of the points or waves.

    Attributes
    ----------
    scaler_ : StandardScaler
        Standardises the columns.
    map_ : Nystroem or RBFSampler
        The fitted map of the standardised columns.

    Examples
    --------
    >>> import numpy as np
    >>> from penstock.components.bases.radial import RadialBasis
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(20, 2))
    >>> basis = RadialBasis(components=5, random_state=0).fit(X)
    >>> basis.transform(X).shape
    (20, 7)
    >>> bool((basis.transform(X)[:, :2] == X).all())
    True
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "components": [Interval(Integral, 1, None, closed="left")],
        "gamma": [Interval(Real, 0, None, closed="neither"), None],
        "by": [StrOptions({"points", "waves"})],
        "random_state": ["random_state"],
    }

    def __init__(
        self, components: int = 50, gamma: float | None = None, by: str = "points", random_state: Any = None
    ) -> None:
        self.components = components
        self.gamma = gamma
        self.by = by
        self.random_state = random_state

    def _learn(self, X: Array) -> None:
        self.scaler_ = StandardScaler().fit(X)
        given = {"gamma": self.gamma or 1 / X.shape[1], "random_state": self.random_state}
        self.map_: Any = RBFSampler(n_components=self.components, **given)
        if self.by == "points":
            self.map_ = Nystroem(n_components=min(self.components, len(X)), **given)
        self.map_.fit(self.scaler_.transform(X))

    def _expand(self, X: Array) -> Array:
        return np.hstack([X, self.map_.transform(self.scaler_.transform(X))])

    def _names(self, columns: Array) -> list[str]:
        made = len(self.map_.get_feature_names_out())
        return [*columns, *(f"radial {number + 1}" for number in range(made))]
