from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import yaml

from penstock.components.preprocessing.plan import KEEP_MISSING, make_plan
from penstock.components.preprocessing.preparation import build_preparation, feature_names
from penstock.components.schema import conform, encode_target, infer_schema
from penstock.errors import UsageError
from penstock.spec.alternatives import chosen_preparation
from penstock.spec.checked import load_checked_spec
from penstock.spec.searched import preparation_space
from penstock.store import Store
from penstock.tasks.prepare import plan_settings, preparation_components

ROOT = Path(__file__).parent.parent.parent
CHURN = ROOT / "examples" / "churn"
PAGES = [ROOT / "docs" / "how-to" / name for name in ("preparation.md", "search.md")]
EXAMPLES = [
    yaml.safe_load(block.partition("```")[0])
    for page in PAGES
    for block in page.read_text(encoding="utf-8").split("```yaml\n")[1:]
]


def prepared(tmp_path: Path, more: dict[str, Any]) -> tuple[Any, list[str]]:
    """The matrix and its columns that a pipeline file with these parts makes of the example's first rows."""
    file = tmp_path / "pipeline.yaml"
    raw = yaml.safe_load((CHURN / "pipeline.yaml").read_text(encoding="utf-8"))
    file.write_text(yaml.safe_dump(raw | more), encoding="utf-8")
    spec = load_checked_spec(str(file))
    table = pd.read_csv(CHURN / "churn.csv", nrows=400)
    schema = infer_schema(
        table, problem="classification", target_type="classes", target="churned",
        key="snapshot_id", group="customer_id",
        roles={"satisfaction": ["very low", "low", "medium", "high", "very high"]},
    )  # fmt: skip
    frame = conform(table, schema, strict=True)
    facts = {
        column.name: {"missing": frame[column.name].isna().mean(), "distinct": frame[column.name].nunique()}
        for column in schema.features
    }
    parts = chosen_preparation(spec.preparation, spec.features, preparation_space(spec).start)
    plan = make_plan(schema, facts, **plan_settings(*parts))
    preparation = build_preparation(plan, seed=0)
    matrix = preparation.fit_transform(frame, encode_target(frame["churned"], schema))
    assert np.isfinite(preparation.transform(frame)).all() or _keeps_gaps(more)
    return matrix, feature_names(preparation)


def _keeps_gaps(more: dict[str, Any]) -> bool:
    return more.get("preparation", {}).get("impute") == KEEP_MISSING


@pytest.mark.slow
@pytest.mark.parametrize("number", range(len(EXAMPLES)))
def test_every_example_of_the_pages_prepares_the_churn_table(tmp_path: Path, number: int) -> None:
    matrix, names = prepared(tmp_path, EXAMPLES[number])
    assert np.isfinite(matrix).all() or _keeps_gaps(EXAMPLES[number])
    assert matrix.shape == (400, len(names))


def test_the_plan_hangs_on_the_code_of_what_was_chosen_and_of_nothing_else(tmp_path: Path) -> None:
    def components(**parts: Any) -> dict[str, Any]:
        raw = yaml.safe_load((CHURN / "pipeline.yaml").read_text(encoding="utf-8"))
        (tmp_path / "pipeline.yaml").write_text(yaml.safe_dump(raw | parts), encoding="utf-8")
        spec = load_checked_spec(str(tmp_path / "pipeline.yaml"))
        return preparation_components(spec.preparation, spec.features, spec.problem, Store(tmp_path))

    assert set(components()) == {"median", "mode", "one-hot", "standard"}
    chosen = components(preparation={"columns": {"age": {"scale": "power"}}, "encode": "target"})
    assert set(chosen) == {"median", "mode", "target", "standard", "power"}
    assert chosen["target"]["code"]


@pytest.mark.parametrize(
    ("preparation", "code", "words"),
    [
        ({"impute": "medain"}, "PEN005", "did you mean 'median'?"),
        ({"impute": "standard"}, "PEN009", "'standard' is a scaler"),
        ({"scale": {"robust": {"unit_varianc": True}}}, "PEN006", "did you mean 'unit_variance'?"),
        ({"encode": {"target": {"folds": 1}}}, "PEN017", "folds"),
        ({"encode": {"target": {"folds": [3, 1]}}}, "PEN017", "folds"),
        ({"columns": {"age": {"scal": "power"}}}, "PEN002", "did you mean 'scale'?"),
        ({"columns": {"agee": {"scale": "power"}}}, "PEN021", "did you mean 'age'?"),
    ],
)
def test_what_is_wrong_is_said(tmp_path: Path, preparation: dict[str, Any], code: str, words: str) -> None:
    with pytest.raises(UsageError) as caught:
        prepared(tmp_path, {"preparation": preparation})
    assert caught.value.code == code
    assert words in str(caught.value)
