"""What is kept is given again as long as nothing changed, and never a moment longer."""

import pytest

from faithview.domain.answer import View
from faithview.services.container import RevisionCache, Store
from faithview.services.judge_quality import scorecards
from faithview.services.results import delete_run, get_summary, list_summaries
from faithview.services.review import corrected_score, queue
from faithview.stats.corrected_score import CorrectedScore
from tests.factories import C, S, draw_check, make_rows, say, store_rows


def _store(services: Store, run_id: str = "r", *, week: int = 0) -> None:
    rows = make_rows([(S if n % 3 else C,) for n in range(12)], confidence=0.9)
    store_rows(services, run_id, rows, week=week)


def test_a_result_is_kept_for_its_state_and_replaced_by_the_next() -> None:
    cache = RevisionCache()
    assert [cache.get("n", "s", state, lambda: object()) is None for state in (1, 1)] == [False, False]
    first = cache.get("n", "s", 1, object)
    assert cache.get("n", "s", 1, object) is first
    second = cache.get("n", "s", 2, object)
    assert second is not first
    assert cache.get("n", "s", 1, object) is not first
    assert cache.get("m", "s", 1, object) is not cache.get("n", "s", 1, object)


def test_what_was_asked_for_longest_ago_makes_room() -> None:
    cache = RevisionCache(most=2)
    one, two = cache.get("n", 1, 0, object), cache.get("n", 2, 0, object)
    assert cache.get("n", 1, 0, object) is one
    cache.get("n", 3, 0, object)
    assert cache.get("n", 1, 0, object) is one
    assert cache.get("n", 2, 0, object) is not two


def test_nothing_is_kept_of_what_failed() -> None:
    cache = RevisionCache()

    def fail() -> object:
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        cache.get("n", "s", 1, fail)
    assert cache.get("n", "s", 1, lambda: 7) == 7


def test_a_card_is_worked_out_again_when_somebody_labels_and_not_before(services: Store) -> None:
    _store(services)
    say(services, "r", 1, 1, "supported")
    (card,) = scorecards.list_judge_cards(services)
    assert scorecards.list_judge_cards(services)[0] is card
    say(services, "r", 2, 1, "contradicted")
    assert scorecards.list_judge_cards(services)[0].labelled == card.labelled + 1 == 2
    _store(services, "s", week=1)
    assert scorecards.list_judge_cards(services)[0].runs == ("s", "r")
    delete_run(services, "s")
    assert scorecards.list_judge_cards(services)[0].runs == ("r",)


def test_agreement_on_a_run_is_kept_until_it_is_labelled(services: Store) -> None:
    _store(services)
    say(services, "r", 1, 1, "supported")
    found = scorecards.measure_agreement(services, "r")
    assert scorecards.measure_agreement(services, "r") is found
    say(services, "r", 1, 1, "supported", by="bob")
    assert scorecards.measure_agreement(services, "r").pairs["ann", "bob"].hits == 1


def _scores(services: Store, run_ids: list[str]) -> dict[str, object]:
    found = corrected_score.list_corrections(services, run_ids)
    return {run_id: None if one is None else one.score for run_id, one in found.items()}


def test_many_runs_are_corrected_at_once_each_until_it_is_labelled(services: Store) -> None:
    for week, run_id in enumerate(("r", "s", "t")):
        _store(services, run_id, week=week)
    assert corrected_score.correct_runs(services, ["r", "s", "nope"]) == {"r": None, "s": None, "nope": None}
    check = draw_check(services, "r", "s", size=12, is_blind=False)
    assert corrected_score.correct_runs(services, ["r"]) == {"r": None}
    while (claim := queue.next_claim(services, check, reviewer="ann")) is not None:
        queue.label_and_advance(services, check, claim.item.position, "supported", reviewer="ann")
    found = _scores(services, ["r", "s", "t"])
    assert found["t"] is None
    # So few labels leave too wide an interval for a headline.
    assert corrected_score.correct_runs(services, ["r", "s"]) == {"r": None, "s": None}
    for run_id in ("r", "s"):
        score = found[run_id]
        assert isinstance(score, CorrectedScore)
        assert score.labelled == 6
        assert score.corrected.interval.high == 1
        single = corrected_score.correct_run(services, run_id)
        assert single is not None
        assert single.score is score
    item = queue.get_claim(services, check, 1, reviewer="ann").item.place
    queue.label_and_advance(services, check, 1, "contradicted", reviewer="ann")
    again = _scores(services, ["r", "s"])
    assert again[item.run_id] is not found[item.run_id]


def test_reviewed_figures_follow_every_label(services: Store) -> None:
    _store(services)
    before = get_summary(services, "r", view=View.REVIEWED)
    say(services, "r", 1, 1, "supported")
    after = get_summary(services, "r", view=View.REVIEWED)
    assert (after.claims["supported"], after.claims["contradicted"]) == (
        before.claims["supported"] + 1,
        before.claims["contradicted"] - 1,
    )
    assert list_summaries(services, view=View.REVIEWED) == [after]
    assert list_summaries(services) == [before]
