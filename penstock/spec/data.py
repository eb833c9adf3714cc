"""The data of a pipeline, and what its columns are."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from penstock.components.sources.options import Reading
from penstock.spec.parts import Part, Scalar
from penstock.spec.source import Source

Role = Literal["numeric", "nominal", "boolean", "date", "text", "ignore"]


class Ordinal(Part):
    ordinal: Annotated[
        list[str], Field(min_length=2, description="The levels in rising order; it is the order that is learnt.")
    ]


class Data(Part):
    source: Source
    reading: Annotated[
        Reading, Field(description="How the source is to be read, where this should not be found out from it.")
    ] = Reading()
    target: Annotated[str | None, Field(description="The column to predict.")] = None
    positive: Annotated[
        Scalar | None, Field(description="The class that counts as positive; by default the rarer of two.")
    ] = None
    key: Annotated[str | None, Field(description="A column that names each row; by default source and position.")] = (
        None
    )
    group: Annotated[
        str | None, Field(description="Rows of one group (a customer, a patient) never stand on both sides of a split.")
    ] = None
    columns: dict[str, Role | Ordinal] = Field(
        default_factory=dict, description="Corrections to the inferred role of a column."
    )
