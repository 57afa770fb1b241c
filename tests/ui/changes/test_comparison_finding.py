"""The finding of a comparison is made from its numbers, and claims no more than they support."""

from dataclasses import replace

from faithview.domain.comparison import Cause, PairRule
from faithview.domain.scoring import Interval
from faithview.services.comparison.compared_runs import Shown
from faithview.services.comparison.judge_noise import JudgeNoise
from faithview.stats.corrected_difference import CorrectedDifference, NoCorrectedDifference
from faithview.ui.changes.changed_answers import default_shown
from faithview.ui.changes.comparison_finding import (
    compare_finding,
    corrected_finding,
    figures_words,
    left_out_words,
    noise_words,
    outcome_words,
    paired_words,
)
from faithview.wording.causes import CAUSE_WORDS
from tests.ui.made_comparisons import made_comparison, made_difference, made_segment, made_share

_NOISE = JudgeNoise(repeats=3, claims_flipped=0.05, answers_moved=0.1, half_width=0.08, answers=40)


def test_a_fall_is_reported_with_its_segments_and_causes() -> None:
    found = made_comparison(
        segments=[made_segment("Billing", -0.01, share=0.02), made_segment("Handovers", -0.42, p=0.006, share=0.98)],
        causes=[
            made_share(Cause.EVIDENCE_ADDED, lost=-0.06, broken=16),
            made_share(Cause.ANSWER_CHANGED, lost=-0.02, won=0.01, broken=8, fixed=2),
        ],
    )
    assert compare_finding(found) == (
        "Faithfulness fell by **0.07** (0.03–0.12, p 0.0002, n 114 pairs): 98% of the loss is in **Handovers** (10% of "
        "the answers); 24 claims broke, 2 fixed; 16 of the broken because the answer is now built on newly added "
        "chunks."
    )


def test_a_rise_is_explained_by_claims_that_gained_support() -> None:
    found = made_comparison(
        made_difference(0.08, interval=(0.04, 0.13), p_value=0.00001, counts=(4, 20, 91)),
        segments=[made_segment("A", 0.3, p=0.01, share=0.5), made_segment("B", 0.2, p=0.02, share=0.25)],
        causes=[made_share(Cause.EVIDENCE_EDITED, lost=-0.01, won=0.09, broken=3, fixed=1)],
    )
    assert compare_finding(found) == (
        "Faithfulness rose by **0.08** (0.04–0.13, p < 0.0001, n 115 pairs): 50% of the gain is in **A** (10% of the "
        "answers) and 25% in **B** (10%); 1 claim fixed, 3 broke, because the evidence was edited."
    )


def test_two_causes_of_similar_weight_are_both_named_and_a_small_one_is_not() -> None:
    causes = [
        made_share(Cause.NOT_RETRIEVED, lost=-0.04, broken=9),
        made_share(Cause.EVIDENCE_EDITED, lost=-0.03, broken=7),
        made_share(Cause.DISTRACTION, lost=-0.001, broken=1),
    ]
    text = compare_finding(made_comparison(causes=causes))
    assert (
        "17 claims broke, 0 fixed; 9 of the broken because the evidence, still in the knowledge base, was not" in text
    )
    assert "retrieved, 7 because" in text
    assert CAUSE_WORDS[Cause.DISTRACTION].because_lost not in text


def test_a_shorter_answer_is_no_reason_where_a_claim_broke() -> None:
    causes = [made_share(Cause.ANSWER_LENGTH, lost=-0.06, broken=9), made_share(Cause.DISTRACTION, lost=-0.01)]
    assert "each weighs more" not in compare_finding(made_comparison(causes=causes))
    alone = compare_finding(made_comparison(causes=causes[:1]))
    assert "no claim broke, but the answer has fewer claims, so each weighs more" in alone
    assert "claims broke" not in alone


def test_where_no_segment_stands_out_none_is_named() -> None:
    segments = [made_segment("A", -0.1, share=0.5), made_segment("B", -0.1, p=0.06, share=0.5)]
    text = compare_finding(made_comparison(segments=[replace(s, p_value_share=0.06) for s in segments]))
    assert "no segment has significantly more of the loss than of the answers" in text
    # A large segment's large part is no more than its share of the answers.
    large = replace(segments[0], share_of_pairs=0.8, share_of_delta=0.69, p_value_share=0.01)
    assert "69%" not in compare_finding(made_comparison(segments=[large, segments[1]]))
    assert "segment" not in compare_finding(made_comparison(segments=segments[:1]))


def test_an_insignificant_difference_is_called_chance_and_names_the_detectable_one() -> None:
    found = made_comparison(
        made_difference(-0.002, interval=(-0.036, 0.029), p_value=0.923, counts=(7, 7, 101), detectable=0.041),
        causes=[made_share(Cause.ANSWER_CHANGED, lost=-0.03, won=0.028, broken=8, fixed=8)],
    )
    assert compare_finding(found) == (
        "**Not statistically significant:** the runs differ by less than 0.01 (−0.04 to +0.03, p 0.92, n 115 pairs). "
        "8 claims broke, 8 fixed. With 115 pairs, a real difference of 0.04 would be noticed 80% of the time."
    )


def test_a_difference_within_the_judges_noise_is_called_noise_even_where_it_is_significant() -> None:
    text = compare_finding(made_comparison(noise=_NOISE))
    assert text.startswith("**Within the judge's noise:** faithfulness fell by 0.07")
    assert "±0.08" in text


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


def test_the_counts_are_put_into_words() -> None:
    found = made_comparison(noise=_NOISE, unscored={"failed, judged": 2})
    assert outcome_words(found.difference) == "17 worse · 3 better · 94 unchanged"
    assert left_out_words(found) == "2 failed before"
    assert left_out_words(made_comparison()) == ""
    assert paired_words(found) == ""
    mixed = replace(found, pairing=replace(found.pairing, rules={PairRule.KEY: 1, PairRule.QUESTION: 2}))
    assert paired_words(mixed) == "1 by id and 2 by question"
    assert noise_words(found) == "±0.08, 5% of claims flip"
    assert noise_words(made_comparison()) == ""


def test_the_figures_are_one_line_that_leaves_out_what_is_not_known() -> None:
    line = figures_words(made_comparison())
    assert line.startswith("Answers: 17 worse · 3 better · 94 unchanged")
    assert "Faithful: 16 no longer · 3 newly, p 0.004 (threshold 0.80)" in line
    assert not any(word in line for word in ("Paired", "Not scored", "Judge noise"))


def test_beside_a_line_on_the_knowledge_base_the_finding_only_counts_claims() -> None:
    causes = [made_share(Cause.EVIDENCE_EDITED, lost=-0.06, broken=9)]
    found = made_comparison(causes=causes)
    assert "because the evidence was edited" in compare_finding(found)
    counted = compare_finding(found, names_cause=False)
    assert "9 claims broke, 0 fixed" in counted
    assert "because" not in counted


def test_differing_labels_of_people_are_not_called_the_judges_noise() -> None:
    text = compare_finding(made_comparison(causes=[made_share(Cause.JUDGE_NOISE, lost=-0.07, broken=8)]))
    assert "8 claims broke, 0 fixed, because the same claim and chunks got a different verdict" in text
    assert "judge " not in text


def test_every_cause_has_words_in_both_directions() -> None:
    assert set(CAUSE_WORDS) == set(Cause)
    for words in CAUSE_WORDS.values():
        assert all((words.topic, words.lost, words.won, words.because_lost, words.because_won, words.rule))
    names = [name for words in CAUSE_WORDS.values() for name in (words.lost, words.won)]
    assert len(set(names)) == len(names)
    assert max(map(len, names)) <= 32  # more would not fit beside a bar


def test_worse_answers_are_listed_first_in_a_rise_too() -> None:
    for counts, shown in (
        ((4, 20, 91), Shown.REGRESSIONS),
        ((0, 2, 91), Shown.IMPROVEMENTS),
        ((0, 0, 91), Shown.ALL),
    ):
        difference = made_difference(0.08, interval=(0.04, 0.13), p_value=0.00001, counts=counts)
        assert default_shown(made_comparison(difference)) is shown


def test_a_difference_that_labels_alone_can_make_is_no_finding() -> None:
    untested = made_difference(0.05, counts=(0, 30, 170)).untested()
    found = compare_finding(made_comparison(untested))
    assert found == (
        "**No finding:** the reviewed scores are 0.94 before and 0.99 now (n 200 pairs), but the two runs are not "
        "labelled in the same way."
    )
    unchanged = made_difference(0.0, counts=(0, 0, 200)).untested()
    assert compare_finding(made_comparison(unchanged)).startswith("**No answer's score changed**")


def test_the_corrected_scores_say_more_than_chance_only_where_their_interval_leaves_out_0() -> None:
    clear = CorrectedDifference(
        baseline=0.83, candidate=0.73, difference=-0.1, interval=Interval(-0.18, -0.02), judge=-0.02
    )
    assert corrected_finding(clear) == (
        "Corrected by spot-checks, the whole runs' faithfulness fell by **0.10** (0.02–0.18), from 0.83 to 0.73; the "
        "judge's own means differ by −0.02."
    )
    open_ended = replace(clear, interval=Interval(-0.21, 0.01), is_final=False)
    assert corrected_finding(open_ended).startswith(
        "**Not statistically significant:** corrected by spot-checks, the whole runs' faithfulness fell by **0.10** "
        "(−0.21 to "
        "+0.01, while labelling, valid at every look)"
    )
    none = NoCorrectedDifference(message="The baseline has no spot-check.")
    assert corrected_finding(none) == "**The corrected scores cannot be compared.** The baseline has no spot\\-check\\."


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


def test_a_small_change_that_is_real_is_printed_until_it_can_be_seen() -> None:
    tiny = made_difference(-0.004, baseline=1.0, interval=(-0.007, -0.0012), p_value=0.008, counts=(8, 0, 1992))
    assert "fell by **0.004** (0.001–0.007, p 0.008" in compare_finding(made_comparison(tiny))
