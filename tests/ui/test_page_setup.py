"""The colours that FaithView's own styles repeat are those of the theme."""

import re
import tomllib

from tests.dashboard import ROOT


def test_the_chosen_segment_has_the_colour_of_links_in_both_themes() -> None:
    theme = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text(encoding="utf-8"))["theme"]
    styles = (ROOT / "faithview" / "ui" / "frontend" / "page.css").read_text(encoding="utf-8")
    (colours,) = re.findall(r'\[data-selected="true"\] \{\s+color: light-dark\((#\w+), (#\w+)\);\s+\}', styles)
    assert colours == (theme["light"]["linkColor"], theme["dark"]["linkColor"])
