"""What a reduction found."""

from __future__ import annotations

from pydantic import Field

from penstock.document.facts import Section
from penstock.document.features import Loading
from penstock.document.registry import section


@section("reduction")
class Reduction(Section):
    """`from_` prepared columns became `to` new ones; `share`: what so many directions could hold at most."""

    from_: int = Field(alias="from")
    to: int
    loadings: list[Loading]
    share: float
