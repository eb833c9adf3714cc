"""Who a row is, and that nobody is evaluated on rows it has seen."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from penstock.components.schema import texts
from penstock.errors import DataError, examples

Array = np.ndarray[Any, Any]


def row_ids(frame: pd.DataFrame, *, key: str | None, source: str) -> pd.Series[str]:
    """The key column as text; without a key, a digest of the source and the row's position, which is the index."""
    if key is None:
        prefix = hashlib.blake2b(source.encode(), digest_size=6).hexdigest()
        return pd.Series([f"{prefix}-{position}" for position in frame.index], index=frame.index, dtype="str")
    ids: pd.Series[str] = texts(frame[key])
    missing = np.flatnonzero(ids.isna())
    if len(missing):
        raise DataError(
            "PEN115",
            f"the key '{key}' is missing in {len(missing)} row(s), at positions {examples(missing.tolist())}",
            where=f"column '{key}'",
            remedy="give every row a key, or leave out `key`: rows are then named by source and position",
        )
    repeated = ids[ids.duplicated(keep=False)]
    if len(repeated):
        raise DataError(
            "PEN115",
            f"the key '{key}' does not name rows: {len(repeated)} rows share theirs with another: "
            f"{examples(repeated.unique().tolist())}",
            where=f"column '{key}'",
            remedy="drop the repeated rows or choose another `key`; if rows of one key belong together, say "
            f"`group: {key}` instead",
        )
    return ids


def ids_meet(seen: Iterable[str], test: Iterable[str]) -> list[str]:
    """The ids on both sides, sorted."""
    return sorted(set(seen) & set(test))


def refuse_overlap(seen: Iterable[str], test: Iterable[str]) -> None:
    """No number comes from rows that the fitted object has seen."""
    both = ids_meet(seen, test)
    if both:
        raise DataError(
            "PEN118",
            f"{len(both)} row(s) to be evaluated on were seen in fitting: {examples(both)}",
            where="evaluation",
            remedy="evaluate the model only on rows that it has not trained on",
        )


def units(ids: Array, groups: Array | None) -> tuple[list[object], NDArray[np.int64]]:
    """What stays together: the names of the groups (or the ids of the rows), and the number of each row's."""
    if groups is None:
        return ids.tolist(), np.arange(len(ids))
    words = texts(pd.Series(groups))
    missing = np.flatnonzero(words.isna())
    if len(missing):
        raise DataError(
            "PEN128",
            f"{len(missing)} of {len(words)} rows have no group, at positions {examples(missing.tolist())}",
            where="data.group",
            remedy="give every row its group, or drop these rows: it cannot be known on which side they may stand",
        )
    numbers, names = pd.factorize(words)
    return names.tolist(), numbers.astype(np.int64)


def hashes(names: list[object], seed: int) -> NDArray[np.uint64]:
    """Keyed BLAKE2b: the same on every machine and under every version of every library."""
    key = str(seed).encode()
    digests = b"".join([hashlib.blake2b(str(name).encode(), digest_size=8, key=key).digest() for name in names])
    return np.frombuffer(digests, dtype="<u8").astype(np.uint64)
