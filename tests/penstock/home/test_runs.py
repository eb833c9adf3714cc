from __future__ import annotations

import os
from pathlib import Path

import pytest

from penstock.errors import UsageError
from penstock.home import runs
from tests.documents import typed

IDS = [
    "churn-20260102-030405-aaa111",
    "churn-20260102-030406-bbb222",
    "churn-eu-20260103-000000-ccc333",
    "sales-20260101-000000-abc444",
]


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    for run_id in IDS:
        runs.keep_document(tmp_path, run_id, typed({}))
    runs.folder_of(tmp_path, "churn-20260105-000000-ddd555").mkdir()
    return tmp_path


@pytest.mark.parametrize(
    ("word", "run_id"),
    [
        (None, IDS[2]),
        ("latest", IDS[2]),
        ("latest~3", IDS[3]),
        ("churn", IDS[1]),
        ("churn~1", IDS[0]),
        ("churn-eu", IDS[2]),
        (IDS[3], IDS[3]),
        ("sal", IDS[3]),
        ("churn-20260102-030405", IDS[0]),
        ("bbb", IDS[1]),
    ],
)
def test_a_run_is_found_by_a_few_letters_or_by_when_it_was(kept: Path, word: str | None, run_id: str) -> None:
    assert runs.find(kept, word) == run_id


@pytest.mark.parametrize(
    ("word", "remedy"),
    [
        ("chrun", "did you mean 'churn'?"),
        ("latset", "did you mean 'latest'?"),
        ("churn~2", "did you mean 'churn'?"),
        ("churn~x", "did you mean 'churn'?"),
        ("churn-2026", "write more of the id"),
        ("a", "write more of the id"),
        ("churn-20260105-000000-ddd555", "goes on where it was stopped"),
        ("../..", "choose one of"),
        ("\0", "choose one of"),
    ],
)
def test_a_word_that_names_no_run_or_many(kept: Path, word: str, remedy: str) -> None:
    with pytest.raises(UsageError) as caught:
        runs.find(kept, word)
    assert caught.value.code == "PEN041"
    assert remedy in caught.value.remedy


def test_with_no_run_at_all_it_is_said_how_to_start(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="penstock run"):
        runs.find(tmp_path, None)


def test_of_two_runs_in_one_second_the_later_is_newer(tmp_path: Path) -> None:
    for age, run_id in enumerate(["a-20260101-000000-111111", "a-20260101-000000-222222"]):
        runs.keep_document(tmp_path, run_id, typed({}))
        os.utime(runs.document_of(tmp_path, run_id), (1000 - age, 1000 - age))
    assert runs.find(tmp_path, None) == "a-20260101-000000-111111"
