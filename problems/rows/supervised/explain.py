"""What the model goes by, for whom it does worse, whom its decisions favour: on the test rows."""

from __future__ import annotations

from itertools import islice
from typing import Any

import numpy as np
import pandas as pd

from penstock.components.evaluation.metrics import decided, default_metric, metric, response_of
from penstock.components.evaluation.slices import slice_of_rows
from penstock.components.explanation.fairness import fairness
from penstock.components.explanation.partial_dependence import DRAWN, partial_dependence
from penstock.components.explanation.permutation_importance import REPEATS, permutation_importance
from penstock.components.explanation.shapley import shapley_values
from penstock.components.explanation.slice_scores import slice_scores
from penstock.components.plots.explanation import explanation_figures
from penstock.components.plots.output import to_svg
from penstock.components.schema import encode_target
from penstock.model import load_bundle
from penstock.problems.data import DataSplit
from penstock.problems.rows.explained_sections import Explanation
from penstock.problems.rows.supervised.prediction import predict
from penstock.problems.training import Explained, Trained
from penstock.stage import progress, stage
from penstock.store import Store

Array = np.ndarray[Any, Any]

MAX_ROWS = 500
MIN_ROWS = 100
MAX_SHUFFLED = 5000
FEW_COLUMNS = 20
ROWS_OF_A_CURVE = 100
MAX_CURVES = 4


@stage(worker=True, libraries=("matplotlib", "fairlearn"))
def explain(
    store: Store,
    trained: Trained,
    data_split: DataSplit,
    metric_name: str | None,
    slices: list[str],
    fairness_of: list[str],
    shap: bool,
    seed: int,
) -> Explained:
    """Numbers and pictures, of the predictions that the model gives.

    Importance is of at most 500 test rows, of many columns fewer; curves of 100; all drawn by the seed.
    """
    bundle = load_bundle(store.path(trained.model))
    schema = bundle.schema
    assert schema.target is not None
    frame, seen = store.frame(data_split.test), store.frame(data_split.train)
    n_classes = len(schema.classes or [])
    scorer = metric(metric_name or default_metric(n_classes), n_classes)
    y = encode_target(frame[schema.target], schema)
    weighing, group = schema.named("weight"), schema.named("group")
    weight = frame[weighing].to_numpy() if weighing else None
    groups = pd.factorize(frame[group])[0] if group else None
    names = [column.name for column in schema.features]

    def predicted(part: pd.DataFrame) -> Array:
        return predict(bundle.pipeline, part, n_classes)

    def scored(prediction: Array) -> Array:
        return response_of(scorer, prediction, bundle.predictions.decide(prediction))

    few_enough = int(np.clip(MAX_SHUFFLED // len(names), MIN_ROWS, MAX_ROWS))
    rng = np.random.default_rng(seed)
    drawn = rng.permutation(len(frame))[:few_enough]
    some = np.sort(drawn)
    of_some = None if weight is None else weight[some]
    features = frame[names]
    importance = permutation_importance(
        predicted,
        features.iloc[some],
        names,
        lambda prediction: scorer.function(y[some], scored(prediction), of_some),
        seed=seed,
        repeats=REPEATS if len(names) <= FEW_COLUMNS else REPEATS // 2,
    )
    progress(explained="importance")
    top = [schema.column(one["column"]) for one in importance]
    few = features.iloc[drawn[:ROWS_OF_A_CURVE]]
    dependence = (
        partial_dependence(predicted, few, features[column.name], column, schema.classes)
        for column in top
        if column.role in DRAWN
    )
    curves = list(islice(filter(None, dependence), MAX_CURVES))
    usual = seen[names].iloc[rng.permutation(len(seen))[:MAX_ROWS]]
    prediction = predicted(features)
    own = bundle.predictions.decide(prediction) if fairness_of else None
    cut = {name: slice_of_rows(frame[name], seen[name], schema.column(name)) for name in [*slices, *fairness_of]}
    facts = {
        "metric": scorer.name,
        "label": scorer.label,
        "sign": scorer.sign,
        "target": schema.target,
        "rows": len(some),
        "importance": importance,
        "dependence": curves,
        "slices": slice_scores(
            scorer, y, scored(prediction), {name: cut[name] for name in slices}, groups=groups, weight=weight, seed=seed
        ),
        "fairness": {
            name: fairness(
                y, decided(prediction) if own is None else own, cut[name], groups=groups, weight=weight, seed=seed
            )
            for name in fairness_of
        },
        "shap": shapley_values(predicted, few, usual, names, seed=seed) if shap else None,
    }
    figures = {name: to_svg(figure) for name, figure in explanation_figures(facts).items()}
    return Explained.of(store, Explanation.model_validate(facts), figures)
