"""Recent rows: read from wherever they are, with what was said of them and what came true beside them."""

from __future__ import annotations

import pandas as pd

from penstock.components.formulas import unescaped
from penstock.components.schema import texts
from penstock.context import Run
from penstock.errors import DataError, did_you_mean
from penstock.sources.location import fill_in, require_known_placeholders, require_no_secret
from penstock.sources.options import reading_of
from penstock.sources.reading import read_frame
from penstock.stage import stage
from penstock.store import Ref


@stage(cached=False)
def read_recent(
    run: Run,
    source: str,
    predictions: str | None,
    labels: str | None,
    key: str | None,
    outcomes: list[str],
    reading: list[str],
    recorded: tuple[str, ...],
) -> Ref:
    """The rows as received. Predictions and labels of other files are put beside them by the key, or row by row.

    `recorded`: how the columns of predictions begin. `outcomes`: the columns that labels have.
    """
    rows = _read(run, source, reading)
    if predictions:
        if not recorded:
            raise DataError(
                "PEN603",
                "what this model gives hangs on the rows alone, so that records of it are not compared",
                where="--predictions",
                remedy="leave --predictions out; the columns of the rows are compared",
            )
        others = _read(run, predictions, reading)
        if predictions.lower().endswith((".csv", ".csv.gz")):
            others = unescaped(others)
        rows = _beside(rows, others, key, "--predictions", recorded)
    if labels and outcomes:
        rows = _beside(rows, _read(run, labels, reading), key, "--labels", tuple(outcomes))
    return run.store.put_frame(rows)


def _read(run: Run, source: str, reading: list[str]) -> pd.DataFrame:
    require_no_secret(source)
    require_known_placeholders(source)
    return read_frame(fill_in(source, run.started, "UTC"), reading_of(reading), run.base, fewest_rows=1)


def _beside(
    rows: pd.DataFrame, others: pd.DataFrame, key: str | None, where: str, wanted: tuple[str, ...]
) -> pd.DataFrame:
    names = [name for name in others.columns if str(name).startswith(wanted)]
    if not names:
        raise DataError(
            "PEN603",
            f"the file has no column '{wanted[0]}'",
            where=where,
            remedy=did_you_mean(wanted[0], [str(name) for name in others.columns]),
        )
    rows = rows.drop(columns=[name for name in names if name in rows.columns]).reset_index(drop=True)
    if key is not None and key in rows.columns and key in others.columns:
        known = others.assign(**{key: texts(others[key])}).drop_duplicates(key, keep="last").set_index(key)[names]
        found = known.reindex(texts(rows[key])).reset_index(drop=True)
        return pd.concat([rows, found], axis=1)
    if len(rows) != len(others):
        raise DataError(
            "PEN604",
            f"the file has {len(others)} rows, the recent ones are {len(rows)}: it is not clear which belong together",
            where=where,
            remedy=f"give both the column '{key}', which names rows"
            if key
            else "give one row for each, in their order",
        )
    return pd.concat([rows, others[names].reset_index(drop=True)], axis=1)
