"""How to read each figure, and where it stands."""

# Which section shows a figure; all others stand under "plots".
SECTION_OF = {
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
    "reduced_map": "reduction",
    "variances": "reduction",
    "reconstructions": "reduction",
    "density_histogram": "density",
    "density_map": "density",
    "known_map": "known",
    "cluster_profile": "clusters",
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
    "threshold_choice": "answers",
    "before_and_after": "answers",
    "prediction_intervals": "answers",
    "tree": "deciding",
    "tree_regions": "deciding",
    "coefficients": "deciding",
    "probability_curve": "deciding",
    "coefficient_path": "deciding",
    "street": "deciding",
    "tube": "deciding",
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
ONLY_A_PICTURE = (
    "Near dots are alike; nothing else may be read from it: not the size of a group, not how far groups are apart. "
    "Nothing was fitted to this picture, and nothing is judged by it."
)
CAPTIONS = {
    "picture_t-sne": ONLY_A_PICTURE,
    "picture_umap": ONLY_A_PICTURE,
    "reduced_map": "Each dot is a test row. Near dots are alike in what the two columns keep; what the others hold is "
    "not seen here.",
    "variances": "Above, how much the prepared rows vary along each principal direction: look for the fall. Below, "
    "what the first of them hold together: no linear reduction to so many columns keeps more.",
    "reconstructions": "The longer a line, the more of that cell is lost on the way to few columns and back.",
    "density_histogram": "The two should look alike. Where the test rows lie further left, the model knows rows that "
    "it learnt from by heart.",
    "density_map": "Rows may be rare in a direction that is not drawn.",
    "known_map": "The groups were not seen. Where colours lie apart, the new columns keep what tells them apart.",
    "tree": "Read from left to right: a blue box asks about a column, the words above a box say what holds there, a "
    "green box is what the model says.",
    "tree_regions": "Within a region the answer is always the same: a tree cuts across one column at a time.",
    "coefficients": "To the right: the more of the column, the more of the outcome. Weights of scaled columns can be "
    "compared with each other; those of columns that go together share what they say.",
    "probability_curve": "Each row learnt from stands at the bottom or the top, by what it is. Where the line is "
    "steep, a small change of a column changes the answer; right of the dotted line it is the class named above.",
    "coefficient_path": "The same model with weaker and stronger penalties; dashed: the chosen one. A weight that "
    "stays zero for long belongs to a column that says little of its own.",
    "street": "Rows in the street or on the wrong side of its border hold it; those outside could be left out. The "
    "less lies in the street, the surer the border.",
    "tube": "Errors inside the tube cost nothing and have no say; rows outside it pull the curve, each with the same "
    "force however far away it is.",
    "class_densities": "The columns whose densities lie farthest apart. Where a class's density is the highest, the "
    "column speaks for it.",
    "class_shares": "The values whose shares differ most between the classes. A value speaks for the class in which it "
    "is commoner.",
    "neighbours": "Test rows whose neighbours are farther away than those of learning rows are answered from rows that "
    "are less like them.",
    "training_curves": "After each pass over the rows. Dashed: the pass whose weights are kept. To the right of it, "
    "rows learnt from may still gain, but others do not: that is learning by heart.",
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
    "validation_curve": "Too little capacity: both lines are bad. Too much: good on rows learnt from, worse on others. "
    "Ring: the best value of the curve; dashed: the chosen one.",
    "boosting_curve": "Each round adds a small model that mends what the ones before got wrong. Where the line of "
    "other rows turns for the worse, fewer rounds would do; it may still improve when all rows learnt from are right.",
    "knn_regression": "The mean of the nearest rows, by one column alone. Few neighbours follow every row (variance); "
    "many flatten what is there (bias).",
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
    "model's threshold. To be looked at, not to choose by: a threshold chosen here would be judged by the rows that "
    "chose it. The setting decision: {threshold: tune} learns one from learning rows.",
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
    "flow_diagram": "Along the top: what teaches. Below: rows that nothing learns from, which judge the finished model "
    "once.",
    "partition_sizes": "The lines should look alike: every fold, and the test, judges by the same mixture of classes.",
    "missing_values": "Share of the learning rows without a value.",
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
    "polynomial_fits": "A stiff curve misses on all rows; a wild one fits the rows it learnt from and misses others. "
    "The errors are root mean squares.",
}
