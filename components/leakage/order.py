"""Whether the order of the rows, or the way they are named, tells the target."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from penstock.components.analysis.baselines import DUMMY, cross_validated, measure_of
from penstock.components.analysis.findings import MEASURES
from penstock.components.analysis.table import draw
from penstock.components.leakage.base import Check, Seen, Sides, does_not_apply, passed, quoted
from penstock.components.schema import IDENTIFIER

MIN_ROWS = 30
MAX_ROWS = 20_000
ORDERED = {"roc_auc": 0.75, "roc_auc_ovr": 0.75, "r2": 0.4}
TELLING = {"roc_auc": 0.65, "roc_auc_ovr": 0.65, "r2": 0.2}
RUNS = 0.6
FAR = 6.0
TOGETHER = 0.5
FOLLOWS = 0.99
MAX_PREFIXES = 20
POSITION = "_position"


def _row_order(sides: Sides) -> Seen:
    """In the order of the source; of each group its first row, for rows of a group often stand together."""
    if sides.y is None or sides.schema.named("time"):
        return does_not_apply("there is no target" if sides.y is None else "the rows are ordered by their time")
    rows = sides.train.assign(_target=sides.y, **{POSITION: np.arange(len(sides.train), dtype=np.float64)})
    if group := sides.schema.named("group"):
        rows = rows.drop_duplicates(group)
    rows = draw(rows, MAX_ROWS, sides.seed).reset_index(drop=True)
    if len(rows) < MIN_ROWS:
        return does_not_apply(f"fewer than {MIN_ROWS} rows")
    y = rows["_target"].to_numpy()
    measure = measure_of(sides.schema)
    score = cross_validated(rows[[POSITION]].to_numpy(), rows, sides.schema, sides.seed)
    if np.isnan(score):
        return does_not_apply("too few rows of each class")
    alike, words = _runs(y) if sides.schema.classes else _neighbours(y)
    numbers = {"score": score, "alike": alike}
    said = f"{MEASURES[measure]} of the row's position {score:.2f}, {words}"
    if score < ORDERED[measure] and not _telling(alike, bool(sides.schema.classes)):
        return passed(f"the order of the rows tells nothing of the target ({said})", **numbers)
    followers = _followers(rows, sides)
    if followers:
        message = f"the order of the rows tells the target ({said}), and {quoted(followers)} follow it"
        return Seen("found", message, followers, len(followers), numbers=numbers, severity="error")
    message = f"the order of the rows tells the target ({said}); nothing here uses it: rows are shuffled or hashed"
    return Seen("found", message, count=len(rows), numbers=numbers)


def _runs(y: NDArray[Any]) -> tuple[float, str]:
    """Runs of equal classes over their expected number; 1 where the test of Wald and Wolfowitz sees only chance."""
    n = len(y)
    counts = np.unique(y, return_counts=True)[1].astype(np.float64)
    squares, cubes = (counts**2).sum(), (counts**3).sum()
    runs = 1 + int((y[1:] != y[:-1]).sum())
    expected = 1 + (n**2 - squares) / n
    variance = (squares * (squares + n * (n + 1)) - 2 * n * cubes - n**3) / (n**2 * (n - 1))
    far = abs(runs - expected) / np.sqrt(variance) if variance > 0 else 0.0
    return float(
        runs / expected
    ) if far > FAR else 1.0, f"{runs:,} runs of equal classes where {expected:,.0f} are usual"


def _neighbours(y: NDArray[Any]) -> tuple[float, str]:
    centred = y - y.mean()
    spread = float((centred**2).sum())
    alike = float((centred[1:] * centred[:-1]).sum()) / spread if spread > 0 else 0.0
    return alike, f"correlation of neighbours {alike:.2f}"


def _telling(alike: float, classes: bool) -> bool:
    return not RUNS < alike < 2 - RUNS if classes else abs(alike) > TOGETHER


def _followers(rows: pd.DataFrame, sides: Sides) -> list[str]:
    """Features that rise or fall with the row's position."""
    numeric = [column.name for column in sides.schema.features if column.role in ("numeric", "date")]
    return [name for name in numeric if abs(rows[name].rank().corr(rows[POSITION])) > FOLLOWS]


def _telling_ids(sides: Sides) -> Seen:
    """No id is a feature; one that tells the target shows how the rows were gathered."""
    if sides.y is None:
        return does_not_apply("there is no target")
    names = [
        column.name
        for column in sides.schema.columns
        if column.role in ("key", "id") or (column.role == "ignore" and column.reason.startswith(IDENTIFIER))
    ]
    if not names or len(sides.train) < MIN_ROWS:
        return does_not_apply("no column names the rows" if not names else f"fewer than {MIN_ROWS} rows")
    rows = draw(sides.train.assign(_target=sides.y), MAX_ROWS, sides.seed).reset_index(drop=True)
    measure = measure_of(sides.schema)
    scores = {name: cross_validated(_parts(rows[name]), rows, sides.schema, sides.seed) for name in names}
    scores = {name: score for name, score in scores.items() if np.isfinite(score)}
    if not scores:
        return does_not_apply("too few rows of each class")
    best = max(scores, key=lambda name: scores[name])
    said = f"{MEASURES[measure]} {scores[best]:.2f}, where guessing gets {DUMMY[measure]:g}"
    found = [name for name, score in scores.items() if score >= TELLING[measure]]
    if not found:
        return passed(f"nothing in {quoted(names)} tells the target ({said})", best=scores[best])
    message = (
        f"the digits or letters of {quoted(found)} tell the target of other rows ({said}); it is not a feature here"
    )
    shown = [f"{name}: {scores[name]:.3f}" for name in found]
    return Seen("found", message, found, len(found), shown, {"best": scores[best]})


def _parts(values: pd.Series[Any]) -> NDArray[np.float64]:
    """What may be hidden in an id: its number, the last digit, its length, and what stands before the number."""
    words = values.astype("str")
    number = pd.to_numeric(words.str.extract(r"(\d{1,15})\D*$")[0], errors="coerce")
    prefix = words.str.extract(r"^(\D*)")[0].fillna("")
    common = prefix.value_counts().index[:MAX_PREFIXES]
    marks = [(prefix == text).to_numpy(dtype=np.float64) for text in common] if len(common) > 1 else []
    return np.stack([number, number % 10, number % 2, words.str.len(), *marks], axis=1).astype(np.float64)


ROW_ORDER = Check(
    "LEK012",
    "row order that tells the target",
    "note",
    "leave out what follows the order of the rows, and find out who sorted them: rows gathered class by class often "
    "differ in more than their class",
    _row_order,
)
TELLING_IDS = Check(
    "LEK013",
    "ids that tell the target",
    "warning",
    "keep it out of the features, and find out how the ids were given: other columns may know the same",
    _telling_ids,
)
