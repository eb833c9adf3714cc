"""The first pipeline file for a table, and the first rules for its rows: what `penstock init` writes."""
