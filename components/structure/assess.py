"""Is there structure at all? The rows against references that have none."""

from __future__ import annotations

from typing import Any

import numpy as np
from pydantic import BaseModel, ConfigDict

from penstock.components.structure.references import Draw, Floats, references
from penstock.components.structure.rows import checked, narrowed, thinned
from penstock.components.structure.statistics import statistics

LEVEL = 0.02
CALIBRATION = 20
DRAWS = 59  # none of them above is a p-value of 1/60
ENOUGH_ABOVE = 5
MIN_ROWS, MAX_ROWS = 500, 1000  # a quarter of all rows, between these
MAX_COLUMNS = 20
# Statistics are logarithms of distances and squares. One that is 0 in nearly all draws has hardly any spread, and would
# make any other value of it look immense.
MIN_SPREAD = 0.03

# What a reference says of the rows if it cannot be told from them.
WORDS = {
    "uniform": "rows spread evenly over a box",
    "gaussian": "one Gaussian with the same covariance",
    "elliptical": "one blob with tails as heavy",
    "independent": "independent columns, each with one mode",
    "copula": "columns with one mode each that go together",
}


class Comparison(BaseModel):
    """The rows against one reference: the statistic of the rows, of each draw, and the share of draws that reach it."""

    model_config = ConfigDict(frozen=True)

    reference: str
    statistic: float
    draws: list[float]
    pvalue: float


class StructureVerdict(BaseModel):
    """`structured` holds if every reference is refused; `pvalue` and `statistic` are of the one that is nearest."""

    model_config = ConfigDict(frozen=True)

    structured: bool
    pvalue: float
    statistic: float
    nearest: str
    comparisons: list[Comparison]
    level: float
    rows: int
    sentence: str


def assess_structure(X: Any, *, seed: int, level: float = LEVEL, draws: int = DRAWS) -> StructureVerdict:
    """Whether the rows of X lie in groups, against references without any.

    The statistic is the greatest of several (see `statistics`), each in standard deviations from its mean over draws of
    the reference. A p-value is the share of further draws, the rows among them, with a statistic as great. Rows may
    look unlike one law and like another without having groups, so that the greatest p-value counts, and the first
    reference that cannot be refused ends the search.
    """
    matrix = checked(X)
    source = np.random.default_rng(np.random.SeedSequence([seed, 1]))
    asked = int(np.clip(len(matrix) // 4, MIN_ROWS, MAX_ROWS))
    rows = narrowed(matrix[thinned(matrix, asked, source)], MAX_COLUMNS)
    seen = statistics(rows)
    scales = [
        _Scale(name, seen, draw, np.random.default_rng(np.random.SeedSequence([seed, 2, number])))
        for number, (name, draw) in enumerate(references(rows).items())
    ]
    comparisons: list[Comparison] = []
    for scale in sorted(scales, key=lambda scale: scale.own):
        comparisons.append(scale.compare(draws))
        if comparisons[-1].pvalue > level:
            break
    nearest = max(comparisons, key=lambda one: (one.pvalue, -one.statistic))
    structured = nearest.pvalue <= level
    return StructureVerdict(
        structured=structured,
        pvalue=nearest.pvalue,
        statistic=nearest.statistic,
        nearest=nearest.reference,
        comparisons=comparisons,
        level=level,
        rows=len(rows),
        sentence=_sentence(structured, nearest, level),
    )


class _Scale:
    """The greatest of the statistics, each in standard deviations from its mean over draws of one reference."""

    def __init__(self, name: str, seen: Floats, draw: Draw, rng: np.random.Generator) -> None:
        self.name, self.seen, self.draw, self.rng = name, seen, draw, rng
        self.known = np.stack([statistics(draw(rng)) for _ in range(CALIBRATION)])
        self.own = self._greatest(seen)

    def compare(self, most: int) -> Comparison:
        drawn: list[Floats] = []
        above = 0
        while len(drawn) < most and above < ENOUGH_ABOVE:
            drawn.append(statistics(self.draw(self.rng)))
            above += self._greatest(drawn[-1]) >= self.own
        stopped = above >= ENOUGH_ABOVE
        if not stopped:  # all draws give a better scale than the first few
            self.known = np.concatenate([self.known, drawn])
            self.own = self._greatest(self.seen)
        found = [self._greatest(values) for values in drawn]
        above = sum(value >= self.own for value in found)
        # Stopped early, the share itself is the estimate; otherwise the rows count as one of the draws.
        pvalue = above / len(drawn) if stopped else (1 + above) / (1 + len(drawn))
        return Comparison(reference=self.name, statistic=self.own, draws=found, pvalue=pvalue)

    def _greatest(self, values: Floats) -> float:
        spread = np.maximum(self.known.std(axis=0, ddof=1), MIN_SPREAD)
        return float(((values - self.known.mean(axis=0)) / spread).max())


def _sentence(structured: bool, nearest: Comparison, level: float) -> str:
    if structured:
        return (
            f"There is structure: even {WORDS[nearest.reference]}, the nearest law without groups, looks as grouped "
            f"with a probability of {nearest.pvalue:.2g} at most (at most {level:g} is asked for)."
        )
    return (
        f"No structure: {WORDS[nearest.reference]} would look grouped at least as much with a probability of "
        f"{nearest.pvalue:.2g}. One cluster is the answer; more of them would be drawn, not found."
    )
