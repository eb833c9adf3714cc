from __future__ import annotations

import pandas as pd

from penstock.components.analysis.facts import describe
from penstock.components.schema import infer_schema
from penstock.reporting.glance import bars, in_numbers


def test_an_ordinal_column_without_a_known_value() -> None:
    frame = pd.DataFrame({"x": range(20), "mood": ["?"] * 20, "y": ["a", "b"] * 10})
    schema = infer_schema(frame, problem="classification", target="y", roles={"mood": ["low", "high"]})
    column = {**schema.column("mood").model_dump(), **describe(frame, schema)["columns"]["mood"]}
    assert (in_numbers(column), bars(column)) == ("no value", "")
