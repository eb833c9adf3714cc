"""The preparation that a plan describes, as a scikit-learn Pipeline."""

from __future__ import annotations

import re
import warnings
from collections import Counter
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator
from sklearn.compose import ColumnTransformer
from sklearn.impute import MissingIndicator
from sklearn.pipeline import FeatureUnion, Pipeline
from sklearn.preprocessing import FunctionTransformer, OneHotEncoder, OrdinalEncoder
from sklearn.utils import get_tags

from penstock.components import catalog
from penstock.components.preprocessing.augmentation import augment
from penstock.components.preprocessing.dates import DateEncoder
from penstock.components.preprocessing.plan import KEEP_MISSING, Group, Plan, Step
from penstock.components.preprocessing.texts import TextEncoder
from penstock.errors import DataError, examples

_INDICATOR = re.compile(r"^(\w+)__missingindicator_(.*)$", re.DOTALL)


def build_preparation(plan: Plan | Mapping[str, Any], *, seed: int) -> Pipeline:
    """Columns, then the selector, then the extractor; gives a dense matrix of float64."""
    return Pipeline(_steps(Plan.model_validate(plan), seed))


def build_pipeline(plan: Plan | Mapping[str, Any], model_estimator: Any, *, seed: int) -> Pipeline:
    return Pipeline([*_steps(Plan.model_validate(plan), seed), ("model", model_estimator)])


def with_copies(
    plan: Plan | Mapping[str, Any], frame: pd.DataFrame
) -> tuple[pd.DataFrame, slice | np.ndarray[Any, Any]]:
    """Training rows with the changed copies that the plan asks for, and for each the row it was made from."""
    copies = Plan.model_validate(plan).copies
    if copies is None:
        return frame, slice(None)
    return augment(frame, copies.pixels, copies.shape, copies.transforms)


def fit_steps(preparation: Pipeline, X: Any, y: Any, *, begun: int = 0) -> Any:
    """The preparation's own `fit_transform`, step by step, `begun` of which are done: faults are said for people."""
    for place, (name, step) in enumerate(preparation.steps[begun:], start=begun):
        if name in ("select", "extract"):
            X = _fit_step(step, X, y, f"features.{name}", partial(feature_names, preparation[:place]))
        else:
            X = step.fit_transform(X, y)
    return X


def _fit_step(step: BaseEstimator, X: Any, y: Any, where: str, names: Callable[[], list[str]]) -> Any:
    title = type(step).__name__
    negative = np.flatnonzero(np.min(X, axis=0) < 0)
    if len(negative) and get_tags(step).input_tags.positive_only:
        raise DataError(
            "PEN150",
            f"{title} takes no negative numbers, but {len(negative)} of {X.shape[1]} columns hold some: "
            f"{examples([names()[column] for column in negative])}",
            where=where,
            remedy="scale them to 0 and 1 with `preparation: {scale: min-max}`, or choose another method",
        )
    try:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", message="No features were selected", category=UserWarning)
            chosen = step.fit_transform(X, y)
    except ValueError as error:
        raise DataError(
            "PEN155",
            f"{title} cannot be fitted to {X.shape[0]} training rows of {X.shape[1]} columns: {error}",
            where=where,
            remedy="give other parameters, or choose another method",
        ) from error
    if not chosen.shape[1]:
        raise DataError(
            "PEN151",
            f"{title} keeps none of {X.shape[1]} columns: to it, all of them look like noise in {X.shape[0]} training "
            "rows",
            where=where,
            remedy="be less strict (a smaller alpha, a lower threshold, more wrong ones), or choose a selector that "
            "takes a number to `keep`",
        )
    return chosen


def feature_names(preparation: Pipeline) -> list[str]:
    """Names of the prepared columns for people: without the group, unless two columns would be called the same."""
    names = [_INDICATOR.sub(r"\1__\2_missing", str(name)) for name in preparation.get_feature_names_out()]
    short = [name.partition("__")[2] or name for name in names]
    counts = Counter(short)
    return [plain if counts[plain] == 1 else name for name, plain in zip(names, short, strict=True)]


def _steps(plan: Plan, seed: int) -> list[tuple[str, Any]]:
    seen: Counter[str] = Counter()
    columns = []
    for group in plan.groups:
        seen[group.role] += 1
        name = group.role if seen[group.role] == 1 else f"{group.role}_{seen[group.role]}"
        columns.append((name, _treatment(group, plan, seed), group.columns))
    steps: list[tuple[str, Any]] = [("columns", ColumnTransformer(columns, sparse_threshold=0.0))]
    for place, step in (("select", plan.select), ("extract", plan.extract)):
        if step is not None:
            steps.append((place, _build(step, plan, seed)))
    return [*steps, ("matrix", FunctionTransformer(as_matrix, feature_names_out="one-to-one"))]


def _treatment(group: Group, plan: Plan, seed: int) -> Any:
    if group.role == "text" and group.encode is None:
        return TextEncoder(n_components=plan.text_components, by=plan.texts, random_state=seed)
    # Nothing is marked twice: dates do it themselves, missing levels that are not filled are a level, and gaps that are
    # kept are seen. Where groups are looked for nothing is marked: rows would be alike for what is not known of them.
    filled = group.impute is not None and group.impute.name != KEEP_MISSING
    marked = group.role != "date" and filled and plan.target_type is not None
    chosen = [(place, getattr(group, place)) for place in ("clip", "impute", "expand", "encode", "scale")]
    treated: Any = Pipeline([(place, _build(step, plan, seed)) for place, step in chosen if step is not None])
    if marked:
        marks = MissingIndicator(error_on_new=False)
        treated = FeatureUnion([("values", treated), ("missing", marks)], verbose_feature_names_out=False)
    if group.role == "ordinal":
        if group.scale is not None and group.scale.name == "midpoint":
            scaler = treated.transformer_list[0][1] if marked else treated
            scaler.set_params(scale__levels=[len(levels) for levels in group.levels or []])
        codes = OrdinalEncoder(categories=group.levels, handle_unknown="use_encoded_value", unknown_value=np.nan)
        return Pipeline([("order", codes), ("treat", treated)])
    if group.role == "date":
        return Pipeline([("parts", DateEncoder()), ("treat", treated)])
    return treated


def _build(step: Step, plan: Plan, seed: int) -> Any:
    component = catalog.build(step.name, step.parameters, seed=seed, problem=plan.problem)
    if isinstance(component, OneHotEncoder):
        component.set_params(feature_name_combiner=name_level)
    return component


def as_matrix(X: Any) -> np.ndarray[Any, Any]:
    """Rows one after the other: in another order the last bits of a fit differ from one on the stored matrix."""
    return np.ascontiguousarray(X, dtype=np.float64)


def name_level(column: str, level: object) -> str:
    """The name of a one-hot column."""
    if level == "infrequent_sklearn":
        return f"{column} = (rare)"
    return f"{column} = (missing)" if level != level else f"{column} = {level}"
