"""The run document comes back from its JSON as it was, and refuses what it does not know."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from pydantic import ValidationError

from penstock.document import registry
from penstock.document.facts import Section
from penstock.document.run import VERSION, RunDocument
from penstock.problems.clustering.sections import Clusters, Structure
from tests.documents import amount, churn, segments, typed


@pytest.mark.parametrize("facts", [churn, segments, amount])
def test_json_and_back(facts: Any) -> None:
    document = typed(facts())
    told = json.loads(json.dumps(document.as_json()))
    assert RunDocument.model_validate(told) == document
    assert RunDocument.model_validate(told).as_json() == told
    assert told["version"] == VERSION
    assert "sections" not in told


def test_sections_stand_beside_the_other_keys_and_are_found_by_their_type() -> None:
    document = typed(segments())
    clusters = document.section(Clusters)
    assert clusters is not None
    assert [one.cluster for one in clusters.root] == [-1, 0, 1]
    assert document.section(Structure) is None
    assert len(document.as_json()["clusters"]) == 3


def _paths(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return ([path] if isinstance(value, dict) else []) + [
        one for key, part in inner for one in _paths(part, (*path, key))
    ]


OPEN = {"parameters", "preparation", "values", "versions", "in_sample", "metrics", "profile"}


def test_an_unknown_key_is_refused_wherever_it_stands() -> None:
    told = typed(segments()).as_json()
    for path in _paths(told):
        if OPEN & set(path) or path[-1:] in (("topped_up",), ("only_in_test",)):
            continue
        spoilt = copy.deepcopy(told)
        part = spoilt
        for key in path:
            part = part[key]
        if (set(part) and not all(isinstance(value, int | str) for value in part.values())) or not path:
            part["strange"] = {"no": "part"}
            with pytest.raises(ValidationError):
                RunDocument.model_validate(spoilt)


class Ranking(Section):
    first: str


def test_a_kind_brings_a_section_and_nobody_takes_its_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "_types", dict(registry.sections()))
    registry.section("ranking")(Ranking)
    document = typed({"ranking": {"first": "a"}})
    assert document.section(Ranking) == Ranking(first="a")
    assert document.as_json()["ranking"] == {"first": "a"}
    with pytest.raises(ValueError, match="Ranking already"):
        registry.section("ranking")(Structure)
