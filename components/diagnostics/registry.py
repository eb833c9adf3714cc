"""All diagnostics by name. A new one is a module with a `DIAGNOSTIC`, named here."""

from __future__ import annotations

from typing import Any

from penstock.components.diagnostics import (
    bayes_error,
    best_partition,
    bias_variance,
    capacity,
    cluster_count,
    cluster_shapes,
    clusterings,
    dbscan_types,
    decay,
    descent,
    dimension,
    dissimilarities,
    distances,
    empirical_risk,
    ensemble_bound,
    graph,
    hidden_signs,
    hoeffding,
    k_means_steps,
    kernel_widths,
    kernels,
    learning_rates,
    least_squares,
    lift,
    linear_separability,
    losses,
    mcmc,
    naive_bayes,
    objectives,
    optimality,
    out_of_bag,
    pca_limits,
    penalties,
    perceptron_bound,
    programme,
    quantisation,
    recommendations,
    reconstruction,
    regularisation_path,
    replicates,
    restarts,
    ridge_bias_variance,
    seriation,
    shattering,
    solvers,
    stopping_rules,
    support_vectors,
    two_lines,
    variance_reduction,
    vc_bound,
)
from penstock.components.diagnostics.base import Diagnostic
from penstock.errors import UsageError, did_you_mean

_MODULES: tuple[Any, ...] = (
    bayes_error,
    best_partition,
    bias_variance,
    capacity,
    cluster_count,
    cluster_shapes,
    clusterings,
    dbscan_types,
    decay,
    descent,
    dimension,
    dissimilarities,
    distances,
    empirical_risk,
    ensemble_bound,
    graph,
    hidden_signs,
    hoeffding,
    k_means_steps,
    kernel_widths,
    kernels,
    learning_rates,
    least_squares,
    lift,
    linear_separability,
    losses,
    mcmc,
    naive_bayes,
    objectives,
    optimality,
    out_of_bag,
    pca_limits,
    penalties,
    perceptron_bound,
    programme,
    quantisation,
    recommendations,
    reconstruction,
    regularisation_path,
    replicates,
    restarts,
    ridge_bias_variance,
    seriation,
    shattering,
    solvers,
    stopping_rules,
    support_vectors,
    two_lines,
    variance_reduction,
    vc_bound,
)
DIAGNOSTICS: dict[str, Diagnostic] = {module.DIAGNOSTIC.name: module.DIAGNOSTIC for module in _MODULES}


def find(name: str, where: str = "diagnose") -> Diagnostic:
    if name not in DIAGNOSTICS:
        raise UsageError(
            "PEN220", f"there is no diagnostic '{name}'", where=where, remedy=did_you_mean(name, list(DIAGNOSTICS))
        )
    return DIAGNOSTICS[name]


def listing() -> list[dict[str, Any]]:
    return [
        {
            "name": one.name,
            "summary": one.summary,
            "parameters": dict(one.parameters),
            "needs_table": one.needs_table,
            "syllabus": list(one.syllabus),
        }
        for one in DIAGNOSTICS.values()
    ]
