"""What a column to predict holds."""

from __future__ import annotations

from typing import Literal

TargetType = Literal["classes", "quantity"]
