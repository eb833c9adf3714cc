"""A network's training, from its fit to MLflow and the report; and one that diverges."""

from __future__ import annotations

from pathlib import Path

import pytest

from penstock.flows.supervised import supervised
from penstock.settings import Settings
from tests.small import regression


@pytest.mark.slow
@pytest.mark.covers("proc_training_curves", "proc_gradient_health")
def test_the_winners_epochs_are_in_mlflow_and_one_that_diverged_is_recorded(tmp_path: Path, home: Path) -> None:
    from penstock.tracking import Tracking

    network = {"learning_rate": [0.02, 1e30], "epochs": 4, "width": 8, "depth": 1, "dropout": 0.0, "weight_decay": 0.0}
    pipeline = regression(tmp_path, models=[{"mlp": network}], split={"folds": 2}, search={"strategy": "grid"})
    Settings.from_environment().apply()
    document = supervised.fn(str(pipeline), engine="plain").as_json()

    fates = {one["parameters"].get("learning_rate"): (one["status"], one["reason"]) for one in document["candidates"]}
    status, reason = fates[1e30]
    assert status == "failed"
    assert reason.startswith("PEN316: training diverged: the training loss is ")
    assert "try a smaller learning_rate" in reason
    assert fates[0.02] == ("finished", None)
    assert document["winner"]["name"] == "mlp"

    history = document["deciding"]["history"]
    tracking = Tracking(document["run"]["mlflow_uri"])

    def logged(name: str) -> list[float]:
        found = tracking.client.get_metric_history(document["run"]["mlflow_run"], name)
        return [one.value for one in sorted(found, key=lambda one: one.step)]

    for name, values in history["series"].items():
        assert len(values) == 4
        assert logged(name) == values
    assert logged("gradient_norm.layer_2") == [norms[1] for norms in history["gradient_norms"]]
    assert logged("best_epoch") == [history["best_epoch"]]
    page = Path(document["artifacts"]["report"]).read_text()
    assert f"Learning by epochs: epoch {history['best_epoch']} is kept" in page
    assert "The norm of the gradient, layer by layer" in page
