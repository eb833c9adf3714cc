"""Each ratchet counts a planted breach, and nothing where there is none."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.ratchets import ceilings
from tests.ratchets.places import RATCHETS, House, dialect

CLEAN = '''"""Of clustering and of density; folds["train_0"] and SYLLABUS are only words here."""

import numpy as np
from penstock.store import Store


def fit(store: Store, labels: dict[str, int], kind: str) -> list[dict[str, float]]:
    density = np.histogram([1.0], density=True)
    if kind == "estimator" and labels["rows"]:
        return [{"value": float(density[0][0])}]
    return store.facts(labels, Verdict)
'''
CALLED = "def stage(store, spec, schema, entry, ref, folds, k):\n    "
BREACHES = [
    ("untyped_dicts", "tasks/a.py", "def f(x: list[dict[str, Any]]) -> None: ...", "list[dict[str, Any]]"),
    ("untyped_dicts", "flows/a.py", "def f() -> Mapping[str, object]: ...", "Mapping[str, object]"),
    ("untyped_dicts", "penstock/f/a.py", "class Fit:\n    facts: dict[str, typing.Any]", "typing.Any"),
    ("untyped_facts", "tasks/a.py", "def f(ref: Ref[Any]) -> None: ...", "Ref[Any]"),
    ("untyped_facts", "problems/a.py", "class Fit:\n    found: list[Ref[object]]", "Ref[object]"),
    ("keyed_arrays", "tasks/a.py", f"{CALLED}kept = store.arrays(ref)\n    return kept[f'train_{{k}}']", "kept["),
    ("keyed_arrays", "tasks/a.py", f"{CALLED}return folds.get('y')", "folds.get('y')"),
    ("keyed_arrays", "tasks/a.py", f"{CALLED}return store.arrays(ref)['y']", "store.arrays(ref)['y']"),
    ("loose_modules", "penstock/a.py", "", "in no folder"),
    ("syllabus_tuples", "components/f/a.py", "SYLLABUS = ('a',)", "SYLLABUS"),
    ("pending", "flows/a.py", f"{CALLED}return ref.kind == 'pending'", "pending"),
    ("prefect_imports", "tasks/a.py", "from prefect.context import FlowRunContext", "prefect"),
    ("prefect_imports", "problems/rows/a.py", "import prefect", "prefect"),
]  # fmt: skip


def planted(root: Path, file: str, text: str) -> House:
    (root / "tasks").mkdir()
    (root / "tasks" / "clean.py").write_text(CLEAN)
    (root / "penstock").mkdir()
    (root / "penstock" / "__init__.py").touch()
    (root / "penstock" / "tasks").symlink_to("../tasks")
    (root / file).parent.mkdir(parents=True, exist_ok=True)
    (root / file).write_text(text + "\n")
    return House(root)


@pytest.mark.parametrize(("ratchet", "file", "text", "what"), BREACHES)
def test_a_breach_is_counted_once_where_it_stands(
    ratchet: str, file: str, text: str, what: str, tmp_path: Path
) -> None:
    places = list(RATCHETS[ratchet](planted(tmp_path, file, text)))
    assert places
    assert {place.file for place in places} == {file}
    assert what in str(places[-1])


def test_each_ratchet_has_a_breach_and_a_ceiling_and_no_false_alarm(tmp_path: Path) -> None:
    house = planted(
        tmp_path, "components/f/catalog.py", "ENTRY = dict(problems=('regression',), is_={'regression': 'x:Y'})"
    )
    assert {ratchet for ratchet, *_ in BREACHES} == RATCHETS.keys() == ceilings.read().keys()
    assert {name: list(ratchet(house)) for name, ratchet in RATCHETS.items()} == {name: [] for name in RATCHETS}


def test_ceilings_are_lowered_and_never_raised(tmp_path: Path) -> None:
    file = tmp_path / "ceilings.txt"
    file.write_text("# words\nfirst 5\n\n# more words\nsecond 7\n")
    ceilings.lower({"first": 3, "second": 9}, file)
    assert file.read_text() == "# words\nfirst 3\n\n# more words\nsecond 7\n"
    assert ceilings.read(file) == {"first": 3, "second": 7}


@pytest.mark.parametrize(
    ("file", "text", "what"),
    [
        ("tasks/a.py", "def judge(): ...", "judge"),
        ("components/f/a.py", "class Teller:\n    reach = 1", "reach"),
        ("components/f/a.py", "_MOST_ROWS = 5", "_MOST_ROWS"),
        ("penstock/f/a.py", "def f(taught): ...", "taught"),
        ("penstock/f/nursery.py", "", "nursery"),
    ],
)
def test_a_name_of_the_old_dialect_is_found(file: str, text: str, what: str, tmp_path: Path) -> None:
    places = list(dialect(planted(tmp_path, file, text)))
    assert places
    assert {place.file for place in places} == {file}
    assert what in {place.what for place in places}


def test_a_name_that_only_holds_an_old_one_is_not(tmp_path: Path) -> None:
    text = "def learning_rate(judgement): ...\n\n\nclass Learning:\n    answered = 1"
    assert not list(dialect(planted(tmp_path, "components/f/a.py", text)))
