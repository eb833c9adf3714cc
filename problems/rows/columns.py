"""Names of the columns that predictions for rows have."""

PREDICTION = "prediction"
PROBABILITY = "probability_"
CONFIDENCE = "confidence"
OUTLIER = "outlier"
