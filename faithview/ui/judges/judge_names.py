"""What judges are called beside each other: name, method and day, and as much of the version as tells them apart."""

from collections import Counter
from collections.abc import Mapping, Sequence

from faithview.domain.errors import NotFound
from faithview.services.judge_quality.scorecards import JudgeCard
from faithview.services.results.runs import get_run
from faithview.ui.shell import app
from faithview.wording import numbers as fmt

_VERSION_CHARACTERS = 6


def judge_names(cards: Sequence[JudgeCard]) -> Mapping[str, str]:
    """Return a short name for each judge, by its fingerprint: "openai:gpt-5 · claims · 9 Nov 2026".

    The day is that of its newest answers. The end of the fingerprint is added only where two names would be equal.
    """
    names = {card.fingerprint: _name(card) for card in cards}
    counts = Counter(names.values())
    return {
        fingerprint: name if counts[name] == 1 else f"{name} · {fingerprint[-_VERSION_CHARACTERS:]}"
        for fingerprint, name in names.items()
    }


def _name(card: JudgeCard) -> str:
    days = []
    for run_id in card.runs:
        try:
            days.append(get_run(app.services(), run_id).as_of)
        except NotFound:  # deleted meanwhile
            continue
    newest = [fmt.day(max(days))] if days else []
    return " · ".join([card.name, card.method, *newest])
