"""What is looked at beside the scores."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from penstock.components.dimensionality_reduction.pictures import Picture
from penstock.spec.base import SpecModel


class Evaluation(SpecModel):
    metrics: Annotated[
        list[str],
        Field(
            description="Metrics that the report shows beside the usual ones, such as recall, f_beta:2 or "
            "neg_median_absolute_error; named as in search.metric."
        ),
    ] = Field(default_factory=list)
    slices: Annotated[
        list[str],
        Field(
            description="Columns by whose values the winner is evaluated too, on the test rows: each level, or each "
            "quarter of a column of numbers or dates. Slices that are worse than the whole by more than chance are "
            "marked. A column may be named that is no feature."
        ),
    ] = Field(default_factory=list)
    fairness: Annotated[
        list[str],
        Field(
            description="Columns between whose groups decisions are compared, of two classes: demographic parity and "
            "equalised odds, with intervals and with what chance alone would show."
        ),
    ] = Field(default_factory=list)
    shap: Annotated[
        bool,
        Field(description="Shapley values of the columns, of 60 test rows; needs `pip install penstock[explain]`."),
    ] = False
    curves: Annotated[
        bool,
        Field(
            description="Learning curve (15 fits of the winner) and validation curve over its main parameter (at most "
            "21 fits); of a boosted winner also the curve over its rounds, of a regression by neighbours what few "
            "and many of them do. Off by default, as it costs about as much as a small search."
        ),
    ] = False
    pictures: Annotated[
        list[Picture],
        Field(
            description="Where nothing is predicted: pictures of the test rows by methods that only draw, t-sne or "
            "umap (which needs `pip install penstock[explain]`). Nothing is fitted to them or evaluated by them."
        ),
    ] = Field(default_factory=list)
    bias_variance: Annotated[
        bool,
        Field(
            description="What of the winner's error is bias and what variance, by 20 fits on resampled rows for each "
            "of at most 5 values of its main parameter; off by default, as it is up to 100 fits."
        ),
    ] = False
