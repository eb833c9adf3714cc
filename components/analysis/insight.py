"""Insight for people, from the training rows alone: what was found, in the order in which data are best looked at.

First mistakes, then assumptions, then whether the signal is there and where, direction and size of each relation with
the target, which methods suit, and at last relations between the columns. Nothing here is read by planning.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from penstock.components.analysis.association import (
    correlations,
    cramers_v,
    entropy,
    mutual_information,
    pair_tables,
    pooled,
    seriate,
    square,
)
from penstock.components.analysis.baselines import baselines
from penstock.components.analysis.collinearity import collinearity
from penstock.components.analysis.findings import findings, headline
from penstock.components.analysis.kinds import kinds, task
from penstock.components.analysis.labels import classes, contradictions
from penstock.components.analysis.missing import missing
from penstock.components.analysis.outliers import outliers
from penstock.components.analysis.relations import information, relations
from penstock.components.analysis.separability import separability
from penstock.components.analysis.table import MAX_COLUMNS, Floats, Table, draw
from penstock.components.schema import Schema
from penstock.components.schema.target import Proposals

MAX_ROWS_COMPARED = 200_000
MAX_PAIRS = 40
MAX_NAMED = 20
TELLING_PAIR = 0.3
DIGITS = 6


@dataclass(frozen=True)
class Study:
    """The table, and what several sections need of it."""

    table: Table
    seed: int
    goal: str
    proposals: Proposals

    @cached_property
    def information(self) -> dict[str, dict[str, float]]:
        return information(self.table)

    @cached_property
    def telling(self) -> list[str]:
        """The columns that are looked at closely: those that say most about the target, or else vary most."""
        names = [column.name for column in self.table.columns]
        if self.information:
            worth = {name: self.information[name]["share"] for name in names}
        else:
            worth = {name: _variety(self.table.coded[name].codes) for name in names}
        return sorted(names, key=lambda name: -worth[name])[:MAX_COLUMNS]

    @cached_property
    def numbers(self) -> pd.DataFrame:
        """The closely looked at columns that can be read as numbers, and the target if it can."""
        numbers = self.table.numbers[[name for name in self.telling if name in self.table.numbers]]
        target, y = self.table.schema.target, self.table.y
        if y is None or target is None or len(self.table.schema.classes or [0, 1]) != 2:
            return numbers
        return numbers.assign(**{target: y.astype(np.float64)})

    @cached_property
    def correlations(self) -> dict[str, pd.DataFrame]:
        return correlations(self.numbers)

    @cached_property
    def associations(self) -> dict[str, pd.DataFrame]:
        """Cramer's V and mutual information of every two columns, and of each with the target; all in a few groups."""
        coded = {name: self.table.coded[name] for name in self.telling}
        if self.table.coded_target is not None:
            coded[str(self.table.schema.target)] = self.table.coded_target
        tables = {pair: pooled(table) for pair, table in pair_tables(coded).items()}
        return {
            "cramers_v": square(list(coded), {pair: cramers_v(table) for pair, table in tables.items()}),
            "mutual_information": square(
                list(coded), {pair: mutual_information(table) for pair, table in tables.items()}
            ),
            "rows": square(list(coded), {pair: int(table.sum()) for pair, table in tables.items()}),
        }


@dataclass(frozen=True)
class Section:
    """One look at the data. `syllabus`: the rows that it answers."""

    name: str
    title: str
    look: Callable[[Study], dict[str, Any]]
    syllabus: tuple[str, ...] = ()


def insight(
    frame: pd.DataFrame, schema: Schema, seed: int, *, goal: str, proposals: Proposals
) -> tuple[dict[str, Any], Study]:
    """Everything found, as JSON, and the study that figures can be drawn from.

    `goal`: what a good answer is for. `proposals`: the problem to propose for each type of target.
    """
    study = Study(Table.of(frame, schema, seed), seed, goal, proposals)
    sections = [{"name": one.name, "title": one.title, **one.look(study)} for one in SECTIONS]
    found = {section["name"]: section for section in sections}
    close = set(study.telling)
    aside = [column.name for column in schema.features if column.name not in close]
    document = {
        "rows": len(frame),
        "columns": len(schema.features),
        "problem": schema.problem,
        "target": schema.target,
        "sample": {"rows": len(study.table.sample), "of": len(frame), "seed": seed},
        "left_out": {"count": len(aside), "columns": aside[:MAX_NAMED]},
        "headline": headline(found, schema, len(frame)),
        "findings": findings(found, schema),
        "sections": sections,
    }
    return _plain(document), study


def for_people(insight: dict[str, Any]) -> dict[str, Any]:
    """What goes into a run's document: all but the whole matrices, and sections that found nothing to look at."""
    sections = [
        {name: value for name, value in section.items() if name != "matrices"}
        for section in insight["sections"]
        if not _empty(section)
    ]
    return {**insight, "sections": sections}


def _empty(section: dict[str, Any]) -> bool:
    if section["name"] == "methods":
        return section["collinearity"] is None and section["separability"] is None
    alone = section.get("baselines")
    return section["name"] == "signal" and not (alone and (alone["columns"] or alone["reason"]))


def _mistakes(study: Study) -> dict[str, Any]:
    table = study.table
    return {
        "missing": missing(table.frame, table.schema),
        "outliers": outliers(table.frame, table.columns)[:MAX_COLUMNS],
        "contradictions": contradictions(draw(table.frame, MAX_ROWS_COMPARED, study.seed), table.schema),
    }


def _assumptions(study: Study) -> dict[str, Any]:
    frame, schema = study.table.frame, study.table.schema
    return {
        "task": task(frame, schema, study.goal, study.proposals),
        "kinds": kinds(frame, schema),
        "classes": classes(frame, schema),
        "shapes": _shapes(study),
    }


def _shapes(study: Study) -> list[dict[str, Any]]:
    """Skewness of the numeric columns, the most lopsided first."""
    numeric = [column.name for column in study.table.columns if column.role == "numeric"]
    skewness = study.table.numbers[numeric].skew().dropna()
    ranked = sorted(skewness.items(), key=lambda item: (-abs(item[1]), str(item[0])))
    return [{"column": str(name), "skewness": float(value)} for name, value in ranked[:MAX_COLUMNS]]


def _signal(study: Study) -> dict[str, Any]:
    return {"baselines": baselines(study.table, study.telling, study.seed)}


def _relations(study: Study) -> dict[str, Any]:
    return {"columns": relations(study.table, study.telling, study.information)}


def _methods(study: Study) -> dict[str, Any]:
    numbers = study.table.numbers[[name for name in study.telling if name in study.table.numbers]]
    y, classes = study.table.y, study.table.schema.classes
    return {
        "collinearity": collinearity(numbers, len(study.table.frame)),
        "separability": None if y is None or classes is None else separability(numbers, y, study.seed),
    }


def _predictors(study: Study) -> dict[str, Any]:
    """The strongest pairs of columns, and whole matrices in an order that lets related columns stand together."""
    linear, grouped = study.correlations, study.associations
    names, strength = _strengths(study)
    strong = np.argwhere(np.triu(strength >= TELLING_PAIR, 1)).tolist()
    ranked = sorted(strong, key=lambda pair: (-strength[*pair], *pair))
    return {
        "pairs": [
            {**_pair(study, names[one], names[other]), "strength": strength[one, other]}
            for one, other in ranked[:MAX_PAIRS]
        ],
        "more_pairs": max(0, len(ranked) - MAX_PAIRS),
        "matrices": {**_matrices(linear, "pearson"), **_matrices(grouped, "cramers_v")},
    }


def _strengths(study: Study) -> tuple[list[str], Floats]:
    """The strongest of all measures from 0 to 1, for every two features."""
    grouped = study.associations["cramers_v"]
    features = [str(name) for name in grouped.columns if name != study.table.schema.target]
    strongest = grouped.loc[features, features].to_numpy(dtype=np.float64)
    for measure in ("pearson", "spearman"):
        linear = study.correlations[measure].abs().reindex(index=features, columns=features)
        strongest = np.fmax(strongest, linear.to_numpy(dtype=np.float64))
    return features, strongest


def _pair(study: Study, one: str, other: str) -> dict[str, Any]:
    """All that is known of two columns; what holds only of numbers is None for others."""
    facts: dict[str, Any] = {"column": one, "other": other}
    for measure, matrix in {**study.associations, **study.correlations, "rows": study.associations["rows"]}.items():
        value: Any = matrix.at[one, other] if one in matrix and other in matrix else None
        facts[measure] = value if pd.notna(value) else None
    return facts


def _matrices(found: dict[str, pd.DataFrame], leading: str) -> dict[str, Any]:
    """Symmetric matrices, their columns in the order that shows blocks of the leading one."""
    lead = found[leading]
    order = [lead.columns[place] for place in seriate(lead.to_numpy(dtype=np.float64))]
    return {
        name if name != "rows" else f"rows_{leading}": {
            "columns": [str(column) for column in order],
            "values": matrix.loc[order, order].to_numpy(),
        }
        for name, matrix in found.items()
    }


def _variety(codes: np.ndarray[Any, Any]) -> float:
    return entropy(np.bincount(codes + 1))


def _plain(value: Any) -> Any:
    """As JSON: numbers short enough to read, None for what is not a number."""
    if isinstance(value, dict):
        return {str(name): _plain(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, np.ndarray):
        return _plain(value.tolist())
    if isinstance(value, np.generic):
        return _plain(value.item())
    if isinstance(value, float):
        return float(f"{value:.{DIGITS}g}") if np.isfinite(value) else None
    return value


SECTIONS = (
    Section("mistakes", "Mistakes to look for first", _mistakes),
    Section(
        "assumptions", "What the columns are", _assumptions, syllabus=("proc_task_contract", "proc_variable_typing")
    ),
    Section("signal", "Is the signal there, and where?", _signal, syllabus=("proc_single_predictor_baseline",)),
    Section("relations", "Direction and size of each relation", _relations),
    Section(
        "methods",
        "Which methods suit",
        _methods,
        syllabus=("proc_collinearity_decision_tree", "proc_nonseparable_remedies"),
    ),
    Section("predictors", "Relations between columns", _predictors, syllabus=("proc_correlation_study",)),
)
