"""The data of a pipeline, and what its columns are."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, field_validator, model_validator

from penstock.sources.options import Reading
from penstock.spec.base import Scalar, SpecModel
from penstock.spec.source import Source

Role = Literal[
    "nominal", "numeric", "interval", "ratio", "boolean", "date", "text", "id", "group", "time", "weight", "ignore"
]


SOURCE = "data.source"


def table_key(name: str) -> str:
    """The key that says where a further table is."""
    return f"data.tables.{name}.source"


class Ordinal(SpecModel):
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


Columns = dict[str, Role | Ordinal]


class FurtherTable(SpecModel):
    """A table beside the first: `users.csv`, or a mapping such as `{source: users.csv, columns: {plan: nominal}}`."""

    source: Source
    reading: Annotated[Reading, Field(description="How it is to be read, as `data.reading`.")] = Reading()
    key: Annotated[str | None, Field(description="A column that names each of its rows.")] = None
    columns: Annotated[Columns, Field(description="Corrections to the inferred roles, as `data.columns`.")] = {}  # noqa: RUF012  pydantic copies it

    @model_validator(mode="before")
    @classmethod
    def from_short_form(cls, value: Any) -> Any:
        return {"source": value} if isinstance(value, str) else value


class Data(SpecModel):
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
    columns: Columns = Field(
        default_factory=dict,
        description="Corrections to the inferred role of a column. Features: nominal, numeric (ratio where zero means "
        "none, else interval), boolean, date, text, or {ordinal: [low, mid, high]}. Not features: id names the rows, "
        "group holds rows together in a split, time is the moment of the row, weight says how much a row counts, "
        "ignore is left out.",
    )
    tables: dict[Annotated[str, Field(pattern=r"^[a-z][a-z0-9_-]{0,30}$")], FurtherTable] = Field(
        default_factory=dict,
        description="Further tables, by name, where the kind of question takes such. Rows of one `group` stay together "
        "over all tables that have its column; a table without it is whole on both sides of every split.",
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
    def sources(self) -> dict[str, str]:
        """Where the rows of every table are, by the key of the pipeline file that says so."""
        return {SOURCE: self.source, **{table_key(name): table.source for name, table in self.tables.items()}}

    def table(self, name: str) -> Data:
        """A further table as if it were the only one. Whether it has the group's column shows in its rows."""
        one = self.tables[name]
        return Data(source=one.source, reading=one.reading, key=one.key, group=self.group, columns=one.columns)

    @property
    def weighted(self) -> bool:
        return "weight" in self.columns.values()
