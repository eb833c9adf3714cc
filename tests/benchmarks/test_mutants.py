from __future__ import annotations

import ast
from pathlib import Path

from benchmarks.mutants import draw, mirror_of, mutants_of

SOURCE = '''"""1 < 2"""

MOST: int = 3


def chosen(a: int, b: int) -> bool:
    """Not of 4."""
    name = f"{a + b}"
    return not a < b and name != "x" + "y"
'''


def test_each_mutant_changes_one_place_that_runs(tmp_path: Path) -> None:
    file = tmp_path / "code.py"
    file.write_text(SOURCE)
    found = list(mutants_of(file, "code.py"))
    changed = [mutant.applied(SOURCE.encode()).decode() for mutant in found]
    for text in changed:
        ast.parse(text)
        assert sum(one != other for one, other in zip(text.splitlines(), SOURCE.splitlines(), strict=True)) == 1
    assert {mutant.new for mutant in found} == {
        "4", "return None", "(not a < b or name != 'x' + 'y')", "(a < b)", "(a <= b)", "(name == 'x' + 'y')",
    }  # fmt: skip
    assert found[0].describe(SOURCE.encode()) == "code.py:3: 3 -> 4"


def test_the_same_seed_draws_the_same_from_folders_and_files() -> None:
    places = ["components/bases", "components/trees/id3.py"]
    drawn = draw(places, 6, seed=1)
    assert drawn == draw(places, 6, seed=1) != draw(places, 6, seed=2)
    assert len(drawn) == 6
    assert mirror_of("components/bases") == "tests/components/bases"
    assert mirror_of("components/trees/id3.py") == "tests/components/trees/test_id3.py"
