"""What models are told of pairs: columns that hold distances or a kernel, tables of distances between levels."""

from __future__ import annotations

from typing import Any

from penstock.components import catalog
from penstock.components.dissimilarity.catalog import ENCODER
from penstock.components.dissimilarity.levels import read_table
from penstock.components.dissimilarity.measure import COLUMN_BY_COLUMN, Measure
from penstock.errors import UsageError
from penstock.problems import find
from penstock.spec.alternatives import NONE, place_of, preparation_steps
from penstock.spec.base import Choice
from penstock.spec.pipeline import Spec

PRECOMPUTED = "precomputed"
_HARMLESS = ("impute", "impute_levels", "encode", "scale")  # all are numbers, of which none may be missing


def asks_for_distances(spec: Spec) -> bool:
    """Whether a model takes the columns for distances between rows."""
    return any(PRECOMPUTED in _asked(choice, "dissimilarity") for choice in spec.models)


def asks_for_kernel(spec: Spec) -> bool:
    """Whether a model takes the columns for kernel values between rows."""
    return any(PRECOMPUTED in _asked(choice, "kernel") for choice in spec.models)


def _asked(choice: Choice, parameter: str) -> list[Any]:
    value = choice.parameters.get(parameter)
    return value if isinstance(value, list) else [value]


def check_settings(spec: Spec, path: str) -> None:
    """What a dissimilarity is told beside its name; where several are tried, each candidate fails by itself."""
    for position, choice in enumerate(spec.models):
        name, settings = choice.parameters.get("dissimilarity"), choice.parameters.get("settings")
        if isinstance(name, str) and isinstance(settings, dict):
            Measure(name, {str(key): value for key, value in settings.items()}).checked(
                f"{path}: models.{position}: settings"
            )


def check_matrices(spec: Spec, path: str) -> None:
    """A matrix of all pairs can be cut into rows only where it stands in columns, and nothing changes these."""
    for position, choice in enumerate(spec.models):
        _check_matrix(spec, choice, f"{path}: models.{position}")


def _check_matrix(spec: Spec, choice: Choice, where: str) -> None:
    for parameter in ("dissimilarity", "affinity", "kernel"):
        asked, place = _asked(choice, parameter), f"{where}: {parameter}"
        if PRECOMPUTED not in asked:
            continue
        of_kernel = parameter == "kernel" and catalog.takes_kernel_columns(choice.name, spec.problem)
        if parameter != "dissimilarity" and not of_kernel:
            raise UsageError(
                "PEN325",
                "a matrix of all pairs cannot be cut into rows that learn and rows that evaluate",
                where=place,
                remedy="choose another affinity; or take k-medoids, agglomerative, dbscan or hdbscan with "
                "`dissimilarity: precomputed` and distances as columns"
                if parameter == "affinity"
                else "name the kernel, and the matrix is made and checked inside of every fold; with a matrix of your "
                "own, call `penstock.components.catalog.build` from Python",
            )
        if of_kernel and len(asked) > 1:
            raise UsageError(
                "PEN325",
                "the columns hold a kernel or coordinates, not both: `precomputed` cannot be tried beside other "
                "kernels",
                where=place,
                remedy="say `kernel: precomputed`, or leave `precomputed` out of the list",
            )
        if changing := _changes_columns(spec):
            raise UsageError(
                "PEN325",
                f"the columns hold {'a kernel' if of_kernel else 'distances'}, and {changing[0]} would change them",
                where=place,
                remedy="say `preparation: {scale: none}`"
                if changing[0] == "preparation.scale"
                else f"leave {changing[0]} out",
            )


def _changes_columns(spec: Spec) -> list[str]:
    """What of the preparation would make other values of the columns, or rows that nobody has compared."""
    found = [
        place_of(name)
        for name, choices in preparation_steps(spec.preparation, spec.features).items()
        if name not in _HARMLESS and not (name == "balance" and all(map(_keeps_rows, choices)))
    ]
    found += ["preparation.augment"] if spec.preparation.augment else []
    return found + (["preparation.scale"] if spec.preparation.scale != Choice(name="none") else [])


def _keeps_rows(balance: Choice) -> bool:
    return balance.name == NONE or not catalog.find(balance.name, ("balancer",)).invents_rows


def check_own_distances(spec: Spec, path: str) -> None:
    """Tables of distances between levels are in order, and every model compares rows by them."""
    places = {
        place_of(step): choice
        for step, choices in preparation_steps(spec.preparation, spec.features).items()
        for choice in choices
        if choice.name == ENCODER
    }
    for place, choice in places.items():
        table, triangle = choice.parameters.get("table"), choice.parameters.get("triangle", "refuse")
        read_table(table if isinstance(table, dict) else {}, f"{path}: {place}", triangle=str(triangle))
    if not places:
        return
    for part in ("select", "extract"):
        if getattr(spec.features, part) is not None:
            raise UsageError(
                "PEN326",
                f"'{ENCODER}' makes columns that belong together, and features.{part} would tear them apart",
                where=f"{path}: features.{part}",
                remedy=f"leave features.{part} out",
            )
    for position, model in enumerate(spec.models or [Choice(name=name) for name in find(spec.problem).candidates]):
        asked = model.parameters.get("dissimilarity")
        named = asked if isinstance(asked, list) else [asked]
        if not set(named) <= set(COLUMN_BY_COLUMN):
            raise UsageError(
                "PEN326",
                f"'{model.name}' does not compare rows column by column, so it cannot heed own distances between "
                "levels",
                where=f"{path}: models.{position}",
                remedy="take k-medoids, agglomerative, dbscan or hdbscan with `dissimilarity: gower` or "
                "`dissimilarity: equal-influence`",
            )
