"""How candidates are found, and what each may cost."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from penstock.spec.base import SpecModel


class Search(SpecModel):
    strategy: Annotated[
        Literal["random", "grid", "halving", "tpe"],
        Field(
            description="How parameters are drawn: at random; every combination; many on few rows, the best third of "
            "them on three times as many (successive halving); where earlier ones did well (Optuna's TPE)."
        ),
    ] = "random"
    fits: Annotated[int, Field(ge=1, le=100_000, description="Budget, in fits of one candidate on one fold.")] = 60
    metric: Annotated[
        str | None,
        Field(
            description="The metric that decides, by scikit-learn's name, such as average_precision or "
            "neg_mean_absolute_error; a number may follow, as in f_beta:2. By default roc_auc, roc_auc_ovr of more "
            "than two classes, or r2; with decision.costs their mean, neg_cost."
        ),
    ] = None
    preparation: Annotated[
        bool,
        Field(
            description="Of components that `preparation` and `features` name, search the catalogue's ranges of "
            "parameters as well. Without it, only what stands there in lists is searched."
        ),
    ] = False
    batch: Annotated[
        int,
        Field(
            ge=1,
            le=1000,
            description="Candidates between two decisions; fixed, so that results do not hang "
            "on the number of workers.",
        ),
    ] = 8
    prune: Annotated[
        bool,
        Field(
            description="After one fold, prune candidates that are behind the best by more than chance explains "
            "(1 in 1,000 for the whole search): they are not fitted on the other folds."
        ),
    ] = True
    rule: Annotated[
        Literal["best", "one-standard-error"],
        Field(
            description="Who wins: the best mean over the folds; or the simplest candidate whose score is at most one "
            "standard error below the best. Simplest: first by the method (lines, then trees, neighbours, kernels, "
            "ensembles of trees, networks), then by the parameters that let it bend; never by time."
        ),
    ] = "best"
    ensembles: Annotated[
        list[Literal["voting", "stacking", "greedy"]],
        Field(
            description="Ensembles of finished candidates, scored beside them without new fits: the mean of the best "
            "of up to three methods; weights by least squares (stacking); the member that helps most added again and "
            "again (greedy). Their weights are scored on folds that had no part in them. If one wins, its members are "
            "fitted on all training rows."
        ),
    ] = Field(default_factory=list)


class Limits(SpecModel):
    workers: Annotated[int | None, Field(ge=1, le=256, description="Worker processes; by default one per core.")] = None
    threads: Annotated[
        int, Field(ge=1, le=256, description="Threads of each fit; changes the last bits of results.")
    ] = 1
    seconds: Annotated[
        float | None, Field(gt=0, description="Time limit of a fit; by default 20 x the median fit, at least 60 s.")
    ] = None
    memory_mb: Annotated[
        int | None, Field(ge=1, description="Memory limit of a worker; by default 80 % of free memory over workers.")
    ] = None
