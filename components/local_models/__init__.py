"""Models that answer from the rows near the one that is asked about."""
