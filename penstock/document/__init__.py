"""The run document: what a run found, typed and versioned; report, console, `--json`, MLflow and gate read it."""
