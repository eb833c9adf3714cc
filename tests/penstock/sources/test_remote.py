from __future__ import annotations

import uuid
from pathlib import Path

import fsspec
import pandas as pd
import pytest

from penstock.errors import EnvironmentFault, UsageError
from penstock.sources.options import Reading
from penstock.sources.reading import opened, read_frame


@pytest.fixture
def bucket() -> str:
    return f"memory://{uuid.uuid4().hex}"


def put(url: str, content: bytes) -> None:
    with fsspec.open(url, "wb") as file:
        file.write(content)


def test_files_behind_a_url_are_read_like_files(bucket: str, tmp_path: Path) -> None:
    put(f"{bucket}/t.csv", b"a;b\n1,5;x\n2,5;y\n")
    with opened(f"{bucket}/t.csv", Reading(), tmp_path, scratch=tmp_path) as table:
        assert table.frame()["a"].tolist() == [1.5, 2.5]
        assert table.facts["source"] == f"{bucket}/t.csv"
        assert list(tmp_path.iterdir())
    assert not list(tmp_path.iterdir())


def test_folders_of_parts_too(bucket: str, tmp_path: Path) -> None:
    for number in range(3):
        pd.DataFrame({"a": [number]}).to_parquet(tmp_path / "p")
        put(f"{bucket}/parts/{number}.parquet", (tmp_path / "p").read_bytes())
    put(f"{bucket}/parts/_SUCCESS", b"")
    assert read_frame(f"{bucket}/parts", Reading(), tmp_path)["a"].tolist() == [0, 1, 2]


def test_a_file_url_is_a_file(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("a\n1\n2\n")
    assert read_frame(f"file://{tmp_path}/t.csv", Reading(), Path("/"))["a"].tolist() == [1, 2]


def test_what_is_wrong_is_said(bucket: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="PEN101"):
        read_frame(f"{bucket}/none.csv", Reading(), tmp_path)
    with pytest.raises(UsageError, match=r"PEN140(.|\n)*did you mean 's3'"):
        read_frame("s33://bucket/t.csv", Reading(), tmp_path)


def test_a_missing_driver_is_named_with_its_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "gcsfs", None)
    with pytest.raises(EnvironmentFault) as caught:
        read_frame("gs://bucket/t.csv", Reading(), tmp_path)
    assert (caught.value.code, caught.value.remedy) == ("PEN136", "pip install gcsfs")
