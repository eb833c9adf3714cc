"""Pages that are written by the program itself, when the documentation is built."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Iterator, Sequence
from typing import Any

import docstring_parser
import typer
from docstring_parser import DocstringParam, DocstringStyle
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

from penstock import api
from penstock.cli import app
from penstock.components import catalog
from penstock.components.catalog import Entry, build, find, listing
from penstock.components.diagnostics import Diagnostic, Found
from penstock.components.domains import Float, Int, OneOf
from penstock.model import PenstockModel
from penstock.problems.declaration import Extra, Problem, Refusal
from penstock.spec.pipeline import schema


def on_files(files: Files, config: MkDocsConfig) -> Files:
    pages = {
        "pipeline-file": pipeline_file(),
        "catalogue": catalogue(),
        "methods": methods(),
        "commands": commands(),
        "python": python(),
    }
    for name, text in pages.items():
        files.append(File.generated(config, f"reference/{name}.md", content=text))
    return files


def pipeline_file() -> str:
    """Every key of the pipeline file with its meaning, values and default."""
    document = schema()
    lines = [
        "# Pipeline file",
        "",
        "A YAML file. Everything but `name`, `problem` and `data` has a default; unknown keys are refused.",
        "`penstock schema` prints the same as JSON schema, for completion and checks in an editor.",
    ]
    for title, part in _parts(document):
        lines += ["", f"## {title}", ""]
        if part.get("description") and title != "the file":
            lines += [_cell(part["description"]), ""]
        lines += ["| key | values | default | meaning |", "|---|---|---|---|"]
        for key, field in part["properties"].items():
            default = "needed" if key in part.get("required", []) else f"`{_plain(field.get('default'))}`"
            lines.append(
                f"| `{key}` | {_values(field, document)} | {default} | {_cell(field.get('description', ''))} |"
            )
    return "\n".join(lines) + "\n"


def catalogue() -> str:
    """Every method that a pipeline file can name."""
    lines = ["# Catalogue", "", "`penstock catalog` prints this list; a package of yours can add to it."]
    by_kind: dict[str, list[dict[str, Any]]] = {}
    for entry in listing():
        by_kind.setdefault(entry["kind"], []).append(entry)
    for kind, entries in sorted(by_kind.items()):
        lines += ["", f"## {kind}", "", "| name | for | searched | library | what it is |", "|---|---|---|---|---|"]
        for entry in sorted(entries, key=lambda entry: entry["name"]):
            searched = ", ".join(f"`{name}`" for name in entry["searched"])
            library = ", ".join(_linked(name) for name in entry["library"].split(", "))
            problems = ", ".join(entry["problems"])
            lines.append(f"| `{entry['name']}` | {problems} | {searched} | {library} | {_cell(_what(entry))} |")
    return "\n".join(lines) + "\n"


def _what(entry: dict[str, Any]) -> str:
    minimised = entry["objective"]
    return f"{entry['summary']} Minimises: {minimised}." if minimised else str(entry["summary"])


def _linked(library: str) -> str:
    """The class, with its parameters if it is of ours."""
    name = library.partition(":")[2]
    return f"[`{name}`](methods.md#{name.lower()})" if library.startswith("penstock.") else f"`{name}`"


def methods() -> str:
    """The classes of ours that the catalogue names, with their parameters."""
    lines = [
        "# Methods of ours",
        "",
        "The other methods of the [catalogue](catalogue.md) are classes of scikit-learn and other libraries, which "
        "document their parameters. Defaults are those of the classes; `penstock catalog NAME` shows those of a "
        "pipeline file.",
    ]
    named: dict[str, list[str]] = {}
    for entry in catalog.entries().values():
        for library in sorted(entry.libraries):
            if library.startswith("penstock."):
                named.setdefault(library, []).append(entry.name)
    family = ""
    for library, names in sorted(named.items()):
        module, _, name = library.partition(":")
        if module.split(".")[2] != family:
            family = module.split(".")[2]
            lines += ["", f"## {family.replace('_', ' ')}"]
        called = ", ".join(f"`{one}`" for one in names)
        lines += _documented(getattr(importlib.import_module(module), name), f"In a pipeline file: {called}.")
    return "\n".join(lines) + "\n"


def python() -> str:
    """What a user imports."""
    called = [one for one in vars(api).values() if getattr(one, "__module__", "") == api.__name__]
    rooms: dict[str, Sequence[Any]] = {
        "penstock.api": [one for one in called if not one.__name__.startswith("_")],
        "penstock.model": [PenstockModel],
        "penstock.problems": [Problem, Extra, Refusal],
        "penstock.components.catalog": [Entry, find, build],
        "penstock.components.domains": [Float, Int, OneOf],
        "penstock.components.diagnostics": [Diagnostic, Found],
    }
    lines = ["# Python", "", "`penstock.run` and `penstock.load` are those of `penstock.api`."]
    for room, things in rooms.items():
        lines += ["", f"## {room}"]
        for thing in things:
            lines += _documented(thing)
    return "\n".join(lines) + "\n"


def _documented(thing: Any, more: str = "") -> list[str]:
    """What a docstring says, as a section of a page."""
    text = inspect.cleandoc(thing.__doc__)
    said = docstring_parser.parse(text, style=DocstringStyle.NUMPYDOC)
    lines = ["", f"### {thing.__name__}", "", str(said.short_description), "", more, "", said.long_description or ""]
    for section, title in (("param", "parameter"), ("attribute", "attribute")):
        found = [one for one in said.meta if isinstance(one, DocstringParam) and one.args[0] == section]
        lines += ["", *_table(found, title)] if found else []
    if said.returns:
        lines += ["", f"Returns {said.returns.type_name}: {said.returns.description}"]
    return [*lines, "", "```pycon", text.partition("\nExamples\n--------\n")[2], "```"]


def _table(found: Sequence[DocstringParam], title: str) -> Iterator[str]:
    defaults = title == "parameter"
    yield f"| {title} | type | {'default | ' if defaults else ''}meaning |"
    yield f"|---|---|{'---|' if defaults else ''}---|"
    for one in found:
        default = "" if one.default is None else f"`{one.default}`"
        cells = [f"`{one.arg_name}`", one.type_name or "", *([default] if defaults else []), one.description or ""]
        yield f"| {' | '.join(_cell(cell) for cell in cells)} |"


def commands() -> str:
    """Every command with its help, as the terminal shows it."""
    group: Any = typer.main.get_command(app)
    lines = ["# Commands", ""]
    for name, command in sorted(group.commands.items()):
        context = typer.Context(command, info_name=f"penstock {name}", terminal_width=100, max_content_width=100)
        lines += [f"## {name}", "", "```text", command.get_help(context), "```", ""]
    return "\n".join(lines)


def _parts(document: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    yield "the file", document
    yield from _below("", document, document["$defs"])


def _below(path: str, part: dict[str, Any], known: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    for key, field in part["properties"].items():
        name = _reference(field)
        if name and name != "Choice" and "properties" in known[name]:
            yield f"{path}{key}", known[name]
            yield from _below(f"{path}{key}.", known[name], known)


def _reference(field: dict[str, Any]) -> str | None:
    """The part that a key holds, if it holds one."""
    options = [field, *field.get("anyOf", [])]
    return next((option["$ref"].rpartition("/")[2] for option in options if "$ref" in option), None)


def _values(field: dict[str, Any], document: dict[str, Any]) -> str:
    if "enum" in field:
        return ", ".join(f"`{value}`" for value in field["enum"])
    if "const" in field:
        return f"`{field['const']}`"
    if options := field.get("anyOf") or field.get("oneOf"):
        return " or ".join(dict.fromkeys(_values(option, document) for option in options))
    if "$ref" in field:
        name = field["$ref"].rpartition("/")[2]
        return "a method, or a method with parameters" if name == "Choice" else "a mapping, see below"
    if field.get("type") == "array":
        return f"a list: {_values(field.get('items', {}), document)}"
    if field.get("type") == "object":
        return f"by name: {_values(field.get('additionalProperties', {}), document)}"
    words = {"string": "text", "integer": "a whole number", "number": "a number", "boolean": "`true`, `false`"}
    return words.get(field.get("type", ""), "nothing" if field.get("type") == "null" else "any") + _range(field)


def _range(field: dict[str, Any]) -> str:
    ends = (("minimum", "from"), ("exclusiveMinimum", "above"), ("maximum", "to"), ("exclusiveMaximum", "below"))
    said = [f"{word} {field[name]}" for name, word in ends if name in field]
    return f", {' '.join(said)}" if said else ""


def _plain(value: Any) -> str:
    if value is None:
        return "none"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list | dict):
        return "see below" if value else "empty"
    return str(value)


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")
