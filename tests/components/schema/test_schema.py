from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest

from penstock.components.schema import (
    ROW_ID,
    Column,
    Schema,
    conform,
    encode_target,
    infer_schema,
    refuse_truth,
    texts,
)
from penstock.errors import DataError
from penstock.problems import find, proposals

ROWS = 40


def table(**columns: Any) -> pd.DataFrame:
    """`columns` beside a plain numeric column and a target of two classes."""
    return pd.DataFrame({"x": np.linspace(0.5, 7.3, ROWS), **columns, "y": ["no", "yes", "no", "no"] * (ROWS // 4)})


def schema_of(frame: pd.DataFrame, **declared: Any) -> Schema:
    return infer_schema(frame, problem="classification", target_type="classes", target="y", **declared)


def role_of(values: list[Any] | pd.Series) -> tuple[str, list[str] | None]:
    column = schema_of(table(v=values)).column("v")
    assert column.reason
    return column.role, column.levels


def times(*values: Any) -> list[Any]:
    return list(values) * (ROWS // len(values))


@pytest.mark.parametrize(
    ("values", "role", "levels"),
    [
        (times(True, False), "boolean", ["False", "True"]),
        (times(True, None), "boolean", ["False", "True"]),
        (times("yes", "No", "no", None), "boolean", ["no", "yes"]),
        (times("TRUE", "false"), "boolean", ["false", "true"]),
        (times("Y", "N"), "boolean", ["n", "y"]),
        (times(0, 1), "boolean", ["0", "1"]),
        (times(0.0, 1.0, np.nan, 1.0), "boolean", ["0", "1"]),
        (times(1, 2), "numeric", None),
        (times(3, 5, 8, 9), "numeric", None),
        (times("3", " 4.5", "1e3", "NA"), "numeric", None),
        (times("0123", "0456", "1789", "0123"), "nominal", None),
        (times("red", "blue"), "nominal", None),
        (times("yes", "red"), "nominal", None),
        (pd.Series(times("a", "b"), dtype="category"), "nominal", None),
        (times("2024-02-29", "1999-12-31"), "date", None),
        (times("2024-02-29T10:00:00Z", "1999-12-31 08:00:00+02:00"), "date", None),
        (times("2024-02-30", "1999-12-31"), "nominal", None),
        (pd.to_datetime(times("2024-01-01", "2024-01-02")), "date", None),
        (times("31/12/2024", "30/12/2024"), "nominal", None),
        ([f"they said many things on day {n} of it" for n in range(ROWS)], "text", None),
        (times("one long label of words", "another long label of words"), "nominal", None),
        ([f"id-{n}" for n in range(ROWS)], "id", None),
        ([f"id-{n % 38}" for n in range(ROWS)], "ignore", None),
        ([f"id-{n % 36}" for n in range(ROWS)], "nominal", None),
        (times(None), "ignore", None),
        (times("NA", " "), "ignore", None),
        (times([1, 2], [3]), "ignore", None),
    ],
)
def test_roles_are_inferred_from_values(values: Any, role: str, levels: list[str] | None) -> None:
    assert role_of(values) == (role, levels)


def test_codes_beside_many_words_are_no_mixed_numbers() -> None:
    tickets = [str(1000 + n) if n % 4 else f"A/5 {n}" for n in range(200)]
    frame = pd.DataFrame({"ticket": [*tickets, *tickets], "x": range(400), "y": ["a", "b"] * 200})
    assert schema_of(frame).column("ticket").role == "nominal"


def test_few_words_among_many_numbers_are_mistakes_however_different() -> None:
    values = [str(n) if n % 20 else f"unknown {n}" for n in range(1000)]
    frame = pd.DataFrame({"v": values, "x": range(1000), "y": ["a", "b"] * 500})
    with pytest.raises(DataError, match="50 of 1000 values are no numbers"):
        schema_of(frame)


def test_an_identifier_says_so() -> None:
    column = schema_of(table(v=[f"id-{n}" for n in range(ROWS)])).column("v")
    assert column.reason.startswith("identifier-like")


def test_declared_roles_win_and_places_are_kept() -> None:
    frame = table(size=times("s", "m", "l", "m"), zip=times(10115, 20095), who=[f"c{n}" for n in range(ROWS)])
    frame.insert(0, ROW_ID, [f"r{n}" for n in range(ROWS)])
    schema = schema_of(frame, key="who", roles={"size": ["s", "m", "l"], "zip": "nominal", "x": "ignore"})
    roles = {column.name: column.role for column in schema.columns}
    assert roles == {"x": "ignore", "size": "ordinal", "zip": "nominal", "who": "key", "y": "target"}
    assert schema.column("size").levels == ["s", "m", "l"]
    assert [column.name for column in schema.features] == ["size", "zip"]
    with pytest.raises(KeyError):
        schema.column("nothing")


def test_group_and_target_are_no_features() -> None:
    schema = infer_schema(table(g=times("a", "b")), problem="clustering", target="y", group="g")
    assert [column.name for column in schema.features] == ["x"]
    assert schema.classes is None
    assert schema.target is None
    assert "compared with it" in schema.column("y").reason


@pytest.mark.covers("proc_unsupervised_contract")
def test_rows_of_a_clustering_that_still_hold_the_known_grouping_are_refused() -> None:
    frame = table()
    schema = infer_schema(frame, problem="clustering", target="y")
    with pytest.raises(DataError, match="must not see") as refused:
        refuse_truth(frame, schema)
    assert refused.value.code == "PEN320"
    refuse_truth(frame.drop(columns="y"), schema)
    refuse_truth(frame, schema_of(frame))


@pytest.mark.parametrize(
    ("labels", "positive", "classes"),
    [
        (times("no", "yes", "no", "no"), None, ["no", "yes"]),
        (times("no", "yes", "yes", "yes"), None, ["yes", "no"]),
        (times("no", "yes"), None, ["no", "yes"]),
        (times("no", "yes"), "no", ["yes", "no"]),
        (times("no", "yes"), False, ["yes", "no"]),
        (times(0, 1, 1, 1), None, [1, 0]),
        (times(0, 1, 1, 1), 1, [0, 1]),
        (times(0.0, 1.0, np.nan, 1.0), "1", [0, 1]),
        (times(False, True), None, [False, True]),
        (times("b", "c", "a", "a"), None, ["a", "b", "c"]),
        (times(3, 1, 2, 2), 3, [1, 2, 3]),
        (times(0.5, 1.5), None, [0.5, 1.5]),
    ],
)
def test_classes_are_ordered_negative_then_positive(labels: list[Any], positive: Any, classes: list[Any]) -> None:
    frame = table().assign(y=labels)
    schema = schema_of(frame, positive=positive)
    assert schema.classes == classes
    assert [type(label) for label in schema.classes or []] == [type(label) for label in classes]
    known = conform(frame, schema, strict=True)["y"].dropna()
    codes = encode_target(known, schema)
    assert codes.dtype == np.int64
    # the stored text and the label as it was read have the same code
    assert (codes == encode_target(frame["y"].dropna(), schema)).all()
    assert [classes[code] for code in codes[:4]] == pd.Series(labels).dropna().tolist()[:4]
    assert Schema.model_validate_json(schema.model_dump_json()) == schema


def test_a_quantity_is_encoded_as_it_is() -> None:
    frame = table().assign(y=[*map(str, range(ROWS - 1)), None])
    schema = infer_schema(frame, problem="regression", target_type="quantity", target="y")
    assert schema.classes is None
    encoded = encode_target(conform(frame, schema, strict=True)["y"], schema)
    assert encoded[:3].tolist() == [0.0, 1.0, 2.0]
    assert np.isnan(encoded[-1])


DAYS = pd.Series(pd.date_range("2024-01-01", periods=ROWS))


def stranger(values: list[Any], **declared: Any) -> Callable[[], object]:
    return lambda: schema_of(table(v=values), **declared)


def target(labels: Any, problem: Any = "classification", **declared: Any) -> Callable[[], object]:
    return lambda: infer_schema(
        table().assign(y=labels),
        problem=problem,
        target_type=find(problem).target_type,
        proposals=proposals(),
        target="y",
        **declared,
    )


@pytest.mark.parametrize(
    ("act", "code", "words"),
    [
        (stranger(times(1, 2), roles={"vv": "numeric"}), "PEN107", "did you mean 'v'?"),
        (stranger(times(1, 2), key="kee"), "PEN107", "choose one of: v, x, y"),
        (
            lambda: infer_schema(table(), problem="regression", target_type="quantity", target="Y1"),
            "PEN127",
            "choose one of: x, y",
        ),
        (lambda: schema_of(table().set_axis(["x", "x"], axis=1)), "PEN106", "rename"),
        (stranger(times(1, 2), key="y"), "PEN125", "name another column as `key`"),
        (target([None] * ROWS), "PEN110", "name another column as `target`"),
        (target(["a"] * ROWS), "PEN111", "at least two"),
        (target([3.0] * ROWS, "regression"), "PEN111", "at least two"),
        (target([f"c{n}" for n in range(ROWS)]), "PEN114", "merge classes, or name another target"),
        (target([f"c{n}" for n in range(ROWS)], "regression"), "PEN119", "or name another target"),
        (target([f"{n} 500,5" for n in range(1, ROWS + 1)]), "PEN114", "write all of them like -1234.5"),
        (target([f"{n} 500,5" for n in range(1, ROWS + 1)], "regression"), "PEN119", "write all of them like -1234.5"),
        (target(DAYS), "PEN114", "a date cannot be predicted"),
        (target(DAYS, "regression"), "PEN119", "a date cannot be predicted"),
        (target(DAYS.dt.strftime("%d.%m.%Y")), "PEN114", "a date cannot be predicted"),
        (target([n + 0.5 for n in range(ROWS)]), "PEN114", "problem: regression"),
        (target([n % 25 for n in range(ROWS)]), "PEN114", "problem: regression"),
        (target(times(1, 2, 3, 4), positive=99), "PEN120", "choose one of: 1, 2, 3, 4"),
        (target(times("no", "yes"), positive="yess"), "PEN120", "did you mean 'yes'?"),
        (target(times("1", "many"), "regression"), "PEN119", "problem: classification"),
        (target(times(True, False), "regression"), "PEN119", "problem: classification"),
        (target([np.inf, *range(ROWS - 1)], "regression"), "PEN113", "leave them empty"),
        (stranger([f"c{n}" for n in range(ROWS)], roles={"v": "nominal"}), "PEN114", "columns: {v: ignore}"),
        (stranger(times(1, -2), roles={"v": "ratio"}), "PEN160", "columns: {v: interval}"),
        (stranger(times(1, np.inf), roles={"v": "interval"}), "PEN113", "leave them empty"),
        (stranger(times("a", "b"), roles={"v": "ratio"}), "PEN112", "columns: {v: nominal}"),
        (stranger(times(1, 2), roles={"v": "id"}), "PEN161", "columns: {v: group}"),
        (stranger(times(1, 2), roles={"v": "weight", "x": "weight"}), "PEN162", "keep one of the two"),
        (stranger(times(1, 2), roles={"v": "group"}, group="x"), "PEN162", "keep one of the two"),
        (stranger(times(1, 2), roles={"y": "weight"}), "PEN125", "name another column as `weight`"),
        (stranger(times("12", "abc", "3", "4")), "PEN112", "columns: {v: nominal}"),
        (stranger(times(12, "abc", 3, 4.5)), "PEN112", "columns: {v: nominal}"),
        (stranger(times("?", "1.5")), "PEN112", "leave unknown ones empty"),
        (stranger(times("a", "b", "c", "4"), roles={"v": "numeric"}), "PEN112", "columns: {v: nominal}"),
        (stranger(times("red", "blue", "green", "red"), roles={"v": "boolean"}), "PEN112", "yes and no"),
        (stranger(times(1, 2), roles={"v": "boolean"}), "PEN112", "0 and 1"),
        (stranger(times(1.0, np.inf, -np.inf, 2.0)), "PEN113", "leave them empty"),
        (stranger(times("1", "inf", "3", "4")), "PEN113", "leave them empty"),
        (stranger(times(1, 2), roles={"v": "ignore", "x": "ignore"}), "PEN123", "columns: {v: nominal}"),
        (lambda: schema_of(table()[["y"]]), "PEN123", "use data with further columns"),
        (target([1e39, *range(ROWS - 1)], "regression"), "PEN113", "leave them empty"),
        (stranger([-1.7976931348623157e308, *range(ROWS - 1)]), "PEN113", "leave them empty"),
    ],
)
def test_data_that_cannot_be_used_are_refused(act: Callable[[], object], code: str, words: str) -> None:
    with pytest.raises(DataError) as caught:
        act()
    assert caught.value.code == code
    assert caught.value.exit_status == 3
    assert words in caught.value.remedy
    assert caught.value.where


def test_refusals_count_and_show() -> None:
    with pytest.raises(DataError, match=r"mixed types: 10 of 40 values are no numbers: 'abc'"):
        schema_of(table(v=times("12", "abc", "3", "4")))
    with pytest.raises(DataError, match=r"column 'v' holds 20 infinite value"):
        schema_of(table(v=times(1.0, np.inf, -np.inf, 2.0)))


@pytest.mark.parametrize(
    ("values", "words"),
    [
        (times("1e400", "2", "3.5", "4"), "the largest that models can take: '1e400'"),
        (times("-1e400", "inf", "3", "4"), "the largest that models can take: '-1e400', 'inf'"),
        (times("Infinity", "2", "3", "4"), "10 infinite value(s): 'Infinity'"),
        (times(1e300, 2.0, 3.0, 4.0), "the largest that models can take: 1e+300"),
    ],
)
def test_refused_numbers_are_shown_as_received_with_their_rows(values: list[Any], words: str) -> None:
    for roles in ({}, {"v": "numeric"}):
        with pytest.raises(DataError, match=re.escape(words)) as caught:
            schema_of(table(v=values), roles=roles)
        assert caught.value.where.startswith("column 'v', row 1, ")


def all_roles() -> tuple[pd.DataFrame, Schema]:
    frame = table(
        flag=times("yes", "no", None, "yes"),
        size=times("s", "m", "huge", None),
        plan=times(" basic ", "pro", None, "NA"),
        day=times("2024-02-29", "9999-12-31", "soon", None),
        note=[f"a note of many words number {n}" for n in range(ROWS)],
        code=times(7, 8),
    )
    frame["mood"] = times("off", "on")
    roles = {"size": ["s", "m", "l"], "day": "date", "code": "nominal", "mood": "boolean"}
    return frame, schema_of(frame, roles=roles)


def test_conform_gives_each_role_its_type() -> None:
    frame, schema = all_roles()
    done = conform(frame, schema, strict=True)
    kinds = {name: str(dtype) for name, dtype in done.dtypes.items()}
    assert kinds == {
        "x": "float64",
        "flag": "float64",
        "size": "str",
        "plan": "str",
        "day": "datetime64[us]",
        "note": "str",
        "code": "str",
        "y": "str",
        "mood": "float64",
    }
    assert done["flag"][:4].tolist()[:2] == [1.0, 0.0]
    assert done["flag"].isna().sum() == 10
    assert done["size"][:2].tolist() == ["s", "m"]
    assert done["size"].isna().sum() == 20
    assert done["plan"][:2].tolist() == ["basic", "pro"]
    assert done["plan"].isna().sum() == 20
    assert done["day"][1] == pd.Timestamp("9999-12-31")
    assert done["day"].isna().sum() == 20
    assert done["code"][:2].tolist() == ["7", "8"]
    assert done["mood"][:2].tolist() == [0.0, 1.0]


def test_conforming_twice_is_conforming_once() -> None:
    frame, schema = all_roles()
    once = conform(frame, schema, strict=True)
    pd.testing.assert_frame_equal(conform(once, schema, strict=True), once)
    pd.testing.assert_frame_equal(conform(once.iloc[[1]], schema, strict=False), once.iloc[[1]])


def test_each_row_conforms_alone_as_it_does_among_others() -> None:
    frame, schema = all_roles()
    whole = conform(frame, schema, strict=False)
    alone = pd.concat([conform(frame.iloc[[row]], schema, strict=False) for row in range(8)])
    pd.testing.assert_frame_equal(alone, whole[:8])


def test_scoring_needs_features_only() -> None:
    frame, schema = all_roles()
    scored = conform(frame.drop(columns="y").assign(extra=1), schema, strict=False)
    assert "extra" not in scored
    assert [*scored.columns] == [column.name for column in schema.columns if column.name != "y"]
    with pytest.raises(DataError) as caught:
        conform(frame.rename(columns={"plan": "Plan"}), schema, strict=False)
    assert (caught.value.code, caught.value.remedy) == ("PEN107", "did you mean 'Plan'?")
    with pytest.raises(DataError, match="no column 'y'"):
        conform(frame.drop(columns="y"), schema, strict=True)


def test_numbers_that_cannot_be_read_are_refused_or_become_missing() -> None:
    frame, schema = all_roles()
    bad = frame.assign(x=[*frame["x"][:-2].astype(object), "abc", np.inf])
    assert conform(bad, schema, strict=False)["x"].isna().sum() == 2
    with pytest.raises(DataError) as caught:
        conform(bad, schema, strict=True)
    assert caught.value.code == "PEN112"
    with pytest.raises(DataError) as caught:
        conform(frame.assign(x=np.inf), schema, strict=True)
    assert caught.value.code == "PEN113"


def test_refused_numbers_are_named_by_their_rows() -> None:
    values = [-1.7e308, 1.0, np.inf, *range(2, ROWS - 1)]
    with pytest.raises(DataError) as caught:
        schema_of(table(v=values))
    assert caught.value.where == "column 'v', row 1, 3"
    assert "2 value(s) beyond 3.4e+38" in caught.value.what
    declared = schema_of(table(v=values[1:2] * ROWS), roles={"v": "ratio"})
    with pytest.raises(DataError, match="PEN113"):
        conform(table(v=[*values[3:], 1.0, 2.0, 1e39]), declared, strict=True)


def test_a_fine_time_in_one_row_does_not_narrow_the_years_of_others() -> None:
    schema = schema_of(table(day=times("2024-02-29", "1999-12-31")))
    fine = table(day=times("2024-01-01T00:00:00.123456789", "9999-12-31", "0001-01-01", "2024-01-01"))
    assert conform(fine, schema, strict=False)["day"].notna().all()


def test_row_ids_come_first_and_nullable_types_are_read() -> None:
    frame, schema = all_roles()
    frame["x"] = frame["x"].round().astype("Int64").where(frame.index > 0)
    frame[ROW_ID] = [f"r{n}" for n in range(ROWS)]
    done = conform(frame, schema, strict=True)
    assert done.columns[0] == ROW_ID
    assert done["x"].dtype == np.float64
    assert np.isnan(done["x"][0])


def test_unknown_and_missing_labels_are_refused() -> None:
    schema = schema_of(table())
    with pytest.raises(DataError, match="2 of 4 targets") as caught:
        encode_target(pd.Series(["yes", "maybe", None, "no"], name="y"), schema)
    assert caught.value.code == "PEN124"
    assert "'no', 'yes'" in caught.value.remedy


def test_texts_have_one_form_for_equal_values() -> None:
    given = pd.Series([3, 3.0, "3", " 3 ", True, 2.5, None, "NA"], dtype=object)
    assert texts(given).tolist()[:6] == ["3", "3", "3", "3", "True", "2.5"]
    assert texts(given).isna().tolist()[6:] == [True, True]
    assert texts(pd.Series([1.0, np.nan])).tolist()[0] == "1"


def test_a_column_cannot_be_changed() -> None:
    with pytest.raises(ValueError, match="frozen"):
        Column(name="a", role="numeric", reason="").name = "b"  # type: ignore[misc]
