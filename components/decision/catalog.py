"""What decides by a rule of its own wraps the methods of other families, and is none."""

from __future__ import annotations

from penstock.components.catalog import Entry

ENTRIES: tuple[Entry, ...] = ()

TRUSTED = (
    "penstock.components.decision.calibrator.ProbabilityCalibrator",
    "penstock.components.decision.classifier.DecidingClassifier",
    "penstock.components.decision.log_odds.LogOdds",
    "penstock.components.decision.regressor.IntervalRegressor",
    "sklearn.calibration._CalibratedClassifier",
    "sklearn.calibration._SigmoidCalibration",
    "sklearn.calibration._TemperatureScaling",
)
