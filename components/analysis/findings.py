"""What was found, in words: a ranked list of what to look at, and the few sentences to read first."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from penstock.components.schema import Schema

MAX_FINDINGS = 15
MAX_OF_A_KIND = 2
TOO_GOOD = 0.98
SAME = 0.95
ALIKE = 0.8
MAX_NAMED = 3
SKEWED = 2.0
MANY_MISSING = 0.05
FAR = 10.0
MIN_GAPS = 30
FEW_CLASSES = 10
BENT = 0.05
CLEAR = 0.02
MEASURES = {"roc_auc": "ROC AUC", "roc_auc_ovr": "ROC AUC", "r2": "R²"}

Sections = Mapping[str, Mapping[str, Any]]


class Finding(NamedTuple):
    """`weight` orders findings: 100 may void the result, 0 is good to know."""

    kind: str
    weight: float
    columns: list[str]
    text: str
    advice: str


def findings(found: Sections, schema: Schema) -> list[dict[str, Any]]:
    """The weightiest first; of one kind the worst few, the rest counted in the last of them."""
    every: list[Finding] = []
    for look in LOOKS:
        of_kind = sorted(look(found, schema), key=lambda finding: -finding.weight)
        every += of_kind[:MAX_OF_A_KIND]
        if len(of_kind) > MAX_OF_A_KIND:
            last, more = every[-1], len(of_kind) - MAX_OF_A_KIND
            every[-1] = last._replace(text=f"{last.text}; and {more} more such column{'s' if more > 1 else ''}")
    every.sort(key=lambda finding: -finding.weight)
    return [finding._asdict() for finding in every[:MAX_FINDINGS]]


def headline(found: Sections, schema: Schema, rows: int) -> list[str]:
    """At most three sentences for someone who reads no further."""
    gaps = found["mistakes"]["missing"]
    sentences = [*_signal_in_words(found, schema)]
    if gaps["columns"]:
        most = gaps["columns"][0]
        whole = gaps["complete_rows"] / rows if rows else 0.0
        sentences.append(
            f"{len(gaps['columns'])} of {len(schema.features)} columns have gaps, '{most['column']}' most of all "
            f"({_share(most['share'])} of rows); {_share(whole)} of rows are complete."
        )
    else:
        sentences.append("No value is missing.")
    pairs = [pair for pair in found["predictors"]["pairs"] if _same(pair)]
    if pairs:
        count = len(pairs)
        which = f"'{pairs[0]['column']}' and '{pairs[0]['other']}'" if count == 1 else f"{count} pairs of columns"
        sentences.append(f"{which} say almost the same.")
    return sentences


def _signal_in_words(found: Sections, schema: Schema) -> Iterator[str]:
    alone = found["signal"]["baselines"]
    if not alone or not alone["columns"]:
        return
    clear = [one for one in alone["columns"] if one["score"] - one["sd"] > alone["dummy"] + CLEAR]
    total = len(alone["columns"])
    if not clear:
        yield f"No column alone tells '{schema.target}' better than guessing; the answer, if any, lies in combinations."
        return
    best = clear[0]
    measure = MEASURES[alone["measure"]]
    tell, own = ("tells", "its own") if len(clear) == 1 else ("tell", "their own")
    yield (
        f"{len(clear)} of {total} columns {tell} something about '{schema.target}' on {own}; the best is "
        f"'{best['column']}' ({measure} {best['score']:.2f}, where guessing gets {alone['dummy']:g})."
    )


def _too_good(found: Sections, schema: Schema) -> Iterator[Finding]:
    alone = found["signal"]["baselines"]
    for one in (alone or {"columns": []})["columns"]:
        if one["score"] > TOO_GOOD:
            yield Finding(
                "too-good",
                100,
                [one["column"]],
                f"'{one['column']}' alone predicts '{schema.target}' almost perfectly "
                f"({MEASURES[alone['measure']]} {one['score']:.3f})",
                f"ask whether it is known before the outcome is; if not, leave it out: {_ignoring(one['column'])}",
            )


def _no_signal(found: Sections, schema: Schema) -> Iterator[Finding]:
    alone = found["signal"]["baselines"]
    if alone and alone["columns"] and all(one["score"] - one["sd"] <= alone["dummy"] for one in alone["columns"]):
        yield Finding(
            "no-signal",
            95,
            [],
            f"no column alone tells '{schema.target}' better than guessing",
            "do not expect much of simple models; look for columns closer to the outcome",
        )


def _contradictions(found: Sections, schema: Schema) -> Iterator[Finding]:
    facts = found["mistakes"]["contradictions"]
    if facts and facts["rows"]:
        measure = "accuracy" if facts["measure"] == "accuracy" else "R²"
        ceiling = f": {measure} on all rows cannot be above {facts['ceiling']:.1%}" if facts["ceiling"] < 0.999 else ""
        yield Finding(
            "contradictions",
            90 if facts["ceiling"] < SAME else 40,
            [str(schema.target)],
            f"{facts['rows']} rows are equal to others in all columns but differ in '{schema.target}'{ceiling}",
            "look for wrong labels, or for a column that would tell these rows apart"
            if schema.classes
            else "look for a column that would tell these rows apart: no model can answer both rightly",
        )


def _other_problem(found: Sections, schema: Schema) -> Iterator[Finding]:
    task = found["assumptions"]["task"]
    few = schema.classes is not None and len(schema.classes) <= FEW_CLASSES  # numbered classes are usual
    if schema.supervised and task["suggested"] != task["problem"] and not few:
        yield Finding(
            "other-problem",
            85,
            [str(schema.target)],
            f"'{schema.target}' looks like a {task['suggested']}, and is treated as a {task['problem']}",
            f"if that was not meant, set problem: {task['suggested']}",
        )


def _rare_classes(found: Sections, schema: Schema) -> Iterator[Finding]:
    for one in sorted(found["assumptions"]["classes"], key=lambda one: one["rows"]):
        if one["rare"]:
            yield Finding(
                "rare-class",
                75,
                [str(schema.target)],
                f"class '{one['class']}' has only {one['rows']} rows ({_share(one['share'])})",
                "evaluate by balanced accuracy or average precision rather than accuracy, or bring in more such rows",
            )


def _near_copies(found: Sections, schema: Schema) -> Iterator[Finding]:
    for pair in found["predictors"]["pairs"]:
        if _same(pair):
            measure, value = max(_measures(pair).items(), key=lambda one: abs(one[1]))
            yield Finding(
                "near-copies",
                70,
                [pair["column"], pair["other"]],
                f"'{pair['column']}' and '{pair['other']}' say almost the same ({measure} = {value:.3f})",
                f"one of them is enough: to leave the second out, {_ignoring(pair['other'])}",
            )


def _same(pair: Mapping[str, Any]) -> bool:
    """By one measure nearly equal, and alike by a second where there is one: many equal values alone sway the first."""
    sizes = sorted((abs(value) for value in _measures(pair).values()), reverse=True)
    return sizes[0] > SAME and all(size > ALIKE for size in sizes[1:2])


def _measures(pair: Mapping[str, Any]) -> dict[str, float]:
    known = {"r": pair["pearson"], "rank correlation": pair["spearman"], "Cramer's V": pair["cramers_v"]}
    return {name: value for name, value in known.items() if value is not None}


def _ignoring(name: str) -> str:
    return f"set data: {{columns: {{{name}: ignore}}}}"


def _collinear(found: Sections, schema: Schema) -> Iterator[Finding]:
    facts = found["methods"]["collinearity"]
    if not facts or not facts["warning"]:
        return
    if facts["condition"] is None:
        named = ", ".join(f"'{name}'" for name in facts["redundant"])
        text = f"the numeric columns are not independent ({named or 'some'} follow from others)"
        yield Finding("collinear", 55, facts["redundant"], text, facts["advice"])
        return
    inflated = [one["column"] for one in facts["inflation"]][:MAX_NAMED]
    named = f", most of all {', '.join(repr(name) for name in inflated)}" if inflated else ""
    text = f"the numeric columns are nearly dependent (condition number {facts['condition']:,.0f}){named}"
    yield Finding("collinear", 55, inflated, text, facts["advice"])


def _bent(found: Sections, schema: Schema) -> Iterator[Finding]:
    facts = found["methods"]["separability"]
    if not facts or facts["step"] in ("separable", "none", "linear"):
        return
    reached = {one["step"]: one["value"] for one in facts["accuracy"]}
    if reached[facts["step"]] - reached["linear"] > BENT:
        yield Finding(
            "bent",
            58,
            [],
            f"a straight boundary tells {reached['linear']:.0%} of rows right, a bent one {reached[facts['step']]:.0%}",
            facts["advice"],
        )


def _missing(found: Sections, schema: Schema) -> Iterator[Finding]:
    gaps = found["mistakes"]["missing"]
    related = {pair["column"]: pair for pair in reversed(gaps["together"])}
    related |= {pair["other"]: {**pair, "other": pair["column"]} for pair in reversed(gaps["together"])}
    for one in gaps["columns"]:
        if one["share"] < MANY_MISSING:
            continue
        pair = related.get(one["column"])
        often = f", more often when '{pair['other']}' is missing" if pair else ""
        yield Finding(
            "missing",
            60 if one["share"] > 0.3 else 45,
            [one["column"]],
            f"'{one['column']}' is missing in {_share(one['share'])} of rows{often}",
            "ask why: a gap that means something is worth a column, and one is added for it",
        )


def _telling_gaps(found: Sections, schema: Schema) -> Iterator[Finding]:
    """Columns whose gaps go with another share of the positive of two classes."""
    for one in found["relations"]["columns"]:
        gaps = one.get("gaps")
        if schema.classes is None or not gaps or gaps["rows"] < MIN_GAPS:
            continue
        usual = gaps["known"]
        spread = (usual * (1 - usual) / gaps["rows"]) ** 0.5
        if abs(gaps["missing"] - usual) > max(4 * spread, 0.05):
            yield Finding(
                "telling-gaps",
                65,
                [one["column"]],
                f"where '{one['column']}' is missing, {_share(gaps['missing'])} are '{schema.classes[1]}', "
                f"elsewhere {_share(usual)}",
                "find out why it is missing: if that is known only after the outcome, the gap gives it away",
            )


def _far_values(found: Sections, schema: Schema) -> Iterator[Finding]:
    for one in found["mistakes"]["outliers"]:
        if one["furthest"] > FAR and one["examples"] and one["robust_z"] <= max(1, 0.01 * one["known"]):
            worst = one["examples"][0]
            yield Finding(
                "far-values",
                50,
                [one["column"]],
                f"'{one['column']}' has {one['robust_z']} far value(s), such as {_number(worst['value'])} in row "
                f"{worst['row']}; nearly all others lie between {_number(one['low'])} and {_number(one['high'])}",
                "check whether they are mistakes of typing or of units",
            )


def _skewed(found: Sections, schema: Schema) -> Iterator[Finding]:
    for one in found["assumptions"]["shapes"]:
        if abs(one["skewness"]) > SKEWED:
            side = "large" if one["skewness"] > 0 else "small"
            yield Finding(
                "skewed",
                30,
                [one["column"]],
                f"'{one['column']}' is lopsided: a few very {side} values (skewness {one['skewness']:.1f})",
                "trees do not mind; for linear models a logarithm may help",
            )


def _share(share: float) -> str:
    if 0 < share < 0.001:
        return "less than 0.1%"
    return f"{share:.1%}" if 0 < share < 0.1 or 0.9 < share < 1 else f"{share:.0%}"


def _number(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}"


LOOKS: tuple[Callable[[Sections, Schema], Iterator[Finding]], ...] = (
    _too_good,
    _no_signal,
    _contradictions,
    _other_problem,
    _rare_classes,
    _near_copies,
    _telling_gaps,
    _missing,
    _collinear,
    _bent,
    _far_values,
    _skewed,
)
