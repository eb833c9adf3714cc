"""Tables into files: CSV, JSON lines or Parquet by the file's suffix, whole or not at all."""

from __future__ import annotations

import gzip
import io
import json
from pathlib import Path
from typing import Any

import pandas as pd

from penstock.errors import UsageError
from penstock.store import write_atomically

WRITABLE = (".csv", ".csv.gz", ".jsonl", ".jsonl.gz", ".parquet")


def write_table(frame: pd.DataFrame, path: Path) -> None:
    """The same table gives the same bytes."""
    suffix = require_writable(path)
    buffer = io.BytesIO()
    if suffix == ".parquet":
        frame.to_parquet(buffer, index=False)
    elif suffix.startswith(".csv"):
        frame.to_csv(buffer, index=False)
    else:
        _write_json_lines(frame, buffer)
    content = buffer.getvalue()
    write_atomically(path, gzip.compress(content, mtime=0) if suffix.endswith(".gz") else content)


def require_writable(path: Path) -> str:
    suffix = next((suffix for suffix in WRITABLE if path.name.lower().endswith(suffix)), None)
    if suffix is None:
        raise UsageError(
            "PEN121",
            f"the name '{path.name}' does not end in a known suffix",
            where=str(path),
            remedy=f"use a file with one of these suffixes: {', '.join(WRITABLE)}",
        )
    return suffix


def _write_json_lines(frame: pd.DataFrame, buffer: io.BytesIO) -> None:
    """pandas would round numbers to fifteen digits."""
    columns = [frame[name].astype(object).where(frame[name].notna(), None).tolist() for name in frame.columns]
    for values in zip(*columns, strict=True):
        record = dict(zip(frame.columns, values, strict=True))
        buffer.write(json.dumps(record, ensure_ascii=False, default=_plain).encode() + b"\n")


def _plain(value: Any) -> Any:
    if hasattr(value, "isoformat"):
        return value.isoformat()
    return value.item() if hasattr(value, "item") else str(value)
