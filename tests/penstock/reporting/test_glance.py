from __future__ import annotations

import pandas as pd

from penstock.components.analysis.facts import describe
from penstock.components.schema import infer_schema
from penstock.document.data import ColumnFacts
from penstock.reporting.glance import bars, in_numbers
from tests.documents import part


def test_lengths_of_texts_are_told_in_words() -> None:
    column = {"role": "text", "histogram": {"counts": [3], "edges": [1, 9]}, "min": 1, "max": 9, "quartiles": [2, 4, 6]}
    assert in_numbers(part(ColumnFacts, {**column, "mean_words": 4.2})) == "1 to 9, median 4 words"


def test_an_ordinal_column_without_a_known_value() -> None:
    frame = pd.DataFrame({"x": range(20), "mood": ["?"] * 20, "y": ["a", "b"] * 10})
    schema = infer_schema(
        frame, problem="classification", target_type="classes", target="y", roles={"mood": ["low", "high"]}
    )
    facts = {**schema.column("mood").model_dump(), **describe(frame, schema)["columns"]["mood"]}
    column = part(ColumnFacts, facts)
    assert (in_numbers(column), bars(column)) == ("no value", "")
