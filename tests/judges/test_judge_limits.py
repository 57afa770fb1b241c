"""What a judge cannot see is said in one place, and everywhere the same."""

from pathlib import Path

import pytest

from faithview.domain.run import DEFAULT_JUDGE, JudgeSpec
from faithview.judges.registry import JudgeInfo, list_judges
from faithview.services.judge_catalogue import caution_about, find_offer

_PAGE = Path(__file__).parents[2] / "docs" / "judges.md"
_BUILT_IN = [info for info in list_judges() if info.target.startswith("faithview.")]


@pytest.mark.parametrize("info", _BUILT_IN, ids=lambda info: info.name)
def test_every_built_in_judge_says_what_it_cannot_see_in_whole_sentences(info: JudgeInfo) -> None:
    assert info.limits
    assert all(limit[0].isupper() and limit.endswith(".") for limit in info.limits)


@pytest.mark.parametrize("info", _BUILT_IN, ids=lambda info: info.name)
def test_screens_are_offered_a_judge_with_its_limits(info: JudgeInfo) -> None:
    offer = find_offer(info.name)
    assert offer is not None
    measured = caution_about(JudgeSpec(name=info.name))
    assert offer.limits == ((measured, *info.limits) if measured else info.limits)


def test_the_page_on_judges_says_what_the_default_judge_cannot_see_in_the_same_words() -> None:
    page = " ".join(_PAGE.read_text(encoding="utf-8").split())
    default = next(info for info in _BUILT_IN if info.name == DEFAULT_JUDGE)
    missing = [limit for limit in default.limits if f"- {limit}" not in page]
    assert missing == []
