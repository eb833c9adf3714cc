"""What compiled code follows without a look: indices, shapes that belong together, numbers of threads.

A type's check holds for its subclasses, and for whoever has put it on a list of trusted types.
"""

from __future__ import annotations

from penstock.model_file.checks.registry import UnsoundError, require_sound, require_sound_state

__all__ = ["UnsoundError", "require_sound", "require_sound_state"]
