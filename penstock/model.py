"""A model file and its use: the fitted pipeline, its schema and its data contract travel in one skops file."""

from __future__ import annotations

import json
import logging
import platform
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property, wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

from penstock.actions.codedigest import changed_since
from penstock.components.contract import Rule, finite_rules
from penstock.components.policies import (
    Policies,
    falls_on_rows,
    policies_of,
    refused,
    sort_out,
    treat,
    warnings_in,
)
from penstock.components.schema import Schema, conform, require_columns, shared_words
from penstock.components.trust import trusted_types
from penstock.errors import ModelError, PenstockError, did_you_mean, examples
from penstock.model_file.container import damaged
from penstock.problems import names
from penstock.problems.predictions import Predictions, predictions_of
from penstock.store import Ref, Store, canonical_json, read_estimator

if TYPE_CHECKING:
    import pandas as pd

FORMAT = 1
PLUGINS = "plugins"
MANY_ROWS = 1000
_log = logging.getLogger(__name__)
F = TypeVar("F", bound=Callable[..., Any])


@contextmanager
def failures_explained() -> Iterator[None]:
    """Whatever a model stumbles over becomes an error for people."""
    try:
        yield
    except (PenstockError, MemoryError):
        raise
    except Exception as error:
        raise ModelError(
            "PEN521",
            f"the model cannot predict these rows ({type(error).__name__}: {error})",
            remedy="compare the rows with those that it was trained on; if they are alike, train it again",
        ) from error


def _tells_failures(method: F) -> F:
    @wraps(method)
    def call(*arguments: Any, **options: Any) -> Any:
        with failures_explained():
            return method(*arguments, **options)

    return cast("F", call)


@dataclass(frozen=True)
class PenstockModel:
    """A fitted pipeline that knows which columns it needs and what they must look like.

    It is what `penstock.load` returns. Its methods take a data frame with the columns of the training rows, in any
    order. With `enforce`, values that break the data contract are imputed where its policy says so; otherwise their
    rows are refused, all of them, since none can be put aside here. A rule of severity 'warning' is only logged.

    Parameters
    ----------
    pipeline : Pipeline
        The fitted estimator, with its preparation.
    schema : Schema
        The columns and their roles, the target and its classes.
    contract : dict
        The rules of the data contract, with their policies.
    card : dict
        Facts on the model's training.
    assigner : object or None, default=None
        Of a clustering, how sure the cluster of a row is, and whether the row is an outlier.

    Examples
    --------
    >>> import pandas as pd
    >>> from sklearn.linear_model import LogisticRegression
    >>> from penstock.components.schema import infer_schema
    >>> from penstock.model import PenstockModel
    >>> frame = pd.DataFrame({"age": [20.0, 30.0, 60.0, 70.0], "left": ["no", "no", "yes", "yes"]})
    >>> schema = infer_schema(frame, problem="classification", target_type="classes", target="left", positive="yes")
    >>> pipeline = LogisticRegression().fit(frame[["age"]], [0, 0, 1, 1])
    >>> model = PenstockModel(pipeline, schema, {"version": 1, "rules": []}, {})
    >>> model.predict(pd.DataFrame({"age": [25, 65]})).tolist()
    ['no', 'yes']
    >>> model.score_frame(pd.DataFrame({"age": [25, 65]})).columns.tolist()
    ['prediction', 'probability_no', 'probability_yes']
    """

    pipeline: Any
    schema: Schema
    contract: dict[str, Any]
    card: dict[str, Any]
    assigner: Any = None

    @cached_property
    def predictions(self) -> Predictions:
        """What its kind of question predicts."""
        return predictions_of(self.schema.problem)(self.pipeline, self.schema, self.assigner)

    @_tells_failures
    def predict(self, frame: pd.DataFrame, *, enforce: bool = True) -> pd.Series[Any]:
        """Class labels, numbers or cluster numbers, under the frame's index."""
        return self.predictions.predict(self._features(frame, enforce))

    @_tells_failures
    def predict_proba(self, frame: pd.DataFrame, *, enforce: bool = True) -> pd.DataFrame:
        """One column for each class or cluster."""
        return self.predictions.predict_proba(self._features(frame, enforce))

    @_tells_failures
    def score_frame(self, frame: pd.DataFrame, *, enforce: bool = True) -> pd.DataFrame:
        """Column `prediction`, and `probability_<class>` for each class where the model gives probabilities.

        With a coverage also `low` and `high`, or `maybe_<class>`: whether the class is in the row's set. Of a cluster
        also `confidence`, from 0 to 1, and `outlier`: whether the row is unlike all that was trained on. A reduction
        has `component_1` and so on instead; a density has `log_density` and `outlier`.
        """
        return self.predict_columns(self._features(frame, enforce), self.predictions.usual)

    def require_columns(self, asked: Sequence[str]) -> None:
        """Refuse what the model cannot be asked for, in the words of `penstock score --give`."""
        for answer in asked:
            if answer not in self.predictions.possible:
                raise ModelError(
                    "PEN506",
                    f"this {self.schema.problem} model gives no '{answer}'",
                    where="--give",
                    remedy=did_you_mean(answer, self.predictions.possible),
                )

    @_tells_failures
    def predict_columns(self, features: pd.DataFrame, asked: Sequence[str]) -> pd.DataFrame:
        """The columns of what is asked for, in the order in which the model can be asked."""
        if len(features) >= MANY_ROWS:
            levels = [column.name for column in self.schema.features if column.role in ("nominal", "ordinal")]
            features = shared_words(features, levels)
        return self.predictions.table(features, asked)

    @_tells_failures
    def predict_sets(self, frame: pd.DataFrame, *, enforce: bool = True) -> pd.DataFrame:
        """One column for each class: whether the row may be of it, at the coverage that was asked for."""
        return self.predictions.predict_sets(self._features(frame, enforce))

    @_tells_failures
    def predict_interval(self, frame: pd.DataFrame, *, enforce: bool = True) -> pd.DataFrame:
        """Columns `low` and `high`: where the value lies, at the coverage that was asked for."""
        return self.predictions.predict_interval(self._features(frame, enforce))

    def _features(self, frame: pd.DataFrame, enforce: bool) -> pd.DataFrame:
        inputs = [column.name for column in self.predictions.inputs_of(self.schema)]
        require_columns(frame, inputs)
        conformed = conform(frame, self.schema, strict=False)
        if enforce and len(conformed):
            conformed = _enforce(conformed, frame, self.rules, policies_of(self.contract).where_rows_stay())
        return conformed[inputs]

    @property
    def rules(self) -> list[Rule]:
        """By which new rows are evaluated: those of the contract, and that numbers can be computed with."""
        return [*finite_rules(self.schema), *self.contract["rules"]]


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
    """Read a model file, if everything in it is on Penstock's list of trusted types.

    Parameters
    ----------
    path : path or str
        A .skops file, as registered versions hold it.

    Returns
    -------
    PenstockModel
        The model.

    Raises
    ------
    ModelError
        If the file is none of a model, or holds what is not trusted.

    Examples
    --------
    >>> from penstock.errors import ModelError
    >>> from penstock.model import load_bundle
    >>> try:
    ...     load_bundle("missing.skops")
    ... except ModelError as error:
    ...     print(error.code)
    PEN504
    """
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
        model = PenstockModel(
            pipeline=bundle["pipeline"],
            schema=Schema.model_validate_json(bundle["schema"]),
            contract=json.loads(bundle["contract"]),
            card=json.loads(bundle["card"]),
            assigner=bundle.get("assigner"),
        )
        _require_known(model.schema.problem, file)
        _require_whole(model)
        _warn_of_other_code(model.card)
        return model
    except OSError as error:
        raise ModelError(
            "PEN504",
            f"cannot read the model file: {error.strerror}",
            where=str(file),
            remedy="give the path of a .skops file",
        ) from None
    except PenstockError:
        raise
    # What a damaged file makes the reader stumble over cannot be foretold more narrowly.
    except Exception as error:
        raise damaged(file, error) from error


def _require_known(problem: str, file: Path) -> None:
    if problem not in names():
        raise ModelError(
            "PEN523",
            f"the model is of the problem '{problem}', which is not known here",
            where=str(file),
            remedy="install the package that brings this problem, in the version with which the model was trained",
        )


def _require_whole(model: PenstockModel) -> None:
    if not isinstance(model.card, dict) or not callable(getattr(model.pipeline, "fit", None)):
        raise ValueError("its parts are not those of a model")
    for rule in model.contract["rules"]:
        if not (isinstance(rule["type"], str) and isinstance(rule["kwargs"], dict) and isinstance(rule["meta"], dict)):
            raise ValueError("a rule of its contract is none")
    policies_of(model.contract)


def _warn_of_other_code(card: Mapping[str, Any]) -> None:
    """Where the model is made of another package's code. Versions of Python read the same code differently."""
    known = card.get(PLUGINS)
    if known and known["python"] == platform.python_version():
        changed = changed_since(known["code"])
        if changed:
            _log.warning(
                "the model was trained with other code of %s than what is installed: its predictions may differ; "
                "install what it was trained with, or train it again",
                examples(changed),
            )


class _Scorer:
    """What MLflow calls: scores come as a frame, whatever the problem."""

    def __init__(self, model: PenstockModel) -> None:
        self.model = model

    def predict(self, model_input: pd.DataFrame, params: dict[str, Any] | None = None) -> pd.DataFrame:
        return self.model.score_frame(model_input)


def _load_pyfunc(data_path: str) -> _Scorer:
    return _Scorer(load_bundle(data_path))


def _enforce(
    conformed: pd.DataFrame, received: pd.DataFrame, rules: Sequence[Rule], policies: Policies
) -> pd.DataFrame:
    """The rows, with values taken out that break a rule whose policy is to impute them."""
    falls = falls_on_rows(rules, policies)
    treated = treat(conformed, received, rules, policies, falls)
    for finding in warnings_in(rules, treated.tallies, len(conformed)):
        _log.warning("data contract: %s", finding["message"])
    rejecting, wider = sort_out(rules, treated.tallies, policies, falls, len(conformed), ended=True)
    if rejecting:
        raise refused(rejecting)
    return treat(conformed, received, rules, policies, falls | wider).features if wider else treated.features
