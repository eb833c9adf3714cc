"""Penstock: one pipeline file in, one validated, honestly measured, registered model out."""

from __future__ import annotations

import os
from typing import Any

__version__ = "0.1.0"
__all__ = ["__version__", "load", "run"]

if os.name != "posix":
    raise ImportError("Penstock runs on Linux and macOS; on Windows, install and run it inside WSL (`wsl --install`).")

_LINKED = ("flows", "tasks", "problems", "components", "expectations")
if any(os.path.isfile(os.path.join(os.path.dirname(__file__), name)) for name in _LINKED):
    raise ImportError(
        "the symbolic links in penstock/ came out as text files: in this clone, run `git config core.symlinks true` "
        "and then `git checkout -- penstock`."
    )


def __getattr__(name: str) -> Any:
    if name in ("run", "load"):
        from penstock import api

        return getattr(api, name)
    raise AttributeError(f"module 'penstock' has no attribute {name!r}")
