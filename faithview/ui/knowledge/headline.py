"""The head of the knowledge base page: what changed in a sentence, what rests on it, and how both were counted."""

import streamlit as st

from faithview.domain.knowledge_base import DocumentChangeKind
from faithview.services.knowledge.changes import KnowledgeChanges
from faithview.ui.knowledge.document_list import download
from faithview.ui.knowledge.page_data import compare_link
from faithview.ui.parts.view_switch import view_note
from faithview.ui.shell import nav
from faithview.wording import knowledge as words
from faithview.wording import numbers as fmt


def finding(changes: KnowledgeChanges) -> str:
    """Write in Markdown which documents changed, and how many of the broken and fixed claims rest on them."""
    documents = changes.documents
    counts = words.document_counts(
        **{kind.value: len(documents.of_kind(kind)) for kind in DocumentChangeKind}, unchanged=documents.unchanged
    )
    first, _, rest = counts.partition(";")
    sentences = (
        f"{_versions(changes)}**{first[0].upper()}{first[1:]}**{';' if rest else ''}{rest}.",
        words.broken_sentence(broken=changes.broken, beside=changes.broken_beside, all_broken=changes.all_broken),
        words.fixed_sentence(fixed=changes.fixed, all_fixed=changes.all_fixed),
    )
    return " ".join(one for one in sentences if one)


def draw_finding(changes: KnowledgeChanges) -> None:
    """Draw the finding, what it is counted on, and what is missing from it."""
    st.markdown(f"{finding(changes)} {view_note(changes.view)}")
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(
            f"Answers of {fmt.literal(changes.baseline.name)} and {fmt.literal(changes.candidate.name)}. "
            f"{words.counted_on(changes.pairs)}{_foreign(changes)} Click a document to see its words and its claims.",
            help=_HELP,
            width="stretch",
        )
        if changes.changed:
            download(changes)
    if not changes.is_stored:
        st.info(words.SEEN_ONLY, icon=":material/visibility:")
    if not changes.documents.is_complete:
        st.info(words.INCOMPLETE, icon=":material/info:")


def draw_next_step(changes: KnowledgeChanges) -> None:
    """Draw the button that compares the answers of both runs."""
    if st.button("Compare the answers", type="primary", icon=":material/compare_arrows:", key="knowledge.compare"):
        st.switch_page(nav.COMPARE, query_params=compare_link(changes))


def _versions(changes: KnowledgeChanges) -> str:
    before, after = changes.baseline.kb_version, changes.candidate.kb_version
    if before is None and after is None:
        return ""
    return f"{fmt.literal(before or 'unnamed')} → {fmt.literal(after or 'unnamed')}: "


def _foreign(changes: KnowledgeChanges) -> str:
    if not changes.foreign:
        return ""
    verb = fmt.verb(changes.foreign, "is", "are")
    return (
        f" {fmt.plural(changes.foreign, 'retrieved chunk')} {verb} not in the stored version; claims on "
        f"{fmt.verb(changes.foreign, 'it', 'them')} are under no document."
    )


_HELP = (
    "A document is what the chunks' metadata call document, source, file, url or title; chunks without one are "
    "documents of their own. A claim rests on the chunks that it cites; one that cites none rests on the chunk with "
    "most of its words. Broke: not supported now, and supported or not claimed before. Fixed: the other way round. "
    "Compare counts the same claims."
)
