"""Two runs side by side: what was asked, what it was asked of, which model won, and how well it did.

Scores are compared on rows that evaluated both models and trained neither, pair by pair: what the two runs share
cancels out. Where that cannot be done, it is said why.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import yaml

from penstock.actions.records import Actions
from penstock.components.clustering.matching import match
from penstock.components.evaluation.gate import MIN_ROWS
from penstock.components.evaluation.intervals import Interval, paired_interval
from penstock.components.evaluation.metrics import metric, response_of
from penstock.document.candidates import Winner
from penstock.document.comparison import Change, DataChange, Difference, MetricChange, RoleChange, RunComparison
from penstock.document.data import Data, Label
from penstock.document.verdict import Match
from penstock.errors import PenstockError
from penstock.evidence.evidence import Evidence
from penstock.home import runs
from penstock.problems import find
from penstock.settings import Settings
from penstock.spec.reading import parse_spec
from penstock.spec.searched import searched_methods
from penstock.store import Ref, open_store

SEED = 0
EVALUATE = "evaluate"


def compare(home: Path, first: str, second: str) -> RunComparison:
    """The differences from the first run to the second; words for runs as `runs.find` takes them."""
    old, new = (FinishedRun(home, runs.find(home, word)) for word in (first, second))
    paired, rows, why = _paired(old, new)
    return RunComparison(
        runs=(old.id, new.id),
        spec=changes(old.spec, new.spec),
        data=_data(old.document.data, new.document.data),
        winner=_winner(old.document.winner, new.document.winner),
        metric=new.document.metric,
        metrics=_metrics(old, new, paired),
        paired_rows=rows,
        not_paired_because=why,
        matched=_matched(old, new),
    )


class FinishedRun:
    """A run that has a document."""

    def __init__(self, home: Path, run_id: str) -> None:
        self.id = run_id
        self.document = runs.read_document(home, run_id)
        self.store = open_store(home, Settings.from_environment().shared_store)

    @property
    def spec(self) -> Mapping[str, object]:
        """As the run understood it, with defaults; as written, where this version does not read it any more."""
        written: dict[str, Any] = yaml.safe_load(self.document.run.spec_yaml)
        try:
            spec = parse_spec(written)
        except PenstockError:
            return written
        models = dict(searched_methods(spec))
        return {**spec.model_dump(mode="json", by_alias=True), "models": models}

    @property
    def question(self) -> tuple[str, str | None, list[Label] | None]:
        target = self.document.data.target
        return self.document.problem, target.name, target.classes

    def evidence(self) -> Evidence:
        """What the model predicted for the test rows."""
        keys = [stage.key for stage in self.document.stages if stage.stage == EVALUATE]
        record = Actions(self.store).find(keys[-1]) if keys else None
        return Evidence.load(self.store, _ref_in(record.made if record else None, "evidence"))


def _ref_in(made: Any, name: str) -> Ref:
    """A record may have been written by somebody else: without the reference it is as good as none."""
    try:
        return Ref.model_validate(made[name])
    except (TypeError, ValueError):
        raise KeyError(name) from None


def changes(old: object, new: object, path: str = "") -> list[Change]:
    """What differs, key by key; a key that one side lacks has its value there as None."""
    if old == new:
        return []
    if isinstance(old, dict) and isinstance(new, dict):
        return [
            change
            for key in sorted(old.keys() | new.keys(), key=str)
            for change in changes(old.get(key), new.get(key), f"{path}.{key}" if path else str(key))
        ]
    return [_change(path, old, new)]


def _change(key: str, before: object, after: object) -> Change:
    return Change.model_validate({"key": key, "from": before, "to": after})


def _winner(old: Winner, new: Winner) -> list[Change]:
    prepared = changes(old.preparation, new.preparation, "preparation")
    if old.name == new.name:
        return changes(old.parameters, new.parameters) + prepared
    return [_change("method", {old.name: old.parameters}, {new.name: new.parameters}), *prepared]


def _data(old: Data, new: Data) -> DataChange:
    before, after = ({column.name: column.role for column in side.schema_} for side in (old, new))
    return DataChange(
        same=old.digest == new.digest,
        digest=(old.digest, new.digest),
        rows=(old.rows, new.rows),
        test_rows=(old.test_rows, new.test_rows),
        added=[name for name in after if name not in before],
        removed=[name for name in before if name not in after],
        roles=[
            RoleChange.model_validate({"column": name, "from": role, "to": after[name]})
            for name, role in before.items()
            if after.get(name, role) != role
        ],
    )


def _metrics(old: FinishedRun, new: FinishedRun, paired: Mapping[str, Difference]) -> list[MetricChange]:
    before, after = old.document.metrics, new.document.metrics
    return [
        MetricChange(
            name=name,
            label=after[name].label,
            sign=after[name].sign,
            values=(before[name], after[name]),
            difference=paired.get(name),
        )
        for name in sorted(after, key=lambda name: name != new.document.metric)
        if name in before
    ]


def _paired(old: FinishedRun, new: FinishedRun) -> tuple[dict[str, Difference], int, str | None]:
    """For each metric the difference of the scores; on how many rows; why not, if not."""
    obstacle = _obstacle(old, new)
    if obstacle:
        return {}, 0, obstacle
    try:
        before, after = _of_both(old, new)
    except (KeyError, PenstockError):
        return {}, 0, "the predictions of one of them are no longer in the store"
    if not len(after):
        return {}, 0, "no row evaluated both"
    alike = before.y == after.y
    if not alike.all():
        return {}, 0, f"the outcome of {int((~alike).sum())} of {len(after)} rows that evaluated both has changed"
    units = len(after) if after.groups is None else len(set(after.groups.tolist()))
    found: dict[str, Difference] = {}
    why = None
    for name, score in new.document.metrics.items():
        try:
            judge = metric(score.text or name, len(new.question[-1] or []))
            interval = paired_interval(
                judge,
                after.y,
                response_of(judge, after.prediction, after.predicted.get("labels")),
                response_of(judge, before.prediction, before.predicted.get("labels")),
                groups=after.groups,
                weight=after.weight,
                seed=SEED,
            )
        except PenstockError as error:
            why = error.what
        else:
            found[name] = Difference(**interval.model_dump(), verdict=_verdict(interval, units))
    return found, len(after), None if found else why


def _of_both(old: FinishedRun, new: FinishedRun) -> tuple[Evidence, Evidence]:
    """The evidence of both runs for the units that evaluated both, in one order."""
    before, after = old.evidence(), new.evidence()
    _, ours, theirs = np.intersect1d(after.units, before.units, assume_unique=True, return_indices=True)
    in_order = np.argsort(theirs)
    return before.take(theirs[in_order]), after.take(ours[in_order])


def _matched(old: FinishedRun, new: FinishedRun) -> Match | None:
    """Of two clusterings: which cluster of the second is which of the first, on test rows that both assigned."""
    if old.document.problem != new.document.problem:
        return None
    try:
        before, after = _of_both(old, new)
        found = match(after.predicted["cluster"], before.predicted["cluster"])
    except (KeyError, PenstockError):
        return None
    words = found.words.replace("the champion's", "A's")
    return Match.model_validate({**found.model_dump(), "words": words}) if len(after) else None


def _verdict(difference: Interval, units: int) -> str:
    if difference.low == difference.high == 0:
        return "equal"
    if units < MIN_ROWS:
        return f"too few rows to tell: {units} of {MIN_ROWS}"
    if difference.low > 0:
        return "B is better"
    return "A is better" if difference.high < 0 else "may be chance"


def _obstacle(old: FinishedRun, new: FinishedRun) -> str | None:
    if old.question != new.question:
        return "they answer different questions: the problem, the target or its classes differ"
    if why := find(new.document.problem).incomparable:
        return why
    has_key = [any(column.role == "key" for column in run.document.data.schema_) for run in (old, new)]
    if old.document.data.digest != new.document.data.digest and not all(has_key):
        return "the data differ, and without a key column (data.key) no row can be found again"
    return None
