"""Pulls from servers of tools that send one odd value, or a reply that is none: a file or one sentence.

`python -m tests.performance.faults --only pulls` tries every value in every place.
"""

from pathlib import Path

import pytest

from tests.faults.odd_replies import ODD, REPLIES, tried
from tests.services.pulls.pulling import SERVERS

_SOME = ("nothing", "half a character", "long text", "list of odd things")


@pytest.mark.parametrize("source", SERVERS)
def test_an_odd_reply_ends_a_pull_in_a_file_or_in_one_sentence(source: str, tmp_path: Path) -> None:
    found = list(tried(source, tmp_path, odd=_SOME, replies=list(REPLIES)))
    assert len(found) > 50
    assert set(_SOME) <= set(ODD)
    assert [words for words in found if words[1]] == []
