"""Rows whose group is known, for comparing a finished model with: nothing before has seen the groups."""

from __future__ import annotations

from typing import NamedTuple

import pandas as pd

from penstock.components.schema import ROW_ID
from penstock.store import Ref, Store


class KnownGroups(NamedTuple):
    """The test rows whose group is known; `groups`: how many there are."""

    frame: pd.DataFrame
    of_rows: pd.Series[str]
    groups: int


def known_groups(store: Store, test: Ref, truth: Ref) -> KnownGroups:
    frame = store.frame(test)
    groups = frame[[ROW_ID]].merge(store.frame(truth), on=ROW_ID, how="left")["truth"]
    known = groups.notna().to_numpy()
    return KnownGroups(frame[known], groups[known], int(groups.nunique()))
