"""Whether candidates can be fitted to these rows at all."""

from __future__ import annotations

from penstock.components.clustering.cost import require_affordable
from penstock.components.search.candidates import CLUSTERS, Candidate
from penstock.errors import DataError
from penstock.problems.fits import Prepared
from penstock.store import Store


def check_candidates(
    store: Store, prepared: Prepared, candidates: list[Candidate], *, memory: float, seconds: float | None
) -> None:
    """No more clusters than rows, nor memory than there is, nor time than a fit may take: said before any is fitted."""
    rows, columns = store.matrix(prepared.train).shape
    for one in candidates:
        asked = int(one.parameters.get(CLUSTERS) or 0)
        if asked > rows:
            raise DataError(
                "PEN321",
                f"{asked} clusters are asked for, and there are {rows} training rows",
                where=f"models: {one.name}",
                remedy=f"ask for at most {rows} clusters, far fewer in practice, or bring more rows",
            )
        require_affordable(one.name, rows, columns, one.parameters, limit=memory, seconds=seconds)
