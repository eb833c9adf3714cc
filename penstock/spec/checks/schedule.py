"""Whether the times of a schedule ever come."""

from __future__ import annotations

import re

from penstock.errors import UsageError
from penstock.spec.pipeline import Spec

_BOUNDS = ((0, 59), (0, 23), (1, 31), (1, 12), (0, 7))  # minute, hour, day, month, day of the week


def check_schedule(spec: Spec, path: str) -> None:
    """Numbers alone; what else a field may hold is Prefect's to say."""
    cron = spec.schedule.cron if spec.schedule else None
    for field, (low, high) in zip((cron or "").split(), _BOUNDS, strict=False):
        numbers = re.findall(r"\d+", re.sub(r"[/#]\d+", "", field))
        if not all(low <= int(number) <= high for number in numbers):
            raise no_time(cron or "", f"{path}: schedule.cron")


def no_time(cron: str, where: str) -> UsageError:
    return UsageError(
        "PEN059",
        f"'{cron}' is no time that ever comes",
        where=where,
        remedy="write minute (0-59), hour (0-23), day (1-31), month (1-12) and day of the week (0-7, both are "
        "Sunday), each of which may be *: 0 3 * * * is every night at 3",
    )
