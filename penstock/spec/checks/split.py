"""Whether rows can be split in all the ways at once that a pipeline file asks for."""

from __future__ import annotations

from penstock.components.splitting import duration
from penstock.components.splitting.folds import BY_FOLDS
from penstock.errors import UsageError
from penstock.spec.pipeline import Spec


def check_split(spec: Spec, path: str) -> None:
    split, data = spec.split, spec.data_as_read
    for key, text in (("gap", split.gap), ("window", split.window)):
        duration(text, f"{path}: split.{key}")
    group, time = data.named("group"), data.named("time")
    if split.ordered is not False and (time or split.ordered or split.gap or split.window):
        _check_by_time(spec, time, group, path)
    elif split.within and group:
        raise UsageError(
            "PEN181",
            f"rows of one group stay on one side, but `within` puts rows of one member of '{split.within}' on both",
            where=f"{path}: split.within",
            remedy="leave out `data.group` if members of the test should be known, or `within` if they should be new",
        )


def _check_by_time(spec: Spec, time: str | None, group: str | None, path: str) -> None:
    split = spec.split
    if time is None:
        raise UsageError(
            "PEN216",
            "a split by time needs a column with the role time, and there is none",
            where=f"{path}: split",
            remedy="declare it: `data: {columns: {NAME: time}}`, or leave out ordered, gap and window",
        )
    if split.within:
        raise UsageError(
            "PEN181",
            f"rows cannot be split by time ('{time}') and within the members of '{split.within}' at once",
            where=f"{path}: split.within",
            remedy="say `split: {ordered: false}` to split within members, or leave out `within`",
        )
    if group is not None:
        raise UsageError(
            "PEN217",
            f"rows cannot be split by time ('{time}') and held together by group ('{group}') at once",
            where=f"{path}: split",
            remedy="say `split: {ordered: false}` if groups matter more, or leave out the group if time does",
        )
    if split.recipe not in (*BY_FOLDS, "train-validation-test"):
        raise UsageError(
            "PEN217",
            f"the recipe {split.recipe} shuffles rows, which a split by time must not",
            where=f"{path}: split.recipe",
            remedy="use cross-validation-and-test or train-validation-test, or say `ordered: false`",
        )
