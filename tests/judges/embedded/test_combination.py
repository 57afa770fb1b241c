"""One probability from rules and reader: lines by name, a gate between them, the cascade, and cuts."""

import json
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
)
from faithview.judges.embedded.reader import Reading
from faithview.judges.lexical.analysis.answer import read_answer
from faithview.judges.lexical.scoring.answer_pooling import AnswerKind
from faithview.judges.lexical.scoring.model import logistic
from faithview.judges.lexical.splitting.claims import split_answer

_YES = Reading(entailed=0.97, neutral=0.02, contradicted=0.01, worst=0.1, wrong=())
_NO = Reading(entailed=0.03, neutral=0.07, contradicted=0.9, worst=0.9, wrong=((0, 3),))
_DOCUMENTATION = 0.6
_PROSE = 0.0


def _evidence(reading: Reading | None, probability: float = 0.8, gate: float = 0.5) -> Evidence:
    sample = Sample.of("A device can be returned within 14 days.", ["You can return a device within 14 days."])
    comparison = read_answer(sample, split_answer(sample.answer)).comparisons[0]
    return Evidence(probability=probability, comparison=comparison, gate=gate, reading=reading)


def _document(**changes: object) -> dict[str, Any]:
    plain: dict[str, Any] = {
        "gate": {"intercept": -3.0, "markup": 9.0},
        "documentation": {"intercept": 0.1, "entailed": 0.5},
        "prose": {"intercept": 0.2, "rules": 1.0},
        "unread": {"intercept": -0.3, "rules": 0.7},
        "answer_documentation": {"intercept": 0.0, "lowest": 1.0},
        "answer_prose": {"intercept": 0.0, "rules": 1.0},
        "cuts": {"documentation": 0.5, "prose": 0.6},
        "answer_cuts": {"documentation": 0.3, "one": 0.4, "several": 0.4, "record": 0.4},
        "shifts": {"lenient": -1.0, "balanced": 0.0, "strict": 1.0},
        "unsure": [0.2, 0.8],
        "sure": 0.7,
    }
    return plain | changes


@pytest.mark.parametrize("gate", [0.0, 0.25, 1.0])
def test_the_gate_weighs_the_two_lines(gate: float) -> None:
    known = _evidence(_YES, gate=gate)
    figures = claim_figures(known.probability, known.comparison, known.reading)
    score = gate * (0.1 + 0.5 * figures["entailed"]) + (1 - gate) * (0.2 + figures["rules"])
    assert Combination(_document(), "d").support(known) == pytest.approx(logistic(score), abs=1e-4)


def test_a_claim_that_was_not_read_has_a_line_of_its_own() -> None:
    known = _evidence(None)
    rules = claim_figures(known.probability, known.comparison, None)["rules"]
    assert Combination(_document(), "d").support(known) == pytest.approx(logistic(-0.3 + 0.7 * rules), abs=1e-4)


def test_a_figure_that_does_not_exist_is_an_error_and_no_zero() -> None:
    with pytest.raises(KeyError):
        Combination(_document(documentation={"intercept": 0.0, "entailment": 1.0}), "d").support(_evidence(_YES))


def test_documentation_is_read_whole_prose_where_the_rules_are_unsure_and_records_never() -> None:
    combination = Combination(_document(), "d")
    documentation, prose = combination.gate(_DOCUMENTATION), combination.gate(_PROSE)
    assert prose < 0.5 < documentation
    assert all(combination.needs_reading(documentation, p, is_record=False) for p in (0.01, 0.5, 0.99))
    asked = [combination.needs_reading(prose, p, is_record=False) for p in (0.1, 0.5, 0.9)]
    assert asked == [False, True, False]
    assert not any(combination.needs_reading(documentation, p, is_record=True) for p in (0.01, 0.5, 0.99))


def test_cuts_go_by_the_kind_of_text_and_the_strictness() -> None:
    combination = Combination(_document(), "d")
    assert combination.cut(0.9, Strictness.BALANCED) == pytest.approx(0.5)
    assert combination.cut(0.1, Strictness.BALANCED) == pytest.approx(0.6)
    assert combination.cut(0.9, Strictness.STRICT) == pytest.approx(logistic(1.0))
    assert combination.answer_cut(0.9, AnswerKind.ONE, Strictness.BALANCED) == pytest.approx(0.3)
    assert combination.answer_cut(0.1, AnswerKind.ONE, Strictness.BALANCED) == pytest.approx(0.4)


def test_the_packaged_one_believes_the_reader_and_the_rules() -> None:
    packaged = packaged_combination()
    assert packaged.gate(_PROSE) < 0.5 < packaged.gate(_DOCUMENTATION)
    for gate in (0.05, 0.95):
        assert packaged.support(_evidence(_YES, gate=gate)) > packaged.support(_evidence(_NO, gate=gate))
        cuts = [packaged.cut(gate, strictness) for strictness in Strictness]
        assert cuts == sorted(cuts)
        assert 0 < cuts[0] < cuts[-1] < 1
    assert packaged.support(_evidence(_YES, 0.95, gate=0.05)) > packaged.support(_evidence(_YES, 0.2, gate=0.05))


def test_an_answer_is_worth_less_with_a_weak_claim_and_one_claim_counts_twice_as_lowest() -> None:
    packaged = packaged_combination()
    for gate in (0.05, 0.95):
        assert packaged.answer_support(gate, [0.9, 0.9], 0.7) > packaged.answer_support(gate, [0.9, 0.2], 0.7)
    assert answer_figures([0.9], 0.5)["lowest"] == answer_figures([0.9], 0.5)["second"]


def test_the_digest_names_the_document() -> None:
    assert len(packaged_combination().digest) == 8
    assert json.dumps(_document())  # the document is plain JSON
