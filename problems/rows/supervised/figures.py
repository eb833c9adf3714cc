"""The figures that classification and regression share."""

from __future__ import annotations

from matplotlib.figure import Figure

from penstock.components.plots import supervised_figures
from penstock.components.plots.flow import flow_figure
from penstock.components.plots.partition import class_shares_figure, partition_figure
from penstock.document.run import Drawn
from penstock.evidence.evidence import Evidence
from penstock.evidence.folds import Folds
from penstock.problems.training import Evaluation
from penstock.store import Ref, Store


def draw(
    store: Store, drawn: Drawn, evaluation: Evaluation, folds: Ref, k_curves: dict[str, dict[int, float]]
) -> dict[str, Figure]:
    document = drawn.model_dump(mode="json")
    evidence, data_split = Evidence.load(store, evaluation.evidence), Folds.load(store, folds)
    beside = {"y": evidence.y, "learning_y": data_split.y, "groups": evidence.groups, "weight": evidence.weight}
    kept = {**evidence.predicted, **{name: array for name, array in beside.items() if array is not None}}
    if data_split.n_classes:
        kept["proba"] = kept.pop("prediction")
    figures = supervised_figures(document, kept) | partition_figure(document["data"], data_split)
    return figures | class_shares_figure(document["data"], data_split, kept["y"]) | flow_figure(document)
