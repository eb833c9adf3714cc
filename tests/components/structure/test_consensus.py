from __future__ import annotations

import numpy as np
import pytest

from penstock.components.structure.consensus import co_assignment, consensus


def test_co_assignment_by_hand() -> None:
    shares = co_assignment(np.array([[0, 0, 1, 1], [0, 1, 1, -1]]))
    assert shares.tolist() == [[1, 0.5, 0, 0], [0.5, 1, 0.5, 0], [0, 0.5, 1, 0.5], [0, 0, 0.5, 1]]


def test_rows_of_noise_are_not_together() -> None:
    assert co_assignment(np.array([[-1, -1]])).tolist() == [[1, 0], [0, 1]]


def test_agreement_of_all_and_of_each() -> None:
    one, other = np.repeat([0, 1], 10), np.tile([0, 1], 10)
    found = consensus({"a": one, "b": 1 - one, "c": other})
    assert found.agreement[0, 1] == 1.0
    assert found.agreement[0, 2] == found.agreement[2, 1] < 0.0
    assert found.with_others["a"] == pytest.approx((1 + found.agreement[0, 2]) / 2)
    assert found.overall == pytest.approx((1 + 2 * found.agreement[0, 2]) / 3)
    assert "3 clusterings agree by" in found.sentence
    assert "a agrees most with the others" in found.sentence


def test_rows_come_in_an_order_that_shows_blocks() -> None:
    labels = np.tile([0, 1, 2], 20)
    found = consensus({"a": labels, "b": labels})
    ordered = labels[found.rows]
    assert np.count_nonzero(np.diff(ordered)) == 2
    assert (found.together == (ordered[:, None] == ordered)).all()


def test_a_sample_stands_for_many_rows() -> None:
    labels = np.arange(900) % 3
    found = consensus({"a": labels, "b": labels}, most_rows=60)
    assert found.together.shape == (60, 60)
    assert found.overall == 1.0
    with pytest.raises(ValueError, match="two"):
        consensus({"a": labels})
