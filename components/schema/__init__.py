"""What each column is: inferred from its values, corrected by the pipeline file, enforced at every reading."""

from penstock.components.schema.casting import MISSING_WORDS, cast, conform, dates, numbers, texts
from penstock.components.schema.columns import (
    ROW_ID,
    Column,
    FeatureRole,
    Label,
    Problem,
    Role,
    Schema,
    require_columns,
)
from penstock.components.schema.inference import IDENTIFIER, infer_schema
from penstock.components.schema.target import FEW_ROWS, encode_target

__all__ = [
    "FEW_ROWS",
    "IDENTIFIER",
    "MISSING_WORDS",
    "ROW_ID",
    "Column",
    "FeatureRole",
    "Label",
    "Problem",
    "Role",
    "Schema",
    "cast",
    "conform",
    "dates",
    "encode_target",
    "infer_schema",
    "numbers",
    "require_columns",
    "texts",
]
