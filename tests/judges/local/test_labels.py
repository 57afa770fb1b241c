"""Label order comes from the model's configuration: published models differ."""

import pytest

from faithview.domain.errors import JudgeUnavailable
from faithview.judges.local.model import label_places


@pytest.mark.parametrize(
    ("labels", "expected"),
    [
        (("contradiction", "entailment", "neutral"), (1, 0)),  # cross-encoder/nli-*
        (("entailment", "neutral", "contradiction"), (0, 2)),  # MoritzLaurer/*
        (("CONTRADICTION", "NEUTRAL", "ENTAILMENT"), (2, 0)),  # roberta-large-mnli
        (("SUPPORTS", "REFUTES", "NOT ENOUGH INFO"), (0, 1)),
        (("entailment", "not_entailment"), (0, None)),
    ],
)
def test_the_order_is_the_configurations(labels: tuple[str, ...], expected: tuple[int, int | None]) -> None:
    assert label_places("m", dict(enumerate(labels)), ()) == expected


@pytest.mark.parametrize(
    "labels",
    [
        ("LABEL_0", "LABEL_1", "LABEL_2"),
        ("positive", "negative"),
        ("entailment", "neutral", "other"),
        ("entailment", "entailment", "contradiction"),
        ("entailment", "neutral", "neutral"),
    ],
)
def test_labels_that_do_not_say_what_they_mean_are_refused(labels: tuple[str, ...]) -> None:
    with pytest.raises(JudgeUnavailable, match=f"{', '.join(labels)}.*labels=contradiction,entailment,neutral"):
        label_places("m", dict(enumerate(labels)), ())


def test_the_user_can_name_them() -> None:
    given = ("neutral", "contradiction", "entailment")
    assert label_places("m", {0: "LABEL_0", 1: "LABEL_1", 2: "LABEL_2"}, given) == (2, 1)
    with pytest.raises(JudgeUnavailable, match="has 2 labels, and the option labels names 3"):
        label_places("m", {0: "LABEL_0", 1: "LABEL_1"}, given)
