from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from penstock.errors import UsageError
from penstock.spec.base import Choice
from penstock.spec.data import Data, Ordinal
from penstock.spec.engine import Dask, engine_named
from penstock.spec.pipeline import schema
from penstock.spec.reading import load_spec, parse_spec

SMALLEST = """
name: churn
problem: classification
data: {source: churn.csv, target: churned}
"""


@pytest.fixture
def pipeline(tmp_path: Path) -> Path:
    path = tmp_path / "pipeline.yaml"
    path.write_text(SMALLEST)
    return path


def test_name_problem_and_data_are_enough(pipeline: Path) -> None:
    spec = load_spec(pipeline)
    assert (spec.version, spec.split.folds, spec.limits.threads) == (1, 5, 1)


def test_the_file_of_the_design_parses(tmp_path: Path) -> None:
    path = tmp_path / "p.yaml"
    path.write_text(
        """
version: 1
name: churn
problem: classification
data: {source: data/churn.csv, target: churned, positive: "yes", key: customer_id,
       columns: {plan: nominal, mood: {ordinal: [low, mid, high]}}}
validation: {suite: learnt, on_failure: stop}
split: {recipe: cross-validation-and-test, test: 0.2, folds: 5, stratify: true, seed: 7}
features: {select: {mutual-information: {keep: 20}}}
models: [logistic-regression, {random-forest: {n_estimators: [200, 500]}}, mlp]
search: {strategy: random, fits: 60, metric: roc_auc}
register: {promote: {margin: 0.005, confidence: 0.95}}
schedule: {cron: "0 3 * * *", timezone: Europe/Rome}
"""
    )
    spec = load_spec(path)
    assert spec.data.columns["mood"] == Ordinal(ordinal=["low", "mid", "high"])
    assert spec.models[1] == Choice(name="random-forest", parameters={"n_estimators": [200, 500]})
    assert spec.features.select == Choice(name="mutual-information", parameters={"keep": 20})
    assert spec.schedule is not None


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("engine=local", None),
        ("engine=dask", Dask()),
        ("engine={dask: null}", Dask()),
        ("engine.dask.workers=3", Dask(workers=3)),
        ("engine={dask: {address: 'tcp://10.0.0.5:8786'}}", Dask(address="tcp://10.0.0.5:8786")),
    ],
)
def test_the_engine_is_a_word_or_a_mapping(pipeline: Path, written: str, meant: Dask | None) -> None:
    spec = load_spec(pipeline, [written])
    assert spec.engine.dask == meant
    assert parse_spec(spec.model_dump(by_alias=True, exclude_defaults=True)).engine == spec.engine


@pytest.mark.parametrize(
    ("written", "where", "remedy"),
    [
        ("engine=spark", "engine", "choose one of: local, dask"),
        ("engine.dask.adress=tcp://x:1", "engine.dask.adress", "did you mean 'address'?"),
        ("engine.dask.address=10.0.0.5:8786", "engine.dask.address", "such as tcp://10.0.0.5:8786"),
        ("engine.dask.address=tcp://me:secret@host:8786", "engine.dask.address", "such as tcp://10.0.0.5:8786"),
        ("engine.dask.workers=0", "engine.dask.workers", "how many are started"),
    ],
)
def test_an_engine_that_cannot_be(pipeline: Path, written: str, where: str, remedy: str) -> None:
    with pytest.raises(UsageError) as caught:
        load_spec(pipeline, [written])
    assert caught.value.where == f"{pipeline}: {where}"
    assert remedy in caught.value.remedy


def test_an_engine_is_named_by_a_word_or_an_address() -> None:
    assert engine_named("local").dask is None
    assert engine_named("dask").dask == Dask()
    assert engine_named("tcp://10.0.0.5:8786").dask == Dask(address="tcp://10.0.0.5:8786")
    with pytest.raises(UsageError, match="'spark' is no engine") as caught:
        engine_named("spark")
    assert (caught.value.code, "tcp://10.0.0.5:8786" in caught.value.remedy) == ("PEN093", True)


def test_a_parameter_may_be_a_list_of_lists_and_mappings(pipeline: Path) -> None:
    densities = [[{"family": "normal", "loc": 0, "scale": 1}], [{"family": "normal", "loc": 2, "scale": 1}]]
    written = f"[{{known-densities: {{densities: {json.dumps(densities)}}}}}]"
    assert load_spec(pipeline, [f"models={written}"]).models[0].parameters == {"densities": densities}


def test_set_overrides_values_at_any_depth(pipeline: Path) -> None:
    spec = load_spec(pipeline, ["split.seed=7", "models=[ridge]", "data.columns.age=numeric", "search.metric=r2"])
    assert spec.split.seed == 7
    assert spec.models == [Choice(name="ridge")]
    assert spec.data.columns == {"age": "numeric"}


@pytest.mark.parametrize(
    ("override", "code", "key", "remedy"),
    [
        ("splt.seed=3", "PEN002", "splt", "did you mean 'split'?"),
        ("split.sed=3", "PEN002", "split.sed", "did you mean 'seed'?"),
        ("problem=regresion", "PEN003", "problem", "did you mean 'regression'?"),
        ("data.columns.plan=nominl", "PEN003", "data.columns.plan", "did you mean 'nominal'?"),
        ("validation.on_failure=stp", "PEN003", "validation.on_failure", "did you mean 'stop'?"),
        ("split.seed=abc", "PEN003", "split.seed", "seed"),
        ("split.folds=1", "PEN003", "split.folds", "Folds"),
        ("split.test=1.5", "PEN003", "split.test", "Share of rows"),
        ("decision.threshold=2", "PEN003", "decision.threshold", "input should be less than 1, but it is 2"),
        ("decision.threshold=tun", "PEN003", "decision.threshold", "did you mean 'tune'?"),
        ("version=2", "PEN010", "version", "version 1"),
        ("name='A b'", "PEN003", "name", "Name of the pipeline"),
        ("models=[ridge, ridge]", "PEN003", "models", "one entry"),
        ("models=[{ridge: {alpha: {a: 1}}}]", "PEN003", "models.0.parameters", "value or a list"),
        ("data.target=null", "PEN003", "data.target", "column to predict"),
        ("schedule={}", "PEN003", "schedule", "either cron or interval"),
        ("split", "PEN008", "--set", "key=value"),
        ("name.x=3", "PEN008", "--set", "set 'name' itself"),
    ],
)
def test_a_wrong_key_or_value_is_named_with_its_remedy(
    pipeline: Path, override: str, code: str, key: str, remedy: str
) -> None:
    with pytest.raises(UsageError) as caught:
        load_spec(pipeline, [override])
    assert caught.value.code == code
    assert caught.value.exit_status == 2
    assert key in str(caught.value)
    assert remedy in str(caught.value)


def test_a_missing_key_is_named(tmp_path: Path) -> None:
    path = tmp_path / "p.yaml"
    path.write_text("name: churn\nproblem: regression\n")
    with pytest.raises(UsageError, match="'data' is missing") as caught:
        load_spec(path)
    assert caught.value.code == "PEN004"


@pytest.mark.parametrize(
    ("content", "code", "word"),
    [
        (b"name: [", "PEN001", "line 1"),
        (b"a: b: c", "PEN001", "YAML"),
        (b"- 1\n- 2", "PEN001", "mapping"),
        (b"", "PEN001", "mapping"),
        (b"\xff\xfe\x00", "PEN001", "UTF-8"),
    ],
)
def test_a_file_that_is_not_a_pipeline_is_refused(tmp_path: Path, content: bytes, code: str, word: str) -> None:
    path = tmp_path / "p.yaml"
    path.write_bytes(content)
    with pytest.raises(UsageError) as caught:
        load_spec(path)
    assert caught.value.code == code
    assert word in str(caught.value)


def test_a_path_that_does_not_exist_names_the_near_one(pipeline: Path) -> None:
    with pytest.raises(UsageError, match="did you mean") as caught:
        load_spec(pipeline.with_name("pipelin.yaml"))
    assert caught.value.code == "PEN007"
    with pytest.raises(UsageError) as caught:
        load_spec(pipeline.with_name("nothing.yaml"))
    assert "did you mean" not in caught.value.remedy, "an ending alone makes no name near"


def test_nothing_in_a_pipeline_file_can_name_code(tmp_path: Path) -> None:
    path = tmp_path / "p.yaml"
    path.write_text("name: !!python/object/apply:os.system ['true']\n")
    with pytest.raises(UsageError):
        load_spec(path)


def test_the_schema_knows_every_key_and_the_short_form_of_a_choice() -> None:
    document = schema()
    assert {"name", "problem", "data", "register", "limits"} <= set(document["properties"])
    assert document["additionalProperties"] is False
    assert {"type": "string"} in document["$defs"]["Choice"]["anyOf"]


def test_a_clustering_may_have_a_known_grouping_but_no_positive_class() -> None:
    raw: dict[str, Any] = {"name": "groups", "problem": "clustering", "data": {"source": "a.csv", "target": "y"}}
    assert parse_spec(raw).data.target == "y"
    raw["data"]["positive"] = "yes"
    with pytest.raises(UsageError, match="means nothing") as refused:
        parse_spec(raw)
    assert refused.value.code == "PEN003"
    assert refused.value.remedy == "leave it out"


class TestReading:
    def read(self, folder: Path, data: str) -> Data:
        path = folder / "p.yaml"
        path.write_text(f"name: a\nproblem: clustering\ndata: {data}\n")
        return load_spec(path).data

    def test_options_stand_beside_the_source(self, tmp_path: Path) -> None:
        written = '{source: a.csv, reading: {delimiter: tab, decimal: ",", thousands: "", encoding: latin-1, sheet: 2}}'
        reading = self.read(tmp_path, written).reading
        assert reading.declared() == {
            "delimiter": "\t", "decimal": ",", "thousands": "", "encoding": "iso8859-1", "sheet": 2
        }  # fmt: skip

    @pytest.mark.parametrize(
        ("reading", "code", "words"),
        [
            ("{delimeter: ;}", "PEN002", "did you mean 'delimiter'"),
            ('{delimiter: "||"}', "PEN003", "between the values"),
            ("{delimiter: a}", "PEN003", "between the values"),
            ("{encoding: utf-88}", "PEN003", "encoding"),
            ("{encoding: rot13}", "PEN003", "encoding"),
            ('{decimal: ";"}', "PEN003", "decimal mark"),
        ],
    )
    def test_wrong_options_are_explained(self, reading: str, code: str, words: str, tmp_path: Path) -> None:
        with pytest.raises(UsageError) as caught:
            self.read(tmp_path, f"{{source: a.csv, reading: {reading}}}")
        assert caught.value.code == code
        assert words in caught.value.remedy

    def test_names_in_braces_are_known(self, tmp_path: Path) -> None:
        with pytest.raises(UsageError, match="PEN137"):
            self.read(tmp_path, '{source: "a-{day}.csv"}')


def test_keys_that_yaml_takes_for_truths_are_words(pipeline: Path) -> None:
    pipeline.write_text(SMALLEST + "schedule: {interval: 60}\nretrain: {on: [drift]}\n")
    for spec, said in (
        (load_spec(pipeline), "drift"),
        (load_spec(pipeline, ["retrain={on: [labels]}"]), "labels"),
    ):
        assert spec.retrain is not None
        assert spec.retrain.on == [said]
