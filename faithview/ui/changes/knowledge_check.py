"""Contradictions inside a new version of the knowledge base, and new words for known things: to confirm or dismiss.

Looking for them takes a minute or two for ten thousand documents, so it goes on beside the pages, once for all
sessions. Findings are kept as long as the server runs; people's decisions are read from the store each time.
"""

from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from threading import Lock, Thread
from typing import TypeAlias, TypeVar

import streamlit as st

from faithview.domain.contradiction import Contradiction, NewTerm, StatedPassage
from faithview.domain.errors import FaithViewError
from faithview.domain.run import Run
from faithview.services.knowledge.check import KnowledgeCheck, check_knowledge, renew_decisions
from faithview.services.knowledge.contradictions import OnProgress
from faithview.services.knowledge.decisions import decide
from faithview.services.knowledge.versions import CheckedBase
from faithview.ui import address, identity, navigation, opened_store, page_addresses, service_calls, session
from faithview.ui.changes.new_version import NewVersion
from faithview.ui.widgets.passages import PassagePayload, build_boxed, show_passages
from faithview.wording import contradictions as words
from faithview.wording import numbers as fmt
from faithview.wording.knowledge import chunk_name

_PLACE = "knowledge check"
_MOST_KEPT = 8
_CONTRADICTIONS_A_PAGE, _TERMS_A_PAGE = 4, 8
# Most knowledge bases are looked through by then, and no progress flickers.
_PATIENCE_S = 1.5

_Finding = TypeVar("_Finding", Contradiction, NewTerm)
_Key: TypeAlias = tuple[str | None, ...]
_Look: TypeAlias = Callable[[OnProgress], KnowledgeCheck]


@dataclass(slots=True)
class _Search:
    """One search for findings, in a thread of its own; at its end it has `found` something, or an `error`."""

    what: str = "Reading chunks"
    done: int = 0
    total: int = 0
    found: KnowledgeCheck | None = None
    error: str | None = None
    thread: Thread = field(default_factory=Thread)

    @property
    def is_over(self) -> bool:
        return self.found is not None or self.error is not None

    def begin(self, look: _Look) -> None:
        self.thread = Thread(target=self._run, args=(look,), name="knowledge check", daemon=True)
        self.thread.start()

    def _run(self, look: _Look) -> None:
        try:
            self.found = look(self._note_progress)
        except FaithViewError as error:
            self.error = str(error)
        finally:
            if not self.is_over:  # a bug, which the interpreter writes to the log
                self.error = "The search failed. The log of the dashboard says why."

    def _note_progress(self, what: str, done: int, total: int) -> None:
        self.what, self.done, self.total = what, done, total


@dataclass(slots=True)
class _Searches:
    """The searches of this server, by what is looked through; the oldest are forgotten first."""

    known: OrderedDict[_Key, _Search] = field(default_factory=OrderedDict)
    lock: Lock = field(default_factory=Lock)

    def find(self, key: _Key, look: _Look) -> _Search:
        with self.lock:
            search = self.known.get(key)
            if search is None:
                search = self.known[key] = _Search()
                search.begin(look)
            self.known.move_to_end(key)
            while len(self.known) > _MOST_KEPT:
                self.known.popitem(last=False)
            return search

    def forget(self, key: _Key) -> None:
        with self.lock:
            self.known.pop(key, None)


@st.cache_resource(show_spinner=False)
def _searches() -> _Searches:
    return _Searches()


def load_findings(new: NewVersion, *, against: str | None, run: str | None) -> KnowledgeCheck | None:
    """Return what is found in a new version; None while it is looked for, or if it cannot be, which is drawn.

    Args:
        new: the new version.
        against: the stored version that it follows; None for the newest one before it.
        run: the id of the run whose questions are given; None for the newest over either version.
    """
    store = opened_store.store()
    base = CheckedBase(name=new.name, chunks=new.chunks, is_stored=new.stored is not None)
    key = (opened_store.store_key(), new.texts_hash, new.stored, against, run)

    def look(on_progress: OnProgress) -> KnowledgeCheck:
        return check_knowledge(store, base, against=against, run=run, on_progress=on_progress)

    search = _searches().find(key, look)
    if not search.is_over:
        search.thread.join(_PATIENCE_S)
    if search.error is not None:
        st.error(fmt.literal(search.error), icon=":material/error:")
        st.button("Try again", key="before.search.again", on_click=_searches().forget, args=(key,))
        return None
    if search.found is None:
        st.fragment(_watch, run_every=1.0)(search)
        return None
    return renew_decisions(store, search.found)


def _watch(search: _Search) -> None:
    if search.is_over:
        st.rerun()
    share = min(1.0, search.done / search.total) if search.total else 0.0
    done = f": {fmt.count(search.done)} of {fmt.count(search.total)}" if search.total else ""
    st.progress(share, text=f"{search.what}{done}")
    st.caption("You can leave this page. The search goes on, and the findings are here when you come back.")


def draw_contradictions(found: KnowledgeCheck) -> None:
    """Draw the contradictions with both passages, those that people dismissed at the end."""
    service_calls.show_message(_PLACE)
    listed = found.with_dismissed().contradictions
    if not listed:
        st.markdown(
            f"No two passages of {fmt.literal(found.name)} contradict each other, as far as the rules can tell."
        )
        return
    new = None if found.against is None else sum(one.is_new for one in found.contradictions)
    counts = words.counts_sentence(contradictions=len(found.contradictions), new=new, terms=None)
    st.markdown(f"**{counts[0].upper()}{counts[1:]}**{_dismissed(len(found.dismissed_contradictions))}.", help=_HELP)
    for number, one in _page_of(listed, _CONTRADICTIONS_A_PAGE, f"before.contradictions.{found.name}"):
        with st.container(border=True, gap="xsmall", key=f"contradiction.{number}"):
            _contradiction(found, one, number)


def _contradiction(found: KnowledgeCheck, one: Contradiction, number: int) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        age = "" if found.against is None or one.is_new else f"also in {found.against}"
        notes = [note for note in (age, _decision(one)) if note]
        st.markdown(
            f"**{words.KIND_NAMES[one.kind]}** &nbsp; :small[:gray[{fmt.literal(' · '.join(notes))}]]", width="stretch"
        )
        if found.run is not None and one.asked:
            _questions(found.run, one, number)
        _decision_buttons(one, f"contradiction.{number}")
    show_passages([_side(one.one), _side(one.other)], key=f"before.passages.{one.key}.{number}")


def _side(passage: StatedPassage) -> PassagePayload:
    name = chunk_name(passage.chunk_id, passage.text)
    title = passage.title or passage.document or ""
    note = passage.document if passage.document not in (None, title, name) else ""
    return build_boxed(title, name=name, note=note or "", text=passage.text, words=passage.words)


def _questions(run: Run, one: Contradiction, number: int) -> None:
    with st.popover(
        fmt.plural(one.asked, "question"), type="tertiary", icon=":material/help:", key=f"contradiction.asked.{number}"
    ):
        st.caption(fmt.literal(words.asked_sentence(one, run.name)))
        for asked in one.questions:
            label = fmt.literal(" ".join(asked.question.split()) or asked.key)
            if st.button(label, type="tertiary", key=f"contradiction.question.{number}.{asked.row}"):
                link = {**page_addresses.update_address(), **address.link(run.run_id, asked.key)}
                st.switch_page(navigation.ANSWERS, query_params=link)


def draw_terms(found: KnowledgeCheck) -> None:
    """Draw the new words that may be other names for known things, the dismissed ones last."""
    service_calls.show_message(_PLACE)
    if found.against is None:
        st.markdown(words.NO_OLDER)
        return
    listed = found.with_dismissed().terms
    if not listed:
        st.markdown(f"No new word in {fmt.literal(found.name)} seems to be another name for a known thing.")
        return
    st.markdown(
        "**Are these new words other names for known things?** They are in no passage of "
        f"{fmt.literal(found.against)} and in no question{_dismissed(len(found.dismissed_terms))}.",
        help=_TERMS_HELP,
    )
    for number, term in _page_of(listed, _TERMS_A_PAGE, f"before.terms.{found.name}"):
        with st.container(border=True, gap=None, key=f"term.{number}"):
            _term(term, number)


def _term(term: NewTerm, number: int) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        uses = f"{fmt.plural(term.uses, 'use')} in {fmt.plural(term.passages, 'passage')}"
        notes = " · ".join(note for note in (uses, ", ".join(term.documents), _decision(term)) if note)
        st.markdown(
            f"**{fmt.literal(term.word)}** may be another name for *{fmt.literal(words.known_words(term))}* &nbsp; "
            f":small[:gray[{fmt.literal(notes)}]]",
            width="stretch",
        )
        _decision_buttons(term, f"term.{number}")
    st.text(" ".join(term.example.split()))


def _decision(finding: Contradiction | NewTerm) -> str:
    decision = finding.decision
    if decision is None:
        return ""
    by = f" by {decision.decided_by}" if decision.decided_by else ""
    return f"{'confirmed' if decision.is_confirmed else 'dismissed'}{by}, {fmt.day(decision.at)}"


def _decision_buttons(finding: Contradiction | NewTerm, key: str) -> None:
    """Draw what can be decided about a finding, for who may."""
    if not identity.can_run():
        return
    if finding.decision is not None:
        _button("Take back", "undo", f"{key}.undo", finding, None)
        return
    _button("Confirm", "check", f"{key}.confirm", finding, True)
    _button("Dismiss", "close", f"{key}.dismiss", finding, False)


def _button(label: str, icon: str, key: str, finding: Contradiction | NewTerm, is_confirmed: bool | None) -> None:
    st.button(
        label,
        icon=f":material/{icon}:",
        type="tertiary",
        key=f"{key}.{finding.key}",
        on_click=partial(_decide, finding, is_confirmed),
    )


def _decide(finding: Contradiction | NewTerm, is_confirmed: bool | None) -> None:
    store, author = opened_store.store(), identity.current_reviewer()
    service_calls.write(
        lambda: decide(store, finding, is_confirmed=is_confirmed, author=author),
        place=_PLACE,
        refusal=identity.why_cannot_run(),
    )


def _dismissed(number: int) -> str:
    return f"; {fmt.count(number)} dismissed, at the end" if number else ""


def _page_of(listed: Sequence[_Finding], size: int, key: str) -> list[tuple[int, _Finding]]:
    """Return the findings on the page that is shown with their numbers, below the choice of the page."""
    pages = -(-len(listed) // size)
    page = min(session.widget_page(key), pages)
    if pages > 1:
        st.pagination(pages, key=key)
    return list(enumerate(listed))[(page - 1) * size : page * size]


_HELP = (
    "Rules look for two statements about the same thing that differ in a number, a period, a price, a date, a name, or "
    "that say the opposite. Confirm what has to be repaired, and dismiss what is none. A decision holds for later "
    "versions until one of the statements changes."
)
_TERMS_HELP = (
    "People ask with the words that they know. If a document uses a new word for the same thing, retrieval may not "
    "find it. A decision about a word holds for later versions."
)
