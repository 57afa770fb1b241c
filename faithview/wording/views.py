"""Whose verdicts a figure goes by, in words."""

from collections.abc import Mapping
from types import MappingProxyType

from faithview.domain.views import View

# What stands beside a figure: "faithfulness by the judge".
VIEW_WORDS: Mapping[View, str] = MappingProxyType(
    {View.JUDGE: "by the judge", View.REVIEWED: "reviewed", View.CORRECTED: "corrected"}
)
# After "scored by".
VIEW_AUTHORS: Mapping[View, str] = MappingProxyType(
    {
        View.JUDGE: "the judge",
        View.REVIEWED: "people where they labelled, else the judge",
        View.CORRECTED: "the judge, corrected by a spot-check",
    }
)
