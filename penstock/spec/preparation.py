"""From columns to features."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from penstock.spec.parts import Choice, Part


class Preparation(Part):
    impute: Annotated[
        Literal["median", "mean"], Field(description="What fills missing numbers; an indicator column is added.")
    ] = "median"
    scale: Annotated[Literal["standard", "none"], Field(description="Scaling of numeric columns.")] = "standard"
    rare: Annotated[
        float, Field(ge=0, lt=0.5, description="Levels below this share of rows are put together as one.")
    ] = 0.01
    text_components: Annotated[int, Field(ge=1, le=300, description="Columns made of each text.")] = 30


class Features(Part):
    select: Annotated[Choice | None, Field(description="Keep the most telling columns, chosen inside each fold.")] = (
        None
    )
    extract: Annotated[
        Choice | None, Field(description="Replace columns by fewer new ones, fitted inside each fold.")
    ] = None
