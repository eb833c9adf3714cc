"""The best of all partitions of a small table."""

from __future__ import annotations

import pandas as pd

from penstock.components.clustering.k_means import KMeans
from penstock.components.diagnostics import Diagnostic, Found
from penstock.components.teaching.clustering.exhaustive import best_partition as find_best
from penstock.components.teaching.clustering.exhaustive import partitions, partitions_into
from penstock.components.teaching.inputs.matrix import finite


def best_partition(frame: pd.DataFrame, *, clusters: int = 2) -> Found:
    """Beside what k-means finds from one start and from fifty.

    Examples
    --------
    >>> import pandas as pd
    >>> from penstock.components.diagnostics import find
    >>> table = pd.DataFrame({"a": [0.0, 0.1, 0.2, 5.0, 5.1, 5.2], "b": [0.0, 0.2, 0.1, 5.0, 5.2, 5.1]})
    >>> find("best-partition")(table).facts["partitions"]
    31
    """
    rows = finite(frame)
    labels, least = find_best(rows, clusters)
    once, often = (KMeans(clusters, n_init=starts, random_state=0).fit(rows).inertia_ for starts in (1, 50))
    count, every = partitions_into(len(rows), clusters), partitions(len(rows))
    findings = [
        f"The best of {count:,} partitions of {len(rows)} rows into {clusters} clusters has a sum of squares of "
        f"{least:.6g}; there are {every:,} partitions into any number of clusters.",
        f"K-means finds {once:.6g} from one start and {often:.6g} from fifty.",
    ]
    table = frame.assign(cluster=labels)
    facts = {"partitions": count, "all_partitions": every, "best": least, "k_means": float(often)}
    return Found(findings, table, facts)


DIAGNOSTIC = Diagnostic(
    name="best-partition",
    summary="The best of all partitions of at most 12 rows: what a clusterer can be measured against",
    function=best_partition,
    parameters={"clusters": "how many clusters, by default 2"},
    syllabus=("cluster-exhaustive",),
)
