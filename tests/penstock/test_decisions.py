from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from penstock.errors import ModelError, UsageError
from penstock.tracking import Tracking
from penstock.tracking.decisions import WITHDRAWN_TAG, ask, decisions, hold, promote, promote_by_gate, rollback
from penstock.tracking.registry import CHALLENGER, PENDING, READY, STATE_TAG, Registry


@pytest.fixture(scope="module")
def registry(tmp_path_factory: pytest.TempPathFactory, migrated_database: Path) -> Registry:
    folder = tmp_path_factory.mktemp("decisions")
    shutil.copy(migrated_database, folder / "mlflow.db")
    return Tracking(f"sqlite:///{folder}/mlflow.db", folder / "artifacts").registry


@pytest.fixture
def model(registry: Registry, request: pytest.FixtureRequest) -> str:
    """Three versions that passed the gate one after the other, a fourth that was held, a fifth whose run goes on."""
    name = f"model-{abs(hash(request.node.name))}"
    registry.client.create_registered_model(name)
    for number in range(1, 6):
        state = PENDING if number == 5 else READY
        registry.client.create_model_version(name, source="file:///nowhere", tags={STATE_TAG: state})
        if number < 4:
            evidence = {"verdict": "promoted", "champion": str(number - 1) if number > 1 else None}
            promote_by_gate(registry, name, str(number), run=f"r{number}", why=f"better {number}", evidence=evidence)
    return name


def champion(registry: Registry, model: str) -> str | None:
    found = registry.champion(model)
    return found.version if found else None


def test_the_gate_keeps_what_it_decided_and_says_it_once_though_killed_and_done_again(
    registry: Registry, model: str
) -> None:
    promote_by_gate(registry, model, "3", run="r3", why="better 3", evidence={"verdict": "promoted", "champion": "2"})
    made = decisions(registry, model)
    assert [(one.version, one.before, one.who, one.why) for one in made] == [
        ("1", None, "run r1", "better 1"),
        ("2", "1", "run r2", "better 2"),
        ("3", "2", "run r3", "better 3"),
    ]
    assert made[-1].evidence["verdict"] == "promoted"


def test_a_run_that_finds_the_champion_again_leaves_the_decision_as_it_was(registry: Registry, model: str) -> None:
    before = decisions(registry, model)
    promote_by_gate(registry, model, before[-1].version, run="later", why="found again", evidence={"champion": "1"})
    assert decisions(registry, model) == before


def test_rollbacks_go_back_step_by_step_and_a_withdrawn_version_may_return(registry: Registry, model: str) -> None:
    first = rollback(registry, model, why="worse on Monday")
    assert (first.version, first.before, champion(registry, model)) == ("2", "3", "2")
    assert " at " in first.who
    assert "worse on Monday" in registry.version(model, "3").tags[WITHDRAWN_TAG]
    assert rollback(registry, model, why="worse still").version == "1"
    with pytest.raises(UsageError) as caught:
        rollback(registry, model, why="and on")
    assert caught.value.code == "PEN407"
    assert champion(registry, model) == "1"

    assert promote(registry, model, "3", why="Monday was a holiday").before == "1"
    assert WITHDRAWN_TAG not in registry.version(model, "3").tags
    assert rollback(registry, model, why="after all").version == "1"
    assert [one.kind for one in decisions(registry, model)][3:] == ["rollback", "rollback", "promote", "rollback"]


def test_a_version_that_the_gate_held_is_promoted_by_hand(registry: Registry, model: str) -> None:
    assert promote(registry, model, "4", why="needed now").before == "3"
    assert champion(registry, model) == "4"
    assert rollback(registry, model, why="no").version == "3"


def test_a_champion_whose_version_is_gone_is_passed_over(registry: Registry, model: str) -> None:
    registry.delete_version(model, "2")
    assert rollback(registry, model, why="worse").version == "1"


@pytest.mark.parametrize(("which", "code"), [("5", "PEN405"), ("3", "PEN406"), ("champion", "PEN406"), ("9", "PEN507")])
def test_what_cannot_be_promoted(registry: Registry, model: str, which: str, code: str) -> None:
    with pytest.raises((UsageError, ModelError)) as caught:
        promote(registry, model, which, why="x")
    assert caught.value.code == code
    assert champion(registry, model) == "3"


def test_without_a_champion_there_is_nothing_to_roll_back(registry: Registry) -> None:
    with pytest.raises(ModelError) as caught:
        rollback(registry, "rents", why="x")
    assert caught.value.code == "PEN507"
    assert decisions(registry, "rents") == []


def test_a_version_that_is_asked_about_waits_until_a_person_says_yes_or_no(registry: Registry, model: str) -> None:
    evidence = {"verdict": "asked", "cause": "recent rows have drifted"}
    ask(registry, model, "5", run="r5", why="better 5", evidence=evidence)
    waiting = registry.version(model, CHALLENGER)
    assert (waiting.version, waiting.tags[STATE_TAG]) == ("5", READY)
    assert champion(registry, model) == "3"
    held = hold(registry, model, CHALLENGER, why="not before Monday")
    assert (held.kind, held.version, held.before) == ("hold", "5", "3")
    assert registry.find(model, CHALLENGER) is None
    assert "not before Monday" in registry.version(model, "5").tags[WITHDRAWN_TAG]

    ask(registry, model, "5", run="r6", why="better 5", evidence=evidence)
    promoted = promote(registry, model, CHALLENGER, why="it is Monday")
    assert (promoted.version, champion(registry, model)) == ("5", "5")
    assert registry.find(model, CHALLENGER) is None
    made = decisions(registry, model)[3:]
    assert [one.kind for one in made] == ["hold", "ask", "promote"]
    assert made[1].evidence["cause"] == "recent rows have drifted"
    with pytest.raises(UsageError) as caught:
        hold(registry, model, "5", why="no")
    assert (caught.value.code, "penstock rollback" in caught.value.remedy) == ("PEN408", True)
    assert rollback(registry, model, why="no").version == "3"
