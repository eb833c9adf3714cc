"""The servers of a home, Prefect's and MLflow's: for its runs, its pages, `penstock up`; and who is let in."""
