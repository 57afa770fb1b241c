"""Which segments have more of a change than their share of the answers."""

import numpy as np
import pytest

from faithview.stats.decomposition import segment_shares


def test_the_largest_segment_is_not_named_for_being_large() -> None:
    # Every segment fell by 0.10, and Billing has 80 % of the answers.
    segments = ["Billing"] * 160 + ["Security"] * 20 + ["Teams"] * 20
    change = np.array([-1.0 if at % 10 == 0 else 0.0 for at in range(200)])
    found = segment_shares(segments, change, np.arange(200))
    assert [(s.segment, round(s.share_of_change, 9), s.share_of_answers) for s in found] == [
        ("Billing", 0.8, 0.8),
        ("Security", 0.1, 0.1),
        ("Teams", 0.1, 0.1),
    ]
    assert not any(share.stands_out for share in found)


def test_a_segment_with_less_than_its_share_of_the_loss_is_not_named() -> None:
    # QA has 80 % of the rows and 69 % of the loss.
    segments = ["QA"] * 80 + ["Summary"] * 20
    change = np.array([-1.0] * 9 + [0.0] * 71 + [-1.0] * 4 + [0.0] * 16)
    qa, summary = segment_shares(segments, change, np.arange(100))
    assert (qa.segment, round(qa.share_of_change, 2), qa.share_of_answers) == ("QA", 0.69, 0.8)
    assert not qa.stands_out
    assert not summary.stands_out  # 31 % of the loss and 20 % of the answers can be chance


def test_a_small_segment_with_nearly_all_of_the_loss_is_named() -> None:
    segments: list[str | None] = [None] * 95 + ["Handovers"] * 20
    change = np.array([0.0] * 94 + [-0.5] + [-0.5] * 13 + [0.0] * 7)
    first, rest = segment_shares(segments, change, np.arange(115))
    assert (first.segment, round(first.share_of_change, 2), round(first.share_of_answers, 2)) == (
        "Handovers",
        0.93,
        0.17,
    )
    assert first.stands_out
    assert first.p_value < 0.001
    assert rest.segment is None
    assert not rest.stands_out
    gain, _ = segment_shares(segments, -change, np.arange(115))
    assert (gain.segment, gain.p_value) == ("Handovers", first.p_value)


def test_answers_to_one_question_count_once() -> None:
    segments = ["A"] * 20 + ["B"] * 80
    change = np.array([-1.0] * 10 + [0.0] * 90)
    alone = segment_shares(segments, change, np.arange(100))[0]
    one_question = np.concatenate([np.zeros(10, dtype=np.int64), np.arange(1, 91)])
    together = segment_shares(segments, change, one_question)[0]
    assert alone.stands_out
    assert together.p_value > alone.p_value
    assert not together.stands_out


def test_one_segment_or_no_change_has_nothing_to_name() -> None:
    assert segment_shares(["A", "B"], np.zeros(2), np.arange(2)) == ()
    assert segment_shares([], np.zeros(0), np.zeros(0, dtype=np.int64)) == ()
    (only,) = segment_shares(["A"] * 30, np.full(30, -0.1), np.arange(30))
    assert only.share_of_change == pytest.approx(1)
    assert only.p_value == 1
    with pytest.raises(ValueError, match="2 segments, 3 differences"):
        segment_shares(["A", "B"], np.zeros(3), np.arange(3))
