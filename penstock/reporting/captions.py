"""How to read each figure, and where it stands."""

# Which section shows a figure; all others stand under "plots".
SECTION_OF = {
    "choice_of_k": "clusters",
    "cluster_profile": "clusters",
    "missing_values": "data",
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
    "threshold_choice": "answers",
    "before_and_after": "answers",
    "prediction_intervals": "answers",
    "importance": "explanation",
    "partial_dependence": "explanation",
    "slices": "explanation",
    "fairness": "explanation",
    "shap": "explanation",
    "learning_curve": "explanation",
    "validation_curve": "explanation",
    "boundary_panels": "explanation",
    "bias_variance": "explanation",
}
CAPTIONS = {
    "importance": "How much worse the model is when a column's values are shuffled among test rows. Near 0: the model "
    "does not need it, perhaps because another column says the same.",
    "partial_dependence": "Mean prediction when the column is set to each value in turn, all else as it is. The band "
    "holds nine of ten single rows: where it is wide, the column works differently from row to row.",
    "slices": "Bar: 95% interval. Orange: worse than all test rows by more than chance, corrected for the number of "
    "slices.",
    "fairness": "How often each group is decided for. Equal circles: demographic parity; equal squares and equal "
    "diamonds: equalised odds.",
    "shap": "Each dot is a test row: how far the column moved its prediction. Orange: a high value of the column.",
    "learning_curve": "If the line of other rows still improves at the right, more rows will help. Where both lines "
    "have met, only a richer model or better columns would.",
    "validation_curve": "Too little capacity: both lines are bad. Too much: good on rows learnt from, worse on others. "
    "Ring: the best value of the curve; dashed: the chosen one.",
    "boundary_panels": "What the model would answer at each place, for some values of its main parameter.",
    "bias_variance": "Left: each dot is the model fitted on resampled rows, the cross is the truth, the diamond their "
    "mean. Right: what capacity trades; noise that nobody can predict counts as bias.",
    "confusion_matrix": "Rows of the test set by true and predicted class. The diagonal is right; the shade is the "
    "share of the true class.",
    "roc_curve": "Each point is a threshold: how many of the class are found, at the price of how many false alarms. "
    "The nearer to the upper left corner, the better.",
    "precision_recall_curve": "The further to the right without falling, the more positives are found without "
    "flagging others.",
    "threshold_curve": "Raising the threshold flags fewer rows: precision tends to rise, recall falls. Dotted: the "
    "model's threshold.",
    "threshold_choice": "On learning rows that the winner's fits had not seen; the test rows had no say. A flat top "
    "means that the exact threshold matters little.",
    "before_and_after": "On test rows: on the dashed line, a promised 30% happens in 30 of 100 rows. Each dot is a "
    "tenth of the rows.",
    "prediction_intervals": "Each dot is a test row; between the lines, the interval holds the true value.",
    "calibration_curve": "On the dashed line, a promised 30% happens in 30 of 100 rows. Bars below: rows per bin.",
    "score_distribution": "The less the two overlap, the better the model tells them apart. Dotted: the "
    "model's threshold.",
    "predicted_vs_actual": "Each dot is a test row; on the dashed line the prediction is exact.",
    "residuals": "What predictions miss by. A pattern on the left, or a lopsided histogram, is something not learnt.",
    "target_distribution": "The parts should look alike: a model is judged on the kind of rows it learnt from.",
    "split_diagram": "Each line is a fit: the rows that teach it, and those that judge it. The last line is the model "
    "that ships; its test rows take part in nothing before.",
    "partition_sizes": "The lines should look alike: every fold, and the test, judges by the same mixture of classes.",
    "missing_values": "Share of the learning rows without a value.",
    "clusters_2d": "Each dot is a row. Two dimensions cannot show all distances: clusters that overlap here may be "
    "apart.",
    "silhouette_plot": "Each line is a row: long to the right, it fits its cluster; to the left of 0, another cluster "
    "would fit better.",
    "choice_of_k": "Ring: the best number of clusters by that curve. Dashed line: the chosen one. Where there is no "
    "ring, look for the bend.",
    "cluster_profile": "Mean of each column in each cluster, the most telling column on top.",
    "correlation_matrix": "Blue: both grow together; orange: one grows as the other falls. Columns that go together "
    "stand together, so that groups of them show as blocks.",
    "association_matrix": "For columns of any kind: 0 is unrelated, 1 means that one follows from the other.",
    "predictor_outcome": "The straight line is the best one by least squares; where dots bend away from it, a straight "
    "line is not enough.",
    "missing_patterns": "Each line is a set of columns that are missing in the same rows.",
    "long_tail": "A few levels hold most rows, and many are rare: rare ones are put together as one.",
    "chosen_features": "Filled bars are in the model. A feature that every fold chooses says something; one that a "
    "single fold chose may be luck.",
    "scree": "Above, the variance along each direction: look for the fall. Below, what the first of them explain "
    "together; the dashed lines are what was asked for and what is kept.",
    "polynomial_fits": "A stiff curve misses on all rows; a wild one fits the rows it learnt from and misses others. "
    "The errors are root mean squares.",
}
