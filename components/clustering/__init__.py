"""The evidence of a clustering: scores, stability, the choice of K and method, descriptions of the clusters."""
