"""What a spot-check takes as its drawn units, and what it refuses."""

from typing import Any

import numpy as np
import pytest

from faithview.stats.spot_check import SpotCheckSample, Stratum


def sample(**changes: Any) -> SpotCheckSample:
    columns: dict[str, Any] = {
        "strata": (Stratum(name="all", units=9, weight=1.0, judged=0.5),),
        "stratum": np.zeros(2, dtype=np.int64),
        "pi": np.array([0.5, 1.0]),
        "weight": np.full(2, 1 / 9),
        "judge": np.array([0.0, 1.0]),
        "people": np.array([1.0, 0.0]),
    }
    return SpotCheckSample(**{**columns, **changes})


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"judge": np.ones(3)}, r"different lengths \[2, 3\]"),
        ({"pi": np.array([0.5, 1.5])}, "inclusion probability is .*1.5"),
        ({"judge": np.array([0.5, 1.5])}, "score of the judge is .*1.5"),
        ({"judge": np.array([0.5, -0.5])}, "score of the judge is .*-0.5"),
        ({"judge": np.array([0.5, np.nan])}, "score of the judge is .*nan"),
        ({"people": np.array([0.5, 1.5])}, "score of the people is .*1.5"),
        ({"strata": ()}, "no stratum"),
    ],
)
def test_columns_that_do_not_fit_are_refused(changes: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        sample(**changes)


def test_labels_are_unknown_where_one_unit_could_be_worse_than_at_best() -> None:
    worst, best = np.array([0.5, 0.0]), np.array([0.5, 1.0])
    assert sample(worst=worst, best=best).has_unknown
    assert not sample(worst=best, best=best).has_unknown
    assert not sample().has_unknown
    assert not sample(worst=worst).has_unknown
    assert not sample(best=best).has_unknown


def test_labels_that_are_still_to_come_are_no_mistake() -> None:
    assert np.isnan(sample(people=np.array([1.0, np.nan])).people[1])


def test_a_unit_is_one_label_unless_it_is_said_otherwise() -> None:
    assert sample().labels_per_unit == 1.0
