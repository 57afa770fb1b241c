"""One probability from rules and reader: three lines by what an answer is like, who is read, and cuts."""

import json
from collections.abc import Mapping
from math import log
from typing import Any

import pytest

from faithview.domain.sample import Sample
from faithview.judges.embedded.combination import (
    Combination,
    Evidence,
    Strictness,
    answer_figures,
    claim_figures,
    entailed_odds,
    is_decided_against,
    is_told_otherwise,
    packaged_combination,
    shares,
    text_figures,
    with_readings,
)
from faithview.judges.embedded.reader import Reading
from faithview.judges.lexical.analysis import read_answer
from faithview.judges.lexical.comparing.comparison import Comparison
from faithview.judges.lexical.scoring.model import AnswerKind, logistic
from faithview.judges.lexical.splitting.claims import split_answer

_YES = Reading(entailed=0.97, neutral=0.02, contradicted=0.01, worst=0.1, wrong=())
_NO = Reading(entailed=0.03, neutral=0.07, contradicted=0.9, worst=0.9, wrong=((0, 3),))
_BESIDE = {"claims": 1.1, "record": 0.0, "mean_entailed": 1.0, "lowest_entailed": -1.0}
_READER = {"lead": 0.95, "copied": 0.2, **_BESIDE}
_RULES = {"lead": 0.05, "copied": 0.5, **_BESIDE}
_SHORT = "Each device can be returned within 14 days. "
_MANUAL = _SHORT * 6
_LONG = _MANUAL + "Spare parts are sold in the shop in Mill Lane. " * 20


def _evidence(
    reading: Reading | None, probability: float = 0.8, about: Mapping[str, float] = _RULES, chunk: str = _MANUAL
) -> Evidence:
    return Evidence(probability=probability, comparison=_comparison(chunk), about=about, reading=reading)


def _comparison(chunk: str, answer: str = "A device can be returned within 14 days.") -> Comparison:
    sample = Sample.of(answer, [chunk])
    return read_answer(sample, split_answer(sample.answer)).comparisons[0]


def _document(**changes: object) -> dict[str, Any]:
    plain: dict[str, Any] = {
        "lead": {"intercept": -3.0, "passages": 2.0},
        "read": {
            "documentation": {"intercept": 0.1, "entailed": 0.9, "lowest_entailed": 0.2, "copied": -0.5},
            "other": {"intercept": 0.2, "rules": 0.4, "entailed": 0.1},
            "near": {"intercept": 0.3, "rules": 0.8, "mixed": -1.0},
        },
        "unread": {"text": {"intercept": -0.3, "rules": 0.7}, "record": {"intercept": 0.0, "rules": 0.5}},
        "answer": {"intercept": 0.0, "lowest lead": 1.0, "rules": 1.0},
        "cuts": {"reader": 0.5, "rules": 0.6, "near": 0.55},
        "answer_cuts": {"reader": 0.3, "one": 0.4, "several": 0.4, "record": 0.4},
        "shifts": {"lenient": -1.0, "balanced": 0.0, "strict": 1.0},
        "unsure": 0.8,
        "few": 2,
        "sure": 0.7,
    }
    return plain | changes


@pytest.mark.parametrize("about", [_READER, _RULES])
def test_the_lines_of_documentation_and_others_are_weighed_by_how_far_the_reader_leads(
    about: Mapping[str, float],
) -> None:
    known = _evidence(_YES, about=about, chunk=_LONG)
    figures = claim_figures(known.probability, known.comparison, known.reading)
    assert figures["near"] == 0
    documentation = 0.1 + 0.9 * figures["entailed"] - 0.2 - 0.5 * about["copied"]
    other = 0.2 + 0.4 * figures["rules"] + 0.1 * figures["entailed"]
    odds = about["lead"] * documentation + (1 - about["lead"]) * other
    assert Combination(_document(), "d").support(known) == pytest.approx(logistic(odds), abs=1e-4)


@pytest.mark.parametrize("about", [_READER, _RULES])
def test_beside_a_short_text_a_claim_has_a_line_of_its_own(about: Mapping[str, float]) -> None:
    figures = claim_figures(0.8, _comparison(_SHORT), _YES)
    assert figures["near"] == 1
    assert shares(figures, about) == {"documentation": 0, "other": 0, "near": 1}
    support = Combination(_document(), "d").support_of(figures | {"mixed": 1.0}, about)
    assert support == pytest.approx(logistic(0.3 + 0.8 * figures["rules"] - 1.0), abs=1e-4)


def test_a_whole_sentence_that_is_copied_is_supported_whatever_the_reader_says() -> None:
    copied = _comparison("Owners pay for it. A device can be returned within 14 days. ")
    known = Evidence(probability=0.8, comparison=copied, about=_RULES, reading=_NO)
    assert copied.is_verbatim
    assert not _comparison(_MANUAL).is_verbatim
    assert Combination(_document(), "d").support(known) == 0.95


def test_what_a_near_sentence_decides_against_is_less_likely_than_not() -> None:
    combination = Combination(_document(), "d")
    figures = claim_figures(0.99, _comparison(_SHORT), _YES)
    assert combination.support_of(figures, _RULES) > 0.9
    assert combination.support_of(figures | {"decided": 1.0}, _RULES) == 0.49


def test_a_mixed_up_statement_counts_and_does_not_decide() -> None:
    chunk = "The garden tour leaves at nine. The castle tour needs a seat reservation."
    denied = _comparison("A device can not be returned within 14 days.")
    mixed = _comparison(chunk, "The garden tour needs a seat reservation.")
    for comparison, decides in ((denied, True), (mixed, False)):
        assert comparison.is_decided_against
        assert is_decided_against(comparison) is decides
        figures = claim_figures(0.8, comparison, None)
        assert (figures["decided"], figures["mixed"]) == (float(decides), float(not decides))


def test_claims_that_were_not_read_have_lines_of_their_own() -> None:
    known = _evidence(None)
    rules = claim_figures(known.probability, known.comparison, None)["rules"]
    combination = Combination(_document(), "d")
    assert combination.support(known) == pytest.approx(logistic(-0.3 + 0.7 * rules), abs=1e-4)
    record = _evidence(None, about=_RULES | {"record": 1.0})
    assert combination.support(record) == pytest.approx(logistic(0.5 * rules), abs=1e-4)


def test_an_answer_is_known_by_the_mean_and_the_least_of_its_readings() -> None:
    known = with_readings(_RULES, [entailed_odds(_YES), entailed_odds(_NO)])
    assert known["lowest_entailed"] == pytest.approx(-3.476, abs=1e-3)
    assert known["mean_entailed"] == pytest.approx(0.0, abs=1e-3)
    assert with_readings(_RULES, [])["lowest_entailed"] == 0


def test_numbers_may_be_worked_out_only_where_the_reader_leads_and_support_is_high() -> None:
    assert is_told_otherwise(_READER, 0.7)
    assert not is_told_otherwise(_READER, 0.69)
    assert not is_told_otherwise(_RULES, 0.99)


def test_a_figure_that_does_not_exist_is_an_error_and_no_zero() -> None:
    with pytest.raises(KeyError):
        Combination(_document(read={"other": {"intercept": 0.0, "entailment": 1.0}}), "d").support(_evidence(_YES))


def test_claims_are_read_where_the_reader_leads_they_are_few_or_near_or_the_rules_are_unsure() -> None:
    combination = Combination(_document(), "d")
    sure_and_not = (0.01, 0.5, 0.99)

    def read(about: Mapping[str, float], *, is_near: bool = False) -> list[bool]:
        return [combination.needs_reading(about, rules, is_near=is_near) for rules in sure_and_not]

    assert read(_READER) == [True] * 3
    assert read(_RULES) == [False, True, False]
    assert read(_RULES | {"claims": log(2)}) == [True] * 3
    assert read(_RULES | {"claims": log(3)}) == [False, True, False]
    assert read(_RULES, is_near=True) == [True] * 3
    assert read(_READER | {"record": 1.0}, is_near=True) == [False] * 3


def test_cuts_go_by_who_leads_and_the_strictness() -> None:
    combination = Combination(_document(), "d")
    assert combination.cut(_READER, Strictness.BALANCED) == pytest.approx(0.5)
    assert combination.cut(_RULES, Strictness.BALANCED) == pytest.approx(0.6)
    assert combination.cut(_RULES, Strictness.BALANCED, is_near=True) == pytest.approx(0.55)
    assert combination.cut(_READER, Strictness.BALANCED, is_near=True) == pytest.approx(0.55)
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


def test_an_answer_is_worth_less_with_a_weak_claim() -> None:
    packaged = packaged_combination()
    for about in (_READER, _RULES):
        assert packaged.answer_support(about, [0.9, 0.9], 0.7) > packaged.answer_support(about, [0.9, 0.2], 0.7)
    assert answer_figures([0.9, 0.2], 0.5)["lowest"] == answer_figures([0.2], 0.5)["lowest"]
    assert answer_figures([0.9, 0.9], 0.5)["all"] < answer_figures([0.9], 0.5)["all"]


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
        leads.append(packaged_combination().about(text_figures(view, [0.7]), is_record=False)["lead"])
    assert leads[0] == pytest.approx(leads[1], abs=0.1)


def test_the_digest_names_the_document() -> None:
    assert len(packaged_combination().digest) == 8
    assert json.dumps(_document())  # the document is plain JSON
