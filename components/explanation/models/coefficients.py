"""How a linear model decides: its weights, and how they change with the penalty."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from sklearn.base import clone, is_classifier
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

from penstock.components.explanation.models.base import Explainer, Explanation, Shown, Table
from penstock.components.perceptron.rosenblatt import PerceptronClassifier
from penstock.components.plots.coefficients import coefficient_bars, coefficient_path, probability_curve
from penstock.components.plots.style import short_number

Array = np.ndarray[Any, Any]

MAX_COLUMNS = 15
MAX_CLASSES = 5
PENALTIES = ("alpha", "C")
STEPS = 13
DECADES = 3
MAX_CELLS = 200_000
SLOW_SOLVER = "saga"
ALIKE = 0.02


def explain_coefficients(shown: Shown) -> Explanation:
    """The largest weights of the prepared columns; of many classes, those of the first five."""
    weights = np.atleast_2d(shown.model.coef_)
    order = np.argsort(-np.abs(weights).max(axis=0), kind="stable")[:MAX_COLUMNS]
    names = [shown.names[place] for place in order]
    of = _told_for(shown, len(weights))
    sentences = [
        _formula(shown, of),
        "The weights are of prepared columns: numbers that are scaled count in scaled units.",
    ]
    sentences += _own_words(shown)
    zeros = int((weights == 0).all(axis=0).sum())
    if zeros:
        have, them = ("has", "it") if zeros == 1 else ("have", "them")
        sentences.append(f"{zeros} of {weights.shape[1]} columns {have} no weight: the model does without {them}.")
    rows = [
        [name, *(float(weight) for weight in weights[: len(of), place])]
        for name, place in zip(names, order, strict=True)
    ]
    rest = f", the largest {len(rows)} of {weights.shape[1]}" if weights.shape[1] > len(rows) else ""
    figures = {"coefficients": coefficient_bars(names, weights[: len(of), order], of)}
    if shown.classes is not None and len(weights) == 1 and hasattr(shown.model, "predict_proba"):
        figures["probability_curve"] = _probabilities(shown)
    path = _path(shown, order)
    if path:
        figures["coefficient_path"] = coefficient_path(names, **path)
    tables = [Table(f"Weights{rest}", ["Column", *of], rows), *_class_means(shown, order)]
    return Explanation(sentences, tables, figures=figures)


def _told_for(shown: Shown, outputs: int) -> list[str]:
    if shown.classes is None:
        return [shown.target]
    labels = shown.labels
    return [labels[1]] if outputs == 1 and len(labels) == 2 else labels[: min(outputs, MAX_CLASSES)]


def _formula(shown: Shown, of: list[str]) -> str:
    start = np.atleast_1d(shown.model.intercept_)
    if shown.classes is None:
        return f"{shown.target} is {short_number(float(start[0]))} and the sum of each column times its weight."
    # A neuron's score becomes log-odds by a number of its own.
    odds = hasattr(shown.model, "predict_proba") and getattr(shown.model, "scale_", 1.0) == 1.0
    what = "log-odds" if odds else "score"
    if len(of) == 1:
        return f"The {what} of {of[0]}: {short_number(float(start[0]))} and the sum of each column times its weight."
    return f"Each class has weights of its own; the class of the highest {what} is answered."


def _probabilities(shown: Shown) -> Figure:
    """Of the model as it answers: where its probabilities are calibrated, these are drawn."""
    deciding = shown.model if shown.rule is None else shown.rule
    positive = deciding.predict(shown.X) == deciding.classes_[1]
    probability = deciding.predict_proba(shown.X)[:, 1]
    score = shown.X @ np.ravel(shown.model.coef_) + float(np.ravel(shown.model.intercept_)[0])
    return probability_curve(score, probability, positive, shown.y == deciding.classes_[1], shown.labels[1])


def _own_words(shown: Shown) -> list[str]:
    """What a perceptron and a discriminant analysis know beside their weights."""
    model = shown.model
    if isinstance(model, PerceptronClassifier):
        return [
            f"After {model.n_iter_} passes no training row is a mistake: a straight border parts the classes."
            if model.separated_.all()
            else f"After {model.n_iter_} passes some training rows are still mistakes: it learns from mistakes alone, "
            "and where no straight border parts the classes it never comes to rest."
        ]
    if isinstance(model, LinearDiscriminantAnalysis):
        shares = ", ".join(f"{name} {share:.1%}" for name, share in zip(shown.labels, model.priors_, strict=True))
        return [
            f"Every class is a bell of the same shape about its own mean; before any column is read: {shares}.",
        ]
    return []


def _class_means(shown: Shown, order: Array) -> list[Table]:
    """Of a discriminant analysis, the mean of each class in the columns with the largest weights."""
    means = shown.model.means_ if isinstance(shown.model, LinearDiscriminantAnalysis) else None
    if means is None:
        return []
    rows = [[shown.names[place], *(float(mean) for mean in means[:MAX_CLASSES, place])] for place in order]
    return [Table("Means of the classes", ["Column", *shown.labels[:MAX_CLASSES]], rows)]


def _path(shown: Shown, order: Array) -> dict[str, Any] | None:
    """The weights at penalties up to a thousand times smaller and larger, fitted again.

    None where that would take long, and where the model itself is not among them: it was trained on rows that were
    weighted or balanced.
    """
    model = shown.model
    name = next((one for one in PENALTIES if isinstance(getattr(model, one, None), int | float)), None)
    most = MAX_CELLS / 10 if getattr(model, "solver", "") == SLOW_SOLVER else MAX_CELLS
    chosen = float(getattr(model, name)) if name else 0.0
    if name is None or not 0 < chosen < np.inf or shown.X.size > most:
        return None
    values = chosen * np.logspace(-DECADES, DECADES, STEPS)
    outcome = -1 if is_classifier(model) else 0
    found = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a fit at a strange penalty may end early; the picture shows it well enough
        for value in values:
            fitted = clone(model).set_params(**{name: value}).fit(shown.X, shown.y)
            found.append(np.atleast_2d(fitted.coef_)[outcome, order])
    own = np.atleast_2d(model.coef_)[outcome, order]
    if not np.allclose(found[STEPS // 2], own, rtol=0, atol=ALIKE * np.abs(own).max()):
        return None
    return {"parameter": name, "values": values, "weights": np.array(found), "chosen": chosen}


def _is_linear(model: Any) -> bool:
    weights = getattr(model, "coef_", None)
    return isinstance(weights, np.ndarray) and weights.ndim in (1, 2) and hasattr(model, "intercept_")


EXPLAINER = Explainer(name="coefficients", suits=_is_linear, explain=explain_coefficients)
