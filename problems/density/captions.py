"""How to read the figures of a density, and where they stand."""

PLACES = {
    "density_histogram": "density",
    "density_map": "density",
}
CAPTIONS = {
    "density_histogram": "The two should look alike. Where the test rows lie further left, the model knows rows that "
    "it was trained on by heart.",
    "density_map": "Rows may be rare in a direction that is not drawn.",
}
