"""What goes with a model file into MLflow, so that it can be loaded where Penstock is not installed."""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement

from penstock.actions.codedigest import files_of
from penstock.components.schema import Schema
from penstock.components.trust import trusted_types
from penstock.model_file.holding import own_modules, types_in
from penstock.plugins import PROBLEMS, all_points, problem_points
from penstock.problems import Problem
from penstock.problems.predictions import predictions_of
from penstock.tracking.connection import mlflow

MODEL_FILE = "model.skops"
LOADER = "penstock.model"
TRUST = "penstock.components.trust"
FRONT_DOOR = "penstock"
LOADER_LIBRARIES = ("mlflow", "numpy", "pandas", "pydantic", "scikit-learn", "skops", "skrub")


TRUST_LIST = '''"""The types that this model may hold; written when it was registered, from the list that held then."""

from __future__ import annotations


def trusted_types() -> list[str]:
    return {types}
'''


@dataclass(frozen=True)
class Code:
    """What travels with a model: paths of packages, and the distributions that its plug-ins ask for."""

    paths: list[str]
    libraries: list[str]


def copy_code(model: Path, folder: Path, problem: Problem) -> Code:
    """Copy the modules that loading this model and scoring with it need, with a list of the types that it may hold.

    Those are on our list, too: Penstock where it is installed goes by its own, and never by the model's.
    """
    types = sorted(types_in(model) & set(trusted_types()))
    predictions = problem.predictions.partition(":")[0]
    files = files_of((LOADER, predictions, *own_modules(types)), ends=frozenset({FRONT_DOOR, TRUST}))
    for name, file in files.items():
        place = folder.joinpath(*name.split("."))
        copy = place / file.name if file.name == "__init__.py" else place.with_suffix(".py")
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file, copy)
    folder.joinpath(*TRUST.split(".")).with_suffix(".py").write_text(TRUST_LIST.format(types=types))
    packages = {name.partition(".")[0] for name in files}
    paths = [next(path for path in (folder / name, folder / f"{name}.py") if path.exists()) for name in packages]
    paths += write_entry_points(problem, folder)
    libraries = {library for package in packages - {FRONT_DOOR} for library in requirements_of(package)}
    return Code(sorted(map(str, paths)), sorted(libraries - {FRONT_DOOR}))


def write_entry_points(problem: Problem, folder: Path) -> list[Path]:
    """Another package's kind of question is found by its entry point where it is not installed, too."""
    found = []
    for point in problem_points():
        if point.dist and point.load() is problem:
            found.append(folder / f"{point.dist.name.replace('-', '_')}-{point.dist.version}.dist-info")
            found[-1].mkdir()
            about = f"Metadata-Version: 2.1\nName: {point.dist.name}\nVersion: {point.dist.version}\n"
            (found[-1] / "METADATA").write_text(about)
            (found[-1] / "entry_points.txt").write_text(f"[{PROBLEMS}]\n{point.name} = {point.value}\n")
    return found


def requirements_of(package: str) -> set[str]:
    """The distributions that the one with this package asks for."""
    found: set[str] = set()
    for name in {point.dist.name for point in all_points() if point.dist and point.module.split(".")[0] == package}:
        asked = map(Requirement, metadata.requires(name) or [])
        found |= {one.name for one in asked if one.marker is None or one.marker.evaluate({"extra": ""})}
    return found


def pins(libraries: Iterable[str]) -> list[str]:
    """Exact versions of what is installed; without the local part, which no package index has."""
    return [f"{name}=={metadata.version(name).split('+')[0]}" for name in libraries]


def signature_of(schema: Schema) -> Any:
    """Input columns by name alone: MLflow refuses whole numbers for doubles, and the loader casts by the schema."""
    from mlflow.types.schema import AnyType, ColSpec
    from mlflow.types.schema import Schema as Columns

    predictions = predictions_of(schema.problem)
    inputs = Columns([ColSpec(AnyType(), column.name, required=False) for column in predictions.inputs_of(schema)])
    outputs = predictions.outputs(schema)
    columns = None if outputs is None else Columns([ColSpec(kind, name) for kind, name in outputs])
    return mlflow.models.ModelSignature(inputs, columns)
