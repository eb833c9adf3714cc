"""Support vector machines of libsvm."""

from __future__ import annotations

from typing import Any

import numpy as np

from penstock.model_file.checks.trees import features_of
from penstock.model_file.checks.unsound import array_of, count_of, require

CLASSIFIERS = ("c_svc", "nu_svc")


def libsvm(model: Any) -> None:
    """libsvm is given pointers and the number of classes, and reckons from that how long everything is."""
    if "support_vectors_" not in vars(model):
        return
    counts = array_of(model._n_support, np.int32, (None,), "its counts of support vectors")
    classes, features = len(counts), features_of(model)
    pairs = classes * (classes - 1) // 2
    support = array_of(model.support_, np.int32, (None,), "its support vectors")
    vectors = len(support)
    if model._impl in CLASSIFIERS:
        require(classes >= 2 and counts.min() >= 0, "its classes are missing")
        require(counts.sum(dtype=np.int64) == vectors, "its counts of support vectors are others")
        require(len(model.classes_) == classes, "its classes are others")
    else:
        require(classes == 2, "its counts of support vectors are others")
    array_of(model._intercept_, np.float64, (pairs,), "its intercept")
    for given in (model._probA, model._probB):
        require(len(array_of(given, np.float64, (None,), "its probabilities")) in (0, pairs), "its probabilities")
    require(len(model._probA) == len(model._probB), "its probabilities")
    weights = getattr(model, "class_weight_", np.empty(0))
    require(len(weights) in (0, classes), "its class weights are others")
    if model._sparse:
        require(model.support_vectors_.format == "csr", "its support vectors are others")
        require(model.support_vectors_.shape == (vectors, features), "its support vectors are others")
        require(model._dual_coef_.data.shape == ((classes - 1) * vectors,), "its coefficients are others")
        return
    array_of(model._dual_coef_, np.float64, (classes - 1, vectors), "its coefficients")
    if model.kernel == "precomputed" or callable(model.kernel):
        known = count_of(model.shape_fit_[0], "its number of rows")
        require(not vectors or (support.min() >= 0 and support.max() < known), "a support vector is missing")
    else:
        array_of(model.support_vectors_, np.float64, (vectors, features), "its support vectors")
