"""The finding of a comparison is made from its numbers, and claims no more than they support."""

from dataclasses import replace

from faithview.domain.comparison import Cause
from faithview.domain.scoring import Interval
from faithview.stats.corrected_difference import CorrectedDifference
from faithview.ui.changes.finding import (
    compare_finding,
    corrected_finding,
)
from tests.ui.made_comparisons import made_comparison, made_difference, made_segment, made_share


def test_a_fall_is_reported_with_its_segments_and_causes() -> None:
    found = made_comparison(
        segments=[made_segment("Billing", -0.01, share=0.02), made_segment("Handovers", -0.42, p=0.006, share=0.98)],
        causes=[
            made_share(Cause.RETRIEVED, lost=-0.06, broken=16),
            made_share(Cause.ANSWER_REWRITTEN, lost=-0.02, won=0.01, broken=8, fixed=2),
        ],
    )
    assert compare_finding(found) == (
        "Faithfulness fell by **0.07** (0.03–0.12, p 0.0002, n 114 pairs): 98% of the loss is in **Handovers** (10% of "
        "the answers); 24 claims broke, 2 fixed; 16 of the broken because the answer is now built on newly "
        "retrieved chunks."
    )


def test_a_rise_is_explained_by_claims_that_gained_support() -> None:
    found = made_comparison(
        made_difference(0.08, interval=(0.04, 0.13), p_value=0.00001, counts=(4, 20, 91)),
        segments=[made_segment("A", 0.3, p=0.01, share=0.5), made_segment("B", 0.2, p=0.02, share=0.25)],
        causes=[made_share(Cause.DOCUMENT_EDITED, lost=-0.01, won=0.09, broken=3, fixed=1)],
    )
    assert compare_finding(found) == (
        "Faithfulness rose by **0.08** (0.04–0.13, p < 0.0001, n 115 pairs): 50% of the gain is in **A** (10% of the "
        "answers) and 25% in **B** (10%); 1 claim fixed, 3 broke, because the evidence was edited."
    )


def test_where_no_segment_stands_out_none_is_named() -> None:
    segments = [made_segment("A", -0.1, share=0.5), made_segment("B", -0.1, p=0.06, share=0.5)]
    text = compare_finding(made_comparison(segments=[replace(s, p_value_share=0.06) for s in segments]))
    assert "no segment has a significantly larger share of the loss than of the answers" in text
    # A large segment's large part is no more than its share of the answers.
    large = replace(segments[0], share_of_pairs=0.8, share_of_delta=0.69, p_value_share=0.01)
    assert "69%" not in compare_finding(made_comparison(segments=[large, segments[1]]))
    assert "segment" not in compare_finding(made_comparison(segments=segments[:1]))


def test_an_insignificant_difference_is_called_chance_and_names_the_detectable_one() -> None:
    found = made_comparison(
        made_difference(-0.002, interval=(-0.036, 0.029), p_value=0.923, counts=(7, 7, 101), detectable=0.041),
        causes=[made_share(Cause.ANSWER_REWRITTEN, lost=-0.03, won=0.028, broken=8, fixed=8)],
    )
    assert compare_finding(found) == (
        "**Not statistically significant:** the runs differ by less than 0.01 (−0.04 to +0.03, p 0.92, n 115 pairs). "
        "8 claims broke, 8 fixed. With 115 pairs, a real difference of 0.04 would be noticed 80% of the time."
    )


def test_no_change_and_nothing_to_compare_have_their_own_sentences() -> None:
    same = made_difference(0.0, interval=(0.0, 0.0), p_value=1.0, counts=(0, 0, 20), detectable=None)
    assert compare_finding(made_comparison(same)) == "**No answer's score changed** (n 20 pairs)."
    none = made_difference(None, interval=None, p_value=None, counts=(0, 0, 0), detectable=None)
    assert compare_finding(made_comparison(none, unscored={"failed, failed": 3, "abstained, judged": 1})) == (
        "**Nothing to compare:** of 4 pairs of answers, none has a score in both runs "
        "(3 failed in both runs, 1 abstained before)."
    )


def test_a_segments_name_is_escaped() -> None:
    segments = [made_segment("A", 0.0), made_segment("[x](http://e.org) **b** $y$", -0.4, p=0.01, share=1.0)]
    text = compare_finding(made_comparison(segments=segments))
    assert "[x](" not in text
    assert "\\*\\*b\\*\\*" in text


def test_the_corrected_scores_say_more_than_chance_only_where_their_interval_leaves_out_0() -> None:
    clear = CorrectedDifference(
        baseline=0.83, candidate=0.73, difference=-0.1, interval=Interval(-0.18, -0.02), judge=-0.02
    )
    assert corrected_finding(clear) == (
        "Corrected by spot-checks, the whole runs' faithfulness fell by **0.10** (0.02–0.18), from 0.83 to 0.73."
    )
    open_ended = replace(clear, interval=Interval(-0.21, 0.01))
    assert corrected_finding(open_ended).startswith(
        "**Not statistically significant:** corrected by spot-checks, the whole runs' faithfulness fell by **0.10** "
        "(−0.21 to +0.01)"
    )


def test_segments_that_moved_against_each_other_are_named_although_the_whole_did_not_move() -> None:
    chance = made_difference(0.0, interval=(-0.09, 0.09), p_value=1.0, counts=(15, 15, 90))
    apart = [made_segment("Alpha", -0.25, p=0.0001, share=None), made_segment("Beta", 0.25, p=0.0001, share=None)]
    text = compare_finding(made_comparison(chance, segments=apart))
    assert text == (
        "**Overall, the change could be chance:** the runs differ by less than 0.01 (−0.09 to +0.09, p 1.00, n 120 "
        "pairs). But **Alpha** fell by **0.25** (adjusted p 0.0001, n 10 pairs) and **Beta** rose by **0.25** "
        "(adjusted p 0.0001, n 10 pairs)."
    )
    # One alone has to be surer, because the whole was tested first.
    for p, is_named in ((0.03, False), (0.002, True)):
        one = made_comparison(chance, segments=[made_segment("Alpha", -0.25, p=p), made_segment("Beta", 0.0)])
        assert ("But **Alpha** fell" in compare_finding(one)) is is_named
        assert ("Not statistically significant" in compare_finding(one)) is not is_named
