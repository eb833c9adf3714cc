"""How a support vector machine decides: its border, the margin beside it, and the rows that hold it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.svm import SVC, SVR, LinearSVC

from penstock.components.explanation.models.base import Explainer, Explanation, Shown, Table
from penstock.components.explanation.models.coefficients import explain_coefficients
from penstock.components.explanation.models.rows import row_heads, row_of
from penstock.components.plots.deciding import ON_EDGE, epsilon_tube_plot, margin_histogram
from penstock.components.plots.margins import margin_plot
from penstock.components.plots.style import short_number
from penstock.components.svm.machine import SupportVectorMachine
from penstock.components.svm.optimum import geometric_margins
from penstock.components.svm.regressor import ScaledSVR

Array = np.ndarray[Any, Any]

MAX_ROWS = 8


def explain_classifier(shown: Shown) -> Explanation:
    machine = shown.model.machine_
    scores = np.asarray(machine.decision_function(shown.X))
    if len(shown.labels) > 2:
        return _several(shown, machine)
    signs = np.where(shown.y == shown.model.classes_[1], 1.0, -1.0)
    margins = signs * scores
    groups = {
        "outside the margin": margins > 1 + ON_EDGE,
        "on its edge": np.abs(margins - 1) <= ON_EDGE,
        "in the margin": (margins < 1 - ON_EDGE) & (margins >= 0),
        "on the wrong side": margins < 0,
    }
    sentences = [
        "The border is where f(x) is 0; the margin beside it ends where f is 1 or -1. Rows outside the margin have no "
        "say in where it runs: without them the border would be the same.",
        f"{_held(machine, margins):,} of {len(margins):,} training rows hold the border.",
    ]
    length = _length(machine)
    if length > 0:
        nearest = float(np.abs(geometric_margins(scores, signs, length)).min())
        space = "in the prepared columns" if _is_linear(machine) else "in the space of the kernel"
        sentences.append(
            f"The margin is {short_number(2 / length)} wide {space} (2 / |w|); the nearest row is "
            f"{short_number(nearest)} from the border."
        )
    rows: list[list[Any]] = [[name, int(group.sum())] for name, group in groups.items()]
    tables = [Table("Training rows and the margin", ["Where", "Rows"], rows), _hardest(shown, margins)]
    if shown.X.shape[1] == 2:
        held = {"edge": groups["on its edge"], "inside": groups["in the margin"] | groups["on the wrong side"]}
        width = 2 / length if length > 0 and _is_linear(machine) else None
        drawn = margin_plot(shown.X, signs, machine.decision_function, held, shown.names, shown.labels, width)
    else:
        drawn = margin_histogram(scores, (signs > 0).astype(int), shown.labels)
    weights = explain_coefficients(replace(shown, model=machine)) if isinstance(machine, LinearSVC) else Explanation([])
    return Explanation(
        [*sentences, *weights.sentences], [*tables, *weights.tables], figures={"margin": drawn, **weights.figures}
    )


def _several(shown: Shown, machine: Any) -> Explanation:
    """Of several classes there are several borders: how many rows of each class hold any of them."""
    codes = {int(code): place for place, code in enumerate(shown.model.classes_)}
    of_class = np.array([codes[int(code)] for code in shown.y])
    totals = np.bincount(of_class, minlength=len(codes))
    held = _held_by_class(shown, machine, of_class)
    rows: list[list[Any]] = [
        [name, int(total), int(count), float(count / max(total, 1))]
        for name, total, count in zip(shown.labels, totals, held, strict=True)
    ]
    sentences = [
        "Each pair of classes has a border of its own, and they vote."
        if isinstance(machine, SVC)
        else "Each class has a border against the rest; the highest score is answered.",
        f"{int(held.sum()):,} of {len(shown.X):,} training rows hold a border; the others could be left out.",
    ]
    most = max(rows, key=lambda row: row[3])
    sentences.append(f"{most[0]} is the hardest to tell apart: {most[3]:.0%} of its rows hold a border.")
    return Explanation(sentences, [Table("Rows that hold a border", ["Class", "Rows", "Of them hold", "Share"], rows)])


def explain_regressor(shown: Shown) -> Explanation:
    model = shown.model
    scale = float(getattr(model, "target_scale_", 1.0))
    epsilon = float(model.epsilon) * scale
    errors = shown.y - model.predict(shown.X)
    sentences = [
        f"Errors below {short_number(epsilon)} cost nothing. {len(model.support_):,} of {len(errors):,} training rows "
        "lie on the edge of that tube or outside it, and they alone hold the curve.",
    ]
    return Explanation(
        sentences,
        [_hardest(shown, -np.abs(errors))],
        figures={"epsilon_tube": epsilon_tube_plot(errors, epsilon, shown.target)},
    )


def _held(machine: Any, margins: Array) -> int:
    """Support vectors; the primal form keeps none, and its rows with y f below 1 are they."""
    vectors = getattr(machine, "support_", None)
    return len(vectors) if vectors is not None else int((margins < 1).sum())


def _held_by_class(shown: Shown, machine: Any, of_class: Array) -> Array:
    if isinstance(machine, SVC):
        return np.asarray(machine.n_support_)
    if isinstance(machine, SupportVectorMachine) and len(machine.support_vectors_):
        vectors = {row.tobytes() for row in np.ascontiguousarray(machine.support_vectors_)}
        held = np.array([row.tobytes() in vectors for row in np.ascontiguousarray(shown.X)])
    else:
        scores = np.asarray(machine.decision_function(shown.X))
        signs = np.where(of_class[:, None] == np.arange(scores.shape[1]), 1.0, -1.0)
        held = (signs * scores < 1).any(axis=1)
    return np.bincount(of_class[held], minlength=len(shown.labels))


def _length(machine: Any) -> float:
    """|w|: of the weights of the columns, or, by a kernel, the root of the sum of a y (f - b) over support vectors."""
    if isinstance(machine, LinearSVC):
        return float(np.linalg.norm(machine.coef_))
    if not len(machine.support_vectors_):
        return 0.0
    vectors = machine.support_vectors_ + getattr(machine, "middle_", 0.0)  # as they lie in the columns
    scores = machine.decision_function(vectors) - machine.intercept_[0]
    return float(np.sqrt(max(float(np.ravel(machine.dual_coef_[0]) @ scores), 0.0)))


def _is_linear(machine: Any) -> bool:
    return isinstance(machine, LinearSVC) or machine.kernel == "linear"


def _hardest(shown: Shown, margins: Array) -> Table:
    """The training rows that fit least."""
    order = np.argsort(margins, kind="stable")[:MAX_ROWS]
    found = "y f(x)" if shown.classes is not None else "Error"
    rows = [[f"row {place + 1}", float(margins[place]), *row_of(shown, int(place))] for place in order]
    if shown.classes is None:
        rows = [[name, -value, *rest] for name, value, *rest in rows]
    return Table("Training rows that fit least", ["Row", found, *row_heads(shown)], rows)


def _is_machine(model: Any) -> bool:
    return isinstance(getattr(model, "machine_", None), SVC | LinearSVC | SupportVectorMachine)


CLASSIFIER = Explainer(name="support-vectors", suits=_is_machine, explain=explain_classifier)
REGRESSOR = Explainer(
    name="epsilon_tube",
    suits=lambda model: isinstance(model, ScaledSVR | SVR) and len(model.support_) > 0,
    explain=explain_regressor,
)
