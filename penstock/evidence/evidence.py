"""What a model predicted for units of evidence, and what was true of them; one object in the store."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from penstock.store import Ref, Store

Array = np.ndarray[Any, Any]
PREDICTED, TRUE = "predicted_", "true_"


@dataclass(frozen=True)
class Evidence:
    """Arrays with one entry for each unit.

    Parameters
    ----------
    units : array
        Which units: their identities, or their positions among the training units.
    predicted, true : mapping of str to array
        What the model predicted, and what came true where that is known, by name.
    groups : array, optional
        Units of one group are not independent.
    weight : array, optional
        How much each unit counts.

    Examples
    --------
    >>> Evidence(np.arange(3), {"prediction": np.array([0.1, 0.7, 0.4])}, {"y": np.array([0, 1, 1])}).y
    array([0, 1, 1])
    """

    units: Array
    predicted: Mapping[str, Array]
    true: Mapping[str, Array] = field(default_factory=dict)
    groups: Array | None = None
    weight: Array | None = None

    def __len__(self) -> int:
        return len(self.units)

    @property
    def prediction(self) -> Array:
        return self.predicted["prediction"]

    @property
    def y(self) -> Array:
        return self.true["y"]

    def take(self, positions: Array) -> Evidence:
        """Of the units at these positions."""
        return Evidence(
            self.units[positions],
            {name: array[positions] for name, array in self.predicted.items()},
            {name: array[positions] for name, array in self.true.items()},
            None if self.groups is None else self.groups[positions],
            None if self.weight is None else self.weight[positions],
        )

    def save(self, store: Store) -> Ref:
        named = {f"{PREDICTED}{name}": array for name, array in self.predicted.items()}
        named |= {f"{TRUE}{name}": array for name, array in self.true.items()}
        rest = {"units": self.units, "groups": self.groups, "weight": self.weight}
        return store.put_arrays(**named, **{name: array for name, array in rest.items() if array is not None})

    @classmethod
    def load(cls, store: Store, ref: Ref) -> Evidence:
        found = store.arrays(ref)
        return cls(
            found.pop("units"),
            predicted=_beginning(PREDICTED, found),
            true=_beginning(TRUE, found),
            groups=found.pop("groups", None),
            weight=found.pop("weight", None),
        )


def _beginning(prefix: str, arrays: Mapping[str, Array]) -> dict[str, Array]:
    return {name.removeprefix(prefix): array for name, array in arrays.items() if name.startswith(prefix)}
