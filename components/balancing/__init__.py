"""Classes of unequal size: weights for the rows of a class, or fewer or more of them."""
