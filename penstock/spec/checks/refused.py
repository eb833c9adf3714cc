"""Keys of the pipeline file that mean nothing to the kind of question that it asks."""

from __future__ import annotations

from collections.abc import Iterator

from pydantic import BaseModel

from penstock.errors import UsageError
from penstock.problems import find
from penstock.spec.pipeline import Spec


def check_refused(spec: Spec, path: str) -> None:
    """All but what is refused by its value, which the checks of that key know."""
    for key in keys_set(spec):
        refusal = find(spec.problem).refusal(key)
        if refusal is not None and "{value}" not in refusal.what:
            refuse(spec, key, path)


def refuse(spec: Spec, key: str, path: str, *, value: str = "", where: str = "") -> None:
    """Raise where the kind of question has no use for this key. `where`: by default the key itself."""
    refusal = find(spec.problem).refusal(key)
    if refusal is not None:
        words = {"key": key, "name": key.rpartition(".")[2], "problem": spec.problem, "value": value}
        raise UsageError(
            refusal.code,
            refusal.what.format(**words),
            where=f"{path}: {where or key}",
            remedy=refusal.remedy.format(**words),
        )


def keys_set(part: BaseModel, above: str = "") -> Iterator[str]:
    """The keys that are not left at their defaults, each after the section that it stands in."""
    for name, field in type(part).model_fields.items():
        value = getattr(part, name)
        if value != field.get_default(call_default_factory=True):
            key = f"{above}{field.alias or name}"
            yield key
            if isinstance(value, BaseModel):
                yield from keys_set(value, f"{key}.")
