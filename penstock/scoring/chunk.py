"""One part of the rows: evaluated, treated and answered. It hangs on nothing else, so parts can be scored anywhere."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
import pyarrow as pa
from pydantic import BaseModel, ConfigDict

from penstock.components.policies import Policies, Tally, Treated, treat
from penstock.components.schema import conform
from penstock.errors import ModelError
from penstock.model import PenstockModel, failures_explained

ROW, REASON, BREACH = "row", "reason", "breach"


class Terms(BaseModel):
    """How all parts of a batch are scored. `falls`: numbers of the rules by which rows are treated.

    `key`: the column that names the rows, if the source has it. `repeated`: for each rule that values occur once, the
    hashes of those that occur more often in the batch.
    """

    model_config = ConfigDict(frozen=True)

    give: tuple[str, ...]
    policies: Policies
    falls: frozenset[int]
    key: str | None = None
    repeated: dict[int, list[int]] = {}

    @property
    def quarantines(self) -> bool:
        return "quarantine" in self.policies.in_force

    @property
    def tells_breaches(self) -> bool:
        """Whether rows that broke a rule may stand among the scores."""
        return bool({"abstain", "impute"} & self.policies.in_force)


@dataclass(frozen=True)
class Chunk:
    """Scores of the rows that were not quarantined, and the others as received, with their place and the reason.

    `scored`: how many rows were not quarantined; predictions about units are of another number.
    """

    scores: pa.Table
    scored: int
    quarantined: pa.Table
    tallies: list[Tally]
    abstained: int
    imputed: int


def score_chunk(model: PenstockModel, rows: pa.Table, terms: Terms, start: int = 0) -> Chunk:
    """Score rows as received; `start` is the place of their first in the source, from 0 on."""
    try:
        with failures_explained():
            return _scored(model, rows, terms, start)
    except MemoryError:
        raise ModelError(
            "PEN524",
            f"for {rows.num_rows:,} rows the model takes more memory than there is",
            where=f"rows from {start + 1:,} on",
            remedy="score on a machine with more memory, or train a model that makes fewer columns of these; if it is "
            "not yours, ask who registered it",
        ) from None


def _scored(model: PenstockModel, rows: pa.Table, terms: Terms, start: int) -> Chunk:
    features = [column.name for column in model.predictions.inputs_of(model.schema)]
    received = rows.select([name for name in features if name in rows.column_names]).to_pandas()
    conformed = conform(received, model.schema, strict=False)
    repeated = {at: np.asarray(hashes, dtype=np.uint64) for at, hashes in terms.repeated.items()}
    treated = treat(conformed, received, model.rules, terms.policies, terms.falls, repeated, start)
    predicted = _predict(model, treated, features, terms)
    return Chunk(
        scores=predicted if model.predictions.keys else _beside_rows(predicted, rows, treated, terms, start),
        scored=int((~treated.quarantined).sum()),
        quarantined=_put_aside(rows, treated, start),
        tallies=treated.tallies,
        abstained=int(treated.abstained.sum()),
        imputed=int((treated.imputed & ~treated.abstained).sum()),
    )


def _beside_rows(predicted: pa.Table, rows: pa.Table, treated: Treated, terms: Terms, start: int) -> pa.Table:
    """Each prediction beside the name of its row."""
    stays = ~treated.quarantined
    scores = rows.select([terms.key] if terms.key else [])
    if not terms.key and terms.quarantines:
        scores = pa.table({ROW: _places(start, rows.num_rows)})
    scores = scores if stays.all() else scores.filter(pa.array(stays))
    for field, column in zip(predicted.schema, predicted.columns, strict=True):
        scores = scores.append_column(field, column)
    if terms.tells_breaches:
        told = [treated.reasons.get(at) for at in np.flatnonzero(stays).tolist()]
        scores = scores.append_column(BREACH, pa.array(told, pa.large_string()))
    return scores


def _predict(model: PenstockModel, treated: Treated, features: list[str], terms: Terms) -> pa.Table:
    """The answers to rows that stay; empty ones where the model is to abstain, none where these are about units."""
    answered = ~(treated.quarantined | treated.abstained)
    whole = bool(answered.all())
    asked = treated.features[features]
    found = _as_arrow(model, model.predict_columns(asked if whole else asked[answered], terms.give))
    if model.predictions.keys or not treated.abstained.any():
        return found
    stays = ~treated.quarantined
    places = np.cumsum(answered)[stays] - 1
    return found.take(pa.array(np.maximum(places, 0), mask=~answered[stays]))


def _as_arrow(model: PenstockModel, predicted: pd.DataFrame) -> pa.Table:
    """The same types for every part."""
    table = model.predictions.storable(predicted)
    return pa.Table.from_pandas(table, preserve_index=False).replace_schema_metadata(None)


def _put_aside(rows: pa.Table, treated: Treated, start: int) -> pa.Table:
    gone = np.flatnonzero(treated.quarantined)
    table = rows.take(pa.array(gone)).add_column(0, ROW, _places(start, rows.num_rows).take(pa.array(gone)))
    return table.append_column(REASON, pa.array([treated.reasons[at] for at in gone.tolist()], pa.large_string()))


def _places(start: int, rows: int) -> pa.Array:
    """From 1 on, the header not counted."""
    return pa.array(np.arange(start + 1, start + rows + 1))
