"""From columns to features."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from penstock.spec.base import Alternatives, Choice, SpecModel


class ColumnPreparation(SpecModel):
    """What one column does otherwise than the columns of its kind."""

    clip: Annotated[Alternatives | None, Field(description="What brings its far values back.")] = None
    impute: Annotated[Alternatives | None, Field(description="What fills its missing values.")] = None
    expand: Annotated[Alternatives | None, Field(description="Functions of it that are added or put in its place.")] = (
        None
    )
    encode: Annotated[Alternatives | None, Field(description="How its levels become numbers.")] = None
    scale: Annotated[Alternatives | None, Field(description="How its numbers are scaled.")] = None


Transform = Literal[
    "shift-left", "shift-right", "shift-up", "shift-down", "flip-horizontal", "flip-vertical", "rotate-half"
]
Invariance = Literal["shift", "flip-horizontal", "flip-vertical", "rotate"]


class Augment(SpecModel):
    """More training rows from pictures: the columns are pixels, line by line."""

    shape: Annotated[tuple[int, int], Field(description="Lines of a picture, and pixels of a line.")]
    transforms: Annotated[
        list[Transform],
        Field(min_length=1, description="Changed copies of every training row; shifts are by one pixel."),
    ]
    keeps: Annotated[
        list[Invariance],
        Field(description="Kinds of change that cannot turn one class into another; only these may be used."),
    ] = Field(default_factory=lambda: list[Invariance](["shift"]))
    pixels: Annotated[
        list[str] | None, Field(description="The columns of the picture, in order; by default all numeric features.")
    ] = None


class Preparation(SpecModel):
    """A list in the place of a component holds alternatives: the search tries them with the models."""

    clip: Annotated[
        Alternatives | None,
        Field(
            description="What brings far values of numeric columns back to the edge of the usual: clip-quantiles, "
            "clip-tukey or clip-deviations. Edges are those of the training rows. By default nothing is clipped."
        ),
    ] = None
    impute: Annotated[
        Alternatives,
        Field(
            description="What fills missing numbers; a column that marks them is added where something is predicted. "
            "Any imputer of the catalogue; keep-missing leaves gaps to models that can do with them."
        ),
    ] = Choice(name="median")
    impute_levels: Annotated[
        Alternatives | None,
        Field(
            description="What fills missing levels of nominal and boolean columns: mode, constant or class-mode. By "
            "default missing is a level of its own, and a boolean column gets its commoner value and a mark."
        ),
    ] = None
    expand: Annotated[
        Alternatives | None,
        Field(
            description="Functions of numeric columns, so that linear models can bend: polynomial, spline, functions "
            "or radial. They are made after missing values are filled and before scaling."
        ),
    ] = None
    encode: Annotated[
        Alternatives, Field(description="How nominal columns become numbers. Any encoder of the catalogue.")
    ] = Choice(name="one-hot")
    unseen: Annotated[
        Literal["accept", "refuse"],
        Field(
            description="What to do with a level that the validation rows of a fold have and its training rows lack: "
            "accept encodes it as the encoder does and counts it in the report, refuse stops the run."
        ),
    ] = "accept"
    scale: Annotated[
        Alternatives,
        Field(description="Scaling of numbers, of dates and of levels as quantities. Any scaler of the catalogue."),
    ] = Choice(name="standard")
    rare: Annotated[
        float,
        Field(ge=0, lt=0.5, description="Levels below this share of rows are put together as one (one-hot encoding)."),
    ] = 0.01
    text_components: Annotated[int, Field(ge=1, le=300, description="Columns made of each text.")] = 30
    texts: Annotated[
        Literal["lsa", "bag-of-words"],
        Field(
            description="How texts become numbers: the main directions among their letter triples, or counts of their "
            "words and signs, as multinomial-naive-bayes with `rescale: false` takes them."
        ),
    ] = "lsa"
    augment: Annotated[
        Augment | None,
        Field(description="Changed copies of training rows that are pictures; never of validation rows."),
    ] = None
    balance: Annotated[
        Alternatives | None,
        Field(
            description="What evens out classes of unequal size in training rows, never in validation rows: "
            "class-weights, random-over-sampling, smote... Any balancer of the catalogue. By default nothing does."
        ),
    ] = None
    columns: Annotated[
        dict[str, ColumnPreparation],
        Field(description="What single columns do otherwise, by name: `income: {scale: power}`."),
    ] = Field(default_factory=dict)


class Features(SpecModel):
    """A list in the place of a component holds alternatives, of which `none` may be one."""

    select: Annotated[
        Alternatives | None, Field(description="Keep the most telling columns, chosen inside each fold.")
    ] = None
    extract: Annotated[
        Alternatives | None, Field(description="Replace columns by fewer new ones, fitted inside each fold.")
    ] = None
