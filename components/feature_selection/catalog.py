"""Selectors of the catalogue: filters, wrappers, embedded ones, stability selection."""

from __future__ import annotations

from penstock.components.catalog import Entry
from penstock.components.domains import Float, Int, OneOf

_BOTH = ("classification", "regression")
_KEEP = Int(low=5, high=200, log=True, default=20)
_FEW = Int(low=1, high=30, log=True, default=5)

FILTERS = (
    Entry(
        name="mutual-information",
        kind="selector",
        problems=_BOTH,
        library="penstock.components.feature_selection.mutual_information:MutualInformationSelector",
        space={"keep": _KEEP, "n_neighbors": Int(low=2, high=10, default=3)},
        syllabus=("fs-filter-mutual-info",),
        summary="Keeps the columns that each alone say most about the target.",
    ),
    Entry(
        name="correlation",
        kind="selector",
        problems=_BOTH,
        library="penstock.components.feature_selection.correlation:CorrelationSelector",
        space={"keep": _KEEP, "measure": OneOf(("pearson", "spearman"), default="pearson")},
        syllabus=("fs-filter-correlation", "proc_filter_selection"),
        summary="Keeps the columns that correlate best with the target, by their values or by their ranks.",
    ),
    Entry(
        name="anova",
        kind="selector",
        problems=_BOTH,
        library="penstock.components.feature_selection.anova:AnovaSelector",
        space={"keep": _KEEP},
        summary="Keeps the columns with the largest F: whose means differ most between classes, or that fit a line.",
    ),
    Entry(
        name="chi-squared",
        kind="selector",
        problems=("classification",),
        library="penstock.components.feature_selection.chi_squared:ChiSquaredSelector",
        space={"keep": _KEEP},
        syllabus=("fs-filter-chi2",),
        summary="Keeps the counts, amounts or indicators that hang most on the class; takes no negative numbers.",
    ),
    Entry(
        name="information-gain",
        kind="selector",
        problems=("classification",),
        library="penstock.components.feature_selection.information_gain:InformationGainSelector",
        space={"keep": _KEEP, "bins": Int(low=2, high=50, log=True, default=10)},
        syllabus=("met_shannon_entropy",),
        summary="Keeps the columns that, cut into groups, leave least uncertainty about the class.",
    ),
)

WRAPPERS = (
    Entry(
        name="forward-selection",
        kind="selector",
        problems=_BOTH,
        library="penstock.components.feature_selection.forward:ForwardSelector",
        space={"keep": _FEW, "folds": Int(low=2, high=10, default=3)},
        syllabus=("fs-sequential-cv", "proc_wrapper_forward"),
        summary="Adds column after column, always the one with which a linear model errs least on inner folds.",
    ),
    Entry(
        name="backward-elimination",
        kind="selector",
        problems=_BOTH,
        library="penstock.components.feature_selection.backward:BackwardSelector",
        space={"keep": _FEW, "folds": Int(low=2, high=10, default=3)},
        syllabus=("fs-sequential-cv", "proc_wrapper_backward"),
        summary="Drops column after column, always the one without which a linear model errs least; slow if many.",
    ),
    Entry(
        name="exhaustive-selection",
        kind="selector",
        problems=_BOTH,
        library="penstock.components.feature_selection.exhaustive:ExhaustiveSelector",
        space={"keep": Int(low=1, high=10, default=5), "folds": Int(low=2, high=10, default=3)},
        summary="Tries every set of at most so many columns on inner folds; for about ten columns.",
    ),
    Entry(
        name="hold-out-wrapper",
        kind="selector",
        problems=_BOTH,
        library="penstock.components.feature_selection.hold_out:HoldOutSelector",
        space={"keep": _FEW, "share": OneOf((0.2, 0.25, 0.33, 0.5), default=0.25)},
        syllabus=("fs-wrapper-holdout",),
        summary="Evaluates sets of columns on one part of the training rows: every set, or forward where there are "
        "many.",
    ),
)

EMBEDDED = (
    Entry(
        name="l1",
        kind="selector",
        problems=_BOTH,
        library="penstock.components.feature_selection.l1:L1Selector",
        space={"alpha": Float(low=0.0001, high=0.1, log=True, default=0.01)},
        syllabus=("fs-embedded-l1", "proc_embedded_selection"),
        summary="Keeps the columns that a linear model still uses under a penalty on the size of its weights.",
    ),
    Entry(
        name="tree-importance",
        kind="selector",
        problems=_BOTH,
        library="penstock.components.feature_selection.tree_importance:TreeImportanceSelector",
        space={"keep": _KEEP, "trees": Int(low=50, high=500, log=True, default=100)},
        summary="Keeps the columns by which many random trees part the rows best.",
    ),
    Entry(
        name="stability-selection",
        kind="selector",
        problems=_BOTH,
        library="penstock.components.feature_selection.stability:StabilitySelector",
        space={
            "threshold": OneOf((0.6, 0.75, 0.9), default=0.75),
            "wrong": OneOf((0.5, 1.0, 2.0, 5.0), default=1.0),
        },
        summary="Keeps what enters the lasso early on most halves of the rows; bounds how many are kept by chance.",
    ),
)

ENTRIES = (*FILTERS, *WRAPPERS, *EMBEDDED)

TRUSTED = (
    "penstock.components.feature_selection.anova.AnovaSelector",
    "penstock.components.feature_selection.backward.BackwardSelector",
    "penstock.components.feature_selection.chi_squared.ChiSquaredSelector",
    "penstock.components.feature_selection.correlation.CorrelationSelector",
    "penstock.components.feature_selection.exhaustive.ExhaustiveSelector",
    "penstock.components.feature_selection.forward.ForwardSelector",
    "penstock.components.feature_selection.hold_out.HoldOutSelector",
    "penstock.components.feature_selection.information_gain.InformationGainSelector",
    "penstock.components.feature_selection.l1.L1Selector",
    "penstock.components.feature_selection.mutual_information.MutualInformationSelector",
    "penstock.components.feature_selection.stability.StabilitySelector",
    "penstock.components.feature_selection.tree_importance.TreeImportanceSelector",
    "penstock.components.feature_selection.weighting.EqualInfluence",
)
