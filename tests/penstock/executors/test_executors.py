from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from prefect import flow
from prefect.settings import PREFECT_API_URL, temporary_settings

from penstock.context import Engine, Run
from penstock.problems.fits import FoldFit
from penstock.stage import Stage, stage
from penstock.store import Ref

calls: list[int] = []


@stage()
def double(run: Run, number: int) -> Ref:
    calls.append(number)
    return run.store.put_facts(2 * number)


@stage()
def add_one(run: Run, number: Ref) -> Ref:
    return run.store.put_facts(run.store.facts(number) + 1)


@stage(remember=lambda _: False)
def fails_today(run: Run) -> int:
    calls.append(0)
    return 0


@stage()
def fits(run: Run) -> FoldFit:
    return FoldFit(status="finished", seconds=1234.5)


@flow
def small(run: Run, number: int) -> int:
    return int(run.store.facts(add_one(run, double(run, number))))


@pytest.fixture(autouse=True)
def no_calls() -> None:
    calls.clear()


def a_run(home: Path, name: str, engine: Engine = "plain") -> Run:
    return Run(id=name, pipeline="p", home=home, folder=home / "runs" / name, base=home, tracking_uri="", engine=engine)


def states(run: Run) -> list[tuple[str, str]]:
    return [(event["stage"], event["state"]) for event in run.journal("stage")]


def test_a_stage_runs_once_for_the_same_arguments(tmp_path: Path) -> None:
    first, second = a_run(tmp_path, "a"), a_run(tmp_path, "b")
    assert double(first, 3) == double(second, 3)
    assert calls == [3]
    assert states(second) == [("double", "cached")]
    double(second, 4)
    assert second.journal("stage")[-1]["reason"] == "number: 3 became 4"


def test_a_fit_is_noted_with_the_time_of_its_work_alone(tmp_path: Path) -> None:
    run = a_run(tmp_path, "a")
    fits(run)
    assert run.journal("stage")[-1]["seconds"] == 1234.5


def test_a_result_that_is_gone_or_altered_is_made_again(tmp_path: Path) -> None:
    ref = double(a_run(tmp_path, "a"), 3)
    path = a_run(tmp_path, "a").store.path(ref)
    path.write_text("7")
    run = a_run(tmp_path, "b")
    assert run.store.facts(double(run, 3)) == 6
    assert "altered" in run.journal("stage")[0]["reason"]


def test_a_failure_is_not_remembered(tmp_path: Path) -> None:
    for name in "ab":
        fails_today(a_run(tmp_path, name))
    assert calls == [0, 0]


def test_a_plan_runs_nothing_and_says_what_waits(tmp_path: Path) -> None:
    run = a_run(tmp_path, "a", "plan")
    add_one(run, double(run, 3))
    assert calls == []
    assert [(event["state"], event["reason"]) for event in run.journal("stage")] == [
        ("would run", "first run"),
        ("would run", "waits for double"),
    ]
    done = a_run(tmp_path, "b")
    add_one(done, double(done, 3))
    again = a_run(tmp_path, "c", "plan")
    add_one(again, double(again, 3))
    assert [state for _, state in states(again)] == ["cached", "cached"]


@pytest.mark.slow
def test_prefect_caches_by_the_same_key_and_never_answers_from_a_broken_store(tmp_path: Path, prefect_api: str) -> None:
    def run_flow(name: str, number: int = 5) -> Run:
        run = a_run(tmp_path, name, "prefect")
        assert small(run, number) == 2 * number + 1
        return run

    with temporary_settings({PREFECT_API_URL: prefect_api}):
        run_flow("a")
        assert states(run_flow("b")) == [("double", "cached"), ("add one", "cached")]
        assert calls == [5]
        ref = double(a_run(tmp_path, "c"), 5)
        a_run(tmp_path, "c").store.path(ref).unlink()
        assert states(run_flow("d"))[0] == ("double", "ran")
        assert calls == [5, 5]


@pytest.mark.parametrize("engine", ["plain", "plan"])
def test_a_run_has_the_results_of_its_stages_cached_or_not(tmp_path: Path, engine: Engine) -> None:
    made = double(a_run(tmp_path, "before"), 3)
    run = a_run(tmp_path, "a", engine)
    double(run, 3)
    waiting = double.submit(run, 4)
    assert run.results.get(double, number=4) is None
    assert waiting() == waiting() == run.results.of(double)
    assert run.results.of(double, number=3) == made
    assert run.results.requests(double, int) == [3, 4]
    assert run.model_copy(update={"workers": 2}).results is run.results
    assert run.results.get(fails_today) is None
    with pytest.raises(LookupError):
        run.results.of(fails_today)


def test_a_stage_declares_what_it_returns() -> None:
    def untyped(run: Run, number):  # type: ignore[no-untyped-def]
        return number

    with pytest.raises(KeyError):
        Stage[Any, Any](untyped)
