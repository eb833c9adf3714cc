"""Which rows learn and which judge."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from penstock.spec.parts import Part, Share


class Split(Part):
    recipe: Annotated[
        Literal["cross-validation-and-test", "train-validation-test"],
        Field(description="Judge candidates by k folds, or by one held-out part."),
    ] = "cross-validation-and-test"
    test: Annotated[Share, Field(description="Share of rows kept for the one final judgement.")] = 0.2
    validation: Annotated[Share, Field(description="Share of the learning rows held out by train-validation-test.")] = (
        0.25
    )
    folds: Annotated[int, Field(ge=2, le=50, description="Folds of cross-validation-and-test.")] = 5
    stratify: Annotated[bool, Field(description="Keep the shares of the classes alike in every part.")] = True
    seed: Annotated[int, Field(ge=0, le=2**31 - 1, description="The one seed of the whole run.")] = 0
