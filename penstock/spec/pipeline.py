"""The whole pipeline file."""

from __future__ import annotations

from operator import attrgetter
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, field_validator, model_validator

from penstock.errors import did_you_mean
from penstock.problems import all_problems, find, names
from penstock.spec.base import Choice, Choices, SpecModel
from penstock.spec.data import Data
from penstock.spec.decision import Decision
from penstock.spec.engine import WORDS, Engine
from penstock.spec.evaluation import Evaluation
from penstock.spec.preparation import Features, Preparation
from penstock.spec.register import Register, Schedule
from penstock.spec.retrain import Retrain
from penstock.spec.scoring import Scoring
from penstock.spec.search import Limits, Search
from penstock.spec.split import Split
from penstock.spec.validation import Validation

AUTO = "auto"


def _known(problem: str) -> str:
    known = names()
    if problem not in known:
        listed = f"{', '.join(map(repr, known[:-1]))} or {known[-1]!r}"
        raise ValueError(f"input should be {listed}; {did_you_mean(problem, known)}")
    return problem


def _listed(schema: dict[str, Any]) -> None:
    known = all_problems()
    schema["enum"] = list(known)
    schema["description"] += f" {'; '.join(f'{name}: {problem.summary}' for name, problem in known.items())}."


ProblemName = Annotated[str, AfterValidator(_known), Field(json_schema_extra=_listed)]
"""A kind of question by its name: one of those in problems/, or of another package."""


class Spec(SpecModel):
    """A Penstock pipeline. Everything but name, problem and data has a default."""

    version: Annotated[Literal[1], Field(description="Version of this file format.")] = 1
    name: Annotated[
        str,
        Field(
            pattern=r"^[a-z][a-z0-9_-]{0,62}$",
            description="Name of the pipeline and its model: small letters, digits, - and _; a letter first.",
        ),
    ]
    problem: Annotated[ProblemName, Field(description="What is asked for.")]
    question: Annotated[
        str | None,
        Field(
            min_length=1,
            max_length=300,
            description="What the model is to answer, in a sentence; it heads the report and the run in MLflow. By "
            "default derived from problem and target.",
        ),
    ] = None
    data: Annotated[Data, Field(description="Where the rows are, and which column to predict: source, target...")]
    validation: Validation = Validation()
    split: Split = Split()
    preparation: Preparation = Preparation()
    features: Features = Features()
    models: Choices = Field(
        default_factory=list,
        description="Candidates, by catalogue name; by default a few that suit the problem. A clustering may say "
        "`auto`: then the rows decide on the method and the number of clusters.",
    )
    search: Search = Search()
    decision: Decision = Decision()
    evaluation: Evaluation = Evaluation()
    diagnose: Choices = Field(
        default_factory=list,
        description="Diagnostics of the training rows, by name, each with its parameters; what they find stands in the "
        "report with its picture. `penstock diagnose` lists them; the column to predict need not be named.",
    )
    limits: Limits = Limits()
    scoring: Scoring = Scoring()
    engine: Annotated[
        Engine,
        Field(
            description="Where the numeric work is done: `local`, in worker processes of this machine, or `dask`, on a "
            "cluster. The results are the same."
        ),
    ] = Engine()
    register_: Annotated[Register, Field(alias="register")] = Register()
    schedule: Annotated[Schedule | None, Field(description="When to run: a cron, or an interval in seconds.")] = None
    notify: Annotated[
        list[str],
        Field(
            description="Who is told when a run fails or data drift: names of addresses in the setting "
            "PENSTOCK_WEBHOOKS."
        ),
    ] = []  # noqa: RUF012  pydantic copies it

    retrain: Annotated[
        Retrain | None, Field(description="When `penstock deploy` lets a model in service be trained again.")
    ] = None

    @model_validator(mode="before")
    @classmethod
    def no_test_rows_where_none_are_set_apart(cls, given: Any) -> Any:
        problem = all_problems().get(str(given.get("problem"))) if isinstance(given, dict) else None
        if problem is None or problem.sets_apart:
            return given
        split = given.get("split") or {}
        if not isinstance(split, dict):
            return given
        for key in ("test", "given", "within"):
            if split.get(key) is not None:
                raise ValueError(f"a {problem.name} sets no rows apart as a test; leave split.{key} out")
        return {**given, "split": {**split, "test": None}}

    @field_validator("models", mode="before")
    @classmethod
    def one_word(cls, models: Any) -> Any:
        return [AUTO] if models == AUTO else models

    @field_validator("notify", mode="before")
    @classmethod
    def one_name(cls, notify: Any) -> Any:
        return [notify] if isinstance(notify, str) else notify

    @property
    def automatic(self) -> bool:
        """Whether the method is left to the rows."""
        return [choice.name for choice in self.models] == [AUTO]

    @property
    def predicts(self) -> bool:
        """Whether there is a column to predict."""
        return find(self.problem).answers_known

    @property
    def data_as_read(self) -> Data:
        """A column that tells published parts apart is no feature."""
        if self.split.given is None:
            return self.data
        columns = {**self.data.columns, self.split.given.column: "ignore"}
        return self.data.model_copy(update={"columns": columns})

    @property
    def asked(self) -> str:
        """The question that this pipeline answers."""
        return self.question or find(self.problem).asked(self.data.target)

    @property
    def inputs(self) -> str:
        """What the answer is drawn from, as far as it can be told before the rows are read."""
        apart = f", without “{self.data.target}”" if self.data.target else ""
        return f"the columns of {self.data.source}{apart}"

    @model_validator(mode="after")
    def timed_retraining_has_a_schedule(self) -> Spec:
        timed = {"schedule", "labels"} & set(self.retrain.on if self.retrain else [])
        if timed and self.schedule is None:
            raise ValueError(
                f"retrain.on {sorted(timed)[0]} needs to know when to look: `schedule: {{cron: '0 3 * * *'}}`"
            )
        return self

    @model_validator(mode="after")
    def test_rows_where_some_are_set_apart(self) -> Spec:
        if self.split.test is None and find(self.problem).sets_apart:
            raise ValueError(f"a {self.problem} is evaluated by test rows; give split.test a share, or leave it out")
        return self

    @model_validator(mode="after")
    def has_what_the_problem_requires(self) -> Spec:
        for key, remedy in find(self.problem).requires.items():
            if attrgetter(key)(self) is None:
                raise ValueError(f"a {self.problem} needs {key}; {remedy}")
        if not self.predicts and self.data.positive is not None:
            raise ValueError(f"a {self.problem} predicts no class, so data.positive means nothing; leave it out")
        return self


def schema() -> dict[str, Any]:
    """JSON schema of the pipeline file, for editors; it knows the short forms of a choice."""
    document = Spec.model_json_schema(by_alias=True)
    models = document["properties"]["models"]
    words = {"description": models.pop("description"), "title": models.pop("title")}
    document["properties"]["models"] = {**words, "anyOf": [models, {"const": AUTO}]}
    engine = document["properties"]["engine"]
    words = {"description": engine.pop("description")}
    document["properties"]["engine"] = {**words, "anyOf": [engine, {"enum": list(WORDS)}]}
    parameters = document["$defs"]["Choice"]["properties"]["parameters"]
    document["$defs"]["Choice"] = {
        "description": Choice.__doc__,
        "anyOf": [
            {"type": "string"},
            {"type": "object", "minProperties": 1, "maxProperties": 1,
             "additionalProperties": {"anyOf": [parameters, {"type": "null"}]}},
        ],
    }  # fmt: skip
    return document
