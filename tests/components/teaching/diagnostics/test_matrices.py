"""Matrices that must be distances, kernels or copies of one array."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from penstock.components.diagnostics import find
from penstock.errors import DataError, UsageError

# One picture, printed three times: the first printing whole, the others by what differs (row, column, value).
PIXELS = """\
157 153 174 168 150 152 129 151 172 161 155 156
155 182 163 74 75 62 33 17 110 210 180 154
180 180 50 14 94 6 10 33 48 106 159 181
256 109 5 124 131 111 120 204 166 15 56 180
194 68 137 251 257 299 239 228 227 87 71 201
172 106 207 233 233 214 220 239 228 98 74 206
188 88 179 209 185 215 211 158 139 75 20 169
189 97 165 84 10 168 134 11 31 62 22 148
199 168 191 193 158 227 178 143 182 106 36 190
205 174 155 252 236 231 149 178 228 43 95 234
190 216 116 149 236 187 85 150 79 38 218 241
190 224 147 108 227 210 127 102 36 101 255 224
190 214 173 66 103 143 95 50 2 109 249 215
187 196 235 75 1 81 47 0 6 217 255 211
183 202 237 145 0 0 12 108 200 138 243 236
195 206 123 207 177 121 123 200 175 13 96 218
"""
SECOND = [(3, 0, 206), (4, 4, 237), (4, 5, 239)]
THIRD = [(2, 4, 34), (5, 1, 105), (6, 7, 198), (10, 6, 86), (12, 6, 96), (13, 2, 236)]


def distances(matrix: list[list[float]] | np.ndarray) -> pd.DataFrame:
    return pd.DataFrame(matrix, columns=[f"thing {number}" for number in range(len(matrix))])


@pytest.mark.covers("proc_distance_validity")
def test_an_asymmetric_matrix_is_made_symmetric_and_that_is_said() -> None:
    matrix = np.random.default_rng(0).random((6, 6))
    np.fill_diagonal(matrix, 0)
    found = find("distance-validity")(distances(matrix))
    np.testing.assert_allclose(found.table.to_numpy(), (matrix + matrix.T) / 2, rtol=1e-15)
    assert found.facts["symmetric"] is False
    assert "15 pairs differ by direction" in found.findings[1]


@pytest.mark.covers("proc_distance_validity")
@pytest.mark.parametrize(
    ("matrix", "code", "where"),
    [
        ([[0, -1], [2, 0]], "PEN225", "'thing 0' to 'thing 1' (row 0, column 1"),
        ([[0, 1], [1, 0.5]], "PEN226", "row 1, column 1"),
    ],
    ids=["a negative entry", "a diagonal that is not zero"],
)
def test_what_is_required_of_a_dissimilarity_is_refused(matrix: list[list[float]], code: str, where: str) -> None:
    with pytest.raises(DataError) as caught:
        find("distance-validity")(distances(matrix))
    assert caught.value.code == code
    assert where in caught.value.where


@pytest.mark.covers("proc_distance_validity")
def test_the_triangle_inequality_is_told_and_not_required() -> None:
    found = find("distance-validity")(distances([[0, 1, 5], [1, 0, 1], [5, 1, 0]]))
    assert (found.facts["triangles_broken"], found.facts["worst_excess"]) == (1, 3.0)
    assert "It is not required" in found.findings[-1]
    assert "is a metric" in find("distance-validity")(distances([[0, 1], [1, 0]])).findings[-1]


@pytest.mark.covers("proc_distance_validity")
def test_of_similarities_each_thing_is_most_similar_to_itself() -> None:
    assert find("distance-validity")(distances([[3, 1], [2, 2]]), {"similarity": True}).table.iloc[0, 1] == 1.5
    with pytest.raises(DataError, match="more similar to another thing than to itself"):
        find("distance-validity")(distances([[3, 4], [2, 2]]), {"similarity": True})


def test_a_table_that_is_no_square_of_numbers_is_refused() -> None:
    named = pd.DataFrame({"name": ["a", "b"], "a": [0, 1], "b": [1, 0]})
    assert list(find("distance-validity")(named).table.index) == ["a", "b"]
    for frame, code in (
        (pd.DataFrame({"a": [0, 1, 2], "b": [1, 0, 2]}), "PEN223"),
        (pd.DataFrame({"a": [0, 1], "b": ["x", "y"]}), "PEN224"),
        (pd.DataFrame({"a": [0, 1], "b": [np.nan, 0]}), "PEN224"),
    ):
        with pytest.raises(DataError) as caught:
            find("distance-validity")(frame)
        assert caught.value.code == code


@pytest.mark.covers("proc_kernel_validity", "cl_kernel_psd")
def test_rbf_and_polynomial_are_kernels_with_their_sums_and_products_and_sigmoid_is_none() -> None:
    points = pd.DataFrame(np.random.default_rng(0).normal(size=(30, 2)), columns=["a", "b"])
    good = find("kernel-validity")(points, {"kernels": ["rbf", "polynomial"], "gamma": 1, "degree": 3, "coef0": 1})
    assert [*good.table.index] == ["rbf", "polynomial", "2 x rbf", "2 x polynomial", "sum", "product"]
    assert good.table["valid"].all()
    assert (good.table.loc[["rbf", "polynomial"], "least_eigenvalue"] > -1e-8).all()
    x = points.to_numpy()
    polynomial = np.linalg.eigvalsh((x @ x.T + 1) ** 3)
    assert good.table.loc["polynomial", "largest_eigenvalue"] == pytest.approx(polynomial[-1])

    large = find("kernel-validity")(1e3 * points, {"kernels": ["polynomial"]})
    assert large.facts["valid"]["polynomial"]
    assert large.table.loc["polynomial", "least_eigenvalue"] < 0
    assert large.findings[0].endswith(", is zero but for rounding.")
    bad = find("kernel-validity")(points, {"kernels": ["sigmoid"], "gamma": 1, "coef0": -1})
    assert bad.table.loc["sigmoid", "least_eigenvalue"] < -0.1
    assert bad.table.loc["sigmoid", "least_eigenvalue"] == pytest.approx(np.linalg.eigvalsh(np.tanh(x @ x.T - 1))[0])
    assert bad.facts["valid"] == {"sigmoid": False, "2 x sigmoid": False}
    assert "no kernel" in bad.findings[0]


@pytest.mark.covers("proc_kernel_validity")
def test_a_given_matrix_must_be_symmetric_without_a_negative_eigenvalue() -> None:
    assert find("kernel-validity")(distances([[2, 1], [1, 2]])).facts["valid"]["given"]
    assert "not symmetric" in find("kernel-validity")(distances([[2, 1], [0, 2]])).findings[0]
    indefinite = find("kernel-validity")(distances([[1, 2], [2, 1]]))
    assert indefinite.table.loc["given", "least_eigenvalue"] == pytest.approx(-1)
    assert not indefinite.facts["valid"]["given"]


@pytest.mark.covers("proc_replicate_range_check", "ex_greyscale_table_validation")
def test_pixels_out_of_range_and_printings_that_disagree_are_found() -> None:
    first = np.array([line.split() for line in PIXELS.splitlines()], dtype=int)
    second = first.copy()
    for row, column, value in SECOND:
        second[row, column] = value
    third = second.copy()
    for row, column, value in THIRD:
        third[row, column] = value
    frame = pd.concat(
        [pd.DataFrame(copy).assign(printing=name) for name, copy in zip("123", (first, second, third), strict=True)]
    )
    frame.columns = frame.columns.astype(str)

    found = find("replicates")(frame, {"copy": "printing"})
    assert found.facts["cells"] == 192
    assert found.facts["out_of_range"] == [[3, 0, 256], [4, 4, 257], [4, 5, 299]]
    assert found.facts["cells_disagreeing"] == 9
    assert found.facts["largest"]["2"] == 255
    told = found.table[found.table["fault"] == "copies disagree"]
    assert len(told) == 9 * 3
    assert told[told["copy"] == "3"][["row", "column", "value"]].to_numpy().tolist()[0] == [2, 4, 34]
    assert "257 in row 4, column 4" in found.findings[1]

    clean = find("replicates")(frame[frame["printing"] == "2"].drop(columns="printing"))
    assert clean.findings[1] == "All values are whole numbers from 0 to 255."
    assert clean.table.empty


def test_copies_of_different_size_and_values_that_are_no_numbers() -> None:
    frame = pd.DataFrame({"copy": [1, 1, 2], "a": [1, 2, 3]})
    with pytest.raises(DataError) as caught:
        find("replicates")(frame, {"copy": "copy"})
    assert caught.value.code == "PEN227"
    faults = find("replicates")(pd.DataFrame({"a": [1.5, np.nan], "b": ["x", "3"]})).table["fault"]
    assert sorted(faults) == ["no number", "no number", "no whole number"]


def test_names_and_values_are_checked() -> None:
    frame = distances([[0, 1], [1, 0]])
    for name, given, code, remedy in (
        ("distance", {}, "PEN220", "did you mean 'distance-validity'?"),
        ("distance-validity", {"simlarity": True}, "PEN221", "did you mean 'similarity'?"),
        ("kernel-validity", {"kernels": ["cubic"]}, "PEN222", "kernels to work out"),
    ):
        with pytest.raises(UsageError) as caught:
            find(name)(frame, given)
        assert caught.value.code == code
        assert remedy in caught.value.remedy
