"""What Penstock claims of the syllabus, a test pins; and of the families that are finished, nothing is missing.

`syllabus.csv` has every row's id: methods, procedures, metrics and plots, each with its family (or stage) and tier, and
the claims and worked examples that tests may name beside them.

A method claims rows in its catalogue entry, and what stands in another registry in its record: by the keyword
`syllabus=(...)`. Stages, metrics and plots that have no record are in `claims.csv`, each row with the module whose
functions do what it states.
"""

from __future__ import annotations

import ast
import csv
from functools import cache
from pathlib import Path

import pytest

from penstock.components.catalog import entries

TESTS = Path(__file__).parent
FOLDERS = ("components", "expectations", "flows", "penstock", "problems", "tasks")
# Families of methods of which every row of the tiers below is built. A family is added when that is so.
FINISHED: tuple[str, ...] = (
    "bayes",
    "choice-of-k",
    "clustering",
    "dimensionality-reduction",
    "discriminant-analysis",
    "dissimilarity",
    "ensembles",
    "feature-selection",
    "kernels",
    "learning-theory",
    "linear-classification",
    "linear-regression",
    "local-models",
    "multiclass",
    "optimisation",
    "perceptron",
    "preprocessing",
    "svm",
    "trees",
)
WANTED = ("core", "syllabus")
# Worked examples and claims of families that are not finished (networks, graphs, images, recommending, spins): nobody
# else's may go without a test. One is taken out when a test pins it.
LATER = frozenset({
    "ex_activations", "ex_adam_denominator", "ex_alexnet_spatial", "ex_annealing_schedule", "ex_backprop_product",
    "ex_backprop_sigmoid_neuron", "ex_batchnorm", "ex_boltzmann_machine_two_spins", "ex_card_game_theory",
    "ex_conv2d_valid", "ex_conv_shapes", "ex_convolve_1d", "ex_detector_tensors", "ex_directed_degrees",
    "ex_dropout_keep_probability", "ex_fc_weight_counts", "ex_forecast_windows", "ex_he_xavier_std",
    "ex_heat_kernel_star", "ex_image_kernels", "ex_lenet", "ex_lstm_steps", "ex_max_pooling", "ex_maxent_constraints",
    "ex_mlp_mse_gradient", "ex_modularity_two_triangles", "ex_motion_blur", "ex_neighbourhood_ties",
    "ex_optimizer_traces", "ex_path_laplacian", "ex_pearson_recommender", "ex_self_attention", "ex_sigmoid_tanh_slopes",
    "ex_similarity_implicit", "ex_similarity_shrinkage", "ex_star_graph_matrices", "ex_task_routing",
    "ex_transfer_table", "ex_unit_sample_decomposition", "ex_unpooling", "ex_vanilla_rnn", "ex_vgg_weight_layers",
    "ex_word2vec_probabilities", "ex_word_window_one_hot", "cl_annealing_vs_quench", "cl_early_stopping",
    "cl_init_variance_by_depth", "cl_louvain_vs_spectral", "cl_pixel_permutation", "cl_zero_init_symmetry",
})  # fmt: skip


@cache
def rows() -> dict[str, dict[str, str]]:
    """By id."""
    with (TESTS / "syllabus.csv").open(encoding="utf-8", newline="") as file:
        return {row["id"]: row for row in csv.DictReader(file)}


@cache
def marked_ids() -> dict[str, set[str]]:
    """Ids in `@pytest.mark.covers(...)`, wherever the marker stands, by the file that has it."""
    marked: dict[str, set[str]] = {}
    for path in TESTS.rglob("test_*.py"):
        found: set[str] = set()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "covers":
                found |= {argument.value for argument in node.args if isinstance(argument, ast.Constant)}
        if found:
            marked[str(path.relative_to(TESTS))] = found
    return marked


@cache
def claimed_ids() -> dict[str, set[str]]:
    """Ids by the file that claims them or that is claimed to do what they state: nothing is imported."""
    claims: dict[str, set[str]] = {}
    for path in (path for folder in FOLDERS for path in (TESTS.parent / folder).rglob("*.py")):
        found = {
            constant.value
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
            if isinstance(node, ast.keyword) and node.arg == "syllabus"
            for constant in ast.walk(node.value)
            if isinstance(constant, ast.Constant)
        }
        if found:
            claims[str(path.relative_to(TESTS.parent))] = found
    for id, module in table():
        claims.setdefault(module, set()).add(id)
    return claims


@cache
def table() -> list[tuple[str, str]]:
    """What has no record of its own: an id and the module that does what it states."""
    with (TESTS / "claims.csv").open(encoding="utf-8", newline="") as file:
        return [(row["id"], row["module"]) for row in csv.DictReader(file)]


def every(found: dict[str, set[str]]) -> set[str]:
    return {id for ids in found.values() for id in ids}


def test_every_id_that_a_method_claims_is_pinned_by_a_test() -> None:
    pinned = every(marked_ids())
    missing = {entry.name: [id for id in entry.syllabus if id not in pinned] for entry in entries().values()}
    assert {name: ids for name, ids in missing.items() if ids} == {}
    assert any(entry.syllabus for entry in entries().values())


def test_every_id_that_any_file_claims_is_pinned_by_a_test() -> None:
    pinned, claims = every(marked_ids()), claimed_ids()
    assert {path: ids - pinned for path, ids in claims.items() if ids - pinned} == {}
    assert "components/plots/analysis.py" in claims


def test_the_table_of_claims_names_modules_that_exist_each_once() -> None:
    assert [module for _, module in table() if not (TESTS.parent / module).is_file()] == []
    assert len(set(table())) == len(table())


def test_no_module_of_the_product_lists_what_it_claims() -> None:
    modules = [path for folder in FOLDERS for path in (TESTS.parent / folder).rglob("*.py")]
    assert [str(path) for path in modules if "SYLLABUS" in path.read_text(encoding="utf-8")] == []


@pytest.mark.parametrize("found", [claimed_ids, marked_ids], ids=["claimed", "marked"])
def test_only_ids_of_the_syllabus_are_named(found: object) -> None:
    named = claimed_ids() if found is claimed_ids else marked_ids()
    assert {path: sorted(ids - rows().keys()) for path, ids in named.items() if ids - rows().keys()} == {}


@pytest.mark.parametrize("family", FINISHED)
def test_a_finished_family_lacks_nothing(family: str) -> None:
    wanted = {id for id, row in rows().items() if row["family"] == family and row["kind"] == "method"}
    assert wanted
    wanted = {id for id in wanted if rows()[id]["tier"] in WANTED}
    assert {id: rows()[id]["name"] for id in sorted(wanted - every(claimed_ids()))} == {}


def test_every_worked_example_and_claim_is_pinned_but_those_of_later_families() -> None:
    told = {id for id, row in rows().items() if row["kind"] in ("example", "claim")}
    assert sorted(told - every(marked_ids()) - LATER) == []
    assert sorted(LATER - told) == []
    assert sorted(LATER & every(marked_ids())) == []


def test_the_list_is_whole() -> None:
    kinds = [row["kind"] for row in rows().values()]
    counts = {kind: kinds.count(kind) for kind in dict.fromkeys(kinds)}
    assert counts == {"method": 313, "procedure": 175, "metric": 136, "plot": 77, "claim": 48, "example": 151}
    assert {row["tier"] for row in rows().values() if row["kind"] == "method"} == {*WANTED, "mention"}
