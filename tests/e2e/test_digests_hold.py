"""Whatever of ours a stage executes is in its key, but for what is written down as unable to change a result."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
import yaml

from penstock.actions.codedigest import LEFT_OUT
from penstock.actions.records import refs_in
from penstock.executors import caching, plain, work
from penstock.executors.pool import Outcome
from penstock.flows.training import flow_of
from penstock.settings import Settings
from penstock.stage import Arguments, Stage
from penstock.store import Store
from penstock.worker import do as do_stage

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]


TraceFunction = Callable[[FrameType, str, Any], Any]


class Seen:
    """The modules of ours whose functions are called; not what runs while a module is imported."""

    def __init__(self) -> None:
        self.modules: set[str] = set()
        self._importing = 0

    def __call__(self, frame: FrameType, event: str, _: object) -> TraceFunction | None:
        code = frame.f_code
        if code.co_name == "<module>":
            self._importing += 1
            frame.f_trace_lines = False
            return self._end_of_import
        if not self._importing and code.co_filename.startswith(str(ROOT)):
            self.modules.add(code.co_filename)
        return None

    def _end_of_import(self, frame: FrameType, event: str, _: object) -> TraceFunction:
        self._importing -= event == "return"
        return self._end_of_import

    def watch(self, function: Callable[..., Any], *given: Any, **named: Any) -> Any:
        gc.collect()  # what earlier tests left is not taken down while this is watched
        before = sys.gettrace()
        sys.settrace(self)
        try:
            return function(*given, **named)
        finally:
            sys.settrace(before)

    def names(self) -> Iterator[str]:
        for file in self.modules:
            inner = Path(file).resolve().relative_to(ROOT).with_suffix("").parts
            if inner[0] not in ("tests", ".venv"):
                parts = inner if inner[0] == "penstock" else ("penstock", *inner)
                yield ".".join(part for part in parts if part != "__init__")


class HereAndNow:
    """Workers' stages in this very process, where their calls can be seen."""

    def __init__(self, store: Store, seen: Seen) -> None:
        self.store, self.seen = store, seen

    def call(self, place: str, arguments: dict[str, Any], note: Callable[[Any], None], limited: bool) -> Outcome:
        return Outcome(status="finished", value=self.seen.watch(do_stage, self.store, place, arguments))


def code_in(value: Any) -> Iterator[str]:
    """The modules whose digests stand in these parts of a key."""
    if isinstance(value, dict):
        code = value.get("code")
        yield from code if isinstance(code, dict) else ()
        for one in value.values():
            yield from code_in(one)
    elif isinstance(value, list):
        for one in value:
            yield from code_in(one)


def declared(stage: Stage[..., Any], arguments: Arguments) -> set[str]:
    store = arguments["run"].store
    facts = [store.facts(ref.holding(object)) for ref in refs_in(list(arguments.values())) if ref.kind == "facts"]
    return {*code_in(caching.look_up(stage, arguments).parts), *code_in(facts)}


def _same(value: Any) -> Any:
    return value


def left_out(module: str) -> bool:
    return module in LEFT_OUT or any(module.startswith(f"{one}.") for one in LEFT_OUT if one != "penstock")


CASES: dict[str, dict[str, Any]] = {
    "churn": {
        "split": {"test": 0.2, "folds": 2, "seed": 7},
        "models": ["gaussian-naive-bayes", {"hist-gradient-boosting": {"max_iter": 10}}, "k-nearest-neighbours"],
        "search": {"fits": 8, "metric": "roc_auc"},
    },
    "segments": {"models": [{"k-means": {"clusters": [2, 3]}}, {"gaussian-mixture": {"clusters": [3]}}]},
}


@pytest.mark.parametrize("name", CASES)
def test_all_that_a_stage_executes_is_in_its_key(
    name: str, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    example = ROOT / "examples" / name
    document = yaml.safe_load((example / "pipeline.yaml").read_text()) | CASES[name]
    (tmp_path / "pipeline.yaml").write_text(yaml.safe_dump(document))
    rows = (example / f"{name}.csv").read_text().splitlines(keepends=True)
    (tmp_path / f"{name}.csv").write_text("".join(rows[:501]))
    missing: dict[str, set[str]] = {}
    stages: set[str] = set()

    def perform(stage: Stage[..., Any], arguments: Arguments) -> Any:
        if not stage.cached:
            return caching.perform(stage, arguments)
        seen = Seen()
        watched: Stage[..., Any] = object.__new__(Stage)
        vars(watched).update(vars(stage))

        if stage.worker:
            monkeypatch.setattr(work, "pool_of", lambda run: HereAndNow(run.store, seen))
        else:
            watched.function = partial(seen.watch, stage.function)
        made = caching.perform(watched, arguments)
        stages.add(stage.name)
        found = {module for module in seen.names() if not left_out(module)} - declared(stage, arguments)
        missing.setdefault(stage.name, set()).update(found)
        return made

    monkeypatch.setattr(plain, "perform", perform)
    # One after the other: warnings are turned off for the whole process, which threads would undo for each other.
    monkeypatch.setattr(plain.Plain, "submit", lambda self, *given, **named: partial(_same, self.call(*given, **named)))
    Settings.from_environment().apply()
    flow_of(document["problem"]).fn(str(tmp_path / "pipeline.yaml"), engine="plain")
    assert len(stages) > 12
    assert {stage: sorted(modules) for stage, modules in missing.items() if modules} == {}
