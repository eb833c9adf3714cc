"""How unlike two rows are: by name, by kinds of column, by kernels, or as a matrix of one's own."""
