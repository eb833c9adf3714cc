"""The data sets that come with scikit-learn; nothing is downloaded."""

from __future__ import annotations

from typing import TYPE_CHECKING

from penstock.errors import UsageError, did_you_mean
from penstock.sources.frames import frame_table
from penstock.sources.location import BUNDLED
from penstock.sources.table import Table

if TYPE_CHECKING:
    import pandas as pd

SETS = ("breast_cancer", "diabetes", "digits", "iris", "linnerud", "wine")


def read_bundled(source: str) -> Table:
    name = source.removeprefix(BUNDLED).replace("-", "_")
    if name not in SETS:
        raise UsageError(
            "PEN138",
            f"scikit-learn comes with no data set '{name}'",
            where="data.source",
            remedy=did_you_mean(name, SETS) + "; sets that must be downloaded are to be saved as files first",
        )
    return frame_table(bundled_frame(name), source, {"format": "scikit-learn", "set": name})


def bundled_frame(name: str) -> pd.DataFrame:
    """The columns of the set and its `target`; classes by their names, where they have names."""
    from sklearn import datasets

    bunch = getattr(datasets, f"load_{name}")(as_frame=True)
    frame: pd.DataFrame = bunch.frame
    classes = list(getattr(bunch, "target_names", []))
    if "target" in frame and classes and isinstance(classes[0], str):
        frame["target"] = frame["target"].map(dict(enumerate(map(str, classes)))).astype("str")
    return frame
