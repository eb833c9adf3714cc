"""What can be said of a learner before and beside its test rows: bounds, capacity, separability, bias and variance."""
