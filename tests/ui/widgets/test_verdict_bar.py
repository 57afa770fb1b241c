"""The verdict bar has a stretch for each verdict, and says its counts."""

import re

from faithview.domain.claim import Verdict
from faithview.ui.widgets.verdict_table import verdict_bar_html


def test_each_verdict_there_is_takes_its_share_in_order() -> None:
    drawn = verdict_bar_html({Verdict.CONTRADICTED: 7, Verdict.SUPPORTED: 274, Verdict.NOT_MENTIONED: 0})
    assert re.findall(r"flex:(\d+) 1 0;background:var\((--fv-[a-z-]+)\)", drawn) == [
        ("274", "--fv-supported"),
        ("7", "--fv-contradicted"),
    ]
    assert 'role="img" aria-label="Claims: 274 supported, 7 contradicted"' in drawn
