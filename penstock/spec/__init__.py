"""The pipeline file: what may stand in it, its defaults, and errors that name the key."""
