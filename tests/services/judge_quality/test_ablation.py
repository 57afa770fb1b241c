"""The ablation by family, on answers of which one family tells everything."""

import random
from typing import Any

import numpy as np
import pytest

from faithview.documents.benchmarks import AblationPart, FamilyRates
from faithview.domain.errors import InvalidInput
from faithview.judges.lexical.scoring.boosted_trees import Settings
from faithview.judges.lexical.scoring.model import BESIDE, FAMILIES, FEATURES, AnswerKind
from faithview.services.judge_quality import ablation
from faithview.services.judge_quality.ablation import ABLATED_FIGURES, Ablation, ablate_answers, fits_needed
from faithview.services.judge_quality.fit import Answer

_SMALL = Settings(trees=20, depth=3, rate=0.2, columns=1.0, ridge=5.0)
_TOLD_BY = "fields_agreed"


def _answers(count: int) -> list[Answer]:
    """Return answers of two claims each; `fields_agreed` says which are right, all other figures are noise."""
    draw = random.Random(5)
    answers = []
    for number in range(count):
        known = (number % 2, 1)
        rows = np.array([[draw.random() for _ in FEATURES] for _ in known])
        rows[:, list(FEATURES).index(_TOLD_BY)] = known
        answers.append(
            Answer(
                is_faithful=all(known),
                has_spans=True,
                fold=draw.randrange(1000),
                rows=rows,
                known=known,
                in_conflict=(False, False),
                lacks_detail=(False, False),
                found=(1.0, 1.0),
                beside=(1.0,) + (0.0,) * (len(BESIDE) - 1),
                kind=AnswerKind.SEVERAL,
                score_without_claims=1.0,
            )
        )
    return answers


@pytest.fixture(scope="module")
def answers() -> list[Answer]:
    return _answers(240)


@pytest.fixture(scope="module")
def measured(answers: list[Answer]) -> Ablation:
    before = [answer.rows.copy() for answer in answers]
    found = ablate_answers(answers, _SMALL, folds=2, draws=1)
    assert all(np.array_equal(answer.rows, rows) for answer, rows in zip(answers, before, strict=True))
    return found


def test_only_the_family_that_tells_everything_is_missed(measured: Ablation) -> None:
    worth = {family.family: family for family in measured.families}
    assert list(worth) == [family.name for family in FAMILIES]
    assert measured.all_families["claim_auroc"] == 1.0
    for name, family in worth.items():
        figure, difference = family.figures["claim_auroc"], family.differences["claim_auroc"]
        assert figure is not None
        assert difference == figure - 1.0
        if name == "fields":
            assert 0.3 < figure < 0.7  # noise says nothing
        else:
            assert figure == 1.0


def test_counts_are_those_of_the_file(measured: Ablation) -> None:
    document = AblationPart.of(measured, families=[FamilyRates.of(f, **f.figures) for f in measured.families]).to_dict()
    assert (document["answers"], document["claims"], document["labelled_claims"]) == (240, 480, 480)
    assert (document["folds"], document["draws"]) == (2, 1)
    assert [row["features"] for row in document["families"]] == [len(family.features) for family in FAMILIES]
    assert all(set(row["differences"]) == set(ABLATED_FIGURES) for row in document["families"])
    assert document["chance"] == dict.fromkeys(ABLATED_FIGURES)  # one draw does not tell


def test_figures_are_means_over_draws_of_other_seeds(answers: list[Answer], monkeypatch: pytest.MonkeyPatch) -> None:
    seeds: list[int] = []

    def figures(files: dict[str, list[Answer]], settings: Settings, *, folds: int) -> dict[str, dict[str, Any]]:
        seeds.append(settings.seed)
        is_whole = files["file"][0].rows is answers[0].rows
        value = (0.8 if is_whole else 0.7) + 0.02 * (settings.seed - _SMALL.seed)
        return {"file": {"claim_auroc": None, "auroc": value, "balanced_accuracy": value}}

    monkeypatch.setattr(ablation, "figures_out_of_fold", figures)
    steps: list[None] = []
    found = ablate_answers(answers, _SMALL, draws=2, on_fitted=lambda: steps.append(None))
    assert len(steps) == fits_needed(2) == 2 * (len(FAMILIES) + 1)
    assert seeds == [_SMALL.seed, _SMALL.seed + 1] * (len(FAMILIES) + 1)
    assert found.all_families == {
        "claim_auroc": None,
        "auroc": pytest.approx(0.81),
        "balanced_accuracy": pytest.approx(0.81),
    }
    assert all(family.differences["auroc"] == pytest.approx(-0.1) for family in found.families)
    assert all(family.differences["claim_auroc"] is None for family in found.families)
    # Each pair differs by 0.02, a variance of 0.0002: 1.96 * sqrt(2 * 0.0002 / 2) = 0.0277.
    assert found.chance["auroc"] == pytest.approx(0.0277, abs=1e-4)
    assert found.chance["claim_auroc"] is None


def test_too_few_labels_are_refused() -> None:
    with pytest.raises(InvalidInput, match="a fit needs at least 50 of each"):
        ablate_answers(_answers(40), _SMALL)


def test_other_judges_have_no_families() -> None:
    ablation.require_rules("lexical")
    with pytest.raises(InvalidInput, match="leave --judge out"):
        ablation.require_rules("openai:gpt-test")
