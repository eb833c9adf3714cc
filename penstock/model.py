"""A model file and its use: the fitted pipeline, its schema and its data contract travel in one skops file."""

from __future__ import annotations

import json
import logging
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from penstock.components.policies import falls_on_rows, policies_of, refused, sort_out, treat, warnings_in
from penstock.components.schema import Schema, conform, shared_words
from penstock.components.trust import trusted_types
from penstock.errors import ModelError, did_you_mean
from penstock.store import Ref, Store, canonical_json, read_estimator

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd

FORMAT = 1
MANY_ROWS = 1000
_OTHER_ANSWERS = {"reduction": ("components",), "density": ("log_density", "outlier")}
_BESIDE = {"reduction": "the new columns", "density": "the log density and whether a row is an outlier"}
_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class PenstockModel:
    """A fitted pipeline that knows which columns it needs and what they must look like.

    With `enforce`, values that break the data contract are imputed where its policy says so; otherwise their rows are
    refused, all of them, since none can be put aside here. A rule of severity 'warning' is only logged.
    """

    pipeline: Any
    schema: Schema
    contract: dict[str, Any]
    card: dict[str, Any]
    assigner: Any = None

    def predict(self, frame: pd.DataFrame, *, enforce: bool = True) -> pd.Series[Any]:
        """Class labels, numbers or cluster numbers, under the frame's index."""
        if self.schema.problem in _BESIDE:
            raise ModelError(
                "PEN506",
                f"this {self.schema.problem} model predicts nothing",
                remedy=f"use score_frame, which gives {_BESIDE[self.schema.problem]}",
            )
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

        With a coverage also `low` and `high`, or `maybe_<class>`: whether the class is in the row's set. Of a cluster
        also `confidence`, from 0 to 1, and `outlier`: whether the row is unlike all that was learnt from. A reduction
        has `component_1` and so on instead; a density has `log_density` and `outlier`.
        """
        return self.answers(self._features(frame, enforce), self.usual_answers)

    @property
    def possible_answers(self) -> tuple[str, ...]:
        """What it can be asked for, by the words of `penstock score --give`."""
        probability = ("probability",) if self._gives_probabilities else ()
        if self.schema.problem == "classification":
            return ("label", *probability, *(("set",) if self.covers else ()))
        if self.schema.problem == "regression":
            return ("value", *(("interval",) if self.covers else ()))
        if self.schema.problem in _OTHER_ANSWERS:
            return _OTHER_ANSWERS[self.schema.problem]
        return ("cluster", *probability, *(() if self.assigner is None else ("confidence", "outlier")))

    @property
    def usual_answers(self) -> tuple[str, ...]:
        """All of them; of a cluster its confidence tells what probabilities would."""
        if self.assigner is None:
            return self.possible_answers
        return tuple(answer for answer in self.possible_answers if answer != "probability")

    def require_answers(self, asked: Sequence[str]) -> None:
        for answer in asked:
            if answer not in self.possible_answers:
                raise ModelError(
                    "PEN506",
                    f"this {self.schema.problem} model gives no '{answer}'",
                    where="--give",
                    remedy=did_you_mean(answer, self.possible_answers),
                )

    def answers(self, features: pd.DataFrame, asked: Sequence[str]) -> pd.DataFrame:
        """The columns of what is asked for, in the order of `possible_answers`."""
        import pandas as pd

        if len(features) >= MANY_ROWS:
            levels = [column.name for column in self.schema.features if column.role in ("nominal", "ordinal")]
            features = shared_words(features, levels)
        if self.schema.problem == "reduction":
            return self._reduced(features)
        if self.schema.problem == "density":
            rareness = self._rareness(features)
            return rareness[[name for name in rareness.columns if name in asked]]
        found = self._assigned(features) if self.assigner is not None else None
        probabilities = None
        if found is None or "probability" in asked:
            probabilities = self._probabilities(features)
        prediction = self._answer(features, probabilities) if found is None else found["prediction"]
        columns = [prediction.to_frame()] if {"label", "value", "cluster"} & set(asked) else []
        if probabilities is not None and "probability" in asked:
            columns.append(probabilities.add_prefix("probability_"))
        if "set" in asked and probabilities is not None:
            columns.append(self._sets(probabilities).add_prefix("maybe_"))
        if "interval" in asked:
            columns.append(self._intervals(prediction))
        if found is not None:
            columns.append(found[[name for name in ("confidence", "outlier") if name in asked]])
        return pd.concat(columns, axis=1) if len(columns) > 1 else columns[0]

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

    def _assigned(self, features: pd.DataFrame) -> pd.DataFrame:
        import pandas as pd

        if not len(features):
            nothing = {"prediction": "int64", "confidence": "float64", "outlier": "bool"}
            return pd.DataFrame({name: pd.Series(dtype=kind) for name, kind in nothing.items()}, index=features.index)
        found = self.assigner.assign(self.pipeline[-1], self.pipeline[:-1].transform(features))
        columns = {"prediction": found.labels, "confidence": found.confidence, "outlier": found.outlier}
        return pd.DataFrame(columns, index=features.index)

    @property
    def made(self) -> list[str]:
        """The names of a reduction's new columns."""
        size = len(self._rule.get_feature_names_out())
        return [f"component_{number}" for number in range(1, size + 1)]

    def _reduced(self, features: pd.DataFrame) -> pd.DataFrame:
        import numpy as np
        import pandas as pd

        names = self.made
        found = self.pipeline.transform(features) if len(features) else np.empty((0, len(names)))
        return pd.DataFrame(np.asarray(found), index=features.index, columns=names)

    def _rareness(self, features: pd.DataFrame) -> pd.DataFrame:
        import numpy as np
        import pandas as pd

        logs = np.asarray(self.pipeline.score_samples(features)) if len(features) else np.empty(0)
        rare = logs < getattr(self._rule, "threshold_", -np.inf)
        return pd.DataFrame({"log_density": logs, "outlier": rare}, index=features.index)

    def _features(self, frame: pd.DataFrame, enforce: bool) -> pd.DataFrame:
        conformed = conform(frame, self.schema, strict=False)
        if enforce and len(conformed):
            conformed = _enforce(conformed, frame, self.contract)
        return conformed[[column.name for column in self.schema.features]]

    @property
    def _gives_probabilities(self) -> bool:
        return self.schema.problem != "regression" and hasattr(self.pipeline, "predict_proba")

    def _probabilities(self, features: pd.DataFrame) -> pd.DataFrame | None:
        import numpy as np
        import pandas as pd

        if not self._gives_probabilities:
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
    store: Store,
    *,
    pipeline: object,
    schema: Schema,
    contract: Mapping[str, Any],
    card: Mapping[str, Any],
    assigner: object = None,
) -> Ref:
    """Write one skops file. Models are fitted on class codes 0..K-1; the schema knows their labels."""
    return store.put_estimator(
        {
            "format": FORMAT,
            "pipeline": pipeline,
            **({} if assigner is None else {"assigner": assigner}),
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
            assigner=bundle.get("assigner"),
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


def _enforce(conformed: pd.DataFrame, received: pd.DataFrame, contract: dict[str, Any]) -> pd.DataFrame:
    """The rows, with values taken out that break a rule whose policy is to impute them."""
    rules, policies = contract["rules"], policies_of(contract).where_rows_stay()
    falls = falls_on_rows(rules, policies)
    treated = treat(conformed, received, rules, policies, falls)
    for finding in warnings_in(rules, treated.tallies, len(conformed)):
        _log.warning("data contract: %s", finding["message"])
    rejecting, wider = sort_out(rules, treated.tallies, policies, falls, len(conformed), ended=True)
    if rejecting:
        raise refused(rejecting)
    return treat(conformed, received, rules, policies, falls | wider).features if wider else treated.features
