"""The folds of the training rows, with targets, groups and weights; one object in the store."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from penstock.store import Ref, Store

Array = np.ndarray[Any, Any]
ScoredOn = Literal["folds", "rows", "averages"]
TRAIN, VALID = "train_", "valid_"


class Fold(NamedTuple):
    """Positions of the rows that fit a candidate and of those that evaluate it."""

    train: NDArray[np.int64]
    valid: NDArray[np.int64]


@dataclass(frozen=True)
class Folds:
    """Positions count the training rows. `words`: the names that codes stand for, as the estimators ask for them.

    `ordered`: the folds go by time. `scored_on`: what a candidate's scores are of.
    """

    target: Array | None = None
    n_classes: int = 0
    splits: list[Fold] = field(default_factory=list)
    groups: Array | None = None
    weight: Array | None = None
    scored_on: ScoredOn = "folds"
    ordered: bool = False
    words: Mapping[str, Array] = field(default_factory=dict)

    @property
    def y(self) -> Array:
        """The encoded target, where answers are known."""
        if self.target is None:
            raise LookupError("these rows have no target")
        return self.target

    def __len__(self) -> int:
        return len(self.splits)

    def train(self, fold: int) -> NDArray[np.int64]:
        return self.splits[fold].train

    def valid(self, fold: int) -> NDArray[np.int64]:
        return self.splits[fold].valid

    def groups_of(self, rows: Array) -> Array | None:
        return None if self.groups is None else self.groups[rows]

    def weight_of(self, rows: Array) -> Array | None:
        return None if self.weight is None else self.weight[rows]

    def ratio(self, folds: list[int]) -> float:
        """How many rows evaluate for each that trains, on average."""
        return float(np.mean([len(self.valid(fold)) / len(self.train(fold)) for fold in folds]))

    def save(self, store: Store) -> Ref:
        arrays: dict[str, Any] = {
            "n_classes": np.array(self.n_classes),
            "scored_on": np.array(self.scored_on),
            **self.words,
            "groups": self.groups,
            "ordered": np.array(True) if self.ordered else None,
            "weight": self.weight,
            "y": self.target,
        }
        for number, fold in enumerate(self.splits):
            arrays |= {f"{TRAIN}{number}": fold.train, f"{VALID}{number}": fold.valid}
        return store.put_arrays(**{name: array for name, array in arrays.items() if array is not None})

    @classmethod
    def load(cls, store: Store, ref: Ref) -> Folds:
        arrays = store.arrays(ref)
        count = sum(name.startswith(TRAIN) for name in arrays)
        return cls(
            splits=[Fold(arrays.pop(f"{TRAIN}{number}"), arrays.pop(f"{VALID}{number}")) for number in range(count)],
            n_classes=int(arrays.pop("n_classes")),
            scored_on=cast(ScoredOn, str(arrays.pop("scored_on"))),
            groups=arrays.pop("groups", None),
            ordered=arrays.pop("ordered", None) is not None,
            weight=arrays.pop("weight", None),
            target=arrays.pop("y", None),
            words=arrays,
        )
