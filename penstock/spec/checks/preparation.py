"""What is done to the columns, and whether the models can do with it."""

from __future__ import annotations

from penstock.components import catalog
from penstock.components.preprocessing.plan import KEEP_MISSING
from penstock.components.trees.rule_words import number, read_rule
from penstock.errors import UsageError, examples
from penstock.problems import find
from penstock.spec.alternatives import NONE, may_be_none, place_of, preparation_steps
from penstock.spec.base import Choice
from penstock.spec.checks.balance import check_balance
from penstock.spec.checks.methods import check_choice
from penstock.spec.checks.refused import refuse
from penstock.spec.pipeline import AUTO, Spec

RULE_LIST = "rule-list"
_KINDS = {
    "clip": "clipper",
    "impute": "imputer",
    "impute_levels": "imputer",
    "expand": "basis",
    "balance": "balancer",
    "encode": "encoder",
    "scale": "scaler",
    "select": "selector",
    "extract": "extractor",
}


def check_preparation(spec: Spec, path: str) -> None:
    searched = spec.search.preparation
    for step, choices in preparation_steps(spec.preparation, spec.features).items():
        where = f"{path}: {place_of(step)}"
        for position, choice in enumerate(choices):
            place = where if len(choices) == 1 else f"{where}.{position}"
            if choice == Choice(name=NONE) and may_be_none(step):
                continue
            if step == "balance":
                check_balance(spec, choice, path, place)
            check_choice(choice, spec.problem, place, (_KINDS[step.rpartition(".")[2]],))
        searched = searched or len(choices) > 1 or _lists_values(choices[0])
        if searched:
            place = "search.preparation" if spec.search.preparation else place_of(step)
            refuse(spec, "search.preparation", path, where=place)


def _lists_values(choice: Choice) -> bool:
    lists = () if choice.name == NONE else catalog.find(choice.name).lists
    return any(isinstance(value, list) and name not in lists for name, value in choice.parameters.items())


def check_kept_gaps(spec: Spec, path: str) -> None:
    """Where gaps are left as they are, every model has to know what to do with them."""
    kept = [
        step
        for step, choices in preparation_steps(spec.preparation, spec.features).items()
        if any(choice.name == KEEP_MISSING or choice.parameters.get("missing") == "kept" for choice in choices)
    ]
    if not kept:
        return
    models = [choice.name for choice in spec.models] or find(spec.problem).candidates
    cannot = [name for name in models if not catalog.takes_gaps(name, spec.problem)]
    if cannot:
        can = [name for name in catalog.members(spec.problem) if catalog.takes_gaps(name, spec.problem)]
        raise UsageError(
            "PEN037",
            f"gaps are kept, and {examples(cannot)} cannot do with them",
            where=f"{path}: {place_of(kept[0])}",
            remedy=f"name models that can: {', '.join(can)}; or fill the gaps",
        )


def check_own_units(spec: Spec, path: str) -> None:
    """Where a model is told numbers of the table, as rules and densities are, nothing may change the columns."""
    told = [choice for choice in spec.models if choice.name != AUTO and catalog.find(choice.name).own_units]
    changing = [
        place_of(name)
        for name, choices in preparation_steps(spec.preparation, spec.features).items()
        if name.rpartition(".")[2] in ("clip", "expand", "scale", "extract") and choices != [Choice(name=NONE)]
    ]
    if told and changing:
        raise UsageError(
            "PEN038",
            f"'{told[0].name}' takes columns in the units of the table, and {changing[0]} would change these",
            where=f"{path}: {changing[0]}",
            remedy=f"say `{changing[0]}: none`" if changing[0].endswith("scale") else f"leave {changing[0]} out",
        )
    rules = next((choice.parameters.get("rules") for choice in told if choice.name == RULE_LIST), None)
    tests = [test for words in (rules if isinstance(rules, list) else []) for test in read_rule(str(words)).tests]
    levels = [test for test in tests if test.sign in ("=", "!=") and number(test.value) is None]
    if levels and spec.preparation.rare:
        raise UsageError(
            "PEN038",
            f"a rule asks for the level '{levels[0].value}', and rare levels are put together",
            where=f"{path}: preparation.rare",
            remedy="say `preparation: {rare: 0}`",
        )
