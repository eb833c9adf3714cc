"""How to read the figures of a clustering, and where they stand."""

PLACES = {
    "null_comparison": "structure",
    "choice_of_k": "clusters",
    "criteria": "structure",
    "elbow": "structure",
    "gap": "structure",
    "dendrogram": "structure",
    "consensus_matrix": "structure",
    "scaled_panels": "structure",
    "directions": "structure",
    "contingency": "truth",
    "cluster_profile": "clusters",
}
CAPTIONS = {
    "clusters_2d": "Each dot is a row. Two dimensions cannot show all distances: clusters that overlap here may be "
    "apart.",
    "silhouette_plot": "Each line is a row: long to the right, it fits its cluster; to the left of 0, another cluster "
    "would fit better.",
    "choice_of_k": "Ring: the best number of clusters by that curve. Dashed line: the chosen one. Where there is no "
    "ring, look for the bend.",
    "null_comparison": "Each stroke is a draw of rows without groups, the dot these rows. There is structure where the "
    "dot lies to the right of (nearly) all strokes on every line.",
    "elbow": "The spread inside the clusters always falls as they become more: look for the bend.",
    "gap": "How much tighter the clusters are than those of rows spread evenly over the same range. Bars: one standard "
    "error.",
    "criteria": "Ring: what the criterion picks. Criteria ask different things, so that they need not agree.",
    "dendrogram": "Rows that are joined low are alike. The dashed line cuts each tree into as many clusters as were "
    "chosen; a long way without a merge about it speaks for that number. Linkages differ in what they call near.",
    "consensus_matrix": "Dark: most clusterings put the two rows together. Clean blocks mean that methods agree.",
    "scaled_panels": "The same rows and method, the numbers scaled otherwise. Where the colours fall otherwise, the "
    "answer hangs on the scaling. Each panel shows the two directions in which its rows vary most.",
    "directions": "Above, how much the prepared rows vary along each principal direction; below, how much of it the "
    "first of them hold together. Where two hold most, the picture of the clusters shows nearly all.",
    "contingency": "Test rows by cluster and known group. One dark cell a line means that a cluster is one group.",
    "cluster_profile": "Mean of each column in each cluster, the most telling column on top.",
}
