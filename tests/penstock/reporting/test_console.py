from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest

from penstock.reporting.console import POLL_SECONDS, _changed, follow, show_drift, show_plan, summarise
from tests.documents import churn, typed

EVENTS = [
    {"event": "waiting", "for": "another run of 'churn'"},
    {"event": "begin", "stage": "split"},
    {"event": "stage", "stage": "split", "state": "ran", "seconds": 1.25, "reason": "split.seed: 0 became 7"},
    {"event": "stage", "stage": "analyse", "state": "cached", "seconds": 0, "reason": ""},
    {"event": "search", "candidates": 12, "fits": 60},
    {"event": "progress", "stage": "fit", "fits": 1},
    {"event": "stage", "stage": "fit ridge #1 fold 2", "state": "ran", "seconds": 1, "reason": "new"},
    {"event": "candidate", "label": "ridge #1", "status": "finished", "reason": None, "seconds": 4.5, "spared": 0},
    {"event": "candidate", "label": "mlp #4", "status": "time", "reason": "over 60 s", "seconds": 60, "spared": 4},
]


def run_with_journal(folder: Path, *, quiet: bool) -> None:
    with follow(folder, "churn", quiet=quiet):
        (folder / "journal.jsonl").write_text("".join(json.dumps(event) + "\n" for event in EVENTS))
        time.sleep(3 * POLL_SECONDS)


@pytest.mark.slow
def test_a_terminal_shows_stages_candidates_and_fits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "120")
    run_with_journal(tmp_path, quiet=False)
    out, err = capsys.readouterr()
    assert out == ""
    shown = "split|1.2 s|became|unchanged|12 candidates|5/60|ridge #1: 4.5 s|mlp #4|over 60 s"
    for words in shown.split("|"):
        assert words in err
    assert "fold 2" not in err


@pytest.mark.slow
@pytest.mark.parametrize("terminal", [True, False])
def test_a_script_sees_nothing(
    terminal: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    if terminal:
        monkeypatch.setenv("FORCE_COLOR", "1")
    run_with_journal(tmp_path, quiet=terminal)
    assert capsys.readouterr() == ("", "")


def test_a_plan_says_why(capsys: pytest.CaptureFixture[str]) -> None:
    show_plan([{"stage": "split", "state": "would run", "reason": "split.seed: 0 became 7"}])
    assert "split.seed: 0 became 7" in capsys.readouterr().out


def test_a_plan_tells_the_fits_of_a_candidate_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    fits = [{"stage": f"fit ridge #1 fold {fold}", "state": "would run", "reason": "new"} for fold in (1, 2)]
    show_plan(fits)
    assert capsys.readouterr().out.count("ridge #1") == 1


@pytest.mark.parametrize(("rows", "words"), [(1, "1 row"), (1200, "1,200 rows")])
def test_drift_counts_rows_as_one_would_say_it(capsys: pytest.CaptureFixture[str], rows: int, words: str) -> None:
    score = {"value": 0.7, "low": 0.5, "high": 0.8}
    scores = {"label": "AUC", "sign": 1, "rows": rows, "now": score, "test": score}
    unseen = [{"column": "plan", "rows": rows}]
    about = {"model": "churn", "version": "1", "drifted": False, "families": [], "report": "drift.html"}
    show_drift({**about, "rows": rows, "unseen": unseen, "scores": scores})
    said = capsys.readouterr().out
    assert f"version 1, {words.replace(' ', ' recent ')}\n" in said
    assert f"no training row had, in {words}\n" in said
    assert f"on {words} with labels" in said


def test_an_amount_is_not_shown_to_the_tenth_of_a_thousandth(capsys: pytest.CaptureFixture[str]) -> None:
    document = churn()
    document["data"]["reading"] = {"summary": "churn.csv", "rows": 7000}
    document["artifacts"] = {"report": "report.html"}
    document["run"]["cached_from"] = None
    document["cleaning"] = {"before": {"rows": 1000}}
    name = document["metric"]
    amounts = {"value": -1114.7542, "low": -1304.4911, "high": -964.1396}
    label = "ROC AUC, one against the rest"
    document["metrics"][name] = {**document["metrics"][name], **amounts, "sign": -1, "label": label}
    summarise(typed(document))
    out = capsys.readouterr().out
    assert "1,115   [964 to 1,304]" in out
    long, short = (next(line for line in out.splitlines() if label in line) for label in ("one against", "Accuracy"))
    assert long.index("1,115") == short.index("0.8000"), "values stand below each other"
    assert "  data: churn.csv; 1,000 rows drawn from it\n" in out


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        (None, {}, "[dim]added[/]"),
        ({"alpha": 1}, None, '[dim]removed[/] {"alpha": 1}'),
        (None, 0.4, "none [dim]became[/] 0.4"),
    ],
)
def test_a_method_that_only_one_file_names_was_added_or_removed(before: Any, after: Any, words: str) -> None:
    assert _changed(before, after) == words
