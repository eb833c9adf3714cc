"""Questions that a table cannot answer: refused with a code, a place and a remedy, never with a traceback."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import yaml
from sklearn.datasets import load_breast_cancer, load_iris

from penstock.components.diagnostics import Diagnostic, Found, find, listing
from penstock.errors import DataError, PenstockError, UsageError
from penstock.flows.supervised import supervised
from tests.conftest import Cli


def ask(name: str, frame: pd.DataFrame | None, **given: Any) -> Found:
    return find(name)(frame, given)


def refused(name: str, frame: pd.DataFrame | None, **given: Any) -> PenstockError:
    with pytest.raises(PenstockError) as caught:
        ask(name, frame, **given)
    return caught.value


def table(rows: int = 40) -> pd.DataFrame:
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.normal(size=(rows, 3)), columns=["a", "b", "c"])
    return frame.assign(number=frame["a"] + rng.normal(size=rows), kind=np.where(np.arange(rows) % 2, "yes", "no"))


@pytest.mark.parametrize("name", [one["name"] for one in listing() if find(one["name"]).required])
def test_what_is_required_is_named(name: str) -> None:
    diagnostic = find(name)
    error = refused(name, table())
    assert isinstance(error, UsageError)
    first = diagnostic.required[0]
    assert (error.code, error.exit_status, error.where) == ("PEN234", 2, f"--set {first}")
    assert f"--set {first}={first.upper()}" in error.remedy
    assert diagnostic.parameters[first].endswith("(required)")


def test_the_listing_marks_what_is_required(cli: Cli) -> None:
    status, out, _ = cli("diagnose")
    assert status == 0
    assert "target: the column of classes (required)" in out
    status, out, err = cli("diagnose", "linear-separability", "sklearn:iris")
    assert (status, out) == (2, "")
    assert "PEN234" in err
    assert "penstock diagnose linear-separability FILE.csv --set target=TARGET" in err


@pytest.mark.parametrize(
    ("name", "parameter", "value"),
    [
        ("linear-separability", "seed", -1),
        ("bias-variance", "seed", 2**32),
        ("solvers", "penalty", np.inf),
        ("ridge-bias-variance", "noise", np.inf),
        ("optimality", "tolerance", np.nan),
        ("optimality", "C", 0),
        ("kkt-audit", "C", 1e300),
        ("naive-bayes-border", "var_smoothing", -1),
        ("naive-bayes-border", "ddof", 2),
        ("capacity", "rows", 0),
        ("capacity", "sizes", [-1]),
        ("capacity", "penalty", 0),
        ("capacity", "labels", -1),
    ],
)
def test_numbers_that_make_no_sense_are_refused(name: str, parameter: str, value: Any) -> None:
    error = refused(name, table(), **{"target": "kind", parameter: value})
    assert isinstance(error, UsageError)
    assert (error.code, error.exit_status, error.where) == ("PEN222", 2, f"--set {parameter}")
    assert f"does not fit '{parameter}'" in str(error)


def test_ridge_takes_numbers() -> None:
    for frame, target in ((table(), "kind"), (table()[["number", "kind"]], "number")):
        error = refused("ridge-bias-variance", frame, target=target)
        assert (error.code, error.where) == ("PEN080", f"column '{target}'")
        assert "name a target of numbers" in error.remedy
    assert refused("ridge-bias-variance", table()[["a"]] * 0).code == "PEN080"
    small = ask("ridge-bias-variance", table()[["a", "number"]] * 1e-9, target="number")
    plain = ask("ridge-bias-variance", table()[["a", "number"]], target="number")
    assert small.facts["best"] == pytest.approx(1e-18 * plain.facts["best"])


def test_the_best_error_does_not_mind_columns_that_follow_from_others() -> None:
    iris = load_iris(as_frame=True).frame
    first = iris.columns[0]
    more = iris.assign(again=iris[first] * 1e6, both=iris[first] + 2 * iris[iris.columns[1]])
    plain, found = (ask("bayes-error", frame, target="target", draws=20_000).facts for frame in (iris, more))
    assert found["error_on_rows"] == plain["error_on_rows"]
    assert found["bayes_error"] == pytest.approx(plain["bayes_error"], abs=4 * plain["standard_error"])
    cells = load_breast_cancer(as_frame=True).frame
    assert 0 <= ask("bayes-error", cells, target="target", draws=2000).facts["bayes_error"] < 0.05


def test_a_class_without_width_is_told_apart_by_that() -> None:
    rng = np.random.default_rng(0)
    kinds = np.repeat(["u", "v"], 100)
    frame = pd.DataFrame({"a": rng.normal(size=200), "b": np.where(kinds == "u", 0.0, rng.normal(size=200))})
    assert ask("bayes-error", frame.assign(y=kinds), target="y").facts["bayes_error"] < 0.001


@pytest.mark.parametrize("name", ["linear-separability", "bias-variance", "out-of-bag"])
def test_one_class_is_no_question(name: str) -> None:
    error = refused(name, table().assign(kind="yes"), target="kind")
    assert (error.code, error.where) == ("PEN081", "column 'kind'")
    assert "one class" in error.what
    assert "at least two classes" in error.remedy


@pytest.mark.parametrize("name", ["bias-variance", "out-of-bag"])
def test_a_third_of_two_rows_is_nothing(name: str) -> None:
    error = refused(name, table(2), target="number")
    assert (error.code, error.where) == ("PEN080", "column 'number'")
    assert "at least 10 rows" in error.remedy


@pytest.mark.parametrize("name", ["bias-variance", "out-of-bag"])
@pytest.mark.parametrize("row", range(4))
def test_a_class_of_one_row_is_learnt_from(name: str, row: int) -> None:
    frame = table(12)
    frame.loc[row, "kind"] = "rare"
    given = {"trees": 5} if name == "out-of-bag" else {"models": ["decision-tree"]}
    assert ask(name, frame, target="kind", **given).findings


def test_optimality_needs_a_target_that_varies() -> None:
    error = refused("optimality", table().assign(number=3.0), target="number")
    assert (error.code, error.where) == ("PEN049", "column 'number'")
    assert "numbers that vary" in error.remedy
    gaps = table().assign(kind=lambda frame: frame["kind"].where(frame.index > 3))
    assert ask("optimality", gaps, target="kind").facts["failed"] == 0


@pytest.mark.slow
def test_sure_answers_overflow_nothing() -> None:
    assert ask("optimality", load_breast_cancer(as_frame=True).frame, target="target").facts["failed"] == 0


def test_some_rows_must_be_learnt_from() -> None:
    error = refused("stopping-rules", table(), target="number", validation_fraction=0.999)
    assert (error.code, error.exit_status, error.where) == ("PEN082", 2, "--set validation_fraction")
    assert "hold out less" in error.remedy


def wide() -> pd.DataFrame:
    X = np.random.default_rng(0).normal(size=(60, 40))
    return pd.DataFrame(X).rename(columns=str).assign(y=X[:, 0])


@pytest.mark.parametrize("name", ["solvers", "learning-rates", "stopping-rules"])
def test_columns_that_are_not_looked_at_are_told(name: str) -> None:
    told = "Of 40 columns, the 12 that go most with y are looked at."
    assert told in ask(name, wide(), target="y").findings
    assert "are looked at" not in " ".join(ask(name, table(), target="number").findings)


def test_a_path_shows_the_columns_that_matter() -> None:
    found = ask("regularisation-path", wide(), target="y")
    assert found.table.shape[1] == 6
    assert found.table.columns[0] == "0"
    assert len(found.facts["weights"]) == 30
    assert any("the 6 columns with the largest weights" in words for words in found.findings)


@pytest.mark.parametrize("name", ["shattering", "dimension"])
def test_a_column_to_leave_out_must_be_there(name: str) -> None:
    error = refused(name, table(), target="kin")
    assert error.code == "PEN107"
    assert "did you mean 'kind'?" in error.remedy


def test_as_many_rows_as_there_are() -> None:
    found = ask("dimension", None)
    assert found.table["different rows"][500] == "1.00e+500"
    assert "1.00e+410 if there are ten" in ask("dimension", None, levels=10**41).findings[1]


@pytest.mark.parametrize("rows", [2, 10])
def test_more_columns_than_rows_are_bounded_by_nothing(rows: int) -> None:
    X = np.random.default_rng(0).normal(size=(rows, 60))
    found = ask("vc-bound", pd.DataFrame(X).assign(y=np.arange(rows) % 2), target="y", degrees=[1])
    assert found.facts["bound"] > 1
    assert "says nothing" in found.findings[-1]


@pytest.mark.parametrize("size", [1e200, 1e-200])
@pytest.mark.parametrize("name", ["linear-separability", "perceptron-bound", "bayes-error", "optimality", "solvers"])
def test_numbers_whose_powers_leave_the_range(name: str, size: float) -> None:
    error = refused(name, table().assign(b=table()["b"] * size), target="kind")
    assert isinstance(error, DataError)
    assert (error.code, error.where) == ("PEN236", "column 'b'")
    assert ("large" if size > 1 else "small") in error.what
    assert "other units" in error.remedy


@pytest.mark.parametrize("name", ["bayes-error", "dimension", "optimality", "solvers", "penalties"])
def test_infinite_numbers(name: str) -> None:
    frame = table()
    frame.loc[3, "b"] = np.inf
    error = refused(name, frame, target="kind")
    assert error.code == "PEN224"
    assert "row 3, column 'b'" in error.where


def test_a_forest_does_not_mind_large_numbers() -> None:
    plain, large = (
        ask("out-of-bag", table().assign(a=table()["a"] * size), target="kind", trees=20).facts
        for size in (1, 2.0**200)
    )
    assert large == plain


def test_whatever_fails_has_a_code() -> None:
    def breaks(frame: pd.DataFrame | None) -> Found:
        return Found([str(np.linalg.inv(np.zeros((2, 2))))], pd.DataFrame())

    with pytest.raises(DataError, match="LinAlgError: Singular matrix") as caught:
        Diagnostic("breaks", "Breaks", breaks)(table())
    assert (caught.value.code, caught.value.where) == ("PEN235", "the table")
    assert "leave out columns" in caught.value.remedy


@pytest.mark.slow
def test_a_diagnostic_that_fails_stops_no_pipeline(tmp_path: Path, home: Path) -> None:
    table().drop(columns="number").to_csv(tmp_path / "table.csv", index=False)
    pipeline = {
        "version": 1,
        "name": "failing",
        "problem": "classification",
        "data": {"source": "table.csv", "target": "kind"},
        "split": {"folds": 2},
        "models": [{"logistic-regression": {"C": 1.0}}],
        "search": {"strategy": "random", "fits": 4},
        "diagnose": ["ridge-bias-variance", "linear-separability"],
    }
    file = tmp_path / "pipeline.yaml"
    file.write_text(yaml.safe_dump(pipeline), encoding="utf-8")
    document = supervised.fn(str(file), ["limits.workers=1"], engine="plain").as_json()
    failed, answered = document["diagnoses"]
    assert failed["facts"] == {"failed": "PEN080"}
    assert failed["findings"][0] == "This diagnostic failed, and the run went on without it."
    assert any("name a target of numbers" in words for words in failed["findings"])
    assert "separable" in answered["facts"]
    page = Path(document["artifacts"]["report"]).read_text(encoding="utf-8")
    assert "the run went on without it" in page
    assert document["winner"]
