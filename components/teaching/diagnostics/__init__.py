"""Looks at special data, one question a module: `penstock diagnose NAME SOURCE`."""
