"""Nothing outside problems/ knows a kind of question; a breach would be seen."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.ratchets.places import House
from tests.rooms.kinds import conditions, imported, named

NOT_NAMED = "who calls init may name no column to predict"
LEFT_OUT = "the pipeline file may leave data.target out"
NOT_KNOWN = "rows may come without a target; its absence is no kind"
ALLOWED = {
    ("penstock/cli/pipelines.py", "target is None and (not as_json) and (problem is None or find(problem, "
     "where='--problem').answers_known)"): "at a terminal, who names no column to predict is asked for one",
    ("penstock/starter/look.py", "target is not None"): NOT_NAMED,
    ("penstock/starter/look.py", "target is None"): NOT_NAMED,
    ("penstock/starter/look.py", "target is None and 'data.target' in asked.requires"): NOT_NAMED,
    ("penstock/starter/look.py", "name == target"): "the column to predict is no feature, and its role is known",
    ("penstock/starter/pipeline.py", "found.target is not None"): NOT_NAMED,
    ("penstock/starter/suite.py", "found.target is not None"): NOT_NAMED,
    ("penstock/starter/suite.py", "found.classes and len(found.classes) <= MAX_LEVELS"): "a rule lists few classes",
    ("penstock/spec/checks/diagnostics.py", "spec.data.target"): LEFT_OUT,
    ("penstock/spec/pipeline.py", "self.data.target"): LEFT_OUT,
    ("penstock/evidence/folds.py", "self.target is None"): NOT_KNOWN,
    ("tasks/prepare.py", "cut.target is None"): NOT_KNOWN,
    ("tasks/decide.py", "decision.threshold is not None and len(classes) != 2"):
        "a threshold is between two classes, and only the rows show how many there are",
    ("tasks/features.py", "recipe.target_type != 'quantity' or len(recipe.groups) != 1 or "
     "len(recipe.groups[0].columns) != 1"): "a polynomial is drawn through quantities",
    ("penstock/document/data.py", "self.classes and len(self.classes) == 2"): "of two classes one is the positive one",
    ("penstock/sources/bundled.py", "'target' in frame and classes and isinstance(classes[0], str)"):
        "a bundled table has names for its codes in a column that is called so",
    ("penstock/model.py", "assigner is None"): "a part that a model file may have",
}  # fmt: skip


@pytest.fixture(scope="module")
def house() -> House:
    return House()


def test_no_kind_is_named_outside_its_folder(house: House) -> None:
    assert [*map(str, named(house))] == []


def test_no_module_of_a_kind_is_imported_outside_problems(house: House) -> None:
    assert [*map(str, imported(house))] == []


def test_what_stands_for_a_kind_decides_nothing_but_what_is_written_here(house: House) -> None:
    assert {(place.file, place.what) for place in conditions(house)} == ALLOWED.keys()


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("flows/a.py", "def f(spec): return spec.problem == 'regression'"),
        ("tasks/a.py", "def f(spec): return spec.problem in ('density', 'reduction')"),
        ("components/f/a.py", "T = {'classification': 1}"),
        ("components/catalog.py", "PROBLEMS = ('clustering',)"),
        ("penstock/f/a.py", "DEFAULT = 'classification'"),
        ("expectations/a.py", "def f(k):\n    match k:\n        case 'density': return 1"),
    ],
)
def test_a_name_is_seen(file: str, text: str, tmp_path: Path) -> None:
    assert [place.file for place in named(planted(tmp_path, file, text))][:1] == [file]


@pytest.mark.parametrize(
    ("file", "text", "what"),
    [
        ("tasks/a.py", "def f(schema):\n    if schema.target is None: pass", "schema.target is None"),
        ("flows/a.py", "def f(facts): return 1 if facts['classes'] else 0", "facts['classes']"),
        ("expectations/a.py", "def f(s):\n    while not s.get('n_classes'): pass", "not s.get('n_classes')"),
        ("penstock/f/a.py", "def f(k): return [entry for entry in k if entry.kind == 'x']", "entry.kind == 'x'"),
        ("penstock/f/a.py", "def f(kind):\n    match kind.target_type:\n        case _: pass", "kind.target_type"),
        ("tasks/a.py", "def f(schema): assert schema.supervised", "schema.supervised"),
    ],
)  # fmt: skip
def test_a_condition_is_seen(file: str, text: str, what: str, tmp_path: Path) -> None:
    assert [place.what for place in conditions(planted(tmp_path, file, text))] == [what]


def test_an_import_is_seen(tmp_path: Path) -> None:
    house = planted(tmp_path, "tasks/a.py", "from penstock.problems.density.sections import Density")
    assert [place.what for place in imported(house)] == ["penstock.problems.density.sections"]


def test_there_is_no_false_alarm(tmp_path: Path) -> None:
    fragment = "ENTRY = dict(problems=('regression',), is_={'regression': 'x:Y'})"
    house = planted(tmp_path, "components/f/catalog.py", fragment)
    assert [*named(house), *imported(house), *conditions(house)] == []


def planted(root: Path, file: str, text: str) -> House:
    for folder in ("tasks", "penstock"):
        (root / folder).mkdir()
    (root / "tasks" / "clean.py").write_text(
        '"""Of clustering."""\n\n\ndef f(kind):\n    return kind if kind else None\n'
    )
    (root / file).parent.mkdir(parents=True, exist_ok=True)
    (root / file).write_text(text + "\n")
    return House(root)
