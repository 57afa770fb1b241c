"""Parts of the Inspect page: the notes on the selected claim, and a spot-check of the claims that the list shows."""

import streamlit as st

from faithview.domain.claim import ClaimRef
from faithview.domain.run import Run
from faithview.domain.views import AnswerFilter, AnswerRow, View
from faithview.services.review.checks.listed_claims import list_filtered_claims
from faithview.ui.parts.teams.claim_notes import claim_notes
from faithview.ui.parts.teams.list_spot_check import spot_check_list
from faithview.ui.parts.teams.opened_answers import note_opened
from faithview.ui.shell import app
from faithview.wording import numbers as fmt
from faithview.wording.verdicts import STATE_WORDS, VERDICTS


def notes_line(run: Run, row: AnswerRow, number: int | None) -> None:
    """Draw the notes on the selected claim; the answer counts as seen with the judge's verdicts."""
    note_opened((run.run_id, row.position))
    if number is not None and number <= sum(row.claims.values()):
        place = ClaimRef(run_id=run.run_id, row=row.position, claim_number=number)
        claim_notes(place, key=f"inspect.{run.run_id}.{row.position}.{number}")


def spot_check_button(run: Run, filters: AnswerFilter, view: View) -> None:
    """Draw the button that draws a spot-check from the claims that a filtered list shows; nothing without a filter."""
    if filters == AnswerFilter():
        return
    if st.button("Spot-check these", icon=":material/checklist:", type="tertiary", key="inspect.spot_check"):
        claims = list_filtered_claims(app.services(), run.run_id, filters, view=view)
        spot_check_list(claims, _description(run, filters))


def _description(run: Run, filters: AnswerFilter) -> str:
    """Return what the claims of the list are: "contradicted, in Billing, of kb 2026-10"."""
    parts = [", ".join(VERDICTS[verdict].word.lower() for verdict in filters.verdicts)]
    parts.append(", ".join(kind.value for kind in filters.hallucination_types))
    parts.append(", ".join(state.value for state in filters.label_states))
    parts.append(_confidence(filters))
    parts.append(f"citing {filters.chunk}" if filters.chunk else "")
    answers = [", ".join(STATE_WORDS[state] for state in filters.states)]
    answers.append(f"in {', '.join(name or 'no segment' for name in filters.segments)}" if filters.segments else "")
    answers.append(f"containing “{filters.search}”" if filters.search else "")
    of_answers = " ".join(part for part in answers if part)
    words = [part for part in parts if part] + ([f"of answers {of_answers}"] if of_answers else [])
    if filters.positions is not None:
        words.append(f"in a slice of {len(filters.positions)} answers")
    return f"claims of {run.name}: {', '.join(words) or 'a filtered list'}"


def _confidence(filters: AnswerFilter) -> str:
    least, most = filters.least_confidence, filters.most_confidence
    if least is None and most is None:
        return ""
    low, high = fmt.fixed(0 if least is None else least, 2), fmt.fixed(1 if most is None else most, 2)
    return f"judge's confidence {low} to {high}"
