"""Registered models: versions, the champion, and the way back from a version to its file."""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import tempfile
import threading
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from penstock.components.schema import Schema
from penstock.errors import ModelError, did_you_mean, shorten
from penstock.model_file.vetting import vet
from penstock.problems import find
from penstock.store import is_digest, write_atomically
from penstock.tracking.connection import Client, mlflow, patiently
from penstock.tracking.packaging import LOADER, LOADER_LIBRARIES, MODEL_FILE, copy_code, pins, signature_of

CHAMPION = "champion"
CHALLENGER = "challenger"
STATE_TAG = "penstock.state"
PENDING = "pending"
READY = "ready"
DIGEST_TAG = "penstock.model_sha256"
URI_VARIABLE = "MLFLOW_TRACKING_URI"

_global_state = threading.Lock()


@dataclass(frozen=True)
class Version:
    """A version of a registered model, and the MLflow run that made it."""

    name: str
    version: str
    run_id: str
    tags: Mapping[str, str]


class Registry:
    """The registered models of one MLflow."""

    def __init__(self, client: Client) -> None:
        self.client = client

    def log_model(
        self,
        run_id: str,
        model_path: Path,
        *,
        name: str,
        schema: Schema,
        libraries: Sequence[str] = (),
        tags: Mapping[str, str] | None = None,
    ) -> Version:
        """Log the model file with the code that loads it, and register it as a pending version.

        `libraries`: distributions beyond the usual ones that this model needs, such as torch.
        """
        run = self.client.get_run(run_id)
        # Left to itself, Model.log puts the model into the default experiment, below the working directory.
        model_id = self.client.create_logged_model(
            run.info.experiment_id, name=name, source_run_id=run_id, params=dict(run.data.params)
        ).model_id
        self._create_registered_model(name)
        with tempfile.TemporaryDirectory(prefix="penstock-") as temporary, _alone_with_uri(self.client.uri):
            file = Path(shutil.copyfile(model_path, Path(temporary) / MODEL_FILE))
            code = copy_code(file, Path(temporary) / "code", find(schema.problem))
            patiently(
                self.client.uri,
                lambda: mlflow.models.Model.log(
                    artifact_path=None,
                    name=name,
                    flavor=mlflow.pyfunc,
                    run_id=run_id,
                    model_id=model_id,
                    loader_module=LOADER,
                    data_path=str(file),
                    code_paths=code.paths,
                    pip_requirements=pins(dict.fromkeys([*LOADER_LIBRARIES, *libraries, *code.libraries])),
                    signature=signature_of(schema),
                ),
            )
            return _version(
                self.client.create_model_version(
                    name,
                    source=f"models:/{model_id}",
                    run_id=run_id,
                    model_id=model_id,
                    tags={**(tags or {}), STATE_TAG: PENDING, DIGEST_TAG: _sha256(file)},
                )
            )

    def champion(self, name: str) -> Version | None:
        return self.find(name, CHAMPION)

    def version(self, name: str, which: str) -> Version:
        """A version by its number or alias."""
        found = self.find(name, which)
        if found is None:
            raise ModelError(
                "PEN507",
                f"there is no version '{which}' of a model '{name}' in the registry",
                where=f"models:/{name}",
                remedy=self._near(name),
            )
        return found

    def _near(self, name: str) -> str:
        names = self.names()
        if name in names:
            newest = ", ".join(version.version for version in self.versions(name)[-5:])
            return f"its newest versions are {newest}; it has a champion once a run was promoted"
        return shorten(did_you_mean(name, names), 300) if names else "run a pipeline: it registers a model of its name"

    def version_by_tag(self, name: str, key: str, value: str) -> Version | None:
        """The newest version with this tag."""
        found = self._search(name, key, value)
        return max(found, key=lambda version: int(version.version)) if found else None

    def pending_versions(self, name: str) -> list[Version]:
        """Versions that a killed run left before its verdict was carried out."""
        return self._search(name, STATE_TAG, PENDING)

    def names(self) -> list[str]:
        """Every registered model."""
        return sorted(found.name for found in self.client.search_registered_models(max_results=1000))

    def versions(self, name: str) -> list[Version]:
        """Every version there is, the oldest first."""
        found = [_version(one) for one in self.client.search_model_versions(f"name = '{name}'", max_results=10_000)]
        return sorted(found, key=lambda version: int(version.version))

    def tag_version(self, name: str, version: str, tags: Mapping[str, str]) -> None:
        for key, value in tags.items():
            self.client.set_model_version_tag(name, version, key, value)

    def describe_version(self, name: str, version: str, words: str) -> None:
        """What people read first on the version's page."""
        self.client.update_model_version(name, version, description=words)

    def untag_version(self, name: str, version: str, key: str) -> None:
        if key in self.version(name, version).tags:
            self.client.delete_model_version_tag(name, version, key)

    def set_champion(self, name: str, version: str) -> None:
        """Move the alias, then settle: whoever finds the version still pending does this again."""
        self.client.set_registered_model_alias(name, CHAMPION, version)
        self.settle(name, version)

    def set_challenger(self, name: str, version: str) -> None:
        """One waits at a time: the newest."""
        self.client.set_registered_model_alias(name, CHALLENGER, version)

    def forget_challenger(self, name: str, version: str) -> None:
        """The version waits no longer."""
        waiting = self.find(name, CHALLENGER)
        if waiting and waiting.version == version:
            self.client.delete_registered_model_alias(name, CHALLENGER)

    def settle(self, name: str, version: str) -> None:
        """The version is no longer pending, whatever the verdict."""
        self.tag_version(name, version, {STATE_TAG: READY})

    def delete_version(self, name: str, version: str) -> None:
        self.client.delete_model_version(name, version)

    def download(self, name: str, which: str, folder: Path) -> Path:
        """The model file of a version, by number or alias; fetched and vetted once, then kept under its checksum."""
        version = self.version(name, which)
        digest = version.tags.get(DIGEST_TAG)
        if not is_digest(digest):
            raise ModelError(
                "PEN507",
                f"version {version.version} of '{name}' was not registered by Penstock",
                where=f"models:/{name}/{version.version}",
                remedy="choose a version that a Penstock run registered",
            )
        kept = folder / f"{digest}.skops"
        if kept.exists() and _sha256(kept) == digest:
            return kept
        location = self.client.get_model_version_download_uri(name, version.version)
        where = f"models:/{name}/{version.version}"
        with tempfile.TemporaryDirectory(prefix="penstock-") as temporary:
            try:
                uri, file = self.client.uri, f"{location}/data/{MODEL_FILE}"
                fetch = mlflow.artifacts.download_artifacts
                fetched = patiently(uri, lambda: fetch(artifact_uri=file, dst_path=temporary, tracking_uri=uri))
            except (mlflow.MlflowException, OSError) as error:
                raise gone(f"the file of version {version.version} of '{name}'", where, error) from error
            if _sha256(Path(fetched)) != digest:
                raise ModelError(
                    "PEN503",
                    f"the file of version {version.version} of '{name}' is not the one that was registered",
                    where=where,
                    remedy="do not use it: someone has altered it; run the pipeline again to register a new version",
                )
            try:
                vet(Path(fetched))
            except ModelError as error:
                raise ModelError(error.code, error.what, where=where, remedy=error.remedy) from error
            write_atomically(kept, Path(fetched).read_bytes())
        return kept

    def _create_registered_model(self, name: str) -> None:
        try:
            self.client.create_registered_model(name)
        except mlflow.MlflowException as error:
            if error.error_code != "RESOURCE_ALREADY_EXISTS":
                raise

    def find(self, name: str, which: str) -> Version | None:
        try:
            if which.isdigit():
                return _version(self.client.get_model_version(name, which))
            return _version(self.client.get_model_version_by_alias(name, which))
        except mlflow.MlflowException as error:
            if error.error_code in ("RESOURCE_DOES_NOT_EXIST", "INVALID_PARAMETER_VALUE"):
                return None
            raise

    def _search(self, name: str, key: str, value: str) -> list[Version]:
        return [
            _version(found)
            for found in self.client.search_model_versions(f"name = '{name}' AND tags.`{key}` = '{value}'")
        ]


def keep_own(model: Path, folder: Path) -> None:
    """What this home made needs no fetching, nor vetting: `download` finds it under its checksum."""
    kept = folder / f"{_sha256(model)}.skops"
    if not kept.exists():
        folder.mkdir(parents=True, exist_ok=True)
        try:
            os.link(model, kept)
        except OSError:  # another disk, or one without links
            write_atomically(kept, model.read_bytes())


def gone(what: str, where: str, error: Exception) -> ModelError:
    return ModelError(
        "PEN508",
        f"{what} is no longer where MLflow has put it ({type(error).__name__}: {error})",
        where=where,
        remedy="bring MLflow's files back, or delete the model version that they belong to",
    )


def _version(found: Any) -> Version:
    return Version(
        name=found.name,
        version=str(found.version),
        run_id=found.run_id or "",
        tags=dict(found.tags),
    )


@contextlib.contextmanager
def _alone_with_uri(uri: str) -> Iterator[None]:
    """Model.log, and registering what it logged, take the tracking URI from global state.

    MLflow copies what it is told into the environment; both are put back, each as it was. No input example is given,
    and the warning about it is left out: it would be a row of someone's data.
    """
    with _global_state, warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*An input example was not provided", category=UserWarning)
        environment = os.environ.pop(URI_VARIABLE, None)
        before = mlflow.get_tracking_uri() if mlflow.is_tracking_uri_set() else None
        mlflow.set_tracking_uri(uri)
        try:
            yield
        finally:
            mlflow.set_tracking_uri(before)
            if environment is not None:
                os.environ[URI_VARIABLE] = environment


def _sha256(file: Path) -> str:
    with file.open("rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()
