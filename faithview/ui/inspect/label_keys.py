"""The label keys of Inspect: each press labels the claim that was marked when the key went down."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from faithview.domain.scoring import ReviewedAnswer
from faithview.domain.views import AnswerDetail
from faithview.services.review.label_keys import UNDO, KeyPress, mark_claim, mark_found_claim
from faithview.ui.components.label_buttons import CHOICES
from faithview.ui.components.label_keys import Keyboard, label_keys
from faithview.ui.inspect import label_bar
from faithview.ui.parts.label_presses import answer_presses, press_log
from faithview.ui.shell import identity
from faithview.wording.verdicts import verdict_word

_KEY = "inspect.label_keys"
SELECT_FIRST = "no claim is selected yet; select one, with ← → or a click"
_WORDS: Mapping[str, str] = MappingProxyType({**{choice: verdict_word(choice) for choice in CHOICES}, UNDO: "undo"})
_KEYBOARD = Keyboard(
    keys={**{str(number): choice for number, choice in enumerate(CHOICES, start=1)}, "u": UNDO},
    buttons={action: action for action in _WORDS},
    words=_WORDS,
    area=label_bar.AREA,
)


def answer_keys() -> None:
    """Store what was pressed since the last run of the script; before the page reads anything."""
    name = identity.current_reviewer()
    answer_presses(_KEY, _do, refusal=_why_not(name), then=_clear)


def take_keys(mark: str | None, *, has_claims: bool = False) -> None:
    """Take the page's label keys; `mark` is that of the claim whose buttons are drawn, None for none.

    Without a marked claim there is no field for a name, so a key asks for a claim first. The component is drawn on
    every way through the page, because it also tells the browser what became of the keys before.
    """
    name = identity.current_reviewer()
    refusal = None if mark is None and name is None else _why_not(name)
    unmarked = SELECT_FIRST if has_claims else "there is no claim here to label"
    label_keys(_KEYBOARD, key=_KEY, log=press_log(_KEY), mark=mark, waits=False, refusal=refusal, unmarked=unmarked)


def marks_of(detail: AnswerDetail, reviewed: ReviewedAnswer) -> Sequence[str]:
    """Return the marks of an answer's claims, the judge's first and then those that people found."""
    run_id, row = detail.run_id, detail.position
    judged = [mark_claim(run_id, row, at, claim.text) for at, claim in enumerate(detail.result.claims, start=1)]
    return [*judged, *(mark_found_claim(run_id, row, label) for label in reviewed.missed)]


def _do(press: KeyPress) -> None:
    label_bar.do_press(press.mark, press.action)


def _clear(press: KeyPress) -> None:
    label_bar.clear_words(press.mark, press.action)


def _why_not(name: str | None) -> str | None:
    return identity.why_no_name("below the answer") if name is None else identity.why_cannot_label(name)
