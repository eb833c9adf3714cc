"""The data of a pipeline, and what its columns are."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, field_validator

from penstock.sources.options import Reading
from penstock.spec.parts import Part, Scalar
from penstock.spec.source import Source

Role = Literal[
    "nominal", "numeric", "interval", "ratio", "boolean", "date", "text", "id", "group", "time", "weight", "ignore"
]


class Ordinal(Part):
    ordinal: Annotated[
        list[str | int | float],
        Field(min_length=2, description="The levels in rising order; it is the order that is learnt."),
    ]

    @field_validator("ordinal", mode="before")
    @classmethod
    def no_booleans(cls, levels: Any) -> Any:
        if isinstance(levels, list) and any(isinstance(level, bool) for level in levels):
            raise ValueError("YAML reads yes, no, true and false without quotes as booleans; put quotes around them")
        return levels


class Data(Part):
    source: Source
    reading: Annotated[
        Reading, Field(description="How the source is to be read, where this should not be found out from it.")
    ] = Reading()
    target: Annotated[
        str | None,
        Field(
            description="The column to predict. Where nothing is predicted (a clustering), a known grouping: it is "
            "kept out of everything that is fitted or chosen, and the answer is compared with it at the end."
        ),
    ] = None
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
        default_factory=dict,
        description="Corrections to the inferred role of a column. Features: nominal, numeric (ratio where zero means "
        "none, else interval), boolean, date, text, or {ordinal: [low, mid, high]}. Not features: id names the rows, "
        "group holds rows together in a split, time is the moment of the row, weight says how much a row counts, "
        "ignore is left out.",
    )

    @field_validator("columns", mode="before")
    @classmethod
    def only_comments(cls, columns: Any) -> Any:
        """`columns:` with nothing but comments below it is empty in YAML."""
        return {} if columns is None else columns

    def named(self, role: str) -> str | None:
        """The column that is declared to have this part."""
        own = {"target": self.target, "key": self.key, "group": self.group}
        return own.get(role) or next((name for name, declared in self.columns.items() if declared == role), None)

    @property
    def weighted(self) -> bool:
        return "weight" in self.columns.values()
