"""The winner, fitted again on other rows or with another parameter."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from sklearn.model_selection import GroupKFold, KFold

from penstock.components.ensembles.chosen import build_chosen
from penstock.components.evaluation.metrics import default_metric, metric
from penstock.components.preprocessing.plan import Plan
from penstock.components.schema import Schema
from penstock.components.search.candidates import BASELINE
from penstock.components.splitting import times_of
from penstock.errors import DataError
from penstock.evidence.folds import Folds
from penstock.problems.data import DataSplit
from penstock.problems.rows.pipeline import fit_pipeline
from penstock.problems.rows.supervised.prediction import predict
from penstock.problems.selection import Winner
from penstock.store import Ref, Store

Array = np.ndarray[Any, Any]
MAX_FOLDS = 3


class Refit:
    """Rows are positions among the training rows; the whole pipeline is fitted, preparation included."""

    def __init__(
        self,
        store: Store,
        plan: Ref[Plan],
        data_split: DataSplit,
        winner: Ref[Winner],
        schema: Ref[Schema],
        metric_name: str | None,
        seed: int,
    ) -> None:
        self.schema = store.facts(schema)
        self.plan, self.chosen = store.facts(plan), store.facts(winner)
        self.frame, self.searched = store.frame(data_split.train), Folds.load(store, data_split.folds)
        self.y, self.n_classes, self.seed = self.searched.y, self.searched.n_classes, seed
        name = metric_name or default_metric(self.n_classes)
        self.metric = metric(name, self.n_classes)
        self.folds = self._folds()

    def _folds(self) -> list[tuple[Array, Array]]:
        """Three of the folds that evaluated the candidates; three new ones where those were of single rows."""
        if self.searched.scored_on != "rows":
            return list(self.searched.splits[:MAX_FOLDS])
        groups = self.searched.groups
        most = MAX_FOLDS if groups is None else min(MAX_FOLDS, len(np.unique(groups)))
        cut = (KFold if groups is None else GroupKFold)(most, shuffle=True, random_state=self.seed)
        return list(cut.split(self.y, groups=groups))

    @property
    def ordered(self) -> bool:
        return self.searched.ordered

    def latest_first(self, rows: Array) -> Array:
        """By the column of time, wherever the rows stand in the file; of one moment, those further down come first."""
        times = times_of(self.frame[str(self.schema.named("time"))])[rows]
        return rows[np.argsort(times, kind="stable")[::-1]]

    @cached_property
    def floor(self) -> float:
        """The score of what ignores the columns, on the first fold; nothing where its rows do not define it."""
        train, valid = self.folds[0]
        shares = np.bincount(self.y[train], minlength=self.n_classes) / len(train) if self.n_classes else None
        same = np.tile(shares, (len(valid), 1)) if shares is not None else np.full(len(valid), self.y[train].mean())
        score = self.scored(valid, same)
        return score if np.isfinite(score) else 0.0

    @property
    def best_score(self) -> float:
        """What no score exceeds: errors end at nothing, shares and correlations at one."""
        return 1.0 if self.metric.sign > 0 else 0.0

    def fit(self, rows: Array, **parameters: Any) -> Any:
        chosen = self.chosen.model_copy(update={"parameters": {**self.chosen.parameters, **parameters}})
        model = build_chosen(chosen, seed=self.seed, problem=self.schema.problem)
        weight = self.searched.weight_of(rows)
        return fit_pipeline(
            self.plan,
            model,
            self.frame.iloc[rows],
            self.y[rows],
            weight,
            words=self.searched.words,
            balanced=chosen.name != BASELINE,
            seed=self.seed,
        )

    def try_fit(self, rows: Array, **parameters: Any) -> Any | None:
        """None where these rows are too few for the method or the parameter, or have one class only."""
        if self.n_classes and len(np.unique(self.y[rows])) < 2:
            return None
        try:
            pipeline = self.fit(rows, **parameters)
            self.predict(pipeline, rows[:1])  # some methods find out only then
        except (ValueError, DataError):
            return None
        return pipeline

    def predict(self, pipeline: Any, rows: Array) -> Array:
        return predict(pipeline, self.frame.iloc[rows], self.n_classes)

    def score(self, pipeline: Any, rows: Array) -> float:
        return self.scored(rows, self.predict(pipeline, rows))

    def scored(self, rows: Array, prediction: Array) -> float:
        weight = self.searched.weight_of(rows)
        return self.metric.function(self.y[rows], prediction, weight)
