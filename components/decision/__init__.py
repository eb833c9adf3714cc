"""From probabilities to answers: calibration, thresholds, costs of errors, sets and intervals that cover."""
