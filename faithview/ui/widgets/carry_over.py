"""Labels carried over from earlier runs: their origin, and what changed in the chunks of outdated ones."""

from collections.abc import Sequence

import streamlit as st

from faithview.services.review.carry_over import Carried, ChangedChunk, InheritedLabel
from faithview.ui import address, navigation
from faithview.ui.widgets.label_bar import label_words
from faithview.ui.widgets.word_diff import show_word_diff
from faithview.wording import numbers as fmt

_SHOWN_CHANGES = 5


def carried_sentence(carried: Carried) -> str:
    """Return in Markdown how many labels a run has from earlier ones; empty if it has none."""
    inherited, stale = carried.inherited, carried.stale
    if inherited:
        text = f"{fmt.plural(inherited, 'label')} carried over from earlier runs"
        return f"{text}; {fmt.count(stale)} {_come_first(stale)}." if stale else f"{text}."
    return f"{fmt.plural(stale, 'label')} of earlier runs {_come_first(stale)}." if stale else ""


def _come_first(stale: int) -> str:
    return (
        "is outdated and comes first in the next spot-check"
        if stale == 1
        else ("are outdated and come first in the next spot-check")
    )


def origin_words(labels: Sequence[InheritedLabel]) -> str:
    """Return in Markdown where the labels that still count come from; "" if none was carried over."""
    holding = [label for label in labels if not label.is_stale]
    if not holding:
        return ""
    names = " and ".join(f"{fmt.literal(label.reviewer)}, {fmt.day(label.at)}" for label in holding[:3])
    runs = dict.fromkeys(label.origin_name for label in holding if label.origin_name is not None)
    where = f" from *{fmt.literal(next(iter(runs)))}*" if runs else ", from a run that is not in this store"
    return f"carried over{where} ({names})"


def stale_labels(labels: Sequence[InheritedLabel], *, key: str, height: int | None = None) -> None:
    """Draw the labels of earlier runs that are stale, with the words that changed in the chunks.

    Args:
        labels: the labels carried over to the claim; only outdated ones are drawn.
        key: begins the keys of what is drawn; it must name the claim.
        height: in pixels; None to fit the content.
    """
    stale = [label for label in labels if label.is_stale]
    if not stale:
        return
    changes = list(dict.fromkeys(change for label in stale for change in label.changes))
    with st.container(border=True, height=height or "content", key=f"{key}.stale", gap="xsmall"):
        st.markdown(
            f":material/update: **Outdated**: {'; '.join(_who(label) for label in stale)}. "
            "The chunks have changed since. Is the verdict still right?"
        )
        if not changes and any(label.origin_run for label in stale):
            st.caption("The answer now has other chunks, or some of its chunks are gone.")
        for number, change in enumerate(changes[:_SHOWN_CHANGES]):
            _change(change, key=f"{key}.change.{number}")
        if len(changes) > _SHOWN_CHANGES:
            st.caption(f"and {fmt.plural(len(changes) - _SHOWN_CHANGES, 'further chunk')} changed")


def stale_words(labels: Sequence[InheritedLabel]) -> str:
    """Return in Markdown that an earlier label is stale, and which chunks changed; empty if none is."""
    changed = dict.fromkeys(change.chunk_id for label in labels if label.is_stale for change in label.changes)
    if not any(label.is_stale for label in labels):
        return ""
    which = ", ".join(fmt.literal(chunk_id) for chunk_id in list(changed)[:3])
    because = f": {which} {fmt.verb(len(changed), 'has', 'have')} changed" if which else ""
    return f"an earlier label is outdated{because}"


def open_origin(labels: Sequence[InheritedLabel], *, key: str) -> None:
    """Draw the button that opens the answer where a label was given."""
    origin = next((label for label in labels if label.origin_run and label.origin_key), None)
    if origin is None or origin.origin_run is None:
        return
    if st.button("Open the labelled answer", type="tertiary", icon=":material/arrow_outward:", key=key):
        st.switch_page(
            navigation.ANSWERS, query_params=address.link(origin.origin_run, origin.origin_key, origin.origin_claim)
        )


def _who(label: InheritedLabel) -> str:
    where = f"in *{fmt.literal(label.origin_name)}*" if label.origin_name else "in a run that is not in this store"
    what = f"said {label_words(label.label)}" if label.label else "labelled this claim"
    return f"{fmt.literal(label.reviewer)} {what} {where}, {fmt.day(label.at)}"


def _change(change: ChangedChunk, *, key: str) -> None:
    what = " (new)" if change.old is None else " (gone)" if change.new is None else ""
    show_word_diff(change.old or "", change.new or "", key=key, title=f"{change.chunk_id}{what}")
