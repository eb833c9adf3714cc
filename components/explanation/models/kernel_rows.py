"""How kernel machines, kernel ridge and kernel perceptrons decide: training rows pull answers by their weights."""

from __future__ import annotations

from typing import Any

import numpy as np

from penstock.components.explanation.models.base import Explainer, Explanation, Shown, Table
from penstock.components.explanation.models.rows import row_heads, row_of, whole
from penstock.components.kernels.kernel import GIVEN
from penstock.components.kernels.machine import KernelMachineClassifier, KernelMachineRegressor
from penstock.components.kernels.perceptron import CalibratedKernelPerceptron
from penstock.components.kernels.ridge import CentredKernelRidge
from penstock.components.plots.style import short_number

Array = np.ndarray[Any, Any]

MAX_ROWS = 8
HEAVY = 0.1


def explain_rows(shown: Shown) -> Explanation:
    machine, weights, places, kept = _parts(shown.model)
    pull = np.abs(weights).max(axis=1)
    order = np.argsort(-pull, kind="stable")
    heaviest = pull[order[: max(1, round(HEAVY * len(pull)))]].sum() / max(pull.sum(), 1e-300)
    by = "the kernel that was given" if machine.kernel in GIVEN else f"the kernel {machine.kernel}"
    sentences = [
        f"The answer is a sum over {len(pull):,} training rows: each adds its weight times how alike it is, by {by}. "
        f"A tenth of them carry {heaviest:.0%} of all weight.",
    ]
    if isinstance(shown.model, CalibratedKernelPerceptron):
        sentences.append(_mistakes(machine))
    if isinstance(machine, CentredKernelRidge) and machine.fit_intercept:
        sentences.append(f"The mean of {shown.target}, {short_number(float(machine.intercept_))}, is added.")
    same = kept.shape[1:] == shown.X.shape[1:] and places.max(initial=-1) < len(shown.X)
    if not (same and np.allclose(kept, shown.X[places])):  # rows were balanced: places are of others than those read
        return Explanation(sentences)
    several = weights.shape[1] > 1
    rows = [
        [
            f"row {int(places[one]) + 1}",
            *([str(shown.labels[int(np.abs(weights[one]).argmax())])] if several else []),
            whole(float(weights[one, np.abs(weights[one]).argmax()])),
            *row_of(shown, int(places[one])),
        ]
        for one in order[:MAX_ROWS]
    ]
    heads = ["Row", *(["Most for or against"] if several else []), "Weight", *row_heads(shown)]
    return Explanation(sentences, [Table("Training rows that pull most", heads, rows)])


def _parts(model: Any) -> tuple[Any, Array, Array, Array]:
    """The machine itself, weights by row and border, and which training rows these are."""
    if isinstance(model, CalibratedKernelPerceptron):
        machine = model.machine_
        return machine, machine.dual_coef_, machine.support_, machine.support_vectors_
    if isinstance(model, CentredKernelRidge):
        weights = model.dual_coef_.reshape(len(model.dual_coef_), -1)
        return model, weights, np.arange(len(weights)), model.X_fit_ + model.middle_
    return model, model.row_weights_, model.rows_, model.X_fit_


def _mistakes(machine: Any) -> str:
    total = sum(len(rows) for rows in machine.mistakes_)
    if machine.converged_.all():
        return f"A row's weight is how often it was mistaken: {total:,} mistakes until a pass had none."
    return (
        f"A row's weight is how often it was mistaken: {total:,} mistakes in {machine.passes:,} passes, of which the "
        "last was not clean; the kernel does not part the classes, or needs more passes."
    )


EXPLAINER = Explainer(
    name="kernel-rows",
    suits=lambda model: isinstance(
        model, KernelMachineClassifier | KernelMachineRegressor | CentredKernelRidge | CalibratedKernelPerceptron
    ),
    explain=explain_rows,
)
