"""The types that a model file may contain beside those that skops itself trusts. The file has no say in it."""

from __future__ import annotations

from penstock.components.catalog import installed_modules

_PENSTOCK = (
    "penstock.components.bases.functions.FunctionBasis",
    "penstock.components.bases.polynomial.PolynomialBasis",
    "penstock.components.bases.radial.RadialBasis",
    "penstock.components.bases.spline.SplineBasis",
    "penstock.components.bayes.bernoulli.BernoulliNaiveBayes",
    "penstock.components.bayes.binning.Binner",
    "penstock.components.bayes.categorical.CategoricalNaiveBayes",
    "penstock.components.bayes.multinomial.MultinomialNaiveBayes",
    "penstock.components.dimensionality_reduction.independent.ICA",
    "penstock.components.dimensionality_reduction.non_negative.NMF",
    "penstock.components.decision.calibrator.ProbabilityCalibrator",
    "penstock.components.decision.classifier.DecidingClassifier",
    "penstock.components.decision.log_odds.LogOdds",
    "penstock.components.decision.regressor.IntervalRegressor",
    "penstock.components.dimensionality_reduction.pca.PCA",
    "penstock.components.feature_selection.correlation.CorrelationSelector",
    "penstock.components.feature_selection.embedded.L1Selector",
    "penstock.components.feature_selection.embedded.TreeImportanceSelector",
    "penstock.components.feature_selection.filters.AnovaSelector",
    "penstock.components.feature_selection.filters.ChiSquaredSelector",
    "penstock.components.feature_selection.filters.InformationGainSelector",
    "penstock.components.feature_selection.mutual_information.MutualInformationSelector",
    "penstock.components.feature_selection.stability.StabilitySelector",
    "penstock.components.feature_selection.wrappers.BackwardSelector",
    "penstock.components.feature_selection.wrappers.ExhaustiveSelector",
    "penstock.components.feature_selection.wrappers.ForwardSelector",
    "penstock.components.feature_selection.wrappers.HoldOutSelector",
    "penstock.components.kernels.ridge.CentredKernelRidge",
    "penstock.components.local_models.neighbours.NeighboursClassifier",
    "penstock.components.local_models.neighbours.NeighboursRegressor",
    "penstock.components.neural_network.mlp.TorchMLPClassifier",
    "penstock.components.neural_network.mlp.TorchMLPRegressor",
    "penstock.components.preprocessing.class_mode.ClassModeImputer",
    "penstock.components.preprocessing.clipping.DeviationClipper",
    "penstock.components.preprocessing.clipping.QuantileClipper",
    "penstock.components.preprocessing.clipping.TukeyClipper",
    "penstock.components.preprocessing.dates.DateEncoder",
    "penstock.components.preprocessing.frequency.FrequencyEncoder",
    "penstock.components.preprocessing.hashing.HashingEncoder",
    "penstock.components.preprocessing.iterative.RoundsImputer",
    "penstock.components.preprocessing.low_rank.LowRankImputer",
    "penstock.components.preprocessing.nearest.NearestImputer",
    "penstock.components.preprocessing.preparation.as_matrix",
    "penstock.components.preprocessing.preparation.name_level",
    "penstock.components.preprocessing.quantile.QuantileTransformer",
    "penstock.components.preprocessing.target.InnerFoldTargetEncoder",
    "penstock.components.preprocessing.texts.TextEncoder",
    "penstock.components.svm.classifier.CalibratedSVC",
    "penstock.components.svm.regressor.ScaledSVR",
    "penstock.components.trees.id3.ID3Classifier",
)
_CALIBRATION = (
    "sklearn.calibration._CalibratedClassifier",
    "sklearn.calibration._SigmoidCalibration",
    "sklearn.calibration._TemperatureScaling",
)
_PREPARATION = (
    "numpy.dtype",
    "sklearn.impute._iterative.IterativeImputer",
    "sklearn.impute._iterative._ImputerTriplet",
    "sklearn.model_selection._split.KFold",
    "skrub._datetime_encoder.DatetimeEncoder",
    "skrub._string_encoder.StringEncoder",
    "skrub._to_str.ToStr",
)
_VOTING = ("sklearn.utils._bunch.Bunch",)
_TREES = (
    "sklearn.ensemble._hist_gradient_boosting.predictor.TreePredictor",
    "sklearn.tree._tree.Tree",
)
_NEIGHBOURS = (
    "sklearn.metrics._dist_metrics.BrayCurtisDistance64",
    "sklearn.metrics._dist_metrics.CanberraDistance64",
    "sklearn.metrics._dist_metrics.ChebyshevDistance64",
    "sklearn.metrics._dist_metrics.DiceDistance64",
    "sklearn.metrics._dist_metrics.EuclideanDistance64",
    "sklearn.metrics._dist_metrics.HammingDistance64",
    "sklearn.metrics._dist_metrics.JaccardDistance64",
    "sklearn.metrics._dist_metrics.ManhattanDistance64",
    "sklearn.metrics._dist_metrics.MinkowskiDistance64",
    "sklearn.metrics._dist_metrics.RogersTanimotoDistance64",
    "sklearn.metrics._dist_metrics.RussellRaoDistance64",
    "sklearn.metrics._dist_metrics.SokalMichenerDistance64",
    "sklearn.metrics._dist_metrics.SokalSneathDistance64",
    "sklearn.neighbors._ball_tree.BallTree",
    "sklearn.neighbors._kd_tree.KDTree",
)


def trusted_types() -> list[str]:
    """Penstock's list, and what installed packages add to it as TRUSTED beside their entries of the catalogue."""
    added = {name for module in installed_modules() for name in getattr(module, "TRUSTED", ())}
    return sorted({*_PENSTOCK, *_CALIBRATION, *_PREPARATION, *_VOTING, *_TREES, *_NEIGHBOURS} | added)
