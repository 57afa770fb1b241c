"""The charts of a comparison add up, report clicks by name, and treat names as data."""

import json

from hypothesis import given
from hypothesis import strategies as st

from faithview.domain.comparison import Cause
from faithview.services.comparison.compared_runs import CauseSide, waterfall_steps
from faithview.ui.changes.difference_charts import (
    segments_figure,
    waterfall_figure,
)
from faithview.ui.charts.chart_colours import LIGHT
from faithview.ui.page_addresses import cause_name, clicked_name, find_cause
from tests.ui.made_comparisons import made_comparison, made_difference, made_segment, made_share

_CAUSES = [
    made_share(Cause.ANSWER_REWRITTEN, lost=-0.02, won=0.01, broken=8, fixed=2),
    made_share(Cause.RETRIEVED, lost=-0.06, broken=16),
]


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
    assert list(target.customdata) == ["", "retrieved.lost", "answer_rewritten.lost", "answer_rewritten.won", ""]
    assert {round(base + x, 6) for base, x in zip(target.base, target.x, strict=True)} == {
        round(target.base[0] + target.x[0], 6)
    }


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


def test_a_segment_named_in_markup_is_drawn_as_it_is() -> None:
    name = "<b>x</b> <a href='javascript:1'>y</a> $z$"
    drawn = json.loads(segments_figure(made_comparison(segments=[made_segment(name, -0.1)]), theme=LIGHT).to_json())
    (target,) = [trace for trace in drawn["data"] if trace.get("customdata")]
    assert target["customdata"] == [name]  # what a click reports, never drawn
    labels = json.dumps([drawn["layout"]["yaxis"]["ticktext"], target["text"]])
    assert "<a" not in labels
    assert "<b>x" not in labels
    assert "$" not in labels
