"""`penstock diagnose`: what is printed, written and refused."""

from __future__ import annotations

import json
from pathlib import Path

from tests.conftest import Cli

EXAMPLES = Path(__file__).parents[2] / "examples" / "diagnose"


def test_without_a_name_all_are_listed_with_their_parameters(cli: Cli) -> None:
    status, out, _ = cli("diagnose")
    assert status == 0
    assert all(words in out for words in ("distance-validity", "kernel-validity", "replicates", "graph", "damping"))
    status, out, _ = cli("diagnose", "--json")
    assert {one["name"] for one in json.loads(out)["diagnostics"]} >= {"graph", "replicates"}


def test_findings_a_table_and_a_picture(tmp_path: Path, cli: Cli) -> None:
    picture = tmp_path / "friends.svg"
    given = ("--set", "length=hours", "--set", "start=Ada")
    status, out, err = cli("diagnose", "graph", EXAMPLES / "friends.csv", *given, "--figure", picture)
    assert (status, err) == (0, "")
    assert "6 nodes, 7 edges, all connected." in out
    assert "length from start" in out
    assert picture.read_text().startswith("<svg")
    status, out, _ = cli("diagnose", "graph", EXAMPLES / "friends.csv", *given, "--json")
    document = json.loads(out)
    lengths = {row["node"]: row["length from start"] for row in document["table"]}
    assert lengths == {"Ada": 0, "Ben": 2, "Cleo": 1, "Dan": 4, "Eve": 5, "Finn": 6}
    assert document["facts"]["edges"] == 7


def test_a_named_matrix_is_read_and_made_symmetric(cli: Cli) -> None:
    status, out, _ = cli("diagnose", "distance-validity", EXAMPLES / "distances.csv", "--json")
    assert status == 0
    document = json.loads(out)
    assert document["table"][0] == {"name": "Harbour", "Harbour": 0, "Market": 4.5, "Hill": 8}
    assert document["facts"]["triangles_broken"] == 1


def test_what_cannot_be_done_is_said_without_a_traceback(tmp_path: Path, cli: Cli) -> None:
    table = EXAMPLES / "distances.csv"
    for arguments, code, words in (
        (("grap", table), "PEN220", "did you mean 'graph'?"),
        (("grap", tmp_path / "nowhere.csv"), "PEN220", "did you mean 'graph'?"),
        (("graph",), "PEN231", "penstock diagnose graph FILE.csv"),
        (("graph", table, "--set", "directed"), "PEN221", "'='"),
    ):
        status, out, err = cli("diagnose", *arguments)
        assert (status, out) == (2, "")
        assert err.startswith(code)
        assert words in err


def test_findings_are_printed_where_nothing_is_drawn(tmp_path: Path, cli: Cli) -> None:
    picture = tmp_path / "x.svg"
    status, out, err = cli("diagnose", "distance-validity", EXAMPLES / "distances.csv", "--figure", picture)
    assert status == 2
    assert "Harbour" in out
    assert err.startswith("PEN232")
    assert "leave --figure out" in err
    assert not picture.exists()


def test_what_is_about_numbers_alone_needs_no_table(cli: Cli) -> None:
    status, out, err = cli("diagnose", "hoeffding", "--set", "rows=200")
    assert (status, err) == (0, "")
    assert "0.03663" in out
    status, out, _ = cli("diagnose")
    assert "hoeffding: How far" in out.replace("\n", " ")
    assert "(needs no table)" in out.replace("\n", " ")
