"""Models and preparations searched together, by every strategy."""

from __future__ import annotations

from typing import Any

import pytest

from penstock.components.search import Candidate, PreparationSpace, Search
from penstock.components.search.preparation_space import flat, whole
from penstock.errors import UsageError
from tests.searching import make_search

ALTERNATIVES: dict[str, list[tuple[str, dict[str, Any]]]] = {
    "impute": [("median", {})],
    "scale": [("standard", {}), ("robust", {"unit_variance": [True, False]})],
    "select": [("none", {}), ("mutual-information", {"keep": [10, 20], "n_neighbors": 4})],
}
CHOICES: list[tuple[str, dict[str, Any]]] = [("logistic-regression", {"C": [0.1, 1.0]}), ("random-forest", {})]
STRATEGIES = ["random", "grid", "halving", "tpe"]


def preparations(**changes: Any) -> PreparationSpace:
    return PreparationSpace(ALTERNATIVES, problem="classification", **changes)


def begin(strategy: str, choices: list[tuple[str, dict[str, Any]]] = CHOICES, **changes: Any) -> Search:
    options: dict[str, Any] = {"problem": "classification", "candidates": 25, "batch": 6, "seed": 0}
    options |= {"preparations": preparations()}
    return make_search(choices, strategy=strategy, **(options | changes))  # type: ignore[arg-type]


def tried(search: Search) -> list[Candidate]:
    found: dict[int, Candidate] = {}
    while batch := search.ask():
        found |= {trial.candidate.number: trial.candidate for trial in batch}
        search.tell([-trial.candidate.number / 100 for trial in batch])
    return list(found.values())


def test_only_what_leaves_a_choice_is_searched() -> None:
    assert list(preparations().options) == ["scale", "select"]
    assert (preparations().size(), preparations().grid_size()) == (9, 9)
    assert list(PreparationSpace({"scale": [("robust", {"unit_variance": True})]}).options) == []
    assert PreparationSpace().start == {}


def test_the_first_alternative_and_usual_values_are_the_start() -> None:
    assert preparations().start == {"scale": {"standard": {}}, "select": {"none": {}}}
    only = PreparationSpace({"scale": [("robust", {"unit_variance": [True, False]})]})
    assert only.start == {"scale": {"robust": {"unit_variance": False}}}


def test_the_catalogue_opens_its_ranges_where_it_is_asked_to() -> None:
    opened = preparations(opened={"select", "impute"})
    assert set(opened.options["scale"]["robust"].space) == {"unit_variance"}
    assert set(opened.options["select"]["mutual-information"].space) == {"keep"}  # the other parameter is fixed
    free = PreparationSpace({"select": [("mutual-information", {})]}, opened={"select"})
    assert free.start == {"select": {"mutual-information": {"keep": 20, "n_neighbors": 3}}}


def test_a_grid_is_the_product_of_parameters_and_preparations() -> None:
    found = tried(begin("grid", CHOICES[:1]))
    assert len(found) == 1 + 2 * 3 * 3
    assert len({(candidate.parameters["C"], whole(candidate.preparation)) for candidate in found[1:]}) == 18
    assert found[1].parameters["C"] == 1.0
    assert found[1].preparation == found[0].preparation == preparations().start
    with pytest.raises(UsageError, match="the grid has 19 candidates with the baseline") as caught:
        begin("grid", CHOICES[:1], candidates=18)
    assert caught.value.code == "PEN013"
    assert "list fewer values" in caught.value.remedy


@pytest.mark.parametrize("strategy", ["random", "halving", "tpe"])
def test_every_method_starts_as_usual_and_goes_on_to_other_preparations(strategy: str) -> None:
    found = tried(begin(strategy))
    assert [candidate.name for candidate in found[:3]] == ["dummy", "logistic-regression", "random-forest"]
    assert {whole(candidate.preparation) for candidate in found[:3]} == {"scale standard, select none"}
    for method in ("logistic-regression", "random-forest"):
        assert len({whole(one.preparation) for one in found if one.name == method}) > 3
    assert len({(one.name, repr(one.parameters), whole(one.preparation)) for one in found}) == len(found)


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_the_same_seed_and_scores_give_the_same_candidates(strategy: str) -> None:
    def searched(**changes: Any) -> list[Candidate]:
        return tried(begin(strategy, CHOICES[:1], **changes))

    assert searched() == searched()
    if strategy != "grid":
        assert searched() != searched(seed=1)


def test_what_is_drawn_for_a_model_hangs_on_no_preparation() -> None:
    alone = [candidate.parameters for candidate in tried(begin("random", CHOICES[1:], preparations=None))]
    assert [candidate.parameters for candidate in tried(begin("random", CHOICES[1:]))] == alone


def test_tpe_comes_back_to_the_preparation_that_did_well() -> None:
    search = begin("tpe", candidates=60, batch=10)
    found: list[Candidate] = []
    while batch := search.ask():
        found += [trial.candidate for trial in batch]
        search.tell([float("robust" in trial.candidate.preparation["scale"]) for trial in batch])
    late = found[30:]
    assert sum("robust" in candidate.preparation["scale"] for candidate in late) > 0.7 * len(late)


def test_a_small_space_is_gone_through_whole() -> None:
    small = PreparationSpace({"scale": [("standard", {}), ("none", {}), ("centre", {})]})
    for strategy in STRATEGIES:
        found = tried(begin(strategy, [("gaussian-naive-bayes", {"var_smoothing": 1e-9})], preparations=small))
        assert [whole(candidate.preparation) for candidate in found[:2]] == ["scale standard"] * 2
        assert len({whole(candidate.preparation) for candidate in found[1:]}) == 3


def test_a_candidate_says_what_it_chose() -> None:
    chosen = {"scale": {"robust": {"unit_variance": True}}, "select": {"none": {}}, "encode": {"target": {}}}
    candidate = Candidate(name="ridge", parameters={}, preparation=chosen, number=3)
    assert candidate.label == "ridge #3 (robust, no select, target)"
    assert whole(chosen) == "scale robust unit_variance=True, select none, encode target"
    assert flat(chosen) == {
        "preparation.scale": "robust",
        "preparation.scale.unit_variance": True,
        "preparation.select": "none",
        "preparation.encode": "target",
    }
    assert Candidate.model_validate_json(candidate.model_dump_json()) == candidate
    assert Candidate(name="ridge", parameters={}, number=3).label == "ridge #3"


def test_which_batches_are_known_before_any_score() -> None:
    assert begin("random").foreseen
    assert begin("grid", CHOICES[:1]).foreseen
    assert not begin("tpe").foreseen
    halving = begin("halving", batch=1000)
    assert halving.foreseen
    halving.tell([0.0] * len(halving.ask()))
    assert not halving.foreseen
