from __future__ import annotations

import importlib.util
import json
import math
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import sklearn

from penstock.components import catalog
from penstock.components.catalog import Entry, build, check_parameters, entries, find, fingerprint, listing
from penstock.components.domains import Float
from penstock.errors import UsageError
from tests.methods import problems_of

TESTS = Path(__file__).parents[1]
STEPS = {
    *("clip-quantiles", "clip-tukey", "clip-deviations"),
    *("mean", "median", "mode", "constant", "class-mode", "k-nearest", "iterative", "svd", "row-mean"),
    *("polynomial", "spline", "functions", "radial"),
    *("class-weights", "random-over-sampling", "random-under-sampling", "smote", "borderline-smote", "adasyn"),
    *("tomek-links", "edited-neighbours", "smote-tomek", "smote-edited-neighbours"),
    *("correlation", "anova", "chi-squared", "information-gain", "l1", "tree-importance", "stability-selection"),
    *("forward-selection", "backward-elimination", "exhaustive-selection", "hold-out-wrapper"),
    *("kernel-pca", "ica", "nmf", "discriminants", "truncated-svd", "lsa", "sparse-pca", "als", "iterative-svd"),
    *("entropy-ica",),
    *("one-hot", "target", "frequency", "hashing", "bag-of-words"),
    *("none", "centre", "standard", "min-max", "robust", "unit-norm", "quantile", "power"),
    *("midpoint", "equal-influence"),
}
METHODS = STEPS | {
    *("bagging", "random-subspace", "voting", "stacking", "one-vs-rest", "one-vs-one"),
    *("bridge", "delta-rule", "lasso-lars", "norm-constrained-regression", "penalised-risk", "perceptron"),
    *("least-squares-subset", "sparse-signal"),
    "ada-boost",
    "bernoulli-naive-bayes",
    "categorical-naive-bayes",
    "decision-tree",
    "dummy",
    "elastic-net",
    "gaussian-mixture-density",
    "kernel-density",
    "extra-trees",
    "gaussian-mixture",
    "gaussian-naive-bayes",
    "gradient-boosting",
    "hist-gradient-boosting",
    "k-means",
    "k-nearest-neighbours",
    "kernel-ridge",
    "lasso",
    "least-absolute-deviations",
    "linear-discriminant-analysis",
    "linear-regression",
    "linear-svm",
    "logistic-regression",
    "mlp",
    "multinomial-naive-bayes",
    "mutual-information",
    "pca",
    "random-forest",
    "rbf-svm",
    "ridge",
    "svm",
    "svr",
    "total-least-squares",
}
PAIRS = [(name, problem) for name in sorted(METHODS) for problem in problems_of(entries()[name])]


def refused(code: str, call: Any, *arguments: Any, **named: Any) -> UsageError:
    with pytest.raises(UsageError) as caught:
        call(*arguments, **named)
    assert caught.value.code == code
    assert caught.value.exit_status == 2
    return caught.value


def test_the_families_are_gathered_by_looking() -> None:
    assert set(entries()) >= METHODS
    assert list(entries()) == sorted(entries())


@pytest.mark.parametrize(("name", "problem"), PAIRS)
def test_the_start_of_a_search_is_in_the_space(name: str, problem: str) -> None:
    for parameter, domain in entries()[name].space_for(problem).items():
        assert domain.default in domain, parameter


@pytest.mark.parametrize(("name", "problem"), PAIRS)
def test_every_domain_is_a_parameter_that_takes_its_values(name: str, problem: str) -> None:
    entry = entries()[name]
    for parameter, domain in entry.space_for(problem).items():
        check_parameters(entry, {parameter: list(domain.grid())}, problem=problem)


@pytest.mark.parametrize(("name", "problem"), PAIRS)
def test_the_librarys_default_can_be_searched(name: str, problem: str) -> None:
    """Unless the library's default makes no sense here: one cluster, or all components."""
    entry = entries()[name]
    own = catalog.class_of(entry, problem)().get_params()
    for parameter, domain in entry.space_for(problem).items():
        if (name, parameter) != ("gaussian-mixture", "clusters") and parameter not in entry.means:
            assert own[entry.rename.get(parameter, parameter)] in domain, parameter


def test_rates_and_penalties_are_on_a_log_scale() -> None:
    found = [
        (entry.name, name, domain)
        for entry in entries().values()
        for name, domain in entry.space.items()
        if name in ("alpha", "C", "learning_rate", "weight_decay")
    ]
    assert len(found) > 10
    assert all(isinstance(domain, Float) and domain.log for _, _, domain in found)


@pytest.mark.parametrize(("name", "problem"), PAIRS)
def test_build_gives_the_seed_and_the_starting_values(name: str, problem: str) -> None:
    entry = entries()[name]
    estimator = build(name, {}, seed=11, problem=problem)
    given = estimator.get_params()
    assert given.get("random_state", 11) == 11
    for parameter, domain in entry.space_for(problem).items():
        if parameter not in _said_by_means(entry):
            assert given[entry.rename.get(parameter, parameter)] == domain.default


def _said_by_means(entry: Entry) -> set[str]:
    """Parameters that a word of ours may stand for."""
    words = [word for meanings in entry.means.values() for word in meanings.values()]
    return {*entry.means, *(name for word in words for name in word)}


def test_a_word_of_ours_stands_for_the_librarys_parameters() -> None:
    def penalised(penalty: str) -> tuple[Any, ...]:
        given = {"penalty": penalty, "C": 2.0, "l1_ratio": 0.3}
        model = build("logistic-regression", given, seed=0, problem="classification")
        return model.C, model.l1_ratio, model.solver

    assert penalised("none") == (math.inf, 0.0, "lbfgs")
    assert penalised("l2") == (2.0, 0.0, "lbfgs")
    assert penalised("l1") == (2.0, 1.0, "saga")
    assert penalised("elastic-net") == (2.0, 0.3, "saga")
    check_parameters(entries()["logistic-regression"], {"penalty": ["none", "l1"]})


def test_build_renames_and_prefers_what_is_given() -> None:
    estimator = build("k-means", {"clusters": 5, "n_init": 2}, seed=0, problem="clustering")
    assert (estimator.n_clusters, estimator.n_init) == (5, 2)


def test_one_name_is_two_classes() -> None:
    classifier = build("random-forest", {}, seed=0, problem="classification")
    regressor = build("random-forest", {}, seed=0, problem="regression")
    assert (classifier.max_features, regressor.max_features) == ("sqrt", 1.0)
    assert (type(classifier).__name__, type(regressor).__name__) == ("RandomForestClassifier", "RandomForestRegressor")


def test_a_misspelt_name_is_corrected() -> None:
    error = refused("PEN005", find, "random-forrest", where="pipeline.yaml: models.0")
    assert error.remedy == "did you mean 'random-forest'?"
    assert error.where == "pipeline.yaml: models.0"


def test_a_strange_name_gets_the_names_that_fit() -> None:
    error = refused("PEN005", find, "wizardry", "extractor")
    assert (
        error.remedy == f"choose one of: {', '.join(one.name for one in entries().values() if one.kind == 'extractor')}"
    )
    assert "discriminants" in error.remedy
    assert "ridge" not in error.remedy


def test_a_method_for_another_problem_is_refused() -> None:
    error = refused("PEN009", find, "ridge", problem="classification")
    assert "'ridge' is for regression, not for classification" in str(error)
    assert "logistic-regression" in error.remedy
    assert "k-means" not in error.remedy


def test_a_method_of_another_kind_is_refused() -> None:
    error = refused("PEN009", find, "pca", ("classifier", "regressor"), "classification")
    assert "'pca' is an extractor, which cannot stand here" in str(error)
    assert "pca" not in error.remedy.split(", ")


def test_a_predictor_is_a_classifier_and_a_regressor() -> None:
    assert find("mlp", "classifier", "classification") is find("mlp", ("regressor",), "regression")


@pytest.mark.parametrize(
    ("name", "given", "meant"),
    [
        ("ridge", "alhpa", "alpha"),
        ("k-means", "n_clusters", "clusters"),
        ("pca", "n_components", "components"),
        ("mlp", "widht", "width"),
        ("hist-gradient-boosting", "max_leaf_node", "max_leaf_nodes"),
    ],
)
def test_a_misspelt_parameter_is_corrected(name: str, given: str, meant: str) -> None:
    error = refused("PEN006", check_parameters, entries()[name], {given: 3}, f"models: {name}")
    assert error.remedy == f"did you mean '{meant}'?"
    assert error.where == f"models: {name}: {given}"


@pytest.mark.parametrize("name", ["random_state", "n_jobs", "scoring"])
def test_what_the_run_decides_cannot_be_set(name: str) -> None:
    refused("PEN006", check_parameters, entries()["hist-gradient-boosting"], {name: 1})
    refused("PEN006", check_parameters, entries()["random-forest"], {name: 1})


@pytest.mark.parametrize(
    ("name", "parameters", "words"),
    [
        ("random-forest", {"n_estimators": "many"}, "int in the range"),
        ("random-forest", {"n_estimators": [100, 0]}, "Got 0"),
        ("k-means", {"clusters": 0}, "n_clusters"),
        ("mlp", {"dropout": 1.5}, "float in the range"),
        ("mutual-information", {"keep": 0}, "Got 0"),
        ("ridge", {"alpha": []}, "lists no value"),
        ("logistic-regression", {"penalty": "l3"}, "one of none, l1, l2, elastic-net, not 'l3'"),
        ("logistic-regression", {"C": float("inf")}, "finite"),
    ],
)
def test_a_value_that_cannot_be_taken_is_refused_before_any_fit(
    name: str, parameters: dict[str, Any], words: str
) -> None:
    assert words in refused("PEN017", check_parameters, entries()[name], parameters).what


def test_a_parameter_of_the_other_problem_is_refused_when_the_problem_is_known() -> None:
    forest = entries()["random-forest"]
    check_parameters(forest, {"class_weight": "balanced"})
    check_parameters(forest, {"class_weight": "balanced"}, problem="classification")
    refused("PEN006", check_parameters, forest, {"class_weight": "balanced"}, problem="regression")


def test_without_torch_the_remedy_is_a_command(monkeypatch: pytest.MonkeyPatch) -> None:
    find_spec = importlib.util.find_spec

    def without_torch(name: str, package: str | None = None) -> Any:
        return None if name == "torch" else find_spec(name, package)

    monkeypatch.setattr(importlib.util, "find_spec", without_torch)
    error = refused("PEN012", build, "mlp", {}, seed=0, problem="regression")
    assert error.remedy == "pip install 'penstock[torch]'"
    refused("PEN012", fingerprint, entries()["mlp"], "regression")
    check_parameters(entries()["mlp"], {"width": [8, 16]})


@pytest.mark.parametrize(
    ("name", "entry"),
    [
        pytest.param(name, entry, id=name, marks=pytest.mark.slow if entry.extra else [])
        for name, entry in entries().items()
    ],
)
def test_every_method_tells_what_a_file_may_set_of_it(name: str, entry: Entry) -> None:
    if entry.extra:
        pytest.importorskip(entry.extra)
    told = {one["name"]: one for one in catalog.described(name)["parameters"]}
    assert set(entry.space) <= {name for name, one in told.items() if one["searched"]}
    check_parameters(entry, {name: told[name]["default"] for name in entry.space}, problem=problems_of(entry)[0])


def test_a_method_is_described_by_defaults_ranges_and_words() -> None:
    told = {one["name"]: one for one in catalog.described("id3")["parameters"]}
    assert told["max_depth"] == {
        "name": "max_depth", "default": None, "searched": "2, 3, 5, 8, 12, 20, null", "words": [],
    }  # fmt: skip
    assert told["min_samples_leaf"]["searched"] == "whole numbers from 1 to 100, by orders"
    assert told["missing"]["words"] == ["class-mode", "fractional", "mode"]
    forest = {problem: catalog.described("random-forest", problem) for problem in ("classification", "regression")}
    shares = {
        problem: next(one["default"] for one in told["parameters"] if one["name"] == "max_features")
        for problem, told in forest.items()
    }
    assert shares == {"classification": "sqrt", "regression": 1.0}
    with pytest.raises(UsageError) as refused:
        catalog.described("id4")
    assert (refused.value.code, refused.value.exit_status) == ("PEN005", 2)
    assert "did you mean 'id3'?" in str(refused.value.remedy)


def test_the_catalogue_is_read_without_torch_skrub_or_scikit_learn() -> None:
    code = (
        "import sys; from penstock.components.catalog import listing; listing(); "
        "print([name for name in ('torch', 'skrub', 'sklearn') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_a_fingerprint_names_the_library_or_our_module() -> None:
    lasso = fingerprint(entries()["lasso"], "regression")
    assert (lasso["distribution"], lasso["version"]) == ("scikit-learn", sklearn.__version__)
    assert lasso["starts"] == {"alpha": 1.0, "positive": False}
    mlp = fingerprint(entries()["mlp"], "classification")
    assert mlp["module"] == "penstock.components.neural_network.mlp"
    assert mlp["extra"].startswith("torch==2")
    forest = entries()["random-forest"]
    assert fingerprint(forest, "classification") != fingerprint(forest, "regression")
    for entry in entries().values():
        json.dumps(fingerprint(entry, problems_of(entry)[0]), allow_nan=False)


def test_the_listing_can_be_limited_to_a_problem() -> None:
    rows = listing("clustering")
    names = {row["name"] for row in rows}
    assert {"gaussian-mixture", "k-means", "pca"} <= names
    assert not names & {"ridge", "logistic-regression"}
    assert all(row["summary"].endswith(".") for row in listing())
    json.dumps(listing())


PLUGIN = """
from penstock.components.catalog import Entry
from penstock.components.domains import Float

ENTRIES = [
    Entry(name={name!r}, kind="regressor", problems=("regression",), library="sklearn.linear_model:Lasso",
          space={{"alpha": Float(low=0.01, high=10.0, log=True, default=1.0)}}, summary="From elsewhere."),
]
TRUSTED = ["elsewhere.Thing"]
"""


@pytest.fixture
def plugin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Install a package that adds a method, for the time of the test."""

    def install(name: str) -> None:
        (tmp_path / "elsewhere.py").write_text(PLUGIN.format(name=name))
        info = tmp_path / "elsewhere-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text("Metadata-Version: 2.1\nName: elsewhere\nVersion: 1.0\n")
        (info / "entry_points.txt").write_text("[penstock.components]\nmine = elsewhere:ENTRIES\n")
        monkeypatch.syspath_prepend(tmp_path)
        entries.cache_clear()

    yield install
    entries.cache_clear()
    sys.modules.pop("elsewhere", None)


def test_another_package_adds_a_method_and_its_types(plugin: Any) -> None:
    from penstock.components.trust import trusted_types

    plugin("lasso-from-elsewhere")
    estimator = build("lasso-from-elsewhere", {"alpha": 2.0}, seed=4, problem="regression")
    assert (estimator.alpha, estimator.random_state) == (2.0, 4)
    assert "elsewhere.Thing" in trusted_types()


def test_two_methods_of_one_name_are_refused(plugin: Any) -> None:
    plugin("ridge")
    assert "two packages offer a method named 'ridge'" in str(refused("PEN018", entries))


def test_an_entry_cannot_be_changed() -> None:
    with pytest.raises(AttributeError):
        entries()["ridge"].name = "other"  # type: ignore[misc]
    assert isinstance(entries()["ridge"], Entry)


def test_every_learner_and_step_of_ours_meets_scikit_learns_checks() -> None:
    """By a test that names its class beside the checks; clusterers are all tried together by their conventions."""
    checked = [text for path in TESTS.rglob("test_*.py") if "estimator_checks" in (text := path.read_text())]
    missing = {
        entry.name: kind.__name__
        for entry in entries().values()
        if entry.kind not in ("clusterer", "balancer") and entry.extra is None
        for problem in {*problems_of(entry), *(entry.library if isinstance(entry.library, Mapping) else ())}
        if (kind := catalog.class_of(entry, problem)).__module__.startswith("penstock.")
        and not any(re.search(rf"\b{kind.__name__}\b", text) for text in checked)
    }
    assert missing == {}
