"""Neural networks; they need the extra 'torch'."""
