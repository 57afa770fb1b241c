"""One probability from rules and reader: a line over crossed figures, who is read, and cuts."""

import json
from collections.abc import Mapping
from typing import Any

import pytest

from faithview.domain.sample import Sample
from faithview.judges.embedded.combination import (
    Combination,
    Evidence,
    Strictness,
    answer_figures,
    claim_figures,
    packaged_combination,
    text_figures,
)
from faithview.judges.embedded.reader import Reading
from faithview.judges.lexical.analysis.answer import read_answer
from faithview.judges.lexical.comparison.comparison import Comparison
from faithview.judges.lexical.scoring.answer_pooling import AnswerKind
from faithview.judges.lexical.scoring.model import logistic
from faithview.judges.lexical.splitting.claims import split_answer

_YES = Reading(entailed=0.97, neutral=0.02, contradicted=0.01, worst=0.1, wrong=())
_NO = Reading(entailed=0.03, neutral=0.07, contradicted=0.9, worst=0.9, wrong=((0, 3),))
_READER = {"lead": 0.95, "copied": 0.2}
_RULES = {"lead": 0.05, "copied": 0.5}
_MANUAL = "Each device can be returned within 14 days. " * 6


def _evidence(reading: Reading | None, probability: float = 0.8, about: Mapping[str, float] = _RULES) -> Evidence:
    return Evidence(probability=probability, comparison=_comparison(_MANUAL), about=about, reading=reading)


def _comparison(chunk: str) -> Comparison:
    sample = Sample.of("A device can be returned within 14 days.", [chunk])
    return read_answer(sample, split_answer(sample.answer)).comparisons[0]


def _document(**changes: object) -> dict[str, Any]:
    plain: dict[str, Any] = {
        "lead": {"intercept": -3.0, "passages": 2.0},
        "read": {"intercept": 0.1, "rules": 0.4, "entailed lead": 0.5, "copied": 0.2},
        "unread": {"intercept": -0.3, "rules": 0.7},
        "answer": {"intercept": 0.0, "lowest lead": 1.0, "rules": 1.0},
        "cuts": {"reader": 0.5, "rules": 0.6, "near": 0.55},
        "answer_cuts": {"reader": 0.3, "one": 0.4, "several": 0.4, "record": 0.4},
        "shifts": {"lenient": -1.0, "balanced": 0.0, "strict": 1.0},
        "unsure": 0.8,
        "sure": 0.7,
    }
    return plain | changes


@pytest.mark.parametrize("about", [_READER, _RULES])
def test_figures_count_by_themselves_and_by_what_they_are_multiplied_by(about: Mapping[str, float]) -> None:
    known = _evidence(_YES, about=about)
    figures = claim_figures(known.probability, known.comparison, known.reading)
    odds = 0.1 + 0.4 * figures["rules"] + 0.5 * about["lead"] * figures["entailed"] + 0.2 * about["copied"]
    assert Combination(_document(), "d").support(known) == pytest.approx(logistic(odds), abs=1e-4)


def test_a_whole_sentence_that_is_copied_is_supported_whatever_the_reader_says() -> None:
    copied = _comparison("Owners pay for it. A device can be returned within 14 days. ")
    known = Evidence(probability=0.8, comparison=copied, about=_RULES, reading=_NO)
    assert copied.is_verbatim
    assert not _comparison(_MANUAL).is_verbatim
    assert Combination(_document(), "d").support(known) == 0.95


def test_what_a_near_sentence_decides_against_keeps_a_fifth_of_its_support() -> None:
    combination = Combination(_document(), "d")
    figures = claim_figures(0.8, _comparison(_MANUAL), _YES)
    whole = combination.support_of(figures | {"decided": 0.0}, _RULES)
    assert combination.support_of(figures | {"decided": 1.0}, _RULES) == pytest.approx(0.2 * whole, abs=1e-4)


def test_a_claim_that_was_not_read_has_a_line_of_its_own() -> None:
    known = _evidence(None)
    rules = claim_figures(known.probability, known.comparison, None)["rules"]
    assert Combination(_document(), "d").support(known) == pytest.approx(logistic(-0.3 + 0.7 * rules), abs=1e-4)


def test_a_figure_that_does_not_exist_is_an_error_and_no_zero() -> None:
    with pytest.raises(KeyError):
        Combination(_document(read={"intercept": 0.0, "entailment": 1.0}), "d").support(_evidence(_YES))


def test_claims_are_read_where_the_reader_leads_a_sentence_is_near_or_the_rules_are_unsure() -> None:
    combination = Combination(_document(), "d")
    far, near = _comparison(_MANUAL + "Spare parts are sold in the shop in Mill Lane. " * 20), _comparison(_MANUAL[:40])
    assert all(combination.needs_reading(_READER, p, far, is_record=False) for p in (0.01, 0.5, 0.99))
    assert [combination.needs_reading(_RULES, p, far, is_record=False) for p in (0.1, 0.5, 0.9)] == [False, True, False]
    assert combination.needs_reading(_RULES, 0.99, near, is_record=False)
    assert not any(combination.needs_reading(_READER, p, near, is_record=True) for p in (0.01, 0.5, 0.99))


def test_cuts_go_by_who_leads_and_the_strictness() -> None:
    combination = Combination(_document(), "d")
    assert combination.cut(_READER, Strictness.BALANCED) == pytest.approx(0.5)
    assert combination.cut(_RULES, Strictness.BALANCED) == pytest.approx(0.6)
    assert combination.cut(_RULES, Strictness.BALANCED, is_near=True) == pytest.approx(0.55)
    assert combination.cut(_READER, Strictness.BALANCED, is_near=True) == pytest.approx(0.5)
    assert combination.cut(_READER, Strictness.STRICT) == pytest.approx(logistic(1.0))
    assert combination.answer_cut(_READER, AnswerKind.ONE, Strictness.BALANCED) == pytest.approx(0.3)
    assert combination.answer_cut(_RULES, AnswerKind.ONE, Strictness.BALANCED) == pytest.approx(0.4)


def test_the_packaged_one_believes_the_reader_and_the_rules() -> None:
    packaged = packaged_combination()
    for about in (_READER, _RULES):
        assert packaged.support(_evidence(_YES, about=about)) > packaged.support(_evidence(_NO, about=about))
        cuts = [packaged.cut(about, strictness) for strictness in Strictness]
        assert cuts == sorted(cuts)
        assert 0 < cuts[0] < cuts[-1] < 1
    assert packaged.support(_evidence(_YES, 0.95)) > packaged.support(_evidence(_YES, 0.2))


def test_an_answer_is_worth_less_with_a_weak_claim_and_one_claim_counts_twice_as_lowest() -> None:
    packaged = packaged_combination()
    for about in (_READER, _RULES):
        assert packaged.answer_support(about, [0.9, 0.9], 0.7) > packaged.answer_support(about, [0.9, 0.2], 0.7)
    assert answer_figures([0.9], 0.5)["lowest"] == answer_figures([0.9], 0.5)["second"]


@pytest.mark.parametrize(
    ("marked", "bare"),
    [
        (
            "# Returns\n\n- **Devices** can be returned within 14 days.",
            "Returns\n\nDevices can be returned within 14 days.",
        ),
        ("- Open the `app`.\n- Choose __Returns__.", "Open the app.\nChoose Returns."),
    ],
)
def test_markup_changes_nothing_in_what_an_answer_is_taken_for(marked: str, bare: str) -> None:
    leads = []
    for chunk in (marked, bare):
        sample = Sample.of("You may bring a device back for two weeks.", [chunk + _MANUAL])
        view = read_answer(sample, split_answer(sample.answer)).view
        leads.append(packaged_combination().about(text_figures(view, [0.7]))["lead"])
    assert leads[0] == pytest.approx(leads[1], abs=0.1)


def test_the_digest_names_the_document() -> None:
    assert len(packaged_combination().digest) == 8
    assert json.dumps(_document())  # the document is plain JSON
