"""What a search is told of a candidate."""

from __future__ import annotations

from pathlib import Path

from penstock.components.search import Candidate
from penstock.context import Run
from penstock.flows.search import _score
from penstock.problems.fits import Fit, FoldResult
from penstock.store import Ref


def told(folder: Path, status: str, scores: list[float | None], folds: int = 3, share: float = 1.0) -> float | None:
    run = Run(id="r", pipeline="p", home=folder, folder=folder, base=folder, tracking_uri="", engine="plain")
    evidence = run.store.put_facts({})
    results = [FoldResult(fold=fold, score=score, evidence=evidence) for fold, score in enumerate(scores)]
    candidate = Candidate(name="ridge", parameters={}, number=1)
    return _score(run, Fit(candidate=candidate, status=status, results=results, share=share), folds)  # type: ignore[arg-type]


def test_the_mean_over_folds_that_define_the_metric(tmp_path: Path) -> None:
    assert told(tmp_path, "finished", [0.5, None, 0.7]) == 0.6
    assert told(tmp_path, "failed", []) is None


def test_one_fold_of_a_candidate_that_was_ended_is_not_compared_with_means_over_all(tmp_path: Path) -> None:
    assert told(tmp_path, "pruned", [0.9]) is None
    assert told(tmp_path, "pruned", [0.8, 0.9, 1.0], share=0.3) == 0.9  # all folds, on a share of the rows
    assert told(tmp_path, "pruned", [0.9], folds=1) == 0.9


def test_what_is_only_planned_has_no_score(tmp_path: Path) -> None:
    run = Run(id="r", pipeline="p", home=tmp_path, folder=tmp_path, base=tmp_path, tracking_uri="", engine="plan")
    waiting = Ref(kind="pending", digest="x")
    results = [FoldResult(fold=0, evidence=waiting)]
    fit = Fit(candidate=Candidate(name="ridge", parameters={}, number=1), status="finished", results=results)
    assert _score(run, fit, 3) is None
