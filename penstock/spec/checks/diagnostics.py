"""The diagnostics that a pipeline file asks for."""

from __future__ import annotations

from penstock.spec.pipeline import Spec


def check_diagnose(spec: Spec, path: str) -> None:
    if not spec.diagnose:
        return
    from penstock.components.diagnostics import find  # it loads pandas

    for position, choice in enumerate(spec.diagnose):
        where = f"{path}: diagnose.{position}"
        diagnostic = find(choice.name, where)
        diagnostic.checked(choice.parameters, f"{where}: ")
        known = {"target"} if spec.data.target else set()
        settings = ", ".join(f"{name}: {name.upper()}" for name in diagnostic.required if name not in known)
        given = {**dict.fromkeys(known), **choice.parameters}
        diagnostic.require(given, f"{where}: ", f"- {choice.name}: {{{settings}}}")
