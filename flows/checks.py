"""What is wrong with a pipeline file beyond its form: names and parameters that the catalogue does not know."""

from __future__ import annotations

from penstock.components import catalog
from penstock.components.evaluation.metrics import METRICS
from penstock.errors import UsageError, did_you_mean
from penstock.spec.parts import Choice
from penstock.spec.pipeline import Spec
from penstock.spec.reading import load_spec


def load_checked_spec(path: str, overrides: list[str] | None = None) -> Spec:
    spec = load_spec(path, overrides)
    for position, choice in enumerate(spec.models):
        _check(choice, spec.problem, f"{path}: models.{position}", catalog.MODELS)
    for step, kind in (("select", "selector"), ("extract", "extractor")):
        chosen: Choice | None = getattr(spec.features, step)
        if chosen:
            _check(chosen, spec.problem, f"{path}: features.{step}", (kind,))
    if spec.search.metric and spec.search.metric not in METRICS:
        raise UsageError(
            "PEN011",
            f"unknown metric '{spec.search.metric}'",
            where=f"{path}: search.metric",
            remedy=did_you_mean(spec.search.metric, list(METRICS)),
        )
    return spec


def _check(choice: Choice, problem: str, where: str, kinds: tuple[str, ...]) -> None:
    entry = catalog.find(choice.name, kinds, problem, where=where)
    catalog.check_parameters(entry, choice.parameters, where, problem=problem)
