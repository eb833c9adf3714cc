"""How good a model is, how sure that is, and whether it may replace the champion."""
