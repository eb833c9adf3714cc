"""The preparation that a plan describes, as a scikit-learn Pipeline."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

import numpy as np
from sklearn.compose import ColumnTransformer
from sklearn.impute import SimpleImputer
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import FunctionTransformer, OneHotEncoder, OrdinalEncoder, StandardScaler

from penstock.components import catalog
from penstock.components.preprocessing.dates import DateEncoder
from penstock.components.preprocessing.plan import Group, Plan
from penstock.components.preprocessing.texts import TextEncoder

_INDICATOR = re.compile(r"^(\w+)__missingindicator_(.*)$", re.DOTALL)


def build_preparation(plan: dict[str, Any], *, seed: int) -> Pipeline:
    """Columns, then the selector, then the extractor; gives a dense matrix of float64."""
    return Pipeline(_steps(Plan.model_validate(plan), seed))


def build_pipeline(plan: dict[str, Any], model_estimator: Any, *, seed: int) -> Pipeline:
    return Pipeline([*_steps(Plan.model_validate(plan), seed), ("model", model_estimator)])


def feature_names(preparation: Pipeline) -> list[str]:
    """Names of the prepared columns for people: without the group, unless two columns would be called the same."""
    names = [_INDICATOR.sub(r"\1__\2_missing", str(name)) for name in preparation.get_feature_names_out()]
    short = [name.partition("__")[2] or name for name in names]
    counts = Counter(short)
    return [plain if counts[plain] == 1 else name for name, plain in zip(names, short, strict=True)]


def _steps(plan: Plan, seed: int) -> list[tuple[str, Any]]:
    columns = [(group.role, _treatment(group, plan, seed), group.columns) for group in plan.groups]
    steps: list[tuple[str, Any]] = [("columns", ColumnTransformer(columns, sparse_threshold=0.0))]
    for place, step in (("select", plan.select), ("extract", plan.extract)):
        if step is not None:
            steps.append((place, catalog.build(step.name, step.parameters, seed=seed, problem=plan.problem)))
    return [*steps, ("matrix", FunctionTransformer(as_matrix, feature_names_out="one-to-one"))]


def _treatment(group: Group, plan: Plan, seed: int) -> Any:
    if group.role == "numeric":
        return Pipeline([*_fill(plan, indicator=True), *_scale(plan)])
    if group.role == "boolean":
        return SimpleImputer(strategy="most_frequent", add_indicator=True, keep_empty_features=True)
    if group.role == "nominal":
        return OneHotEncoder(
            min_frequency=plan.rare or None,
            handle_unknown="infrequent_if_exist",
            sparse_output=False,
            feature_name_combiner=name_level,
        )
    if group.role == "ordinal":
        encoder = OrdinalEncoder(categories=group.levels, handle_unknown="use_encoded_value", unknown_value=np.nan)
        return Pipeline([("encode", encoder), *_fill(plan, indicator=True), *_scale(plan)])
    if group.role == "date":
        return Pipeline([("encode", DateEncoder()), *_fill(plan, indicator=False), *_scale(plan)])
    return TextEncoder(n_components=plan.text_components, random_state=seed)


def _fill(plan: Plan, *, indicator: bool) -> list[tuple[str, Any]]:
    """A column with nothing to learn from in this fold becomes zeros, so that later rows still fit."""
    return [("impute", SimpleImputer(strategy=plan.impute, add_indicator=indicator, keep_empty_features=True))]


def _scale(plan: Plan) -> list[tuple[str, Any]]:
    return [("scale", StandardScaler())] if plan.scale == "standard" else []


def as_matrix(X: Any) -> np.ndarray[Any, Any]:
    """Rows one after the other: in another order the last bits of a fit differ from one on the stored matrix."""
    return np.ascontiguousarray(X, dtype=np.float64)


def name_level(column: str, level: object) -> str:
    """The name of a one-hot column."""
    if level == "infrequent_sklearn":
        return f"{column} = (rare)"
    return f"{column} = (missing)" if level != level else f"{column} = {level}"
