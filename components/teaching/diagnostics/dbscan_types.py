"""Which rows are at the core of a dense region, which on its border, and which stand alone."""

from __future__ import annotations

from typing import Annotated

import numpy as np
import pandas as pd
from pydantic import Field

from penstock.components.clustering.dbscan import DBSCAN
from penstock.components.diagnostics import Diagnostic, Found
from penstock.components.teaching.inputs.plane import in_a_plane, whole_numbers
from penstock.components.teaching.plots.planes import TYPES, types_figure


def dbscan_types(
    frame: pd.DataFrame,
    *,
    eps: Annotated[float, Field(gt=0)] | None = None,
    min_samples: Annotated[int, Field(ge=1)] = 5,
    scale: bool = True,
) -> Found:
    """A core row has `min_samples` rows within `eps`, itself among them; a row on the border is near a core row.

    Examples
    --------
    >>> import pandas as pd
    >>> from penstock.components.diagnostics import find
    >>> table = pd.DataFrame({"x": [0.0, 1.0, 2.0, 3.0, 9.0], "y": [0.0, 0.0, 0.0, 0.0, 9.0]})
    >>> find("dbscan-types")(table, {"eps": 1.0, "min_samples": 3, "scale": False}).facts["types"]
    {'core': 2, 'border': 2, 'noise': 1}
    """
    X, points, whole = in_a_plane(whole_numbers(frame), scale=scale)
    model = DBSCAN("auto" if eps is None else eps, min_samples=min_samples).fit(X)
    kinds = np.where(model.labels_ < 0, 2, 1)
    kinds[model.core_sample_indices_] = 0
    sizes = pd.Series(np.array(TYPES)[kinds]).value_counts().reindex(TYPES, fill_value=0)
    found = int(model.labels_.max()) + 1
    findings = [
        f"Within {model.eps_:.4g} of a core row there are at least {min_samples} rows: {sizes['core']} rows are core, "
        f"{sizes['border']} on a border, {sizes['noise']} noise, in {found} cluster{'' if found == 1 else 's'}."
    ]
    if eps is None:
        findings.append("The reach is where the sorted distances to the neighbours bend up.")
    table = pd.DataFrame({"cluster": model.labels_, "type": np.array(TYPES)[kinds]}).rename_axis("row")
    facts = {"eps": model.eps_, "types": {name: int(count) for name, count in sizes.items()}, "clusters": found}
    return Found(findings, table, facts, types_figure(points, kinds, model.eps_ if whole else None))


DIAGNOSTIC = Diagnostic(
    name="dbscan-types",
    summary="Which rows are core, border or noise by density (DBSCAN), with the balls about core rows",
    function=dbscan_types,
    parameters={
        "eps": "how far a neighbourhood reaches; by default where the distances to neighbours bend up",
        "min_samples": "rows that a dense neighbourhood has, the row itself among them; by default 5",
        "scale": "false to leave the columns in their own units",
    },
)
