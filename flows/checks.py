"""What is wrong with a pipeline file beyond its form: names and parameters that the catalogue does not know."""

from __future__ import annotations

from typing import Any

from penstock.components import catalog
from penstock.components.balancing.balance import CLASS_WEIGHTS, no_weights
from penstock.components.dimensionality_reduction.pictures import require_pictures
from penstock.components.dissimilarity.catalog import ENCODER
from penstock.components.dissimilarity.levels import read_table
from penstock.components.dissimilarity.measure import COLUMN_BY_COLUMN
from penstock.components.evaluation.metrics import METRICS, check_number
from penstock.components.explanation.fairness import require_two_classes
from penstock.components.preprocessing.plan import KEEP_MISSING
from penstock.components.search import default_methods
from penstock.components.trees.rule_words import number, read_rule
from penstock.errors import UsageError, did_you_mean, examples
from penstock.spec.alternatives import NONE, may_be_none, place_of, treatments
from penstock.spec.decision import Tuned
from penstock.spec.parts import Choice
from penstock.spec.pipeline import AUTO, Spec
from penstock.spec.reading import load_spec

PRECOMPUTED, RULE_LIST = "precomputed", "rule-list"
_HARMLESS = ("impute", "impute_levels", "encode", "scale")  # all are numbers, of which none may be missing
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
    _check_models(spec, path)
    if spec.data.weighted:
        _check_weights(spec, path)
    _check_gate(spec, path)
    _check_preparation(spec, path)
    _check_kept_gaps(spec, path)
    _check_own_units(spec, path)
    _check_own_distances(spec, path)
    if spec.problem == "clustering" and spec.search.strategy in ("halving", "tpe"):
        raise UsageError(
            "PEN025",
            f"the strategy '{spec.search.strategy}' follows one score, which clusterings do not have",
            where=f"{path}: search.strategy",
            remedy="use grid or random",
        )
    _check_evaluation(spec, path)
    _check_diagnose(spec, path)
    _check_decision(spec, path)
    if spec.search.metric:
        _check_metric(spec, spec.search.metric, f"{path}: search.metric")
    for position, name in enumerate(spec.evaluation.metrics):
        _check_metric(spec, name, f"{path}: evaluation.metrics.{position}")
    if isinstance(spec.decision.threshold, Tuned):
        _check_metric(spec, spec.decision.threshold.tune, f"{path}: decision.threshold.tune", of_answers=True)


def _check_models(spec: Spec, path: str) -> None:
    if any(choice.name == AUTO for choice in spec.models):
        alone = spec.automatic and not spec.models[0].parameters
        if spec.problem != "clustering" or not alone:
            what = "stands alone, without parameters" if spec.problem == "clustering" else "is for clustering alone"
            raise UsageError(
                "PEN323",
                f"`models: {AUTO}` lets the rows decide on the method, and {what}",
                where=f"{path}: models",
                remedy=f"say `models: {AUTO}` and no more"
                if spec.problem == "clustering"
                else "list the models to try, or leave `models` out for the usual ones",
            )
        return
    for position, choice in enumerate(spec.models):
        where = f"{path}: models.{position}"
        _check(choice, spec.problem, where, catalog.model_kinds(spec.problem))
        _check_matrix(spec, choice, where)


def asks_for_distances(spec: Spec) -> bool:
    """Whether a model takes the columns for distances between rows."""
    return any(PRECOMPUTED in _asked(choice, "dissimilarity") for choice in spec.models)


def asks_for_kernel(spec: Spec) -> bool:
    """Whether a model takes the columns for kernel values between rows."""
    return any(PRECOMPUTED in _asked(choice, "kernel") for choice in spec.models)


def _asked(choice: Choice, parameter: str) -> list[Any]:
    value = choice.parameters.get(parameter)
    return value if isinstance(value, list) else [value]


def _check_matrix(spec: Spec, choice: Choice, where: str) -> None:
    """A matrix of all pairs can be cut into rows only where it stands in columns, and nothing changes these."""
    for parameter in ("dissimilarity", "affinity", "kernel"):
        asked, place = _asked(choice, parameter), f"{where}: {parameter}"
        if PRECOMPUTED not in asked:
            continue
        of_kernel = parameter == "kernel" and catalog.takes_kernel_columns(choice.name, spec.problem)
        if parameter != "dissimilarity" and not of_kernel:
            raise UsageError(
                "PEN325",
                "a matrix of all pairs cannot be cut into rows that learn and rows that judge",
                where=place,
                remedy="choose another affinity; or take k-medoids, agglomerative, dbscan or hdbscan with "
                "`dissimilarity: precomputed` and distances as columns"
                if parameter == "affinity"
                else "name the kernel, and the matrix is made and checked inside of every fold; with a matrix of your "
                "own, call `penstock.components.catalog.build` from Python",
            )
        if of_kernel and len(asked) > 1:
            raise UsageError(
                "PEN325",
                "the columns hold a kernel or coordinates, not both: `precomputed` cannot be tried beside other "
                "kernels",
                where=place,
                remedy="say `kernel: precomputed`, or leave `precomputed` out of the list",
            )
        if changing := _changes_columns(spec):
            raise UsageError(
                "PEN325",
                f"the columns hold {'a kernel' if of_kernel else 'distances'}, and {changing[0]} would change them",
                where=place,
                remedy="say `preparation: {scale: none}`"
                if changing[0] == "preparation.scale"
                else f"leave {changing[0]} out",
            )


def _changes_columns(spec: Spec) -> list[str]:
    """What of the preparation would make other values of the columns, or rows that nobody has compared."""
    found = [
        place_of(name)
        for name, choices in treatments(spec.preparation, spec.features).items()
        if name not in _HARMLESS and not (name == "balance" and all(map(_keeps_rows, choices)))
    ]
    found += ["preparation.augment"] if spec.preparation.augment else []
    return found + (["preparation.scale"] if spec.preparation.scale != Choice(name="none") else [])


def _keeps_rows(balance: Choice) -> bool:
    return balance.name == NONE or not catalog.find(balance.name, ("balancer",)).invents_rows


def _check_own_distances(spec: Spec, path: str) -> None:
    """Tables of distances between levels are in order, and every model compares rows by them."""
    places = {
        place_of(treatment): choice
        for treatment, choices in treatments(spec.preparation, spec.features).items()
        for choice in choices
        if choice.name == ENCODER
    }
    for place, choice in places.items():
        table, triangle = choice.parameters.get("table"), choice.parameters.get("triangle", "refuse")
        read_table(table if isinstance(table, dict) else {}, f"{path}: {place}", triangle=str(triangle))
    if not places:
        return
    for part in ("select", "extract"):
        if getattr(spec.features, part) is not None:
            raise UsageError(
                "PEN326",
                f"'{ENCODER}' makes columns that belong together, and features.{part} would tear them apart",
                where=f"{path}: features.{part}",
                remedy=f"leave features.{part} out",
            )
    for position, model in enumerate(spec.models or [Choice(name=name) for name in default_methods(spec.problem)]):
        asked = model.parameters.get("dissimilarity")
        named = asked if isinstance(asked, list) else [asked]
        if not set(named) <= set(COLUMN_BY_COLUMN):
            raise UsageError(
                "PEN326",
                f"'{model.name}' does not compare rows column by column, so it cannot heed own distances between "
                "levels",
                where=f"{path}: models.{position}",
                remedy="take k-medoids, agglomerative, dbscan or hdbscan with `dissimilarity: gower` or "
                "`dissimilarity: equal-influence`",
            )


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
            remedy=did_you_mean(family, fitting) if fitting else "leave it out",
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
    allowed = {"classification": set(type(spec.decision).model_fields), "regression": {"coverage"}}
    asked = [name for name, value in spec.decision if value != type(spec.decision).model_fields[name].default]
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


def _check_evaluation(spec: Spec, path: str) -> None:
    """What looks at predictions has nothing to look at where none are made."""
    if not spec.predicts:
        require_pictures(spec.evaluation.pictures, f"{path}: evaluation.pictures")
        asked = [f"evaluation.{name}" for name, value in spec.evaluation if value and name != "pictures"]
        asked += ["search.ensembles"] if spec.search.ensembles else []
        asked += ["search.rule"] if spec.search.rule != "best" else []
        if asked:
            raise UsageError(
                "PEN025",
                f"'{asked[0]}' is about predictions, which a {spec.problem} does not make",
                where=f"{path}: {asked[0]}",
                remedy="leave it out",
            )
    elif spec.evaluation.pictures:
        raise UsageError(
            "PEN025",
            f"'evaluation.pictures' shows rows where nothing is predicted, and this is a {spec.problem}",
            where=f"{path}: evaluation.pictures",
            remedy="leave it out; `features: {extract: pca}` draws and describes new columns",
        )
    require_two_classes(spec.evaluation.fairness, spec.problem, None)


def _check_diagnose(spec: Spec, path: str) -> None:
    if not spec.diagnose:
        return
    from penstock.components.diagnostics import find  # they draw, so they take a while to load

    for position, choice in enumerate(spec.diagnose):
        where = f"{path}: diagnose.{position}"
        diagnostic = find(choice.name, where)
        diagnostic.checked(choice.parameters, f"{where}: ")
        known = {"target"} if spec.data.target else set()
        settings = ", ".join(f"{name}: {name.upper()}" for name in diagnostic.required if name not in known)
        given = {**dict.fromkeys(known), **choice.parameters}
        diagnostic.require(given, f"{where}: ", f"- {choice.name}: {{{settings}}}")


def _check_weights(spec: Spec, path: str) -> None:
    """Every model must be able to let rows count more or less, or its scores would not be comparable."""
    weight = next(name for name, role in spec.data.columns.items() if role == "weight")
    if not spec.predicts:
        raise UsageError(
            "PEN165",
            f"'{weight}' is declared as weight, but a {spec.problem} counts all rows alike",
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


def _check_balance(spec: Spec, balance: Choice, path: str, where: str) -> None:
    """Balancing is for classes; weights go with rows that exist, and with models that take weights."""
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
    if terms.slices and not spec.predicts:
        raise UsageError(
            "PEN404",
            f"slices compare predictions with what came true, which a {spec.problem} does not have",
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


def _lists_values(choice: Choice) -> bool:
    lists = () if choice.name == NONE else catalog.find(choice.name).lists
    return any(isinstance(value, list) and name not in lists for name, value in choice.parameters.items())


def _check_preparation(spec: Spec, path: str) -> None:
    searched = spec.search.preparation
    for treatment, choices in treatments(spec.preparation, spec.features).items():
        where = f"{path}: {place_of(treatment)}"
        for position, choice in enumerate(choices):
            place = where if len(choices) == 1 else f"{where}.{position}"
            if choice == Choice(name=NONE) and may_be_none(treatment):
                continue
            if treatment == "balance":
                _check_balance(spec, choice, path, place)
            _check(choice, spec.problem, place, (_KINDS[treatment.rpartition(".")[2]],))
        searched = searched or len(choices) > 1 or _lists_values(choices[0])
        if searched and not spec.predicts:
            known = "; what other scalings would change is in every report" if spec.problem == "clustering" else ""
            raise UsageError(
                "PEN020",
                f"answers of a {spec.problem} to differently prepared rows cannot be compared: their scores hang on "
                "the preparation",
                where=f"{path}: search.preparation" if spec.search.preparation else where,
                remedy="give one component with one value for each parameter, and run the pipeline once for each"
                + known,
            )


def _check_kept_gaps(spec: Spec, path: str) -> None:
    """Where gaps are left as they are, every model has to know what to do with them."""
    kept = [
        treatment
        for treatment, choices in treatments(spec.preparation, spec.features).items()
        if any(choice.name == KEEP_MISSING or choice.parameters.get("missing") == "kept" for choice in choices)
    ]
    if not kept:
        return
    models = [choice.name for choice in spec.models] or default_methods(spec.problem)
    cannot = [name for name in models if not catalog.takes_gaps(name, spec.problem)]
    if cannot:
        can = [name for name in catalog.members(spec.problem) if catalog.takes_gaps(name, spec.problem)]
        raise UsageError(
            "PEN037",
            f"gaps are kept, and {examples(cannot)} cannot do with them",
            where=f"{path}: {place_of(kept[0])}",
            remedy=f"name models that can: {', '.join(can)}; or fill the gaps",
        )


def _check_own_units(spec: Spec, path: str) -> None:
    """Where a model is told numbers of the table, as rules and densities are, nothing may change the columns."""
    told = [choice for choice in spec.models if choice.name != AUTO and catalog.find(choice.name).own_units]
    changing = [
        place_of(name)
        for name, choices in treatments(spec.preparation, spec.features).items()
        if name.rpartition(".")[2] in ("clip", "expand", "scale", "extract") and choices != [Choice(name=NONE)]
    ]
    if told and changing:
        raise UsageError(
            "PEN038",
            f"'{told[0].name}' takes columns in the units of the table, and {changing[0]} would change these",
            where=f"{path}: {changing[0]}",
            remedy=f"say `{changing[0]}: none`" if changing[0].endswith("scale") else f"leave {changing[0]} out",
        )
    rules = next((choice.parameters.get("rules") for choice in told if choice.name == RULE_LIST), None)
    tests = [test for words in (rules if isinstance(rules, list) else []) for test in read_rule(str(words)).tests]
    levels = [test for test in tests if test.sign in ("=", "!=") and number(test.value) is None]
    if levels and spec.preparation.rare:
        raise UsageError(
            "PEN038",
            f"a rule asks for the level '{levels[0].value}', and rare levels are put together",
            where=f"{path}: preparation.rare",
            remedy="say `preparation: {rare: 0}`",
        )


def _check(choice: Choice, problem: str, where: str, kinds: tuple[str, ...]) -> None:
    entry = catalog.find(choice.name, kinds, problem, where=where)
    catalog.check_parameters(entry, choice.parameters, where, problem=problem)
