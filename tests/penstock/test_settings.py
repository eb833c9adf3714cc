from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from penstock.errors import UsageError
from penstock.settings import Settings

READ = ("PENSTOCK_HOME", "MLFLOW_TRACKING_URI", "PREFECT_API_URL", "PREFECT_PROFILE", "PREFECT_PROFILES_PATH")


@pytest.fixture(autouse=True)
def bare_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in READ:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PREFECT_HOME", str(tmp_path / "prefect-home"))
    monkeypatch.chdir(tmp_path)


def test_without_a_word_from_the_user_everything_is_below_the_working_folder(tmp_path: Path) -> None:
    settings = Settings.from_environment()
    home = tmp_path / ".penstock"
    assert settings.home == home
    assert settings.tracking_uri == f"sqlite:///{home}/mlflow.db"
    assert settings.artifact_root == home / "artifacts"
    assert settings.prefect_api_url is None
    assert [settings.store, settings.runs, settings.locks, settings.logs] == [
        home / "store",
        home / "runs",
        home / "locks",
        home / "logs",
    ]
    assert not home.exists()


def test_the_user_names_the_places(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PENSTOCK_HOME", "elsewhere/home")
    monkeypatch.setenv("MLFLOW_TRACKING_URI", "http://mlflow:5000")
    monkeypatch.setenv("PREFECT_API_URL", "http://prefect:4200/api")
    settings = Settings.from_environment()
    assert settings == Settings(tmp_path / "elsewhere/home", "http://mlflow:5000", None, "http://prefect:4200/api")


def test_empty_variables_count_as_unset(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in READ:
        monkeypatch.setenv(name, "")
    settings = Settings.from_environment()
    assert settings.home == tmp_path / ".penstock"
    assert settings.prefect_api_url is None


def test_a_tilde_is_the_users_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("PENSTOCK_HOME", "~/penstock")
    assert Settings.from_environment().home == tmp_path / "penstock"


PROFILES = """
active = "team"
[profiles.team]
PREFECT_API_URL = "http://team:4200/api"
[profiles.alone]
PREFECT_SERVER_EPHEMERAL_ENABLED = "true"
"""


def write_profiles(tmp_path: Path, text: str) -> None:
    (tmp_path / "prefect-home").mkdir()
    (tmp_path / "prefect-home/profiles.toml").write_text(text)


def test_the_active_prefect_profile_is_honoured(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    write_profiles(tmp_path, PROFILES)
    assert Settings.from_environment().prefect_api_url == "http://team:4200/api"
    monkeypatch.setenv("PREFECT_PROFILE", "alone")
    assert Settings.from_environment().prefect_api_url is None
    monkeypatch.setenv("PREFECT_API_URL", "http://other:4200/api")
    assert Settings.from_environment().prefect_api_url == "http://other:4200/api"


def test_the_local_profile_need_not_be_written_out(tmp_path: Path) -> None:
    write_profiles(tmp_path, 'active = "local"\n[profiles]\n')
    assert Settings.from_environment().prefect_api_url == "http://127.0.0.1:4200/api"


def test_profiles_that_cannot_be_read_are_left_to_prefect(tmp_path: Path) -> None:
    write_profiles(tmp_path, "active = [")
    assert Settings.from_environment().prefect_api_url is None


def test_telemetry_is_off_and_prefect_lives_below_home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    embedded = Settings.from_environment().quiet_environment()
    assert embedded["DO_NOT_TRACK"] == "true"
    assert embedded["MLFLOW_DISABLE_TELEMETRY"] == "true"
    assert embedded["PREFECT_SERVER_ANALYTICS_ENABLED"] == "false"
    assert embedded["PREFECT_SERVER_UI_V2_ENABLED"] == "false"
    assert embedded["GX_ANALYTICS_ENABLED"] == "false"
    assert embedded["PREFECT_HOME"] == str(tmp_path / ".penstock/prefect")
    assert sum(name.startswith("PREFECT_SERVER_SERVICES_") for name in embedded) == 6
    monkeypatch.setenv("PREFECT_API_URL", "http://prefect:4200/api")
    assert set(Settings.from_environment().quiet_environment()) == {
        "DO_NOT_TRACK",
        "MLFLOW_DISABLE_TELEMETRY",
        "PREFECT_SERVER_ANALYTICS_ENABLED",
        "PREFECT_SERVER_UI_V2_ENABLED",
        "GX_ANALYTICS_ENABLED",
    }


def test_applying_never_overrides_the_user(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    settings = Settings.from_environment()
    for name in settings.quiet_environment():
        monkeypatch.setenv(name, "")  # so that the test's end undoes what is applied
        monkeypatch.delenv(name)
    monkeypatch.setenv("PREFECT_HOME", "mine")
    settings.apply()
    assert os.environ["PREFECT_HOME"] == "mine"
    assert os.environ["DO_NOT_TRACK"] == "true"


def test_importing_settings_imports_nothing_heavy() -> None:
    code = "import sys, penstock.settings; print({'pydantic', 'prefect', 'mlflow', 'pandas'} & set(sys.modules))"
    assert subprocess.check_output([sys.executable, "-c", code], text=True).strip() == "set()"


def test_names_of_a_proxy_are_names_and_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PENSTOCK_PUBLIC_HOSTS", "ml.example.com  prefect.example.com:8443 [::1]:80")
    hosts = Settings.from_environment().public_hosts
    assert hosts == ("ml.example.com", "prefect.example.com:8443", "[::1]:80")
    for wrong in ("*", "*.example.com", "https://ml.example.com", "ml.example.com/", "a,b"):
        monkeypatch.setenv("PENSTOCK_PUBLIC_HOSTS", wrong)
        with pytest.raises(UsageError) as caught:
            Settings.from_environment()
        assert caught.value.code == "PEN065"
        assert "like PENSTOCK_PUBLIC_HOSTS=" in caught.value.remedy
