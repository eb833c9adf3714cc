"""Numbers as several functions of themselves, so that a linear model can bend."""
