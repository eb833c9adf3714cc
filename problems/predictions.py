"""What a fitted model predicts: the type that every kind of question fills, found by the kind's name."""

from __future__ import annotations

import importlib
from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import cache
from typing import Any, ClassVar, Literal, NamedTuple

import numpy as np
import pandas as pd

from penstock.components.schema import Column, Schema
from penstock.errors import ModelError
from penstock.problems.registry import find

Array = np.ndarray[Any, Any]


class Output(NamedTuple):
    """A column of predictions, with the name that MLflow has for its type."""

    type: Literal["boolean", "double", "long", "string"]
    name: str


class Predictions(ABC):
    """The predictions of one model, for rows whose features are as the schema says.

    A kind of question derives from it: `possible` and `table` are its own, the rest where it has such.

    Parameters
    ----------
    pipeline : Pipeline
        Fitted; the last step is the model, or a rule of its own around it.
    schema : Schema
        Of the rows that it was trained on.
    assigner : object, optional
        What assigns new rows, where the model itself cannot.
    """

    gives: ClassVar[str] = "a table"
    """What its table holds, in words."""
    keys: ClassVar[tuple[str, ...]] = ()
    """The columns of its table that say what a prediction is about, its unit first, where it is not about a row.

    Such a table is of any length, and the rows of a unit are needed all at once.
    """
    recorded: ClassVar[tuple[str, ...]] = ()
    """How the columns begin that drift watches, in its table or in what was recorded of it."""
    with_coverage: ClassVar[str] = "predict"
    """The method that gives what holds the truth in the share of rows that was asked for."""

    def __init__(self, pipeline: Any, schema: Schema, assigner: Any = None) -> None:
        self.pipeline = pipeline
        self.schema = schema
        self.assigner = assigner

    @property
    @abstractmethod
    def possible(self) -> tuple[str, ...]:
        """What the model can be asked for, by the words of `penstock score --give`."""

    @property
    def usual(self) -> tuple[str, ...]:
        """What it gives where nothing was asked for."""
        return self.possible

    @abstractmethod
    def table(self, features: pd.DataFrame, asked: Sequence[str]) -> pd.DataFrame:
        """The columns of what is asked for, in the order of `possible`."""

    def predict(self, features: pd.DataFrame) -> pd.Series[Any]:
        """One prediction for each row."""
        raise ModelError(
            "PEN506",
            f"this {self.schema.problem} model predicts nothing",
            remedy=f"use score_frame, which gives {self.gives}",
        )

    def predict_proba(self, features: pd.DataFrame) -> pd.DataFrame:
        raise ModelError(
            "PEN506",
            f"this {self.schema.problem} model gives no probabilities",
            remedy="use predict, which gives its predictions alone",
        )

    def predict_sets(self, features: pd.DataFrame) -> pd.DataFrame:
        raise self._is_for("predict_sets", "classification")

    def predict_interval(self, features: pd.DataFrame) -> pd.DataFrame:
        raise self._is_for("predict_interval", "regression")

    @property
    def covers(self) -> bool:
        """Whether the model was asked for sets or intervals that hold the truth in a given share of rows."""
        return False

    def decide(self, prediction: Array) -> Array | None:
        """The codes of the classes by the model's own rule, such as a threshold; None where it has none."""
        return None

    def storable(self, table: pd.DataFrame) -> pd.DataFrame:
        """The table with one type for each column, whatever the rows."""
        return table

    @staticmethod
    @abstractmethod
    def outputs(schema: Schema) -> list[Output] | None:
        """The columns that MLflow's signature of a model names; None where the schema does not tell them."""

    def watched(self, table: pd.DataFrame) -> pd.DataFrame:
        """What drift watches of predictions, recorded or new: quantities as numbers, anything else as words."""
        return table[[name for name in table.columns if str(name).startswith(self.recorded)]].copy()

    @classmethod
    def unit_of(cls, schema: Schema) -> str | None:
        """The column of the rows that names their unit, where predictions are about units."""
        return schema.named("group") if cls.keys else None

    @classmethod
    def inputs_of(cls, schema: Schema) -> list[Column]:
        """The columns of the rows that are predicted from."""
        unit, features = cls.unit_of(schema), schema.features
        return [column for column in schema.columns if column.name == unit or column in features]

    @property
    def last(self) -> Any:
        """The pipeline's last step."""
        return self.pipeline[-1] if hasattr(self.pipeline, "steps") else self.pipeline

    def require_coverage(self) -> None:
        if not self.covers:
            raise ModelError(
                "PEN506",
                "this model was not asked for a coverage",
                remedy="train it with `decision: {coverage: 0.9}`, or use predict",
            )

    def _is_for(self, method: str, problem: str) -> ModelError:
        return ModelError(
            "PEN506",
            f"{method} is for a {problem}, and this model is of a {self.schema.problem}",
            remedy=f"use {self.with_coverage if self.covers else 'predict'}",
        )


@cache
def predictions_of(problem: str) -> type[Predictions]:
    """The class of the predictions that models of this problem make."""
    module, _, name = find(problem).predictions.partition(":")
    found: type[Predictions] = getattr(importlib.import_module(module), name)
    return found
