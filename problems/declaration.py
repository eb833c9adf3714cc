"""What a kind of question is: a declaration, which pipeline files are checked by before anything heavy is imported."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, Literal

from penstock.components.targets import TargetType

NAME = re.compile(r"[a-z][a-z0-9-]*")


@dataclass(frozen=True)
class Refusal:
    """Why a key of the pipeline file means nothing to a kind of question, and what to do about it.

    Parameters
    ----------
    code : str
        The error's code.
    what : str
        What is wrong, in words; `{key}` is the whole key, `{name}` its last part, `{problem}` the kind of question, and
        `{value}` what the file says there.
    remedy : str, default="leave it out"
        What to do, in words, with the same fields.

    Examples
    --------
    >>> from penstock.problems.declaration import Refusal
    >>> Refusal("PEN032", "`{key}` means nothing to {problem}").remedy
    'leave it out'
    """

    code: str
    what: str
    remedy: str = "leave it out"


@dataclass(frozen=True)
class Extra:
    """A stage that a kind of question has beside those of all, and the section of the run document that it fills.

    Parameters
    ----------
    section : str
        Under which name what it found stands in the run document, and is given to later stages.
    stage : str
        "module:stage". Its arguments are what the run has by then under these names, so that a stage whose argument
        the run has not, such as a known grouping, is left out.
    when : {"before the search", "after the selection", "after the training"}
        Where it stands in the flow.
    asked : str, default=""
        The key of the pipeline file that asks for it, such as "evaluation.curves"; every run has it without one.

    Examples
    --------
    >>> from penstock.problems.declaration import Extra
    >>> extra = Extra("curves", "my_package.curves:study", "after the training", asked="evaluation.curves")
    >>> extra.section
    'curves'
    """

    section: str
    stage: str
    when: Literal["before the search", "after the selection", "after the training"]
    asked: str = ""


@dataclass(frozen=True, kw_only=True)
class Problem:
    """A kind of question that can be asked of data, and what is particular to it.

    Parameters
    ----------
    name : str
        What `problem:` of a pipeline file says.
    summary : str
        What it finds, in a few words.
    question : str
        What a model answers, where the file has no `question` of its own; `{target}` is the column to predict.
    answers_known : bool
        Whether the data hold the answers, in the column `data.target`. It chooses the flow, supervised or unsupervised.
    target_type : {"classes", "quantity"} or None, default=None
        What that column holds; it decides how it is encoded and by which metrics it is scored. None where there is no
        column to predict.
    model_kinds : tuple of str
        The kinds of catalogue entries that are its models.
    candidates : tuple of str
        The models that are tried where the file names none.
    predictions : str
        "module:class" of what its models predict, a `penstock.problems.predictions.Predictions`. It travels with them.
    words : str or None, default=None
        "module:class" of what the report says of its runs, a `penstock.problems.words.Words`.
    strategies : tuple of str, default=("random", "grid", "halving", "tpe")
        The search strategies that go by what its fits tell.
    cross_validated : bool, default=True
        Whether a candidate is fitted once for each fold; if not, once on all training rows.
    prepares : bool, default=True
        Whether columns are prepared to a matrix that models are fitted to. If not, models are fitted to the rows of all
        tables as they are.
    sets_apart : bool, default=True
        Whether units are set apart as a test. Without these no score has an interval, and the gate holds what is new
        against a champion.
    suggests : bool, default=False
        Whether `models: auto` lets the data decide on the method.
    unit : str, default="row"
        What is drawn, set apart and counted as evidence, in a word. Where it is not a row, `data.group` of the pipeline
        file names the column that says of which unit a row is.
    tables : mapping of str to tuple of str, default={}
        The tables that it takes beside `data.source`, by the names that `data.tables` of the pipeline file gives them,
        with the columns that each needs.
    requires : mapping of str to str, default={}
        The keys of the pipeline file that it cannot do without, and what to do about one that is absent.
    refuses : mapping of str to Refusal or None, default={}
        The keys of the pipeline file that mean nothing to it. `decision.*` is every key of that section, but for those
        that are named themselves; None lets one of these stand.
    first_question : str
        The question that `penstock init` proposes to put in one's own words; `{target}` as above.
    proposed : bool, default=False
        Whether it is the kind that `init` proposes for columns of its target type, or where none is named.
    goal : str, default="prediction"
        What a good answer is for, in a word.
    incomparable : str or None, default=None
        Why two of its runs cannot be compared by what they predicted for the same rows, where they cannot.
    baseline : str or None, default=None
        The model that every search tries first, which looks at no column.
    fallbacks : tuple of str, default=()
        Methods that may win without being among the candidates.
    functions : mapping of str to str, default={}
        What it brings for stages that differ by problem, as `module:function`: loaded when a stage asks for it.
    extras : tuple of Extra, default=()
        The stages that it has beside those of all.
    sections : tuple of str, default=()
        The modules of the sections that it brings to the run document.

    Examples
    --------
    >>> from penstock.problems import find
    >>> problem = find("regression")
    >>> problem.asked("price")
    'Which value of “price” does a row have, going by its other columns?'
    >>> problem.refusal("decision.threshold").code
    'PEN032'
    """

    name: str
    summary: str
    question: str
    answers_known: bool
    model_kinds: tuple[str, ...]
    candidates: tuple[str, ...]
    predictions: str
    first_question: str
    target_type: TargetType | None = None
    proposed: bool = False
    goal: str = "prediction"
    words: str | None = None
    baseline: str | None = None
    fallbacks: tuple[str, ...] = ()
    functions: Mapping[str, str] = field(default_factory=dict)
    extras: tuple[Extra, ...] = ()
    sections: tuple[str, ...] = ()
    strategies: tuple[str, ...] = ("random", "grid", "halving", "tpe")
    cross_validated: bool = True
    prepares: bool = True
    sets_apart: bool = True
    suggests: bool = False
    incomparable: str | None = None
    unit: str = "row"
    tables: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    requires: Mapping[str, str] = field(default_factory=dict)
    refuses: Mapping[str, Refusal | None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not NAME.fullmatch(self.name):
            raise ValueError(f"a problem is named by small letters, digits and -, not {self.name!r}")

    def brings(self, name: str) -> bool:
        return name in self.functions

    def function_place(self, name: str) -> str:
        """The module and the name of a function that it brings."""
        if name not in self.functions:
            raise LookupError(f"the problem '{self.name}' brings no function '{name}'")
        return self.functions[name]

    def function(self, name: str) -> Callable[..., Any]:
        module, _, of_module = self.function_place(name).partition(":")
        found: Callable[..., Any] = getattr(import_module(module), of_module)
        return found

    def asked(self, target: str | None) -> str:
        """The question, of this column."""
        return self.question.format(target=target)

    def refusal(self, key: str) -> Refusal | None:
        """Why this key cannot stand; None where it can."""
        return self.refuses[key] if key in self.refuses else self.refuses.get(f"{key.rpartition('.')[0]}.*")
