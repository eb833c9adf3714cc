"""The DAGs: one flow a module, reading like a table of contents."""
