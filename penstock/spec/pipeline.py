"""The whole pipeline file."""

from __future__ import annotations

from typing import Annotated, Any, Literal, get_args

from pydantic import Field, field_validator, model_validator

from penstock.components.schema import Problem, Supervised
from penstock.spec.data import Data
from penstock.spec.decision import Decision
from penstock.spec.engine import WORDS, Engine
from penstock.spec.evaluation import Evaluation
from penstock.spec.parts import Choice, Choices, Part
from penstock.spec.preparation import Features, Preparation
from penstock.spec.register import Register, Schedule
from penstock.spec.retrain import Retrain
from penstock.spec.scoring import Scoring
from penstock.spec.search import Limits, Search
from penstock.spec.split import Split
from penstock.spec.validation import Validation

AUTO = "auto"

SYLLABUS = ("proc_data_science_process", "proc_unsupervised_contract")


class Spec(Part):
    """A Penstock pipeline. Everything but name, problem and data has a default."""

    version: Annotated[Literal[1], Field(description="Version of this file format.")] = 1
    name: Annotated[
        str,
        Field(
            pattern=r"^[a-z][a-z0-9_-]{0,62}$",
            description="Name of the pipeline and its model: small letters, digits, - and _; a letter first.",
        ),
    ]
    problem: Annotated[Problem, Field(description="What is asked for.")]
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
        description="Diagnostics of the learning rows, by name, each with its parameters; what they find stands in the "
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
        return self.problem in get_args(Supervised)

    @property
    def asked(self) -> str:
        """The question that this pipeline answers."""
        derived = {
            "classification": f"Which class of “{self.data.target}” does a row belong to, judged by its other columns?",
            "regression": f"Which value of “{self.data.target}” does a row have, judged by its other columns?",
            "clustering": "Which groups of similar rows are there?",
            "reduction": "Which few new columns hold most of what the columns tell?",
            "density": "How usual is a row, and which rows are rare?",
        }
        return self.question or derived[self.problem]

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
    def target_fits_problem(self) -> Spec:
        if self.predicts and self.data.target is None:
            raise ValueError(f"a {self.problem} needs data.target; name the column to predict: `data: {{target: ...}}`")
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
