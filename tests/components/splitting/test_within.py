"""Test rows within members: nobody in the test is new."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from penstock.components import splitting
from penstock.errors import DataError


def ratings(users: int = 200, seed: int = 0) -> pd.DataFrame:
    """Each user has rated from one to nine things."""
    rng = np.random.default_rng(seed)
    user = np.repeat(np.arange(users), rng.integers(1, 10, users))
    return pd.DataFrame({"id": [f"r{number}" for number in range(len(user))], "user": [f"u{name}" for name in user]})


def cut(table: pd.DataFrame, share: float = 0.2, seed: int = 0) -> Any:
    return splitting.rows_within(table["id"], table["user"], share=share, seed=seed).mask


@pytest.mark.covers("proc_recsys_split_users")
@pytest.mark.parametrize("seed", range(5))
def test_testing_users_have_ratings_on_both_sides_and_others_none_in_the_test(seed: int) -> None:
    table = ratings(seed=seed)
    test = cut(table, seed=seed)
    testing, training = set(table["user"][test]), set(table["user"][~test])
    assert testing < training  # no test user without training ratings; training users without test ratings
    assert splitting.only_in_test(table[~test], table[test], ["user"])["user"]["members"] == 0
    assert 0.2 < len(testing) / 200 < 0.5
    assert 0.12 < test.mean() < 0.26
    of_them = table["user"].isin(testing).to_numpy()
    assert 0.35 < test[of_them].mean() < 0.65


@pytest.mark.covers("proc_recsys_split_ratings")
def test_a_split_of_ratings_counts_who_is_new() -> None:
    table = ratings()
    test = splitting.test_rows(table["id"], share=0.2, seed=0, classes=None, groups=None).mask
    found = splitting.only_in_test(table[~test], table[test], ["user"])["user"]
    new = set(table["user"][test]) - set(table["user"][~test])
    assert found == {
        "members": len(new), "of": table["user"][test].nunique(), "rows": int(table["user"][test].isin(new).sum()),
    }  # fmt: skip
    assert found["members"] > 0


def test_sides_are_kept_as_the_data_grow() -> None:
    table = ratings()
    before, after = cut(table[:600]), cut(table)[:600]
    settled = table["user"][:600] != table["user"].iloc[600]
    assert (before == after)[settled].all()


def test_a_large_share_takes_more_of_each_member() -> None:
    table = ratings()
    test = cut(table, share=0.7)
    assert set(table["user"][test]) < set(table["user"])
    assert set(table["user"]) == set(table["user"][~test])


@pytest.mark.parametrize(
    ("users", "words"),
    [(["a", None, "b"], "missing in 1 of 3 rows"), (["a", "b", "c"], "no row of 3 members")],
    ids=["missing", "one row each"],
)
def test_what_cannot_be_cut_is_refused(users: list[Any], words: str) -> None:
    with pytest.raises(DataError, match=words) as caught:
        splitting.rows_within(["x", "y", "z"], pd.Series(users, name="user"), share=0.5, seed=0)
    assert (caught.value.code, caught.value.where) == ("PEN182", "split.within")
