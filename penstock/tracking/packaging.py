"""What goes with a model file into MLflow, so that it can be loaded where Penstock is not installed."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from importlib import metadata
from pathlib import Path
from typing import Any

from penstock.components.schema import Schema
from penstock.tracking.connection import mlflow

MODEL_FILE = "model.skops"
LOADER = "penstock.model"
# What the loader imports, and nothing of the rest: neither Prefect nor Great Expectations.
LOADER_FILES = ("__init__.py", "errors.py", "store.py", "model.py")
LOADER_LIBRARIES = ("mlflow", "numpy", "pandas", "pydantic", "scikit-learn", "skops", "skrub")


def copy_loader(folder: Path) -> Path:
    """A copy of the package with only what loading and scoring need; links become real files."""
    package = Path(__file__).parent.parent
    copy = folder / "penstock"
    copy.mkdir()
    for name in LOADER_FILES:
        shutil.copyfile(package / name, copy / name)
    shutil.copytree(package / "components", copy / "components", ignore=shutil.ignore_patterns("__pycache__"))
    return copy


def pins(libraries: Sequence[str]) -> list[str]:
    """Exact versions of what is installed; without the local part, which no package index has."""
    return [f"{name}=={metadata.version(name).split('+')[0]}" for name in libraries]


def signature_of(schema: Schema) -> Any:
    """Input columns by name alone: MLflow refuses whole numbers for doubles, and the loader casts by the schema."""
    from mlflow.types.schema import AnyType, ColSpec
    from mlflow.types.schema import Schema as Columns

    inputs = Columns([ColSpec(AnyType(), column.name, required=False) for column in schema.features])
    if schema.problem == "reduction":
        return mlflow.models.ModelSignature(inputs)  # how many columns it makes is not in the schema
    if schema.problem == "density":
        rare = Columns([ColSpec("double", "log_density"), ColSpec("boolean", "outlier")])
        return mlflow.models.ModelSignature(inputs, rare)
    answer = "double"
    if schema.problem == "clustering":
        answer = "long"
    elif schema.classes:
        answer = {str: "string", bool: "boolean", int: "long"}.get(type(schema.classes[0]), "double")
    outputs = [ColSpec(answer, "prediction")]
    if schema.problem == "clustering":
        outputs += [ColSpec("double", "confidence"), ColSpec("boolean", "outlier")]
    outputs += [ColSpec("double", f"probability_{label}") for label in schema.classes or []]
    return mlflow.models.ModelSignature(inputs, Columns(outputs))
