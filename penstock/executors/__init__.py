"""How stages are done: by Prefect, on Dask, by plain calls, or only planned; see `penstock.stage.Executor`.

What needs much time or memory is done by worker processes, which serve one run after the other.
"""
