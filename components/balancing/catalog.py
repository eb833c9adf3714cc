"""Balancers of the catalogue."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from penstock.components.catalog import Entry
from penstock.components.domains import Float, Int, OneOf

_NEIGHBOURS = Int(low=1, high=20, log=True, default=5)


def _sampler(name: str, library: str, summary: str, **more: Any) -> Entry:
    """`ratio`, of two classes: the rows of the smaller one for each of the larger, afterwards."""
    rename: Mapping[str, str] = {"ratio": "sampling_strategy", **more.pop("rename", {})}
    return Entry(
        name=name, kind="balancer", problems=("classification",), library=library, summary=summary, rename=rename,
        **more,
    )  # fmt: skip


ENTRIES = (
    Entry(
        name="class-weights",
        kind="balancer",
        problems=("classification",),
        library="penstock.components.balancing.class_weights:ClassWeights",
        space={"strength": Float(low=0.0, high=1.0, default=1.0)},
        summary="Lets rows of rare classes count for more; for models that take weights.",
    ),
    _sampler(
        "random-over-sampling",
        "imblearn.over_sampling:RandomOverSampler",
        "Takes rows of rare classes several times, until the classes are of equal size.",
    ),
    _sampler(
        "random-under-sampling",
        "imblearn.under_sampling:RandomUnderSampler",
        "Takes only some rows of common classes, until the classes are of equal size; quick on many rows.",
        space={"replacement": OneOf((False, True), default=False)},
    ),
    _sampler(
        "smote",
        "imblearn.over_sampling:SMOTE",
        "Makes new rows of rare classes, each between a row and one of its neighbours of the same class.",
        rename={"neighbours": "k_neighbors"},
        space={"neighbours": _NEIGHBOURS},
        invents_rows=True,
    ),
    _sampler(
        "borderline-smote",
        "imblearn.over_sampling:BorderlineSMOTE",
        "Makes new rows of rare classes where they meet the others.",
        rename={"neighbours": "k_neighbors"},
        space={"neighbours": _NEIGHBOURS},
        invents_rows=True,
    ),
    _sampler(
        "adasyn",
        "imblearn.over_sampling:ADASYN",
        "Makes more new rows of rare classes the more rows of others surround a row.",
        rename={"neighbours": "n_neighbors"},
        space={"neighbours": _NEIGHBOURS},
        invents_rows=True,
    ),
    _sampler(
        "tomek-links",
        "imblearn.under_sampling:TomekLinks",
        "Leaves out rows of common classes whose nearest neighbour is of a rare one, and the other way round.",
    ),
    _sampler(
        "edited-neighbours",
        "imblearn.under_sampling:EditedNearestNeighbours",
        "Leaves out rows of common classes that their neighbours contradict.",
        rename={"neighbours": "n_neighbors"},
        space={"neighbours": Int(low=1, high=10, default=3)},
    ),
    _sampler(
        "smote-tomek",
        "imblearn.combine:SMOTETomek",
        "Makes new rows as smote does, then leaves out those that meet another class.",
        invents_rows=True,
    ),
    _sampler(
        "smote-edited-neighbours",
        "imblearn.combine:SMOTEENN",
        "Makes new rows as smote does, then leaves out those that their neighbours contradict.",
        invents_rows=True,
    ),
)
