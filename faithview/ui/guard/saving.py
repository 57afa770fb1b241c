"""What one does with a guard's outcome: save versions of the answer as a run, and copy the outcome."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import streamlit as st

from faithview.domain.errors import FaithViewError
from faithview.domain.result import Result
from faithview.domain.sample import Sample
from faithview.domain.series import CHECKED_ANSWERS
from faithview.services.runs.create import RunRequest, save_judged
from faithview.ui.guard.request import Controls
from faithview.ui.parts.pasted.paste_form import Pasted
from faithview.ui.shell import address, app, identity, nav, write
from faithview.wording import numbers as fmt

_SOURCE = "guard page"


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One version of the answer as a row of a run; its name is the row's key."""

    name: str
    sample: Sample
    result: Result


def save_rows(rows: Sequence[Row], controls: Controls, *, name: str) -> None:
    """Draw the choice of versions and the button that saves them as one run, then opens it."""
    with st.popover("Save as a run", icon=":material/save:"):
        names = [row.name for row in rows]
        chosen = st.pills("What to save", names, selection_mode="multi", default=names, key="guard.save.rows")
        is_pressed = st.button("Save", type="primary", key="guard.save", disabled=not chosen)
        if not is_pressed or controls.spec is None or not write.allow(identity.why_cannot_run()):
            return
        judged = [(replace(row.sample, key=row.name.lower()), row.result) for row in rows if row.name in chosen]
        request = RunRequest(
            name=name, judge=controls.spec, threshold=controls.threshold, source=_SOURCE, series=CHECKED_ANSWERS
        )
        try:
            run = save_judged(app.services(), judged, request)
        except FaithViewError as error:
            st.error(fmt.literal(str(error)), icon=":material/error:")
            return
    st.switch_page(nav.INSPECT, query_params=address.link(run.run_id))


def copy_call(code: str, documents: dict[str, str]) -> None:
    """Draw what can be copied: documents by the name of their tab, then the Python that does the same.

    The languages of the documents follow from their names: "HTML" and "JSON".
    """
    with st.popover("Copy", icon=":material/content_copy:"):
        *tabs, as_python = st.tabs([*documents, "Python"])
        for tab, (kind, text) in zip(tabs, documents.items(), strict=True):
            tab.code(text, language=kind.lower(), height=320, wrap_lines=True)
        as_python.code(code, language="python", height=320)


def guard_call(pasted: Pasted, controls: Controls) -> str:
    """Return the Python that guards the same answer in the same way."""
    return (
        "from faithview import FaithfulnessGuard\n\n"
        f"with FaithfulnessGuard({_judge_arguments(controls)}) as guard:\n"
        "    guarded = guard.guard_and_correct(\n"
        f"        question={pasted.question or None!r},\n"
        f"        answer={pasted.answer!r},\n"
        f"        context={list(pasted.chunks)!r},\n"
        "    )\n"
        "print(guarded.passed, guarded.answer)\n"
    )


def generation_call(pasted: Pasted, controls: Controls) -> str:
    """Return the Python that generates the same answer in the same way."""
    return (
        "from faithview import generate_with_validation\n\n"
        "generation = generate_with_validation(\n"
        f"    question={pasted.question!r},\n"
        f"    context={list(pasted.chunks)!r},\n"
        f"    generator={controls.generator!r},\n"
        f"    max_retries={controls.max_retries},\n"
        f"    {_judge_arguments(controls)},\n"
        ")\n"
        "print(generation.validated, generation.answer)\n"
    )


def _judge_arguments(controls: Controls) -> str:
    spec = controls.spec
    arguments: dict[str, object] = {"threshold": controls.threshold}
    if spec is not None:
        arguments = {"judge": spec.name, **arguments}
        if controls.offer.has_methods:
            arguments["method"] = spec.method
        if spec.options:
            arguments["options"] = dict(spec.options)
    return ", ".join(f"{name}={value!r}" for name, value in arguments.items())
