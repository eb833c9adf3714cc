from __future__ import annotations

import numpy as np
import pytest

from penstock.components import splitting
from penstock.components.plots.partition import (
    EVALUATES,
    NOT_USED,
    TEST,
    TRAINS,
    class_shares_figure,
    partition_figure,
    subsets_of_rows,
)
from penstock.evidence.folds import Fold, Folds


def cut(recipe: str, rows: int = 40, **changes) -> list[Fold]:
    options = {"folds": 5, "validation": 0.25, "stratify": False, "seed": 0, "classes": None, "groups": None}
    return splitting.folds(rows, recipe=recipe, **(options | changes))


@pytest.mark.covers("plot_split_diagram")
@pytest.mark.parametrize("recipe", ["train-validation-test", "cross-validation-and-test", "resampling-and-test"])
def test_each_line_shows_which_rows_teach_judge_and_test(recipe: str) -> None:
    parts = cut(recipe)
    lines = subsets_of_rows(parts, 40, 10)
    assert lines.shape == (len(parts) + 1, 50)
    for line, (train, valid) in zip(lines, parts, strict=False):
        assert [int((line == part).sum()) for part in (TRAINS, EVALUATES)] == [len(train), len(valid)]
        assert (line[40:] == NOT_USED).all()  # the test rows take no part in any fold
    assert (lines[-1, :40] == TRAINS).all()
    assert (lines[-1, 40:] == TEST).all()


@pytest.mark.covers("plot_split_diagram")
def test_folds_are_blocks_on_a_diagonal() -> None:
    lines = subsets_of_rows(cut("cross-validation-and-test"), 40, 10)
    for number in range(5):
        assert np.flatnonzero(lines[number] == EVALUATES).tolist() == list(range(8 * number, 8 * number + 8))


def test_by_time_the_rows_that_judge_come_after_those_that_teach() -> None:
    times = np.array("2024-01-01", dtype="datetime64[us]") + np.random.default_rng(0).permutation(40) * np.timedelta64(
        1, "D"
    )
    parts = splitting.ordered_folds(times, folds=3, gap=np.timedelta64(2, "D"), window=None)
    lines = subsets_of_rows(parts, 40, 10, in_gap=2)
    for line in lines[:-1]:
        assert np.flatnonzero(line == EVALUATES).min() - np.flatnonzero(line == TRAINS).max() == 3  # two rows of gap
    assert (lines[-1, 40:42] == NOT_USED).all()


@pytest.mark.covers("plot_split_diagram")
def test_the_figure_names_recipe_folds_time_and_group() -> None:
    data = {"train_rows": 40, "test_rows": 10, "split": {"recipe": "cross-validation-and-test", "group": "ward"}}
    figure = partition_figure(data, Folds(splits=cut("cross-validation-and-test")))["split_diagram"]
    names = [tick.get_text() for tick in figure.axes[0].get_yticklabels()]
    assert names == ["fold 1", "fold 2", "fold 3", "fold 4", "fold 5", "final model"]
    assert figure.get_suptitle().replace("\n", " ") == "How the rows are split: cross-validation and test"
    assert "each “ward” whole" in figure.axes[0].get_xlabel()
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["teaches", "judges", "test, evaluates once"]
    data["split"] = {"recipe": "leave-one-out", "ordered": "day"}
    figure = partition_figure(data, Folds(splits=cut("leave-one-out")))["split_diagram"]
    assert "the first 10 of 40 folds" in figure.get_suptitle().replace("\n", " ")
    assert "earlier to later, by “day”" in figure.axes[0].get_xlabel()


def test_without_folds_there_is_no_figure() -> None:
    assert partition_figure({"train_rows": 40, "test_rows": 10}, {}) == {}


@pytest.mark.covers("plot_partition_sizes")
def test_the_shares_of_the_classes_are_drawn_for_each_part() -> None:
    y = np.repeat([0, 1], [30, 10])
    parts = cut("cross-validation-and-test", stratify=True, classes=y)
    data = {"target": {"classes": ["no", "yes"]}}
    figure = class_shares_figure(data, Folds(y, splits=parts), np.repeat([0, 1], [6, 4]))["partition_sizes"]
    axes = figure.axes[0]
    assert [tick.get_text() for tick in axes.get_yticklabels()][4:] == [
        "fold 5 (8)",
        "training rows (40)",
        "test rows (10)",
    ]
    of_no, of_yes = (container.datavalues for container in axes.containers)
    np.testing.assert_allclose(of_no, [0.75] * 6 + [0.6])
    np.testing.assert_allclose(of_no + of_yes, 1)


@pytest.mark.parametrize("data", [{"target": {"classes": None}}, {"target": {"classes": list(range(11))}}, {}])
def test_without_few_classes_there_are_no_shares(data) -> None:
    parts = cut("cross-validation-and-test")
    assert class_shares_figure(data, Folds(np.zeros(40), splits=parts), np.zeros(3)) == {}
