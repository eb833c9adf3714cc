"""The machine learning itself, scikit-learn-compatible; knows no Prefect, MLflow or Great Expectations."""

import os

__path__ = [os.path.realpath(folder) for folder in __path__]  # behind the link: tracebacks name files that git knows
