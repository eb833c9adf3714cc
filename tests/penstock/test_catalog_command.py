"""`penstock catalog`: all methods, or one with its parameters."""

from __future__ import annotations

import json

from tests.conftest import Cli


def test_all_are_listed_and_one_tells_its_parameters(cli: Cli) -> None:
    status, out, _ = cli("catalog", "--problem", "classification")
    assert status == 0
    assert "id3" in out
    assert "penstock catalog NAME" in out
    status, out, err = cli("catalog", "id3")
    assert (status, err) == (0, "")
    assert "A branch for every level" in out
    assert all(words in out for words in ("pruning", "reduced-error", "validation", "0.25", "null"))
    assert "{id3: {impurity: entropy}}" in out
    status, out, _ = cli("catalog", "random-forest", "--problem", "regression", "--json")
    document = json.loads(out)
    assert document["problem"] == "regression"
    assert "n_estimators" in [one["name"] for one in document["parameters"]]


def test_a_name_that_is_none_is_refused(cli: Cli) -> None:
    status, out, err = cli("catalog", "desicion-tree")
    assert (status, out) == (2, "")
    assert err.startswith("PEN005")
    assert "did you mean 'decision-tree'?" in err


def test_a_problem_that_is_not_there(cli: Cli) -> None:
    for arguments in (("--problem", "clasification"), ("ridge", "--problem", "clasification")):
        status, _, err = cli("catalog", *arguments)
        assert (status, "PEN009" in err, "did you mean 'classification'?" in err) == (2, True, True)
