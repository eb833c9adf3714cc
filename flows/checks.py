"""What is wrong with a pipeline file beyond its form: names and parameters that the catalogue does not know."""

from __future__ import annotations

from penstock.components import catalog
from penstock.components.balancing.balance import CLASS_WEIGHTS, no_weights
from penstock.components.evaluation.metrics import METRICS, check_number
from penstock.errors import UsageError, did_you_mean
from penstock.spec.decision import Tuned
from penstock.spec.parts import Choice
from penstock.spec.pipeline import Spec
from penstock.spec.reading import load_spec

_KINDS = {
    "clip": "clipper",
    "impute": "imputer",
    "impute_levels": "imputer",
    "expand": "basis",
    "balance": "balancer",
    "encode": "encoder",
    "scale": "scaler",
    "select": "selector",
    "extract": "extractor",
}


def load_checked_spec(path: str, overrides: list[str] | None = None) -> Spec:
    spec = load_spec(path, overrides)
    check_spec(spec, path)
    return spec


def check_spec(spec: Spec, path: str) -> None:
    for position, choice in enumerate(spec.models):
        _check(choice, spec.problem, f"{path}: models.{position}", catalog.MODELS)
    if spec.data.weighted:
        _check_weights(spec, path)
    if spec.preparation.balance:
        _check_balance(spec, spec.preparation.balance, path)
    _check_gate(spec, path)
    preparation = {f"preparation.columns.{name}": column for name, column in spec.preparation.columns.items()}
    for place, part in {"preparation": spec.preparation, **preparation, "features": spec.features}.items():
        for step, choice in part:
            if isinstance(choice, Choice):
                _check_step(choice, spec.problem, f"{path}: {place}.{step}", _KINDS[step])
    if spec.problem == "clustering" and spec.search.strategy in ("halving", "tpe"):
        raise UsageError(
            "PEN025",
            f"the strategy '{spec.search.strategy}' follows one score, which clusterings do not have",
            where=f"{path}: search.strategy",
            remedy="use grid or random",
        )
    _check_decision(spec, path)
    if spec.search.metric:
        _check_metric(spec, spec.search.metric, f"{path}: search.metric")
    if isinstance(spec.decision.threshold, Tuned):
        _check_metric(spec, spec.decision.threshold.tune, f"{path}: decision.threshold.tune", of_answers=True)


def _check_metric(spec: Spec, metric: str, where: str, *, of_answers: bool = False) -> None:
    fitting = [
        known.name
        for known in METRICS.values()
        if known.problem == spec.problem and not (of_answers and (known.judges == "scores" or known.classes == "many"))
    ]
    family, _, number = metric.partition(":")
    if family not in fitting:
        unfit = "does not change with the threshold" if of_answers else f"does not fit a {spec.problem}"
        raise UsageError(
            "PEN011",
            f"the metric '{family}' {unfit}" if family in METRICS else f"unknown metric '{family}'",
            where=where,
            remedy=did_you_mean(family, fitting) if fitting else "leave search.metric out",
        )
    if family == "neg_cost" and spec.decision.costs is None:
        raise UsageError(
            "PEN036",
            "the metric 'neg_cost' is the mean cost of errors, and no costs are given",
            where=where,
            remedy="say what errors cost: `decision: {costs: {false_positive: 1, false_negative: 5}}`",
        )
    if ":" in metric:
        check_number(METRICS[family], number, where=where)


def _check_decision(spec: Spec, path: str) -> None:
    """Costs, thresholds and calibration are for classes; sets and intervals for both; clusters have no truth."""
    allowed = {"classification": {"costs", "threshold", "calibrate", "coverage"}, "regression": {"coverage"}}
    asked = [name for name, value in spec.decision if value not in (None, "none")]
    wrong = [name for name in asked if name not in allowed.get(spec.problem, set())]
    if wrong:
        raise UsageError(
            "PEN032",
            f"'{wrong[0]}' decides between classes, and this is a {spec.problem}"
            if wrong[0] != "coverage"
            else f"'{wrong[0]}' is checked against the truth, which a {spec.problem} does not have",
            where=f"{path}: decision.{wrong[0]}",
            remedy=f"leave `{wrong[0]}` out" + ("; `coverage` gives intervals" if spec.problem == "regression" else ""),
        )


def _check_weights(spec: Spec, path: str) -> None:
    """Every model must be able to let rows count more or less, or its scores would not be comparable."""
    weight = next(name for name, role in spec.data.columns.items() if role == "weight")
    if spec.problem == "clustering":
        raise UsageError(
            "PEN165",
            f"'{weight}' is declared as weight, but a clustering counts all rows alike",
            where=f"{path}: data.columns.{weight}",
            remedy=f"declare `{weight}: ignore`, or `{weight}: ratio` if it is a feature",
        )
    for position, choice in enumerate(spec.models):
        if not catalog.takes_weights(choice.name, spec.problem):
            raise UsageError(
                "PEN164",
                f"'{choice.name}' cannot take the weights of '{weight}': it counts all rows alike",
                where=f"{path}: models.{position}",
                remedy=f"choose among: {', '.join(catalog.weighable(spec.problem))}; or declare `{weight}: ignore`",
            )


def _check_balance(spec: Spec, balance: Choice, path: str) -> None:
    """Balancing is for classes; weights go with rows that exist, and with models that take weights."""
    where = f"{path}: preparation.balance"
    if spec.problem != "classification":
        raise UsageError(
            "PEN027",
            f"'{balance.name}' balances classes, and a {spec.problem} has none",
            where=where,
            remedy="leave preparation.balance out; a column with the role weight lets rows count more or less",
        )
    entry = catalog.find(balance.name, ("balancer",), spec.problem, where=where)
    if spec.data.weighted and entry.invents_rows:
        raise no_weights(entry.name, where)
    for position, choice in enumerate(spec.models):
        if entry.name == CLASS_WEIGHTS and not catalog.takes_weights(choice.name, spec.problem):
            raise UsageError(
                "PEN029",
                f"'{choice.name}' takes no weights, so class-weights cannot balance it",
                where=f"{path}: models.{position}",
                remedy="balance by random-over-sampling or another that changes rows; or choose among: "
                f"{', '.join(catalog.weighable(spec.problem))}",
            )


def _check_gate(spec: Spec, path: str) -> None:
    terms = spec.register_.promote
    if terms.slices and spec.problem == "clustering":
        raise UsageError(
            "PEN404",
            "slices compare predictions with what came true, which clusterings do not have",
            where=f"{path}: register.promote.slices",
            remedy="leave slices out",
        )
    if terms.limits.calibration_error is not None and spec.problem != "classification":
        raise UsageError(
            "PEN404",
            f"a {spec.problem} gives no probabilities whose calibration could be limited",
            where=f"{path}: register.promote.limits.calibration_error",
            remedy="leave calibration_error out",
        )
    if terms.slices and spec.data.target in terms.slices.columns:
        raise UsageError(
            "PEN403",
            f"the column '{spec.data.target}' makes no slices: it is what the model predicts",
            where=f"{path}: register.promote.slices.columns",
            remedy="name columns that are known before the outcome is",
        )


def _check_step(choice: Choice, problem: str, where: str, kind: str) -> None:
    _check(choice, problem, where, (kind,))
    listed = [name for name, value in choice.parameters.items() if isinstance(value, list)]
    if listed:
        raise UsageError(
            "PEN020",
            f"'{listed[0]}' lists several values, but only parameters of models are searched",
            where=f"{where}: {listed[0]}",
            remedy="give one value, and run the pipeline once for each to compare them",
        )


def _check(choice: Choice, problem: str, where: str, kinds: tuple[str, ...]) -> None:
    entry = catalog.find(choice.name, kinds, problem, where=where)
    catalog.check_parameters(entry, choice.parameters, where, problem=problem)
