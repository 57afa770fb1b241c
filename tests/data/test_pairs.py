"""The written groups hold together: labels and wrong words are sound, and statements turn beside the twin."""

import json
from pathlib import Path

import pytest

FOLDER = Path(__file__).parent / "pairs"
FILES = sorted(FOLDER.glob("*.jsonl"))
_LABELS = {"entailed", "neutral", "contradicted"}


def _rows(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_each_group_has_a_twin_and_its_statements_turn_both_ways(path: Path) -> None:
    groups, twins = _rows(path), _rows(FOLDER / "twins" / path.name)
    assert [group["id"] for group in groups] == [twin["id"] for twin in twins]
    assert len({group["id"] for group in groups}) == len(groups)
    for group, twin in zip(groups, twins, strict=True):
        labels = [said["label"] for said in group["statements"]]
        assert len(twin["labels"]) == len(labels)
        assert group["premise"] != twin["premise"]
        turned = [(one == "entailed", other == "entailed") for one, other in zip(labels, twin["labels"], strict=True)]
        assert turned.count((True, False)) >= 2, group["id"]
        assert turned.count((False, True)) >= 2, group["id"]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_wrong_words_are_words_of_statements_that_do_not_follow(path: Path) -> None:
    for group, twin in zip(_rows(path), _rows(FOLDER / "twins" / path.name), strict=True):
        texts = [said["text"] for said in group["statements"]]
        first = [(said["label"], said["wrong"]) for said in group["statements"]]
        second = zip(twin["labels"], twin["wrong"], strict=True)
        for text, (label, wrong) in [*zip(texts, first, strict=True), *zip(texts, second, strict=True)]:
            assert label in _LABELS
            assert (label == "entailed") == (not wrong), (group["id"], text)
            assert all(words in text for words in wrong), (group["id"], text)
