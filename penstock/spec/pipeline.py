"""The whole pipeline file."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from penstock.spec.data import Data
from penstock.spec.decision import Decision
from penstock.spec.evaluation import Evaluation
from penstock.spec.parts import Choice, Choices, Part
from penstock.spec.preparation import Features, Preparation
from penstock.spec.register import Register, Schedule
from penstock.spec.search import Limits, Search
from penstock.spec.split import Split
from penstock.spec.validation import Validation

Problem = Literal["classification", "regression", "clustering"]

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
        default_factory=list, description="Candidates, by catalogue name; by default a few that suit the problem."
    )
    search: Search = Search()
    decision: Decision = Decision()
    evaluation: Evaluation = Evaluation()
    limits: Limits = Limits()
    register_: Annotated[Register, Field(alias="register")] = Register()
    schedule: Annotated[Schedule | None, Field(description="When to run: a cron, or an interval in seconds.")] = None

    @property
    def asked(self) -> str:
        """The question that this pipeline answers."""
        derived = {
            "classification": f"Which class of “{self.data.target}” does a row belong to, judged by its other columns?",
            "regression": f"Which value of “{self.data.target}” does a row have, judged by its other columns?",
            "clustering": "Which groups of similar rows are there?",
        }
        return self.question or derived[self.problem]

    @property
    def inputs(self) -> str:
        """What the answer is drawn from, as far as it can be told before the rows are read."""
        apart = f", without “{self.data.target}”" if self.data.target else ""
        return f"the columns of {self.data.source}{apart}"

    @model_validator(mode="after")
    def target_fits_problem(self) -> Spec:
        if self.problem != "clustering" and self.data.target is None:
            raise ValueError(f"a {self.problem} needs data.target; name the column to predict: `data: {{target: ...}}`")
        if self.problem == "clustering" and self.data.target is not None:
            raise ValueError(
                f"a clustering takes no data.target; groups are found without it; to leave '{self.data.target}' out, "
                f"say `columns: {{{self.data.target}: ignore}}`"
            )
        return self


def schema() -> dict[str, Any]:
    """JSON schema of the pipeline file, for editors; it knows the short forms of a choice."""
    document = Spec.model_json_schema(by_alias=True)
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
