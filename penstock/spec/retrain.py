"""When a model that is in service is trained again."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from penstock.spec.base import SpecModel


class Retrain(SpecModel):
    on: Annotated[
        list[Literal["schedule", "drift", "labels"]],
        Field(
            min_length=1,
            description="What `penstock deploy` lets a new challenger be trained on: `schedule`, whenever the schedule "
            "says so; `labels`, at those times, but only where enough labelled rows have come; `drift`, as soon as "
            "`penstock monitor` finds that recent rows have drifted.",
        ),
    ]
    new_labels: Annotated[
        int, Field(ge=1, description="How many labelled rows must have come since the champion was trained.")
    ] = 100
