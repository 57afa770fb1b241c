"""Fitting the embedded judge: what it makes of labels, what it writes, and what it refuses."""

import asyncio
import random
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from faithview.domain.errors import InvalidInput
from faithview.domain.run import JudgeSpec
from faithview.domain.sample import Sample
from faithview.formats.labelled import LabelledSample
from faithview.judges.lexical import build
from faithview.judges.lexical.scoring.boosted_trees import Settings
from faithview.judges.lexical.scoring.model import ANSWER_FIGURES, AnswerKind
from faithview.services.judge_quality import fit
from faithview.services.judge_quality.fit import Answer, Fitted, Pooling, cross_validated, read_answers, write_model

pytestmark = pytest.mark.process  # takes long

_SMALL = Settings(trees=20, depth=3, rate=0.2, columns=0.5, ridge=5.0)
_THINGS = ("bicycle", "kettle", "ladder", "violin", "carpet", "mirror", "basket", "lantern", "pillow", "hammer")
_SAID = "is painted green, weighs nine pounds and stands beside the old window"
_INVENTED = "was stolen by sailors, travelled across deserts and exploded during breakfast"


def _rows(count: int) -> list[LabelledSample]:
    draw = random.Random(3)
    rows = []
    for number in range(count):
        thing, label = draw.choice(_THINGS), number % 2
        chunk = f"The {thing} {_SAID}. It belongs to room {number}."
        answer = f"The {thing} {_SAID if label else _INVENTED}."
        rows.append(
            LabelledSample(
                sample=Sample.of(answer, [chunk]), label=label, spans=None, claim=None, task="QA", doc=f"room {number}"
            )
        )
    return rows


def _fit(answers: Sequence[Answer]) -> Fitted:
    return cross_validated({"rooms": answers}, _SMALL)[0]


def test_a_fit_tells_said_from_invented_on_documents_it_has_not_seen() -> None:
    _, figures = cross_validated({"rooms": read_answers(_rows(240))}, _SMALL)
    assert figures["rooms"]["auroc"] is not None
    assert figures["rooms"]["auroc"] > 0.95
    assert figures["rooms"]["claim_auroc"] is None  # there are no spans


def test_the_written_model_judges_as_the_fit_does(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = _rows(240)
    answers = read_answers(rows)
    fitted = _fit(answers)
    write_model(fitted, tmp_path / "model.json")
    monkeypatch.setenv("FAITHVIEW_LEXICAL_MODEL", str(tmp_path / "model.json"))
    judge = build(JudgeSpec())
    for row, answer in zip(rows[:20], answers[:20], strict=True):
        result = asyncio.run(judge.judge(row.sample))
        scores = [claim.support_score for claim in result.claims]
        assert scores == pytest.approx(fitted.support(answer), abs=2e-3)
        assert result.answer_score == pytest.approx(fitted.pooling.score(answer, fitted.support(answer)), abs=1e-2)
        assert result.is_faithful is not fitted.pooling.flags(answer, fitted.support(answer))


@pytest.mark.parametrize("folds", [3])
def test_any_number_of_folds_judges_every_row(folds: int) -> None:
    _, figures = cross_validated({"rooms": read_answers(_rows(240))}, _SMALL, folds=folds)
    assert figures["rooms"]["balanced_accuracy"] == pytest.approx(1.0, abs=0.1)


def test_too_few_labels_are_refused() -> None:
    with pytest.raises(InvalidInput, match="a fit needs at least 50 of each"):
        _fit(read_answers(_rows(40)))


def test_a_cut_lies_in_the_middle_of_a_broad_top_and_not_on_a_lone_peak() -> None:
    broad = [0.9 if 0.5 <= cut <= 1.5 else 0.5 for cut in fit._CUTS]
    lone = [0.95 if cut == -1.5 else figure for cut, figure in zip(fit._CUTS, broad, strict=True)]
    assert 0.75 <= fit._top(lone) <= 1.25


def test_cuts_are_found_for_each_kind_of_answer() -> None:
    fitted = _fit(read_answers(_rows(240)))
    assert set(fitted.pooling.cuts) == set(AnswerKind)
    assert fitted.document()["cuts"]["answer"].keys() == {"one", "several", "record"}


@pytest.mark.parametrize(("found", "is_flagged"), [(0.2, True), (0.9, False)], ids=["not mentioned", "in part"])
def test_an_answer_is_flagged_while_fitting_as_the_judge_would_flag_it(found: float, is_flagged: bool) -> None:
    (answer,) = read_answers(_rows(1))
    claims = replace(
        answer,
        rows=answer.rows.repeat(5, axis=0)[:5],
        in_conflict=(False,) * 5,
        lacks_detail=(False,) * 5,
        found=(1.0, 1.0, 1.0, 1.0, found),
    )
    pooling = Pooling(slopes=dict.fromkeys(ANSWER_FIGURES, 0.0), intercept=0.0, cuts=dict.fromkeys(AnswerKind, -9.0))
    assert pooling.flags(claims, [0.9, 0.9, 0.9, 0.9, 0.3]) is is_flagged
