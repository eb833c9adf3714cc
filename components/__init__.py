"""The machine learning itself, scikit-learn-compatible; knows no Prefect, MLflow or Great Expectations."""
