"""What a model goes by, for whom it does worse, and whom its decisions favour."""
