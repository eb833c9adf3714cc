"""How to read the figures of a reduction, and where they stand."""

PLACES = {
    "reduced_map": "reduction",
    "variances": "reduction",
    "reconstructions": "reduction",
    "known_map": "known",
}
CAPTIONS = {
    "reduced_map": "Each dot is a test row. Near dots are alike in what the two columns keep; what the others hold is "
    "not seen here.",
    "variances": "Above, how much the prepared rows vary along each principal direction: look for the fall. Below, "
    "what the first of them hold together: no linear reduction to so many columns keeps more.",
    "reconstructions": "The longer a line, the more of that cell is lost on the way to few columns and back.",
    "known_map": "The groups were not seen. Where colours lie apart, the new columns keep what tells them apart.",
}
