"""Predictions of a classification: classes, their probabilities, and sets of classes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
import pandas as pd

from penstock.components.schema import Schema, texts
from penstock.problems.predictions import Array, Output, Predictions
from penstock.problems.rows.columns import PREDICTION, PROBABILITY

SET = "maybe_"
TYPES: dict[type, Literal["boolean", "long", "string"]] = {str: "string", bool: "boolean", int: "long"}


class ClassPredictions(Predictions):
    """The class of each row, by the model's rule if it has one, else the likeliest."""

    recorded = (PREDICTION, PROBABILITY)
    with_coverage = "predict_sets"

    @property
    def possible(self) -> tuple[str, ...]:
        probability = ("probability",) if self._has_probabilities else ()
        return ("label", *probability, *(("set",) if self.covers else ()))

    def table(self, features: pd.DataFrame, asked: Sequence[str]) -> pd.DataFrame:
        probabilities = self._probabilities(features) if self._has_probabilities else None
        columns = [self._labels(features, probabilities).to_frame()] if "label" in asked else []
        if probabilities is not None and "probability" in asked:
            columns.append(probabilities.add_prefix(PROBABILITY))
        if probabilities is not None and "set" in asked:
            columns.append(self._sets(probabilities).add_prefix(SET))
        return pd.concat(columns, axis=1) if len(columns) > 1 else columns[0]

    def predict(self, features: pd.DataFrame) -> pd.Series[Any]:
        return self._labels(features, self._probabilities(features) if self._has_probabilities else None)

    def predict_proba(self, features: pd.DataFrame) -> pd.DataFrame:
        return self._probabilities(features) if self._has_probabilities else super().predict_proba(features)

    def predict_sets(self, features: pd.DataFrame) -> pd.DataFrame:
        self.require_coverage()
        return self._sets(self._probabilities(features))

    @property
    def covers(self) -> bool:
        return getattr(self.last, "nonconformity", None) is not None

    def decide(self, prediction: Array) -> Array | None:
        if not hasattr(self.last, "decide"):
            return None
        known = self.pipeline.classes_
        codes: Array = known[self.last.decide(prediction[:, known])]
        return codes

    def storable(self, table: pd.DataFrame) -> pd.DataFrame:
        """Labels of several types become texts."""
        if len({type(label) for label in self.schema.classes or []}) > 1 and PREDICTION in table.columns:
            return table.assign(prediction=table[PREDICTION].map(str).astype("str"))
        return table

    @staticmethod
    def outputs(schema: Schema) -> list[Output]:
        classes = schema.classes or []
        label = Output(TYPES.get(type(classes[0]), "double"), PREDICTION)
        return [label, *(Output("double", f"{PROBABILITY}{name}") for name in classes)]

    def watched(self, table: pd.DataFrame) -> pd.DataFrame:
        """Of two classes the probability of one tells that of the other."""
        found = super().watched(table)
        classes = self.schema.classes or []
        if len(classes) == 2:
            found = found.drop(columns=f"{PROBABILITY}{classes[0]}", errors="ignore")
        return found.assign(prediction=texts(found[PREDICTION])) if PREDICTION in found.columns else found

    @property
    def _has_probabilities(self) -> bool:
        return hasattr(self.pipeline, "predict_proba")

    def _probabilities(self, features: pd.DataFrame) -> pd.DataFrame:
        """A class without a single training row keeps its column, with probability zero."""
        classes = self.schema.classes or []
        values = np.zeros((len(features), len(classes)))
        if len(features):
            values[:, self.pipeline.classes_] = np.asarray(self.pipeline.predict_proba(features), dtype="float64")
        return pd.DataFrame(values, index=features.index, columns=pd.Index(classes))

    def _labels(self, features: pd.DataFrame, probabilities: pd.DataFrame | None) -> pd.Series[Any]:
        """By the probabilities where there are some, so that both agree."""
        codes: Array
        if not len(features):
            codes = np.empty(0, dtype="int64")
        elif probabilities is None:
            codes = np.asarray(self.pipeline.predict(features), dtype="int64")
        else:
            decided = self.decide(probabilities.to_numpy())
            codes = probabilities.to_numpy().argmax(axis=1) if decided is None else decided
        return pd.Series(self.schema.classes).take(codes).set_axis(features.index).rename(PREDICTION)

    def _sets(self, probabilities: pd.DataFrame) -> pd.DataFrame:
        sets = pd.DataFrame(False, index=probabilities.index, columns=probabilities.columns)
        if len(sets):
            known = self.pipeline.classes_
            sets.iloc[:, known] = self.last.sets(probabilities.to_numpy()[:, known])
        return sets
