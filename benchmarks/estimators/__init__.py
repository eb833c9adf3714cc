"""Our own estimators against the nearest class of a library, in the same run."""
