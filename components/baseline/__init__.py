"""What every model must beat: predictions that do not look at the columns."""
