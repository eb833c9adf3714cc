"""The text of a first pipeline file: what was found, each with its reason, ready to be corrected."""

from __future__ import annotations

import re
from typing import Any

import yaml

from penstock.components.evaluation.metrics import shown
from penstock.components.schema import Column
from penstock.problems import find
from penstock.starter.look import FOLDS, Found

ROLES = """\
    # What each column is used as, and why. To correct one, take away its '#' and say what it is:
    # nominal, {ordinal: [low, mid, high]}, ratio, interval, boolean, date, text, id, group, time, weight, ignore."""
NOTE_AT = 44
LINE_BREAK = "[\n\x85\u2028\u2029]"


def pipeline_text(found: Found, *, name: str, source: str, reading: dict[str, Any], file: str, suite: str) -> str:
    command = f"penstock run {' '.join(file.split())}"
    parts = [
        f"""\
# A Penstock pipeline, begun by `penstock init` from {found.rows:,} rows and yours to edit.
#   {command:<{NOTE_AT}} from data to a registered model, with a report
#   {f"{command} --sample 2000":<{NOTE_AT}} a quick try on 2,000 rows
#   {"penstock schema":<{NOTE_AT}} every key that can stand here, with its meaning

version: 1
name: {name}
""",
        f"{_line(f'problem: {found.problem}', found.why)}\n{_question(found)}\n",
        _data(found, source, reading),
        _validation(found, suite),
        _split(found),
        _models(found),
        _search(found),
        """\
register:
  # A new model becomes the champion when it is surely better on rows the old one never trained on; a gain below
  # the margin is none.
  promote: {margin: 0.005, confidence: 0.95}
""",
    ]
    return "\n".join(parts)


def _question(found: Found) -> str:
    words = find(found.problem).first_question.format(target=found.target)
    return _line(f"# question: {yaml_of(words)}", "in your own words; it heads the report")


def declared(column: Column) -> Any:
    """The column's role as a pipeline file says it."""
    if column.role == "ordinal":
        return {"ordinal": column.levels}
    return column.scale or column.role


def yaml_of(value: Any) -> str:
    """On one line, with quotes where YAML needs them."""
    text = yaml.dump(
        value, Dumper=_OnOneLine, default_flow_style=True, allow_unicode=True, sort_keys=False, width=2**31
    )
    return str(text.removesuffix("...\n").strip())


class _OnOneLine(yaml.SafeDumper):
    """Line breaks within a text are written as \\n."""


def _text(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    style = '"' if re.search(LINE_BREAK, text) else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


_OnOneLine.add_representer(str, _text)


def _data(found: Found, source: str, reading: dict[str, Any]) -> str:
    lines = ["data:", f"  source: {yaml_of(source)}"]
    if reading:
        lines.append(_line(f"  reading: {yaml_of(reading)}", "how the source is read, as found out or told"))
    if found.target is not None:
        lines.append(f"  target: {yaml_of(found.target)}")
    if found.positive is not None:
        lines.append(_line(f"  positive: {yaml_of(found.positive)}", "the rarer class; F1 and precision speak of it"))
    reasons = {column.name: column.reason for column in found.columns}
    if found.key:
        lines.append(_line(f"  key: {yaml_of(found.key)}", reasons[found.key]))
    if found.group:
        why = f"{reasons[found.group]}, and go to the same side of every split; if they do not, delete this line"
        lines.append(_line(f"  group: {yaml_of(found.group)}", why))
    lines += ["  columns:", ROLES]
    lines += [_role(column, found) for column in found.columns if column.name not in (found.key, found.group)]
    return "\n".join(lines) + "\n"


def _role(column: Column, found: Found) -> str:
    name, correction = yaml_of(column.name), found.corrections.get(column.name)
    if correction:
        return _line(f"    {name}: {correction.role}", correction.why)
    line = _line(f"    # {name}: {yaml_of(declared(column))}", column.reason)
    if column.suggests and column.suggests != "group":
        line += f". If so: {name}: {column.suggests}"
    return line


def _validation(found: Found, suite: str) -> str:
    stop = _line("  on_failure: stop", "a rule that fails ends the run; or: warn")
    if found.most_targets_missing:
        stop = _line("  on_failure: warn", "most targets are missing, which would end the run")
    return f"""\
validation:
{_line(f"  written: {yaml_of(suite)}", "rules of your own; a first draft was written")}
{_line("  suite: learnt", "rules learnt from the training rows, which travel with the model")}
{stop}
"""


def _split(found: Found) -> str:
    lines = ["split:", _line("  test: 0.2", "share of rows kept for the one final evaluation")]
    if found.published:
        why = "the split that came with the data: take away the '#' to keep it in the place of test"
        lines.append(_line(f"  # given: {yaml_of(found.published)}", why))
    if find(found.problem).cross_validated:
        lines.append(_line(f"  folds: {FOLDS}", "candidates are compared on so many parts of the other rows"))
    if not found.stratify:
        lines.append(_line("  stratify: false", "a class has too few rows to be in every part"))
    lines.append(_line("  seed: 0", "the one seed of the run"))
    return "\n".join(lines) + "\n"


def _models(found: Found) -> str:
    return f"""\
# By default these are tried; `penstock catalog --problem {found.problem}` lists all.
# models: {yaml_of(list(find(found.problem).candidates))}
"""


def _search(found: Found) -> str:
    folds = find(found.problem).cross_validated
    budget = f"fits; one candidate takes {FOLDS}, one for each fold" if folds else "candidates"
    lines = ["search:", _line(f"  fits: {found.fits}", f"the budget, in {budget}")]
    if found.metric:
        others = [one.name for one in shown(len(found.classes or [])) if one.name != found.metric]
        lines.append(_line(f"  metric: {found.metric}", f"decides who wins; or: {', '.join(others)}"))
    return "\n".join(lines) + "\n"


def _line(content: str, note: str) -> str:
    return f"{content:<{NOTE_AT}} # {' '.join(note.split())}"
