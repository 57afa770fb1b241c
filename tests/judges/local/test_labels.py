"""Label order comes from the model's configuration: published models differ."""

import numpy as np
import pytest

from faithview.domain.errors import JudgeUnavailable
from faithview.judges.local.models import label_order

_LOGITS = np.log(np.array([0.1, 0.7, 0.2], np.float32))


@pytest.mark.parametrize(
    ("labels", "expected"),
    [
        (("contradiction", "entailment", "neutral"), (0.7, 0.1)),  # cross-encoder/nli-*
        (("entailment", "neutral", "contradiction"), (0.1, 0.2)),  # MoritzLaurer/*
        (("CONTRADICTION", "NEUTRAL", "ENTAILMENT"), (0.2, 0.1)),  # roberta-large-mnli
        (("SUPPORTS", "REFUTES", "NOT ENOUGH INFO"), (0.1, 0.7)),
    ],
)
def test_the_order_is_the_configurations(labels: tuple[str, ...], expected: tuple[float, float]) -> None:
    assert label_order("m", dict(enumerate(labels)), ())(_LOGITS) == pytest.approx(expected, abs=1e-4)


def test_a_model_with_two_labels_knows_no_contradiction() -> None:
    read = label_order("m", {0: "entailment", 1: "not_entailment"}, ())
    supported, contradicted = read(np.log(np.array([0.8, 0.2], np.float32)))
    assert supported == pytest.approx(0.8, abs=1e-4)
    assert contradicted is None


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
    with pytest.raises(JudgeUnavailable, match="do not say what they mean") as refused:
        label_order("m", dict(enumerate(labels)), ())
    assert "labels=contradiction,entailment,neutral" in str(refused.value)


def test_the_user_can_name_them() -> None:
    given = ("neutral", "contradiction", "entailment")
    assert label_order("m", {0: "LABEL_0", 1: "LABEL_1", 2: "LABEL_2"}, given)(_LOGITS) == pytest.approx(
        (0.2, 0.7), abs=1e-4
    )
    with pytest.raises(JudgeUnavailable, match="has 2 labels, and the option labels names 3"):
        label_order("m", {0: "LABEL_0", 1: "LABEL_1"}, given)
