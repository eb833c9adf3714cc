"""A test set in which nobody is new: part of the rows of some members of a column, such as the users of ratings."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from penstock.components.schema import texts
from penstock.components.splitting.identity import hashes
from penstock.components.splitting.test_set import TestRows
from penstock.errors import DataError, examples

MAX_OF_A_MEMBER = 0.5


def rows_within(ids: ArrayLike, members: pd.Series[Any], *, share: float, seed: int) -> TestRows:
    """Some members are tested: about half of their rows evaluate, their others teach. All rows of other members teach.

    Members and rows are taken by their hashes, as test rows always are, so that they stay as the data grow. A tested
    member whose rows would all evaluate keeps the one of highest hash to learn from; of a single row, it teaches.
    """
    words = texts(members)
    missing = np.flatnonzero(words.isna())
    if len(missing):
        raise DataError(
            "PEN182",
            f"'{members.name}' is missing in {len(missing)} of {len(words)} rows, at positions "
            f"{examples(missing.tolist())}",
            where="split.within",
            remedy="give every row its member, or drop these rows",
        )
    of_a_member = max(MAX_OF_A_MEMBER, share)
    codes, names = pd.factorize(words)
    tested = hashes(names.tolist(), seed) < _under(share / of_a_member)
    row_hashes = hashes(np.asarray(ids, dtype=object).tolist(), seed)
    mask = tested[codes] & (row_hashes < _under(of_a_member))
    last = pd.Series(row_hashes).groupby(codes).transform("max").to_numpy() == row_hashes
    mask &= ~(last & (pd.Series(mask).groupby(codes).transform("all").to_numpy()))
    if not mask.any():
        raise DataError(
            "PEN182",
            f"no row of {len(names)} members of '{members.name}' can be spared for the test",
            where="split.within",
            remedy="bring in more rows of each member, raise split.test, or leave out `within`",
        )
    return TestRows(mask, {})


def only_in_test(train: pd.DataFrame, test: pd.DataFrame, names: list[str]) -> dict[str, dict[str, int]]:
    """For each column, members of the test rows that no training row has: of them nothing can have been learnt."""
    found = {}
    for name in names:
        members = test[name].dropna()
        new = members[~members.isin(train[name].dropna().unique())]
        found[name] = {"members": int(new.nunique()), "of": int(members.nunique()), "rows": len(new)}
    return found


def _under(share: float) -> np.uint64:
    return np.uint64(min(int(share * 2**64), 2**64 - 1))
