"""Which rows evaluate and which rows learn: row identity, the test set, and the folds inside the training rows."""

from penstock.components.splitting.by_time import Ordered, Times, duration, earlier_and_later, ordered_folds, times_of
from penstock.components.splitting.folds import Recipe, folds, require_varied, scored_on
from penstock.components.splitting.identity import ids_meet, refuse_overlap, row_ids
from penstock.components.splitting.test_set import TestRows, by_hash, given_rows, test_rows
from penstock.components.splitting.within import only_in_test, rows_within

__all__ = [
    "Ordered",
    "Recipe",
    "TestRows",
    "Times",
    "by_hash",
    "duration",
    "earlier_and_later",
    "folds",
    "given_rows",
    "ids_meet",
    "only_in_test",
    "ordered_folds",
    "refuse_overlap",
    "require_varied",
    "row_ids",
    "rows_within",
    "scored_on",
    "test_rows",
    "times_of",
]
