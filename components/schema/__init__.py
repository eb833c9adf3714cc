"""What each column is: inferred from its values, corrected by the pipeline file, enforced at every reading."""

from penstock.components.schema.casting import (
    MISSING_WORDS,
    beyond_numbers,
    cast,
    conform,
    dates,
    numbers,
    shared_words,
    texts,
)
from penstock.components.schema.columns import (
    ROW_ID,
    Column,
    FeatureRole,
    Label,
    Role,
    Scale,
    Schema,
    refuse_truth,
    require_columns,
)
from penstock.components.schema.hints import FEW_ROWS, counts_rows
from penstock.components.schema.inference import IDENTIFIER, infer_column, infer_schema
from penstock.components.schema.known import Known, count_known, fewest_rows_of_a_class, known_of, with_known_target
from penstock.components.schema.target import alike, encode_target, target_type_of

__all__ = [
    "FEW_ROWS",
    "IDENTIFIER",
    "MISSING_WORDS",
    "ROW_ID",
    "Column",
    "FeatureRole",
    "Known",
    "Label",
    "Role",
    "Scale",
    "Schema",
    "alike",
    "beyond_numbers",
    "cast",
    "conform",
    "count_known",
    "counts_rows",
    "dates",
    "encode_target",
    "fewest_rows_of_a_class",
    "infer_column",
    "infer_schema",
    "known_of",
    "numbers",
    "refuse_truth",
    "require_columns",
    "shared_words",
    "target_type_of",
    "texts",
    "with_known_target",
]
