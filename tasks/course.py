"""The seven steps of supervised learning, in their order: a run that skipped or swapped one registers nothing."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from penstock.context import Run
from penstock.document.course import Course, PreparedStudy, Step
from penstock.errors import UsageError
from penstock.problems.fits import Prepared
from penstock.stage import check

STEPS = {
    1: "Analyse the problem",
    2: "Collect, analyse and clean the data",
    3: "Prepare the columns, missing values among them",
    4: "Study the correlations",
    5: "Select, weigh or learn features",
    6: "Choose the model",
    7: "Test",
}
PIPELINE_FILE = "pipeline file"
# What prepares a fold says itself which steps it took, and in which order.
PREPARES = "prepare"
STEP_OF = {
    PIPELINE_FILE: 1,
    "ingest": 2,
    "validate": 2,
    "split": 2,
    "analyse": 2,
    "learn suite": 2,
    "plan": 3,
    "fit": 6,
    "prune": 6,
    "select": 6,
    "decide": 6,
    "train": 6,
    "evaluate outer": 6,
    "evaluate": 7,
}


@check
def check_stage_order(run: Run, prepared: Prepared) -> Course | None:
    """The steps as the run's journal has them, and the correlation study; refuses a run out of order."""
    if prepared.study is None:
        return None
    study = run.store.facts(prepared.study)
    stages = [event["stage"] for event in run.journal("stage")]
    prepared_study = PreparedStudy.model_validate(study.model_dump(exclude={"steps"}, exclude_unset=True))
    return Course(course=course([PIPELINE_FILE, *stages], study.steps), prepared=prepared_study)


def course(stages: Sequence[str], preparing: Sequence[int]) -> list[Step]:
    """Each step with the stages that did it. `preparing`: the steps that the preparation of a fold took, in order."""
    done = [
        (step, stage) for stage in map(_kind, stages) for step in (preparing if stage == PREPARES else [_step(stage)])
    ]
    steps = [step for step, _ in done if step]
    missing = [step for step in STEPS if step not in steps]
    if missing:
        raise _refused(f"step {missing[0]} ('{STEPS[missing[0]]}') was skipped")
    for before, after in pairwise(STEPS):
        late = steps.index(before) > steps.index(after)
        if late or (after == max(STEPS) and steps.index(after) < _last(steps, before)):
            raise _refused(f"step {after} ('{STEPS[after]}') came before step {before} ('{STEPS[before]}')")
    return [
        Step(step=number, name=name, stages=[*dict.fromkeys(stage for step, stage in done if step == number)])
        for number, name in STEPS.items()
    ]


def _kind(label: str) -> str:
    """A stage without what tells its several runs apart: `fit` of `fit ridge #3 fold 1`."""
    known = [name for name in (*STEP_OF, PREPARES) if label == name or label.startswith(f"{name} ")]
    return known[0] if known else label


def _step(stage: str) -> int:
    return STEP_OF.get(stage, 0)


def _last(steps: list[int], step: int) -> int:
    return len(steps) - 1 - steps[::-1].index(step)


def _refused(what: str) -> UsageError:
    return UsageError(
        "PEN233",
        f"the flow is out of order: {what}; its model is not registered",
        where="the run's journal",
        remedy=f"call the stages in this order: {', '.join(f'{number} {name}' for number, name in STEPS.items())}",
    )
