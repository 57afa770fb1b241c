"""The charts of a comparison add up, report clicks by name, and treat names as data."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from faithview.domain.comparison import Cause
from faithview.services.comparison.compared_runs import CauseSide, waterfall_steps
from faithview.ui.changes.difference_charts import (
    SHOWN_SEGMENTS,
    segments_figure,
    segments_in_words,
    shown_segments,
    waterfall_figure,
    waterfall_in_words,
)
from faithview.ui.charts.chart_colours import DARK, LIGHT, ChartTheme
from faithview.ui.charts.row_figure import ticks
from faithview.ui.page_addresses import cause_name, clicked_name, find_cause
from tests.ui.made_comparisons import made_comparison, made_difference, made_segment, made_share

_CAUSES = [
    made_share(Cause.ANSWER_CHANGED, lost=-0.02, won=0.01, broken=8, fixed=2),
    made_share(Cause.EVIDENCE_ADDED, lost=-0.06, broken=16),
]


def test_the_bars_lead_from_one_mean_to_the_other_losses_first() -> None:
    steps = waterfall_steps(made_comparison(causes=_CAUSES))
    assert [(step.side and cause_name(step.side), round(step.start, 4), round(step.end, 4)) for step in steps] == [
        (None, 0.94, 0.94),
        ("evidence_added.lost", 0.94, 0.88),
        ("answer_changed.lost", 0.88, 0.86),
        ("answer_changed.won", 0.86, 0.87),
        (None, 0.87, 0.87),
    ]
    assert [step.claims for step in steps[1:-1]] == [16, 8, 2]


@given(st.dictionaries(st.sampled_from(Cause), st.tuples(st.floats(-0.1, 0), st.floats(0, 0.1))))
def test_the_last_bar_ends_where_the_candidate_stands(parts: dict[Cause, tuple[float, float]]) -> None:
    causes = [made_share(cause, lost=lost, won=won) for cause, (lost, won) in parts.items()]
    total = sum(share.total for share in causes)
    steps = waterfall_steps(made_comparison(made_difference(total, baseline=0.5), causes=causes))
    assert abs(steps[-2].end - steps[-1].end) < 1e-9


def test_without_scored_pairs_there_is_no_bar() -> None:
    none = made_difference(None, interval=None, p_value=None, counts=(0, 0, 0))
    assert waterfall_steps(made_comparison(none)) == []


def test_a_click_anywhere_in_a_row_names_its_cause() -> None:
    figure = waterfall_figure(made_comparison(causes=_CAUSES), theme=LIGHT)
    (target,) = [trace for trace in figure.data if trace.customdata is not None]
    assert list(target.customdata) == ["", "evidence_added.lost", "answer_changed.lost", "answer_changed.won", ""]
    assert {round(base + x, 6) for base, x in zip(target.base, target.x, strict=True)} == {
        round(target.base[0] + target.x[0], 6)
    }


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_losses_have_their_colour_and_gains_the_accent(theme: ChartTheme) -> None:
    bars = waterfall_figure(made_comparison(causes=_CAUSES), theme=theme).data[0]
    assert list(bars.marker.color) == [theme.loss, theme.loss, theme.accent]
    assert LIGHT.loss == "rgba(184,58,0,0.8)"


def test_a_chosen_cause_stands_out() -> None:
    chosen = CauseSide(cause=Cause.ANSWER_CHANGED, is_won=False)
    figure = waterfall_figure(made_comparison(causes=_CAUSES), theme=LIGHT, chosen=chosen)
    assert list(figure.data[0].marker.opacity) == [0.3, 1.0, 0.3]


def test_a_click_returns_its_name_and_anything_else_none() -> None:
    assert clicked_name({"points": [{"customdata": "a.lost"}]}) == "a.lost"
    assert clicked_name({"points": [{"x": 1}, {"customdata": ["b.won"]}]}) == "b.won"
    assert clicked_name({"points": []}) is None
    assert clicked_name(None) is None


def test_names_of_causes_are_parsed_and_forged_ones_are_not() -> None:
    for cause in Cause:
        for is_won in (True, False):
            side = CauseSide(cause=cause, is_won=is_won)
            assert find_cause(cause_name(side)) == side
    for forged in (None, "", "x.lost", "judge_noise", "judge_noise.both"):
        assert find_cause(forged) is None


def test_segments_are_ordered_by_what_they_add() -> None:
    segments = [made_segment("A", 0.1), made_segment("B", -0.4, p=0.01, share=1.0), made_segment(None, 0.0)]
    found = made_comparison(segments=segments)
    assert [s.segment for s in shown_segments(found)] == ["B", None, "A"]
    rising = made_comparison(made_difference(0.07), segments=segments)
    assert [s.segment for s in shown_segments(rising)] == ["A", None, "B"]
    assert "B: −0.40, adjusted p 0.010, adds −0.040" in segments_in_words(found)


def test_of_many_segments_those_that_add_most_are_drawn() -> None:
    segments = [made_segment(f"s{number}", -number / 100) for number in range(40)]
    names = {s.segment for s in shown_segments(made_comparison(segments=segments))}
    assert len(names) == SHOWN_SEGMENTS
    assert "s39" in names
    assert "s0" not in names


def test_a_segment_named_in_markup_is_drawn_as_it_is() -> None:
    name = "<b>x</b> <a href='javascript:1'>y</a> $z$"
    drawn = json.loads(segments_figure(made_comparison(segments=[made_segment(name, -0.1)]), theme=LIGHT).to_json())
    (target,) = [trace for trace in drawn["data"] if trace.get("customdata")]
    assert target["customdata"] == [name]  # what a click reports, never drawn
    labels = json.dumps([drawn["layout"]["yaxis"]["ticktext"], target["text"]])
    assert "<a" not in labels
    assert "<b>x" not in labels
    assert "$" not in labels


def test_the_axis_ends_at_the_highest_score_there_is() -> None:
    high = made_difference(0.01, baseline=0.985, interval=None, p_value=0.5, counts=(1, 2, 3))
    figure = waterfall_figure(made_comparison(high, causes=[made_share(Cause.ANSWER_CHANGED, won=0.01)]), theme=LIGHT)
    assert max(figure.layout.xaxis.tickvals) == 1.0


def test_the_waterfall_has_a_description_in_words() -> None:
    text = waterfall_in_words(made_comparison(causes=_CAUSES))
    assert "before: <b>" not in text
    assert "Built on newly added chunks: −0.06 · 16 claims" in text


@pytest.mark.parametrize(
    ("low", "high", "places", "decimals"),
    [
        (-0.13, 0.12, [-0.1, -0.05, 0.0, 0.05, 0.1], 2),
        (-0.04, 0.05, [-0.04, -0.02, 0.0, 0.02, 0.04], 2),
        (0.81, 0.99, [0.85, 0.9, 0.95], 2),
        (-0.3, 0.72, [-0.25, 0.0, 0.25, 0.5], 2),
    ],
)
def test_ticks_have_the_decimals_that_tell_them_apart(
    low: float, high: float, places: list[float], decimals: int
) -> None:
    assert ticks(low, high, most=5) == (places, decimals)
    assert len({f"{place:.{decimals}f}" for place in places}) == len(places)
