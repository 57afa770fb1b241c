"""`bench`'s document, against figures worked out by hand and by brute force over characters."""

import random
from dataclasses import replace

import pytest

from faithview import Sample, Verdict
from faithview.domain.claim import Mismatch
from faithview.domain.run import JudgeSpec
from faithview.domain.spans import Span
from faithview.formats.labelled import LabelledSample
from faithview.formats.reading.reader import LabelledSpan
from faithview.services.judge_quality.benchmarks import Judged, bench, figures
from tests.factories import make_claim, make_result
from tests.services.scripted import ScriptedJudge

S, N, C = Verdict.SUPPORTED, Verdict.NOT_MENTIONED, Verdict.CONTRADICTED


def _labelled(
    answer: str, label: int, *, task: str = "qa", spans: tuple[tuple[int, int], ...] | None = None
) -> LabelledSample:
    marked = None if spans is None else tuple(LabelledSpan(start=start, end=end) for start, end in spans)
    sample = Sample.of(answer, ["some text"], key=answer)
    return LabelledSample(sample=sample, label=label, spans=marked, claim=None, task=task, doc="")


def _judged(
    label: int,
    *claims: tuple[Verdict, tuple[int, int]],
    spans: tuple[tuple[int, int], ...] | None = None,
    score: float | None = None,
    supports: tuple[float, ...] = (),
) -> Judged:
    made = tuple(
        make_claim("c", verdict, spans=(Span(start=place[0], end=place[1]),), support=supports[n] if supports else None)
        for n, (verdict, place) in enumerate(claims)
    )
    result = make_result(*made, answer_score=score)
    return Judged(labelled=_labelled("x" * 40, label, spans=spans), result=result)


def test_figures_of_answers_are_those_worked_out_by_hand() -> None:
    judged = [
        _judged(0, (C, (0, 5))),  # found; faithfulness 0
        _judged(0, (S, (0, 5))),  # missed; 1
        _judged(1, (S, (0, 5))),  # right; 1
        _judged(1, (S, (0, 5)), (N, (5, 9))),  # false alarm; 0.5
    ]
    found = figures(judged)
    assert found["balanced_accuracy"] == 0.5
    assert (found["precision_unfaithful"], found["recall_unfaithful"], found["f1_unfaithful"]) == (0.5, 0.5, 0.5)
    # Pairs: (0 against 1) 1, (0 against 0.5) 1, (1 against 1) 0.5, (1 against 0.5) 0.
    assert found["auroc"] == pytest.approx(2.5 / 4)
    assert (found["claim_auroc"], found["span_f1"]) == (None, None)


def test_a_judge_s_own_answer_score_ranks_the_answers() -> None:
    judged = [_judged(0, (S, (0, 5)), score=0.3), _judged(1, (S, (0, 5)), score=0.9)]
    assert figures(judged)["auroc"] == 1.0


def test_span_f1_counts_characters_once_however_claims_and_labels_overlap() -> None:
    judged = [
        # Flagged [0, 8), labelled [4, 12): 4 in common, 4 flagged only, 4 labelled only.
        _judged(0, (N, (0, 6)), (C, (4, 8)), (S, (8, 12)), spans=((4, 10), (6, 12))),
        _judged(1, (S, (0, 40)), spans=()),
        _judged(1, (N, (0, 40))),  # without spans in the file it does not count
    ]
    assert figures(judged)["span_f1"] == pytest.approx(2 * 4 / (2 * 4 + 4 + 4))


def test_span_f1_counts_the_wrong_words_of_a_claim_if_the_judge_names_them() -> None:
    judged = _judged(0, (C, (0, 15)), (N, (15, 20)), (C, (20, 30)), (S, (30, 40)), spans=((4, 10), (15, 30)))
    named, absent, *others = judged.result.claims
    claims = (
        replace(named, mismatches=(Mismatch(4, 8), Mismatch(10, 12))),
        replace(absent, mismatches=(Mismatch(16, 17),)),  # all of it is flagged
        *others,
    )
    judged = replace(judged, result=replace(judged.result, claims=claims))
    # Flagged [4, 8), [10, 12), [15, 20) and [20, 30): 19 in common, 2 flagged only, 2 labelled only.
    assert figures([judged])["span_f1"] == pytest.approx(2 * 19 / (2 * 19 + 2 + 2))


def test_claim_auroc_ranks_claims_by_their_support_score() -> None:
    places = ((N, (0, 5)), (S, (5, 9)), (S, (9, 20)))
    judged = [_judged(0, *places, spans=((2, 6),), supports=(0.1, 0.7, 0.6))]
    # Unfaithful are the first two (0.1 and 0.7), faithful the third (0.6): one of the two pairs is in order.
    assert figures(judged)["claim_auroc"] == 0.5


def test_span_f1_is_that_of_brute_force_over_characters() -> None:
    rng = random.Random(5)

    def ranges(count: int) -> list[tuple[int, int]]:
        starts = [rng.randrange(0, 35) for _ in range(count)]
        return [(start, start + rng.randint(1, 5)) for start in starts]

    judged = []
    tp = fp = fn = 0
    for _ in range(50):
        claims = [(rng.choice(list(Verdict)), place) for place in ranges(rng.randint(1, 5))]
        spans = tuple(ranges(rng.randint(0, 4)))
        judged.append(_judged(0, *claims, spans=spans))
        flagged = {at for verdict, (start, end) in claims if verdict is not S for at in range(start, end)}
        marked = {at for start, end in spans for at in range(start, end)}
        tp, fp, fn = tp + len(flagged & marked), fp + len(flagged - marked), fn + len(marked - flagged)
    assert figures(judged)["span_f1"] == pytest.approx(2 * tp / (2 * tp + fp + fn))


def test_failed_rows_are_counted_and_enter_no_figure(judge: ScriptedJudge) -> None:
    rows = [
        _labelled("aaaa", 1, task="qa"),  # supported (length 4)
        _labelled("aaa", 0, task="qa"),  # contradicted (length 3)
        _labelled("fail", 0, task="summary"),
        _labelled("bbbb", 1, task="summary"),
    ]
    told: list[int] = []
    document = bench(rows, file="f.jsonl", judge=JudgeSpec(name="scripted"), on_judged=lambda: told.append(1))
    assert list(document) == [
        "judge",
        "file",
        "rows",
        "failed",
        "balanced_accuracy",
        "f1_unfaithful",
        "precision_unfaithful",
        "recall_unfaithful",
        "auroc",
        "claim_auroc",
        "span_f1",
        "seconds",
        "answers_per_second",
        "tasks",
        "macro",
    ]
    assert (document["judge"], document["file"], document["rows"], document["failed"]) == ("scripted", "f.jsonl", 4, 1)
    assert document["balanced_accuracy"] == 1.0
    assert set(document["tasks"]) == {"qa", "summary"}
    assert document["tasks"]["qa"]["balanced_accuracy"] == 1.0
    assert document["tasks"]["summary"]["balanced_accuracy"] is None  # one class only
    assert document["macro"]["balanced_accuracy"] == 1.0
    assert document["macro"]["span_f1"] is None
    assert len(told) == 4
    assert judge.closed == 1
