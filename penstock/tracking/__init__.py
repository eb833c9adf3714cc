"""Runs and models in MLflow. The only place that imports mlflow; always with explicit run ids, never the active run."""

from penstock.tracking.registry import CHAMPION, PENDING, READY, STATE_TAG, Registry, Version
from penstock.tracking.runs import KIND_TAG, MONITOR, RUN_TAG, Tracking

__all__ = [
    "CHAMPION",
    "KIND_TAG",
    "MONITOR",
    "PENDING",
    "READY",
    "RUN_TAG",
    "STATE_TAG",
    "Registry",
    "Tracking",
    "Version",
]
