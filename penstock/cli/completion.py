"""What the shell offers after Tab. Looks at names of folders only: it runs at every key."""

from __future__ import annotations


def complete_run(incomplete: str) -> list[str]:
    return [run_id for run_id in _runs() if run_id.startswith(incomplete)]


def complete_pipeline(incomplete: str) -> list[str]:
    from penstock.home.runs import pipelines

    return [name for name in pipelines(_runs()) if name.startswith(incomplete)]


def complete_model(incomplete: str) -> list[str]:
    """A pipeline's model has its name."""
    return [f"{name}@champion" for name in complete_pipeline(incomplete.partition("@")[0])]


def _runs() -> list[str]:
    from penstock.home.runs import finished_runs
    from penstock.settings import Settings

    return finished_runs(Settings.from_environment().home)
