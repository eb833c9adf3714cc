"""A kernel of a person's own, from a pipeline file: how alike words are by the pairs of letters that they share."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import yaml
from sklearn.feature_extraction.text import CountVectorizer

from penstock import api
from penstock.components.kernels.columns import AS_COLUMNS
from penstock.components.kernels.gram import require_kernel
from penstock.errors import DataError
from penstock.flows.supervised import supervised
from penstock.model import load_bundle
from penstock.settings import Settings

ROWS = 60
SYLLABLES = {"in": ["ab", "ba", "ca"], "out": ["cb", "bc", "ca"]}


def spectrum(words: list[str], others: list[str]) -> np.ndarray[Any, Any]:
    """How many pairs of neighbouring letters two words share."""
    counter = CountVectorizer(analyzer="char", ngram_range=(2, 2)).fit([*words, *others])
    counts: np.ndarray[Any, Any] = (counter.transform(words) @ counter.transform(others).T).toarray().astype(float)
    return counts


def alike(words: list[str], others: list[str]) -> np.ndarray[Any, Any]:
    own, other = (np.array([spectrum([word], [word])[0, 0] for word in some]) for some in (words, others))
    return spectrum(words, others) / np.sqrt(np.outer(own, other))


def said(kind: str, rng: np.random.Generator) -> str:
    return "".join(rng.choice(SYLLABLES[kind], size=rng.integers(3, 7)))


def table() -> tuple[list[str], pd.DataFrame]:
    """Words, and their kernel with each other as columns; some are there twice."""
    rng = np.random.default_rng(0)
    kinds = rng.choice([*SYLLABLES], ROWS)
    words = [said(kind, rng) for kind in kinds]
    words[0] = "zzzz"  # like no other: a column of 0 and 1
    names = [f"word {number}" for number in range(ROWS)]
    return words, pd.DataFrame(alike(words, words), columns=names).assign(name=names, kind=kinds)


def written(folder: Path, frame: pd.DataFrame, **changes: Any) -> str:
    frame.to_csv(folder / "words.csv", index=False)
    document = {
        "name": "words",
        "problem": "classification",
        "data": {"source": "words.csv", "target": "kind", "key": "name"},
        "split": {"folds": 3},
        "preparation": {"scale": "none"},
        "models": [{name: {"kernel": "precomputed"}} for name in ("svm", "kernel-perceptron")],
        "search": {"fits": 9},
        "limits": {"workers": 1},
        **changes,
    }
    (folder / "pipeline.yaml").write_text(yaml.safe_dump(document))
    return str(folder / "pipeline.yaml")


def run(pipeline: str) -> dict[str, Any]:
    Settings.from_environment().apply()
    return supervised.fn(pipeline, engine="plain").as_json()


@pytest.mark.covers("kernel-structured")
def test_words_are_alike_by_the_pairs_of_letters_that_they_share() -> None:
    assert spectrum(["abab"], ["abab"])[0, 0] == 5  # ab twice, ba once
    words, _ = table()
    require_kernel(spectrum(words, words))
    require_kernel(alike(words, words))


@pytest.mark.slow
@pytest.mark.covers("kernel-gram", "kernel-structured", "svm-kernel", "proc_kernel_first_pipeline")
def test_a_kernel_of_words_is_given_as_columns(tmp_path: Path, home: Path) -> None:
    """Every fold takes rows alone, since each row knows its own column; new words are none of the things."""
    words, frame = table()
    document = run(written(tmp_path, frame))
    assert [candidate["status"] for candidate in document["candidates"]] == ["finished"] * 3
    assert document["winner"]["parameters"]["kernel"] == "precomputed"
    assert document["metrics"]["roc_auc"]["value"] > 0.9
    bundle = load_bundle(Path(document["artifacts"]["model"]))
    assert bundle.pipeline[-1].kernel == AS_COLUMNS
    rng = np.random.default_rng(1)
    kinds = ["in", "out"] * 10
    fresh = [said(kind, rng) for kind in kinds]
    rows = pd.DataFrame(alike(fresh, words), columns=[f"word {number}" for number in range(ROWS)])
    rows.assign(name=[f"new {number}" for number in range(20)]).to_csv(tmp_path / "new.csv", index=False)
    api.score("words@latest", tmp_path / "new.csv", tmp_path / "scores.csv")
    answers = pd.read_csv(tmp_path / "scores.csv")["prediction"]
    assert (answers == kinds).mean() > 0.8
    report = Path(document["artifacts"]["report"]).read_text(encoding="utf-8")
    assert "The columns hold the kernel as it was given" in report
    assert AS_COLUMNS not in report


@pytest.mark.slow
def test_counts_that_are_not_normalised_are_said(tmp_path: Path, home: Path) -> None:
    words, frame = table()
    counts = dict(zip(frame.columns[:ROWS], spectrum(words, words).T, strict=True))
    with pytest.raises(DataError, match="differ, and both are most alike to 'word") as caught:
        run(written(tmp_path, frame.assign(**counts)))
    assert caught.value.code == "PEN237"
    assert caught.value.exit_status == 3
    assert caught.value.where == "the training rows"
    assert "root of both diagonals" in caught.value.remedy
