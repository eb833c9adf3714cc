"""How to read the figures of predictions for rows, and where they stand."""

PLACES = {
    "threshold_choice": "predictions",
    "before_and_after": "predictions",
    "prediction_intervals": "predictions",
    "tree": "deciding",
    "tree_regions": "deciding",
    "coefficients": "deciding",
    "probability_curve": "deciding",
    "coefficient_path": "deciding",
    "margin": "deciding",
    "epsilon_tube": "deciding",
    "class_densities": "deciding",
    "class_shares": "deciding",
    "neighbours": "deciding",
    "training_curves": "deciding",
    "gradient_norms": "deciding",
    "importance": "explanation",
    "partial_dependence": "explanation",
    "slices": "explanation",
    "fairness": "explanation",
    "shap": "explanation",
    "learning_curve": "explanation",
    "validation_curve": "explanation",
    "boundary_panels": "explanation",
    "boosting_curve": "explanation",
    "knn_regression": "explanation",
    "bias_variance": "explanation",
}
CAPTIONS = {
    "tree": "Read from left to right: a blue box asks about a column, the words above a box say what holds there, a "
    "green box is what the model says.",
    "tree_regions": "Within a region the prediction is always the same: a tree cuts across one column at a time.",
    "coefficients": "To the right: the more of the column, the more of the outcome. Weights of scaled columns can be "
    "compared with each other; those of columns that go together share what they say.",
    "probability_curve": "Each training row stands at the bottom or the top, by what it is. Where the line is "
    "steep, a small change of a column changes the prediction; right of the dotted line it is the class named above.",
    "coefficient_path": "The same model with weaker and stronger penalties; dashed: the chosen one. A weight that "
    "stays zero for long belongs to a column that says little of its own.",
    "margin": "Rows in the margin or on the wrong side of its border hold it; those outside could be left out. The "
    "less lies in the margin, the surer the border.",
    "epsilon_tube": "Errors inside the tube cost nothing; rows outside it pull the curve, each with the same "
    "force however far away it is.",
    "class_densities": "The columns whose densities lie farthest apart. Where a class's density is the highest, the "
    "column speaks for it.",
    "class_shares": "The values whose shares differ most between the classes. A value speaks for the class in which it "
    "is commoner.",
    "neighbours": "Test rows whose neighbours are farther than those of training rows are predicted from rows that "
    "are less like them.",
    "training_curves": "After each pass over the rows. Dashed: the pass whose weights are kept. To the right of it, "
    "training rows may still gain, but others do not: that is learning by heart.",
    "gradient_norms": "How strongly each layer is pulled. Lines that fan out by orders of magnitude mean that the "
    "first layers learn nothing (they lie lowest) or are thrown about (highest).",
    "importance": "How much worse the model is when a column's values are shuffled among test rows. Near 0: the model "
    "does not need it, perhaps because another column says the same.",
    "partial_dependence": "Of test rows drawn at random: the mean prediction when the column is set to each value in "
    "turn, all else as it is. The band holds nine of ten single rows: where it is wide, the column works differently "
    "from row to row.",
    "slices": "Bar: 95% interval. Orange: worse than all test rows by more than chance, corrected for the number of "
    "slices.",
    "fairness": "How often each group is decided for. Equal circles: demographic parity; equal squares and equal "
    "diamonds: equalised odds.",
    "shap": "Each dot is a test row: how far the column moved its prediction. Orange: a high value of the column.",
    "learning_curve": "If the line of other rows still improves at the right, more rows will help. Where both lines "
    "have met, only a richer model or better columns would.",
    "validation_curve": "Too little capacity: both lines are bad. Too much: good on training rows, worse on others. "
    "Ring: the best value of the curve; dashed: the chosen one.",
    "boosting_curve": "Each round adds a small model that mends what the ones before got wrong. Where the line of "
    "other rows turns for the worse, fewer rounds would do; it may still improve when all training rows are right.",
    "knn_regression": "The mean of the nearest rows, by one column alone. Few neighbours follow every row (variance); "
    "many flatten what is there (bias).",
    "boundary_panels": "What the model would prediction at each place, for some values of its main parameter.",
    "bias_variance": "Left: each dot is the model fitted on resampled rows, the cross is the truth, the diamond their "
    "mean. Right: what capacity trades; noise that nobody can predict counts as bias.",
    "confusion_matrix": "Rows of the test set by true and predicted class. The diagonal is right; the shade is the "
    "share of the true class.",
    "roc_curve": "Each point is a threshold: how many of the class are found, at the price of how many false alarms. "
    "The nearer to the upper left corner, the better.",
    "precision_recall_curve": "The further to the right without falling, the more positives are found without "
    "flagging others.",
    "threshold_curve": "Raising the threshold flags fewer rows: precision tends to rise, recall falls. Dotted: the "
    "model's threshold. To be looked at, not to choose by: a threshold chosen here would be evaluated by the rows that "
    "chose it. The setting decision: {threshold: tune} learns one from training rows.",
    "threshold_choice": "On training rows that the winner's fits had not seen; the test rows had no say. A flat top "
    "means that the exact threshold matters little.",
    "before_and_after": "On test rows: on the dashed line, a promised 30% happens in 30 of 100 rows. Each dot is a "
    "tenth of the rows.",
    "prediction_intervals": "Each dot is a test row; between the lines, the interval holds the true value.",
    "calibration_curve": "On the dashed line, a promised 30% happens in 30 of 100 rows. Bars below: rows per bin.",
    "score_distribution": "The less the two overlap, the better the model tells them apart. Dotted: the "
    "model's threshold.",
    "predicted_vs_actual": "Each dot is a test row; on the dashed line the prediction is exact.",
    "residuals": "What predictions miss by. A pattern on the left, or a lopsided histogram, is something not learnt.",
}
