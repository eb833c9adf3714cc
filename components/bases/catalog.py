"""Bases of the catalogue."""

from __future__ import annotations

from penstock.components.catalog import ANY as _ANY
from penstock.components.catalog import Entry
from penstock.components.domains import Int, OneOf

ENTRIES = (
    Entry(
        name="polynomial",
        kind="basis",
        problems=(_ANY,),
        library="penstock.components.bases.polynomial:PolynomialBasis",
        space={
            "degree": Int(low=2, high=4, default=2),
            "terms": OneOf(("all", "products", "powers"), default="all"),
        },
        syllabus=("linreg-polynomial", "prep-polynomial-features", "proc_basis_expansion_then_linear"),
        summary="Powers of columns and products of them up to a degree; or only the powers, or only the products.",
    ),
    Entry(
        name="spline",
        kind="basis",
        problems=(_ANY,),
        library="penstock.components.bases.spline:SplineBasis",
        space={"n_knots": Int(low=3, high=20, log=True, default=5), "degree": Int(low=1, high=3, default=3)},
        summary="Smooth pieces of each column, which bend where the column has many values.",
    ),
    Entry(
        name="functions",
        kind="basis",
        problems=(_ANY,),
        library="penstock.components.bases.functions:FunctionBasis",
        space={
            "squares": OneOf((True, False), default=True),
            "logs": OneOf((False, True), default=False),
            "waves": Int(low=0, high=4, default=0),
            "radius": OneOf((False, True), default=False),
        },
        syllabus=("prep-function-basis",),
        summary="Columns beside functions of them: squares, logarithms, waves of a period, the sum of all squares.",
    ),
    Entry(
        name="radial",
        kind="basis",
        problems=(_ANY,),
        library="penstock.components.bases.radial:RadialBasis",
        space={
            "components": Int(low=10, high=500, log=True, default=50),
            "gamma": OneOf((None, 0.01, 0.1, 1.0), default=None),
            "by": OneOf(("points", "waves"), default="points"),
        },
        summary="Columns beside their nearness to drawn points, so that a linear model is nearly an RBF kernel's.",
    ),
)

TRUSTED = (
    "penstock.components.bases.functions.FunctionBasis",
    "penstock.components.bases.polynomial.PolynomialBasis",
    "penstock.components.bases.radial.RadialBasis",
    "penstock.components.bases.spline.SplineBasis",
)
