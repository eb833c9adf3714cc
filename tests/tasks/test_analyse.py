from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from penstock.components.schema import Schema, conform, encode_target, infer_schema
from penstock.components.splitting import test_rows as in_test
from penstock.store import Ref, Store
from penstock.tasks.analyse import analyse


def rows(count: int = 200) -> tuple[pd.DataFrame, Schema]:
    rng = np.random.default_rng(0)
    x = rng.normal(size=count)
    frame = pd.DataFrame({"_row_id": [f"r{n}" for n in range(count)], "x": x, "z": rng.normal(size=count)})
    frame["y"] = np.where(x > 0, "yes", "no")
    schema = infer_schema(frame, problem="classification", target_type="classes", target="y")
    return conform(frame, schema, strict=True), schema


def analysed(store: Store, frame: pd.DataFrame, schema: Schema) -> tuple[Ref, Ref, Ref]:
    train, typed = store.put_frame(frame), store.put_facts(schema)
    made = analyse.function(store, train, typed, 0)
    return made.facts, made.insight, made.figures


@pytest.mark.slow
def test_planning_cannot_see_how_columns_and_target_go_together(tmp_path: Path) -> None:
    """The same targets dealt to other rows: the facts that planning reads are the same to the byte."""
    store = Store(tmp_path)
    frame, schema = rows()
    facts, insight, figures = analysed(store, frame, schema)
    dealt = frame.assign(y=frame["y"].sample(frac=1, random_state=1, ignore_index=True))
    other_facts, other_insight, other_figures = analysed(store, dealt, schema)
    assert facts == other_facts
    assert insight != other_insight
    assert figures != other_figures


@pytest.mark.slow
@pytest.mark.covers("proc_correlation_study")
def test_changing_only_test_rows_changes_nothing(tmp_path: Path) -> None:
    frame, schema = rows(300)
    chosen = in_test(frame["_row_id"], share=0.2, seed=0, classes=encode_target(frame["y"], schema), groups=None).mask
    other = frame.assign(x=frame["x"].where(~chosen, 1e6), z=frame["z"].where(~chosen))
    found = [analysed(Store(tmp_path / name), table[~chosen], schema) for name, table in (("a", frame), ("b", other))]
    assert chosen.any()
    assert not frame.equals(other)
    assert found[0] == found[1]
