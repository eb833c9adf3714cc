"""SECURITY.md names what exists: settings, commands, keys, error codes, modules and files."""

from __future__ import annotations

import re
from pathlib import Path

import click
import pytest
import typer.main

import penstock
from penstock.cli import app
from penstock.spec.pipeline import Spec

ROOT = Path(__file__).parent.parent.parent
TEXT = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
CODE = re.findall(r"`([^`]+)`", TEXT)
SOURCES = "\n".join(
    path.read_text(encoding="utf-8")
    for folder in ("penstock", "flows", "tasks", "components", "expectations")
    for path in sorted((ROOT / folder).rglob("*.py"))
)
# Of MLflow, and the alias that is told of: of these we have no list.
OTHERS = {"mlflow models serve", "mlflow.pyfunc.load_model", "champion"}


def commands() -> dict[str, click.Command]:
    group = typer.main.get_command(app)
    return dict(group.commands)  # type: ignore[attr-defined]


def is_there(word: str) -> bool:
    if word.startswith("penstock "):
        return word.split()[1] in commands()
    if word.startswith("penstock."):
        return hasattr(penstock, word.removeprefix("penstock."))
    if word.startswith("--"):
        return any(word in param.opts for one in commands().values() for param in one.params)
    if re.fullmatch(r"[A-Z]+(_[A-Z]+)+|[A-Z]{3}\d{3}", word):
        return re.search(rf'"{word}"', SOURCES) is not None
    return word in OTHERS or (ROOT / word).is_file() or word in Spec.model_fields


@pytest.mark.parametrize("word", sorted(set(CODE)))
def test_everything_that_is_named_exists(word: str) -> None:
    assert is_there(word)


def test_nothing_is_named_outside_of_backticks() -> None:
    plain = re.sub(r"`[^`]+`", "", TEXT)
    assert not re.findall(r"PENSTOCK_\w+|\bPEN\d{3}\b|\bpenstock [a-z]+|--[a-z]+", plain)


@pytest.mark.parametrize(
    "word", ["PENSTOCK_NOTHING", "penstock nothing", "penstock.nothing", "--nothing", "PEN000", "nothing"]
)
def test_what_does_not_exist_is_seen(word: str) -> None:
    assert not is_there(word)


@pytest.mark.parametrize("page", re.findall(r"\]\(([^)]+)\)", TEXT))
def test_links_lead_to_files(page: str) -> None:
    assert (ROOT / page).is_file()


def test_the_readme_leads_here_and_no_address_is_made_up() -> None:
    assert "[SECURITY.md](SECURITY.md)" in (ROOT / "README.md").read_text(encoding="utf-8")
    assert not re.search(r"\S@\S|https?://", TEXT)
    assert "private" in TEXT.split("\n## ")[0]
