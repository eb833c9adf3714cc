"""Whether there are groups in the rows, which method and how many clusters find them, and how well."""
