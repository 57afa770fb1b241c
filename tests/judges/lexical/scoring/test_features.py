"""Figures by name: each is there once, and a model has only those worked out that it asks for."""

import json
from dataclasses import replace
from importlib.resources import files
from typing import Any

import pytest

from faithview.domain.sample import Sample
from faithview.judges.lexical.analysis import read_answer
from faithview.judges.lexical.scoring.claim_view import AnswerView, ClaimView, Family, by_name, claim_feature
from faithview.judges.lexical.scoring.model import CLAIM_FEATURES, FAMILIES, FEATURES, Model, packaged_model


@claim_feature(cap=2)
def letters(claim: ClaimView) -> float:
    """How many letters the claim has."""
    return len(claim.text)


@claim_feature(version=2)
def missing_words(claim: ClaimView) -> float:
    """Another meaning of a name that there is."""
    return len(claim.missing)


def _answer() -> AnswerView:
    return read_answer(Sample.of("The lake is deep. Its water is warm.", ["The lake is very deep and cold."])).view


def _document() -> dict[str, Any]:
    path = files("faithview.judges.lexical.scoring").joinpath("model.json")
    document: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return document


def test_every_figure_is_in_one_family_once() -> None:
    assert len(FEATURES) == sum(len(family.features) for family in FAMILIES) == 110
    assert len({family.name for family in FAMILIES}) == len(FAMILIES)
    assert all(name in FEATURES for name in CLAIM_FEATURES)


def test_a_name_that_is_there_already_is_refused() -> None:
    with pytest.raises(ValueError, match="two features are called 'letters'"):
        by_name([Family(name="one", features=(letters,)), Family(name="other", features=(letters,))])


def test_a_figure_whose_meaning_changes_has_another_name() -> None:
    features = by_name([*FAMILIES, Family(name="new", features=(letters, missing_words))])
    assert {"missing_words", "missing_words/2", "letters"} <= features.keys()


def test_a_figure_is_worked_out_for_every_claim_and_capped() -> None:
    assert letters.column(_answer()) == [2.0, 2.0]
    assert FEATURES["claims"].column(_answer())[0] == FEATURES["claims"].column(_answer())[1]


def test_a_model_asks_by_name_and_leaves_the_others_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    document = _document()
    # A model of two figures, the second of which only a tree asks for.
    tree = {"questions": [[1, 0.5]], "leaves": [0, 10_000]}
    small = {**document, "features": ["window_recall", "is_last"], "line": [2.0], "base": 0.0, "trees": [tree]}
    asked: list[str] = []
    for name in ("window_recall", "is_last", "missing_words"):
        feature = FEATURES[name]

        def column(answer: AnswerView, name: str = name, inner: Any = feature.column) -> list[float]:
            asked.append(name)
            values: list[float] = inner(answer)
            return values

        monkeypatch.setitem(FEATURES, name, replace(feature, column=column))
    first, last = Model(small, "small").supports(_answer())
    assert asked == ["window_recall", "is_last"]
    assert 0.5 < last < 0.95
    assert first > 0.8


@pytest.mark.parametrize(
    ("features", "message"),
    [(["window_recall", "letters"], "asks for 'letters'"), (["names", "names"], "twice"), ([], "no figures")],
)
def test_a_model_that_asks_for_what_is_not_there_is_refused(features: list[str], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Model({**_document(), "features": features}, "x")


def test_the_packaged_model_asks_for_every_figure() -> None:
    assert _document()["features"] == list(FEATURES)
    assert len(_document()["line"]) == len(CLAIM_FEATURES)
    assert packaged_model().supports(read_answer(Sample.of("", ["The lake is deep."])).view) == []
