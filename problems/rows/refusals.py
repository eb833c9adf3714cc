"""Keys of the pipeline file that mean nothing to kinds of question over tables of rows."""

from __future__ import annotations

from collections.abc import Mapping

from penstock.problems.declaration import Refusal

_PREDICTIONS = Refusal("PEN025", "'{key}' is about predictions, which a {problem} does not make")
_CLASSES = Refusal("PEN032", "'{name}' decides between classes, and this is a {problem}", "leave `{name}` out")
_SLICES = Refusal(
    "PEN404", "slices compare predictions with what came true, which a {problem} does not have", "leave slices out"
)

TARGET_TO_PREDICT: Mapping[str, str] = {"data.target": "name the column to predict: `data: {target: ...}`"}

NOT_OF_CLASSES: Mapping[str, Refusal | None] = {
    "register.promote.limits.calibration_error": Refusal(
        "PEN404",
        "a {problem} gives no probabilities whose calibration could be limited",
        "leave calibration_error out",
    ),
    "preparation.balance": Refusal(
        "PEN027",
        "'{value}' balances classes, and a {problem} has none",
        "leave preparation.balance out; a column with the role weight lets rows count more or less",
    ),
}
PICTURES = Refusal(
    "PEN025",
    "'{key}' shows rows where nothing is predicted, and this is a {problem}",
    "leave it out; `features: {{extract: pca}}` draws and describes new columns",
)
SEARCHED_PREPARATION = Refusal(
    "PEN020",
    "answers of a {problem} to differently prepared rows cannot be compared: their scores hang on the preparation",
    "give one component with one value for each parameter, and run the pipeline once for each",
)
WITHOUT_ANSWERS: Mapping[str, Refusal | None] = {
    **NOT_OF_CLASSES,
    "data.columns.weight": Refusal(
        "PEN165",
        "'{value}' is declared as weight, but a {problem} counts all rows alike",
        "declare `{value}: ignore`, or `{value}: ratio` if it is a feature",
    ),
    "decision.*": _CLASSES,
    "decision.coverage": Refusal(
        "PEN032", "'{name}' is checked against the truth, which a {problem} does not have", "leave `{name}` out"
    ),
    "evaluation.*": _PREDICTIONS,
    "evaluation.pictures": None,
    "register.promote.slices": _SLICES,
    "search.ensembles": _PREDICTIONS,
    "search.preparation": SEARCHED_PREPARATION,
    "search.rule": _PREDICTIONS,
}
