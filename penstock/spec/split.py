"""Which rows learn and which evaluate."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from penstock.spec.base import Scalar, Share, SpecModel


class Given(SpecModel):
    """A split that comes with the data: it is kept."""

    column: Annotated[str, Field(description="The column that tells the parts apart; it is not a feature.")]
    test: Annotated[Scalar | list[Scalar], Field(description="Its value, or values, in the test rows.")]

    @property
    def values(self) -> list[Scalar]:
        return self.test if isinstance(self.test, list) else [self.test]


class Split(SpecModel):
    recipe: Annotated[
        Literal[
            "cross-validation-and-test",
            "nested-cross-validation",
            "train-validation-test",
            "resampling-and-test",
            "leave-one-out",
            "out-of-bag",
        ],
        Field(
            description="How candidates are evaluated: by k folds; by k folds, and the whole search once more inside "
            "each "
            "of them, which shows what such a search is worth (nested, k + 1 times the cost); by one held-out part; by "
            "several random parts; by every row (or group) in turn; by the rows that a bootstrap sample leaves out. "
            "The winner is always fitted again on all training rows, and evaluated once on the test rows."
        ),
    ] = "cross-validation-and-test"
    test: Annotated[
        Share | None,
        Field(description="Share of rows kept for the one final evaluation; null of a problem that sets none apart."),
    ] = 0.2
    given: Annotated[Given | None, Field(description="A published split, in place of `test`.")] = None
    within: Annotated[
        str | None,
        Field(
            description="A column such as the user of a rating. About half of the rows of some of its members are "
            "the test rows, their other rows teach: so no member of the test is new to the model."
        ),
    ] = None
    validation: Annotated[
        Share,
        Field(description="Share of the training rows held out by train-validation-test and resampling-and-test."),
    ] = 0.25
    folds: Annotated[
        int, Field(ge=2, le=50, description="Folds of cross-validation; draws of resampling and of out-of-bag.")
    ] = 5
    stratify: Annotated[bool, Field(description="Keep the shares of the classes alike in every part.")] = True
    gap: Annotated[
        str | None,
        Field(description="Length of time, such as 7d, left out between the rows that learn and those that evaluate."),
    ] = None
    window: Annotated[
        str | None, Field(description="Length of time, such as 90d, that each fold learns from; by default all before.")
    ] = None
    seed: Annotated[int, Field(ge=0, le=2**31 - 1, description="The one seed of the whole run.")] = 0
    ordered: Annotated[
        bool | None,
        Field(description="Later rows evaluate earlier ones; by default where a column has the role time."),
    ] = None

    @property
    def n_folds(self) -> int | None:
        """How many folds there will be; None of leave-one-out, which has as many as there are rows or groups."""
        if self.recipe == "leave-one-out":
            return None
        return 1 if self.recipe == "train-validation-test" else self.folds

    @model_validator(mode="after")
    def one_way_to_choose_test_rows(self) -> Split:
        if self.within and self.given:
            raise ValueError("within and given both say which rows are test rows; leave one of them out")
        if self.within and (self.ordered or self.gap or self.window):
            raise ValueError("within takes rows of all times; leave out ordered, gap and window, or leave out within")
        return self

    @model_validator(mode="after")
    def gap_and_window_need_time(self) -> Split:
        if self.ordered is False and (self.gap or self.window):
            raise ValueError("gap and window are for splits by time; leave out `ordered: false`")
        return self
