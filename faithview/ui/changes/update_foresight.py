"""How far the preflight of an update foresaw what two runs around it show, and the way to that preflight."""

import streamlit as st

from faithview.domain.preflight import Foresight
from faithview.services.comparison.compared_runs import Comparison
from faithview.services.knowledge.preflight.foresight import check_foresight, find_preflight
from faithview.ui import navigation, opened_store, page_addresses
from faithview.wording import numbers as fmt
from faithview.wording.preflight import foresight_words


def foresight_card(comparison: Comparison) -> None:
    """Draw what was foreseen of an update and what was not; nothing without a preflight."""
    foresight = _load(comparison)
    if foresight is None:
        return
    # On one line, because the changed answers come below; the rest is one hover away.
    first, _, rest = foresight_words(foresight).partition(". ")
    with st.container(key="foresight-figures", horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(
            f":small[**Foreseen?** {fmt.literal(first.removesuffix('.'))}.]",
            help=f"{rest} {_HELP}".strip(),
            width="content",
        )
        if st.button("The preflight", type="tertiary", icon=":material/fact_check:", key="compare.preflight"):
            link = page_addresses.preflight_link(foresight.preflight_id, tab=navigation.BEFORE)
            st.switch_page(navigation.CHANGES, query_params=link)


def _load(comparison: Comparison) -> Foresight | None:
    store = opened_store.store()
    baseline, candidate = comparison.baseline, comparison.candidate
    found = find_preflight(store, baseline, candidate)
    if found is None:
        return None
    record = found.record
    return store.cache.get(
        "foresight",
        (baseline.run_id, candidate.run_id, comparison.view),
        (baseline.revision, candidate.revision, record.preflight_id, record.finished_at, found.is_same_text),
        lambda: check_foresight(store, comparison),
    )


_HELP = (
    "A claim that broke was predicted if the preflight said that it would break. A claim that only the later answer "
    "makes counts as predicted if the preflight said so of a claim of the earlier answer."
)
