"""What the pipeline file alone shows to be wrong beyond its form: no data are read for it, and no server is started."""

from __future__ import annotations

from penstock.spec.checks.balance import check_weights
from penstock.spec.checks.diagnostics import check_diagnose
from penstock.spec.checks.engine import check_engine
from penstock.spec.checks.evaluation import check_costs, check_evaluation, check_metrics
from penstock.spec.checks.methods import check_models
from penstock.spec.checks.pairs import check_matrices, check_own_distances, check_settings
from penstock.spec.checks.pixels import check_augmentation
from penstock.spec.checks.preparation import check_kept_gaps, check_own_units, check_preparation
from penstock.spec.checks.refused import check_refused
from penstock.spec.checks.roles import check_roles, check_single_columns, check_slices
from penstock.spec.checks.schedule import check_schedule
from penstock.spec.checks.search import check_budget, check_strategy
from penstock.spec.checks.split import check_split
from penstock.spec.checks.tables import check_tables, check_unit
from penstock.spec.checks.written import check_written
from penstock.spec.pipeline import Spec

_IN_TURN = (
    check_tables,
    check_unit,
    check_models,
    check_settings,
    check_matrices,
    check_roles,
    check_single_columns,
    check_weights,
    check_refused,
    check_preparation,
    check_augmentation,
    check_kept_gaps,
    check_own_units,
    check_own_distances,
    check_strategy,
    check_evaluation,
    check_diagnose,
    check_costs,
    check_metrics,
    check_slices,
    check_split,
    check_budget,
    check_schedule,
    check_engine,
    check_written,
)


def check_spec(spec: Spec, path: str) -> None:
    for check in _IN_TURN:
        check(spec, path)
