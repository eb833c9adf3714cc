"""How to read the figures that runs of all kinds have, and where they stand."""

# Which section shows a figure; all others stand under "plots".
PLACES = {
    "missing_values": "data",
    "flow_diagram": "data",
    "split_diagram": "data",
    "partition_sizes": "data",
    "target_distribution": "data",
    "correlation_matrix": "analysis",
    "association_matrix": "analysis",
    "predictor_outcome": "analysis",
    "missing_patterns": "analysis",
    "long_tail": "analysis",
    "chosen_features": "features",
    "scree": "features",
    "polynomial_fits": "features",
}
ONLY_A_PICTURE = (
    "Near dots are alike; nothing else may be read from it: not the size of a group, not how far groups are apart. "
    "Nothing was fitted to this picture, and nothing is evaluated by it."
)
CAPTIONS = {
    "picture_t-sne": ONLY_A_PICTURE,
    "picture_umap": ONLY_A_PICTURE,
    "target_distribution": "The parts should look alike: a model is evaluated on the kind of rows it was trained on.",
    "split_diagram": "Each line is a fit: its training rows and its validation rows. The last line is the model "
    "that ships; its test rows take part in nothing before.",
    "flow_diagram": "Along the top: what trains. Below: rows that nothing is trained on, which evaluate the model "
    "once.",
    "partition_sizes": "The lines should look alike: every fold, and the test, has the same mixture of classes.",
    "missing_values": "Share of the training rows without a value.",
    "correlation_matrix": "Blue: both grow together; orange: one grows as the other falls. Columns that go together "
    "stand together, so that groups of them show as blocks.",
    "association_matrix": "For columns of any kind: 0 is unrelated, 1 means that one follows from the other.",
    "predictor_outcome": "One column at a time, whatever the others do.",
    "missing_patterns": "Each line is a set of columns that are missing in the same rows.",
    "long_tail": "A few levels hold most rows, and many are rare: rare ones are put together as one.",
    "chosen_features": "Filled bars are in the model. A feature that every fold chooses says something; one that a "
    "single fold chose may be luck.",
    "scree": "Above, the variance along each direction: look for the fall. Below, what the first of them explain "
    "together; the dashed lines are what was asked for and what is kept.",
    "polynomial_fits": "A stiff curve misses on all rows; a wild one fits its training rows and misses others. "
    "The errors are root mean squares.",
}
