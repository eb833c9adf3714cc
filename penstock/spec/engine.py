"""Where the numeric work of a pipeline is done."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Annotated, Any

from pydantic import Field, ValidationError, model_validator

from penstock.errors import UsageError
from penstock.spec.base import SpecModel

WORDS = ("local", "dask")


class Dask(SpecModel):
    address: Annotated[
        str | None,
        Field(
            pattern=r"^(tcp|tls|ws|wss)://[^\s/@]+:\d+$",
            description="The scheduler of a running cluster, such as tcp://10.0.0.5:8786; by default a cluster is "
            "started on this machine for the run.",
        ),
    ] = None
    workers: Annotated[
        int | None,
        Field(
            ge=1,
            le=10_000,
            description="Dask workers: how many are started, by default limits.workers; of a running cluster, how many "
            "to wait for.",
        ),
    ] = None


class Engine(SpecModel):
    """`local`, `dask`, or `{dask: {address: ...}}`."""

    dask: Annotated[Dask | None, Field(description="A Dask cluster: its address, or how many workers to start.")] = None

    @model_validator(mode="before")
    @classmethod
    def from_short_form(cls, value: Any) -> Any:
        if isinstance(value, str):
            if value not in WORDS:
                raise ValueError(f"there is no engine '{value}'; choose one of: {', '.join(WORDS)}")
            return {"dask": {}} if value == "dask" else {}
        if value == {"dask": None}:
            return {"dask": {}}
        return value


def require_dask(where: str = "engine") -> None:
    if find_spec("prefect_dask") is None:
        raise UsageError(
            "PEN092",
            "`engine: dask` needs Dask, which is not installed here",
            where=where,
            remedy="pip install 'penstock[dask]', on all machines; or leave `engine` out",
        )


def engine_named(text: str) -> Engine:
    """From a word or an address."""
    try:
        return Engine.model_validate(text if text in WORDS else {"dask": {"address": text}})
    except ValidationError:
        raise UsageError(
            "PEN093",
            f"'{text}' is no engine",
            where="--engine",
            remedy=f"choose one of: {', '.join(WORDS)}, or give the address of a Dask scheduler: tcp://10.0.0.5:8786",
        ) from None
