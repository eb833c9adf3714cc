"""The tables that a kind of question takes beside the first, and the column that names its unit of evidence."""

from __future__ import annotations

from penstock.errors import UsageError, did_you_mean
from penstock.problems import find
from penstock.spec.pipeline import Spec


def check_tables(spec: Spec, path: str) -> None:
    taken = find(spec.problem).tables
    for name in spec.data.tables:
        if name not in taken:
            raise UsageError(
                "PEN094",
                f"a {spec.problem} takes {'no further' if taken else 'another'} table than '{name}'",
                where=f"{path}: data.tables.{name}",
                remedy=did_you_mean(name, list(taken)) if taken else "leave data.tables out; join it to data.source",
            )
    missing = [name for name in taken if name not in spec.data.tables]
    if missing:
        raise UsageError(
            "PEN095",
            f"a {spec.problem} needs the table '{missing[0]}' beside data.source",
            where=f"{path}: data.tables",
            remedy=f"say where it is: `data: {{tables: {{{missing[0]}: {missing[0]}.csv}}}}`; it needs the columns "
            f"{', '.join(taken[missing[0]])}",
        )


def check_unit(spec: Spec, path: str) -> None:
    unit = find(spec.problem).unit
    if unit != "row" and spec.data.named("group") is None:
        raise UsageError(
            "PEN096",
            f"a {spec.problem} is about each {unit}, and no column says of which {unit} a row is",
            where=f"{path}: data.group",
            remedy=f"name the column: `data: {{group: {unit}}}`",
        )
