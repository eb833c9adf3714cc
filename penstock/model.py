"""A model file and its use: the fitted pipeline, its schema and its data contract travel in one skops file."""

from __future__ import annotations

import json
import logging
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from penstock.components.contract import breaches, check_contract
from penstock.components.schema import Schema, conform
from penstock.components.trust import trusted_types
from penstock.errors import DataError, ModelError, examples
from penstock.store import Ref, Store, canonical_json, read_estimator

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd

FORMAT = 1
_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class PenstockModel:
    """A fitted pipeline that knows which columns it needs and what they must look like.

    With `enforce`, rows that break the data contract are refused; a rule of severity 'warning' is only logged.
    """

    pipeline: Any
    schema: Schema
    contract: dict[str, Any]
    card: dict[str, Any]

    def predict(self, frame: pd.DataFrame, *, enforce: bool = True) -> pd.Series[Any]:
        """Class labels, numbers or cluster numbers, under the frame's index."""
        features = self._features(frame, enforce)
        probabilities = self._probabilities(features) if self.schema.problem == "classification" else None
        return self._answer(features, probabilities)

    def predict_proba(self, frame: pd.DataFrame, *, enforce: bool = True) -> pd.DataFrame:
        """One column for each class or cluster."""
        probabilities = self._probabilities(self._features(frame, enforce))
        if probabilities is None:
            raise ModelError(
                "PEN506",
                f"this {self.schema.problem} model gives no probabilities",
                remedy="use predict, which gives its answers alone",
            )
        return probabilities

    def score_frame(self, frame: pd.DataFrame, *, enforce: bool = True) -> pd.DataFrame:
        """Column `prediction`, and `probability_<class>` for each class where the model gives probabilities.

        With a coverage also `low` and `high`, or `maybe_<class>`: whether the class is in the row's set.
        """
        import pandas as pd

        features = self._features(frame, enforce)
        probabilities = self._probabilities(features)
        answers = self._answer(features, probabilities)
        if probabilities is None:
            return pd.concat([answers, self._intervals(answers)], axis=1) if self.covers else answers.to_frame()
        scores = probabilities.add_prefix("probability_")
        scores.insert(0, "prediction", answers)
        if self.covers:
            scores = pd.concat([scores, self._sets(probabilities).add_prefix("maybe_")], axis=1)
        return scores

    @property
    def covers(self) -> bool:
        """Whether it was asked for sets or intervals that hold the truth in a given share of rows."""
        return bool(getattr(self._rule, "strangeness", None) is not None or hasattr(self._rule, "reach"))

    def predict_sets(self, frame: pd.DataFrame, *, enforce: bool = True) -> pd.DataFrame:
        """One column for each class: whether the row may be of it, at the coverage that was asked for."""
        self._require_coverage("classification", "predict_sets")
        probabilities = self._probabilities(self._features(frame, enforce))
        assert probabilities is not None
        return self._sets(probabilities)

    def predict_interval(self, frame: pd.DataFrame, *, enforce: bool = True) -> pd.DataFrame:
        """Columns `low` and `high`: where the value lies, at the coverage that was asked for."""
        self._require_coverage("regression", "predict_interval")
        return self._intervals(self._answer(self._features(frame, enforce), None))

    def decide(self, probabilities: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        """Codes of the answers to probabilities of all classes: by its rule if it has one, else the likeliest."""
        if not self.decides:
            likeliest: np.ndarray[Any, Any] = probabilities.argmax(axis=1)
            return likeliest
        known = self.pipeline.classes_
        answers: np.ndarray[Any, Any] = known[self._rule.decide(probabilities[:, known])]
        return answers

    @property
    def decides(self) -> bool:
        """Whether it has a rule of its own, such as a threshold."""
        return hasattr(self._rule, "decide")

    @property
    def _rule(self) -> Any:
        return self.pipeline[-1] if hasattr(self.pipeline, "steps") else self.pipeline

    def _require_coverage(self, problem: str, use: str) -> None:
        if self.schema.problem != problem:
            other = "predict_interval" if problem == "classification" else "predict_sets"
            raise ModelError(
                "PEN506",
                f"{use} is for a {problem}, and this model is of a {self.schema.problem}",
                remedy=f"use {other}" if self.covers else "use predict",
            )
        if not self.covers:
            raise ModelError(
                "PEN506",
                "this model was not asked for a coverage",
                remedy="train it with `decision: {coverage: 0.9}`, or use predict",
            )

    def _sets(self, probabilities: pd.DataFrame) -> pd.DataFrame:
        import pandas as pd

        sets = pd.DataFrame(False, index=probabilities.index, columns=probabilities.columns)
        if len(sets):
            known = self.pipeline.classes_
            sets.iloc[:, known] = self._rule.sets(probabilities.to_numpy()[:, known])
        return sets

    def _intervals(self, prediction: pd.Series[Any]) -> pd.DataFrame:
        import pandas as pd

        ends = self._rule.intervals(prediction.to_numpy())
        return pd.DataFrame(ends, index=prediction.index, columns=["low", "high"])

    def _features(self, frame: pd.DataFrame, enforce: bool) -> pd.DataFrame:
        conformed = conform(frame, self.schema, strict=False)
        if enforce and len(conformed):
            _enforce(conformed, frame, self.contract)
        return conformed[[column.name for column in self.schema.features]]

    def _probabilities(self, features: pd.DataFrame) -> pd.DataFrame | None:
        import numpy as np
        import pandas as pd

        if self.schema.problem == "regression" or not hasattr(self.pipeline, "predict_proba"):
            return None
        if len(features):
            given = np.asarray(self.pipeline.predict_proba(features), dtype="float64")
        else:
            given = np.zeros((0, int(getattr(self.pipeline[-1], "n_components", 0))))
        if self.schema.classes is None:
            return pd.DataFrame(given, index=features.index)
        # A class without a single training row keeps its column, with probability zero.
        values = np.zeros((len(features), len(self.schema.classes)))
        if len(features):
            values[:, self.pipeline.classes_] = given
        return pd.DataFrame(values, index=features.index, columns=pd.Index(self.schema.classes))

    def _answer(self, features: pd.DataFrame, probabilities: pd.DataFrame | None) -> pd.Series[Any]:
        """By the probabilities where there are some, so that both agree."""
        import numpy as np
        import pandas as pd

        kind = "float64" if self.schema.problem == "regression" else "int64"
        answers: np.ndarray[Any, Any]
        if not len(features):
            answers = np.empty(0, dtype=kind)
        elif probabilities is not None and self.schema.classes:
            answers = self.decide(probabilities.to_numpy())
        else:
            answers = np.asarray(self.pipeline.predict(features), dtype=kind)
        if self.schema.classes:
            labels = pd.Series(self.schema.classes).take(answers)
            return labels.set_axis(features.index).rename("prediction")
        return pd.Series(answers, index=features.index, name="prediction")


def save_bundle(
    store: Store, *, pipeline: object, schema: Schema, contract: Mapping[str, Any], card: Mapping[str, Any]
) -> Ref:
    """Write one skops file. Models are fitted on class codes 0..K-1; the schema knows their labels."""
    return store.put_estimator(
        {
            "format": FORMAT,
            "pipeline": pipeline,
            "schema": canonical_json(schema).decode(),
            "contract": canonical_json(contract).decode(),
            "card": canonical_json(card).decode(),
        }
    )


def load_bundle(path: Path | str) -> PenstockModel:
    """Read a model file, if everything in it is on Penstock's list."""
    file = Path(path)
    try:
        bundle = read_estimator(file, trusted_types())
        if bundle["format"] != FORMAT:
            raise ModelError(
                "PEN504",
                f"the model file has format {bundle['format']!r}, and this Penstock reads format {FORMAT}",
                where=str(file),
                remedy="load it with the Penstock version that saved it, or train it again",
            )
        return PenstockModel(
            pipeline=bundle["pipeline"],
            schema=Schema.model_validate_json(bundle["schema"]),
            contract=json.loads(bundle["contract"]),
            card=json.loads(bundle["card"]),
        )
    except OSError as error:
        raise ModelError(
            "PEN504",
            f"cannot read the model file: {error.strerror}",
            where=str(file),
            remedy="give the path of a .skops file",
        ) from None
    # What a damaged file makes the reader stumble over cannot be foretold more narrowly.
    except (zipfile.BadZipFile, ValueError, KeyError, TypeError, AttributeError, EOFError) as error:
        raise ModelError(
            "PEN504",
            f"the model file is damaged or was altered ({type(error).__name__}: {error})",
            where=str(file),
            remedy="fetch it again from where it came, or train it again",
        ) from error


class _Scorer:
    """What MLflow calls: scores come as a frame, whatever the problem."""

    def __init__(self, model: PenstockModel) -> None:
        self.model = model

    def predict(self, model_input: pd.DataFrame, params: dict[str, Any] | None = None) -> pd.DataFrame:
        return self.model.score_frame(model_input)


def _load_pyfunc(data_path: str) -> _Scorer:
    return _Scorer(load_bundle(data_path))


def _enforce(conformed: pd.DataFrame, received: pd.DataFrame, contract: dict[str, Any]) -> None:
    broken = breaches(check_contract(conformed, contract, received=received))
    for finding in broken:
        if finding["severity"] == "warning":
            _log.warning("data contract: %s", finding["message"])
    errors = [finding for finding in broken if finding["severity"] == "error"]
    if not errors:
        return
    first = errors[0]
    such_as = f", such as {examples(first['examples'])}" if first["examples"] else ""
    more = f" ({len(errors) - 1} more rule(s) broken)" if len(errors) > 1 else ""
    raise DataError(
        "PEN505",
        f"the rows break the model's data contract: {first['message']}{such_as}{more}",
        where=f"column '{first['column']}', rule {first['rule']}",
        remedy=first["remedy"],
    )
