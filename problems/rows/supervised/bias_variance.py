"""What of the winner's error is bias and what variance: training rows only."""

from __future__ import annotations

from typing import Any

import numpy as np

from penstock.components.evaluation.bias_variance import bull_eye, squared_loss, zero_one_loss
from penstock.components.plots.curves import bias_variance_figure
from penstock.components.plots.output import to_svg
from penstock.components.preprocessing.plan import Plan
from penstock.components.search.main_parameter import main_parameter
from penstock.errors import DataError
from penstock.problems.data import DataSplit, Rows
from penstock.problems.rows.explained_sections import BiasVariance, Eye, Squared, TradeOff, ZeroOne
from penstock.problems.rows.supervised.refit import Refit
from penstock.problems.selection import Winner
from penstock.problems.training import Explained
from penstock.stage import progress, stage
from penstock.store import Ref, Store

Array = np.ndarray[Any, Any]

ROUNDS = 20
MAX_VALUES = 5


@stage(worker=True, libraries=("matplotlib",))
def part_error(
    store: Store, rows: Rows, data_split: DataSplit, plan: Ref[Plan], winner: Ref[Winner], seed: int
) -> Explained:
    """Fits on resampled training rows of the first fold, looked at on the rows that evaluate it."""
    refit = Refit(store, plan, data_split, winner, rows.schema_, None, seed)
    train, valid = refit.folds[0]
    truth = np.eye(refit.n_classes)[refit.y[valid]] if refit.n_classes else refit.y[valid].astype(float)
    samples = _samples(refit, train)

    def predictions(**parameters: Any) -> Array | None:
        progress(fits=len(samples))
        fitted = [refit.try_fit(rows, **parameters) for rows in samples]
        kept = [pipeline for pipeline in fitted if pipeline is not None]
        return np.stack([refit.predict(pipeline, valid) for pipeline in kept]) if len(kept) > 1 else None

    found = predictions()
    if found is None:
        raise DataError(
            "PEN047",
            "the winner cannot be fitted on resamples of its training rows, which are too few or too much alike",
            where="evaluation.bias_variance",
            remedy="bring in more rows, or leave bias_variance out",
        )
    squared = Squared(**squared_loss(found, truth))
    decisions = ZeroOne(**zero_one_loss(found.argmax(axis=2), refit.y[valid])) if refit.n_classes else None
    name, chosen, trade_off = None, None, {}
    if searched := main_parameter(refit.chosen, refit.schema.problem):
        name, values = searched
        chosen = refit.chosen.parameters.get(name)
        few = {values[round(place)] for place in np.linspace(0, len(values) - 1, MAX_VALUES - 1)}
        swept = {value: predictions(**{name: value}) for value in sorted(few - {chosen})}
        trade_off = {value: Squared(**squared_loss(made, truth)) for value, made in swept.items() if made is not None}
        trade_off |= {chosen: squared} if chosen is not None else {}
    facts = BiasVariance(
        rounds=len(found),
        rows=len(valid),
        squared=squared,
        decisions=decisions,
        eye=Eye(**bull_eye(found, truth)),
        parameter=name,
        chosen=chosen,
        trade_off=[TradeOff(value=value, **loss.model_dump()) for value, loss in sorted(trade_off.items())],
    )
    figure = to_svg(bias_variance_figure(facts.model_dump()))
    return Explained.of(store, facts, {"bias_variance": figure})


def _samples(refit: Refit, train: Array) -> list[Array]:
    """Bootstrap samples of the training rows, whole groups where there are such."""
    groups = refit.searched.groups_of(train)
    units = train if groups is None else groups
    unit_of_row = np.unique(units, return_inverse=True)[1]
    count = unit_of_row.max() + 1
    rng = np.random.default_rng(refit.seed)
    drawn = [np.bincount(rng.integers(count, size=count), minlength=count)[unit_of_row] for _ in range(ROUNDS)]
    return [np.repeat(train, times) for times in drawn]
