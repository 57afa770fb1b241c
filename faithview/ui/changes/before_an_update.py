"""Before an update: which claims would a new version of the knowledge base break?

A preflight is two runs, of the answers that the new version affects, which the tab *Answers* compares like two others.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from faithview.domain.content_hashes import context_hash
from faithview.domain.errors import FaithViewError
from faithview.domain.knowledge import DocumentChangeKind
from faithview.domain.run import Run, RunStatus
from faithview.domain.sample import Chunk
from faithview.formats.files.report import ReadReport
from faithview.services.comparison.changes import is_preflight
from faithview.services.comparison.compared_runs import Comparison
from faithview.services.knowledge.preflight import (
    Plan,
    begin_preflight,
    estimate_preflight,
    list_preflights,
    list_runs_to_check,
    plan_preflight,
)
from faithview.services.knowledge.uploads import NamedFile, name_files, read_files
from faithview.services.knowledge.versions import load_version
from faithview.services.results import cancel_run, delete_run, get_progress
from faithview.services.runs.budget import RunEstimate
from faithview.store.knowledge import list_knowledge_bases
from faithview.ui import address, identity, navigation, opened_store, series, service_calls
from faithview.ui.tables import click_table
from faithview.ui.widgets.first_line import name_runs
from faithview.ui.widgets.judge_choice import estimate_line
from faithview.wording import numbers as fmt
from faithview.wording import preflight as words
from faithview.wording.knowledge import document_counts
from faithview.wording.runs import progress_line

_FILES, _FOLDER, _STORED = "Files", "Folder", "Stored version"
_HINTS = {
    _FILES: "One file with one chunk per row (csv, json, jsonl, parquet or xlsx), or the documents themselves: .md, "
    ".html and .txt.",
    _FOLDER: "A folder of .md, .html and .txt documents with its subfolders, split like the stored version.",
}
_SHOWN_PROBLEMS = 3
_MOST_LISTED, _ROWS = 100, 8
_ENDING_S = 15.0  # a worker that was asked to stop takes a moment to end
_NO_VERSION = (
    "No complete run of this series used a stored version of the knowledge base. Store it (`faithview kb add VERSION "
    "FILE`), and judge answers with `faithview evaluate FILE --kb-version VERSION`, or give the version under *Upload*."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class NewVersion:
    """A new version: its name on screen, its chunks, and what was left out of its files."""

    name: str
    chunks: Sequence[Chunk] = field(repr=False)
    report: ReadReport | None = None


def draw() -> None:
    """Draw the choice of what to check, and below it the earlier preflights of the series in view."""
    st.markdown(
        "**Which claims would a new version of the knowledge base break?** The answers of a run are checked against it "
        "before you publish it. Answers whose chunks stay the same cost nothing."
    )
    refusal = identity.why_cannot_run()
    runs = list_runs_to_check(opened_store.store(), series=series.in_view())
    if refusal is not None:
        st.info(refusal, icon=":material/lock:")
    elif not runs:
        st.markdown(_NO_VERSION)
    else:
        try:
            _choose(runs)
        except FaithViewError as error:
            st.error(fmt.literal(str(error)), icon=":material/error:")
    _earlier()


def _choose(runs: Sequence[Run]) -> None:
    known, names = {run.run_id: run for run in runs}, name_runs(runs)
    chosen = st.selectbox(
        "Answers of",
        list(known),
        format_func=lambda run_id: f"{names[run_id]} · {known[run_id].kb_version}",
        key="before.run",
        width=460,
    )
    run = known[str(chosen)]
    new = _choose_version(run.kb_version or "")
    if new is None:
        return
    texts = context_hash(chunk.chunk_hash for chunk in new.chunks)
    plan, cost = _plan(opened_store.store_key(), f"{run.run_id} {run.revision} {texts} {new.name}", run, new)
    if not plan.documents.changed:
        st.markdown(
            f"**{fmt.literal(new.name)}** has the same documents as {fmt.literal(plan.kb_version)}, so there is "
            "nothing to check. Choose the changed files."
        )
        return
    _begin(plan, cost)


def _choose_version(version: str) -> NewVersion | None:
    """Draw the choice and return the new version; None if there is none yet. `version` is what the answers used."""
    bases = list_knowledge_bases(opened_store.store().db)[::-1]
    others = {base.version: base for base in bases if base.version != version}
    kinds = [_FILES, _FOLDER, *([_STORED] if others else [])]
    kind = st.segmented_control("New version", kinds, default=_FILES, required=True, key="before.kind")
    if kind == _STORED and others:
        base = st.selectbox(
            "Stored version",
            list(others),
            format_func=lambda name: f"{name} · {fmt.plural(others[name].chunks, 'chunk')}",
            key="before.stored",
            label_visibility="collapsed",
            width=460,
        )
        return _load_stored(opened_store.store_key(), str(base), f"{others[str(base)].created_at}")
    files = st.file_uploader(
        "The new version",
        accept_multiple_files="directory" if kind == _FOLDER else True,
        key="before.folder" if kind == _FOLDER else "before.files",
        label_visibility="collapsed",
    )
    if not files:
        st.caption(_HINTS[str(kind)])
        return None
    named = [_named(file) for file in files]
    digest = hashlib.sha256("".join(f"{one.name}\t{mark}\n" for one, mark in named).encode()).hexdigest()
    stored = next((f"{base.version} {base.created_at}" for base in bases if base.version == version), "")
    new = _read_files(opened_store.store_key(), digest, stored, [one for one, _ in named], version)
    if new.report is not None:
        _say_left_out(new.report)
    return new


@st.cache_resource(max_entries=4, show_spinner="Reading the version")
def _load_stored(store: str, version: str, created_at: str) -> NewVersion:
    return NewVersion(name=version, chunks=load_version(opened_store.store(), version))


def _named(file: UploadedFile) -> tuple[NamedFile, str]:
    """Return an uploaded file with what tells its content from another."""
    content = file.getvalue()
    return NamedFile(name=file.name, content=content), hashlib.sha256(content).hexdigest()


@st.cache_resource(max_entries=4, show_spinner="Reading the new version")
def _read_files(store: str, digest: str, stored: str, _files: Sequence[NamedFile], _version: str) -> NewVersion:
    earlier = load_version(opened_store.store(), _version) if stored else ()
    chunks, report = read_files(_files, split_as=earlier)  # split alike, unchanged passages stay the same
    return NewVersion(name=name_files(_files), chunks=chunks, report=report)


def _say_left_out(report: ReadReport) -> None:
    if report.problem_count:
        shown = [fmt.literal(str(problem)) for problem in report.problems[:_SHOWN_PROBLEMS]]
        more = report.problem_count - len(shown)
        text = f"{fmt.plural(report.problem_count, 'row or file', 'rows or files')} left out: {'; '.join(shown)}"
        st.info(text + (f"; and {fmt.count(more)} more" if more > 0 else ""), icon=":material/warning:")
    for note in report.notes:
        st.caption(fmt.literal(note))


@st.cache_resource(max_entries=4, ttl=600, show_spinner="Comparing the two versions")
def _plan(store: str, versions: str, _run: Run, _new: NewVersion) -> tuple[Plan, RunEstimate]:
    opened_now = opened_store.store()
    plan = plan_preflight(opened_now, _run.run_id, _new.chunks, new_version=_new.name)
    return plan, estimate_preflight(opened_now, plan)


def _begin(plan: Plan, cost: RunEstimate) -> None:
    """Draw what the new version changes, what checking it takes, and the button that begins.

    Texts leave this machine only after the user has agreed.
    """
    counts = {kind.value: len(plan.documents.of_kind(kind)) for kind in DocumentChangeKind}
    changes = document_counts(**counts, unchanged=plan.documents.unchanged)
    st.markdown(f"**{changes[0].upper()}{changes[1:]}** against {fmt.literal(plan.kb_version)}.")
    for note in words.caution_words(
        plan.kb_version,
        foreign=plan.chunks.foreign,
        removed=counts["removed"],
        others=plan.documents.after,
        is_complete=plan.documents.is_complete,
    ):
        st.info(fmt.literal(note), icon=":material/info:")
    if not plan.rows:
        st.markdown(f"**{words.UNAFFECTED}**")
        return
    judged = f"{fmt.plural(cost.answers, 'answer')} will be judged again by the judge {fmt.literal(cost.judge)}"
    is_agreed = True
    if cost.host is None:
        st.caption(f"{judged}, on this machine.")
    else:
        host = fmt.literal(cost.host)
        st.markdown(f"{judged}: questions, answers and chunks are sent to **{host}**. {estimate_line(cost)}")
        is_agreed = st.checkbox(f"Send them to {host}", key=f"before.agreed.{cost.host}")
    is_pressed = st.button(
        "Check the claims", type="primary", icon=":material/fact_check:", key="before.start", disabled=not is_agreed
    )
    if not is_pressed or not service_calls.allow(identity.why_cannot_run()):
        return
    pair = begin_preflight(opened_store.store(), plan)
    if pair is not None:
        if pair[1].status is not RunStatus.COMPLETE:
            opened_store.workers().start(pair[1].run_id)
        st.switch_page(navigation.CHANGES, query_params=address.pair_link(pair[0].run_id, pair[1].run_id))


def _earlier() -> None:
    """Draw the earlier preflights of the series in view, the newest first; a click opens the comparison of one."""
    listed = list_preflights(opened_store.store(), series=series.in_view())[:_MOST_LISTED]
    if not listed:
        return
    st.header("Earlier preflights", anchor=False)
    number = click_table(
        [
            {
                "versions": f"{before.kb_version} → {after.kb_version}",
                "run": after.name,
                "state": fmt.STATUS_WORDS[after.status],
                "made": fmt.day_and_time(after.created_at),
            }
            for before, after in listed
        ],
        {"versions": "Versions", "run": "Run", "state": "State", "made": "Made"},
        key="before.earlier",
        alt="Earlier preflights, the newest first. Click one to open it.",
        most_rows=_ROWS,
    )
    if number is not None:
        before, after = listed[number]
        st.switch_page(navigation.CHANGES, query_params=address.pair_link(before.run_id, after.run_id))


def preflight_line(comparison: Comparison) -> None:
    """Draw, above the comparison of a preflight, what it found, and its progress; nothing for two other runs."""
    before, after = comparison.baseline, comparison.candidate
    if not is_preflight(before, after):
        return
    service_calls.show_message("before")
    # Before all answers are judged, nothing is known.
    finding = f"**{words.finding_words(comparison.causes)}** " if after.status is RunStatus.COMPLETE else ""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(
            f":material/fact_check: {finding}A preflight of {fmt.literal(after.kb_version or '')}: the affected "
            f"answers with the chunks of {fmt.literal(before.kb_version or '')} and with the new ones.",
            help=words.ASSUMPTION,
            width="content",
        )
        st.page_link(navigation.CHANGES, label="All preflights", query_params=address.tab_link(navigation.BEFORE))
        if identity.why_cannot_delete() is None:
            with st.popover("Delete", icon=":material/delete:", type="tertiary", key="before.delete"):
                st.markdown("Deletes the two runs of the preflight. The run that it checked is kept.")
                st.button("Delete the preflight", key="before.delete.yes", on_click=_delete, args=(before,))
    is_under_way = RunStatus.RUNNING in (before.status, after.status) or opened_store.workers().is_working(after.run_id)
    if after.status is not RunStatus.COMPLETE:
        st.fragment(_progress, run_every=1.0 if is_under_way else None)(before, after, is_under_way)


def _delete(before: Run) -> None:
    if service_calls.write(
        lambda: delete_run(opened_store.store(), before.run_id), place="before", refusal=identity.why_cannot_delete()
    ):
        st.query_params.from_dict(address.tab_link(navigation.BEFORE))


@opened_store.explaining()
def _progress(before: Run, after: Run, was_under_way: bool) -> None:
    """Draw the progress, and the button that stops or continues it."""
    store, workers = opened_store.store(), opened_store.workers()
    # Where another judge judges, it judges the answers with their own chunks first.
    sides = [get_progress(store, run.run_id) for run in (before, after)]
    at = 0 if sides[0].status is not RunStatus.COMPLETE else 1
    is_working = workers.is_working(after.run_id)
    if was_under_way and not is_working and RunStatus.RUNNING not in (sides[0].status, sides[1].status):
        st.rerun()
    st.progress(sides[at].done / sides[at].total if sides[at].total else 0.0, text=progress_line(sides[at]))
    if error := workers.find_error(after.run_id) or sides[at].error:
        st.error(fmt.literal(error), icon=":material/error:")
    if is_working:
        if st.button("Cancel", icon=":material/stop:", key="before.cancel") and service_calls.allow(
            identity.why_cannot_run()
        ):
            cancel_run(store, (before, after)[at].run_id)
    elif not was_under_way:
        is_pressed = st.button("Continue", icon=":material/play_arrow:", key="before.continue", type="primary")
        if is_pressed and service_calls.allow(identity.why_cannot_run()):
            workers.start(after.run_id, ending_seconds=_ENDING_S)
            st.rerun()
